/* What the kernels need of the language, for nvcc: see cuda_group.cuh; emulated.h is the same for
 * the host. */
#ifndef AN_CUDA_RUNTIME_CUH
#define AN_CUDA_RUNTIME_CUH

#include "kernels/base/error.h"
#include "kernels/base/xsum.h"
#include "kernels/cuda/cuda_kernels.h"

#include <cuda_runtime.h>

#define AN_CUDA(call)                                                                         \
    do {                                                                                      \
        const cudaError_t an_cuda_ = (call);                                                  \
        if (an_cuda_ != cudaSuccess)                                                          \
            return an_error_set(AN_FAIL, "CUDA: %s (%s) in %s", cudaGetErrorString(an_cuda_), \
                                cudaGetErrorName(an_cuda_), #call);                           \
    } while (0)

#define AN_SHARED(type, name) __shared__ type name
#define AN_SHARED_DYNAMIC(type, name)                                \
    extern __shared__ __align__(128) unsigned char dynamic_shared[]; \
    typedef type name##_type;                                        \
    name##_type &name = *reinterpret_cast<name##_type *>(dynamic_shared)

static __device__ inline unsigned long long an_bits(double v)
{
    return static_cast<unsigned long long>(__double_as_longlong(v));
}

/* Copies a word from engine memory to shared memory, asynchronously. an_copy_wait: for the groups
 * of copies this thread committed, but the last one. */
template <class T> static __device__ __forceinline__ void an_copy_async(T *to, const T *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(
                     static_cast<unsigned>(__cvta_generic_to_shared(to))),
                 "l"(from), "n"(sizeof(T))
                 : "memory");
}

static __device__ __forceinline__ void an_copy_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Asks for the line of an address, for the second-level cache. */
static __device__ __forceinline__ void an_fetch_line(const void *p)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
}

static __device__ __forceinline__ void an_copy_wait()
{
    asm volatile("cp.async.wait_group 1;" ::: "memory");
}

/* Waits until the kernels before this one in its stream are done (struct an_cuda_queue). Loads of memory
 * that a kernel only reads may be moved past the wait, by the compiler and by the assembler. So their
 * addresses hang on `index`, and behind the wait stands a way out that no thread takes, since grids
 * have one plane of blocks: loads do not move past a branch. */
static __device__ __forceinline__ void an_await_earlier(int &index)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("{\n\t"
                 ".reg .pred leaves;\n\t"
                 ".reg .b32 plane;\n\t"
                 "griddepcontrol.wait;\n\t"
                 "mov.b32 plane, %%ctaid.z;\n\t"
                 "setp.ne.u32 leaves, plane, 0;\n\t"
                 "@leaves exit;\n\t"
                 "}"
                 : "+r"(index)::"memory");
#else
    (void)index;
#endif
}
#define AN_AWAIT_EARLIER(index) an_await_earlier(index)

/* Threads of a warp wait for each other and see what the others wrote. */
#define AN_WARP_BARRIER() __syncwarp()
#define AN_UNROLL         _Pragma("unroll")

/* What lane `lane` of the warp has in v, for all lanes of it together. */
template <int n, class T>
static __device__ __forceinline__ void an_from_lane(const T (&v)[n], int lane, T (&out)[n])
{
#pragma unroll
    for (int i = 0; i < n; i++)
        out[i] = __shfl_sync(0xffffffffu, v[i], lane);
}

/* Adds a term to an exact sum in shared memory. Lanes of a warp whose terms lie in the same limbs
 * add up first, in halves of 16 bits, so that one of them meets the atomics. */
static __device__ inline void an_sum_term(struct an_xsum *s, double v)
{
    int at, bad;
    int64_t part[3];
    an_xsum_split(v, &at, &bad, part);
    unsigned long long *limb = reinterpret_cast<unsigned long long *>(s->limb);
    if (bad) {
        atomicAdd(reinterpret_cast<unsigned long long *>(&s->bad), 1ULL);
        return;
    }
    const unsigned lanes = __match_any_sync(__activemask(), at);
    const bool leader = (threadIdx.x & 31) == static_cast<unsigned>(__ffs(lanes) - 1);
    for (int p = 0; p < 3; p++) {
        const int sign = part[p] < 0 ? -1 : 1;
        const uint32_t size = static_cast<uint32_t>(part[p] < 0 ? -part[p] : part[p]);
        const int low = __reduce_add_sync(lanes, sign * static_cast<int>(size & 0xffff));
        const int high = __reduce_add_sync(lanes, sign * static_cast<int>(size >> 16));
        const int64_t total = static_cast<int64_t>(high) * 65536 + low;
        if (leader && total)
            atomicAdd(&limb[at + p], static_cast<unsigned long long>(total));
    }
}

/* What the driver says of a kernel, joined to what it said of others (cuda_kernels.h). */
static inline int an_probe(const void *kernel, int threads, size_t shared,
                           struct an_kernel_probe *p)
{
    struct cudaFuncAttributes a;
    int resident = 0;
    AN_CUDA(cudaFuncGetAttributes(&a, kernel));
    AN_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, threads, shared));
    const int bytes = static_cast<int>(a.sharedSizeBytes + shared);
    const int spill = static_cast<int>(a.localSizeBytes);
    p->kernels++;
    p->registers = a.numRegs > p->registers ? a.numRegs : p->registers;
    p->spill = spill > p->spill ? spill : p->spill;
    p->shared = bytes > p->shared ? bytes : p->shared;
    p->resident = resident < p->resident ? resident : p->resident;
    return AN_OK;
}

/* kernel<<<grid, threads>>>(...) -> AN_OK or an error code. traits: AN_BARRIERS, AN_AWAITS. */
template <class... P, class... A>
static inline int an_launch(const char *name, void (*kernel)(P...), int grid, int threads,
                            size_t shared, int traits, struct an_cuda_queue *queue, const A &...a)
{
    if (grid == 0)
        return AN_OK;
    if (queue->probe)
        return an_probe(reinterpret_cast<const void *>(kernel), threads, shared, queue->probe);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute early = {};
    config.gridDim = dim3(static_cast<unsigned>(grid));
    config.blockDim = dim3(static_cast<unsigned>(threads));
    config.dynamicSmemBytes = shared;
    config.stream = static_cast<cudaStream_t>(queue->stream);
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.attrs = &early;
    config.numAttrs = traits & AN_AWAITS && queue->starts_early && queue->behind_kernel;
    const cudaError_t status = cudaLaunchKernelEx(&config, kernel, a...);
    queue->behind_kernel = 1;
    AN_CHECK(status == cudaSuccess, AN_FAIL, "CUDA: kernel %s: %s (%s)", name,
             cudaGetErrorString(status), cudaGetErrorName(status));
    return AN_OK;
}

/* Resident blocks per multiprocessor, 0 when a block needs more shared memory than the device has;
 * and what must be said to the device before a launch. */
template <class... P>
static inline int an_prepare(void (*kernel)(P...), int threads, size_t shared, int *resident)
{
    int device = 0, most = 0;
    *resident = 0;
    AN_CUDA(cudaGetDevice(&device));
    AN_CUDA(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (shared > static_cast<size_t>(most))
        return AN_OK;
    AN_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shared)));
    AN_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(resident, kernel, threads, shared));
    return AN_OK;
}

#endif
