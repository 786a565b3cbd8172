/* Distance to triangles by another road: in long double, through the seven regions of a triangle
 * (Ericson 2005, "Real-Time Collision Detection", 5.1.5), every triangle looked at. */
#ifndef AN_TESTS_WALL_REFERENCE_H
#define AN_TESTS_WALL_REFERENCE_H

#include <math.h>
#include <stdint.h>

typedef long double wide;

static inline wide wide_dot(const wide a[3], const wide b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* |a + s u + t v - p| */
static inline wide wide_distance(const wide ap[3], wide s, const wide u[3], wide t, const wide v[3])
{
    wide d[3];
    for (int c = 0; c < 3; c++)
        d[c] = ap[c] - s * u[c] - t * v[c];
    return sqrtl(wide_dot(d, d));
}

static inline wide wide_segment(const wide a[3], const wide b[3], const wide p[3])
{
    wide ab[3], ap[3];
    for (int c = 0; c < 3; c++) {
        ab[c] = b[c] - a[c];
        ap[c] = p[c] - a[c];
    }
    wide s = wide_dot(ab, ab) > 0 ? wide_dot(ab, ap) / wide_dot(ab, ab) : 0;
    s = s < 0 ? 0 : s > 1 ? 1 : s;
    return wide_distance(ap, s, ab, 0, ab);
}

/* f: corners a, b, c */
static inline wide wide_triangle(const double f[9], const double x[3])
{
    wide a[3], b[3], c[3], p[3], ab[3], ac[3], ap[3], bp[3], cp[3];
    for (int d = 0; d < 3; d++) {
        a[d] = f[d], b[d] = f[3 + d], c[d] = f[6 + d], p[d] = x[d];
        ab[d] = b[d] - a[d], ac[d] = c[d] - a[d];
        ap[d] = p[d] - a[d], bp[d] = p[d] - b[d], cp[d] = p[d] - c[d];
    }
    const wide aa = wide_dot(ab, ab), cc = wide_dot(ac, ac), m = wide_dot(ab, ac);
    if (aa * cc - m * m <= 1e-24L * aa * cc) /* corners in line */
        return fminl(wide_segment(a, b, p), fminl(wide_segment(b, c, p), wide_segment(c, a, p)));
    const wide d1 = wide_dot(ab, ap), d2 = wide_dot(ac, ap), d3 = wide_dot(ab, bp);
    const wide d4 = wide_dot(ac, bp), d5 = wide_dot(ab, cp), d6 = wide_dot(ac, cp);
    const wide va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    if (d1 <= 0 && d2 <= 0)
        return wide_distance(ap, 0, ab, 0, ac);
    if (d3 >= 0 && d4 <= d3)
        return wide_distance(ap, 1, ab, 0, ac);
    if (vc <= 0 && d1 >= 0 && d3 <= 0)
        return wide_distance(ap, d1 / (d1 - d3), ab, 0, ac);
    if (d6 >= 0 && d5 <= d6)
        return wide_distance(ap, 0, ab, 1, ac);
    if (vb <= 0 && d2 >= 0 && d6 <= 0)
        return wide_distance(ap, 0, ab, d2 / (d2 - d6), ac);
    if (va <= 0 && d4 >= d3 && d5 >= d6) {
        const wide t = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return wide_distance(ap, 1 - t, ab, t, ac);
    }
    const wide n[3] = {ab[1] * ac[2] - ab[2] * ac[1], ab[2] * ac[0] - ab[0] * ac[2],
                       ab[0] * ac[1] - ab[1] * ac[0]};
    return fabsl(wide_dot(ap, n)) / sqrtl(wide_dot(n, n));
}

static inline double wide_nearest(int64_t n, const double (*facet)[9], const double x[3])
{
    wide best = 1e30L;
    for (int64_t i = 0; i < n; i++)
        best = fminl(best, wide_triangle(facet[i], x));
    return (double)best;
}

#endif
