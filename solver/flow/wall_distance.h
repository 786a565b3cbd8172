/* Distance of cell centres to the nearest wall, exact to the facets of the wall.
 *
 * Walls are the patches whose boundary is AN_BC_WALL_VISCOUS, on all ranks; in inviscid flow, which
 * has none of these, the patches whose boundary is AN_BC_WALL_SLIP. A wall face is two
 * triangles on either side of its shorter diagonal (of diagonals alike, the one from the face's
 * first corner); faces without area are no walls. Triangles come from the nodes of the mesh and are
 * numbered by zone, face and cell, so that the distance is the same, bit for bit, on any number of
 * ranks. A copy of the whole surface is on every rank while distances are found.
 *
 * Periodicity: zones that interfaces join make a part. The walls of a part are seen under all
 * products g1^k1 g2^k2 ... of its distinct periodic transformations with |ki| <= Ki, where
 *   Ki = floor(E / L + 1/2),  L: length or angle of the period, E: the mesh's extent along it.
 * That is all of them that can be nearest: of the images of one point under a translation (a
 * rotation) the nearest to another point is within half a period along it. For a domain that is
 * one period long Ki = 1; for one that runs obliquely, more.
 *
 * The search: kernels/physics/wall_tree.h. Source of the two-level idea: Wald et al. 2003,
 * "Distributed interactive ray tracing of dynamic scenes".
 */
#ifndef AN_SOLVER_WALL_DISTANCE_H
#define AN_SOLVER_WALL_DISTANCE_H

#include "solver/flow/wall_surface.h"
#include "solver/level/level.h"

/* Fills WD of the interior cells of the finest level (m, the run's precision; ghosts are left
 * alone) from its nodes X; both are allocated by the caller. WD is AN_WALL_NONE = 1e30 everywhere
 * when there is no such wall. Where there is a
 * field AWAY: that, too. *nfacet (or NULL): triangles of the surface, images not counted; as it was where the distances are those of
 * s->like.
 * Collective over the solver's communicator, complete on return. AN_FAIL: memory, MPI, engine;
 * AN_INPUT: nodes. */
int an_wall_distance(struct an_solver *s, int *nfacet);

/* Where a wall face is: its zone, 2 dir + side, and its cell along the two directions that follow
 * dir cyclically. The compare function, for qsort, orders all records that begin with a place. */
struct an_wall_place {
    int32_t zone, side, a, b;
};
int an_wall_place_compare(const void *a, const void *b);

/* ---- parts, for wall_nearest.c and for tests ---- */

/* The triangles a, b, c of the quadrilateral of corners q[4][3], in order around it; their number:
 * 0 without area, 2 of a plane one, 4 around the mean of the corners of a warped one: the centres
 * of cells stand above that mean, and cells on a twisted blade are far thinner than its faces are
 * warped. */
int an_wall_split(const double q[4][3], double facet[4][9]);

/* The whole surface as the array of kernels/physics/wall_tree.h: *tree is malloc'ed, owned by the
 * caller, *length doubles. face: NULL, or where to put the number of the wall face, in the order of
 * an_wall_place_compare, of each facet of the tree; malloc'ed, owned by the caller. Collective. */
int an_wall_gather(const struct an_solver *s, int *nfacet, int64_t *length, double **tree,
                   int32_t **face);

#endif
