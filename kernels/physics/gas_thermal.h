/* p = rho R T with cp(T) (gas_model.h), of one gas and of a mixture whose mass fraction Z is a field (struct an_gas_ends):
 * at a given Z a mixture is a gas with cp(T), with the parameters that an_prm_mixed makes. gas_stored.h has what each
 * function is. */
#ifndef AN_GAS_THERMAL_H
#define AN_GAS_THERMAL_H

#include "kernels/physics/gas_cp.h"
#include "kernels/physics/gas_ideal.h"

/* The parameters with the gas of a mass fraction, which counts for mixtures only. Without a mixture `step` is zero, and the
 * gas stays as it is. */
AN_INLINE struct AN_FN(an_prm) AN_FN(an_prm_mixed)(real fraction, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_prm) at = *prm;
    if (prm->mixed) {
        at.gas = AN_FN(an_gas_blend)(&prm->gas, &prm->step, fraction);
        at.fluid.gas_constant = at.gas.R;
    }
    return at;
}

/* h of the second gas less that of the first one, J/kg, at temperature t. */
AN_INLINE real AN_FN(an_enthalpy_step)(real t, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_gas_heat_of)(&prm->step.of, t).h;
}

/* The words of EOS of a gas with constant R, J/kg/K, density, temperature and cp. */
AN_INLINE void AN_FN(an_thermal_words)(real R, real rho, real t, real cp, real word[AN_NCOMP_EOS],
                                       const struct AN_FN(an_prm) * prm)
{
    const real rt = R * t, mu = AN_FN(an_viscosity_law)(t, prm), cv = cp - R, kappa = R / cv;
    word[AN_EOS_P] = rho * rt;
    word[AN_EOS_KAPPA] = kappa;
    word[AN_EOS_C2] = AN_FMA(kappa, rt, rt);
    word[AN_EOS_T] = t;
    word[AN_EOS_MU] = mu;
    word[AN_EOS_LAMBDA] = cp * mu / prm->fluid.prandtl;
    word[AN_EOS_CP] = cp;
    word[AN_EOS_CV] = cv;
}

AN_INLINE void AN_FN(an_thermal_eos)(real rho, real energy, real word[AN_NCOMP_EOS],
                                     const struct AN_FN(an_prm) * prm)
{
    const real t = AN_FN(an_gas_t_of_e)(&prm->gas, energy);
    AN_FN(an_thermal_words)
    (prm->fluid.gas_constant, rho, t, AN_FN(an_gas_cp_of)(&prm->gas, t), word, prm);
}

/* h and cp of a mixture with the mass fraction z, as of the gas that an_gas_blend makes, but without its coefficients:
 * the polynomials of both gases are summed, so that loops over cells become vector code. */
AN_INLINE struct AN_FN(an_gas_heat)
    AN_FN(an_mixed_heat)(real z, real t, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_gas_heat) a = AN_FN(an_gas_heat_of)(&prm->gas, t);
    const struct AN_FN(an_gas) *const step = &prm->step.of;
    const struct AN_FN(an_gas_place) x = AN_FN(an_gas_locate)(&prm->gas, t);
    const real cp = AN_FN(an_gas_horner)(step->cp, AN_GAS_TERMS, x.z);
    const real mean = AN_FN(an_gas_horner)(step->h, AN_GAS_TERMS, x.z);
    struct AN_FN(an_gas_heat) f;
    f.cp = AN_FMA(z, cp, a.cp);
    f.h = AN_FMA(z, AN_FMA(cp, t - x.t, AN_FMA(x.t, mean, step->h_0)), a.h);
    return f;
}

/* an_thermal_eos of a mixture with the mass fraction z. */
AN_INLINE void AN_FN(an_mixed_eos)(real z, real rho, real energy, real word[AN_NCOMP_EOS],
                                   const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_gas) *const a = &prm->gas, *const b = &prm->step.of;
    const real one = AN_R(1.0), half = one / a->e_scale;
    const real scale = one / AN_FMA(z, b->e_scale, half), part = z * scale * (half + b->e_scale);
    const real R = AN_FMA(z, b->R, a->R);
    const real y = (energy - AN_FMA(z, b->e_centre, a->e_centre)) * scale;
    const real in = AN_MIN(AN_MAX(y, -one), one);
    const real fit = AN_FMA(part, AN_FN(an_gas_horner)(b->e_fit, AN_GAS_TERMS, in),
                            AN_FN(an_gas_horner)(a->e_fit, AN_GAS_TERMS, in));
    real t = AN_FMA(a->e_slope, y - in, fit);
    for (int n = 0; n < AN_GAS_NEWTON; n++) {
        const struct AN_FN(an_gas_heat) f = AN_FN(an_mixed_heat)(z, t, prm);
        t += (energy - AN_FMA(-R, t, f.h)) / (f.cp - R);
    }
    AN_FN(an_thermal_words)(R, rho, t, AN_FN(an_mixed_heat)(z, t, prm).cp, word, prm);
}

/* The words of EOS of density and pressure; the internal energy, J/kg. */
AN_INLINE real AN_FN(an_thermal_state)(real rho, real p, real word[AN_NCOMP_EOS],
                                       const struct AN_FN(an_prm) * prm)
{
    const real t = AN_FN(an_ideal_temperature)(rho, p, prm);
    const struct AN_FN(an_gas_heat) f = AN_FN(an_gas_heat_of)(&prm->gas, t);
    AN_FN(an_thermal_words)(prm->fluid.gas_constant, rho, t, f.cp, word, prm);
    word[AN_EOS_P] = p;
    return AN_FMA(-prm->fluid.gas_constant, t, f.h);
}

AN_INLINE real AN_FN(an_thermal_pressure)(real rho, real energy, const struct AN_FN(an_prm) * prm)
{
    return rho * (prm->fluid.gas_constant * AN_FN(an_gas_t_of_e)(&prm->gas, energy));
}

AN_INLINE real AN_FN(an_thermal_energy)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const real t = AN_FN(an_ideal_temperature)(rho, p, prm);
    return AN_FMA(-prm->fluid.gas_constant, t, AN_FN(an_gas_heat_of)(&prm->gas, t).h);
}

AN_INLINE real AN_FN(an_thermal_gamma)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_gas_gamma_of)(&prm->gas, AN_FN(an_ideal_temperature)(rho, p, prm));
}

AN_INLINE real AN_FN(an_thermal_cp)(real t, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    (void)rho, (void)p;
    return AN_FN(an_gas_cp_of)(&prm->gas, t);
}

AN_INLINE struct AN_FN(an_totals) AN_FN(an_thermal_totals)(real rho, real p, real t, real speed2,
                                                           const struct AN_FN(an_prm) * prm)
{
    (void)rho;
    const real h0 = AN_FMA(AN_R(0.5), speed2, AN_FN(an_gas_heat_of)(&prm->gas, t).h);
    struct AN_FN(an_totals) o;
    o.t0 = AN_FN(an_gas_t_of_h)(&prm->gas, h0);
    o.p0 = p * AN_FN(an_gas_p_ratio)(&prm->gas, t, o.t0);
    return o;
}

/* Constant along isentropes; with constant cp p / rho^gamma: of gamma in the middle of the range,
 * that of p and T is (R T)^gamma p^(1 - gamma), and T enters through s0. */
AN_INLINE real AN_FN(an_thermal_entropy)(real p, real rho, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_gas) *g = &prm->gas;
    const real t = AN_FN(an_ideal_temperature)(rho, p, prm), k = g->gamma_mid - AN_R(1.0);
    return AN_POW(g->R * g->mid, g->gamma_mid) * AN_POW(p, -k) *
           AN_EXP(k / g->R * AN_FN(an_gas_ds)(g, g->mid, t));
}

#endif
