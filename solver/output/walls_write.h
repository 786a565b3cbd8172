#ifndef AN_SOLVER_WALLS_WRITE_H
#define AN_SOLVER_WALLS_WRITE_H

#include "solver/level/component.h"

/* The part of a run with viscous walls whose case wants wall files. Beside each snapshot it writes
 * wall_NNNNNNNN.cgns (io/surface.h) into the output folder: for each patch the fields Pressure,
 * SkinFrictionX, Y, Z and SkinFrictionMagnitude (Pa), WallHeatFlux (W/m2, into the wall),
 * TemperatureWall (K) and YPlus; where a wall is not adiabatic HeatTransferCoefficient (W/m2/K) and StantonNumber
 * (heat_transfer.h); where a profile has places on blades ArcLength (m, from the leading edge, < 0 on the pressure side); and
 * fields of modes. */
extern const struct an_component_type an_walls_write_component;

#endif
