/* CPU engine: what cells sum over their six faces, each face's part computed once, and each cell's
 * state. A template: the file that includes it defines first
 *
 *     PLANES             a name
 *     PLANES_STATE       words of a cell that its faces want
 *     PLANES_FACE        words of a face that its two cells want
 *     PLANES_OUT         words of a row of cells, for its combination
 *     PLANES_FORM(prm)   which form of face: 1 or 2; without it, prm->turb.order
 *
 * and behind it the functions
 *
 *     PLANES_FN(state)   the words of a cell
 *     PLANES_FN(face)    the words of a face from those of the cells before it and behind it
 *     PLANES_FN(combine) what a row of cells makes of them
 *     PLANES_FN(prefetch)   prefetches what comes next
 *
 * and gets AN_KERNEL(PLANES), for cpu_table.c. A tile of TI x TJ columns is marched in k:
 *
 *     state: planes k, k+1       fk: faces below and above plane k
 *                                fj: faces below and above row j
 *
 * All loops run along i, over whole vectors of LANES cells, into the padding of rows: what is
 * computed there is not used. Sums are ordered as in the stencils, whose results these are, bit for
 * bit. */
#include "kernels/cpu/cpu_march.h"

#define PLANES_FN(what) AN_FN(AN_CAT(AN_CAT(PLANES, _), what))

#ifndef PLANES_FORM
#define PLANES_FORM(prm) ((prm)->turb.order)
#endif

#ifndef PLANES_PITCH
#define PLANES_PITCH (TI + LANES)
/* Word w of a cell or face, x being its first. */
#define PLANES_WORD(x, w) (x)[(w)*PLANES_PITCH]
#endif

struct PLANES_FN(ring) {
    real state[2][TJ + 2][PLANES_STATE][PLANES_PITCH]; /* cell (i,j) at [j + 1][..][i + 1] */
    real fk[2][TJ][PLANES_FACE][PLANES_PITCH];
    real fj[2][PLANES_FACE][PLANES_PITCH];
    real fi[PLANES_FACE][PLANES_PITCH];
    real out[PLANES_OUT][PLANES_PITCH];
};

/* What a row of cells is made of. */
struct PLANES_FN(row) {
    real (*state)[PLANES_PITCH];                               /* cell i at [i + 1] */
    real (*lower[3])[PLANES_PITCH], (*upper[3])[PLANES_PITCH]; /* faces of cell i at [i] */
    real (*out)[PLANES_PITCH];
    const struct an_fields *fields;
    const struct an_block *block;
    int64_t cs, at; /* of cell 0 */
    int n;
    const struct AN_FN(an_prm) * prm;
};

/* The words of the cell at `at`. law: prm->fluid.viscosity, as a constant. */
AN_INLINE void PLANES_FN(state)(const struct an_fields *fields, int64_t cs, int64_t at,
                                const int law, const struct AN_FN(an_prm) * prm, real *word);
/* The words of the lower face of the cell at `at` along dir, where a step is `step`; l, r: those of
 * the cell before it, at - step, and of the cell. order: 1 or 2, PLANES_FORM. */
AN_INLINE void PLANES_FN(face)(const struct an_fields *fields, int64_t cs, int64_t at, int64_t step,
                               const int dir, const int order, const real *l, const real *r,
                               const struct AN_FN(an_prm) * prm, real *word);
static void PLANES_FN(combine)(const struct PLANES_FN(row) * row);
/* n cells from `at` on will be read for their states (dir -1), for faces of direction dir, and,
 * with dir 0, for the row they make. */
AN_INLINE void PLANES_FN(prefetch)(const struct an_fields *fields, int64_t cs, int64_t at,
                                   const int dir, int n);

/* law: as prm->fluid.viscosity, a constant. */
AN_INLINE void PLANES_FN(states)(const int law, real (*restrict state)[PLANES_PITCH],
                                 const struct an_fields *fields, int64_t cs, int64_t at, int n,
                                 const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_prm) here = *prm;
    for (int v = 0; v < WHOLE(n + 2); v += LANES)
#pragma omp simd
        for (int i = v; i < v + LANES; i++) {
            PLANES_FN(state)(fields, cs, at - 1 + i, law, &here, state[0] + i);
        }
}

/* Rows -1 .. nj of plane k. */
static void PLANES_FN(load)(real (*restrict plane)[PLANES_STATE][PLANES_PITCH],
                            const struct an_fields *fields, const struct an_block *block,
                            int64_t cs, const int lo[3], int ni, int nj, int k,
                            const struct AN_FN(an_prm) * prm)
{
    for (int j = -1; j <= nj; j++) {
        const int64_t at = an_element(block, lo[0], lo[1] + j, k);
        PLANES_FN(prefetch)(fields, cs, at + block->stride[1], -1, ni);
        if (prm->fluid.viscosity == AN_VISCOSITY_SUTHERLAND)
            PLANES_FN(states)(AN_VISCOSITY_SUTHERLAND, plane[j + 1], fields, cs, at, ni, prm);
        else
            PLANES_FN(states)(AN_VISCOSITY_CONSTANT, plane[j + 1], fields, cs, at, ni, prm);
    }
}

/* n faces of a row, from the cells before and behind them. */
AN_INLINE void PLANES_FN(row_faces)(const int dir, const int order,
                                    real (*restrict face)[PLANES_PITCH],
                                    real (*before)[PLANES_PITCH], real (*behind)[PLANES_PITCH],
                                    const struct an_fields *fields, int64_t cs, int64_t at,
                                    int64_t step, int n, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_prm) here = *prm;
    for (int v = 0; v < WHOLE(n); v += LANES)
#pragma omp simd
        for (int i = v; i < v + LANES; i++) {
            PLANES_FN(face)
            (fields, cs, at + i, dir ? step : 1, dir, order, before[0] + (dir ? i + 1 : i),
             behind[0] + i + 1, &here, face[0] + i);
        }
}

AN_INLINE void PLANES_FN(faces)(const int dir, real (*restrict face)[PLANES_PITCH],
                                real (*before)[PLANES_PITCH], real (*behind)[PLANES_PITCH],
                                const struct an_fields *fields, int64_t cs, int64_t at,
                                int64_t step, int64_t ahead, int n,
                                const struct AN_FN(an_prm) * prm)
{
    PLANES_FN(prefetch)(fields, cs, at + ahead, dir, n);
    if (PLANES_FORM(prm) < 2)
        PLANES_FN(row_faces)(dir, 1, face, before, behind, fields, cs, at, step, n, prm);
    else
        PLANES_FN(row_faces)(dir, 2, face, before, behind, fields, cs, at, step, n, prm);
}

static void PLANES_FN(tile)(struct PLANES_FN(ring) *restrict g, const struct an_block *block,
                            int64_t cs, const int lo[3], const int hi[3],
                            const struct an_fields *given, const struct AN_FN(an_prm) * parameters)
{
    /* copies, for compilers to see that no store changes them */
    const struct AN_FN(an_prm) copy = *parameters, *const prm = &copy;
    struct an_fields addresses = *given, *const f = &addresses;
    if (!prm->flux.rotating)
        addresses.at[AN_F_G] = addresses.at[AN_F_S]; /* counts zero times */
    const int64_t s1 = block->stride[1], s2 = block->stride[2];
    const int ni = hi[0] - lo[0], nj = hi[1] - lo[1];
    PLANES_FN(load)(g->state[1], f, block, cs, lo, ni, nj, lo[2] - 1, prm);
    for (int k = lo[2] - 1; k < hi[2]; k++) {
        /* faces above plane k */
        const int odd = (k + 1 - lo[2]) & 1;
        real(*plane)[PLANES_STATE][PLANES_PITCH] = g->state[!odd];
        real(*next)[PLANES_STATE][PLANES_PITCH] = g->state[odd];
        real(*above)[PLANES_FACE][PLANES_PITCH] = g->fk[odd];
        real(*below)[PLANES_FACE][PLANES_PITCH] = g->fk[!odd];
        PLANES_FN(load)(next, f, block, cs, lo, ni, nj, k + 1, prm);
        for (int j = 0; j < nj; j++)
            PLANES_FN(faces)
        (2, above[j], plane[j + 1], next[j + 1], f, cs, an_element(block, lo[0], lo[1] + j, k + 1),
         s2, s1, ni, prm);
        if (k < lo[2])
            continue;
        for (int j = -1; j < nj; j++) {
            /* faces above row j */
            const int64_t up = an_element(block, lo[0], lo[1] + j + 1, k), at = up - s1;
            real(*north)[PLANES_PITCH] = g->fj[(j + 1) & 1], (*south)[PLANES_PITCH] = g->fj[j & 1];
            PLANES_FN(faces)(1, north, plane[j + 1], plane[j + 2], f, cs, up, s1, s1, ni, prm);
            if (j < 0)
                continue;
            PLANES_FN(faces)(0, g->fi, plane[j + 1], plane[j + 1], f, cs, at, 1, s1, ni + 1, prm);
            const struct PLANES_FN(row)
                row = {plane[j + 1],
                       {g->fi, south, below[j]},
                       {(real(*)[PLANES_PITCH]) & g->fi[0][1], north, above[j]},
                       g->out,
                       f,
                       block,
                       cs,
                       at,
                       ni,
                       prm};
            PLANES_FN(combine)(&row);
        }
    }
}

static void PLANES_FN(run)(void *buffer, const struct an_block *block, int64_t cs, const int lo[3],
                           const int hi[3], const struct an_fields *f, const struct an_params *p)
{
    const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);
    for (int j = lo[1]; j < hi[1]; j += TJ)
        for (int i = lo[0]; i < hi[0]; i += TI) {
            const int a[3] = {i, j, lo[2]};
            const int b[3] = {i + TI < hi[0] ? i + TI : hi[0], j + TJ < hi[1] ? j + TJ : hi[1],
                              hi[2]};
            PLANES_FN(tile)(buffer, block, cs, a, b, f, &prm);
        }
}

extern const struct an_cpu_planes AN_KERNEL(PLANES);
const struct an_cpu_planes AN_KERNEL(PLANES) = {sizeof(struct PLANES_FN(ring)), PLANES_FN(run)};
