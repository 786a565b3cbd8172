/* The stop rule on periodicity of unsteady runs: does the flow repeat itself?
 *
 * The figures of settling.h (mass flow, pressure ratio, forces, torque, power, coefficients) of the lines
 * of the table are kept over two periods of stop.period iterations. At the end of each period
 *
 *     change = max over the lines of the period of |x(n) - x(n - period)| / scale
 *
 * with the largest magnitude of the figure in these two periods for scale; forces have that of the
 * largest component, coefficients the absolute change. The rule holds where the change of every figure
 * was below stop.period_change at stop.periods ends of periods in a row. A restart begins to count anew.
 * All ranks call with the same figures; not collective. */
#ifndef AN_SOLVER_PERIOD_H
#define AN_SOLVER_PERIOD_H

#include "solver/march/settling.h"

#include <stdint.h>

extern const struct an_component_type an_period_component;
/* Takes the figures of the line of an iteration; NaN for those that the run does not have. */
void an_period_note(struct an_solver *s, int64_t iteration, const double value[AN_NFIGURE]);
/* Does the rule hold? 0 without it. */
int an_period_holds(const struct an_solver *s);

#endif
