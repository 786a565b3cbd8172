/* Dissipation and preconditioned waves at low Mach numbers, for the fluxes (flux.h), the implicit operator, the time
 * step and the far field. */
#ifndef AN_LOW_MACH_H
#define AN_LOW_MACH_H

#include "kernels/physics/gas.h"

/* z = min(1, 3 max(|u|, U_ref) / c), the fraction of the dissipation by velocity jumps that is kept (scheme.low_mach).
 * Without it jumps of the velocity are damped in proportion to the speed of sound, however slow the flow is, and the
 * error grows as 1 / M. The dissipation by jumps of the pressure is not reduced (Rieper, JCP 230, 2011). prm->flux.low_mach
 * is U_ref^2, the square of the expected speed of the flow, which bounds z from below near walls and stagnation points.
 * From Mach number 1/3 on z is 1; in slower flow the dissipation relative to the flow's speed is that at Mach number
 * 1/3. */
AN_INLINE real AN_FN(an_low_mach_part)(real speed2, real c2, const struct AN_FN(an_prm) * prm)
{
    return AN_MIN(AN_R(1.0), AN_R(3.0) * AN_SQRT(AN_MAX(speed2, prm->flux.low_mach) / c2));
}

/* The acoustic waves of the preconditioned equations (Weiss and Smith, AIAA J. 33, 1995) at a face relative to which the
 * normal velocity of the gas is wn: their speeds u' - c' and u' + c' are of the size of the flow's speed, not of the
 * speed of sound.
 *
 *     Ur = z c (an_low_mach_part), a = (1 - z^2) / 2, u' = (1 - a) wn, c'^2 = (a wn)^2 + Ur^2
 *
 * The equations are Gamma dW/dt + R = 0, Gamma = I + (1/Ur^2 - 1/c^2) [1, u, H] dp/dW; the dissipation
 * of their upwind flux is |wn| dW + [1, u, H] x + [0, n, u_n] y,
 *
 *     x = M rho d(un) + (C - z^2 |wn| - a wn M) dp / Ur^2,  y = M dp + (C - |wn| + a wn M) rho d(un),
 *     C = (|u' + c'| + |u' - c'|) / 2,  M = (|u' + c'| - |u' - c'|) / (2 c').
 *
 * With Ur = c this is the dissipation of Roe's flux. At low Mach numbers its error does not depend on the Mach number,
 * unlike that of Roe's flux, nor does the convergence of an implicit march with the same dissipation in its operator. */
struct AN_FN(an_slow) {
    real ur2, turn, u, c; /* Ur^2, a wn, u', c' */
};

AN_INLINE struct AN_FN(an_slow)
    AN_FN(an_slow_waves)(real wn, real speed2, real c2, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_slow) t;
    t.ur2 = AN_MIN(c2, AN_R(9.0) * AN_MAX(speed2, prm->flux.low_mach));
    t.turn = AN_R(0.5) * (AN_R(1.0) - t.ur2 / c2) * wn;
    t.u = wn - t.turn;
    t.c = AN_SQRT(AN_FMA(t.turn, t.turn, t.ur2));
    return t;
}

/* Gamma^-1 R = R - (1 - Ur^2 / c^2) / c^2 [1, u, H] (dp/dW . R) of a cell q. Explicit stages take it in place of the
 * residual R. */
AN_INLINE struct AN_FN(an_five)
    AN_FN(an_slow_residual)(const struct AN_FN(an_cell) * q, struct AN_FN(an_five) r,
                            const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_acoustics) gas = AN_FN(an_cell_acoustics)(q, prm);
    const real speed2 = q->u * q->u + q->v * q->v + q->w * q->w;
    const struct AN_FN(an_slow) t = AN_FN(an_slow_waves)(AN_R(0.0), speed2, gas.c2, prm);
    const real p = AN_FN(an_add_chi)(
        gas.kappa * (AN_R(0.5) * speed2 * r.m - q->u * r.x - q->v * r.y - q->w * r.z + r.e), &gas,
        r.m);
    const real off = (t.ur2 / gas.c2 - AN_R(1.0)) / gas.c2 * p;
    r.m += off;
    r.x = AN_FMA(off, q->u, r.x);
    r.y = AN_FMA(off, q->v, r.y);
    r.z = AN_FMA(off, q->w, r.z);
    r.e = AN_FMA(off, q->H, r.e);
    return r;
}

#endif
