#ifndef AN_SOLVER_COOLANT_FACES_H
#define AN_SOLVER_COOLANT_FACES_H

#include "solver/boundary/coolant.h"

/* Lists the faces of all patches on this rank and the cells beside them, with their volumes, and
 * allocates fields SOURCE and BLEED. k->patch is there. Used by coolant.c alone. Not collective. */
int an_coolant_faces(struct an_solver *s, struct an_coolant *k);

#endif
