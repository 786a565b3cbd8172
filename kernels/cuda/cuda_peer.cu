/* Kernels that copy into mailboxes of other processes and out of one's own (peer.h), built once for
 * each precision. One thread for each element and all its components, as other copies.
 *
 * The last block of a launch to be done raises the flags or counts the exchange. Few blocks wait
 * for the flags themselves, so that an exchange of a coarse level is two launches; many would keep
 * multiprocessors from the interior, so one block waits before they start. */
#include "kernels/cuda/cuda_peer.h"
#include "kernels/cuda/cuda_runtime.cuh"
#include "kernels/engine/turn.h"

#include "kernels/cuda/cuda_copy_element.cuh"

namespace
{
enum { WAITING_BLOCKS = 264 };

__device__ unsigned long long nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

__device__ unsigned long long read_flag(const unsigned long long *flag)
{
    unsigned long long v;
    asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(v) : "l"(flag) : "memory");
    return v;
}

__device__ void raise_flag(unsigned long long *flag, unsigned long long v)
{
    asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(flag), "l"(v) : "memory");
}

/* A thread waits for a flag; bounded. */
__device__ void wait_for(const struct an_door_args &d, int b, unsigned long long number)
{
    const unsigned long long *flag = d.here + b * (AN_PEER_FLAG / sizeof *d.here);
    volatile unsigned int *gave_up = &d.count->gave_up;
    const unsigned long long start = nanoseconds();
    while (read_flag(flag) < number) {
        if (*gave_up)
            return;
        if (nanoseconds() - start > d.patience) {
            *gave_up = 1;
            *static_cast<volatile unsigned int *>(d.lost) = static_cast<unsigned>(b + 1);
            __threadfence_system();
            return;
        }
    }
}

/* All threads of a block wait until all flags are up. */
__device__ void wait_for_all(const struct an_door_args &d)
{
    const unsigned long long number =
        *static_cast<volatile unsigned long long *>(&d.count->received) + 1;
    for (int b = static_cast<int>(threadIdx.x); b < d.n; b += static_cast<int>(blockDim.x))
        wait_for(d, b, number);
    __syncthreads();
}

__global__ void __launch_bounds__(AN_CHUNK)
    wait_first(const __grid_constant__ struct an_door_args d)
{
    wait_for_all(d);
}

/* Is this the last block of the launch? All that the launch wrote is visible to it then. */
__device__ bool last_block(unsigned int *done)
{
    __shared__ bool last;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0) {
        last = atomicAdd(done, 1U) == gridDim.x - 1;
        if (last)
            *done = 0;
    }
    __syncthreads();
    return last;
}

__global__ void __launch_bounds__(AN_CHUNK)
    send_elements(const __grid_constant__ struct an_copy_args a,
                  const __grid_constant__ struct an_door_args d)
{
    const unsigned long long sent = *static_cast<volatile unsigned long long *>(&d.count->sent);
    copy_element<0>(a, static_cast<int>(blockIdx.x), 0, sent & 1 ? d.half : 0);
    if (!d.last || !last_block(&d.count->blocks_sent))
        return;
    for (int b = static_cast<int>(threadIdx.x); b < d.n; b += AN_CHUNK)
        raise_flag(d.there[b], sent + 1);
    if (threadIdx.x == 0)
        d.count->sent = sent + 1;
}

__global__ void __launch_bounds__(AN_CHUNK)
    receive_elements(const __grid_constant__ struct an_copy_args a,
                     const __grid_constant__ struct an_door_args d)
{
    const unsigned long long received =
        *static_cast<volatile unsigned long long *>(&d.count->received);
    if (d.first)
        wait_for_all(d);
    copy_element<0>(a, static_cast<int>(blockIdx.x), received & 1 ? d.half : 0, 0);
    if (d.last && last_block(&d.count->blocks_received) && threadIdx.x == 0)
        d.count->received = received + 1;
}

int run_send(const struct an_copy_args *a, const struct an_door_args *d, int nchunk,
             struct an_cuda_queue *queue)
{
    return an_launch("send", send_elements, nchunk, AN_CHUNK, 0, 0, queue, *a, *d);
}

int run_receive(const struct an_copy_args *a, const struct an_door_args *d, int nchunk,
                struct an_cuda_queue *queue)
{
    struct an_door_args rest = *d;
    if (d->first && nchunk > WAITING_BLOCKS) {
        AN_TRY(an_launch("wait", wait_first, 1, AN_CHUNK, 0, 0, queue, *d));
        rest.first = 0;
    }
    return an_launch("receive", receive_elements, nchunk, AN_CHUNK, 0, 0, queue, *a, rest);
}
} // namespace

#if AN_PRECISION == 32
const struct an_cuda_peer_kernels an_cuda_peer_f32 = {run_send, run_receive};
#else
const struct an_cuda_peer_kernels an_cuda_peer_f64 = {run_send, run_receive};
#endif
