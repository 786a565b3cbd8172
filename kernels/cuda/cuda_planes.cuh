/* CUDA engines: the skeleton of all kernels that stream planes through shared memory (2.5-D blocking).
 *
 * A thread block owns a tile of TX x TY columns of cells and marches in k. A thread owns one column. What neighbours
 * read of a cell lies in shared memory, one plane in each slot, with boundary cells around the tile; what only the own
 * column needs lies in registers.
 *
 *       a plane of the tile in its slot                 planes at step k
 *
 *         . . o o o o o o o o . .      x  cells of      k+2   prefetched into a stage (struct plane_stage)
 *         . . o o o o o o o o . .         the tile      k+1   in the slot `ahead`, written before the barrier
 *         o o x x x x x x x x o o      o  boundary      k     in the slot `here`, read by the faces of this plane
 *         o o x x x x x x x x o o         cells, one    k-1   in the slot `behind`; kernels with two slots have
 *         . . o o o o o o o o . .         or two              overwritten it by k+1
 *         . . o o o o o o o o . .         layers
 *
 *     plane_march, for each plane k:
 *         before(k)         the stage's plane takes its slot, the next plane is prefetched
 *         __syncthreads()
 *         between(k)        | of kernels with BARRIERS = 2
 *         __syncthreads()   |
 *         after(k)          what reads values that other threads wrote before the last barrier
 *         rotate()          slots and registers move on by a plane
 *
 * Each face is computed once: a face of i or j by the thread of its upper cell, which hands the flux to the lower cell
 * through shared memory; a k face by its column, which keeps the flux in registers for the next plane. A tile has one
 * row and one column of faces more than of cells: the first threads compute these edge faces (plane_tile::edge). The
 * last threads read the boundary cells, or all threads do in passes.
 *
 * A kernel is a policy: a class template on the tile shape with its layout of shared memory and the functions above,
 * made of point functions of values. cuda_follow.cuh is the shortest, and the one to copy. plane_launcher makes the
 * kernel, its preparation and its launch of a policy, and plane_kinds those of all kinds of a tile shape.
 *
 * Prefetching has these words only. A policy *prefetches* the words of a plane into a *stage*, *commits* the group,
 * *waits* for the group before, and *takes* the words out. A stage lies in registers, or in shared memory, where
 * asynchronous copies write without a register. Words are *loaded* if they go to the registers that use them. */
#ifndef AN_CUDA_PLANES_CUH
#define AN_CUDA_PLANES_CUH

#include "kernels/cuda/cuda_shapes.cuh"

/* Component n of a field, on the host. */
#define AN_WORDS_OF(cell, field, n) \
    (static_cast<real *>((cell)->fields.at[AN_F_##field]) + (n) * (cell)->cs)

/* Where a thread stands. `base`: element of cell (0,0) of the tile in the plane k. */
template <int TX, int TY> struct plane_tile {
    static constexpr int THREADS = TX * TY;
    const struct an_block *block;
    int s1, s2; /* elements between rows, between planes */
    int lo[3];
    int ni, nj, nk; /* cells of the tile, which the end of a block may cut */
    int t, tx, ty;
    bool inside; /* the own column has cells of the tile */
    int base;

    /* first: plane of the tile that the march starts with */
    __device__ __forceinline__ plane_tile(const struct an_block *blocks, const struct an_tile &tile,
                                          int first)
        : block(&blocks[tile.block])
    {
        s1 = static_cast<int>(block->stride[1]);
        s2 = static_cast<int>(block->stride[2]);
        for (int d = 0; d < 3; d++)
            lo[d] = tile.lo[d];
        t = static_cast<int>(threadIdx.x);
        tx = t % TX;
        ty = t / TX;
        ni = tile.hi[0] - tile.lo[0];
        nj = tile.hi[1] - tile.lo[1];
        nk = tile.hi[2] - tile.lo[2];
        inside = tx < ni && ty < nj;
        base = static_cast<int>(an_element(block, tile.lo[0], tile.lo[1], tile.lo[2])) + first * s2;
    }

    /* Elements from `base` to the column (x,y). Columns more than `reach` cells beyond a tile that was cut stand
     * still: they are read, and not used. */
    __device__ __forceinline__ int column(int x, int y, int reach) const
    {
        return (x < ni + reach - 1 ? x : ni + reach - 1) +
               (y < nj + reach - 1 ? y : nj + reach - 1) * s1;
    }
    __device__ __forceinline__ int own(int reach) const
    {
        return column(tx, ty, reach);
    }
    /* Does this thread compute the lower face of its cell along i, along j? */
    __device__ __forceinline__ bool face_i() const
    {
        return tx <= ni && ty < nj;
    }
    __device__ __forceinline__ bool face_j() const
    {
        return tx < ni && ty <= nj;
    }

    /* The edge faces, above the last row and behind the last column of the tile, go to the first threads: does this
     * thread have one? Is it above the last row, a face of j? Its direction, and the cell above it. */
    __device__ __forceinline__ bool edge() const
    {
        return t < TX + TY && (edge_row() ? edge_x() < ni && TY <= nj : TX <= ni && edge_y() < nj);
    }
    __device__ __forceinline__ bool edge_row() const
    {
        return t < TX;
    }
    __device__ __forceinline__ int edge_dir() const
    {
        return edge_row() ? 1 : 0;
    }
    __device__ __forceinline__ int edge_x() const
    {
        return edge_row() ? t : TX;
    }
    __device__ __forceinline__ int edge_y() const
    {
        return edge_row() ? TY : t - TX;
    }
    __device__ __forceinline__ int edge_element() const
    {
        return base + edge_x() + edge_y() * s1;
    }
};

/* Cells of a slot: REACH boundary cells on each side of the tile. */
template <int TX, int TY, int REACH> struct plane_slot {
    static constexpr int PITCH = TX + 2 * REACH, CELLS = PITCH * (TY + 2 * REACH);
    static __device__ __forceinline__ int at(int x, int y)
    {
        return (y + REACH) * PITCH + x + REACH;
    }
};

/* One boundary cell for each of 2 (TX + TY) threads: the cell `index` of the layer `layer` cells away from the tile,
 * corners left out. */
template <int TX, int TY> struct plane_ring {
    static constexpr int CELLS = 2 * (TX + TY);
    static_assert(CELLS <= TX * TY, "a thread has one boundary cell of each layer at most");
    int x, y;
    __device__ __forceinline__ plane_ring(int index, int layer)
    {
        const int side = index - 2 * TX;
        x = side < 0 ? index % TX : side < TY ? -layer : TX - 1 + layer;
        y = side >= 0 ? side % TY : index < TX ? -layer : TY - 1 + layer;
    }
};

/* A boundary cell that a thread reads: where it comes from and where it goes, -1: the thread has none. */
struct plane_boundary {
    int from, to;
};
template <class SLOT, int TX, int TY>
static __device__ __forceinline__ struct plane_boundary
plane_boundary_of(const struct plane_tile<TX, TY> &tile, int index, int layer, int reach)
{
    const struct plane_ring<TX, TY> cell(index, layer);
    const struct plane_boundary b = {tile.column(cell.x, cell.y, reach),
                                     index < plane_ring<TX, TY>::CELLS ? SLOT::at(cell.x, cell.y)
                                                                       : -1};
    return b;
}

/* All boundary cells of two layers, in passes of one cell for each thread: rows below and above the tile, then columns
 * on each side. CORNERS: those, too. */
template <int TX, int TY, int CORNERS> struct plane_frame {
    static constexpr int WIDTH = CORNERS ? TX + 4 : TX, CELLS = 4 * (WIDTH + TY);
    static constexpr int PASSES = (CELLS + TX * TY - 1) / (TX * TY);
    int from[PASSES], to[PASSES]; /* element from `base`; place in a slot, -1: none */
    __device__ __forceinline__ explicit plane_frame(const struct plane_tile<TX, TY> &tile)
    {
        for (int m = 0; m < PASSES; m++) {
            const int n = tile.t + m * TX * TY, row = n / WIDTH, side = n - 4 * WIDTH;
            const int y = side >= 0 ? side / 4 : row < 2 ? row - 2 : row + TY - 2;
            const int x = side < 0       ? n % WIDTH - (WIDTH - TX) / 2
                          : side % 4 < 2 ? side % 4 - 2
                                         : side % 4 + TX - 2;
            to[m] = n < CELLS ? plane_slot<TX, TY, 2>::at(x, y) : -1;
            from[m] = tile.column(x, y, 2);
        }
    }
};

/* Three slots, which turn round: those of k-1, k, k+1. STEP: from one to the next. */
template <int STEP> struct plane_slots {
    int behind = 0, here = STEP, ahead = 2 * STEP;
    __device__ __forceinline__ void rotate()
    {
        const int oldest = behind;
        behind = here;
        here = ahead;
        ahead = oldest;
    }
};

/* Words of PLACES cells of each thread on their way from engine memory: in registers, or (ASYNC) in shared memory. */
template <int ASYNC, int WORDS, int PLACES, int THREADS> struct plane_stage {
    struct shared {
    };
    real word[PLACES][WORDS];
    __device__ __forceinline__ explicit plane_stage(int) : word{}
    {
    }
    __device__ __forceinline__ plane_stage(shared &, int) : word{}
    {
    }
    __device__ __forceinline__ void prefetch(int place, int c, const real *from)
    {
        word[place][c] = __ldg(from);
    }
    __device__ __forceinline__ void commit()
    {
    }
    __device__ __forceinline__ void wait()
    {
    }
    __device__ __forceinline__ real take(int place, int c) const
    {
        return word[place][c];
    }
};
template <int WORDS, int PLACES, int THREADS> struct plane_stage<1, WORDS, PLACES, THREADS> {
    typedef real shared[PLACES][WORDS][THREADS];
    shared &word;
    const int t;
    __device__ __forceinline__ plane_stage(shared &place, int thread) : word(place), t(thread)
    {
    }
    __device__ __forceinline__ void prefetch(int place, int c, const real *from)
    {
        an_copy_async(&word[place][c][t], from);
    }
    __device__ __forceinline__ void commit()
    {
        an_copy_commit();
    }
    __device__ __forceinline__ void wait() /* for all groups but the last one */
    {
        an_copy_wait();
    }
    __device__ __forceinline__ real take(int place, int c) const
    {
        return word[place][c][t];
    }
};

/* All words of the cell at element `from`, in the order of `word`. */
template <class STAGE, int WORDS>
static __device__ __forceinline__ void plane_prefetch(STAGE &stage, int place,
                                                      const real *const (&word)[WORDS], int from)
{
    AN_UNROLL
    for (int c = 0; c < WORDS; c++)
        stage.prefetch(place, c, word[c] + from);
}
template <class STAGE, int WORDS>
static __device__ __forceinline__ void plane_take(const STAGE &stage, int place,
                                                  real (&word)[WORDS])
{
    AN_UNROLL
    for (int c = 0; c < WORDS; c++)
        word[c] = stage.take(place, c);
}
/* The same at once. */
template <int WORDS>
static __device__ __forceinline__ void plane_load(const real *const (&from)[WORDS], int at,
                                                  real (&word)[WORDS])
{
    AN_UNROLL
    for (int c = 0; c < WORDS; c++)
        word[c] = __ldg(from[c] + at);
}

/* One tile. */
template <class POLICY, class ARGS>
static __device__ __forceinline__ void plane_march(const ARGS &a, const struct AN_FN(an_prm) * prm)
{
    typedef typename POLICY::shared shared_layout;
    AN_SHARED_DYNAMIC(shared_layout, shared);
    const struct an_tile tile = a.tile[blockIdx.x];
    POLICY march(a, prm, tile, shared);
    march.start();
    for (int k = POLICY::FIRST; k < march.tile.nk + POLICY::LAST;
         k++, march.tile.base += march.tile.s2) {
        march.before(k);
        __syncthreads();
        if constexpr (POLICY::BARRIERS == 2) {
            march.between(k);
            __syncthreads();
        }
        march.after(k);
        march.rotate();
    }
}

template <class POLICY>
static __global__ void __launch_bounds__(POLICY::THREADS, POLICY::MIN_BLOCKS)
    planes(const __grid_constant__ typename POLICY::args a,
           const __grid_constant__ struct AN_FN(an_prm) parameters)
{
    const struct AN_FN(an_prm) specialised = POLICY::specialise(parameters);
    plane_march<POLICY>(a, &specialised);
}

/* How a policy becomes a kernel, its preparation and its launch. */
template <class POLICY> struct plane_launcher {
    static constexpr int SHARED = static_cast<int>(sizeof(typename POLICY::shared));
    static constexpr struct an_fused_variant shape(int async)
    {
        return {POLICY::COLUMNS_I, POLICY::COLUMNS_J, async, POLICY::MIN_BLOCKS, SHARED};
    }
    static int prepare(int *resident)
    {
        return an_prepare(planes<POLICY>, POLICY::THREADS, SHARED, resident);
    }
    static int launch(const typename POLICY::args &a, const struct AN_FN(an_prm) & prm, int ntile,
                      struct an_cuda_queue *queue)
    {
        return an_launch(POLICY::NAME, planes<POLICY>, ntile, POLICY::THREADS, SHARED, AN_BARRIERS,
                         queue, a, prm);
    }
};

/* Kernels of one tile shape, one for each kind (a flux, with or without rotation, ...). FAMILY has the type args and
 * the policies of<KIND>. */
template <class FAMILY> struct plane_kernel {
    int (*prepare)(int *resident);
    int (*launch)(const typename FAMILY::args &a, const struct AN_FN(an_prm) & prm, int ntile,
                  struct an_cuda_queue *queue);
};
template <class FAMILY, int... KIND> struct plane_kinds {
    static constexpr int COUNT = sizeof...(KIND);
    static constexpr struct plane_kernel<FAMILY> kernel[] = {
        {plane_launcher<typename FAMILY::template of<KIND>>::prepare,
         plane_launcher<typename FAMILY::template of<KIND>>::launch}...
    };
    static constexpr struct an_fused_variant shape(int async)
    {
        return plane_launcher<typename FAMILY::template of<0>>::shape(async);
    }
    static int launch(int kind, const typename FAMILY::args &a, const struct AN_FN(an_prm) & prm,
                      int ntile, struct an_cuda_queue *queue)
    {
        AN_CHECK(kind >= 0 && kind < COUNT, AN_FAIL, "plane kernels: there is no kind %d", kind);
        return kernel[kind].launch(a, prm, ntile, queue);
    }
    /* resident: of kind 0 */
    static int prepare(int *resident)
    {
        for (int kind = 0; kind < COUNT; kind++) {
            int other;
            AN_TRY(kernel[kind].prepare(kind ? &other : resident));
        }
        return AN_OK;
    }
};

#endif
