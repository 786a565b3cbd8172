// Points with errors: single ones that stand off the curve, and noise that a smooth curve within a
// tolerance replaces.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

enum { OVERLAP = 40, SEARCH = 60 };

// Distance of b from the cubic through two points on each side of it, by chord length.
static double stands_off(const struct vec2 q[5])
{
    double s[5] = {0};
    for (int k = 1; k < 5; k++)
        s[k] = s[k - 1] + norm(sub(q[k], q[k - 1]));
    struct vec2 at = {0, 0};
    for (int k = 0; k < 5; k++) {
        double w = 1;
        for (int m = 0; m < 5 && k != 2; m++)
            if (m != 2 && m != k)
                w *= (s[2] - s[m]) / (s[k] - s[m]);
        if (k != 2)
            at = axpy(w, q[k], at);
    }
    return norm(sub(q[2], at));
}

// Point i with its neighbours, two on each side; `without`: a point to pass over, -1 for none.
static double off_at(const struct vec2 *x, int n, int i, int without)
{
    struct vec2 q[5];
    for (int side = -1; side <= 1; side += 2) {
        int k = i;
        for (int m = 1; m <= 2; m++) {
            k = (k + side + n) % n;
            if (k == without)
                k = (k + side + n) % n;
            q[2 + side * m] = x[k];
        }
    }
    q[2] = x[i];
    return stands_off(q);
}

int outlier_find(const struct vec2 *x, int n, double tolerance, double *off)
{
    int best = -1;
    *off = 3 * tolerance;
    for (int i = 0; i < n && n > 12; i++) {
        const double own = off_at(x, n, i, -1);
        double others = 0;
        for (int m = -2; m <= 2; m++)
            if (m)
                others = fmax(others, off_at(x, n, (i + m + n) % n, i));
        if (own > *off && others < 0.25 * own) {
            *off = own;
            best = i;
        }
    }
    return best;
}

// Minimises sum (x - d)^2 + lambda sum (h^2 x'')^2 over an open line of n points: five diagonals, of
// which a[0..2] are stored; solved by Cholesky's method without roots.
static void smooth_line(int n, const struct vec2 *d, const double *s, double lambda, double *a,
                        struct vec2 *x)
{
    memset(a, 0, 3 * (size_t)n * sizeof *a);
    for (int i = 0; i < n; i++) {
        a[3 * i] = 1;
        x[i] = d[i];
    }
    for (int i = 1; i < n - 1; i++) {
        const double l = s[i] - s[i - 1], r = s[i + 1] - s[i], h = 0.5 * (l + r);
        const double c[3] = {h / l, -h / l - h / r, h / r}; // h^2 x''
        for (int p = 0; p < 3; p++)
            for (int q = p; q < 3; q++)
                a[3 * (i - 1 + p) + q - p] += lambda * c[p] * c[q];
    }
    for (int i = 0; i < n; i++) // rows i + 1 and i + 2 lose their part of row i
        for (int m = 1; m <= 2 && i + m < n; m++) {
            const double f = a[3 * i + m] / a[3 * i];
            for (int q = m; q <= 2 && i + q < n; q++)
                a[3 * (i + m) + q - m] -= f * a[3 * i + q];
            x[i + m] = axpy(-f, x[i], x[i + m]);
        }
    for (int i = n - 1; i >= 0; i--) {
        for (int m = 1; m <= 2 && i + m < n; m++)
            x[i] = axpy(-a[3 * i + m], x[i + m], x[i]);
        x[i] = scale(1 / a[3 * i], x[i]);
    }
}

static double largest_move(int n, const struct vec2 *a, const struct vec2 *b)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, norm(sub(a[i], b[i])));
    return most;
}

int points_smooth(struct vec2 *x, int n, double tolerance, double *moved)
{
    const int over = n < OVERLAP ? n : OVERLAP,
              all = n + 2 * over; // the ends overlap: a closed line
    struct vec2 *d = malloc(2 * (size_t)all * sizeof *d), *t = d + all;
    double *s = malloc(4 * (size_t)all * sizeof *s), *a = s + all;
    if (!d || !s) {
        free(d);
        free(s);
        return EXIT_FAILED;
    }
    for (int i = 0; i < all; i++) {
        d[i] = x[(i - over + n) % n];
        s[i] = i ? s[i - 1] + norm(sub(d[i], d[i - 1])) : 0;
    }
    double lo = -12, hi = 12; // logarithm of lambda
    for (int k = 0; k < SEARCH; k++) {
        const double mid = 0.5 * (lo + hi);
        smooth_line(all, d, s, pow(10, mid), a, t);
        *(largest_move(n, t + over, d + over) <= tolerance ? &lo : &hi) = mid;
    }
    smooth_line(all, d, s, pow(10, lo), a, t);
    *moved = largest_move(n, t + over, d + over);
    memcpy(x, t + over, (size_t)n * sizeof *x);
    free(d);
    free(s);
    return EXIT_DONE;
}
