/* Detached-eddy simulation on Spalart-Allmaras (kernels/physics/des.h), on the finest level.
 *
 * Field SIZE is found with the wall distance, once. Field DES follows from W, its gradients GRAD, TURB and
 * SIZE of the cells: the residual of the model reads it. With the flux `matrix` the residual of the flow reads
 * it, too, and the first ghost cells behind interfaces have values; those behind boundaries are zero. All
 * functions are collective. */
#ifndef AN_SOLVER_DES_H
#define AN_SOLVER_DES_H

#include "solver/level/level.h"

/* DES from the present W, GRAD and TURB; does nothing in runs without turbulence.des. */
int an_des_refresh(struct an_solver *s);
/* Does an_des_dissipation anything on this level? */
int an_des_has_dissipation(const struct an_solver *s, const struct an_level *l);
/* Takes a part of the matrix dissipation of `state` off R of the level again, where turbulence is resolved
 * (des_dissipation.stencil). Does nothing with other fluxes and on coarse levels. */
int an_des_dissipation(struct an_solver *s, struct an_level *l, void *state);
/* Part of the cells that lie farther from walls than they are long and that a flow of this speed, m/s, crosses in
 * less than the time `step`, s; 0 where there is no such cell. The same on all ranks. */
int an_des_fast_cells(struct an_solver *s, double speed, double step, double *part);

#endif
