/* The project's engine without shared memory: a thread computes a vector of 16 bytes x RY rows x KC
 * planes, everything unrolled. Blocks are short in z, so that those in flight form a compact front;
 * where the planes of a front overflow the second-level cache, they are ordered in strips of y. */
#include "bench/designs/march.cuh"
#include "bench/designs/plane.cuh"

namespace an_bench
{

struct brick_order {
    int nx, ny, nz, strip; /* blocks; strip: of so many in y, 0: x, y, z as they come */
};

template <class T, int RY, int KC, class S>
static __device__ __forceinline__ void brick_at(const grid<T> &g, const S &s, int bx, int by,
                                                int bz)
{
    enum { n = vector<T>::n };
    const int lane = static_cast<int>(threadIdx.x);
    const int x = (bx * 32 + lane) * n, z = 1 + bz * KC;
    const int y = 1 + (by * static_cast<int>(blockDim.y) + static_cast<int>(threadIdx.y)) * RY;
    if (y >= g.ny - 1)
        return;
    const int rows = x < g.nx ? min(g.ny - 1 - y, static_cast<int>(RY)) : 0;
    const size_t at = z * g.plane + static_cast<size_t>(y) * g.pitch + x;
    const T *p = g.from + at - g.plane;
    T *to = g.to + at - 2 * g.plane;
    bool keep[n];
    vector<T> a[RY] = {}, b[RY] = {};
    for (int i = 0; i < n; i++)
        keep[i] = x + i == 0 || x + i >= g.nx - 1;
#pragma unroll
    for (int k = 0; k < KC + 2; k++) {
        if (k < 3 || z - 2 + k < g.nz - 1)
            march_plane<T, RY>(s, p, g.pitch, lane, lane == 0 ? -1 : n, keep, a, b,
                               plain_rows<T>{to, g.pitch, k < 2 ? 0 : rows});
        p += g.plane;
        to += g.plane;
    }
}

template <class T, int RY, int KC, int WARPS, int MIN, class S>
__global__ void __launch_bounds__(32 * WARPS, MIN) brick(grid<T> g, S s)
{
    brick_at<T, RY, KC>(g, s, static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y),
                        static_cast<int>(blockIdx.z));
}

template <class T, int RY, int KC, int WARPS, int MIN, class S>
__global__ void __launch_bounds__(32 * WARPS, MIN) brick_strips(grid<T> g, S s, brick_order o)
{
    const int whole = o.nx * o.strip * o.nz, b = static_cast<int>(blockIdx.x);
    const int first = b / whole * o.strip, wide = min(o.strip, o.ny - first);
    const int i = b % whole;
    brick_at<T, RY, KC>(g, s, i % o.nx, first + i / o.nx % wide, i / (o.nx * wide));
}

template <class T, int RY, int KC, int WARPS, int MIN, class S>
static int run_brick_as(problem &p, int strip)
{
    const grid<T> g = grid_of<T>(p);
    const brick_order o = {static_cast<int>(over(g.nx, 32 * vector<T>::n)),
                           static_cast<int>(over(g.ny - 2, WARPS * RY)),
                           static_cast<int>(over(g.nz - 2, KC)), strip};
    if (!strip)
        return launch(p, brick<T, RY, KC, WARPS, MIN, S>,
                      dim3(static_cast<unsigned>(o.nx), static_cast<unsigned>(o.ny),
                           static_cast<unsigned>(o.nz)),
                      dim3(32, WARPS), 0, g, S(p));
    return launch(p, brick_strips<T, RY, KC, WARPS, MIN, S>,
                  dim3(static_cast<unsigned>(o.nx * o.ny * o.nz)), dim3(32, WARPS), 0, g, S(p), o);
}

static const char *const brick_names[] = {
    "2 x 4, 8 warps",         "2 x 4, 4 warps",         "2 x 3, 4 warps",        "1 x 6, 16 warps",
    "2 x 3, 4 warps, strips", "2 x 4, 8 warps, strips", "2 x 8, 4 warps, strips"};

/* The fastest of many that were tried; strips of 512 rows. */
template <class T, class S> static int run_brick(problem &p, int variant)
{
    switch (variant) {
    case 0:
        return run_brick_as<T, 2, 4, 8, 4, S>(p, 0);
    case 1:
        return run_brick_as<T, 2, 4, 4, 8, S>(p, 0);
    case 2:
        return run_brick_as<T, 2, 3, 4, 8, S>(p, 0);
    case 3:
        return run_brick_as<T, 1, 6, 16, 3, S>(p, 0);
    case 4:
        return run_brick_as<T, 2, 3, 4, 8, S>(p, 64);
    case 5:
        return run_brick_as<T, 2, 4, 8, 3, S>(p, 32);
    default:
        return run_brick_as<T, 2, 8, 4, 6, S>(p, 64);
    }
}

#define BRICK_AT(type, precision, name, stencil)                                                   \
    {                                                                                              \
        {"engine, bricks in registers", "",                                                        \
         "16 bytes x 2 rows x 4 planes a thread, unrolled, no shared memory", stencil, precision}, \
            sizeof brick_names / sizeof brick_names[0], brick_names, run_brick<type, name<type>>,  \
            nullptr, 0, nullptr                                                                    \
    }
#define BRICK(name, stencil) BRICK_AT(float, 32, name, stencil), BRICK_AT(double, 64, name, stencil)

rows brick_rows()
{
    static const row table[] = {BRICK(star7_plane, AN_BENCH_STAR7),
                                BRICK(box27s_plane, AN_BENCH_BOX27S),
                                BRICK(box27_plane, AN_BENCH_BOX27)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
