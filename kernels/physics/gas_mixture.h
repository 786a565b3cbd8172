/* Air, dry or moist, and what a fuel burnt in it leaves, as a gas with cp(T) (gas_model.h).
 *
 * The mixture is ideal and of one composition: per kg of dry air `vapour` kg of water vapour and `fuel` kg
 * of a fuel of carbon and hydrogen, which burns completely to CO2 and H2O. With the moles n of each species,
 *
 *     R = Ru sum n / sum n M,   cp(T) = R sum n (cp / Ru)(T) / sum n.
 *
 * cp / Ru of N2, O2, Ar, CO2 and H2O are the polynomials of nine coefficients of McBride, Zehe, Gordon,
 * NASA/TP-2002-211556, which hold from 200 to 6000 K. Dissociation is left out. */
#ifndef AN_GAS_MIXTURE_H
#define AN_GAS_MIXTURE_H

#include "kernels/physics/gas_model.h"

AN_EXTERN_C_BEGIN

struct an_gas_air {
    double vapour, fuel;     /* kg per kg of dry air */
    double carbon, hydrogen; /* atoms in a molecule of the fuel */
};

/* The gas as an_gas_polynomial takes it. */
struct an_gas_mixed {
    double R;                /* J/kg/K */
    double cp[AN_GAS_TERMS]; /* J/kg/K over powers of T in K */
    double off;              /* largest relative difference of the two cp(T) between lo and hi */
};

/* AN_INPUT with a text where 200 <= lo < hi <= 6000 K is not so, or the oxygen does not suffice to burn the fuel. */
int an_gas_mixture(const struct an_gas_air *air, double lo, double hi, struct an_gas_mixed *out);
/* Largest kg of fuel per kg of dry air. */
double an_gas_stoichiometric(const struct an_gas_air *air);
/* kg of vapour per kg of dry air, where its partial pressure is `part` of saturation over water at p (Pa) and T
 * (K, 273.15 to 373.15): Wagner and Pruss, J. Phys. Chem. Ref. Data 31 (2002) 387, eq. 2.5. AN_INPUT with a text
 * where p is not above that partial pressure. */
int an_gas_vapour(double part, double p, double T, double *vapour);
double an_gas_saturation(double T); /* Pa */

AN_EXTERN_C_END
#endif
