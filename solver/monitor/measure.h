/* Residual norms, health and boundary integrals of the present state, and what parts of the run
 * find in it: walls, rows, cooling. */
#ifndef AN_SOLVER_MEASURE_H
#define AN_SOLVER_MEASURE_H

#include "kernels/engine/engine.h"

struct an_solver;
struct an_component_type;

/* Results of a measurement. */
struct an_measure {
    double residual[5];   /* root mean square over the volume of dW/dt, per component */
    double drop;          /* residual[0] over the largest one that the run has had */
    double turbulence[2]; /* the same for TURB; NaN without a transported model */
    double rho_min, p_min;
    /* [nboundary] sums of stencil boundary_integral; the caller's array, or NULL */
    double (*integral)[AN_NINTEGRAL];
};

/* Finds norms and integrals of the present state and lets the parts of the run measure it. The
 * text of AN_DIVERGED names zone, cell, place and variable. Collective. */
int an_solver_measure(struct an_solver *s, struct an_measure *m);
/* The same in two parts: start issues the work, finish waits for the results and sums them over the
 * ranks. Steps may be done between the two, but no other measurement. The results belong to the
 * state at the start; a cell that finish names is found in the present state. */
int an_solver_measure_start(struct an_solver *s);
int an_solver_measure_finish(struct an_solver *s, struct an_measure *m);

/* The part that keeps what a measurement under way needs; every run has it. */
extern const struct an_component_type an_measure_component;

#endif
