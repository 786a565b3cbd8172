/* What a build of the CPU kernels (one precision, one instruction set) offers to cpu_engine.c. */
#ifndef AN_CPU_TABLE_H
#define AN_CPU_TABLE_H

#include "kernels/cpu/cpu_kernels.h"
#include "kernels/engine/engine.h"

struct an_cpu_kernels {
    const char *isa;
    an_cpu_cell *cell[AN_NSTENCIL][3]; /* directional stencils: by direction; others: the same */
    /* The faster form of some cell stencils, for some parameters; NULL: `cell` alone. */
    const struct an_cpu_planes *planes[AN_NSTENCIL];
    an_cpu_line *line[AN_NSTENCIL][3];
    an_cpu_face *face[AN_NSTENCIL];
    const struct an_cpu_fused *fused;
    an_cpu_copy *copy;
    /* Kernels for gases with stored properties; NULL if these are they, or they were not built. */
    const struct an_cpu_kernels *stored;
};

#define AN_CPU_DECLARE(isa)                              \
    extern const struct an_cpu_kernels an_cpu_f32_##isa; \
    extern const struct an_cpu_kernels an_cpu_f64_##isa;
AN_CPU_DECLARE(baseline)
AN_CPU_DECLARE(avx2)
AN_CPU_DECLARE(avx512)

#endif
