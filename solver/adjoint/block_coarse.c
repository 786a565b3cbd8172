/* The correction of the means of subdomains. */
#include "mpi/reduce.h"
#include "solver/adjoint/block_matrix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The group of a row of A, or of the foreign cell behind the rows. */
static int32_t group_of(const struct an_block_coarse *c, const struct an_block_matrix *a,
                        const int32_t *part, int64_t i)
{
    const int64_t cells = a->n - a->tail;
    if (i >= a->n)
        return c->foreign[i - a->n];
    return (int32_t)(i < cells ? c->own + part[i] : c->n - c->tail + (i - cells));
}

/* The places of the subdomains of this rank among those of all, and the groups of foreign cells. */
static int number_groups(const struct an_block_matrix *a, const int32_t *part, int nparts,
                         struct an_block_coarse *c)
{
    const struct an_adjoint_ranks *r = &a->cells->ranks;
    const int64_t own = nparts;
    int64_t count, *all, groups = 0;
    AN_TRY(an_ranks_gather(r, 1, &own, &count, &all));
    for (int q = 0; q < r->nrank; q++) {
        c->own = q == r->rank ? groups : c->own;
        groups += all[q];
    }
    free(all);
    c->n = groups + a->tail;
    double *from = malloc(((size_t)a->cells->n + 1) * sizeof *from),
           *to = malloc(((size_t)r->nforeign + 1) * sizeof *to);
    c->foreign = malloc(((size_t)r->nforeign + 1) * sizeof *c->foreign);
    int status = from && to && c->foreign
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for the means of subdomains");
    status = an_ranks_agree(r, status);
    for (int64_t i = 0; i < a->cells->n && status == AN_OK; i++)
        from[i] = (double)(c->own + part[i]);
    const double *const in = from;
    if (status == AN_OK)
        status = an_ranks_fetch(r, 1, 1, &in, &to);
    for (int64_t k = 0; k < r->nforeign && status == AN_OK; k++)
        c->foreign[k] = (int32_t)to[k];
    free(from);
    free(to);
    return status;
}

/* The groups of each row of A P. */
static int find_pattern(const struct an_block_matrix *a, const int32_t *part,
                        struct an_block_coarse *c)
{
    const struct an_lists *p = a->pattern;
    c->pattern.n = a->n;
    c->pattern.first = malloc(((size_t)a->n + 1) * sizeof *c->pattern.first);
    int64_t *seen = malloc(((size_t)c->n + 1) * sizeof *seen), at = 0;
    for (int64_t g = 0; g < c->n && seen; g++)
        seen[g] = -1;
    const int good = seen && c->pattern.first;
    for (int pass = 0; pass < 2 && good; pass++) { /* counts, then lists */
        at = 0;
        for (int64_t i = 0; i < a->n && (!pass || c->pattern.list); i++) {
            c->pattern.first[i] = at;
            for (int64_t m = p->first[i]; m < p->first[i + 1]; m++) {
                const int32_t g = group_of(c, a, part, p->list[m]);
                if (seen[g] == 2 * i + pass)
                    continue;
                seen[g] = 2 * i + pass;
                if (pass)
                    c->pattern.list[at] = g;
                at++;
            }
        }
        c->pattern.first[a->n] = at;
        if (!pass)
            c->pattern.list = malloc(((size_t)at + 1) * sizeof *c->pattern.list);
        for (int64_t g = 0; g < c->n; g++)
            seen[g] = -1;
    }
    free(seen);
    AN_CHECK(good && c->pattern.list, AN_FAIL, "out of memory for the means of subdomains");
    return AN_OK;
}

/* Which means this rank uses: those of its rows, of its subdomains and of the tail. */
static int find_needed(int nparts, struct an_block_coarse *c)
{
    c->needed = calloc((size_t)c->n + 1, 1);
    AN_CHECK(c->needed, AN_FAIL, "out of memory for the means of subdomains");
    for (int64_t m = 0; m < c->pattern.first[c->pattern.n]; m++)
        c->needed[c->pattern.list[m]] = 1;
    memset(c->needed + c->own, 1, (size_t)nparts);
    if (c->tail)
        memset(c->needed + c->n - c->tail, 1, (size_t)c->tail);
    return AN_OK;
}

int an_block_coarse_new(const struct an_block_matrix *a, const int32_t *part, int nparts,
                        struct an_block_coarse *c)
{
    const int64_t block = a->nv * a->nv;
    *c = (struct an_block_coarse){.n = nparts + a->tail, .tail = a->tail};
    if (a->cells)
        AN_TRY(number_groups(a, part, nparts, c));
    AN_TRY(find_pattern(a, part, c));
    if (a->cells)
        AN_TRY(find_needed(nparts, c));
    const size_t n = (size_t)(c->n * a->nv), blocks = (size_t)c->pattern.first[a->n];
    c->inverse = malloc((n * n + 1) * sizeof *c->inverse);
    int good = c->inverse != NULL;
    if (!a->card) {
        c->sum = malloc((2 * AN_MOST_TOGETHER * n + 1) * sizeof *c->sum);
        for (int t = 0; t < 2; t++)
            c->value[t] = malloc((blocks * (size_t)block + 1) * sizeof *c->value[t]);
        good = good && c->sum && c->value[0] && c->value[1];
    }
    AN_CHECK(good, AN_FAIL, "out of memory for the means of subdomains");
    return AN_OK;
}

void an_block_coarse_free(struct an_block_coarse *c)
{
    free(c->inverse);
    an_lists_free(&c->pattern);
    free(c->value[0]);
    free(c->value[1]);
    free(c->sum);
    free(c->foreign);
    free(c->needed);
    memset(c, 0, sizeof *c);
}

/* Blocks of row i of A P and A^T P, in double precision: sum[2][groups of the row][nv][nv]. */
static void add_row(const struct an_block_matrix *a, const struct an_block_coarse *c,
                    const int32_t *part, int64_t i, double *sum)
{
    const struct an_lists *p = a->pattern, *q = &c->pattern;
    const int nv = a->nv;
    const int64_t block = nv * nv, count = q->first[i + 1] - q->first[i];
    memset(sum, 0, (size_t)(2 * count * block) * sizeof *sum);
    for (int64_t m = p->first[i]; m < p->first[i + 1]; m++) {
        const int32_t g = group_of(c, a, part, p->list[m]);
        const double *plain = a->value + block * m, *mirror = a->value + block * a->mirror[m];
        int64_t k = 0;
        while (q->list[q->first[i] + k] != g)
            k++;
        for (int col = 0; col < nv; col++)
            for (int row = 0; row < nv; row++) {
                sum[k * block + col * nv + row] += plain[col * nv + row];
                sum[(count + k) * block + col * nv + row] += mirror[row * nv + col];
            }
    }
}

/* Inverts e[n][n] into `to`, with pivots; 0: singular. */
static int invert(int64_t n, double *e, double *to)
{
    int good = 1;
    memset(to, 0, (size_t)(n * n) * sizeof *to);
    for (int64_t m = 0; m < n; m++)
        to[m * n + m] = 1;
    for (int64_t c = 0; c < n && good; c++) {
        int64_t best = c;
        for (int64_t r = c + 1; r < n; r++)
            best = fabs(e[r * n + c]) > fabs(e[best * n + c]) ? r : best;
        good = fabs(e[best * n + c]) > 0 && isfinite(e[best * n + c]);
        for (int64_t m = 0; m < n && best != c && good; m++) {
            const double x = e[c * n + m], y = to[c * n + m];
            e[c * n + m] = e[best * n + m];
            to[c * n + m] = to[best * n + m];
            e[best * n + m] = x;
            to[best * n + m] = y;
        }
        const double over = good ? 1 / e[c * n + c] : 0;
        for (int64_t m = 0; m < n; m++) {
            e[c * n + m] *= over;
            to[c * n + m] *= over;
        }
#pragma omp parallel for schedule(static)
        for (int64_t r = 0; r < n; r++) {
            const double x = e[r * n + c];
            if (r == c || x == 0)
                continue;
            for (int64_t m = c; m < n; m++)
                e[r * n + m] -= x * e[c * n + m];
            for (int64_t m = 0; m < n; m++)
                to[r * n + m] -= x * to[c * n + m];
        }
    }
    return good;
}

/* Row i of A P and A^T P, and what it adds to P^T A P. */
static void take_row(const struct an_block_matrix *a, const struct an_block_coarse *c,
                     int64_t group, int64_t i, const double *sum, double *e)
{
    const struct an_lists *q = &c->pattern;
    const int nv = a->nv;
    const int64_t block = nv * nv, n = c->n * nv, count = q->first[i + 1] - q->first[i];
    const int again = a->cells && a->cells->ranks.rank && i >= a->n - a->tail;
    for (int64_t k = 0; k < count * block; k++) {
        c->value[0][q->first[i] * block + k] = (float)sum[k];
        c->value[1][q->first[i] * block + k] = (float)sum[count * block + k];
    }
    for (int64_t k = 0; k < count; k++) {
        if (again && q->list[q->first[i] + k] >= c->n - c->tail)
            continue; /* the first rank adds what the tail reads of itself */
        for (int col = 0; col < nv; col++)
            for (int row = 0; row < nv; row++)
                e[(group * nv + row) * n + q->list[q->first[i] + k] * nv + col] +=
                    sum[k * block + col * nv + row];
    }
}

/* P^T A P of all ranks: a number of it comes from one of them. */
static int join(const struct an_block_matrix *a, int64_t n, double *e)
{
    enum { MOST = 1 << 26 };
    for (int64_t from = 0; from < n && a->cells; from += MOST)
        AN_MPI(MPI_Allreduce(MPI_IN_PLACE, e + from, (int)(n - from < MOST ? n - from : MOST),
                             MPI_DOUBLE, MPI_SUM, a->cells->ranks.comm));
    return AN_OK;
}

int an_block_coarse_fill(const struct an_block_matrix *a, const int32_t *part,
                         struct an_block_coarse *c)
{
    const int64_t n = c->n * a->nv;
    const int64_t most = an_lists_longest(&c->pattern);
    double *e = calloc((size_t)(n * n) + 1, sizeof *e);
    double *sum = malloc(((size_t)(2 * most * a->nv * a->nv) + 1) * sizeof *sum);
    int status =
        e && sum ? AN_OK : an_error_set(AN_FAIL, "out of memory for the means of subdomains");
    if (a->cells)
        status = an_ranks_agree(&a->cells->ranks, status);
    for (int64_t i = 0; i < a->n && status == AN_OK; i++) {
        add_row(a, c, part, i, sum);
        take_row(a, c, group_of(c, a, part, i), i, sum, e);
    }
    if (status == AN_OK)
        status = join(a, n * n, e);
    if (status == AN_OK)
        status = an_block_coarse_invert(a->nv, e, c);
    free(e);
    free(sum);
    return status;
}

/* Turbulence is not corrected: what it is in a subdomain depends on sources far more than on other subdomains, and cells beside
 * walls, whose omega is a million times that of others, would decide. Its rows and columns are those of ones, then of zeros. */
static void leave_turbulence(int nv, const struct an_block_coarse *c, double *e, double diagonal)
{
    const int64_t n = c->n * nv;
    for (int64_t r = 0; r < (c->n - c->tail) * nv; r++)
        for (int64_t m = 0; m < n && r % nv >= AN_MEAN_UNKNOWNS; m++)
            e[r * n + m] = e[m * n + r] = r == m ? diagonal : 0;
}

int an_block_coarse_invert(int nv, double *e, struct an_block_coarse *c)
{
    leave_turbulence(nv, c, e, 1);
    AN_CHECK(invert(c->n * nv, e, c->inverse), AN_DIVERGED,
             "the linearised residual of the means of subdomains is singular");
    leave_turbulence(nv, c, c->inverse, 0);
    return AN_OK;
}

void an_block_coarse_turn(int nv, struct an_block_coarse *c)
{
    const int64_t n = c->n * nv;
    for (int64_t r = 0; r < n; r++)
        for (int64_t m = 0; m < r; m++) {
            const double x = c->inverse[r * n + m];
            c->inverse[r * n + m] = c->inverse[m * n + r];
            c->inverse[m * n + r] = x;
        }
}
