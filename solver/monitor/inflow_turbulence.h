/* Turbulence of SST that is to be expected at the first leading edge: what flows in, by the law of decay in a uniform
 * stream with the speed and viscosity of `initial` (an_model_decay). */
#ifndef AN_SOLVER_INFLOW_TURBULENCE_H
#define AN_SOLVER_INFLOW_TURBULENCE_H

/* The part of a run with sst where a viscous wall begins behind an inlet; it prints a line at the head of the run. */
extern const struct an_component_type an_inflow_turbulence_component;

#endif
