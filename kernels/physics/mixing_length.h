/* Mixing length (Prandtl 1925; van Driest 1956; as in Denton's programs), point physics.
 *
 *   mu_t = rho l^2 O,  l = min(k D d, limit),  D = 1 - exp(-y+ / 26),  k = 0.41
 *
 * O: vorticity, d: wall distance. y+ is local, that of a layer of constant shear stress
 * tau = (mu + mu_t) O = rho u_tau^2: with Re = rho d^2 O / mu it is the root of
 *
 *   y+^2 = Re + (k D(y+) Re)^2
 *
 * sqrt(Re) in the sublayer, k Re in the logarithmic layer. No cell needs to know its wall. */
#ifndef AN_MIXING_LENGTH_H
#define AN_MIXING_LENGTH_H

#include "kernels/physics/elementary.h"
#include "kernels/physics/gas.h"

#define AN_MIXING_K  AN_R(0.41)
#define AN_MIXING_A1 AN_R(0.038461538461538464) /* 1 / 26 */

/* D from Re >= 0. Newton's steps from above, five: to 4e-10. */
AN_INLINE real AN_FN(an_mixing_damping)(real re)
{
    re = re < AN_R(1e8) ? re : AN_R(1e8); /* D is 1 long before */
    real log_layer = AN_MIXING_K * AN_MIXING_K * re * re;
    real y = AN_SQRT(re + log_layer) + AN_R(1e-10);
    for (int n = 0; n < 5; n++) {
        real e = AN_FN(an_exp_decay)(-AN_MIXING_A1 * y), damping = AN_R(1.0) - e;
        real excess = y * y - re - log_layer * damping * damping;
        y -= excess / (AN_R(2.0) * (y - log_layer * damping * e * AN_MIXING_A1));
    }
    return AN_R(1.0) - AN_FN(an_exp_decay)(-AN_MIXING_A1 * y);
}

/* mu_t / rho, m2/s; limit: the largest l, m. */
AN_INLINE real AN_FN(an_mixing_eddy)(real nu, real omega, real d, real limit)
{
    d = AN_MIN(d, AN_R(1e3) * limit); /* no walls: d is infinite */
    real l = AN_MIXING_K * d * AN_FN(an_mixing_damping)(d * d * omega / nu);
    l = AN_MIN(l, limit);
    return l * l * omega;
}

#endif
