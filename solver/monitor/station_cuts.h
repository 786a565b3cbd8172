/* Stations cut through the cells of a block. */
#ifndef AN_SOLVER_STATION_CUTS_H
#define AN_SOLVER_STATION_CUTS_H

#include "solver/monitor/stations.h"

/* Adds the cuts of local block b with the stations t->of[t->n] to t->cut, which has room for *room of
 * them and grows, and widens t->radius. weight: of areas. Not collective. */
int an_station_cut_block(struct an_solver *s, struct an_stations *t, int b, double weight,
                         int64_t *room);

#endif
