/* CPU engine: viscous_residual.stencil by planes. */
#define PLANES       viscous_planes
#define PLANES_STATE 6
#define PLANES_FACE  4
#define PLANES_OUT   1
/* form 2: with QCR2000 */
#define PLANES_FORM(prm) ((prm)->turb.qcr ? 2 : 1)
#include "kernels/cpu/cpu_planes.h"
#include "kernels/physics/viscous.h"

#include <string.h>

#define VP_CELL(x)                                                                    \
    {                                                                                 \
        {PLANES_WORD(x, 0), PLANES_WORD(x, 1), PLANES_WORD(x, 2), PLANES_WORD(x, 3)}, \
            PLANES_WORD(x, 4), PLANES_WORD(x, 5)                                      \
    }
#define AT(field, c) ((const real *)fields->at[AN_F_##field])[(c)*cs + at]

AN_INLINE void PLANES_FN(state)(const struct an_fields *fields, int64_t cs, int64_t at,
                                const int law, const struct AN_FN(an_prm) * prm, real *word)
{
    struct AN_FN(an_prm) here = *prm;
    here.fluid.viscosity = law;
    const struct AN_FN(an_viscous_cell) c =
        AN_FN(an_viscous_cell_cached)(AT(W, 0), AT(W, 1), AT(W, 2), AT(W, 3), AT(W, 4), AT(MUT, 0),
                                      AN_PROPERTIES(AT(EOS, 0)), &here);
    PLANES_WORD(word, 0) = c.q[0];
    PLANES_WORD(word, 1) = c.q[1];
    PLANES_WORD(word, 2) = c.q[2];
    PLANES_WORD(word, 3) = c.q[3];
    PLANES_WORD(word, 4) = c.mu;
    PLANES_WORD(word, 5) = c.heat;
}

AN_INLINE void PLANES_FN(prefetch)(const struct an_fields *fields, int64_t cs, int64_t at,
                                   const int dir, int n)
{
    if (dir < 0) {
        for (int c = 0; c < 5; c++)
            AN_FN(prefetch_row)(&AT(W, c), n);
        AN_FN(prefetch_row)(&AT(MUT, 0), n);
        return;
    }
    for (int c = 0; dir == 2 && c < 12; c++)
        AN_FN(prefetch_row)(&AT(GRAD, c), n);
    for (int c = 3 * dir; c < 3 * dir + 3; c++) {
        AN_FN(prefetch_row)(&AT(S, c), n);
        AN_FN(prefetch_row)(&AT(DX, c), n);
    }
    for (int c = 1; dir == 0 && c < 5; c++)
        AN_FN(prefetch_row)(&AT(R, c), n);
}

AN_INLINE void PLANES_FN(face)(const struct an_fields *fields, int64_t cs, int64_t at, int64_t step,
                               const int dir, const int order, const real *l, const real *r,
                               const struct AN_FN(an_prm) * prm, real *word)
{
    const struct AN_FN(an_viscous_cell) left = VP_CELL(l);
    const struct AN_FN(an_viscous_cell) right = VP_CELL(r);
    const real *const g = (const real *)fields->at[AN_F_GRAD] + at, *const b = g - step;
    const real gl[12] = {b[0],      b[cs],     b[2 * cs], b[3 * cs], b[4 * cs],  b[5 * cs],
                         b[6 * cs], b[7 * cs], b[8 * cs], b[9 * cs], b[10 * cs], b[11 * cs]};
    const real gr[12] = {g[0],      g[cs],     g[2 * cs], g[3 * cs], g[4 * cs],  g[5 * cs],
                         g[6 * cs], g[7 * cs], g[8 * cs], g[9 * cs], g[10 * cs], g[11 * cs]};
    const real s[3] = {AT(S, 3 * dir), AT(S, 3 * dir + 1), AT(S, 3 * dir + 2)};
    const real d[3] = {AT(DX, 3 * dir), AT(DX, 3 * dir + 1), AT(DX, 3 * dir + 2)};
    struct AN_FN(an_prm) here = *prm;
    here.turb.qcr = order > 1;
    here.fluid.viscosity = prm->fluid.viscosity == AN_VISCOSITY_SUTHERLAND ? AN_VISCOSITY_SUTHERLAND
                                                                           : AN_VISCOSITY_CONSTANT;
    const struct AN_FN(an_five) f = AN_FN(an_flux_viscous)(&left, &right, gl, gr, s, d, &here);
    PLANES_WORD(word, 0) = f.x;
    PLANES_WORD(word, 1) = f.y;
    PLANES_WORD(word, 2) = f.z;
    PLANES_WORD(word, 3) = f.e;
}

static void PLANES_FN(combine)(const struct PLANES_FN(row) * row)
{
    for (int c = 0; c < 4; c++) {
        const int64_t at = (c + 1) * row->cs + row->at;
        real *const R = (real *)row->fields->at[AN_F_R] + at;
        real *const kept = row->fields->at[AN_F_FORCE];
        const real *const west = row->lower[0][c], *const east = row->upper[0][c];
        const real *const south = row->lower[1][c], *const north = row->upper[1][c];
        const real *const below = row->lower[2][c], *const above = row->upper[2][c];
#pragma omp simd
        for (int i = 0; i < row->n; i++) {
            real r = AN_R(0.0);
            r += east[i] - west[i];
            r += north[i] - south[i];
            r += above[i] - below[i];
            R[i] = R[i] + r;
            row->out[0][i] = r;
        }
        if (kept)
            memcpy(kept + at, row->out[0], (size_t)row->n * sizeof *kept);
    }
}
