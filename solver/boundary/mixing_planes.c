#include "solver/boundary/mixing_planes.h"

#include "solver/boundary/face_values.h"
#include "solver/boundary/plane_pairs.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_plane(const struct an_bc_value *value)
{
    return value->type == AN_BC_MIXING_PLANE;
}

/* 0: the case does not say it. Where the mesh tells of a plane, the case need not. */
static double given_gain(const struct an_case *c, const struct an_topology *t, int b)
{
    const struct an_case_boundary *mine = an_case_boundary_find(c, t->boundary[b].name);
    return mine ? mine->gain : 0;
}

/* A wave needs about 1 / gain iterations for each plane, so a machine with many planes has a larger one. */
double an_mixing_gain(int planes, double one, double other)
{
    const double standard = fmin(fmax(0.05 * planes, 0.1), 0.2);
    return fmin(one > 0 ? one : standard, other > 0 ? other : standard);
}

/* The planes, lower boundary first; group[nboundary] of their sides. */
static int list_planes(struct an_solver *s, struct an_mixing *m, int *group)
{
    const struct an_topology *t = &s->mesh->topology;
    m->plane = calloc((size_t)t->nboundary + 1, sizeof *m->plane);
    AN_CHECK(m->plane, AN_FAIL, "out of memory for mixing planes");
    for (int b = 0; b < t->nboundary; b++)
        group[b] = -1;
    for (int b = 0; b < t->nboundary; b++) {
        if (!is_plane(&s->boundary[b]) || group[b] >= 0)
            continue;
        const int other = an_plane_partner(s->c, t, b);
        struct an_mixing_plane *p = &m->plane[m->nplane];
        p->boundary[0] = b;
        p->boundary[1] = other;
        group[b] = 2 * m->nplane;
        group[other] = 2 * m->nplane + 1;
        m->nplane++;
    }
    for (int n = 0; n < m->nplane; n++) {
        struct an_mixing_plane *p = &m->plane[n];
        p->gain = an_mixing_gain(m->nplane, given_gain(s->c, t, p->boundary[0]),
                                 given_gain(s->c, t, p->boundary[1]));
    }
    return AN_OK;
}

static double apart(const double p[2], const double q[2])
{
    return hypot(p[0] - q[0], p[1] - q[1]);
}

/* Do the sides lie on each other, and are their pitches known? */
static int check_plane(const struct an_solver *s, const struct an_mixing *m, int plane)
{
    const struct an_topology *t = &s->mesh->topology;
    const struct an_mixing_plane *p = &m->plane[plane];
    const struct an_band_group *side[2] = {an_mixing_side_of(m, plane, 0),
                                           an_mixing_side_of(m, plane, 1)};
    const char *name[2];
    for (int n = 0; n < 2; n++) {
        name[n] = t->boundary[p->boundary[n]].name;
        AN_CHECK(
            side[n]->sectors > 0, AN_INPUT,
            "mixing plane: boundary '%s' covers %.6g degrees around the x axis, which is 1/%.4f "
            "of a turn: a mixing plane needs rows of a whole number of passages",
            name[n], side[n]->angle * 180 / acos(-1.0), 2 * acos(-1.0) / side[n]->angle);
    }
    const double span =
        fmin(apart(side[0]->hub, side[0]->casing), apart(side[1]->hub, side[1]->casing));
    const double off =
        fmax(apart(side[0]->hub, side[1]->hub), apart(side[0]->casing, side[1]->casing));
    AN_CHECK(off <= 0.02 * span, AN_INPUT,
             "mixing plane: the spans of '%s' and '%s' do not lie on each other: from (x, r) = "
             "(%.6g, %.6g) to (%.6g, %.6g) m, and from (%.6g, %.6g) to (%.6g, %.6g) m",
             name[0], name[1], side[0]->hub[0], side[0]->hub[1], side[0]->casing[0],
             side[0]->casing[1], side[1]->hub[0], side[1]->hub[1], side[1]->casing[0],
             side[1]->casing[1]);
    const double facing =
        side[0]->normal[0] * side[1]->normal[0] + side[0]->normal[1] * side[1]->normal[1];
    AN_CHECK(facing < -0.9, AN_INPUT,
             "mixing plane: '%s' and '%s' do not face each other: their rows lie on the same side",
             name[0], name[1]);
    return AN_OK;
}

/* Upstream first: its outward normal points along x, or outwards. */
static void order_sides(struct an_mixing *m, int plane, int *group)
{
    struct an_mixing_plane *p = &m->plane[plane];
    struct an_band_group *g = &m->bands->group[2 * plane];
    const double *n = g[0].normal;
    if (n[0] > 1e-3 || (n[0] > -1e-3 && n[1] > 0)) {
        memcpy(p->normal, n, sizeof p->normal);
        return;
    }
    const struct an_band_group swap = g[0];
    const int b = p->boundary[0];
    g[0] = g[1];
    g[1] = swap;
    p->boundary[0] = p->boundary[1];
    p->boundary[1] = b;
    group[p->boundary[0]] = 2 * plane;
    group[p->boundary[1]] = 2 * plane + 1;
    memcpy(p->normal, g[0].normal, sizeof p->normal);
}

/* How many bands of a side lie inside lo .. hi. */
static int inside(const struct an_bands *b, const struct an_band_group *g, double lo, double hi)
{
    int n = 0;
    for (int k = g->first; k < g->first + g->n; k++)
        n += b->lo[k] >= lo - 1e-9 && b->hi[k] <= hi + 1e-9;
    return n;
}

/* Edges of control bands: those of the side with fewer bands, left out where a band between them
 * would hold no whole band of the other side. The last band takes what is left. */
static int control_bands(struct an_mixing *m, int plane)
{
    struct an_mixing_plane *p = &m->plane[plane];
    const struct an_bands *b = m->bands;
    const struct an_band_group *few = an_mixing_side_of(m, plane, 0),
                               *many = an_mixing_side_of(m, plane, 1);
    if (few->n > many->n) {
        few = many;
        many = an_mixing_side_of(m, plane, 0);
    }
    const size_t room = (size_t)(m->n + few->n) + 1;
    double *lo = realloc(m->lo, room * sizeof *lo);
    m->lo = lo ? lo : m->lo;
    double *hi = realloc(m->hi, room * sizeof *hi);
    m->hi = hi ? hi : m->hi;
    AN_CHECK(lo && hi, AN_FAIL, "out of memory for mixing planes");
    p->first = m->n;
    double start = 0;
    for (int k = few->first; k < few->first + few->n; k++) {
        const int last = k == few->first + few->n - 1;
        const double end = last ? 1 : b->hi[k];
        if (inside(b, many, start, end)) {
            m->lo[m->n] = start;
            m->hi[m->n++] = end;
            start = end;
        } else if (last && m->n > p->first) {
            m->hi[m->n - 1] = 1;
        } else if (last) {
            m->lo[m->n] = 0;
            m->hi[m->n++] = 1;
        }
    }
    p->n = m->n - p->first;
    return AN_OK;
}

/* Context of visits to the faces of a side. */
struct visit {
    struct an_mixing *m;
    int plane, side;
    int64_t at;
};

static void count_face(void *context, const struct an_face_place *place, double v[AN_BC_NVALUE])
{
    (void)place, (void)v;
    ((struct visit *)context)->at++;
}

/* Where a fraction of span lies between the middles of control bands. */
static void place_face(void *context, const struct an_face_place *place, double v[AN_BC_NVALUE])
{
    (void)v;
    struct visit *w = context;
    struct an_mixing *m = w->m;
    const struct an_mixing_plane *p = &m->plane[w->plane];
    const double f = an_band_fraction(an_mixing_side_of(m, w->plane, w->side), place->x);
    const double r = hypot(place->x[1], place->x[2]);
    int k = p->first;
    while (k < p->first + p->n - 2 && f > 0.5 * (m->lo[k + 1] + m->hi[k + 1]))
        k++;
    double part = 0;
    if (p->n > 1) {
        const double a = 0.5 * (m->lo[k] + m->hi[k]), b = 0.5 * (m->lo[k + 1] + m->hi[k + 1]);
        part = fmin(fmax((f - a) / (b - a), 0), 1);
    }
    m->face[w->at++] = (struct an_mixing_face){.plane = w->plane,
                                               .side = w->side,
                                               .band = k,
                                               .part = part,
                                               .ey = r > 0 ? place->x[1] / r : 1,
                                               .ez = r > 0 ? place->x[2] / r : 0};
}

static int list_faces(struct an_solver *s, struct an_mixing *m)
{
    const struct an_face_values *values = an_face_values_of(s);
    struct visit w = {.m = m};
    for (int p = 0; p < m->nplane; p++)
        for (int side = 0; side < 2; side++)
            an_face_values_set(s, m->plane[p].boundary[side], count_face, &w);
    m->nface = w.at;
    m->face = calloc((size_t)m->nface + 1, sizeof *m->face);
    AN_CHECK(m->face, AN_FAIL, "out of memory for mixing planes");
    w.at = 0;
    for (w.plane = 0; w.plane < m->nplane; w.plane++)
        for (w.side = 0; w.side < 2; w.side++) {
            const int64_t first = w.at;
            const int boundary = m->plane[w.plane].boundary[w.side];
            an_face_values_set(s, boundary, place_face, &w);
            /* their rows, in the order of the visits */
            int64_t at = first;
            for (int n = 0; n < values->level[0].nwindow; n++) {
                const struct an_face_window *win = &values->level[0].window[n];
                const int64_t count = an_window_faces(&win->window);
                for (int64_t f = 0; win->boundary == boundary && f < count; f++)
                    m->face[at++].row = win->values + f;
            }
        }
    return AN_OK;
}

/* The faces of the planes, for the ghosts behind them. */
static int place_faces(struct an_solver *s, struct an_mixing *m)
{
    struct an_face_window *window;
    int n, kept = 0;
    int status =
        an_bc_windows(&s->level->partition.topology, s->boundary, s->nlocal, s->local, &n, &window);
    for (int w = 0; w < n && status == AN_OK; w++)
        if (is_plane(&s->boundary[window[w].boundary]))
            window[kept++] = window[w];
    if (status == AN_OK)
        status = s->engine->op->faces_new(s->engine, &s->level->layout, kept, window,
                                          s->mesh->topology.nboundary, s->boundary, &m->faces);
    free(window);
    return status;
}

void an_mixing_planes_free(struct an_solver *s, struct an_mixing *m)
{
    an_bands_destroy(s, m->bands);
    if (m->faces)
        s->engine->op->faces_free(s->engine, m->faces);
    free(m->plane);
    free(m->band);
    free(m->lo);
    free(m->hi);
    free(m->sum);
    free(m->face);
}

int an_mixing_planes(struct an_solver *s, struct an_mixing *m)
{
    int *group = malloc(((size_t)s->mesh->topology.nboundary + 1) * sizeof *group);
    int status = group ? AN_OK : an_error_set(AN_FAIL, "out of memory for mixing planes");
    if (status == AN_OK)
        status = list_planes(s, m, group);
    for (int again = 0; again < 2 && status == AN_OK; again++) { /* once more in order */
        an_bands_destroy(s, m->bands);
        status = an_bands_new(s, 2 * m->nplane, group, &m->bands);
        for (int p = 0; p < m->nplane && status == AN_OK; p++) {
            status = check_plane(s, m, p);
            if (status == AN_OK)
                order_sides(m, p, group);
        }
    }
    free(group);
    AN_TRY(status);
    for (int p = 0; p < m->nplane; p++)
        AN_TRY(control_bands(m, p));
    m->band = calloc((size_t)m->n + 1, sizeof *m->band);
    m->sum = calloc((size_t)m->bands->n + 1, sizeof *m->sum);
    AN_CHECK(m->band && m->sum, AN_FAIL, "out of memory for mixing planes");
    AN_TRY(list_faces(s, m));
    return place_faces(s, m);
}
