/* CUDA engines: sst_residual.stencil by plane streaming (cuda_turbulence.cuh).
 *
 * Compulsory traffic: W 5, MUT 1, BLEND 1, WD 1, GRADT 6, TURB 2, GRAD 9, S 9, DX 9, VOL 1, RT 2, DIAGT 2, LINE 12 = 60
 * words for each cell, and G 3 where blocks turn. */

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/physics/sst.h"
#include "kernels/physics/wall_function.h"

namespace
{
#include "kernels/cuda/cuda_turbulence.cuh"

#define AN_STENCIL "kernels/stencils/turbulence/sst_residual.stencil"
#include AN_STENCIL

/* The body of the stencil, for this kernel: words that were loaded, faces that were computed. */
#undef SST_CELL
#undef SST_SIDES
#define SST_CELL(i, j, k) sums.cell.q
#define SST_SIDES(f0, f1, d, side, sign, i, j, k, a, b, e)               \
    const struct AN_FN(an_sst_flux)                                      \
        f0 = {sums.flux[d][side].rt[0], sums.flux[d][side].coupling[0]}, \
        f1 = {sums.flux[d][side].rt[1], sums.flux[d][side].coupling[1]}
#define AT(field, n, i, j, k)     TURB_AT_##field(n, i, j, k)
#define OUT(field, n, value)      TURB_OUT_##field(n) = (value)
#define TURB_AT_BLEND(n, i, j, k) sums.cell.f1

struct sst_model {
    static constexpr const char *NAME = "sst_planes";
    /* W, of gas tables and mixtures its first four and the viscosity of EOS; MUT, BLEND, WD, GRADT */
    enum { WORDS = 14, VARIABLES = 2 };
    typedef struct turb_args<WORDS, VARIABLES> args;
    struct cell {
        struct AN_FN(an_turb_cell) q;
        real mut, f1, wd, g[6], turb[2];
    };
    /* All but k and omega have no use for the outermost rows: the cell `at` of a slot is cell at - ROW there. */
    template <int CELLS, int PITCH> struct planes {
        static constexpr int ROW = PITCH, INNER = CELLS - 2 * ROW;
        struct an_words4 q[2][INNER]; /* density, velocity */
        struct an_words4 e[2][INNER]; /* viscosities, F1, wall distance */
        struct an_words4 g[2][INNER]; /* gradient of k, and of omega along x */
        struct an_words2 h[2][INNER]; /* along y and z */
        struct an_words2 n[2][CELLS]; /* k, omega */
    };

    static __device__ __forceinline__ cell cell_of(const real *w, const real *turb,
                                                   const struct AN_FN(an_prm) * prm)
    {
        const cell c = {
            turb_cell_of(w, prm), w[5], w[6], w[7], {w[8], w[9], w[10], w[11], w[12], w[13]},
            {turb[0], turb[1]}};
        return c;
    }

    template <class P>
    static __device__ __forceinline__ void put_turb(P &p, int slot, int at, const real *turb)
    {
        p.n[slot][at] = {turb[0], turb[1]};
    }
    template <class P>
    static __device__ __forceinline__ void put(P &p, int slot, int at, const cell &c)
    {
        p.q[slot][at - P::ROW] = {c.q.rho, c.q.u, c.q.v, c.q.w};
        p.e[slot][at - P::ROW] = {c.q.nu, c.mut, c.f1, c.wd};
        p.g[slot][at - P::ROW] = {c.g[0], c.g[1], c.g[2], c.g[3]};
        p.h[slot][at - P::ROW] = {c.g[4], c.g[5]};
        put_turb(p, slot, at, c.turb);
    }

    template <class P>
    static __device__ __forceinline__ void fetch_turb(const P &p, int slot, int at, real *turb)
    {
        const struct an_words2 n = p.n[slot][at];
        turb[0] = n.a;
        turb[1] = n.b;
    }
    template <class P> static __device__ __forceinline__ real fetch_wd(const P &p, int slot, int at)
    {
        return p.e[slot][at - P::ROW].d;
    }
    template <class P> static __device__ __forceinline__ cell fetch(const P &p, int slot, int at)
    {
        const struct an_words4 q = p.q[slot][at - P::ROW], e = p.e[slot][at - P::ROW],
                               g = p.g[slot][at - P::ROW];
        const struct an_words2 h = p.h[slot][at - P::ROW], n = p.n[slot][at];
        const cell c = {{q.a, q.b, q.c, q.d, e.a},      e.b,       e.c, e.d,
                        {g.a, g.b, g.c, g.d, h.a, h.b}, {n.a, n.b}};
        return c;
    }

    /* turb: of the two cells below the face and the two above it. */
    static __device__ __forceinline__ struct turb_sides<VARIABLES>
    sides_of(const cell &l, const cell &r, const real (&turb)[VARIABLES][4],
             const struct turb_face &f, const struct AN_FN(an_prm) * prm)
    {
        const real half = AN_R(0.5), m = AN_FN(an_turb_mass)(&l.q, &r.q, f.s, f.sweep);
        const real ratio = AN_FN(an_turb_ratio)(f.s, f.r);
        const real mu = half * (l.q.rho * l.q.nu + r.q.rho * r.q.nu), mut = half * (l.mut + r.mut);
        const real blend = half * (l.f1 + r.f1);
        const real sigma[2] = {AN_FN(an_sst_blend)(blend, AN_SST_SK1, AN_SST_SK2),
                               AN_FN(an_sst_blend)(blend, AN_SST_SO1, AN_SST_SO2)};
        struct turb_sides<VARIABLES> sides;
        AN_UNROLL
        for (int v = 0; v < VARIABLES; v++) {
            const real *const phi = turb[v];
            const real through =
                AN_FN(an_turb_gradient)(l.g + 3 * v, r.g + 3 * v, phi[2] - phi[1], f.s, f.r, ratio);
            struct AN_FN(an_sst_flux) of[2];
            AN_FN(an_sst_sides)
            (m, mu + sigma[v] * mut, ratio, through, phi, prm->turb.order, of);
            sides.lower.rt[v] = of[0].rt;
            sides.lower.coupling[v] = of[0].coupling;
            sides.upper.rt[v] = of[1].rt;
            sides.upper.coupling[v] = of[1].coupling;
        }
        return sides;
    }

    static __device__ __forceinline__ void
    sum(const args &a, const struct turb_sums<sst_model> &sums, const struct AN_FN(an_prm) * prm)
    {
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
    }

    /* an_planes_hold, for the compiler to know */
    static __device__ __forceinline__ void specialise(struct AN_FN(an_prm) * p)
    {
        p->turb.model = AN_TURBULENCE_SST;
    }
};
#undef AN_STENCIL
#include "kernels/stencils/stencil_end.h"

#ifndef SST_ASYNC
#define SST_ASYNC 1
#endif
typedef struct turb_march<sst_model, AN_PLANE_TX, AN_PLANE_TY, AN_PLANE_BLOCKS, SST_ASYNC>
    sst_kernel;

static sst_model::args sst_args_of(const struct an_cell_args *cell, const struct an_params *p)
{
    sst_model::args a = turb_args_of<sst_model>(cell, p);
    a.cell[5] = AN_WORDS_OF(cell, MUT, 0);
    a.cell[6] = AN_WORDS_OF(cell, BLEND, 0);
    a.cell[7] = AN_WORDS_OF(cell, WD, 0);
    for (int m = 0; m < 6; m++)
        a.cell[8 + m] = AN_WORDS_OF(cell, GRADT, m);
    return a;
}

static_assert((plane_launcher<sst_kernel>::SHARED + 1024) * AN_PLANE_BLOCKS <= 228 * 1024,
              "a multiprocessor of compute capability 9.0 holds all blocks");

static int run_sst(const struct an_cell_args *cell, int ntile, const struct an_params *p,
                   struct an_cuda_queue *queue)
{
    return plane_launcher<sst_kernel>::launch(sst_args_of(cell, p), AN_FN(an_prm_from)(p), ntile,
                                              queue);
}
} // namespace

AN_EXTERN_C_BEGIN
extern const struct an_plane_kernels AN_LAUNCHER(sst_planes);
const struct an_plane_kernels AN_LAUNCHER(sst_planes) = {
    plane_launcher<sst_kernel>::shape(1), plane_launcher<sst_kernel>::prepare, run_sst};
AN_EXTERN_C_END
