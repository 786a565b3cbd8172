/* One line of a map. */
#ifndef AN_SOLVER_MAP_H
#define AN_SOLVER_MAP_H

#include "solver/app/map_csv.h"

/* Sets up the case of m->r and computes its line, as far as map.csv does not have it. Collective. */
int an_map_run(struct an_map *m);

#endif
