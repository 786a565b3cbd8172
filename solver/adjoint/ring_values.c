#include "solver/adjoint/ring_values.h"

#include "solver/boundary/face_values.h"
#include "solver/boundary/mixing_planes.h"
#include "solver/level/patch_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NVALUE = 7 }; /* of a face: density, velocity, pressure, TURB */

/* ---- faces ---- */

/* Is a boundary one of those whose rings are looked at? entry: of an_control; NULL: not wanted. */
static int has_rings(const struct an_ring_faces *w, int boundary, int *entry)
{
    if (w->kind == AN_TARGET_PLANE)
        return w->a->s->boundary[boundary].type == AN_BC_MIXING_PLANE;
    for (int o = 0; o < w->now.k.n; o++)
        if (w->now.k.entry[o].boundary == boundary && w->now.k.entry[o].group >= 0) {
            if (entry)
                *entry = o;
            return 1;
        }
    return 0;
}

/* Planes have a list of their faces. */
static int list_faces(struct an_ring_faces *w)
{
    const struct an_face_values *v = an_face_values_of(w->a->s);
    const size_t n = (size_t)v->level[0].nface + 1;
    w->row = malloc(n * sizeof *w->row);
    w->entry = calloc(n, sizeof *w->entry);
    AN_CHECK(w->row && w->entry, AN_FAIL, "out of memory for nodes");
    for (int64_t f = 0; w->kind == AN_TARGET_PLANE && f < w->now.m.nface; f++)
        w->row[w->nface++] = w->now.m.face[f].row;
    for (int k = 0; w->kind != AN_TARGET_PLANE && k < v->level[0].nwindow; k++) {
        const struct an_face_window *win = &v->level[0].window[k];
        int entry;
        if (!has_rings(w, win->boundary, &entry))
            continue;
        for (int64_t f = 0; f < an_patch_faces(&win->window); f++) {
            w->entry[w->nface] = entry;
            w->row[w->nface++] = win->values + f;
        }
    }
    return AN_OK;
}

/* The values of face f that follow from rings. */
static void value_of(const struct an_ring_faces *w, const struct an_rings *g, int64_t f,
                     double v[AN_BC_NVALUE])
{
    if (w->kind == AN_TARGET_PLANE) {
        an_mixing_face_value(&g->m, f, v);
        return;
    }
    struct an_control_face face = {.k = &g->k, .o = &g->k.entry[w->entry[f]]};
    memset(v, 0, AN_BC_NVALUE * sizeof *v);
    an_control_set_face(&face, &an_face_values_of(w->a->s)->place[w->row[f]], v);
}
/* ---- dF/dv ---- */

/* Cells whose residuals the value of a face changes; as of targets. */
static int touched_by_faces(const struct an_ring_faces *w, struct an_lists *l)
{
    const struct an_adjoint *a = w->a;
    l->n = w->nface;
    l->first = calloc((size_t)l->n + 1, sizeof *l->first);
    l->list = malloc(7 * (size_t)l->n * sizeof *l->list + 1);
    AN_CHECK(l->first && l->list, AN_FAIL, "out of memory for nodes");
    int64_t *cell;
    AN_TRY(an_targets_cells(a->s, &a->cells, &cell));
    for (int64_t f = 0; f < l->n; f++) {
        const int64_t c = cell[w->row[f]];
        int n = 0;
        int32_t *list = l->list + l->first[f];
        an_list_insert(list, &n, (int32_t)c);
        for (int d = 0; d < 6; d++)
            if (a->cells.near[c][d] >= 0)
                an_list_insert(list, &n, a->cells.near[c][d]);
        l->first[f + 1] = l->first[f] + n;
    }
    free(cell);
    return AN_OK;
}

struct difference {
    const struct an_lists *touched;
    const int32_t *colour;
    double *r[2], *figure[2];
    double *by_sums; /* [nfigure][nsum][AN_NTARGET_SUM] */
};

/* Of value v of a face; 0: it is none that follows from rings. */
static double step_of(const struct an_ring_faces *w, int v, double at)
{
    const struct an_adjoint_residual *r = &w->a->residual;
    const double rho = r->unit_q[0], sound = r->unit_q[1] / rho, p = r->unit_q[4];
    const double plane[NVALUE] = {rho,
                                  sound,
                                  sound,
                                  sound,
                                  p,
                                  w->a->nv > 5 ? r->unit_q[5] : 0,
                                  w->a->nv > 6 ? r->unit_q[6] : 0};
    const double outlet[NVALUE] = {[AN_BC_P] = p, [AN_BC_MEAN_P] = p, [AN_BC_MEAN_U] = sound};
    const double unit = w->kind == AN_TARGET_PLANE ? plane[v] : outlet[v];
    return unit > 0 ? 1e-6 * (fabs(at) + 0.1 * unit) : 0;
}

static int evaluate_values(const struct an_ring_faces *w, const struct difference *d, int c, int v,
                           int side)
{
    struct an_adjoint *a = w->a;
    double(*value)[AN_BC_NVALUE] = an_face_values_of(a->s)->level[0].value;
    for (int64_t f = 0; f < w->nface; f++)
        if (d->colour[f] == c) {
            double *at = &value[w->row[f]][v];
            *at += (side ? 1 : -1) * step_of(w, v, *at);
        }
    AN_TRY(an_face_values_upload(a->s));
    AN_TRY(an_adjoint_evaluate(&a->residual, a->q, d->r[side], d->figure[side]));
    an_adjoint_less_targets(a, d->by_sums, d->figure[side]);
    for (int64_t f = 0; f < w->nface; f++)
        if (d->colour[f] == c) {
            double all[AN_BC_NVALUE];
            value_of(w, &w->now, f, all);
            value[w->row[f]][v] = all[v];
        }
    return AN_OK;
}

static void store_values(struct an_ring_faces *w, const struct difference *d, int c, int v)
{
    const struct an_adjoint *a = w->a;
    const int64_t all = a->residual.rows * a->nv;
    for (int64_t f = 0; f < w->nface; f++) {
        double base[AN_BC_NVALUE];
        if (d->colour[f] != c)
            continue;
        value_of(w, &w->now, f, base);
        const double h = step_of(w, v, base[v]);
        for (int q = 0; q < a->nfigure; q++) {
            double sum = 0;
            for (int64_t m = d->touched->first[f]; m < d->touched->first[f + 1]; m++) {
                const int64_t cell = d->touched->list[m], at = cell * a->nv;
                sum += d->figure[1][cell * a->nfigure + q] - d->figure[0][cell * a->nfigure + q];
                for (int n = 0; n < a->nv; n++)
                    sum -= a->lambda[q * all + at + n] * (d->r[1][at + n] - d->r[0][at + n]) /
                           a->residual.unit_r[n];
            }
            w->by_value[(q * w->nface + f) * NVALUE + v] = sum / (2 * h);
        }
    }
}

static int by_values(struct an_ring_faces *w)
{
    struct an_adjoint *a = w->a;
    const struct an_adjoint_targets *t = &a->residual.targets;
    struct an_lists touched = {0}, touching = {0};
    struct difference d = {.touched = &touched};
    const size_t rows = (size_t)a->residual.rows + 1, faces = (size_t)w->nface + 1;
    const size_t r = rows * (size_t)a->nv, f = rows * (size_t)a->nfigure;
    double *room = malloc((2 * r + 2 * f + (size_t)(a->nfigure * t->nsum * AN_NTARGET_SUM) + 1) *
                          sizeof *room);
    int32_t *colour = malloc(faces * sizeof *colour);
    int ncolour = 0;
    w->by_value = calloc((size_t)a->nfigure * faces * NVALUE, sizeof *w->by_value);
    int status =
        room && colour && w->by_value ? AN_OK : an_error_set(AN_FAIL, "out of memory for nodes");
    if (status == AN_OK)
        status = touched_by_faces(w, &touched);
    if (status == AN_OK)
        status = an_lists_inverse(&touched, a->cells.n, &touching);
    if (status == AN_OK)
        status = an_adjoint_colours(&touched, &touching, colour, &ncolour);
    if (status == AN_OK) {
        d.colour = colour;
        d.r[0] = room;
        d.r[1] = room + r;
        d.figure[0] = room + 2 * r;
        d.figure[1] = d.figure[0] + f;
        d.by_sums = d.figure[1] + f;
        an_adjoint_by_sums(a, d.by_sums);
    }
    for (int c = 0; c < ncolour && status == AN_OK; c++)
        for (int v = 0; v < NVALUE && status == AN_OK; v++) {
            if (!(step_of(w, v, 0) > 0))
                continue;
            for (int side = 0; side < 2 && status == AN_OK; side++)
                status = evaluate_values(w, &d, c, v, side);
            if (status == AN_OK)
                store_values(w, &d, c, v);
        }
    if (status == AN_OK)
        status = an_face_values_upload(a->s);
    if (status == AN_OK) /* the sums of the settled flow */
        status = an_adjoint_evaluate(&a->residual, a->q, NULL, NULL);
    free(room);
    free(colour);
    an_lists_free(&touched);
    an_lists_free(&touching);
    return status;
}

/* ---- rings of moved nodes ---- */

int an_ring_faces_place(const struct an_ring_faces *w)
{
    struct an_face_values *v = an_face_values_of(w->a->s);
    for (int k = 0; k < v->level[0].nwindow; k++) {
        const struct an_face_window *win = &v->level[0].window[k];
        if (has_rings(w, win->boundary, NULL))
            AN_TRY(an_face_places(w->a->s, win, v->place + win->values));
    }
    return AN_OK;
}

static void release(struct an_ring_faces *w, struct an_rings *g)
{
    if (w->kind == AN_TARGET_PLANE) {
        an_mixing_planes_free(w->a->s, &g->m);
        return;
    }
    an_bands_destroy(w->a->s, g->k.bands);
    free(g->k.rise);
    for (int m = 0; m < 3; m++)
        free(g->k.mean[m]);
}

/* Sets up the rings of the nodes as they are, with the numbers of the solver. */
static int set_up(struct an_ring_faces *w, struct an_rings *g)
{
    struct an_solver *s = w->a->s;
    *g = (struct an_rings){.bands = NULL};
    AN_TRY(an_ring_faces_place(w));
    if (w->kind == AN_TARGET_PLANE) {
        AN_TRY(an_mixing_planes(s, &g->m));
        g->bands = g->m.bands;
        AN_CHECK(g->m.n == w->now.m.n && g->m.nface == w->nface, AN_FAIL,
                 "--nodes: a small step of a node changes the number of rings of a mixing plane");
        memcpy(g->m.band, w->now.m.band, (size_t)g->m.n * sizeof *g->m.band);
        return AN_OK;
    }
    g->k = w->now.k;
    g->k.bands = NULL;
    g->k.rise = g->k.mean[0] = g->k.mean[1] = g->k.mean[2] = NULL;
    AN_TRY(an_control_bands_new(s, &g->k));
    g->bands = g->k.bands;
    AN_CHECK(g->bands->n == w->now.bands->n, AN_FAIL,
             "--nodes: a small step of a node changes the number of rings of an outlet");
    const size_t bytes = (size_t)g->bands->n * sizeof *g->k.rise;
    memcpy(g->k.rise, w->now.k.rise, bytes);
    for (int m = 0; m < 3; m++)
        memcpy(g->k.mean[m], w->now.k.mean[m], bytes);
    return AN_OK;
}

/* What rings give for figure q. */
static double value_of_figure(const struct an_ring_faces *w, const struct an_rings *g, int q)
{
    const struct an_adjoint *a = w->a;
    const struct an_adjoint_targets *t = &a->residual.targets;
    const double *mu = a->lambda + (q * a->residual.rows + a->cells.n) * a->nv;
    double sum = 0;
    for (int64_t f = 0; f < w->nface; f++) {
        double v[AN_BC_NVALUE];
        value_of(w, g, f, v);
        for (int c = 0; c < NVALUE; c++)
            if (step_of(w, c, 0) > 0)
                sum += w->by_value[(q * w->nface + f) * NVALUE + c] * v[c];
    }
    for (int p = 0; p < t->n; p++) {
        double gap[AN_MOST_UNKNOWNS];
        if (t->target[p].kind != w->kind)
            continue;
        an_targets_gaps(t, t->total, t->memory, p, gap);
        for (int c = 0; c < a->nv; c++)
            sum -= t->area * mu[p * a->nv + c] * gap[c];
    }
    return sum;
}

/* What the rings of the nodes as they are give for the figures: value[nfigure]. */
int an_ring_faces_find(struct an_ring_faces *w, double *value)
{
    struct an_adjoint *a = w->a;
    struct an_adjoint_targets *t = &a->residual.targets;
    const struct an_mixing *planes = t->planes;
    const struct an_control *control = t->control;
    struct an_rings g;
    const int status = set_up(w, &g);
    t->planes = w->kind == AN_TARGET_PLANE ? &g.m : planes;
    t->control = w->kind == AN_TARGET_PLANE ? control : &g.k;
    for (int q = 0; q < a->nfigure && status == AN_OK; q++)
        value[q] = value_of_figure(w, &g, q);
    t->planes = planes;
    t->control = control;
    release(w, &g);
    return status;
}

int an_ring_faces_new(struct an_adjoint *a, enum an_target_kind kind, struct an_ring_faces *w)
{
    const struct an_mixing *m = an_mixing_of(a->s);
    const struct an_control *k = an_control_of(a->s);
    *w = (struct an_ring_faces){.a = a, .kind = kind, .now.k = *k};
    if (m)
        w->now.m = *m;
    w->now.bands = kind == AN_TARGET_PLANE ? w->now.m.bands : k->bands;
    if (!w->now.bands)
        return AN_OK;
    AN_TRY(list_faces(w));
    return by_values(w);
}

void an_ring_faces_free(struct an_ring_faces *w)
{
    free(w->row);
    free(w->entry);
    free(w->by_value);
}
