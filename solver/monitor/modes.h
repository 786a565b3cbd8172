/* Fourier modes of the pressure of unsteady runs with output.modes: sums over time in all cells, from which
 * amplitudes and phases on viscous walls follow.
 *
 * After each step from iteration modes_from + 1 on, the pressure times the cosine and the sine of 2 pi f t is added,
 * with the step for weight (mode_add.stencil): f is a harmonic of output.mode_frequencies or of the frequencies at which the
 * blades of the rows beyond the sliding planes of a row pass it, in its frame. Mean, amplitudes and phases are those of
 * the least squares of the states added, so that the time need not be a whole number of periods; it must be a
 * period of the lowest frequency and of the smallest difference of two. The sums are fields of the snapshots and part
 * of the state: a restart goes on with the same bits. */
#ifndef AN_SOLVER_MODES_H
#define AN_SOLVER_MODES_H

#include "solver/level/component.h"

extern const struct an_component_type an_modes_component;

/* Number of fields on viscous walls; 0: no modes, or the time is too short. Not collective. */
int an_modes_fields(const struct an_solver *s);
/* The name of such a field: PressureMean (Pa), then of each mode, from 1, Frequency1 (Hz; 0: the row has no such
 * mode), PressureAmplitude1 (Pa), PhaseOfPressure1 (degrees, of a cosine of time). */
const char *an_modes_name(const struct an_solver *s, int field);
/* Their values on the wall faces of this rank, value[nface][an_modes_fields]. Not collective. */
int an_modes_of_walls(struct an_solver *s, double *value);

#endif
