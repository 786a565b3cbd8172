/* Engines: what runs the stencils, and the memory they run in.
 *
 * The same stencil definitions (kernels/ *.stencil) are compiled into each engine, for single and
 * double precision. An engine is chosen once, at run time. Host code never touches flow data
 * directly: it allocates engine memory, uploads, runs stencils on prepared lists of boxes or faces,
 * downloads.
 *
 * Order: operations of one stream run in the order of the calls. The CPU and emulated engines have
 * finished when a call returns. `stream` 0 is the main stream, 1 the halo stream.
 */
#ifndef AN_ENGINE_H
#define AN_ENGINE_H

#include "kernels/base/error.h"
#include "kernels/base/layout.h"
#include "kernels/base/xsum.h"
#include "kernels/engine/fields.h"

AN_EXTERN_C_BEGIN

/* Cell stencils: run on boxes of cells; DIRECTIONAL ones on the lower faces of those cells and the
 * uppermost faces too, for the three directions in turn. Face stencils: run on boundary faces. Line
 * stencils: solve tridiagonal systems along lines of cells (tridiagonal.h). */
#define AN_STENCIL_LIST(CELL, DIRECTIONAL, FACE, LINE)                                             \
    DIRECTIONAL(face_area)          /* X -> S */                                                   \
    CELL(volume)                    /* X -> VOL; MIN 0: smallest volume */                         \
    CELL(primitive)                 /* W -> Q */                                                   \
    CELL(timestep)                  /* W, S, VOL, MUT -> LAM, DT; MIN 0: smallest time step */     \
    CELL(global_timestep)           /* VOL -> DT */                                                \
    DIRECTIONAL(central_flux)       /* Q, S -> FLUX */                                             \
    DIRECTIONAL(jst_dissipation)    /* Q, LAM, FLUX -> FLUX */                                     \
    DIRECTIONAL(matrix_dissipation) /* Q, S, LAM, FLUX -> FLUX */                                  \
    DIRECTIONAL(roe_flux)           /* Q, S, LAM -> FLUX */                                        \
    CELL(flux_sum)                  /* FLUX -> R */                                                \
    CELL(update)                    /* W0, R, DT -> WN */                                          \
    CELL(scree)                     /* R, Y -> R, Y */                                             \
    CELL(change)                    /* R, DT -> DW */                                              \
    CELL(smoothing)                 /* W, S -> EPS */                                              \
    FACE(ghost_smoothing)           /* EPS -> EPS in ghosts */                                     \
    CELL(smooth)                    /* R, DT, EPS, DW -> WN */                                     \
    CELL(norm)                      /* R, VOL, W -> SUM 0..4: R^2/VOL, 5: VOL; MIN 0: rho, 1: p */ \
    CELL(derived)                   /* W -> DERIVED */                                             \
    DIRECTIONAL(coarse_area)        /* OS -> S */                                                  \
    DIRECTIONAL(face_sweep)         /* X -> G */                                                   \
    DIRECTIONAL(coarse_sweep)       /* OG -> G */                                                  \
    CELL(coarse_volume)             /* OVOL -> VOL */                                              \
    CELL(restrict_state)            /* OW, OVOL -> W, WR */                                        \
    CELL(restrict_scalar)           /* O1, OVOL -> MUT */                                          \
    CELL(restrict_residual)         /* OW, R -> FORCE */                                           \
    CELL(add_force)                 /* FORCE -> R */                                               \
    CELL(add_source)                /* SOURCE, VOL -> R */                                         \
    CELL(bleed)                     /* BLEED, W, VOL -> R */                                       \
    CELL(add_turb_source)           /* SOURCE, VOL -> RT */                                        \
    CELL(correction)                /* W, WR -> DW */                                              \
    CELL(prolong)                   /* OW -> DW */                                                 \
    CELL(correct)                   /* W0, DW -> WN */                                             \
    FACE(ghost_fill)                /* W, DX -> W in ghosts */                                     \
    FACE(ghost_lambda)              /* LAM -> LAM in ghosts */                                     \
    CELL(turb_initial)              /* W -> TURB */                                                \
    CELL(turb_gradient)             /* TURB, DX -> GRADT */                                        \
    CELL(sa_residual)               /* W, TURB, GRADT, GRAD, WD, ... -> RT, DIAGT, LINE */         \
    CELL(sa_update)                 /* W, LINE, TURB -> TURB */                                    \
    CELL(sa_viscosity)              /* W, TURB -> MUT */                                           \
    CELL(sst_blend)                 /* W, TURB, GRADT, WD -> BLEND */                              \
    CELL(sst_residual)              /* W, TURB, GRADT, GRAD, WD, MUT, ... -> RT, DIAGT, LINE */    \
    CELL(sst_update)                /* LINE, TURB -> TURB */                                       \
    CELL(sst_viscosity)             /* W, TURB, GRAD, WD -> MUT */                                 \
    FACE(ghost_blend)               /* BLEND -> BLEND in ghosts */                                 \
    CELL(turb_norm)                 /* RT, VOL, TURB -> SUM 0, 1: RT^2/VOL, 2: VOL; MIN 0: TURB */ \
    LINE(turb_lines)                /* W, RT, DIAGT, DT, LINE -> LINE */                           \
    FACE(ghost_turb)                /* W, TURB -> TURB in ghosts */                                \
    FACE(ghost_turb_gradient)       /* GRADT -> GRADT in ghosts */                                 \
    FACE(wall_law)                  /* W, DX -> UTAU in ghosts */                                  \
    FACE(ghost_eddy)                /* MUT, W, DX, UTAU -> MUT in ghosts */                        \
    CELL(mixing_length)             /* W, GRAD, WD, MUT -> MUT */                                  \
    FACE(ghost_correction)          /* DW -> DW in ghosts */                                       \
    FACE(boundary_integral)         /* W, S, LAM, ... -> SUM 0..AN_NINTEGRAL-1 of each boundary */ \
    FACE(wall_values)               /* W, S, LAM, DX, GRAD, MUT, UTAU -> WALL, face after face */  \
    FACE(face_values)               /* W, S, LAM, DX, GRAD, MUT -> PLANE, face after face */       \
    CELL(gradient)                  /* W, DX -> GRAD */                                            \
    FACE(ghost_gradient)            /* GRAD -> GRAD in ghosts */                                   \
    CELL(viscous_residual)          /* W, S, DX, GRAD, MUT, R -> R */                              \
    DIRECTIONAL(viscous_flux)       /* W, S, DX, GRAD, MUT, FLUX -> FLUX */                        \
    FACE(ghost_wall)                /* WD -> WD in ghosts */                                       \
    LINE(implicit_lines)            /* W, R, S, VOL, DT, LAM -> DW; LINE */                        \
    LINE(implicit_lines_viscous)    /* the same with MUT, DX, WD */                                \
    CELL(wall_distance)             /* X, TREE -> WD */

enum an_stencil {
#define AN_S(name) AN_S_##name,
    AN_STENCIL_LIST(AN_S, AN_S, AN_S, AN_S)
#undef AN_S
        AN_NSTENCIL
};

/* Sums of boundary_integral_*, all with outward flux: mass kg/s, momentum N (3, pressure included),
 * energy W, then mass flux times T0 (K kg/s), p0 (Pa kg/s), area m2, p times area N, inflow part of
 * the mass flux kg/s, the viscous part of the momentum flux N (3) and of the energy flux W, mass
 * flux times TURB (2; zero without), and area times rho, velocity (3), p and H of the cells beside
 * the boundary. Where the field FRAME is given vectors are axial, radial and tangential, and MZ and
 * VZ the moments N m of the tangential forces about the x axis. */
enum {
    AN_I_MASS,
    AN_I_MX,
    AN_I_MY,
    AN_I_MZ,
    AN_I_ENERGY,
    AN_I_MT0,
    AN_I_MP0,
    AN_I_AREA,
    AN_I_PA,
    AN_I_INFLOW,
    AN_I_VX,
    AN_I_VY,
    AN_I_VZ,
    AN_I_HEAT,
    AN_I_MTURB0,
    AN_I_MTURB1,
    AN_I_CELL_RHO,
    AN_I_CELL_U,
    AN_I_CELL_V,
    AN_I_CELL_W,
    AN_I_CELL_P,
    AN_I_CELL_H,
    AN_NINTEGRAL
};

/* Fluxes of the fused kernels. */
enum an_scheme { AN_SCHEME_JST = 0, AN_SCHEME_ROE = 1, AN_SCHEME_MATRIX = 2, AN_NSCHEME };
/* Added to a scheme inside engines: fluxes through faces that turn with their block (flux.h). */
enum { AN_TURNS = 4 };

/* Most reduced quantities of a cell stencil. */
enum { AN_NSUM = 8, AN_NMIN = 2 };

struct an_reduction {
    struct an_xsum sum[AN_NSUM];
    double min[AN_NMIN]; /* over this rank; +inf when nothing was seen; NaN is ignored */
};

struct an_tiles;     /* boxes prepared for an engine */
struct an_lines;     /* lines of cells prepared for an engine */
struct an_faces;     /* boundary faces prepared for an engine */
struct an_copies;    /* strided boxes prepared for an engine */
struct an_recording; /* operations recorded by an engine */

/* One boundary face window and the boundary it belongs to (index into the values given). `first`:
 * where its faces begin in fields that have values face after face (WALL, FRAME), t1 fastest, where
 * t1 is the direction that follows the window's cyclically. `values`: the same in BCV, for
 * boundaries whose values vary. */
struct an_face_window {
    struct an_window window;
    int boundary;
    int64_t first, values;
};

/* What WALL holds of a face. Stress is what the flow does to the wall, and heat goes into it. */
enum {
    AN_WALL_TX, /* Pa: viscous stress */
    AN_WALL_TY,
    AN_WALL_TZ,
    AN_WALL_P,     /* Pa */
    AN_WALL_HEAT,  /* W/m2 */
    AN_WALL_T,     /* K */
    AN_WALL_YPLUS, /* of the first cell's centre */
    AN_WALL_SX,    /* m2: area, out of the gas */
    AN_WALL_SY,
    AN_WALL_SZ
};

/* What PLANE holds of a face. Area and fluxes are outward. */
enum {
    AN_PLANE_RHO, /* kg/m3, m/s, Pa: the mean of both sides */
    AN_PLANE_U,
    AN_PLANE_V,
    AN_PLANE_W,
    AN_PLANE_P,
    AN_PLANE_MASS, /* kg/s */
    AN_PLANE_MX,   /* N: momentum, with the pressure less p_ref */
    AN_PLANE_MY,
    AN_PLANE_MZ,
    AN_PLANE_ENERGY, /* W: where faces move, with the work of the pressure less p_ref */
    AN_PLANE_SX,     /* m2 */
    AN_PLANE_SY,
    AN_PLANE_SZ,
    AN_PLANE_SWEEP /* m3/s: what the face sweeps */
};

/* A copy of n[0] x n[1] x n[2] elements for each component:
 *   dst[dst + a ds[0] + b ds[1] + c ds[2] + comp * dst_component] = src[...]. */
struct an_copy {
    int64_t src, dst;
    int64_t src_stride[3], dst_stride[3];
    int32_t n[3];
    int32_t rotation; /* index into the 3x3 matrices, -1: none */
};

/* `vector` of copies: nothing is rotated; components 0-8 are a tensor that becomes R G R^T and each
 * triple behind it a vector (GRAD); each triple is a vector (GRADT). */
enum { AN_COPY_PLAIN = -1, AN_COPY_TENSOR = -2, AN_COPY_VECTORS = -3 };

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
    /* Fused residual: W, S, LAM -> R = sum of outward fluxes. Both fused kernels: where blocks turn
     * (p->turns), G and VOL too, and R has the source of the rotation (flux_sum.stencil). */
    int (*residual)(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                    const struct an_fields *f, const struct an_params *p, int stream);
    /* Fused Runge-Kutta stage: W, W0, S, LAM, DT -> WN = W0 - alpha DT R(W). WN may be W0, never W.
     */
    int (*stage)(struct an_engine *e, enum an_scheme scheme, const struct an_tiles *t,
                 const struct an_fields *f, const struct an_params *p, int stream);
    /* Fused viscous terms; NULL: the engine has only the stencils. W, S, DX, MUT, R and GRAD in the
     * first ghosts -> R; with `stage` not 0: and W0, DT -> WN = W0 - alpha DT R, R as before, WN
     * as of `stage`. */
    int (*viscous)(struct an_engine *e, int stage, const struct an_tiles *t,
                   const struct an_fields *f, const struct an_params *p, int stream);
    /* Strided copies. What is rotated where the copy says: vector >= 0: components
     * vector..vector+2; AN_COPY_TENSOR, AN_COPY_VECTORS. src_component, dst_component: elements
     * between components. */
    int (*copies)(struct an_engine *e, const struct an_copies *c, void *dst, int64_t dst_component,
                  const void *src, int64_t src_component, int ncomp, int vector, int stream);

    /* Recordings; NULL: the engine makes none. From record_begin to record_end the operations of
     * both streams are recorded and do not run. What needs the host (memory, sync, transfers from
     * or to it, results of reductions) fails. record_end: *r becomes the recording, in place of
     * what it was (NULL: nothing); r NULL, or an error: it is given up. replay issues it on the
     * main stream; the halo stream takes part and is waited for. Addresses and parameters are those
     * of the recording, the values of boundaries those of faces_set. */
    int (*record_begin)(struct an_engine *e);
    int (*record_end)(struct an_engine *e, struct an_recording **r);
    int (*replay)(struct an_engine *e, struct an_recording *r);
    void (*recording_free)(struct an_engine *e, struct an_recording *r);
};

struct an_peer_ops;

struct an_engine {
    const struct an_engine_ops *op;
    const struct an_peer_ops *peer; /* memory shared with other processes of the node: peer.h */
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
 * "avx512". */
int an_engine_cpu_new(enum an_precision precision, int threads, const char *isa,
                      struct an_engine *e);
/* device: ordinal on this node. AN_FAIL with the reason when there is none or the build has no
 * CUDA. */
int an_engine_cuda_new(enum an_precision precision, int device, struct an_engine *e);
/* The CUDA kernels run on the host, one fiber per CUDA thread. Slow: for tests. */
int an_engine_emulated_new(enum an_precision precision, struct an_engine *e);
/* Devices that can be used here; 0 without CUDA. */
int an_engine_cuda_count(void);
void an_engine_destroy(struct an_engine *e);

const char *an_stencil_name(enum an_stencil s);

AN_EXTERN_C_END
#endif
