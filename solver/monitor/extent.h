/* How large a mesh is, and how fast it turns. */
#ifndef AN_SOLVER_EXTENT_H
#define AN_SOLVER_EXTENT_H

struct an_solver;

struct an_extent {
    double length; /* m, longest edge of the box around all nodes */
    double radius; /* m, largest of a block that turns; 0: nothing turns */
    double speed;  /* m/s, at that radius */
};

/* Collective. */
int an_extent_find(const struct an_solver *s, struct an_extent *e);

#endif
