/* A solver: the blocks of one rank, their fields, and the march in time.
 *
 * All functions are collective over the solver's communicator unless they say otherwise.
 *
 *   an_solver_new ..... blocks, nodes, metrics, boundaries, halo, parts; no state yet
 *   an_solver_fill_initial / an_solver_fill / an_solver_restart ..... the state
 *   an_solver_step ..... one time step or steady iteration
 *   an_solver_measure ..... residual norms and what passes the boundaries
 *   an_solver_write ..... a snapshot
 */
#ifndef AN_SOLVER_MARCH_H
#define AN_SOLVER_MARCH_H

#include "solver/level/solver.h"
#include "solver/monitor/measure.h"
#include "solver/output/state.h"
#include "solver/output/writer.h"

/* Takes pointers to a case, an open mesh and an engine that must outlive the solver. */
int an_solver_new(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                  struct an_engine *engine, struct an_solver *s);
void an_solver_destroy(struct an_solver *s);

/* The case's uniform initial state, and what full multigrid makes of it. */
int an_solver_fill_initial(struct an_solver *s);

/* One step. Unsteady: `limit` > 0 shortens it so that time does not pass `limit`. */
int an_solver_step(struct an_solver *s, double limit);

/* Bytes per rank, estimated before anything is allocated. */
struct an_memory {
    int64_t device, host;
    int64_t least; /* of the device, surely */
};
struct an_memory an_solver_memory(const struct an_partition *p, int rank, const struct an_case *c);

/* What there is to tell of a gas with cp(T), and temperatures of the case beyond its range; nothing
 * with gamma. Not collective. */
void an_solver_print_gas(const struct an_case *c, FILE *out);

/* What a solver decides before it allocates anything: boundaries, levels, lines, the pieces of all
 * ranks in level[0].partition. The struct is for an_solver_destroy, or an_solver_new goes on. */
int an_solver_plan(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                   struct an_solver *s);
#endif
