/* Incomplete factors of block matrices. */
#include "solver/adjoint/block_matrix.h"
#include "solver/adjoint/block_product.h"

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
        while (r->next[at] >= 0 && r->next[at] < j)
            at = r->next[at];
        if (r->next[at] == j) {
            r->level[j] = level < r->level[j] ? level : r->level[j];
        } else if (level <= fill) {
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

/* c = a b */
static inline void product(int nv, const double *a, const double *b, double *c)
{
    for (int r = 0; r < nv; r++)
        for (int s = 0; s < nv; s++) {
            double sum = 0;
            for (int m = 0; m < nv; m++)
                sum += a[r * nv + m] * b[m * nv + s];
            c[r * nv + s] = sum;
        }
}

/* Row i of the factors, whose numbers are those of A; at[n]: -1 everywhere. */
static int eliminate(struct an_block_factor *f, int64_t i, int64_t *at)
{
    const int nv = f->nv, block = nv * nv;
    const struct an_lists *p = &f->pattern;
    for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
        at[p->list[m]] = m;
    for (int64_t m = p->first[i]; m < f->diagonal[i]; m++) {
        const int32_t k = p->list[m];
        double l[AN_MOST_BLOCK * AN_MOST_BLOCK], c[AN_MOST_BLOCK * AN_MOST_BLOCK];
        product(nv, f->value + block * m, f->value + block * f->diagonal[k], l);
        memcpy(f->value + block * m, l, (size_t)block * sizeof *l);
        for (int64_t q = f->diagonal[k] + 1; q < p->first[k + 1]; q++) {
            const int64_t to = at[p->list[q]];
            if (to < 0)
                continue;
            product(nv, l, f->value + block * q, c);
            for (int v = 0; v < block; v++)
                f->value[block * to + v] -= c[v];
        }
    }
    for (int64_t m = p->first[i]; m < p->first[i + 1]; m++)
        at[p->list[m]] = -1;
    AN_CHECK(invert(nv, f->value + block * f->diagonal[i]), AN_DIVERGED,
             "the linearised residual of cell %d of this rank is singular", f->order[i]);
    return AN_OK;
}

/* The numbers of A into the places of the factors. */
static void load(const struct an_block_matrix *a, struct an_block_factor *f, int64_t *at)
{
    const size_t block = (size_t)(a->nv * a->nv);
    for (int64_t i = 0; i < f->n; i++) {
        const int32_t cell = f->order[i];
        for (int64_t m = f->pattern.first[i]; m < f->pattern.first[i + 1]; m++)
            at[f->pattern.list[m]] = m;
        for (int64_t m = a->pattern->first[cell]; m < a->pattern->first[cell + 1]; m++)
            memcpy(f->value + block * (size_t)at[f->place[a->pattern->list[m]]],
                   a->value + block * (size_t)m, block * sizeof *a->value);
        for (int64_t m = f->pattern.first[i]; m < f->pattern.first[i + 1]; m++)
            at[f->pattern.list[m]] = -1;
    }
}

int an_block_factor_new(const struct an_block_matrix *a, int fill, struct an_block_factor *f)
{
    const size_t n = (size_t)a->n + 1;
    *f = (struct an_block_factor){.nv = a->nv, .n = a->n};
    f->order = malloc(n * sizeof *f->order);
    f->place = malloc(n * sizeof *f->place);
    f->diagonal = malloc(n * sizeof *f->diagonal);
    f->pattern.first = malloc((n + 1) * sizeof *f->pattern.first);
    f->work = malloc(n * (size_t)f->nv * sizeof *f->work);
    int64_t *at = malloc(n * sizeof *at);
    int status = f->order && f->place && f->diagonal && f->pattern.first && f->work && at
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for incomplete factors");
    if (status == AN_OK) {
        find_order(a->pattern, a->tail, f);
        status = plan(a->pattern, fill, f);
    }
    if (status == AN_OK) {
        f->value = calloc((size_t)(f->pattern.first[f->n] * f->nv * f->nv) + 1, sizeof *f->value);
        if (!f->value)
            status = an_error_set(AN_FAIL, "out of memory for incomplete factors");
    }
    for (int64_t m = 0; m < f->n && status == AN_OK; m++)
        at[m] = -1;
    if (status == AN_OK)
        load(a, f, at);
    for (int64_t i = 0; i < f->n && status == AN_OK; i++)
        status = eliminate(f, i, at);
    free(at);
    return status;
}

void an_block_factor_free(struct an_block_factor *f)
{
    free(f->order);
    free(f->place);
    free(f->diagonal);
    an_lists_free(&f->pattern);
    free(f->value);
    free(f->work);
    memset(f, 0, sizeof *f);
}

/* In place of y, in places: L y = b, then U y = y. */
static void substitute(const struct an_block_factor *f, double *y)
{
    const int nv = f->nv, block = nv * nv;
    const struct an_lists *p = &f->pattern;
    for (int64_t i = 0; i < f->n; i++)
        for (int64_t m = p->first[i]; m < f->diagonal[i]; m++)
            less_product(nv, 0, f->value + block * m, y + nv * (int64_t)p->list[m], y + nv * i);
    for (int64_t i = f->n - 1; i >= 0; i--) {
        double x[AN_MOST_BLOCK] = {0};
        for (int64_t m = f->diagonal[i] + 1; m < p->first[i + 1]; m++)
            less_product(nv, 0, f->value + block * m, y + nv * (int64_t)p->list[m], y + nv * i);
        add_product(nv, 0, f->value + block * f->diagonal[i], y + nv * i, x);
        memcpy(y + nv * i, x, (size_t)nv * sizeof *y);
    }
}

/* The same with U^T, then L^T. */
static void substitute_transposed(const struct an_block_factor *f, double *y)
{
    const int nv = f->nv, block = nv * nv;
    const struct an_lists *p = &f->pattern;
    for (int64_t i = 0; i < f->n; i++) {
        double x[AN_MOST_BLOCK] = {0};
        add_product(nv, 1, f->value + block * f->diagonal[i], y + nv * i, x);
        memcpy(y + nv * i, x, (size_t)nv * sizeof *y);
        for (int64_t m = f->diagonal[i] + 1; m < p->first[i + 1]; m++)
            less_product(nv, 1, f->value + block * m, x, y + nv * (int64_t)p->list[m]);
    }
    for (int64_t i = f->n - 1; i >= 0; i--)
        for (int64_t m = p->first[i]; m < f->diagonal[i]; m++)
            less_product(nv, 1, f->value + block * m, y + nv * i, y + nv * (int64_t)p->list[m]);
}

void an_block_solve(const struct an_block_factor *f, int transposed, const double *b, double *x)
{
    const size_t bytes = (size_t)f->nv * sizeof *x;
    for (int64_t i = 0; i < f->n; i++)
        memcpy(f->work + f->nv * i, b + f->nv * (int64_t)f->order[i], bytes);
    if (transposed)
        substitute_transposed(f, f->work);
    else
        substitute(f, f->work);
    for (int64_t i = 0; i < f->n; i++)
        memcpy(x + f->nv * (int64_t)f->order[i], f->work + f->nv * i, bytes);
}
