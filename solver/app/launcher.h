/* Launchers of MPI programs: what they tell a process by variables of its environment, and the start of MPI. */
#ifndef AN_SOLVER_LAUNCHER_H
#define AN_SOLVER_LAUNCHER_H

/* Does this process speak for the job where MPI does not run? 1 without a launcher. To be called first before
 * an_launcher_start. */
int an_launcher_is_first(void);

/* Starts MPI. A process without a launcher gets a session folder of its own, so that runs that start side by side do
 * not meet. AN_INPUT where a launcher has started several processes of which MPI knows one only: each of them would run
 * the whole case, in one folder. AN_FAIL where MPI does not start. To be called once; MPI_Finalize is the caller's,
 * except after AN_FAIL. */
int an_launcher_start(void);

#endif
