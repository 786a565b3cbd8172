#include "solver/adjoint/targets.h"

#include "kernels/base/xsum.h"
#include "solver/boundary/control_targets.h"
#include "solver/boundary/mixing.h"
#include "solver/level/patch_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const int an_target_sum[AN_NTARGET_SUM] = {
    AN_I_MASS,   AN_I_MX,        AN_I_MY,        AN_I_MZ,       AN_I_ENERGY,
    AN_I_INFLOW, AN_I_OUT_TURB0, AN_I_OUT_TURB1, AN_I_CELL_RHO, AN_I_CELL_U,
    AN_I_CELL_V, AN_I_CELL_W,    AN_I_CELL_P,    AN_I_AREA};

/* ---- which targets there are ---- */

static struct an_target nothing(enum an_target_kind kind)
{
    struct an_target p = {.kind = kind};
    for (int v = 0; v < AN_MOST_UNKNOWNS; v++) {
        p.at[v] = -1;
        p.unit[v] = 1;
    }
    return p;
}

/* The target of a side: seven numbers, of which the adjoint takes as many as a cell has. */
static void add_plane(struct an_adjoint_targets *t, const double *unit_q, int band, int side)
{
    const double sound = unit_q[1] / unit_q[0];
    const double unit[AN_MOST_UNKNOWNS] = {unit_q[0],
                                           sound,
                                           sound,
                                           sound,
                                           unit_q[4],
                                           t->nv > 5 ? unit_q[5] : 1,
                                           t->nv > 6 ? unit_q[6] : 1};
    struct an_target *p = &t->target[t->n++];
    *p = nothing(AN_TARGET_PLANE);
    p->band = band;
    p->side = side;
    for (int v = 0; v < t->nv; v++) {
        p->at[v] = AN_MIXING_NUMBERS * band + 7 * side + v;
        p->unit[v] = unit[v];
    }
}

static void add_pressure(struct an_adjoint_targets *t, const double *unit_q, int entry)
{
    struct an_target *p = &t->target[t->n++];
    *p = nothing(AN_TARGET_PRESSURE);
    p->entry = entry;
    p->at[4] = t->first_control + an_control_place(t->control, entry, -1);
    p->unit[4] = unit_q[4];
}

/* A band has the numbers that its outlet asks for: rise and mean of the pressure, means of two velocities. */
static void add_ring(struct an_adjoint_targets *t, const double *unit_q, int entry, int band)
{
    const struct an_control_entry *o = &t->control->entry[entry];
    const double sound = unit_q[1] / unit_q[0],
                 unit[AN_CONTROL_RING] = {unit_q[4], unit_q[4], sound, sound};
    struct an_target *p = &t->target[t->n++];
    *p = nothing(AN_TARGET_RING);
    p->entry = entry;
    p->band = band;
    for (int v = 0; v < AN_CONTROL_RING; v++) {
        const int some = v ? o->non_reflecting : o->anchor != AN_EQUILIBRIUM_NONE;
        p->at[v] = some ? t->first_control + an_control_place(t->control, entry, band) + v : -1;
        p->unit[v] = unit[v];
    }
}

static int list_targets(struct an_adjoint_targets *t, const double *unit_q)
{
    const struct an_mixing *m = t->planes;
    const struct an_control *k = t->control;
    const int planes = m ? m->n : 0, bands = k->bands ? k->bands->n : 0;
    t->target = calloc((size_t)(2 * planes + k->n + bands) + 1, sizeof *t->target);
    AN_CHECK(t->target, AN_FAIL, "out of memory for means at boundaries");
    for (int b = 0; b < 2 * planes; b++)
        add_plane(t, unit_q, b / 2, b % 2);
    for (int o = 0; o < k->n; o++) {
        const struct an_control_entry *e = &k->entry[o];
        const struct an_band_group *g = e->group < 0 ? NULL : &k->bands->group[e->group];
        if (an_control_moves(e))
            add_pressure(t, unit_q, o);
        for (int n = 0; g && n < g->n; n++)
            add_ring(t, unit_q, o, g->first + n);
    }
    return AN_OK;
}

/* ---- their faces ---- */

/* Room for the faces of windows. */
static int grow_faces(struct an_adjoint_targets *t, int64_t more)
{
    const size_t n = (size_t)(t->nface + more) + 1;
    int64_t *cell = realloc(t->cell, n * sizeof *cell);
    t->cell = cell ? cell : t->cell;
    int *sum = realloc(t->sum, n * sizeof *sum);
    t->sum = sum ? sum : t->sum;
    AN_CHECK(cell && sum, AN_FAIL, "out of memory for means at boundaries");
    return AN_OK;
}

/* Windows of one face each. ring: that of boundary 0 of the windows. */
static int list_faces(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells, int set,
                      int nwindow, const struct an_face_window *from, int ring)
{
    const struct an_layout *l = &t->s->level->layout;
    int64_t n = 0, at = 0;
    for (int w = 0; w < nwindow; w++)
        n += an_patch_faces(&from[w].window);
    struct an_face_window *window = calloc((size_t)n + 1, sizeof *window);
    struct an_bc_value *none = calloc((size_t)n + 1, sizeof *none);
    int status = window && none ? grow_faces(t, n)
                                : an_error_set(AN_FAIL, "out of memory for means at boundaries");
    t->set[set].first = t->nface;
    t->set[set].n = n;
    for (int w = 0; w < nwindow && status == AN_OK; w++) {
        const struct an_window *win = &from[w].window;
        const int a = (win->dir + 1) % 3, b = (win->dir + 2) % 3, wide = win->hi[a] - win->lo[a];
        for (int64_t k = 0; k < an_patch_faces(win); k++, at++) {
            struct an_face_window *one = &window[at];
            *one = from[w];
            one->window.lo[a] += (int)(k % wide);
            one->window.lo[b] += (int)(k / wide);
            one->window.hi[a] = one->window.lo[a] + 1;
            one->window.hi[b] = one->window.lo[b] + 1;
            one->first = from[w].first + k;
            one->boundary = (int)at;
            t->sum[t->nface] = ring + from[w].boundary;
            t->cell[t->nface++] =
                cells->first[win->block] + an_adjoint_cell_before(win, l->block[win->block].n, k);
        }
    }
    if (status == AN_OK && n)
        status = t->s->engine->op->faces_new(t->s->engine, l, (int)n, window, (int)n, none,
                                             &t->set[set].faces);
    free(window);
    free(none);
    return status;
}

static int list_bands(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells, int set,
                      const struct an_bands *b, int ring)
{
    if (!b)
        return AN_OK;
    t->set[set].frame = b->frame;
    return list_faces(t, cells, set, b->nwindow, b->window, ring);
}

/* Boundaries whose pressure moves, without bands: `boundary` of their windows becomes the entry. */
static int list_boundaries(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells)
{
    const struct an_solver *s = t->s;
    struct an_face_window *window = NULL;
    int n, used = 0;
    AN_TRY(an_bc_windows(&s->level->partition.topology, s->boundary, s->nlocal, s->local, &n,
                         &window));
    for (int w = 0; w < n; w++)
        for (int o = 0; o < t->control->n; o++) {
            const struct an_control_entry *e = &t->control->entry[o];
            if (e->boundary != window[w].boundary || e->group >= 0 || !an_control_moves(e))
                continue;
            window[used] = window[w];
            window[used++].boundary = o;
            break;
        }
    const int status = list_faces(t, cells, 2, used, window, t->ring_boundary);
    free(window);
    return status;
}

static int make_rings(struct an_adjoint_targets *t, const struct an_adjoint_cells *cells)
{
    AN_TRY(list_bands(t, cells, 0, t->planes ? t->planes->bands : NULL, 0));
    AN_TRY(list_bands(t, cells, 1, t->control->bands, t->ring_control));
    AN_TRY(list_boundaries(t, cells));
    const size_t n = (size_t)t->nface + 1;
    t->room = malloc(n * AN_NINTEGRAL * sizeof *t->room);
    t->term = calloc(n, sizeof *t->term);
    t->total = calloc((size_t)t->nsum + 1, sizeof *t->total);
    AN_CHECK(t->room && t->term && t->total, AN_FAIL, "out of memory for means at boundaries");
    return AN_OK;
}

/* Sizes of sums per area. */
static void set_sizes(struct an_adjoint_targets *t, const double *unit_q)
{
    const double rho = unit_q[0], c = unit_q[1] / rho, p = unit_q[4];
    const double size[AN_NTARGET_SUM] = {rho * c,
                                         p,
                                         p,
                                         p,
                                         p * c,
                                         rho * c,
                                         rho * c * (t->nv > 5 ? unit_q[5] : 1),
                                         rho * c * (t->nv > 6 ? unit_q[6] : 1),
                                         rho,
                                         c,
                                         c,
                                         c,
                                         p,
                                         1};
    memcpy(t->size, size, sizeof size);
}

int an_targets_new(struct an_solver *s, const struct an_adjoint_cells *cells, int nv,
                   const double *unit_q, struct an_adjoint_targets *t)
{
    const struct an_control *k = an_control_of(s);
    *t = (struct an_adjoint_targets){
        .s = s, .ranks = &cells->ranks, .nv = nv, .planes = an_mixing_of(s), .control = k};
    t->first_control = an_mixing_numbers(s);
    t->nmemory = t->first_control + an_control_numbers(s);
    t->ring_control = t->planes ? t->planes->bands->n : 0;
    t->ring_boundary = t->ring_control + (k->bands ? k->bands->n : 0);
    t->nsum = t->ring_boundary + k->n;
    t->memory = calloc((size_t)t->nmemory + 1, sizeof *t->memory);
    AN_CHECK(t->memory, AN_FAIL, "out of memory for means at boundaries");
    an_mixing_targets(s, t->memory);
    an_control_numbers_get(s, t->memory + t->first_control);
    set_sizes(t, unit_q);
    AN_TRY(list_targets(t, unit_q));
    return t->n ? make_rings(t, cells) : AN_OK;
}

void an_targets_free(struct an_adjoint_targets *t)
{
    for (int k = 0; k < 3; k++)
        if (t->set[k].faces)
            t->s->engine->op->faces_free(t->s->engine, t->set[k].faces);
    free(t->target);
    free(t->memory);
    free(t->cell);
    free(t->sum);
    free(t->room);
    free(t->term);
    free(t->total);
    an_lists_free(&t->touched);
    an_lists_free(&t->touching);
    an_lists_free(&t->foreign);
    an_lists_free(&t->beside);
    an_lists_free(&t->sums);
    an_lists_free(&t->users);
    free(t->weight);
    memset(t, 0, sizeof *t);
}

void an_targets_like(struct an_adjoint_targets *t, const struct an_adjoint_targets *from)
{
    for (int p = 0; p < t->n; p++)
        memcpy(t->target[p].rests, from->target[p].rests, sizeof t->target[p].rests);
    if (t->first_control) /* the directions of the flow through planes */
        memcpy(t->memory, from->memory, (size_t)t->first_control * sizeof *t->memory);
    t->imposed = 0;
    t->area = from->area;
}

/* ---- their numbers and equations ---- */

void an_targets_get(const struct an_adjoint_targets *t, const double *unit_q, double *x)
{
    for (int p = 0; p < t->n; p++)
        for (int v = 0; v < t->nv; v++) {
            const struct an_target *q = &t->target[p];
            x[p * t->nv + v] = q->at[v] < 0 ? 0 : t->memory[q->at[v]] * unit_q[v] / q->unit[v];
        }
}

int an_targets_set(struct an_adjoint_targets *t, const double *unit_q, const double *x)
{
    int same = t->imposed;
    for (int p = 0; p < t->n; p++)
        for (int v = 0; v < t->nv; v++) {
            const struct an_target *q = &t->target[p];
            const double to = x[p * t->nv + v] * q->unit[v] / unit_q[v];
            if (q->at[v] < 0 || to == t->memory[q->at[v]])
                continue;
            t->memory[q->at[v]] = to;
            same = 0;
        }
    if (same || !t->n)
        return AN_OK;
    t->imposed = 1;
    AN_TRY(an_mixing_set(t->s, t->memory));
    return an_control_numbers_set(t->s, t->memory + t->first_control);
}

/* The area of a mean face of all ranks. */
static int find_area(struct an_adjoint_targets *t)
{
    double sum[2] = {0, (double)t->nface};
    for (int64_t k = 0; k < t->nface; k++)
        sum[0] += t->term[k][AN_I_AREA];
    AN_TRY(an_ranks_sum(t->ranks, 2, sum));
    t->area = sum[0] / sum[1];
    return AN_OK;
}

int an_targets_measure(struct an_adjoint_targets *t)
{
    struct an_solver *s = t->s;
    struct an_fields f = s->level->fields;
    for (int k = 0; k < 3; k++) {
        f.at[AN_F_FRAME] = t->set[k].frame;
        if (t->set[k].n)
            AN_TRY(s->engine->op->run_faces(s->engine, AN_S_boundary_integral, s->scheme,
                                            t->set[k].faces, &f, &s->params,
                                            t->room + t->set[k].first * AN_NINTEGRAL, 0));
    }
    if (t->n)
        memset(t->total, 0, (size_t)t->nsum * sizeof *t->total);
    for (int64_t k = 0; k < t->nface; k++)
        for (int m = 0; m < AN_NINTEGRAL; m++) {
            t->term[k][m] = an_xsum_value(t->room[k * AN_NINTEGRAL + m]);
            t->total[t->sum[k]][m] += t->term[k][m];
        }
    if (t->n)
        AN_TRY(an_ranks_sum(t->ranks, (int64_t)t->nsum * AN_NINTEGRAL, t->total[0]));
    return t->n && !t->area ? find_area(t) : AN_OK;
}

/* kg/s that leave the mesh through a controlled boundary. */
static double out_of(const struct an_adjoint_targets *t, double (*sum)[AN_NINTEGRAL], int entry)
{
    const int group = t->control->entry[entry].group;
    if (group < 0)
        return sum[t->ring_boundary + entry][AN_I_MASS];
    const struct an_band_group *g = &t->control->bands->group[group];
    double mass = 0;
    for (int n = g->first; n < g->first + g->n; n++)
        mass += sum[t->ring_control + n][AN_I_MASS];
    return mass;
}

void an_targets_gaps(const struct an_adjoint_targets *t, double (*sum)[AN_NINTEGRAL],
                     const double *memory, int p, double *g)
{
    const struct an_target *q = &t->target[p];
    memset(g, 0, (size_t)t->nv * sizeof *g);
    if (q->kind == AN_TARGET_PRESSURE) {
        g[4] = an_control_pressure_gap(t->control, q->entry, memory[q->at[4]],
                                       out_of(t, sum, q->entry));
        return;
    }
    if (q->kind == AN_TARGET_RING) {
        an_control_ring_gaps(t->control, q->entry, q->band, memory + t->first_control,
                             sum + t->ring_control, g);
        for (int v = 0; v < AN_CONTROL_RING; v++)
            g[v] /= q->unit[v];
        return;
    }
    const double *now = memory + AN_MIXING_NUMBERS * q->band;
    double answer[AN_MIXING_NUMBERS];
    an_mixing_answer(t->s, t->planes, sum, q->band, now, answer);
    for (int v = 0; v < t->nv; v++) {
        const int k = 7 * q->side + v;
        g[v] = q->rests[v] ? 0 : (now[k] - answer[k]) / q->unit[v];
    }
}

void an_targets_residual(const struct an_adjoint_targets *t, const double *unit_r, double *r)
{
    for (int p = 0; p < t->n; p++) {
        an_targets_gaps(t, t->total, t->memory, p, r + p * t->nv);
        for (int v = 0; v < t->nv; v++)
            r[p * t->nv + v] *= t->area * unit_r[v];
    }
}
