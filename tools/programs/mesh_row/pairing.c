// Which points of hub and casing the lines u = const join.
//
// Equal fractions of the lengths serve a straight duct. Where the duct turns, the inner wall is the
// shorter one ahead of the bend or behind it, and such lines lean. The lines are then moved: by the slip
// at which a line meets both walls under the same angle, smoothed along u,
//
//     slip - L^2 slip'' = wanted,   slip = 0 at inlet and outlet,
//
// with the shortest length L at which the lines keep their order.
#include "row.h"

#include <math.h>

// Cosine of the angle between the line of a slip and the walls: the sum of both, and the larger one.
static double lean(const struct meridian *g, double u, double slip, double *worst)
{
    const struct wall_curve *h = &g->hub, *c = &g->casing;
    const double a = h->s_in + (u - slip) * (h->s_out - h->s_in),
                 b = c->s_in + (u + slip) * (c->s_out - c->s_in);
    const struct point p = wall_point(h, a), q = wall_point(c, b), e = wall_direction(h, a),
                       f = wall_direction(c, b);
    const double x = q.x - p.x, r = q.r - p.r, length = hypot(x, r),
                 at_hub = (x * e.x + r * e.r) / length, at_casing = (x * f.x + r * f.r) / length;
    *worst = fmax(fabs(at_hub), fabs(at_casing));
    return at_hub + at_casing;
}

static double wanted(const struct meridian *g, double u)
{
    double lo = -fmin(u, 1 - u), hi = -lo, worst;
    for (int it = 0; it < 60; it++) {
        const double mid = 0.5 * (lo + hi);
        *(lean(g, u, mid, &worst) < 0 ? &lo : &hi) = mid;
    }
    return 0.5 * (lo + hi);
}

static void smooth(const double *want, double length, double *slip)
{
    const int last = SAMPLES_U - 1;
    const double k = length * length * last * last;
    double factor[SAMPLES_U];
    factor[0] = slip[0] = 0;
    for (int i = 1; i < last; i++) {
        const double d = 1 + 2 * k - k * factor[i - 1];
        factor[i] = k / d;
        slip[i] = (want[i] + k * slip[i - 1]) / d;
    }
    slip[last] = 0;
    for (int i = last - 1; i > 0; i--)
        slip[i] += factor[i] * slip[i + 1];
}

void pairing_choose(struct meridian *g)
{
    const double steep = cos(70 * M_PI / 180), step = 1.0 / (SAMPLES_U - 1);
    double worst = 0, want[SAMPLES_U];
    g->slips = false;
    for (int i = 0; i < SAMPLES_U; i++) {
        double here;
        lean(g, i * step, 0, &here);
        worst = fmax(worst, here);
    }
    if (worst < steep)
        return;
    for (int i = 0; i < SAMPLES_U; i++)
        want[i] = wanted(g, i * step);
    double length = 0.04, most = 1;
    for (; most > 0.7 && length < 2; length *= 1.4) {
        smooth(want, length, g->slip);
        most = 0;
        for (int i = 1; i < SAMPLES_U; i++)
            most = fmax(most, fabs(g->slip[i] - g->slip[i - 1]) / step);
    }
    g->slips = true;
}
