/* Areas of the boundaries of the mesh. */
#ifndef AN_SOLVER_AREAS_H
#define AN_SOLVER_AREAS_H

struct an_solver;

struct an_boundary_size {
    double x[2];    /* m: least and largest of its nodes */
    double area;    /* m2: of its faces in the mesh */
    double annulus; /* m2: of all passages together */
};

/* size[nboundary]; a boundary without faces has x of infinite size and the area 0. Collective. */
int an_boundary_sizes(const struct an_solver *s, struct an_boundary_size *size);

#endif
