/* Sparse matrices of small dense blocks (block CSR), their incomplete factors, and GMRES.
 *
 * A block of nv x nv numbers belongs to a pair of cells: the derivative of nv residuals of the row's cell by nv unknowns
 * of the column's cell, row by row. The pattern is symmetric: where (i, j) is a block, so is (j, i). Vectors are
 * [cells][nv]. All results are the same, bit for bit, on any number of threads. Not collective. */
#ifndef AN_ADJOINT_BLOCK_MATRIX_H
#define AN_ADJOINT_BLOCK_MATRIX_H

#include "solver/adjoint/cells.h"

enum { AN_MOST_BLOCK = 6 };

struct an_block_matrix {
    int nv;
    int64_t n;
    int64_t tail; /* rows at the end that incomplete factors eliminate last */
    const struct an_lists
        *pattern;    /* columns of each row, ascending, the row's own included; the caller's */
    int64_t *mirror; /* [blocks] place of block (j, i) for that of (i, j); owned */
    double *value;   /* [blocks][nv][nv]; owned */
};

/* Zero. AN_FAIL without memory; _free frees what was made. */
int an_block_matrix_new(const struct an_lists *pattern, int nv, struct an_block_matrix *a);
void an_block_matrix_free(struct an_block_matrix *a);
/* y = A x, or with `transposed` y = A^T x. */
void an_block_multiply(const struct an_block_matrix *a, int transposed, const double *x, double *y);

/* The incomplete factors L U of A in the pattern of A with fill of some levels (ILU(k), Saad 2003, algorithm 10.6, by
 * blocks); cells in the order `order`. Diagonal blocks of U are kept inverted. */
struct an_block_factor {
    int nv;
    int64_t n;
    int32_t *order, *place;  /* [n] cell at a place, place of a cell; owned */
    struct an_lists pattern; /* columns of each row, in places, ascending; owned */
    int64_t *diagonal;       /* [n]; owned */
    double *value;           /* owned */
    double *work;            /* [n][nv]; owned */
};

/* AN_FAIL without memory, AN_DIVERGED where a diagonal block is singular. */
int an_block_factor_new(const struct an_block_matrix *a, int fill, struct an_block_factor *f);
void an_block_factor_free(struct an_block_factor *f);
/* x = (L U)^-1 b, or with `transposed` (L U)^-T b; x may be b. */
void an_block_solve(const struct an_block_factor *f, int transposed, const double *b, double *x);

struct an_gmres_options {
    int transposed;   /* 1: A^T x = b */
    int restart;      /* vectors */
    int iterations;   /* at most */
    double tolerance; /* of |b - A x| over |b| */
};
struct an_gmres_result {
    int iterations;
    double reached; /* |b - A x| / |b| */
};
/* Solves A x = b by restarted GMRES (Saad and Schultz 1986), preconditioned from the right by the factors; starts from x. Returns
 * AN_OK also where the tolerance is not reached: result says so. */
int an_block_gmres(const struct an_block_matrix *a, const struct an_block_factor *f,
                   const struct an_gmres_options *o, const double *b, double *x,
                   struct an_gmres_result *result);

/* The product of two vectors, the same on any number of threads. */
double an_block_dot(int64_t n, const double *x, const double *y);

#endif
