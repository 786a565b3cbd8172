/* Incomplete factors of block matrices. */
#include "solver/adjoint/block_matrix.h"
#include "solver/adjoint/block_product.h"

#include "kernels/base/threads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Cells in the reverse order of a search in breadth from cells with few neighbours (Cuthill and McKee 1969), then the rows
 * of the tail, which are long: elimination joins all columns of a row. */
static void find_order(const struct an_lists *p, int64_t tail, struct an_block_factor *f)
{
    const int64_t cells = f->n - tail;
    int64_t done = 0, next = 0;
    for (int64_t n = 0; n < f->n; n++)
        f->place[n] = -1;
    for (int64_t seed = 0; seed < cells; seed++) {
        if (f->place[seed] >= 0)
            continue;
        f->place[seed] = 0;
        f->order[done++] = (int32_t)seed;
        for (; next < done; next++) {
            const int32_t c = f->order[next];
            for (int64_t m = p->first[c]; m < p->first[c + 1]; m++)
                if (p->list[m] < cells && f->place[p->list[m]] < 0) {
                    f->place[p->list[m]] = 0;
                    f->order[done++] = p->list[m];
                }
        }
    }
    for (int64_t n = 0; n < cells / 2; n++) {
        const int32_t c = f->order[n];
        f->order[n] = f->order[cells - 1 - n];
        f->order[cells - 1 - n] = c;
    }
    for (int64_t n = cells; n < f->n; n++)
        f->order[n] = (int32_t)n;
    for (int64_t n = 0; n < f->n; n++)
        f->place[f->order[n]] = (int32_t)n;
}

/* A row under way: its columns as a chain in ascending order, and their levels of fill. */
struct row {
    int32_t *next; /* [n + 1]; [n]: the first */
    int *level;    /* [n] */
};

static int compare(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The columns of row i of A as a chain. */
static void begin_row(const struct an_lists *p, const struct an_block_factor *f, int64_t i,
                      int32_t *sorted, struct row *r)
{
    const int32_t end = (int32_t)f->n, cell = f->order[i];
    const int64_t count = p->first[cell + 1] - p->first[cell];
    for (int64_t m = 0; m < count; m++)
        sorted[m] = f->place[p->list[p->first[cell] + m]];
    qsort(sorted, (size_t)count, sizeof *sorted, compare);
    int32_t last = end;
    for (int64_t m = 0; m < count; m++) {
        r->next[last] = sorted[m];
        r->level[sorted[m]] = 0;
        last = sorted[m];
    }
    r->next[last] = -1;
}

/* Adds the columns behind k of row k, whose levels are `levels`. */
static void merge(const struct an_block_factor *f, const int *levels, int32_t k, int fill,
                  struct row *r)
{
    int32_t at = k;
    for (int64_t m = f->diagonal[k] + 1; m < f->pattern.first[k + 1]; m++) {
        const int32_t j = f->pattern.list[m];
        const int level = r->level[k] + levels[m] + 1;
        if (level > fill)
            continue;
        while (r->next[at] >= 0 && r->next[at] < j)
            at = r->next[at];
        if (r->next[at] == j) {
            r->level[j] = level < r->level[j] ? level : r->level[j];
        } else {
            r->next[j] = r->next[at];
            r->next[at] = j;
            r->level[j] = level;
        }
    }
}

static int grow(struct an_lists *l, int **level, int64_t need, int64_t *room)
{
    if (need <= *room)
        return AN_OK;
    *room = need + need / 2;
    int32_t *list = realloc(l->list, (size_t)*room * sizeof *list);
    l->list = list ? list : l->list;
    int *more = realloc(*level, (size_t)*room * sizeof *more);
    *level = more ? more : *level;
    AN_CHECK(list && more, AN_FAIL, "out of memory for incomplete factors");
    return AN_OK;
}

/* The pattern of the factors. */
static int find_pattern(const struct an_lists *p, int fill, struct row *r, int32_t *sorted,
                        struct an_block_factor *f)
{
    int *levels = NULL, status = AN_OK;
    int64_t room = 0;
    f->pattern.n = f->n;
    f->pattern.first[0] = 0;
    for (int64_t i = 0; i < f->n && status == AN_OK; i++) {
        begin_row(p, f, i, sorted, r);
        int64_t count = 0;
        for (int32_t k = r->next[f->n]; k >= 0 && k < i; k = r->next[k])
            merge(f, levels, k, fill, r);
        for (int32_t k = r->next[f->n]; k >= 0; k = r->next[k])
            count++;
        int64_t at = f->pattern.first[i];
        status = grow(&f->pattern, &levels, at + count, &room);
        for (int32_t k = r->next[f->n]; k >= 0 && status == AN_OK; k = r->next[k]) {
            f->diagonal[i] = k == i ? at : f->diagonal[i];
            levels[at] = r->level[k];
            f->pattern.list[at++] = k;
        }
        f->pattern.first[i + 1] = at;
    }
    free(levels);
    return status;
}

static int plan(const struct an_lists *p, int fill, struct an_block_factor *f)
{
    const size_t n = (size_t)f->n + 1;
    int64_t widest = 1;
    for (int64_t i = 0; i < f->n; i++)
        widest = p->first[i + 1] - p->first[i] > widest ? p->first[i + 1] - p->first[i] : widest;
    struct row r = {malloc(n * sizeof *r.next), malloc(n * sizeof *r.level)};
    int32_t *sorted = malloc((size_t)widest * sizeof *sorted);
    int status = r.next && r.level && sorted
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for incomplete factors");
    if (status == AN_OK)
        status = find_pattern(p, fill, &r, sorted, f);
    free(r.next);
    free(r.level);
    free(sorted);
    return status;
}

/* Rows that can be found together, from those that `down` or `up` the rows of a factor read. */
static int find_steps(const struct an_block_factor *f, int up, struct an_lists *steps)
{
    struct an_lists one = {.n = f->n}; /* of each row its step */
    int32_t most = 0;
    one.list = malloc(((size_t)f->n + 1) * sizeof *one.list);
    one.first = malloc(((size_t)f->n + 1) * sizeof *one.first);
    int status = one.list && one.first
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for incomplete factors");
    for (int64_t n = 0; n < f->n && status == AN_OK; n++) {
        const int64_t i = up ? f->n - 1 - n : n;
        const int64_t from = up ? f->diagonal[i] + 1 : f->pattern.first[i],
                      to = up ? f->pattern.first[i + 1] : f->diagonal[i];
        int32_t step = 0;
        for (int64_t m = from; m < to; m++) {
            const int32_t before = one.list[f->pattern.list[m]];
            step = before >= step ? before + 1 : step;
        }
        one.list[i] = step;
        most = step >= most ? step + 1 : most;
    }
    for (int64_t n = 0; n <= f->n && status == AN_OK; n++)
        one.first[n] = n;
    if (status == AN_OK)
        status = an_lists_inverse(&one, most, steps);
    an_lists_free(&one);
    return status;
}

static int new_triangle(const struct an_block_factor *f, int up, struct an_triangle *t)
{
    const struct an_lists *steps = up ? &f->up : &f->down;
    int64_t count = 0;
    t->at = malloc(((size_t)f->n + 1) * sizeof *t->at);
    AN_CHECK(t->at, AN_FAIL, "out of memory for incomplete factors");
    for (int64_t m = 0; m < f->n; m++) {
        const int64_t i = steps->list[m];
        t->at[i] = count;
        count += up ? f->pattern.first[i + 1] - f->diagonal[i] - 1
                    : f->diagonal[i] - f->pattern.first[i];
    }
    t->list = malloc(((size_t)count + 1) * sizeof *t->list);
    t->value = malloc(((size_t)(count * f->nv * f->nv) + 1) * sizeof *t->value);
    AN_CHECK(t->list && t->value, AN_FAIL, "out of memory for incomplete factors (%.3g GB)",
             4e-9 * (double)(count * f->nv * f->nv));
    for (int64_t i = 0; i < f->n; i++) {
        const int64_t from = up ? f->diagonal[i] + 1 : f->pattern.first[i],
                      to = up ? f->pattern.first[i + 1] : f->diagonal[i];
        for (int64_t m = from; m < to; m++)
            t->list[t->at[i] + m - from] = f->pattern.list[m];
    }
    return AN_OK;
}

static void free_triangle(struct an_triangle *t)
{
    free(t->at);
    free(t->list);
    free(t->value);
}

int an_block_factor_new(const struct an_block_matrix *a, int fill, struct an_block_factor *f)
{
    const size_t n = (size_t)a->n + 1;
    *f = (struct an_block_factor){.nv = a->nv, .n = a->n};
    f->order = malloc(n * sizeof *f->order);
    f->place = malloc(n * sizeof *f->place);
    f->diagonal = malloc(n * sizeof *f->diagonal);
    f->pattern.first = malloc((n + 1) * sizeof *f->pattern.first);
    f->work = malloc(AN_MOST_TOGETHER * n * (size_t)f->nv * sizeof *f->work);
    AN_CHECK(f->order && f->place && f->diagonal && f->pattern.first && f->work, AN_FAIL,
             "out of memory for incomplete factors");
    find_order(a->pattern, a->tail, f);
    AN_TRY(plan(a->pattern, fill, f));
    AN_TRY(find_steps(f, 0, &f->down));
    AN_TRY(find_steps(f, 1, &f->up));
    AN_TRY(new_triangle(f, 0, &f->low));
    AN_TRY(new_triangle(f, 1, &f->high));
    f->pivot = malloc(n * (size_t)(f->nv * f->nv) * sizeof *f->pivot);
    AN_CHECK(f->pivot, AN_FAIL, "out of memory for incomplete factors");
    return AN_OK;
}

void an_block_factor_free(struct an_block_factor *f)
{
    free(f->order);
    free(f->place);
    free(f->diagonal);
    an_lists_free(&f->pattern);
    an_lists_free(&f->down);
    an_lists_free(&f->up);
    free_triangle(&f->low);
    free_triangle(&f->high);
    free(f->pivot);
    free(f->work);
    memset(f, 0, sizeof *f);
}

/* Threads that share the rows of a step, each of them at least eight rows, which take about ten microseconds: with fewer they would
 * wait for one another longer than they work. */
static int threads_of(const struct an_block_factor *f)
{
    return an_threads_of(f->n / (f->down.n + 1) / 8);
}

/* ---- elimination ---- */

/* Inverts a block in place, with pivots; 0: singular. */
static int invert(int nv, double *a)
{
    double w[AN_MOST_BLOCK][2 * AN_MOST_BLOCK] = {{0}};
    for (int r = 0; r < nv; r++) {
        memcpy(w[r], a + r * nv, (size_t)nv * sizeof *a);
        w[r][nv + r] = 1;
    }
    for (int c = 0; c < nv; c++) {
        int best = c;
        for (int r = c + 1; r < nv; r++)
            best = fabs(w[r][c]) > fabs(w[best][c]) ? r : best;
        if (!(fabs(w[best][c]) > 0) || !isfinite(w[best][c]))
            return 0;
        for (int m = 0; m < 2 * nv; m++) {
            const double x = w[c][m];
            w[c][m] = w[best][m];
            w[best][m] = x;
        }
        const double over = 1 / w[c][c];
        for (int m = 0; m < 2 * nv; m++)
            w[c][m] *= over;
        for (int r = 0; r < nv; r++) {
            const double x = w[r][c];
            for (int m = 0; m < 2 * nv && r != c; m++)
                w[r][m] -= x * w[c][m];
        }
    }
    for (int r = 0; r < nv; r++)
        memcpy(a + r * nv, w[r] + nv, (size_t)nv * sizeof *a);
    return 1;
}

/* What a thread needs for a row. */
struct elimination {
    int64_t *at; /* [n] place of a column in the row under way; -1: it has none */
    double *row; /* [longest row][nv][nv] */
};

/* Row i of A into the places of the factors. */
static void load(const struct an_block_matrix *a, const struct an_block_factor *f, int64_t i,
                 const struct elimination *e)
{
    const int64_t block = a->nv * a->nv, first = f->pattern.first[i],
                  last = f->pattern.first[i + 1];
    const int32_t cell = f->order[i];
    for (int64_t m = first; m < last; m++)
        e->at[f->pattern.list[m]] = m - first;
    memset(e->row, 0, (size_t)(block * (last - first)) * sizeof *e->row);
    for (int64_t m = a->pattern->first[cell]; m < a->pattern->first[cell + 1]; m++)
        memcpy(e->row + block * e->at[f->place[a->pattern->list[m]]], a->value + block * m,
               (size_t)block * sizeof *e->row);
}

AN_INLINE void eliminate_row(int nv, const struct an_block_factor *f, int64_t i,
                             const struct elimination *e)
{
    const int block = nv * nv;
    const struct an_lists *p = &f->pattern;
    for (int64_t m = p->first[i]; m < f->diagonal[i]; m++) {
        const int32_t k = p->list[m];
        double l[AN_MOST_BLOCK * AN_MOST_BLOCK], *own = e->row + block * (m - p->first[i]);
        const float *high = f->high.value + block * f->high.at[k];
        an_block_product(nv, own, f->pivot + block * (int64_t)k, l);
        memcpy(own, l, (size_t)block * sizeof *l);
        for (int64_t q = f->diagonal[k] + 1; q < p->first[k + 1]; q++, high += block)
            if (e->at[p->list[q]] >= 0)
                an_block_less_product(nv, l, high, e->row + block * e->at[p->list[q]]);
    }
}

static void keep(int64_t n, const double *from, float *to)
{
    for (int64_t m = 0; m < n; m++)
        to[m] = (float)from[m];
}

/* Row i of the factors; 0: singular. */
static int eliminate(const struct an_block_matrix *a, struct an_block_factor *f, int64_t i,
                     const struct elimination *e)
{
    const int64_t block = f->nv * f->nv, first = f->pattern.first[i],
                  last = f->pattern.first[i + 1];
    load(a, f, i, e);
    AN_BY_SIZE(f->nv, eliminate_row, f, i, e);
    for (int64_t m = first; m < last; m++)
        e->at[f->pattern.list[m]] = -1;
    double *pivot = e->row + block * (f->diagonal[i] - first);
    const int good = invert(f->nv, pivot);
    keep(block * (f->diagonal[i] - first), e->row, f->low.value + block * f->low.at[i]);
    keep(block, pivot, f->pivot + block * i);
    keep(block * (last - f->diagonal[i] - 1), pivot + block, f->high.value + block * f->high.at[i]);
    return good;
}

static int64_t longest_row(const struct an_lists *p)
{
    int64_t longest = 0;
    for (int64_t i = 0; i < p->n; i++)
        longest = p->first[i + 1] - p->first[i] > longest ? p->first[i + 1] - p->first[i] : longest;
    return longest;
}

int an_block_factor_fill(struct an_block_matrix *a, struct an_block_factor *f)
{
    const size_t row = (size_t)(longest_row(&f->pattern) * f->nv * f->nv) + 1;
    int32_t singular = -1;
    int short_of = 0;
    an_block_matrix_turn(a, 0);
    f->transposed = 0;
#pragma omp parallel num_threads(threads_of(f)) reduction(max : singular, short_of)
    {
        struct elimination e = {malloc(((size_t)f->n + 1) * sizeof *e.at),
                                malloc(row * sizeof *e.row)};
        short_of = !e.at || !e.row;
        for (int64_t n = 0; n < f->n && !short_of; n++)
            e.at[n] = -1;
        for (int64_t step = 0; step < f->down.n; step++) {
#pragma omp for schedule(static)
            for (int64_t m = f->down.first[step]; m < f->down.first[step + 1]; m++) {
                const int32_t i = f->down.list[m];
                if (!short_of && !eliminate(a, f, i, &e))
                    singular = f->order[i] > singular ? f->order[i] : singular;
            }
        }
        free(e.at);
        free(e.row);
    }
    AN_CHECK(!short_of, AN_FAIL, "out of memory for incomplete factors");
    AN_CHECK(singular < 0, AN_DIVERGED,
             "the linearised residual of cell %d of this rank is singular", singular);
    return AN_OK;
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

/* The block of row i and column j of L, j < i. */
static float *low_block(const struct an_block_factor *f, int64_t i, int64_t j)
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
    return f->low.value + f->nv * f->nv * (f->low.at[i] + first - p->first[i]);
}

/* The pattern of incomplete factors is symmetric, since that of A is. */
static void turn(struct an_block_factor *f, int transposed)
{
    const struct an_lists *p = &f->pattern;
    const int64_t block = f->nv * f->nv;
    if (f->transposed == transposed)
        return;
    f->transposed = transposed;
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < f->n; i++) {
        float *high = f->high.value + block * f->high.at[i], *pivot = f->pivot + block * i;
        exchange(f->nv, pivot, pivot);
        for (int64_t m = f->diagonal[i] + 1; m < p->first[i + 1]; m++, high += block)
            exchange(f->nv, high, low_block(f, p->list[m], i));
    }
}

/* Row i of one triangle: its `count` blocks come off the right-hand sides y, in their place, and what is left is
 * multiplied by the inverse pivot where `pivot` says so. */
AN_INLINE void solve_row(int nv, int n, const struct an_block_factor *f,
                         const struct an_triangle *t, int64_t count, int64_t i, int pivot,
                         double *const *y)
{
    const int64_t block = nv * nv;
    const int32_t *list = t->list + t->at[i];
    const float *value = t->value + block * t->at[i];
    double sum[AN_MOST_TOGETHER][AN_MOST_BLOCK], wide[AN_MOST_BLOCK * AN_MOST_BLOCK];
    for (int s = 0; s < n; s++)
        memcpy(sum[s], y[s] + nv * i, (size_t)nv * sizeof *sum[s]);
    for (int64_t m = 0; m < count; m++) {
        an_block_widen(nv, value + block * m, wide);
        for (int s = 0; s < n; s++)
            an_block_less(nv, wide, y[s] + nv * (int64_t)list[m], sum[s]);
    }
    an_block_widen(nv, f->pivot + block * i, wide);
    for (int s = 0; s < n; s++) {
        double x[AN_MOST_BLOCK] = {0};
        if (pivot)
            an_block_add(nv, wide, sum[s], x);
        memcpy(y[s] + nv * i, pivot ? x : sum[s], (size_t)nv * sizeof *x);
    }
}

/* All rows, by a team of threads. */
AN_INLINE void substitute(int nv, int n, const struct an_block_factor *f, double *const *y)
{
    for (int64_t step = 0; step < f->down.n; step++) {
#pragma omp for schedule(static)
        for (int64_t m = f->down.first[step]; m < f->down.first[step + 1]; m++) {
            const int64_t i = f->down.list[m];
            solve_row(nv, n, f, &f->low, f->diagonal[i] - f->pattern.first[i], i, f->transposed, y);
        }
    }
    for (int64_t step = 0; step < f->up.n; step++) {
#pragma omp for schedule(static)
        for (int64_t m = f->up.first[step]; m < f->up.first[step + 1]; m++) {
            const int64_t i = f->up.list[m];
            solve_row(nv, n, f, &f->high, f->pattern.first[i + 1] - f->diagonal[i] - 1, i,
                      !f->transposed, y);
        }
    }
}

void an_block_solve(struct an_block_factor *f, int transposed, int n, const double *const *b,
                    double *const *x)
{
    const size_t bytes = (size_t)f->nv * sizeof **x;
    double *y[AN_MOST_TOGETHER];
    turn(f, transposed);
    for (int s = 0; s < n; s++)
        y[s] = f->work + s * f->n * f->nv;
#pragma omp parallel num_threads(threads_of(f))
    {
#pragma omp for schedule(static)
        for (int64_t i = 0; i < f->n; i++)
            for (int s = 0; s < n; s++)
                memcpy(y[s] + f->nv * i, b[s] + f->nv * (int64_t)f->order[i], bytes);
        AN_BY_SIZES(f->nv, n, substitute, f, y);
#pragma omp for schedule(static)
        for (int64_t i = 0; i < f->n; i++)
            for (int s = 0; s < n; s++)
                memcpy(x[s] + f->nv * (int64_t)f->order[i], y[s] + f->nv * i, bytes);
    }
}
