/* Replicated levels: coarse multigrid levels of few cells, of which every rank holds and computes all pieces.
 *
 * On a small level a GPU mostly waits for kernels of a few microseconds to start. Cutting it between ranks saves
 * little time, and its exchanges cost more than that. So from a level on each rank computes all cells: the same
 * operations on the same pieces, so that results keep their bits, and all ghost cells are copies within the rank.
 *
 *     level n, cut        each rank restricts its own pieces to level n + 1 (tiles `own`),
 *                         and one exchange (halo `gather`) gives all pieces to all ranks
 *     level n + 1, replicated: smoothed on all pieces; from here on down no rank needs another
 *     level n, cut        each rank prolongs the change of its own pieces
 */
#ifndef AN_SOLVER_REPLICATED_H
#define AN_SOLVER_REPLICATED_H

#include "kernels/engine/engine.h"

#include <stddef.h>

struct an_solver;
struct an_level;

/* Number of coarsest levels that are replicated: those with at most mpi.whole_below cells in all. Where the case does not
 * say: AN_TUNE_REPLICATED_CELLS on up to AN_TUNE_REPLICATED_RANKS GPUs (device: 1), else none. 0 on one rank. The same on all
 * ranks. Needs the levels and boundaries of the plan. */
int an_replicated_count(const struct an_solver *s, int device);
/* Cells of these levels, in all. */
int64_t an_replicated_cells(const struct an_solver *s, int count);

/* Tiles of the coarser level c that go with the interior of the finer level l in operations between both. */
const struct an_tiles *an_replicated_beside(const struct an_level *l, const struct an_level *c);

/* This rank in the partition of a level: 0 on a replicated one. */
int an_replicated_rank(const struct an_solver *s, const struct an_level *l);

/* Gives parts of an array to all ranks: each rank has filled other bytes and left the rest zero. Collective. */
int an_replicated_join_bytes(const struct an_solver *s, void *bytes, size_t count);
/* Gives a field of a replicated level, whose blocks of own pieces are filled, ghost cells included, to all ranks;
 * waits for the engine. Collective, and the status is the same on every rank. */
int an_replicated_join(struct an_solver *s, struct an_level *l, enum an_field field);

#endif
