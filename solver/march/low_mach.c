#include "solver/march/low_mach.h"

#include "kernels/physics/gas_state.h"
#include "solver/level/level.h"
#include "solver/level/tuning.h"
#include "solver/monitor/extent.h"

#include <math.h>

/* Of an initial pattern, the far field, or the expansion from inlets to outlets; 0: unknown. *T: K, of gas at that
 * speed. INFINITY: a supersonic inlet. */
static double flow_speed(const struct an_case *c, double *T)
{
    const struct an_gas *g = &c->gas.model;
    double p0 = 0, T0 = 0, p = INFINITY;
    double speed = c->pattern != AN_PATTERN_UNIFORM ? an_case_speed(c, &c->initial) : 0;
    *T = c->initial.T;
    for (int b = 0; b < c->nboundary; b++) {
        const struct an_case_boundary *q = &c->boundary[b];
        if (q->type == AN_BC_INLET_SUPERSONIC)
            return INFINITY;
        if (q->type == AN_BC_FARFIELD) {
            const double is = an_case_speed(c, &q->state);
            if (is > speed) {
                speed = is;
                *T = q->state.T;
            }
        } else if (q->type == AN_BC_INLET_TOTAL && q->p0 > p0) {
            p0 = q->p0;
            T0 = q->T0;
        } else if (q->type == AN_BC_OUTLET_STATIC) {
            p = fmin(p, q->p);
        }
    }
    if (p0 > 0 && p > 0 && p < p0) {
        const struct an_gas_flow f = an_gas_static_p(g, p0, T0, p);
        if (f.V > speed) {
            speed = f.V;
            *T = f.T;
        }
    }
    return speed;
}

static int can_precondition(const struct an_case *c)
{
    return c->march.mode == AN_MARCH_STEADY && c->march.method != AN_METHOD_SCREE &&
           an_case_fraction(c) < 0;
}

/* Only scheme.low_mach: on preconditions a march with an intermittency (gamma, gamma_re_theta): many of these diverge, or
 * settle with transition at a wrong place. SA-BCM does well with preconditioning. */
static int avoids_preconditioning(const struct an_case *c)
{
    const int intermittency = c->turbulence.transition == AN_TRANSITION_GAMMA ||
                              c->turbulence.transition == AN_TRANSITION_RE_THETA;
    return can_precondition(c) && intermittency && c->scheme.low_mach != AN_LOW_MACH_ON;
}

static int preconditions(const struct an_case *c)
{
    return can_precondition(c) && !avoids_preconditioning(c);
}

/* Expected Mach number below which scheme.low_mach: auto is on. */
static double automatic_below(const struct an_case *c)
{
    return preconditions(c) ? AN_TUNE_PRECONDITION : AN_TUNE_LOW_MACH;
}

int an_low_mach_planned(const struct an_case *c)
{
    double T;
    if (c->scheme.low_mach == AN_LOW_MACH_OFF || !preconditions(c) || c->nrow > 0)
        return 0;
    const double speed = flow_speed(c, &T);
    return c->scheme.low_mach == AN_LOW_MACH_ON ||
           (speed > 0 &&
            speed < automatic_below(c) * an_state_sound(&c->gas.model, c->initial.p, T));
}

int an_low_mach_set(struct an_solver *s)
{
    struct an_extent extent;
    double T;
    AN_TRY(an_extent_find(s, &extent));
    s->flow_speed = fmax(flow_speed(s->c, &T), extent.speed);
    s->flow_mach = s->flow_speed / an_state_sound(&s->c->gas.model, s->c->initial.p, T);
    const int known = s->flow_speed > 0 && s->flow_speed < INFINITY;
    const int wanted = s->c->scheme.low_mach == AN_LOW_MACH_ON;
    AN_CHECK(known || !wanted, AN_INPUT,
             "%s: scheme.low_mach is on, but no far field, no initial pattern, no row that turns, "
             "and no inlet with a "
             "higher total pressure than that of the outlet says how fast the flow is",
             s->c->file);
    if (wanted || (s->c->scheme.low_mach == AN_LOW_MACH_AUTO && known &&
                   s->flow_mach < automatic_below(s->c)))
        s->params.flux.low_mach = s->flow_speed * s->flow_speed;
    if (s->params.flux.low_mach > 0 && preconditions(s->c)) {
        s->params.flux.precondition = s->params_coarse.flux.precondition = 1;
        s->params_coarse.flux.low_mach = s->params.flux.low_mach;
        /* Without this the limiter would act on jumps in wall layers at Mach number 0.15, and not in slower flow. */
        const double widest =
            s->c->scheme.limiter_floor * AN_TUNE_SLOW_FLOOR * s->params.flux.low_mach;
        s->params.flux.floor_u = fmax(s->params.flux.floor_u, widest);
        s->params_coarse.flux.floor_u = s->params.flux.floor_u;
    }
    return AN_OK;
}

void an_low_mach_print(const struct an_solver *s, FILE *out)
{
    if (s->flow_speed > 0 && s->flow_mach < AN_TUNE_LOW_MACH_DOUBLE && s->c->precision == AN_SINGLE)
        fprintf(
            out,
            "low Mach    Mach number %.3g in single precision: rounding of the pressure is about "
            "%.1g of the dynamic pressure; use precision: double\n",
            s->flow_mach, 6e-8 / (0.7 * s->flow_mach * s->flow_mach));
    const int avoids = s->c->scheme.low_mach == AN_LOW_MACH_AUTO && avoids_preconditioning(s->c);
    if (s->params.flux.low_mach > 0)
        fprintf(out, "low Mach    dissipation for a speed of %.4g m/s, Mach number %.3g%s\n",
                s->flow_speed, s->flow_mach, s->params.flux.precondition ? ", preconditioned" : "");
    else if (s->flow_speed > 0 && s->flow_mach < automatic_below(s->c))
        fprintf(out,
                "low Mach    scheme.low_mach is off: at Mach number %.3g the dissipation is too "
                "large%s\n",
                s->flow_mach, preconditions(s->c) ? ", and the march takes more iterations" : "");
    if (avoids && s->flow_speed > 0 && s->flow_mach < AN_TUNE_PRECONDITION)
        fprintf(out,
                "low Mach    not preconditioned at Mach number %.3g: few runs with "
                "turbulence.transition gamma "
                "or gamma_re_theta have been tried with it; scheme.low_mach: on switches it on\n",
                s->flow_mach);
}
