/* The state a run starts from when it does not restart. */
#include "kernels/physics/gas_state.h"
#include "solver/boundary/control.h"
#include "solver/level/level.h"
#include "solver/march/cfl.h"
#include "solver/march/march.h"
#include "solver/march/multigrid.h"
#include "solver/monitor/mean_line.h"
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

/* The state of the mean line. */
struct along {
    const struct an_mean_line *line;
    struct an_gas gas;
};

static void mean_line(void *context, const double x[3], double q[5])
{
    const struct along *a = context;
    double T;
    an_mean_line_at(a->line, x, &q[4], &T, q + 1);
    q[0] = an_state_density(&a->gas, q[4], T);
}

/* The mean line that the flow starts from; NULL: the uniform state. */
static const struct an_mean_line *line_of(const struct an_solver *s)
{
    const struct an_mean_line *m = an_mean_line_of(s);
    const int steady = s->c->march.mode == AN_MARCH_STEADY; /* else it is the state at time 0 */
    int axial = 1; /* the mean line of radial rows is up to 30 % off */
    for (int n = 0; m && n < m->shape.n; n++)
        axial &= an_row_is_axial(&m->shape.row[n]);
    return m && m->known && axial && steady && s->c->mean_line ? m : NULL;
}

static int fill(struct an_solver *s, double q[5])
{
    struct along a = {line_of(s), an_case_gas_of(s->c, NULL)};
    if (!a.line)
        return an_solver_fill(s, uniform, q);
    AN_TRY(an_control_guess(s, a.line->shape.row[a.line->shape.n - 1].outlet, a.line->p_out));
    return an_solver_fill(s, mean_line, &a);
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
    AN_TRY(fill(s, q));
    /* The planes between rows have the values of the mean line. Coarse levels keep them, so the rows would leave what they
     * agree on: a two-stage turbine of 53 000 cells has mass flows of 2.06 to 2.26 kg/s in its rows after full multigrid,
     * and of 2.36 to 2.38 kg/s before. */
    const int steady = s->c->march.mode == AN_MARCH_STEADY && !line_of(s);
    const int status = s->implicit && steady ? an_multigrid_start(s) : AN_OK;
    if (status != AN_DIVERGED) /* the same on all ranks */
        return status;
    m->start_diverged = 1;
    return fill(s, q);
}
