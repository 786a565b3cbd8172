/* A change that is added to a state: how much of it. */
#ifndef AN_CORRECT_H
#define AN_CORRECT_H

#include "kernels/physics/gas.h"

/* next = w + f d: f <= 1 keeps the change of density and pressure within `part` of their values and
 * that of the velocity, to first order, below `part` of sqrt(2 p / ((gamma - 1) rho)), so that both stay
 * positive: p + dp - (gamma - 1) rho^2 |du|^2 / (2 (rho + d rho)) > 0.57 p. A change that is not a number
 * or 1e6 times too large (a line whose elimination, without pivoting, broke down) is left out. So is a change
 * that would lower the pressure below `cold` of (gamma - 1) times the kinetic energy (a Mach number of 60 in air):
 * in single precision a pressure of the size of the energy's rounding can neither be used nor grow again. */
AN_INLINE void AN_FN(an_correct)(const real w[5], const real d[5], real next[5],
                                 struct AN_FN(an_properties) properties,
                                 const struct AN_FN(an_prm) * prm)
{
    const real part = AN_R(0.3), cold = AN_R(1e-3);
    struct AN_FN(an_cell) q = AN_FN(an_cell_cached)(w[0], w[1], w[2], w[3], w[4], properties, prm);
    real d0 = d[0], d1 = d[1], d2 = d[2], d3 = d[3], d4 = d[4];
    const struct AN_FN(an_acoustics) gas = AN_FN(an_cell_acoustics)(&q, prm);
    const real kinetic = AN_R(0.5) * (q.u * q.u + q.v * q.v + q.w * q.w); /* J/kg */
    real dp = gas.kappa * (kinetic * d0 - q.u * d1 - q.v * d2 - q.w * d3 + d4);
    dp = AN_FN(an_add_chi)(dp, &gas, d0);
    const real du = d1 - q.u * d0, dv = d2 - q.v * d0, dw = d3 - q.w * d0; /* rho times */
    const real speed =
        AN_SQRT(AN_R(0.5) * gas.kappa * (du * du + dv * dv + dw * dw) / (q.rho * q.p));
    const real step0 = AN_FABS(d0) / q.rho, step4 = AN_FABS(dp) / q.p;
    /* dp less what the velocities take of p, at most 1 / (1 - part) speed^2 p */
    const int cools =
        (q.p < cold * gas.kappa * q.rho * kinetic) & (dp < AN_R(1.5) * speed * speed * q.p);
    const int sound = (step0 < AN_R(1e6)) & (step4 < AN_R(1e6)) & (speed < AN_R(1e6)) & !cools;
    real most = AN_MAX(AN_MAX(step0, step4), speed);
    real f = most > part ? part / most : AN_R(1.0);
    d0 = sound ? d0 : AN_R(0.0);
    d1 = sound ? d1 : AN_R(0.0);
    d2 = sound ? d2 : AN_R(0.0);
    d3 = sound ? d3 : AN_R(0.0);
    d4 = sound ? d4 : AN_R(0.0);
    f = sound ? f : AN_R(0.0);
    next[0] = AN_FMA(f, d0, w[0]);
    next[1] = AN_FMA(f, d1, w[1]);
    next[2] = AN_FMA(f, d2, w[2]);
    next[3] = AN_FMA(f, d3, w[3]);
    next[4] = AN_FMA(f, d4, w[4]);
}

/* SOLUTION(x) of line stencils that solve for the change of a state, x. */
#define AN_STATE_SOLUTION(x)                                                                    \
    do {                                                                                        \
        if (GIVEN(WN)) {                                                                        \
            const real before[5] = {AT(W0, 0, 0, 0, 0), AT(W0, 1, 0, 0, 0), AT(W0, 2, 0, 0, 0), \
                                    AT(W0, 3, 0, 0, 0), AT(W0, 4, 0, 0, 0)};                    \
            real after[5];                                                                      \
            AN_FN(an_correct)(before, x, after, AN_PROPERTIES(AT(EOS, 0, 0, 0, 0)), prm);       \
            OUT(WN, 0, after[0]);                                                               \
            OUT(WN, 1, after[1]);                                                               \
            OUT(WN, 2, after[2]);                                                               \
            OUT(WN, 3, after[3]);                                                               \
            OUT(WN, 4, after[4]);                                                               \
        } else {                                                                                \
            OUT(DW, 0, (x)[0]);                                                                 \
            OUT(DW, 1, (x)[1]);                                                                 \
            OUT(DW, 2, (x)[2]);                                                                 \
            OUT(DW, 3, (x)[3]);                                                                 \
            OUT(DW, 4, (x)[4]);                                                                 \
        }                                                                                       \
    } while (0)

#endif
