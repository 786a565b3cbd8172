/* Engines: what runs the stencils, and the memory they run in.
 *
 * The same stencil definitions (kernels/stencils) are compiled into each engine, for single and
 * double precision. An engine is chosen once, at run time. Host code never touches flow data
 * directly: it allocates engine memory, uploads, runs stencils on prepared lists of boxes or faces,
 * downloads.
 *
 * Order: operations of one stream run in the order of the calls. The CPU and emulated engines have
 * finished when a call returns. `stream` 0 is the main stream, 1 the halo stream; 2, the stream of
 * results, takes downloads only (meter.h).
 */
#ifndef AN_ENGINE_H
#define AN_ENGINE_H

#include "kernels/base/error.h"
#include "kernels/engine/stencil_list.h"
#include "kernels/engine/work.h"

AN_EXTERN_C_BEGIN

/* Kinds of stencils: CELL stencils run on boxes of cells; DIRECTIONAL ones on the lower faces of those
 * cells and the uppermost faces too, for the three directions in turn. FACE stencils run on boundary
 * faces. LINE stencils solve tridiagonal systems along lines of cells (tridiagonal.h). The list of all
 * stencils, AN_STENCIL_LIST(CELL, DIRECTIONAL, FACE, LINE), is made from the definitions
 * (kernels/stencils/stencils.cmake). */
enum an_stencil {
#define AN_S(name) AN_S_##name,
    AN_STENCIL_LIST(AN_S, AN_S, AN_S, AN_S)
#undef AN_S
        AN_NSTENCIL
};

struct an_tiles;     /* boxes prepared for an engine */
struct an_lines;     /* lines of cells prepared for an engine */
struct an_faces;     /* boundary faces prepared for an engine */
struct an_copies;    /* strided boxes prepared for an engine */
struct an_recording; /* operations recorded by an engine */

struct an_engine;

struct an_engine_ops {
    void (*destroy)(struct an_engine *e);
    /* Memory, zero-filled. */
    int (*alloc)(struct an_engine *e, size_t bytes, void **p);
    void (*free)(struct an_engine *e, void *p);
    int (*alloc_host)(struct an_engine *e, size_t bytes,
                      void **p); /* page-locked where that exists */
    void (*free_host)(struct an_engine *e, void *p);
    /* dst and src: host or engine memory as the name says; asynchronous on the stream when the host
     * side came from alloc_host, else complete on return. */
    int (*upload)(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream);
    int (*download)(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream);
    int (*copy)(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream);
    int (*sync)(struct an_engine *e, int stream);
    /* Work of `stream` issued from now on waits for what was issued on `on` so far. */
    int (*wait)(struct an_engine *e, int stream, int on);

    int (*tiles_new)(struct an_engine *e, const struct an_layout *l, int nbox,
                     const struct an_box *box, struct an_tiles **t);
    void (*tiles_free)(struct an_engine *e, struct an_tiles *t);
    /* All lines of cells of blocks: of block b, those along direction dir[b] (0, 1, 2; -1: none).
     */
    int (*lines_new)(struct an_engine *e, const struct an_layout *l, const int *dir,
                     struct an_lines **lines);
    void (*lines_free)(struct an_engine *e, struct an_lines *lines);
    int (*faces_new)(struct an_engine *e, const struct an_layout *l, int nwindow,
                     const struct an_face_window *window, int nboundary,
                     const struct an_bc_value *value, struct an_faces **f);
    /* New values for the boundaries, from the next run_faces on. */
    int (*faces_set)(struct an_engine *e, struct an_faces *f, const struct an_bc_value *value);
    void (*faces_free)(struct an_engine *e, struct an_faces *f);
    int (*copies_new)(struct an_engine *e, int ncopy, const struct an_copy *copy, int nrotation,
                      const double (*rotation)[9], struct an_copies **c);
    void (*copies_free)(struct an_engine *e, struct an_copies *c);

    /* Runs a cell stencil. `red`: result of the stencil's reductions, NULL if not wanted; asking
     * for it synchronises. */
    int (*run)(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
               const struct an_fields *f, const struct an_params *p, struct an_reduction *red,
               int stream);
    /* Runs a cell or directional stencil that reads fields of another multigrid level: `other`
     * holds its blocks, in the same order. */
    int (*run_between)(struct an_engine *e, enum an_stencil s, const struct an_tiles *t,
                       const struct an_tiles *other, const struct an_fields *f,
                       const struct an_params *p, int stream);
    /* Runs a line stencil. */
    int (*run_lines)(struct an_engine *e, enum an_stencil s, const struct an_lines *lines,
                     const struct an_fields *f, const struct an_params *p, int stream);
    /* Runs a face stencil. sum[nboundary][AN_NINTEGRAL] or NULL; asking for it synchronises. */
    int (*run_faces)(struct an_engine *e, enum an_stencil s, enum an_scheme scheme,
                     const struct an_faces *faces, const struct an_fields *f,
                     const struct an_params *p, struct an_xsum *sum, int stream);
    /* Fused residual: W, S, LAM -> R = sum of outward fluxes, and FORCE where it is given, components 1
     * to 4. Both kernels: with p->rotating G, VOL and the rotation's source, too (flux_sum.stencil). */
    int (*residual)(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                    const struct an_fields *f, const struct an_params *p, int stream);
    /* Fused Runge-Kutta stage: W, W0, S, LAM, DT -> WN = W0 - alpha DT R(W). WN may be W0, never W.
     */
    int (*stage)(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                 const struct an_fields *f, const struct an_params *p, int stream);
    /* Fused viscous terms (viscous_residual.stencil); NULL: the engine has only the stencils. W, S, DX,
     * MUT, R and GRAD in the first ghosts -> R, FORCE; with `stage` not 0: and W0, DT -> WN = W0 -
     * alpha DT R, R as before, WN as of `stage`. */
    int (*viscous)(struct an_engine *e, int stage, const struct an_tiles *t,
                   const struct an_fields *f, const struct an_params *p, int stream);
    /* Fused residual, then viscous terms, as `residual` and `viscous` find them one after the other: the same
     * bits; with `stage` R need not be written. Where in_one_pass is 1 the engine makes one pass, so that GRAD of the
     * first ghosts must be complete; where it is 0, two, and callers that have other work for the time of the first
     * one ask for them one by one. travel: other ranks send ghosts of GRAD, for which one pass must wait and beside which
     * the first of two runs. NULL, both: the engine makes no such pass. */
    int (*rans)(struct an_engine *e, enum an_scheme scheme, int stage, const struct an_tiles *t,
                const struct an_fields *f, const struct an_params *p, int stream);
    int (*in_one_pass)(const struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                       const struct an_params *p, int travel);
    /* Strided copies. What is rotated where the copy says: vector >= 0: components
     * vector..vector+2; AN_COPY_TENSOR, AN_COPY_VECTORS. src_component, dst_component: elements
     * between components. */
    int (*copies)(struct an_engine *e, const struct an_copies *c, void *dst, int64_t dst_component,
                  const void *src, int64_t src_component, int ncomp, int vector, int stream);

    /* Ghost cells: copies within fields and a face stencil without sums, in one launch. NULL: the
     * engine makes one after the other; an_engine_ghosts asks any engine. The stencil neither reads
     * nor writes what is copied to, and writes nothing that is copied from. */
    int (*ghosts)(struct an_engine *e, const struct an_copying *c, enum an_stencil s,
                  enum an_scheme scheme, const struct an_faces *faces, const struct an_fields *f,
                  const struct an_params *p, int stream);

    /* Recordings; NULL: the engine makes none. From record_begin to record_end the operations of
     * both streams are recorded and do not run. What needs the host (memory, sync, transfers from
     * or to it, results of reductions) fails. record_end: *r becomes the recording, in place of
     * what it was (NULL: nothing); r NULL, or an error: it is given up. replay issues it on the
     * main stream; the halo stream takes part and is waited for. Addresses and parameters are those
     * of the recording, the values of boundaries those of faces_set, parameters of AN_RUNTIME_LIST
     * those of runtime. */
    int (*record_begin)(struct an_engine *e);
    int (*record_end)(struct an_engine *e, struct an_recording **r);
    int (*replay)(struct an_engine *e, struct an_recording *r);
    void (*recording_free)(struct an_engine *e, struct an_recording *r);
    /* Engines that record: value[set][AN_NRUNTIME] become the numbers of so many sets, up to AN_MOST_RUNTIME, one
     * behind the other in engine memory `runtime` (struct an_params). In the order of the main stream; does not
     * wait for it. */
    int (*set_runtime)(struct an_engine *e, void *runtime, int sets,
                       const double (*value)[AN_NRUNTIME]);
};
enum { AN_MOST_RUNTIME = 2 };

struct an_peer_ops;
struct an_meter_ops;
struct an_sparse_ops;

struct an_engine {
    const struct an_engine_ops *op;
    const struct an_peer_ops *peer;     /* memory shared with other processes of the node: peer.h */
    const struct an_meter_ops *meter;   /* figures of devices, results nobody waits for: meter.h */
    const struct an_sparse_ops *sparse; /* block matrices: sparse.h; NULL: the host's code serves */
    enum an_precision precision;
    char name[16];         /* "cpu", "cuda", "emulated" */
    char description[256]; /* "AVX-512, 2 threads" or the card's name */
    int threads;           /* of the host that compute; 0: not one that uses several */
    int device_memory;     /* 1: pointers are not for the host */
    char bus[32];          /* which device of the node, "" on hosts */
    int64_t launches;      /* of kernels so far, replayed ones not counted; 0: has none */
    void *state;
};

/* threads 0: OMP_NUM_THREADS or all. isa: NULL = best the processor has, or "baseline", "avx2",
 * "avx512". AN_INPUT where this precision or instruction set was not built, AN_FAIL where the processor does not run
 * it. Kernels of other gases than that of constant cp may be missing, too: an_engine_has (built.h). */
int an_engine_cpu_new(enum an_precision precision, int threads, const char *isa,
                      struct an_engine *e);
/* device: ordinal on this node. AN_FAIL with the reason when there is none or the build has no
 * CUDA. */
int an_engine_cuda_new(enum an_precision precision, int device, struct an_engine *e);
/* An engine that a program brings beside these, by its name: the emulated engine of the tests. To be
 * called before all else, once for a program; `name` stays in place. */
void an_engine_add(const char *name,
                   int (*create)(enum an_precision precision, struct an_engine *e));
/* Has the program an added engine of this name? */
int an_engine_is_added(const char *name);
/* AN_INPUT when the program has no added engine of this name. */
int an_engine_added_new(const char *name, enum an_precision precision, struct an_engine *e);
/* Devices that can be used here; 0 without CUDA. */
int an_engine_cuda_count(void);
/* Makes the driver ready for this device; what fails here fails in the constructor, too, which tells it. */
void an_engine_cuda_wake(int device);
void an_engine_destroy(struct an_engine *e);

const char *an_stencil_name(enum an_stencil s);

/* Operation `ghosts` of any engine. */
int an_engine_ghosts(struct an_engine *e, const struct an_copying *c, enum an_stencil s,
                     enum an_scheme scheme, const struct an_faces *faces, const struct an_fields *f,
                     const struct an_params *p, int stream);
/* The copies alone. */
int an_engine_copy_all(struct an_engine *e, const struct an_copying *c, int stream);

AN_EXTERN_C_END
#endif
