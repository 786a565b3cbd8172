/* The part of gradients by nodes that comes by the wall distances d of the turbulence model:
 *
 *     dF/dx += sum over cells of (dF/dd|_Q - lambda^T dR/dd) dd/dx
 *
 * A distance is that of the mean of the eight nodes of a cell from the nearest point of the nearest wall face
 * (solver/flow/wall_distance.h); its change with both is that of this distance alone, since a nearest point moves along
 * the wall to first order. */
#ifndef AN_ADJOINT_DISTANCES_H
#define AN_ADJOINT_DISTANCES_H

#include "solver/adjoint/adjoint.h"

/* Adds to gradient[nfigure * nlocal] as an_adjoint_nodes has it. Collective. */
int an_adjoint_distances(struct an_adjoint *a, double **gradient);

#endif
