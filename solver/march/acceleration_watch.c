#include "solver/march/acceleration_watch.h"

#include <math.h>
#include <string.h>

int an_accel_watch_look(int planes)
{
    const int look = AN_ACCEL_LOOK + 2 * planes;
    return planes < 2 ? AN_ACCEL_LOOK : look < AN_ACCEL_LONG ? look : AN_ACCEL_LONG;
}

void an_accel_watch_reset(struct an_accel_watch *w)
{
    memset(w, 0, sizeof *w);
}

void an_accel_watch_again(struct an_accel_watch *w)
{
    const struct an_accel_watch before = *w;
    an_accel_watch_reset(w);
    w->armed = before.armed;
    if (!before.on)
        return;
    w->on = 1;
    w->tries = before.tries;
    w->level = w->least = before.level;
}

void an_accel_watch_arm(struct an_accel_watch *w)
{
    an_accel_watch_again(w);
    w->armed = !w->on;
    w->tries = 0;
}

/* Mean of `count` samples from the first one on. */
static double mean_of(const struct an_accel_watch *w, int first, int count)
{
    double sum = 0;
    for (int n = first; n < first + count; n++)
        sum += w->sample[n];
    return sum / count;
}

static double least_of(const struct an_accel_watch *w)
{
    double least = INFINITY;
    for (int n = 0; n < w->n; n++)
        least = fmin(least, w->sample[n]);
    return least;
}

/* Mean of the newer half of the last `count` samples, and by how much it lies below that of the older. */
static double newer_of(const struct an_accel_watch *w, int count, double *falls)
{
    const double newer = mean_of(w, w->n - count / 2, count / 2);
    *falls = mean_of(w, w->n - count, count / 2) - newer;
    return newer;
}

static enum an_accel_verdict begin_mixed(struct an_accel_watch *w, double level)
{
    w->on = 1;
    w->armed = w->windows = w->poor = w->idle = w->since = 0;
    w->level = w->least = level;
    return AN_ACCEL_BEGINS;
}

static enum an_accel_verdict judge_plain(struct an_accel_watch *w, int rounding, int look)
{
    double falls, falls_long = INFINITY;
    if (w->armed && !rounding && w->n > 1) {
        const double now = w->sample[w->n - 1];
        if (fmin(now, w->sample[w->n - 2]) > least_of(w) + AN_ACCEL_LEAVES)
            return begin_mixed(w, now);
    }
    if (w->n < look)
        return AN_ACCEL_GOES_ON;
    double newer = newer_of(w, look, &falls);
    w->flat =
        falls < AN_ACCEL_STALLED * look / AN_ACCEL_LOOK && falls > -AN_ACCEL_RISES && !rounding
            ? w->flat + 1
            : 0;
    const double newer_long =
        w->n < AN_ACCEL_LONG ? newer : newer_of(w, AN_ACCEL_LONG, &falls_long);
    w->stands = fabs(falls_long) < AN_ACCEL_STANDS && !rounding ? w->stands + 1 : 0;
    if ((w->flat < AN_ACCEL_FLAT && w->stands < AN_ACCEL_FLAT) || w->tries >= AN_ACCEL_TRIES)
        return AN_ACCEL_GOES_ON;
    return begin_mixed(w, w->flat < AN_ACCEL_FLAT ? newer_long : newer);
}

static enum an_accel_verdict judge_mixed(struct an_accel_watch *w, int rounding, int look)
{
    if (++w->since < AN_ACCEL_SAMPLES)
        return AN_ACCEL_GOES_ON;
    w->since = 0;
    const double mean = mean_of(w, w->n - AN_ACCEL_SAMPLES, AN_ACCEL_SAMPLES);
    w->idle = mean < w->least - 0.05 || rounding ? 0 : w->idle + 1;
    w->least = mean < w->least ? mean : w->least;
    w->poor = mean > w->level - AN_ACCEL_GAIN && !rounding ? w->poor + 1 : 0;
    if (w->windows++ == 0)
        w->poor = 0;
    if (w->poor < AN_ACCEL_POOR * look / AN_ACCEL_LOOK)
        return w->idle && w->idle % AN_ACCEL_IDLE == 0 ? AN_ACCEL_ANEW : AN_ACCEL_GOES_ON;
    const int worse = mean > w->level + AN_ACCEL_WORSE, tries = w->tries + 1;
    an_accel_watch_reset(w);
    w->tries = tries;
    return worse ? AN_ACCEL_ENDS_BACK : AN_ACCEL_ENDS;
}

enum an_accel_verdict an_accel_watch_note(struct an_accel_watch *w, double sample, int rounding,
                                          int look)
{
    if (w->n == AN_ACCEL_LONG)
        memmove(w->sample, w->sample + 1, (size_t)--w->n * sizeof *w->sample);
    w->sample[w->n++] = sample;
    return w->on ? judge_mixed(w, rounding, look) : judge_plain(w, rounding, look);
}

int an_accel_watch_exhausted(const struct an_accel_watch *w)
{
    return w->on ? w->idle >= 4 : w->tries > 0;
}
