/* States of any gas, for hosts, in double: with p = rho R T and constant cp or cp(T) (gas_model.h), or
 * from a table (gas_real.h). In the first two cases the pressure of the arguments counts only where it
 * stands in a formula of gas_model.h. */
#ifndef AN_GAS_STATE_H
#define AN_GAS_STATE_H

#include "kernels/physics/gas_model.h"

AN_EXTERN_C_BEGIN

/* kg/m3; K */
double an_state_density(const struct an_gas *g, double p, double T);
double an_state_temperature(const struct an_gas *g, double rho, double p);
/* J/kg; J/kg/K, s0 - R ln p; m/s; rho c^2 / p */
double an_state_h(const struct an_gas *g, double p, double T);
double an_state_s(const struct an_gas *g, double p, double T);
double an_state_sound(const struct an_gas *g, double p, double T);
double an_state_gamma(const struct an_gas *g, double p, double T);
/* K: at p and enthalpy h. */
double an_state_T_of_h(const struct an_gas *g, double p, double h);
/* Brought to rest from a speed of square V2 (below 0: set in motion), without losses. */
struct an_gas_rest {
    double p0, T0;
};
struct an_gas_rest an_state_rest(const struct an_gas *g, double p, double T, double V2);
/* K: after an isentropic change to p2. */
double an_state_expand(const struct an_gas *g, double p, double T, double p2);
/* Pa: where an isentropic change from (p, T) has the enthalpy of (p2, T2). */
double an_state_p_at(const struct an_gas *g, double p, double T, double p2, double T2);
/* kg/m/s: of the table; 0 without. */
double an_state_viscosity(const struct an_gas *g, double p, double T);

AN_EXTERN_C_END
#endif
