/* The nearest wall face of each cell: whose friction makes the y+ of the cell, and whose roughness acts there.
 *
 * Faces are numbered over the whole mesh in the order of an_wall_place_compare. The search is that
 * of wall_distance.h, on the host, once at the start of a run; the result does not depend on the
 * number of ranks. */
#ifndef AN_SOLVER_WALL_NEAREST_H
#define AN_SOLVER_WALL_NEAREST_H

#include <stdint.h>

struct an_solver;
struct an_component_type;

/* The part of a viscous run whose snapshots hold y+, or that has rough walls. */
extern const struct an_component_type an_wall_nearest_component;

/* The face number of the cells [nk][nj][ni] of local block b of the finest level, -1 where the mesh
 * has no viscous wall; NULL: the run does not have the part. Not collective. */
const int32_t *an_wall_nearest_of(const struct an_solver *s, int b);

#endif
