/* The 7-point stencil in the designs of Hwu, Kirk and El Hajj, "Programming Massively Parallel
 * Processors", chapter 8: a tile in shared memory, then thread coarsening, then register tiling.
 *
 * All have a thread for each point of the input tile, halo included; those of the halo only load.
 */
#include "bench/designs/point.cuh"

namespace an_bench
{

/* x, y, z clamped to the grid, so that threads beyond it load something, too. */
template <class T>
static __device__ __forceinline__ T clamped(const grid<T> &g, int x, int y, int z)
{
    return g.from[static_cast<size_t>(min(z, g.nz - 1)) * g.plane +
                  static_cast<size_t>(min(y, g.ny - 1)) * g.pitch + min(x, g.nx - 1)];
}

template <class T> static __device__ __forceinline__ T *at(const grid<T> &g, int x, int y, int z)
{
    return g.to + static_cast<size_t>(z) * g.plane + static_cast<size_t>(y) * g.pitch + x;
}

/* A box of the grid in shared memory, one thread a point. */
template <class T, int NX, int NY, int NZ>
__global__ void __launch_bounds__(NX *NY *NZ) tile_box(grid<T> g, star7<T> s)
{
    __shared__ T u[NZ][NY][NX];
    const int i = static_cast<int>(threadIdx.x), j = static_cast<int>(threadIdx.y);
    const int k = static_cast<int>(threadIdx.z);
    const int x = static_cast<int>(blockIdx.x) * (NX - 2) + i;
    const int y = static_cast<int>(blockIdx.y) * (NY - 2) + j;
    const int z = static_cast<int>(blockIdx.z) * (NZ - 2) + k;
    u[k][j][i] = clamped(g, x, y, z);
    __syncthreads();
    const bool inner = i > 0 && i < NX - 1 && j > 0 && j < NY - 1 && k > 0 && k < NZ - 1;
    if (inner && inside(g, x, y, z, 1))
        *at(g, x, y, z) = s([&](int a, int b, int c) { return u[k + c][j + b][i + a]; });
}

/* Thread coarsening: a thread computes a column of `chunk` points; three planes in shared memory.
 */
template <class T, int NX, int NY>
__global__ void __launch_bounds__(NX *NY) tile_coarse(grid<T> g, star7<T> s, int chunk)
{
    __shared__ T u[3][NY][NX];
    const int i = static_cast<int>(threadIdx.x), j = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * (NX - 2) + i;
    const int y = static_cast<int>(blockIdx.y) * (NY - 2) + j;
    const int first = 1 + static_cast<int>(blockIdx.z) * chunk;
    const int end = min(first + chunk, g.nz - 1);
    const bool inner = i > 0 && i < NX - 1 && j > 0 && j < NY - 1;
    u[0][j][i] = clamped(g, x, y, first - 1);
    u[1][j][i] = clamped(g, x, y, first);
    for (int z = first; z < end; z++) {
        u[2][j][i] = clamped(g, x, y, z + 1);
        __syncthreads();
        if (inner && inside(g, x, y, z, 1))
            *at(g, x, y, z) = s([&](int a, int b, int c) { return u[1 + c][j + b][i + a]; });
        __syncthreads();
        u[0][j][i] = u[1][j][i];
        u[1][j][i] = u[2][j][i];
    }
}

/* Register tiling: of the three planes only the middle one is shared; a thread alone needs its
 * points below and above. */
template <class T, int NX, int NY>
__global__ void __launch_bounds__(NX *NY) tile_register(grid<T> g, star7<T> s, int chunk)
{
    __shared__ T u[NY][NX];
    const int i = static_cast<int>(threadIdx.x), j = static_cast<int>(threadIdx.y);
    const int x = static_cast<int>(blockIdx.x) * (NX - 2) + i;
    const int y = static_cast<int>(blockIdx.y) * (NY - 2) + j;
    const int first = 1 + static_cast<int>(blockIdx.z) * chunk;
    const int end = min(first + chunk, g.nz - 1);
    const bool inner = i > 0 && i < NX - 1 && j > 0 && j < NY - 1;
    T below = clamped(g, x, y, first - 1), middle = clamped(g, x, y, first);
    for (int z = first; z < end; z++) {
        const T above = clamped(g, x, y, z + 1);
        u[j][i] = middle;
        __syncthreads();
        if (inner && inside(g, x, y, z, 1))
            *at(g, x, y, z) = s([&](int a, int b, int c) {
                return c < 0 ? below : c > 0 ? above : u[j + b][i + a];
            });
        __syncthreads();
        below = middle;
        middle = above;
    }
}

enum { tile_chunk = 64 };

template <class T> static int run_tile_box(problem &p, int)
{
    return launch(p, tile_box<T, 32, 8, 4>,
                  dim3(over(p.n[0] - 2, 30), over(p.n[1] - 2, 6), over(p.n[2] - 2, 2)),
                  dim3(32, 8, 4), 0, grid_of<T>(p), star7<T>(p));
}

template <class T> static dim3 columns(const problem &p, int nx, int ny)
{
    return dim3(over(p.n[0] - 2, nx - 2), over(p.n[1] - 2, ny - 2), over(p.n[2] - 2, tile_chunk));
}

template <class T> static int run_tile_coarse(problem &p, int)
{
    return launch(p, tile_coarse<T, 32, 32>, columns<T>(p, 32, 32), dim3(32, 32), 0, grid_of<T>(p),
                  star7<T>(p), static_cast<int>(tile_chunk));
}

template <class T> static int run_tile_register(problem &p, int)
{
    return launch(p, tile_register<T, 32, 32>, columns<T>(p, 32, 32), dim3(32, 32), 0,
                  grid_of<T>(p), star7<T>(p), static_cast<int>(tile_chunk));
}

#define HWU(name, note, run)                                                                    \
    {{name, "Hwu, Kirk, El Hajj, ch. 8", note, AN_BENCH_STAR7, 32},                             \
     1,                                                                                         \
     nullptr,                                                                                   \
     run<float>,                                                                                \
     nullptr,                                                                                   \
     0,                                                                                         \
     nullptr},                                                                                  \
    {                                                                                           \
        {name, "Hwu, Kirk, El Hajj, ch. 8", note, AN_BENCH_STAR7, 64}, 1, nullptr, run<double>, \
            nullptr, 0, nullptr                                                                 \
    }

rows classic_rows()
{
    static const row table[] = {
        HWU("shared tile", "a box in shared memory, a thread a point", run_tile_box),
        HWU("thread coarsening", "columns of 64 points, three planes in shared memory",
            run_tile_coarse),
        HWU("register tiling", "columns of 64 points, one plane in shared memory",
            run_tile_register)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
