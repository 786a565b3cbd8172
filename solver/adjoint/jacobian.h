/* The derivatives of the residual and of figures by the state of all cells: central differences of the residual itself,
 * with all cells of one colour disturbed at a time (Curtis, Powell and Reid 1974). */
#ifndef AN_ADJOINT_JACOBIAN_H
#define AN_ADJOINT_JACOBIAN_H

#include "solver/adjoint/block_matrix.h"
#include "solver/adjoint/residual.h"

/* Is k of a cell with the unknowns w[nv] held at zero? It is where it has fallen to nothing, since the march keeps it from becoming
 * negative. */
int an_adjoint_held(const struct an_adjoint_residual *a, const double *w);
/* The step of each unknown: step[rows][nv]; 0: of targets that rest and of k that is held. */
void an_adjoint_steps(const struct an_adjoint_residual *a, const double *q, double *step);
/* Derivatives of the residuals of all rows by all unknowns, in units of both (unit_q, unit_r), into the blocks of j, whose
 * pattern is that of an_targets_graph, and the gradients of the figures in units of Q into gradient[nfigure][rows][nv]. On several ranks these are the derivatives by own
 * cells of the residuals and figures of all ranks. Collective.
 * one_sided: half the evaluations, and some six digits, which is enough for factors. With a card the values are stored in
 * engine memory: the engine finds them where there are no targets, otherwise the host finds and uploads them. q[rows][nv];
 * *evaluations: of the residual. AN_FAIL without memory. */
int an_adjoint_jacobian(struct an_adjoint_residual *a, const double *q, int one_sided,
                        struct an_block_matrix *j, double *gradient, int *evaluations);

#endif
