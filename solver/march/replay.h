/* Iterations recorded once and replayed: on a GPU one launch stands for thousands.
 *
 * What is recorded is the operations of an iteration with the addresses of the fields and the
 * parameters of the stencils. The first iteration is launched plainly; the second is recorded, and
 * replayed from then on; where something of this has changed it is recorded anew, which costs less
 * than launching (the device still works on the one before). The answer is the same, bit for bit.
 *
 * Iterations are not recorded where the host takes part in them: halos that travel by way of the
 * host, a time step that follows from the flow. Where a recording fails for another reason, the
 * iteration is launched plainly, and so are all that follow.
 */
#ifndef AN_SOLVER_REPLAY_H
#define AN_SOLVER_REPLAY_H

#include "kernels/engine/engine.h"
#include "mpi/coarsen.h"

struct an_solver;

enum { AN_MAX_REPLAY = AN_MAX_LEVEL + 1 }; /* a level each; steps from a known residual */

struct an_replay {
    int on;
    char reason[256]; /* "iterations are recorded", or why not */
    int64_t recorded, replayed;
    struct an_replay_slot {
        struct an_recording *recording; /* NULL: none */
        void *key; /* owned: what the last iteration depended on, NULL: none yet */
    } slot[AN_MAX_REPLAY];
};

/* Finds out whether this solver's iterations can be recorded. The halos stand. */
void an_replay_start(struct an_solver *s, struct an_replay *r);
/* Runs work(s, argument), which issues operations and changes nothing of the host but what it
 * would change again in the same way. slot: one for each kind of work. */
int an_replay_run(struct an_solver *s, struct an_replay *r, int slot,
                  int (*work)(struct an_solver *s, int argument), int argument);
void an_replay_end(struct an_solver *s, struct an_replay *r);

#endif
