/* The star of radius 4 from planes that the tensor copy engine brings into shared memory ahead of
 * time (stream.cuh says how blocks and warps work together); columns of sums as in star.cu. */
#include "bench/star.cuh"
#include "bench/stream.cuh"

#include <algorithm>

namespace an_bench
{

template <class T, int RW>
static __device__ void star_compute(const grid<T> &g, const star25<T> &k, const stream_layout &l,
                                    const unsigned char *ring, unsigned long long *full,
                                    unsigned long long *empty)
{
    enum { n = vector<T>::n, pitch = 32 * n + 8 };
    const int stage = stream_stage<T>(l.rows, 4);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int row = static_cast<int>(threadIdx.x) / 32 * RW;
    int at = 0;
    unsigned parity = 0;
    for (int t = static_cast<int>(blockIdx.x); t < l.tiles; t += static_cast<int>(gridDim.x)) {
        const stream_tile tile = tile_at<T>(l, t, g.nz, 4);
        const int x = tile.x + lane * n, y = tile.y + row;
        const int rows = x < g.nx ? min(min(l.rows - row, g.ny - 4 - y), static_cast<int>(RW)) : 0;
        vector<T> s[8][RW] = {};
        T *to = g.to + (tile.z - 8) * static_cast<ptrdiff_t>(g.plane) +
                y * static_cast<ptrdiff_t>(g.pitch) + x;
        for (int z = tile.z - 4; z < tile.end + 4; z++, to += g.plane) {
            barrier_wait(&full[at], parity);
            if (row < l.rows)
                star_plane<T, RW>(k,
                                  reinterpret_cast<const T *>(ring + at * stage) +
                                      (row + 4) * pitch + 4 + lane * n,
                                  pitch, z >= tile.z && z < tile.end, x, g.nx, s, to, g.pitch,
                                  z < tile.z + 4 ? 0 : rows);
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

template <class T, int RW>
__global__ void __launch_bounds__(32 * (stream_warps + 1), 1)
    star_stream(const __grid_constant__ CUtensorMap map, grid<T> g, star25<T> k, stream_layout l)
{
    extern __shared__ __align__(128) unsigned char ring[];
    unsigned long long *full = reinterpret_cast<unsigned long long *>(
        ring + static_cast<size_t>(l.stages) * stream_stage<T>(l.rows, 4));
    unsigned long long *empty = full + l.stages;
    stream_begin(l, full, empty);
    if (threadIdx.x / 32 < stream_warps)
        star_compute<T, RW>(g, k, l, ring, full, empty);
    else if (threadIdx.x % 32 == 0)
        stream_load<T, 4>(&map, g, l, ring, full, empty);
}

static const char *const names[] = {"30 rows, chunk 128", "30 rows, chunk 64", "30 rows, whole z",
                                    "15 rows, chunk 128"};
static const int chunks[] = {128, 64, 1 << 20, 128};

template <class T> static int run_star_stream(problem &p, int variant)
{
    stream_layout l;
    CUtensorMap map;
    const int rw = variant == 3 ? 1 : 2;
    l.nx = static_cast<int>(over(p.n[0], 32 * vector<T>::n));
    l.rows = rw * stream_warps;
    l.ny = static_cast<int>(over(p.n[1] - 8, l.rows));
    l.chunk = std::min(chunks[variant], p.n[2] - 8);
    l.tiles = l.nx * l.ny * static_cast<int>(over(p.n[2] - 8, l.chunk));
    l.stages = std::min(p.shared_limit / (stream_stage<T>(l.rows, 4) + 16), 8);
    const int box[2] = {32 * vector<T>::n + 8, l.rows + 8};
    const int found = tensor_map(p, box, &map);
    if (found != AN_OK)
        return found;
    const size_t shared = static_cast<size_t>(l.stages) * (stream_stage<T>(l.rows, 4) + 16);
    const dim3 blocks(static_cast<unsigned>(std::min(l.tiles, p.processors)));
    return launch(p, rw == 1 ? star_stream<T, 1> : star_stream<T, 2>, blocks,
                  dim3(32 * (stream_warps + 1)), shared, map, grid_of<T>(p), star25<T>(p), l);
}

#define STAR_AT(type, precision)                                                                  \
    {                                                                                             \
        {"engine, planes by tensor copy", "",                                                     \
         "a warp loads planes ahead, each is given to nine outputs", AN_BENCH_STAR25, precision}, \
            sizeof names / sizeof names[0], names, run_star_stream<type>, nullptr, 0, nullptr,    \
            nullptr                                                                               \
    }

rows star_stream_rows()
{
    static const row table[] = {STAR_AT(float, 32), STAR_AT(double, 64)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
