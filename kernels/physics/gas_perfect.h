/* Constant cp. */
#ifndef AN_GAS_PERFECT_H
#define AN_GAS_PERFECT_H

#include "kernels/physics/gas_ideal.h"

/* K */
AN_INLINE real AN_FN(an_temperature_at)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_ideal_temperature)(rho, p, prm);
}

/* The same with inverse = 1 / rho. */
AN_INLINE real AN_FN(an_temperature_inverse)(real inverse, real p, const struct AN_FN(an_prm) * prm)
{
    return p * inverse / prm->fluid.gas_constant;
}

/* kg/m3 */
AN_INLINE real AN_FN(an_density_at)(real p, real t, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_ideal_density)(p, t, prm);
}

/* The viscosity, given that of the laws of the temperature. */
AN_INLINE real AN_FN(an_viscosity_of_gas)(real law, real rho, real p,
                                          const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)p, (void)prm;
    return law;
}

/* Conductivity, W/m/K, at cp, rho and p from the viscosities. */
AN_INLINE real AN_FN(an_conductivity_at)(real cp, real rho, real p, real mu, real mut,
                                         const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)p;
    return AN_FN(an_ideal_conductivity)(cp, mu, mut, prm);
}

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
    q.p = (prm->fluid.gamma - AN_R(1.0)) * AN_FMA(AN_R(-0.5), twice, e);
    q.H = (e + q.p) * inverse;
    return q;
}

AN_INLINE real AN_FN(an_pressure)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm)
{
    return (prm->fluid.gamma - AN_R(1.0)) * (e - AN_R(0.5) * (mx * mx + my * my + mz * mz) / rho);
}

/* Internal energy per volume, J/m3. */
AN_INLINE real AN_FN(an_energy_density)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    (void)rho;
    return p / (prm->fluid.gamma - AN_R(1.0));
}

/* Total enthalpy of density, velocity and pressure. */
AN_INLINE real AN_FN(an_total_enthalpy)(real rho, real u, real v, real w, real p,
                                        const struct AN_FN(an_prm) * prm)
{
    return prm->fluid.gamma / (prm->fluid.gamma - AN_R(1.0)) * p / rho +
           AN_R(0.5) * (u * u + v * v + w * w);
}

AN_INLINE real AN_FN(an_gamma_at)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)p;
    return prm->fluid.gamma;
}

/* J/kg/K */
AN_INLINE real AN_FN(an_cp_at)(real t, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    (void)t, (void)rho, (void)p;
    return prm->fluid.gas_constant * prm->fluid.gamma / (prm->fluid.gamma - AN_R(1.0));
}

/* J/kg */
AN_INLINE real AN_FN(an_internal_energy)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return p * (AN_R(1.0) / rho) / (prm->fluid.gamma - AN_R(1.0));
}

/* Of a cell. */
AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_acoustics_of)(const struct AN_FN(an_cell) * q, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_acoustics)
        a = {prm->fluid.gamma - AN_R(1.0), AN_R(0.0), prm->fluid.gamma * q->p / q->rho};
    return a;
}

/* Of a mean state: total enthalpy h, half the square of the velocity, density and pressure, of which
 * one pair is not needed; c^2 is kept above a tenth of what it is at rest. */
AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_acoustics_mean)(real h, real q2, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)p;
    const real g1 = prm->fluid.gamma - AN_R(1.0);
    const struct AN_FN(an_acoustics) a = {g1, AN_R(0.0), AN_MAX(g1 * (h - q2), AN_R(0.1) * g1 * h)};
    return a;
}

/* x + chi y, where chi is not zero. */
AN_INLINE real AN_FN(an_add_chi)(real x, const struct AN_FN(an_acoustics) * a, real y)
{
    (void)a, (void)y;
    return x;
}

/* Roe: c^2 of the static enthalpy h between two states that differ by dr, dp, de in rho, p, rho e;
 * pl, pr: their pressures, rho: Roe's density. */
AN_INLINE real AN_FN(an_roe_c2)(real h, real rho, real pl, real pr, real dr, real dp, real de,
                                const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)pl, (void)pr, (void)dr, (void)dp, (void)de;
    return (prm->fluid.gamma - AN_R(1.0)) * h;
}

/* Roe: energy of the entropy wave, kinetic, and what rho e differs by beyond the acoustic waves. */
AN_INLINE real AN_FN(an_roe_entropy)(real kinetic, real speed, real h, real c2, real dp, real de)
{
    (void)speed, (void)h, (void)c2, (void)dp, (void)de;
    return kinetic;
}

/* Conductivity, W/m/K, of a cell (an_flux_viscous). */
AN_INLINE real AN_FN(an_heat_of_cell)(real mu, real mut, real rho, real p,
                                      const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)p;
    return AN_FMA(prm->heat_t, mut, prm->heat * mu);
}

/* Diffusivity of the internal energy times the density, kg/m/s. */
AN_INLINE real AN_FN(an_energy_diffusion)(real rho, real p, real mu, real mut,
                                          const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_gamma_at)(rho, p, prm) * (mu / prm->fluid.prandtl + mut / prm->fluid.prandtl_t);
}

/* Of a state; speed2: the square of its speed; ratio: T0 / T of a gas of constant cp. */
AN_INLINE struct AN_FN(an_totals) AN_FN(an_totals_of)(real rho, real p, real t, real speed2,
                                                      real ratio, const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)speed2;
    const struct AN_FN(an_totals)
        o = {p * AN_POW(ratio, prm->fluid.gamma / (prm->fluid.gamma - AN_R(1.0))), t * ratio};
    return o;
}

/* p / rho^gamma */
AN_INLINE real AN_FN(an_entropy_function)(real p, real rho, const struct AN_FN(an_prm) * prm)
{
    return p * AN_POW(rho, -prm->fluid.gamma);
}

#endif
