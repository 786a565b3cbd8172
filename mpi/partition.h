/* Cutting blocks into pieces and giving the pieces to ranks.
 *
 * Few large pieces: longest-first greedy; a rank is filled to its target; what does not fit is cut
 * along its longest index at the plane that meets the target, at multiples of 2^(levels-1) cells
 * and leaving no piece thinner than `min_cells`. Deterministic: the same on every rank, no
 * communication.
 */
#ifndef AN_MPI_PARTITION_H
#define AN_MPI_PARTITION_H

#include <stdio.h>

#include "kernels/topology.h"

struct an_piece {
    int zone;         /* block of the original topology */
    int lo[3], hi[3]; /* cells of that block */
    int rank;
};

struct an_partition {
    int nrank, npiece;
    struct an_piece *piece;      /* sorted by zone, then k, j, i of lo; owned */
    struct an_topology topology; /* over the pieces: block b is piece b; cuts are interfaces */
};

struct an_partition_options {
    int levels;          /* multigrid levels kept possible, >= 1 */
    int min_cells;       /* thinnest piece, >= AN_GHOST; 0 = 4 */
    double balance;      /* accepted imbalance max/mean, e.g. 1.05 */
    int max_piece_cells; /* cut further until no piece is larger; 0 = no limit (used by tests) */
};

/* AN_INPUT when there are more ranks than the mesh can feed. */
int an_partition_new(const struct an_topology *mesh, int nrank,
                     const struct an_partition_options *opt, struct an_partition *p);
void an_partition_free(struct an_partition *p);
double an_partition_imbalance(const struct an_partition *p); /* max over mean cells per rank */
/* A table: rank, pieces, cells, share of halo cells, neighbour ranks. */
void an_partition_report(const struct an_partition *p, const struct an_topology *mesh, FILE *out);

#endif
