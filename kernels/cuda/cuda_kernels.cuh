/* The kernels of the CUDA engine and of the emulated CUDA engine, for the precision AN_PRECISION,
 * and their table AN_TABLE, which names that of the viscous kernel, AN_VISCOUS_TABLE, and that for
 * a gas with cp(T), AN_POLYNOMIAL_TABLE. The file that includes this brings the language:
 * __global__ and friends, AN_WARP_BARRIER(), an_from_lane(v, lane, out), AN_SHARED(type, name),
 * AN_SHARED_DYNAMIC(type, name)   shared memory an_sum_term(sum, v) adds to an exact sum in shared
 * memory, from any thread an_bits(v)                 a double as an integer an_launch(name, kernel,
 * grid, threads, shared bytes, has barriers, stream, arguments...) an_prepare(kernel, threads,
 * shared bytes, &resident)
 */
#include "kernels/cuda/cuda_plan.h"
#include "kernels/engine/turn.h"
#include "kernels/physics/boundary.h"
#include "kernels/physics/flux.h"
#include "kernels/physics/implicit.h"
#include "kernels/physics/mixing_length.h"
#include "kernels/physics/spalart_allmaras.h"
#include "kernels/physics/sst.h"

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

#include "kernels/cuda/cuda_reduce.cuh"
#include "kernels/cuda/cuda_system.cuh"

#define AN_TEMPLATE_CELL        "kernels/cuda/cuda_cell.cuh"
#define AN_TEMPLATE_DIRECTIONAL "kernels/cuda/cuda_directional.cuh"
#define AN_TEMPLATE_FACE        "kernels/cuda/cuda_face.cuh"
#define AN_TEMPLATE_LINE        "kernels/cuda/cuda_line.cuh"
#include "kernels/stencils/stencils.h"

#include "kernels/cuda/cuda_copy.cuh"
#include "kernels/cuda/cuda_fused.cuh"

/* Which direction of a stencil to run. */
#define CELL(name)                                                             \
    static int choose_##name(int dir, const struct an_cell_args *a, int ntile, \
                             const struct an_params *p, void *stream)          \
    {                                                                          \
        (void)dir;                                                             \
        return run_##name(a, ntile, p, stream);                                \
    }
#define DIRECTIONAL(name)                                                      \
    static int choose_##name(int dir, const struct an_cell_args *a, int ntile, \
                             const struct an_params *p, void *stream)          \
    {                                                                          \
        return dir == 0   ? run_##name##_d0(a, ntile, p, stream)               \
               : dir == 1 ? run_##name##_d1(a, ntile, p, stream)               \
                          : run_##name##_d2(a, ntile, p, stream);              \
    }
#define FACE(name)
#define LINE(name)
AN_STENCIL_LIST(CELL, DIRECTIONAL, FACE, LINE)
#undef LINE
#undef CELL
#undef DIRECTIONAL
#undef FACE

#define NOTHING(name)      nullptr,
#define CHOOSE(name)       choose_##name,
#define RUN(name)          run_##name,
#define DIRECTIONAL0(name) 0,
#define DIRECTIONAL1(name) 1,

} // namespace

extern const struct an_cuda_kernels AN_TABLE;
const struct an_cuda_kernels AN_TABLE = {
    sizeof fused_variants / sizeof *fused_variants,
    fused_variants,
    prepare_fused,
    {AN_STENCIL_LIST(CHOOSE, CHOOSE, NOTHING, NOTHING)},
    {AN_STENCIL_LIST(NOTHING, NOTHING, RUN, NOTHING)},
    {AN_STENCIL_LIST(NOTHING, NOTHING, NOTHING, RUN)},
    run_fused,
    run_copy,
    &AN_VISCOUS_TABLE,
    {AN_STENCIL_LIST(DIRECTIONAL0, DIRECTIONAL1, DIRECTIONAL0, DIRECTIONAL0)},
    AN_POLYNOMIAL_TABLE,
};
