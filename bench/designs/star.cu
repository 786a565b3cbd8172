/* The project's engine for the star of radius 4 without shared memory: neighbours in x and y come
 * from the first-level cache (star.cuh). */
#include "bench/designs/star.cuh"

namespace an_bench
{

template <class T, int RY, int WARPS, int MIN>
__global__ void __launch_bounds__(32 * WARPS, MIN) star_march(grid<T> g, star25<T> k, int chunk)
{
    enum { n = vector<T>::n };
    const int x = (static_cast<int>(blockIdx.x) * 32 + static_cast<int>(threadIdx.x)) * n;
    const int y = 4 + (static_cast<int>(blockIdx.y) * WARPS + static_cast<int>(threadIdx.y)) * RY;
    const int first = 4 + static_cast<int>(blockIdx.z) * chunk, end = min(first + chunk, g.nz - 4);
    if (x >= g.nx || y >= g.ny - 4)
        return;
    const size_t at = (first - 4) * g.plane + static_cast<size_t>(y) * g.pitch + x;
    const T *p = g.from + at;
    T *to = g.to + at - 4 * g.plane;
    vector<T> s[8][RY] = {};
    for (int z = first - 4; z < end + 4; z++, p += g.plane, to += g.plane)
        star_plane<T, RY>(k, p, g.pitch, z >= first && z < end, s,
                          edge_rows<T>{to, g.pitch, z < first + 4 ? 0 : g.ny - 4 - y, x, g.nx});
}

static const char *const names[] = {"1 row, 8 warps, chunk 64",  "1 row, 16 warps, chunk 64",
                                    "2 rows, 8 warps, chunk 64", "2 rows, 4 warps, chunk 64",
                                    "2 rows, 8 warps, chunk 32", "1 row, 8 warps, chunk 128",
                                    "4 rows, 4 warps, chunk 64"};

template <class T, int RY, int WARPS, int MIN> static int run_star_as(problem &p, int chunk)
{
    return launch(p, star_march<T, RY, WARPS, MIN>,
                  dim3(over(p.n[0], 32 * vector<T>::n), over(p.n[1] - 8, WARPS * RY),
                       over(p.n[2] - 8, chunk)),
                  dim3(32, WARPS), 0, grid_of<T>(p), star25<T>(p), chunk);
}

template <class T> static int run_star(problem &p, int variant)
{
    switch (variant) {
    case 0:
        return run_star_as<T, 1, 8, 3>(p, 64);
    case 1:
        return run_star_as<T, 1, 16, 1>(p, 64);
    case 2:
        return run_star_as<T, 2, 8, 2>(p, 64);
    case 3:
        return run_star_as<T, 2, 4, 4>(p, 64);
    case 4:
        return run_star_as<T, 2, 8, 2>(p, 32);
    case 5:
        return run_star_as<T, 1, 8, 3>(p, 128);
    default:
        return run_star_as<T, 4, 4, 2>(p, 64);
    }
}

#define STAR_AT(type, precision)                                                              \
    {                                                                                         \
        {"engine, columns of sums in registers", "",                                          \
         "each plane read once and given to nine outputs, no shared memory", AN_BENCH_STAR25, \
         precision},                                                                          \
            sizeof names / sizeof names[0], names, run_star<type>, nullptr, 0, nullptr        \
    }

rows star_rows()
{
    static const row table[] = {STAR_AT(float, 32), STAR_AT(double, 64)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
