#ifndef AN_SOLVER_MULTIGRID_H
#define AN_SOLVER_MULTIGRID_H

struct an_solver;
struct an_level;

/* One multigrid cycle of the finest level. known: spectral radii and residual R of its state are
 * there; way: of the lines of the first step, 0 or 1. */
int an_multigrid_cycle(struct an_solver *s, int known, int way);
/* Restricts the state of level l to the coarser level c, with the eddy viscosity in one message.
 * Collective. */
int an_multigrid_restrict_state(struct an_solver *s, struct an_level *l, struct an_level *c);
/* Brings the initial state of the finest level near the solution by way of the coarser levels, if
 * the case wants that. */
int an_multigrid_start(struct an_solver *s);

#endif
