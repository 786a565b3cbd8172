/* A copy of fields of the present state in memory of the host, for threads that work on it while the
 * march goes on.
 *
 *     an_host_copy_take   the state is in page-locked memory: the next step may change it on the device
 *     an_host_copy_pack   on any thread: arrays as snapshots hold them; output fields that the host computes
 */
#ifndef AN_SOLVER_HOST_COPY_H
#define AN_SOLVER_HOST_COPY_H

#include "solver/level/component.h"
#include "solver/output/packed.h"
#include "solver/output/quantities.h"

struct an_solver;

enum { AN_HOST_COPY_FIELDS = AN_MOST_STATE + AN_NOUTPUT };

struct an_host_copy {
    int nfield;
    const char *name[AN_HOST_COPY_FIELDS];
    char *image[AN_HOST_COPY_FIELDS]; /* page-locked, NULL: computed by pack; owned, kept */
    int used[AN_HOST_COPY_FIELDS];    /* is it of this copy? */
    struct an_quantities host;        /* fields that pack computes; owned, kept ... */
    int place[AN_NOUTPUT];            /* ... and their numbers among the nfield */
    int threads;                      /* of the rank, for pack */
    struct an_packed packed;          /* owned; field f of block b: packed.field[b * nfield + f] */
};

/* Brings fields state[nstate], and those of output.fields that are not among them, to the host. Arrays
 * of an earlier copy are taken again if they are still there: the fields are then the same. Collective; on
 * an error an_packed_free(&copy->packed) follows. */
int an_host_copy_take(struct an_solver *s, int nstate, const struct an_state_field *state,
                      struct an_host_copy *copy);
/* Fills copy->packed. Not collective. */
void an_host_copy_pack(const struct an_solver *s, struct an_host_copy *copy);
/* Not collective. */
void an_host_copy_free(struct an_solver *s, struct an_host_copy *copy);

#endif
