#ifndef AN_SOLVER_MULTIGRID_H
#define AN_SOLVER_MULTIGRID_H

struct an_solver;
struct an_level;

/* One multigrid cycle that starts on level n. known: spectral radii and residual R of the state of
 * level n are there, R without the forcing. */
int an_multigrid_cycle(struct an_solver *s, int n, int known);
/* Restricts the state of level l to the coarser level c, with the eddy viscosity in one message. Collective. */
int an_multigrid_restrict_state(struct an_solver *s, struct an_level *l, struct an_level *c);
/* Brings the initial state of the finest level near the solution by way of the coarser levels, if
 * the case wants that. */
int an_multigrid_start(struct an_solver *s);

#endif
