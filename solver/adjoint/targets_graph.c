/* Who depends on whom, and the derivatives of the targets' equations by sums. */
#include "solver/adjoint/targets.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/mixing.h"
#include "solver/boundary/mixing_planes.h"
#include "solver/level/patch_nodes.h"

#include <stdlib.h>
#include <string.h>

/* Lists under way: pairs of a list and a number that are put in order and are in them once. */
struct pairs {
    int64_t n, room;
    int64_t (*pair)[2];
};

static int add(struct pairs *p, int64_t list, int64_t number)
{
    if (p->n == p->room) {
        p->room = 2 * p->room + 1000;
        int64_t(*grown)[2] = realloc(p->pair, (size_t)p->room * sizeof *grown);
        AN_CHECK(grown, AN_FAIL, "out of memory for mixing planes");
        p->pair = grown;
    }
    p->pair[p->n][0] = list;
    p->pair[p->n++][1] = number;
    return AN_OK;
}

static int ascending(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* n lists of the pairs, which are freed. */
static int lists_of(struct pairs *p, int64_t n, struct an_lists *l)
{
    l->n = n;
    l->first = calloc((size_t)n + 1, sizeof *l->first);
    l->list = malloc(((size_t)p->n + 1) * sizeof *l->list);
    AN_CHECK(l->first && l->list, AN_FAIL, "out of memory for mixing planes");
    int64_t kept = 0;
    if (p->n)
        qsort(p->pair, (size_t)p->n, sizeof *p->pair, ascending);
    for (int64_t m = 0; m < p->n; m++) {
        if (m && !ascending(p->pair[m], p->pair[m - 1]))
            continue;
        l->list[kept++] = (int32_t)p->pair[m][1];
        l->first[p->pair[m][0] + 1] = kept;
    }
    for (int64_t m = 0; m < n; m++)
        l->first[m + 1] = l->first[m + 1] > l->first[m] ? l->first[m + 1] : l->first[m];
    free(p->pair);
    memset(p, 0, sizeof *p);
    return AN_OK;
}

int an_targets_cells(const struct an_solver *s, const struct an_adjoint_cells *cells,
                     int64_t **cell)
{
    const struct an_face_values *v = an_face_values_of(s);
    *cell = malloc(((size_t)v->level[0].nface + 1) * sizeof **cell);
    AN_CHECK(*cell, AN_FAIL, "out of memory for mixing planes");
    for (int w = 0; w < v->level[0].nwindow; w++) {
        const struct an_face_window *win = &v->level[0].window[w];
        const int *n = s->level->layout.block[win->window.block].n;
        for (int64_t k = 0; k < an_patch_faces(&win->window); k++)
            (*cell)[win->values + k] =
                cells->first[win->window.block] + an_adjoint_cell_before(&win->window, n, k);
    }
    return AN_OK;
}

/* A face takes the targets of one or two control bands. A ghost cell changes the residuals of the cell before it and, by
 * the slopes and gradients of this cell, of the neighbours. */
static int find_touched(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells)
{
    const struct an_mixing *m = an_mixing_of(t->s);
    struct pairs p = {0};
    int64_t *cell;
    AN_TRY(an_targets_cells(t->s, cells, &cell));
    int status = AN_OK;
    for (int64_t f = 0; f < m->nface && status == AN_OK; f++) {
        const struct an_mixing_face *face = &m->face[f];
        const int64_t c = cell[face->row];
        for (int b = face->band; b <= face->band + (face->part > 0) && status == AN_OK; b++) {
            status = add(&p, 2 * b + face->side, c);
            for (int d = 0; d < 6 && status == AN_OK; d++)
                if (cells->near[c][d] >= 0)
                    status = add(&p, 2 * b + face->side, cells->near[c][d]);
        }
    }
    free(cell);
    if (status == AN_OK)
        status = lists_of(&p, t->n, &t->touched);
    free(p.pair);
    AN_TRY(status);
    return an_lists_inverse(&t->touched, cells->n, &t->touching);
}

/* A control band reads the bands of both sides that it meets. */
static int find_sums(struct an_adjoint_targets *t)
{
    const struct an_mixing *m = an_mixing_of(t->s);
    struct pairs p = {0};
    int status = AN_OK;
    for (int plane = 0; plane < m->nplane; plane++)
        for (int b = m->plane[plane].first; b < m->plane[plane].first + m->plane[plane].n; b++)
            for (int side = 0; side < 2; side++) {
                const struct an_band_group *g = an_mixing_side_of(m, plane, side);
                for (int n = g->first; n < g->first + g->n && status == AN_OK; n++) {
                    if (m->bands->hi[n] <= m->lo[b] || m->bands->lo[n] >= m->hi[b])
                        continue;
                    status = add(&p, 2 * b, n);
                    if (status == AN_OK)
                        status = add(&p, 2 * b + 1, n);
                }
            }
    if (status == AN_OK)
        status = lists_of(&p, t->n, &t->sums);
    free(p.pair);
    AN_TRY(status);
    t->weight =
        calloc((size_t)(t->sums.first[t->n] * t->nv * AN_NTARGET_SUM) + 1, sizeof *t->weight);
    AN_CHECK(t->weight, AN_FAIL, "out of memory for mixing planes");
    return an_lists_inverse(&t->sums, t->nsum, &t->users);
}

static int add_both(struct pairs *p, int64_t a, int64_t b)
{
    AN_TRY(add(p, a, b));
    return a == b ? AN_OK : add(p, b, a);
}

/* What the equations of target k read of the cells and, by the faces' values, of targets. */
static int add_readings(const struct an_adjoint_targets *t, const struct an_adjoint_cells *cells,
                        int64_t face, int32_t k, struct pairs *p)
{
    const int64_t c = t->cell[face], row = cells->n + k;
    for (int64_t m = cells->reach.first[c]; m < cells->reach.first[c + 1]; m++)
        AN_TRY(add_both(p, row, cells->reach.list[m]));
    for (int64_t m = t->touching.first[c]; m < t->touching.first[c + 1]; m++)
        AN_TRY(add_both(p, row, cells->n + t->touching.list[m]));
    return AN_OK;
}

static int add_pattern(const struct an_adjoint_targets *t, const struct an_adjoint_cells *cells,
                       struct pairs *p)
{
    for (int k = 0; k < t->n; k++) {
        const int64_t row = cells->n + k;
        AN_TRY(add(p, row, row));
        AN_TRY(add_both(p, row, cells->n + (k ^ 1))); /* the other side of the band */
        for (int64_t m = t->touched.first[k]; m < t->touched.first[k + 1]; m++)
            AN_TRY(add_both(p, row, t->touched.list[m]));
    }
    for (int64_t f = 0; f < t->nface; f++)
        for (int64_t m = t->users.first[t->sum[f]]; m < t->users.first[t->sum[f] + 1]; m++)
            AN_TRY(add_readings(t, cells, f, t->users.list[m], p));
    for (int64_t c = 0; c < cells->n; c++)
        for (int64_t m = cells->reach.first[c]; m < cells->reach.first[c + 1]; m++)
            AN_TRY(add(p, c, cells->reach.list[m]));
    return AN_OK;
}

int an_targets_graph(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells,
                     struct an_lists *pattern)
{
    struct pairs p = {0};
    if (t->n) {
        AN_TRY(find_touched(t, cells));
        AN_TRY(find_sums(t));
    }
    int status = add_pattern(t, cells, &p);
    if (status == AN_OK)
        status = lists_of(&p, cells->n + t->n, pattern);
    free(p.pair);
    return status;
}

/* The turbulence of a side of which no gas comes stays what it is. */
static void find_rests(struct an_adjoint_targets *t)
{
    for (int k = 0; k < t->n && t->nv > 5; k++) {
        struct an_target *q = &t->target[k];
        const int at = 7 * q->side + 5;
        double probe[AN_MIXING_NUMBERS], answer[AN_MIXING_NUMBERS];
        memcpy(probe, t->memory + AN_MIXING_NUMBERS * q->band, sizeof probe);
        probe[at] = -2;
        an_mixing_answer(t->s, t->planes, t->total, q->band, probe, answer);
        q->rests[5] = answer[at] < -1;
    }
}

void an_targets_weigh(struct an_adjoint_targets *t)
{
    const struct an_mixing *m = an_mixing_of(t->s);
    const double part = 1e-5;
    find_rests(t);
    for (int k = 0; k < t->n; k++)
        for (int64_t e = t->sums.first[k]; e < t->sums.first[k + 1]; e++)
            for (int n = 0; n < AN_NTARGET_SUM; n++) {
                const int ring = t->sums.list[e], of = an_target_sum[n];
                const double arm = of == AN_I_MZ ? m->bands->radius[ring] : 1;
                const double at = t->total[ring][of],
                             h = part * t->size[n] * m->bands->area[ring] * arm;
                double high[AN_MOST_UNKNOWNS], low[AN_MOST_UNKNOWNS];
                t->total[ring][of] = at + h;
                an_targets_gaps(t, t->total, t->memory, k, high);
                t->total[ring][of] = at - h;
                an_targets_gaps(t, t->total, t->memory, k, low);
                t->total[ring][of] = at;
                for (int v = 0; v < t->nv; v++)
                    t->weight[(e * t->nv + v) * AN_NTARGET_SUM + n] =
                        t->area * (high[v] - low[v]) / (2 * h);
            }
}

void an_targets_by_sums(const struct an_adjoint_targets *t, const double *mu, double *to)
{
    memset(to, 0, (size_t)(t->nsum * AN_NTARGET_SUM) * sizeof *to);
    for (int k = 0; k < t->n; k++)
        for (int64_t e = t->sums.first[k]; e < t->sums.first[k + 1]; e++)
            for (int v = 0; v < t->nv; v++)
                for (int n = 0; n < AN_NTARGET_SUM; n++)
                    to[t->sums.list[e] * AN_NTARGET_SUM + n] +=
                        mu[k * t->nv + v] * t->weight[(e * t->nv + v) * AN_NTARGET_SUM + n];
}
