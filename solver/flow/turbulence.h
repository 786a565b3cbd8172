/* Turbulence variables (field TURB) and the eddy viscosity MUT they give, on the finest level.
 * Coarse levels see the eddy viscosity only, restricted.
 *
 * One step, after the mean flow's, from W with valid ghosts:
 *
 *     GRAD of W; ghosts of TURB at boundaries
 *     two sweeps: gradients of TURB, residual, implicit along lines, TURB, its ghosts
 *     MUT and its ghosts
 *     SST with transition: the intermittency (intermittency.h)
 *
 * With advection of second order three Runge-Kutta stages take the place of the sweeps: parts of
 * the implicit change are added to the TURB that the step began with.
 *
 * The mixing length has no TURB but its MUT belongs to the state: GRAD of W, then a part of
 * the way to the new MUT.
 *
 * W and TURB (or MUT) of the cells are all there is to a state: a restart goes on with the same
 * bits. Lines are never cut, so the number of ranks changes nothing. All functions are collective,
 * and do nothing without a model unless they say otherwise. */
#ifndef AN_SOLVER_TURBULENCE_H
#define AN_SOLVER_TURBULENCE_H

#include "kernels/engine/model.h"
#include "solver/level/level.h"

/* TURB of the cells from W and the case's values at inflow. */
int an_turbulence_initial(struct an_solver *s);
/* Ghosts of TURB, MUT and its ghosts, from W and TURB of the cells. */
int an_turbulence_refresh(struct an_solver *s);
/* Weight of the time term in the implicit step of a steady march. */
double an_turbulence_time_weight(double cfl);
/* One step, in two parts. The first one changes neither W nor TURB: it finds what the second one needs of the flow,
 * gradients and the friction of walls among it. */
int an_turbulence_begin(struct an_solver *s);
int an_turbulence_advance(struct an_solver *s);
/* Dual time: a physical step begins: the constant part of the derivative in time and the first guess
 * of TURB, from those of steps before; then as an_turbulence_refresh. */
int an_turbulence_guess(struct an_solver *s);
/* Dual time: sums of RT^2 / V as the last sweep began, the derivative in time included. */
int an_turbulence_left(struct an_solver *s, double square[2]);
/* Models without variables: MUT and its ghosts from the state of a level and, but at the start,
 * MUT.
 */
int an_turbulence_algebraic(struct an_solver *s, struct an_level *l, int start);
/* Root mean square over the volume of rho dTURB/dt, per component; NaN for variables that the
 * model does not have. AN_DIVERGED names zone and cell. In two parts, as an_solver_measure; `sums` is the caller's
 * and stays where it is between them; iteration: that of the state measured. */
int an_turbulence_measure_start(struct an_solver *s, struct an_reduction *sums);
int an_turbulence_measure_finish(struct an_solver *s, int64_t iteration, struct an_reduction *sums,
                                 double residual[2]);

#endif
