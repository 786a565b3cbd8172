/* CUDA engines: turb_follow.stencil by plane streaming (cuda_planes.cuh); the sums are the body of the stencil.
 *
 * Of the planes k and k+1 the changes of TURB and the wall distances lie in two slots, one boundary cell around the
 * tile included, those of the own column of k-1 to k+1 in registers. Those of k+2 are prefetched, and so are the
 * couplings, the diagonal and the residual of k+1: a thread that loads them where it needs them waits for one after the
 * other.
 *
 * There is one barrier for each plane. The slot that k+1 is written to was last read by the sums of k-1, ahead of the
 * barrier of k-1.
 *
 * Compulsory traffic for one variable: TURB 1, LINE 7, WD 1, DIAGT 1, RT 1 in and 1 out = 12 words for each cell. */

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/physics/turbulence.h"

namespace
{
#include "kernels/cuda/cuda_planes.cuh"

#define AN_STENCIL "kernels/stencils/turbulence/turb_follow.stencil"
#include AN_STENCIL

struct follow_args {
    const struct an_block *block;
    const struct an_tile *tile;
    const real *turb[2], *old[2], *wd, *line[2][6], *diagt[2];
    real *rt[2];
};

/* The body of the stencil, for this kernel. */
#undef TF_CHANGE
#define TF_CHANGE(c, i, j, k)                                     \
    ((k) != 0   ? change[c][1 + (k)]                              \
     : (i) != 0 ? g.cell[c][slot][here + (i)].a                   \
     : (j) != 0 ? g.cell[c][slot][here + (j)*slot_shape::PITCH].a \
                : change[c][1])
#define AT(field, n, i, j, k) FOLLOW_AT_##field(n, i, j, k)
#define FOLLOW_AT_WD(n, i, j, k)                \
    ((k) != 0   ? distance[1 + (k)]             \
     : (i) != 0 ? g.cell[0][slot][here + (i)].b \
                : g.cell[0][slot][here + (j)*slot_shape::PITCH].b)
#define FOLLOW_AT_LINE(n, i, j, k)  now.line[(n) / 6][(n) % 6]
#define FOLLOW_AT_DIAGT(n, i, j, k) now.diagt[n]
#define FOLLOW_AT_RT(n, i, j, k)    now.rt[n]
#define FLAT(d)                     (tile.block->flat >> (d)&1)
#define OUT(field, n, value)        a.rt[n][at] = (value)

/* COUNT: variables of the turbulence model, 1 or 2. */
template <int TX, int TY, int BLOCKS, int COUNT> struct follow_march {
    static constexpr const char *NAME = "follow_planes";
    static constexpr int COLUMNS_I = TX, COLUMNS_J = TY, THREADS = TX * TY, MIN_BLOCKS = BLOCKS;
    static constexpr int FIRST = -1, LAST = 0, BARRIERS = 1; /* planes below and above the tile */
    enum { WORDS = 2 * COUNT + 1 };                          /* of a cell, for its neighbours */
    typedef struct follow_args args;
    typedef struct plane_slot<TX, TY, 1> slot_shape;
    typedef struct plane_ring<TX, TY> ring;
    typedef struct plane_stage<0, WORDS, 1, THREADS> stage;
    struct shared {
        struct an_words2 cell[COUNT][2][slot_shape::CELLS]; /* change and wall distance */
    };
    /* What only the cell itself reads. */
    struct words {
        real line[COUNT][6], diagt[COUNT], rt[COUNT];
    };

    const args &a;
    const struct AN_FN(an_prm) *const prm;
    struct plane_tile<TX, TY> tile;
    struct shared &g;
    const int own, here; /* the own cell: element from tile.base, place in a slot */
    const struct plane_boundary boundary;
    stage own_words, boundary_words;
    struct words next;
    real change[COUNT][3], distance[3]; /* of k-1 to k+1 */

    static __device__ __forceinline__ struct AN_FN(an_prm)
        specialise(const struct AN_FN(an_prm) & parameters)
    {
        struct AN_FN(an_prm) p = parameters;
        p.turb.model = COUNT > 1 ? AN_TURBULENCE_SST : AN_TURBULENCE_SA;
        return p;
    }

    __device__ __forceinline__ follow_march(const args &given, const struct AN_FN(an_prm) * p,
                                            const struct an_tile &of, struct shared &layout)
        : a(given), prm(p), tile(given.block, of, FIRST), g(layout), own(tile.own(1)),
          here(slot_shape::at(tile.tx, tile.ty)),
          boundary(plane_boundary_of<slot_shape>(tile, tile.t, 1, 1)), own_words(tile.t),
          boundary_words(tile.t), next{}, change{}, distance{}
    {
    }

    __device__ __forceinline__ void prefetch(stage *to, int from) const
    {
        AN_UNROLL
        for (int v = 0; v < COUNT; v++) {
            to->prefetch(0, 2 * v, a.turb[v] + from);
            to->prefetch(0, 2 * v + 1, a.old[v] + from);
        }
        to->prefetch(0, 2 * COUNT, a.wd + from);
    }
    static __device__ __forceinline__ real change_of(const stage &stage, int v)
    {
        return stage.take(0, 2 * v) - stage.take(0, 2 * v + 1);
    }

    __device__ __forceinline__ void prefetch_next(int from)
    {
        AN_UNROLL
        for (int v = 0; v < COUNT; v++) {
            AN_UNROLL
            for (int m = 0; m < 6; m++)
                next.line[v][m] = __ldg(a.line[v][m] + from);
            next.diagt[v] = __ldg(a.diagt[v] + from);
            next.rt[v] = a.rt[v][from];
        }
    }

    __device__ __forceinline__ void start()
    {
        const int at = tile.base + own;
        prefetch(&own_words, at);
        AN_UNROLL
        for (int v = 0; v < COUNT; v++)
            change[v][1] = change_of(own_words, v);
        distance[1] = own_words.take(0, 2 * COUNT);
        prefetch(&own_words, at + tile.s2);
        if (boundary.to >= 0)
            prefetch(&boundary_words, tile.base + boundary.from + tile.s2);
        if (tile.inside)
            prefetch_next(at + tile.s2);
    }

    /* k+1 takes its slot, k+2 is prefetched; then the sums of k, whose slot the last barrier closed. */
    __device__ __forceinline__ void before(int k)
    {
        const int slot = k & 1, ahead = slot ^ 1, at = tile.base + own;
        distance[2] = own_words.take(0, 2 * COUNT);
        AN_UNROLL
        for (int v = 0; v < COUNT; v++) {
            change[v][2] = change_of(own_words, v);
            g.cell[v][ahead][here] = {change[v][2], distance[2]};
            if (boundary.to >= 0)
                g.cell[v][ahead][boundary.to] = {change_of(boundary_words, v),
                                                 boundary_words.take(0, 2 * COUNT)};
        }
        if (k + 1 < tile.nk)
            prefetch(&own_words, at + 2 * tile.s2);
        if (k + 2 < tile.nk && boundary.to >= 0)
            prefetch(&boundary_words, tile.base + boundary.from + 2 * tile.s2);
        if (k >= 0 && tile.inside) {
            const struct words now = next;
            if (k + 1 < tile.nk)
                prefetch_next(at + tile.s2);
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
        }
    }

    __device__ __forceinline__ void after(int)
    {
    }

    __device__ __forceinline__ void rotate()
    {
        AN_UNROLL
        for (int v = 0; v < COUNT; v++) {
            change[v][0] = change[v][1];
            change[v][1] = change[v][2];
        }
        distance[0] = distance[1];
        distance[1] = distance[2];
    }
};
#undef AN_STENCIL
#include "kernels/stencils/stencil_end.h"

typedef struct follow_march<AN_PLANE_TX, AN_PLANE_TY, AN_PLANE_BLOCKS, 1> follow_one;
typedef struct follow_march<AN_PLANE_TX, AN_PLANE_TY, AN_PLANE_BLOCKS, 2> follow_two;

static int prepare_follow(int *resident)
{
    AN_TRY(plane_launcher<follow_one>::prepare(resident));
    return plane_launcher<follow_two>::prepare(resident);
}

static int run_follow(const struct an_cell_args *cell, int ntile, const struct an_params *p,
                      struct an_cuda_queue *queue)
{
    struct follow_args a = {};
    const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);
    const int variables = an_model_variables(p->turb.model) > 1 ? 2 : 1;
    a.block = cell->block;
    a.tile = cell->tile;
    a.wd = AN_WORDS_OF(cell, WD, 0);
    for (int v = 0; v < variables; v++) {
        a.turb[v] = AN_WORDS_OF(cell, TURB, v);
        a.old[v] = AN_WORDS_OF(cell, LINE, AN_LINE_TURB + v);
        for (int m = 0; m < 6; m++)
            a.line[v][m] = AN_WORDS_OF(cell, LINE, AN_TURB_COUPLING(v, m / 2, m % 2));
        a.diagt[v] = AN_WORDS_OF(cell, DIAGT, v);
        a.rt[v] = AN_WORDS_OF(cell, RT, v);
    }
    return variables > 1 ? plane_launcher<follow_two>::launch(a, prm, ntile, queue)
                         : plane_launcher<follow_one>::launch(a, prm, ntile, queue);
}
} // namespace

AN_EXTERN_C_BEGIN
extern const struct an_plane_kernels AN_LAUNCHER(follow_planes);
const struct an_plane_kernels AN_LAUNCHER(follow_planes) = {plane_launcher<follow_two>::shape(1),
                                                            prepare_follow, run_follow};
AN_EXTERN_C_END
