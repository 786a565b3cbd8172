/* The set-up of mixing planes: sides, control bands, what each face takes of which band, and what a
 * control band sees. Used by
 * mixing.c and by the adjoint, which finds the derivatives by the nodes of a plane from planes of moved nodes. */
#ifndef AN_SOLVER_MIXING_PLANES_H
#define AN_SOLVER_MIXING_PLANES_H

#include "solver/boundary/mixing.h"

/* The bands of a side of a plane; side 0 is upstream. */
static inline const struct an_band_group *an_mixing_side_of(const struct an_mixing *m, int plane,
                                                            int side)
{
    return &m->bands->group[2 * plane + side];
}

/* Finds the planes of the case and fills *m, which is zeroed. AN_INPUT as of an_mixing_component. Not
 * collective. */
int an_mixing_planes(struct an_solver *s, struct an_mixing *m);
/* Frees what *m owns. */
void an_mixing_planes_free(struct an_solver *s, struct an_mixing *m);

/* The gain of a plane, of so many in the machine; one, other: what the case gives its two sides, 0: nothing. Without
 * either, 0.1 for up to two planes, 0.05 for each of more, at most 0.2. */
double an_mixing_gain(int planes, double one, double other);

/* What a control band sees of a side of a plane, from the sums m->sum. The parts of a band that
 * several control bands hold add up to one, so nothing is lost between them. flux[3] is the moment;
 * radius: mean, m. Not collective. */
struct an_mixing_side an_mixing_gather(const struct an_mixing *m, int plane, int side, int band,
                                       double *radius);

#endif
