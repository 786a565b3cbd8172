/* What a cell costs in each tile shape of the kernels that stream planes, on known devices. */
#ifndef AN_CUDA_TIMES_H
#define AN_CUDA_TIMES_H

#include "kernels/base/portable.h"

AN_EXTERN_C_BEGIN

/* Kernels with tile shapes to choose from: the fused one for each scheme, the viscous one, and the one of both
 * fluxes for each scheme. */
enum an_tiled {
    AN_TILED_JST,
    AN_TILED_ROE,
    AN_TILED_MATRIX,
    AN_TILED_KEP,
    AN_TILED_VISCOUS,
    AN_TILED_RANS, /* the first one, of JST */
    AN_NTILED = 2 * AN_TILED_RANS - 1
};
enum { AN_MAX_VARIANT = 16 };
/* What a cell costs in each shape, ps; 0: not to be used. */
struct an_tile_times {
    double of[AN_NTILED][AN_MAX_VARIANT];
};

/* The times of a device in the program's own table; of another one, where it has no row. */
const struct an_tile_times *an_tile_table(const char *device, enum an_precision precision);
/* The device of that row. */
const char *an_tile_table_device(const char *device, enum an_precision precision);

AN_EXTERN_C_END
#endif
