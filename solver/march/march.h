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

#include "io/case.h"
#include "io/mesh.h"
#include "kernels/engine/engine.h"
#include "mpi/halo.h"
#include "mpi/partition.h"
#include "solver/monitor/measure.h"
#include "solver/output/state.h"
#include "solver/output/writer.h"

struct an_solver;

/* *s keeps pointers to the case, the open mesh and the engine, which must outlive it. AN_INPUT, in
 * plain words: what the case asks for and the mesh or the device cannot give. After an error, too, *s
 * is the caller's to destroy; NULL: nothing was made. */
int an_solver_new(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                  struct an_engine *engine, struct an_solver **s);
/* The same with the pieces and the wall distances of `like`, a solver of the same engine and mesh whose walls have the same
 * faces. Pieces may lie anywhere for a solver with one multigrid level. */
int an_solver_new_like(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                       struct an_engine *engine, const struct an_solver *like,
                       struct an_solver **s);
/* NULL is allowed. */
void an_solver_destroy(struct an_solver *s);

/* The case's initial state, uniform or of a mean line through the rows, and what full multigrid makes of it. Where full
 * multigrid diverges, the initial state stays (start_diverged in an_solver_info). */
int an_solver_fill_initial(struct an_solver *s);

/* One step. Unsteady: `limit` > 0 shortens it so that time does not pass `limit`. */
int an_solver_step(struct an_solver *s, double limit);
/* The same in two parts. On a device the first one only issues work, so that the host may take the results of a
 * measurement while the device computes; the state is that of no iteration until the second one has been called. */
int an_solver_step_begin(struct an_solver *s, double limit);
int an_solver_step_end(struct an_solver *s);

/* The residual that a measurement has just issued belongs to the state of the next step, which need
 * not compute it again. Call it between an_solver_measure_start and the step. Not collective. */
void an_solver_reuse_residual(struct an_solver *s);

/* ---- what a run is and where it stands; not collective ---- */

int64_t an_solver_iteration(const struct an_solver *s); /* steps done */
double an_solver_time(const struct an_solver *s);       /* s, unsteady runs */
/* The pieces of all ranks, in cells of the finest level. */
const struct an_partition *an_solver_partition(const struct an_solver *s);
/* What stands on each boundary of the mesh. */
const struct an_bc_value *an_solver_boundary(const struct an_solver *s);

struct an_solver_info {
    int ranks, stages;
    int implicit, levels;         /* levels of multigrid, and ... */
    int replicated;               /* how many of them every rank computes whole */
    const char *limit;            /* ... why there are no more */
    double cfl, cfl_most;         /* CFL number of the next step; the largest used from now on */
    int start_diverged;           /* 1: full multigrid diverged; the start is the uniform state */
    int lowered;                  /* 1: cfl_most is below that of the case */
    int recording;                /* are iterations recorded and replayed? */
    const char *recording_reason; /* why, or why not */
    int64_t recorded, replayed;   /* iterations */
    struct an_halo_info halo;     /* of the finest level */
    double read_bytes, read_seconds; /* of coordinates, by this rank during the set-up */
    int wall_facets;                 /* triangles of viscous walls; 0: no distances were found */
    double wall_seconds;             /* that the search for distances took */
};
/* Strings live as long as the solver. */
void an_solver_info(const struct an_solver *s, struct an_solver_info *info);

/* What there is to tell of a gas with cp(T), and temperatures of the case beyond its range; nothing
 * with gamma. Not collective. */
void an_solver_print_gas(const struct an_case *c, FILE *out);

/* From where on boundary layers become turbulent; nothing without a model of transition. Not
 * collective. */
void an_solver_print_transition(const struct an_case *c, FILE *out);

/* AN_INPUT where the program was built without kernels for the precision or the gas of the case. Not collective. */
int an_solver_built(const struct an_case *c);

/* The most ranks that can have a piece of the mesh, at least 1; why[AN_PARTITION_WHY]: the sentence that says so.
 * Collective. */
int an_solver_most_ranks(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                         int64_t *most, char *why);

/* What a solver decides before it allocates anything: boundaries, levels, lines, the pieces of all
 * ranks (an_solver_partition). *s is the caller's to destroy. */
int an_solver_plan(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                   struct an_solver **s);

#endif
