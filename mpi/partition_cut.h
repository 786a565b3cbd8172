/* The cuts of a mesh, as one binary tree per zone. Internal to the partition.
 *
 * Nodes 0 .. nzone-1 are whole zones; a node that was cut has two children, the lower part first;
 * the leaves are the pieces. The trees also answer which pieces a box of cells meets, in time
 * proportional to the answer times the depth.
 */
#ifndef AN_MPI_PARTITION_CUT_H
#define AN_MPI_PARTITION_CUT_H

#include <stdbool.h>

#include "kernels/base/topology.h"

struct an_cut_node {
    int zone;
    int lo[3], hi[3]; /* cells of the zone */
    int child;        /* the two parts are child and child + 1; -1: a leaf */
    int rank;         /* of a leaf, -1 before it is known */
    int piece;        /* index of a leaf among the pieces */
};

struct an_cut_tree {
    int nzone, nnode, capacity;
    struct an_cut_node *node; /* owned */
    int multiple;             /* cut planes stand at multiples of this many cells of the zone */
    int thin;                 /* the thinnest part a cut may leave, a multiple of `multiple` */
    const int *uncut;         /* as in the options; the caller's */
};

struct an_cut_plane {
    int dir, at; /* cells below `at` go to the first child */
    int64_t low; /* how many those are */
};

int an_cut_tree_new(const struct an_topology *mesh, int multiple, int thin, struct an_cut_tree *t);
void an_cut_tree_free(struct an_cut_tree *t);

int64_t an_cut_cells(const struct an_cut_node *n);
/* The most pieces that the zones can be cut into. */
int64_t an_cut_most_pieces(const struct an_cut_tree *t);
/* The plane that leaves about `want` cells below it: across the longest direction that comes within
 * `tolerance` cells of that, else across the direction that comes closest. Planes are tried at
 * multiples of `step` cells. False: the node is too thin to be cut. */
bool an_cut_find(const struct an_cut_tree *t, int node, double want, double tolerance, int step,
                 struct an_cut_plane *plane);
/* Cuts a leaf; both parts inherit its rank. */
int an_cut_apply(struct an_cut_tree *t, int node, const struct an_cut_plane *plane);

/* Leaves under `node` that share cells with the box lo <= c < hi, in the order of the tree,
 * appended to a list that grows. */
struct an_cut_list {
    int n, capacity;
    int *node; /* owned */
};
int an_cut_meet(const struct an_cut_tree *t, int node, const int lo[3], const int hi[3],
                struct an_cut_list *list);

/* Fills `out` with the mesh's topology over the leaves, block b being the leaf with piece == b. */
int an_cut_topology(const struct an_topology *mesh, const struct an_cut_tree *t, int npiece,
                    struct an_topology *out);

#endif
