/* How large a mesh is, and how fast it turns. */
#ifndef AN_SOLVER_EXTENT_H
#define AN_SOLVER_EXTENT_H

struct an_solver;

struct an_extent {
    double edge[3]; /* m, of the box around all nodes, along x, y, z, and ... */
    double length;  /* ... the longest of them */
    double reach;   /* m, largest |y| or |z|: the largest radius, or at least 0.7 of it */
    double radius;  /* m, largest of a block that turns; 0: nothing turns */
    double speed;   /* m/s, at that radius */
};

/* Collective. */
int an_extent_find(const struct an_solver *s, struct an_extent *e);

#endif
