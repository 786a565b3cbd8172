/* Which boxes of cells an exchange copies, packs and unpacks on one rank. Internal to the halo. */
#ifndef AN_MPI_HALO_PLAN_H
#define AN_MPI_HALO_PLAN_H

#include "kernels/engine/engine.h"
#include "mpi/partition.h"
#include "mpi/transport.h"

struct an_copy_list {
    int n, capacity;
    struct an_copy *copy; /* owned */
    int *neighbour;       /* whose cells a box holds: index of the plan's, -1: none; owned */
};

/* Offsets and strides on the side of a buffer count cells; an exchange multiplies them by its
 * number of components, component fastest. */
struct an_halo_plan {
    int nneighbour, nrotation;
    struct an_neighbour *neighbour; /* sorted by rank, owned */
    double (*rotation)[9];          /* owned */
    struct an_copy_list local, pack, unpack;
    int64_t local_cells, send_cells, recv_cells;
};

/* Block n of the layout is piece local[n] of the partition; all pieces of rank `me` are among them.
 * normal: the boxes pick, of three components that belong to the index directions, the one normal
 * to the interface (see an_halo_normal_new). second: only second ghosts, from the donor's first ghost behind
 * its one cell, see an_halo_second_new. */
int an_halo_plan_new(const struct an_partition *partition, int me, const struct an_layout *layout,
                     int nlocal, const int *local, int normal, int second,
                     struct an_halo_plan *plan);
/* Of an array that all ranks with a part of it hold whole: rank r has elements first[r] .. first[r
 * + 1] - 1, which go to all others that have some, to the same place. */
int an_halo_plan_share(int nrank, int me, const int64_t *first, struct an_halo_plan *plan);
/* Of a level that every rank holds whole: block n of the layout is piece n, and the cells of the pieces
 * of each rank go to all others. */
int an_halo_plan_gather(const struct an_partition *owners, int me, const struct an_layout *layout,
                        struct an_halo_plan *plan);
void an_halo_plan_free(struct an_halo_plan *plan);

#endif
