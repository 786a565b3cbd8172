/* How threads of OpenMP wait for each other. */
#ifndef AN_SOLVER_WAITS_H
#define AN_SOLVER_WAITS_H

/* Makes threads that wait give their core away (OMP_WAIT_POLICY=passive): by default they spin, and where other programs
 * want the cores, a run of two threads then takes ten times as long as one of one thread. The runtime of OpenMP reads the
 * variable before main begins, so the program starts itself anew. Nothing happens where the environment already says how
 * threads wait, where there is one thread, and where the program cannot be started anew. argv: of main. */
void an_waits_choose(char **argv);

#endif
