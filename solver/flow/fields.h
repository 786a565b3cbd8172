/* The fields of the viscous terms and of the turbulence model. */
#ifndef AN_SOLVER_FLOW_FIELDS_H
#define AN_SOLVER_FLOW_FIELDS_H

#include "solver/level/solver.h"

/* Allocates the fields of a level that viscous fluxes and the turbulence model need; the level
 * stands, its finer ones too. Not collective. */
int an_flow_fields_new(struct an_solver *s, struct an_level *l);
/* Ghost cells of the whole state of the finest level, and what a turbulence model derives from the
 * state. */
int an_solver_refresh(struct an_solver *s);

#endif
