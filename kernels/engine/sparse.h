/* Linear algebra of block matrices on engines whose memory is not the host's: products, incomplete factors, and the vector
 * work of GMRES. Host code for the same is in solver/adjoint/block_*.c, which says what the structures mean; here they hold
 * addresses of engine memory.
 *
 * A block has nv x nv numbers, column by column, nv 5 to AN_MOST_BLOCK. Vectors are [rows][nv]. All operations go to the main
 * stream and are of engines in double precision. Results are the same bits in every run, not those of the host. Operations
 * return AN_OK, or AN_FAIL where the device refuses. */
#ifndef AN_SPARSE_H
#define AN_SPARSE_H

#include "kernels/base/block_invert.h"
#include "kernels/engine/engine.h"

AN_EXTERN_C_BEGIN

/* Vectors of one product or solve; vectors that GMRES keeps, at most; parts of a vector in a pass, at most. */
enum { AN_SPARSE_TOGETHER = 4, AN_SPARSE_VECTORS = 256, AN_SPARSE_PARTS = 1024 };

/* Rows of blocks: columns of row i are list[first[i]] to list[first[i + 1] - 1], ascending. */
struct an_sparse_matrix {
    int nv;
    int64_t n;
    const int64_t *first;
    const int32_t *list;
    double *value; /* [blocks][nv][nv] */
};

/* A row of a triangle: its blocks there, from `first` on. row -1: none. */
struct an_sparse_slot {
    int32_t row, blocks;
    int64_t first;
};

/* Rows of a triangle in the order in which they can be solved: subdomain p has the batches batch[p] to batch[p + 1] - 1,
 * batch b the rows slot[b AN_SPARSE_ROWS] on, which do not depend on each other. */
struct an_sparse_levels {
    const int64_t *batch;
    const struct an_sparse_slot *slot;
};
enum { AN_SPARSE_ROWS = 16 }; /* rows of a subdomain that are under way at a time */

/* Incomplete factors of overlapping subdomains with the correction of means (struct an_block_factor). */
struct an_sparse_factor {
    int nv, nparts, transposed;
    int64_t cells, rows, groups; /* groups: subdomains, then rows of the tail */
    int longest;                 /* blocks of the longest row */
    const int32_t *part, *cell;
    const int64_t *first; /* [nparts + 1] rows of a subdomain */
    const int64_t *row_first, *diagonal;
    const int32_t *row_list;
    struct an_sparse_levels down, up;
    float *value, *pivot;
    double *scratch;           /* [nparts][AN_SPARSE_ROWS][longest][nv][nv] for the elimination */
    int32_t *singular;         /* [nparts] becomes one of the cells whose blocks are singular */
    int32_t *again;            /* [nparts] 1: eliminate works on the subdomain */
    double *shift;             /* [nparts] its diagonal blocks are taken 1 + shift times */
    const int64_t *mean_first; /* rows of A P and A^T P by groups */
    const int32_t *mean_list;
    float *mean[2];
    double *
        coarse; /* [groups nv][groups nv] P^T A P row by row, in place of which the caller puts its inverse */
    double *sum; /* [2][AN_SPARSE_TOGETHER][groups][nv] */
    float *work; /* [AN_SPARSE_TOGETHER][rows][nv] */
};

/* Work with k vectors v[k][n] that GMRES keeps: w -= sum of less[j] v[j], if `subtract`, from w = 0 on with `anew`; then
 * products of w with all of them, if `products`, and with itself, into sum[products ? k + 1 : 1], in memory of the host. */
struct an_sparse_pass {
    int64_t n;
    int parts; /* of the vectors, at most AN_SPARSE_PARTS: one for each block of threads */
    int k, subtract, anew, products;
    double *w;
    const float *v;
    double less[AN_SPARSE_VECTORS];
    double *part; /* engine memory, [AN_SPARSE_PARTS + 1][AN_SPARSE_VECTORS] */
};

enum an_sparse_vector {
    AN_SPARSE_STORE, /* v = by w */
    AN_SPARSE_WIDEN, /* w = v */
    AN_SPARSE_ADD,   /* w += by x */
    AN_SPARSE_FROM   /* w = x - w */
};

/* Cells of a colour, one unknown of which is moved: field[element[cell]] = q + sign step; sign 0 restores q. */
struct an_sparse_disturbance {
    int64_t n;
    const int32_t *cell;
    const int64_t *element; /* [cells] place of a cell in a component of a field */
    int nv, unknown;
    double sign;
    const double *q, *step; /* [cells][nv]; a step of 0: the unknown is held */
    double *field;          /* the component of the unknown */
};

/* Differences of two residuals into the column `unknown` of the blocks of cells of a colour: rows are the cells that
 * depend on them. */
struct an_sparse_difference {
    struct an_sparse_disturbance d;
    int64_t ncell, longest;          /* elements between components; blocks of the longest row */
    const double *low;               /* [nv][ncell] */
    const double *flow, *turbulence; /* the other residual: components 0 to 4, and 5 on */
    int one_sided;                   /* low is that of q itself */
    double unit[AN_MOST_BLOCK];      /* by which the derivatives of each residual are multiplied */
};

struct an_sparse_ops {
    /* y[m] = A x[m], m < n */
    int (*multiply)(struct an_engine *e, const struct an_sparse_matrix *a, int n,
                    const double *const *x, double *const *y);
    /* A becomes its transpose; its pattern is symmetric. */
    int (*turn)(struct an_engine *e, const struct an_sparse_matrix *a);
    /* size[blocks] = the root of the sum of squares of each block */
    int (*sizes)(struct an_engine *e, const struct an_sparse_matrix *a, int64_t blocks,
                 float *size);
    /* Factors of A, which is not transposed, and A P, A^T P, P^T A P. precondition needs the inverse of the last. */
    int (*eliminate)(struct an_engine *e, const struct an_sparse_matrix *a,
                     const struct an_sparse_factor *f);
    /* Factors of the transpose take their place. The correction of means stays: f->transposed selects its form. */
    int (*turn_factor)(struct an_engine *e, const struct an_sparse_factor *f);
    /* x[m] = M^-1 b[m], m < n; b and x are others. */
    int (*precondition)(struct an_engine *e, const struct an_sparse_factor *f, int n,
                        const double *const *b, double *const *x);
    int (*pass)(struct an_engine *e, const struct an_sparse_pass *p, double *sum);
    int (*vector)(struct an_engine *e, enum an_sparse_vector kind, int64_t n, double by, double *w,
                  float *v, const double *x);
    int (*disturb)(struct an_engine *e, const struct an_sparse_disturbance *d);
    int (*difference)(struct an_engine *e, const struct an_sparse_matrix *a,
                      const struct an_sparse_difference *d);
};

AN_EXTERN_C_END
#endif
