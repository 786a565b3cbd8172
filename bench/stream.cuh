/* The project's engine for stencils of radius 1: planes stream through shared memory.
 *
 * The blocks of a launch, one on a multiprocessor, cover a whole plane (or a large part) and march
 * in z together: memory sees one linear front of loads and one of stores, and rows that two blocks
 * need are read once from it. One warp asks the tensor copy engine for planes ahead of time; the
 * others compute. Between the two: barriers `full` and `empty` of each stage of a ring.
 *
 *      y ^   +-------------------------+        stage: rows + 2 rows of 32 V + 2 V points
 *        |   | halo +-------------+    |        V: points in 16 bytes
 *        |   |      | warp 1: RW rows x 32 V
 *        |   |      | warp 0: RW rows, a vector of 16 bytes a thread
 *        |   |      +-------------+    |
 *        +-> x                         z: two sums a point in registers (march.cuh)
 */
#ifndef AN_BENCH_STREAM_CUH
#define AN_BENCH_STREAM_CUH

#include "bench/march.cuh"
#include "bench/tensor_copy.cuh"

namespace an_bench
{

struct stream_layout {
    int rows, chunk, stages; /* of a tile; planes a tile; of the ring */
    int nx, ny, tiles;       /* tiles in x and y, in all */
};

enum { stream_warps = 15 }; /* that compute */

template <class T> static __host__ __device__ __forceinline__ int stream_stage(int rows, int r)
{
    const int halo = (r * static_cast<int>(sizeof(T)) + 15) / 16 * 16;
    return ((512 + 2 * halo) * (rows + 2 * r) + 127) / 128 * 128;
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
stream_begin(const stream_layout &l, unsigned long long *full, unsigned long long *empty)
{
    if (threadIdx.x == 0) {
        for (int i = 0; i < l.stages; i++) {
            barrier_init(&full[i], 1);
            barrier_init(&empty[i], stream_warps);
        }
        barrier_init_done();
    }
    __syncthreads();
}

/* The warp that loads: one thread of it. */
template <class T, int r>
static __device__ void stream_load(const CUtensorMap *map, const grid<T> &g, const stream_layout &l,
                                   unsigned char *ring, unsigned long long *full,
                                   unsigned long long *empty)
{
    const int stage = stream_stage<T>(l.rows, r);
    const int halo = (r + vector<T>::n - 1) / vector<T>::n * vector<T>::n;
    const unsigned bytes = static_cast<unsigned>((32 * vector<T>::n + 2 * halo) *
                                                 static_cast<int>(sizeof(T)) * (l.rows + 2 * r));
    int s = 0;
    unsigned parity = 1;
    for (int t = static_cast<int>(blockIdx.x); t < l.tiles; t += static_cast<int>(gridDim.x)) {
        const stream_tile a = tile_at<T>(l, t, g.nz, r);
        for (int z = a.z - r; z < a.end + r; z++) {
            barrier_wait(&empty[s], parity);
            barrier_expect(&full[s], bytes);
            tensor_load(ring + s * stage, map, a.x - halo, a.y - r, z, &full[s]);
            if (++s == l.stages) {
                s = 0;
                parity ^= 1;
            }
        }
    }
}

template <class T, int RW, class S>
static __device__ void stream_compute(const grid<T> &g, const S &s, const stream_layout &l,
                                      const unsigned char *ring, unsigned long long *full,
                                      unsigned long long *empty)
{
    enum { n = vector<T>::n, pitch = 34 * n };
    const int stage = stream_stage<T>(l.rows, 1);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int row = static_cast<int>(threadIdx.x) / 32 * RW;
    int at = 0;
    unsigned parity = 0;
    for (int t = static_cast<int>(blockIdx.x); t < l.tiles; t += static_cast<int>(gridDim.x)) {
        const stream_tile tile = tile_at<T>(l, t, g.nz, 1);
        const int x = tile.x + lane * n;
        int rows = x < g.nx ? min(min(l.rows, g.ny - 1 - tile.y) - row, static_cast<int>(RW)) : 0;
        bool keep[n];
        vector<T> a[RW] = {}, b[RW] = {};
        for (int i = 0; i < n; i++)
            keep[i] = x + i == 0 || x + i >= g.nx - 1;
        T *to = g.to + (tile.z - 2) * static_cast<ptrdiff_t>(g.plane) +
                (tile.y + row) * static_cast<ptrdiff_t>(g.pitch) + x;
        for (int z = tile.z - 1; z < tile.end + 1; z++, to += g.plane) {
            barrier_wait(&full[at], parity);
            if (row < l.rows)
                march_plane<T, RW>(s,
                                   reinterpret_cast<const T *>(ring + at * stage) +
                                       (row + 1) * pitch + (lane + 1) * n,
                                   pitch, lane, keep, a, b, to, g.pitch, z > tile.z ? rows : 0);
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

template <class T, int RW, class S>
__global__ void __launch_bounds__(32 * (stream_warps + 1), 1)
    stream(const __grid_constant__ CUtensorMap map, grid<T> g, S s, stream_layout l)
{
    extern __shared__ __align__(128) unsigned char ring[];
    unsigned long long *full = reinterpret_cast<unsigned long long *>(
        ring + static_cast<size_t>(l.stages) * stream_stage<T>(l.rows, 1));
    unsigned long long *empty = full + l.stages;
    stream_begin(l, full, empty);
    if (threadIdx.x / 32 < stream_warps)
        stream_compute<T, RW>(g, s, l, ring, full, empty);
    else if (threadIdx.x % 32 == 0)
        stream_load<T, 1>(&map, g, l, ring, full, empty);
}

} // namespace an_bench
#endif
