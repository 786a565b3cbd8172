/* Derivatives by cells of other ranks, while the matrix of the adjoint is filled.
 *
 * A rank finds residuals of own cells by foreign cells, which are blocks of its own rows. What its faces add to figures and
 * to equations of targets changes with foreign cells, too. These derivatives belong to the owners of the cells, who get
 * them in the end. */
#ifndef AN_ADJOINT_FOREIGN_H
#define AN_ADJOINT_FOREIGN_H

#include "solver/adjoint/block_matrix.h"
#include "solver/adjoint/residual.h"

struct an_adjoint_foreign {
    double *q, *step; /* [rows, then foreign cells][nv] of several ranks; owned */
    double *gradient; /* [nfigure][foreign cells][nv] of figures by foreign cells; owned */
    double *block;    /* [targets' foreign lists][nv][nv] of targets by foreign cells; owned */
};

/* Steps and state with those of foreign cells behind them, and zeros; with one rank nothing. _free frees what was made,
 * after errors, too. Collective. */
int an_adjoint_foreign_new(const struct an_adjoint_residual *a, const double *q, const double *step,
                           struct an_adjoint_foreign *f);
void an_adjoint_foreign_free(struct an_adjoint_foreign *f);
/* The block of target p and foreign cell k. */
double *an_adjoint_foreign_block(const struct an_adjoint_residual *a,
                                 const struct an_adjoint_foreign *f, int64_t p, int64_t k);
/* Adds gradients and blocks to those of the owners: gradient[nfigure][rows][nv], in which the numbers of targets become the sums
 * over ranks. Collective. */
int an_adjoint_foreign_give(const struct an_adjoint_residual *a, const struct an_adjoint_foreign *f,
                            const struct an_block_matrix *j, double *gradient);
/* Blocks of targets by targets become the sums over ranks. Collective. */
int an_adjoint_join_targets(const struct an_adjoint_residual *a, const struct an_block_matrix *j);

#endif
