/* The roughness of the nearest wall in every cell: field ROUGH of runs with rough walls.
 *
 * The nearest wall face of a cell is that of wall_nearest.h, and so the roughness does not depend on the
 * number of ranks. The field is filled once, at the start of a run. */
#ifndef AN_SOLVER_ROUGHNESS_H
#define AN_SOLVER_ROUGHNESS_H

struct an_component_type;

/* The part of runs whose case gives a roughness; it stands behind an_wall_nearest_component. */
extern const struct an_component_type an_roughness_component;

#endif
