#include "solver/monitor/flow_average.h"

#include "bc/mixing_plane.h"
#include "kernels/base/numbers.h"
#include "kernels/base/xsum_many.h"
#include "kernels/physics/gas_real.h"
#include "kernels/physics/gas_state.h"

#include <math.h>

/* What means of temperatures are made of: enthalpies, or, with constant cp, temperatures. */
static double heat(const struct an_gas *g, double p, double T)
{
    return g->n || g->table ? an_state_h(g, p, T) : T;
}

static double temperature(const struct an_gas *g, double p, double mean_heat)
{
    return g->n || g->table ? an_state_T_of_h(g, p, mean_heat) : mean_heat;
}

/* A face in the axes of the averages. */
struct local {
    double r, vx, vr, vt, moment, thrust, area;
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* r: distance of x from the axis. */
static struct local local_of(const struct an_flow_gas *g, const double v[AN_NCOMP_PLANE],
                             const double x[3], double r)
{
    const double *u = v + AN_PLANE_U, *s = v + AN_PLANE_SX;
    const double f[3] = {v[AN_PLANE_MX] + g->p_ref * s[0], v[AN_PLANE_MY] + g->p_ref * s[1],
                         v[AN_PLANE_MZ] + g->p_ref * s[2]};
    const struct an_flow_axes *a = &g->axes;
    if (a->cartesian)
        return (struct local){.r = 1,
                              .vx = dot(u, a->axial),
                              .vr = dot(u, a->span),
                              .vt = dot(u, a->pitch),
                              .moment = dot(f, a->pitch),
                              .thrust = dot(f, a->axial),
                              .area = dot(s, a->axial)};
    const double over = r > 0 ? 1 / r : 0;
    const double *n = a->normal;
    const int tilted = n[0] != 0 || n[1] != 0;
    const double fr = (f[1] * x[1] + f[2] * x[2]) * over, sr = (s[1] * x[1] + s[2] * x[2]) * over;
    return (struct local){.r = r,
                          .vx = u[0],
                          .vr = (u[1] * x[1] + u[2] * x[2]) * over,
                          .vt = (u[2] * x[1] - u[1] * x[2]) * over,
                          .moment = x[1] * f[2] - x[2] * f[1],
                          .thrust = tilted ? n[0] * f[0] + n[1] * fr : f[0],
                          .area = tilted ? n[0] * s[0] + n[1] * sr : s[0]};
}

const struct an_gas *an_flow_gas_of(const struct an_flow_gas *g, double fraction,
                                    struct an_gas *room)
{
    if (!g->of->ends)
        return g->of;
    *room = an_gas_at(g->of, fraction);
    return room;
}

/* Terms of a face whose middle has that radius: to[m * stride]. */
static void terms_of(const struct an_flow_gas *g, const double v[AN_NCOMP_PLANE], const double x[3],
                     double radius, double omega, double *to, int stride)
{
    struct an_gas mixed;
    const struct an_gas *gas = an_flow_gas_of(g, v[AN_PLANE_FRACTION], &mixed);
    const double m = v[AN_PLANE_MASS], p = v[AN_PLANE_P], rho = v[AN_PLANE_RHO];
    const struct local q = local_of(g, v, x, radius);
    const double r = q.r, vx = q.vx, vr = q.vr, vt = q.vt;
    const double wt = vt - omega * r, meridional = vx * vx + vr * vr;
    const double speed2 = meridional + vt * vt, w2 = meridional + wt * wt;
    const double T = an_state_temperature(gas, rho, p), c = an_state_sound(gas, p, T);
    const struct an_gas_rest rest = an_state_rest(gas, p, T, speed2);
    const struct an_gas_rest rest_rel = an_state_rest(gas, p, T, w2);
    const double T0 = rest.T0, T0_rel = rest_rel.T0, p0 = rest.p0, p0_rel = rest_rel.p0;
    const double *s = v + AN_PLANE_SX;
    const double area = an_length(s);
    const double term[AN_NFLOW] = {
        [AN_FLOW_MASS] = m,
        [AN_FLOW_MZ] = m * v[AN_PLANE_FRACTION],
        [AN_FLOW_INFLOW] = m < 0 ? m : 0,
        [AN_FLOW_H0] = v[AN_PLANE_ENERGY] + (g->p_ref - p) * v[AN_PLANE_SWEEP],
        [AN_FLOW_MOMENT] = q.moment,
        [AN_FLOW_THRUST] = q.thrust,
        [AN_FLOW_MVX] = m * vx,
        [AN_FLOW_MVR] = m * vr,
        [AN_FLOW_MVT] = m * vt,
        [AN_FLOW_MRVT] = m * r * vt,
        [AN_FLOW_MR] = m * r,
        [AN_FLOW_MX] = m * x[0],
        [AN_FLOW_MP0] = m * p0,
        [AN_FLOW_MT0] = m * heat(gas, p0, T0),
        [AN_FLOW_MP] = m * p,
        [AN_FLOW_MT] = m * heat(gas, p, T),
        [AN_FLOW_MS] = m * an_state_s(gas, p, T),
        [AN_FLOW_MP0REL] = m * p0_rel,
        [AN_FLOW_MT0REL] = m * heat(gas, p0_rel, T0_rel),
        [AN_FLOW_MMACH] = m * sqrt(speed2) / c,
        [AN_FLOW_MMACHREL] = m * sqrt(w2) / c,
        [AN_FLOW_AREA] = area,
        [AN_FLOW_AREA_X] = q.area,
        [AN_FLOW_AP0] = area * p0,
        [AN_FLOW_AT0] = area * T0,
        [AN_FLOW_AP] = area * p,
    };
    for (int n = 0; n < AN_NFLOW; n++)
        to[n * stride] = term[n];
}

void an_flow_terms(const struct an_flow_gas *g, const double v[AN_NCOMP_PLANE], const double x[3],
                   double omega, double term[AN_NFLOW])
{
    terms_of(g, v, x, hypot(x[1], x[2]), omega, term, 1);
}

void an_flow_add(const struct an_flow_gas *g, const double v[AN_NCOMP_PLANE], const double x[3],
                 double omega, struct an_xsum sum[AN_NFLOW])
{
    double term[AN_NFLOW];
    an_flow_terms(g, v, x, omega, term);
    for (int n = 0; n < AN_NFLOW; n++)
        an_xsum_add(&sum[n], term[n]);
}

void an_flow_add_many(const struct an_flow_gas *g, int64_t n, const double (*v)[AN_NCOMP_PLANE],
                      const double (*x)[3], const double *radius, double omega,
                      struct an_xsum sum[AN_NFLOW])
{
    enum { BLOCK = 128 };
    double term[AN_NFLOW][BLOCK];
    for (int64_t first = 0; first < n; first += BLOCK) {
        const int count = n - first < BLOCK ? (int)(n - first) : BLOCK;
        for (int f = 0; f < count; f++)
            terms_of(g, v[first + f], x[first + f], radius[first + f], omega, &term[0][f], BLOCK);
        for (int m = 0; m < AN_NFLOW; m++)
            an_xsum_add_many(&sum[m], count, term[m]);
    }
}

/* With cp(T) or a table: the same by the fluxes of an area across x. v: velocities along x, r and theta. */
static struct an_flow_kind mix_out_hot(const struct an_gas *gas, const double t[AN_NFLOW],
                                       double v[3])
{
    const double area = t[AN_FLOW_AREA_X], m = t[AN_FLOW_MASS] / area;
    const double flux[5] = {m, t[AN_FLOW_THRUST] / area, m * v[1], m * v[2], t[AN_FLOW_H0] / area};
    struct an_mixing_state q;
    if (!an_mixing_mixed_out(flux, gas, &q))
        return (struct an_flow_kind){NAN, NAN, NAN};
    v[0] = q.u[0];
    const struct an_gas_rest rest = an_state_rest(gas, q.p, an_state_temperature(gas, q.rho, q.p),
                                                  v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    return (struct an_flow_kind){rest.p0, rest.T0, q.p};
}

/* g (F / m) Vx + (1/2 - g) Vx^2 = h0 - (Vr^2 + Vt^2) / 2, g = gamma / (gamma - 1), F = m Vx + p Ax:
 * of the two roots the one slower than sound along x. Around an axis mixing leaves no Vr. v: the
 * mixed-out velocities along x, r and theta. */
static struct an_flow_kind mix_out(const struct an_flow_axes *axes, const struct an_gas *of,
                                   const double t[AN_NFLOW], double v[3])
{
    const double m = t[AN_FLOW_MASS], g = of->gamma / (of->gamma - 1), cp = g * of->R;
    const double vt = t[AN_FLOW_MR] != 0 ? t[AN_FLOW_MRVT] / t[AN_FLOW_MR] : 0;
    const double vr = axes->cartesian ? t[AN_FLOW_MVR] / m : 0, across = vr * vr + vt * vt;
    const double h0 = t[AN_FLOW_H0] / m, a = g - 0.5, b = g * t[AN_FLOW_THRUST] / m;
    const double c = h0 - 0.5 * across, root = b * b - 4 * a * c;
    struct an_flow_kind mixed = {NAN, NAN, NAN};
    v[0] = NAN;
    v[1] = vr;
    v[2] = vt;
    if (!(fabs(t[AN_FLOW_AREA_X]) > 0.3 * t[AN_FLOW_AREA]))
        return mixed; /* no plane across x */
    if (of->n || of->table)
        return mix_out_hot(of, t, v);
    if (!(root >= 0))
        return mixed; /* choked by mixing */
    const double vx = (b - copysign(sqrt(root), b)) / (2 * a);
    v[0] = vx;
    mixed.p = (t[AN_FLOW_THRUST] - m * vx) / t[AN_FLOW_AREA_X];
    mixed.T0 = h0 / cp;
    mixed.p0 = mixed.p * pow(mixed.T0 / (mixed.T0 - 0.5 * (vx * vx + across) / cp), g);
    return mixed;
}

/* The total pressure of entropy s at the mean enthalpy of T0. */
static double entropy_p0(const struct an_gas *g, double mean_heat, double T0, double s)
{
    if (g->table)
        return isfinite(s) ? an_table_p_of_hs(g->table, mean_heat, s) : NAN;
    return exp((an_gas_s0(g, T0) - s) / g->R);
}

struct an_flow_average an_flow_average_of(const struct an_flow_gas *g, const double t[AN_NFLOW],
                                          double omega)
{
    const double m = t[AN_FLOW_MASS], degrees = 180 / acos(-1.0);
    const double over = m != 0 ? 1 / m : NAN, area = t[AN_FLOW_AREA];
    const double fraction = g->of->ends ? t[AN_FLOW_MZ] * over : 0;
    struct an_gas mixed;
    const struct an_gas *gas = an_flow_gas_of(g, fraction, &mixed);
    struct an_flow_average a = {
        .mass = m,
        .fraction = fraction,
        .p0 = t[AN_FLOW_MP0] * over,
        .T0 = an_state_T_of_h(gas, t[AN_FLOW_MP0] * over, t[AN_FLOW_H0] * over),
        .p = t[AN_FLOW_MP] * over,
        .T = temperature(gas, t[AN_FLOW_MP] * over, t[AN_FLOW_MT] * over),
        .s = t[AN_FLOW_MS] * over,
        .p0_rel = t[AN_FLOW_MP0REL] * over,
        .T0_rel = temperature(gas, t[AN_FLOW_MP0REL] * over, t[AN_FLOW_MT0REL] * over),
        .mach = t[AN_FLOW_MMACH] * over,
        .mach_rel = t[AN_FLOW_MMACHREL] * over,
        .vx = t[AN_FLOW_MVX] * over,
        .vr = t[AN_FLOW_MVR] * over,
        .vt = t[AN_FLOW_MVT] * over,
        .r = t[AN_FLOW_MR] * over,
        .x = t[AN_FLOW_MX] * over};
    const double meridional = hypot(a.vx, a.vr);
    a.alpha = degrees * atan2(a.vt, meridional);
    a.beta = degrees * atan2(a.vt - omega * a.r, meridional);
    a.pitch = degrees * atan2(a.vr, a.vx);
    a.mass_kind = (struct an_flow_kind){a.p0, a.T0, a.p};
    const double T0 =
        temperature(gas, a.p0, t[AN_FLOW_MT0] * over); /* of the states that s is of */
    a.entropy = (struct an_flow_kind){entropy_p0(gas, t[AN_FLOW_MT0] * over, T0, a.s), T0, NAN};
    a.area =
        (struct an_flow_kind){t[AN_FLOW_AP0] / area, t[AN_FLOW_AT0] / area, t[AN_FLOW_AP] / area};
    double v[3];
    a.mixed = mix_out(&g->axes, gas, t, v);
    a.alpha_mixed = degrees * atan2(v[2], hypot(v[0], v[1]));
    return a;
}

/* Is there work to speak of? */
static int works(double T0_ratio)
{
    return fabs(T0_ratio - 1) > 1e-3;
}

double an_flow_heat(const struct an_gas *g, double p1, double T1, double p2, double T2)
{
    if (g->table)
        return an_state_h(g, p2, T2) - an_state_h(g, p1, T1);
    return g->n ? an_gas_h(g, T2) - an_gas_h(g, T1) : an_gas_cp(g, T1) * (T2 - T1);
}

double an_flow_ideal_work(const struct an_gas *g, double p0, double T0, double p_ratio)
{
    const double p = p0 * p_ratio;
    if (g->table)
        return an_flow_heat(g, p0, T0, p, an_state_expand(g, p0, T0, p));
    return g->n ? an_flow_heat(g, p0, T0, p, an_gas_isentropic_T(g, T0, p_ratio))
                : an_gas_cp(g, T0) * T0 * (pow(p_ratio, (g->gamma - 1) / g->gamma) - 1);
}

/* Efficiency of a work that an ideal machine would do with `ideal`. */
static double efficiency_of(double ideal, double work)
{
    const double efficiency = work > 0 ? ideal / work : work / ideal;
    return efficiency >= 0 && efficiency <= AN_FLOW_MOST_EFFICIENCY ? efficiency : NAN;
}

double an_flow_efficiency(const struct an_gas *g, double p0, double T0, double p0_ratio,
                          double T0_ratio)
{
    if (!works(T0_ratio))
        return NAN;
    const double ideal = an_flow_ideal_work(g, p0, T0, p0_ratio);
    const double work = an_flow_heat(g, p0, T0, p0 * p0_ratio, T0 * T0_ratio);
    return efficiency_of(ideal, work);
}

/* With a table: 1 - T ds / dh, T the logarithmic mean of the two. */
static double polytropic_of_table(const struct an_gas *g, double p1, double T1, double p2,
                                  double T2)
{
    const double ds = an_state_s(g, p2, T2) - an_state_s(g, p1, T1);
    const double dh = an_state_h(g, p2, T2) - an_state_h(g, p1, T1);
    return efficiency_of(dh - (T2 - T1) / log(T2 / T1) * ds, dh);
}

double an_flow_polytropic(const struct an_gas *g, double p0, double T0, double p0_ratio,
                          double T0_ratio)
{
    double ideal = (g->gamma - 1) / g->gamma * log(p0_ratio), work = log(T0_ratio);
    if (!works(T0_ratio))
        return NAN;
    if (g->table)
        return polytropic_of_table(g, p0, T0, p0 * p0_ratio, T0 * T0_ratio);
    if (g->n) {
        ideal = g->R * log(p0_ratio);
        work = an_gas_s0(g, T0 * T0_ratio) - an_gas_s0(g, T0);
    }
    return efficiency_of(ideal, work);
}

double an_flow_isentropic_mach(const struct an_gas *g, double p0, double T0, double p)
{
    if (p >= p0)
        return 0;
    const struct an_gas_flow f = an_gas_static_p(g, p0, T0, p);
    return f.V / an_state_sound(g, f.p, f.T);
}

/* A loss of total pressure over a dynamic pressure; NaN for a gas at rest, below Mach number 1e-4. */
static double loss_over(double loss, double dynamic_pressure, double p0)
{
    return dynamic_pressure > 1e-8 * p0 ? loss / dynamic_pressure : NAN;
}

double an_flow_cascade_loss(const struct an_flow_kind *in, const struct an_flow_kind *out)
{
    return loss_over(in->p0 - out->p0, (in->p0 - fmin(in->p, out->p)), in->p0);
}

double an_flow_loss(const struct an_gas *g, const struct an_flow_average *in,
                    const struct an_flow_average *out)
{
    const double ideal = an_state_p_at(g, in->p0_rel, in->T0_rel, out->p0_rel, out->T0_rel);
    const double slow_down = in->p0_rel - in->p, speed_up = out->p0_rel - out->p;
    return loss_over(ideal - out->p0_rel, (slow_down > speed_up ? slow_down : speed_up),
                     in->p0_rel);
}
