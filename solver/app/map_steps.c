#include "solver/app/map_steps.h"

#include <math.h>

int an_map_next(const struct an_map_steps *s, double *value)
{
    if (!s->failed) {
        *value = s->next < s->n ? s->value[s->next] : 0;
        return s->next < s->n;
    }
    *value = s->good + s->step;
    return s->has_good && fabs(s->step) >= s->least_now * (1 - 1e-9);
}

static void add_effort(struct an_map_effort *e, int64_t iterations, enum an_map_went went)
{
    e->all += iterations;
    e->search += e->failed ? iterations : 0;
    e->kept += went == AN_MAP_KEPT && !e->failed;
    e->failed |= went == AN_MAP_FAILED;
}

void an_map_note(struct an_map_steps *s, double value, enum an_map_went went, int64_t iterations)
{
    const int good = went == AN_MAP_KEPT;
    const int aside =
        went == AN_MAP_RESTLESS && !s->failed && !s->aside && s->has_good && s->next + 1 < s->n;
    const int first = !s->failed && !good && !aside;
    if (!(s->least > 0))
        add_effort(&s->effort, iterations, good || aside ? went : AN_MAP_FAILED);
    if (good) {
        s->good = value;
        s->has_good = 1;
    } else if (!(first && s->aside)) {
        s->bad = value;
    }
    s->next += !s->failed && (good || aside);
    s->aside = aside;
    s->failed |= first;
    if (!s->failed)
        return;
    if (first) {
        s->step = s->bad - s->good;
        s->least_now = s->least > 0 ? s->least : fabs(s->step) / 8;
    }
    /* halfway to what failed, unless a whole step stays short of it */
    if (!good || fabs(s->bad - s->good) <= fabs(s->step) * (1 + 1e-9))
        s->step = 0.5 * (s->bad - s->good < 0 ? -fabs(s->step) : fabs(s->step));
}

int an_map_is_choked(double flow_before, double pressure_before, double flow, double pressure)
{
    return flow_before > 0 && pressure_before > 0 && fabs(pressure / pressure_before - 1) >= 0.01 &&
           fabs(flow / flow_before - 1) <= 1e-3;
}

int an_map_choked_row(int n, const double *before, const double *now)
{
    const double part = 0.2;
    double most = 0;
    for (int k = 0; k < n; k++) {
        const double change = fabs(now[k] / before[k] - 1);
        if (!isfinite(change))
            return -1;
        most = fmax(most, change);
    }
    for (int k = 0; k < n && most > 0; k++)
        if (fabs(now[k] / before[k] - 1) >= part * most)
            return k;
    return -1;
}

/* The search's part of all iterations. */
static const double part = 0.3;

int64_t an_map_search_left(const struct an_map_effort *e)
{
    if (!e->failed)
        return INT64_MAX;
    const double left = (part * (double)e->all - (double)e->search) / (1 - part);
    return left > 0 ? (int64_t)left : 0;
}

int an_map_has_searched(const struct an_map_effort *e)
{
    const double one = e->kept ? (double)(e->all - e->search) / e->kept : 0;
    return e->failed && one > (double)an_map_search_left(e);
}
