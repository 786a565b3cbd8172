#include "solver/march/mixing_weights.h"

#include <math.h>
#include <string.h>

/* Solves a y = b by elimination with row pivoting; 0: singular. */
static int solve(int n, double a[AN_MIX_PAIRS][AN_MIX_PAIRS], double b[AN_MIX_PAIRS])
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

double an_mix_weights(const struct an_mix_products *p, int n, double y[AN_MIX_PAIRS])
{
    double a[AN_MIX_PAIRS][AN_MIX_PAIRS] = {{0}}, b[AN_MIX_PAIRS] = {0};
    double right[AN_MIX_PAIRS], all = 0, trace = 0;
    memset(y, 0, AN_MIX_PAIRS * sizeof *y);
    for (int c = 0; c < AN_MIX_COMPONENTS; c++) {
        if (!(p->ff[c] > 0))
            continue;
        all += 1;
        for (int i = 0; i < n; i++) {
            b[i] += p->fd[c][i] / p->ff[c];
            for (int j = 0; j < n; j++)
                a[i][j] += p->dd[c][i][j] / p->ff[c];
        }
    }
    for (int i = 0; i < n; i++)
        trace += a[i][i];
    if (!(all > 0) || !(trace > 0) || !isfinite(trace))
        return 1;
    double whole[AN_MIX_PAIRS][AN_MIX_PAIRS];
    memcpy(whole, a, sizeof whole);
    memcpy(right, b, sizeof right);
    for (int i = 0; i < n; i++)
        a[i][i] += 1e-10 * trace / n;
    if (!solve(n, a, b))
        return 1;
    double left = all; /* |f - sum y dF|^2 */
    for (int i = 0; i < n; i++) {
        if (!isfinite(b[i]))
            return 1;
        left -= 2 * b[i] * right[i];
        for (int j = 0; j < n; j++)
            left += b[i] * whole[i][j] * b[j];
    }
    if (!(left < all))
        return 1;
    memcpy(y, b, (size_t)n * sizeof *y);
    return fmax(left, 0) / all;
}
