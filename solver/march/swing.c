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

/* Mean autocorrelation at shift k of `count` series x[count][n]. */
static double alikeness(int count, int n, const double *x, int k)
{
    double sum = 0;
    for (int s = 0; s < count; s++)
        sum += correlation(n, x + (size_t)s * (size_t)n, k);
    return sum / count;
}

/* Period and likeness of the last n values of series of `all` values; x: room for count * n values. */
static struct an_swing search(int count, int all, int n, const double *const *value, double *x)
{
    struct an_swing s = {0, 0, 0, 0};
    const int most = n / 2;
    int k = 1;
    for (int m = 0; m < count; m++)
        detrend(n, value[m] + all - n, x + (size_t)m * (size_t)n);
    while (k < most && alikeness(count, n, x, k) >= 0)
        k++;
    double before = alikeness(count, n, x, k), here = alikeness(count, n, x, k + 1);
    for (k++; k < most; k++) {
        const double after = alikeness(count, n, x, k + 1);
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

struct an_swing an_swing_common(int count, int n, const double *const *value)
{
    struct an_swing best = {0, 0, 0, 0};
    for (int s = 0; s < count; s++)
        for (int i = 0; i < n; i++)
            if (!isfinite(value[s][i]))
                return best;
    double *x = count > 0 ? malloc((size_t)count * (size_t)n * sizeof *x + 1) : NULL;
    for (int length = n; x && length >= AN_SWING_LEAST; length = length * 3 / 4) {
        const struct an_swing s = search(count, n, length, value, x);
        if (s.period > 0 && s.alike > best.alike + 0.1)
            best = s;
    }
    free(x);
    if (best.period > 0)
        an_swing_size(n, value[0], best.period, &best.mean, &best.amplitude);
    return best;
}

struct an_swing an_swing_find(int n, const double *value)
{
    return an_swing_common(1, n, &value);
}

/* Mean, and largest less least value. */
static double mean_of(int n, const double *value, double *range)
{
    double least = INFINITY, most = -INFINITY, sum = 0;
    for (int i = 0; i < n; i++) {
        sum += value[i];
        least = fmin(least, value[i]);
        most = fmax(most, value[i]);
    }
    *range = most - least;
    return sum / n;
}

void an_swing_size(int n, const double *value, double period, double *mean, double *amplitude)
{
    const int whole = (int)lround(period), last = whole < 1 ? 1 : whole > n ? n : whole;
    double range;
    *mean = mean_of(last, value + n - last, &range);
    *amplitude = 0.5 * range;
}

int an_swing_repeats(int n, const double *value, double period)
{
    const int whole = (int)lround(period);
    double last, before, earlier;
    if (whole < 2 || 2 * whole > n)
        return 0;
    const double apart = fabs(mean_of(whole, value + n - whole, &last) -
                              mean_of(whole, value + n - 2 * whole, &before));
    for (int from = n - 3 * whole; from >= 0; from -= whole) {
        (void)mean_of(whole, value + from, &earlier);
        if (!(fmax(last, earlier) <= AN_SWING_GROWS * fmin(last, earlier)))
            return 0;
    }
    return apart <= AN_SWING_SHIFT * fmax(last, before) &&
           fmax(last, before) <= AN_SWING_VARIES * fmin(last, before);
}

int an_swing_stays(int n, const double *value)
{
    double least = INFINITY, most = -INFINITY, smallest = INFINITY, largest = 0, sum = 0, all;
    if (n < AN_SWING_LEAST3)
        return 0;
    for (int third = 0; third < 3; third++) {
        const int from = third * n / 3, to = (third + 1) * n / 3;
        double range;
        const double mean = mean_of(to - from, value + from, &range);
        least = fmin(least, mean);
        most = fmax(most, mean);
        smallest = fmin(smallest, range);
        largest = fmax(largest, range);
        sum += range;
    }
    const double mean = mean_of(n, value, &all);
    int crosses = 0, side = 0;
    for (int i = 0; i < n; i++) {
        const int now = (value[i] > mean) - (value[i] < mean);
        crosses += now * side < 0;
        side = now ? now : side;
    }
    return most - least <= AN_SWING_DRIFT * sum / 3 && largest <= AN_SWING_GROWS * smallest &&
           crosses >= AN_SWING_CROSSES;
}
