/* Sparse matrices of small dense blocks (block CSR), their incomplete factors, and GMRES.
 *
 * A block of nv x nv numbers belongs to a pair of cells: the derivative of nv residuals of the row's cell by nv unknowns
 * of the column's cell, column by column. The pattern is symmetric: where (i, j) is a block, so is (j, i). Vectors are
 * [cells][nv]. Several systems are solved at once, so that matrix and factors travel once for all of them; what one system gets
 * does not depend on the others. All results are the same, bit for bit, on any number of threads.
 *
 * With a card (a matrix in engine memory, block_card.h) values, factors and vectors of GMRES lie there and the engine does the arithmetic;
 * the host keeps patterns, and an_block_solve is not for such factors.
 *
 * On several ranks each has the rows of its own cells, and the tail like all others. Columns are own cells, the tail, and
 * behind them foreign cells (cells.h). A block whose row is of the tail is with the rank of its column. Vectors are those of
 * own cells and of the tail. Subdomains lie inside ranks, and the means of the subdomains of all ranks are corrected together.
 * Functions that say so are collective then; results are the same in every run, but depend on the number of ranks. */
#ifndef AN_ADJOINT_BLOCK_MATRIX_H
#define AN_ADJOINT_BLOCK_MATRIX_H

#include "kernels/engine/sparse.h"
#include "solver/adjoint/cells.h"

/* Vectors of one product or solve. */
enum { AN_MOST_TOGETHER = AN_SPARSE_TOGETHER };
/* Unknowns of a cell whose means the factors correct: those of the flow. */
enum { AN_MEAN_UNKNOWNS = 5 };

struct an_block_card;

struct an_block_matrix {
    int nv;
    int64_t n;
    int64_t tail; /* rows at the end that belong to no subdomain of the factors */
    const struct an_lists
        *pattern;    /* columns of each row, ascending, the row's own included; the caller's */
    int64_t *mirror; /* [blocks] place of block (j, i) for that of (i, j); owned */
    double *
        value; /* [blocks][nv][nv], of A, or with `transposed` of A^T; NULL: the card has them; owned */
    /* several ranks, NULL: one; the caller's. Then values of nforeign blocks stand behind the others: those of rows of foreign
     * cells and columns of own ones, by foreign cells and in the order of their readers */
    const struct an_adjoint_cells *cells;
    int64_t nforeign;
    double *
        room; /* [AN_MOST_TOGETHER][foreign cells][nv] for products, then [AN_MOST_TOGETHER][tail][nv]; owned */
    int transposed;
    struct an_block_card *card; /* NULL: none; the caller's */
};

/* A pattern without values; values, zero. AN_FAIL without memory; _free frees what was made. */
int an_block_matrix_new(const struct an_lists *pattern, int nv, struct an_block_matrix *a);
/* The same of a rank among several. cells: its own and foreign cells. */
int an_block_matrix_share(const struct an_lists *pattern, int nv,
                          const struct an_adjoint_cells *cells, struct an_block_matrix *a);
/* After the values of the rows of all ranks were set: fetches the blocks behind them. Collective. */
int an_block_matrix_join(struct an_block_matrix *a);
int an_block_matrix_values(struct an_block_matrix *a);
void an_block_matrix_free(struct an_block_matrix *a);
/* The values become those of A, or with `transposed` of A^T. */
int an_block_matrix_turn(struct an_block_matrix *a, int transposed);
/* y[m] = A x[m], or with `transposed` A^T x[m], of n vectors, at most AN_MOST_TOGETHER. Turns the matrix where it has to. Collective. */
int an_block_multiply(struct an_block_matrix *a, int transposed, int n, const double *const *x,
                      double *const *y);

/* The means of the flow on each subdomain and each row of the tail as unknowns: A restricted to vectors whose flow is constant on
 * every subdomain and whose turbulence is zero there, P^T A P, and its inverse, which all ranks have. Rows and columns of the means of
 * turbulence are zeros. */
struct an_block_coarse {
    int64_t n;        /* groups: subdomains, rank by rank, then rows of the tail */
    int64_t tail;     /* rows of the tail */
    int64_t own;      /* the first subdomain of this rank */
    int32_t *foreign; /* several ranks: [foreign cells] their groups; owned */
    char *needed;     /* several ranks: [n] 1: this rank uses the mean; owned */
    double *inverse;  /* [n nv][n nv] of P^T A P, or of its transposed; owned */
    /* A P, or A^T P in value[1], turbulence included: blocks of each row of A, by groups; owned */
    struct an_lists pattern;
    float *value[2];
    double *sum; /* [2][AN_MOST_TOGETHER][n][nv]; owned */
    int rests;   /* 1: the means are not corrected */
};

/* A preconditioner: restricted additive Schwarz (Cai and Sarkis 1999) on subdomains of the cells, each with the cells that its own are
 * coupled to strongly, behind a correction of the means (Nicolaides 1987):
 *
 *     y = P (P^T A P)^-1 P^T b,     x = y + sum over subdomains of the own part of (L U)^-1 (b - A y)
 *
 * L U are incomplete factors of a subdomain's part of A in its own pattern and, where it may matter, fill of the first level (ILU(1) by blocks
 * less its small ones, Saad 2003, section 10.3). The subdomains depend
 * on the matrix alone and threads share them, so that no thread waits for another inside one, and results do not depend on the number of
 * threads. Rows of the tail, which are joined to many cells, belong to the correction alone. Factors are kept in single precision:
 * they precondition only. Where those of a subdomain are unstable, the diagonal blocks of its rows are enlarged (Manteuffel, Math. Comp.
 * 34, 1980). */
struct an_block_factor {
    int nv, nparts;
    int64_t n, cells, rows; /* rows of A; those before its tail; rows of all subdomains */
    int64_t columns;        /* of A */
    const struct an_adjoint_ranks *ranks; /* of several; NULL: one; the caller's */
    int32_t *part;                        /* [cells] the subdomain that owns a cell; owned */
    int64_t *first;                       /* [nparts + 1] rows of a subdomain; owned */
    int32_t *cell; /* [rows] in reverse Cuthill-McKee order (1969) in each subdomain; owned */
    struct an_lists pattern; /* columns of each row, as rows, ascending; owned */
    int64_t *diagonal;       /* [rows] place of the diagonal in its row; owned */
    float *value;            /* [blocks] L without its diagonal of ones, U; owned */
    float *pivot;            /* [rows] inverse diagonal blocks of U; owned */
    double *shift;           /* [nparts] diagonal blocks are taken 1 + shift times; owned */
    /* [nparts] |A M^-1 v| over |v| for random signs v, without means; large or NaN: unstable; owned */
    double *growth;
    int32_t *again;    /* [nparts] 1: the subdomain has to be eliminated; owned */
    int32_t *singular; /* [nparts] a cell whose block has no inverse, -1: none; owned */
    struct an_block_coarse coarse;
    int transposed; /* 1: U^T takes the place of L, and L^T that of U */
    double *work;   /* [AN_MOST_TOGETHER][rows][nv]; owned */
};

/* Subdomains of at most `most` cells, and the pattern of their factors, for matrices like this one, whose values say how
 * strongly cells are coupled. AN_FAIL without memory; _free frees what was made. Collective. */
int an_block_factor_new(const struct an_block_matrix *a, int64_t most, struct an_block_factor *f);
/* The factors. AN_FAIL without memory, AN_DIVERGED where a diagonal block is singular, however much it is enlarged. Collective. */
int an_block_factor_fill(struct an_block_matrix *a, struct an_block_factor *f);
void an_block_factor_free(struct an_block_factor *f);
/* The factors of the subdomains f->again, with diagonal blocks taken 1 + f->shift times; f->singular says where they have no inverse.
 * AN_FAIL without memory. Not collective. */
int an_block_eliminate(struct an_block_matrix *a, struct an_block_factor *f);
double an_block_factor_bytes(const struct an_block_factor *f);
/* x[m] = M^-1 b[m], or with `transposed` M of A^T, of n vectors; x[m] may be b[m]. Turns the factors where it has to. Collective. */
int an_block_solve(struct an_block_factor *f, int transposed, int n, const double *const *b,
                   double *const *x);

/* The cells that each cell before the tail is coupled to strongly, and how strongly: weight[list]; both the caller's to free.
 * size[blocks]: the root of the sum of squares of each block; in the rows of cells it becomes its part of that of the diagonal block. */
int an_block_strong(const struct an_block_matrix *a, float *size, struct an_lists *strong,
                    float **weight);
/* Subdomains of at most `most` cells: part[strong->n], *count. The pairs of the strongest coupling for their size are joined again
 * and again. */
int an_block_parts(const struct an_lists *strong, const float *weight, int64_t most, int32_t *part,
                   int *count);

/* The correction of factors whose subdomains are known. After an error _free frees what was made. */
int an_block_coarse_new(const struct an_block_matrix *a, const int32_t *part, int nparts,
                        struct an_block_coarse *c);
/* The inverse of e = P^T A P, [n nv][n nv], which is overwritten. AN_DIVERGED where it is singular. */
int an_block_coarse_invert(int nv, double *e, struct an_block_coarse *c);
/* AN_DIVERGED where P^T A P is singular. A is not transposed. Collective. */
int an_block_coarse_fill(const struct an_block_matrix *a, const int32_t *part,
                         struct an_block_coarse *c);
void an_block_coarse_free(struct an_block_coarse *c);
void an_block_coarse_turn(int nv, struct an_block_coarse *c);

struct an_gmres_options {
    int transposed;   /* 1: A^T x = b */
    int restart;      /* vectors that are kept before GMRES restarts; with a card at most 254 */
    int iterations;   /* at most */
    double tolerance; /* of |b - A x| over |b| */
};
struct an_gmres_result {
    int iterations;
    double reached; /* |b - A x| / |b| */
};
/* Solves A x[m] = b[m], m < n, at most AN_MOST_TOGETHER, by restarted GMRES (Saad and Schultz 1986), preconditioned from the right
 * by the factors; starts from x. Returns AN_OK also where the tolerance is not reached: result[m] says so. Collective. */
int an_block_gmres(struct an_block_matrix *a, struct an_block_factor *f,
                   const struct an_gmres_options *o, int n, const double *const *b,
                   double *const *x, struct an_gmres_result *result);
/* Bytes of the vectors of GMRES for n systems at once. */
double an_block_gmres_bytes(const struct an_block_matrix *a, const struct an_gmres_options *o,
                            int n);

/* The product of two vectors, the same on any number of threads. */
double an_block_dot(int64_t n, const double *x, const double *y);
/* The numbers at the beginning of a vector that this rank adds to sums over all ranks: the tail counts once. Not collective. */
int64_t an_block_counted(const struct an_block_matrix *a);
/* The product of two vectors of all ranks, the same on all of them. Collective. */
int an_block_product_of(const struct an_block_matrix *a, const double *x, const double *y,
                        double *product);
/* v[n] becomes the sum over the ranks of the matrix. Collective. */
int an_block_sum(const struct an_block_matrix *a, int64_t n, double *v);

#endif
