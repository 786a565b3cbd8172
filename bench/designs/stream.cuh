/* The project's engine: planes stream through shared memory.
 *
 * The blocks of a launch, one on a multiprocessor, cover a whole plane (or a large part) and march
 * in z together: memory sees one linear front of loads and one of stores, and rows that two blocks
 * need are read once from it. One thread asks the tensor copy engine for planes ahead of time, into
 * stages of a ring that were read stream_lag planes ago; barriers: `full` and `empty` of each
 * stage.
 *
 *      y ^   +-------------------------+        stage: rows + 2 r rows of 32 V + 2 halo points
 *        |   | halo +-------------+    |        V: points in 16 bytes; halo: r, whole vectors
 *        |   |      | warp 1: RW rows x 32 V
 *        |   |      | warp 0: RW rows, a vector of 16 bytes a thread
 *        |   |      +-------------+    |
 *        +-> x                         z: sums in registers (march.cuh, star.cuh)
 *
 * Where a block can cover whole rows of the grid (M::across warps side by side), a stage has boxes of
 * 32 V points without halo in x, side by side, and the points beside a warp's lie in the next box.
 * Then each box begins on a line of the second-level cache, and no line is read twice for the sake
 * of x.
 */
#ifndef AN_BENCH_STREAM_CUH
#define AN_BENCH_STREAM_CUH

#include "bench/designs/march.cuh"
#include "bench/designs/star.cuh"
#include "bench/designs/tensor_copy.cuh"

namespace an_bench
{

enum { stream_lag = 2 };

struct stream_layout {
    int rows, chunk, stages; /* of a tile; planes a tile; of the ring */
    int nx, ny, tiles;       /* tiles in x and y, in all */
};

/* Points on each side in x: none where the tiles of a block cover whole rows. */
template <class T, class M> static __host__ __device__ __forceinline__ constexpr int stream_halo()
{
    return M::across > 1 ? 0 : (M::radius + vector<T>::n - 1) / vector<T>::n * vector<T>::n;
}

/* Points of a box, of which a stage has M::across. */
template <class T, class M>
static __host__ __device__ __forceinline__ constexpr int stream_box(int rows)
{
    return (32 * vector<T>::n + 2 * stream_halo<T, M>()) * (rows + 2 * M::radius);
}

/* Bytes. */
template <class T, class M> static __host__ __device__ __forceinline__ int stream_stage(int rows)
{
    const int word = static_cast<int>(sizeof(T));
    return (M::across * stream_box<T, M>(rows) * word + 127) / 128 * 128;
}

/* Bytes of the ring and its barriers. */
template <class T, class M>
static __host__ __device__ __forceinline__ int stream_ring(const stream_layout &l)
{
    return (l.stages * (stream_stage<T, M>(l.rows) + 16) + 127) / 128 * 128;
}

/* Where a tile lies. Outputs: rows y .. y + rows, planes z .. end. */
struct stream_tile {
    int x, y, z, end;
};

template <class T>
static __device__ __forceinline__ stream_tile tile_at(const stream_layout &l, int t, int nz, int r)
{
    const int column = t % (l.nx * l.ny), z = r + t / (l.nx * l.ny) * l.chunk;
    return {column % l.nx * 32 * vector<T>::n, r + column / l.nx * l.rows, z,
            min(z + l.chunk, nz - r)};
}

/* The barriers; all threads. */
static __device__ __forceinline__ void
stream_begin(const stream_layout &l, int warps, unsigned long long *full, unsigned long long *empty)
{
    if (threadIdx.x == 0) {
        for (int i = 0; i < l.stages; i++) {
            barrier_init(&full[i], 1);
            barrier_init(&empty[i], static_cast<unsigned>(warps));
        }
        barrier_init_done();
    }
    __syncthreads();
}

/* The planes of a block's tiles in their order, as one thread asks for them. */
template <class T, class M> struct stream_loader {
    enum { r = M::radius };
    stream_tile tile;
    int t, z, stage;
    unsigned parity;
    __device__ __forceinline__ stream_loader(const grid<T> &g, const stream_layout &l)
        : tile(tile_at<T>(l, static_cast<int>(blockIdx.x), g.nz, r)),
          t(static_cast<int>(blockIdx.x)), z(tile.z - r), stage(0), parity(1)
    {
    }
    __device__ __forceinline__ bool more(const stream_layout &l) const
    {
        return t < l.tiles;
    }
    /* Waits until the stage is free. */
    __device__ __forceinline__ void next(const CUtensorMap *map, const grid<T> &g,
                                         const stream_layout &l, unsigned char *ring,
                                         unsigned long long *full, unsigned long long *empty)
    {
        const int word = static_cast<int>(sizeof(T)), box = stream_box<T, M>(l.rows) * word;
        barrier_wait(&empty[stage], parity);
        barrier_expect(&full[stage], static_cast<unsigned>(M::across * box));
#pragma unroll
        for (int b = 0; b < M::across; b++)
            tensor_load(ring + stage * stream_stage<T, M>(l.rows) + b * box, map,
                        tile.x + b * 32 * vector<T>::n - stream_halo<T, M>(), tile.y - r, z,
                        &full[stage]);
        if (++stage == l.stages) {
            stage = 0;
            parity ^= 1;
        }
        if (++z == tile.end + r) {
            t += static_cast<int>(gridDim.x);
            tile = tile_at<T>(l, t, g.nz, r);
            z = tile.z - r;
        }
    }
};

/* Rows that go through shared memory, where they are collected (`box`, two planes by turns), and on
 * by the copy engine, `bytes` of each; the stores then cost a warp one instruction a row. */
template <class T> struct bulk_rows {
    T *to;
    int pitch, rows; /* rows: of lane 0 */
    T *box;
    int lane, count, first, bytes; /* count: rows of a thread; first: point of the row */
    __device__ __forceinline__ void begin() const
    {
        if (lane == 0)
            bulk_wait<1>();
        __syncwarp();
    }
    __device__ __forceinline__ void put(int r, const vector<T> &v) const
    {
        store(box + (r * 32 + lane) * vector<T>::n, v);
    }
    __device__ __forceinline__ void end() const
    {
        bulk_fence();
        __syncwarp();
        if (lane != 0)
            return;
        for (int r = 0; r < min(rows, count); r++)
            bulk_store(to + first + r * pitch, box + first + r * 32 * vector<T>::n, bytes);
        bulk_commit();
    }
    template <int RY> __device__ __forceinline__ void all(const vector<T> (&out)[RY]) const
    {
        begin();
#pragma unroll
        for (int r = 0; r < RY; r++)
            put(r, out[r]);
        end();
    }
};

/* A stencil of radius 1 on its way through the planes. */
template <class T, class S, int ACROSS> struct near_march {
    enum { radius = 1, warps = 16, across = ACROSS, most_rows = 4, keeps = 0 };
    S s;
    explicit near_march(const problem &p) : s(p)
    {
    }
    template <int RW> struct state {
        bool keep[vector<T>::n];
        vector<T> a[RW], b[RW];
        __device__ __forceinline__ state(int x, int nx) : a{}, b{}
        {
            for (int i = 0; i < vector<T>::n; i++)
                keep[i] = x + i == 0 || x + i >= nx - 1;
        }
    };
    template <int RW, class OUT>
    __device__ __forceinline__ void plane(const T *p, int pitch, int lane, int end, bool, int, int,
                                          state<RW> &m, const OUT &out) const
    {
        march_plane<T, RW>(s, p, pitch, lane, end, m.keep, m.a, m.b, out);
    }
};

/* The star of radius 4. Points that keep their value at the faces in x are not stored. */
template <class T, int WARPS, int ROWS> struct far_march {
    enum { radius = 4, warps = WARPS, across = 1, most_rows = ROWS, keeps = 4 };
    star25<T> k;
    explicit far_march(const problem &p) : k(p)
    {
    }
    template <int RW> struct state {
        vector<T> s[8][RW];
        __device__ __forceinline__ state(int, int) : s{}
        {
        }
    };
    template <int RW>
    __device__ __forceinline__ void plane(const T *p, int pitch, int, int, bool crosses, int x,
                                          int nx, state<RW> &m, const plain_rows<T> &out) const
    {
        star_plane<T, RW>(k, p, pitch, crosses, m.s,
                          edge_rows<T>{out.to, out.pitch, out.rows, x, nx});
    }
    template <int RW>
    __device__ __forceinline__ void plane(const T *p, int pitch, int, int, bool crosses, int, int,
                                          state<RW> &m, const bulk_rows<T> &out) const
    {
        star_plane<T, RW>(k, p, pitch, crosses, m.s, out);
    }
};

/* Bytes in which the warps of a block collect bulk rows. */
static __host__ __device__ __forceinline__ constexpr int stream_boxes(int warps, int rw)
{
    return warps * 2 * rw * 512;
}

template <class T, int RW, bool BULK, class M>
static __device__ void stream_planes(const CUtensorMap *map, const grid<T> &g, const M &march,
                                     const stream_layout &l, unsigned char *ring,
                                     unsigned long long *full, unsigned long long *empty, T *boxes)
{
    enum { n = vector<T>::n, r = M::radius, halo = stream_halo<T, M>(), pitch = 32 * n + 2 * halo };
    const int stage = stream_stage<T, M>(l.rows), box_points = stream_box<T, M>(l.rows);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp = static_cast<int>(threadIdx.x) / 32, across = warp % M::across;
    const int row = warp / M::across * RW;
    T *const box = boxes + warp * RW * 2 * 32 * n;
    /* Where the points beside a warp's row lie that lanes 0 and 31 load. */
    const int end = M::across == 1 ? (lane == 0 ? -1 : static_cast<int>(n))
                    : lane == 0    ? (across == 0 ? 0 : 32 * n - 1 - box_points)
                                   : (across == M::across - 1 ? 0 : box_points - 31 * n);
    int at = 0, ahead = 0, turn = 0;
    unsigned parity = 0;
    stream_loader<T, M> loader(g, l);
    for (int t = static_cast<int>(blockIdx.x); t < l.tiles; t += static_cast<int>(gridDim.x)) {
        const stream_tile tile = tile_at<T>(l, t, g.nz, r);
        const int left = tile.x + across * 32 * n, x = left + lane * n;
        const int rows =
            x < g.nx ? min(min(l.rows, g.ny - r - tile.y) - row, static_cast<int>(RW)) : 0;
        /* What bulk rows store of a row of the tile. */
        const int first = max(M::keeps - left, 0);
        const int past = min(32 * n, (M::keeps ? g.nx - M::keeps : g.pitch) - left);
        typename M::template state<RW> state(x, g.nx);
        T *to = g.to + (tile.z - 2 * r) * static_cast<ptrdiff_t>(g.plane) +
                (tile.y + row) * static_cast<ptrdiff_t>(g.pitch) + x;
        for (int z = tile.z - r; z < tile.end + r; z++, to += g.plane) {
            for (; threadIdx.x == 0 && ahead < l.stages - stream_lag && loader.more(l); ahead++)
                loader.next(map, g, l, ring, full, empty);
            ahead--;
            barrier_wait(&full[at], parity);
            const T *const from = reinterpret_cast<const T *>(ring + at * stage) +
                                  across * box_points + (row + r) * pitch + halo + lane * n;
            const bool crosses = z >= tile.z && z < tile.end;
            const plain_rows<T> plain = {to, g.pitch, z >= tile.z + r ? rows : 0};
            if (row < l.rows) {
                if constexpr (BULK)
                    march.template plane<RW>(
                        from, pitch, lane, end, crosses, x, g.nx, state,
                        bulk_rows<T>{to, g.pitch, past > first ? plain.rows : 0,
                                     box + turn * RW * 32 * n, lane, RW, first,
                                     (past - first) * static_cast<int>(sizeof(T))});
                else
                    march.template plane<RW>(from, pitch, lane, end, crosses, x, g.nx, state,
                                             plain);
            }
            turn ^= 1;
            __syncwarp();
            if (lane == 0)
                barrier_arrive(&empty[at]);
            if (++at == l.stages) {
                at = 0;
                parity ^= 1;
            }
        }
    }
}

template <class T, int RW, bool BULK, class M>
__global__ void __launch_bounds__(32 * M::warps, 1)
    stream(const __grid_constant__ CUtensorMap map, grid<T> g, M march, stream_layout l)
{
    if (!tensor_copy_built)
        return;
    extern __shared__ __align__(128) unsigned char ring[];
    unsigned long long *full = reinterpret_cast<unsigned long long *>(
        ring + static_cast<size_t>(l.stages) * stream_stage<T, M>(l.rows));
    unsigned long long *empty = full + l.stages;
    stream_begin(l, M::warps, full, empty);
    T *const boxes = reinterpret_cast<T *>(ring + stream_ring<T, M>(l));
    stream_planes<T, RW, BULK>(&map, g, march, l, ring, full, empty, boxes);
    if (BULK && threadIdx.x % 32 == 0)
        bulk_wait<0>();
}

} // namespace an_bench
#endif
