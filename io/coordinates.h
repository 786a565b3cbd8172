/* Checksum of a mesh's coordinates: which flow belongs to which nodes.
 *
 * The checksum is the sum over all nodes of one hash of the node's place (zone, i, j, k) and of its
 * three coordinates in metres, bit for bit. So it does not depend on how zones are cut, and any
 * single node that moves changes it.
 */
#ifndef AN_IO_COORDINATES_H
#define AN_IO_COORDINATES_H

#include "kernels/base/topology.h"

/* The terms of the nodes lo <= (i, j, k) < hi of a zone. x[3][hi2-lo2][hi1-lo1][hi0-lo0], m. With
 * `shared` the upper planes that do not end the zone are left out: they belong to the next piece. The
 * places are those of the file, whose direction (d + turn) mod 3 is direction d here (io/mesh.h).
 */
uint64_t an_coordinates_sum(const struct an_topology *t, int zone, int turn, const int lo[3],
                            const int hi[3], int shared, const double *x);

#endif
