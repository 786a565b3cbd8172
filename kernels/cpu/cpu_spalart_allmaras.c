/* CPU engine: sa_residual.stencil by planes, but for SA-RC. */
#define PLANES       sa_planes
#define PLANES_STATE 6
#define PLANES_FACE  6
#define PLANES_OUT   10
#include "kernels/cpu/cpu_planes.h"
#include "kernels/cpu/cpu_turbulence.h"
#include "kernels/physics/spalart_allmaras.h"
#include "kernels/physics/wall_function.h"

#define AT(field, c)     ((const real *)fields->at[AN_F_##field])[(c)*cs + at]
#define BEFORE(field, c) ((const real *)fields->at[AN_F_##field])[(c)*cs + at - step]
#define SAP_FACE(x)                                                                 \
    {                                                                               \
        PLANES_WORD(x, 0), PLANES_WORD(x, 1), PLANES_WORD(x, 2), PLANES_WORD(x, 3), \
            PLANES_WORD(x, 4), PLANES_WORD(x, 5)                                    \
    }

AN_INLINE void PLANES_FN(state)(const struct an_fields *fields, int64_t cs, int64_t at,
                                const int law, const struct AN_FN(an_prm) * prm, real *word)
{
    AN_FN(turb_state)(fields, cs, at, law, prm, word);
    PLANES_WORD(word, 5) = PLANES_WORD(word, 0) / AN_SA_SIGMA;
}

AN_INLINE void PLANES_FN(prefetch)(const struct an_fields *fields, int64_t cs, int64_t at,
                                   const int dir, int n)
{
    AN_FN(turb_prefetch)(fields, cs, at, dir, 1, n);
}

AN_INLINE void PLANES_FN(face)(const struct an_fields *fields, int64_t cs, int64_t at, int64_t step,
                               const int dir, const int order, const real *l, const real *r,
                               const struct AN_FN(an_prm) * prm, real *word)
{
    const struct AN_FN(an_turb_cell) left = TURB_CELL(l), right = TURB_CELL(r);
    const real gl[3] = {BEFORE(GRADT, 0), BEFORE(GRADT, 1), BEFORE(GRADT, 2)};
    const real gr[3] = {AT(GRADT, 0), AT(GRADT, 1), AT(GRADT, 2)};
    const real s[3] = {AT(S, 3 * dir), AT(S, 3 * dir + 1), AT(S, 3 * dir + 2)};
    const real d[3] = {AT(DX, 3 * dir), AT(DX, 3 * dir + 1), AT(DX, 3 * dir + 2)};
    const real *const nut = (const real *)fields->at[AN_F_TURB] + at;
    const real sweep = AN_FN(turb_sweep)(fields, cs, at, dir, prm);
    const struct AN_FN(an_sa_face) f = AN_FN(an_sa_face_of)(
        &left, &right, nut[-2 * step], nut[-step], nut[0], nut[step], gl, gr, s, d, sweep, order);
    PLANES_WORD(word, 0) = f.m;
    PLANES_WORD(word, 1) = f.on_face;
    PLANES_WORD(word, 2) = f.mean;
    PLANES_WORD(word, 3) = f.diffusivity;
    PLANES_WORD(word, 4) = f.gradient;
    PLANES_WORD(word, 5) = f.ratio;
}

/* Cell i of a row: bodies are functions of their own (cpu_cell.h). out 0, 1: vorticity, with the
 * law of the wall, and SA-R's part. */
AN_INLINE void AN_FN(sa_shear_cell)(const struct PLANES_FN(row) * row, int i, const int wall,
                                    const int rotates, const int rough,
                                    const struct AN_FN(an_prm) * prm)
{
    const struct an_fields *const fields = row->fields;
    const int64_t cs = row->cs, at = row->at + i;
    const int64_t s1 = row->block->stride[1], s2 = row->block->stride[2];
    const real g[9] = {AT(GRAD, 0), AT(GRAD, 1), AT(GRAD, 2), AT(GRAD, 3), AT(GRAD, 4),
                       AT(GRAD, 5), AT(GRAD, 6), AT(GRAD, 7), AT(GRAD, 8)};
    const real *const UTAU = &AT(UTAU, 0);
    real omega = AN_FN(an_vorticity)(g);
    if (wall) {
        const struct AN_FN(an_wall_cell) law = AN_FN(an_wall_cell_of)(
            AN_FN(turb_friction)(UTAU, s1, s2, 1), AN_FN(turb_friction)(UTAU, s1, s2, 2), AT(WD, 0),
            row->state[4][i + 1], rough ? AT(ROUGH, 0) : AN_R(0.0), prm);
        omega = AN_FN(an_law_blend)(law.weight, omega, law.shear);
    }
    row->out[0][i] = omega;
    row->out[1][i] =
        rotates ? AN_R(2.0) * AN_MIN(AN_FN(an_strain)(g) - omega, AN_R(0.0)) : AN_R(0.0);
}

AN_INLINE void AN_FN(sa_shear)(const struct PLANES_FN(row) * row, const int wall, const int rotates,
                               const int rough)
{
    struct AN_FN(an_prm) prm = *row->prm;
    const int whole = WHOLE(row->n);
    prm.turb.model = AN_TURBULENCE_SA; /* it is; for compilers to know */
#pragma omp simd
    for (int i = 0; i < whole; i++)
        AN_FN(sa_shear_cell)(row, i, wall, rotates, rough, &prm);
}

/* What one side of the cell adds; sign: of the face's direction, seen from the cell. */
#define SAP_SIDE(d, side, sign, faces, step)                                                  \
    do {                                                                                      \
        const real *const x = row->faces[d][0] + i;                                           \
        const struct AN_FN(an_sa_face) face = SAP_FACE(x);                                    \
        const struct AN_FN(an_sa_flux) f =                                                    \
            AN_FN(an_sa_side)(over, nut, sign face.m, sign face.gradient, &face);             \
        rt += f.rt;                                                                           \
        diagonal += WD[step] < AN_R(0.0) ? f.coupling + f.coupling : several[d] * f.coupling; \
        row->out[4 + 2 * (d) + (side)][i] = f.coupling;                                       \
    } while (0)

/* out 2, 3: RT, DIAGT; 4 to 9: couplings. several: 0 in flat directions (struct an_block), else 1. */
AN_INLINE void AN_FN(sa_cell)(const struct PLANES_FN(row) * row, int i, const real several[3],
                              const int transition, const real tu, const int wall_rough,
                              const int des)
{
    const struct an_fields *const fields = row->fields;
    const int64_t cs = row->cs, at = row->at + i;
    const int64_t s1 = row->block->stride[1], s2 = row->block->stride[2];
    const real rho = row->state[0][i + 1], nu = row->state[4][i + 1], over = row->state[5][i + 1];
    const real nut = AT(TURB, 0), mass = rho * AT(VOL, 0), *const WD = &AT(WD, 0);
    real implicit;
    const real omega = row->out[0][i], one = AN_R(1.0);
    const real gamma =
        transition ? AN_FN(an_bcm_intermittency)(AN_FN(an_sa_eddy)(nut, nu), nu, omega, WD[0], tu)
                   : one;
    real d = WD[0], rough = AN_R(0.0);
    if (wall_rough) {
        rough = AN_FN(an_sa_rough)(d, AT(ROUGH, 0));
        d = AN_FN(an_sa_distance)(d, AT(ROUGH, 0));
    }
    if (des)
        d *= AT(DES, 0);
    const real source =
        AN_FN(an_sa_source)(nut, nu, omega, row->out[1][i], one, d, gamma,
                            transition || des ? AN_R(0.0) : AN_SA_CT3, rough, &implicit);
    real rt = -mass * source, diagonal = mass * implicit;
    SAP_SIDE(0, 0, -, lower, -1);
    SAP_SIDE(0, 1, +, upper, 1);
    SAP_SIDE(1, 0, -, lower, -s1);
    SAP_SIDE(1, 1, +, upper, s1);
    SAP_SIDE(2, 0, -, lower, -s2);
    SAP_SIDE(2, 1, +, upper, s2);
    row->out[2][i] = rt;
    row->out[3][i] = diagonal;
}

AN_INLINE void AN_FN(sa_cells)(const struct PLANES_FN(row) * row, const real several[3],
                               const int transition, const int rough, const int des)
{
    const real tu = row->prm->turb.inflow_intensity;
    const int whole = WHOLE(row->n);
#pragma omp simd
    for (int i = 0; i < whole; i++)
        AN_FN(sa_cell)(row, i, several, transition, tu, rough, des);
}

static void PLANES_FN(combine)(const struct PLANES_FN(row) * given)
{
    const struct PLANES_FN(row) copy = *given, *const row = &copy;
    const struct an_fields addresses = *row->fields, *const fields = &addresses;
    const int64_t cs = row->cs, at = row->at;
    const int flat = row->block->flat;
    const int wall = row->prm->turb.wall_function,
              rotates = row->prm->turb.rotation == AN_CORRECTION_R;
    const real several[3] = {flat & 1 ? AN_R(0.0) : AN_R(1.0), flat & 2 ? AN_R(0.0) : AN_R(1.0),
                             flat & 4 ? AN_R(0.0) : AN_R(1.0)};
    const int rough = row->prm->turb.rough;
    if (wall && rough)
        AN_FN(sa_shear)(row, 1, rotates, 1);
    else if (wall && rotates)
        AN_FN(sa_shear)(row, 1, 1, 0);
    else if (wall)
        AN_FN(sa_shear)(row, 1, 0, 0);
    else if (rotates)
        AN_FN(sa_shear)(row, 0, 1, 0);
    else
        AN_FN(sa_shear)(row, 0, 0, 0);
    if (row->prm->turb.inflow_intensity != AN_R(0.0)) /* the case has no rough walls then */
        AN_FN(sa_cells)(row, several, 1, rough, 0);
    else if (row->prm->turb.des)
        AN_FN(sa_cells)(row, several, 0, rough, 1);
    else if (rough)
        AN_FN(sa_cells)(row, several, 0, 1, 0);
    else
        AN_FN(sa_cells)(row, several, 0, 0, 0);
    const size_t bytes = (size_t)row->n * sizeof(real);
    memcpy((real *)fields->at[AN_F_RT] + at, row->out[2], bytes);
    memcpy((real *)fields->at[AN_F_DIAGT] + at, row->out[3], bytes);
    for (int c = 0; c < 6; c++)
        memcpy((real *)fields->at[AN_F_LINE] + AN_TURB_COUPLING(0, c / 2, c % 2) * cs + at,
               row->out[4 + c], bytes);
}
