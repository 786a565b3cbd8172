/* Nodes of a piece, centres of its cells, windows of its faces. */
#ifndef AN_SOLVER_NODES_H
#define AN_SOLVER_NODES_H

#include "io/mesh.h"
#include "mpi/partition.h"

struct an_solver;

/* Nodes of a piece, 0 <= (i,j,k) <= n, into x[3][nk+1][nj+1][ni+1], m. */
int an_nodes_read(const struct an_mesh *mesh, const struct an_piece *piece, double *x);
/* Nodes lo <= (i,j,k) < hi of a piece of the finest level, counted from the piece's first node, into
 * x[3][hi2-lo2][hi1-lo1][hi0-lo0], m. A rank copies those of its own pieces from memory where the solver keeps them,
 * and reads all others from the mesh. Not collective. */
int an_nodes_box(const struct an_solver *s, int piece, const int lo[3], const int hi[3], double *x);
/* Frees the nodes that the solver keeps. */
void an_nodes_free(struct an_solver *s);
/* A window of a local block of the finest level, in cells of its zone. */
struct an_window an_window_in_zone(const struct an_solver *s, struct an_window w);
/* Centre of cell (i,j,k) of a piece of n cells from its nodes: the mean of eight. */
void an_nodes_centre(const int n[3], const double *x, int i, int j, int k, double centre[3]);

#endif
