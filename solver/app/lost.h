/* The end of a job that has lost a host. */
#ifndef AN_SOLVER_LOST_H
#define AN_SOLVER_LOST_H

/* Prints the text and ends the job with AN_FAIL; does not return. The main thread may wait in MPI
 * for the lost host meanwhile. */
void an_lost_end(const char *text);

#endif
