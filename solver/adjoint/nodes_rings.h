/* The part of gradients by nodes that comes by rings: which control bands of a mixing plane a face takes its values of, along
 * which axes, and how control bands are put together; where along the span of an outlet a face stands, and how the pressure
 * rises from band to band. All of these follow from the nodes of the boundary alone.
 *
 *     dF/dx += sum over faces of dF/dv dv/dx - mu^T dG/dx|_S
 *
 * with v the values of a face for given targets. dF/dv is found by differences of the residual, v and G by setting up the
 * rings of a mesh with one node moved.
 *
 * The ends of the span are the nodes of least and greatest radius, which share it, all of a ring. Where one of them moves alone
 * the span stays; where they move together it follows, and each counts for its part. */
#ifndef AN_ADJOINT_NODES_RINGS_H
#define AN_ADJOINT_NODES_RINGS_H

#include "solver/adjoint/adjoint.h"

/* Adds to gradient[nfigure * nlocal] as an_adjoint_nodes has it. mesh->moved[zones]: the nodes as they are, which the
 * function moves and puts back. Metrics are those of these nodes. Collective. */
int an_adjoint_ring_nodes(struct an_adjoint *a, double *const *moved, double **gradient);

#endif
