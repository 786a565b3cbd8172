/* Reference values: the state they give, and where it stands for states that are not given. */
#include "io/case_keys.h"
#include "kernels/engine/model.h"
#include "kernels/physics/gas_state.h"

#include <math.h>
#include <string.h>

int an_case_has_reference(const struct an_case *c)
{
    return (c->reference.mach > 0 || c->reference.velocity > 0) &&
           (c->reference.pressure > 0 || c->reference.reynolds > 0);
}

double an_case_speed(const struct an_case *c, const struct an_case_state *s)
{
    const double *v = s->velocity;
    return s->has_velocity ? sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
                           : s->mach * an_state_sound(&c->gas.model, s->p, s->T);
}

double an_case_viscosity(const struct an_case *c, double p, double T)
{
    const struct an_params law = {.gas = c->gas.model,
                                  .fluid.viscosity = c->gas.viscosity,
                                  .fluid.mu_ref = c->gas.mu,
                                  .fluid.mu_T = c->gas.T_ref,
                                  .fluid.mu_S = c->gas.S,
                                  .fluid.mu_exponent = c->gas.exponent};
    return law.fluid.viscosity == AN_VISCOSITY_NONE ? 0 : an_model_viscosity_at(&law, p, T);
}

double an_case_inflow_ratio(const struct an_case *c)
{
    const struct an_case_state *i = &c->initial;
    const double nu =
        an_case_viscosity(c, i->p, i->T) / an_state_density(&c->gas.model, i->p, i->T);
    return c->turbulence.length_scale > 0 && nu > 0
               ? an_model_length_ratio(c->turbulence.intensity * an_case_speed(c, i), nu,
                                       c->turbulence.length_scale)
               : c->turbulence.inlet_viscosity_ratio;
}

int an_case_inflow(const struct an_case *c, double turbulence[2])
{
    const struct an_case_state *i = &c->initial;
    const double length = c->turbulence.decay_length;
    const double speed = an_case_speed(c, i), rho = an_state_density(&c->gas.model, i->p, i->T);
    turbulence[0] = c->turbulence.intensity;
    turbulence[1] = an_case_inflow_ratio(c);
    return !(length > 0) ||
           (speed > 0 &&
            an_model_decay(speed, an_case_viscosity(c, i->p, i->T) / rho, -length, turbulence));
}

void an_case_wind(enum an_up up, double alpha, double beta, double axis[3][3])
{
    const double radian = acos(-1.0) / 180;
    const double ca = cos(radian * alpha), sa = sin(radian * alpha);
    const double cb = cos(radian * beta), sb = sin(radian * beta);
    const int u = up == AN_UP_Y ? 1 : 2, w = 3 - u;
    memset(axis, 0, 9 * sizeof(double));
    axis[0][0] = ca * cb;
    axis[0][u] = sa * cb;
    axis[0][w] = sb;
    axis[1][0] = -sa;
    axis[1][u] = ca;
    axis[2][0] = -sb * ca;
    axis[2][u] = -sb * sa;
    axis[2][w] = cb;
}

static const struct an_origin *at_key(const struct an_origin *const *given, const char *section,
                                      const char *name, int bc)
{
    return given[an_key_find(section, name, bc)];
}

static void check(struct an_case_reader *r, const struct an_origin *const *given)
{
    const struct an_case *c = r->c;
    const struct an_origin *velocity = at_key(given, "reference", "velocity", -1);
    const struct an_origin *reynolds = at_key(given, "reference", "reynolds", -1);
    const struct {
        const char *name;
        double value;
    } alone[] = {{"pressure", c->reference.pressure},
                 {"reynolds", c->reference.reynolds},
                 {"alpha", c->reference.alpha},
                 {"beta", c->reference.beta}};
    const int fast = c->reference.mach > 0 || c->reference.velocity > 0;
    if (c->reference.mach > 0 && c->reference.velocity > 0)
        an_case_fault(r, velocity,
                      "'reference.mach' and 'reference.velocity' are both given; keep one");
    if (fast && !an_case_has_reference(c))
        an_case_fault(r, velocity ? velocity : at_key(given, "reference", "mach", -1),
                      "'reference.%s' needs 'reference.pressure' or 'reference.reynolds'",
                      c->reference.mach > 0 ? "mach" : "velocity");
    for (size_t n = 0; n < sizeof alone / sizeof *alone && !fast; n++)
        if (alone[n].value != 0)
            an_case_fault(r, at_key(given, "reference", alone[n].name, -1),
                          "'reference.%s' needs 'reference.mach' or 'reference.velocity'",
                          alone[n].name);
    if (c->reference.reynolds <= 0 || !fast)
        return;
    if (c->reference.pressure > 0)
        an_case_fault(r, reynolds,
                      "'reference.reynolds' and 'reference.pressure' are both given; keep one");
    if (!(c->reference.length > 0))
        an_case_fault(r, reynolds, "'reference.reynolds' needs 'reference.length'");
    if (c->gas.model.table)
        an_case_fault(r, reynolds,
                      "'reference.reynolds' is not available with 'gas.table'; give "
                      "'reference.pressure'");
    if (c->gas.viscosity == AN_VISCOSITY_NONE)
        an_case_fault(r, reynolds, "'reference.reynolds' needs viscous flow: set gas.viscosity");
}

/* Fills what is not given of a state; a speed without a direction is along the reference. */
static void fill(const struct an_case *c, struct an_case_state *s, const char *section, int bc,
                 const struct an_origin **given, const struct an_origin *at)
{
    const struct an_case_state *from = &c->reference.state;
    const struct an_origin **mach = &given[an_key_find(section, "mach", bc)];
    const int moves = given[an_key_find(section, "velocity", bc)] != NULL;
    s->p = given[an_key_find(section, "p", bc)] ? s->p : from->p;
    s->T = given[an_key_find(section, "T", bc)] ? s->T : from->T;
    if (!moves && !given[an_key_find(section, "direction", bc)])
        memcpy(s->direction, from->direction, sizeof s->direction);
    if (!moves && !*mach) {
        s->mach = from->mach;
        *mach = at;
    }
}

void an_case_reference(struct an_case_reader *r, const struct an_origin **given,
                       const struct an_origin *at)
{
    struct an_case *c = r->c;
    struct an_case_state *s = &c->reference.state;
    const int before = r->diag->nerror;
    double axis[3][3];
    check(r, given);
    if (!an_case_has_reference(c) || r->diag->nerror > before)
        return;
    an_case_wind(c->reference.up, c->reference.alpha, c->reference.beta, axis);
    memcpy(s->direction, axis[0], sizeof s->direction);
    s->T = c->reference.temperature;
    if (c->gas.model.table) /* check: the pressure is given */
        s->p = c->reference.pressure;
    const double sound = an_state_sound(&c->gas.model, s->p, s->T);
    s->mach = c->reference.mach > 0 ? c->reference.mach : c->reference.velocity / sound;
    s->p = c->reference.pressure > 0
               ? c->reference.pressure
               : c->gas.R * s->T * c->reference.reynolds * an_case_viscosity(c, s->p, s->T) /
                     (s->mach * sound * c->reference.length);
    fill(c, &c->initial, "initial", -1, given, at);
}

void an_case_reference_boundary(struct an_case_reader *r, struct an_case_boundary *b,
                                const struct an_origin **given, const struct an_origin *at)
{
    if (an_bc_type_has(b->type, AN_BC_STATE) && r->c->reference.state.p > 0)
        fill(r->c, &b->state, AN_SECTION_BOUNDARY, (int)b->type, given, at);
}
