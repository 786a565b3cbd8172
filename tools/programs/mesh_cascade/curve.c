// Closed periodic cubic spline through points, with the chord length as parameter; with two corners, two
// splines from one to the other.
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

static int curve_new(struct curve *c, const struct vec2 *x, int n)
{
    *c = (struct curve){.n = n};
    c->s = malloc(((size_t)n + 1) * sizeof *c->s);
    c->x = malloc((size_t)n * sizeof *c->x);
    c->d2 = malloc((size_t)n * sizeof *c->d2);
    if (!c->s || !c->x || !c->d2) {
        curve_free(c);
        return EXIT_FAILED;
    }
    c->s[0] = 0;
    for (int i = 0; i < n; i++) {
        c->x[i] = x[i];
        c->s[i + 1] = c->s[i] + norm(sub(x[(i + 1) % n], x[i]));
    }
    c->length = c->s[n];
    return EXIT_DONE;
}

int curve_fit(struct curve *c, const struct vec2 *x, int n)
{
    double *w = malloc(3 * (size_t)n * sizeof *w);
    *c = (struct curve){0};
    if (!w || curve_new(c, x, n)) {
        free(w);
        return EXIT_FAILED;
    }
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

// The spline from knot `from` over m intervals, whose second derivative is constant in the first and in the
// last of them; up: scratch [m].
static void fit_piece(struct curve *c, int from, int m, double *up)
{
    const int n = c->n;
    struct vec2 last = {0, 0};
    double pivot = 1;
    for (int k = 1; k < m; k++) { // elimination; up[k], d2 of knot k: of the row k
        const int i = (from + k) % n, im = (from + k - 1) % n, ip = (from + k + 1) % n;
        const double hm = c->s[im + 1] - c->s[im], hp = c->s[i + 1] - c->s[i];
        const struct vec2 bend =
            sub(scale(1 / hp, sub(c->x[ip], c->x[i])), scale(1 / hm, sub(c->x[i], c->x[im])));
        const double lo = k > 1 ? hm / 6 : 0;
        pivot = (hm + hp) / 3 + (k == 1 ? hm / 6 : 0) + (k == m - 1 ? hp / 6 : 0) -
                (k > 1 ? lo * up[k - 1] : 0);
        up[k] = hp / 6 / pivot;
        last = scale(1 / pivot, axpy(-lo, last, bend));
        c->d2[i] = last;
    }
    for (int k = m - 1; k >= 1; k--) {
        const int i = (from + k) % n;
        if (k < m - 1)
            c->d2[i] = axpy(-up[k], c->d2[(i + 1) % n], c->d2[i]);
        c->end2[(from + k - 1) % n] = c->d2[i];
    }
    const struct vec2 none = {0, 0};
    c->d2[from] = m > 1 ? c->d2[(from + 1) % n] : none;
    c->end2[(from + m - 1) % n] = m > 1 ? c->d2[(from + m - 1) % n] : none;
}

int curve_fit_corners(struct curve *c, const struct vec2 *x, int n, const int corner[2])
{
    double *up = malloc((size_t)n * sizeof *up);
    *c = (struct curve){0};
    if (!up || curve_new(c, x, n)) {
        free(up);
        return EXIT_FAILED;
    }
    c->end2 = malloc((size_t)n * sizeof *c->end2);
    if (!c->end2) {
        free(up);
        curve_free(c);
        return EXIT_FAILED;
    }
    fit_piece(c, corner[0], corner[1] - corner[0], up);
    fit_piece(c, corner[1], n - corner[1] + corner[0], up);
    free(up);
    return EXIT_DONE;
}

void curve_free(struct curve *c)
{
    free(c->s);
    free(c->x);
    free(c->d2);
    free(c->end2);
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

// Second derivative at the end of interval i.
static struct vec2 end_of(const struct curve *c, int i)
{
    return c->end2 ? c->end2[i] : c->d2[(i + 1) % c->n];
}

struct vec2 curve_point(const struct curve *c, double s)
{
    double h, a, b;
    const int i = locate(c, s, &h, &a, &b), ip = (i + 1) % c->n;
    struct vec2 r = axpy(a, c->x[i], scale(b, c->x[ip]));
    r = axpy((a * a * a - a) * h * h / 6, c->d2[i], r);
    return axpy((b * b * b - b) * h * h / 6, end_of(c, i), r);
}

static struct vec2 derivative(const struct curve *c, double s, struct vec2 *second)
{
    double h, a, b;
    const int i = locate(c, s, &h, &a, &b), ip = (i + 1) % c->n;
    *second = axpy(a, c->d2[i], scale(b, end_of(c, i)));
    struct vec2 r = scale(1 / h, sub(c->x[ip], c->x[i]));
    r = axpy(-(3 * a * a - 1) * h / 6, c->d2[i], r);
    return axpy((3 * b * b - 1) * h / 6, end_of(c, i), r);
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
