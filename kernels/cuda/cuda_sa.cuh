/* CUDA engines: sa_residual.stencil by plane streaming, where an_planes_hold (kernels/engine/planes.h). The sums
 * and the sources of a cell are the body of the stencil.
 *
 * A thread block owns TX x TY columns of cells and marches in k. Of the planes k and k+1 the states, gradients
 * of nut and wall distances lie in shared memory, one cell around the tile included, and nut two cells around. A
 * thread forms the state of its own cell, and of one around the tile, once for each plane. A face of i or j is
 * computed by the thread of its upper cell, and what it does to the lower cell is handed on through shared
 * memory (the last row and column of faces are shared out to the first threads). The face towards k+1 needs
 * the own column alone, which lies in registers:
 *
 *     registers  states of k, k+1      nut of k-1 to k+2
 *     on their way from engine memory  k+2 (nut k+3), areas and steps of the faces of the next plane
 *
 * Areas, steps and states are asked for a plane before they are wanted, and what the sources read is asked for
 * before the faces are computed, so that no thread waits long for engine memory.
 *
 * There is one barrier for each plane. It stands between the faces of the plane k and the sums of its cells. The
 * slot that k+1 is written to was last read by the faces of k-1, ahead of the barrier of k-1. What faces of k hand
 * on is written where the sums of k-2 read, ahead of the barrier of k-1, too.
 *
 * Compulsory traffic: W 5, TURB 1, GRADT 3, WD 1, GRAD 9, S 9, DX 9, VOL 1, RT 1, DIAGT 1, LINE 6 = 46 words for each
 * cell, and G 3 where blocks turn. */

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/physics/spalart_allmaras.h"
#include "kernels/physics/wall_function.h"

namespace
{
#include "kernels/cuda/cuda_shapes.cuh"

#define AN_STENCIL "kernels/stencils/sa_residual.stencil"
#include AN_STENCIL

struct sa_args {
    const struct an_block *block;
    const struct an_tile *tile;
    /* w: W; of gas tables and mixtures its first four and the viscosity of EOS */
    const real *w[5], *turb, *gradt[3], *wd, *grad[9], *s[9], *dx[9], *g[3], *vol, *utau, *rough,
        *des;
    real *rt, *diagt, *line[6];
};

template <int TX, int TY> struct sa_shape {
    static constexpr int THREADS = TX * TY, PITCH = TX + 4, PLANE = PITCH * (TY + 4);
    static constexpr int RING = 2 * (TX + TY); /* cells beside the tile, in one layer around it */
    static_assert(RING <= THREADS, "a thread brings one cell of each layer at most");
};

template <int TX, int TY> struct sa_shared {
    typedef struct sa_shape<TX, TY> shape;
    struct an_words4 q[2][shape::PLANE]; /* density, velocity */
    struct an_words4 g[2][shape::PLANE]; /* gradient of nut, viscosity */
    struct an_words2 n[2][shape::PLANE]; /* nut, wall distance */
    /* what a lower face does to the cell below it: RT, coupling */
    struct an_words2 fi[2][TY][TX + 1];
    struct an_words2 fj[2][TY + 1][TX];
};

/* A cell but for nut. */
struct sa_cell {
    struct AN_FN(an_turb_cell) q;
    real g[3];
};

/* Words of a cell on their way. */
struct sa_way {
    real w[5], g[3], wd, nut;
};

static __device__ __forceinline__ void sa_bring(const struct sa_args &a, int from,
                                                struct sa_way *way)
{
    AN_UNROLL
    for (int m = 0; m < 5; m++)
        way->w[m] = __ldg(a.w[m] + from);
    AN_UNROLL
    for (int m = 0; m < 3; m++)
        way->g[m] = __ldg(a.gradt[m] + from);
    way->wd = __ldg(a.wd + from);
}

static __device__ __forceinline__ struct sa_cell sa_arrive(const struct sa_way &way,
                                                           const struct AN_FN(an_prm) * prm)
{
#if AN_KEPT
    real eos[AN_EOS_FRACTION] = {0};
    const int64_t cs = 1;
    eos[AN_EOS_MU] = way.w[4];
    const real energy = AN_R(0.0); /* neither viscosity nor velocity hangs on it */
#else
    const real energy = way.w[4];
#endif
    struct sa_cell c = {AN_FN(an_turb_cell_kept)(way.w[0], way.w[1], way.w[2], way.w[3], energy,
                                                 AN_EOS(eos[0]) prm),
                        {way.g[0], way.g[1], way.g[2]}};
    return c;
}

template <class S>
static __device__ __forceinline__ void sa_put(S &shared, int slot, int at, const struct sa_cell &c,
                                              real nut, real wd)
{
    shared.q[slot][at] = {c.q.rho, c.q.u, c.q.v, c.q.w};
    shared.g[slot][at] = {c.g[0], c.g[1], c.g[2], c.q.nu};
    shared.n[slot][at] = {nut, wd};
}

template <class S>
static __device__ __forceinline__ struct sa_cell sa_fetch(const S &shared, int slot, int at)
{
    const struct an_words4 q = shared.q[slot][at], g = shared.g[slot][at];
    struct sa_cell c = {{q.a, q.b, q.c, q.d, g.d}, {g.a, g.b, g.c}};
    return c;
}

/* What engine memory has of a lower face. */
struct sa_words {
    real s[3], r[3], sweep;
};

static __device__ __forceinline__ void sa_ask(const struct sa_args &a, int dir, int at,
                                              const struct AN_FN(an_prm) * prm, struct sa_words *w)
{
    AN_UNROLL
    for (int m = 0; m < 3; m++) {
        w->s[m] = __ldg(a.s[3 * dir + m] + at);
        w->r[m] = __ldg(a.dx[3 * dir + m] + at);
    }
    w->sweep = prm->turns ? __ldg(a.g[dir] + at) : AN_R(0.0);
}

/* Does a cell of this wall distance lie behind a viscous wall? */
static __device__ __forceinline__ int sa_behind(real distance)
{
    return distance < AN_R(0.0);
}

/* What a face does to the cells on both its sides. */
struct sa_sides {
    struct AN_FN(an_sa_flux) lower, upper;
};

/* nut: of the two cells below the face and the two above. */
static __device__ __forceinline__ struct sa_sides
sa_sides_of(const struct sa_cell &l, const struct sa_cell &r, const real nut[4],
            const struct sa_words &w, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_sa_face) face = AN_FN(an_sa_face_of)(
        &l.q, &r.q, nut[0], nut[1], nut[2], nut[3], l.g, r.g, w.s, w.r, w.sweep, prm->turb_order);
    struct sa_sides f = {
        AN_FN(an_sa_side)(l.q.rho / AN_SA_SIGMA, nut[1], face.m, face.gradient, &face),
        AN_FN(an_sa_side)(r.q.rho / AN_SA_SIGMA, nut[2], -face.m, -face.gradient, &face)};
    return f;
}

/* Of the lower face of the cell `at` of a plane; its neighbour there is `step` cells away. walls: bits, does the
 * cell below the cell, and the one above, lie behind a viscous wall? */
template <class S>
static __device__ __forceinline__ struct sa_sides
sa_lower(const S &shared, int slot, int at, int step, const struct sa_words &w,
         const struct AN_FN(an_prm) * prm, int *walls)
{
    const struct an_words2 below = shared.n[slot][at - step], above = shared.n[slot][at + step];
    const real nut[4] = {shared.n[slot][at - 2 * step].a, below.a, shared.n[slot][at].a, above.a};
    *walls = sa_behind(below.b) | sa_behind(above.b) << 1;
    return sa_sides_of(sa_fetch(shared, slot, at - step), sa_fetch(shared, slot, at), nut, w, prm);
}

/* The cell `index` of the layer `layer` cells away from the tile. */
template <int TX, int TY>
static __device__ __forceinline__ void sa_ring(int index, int layer, int *x, int *y)
{
    const int side = index - 2 * TX;
    *x = side < 0 ? index % TX : side < TY ? -layer : TX - 1 + layer;
    *y = side >= 0 ? side % TY : index < TX ? -layer : TY - 1 + layer;
}

/* The body of the stencil, for this kernel: words that were asked for, faces that were computed. */
#undef SA_CELL
#undef SA_SIDE
#define SA_CELL(i, j, k) here.q
#define SA_SIDE(f, d, side, sign, i, j, k, a, b, e)    \
    const struct AN_FN(an_sa_flux) f = sides[d][side]; \
    (void)gl
#define AT(field, n, i, j, k)   SA_AT_##field(n, i, j, k)
#define SA_AT_TURB(n, i, j, k)  column[1]
#define SA_AT_GRADT(n, i, j, k) here.g[n]
#define SA_AT_GRAD(n, i, j, k)  grad[n]
#define SA_AT_VOL(n, i, j, k)   volume
/* of neighbours only the sign is wanted */
#define SA_AT_WD(n, i, j, k)                       \
    ((i) == 0 && (j) == 0 && (k) == 0 ? distance   \
     : walls >> SA_WALL(i, j, k) & 1  ? AN_R(-1.0) \
                                      : AN_R(1.0))
#define SA_WALL(i, j, k)        ((i) ? ((i) > 0) : (j) ? 2 + ((j) > 0) : 4 + ((k) > 0))
#define SA_AT_DX(n, i, j, k)    __ldg(a.dx[n] + at + (i) + (j)*s1 + (k)*s2)
#define SA_AT_UTAU(n, i, j, k)  __ldg(a.utau + at + (i) + (j)*s1 + (k)*s2)
#define SA_AT_ROUGH(n, i, j, k) __ldg(a.rough + at)
#define SA_AT_DES(n, i, j, k)   __ldg(a.des + at)
#define FLAT(d)                 (flat >> (d)&1)
#define OUT(field, n, value)    SA_OUT_##field(n) = (value)
#define SA_OUT_RT(n)            a.rt[at]
#define SA_OUT_DIAGT(n)         a.diagt[at]
#define SA_OUT_LINE(n)          a.line[n][at]

template <int TX, int TY, int MIN_BLOCKS>
static __global__ void __launch_bounds__(TX *TY, MIN_BLOCKS)
    sa_planes(const __grid_constant__ struct sa_args a,
              const __grid_constant__ struct AN_FN(an_prm) parameters)
{
    typedef struct sa_shape<TX, TY> shape;
    typedef struct sa_shared<TX, TY> shared_layout;
    constexpr int PITCH = shape::PITCH, RING = shape::RING, THREADS = shape::THREADS;
    AN_SHARED_DYNAMIC(shared_layout, shared);
    struct AN_FN(an_prm) held = parameters; /* an_planes_hold, for the compiler to know */
    held.viscosity = parameters.viscosity == AN_VISCOSITY_SUTHERLAND ? AN_VISCOSITY_SUTHERLAND
                                                                     : AN_VISCOSITY_CONSTANT;
    held.turb_rotation =
        parameters.turb_rotation == AN_CORRECTION_R ? AN_CORRECTION_R : AN_CORRECTION_NONE;
    held.turbulence = AN_TURBULENCE_SA;
    const struct AN_FN(an_prm) *const prm = &held;
    const struct an_tile tile = a.tile[blockIdx.x];
    const struct an_block *const block = &a.block[tile.block];
    const int s1 = static_cast<int>(block->stride[1]), s2 = static_cast<int>(block->stride[2]);
    const int flat = block->flat;
    const int t = static_cast<int>(threadIdx.x), tx = t % TX, ty = t / TX;
    const int ni = tile.hi[0] - tile.lo[0], nj = tile.hi[1] - tile.lo[1];
    const int nk = tile.hi[2] - tile.lo[2];
    const bool inside = tx < ni && ty < nj;
    const bool face_i = tx <= ni && ty < nj, face_j = tx < ni && ty <= nj;

    /* element of cell (0,0) of the tile in the plane k; columns beyond its upper ghosts stand still */
    int base =
        static_cast<int>(an_element(block, tile.lo[0], tile.lo[1], tile.lo[2])) - s2; /* k = -1 */
    const int own = (tx < ni + 1 ? tx : ni + 1) + (ty < nj + 1 ? ty : nj + 1) * s1;
    const int here_at = (ty + 2) * PITCH + tx + 2;
    /* what this thread brings of both layers around the tile; the first threads have faces to compute */
    const int last_first = THREADS - 1 - t;
    const int outer = last_first < RING ? last_first + THREADS - RING : last_first - RING;
    int at_x, at_y;
    sa_ring<TX, TY>(last_first, 1, &at_x, &at_y);
    const int near_to = last_first < RING ? (at_y + 2) * PITCH + at_x + 2 : -1;
    const int near_at = (at_x < ni + 1 ? at_x : ni + 1) + (at_y < nj + 1 ? at_y : nj + 1) * s1;
    sa_ring<TX, TY>(outer, 2, &at_x, &at_y);
    const int far_to = outer < RING ? (at_y + 2) * PITCH + at_x + 2 : -1;
    const int far_at = (at_x < ni + 1 ? at_x : ni + 1) + (at_y < nj + 1 ? at_y : nj + 1) * s1;
    /* the face above the last row or behind the last column */
    const bool above_row = t < TX;
    const int edge_x = above_row ? t : TX, edge_y = above_row ? TY : t - TX;
    const bool edge =
        t < TX + TY && (above_row ? edge_x < ni && TY <= nj : TX <= ni && edge_y < nj);

    struct sa_way way, near = {};
    real far = 0, column[4]; /* nut of k-1 to k+2 */
    struct sa_words words[3] = {};
    sa_bring(a, base + own, &way);
    AN_UNROLL
    for (int m = 0; m < 4; m++)
        column[m] = __ldg(a.turb + base + own + (m - 1) * s2);
    struct sa_cell here = sa_arrive(way, prm);
    real distance = way.wd;
    int wall_below = 0;
    sa_bring(a, base + own + s2, &way);
    way.nut = AN_R(0.0);
    if (near_to >= 0) {
        sa_bring(a, base + near_at + s2, &near);
        near.nut = __ldg(a.turb + base + near_at + s2);
    }
    if (far_to >= 0)
        far = __ldg(a.turb + base + far_at + s2);
    if (inside)
        sa_ask(a, 2, base + own + s2, prm, &words[2]);
    struct AN_FN(an_sa_flux) sides[3][2] = {};
    for (int k = -1; k < nk; k++, base += s2) {
        const int at = base + tx + ty * s1, slot = k & 1, ahead = slot ^ 1;
        const bool middle = k >= 0, more = k + 1 < nk;
        const struct sa_cell next = sa_arrive(way, prm);
        int walls = wall_below | sa_behind(way.wd) << 5, of_face;
        sa_put(shared, ahead, here_at, next, column[2], way.wd);
        if (near_to >= 0)
            sa_put(shared, ahead, near_to, sa_arrive(near, prm), near.nut, near.wd);
        if (far_to >= 0)
            shared.n[ahead][far_to].a = far;
        /* asked for: states of k+2, what the sources of k read */
        const real next_distance = way.wd;
        if (more) {
            sa_bring(a, base + own + 2 * s2, &way);
            way.nut = __ldg(a.turb + base + own + 3 * s2);
        }
        if (k + 2 < nk) {
            if (near_to >= 0) {
                sa_bring(a, base + near_at + 2 * s2, &near);
                near.nut = __ldg(a.turb + base + near_at + 2 * s2);
            }
            if (far_to >= 0)
                far = __ldg(a.turb + base + far_at + 2 * s2);
        }
        /* the face towards k+1 */
        struct AN_FN(an_sa_flux) above = {};
        if (inside) {
            const struct sa_sides f = sa_sides_of(here, next, column, words[2], prm);
            sides[2][1] = f.lower;
            above = f.upper;
        }
        struct sa_words edge_words = {};
        if (middle && edge)
            sa_ask(a, above_row ? 1 : 0, base + edge_x + edge_y * s1, prm, &edge_words);
        real grad[9] = {}, volume = 0;
        if (middle && inside) {
            AN_UNROLL
            for (int m = 0; m < 9; m++)
                grad[m] = __ldg(a.grad[m] + at);
            volume = __ldg(a.vol + at);
        }
        /* faces of k */
        if (middle && face_i) {
            const struct sa_sides f = sa_lower(shared, slot, here_at, 1, words[0], prm, &of_face);
            sides[0][0] = f.upper;
            walls |= of_face;
            shared.fi[slot][ty][tx] = {f.lower.rt, f.lower.coupling};
        }
        if (middle && face_j) {
            const struct sa_sides f =
                sa_lower(shared, slot, here_at, PITCH, words[1], prm, &of_face);
            sides[1][0] = f.upper;
            walls |= of_face << 2;
            shared.fj[slot][ty][tx] = {f.lower.rt, f.lower.coupling};
        }
        if (middle && edge) {
            const struct sa_sides f = sa_lower(shared, slot, (edge_y + 2) * PITCH + edge_x + 2,
                                               above_row ? PITCH : 1, edge_words, prm, &of_face);
            if (above_row)
                shared.fj[slot][edge_y][edge_x] = {f.lower.rt, f.lower.coupling};
            else
                shared.fi[slot][edge_y][edge_x] = {f.lower.rt, f.lower.coupling};
        }
        if (more) { /* areas and steps of k+1 */
            if (face_i)
                sa_ask(a, 0, at + s2, prm, &words[0]);
            if (face_j)
                sa_ask(a, 1, at + s2, prm, &words[1]);
            if (inside)
                sa_ask(a, 2, at + 2 * s2, prm, &words[2]);
        }
        __syncthreads();
        if (middle && inside) {
            const struct an_words2 from_i = shared.fi[slot][ty][tx + 1],
                                   from_j = shared.fj[slot][ty + 1][tx];
            sides[0][1] = {from_i.a, from_i.b};
            sides[1][1] = {from_j.a, from_j.b};
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
        }
        here = next;
        sides[2][0] = above;
        wall_below = sa_behind(distance) << 4;
        distance = next_distance;
        column[0] = column[1];
        column[1] = column[2];
        column[2] = column[3];
        column[3] = way.nut;
    }
}
#undef AN_STENCIL
#include "kernels/stencils/stencil_end.h"

enum { SA_SHARED = sizeof(struct sa_shared<AN_PLANE_TX, AN_PLANE_TY>) };

static int prepare_sa(int *resident)
{
    return an_prepare(sa_planes<AN_PLANE_TX, AN_PLANE_TY, AN_PLANE_BLOCKS>,
                      AN_PLANE_TX * AN_PLANE_TY, SA_SHARED, resident);
}

static int run_sa(const struct an_cell_args *cell, int ntile, const struct an_params *p,
                  struct an_cuda_queue *queue)
{
    struct sa_args a;
#define AN_AT(field, n) (static_cast<real *>(cell->fields.at[AN_F_##field]) + (n)*cell->cs)
    a.block = cell->block;
    a.tile = cell->tile;
    for (int m = 0; m < 5; m++)
        a.w[m] = AN_AT(W, m);
#if AN_KEPT
    a.w[4] = AN_AT(EOS, AN_EOS_MU);
#endif
    for (int m = 0; m < 9; m++) {
        a.grad[m] = AN_AT(GRAD, m);
        a.s[m] = AN_AT(S, m);
        a.dx[m] = AN_AT(DX, m);
    }
    for (int m = 0; m < 3; m++) {
        a.gradt[m] = AN_AT(GRADT, m);
        a.g[m] = p->turns ? AN_AT(G, m) : nullptr;
    }
    a.turb = AN_AT(TURB, 0);
    a.wd = AN_AT(WD, 0);
    a.vol = AN_AT(VOL, 0);
    a.utau = AN_AT(UTAU, 0);
    a.rough = AN_AT(ROUGH, 0);
    a.des = AN_AT(DES, 0);
    a.rt = AN_AT(RT, 0);
    a.diagt = AN_AT(DIAGT, 0);
    for (int m = 0; m < 6; m++)
        a.line[m] = AN_AT(LINE, AN_TURB_COUPLING(0, m / 2, m % 2));
#undef AN_AT
    const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);
    return an_launch("sa_planes", sa_planes<AN_PLANE_TX, AN_PLANE_TY, AN_PLANE_BLOCKS>, ntile,
                     AN_PLANE_TX * AN_PLANE_TY, SA_SHARED, AN_BARRIERS, queue, a, prm);
}
} // namespace

AN_EXTERN_C_BEGIN
extern const struct an_plane_kernels AN_LAUNCHER(sa_planes);
const struct an_plane_kernels AN_LAUNCHER(sa_planes) = {
    {AN_PLANE_TX, AN_PLANE_TY, 1, 1, AN_PLANE_BLOCKS, SA_SHARED}, prepare_sa, run_sa};
AN_EXTERN_C_END
