#ifndef AN_SOLVER_PARTS_H
#define AN_SOLVER_PARTS_H

#include "solver/level/part.h"

/* All parts a run can have, in the order in which they act; NULL at the end. */
extern const struct an_part_type *const an_parts[];

#endif
