/* Gradients of figures by all nodes of the mesh.
 *
 *     dF/dx = dF/dx|_Q - lambda^T dR/dx|_Q
 *
 * Nodes of one colour are moved at a time, the metrics are found anew by the code that the set-up uses, and what each
 * cell finds belongs to the one moved node that is near it. Wall distances have a part of their own: dF/dd of each cell
 * by differences, times the change of its distance with the nodes of the cell and of its nearest wall face.
 *
 * A node on an interface stands in both zones, and in both it has a gradient: that of the figure where this copy alone
 * moves. A figure changes by the sum over all copies of gradient times displacement. Values of boundaries stay with
 * their faces. */
#ifndef AN_ADJOINT_NODES_H
#define AN_ADJOINT_NODES_H

#include "solver/adjoint/adjoint.h"

/* After an_adjoint_solve. mesh: that of the solver. gradient[nfigure * nlocal]: of figure f and local block b
 * gradient[f * nlocal + b][3][nk + 1][nj + 1][ni + 1], figure per metre; malloc'ed, the caller's, as is the array. */
int an_adjoint_nodes(struct an_adjoint *a, struct an_mesh *mesh, double ***gradient);
void an_adjoint_nodes_free(const struct an_adjoint *a, double **gradient);

#endif
