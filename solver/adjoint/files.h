/* Files of an adjoint in the output folder of the run; they open in ParaView. FIGURE: the name of the figure.
 *
 *   adjoint_FIGURE_NNNNNNNN.cgns   the state and lambda of each cell, as snapshots have fields: AdjointDensity, ...
 *   nodes_FIGURE.cgns              at the nodes: GradientX, GradientY, GradientZ, figure per metre
 *
 * lambda is the change of the figure per unit of a source in the cell: kg/s, N, W and, for nu tilde, kg m2/s2. */
#ifndef AN_ADJOINT_FILES_H
#define AN_ADJOINT_FILES_H

#include "solver/adjoint/adjoint.h"

/* After an_adjoint_solve. path[1024]. Collective. */
int an_adjoint_write(const struct an_adjoint *a, int figure, char *path);
/* gradient: as an_adjoint_nodes has it. path[1024]. Collective. */
int an_adjoint_write_nodes(const struct an_adjoint *a, double *const *gradient, int figure,
                           char *path);

#endif
