/* Exact, order-free sums: see mpi/reduce.h for how ranks join them.
 *
 *   value = sum_l limb[l] * 2^(32 l - AN_XSUM_BIAS)
 *
 * A term adds less than 2^32 in absolute value to each of at most three limbs, so 2^31 terms fit
 * before a 64-bit limb can overflow; an_xsum_normalise carries, and then 2^31 more fit. Terms below
 * 2^192 in absolute value are summed exactly down to the bit 2^-160; bits below that are cut off
 * (towards zero, term by term, hence the same in every order). Valid C11, C++17 and CUDA. On a
 * device, add the parts of an_xsum_split to the limbs with 64-bit integer atomics.
 */
#ifndef AN_XSUM_H
#define AN_XSUM_H

#include "kernels/base/portable.h"

#include <math.h>
#include <string.h>

#define AN_XSUM_LIMBS 11
#define AN_XSUM_BIAS  160

struct an_xsum {
    int64_t limb[AN_XSUM_LIMBS];
    int64_t bad; /* count of terms that were not finite or too large */
};

/* v = sum_p part[p] * 2^(32 (at + p) - AN_XSUM_BIAS), |part[p]| < 2^32, 0 <= at <= LIMBS - 3.
 * `bad` is set, and nothing else, when v is not finite or does not fit. */
AN_INLINE void an_xsum_split(double v, int *at, int *bad, int64_t part[3])
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    int exponent = (int)((bits >> 52) & 0x7ff);
    uint64_t mantissa = bits & 0xfffffffffffffULL;
    if (exponent)
        mantissa |= 1ULL << 52;
    else
        exponent = 1;
    int shift = exponent - 1075 + AN_XSUM_BIAS; /* of the mantissa's lowest bit, from limb 0's */
    *bad = shift + 53 > 32 * AN_XSUM_LIMBS;     /* infinities and NaN have the largest exponent */
    if (*bad)
        return;
    if (shift < 0) {
        mantissa = shift > -53 ? mantissa >> -shift : 0;
        shift = 0;
    }
    int limb = shift >> 5;
    if (limb > AN_XSUM_LIMBS - 3) /* the upper limbs of such a term would be zero */
        limb = AN_XSUM_LIMBS - 3;
    int up = shift - 32 * limb;
    uint64_t p0 = up < 32 ? (mantissa << up) & 0xffffffffULL : 0;
    uint64_t p1 = (up < 32 ? mantissa >> (32 - up) : mantissa << (up - 32)) & 0xffffffffULL;
    uint64_t p2 = up ? mantissa >> (64 - up) : 0;
    int64_t sign = bits >> 63 ? -1 : 1;
    part[0] = sign * (int64_t)p0;
    part[1] = sign * (int64_t)p1;
    part[2] = sign * (int64_t)p2;
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

/* Takes away what t sums. */
AN_INLINE void an_xsum_less(struct an_xsum *s, const struct an_xsum *t)
{
    for (int l = 0; l < AN_XSUM_LIMBS; l++)
        s->limb[l] -= t->limb[l];
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

/* The double nearest to the sum (ties to even), so value(-s) = -value(s); NaN when a term was bad.
 */
AN_INLINE double an_xsum_value(struct an_xsum s)
{
    if (s.bad)
        return NAN;
    an_xsum_normalise(&s);
    int negative = s.limb[AN_XSUM_LIMBS - 1] < 0;
    if (negative) {
        for (int l = 0; l < AN_XSUM_LIMBS; l++)
            s.limb[l] = -s.limb[l];
        an_xsum_normalise(&s);
    }
    /* Digits of 32 bits; the top limb may hold two. */
    uint32_t digit[AN_XSUM_LIMBS + 3]; /* two zeros below, for the window that follows */
    digit[0] = digit[1] = 0;
    for (int l = 0; l < AN_XSUM_LIMBS; l++)
        digit[l + 2] = (uint32_t)s.limb[l];
    digit[AN_XSUM_LIMBS + 2] = (uint32_t)(s.limb[AN_XSUM_LIMBS - 1] >> 32);
    int top = AN_XSUM_LIMBS + 2;
    while (top > 1 && digit[top] == 0)
        top--;
    if (top == 1)
        return 0;
    /* The 64 bits from the highest set bit down; whatever lies below only breaks ties. */
    uint64_t window = ((uint64_t)digit[top] << 32) | digit[top - 1];
    uint32_t below = digit[top - 2];
    int exponent = 32 * (top - 3) - AN_XSUM_BIAS;
    for (; !(window >> 63); exponent--) {
        window = (window << 1) | (below >> 31);
        below <<= 1;
    }
    for (int l = top - 3; l >= 0; l--)
        below |= digit[l];
    window |= below != 0;
    double v = ldexp((double)window, exponent);
    return negative ? -v : v;
}

#endif
