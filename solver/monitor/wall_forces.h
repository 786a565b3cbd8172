/* The table forces.csv of a run with output.wall_forces: forces on each viscous wall every
 * output.history_every iterations, and apart on each copy of the wall that passage_copy made (zones `b_p1`,
 * `b_p2`, ...), so on each blade.
 *
 *     iteration, time_s; for each wall NAME, or NAME_p1, NAME_p2, ...:
 *     NAME_force_x_N ... NAME_friction_x_N ... NAME_torque_Nm, NAME_power_W, NAME_heat_W
 *
 * Forces act on the wall, in the axes of its row; friction is part of the force. The torque is about the x
 * axis, the power that of this torque on a wall that turns. They are of what is meshed, of one blade.
 * Sums are exact: the same, bit for bit, on any number of ranks. A restart goes on with the table. */
#ifndef AN_SOLVER_WALL_FORCES_H
#define AN_SOLVER_WALL_FORCES_H

#include "solver/level/component.h"

/* The part of a run with output.wall_forces; measured after the walls. AN_INPUT without viscous walls. */
extern const struct an_component_type an_wall_forces_component;

#endif
