/* Names of the patches of walls in wall files. */
#ifndef AN_SOLVER_WALL_NAME_H
#define AN_SOLVER_WALL_NAME_H

struct an_topology;
struct an_surface;
struct an_wall_patch;

/* Name and family of patch p in wall files, behind the patches before[n]: names of boundary and zone; a number where that
 * is too long or there twice. */
void an_wall_name(const struct an_topology *t, const struct an_surface *before, int n,
                  const struct an_wall_patch *p, struct an_surface *s);

#endif
