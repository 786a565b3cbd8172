// Meridional plane: hub and casing curves, the points between them, layers.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Four-point cubic through SAMPLES_U samples round u: linear in the samples, so that thin layers keep
// their order.
static double sample(const double *v, double u)
{
    const double a = fmin(fmax(u, 0), 1) * (SAMPLES_U - 1);
    int i = (int)a - 1;
    i = i < 0 ? 0 : i > SAMPLES_U - 4 ? SAMPLES_U - 4 : i;
    const double t = a - i;
    return -(t - 1) * (t - 2) * (t - 3) / 6 * v[i] + t * (t - 2) * (t - 3) / 2 * v[i + 1] -
           t * (t - 1) * (t - 3) / 2 * v[i + 2] + t * (t - 1) * (t - 2) / 6 * v[i + 3];
}

// A fraction of the length between inlet and outlet.
static struct point curve_at(const struct wall_curve *c, double part)
{
    return wall_point(c, c->s_in + part * (c->s_out - c->s_in));
}

static struct point hub_at(const struct meridian *g, double u)
{
    return curve_at(&g->hub, g->slips ? u - sample(g->slip, u) : u);
}

static struct point casing_at(const struct meridian *g, double u)
{
    return curve_at(&g->casing, g->slips ? u + sample(g->slip, u) : u);
}

static int curve_read(struct wall_curve *c, const char *path, const struct row_input *in)
{
    struct table t;
    AN_TRY(table_of(&t, in, path, 2));
    c->n = t.nrow;
    c->s = malloc(5 * (size_t)c->n * sizeof *c->s);
    int rc = c->s ? AN_OK : an_error_set(AN_FAIL, "out of memory");
    if (!rc && c->n < 2)
        rc = an_error_set(AN_INPUT, "%s: error: one point is no curve", path);
    if (!rc) {
        c->x = c->s + c->n;
        c->r = c->x + c->n;
        c->dx = c->r + c->n;
        c->dr = c->dx + c->n;
    }
    for (int i = 0; i < c->n && !rc; i++) {
        c->x[i] = in->length * t.v[2 * i];
        c->r[i] = in->length * t.v[2 * i + 1];
        c->s[i] = i ? c->s[i - 1] + hypot(c->x[i] - c->x[i - 1], c->r[i] - c->r[i - 1]) : 0;
        if (!(c->r[i] > 0) || (i && !(c->s[i] > c->s[i - 1])))
            rc = an_error_set(AN_INPUT,
                              "%s:%d: error: point %d (x %g %s, r %g %s): r must be positive, and "
                              "no point may be given twice",
                              t.path[0], t.row_line[i], i + 1, t.v[2 * i], input_unit(in),
                              t.v[2 * i + 1], input_unit(in));
    }
    if (!rc) {
        akima_slopes(c->n, c->s, c->x, c->dx);
        akima_slopes(c->n, c->s, c->r, c->dr);
    }
    table_free(&t);
    return rc;
}

// Share of the height that a gap of this length takes. It is measured along the wall's normal, the line from hub
// to casing may lean on it.
static double gap_share(const struct meridian *g, int wall, double u, double gap)
{
    if (g->gap[wall].share > 0)
        return g->gap[wall].share;
    const double e = 1e-4, a = fmax(u - e, 0), b = fmin(u + e, 1);
    const struct point h = hub_at(g, u), c = casing_at(g, u),
                       c0 = wall == AT_HUB ? hub_at(g, a) : casing_at(g, a),
                       c1 = wall == AT_HUB ? hub_at(g, b) : casing_at(g, b);
    const double tx = c1.x - c0.x, tr = c1.r - c0.r, height = hypot(c.x - h.x, c.r - h.r);
    const double lean = fabs(tx * (c.r - h.r) - tr * (c.x - h.x)) / (hypot(tx, tr) * height);
    return gap / (lean * height);
}

static double most_of(const struct row_gap *gap)
{
    return fmax(gap->lead, gap->trail);
}

bool gap_wanted(const struct row_gap *gap)
{
    return most_of(gap) > 0 || gap->share > 0;
}

// At u between the edges.
static double gap_at(const struct meridian *g, int wall, double u)
{
    const struct row_gap *gap = &g->gap[wall];
    if (gap->lead == gap->trail)
        return gap->lead;
    const double *edge = g->edge[wall];
    const double t = fmin(fmax((u - edge[0]) / (edge[1] - edge[0]), 0), 1);
    return gap->lead + t * (gap->trail - gap->lead);
}

static int check_gaps(const struct meridian *g, const struct row_input *in, double u)
{
    const double tip = most_of(&g->gap[AT_CASING]), hub = most_of(&g->gap[AT_HUB]);
    const struct point c = casing_at(g, u);
    if (gap_share(g, AT_CASING, u, tip) + gap_share(g, AT_HUB, u, hub) < 0.5)
        return AN_OK;
    char words[100];
    if (gap_wanted(&g->gap[AT_CASING]) && gap_wanted(&g->gap[AT_HUB]))
        snprintf(words, sizeof words, "a tip gap of %g m and a hub gap of %g m fill", tip, hub);
    else
        snprintf(words, sizeof words, "a %s gap of %g m fills", tip > 0 ? "tip" : "hub", tip + hub);
    return an_error_set(AN_INPUT,
                        "%s: error: %s more than half of the passage at x = %g m, r = %g m",
                        in->casing, words, c.x, c.r);
}

// The casing lies to the left of the flow everywhere, and the gap leaves half of the passage.
static int check_walls(const struct meridian *g, const struct row_input *in)
{
    const char *unit = input_unit(in);
    for (int i = 0; i < SAMPLES_U; i++) {
        const double u = (double)i / (SAMPLES_U - 1), e = 1e-3, a = fmax(u - e, 0),
                     b = fmin(u + e, 1);
        const struct point h = hub_at(g, u), c = casing_at(g, u), h0 = hub_at(g, a),
                           h1 = hub_at(g, b), c0 = casing_at(g, a), c1 = casing_at(g, b);
        const double qx = c.x - h.x, qr = c.r - h.r;
        const bool left = (h1.x - h0.x) * qr > (h1.r - h0.r) * qx,
                   under = (c1.x - c0.x) * qr > (c1.r - c0.r) * qx;
        AN_CHECK(
            left && under, AN_INPUT,
            "%s: error: the casing's point x = %g %s, r = %g %s is not outside the hub's point "
            "x = %g %s, r = %g %s: seen along the flow, with x to the right and r upwards, the "
            "casing lies to the left of the hub; both tables begin upstream, and a machine whose "
            "axial flow runs towards -x is turned round (x times -1, the other 'theta')",
            in->casing, c.x / in->length, unit, c.r / in->length, unit, h.x / in->length, unit,
            h.r / in->length, unit);
        AN_TRY(check_gaps(g, in, u));
    }
    return AN_OK;
}

double meridian_length(const struct meridian *g, int wall, double u)
{
    const struct wall_curve *c = wall == AT_HUB ? &g->hub : &g->casing;
    const double slip = g->slips ? sample(g->slip, u) : 0;
    return c->s_in + (wall == AT_HUB ? u - slip : u + slip) * (c->s_out - c->s_in);
}

int meridian_new(struct meridian *g, const struct row_input *in)
{
    *g = (struct meridian){.gap = {in->gap[0], in->gap[1]}, .edge = {{0, 1}, {0, 1}}};
    AN_TRY(curve_read(&g->hub, in->hub, in));
    AN_TRY(curve_read(&g->casing, in->casing, in));
    AN_TRY(ends_find(g, in));
    pairing_choose(g);
    return check_walls(g, in);
}

void meridian_free(struct meridian *g)
{
    free(g->hub.s);
    free(g->casing.s);
    *g = (struct meridian){0};
}

struct point meridian_point(const struct meridian *g, double u, double v)
{
    const struct point h = hub_at(g, u), c = casing_at(g, u);
    return (struct point){(1 - v) * h.x + v * c.x, (1 - v) * h.r + v * c.r};
}

double meridian_height(const struct meridian *g, double u)
{
    const struct point h = hub_at(g, u), c = casing_at(g, u);
    return hypot(c.x - h.x, c.r - h.r);
}

double meridian_tip(const struct meridian *g, double u)
{
    return 1 - gap_share(g, AT_CASING, u, gap_at(g, AT_CASING, u));
}

double meridian_foot(const struct meridian *g, double u)
{
    return gap_share(g, AT_HUB, u, gap_at(g, AT_HUB, u));
}

// Newton's iteration from (*u, *v).
static int locate_from(const struct meridian *g, struct point p, double *u, double *v)
{
    for (int it = 0; it < 50; it++) {
        const double e = 1e-6, uc = fmin(fmax(*u, 0), 1);
        const struct point q = meridian_point(g, uc, *v), h = meridian_point(g, uc, 0),
                           c = meridian_point(g, uc, 1), n = meridian_point(g, uc + e, *v);
        const double ux = (n.x - q.x) / e, ur = (n.r - q.r) / e, vx = c.x - h.x, vr = c.r - h.r;
        const double fx = p.x - q.x, fr = p.r - q.r, det = ux * vr - ur * vx;
        const double du = (fx * vr - fr * vx) / det, dv = (ux * fr - ur * fx) / det;
        *u = uc + du;
        *v += dv;
        if (fabs(du) + fabs(dv) < 1e-13)
            break;
    }
    return *u >= 0 && *u <= 1 ? AN_OK : AN_INPUT;
}

// From the axial place, or from the nearest node of a coarse mesh where the duct turns.
int meridian_locate(const struct meridian *g, struct point p, double *u, double *v)
{
    enum { ALONG = 80, ACROSS = 16 };
    if (g->axial) {
        const struct point a = meridian_point(g, 0, 0.5), b = meridian_point(g, 1, 0.5);
        *u = (p.x - a.x) / (b.x - a.x);
        *v = 0.5;
        return locate_from(g, p, u, v);
    }
    double least = HUGE_VAL;
    for (int i = 0; i <= ALONG; i++) {
        const struct point h = meridian_point(g, (double)i / ALONG, 0),
                           c = meridian_point(g, (double)i / ALONG, 1);
        for (int j = -1; j <= ACROSS + 1; j++) {
            const double w = (double)j / ACROSS;
            const double away = hypot((1 - w) * h.x + w * c.x - p.x, (1 - w) * h.r + w * c.r - p.r);
            if (away < least) {
                least = away;
                *u = (double)i / ALONG;
                *v = w;
            }
        }
    }
    return locate_from(g, p, u, v);
}

void layer_even(struct layer *l, const struct meridian *g, double v)
{
    for (int i = 0; i < SAMPLES_U; i++)
        l->v[i] = v;
    layer_finish(l, g);
}

double layer_v(const struct layer *l, double u)
{
    return sample(l->v, u);
}

void layer_finish(struct layer *l, const struct meridian *g)
{
    enum { FINE = 8 };
    const double du = 1.0 / (SAMPLES_U - 1), e = du / 4;
    for (int i = 0; i < SAMPLES_U; i++) {
        const double u = i * du, a = fmax(u - e, 0), b = fmin(u + e, 1);
        const struct point p = meridian_point(g, u, layer_v(l, u)),
                           p0 = meridian_point(g, a, layer_v(l, a)),
                           p1 = meridian_point(g, b, layer_v(l, b));
        l->dm[i] = hypot(p1.x - p0.x, p1.r - p0.r) / (b - a) / p.r;
    }
    l->m[0] = 0;
    for (int i = 0; i < SAMPLES_U - 1; i++) { // lengths of short chords over the radius
        struct point last = meridian_point(g, i * du, layer_v(l, i * du));
        l->m[i + 1] = l->m[i];
        for (int k = 1; k <= FINE; k++) {
            const double u = (i + (double)k / FINE) * du;
            const struct point p = meridian_point(g, u, layer_v(l, u));
            l->m[i + 1] += hypot(p.x - last.x, p.r - last.r) * 2 / (p.r + last.r);
            last = p;
        }
    }
}

double layer_m(const struct layer *l, double u)
{
    const double du = 1.0 / (SAMPLES_U - 1);
    const int i = (int)fmin(fmax(u / du, 0), SAMPLES_U - 2);
    return hermite(du, u / du - i, l->m[i], l->m[i + 1], l->dm[i], l->dm[i + 1]);
}

double layer_u(const struct layer *l, double m)
{
    const double du = 1.0 / (SAMPLES_U - 1);
    int lo = 0, hi = SAMPLES_U - 1;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(l->m[mid] <= m ? &lo : &hi) = mid;
    }
    double t = (m - l->m[lo]) / (l->m[hi] - l->m[lo]);
    for (int it = 0; it < 8; it++) {
        const double e = 1e-6;
        const double f = hermite(du, t, l->m[lo], l->m[hi], l->dm[lo], l->dm[hi]);
        const double slope = (hermite(du, t + e, l->m[lo], l->m[hi], l->dm[lo], l->dm[hi]) - f) / e;
        t -= (f - m) / slope;
    }
    return (lo + t) * du;
}
