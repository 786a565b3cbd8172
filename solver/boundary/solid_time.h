/* Solids that store heat, in unsteady runs of method dual (keys rho and cp of a solid).
 *
 *   solid       rho cp dT/dt = div(k(T) grad T), with the heat of each node's own volume (a lumped matrix), by BDF2, in the first
 *               step BDF1:
 *                   C_n / dt [c0 (T - T^n) + a1 (T^n - T^(n-1))] + (K theta)_n = heat of the surfaces at t + dt
 *               Newton's method in theta, at most three iterations
 *   a step      1. before the step of the gas the solid takes it with the heat of the gas extrapolated from the last two steps;
 *                  its temperatures go to the walls of the gas
 *               2. the gas takes its step, with all inner iterations
 *               3. the solid takes its step again, with the heat that the gas has at the end
 *
 * So the solid gets the heat that leaves the gas, and the coupling is of second order in time. It is stable while the gas stores
 * less than a third of the heat per root of time that the solid does, sqrt(k rho cp); gas and metal are three orders of
 * magnitude apart (Giles 1997).
 *
 * Snapshots hold the temperatures of the step before, the heats of the last two steps and the length of the last one, so that a
 * restart goes on with the same bits. */
#ifndef AN_SOLVER_SOLID_TIME_H
#define AN_SOLVER_SOLID_TIME_H

#include "io/snapshot.h"
#include "solver/boundary/solid_state.h"

/* 1: a solid of this run stores heat. Not collective. */
int an_solids_store(const struct an_solids *k);
/* Before and after a step of the gas of length s->params.march.time_step. Collective. */
int an_solids_predict(struct an_solver *s, struct an_solids *k);
int an_solids_correct(struct an_solver *s, struct an_solids *k);

/* s: in which heat passes through a solid that stores heat, rho cp (V / A)^2 / k(T). A: of the surfaces that heat passes. */
double an_solid_time_scale(const struct an_solid *q, double T);

/* The record of a snapshot; a snapshot without one begins with BDF1. Not collective. */
int an_solids_time_keep(const struct an_solids *k, struct an_snapshot_meta *meta);
void an_solids_time_take(struct an_solids *k, const struct an_snapshot_meta *meta);

#endif
