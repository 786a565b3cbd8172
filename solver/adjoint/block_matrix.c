#include "solver/adjoint/block_matrix.h"
#include "solver/adjoint/block_product.h"

#include <stdlib.h>
#include <string.h>

int an_block_matrix_new(const struct an_lists *pattern, int nv, struct an_block_matrix *a)
{
    const int64_t all = pattern->first[pattern->n];
    *a = (struct an_block_matrix){.nv = nv, .n = pattern->n, .pattern = pattern};
    a->mirror = malloc(((size_t)all + 1) * sizeof *a->mirror);
    a->value = calloc((size_t)(all * nv * nv) + 1, sizeof *a->value);
    AN_CHECK(a->mirror && a->value, AN_FAIL,
             "out of memory for a matrix of %lld blocks (%.3g GB): use fewer cells", (long long)all,
             8e-9 * (double)(all * nv * nv));
    for (int64_t i = 0; i < a->n; i++)
        for (int64_t m = pattern->first[i]; m < pattern->first[i + 1]; m++) {
            const int32_t j = pattern->list[m];
            int64_t at = pattern->first[j];
            while (at < pattern->first[j + 1] && pattern->list[at] != i)
                at++;
            AN_CHECK(at < pattern->first[j + 1], AN_FAIL,
                     "cell %lld depends on cell %d, but not the other way round", (long long)i, j);
            a->mirror[m] = at;
        }
    return AN_OK;
}

void an_block_matrix_free(struct an_block_matrix *a)
{
    free(a->mirror);
    free(a->value);
    memset(a, 0, sizeof *a);
}

void an_block_multiply(const struct an_block_matrix *a, int transposed, const double *x, double *y)
{
    const int nv = a->nv, block = nv * nv;
    const struct an_lists *p = a->pattern;
#pragma omp parallel for
    for (int64_t i = 0; i < a->n; i++) {
        double sum[AN_MOST_BLOCK] = {0};
        for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
            add_product(nv, transposed, a->value + block * (transposed ? a->mirror[m] : m),
                        x + nv * (int64_t)p->list[m], sum);
        memcpy(y + nv * i, sum, (size_t)nv * sizeof *y);
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
