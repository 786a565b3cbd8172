/* The gas: H = h + |u|^2 / 2 = E + p / rho. Point physics: values in, values out.
 *
 * Both kinds of gas (AN_GAS) have the same functions: gas_perfect.h, constant cp, p = (gamma - 1)(rho E - rho |u|^2 /
 * 2); gas_stored.h, stored properties: cp(T), p = rho R T; a mixture of two gases with cp(T); a gas from a table e(rho, p).
 * What fluxes and operators need of a gas are the derivatives of its pressure by density and by internal energy per
 * volume, chi and kappa, at a state:
 *
 *     dp = chi d(rho) + kappa d(rho e),   kappa = gamma - 1,   c^2 = chi + kappa h;
 *
 * with constant cp chi = R T - kappa e is zero and not mentioned.
 *
 * Where cp is not constant, most of the cost is the way from a state to its pressure. The solver finds pressure and
 * properties of each cell once, as soon as a state and its ghost cells are known, and stores them in the field EOS
 * (eos.stencil). Stencils hand the words of a cell on,
 *
 *     an_cell_cached(AT(W, 0, i, j, k), ..., AT(W, 4, i, j, k), AN_PROPERTIES(AT(EOS, 0, i, j, k)), prm)
 *
 * and name the field by AN_EOS_FIELD in their list. With constant cp the field is not in the list, AN_PROPERTIES does not
 * read its argument, and the functions for cells with properties are those for states.
 *
 * A mixture differs from cell to cell. Of the words of EOS its mass fraction always stands, also where the others belong to
 * another state. Functions that take density and pressure, or a conserved state without its words, take the gas of a
 * fraction, which stencils get by
 *
 *     AN_GAS_OF(gas, AT(EOS, AN_EOS_FRACTION, 0, 0, 0));
 *
 * in place of `prm`; they name the field by AN_FRACTION_FIELD. Without a mixture `gas` has the values of `prm`. */
#ifndef AN_GAS_H
#define AN_GAS_H

#include "kernels/physics/fields.h"
#include "kernels/physics/gas_math.h"

/* The state of a cell as fluxes want it: kg/m3, m/s, Pa, J/kg. */
struct AN_FN(an_cell) {
    real rho, u, v, w, p, H;
#if AN_CACHED
    real kappa, c2;             /* what fluxes need of the gas */
    real t, mu, lambda, cp, cv; /* the other words of EOS */
#endif
};

/* Words of a cell that fluxes read, the first ones. */
#if AN_CACHED
enum { AN_CELL_WORDS = 8 };
#define AN_EOS_FIELD(F, role) F(role, EOS)
#else
enum { AN_CELL_WORDS = 6 };
#ifdef AN_EOS_ALWAYS /* lists of fields for all gases */
#define AN_EOS_FIELD(F, role) F(role, EOS)
#else
#define AN_EOS_FIELD(F, role)
#endif
#endif

/* The thermodynamic properties that EOS has for a cell. AN_PROPERTIES(first): in a stencil, those whose first word is
 * `first`; cs is the stride of components of its fields. */
#if AN_CACHED
struct AN_FN(an_properties) {
    const real *word;
    int64_t stride; /* from one word to the next */
};
AN_INLINE struct AN_FN(an_properties) AN_FN(an_properties_at)(const real *word, int64_t stride)
{
    struct AN_FN(an_properties) properties;
    properties.word = word;
    properties.stride = stride;
    return properties;
}
#define AN_PROPERTIES(first) AN_FN(an_properties_at)(&(first), cs)
#else
struct AN_FN(an_properties) {
    char none; /* all follows from the state */
};
AN_INLINE struct AN_FN(an_properties) AN_FN(an_no_properties)(void)
{
    const struct AN_FN(an_properties) properties = {0};
    return properties;
}
#define AN_PROPERTIES(first) AN_FN(an_no_properties)()
#endif

/* A cell of the words of Q, without properties. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_cell_of_words)(real rho, real u, real v, real w, real p, real H)
{
    struct AN_FN(an_cell) q;
    q.rho = rho;
    q.u = u;
    q.v = v;
    q.w = w;
    q.p = p;
    q.H = H;
#if AN_CACHED
    q.kappa = q.c2 = q.t = q.mu = q.lambda = q.cp = q.cv = AN_R(0.0);
#endif
    return q;
}

/* The same with those properties that fluxes read. */
AN_INLINE struct AN_FN(an_cell) AN_FN(an_cell_of_q)(real rho, real u, real v, real w, real p,
                                                    real H, struct AN_FN(an_properties) properties)
{
    struct AN_FN(an_cell) q = AN_FN(an_cell_of_words)(rho, u, v, w, p, H);
#if AN_CACHED
    q.kappa = properties.word[AN_EOS_KAPPA * properties.stride];
    q.c2 = properties.word[AN_EOS_C2 * properties.stride];
#else
    (void)properties;
#endif
    return q;
}
#if AN_CACHED
#define AN_GAS_OF(gas, fraction)                                                              \
    const struct AN_FN(an_prm) gas##_words = AN_FN(an_prm_mixed)(fraction, prm), *const gas = \
                                                                                     &gas##_words
#define AN_FRACTION_FIELD(F, role) F(role, EOS)
#else
#define AN_GAS_OF(gas, fraction) const struct AN_FN(an_prm) *const gas = prm
#define AN_FRACTION_FIELD(F, role)
#endif

/* Conserved state, or five fluxes. */
struct AN_FN(an_five) {
    real m, x, y, z, e; /* mass, momentum, energy */
};

/* c^2, m2/s2, and the derivatives of the pressure (above), -, m2/s2. */
struct AN_FN(an_acoustics) {
    real kappa, chi, c2;
};

/* Total pressure and temperature. */
struct AN_FN(an_totals) {
    real p0, t0;
};

/* Parameters q whose viscosity follows no power law: compilers see it, too, and leave the power out. */
#define AN_SPECIALISE_LAW(q)                                                            \
    ((q).fluid.viscosity =                                                              \
         (q).fluid.viscosity == AN_VISCOSITY_SUTHERLAND ? (real)AN_VISCOSITY_SUTHERLAND \
         : (q).fluid.viscosity == AN_VISCOSITY_CONSTANT ? (real)AN_VISCOSITY_CONSTANT   \
         : (q).fluid.viscosity == AN_VISCOSITY_TABLE    ? (real)AN_VISCOSITY_TABLE      \
                                                        : (real)AN_VISCOSITY_NONE)

/* Molecular viscosity, kg/m/s, at temperature t, K, by the laws of the temperature. */
AN_INLINE real AN_FN(an_viscosity_law)(real t, const struct AN_FN(an_prm) * prm)
{
    real ratio = t / prm->fluid.mu_T;
    if (prm->fluid.viscosity == AN_VISCOSITY_SUTHERLAND)
        return prm->fluid.mu_ref * ratio * AN_SQRT(ratio) * (prm->fluid.mu_T + prm->fluid.mu_S) /
               (t + prm->fluid.mu_S);
    if (prm->fluid.viscosity == AN_VISCOSITY_POWER_LAW)
        return prm->fluid.mu_ref * AN_POW(ratio, prm->fluid.mu_exponent);
    return prm->fluid.mu_ref;
}

#if AN_CACHED
#include "kernels/physics/gas_stored.h"
#elif AN_GAS == 2
#include "kernels/physics/gas_none.h"
#else
#include "kernels/physics/gas_perfect.h"
#endif

/* energy: internal, per volume, J/m3 */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_conserved_of)(real rho, real u, real v, real w, real energy)
{
    struct AN_FN(an_five) c;
    c.m = rho;
    c.x = rho * u;
    c.y = rho * v;
    c.z = rho * w;
    c.e = energy + AN_R(0.5) * rho * (u * u + v * v + w * w);
    return c;
}

AN_INLINE struct AN_FN(an_five)
    AN_FN(an_conserved)(real rho, real u, real v, real w, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_conserved_of)(rho, u, v, w, AN_FN(an_energy_density)(rho, p, prm));
}

AN_INLINE real AN_FN(an_sound_speed)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_SQRT(AN_FN(an_gamma_at)(rho, p, prm) * p / rho);
}

#if !AN_CACHED
#include "kernels/physics/gas_uncached.h"
#endif

#endif
