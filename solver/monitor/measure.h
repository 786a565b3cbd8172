/* Residual norms, health and boundary integrals of the present state, and what parts of the run find
 * in it: walls, rows, cooling. */
#ifndef AN_SOLVER_MEASURE_H
#define AN_SOLVER_MEASURE_H

#include "kernels/engine/engine.h"

struct an_solver;
struct an_part_type;

/* What a measurement finds. */
struct an_measure {
    double residual[5];   /* root mean square over the volume of dW/dt, per component */
    double drop;          /* residual[0] over the largest one that the run has had */
    double turbulence[2]; /* the same of TURB; NaN: no model */
    double rho_min, p_min;
    double (*integral)[AN_NINTEGRAL]; /* [nboundary], caller's array or NULL */
};

/* Norms and integrals of the present state, and what walls feel. AN_DIVERGED names zone, cell,
 * place and variable. */
int an_solver_measure(struct an_solver *s, struct an_measure *m);
/* The same in two parts: start issues the work, finish waits for its results and sums them over the
 * ranks. Steps may come between, another measurement may not; what finish finds is of the state
 * that start saw, the cell it names where that diverged of the present one. */
int an_solver_measure_start(struct an_solver *s);
int an_solver_measure_finish(struct an_solver *s, struct an_measure *m);

/* The part that keeps what a measurement under way needs; every run has it. */
extern const struct an_part_type an_measure_part;

#endif
