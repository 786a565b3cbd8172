#include "solver/boundary/wall_outline.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

struct an_wall_point an_wall_point_of(const struct an_wall_surface *s, const double x[3])
{
    const struct an_flow_axes *g = &s->axes;
    if (!g->cartesian)
        return (struct an_wall_point){x[0], hypot(x[1], x[2]), atan2(x[2], x[1])};
    double v[3] = {0, 0, 0};
    for (int c = 0; c < 3; c++) {
        v[0] += g->axial[c] * x[c];
        v[1] += g->span[c] * x[c];
        v[2] += g->pitch[c] * x[c];
    }
    return (struct an_wall_point){v[0], v[1], v[2]};
}

double an_wall_turn(const struct an_wall_surface *s, double t)
{
    return s->axes.cartesian ? t : remainder(t, 2 * PI);
}

void an_wall_vector(const struct an_wall_surface *s, const struct an_wall_point *p,
                    const struct an_wall_point *q, double v[3])
{
    v[0] = q->a - p->a;
    v[1] = q->h - p->h;
    v[2] = an_wall_turn(s, q->t - p->t) * (s->axes.cartesian ? 1 : 0.5 * (p->h + q->h));
}

double an_wall_length(const struct an_wall_surface *s, const struct an_wall_point *p,
                      const struct an_wall_point *q)
{
    double v[3];
    an_wall_vector(s, p, q, v);
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* ---- edges ---- */

/* A piece of the outer edges of a patch. */
struct edge {
    struct an_wall_piece piece;
    struct an_wall_point middle;
    double length;
    int patch, mate; /* mate: the patch on the other side; -1: none */
    int shift;       /* pitches by which that patch has to be moved to join this one */
    int group;       /* of pieces that are joined; its first edge */
};

static int along_axis(const void *p, const void *q)
{
    const double a = ((const struct edge *)p)->middle.a, b = ((const struct edge *)q)->middle.a;
    return a < b ? -1 : a > b;
}

/* The outer edges of all patches, sorted along the axis. */
static int list_edges(const struct an_wall_outline *o, int *n, struct edge **edge)
{
    const struct an_wall_surface *s = o->surface;
    size_t room = 1;
    for (int p = 0; p < s->npatch; p++)
        room += 2 * (size_t)(s->patch[p].n[0] + s->patch[p].n[1]);
    *n = 0;
    *edge = calloc(room, sizeof **edge);
    AN_CHECK(*edge, AN_FAIL, "out of memory for sections of a wall");
    for (int p = 0; p < s->npatch; p++)
        for (int side = 0; side < 4; side++) {
            const int d = side >> 1, count = s->patch[p].n[d], wide = s->patch[p].n[0] + 1;
            const int step = d ? wide : 1, across = d ? 1 : wide;
            const struct an_wall_point *at =
                o->node[p] + (side & 1 ? (int64_t)across * s->patch[p].n[!d] : 0);
            for (int m = 0; m < count; m++) {
                struct edge *e = &(*edge)[*n];
                const struct an_wall_point *q = at + (int64_t)m * step;
                *e = (struct edge){.piece = {{q[0], q[step]}}, .patch = p, .mate = -1, .group = -1};
                e->middle =
                    (struct an_wall_point){0.5 * (q[0].a + q[step].a), 0.5 * (q[0].h + q[step].h),
                                           q[0].t + 0.5 * an_wall_turn(s, q[step].t - q[0].t)};
                e->length = an_wall_length(s, &q[0], &q[step]);
                *n += e->length > 1e-12 * o->size;
            }
        }
    qsort(*edge, (size_t)*n, sizeof **edge, along_axis);
    return AN_OK;
}

/* How far apart points may be that two edges share: rounding of the coordinates. */
static double nearness(const struct an_wall_outline *o, const struct edge *e, const struct edge *f)
{
    return 1e-3 * fmin(e->length, f->length) + 1e-6 * o->size;
}

/* Joins edges that lie on each other when the second is moved by a number of pitches. */
static void join_edges(const struct an_wall_outline *o, int n, struct edge *edge, int pitches)
{
    const struct an_wall_surface *s = o->surface;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++) {
            struct edge *e = &edge[i], *f = &edge[j];
            if (f->middle.a - e->middle.a > nearness(o, e, e))
                break;
            for (int sign = -1; sign <= 1 && e->mate < 0 && f->mate < 0; sign += 2) {
                struct an_wall_point moved = f->middle;
                moved.t += sign * pitches * s->pitch;
                if (an_wall_length(s, &e->middle, &moved) > nearness(o, e, f))
                    continue;
                e->mate = f->patch;
                f->mate = e->patch;
                e->shift = sign * pitches;
                f->shift = -e->shift;
            }
        }
}

/* Patches that share edges are one blade; patches beyond the pitch are moved there. */
static int join_patches(struct an_wall_outline *o, int n, struct edge *edge)
{
    const struct an_wall_surface *s = o->surface;
    int *shift = calloc((size_t)s->npatch + 1, sizeof *shift);
    AN_CHECK(shift, AN_FAIL, "out of memory for sections of a wall");
    for (int p = 0; p < s->npatch; p++)
        o->blade[p] = -1;
    for (int p = 0; p < s->npatch; p++) {
        if (o->blade[p] >= 0)
            continue;
        o->blade[p] = o->nblade;
        for (int more = 1; more;) {
            more = 0;
            for (int m = 0; m < n; m++)
                if (edge[m].mate >= 0 && o->blade[edge[m].patch] == o->nblade &&
                    o->blade[edge[m].mate] < 0) {
                    o->blade[edge[m].mate] = o->nblade;
                    shift[edge[m].mate] = shift[edge[m].patch] + edge[m].shift;
                    more = 1;
                }
        }
        o->nblade++;
    }
    for (int p = 0; p < s->npatch; p++) {
        const int64_t nodes = (int64_t)(s->patch[p].n[0] + 1) * (s->patch[p].n[1] + 1);
        for (int64_t m = 0; m < nodes; m++)
            o->node[p][m].t += shift[p] * s->pitch;
    }
    for (int m = 0; m < n; m++)
        for (int end = 0; end < 2; end++)
            edge[m].piece.end[end].t += shift[edge[m].patch] * s->pitch;
    free(shift);
    return AN_OK;
}

/* ---- hub and tip ---- */

static int root(const struct edge *edge, int e)
{
    while (edge[e].group != e)
        e = edge[e].group;
    return e;
}

/* Groups of edges of a blade that no other face shares and that touch each other. Returns their number; first[2] are the
 * edges that stand for the first two groups. */
static int group_edges(const struct an_wall_outline *o, int blade, int n, struct edge *edge,
                       int first[2])
{
    int found = 0;
    for (int i = 0; i < n; i++)
        edge[i].group = edge[i].mate < 0 && o->blade[edge[i].patch] == blade ? i : -1;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n && edge[i].group >= 0; j++) {
            if (edge[j].group < 0)
                continue;
            const double near = nearness(o, &edge[i], &edge[j]);
            for (int k = 0; k < 4; k++) {
                const struct an_wall_point *p = &edge[i].piece.end[k & 1];
                const struct an_wall_point *q = &edge[j].piece.end[k >> 1];
                if (fabs(p->a - q->a) <= near && an_wall_length(o->surface, p, q) <= near)
                    edge[root(edge, j)].group = root(edge, i);
            }
        }
    for (int i = 0; i < n; i++)
        if (edge[i].group == i) {
            if (found < 2)
                first[found] = i;
            found++;
        }
    return found;
}

static int copy_edges(int n, const struct edge *edge, int group, struct an_wall_blade *b, int end,
                      double mean[2])
{
    b->edge[end] = calloc((size_t)n + 2, sizeof *b->edge[end]);
    AN_CHECK(b->edge[end], AN_FAIL, "out of memory for sections of a wall");
    double length = 0;
    mean[0] = mean[1] = 0;
    for (int i = 0; i < n; i++) {
        if (edge[i].group < 0 || root(edge, i) != group)
            continue;
        b->edge[end][b->nedge[end]++] = edge[i].piece;
        length += edge[i].length;
        mean[0] += edge[i].length * edge[i].middle.a;
        mean[1] += edge[i].length * edge[i].middle.h;
    }
    mean[0] /= length;
    mean[1] /= length;
    return AN_OK;
}

/* The point of an edge that is farthest from p in the plane (a, h). */
static struct an_wall_point farthest(int n, const struct an_wall_piece *piece,
                                     const struct an_wall_point *p)
{
    struct an_wall_point found = *p;
    double most = 0;
    for (int m = 0; m < n; m++) {
        const struct an_wall_point *q = &piece[m].end[0];
        const double distance = hypot(q->a - p->a, q->h - p->h);
        if (distance > most) {
            most = distance;
            found = *q;
        }
    }
    return found;
}

/* Goes on with an edge beyond its two ends in the plane (a, h), so that the blade may begin ahead of it and end behind
 * it: along the line from the mean of the points near the end. There is room for two more pieces. */
static void extend(const struct an_wall_outline *o, struct an_wall_blade *b, int end)
{
    const double part = 0.15; /* of the length: what is near */
    const int n = b->nedge[end];
    struct an_wall_piece *piece = b->edge[end];
    struct an_wall_point tip[2];
    tip[0] = farthest(n, piece, &piece[0].end[0]);
    tip[1] = farthest(n, piece, &tip[0]);
    const double length = hypot(tip[1].a - tip[0].a, tip[1].h - tip[0].h);
    for (int m = 0; m < 2 && length > 0; m++) {
        double da = 0, dh = 0;
        for (int k = 0; k < n; k++) {
            const double va = tip[m].a - piece[k].end[0].a, vh = tip[m].h - piece[k].end[0].h;
            if (hypot(va, vh) <= part * length) {
                da += va;
                dh += vh;
            }
        }
        const double size = hypot(da, dh);
        if (!(size > 0))
            continue;
        struct an_wall_piece *more = &piece[b->nedge[end]++];
        more->end[0] = more->end[1] = tip[m];
        more->end[1].a += o->size * da / size;
        more->end[1].h += o->size * dh / size;
    }
}

/* Edges at hub and tip: that of the smaller radius (height), or x where that differs more, is the hub. */
static int find_ends(struct an_wall_outline *o, int blade, int n, struct edge *edge)
{
    struct an_wall_blade *b = &o->of[blade];
    int first[2];
    double mean[2][2];
    const int groups = group_edges(o, blade, n, edge, first);
    AN_CHECK(groups == 1 || groups == 2, AN_INPUT,
             "the wall has no span: faces of a blade end at its hub and its tip, and these have %d "
             "edges that other faces do not share",
             groups);
    for (int end = 0; end < groups; end++)
        AN_TRY(copy_edges(n, edge, first[end], b, end, mean[end]));
    for (int end = 0; end < groups; end++)
        extend(o, b, end);
    if (groups == 1)
        return AN_OK;
    const double da = mean[1][0] - mean[0][0], dh = mean[1][1] - mean[0][1];
    if ((fabs(dh) >= fabs(da) ? dh : da) < 0) {
        struct an_wall_piece *edges = b->edge[0];
        const int nedges = b->nedge[0];
        b->edge[0] = b->edge[1];
        b->nedge[0] = b->nedge[1];
        b->edge[1] = edges;
        b->nedge[1] = nedges;
    }
    return AN_OK;
}

/* Distance of a point from pieces in the plane (a, h). */
static double distance_from(int n, const struct an_wall_piece *piece, const struct an_wall_point *p)
{
    double least = INFINITY;
    for (int m = 0; m < n; m++) {
        const struct an_wall_point *q = piece[m].end;
        const double da = q[1].a - q[0].a, dh = q[1].h - q[0].h, all = da * da + dh * dh;
        double part = all > 0 ? ((p->a - q[0].a) * da + (p->h - q[0].h) * dh) / all : 0;
        part = fmax(0, fmin(part, 1));
        const double va = p->a - q[0].a - part * da, vh = p->h - q[0].h - part * dh;
        least = fmin(least, va * va + vh * vh);
    }
    return sqrt(least);
}

double an_wall_span(const struct an_wall_blade *b, const struct an_wall_point *p)
{
    const double below = distance_from(b->nedge[0], b->edge[0], p);
    const double above =
        b->nedge[1] ? distance_from(b->nedge[1], b->edge[1], p) : fmax(b->height - below, 0);
    return below + above > 0 ? below / (below + above) : 0;
}

int an_wall_blade_holds(const struct an_wall_surface *s, const struct an_wall_blade *b,
                        const struct an_wall_point *p)
{
    const double half = 0.5 * (b->t[1] - b->t[0]), slack = 1e-3 * half + 1e-9;
    return fabs(an_wall_turn(s, p->t - b->t[0] - half)) <= half + slack;
}

/* Ranges of t of all blades. */
static void find_ranges(struct an_wall_outline *o)
{
    const struct an_wall_surface *s = o->surface;
    for (int p = 0; p < s->npatch; p++) {
        struct an_wall_blade *b = &o->of[o->blade[p]];
        const int64_t nodes = (int64_t)(s->patch[p].n[0] + 1) * (s->patch[p].n[1] + 1);
        if (b->npiece == 0)
            b->t[0] = b->t[1] = o->node[p][0].t;
        b->npiece += 2 * s->patch[p].n[0] * s->patch[p].n[1];
        for (int64_t m = 0; m < nodes; m++) {
            const double t = b->t[0] + an_wall_turn(s, o->node[p][m].t - b->t[0]);
            b->t[1] = fmax(b->t[1], t);
            b->t[0] = fmin(b->t[0], t);
        }
    }
}

static void find_spans(struct an_wall_outline *o)
{
    const struct an_wall_surface *s = o->surface;
    for (int pass = 0; pass < 2; pass++)
        for (int p = 0; p < s->npatch; p++) {
            struct an_wall_blade *b = &o->of[o->blade[p]];
            const int64_t nodes = (int64_t)(s->patch[p].n[0] + 1) * (s->patch[p].n[1] + 1);
            for (int64_t m = 0; m < nodes && pass == 0 && !b->nedge[1]; m++)
                b->height = fmax(b->height, distance_from(b->nedge[0], b->edge[0], &o->node[p][m]));
            for (int64_t m = 0; m < nodes && pass == 1; m++)
                o->span[p][m] = an_wall_span(b, &o->node[p][m]);
        }
}

static int make_nodes(struct an_wall_outline *o)
{
    const struct an_wall_surface *s = o->surface;
    double lo[3] = {INFINITY, INFINITY, INFINITY}, hi[3] = {-INFINITY, -INFINITY, -INFINITY};
    o->node = calloc((size_t)s->npatch + 1, sizeof *o->node);
    o->span = calloc((size_t)s->npatch + 1, sizeof *o->span);
    o->blade = calloc((size_t)s->npatch + 1, sizeof *o->blade);
    AN_CHECK(o->node && o->span && o->blade, AN_FAIL, "out of memory for sections of a wall");
    for (int p = 0; p < s->npatch; p++) {
        const int64_t nodes = (int64_t)(s->patch[p].n[0] + 1) * (s->patch[p].n[1] + 1);
        o->node[p] = malloc((size_t)nodes * sizeof *o->node[p]);
        o->span[p] = malloc((size_t)nodes * sizeof *o->span[p]);
        AN_CHECK(o->node[p] && o->span[p], AN_FAIL, "out of memory for sections of a wall");
        for (int64_t m = 0; m < nodes; m++) {
            double x[3];
            for (int c = 0; c < 3; c++) {
                x[c] = s->patch[p].x[c * nodes + m];
                lo[c] = fmin(lo[c], x[c]);
                hi[c] = fmax(hi[c], x[c]);
            }
            o->node[p][m] = an_wall_point_of(s, x);
        }
    }
    for (int c = 0; c < 3 && s->npatch; c++)
        o->size = fmax(o->size, hi[c] - lo[c]);
    return AN_OK;
}

int an_wall_outline_find(const struct an_wall_surface *surface, struct an_wall_outline *o)
{
    struct edge *edge = NULL;
    int n, status;
    o->surface = surface;
    AN_TRY(make_nodes(o));
    status = list_edges(o, &n, &edge);
    if (status == AN_OK) {
        join_edges(o, n, edge, 0);
        if (surface->pitch > 0)
            join_edges(o, n, edge, 1);
        status = join_patches(o, n, edge);
    }
    if (status == AN_OK) {
        o->of = calloc((size_t)o->nblade + 1, sizeof *o->of);
        status = o->of ? AN_OK : an_error_set(AN_FAIL, "out of memory for sections of a wall");
    }
    for (int b = 0; b < o->nblade && status == AN_OK; b++)
        status = find_ends(o, b, n, edge);
    free(edge);
    AN_TRY(status);
    find_ranges(o);
    find_spans(o);
    return AN_OK;
}

void an_wall_outline_free(struct an_wall_outline *o)
{
    for (int p = 0; o->node && o->span && p < o->surface->npatch; p++) {
        free(o->node[p]);
        free(o->span[p]);
    }
    for (int b = 0; o->of && b < o->nblade; b++) {
        free(o->of[b].edge[0]);
        free(o->of[b].edge[1]);
    }
    free(o->node);
    free(o->span);
    free(o->blade);
    free(o->of);
}
