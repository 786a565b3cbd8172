/* Who depends on whom, and the derivatives of the targets' equations by sums. */
#include "solver/adjoint/targets.h"
#include "solver/boundary/control_targets.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/mixing.h"
#include "solver/boundary/mixing_planes.h"
#include "solver/level/patch_nodes.h"

#include <math.h>
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
        AN_CHECK(grown, AN_FAIL, "out of memory for means at boundaries");
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
    AN_CHECK(l->first && l->list, AN_FAIL, "out of memory for means at boundaries");
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
    AN_CHECK(*cell, AN_FAIL, "out of memory for means at boundaries");
    for (int w = 0; w < v->level[0].nwindow; w++) {
        const struct an_face_window *win = &v->level[0].window[w];
        const int *n = s->level->layout.block[win->window.block].n;
        for (int64_t k = 0; k < an_patch_faces(&win->window); k++)
            (*cell)[win->values + k] =
                cells->first[win->window.block] + an_adjoint_cell_before(&win->window, n, k);
    }
    return AN_OK;
}

/* A ghost cell changes the residuals of the cell before it, c, and, by the slopes and gradients of this cell, of the
 * neighbours. */
static int add_touched(const struct an_adjoint_cells *cells, int target, int64_t c, struct pairs *p)
{
    if (c < cells->n)
        AN_TRY(add(p, target, c));
    for (int d = 0; d < 6; d++)
        if (cells->near[c][d] >= 0 && cells->near[c][d] < cells->n)
            AN_TRY(add(p, target, cells->near[c][d]));
    return AN_OK;
}

/* Lists of own cells on other ranks: pairs of a list and a foreign cell, by its number behind own ones. */
static int add_of_others(const struct an_adjoint_cells *cells, const struct an_lists *own,
                         struct pairs *p)
{
    const struct an_adjoint_ranks *r = &cells->ranks;
    int64_t n = 0, count, *all = NULL;
    int64_t *mine = malloc((2 * (size_t)own->first[own->n] + 1) * sizeof *mine);
    AN_TRY(an_ranks_agree(
        r, mine ? AN_OK : an_error_set(AN_FAIL, "out of memory for means at boundaries")));
    for (int64_t k = 0; k < own->n; k++)
        for (int64_t m = own->first[k]; m < own->first[k + 1]; m++) {
            mine[n++] = k;
            mine[n++] = r->start[r->rank] + own->list[m];
        }
    int status = an_ranks_gather(r, n, mine, &count, &all);
    for (int64_t m = 0; m < count && status == AN_OK; m += 2) {
        const int64_t foreign = an_ranks_foreign(r, all[m + 1]);
        if (foreign >= 0)
            status = add(p, all[m], cells->n + foreign);
    }
    free(mine);
    free(all);
    return status;
}

/* The same of pairs of lists and own cells, and of none where there is one rank: n lists. */
static int foreign_lists(const struct an_adjoint_cells *cells, struct pairs *own, int64_t n,
                         struct an_lists *foreign)
{
    struct an_lists l = {0};
    struct pairs p = {0};
    int status = lists_of(own, n, &l);
    if (status == AN_OK && cells->ranks.nrank > 1)
        status = add_of_others(cells, &l, &p);
    an_lists_free(&l);
    if (status == AN_OK)
        status = lists_of(&p, n, foreign);
    free(p.pair);
    return status;
}

/* A face of a plane takes the targets of one or two control bands. Their targets are the first. */
static int faces_of_planes(const struct an_adjoint_targets *t, const struct an_adjoint_cells *cells,
                           struct pairs *p)
{
    const struct an_mixing *m = t->planes;
    int64_t *cell;
    int status = AN_OK;
    if (!m)
        return AN_OK;
    AN_TRY(an_targets_cells(t->s, cells, &cell));
    for (int64_t f = 0; f < m->nface && status == AN_OK; f++) {
        const struct an_mixing_face *face = &m->face[f];
        for (int b = face->band; b <= face->band + (face->part > 0) && status == AN_OK; b++)
            status = add(p, 2 * b + face->side, cell[face->row]);
    }
    free(cell);
    return status;
}

/* The rings of a controlled boundary. */
static void rings_of(const struct an_adjoint_targets *t, int entry, int *first, int *n)
{
    const int group = t->control->entry[entry].group;
    *first = group < 0 ? t->ring_boundary + entry
                       : t->ring_control + t->control->bands->group[group].first;
    *n = group < 0 ? 1 : t->control->bands->group[group].n;
}

/* Does target k give values to the faces of a ring of a controlled boundary? The values of a band reach to the middles of
 * the next bands, which faces of the next but one may lie beyond where bands do not follow mesh lines. */
static int gives(const struct an_adjoint_targets *t, int k, int ring)
{
    const struct an_target *q = &t->target[k];
    int first, n;
    if (q->kind == AN_TARGET_PLANE)
        return 0;
    rings_of(t, q->entry, &first, &n);
    return ring >= first && ring < first + n &&
           (q->kind == AN_TARGET_PRESSURE || abs(ring - t->ring_control - q->band) <= 2);
}

/* Of each target the cells of this rank before the faces that it gives values to. */
static int find_faces(const struct an_adjoint_targets *t, const struct an_adjoint_cells *cells,
                      struct pairs *p)
{
    AN_TRY(faces_of_planes(t, cells, p));
    for (int k = 0; k < t->n; k++)
        for (int64_t f = t->set[1].first; f < t->nface; f++)
            if (gives(t, k, t->sum[f]))
                AN_TRY(add(p, k, t->cell[f]));
    return AN_OK;
}

static int find_touched(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells)
{
    struct pairs faces = {0}, p = {0};
    struct an_lists foreign = {0};
    int status = find_faces(t, cells, &faces);
    for (int64_t m = 0; m < faces.n && status == AN_OK; m++)
        status = add_touched(cells, (int)faces.pair[m][0], faces.pair[m][1], &p);
    if (status == AN_OK)
        status = foreign_lists(cells, &faces, t->n, &foreign);
    for (int k = 0; k < t->n && status == AN_OK; k++)
        for (int64_t m = foreign.first[k]; m < foreign.first[k + 1] && status == AN_OK; m++)
            status = add_touched(cells, k, foreign.list[m], &p);
    if (status == AN_OK)
        status = lists_of(&p, t->n, &t->touched);
    free(faces.pair);
    free(p.pair);
    an_lists_free(&foreign);
    AN_TRY(status);
    return an_lists_inverse(&t->touched, cells->n, &t->touching);
}

/* A control band reads the bands of both sides that it meets. */
static int sums_of_planes(const struct an_adjoint_targets *t, struct pairs *p)
{
    const struct an_mixing *m = t->planes;
    for (int plane = 0; m && plane < m->nplane; plane++)
        for (int b = m->plane[plane].first; b < m->plane[plane].first + m->plane[plane].n; b++)
            for (int side = 0; side < 2; side++) {
                const struct an_band_group *g = an_mixing_side_of(m, plane, side);
                for (int n = g->first; n < g->first + g->n; n++) {
                    if (m->bands->hi[n] <= m->lo[b] || m->bands->lo[n] >= m->hi[b])
                        continue;
                    AN_TRY(add(p, 2 * b, n));
                    AN_TRY(add(p, 2 * b + 1, n));
                }
            }
    return AN_OK;
}

/* A pressure reads the whole boundary, a band itself and its neighbours; where gas comes back in, the slope of the pressure
 * is that of the band before. */
static int sums_of_boundaries(const struct an_adjoint_targets *t, struct pairs *p)
{
    for (int k = 0; k < t->n; k++) {
        const struct an_target *q = &t->target[k];
        int first, n;
        if (q->kind == AN_TARGET_PLANE)
            continue;
        rings_of(t, q->entry, &first, &n);
        for (int ring = first; ring < first + n; ring++) {
            const int off = ring - t->ring_control - q->band;
            if (q->kind == AN_TARGET_PRESSURE || (off >= -2 && off <= 1))
                AN_TRY(add(p, k, ring));
        }
    }
    return AN_OK;
}

/* Equations read their own numbers, those of the other side of a control band, and those of the next bands of an outlet. */
static int find_beside(struct an_adjoint_targets *t)
{
    struct pairs p = {0};
    int status = AN_OK;
    for (int k = 0; k < t->n && status == AN_OK; k++) {
        const struct an_target *q = &t->target[k];
        status = add(&p, k, k);
        if (q->kind == AN_TARGET_PLANE && status == AN_OK)
            status = add(&p, k, k ^ 1);
        for (int m = k - 1; q->kind == AN_TARGET_RING && m <= k + 1 && status == AN_OK; m += 2)
            if (m >= 0 && m < t->n && t->target[m].kind == AN_TARGET_RING &&
                t->target[m].entry == q->entry)
                status = add(&p, k, m);
    }
    if (status == AN_OK)
        status = lists_of(&p, t->n, &t->beside);
    free(p.pair);
    return status;
}

static int find_sums(struct an_adjoint_targets *t)
{
    struct pairs p = {0};
    int status = sums_of_planes(t, &p);
    if (status == AN_OK)
        status = sums_of_boundaries(t, &p);
    if (status == AN_OK)
        status = lists_of(&p, t->n, &t->sums);
    free(p.pair);
    AN_TRY(status);
    t->weight =
        calloc((size_t)(t->sums.first[t->n] * t->nv * AN_NTARGET_SUM) + 1, sizeof *t->weight);
    AN_CHECK(t->weight, AN_FAIL, "out of memory for means at boundaries");
    return an_lists_inverse(&t->sums, t->nsum, &t->users);
}

static int add_both(struct pairs *p, int64_t a, int64_t b)
{
    AN_TRY(add(p, a, b));
    return a == b ? AN_OK : add(p, b, a);
}

/* What the equations of target k read of the cells by a face before own cell c; foreign: pairs of targets and foreign cells. */
static int add_readings(const struct an_adjoint_cells *cells, int64_t c, int32_t k, struct pairs *p,
                        struct pairs *foreign)
{
    const int64_t row = cells->n + k;
    for (int64_t m = cells->reach.first[c]; m < cells->reach.first[c + 1]; m++) {
        const int32_t j = cells->reach.list[m];
        AN_TRY(j < cells->n ? add_both(p, row, j) : add(foreign, k, j - cells->n));
    }
    return AN_OK;
}

/* The same of own cells, by faces before foreign cells. */
static int add_far_readings(const struct an_adjoint_targets *t,
                            const struct an_adjoint_cells *cells, const struct an_lists *faces,
                            struct pairs *p)
{
    for (int ring = 0; ring < t->nsum; ring++)
        for (int64_t m = faces->first[ring]; m < faces->first[ring + 1]; m++) {
            const int64_t k = faces->list[m] - cells->n;
            for (int64_t u = t->users.first[ring]; u < t->users.first[ring + 1]; u++)
                for (int64_t q = cells->readers.first[k]; q < cells->readers.first[k + 1]; q++)
                    AN_TRY(add_both(p, cells->n + t->users.list[u], cells->readers.list[q]));
        }
    return AN_OK;
}

static int add_faces(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells,
                     struct pairs *p)
{
    struct pairs far = {0}, rings = {0};
    struct an_lists faces = {0};
    int status = AN_OK;
    for (int64_t f = 0; f < t->nface && status == AN_OK; f++) {
        status = add(&rings, t->sum[f], t->cell[f]);
        for (int64_t m = t->users.first[t->sum[f]];
             m < t->users.first[t->sum[f] + 1] && status == AN_OK; m++)
            status = add_readings(cells, t->cell[f], t->users.list[m], p, &far);
    }
    if (status == AN_OK)
        status = foreign_lists(cells, &rings, t->nsum, &faces);
    if (status == AN_OK)
        status = add_far_readings(t, cells, &faces, p);
    if (status == AN_OK)
        status = lists_of(&far, t->n, &t->foreign);
    free(far.pair);
    free(rings.pair);
    an_lists_free(&faces);
    return status;
}

/* Which targets read which by the values of faces, on any rank. */
static int add_targets(const struct an_adjoint_targets *t, const struct an_adjoint_cells *cells,
                       struct pairs *p)
{
    unsigned char *reads = calloc((size_t)t->n * (size_t)t->n + 1, 1);
    AN_CHECK(reads, AN_FAIL, "out of memory for means at boundaries");
    for (int64_t f = 0; f < t->nface; f++)
        for (int64_t u = t->users.first[t->sum[f]]; u < t->users.first[t->sum[f] + 1]; u++)
            for (int64_t m = t->touching.first[t->cell[f]]; m < t->touching.first[t->cell[f] + 1];
                 m++)
                reads[(int64_t)t->users.list[u] * t->n + t->touching.list[m]] = 1;
    int status = an_ranks_any(t->ranks, (int64_t)t->n * t->n, reads);
    for (int64_t k = 0; k < t->n; k++)
        for (int64_t m = 0; m < t->n && status == AN_OK; m++)
            if (reads[k * t->n + m])
                status = add_both(p, cells->n + k, cells->n + m);
    free(reads);
    return status;
}

static int add_pattern(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells,
                       struct pairs *p)
{
    for (int k = 0; k < t->n; k++) {
        const int64_t row = cells->n + k;
        for (int64_t m = t->beside.first[k]; m < t->beside.first[k + 1]; m++)
            AN_TRY(add_both(p, row, cells->n + t->beside.list[m]));
        for (int64_t m = t->touched.first[k]; m < t->touched.first[k + 1]; m++)
            AN_TRY(add_both(p, row, t->touched.list[m]));
    }
    AN_TRY(add_faces(t, cells, p));
    AN_TRY(add_targets(t, cells, p));
    for (int64_t c = 0; c < cells->n; c++)
        for (int64_t m = cells->reach.first[c]; m < cells->reach.first[c + 1]; m++) {
            const int32_t j = cells->reach.list[m];
            AN_TRY(add(p, c, j < cells->n ? j : j + t->n));
        }
    return AN_OK;
}

int an_targets_graph(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells,
                     struct an_lists *pattern)
{
    struct pairs p = {0};
    if (t->n) {
        AN_TRY(find_touched(t, cells));
        AN_TRY(find_sums(t));
        AN_TRY(find_beside(t));
    }
    int status = add_pattern(t, cells, &p);
    if (status == AN_OK)
        status = lists_of(&p, cells->n + t->n, pattern);
    free(p.pair);
    return status;
}

int an_targets_colours(const struct an_adjoint_targets *t, int32_t *colour, int *ncolour)
{
    const int64_t n = t->n;
    unsigned char *meet = calloc((size_t)(n * n) + 1, 1);
    AN_CHECK(meet, AN_FAIL, "out of memory for colours");
    for (int64_t c = 0; c < t->touching.n; c++)
        for (int64_t m = t->touching.first[c]; m < t->touching.first[c + 1]; m++)
            for (int64_t q = t->touching.first[c]; q < t->touching.first[c + 1]; q++)
                meet[t->touching.list[m] * n + t->touching.list[q]] = 1;
    const int status = an_ranks_any(t->ranks, n * n, meet);
    *ncolour = 0;
    for (int64_t k = 0; k < n && status == AN_OK; k++) {
        int taken = 1;
        for (colour[k] = -1; taken;) {
            colour[k]++;
            taken = 0;
            for (int64_t m = 0; m < k && !taken; m++)
                taken = meet[k * n + m] && colour[m] == colour[k];
        }
        *ncolour = colour[k] >= *ncolour ? colour[k] + 1 : *ncolour;
    }
    free(meet);
    return status;
}

/* The turbulence of a side of which no gas comes stays what it is. */
static void find_rests(struct an_adjoint_targets *t)
{
    for (int k = 0; k < t->n && t->nv > 5; k++) {
        struct an_target *q = &t->target[k];
        const int at = 7 * q->side + 5;
        if (q->kind != AN_TARGET_PLANE)
            continue;
        double probe[AN_MIXING_NUMBERS], answer[AN_MIXING_NUMBERS];
        memcpy(probe, t->memory + AN_MIXING_NUMBERS * q->band, sizeof probe);
        probe[at] = -2;
        an_mixing_answer(t->s, t->planes, t->total, q->band, probe, answer);
        for (int v = 5; v < t->nv; v++)
            q->rests[v] = answer[at] < -1;
    }
}

void an_targets_weigh(struct an_adjoint_targets *t)
{
    const double part = 1e-5;
    find_rests(t);
    for (int k = 0; k < t->n; k++)
        for (int64_t e = t->sums.first[k]; e < t->sums.first[k + 1]; e++)
            for (int n = 0; n < AN_NTARGET_SUM; n++) {
                const int ring = t->sums.list[e], of = an_target_sum[n];
                const double arm =
                    of == AN_I_MZ && ring < t->ring_control ? t->planes->bands->radius[ring] : 1;
                const double at = t->total[ring][of],
                             h = part * t->size[n] * fabs(t->total[ring][AN_I_AREA]) * arm;
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
