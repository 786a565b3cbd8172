// Where the inlet and the outlet cut hub and casing.
#include "row.h"

#include <math.h>
#include <stdio.h>

static double coordinate(struct point p, bool radial)
{
    return radial ? p.r : p.x;
}

// How often the points of the curve pass from one side of `at` to the other.
static int crossings(const struct wall_curve *c, bool radial, double at)
{
    int n = 0;
    for (int i = 1; i < c->n; i++)
        n += (coordinate((struct point){c->x[i - 1], c->r[i - 1]}, radial) < at) !=
             (coordinate((struct point){c->x[i], c->r[i]}, radial) < at);
    return n;
}

// Length at which the curve reaches x or r = at, which it passes once.
static double cut(const struct wall_curve *c, bool radial, double at)
{
    double lo = 0, hi = c->s[c->n - 1];
    const bool rises = coordinate(wall_point(c, lo), radial) < at;
    for (int it = 0; it < 100; it++) {
        const double mid = 0.5 * (lo + hi);
        *((coordinate(wall_point(c, mid), radial) < at) == rises ? &lo : &hi) = mid;
    }
    return 0.5 * (lo + hi);
}

// Length of the point of the curve nearest to p.
static double nearest(const struct wall_curve *c, struct point p, double *away)
{
    enum { STEPS = 4000 };
    const double step = c->s[c->n - 1] / STEPS;
    double best = 0;
    *away = HUGE_VAL;
    for (int k = 0; k <= STEPS; k++) {
        const struct point q = wall_point(c, k * step);
        const double d = hypot(q.x - p.x, q.r - p.r);
        if (d < *away) {
            *away = d;
            best = k * step;
        }
    }
    for (double h = step; h > 1e-12 * c->s[c->n - 1]; h /= 2)
        for (int way = -1; way <= 1; way += 2) {
            const double s = fmin(fmax(best + way * h, 0), c->s[c->n - 1]);
            const struct point q = wall_point(c, s);
            const double d = hypot(q.x - p.x, q.r - p.r);
            if (d < *away) {
                *away = d;
                best = s;
            }
        }
    return best;
}

static int cut_plane(const struct wall_curve *c, const struct row_end *end, const char *name,
                     const char *path, const struct row_input *in, double *s)
{
    const bool radial = end->kind == END_R;
    const char *what = radial ? "r" : "x", *unit = input_unit(in);
    const struct point first = {c->x[0], c->r[0]}, last = {c->x[c->n - 1], c->r[c->n - 1]};
    const double a = coordinate(first, radial), b = coordinate(last, radial), at = end->at[0],
                 slack = 1e-9 * c->s[c->n - 1];
    const int n = crossings(c, radial, at);
    if (fabs(at - a) <= slack || fabs(at - b) <= slack) {
        *s = fabs(at - a) <= slack ? 0 : c->s[c->n - 1];
        return AN_OK;
    }
    AN_CHECK(n > 0, AN_INPUT,
             "%s: error: the curve goes from %s = %g to %g %s and does not reach the %s at %s = %g "
             "m: longer tables, another end or another 'length'",
             path, what, a / in->length, b / in->length, unit, name, what, at);
    AN_CHECK(
        n == 1, AN_INPUT,
        "%s: error: the curve passes %s = %g m %d times: give '%s' as two points, [[x, r], [x, "
        "r]], of the hub and of the casing",
        path, what, at, n, name);
    *s = cut(c, radial, at);
    return AN_OK;
}

static int find(const struct wall_curve *c, const struct row_end *end, bool casing,
                const char *name, const char *path, const struct row_input *in, double *s)
{
    double away;
    const double *at = end->at;
    switch (end->kind) {
    case END_X:
    case END_R:
        return cut_plane(c, end, name, path, in, s);
    case END_LINE:
        *s = nearest(c, (struct point){at[2 * casing], at[2 * casing + 1]}, &away);
        AN_CHECK(away < 0.05 * hypot(at[2] - at[0], at[3] - at[1]), AN_INPUT,
                 "%s: error: the %s's point x = %g m, r = %g m lies %g m off the curve", path, name,
                 at[2 * casing], at[2 * casing + 1], away);
        return AN_OK;
    case END_PART:
        *s = at[casing] * c->s[c->n - 1];
        return AN_OK;
    case END_CURVE:
        *s = end == &in->outlet ? c->s[c->n - 1] : 0;
        return AN_OK;
    }
    return AN_OK;
}

// Does the wall run along x, within 40 degrees?
static bool follows_x(const struct wall_curve *c)
{
    for (int i = 1; i < c->n; i++)
        if (c->s[i] > c->s_in && c->s[i - 1] < c->s_out &&
            !(c->x[i] - c->x[i - 1] > cos(40 * M_PI / 180) * (c->s[i] - c->s[i - 1])))
            return false;
    return true;
}

int ends_find(struct meridian *g, const struct row_input *in)
{
    struct wall_curve *const wall[2] = {&g->hub, &g->casing};
    const char *const path[2] = {in->hub, in->casing};
    for (int k = 0; k < 2; k++) {
        struct wall_curve *c = wall[k];
        AN_TRY(find(c, &in->inlet, k, "inlet", path[k], in, &c->s_in));
        AN_TRY(find(c, &in->outlet, k, "outlet", path[k], in, &c->s_out));
        const struct point a = wall_point(c, c->s_in), b = wall_point(c, c->s_out);
        AN_CHECK(
            c->s_out > c->s_in + 1e-6 * c->s[c->n - 1], AN_INPUT,
            "%s: error: the outlet (x = %g m, r = %g m) must lie behind the inlet (x = %g m, r = "
            "%g m), and the table must run downstream",
            path[k], b.x, b.r, a.x, a.r);
    }
    g->axial = follows_x(&g->hub) && follows_x(&g->casing);
    return AN_OK;
}
