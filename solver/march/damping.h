/* Slow oscillations of a steady march are damped (selective frequency damping; Akervik and others,
 * Phys. Fluids 18, 2006): in each iteration, after the flow's cycle and before the turbulence,
 *
 *     D = W - Y;   W = W - damping D;   Y = Y + D / window
 *
 * Y is a running mean of W over `window` iterations. A converged flow has W = Y, so the damping
 * does not change the solution. An oscillation of omega radians per iteration loses the fraction
 * damping / (1 + 1 / (omega window)^2) of its amplitude in each iteration; slow drifts become
 * slower. The mean begins march.damping_start iterations after the ramp began (recovery.h). It
 * belongs to the state: snapshots hold it. It lies in field Y, which otherwise belongs to the
 * scree scheme.
 */
#ifndef AN_SOLVER_DAMPING_H
#define AN_SOLVER_DAMPING_H

#include "io/case.h"

struct an_solver;
struct an_component_type;

/* The part of a run that damps. */
extern const struct an_component_type an_damping_component;
/* The mean begins anew. Not collective. */
void an_damping_forget(struct an_solver *s);

#endif
