/* Block-tridiagonal systems along lines of cells, N unknowns a cell:
 *
 *     L_m x_(m-1) + D_m x_m + U_m x_(m+1) = r_m,   m = 0 .. n - 1,   L_0 = U_(n-1) = 0
 *
 * solved from both ends to the middle and back, so that a line has two chains of half its length.
 * A chain sees its cells from its end inward; `near` is the block that couples a cell to the one
 * before it in the chain, `far` the other one:
 *
 *     (D - near E') [E | g] = [far | r - near g']      ' : the cell before, x = g - E x_next
 *
 * Cell h = n / 2 ends the upper chain, h - 1 the lower one; where they meet
 *
 *     (1 - E_h E_(h-1)) x_h = g_h - E_h g_(h-1)
 *
 * is one more such step, with near = E_h, D = 1, r = g_h. Then x = g - E x_next outward.
 *
 * The functions below work on columns of these matrices: the CPU engine calls them for every column
 * of a cell, in CUDA each lane holds one. Elimination without pivoting (Gauss, Jordan): D is
 * diagonally dominant in the sense that matters, an upwind operator plus V / dt.
 */
#ifndef AN_TRIDIAGONAL_H
#define AN_TRIDIAGONAL_H

#include "kernels/physics/gas.h"

/* One statement or loop for each of five indices. Compilers unroll single loops of five, but not
 * nests: what is nested is written with this, so that loops over cells vectorise. */
#define AN_EACH5(F)       F(0) F(1) F(2) F(3) F(4)
#define AN_EACH5_INNER(F) F(0) F(1) F(2) F(3) F(4)

/* The words of a cell's system: near, far and diagonal block, each row by row, right-hand side. */
#define AN_LINE_NEAR(n)  0
#define AN_LINE_FAR(n)   ((n) * (n))
#define AN_LINE_DIAG(n)  (2 * (n) * (n))
#define AN_LINE_RIGHT(n) (3 * (n) * (n))
#define AN_LINE_WORDS(n) (3 * (n) * (n) + (n))
/* The words elimination keeps: [E | g] row by row. */
#define AN_LINE_KEPT(n) ((n) * ((n) + 1))

/* g - (row of m) x, the row's elements `pitch` apart. n: 1 or 5. */
AN_INLINE real AN_FN(an_line_row)(int n, const real *m, int64_t pitch, const real *x, real g)
{
    g = AN_FMA(-m[0], x[0], g);
    if (n > 1) {
        g = AN_FMA(-m[pitch], x[1], g);
        g = AN_FMA(-m[2 * pitch], x[2], g);
        g = AN_FMA(-m[3 * pitch], x[3], g);
        g = AN_FMA(-m[4 * pitch], x[4], g);
    }
    return g;
}

/* y -= m x: a column. */
AN_INLINE void AN_FN(an_line_reduce)(int n, const real *m, int64_t pitch, const real *x, real *y)
{
    for (int r = 0; r < n; r++)
        y[r] = AN_FN(an_line_row)(n, m + r * n * pitch, pitch, x, y[r]);
}

/* Row p over the pivot, the other rows minus their multiple of it: a column y; f: column p. */
AN_INLINE void AN_FN(an_line_pivot)(int n, int p, const real *f, real inverse, real *y)
{
    const real top = y[p] * inverse;
    for (int r = 0; r < n; r++)
        y[r] = r == p ? top : AN_FMA(-f[r], top, y[r]);
}

#endif
