// How the layers follow from the keys: the weights of the keys' nodes.
#include "row.h"

#include <math.h>

// Weights of the keys in the polynomial of this degree that comes nearest to all of them, at w:
// sums of the polynomials that are orthonormal on the keys. What two keys do differently by
// accident does not become a wave along the span.
void mix_polynomial(const struct row *r, double w, int degree, double *weight)
{
    double p[3][MAX_KEYS], at[3] = {0, 0, 0}, before = 0;
    const int n = r->nkey;
    degree = degree > n - 1 ? n - 1 : degree;
    for (int k = 0; k < n; k++) {
        p[0][k] = 0;
        p[1][k] = 1 / sqrt(n);
        weight[k] = 1.0 / n;
    }
    at[1] = 1 / sqrt(n);
    for (int d = 1; d <= degree; d++) {
        double a = 0, b = 0;
        for (int k = 0; k < n; k++)
            a += r->key[k].w * p[1][k] * p[1][k];
        for (int k = 0; k < n; k++) {
            p[2][k] = (r->key[k].w - a) * p[1][k] - before * p[0][k];
            b += p[2][k] * p[2][k];
        }
        b = sqrt(b);
        at[2] = ((w - a) * at[1] - before * at[0]) / b;
        for (int k = 0; k < n; k++) {
            p[0][k] = p[1][k];
            p[1][k] = p[2][k] / b;
            weight[k] += at[2] * p[1][k];
        }
        at[0] = at[1];
        at[1] = at[2];
        before = b;
    }
}

// Weights of the cubics that join the keys one by one (Catmull and Rom): each key is met.
static void local(const struct row *r, double w, double *weight)
{
    const int n = r->nkey;
    int k = 0;
    while (k < n - 2 && r->key[k + 1].w < w)
        k++;
    const double t = (w - r->key[k].w) / (r->key[k + 1].w - r->key[k].w), v = 1 - t;
    const double slope[2] = {t * v * v, -t * t * v};
    for (int q = 0; q < n; q++)
        weight[q] = 0;
    weight[k] = v * v * (1 + 2 * t);
    weight[k + 1] = t * t * (3 - 2 * t);
    for (int e = 0; e < 2; e++) {
        const int hi = k + e < n - 1 ? k + e + 1 : n - 1, lo = k + e > 0 ? k + e - 1 : 0;
        weight[hi] += slope[e] / (hi - lo);
        weight[lo] -= slope[e] / (hi - lo);
    }
}

void mix_weights(const struct row *r, double w, double *weight)
{
    // lines along the span that bend less lean less, where the blade itself leans much
    static const int degree[2][MIX_ALL] = {{3, 5, 0, 2, 4, 1}, {5, 3, 0, 2, 4, 1}};
    if (r->mix == MIX_LOCAL)
        local(r, w, weight);
    else
        mix_polynomial(r, w, degree[r->meridian.axial][r->mix], weight);
}
