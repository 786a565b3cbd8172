/* Requests to stop that come as signals: SIGTERM, SIGUSR1, SIGINT. The files STOP and SNAPSHOT in the
 * output folder are looked for in solver/app/session.c. */
#ifndef AN_SOLVER_SIGNALS_H
#define AN_SOLVER_SIGNALS_H

void an_signals_catch(void);
/* The signal that asked this rank to stop, or 0. Not collective. */
int an_signals_stop(void);
const char *an_signals_name(int number);

#endif
