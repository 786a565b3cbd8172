/* Pseudo-random numbers for tests of linear algebra, and how far vectors are apart. Include behind cmocka.h. */
#ifndef AN_TEST_NUMBERS_H
#define AN_TEST_NUMBERS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* From -1 to 1. */
static inline double number(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1;
}

/* n of them; the caller's to free. */
static inline double *numbers(int64_t n, uint32_t seed)
{
    double *x = malloc((size_t)n * sizeof *x);
    assert_non_null(x);
    for (int64_t m = 0; m < n; m++)
        x[m] = number(&seed);
    return x;
}

/* The largest difference of two vectors. */
static inline double apart(int64_t n, const double *x, const double *y)
{
    double most = 0;
    for (int64_t m = 0; m < n; m++)
        most = fmax(most, fabs(x[m] - y[m]));
    return most;
}

#endif
