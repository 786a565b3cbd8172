#ifndef AN_SOLVER_COMPONENTS_H
#define AN_SOLVER_COMPONENTS_H

#include "solver/level/component.h"

/* All parts a run can have, in the order in which they act; NULL at the end. */
extern const struct an_component_type *const an_components[];

#endif
