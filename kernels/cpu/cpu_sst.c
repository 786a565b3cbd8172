/* CPU engine: sst_residual.stencil by planes. */
#define PLANES       sst_planes
#define PLANES_STATE 5
#define PLANES_FACE  6
#define PLANES_OUT   21
#include "kernels/cpu/cpu_planes.h"
#include "kernels/cpu/cpu_turbulence.h"
#include "kernels/physics/sst.h"
#include "kernels/physics/wall_function.h"

#define AT(field, c)     ((const real *)fields->at[AN_F_##field])[(c)*cs + at]
#define BEFORE(field, c) ((const real *)fields->at[AN_F_##field])[(c)*cs + at - step]

AN_INLINE void PLANES_FN(state)(const struct an_fields *fields, int64_t cs, int64_t at,
                                const int law, const struct AN_FN(an_prm) * prm, real *word)
{
    AN_FN(turb_state)(fields, cs, at, law, prm, word);
}

AN_INLINE void PLANES_FN(prefetch)(const struct an_fields *fields, int64_t cs, int64_t at,
                                   const int dir, int n)
{
    AN_FN(turb_prefetch)(fields, cs, at, dir, 2, n);
}

/* Mass flux, ratio, then gamma and gradient of both variables. */
AN_INLINE void PLANES_FN(face)(const struct an_fields *fields, int64_t cs, int64_t at, int64_t step,
                               const int dir, const int order, const real *l, const real *r,
                               const struct AN_FN(an_prm) * prm, real *word)
{
    const real half = AN_R(0.5);
    const struct AN_FN(an_turb_cell) left = TURB_CELL(l), right = TURB_CELL(r);
    const real s[3] = {AT(S, 3 * dir), AT(S, 3 * dir + 1), AT(S, 3 * dir + 2)};
    const real d[3] = {AT(DX, 3 * dir), AT(DX, 3 * dir + 1), AT(DX, 3 * dir + 2)};
    const real gl0[3] = {BEFORE(GRADT, 0), BEFORE(GRADT, 1), BEFORE(GRADT, 2)};
    const real gr0[3] = {AT(GRADT, 0), AT(GRADT, 1), AT(GRADT, 2)};
    const real gl1[3] = {BEFORE(GRADT, 3), BEFORE(GRADT, 4), BEFORE(GRADT, 5)};
    const real gr1[3] = {AT(GRADT, 3), AT(GRADT, 4), AT(GRADT, 5)};
    const real sweep = AN_FN(turb_sweep)(fields, cs, at, dir, prm);
    const real mu = half * (left.rho * left.nu + right.rho * right.nu);
    const real mut = half * (BEFORE(MUT, 0) + AT(MUT, 0));
    const real blend = half * (BEFORE(BLEND, 0) + AT(BLEND, 0));
    const real ratio = AN_FN(an_turb_ratio)(s, d);
    (void)order;
    PLANES_WORD(word, 0) = AN_FN(an_turb_mass)(&left, &right, s, sweep);
    PLANES_WORD(word, 1) = ratio;
    PLANES_WORD(word, 2) = mu + AN_FN(an_sst_blend)(blend, AN_SST_SK1, AN_SST_SK2) * mut;
    PLANES_WORD(word, 3) = mu + AN_FN(an_sst_blend)(blend, AN_SST_SO1, AN_SST_SO2) * mut;
    PLANES_WORD(word, 4) =
        AN_FN(an_turb_gradient)(gl0, gr0, AT(TURB, 0) - BEFORE(TURB, 0), s, d, ratio);
    PLANES_WORD(word, 5) =
        AN_FN(an_turb_gradient)(gl1, gr1, AT(TURB, 1) - BEFORE(TURB, 1), s, d, ratio);
}

/* out 0 to 4: the law of the wall where it counts, zero elsewhere. Logarithms: one by one. */
static void AN_FN(sst_law)(const struct PLANES_FN(row) * row)
{
    const struct an_fields *const fields = row->fields;
    const int64_t cs = row->cs, s1 = row->block->stride[1], s2 = row->block->stride[2];
    for (int w = 0; w < 5; w++)
        memset(row->out[w], 0, sizeof row->out[w]);
    for (int i = 0; row->prm->turb.wall_function && i < row->n; i++) {
        const int64_t at = row->at + i;
        const real *const UTAU = &AT(UTAU, 0);
        const real own = AN_FN(turb_friction)(UTAU, s1, s2, 1),
                   beyond = AN_FN(turb_friction)(UTAU, s1, s2, 2);
        if (!(own > AN_R(0.0) || beyond > AN_R(0.0)))
            continue;
        const struct AN_FN(an_wall_cell) law =
            AN_FN(an_wall_cell_of)(own, beyond, AT(WD, 0), row->state[4][i + 1],
                                   row->prm->turb.rough ? AT(ROUGH, 0) : AN_R(0.0), row->prm);
        row->out[0][i] = law.weight;
        row->out[1][i] = law.first;
        row->out[2][i] = law.shear;
        row->out[3][i] = law.production;
        row->out[4][i] = law.omega;
    }
}

#define SP_VARIABLE(v, d, side, sign, x, step)                                                     \
    do {                                                                                           \
        const real *const phi = &AT(TURB, v), floor = AN_R(0.01) * phi[0];                         \
        const struct AN_FN(an_sst_flux) f =                                                        \
            AN_FN(an_sst_side)(sign PLANES_WORD(x, 0), PLANES_WORD(x, 2 + (v)), PLANES_WORD(x, 1), \
                               sign PLANES_WORD(x, 4 + (v)), phi[-(step)], phi[0], phi[step],      \
                               phi[2 * (step)], floor * floor, order);                             \
        rt##v += f.rt;                                                                             \
        diagonal##v += WD[step] < AN_R(0.0) ? f.coupling + f.coupling : several[d] * f.coupling;   \
        row->out[9 + AN_TURB_COUPLING(v, d, side)][i] = keep##v * f.coupling;                      \
    } while (0)
#define SP_SIDE(d, side, sign, faces, step)         \
    do {                                            \
        const real *const x = row->faces[d][0] + i; \
        SP_VARIABLE(0, d, side, sign, x, step);     \
        SP_VARIABLE(1, d, side, sign, x, step);     \
    } while (0)

/* Cell i of a row: a function of its own (cpu_cell.h). out 5, 6: RT; 7, 8: DIAGT; 9 to 20:
 * couplings. several: 0 in flat directions (struct an_block), else 1. */
AN_INLINE void AN_FN(sst_cell)(const struct PLANES_FN(row) * row, int i, const int order,
                               const int rough, const real several[3])
{
    const struct an_fields *const fields = row->fields;
    const int64_t cs = row->cs, at = row->at + i;
    const int64_t s1 = row->block->stride[1], s2 = row->block->stride[2];
    const real rho = row->state[0][i + 1], nu = row->state[4][i + 1], *const WD = &AT(WD, 0);
    const real g[9] = {AT(GRAD, 0), AT(GRAD, 1), AT(GRAD, 2), AT(GRAD, 3), AT(GRAD, 4),
                       AT(GRAD, 5), AT(GRAD, 6), AT(GRAD, 7), AT(GRAD, 8)};
    const real cross =
        AT(GRADT, 0) * AT(GRADT, 3) + AT(GRADT, 1) * AT(GRADT, 4) + AT(GRADT, 2) * AT(GRADT, 5);
    const real energy = AT(TURB, 0), omega = AT(TURB, 1), f1 = AT(BLEND, 0);
    const real weight = row->out[0][i], first = row->out[1][i];
    const real strain = AN_FN(an_law_blend)(weight, AN_FN(an_strain)(g), row->out[2][i]);
    const real rate = rough
                          ? AN_FN(an_sst_rate_rough)(energy, omega, nu, WD[0], strain, AT(ROUGH, 0))
                          : AN_FN(an_sst_rate)(energy, omega, nu, WD[0], strain);
    struct AN_FN(an_sst_sources) source =
        AN_FN(an_sst_source)(energy, omega, strain, rate, f1, cross);
    source.k += first * (row->out[3][i] - source.production);
    const real mass = rho * AT(VOL, 0), keep0 = AN_R(1.0), keep1 = AN_R(1.0) - first;
    real rt0 = -mass * source.k, diagonal0 = mass * source.diagonal_k;
    real rt1 = -mass * source.omega, diagonal1 = mass * source.diagonal_omega;
    SP_SIDE(0, 0, -, lower, -1);
    SP_SIDE(0, 1, +, upper, 1);
    SP_SIDE(1, 0, -, lower, -s1);
    SP_SIDE(1, 1, +, upper, s1);
    SP_SIDE(2, 0, -, lower, -s2);
    SP_SIDE(2, 1, +, upper, s2);
    rt1 = keep1 * rt1 + first * diagonal1 * (omega - row->out[4][i]);
    row->out[5][i] = rt0;
    row->out[6][i] = rt1;
    row->out[7][i] = diagonal0;
    row->out[8][i] = diagonal1;
}

AN_INLINE void AN_FN(sst_cells)(const struct PLANES_FN(row) * row, const int order, const int rough,
                                const real several[3])
{
    const int whole = WHOLE(row->n);
#pragma omp simd
    for (int i = 0; i < whole; i++)
        AN_FN(sst_cell)(row, i, order, rough, several);
}

static void PLANES_FN(combine)(const struct PLANES_FN(row) * given)
{
    const struct PLANES_FN(row) copy = *given, *const row = &copy;
    const int flat = row->block->flat;
    const real several[3] = {flat & 1 ? AN_R(0.0) : AN_R(1.0), flat & 2 ? AN_R(0.0) : AN_R(1.0),
                             flat & 4 ? AN_R(0.0) : AN_R(1.0)};
    AN_FN(sst_law)(row);
    if (row->prm->turb.rough)
        AN_FN(sst_cells)(row, row->prm->turb.order < 2 ? 1 : 2, 1, several);
    else if (row->prm->turb.order < 2)
        AN_FN(sst_cells)(row, 1, 0, several);
    else
        AN_FN(sst_cells)(row, 2, 0, several);
    static const struct {
        enum an_field field;
        int first, n;
    } result[] = {{AN_F_RT, 5, 2}, {AN_F_DIAGT, 7, 2}, {AN_F_LINE, 9, 12}};
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < result[r].n; c++)
            memcpy((real *)row->fields->at[result[r].field] + c * row->cs + row->at,
                   row->out[result[r].first + c], (size_t)row->n * sizeof(real));
}
