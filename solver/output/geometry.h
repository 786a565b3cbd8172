/* The coordinates that a run computes with: their checksum, and the file that snapshots link to.
 * Collective.
 */
#ifndef AN_SOLVER_OUTPUT_GEOMETRY_H
#define AN_SOLVER_OUTPUT_GEOMETRY_H

#include <stdint.h>

struct an_solver;

/* The checksum of all ranks' nodes (io/coordinates.h). */
int an_geometry_checksum(const struct an_solver *s, uint64_t *sum);
/* grid.cgns of the output folder, unless it is there (io/snapshot.h). */
int an_geometry_write(const struct an_solver *s);

#endif
