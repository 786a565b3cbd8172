#include "solid/conduction.h"

#include "kernels/base/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    COARSEST = 200, /* unknowns of a level whose Cholesky factors are found */
    CHUNK = 2048,   /* unknowns that a sweep passes in a row */
    CHUNKS =
        4, /* of a thread, at least: threads that wake up for less take longer than they gain */
    /* Most threads of a parallel loop. The loops are short, so that more threads lose more time at the start and the end of each loop
     * than they save within it. One H200 and 16 cores of its host, C3X run 145, 491 520 cells of gas and 103 040 of metal, commit
     * 35f3f511: 103, 113 and 109 cycles per second with 4, 8 and 16 threads; 128 for the gas alone. */
    THREADS = 8
};
#define STRONG 0.7 /* coupling of a pair over the strongest one of an unknown */

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
 * that is STRONG times the most negative one of its row. An unknown without such a neighbour makes a pair one of three, if it
 * is as strongly coupled to the pair: alone it would be an unknown of each coarser level, too, and cycles would spend most of
 * their time there. members[n]: memory for the sizes. */
static int32_t pair(const struct an_rows *k, int32_t *to, char *members)
{
    int32_t n = 0;
    for (int32_t i = 0; i < k->n; i++)
        to[i] = -1;
    for (int32_t i = 0; i < k->n; i++) {
        if (to[i] >= 0)
            continue;
        double all = 0, best[2] = {0};
        int32_t with[2] = {-1, -1}; /* a free neighbour; one of a pair */
        for (int64_t e = k->first[i]; e < k->first[i + 1]; e++) {
            const int32_t j = k->column[e];
            const double a = k->value[e];
            const int paired = to[j] >= 0;
            if (j == i || !(a < 0))
                continue;
            all = a < all ? a : all;
            if (a < best[paired] && !(paired && members[to[j]] > 2)) {
                best[paired] = a;
                with[paired] = j;
            }
        }
        if (with[0] < 0 || best[0] > STRONG * all) {
            if (with[1] >= 0 && best[1] <= STRONG * all) {
                to[i] = to[with[1]];
                members[to[i]]++;
                continue;
            }
            with[0] = i;
        }
        members[n] = with[0] == i ? 1 : 2;
        to[i] = to[with[0]] = n++;
    }
    return n;
}

/* Members of sets: (*first)[nset + 1] and (*member)[n], ascending in a set; both are the caller's, also after an error. */
static int list_members(int32_t n, const int32_t *to, int32_t nset, int64_t **first,
                        int32_t **member)
{
    *first = calloc((size_t)nset + 1, sizeof **first);
    *member = malloc(((size_t)n + 1) * sizeof **member);
    AN_CHECK(*first && *member, AN_FAIL, "out of memory for a solid");
    for (int32_t i = 0; i < n; i++)
        (*first)[to[i]]++;
    int64_t end = 0;
    for (int32_t i = 0; i <= nset; i++) {
        end += (*first)[i];
        (*first)[i] = end; /* one behind the last member; the loop below counts back */
    }
    for (int32_t i = n - 1; i >= 0; i--)
        (*member)[--(*first)[to[i]]] = i;
    return AN_OK;
}

/* The matrix of sums over pairs or larger sets. */
static int sum_rows(const struct an_rows *k, const int32_t *to, int32_t n, const int64_t *first,
                    const int32_t *member, struct an_rows *coarse)
{
    *coarse = (struct an_rows){.n = n};
    coarse->first = calloc((size_t)n + 1, sizeof *coarse->first);
    coarse->column = malloc(((size_t)k->first[k->n] + 1) * sizeof *coarse->column);
    AN_CHECK(coarse->first && coarse->column, AN_FAIL, "out of memory for a solid");
    int64_t end = 0;
    for (int32_t i = 0; i < n; i++) {
        const int64_t begin = end;
        for (int64_t q = first[i]; q < first[i + 1]; q++)
            for (int64_t e = k->first[member[q]]; e < k->first[member[q] + 1]; e++)
                coarse->column[end++] = to[k->column[e]];
        end = begin + an_rows_unique((int32_t)(end - begin), coarse->column + begin);
        coarse->first[i + 1] = end;
    }
    coarse->value = calloc((size_t)end + 1, sizeof *coarse->value);
    AN_CHECK(coarse->value, AN_FAIL, "out of memory for a solid");
    for (int32_t i = 0; i < k->n; i++)
        for (int64_t e = k->first[i]; e < k->first[i + 1]; e++)
            *an_rows_entry(coarse, to[i], to[k->column[e]]) += k->value[e];
    return AN_OK;
}

/* Sets of a matrix, to[n], and the matrix of their sums. */
static int halve(const struct an_rows *k, int32_t *to, struct an_rows *half)
{
    int64_t *first = NULL;
    int32_t *member = NULL;
    char *members = calloc((size_t)k->n + 1, sizeof *members);
    int status = members ? AN_OK : an_error_set(AN_FAIL, "out of memory for a solid");
    const int32_t n = members ? pair(k, to, members) : 0;
    if (status == AN_OK)
        status = list_members(k->n, to, n, &first, &member);
    if (status == AN_OK)
        status = sum_rows(k, to, n, first, member, half);
    free(first);
    free(member);
    free(members);
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
        status = halve(&l->k, l->to, &half);
    if (status == AN_OK)
        status = halve(&half, again, coarse);
    for (int32_t i = 0; i < l->k.n && status == AN_OK; i++)
        l->to[i] = again[l->to[i]];
    if (status == AN_OK)
        status = list_members(l->k.n, l->to, coarse->n, &l->member_first, &l->member);
    an_rows_free(&half);
    free(again);
    return status;
}

/* Arrays of the sweeps, and which entries of each row belong to its chunk. */
static int level_memory(struct an_conduction_level *l)
{
    const size_t n = (size_t)l->k.n + 1;
    l->diagonal = malloc(n * sizeof *l->diagonal);
    l->own = malloc(n * sizeof *l->own);
    l->d = calloc(n, sizeof *l->d);
    l->x = calloc(n, sizeof *l->x);
    l->b = calloc(n, sizeof *l->b);
    l->before = calloc(n, sizeof *l->before);
    l->others = calloc(n, sizeof *l->others);
    l->inverse = calloc(n, sizeof *l->inverse);
    AN_CHECK(l->diagonal && l->own && l->d && l->x && l->b && l->before && l->others && l->inverse,
             AN_FAIL, "out of memory for a solid");
    for (int32_t i = 0; i < l->k.n; i++) {
        l->diagonal[i] = an_rows_entry(&l->k, i, i) - l->k.value;
        l->own[i][0] = l->own[i][1] = l->k.first[i];
        for (int64_t e = l->k.first[i]; e < l->k.first[i + 1]; e++) {
            const int32_t chunk = l->k.column[e] / CHUNK;
            l->own[i][0] += chunk < i / CHUNK;
            l->own[i][1] += chunk <= i / CHUNK;
            l->others[i] += chunk == i / CHUNK ? 0 : fabs(l->k.value[e]);
        }
    }
    return AN_OK;
}

/* A level that is hardly smaller than the one before it: nothing is coupled any more. */
static void drop_level(struct an_conduction_level *l)
{
    an_rows_free(&l[1].k);
    free(l->to);
    free(l->member_first);
    free(l->member);
    l->to = l->member = NULL;
    l->member_first = NULL;
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
        if (status == AN_OK && c->level[n + 1].k.n > 0.9 * l->k.n) {
            drop_level(l);
            c->nlevel = n + 1;
            break;
        }
    }
    const size_t n = (size_t)c->level[0].k.n + 1, last = (size_t)c->level[c->nlevel - 1].k.n;
    if (status == AN_OK) {
        c->residual = malloc(n * sizeof *c->residual);
        c->p = malloc(n * sizeof *c->p);
        c->q = malloc(n * sizeof *c->q);
        c->part = malloc(((size_t)chunks_of((int32_t)n) + 1) * sizeof *c->part);
        c->factor = last <= COARSEST ? malloc((last * last + 1) * sizeof *c->factor) : NULL;
        if (!c->residual || !c->p || !c->q || !c->part || (last <= COARSEST && !c->factor))
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
        free(l->member_first);
        free(l->member);
        free(l->diagonal);
        free(l->own);
        free(l->d);
        free(l->x);
        free(l->b);
        free(l->before);
        free(l->others);
        free(l->inverse);
    }
    free(c->factor);
    free(c->residual);
    free(c->p);
    free(c->q);
    free(c->volume);
    free(c->part);
    *c = (struct an_conduction){0};
}

/* ---- the solution */

/* Sum of value * x over entries of a row. Four sums, so that an addition need not wait for the one before it. */
static double entries_times(const struct an_rows *k, int64_t from, int64_t to, const double *x)
{
    double sum[4] = {0};
    for (; from + 4 <= to; from += 4)
        for (int q = 0; q < 4; q++)
            sum[q] += k->value[from + q] * x[k->column[from + q]];
    for (; from < to; from++)
        sum[0] += k->value[from] * x[k->column[from]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double row_times(const struct an_rows *k, int32_t i, const double *x)
{
    return entries_times(k, k->first[i], k->first[i + 1], x);
}

/* The same of two dense rows. */
static double dense_times(int32_t n, const double *a, const double *b)
{
    double sum[4] = {0};
    int32_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (int q = 0; q < 4; q++)
            sum[q] += a[i + q] * b[i + q];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static int threads_of(int32_t n)
{
    const int32_t parts = chunks_of(n) / CHUNKS;
    return an_threads_of(parts < THREADS ? parts : THREADS);
}

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
    for (int32_t i = 0; i < n; i++) {
        double *row = a + (int64_t)i * n;
        for (int32_t j = 0; j < i; j++)
            row[j] = (row[j] - dense_times(j, row, a + (int64_t)j * n)) / a[(int64_t)j * n + j];
        row[i] = sqrt(fmax(row[i] - dense_times(i, row, row), 1e-14 * row[i]));
    }
}

void an_conduction_set(struct an_conduction *c, const double *d)
{
    memcpy(c->level[0].d, d, (size_t)c->level[0].k.n * sizeof *d);
    for (int n = 0; n < c->nlevel; n++) {
        const struct an_conduction_level *l = &c->level[n];
#pragma omp parallel for schedule(static) num_threads(threads_of(l->k.n))
        for (int32_t i = 0; i < l->k.n; i++) {
            const double *finer = n ? l[-1].d : NULL;
            double sum = n ? 0 : d[i];
            for (int64_t m = n ? l[-1].member_first[i] : 0; n && m < l[-1].member_first[i + 1]; m++)
                sum += finer[l[-1].member[m]];
            l->d[i] = sum;
            l->inverse[i] = 1 / (l->k.value[l->diagonal[i]] + l->others[i] + sum);
        }
    }
    if (c->factor)
        factorise(c);
}

void an_conduction_apply(const struct an_conduction *c, const double *x, double *y)
{
    const struct an_rows *k = &c->level[0].k;
#pragma omp parallel for schedule(static) num_threads(threads_of(k->n))
    for (int32_t i = 0; i < k->n; i++)
        y[i] = row_times(k, i, x);
}

/* A sweep of Gauss and Seidel over the unknowns of each chunk, upwards or downwards; other chunks count with what they had
 * before the sweep, and their entries add to the diagonal, so that the sweep always converges (Baker, Falgout, Kolev and Yang
 * 2011, "Multigrid smoothers for ultraparallel computing"). Before a sweep downwards x gets the correction of the next level, if
 * there is one. */
static void sweep(struct an_conduction_level *l, const double *b, double *x, int down)
{
    const int32_t n = l->k.n, chunks = chunks_of(n);
    const double *add = down && l->to ? l[1].x : NULL;
#pragma omp parallel num_threads(threads_of(n))
    {
#pragma omp for schedule(static)
        for (int32_t i = 0; i < n; i++) {
            x[i] += add ? add[l->to[i]] : 0;
            l->before[i] = x[i];
        }
#pragma omp for schedule(static)
        for (int32_t c = 0; c < chunks; c++) {
            const int32_t lo = c * CHUNK, hi = end_of(n, c);
            for (int32_t m = lo; m < hi; m++) {
                const int32_t i = down ? hi - 1 - (m - lo) : m;
                const int64_t *own = l->own[i];
                const double others = entries_times(&l->k, l->k.first[i], own[0], l->before) +
                                      entries_times(&l->k, own[1], l->k.first[i + 1], l->before);
                x[i] += (b[i] - others - l->d[i] * x[i] - entries_times(&l->k, own[0], own[1], x)) *
                        l->inverse[i];
            }
        }
    }
}

/* The same upwards from x = 0: only entries left of the diagonal count. */
static void sweep_from_zero(struct an_conduction_level *l, const double *b, double *x)
{
    const int32_t n = l->k.n, chunks = chunks_of(n);
#pragma omp parallel for schedule(static) num_threads(threads_of(n))
    for (int32_t c = 0; c < chunks; c++)
        for (int32_t i = c * CHUNK; i < end_of(n, c); i++)
            x[i] = (b[i] - entries_times(&l->k, l->own[i][0], l->diagonal[i], x)) * l->inverse[i];
}

/* What an unknown lacks, b - (K + D) x. After a sweep upwards from 0 the part left of the diagonal is what the sweep has solved. */
static double lacks(const struct an_conduction_level *l, int32_t i, const double *b,
                    const double *x, int from_zero)
{
    const int64_t *first = l->k.first;
    if (!from_zero)
        return b[i] - row_times(&l->k, i, x) - l->d[i] * x[i];
    return l->others[i] * x[i] - entries_times(&l->k, first[i], l->own[i][0], x) -
           entries_times(&l->k, l->diagonal[i] + 1, first[i + 1], x);
}

/* The load of the next level: sums of what its members lack. */
static void restrict_load(const struct an_conduction_level *l, const double *b, const double *x,
                          int from_zero)
{
    const int32_t n = l[1].k.n;
    double *load = l[1].b;
#pragma omp parallel for schedule(static) num_threads(threads_of(l->k.n))
    for (int32_t i = 0; i < n; i++) {
        load[i] = 0;
        for (int64_t m = l->member_first[i]; m < l->member_first[i + 1]; m++)
            load[i] += lacks(l, l->member[m], b, x, from_zero);
    }
}

static void solve_coarsest(const struct an_conduction *c, const double *b, double *x)
{
    const int32_t n = c->level[c->nlevel - 1].k.n;
    for (int32_t i = 0; i < n; i++) {
        const double *row = c->factor + (int64_t)i * n;
        x[i] = (b[i] - dense_times(i, row, x)) / row[i];
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        const double *row = c->factor + (int64_t)i * n;
        x[i] /= row[i];
        for (int32_t q = 0; q < i; q++)
            x[q] -= row[q] * x[i];
    }
}

/* Improves x by an iteration of level n; coarser levels make two, which is a W cycle. from_zero: x counts as 0, whatever it
 * holds. */
static void improve(struct an_conduction *c, int n, const double *b, double *x, int from_zero)
{
    struct an_conduction_level *l = &c->level[n];
    if (!l->to && c->factor) {
        solve_coarsest(c, b, x);
        return;
    }
    if (from_zero)
        sweep_from_zero(l, b, x);
    else
        sweep(l, b, x, 0);
    if (l->to) {
        restrict_load(l, b, x, from_zero);
        improve(c, n + 1, l[1].b, l[1].x, 1);
        if (l[1].to)
            improve(c, n + 1, l[1].b, l[1].x, 0);
    }
    sweep(l, b, x, 1);
}

/* Sums by chunks: the same bits on any number of threads. */
static double sum_of(const struct an_conduction *c)
{
    double sum = 0;
    for (int32_t m = 0; m < chunks_of(c->level[0].k.n); m++)
        sum += c->part[m];
    return sum;
}

/* The diagonal of K + D at an unknown of the finest level. */
static double scale(const struct an_conduction_level *l, int32_t i)
{
    return l->k.value[l->diagonal[i]] + l->d[i];
}

/* r = b - (K + D) x; returns the norm of r, each entry over the root of its diagonal: that of a temperature. */
static double residual(struct an_conduction *c, const double *b, const double *x, double *r)
{
    const struct an_conduction_level *l = &c->level[0];
    const int32_t n = l->k.n, chunks = chunks_of(n);
#pragma omp parallel for schedule(static) num_threads(threads_of(n))
    for (int32_t m = 0; m < chunks; m++) {
        c->part[m] = 0;
        for (int32_t i = m * CHUNK; i < end_of(n, m); i++) {
            r[i] = lacks(l, i, b, x, 0);
            c->part[m] += r[i] * r[i] / scale(l, i);
        }
    }
    return sqrt(sum_of(c));
}

static double product(struct an_conduction *c, const double *a, const double *b)
{
    const int32_t n = c->level[0].k.n, chunks = chunks_of(n);
#pragma omp parallel for schedule(static) num_threads(threads_of(n))
    for (int32_t m = 0; m < chunks; m++) {
        c->part[m] = 0;
        for (int32_t i = m * CHUNK; i < end_of(n, m); i++)
            c->part[m] += a[i] * b[i];
    }
    return sum_of(c);
}

/* p = z + beta p and q = (K + D) p; returns p . q. */
static double direction(struct an_conduction *c, const double *z, double beta, double *p, double *q)
{
    const struct an_conduction_level *l = &c->level[0];
    const int32_t n = l->k.n, chunks = chunks_of(n);
#pragma omp parallel num_threads(threads_of(n))
    {
#pragma omp for schedule(static)
        for (int32_t i = 0; i < n; i++)
            p[i] = beta != 0 ? z[i] + beta * p[i] : z[i];
#pragma omp for schedule(static)
        for (int32_t m = 0; m < chunks; m++) {
            c->part[m] = 0;
            for (int32_t i = m * CHUNK; i < end_of(n, m); i++) {
                q[i] = row_times(&l->k, i, p) + l->d[i] * p[i];
                c->part[m] += p[i] * q[i];
            }
        }
    }
    return sum_of(c);
}

/* x += alpha p and r -= alpha q; returns the norm of r. */
static double advance(struct an_conduction *c, double alpha, double *x, double *r)
{
    const struct an_conduction_level *l = &c->level[0];
    const int32_t n = l->k.n, chunks = chunks_of(n);
#pragma omp parallel for schedule(static) num_threads(threads_of(n))
    for (int32_t m = 0; m < chunks; m++) {
        c->part[m] = 0;
        for (int32_t i = m * CHUNK; i < end_of(n, m); i++) {
            x[i] += alpha * c->p[i];
            r[i] -= alpha * c->q[i];
            c->part[m] += r[i] * r[i] / scale(l, i);
        }
    }
    return sqrt(sum_of(c));
}

int an_conduction_solve(struct an_conduction *c, const double *b, double drop, int most, double *x)
{
    double *r = c->residual, *z = c->level[0].x;
    double norm = residual(c, b, x, r), before = 0;
    const double goal = drop * norm;
    int done = 0;
    while (done < most && norm > goal) {
        improve(c, 0, r, z, 1);
        const double rz = product(c, r, z);
        if (!(rz > 0))
            break;
        const double pq = direction(c, z, done ? rz / before : 0, c->p, c->q);
        before = rz;
        norm = advance(c, rz / pq, x, r);
        done++;
    }
    return done;
}
