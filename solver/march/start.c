/* The state a run starts from when it does not restart. */
#include "kernels/physics/gas_state.h"
#include "solver/level/level.h"
#include "solver/march/cfl.h"
#include "solver/march/march.h"
#include "solver/march/multigrid.h"
#include "solver/output/state.h"

#include <math.h>
#include <string.h>

static void uniform(void *context, const double x[3], double q[5])
{
    (void)x;
    memcpy(q, context, 5 * sizeof *q);
}

/* The Taylor-Green vortex in a gas of uniform temperature (Brachet et al., JFM 130, 1983; van Rees et al.,
 * JCP 230, 2011); the pressure is that of incompressible flow. */
struct vortices {
    double length, speed, T, p, rho, R;
};

static void taylor_green(void *context, const double x[3], double q[5])
{
    const struct vortices *v = context;
    const double a = x[0] / v->length, b = x[1] / v->length, c = x[2] / v->length;
    const double dynamic = v->rho * v->speed * v->speed;
    const double p = v->p + dynamic / 16 * (cos(2 * a) + cos(2 * b)) * (cos(2 * c) + 2);
    const double state[5] = {p / (v->R * v->T), v->speed * sin(a) * cos(b) * cos(c),
                             -v->speed * cos(a) * sin(b) * cos(c), 0, p};
    memcpy(q, state, sizeof state);
}

int an_solver_fill_initial(struct an_solver *s)
{
    const struct an_case_state *i = &s->c->initial;
    const struct an_gas gas = an_case_gas_of(s->c, NULL);
    double speed = i->mach * an_state_sound(&gas, i->p, i->T);
    double q[5] = {an_state_density(&gas, i->p, i->T), 0, 0, 0, i->p};
    for (int d = 0; d < 3; d++)
        q[1 + d] = i->has_velocity ? i->velocity[d] : speed * i->direction[d];
    struct an_marching *m = an_marching_of(s);
    m->start_diverged = 0;
    if (s->c->pattern == AN_PATTERN_TAYLOR_GREEN) {
        struct vortices v = {s->c->pattern_length, an_case_speed(s->c, i), i->T, i->p, q[0],
                             s->c->gas.R};
        return an_solver_fill(s, taylor_green, &v);
    }
    AN_TRY(an_solver_fill(s, uniform, q));
    const int steady = s->c->march.mode == AN_MARCH_STEADY; /* else it is the state at time 0 */
    const int status = s->implicit && steady ? an_multigrid_start(s) : AN_OK;
    if (status != AN_DIVERGED) /* the same on all ranks */
        return status;
    m->start_diverged = 1;
    return an_solver_fill(s, uniform, q);
}
