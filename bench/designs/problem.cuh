/* What designs share: the problem they are given, the row by which the table knows them, launching.
 *
 * Memory: rows of `pitch` points, a multiple of 128 bytes; planes of ny rows. Before and after the
 * grid lie `guard` points that may be read, never written. Words between nx and pitch may be
 * written.
 */
#ifndef AN_BENCH_PROBLEM_CUH
#define AN_BENCH_PROBLEM_CUH

#include "bench/designs/designs.h"
#include "kernels/base/error.h"

#include <cuda_runtime.h>

#define AN_CUDA(call)                                                                         \
    do {                                                                                      \
        const cudaError_t an_cuda_ = (call);                                                  \
        if (an_cuda_ != cudaSuccess)                                                          \
            return an_error_set(AN_FAIL, "CUDA: %s (%s) in %s", cudaGetErrorString(an_cuda_), \
                                cudaGetErrorName(an_cuda_), #call);                           \
    } while (0)

namespace an_bench
{

template <class T> struct grid {
    const T *from;
    T *to;
    int nx, ny, nz, pitch;
    size_t plane; /* points */
};

struct problem {
    enum an_bench_stencil stencil;
    int precision, n[3], radius, pitch;
    size_t plane, guard;
    void *from, *to; /* of point (0, 0, 0) */
    int steps;  /* of a launch. Wave, always odd: from is u and to u_old before, after the launch
                   the newest level is in `to` and the one before it in `from` */
    void *work; /* 8 MB for the launch, its contents undefined */
    int processors, shared_limit;
    size_t l2;
    const void *kernel; /* what the last launch used */
    int threads;
    size_t shared;
};

/* A variant that does not fit the problem or the device returns this and is passed over. */
constexpr int UNFIT = -1;

struct row {
    struct an_design design;
    int variants;
    const char *const *variant; /* names, or NULL */
    int (*run)(problem &p, int variant);
    const int *steps;                    /* of each variant's launch, NULL: 1 */
    int timed_steps;                     /* wave, odd */
    double (*predict)(const problem &p); /* bytes, or NULL */
};

struct rows {
    const row *row;
    int n;
};

/* Points of wave that the device holds in registers. */
int wave_points(const problem &p);

/* One for each file of designs. */
rows naive_rows();
rows stream_rows();
rows brick_rows();
rows wave_rows();
rows classic_rows();
rows subblock_rows();
rows krotkiewski_rows();
rows high_order_rows();
rows star_rows();
rows temporal_rows();

template <class T> static inline grid<T> grid_of(const problem &p)
{
    return {static_cast<const T *>(p.from),
            static_cast<T *>(p.to),
            p.n[0],
            p.n[1],
            p.n[2],
            p.pitch,
            p.plane};
}

static inline unsigned over(int a, int b)
{
    return static_cast<unsigned>((a + b - 1) / b);
}

/* kernel<<<grid, block, shared>>>(a...), with what a block of much shared memory needs before. */
template <class... P, class... A>
static inline int launch(problem &p, void (*kernel)(P...), dim3 blocks, dim3 threads, size_t shared,
                         const A &...a)
{
    p.kernel = reinterpret_cast<const void *>(kernel);
    p.threads = static_cast<int>(threads.x * threads.y * threads.z);
    p.shared = shared;
    if (shared > static_cast<size_t>(p.shared_limit))
        return UNFIT;
    if (shared > 48 * 1024)
        AN_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     static_cast<int>(shared)));
    kernel<<<blocks, threads, shared>>>(a...);
    AN_CUDA(cudaPeekAtLastError());
    return AN_OK;
}

/* The coefficients as kernel parameters: they come from constant memory. */
template <class T, int N> struct coefficients {
    T c[N];
};

template <class T, int N> static inline coefficients<T, N> coefficients_of(const problem &p)
{
    coefficients<T, N> k;
    const double *c = an_bench_coefficients(p.stencil);
    for (int i = 0; i < N; i++)
        k.c[i] = static_cast<T>(c[i]);
    return k;
}

/* Inside: the points that a stencil updates. */
template <class T>
static __device__ __forceinline__ bool inside(const grid<T> &g, int x, int y, int z, int r)
{
    return x >= r && y >= r && z >= r && x < g.nx - r && y < g.ny - r && z < g.nz - r;
}

} // namespace an_bench
#endif
