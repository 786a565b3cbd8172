/* CUDA engines: sa_residual.stencil by plane streaming (cuda_turbulence.cuh).
 *
 * Compulsory traffic: W 5, TURB 1, GRADT 3, WD 1, GRAD 9, S 9, DX 9, VOL 1, RT 1, DIAGT 1, LINE 6 = 46 words for each
 * cell, and G 3 where blocks turn. */

#include "kernels/cuda/cuda_kernels.h"
#include "kernels/physics/spalart_allmaras.h"
#include "kernels/physics/wall_function.h"

namespace
{
#include "kernels/cuda/cuda_turbulence.cuh"

#define AN_STENCIL "kernels/stencils/turbulence/sa_residual.stencil"
#include AN_STENCIL

/* The body of the stencil, for this kernel: words that were loaded, faces that were computed. */
#undef SA_CELL
#undef SA_SIDE
#define SA_CELL(i, j, k) sums.cell.q
#define SA_SIDE(f, d, side, sign, i, j, k, a, b, e)                                                \
    const struct AN_FN(an_sa_flux) f = {sums.flux[d][side].rt[0], sums.flux[d][side].coupling[0]}; \
    (void)gl
#define AT(field, n, i, j, k)   TURB_AT_##field(n, i, j, k)
#define OUT(field, n, value)    TURB_OUT_##field(n) = (value)
#define TURB_AT_DES(n, i, j, k) __ldg(a.des + sums.at)

struct sa_model {
    static constexpr const char *NAME = "sa_planes";
    /* W, of gas tables and mixtures its first four and the viscosity of EOS; GRADT, WD */
    enum { WORDS = 9, VARIABLES = 1 };
    typedef struct turb_args<WORDS, VARIABLES> args;
    struct cell {
        struct AN_FN(an_turb_cell) q;
        real g[3], wd, turb[1];
    };
    /* All but nut have no use for the outermost rows: the cell `at` of a slot is cell at - ROW there. */
    template <int CELLS, int PITCH> struct planes {
        static constexpr int ROW = PITCH, INNER = CELLS - 2 * ROW;
        struct an_words4 q[2][INNER]; /* density, velocity */
        struct an_words4 g[2][INNER]; /* gradient of nut, viscosity */
        struct an_words2 n[2][CELLS]; /* nut, wall distance */
    };

    static __device__ __forceinline__ cell cell_of(const real *w, const real *turb,
                                                   const struct AN_FN(an_prm) * prm)
    {
        const cell c = {turb_cell_of(w, prm), {w[5], w[6], w[7]}, w[8], {turb[0]}};
        return c;
    }

    template <class P>
    static __device__ __forceinline__ void put_turb(P &p, int slot, int at, const real *turb)
    {
        p.n[slot][at].a = turb[0];
    }
    template <class P>
    static __device__ __forceinline__ void put(P &p, int slot, int at, const cell &c)
    {
        p.q[slot][at - P::ROW] = {c.q.rho, c.q.u, c.q.v, c.q.w};
        p.g[slot][at - P::ROW] = {c.g[0], c.g[1], c.g[2], c.q.nu};
        p.n[slot][at] = {c.turb[0], c.wd};
    }

    template <class P>
    static __device__ __forceinline__ void fetch_turb(const P &p, int slot, int at, real *turb)
    {
        turb[0] = p.n[slot][at].a;
    }
    template <class P> static __device__ __forceinline__ real fetch_wd(const P &p, int slot, int at)
    {
        return p.n[slot][at].b;
    }
    template <class P> static __device__ __forceinline__ cell fetch(const P &p, int slot, int at)
    {
        const struct an_words4 q = p.q[slot][at - P::ROW], g = p.g[slot][at - P::ROW];
        const struct an_words2 n = p.n[slot][at];
        const cell c = {{q.a, q.b, q.c, q.d, g.d}, {g.a, g.b, g.c}, n.b, {n.a}};
        return c;
    }

    /* turb: of the two cells below the face and the two above it. */
    static __device__ __forceinline__ struct turb_sides<VARIABLES>
    sides_of(const cell &l, const cell &r, const real (&turb)[VARIABLES][4],
             const struct turb_face &f, const struct AN_FN(an_prm) * prm)
    {
        const real *const nut = turb[0];
        const struct AN_FN(an_sa_face) face =
            AN_FN(an_sa_face_of)(&l.q, &r.q, nut[0], nut[1], nut[2], nut[3], l.g, r.g, f.s, f.r,
                                 f.sweep, prm->turb.order);
        const struct AN_FN(an_sa_flux) lower =
            AN_FN(an_sa_side)(l.q.rho / AN_SA_SIGMA, nut[1], face.m, face.gradient, &face);
        const struct AN_FN(an_sa_flux) upper =
            AN_FN(an_sa_side)(r.q.rho / AN_SA_SIGMA, nut[2], -face.m, -face.gradient, &face);
        const struct turb_sides<VARIABLES> sides = {
            {{lower.rt}, {lower.coupling}},
            {
                {upper.rt},
                {
                    upper.coupling
                }
            }
        };
        return sides;
    }

    static __device__ __forceinline__ void
    sum(const args &a, const struct turb_sums<sa_model> &sums, const struct AN_FN(an_prm) * prm)
    {
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
    }

    /* an_planes_hold, for the compiler to know */
    static __device__ __forceinline__ void specialise(struct AN_FN(an_prm) * p)
    {
        p->turb.rotation =
            p->turb.rotation == AN_CORRECTION_R ? AN_CORRECTION_R : AN_CORRECTION_NONE;
        p->turb.model = AN_TURBULENCE_SA;
    }
};
#undef AN_STENCIL
#include "kernels/stencils/stencil_end.h"

#ifndef SA_ASYNC
#define SA_ASYNC 0
#endif
typedef struct turb_march<sa_model, AN_PLANE_TX, AN_PLANE_TY, AN_PLANE_BLOCKS, SA_ASYNC> sa_kernel;

static int run_sa(const struct an_cell_args *cell, int ntile, const struct an_params *p,
                  struct an_cuda_queue *queue)
{
    sa_model::args a = turb_args_of<sa_model>(cell, p);
    for (int m = 0; m < 3; m++)
        a.cell[5 + m] = AN_WORDS_OF(cell, GRADT, m);
    a.cell[8] = AN_WORDS_OF(cell, WD, 0);
    a.des = AN_WORDS_OF(cell, DES, 0);
    return plane_launcher<sa_kernel>::launch(a, AN_FN(an_prm_from)(p), ntile, queue);
}
} // namespace

AN_EXTERN_C_BEGIN
extern const struct an_plane_kernels AN_LAUNCHER(sa_planes);
const struct an_plane_kernels AN_LAUNCHER(sa_planes) = {plane_launcher<sa_kernel>::shape(1),
                                                        plane_launcher<sa_kernel>::prepare, run_sa};
AN_EXTERN_C_END
