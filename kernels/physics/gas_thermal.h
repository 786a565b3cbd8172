/* p = rho R T with cp(T) (gas_model.h): functions of density and pressure, of a gas with cp(T) and of a mixture. */
#ifndef AN_GAS_THERMAL_H
#define AN_GAS_THERMAL_H

#include "kernels/physics/gas_cp.h"
#include "kernels/physics/gas_ideal.h"

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
