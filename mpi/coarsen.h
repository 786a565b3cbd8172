/* Multigrid levels of a mesh: which index directions of which zones are halved from level to level.
 *
 * Cells of a coarse level are made of two cells in each halved direction. Neighbours must agree:
 * directions that run side by side through an interface are halved together or not at all, while
 * directions that meet end to end are free. A set of such directions is halved when every zone in
 * it has an even number of cells, keeps at least two, and has its windows (interfaces, boundary
 * patches) on even planes. A direction one cell thick stays as it is. So a mesh may be coarsened in
 * some directions only.
 *
 * All of it follows from the topology of the zones: the same on any number of ranks.
 */
#ifndef AN_MPI_COARSEN_H
#define AN_MPI_COARSEN_H

#include "mpi/partition.h"

enum { AN_MAX_LEVEL = 8 };

struct an_coarsening {
    int nlevel; /* 1: the mesh cannot be coarsened */
    int nzone;
    int (*halved[AN_MAX_LEVEL])[3]; /* [level][nzone]: halved from level - 1? owned, [0] NULL */
    char limit[256];                /* why there are no more levels, with zone and direction */
};

/* At most `want` levels (1 .. AN_MAX_LEVEL). A level is made while it has at most half the cells of
 * the one before. `mesh` has passed an_topology_check. turn[zone]: direction d of a zone is direction
 * (d + turn) mod 3 of the file, whose name `limit` tells; NULL: all are the same. */
int an_coarsening_new(const struct an_topology *mesh, const int *turn, int want,
                      struct an_coarsening *c);
void an_coarsening_free(struct an_coarsening *c);

/* The pieces of a partition one level coarser: halved[zone][direction]. Cut planes stand on even
 * cells (an_partition_options.levels sees to that). Pieces keep their numbers and ranks; lo and hi
 * count coarse cells. */
int an_partition_coarsen(const struct an_partition *fine, const int (*halved)[3],
                         struct an_partition *coarse);

#endif
