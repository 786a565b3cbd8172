/* What the command init finds out about rows that follow each other. */
#ifndef AN_SOLVER_INIT_PLANES_H
#define AN_SOLVER_INIT_PLANES_H

#include "io/mesh.h"

/* The inlet of another row that lies where an outlet lies, or the other way round, or two boundaries of which neither type nor name
 * is known: x and r of both reach from and to the
 * same places, within 1 % of the boundary's size. -1: there is none. types: of each boundary, owned by the caller; rows:
 * as an_mesh_rows gives them. AN_INPUT when the coordinates cannot be read. Not collective. */
int an_init_partner(const struct an_mesh *m, const int *rows, const enum an_bc_type *types,
                    int boundary, int *partner);

/* The rows in the order of the flow: order [nblock] takes the first zones of the rows, and the function returns how many
 * rows there are. The order begins with the rows that have an inlet, and goes on through the planes to the next rows. Rows
 * that no plane reaches follow in the order of the mesh. partners: of each boundary, as an_init_partner gives it; planes
 * of the mesh itself count, too. types, rows: as above. Not collective. */
int an_init_order(const struct an_topology *t, const int *rows, const enum an_bc_type *types,
                  const int *partners, int *order);

/* The row, as its first zone, that a boundary bounds; -1: the boundary has no faces. */
int an_init_row_of(const struct an_topology *t, const int *rows, int boundary);

/* Passages of the row whose first zone is `row` that the mesh holds: passage_copy calls the zones of the n-th passage
 * NAME_pn. */
int an_init_passages(const struct an_topology *t, const int *rows, int row);

#endif
