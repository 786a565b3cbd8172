// Points of the hub's and the casing's curve.
#include "row.h"

#include <math.h>

struct point wall_point(const struct wall_curve *c, double s)
{
    int lo = 0, hi = c->n - 1;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(c->s[mid] <= s ? &lo : &hi) = mid;
    }
    const double h = c->s[hi] - c->s[lo], t = (s - c->s[lo]) / h;
    return (struct point){hermite(h, t, c->x[lo], c->x[hi], c->dx[lo], c->dx[hi]),
                          hermite(h, t, c->r[lo], c->r[hi], c->dr[lo], c->dr[hi])};
}

struct point wall_direction(const struct wall_curve *c, double s)
{
    const double e = 1e-4 * c->s[c->n - 1], end = c->s[c->n - 1];
    const struct point a = wall_point(c, fmax(s - e, 0)), b = wall_point(c, fmin(s + e, end));
    const double length = hypot(b.x - a.x, b.r - a.r);
    return (struct point){(b.x - a.x) / length, (b.r - a.r) / length};
}
