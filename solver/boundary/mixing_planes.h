/* The set-up of mixing planes: sides, control bands, and what each face takes of which band. Used by
 * mixing.c alone. */
#ifndef AN_SOLVER_MIXING_PLANES_H
#define AN_SOLVER_MIXING_PLANES_H

#include "solver/boundary/mixing.h"

/* The bands of a side of a plane; side 0 is upstream. */
static inline const struct an_band_group *an_mixing_side_of(const struct an_mixing *m, int plane,
                                                            int side)
{
    return &m->bands->group[2 * plane + side];
}

/* Finds the planes of the case and fills *m, which is zeroed. AN_INPUT as of an_mixing_part. Not
 * collective. */
int an_mixing_planes(struct an_solver *s, struct an_mixing *m);

#endif
