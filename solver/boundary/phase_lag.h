/* Phase lag of two rows of one passage each (kernels/physics/lag.h has the formulas).
 *
 *     turn ......... at the start of a time step, after an_sliding_turn: what ghost cells behind periodic
 *                    boundaries, and the sliding plane, are given during the step, from the series
 *     after_step ... the series are corrected by the new values
 *     keep, take ... the series, to and from the record of a snapshot
 *
 * In the first time step the series are not known: periodic boundaries take the partner's present
 * values, the plane those of its other side at the start of the step, without correction of its
 * fluxes. At its end the series begin with the present values as their means.
 *
 * Every rank with faces of the plane keeps the series of all its faces, and corrects them by the same values;
 * those of periodic boundaries belong to the ghost cells. Nothing depends on the ranks, and no host takes part
 * between the steps.
 */
#ifndef AN_SOLVER_PHASE_LAG_H
#define AN_SOLVER_PHASE_LAG_H

struct an_solver;
struct an_component_type;

extern const struct an_component_type an_phase_lag_component;

/* Call it when the angles of the step to come are set. Does nothing without phase lag. Collective. */
int an_phase_lag_turn(struct an_solver *s);

/* Of each row: the part of the energy of the signals that the series miss, in means over a period; NaN: not
 * known yet. 0: the run has no phase lag. Not collective. */
int an_phase_lag_missed(const struct an_solver *s, double missed[2]);

#endif
