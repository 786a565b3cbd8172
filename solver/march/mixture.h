/* A mixture: a scalar is the mass fraction Z of the second of two gases, gas.fraction (gas_model.h, struct an_gas_ends).
 *
 * A part of the run. Each cell has Z, limited to 0 to 1, among its words of EOS, on all levels; the flow of an iteration keeps Z.
 * After the step of the scalars:
 *
 *   Z of the scalar goes to the cells of the finest level; pressure, density and velocity stay, the energy follows
 *   (mixture_keep.stencil: a steady state does not depend on this)
 *   ghost cells of Z (mixture_ghost.stencil); coarser levels: means of Z by volume
 *   ghost cells of the state
 *
 * and, in viscous runs, after the step of the turbulence the enthalpy that diffusion of Z carries goes into the source of the energy
 * equation (mixture_heat.stencil), which stands until the end of the next iteration.
 *
 * rho Z and rho E are conserved as in a run with a passive scalar: a steady state balances both through the boundaries. All of
 * this follows from the state: snapshots hold no more than the scalar. */
#ifndef AN_SOLVER_MIXTURE_H
#define AN_SOLVER_MIXTURE_H

#include "solver/level/component.h"

extern const struct an_component_type an_mixture_component;

#endif
