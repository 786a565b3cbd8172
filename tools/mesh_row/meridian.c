// Meridional plane: hub and casing curves, the points between them, layers.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct point curve_at(const struct wall_curve *c, double u)
{
    const double s = c->s_in + u * (c->s_out - c->s_in);
    int lo = 0, hi = c->n - 1;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(c->s[mid] <= s ? &lo : &hi) = mid;
    }
    const double h = c->s[hi] - c->s[lo], t = (s - c->s[lo]) / h;
    return (struct point){hermite(h, t, c->x[lo], c->x[hi], c->dx[lo], c->dx[hi]),
                          hermite(h, t, c->r[lo], c->r[hi], c->dr[lo], c->dr[hi])};
}

// Parameter at which the curve reaches x.
static double cut(const struct wall_curve *c, double x)
{
    double lo = c->s[0], hi = c->s[c->n - 1];
    for (int it = 0; it < 100; it++) {
        const double mid = 0.5 * (lo + hi);
        const struct wall_curve whole = {c->n, c->s, c->x, c->r, c->dx, c->dr, mid, mid};
        *(curve_at(&whole, 0).x < x ? &lo : &hi) = mid;
    }
    return 0.5 * (lo + hi);
}

static int curve_read(struct wall_curve *c, const char *path, const struct row_input *in)
{
    struct table t;
    AN_TRY(table_read(&t, path, 2));
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
        if (!(c->r[i] > 0) || (i && !(c->x[i] > c->x[i - 1])))
            rc = an_error_set(AN_INPUT,
                              "%s: error: point %d (x %g %s, r %g %s): x must rise from point to "
                              "point and r be positive",
                              path, i + 1, t.v[2 * i], input_unit(in), t.v[2 * i + 1],
                              input_unit(in));
    }
    if (!rc && (in->inlet < c->x[0] || in->outlet > c->x[c->n - 1]))
        rc = an_error_set(
            AN_INPUT,
            "%s: error: the curve goes from x = %g to %g %s and does not hold the "
            "inlet (%g m) and the outlet (%g m): longer tables, other ends or another 'length'",
            path, t.v[0], t.v[2 * t.nrow - 2], input_unit(in), in->inlet, in->outlet);
    if (!rc) {
        akima_slopes(c->n, c->s, c->x, c->dx);
        akima_slopes(c->n, c->s, c->r, c->dr);
        c->s_in = cut(c, in->inlet);
        c->s_out = cut(c, in->outlet);
    }
    table_free(&t);
    return rc;
}

int meridian_new(struct meridian *g, const struct row_input *in)
{
    *g = (struct meridian){.gap = in->gap, .gap_fraction = in->gap_fraction};
    AN_TRY(curve_read(&g->hub, in->hub, in));
    AN_TRY(curve_read(&g->casing, in->casing, in));
    for (int i = 0; i < SAMPLES_U; i++) {
        const double u = (double)i / (SAMPLES_U - 1);
        const struct point h = curve_at(&g->hub, u), c = curve_at(&g->casing, u);
        AN_CHECK(
            c.r > h.r, AN_INPUT,
            "%s: error: at x = %g %s the casing (r = %g %s) is not outside the hub (r = %g %s)",
            in->casing, c.x / in->length, input_unit(in), c.r / in->length, input_unit(in),
            h.r / in->length, input_unit(in));
        AN_CHECK(meridian_tip(g, u) > 0.5, AN_INPUT,
                 "%s: error: a tip gap of %g m fills more than half of the passage at x = %g m",
                 in->casing, in->gap, c.x);
    }
    return AN_OK;
}

void meridian_free(struct meridian *g)
{
    free(g->hub.s);
    free(g->casing.s);
    *g = (struct meridian){0};
}

struct point meridian_point(const struct meridian *g, double u, double v)
{
    const struct point h = curve_at(&g->hub, u), c = curve_at(&g->casing, u);
    return (struct point){(1 - v) * h.x + v * c.x, (1 - v) * h.r + v * c.r};
}

double meridian_height(const struct meridian *g, double u)
{
    const struct point h = curve_at(&g->hub, u), c = curve_at(&g->casing, u);
    return hypot(c.x - h.x, c.r - h.r);
}

// The gap is measured along the casing's normal, the line from hub to casing may lean on it.
double meridian_tip(const struct meridian *g, double u)
{
    if (g->gap_fraction > 0)
        return 1 - g->gap_fraction;
    const double e = 1e-4, a = fmax(u - e, 0), b = fmin(u + e, 1);
    const struct point h = curve_at(&g->hub, u), c = curve_at(&g->casing, u),
                       c0 = curve_at(&g->casing, a), c1 = curve_at(&g->casing, b);
    const double tx = c1.x - c0.x, tr = c1.r - c0.r, height = hypot(c.x - h.x, c.r - h.r);
    const double lean = fabs(tx * (c.r - h.r) - tr * (c.x - h.x)) / (hypot(tx, tr) * height);
    return 1 - g->gap / (lean * height);
}

// Newton's iteration from the axial place.
int meridian_locate(const struct meridian *g, struct point p, double *u, double *v)
{
    const struct point a = meridian_point(g, 0, 0.5), b = meridian_point(g, 1, 0.5);
    *u = (p.x - a.x) / (b.x - a.x);
    *v = 0.5;
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
            return *u >= 0 && *u <= 1 ? AN_OK : AN_INPUT;
    }
    return *u >= 0 && *u <= 1 ? AN_OK : AN_INPUT;
}

// Four-point cubic through the samples round u: linear in the samples, so that thin layers keep
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
