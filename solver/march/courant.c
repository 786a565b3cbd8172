/* The CFL number of each step, and what else depends on the iteration. */
#include "solver/level/solver.h"

#include <math.h>

double an_solver_cfl(const struct an_solver *s)
{
    const struct an_case *c = s->c;
    if (c->march.mode == AN_MARCH_UNSTEADY)
        return c->march.cfl;
    const double caution = s->iteration > s->slow.at ? s->caution : s->slow.before;
    const double most = caution * c->march.cfl;
    const int64_t done = s->iteration - s->ramp_from;
    if (c->march.cfl_ramp <= 0 || done >= c->march.cfl_ramp)
        return most;
    const double start = fmin(c->march.cfl_start, most);
    return start * pow(most / start, (double)done / c->march.cfl_ramp);
}

/* Extra dissipation of a steady start: a floor of the shock sensor that fades like (1 - n/N)^2. It
 * swallows the waves that an initial state far from the flow sends through the domain. */
static double least_sensor(const struct an_case *c, int64_t iteration)
{
    if (c->march.mode == AN_MARCH_UNSTEADY || iteration >= c->march.smooth_start)
        return 0;
    const double left = 1 - (double)iteration / c->march.smooth_start;
    return 0.2 * left * left;
}

void an_solver_ramp(struct an_solver *s)
{
    s->params.cfl = an_solver_cfl(s);
    s->params.sensor_least = least_sensor(s->c, s->iteration);
    s->params_coarse.cfl = s->params.cfl;
    if (s->c->march.residual_smoothing) {
        s->params.smooth_ratio = s->params.cfl / an_case_plain_cfl(s->c);
        s->params.explicit_march = 1 / fmax(1, s->params.smooth_ratio);
    }
}
