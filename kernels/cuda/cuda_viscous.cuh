/* CUDA engines: the launchers of the kernel of viscous fluxes. */
#include "kernels/cuda/cuda_viscous_kernel.cuh"

namespace
{
#define AN_VISCOUS(tx, ty, single, twice, rare) \
    viscous<NO_SCHEME, tx, ty, AN_RESIDENT(single, twice), rare>

static const struct an_fused_variant viscous_variants[] = {
#define AN_V(n, tx, ty, single, twice) \
    {tx,                               \
     ty,                               \
     1,                                \
     1,                                \
     AN_RESIDENT(single, twice),       \
     static_cast<int>(sizeof(struct viscous_shared<tx, ty>))},
    AN_VISCOUS_VARIANTS(AN_V)
#undef AN_V
};

static int prepare_viscous(int *resident)
{
#define AN_V(n, tx, ty, single, twice)                                       \
    AN_TRY(an_prepare(AN_VISCOUS(tx, ty, single, twice, 1), (tx) * (ty),     \
                      sizeof(struct viscous_shared<tx, ty>), &resident[n])); \
    AN_TRY(an_prepare(AN_VISCOUS(tx, ty, single, twice, 0), (tx) * (ty),     \
                      sizeof(struct viscous_shared<tx, ty>), &resident[n]));
    AN_VISCOUS_VARIANTS(AN_V)
#undef AN_V
    return AN_OK;
}

static int run_viscous(int variant, int stage, const struct an_cell_args *cell, int ntile,
                       const struct an_params *p, struct an_cuda_queue *queue)
{
    const struct viscous_args a = viscous_args_of(stage, cell);
    const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);
    switch (variant) {
#define AN_V(n, tx, ty, single, twice)                                                          \
    case n:                                                                                     \
        return (!AN_KEPT && prm.viscosity == AN_VISCOSITY_POWER_LAW) || prm.qcr                 \
                   ? an_launch("viscous", AN_VISCOUS(tx, ty, single, twice, 1), ntile,          \
                               (tx) * (ty), sizeof(struct viscous_shared<tx, ty>), AN_BARRIERS, \
                               queue, a, prm)                                                   \
                   : an_launch("viscous", AN_VISCOUS(tx, ty, single, twice, 0), ntile,          \
                               (tx) * (ty), sizeof(struct viscous_shared<tx, ty>), AN_BARRIERS, \
                               queue, a, prm);
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
