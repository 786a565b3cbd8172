/* CUDA engines: the launchers of the kernel of viscous fluxes. */
#include "kernels/cuda/cuda_viscous_kernel.cuh"

namespace
{
/* Kind 1: the viscosity may follow a power law, and the stress QCR2000. */
template <int TX, int TY, int BLOCKS> struct viscous_family {
    typedef struct viscous_args args;
    template <int KIND> using of = viscous_march<NO_SCHEME, TX, TY, BLOCKS, KIND>;
};
template <int TX, int TY, int BLOCKS>
using viscous_kinds = plane_kinds<viscous_family<TX, TY, BLOCKS>, 0, 1>;

static const struct an_fused_variant viscous_variants[] = {
#define AN_V(n, tx, ty, single, twice) viscous_kinds<tx, ty, AN_RESIDENT(single, twice)>::shape(1),
    AN_VISCOUS_VARIANTS(AN_V)
#undef AN_V
};

static int prepare_viscous(int *resident)
{
#define AN_V(n, tx, ty, single, twice) \
    AN_TRY((viscous_kinds<tx, ty, AN_RESIDENT(single, twice)>::prepare(&resident[n])));
    AN_VISCOUS_VARIANTS(AN_V)
#undef AN_V
    return AN_OK;
}

static int run_viscous(int variant, int stage, const struct an_cell_args *cell, int ntile,
                       const struct an_params *p, struct an_cuda_queue *queue)
{
    const struct viscous_args a = viscous_args_of(stage, cell);
    const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);
    const int kind = (!AN_CACHED && prm.fluid.viscosity == AN_VISCOSITY_POWER_LAW) || prm.turb.qcr;
    switch (variant) {
#define AN_V(n, tx, ty, single, twice)                                                        \
    case n:                                                                                   \
        return viscous_kinds<tx, ty, AN_RESIDENT(single, twice)>::launch(kind, a, prm, ntile, \
                                                                         queue);
        AN_VISCOUS_VARIANTS(AN_V)
#undef AN_V
    }
    return an_error_set(AN_FAIL, "viscous kernel: there is no variant %d", variant);
}
} // namespace

AN_EXTERN_C_BEGIN
extern const struct an_viscous_kernels AN_LAUNCHER(viscous);
const struct an_viscous_kernels AN_LAUNCHER(viscous) = {
    sizeof viscous_variants / sizeof *viscous_variants,
    viscous_variants,
    prepare_viscous,
    run_viscous,
};
AN_EXTERN_C_END
