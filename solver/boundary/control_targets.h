/* What controlled boundaries are in a settled flow, for the adjoint: their numbers, and equations that are zero where the
 * control moves no number any more.
 *
 * Numbers: of each boundary its pressure, then of each of its bands the rise of radial equilibrium and the means of
 * non-reflecting outlets (control_set.h), whether the boundary has them or not. Not collective unless said. */
#ifndef AN_SOLVER_CONTROL_TARGETS_H
#define AN_SOLVER_CONTROL_TARGETS_H

#include "solver/boundary/control_set.h"

enum {
    AN_CONTROL_RING = 4
}; /* numbers of a band: rise, mean pressure, mean axial and radial velocity */

const struct an_control *an_control_of(const struct an_solver *s);
int an_control_numbers(const struct an_solver *s);
/* The place of the pressure of a boundary among the numbers, band < 0; or of the first number of a band (of an_control.bands). */
int an_control_place(const struct an_control *k, int entry, int band);
void an_control_numbers_get(const struct an_solver *s, double *v);
/* Makes v the numbers, and the values of the boundaries; controllers forget the error of their last step. Ghost cells do not follow. Collective. */
int an_control_numbers_set(struct an_solver *s, const double *v);

/* Of a boundary with a given mass flow or a throttle: the relative error of the mass flow, or of the pressure, with the
 * sign with which it grows with the pressure. pressure: its number; out: kg/s that leave the mesh. */
double an_control_pressure_gap(const struct an_control *k, int entry, double pressure, double out);
/* Of a band: its four numbers less what they follow, Pa, m/s; 0 for those that the boundary does not have. v: all
 * numbers; sum: of all bands. The equation of a rise is one of differences between neighbours, and of the place where
 * the rise is zero in the band next to it. */
void an_control_ring_gaps(const struct an_control *k, int entry, int band, const double *v,
                          double (*sum)[AN_NINTEGRAL], double gap[AN_CONTROL_RING]);

#endif
