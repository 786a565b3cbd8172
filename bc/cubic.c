#include "bc/cubic.h"

#include <math.h>

/* Points, and the rows of a tridiagonal system of as many unknowns: lower m- + diagonal m + upper m+. */
struct curve {
    int n, stride;
    const double *at, *value;
    double *lower, *diagonal, *upper, *right, *corner; /* [n] */
};

static double spacing(const struct curve *c, int i)
{
    return c->at[i + 1] - c->at[i];
}

static double rise(const struct curve *c, int i)
{
    return (c->value[(long)(i + 1) * c->stride] - c->value[(long)i * c->stride]) / spacing(c, i);
}

/* Solves n rows in place of x; the diagonal is used up. */
static void solve(const struct curve *c, int n, double *x)
{
    for (int i = 1; i < n; i++) {
        const double factor = c->lower[i] / c->diagonal[i - 1];
        c->diagonal[i] -= factor * c->upper[i - 1];
        x[i] -= factor * x[i - 1];
    }
    x[n - 1] /= c->diagonal[n - 1];
    for (int i = n - 2; i >= 0; i--)
        x[i] = (x[i] - c->upper[i] * x[i + 1]) / c->diagonal[i];
}

/* The row of point i; interval `before` ends there. */
static void fill_row(const struct curve *c, int i, int before)
{
    const double h0 = spacing(c, before), h1 = spacing(c, i);
    c->lower[i] = h1;
    c->diagonal[i] = 2 * (h0 + h1);
    c->upper[i] = h0;
    c->right[i] = 3 * (h1 * rise(c, before) + h0 * rise(c, i));
}

static void natural(const struct curve *c)
{
    const int n = c->n;
    for (int i = 1; i < n - 1; i++)
        fill_row(c, i, i - 1);
    c->lower[0] = c->upper[n - 1] = 0;
    c->diagonal[0] = c->diagonal[n - 1] = 2;
    c->upper[0] = c->lower[n - 1] = 1;
    c->right[0] = 3 * rise(c, 0);
    c->right[n - 1] = 3 * rise(c, n - 2);
    solve(c, n, c->right);
}

static void fill_periodic(const struct curve *c, int n, double *low, double *high)
{
    for (int i = 0; i < n; i++)
        fill_row(c, i, i ? i - 1 : n - 1);
    *low = c->upper[n - 1]; /* of the last row, on the first unknown */
    *high = c->lower[0];    /* of the first row, on the last unknown */
    const double gamma = -c->diagonal[0];
    c->diagonal[0] -= gamma;
    c->diagonal[n - 1] -= *low * *high / gamma;
}

/* The two corners of a periodic system are a matrix of rank one: formula of Sherman and Morrison. */
static void periodic(const struct curve *c)
{
    const int n = c->n - 1; /* the last point is the first */
    double low, high;
    fill_periodic(c, n, &low, &high);
    const double gamma = c->diagonal[0] * -0.5; /* the first diagonal was doubled */
    for (int i = 0; i < n; i++)
        c->corner[i] = i == 0 ? gamma : i == n - 1 ? low : 0;
    solve(c, n, c->corner);
    fill_periodic(c, n, &low, &high);
    solve(c, n, c->right);
    const double *x = c->right, *z = c->corner;
    const double part = (x[0] + high * x[n - 1] / gamma) / (1 + z[0] + high * z[n - 1] / gamma);
    for (int i = 0; i < n; i++)
        c->right[i] -= part * z[i];
    c->right[n] = c->right[0];
}

/* Hyman's bound at a point with the differences d0 and d1 beside it. */
static double bounded(double m, double d0, double d1)
{
    const double most = 3 * fmin(fabs(d0), fabs(d1));
    if (d0 * d1 > 0 && m * d0 < 0)
        return 0;
    return fmax(-most, fmin(m, most));
}

void an_cubic_slopes(int n, const double *at, int is_periodic, int stride, const double *value,
                     double *slope, double *work)
{
    const struct curve c = {.n = n,
                            .stride = stride,
                            .at = at,
                            .value = value,
                            .lower = work,
                            .diagonal = work + n,
                            .upper = work + 2 * (long)n,
                            .right = work + 3 * (long)n,
                            .corner = work + 4 * (long)n};
    if (is_periodic)
        periodic(&c);
    else
        natural(&c);
    for (int i = 0; i < n; i++) {
        const double first = rise(&c, 0), last = rise(&c, n - 2);
        const double d0 = i ? rise(&c, i - 1) : is_periodic ? last : first;
        const double d1 = i < n - 1 ? rise(&c, i) : is_periodic ? first : last;
        slope[(long)i * stride] = bounded(c.right[i], d0, d1);
    }
}

double an_cubic_at(double h, double x, double v0, double v1, double m0, double m1)
{
    const double d = v1 - v0, a = h * m0 - d, b = d - h * m1;
    return v0 + x * (d + (1 - x) * (a * (1 - x) + b * x));
}

int an_cubic_interval(int n, const double *at, double x)
{
    int low = 0, high = n - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (x < at[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}
