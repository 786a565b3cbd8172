/* No gas: for stencils that do not depend on it (AN_GAS 2). Point physics that they include may name the functions of a gas;
 * a stencil that calls one does not compile. */
#ifndef AN_GAS_NONE_H
#define AN_GAS_NONE_H

#define AN_NO_GAS                \
    extern AN_HD __attribute__(( \
        error("this stencil depends on the gas: its group is not in AN_GASLESS_GROUPS")))

AN_NO_GAS real AN_FN(an_temperature_at)(real rho, real p, const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_temperature_inverse)(real inverse, real p,
                                             const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_density_at)(real p, real t, const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_viscosity_of_gas)(real law, real rho, real p,
                                          const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_conductivity_at)(real cp, real rho, real p, real mu, real mut,
                                         const struct AN_FN(an_prm) * prm);
AN_NO_GAS struct AN_FN(an_cell)
    AN_FN(an_cell_from_conserved)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_pressure)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_energy_density)(real rho, real p, const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_total_enthalpy)(real rho, real u, real v, real w, real p,
                                        const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_gamma_at)(real rho, real p, const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_cp_at)(real t, real rho, real p, const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_internal_energy)(real rho, real p, const struct AN_FN(an_prm) * prm);
AN_NO_GAS struct AN_FN(an_acoustics)
    AN_FN(an_acoustics_of)(const struct AN_FN(an_cell) * q, const struct AN_FN(an_prm) * prm);
AN_NO_GAS struct AN_FN(an_acoustics)
    AN_FN(an_acoustics_mean)(real h, real q2, real rho, real p, const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_add_chi)(real x, const struct AN_FN(an_acoustics) * a, real y);
AN_NO_GAS real AN_FN(an_roe_c2)(real h, real rho, real pl, real pr, real dr, real dp, real de,
                                const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_roe_entropy)(real kinetic, real speed, real h, real c2, real dp, real de);
AN_NO_GAS real AN_FN(an_heat_of_cell)(real mu, real mut, real rho, real p,
                                      const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_energy_diffusion)(real rho, real p, real mu, real mut,
                                          const struct AN_FN(an_prm) * prm);
AN_NO_GAS struct AN_FN(an_totals) AN_FN(an_totals_of)(real rho, real p, real t, real speed2,
                                                      real ratio, const struct AN_FN(an_prm) * prm);
AN_NO_GAS real AN_FN(an_entropy_function)(real p, real rho, const struct AN_FN(an_prm) * prm);

#undef AN_NO_GAS

#endif
