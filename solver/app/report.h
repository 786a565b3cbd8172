/* What a session tells: the head of its output, run.json, and what came out. Not collective. */
#ifndef AN_SOLVER_REPORT_H
#define AN_SOLVER_REPORT_H

#include "solver/app/session.h"

/* Rank 0: case, mesh, ranks, engine and parts of the run. */
void an_session_greet(const struct an_session *r);
/* run.json; rank 0 writes it, the others do nothing. code: the exit code; message: the error text,
 * NULL: none. */
void an_session_info(struct an_session *r, enum an_ending ending, int code, const char *message);
/* Rank 0: what came out. */
void an_session_report(const struct an_session *r, enum an_ending ending);

#endif
