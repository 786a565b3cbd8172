/* A gas with cp(T) (gas_model.h): point functions for hosts and devices in both precisions, without
 * branches, so that loops over cells vectorise. */
#ifndef AN_GAS_CP_H
#define AN_GAS_CP_H

#include "kernels/physics/gas_math.h"
#include "kernels/physics/gas_model.h"

/* The mixture of two gases with the mass fraction z of the second one, 0 to 1. */
AN_INLINE struct AN_FN(an_gas)
    AN_FN(an_gas_blend)(const struct AN_FN(an_gas) * a, const struct AN_FN(an_gas_step) * b, real z)
{
    struct AN_FN(an_gas) m = *a;
    const real one = AN_R(1.0), bend = z * (one - z);
    m.R = AN_FMA(z, b->of.R, a->R);
    m.h_0 = AN_FMA(z, b->of.h_0, a->h_0);
    m.s_log = AN_FMA(z, b->of.s_log, a->s_log);
    m.h_centre = AN_FMA(z, b->of.h_centre, a->h_centre);
    m.e_centre = AN_FMA(z, b->of.e_centre, a->e_centre);
    const real h_half = one / a->h_scale, e_half = one / a->e_scale; /* of the range of h and e */
    m.h_scale = one / AN_FMA(z, b->of.h_scale, h_half);
    m.e_scale = one / AN_FMA(z, b->of.e_scale, e_half);
    const real h_part = z * m.h_scale * (h_half + b->of.h_scale); /* of the second gas in them */
    const real e_part = z * m.e_scale * (e_half + b->of.e_scale);
    for (int n = 0; n < AN_GAS_TERMS; n++) {
        m.cp[n] = AN_FMA(z, b->of.cp[n], a->cp[n]);
        m.h[n] = AN_FMA(z, b->of.h[n], a->h[n]);
        m.h_fit[n] = AN_FMA(h_part, b->of.h_fit[n], a->h_fit[n]);
        m.e_fit[n] = AN_FMA(e_part, b->of.e_fit[n], a->e_fit[n]);
    }
    for (int n = 0; n < AN_GAS_TERMS - 1; n++)
        m.s[n] = AN_FMA(z, b->of.s[n], a->s[n]);
    for (int n = 0; n < AN_GAS_FIT; n++)
        m.l[n] = AN_FMA(bend, b->bend[n], AN_FMA(z, b->of.l[n], a->l[n]));
    const real cp = m.cp[0]; /* in the middle of the range */
    m.gamma_mid = cp / (cp - m.R);
    return m;
}

/* Where T lies in the range. */
struct AN_FN(an_gas_place) {
    real t, z; /* the nearest temperature of the range, K; -1 to 1 */
};

AN_INLINE struct AN_FN(an_gas_place) AN_FN(an_gas_locate)(const struct AN_FN(an_gas) * g, real t)
{
    struct AN_FN(an_gas_place) x;
    x.t = AN_MIN(AN_MAX(t, g->lo), g->hi);
    x.z = (x.t - g->mid) * g->scale;
    return x;
}

AN_INLINE real AN_FN(an_gas_horner)(const real *c, int n, real z)
{
    real sum = c[n - 1];
    for (int m = n - 2; m >= 0; m--)
        sum = AN_FMA(sum, z, c[m]);
    return sum;
}

AN_INLINE real AN_FN(an_gas_cp_of)(const struct AN_FN(an_gas) * g, real t)
{
    return AN_FN(an_gas_horner)(g->cp, AN_GAS_TERMS, AN_FN(an_gas_locate)(g, t).z);
}

/* h and cp. */
struct AN_FN(an_gas_heat) {
    real h, cp;
};

AN_INLINE struct AN_FN(an_gas_heat) AN_FN(an_gas_heat_of)(const struct AN_FN(an_gas) * g, real t)
{
    const struct AN_FN(an_gas_place) x = AN_FN(an_gas_locate)(g, t);
    struct AN_FN(an_gas_heat) f;
    f.cp = AN_FN(an_gas_horner)(g->cp, AN_GAS_TERMS, x.z);
    f.h = AN_FMA(f.cp, t - x.t, AN_FMA(x.t, AN_FN(an_gas_horner)(g->h, AN_GAS_TERMS, x.z), g->h_0));
    return f;
}

/* s0(t2) - s0(t1) */
AN_INLINE real AN_FN(an_gas_ds)(const struct AN_FN(an_gas) * g, real t1, real t2)
{
    const struct AN_FN(an_gas_place) a = AN_FN(an_gas_locate)(g, t1);
    const struct AN_FN(an_gas_place) b = AN_FN(an_gas_locate)(g, t2);
    real inside = AN_FMA(-a.z, AN_FN(an_gas_horner)(g->s, AN_GAS_TERMS - 1, a.z),
                         b.z * AN_FN(an_gas_horner)(g->s, AN_GAS_TERMS - 1, b.z));
    real beyond = AN_FMA(-AN_FN(an_gas_horner)(g->cp, AN_GAS_TERMS, a.z), AN_LOG(t1 / a.t),
                         AN_FN(an_gas_horner)(g->cp, AN_GAS_TERMS, b.z) * AN_LOG(t2 / b.t));
    return AN_FMA(g->s_log, AN_LOG(b.t / a.t), inside) + beyond;
}

AN_INLINE real AN_FN(an_gas_gamma_of)(const struct AN_FN(an_gas) * g, real t)
{
    real cp = AN_FN(an_gas_cp_of)(g, t);
    return cp / (cp - g->R);
}

AN_INLINE real AN_FN(an_gas_sound_of)(const struct AN_FN(an_gas) * g, real t)
{
    return AN_SQRT(AN_FN(an_gas_gamma_of)(g, t) * g->R * t);
}

AN_INLINE real AN_FN(an_gas_l_of)(const struct AN_FN(an_gas) * g, real t)
{
    const struct AN_FN(an_gas_place) x = AN_FN(an_gas_locate)(g, t);
    real cp = AN_FN(an_gas_horner)(g->cp, AN_GAS_TERMS, x.z);
    real outside = AN_SQRT(cp * (cp - g->R) / g->R); /* of 2 sqrt(T): cp / c = this / sqrt(T) */
    real root = AN_SQRT(x.t);
    return AN_FMA(AN_R(2.0) * outside, AN_SQRT(t) - root,
                  root * AN_FN(an_gas_horner)(g->l, AN_GAS_FIT, x.z));
}

/* Newton steps from the fits: the fit is off by 1e-3 at most (an_gas_polynomial sees to it), a step
 * leaves the square of that. */
enum { AN_GAS_NEWTON = 2 };

AN_INLINE real AN_FN(an_gas_t_of_h)(const struct AN_FN(an_gas) * g, real h)
{
    real y = (h - g->h_centre) * g->h_scale, in = AN_MIN(AN_MAX(y, AN_R(-1.0)), AN_R(1.0));
    real t = AN_FMA(g->h_slope, y - in, AN_FN(an_gas_horner)(g->h_fit, AN_GAS_TERMS, in));
    for (int n = 0; n < AN_GAS_NEWTON; n++) {
        const struct AN_FN(an_gas_heat) f = AN_FN(an_gas_heat_of)(g, t);
        t += (h - f.h) / f.cp;
    }
    return t;
}

AN_INLINE real AN_FN(an_gas_t_of_e)(const struct AN_FN(an_gas) * g, real e)
{
    real y = (e - g->e_centre) * g->e_scale, in = AN_MIN(AN_MAX(y, AN_R(-1.0)), AN_R(1.0));
    real t = AN_FMA(g->e_slope, y - in, AN_FN(an_gas_horner)(g->e_fit, AN_GAS_TERMS, in));
    for (int n = 0; n < AN_GAS_NEWTON; n++) {
        const struct AN_FN(an_gas_heat) f = AN_FN(an_gas_heat_of)(g, t);
        t += (e - AN_FMA(-g->R, t, f.h)) / (f.cp - g->R);
    }
    return t;
}

/* ---- boundaries and output: with logarithms and powers ---- */

/* T2 with s0(T2) - s0(t1) = ds. */
AN_INLINE real AN_FN(an_gas_t_of_ds)(const struct AN_FN(an_gas) * g, real t1, real ds)
{
    real t = t1 * AN_EXP(ds / AN_FN(an_gas_cp_of)(g, t1));
    for (int n = 0; n < 6; n++)
        t *= AN_EXP((ds - AN_FN(an_gas_ds)(g, t1, t)) / AN_FN(an_gas_cp_of)(g, t));
    return t;
}

/* T of l > 0. l is nearly a multiple of sqrt(T). */
AN_INLINE real AN_FN(an_gas_t_of_l)(const struct AN_FN(an_gas) * g, real l)
{
    real root = l / g->l[0];
    for (int n = 0; n < 5; n++) {
        const real t = root * root, cp = AN_FN(an_gas_cp_of)(g, t);
        real slope = AN_R(2.0) * AN_SQRT(cp * (cp - g->R) / g->R);
        root = AN_MAX(root + (l - AN_FN(an_gas_l_of)(g, t)) / slope, AN_R(0.1) * root);
    }
    return root * root;
}

/* p2 / p1 and T2 of an isentropic change from T1. */
AN_INLINE real AN_FN(an_gas_p_ratio)(const struct AN_FN(an_gas) * g, real t1, real t2)
{
    return AN_EXP(AN_FN(an_gas_ds)(g, t1, t2) / g->R);
}

AN_INLINE real AN_FN(an_gas_expand)(const struct AN_FN(an_gas) * g, real t1, real p_ratio)
{
    return AN_FN(an_gas_t_of_ds)(g, t1, g->R * AN_LOG(p_ratio));
}

/* The temperature at Mach number m of what has T0 at rest: h + m^2 gamma R T / 2 = h(T0). */
AN_INLINE real AN_FN(an_gas_t_of_mach)(const struct AN_FN(an_gas) * g, real t0, real m)
{
    const real half = AN_R(0.5) * m * m, h0 = AN_FN(an_gas_heat_of)(g, t0).h;
    real gamma = AN_FN(an_gas_gamma_of)(g, t0), t = t0 / (AN_R(1.0) + half * (gamma - AN_R(1.0)));
    for (int n = 0; n < 12; n++) {
        const struct AN_FN(an_gas_heat) f = AN_FN(an_gas_heat_of)(g, t);
        real part = half * g->R * f.cp / (f.cp - g->R);
        t += (h0 - AN_FMA(part, t, f.h)) / (f.cp + part);
    }
    return t;
}

#endif
