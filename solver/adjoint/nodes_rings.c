#include "solver/adjoint/nodes_rings.h"

#include "kernels/base/numbers.h"
#include "solver/boundary/control_targets.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/mixing.h"
#include "solver/boundary/mixing_planes.h"
#include "solver/level/patch_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NVALUE = 6 }; /* of a face: density, velocity, pressure, TURB */

struct node {
    int block, group;
    int64_t at;  /* in its block */
    double q[2]; /* x, r */
    double step; /* m */
    int end;     /* 0, 1: it is one of the ends of the span, 2: it is not */
};

/* The rings of one kind of boundary, and what is set up from them. */
struct rings {
    const struct an_bands *bands;
    struct an_mixing m;  /* of mixing planes */
    struct an_control k; /* of outlets */
};

struct work {
    struct an_adjoint *a;
    double *const *moved;     /* [zones][3][..] */
    enum an_target_kind kind; /* PLANE or RING */
    struct rings now;         /* as they are; the solver's */
    int64_t nface;
    int64_t *row; /* [nface] of face values; owned */
    int *entry;   /* [nface] of an_control; owned */
    int64_t nnode;
    struct node *node; /* owned */
    double *by_value;  /* [nfigure][nface][NVALUE] dF/dv; owned */
    double *slope;     /* [nfigure][nnode][3] of each node alone; owned */
    double *value;     /* [2][nfigure] work; owned */
};

static int64_t count_of(const struct work *w, int b)
{
    const int *n = w->a->s->level->layout.block[b].n;
    return (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
}

/* Coordinate c of a node. */
static double *coordinate(const struct work *w, int b, int64_t at, int c)
{
    const struct an_solver *s = w->a->s;
    const int zone = s->level->partition.piece[s->local[b]].zone;
    return &w->moved[zone][c * count_of(w, b) + at];
}

/* ---- faces ---- */

/* Is a boundary one of those whose rings are looked at? entry: of an_control; NULL: not wanted. */
static int has_rings(const struct work *w, int boundary, int *entry)
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
static int list_faces(struct work *w)
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
static void value_of(const struct work *w, const struct rings *g, int64_t f, double v[AN_BC_NVALUE])
{
    if (w->kind == AN_TARGET_PLANE) {
        an_mixing_face_value(&g->m, f, v);
        return;
    }
    struct an_control_face face = {.k = &g->k, .o = &g->k.entry[w->entry[f]]};
    memset(v, 0, AN_BC_NVALUE * sizeof *v);
    an_control_set_face(&face, &an_face_values_of(w->a->s)->place[w->row[f]], v);
}

/* ---- nodes ---- */

static int group_of(const struct an_bands *bands, int band)
{
    int g = 0;
    while (band >= bands->group[g].first + bands->group[g].n)
        g++;
    return g;
}

/* The shortest edge at a node, along the lines of its block. */
static double edge_at(const struct work *w, int b, int64_t at)
{
    const int *n = w->a->s->level->layout.block[b].n;
    const int64_t m[3] = {n[0] + 1, n[1] + 1, n[2] + 1}, stride[3] = {1, m[0], m[0] * m[1]};
    const int64_t place[3] = {at % m[0], at / m[0] % m[1], at / stride[2]};
    double least = INFINITY;
    for (int d = 0; d < 6; d++) {
        const int64_t to = place[d / 2] + (d & 1 ? 1 : -1),
                      q = at + (d & 1 ? 1 : -1) * stride[d / 2];
        double e[3];
        if (to < 0 || to >= m[d / 2])
            continue;
        for (int c = 0; c < 3; c++)
            e[c] = *coordinate(w, b, q, c) - *coordinate(w, b, at, c);
        const double length = an_length(e);
        least = length > 0 && length < least ? length : least;
    }
    return least;
}

static void note_node(struct work *w, int b, int group, int64_t at, char *seen)
{
    if (seen[at])
        return;
    seen[at] = 1;
    struct node *p = &w->node[w->nnode++];
    *p = (struct node){.block = b, .group = group, .at = at, .end = 2};
    p->q[0] = *coordinate(w, b, at, 0);
    p->q[1] = hypot(*coordinate(w, b, at, 1), *coordinate(w, b, at, 2));
    p->step = 1e-7 * edge_at(w, b, at);
}

/* The nodes of the strips of a block; a node that stands in two planes counts in each. */
static void list_nodes(struct work *w, int b, int group, char *seen)
{
    const struct an_bands *bands = w->now.bands;
    const int *n = w->a->s->level->layout.block[b].n;
    memset(seen, 0, (size_t)count_of(w, b));
    for (int k = 0; k < bands->nwindow; k++) {
        const struct an_window *win = &bands->window[k].window;
        if (win->block != b || group_of(bands, bands->window[k].boundary) != group)
            continue;
        const int da = (win->dir + 1) % 3, db = (win->dir + 2) % 3;
        for (int j = win->lo[db]; j <= win->hi[db]; j++)
            for (int i = win->lo[da]; i <= win->hi[da]; i++) {
                int c[3];
                c[win->dir] = win->side ? n[win->dir] : 0;
                c[da] = i;
                c[db] = j;
                note_node(w, b, group,
                          c[0] + (int64_t)(n[0] + 1) * (c[1] + (int64_t)(n[1] + 1) * c[2]), seen);
            }
    }
}

/* Which nodes of a group are ends of its span, as solver/boundary/band_patches.c finds them. */
static void find_ends(struct work *w, int group)
{
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (int64_t k = 0; k < w->nnode; k++)
        for (int c = 0; c < 2 && w->node[k].group == group; c++) {
            least[c] = fmin(least[c], w->node[k].q[c]);
            most[c] = fmax(most[c], w->node[k].q[c]);
        }
    const int c = most[1] - least[1] >= most[0] - least[0];
    for (int64_t k = 0; k < w->nnode; k++) {
        struct node *p = &w->node[k];
        if (p->group != group)
            continue;
        if (p->q[c] - least[c] <= 4 * p->step)
            p->end = 0;
        else if (most[c] - p->q[c] <= 4 * p->step)
            p->end = 1;
    }
}

static int find_nodes(struct work *w)
{
    const struct an_bands *bands = w->now.bands;
    int64_t most = 0;
    for (int b = 0; b < w->a->s->nlocal; b++)
        most = count_of(w, b) > most ? count_of(w, b) : most;
    char *seen = malloc((size_t)most + 1);
    w->node = calloc(4 * (size_t)bands->nface + 1, sizeof *w->node);
    if (!seen || !w->node) {
        free(seen);
        return an_error_set(AN_FAIL, "out of memory for nodes");
    }
    for (int g = 0; g < bands->ngroup; g++) {
        for (int b = 0; b < w->a->s->nlocal; b++)
            list_nodes(w, b, g, seen);
        find_ends(w, g);
    }
    free(seen);
    return AN_OK;
}

/* ---- dF/dv ---- */

/* Cells whose residuals the value of a face changes; as of targets. */
static int touched_by_faces(const struct work *w, struct an_lists *l)
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
static double step_of(const struct work *w, int v, double at)
{
    const struct an_adjoint_residual *r = &w->a->residual;
    const double rho = r->unit_q[0], sound = r->unit_q[1] / rho, p = r->unit_q[4];
    const double plane[NVALUE] = {rho, sound, sound, sound, p, w->a->nv > 5 ? r->unit_q[5] : 0};
    const double outlet[NVALUE] = {[AN_BC_P] = p, [AN_BC_MEAN_P] = p, [AN_BC_MEAN_U] = sound};
    const double unit = w->kind == AN_TARGET_PLANE ? plane[v] : outlet[v];
    return unit > 0 ? 1e-6 * (fabs(at) + 0.1 * unit) : 0;
}

static int evaluate_values(const struct work *w, const struct difference *d, int c, int v, int side)
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

static void store_values(struct work *w, const struct difference *d, int c, int v)
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

static int by_values(struct work *w)
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

static int place_faces(const struct work *w)
{
    struct an_face_values *v = an_face_values_of(w->a->s);
    for (int k = 0; k < v->level[0].nwindow; k++) {
        const struct an_face_window *win = &v->level[0].window[k];
        if (has_rings(w, win->boundary, NULL))
            AN_TRY(an_face_places(w->a->s, win, v->place + win->values));
    }
    return AN_OK;
}

static void release(struct work *w, struct rings *g)
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
static int set_up(struct work *w, struct rings *g)
{
    struct an_solver *s = w->a->s;
    *g = (struct rings){.bands = NULL};
    AN_TRY(place_faces(w));
    if (w->kind == AN_TARGET_PLANE) {
        AN_TRY(an_mixing_planes(s, &g->m));
        g->bands = g->m.bands;
        AN_CHECK(g->m.n == w->now.m.n && g->m.nface == w->nface, AN_FAIL,
                 "a mixing plane has other rings where a node moves");
        memcpy(g->m.band, w->now.m.band, (size_t)g->m.n * sizeof *g->m.band);
        return AN_OK;
    }
    g->k = w->now.k;
    g->k.bands = NULL;
    g->k.rise = g->k.mean[0] = g->k.mean[1] = g->k.mean[2] = NULL;
    AN_TRY(an_control_bands_new(s, &g->k));
    g->bands = g->k.bands;
    AN_CHECK(g->bands->n == w->now.bands->n, AN_FAIL,
             "an outlet has other rings where a node moves");
    const size_t bytes = (size_t)g->bands->n * sizeof *g->k.rise;
    memcpy(g->k.rise, w->now.k.rise, bytes);
    for (int m = 0; m < 3; m++)
        memcpy(g->k.mean[m], w->now.k.mean[m], bytes);
    return AN_OK;
}

/* What rings give for figure q. */
static double value_of_figure(const struct work *w, const struct rings *g, int q)
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
static int find(struct work *w, double *value)
{
    struct an_adjoint *a = w->a;
    struct an_adjoint_targets *t = &a->residual.targets;
    const struct an_mixing *planes = t->planes;
    const struct an_control *control = t->control;
    struct rings g;
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

/* Moves node p along a direction. */
static void move(const struct work *w, const struct node *p, const double along[3], double by)
{
    for (int c = 0; c < 3; c++)
        *coordinate(w, p->block, p->at, c) += by * along[c];
}

static void put_back(const struct work *w, const struct node *p)
{
    const struct an_solver *s = w->a->s;
    for (int c = 0; c < 3; c++)
        *coordinate(w, p->block, p->at, c) = s->node[p->block][c * count_of(w, p->block) + p->at];
}

/* Towards the middle of the span of the group, a unit vector. */
static void inwards(const struct work *w, const struct node *p, double to[3])
{
    const struct an_band_group *g = &w->now.bands->group[p->group];
    const double y = *coordinate(w, p->block, p->at, 1), z = *coordinate(w, p->block, p->at, 2),
                 r = hypot(y, z);
    const double dx = g->casing[0] - g->hub[0], dr = g->casing[1] - g->hub[1],
                 over = (p->end ? -1 : 1) / hypot(dx, dr);
    to[0] = over * dx;
    to[1] = r > 0 ? over * dr * y / r : 0;
    to[2] = r > 0 ? over * dr * z / r : 0;
}

/* Differences along the axes of one node, which is not an end of the span while it moves. */
static int move_node(struct work *w, int64_t k)
{
    const struct an_adjoint *a = w->a;
    const struct node *p = &w->node[k];
    double in[3] = {0, 0, 0};
    if (p->end < 2)
        inwards(w, p, in);
    for (int c = 0; c < 3; c++) {
        const double along[3] = {c == 0, c == 1, c == 2};
        for (int side = 0; side < 2; side++) {
            move(w, p, in, p->end < 2 ? 8 * p->step : 0);
            move(w, p, along, side ? p->step : -p->step);
            const int status = find(w, w->value + side * a->nfigure);
            put_back(w, p);
            AN_TRY(status);
        }
        for (int q = 0; q < a->nfigure; q++)
            w->slope[(q * w->nnode + k) * 3 + c] =
                (w->value[a->nfigure + q] - w->value[q]) / (2 * p->step);
    }
    return AN_OK;
}

/* The direction d of the (x, r) plane at a node. */
static void direction(const struct work *w, const struct node *p, int d, double to[3])
{
    to[0] = !d;
    for (int c = 1; c < 3; c++)
        to[c] = d && p->q[1] > 0 ? *coordinate(w, p->block, p->at, c) / p->q[1] : 0;
}

/* The nodes of an end of a span together along x (d = 0) or r (1), beyond what each gives alone: a part for each node. */
static int move_end(struct work *w, int group, int end, int d, double **gradient)
{
    const struct an_adjoint *a = w->a;
    int count = 0;
    double step = INFINITY, along[3];
    for (int64_t k = 0; k < w->nnode; k++)
        if (w->node[k].group == group && w->node[k].end == end) {
            count++;
            step = fmin(step, w->node[k].step);
        }
    for (int side = 0; side < 2; side++) {
        for (int64_t k = 0; k < w->nnode; k++)
            if (w->node[k].group == group && w->node[k].end == end) {
                direction(w, &w->node[k], d, along);
                move(w, &w->node[k], along, side ? step : -step);
            }
        const int status = find(w, w->value + side * a->nfigure);
        for (int64_t k = 0; k < w->nnode; k++)
            put_back(w, &w->node[k]);
        AN_TRY(status);
    }
    for (int q = 0; q < a->nfigure; q++) {
        double more = (w->value[a->nfigure + q] - w->value[q]) / (2 * step);
        for (int add = 0; add < 2; add++)
            for (int64_t k = 0; k < w->nnode; k++) {
                const struct node *p = &w->node[k];
                if (p->group != group || p->end != end)
                    continue;
                direction(w, p, d, along);
                double *to = gradient[q * a->s->nlocal + p->block] + p->at;
                for (int c = 0; c < 3; c++)
                    if (add)
                        to[c * count_of(w, p->block)] += along[c] * more / count;
                    else
                        more -= along[c] * w->slope[(q * w->nnode + k) * 3 + c];
            }
    }
    return AN_OK;
}

static int move_nodes(struct work *w, double **gradient)
{
    const struct an_adjoint *a = w->a;
    w->slope = calloc((size_t)(a->nfigure * w->nnode * 3) + 1, sizeof *w->slope);
    w->value = calloc(2 * (size_t)a->nfigure + 1, sizeof *w->value);
    AN_CHECK(w->slope && w->value, AN_FAIL, "out of memory for nodes");
    for (int64_t k = 0; k < w->nnode; k++)
        AN_TRY(move_node(w, k));
    for (int g = 0; g < w->now.bands->ngroup; g++)
        for (int end = 0; end < 2; end++)
            for (int d = 0; d < 2; d++)
                AN_TRY(move_end(w, g, end, d, gradient));
    for (int q = 0; q < a->nfigure; q++)
        for (int64_t k = 0; k < w->nnode; k++)
            for (int c = 0; c < 3; c++) {
                const struct node *p = &w->node[k];
                gradient[q * a->s->nlocal + p->block][c * count_of(w, p->block) + p->at] +=
                    w->slope[(q * w->nnode + k) * 3 + c];
            }
    return AN_OK;
}

static int add_kind(struct an_adjoint *a, double *const *moved, enum an_target_kind kind,
                    double **gradient)
{
    const struct an_mixing *m = an_mixing_of(a->s);
    const struct an_control *k = an_control_of(a->s);
    struct work w = {.a = a, .moved = moved, .kind = kind, .now.k = *k};
    if (m)
        w.now.m = *m;
    w.now.bands = kind == AN_TARGET_PLANE ? w.now.m.bands : k->bands;
    if (!w.now.bands)
        return AN_OK;
    int status = list_faces(&w);
    if (status == AN_OK)
        status = find_nodes(&w);
    if (status == AN_OK)
        status = by_values(&w);
    if (status == AN_OK)
        status = move_nodes(&w, gradient);
    const int placed = place_faces(&w); /* where they were */
    free(w.row);
    free(w.entry);
    free(w.node);
    free(w.by_value);
    free(w.slope);
    free(w.value);
    return status == AN_OK ? placed : status;
}

int an_adjoint_ring_nodes(struct an_adjoint *a, double *const *moved, double **gradient)
{
    AN_TRY(add_kind(a, moved, AN_TARGET_PLANE, gradient));
    return add_kind(a, moved, AN_TARGET_RING, gradient);
}
