/* CUDA engines: viscous fluxes added to the residual, or to the residual and at once a Runge-Kutta
 * stage, by plane streaming; or the convective fluxes of cuda_fused.cuh and the viscous ones in one pass, without
 * the residual of the first ones in engine memory between them.
 *
 * A thread block owns TX x TY columns of cells and marches in k. Of three planes u, v, w, T and the
 * viscosities lie in shared memory, two cells around the tile included; of two planes the
 * gradients, one cell around:
 *
 *     ring       k-1   k   k+1         gradients   k-1 (of the tile alone)   k
 *     registers  k+2 on its way from engine memory
 *     L2         areas and steps of k+1, asked for
 *
 * So each gradient is computed once, but for those around the tile, and never stored. Gradients of
 * ghosts come from engine memory (they are exchanged and follow from boundary conditions). A face
 * of i or j is computed by the thread of its upper cell and handed on through shared memory (the
 * last row and column of faces are shared out to the first threads); the flux through k faces stays
 * in registers from plane to plane. Shared memory is read and written by fours of words, and holds
 * half the gradients: the mean of two is a sum.
 *
 * What bounds this kernel is the way to memory: each word is asked for a barrier before it is
 * wanted, with many registers and few warps.
 *
 * Barriers of a plane: the ring, and the fluxes of the plane before, stand; gradients stand. The
 * slot of k+1 in the ring was last read, as k-2, before the second barrier of k-1, that of the
 * gradients of k, as k-2, before the second one of k-1; fluxes of k are read after the first one of
 * k+1.
 *
 * With convective fluxes (SCHEME) the planes also hold rho, p and H. The flux through a k face takes cells of one
 * column, which their thread put there itself, that of k-2 before k+1 takes its place; so it is found first, while the
 * steps are on their way. Fluxes through i and j faces are found and handed on beside the viscous ones. The sums of
 * both kinds of fluxes are made apart, and added as two kernels would add them: the same bits.
 *
 * Sums are ordered as in flux_sum.stencil, viscous_residual.stencil and update.stencil.
 *
 * Compulsory traffic: W 5, MUT 1, S 9, DX 9, R 5 in and 4 out = 33 words for each cell; of a stage
 * W 5, MUT 1, S 9, DX 9, R 5, W0 5, DT 1, WN 5 = 40. With convective fluxes W 5, MUT 1, S 9, DX 9, LAM 3, R 5 = 32,
 * where two kernels move 55; of a stage W 5, MUT 1, S 9, DX 9, LAM 3, W0 5, DT 1, WN 5 = 38 in place of 62. Where
 * blocks turn G 3 and VOL 1 more. */
#ifndef AN_CUDA_VISCOUS_KERNEL_CUH
#define AN_CUDA_VISCOUS_KERNEL_CUH

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/physics/flux.h"
#include "kernels/physics/viscous.h"

namespace
{
#include "kernels/cuda/cuda_shapes.cuh"

/* Words of a cell that come from engine memory beside MUT: W, or of gas tables and mixtures rho, the momentum, and T, viscosity,
 * conductivity and cp of EOS. */
enum { WAY = AN_KEPT ? 8 : 5 };

struct viscous_args {
    const struct an_block *block;
    const struct an_tile *tile;
    const real *w[WAY], *mut, *s[9], *dx[9], *grad[12], *r[5], *w0[5], *dt;
    real *out[5], *kept[4]; /* kept: FORCE, or NULL */
    int stage;
    const real *line[21]; /* S, DX and LAM */
    /* with convective fluxes: radii; where blocks turn what faces sweep, and volumes */
    const real *lam[3], *g[3], *vol;
};

template <int TX, int TY> struct viscous_shape {
    static constexpr int THREADS = TX * TY, PITCH = TX + 4, PLANE = PITCH * (TY + 4);
    static constexpr int HALO = PLANE - THREADS; /* cells of the ring around the tile */
    static constexpr int PASSES = (HALO + THREADS - 1) / THREADS;
    static constexpr int PITCH_G = TX + 2, PLANE_G = PITCH_G * (TY + 2);
    static constexpr int AROUND = 2 * (TX + TY); /* cells with gradients around the tile */
};

template <int TX, int TY> struct viscous_shared {
    typedef struct viscous_shape<TX, TY> shape;
    static constexpr bool CONVECTS = false;
    struct an_words4 q[3][shape::PLANE];      /* u, v, w, T */
    struct an_words2 mu[3][shape::PLANE];     /* viscosity, heat */
    struct an_words4 g[2][3][shape::PLANE_G]; /* half the gradients */
    /* fluxes of momentum and energy through lower faces */
    struct an_words4 fi[TY][TX + 1];
    struct an_words4 fj[TY + 1][TX];
};

/* With convective fluxes: the other words of a cell, and the fluxes of mass and of the rest. */
template <int TX, int TY> struct convective_shared : viscous_shared<TX, TY> {
    static constexpr bool CONVECTS = true;
    struct an_words2 d[3][viscous_shape<TX, TY>::PLANE]; /* rho, p */
    real h[3][viscous_shape<TX, TY>::PLANE];
    struct an_words4 ci[TY][TX + 1];
    struct an_words4 cj[TY + 1][TX];
    real mi[TY][TX + 1];
    real mj[TY + 1][TX];
};
template <int SCHEME, int TX, int TY> struct planes_shared {
    typedef struct convective_shared<TX, TY> type;
};
enum { NO_SCHEME = -1 }; /* viscous fluxes alone */
template <int TX, int TY> struct planes_shared<NO_SCHEME, TX, TY> {
    typedef struct viscous_shared<TX, TY> type;
};

/* W and MUT of a cell on its way. */
struct viscous_way {
    real w[WAY + 1];
};

static __device__ __forceinline__ struct viscous_way viscous_bring(const struct viscous_args &a,
                                                                   int from)
{
    struct viscous_way way;
    AN_UNROLL
    for (int c = 0; c < WAY; c++)
        way.w[c] = __ldg(a.w[c] + from);
    way.w[WAY] = __ldg(a.mut + from);
    return way;
}

static __device__ __forceinline__ struct AN_FN(an_viscous_cell)
    viscous_arrive(const struct viscous_way &way, const struct AN_FN(an_prm) * prm)
{
#if AN_KEPT
    return AN_FN(an_viscous_cell_words)(way.w[0], way.w[1], way.w[2], way.w[3], way.w[4], way.w[5],
                                        way.w[6], way.w[7], way.w[8], prm);
#else
    return AN_FN(an_viscous_cell_from)(way.w[0], way.w[1], way.w[2], way.w[3], way.w[4], way.w[5],
                                       prm);
#endif
}

static __device__ __forceinline__ void viscous_put(struct an_words4 *q, struct an_words2 *mu,
                                                   const struct AN_FN(an_viscous_cell) & v)
{
    *q = {v.q[0], v.q[1], v.q[2], v.q[3]};
    *mu = {v.mu, v.heat};
}

static __device__ __forceinline__ struct AN_FN(an_viscous_cell)
    viscous_fetch(const struct an_words4 *at, const struct an_words2 *mu)
{
    const struct an_words4 q = *at;
    const struct an_words2 m = *mu;
    struct AN_FN(an_viscous_cell) v = {{q.a, q.b, q.c, q.d}, m.a, m.b};
    return v;
}

/* A cell that arrives takes its place in a plane. */
template <class S>
static __device__ __forceinline__ void viscous_place(S &shared, int slot, int c,
                                                     const struct viscous_way &way,
                                                     const struct AN_FN(an_prm) * prm)
{
#if !AN_KEPT
    if constexpr (S::CONVECTS) {
        const struct AN_FN(an_cell) q =
            AN_FN(an_cell_from_conserved)(way.w[0], way.w[1], way.w[2], way.w[3], way.w[4], prm);
        viscous_put(&shared.q[slot][c], &shared.mu[slot][c],
                    AN_FN(an_viscous_cell_of)(&q, way.w[WAY], prm));
        shared.d[slot][c] = {q.rho, q.p};
        shared.h[slot][c] = q.H;
        return;
    }
#endif
    viscous_put(&shared.q[slot][c], &shared.mu[slot][c], viscous_arrive(way, prm));
}

/* A cell as convective fluxes see it. */
template <class S>
static __device__ __forceinline__ struct AN_FN(an_cell)
    convective_fetch(const S &shared, int slot, int c)
{
    const struct an_words4 q = shared.q[slot][c];
    const struct an_words2 d = shared.d[slot][c];
    struct AN_FN(an_cell) cell = {d.a, q.a, q.b, q.c, d.b, shared.h[slot][c] AN_EOS_NONE};
    return cell;
}

/* What engine memory has of a lower face beside its area: radii of both cells, what it sweeps. */
struct face_radii {
    real left, right, sweep;
};

template <int SCHEME>
static __device__ __forceinline__ struct face_radii ask_radii(const struct viscous_args &a, int dir,
                                                              int at, int stride)
{
    struct face_radii f = {__ldg(a.lam[dir] + at - stride), __ldg(a.lam[dir] + at),
                           SCHEME & AN_TURNS ? __ldg(a.g[dir] + at) : AN_R(0.0)};
    return f;
}

/* The convective flux through the lower face of the cell c of the plane `here`. */
template <int SCHEME, class S>
static __device__ __forceinline__ struct AN_FN(an_five)
    convective_lower(const S &shared, int here, int c, int step, const real s[3],
                     const struct face_radii &f, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_cell) l2 = convective_fetch(shared, here, c - 2 * step),
                                l1 = convective_fetch(shared, here, c - step),
                                r1 = convective_fetch(shared, here, c),
                                r2 = convective_fetch(shared, here, c + step);
    return AN_FN(an_face_flux)(SCHEME, &l2, &l1, &r1, &r2, s[0], s[1], s[2], f.sweep, f.left,
                               f.right, prm);
}

static __device__ __forceinline__ void viscous_less(const struct an_words4 &upper,
                                                    const struct an_words4 &lower, real d[4])
{
    d[0] = upper.a - lower.a;
    d[1] = upper.b - lower.b;
    d[2] = upper.c - lower.c;
    d[3] = upper.d - lower.d;
}

/* What the gradient of a cell takes from engine memory: the steps to the cells before, and behind.
 */
struct viscous_steps {
    real lower[9], upper[9];
};

static __device__ __forceinline__ void viscous_lower_steps(const struct viscous_args &a, int at,
                                                           real lower[9])
{
    for (int m = 0; m < 9; m++)
        lower[m] = __ldg(a.dx[m] + at);
}

static __device__ __forceinline__ void viscous_upper_steps(const struct viscous_args &a, int at,
                                                           int s1, int s2, real upper[9])
{
    for (int d = 0; d < 3; d++) {
        upper[d] = __ldg(a.dx[d] + at + 1);
        upper[3 + d] = __ldg(a.dx[3 + d] + at + s1);
        upper[6 + d] = __ldg(a.dx[6 + d] + at + s2);
    }
}

/* Half the gradient in an inner cell: `here` its place in the ring. */
template <int PITCH>
static __device__ __forceinline__ void
viscous_gradient(const struct viscous_steps &steps, const struct an_words4 *below,
                 const struct an_words4 *here, const struct an_words4 *above, real g[12])
{
    real i[3], j[3], k[3], di[4], dj[4], dk[4];
    for (int d = 0; d < 3; d++) {
        i[d] = steps.lower[d] + steps.upper[d];
        j[d] = steps.lower[3 + d] + steps.upper[3 + d];
        k[d] = steps.lower[6 + d] + steps.upper[6 + d];
    }
    viscous_less(here[1], here[-1], di);
    viscous_less(here[PITCH], here[-PITCH], dj);
    viscous_less(*above, *below, dk);
    AN_FN(an_cell_gradient)(AN_R(0.5), i, j, k, di, dj, dk, g);
}

/* The same of a ghost. */
static __device__ __forceinline__ void viscous_given(const struct viscous_args &a, int at,
                                                     real g[12])
{
    for (int m = 0; m < 12; m++)
        g[m] = AN_R(0.5) * __ldg(a.grad[m] + at);
}

template <int PLANE_G>
static __device__ __forceinline__ void viscous_keep(struct an_words4 (&to)[3][PLANE_G], int e,
                                                    const real g[12])
{
    for (int m = 0; m < 3; m++)
        to[m][e] = {g[4 * m], g[4 * m + 1], g[4 * m + 2], g[4 * m + 3]};
}

/* The sum of two cells' halves. */
static __device__ __forceinline__ void
viscous_mean(const struct an_words4 *l, const struct an_words4 *r, int step, real mean[12])
{
    for (int m = 0; m < 3; m++) {
        const struct an_words4 x = l[m * step], y = r[m * step];
        mean[4 * m] = x.a + y.a;
        mean[4 * m + 1] = x.b + y.b;
        mean[4 * m + 2] = x.c + y.c;
        mean[4 * m + 3] = x.d + y.d;
    }
}

/* The flux through the lower face of the cell c of the plane `here`, e of the gradients; its
 * neighbour there is `step` and `step_g` cells away. */
template <class S>
static __device__ __forceinline__ struct an_words4
viscous_lower(const S &shared, int here, int slot, int c, int step, int e, int step_g,
              const real s[3], const real d[3], const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_viscous_cell) l =
        viscous_fetch(&shared.q[here][c - step], &shared.mu[here][c - step]),
                                        r = viscous_fetch(&shared.q[here][c], &shared.mu[here][c]);
    real mean[12];
    viscous_mean(&shared.g[slot][0][e - step_g], &shared.g[slot][0][e], S::shape::PLANE_G, mean);
    const struct AN_FN(an_five) f = AN_FN(an_flux_viscous_mean)(&l, &r, mean, s, d, prm);
    return {f.x, f.y, f.z, f.e};
}

/* The convective flux through the lower k face of the cell c; last: of the plane before `behind`. */
template <int SCHEME, class S>
static __device__ __forceinline__ struct AN_FN(an_five)
    convective_above(const S &shared, const struct AN_FN(an_cell) & last, int behind, int here,
                     int ahead, int c, const real s[3], const struct face_radii &f,
                     const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_cell) l1 = convective_fetch(shared, behind, c),
                                r1 = convective_fetch(shared, here, c),
                                r2 = convective_fetch(shared, ahead, c);
    return AN_FN(an_face_flux)(SCHEME, &last, &l1, &r1, &r2, s[0], s[1], s[2], f.sweep, f.left,
                               f.right, prm);
}

/* The fluxes through a lower face: the viscous one, and the convective one where there is one. */
struct lower_flux {
    struct an_words4 viscous;
    struct AN_FN(an_five) convective;
};

template <int SCHEME, class S>
static __device__ __forceinline__ struct lower_flux
lower_fluxes(const S &shared, int here, int slot, int c, int step, int e, int step_g,
             const real s[3], const real d[3], const struct face_radii &radii,
             const struct AN_FN(an_prm) * prm)
{
    struct lower_flux f = {};
    f.viscous = viscous_lower(shared, here, slot, c, step, e, step_g, s, d, prm);
    if constexpr (S::CONVECTS)
        f.convective = convective_lower<SCHEME>(shared, here, c, step, s, radii, prm);
    return f;
}

template <class S>
static __device__ __forceinline__ void put_i(S &shared, int row, int column,
                                             const struct lower_flux &f)
{
    shared.fi[row][column] = f.viscous;
    if constexpr (S::CONVECTS) {
        shared.ci[row][column] = {f.convective.x, f.convective.y, f.convective.z, f.convective.e};
        shared.mi[row][column] = f.convective.m;
    }
}

template <class S>
static __device__ __forceinline__ void put_j(S &shared, int row, int column,
                                             const struct lower_flux &f)
{
    shared.fj[row][column] = f.viscous;
    if constexpr (S::CONVECTS) {
        shared.cj[row][column] = {f.convective.x, f.convective.y, f.convective.z, f.convective.e};
        shared.mj[row][column] = f.convective.m;
    }
}

/* SCHEME: the convective flux (enum an_scheme, with AN_TURNS or not; no low Mach numbers), or NO_SCHEME.
 * RARE: the viscosity may follow a power law, and the stress QCR2000, which take registers and code even
 * where they are not called. */
template <int SCHEME, int TX, int TY, int MIN_BLOCKS, int RARE>
static __global__ void __launch_bounds__(TX *TY, MIN_BLOCKS)
    viscous(const __grid_constant__ struct viscous_args a,
            const __grid_constant__ struct AN_FN(an_prm) parameters)
{
    typedef struct viscous_shape<TX, TY> shape;
    typedef typename planes_shared<SCHEME, TX, TY>::type shared_layout;
    constexpr bool CONVECTS = shared_layout::CONVECTS;
    constexpr bool TURNS = CONVECTS && (SCHEME & AN_TURNS) != 0;
    constexpr int THREADS = shape::THREADS, PITCH = shape::PITCH, PITCH_G = shape::PITCH_G;
    constexpr int PASSES = shape::PASSES;
    AN_SHARED_DYNAMIC(shared_layout, shared);
    struct AN_FN(an_prm) lawful = parameters;
    if (!RARE) {
        lawful.viscosity = parameters.viscosity == AN_VISCOSITY_SUTHERLAND ? AN_VISCOSITY_SUTHERLAND
                                                                           : AN_VISCOSITY_CONSTANT;
        lawful.qcr = 0;
    }
    if (CONVECTS) {
        lawful.low_mach = AN_R(0.0);
        lawful.precondition = 0;
    }
    const struct AN_FN(an_prm) *const prm = &lawful;
    const struct an_tile tile = a.tile[blockIdx.x];
    const struct an_block *const block = &a.block[tile.block];
    const int s1 = static_cast<int>(block->stride[1]), s2 = static_cast<int>(block->stride[2]);
    const int n0 = block->n[0], n1 = block->n[1], n2 = block->n[2];
    const int t = static_cast<int>(threadIdx.x), tx = t % TX, ty = t / TX;
    const int ni = tile.hi[0] - tile.lo[0], nj = tile.hi[1] - tile.lo[1];
    const int nk = tile.hi[2] - tile.lo[2];
    const bool inside = tx < ni && ty < nj;

    /* element of cell (0,0) of the tile in the plane k; columns beyond its upper ghosts stand still
     */
    int base =
        static_cast<int>(an_element(block, tile.lo[0], tile.lo[1], tile.lo[2])) - s2; /* k = -1 */
    const int own = (tx < ni + 1 ? tx : ni + 1) + (ty < nj + 1 ? ty : nj + 1) * s1;
    /* the cells around the tile this thread brings: two rows below, two above, two on each side */
    int halo_at[PASSES], halo_to[PASSES];
    for (int m = 0; m < PASSES; m++) {
        const int n = t + m * THREADS, row = n / PITCH, side = n - 4 * PITCH;
        const int y = side >= 0 ? side / 4 : row < 2 ? row - 2 : row + TY - 2;
        const int x = side < 0 ? n % PITCH - 2 : side % 4 < 2 ? side % 4 - 2 : side % 4 + TX - 2;
        halo_to[m] = n < shape::HALO ? (y + 2) * PITCH + x + 2 : -1;
        halo_at[m] = (x < ni + 1 ? x : ni + 1) + (y < nj + 1 ? y : nj + 1) * s1;
    }
    /* the cells of the own gradient, and of one around the tile. Corners have none. */
    const bool column = tx <= ni && ty <= nj && (tx < ni || ty < nj);
    const bool column_inner = tile.lo[0] + tx < n0 && tile.lo[1] + ty < n1;
    const int last_first = THREADS - 1 - t; /* the first threads bring more */
    const int side = last_first - 2 * TX;
    const int gx = side < 0 ? last_first % TX : side < TY ? -1 : TX;
    const int gy = side >= 0 ? side % TY : last_first < TX ? -1 : TY;
    const bool around = last_first < shape::AROUND && gx <= ni && gy <= nj &&
                        (gx < ni || gy < nj) && (gx < ni || gy >= 0) && (gy < nj || gx >= 0);
    const bool around_inner = tile.lo[0] + gx >= 0 && tile.lo[0] + gx < n0 &&
                              tile.lo[1] + gy >= 0 && tile.lo[1] + gy < n1;

    /* the row of this warp in the component of S, DX and LAM that this lane asks for, a plane ahead */
    enum { LINE = 128 / sizeof(real), LINES = CONVECTS ? 21 : 18 };
    const real *const ask = TX == 32 && ty < nj && tx < LINES ? a.line[tx] + ty * s1 : nullptr;

    const int c = (ty + 2) * PITCH + tx + 2, e = (ty + 1) * PITCH_G + tx + 1;
    int behind = 0, here = 1, ahead = 2; /* slots of planes k-1, k, k+1 */
    struct viscous_way way, halo[PASSES] = {};
#define AN_BRING(plane)                              \
    way = viscous_bring(a, base + own + (plane)*s2); \
    for (int m = 0; m < PASSES; m++)                 \
        if (halo_to[m] >= 0)                         \
            halo[m] = viscous_bring(a, base + halo_at[m] + (plane)*s2);
#define AN_ARRIVE(slot)                       \
    viscous_place(shared, slot, c, way, prm); \
    for (int m = 0; m < PASSES; m++)          \
        if (halo_to[m] >= 0)                  \
            viscous_place(shared, slot, halo_to[m], halo[m], prm);
    AN_BRING(-1)
    AN_ARRIVE(behind)
    AN_BRING(0)
    AN_ARRIVE(here)
    AN_BRING(1)
    real below[4] = {0}; /* the flux through the k faces of the plane before */
    struct AN_FN(an_five) under = {0, 0, 0, 0, 0}; /* the convective one */
    const bool face_i = tx <= ni && ty < nj, face_j = tx < ni && ty <= nj;
    for (int k = -1; k <= nk; k++, base += s2) {
        const int level = tile.lo[2] + k, at = base + tx + ty * s1, slot = k & 1;
        const bool middle = k >= 0 && k < nk, level_inner = level >= 0 && level < n2;
        /* asked for before the barrier, wanted after it */
        const bool own_gradient = column && (middle || inside);
        struct viscous_steps steps = {};
        if (own_gradient)
            viscous_lower_steps(a, at, steps.lower);
        if (own_gradient && column_inner && level_inner)
            viscous_upper_steps(a, at, s1, s2, steps.upper);
        const int around_at = base + gx + gy * s1;
        struct viscous_steps other = {};
        if (middle && around && around_inner) {
            viscous_lower_steps(a, around_at, other.lower);
            viscous_upper_steps(a, around_at, s1, s2, other.upper);
        }
        real area[9] = {0};
        struct face_radii radii_i = {}, radii_j = {}, radii_k = {};
        if (CONVECTS && inside && k >= 0) {
            for (int m = 6; m < 9; m++)
                area[m] = __ldg(a.s[m] + at);
            radii_k = ask_radii<SCHEME>(a, 2, at, s2);
        }
        struct AN_FN(an_cell) last = {};              /* of k-2 */
        struct AN_FN(an_five) over = {0, 0, 0, 0, 0}; /* the convective flux through the k faces */
        if constexpr (CONVECTS)
            last = convective_fetch(shared, ahead, c);
        AN_ARRIVE(ahead)
        __syncthreads();
        if (ask && k < nk)
            for (int part = 0; part < TX; part += LINE)
                an_fetch_line(ask + base + s2 + part);
        if constexpr (CONVECTS)
            if (inside && k >= 0) /* while the steps are still on their way */
                over = convective_above<SCHEME>(shared, last, behind, here, ahead, c, area + 6,
                                                radii_k, prm);
        if (!CONVECTS && k < nk && (k + 1 < nk || tile.hi[2] < n2)) {
            AN_BRING(2)
        }
        real r_old[5] = {0}, w_old[5] = {0}, step = 0, volume = 0;
        const int to = at - s2;
        if (k >= 0) {
            if (inside && !CONVECTS)
                for (int m = 6; m < 9; m++)
                    area[m] = __ldg(a.s[m] + at);
            if (inside && k >= 1) {
                for (int m = 0; m < 5 && !CONVECTS; m++)
                    r_old[m] = a.r[m][to];
                if (TURNS)
                    volume = __ldg(a.vol + to);
                if (a.stage) {
                    step = prm->alpha * __ldg(a.dt + to);
                    for (int m = 0; m < 5; m++)
                        w_old[m] = a.w0[m][to];
                }
            }
        }
        if (middle) {
            if (face_i)
                for (int m = 0; m < 3; m++)
                    area[m] = __ldg(a.s[m] + at);
            if (face_j)
                for (int m = 3; m < 6; m++)
                    area[m] = __ldg(a.s[m] + at);
        }
        if (own_gradient) {
            real g[12];
            if (column_inner && level_inner)
                viscous_gradient<PITCH>(steps, &shared.q[behind][c], &shared.q[here][c],
                                        &shared.q[ahead][c], g);
            else
                viscous_given(a, at, g);
            viscous_keep(shared.g[slot], e, g);
        }
        if (middle && around) {
            const int gc = (gy + 2) * PITCH + gx + 2;
            real g[12];
            if (around_inner)
                viscous_gradient<PITCH>(other, &shared.q[behind][gc], &shared.q[here][gc],
                                        &shared.q[ahead][gc], g);
            else
                viscous_given(a, around_at, g);
            viscous_keep(shared.g[slot], (gy + 1) * PITCH_G + gx + 1, g);
        }
        /* with convective fluxes there is work enough left to hide these, and few registers before it */
        if (CONVECTS && k < nk) {
            AN_BRING(2)
        }
        if (CONVECTS && middle && face_i)
            radii_i = ask_radii<SCHEME>(a, 0, at, 1);
        if (CONVECTS && middle && face_j)
            radii_j = ask_radii<SCHEME>(a, 1, at, s1);
        if (inside && k >= 0) {
            const struct AN_FN(an_viscous_cell)
                l = viscous_fetch(&shared.q[behind][c], &shared.mu[behind][c]),
                r = viscous_fetch(&shared.q[here][c], &shared.mu[here][c]);
            real mean[12];
            viscous_mean(&shared.g[1 - slot][0][e], &shared.g[slot][0][e], shape::PLANE_G, mean);
            const struct AN_FN(an_five) f =
                AN_FN(an_flux_viscous_mean)(&l, &r, mean, area + 6, steps.lower + 6, prm);
            const real above[4] = {f.x, f.y, f.z, f.e};
            if constexpr (CONVECTS) {
                if (k >= 1) {
                    real di[4], dj[4];
                    viscous_less(shared.ci[ty][tx + 1], shared.ci[ty][tx], di);
                    viscous_less(shared.cj[ty + 1][tx], shared.cj[ty][tx], dj);
                    r_old[0] = ((shared.mi[ty][tx + 1] - shared.mi[ty][tx]) +
                                (shared.mj[ty + 1][tx] - shared.mj[ty][tx])) +
                               (over.m - under.m);
                    r_old[1] = (di[0] + dj[0]) + (over.x - under.x);
                    r_old[2] = (di[1] + dj[1]) + (over.y - under.y);
                    r_old[3] = (di[2] + dj[2]) + (over.z - under.z);
                    r_old[4] = (di[3] + dj[3]) + (over.e - under.e);
                    if (TURNS) {
                        const struct AN_FN(an_cell) l1 = convective_fetch(shared, behind, c);
                        const real omega = static_cast<real>(block->omega);
                        r_old[2] += AN_FN(an_source_y)(l1.rho, l1.w, omega, volume);
                        r_old[3] += AN_FN(an_source_z)(l1.rho, l1.v, omega, volume);
                    }
                    if (!a.stage)
                        a.out[0][to] = r_old[0];
                }
                under = over;
            }
            if (k >= 1) {
                real di[4], dj[4];
                viscous_less(shared.fi[ty][tx + 1], shared.fi[ty][tx], di);
                viscous_less(shared.fj[ty + 1][tx], shared.fj[ty][tx], dj);
                if (a.stage)
                    a.out[0][to] = AN_FMA(-step, r_old[0], w_old[0]);
                for (int m = 0; m < 4; m++) {
                    const real sum = ((AN_R(0.0) + di[m]) + dj[m]) + (above[m] - below[m]);
                    const real r_new = r_old[m + 1] + sum;
                    if (a.kept[0])
                        a.kept[m][to] = sum;
                    a.out[m + 1][to] = a.stage ? AN_FMA(-step, r_new, w_old[m + 1]) : r_new;
                }
            }
            for (int m = 0; m < 4; m++)
                below[m] = above[m];
        }
        /* the faces above the last row and the last column go to the first threads */
        const bool above_row = t < TX;
        const int x = above_row ? t : TX, y = above_row ? TY : t - TX;
        const bool edge =
            middle && t < TX + TY && (above_row ? x < ni && TY <= nj : TX <= ni && y < nj);
        real edge_s[3] = {0}, edge_d[3] = {0};
        struct face_radii edge_radii = {};
        const int dir = above_row ? 1 : 0, edge_at = base + x + y * s1;
        if (edge)
            for (int m = 0; m < 3; m++) {
                edge_s[m] = __ldg(a.s[3 * dir + m] + edge_at);
                edge_d[m] = __ldg(a.dx[3 * dir + m] + edge_at);
            }
        if (CONVECTS && edge)
            edge_radii = ask_radii<SCHEME>(a, dir, edge_at, above_row ? s1 : 1);
        __syncthreads();
        if (middle && face_i)
            put_i(shared, ty, tx,
                  lower_fluxes<SCHEME>(shared, here, slot, c, 1, e, 1, area, steps.lower, radii_i,
                                       prm));
        if (middle && face_j)
            put_j(shared, ty, tx,
                  lower_fluxes<SCHEME>(shared, here, slot, c, PITCH, e, PITCH_G, area + 3,
                                       steps.lower + 3, radii_j, prm));
        if (edge) {
            const struct lower_flux f =
                lower_fluxes<SCHEME>(shared, here, slot, (y + 2) * PITCH + x + 2,
                                     above_row ? PITCH : 1, (y + 1) * PITCH_G + x + 1,
                                     above_row ? PITCH_G : 1, edge_s, edge_d, edge_radii, prm);
            if (above_row)
                put_j(shared, y, x, f);
            else
                put_i(shared, y, x, f);
        }
        const int oldest = behind;
        behind = here;
        here = ahead;
        ahead = oldest;
    }
#undef AN_BRING
#undef AN_ARRIVE
}

/* stage: and the update of a stage. */
static struct viscous_args viscous_args_of(int stage, const struct an_cell_args *cell)
{
    struct viscous_args a;
#define AN_AT(field, n) (static_cast<real *>(cell->fields.at[AN_F_##field]) + (n)*cell->cs)
    a.block = cell->block;
    a.tile = cell->tile;
    a.stage = stage;
#if AN_KEPT
    for (int m = 0; m < 4; m++) {
        a.w[m] = AN_AT(W, m);
        a.w[4 + m] = AN_AT(EOS, AN_EOS_T + m);
    }
#else
    for (int m = 0; m < 5; m++)
        a.w[m] = AN_AT(W, m);
#endif
    for (int m = 0; m < 5; m++) {
        a.r[m] = AN_AT(R, m);
        a.w0[m] = stage ? AN_AT(W0, m) : nullptr;
        a.out[m] = stage ? AN_AT(WN, m) : AN_AT(R, m);
    }
    for (int m = 0; m < 4; m++)
        a.kept[m] = cell->fields.at[AN_F_FORCE] ? AN_AT(FORCE, m + 1) : nullptr;
    for (int m = 0; m < 9; m++) {
        a.line[m] = a.s[m] = AN_AT(S, m);
        a.line[9 + m] = a.dx[m] = AN_AT(DX, m);
    }
    const bool turns = cell->fields.at[AN_F_G] && cell->fields.at[AN_F_VOL];
    for (int m = 0; m < 3; m++) {
        a.line[18 + m] = a.lam[m] = cell->fields.at[AN_F_LAM] ? AN_AT(LAM, m) : nullptr;
        a.g[m] = turns ? AN_AT(G, m) : nullptr;
    }
    a.vol = turns ? AN_AT(VOL, 0) : nullptr;
    for (int m = 0; m < 12; m++)
        a.grad[m] = AN_AT(GRAD, m);
    a.mut = AN_AT(MUT, 0);
    a.dt = stage ? AN_AT(DT, 0) : nullptr;
#undef AN_AT
    return a;
}
} // namespace

#endif
