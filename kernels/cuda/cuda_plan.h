/* What the CUDA engine and the emulated CUDA engine share: work lists, the table of kernels, and
 * the operations that only combine the two. An engine adds memory, streams and a device.
 *
 * Work is cut into tiles: one thread block each, one launch for all tiles of all boxes. A tile is a
 * patch of TX x TY columns, marched in k. Lists and block tables lie in engine memory.
 */
#ifndef AN_CUDA_PLAN_H
#define AN_CUDA_PLAN_H

#include "kernels/cuda/cuda_card.h"
#include "kernels/cuda/cuda_kernels.h"
#include "kernels/cuda/cuda_times.h"
#include "kernels/engine/engine.h"

AN_EXTERN_C_BEGIN

/* One build of the kernels (one precision, one gas). */
struct an_cuda_kernels {
    an_cuda_cell *cell[AN_NSTENCIL];
    an_cuda_face *face[AN_NSTENCIL];
    an_cuda_line *line[AN_NSTENCIL];
    int directional[AN_NSTENCIL];
    const struct an_fused_kernels *fused;
    const struct an_viscous_kernels *viscous;
    const struct an_plane_kernels *planes[AN_NSTENCIL]; /* NULL: cell has the only ones */
    const struct an_fused_kernels *rans; /* convective and viscous fluxes; may have no variant */
    an_cuda_copy *copy;
    const struct an_sparse_ops *sparse; /* NULL: in single precision */
    /* Kernels for gases with stored properties, built for one tile shape only; NULL if these are they. */
    const struct an_cuda_kernels *stored;
};

extern const struct an_cuda_kernels an_cuda_f32, an_cuda_f64;

struct an_deferred;

/* Head of the state of both engines. */
struct an_cuda_plan {
    const struct an_cuda_kernels *kernels;
    struct an_cuda_queue queue[2];
    char device[128], driver[64];
    struct an_tile_times times;
    struct an_cuda_card card;
    int multiprocessors;
    int resident[AN_MAX_VARIANT], resident_viscous[AN_MAX_VARIANT], resident_rans[AN_MAX_VARIANT];
    int resident_planes;    /* of the plane kernels of cell stencils, the fewest */
    int one_pass;           /* of convective and viscous fluxes: 0, 1; -1: what is quicker */
    int resident_stored[2]; /* of the fused and viscous kernels for stored properties */
    int variant;            /* of the fused kernel for tiles made from now on; -1: best */
    int chunk;              /* planes a tile marches; 0: best */
    struct an_cuda_reduction *red[2];  /* host (page-locked), engine memory */
    struct an_cuda_reduction *initial; /* host */
    struct an_deferred *deferred;      /* results that nobody waited for yet; NULL: never any */
};

/* The variant of a kernel that suits a box, NULL: a large one. */
int an_cuda_best_variant(struct an_cuda_plan *plan, enum an_tiled kernel, const struct an_box *box);

/* After the engine's own part stands (e->op, e->state, streams, plan.device, plan.card). Fails where no shape of a
 * kernel fits into the card. */
int an_cuda_plan_start(struct an_engine *e, const struct an_cuda_kernels *kernels,
                       int multiprocessors);
/* plan->times: those of the table, where a shape has fewer resident blocks on this card than on the one of the table
 * longer by that ratio, since fewer warps hide less of the time that loads and barriers take. An estimate; no card but
 * that of the table was timed. `device`, `card`, `kernels` and `resident` stand. */
void an_cuda_plan_times(struct an_cuda_plan *plan, enum an_precision precision);
void an_cuda_plan_end(struct an_engine *e);

/* For measurements: variant and planes per tile of tiles made from now on; -1 and 0 are the
 * defaults. Of the viscous kernel it is the variant of that number, counted round. AN_INPUT when
 * there is no such variant, or the engine has no tiles of this kind. */
int an_cuda_tune(struct an_engine *e, int variant, int chunk);
/* For measurements and tests: 1 and 0: convective and viscous fluxes in one pass wherever a kernel can do that, or
 * nowhere; -1: where it is quicker, the default. Returns the choice before, which is at first that of the environment
 * variable AN_ONE_PASS, 1 or 0. */
int an_cuda_choose_pass(struct an_engine *e, int one_pass);
/* NULL: no such variant, or not such an engine. */
const struct an_fused_variant *an_cuda_variant(const struct an_engine *e, int variant);
/* That of the kernel of convective and viscous fluxes, counted round. */
const struct an_fused_variant *an_cuda_rans_variant(const struct an_engine *e, int variant);

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
int an_cuda_ghosts(struct an_engine *e, const struct an_copying *c, enum an_stencil s,
                   enum an_scheme scheme, const struct an_faces *faces, const struct an_fields *f,
                   const struct an_params *p, int stream);
int an_cuda_residual(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                     const struct an_fields *f, const struct an_params *p, int stream);
int an_cuda_stage(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                  const struct an_fields *f, const struct an_params *p, int stream);
int an_cuda_viscous(struct an_engine *e, int stage, const struct an_tiles *t,
                    const struct an_fields *f, const struct an_params *p, int stream);
int an_cuda_rans(struct an_engine *e, enum an_scheme scheme, int stage, const struct an_tiles *t,
                 const struct an_fields *f, const struct an_params *p, int stream);
int an_cuda_in_one_pass(const struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                        const struct an_params *p, int travel);
/* an_engine_defer, an_engine_collect and an_tiles_choose of these engines (meter.h, tiles.h). */
int an_cuda_defer(struct an_engine *e, int on);
int an_cuda_collect(struct an_engine *e);
int an_cuda_choose_tiles(struct an_engine *e, int measure, const char *program, char *text);
/* The lists of copies for kernels; the rest of *a is 0. Returns the number of chunks. */
int an_cuda_copies_args(const struct an_copies *c, struct an_copy_args *a);
/* For measurements: until it is called again with NULL, launches note what the driver says of their
 * kernels and do not run. AN_INPUT: not such an engine. */
int an_cuda_probe(struct an_engine *e, struct an_kernel_probe *probe);
struct an_cuda_queue *an_cuda_queue_of(const struct an_engine *e, int stream);
/* The engine's stream, cudaStream_t. */
void *an_cuda_stream(const struct an_engine *e, int stream);
int an_cuda_copies(struct an_engine *e, const struct an_copies *c, void *dst, int64_t dst_component,
                   const void *src, int64_t src_component, int ncomp, int vector, int stream);

AN_EXTERN_C_END
#endif
