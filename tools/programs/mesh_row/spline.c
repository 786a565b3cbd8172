// Curves through values: natural cubic splines (twice continuous) along the span, Akima's pieces
// along the end walls, which do not swing where the points are unevenly spaced. Source: H. Akima,
// J. ACM 17 (1970) 589.
#include "row.h"

#include <math.h>

// y2[i] = y''(x[i]), zero at both ends.
void spline_natural(int n, const double *x, const double *y, double *y2)
{
    double factor[MAX_SECTIONS];
    y2[0] = factor[0] = 0;
    for (int i = 1; i < n - 1; i++) {
        const double a = x[i] - x[i - 1], b = x[i + 1] - x[i];
        const double d = 2 * (a + b) - a * factor[i - 1];
        factor[i] = b / d;
        y2[i] = (6 * ((y[i + 1] - y[i]) / b - (y[i] - y[i - 1]) / a) - a * y2[i - 1]) / d;
    }
    y2[n - 1] = 0;
    for (int i = n - 2; i > 0; i--)
        y2[i] -= factor[i] * y2[i + 1];
}

// Straight lines beyond the ends.
double spline_value(int n, const double *x, const double *y, const double *y2, double at)
{
    int lo = 0, hi = n - 1;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(x[mid] <= at ? &lo : &hi) = mid;
    }
    const double h = x[hi] - x[lo], b = (at - x[lo]) / h, a = 1 - b;
    const double line = a * y[lo] + b * y[hi];
    if (b < 0)
        return line + (at - x[lo]) * -h / 6 * (2 * y2[lo] + y2[hi]);
    if (b > 1)
        return line + (at - x[hi]) * h / 6 * (y2[lo] + 2 * y2[hi]);
    return line + ((a * a * a - a) * y2[lo] + (b * b * b - b) * y2[hi]) * h * h / 6;
}

void akima_slopes(int n, const double *x, const double *y, double *slope)
{
    for (int i = 0; i < n; i++) {
        double m[4]; // of the intervals i - 2 to i + 1; those beyond the ends go on linearly
        for (int k = 0; k < 4; k++) {
            const int j = i - 2 + k, last = n - 2;
            const int c = j < 0 ? 0 : j > last ? last : j;
            const double mc = (y[c + 1] - y[c]) / (x[c + 1] - x[c]);
            m[k] = mc;
            if (c != j && n > 2) {
                const int d = j < 0 ? 1 : last - 1;
                const double md = (y[d + 1] - y[d]) / (x[d + 1] - x[d]);
                m[k] = mc + (mc - md) * (j < 0 ? -j : j - last);
            }
        }
        const double left = fabs(m[3] - m[2]), right = fabs(m[1] - m[0]);
        const double even = 1e-9 * (fabs(m[1]) + fabs(m[2])) + 1e-300;
        slope[i] = ((left + even) * m[1] + (right + even) * m[2]) / (left + right + 2 * even);
    }
}

// The polynomial of least squares, as a sum of Chebyshev polynomials: the normal equations by
// elimination. x from -1 to 1.
void polynomial_fit(int n, const double *x, const double *y, int degree, double *c)
{
    double a[MAX_DEGREE + 1][MAX_DEGREE + 2] = {{0}}, t[MAX_DEGREE + 1] = {1, 0};
    for (int i = 0; i < n; i++) {
        t[1] = x[i];
        for (int d = 2; d <= degree; d++)
            t[d] = 2 * x[i] * t[d - 1] - t[d - 2];
        for (int d = 0; d <= degree; d++) {
            for (int e = 0; e <= degree; e++)
                a[d][e] += t[d] * t[e];
            a[d][degree + 1] += t[d] * y[i];
        }
    }
    for (int d = 0; d <= degree; d++) // symmetric and positive: no pivots are needed
        for (int row = d + 1; row <= degree; row++) {
            const double f = a[row][d] / a[d][d];
            for (int e = d; e <= degree + 1; e++)
                a[row][e] -= f * a[d][e];
        }
    for (int d = degree; d >= 0; d--) {
        c[d] = a[d][degree + 1];
        for (int e = d + 1; e <= degree; e++)
            c[d] -= a[d][e] * c[e];
        c[d] /= a[d][d];
    }
}

double polynomial_value(int degree, const double *c, double x)
{
    double t = 1, next = x, sum = 0;
    for (int d = 0; d <= degree; d++) {
        sum += c[d] * t;
        const double after = 2 * x * next - t;
        t = next;
        next = after;
    }
    return sum;
}

double hermite(double h, double t, double a, double b, double da, double db)
{
    const double s = 1 - t;
    return s * s * (1 + 2 * t) * a + t * t * (3 - 2 * t) * b + h * t * s * (s * da - t * db);
}
