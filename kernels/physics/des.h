/* Detached-eddy simulation on Spalart-Allmaras, point physics: the length d~ that takes the place of
 * the wall distance d in the model's source.
 *
 * DDES (Spalart, Deck, Shur, Squires, Strelets, Travin, Theor. Comput. Fluid Dyn. 20, 2006):
 *   d~ = d - fd max(0, d - L),  L = CDES Psi D,  fd = 1 - tanh((8 rd)^3),
 *   rd = (nu + nu_t) / (|grad u| k^2 d^2), at most 10,  |grad u|^2 = u_i,j u_i,j
 *   D: longest edge of the cell, CDES = 0.65
 * IDDES (Shur, Spalart, Strelets, Travin, Int. J. Heat Fluid Flow 29, 2008):
 *   d~ = fh (1 + fe Psi) d + (1 - fh) L,  D = min(max(0.15 d, 0.15 h, hn), h)
 *   fh = max(tanh((8 rt)^3), fB),  fB = min(2 exp(-9 a^2), 1),  a = 1/4 - d/h
 *   fe = max(fe1 - 1, 0) (1 - max(ft, fl)),  fe1 = 2 exp(-11.09 a^2) where a >= 0, else 2 exp(-9 a^2)
 *   ft = tanh((1.63^2 rt)^3),  fl = tanh((3.55^2 rl)^10),  rt, rl: as rd with nu_t, nu alone
 *   h: longest edge of the cell, hn: extent of the cell normal to the wall
 * Psi keeps the viscous terms of the model out of regions of low eddy viscosity, in the form of the
 * model without ft2, which both use:
 *   Psi^2 = min(100, (1 - cb1 fv2 / (cw1 k^2 fw*)) / fv1),  fw* = 0.424 */
#ifndef AN_DES_H
#define AN_DES_H

#include "kernels/physics/spalart_allmaras.h"

#define AN_DES_C AN_R(0.65)

AN_INLINE real AN_FN(an_des_psi)(real nut, real nu, real rough)
{
    const real one = AN_R(1.0), part = AN_SA_CB1 / (AN_SA_CW1 * AN_SA_K2 * AN_R(0.424));
    const real own = AN_MAX(nut, AN_R(0.0)) / nu, fv1 = AN_FN(an_sa_fv1)(own + rough);
    const real fv2 = one - own / AN_FMA(own, fv1, one);
    const real square = AN_MAX(one - part * fv2, AN_R(0.0)) / AN_MAX(fv1, AN_R(1e-10));
    return AN_SQRT(AN_MIN(square, AN_R(100.0)));
}

/* |grad u|, 1/s, from GRAD (3 c + d). */
AN_INLINE real AN_FN(an_des_gradient)(const real g[9])
{
    real sum = AN_R(0.0);
    for (int m = 0; m < 9; m++)
        sum = AN_FMA(g[m], g[m], sum);
    return AN_SQRT(sum);
}

/* viscosity over |grad u| k^2 d^2, from 0 to 10. */
AN_INLINE real AN_FN(an_des_ratio)(real viscosity, real gradient, real d)
{
    const real under = AN_MAX(gradient, AN_R(1e-10)) * AN_SA_K2 * d * d;
    return AN_MIN(viscosity, AN_R(10.0) * under) / AN_MAX(under, AN_R(1e-30));
}

AN_INLINE real AN_FN(an_des_cube)(real x)
{
    return x * x * x;
}

/* ratio: d~ / d. open: 0 where the model acts as without des, 1 where the length is that of the cells:
 * fd, of IDDES 1 - fh. */
struct AN_FN(an_des) {
    real ratio, open;
};

/* eddy: nu_t; length: L. */
AN_INLINE struct AN_FN(an_des)
    AN_FN(an_ddes)(real nu, real eddy, real gradient, real d, real length)
{
    const real r = AN_FN(an_des_ratio)(nu + eddy, gradient, d);
    const real shield = AN_FN(an_tanh_positive)(AN_FN(an_des_cube)(AN_R(8.0) * r));
    struct AN_FN(an_des) o;
    o.open = AN_R(1.0) - shield;
    o.ratio = AN_FMA(shield, d, o.open * AN_MIN(d, length)) / d;
    return o;
}

/* h: longest edge. */
AN_INLINE struct AN_FN(an_des)
    AN_FN(an_iddes)(real nu, real eddy, real gradient, real d, real length, real psi, real h)
{
    const real zero = AN_R(0.0), one = AN_R(1.0), two = AN_R(2.0);
    const real rt = AN_FN(an_des_ratio)(eddy, gradient, d),
               rl = AN_FN(an_des_ratio)(nu, gradient, d);
    const real a = AN_R(0.25) - d / h, a2 = a * a;
    const real step = two * AN_FN(an_exp_decay)(AN_R(-9.0) * a2);
    const real near = two * AN_FN(an_exp_decay)(AN_R(-11.09) * a2);
    const real fh =
        AN_MAX(AN_FN(an_tanh_positive)(AN_FN(an_des_cube)(AN_R(8.0) * rt)), AN_MIN(step, one));
    const real ft = AN_FN(an_tanh_positive)(AN_FN(an_des_cube)(AN_R(1.63) * AN_R(1.63) * rt));
    /* to the tenth; more than 2 is 1 in tanh of it */
    const real l1 = AN_MIN(AN_R(3.55) * AN_R(3.55) * rl, two), l2 = l1 * l1, l4 = l2 * l2;
    const real fl = AN_FN(an_tanh_positive)(l4 * l4 * l2);
    const real fe = AN_MAX((a < zero ? step : near) - one, zero) * (one - AN_MAX(ft, fl));
    struct AN_FN(an_des) o;
    o.open = one - fh;
    o.ratio = AN_FMA(fh * AN_FMA(fe, psi, one), d, o.open * length) / d;
    return o;
}

#endif
