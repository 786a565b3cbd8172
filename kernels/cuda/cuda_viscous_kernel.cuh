/* CUDA engines: viscous fluxes added to the residual, or to the residual and at once a Runge-Kutta
 * stage, by plane streaming; or the convective fluxes of cuda_fused.cuh and the viscous ones in one pass, without
 * the residual of the first ones in engine memory between them. A policy of cuda_planes.cuh.
 *
 * Of three planes u, v, w, T and the viscosities lie in slots with two layers of boundary cells; of two planes the
 * gradients, with one layer:
 *
 *     slots       k-1   k   k+1         gradients   k-1 (of the tile alone)   k
 *     prefetched  k+2 into registers; areas and steps of k+1 into the second-level cache
 *
 * So each gradient is computed once, but for those of boundary cells, and never stored. Gradients of ghost cells come
 * from engine memory (they are exchanged and follow from boundary conditions). A face of i or j is computed by the
 * thread of its upper cell, which hands the flux on through shared memory; the flux through k faces stays in registers
 * from plane to plane. Shared memory is read and written by fours of words, and holds half the gradients: the mean of
 * two is a sum.
 *
 * Loads bound this kernel. They are issued one barrier before their use, which takes many registers, so few warps are
 * resident.
 *
 * Barriers of a plane: the first one closes the slot of k+1 and the fluxes of i and j of k-1, the second one the
 * gradients of k. The slot of k+1 was last read, as that of k-2, before the second barrier of k-1, and so were the
 * gradients of k-2; fluxes of k are read behind the first barrier of k+1.
 *
 * With convective fluxes (SCHEME) the slots also hold rho, p and H. The flux through a k face takes cells of one
 * column, which their thread stored itself, that of k-2 before k+1 takes its place; so it is computed first, while the
 * steps are still being loaded. Fluxes through i and j faces are computed and handed on beside the viscous ones. The
 * sums of both kinds of fluxes are made apart, and added as two kernels would add them: the same bits.
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
#include "kernels/cuda/cuda_planes.cuh"

/* Words of a cell that come from engine memory: W, or of gas tables and mixtures rho, the momentum, and T, viscosity,
 * conductivity and cp of EOS; then MUT. */
enum { WORDS = AN_CACHED ? 9 : 6 };

struct viscous_args {
    const struct an_block *block;
    const struct an_tile *tile;
    const real *cell[WORDS], *s[9], *dx[9], *grad[12], *r[5], *w0[5], *dt;
    real *out[5], *kept[4]; /* kept: FORCE, or NULL */
    int stage;
    const real *line[21]; /* S, DX and LAM */
    /* with convective fluxes: radii; where blocks turn what faces sweep, and volumes */
    const real *lam[3], *g[3], *vol;
};

template <int TX, int TY> struct viscous_shape {
    typedef struct plane_slot<TX, TY, 2> slot;   /* of cells */
    typedef struct plane_slot<TX, TY, 1> slot_g; /* of gradients */
    static constexpr int PLANE = slot::CELLS, PLANE_G = slot_g::CELLS;
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

static __device__ __forceinline__ struct AN_FN(an_viscous_cell)
    viscous_cell_of(const real (&w)[WORDS], const struct AN_FN(an_prm) * prm)
{
#if AN_CACHED
    return AN_FN(an_viscous_cell_words)(w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], prm);
#else
    return AN_FN(an_viscous_cell_from)(w[0], w[1], w[2], w[3], w[4], w[5], prm);
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

/* A cell takes its place in a slot. */
template <class S>
static __device__ __forceinline__ void
viscous_store(S &shared, int slot, int c, const real (&w)[WORDS], const struct AN_FN(an_prm) * prm)
{
#if !AN_CACHED
    if constexpr (S::CONVECTS) {
        const struct AN_FN(an_cell) q =
            AN_FN(an_cell_from_conserved)(w[0], w[1], w[2], w[3], w[4], prm);
        viscous_put(&shared.q[slot][c], &shared.mu[slot][c],
                    AN_FN(an_viscous_cell_of)(&q, w[WORDS - 1], prm));
        shared.d[slot][c] = {q.rho, q.p};
        shared.h[slot][c] = q.H;
        return;
    }
#endif
    viscous_put(&shared.q[slot][c], &shared.mu[slot][c], viscous_cell_of(w, prm));
}

/* A cell as convective fluxes see it. */
template <class S>
static __device__ __forceinline__ struct AN_FN(an_cell)
    convective_fetch(const S &shared, int slot, int c)
{
    const struct an_words4 q = shared.q[slot][c];
    const struct an_words2 d = shared.d[slot][c];
    struct AN_FN(an_cell) cell =
        AN_FN(an_cell_of_words)(d.a, q.a, q.b, q.c, d.b, shared.h[slot][c]);
    return cell;
}

/* What engine memory has of a lower face beside its area: radii of both cells, what it sweeps. */
struct face_radii {
    real left, right, sweep;
};

template <int SCHEME>
static __device__ __forceinline__ struct face_radii load_radii(const struct viscous_args &a,
                                                               int dir, int at, int stride)
{
    struct face_radii f = {__ldg(a.lam[dir] + at - stride), __ldg(a.lam[dir] + at),
                           SCHEME & AN_ROTATING ? __ldg(a.g[dir] + at) : AN_R(0.0)};
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

static __device__ __forceinline__ void viscous_difference(const struct an_words4 &upper,
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
    viscous_difference(here[1], here[-1], di);
    viscous_difference(here[PITCH], here[-PITCH], dj);
    viscous_difference(*above, *below, dk);
    AN_FN(an_cell_gradient)(AN_R(0.5), i, j, k, di, dj, dk, g);
}

/* The same of a ghost. */
static __device__ __forceinline__ void viscous_ghost_gradient(const struct viscous_args &a, int at,
                                                              real g[12])
{
    for (int m = 0; m < 12; m++)
        g[m] = AN_R(0.5) * __ldg(a.grad[m] + at);
}

template <int PLANE_G>
static __device__ __forceinline__ void viscous_put_gradient(struct an_words4 (&to)[3][PLANE_G],
                                                            int e, const real g[12])
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

/* What the update of a cell takes beside its fluxes. */
struct viscous_old {
    real r[5], w[5], step, volume;
};

/* SCHEME: the convective flux (enum an_scheme, with AN_ROTATING or not; no low Mach numbers), or NO_SCHEME.
 * RARE: the viscosity may follow a power law, and the stress QCR2000, which take registers and code even
 * where they are not called. */
template <int SCHEME, int TX, int TY, int BLOCKS, int RARE> struct viscous_march {
    typedef typename planes_shared<SCHEME, TX, TY>::type shared;
    typedef struct viscous_args args;
    typedef typename viscous_shape<TX, TY>::slot slot_shape;
    typedef typename viscous_shape<TX, TY>::slot_g slot_g;
    typedef struct plane_frame<TX, TY, 1> frame;
    typedef struct plane_ring<TX, TY> ring;
    typedef struct AN_FN(an_five) five;
    static constexpr const char *NAME = shared::CONVECTS ? "RANS" : "viscous";
    static constexpr int COLUMNS_I = TX, COLUMNS_J = TY, THREADS = TX * TY, MIN_BLOCKS = BLOCKS;
    static constexpr int FIRST = -1, LAST = 1,
                         BARRIERS = 2; /* sums of a plane are made in the next one */
    static constexpr bool CONVECTS = shared::CONVECTS;
    static constexpr bool ROTATING = CONVECTS && (SCHEME & AN_ROTATING) != 0;
    static constexpr int PITCH = slot_shape::PITCH, PITCH_G = slot_g::PITCH;

    const args &a;
    const struct AN_FN(an_prm) *const prm;
    struct plane_tile<TX, TY> tile;
    shared &g;
    const int own, c,
        e; /* the own cell: element from tile.base; place in slots of cells, of gradients */
    const frame halo;
    /* which gradients there are: of the own cell, and of one boundary cell. Corners have none. */
    const ring side; /* the first threads have edge faces to compute */
    const bool column, column_inner, around, around_inner;
    const real *const
        line; /* the row of S, DX or LAM that this lane prefetches into the second-level cache */
    struct plane_stage<0, WORDS, 1 + frame::PASSES, THREADS> stage; /* own cell, boundary cells */
    struct plane_slots<1> slot;
    real below[4]; /* viscous flux through the k faces of the plane before */
    five under;    /* the convective one */
    /* of this plane */
    int at, around_at,
        slot_now; /* element of the own cell, of the boundary cell; slot of gradients */
    bool middle, level_inner, own_gradient;
    struct viscous_steps steps, around_steps;
    real area[9], edge_s[3], edge_d[3];
    struct face_radii radii_i, radii_j, radii_k, edge_radii;
    struct AN_FN(an_cell) last; /* of k-2 */
    five over;                  /* convective flux through the k faces */

    static __device__ __forceinline__ struct AN_FN(an_prm)
        specialise(const struct AN_FN(an_prm) & parameters)
    {
        struct AN_FN(an_prm) p = parameters;
        if (!RARE) {
            p.fluid.viscosity = parameters.fluid.viscosity == AN_VISCOSITY_SUTHERLAND
                                    ? AN_VISCOSITY_SUTHERLAND
                                    : AN_VISCOSITY_CONSTANT;
            p.turb.qcr = 0;
        }
        if (CONVECTS) {
            p.flux.low_mach = AN_R(0.0);
            p.flux.precondition = 0;
        }
        return p;
    }

    __device__ __forceinline__ bool inner(int x, int y) const
    {
        return tile.lo[0] + x >= 0 && tile.lo[0] + x < tile.block->n[0] && tile.lo[1] + y >= 0 &&
               tile.lo[1] + y < tile.block->n[1];
    }
    /* Do the tile and its upper boundary cells hold this one? */
    __device__ __forceinline__ bool reaches(int x, int y) const
    {
        return x <= tile.ni && y <= tile.nj && (x < tile.ni || y < tile.nj);
    }

    __device__ __forceinline__ viscous_march(const args &given, const struct AN_FN(an_prm) * p,
                                             const struct an_tile &of, shared &layout)
        : a(given), prm(p), tile(given.block, of, FIRST), g(layout), own(tile.own(2)),
          c(slot_shape::at(tile.tx, tile.ty)), e(slot_g::at(tile.tx, tile.ty)), halo(tile),
          side(THREADS - 1 - tile.t, 1), column(reaches(tile.tx, tile.ty)),
          column_inner(inner(tile.tx, tile.ty)),
          around(THREADS - 1 - tile.t < ring::CELLS && reaches(side.x, side.y) &&
                 (side.x < tile.ni || side.y >= 0) && (side.y < tile.nj || side.x >= 0)),
          around_inner(inner(side.x, side.y)),
          line(TX == 32 && tile.ty < tile.nj && tile.tx < (CONVECTS ? 21 : 18)
                   ? a.line[tile.tx] + tile.ty * tile.s1
                   : nullptr),
          stage(tile.t), below{}, under{}
    {
    }

    __device__ __forceinline__ void prefetch_plane(int plane)
    {
        plane_prefetch(stage, 0, a.cell, tile.base + own + plane * tile.s2);
        for (int m = 0; m < frame::PASSES; m++)
            if (halo.to[m] >= 0)
                plane_prefetch(stage, 1 + m, a.cell, tile.base + halo.from[m] + plane * tile.s2);
    }
    __device__ __forceinline__ void take_plane(int to)
    {
        real w[WORDS];
        plane_take(stage, 0, w);
        viscous_store(g, to, c, w, prm);
        for (int m = 0; m < frame::PASSES; m++)
            if (halo.to[m] >= 0) {
                plane_take(stage, 1 + m, w);
                viscous_store(g, to, halo.to[m], w, prm);
            }
    }

    __device__ __forceinline__ void start()
    {
        prefetch_plane(-1);
        take_plane(slot.behind);
        prefetch_plane(0);
        take_plane(slot.here);
        prefetch_plane(1);
    }

    /* Loaded before the barrier, used behind it: steps, and what the convective flux through the k faces takes. */
    __device__ __forceinline__ void load_steps(int k)
    {
        steps = around_steps = {};
        if (own_gradient)
            viscous_lower_steps(a, at, steps.lower);
        if (own_gradient && column_inner && level_inner)
            viscous_upper_steps(a, at, tile.s1, tile.s2, steps.upper);
        if (middle && around && around_inner) {
            viscous_lower_steps(a, around_at, around_steps.lower);
            viscous_upper_steps(a, around_at, tile.s1, tile.s2, around_steps.upper);
        }
        for (int m = 0; m < 9; m++)
            area[m] = 0;
        radii_i = radii_j = radii_k = {};
        if (CONVECTS && tile.inside && k >= 0) {
            for (int m = 6; m < 9; m++)
                area[m] = __ldg(a.s[m] + at);
            radii_k = load_radii<SCHEME>(a, 2, at, tile.s2);
        }
    }

    __device__ __forceinline__ void before(int k)
    {
        const int level = tile.lo[2] + k;
        at = tile.base + tile.tx + tile.ty * tile.s1;
        around_at = tile.base + side.x + side.y * tile.s1;
        slot_now = k & 1;
        middle = k >= 0 && k < tile.nk;
        level_inner = level >= 0 && level < tile.block->n[2];
        own_gradient = column && (middle || tile.inside);
        load_steps(k);
        last = {};
        over = {0, 0, 0, 0, 0};
        if constexpr (CONVECTS)
            last = convective_fetch(g, slot.ahead, c);
        take_plane(slot.ahead);
    }

    __device__ __forceinline__ void prefetch_lines(int k) const
    {
        if (line && k < tile.nk)
            for (int part = 0; part < TX; part += static_cast<int>(128 / sizeof(real)))
                an_fetch_line(line + tile.base + tile.s2 + part);
    }

    /* For the sums of k-1. */
    __device__ __forceinline__ struct viscous_old load_old(int k) const
    {
        struct viscous_old old = {};
        const int to = at - tile.s2;
        if (!tile.inside || k < 1)
            return old;
        for (int m = 0; m < 5 && !CONVECTS; m++)
            old.r[m] = a.r[m][to];
        if (ROTATING)
            old.volume = __ldg(a.vol + to);
        if (a.stage) {
            old.step = prm->march.alpha * __ldg(a.dt + to);
            for (int m = 0; m < 5; m++)
                old.w[m] = a.w0[m][to];
        }
        return old;
    }

    __device__ __forceinline__ void load_areas(int dir, bool any)
    {
        if (any)
            for (int m = 0; m < 3; m++)
                area[3 * dir + m] = __ldg(a.s[3 * dir + m] + at);
    }

    /* Half the gradient of a cell, for the faces around it: c, e its places in the slots. */
    __device__ __forceinline__ void put_gradient(int from, int cell, int to, bool is_inner,
                                                 const struct viscous_steps &s)
    {
        real half[12];
        if (is_inner)
            viscous_gradient<PITCH>(s, &g.q[slot.behind][cell], &g.q[slot.here][cell],
                                    &g.q[slot.ahead][cell], half);
        else
            viscous_ghost_gradient(a, from, half);
        viscous_put_gradient(g.g[slot_now], to, half);
    }

    /* The sums of convective fluxes of k-1, in place of a residual in engine memory. */
    __device__ __forceinline__ void sum_convective(struct viscous_old *old) const
    {
        const int tx = tile.tx, ty = tile.ty;
        real di[4], dj[4];
        viscous_difference(g.ci[ty][tx + 1], g.ci[ty][tx], di);
        viscous_difference(g.cj[ty + 1][tx], g.cj[ty][tx], dj);
        old->r[0] = ((g.mi[ty][tx + 1] - g.mi[ty][tx]) + (g.mj[ty + 1][tx] - g.mj[ty][tx])) +
                    (over.m - under.m);
        old->r[1] = (di[0] + dj[0]) + (over.x - under.x);
        old->r[2] = (di[1] + dj[1]) + (over.y - under.y);
        old->r[3] = (di[2] + dj[2]) + (over.z - under.z);
        old->r[4] = (di[3] + dj[3]) + (over.e - under.e);
        if (ROTATING) {
            const struct AN_FN(an_cell) l1 = convective_fetch(g, slot.behind, c);
            const real omega = static_cast<real>(tile.block->omega);
            old->r[2] += AN_FN(an_source_y)(l1.rho, l1.w, omega, old->volume);
            old->r[3] += AN_FN(an_source_z)(l1.rho, l1.v, omega, old->volume);
        }
        if (!a.stage)
            a.out[0][at - tile.s2] = old->r[0];
    }

    /* The sums of viscous fluxes of k-1, added to the residual; and the update. above: flux through the k faces */
    __device__ __forceinline__ void sum_viscous(const struct viscous_old &old, const real above[4])
    {
        const int to = at - tile.s2;
        real di[4], dj[4];
        viscous_difference(g.fi[tile.ty][tile.tx + 1], g.fi[tile.ty][tile.tx], di);
        viscous_difference(g.fj[tile.ty + 1][tile.tx], g.fj[tile.ty][tile.tx], dj);
        if (a.stage)
            a.out[0][to] = AN_FMA(-old.step, old.r[0], old.w[0]);
        for (int m = 0; m < 4; m++) {
            const real sum = ((AN_R(0.0) + di[m]) + dj[m]) + (above[m] - below[m]);
            const real r_new = old.r[m + 1] + sum;
            if (a.kept[0])
                a.kept[m][to] = sum;
            a.out[m + 1][to] = a.stage ? AN_FMA(-old.step, r_new, old.w[m + 1]) : r_new;
        }
    }

    /* The viscous flux through the lower k face, then the sums of k-1. */
    __device__ __forceinline__ void upper_face(int k, struct viscous_old *old)
    {
        const struct AN_FN(an_viscous_cell)
            l = viscous_fetch(&g.q[slot.behind][c], &g.mu[slot.behind][c]),
            r = viscous_fetch(&g.q[slot.here][c], &g.mu[slot.here][c]);
        real mean[12];
        viscous_mean(&g.g[1 - slot_now][0][e], &g.g[slot_now][0][e], slot_g::CELLS, mean);
        const five f = AN_FN(an_flux_viscous_mean)(&l, &r, mean, area + 6, steps.lower + 6, prm);
        const real above[4] = {f.x, f.y, f.z, f.e};
        if constexpr (CONVECTS) {
            if (k >= 1)
                sum_convective(old);
            under = over;
        }
        if (k >= 1)
            sum_viscous(*old, above);
        for (int m = 0; m < 4; m++)
            below[m] = above[m];
    }

    __device__ __forceinline__ void load_edge()
    {
        const int from = tile.edge_element();
        for (int m = 0; m < 3; m++)
            edge_s[m] = edge_d[m] = 0;
        edge_radii = {};
        if (!middle || !tile.edge())
            return;
        for (int m = 0; m < 3; m++) {
            edge_s[m] = __ldg(a.s[3 * tile.edge_dir() + m] + from);
            edge_d[m] = __ldg(a.dx[3 * tile.edge_dir() + m] + from);
        }
        if (CONVECTS)
            edge_radii =
                load_radii<SCHEME>(a, tile.edge_dir(), from, tile.edge_row() ? tile.s1 : 1);
    }

    /* Gradients of k in the own cell and in a boundary cell. */
    __device__ __forceinline__ void gradients()
    {
        if (own_gradient)
            put_gradient(at, c, e, column_inner && level_inner, steps);
        if (middle && around)
            put_gradient(around_at, slot_shape::at(side.x, side.y), slot_g::at(side.x, side.y),
                         around_inner, around_steps);
    }

    __device__ __forceinline__ void load_lower_radii()
    {
        if (CONVECTS && middle && tile.face_i())
            radii_i = load_radii<SCHEME>(a, 0, at, 1);
        if (CONVECTS && middle && tile.face_j())
            radii_j = load_radii<SCHEME>(a, 1, at, tile.s1);
    }

    __device__ __forceinline__ void between(int k)
    {
        const bool more = k < tile.nk, sums = tile.inside && k >= 0;
        prefetch_lines(k);
        if constexpr (CONVECTS)
            if (sums) /* while the steps are still being loaded */
                over = convective_above<SCHEME>(g, last, slot.behind, slot.here, slot.ahead, c,
                                                area + 6, radii_k, prm);
        if (!CONVECTS && more && (k + 1 < tile.nk || tile.lo[2] + tile.nk < tile.block->n[2]))
            prefetch_plane(2);
        load_areas(2, sums && !CONVECTS);
        struct viscous_old old = load_old(k);
        load_areas(0, middle && tile.face_i());
        load_areas(1, middle && tile.face_j());
        gradients();
        /* with convective fluxes there is work enough left to hide these, and few registers before it */
        if (CONVECTS && more)
            prefetch_plane(2);
        load_lower_radii();
        if (sums)
            upper_face(k, &old);
        load_edge();
    }

    /* Fluxes through i and j faces, for the sums of both their cells. */
    __device__ __forceinline__ void after(int)
    {
        if (middle && tile.face_i())
            put_i(g, tile.ty, tile.tx,
                  lower_fluxes<SCHEME>(g, slot.here, slot_now, c, 1, e, 1, area, steps.lower,
                                       radii_i, prm));
        if (middle && tile.face_j())
            put_j(g, tile.ty, tile.tx,
                  lower_fluxes<SCHEME>(g, slot.here, slot_now, c, PITCH, e, PITCH_G, area + 3,
                                       steps.lower + 3, radii_j, prm));
        if (middle && tile.edge()) {
            const struct lower_flux f = lower_fluxes<SCHEME>(
                g, slot.here, slot_now, slot_shape::at(tile.edge_x(), tile.edge_y()),
                tile.edge_row() ? PITCH : 1, slot_g::at(tile.edge_x(), tile.edge_y()),
                tile.edge_row() ? PITCH_G : 1, edge_s, edge_d, edge_radii, prm);
            if (tile.edge_row())
                put_j(g, tile.edge_y(), tile.edge_x(), f);
            else
                put_i(g, tile.edge_y(), tile.edge_x(), f);
        }
    }

    __device__ __forceinline__ void rotate()
    {
        slot.rotate();
    }
};

/* stage: and the update of a stage. */
static struct viscous_args viscous_args_of(int stage, const struct an_cell_args *cell)
{
    struct viscous_args a;
#define AN_AT(field, n) AN_WORDS_OF(cell, field, n)
    a.block = cell->block;
    a.tile = cell->tile;
    a.stage = stage;
#if AN_CACHED
    for (int m = 0; m < 4; m++) {
        a.cell[m] = AN_AT(W, m);
        a.cell[4 + m] = AN_AT(EOS, AN_EOS_T + m);
    }
#else
    for (int m = 0; m < 5; m++)
        a.cell[m] = AN_AT(W, m);
#endif
    a.cell[WORDS - 1] = AN_AT(MUT, 0);
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
    const bool rotating = cell->fields.at[AN_F_G] && cell->fields.at[AN_F_VOL];
    for (int m = 0; m < 3; m++) {
        a.line[18 + m] = a.lam[m] = cell->fields.at[AN_F_LAM] ? AN_AT(LAM, m) : nullptr;
        a.g[m] = rotating ? AN_AT(G, m) : nullptr;
    }
    a.vol = rotating ? AN_AT(VOL, 0) : nullptr;
    for (int m = 0; m < 12; m++)
        a.grad[m] = AN_AT(GRAD, m);
    a.dt = stage ? AN_AT(DT, 0) : nullptr;
#undef AN_AT
    return a;
}
} // namespace

#endif
