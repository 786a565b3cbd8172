#include "solver/adjoint/block_card.h"
#include "solver/adjoint/block_product.h"

#include <stdlib.h>
#include <string.h>

/* The place of block (j, i) in row j; -1: there is none. */
static int64_t place_of(const struct an_lists *p, int64_t i, int64_t j)
{
    for (int64_t at = p->first[j]; at < p->first[j + 1]; at++)
        if (p->list[at] == i)
            return at;
    return -1;
}

/* Block (i, j) of own cell i and foreign cell j has its mirror behind the blocks of all rows. */
static int64_t foreign_place(const struct an_block_matrix *a, int64_t i, int64_t j)
{
    const struct an_lists *readers = &a->cells->readers;
    const int64_t k = j - a->n;
    for (int64_t at = readers->first[k]; at < readers->first[k + 1]; at++)
        if (readers->list[at] == i)
            return a->pattern->first[a->n] + at;
    return -1;
}

static int find_mirrors(struct an_block_matrix *a)
{
    const struct an_lists *pattern = a->pattern;
    const int64_t all = pattern->first[pattern->n];
    int64_t alone = -1; /* a cell whose block has no mirror */
    a->mirror = malloc(((size_t)all + 1) * sizeof *a->mirror);
    AN_CHECK(a->mirror, AN_FAIL, "out of memory for a matrix of %lld blocks", (long long)all);
#pragma omp parallel for schedule(static) reduction(max : alone)
    for (int64_t i = 0; i < a->n; i++) {
        const int64_t first = pattern->first[i], last = pattern->first[i + 1];
        for (int64_t m = first; m < last; m++) {
            const int32_t j = pattern->list[m];
            a->mirror[m] = j < a->n ? place_of(pattern, i, j) : foreign_place(a, i, j);
            alone = a->mirror[m] < 0 && i > alone ? i : alone;
        }
    }
    AN_CHECK(alone < 0, AN_FAIL, "cell %lld depends on a cell, but not the other way round",
             (long long)alone);
    return AN_OK;
}

int an_block_matrix_new(const struct an_lists *pattern, int nv, struct an_block_matrix *a)
{
    *a = (struct an_block_matrix){.nv = nv, .n = pattern->n, .pattern = pattern};
    return find_mirrors(a);
}

int an_block_matrix_share(const struct an_lists *pattern, int nv,
                          const struct an_adjoint_cells *cells, struct an_block_matrix *a)
{
    const int64_t nforeign = cells->ranks.nforeign;
    *a = (struct an_block_matrix){.nv = nv,
                                  .n = pattern->n,
                                  .tail = pattern->n - cells->n,
                                  .pattern = pattern,
                                  .cells = cells,
                                  .nforeign = cells->readers.first[nforeign]};
    a->room =
        malloc(((size_t)(AN_MOST_TOGETHER * (nforeign + a->tail) * nv) + 1) * sizeof *a->room);
    AN_CHECK(a->room, AN_FAIL, "out of memory for products");
    return find_mirrors(a);
}

int an_block_matrix_values(struct an_block_matrix *a)
{
    const int64_t *first = a->pattern->first, block = a->nv * a->nv,
                  all = (first[a->n] + a->nforeign) * block;
    a->value = malloc(((size_t)all + 1) * sizeof *a->value);
    AN_CHECK(a->value, AN_FAIL,
             "out of memory for a matrix of %lld blocks (%.3g GB): use fewer cells",
             (long long)first[a->n], 8e-9 * (double)all);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < a->n; i++)
        memset(a->value + first[i] * block, 0,
               (size_t)((first[i + 1] - first[i]) * block) * sizeof *a->value);
    return AN_OK;
}

/* Blocks of own rows whose columns are foreign cells of neighbour k, in the order of rows and columns, into `to` (NULL: only
 * their number is wanted); returns their number. */
static int64_t pack_blocks(const struct an_block_matrix *a, int k, double *to)
{
    const struct an_neighbour *q = &a->cells->ranks.neighbour[k];
    const struct an_lists *p = a->pattern;
    const int64_t block = a->nv * a->nv;
    int64_t n = 0;
    for (int64_t s = q->at; s < q->at + q->count; s++) {
        const int32_t i = a->cells->ranks.send[s];
        for (int64_t m = p->first[i]; m < p->first[i + 1]; m++) {
            const int64_t foreign = p->list[m] - a->n;
            if (foreign < q->first || foreign >= q->first + q->n)
                continue;
            if (to)
                memcpy(to + n * block, a->value + m * block, (size_t)block * sizeof *to);
            n++;
        }
    }
    return n;
}

int an_block_matrix_join(struct an_block_matrix *a)
{
    if (!a->cells)
        return AN_OK;
    const struct an_adjoint_ranks *r = &a->cells->ranks;
    const struct an_lists *readers = &a->cells->readers;
    const int64_t block = a->nv * a->nv;
    int64_t *counts = malloc(2 * ((size_t)r->n + 1) * sizeof *counts), all = 0;
    for (int k = 0; k < r->n && counts; k++) {
        const struct an_neighbour *q = &r->neighbour[k];
        counts[k] = pack_blocks(a, k, NULL) * block;
        counts[r->n + k] = (readers->first[q->first + q->n] - readers->first[q->first]) * block;
        all += counts[k];
    }
    double *out = malloc(((size_t)all + 1) * sizeof *out), *at = out;
    for (int k = 0; k < r->n && counts && out; k++)
        at += pack_blocks(a, k, at) * block;
    int status = an_ranks_agree(
        r, counts && out ? AN_OK : an_error_set(AN_FAIL, "out of memory for messages"));
    if (status == AN_OK)
        status = an_ranks_exchange(r, counts, out, counts + r->n,
                                   a->value + a->pattern->first[a->n] * block);
    free(out);
    free(counts);
    return status;
}

void an_block_matrix_free(struct an_block_matrix *a)
{
    free(a->mirror);
    free(a->value);
    free(a->room);
    memset(a, 0, sizeof *a);
}

/* Exchanges two blocks, and transposes both. */
static void exchange(int nv, double *a, double *b)
{
    for (int r = 0; r < nv; r++)
        for (int c = 0; c < nv; c++) {
            const double x = a[c * nv + r];
            if (a == b && c <= r)
                continue;
            a[c * nv + r] = b[r * nv + c];
            b[r * nv + c] = x;
        }
}

int an_block_matrix_turn(struct an_block_matrix *a, int transposed)
{
    const struct an_lists *p = a->pattern;
    const int64_t block = a->nv * a->nv;
    if (a->card)
        return an_block_card_turn(a->card, transposed);
    if (a->transposed == transposed)
        return AN_OK;
    a->transposed = transposed;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < a->n; i++)
        for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
            if (p->list[m] >= i)
                exchange(a->nv, a->value + block * m, a->value + block * a->mirror[m]);
    return AN_OK;
}

AN_INLINE void multiply_rows(int nv, int n, const struct an_block_matrix *a, int64_t from,
                             int64_t to, const double *const *x, double *const *y)
{
    const struct an_lists *p = a->pattern;
    const int64_t foreign = a->cells ? a->cells->ranks.nforeign : 0;
    for (int64_t i = from; i < to; i++) {
        double sum[AN_MOST_TOGETHER][AN_MOST_BLOCK] = {{0}};
        for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
            for (int s = 0; s < n; s++) {
                const int64_t j = p->list[m];
                const double *of =
                    j < a->n ? x[s] + nv * j : a->room + nv * (s * foreign + j - a->n);
                an_block_add(nv, a->value + nv * nv * m, of, sum[s]);
            }
        for (int s = 0; s < n; s++)
            memcpy(y[s] + nv * i, sum[s], (size_t)nv * sizeof *y[s]);
    }
}

/* The rows of the tail: sums over the cells of all ranks, and then the columns of the tail, which all ranks have. */
static int multiply_tail(const struct an_block_matrix *a, int n, const double *const *x,
                         double *const *y)
{
    const struct an_lists *p = a->pattern;
    const int nv = a->nv;
    const int64_t cells = a->cells->n;
    double *sum = a->room + AN_MOST_TOGETHER * a->cells->ranks.nforeign * nv;
    memset(sum, 0, (size_t)(n * a->tail * nv) * sizeof *sum);
    for (int phase = 0; phase < 2; phase++) {
        for (int64_t t = 0; t < a->tail; t++)
            for (int64_t m = p->first[cells + t]; m < p->first[cells + t + 1]; m++)
                for (int s = 0; s < n && (p->list[m] >= cells) == phase; s++)
                    an_block_add(nv, a->value + nv * nv * m, x[s] + nv * (int64_t)p->list[m],
                                 sum + (s * a->tail + t) * nv);
        if (!phase)
            AN_TRY(an_ranks_sum(&a->cells->ranks, n * a->tail * nv, sum));
    }
    for (int s = 0; s < n && a->tail; s++)
        memcpy(y[s] + cells * nv, sum + s * a->tail * nv, (size_t)(a->tail * nv) * sizeof *sum);
    return AN_OK;
}

/* What products need of foreign cells. */
static int fetch(const struct an_block_matrix *a, int n, const double *const *x)
{
    const struct an_adjoint_ranks *r = &a->cells->ranks;
    double *to[AN_MOST_TOGETHER];
    for (int s = 0; s < n; s++)
        to[s] = a->room + s * r->nforeign * a->nv;
    return an_ranks_fetch(r, a->nv, n, x, to);
}

int an_block_multiply(struct an_block_matrix *a, int transposed, int n, const double *const *x,
                      double *const *y)
{
    enum { ROWS = 256 };
    AN_TRY(an_block_matrix_turn(a, transposed));
    for (int m = 0; m < n && a->card; m++)
        AN_TRY(an_block_card_multiply(a->card, x[m], y[m]));
    if (a->card)
        return AN_OK;
    if (a->cells)
        AN_TRY(fetch(a, n, x));
    const int64_t rows = a->cells ? a->cells->n : a->n;
#pragma omp parallel for schedule(static)
    for (int64_t part = 0; part < (rows + ROWS - 1) / ROWS; part++) {
        const int64_t from = part * ROWS, to = from + ROWS < rows ? from + ROWS : rows;
        AN_BY_SIZES(a->nv, n, multiply_rows, a, from, to, x, y);
    }
    return a->cells ? multiply_tail(a, n, x, y) : AN_OK;
}

double an_block_dot(int64_t n, const double *x, const double *y)
{
    enum { CHUNK = 4096, MOST = 256 };
    double sum = 0;
    for (int64_t from = 0; from < n; from += (int64_t)CHUNK * MOST) {
        double part[MOST] = {0};
        const int64_t left = (n - from + CHUNK - 1) / CHUNK, count = left < MOST ? left : MOST;
#pragma omp parallel for
        for (int64_t c = 0; c < count; c++) {
            const int64_t lo = from + c * CHUNK, hi = lo + CHUNK < n ? lo + CHUNK : n;
            for (int64_t m = lo; m < hi; m++)
                part[c] += x[m] * y[m];
        }
        for (int64_t c = 0; c < count; c++)
            sum += part[c];
    }
    return sum;
}

int64_t an_block_counted(const struct an_block_matrix *a)
{
    return a->nv * (a->cells && a->cells->ranks.rank ? a->cells->n : a->n);
}

int an_block_sum(const struct an_block_matrix *a, int64_t n, double *v)
{
    return a->cells ? an_ranks_sum(&a->cells->ranks, n, v) : AN_OK;
}

int an_block_product_of(const struct an_block_matrix *a, const double *x, const double *y,
                        double *product)
{
    *product = an_block_dot(an_block_counted(a), x, y);
    return an_block_sum(a, 1, product);
}
