#ifndef AN_SOLVER_WALLS_WRITE_H
#define AN_SOLVER_WALLS_WRITE_H

#include "solver/level/component.h"

/* The part of a run with viscous walls whose case wants wall files. Beside each snapshot it writes
 * wall_NNNNNNNN.cgns (io/surface.h) into the output folder: for each patch the fields Pressure,
 * SkinFrictionX, Y, Z and SkinFrictionMagnitude (Pa), WallHeatFlux (W/m2, into the wall),
 * TemperatureWall (K) and YPlus; where a wall is not adiabatic HeatTransferCoefficient (W/m2/K) and StantonNumber
 * (heat_transfer.h); and fields of modes. */
extern const struct an_component_type an_walls_write_component;

struct an_topology;
struct an_surface;
struct an_wall_patch;
/* Name and family of patch p in wall files, behind the patches before[n]: names of boundary and zone; a number where that
 * is too long or there twice. */
void an_walls_write_name(const struct an_topology *t, const struct an_surface *before, int n,
                         const struct an_wall_patch *p, struct an_surface *s);

#endif
