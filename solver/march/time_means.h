/* Means of the flow over time, and root mean squares of the fluctuations, of unsteady runs with
 * output.means_from.
 *
 * After each step from iteration means_from + 1 on, the state is added with its time step for weight
 * (mean_add.stencil). Reynolds means and rms of density, velocity, pressure and temperature, Favre
 * means and rms of velocity and temperature are fields of all later snapshots, and part of the state:
 * a restart goes on with the same bits, and with the same means_from (level/begun.h).
 */
#ifndef AN_SOLVER_TIME_MEANS_H
#define AN_SOLVER_TIME_MEANS_H

#include "solver/level/component.h"

extern const struct an_component_type an_time_means_component;

#endif
