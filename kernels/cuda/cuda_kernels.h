/* What the kernels of the CUDA engine and of the emulated CUDA engine are given, and what kinds of
 * functions launch them. Launchers are built for each precision (AN_PRECISION), gas (AN_GAS) and engine
 * (AN_SET: an_cuda, an_emulated); cuda_table.c gathers those of one build. */
#ifndef AN_CUDA_KERNELS_H
#define AN_CUDA_KERNELS_H

#include "kernels/engine/work.h"

AN_EXTERN_C_BEGIN

/* lo <= cell < hi of a block. */
struct an_tile {
    int32_t block;
    int32_t lo[3], hi[3];
    int32_t shift; /* a row has 2^shift threads; of line stencils, lines */
    int32_t dir;   /* line stencils: direction of the lines */
};

/* Lines of a tile; their systems fill the shared memory of a thread block. */
#define AN_LINE_TILE(precision) ((precision) == AN_SINGLE ? 8 : 4)
enum {
    AN_LINE_COLUMNS = 32, /* lines of a tile whose chains have a thread each */
    AN_ENOUGH_COLUMNS = 4 /* such tiles that a multiprocessor holds; see struct an_line_tiles */
};

/* A run of up to AN_CHUNK faces of a window, or elements of a copy, starting with `first`. */
enum { AN_CHUNK = 128 };
struct an_chunk {
    int32_t index; /* of the window or copy */
    int32_t first;
};

/* Results of reductions in engine memory. Minima as integers of the same order as the doubles. */
struct an_cuda_reduction {
    struct an_xsum sum[AN_NSUM];
    unsigned long long min[AN_NMIN];
};

struct an_cell_args {
    const struct an_block *block;
    const struct an_tile *tile;
    int64_t cs;                   /* elements between components */
    const struct an_block *other; /* blocks of another level, NULL: none */
    int64_t ocs;
    struct an_fields fields;
    struct an_cuda_reduction *red; /* NULL: not wanted */
};

/* All lines of a list twice, in engine memory: in tiles of AN_LINE_TILE lines, whose chains have a group
 * of lanes each (cuda_line.cuh), and of AN_LINE_COLUMNS lines, whose chains have a thread each
 * (cuda_march.cuh). Tiles of lines along i stand first.
 *
 * A thread needs a long time for the blocks of a cell, a group more instructions but many lanes. So threads
 * win where their tiles fill the device, groups where they do not: implicit_lines_viscous on Rotor 37 took
 * 248 to 252 us by threads and 255 to 283 us by groups with 1 078 272 cells, 182 to 191 us by threads and
 * 108 to 113 us by groups with 393 344 cells (one H200). */
struct an_line_tiles {
    struct an_tile *group, *column;
    int ngroup, ngroup_i, ncolumn, ncolumn_i;
    int enough; /* columns from which blocks have a thread for each chain */
};

struct an_copy_args {
    const struct an_copy *copy;
    const struct an_chunk *chunk;
    const double *rotation; /* [][9] */
    void *dst;
    const void *src;
    int64_t dst_component, src_component;
    int ncomp, vector;
};

/* Copies of several fields in one launch: its first nchunk * nfield blocks make them. */
struct an_copies_args {
    int nchunk, nfield;
    struct an_copy_args field[AN_MAX_COPIED];
};

struct an_face_args {
    const struct an_block *block;
    const struct an_face_window *window;
    const struct an_chunk *chunk;
    const struct an_bc_value *value;
    int64_t cs;
    int scheme;
    struct an_fields fields;
    struct an_xsum *sum;          /* [boundary][AN_NINTEGRAL]; NULL: not wanted */
    struct an_copies_args copies; /* made by the same launch; of stencils without sums */
};

/* One instantiation of a kernel that streams planes: its tile shape; of the fused kernel, whether loads go through
 * registers or by asynchronous copies to shared memory (`async` of the other kernels says nothing); the blocks per multiprocessor that its registers were limited for; bytes of shared memory
 * of a block. */
struct an_fused_variant {
    int tx, ty, async, min_blocks, shared;
};

/* For measurements: what the driver says of kernels, noted in place of launching them: the largest of
 * each, and the fewest resident blocks. */
struct an_kernel_probe {
    int kernels;
    int registers, spill, shared; /* spill: bytes of local memory of a thread */
    int resident;                 /* blocks of a multiprocessor */
};

/* Where the launches of an engine's stream go.
 *
 * A kernel may be started while the one before it in its stream still runs (programmatic dependent
 * launch), which hides the time that a start takes. Rules:
 *
 *  1. Until its AN_AWAIT_EARLIER a kernel reads only lists of tiles, chunks, windows, boundaries and
 *     blocks, which do not change while kernels run, and writes nothing. All its threads pass there.
 *     So a kernel is not done before the one before it is done.
 *  2. The next kernel may be started when all blocks of this one have ended. Not earlier: thread blocks
 *     that wait take the place of others that could work.
 *  3. Only a kernel that stands right behind another one is started early: what else happens in a
 *     stream (transfers, waiting for the other stream) says `behind_kernel = 0`.
 *  4. Kernels whose blocks march through planes or lines take no part: started early, their few long blocks
 *     crowd on the multiprocessors that become free first. */
struct an_cuda_queue {
    void *stream;                  /* cudaStream_t; NULL on hosts */
    struct an_kernel_probe *probe; /* NULL: launch; else only note what the driver says */
    int starts_early;              /* the device and the kernels can do so */
    int behind_kernel;             /* the last operation of the stream was a kernel */
};

/* What an_launch is told of a kernel. */
enum {
    AN_BARRIERS = 1, /* it calls __syncthreads or AN_WARP_BARRIER */
    AN_AWAITS = 2    /* it calls AN_AWAIT_EARLIER */
};

/* Launchers. All return AN_OK or an error code with its text set. dir:
 * direction of a directional stencil; others 0. */
typedef int an_cuda_cell(int dir, const struct an_cell_args *a, int ntile,
                         const struct an_params *p, struct an_cuda_queue *queue);
typedef int an_cuda_face(const struct an_face_args *a, int nchunk, const struct an_params *p,
                         struct an_cuda_queue *queue);
typedef int an_cuda_line(const struct an_cell_args *a, const struct an_line_tiles *t,
                         const struct an_params *p, struct an_cuda_queue *queue, int64_t *launches);
typedef int an_cuda_copy(const struct an_copy_args *a, int nchunk, struct an_cuda_queue *queue);

/* Kernels that stream planes. prepare: once for each device, before all else; resident[nvariant] becomes
 * the number of blocks of each variant that a multiprocessor holds. */
struct an_fused_kernels {
    int nvariant;
    const struct an_fused_variant *variant;
    int (*prepare)(int *resident);
    int (*run)(int variant, int scheme, int stage, const struct an_cell_args *a, int ntile,
               const struct an_params *p, struct an_cuda_queue *queue);
};
struct an_viscous_kernels {
    int nvariant;
    const struct an_fused_variant *variant;
    int (*prepare)(int *resident);
    int (*run)(int variant, int stage, const struct an_cell_args *a, int ntile,
               const struct an_params *p, struct an_cuda_queue *queue);
};
/* Cell stencils that have kernels which stream planes (kernels/engine/planes.h). All have the same shape, so that
 * they share their tiles. */
struct an_plane_kernels {
    struct an_fused_variant shape;
    int (*prepare)(int *resident);
    int (*run)(const struct an_cell_args *a, int ntile, const struct an_params *p,
               struct an_cuda_queue *queue);
};

#ifdef AN_SET
/* The external name of a launcher: an_cuda_f32_primitive, an_emulated_stored_f64_primitive, and of one that does not depend on
 * the gas: an_cuda_gasless_f32_volume. */
#define AN_LAUNCHER_GASLESS(name) AN_CAT(AN_FN(AN_CAT(AN_SET, _gasless)), AN_CAT(_, name))
#if AN_GAS == 2
#define AN_LAUNCHER(name) AN_LAUNCHER_GASLESS(name)
#elif AN_GAS
#define AN_LAUNCHER(name) AN_CAT(AN_FN(AN_CAT(AN_SET, _stored)), AN_CAT(_, name))
#else
#define AN_LAUNCHER(name) AN_CAT(AN_FN(AN_SET), AN_CAT(_, name))
#endif
#endif

AN_EXTERN_C_END
#endif
