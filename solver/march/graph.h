/* Iterations that are recorded once and replayed: on a GPU one launch then replaces thousands.
 *
 * A recording holds the operations of an iteration with the addresses of the fields and the
 * parameters of the stencils, but for those that a steady march changes from step to step (AN_RUNTIME_LIST):
 * kernels read these from engine memory. The first iteration is launched operation by operation; the second
 * is recorded, and replayed from then on. Where an address or a parameter has changed, the
 * iteration is recorded anew, which costs less than launching, because the device is still busy
 * with the iteration before. The results are the same, bit for bit.
 *
 * Iterations are not recorded where the host takes part in them: where halos travel by way of the
 * host, or the time step follows from the flow. Where a recording fails for another reason, this
 * iteration and all later ones are launched operation by operation.
 */
#ifndef AN_SOLVER_GRAPH_H
#define AN_SOLVER_GRAPH_H

#include "kernels/engine/engine.h"
#include "mpi/coarsen.h"

struct an_solver;

/* A slot for each level, one for steps whose residual is known, one for the turbulence where it is recorded behind the
 * flow, and those of a dual march. */
enum {
    AN_GRAPH_KNOWN = AN_MAX_LEVEL,
    AN_GRAPH_TURBULENCE,
    AN_GRAPH_TIME_START,
    AN_GRAPH_INNER, /* two, by turns */
    AN_MAX_GRAPH = AN_GRAPH_INNER + 2
};

struct an_graph {
    int on;
    char reason[256]; /* "iterations are recorded", or why not */
    int64_t recorded, replayed;
    struct an_graph_slot {
        struct an_recording *recording; /* NULL: none */
        void *key; /* owned: addresses and parameters of the last iteration; NULL: none yet */
    } slot[AN_MAX_GRAPH];
};

/* Finds out whether this solver's iterations can be recorded. The halos stand. */
void an_graph_prepare(struct an_solver *s, struct an_graph *r);
/* Runs work(s, argument), or replays what it issued before. The function may change data of the
 * host only in the same way each time. slot: a number for each kind of work. */
int an_graph_run(struct an_solver *s, struct an_graph *r, int slot,
                 int (*work)(struct an_solver *s, int argument), int argument);
/* Drops all recordings: iterations are recorded anew. */
void an_graph_forget(struct an_solver *s, struct an_graph *r);
void an_graph_destroy(struct an_solver *s, struct an_graph *r);

#endif
