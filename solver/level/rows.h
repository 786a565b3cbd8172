/* Blade rows: which zones turn, and how often the meshed part of each fits into the annulus. */
#ifndef AN_SOLVER_ROWS_H
#define AN_SOLVER_ROWS_H

#include "io/case.h"
#include "io/mesh.h"

struct an_solver;

/* How each zone turns, rad/s, by the case's rows, else by the mesh; faults (what is in no row or in
 * two, pitch, walls, interfaces between rows) go to diag. *omega: malloc'ed, the caller's; NULL:
 * nothing turns.
 */
int an_solver_rows(const struct an_case *c, const struct an_mesh *mesh, double **omega,
                   struct an_diag *diag);

/* The case's row of each zone, -1: none. */
void an_solver_zone_rows(const struct an_case *c, const struct an_topology *t, int *row);

/* How often what is meshed around each zone fits into the annulus: of its row, or of the zones it
 * is joined to one to one, by the rotation of periodic interfaces; 1 without any. 7.2 where 5 of 36
 * passages are meshed. sectors[nblock]. Not collective. */
int an_solver_sectors(const struct an_case *c, const struct an_topology *t, double *sectors);

/* *typed: t with the types and other sides that the case gives to its boundaries. Only the array of
 * boundaries is a copy: free typed->boundary. */
int an_topology_of_case(const struct an_case *c, const struct an_topology *t,
                        struct an_topology *typed);
/* How fast the zones of a boundary turn, rad/s. Not collective. */
double an_boundary_omega(const struct an_solver *s, int boundary);

/* Does a row or a wall turn or move, so that work is done on the gas? Without it there is no
 * efficiency. Not collective. */
int an_solver_is_rotating(const struct an_solver *s);

#endif
