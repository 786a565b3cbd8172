/* Designs of the wave equation in one dimension. */
#include "bench/designs/vector.cuh"
#include "bench/designs/wave.cuh"

#include <algorithm>

namespace an_bench
{

/* Stepwise: a launch a step, a vector of points a thread, in place of the older level. */
template <class T, int R>
__global__ void __launch_bounds__(256)
    wave_stepwise(const T *u, T *v, int n, coefficients<T, R + 1> k)
{
    enum { V = vector<T>::n };
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) * V;
    if (x >= n)
        return;
    if (x < R || x + V + R > n) {
        for (int i = x; i < min(x + static_cast<int>(V), n); i++) {
            T sum = k.c[0] * u[i] - v[i];
            for (int s = 1; s <= R; s++)
                sum += k.c[s] * (u[(i + n - s) % n] + u[(i + s) % n]);
            v[i] = sum;
        }
        return;
    }
    vector<T> out = load(v + x);
#pragma unroll
    for (int i = 0; i < V; i++) {
        T sum = k.c[0] * u[x + i] - out.v[i];
#pragma unroll
        for (int s = 1; s <= R; s++)
            sum += k.c[s] * (u[x + i - s] + u[x + i + s]);
        out.v[i] = sum;
    }
    store(v + x, out);
}

template <class T, int R> static int run_stepwise(problem &p, int)
{
    T *u = static_cast<T *>(p.from), *v = static_cast<T *>(p.to);
    for (int s = 0; s < p.steps; s++) {
        AN_TRY(launch(p, wave_stepwise<T, R>, dim3(over(p.n[0], 256 * vector<T>::n)), dim3(256), 0,
                      s % 2 ? v : u, s % 2 ? u : v, p.n[0], coefficients_of<T, R + 1>(p)));
    }
    return AN_OK;
}

template <class T, int R, int P, int H> static int run_registers(problem &p)
{
    enum { L = 32 * P - 2 * H };
    wave_layout l = {static_cast<int>(over(p.n[0], L)), p.steps, 0, 0};
    l.early = l.warps * L - p.n[0];
    l.half = (l.warps + 1) / 2;
    const unsigned blocks = over(l.half, wave_warps / 2);
    if (p.n[0] < 2 * L || blocks > static_cast<unsigned>(p.processors))
        return UNFIT;
    int *flags = static_cast<int *>(p.work), n = p.n[0];
    const size_t flag_bytes =
        (static_cast<size_t>(l.warps) * 2 * flag_stride * 4 + 255) / 256 * 256;
    T *edges = reinterpret_cast<T *>(static_cast<char *>(p.work) + flag_bytes);
    T *newest = static_cast<T *>(p.to), *before = static_cast<T *>(p.from);
    void *arguments[] = {&newest, &before, &n, &l, &flags, &edges};
    const void *kernel = reinterpret_cast<const void *>(wave_registers<T, R, P, H>);
    p.kernel = kernel;
    p.threads = 32 * wave_warps;
    p.shared = 0;
    /* Two exchanges of each side at a time, eight bytes for four of a point. */
    const size_t edge_bytes = static_cast<size_t>(l.warps) * 2 * 2 * 2 * H * 2 * sizeof(T);
    AN_CUDA(cudaMemsetAsync(flags, 0, flag_bytes + edge_bytes));
    AN_CUDA(cudaLaunchCooperativeKernel(kernel, dim3(blocks), dim3(32 * wave_warps), arguments, 0,
                                        nullptr));
    return AN_OK;
}

/* Points a thread and halo; the halo is a multiple of r, and a multiple of four steps. */
template <class T, int R> struct wave_window {
    enum { points = 104, halo = 48 };
};
template <int R> struct wave_window<double, R> {
    enum { points = 48, halo = 24 };
};

template <class T> static int owned(int r)
{
    return r == 1   ? 32 * wave_window<T, 1>::points - 2 * wave_window<T, 1>::halo
           : r == 2 ? 32 * wave_window<T, 2>::points - 2 * wave_window<T, 2>::halo
                    : 32 * wave_window<T, 3>::points - 2 * wave_window<T, 3>::halo;
}

/* As many points as the windows own, one for each warp that the device holds. */
int wave_points(const problem &p)
{
    return p.processors * wave_warps *
           (p.precision == 32 ? owned<float>(p.radius) : owned<double>(p.radius));
}

template <class T, int R> static int run_halo(problem &p, int)
{
    return run_registers<T, R, wave_window<T, R>::points, wave_window<T, R>::halo>(p);
}

template <class T, int R> static int run_each_step(problem &p, int)
{
    return run_registers<T, R, wave_window<T, R>::points, R>(p);
}

#define PERSHIN "Pershin, Levchenko, Perepelkina 2019"
#define WAVE_ROW(name, note, stencil, precision, run, steps)                                \
    {                                                                                       \
        {name, PERSHIN, note, stencil, precision}, 1, nullptr, run, nullptr, steps, nullptr \
    }
#define WAVE_AT(type, precision, r, stencil)                                                     \
    WAVE_ROW("stepwise", "a launch a step", stencil, precision, (run_stepwise<type, r>), 1001),  \
        WAVE_ROW("registers, semaphores each step", "warps hold windows and exchange each step", \
                 stencil, precision, (run_each_step<type, r>), 4001),                            \
        WAVE_ROW("registers, halo H", "windows exchange every H / r steps", stencil, precision,  \
                 (run_halo<type, r>), 16001)
#define WAVE(r, stencil) WAVE_AT(float, 32, r, stencil), WAVE_AT(double, 64, r, stencil)

rows wave_rows()
{
    static const row table[] = {WAVE(1, AN_BENCH_WAVE1), WAVE(2, AN_BENCH_WAVE2),
                                WAVE(3, AN_BENCH_WAVE3)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
