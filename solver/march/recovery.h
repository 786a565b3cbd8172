/* Recovery of a steady implicit march: after a divergence it goes back to an earlier state and
 * uses a smaller CFL number; the controller (controller.h) follows the residual.
 *
 *     keep ......... copies the present state to the host every AN_RECOVERY_EVERY iterations,
 *                    beside the one kept before
 *     back ......... after a divergence: restores the older of both states, halves the CFL number
 *                    (but not below that of the first iteration; without a ramp, not below
 *                    march.cfl_min) and begins a new ramp; the number
 *                    of iterations goes on, so that history.csv does not go back
 *     leaves ....... tells a march that leaves a flow it had nearly settled: within AN_RECOVERY_EVERY
 *                    iterations the density residual has grown AN_LEAVING_TIMES-fold from below AN_LEAVING_BELOW of its
 *                    largest value. No flow does that by
 *                    itself, because a march with local time steps follows no physical growth so fast.
 *                    The caller goes back, as after a divergence. The older state is from before
 *                    the growth. Where march.cfl_finest limits the CFL number, `back` lifts this
 *                    limit and keeps the CFL number, because in cells whose aspect ratio is about a thousand
 *                    times the limit, two levels and more amplify errors near the end of a wall
 *     begin ........ a new flow begins (a point of a map): forgets the states kept, doubles the CFL
 *                    number again, up to that of the case, and begins the last quarter of the ramp
 *     note ......... gives the residuals of an iteration to the controller, which lowers the
 *                    CFL number, but never below march.cfl_min, and raises it again
 *
 * At least three samples to a window are taken, between lines of the table if these are farther
 * apart. The ramp and 20 iterations after it do not count, nor does a residual that is down to
 * rounding, nor what is found while cycles are mixed (acceleration.h). With march.cfl_min: 0 the controller
 * only takes back what a divergence has halved. A new CFL number holds for iterations after that of
 * the sample, because one step may be under way when a line is read.
 *
 * The older state is restored because a divergence has grown for a while, and the newer state may
 * contain it already. After AN_RECOVERIES attempts the run has failed. The CFL number and the ramp
 * are part of a snapshot's record. The states kept are not, so a restart that diverges goes back
 * to where it started.
 */
#ifndef AN_SOLVER_RECOVERY_H
#define AN_SOLVER_RECOVERY_H

#include "solver/march/controller.h"

#include <stdint.h>

struct an_solver;
struct an_component_type;

enum { AN_RECOVERIES = 4, AN_RECOVERY_EVERY = 50 };
#define AN_LEAVING_BELOW 1e-3
#define AN_LEAVING_TIMES 1e3

/* The part of a steady implicit run. */
extern const struct an_component_type an_recovery_component;
/* Iterations since a steady implicit march, or its ramp of the CFL number, began; -1 in other runs. Not
 * collective. */
int64_t an_recovery_since(const struct an_solver *s, int64_t iteration);
/* The functions below are collective and do nothing in other runs.
 *
 * Keeps the state if that is due. */
int an_recovery_keep(struct an_solver *s);
/* After AN_DIVERGED, or (left: 1) where the march leaves a nearly settled flow: *back is 1 where a state was restored, 0 where there is none to go back to. */
int an_recovery_back(struct an_solver *s, int left, int *back);
/* A march that leaves a flow it had nearly settled. */
struct an_leaving {
    double times;   /* the residual over its least value of the last iterations */
    int64_t passed; /* iterations since then */
};
/* The next residual of the density; drop: over the largest one so far. 1: the march leaves the flow; *leaving is filled.
 * Not collective, but called with the same figures on all ranks. */
int an_recovery_leaves(struct an_solver *s, int64_t iteration, double residual, double drop,
                       struct an_leaving *leaving);
/* ramp: 1: another setting of a settled flow begins here: the last quarter of the ramp of the CFL number. */
void an_recovery_begin(struct an_solver *s, int ramp);
/* Does the controller want the residuals of the present iteration, whether the table has a line or
 * not? Not collective. */
int an_recovery_looks(const struct an_solver *s);
/* residual, turbulence: norms; drop: that of the density over the largest one so far. Returns what
 * the controller did. Not collective, but called with the same figures on all ranks. */
enum an_control_move an_recovery_note(struct an_solver *s, int64_t iteration,
                                      const double residual[5], double turbulence, double drop);

#endif
