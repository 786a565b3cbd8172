/* When a march has stalled, and whether mixing its cycles helped. */
#include "solver/march/acceleration.h"

#include <math.h>
#include <string.h>

void an_accel_watch_reset(struct an_accel_watch *w)
{
    memset(w, 0, sizeof *w);
    w->before = NAN;
}

static double mean_of(const struct an_accel_watch *w)
{
    double sum = 0;
    for (int n = 0; n < AN_ACCEL_SAMPLES; n++)
        sum += w->sample[n];
    return sum / AN_ACCEL_SAMPLES;
}

enum an_accel_verdict an_accel_watch_note(struct an_accel_watch *w, double sample, int rounding)
{
    w->sample[w->n++] = sample;
    if (w->n < AN_ACCEL_SAMPLES)
        return AN_ACCEL_GOES_ON;
    w->n = 0;
    const double mean = mean_of(w), gain = w->before - mean; /* NaN: no window before */
    w->before = mean;
    if (w->on) {
        w->poor = !(gain < AN_ACCEL_GAIN) || rounding ? 0 : w->poor + 1;
        if (w->poor < 2)
            return AN_ACCEL_GOES_ON;
        w->on = w->poor = w->flat = 0;
        w->tries++;
        w->before = NAN;
        return AN_ACCEL_ENDS;
    }
    const int flat = gain < AN_ACCEL_STALLED && gain > -AN_ACCEL_RISES && !rounding;
    w->flat = flat ? w->flat + 1 : 0;
    if (w->flat < 2 || w->tries >= AN_ACCEL_TRIES)
        return AN_ACCEL_GOES_ON;
    w->on = 1;
    w->poor = 0;
    return AN_ACCEL_BEGINS;
}
