/* cp(T), a thermally perfect gas (gas_model.h). */
#ifndef AN_GAS_POLYNOMIAL_H
#define AN_GAS_POLYNOMIAL_H

#include "kernels/physics/gas_thermal.h"

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

AN_INLINE real AN_FN(an_energy_diffusion)(real rho, real p, real mu, real mut,
                                          const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_gamma_at)(rho, p, prm) * (mu / prm->prandtl + mut / prm->prandtl_t);
}

#endif
