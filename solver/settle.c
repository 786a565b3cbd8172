/* Rules on figures that settle: they hold over a number of lines of the table. */
#include "solver/solver.h"

#include <math.h>
#include <string.h>

const char *const an_settle_name[3] = {"stop.mass_flow", "stop.pressure_ratio", "stop.efficiency"};

void an_solver_note(struct an_solver *s, const double value[3])
{
    if (s->settle.n == AN_STOP_SAMPLES)
        memmove(s->settle.value[0], s->settle.value[1],
                (size_t)--s->settle.n * sizeof s->settle.value[0]);
    memcpy(s->settle.value[s->settle.n++], value, sizeof s->settle.value[0]);
}

/* Largest less least of the last n values; with `relative` over their mean. A NaN: infinite. */
static double spread(const struct an_solver *s, int which, int n, int relative)
{
    double least = INFINITY, most = -INFINITY, sum = 0;
    for (int m = s->settle.n - n; m < s->settle.n; m++) {
        const double v = s->settle.value[m][which];
        if (isnan(v))
            return INFINITY;
        least = fmin(least, v);
        most = fmax(most, v);
        sum += v;
    }
    return relative ? (most - least) / fabs(sum / n) : most - least;
}

int an_solver_settled(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    const double rule[3] = {c->stop.mass_flow, c->stop.pressure_ratio, c->stop.efficiency};
    const int n = c->stop.window / c->output.history_every + 1;
    if (!an_case_has_stop(c) || s->settle.n < n)
        return 0;
    for (int m = 0; m < 3; m++)
        if (rule[m] > 0 && !(spread(s, m, n, m < 2) <= rule[m]))
            return 0;
    return 1;
}
