/* The controller of the CFL number: judges the residual of a steady implicit march by its slope and
 * its scatter over the last iterations, and says which part of the case's CFL number to use.
 *
 * A sample is s = mean of log10 of the norms of the residuals of density, momentum, energy and the
 * first turbulence variable. The samples of the last AN_CONTROL_WINDOWS windows are kept; a window
 * is march.cfl_window iterations. A line is fitted by least squares to the last window:
 *
 *     grows ...... the line rises by AN_CONTROL_GROWS decades or more, by three times its standard
 *                  error, and the last sample lies as far above all samples of the AN_CONTROL_BEFORE windows
 *                  before, so that the rising part of a limit cycle does not count. The CFL number is
 *                  halved
 *     falls ...... the line through the last two windows falls by AN_CONTROL_FALLS decades or more a
 *                  window, by three times its standard error. A number that was halved is doubled
 *     stalled .... over all windows kept the line neither falls nor rises by AN_CONTROL_FLAT decades,
 *                  and the mean of the later half is not AN_CONTROL_FLAT / 2 below that of the earlier.
 *                  A number that was halved is restored at once, because the smaller one did not help.
 *                  Otherwise a sixteenth of the number is tried. The trial helped if s falls by
 *                  AN_CONTROL_HELPS decades; if the residual stalls again before that, the trial is
 *                  undone and not repeated
 *
 * All numbers used are the case's times powers of two, or the least allowed, so that a recording of
 * an iteration is rarely made anew. Samples are forgotten after each change, after a divergence and
 * where a new flow begins. The functions are pure: all ranks get the same answers.
 */
#ifndef AN_SOLVER_CONTROLLER_H
#define AN_SOLVER_CONTROLLER_H

#include <stdint.h>

enum { AN_CONTROL_WINDOWS = 6, AN_CONTROL_BEFORE = 3, AN_CONTROL_INTERVALS = 6 };
enum { AN_CONTROL_SAMPLES = AN_CONTROL_WINDOWS * AN_CONTROL_INTERVALS + 1 };
#define AN_CONTROL_GROWS 0.3
#define AN_CONTROL_FALLS 0.1
#define AN_CONTROL_FLAT  0.2
#define AN_CONTROL_HELPS 0.3

/* A line fitted to evenly spaced samples. */
struct an_line_fit {
    double rise;    /* of the line from the first sample to the last */
    double error;   /* standard error of the rise */
    double scatter; /* root mean square of the distances from the line */
};
/* n > 2 */
struct an_line_fit an_line_fit(int n, const double *sample);

enum an_trial { AN_TRIAL_NONE, AN_TRIAL_RUNS, AN_TRIAL_FAILED };

struct an_control {
    double caution; /* part of the case's CFL number that is used */
    double most;    /* the caution that halvings may be taken back to */
    int raised;     /* the last change took a halving back */
    enum an_trial trial;
    double level; /* of a trial: mean of the samples before it */
    int n;        /* samples kept, and ... */
    double sample[AN_CONTROL_SAMPLES];
};

enum an_control_move {
    AN_CONTROL_STAYS,
    AN_CONTROL_HALVED,   /* the residual grows */
    AN_CONTROL_DOUBLED,  /* it falls again */
    AN_CONTROL_RESTORED, /* the halved number did not help */
    AN_CONTROL_TRIES,    /* stalled: a smaller number is tried */
    AN_CONTROL_UNDONE    /* the trial did not help */
};

/* Nothing is known of the march; it uses `caution`. */
void an_control_forget(struct an_control *c, double caution);
/* Other equations are marched from now on: samples so far, and a trial under way, count no more. */
void an_control_restart(struct an_control *c);
/* 1 during the n iterations that begin with iteration `begin`. */
int an_control_waits(int64_t iteration, int64_t begin, int64_t n);
/* After a divergence: `caution` is used from now on. A caution that halvings were taken back to is not
 * tried again. */
void an_control_diverged(struct an_control *c, double caution);
/* The next sample. window: samples of a window, both ends included, at most AN_CONTROL_INTERVALS + 1;
 * least: smallest caution allowed, 1: the controller never lowers it; may_try: 0 where something
 * else has to be tried first. */
enum an_control_move an_control_note(struct an_control *c, double sample, int window, double least,
                                     int may_try);

#endif
