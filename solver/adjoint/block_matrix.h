/* Sparse matrices of small dense blocks (block CSR), their incomplete factors, and GMRES.
 *
 * A block of nv x nv numbers belongs to a pair of cells: the derivative of nv residuals of the row's cell by nv unknowns
 * of the column's cell, column by column. The pattern is symmetric: where (i, j) is a block, so is (j, i). Vectors are
 * [cells][nv]. Several systems are solved at once, so that matrix and factors travel once for all of them; what one system gets
 * does not depend on the others. All results are the same, bit for bit, on any number of threads. Not collective. */
#ifndef AN_ADJOINT_BLOCK_MATRIX_H
#define AN_ADJOINT_BLOCK_MATRIX_H

#include "solver/adjoint/cells.h"

/* Unknowns of a block; vectors of one product or solve. */
enum { AN_MOST_BLOCK = 7, AN_MOST_TOGETHER = 4 };

struct an_block_matrix {
    int nv;
    int64_t n;
    int64_t tail; /* rows at the end that incomplete factors eliminate last */
    const struct an_lists
        *pattern;    /* columns of each row, ascending, the row's own included; the caller's */
    int64_t *mirror; /* [blocks] place of block (j, i) for that of (i, j); owned */
    double *value;   /* [blocks][nv][nv], of A, or with `transposed` of A^T; owned */
    int transposed;
};

/* Zero. AN_FAIL without memory; _free frees what was made. */
int an_block_matrix_new(const struct an_lists *pattern, int nv, struct an_block_matrix *a);
void an_block_matrix_free(struct an_block_matrix *a);
/* The values become those of A, or with `transposed` of A^T. */
void an_block_matrix_turn(struct an_block_matrix *a, int transposed);
/* y[m] = A x[m], or with `transposed` A^T x[m], of n vectors, at most AN_MOST_TOGETHER. Turns the matrix where it has to. */
void an_block_multiply(struct an_block_matrix *a, int transposed, int n, const double *const *x,
                       double *const *y);

/* Blocks of a triangle, row by row in the order in which the rows are solved for, so that they are read one after the other. */
struct an_triangle {
    int64_t *at;   /* [n] first block of a row; owned */
    int32_t *list; /* column of each block; owned */
    float *value;  /* owned */
};

/* The incomplete factors L U of A in the pattern of A with fill of some levels (ILU(k), Saad 2003, algorithm 10.6, by
 * blocks); cells in the order `order`. Diagonal blocks of U are kept inverted. The factors precondition only: single
 * precision halves the memory and the time of a solve.
 *
 * A row of L can be solved for where the rows that it reads have been; rows of a step read none of the same step. Steps of
 * `down` follow one another, from the first row of L on, those of `up` from the last of U on; threads share the rows of a step. */
struct an_block_factor {
    int nv;
    int64_t n;
    int32_t *order, *place;       /* [n] cell at a place, place of a cell; owned */
    struct an_lists pattern;      /* columns of each row, in places, ascending; owned */
    int64_t *diagonal;            /* [n] place of the diagonal in its row; owned */
    struct an_lists down, up;     /* of each step its rows; owned */
    struct an_triangle low, high; /* L without its diagonal of ones, U without its own */
    float *pivot;                 /* [n] inverse diagonal blocks of U; owned */
    int transposed;               /* 1: U^T takes the place of L, and L^T that of U */
    double *work;                 /* [AN_MOST_TOGETHER][n][nv]; owned */
};

/* The pattern of the factors of matrices like this one. AN_FAIL without memory; _free frees what was made. */
int an_block_factor_new(const struct an_block_matrix *a, int fill, struct an_block_factor *f);
/* The factors. AN_FAIL without memory, AN_DIVERGED where a diagonal block is singular. */
int an_block_factor_fill(struct an_block_matrix *a, struct an_block_factor *f);
void an_block_factor_free(struct an_block_factor *f);
/* x[m] = (L U)^-1 b[m], or with `transposed` (L U)^-T b[m], of n vectors; x[m] may be b[m]. Turns the factors where it has to. */
void an_block_solve(struct an_block_factor *f, int transposed, int n, const double *const *b,
                    double *const *x);

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
/* Solves A x[m] = b[m], m < n, at most AN_MOST_TOGETHER, by restarted GMRES (Saad and Schultz 1986), preconditioned from the right
 * by the factors; starts from x. Returns AN_OK also where the tolerance is not reached: result[m] says so. */
int an_block_gmres(struct an_block_matrix *a, struct an_block_factor *f,
                   const struct an_gmres_options *o, int n, const double *const *b,
                   double *const *x, struct an_gmres_result *result);
/* Bytes of the vectors of GMRES for n systems at once. */
double an_block_gmres_bytes(const struct an_block_matrix *a, const struct an_gmres_options *o,
                            int n);

/* The product of two vectors, the same on any number of threads. */
double an_block_dot(int64_t n, const double *x, const double *y);

#endif
