/* Passive scalars: quantities Y that the flow carries along and diffuses and does not feel.
 *
 *   d(rho Y)/dt + div(rho u Y) = div((mu / Sc + mu_t / Sc_t) grad Y)
 *
 * A part of the run (level/part.h), on the finest level. After each step of the flow, for each scalar,
 * three Runge-Kutta stages of 1/3, 1/2 and 1 of
 *
 *   mass fluxes of the flow's own scheme into FLUX;  ghost cells of Y, gradients, residual (second order)
 *   steady:   the change is implicit along lines, as that of turbulence variables (turbulence.h)
 *   unsteady: explicit, with the mass fluxes of the flow's last stage: rho Y is conserved to rounding.
 *             Diffusion of a Schmidt number far below the Prandtl number needs shorter time steps
 *
 * A steady state conserves Y as well as it conserves mass. Y of the cells is all there is to a state:
 * snapshots hold it under the scalar's name, and restarts and numbers of ranks change no bit.
 *
 * With each measurement scalars.csv, in the output folder, gets a line: the iteration and, for each
 * scalar, its mass-averaged value over the boundaries through which flow enters in sum, and over those
 * through which it leaves. A restart goes on in that file, without the lines of
 * later iterations.
 *
 * Mixing planes, cooling and bleed do not know of scalars: such a run is refused.
 *
 * A scalar may be the mass fraction of a mixture, which the flow feels: solver/march/mixture.h. */
#ifndef AN_SOLVER_SCALARS_H
#define AN_SOLVER_SCALARS_H

#include "solver/level/component.h"

extern const struct an_component_type an_scalars_component;

/* What stencils of scalar n see: it stands for TURB, its Schmidt numbers for the Prandtl numbers; GRADT lies in memory of
 * the stages. */
void an_scalar_view(const struct an_solver *s, int n, struct an_fields *f, struct an_params *q);
/* Fills the ghost cells of scalar n and, in viscous runs, finds its gradients, ghost cells included, for
 * an_scalar_view. Collective. */
int an_scalar_refresh(struct an_solver *s, int n);

#endif
