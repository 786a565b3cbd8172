/* Cutting blocks into pieces and giving the pieces to ranks.
 *
 * Few large pieces: a zone worth several ranks is halved, across its longest direction, into parts
 * worth whole numbers of ranks; then the largest part goes to the emptiest rank; a part that would
 * overfill that rank is cut at the plane that meets its target. Where planes are too
 * coarse for the wanted balance, finer parts are tried and the best plan is kept. Planes stand at
 * multiples of 2^(levels-1) cells of the zone and leave no piece thinner than `min_cells` or than
 * AN_GHOST cells of the coarsest level. The plan is deterministic: every rank finds the same one
 * without communication. (Ytterstrom 1997 for the greedy rule.)
 */
#ifndef AN_MPI_PARTITION_H
#define AN_MPI_PARTITION_H

#include <stdio.h>

#include "kernels/base/topology.h"

struct an_piece {
    int zone;         /* block of the original topology */
    int lo[3], hi[3]; /* cells of that block */
    int rank;
};

struct an_partition {
    int nrank, npiece;
    int ranks_per_node;          /* that numbers of ranks were chosen for; 0: one node */
    int64_t between_nodes;       /* ghost cells whose donors are on another node */
    struct an_piece *piece;      /* sorted by zone, then k, j, i of lo; owned */
    struct an_topology topology; /* over the pieces: block b is piece b; cuts are interfaces named
                                  * "cut"; passes an_topology_check */
};

struct an_partition_options {
    int levels;          /* multigrid levels kept possible, >= 1 */
    int min_cells;       /* thinnest piece, >= AN_GHOST; 0 = 4 */
    double balance;      /* accepted imbalance max/mean, e.g. 1.05 */
    int max_piece_cells; /* cut further, as far as min_cells allows, until no piece is larger;
                          * 0 = no limit (used by tests) */
    const int *uncut;    /* [zones] bit d: the zone is not cut across direction d; NULL: none */
    int ranks_per_node;  /* ranks n R .. n R + R - 1 share a node; 0: all do */
};

/* `mesh` has passed an_topology_check. Every rank gets at least one piece; AN_INPUT, with the most
 * ranks possible, when there are more ranks than the mesh can feed (an_partition_most). */
int an_partition_new(const struct an_topology *mesh, int nrank,
                     const struct an_partition_options *opt, struct an_partition *p);
void an_partition_free(struct an_partition *p);
/* The most pieces, and with them ranks, that the mesh can be cut into; why[AN_PARTITION_WHY]: the sentence that says so. */
enum { AN_PARTITION_WHY = 256 };
int an_partition_most(const struct an_topology *mesh, const struct an_partition_options *opt,
                      int64_t *most, char *why);
/* Numbers the ranks anew so that fewer ghost cells pass between nodes; part of an_partition_new. */
int an_partition_nodes(struct an_partition *p, int ranks_per_node);
double an_partition_imbalance(const struct an_partition *p); /* max over mean cells per rank */
/* A table: rank, pieces, cells, load over mean, ghost cells that come from other ranks over cells,
 * neighbour ranks. Beyond 64 ranks only the extremes. */
void an_partition_report(const struct an_partition *p, const struct an_topology *mesh, FILE *out);

#endif
