/* Steady conduction in a solid by trilinear finite elements: K theta = heat, with theta in W/m (metal.h).
 *
 *     K[i][j] = integral of grad N_i . grad N_j over the solid, m      (2 x 2 x 2 points of Gauss in a cell)
 *
 * (K + D) theta = b is solved by conjugate gradients, preconditioned by a W cycle of algebraic multigrid: pairs of
 * unknowns with the strongest coupling become one, twice for each level (Notay 2010, "An aggregation-based algebraic
 * multigrid method"; here an unknown without a partner joins a pair), a symmetric Gauss-Seidel sweep before and after, Cholesky
 * factors on the coarsest level. D is a diagonal: what surfaces conduct. Threads share chunks of unknowns that do not depend on their
 * number, so that the bits do not either. */
#ifndef AN_SOLID_CONDUCTION_H
#define AN_SOLID_CONDUCTION_H

#include "solid/conduction_matrix.h"

enum { AN_CONDUCTION_LEVELS = 24 };

struct an_conduction_level {
    struct an_rows k;      /* without D; owned */
    int32_t *to;           /* [n] unknown of the next level, NULL on the coarsest; owned */
    int64_t *member_first; /* [n of the next level + 1]; owned */
    int32_t *member;       /* [n] that make the unknowns of the next level, set by set; owned */
    int64_t *diagonal;     /* [n] where the diagonal stands; owned */
    int64_t (
        *own)[2]; /* [n] entries of the same chunk: the first one, and one behind the last; owned */
    double *d;    /* [n] D; owned */
    double *x, *b;   /* [n]; owned */
    double *before;  /* [n] of a sweep; owned */
    double *others;  /* [n] sizes of the entries of other chunks; owned */
    double *inverse; /* [n] 1 / (diagonal + others + D): of a sweep; owned */
};

struct an_conduction {
    int nlevel;
    struct an_conduction_level level[AN_CONDUCTION_LEVELS];
    double *factor;           /* [n][n] of the coarsest level; owned */
    double *residual, *p, *q; /* [n] of the finest level; owned */
    double *volume;           /* [n] m3: the integral of N_i; owned */
    double *part;             /* of a sum, by chunks; owned */
};

/* AN_INPUT, naming zone and cell, where a cell is so skewed that it is folded at a point of Gauss. Not collective. */
int an_conduction_new(const struct an_solid_mesh *m, struct an_conduction *c);
void an_conduction_free(struct an_conduction *c);

/* D of the finest level, d[n] >= 0, not all 0. */
void an_conduction_set(struct an_conduction *c, const double *d);
/* Improves x until the norm of the residual is at most `drop` times that at the start; returns the number of
 * iterations, at most `most`. The norm takes each entry over the root of its diagonal. */
int an_conduction_solve(struct an_conduction *c, const double *b, double drop, int most, double *x);
/* y = K x. */
void an_conduction_apply(const struct an_conduction *c, const double *x, double *y);

#endif
