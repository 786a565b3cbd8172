/* CUDA engines: strided copies, one thread for each element and all its components. */
#include "kernels/cuda/cuda_kernels.h"
#include "kernels/engine/turn.h"

namespace
{
#include "kernels/cuda/cuda_copy_element.cuh"

static __global__ void __launch_bounds__(AN_CHUNK)
    copy_elements(const __grid_constant__ struct an_copy_args a)
{
    copy_element<1>(a, static_cast<int>(blockIdx.x), 0, 0);
}
} // namespace

AN_EXTERN_C_BEGIN
extern an_cuda_copy AN_LAUNCHER(copy);
int AN_LAUNCHER(copy)(const struct an_copy_args *a, int nchunk, struct an_cuda_queue *queue)
{
    return an_launch("copy", copy_elements, nchunk, AN_CHUNK, 0, AN_AWAITS, queue, *a);
}
AN_EXTERN_C_END
