/* Ceilings of a GPU, and the stopwatch of its stream. */
#include "bench/bench_run.h"
#include "kernels/cuda/cuda_plan.h"
#include "kernels/cuda/cuda_runtime.cuh"

namespace
{
cudaStream_t stream_of(const struct an_engine *e)
{
    return static_cast<cudaStream_t>(an_cuda_stream(e, 0));
}

__global__ void __launch_bounds__(256) copy_kernel(float4 *to, const float4 *from, size_t n)
{
    const size_t at = static_cast<size_t>(blockIdx.x) * 256 + threadIdx.x;
    if (at < n)
        to[at] = from[at];
}

/* Chains of multiply-adds, each reading one register of its own: enough to hide the latency. */
enum { FMA_THREADS = 256, FMA_CHAINS = 16, FMA_ROUNDS = 2048, FMA_BLOCKS = 8 };

__device__ __forceinline__ float multiply_add(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}
__device__ __forceinline__ double multiply_add(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}

template <class T> __global__ void __launch_bounds__(FMA_THREADS) fma_kernel(T *out, T a, T b)
{
    T x[FMA_CHAINS];
    for (int c = 0; c < FMA_CHAINS; c++)
        x[c] = static_cast<T>(threadIdx.x + c);
#pragma unroll 8
    for (int r = 0; r < FMA_ROUNDS; r++)
#pragma unroll
        for (int c = 0; c < FMA_CHAINS; c++)
            x[c] = multiply_add(x[c], a, b);
    T sum = 0;
    for (int c = 0; c < FMA_CHAINS; c++)
        sum += x[c];
    if (sum == static_cast<T>(-1)) /* never: the compiler must not know */
        out[threadIdx.x] = sum;
}

template <class T> int fma_launch(const struct an_engine *e, double *operations)
{
    const struct an_cuda_plan *plan = static_cast<struct an_cuda_plan *>(e->state);
    const unsigned blocks = static_cast<unsigned>(FMA_BLOCKS * plan->multiprocessors);
    fma_kernel<T><<<blocks, FMA_THREADS, 0, stream_of(e)>>>(
        reinterpret_cast<T *>(plan->red[1]), static_cast<T>(0.999), static_cast<T>(1e-3));
    AN_CUDA(cudaPeekAtLastError());
    *operations = 2.0 * blocks * FMA_THREADS * FMA_CHAINS * FMA_ROUNDS;
    return AN_OK;
}
} // namespace

int an_bench_cuda_lap(const struct an_engine *e, int start, double *seconds)
{
    static cudaEvent_t event[2];
    float milliseconds = 0;
    if (!event[0])
        for (int n = 0; n < 2; n++)
            AN_CUDA(cudaEventCreate(&event[n]));
    AN_CUDA(cudaEventRecord(event[start ? 0 : 1], stream_of(e)));
    if (start)
        return AN_OK;
    AN_CUDA(cudaEventSynchronize(event[1]));
    AN_CUDA(cudaEventElapsedTime(&milliseconds, event[0], event[1]));
    *seconds = 1e-3 * static_cast<double>(milliseconds);
    return AN_OK;
}

int an_bench_cuda_copy(const struct an_engine *e, void *to, const void *from, size_t bytes)
{
    const size_t n = bytes / sizeof(float4);
    copy_kernel<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream_of(e)>>>(
        static_cast<float4 *>(to), static_cast<const float4 *>(from), n);
    AN_CUDA(cudaPeekAtLastError());
    return AN_OK;
}

int an_bench_cuda_fma(const struct an_engine *e, double *operations)
{
    return e->precision == AN_SINGLE ? fma_launch<float>(e, operations)
                                     : fma_launch<double>(e, operations);
}

/* Lanes of a multiprocessor that work on a double are a whole part of those that work on a float. */
int an_bench_cuda_issue(enum an_precision precision, double *rate)
{
    int id = 0, major = 0, minor = 0, processors = 0, kilohertz = 0, ratio = 1;
    AN_CUDA(cudaGetDevice(&id));
    AN_CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, id));
    AN_CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, id));
    AN_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, id));
    AN_CUDA(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, id));
    AN_CUDA(cudaDeviceGetAttribute(&ratio, cudaDevAttrSingleToDoublePrecisionPerfRatio, id));
    const int lanes = major == 7 || (minor == 0 && (major == 6 || major == 8)) ? 64 : 128;
    *rate = 1e3 * kilohertz * processors * lanes / (precision == AN_SINGLE ? 1 : ratio);
    return AN_OK;
}

int an_bench_cuda_device(json_t *device)
{
    struct cudaDeviceProp card;
    int driver = 0, runtime = 0, id = 0;
    AN_CUDA(cudaGetDevice(&id));
    AN_CUDA(cudaGetDeviceProperties(&card, id));
    AN_CUDA(cudaDriverGetVersion(&driver));
    AN_CUDA(cudaRuntimeGetVersion(&runtime));
    json_object_set_new(device, "name", json_string(card.name));
    json_object_set_new(device, "multiprocessors", json_integer(card.multiProcessorCount));
    json_object_set_new(device, "memory_bytes",
                        json_integer(static_cast<json_int_t>(card.totalGlobalMem)));
    json_object_set_new(device, "l2_bytes", json_integer(card.l2CacheSize));
    json_object_set_new(device, "driver_cuda", json_integer(driver));
    json_object_set_new(device, "runtime_cuda", json_integer(runtime));
    return AN_OK;
}
