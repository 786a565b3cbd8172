/* Slow oscillations of a steady march are damped (selective frequency damping; Akervik and others,
 * Phys. Fluids 18, 2006): in each iteration, after the flow's cycle and before the turbulence,
 *
 *     D = W - Y;   W = W - damping D;   Y = Y + D / window
 *
 * Y is a running mean of W over `window` iterations. Where the march rests, W = Y, nothing changes:
 * the solution is the same. What swings with omega per iteration loses about
 * damping / (1 + 1 / (omega window)^2) of itself in each; what creeps does so more slowly than
 * before. The mean begins march.damping_start iterations after the ramp began (recovery.h) and is
 * part of the state: a restart has it. It lies in field Y, which the scree scheme uses otherwise.
 */
#ifndef AN_SOLVER_DAMPING_H
#define AN_SOLVER_DAMPING_H

#include "solver/level/solver.h"

enum an_damping_phase { AN_DAMPING_WAITS, AN_DAMPING_BEGINS, AN_DAMPING_ON };

/* Does this case damp? */
int an_damping_wanted(const struct an_case *c);
/* What it needs beside field Y. Not collective. */
int an_damping_new(struct an_solver *s);
void an_damping_destroy(struct an_solver *s);
/* What the next iteration does: once, before it. What follows can be recorded (replay.h): it
 * changes nothing of the host. */
void an_damping_look(struct an_solver *s);
/* Collective. */
int an_damping_step(struct an_solver *s);

#endif
