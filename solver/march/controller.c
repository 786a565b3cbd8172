#include "solver/march/controller.h"

#include <math.h>
#include <string.h>

struct an_line_fit an_line_fit(int n, const double *sample)
{
    double mean = 0, xx = 0, xy = 0, squares = 0;
    for (int i = 0; i < n; i++)
        mean += sample[i] / n;
    for (int i = 0; i < n; i++) {
        const double x = i - 0.5 * (n - 1);
        xx += x * x;
        xy += x * (sample[i] - mean);
    }
    const double slope = xy / xx;
    for (int i = 0; i < n; i++) {
        const double off = sample[i] - mean - slope * (i - 0.5 * (n - 1));
        squares += off * off;
    }
    return (struct an_line_fit){.rise = slope * (n - 1),
                                .error = (n - 1) * sqrt(squares / (n - 2) / xx),
                                .scatter = sqrt(squares / n)};
}

void an_control_forget(struct an_control *c, double caution)
{
    memset(c, 0, sizeof *c);
    c->caution = caution;
    c->most = 1;
}

static enum an_control_move change(struct an_control *c, double caution, enum an_control_move move)
{
    c->caution = caution;
    c->raised = move == AN_CONTROL_DOUBLED || move == AN_CONTROL_RESTORED;
    c->n = 0;
    return move;
}

void an_control_restart(struct an_control *c)
{
    c->n = 0;
    if (c->trial == AN_TRIAL_RUNS)
        c->trial = AN_TRIAL_NONE;
}

int an_control_waits(int64_t iteration, int64_t begin, int64_t n)
{
    return iteration >= begin && iteration < begin + n;
}

void an_control_diverged(struct an_control *c, double caution)
{
    if (c->raised)
        c->most = caution;
    if (c->trial == AN_TRIAL_RUNS)
        c->trial = AN_TRIAL_FAILED;
    (void)change(c, caution, AN_CONTROL_STAYS);
}

static double mean_of(int n, const double *sample)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += sample[i];
    return sum / n;
}

/* Does the residual grow beyond what it was before the last window? */
static int grows(const struct an_control *c, int window)
{
    const struct an_line_fit line = an_line_fit(window, c->sample + c->n - window);
    if (c->n < 2 * window - 1 || line.rise < AN_CONTROL_GROWS || line.rise < 3 * line.error)
        return 0;
    double most = -INFINITY;
    const int since = c->n - window - AN_CONTROL_BEFORE * (window - 1);
    for (int i = since > 0 ? since : 0; i < c->n - window; i++)
        most = fmax(most, c->sample[i]);
    return c->sample[c->n - 1] > most + AN_CONTROL_GROWS;
}

static int falls(const struct an_control *c, int window)
{
    const int both = 2 * window - 1;
    if (c->n < both)
        return 0;
    const struct an_line_fit line = an_line_fit(both, c->sample + c->n - both);
    return line.rise < -2 * AN_CONTROL_FALLS && line.rise < -3 * line.error;
}

static int is_stalled(const struct an_control *c, int window)
{
    const int all = AN_CONTROL_WINDOWS * (window - 1) + 1, half = all / 2;
    if (c->n < all)
        return 0;
    const double *s = c->sample + c->n - all;
    const double fall = mean_of(half, s) - mean_of(half, s + all - half);
    return fall < 0.5 * AN_CONTROL_FLAT && fabs(an_line_fit(all, s).rise) < AN_CONTROL_FLAT;
}

/* The trial under way: did it help, or is it undone? */
static enum an_control_move judge_trial(struct an_control *c, int window)
{
    if (c->n >= window &&
        mean_of(window, c->sample + c->n - window) < c->level - AN_CONTROL_HELPS) {
        c->trial = AN_TRIAL_NONE;
        c->most = c->caution;
        return AN_CONTROL_STAYS;
    }
    if (!is_stalled(c, window) && !grows(c, window))
        return AN_CONTROL_STAYS;
    c->trial = AN_TRIAL_FAILED;
    return change(c, c->most, AN_CONTROL_UNDONE);
}

enum an_control_move an_control_note(struct an_control *c, double sample, int window, double least,
                                     int may_try)
{
    if (c->n == AN_CONTROL_SAMPLES)
        memmove(c->sample, c->sample + 1, (size_t)--c->n * sizeof *c->sample);
    c->sample[c->n++] = sample;
    if (c->n < window)
        return AN_CONTROL_STAYS;
    if (c->trial == AN_TRIAL_RUNS)
        return judge_trial(c, window);
    if (c->caution > least && grows(c, window)) {
        if (c->raised)
            c->most = fmax(0.5 * c->caution, least);
        return change(c, fmax(0.5 * c->caution, least), AN_CONTROL_HALVED);
    }
    if (c->caution < c->most && falls(c, window))
        return change(c, fmin(2 * c->caution, c->most), AN_CONTROL_DOUBLED);
    if (!is_stalled(c, window))
        return AN_CONTROL_STAYS;
    if (c->caution < c->most)
        return change(c, c->most, AN_CONTROL_RESTORED);
    if (!may_try || c->trial == AN_TRIAL_FAILED || c->caution <= least)
        return AN_CONTROL_STAYS;
    c->trial = AN_TRIAL_RUNS;
    c->level = mean_of(window, c->sample + c->n - window);
    return change(c, fmax(c->caution / 16, least), AN_CONTROL_TRIES);
}
