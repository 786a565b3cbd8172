/* What the command init finds out about rows that follow each other. */
#ifndef AN_SOLVER_INIT_PLANES_H
#define AN_SOLVER_INIT_PLANES_H

#include "io/mesh.h"

/* The inlet of another row that lies where an outlet lies, or the other way round: x and r of both reach from and to the
 * same places, within 1 % of the boundary's size. -1: there is none. types: of each boundary, owned by the caller; rows:
 * as an_mesh_rows gives them. AN_INPUT when the coordinates cannot be read. Not collective. */
int an_init_partner(const struct an_mesh *m, const int *rows, const enum an_bc_type *types,
                    int boundary, int *partner);

/* Passages of the row whose first zone is `row` that the mesh holds: passage_copy calls the zones of the n-th passage
 * NAME_pn. */
int an_init_passages(const struct an_topology *t, const int *rows, int row);

#endif
