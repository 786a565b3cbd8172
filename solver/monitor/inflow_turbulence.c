#include "solver/monitor/inflow_turbulence.h"

#include "io/screen.h"
#include "kernels/engine/model.h"
#include "kernels/physics/gas_state.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/monitor/leading_edge.h"

#include <math.h>
#include <stdlib.h>

struct inflow {
    double flows[2], arrives[2]; /* intensity and viscosity ratio */
    double length;               /* m: sqrt(k) / (b* omega) of what flows in */
    double distance, speed;      /* m, m/s */
    int wall;                    /* boundary */
};

static int inflow_make(struct an_solver *s, void **component)
{
    const struct an_case *c = s->c;
    const struct an_case_state *i = &c->initial;
    const double *along = i->has_velocity ? i->velocity : i->direction;
    const double size = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    const double nu =
        an_case_viscosity(c, i->p, i->T) / an_state_density(&c->gas.model, i->p, i->T);
    struct inflow f = {.speed = an_case_speed(c, i)};
    if (c->turbulence.model != AN_TURBULENCE_SST || !(size > 0) || !(f.speed > 0) || !(nu > 0) ||
        !an_case_inflow(c, f.flows))
        return AN_OK;
    const double flow[3] = {along[0] / size, along[1] / size, along[2] / size};
    AN_TRY(an_leading_edge_distance(s, flow, &f.distance, &f.wall));
    f.arrives[0] = f.flows[0];
    f.arrives[1] = f.flows[1];
    if (f.wall < 0 ||
        !(c->turbulence.ambient || an_model_decay(f.speed, nu, f.distance, f.arrives)))
        return AN_OK;
    f.length = f.flows[1] / an_model_length_ratio(f.flows[0] * f.speed, nu, 1);
    *component = malloc(sizeof f);
    AN_CHECK(*component, AN_FAIL, "out of memory for the turbulence that flows in");
    *(struct inflow *)*component = f;
    return AN_OK;
}

static void inflow_destroy(struct an_solver *s, void *component)
{
    (void)s;
    free(component);
}

static void inflow_print(const struct an_solver *s, const void *component, FILE *out)
{
    const struct inflow *f = component;
    an_screen_line(
        out, 12,
        "turbulence  %.4g %% with mu_t / mu %.4g, a length of %.3g m, flows in; %.4g %% "
        "with mu_t / mu %.4g expected where wall '%s' begins, %.4g m behind the inlet, in "
        "a uniform stream of %.4g m/s",
        100 * f->flows[0], f->flows[1], f->length, 100 * f->arrives[0], f->arrives[1],
        s->mesh->topology.boundary[f->wall].name, f->distance, f->speed);
}

const struct an_component_type an_inflow_turbulence_component = {.name = "inflow turbulence",
                                                                 .make = inflow_make,
                                                                 .destroy = inflow_destroy,
                                                                 .print = inflow_print};
