#include "solver/march/swing.h"

#include <math.h>
#include <stdlib.h>

/* The values without the line that fits them best. */
static void detrend(int n, const double *value, double *x)
{
    double mean = 0, xx = 0, xy = 0;
    for (int i = 0; i < n; i++)
        mean += value[i] / n;
    for (int i = 0; i < n; i++) {
        const double at = i - 0.5 * (n - 1);
        xx += at * at;
        xy += at * (value[i] - mean);
    }
    for (int i = 0; i < n; i++)
        x[i] = value[i] - mean - xy / xx * (i - 0.5 * (n - 1));
}

static double correlation(int n, const double *x, int k)
{
    double both = 0, early = 0, late = 0;
    for (int i = 0; i + k < n; i++) {
        both += x[i] * x[i + k];
        early += x[i] * x[i];
        late += x[i + k] * x[i + k];
    }
    return early > 0 && late > 0 ? both / sqrt(early * late) : 0;
}

/* Period and likeness of one series; x: room for n values. */
static struct an_swing search(int n, const double *value, double *x)
{
    struct an_swing s = {0, 0, 0, 0};
    const int most = n / 2;
    int k = 1;
    detrend(n, value, x);
    while (k < most && correlation(n, x, k) >= 0)
        k++;
    double before = correlation(n, x, k), here = correlation(n, x, k + 1);
    for (k++; k < most; k++) {
        const double after = correlation(n, x, k + 1);
        if (here >= before && here >= after && here > s.alike) {
            const double bend = before - 2 * here + after;
            s.alike = here;
            s.period = k + (bend < 0 ? 0.5 * (before - after) / bend : 0);
            if (here >= AN_SWING_ALIKE) /* not its multiples */
                break;
        }
        before = here;
        here = after;
    }
    if (s.alike < AN_SWING_ALIKE)
        s.period = 0;
    return s;
}

struct an_swing an_swing_find(int n, const double *value)
{
    struct an_swing best = {0, 0, 0, 0};
    for (int i = 0; i < n; i++)
        if (!isfinite(value[i]))
            return best;
    double *x = malloc(((size_t)n + 1) * sizeof *x);
    for (int length = n; x && length >= AN_SWING_LEAST; length = length * 3 / 4) {
        const struct an_swing s = search(length, value + n - length, x);
        if (s.period > 0 && s.alike > best.alike + 0.1)
            best = s;
    }
    free(x);
    if (best.period > 0)
        an_swing_size(n, value, best.period, &best.mean, &best.amplitude);
    return best;
}

void an_swing_size(int n, const double *value, double period, double *mean, double *amplitude)
{
    const int whole = (int)lround(period), last = whole < 1 ? 1 : whole > n ? n : whole;
    double least = INFINITY, most = -INFINITY, sum = 0;
    for (int i = n - last; i < n; i++) {
        sum += value[i];
        least = fmin(least, value[i]);
        most = fmax(most, value[i]);
    }
    *mean = sum / last;
    *amplitude = 0.5 * (most - least);
}
