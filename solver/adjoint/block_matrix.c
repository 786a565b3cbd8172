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

int an_block_matrix_new(const struct an_lists *pattern, int nv, struct an_block_matrix *a)
{
    const int64_t all = pattern->first[pattern->n];
    int64_t alone = -1; /* a cell whose block has no mirror */
    *a = (struct an_block_matrix){.nv = nv, .n = pattern->n, .pattern = pattern};
    a->mirror = malloc(((size_t)all + 1) * sizeof *a->mirror);
    AN_CHECK(a->mirror, AN_FAIL, "out of memory for a matrix of %lld blocks", (long long)all);
#pragma omp parallel for schedule(static) reduction(max : alone)
    for (int64_t i = 0; i < a->n; i++) {
        const int64_t first = pattern->first[i], last = pattern->first[i + 1];
        for (int64_t m = first; m < last; m++) {
            a->mirror[m] = place_of(pattern, i, pattern->list[m]);
            alone = a->mirror[m] < 0 && i > alone ? i : alone;
        }
    }
    AN_CHECK(alone < 0, AN_FAIL, "cell %lld depends on a cell, but not the other way round",
             (long long)alone);
    return AN_OK;
}

int an_block_matrix_values(struct an_block_matrix *a)
{
    const int64_t *first = a->pattern->first, block = a->nv * a->nv;
    a->value = malloc(((size_t)(first[a->n] * block) + 1) * sizeof *a->value);
    AN_CHECK(a->value, AN_FAIL,
             "out of memory for a matrix of %lld blocks (%.3g GB): use fewer cells",
             (long long)first[a->n], 8e-9 * (double)(first[a->n] * block));
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < a->n; i++)
        memset(a->value + first[i] * block, 0,
               (size_t)((first[i + 1] - first[i]) * block) * sizeof *a->value);
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
    for (int64_t i = from; i < to; i++) {
        double sum[AN_MOST_TOGETHER][AN_MOST_BLOCK] = {{0}};
        for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
            for (int s = 0; s < n; s++)
                an_block_add(nv, a->value + nv * nv * m, x[s] + nv * (int64_t)p->list[m], sum[s]);
        for (int s = 0; s < n; s++)
            memcpy(y[s] + nv * i, sum[s], (size_t)nv * sizeof *y[s]);
    }
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
#pragma omp parallel for schedule(static)
    for (int64_t part = 0; part < (a->n + ROWS - 1) / ROWS; part++) {
        const int64_t from = part * ROWS, to = from + ROWS < a->n ? from + ROWS : a->n;
        AN_BY_SIZES(a->nv, n, multiply_rows, a, from, to, x, y);
    }
    return AN_OK;
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
