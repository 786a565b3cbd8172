/* Wall units: what makes y+ = y u_tau / nu of a distance y from a viscous wall. */
#ifndef AN_SOLVER_WALL_UNITS_H
#define AN_SOLVER_WALL_UNITS_H

struct an_solver;

/* u_tau / nu = sqrt(rho tau) / mu, 1/m, of the viscous wall faces of the whole mesh, on every rank:
 * (*units)[*n] in the order of an_wall_place_compare (solver/flow/wall_distance.h), malloc'ed, owned
 * by the caller; n = 0 without viscous walls. Friction, density and temperature are those at the
 * wall, of the present state, which is measured where that was not done. Collective. */
int an_wall_units(struct an_solver *s, int *n, double **units);

/* Measures the walls unless the last measurement was of the present iteration. Collective. */
int an_walls_refresh(struct an_solver *s);

#endif
