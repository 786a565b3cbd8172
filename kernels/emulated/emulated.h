/* CUDA C on the host, as far as the kernels of this folder use it: one fiber per CUDA thread.
 *
 * The threads of a block run one after the other up to the next barrier, in an order that turns
 * round from block to block and from barrier to barrier: what relies on a missing barrier reads
 * what is not there yet. Shared memory starts as NaN. A barrier that not all threads of a block
 * reach is an error. Kernels without a barrier run without fibers. One launch at a time in a
 * process.
 */
#ifndef AN_EMULATED_H
#define AN_EMULATED_H

#include "kernels/cuda/cuda_kernels.h"

struct emulated_index {
    unsigned x, y, z;
};

enum { EMULATED_SHARED = 227 << 10 }; /* bytes of a block */

extern struct emulated_index threadIdx, blockIdx, blockDim, gridDim;

/* Runs body(arg) for every thread of every block. AN_OK or AN_FAIL with the reason. */
int emulated_run(const char *name, int grid, int threads, int traits, void (*body)(void *),
                 void *arg);
/* To be called by fibers only. */
void emulated_barrier(int line);
void *emulated_shared(size_t bytes);

#define __global__
#define __device__
#define __forceinline__ inline
#define __restrict__ __restrict
#define __launch_bounds__(...)
#define __grid_constant__
#define __syncthreads() emulated_barrier(__LINE__)
#define __ldg(address)  (*(address))
/* One for the warps of a block together: they must reach as many, which real ones need not. */
#define AN_WARP_BARRIER() emulated_barrier(__LINE__)
#define AN_UNROLL

/* Shared memory; the same declarations in the same order in all threads. */
#define AN_SHARED(type, name) \
    typedef type name##_type; \
    name##_type &name = *static_cast<name##_type *>(emulated_shared(sizeof(name##_type)))
#define AN_SHARED_DYNAMIC(type, name) AN_SHARED(type, name)

template <class T> static inline T atomicAdd(T *at, T v)
{
    T old = *at;
    *at = static_cast<T>(old + v);
    return old;
}

template <class T> static inline T atomicMin(T *at, T v)
{
    T old = *at;
    *at = v < old ? v : old;
    return old;
}

/* Copies a word from engine memory to shared memory, asynchronously. an_copy_wait: for the groups
 * of copies this thread committed, but the last one. */
void emulated_copy_async(void *to, const void *from, size_t bytes);
void an_copy_commit(void);
void an_copy_wait(void);

/* Kernels that are launched as AN_AWAITS: all threads must pass here. */
void emulated_await(void);
#define AN_AWAIT_EARLIER(index) ((void)(index), emulated_await())

static inline void an_fetch_line(const void *)
{
}

template <class T> static inline void an_copy_async(T *to, const T *from)
{
    emulated_copy_async(to, from, sizeof(T));
}

/* What lane `lane` of the warp has in v, for all threads of the block together. */
const void *emulated_from_lane(const void *v, size_t bytes, int lane);

template <int n, class T> static inline void an_from_lane(const T (&v)[n], int lane, T (&out)[n])
{
    memcpy(out, emulated_from_lane(v, sizeof v, lane), sizeof out);
}

/* Adds a term to an exact sum in shared or global memory. */
static inline void an_sum_term(struct an_xsum *s, double v)
{
    an_xsum_add(s, v);
}

static inline unsigned long long an_bits(double v)
{
    unsigned long long bits;
    memcpy(&bits, &v, sizeof bits);
    return bits;
}

template <class F> static inline void emulated_body(void *f)
{
    (*static_cast<F *>(f))();
}

/* kernel<<<grid, threads>>>(...) -> AN_OK or an error code. traits: AN_BARRIERS, AN_AWAITS. */
template <class... P, class... A>
static inline int an_launch(const char *name, void (*kernel)(P...), int grid, int threads,
                            size_t shared, int traits, struct an_cuda_queue *queue, const A &...a)
{
    (void)shared, (void)queue;
    auto body = [&] { kernel(a...); };
    return emulated_run(name, grid, threads, traits, emulated_body<decltype(body)>, &body);
}

/* Resident blocks per multiprocessor; what must be said to the device before a launch. */
template <class... P>
static inline int an_prepare(void (*kernel)(P...), int threads, size_t shared, int *resident)
{
    (void)kernel, (void)threads;
    *resident = shared <= EMULATED_SHARED;
    return 0;
}

#endif
