/* Requests to stop from outside: SIGTERM, SIGUSR1, SIGINT, a file STOP in the output folder. */
#ifndef AN_SOLVER_SIGNALS_H
#define AN_SOLVER_SIGNALS_H

void an_signals_catch(void);
/* Why this rank was asked to stop, or NULL. Not collective. */
const char *an_signals_stop(void);

#endif
