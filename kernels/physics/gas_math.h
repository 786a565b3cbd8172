/* Elementary operations of the point physics in the run's precision. */
#ifndef AN_GAS_MATH_H
#define AN_GAS_MATH_H

#include "kernels/base/portable.h"

#include <math.h>

#if AN_PRECISION == 32
#define AN_SQRT sqrtf
#define AN_FABS fabsf
#define AN_POW  powf
#define AN_EXP  expf
#define AN_LOG  logf
#else
#define AN_SQRT sqrt
#define AN_FABS fabs
#define AN_POW  pow
#define AN_EXP  exp
#define AN_LOG  log
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

#endif
