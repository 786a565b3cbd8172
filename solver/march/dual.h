/* Dual time: implicit physical steps of second order in time, each solved by inner iterations.
 *
 * A step finds the state W at t + dt for which
 *
 *     R*(W) = R(W) + V/dt [c0 (W - W^n) + a1 (W^n - W^(n-1)) + a2 (W^(n-1) - W^(n-2))] = 0
 *
 *                               c0          a1            a2     first guess: W^n +
 *     first step (BDF1)         1           0             0      0
 *     BDF2                      3/2         -1/2          0      W^n - W^(n-1)
 *     part b of BDF3 in BDF2    3/2 + b/3   -1/2 - 2b/3   b/3    2 (W^n - W^(n-1)) - (W^(n-1) - W^(n-2))
 *
 * with b = 0.48: of second order with 0.52 of BDF2's error, and A-stable (Vatsa, Carpenter and
 * Lockard, AIAA 2010-0122). After a step of another length, such as the last one before
 * march.end_time, BDF2 for unequal steps takes over.
 *
 * An inner iteration is a cycle of the steady march whose stages have the time term (multigrid.c),
 * a step of the turbulence with its own time term, and the new residual. Their number is given, or
 * follows from the error of the time step: the error of the first guess is the change that the inner
 * iterations have to make, and the error of the step is about a tenth of that with the blend, a
 * fifth with BDF2 (Milne's estimate). So they go on until R* has fallen to inner_tolerance times that
 * part of R* of the guess, in density, momentum and energy, or to what rounding leaves of it, or until
 * it falls no more. Residuals are looked at in the first iteration and from the one before the last of
 * the step before on, because each look waits for the device. Where the number is given, R* is looked at before the
 * first iteration, after it and after the last, and steps whose error is larger than that are counted.
 *
 * Two earlier states, the length of the last step and the number of its iterations are part of a
 * snapshot, so that a restart goes on with the same bits. A run from a snapshot of another march
 * begins with BDF1.
 */
#ifndef AN_SOLVER_DUAL_H
#define AN_SOLVER_DUAL_H

#include <stddef.h>
#include <stdint.h>

struct an_solver;
struct an_component_type;

/* The part of a dual march. */
extern const struct an_component_type an_dual_component;
/* The fields OLD, OLDER, TOLD and TOLDER hold the states of one and two steps of dt before: the next
 * step of dt is of full order. For runs that know them. Not collective. */
void an_dual_knows(struct an_solver *s, double dt);
/* One physical step; `limit` as in an_solver_step. Collective. */
int an_dual_step(struct an_solver *s, double limit);

/* What the last step did. */
struct an_dual_report {
    int iterations;     /* inner ones */
    double drop;        /* R* over that of the first guess: the worst equation */
    double wanted;      /* below which the drop should be */
    int64_t steps, sum; /* of this run: steps, inner iterations */
    int64_t missed;     /* steps of full order that ended above `wanted` */
    double worst; /* largest error that a step of full order left, over that of the step itself */
};
/* 0: the run is no dual march. Not collective. */
int an_dual_report_of(const struct an_solver *s, struct an_dual_report *r);
/* Did inner iterations, of a given number or at their limit, leave too large an error in more than one of twenty steps?
 * text[size]: how many, and how large an error. Not collective. */
int an_dual_misses(const struct an_solver *s, char *text, size_t size);

#endif
