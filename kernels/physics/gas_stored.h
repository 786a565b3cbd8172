/* Stored properties (gas.h): a gas with cp(T), a mixture (gas_thermal.h) or a gas from a table (gas_tabulated.h). Which one
 * the case has is a parameter of kernels: prm->tabled. Fluxes and operators read the properties of cells (gas_cached.h);
 * the functions below are for ghost cells, faces of boundaries, output, and eos.stencil, which finds the properties. */
#ifndef AN_GAS_STORED_H
#define AN_GAS_STORED_H

#include "kernels/physics/gas_cached.h"
#include "kernels/physics/gas_tabulated.h"
#include "kernels/physics/gas_thermal.h"

#define AN_OF_GAS(function, ...)                                    \
    (prm->tabled ? AN_FN(AN_CAT(an_tabled_, function))(__VA_ARGS__) \
                 : AN_FN(AN_CAT(an_thermal_, function))(__VA_ARGS__))

/* The words of EOS from density and internal energy per mass: the one place where the pressure of cells is found. */
AN_INLINE void AN_FN(an_eos_of)(real rho, real energy, real word[AN_NCOMP_EOS],
                                const struct AN_FN(an_prm) * prm)
{
    if (prm->tabled)
        AN_FN(an_tabled_eos)(rho, energy, word, prm);
    else
        AN_FN(an_thermal_eos)(rho, energy, word, prm);
}

/* Those of density and pressure; the internal energy, J/kg. */
AN_INLINE real AN_FN(an_eos_of_state)(real rho, real p, real word[AN_NCOMP_EOS],
                                      const struct AN_FN(an_prm) * prm)
{
    return AN_OF_GAS(state, rho, p, word, prm);
}

AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_cell_from_conserved)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm)
{
    real word[AN_NCOMP_EOS];
    AN_FN(an_eos_of)(rho, AN_FN(an_specific_energy)(rho, mx, my, mz, e), word, prm);
    return AN_FN(an_cell_cached)(rho, mx, my, mz, e, AN_FN(an_properties_at)(word, 1), prm);
}

AN_INLINE real AN_FN(an_pressure)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm)
{
    const real energy = AN_FN(an_specific_energy)(rho, mx, my, mz, e);
    return AN_OF_GAS(pressure, rho, energy, prm);
}

/* K */
AN_INLINE real AN_FN(an_temperature_at)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return prm->tabled ? AN_FN(an_tabled_temperature)(rho, p, prm)
                       : AN_FN(an_ideal_temperature)(rho, p, prm);
}

/* kg/m3 */
AN_INLINE real AN_FN(an_density_at)(real p, real t, const struct AN_FN(an_prm) * prm)
{
    return prm->tabled ? AN_FN(an_tabled_density)(p, t, prm) : AN_FN(an_ideal_density)(p, t, prm);
}

/* J/kg */
AN_INLINE real AN_FN(an_internal_energy)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_OF_GAS(energy, rho, p, prm);
}

/* The same per volume, J/m3. */
AN_INLINE real AN_FN(an_energy_density)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return rho * AN_FN(an_internal_energy)(rho, p, prm);
}

/* rho c^2 / p */
AN_INLINE real AN_FN(an_gamma_at)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_OF_GAS(gamma, rho, p, prm);
}

/* J/kg/K; t: the temperature at rho and p. */
AN_INLINE real AN_FN(an_cp_at)(real t, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_OF_GAS(cp, t, rho, p, prm);
}

/* kg/m/s; law: by the laws of the temperature. */
AN_INLINE real AN_FN(an_viscosity_of_gas)(real law, real rho, real p,
                                          const struct AN_FN(an_prm) * prm)
{
    return prm->tabled ? AN_FN(an_tabled_viscosity)(law, rho, p, prm) : law;
}

/* Conductivity, W/m/K, at cp, rho and p from the viscosities. */
AN_INLINE real AN_FN(an_conductivity_at)(real cp, real rho, real p, real mu, real mut,
                                         const struct AN_FN(an_prm) * prm)
{
    return prm->tabled ? AN_FN(an_tabled_conductivity)(cp, rho, p, mu, mut, prm)
                       : AN_FN(an_ideal_conductivity)(cp, mu, mut, prm);
}

/* Of a state; speed2: the square of its speed; ratio: T0 / T of a gas of constant cp, which is not used. */
AN_INLINE struct AN_FN(an_totals) AN_FN(an_totals_of)(real rho, real p, real t, real speed2,
                                                      real ratio, const struct AN_FN(an_prm) * prm)
{
    (void)ratio;
    return AN_OF_GAS(totals, rho, p, t, speed2, prm);
}

/* Constant along isentropes; of a perfect gas p / rho^gamma. */
AN_INLINE real AN_FN(an_entropy_function)(real p, real rho, const struct AN_FN(an_prm) * prm)
{
    return AN_OF_GAS(entropy, p, rho, prm);
}

#endif
