/* Products of small dense blocks, column by column, and vectors. All functions are inline; callers that know nv as a constant
 * (AN_BY_SIZE) get loops that the compiler unrolls. */
#ifndef AN_ADJOINT_BLOCK_PRODUCT_H
#define AN_ADJOINT_BLOCK_PRODUCT_H

#include "kernels/base/portable.h"
#include "solver/adjoint/block_matrix.h"

/* call(nv, ...) with nv as a constant: inviscid and laminar flow, one unknown of turbulence, two. */
#define AN_BY_SIZE(nv, call, ...)    \
    do {                             \
        if ((nv) == 5)               \
            call(5, __VA_ARGS__);    \
        else if ((nv) == 6)          \
            call(6, __VA_ARGS__);    \
        else if ((nv) == 7)          \
            call(7, __VA_ARGS__);    \
        else                         \
            call((nv), __VA_ARGS__); \
    } while (0)

/* y += A x */
AN_INLINE void an_block_add(int nv, const double *a, const double *x, double *y)
{
    for (int c = 0; c < nv; c++)
        for (int r = 0; r < nv; r++)
            y[r] += a[c * nv + r] * x[c];
}

/* y -= A x */
AN_INLINE void an_block_less(int nv, const double *a, const double *x, double *y)
{
    for (int c = 0; c < nv; c++)
        for (int r = 0; r < nv; r++)
            y[r] -= a[c * nv + r] * x[c];
}

/* A block in double precision. */
AN_INLINE void an_block_widen(int nv, const float *a, double *to)
{
    for (int m = 0; m < nv * nv; m++)
        to[m] = (double)a[m];
}

/* call(nv, n, ...) with both as constants; n: vectors. */
#define AN_BY_SIZES(nv, n, call, ...)                            \
    do {                                                         \
        if ((n) == 1)                                            \
            AN_BY_SIZE(nv, call, 1, __VA_ARGS__);                \
        else if ((n) == 2)                                       \
            AN_BY_SIZE(nv, call, 2, __VA_ARGS__);                \
        else if ((n) == 3)                                       \
            AN_BY_SIZE(nv, call, 3, __VA_ARGS__);                \
        else                                                     \
            AN_BY_SIZE(nv, call, AN_MOST_TOGETHER, __VA_ARGS__); \
    } while (0)

/* C = A B */
AN_INLINE void an_block_product(int nv, const double *a, const float *b, double *c)
{
    for (int s = 0; s < nv; s++) {
        double sum[AN_MOST_BLOCK] = {0};
        for (int m = 0; m < nv; m++)
            for (int r = 0; r < nv; r++)
                sum[r] += a[m * nv + r] * (double)b[s * nv + m];
        for (int r = 0; r < nv; r++)
            c[s * nv + r] = sum[r];
    }
}

/* C -= A B */
AN_INLINE void an_block_less_product(int nv, const double *a, const float *b, double *c)
{
    for (int s = 0; s < nv; s++) {
        double sum[AN_MOST_BLOCK];
        for (int r = 0; r < nv; r++)
            sum[r] = c[s * nv + r];
        for (int m = 0; m < nv; m++)
            for (int r = 0; r < nv; r++)
                sum[r] -= a[m * nv + r] * (double)b[s * nv + m];
        for (int r = 0; r < nv; r++)
            c[s * nv + r] = sum[r];
    }
}

#endif
