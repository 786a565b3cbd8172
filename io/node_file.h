/* Fields at the nodes of a mesh: a CGNS file with the zones of the mesh, their coordinates and one value per node and field.
 *
 * Written under a temporary name, renamed when whole; opens in ParaView. Results only: nothing is restarted from it. Zones stand
 * in the order of the mesh's file. */
#ifndef AN_IO_NODE_FILE_H
#define AN_IO_NODE_FILE_H

#include "io/mesh.h"

/* The nodes of a zone, in the order of an_mesh.topology. */
struct an_node_zone {
    const double *x;     /* m, [3][nk + 1][nj + 1][ni + 1] */
    const double *field; /* [nfield][nk + 1][nj + 1][ni + 1] */
};

/* Not collective (rank 0). zone: one for each zone of the mesh. Zones and indices are those of snapshots. AN_INPUT: the
 * file cannot be written. AN_FAIL: the disk is full or fails. */
int an_node_file_write(const char *path, const struct an_mesh *mesh, int nfield,
                       const char *const *field_name, const struct an_node_zone *zone);

#endif
