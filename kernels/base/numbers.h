/* Small rules on numbers that many files share. */
#ifndef AN_NUMBERS_H
#define AN_NUMBERS_H

#include <math.h>
#include <stdint.h>

#include "kernels/base/portable.h"

/* Length of a vector; area of a face from its area vector. */
static inline double an_length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Element `at` of an array in the run's precision. */
static inline double an_real_get(enum an_precision precision, const void *array, int64_t at)
{
    return precision == AN_SINGLE ? (double)((const float *)array)[at]
                                  : ((const double *)array)[at];
}

static inline void an_real_put(enum an_precision precision, void *array, int64_t at, double value)
{
    if (precision == AN_SINGLE)
        ((float *)array)[at] = (float)value;
    else
        ((double *)array)[at] = value;
}

/* Order of two doubles, ascending, for qsort. */
static inline int an_ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
