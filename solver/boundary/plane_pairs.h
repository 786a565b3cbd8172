/* Which boundaries are the two sides of a mixing or sliding plane or of an abutting interface. */
#ifndef AN_SOLVER_PLANE_PAIRS_H
#define AN_SOLVER_PLANE_PAIRS_H

#include "bc/boundary_value.h"
#include "io/case.h"

/* The other side of a plane, as the case or else the mesh names it; -1: there is none. */
int an_plane_partner(const struct an_case *c, const struct an_topology *t, int boundary);
/* Faults of the case's planes against the mesh: sides that miss or do not name each other, or are
 * of different types. */
void an_plane_pairs(const struct an_case *c, const struct an_topology *t,
                    const struct an_bc_value *value, struct an_diag *diag);

#endif
