/* One group of stencils of the CUDA engine or of the emulated CUDA engine: a template, for the file of
 * each group that kernels/stencils/stencils.cmake makes. That file includes the point physics and
 * AN_GROUP_LIST of the group and defines AN_GROUP as the file of its definitions. Each stencil becomes
 * an external launcher for the table, named AN_LAUNCHER(stencil).
 *
 * The file includes first what brings the language (cuda_runtime.cuh or emulated.h):
 *
 *     __global__ and friends
 *     AN_WARP_BARRIER()
 *     an_from_lane(v, lane, out)       what another lane of the warp has in v
 *     AN_SHARED(type, name)            shared memory
 *     AN_SHARED_DYNAMIC(type, name)
 *     an_sum_term(sum, v)              adds to an exact sum in shared memory, from any thread
 *     an_bits(v)                       a double as an integer
 *     AN_AWAIT_EARLIER(index)          waits for the kernels before this one (struct an_cuda_queue)
 *     an_launch(name, kernel, grid, threads, shared bytes, traits, queue, arguments...)
 *     an_prepare(kernel, threads, shared bytes, &resident) */
#include "kernels/cuda/cuda_kernels.h"
#include "kernels/engine/turn.h"
#include "kernels/physics/gas.h"

#define AN_STRING_(x) #x
#define AN_STRING(x)  AN_STRING_(x)

/* Templates of the same name exist for the other precision: the linker must not merge them. */
namespace
{
enum { CELL_THREADS = AN_CHUNK };

/* Line stencils: warps of a block, for 48 KiB of shared memory. */
enum { AN_LINE_WARPS = AN_LINE_TILE(AN_PRECISION / 8) / 2 };

#define AN_F(name, n, type, help) typedef type an_type_##name;
AN_FIELD_LIST(AN_F)
#undef AN_F

#include "kernels/cuda/cuda_copy_element.cuh"
#include "kernels/cuda/cuda_reduce.cuh"
#include "kernels/cuda/cuda_system.cuh"

#define AN_TEMPLATE_CELL        "kernels/cuda/cuda_cell.cuh"
#define AN_TEMPLATE_DIRECTIONAL "kernels/cuda/cuda_directional.cuh"
#define AN_TEMPLATE_FACE        "kernels/cuda/cuda_face.cuh"
#define AN_TEMPLATE_LINE        "kernels/cuda/cuda_line.cuh"
#include AN_GROUP
} // namespace

AN_EXTERN_C_BEGIN
#define CELL(name)                                                                \
    extern an_cuda_cell AN_LAUNCHER(name);                                        \
    int AN_LAUNCHER(name)(int dir, const struct an_cell_args *a, int ntile,       \
                          const struct an_params *p, struct an_cuda_queue *queue) \
    {                                                                             \
        (void)dir;                                                                \
        return run_##name(a, ntile, p, queue);                                    \
    }
#define DIRECTIONAL(name)                                                         \
    extern an_cuda_cell AN_LAUNCHER(name);                                        \
    int AN_LAUNCHER(name)(int dir, const struct an_cell_args *a, int ntile,       \
                          const struct an_params *p, struct an_cuda_queue *queue) \
    {                                                                             \
        return dir == 0   ? run_##name##_d0(a, ntile, p, queue)                   \
               : dir == 1 ? run_##name##_d1(a, ntile, p, queue)                   \
                          : run_##name##_d2(a, ntile, p, queue);                  \
    }
#define FACE(name)                                                                             \
    extern an_cuda_face AN_LAUNCHER(name);                                                     \
    int AN_LAUNCHER(name)(const struct an_face_args *a, int nchunk, const struct an_params *p, \
                          struct an_cuda_queue *queue)                                         \
    {                                                                                          \
        return run_##name(a, nchunk, p, queue);                                                \
    }
#define LINE(name)                                                                     \
    extern an_cuda_line AN_LAUNCHER(name);                                             \
    int AN_LAUNCHER(name)(const struct an_cell_args *a, const struct an_line_tiles *t, \
                          const struct an_params *p, struct an_cuda_queue *queue,      \
                          int64_t *launches)                                           \
    {                                                                                  \
        return run_##name(a, t, p, queue, launches);                                   \
    }
AN_GROUP_LIST(CELL, DIRECTIONAL, FACE, LINE)
#undef LINE
#undef CELL
#undef DIRECTIONAL
#undef FACE
AN_EXTERN_C_END
