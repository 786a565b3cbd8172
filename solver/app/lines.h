/* The lines of the table: measurements of a session's flow and what is read from them.
 *
 * All functions are collective unless they say otherwise.
 */
#ifndef AN_SOLVER_LINES_H
#define AN_SOLVER_LINES_H

#include "solver/app/session.h"

/* Issues a measurement of the present state, and notes what it is of. Steps may follow before the
 * results are taken; the first of them uses the residual of the measurement. */
int an_line_start(struct an_session *r);
/* Takes the results of the measurement under way into r->line. AN_DIVERGED where the flow has diverged. */
int an_line_take(struct an_session *r);
/* Adds r->line to the table and to history.csv, and tells stop rules and recovery of it. */
int an_line_finish(struct an_session *r);
/* Measures the present state into r->line, without a line in the table; and with one. */
int an_line_measure(struct an_session *r);
int an_line_record(struct an_session *r);
/* Tells the controller of the CFL number (recovery.h) of the residuals of r->line, and prints what it
 * does and why. Not collective. */
void an_line_control(struct an_session *r);
/* Are all the convergence rules of the case that are switched on fulfilled? Not collective. */
int an_line_converged(const struct an_session *r);
/* The part of the mass flow of r->line that is gained or lost between inlets and outlets. NaN where this is not known: nothing
 * flows in; a far field passes both ways at once, so that only a small difference is known; or mixing planes join rows of
 * other pitches whose annuli are not known. Not collective. */
double an_line_lost(const struct an_session *r);
/* The iteration that the march will end with: `last`, or the one that reaches march.end_time where steps
 * in time go on as they were. Not collective. */
int64_t an_line_last(const struct an_session *r, int64_t last);
/* The CFL number that the march may reach from now on. Not collective. */
double an_line_cfl(const struct an_session *r);

#endif
