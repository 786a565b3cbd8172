// Coolant holes in space, and their sections on the layers of the metal.
#include "metal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct vec3 {
    double x[3];
};

static struct vec3 axis_at(const struct channel *c, double t)
{
    struct vec3 p;
    for (int d = 0; d < 3; d++)
        p.x[d] = spline_value(c->n, c->t, c->x[d], c->x2[d], t);
    return p;
}

// Two unit vectors normal to the axis at t, and to each other.
static void frame_at(const struct channel *c, double t, struct vec3 *first, struct vec3 *second)
{
    const double e = 1e-4;
    const struct vec3 a = axis_at(c, t - e), b = axis_at(c, t + e);
    double along[3], size = 0, part, rest = 0;
    for (int d = 0; d < 3; d++)
        size = hypot(size, along[d] = b.x[d] - a.x[d]);
    part = along[c->aside] / size;
    for (int d = 0; d < 3; d++)
        rest = hypot(rest, first->x[d] = (d == c->aside) - part * along[d] / size);
    for (int d = 0; d < 3; d++)
        first->x[d] /= rest;
    for (int d = 0; d < 3; d++) {
        const int p = (d + 1) % 3, q = (d + 2) % 3;
        second->x[d] = (along[p] * first->x[q] - along[q] * first->x[p]) / size;
    }
}

// The point of the wall at the angle phi of the circle at t; phi NAN: of the axis.
static struct vec3 tube_point(const struct channel *c, double t, double phi)
{
    struct vec3 p = axis_at(c, t), first, second;
    if (isnan(phi))
        return p;
    const double radius = fmax(c->radius[0] + t * (c->radius[1] - c->radius[0]), 0);
    frame_at(c, t, &first, &second);
    for (int d = 0; d < 3; d++)
        p.x[d] += radius * (cos(phi) * first.x[d] + sin(phi) * second.x[d]);
    return p;
}

// Height above the layer, as v, of that point; *u: its place along the duct.
static int above(const struct channel *c, const struct meridian *g, const struct layer *l, double t,
                 double phi, double *u, double *height)
{
    const struct vec3 p = tube_point(c, t, phi);
    double v;
    AN_TRY(meridian_locate(g, (struct point){p.x[0], hypot(p.x[1], p.x[2])}, u, &v));
    *height = v - layer_v(l, *u);
    return AN_OK;
}

// Where the line of the wall at phi, or the axis, crosses the layer: secants from *t on. AN_INPUT: nowhere.
static int crossing(const struct channel *c, const struct meridian *g, const struct layer *l,
                    double phi, double *t, struct vec2 *at)
{
    enum { MOST = 40 };
    double t0 = *t, t1 = *t + 1e-3, h0, h1, u = 0;
    AN_TRY(above(c, g, l, t0, phi, &u, &h0));
    for (int it = 0; it < MOST; it++) {
        AN_TRY(above(c, g, l, t1, phi, &u, &h1));
        if (fabs(h1) < 1e-13 || h1 == h0)
            break;
        const double next = t1 - fmax(-0.5, fmin(0.5, h1 * (t1 - t0) / (h1 - h0)));
        t0 = t1;
        h0 = h1;
        t1 = next;
    }
    const struct vec3 p = tube_point(c, t1, phi);
    *t = t1;
    *at = (struct vec2){layer_m(l, u), -atan2(p.x[2], p.x[1])};
    return fabs(h1) < 1e-9 ? AN_OK : AN_INPUT;
}

// y of a point that lies within half a turn of the blade.
static void near_blade(const struct profile *p, struct vec2 *at)
{
    at->y += 2 * M_PI * floor((0.5 * (p->le.y + p->te.y) - at->y) / (2 * M_PI) + 0.5);
}

// The wall of hole k at even angles from samples of it at even angles of the circle. False: it is not seen whole from
// its centre.
static bool even_angles(struct metal_section *s, int k, const struct vec2 *sample)
{
    struct hole *h = &s->holes.hole[k];
    double angle[HOLE_WALL + 1], reach[HOLE_WALL + 1];
    for (int j = 0; j <= HOLE_WALL; j++) {
        const struct vec2 d = sub(sample[j % HOLE_WALL], h->at);
        const double a = atan2(d.y, d.x);
        reach[j] = norm(d);
        angle[j] = j ? angle[j - 1] + remainder(a - angle[j - 1], 2 * M_PI) : a;
    }
    const double way = angle[HOLE_WALL] > angle[0] ? 1 : -1;
    bool whole = fabs(fabs(angle[HOLE_WALL] - angle[0]) - 2 * M_PI) < 1e-6;
    for (int j = 0; j < HOLE_WALL; j++)
        whole = whole && way * (angle[j + 1] - angle[j]) > 0;
    for (int i = 0, j; i < HOLE_WALL && whole; i++) {
        const double turn = 2 * M_PI, want = turn * i / HOLE_WALL - angle[0],
                     at = way * want - turn * floor(way * want / turn); // beyond the first sample
        for (j = 0; j < HOLE_WALL - 1 && way * (angle[j + 1] - angle[0]) < at;)
            j++;
        const double part = (at - way * (angle[j] - angle[0])) / (way * (angle[j + 1] - angle[j]));
        s->wall[k][i] = reach[j] + part * (reach[j + 1] - reach[j]);
        s->turn[k][i] = turn * (j + part) / HOLE_WALL;
    }
    h->wall = s->wall[k];
    for (int i = 0; i < HOLE_WALL; i++)
        h->radius = fmax(h->radius, s->wall[k][i]);
    return whole;
}

static int cut(struct metal_section *s, const struct row *r, const struct channel *c, int k)
{
    struct hole *h = &s->holes.hole[k];
    struct vec2 sample[HOLE_WALL];
    double t = s->f;
    *h = (struct hole){0};
    memcpy(h->name, r->in.hole[k].name, sizeof h->name);
    AN_TRY(crossing(c, &r->meridian, &s->layer, NAN, &t, &h->at));
    near_blade(&s->profile, &h->at);
    s->t[k] = t;
    for (int j = 0; j < HOLE_WALL; j++) {
        AN_TRY(crossing(c, &r->meridian, &s->layer, 2 * M_PI * j / HOLE_WALL, &t, &sample[j]));
        near_blade(&s->profile, &sample[j]);
    }
    return even_angles(s, k, sample) ? AN_OK : AN_INPUT;
}

int channels_cut(struct metal_section *s, const struct row *r, const struct channel *c)
{
    s->holes.n = r->in.holes;
    for (int k = 0; k < r->in.holes; k++)
        AN_CHECK(!cut(s, r, &c[k], k), AN_INPUT,
                 "error: 'holes': %s does not cross the blade's section at %.0f %% of its height "
                 "from one end to the other: does it run from hub to casing, within the duct?",
                 r->in.hole[k].name, 100 * s->f);
    return AN_OK;
}

int channel_point(const struct metal_section *s, const struct row *r, const struct channel *c,
                  int k, double angle, struct vec2 *at)
{
    const double share = angle / (2 * M_PI), place = HOLE_WALL * (share - floor(share)),
                 low = floor(place);
    const int i = (int)low % HOLE_WALL;
    const double a = s->turn[k][i], step = remainder(s->turn[k][(i + 1) % HOLE_WALL] - a, 2 * M_PI);
    double t = s->t[k];
    AN_CHECK(!crossing(&c[k], &r->meridian, &s->layer, a + (place - low) * step, &t, at), AN_FAIL,
             "error: 'holes': the wall of %s is lost at %.0f %% of the blade's height",
             r->in.hole[k].name, 100 * s->f);
    near_blade(&s->profile, at);
    return AN_OK;
}

// The point of a wall at x.
static int on_wall(const struct row *r, int wall, double x, const char *name, struct point *p)
{
    enum { STEPS = 2000, BISECTIONS = 60 };
    const char *word = wall == AT_HUB ? "hub" : "casing";
    int found = 0;
    for (int i = 0; i < STEPS; i++) {
        double lo = (double)i / STEPS, hi = (double)(i + 1) / STEPS;
        const bool up = meridian_point(&r->meridian, lo, wall).x < x;
        if (up == (meridian_point(&r->meridian, hi, wall).x < x))
            continue;
        for (int k = 0; k < BISECTIONS; k++) {
            const double mid = 0.5 * (lo + hi);
            *((meridian_point(&r->meridian, mid, wall).x < x) == up ? &lo : &hi) = mid;
        }
        *p = meridian_point(&r->meridian, lo, wall);
        found++;
    }
    AN_CHECK(found > 0, AN_INPUT,
             "error: 'holes': %s: the %s has no point at x = %g m between inlet and outlet", name,
             word, x);
    AN_CHECK(found == 1, AN_INPUT,
             "error: 'holes': %s: the %s has several points at x = %g m: give 'points: [[x, r, "
             "theta], ...]' in place of 'hub' and 'casing'",
             name, word, x);
    return AN_OK;
}

static int channel_new(struct channel *c, const struct row *r, const struct hole_input *in)
{
    double v[2] = {0, 0}, least = INFINITY;
    *c = (struct channel){.n = in->n, .radius = {0.5 * in->diameter[0], 0.5 * in->diameter[1]}};
    for (int k = 0; k < c->n; k++) {
        struct point p = {in->at[k].x, in->at[k].r};
        double u;
        if (isnan(p.r))
            AN_TRY(on_wall(r, k ? AT_CASING : AT_HUB, p.x, in->name, &p));
        c->x[0][k] = p.x;
        c->x[1][k] = p.r * cos(in->at[k].theta);
        c->x[2][k] = p.r * sin(in->at[k].theta);
        AN_CHECK(!meridian_locate(&r->meridian, p, &u, &v[k > 0]), AN_INPUT,
                 "error: 'holes': %s: the point x = %g m, r = %g m does not lie between inlet and "
                 "outlet",
                 in->name, p.x, p.r);
        double step = 0;
        for (int d = 0; d < 3 && k; d++)
            step = hypot(step, c->x[d][k] - c->x[d][k - 1]);
        AN_CHECK(!k || step > 0, AN_INPUT, "error: 'holes': %s: two of its points are the same",
                 in->name);
        c->t[k] = k ? c->t[k - 1] + step : 0;
    }
    AN_CHECK(v[1] > v[0] + 0.05, AN_INPUT,
             "error: 'holes': %s: its points reach from %.0f to %.0f %% of the passage's height; "
             "they go from hub to casing",
             in->name, 100 * v[0], 100 * v[1]);
    const double length = c->t[c->n - 1];
    for (int k = 0; k < c->n; k++)
        c->t[k] /= length;
    for (int d = 0; d < 3; d++) {
        spline_natural(c->n, c->t, c->x[d], c->x2[d]);
        const double along = fabs(c->x[d][c->n - 1] - c->x[d][0]);
        c->aside = along < least ? d : c->aside;
        least = fmin(least, along);
    }
    return AN_OK;
}

int channels_new(struct channel *c, const struct row *r)
{
    for (int k = 0; k < r->in.holes; k++)
        AN_TRY(channel_new(&c[k], r, &r->in.hole[k]));
    return AN_OK;
}
