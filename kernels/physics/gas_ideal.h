/* p = rho R T: what a gas with constant cp shares with cp(T). */
#ifndef AN_GAS_IDEAL_H
#define AN_GAS_IDEAL_H

/* K */
AN_INLINE real AN_FN(an_ideal_temperature)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return p / (rho * prm->fluid.gas_constant);
}

/* kg/m3 */
AN_INLINE real AN_FN(an_ideal_density)(real p, real t, const struct AN_FN(an_prm) * prm)
{
    return p / (prm->fluid.gas_constant * t);
}

/* Conductivity, W/m/K, at cp from the viscosities. */
AN_INLINE real AN_FN(an_ideal_conductivity)(real cp, real mu, real mut,
                                            const struct AN_FN(an_prm) * prm)
{
    return cp * (mu / prm->fluid.prandtl + mut / prm->fluid.prandtl_t);
}

#endif
