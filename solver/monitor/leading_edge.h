/* Cells at sharp leading edges: where a viscous wall begins behind a symmetry plane or a slip wall on the same
 * surface of the mesh, as a flat plate does.
 *
 *        flow ->        | L |
 *     __________________|___|____
 *      symmetry plane   |   viscous wall
 *
 * The wall distance in the cell ahead of the edge is half of that cell's length, whatever its height, so that
 * models of transition take a long cell for a thick boundary layer.
 */
#ifndef AN_SOLVER_LEADING_EDGE_H
#define AN_SOLVER_LEADING_EDGE_H

struct an_solver;

/* Longest of the cells ahead of and behind sharp leading edges, along a unit vector (the direction of the flow), m, and
 * the wall that begins there; 0 and -1: there is no such edge. Collective. */
int an_leading_cell_find(const struct an_solver *s, const double flow[3], double *length,
                         int *boundary);

/* Distance along a unit vector (the direction of the flow), m, from where flow enters the mesh to the first viscous
 * wall that begins within the mesh, and that wall; 0 and -1: there is none, or it begins at the inlet. Collective. */
int an_leading_edge_distance(const struct an_solver *s, const double flow[3], double *distance,
                             int *boundary);

#endif
