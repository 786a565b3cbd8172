/* Elementary functions without tables, branches and calls, so that loops over cells vectorise; to a
 * few units in the last place, with the same bits on all hosts. */
#ifndef AN_ELEMENTARY_H
#define AN_ELEMENTARY_H

#include "kernels/base/portable.h"

#include <string.h>

#if AN_PRECISION == 32
typedef uint32_t AN_FN(an_bits);
#else
typedef uint64_t AN_FN(an_bits);
#endif

AN_INLINE AN_FN(an_bits) AN_FN(an_bits_of)(real x)
{
    AN_FN(an_bits) b;
    memcpy(&b, &x, sizeof b);
    return b;
}

AN_INLINE real AN_FN(an_from_bits)(AN_FN(an_bits) b)
{
    real x;
    memcpy(&x, &b, sizeof x);
    return x;
}

/* e^r, |r| <= (ln 2) / 2. */
AN_INLINE real AN_FN(an_exp_small)(real r)
{
    real sum = AN_R(0.0001984126984126984);
#if AN_PRECISION == 64
    sum = 1.6059043836821613e-10 * r + 2.08767569878681e-09;
    sum = sum * r + 2.505210838544172e-08;
    sum = sum * r + 2.755731922398589e-07;
    sum = sum * r + 2.7557319223985893e-06;
    sum = sum * r + 2.48015873015873e-05;
    sum = sum * r + 0.0001984126984126984;
#endif
    sum = sum * r + AN_R(0.001388888888888889);
    sum = sum * r + AN_R(0.008333333333333333);
    sum = sum * r + AN_R(0.041666666666666664);
    sum = sum * r + AN_R(0.16666666666666666);
    sum = sum * r + AN_R(0.5);
    return (sum * r * r + r) + AN_R(1.0);
}

/* e^x for x <= 0; not below the smallest normal number. */
AN_INLINE real AN_FN(an_exp_decay)(real x)
{
    /* x = n ln 2 + r, |r| <= (ln 2) / 2; adding `round` leaves n in the lowest bits */
#if AN_PRECISION == 32
    enum { MANTISSA = 23, BIAS = 127 };
    const real round = 12582912.0f, least = -87.0f;
    const real ln2 = 0.693145751953125f, ln2_rest = 1.428606765330187e-6f;
#else
    enum { MANTISSA = 52, BIAS = 1023 };
    const real round = 6755399441055744.0, least = -708.0;
    const real ln2 = 0.693147180369123816490, ln2_rest = 1.90821492927058770002e-10;
#endif
    x = x > least ? x : least;
    real shifted = x * AN_R(1.4426950408889634) + round, n = shifted - round;
    real sum = AN_FN(an_exp_small)((x - n * ln2) - n * ln2_rest);
    AN_FN(an_bits) power = AN_FN(an_bits_of)(shifted) - AN_FN(an_bits_of)(round) + BIAS;
    return sum * AN_FN(an_from_bits)(power << MANTISSA);
}

/* tanh x for x >= 0: to rounding of 1, not of its own where it is small. */
AN_INLINE real AN_FN(an_tanh_positive)(real x)
{
    const real e = AN_FN(an_exp_decay)(AN_R(-2.0) * x);
    return (AN_R(1.0) - e) / (AN_R(1.0) + e);
}

/* x^y, 0 < y < 1, of a normal x > 0. */
AN_INLINE real AN_FN(an_pow_positive)(real x, real y)
{
    /* x = 2^n m, m between the roots of 1/2 and 2; sums with `round` as in an_exp_decay */
#if AN_PRECISION == 32
    enum { MANTISSA = 23, BIAS = 127, HALF = 12 };
    const AN_FN(an_bits) above_root = 0x3f800000u - 0x3f3504f3u;
    const real round = 12582912.0f;
#else
    enum { MANTISSA = 52, BIAS = 1023, HALF = 26 };
    const AN_FN(an_bits) above_root = 0x3ff0000000000000u - 0x3fe6a09e667f3bcdu;
    const real round = 6755399441055744.0;
#endif
    const AN_FN(an_bits) bits = AN_FN(an_bits_of)(x), exponent = (bits + above_root) >> MANTISSA;
    const real n = AN_FN(an_from_bits)(AN_FN(an_bits_of)(round) + exponent) - (round + BIAS);
    const real m = AN_FN(an_from_bits)(bits - ((exponent - BIAS) << MANTISSA));
    /* log2 m = 2 / ln 2 (s + s^3 / 3 + s^5 / 5 + ...) */
    const real s = (m - AN_R(1.0)) / (m + AN_R(1.0)), s2 = s * s;
    real sum = AN_R(0.1111111111111111);
#if AN_PRECISION == 64
    sum = 0.04761904761904762 * s2 + 0.05263157894736842;
    sum = sum * s2 + 0.058823529411764705;
    sum = sum * s2 + 0.06666666666666667;
    sum = sum * s2 + 0.07692307692307693;
    sum = sum * s2 + 0.09090909090909091;
    sum = sum * s2 + 0.1111111111111111;
#endif
    sum = sum * s2 + AN_R(0.14285714285714285);
    sum = sum * s2 + AN_R(0.2);
    sum = sum * s2 + AN_R(0.3333333333333333);
    const real log2_m = AN_R(2.8853900817779268) * (s * s2 * sum + s);
    /* y (n + log2 m) = k + r; the upper half of y's digits times n is exact */
    const real upper = AN_FN(an_from_bits)(AN_FN(an_bits_of)(y) >> HALF << HALF);
    const real whole = upper * n, rest = (y - upper) * n + y * log2_m;
    const real shifted = (whole + rest) + round, k = shifted - round;
    const real power = AN_FN(an_exp_small)(((whole - k) + rest) * AN_R(0.6931471805599453));
    const AN_FN(an_bits) scale =
        AN_FN(an_bits_of)(shifted) - AN_FN(an_bits_of)(round) + (AN_FN(an_bits))BIAS;
    return power * AN_FN(an_from_bits)(scale << MANTISSA);
}

/* The cube root of a normal x > 0: a third of the exponent, then Halley's iteration. */
AN_INLINE real AN_FN(an_cbrt_positive)(real x)
{
    AN_FN(an_bits) third = AN_FN(an_bits_of)(x);
    third = (third >> 2) + (third >> 4); /* 5/16 = 1/3 (1 - 1/16) */
    third += third >> 4;
    third += third >> 8;
    third += third >> 16;
#if AN_PRECISION == 32
    real y = AN_FN(an_from_bits)(third + 0x2a5137a0u);
#else
    third += third >> 32;
    real y = AN_FN(an_from_bits)(third + 0x2a9f7893782da1ceu);
    real first = y * y * y;
    y = y * ((first + (x + x)) / (first + first + x));
#endif
    real cube = y * y * y;
    y = y * ((cube + (x + x)) / (cube + cube + x));
    cube = y * y * y;
    return y * ((cube + (x + x)) / (cube + cube + x));
}

#endif
