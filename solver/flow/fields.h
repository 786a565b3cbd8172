/* The fields of the viscous terms and of the turbulence model. */
#ifndef AN_SOLVER_FLOW_FIELDS_H
#define AN_SOLVER_FLOW_FIELDS_H

#include "solver/level/level.h"

/* Fields of a level that viscous fluxes need and that follow from the mesh; the level stands, its
 * finer ones too. Collective for a replicated level, else not. */
int an_flow_fields_new(struct an_solver *s, struct an_level *l);
/* The part that finds the distance of all cells from the walls: of viscous runs, and of inviscid
 * runs whose snapshots hold that distance. */
struct an_wall_search {
    int nfacet;     /* triangles of the walls */
    double seconds; /* that the search took on the slowest rank */
};
extern const struct an_component_type an_wall_search_component;
/* NULL: the run needs no wall distances. */
const struct an_wall_search *an_wall_search_of(const struct an_solver *s);
/* Ghosts of the wall distances of a level. Collective. */
int an_level_wall_ghosts(struct an_solver *s, struct an_level *l);
/* Ghost cells of the whole state of the finest level, and what a turbulence model derives from the
 * state. */
int an_solver_refresh(struct an_solver *s);

#endif
