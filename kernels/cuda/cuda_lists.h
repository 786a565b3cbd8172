/* Work lists of the CUDA and emulated engines: what the opaque types of engine.h hold. A part of
 * cuda_plan.c, cuda_cut.c and cuda_lists.c. */
#ifndef AN_CUDA_LISTS_H
#define AN_CUDA_LISTS_H

#include "kernels/cuda/cuda_plan.h"

/* A list of tiles in engine memory. */
struct list {
    struct an_tile *tile;
    int n;
};

struct an_tiles {
    struct an_block *block; /* engine memory */
    int64_t cs;
    struct list cell, dir[3];
    struct list tiled[AN_NTILED][AN_MAX_VARIANT];
    int like[AN_NTILED]; /* the kernel whose lists it uses: its own, or those of one before */
    struct list planes;  /* of the plane kernels of cell stencils */
    /* Is the kernel of both fluxes quicker than two kernels? [1]: where it waits for ghosts from other ranks */
    int one_pass[2][AN_NSCHEME];
    struct list
        stored[2]; /* for stored properties: of the fused kernels; of the viscous and plane ones */
};

struct an_lines {
    struct an_block *block; /* engine memory */
    int64_t cs;
    struct an_line_tiles tiles;
};

struct an_faces {
    struct an_block *block; /* engine memory, as all below but sum_host */
    struct an_face_window *window;
    struct an_chunk *chunk;
    struct an_bc_value *value;
    struct an_xsum *sum, *sum_zero, *sum_host; /* sum_zero: stays zero; sum_host: page-locked */
    int64_t cs;
    int nchunk, nboundary;
};

struct an_copies {
    struct an_copy *copy; /* engine memory, as all */
    struct an_chunk *chunk;
    double *rotation;
    int nchunk;
};

static inline struct an_cuda_plan *plan_of(const struct an_engine *e)
{
    return e->state;
}

/* One kernel's shapes: all variants, what a multiprocessor holds of each, and what a cell costs in it. */
struct shapes {
    int n;
    const struct an_fused_variant *variant;
    const int *resident;
    double *time; /* ps */
};

static inline struct shapes shapes_of(struct an_cuda_plan *plan, enum an_tiled kernel)
{
    const struct an_cuda_kernels *k = plan->kernels;
    double *const time = plan->times.of[kernel];
    if (kernel >= AN_TILED_RANS)
        return (struct shapes){k->rans->nvariant, k->rans->variant, plan->resident_rans, time};
    if (kernel == AN_TILED_VISCOUS)
        return (struct shapes){k->viscous->nvariant, k->viscous->variant, plan->resident_viscous,
                               time};
    return (struct shapes){k->fused->nvariant, k->fused->variant, plan->resident, time};
}

/* A copy of host memory in engine memory. */
static inline int place(struct an_engine *e, const void *from, size_t bytes, void *to)
{
    void *p;
    AN_TRY(e->op->alloc(e, bytes ? bytes : 1, &p));
    *(void **)to = p;
    return bytes ? e->op->upload(e, p, from, bytes, 0) : AN_OK;
}

#endif
