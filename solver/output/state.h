/* The state of a run: filled from a function of the place, or read from a snapshot. */
#ifndef AN_SOLVER_STATE_H
#define AN_SOLVER_STATE_H

struct an_solver;

/* Fills the state of every cell from its centre x (m): density, velocity and pressure in q[5]. A
 * new run starts: iteration and time are zero. Collective. */
typedef void an_state_at(void *context, const double x[3], double q[5]);
int an_solver_fill(struct an_solver *s, an_state_at *at, void *context);

/* Completes the ghost cells of a host image of W (five components of the layout of the finest level) and copies it to the
 * engine. Not collective. */
int an_state_adopt(struct an_solver *s, void *all);

/* Continues the run of a snapshot: state, iteration, time, largest residual, and the record of its
 * parts. Collective. */
int an_solver_restart(struct an_solver *s, const char *path);

#endif
