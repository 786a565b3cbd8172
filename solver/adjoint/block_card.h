/* Block matrices, their factors and GMRES's vectors in the memory of an engine that has operations for them
 * (kernels/engine/sparse.h). The host keeps patterns, subdomains and the Hessenberg matrices. */
#ifndef AN_ADJOINT_BLOCK_CARD_H
#define AN_ADJOINT_BLOCK_CARD_H

#include "kernels/engine/sparse.h"
#include "solver/adjoint/block_matrix.h"

struct an_block_card {
    struct an_engine *e; /* the caller's */
    struct an_sparse_matrix a;
    struct an_sparse_factor f;
    int64_t blocks;   /* of a */
    int a_transposed; /* is a the transpose? */
    double bytes;     /* of engine memory, in all */
    int nmemory;
    void *memory[64]; /* of the engine; owned */
};

/* Memory for a matrix of this pattern, zero. AN_FAIL without memory. _free frees what was made. */
int an_block_card_new(struct an_engine *e, const struct an_block_matrix *m,
                      struct an_block_card *c);
void an_block_card_free(struct an_block_card *c);
/* Allocates `bytes` of engine memory, set to zero, which _free frees, and stores its address in *p (p: address of a pointer).
 * AN_FAIL without memory, or after 64 pieces. */
int an_block_card_room(struct an_block_card *c, size_t bytes, void *p);
/* The same with what the host has at `from`, which may change once the main stream was waited for. */
int an_block_card_put(struct an_block_card *c, const void *from, size_t bytes, void *p);
/* Copies the values of m, which is not transposed. */
int an_block_card_upload(const struct an_block_matrix *m, struct an_block_card *c);
/* The root of the sum of squares of each block: size[blocks] of the host. */
int an_block_card_sizes(struct an_block_card *c, float *size);
/* Memory for factors with the subdomains and patterns of f. AN_FAIL without memory. */
int an_block_card_factor_new(const struct an_block_factor *f, struct an_block_card *c);
/* See an_block_eliminate. */
int an_block_card_eliminate(struct an_block_factor *f, struct an_block_card *c);
/* z = A M^-1 v without the correction of means, vectors of the host. */
int an_block_card_apply(struct an_block_factor *f, struct an_block_card *c, const double *v,
                        double *z);
/* The inverse of P^T A P, which the host finds. AN_DIVERGED where it is singular. */
int an_block_card_means(struct an_block_factor *f, struct an_block_card *c);
/* A becomes its transpose, or what it was; the factors likewise. */
int an_block_card_turn(struct an_block_card *c, int transposed);
/* y = A x, vectors of the host. */
int an_block_card_multiply(struct an_block_card *c, const double *x, double *y);

#endif
