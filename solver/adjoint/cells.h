/* Cells as nodes of a graph: which cells the residual of a cell depends on, and colours of cells that can be
 * disturbed together.
 *
 * Neighbours share a face inside a block or through an interface one to one. The residual of a cell depends on its
 * neighbours and on theirs, and on no other cell: the widest stencils (fourth differences, MUSCL, advection of second
 * order) reach two cells along a direction, viscous fluxes read gradients of neighbours, which read theirs, and ghost
 * cells of boundaries follow from the two cells inside. test_adjoint checks this by random disturbances.
 *
 * Cells are numbered block by block, i fastest. Where several ranks share the mesh, each finds the graph of the whole mesh,
 * from which the colours follow, and keeps the part of its own cells. Foreign cells (ranks.h) have the numbers behind those
 * of own cells. */
#ifndef AN_ADJOINT_CELLS_H
#define AN_ADJOINT_CELLS_H

#include "solver/adjoint/ranks.h"
#include "solver/level/level.h"

/* Lists of numbers: list[first[n]] to list[first[n + 1] - 1] belong to n. */
struct an_lists {
    int64_t n;
    int64_t *first; /* [n + 1]; owned */
    int32_t *list;  /* owned */
};
/* Adds a number to a list of *n numbers that stays ascending, without the number twice. */
void an_list_insert(int32_t *list, int *n, int32_t number);
void an_lists_free(struct an_lists *l);
/* Numbers of the longest list. */
int64_t an_lists_longest(const struct an_lists *l);
/* Of lists of numbers below `count`: for each number the lists that hold it, ascending. */
int an_lists_inverse(const struct an_lists *l, int64_t count, struct an_lists *inverse);

struct an_adjoint_cells {
    int64_t n;      /* own cells */
    int64_t all;    /* those of all ranks */
    int64_t *first; /* [blocks + 1] first cell of each block; owned */
    /* [n + foreign cells] neighbours at imin, imax, ... kmax; -1: a boundary, or of a foreign cell one that is
     * neither own nor foreign; owned */
    int32_t (*near)[6];
    struct an_lists reach; /* of each own cell the cells that its residual depends on, ascending */
    /* of each colour its own cells, and its foreign cells: no residual depends on two of them */
    struct an_lists colours, foreign_colours;
    struct an_lists
        readers; /* of each foreign cell, from 0 on, the own cells that depend on it, ascending */
    struct an_adjoint_ranks ranks;
};

/* Of the finest level of a solver. After an error _free frees what was made. The same on all ranks; not collective. */
int an_adjoint_cells_new(const struct an_solver *s, struct an_adjoint_cells *c);
/* The graph of n cells of a whole mesh, the first of block b with the number first[b]: only near, reach and colours. */
int an_adjoint_cells_whole(const struct an_topology *t, const int64_t *first, int64_t n,
                           struct an_adjoint_cells *g);
void an_adjoint_cells_free(struct an_adjoint_cells *c);

/* The cell before face k of a window of a block of n cells, counted from the block's first. */
int64_t an_adjoint_cell_before(const struct an_window *w, const int n[3], int64_t k);

/* Gives each item a colour from 0 on, so that no cell is in the lists of two items of one colour: greedy, in the order
 * of the items. cells: of each item the cells whose residuals it changes; items: the inverse. colour[cells->n] */
int an_adjoint_colours(const struct an_lists *cells, const struct an_lists *items, int32_t *colour,
                       int *ncolour);

#endif
