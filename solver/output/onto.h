/* A flow that starts from a snapshot of another mesh, by position. */
#ifndef AN_SOLVER_OUTPUT_ONTO_H
#define AN_SOLVER_OUTPUT_ONTO_H

#include "io/mesh.h"

struct an_solver;

/* How far the search for values had to reach. */
struct an_onto_report {
    int zones; /* of the snapshot */
    double cells,
        outside;     /* of this mesh: all, and those whose centre lies outside of the snapshot's */
    double farthest; /* m: the largest distance of such a centre from the snapshot's mesh */
    double at[3];    /* m: where that is, x, r, theta (rad) */
    double size;     /* m: diagonal of the box around this mesh */
};

/* Fills the state of every cell with that of a snapshot at the cell's centre, trilinear between cell centres of a zone
 * (donor.h). `old` is the snapshot opened as a mesh, on all ranks. Where its rows are periodic, their images are looked at,
 * too, and vectors turn with them. A new run starts, at iteration 0: flow, variables of turbulence and scalars are taken,
 * and pressures that the run controls. Each rank reads the whole snapshot, a zone at a time. Collective. AN_INPUT where
 * the snapshot is damaged, lacks a variable, or no cell lies in its mesh. */
int an_solver_start_from(struct an_solver *s, const char *path, const struct an_mesh *old,
                         struct an_onto_report *report);

#endif
