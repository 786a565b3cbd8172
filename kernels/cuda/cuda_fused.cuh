/* CUDA engines: the fused residual and Runge-Kutta stage, by plane streaming: a policy of cuda_planes.cuh.
 *
 * The state (rho, u, v, w, p, H) of three planes lies in slots; the plane k also has two layers of boundary cells:
 *
 *     slots       k-1   k (with boundary cells)   k+1      registers  own cell of k+2, stored where that of k-1 was
 *     prefetched  k+3 of the own column, boundary cells of k+1
 *
 * A thread computes the primitive state of its own cell once, and of some boundary cells. Faces of i and j are computed
 * by the upper cell, which hands the flux to the lower one through shared memory. Fluxes through k faces stay in
 * registers from plane to plane.
 *
 * Barriers of a plane: boundary cells of k are in their slot; the fluxes of i and j are in shared memory. The own cell of k+2 takes the slot of k-1, where only its own thread still reads it. Boundary cells of k take the
 * places of those of k-3.
 *
 * Sums are ordered as in flux_sum.stencil, add_force.stencil (components 1 to 4) and update.stencil: the
 * result is theirs, bit for bit where the compiler does not contract to fused multiply-adds.
 *
 * Compulsory traffic: W, W0, WN 5 each, S 9, LAM 3, DT 1 = 28 words for each cell of a stage. Where
 * blocks turn (schemes with AN_ROTATING, kernels of their own) G 3 and VOL 1 more. */

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/physics/flux.h"

namespace
{
#include "kernels/cuda/cuda_planes.cuh"

/* Words of a cell that come from engine memory. */
enum { LOADED = 5 + (AN_CELL_WORDS > 6 ? 3 : 0) };

struct fused_args {
    const struct an_block *block;
    const struct an_tile *tile;
    const real *w[LOADED], *w0[5], *s[9], *lam[3],
        *dt;                /* w: of gas tables p, kappa, c2 of EOS, too */
    const real *g[3], *vol; /* where blocks turn */
    real *out[5];
    int stage, given; /* given: w0[1] to w0[4] are FORCE */
};

/* A cell in shared memory, read two words at a time without bank conflicts. */
struct stored {
    struct an_words2 q[AN_CELL_WORDS / 2];
};

static __device__ __forceinline__ struct AN_FN(an_cell) fetch(const struct stored *s)
{
    const struct an_words2 a = s->q[0], b = s->q[1], c = s->q[2];
    struct AN_FN(an_cell) q = AN_FN(an_cell_of_words)(a.a, a.b, b.a, b.b, c.a, c.b);
#if AN_CACHED
    q.kappa = s->q[3].a;
    q.c2 = s->q[3].b;
#endif
    return q;
}

static __device__ __forceinline__ struct AN_FN(an_cell)
    primitive_of(const real *w, const struct AN_FN(an_prm) * prm)
{
#if AN_CACHED
    (void)prm;
    return AN_FN(an_cell_of_flux)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
#else
    return AN_FN(an_cell_from_conserved)(w[0], w[1], w[2], w[3], w[4], prm);
#endif
}

static __device__ __forceinline__ void store(struct stored *s, const struct AN_FN(an_cell) & q)
{
    s->q[0] = {q.rho, q.u};
    s->q[1] = {q.v, q.w};
    s->q[2] = {q.p, q.H};
#if AN_CACHED
    s->q[3] = {q.kappa, q.c2};
#endif
}

/* Roe's flux reads radii where viscous walls may be. */
template <int SCHEME>
static __device__ __forceinline__ real radius(const real *at, const struct AN_FN(an_prm) * prm)
{
    return SCHEME != AN_SCHEME_ROE || prm->fluid.viscosity ? __ldg(at) : AN_R(0.0);
}

/* What engine memory has of a lower face: area, what it sweeps, radii of both cells. */
struct face_words {
    real s[3], sweep, left, right;
};

/* The face, in a direction, of the cell at element `at`, `stride` elements from its neighbour. */
template <int SCHEME>
static __device__ __forceinline__ struct face_words
load_face(const struct fused_args &a, int dir, int at, int stride, const struct AN_FN(an_prm) * prm)
{
    struct face_words f = {
        {__ldg(a.s[3 * dir] + at), __ldg(a.s[3 * dir + 1] + at), __ldg(a.s[3 * dir + 2] + at)},
        SCHEME & AN_ROTATING ? __ldg(a.g[dir] + at) : AN_R(0.0),
        radius<SCHEME>(a.lam[dir] + at - stride, prm),
        radius<SCHEME>(a.lam[dir] + at, prm)};
    return f;
}

/* The flux through it; c: the cell, its neighbour `step` cells away, in shared memory. */
template <int SCHEME>
static __device__ __forceinline__ struct AN_FN(an_five)
    face_flux(const struct face_words &f, const struct stored *c, int step,
              const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_cell) l2 = fetch(c - 2 * step), l1 = fetch(c - step), r1 = fetch(c),
                                r2 = fetch(c + step);
    return AN_FN(an_face_flux)(SCHEME, &l2, &l1, &r1, &r2, f.s[0], f.s[1], f.s[2], f.sweep, f.left,
                               f.right, prm);
}

/* Fluxes handed through shared memory: [c][row][column]. */
template <class F>
static __device__ __forceinline__ void put_flux(F &f, int row, int column,
                                                const struct AN_FN(an_five) & flux)
{
    f[0][row][column] = flux.m;
    f[1][row][column] = flux.x;
    f[2][row][column] = flux.y;
    f[3][row][column] = flux.z;
    f[4][row][column] = flux.e;
}

static __device__ __forceinline__ real flux_word(const struct AN_FN(an_five) & f, int c)
{
    return c == 0 ? f.m : c == 1 ? f.x : c == 2 ? f.y : c == 3 ? f.z : f.e;
}

/* Bit of a kernel's scheme beside AN_ROTATING: its fluxes may have terms for low Mach numbers, which take registers even
 * where they are not computed. In double precision only the matrix flux gains by a kernel without them. */
enum { SLOW = 2 * AN_ROTATING };
static constexpr int kernel_of(int scheme)
{
    return sizeof(real) == sizeof(float) || (scheme & (AN_ROTATING - 1)) == AN_SCHEME_MATRIX
               ? scheme
               : scheme | SLOW;
}

/* KIND: the flux (enum an_scheme), with AN_ROTATING and SLOW or not. */
template <int KIND, int TX, int TY, int ASYNC, int BLOCKS> struct fused_march {
    static constexpr const char *NAME = "fused";
    static constexpr int COLUMNS_I = TX, COLUMNS_J = TY, THREADS = TX * TY, MIN_BLOCKS = BLOCKS;
    static constexpr int FIRST = -1, LAST = 0, BARRIERS = 2;
    static constexpr int SCHEME = KIND & (SLOW - 1);
    /* where there are registers: words of engine memory are loaded a barrier before they are used */
    static constexpr bool EARLY = sizeof(real) == 4 && THREADS <= 256;
    typedef struct fused_args args;
    typedef struct AN_FN(an_five) five;
    typedef struct plane_slot<TX, TY, 2> slot_shape;
    typedef struct plane_frame<TX, TY, 0> frame;
    typedef struct plane_stage<ASYNC, LOADED, 1 + frame::PASSES, THREADS> stage_words;
    struct shared {
        struct stored ring[3 * slot_shape::CELLS];
        typename stage_words::shared stage;
        /* fluxes through lower faces */
        real fi[5][TY][TX + 1];
        real fj[5][TY + 1][TX];
    };

    const args &a;
    const struct AN_FN(an_prm) *const prm;
    struct plane_tile<TX, TY> tile;
    struct shared &g;
    const int own;             /* element of the own cell from tile.base */
    struct stored *const mine; /* in the first slot */
    const frame halo;
    stage_words stage; /* place 0: the own cell of k+2; then boundary cells of k+1 */
    struct plane_slots<slot_shape::CELLS> slot;
    five below, above;                /* fluxes through the k faces of the own cell */
    struct face_words fi, fj, fk, fe; /* fe: of the edge face */
    real w0[5], step;

    static __device__ __forceinline__ struct AN_FN(an_prm)
        specialise(const struct AN_FN(an_prm) & parameters)
    {
        struct AN_FN(an_prm) p = parameters;
        if (!(KIND & SLOW)) {
            p.flux.low_mach = AN_R(0.0);
            p.flux.precondition = 0;
        }
        return p;
    }

    __device__ __forceinline__ fused_march(const args &given, const struct AN_FN(an_prm) * p,
                                           const struct an_tile &of, struct shared &layout)
        : a(given), prm(p), tile(given.block, of, FIRST), g(layout), own(tile.own(2)),
          mine(&layout.ring[slot_shape::at(tile.tx, tile.ty)]), halo(tile),
          stage(layout.stage, tile.t), below{}, above{}, fi{}, fj{}, fk{}, fe{}, w0{}, step(0)
    {
    }

    __device__ __forceinline__ void prefetch(int place, int from)
    {
        plane_prefetch(stage, place, a.w, from);
    }
    __device__ __forceinline__ struct AN_FN(an_cell) take(int place) const
    {
        real w[LOADED];
        plane_take(stage, place, w);
        return primitive_of(w, prm);
    }

    __device__ __forceinline__ void start()
    {
        for (int m = 0; m < 3; m++) {
            real w[LOADED];
            plane_load(a.w, tile.base + own + (m - 1) * tile.s2, w);
            store(mine + m * slot_shape::CELLS, primitive_of(w, prm));
        }
        stage.commit();
        prefetch(0, tile.base + own + 2 * tile.s2);
        stage.commit();
    }

    __device__ __forceinline__ bool lower(int k) const
    {
        return k >= 0 && tile.tx <= tile.ni && tile.ty <= tile.nj;
    }
    __device__ __forceinline__ bool has_edge(int k) const
    {
        return k >= 0 && tile.edge();
    }
    __device__ __forceinline__ void load_lower()
    {
        const int at = tile.base + own;
        fi = load_face<SCHEME>(a, 0, at, 1, prm);
        fj = load_face<SCHEME>(a, 1, at, tile.s1, prm);
    }
    __device__ __forceinline__ void load_edge()
    {
        fe = load_face<SCHEME>(a, tile.edge_dir(), tile.edge_element(),
                               tile.edge_row() ? tile.s1 : 1, prm);
    }
    __device__ __forceinline__ void load_above()
    {
        fk = load_face<SCHEME>(a, 2, tile.base + own + tile.s2, tile.s2, prm);
    }
    /* What the update takes beside the sum of fluxes. */
    __device__ __forceinline__ void load_old()
    {
        const int at = tile.base + own;
        if (a.stage) {
            step = prm->march.alpha * __ldg(a.dt + at);
            for (int c = 0; c < 5; c++)
                w0[c] = a.w0[c][at];
        }
        if (a.given)
            for (int c = 1; c < 5; c++)
                w0[c] = __ldg(a.w0[c] + at);
    }

    /* The boundary cells of k take their places. */
    __device__ __forceinline__ void before(int k)
    {
        /* nothing of these lives from plane to plane */
        fi = fj = fk = fe = {};
        step = 0;
        for (int c = 0; c < 5; c++)
            w0[c] = 0;
        if (EARLY) {
            if (lower(k))
                load_lower();
            if (has_edge(k))
                load_edge();
            if (tile.inside) {
                load_above();
                if (k >= 0)
                    load_old();
            }
        }
        stage.wait();
        if (k >= 0)
            for (int m = 0; m < frame::PASSES; m++)
                if (halo.to[m] >= 0)
                    store(&g.ring[slot.here + halo.to[m]], take(1 + m));
    }

    /* Fluxes through i and j faces, for the sums of both their cells. */
    __device__ __forceinline__ void lower_faces(int k)
    {
        const struct stored *const here = mine + slot.here;
        if (lower(k)) {
            if (!EARLY)
                load_lower();
            put_flux(g.fi, tile.ty, tile.tx, face_flux<SCHEME>(fi, here, 1, prm));
            put_flux(g.fj, tile.ty, tile.tx, face_flux<SCHEME>(fj, here, slot_shape::PITCH, prm));
        }
        if (has_edge(k)) {
            if (!EARLY)
                load_edge();
            const five f = face_flux<SCHEME>(
                fe, &g.ring[slot.here + slot_shape::at(tile.edge_x(), tile.edge_y())],
                tile.edge_row() ? slot_shape::PITCH : 1, prm);
            if (tile.edge_row())
                put_flux(g.fj, tile.edge_y(), tile.edge_x(), f);
            else
                put_flux(g.fi, tile.edge_y(), tile.edge_x(), f);
        }
    }

    /* The flux through the face towards k+1; the own cell of k+2 takes the place of that of k-1. */
    __device__ __forceinline__ void upper_face(int k)
    {
        above = below;
        stage.wait();
        const struct AN_FN(an_cell) r2 = take(0);
        if (tile.inside) {
            const struct AN_FN(an_cell) l2 = fetch(mine + slot.behind),
                                        l1 = fetch(mine + slot.here), r1 = fetch(mine + slot.ahead);
            if (!EARLY)
                load_above();
            above = AN_FN(an_face_flux)(SCHEME, &l2, &l1, &r1, &r2, fk.s[0], fk.s[1], fk.s[2],
                                        fk.sweep, fk.left, fk.right, prm);
        }
        store(mine + slot.behind, r2);
        if (k + 1 < tile.nk)
            prefetch(0, tile.base + own + 3 * tile.s2);
        stage.commit();
    }

    __device__ __forceinline__ void between(int k)
    {
        if (k + 1 < tile.nk)
            for (int m = 0; m < frame::PASSES; m++)
                if (halo.to[m] >= 0)
                    prefetch(1 + m, tile.base + halo.from[m] + tile.s2);
        stage.commit();
        lower_faces(k);
        upper_face(k);
        if (!EARLY && k >= 0 && tile.inside)
            load_old();
    }

    /* Net flux of the own cell. */
    __device__ __forceinline__ void sum_fluxes(real r[5]) const
    {
        const int tx = tile.tx, ty = tile.ty;
        AN_UNROLL
        for (int c = 0; c < 5; c++)
            r[c] = ((g.fi[c][ty][tx + 1] - g.fi[c][ty][tx]) +
                    (g.fj[c][ty + 1][tx] - g.fj[c][ty][tx])) +
                   (flux_word(above, c) - flux_word(below, c));
    }
    /* The sums of the plane k, and the update. */
    __device__ __forceinline__ void after(int k)
    {
        if (k < 0)
            return;
        const int at = tile.base + own;
        real r[5];
        sum_fluxes(r);
        if (SCHEME & AN_ROTATING) {
            const struct AN_FN(an_cell) q = fetch(mine + slot.here);
            const real omega = static_cast<real>(tile.block->omega);
            const real volume = tile.inside ? __ldg(a.vol + at) : AN_R(0.0);
            r[2] += AN_FN(an_source_y)(q.rho, q.w, omega, volume);
            r[3] += AN_FN(an_source_z)(q.rho, q.v, omega, volume);
        }
        if (tile.inside)
            for (int c = 0; c < 5; c++)
                a.out[c][at] = a.stage            ? AN_FMA(-step, r[c], w0[c])
                               : a.given && c > 0 ? r[c] + w0[c]
                                                  : r[c];
    }

    __device__ __forceinline__ void rotate()
    {
        below = above;
        slot.rotate();
    }
};

/* tile; asynchronous copies; blocks per multiprocessor in single and double */
#if AN_CACHED
#define AN_VARIANTS(V) V(0, 32, 4, 0, 4, 2)
#else
#define AN_VARIANTS(V)    \
    V(0, 32, 16, 1, 2, 1) \
    V(1, 32, 8, 1, 3, 2)  \
    V(2, 32, 4, 0, 5, 3)  \
    V(3, 8, 16, 1, 6, 4)
#endif

/* All kinds of one tile shape. */
template <int TX, int TY, int ASYNC, int BLOCKS> struct fused_family {
    typedef struct fused_args args;
    template <int KIND> using of = fused_march<kernel_of(KIND), TX, TY, ASYNC, BLOCKS>;
};
template <int TX, int TY, int ASYNC, int BLOCKS>
using fused_kinds = plane_kinds<fused_family<TX, TY, ASYNC, BLOCKS>, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
                                10, 11, 12, 13, 14, 15>;

static const struct an_fused_variant fused_variants[] = {
#define AN_V(n, tx, ty, async, single, twice) \
    fused_kinds<tx, ty, async, AN_RESIDENT(single, twice)>::shape(async),
    AN_VARIANTS(AN_V)
#undef AN_V
};

static int prepare_fused(int *resident)
{
#define AN_V(n, tx, ty, async, single, twice) \
    AN_TRY((fused_kinds<tx, ty, async, AN_RESIDENT(single, twice)>::prepare(&resident[n])));
    AN_VARIANTS(AN_V)
#undef AN_V
    return AN_OK;
}

static int run_fused(int variant, int scheme, int stage, const struct an_cell_args *c, int ntile,
                     const struct an_params *p, struct an_cuda_queue *queue)
{
    struct fused_args a;
#define AN_AT(field, n) (static_cast<real *>(c->fields.at[AN_F_##field]) + (n)*c->cs)
    a.block = c->block;
    a.tile = c->tile;
    a.stage = stage;
    a.given = !stage && c->fields.at[AN_F_FORCE];
    for (int m = 0; m < 5; m++) {
        a.w[m] = AN_AT(W, m);
        a.w0[m] = stage ? AN_AT(W0, m) : a.given ? AN_AT(FORCE, m) : nullptr;
        a.out[m] = stage ? AN_AT(WN, m) : AN_AT(R, m);
    }
#if AN_CACHED
    for (int m = 0; m < 3; m++)
        a.w[5 + m] = AN_AT(EOS, m);
#endif
    for (int m = 0; m < 9; m++)
        a.s[m] = AN_AT(S, m);
    for (int m = 0; m < 3; m++) {
        a.lam[m] = scheme != AN_SCHEME_ROE || p->fluid.viscosity || p->flux.rotating ? AN_AT(LAM, m)
                                                                                     : nullptr;
        a.g[m] = p->flux.rotating ? AN_AT(G, m) : nullptr;
    }
    a.vol = p->flux.rotating ? AN_AT(VOL, 0) : nullptr;
    a.dt = stage ? AN_AT(DT, 0) : nullptr;
#undef AN_AT
    const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);
    const int slow = prm.flux.low_mach > AN_R(0.0) || prm.flux.precondition ? SLOW : 0;
    const int kind = slow + (p->flux.rotating ? AN_ROTATING : 0) + scheme;
    switch (variant) {
#define AN_V(n, tx, ty, async, single, twice)                                                      \
    case n:                                                                                        \
        return fused_kinds<tx, ty, async, AN_RESIDENT(single, twice)>::launch(kind, a, prm, ntile, \
                                                                              queue);
        AN_VARIANTS(AN_V)
#undef AN_V
    }
    return an_error_set(AN_FAIL, "fused kernel: there is no variant %d", variant);
}
} // namespace

AN_EXTERN_C_BEGIN
extern const struct an_fused_kernels AN_LAUNCHER(fused);
const struct an_fused_kernels AN_LAUNCHER(fused) = {
    sizeof fused_variants / sizeof *fused_variants,
    fused_variants,
    prepare_fused,
    run_fused,
};
AN_EXTERN_C_END
