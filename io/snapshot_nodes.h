/* Nodes on their way to grid.cgns, slab by slab: a part of io/snapshot_grid.c. */
#ifndef AN_IO_SNAPSHOT_NODES_H
#define AN_IO_SNAPSHOT_NODES_H

#include "io/snapshot_file.h"

/* The file while it is written. */
struct an_grid_file {
    int fn;      /* CGNS handle; < 0: not open */
    int *number; /* [zones] of each zone in the file; owned */
    char path[1024], temporary[1060], source[2048];
};

/* Takes nodes lo <= (i, j, k) < hi of a zone, xyz[3][hi2-lo2][hi1-lo1][hi0-lo0], m. */
typedef int an_nodes_put(void *context, int zone, const int lo[3], const int hi[3], double *xyz);

/* The piece's part of the checksum of coordinates. */
uint64_t an_nodes_sum(const struct an_topology *t, const struct an_snapshot_piece *piece);
/* One rank. Reads all nodes of an open mesh and hands them to `put`; *sum: their checksum. */
int an_nodes_copy(const struct an_mesh *mesh, an_nodes_put *put, void *context, uint64_t *sum);
/* Collective. Hands the nodes of all ranks' pieces to `put` on rank 0. A failure of `put` is
 * returned there, after all slabs have arrived. */
int an_nodes_gather(MPI_Comm comm, const struct an_topology *t, int npiece,
                    const struct an_snapshot_piece *piece, an_nodes_put *put, void *context);

#endif
