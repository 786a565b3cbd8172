/* Inlets with spanwise profiles (bc/profile.h): each face takes the values at its own middle. */
#ifndef AN_SOLVER_INLETS_H
#define AN_SOLVER_INLETS_H

#include "solver/level/solver.h"

/* Reads the profiles of the case and sets the faces' values; s->inlets becomes what to tell of them
 * (NULL: there are none). Face values stand, mesh open. AN_INPUT, in plain words: a file that
 * cannot be used, a profile that does not cover its inlet or points out of it. Collective. */
int an_inlets_new(struct an_solver *s);

#endif
