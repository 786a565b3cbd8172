/* CUDA engines: the launchers of the kernel of convective and viscous fluxes in one pass
 * (cuda_viscous_kernel.cuh).
 *
 * Built for a perfect gas in single precision. It has no power law of viscosity, no QCR2000 and no low Mach
 * numbers; an_cuda_rans (cuda_plan.c) runs the two kernels there. */
#include "kernels/cuda/cuda_viscous_kernel.cuh"

namespace
{
/* tile; blocks per multiprocessor */
#if AN_GAS == 0 && AN_PRECISION == 32
#define AN_RANS_VARIANTS(V) \
    V(0, 32, 8, 2)          \
    V(1, 32, 4, 3)
#else
#define AN_RANS_VARIANTS(V)
#endif

/* Kind: the flux (enum an_scheme), with AN_ROTATING or not. */
template <int TX, int TY, int BLOCKS> struct rans_family {
    typedef struct viscous_args args;
    template <int KIND> using of = viscous_march<KIND, TX, TY, BLOCKS, 0>;
};
template <int TX, int TY, int BLOCKS>
using rans_kinds = plane_kinds<rans_family<TX, TY, BLOCKS>, 0, 1, 2, 3, 4, 5, 6, 7>;

/* the last one is none: C++ has no empty arrays */
static const struct an_fused_variant rans_variants[] = {
#define AN_V(n, tx, ty, blocks) rans_kinds<tx, ty, blocks>::shape(0),
    AN_RANS_VARIANTS(AN_V)
#undef AN_V
        {0, 0, 0, 0, 0}};

static int prepare_rans(int *resident)
{
#define AN_V(n, tx, ty, blocks) AN_TRY((rans_kinds<tx, ty, blocks>::prepare(&resident[n])));
    AN_RANS_VARIANTS(AN_V)
#undef AN_V
    (void)resident;
    return AN_OK;
}

static int run_rans(int variant, int scheme, int stage, const struct an_cell_args *cell, int ntile,
                    const struct an_params *p, struct an_cuda_queue *queue)
{
    const struct viscous_args a = viscous_args_of(stage, cell);
    const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);
    const int kind = (p->flux.rotating ? AN_ROTATING : 0) + scheme;
    switch (variant) {
#define AN_V(n, tx, ty, blocks) \
    case n:                     \
        return rans_kinds<tx, ty, blocks>::launch(kind, a, prm, ntile, queue);
        AN_RANS_VARIANTS(AN_V)
#undef AN_V
    }
    (void)ntile, (void)queue, (void)a, (void)prm, (void)kind;
    return an_error_set(AN_FAIL, "RANS kernel: there is no variant %d", variant);
}
} // namespace

AN_EXTERN_C_BEGIN
extern const struct an_fused_kernels AN_LAUNCHER(rans);
const struct an_fused_kernels AN_LAUNCHER(rans) = {
    sizeof rans_variants / sizeof *rans_variants - 1,
    rans_variants,
    prepare_rans,
    run_rans,
};
AN_EXTERN_C_END
