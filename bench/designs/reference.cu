#include "bench/designs/reference.cuh"

namespace an_bench
{

static __device__ unsigned scramble(unsigned v)
{
    v = (v ^ (v >> 16)) * 0x7feb352du;
    v = (v ^ (v >> 15)) * 0x846ca68bu;
    return v ^ (v >> 16);
}

template <class T> __global__ void fill_kernel(T *u, size_t n, unsigned seed)
{
    const size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
        const unsigned v =
            scramble(scramble(static_cast<unsigned>(i) + seed) + static_cast<unsigned>(i >> 32));
        u[i] = static_cast<T>(static_cast<int>(v)) * static_cast<T>(1.0 / 2147483648.0);
    }
}

int fill(void *u, size_t n, int precision, unsigned seed)
{
    if (precision == 32)
        fill_kernel<<<2048, 256>>>(static_cast<float *>(u), n, seed);
    else
        fill_kernel<<<2048, 256>>>(static_cast<double *>(u), n, seed);
    AN_CUDA(cudaPeekAtLastError());
    return AN_OK;
}

template <class T> __global__ void poison_kernel(grid<T> g, int r)
{
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y), z = static_cast<int>(blockIdx.z);
    if (x >= g.nx)
        return;
    const size_t at = static_cast<size_t>(z) * g.plane + static_cast<size_t>(y) * g.pitch + x;
    g.to[at] = inside(g, x, y, z, r) ? static_cast<T>(__longlong_as_double(-1)) : g.from[at];
}

static dim3 rows_of(const problem &p)
{
    return dim3(over(p.n[0], 128), static_cast<unsigned>(p.n[1]), static_cast<unsigned>(p.n[2]));
}

int poison(const problem &p)
{
    if (p.precision == 32)
        poison_kernel<<<rows_of(p), 128>>>(grid_of<float>(p), p.radius);
    else
        poison_kernel<<<rows_of(p), 128>>>(grid_of<double>(p), p.radius);
    AN_CUDA(cudaPeekAtLastError());
    return AN_OK;
}

/* How the sum of a stencil sees the neighbour at (i, j, k): number of its coefficient, -1 for none.
 */
static int which(enum an_bench_stencil s, int i, int j, int k)
{
    const int distance = abs(i) + abs(j) + abs(k), axes = (i != 0) + (j != 0) + (k != 0);
    switch (s) {
    case AN_BENCH_BOX27S:
        return distance;
    case AN_BENCH_BOX27:
        return i + 1 + 3 * (j + 1) + 9 * (k + 1);
    default:
        return axes <= 1 ? distance : -1;
    }
}

struct terms {
    int n;
    double c[27];
    signed char offset[27][3];
};

static terms terms_of(const problem &p)
{
    const double *c = an_bench_coefficients(p.stencil);
    const int r = p.radius;
    terms t;
    t.n = 0;
    for (int k = -r; k <= r; k++)
        for (int j = -r; j <= r; j++)
            for (int i = -r; i <= r; i++) {
                const int w = which(p.stencil, i, j, k);
                if (w < 0)
                    continue;
                t.c[t.n] = c[w];
                t.offset[t.n][0] = static_cast<signed char>(i);
                t.offset[t.n][1] = static_cast<signed char>(j);
                t.offset[t.n][2] = static_cast<signed char>(k);
                t.n++;
            }
    return t;
}

template <class T> __global__ void reference_kernel(grid<T> g, terms t, int r)
{
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    const int y = static_cast<int>(blockIdx.y), z = static_cast<int>(blockIdx.z);
    if (x >= g.nx)
        return;
    const size_t at = static_cast<size_t>(z) * g.plane + static_cast<size_t>(y) * g.pitch + x;
    double sum = 0;
    if (!inside(g, x, y, z, r))
        sum = g.from[at];
    else
        for (int n = 0; n < t.n; n++)
            sum += t.c[n] * g.from[static_cast<ptrdiff_t>(at) + t.offset[n][0] +
                                   t.offset[n][1] * static_cast<ptrdiff_t>(g.pitch) +
                                   t.offset[n][2] * static_cast<ptrdiff_t>(g.plane)];
    g.to[at] = static_cast<T>(sum);
}

struct wave_terms {
    double c[4];
};

template <class T> __global__ void reference_wave(grid<T> g, wave_terms t, int r)
{
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= g.nx)
        return;
    double sum = t.c[0] * g.from[x] - g.to[x];
    for (int s = 1; s <= r; s++)
        sum +=
            t.c[s] * (static_cast<double>(g.from[(x + g.nx - s) % g.nx]) + g.from[(x + s) % g.nx]);
    g.to[x] = static_cast<T>(sum);
}

template <class T> static int reference_of(const problem &p, const void *from, void *to)
{
    problem q = p;
    q.from = const_cast<void *>(from);
    q.to = to;
    if (an_bench_stencil_about(p.stencil)->dimensions == 1) {
        wave_terms t = {};
        for (int i = 0; i <= p.radius; i++)
            t.c[i] = an_bench_coefficients(p.stencil)[i];
        reference_wave<<<over(p.n[0], 128), 128>>>(grid_of<T>(q), t, p.radius);
    } else {
        reference_kernel<<<rows_of(p), 128>>>(grid_of<T>(q), terms_of(p), p.radius);
    }
    AN_CUDA(cudaPeekAtLastError());
    return AN_OK;
}

int reference(const problem &p, const void *from, void *to)
{
    return p.precision == 32 ? reference_of<float>(p, from, to) : reference_of<double>(p, from, to);
}

/* Positive doubles order as their bits do, and NaN comes last. */
static __device__ void largest(unsigned long long *max, double v)
{
    const unsigned long long bits = static_cast<unsigned long long>(__double_as_longlong(fabs(v)));
    if (bits > *reinterpret_cast<volatile unsigned long long *>(max))
        atomicMax(max, bits);
}

template <class T>
__global__ void compare_kernel(grid<T> g, const T *a, const T *b, unsigned long long *max)
{
    const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (x >= g.nx)
        return;
    const size_t at =
        static_cast<size_t>(blockIdx.z) * g.plane + static_cast<size_t>(blockIdx.y) * g.pitch + x;
    const double va = a[at], vb = b[at];
    largest(max, va - vb);
    largest(max + 1, vb);
}

int compare(const problem &p, const void *a, const void *b, double *difference, double *size)
{
    unsigned long long *max = static_cast<unsigned long long *>(p.work);
    double found[2];
    AN_CUDA(cudaMemset(max, 0, sizeof found));
    if (p.precision == 32)
        compare_kernel<<<rows_of(p), 128>>>(grid_of<float>(p), static_cast<const float *>(a),
                                            static_cast<const float *>(b), max);
    else
        compare_kernel<<<rows_of(p), 128>>>(grid_of<double>(p), static_cast<const double *>(a),
                                            static_cast<const double *>(b), max);
    AN_CUDA(cudaPeekAtLastError());
    AN_CUDA(cudaMemcpy(found, max, sizeof found, cudaMemcpyDeviceToHost));
    *difference = found[0];
    *size = found[1];
    return AN_OK;
}

} // namespace an_bench
