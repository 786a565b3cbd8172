/* Naive: a thread per point, every neighbour read from memory. */
#include "bench/designs/point.cuh"

namespace an_bench
{

template <class T, class S> __global__ void __launch_bounds__(512) naive(grid<T> g, S s)
{
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int z = static_cast<int>(blockIdx.z);
    if (!inside(g, x, y, z, S::radius))
        return;
    const size_t at = static_cast<size_t>(z) * g.plane + static_cast<size_t>(y) * g.pitch + x;
    const ptrdiff_t row = g.pitch, plane = static_cast<ptrdiff_t>(g.plane);
    const T *u = g.from + at;
    g.to[at] = s([&](int i, int j, int k) { return u[i + j * row + k * plane]; });
}

template <class T, class S> static int run_naive(problem &p, int)
{
    return launch(p, naive<T, S>, dim3(over(p.n[0], 128), over(p.n[1], 4), p.n[2]), dim3(128, 4), 0,
                  grid_of<T>(p), S(p));
}

#define NAIVE(name, stencil)                                                                       \
    {{"naive", "", "a thread per point, every neighbour from memory", stencil, 32},                \
     1,                                                                                            \
     nullptr,                                                                                      \
     run_naive<float, name<float>>,                                                                \
     nullptr,                                                                                      \
     0,                                                                                            \
     nullptr},                                                                                     \
    {                                                                                              \
        {"naive", "", "a thread per point, every neighbour from memory", stencil, 64}, 1, nullptr, \
            run_naive<double, name<double>>, nullptr, 0, nullptr                                   \
    }

rows naive_rows()
{
    static const row table[] = {NAIVE(star7, AN_BENCH_STAR7), NAIVE(box27s, AN_BENCH_BOX27S),
                                NAIVE(box27, AN_BENCH_BOX27), NAIVE(star25, AN_BENCH_STAR25)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
