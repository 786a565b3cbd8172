/* Incomplete factors of the subdomains of block matrices. */
#include "mpi/reduce.h"
#include "solver/adjoint/block_card.h"
#include "solver/adjoint/block_product.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* ---- subdomains ---- */

/* Room of a thread or of the set-up, [n] each. */
struct room {
    int32_t *place; /* of a cell in the subdomain under way; -1: it is no part of it */
    int32_t *set;
};

static int new_room(int64_t n, struct room *r)
{
    r->place = malloc(((size_t)n + 1) * sizeof *r->place);
    r->set = malloc(((size_t)n + 1) * sizeof *r->set);
    for (int64_t m = 0; m < n && r->place; m++)
        r->place[m] = -1;
    return r->place && r->set;
}

static void free_room(struct room *r)
{
    free(r->place);
    free(r->set);
}

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The cells of subdomain p with those that they are coupled to strongly, into r->set; place: -2. */
static int64_t collect(const struct an_lists *members, const struct an_lists *strong, int p,
                       const struct room *r)
{
    int64_t n = 0;
    for (int64_t m = members->first[p]; m < members->first[p + 1]; m++) {
        r->place[members->list[m]] = -2;
        r->set[n++] = members->list[m];
    }
    for (int64_t m = members->first[p]; m < members->first[p + 1]; m++) {
        const int32_t c = members->list[m];
        for (int64_t q = strong->first[c]; q < strong->first[c + 1]; q++)
            if (r->place[strong->list[q]] == -1) {
                r->place[strong->list[q]] = -2;
                r->set[n++] = strong->list[q];
            }
    }
    qsort(r->set, (size_t)n, sizeof *r->set, compare);
    return n;
}

/* The reverse order of a search in breadth (Cuthill and McKee 1969); place: -1 again. */
static void sort_cells(const struct an_lists *p, int64_t n, const struct room *r, int32_t *to)
{
    int64_t done = 0, next = 0;
    for (int64_t seed = 0; seed < n; seed++) {
        if (r->place[r->set[seed]] == -1)
            continue;
        r->place[r->set[seed]] = -1;
        to[done++] = r->set[seed];
        for (; next < done; next++)
            for (int64_t m = p->first[to[next]]; m < p->first[to[next] + 1]; m++)
                if (r->place[p->list[m]] == -2) {
                    r->place[p->list[m]] = -1;
                    to[done++] = p->list[m];
                }
    }
    for (int64_t m = 0; m < n / 2; m++) {
        const int32_t c = to[m];
        to[m] = to[n - 1 - m];
        to[n - 1 - m] = c;
    }
}

/* Rows of all subdomains. */
static int find_rows(const struct an_block_matrix *a, const struct an_lists *strong,
                     struct an_block_factor *f)
{
    struct an_lists one = {.n = f->cells, .list = f->part}, members = {0};
    struct room r;
    int64_t room = 2 * f->cells;
    int status =
        new_room(f->columns, &r) ? AN_OK : an_error_set(AN_FAIL, "out of memory for subdomains");
    one.first = malloc(((size_t)f->cells + 1) * sizeof *one.first);
    f->cell = malloc(((size_t)room + 1) * sizeof *f->cell);
    if (!one.first || !f->cell)
        status = an_error_set(AN_FAIL, "out of memory for subdomains");
    for (int64_t c = 0; c <= f->cells && status == AN_OK; c++)
        one.first[c] = c;
    if (status == AN_OK)
        status = an_lists_inverse(&one, f->nparts, &members);
    for (int p = 0; p < f->nparts && status == AN_OK; p++) {
        const int64_t n = collect(&members, strong, p, &r);
        f->first[p] = f->rows;
        if (f->rows + n > room) {
            room = 2 * room + n;
            int32_t *more = realloc(f->cell, (size_t)room * sizeof *more);
            f->cell = more ? more : f->cell;
            status = more ? AN_OK : an_error_set(AN_FAIL, "out of memory for subdomains");
        }
        if (status == AN_OK)
            sort_cells(a->pattern, n, &r, f->cell + f->rows);
        f->rows += n;
    }
    f->first[f->nparts] = f->rows;
    free_room(&r);
    free(one.first);
    an_lists_free(&members);
    return status;
}

/* Places of the cells of subdomain p; with `clear` none. */
static void set_places(const struct an_block_factor *f, int p, int clear, const struct room *r)
{
    for (int64_t i = f->first[p]; i < f->first[p + 1]; i++)
        r->place[f->cell[i]] = clear ? -1 : (int32_t)i;
}

/* A's pattern and the shares of its blocks in their rows' diagonal blocks. */
struct shares {
    const struct an_lists *pattern;
    const int64_t *mirror;
    const float *share;
};

/* Appends the columns of row i that its elimination fills, behind the n that are there in r->set; returns their number. Row k gives
 * A_ik A_kk^-1 A_kj to the block of column j. Fill of the first level (Saad 2003, section 10.3.3) is kept where that may be more
 * than a ten-thousandth of A_ii, here or in the transposed row, since the pattern is symmetric. */
static int64_t add_fill(const struct shares *a, const struct an_block_factor *f, int64_t i,
                        int64_t n, const struct room *r)
{
    const float least = 1e-4F;
    const struct an_lists *p = a->pattern;
    const int32_t c = f->cell[i];
    for (int64_t m = p->first[c]; m < p->first[c + 1]; m++) {
        const int32_t k = r->place[p->list[m]];
        if (k < 0 || k >= i)
            continue;
        for (int64_t q = p->first[p->list[m]]; q < p->first[p->list[m] + 1]; q++) {
            const int32_t j = r->place[p->list[q]];
            if (j <= k || (a->share[m] * a->share[q] < least &&
                           a->share[a->mirror[m]] * a->share[a->mirror[q]] < least))
                continue;
            int64_t at = 0;
            while (at < n && r->set[at] != j)
                at++;
            r->set[at] = j;
            n += at == n;
        }
    }
    return n;
}

/* Columns of the rows of subdomain p into the list, or only their numbers into first. */
static void find_columns(const struct shares *s, struct an_block_factor *f, int p, int count,
                         const struct room *r)
{
    const struct an_lists *a = s->pattern;
    struct an_lists *to = &f->pattern;
    set_places(f, p, 0, r);
    for (int64_t i = f->first[p]; i < f->first[p + 1]; i++) {
        const int32_t c = f->cell[i];
        int64_t n = 0;
        for (int64_t m = a->first[c]; m < a->first[c + 1]; m++)
            if (r->place[a->list[m]] >= 0)
                r->set[n++] = r->place[a->list[m]];
        n = add_fill(s, f, i, n, r);
        if (count) {
            to->first[i + 1] = n;
            continue;
        }
        qsort(r->set, (size_t)n, sizeof *r->set, compare);
        for (int64_t m = 0; m < n; m++) {
            to->list[to->first[i] + m] = r->set[m];
            f->diagonal[i] = r->set[m] == i ? to->first[i] + m : f->diagonal[i];
        }
    }
    set_places(f, p, 1, r);
}

static int find_pattern(const struct shares *a, struct an_block_factor *f)
{
    int short_of = 0;
    f->pattern.n = f->rows;
    f->pattern.first = malloc(((size_t)f->rows + 1) * sizeof *f->pattern.first);
    f->diagonal = malloc(((size_t)f->rows + 1) * sizeof *f->diagonal);
    AN_CHECK(f->pattern.first && f->diagonal, AN_FAIL, "out of memory for incomplete factors");
    f->pattern.first[0] = 0;
    for (int pass = 0; pass < 2 && !short_of; pass++) {
#pragma omp parallel reduction(max : short_of)
        {
            struct room r;
            short_of = !new_room(f->columns, &r);
#pragma omp for schedule(dynamic)
            for (int p = 0; p < f->nparts; p++)
                if (!short_of)
                    find_columns(a, f, p, !pass, &r);
            free_room(&r);
        }
        if (pass || short_of)
            continue;
        for (int64_t i = 0; i < f->rows; i++)
            f->pattern.first[i + 1] += f->pattern.first[i];
        f->pattern.list = malloc(((size_t)f->pattern.first[f->rows] + 1) * sizeof *f->pattern.list);
        short_of = !f->pattern.list;
    }
    AN_CHECK(!short_of, AN_FAIL, "out of memory for incomplete factors");
    return AN_OK;
}

/* The root of the sum of squares of each block. */
static int find_sizes(const struct an_block_matrix *a, float *size)
{
    const int64_t block = a->nv * a->nv, all = a->pattern->first[a->n];
    if (a->card)
        return an_block_card_sizes(a->card, size);
#pragma omp parallel for schedule(static)
    for (int64_t m = 0; m < all; m++) {
        double sum = 0;
        for (int64_t k = 0; k < block; k++)
            sum += a->value[block * m + k] * a->value[block * m + k];
        size[m] = (float)sqrt(sum);
    }
    return AN_OK;
}

/* share[blocks]: what an_block_strong makes of sizes. */
static int find_parts(const struct an_block_matrix *a, int64_t most, float *share,
                      struct an_block_factor *f)
{
    struct an_lists strong = {0};
    float *weight = NULL;
    int status = find_sizes(a, share);
    if (status == AN_OK)
        status = an_block_strong(a, share, &strong, &weight);
    if (status == AN_OK)
        status = an_block_parts(&strong, weight, most, f->part, &f->nparts);
    f->first = malloc(((size_t)f->nparts + 1) * sizeof *f->first);
    if (status == AN_OK && !f->first)
        status = an_error_set(AN_FAIL, "out of memory for subdomains");
    if (status == AN_OK)
        status = find_rows(a, &strong, f);
    an_lists_free(&strong);
    free(weight);
    return status;
}

/* Subdomains and the pattern of their factors. */
static int find_structure(const struct an_block_matrix *a, int64_t most, struct an_block_factor *f)
{
    float *share = malloc(((size_t)a->pattern->first[a->n] + 1) * sizeof *share);
    const struct shares shares = {a->pattern, a->mirror, share};
    int status = share ? find_parts(a, most, share, f)
                       : an_error_set(AN_FAIL, "out of memory for subdomains");
    if (status == AN_OK)
        status = find_pattern(&shares, f);
    free(share);
    return status;
}

/* What a rank finds by itself. */
static int new_parts(const struct an_block_matrix *a, int64_t most, struct an_block_factor *f)
{
    f->part = malloc(((size_t)f->cells + 1) * sizeof *f->part);
    AN_CHECK(f->part, AN_FAIL, "out of memory for subdomains");
    AN_TRY(find_structure(a, most, f));
    f->shift = malloc(((size_t)f->nparts + 1) * sizeof *f->shift);
    f->growth = malloc(((size_t)f->nparts + 1) * sizeof *f->growth);
    f->again = malloc(((size_t)f->nparts + 1) * sizeof *f->again);
    f->singular = malloc(((size_t)f->nparts + 1) * sizeof *f->singular);
    AN_CHECK(f->shift && f->growth && f->again && f->singular, AN_FAIL,
             "out of memory for incomplete factors");
    if (a->card)
        return AN_OK;
    const size_t block = (size_t)(f->nv * f->nv), all = (size_t)f->pattern.first[f->rows];
    f->value = malloc((all * block + 1) * sizeof *f->value);
    f->pivot = malloc(((size_t)f->rows * block + 1) * sizeof *f->pivot);
    f->work = malloc((AN_MOST_TOGETHER * (size_t)(f->rows * f->nv) + 1) * sizeof *f->work);
    AN_CHECK(f->value && f->pivot && f->work, AN_FAIL,
             "out of memory for incomplete factors (%.3g GB)", 4e-9 * (double)(all * block));
    return AN_OK;
}

int an_block_factor_new(const struct an_block_matrix *a, int64_t most, struct an_block_factor *f)
{
    *f = (struct an_block_factor){.nv = a->nv, .n = a->n, .cells = a->n - a->tail, .columns = a->n};
    if (a->cells) {
        f->ranks = &a->cells->ranks;
        f->columns += f->ranks->nforeign;
    }
    const int status = new_parts(a, most, f);
    AN_TRY(f->ranks ? an_ranks_agree(f->ranks, status) : status);
    AN_TRY(an_block_coarse_new(a, f->part, f->nparts, &f->coarse));
    return a->card ? an_block_card_factor_new(f, a->card) : AN_OK;
}

void an_block_factor_free(struct an_block_factor *f)
{
    free(f->part);
    free(f->first);
    free(f->cell);
    an_lists_free(&f->pattern);
    free(f->diagonal);
    free(f->shift);
    free(f->growth);
    free(f->again);
    free(f->singular);
    free(f->value);
    free(f->pivot);
    free(f->work);
    an_block_coarse_free(&f->coarse);
    memset(f, 0, sizeof *f);
}

double an_block_factor_bytes(const struct an_block_factor *f)
{
    const double block = 4.0 * f->nv * f->nv, vector = 8.0 * f->nv;
    const struct an_block_coarse *c = &f->coarse;
    return (double)f->pattern.first[f->rows] * (block + 4) +
           (double)f->rows * (block + AN_MOST_TOGETHER * vector + 20) +
           (double)c->pattern.first[c->pattern.n] * (2 * block + 4) +
           vector * vector / 8 * (double)(c->n * c->n);
}

/* Threads that share the subdomains. */
static int threads_of(const struct an_block_factor *f)
{
    const int all = omp_get_max_threads();
    return f->nparts < 1 ? 1 : f->nparts < all ? f->nparts : all;
}

/* ---- elimination ---- */

/* What a thread needs for a row. */
struct elimination {
    struct room room;
    int64_t *at; /* [rows] place of a column in the row under way; -1: it has none */
    double *row; /* [longest row][nv][nv] */
};

/* Row i of A into the places of the factors; its diagonal block is taken `by` times. */
static void load(const struct an_block_matrix *a, const struct an_block_factor *f, int64_t i,
                 double by, const struct elimination *e)
{
    const int64_t block = a->nv * a->nv, first = f->pattern.first[i],
                  last = f->pattern.first[i + 1];
    const int32_t cell = f->cell[i];
    for (int64_t m = first; m < last; m++)
        e->at[f->pattern.list[m]] = m - first;
    memset(e->row, 0, (size_t)((last - first) * block) * sizeof *e->row);
    for (int64_t m = a->pattern->first[cell]; m < a->pattern->first[cell + 1]; m++) {
        const int32_t place = e->room.place[a->pattern->list[m]];
        if (place >= 0)
            memcpy(e->row + block * e->at[place], a->value + block * m,
                   (size_t)block * sizeof *e->row);
    }
    for (int64_t k = 0; k < block; k++)
        e->row[block * (f->diagonal[i] - first) + k] *= by;
}

AN_INLINE void eliminate_row(int nv, const struct an_block_factor *f, int64_t i,
                             const struct elimination *e)
{
    const int block = nv * nv;
    const struct an_lists *p = &f->pattern;
    for (int64_t m = p->first[i]; m < f->diagonal[i]; m++) {
        const int32_t k = p->list[m];
        double l[AN_MOST_BLOCK * AN_MOST_BLOCK], *own = e->row + block * (m - p->first[i]);
        an_block_product(nv, own, f->pivot + block * (int64_t)k, l);
        memcpy(own, l, (size_t)block * sizeof *l);
        for (int64_t q = f->diagonal[k] + 1; q < p->first[k + 1]; q++)
            if (e->at[p->list[q]] >= 0)
                an_block_less_product(nv, l, f->value + block * q,
                                      e->row + block * e->at[p->list[q]]);
    }
}

static void keep(int64_t n, const double *from, float *to)
{
    for (int64_t m = 0; m < n; m++)
        to[m] = (float)from[m];
}

/* Row i of the factors; 0: singular. */
static int eliminate(const struct an_block_matrix *a, struct an_block_factor *f, int64_t i,
                     double by, const struct elimination *e)
{
    const int64_t block = f->nv * f->nv, first = f->pattern.first[i],
                  last = f->pattern.first[i + 1];
    load(a, f, i, by, e);
    AN_BY_SIZE(f->nv, eliminate_row, f, i, e);
    for (int64_t m = first; m < last; m++)
        e->at[f->pattern.list[m]] = -1;
    double *pivot = e->row + block * (f->diagonal[i] - first);
    const int good = an_block_invert(f->nv, pivot);
    keep(block * (last - first), e->row, f->value + block * first);
    keep(block, pivot, f->pivot + block * i);
    return good;
}

int an_block_eliminate(struct an_block_matrix *a, struct an_block_factor *f)
{
    const size_t row = (size_t)(an_lists_longest(&f->pattern) * f->nv * f->nv) + 1;
    int short_of = 0;
    if (a->card)
        return an_block_card_eliminate(f, a->card);
    AN_TRY(an_block_matrix_turn(a, 0));
#pragma omp parallel num_threads(threads_of(f)) reduction(max : short_of)
    {
        struct elimination e = {.at = malloc(((size_t)f->rows + 1) * sizeof *e.at),
                                .row = malloc(row * sizeof *e.row)};
        short_of = !new_room(f->columns, &e.room) || !e.at || !e.row;
        for (int64_t n = 0; n < f->rows && !short_of; n++)
            e.at[n] = -1;
#pragma omp for schedule(dynamic)
        for (int p = 0; p < f->nparts; p++) {
            if (short_of || !f->again[p])
                continue;
            set_places(f, p, 0, &e.room);
            for (int64_t i = f->first[p]; i < f->first[p + 1]; i++)
                if (!eliminate(a, f, i, 1 + f->shift[p], &e))
                    f->singular[p] = f->cell[i];
            set_places(f, p, 1, &e.room);
        }
        free_room(&e.room);
        free(e.at);
        free(e.row);
    }
    return short_of ? an_error_set(AN_FAIL, "out of memory for incomplete factors") : AN_OK;
}

/* ---- solution ---- */

/* Exchanges two blocks, and transposes both. */
static void exchange(int nv, float *a, float *b)
{
    for (int r = 0; r < nv; r++)
        for (int c = 0; c < nv; c++) {
            const float x = a[c * nv + r];
            if (a == b && c <= r)
                continue;
            a[c * nv + r] = b[r * nv + c];
            b[r * nv + c] = x;
        }
}

/* The place of row i and column j of L, j < i. */
static int64_t low_place(const struct an_block_factor *f, int64_t i, int64_t j)
{
    const struct an_lists *p = &f->pattern;
    int64_t first = p->first[i], last = f->diagonal[i];
    while (first < last) {
        const int64_t middle = (first + last) / 2;
        if (p->list[middle] < j)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* The pattern of the factors is symmetric, since that of A is and fill comes by pairs. */
static void turn(struct an_block_factor *f, int transposed)
{
    const struct an_lists *p = &f->pattern;
    const int64_t block = f->nv * f->nv;
    if (f->transposed == transposed)
        return;
    f->transposed = transposed;
    an_block_coarse_turn(f->nv, &f->coarse);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < f->rows; i++) {
        exchange(f->nv, f->pivot + block * i, f->pivot + block * i);
        for (int64_t m = f->diagonal[i] + 1; m < p->first[i + 1]; m++)
            exchange(f->nv, f->value + block * m, f->value + block * low_place(f, p->list[m], i));
    }
}

/* Row i of a triangle, blocks from `from` to `to`: they come off the right-hand sides y, in their place, and what is left is
 * multiplied by the inverse pivot where `pivot` says so. */
AN_INLINE void solve_row(int nv, int n, const struct an_block_factor *f, int64_t from, int64_t to,
                         int64_t i, int pivot, double *const *y)
{
    const int64_t block = nv * nv;
    double sum[AN_MOST_TOGETHER][AN_MOST_BLOCK], wide[AN_MOST_BLOCK * AN_MOST_BLOCK];
    for (int s = 0; s < n; s++)
        memcpy(sum[s], y[s] + nv * i, (size_t)nv * sizeof *sum[s]);
    for (int64_t m = from; m < to; m++) {
        an_block_widen(nv, f->value + block * m, wide);
        for (int s = 0; s < n; s++)
            an_block_less(nv, wide, y[s] + nv * (int64_t)f->pattern.list[m], sum[s]);
    }
    an_block_widen(nv, f->pivot + block * i, wide);
    for (int s = 0; s < n; s++) {
        double x[AN_MOST_BLOCK] = {0};
        if (pivot)
            an_block_add(nv, wide, sum[s], x);
        memcpy(y[s] + nv * i, pivot ? x : sum[s], (size_t)nv * sizeof *x);
    }
}

/* Sums of the right-hand sides over the cells that subdomain p owns. */
static void add_up(const struct an_block_factor *f, int p, int n, const double *const *b)
{
    const int nv = f->nv;
    for (int s = 0; s < n; s++) {
        double *to = f->coarse.sum + (s * f->coarse.n + f->coarse.own + p) * nv;
        memset(to, 0, (size_t)nv * sizeof *to);
        for (int64_t i = f->first[p]; i < f->first[p + 1]; i++)
            for (int v = 0; v < nv && f->part[f->cell[i]] == p; v++)
                to[v] += b[s][nv * (int64_t)f->cell[i] + v];
    }
}

/* Means of groups from sums, row m of the inverse. */
static void find_mean(const struct an_block_factor *f, int64_t m, int n)
{
    const struct an_block_coarse *c = &f->coarse;
    const int64_t all = c->n * f->nv;
    for (int s = 0; s < n && (!c->needed || c->needed[m / f->nv]); s++) {
        const double *sum = c->sum + s * all;
        double x = 0;
        for (int64_t k = 0; k < all && !c->rests; k++)
            x += c->inverse[m * all + k] * sum[k];
        c->sum[(AN_MOST_TOGETHER + s) * all + m] = x;
    }
}

/* What the correction leaves of the right-hand sides of row i. */
AN_INLINE void take_mean(int nv, int n, const struct an_block_factor *f, int64_t i,
                         const double *const *b, double *const *y)
{
    const struct an_block_coarse *c = &f->coarse;
    const int32_t cell = f->cell[i];
    double wide[AN_MOST_BLOCK * AN_MOST_BLOCK];
    for (int s = 0; s < n; s++)
        memcpy(y[s] + nv * i, b[s] + nv * (int64_t)cell, (size_t)nv * sizeof **y);
    for (int64_t m = c->pattern.first[cell]; m < c->pattern.first[cell + 1] && !c->rests; m++) {
        an_block_widen(nv, c->value[f->transposed] + nv * nv * m, wide);
        for (int s = 0; s < n; s++)
            an_block_less(nv, wide,
                          c->sum + ((AN_MOST_TOGETHER + s) * c->n + c->pattern.list[m]) * nv,
                          y[s] + nv * i);
    }
}

AN_INLINE void substitute(int nv, int n, const struct an_block_factor *f, int p,
                          const double *const *b, double *const *y)
{
    const struct an_lists *q = &f->pattern;
    for (int64_t i = f->first[p]; i < f->first[p + 1]; i++)
        take_mean(nv, n, f, i, b, y);
    for (int64_t i = f->first[p]; i < f->first[p + 1]; i++)
        solve_row(nv, n, f, q->first[i], f->diagonal[i], i, f->transposed, y);
    for (int64_t i = f->first[p + 1] - 1; i >= f->first[p]; i--)
        solve_row(nv, n, f, f->diagonal[i] + 1, q->first[i + 1], i, !f->transposed, y);
}

/* The solutions of the cells that subdomain p owns. */
static void give(const struct an_block_factor *f, int p, int n, double *const *y, double *const *x)
{
    const int nv = f->nv;
    for (int s = 0; s < n; s++) {
        const double *mean =
            f->coarse.sum + ((AN_MOST_TOGETHER + s) * f->coarse.n + f->coarse.own + p) * nv;
        for (int64_t i = f->first[p]; i < f->first[p + 1]; i++)
            for (int v = 0; v < nv && f->part[f->cell[i]] == p; v++)
                x[s][nv * (int64_t)f->cell[i] + v] = mean[v] + y[s][nv * i + v];
    }
}

/* Sums of the subdomains of all ranks: each rank has those of its own, zeros elsewhere, and all have those of the tail. */
static int join_sums(const struct an_block_factor *f, int n)
{
    const struct an_block_coarse *c = &f->coarse;
    const int64_t groups = (c->n - c->tail) * f->nv, own = c->own * f->nv,
                  some = (int64_t)f->nparts * f->nv;
    for (int s = 0; s < n && f->ranks; s++) {
        double *sum = c->sum + s * c->n * f->nv;
        memset(sum, 0, (size_t)own * sizeof *sum);
        memset(sum + own + some, 0, (size_t)(groups - own - some) * sizeof *sum);
        AN_MPI(MPI_Allreduce(MPI_IN_PLACE, sum, (int)groups, MPI_DOUBLE, MPI_SUM, f->ranks->comm));
    }
    return AN_OK;
}

int an_block_solve(struct an_block_factor *f, int transposed, int n, const double *const *b,
                   double *const *x)
{
    const int nv = f->nv;
    const struct an_block_coarse *c = &f->coarse;
    const size_t tail = (size_t)((f->n - f->cells) * nv) * sizeof **x;
    double *y[AN_MOST_TOGETHER];
    turn(f, transposed);
    for (int s = 0; s < n; s++) {
        y[s] = f->work + s * f->rows * nv;
        if (tail)
            memcpy(c->sum + (s * c->n + c->n - c->tail) * nv, b[s] + f->cells * nv, tail);
    }
#pragma omp parallel for schedule(dynamic) num_threads(threads_of(f))
    for (int p = 0; p < f->nparts; p++)
        add_up(f, p, n, b);
    AN_TRY(join_sums(f, n));
#pragma omp parallel num_threads(threads_of(f))
    {
#pragma omp for schedule(static)
        for (int64_t m = 0; m < c->n * nv; m++)
            find_mean(f, m, n);
#pragma omp for schedule(dynamic)
        for (int p = 0; p < f->nparts; p++)
            AN_BY_SIZES(nv, n, substitute, f, p, b, y);
#pragma omp for schedule(dynamic)
        for (int p = 0; p < f->nparts; p++)
            give(f, p, n, y, x);
    }
    for (int s = 0; s < n && tail; s++)
        memcpy(x[s] + f->cells * nv, c->sum + ((AN_MOST_TOGETHER + s) * c->n + c->n - c->tail) * nv,
               tail);
    return AN_OK;
}
