// Closed periodic cubic spline through points, with the chord length as parameter.
#include <math.h>
#include <stdlib.h>

#include "mesh.h"

double norm(struct vec2 a)
{
    return hypot(a.x, a.y);
}

// Solves the cyclic tridiagonal system lo[i] m[i-1] + di[i] m[i] + up[i] m[i+1] = r[i]
// (Sherman-Morrison).
static int solve_cyclic(int n, const double *lo, const double *di, const double *up, struct vec2 *r)
{
    double *c = malloc((size_t)n * sizeof *c), *u = malloc((size_t)n * sizeof *u);
    if (!c || !u) {
        free(c);
        free(u);
        return EXIT_FAILED;
    }
    const double gamma = -di[0];
    const double d0 = di[0] - gamma, dn = di[n - 1] - up[n - 1] * lo[0] / gamma;
    for (int i = 0; i < n; i++)
        u[i] = 0;
    u[0] = gamma;
    u[n - 1] = up[n - 1];
    double piv = d0;
    for (int i = 0; i < n; i++) {
        if (i > 0) {
            c[i - 1] = up[i - 1] / piv;
            piv = (i == n - 1 ? dn : di[i]) - lo[i] * c[i - 1];
            r[i] = axpy(-lo[i], r[i - 1], r[i]);
            u[i] -= lo[i] * u[i - 1];
        }
        r[i] = scale(1 / piv, r[i]);
        u[i] /= piv;
    }
    for (int i = n - 2; i >= 0; i--) {
        r[i] = axpy(-c[i], r[i + 1], r[i]);
        u[i] -= c[i] * u[i + 1];
    }
    const double w = lo[0] / gamma, den = 1 + u[0] + w * u[n - 1];
    const struct vec2 f = scale(1 / den, axpy(w, r[n - 1], r[0]));
    for (int i = 0; i < n; i++)
        r[i] = axpy(-u[i], f, r[i]);
    free(c);
    free(u);
    return EXIT_DONE;
}

int curve_fit(struct curve *c, const struct vec2 *x, int n)
{
    *c = (struct curve){.n = n};
    c->s = malloc(((size_t)n + 1) * sizeof *c->s);
    c->x = malloc((size_t)n * sizeof *c->x);
    c->d2 = malloc((size_t)n * sizeof *c->d2);
    double *w = malloc(3 * (size_t)n * sizeof *w);
    if (!c->s || !c->x || !c->d2 || !w) {
        free(w);
        curve_free(c);
        return EXIT_FAILED;
    }
    c->s[0] = 0;
    for (int i = 0; i < n; i++) {
        c->x[i] = x[i];
        c->s[i + 1] = c->s[i] + norm(sub(x[(i + 1) % n], x[i]));
    }
    c->length = c->s[n];
    double *lo = w, *di = w + n, *up = w + 2 * n;
    for (int i = 0; i < n; i++) {
        const int im = (i + n - 1) % n, ip = (i + 1) % n;
        const double hm = c->s[im + 1] - c->s[im], hp = c->s[i + 1] - c->s[i];
        lo[i] = hm / 6;
        di[i] = (hm + hp) / 3;
        up[i] = hp / 6;
        c->d2[i] = sub(scale(1 / hp, sub(x[ip], x[i])), scale(1 / hm, sub(x[i], x[im])));
    }
    const int rc = solve_cyclic(n, lo, di, up, c->d2);
    free(w);
    if (rc)
        curve_free(c);
    return rc;
}

void curve_free(struct curve *c)
{
    free(c->s);
    free(c->x);
    free(c->d2);
    *c = (struct curve){0};
}

// Interval of s and the local coordinates a, b = distances to its right and left end over h.
static int locate(const struct curve *c, double s, double *h, double *a, double *b)
{
    s -= c->length * floor(s / c->length);
    int lo = 0, hi = c->n;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        if (c->s[mid] <= s)
            lo = mid;
        else
            hi = mid;
    }
    *h = c->s[lo + 1] - c->s[lo];
    *b = (s - c->s[lo]) / *h;
    *a = 1 - *b;
    return lo;
}

struct vec2 curve_point(const struct curve *c, double s)
{
    double h, a, b;
    const int i = locate(c, s, &h, &a, &b), ip = (i + 1) % c->n;
    struct vec2 r = axpy(a, c->x[i], scale(b, c->x[ip]));
    r = axpy((a * a * a - a) * h * h / 6, c->d2[i], r);
    return axpy((b * b * b - b) * h * h / 6, c->d2[ip], r);
}

static struct vec2 derivative(const struct curve *c, double s, struct vec2 *second)
{
    double h, a, b;
    const int i = locate(c, s, &h, &a, &b), ip = (i + 1) % c->n;
    *second = axpy(a, c->d2[i], scale(b, c->d2[ip]));
    struct vec2 r = scale(1 / h, sub(c->x[ip], c->x[i]));
    r = axpy(-(3 * a * a - 1) * h / 6, c->d2[i], r);
    return axpy((3 * b * b - 1) * h / 6, c->d2[ip], r);
}

struct vec2 curve_tangent(const struct curve *c, double s)
{
    struct vec2 second, t = derivative(c, s, &second);
    return scale(1 / norm(t), t);
}

double curve_curvature(const struct curve *c, double s)
{
    struct vec2 second;
    const struct vec2 t = derivative(c, s, &second);
    const double l = norm(t);
    return -cross(t, second) / (l * l * l);
}
