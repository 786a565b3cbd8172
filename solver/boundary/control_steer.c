/* One step of a controlled pressure; solver/boundary/control.h has the formulas. */
#include "kernels/physics/gas_state.h"
#include "solver/boundary/control_set.h"
#include "solver/level/level.h"

#include <math.h>

/* rho V^2 of what expands from p0, T0 to p. */
static double dynamic(const struct an_gas *gas, double p0, double T0, double p)
{
    const double g = gas->gamma, mach2 = 2 / (g - 1) * (pow(p0 / p, (g - 1) / g) - 1);
    if (!gas->n && !gas->table)
        return g * p * mach2;
    const struct an_gas_flow f = an_gas_static_p(gas, p0, T0, p);
    return an_state_density(gas, p, f.T) * f.V * f.V;
}

/* Adds a step to the pressure of an entry, never more than 2 % of it. */
static void move(struct an_control_entry *o, double dp)
{
    const double most = 0.02 * o->p;
    o->p += fmin(fmax(o->gain * dp, -most), most);
}

/* The PI controller of a mass flow, for a pressure that lowers it. q2: Pa, rho V^2 of the boundary; integral: Pa, gain of the
 * part that adds up where the flow follows each step. Two changes of the sign of e in a row, without a fall of e, say that it is
 * too large. */
static double mass_step(struct an_control_entry *o, double q2, double integral)
{
    const double e = o->mass / o->mass_wanted - 1, least = 0.05 * q2;
    const int turns = e * o->error < -0.25 * o->error * o->error;
    if (turns && o->growth > 0.5)
        o->speed *= 0.7;
    o->growth = turns;
    const double more = o->speed * fmax(integral - least, 0) * e, most = 0.005 * o->p;
    const double dp = 0.25 * q2 * (isnan(o->error) ? 0 : e - o->error) + least * e +
                      fmin(fmax(more, -most), most);
    o->error = e;
    return dp;
}

/* The integral gain, Pa. q2: rho V^2 of the boundary; ellipse: dp / (dm / m) of a flow that expands; p: Pa of the boundary. The
 * limit is 1.75 rho V c, since a pressure that has just changed moves the flow at the boundary as a wave does. */
static double integral_of(const struct an_solver *s, double q2, double ellipse, double p)
{
    return s->implicit ? fmax(0.05 * q2, fmin(0.5 * ellipse, 1.75 * sqrt(p * q2)))
                       : 0.05 * fmax(q2, ellipse);
}

/* One step towards the line of a throttle. q2: Pa, rho V^2 */
static void throttle_step(struct an_control_entry *o, double q2)
{
    const double wanted = an_control_line(o, o->mass);
    const double most = 1 + 2 * fabs(wanted - o->p_behind) / q2, e = wanted - o->p;
    if (e * o->error < 0) {
        o->speed = 1;
        o->growth *= 0.5;
    } else if (fabs(e) > 0.95 * fabs(o->error)) {
        o->speed *= 1 + o->growth;
    }
    o->speed = fmin(o->speed, most);
    o->error = e;
    move(o, 0.1 * e * o->speed / most);
}

/* The largest mean total pressure, Pa, of the inlets; 0: there is none, or nothing enters. */
static double pressure_ahead(const struct an_solver *s, double (*total)[AN_NINTEGRAL])
{
    double p0 = 0;
    for (int b = 0; b < s->mesh->topology.nboundary; b++)
        if (s->boundary[b].type == AN_BC_INLET_TOTAL && total[b][AN_I_MASS] < 0)
            p0 = fmax(p0, total[b][AN_I_MP0] / total[b][AN_I_MASS]);
    return p0;
}

/* p0^2 - p^2, Pa2; 0 where the flow is compressed. */
static double squares(double p0, double p)
{
    return fmax(p0 * p0 - p * p, 0);
}

/* rho V^2 of a boundary, Pa, from the sums t over it. */
static double dynamic_of(const struct an_case *c, const double t[AN_NINTEGRAL])
{
    const double m = t[AN_I_MASS];
    return dynamic(&c->gas.model, t[AN_I_MP0] / m, t[AN_I_MT0] / m, t[AN_I_PA] / t[AN_I_AREA]);
}

void an_control_steer_outlet(const struct an_solver *s, struct an_control_entry *o,
                             double (*total)[AN_NINTEGRAL])
{
    const double *t = total[o->boundary], p = t[AN_I_PA] / t[AN_I_AREA];
    const double q2 = fmax(dynamic_of(s->c, t), 0.01 * p);
    const double ellipse = squares(pressure_ahead(s, total), p) / p;
    o->mass = o->sectors * o->sign * t[AN_I_MASS];
    if (!isfinite(q2) || !isfinite(o->mass))
        return; /* the measurement will say what is wrong */
    if (o->mass_wanted > 0) {
        move(o, mass_step(o, q2, integral_of(s, q2, ellipse, p)));
    } else {
        throttle_step(o, fmax(q2, ellipse));
    }
}

void an_control_steer_inlet(const struct an_solver *s, struct an_control_entry *o,
                            double (*total)[AN_NINTEGRAL])
{
    double q2 = 0.01 * o->p, ellipse = 0;
    for (int b = 0; b < s->mesh->topology.nboundary; b++) {
        const double *t = total[b];
        if (t[AN_I_MT0] / t[AN_I_MASS] >
            0) /* gas that enters here and leaves there may have T0 < 0 */
            q2 = fmax(q2, dynamic_of(s->c, t)); /* p0 below p: negative, zero or NaN */
        if (t[AN_I_MASS] > 0)
            ellipse = fmax(ellipse, squares(o->p, t[AN_I_PA] / t[AN_I_AREA]) / o->p);
    }
    q2 = fmin(q2, o->p);
    o->mass = o->sectors * o->sign * total[o->boundary][AN_I_MASS];
    if (isfinite(o->mass))
        move(o, -mass_step(o, q2, integral_of(s, q2, ellipse, o->p)));
}
