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

/* every flux of a variant, with and without rotation */
#define AN_RANS_FLUXES(F, n, tx, ty, blocks)                                 \
    F("RANS JST", AN_SCHEME_JST, n, tx, ty, blocks)                          \
    F("RANS Roe", AN_SCHEME_ROE, n, tx, ty, blocks)                          \
    F("RANS matrix", AN_SCHEME_MATRIX, n, tx, ty, blocks)                    \
    F("RANS KEP", AN_SCHEME_KEP, n, tx, ty, blocks)                          \
    F("turning RANS JST", AN_SCHEME_JST | AN_TURNS, n, tx, ty, blocks)       \
    F("turning RANS Roe", AN_SCHEME_ROE | AN_TURNS, n, tx, ty, blocks)       \
    F("turning RANS matrix", AN_SCHEME_MATRIX | AN_TURNS, n, tx, ty, blocks) \
    F("turning RANS KEP", AN_SCHEME_KEP | AN_TURNS, n, tx, ty, blocks)

/* the last one is none: C++ has no empty arrays */
static const struct an_fused_variant rans_variants[] = {
#define AN_V(n, tx, ty, blocks) \
    {tx, ty, 1, 0, blocks, static_cast<int>(sizeof(struct convective_shared<tx, ty>))},
    AN_RANS_VARIANTS(AN_V)
#undef AN_V
        {0, 0, 0, 0, 0, 0}};

static int prepare_rans(int *resident)
{
    int other;
#define AN_P(name, scheme, n, tx, ty, blocks)                          \
    AN_TRY(an_prepare(viscous<scheme, tx, ty, blocks, 0>, (tx) * (ty), \
                      sizeof(struct convective_shared<tx, ty>),        \
                      (scheme) == AN_SCHEME_JST ? &resident[n] : &other));
#define AN_V(n, tx, ty, blocks) AN_RANS_FLUXES(AN_P, n, tx, ty, blocks)
    AN_RANS_VARIANTS(AN_V)
#undef AN_V
#undef AN_P
    (void)resident, (void)other;
    return AN_OK;
}

static int run_rans(int variant, int scheme, int stage, const struct an_cell_args *cell, int ntile,
                    const struct an_params *p, struct an_cuda_queue *queue)
{
    const struct viscous_args a = viscous_args_of(stage, cell);
    const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);
    switch (2 * AN_TURNS * variant + (p->turns ? AN_TURNS : 0) + scheme) {
#define AN_L(name, scheme, n, tx, ty, blocks)                                          \
    case 2 * AN_TURNS *(n) + (scheme):                                                 \
        return an_launch(name, viscous<scheme, tx, ty, blocks, 0>, ntile, (tx) * (ty), \
                         sizeof(struct convective_shared<tx, ty>), AN_BARRIERS, queue, a, prm);
#define AN_V(n, tx, ty, blocks) AN_RANS_FLUXES(AN_L, n, tx, ty, blocks)
        AN_RANS_VARIANTS(AN_V)
#undef AN_V
#undef AN_L
    }
    (void)ntile, (void)queue, (void)a, (void)prm;
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
