/* CPU engine: what the planes of the turbulence models share. */
#ifndef AN_CPU_TURBULENCE_H
#define AN_CPU_TURBULENCE_H

#include "kernels/cpu/cpu_march.h"
#include "kernels/physics/turbulence.h"

#define AT(field, c) ((const real *)fields->at[AN_F_##field])[(c)*cs + at]

/* The words of a cell, as an initialiser of an_turb_cell. */
#define TURB_CELL(x)                                                                \
    {                                                                               \
        PLANES_WORD(x, 0), PLANES_WORD(x, 1), PLANES_WORD(x, 2), PLANES_WORD(x, 3), \
            PLANES_WORD(x, 4)                                                       \
    }

/* law: prm->fluid.viscosity, as a constant. */
AN_INLINE void AN_FN(turb_state)(const struct an_fields *fields, int64_t cs, int64_t at,
                                 const int law, const struct AN_FN(an_prm) * prm, real *word)
{
    struct AN_FN(an_prm) here = *prm;
    here.fluid.viscosity = law;
    const struct AN_FN(an_turb_cell) c = AN_FN(an_turb_cell_cached)(
        AT(W, 0), AT(W, 1), AT(W, 2), AT(W, 3), AT(W, 4), AN_PROPERTIES(AT(EOS, 0)), &here);
    PLANES_WORD(word, 0) = c.rho;
    PLANES_WORD(word, 1) = c.u;
    PLANES_WORD(word, 2) = c.v;
    PLANES_WORD(word, 3) = c.w;
    PLANES_WORD(word, 4) = c.nu;
}

/* The volume that a face sweeps, m3/s. G is S where nothing is rotating (cpu_planes.h): a factor of zero keeps the loop free
 * of conditions. */
AN_INLINE real AN_FN(turb_sweep)(const struct an_fields *fields, int64_t cs, int64_t at,
                                 const int dir, const struct AN_FN(an_prm) * prm)
{
    return (prm->flux.rotating ? AN_R(1.0) : AN_R(0.0)) * AT(G, dir);
}

/* Prefetches what a model of so many variables reads in the next row. */
AN_INLINE void AN_FN(turb_prefetch)(const struct an_fields *fields, int64_t cs, int64_t at,
                                    const int dir, const int variables, int n)
{
    for (int c = 0; dir < 0 && c < 5; c++)
        AN_FN(prefetch_row)(&AT(W, c), n);
    for (int c = 0; dir == 2 && c < 3 * variables; c++)
        AN_FN(prefetch_row)(&AT(GRADT, c), n);
    for (int c = 3 * dir; dir >= 0 && c < 3 * dir + 3; c++) {
        AN_FN(prefetch_row)(&AT(S, c), n);
        AN_FN(prefetch_row)(&AT(DX, c), n);
    }
    for (int c = 0; dir == 0 && c < 9; c++)
        AN_FN(prefetch_row)(&AT(GRAD, c), n);
    for (int c = 0; dir == 0 && c < AN_TURB_COUPLING(variables, 0, 0); c++)
        AN_FN(prefetch_row)(&AT(LINE, c), n);
}

/* AN_WALL_FRICTION with wall functions: u is the cell's word of UTAU, s1 and s2 steps along j and
 * k. */
AN_INLINE real AN_FN(turb_friction)(const real *u, int64_t s1, int64_t s2, const int m)
{
    return AN_MAX(AN_MAX(u[-m], u[m]),
                  AN_MAX(AN_MAX(u[-m * s1], u[m * s1]), AN_MAX(u[-m * s2], u[m * s2])));
}

#undef AT
#endif
