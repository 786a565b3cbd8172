/* Files of an adjoint in the output folder of the run; they open in ParaView. FIGURE: the name of the figure.
 *
 *   adjoint_FIGURE_NNNNNNNN.cgns   the state and lambda of each cell, as snapshots have fields: AdjointDensity, ...
 *   nodes_FIGURE.cgns              at the nodes: GradientX, GradientY, GradientZ, figure per metre
 *
 * lambda is the change of the figure per unit of a source in the cell: kg/s, N, W and, for nu tilde, kg m2/s2. The record of the
 * file has lambda of the targets (targets.h) in an array, and a warning where GMRES had not reached its tolerance. */
#ifndef AN_ADJOINT_FILES_H
#define AN_ADJOINT_FILES_H

#include "solver/adjoint/adjoint.h"

/* After an_adjoint_solve, also where GMRES did not converge. path[1024]. Collective. */
int an_adjoint_write(const struct an_adjoint *a, int figure, char *path);
/* Before an_adjoint_solve: lambda of the figure from its file in the output folder, where GMRES begins then: that of the iteration
 * of the flow, or else the newest. path[1024]: the file; "" where there is none. AN_INPUT where the file is of another mesh or model, or
 * damaged: lambda is zero then, as without a file. Collective. */
int an_adjoint_read(struct an_adjoint *a, int figure, char *path);
/* gradient: as an_adjoint_nodes has it. path[1024]. Collective. */
int an_adjoint_write_nodes(const struct an_adjoint *a, double *const *gradient, int figure,
                           char *path);

#endif
