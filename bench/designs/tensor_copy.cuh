/* The tensor copy engine, and the barriers in shared memory on which its copies complete.
 *
 * GPUs have the engine from compute capability 9.0 on. Where the code is compiled for an older GPU,
 * the instructions become traps and `tensor_copy_built` is false: kernels return at once, so that
 * the compiler drops their bodies, and tensor_map returns UNFIT, so that they are never launched. */
#ifndef AN_BENCH_TENSOR_COPY_CUH
#define AN_BENCH_TENSOR_COPY_CUH

#include "bench/designs/problem.cuh"

#include <cuda.h>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
#define TENSOR_ASM(...) __trap()
#define TENSOR_BUILT    false
#else
#define TENSOR_ASM(...) asm volatile(__VA_ARGS__)
#define TENSOR_BUILT    true
#endif

namespace an_bench
{

constexpr bool tensor_copy_built = TENSOR_BUILT;

/* Gives the map of p.from for boxes of box[0] x box[1] x 1 points; points outside the grid read as
 * 0. The map is kept until another one is asked for. UNFIT: the device has no tensor copy engine,
 * the kernels were built for a device without one, or the box is too large. */
int tensor_map(const problem &p, const int box[2], CUtensorMap *map);

static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

static __device__ __forceinline__ void barrier_init(unsigned long long *b, unsigned arrivals)
{
    TENSOR_ASM("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(arrivals)
               : "memory");
}

/* Makes initialised barriers visible to the copy engine; before the barrier of the block. */
static __device__ __forceinline__ void barrier_init_done()
{
    TENSOR_ASM("fence.mbarrier_init.release.cluster;" ::: "memory");
}

static __device__ __forceinline__ void barrier_arrive(unsigned long long *b)
{
    TENSOR_ASM("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}

static __device__ __forceinline__ void barrier_expect(unsigned long long *b, unsigned bytes)
{
    TENSOR_ASM("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(b)),
               "r"(bytes)
               : "memory");
}

/* Waits for the end of the phase of this parity. */
static __device__ __forceinline__ void barrier_wait(unsigned long long *b, unsigned parity)
{
    TENSOR_ASM("{\n"
               ".reg .pred done;\n"
               "again_%=:\n"
               "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
               "@!done bra again_%=;\n"
               "}\n" ::"r"(shared_address(b)),
               "r"(parity)
               : "memory");
}

/* A box of the map from (x, y, z) on into shared memory; its bytes count at barrier b. What is
 * loaded stays in the second-level cache as long as may be, for the blocks beside this one. */
static __device__ __forceinline__ void tensor_load(void *to, const CUtensorMap *map, int x, int y,
                                                   int z, unsigned long long *b)
{
    TENSOR_ASM("{\n"
               ".reg .b64 keep;\n"
               "createpolicy.fractional.L2::evict_last.b64 keep, 1.0;\n"
               "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes"
               ".L2::cache_hint [%0], [%1, {%2, %3, %4}], [%5], keep;\n"
               "}\n" ::"r"(shared_address(to)),
               "l"(map), "r"(x), "r"(y), "r"(z), "r"(shared_address(b))
               : "memory");
}

/* The copy engine, the other way: bytes of shared memory to a row. What this thread's warp wrote
 * there must be fenced first, by every lane; it may be overwritten after bulk_wait, which waits for
 * all groups of copies but the last `but`. */
static __device__ __forceinline__ void bulk_fence()
{
    TENSOR_ASM("fence.proxy.async.shared::cta;" ::: "memory");
}

static __device__ __forceinline__ void bulk_store(void *to, const void *from, int bytes)
{
    TENSOR_ASM("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to),
               "r"(shared_address(from)), "r"(bytes)
               : "memory");
}

static __device__ __forceinline__ void bulk_commit()
{
    TENSOR_ASM("cp.async.bulk.commit_group;" ::: "memory");
}

template <int but> static __device__ __forceinline__ void bulk_wait()
{
    TENSOR_ASM("cp.async.bulk.wait_group.read %0;" ::"n"(but) : "memory");
}

} // namespace an_bench

#undef TENSOR_ASM
#undef TENSOR_BUILT
#endif
