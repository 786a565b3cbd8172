/* Cells of gases that have no field EOS (gas.h): all follows from the state. */
#ifndef AN_GAS_UNCACHED_H
#define AN_GAS_UNCACHED_H

AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_cell_cached)(real rho, real mx, real my, real mz, real e,
                          struct AN_FN(an_properties) properties, const struct AN_FN(an_prm) * prm)
{
    (void)properties;
    return AN_FN(an_cell_from_conserved)(rho, mx, my, mz, e, prm);
}

AN_INLINE real AN_FN(an_cell_temperature)(const struct AN_FN(an_cell) * q,
                                          const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_temperature_at)(q->rho, q->p, prm);
}

AN_INLINE real AN_FN(an_cell_temperature_inverse)(const struct AN_FN(an_cell) * q, real inverse,
                                                  const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_temperature_inverse)(inverse, q->p, prm);
}

/* t: its temperature. */
AN_INLINE real AN_FN(an_cell_viscosity)(const struct AN_FN(an_cell) * q, real t,
                                        const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_viscosity_of_gas)(AN_FN(an_viscosity_law)(t, prm), q->rho, q->p, prm);
}

/* an_heat_of_cell */
AN_INLINE real AN_FN(an_cell_heat)(const struct AN_FN(an_cell) * q, real mu, real mut,
                                   const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_heat_of_cell)(mu, mut, q->rho, q->p, prm);
}

AN_INLINE real AN_FN(an_cell_energy_diffusion)(const struct AN_FN(an_cell) * q, real mu, real mut,
                                               const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_energy_diffusion)(q->rho, q->p, mu, mut, prm);
}

AN_INLINE real AN_FN(an_cell_sound)(const struct AN_FN(an_cell) * q,
                                    const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_sound_speed)(q->rho, q->p, prm);
}

AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_cell_acoustics)(const struct AN_FN(an_cell) * q, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_acoustics_of)(q, prm);
}

/* At the mean of two cells, whose total enthalpy is h and kinetic energy q2. */
AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_cell_acoustics_mean)(const struct AN_FN(an_cell) * l, const struct AN_FN(an_cell) * r,
                                  real h, real q2, const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    return AN_FN(an_acoustics_mean)(h, q2, half * (l->rho + r->rho), half * (l->p + r->p), prm);
}

/* J/kg */
AN_INLINE real AN_FN(an_cell_internal)(const struct AN_FN(an_cell) * q,
                                       const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_internal_energy)(q->rho, q->p, prm);
}

/* Total enthalpy and internal energy, J/kg, of a state on a face of the cell q. */
AN_INLINE real AN_FN(an_face_enthalpy)(const struct AN_FN(an_cell) * q, real rho, real u, real v,
                                       real w, real p, const struct AN_FN(an_prm) * prm)
{
    (void)q;
    return AN_FN(an_total_enthalpy)(rho, u, v, w, p, prm);
}

AN_INLINE real AN_FN(an_face_internal)(const struct AN_FN(an_cell) * q, real rho, real p,
                                       const struct AN_FN(an_prm) * prm)
{
    (void)q;
    return AN_FN(an_internal_energy)(rho, p, prm);
}

/* an_roe_c2 between the cells l and r. */
AN_INLINE real AN_FN(an_cell_roe_c2)(const struct AN_FN(an_cell) * l,
                                     const struct AN_FN(an_cell) * r, real h, real rho, real pl,
                                     real pr, real dr, real dp, real de,
                                     const struct AN_FN(an_prm) * prm)
{
    (void)l, (void)r;
    return AN_FN(an_roe_c2)(h, rho, pl, pr, dr, dp, de, prm);
}

/* The words of EOS, which nothing reads. */
AN_INLINE void AN_FN(an_eos_of)(const struct AN_FN(an_cell) * q, real word[AN_NCOMP_EOS],
                                const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_acoustics) a = AN_FN(an_acoustics_of)(q, prm);
    const real t = AN_FN(an_temperature_at)(q->rho, q->p, prm);
    const real cp = AN_FN(an_cp_at)(t, q->rho, q->p, prm), mu = AN_FN(an_viscosity_law)(t, prm);
    word[AN_EOS_P] = q->p;
    word[AN_EOS_KAPPA] = a.kappa;
    word[AN_EOS_C2] = a.c2;
    word[AN_EOS_T] = t;
    word[AN_EOS_MU] = mu;
    word[AN_EOS_LAMBDA] = cp * mu / prm->fluid.prandtl;
    word[AN_EOS_CP] = cp;
    word[AN_EOS_CV] = cp - prm->fluid.gas_constant;
}

#endif
