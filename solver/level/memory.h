/* What a level of a case holds in memory: one list, by which levels are allocated and from which
 * the memory of a run is estimated before anything is allocated. */
#ifndef AN_SOLVER_MEMORY_H
#define AN_SOLVER_MEMORY_H

#include "io/case.h"
#include "kernels/physics/fields.h"
#include "mpi/partition.h"

/* AN_LATER: allocated by the part of the run that uses it. */
enum an_own { AN_NOT = 0, AN_OWN, AN_LATER };

struct an_level_memory {
    enum an_own field[AN_NFIELD]; /* AN_NOT: the level does not have it, or it lies in another's
                                     memory (an_level_share) */
    int states;                   /* W of the Runge-Kutta stages: 1 or 2 */
};

/* Are the viscous terms of the level thin layers (level.h)? Not with models that find their eddy
 * viscosity on coarse levels, too, from gradients. */
int an_level_is_thin(const struct an_case *c, int finest);
/* finest: is it the finest level? turns: do zones of the mesh turn? */
struct an_level_memory an_level_memory_of(const struct an_case *c, int finest, int rotating);

/* Bytes per rank, estimated before anything is allocated. */
struct an_memory {
    int64_t device, host;
    int64_t least; /* of the device, surely */
};
/* whole: cells of the levels that every rank holds whole (replicated.h), in all. */
struct an_memory an_solver_memory(const struct an_partition *p, int rank, const struct an_case *c,
                                  int64_t whole);

#endif
