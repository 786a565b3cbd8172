#include "solver/adjoint/block_matrix.h"
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

int an_block_matrix_new(const struct an_lists *pattern, int nv, struct an_block_matrix *a)
{
    const int64_t all = pattern->first[pattern->n];
    int64_t alone = -1; /* a cell whose block has no mirror */
    *a = (struct an_block_matrix){.nv = nv, .n = pattern->n, .pattern = pattern};
    a->mirror = malloc(((size_t)all + 1) * sizeof *a->mirror);
    a->value = malloc(((size_t)(all * nv * nv) + 1) * sizeof *a->value);
    AN_CHECK(a->mirror && a->value, AN_FAIL,
             "out of memory for a matrix of %lld blocks (%.3g GB): use fewer cells", (long long)all,
             8e-9 * (double)(all * nv * nv));
#pragma omp parallel for schedule(static) reduction(max : alone)
    for (int64_t i = 0; i < a->n; i++) {
        const int64_t first = pattern->first[i], last = pattern->first[i + 1];
        for (int64_t m = first; m < last; m++) {
            a->mirror[m] = place_of(pattern, i, pattern->list[m]);
            alone = a->mirror[m] < 0 && i > alone ? i : alone;
        }
        memset(a->value + first * nv * nv, 0,
               (size_t)((last - first) * nv * nv) * sizeof *a->value);
    }
    AN_CHECK(alone < 0, AN_FAIL, "cell %lld depends on a cell, but not the other way round",
             (long long)alone);
    return AN_OK;
}

void an_block_matrix_free(struct an_block_matrix *a)
{
    free(a->mirror);
    free(a->value);
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

void an_block_matrix_turn(struct an_block_matrix *a, int transposed)
{
    const struct an_lists *p = a->pattern;
    const int64_t block = a->nv * a->nv;
    if (a->transposed == transposed)
        return;
    a->transposed = transposed;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < a->n; i++)
        for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
            if (p->list[m] >= i)
                exchange(a->nv, a->value + block * m, a->value + block * a->mirror[m]);
}

AN_INLINE void multiply_rows(int nv, int n, const struct an_block_matrix *a, int64_t from,
                             int64_t to, const double *const *x, double *const *y)
{
    const struct an_lists *p = a->pattern;
    for (int64_t i = from; i < to; i++) {
        double sum[AN_MOST_TOGETHER][AN_MOST_BLOCK] = {{0}};
        for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
            for (int s = 0; s < n; s++)
                an_block_add(nv, a->value + nv * nv * m, x[s] + nv * (int64_t)p->list[m], sum[s]);
        for (int s = 0; s < n; s++)
            memcpy(y[s] + nv * i, sum[s], (size_t)nv * sizeof *y[s]);
    }
}

void an_block_multiply(struct an_block_matrix *a, int transposed, int n, const double *const *x,
                       double *const *y)
{
    enum { ROWS = 256 };
    an_block_matrix_turn(a, transposed);
#pragma omp parallel for schedule(static)
    for (int64_t part = 0; part < (a->n + ROWS - 1) / ROWS; part++) {
        const int64_t from = part * ROWS, to = from + ROWS < a->n ? from + ROWS : a->n;
        AN_BY_SIZES(a->nv, n, multiply_rows, a, from, to, x, y);
    }
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
