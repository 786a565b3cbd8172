#include "solver/adjoint/block_card.h"

#include <stdlib.h>
#include <string.h>

int an_block_card_room(struct an_block_card *c, size_t bytes, void *p)
{
    void *got;
    AN_CHECK(c->nmemory < (int)(sizeof c->memory / sizeof *c->memory), AN_FAIL,
             "too many pieces of engine memory");
    AN_TRY(c->e->op->alloc(c->e, bytes + 8, &got));
    c->memory[c->nmemory++] = got;
    c->bytes += (double)bytes;
    memcpy(p, &got, sizeof got);
    return AN_OK;
}

int an_block_card_put(struct an_block_card *c, const void *from, size_t bytes, void *p)
{
    void *to = NULL;
    AN_TRY(an_block_card_room(c, bytes, &to));
    memcpy(p, &to, sizeof to);
    return bytes ? c->e->op->upload(c->e, to, from, bytes, 0) : AN_OK;
}

int an_block_card_new(struct an_engine *e, const struct an_block_matrix *m, struct an_block_card *c)
{
    const struct an_lists *p = m->pattern;
    *c = (struct an_block_card){.e = e, .blocks = p->first[m->n]};
    c->a = (struct an_sparse_matrix){.nv = m->nv, .n = m->n};
    AN_TRY(an_block_card_put(c, p->first, (size_t)(m->n + 1) * sizeof *p->first, &c->a.first));
    AN_TRY(an_block_card_put(c, p->list, (size_t)c->blocks * sizeof *p->list, &c->a.list));
    return an_block_card_room(c, (size_t)(c->blocks * m->nv * m->nv) * sizeof(double), &c->a.value);
}

void an_block_card_free(struct an_block_card *c)
{
    for (int n = 0; n < c->nmemory; n++)
        c->e->op->free(c->e, c->memory[n]);
    memset(c, 0, sizeof *c);
}

int an_block_card_upload(const struct an_block_matrix *m, struct an_block_card *c)
{
    c->a_transposed = 0;
    return c->e->op->upload(c->e, c->a.value, m->value,
                            (size_t)(c->blocks * m->nv * m->nv) * sizeof *m->value, 0);
}

int an_block_card_sizes(struct an_block_card *c, float *size)
{
    void *p;
    float *there;
    const size_t bytes = (size_t)c->blocks * sizeof *size;
    AN_TRY(c->e->op->alloc(c->e, bytes + 8, &p));
    there = p;
    int status = c->e->sparse->sizes(c->e, &c->a, c->blocks, there);
    if (status == AN_OK)
        status = c->e->op->download(c->e, size, there, bytes, 0);
    if (status == AN_OK)
        status = c->e->op->sync(c->e, 0);
    c->e->op->free(c->e, p);
    return status;
}

/* ---- levels ---- */

/* The level of each row of subdomain p, of[rows]: one above those of the rows that it depends on, before it or, with `upper`,
 * behind it. Returns how many there are. */
static int32_t find_levels(const struct an_block_factor *f, int p, int upper, int32_t *of)
{
    const int64_t first = f->first[p], n = f->first[p + 1] - first;
    int32_t count = 0;
    for (int64_t m = 0; m < n; m++) {
        const int64_t i = first + (upper ? n - 1 - m : m);
        const int64_t from = upper ? f->diagonal[i] + 1 : f->pattern.first[i],
                      to = upper ? f->pattern.first[i + 1] : f->diagonal[i];
        of[i] = 0;
        for (int64_t q = from; q < to; q++)
            if (of[f->pattern.list[q]] >= of[i])
                of[i] = of[f->pattern.list[q]] + 1;
        count = of[i] + 1 > count ? of[i] + 1 : count;
    }
    return count;
}

/* Rows of each level of subdomain p into at[count + 1], as the batches before the level's. Returns the batches of all. */
static int64_t find_batches(const struct an_block_factor *f, int p, const int32_t *of,
                            int32_t count, int64_t *at)
{
    int64_t all = 0;
    memset(at, 0, ((size_t)count + 1) * sizeof *at);
    for (int64_t i = f->first[p]; i < f->first[p + 1]; i++)
        at[of[i]]++;
    for (int32_t n = 0; n <= count; n++) {
        const int64_t rows = at[n];
        at[n] = all;
        all += (rows + AN_SPARSE_ROWS - 1) / AN_SPARSE_ROWS;
    }
    return all;
}

/* The rows of subdomain p into its slots; at: as found by find_batches, times the slots of a batch. */
static void fill_slots(const struct an_block_factor *f, int p, int upper, const int32_t *of,
                       int64_t *at, struct an_sparse_slot *slot)
{
    for (int64_t i = f->first[p]; i < f->first[p + 1]; i++) {
        const int64_t from = upper ? f->diagonal[i] + 1 : f->pattern.first[i],
                      to = upper ? f->pattern.first[i + 1] : f->diagonal[i];
        slot[at[of[i]]++] = (struct an_sparse_slot){
            .row = (int32_t)i, .blocks = (int32_t)(to - from), .first = from};
    }
}

struct batches {
    int64_t *batch, *at;         /* [nparts + 1]; [rows + 1], of one subdomain at a time; owned */
    int32_t *of;                 /* [rows]; owned */
    struct an_sparse_slot *slot; /* owned */
};

static int make_batches(const struct an_block_factor *f, int upper, struct batches *b)
{
    for (int p = 0; p < f->nparts; p++) {
        const int32_t count = find_levels(f, p, upper, b->of);
        b->batch[p + 1] = b->batch[p] + find_batches(f, p, b->of, count, b->at);
    }
    const int64_t slots = b->batch[f->nparts] * AN_SPARSE_ROWS;
    b->slot = malloc(((size_t)slots + 1) * sizeof *b->slot);
    AN_CHECK(b->slot, AN_FAIL, "out of memory for the levels of factors");
    for (int64_t m = 0; m < slots; m++)
        b->slot[m] = (struct an_sparse_slot){.row = -1};
    for (int p = 0; p < f->nparts; p++) {
        int32_t count = 0;
        for (int64_t i = f->first[p]; i < f->first[p + 1]; i++)
            count = b->of[i] + 1 > count ? b->of[i] + 1 : count;
        find_batches(f, p, b->of, count, b->at);
        for (int32_t n = 0; n < count; n++)
            b->at[n] = (b->at[n] + b->batch[p]) * AN_SPARSE_ROWS;
        fill_slots(f, p, upper, b->of, b->at, b->slot);
    }
    return AN_OK;
}

static int put_batches(struct an_block_card *c, const struct an_block_factor *f, int upper,
                       struct an_sparse_levels *to)
{
    const size_t rows = (size_t)f->rows + 1, parts = (size_t)f->nparts + 1;
    struct batches b = {.batch = calloc(parts, sizeof *b.batch),
                        .at = malloc((rows + 1) * sizeof *b.at),
                        .of = malloc(rows * sizeof *b.of)};
    int status = b.batch && b.at && b.of
                     ? make_batches(f, upper, &b)
                     : an_error_set(AN_FAIL, "out of memory for the levels of factors");
    if (status == AN_OK)
        status = an_block_card_put(c, b.batch, parts * sizeof *b.batch, &to->batch);
    if (status == AN_OK)
        status = an_block_card_put(
            c, b.slot, (size_t)(b.batch[f->nparts] * AN_SPARSE_ROWS) * sizeof *b.slot, &to->slot);
    if (status == AN_OK)
        status = c->e->op->sync(c->e, 0);
    free(b.batch);
    free(b.at);
    free(b.of);
    free(b.slot);
    return status;
}

/* ---- factors ---- */

int an_block_card_factor_new(const struct an_block_factor *f, struct an_block_card *c)
{
    struct an_sparse_factor *g = &c->f;
    const struct an_lists *p = &f->pattern, *q = &f->coarse.pattern;
    const size_t block = (size_t)(f->nv * f->nv), rows = (size_t)f->rows,
                 groups = (size_t)(f->coarse.n * f->nv), means = (size_t)q->first[q->n];
    *g = (struct an_sparse_factor){.nv = f->nv,
                                   .nparts = f->nparts,
                                   .cells = f->cells,
                                   .rows = f->rows,
                                   .groups = f->coarse.n,
                                   .longest = (int)an_lists_longest(p)};
    AN_TRY(an_block_card_put(c, f->part, (size_t)f->cells * sizeof *f->part, &g->part));
    AN_TRY(an_block_card_put(c, f->cell, rows * sizeof *f->cell, &g->cell));
    AN_TRY(an_block_card_put(c, f->first, ((size_t)f->nparts + 1) * sizeof *f->first, &g->first));
    AN_TRY(an_block_card_put(c, p->first, (rows + 1) * sizeof *p->first, &g->row_first));
    AN_TRY(an_block_card_put(c, f->diagonal, rows * sizeof *f->diagonal, &g->diagonal));
    AN_TRY(
        an_block_card_put(c, p->list, (size_t)p->first[f->rows] * sizeof *p->list, &g->row_list));
    AN_TRY(an_block_card_put(c, q->first, ((size_t)q->n + 1) * sizeof *q->first, &g->mean_first));
    AN_TRY(an_block_card_put(c, q->list, means * sizeof *q->list, &g->mean_list));
    AN_TRY(put_batches(c, f, 0, &g->down));
    AN_TRY(put_batches(c, f, 1, &g->up));
    AN_TRY(an_block_card_room(c, (size_t)p->first[f->rows] * block * sizeof *g->value, &g->value));
    AN_TRY(an_block_card_room(c, rows * block * sizeof *g->pivot, &g->pivot));
    AN_TRY(an_block_card_room(
        c, (size_t)f->nparts * AN_SPARSE_ROWS * (size_t)g->longest * block * sizeof *g->scratch,
        &g->scratch));
    AN_TRY(an_block_card_room(c, (size_t)f->nparts * sizeof *g->singular, &g->singular));
    AN_TRY(an_block_card_room(c, (size_t)f->nparts * sizeof *g->shift, &g->shift));
    AN_TRY(an_block_card_room(c, (size_t)f->nparts * sizeof *g->again, &g->again));
    for (int m = 0; m < 2; m++)
        AN_TRY(an_block_card_room(c, means * block * sizeof *g->mean[m], &g->mean[m]));
    AN_TRY(an_block_card_room(c, groups * groups * sizeof *g->coarse, &g->coarse));
    AN_TRY(an_block_card_room(c, 2 * AN_SPARSE_TOGETHER * groups * sizeof *g->sum, &g->sum));
    return an_block_card_room(c, AN_SPARSE_TOGETHER * rows * (size_t)f->nv * sizeof *g->work,
                              &g->work);
}

int an_block_card_eliminate(struct an_block_factor *f, struct an_block_card *c)
{
    const struct an_engine_ops *op = c->e->op;
    const size_t parts = (size_t)f->nparts;
    AN_TRY(an_block_card_turn(c, 0));
    AN_TRY(op->upload(c->e, c->f.singular, f->singular, parts * sizeof *f->singular, 0));
    AN_TRY(op->upload(c->e, c->f.shift, f->shift, parts * sizeof *f->shift, 0));
    AN_TRY(op->upload(c->e, c->f.again, f->again, parts * sizeof *f->again, 0));
    AN_TRY(c->e->sparse->eliminate(c->e, &c->a, &c->f));
    AN_TRY(op->download(c->e, f->singular, c->f.singular, parts * sizeof *f->singular, 0));
    return op->sync(c->e, 0);
}

/* Exchanges P^T A P with `with`, both [groups nv][groups nv]. */
static int exchange_means(const struct an_block_factor *f, struct an_block_card *c, double *with)
{
    const struct an_engine_ops *op = c->e->op;
    const size_t n = (size_t)(f->coarse.n * f->nv), bytes = n * n * sizeof *with;
    double *kept = malloc(bytes + 8);
    AN_CHECK(kept, AN_FAIL, "out of memory for the means of subdomains");
    int status = op->download(c->e, kept, c->f.coarse, bytes, 0);
    if (status == AN_OK)
        status = op->upload(c->e, c->f.coarse, with, bytes, 0);
    if (status == AN_OK)
        status = op->sync(c->e, 0);
    memcpy(with, kept, bytes);
    free(kept);
    return status;
}

/* The same with P^T A P as it is. */
static int apply(struct an_block_card *c, const double *v, double *z)
{
    const struct an_engine_ops *op = c->e->op;
    const size_t n = (size_t)(c->a.n * c->a.nv), bytes = n * sizeof *v;
    void *p;
    AN_TRY(op->alloc(c->e, 2 * bytes + 8, &p));
    double *const from = p, *const to = from + n;
    const double *in = from;
    int status = op->upload(c->e, from, v, bytes, 0);
    if (status == AN_OK)
        status = c->e->sparse->precondition(c->e, &c->f, 1, &in, &to);
    in = to;
    if (status == AN_OK)
        status = c->e->sparse->multiply(c->e, &c->a, 1, &in, &from);
    if (status == AN_OK)
        status = op->download(c->e, z, from, bytes, 0);
    if (status == AN_OK)
        status = op->sync(c->e, 0);
    op->free(c->e, p);
    return status;
}

int an_block_card_apply(struct an_block_factor *f, struct an_block_card *c, const double *v,
                        double *z)
{
    const size_t n = (size_t)(f->coarse.n * f->nv);
    double *means = calloc(n * n + 1, sizeof *means);
    AN_CHECK(means, AN_FAIL, "out of memory for the means of subdomains");
    int status = exchange_means(f, c, means);
    if (status == AN_OK)
        status = apply(c, v, z);
    if (status == AN_OK)
        status = exchange_means(f, c, means);
    free(means);
    return status;
}

int an_block_card_means(struct an_block_factor *f, struct an_block_card *c)
{
    const struct an_engine_ops *op = c->e->op;
    const size_t n = (size_t)(f->coarse.n * f->nv), bytes = n * n * sizeof(double);
    double *e = malloc(bytes + 8);
    AN_CHECK(e, AN_FAIL, "out of memory for the means of subdomains");
    int status = op->download(c->e, e, c->f.coarse, bytes, 0);
    if (status == AN_OK)
        status = op->sync(c->e, 0);
    if (status == AN_OK)
        status = an_block_coarse_invert(f->nv, e, &f->coarse);
    if (status == AN_OK)
        status = op->upload(c->e, c->f.coarse, f->coarse.inverse, bytes, 0);
    free(e);
    return status;
}

int an_block_card_turn(struct an_block_card *c, int transposed)
{
    if (c->a_transposed != transposed) {
        c->a_transposed = transposed;
        AN_TRY(c->e->sparse->turn(c->e, &c->a));
    }
    if (c->f.rows && c->f.transposed != transposed) {
        c->f.transposed = transposed;
        AN_TRY(c->e->sparse->turn_factor(c->e, &c->f));
    }
    return AN_OK;
}

int an_block_card_multiply(struct an_block_card *c, const double *x, double *y)
{
    const struct an_engine_ops *op = c->e->op;
    const size_t bytes = (size_t)(c->a.n * c->a.nv) * sizeof *x;
    void *p;
    AN_TRY(op->alloc(c->e, 2 * bytes + 8, &p));
    double *const from = p, *const to = from + c->a.n * c->a.nv;
    const double *const in = from;
    int status = op->upload(c->e, from, x, bytes, 0);
    if (status == AN_OK)
        status = c->e->sparse->multiply(c->e, &c->a, 1, &in, &to);
    if (status == AN_OK)
        status = op->download(c->e, y, to, bytes, 0);
    if (status == AN_OK)
        status = op->sync(c->e, 0);
    op->free(c->e, p);
    return status;
}
