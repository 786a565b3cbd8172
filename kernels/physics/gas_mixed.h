/* A mixture of two gases with cp(T), whose mass fraction Z is a field (gas_model.h, struct an_gas_ends). At a given Z it is
 * a gas with cp(T): prm->gas is that of Z in all functions of gas_thermal.h and in those below, which get the parameters that
 * an_prm_mixed makes. Fluxes and operators take what they need of the gas from the words of EOS. */
#ifndef AN_GAS_MIXED_H
#define AN_GAS_MIXED_H

#include "kernels/physics/gas_thermal.h"
#include "kernels/physics/gas_words.h"

/* The parameters with the gas of a mass fraction. */
AN_INLINE struct AN_FN(an_prm) AN_FN(an_prm_mixed)(real fraction, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_prm) at = *prm;
    at.gas = AN_FN(an_gas_blend)(&prm->gas, &prm->step, fraction);
    at.gas_constant = at.gas.R;
    return at;
}

/* h of the second gas less that of the first one, J/kg, at temperature t. */
AN_INLINE real AN_FN(an_enthalpy_step)(real t, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_gas_heat_of)(&prm->step.of, t).h;
}

/* The words of EOS of density and internal energy per mass. */
AN_INLINE void AN_FN(an_eos_of)(real rho, real energy, real word[AN_NCOMP_EOS],
                                const struct AN_FN(an_prm) * prm)
{
    const real t = AN_FN(an_gas_t_of_e)(&prm->gas, energy), rt = prm->gas_constant * t;
    const real cp = AN_FN(an_gas_cp_of)(&prm->gas, t), mu = AN_FN(an_viscosity_law)(t, prm);
    const real cv = cp - prm->gas_constant, kappa = prm->gas_constant / cv;
    word[AN_EOS_P] = rho * rt;
    word[AN_EOS_KAPPA] = kappa;
    word[AN_EOS_C2] = AN_FMA(kappa, rt, rt);
    word[AN_EOS_T] = t;
    word[AN_EOS_MU] = mu;
    word[AN_EOS_LAMBDA] = cp * mu / prm->prandtl;
    word[AN_EOS_CP] = cp;
    word[AN_EOS_CV] = cv;
}

AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_cell_from_conserved)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm)
{
    real word[AN_NCOMP_EOS];
    AN_FN(an_eos_of)(rho, AN_FN(an_specific_energy)(rho, mx, my, mz, e), word, prm);
    return AN_FN(an_cell_kept)(rho, mx, my, mz, e, word, 1, prm);
}

AN_INLINE real AN_FN(an_pressure)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_cell_from_conserved)(rho, mx, my, mz, e, prm).p;
}

#endif
