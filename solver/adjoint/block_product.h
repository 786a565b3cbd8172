/* Products of small dense blocks, row by row, and vectors. */
#ifndef AN_ADJOINT_BLOCK_PRODUCT_H
#define AN_ADJOINT_BLOCK_PRODUCT_H

/* y += A x; transposed: y += A^T x. */
static inline void add_product(int nv, int transposed, const double *a, const double *x, double *y)
{
    for (int r = 0; r < nv; r++)
        for (int c = 0; c < nv; c++) {
            if (transposed)
                y[c] += a[r * nv + c] * x[r];
            else
                y[r] += a[r * nv + c] * x[c];
        }
}

static inline void less_product(int nv, int transposed, const double *a, const double *x, double *y)
{
    for (int r = 0; r < nv; r++)
        for (int c = 0; c < nv; c++) {
            if (transposed)
                y[c] -= a[r * nv + c] * x[r];
            else
                y[r] -= a[r * nv + c] * x[c];
        }
}

#endif
