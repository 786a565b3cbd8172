/* CUDA engines: the skeleton of all kernels that stream planes through shared memory (2.5-D blocking).
 *
 * A thread block owns a tile of TX x TY columns of cells and marches in k. A thread owns one column. What neighbours
 * read of a cell lies in shared memory, in slots of one plane each, with the boundary cells around the tile; what only
 * the own column needs lies in registers.
 *
 *          tile of one plane in a slot                    slots and stages, at plane k
 *
 *        . . o o o o o o o o . .      o  boundary     k+2   on its way from engine memory (struct plane_stage)
 *        . . o o o o o o o o . .         cells        k+1   slot `ahead`, written before the barrier
 *        o o x x x x x x x x o o      x  cells of     k     slot `here`, read by the faces of this plane
 *        o o x x x x x x x x o o         the tile     k-1   slot `behind`, where there are three; with two slots
 *        . . o o o o o o o o . .                            k+1 is written to the slot of k-1
 *        . . o o o o o o o o . .
 *
 *     for each plane k                           (plane_march)
 *         before(k)      the plane that was prefetched takes its slot, the next one is prefetched
 *         __syncthreads
 *         after(k)       what the cells of the plane sum up; some kernels have a second barrier here
 *         rotate()       slots and registers move on by a plane
 *
 * Each face is computed once: of i and j by the thread of its upper cell, which hands its flux to the lower cell
 * through shared memory; of k by its column, which keeps the flux in registers for the next plane. A tile has one row
 * and one column of faces more than cells: they go to the first threads (struct plane_edge), and the boundary cells go
 * to the last threads, or to all in passes.
 *
 * A kernel is a policy: a class template on the tile shape with the words of engine memory that it prefetches, the
 * layout of its shared memory, and the functions above, made of point functions of values. cuda_follow.cuh is the
 * shortest, and the one to copy. plane_kernel makes the kernel, its preparation and its launch of a policy; a list of
 * them (struct plane_list) finds one by shape and flux.
 *
 * Prefetch has these words only: a policy *prefetches* words of a plane into a stage, *commits* the group, *waits* for
 * the stage of the plane before, and *takes* the words out. A stage lies in registers, or in shared memory, where
 * asynchronous copies write without a register. */
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
    int s1, s2;     /* elements between rows, between planes */
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

/* The faces above the last row and behind the last column of a tile go to the first threads. */
template <int TX, int TY> struct plane_edge {
    bool row; /* above the last row: a face of j */
    int x, y; /* of the cell above the face */
    bool any;
    __device__ __forceinline__ explicit plane_edge(const struct plane_tile<TX, TY> &tile)
    {
        row = tile.t < TX;
        x = row ? tile.t : TX;
        y = row ? TY : tile.t - TX;
        any =
            tile.t < TX + TY && (row ? x < tile.ni && TY <= tile.nj : TX <= tile.ni && y < tile.nj);
    }
    __device__ __forceinline__ int dir() const
    {
        return row ? 1 : 0;
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

/* What a table of kernels holds of a policy. */
template <class ARGS> struct plane_kernel {
    int kind; /* which of the kernels that share a tile shape */
    struct an_fused_variant shape;
    int (*prepare)(int *resident);
    int (*launch)(const ARGS &a, const struct AN_FN(an_prm) & prm, int ntile,
                  struct an_cuda_queue *queue);
};

template <class POLICY> struct plane_launcher {
    static constexpr int SHARED = static_cast<int>(sizeof(typename POLICY::shared));
    static constexpr struct an_fused_variant shape(int once, int async)
    {
        return {POLICY::COLUMNS_I, POLICY::COLUMNS_J, once, async, POLICY::MIN_BLOCKS, SHARED};
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

#endif
