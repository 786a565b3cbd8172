/* The gas: H = h + |u|^2 / 2 = E + p / rho. Point physics: values in, values out.
 *
 * Each gas has the same functions: gas_perfect.h, constant cp, p = (gamma - 1)(rho E - rho |u|^2 /
 * 2); gas_polynomial.h, cp(T), p = rho R T; gas_tabulated.h, from a table e(rho, p). What fluxes and operators need of a gas are the derivatives of its
 * pressure by density and by internal energy per volume, chi and kappa, at a state:
 *
 *     dp = chi d(rho) + kappa d(rho e),   kappa = gamma - 1,   c^2 = chi + kappa h;
 *
 * with constant cp chi = R T - kappa e is zero and not mentioned. */
#ifndef AN_GAS_H
#define AN_GAS_H

#include "kernels/physics/fields.h"
#include "kernels/physics/gas_math.h"

/* The state of a cell as fluxes want it: kg/m3, m/s, Pa, J/kg. */
struct AN_FN(an_cell) {
    real rho, u, v, w, p, H;
};

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

#if AN_GAS == 2
#include "kernels/physics/gas_tabulated.h"
#elif AN_GAS
#include "kernels/physics/gas_polynomial.h"
#else
#include "kernels/physics/gas_perfect.h"
#endif

AN_INLINE real AN_FN(an_sound_speed)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_SQRT(AN_FN(an_gamma_at)(rho, p, prm) * p / rho);
}

#endif
