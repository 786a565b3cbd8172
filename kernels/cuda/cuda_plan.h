/* What the CUDA engine and the emulated CUDA engine share: work lists, the table of kernels, and
 * the operations that only combine the two. An engine adds memory, streams and a device.
 *
 * Work is cut into tiles: one thread block each, one launch for all tiles of all boxes. A tile is a
 * patch of TX x TY columns, marched in k. Lists and block tables lie in engine memory.
 */
#ifndef AN_CUDA_PLAN_H
#define AN_CUDA_PLAN_H

#include "kernels/engine/engine.h"

AN_EXTERN_C_BEGIN

/* lo <= cell < hi of a block. */
struct an_tile {
    int32_t block;
    int32_t lo[3], hi[3];
    int32_t shift; /* a row has 2^shift threads; of line stencils, lines */
    int32_t dir;   /* line stencils: direction of the lines */
};

/* A run of up to AN_CHUNK faces of a window, or elements of a copy, starting with `first`. */
enum { AN_CHUNK = 128 };
/* Lines of a tile; their systems fill the shared memory of a thread block. */
#define AN_LINE_TILE(precision) ((precision) == AN_SINGLE ? 8 : 4)
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

struct an_face_args {
    const struct an_block *block;
    const struct an_face_window *window;
    const struct an_chunk *chunk;
    const struct an_bc_value *value;
    int64_t cs;
    int scheme;
    struct an_fields fields;
    struct an_xsum *sum; /* [boundary][AN_NINTEGRAL]; NULL: not wanted */
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

/* One instantiation of the fused kernel: tile shape; every face of a tile once, or i and j faces
 * once for each of their two cells; loads through
 * registers or by asynchronous copies to shared memory; the blocks per multiprocessor its registers
 * were limited for.
 */
struct an_fused_variant {
    int tx, ty, once, async, min_blocks;
};

/* The viscous kernel; `once` and `async` of its variants say nothing. */
struct an_viscous_kernels {
    int nvariant;
    const struct an_fused_variant *variant;
    int (*prepare)(int *resident);
    int (*run)(int variant, int stage, const struct an_cell_args *a, int ntile,
               const struct an_params *p, void *stream);
};

/* One build of the kernels (one precision, one gas). `stream` is the engine's own. All return AN_OK
 * or an error code with its text set. */
struct an_cuda_kernels {
    int nvariant;
    const struct an_fused_variant *variant;
    /* Once per device, before all else. resident[nvariant]: blocks of the fused kernel one
     * multiprocessor holds. */
    int (*prepare)(int *resident);
    /* dir: directional stencils; others 0. */
    int (*cell[AN_NSTENCIL])(int dir, const struct an_cell_args *a, int ntile,
                             const struct an_params *p, void *stream);
    int (*face[AN_NSTENCIL])(const struct an_face_args *a, int nchunk, const struct an_params *p,
                             void *stream);
    int (*line[AN_NSTENCIL])(const struct an_cell_args *a, int ntile, const struct an_params *p,
                             void *stream);
    int (*fused)(int variant, int scheme, int stage, const struct an_cell_args *a, int ntile,
                 const struct an_params *p, void *stream);
    int (*copy)(const struct an_copy_args *a, int nchunk, void *stream);
    const struct an_viscous_kernels *viscous;
    int directional[AN_NSTENCIL];
    /* The same for a gas with cp(T), in one tile shape; NULL: these are. */
    const struct an_cuda_kernels *polynomial;
};

extern const struct an_cuda_kernels an_cuda_f32, an_cuda_f64, an_emulated_f32, an_emulated_f64;
extern const struct an_cuda_kernels an_cuda_cp_f32, an_cuda_cp_f64;
extern const struct an_cuda_kernels an_emulated_cp_f32, an_emulated_cp_f64;
extern const struct an_viscous_kernels an_cuda_viscous_f32, an_cuda_viscous_f64;
extern const struct an_viscous_kernels an_cuda_viscous_cp_f32, an_cuda_viscous_cp_f64;
extern const struct an_viscous_kernels an_emulated_viscous_f32, an_emulated_viscous_f64;
extern const struct an_viscous_kernels an_emulated_viscous_cp_f32, an_emulated_viscous_cp_f64;

/* Kernels with tile shapes to choose from: the fused one for each scheme, and the viscous one. */
enum an_tiled { AN_TILED_JST, AN_TILED_ROE, AN_TILED_MATRIX, AN_TILED_VISCOUS, AN_NTILED };
enum { AN_MAX_VARIANT = 16 };
/* What a cell costs in each shape, ps; 0: not to be used. */
struct an_tile_times {
    double of[AN_NTILED][AN_MAX_VARIANT];
};

/* Head of the state of both engines. */
struct an_cuda_plan {
    const struct an_cuda_kernels *kernels;
    void *stream[2];
    char device[128], driver[64];
    struct an_tile_times times;
    int multiprocessors;
    int resident[AN_MAX_VARIANT], resident_viscous[AN_MAX_VARIANT];
    int resident_polynomial[2];       /* of the fused and viscous kernels for a gas with cp(T) */
    int variant;                      /* of the fused kernel for tiles made from now on; -1: best */
    int chunk;                        /* planes a tile marches; 0: best */
    struct an_cuda_reduction *red[2]; /* host (page-locked), engine memory */
    struct an_cuda_reduction *initial; /* host */
};

/* The times of a device in the program's own table; of another one, where it has no row. */
const struct an_tile_times *an_tile_table(const char *device, enum an_precision precision);
/* The variant of a kernel that suits a box, NULL: a large one. */
int an_cuda_best_variant(const struct an_cuda_plan *plan, enum an_tiled kernel,
                         const struct an_box *box);

/* After the engine's own part stands (e->op, e->state, streams, plan.device). */
int an_cuda_plan_start(struct an_engine *e, const struct an_cuda_kernels *kernels,
                       int multiprocessors);
void an_cuda_plan_end(struct an_engine *e);

/* For measurements: while an_kernel_probe is set, the CUDA engine notes what the driver says of
 * each kernel in place of launching it: the largest of each, and the fewest resident blocks. */
struct an_kernel_probe {
    int kernels;
    int registers, spill, shared; /* spill: bytes of local memory of a thread */
    int resident;                 /* blocks of a multiprocessor */
};
extern struct an_kernel_probe *an_kernel_probe;

/* For measurements: variant and planes per tile of tiles made from now on; -1 and 0 are the
 * defaults. Of the viscous kernel it is the variant of that number, counted round. AN_INPUT when
 * there is no such variant, or the engine has no tiles of this kind. */
int an_cuda_tune(struct an_engine *e, int variant, int chunk);
/* NULL: no such variant, or not such an engine. */
const struct an_fused_variant *an_cuda_variant(const struct an_engine *e, int variant);

int an_cuda_tiles_new(struct an_engine *e, const struct an_layout *l, int nbox,
                      const struct an_box *box, struct an_tiles **t);
void an_cuda_tiles_free(struct an_engine *e, struct an_tiles *t);
int an_cuda_lines_new(struct an_engine *e, const struct an_layout *l, const int *dir,
                      struct an_lines **lines);
void an_cuda_lines_free(struct an_engine *e, struct an_lines *lines);
int an_cuda_faces_new(struct an_engine *e, const struct an_layout *l, int nwindow,
                      const struct an_face_window *window, int nboundary,
                      const struct an_bc_value *value, struct an_faces **f);
int an_cuda_faces_set(struct an_engine *e, struct an_faces *f, const struct an_bc_value *value);
void an_cuda_faces_free(struct an_engine *e, struct an_faces *f);
int an_cuda_copies_new(struct an_engine *e, int ncopy, const struct an_copy *copy, int nrotation,
                       const double (*rotation)[9], struct an_copies **c);
void an_cuda_copies_free(struct an_engine *e, struct an_copies *c);
int an_cuda_run(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                const struct an_fields *f, const struct an_params *p, struct an_reduction *red,
                int stream);
int an_cuda_run_between(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                        const struct an_tiles *other, const struct an_fields *f,
                        const struct an_params *p, int stream);
int an_cuda_run_lines(struct an_engine *e, enum an_stencil s, const struct an_lines *lines,
                      const struct an_fields *f, const struct an_params *p, int stream);
int an_cuda_run_faces(struct an_engine *e, enum an_stencil s, enum an_scheme scheme,
                      const struct an_faces *faces, const struct an_fields *f,
                      const struct an_params *p, struct an_xsum *sum, int stream);
int an_cuda_residual(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                     const struct an_fields *f, const struct an_params *p, int stream);
int an_cuda_stage(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                  const struct an_fields *f, const struct an_params *p, int stream);
int an_cuda_viscous(struct an_engine *e, int stage, const struct an_tiles *t,
                    const struct an_fields *f, const struct an_params *p, int stream);
/* The lists of copies for kernels; the rest of *a is 0. Returns the number of chunks. */
int an_cuda_copies_args(const struct an_copies *c, struct an_copy_args *a);
/* The engine's stream, cudaStream_t. */
void *an_cuda_stream(const struct an_engine *e, int stream);
int an_cuda_copies(struct an_engine *e, const struct an_copies *c, void *dst, int64_t dst_component,
                   const void *src, int64_t src_component, int ncomp, int vector, int stream);

AN_EXTERN_C_END
#endif
