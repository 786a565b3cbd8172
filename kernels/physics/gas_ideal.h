/* p = rho R T: what a gas with constant cp shares with one with cp(T) and with a mixture. */
#ifndef AN_GAS_IDEAL_H
#define AN_GAS_IDEAL_H

/* K and kg/m3; `inverse`: 1 / rho. */
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
    return cp * (mu / prm->prandtl + mut / prm->prandtl_t);
}

#endif
