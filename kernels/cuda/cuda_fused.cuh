/* CUDA engines: the fused residual and Runge-Kutta stage, by plane streaming.
 *
 * A thread block owns TX x TY columns of cells and marches in k. The state (rho, u, v, w, p, H) of
 * three planes lies in shared memory, two cells around plane k included:
 *
 *     ring   k-1   k (with its halo)   k+1      registers   k+2, stored where k-1 was
 *     on their way from engine memory: k+3 of the own column, the halo of k+1
 *
 * A thread computes the primitive state of its own cell once, and of some cells of the halo. Faces
 * of i and j are computed by both their cells (ONCE = 0), or by the upper cell and handed to the
 * lower one through shared memory (ONCE = 1; the last row and column of faces are shared out to the
 * first threads). Fluxes through k faces stay in registers from plane to plane. Four planes allow
 * one barrier for each plane: the slot of k+2 was last read before the barrier of this plane.
 *
 * Sums are ordered as in flux_sum.stencil, add_force.stencil (components 1 to 4) and update.stencil: the
 * result is theirs, bit for bit where the compiler does not contract to fused multiply-adds.
 *
 * Compulsory traffic: W, W0, WN 5 each, S 9, LAM 3, DT 1 = 28 words for each cell of a stage. Where
 * blocks turn (schemes with AN_TURNS, kernels of their own) G 3 and VOL 1 more. */

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/physics/flux.h"

namespace
{
#include "kernels/cuda/cuda_shapes.cuh"

/* Words of a cell that come from engine memory. */
enum { LOADED = 5 + (AN_CELL_WORDS > 6 ? 3 : 0) };

/* Base addresses of components: an element number of 32 bits and one multiply-add make an address.
 */
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
#if AN_KEPT
    const struct an_words2 d = s->q[3];
#endif
    struct AN_FN(an_cell) q = {a.a, a.b, b.a, b.b, c.a, c.b AN_EOS_WORDS(d.a, d.b)};
    return q;
}

struct loaded {
    real c[LOADED];
};

static __device__ __forceinline__ struct loaded load(const struct fused_args &a, int at)
{
    struct loaded w;
    AN_UNROLL
    for (int c = 0; c < LOADED; c++)
        w.c[c] = __ldg(a.w[c] + at);
    return w;
}

static __device__ __forceinline__ struct AN_FN(an_cell)
    primitive_of(const struct loaded &w, const struct AN_FN(an_prm) * prm)
{
#if AN_KEPT
    (void)prm;
    return AN_FN(an_cell_of_flux)(w.c[0], w.c[1], w.c[2], w.c[3], w.c[4], w.c[5], w.c[6], w.c[7]);
#else
    return AN_FN(an_cell_from_conserved)(w.c[0], w.c[1], w.c[2], w.c[3], w.c[4], prm);
#endif
}

static __device__ __forceinline__ void store(struct stored *s, const struct AN_FN(an_cell) & q)
{
    s->q[0] = {q.rho, q.u};
    s->q[1] = {q.v, q.w};
    s->q[2] = {q.p, q.H};
#if AN_KEPT
    s->q[3] = {q.kappa, q.c2};
#endif
}

/* Roe's flux asks for radii where viscous walls may be. */
template <int SCHEME>
static __device__ __forceinline__ real radius(const real *at, const struct AN_FN(an_prm) * prm)
{
    return SCHEME != AN_SCHEME_ROE || prm->viscosity ? __ldg(at) : AN_R(0.0);
}

/* What a face sweeps. */
template <int SCHEME> static __device__ __forceinline__ real sweep(const real *g, int at)
{
    return SCHEME & AN_TURNS ? __ldg(g + at) : AN_R(0.0);
}

/* What engine memory has of a lower face: area, what it sweeps, radii of both cells. */
struct face_words {
    real s[3], sweep, left, right;
};

/* The face, in a direction, of the cell at element `at`, `stride` elements from its neighbour. */
template <int SCHEME>
static __device__ __forceinline__ struct face_words
ask_face(const struct fused_args &a, int dir, int at, int stride, const struct AN_FN(an_prm) * prm)
{
    struct face_words f = {
        {__ldg(a.s[3 * dir] + at), __ldg(a.s[3 * dir + 1] + at), __ldg(a.s[3 * dir + 2] + at)},
        sweep<SCHEME>(a.g[dir], at),
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

template <int SCHEME>
static __device__ __forceinline__ struct AN_FN(an_five)
    face_flux(const struct fused_args &a, const struct stored *c, int step, int dir, int at,
              int stride, const struct AN_FN(an_prm) * prm)
{
    return face_flux<SCHEME>(ask_face<SCHEME>(a, dir, at, stride, prm), c, step, prm);
}

/* Cells on their way from engine memory: in registers, or (ASYNC) in shared memory, where the
 * copies write without a register. Each thread has its own place for its own cell and PASSES of the
 * halo. */
template <int ASYNC, int PLACES, int THREADS> struct inbox {
    struct loaded w[PLACES];
    struct none {
    };
    __device__ __forceinline__ inbox(none &, int) : w{}
    {
    }
    __device__ __forceinline__ void bring(int place, const struct fused_args &a, int at)
    {
        w[place] = load(a, at);
    }
    __device__ __forceinline__ void commit()
    {
    }
    __device__ __forceinline__ void wait()
    {
    }
    __device__ __forceinline__ struct loaded take(int place) const
    {
        return w[place];
    }
    typedef struct none shared;
};

template <int PLACES, int THREADS> struct inbox<1, PLACES, THREADS> {
    typedef real shared[PLACES][LOADED][THREADS];
    shared &w;
    const int t;
    __device__ __forceinline__ inbox(shared &place, int thread) : w(place), t(thread)
    {
    }
    __device__ __forceinline__ void bring(int place, const struct fused_args &a, int at)
    {
        for (int c = 0; c < LOADED; c++)
            an_copy_async(&w[place][c][t], a.w[c] + at);
    }
    __device__ __forceinline__ void commit()
    {
        an_copy_commit();
    }
    __device__ __forceinline__ void wait() /* for all but the last group */
    {
        an_copy_wait();
    }
    __device__ __forceinline__ struct loaded take(int place) const
    {
        struct loaded q;
        AN_UNROLL
        for (int c = 0; c < LOADED; c++)
            q.c[c] = w[place][c][t];
        return q;
    }
};

template <int TX, int TY> struct tile_shape {
    static constexpr int THREADS = TX * TY, PITCH = TX + 4, HALO = 4 * (TX + TY);
    static constexpr int PASSES = (HALO + THREADS - 1) / THREADS;
};

template <int TX, int TY, int ONCE, int ASYNC> struct fused_shared {
    struct stored ring[3][TY + 4][TX + 4];
    typename inbox<ASYNC, 1 + tile_shape<TX, TY>::PASSES, TX * TY>::shared arriving;
    /* fluxes through lower faces: [c][row][column] */
    real fi[5][ONCE ? TY : 1][TX + 1];
    real fj[5][ONCE ? TY + 1 : 1][TX];
};

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

/* One tile. */
template <int SCHEME, int TX, int TY, int ONCE, int ASYNC>
static __device__ __forceinline__ void fused_tile(const struct fused_args &a,
                                                  const struct AN_FN(an_prm) *const prm,
                                                  const struct an_tile &tile)
{
    typedef struct AN_FN(an_five) five;
    typedef struct fused_shared<TX, TY, ONCE, ASYNC> shared_layout;
    typedef struct tile_shape<TX, TY> shape;
    constexpr int THREADS = shape::THREADS, PITCH = shape::PITCH, HALO = shape::HALO;
    constexpr int PASSES = shape::PASSES;
    /* where there are registers: words of engine memory are asked for a barrier before they are
     * wanted */
    constexpr bool EARLY = ONCE && sizeof(real) == 4 && THREADS <= 256;
    AN_SHARED_DYNAMIC(shared_layout, g);
    const int s1 = static_cast<int>(a.block[tile.block].stride[1]);
    const int s2 = static_cast<int>(a.block[tile.block].stride[2]);
    const int t = static_cast<int>(threadIdx.x), tx = t % TX, ty = t / TX;
    const int ni = tile.hi[0] - tile.lo[0], nj = tile.hi[1] - tile.lo[1];
    const bool inside = tx < ni && ty < nj;

    /* element of cell (0,0) of the tile in the plane k; columns beyond its upper ghosts stand still
     */
    int base =
        static_cast<int>(an_element(&a.block[tile.block], tile.lo[0], tile.lo[1], tile.lo[2] - 1));
    const int own = (tx < ni + 1 ? tx : ni + 1) + (ty < nj + 1 ? ty : nj + 1) * s1;
    struct stored *const mine = &g.ring[0][ty + 2][tx + 2];
    constexpr int PLANE = (TY + 4) * PITCH;

    /* the cells of the halo this thread brings: two rows below, two above, two columns on each side
     */
    int halo_at[PASSES], halo_to[PASSES];
    for (int m = 0; m < PASSES; m++) {
        const int h = t + m * THREADS, side = h - 4 * TX;
        int row = h / TX, column = h % TX;
        row = row < 2 ? row - 2 : row + TY - 2;
        if (side >= 0) {
            row = side / 4;
            column = side % 4 < 2 ? side % 4 - 2 : side % 4 + TX - 2;
        }
        halo_to[m] = h < HALO ? (row + 2) * PITCH + column + 2 : -1;
        halo_at[m] = (column < ni + 1 ? column : ni + 1) + (row < nj + 1 ? row : nj + 1) * s1;
    }

    struct inbox<ASYNC, 1 + PASSES, THREADS> in(g.arriving, t); /* own cell, then the halo's */
    int behind = 0, here_at = PLANE, ahead = 2 * PLANE;         /* of planes k-1, k, k+1 */
    for (int m = 0; m < 3; m++)
        store(mine + m * PLANE, primitive_of(load(a, base + own + (m - 1) * s2), prm));
    in.commit();
    in.bring(0, a, base + own + 2 * s2);
    in.commit();
    five below = {0, 0, 0, 0, 0};
    const int nk = tile.hi[2] - tile.lo[2];
    for (int k = -1; k < nk; k++, base += s2) {
        struct stored *const here = mine + here_at;
        const int at = base + own, top = at + s2;
        const bool lower = ONCE && k >= 0 && tx <= ni && ty <= nj;
        const bool above_row = t < TX; /* the faces above the last row and the last column */
        const int column = above_row ? t : TX, row = above_row ? TY : t - TX;
        const bool edge = ONCE && k >= 0 && t < TX + TY && column <= ni && row <= nj;
        struct face_words fi = {}, fj = {}, fe = {}, fk = {};
        real w0[5] = {0}, step = 0;
        if (EARLY) {
            if (lower) {
                fi = ask_face<SCHEME>(a, 0, at, 1, prm);
                fj = ask_face<SCHEME>(a, 1, at, s1, prm);
            }
            if (edge)
                fe = ask_face<SCHEME>(a, above_row ? 1 : 0, base + column + row * s1,
                                      above_row ? s1 : 1, prm);
            if (inside) {
                fk = ask_face<SCHEME>(a, 2, top, s2, prm);
                if (k >= 0 && a.stage) {
                    step = prm->alpha * __ldg(a.dt + at);
                    for (int c = 0; c < 5; c++)
                        w0[c] = a.w0[c][at];
                }
                if (k >= 0 && a.given)
                    for (int c = 1; c < 5; c++)
                        w0[c] = __ldg(a.w0[c] + at);
            }
        }
        in.wait();
        if (k >= 0)
            for (int m = 0; m < PASSES; m++)
                if (halo_to[m] >= 0)
                    store(&g.ring[0][0][0] + here_at + halo_to[m],
                          primitive_of(in.take(1 + m), prm));
        __syncthreads();
        if (k + 1 < nk)
            for (int m = 0; m < PASSES; m++)
                if (halo_to[m] >= 0)
                    in.bring(1 + m, a, base + halo_at[m] + s2);
        in.commit();
        if (lower) {
            if (!EARLY) {
                fi = ask_face<SCHEME>(a, 0, at, 1, prm);
                fj = ask_face<SCHEME>(a, 1, at, s1, prm);
            }
            put_flux(g.fi, ty, tx, face_flux<SCHEME>(fi, here, 1, prm));
            put_flux(g.fj, ty, tx, face_flux<SCHEME>(fj, here, PITCH, prm));
        }
        if (edge) {
            if (!EARLY)
                fe = ask_face<SCHEME>(a, above_row ? 1 : 0, base + column + row * s1,
                                      above_row ? s1 : 1, prm);
            const five f = face_flux<SCHEME>(fe, &g.ring[0][row + 2][column + 2] + here_at,
                                             above_row ? PITCH : 1, prm);
            if (above_row)
                put_flux(g.fj, row, column, f);
            else
                put_flux(g.fi, row, column, f);
        }
        five above = below;
        in.wait();
        const struct AN_FN(an_cell) r2 = primitive_of(in.take(0), prm);
        if (inside) {
            const struct AN_FN(an_cell) l2 = fetch(mine + behind), l1 = fetch(here),
                                        r1 = fetch(mine + ahead);
            if (!EARLY)
                fk = ask_face<SCHEME>(a, 2, top, s2, prm);
            above = AN_FN(an_face_flux)(SCHEME, &l2, &l1, &r1, &r2, fk.s[0], fk.s[1], fk.s[2],
                                        fk.sweep, fk.left, fk.right, prm);
        }
        store(mine + behind, r2);
        if (k + 1 < nk)
            in.bring(0, a, base + own + 3 * s2);
        in.commit();
        if (k >= 0) {
            five sum;
            if (!EARLY && inside && a.stage) {
                step = prm->alpha * __ldg(a.dt + at);
                for (int c = 0; c < 5; c++)
                    w0[c] = a.w0[c][at];
            }
            if (!EARLY && inside && a.given)
                for (int c = 1; c < 5; c++)
                    w0[c] = __ldg(a.w0[c] + at);
            if (ONCE) {
                __syncthreads();
                sum.m = ((g.fi[0][ty][tx + 1] - g.fi[0][ty][tx]) +
                         (g.fj[0][ty + 1][tx] - g.fj[0][ty][tx])) +
                        (above.m - below.m);
                sum.x = ((g.fi[1][ty][tx + 1] - g.fi[1][ty][tx]) +
                         (g.fj[1][ty + 1][tx] - g.fj[1][ty][tx])) +
                        (above.x - below.x);
                sum.y = ((g.fi[2][ty][tx + 1] - g.fi[2][ty][tx]) +
                         (g.fj[2][ty + 1][tx] - g.fj[2][ty][tx])) +
                        (above.y - below.y);
                sum.z = ((g.fi[3][ty][tx + 1] - g.fi[3][ty][tx]) +
                         (g.fj[3][ty + 1][tx] - g.fj[3][ty][tx])) +
                        (above.z - below.z);
                sum.e = ((g.fi[4][ty][tx + 1] - g.fi[4][ty][tx]) +
                         (g.fj[4][ty + 1][tx] - g.fj[4][ty][tx])) +
                        (above.e - below.e);
            } else {
                const five e = face_flux<SCHEME>(a, here + 1, 1, 0, at + 1, 1, prm);
                const five w = face_flux<SCHEME>(a, here, 1, 0, at, 1, prm);
                const five di = {e.m - w.m, e.x - w.x, e.y - w.y, e.z - w.z, e.e - w.e};
                const five n = face_flux<SCHEME>(a, here + PITCH, PITCH, 1, at + s1, s1, prm);
                const five s = face_flux<SCHEME>(a, here, PITCH, 1, at, s1, prm);
                sum.m = (di.m + (n.m - s.m)) + (above.m - below.m);
                sum.x = (di.x + (n.x - s.x)) + (above.x - below.x);
                sum.y = (di.y + (n.y - s.y)) + (above.y - below.y);
                sum.z = (di.z + (n.z - s.z)) + (above.z - below.z);
                sum.e = (di.e + (n.e - s.e)) + (above.e - below.e);
            }
            if (SCHEME & AN_TURNS) {
                const struct AN_FN(an_cell) q = fetch(here);
                const real omega = static_cast<real>(a.block[tile.block].omega);
                const real volume = inside ? __ldg(a.vol + at) : AN_R(0.0);
                sum.y += AN_FN(an_source_y)(q.rho, q.w, omega, volume);
                sum.z += AN_FN(an_source_z)(q.rho, q.v, omega, volume);
            }
            if (inside) {
                const real r[5] = {sum.m, sum.x, sum.y, sum.z, sum.e};
                for (int c = 0; c < 5; c++)
                    a.out[c][at] = a.stage            ? AN_FMA(-step, r[c], w0[c])
                                   : a.given && c > 0 ? r[c] + w0[c]
                                                      : r[c];
            }
        }
        below = above;
        const int last = behind;
        behind = here_at;
        here_at = ahead;
        ahead = last;
    }
}

/* Bit of a kernel's scheme beside AN_TURNS: its fluxes may have terms for low Mach numbers, which take registers even
 * where they are not computed. In double precision only the matrix flux gains by a kernel without them. */
enum { SLOW = 2 * AN_TURNS };
static constexpr int kernel_of(int scheme)
{
    return sizeof(real) == sizeof(float) || (scheme & (AN_TURNS - 1)) == AN_SCHEME_MATRIX
               ? scheme
               : scheme | SLOW;
}

template <int SCHEME, int TX, int TY, int ONCE, int ASYNC, int MIN_BLOCKS>
static __global__ void __launch_bounds__(TX *TY, MIN_BLOCKS)
    fused(const __grid_constant__ struct fused_args a,
          const __grid_constant__ struct AN_FN(an_prm) parameters)
{
    constexpr int FLUX = SCHEME & (SLOW - 1);
    const struct an_tile tile = a.tile[blockIdx.x];
    if constexpr (SCHEME & SLOW) {
        fused_tile<FLUX, TX, TY, ONCE, ASYNC>(a, &parameters, tile);
    } else {
        struct AN_FN(an_prm) plain = parameters;
        plain.low_mach = AN_R(0.0);
        plain.precondition = 0;
        fused_tile<FLUX, TX, TY, ONCE, ASYNC>(a, &plain, tile);
    }
}

/* tile; faces once; asynchronous copies; blocks per multiprocessor in single and double */
#if AN_KEPT
#define AN_VARIANTS(V) V(0, 32, 4, 1, 0, 4, 2)
#else
#define AN_VARIANTS(V)       \
    V(0, 32, 16, 1, 1, 2, 1) \
    V(1, 32, 8, 1, 1, 3, 2)  \
    V(2, 32, 4, 1, 0, 5, 3)  \
    V(3, 8, 16, 1, 1, 6, 4)  \
    V(4, 64, 2, 1, 1, 6, 4)  \
    V(5, 32, 4, 0, 0, 5, 3)
#endif

#define AN_KERNEL(scheme, tx, ty, once, async, single, twice) \
    fused<kernel_of(scheme), tx, ty, once, async, AN_RESIDENT(single, twice)>

static const struct an_fused_variant fused_variants[] = {
#define AN_V(n, tx, ty, once, async, single, twice) \
    {tx,                                            \
     ty,                                            \
     once,                                          \
     async,                                         \
     AN_RESIDENT(single, twice),                    \
     static_cast<int>(sizeof(struct fused_shared<tx, ty, once, async>))},
    AN_VARIANTS(AN_V)
#undef AN_V
};

/* every flux of a variant, with and without rotation and terms for low Mach numbers */
#define AN_FLUXES(F, n, tx, ty, once, async, single, twice)       \
    AN_FLUXES_OF(F, "", 0, n, tx, ty, once, async, single, twice) \
    AN_FLUXES_OF(F, "slow ", SLOW, n, tx, ty, once, async, single, twice)
#define AN_FLUXES_OF(F, kind, slow, n, tx, ty, once, async, single, twice)                         \
    F(kind "fused JST", AN_SCHEME_JST | (slow), n, tx, ty, once, async, single, twice)             \
    F(kind "fused Roe", AN_SCHEME_ROE | (slow), n, tx, ty, once, async, single, twice)             \
    F(kind "fused matrix", AN_SCHEME_MATRIX | (slow), n, tx, ty, once, async, single, twice)       \
    F(kind "fused KEP", AN_SCHEME_KEP | (slow), n, tx, ty, once, async, single, twice)             \
    F(kind "turning JST", AN_SCHEME_JST | AN_TURNS | (slow), n, tx, ty, once, async, single,       \
      twice)                                                                                       \
    F(kind "turning Roe", AN_SCHEME_ROE | AN_TURNS | (slow), n, tx, ty, once, async, single,       \
      twice)                                                                                       \
    F(kind "turning matrix", AN_SCHEME_MATRIX | AN_TURNS | (slow), n, tx, ty, once, async, single, \
      twice)                                                                                       \
    F(kind "turning KEP", AN_SCHEME_KEP | AN_TURNS | (slow), n, tx, ty, once, async, single, twice)

static int prepare_fused(int *resident)
{
    int other;
#define AN_P(name, scheme, n, tx, ty, once, async, single, twice)                         \
    AN_TRY(an_prepare(AN_KERNEL(scheme, tx, ty, once, async, single, twice), (tx) * (ty), \
                      sizeof(struct fused_shared<tx, ty, once, async>),                   \
                      (scheme) == AN_SCHEME_JST ? &resident[n] : &other));
#define AN_V(n, tx, ty, once, async, single, twice) \
    AN_FLUXES(AN_P, n, tx, ty, once, async, single, twice)
    AN_VARIANTS(AN_V)
#undef AN_V
#undef AN_P
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
#if AN_KEPT
    for (int m = 0; m < 3; m++)
        a.w[5 + m] = AN_AT(EOS, m);
#endif
    for (int m = 0; m < 9; m++)
        a.s[m] = AN_AT(S, m);
    for (int m = 0; m < 3; m++) {
        a.lam[m] = scheme != AN_SCHEME_ROE || p->viscosity || p->turns ? AN_AT(LAM, m) : nullptr;
        a.g[m] = p->turns ? AN_AT(G, m) : nullptr;
    }
    a.vol = p->turns ? AN_AT(VOL, 0) : nullptr;
    a.dt = stage ? AN_AT(DT, 0) : nullptr;
#undef AN_AT
    const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);
    const int slow = prm.low_mach > AN_R(0.0) || prm.precondition ? SLOW : 0;
    switch (2 * SLOW * variant + slow + (p->turns ? AN_TURNS : 0) + scheme) {
#define AN_L(name, scheme, n, tx, ty, once, async, single, twice)                            \
    case 2 * SLOW *(n) + (scheme):                                                           \
        return an_launch(name, AN_KERNEL(scheme, tx, ty, once, async, single, twice), ntile, \
                         (tx) * (ty), sizeof(struct fused_shared<tx, ty, once, async>),      \
                         AN_BARRIERS, queue, a, prm);
#define AN_V(n, tx, ty, once, async, single, twice) \
    AN_FLUXES(AN_L, n, tx, ty, once, async, single, twice)
        AN_VARIANTS(AN_V)
#undef AN_V
#undef AN_L
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
