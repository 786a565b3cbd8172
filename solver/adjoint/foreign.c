#include "solver/adjoint/foreign.h"

#include <stdlib.h>
#include <string.h>

static const struct an_adjoint_ranks *ranks_of(const struct an_adjoint_residual *a)
{
    return &a->cells->ranks;
}

/* Blocks of targets by foreign cells. */
static int64_t blocks_of(const struct an_adjoint_residual *a)
{
    const struct an_lists *l = &a->targets.foreign;
    return a->targets.n ? l->first[l->n] : 0;
}

/* A vector with what owners have of the foreign cells. */
static int extend(const struct an_adjoint_residual *a, const double *from, double *to)
{
    const size_t own = (size_t)(a->rows * a->nv);
    double *const foreign = to + own;
    memcpy(to, from, own * sizeof *to);
    return an_ranks_fetch(ranks_of(a), a->nv, 1, &from, &foreign);
}

int an_adjoint_foreign_new(const struct an_adjoint_residual *a, const double *q, const double *step,
                           struct an_adjoint_foreign *f)
{
    const size_t foreign = (size_t)(ranks_of(a)->nforeign * a->nv),
                 all = (size_t)(a->rows * a->nv) + foreign + 1;
    memset(f, 0, sizeof *f);
    if (ranks_of(a)->nrank < 2)
        return AN_OK;
    f->q = malloc(all * sizeof *f->q);
    f->step = malloc(all * sizeof *f->step);
    f->gradient = calloc((size_t)a->nfigure * foreign + 1, sizeof *f->gradient);
    f->block = calloc((size_t)(blocks_of(a) * a->nv * a->nv) + 1, sizeof *f->block);
    const int good = f->q && f->step && f->gradient && f->block;
    AN_TRY(an_ranks_agree(
        ranks_of(a),
        good ? AN_OK : an_error_set(AN_FAIL, "out of memory for the linearised residual")));
    AN_TRY(extend(a, q, f->q));
    return extend(a, step, f->step);
}

void an_adjoint_foreign_free(struct an_adjoint_foreign *f)
{
    free(f->q);
    free(f->step);
    free(f->gradient);
    free(f->block);
    memset(f, 0, sizeof *f);
}

double *an_adjoint_foreign_block(const struct an_adjoint_residual *a,
                                 const struct an_adjoint_foreign *f, int64_t p, int64_t k)
{
    const struct an_lists *l = &a->targets.foreign;
    int64_t at = l->first[p];
    while (l->list[at] != k)
        at++;
    return f->block + at * a->nv * a->nv;
}

/* The place of a number in a row; -1: it is not there. */
static int64_t place_of(const struct an_lists *p, int64_t row, int64_t number)
{
    for (int64_t m = p->first[row]; m < p->first[row + 1]; m++)
        if (p->list[m] == number)
            return m;
    return -1;
}

/* Blocks of targets by foreign cells as messages: target, place of the cell among those of the neighbour, block. count[k]: of
 * numbers for neighbour k. */
static void pack(const struct an_adjoint_residual *a, const struct an_adjoint_foreign *f,
                 int64_t *count, double *to)
{
    const struct an_adjoint_ranks *r = ranks_of(a);
    const struct an_lists *l = &a->targets.foreign;
    const int64_t block = a->nv * a->nv;
    for (int k = 0; k < r->n; k++) {
        const struct an_neighbour *q = &r->neighbour[k];
        count[k] = 0;
        for (int64_t p = 0; p < l->n; p++)
            for (int64_t m = l->first[p]; m < l->first[p + 1]; m++) {
                const int64_t place = l->list[m] - q->first;
                if (place < 0 || place >= q->n)
                    continue;
                to[0] = (double)p;
                to[1] = (double)place;
                memcpy(to + 2, f->block + m * block, (size_t)block * sizeof *to);
                to += 2 + block;
                count[k] += 2 + block;
            }
    }
}

/* What neighbours found of own cells. */
static int add_blocks(const struct an_adjoint_residual *a, const int64_t *count, const double *from,
                      const struct an_block_matrix *j)
{
    const struct an_adjoint_ranks *r = ranks_of(a);
    const int64_t block = a->nv * a->nv;
    for (int k = 0; k < r->n; k++)
        for (const double *end = from + count[k]; from < end; from += 2 + block) {
            const int32_t cell = r->send[r->neighbour[k].at + (int64_t)from[1]];
            const int64_t m = place_of(j->pattern, a->cells->n + (int64_t)from[0], cell);
            AN_CHECK(m >= 0, AN_FAIL, "a rank does not know that a mean reads a cell of it");
            for (int64_t v = 0; v < block; v++)
                j->value[m * block + v] += from[2 + v];
        }
    return AN_OK;
}

static int give_blocks(const struct an_adjoint_residual *a, const struct an_adjoint_foreign *f,
                       const struct an_block_matrix *j)
{
    const struct an_adjoint_ranks *r = ranks_of(a);
    int64_t *count = malloc(2 * ((size_t)r->n + 1) * sizeof *count);
    double *out = malloc(((size_t)(blocks_of(a) * (2 + a->nv * a->nv)) + 1) * sizeof *out),
           *in = NULL;
    int status = an_ranks_agree(
        r, count && out ? AN_OK : an_error_set(AN_FAIL, "out of memory for messages"));
    if (status == AN_OK) {
        pack(a, f, count, out);
        status = an_ranks_send(r, count, out, count + r->n, &in);
    }
    if (status == AN_OK)
        status = an_ranks_agree(r, add_blocks(a, count + r->n, in, j));
    free(count);
    free(out);
    free(in);
    return status;
}

int an_adjoint_foreign_give(const struct an_adjoint_residual *a, const struct an_adjoint_foreign *f,
                            const struct an_block_matrix *j, double *gradient)
{
    const int64_t foreign = ranks_of(a)->nforeign * a->nv, rows = a->rows * a->nv,
                  tail = (int64_t)a->targets.n * a->nv;
    if (ranks_of(a)->nrank < 2)
        return AN_OK;
    for (int n = 0; n < a->nfigure; n++) {
        AN_TRY(an_ranks_give(ranks_of(a), a->nv, f->gradient + n * foreign, gradient + n * rows));
        AN_TRY(an_ranks_sum(ranks_of(a), tail, gradient + (n + 1) * rows - tail));
    }
    return a->targets.n ? give_blocks(a, f, j) : AN_OK;
}

int an_adjoint_join_targets(const struct an_adjoint_residual *a, const struct an_block_matrix *j)
{
    const struct an_lists *p = j->pattern;
    const int64_t block = a->nv * a->nv;
    if (ranks_of(a)->nrank < 2 || !a->targets.n)
        return AN_OK;
    for (int64_t t = a->cells->n; t < a->rows; t++) {
        int64_t m = p->first[t];
        while (p->list[m] < a->cells->n)
            m++;
        AN_TRY(an_ranks_sum(ranks_of(a), (p->first[t + 1] - m) * block, j->value + m * block));
    }
    return AN_OK;
}
