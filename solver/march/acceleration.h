/* Acceleration of a steady march that has stalled: Anderson mixing of its cycles (mixing_weights.h).
 *
 * A march in a limit cycle swings about a steady flow that it never reaches: the change of a cycle
 * stays as large as it is, whatever the CFL number. The mixing finds that flow from the last
 * AN_MIX_PAIRS cycles. It slows a march that converges by itself or creeps, so it is switched on by
 * need only:
 *
 *     watch ...... every AN_ACCEL_SAMPLE cycles the change of a cycle is measured: the mean over
 *                  the components of log10 |f|. Windows of AN_ACCEL_WINDOW cycles follow each other;
 *                  the first begins when the ramp of the CFL number is over
 *     stalled .... the mean of a window lies less than AN_ACCEL_STALLED decades below that of the
 *                  window before, and not more than AN_ACCEL_RISES above it, twice in a row; the
 *                  change is not down to rounding. Means tell a swing, whose slope changes sign
 *                  within a window, from a march that converges
 *     mixing ..... the unknowns are the conserved state and what a turbulence model transports. The
 *                  step is shortened as a whole so that no cell's density or pressure changes by more
 *                  than a fifth
 *     given up ... two windows in a row brought less than AN_ACCEL_GAIN decades: the mixing ends,
 *                  and the CFL number may be lowered (recovery.h); it is tried AN_ACCEL_TRIES times
 *
 * Products are exact sums (mpi/reduce.h), so that the weights are the same bits on any number of
 * ranks. Vectors and windows are part of the state of a run: a restart goes on with the same bits.
 * Memory: 2 AN_MIX_PAIRS + 4 vectors of the unknowns, taken when the mixing begins; where they do
 * not fit, fewer pairs, at least 4.
 */
#ifndef AN_SOLVER_ACCELERATION_H
#define AN_SOLVER_ACCELERATION_H

#include "solver/level/level.h"
#include "solver/level/part.h"
#include "solver/march/mixing_weights.h"

enum { AN_ACCEL_SAMPLE = 5, AN_ACCEL_WINDOW = 50, AN_ACCEL_TRIES = 2 };
enum { AN_ACCEL_SAMPLES = AN_ACCEL_WINDOW / AN_ACCEL_SAMPLE };
#define AN_ACCEL_STALLED 0.15 /* decades a window: an order of magnitude in 330 cycles */
#define AN_ACCEL_RISES   0.5
#define AN_ACCEL_GAIN    0.1

/* What the windows of a march say: pure arithmetic, the same on all ranks. */
struct an_accel_watch {
    int on;         /* the cycles are mixed */
    int tries;      /* times the mixing was given up */
    int flat, poor; /* windows in a row that are flat; that the mixing gained nothing in */
    int n;          /* samples of the window so far */
    double sample[AN_ACCEL_SAMPLES];
    double before; /* mean of the window before; NaN: none */
};

enum an_accel_verdict { AN_ACCEL_GOES_ON, AN_ACCEL_BEGINS, AN_ACCEL_ENDS };

void an_accel_watch_reset(struct an_accel_watch *w);
/* One sample more. rounding: the change is as small as the precision allows. */
enum an_accel_verdict an_accel_watch_note(struct an_accel_watch *w, double sample, int rounding);

/* The part of implicit steady runs that mixes cycles. */
extern const struct an_part_type an_accel_part;
/* Has the mixing been tried and given up, or is it not wanted? Then the CFL number is what is left
 * to lower. */
int an_accel_exhausted(const struct an_solver *s);
/* Are the cycles mixed at present? */
int an_accel_mixes(const struct an_solver *s);
/* The flow is another one from here on: windows and vectors are forgotten. */
void an_accel_forget(struct an_solver *s);
/* What happened since the last call, in words; 0: nothing. */
int an_accel_news(struct an_solver *s, char *text, size_t size);

#endif
