/* The inverse of a small dense block, on hosts and devices. */
#ifndef AN_BLOCK_INVERT_H
#define AN_BLOCK_INVERT_H

#include "kernels/base/portable.h"

#include <math.h>

enum { AN_MOST_BLOCK = 7 }; /* rows of a block */

/* Inverts a[nv][nv] in place (Gauss and Jordan, with pivots); 0: singular, or not a number, and a stays as it was. */
AN_INLINE int an_block_invert(int nv, double *a)
{
    double w[AN_MOST_BLOCK][2 * AN_MOST_BLOCK];
    for (int r = 0; r < nv; r++)
        for (int c = 0; c < nv; c++) {
            w[r][c] = a[r * nv + c];
            w[r][nv + c] = r == c;
        }
    for (int c = 0; c < nv; c++) {
        int best = c;
        for (int r = c + 1; r < nv; r++)
            best = fabs(w[r][c]) > fabs(w[best][c]) ? r : best;
        if (!(fabs(w[best][c]) > 0) || !(fabs(w[best][c]) < INFINITY))
            return 0;
        for (int m = 0; m < 2 * nv; m++) {
            const double x = w[c][m];
            w[c][m] = w[best][m];
            w[best][m] = x;
        }
        const double over = 1 / w[c][c];
        for (int m = 0; m < 2 * nv; m++)
            w[c][m] *= over;
        for (int r = 0; r < nv; r++) {
            const double x = w[r][c];
            for (int m = 0; m < 2 * nv && r != c; m++)
                w[r][m] -= x * w[c][m];
        }
    }
    for (int r = 0; r < nv; r++)
        for (int c = 0; c < nv; c++)
            a[r * nv + c] = w[r][nv + c];
    return 1;
}

#endif
