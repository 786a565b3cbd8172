/* Calorically perfect gas: p = (gamma - 1)(rho E - rho |u|^2 / 2), p = rho R T, H = E + p / rho.
 * Point physics: values in, values out. */
#ifndef AN_GAS_H
#define AN_GAS_H

#include "kernels/fields.h"

#include <math.h>

#if AN_PRECISION == 32
#define AN_SQRT sqrtf
#define AN_FABS fabsf
#define AN_POW  powf
#else
#define AN_SQRT sqrt
#define AN_FABS fabs
#define AN_POW  pow
#endif

/* a b + c. Devices round once, the host twice, and neither forms one where it is not written: every
 * loop, tile and instantiation of an engine gives the same bits (devices are built without
 * contraction). */
AN_INLINE real AN_FN(an_fma)(real a, real b, real c)
{
#if defined(__CUDA_ARCH__)
#if AN_PRECISION == 32
    return __fmaf_rn(a, b, c);
#else
    return __fma_rn(a, b, c);
#endif
#else
    return a * b + c;
#endif
}
#define AN_FMA AN_FN(an_fma)

AN_INLINE real AN_FN(an_min)(real a, real b)
{
    return a < b ? a : b;
}

AN_INLINE real AN_FN(an_max)(real a, real b)
{
    return a > b ? a : b;
}
#define AN_MIN AN_FN(an_min)
#define AN_MAX AN_FN(an_max)

/* The state of a cell as fluxes want it: kg/m3, m/s, Pa, J/kg. */
struct AN_FN(an_cell) {
    real rho, u, v, w, p, H;
};

/* Conserved state, or five fluxes. */
struct AN_FN(an_five) {
    real m, x, y, z, e; /* mass, momentum, energy */
};

AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_cell_from_conserved)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) q;
    real inverse = AN_R(1.0) / rho;
    q.rho = rho;
    q.u = mx * inverse;
    q.v = my * inverse;
    q.w = mz * inverse;
    real twice = AN_FMA(mz, q.w, AN_FMA(my, q.v, mx * q.u)); /* twice the kinetic energy */
    q.p = (prm->gamma - AN_R(1.0)) * AN_FMA(AN_R(-0.5), twice, e);
    q.H = (e + q.p) * inverse;
    return q;
}

AN_INLINE real AN_FN(an_pressure)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm)
{
    return (prm->gamma - AN_R(1.0)) * (e - AN_R(0.5) * (mx * mx + my * my + mz * mz) / rho);
}

AN_INLINE struct AN_FN(an_five)
    AN_FN(an_conserved)(real rho, real u, real v, real w, real p, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_five) c;
    c.m = rho;
    c.x = rho * u;
    c.y = rho * v;
    c.z = rho * w;
    c.e = p / (prm->gamma - AN_R(1.0)) + AN_R(0.5) * rho * (u * u + v * v + w * w);
    return c;
}

/* Total enthalpy of density, velocity and pressure. */
AN_INLINE real AN_FN(an_total_enthalpy)(real rho, real u, real v, real w, real p,
                                        const struct AN_FN(an_prm) * prm)
{
    return prm->gamma / (prm->gamma - AN_R(1.0)) * p / rho + AN_R(0.5) * (u * u + v * v + w * w);
}

AN_INLINE real AN_FN(an_sound_speed)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_SQRT(prm->gamma * p / rho);
}

#endif
