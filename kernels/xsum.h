/* Exact, order-free sums: see mpi/reduce.h for how ranks join them.
 *
 * value = sum_l limb[l] * 2^(32 l - AN_XSUM_BIAS). Each term adds at most 2^32 to a limb, so 2^31
 * terms fit before a limb can overflow; an_xsum_normalise carries. Valid C11, C++17 and CUDA.
 */
#ifndef AN_XSUM_H
#define AN_XSUM_H

#include "kernels/portable.h"

#include <math.h>
#include <string.h>

#define AN_XSUM_LIMBS 11
#define AN_XSUM_BIAS  160

struct an_xsum {
    int64_t limb[AN_XSUM_LIMBS];
    int64_t bad; /* count of terms that were not finite or too large */
};

/* The bits of a finite double: value = sign * mantissa * 2^exponent. */
AN_INLINE void an_xsum_split(double v, int *at, int *bad, int64_t part[3])
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    int exponent = (int)((bits >> 52) & 0x7ff);
    uint64_t mantissa = bits & 0xfffffffffffffULL;
    *bad = exponent == 0x7ff;
    if (exponent)
        mantissa |= 1ULL << 52;
    else
        exponent = 1;
    int shift = exponent - 1075 + AN_XSUM_BIAS; /* of the mantissa's lowest bit, from limb 0's */
    if (shift < 0) {
        mantissa = shift > -53 ? mantissa >> -shift : 0;
        shift = 0;
    }
    int limb = shift >> 5, up = shift & 31;
    uint64_t low = mantissa << up;                  /* bits 0..63 of mantissa << up */
    uint64_t high = up ? mantissa >> (64 - up) : 0; /* bits 64.. */
    part[0] = (int64_t)(low & 0xffffffffULL);
    part[1] = (int64_t)(low >> 32);
    part[2] = (int64_t)high;
    if (bits >> 63)
        for (int p = 0; p < 3; p++)
            part[p] = -part[p];
    if (limb + 2 >= AN_XSUM_LIMBS)
        *bad = mantissa != 0;
    *at = limb;
}

AN_INLINE void an_xsum_add(struct an_xsum *s, double v)
{
    int at, bad;
    int64_t part[3];
    an_xsum_split(v, &at, &bad, part);
    if (bad) {
        s->bad++;
        return;
    }
    for (int p = 0; p < 3; p++)
        s->limb[at + p] += part[p];
}

AN_INLINE void an_xsum_join(struct an_xsum *s, const struct an_xsum *t)
{
    for (int l = 0; l < AN_XSUM_LIMBS; l++)
        s->limb[l] += t->limb[l];
    s->bad += t->bad;
}

/* Carries so that limbs 0..n-2 are in [0, 2^32): equal sums have equal limbs. */
AN_INLINE void an_xsum_normalise(struct an_xsum *s)
{
    for (int l = 0; l + 1 < AN_XSUM_LIMBS; l++) {
        int64_t carry = s->limb[l] >> 32; /* arithmetic shift: floor */
        s->limb[l] -= carry * 4294967296LL;
        s->limb[l + 1] += carry;
    }
}

/* The nearest double, up to the rounding of adding limbs from the top; NaN when a term was bad. */
AN_INLINE double an_xsum_value(struct an_xsum s)
{
    if (s.bad)
        return NAN;
    an_xsum_normalise(&s);
    double v = 0;
    for (int l = AN_XSUM_LIMBS - 1; l >= 0; l--)
        v += ldexp((double)s.limb[l], 32 * l - AN_XSUM_BIAS);
    return v;
}

#endif
