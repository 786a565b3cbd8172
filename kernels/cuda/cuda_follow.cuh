/* CUDA engines: turb_follow.stencil by plane streaming; the sums are the body of the stencil.
 *
 * A thread block owns TX x TY columns of cells and marches in k. The changes of TURB and the wall distances
 * of the planes k and k+1 lie in shared memory, one cell around the tile included, those of the own column of k-1
 * to k+1 in registers. Those of k+2 are on their way from engine memory, and so are the couplings, the diagonal and
 * the residual of k+1: a thread that asks for them where it wants them waits for one after the other.
 *
 * There is one barrier for each plane. The slot that k+1 is written to was last read by the sums of k-1, ahead of the
 * barrier of k-1.
 *
 * Compulsory traffic for one variable: TURB 1, LINE 7, WD 1, DIAGT 1, RT 1 in and 1 out = 12 words for each cell. */

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/physics/turbulence.h"

namespace
{
#include "kernels/cuda/cuda_shapes.cuh"

#define AN_STENCIL "kernels/stencils/turb_follow.stencil"
#include AN_STENCIL

struct follow_args {
    const struct an_block *block;
    const struct an_tile *tile;
    const real *turb[2], *kept[2], *wd, *line[2][6], *diagt[2];
    real *rt[2];
};

/* VARIABLES: of the turbulence model, 1 or 2. */
template <int TX, int TY, int VARIABLES> struct follow_shared {
    static constexpr int PITCH = TX + 2, PLANE = PITCH * (TY + 2);
    struct an_words2 change[VARIABLES][2][PLANE]; /* and wall distance */
};

/* Words of a cell on their way, those that neighbours want. */
template <int VARIABLES> struct follow_way {
    real turb[VARIABLES], kept[VARIABLES], wd;
};

/* And those of the cell alone. */
template <int VARIABLES> struct follow_own {
    real line[VARIABLES][6], diagt[VARIABLES], rt[VARIABLES];
};

template <int VARIABLES>
static __device__ __forceinline__ void follow_bring(const struct follow_args &a, int from,
                                                    struct follow_way<VARIABLES> *way)
{
    AN_UNROLL
    for (int v = 0; v < VARIABLES; v++) {
        way->turb[v] = __ldg(a.turb[v] + from);
        way->kept[v] = __ldg(a.kept[v] + from);
    }
    way->wd = __ldg(a.wd + from);
}

template <int VARIABLES>
static __device__ __forceinline__ void follow_ask(const struct follow_args &a, int from,
                                                  struct follow_own<VARIABLES> *own)
{
    AN_UNROLL
    for (int v = 0; v < VARIABLES; v++) {
        AN_UNROLL
        for (int m = 0; m < 6; m++)
            own->line[v][m] = __ldg(a.line[v][m] + from);
        own->diagt[v] = __ldg(a.diagt[v] + from);
        own->rt[v] = a.rt[v][from];
    }
}

/* The body of the stencil, for this kernel. */
#undef TF_CHANGE
#define TF_CHANGE(c, i, j, k)                                               \
    ((k) != 0   ? column[c][1 + (k)]                                        \
     : (i) != 0 ? shared.change[c][slot][here + (i)].a                      \
     : (j) != 0 ? shared.change[c][slot][here + (j)*shared_layout::PITCH].a \
                : column[c][1])
#define AT(field, n, i, j, k) FOLLOW_AT_##field(n, i, j, k)
#define FOLLOW_AT_WD(n, i, j, k)                       \
    ((k) != 0   ? distance[1 + (k)]                    \
     : (i) != 0 ? shared.change[0][slot][here + (i)].b \
                : shared.change[0][slot][here + (j)*shared_layout::PITCH].b)
#define FOLLOW_AT_LINE(n, i, j, k)  now.line[(n) / 6][(n) % 6]
#define FOLLOW_AT_DIAGT(n, i, j, k) now.diagt[n]
#define FOLLOW_AT_RT(n, i, j, k)    now.rt[n]
#define FLAT(d)                     (flat >> (d)&1)
#define OUT(field, n, value)        a.rt[n][at] = (value)

template <int TX, int TY, int MIN_BLOCKS, int VARIABLES>
static __global__ void __launch_bounds__(TX *TY, MIN_BLOCKS)
    follow_planes(const __grid_constant__ struct follow_args a)
{
    typedef struct follow_shared<TX, TY, VARIABLES> shared_layout;
    constexpr int PITCH = shared_layout::PITCH, RING = 2 * (TX + TY);
    static_assert(RING <= TX * TY, "a thread brings one cell around the tile at most");
    AN_SHARED(shared_layout, shared);
    const struct {
        int turbulence;
    } model = {VARIABLES > 1 ? AN_TURBULENCE_SST : AN_TURBULENCE_SA}, *const prm = &model;
    const struct an_tile tile = a.tile[blockIdx.x];
    const struct an_block *const block = &a.block[tile.block];
    const int s1 = static_cast<int>(block->stride[1]), s2 = static_cast<int>(block->stride[2]);
    const int flat = block->flat;
    const int t = static_cast<int>(threadIdx.x), tx = t % TX, ty = t / TX;
    const int ni = tile.hi[0] - tile.lo[0], nj = tile.hi[1] - tile.lo[1];
    const int nk = tile.hi[2] - tile.lo[2];
    const bool inside = tx < ni && ty < nj;

    /* columns beyond the tile's upper neighbours stand still */
    int base =
        static_cast<int>(an_element(block, tile.lo[0], tile.lo[1], tile.lo[2])) - s2; /* k = -1 */
    const int own = (tx < ni ? tx : ni) + (ty < nj ? ty : nj) * s1;
    const int here = (ty + 1) * PITCH + tx + 1;
    /* the cell around the tile that this thread brings */
    const int side = t - 2 * TX;
    const int x = side < 0    ? t % TX
                  : side < TY ? -1
                              : TX,
              y = side >= 0 ? side % TY
                  : t < TX  ? -1
                            : TY;
    const int around_to = t < RING ? (y + 1) * PITCH + x + 1 : -1;
    const int around = (x < ni ? x : ni) + (y < nj ? y : nj) * s1;

    struct follow_way<VARIABLES> below, way, beside = {
    };
    struct follow_own<VARIABLES> next = {
    };
    real column[VARIABLES][3] = {}, distance[3] = {}; /* of k-1 to k+1 */
    follow_bring(a, base + own, &below);
    follow_bring(a, base + own + s2, &way);
    if (around_to >= 0)
        follow_bring(a, base + around + s2, &beside);
    if (inside)
        follow_ask(a, base + own + s2, &next);
    AN_UNROLL
    for (int v = 0; v < VARIABLES; v++)
        column[v][1] = below.turb[v] - below.kept[v];
    distance[1] = below.wd;
    for (int k = -1; k < nk; k++, base += s2) {
        const int slot = k & 1, ahead = slot ^ 1, at = base + own;
        /* k+1 arrives */
        AN_UNROLL
        for (int v = 0; v < VARIABLES; v++) {
            column[v][2] = way.turb[v] - way.kept[v];
            shared.change[v][ahead][here] = {column[v][2], way.wd};
            if (around_to >= 0)
                shared.change[v][ahead][around_to] = {beside.turb[v] - beside.kept[v], beside.wd};
        }
        distance[2] = way.wd;
        if (k + 1 < nk)
            follow_bring(a, at + 2 * s2, &way);
        if (k + 2 < nk && around_to >= 0)
            follow_bring(a, base + around + 2 * s2, &beside);
        if (k >= 0 && inside) {
            const struct follow_own<VARIABLES> now = next;
            if (k + 1 < nk)
                follow_ask(a, at + s2, &next);
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
        }
        __syncthreads();
        AN_UNROLL
        for (int v = 0; v < VARIABLES; v++) {
            column[v][0] = column[v][1];
            column[v][1] = column[v][2];
        }
        distance[0] = distance[1];
        distance[1] = distance[2];
    }
}
#undef AN_STENCIL
#include "kernels/stencils/stencil_end.h"

#define FOLLOW_KERNEL(variables) follow_planes<AN_PLANE_TX, AN_PLANE_TY, AN_PLANE_BLOCKS, variables>

static int prepare_follow(int *resident)
{
    AN_TRY(an_prepare(FOLLOW_KERNEL(1), AN_PLANE_TX * AN_PLANE_TY, 0, resident));
    return an_prepare(FOLLOW_KERNEL(2), AN_PLANE_TX * AN_PLANE_TY, 0, resident);
}

static int run_follow(const struct an_cell_args *cell, int ntile, const struct an_params *p,
                      struct an_cuda_queue *queue)
{
    struct follow_args a = {};
#define AN_AT(field, n) (static_cast<real *>(cell->fields.at[AN_F_##field]) + (n)*cell->cs)
    const int variables = an_model_variables(p->turbulence) > 1 ? 2 : 1;
    a.block = cell->block;
    a.tile = cell->tile;
    a.wd = AN_AT(WD, 0);
    for (int v = 0; v < variables; v++) {
        a.turb[v] = AN_AT(TURB, v);
        a.kept[v] = AN_AT(LINE, AN_LINE_TURB + v);
        for (int m = 0; m < 6; m++)
            a.line[v][m] = AN_AT(LINE, AN_TURB_COUPLING(v, m / 2, m % 2));
        a.diagt[v] = AN_AT(DIAGT, v);
        a.rt[v] = AN_AT(RT, v);
    }
#undef AN_AT
    return variables > 1 ? an_launch("follow_planes", FOLLOW_KERNEL(2), ntile,
                                     AN_PLANE_TX * AN_PLANE_TY, 0, AN_BARRIERS, queue, a)
                         : an_launch("follow_planes", FOLLOW_KERNEL(1), ntile,
                                     AN_PLANE_TX * AN_PLANE_TY, 0, AN_BARRIERS, queue, a);
}
} // namespace

AN_EXTERN_C_BEGIN
extern const struct an_plane_kernels AN_LAUNCHER(follow_planes);
const struct an_plane_kernels AN_LAUNCHER(follow_planes) = {
    {AN_PLANE_TX, AN_PLANE_TY, 1, 1, AN_PLANE_BLOCKS,
     static_cast<int>(sizeof(struct follow_shared<AN_PLANE_TX, AN_PLANE_TY, 2>))},
    prepare_follow,
    run_follow};
AN_EXTERN_C_END
