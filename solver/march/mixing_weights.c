#include "solver/march/mixing_weights.h"

#include <math.h>
#include <string.h>

/* Solves a y = b by elimination with row pivoting; 0: singular. */
static int solve(int n, double a[AN_MIX_CYCLES][AN_MIX_CYCLES], double b[AN_MIX_CYCLES])
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(a[r][c]) > fabs(a[pivot][c]))
                pivot = r;
        if (!(fabs(a[pivot][c]) > 0))
            return 0;
        for (int k = 0; k < n; k++) {
            const double t = a[c][k];
            a[c][k] = a[pivot][k];
            a[pivot][k] = t;
        }
        const double t = b[c];
        b[c] = b[pivot];
        b[pivot] = t;
        for (int r = c + 1; r < n; r++) {
            const double part = a[r][c] / a[c][c];
            for (int k = c; k < n; k++)
                a[r][k] -= part * a[c][k];
            b[r] -= part * b[c];
        }
    }
    for (int c = n - 1; c >= 0; c--) {
        for (int k = c + 1; k < n; k++)
            b[c] -= a[c][k] * b[k];
        b[c] /= a[c][c];
    }
    return 1;
}

double an_mix_weights(int n, double product[AN_MIX_CYCLES][AN_MIX_CYCLES], double c[AN_MIX_CYCLES])
{
    double a[AN_MIX_CYCLES][AN_MIX_CYCLES], whole[AN_MIX_CYCLES][AN_MIX_CYCLES];
    double y[AN_MIX_CYCLES] = {0}, right[AN_MIX_CYCLES], trace = 0;
    const int pairs = n - 1;
    memset(c, 0, AN_MIX_CYCLES * sizeof *c);
    for (int i = 0; i < pairs; i++) {
        right[i] = product[pairs][i + 1] - product[pairs][i];
        for (int j = 0; j < pairs; j++)
            whole[i][j] =
                (product[i + 1][j + 1] - product[i + 1][j]) - (product[i][j + 1] - product[i][j]);
        trace += whole[i][i];
    }
    const double all = pairs > 0 ? product[pairs][pairs] : 0;
    if (!(all > 0) || !(trace > 0) || !isfinite(trace))
        return 1;
    memcpy(a, whole, sizeof a);
    memcpy(y, right, (size_t)pairs * sizeof *y);
    for (int i = 0; i < pairs; i++)
        a[i][i] += 1e-10 * trace / pairs;
    if (!solve(pairs, a, y))
        return 1;
    double left = all; /* |f - sum y dF|^2 */
    for (int i = 0; i < pairs; i++) {
        if (!isfinite(y[i]))
            return 1;
        left -= 2 * y[i] * right[i];
        for (int j = 0; j < pairs; j++)
            left += y[i] * whole[i][j] * y[j];
    }
    if (!(left < all))
        return 1;
    for (int i = 0; i < pairs; i++) { /* - y_i (G_(i+1) - G_i) */
        c[i] += y[i];
        c[i + 1] -= y[i];
    }
    c[pairs] = 0;
    return fmax(left, 0) / all;
}
