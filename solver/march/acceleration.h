/* Acceleration of a steady march that has stalled: Anderson mixing of its cycles (mixing_weights.h).
 *
 * A march in a limit cycle swings about a steady flow that it never reaches: the change of a cycle
 * stays as large as it is, whatever the CFL number. The mixing finds that flow from the last
 * AN_MIX_CYCLES cycles. It slows a march that converges by itself, so it begins only where the march
 * has stalled, and ends where it gains nothing (acceleration_watch.h). The watch begins 20 cycles
 * after the ramp of the CFL number. Every second cycle is mixed: plain cycles between bring directions
 * that the mixing by itself does not find (Pratapa, Suryanarayana and Pask, J. Comput. Phys. 306, 2016).
 *
 * The unknowns that are mixed are the conserved state and what a turbulence model transports. What
 * else belongs to the iteration (targets of mixing planes, pressures of controlled outlets, means of
 * non-reflecting inlets, coolant) follows the flow as without mixing.
 *
 * A cycle with another CFL number is another iteration: the cycles kept are forgotten. Cycles and
 * samples are part of the state of a run: a restart goes on with the same bits. Memory, taken while
 * cycles are mixed: two vectors of the unknowns for each cycle, and two more; where these do not fit,
 * fewer cycles, but at least 8.
 *
 * A flow that settled while its cycles were mixed may be one that plain cycles leave, because the march is
 * unstable there by itself. The snapshot of a settled flow leaves the cycles out, which makes it a tenth
 * as large, but its record says that they were mixed: a march that begins from it mixes from its first cycle
 * on, with no earlier cycles, and judges the mixing by the level at which it began in the earlier run.
 */
#ifndef AN_SOLVER_ACCELERATION_H
#define AN_SOLVER_ACCELERATION_H

#include "solver/level/component.h"
#include "solver/level/level.h"

/* The part of steady runs that mixes cycles. */
extern const struct an_component_type an_accel_component;
/* Has the mixing been tried and given up, or is it not wanted? Then the CFL number is what is left
 * to lower. */
int an_accel_exhausted(const struct an_solver *s);
/* Was the mixing tried as often as it is tried, and given up each time? */
int an_accel_given_up(const struct an_solver *s);
/* Are the cycles mixed at present? */
int an_accel_mixes(const struct an_solver *s);
/* Were cycles mixed within so many last iterations, while the change of a cycle was larger than the rounding of
 * the precision? */
int an_accel_holds(const struct an_solver *s, int iterations);
/* The flow is another one from here on: samples and cycles are forgotten. */
void an_accel_forget(struct an_solver *s);
/* The flow gets another setting, as at the next point of a map: its cycles are mixed from the first one on where it settled
 * while they were mixed, otherwise as soon as the march leaves the flow that it begins near (acceleration_watch.h: armed). */
void an_accel_rearm(struct an_solver *s);
/* The march ends here with a settled flow: the cycles are let go of. If they were mixed, a march from here on
 * mixes from its first cycle. */
void an_accel_release(struct an_solver *s);
/* What happened since the last call, in words; 0: nothing. */
int an_accel_news(struct an_solver *s, char *text, size_t size);

#endif
