/* cp(T), a thermally perfect gas (gas_model.h). */
#ifndef AN_GAS_POLYNOMIAL_H
#define AN_GAS_POLYNOMIAL_H

#include "kernels/physics/gas_cp.h"

AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_cell_from_conserved)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) q;
    real inverse = AN_R(1.0) / rho;
    q.rho = rho;
    q.u = mx * inverse;
    q.v = my * inverse;
    q.w = mz * inverse;
    real twice = AN_FMA(mz, q.w, AN_FMA(my, q.v, mx * q.u)); /* twice the kinetic energy */
    real inner = AN_FMA(AN_R(-0.5), twice, e) * inverse;
    q.p = rho * (prm->gas_constant * AN_FN(an_gas_t_of_e)(&prm->gas, inner));
    q.H = (e + q.p) * inverse;
    return q;
}

AN_INLINE real AN_FN(an_pressure)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_cell_from_conserved)(rho, mx, my, mz, e, prm).p;
}

AN_INLINE real AN_FN(an_temperature_at)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return p / (rho * prm->gas_constant);
}

AN_INLINE real AN_FN(an_temperature_inverse)(real rho, real inverse, real p,
                                             const struct AN_FN(an_prm) * prm)
{
    (void)rho;
    return p * inverse / prm->gas_constant;
}

AN_INLINE real AN_FN(an_density_at)(real p, real t, const struct AN_FN(an_prm) * prm)
{
    return p / (prm->gas_constant * t);
}

AN_INLINE real AN_FN(an_internal_energy)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const real t = AN_FN(an_temperature_at)(rho, p, prm);
    return AN_FMA(-prm->gas_constant, t, AN_FN(an_gas_heat_of)(&prm->gas, t).h);
}

AN_INLINE struct AN_FN(an_five)
    AN_FN(an_conserved)(real rho, real u, real v, real w, real p, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_five) c;
    c.m = rho;
    c.x = rho * u;
    c.y = rho * v;
    c.z = rho * w;
    c.e = rho * AN_FN(an_internal_energy)(rho, p, prm) + AN_R(0.5) * rho * (u * u + v * v + w * w);
    return c;
}

AN_INLINE real AN_FN(an_total_enthalpy)(real rho, real u, real v, real w, real p,
                                        const struct AN_FN(an_prm) * prm)
{
    const real t = AN_FN(an_temperature_at)(rho, p, prm);
    return AN_FN(an_gas_heat_of)(&prm->gas, t).h + AN_R(0.5) * (u * u + v * v + w * w);
}

AN_INLINE real AN_FN(an_gamma_at)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_gas_gamma_of)(&prm->gas, AN_FN(an_temperature_at)(rho, p, prm));
}

AN_INLINE real AN_FN(an_cp_at)(real t, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)p;
    return AN_FN(an_gas_cp_of)(&prm->gas, t);
}

AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_acoustics_at)(real t, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_gas_heat) f = AN_FN(an_gas_heat_of)(&prm->gas, t);
    struct AN_FN(an_acoustics) a;
    const real rt = prm->gas_constant * t;
    a.kappa = prm->gas_constant / (f.cp - prm->gas_constant);
    a.chi = AN_FMA(-a.kappa, f.h - rt, rt);
    a.c2 = AN_FMA(a.kappa, rt, rt);
    return a;
}

AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_acoustics_of)(const struct AN_FN(an_cell) * q, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_acoustics_at)(AN_FN(an_temperature_at)(q->rho, q->p, prm), prm);
}

AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_acoustics_mean)(real h, real q2, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)p;
    const real inner = AN_MAX(h - q2, AN_R(0.1) * h);
    return AN_FN(an_acoustics_at)(AN_FN(an_gas_t_of_h)(&prm->gas, inner), prm);
}

AN_INLINE real AN_FN(an_add_chi)(real x, const struct AN_FN(an_acoustics) * a, real y)
{
    return AN_FMA(a->chi, y, x);
}

/* So that dp = chi dr + kappa de holds from one state to the other: the derivatives at h, moved as
 * little as need be (Vinokur and Montagne, JCP 89, 1990). A shock at rest has no dissipation then.
 * Differences below this part of p are rounding. */
AN_INLINE real AN_FN(an_roe_c2)(real h, real rho, real pl, real pr, real dr, real dp, real de,
                                const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)pr;
    const struct AN_FN(an_acoustics) a =
        AN_FN(an_acoustics_at)(AN_FN(an_gas_t_of_h)(&prm->gas, h), prm);
    const real least = AN_PRECISION == 32 ? AN_R(1e-4) : AN_R(1e-9);
    const real off = dp - a.chi * dr - a.kappa * de, wave = a.c2 * dr;
    const real scale = least * pl;
    const real sum = wave * wave + dp * dp + scale * scale;
    real part = (sum + wave * off) / (sum - dp * off);
    return a.c2 * AN_MIN(AN_MAX(part, AN_R(0.5)), AN_R(2.0));
}

/* Of what rho e differs by, the acoustic waves carry h dp / c^2. */
AN_INLINE real AN_FN(an_roe_entropy)(real kinetic, real speed, real h, real c2, real dp, real de)
{
    return kinetic + speed * (de - h * dp / c2);
}

AN_INLINE real AN_FN(an_viscosity_of_gas)(real law, real rho, real p,
                                          const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)p, (void)prm;
    return law;
}

/* cp is taken at the face: here without it. */
AN_INLINE real AN_FN(an_heat_of_cell)(real mu, real mut, real rho, real p,
                                      const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)p;
    return AN_FMA(prm->heat_t, mut, prm->heat * mu);
}

AN_INLINE real AN_FN(an_heat_twice)(real heat_l, real heat_r, real t_l, real t_r,
                                    const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_gas_cp_of)(&prm->gas, AN_R(0.5) * (t_l + t_r)) * (heat_l + heat_r);
}

AN_INLINE real AN_FN(an_conductivity_at)(real cp, real rho, real p, real mu, real mut,
                                         const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)p;
    return cp * (mu / prm->prandtl + mut / prm->prandtl_t);
}

AN_INLINE real AN_FN(an_energy_diffusion)(real rho, real p, real mu, real mut,
                                          const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_gamma_at)(rho, p, prm) * (mu / prm->prandtl + mut / prm->prandtl_t);
}

AN_INLINE struct AN_FN(an_totals) AN_FN(an_totals_of)(real rho, real p, real t, real speed2,
                                                      real ratio, const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)ratio;
    const real h0 = AN_FMA(AN_R(0.5), speed2, AN_FN(an_gas_heat_of)(&prm->gas, t).h);
    struct AN_FN(an_totals) o;
    o.t0 = AN_FN(an_gas_t_of_h)(&prm->gas, h0);
    o.p0 = p * AN_FN(an_gas_p_ratio)(&prm->gas, t, o.t0);
    return o;
}

/* Constant along isentropes; with constant cp p / rho^gamma: of gamma in the middle of the range,
 * that of p and T is (R T)^gamma p^(1 - gamma), and T enters through s0. */
AN_INLINE real AN_FN(an_entropy_function)(real p, real rho, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_gas) *g = &prm->gas;
    const real t = AN_FN(an_temperature_at)(rho, p, prm), k = g->gamma_mid - AN_R(1.0);
    return AN_POW(g->R * g->mid, g->gamma_mid) * AN_POW(p, -k) *
           AN_EXP(k / g->R * AN_FN(an_gas_ds)(g, g->mid, t));
}

#endif
