/* CPU engine: what kernels that march a tile of TI x TJ columns in k share. All their inner loops run
 * along i over whole vectors of LANES cells, into the padding of rings and of rows in memory: what is
 * computed there is not used. */
#ifndef AN_CPU_MARCH_H
#define AN_CPU_MARCH_H

#include "kernels/cpu/cpu_kernels.h"

enum { TI = 128, TJ = sizeof(real) == 4 ? 16 : 8, LANES = 64 / sizeof(real) };

/* n rounded up to whole vectors. */
#define WHOLE(n) (((n) + LANES - 1) / LANES * LANES)

/* Prefetches n words of a row. In double this costs more than it brings (Xeon,
 * AVX-512, 96^3: 46 M cells/s with it, 54 without; single, 160^3: 61 and 53). */
AN_INLINE void AN_FN(prefetch_row)(const real *row, int n)
{
    enum { LINE = 64 / sizeof(real) };
    for (int i = 0; sizeof(real) == 4 && i < n; i += LINE)
        __builtin_prefetch(row + i);
}

#endif
