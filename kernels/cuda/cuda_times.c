#include "kernels/cuda/cuda_times.h"

#include <stddef.h>
#include <string.h>

/* ps a cell of a stage, one block of 256^3 cells; variants in the order of AN_VARIANTS,
 * AN_VISCOUS_VARIANTS and AN_RANS_VARIANTS. The first row is that of devices which have none. */
static const struct known {
    const char *device;
    enum an_precision precision;
    struct an_tile_times times;
} known[] = {
    {"NVIDIA H200",
     AN_SINGLE,
     {{{45.2, 41.0, 43.7, 66.3},
       {68.8, 68.7, 74.7, 72.9},
       {50.8, 48.7, 52.8, 67.6},
       {50.8, 48.7, 52.8, 67.6}, /* not measured: those of the matrix flux */
       {77.3, 79.4, 102.1},
       {96.8, 104.7}, /* convective and viscous fluxes in one pass: JST, Roe, matrix, KEP */
       {125.7, 143.8},
       {106.7, 115.4},
       {98.8, 117.4}}}},
    {"NVIDIA H200",
     AN_DOUBLE,
     {{{85.9, 88.7, 96.9, 138.9},
       {215.1, 260.9, 248.8, 216.7},
       {120.4, 118.3, 135.4, 146.4},
       {120.4, 118.3, 135.4, 146.4}, /* not measured: those of the matrix flux */
       {201.0, 194.2, 216.0}}}},
};

static const struct known *row_of(const char *device, enum an_precision precision)
{
    const struct known *other = NULL;
    for (size_t n = 0; n < sizeof known / sizeof *known; n++) {
        if (known[n].precision != precision)
            continue;
        if (!strcmp(known[n].device, device))
            return &known[n];
        other = other ? other : &known[n];
    }
    return other;
}

const struct an_tile_times *an_tile_table(const char *device, enum an_precision precision)
{
    return &row_of(device, precision)->times;
}

const char *an_tile_table_device(const char *device, enum an_precision precision)
{
    return row_of(device, precision)->device;
}
