#include "solid/conduction.h"

#include "kernels/base/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COARSEST = 200, /* unknowns of a level whose Cholesky factors are found */
    CHUNK = 2048    /* unknowns that a sweep passes in a row */
};

static int32_t chunks_of(int32_t n)
{
    return (n + CHUNK - 1) / CHUNK;
}

static int32_t end_of(int32_t n, int32_t chunk)
{
    return (chunk + 1) * CHUNK < n ? (chunk + 1) * CHUNK : n;
}

/* ---- coarser levels */

/* Pairs of unknowns: to[n], returns their number. Each unknown joins the free neighbour with the most negative entry, if
 * that is a quarter of the most negative one of its row. */
static int32_t pair(const struct an_rows *k, int32_t *to)
{
    int32_t n = 0;
    for (int32_t i = 0; i < k->n; i++)
        to[i] = -1;
    for (int32_t i = 0; i < k->n; i++) {
        if (to[i] >= 0)
            continue;
        double all = 0, best = 0;
        int32_t with = -1;
        for (int64_t e = k->first[i]; e < k->first[i + 1]; e++) {
            const int32_t j = k->column[e];
            const double a = k->value[e];
            if (j == i || !(a < 0))
                continue;
            all = a < all ? a : all;
            if (to[j] < 0 && a < best) {
                best = a;
                with = j;
            }
        }
        to[i] = n;
        if (with >= 0 && best <= 0.7 * all)
            to[with] = n;
        n++;
    }
    return n;
}

/* The matrix of sums over pairs or larger sets. */
static int sum_rows(const struct an_rows *k, const int32_t *to, int32_t n, struct an_rows *coarse)
{
    *coarse = (struct an_rows){.n = n};
    coarse->first = calloc((size_t)n + 2, sizeof *coarse->first);
    coarse->column = malloc(((size_t)k->first[k->n] + 1) * sizeof *coarse->column);
    int64_t *at = malloc(((size_t)n + 1) * sizeof *at);
    int64_t *member_first = calloc((size_t)n + 2, sizeof *member_first);
    int32_t *member = malloc(((size_t)k->n + 1) * sizeof *member);
    int status = coarse->first && coarse->column && at && member_first && member
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for a solid");
    if (status == AN_OK) {
        for (int32_t i = 0; i < k->n; i++)
            member_first[to[i] + 1]++;
        for (int32_t i = 0; i < n; i++) {
            member_first[i + 1] += member_first[i];
            at[i] = member_first[i];
        }
        for (int32_t i = 0; i < k->n; i++)
            member[at[to[i]]++] = i;
        int64_t end = 0;
        for (int32_t i = 0; i < n; i++) {
            const int64_t begin = end;
            for (int64_t q = member_first[i]; q < member_first[i + 1]; q++)
                for (int64_t e = k->first[member[q]]; e < k->first[member[q] + 1]; e++)
                    coarse->column[end++] = to[k->column[e]];
            end = begin + an_rows_unique((int32_t)(end - begin), coarse->column + begin);
            coarse->first[i + 1] = end;
        }
        coarse->value = calloc((size_t)end + 1, sizeof *coarse->value);
        if (!coarse->value)
            status = an_error_set(AN_FAIL, "out of memory for a solid");
    }
    for (int32_t i = 0; i < k->n && status == AN_OK; i++)
        for (int64_t e = k->first[i]; e < k->first[i + 1]; e++)
            *an_rows_entry(coarse, to[i], to[k->column[e]]) += k->value[e];
    free(at);
    free(member_first);
    free(member);
    return status;
}

/* The next level: pairs of pairs. */
static int coarsen(struct an_conduction_level *l, struct an_rows *coarse)
{
    struct an_rows half = {0};
    l->to = malloc(((size_t)l->k.n + 1) * sizeof *l->to);
    int32_t *again = malloc(((size_t)l->k.n + 1) * sizeof *again);
    int status = l->to && again ? AN_OK : an_error_set(AN_FAIL, "out of memory for a solid");
    if (status == AN_OK)
        status = sum_rows(&l->k, l->to, pair(&l->k, l->to), &half);
    if (status == AN_OK)
        status = sum_rows(&half, again, pair(&half, again), coarse);
    for (int32_t i = 0; i < l->k.n && status == AN_OK; i++)
        l->to[i] = again[l->to[i]];
    an_rows_free(&half);
    free(again);
    return status;
}

static int level_memory(struct an_conduction_level *l)
{
    const size_t n = (size_t)l->k.n + 1;
    l->diagonal = malloc(n * sizeof *l->diagonal);
    l->d = calloc(n, sizeof *l->d);
    l->x = calloc(n, sizeof *l->x);
    l->b = calloc(n, sizeof *l->b);
    l->before = calloc(n, sizeof *l->before);
    l->others = calloc(n, sizeof *l->others);
    AN_CHECK(l->diagonal && l->d && l->x && l->b && l->before && l->others, AN_FAIL,
             "out of memory for a solid");
    for (int32_t i = 0; i < l->k.n; i++)
        l->diagonal[i] = an_rows_entry(&l->k, i, i) - l->k.value;
    for (int32_t i = 0; i < l->k.n; i++)
        for (int64_t e = l->k.first[i]; e < l->k.first[i + 1]; e++)
            if (l->k.column[e] / CHUNK != i / CHUNK)
                l->others[i] += fabs(l->k.value[e]);
    return AN_OK;
}

int an_conduction_new(const struct an_solid_mesh *m, struct an_conduction *c)
{
    *c = (struct an_conduction){.nlevel = 1};
    int status = an_conduction_matrix(m, &c->level[0].k, &c->volume);
    for (int n = 0; status == AN_OK; n++) {
        struct an_conduction_level *l = &c->level[n];
        status = level_memory(l);
        if (status != AN_OK || l->k.n <= COARSEST || n + 1 == AN_CONDUCTION_LEVELS)
            break;
        status = coarsen(l, &c->level[n + 1].k);
        c->nlevel = n + 2;
        if (status == AN_OK &&
            c->level[n + 1].k.n > 0.9 * l->k.n) { /* nothing is coupled any more */
            an_rows_free(&c->level[n + 1].k);
            free(l->to);
            l->to = NULL;
            c->nlevel = n + 1;
            break;
        }
    }
    const size_t n = (size_t)c->level[0].k.n + 1, last = (size_t)c->level[c->nlevel - 1].k.n;
    if (status == AN_OK) {
        c->residual = malloc(n * sizeof *c->residual);
        c->p = malloc(n * sizeof *c->p);
        c->q = malloc(n * sizeof *c->q);
        c->scale = malloc(n * sizeof *c->scale);
        c->part = malloc(((size_t)chunks_of((int32_t)n) + 1) * sizeof *c->part);
        c->factor = last <= COARSEST ? malloc((last * last + 1) * sizeof *c->factor) : NULL;
        if (!c->residual || !c->p || !c->q || !c->scale || !c->part ||
            (last <= COARSEST && !c->factor))
            status = an_error_set(AN_FAIL, "out of memory for a solid");
    }
    if (status != AN_OK)
        an_conduction_free(c);
    return status;
}

void an_conduction_free(struct an_conduction *c)
{
    for (int n = 0; n < AN_CONDUCTION_LEVELS; n++) {
        struct an_conduction_level *l = &c->level[n];
        an_rows_free(&l->k);
        free(l->to);
        free(l->diagonal);
        free(l->d);
        free(l->x);
        free(l->b);
        free(l->before);
        free(l->others);
    }
    free(c->factor);
    free(c->residual);
    free(c->p);
    free(c->q);
    free(c->scale);
    free(c->volume);
    free(c->part);
    *c = (struct an_conduction){0};
}

/* ---- the solution */

/* Cholesky factors of the coarsest level, L in the lower triangle. */
static void factorise(struct an_conduction *c)
{
    const struct an_conduction_level *l = &c->level[c->nlevel - 1];
    const int32_t n = l->k.n;
    double *a = c->factor;
    memset(a, 0, (size_t)n * (size_t)n * sizeof *a);
    for (int32_t i = 0; i < n; i++) {
        for (int64_t e = l->k.first[i]; e < l->k.first[i + 1]; e++)
            a[(int64_t)i * n + l->k.column[e]] = l->k.value[e];
        a[(int64_t)i * n + i] += l->d[i];
    }
    for (int32_t i = 0; i < n; i++)
        for (int32_t j = 0; j <= i; j++) {
            double sum = a[(int64_t)i * n + j];
            for (int32_t q = 0; q < j; q++)
                sum -= a[(int64_t)i * n + q] * a[(int64_t)j * n + q];
            a[(int64_t)i * n + j] = i == j ? sqrt(fmax(sum, 1e-14 * a[(int64_t)i * n + i]))
                                           : sum / a[(int64_t)j * n + j];
        }
}

void an_conduction_set(struct an_conduction *c, const double *d)
{
    memcpy(c->level[0].d, d, (size_t)c->level[0].k.n * sizeof *d);
    for (int n = 0; n + 1 < c->nlevel; n++) {
        const struct an_conduction_level *l = &c->level[n];
        double *next = c->level[n + 1].d;
        memset(next, 0, (size_t)c->level[n + 1].k.n * sizeof *next);
        for (int32_t i = 0; i < l->k.n; i++)
            next[l->to[i]] += l->d[i];
    }
    for (int32_t i = 0; i < c->level[0].k.n; i++)
        c->scale[i] = c->level[0].k.value[c->level[0].diagonal[i]] + d[i];
    if (c->factor)
        factorise(c);
}

static double row_times(const struct an_rows *k, int32_t i, const double *x)
{
    double sum = 0;
    for (int64_t e = k->first[i]; e < k->first[i + 1]; e++)
        sum += k->value[e] * x[k->column[e]];
    return sum;
}

void an_conduction_apply(const struct an_conduction *c, const double *x, double *y)
{
#pragma omp parallel for schedule(static) num_threads(an_threads_of(chunks_of(c->level[0].k.n)))
    for (int32_t i = 0; i < c->level[0].k.n; i++)
        y[i] = row_times(&c->level[0].k, i, x);
}

/* r = b - (K + D) x */
static void residual(const struct an_conduction_level *l, const double *b, const double *x,
                     double *r)
{
#pragma omp parallel for schedule(static) num_threads(an_threads_of(chunks_of(l->k.n)))
    for (int32_t i = 0; i < l->k.n; i++)
        r[i] = b[i] - row_times(&l->k, i, x) - l->d[i] * x[i];
}

/* A sweep of Gauss and Seidel over the unknowns of each chunk, upwards or downwards; other chunks count with what they had
 * before the sweep, and their entries add to the diagonal, so that the sweep always converges (Baker, Falgout, Kolev and Yang
 * 2011, "Multigrid smoothers for ultraparallel computing"). */
static void sweep(struct an_conduction_level *l, const double *b, double *x, int down)
{
    const int32_t n = l->k.n, chunks = chunks_of(n);
    memcpy(l->before, x, (size_t)n * sizeof *x);
#pragma omp parallel for schedule(static) num_threads(an_threads_of(chunks))
    for (int32_t c = 0; c < chunks; c++) {
        const int32_t lo = c * CHUNK, hi = end_of(n, c);
        for (int32_t m = lo; m < hi; m++) {
            const int32_t i = down ? hi - 1 - (m - lo) : m;
            double sum = l->d[i] * x[i];
            for (int64_t e = l->k.first[i]; e < l->k.first[i + 1]; e++) {
                const int32_t j = l->k.column[e];
                sum += l->k.value[e] * (j >= lo && j < hi ? x[j] : l->before[j]);
            }
            x[i] += (b[i] - sum) / (l->k.value[l->diagonal[i]] + l->others[i] + l->d[i]);
        }
    }
}

static void solve_coarsest(const struct an_conduction *c, const double *b, double *x)
{
    const int32_t n = c->level[c->nlevel - 1].k.n;
    const double *a = c->factor;
    for (int32_t i = 0; i < n; i++) {
        double sum = b[i];
        for (int32_t q = 0; q < i; q++)
            sum -= a[(int64_t)i * n + q] * x[q];
        x[i] = sum / a[(int64_t)i * n + i];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        double sum = x[i];
        for (int32_t q = i + 1; q < n; q++)
            sum -= a[(int64_t)q * n + i] * x[q];
        x[i] = sum / a[(int64_t)i * n + i];
    }
}

/* Improves x by an iteration of level n; coarser levels make two, which is a W cycle. */
static void improve(struct an_conduction *c, int n, const double *b, double *x)
{
    struct an_conduction_level *l = &c->level[n], *next = l + 1;
    if (!l->to && c->factor) {
        solve_coarsest(c, b, x);
        return;
    }
    sweep(l, b, x, 0);
    if (l->to) {
        memset(next->b, 0, (size_t)next->k.n * sizeof *next->b);
        memset(next->x, 0, (size_t)next->k.n * sizeof *next->x);
        residual(l, b, x, l->before);
        for (int32_t i = 0; i < l->k.n; i++)
            next->b[l->to[i]] += l->before[i];
        improve(c, n + 1, next->b, next->x);
        if (next->to)
            improve(c, n + 1, next->b, next->x);
        for (int32_t i = 0; i < l->k.n; i++)
            x[i] += next->x[l->to[i]];
    }
    sweep(l, b, x, 1);
}

/* Sum of a[i] b[i] over w[i], chunk by chunk: the same bits on any number of threads. */
static double product(struct an_conduction *c, const double *a, const double *b, const double *w)
{
    const int32_t n = c->level[0].k.n, chunks = chunks_of(n);
#pragma omp parallel for schedule(static) num_threads(an_threads_of(chunks))
    for (int32_t m = 0; m < chunks; m++) {
        c->part[m] = 0;
        for (int32_t i = m * CHUNK; i < end_of(n, m); i++)
            c->part[m] += w ? a[i] * b[i] / w[i] : a[i] * b[i];
    }
    double sum = 0;
    for (int32_t m = 0; m < chunks; m++)
        sum += c->part[m];
    return sum;
}

/* Norm of a load, each entry over the root of its diagonal: that of a temperature. */
static double norm(struct an_conduction *c, const double *b)
{
    return sqrt(product(c, b, b, c->scale));
}

int an_conduction_solve(struct an_conduction *c, const double *b, double drop, int most, double *x)
{
    struct an_conduction_level *l = &c->level[0];
    const int32_t n = l->k.n;
    double *r = c->residual, *p = c->p, *q = c->q, *z = l->x;
    residual(l, b, x, r);
    const double goal = drop * norm(c, r);
    double before = 0;
    int done = 0;
    while (done < most && norm(c, r) > goal) {
        memset(z, 0, (size_t)n * sizeof *z);
        improve(c, 0, r, z);
        const double rz = product(c, r, z, NULL);
        if (!(rz > 0))
            break;
        for (int32_t i = 0; i < n; i++)
            p[i] = done ? z[i] + rz / before * p[i] : z[i];
        before = rz;
#pragma omp parallel for schedule(static) num_threads(an_threads_of(chunks_of(n)))
        for (int32_t i = 0; i < n; i++)
            q[i] = row_times(&l->k, i, p) + l->d[i] * p[i];
        const double alpha = rz / product(c, p, q, NULL);
        for (int32_t i = 0; i < n; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        done++;
    }
    return done;
}
