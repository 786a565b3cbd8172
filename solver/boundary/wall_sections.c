#include "solver/boundary/wall_sections.h"

#include "solver/boundary/wall_outline.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LEVELS = 64 }; /* spans that sections are cut at */

/* A piece of a section from its point to the next one. */
struct part {
    struct an_wall_point at;
    int half; /* 0: from the leading edge in the order of the points, 1: against it */
    double arc[2], chord[2]; /* at its two ends */
};

struct section {
    int n;
    struct part *part; /* [n + 1] a closed curve; the last point is the first one again; owned */
    struct an_wall_point edge[2]; /* leading and trailing edge */
    int upper;                    /* the half towards +t */
    double length[2];             /* m: of the halves */
    double camber, thickness; /* m2: areas between mean line and chord, and between the halves */
};

struct an_wall_sections {
    struct an_wall_surface surface; /* without patches */
    struct an_wall_outline outline;
    int nlevel;
    struct section *section; /* [blades][nlevel]; n 0: there is none; owned */
    int suction_up;          /* 1: the suction side is the one towards +t */
};

/* ---- cutting ---- */

/* The point of a span on the edge between nodes a and b of a patch; the same bits from both faces of the edge. */
static struct an_wall_point cut(const struct an_wall_outline *o, int p, int64_t a, int64_t b,
                                double span)
{
    const struct an_wall_point *x = o->node[p];
    const int64_t lo = a < b ? a : b, hi = a < b ? b : a;
    const double part = (span - o->span[p][lo]) / (o->span[p][hi] - o->span[p][lo]);
    return (struct an_wall_point){x[lo].a + part * (x[hi].a - x[lo].a),
                                  x[lo].h + part * (x[hi].h - x[lo].h),
                                  x[lo].t + part * an_wall_turn(o->surface, x[hi].t - x[lo].t)};
}

/* The pieces of a section in the faces of a blade. Returns their number. */
static int cut_blade(const struct an_wall_outline *o, int blade, double span,
                     struct an_wall_piece *piece)
{
    int n = 0;
    for (int p = 0; p < o->surface->npatch; p++) {
        const int *faces = o->surface->patch[p].n;
        const int64_t wide = faces[0] + 1;
        for (int b = 0; b < faces[1] && o->blade[p] == blade; b++)
            for (int a = 0; a < faces[0]; a++) {
                const int64_t first = b * wide + a;
                const int64_t corner[4] = {first, first + 1, first + 1 + wide, first + wide};
                struct an_wall_point at[4];
                int found = 0;
                for (int e = 0; e < 4; e++) {
                    const int64_t i = corner[e], j = corner[(e + 1) % 4];
                    if ((o->span[p][i] >= span) != (o->span[p][j] >= span))
                        at[found++] = cut(o, p, i, j, span);
                }
                for (int m = 0; m + 1 < found; m += 2)
                    piece[n++] = (struct an_wall_piece){{at[m], at[m + 1]}};
            }
    }
    return n;
}

/* The piece that goes on from a point, and which end of it lies there; -1: none. Pieces that follow each other in the
 * list come first. */
static int next_piece(const struct an_wall_outline *o, int n, const struct an_wall_piece *piece,
                      const char *used, int after, const struct an_wall_point *at, int *end)
{
    const double near = 1e-6 * o->size;
    for (int m = 0; m < n + 2; m++) {
        const int k = m == 0 ? after + 1 : m == 1 ? after - 1 : m - 2;
        if (k < 0 || k >= n || used[k])
            continue;
        for (*end = 0; *end < 2; (*end)++) {
            const struct an_wall_point *q = &piece[k].end[*end];
            if (fabs(q->a - at->a) <= near && an_wall_length(o->surface, q, at) <= near)
                return k;
        }
    }
    return -1;
}

/* Length of the closed curve through piece `first`, whose points go to at[]; 0: the curve is not closed. */
static double follow(const struct an_wall_outline *o, int n, const struct an_wall_piece *piece,
                     char *used, int first, struct an_wall_point *at, int *count)
{
    double length = 0;
    int k = first, end = 0;
    *count = 0;
    at[(*count)++] = piece[k].end[0];
    while (k >= 0) {
        used[k] = 1;
        const struct an_wall_point *before = &at[*count - 1], *q = &piece[k].end[!end];
        struct an_wall_point next = *q;
        next.t = before->t + an_wall_turn(o->surface, q->t - before->t);
        const double step = an_wall_length(o->surface, before, &next);
        length += step;
        if (step > 1e-12 * o->size)
            at[(*count)++] = next;
        k = next_piece(o, n, piece, used, k, &next, &end);
    }
    const int closed =
        *count > 4 && an_wall_length(o->surface, &at[0], &at[*count - 1]) <= 1e-6 * o->size;
    *count -= closed; /* the last point is the first one again */
    return closed ? length : 0;
}

/* The longest closed curve of a section. n 0: there is none. */
static int find_curve(const struct an_wall_outline *o, int blade, double span, struct section *to)
{
    const size_t room = (size_t)o->of[blade].npiece + 2;
    struct an_wall_piece *piece = malloc(room * sizeof *piece);
    struct an_wall_point *at = malloc(room * sizeof *at);
    char *used = calloc(room, 1);
    int status =
        piece && at && used ? AN_OK : an_error_set(AN_FAIL, "out of memory for sections of a wall");
    const int n = status == AN_OK ? cut_blade(o, blade, span, piece) : 0;
    double longest = 0;
    for (int m = 0; m < n && status == AN_OK; m++) {
        int count = 0;
        const double length = used[m] ? 0 : follow(o, n, piece, used, m, at, &count);
        if (!(length > longest))
            continue;
        longest = length;
        free(to->part);
        to->n = count;
        to->part = calloc((size_t)count + 1, sizeof *to->part);
        if (!to->part)
            status = an_error_set(AN_FAIL, "out of memory for sections of a wall");
        for (int k = 0; k <= count && status == AN_OK; k++)
            to->part[k].at = at[k % count];
    }
    free(piece);
    free(at);
    free(used);
    return status;
}

/* ---- edges, sides and lengths of a section ---- */

static int farthest(const struct section *c, int from)
{
    int found = from;
    double most = 0;
    for (int k = 0; k < c->n; k++) {
        const double da = c->part[k].at.a - c->part[from].at.a,
                     dh = c->part[k].at.h - c->part[from].at.h;
        if (da * da + dh * dh > most) {
            most = da * da + dh * dh;
            found = k;
        }
    }
    return found;
}

/* Points of the leading and the trailing edge. */
static void find_edges(const struct an_wall_surface *s, const struct section *c, int edge[2])
{
    edge[0] = farthest(c, farthest(c, 0));
    edge[1] = farthest(c, edge[0]);
    const struct an_wall_point *p = &c->part[edge[0]].at, *q = &c->part[edge[1]].at;
    if (s->flow[0] * (q->a - p->a) + s->flow[1] * (q->h - p->h) < 0) {
        const int first = edge[0];
        edge[0] = edge[1];
        edge[1] = first;
    }
}

/* Fraction of the chord at a point, between the edges l and t. */
static double chord_at(const struct an_wall_point *l, const struct an_wall_point *t,
                       const struct an_wall_point *p)
{
    const double da = t->a - l->a, dh = t->h - l->h;
    return ((p->a - l->a) * da + (p->h - l->h) * dh) / (da * da + dh * dh);
}

/* Lengths and chords along one half, from the leading to the trailing edge; returns the area between half and chord, m2,
 * positive towards +t. */
static double measure_half(const struct an_wall_surface *s, struct section *c, const int edge[2],
                           int half)
{
    const int step = half ? -1 : 1;
    const struct an_wall_point *l = &c->part[edge[0]].at, *e = &c->part[edge[1]].at;
    double length = 0, area = 0, off = 0, chord = 0;
    for (int pass = 0; pass < 2; pass++) {
        double so_far = 0;
        for (int k = edge[0]; k != edge[1]; k = (k + step + c->n) % c->n) {
            const int next = (k + step + c->n) % c->n;
            struct part *part = &c->part[half ? next : k];
            const struct an_wall_point *p = &c->part[k].at, *q = &c->part[next].at;
            const double size = an_wall_length(s, p, q);
            if (pass == 0) {
                length += size;
                continue;
            }
            const double r = s->axes.cartesian ? 1 : q->h, to = chord_at(l, e, q);
            const double off_next = r * an_wall_turn(s, q->t - l->t - to * (e->t - l->t));
            area += 0.5 * (off + off_next) * (to - chord);
            part->half = half;
            part->arc[half] = so_far / length;
            part->arc[!half] = (so_far + size) / length;
            part->chord[half] = chord;
            part->chord[!half] = to;
            so_far += size;
            chord = to;
            off = off_next;
        }
    }
    c->length[half] = length;
    return area * hypot(e->a - l->a, e->h - l->h);
}

static void measure(const struct an_wall_surface *s, struct section *c)
{
    int edge[2];
    find_edges(s, c, edge);
    for (int m = 0; m < 2; m++)
        c->edge[m] = c->part[edge[m]].at;
    const double area[2] = {measure_half(s, c, edge, 0), measure_half(s, c, edge, 1)};
    c->upper = area[1] > area[0];
    c->camber = area[0] + area[1];
    c->thickness = fabs(area[0] - area[1]);
}

/* ---- all sections ---- */

/* One section is enough where the faces reach from hub to tip, as they do in a plane cascade. */
static int levels_of(const struct an_wall_outline *o)
{
    for (int p = 0; p < o->surface->npatch; p++) {
        const int *n = o->surface->patch[p].n;
        for (int64_t m = 0; m < (int64_t)(n[0] + 1) * (n[1] + 1); m++)
            if (o->span[p][m] > 1e-6 && o->span[p][m] < 1 - 1e-6)
                return MOST_LEVELS;
    }
    return 1;
}

static int find_sections(struct an_wall_sections *w, int with_sides)
{
    const struct an_wall_outline *o = &w->outline;
    const struct an_wall_surface *s = o->surface;
    double camber = 0, thickness = 0;
    w->nlevel = levels_of(o);
    w->section = calloc((size_t)o->nblade * (size_t)w->nlevel + 1, sizeof *w->section);
    AN_CHECK(w->section, AN_FAIL, "out of memory for sections of a wall");
    for (int b = 0; b < o->nblade; b++) {
        int found = 0;
        for (int l = 0; l < w->nlevel; l++) {
            struct section *c = &w->section[b * w->nlevel + l];
            AN_TRY(find_curve(o, b, (l + 0.5) / w->nlevel, c));
            if (c->n < 4)
                continue;
            found++;
            measure(s, c);
            camber += c->camber;
            thickness += c->thickness;
        }
        AN_CHECK(found, AN_INPUT,
                 "the wall is no whole surface of blades: its sections at constant span are not "
                 "closed curves");
    }
    AN_CHECK(!with_sides || fabs(camber) > 0.01 * thickness, AN_INPUT,
             "the wall has no suction side: its two sides are alike");
    w->suction_up = camber > 0;
    return AN_OK;
}

int an_wall_sections_new(const struct an_wall_surface *surface, int with_sides,
                         struct an_wall_sections **sections)
{
    struct an_wall_sections *w = calloc(1, sizeof *w);
    *sections = w;
    AN_CHECK(w, AN_FAIL, "out of memory for sections of a wall");
    w->surface = *surface;
    int status = an_wall_outline_find(&w->surface, &w->outline);
    if (status == AN_OK)
        status = find_sections(w, with_sides);
    if (status != AN_OK) {
        an_wall_sections_free(w);
        *sections = NULL;
    }
    return status;
}

void an_wall_sections_free(struct an_wall_sections *w)
{
    if (!w)
        return;
    for (int n = 0; w->section && n < w->outline.nblade * w->nlevel; n++)
        free(w->section[n].part);
    free(w->section);
    an_wall_outline_free(&w->outline);
    free(w);
}

/* ---- places ---- */

/* The nearest place of a section. */
struct near {
    double distance; /* m2: squared */
    enum an_wall_side side;
    double arc, chord, whole; /* whole: length of that side, m */
};

static void look_at(const struct an_wall_sections *w, const struct section *c,
                    const struct an_wall_point *p, struct near *near)
{
    for (int k = 0; k < c->n; k++) {
        const struct part *part = &c->part[k];
        double v[3], d[3], dv = 0, dd = 0, distance = 0;
        an_wall_vector(&w->surface, &part->at, p, v);
        an_wall_vector(&w->surface, &part->at, &part[1].at, d);
        for (int m = 0; m < 3; m++) {
            dv += d[m] * v[m];
            dd += d[m] * d[m];
        }
        const double at = dd > 0 ? fmax(0, fmin(dv / dd, 1)) : 0;
        for (int m = 0; m < 3; m++)
            distance += (v[m] - at * d[m]) * (v[m] - at * d[m]);
        if (distance >= near->distance)
            continue;
        const int up = part->half == c->upper;
        near->distance = distance;
        near->side = up == w->suction_up ? AN_SIDE_SUCTION : AN_SIDE_PRESSURE;
        near->whole = c->length[part->half];
        near->arc = part->arc[0] + at * (part->arc[1] - part->arc[0]);
        near->chord = part->chord[0] + at * (part->chord[1] - part->chord[0]);
    }
}

/* The section of a blade next to a level, in a direction; NULL: none. */
static const struct section *section_at(const struct an_wall_sections *w, int blade, int level,
                                        int step)
{
    for (int l = level; l >= 0 && l < w->nlevel; l += step)
        if (w->section[blade * w->nlevel + l].n)
            return &w->section[blade * w->nlevel + l];
    return NULL;
}

/* A point of span between two sections (part 0: the first, 1: the second), moved as far as the edges of the blade move
 * from there to section m: blades are swept and lean. */
static struct an_wall_point move_to(const struct an_wall_sections *w,
                                    const struct section *const c[2], double part, int m,
                                    struct an_wall_point p)
{
    struct an_wall_point edge[2], by[2];
    for (int e = 0; e < 2; e++) {
        const struct an_wall_point *q = &c[0]->edge[e], *r = &c[1]->edge[e], *to = &c[m]->edge[e];
        const double dt = an_wall_turn(&w->surface, r->t - q->t);
        edge[e] = (struct an_wall_point){q->a + part * (r->a - q->a), q->h + part * (r->h - q->h),
                                         q->t + part * dt};
        by[e] = (struct an_wall_point){to->a - edge[e].a, to->h - edge[e].h,
                                       an_wall_turn(&w->surface, to->t - edge[e].t)};
    }
    const double chord = fmax(0, fmin(chord_at(&edge[0], &edge[1], &p), 1));
    p.a += by[0].a + chord * (by[1].a - by[0].a);
    p.h += by[0].h + chord * (by[1].h - by[0].h);
    p.t += by[0].t + chord * (by[1].t - by[0].t);
    return p;
}

/* Between two places, around the leading or the trailing edge where they lie on different sides. */
static struct an_wall_spot between(const struct near *p, const struct near *q, double part)
{
    struct an_wall_spot spot = {.side = p->side, .chord = p->chord + part * (q->chord - p->chord)};
    const int rear = p->arc + q->arc > 1;
    const double from = rear ? 1 - p->arc : p->arc, to = rear ? 1 - q->arc : q->arc;
    double mean = from + part * ((p->side == q->side ? to : -to) - from);
    /* where the places lie on two sides, the length is that of the one which counts */
    const double whole = p->side == q->side ? p->whole + part * (q->whole - p->whole)
                         : mean < 0         ? q->whole
                                            : p->whole;
    if (mean < 0)
        spot.side = q->side;
    mean = fabs(mean);
    spot.arc = rear ? 1 - mean : mean;
    spot.length = spot.arc * whole;
    spot.chord = fmax(0, fmin(spot.chord, 1));
    return spot;
}

struct an_wall_spot an_wall_sections_at(const struct an_wall_sections *w, const double x[3])
{
    const struct an_wall_surface *s = &w->surface;
    struct an_wall_spot spot = {.side = AN_SIDE_SUCTION};
    double least = INFINITY;
    for (int b = 0; b < w->outline.nblade; b++)
        for (int shift = -1; shift <= 1; shift++) {
            struct an_wall_point p = an_wall_point_of(s, x);
            if (shift && !(s->pitch > 0))
                continue;
            p.t += shift * s->pitch;
            if (!an_wall_blade_holds(s, &w->outline.of[b], &p))
                continue;
            const double span = an_wall_span(&w->outline.of[b], &p);
            const double level = span * w->nlevel - 0.5;
            const int below = (int)fmax(0, fmin(floor(level), w->nlevel - 2));
            const struct section *c[2] = {section_at(w, b, below, -1),
                                          section_at(w, b, below + 1, 1)};
            c[0] = c[0] ? c[0] : c[1];
            c[1] = c[1] ? c[1] : c[0];
            struct near near[2] = {{.distance = INFINITY}, {.distance = INFINITY}};
            for (int m = 0; m < 2; m++) {
                const struct an_wall_point q = move_to(w, c, level - below, m, p);
                look_at(w, c[m], &q, &near[m]);
            }
            const double distance = fmin(near[0].distance, near[1].distance);
            if (!(distance < least))
                continue;
            least = distance;
            spot = between(&near[0], &near[1], fmax(0, fmin(level - below, 1)));
            spot.span = span;
        }
    return spot;
}

void an_wall_sections_lengths(const struct an_wall_sections *w, double length[AN_NSIDE])
{
    const int middle = w->nlevel / 2;
    const struct section *c = section_at(w, 0, middle, 1);
    if (!c)
        c = section_at(w, 0, middle, -1);
    const int suction = w->suction_up ? c->upper : !c->upper;
    length[AN_SIDE_SUCTION] = c->length[suction];
    length[AN_SIDE_PRESSURE] = c->length[!suction];
}
