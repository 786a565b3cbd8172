/* A steady implicit march that diverges goes back and on with more caution.
 *
 *     keep ......... now and then: the present state into the host's memory, beside the one before
 *     back ......... after a divergence: the older of both again, half the Courant number (but
 *                    not below that of the first iteration), a ramp from there; the number of
 *                    iterations stays, so that history.csv does not go back
 *     begin ........ a new flow begins (a point of a map): what was kept is forgotten, the ramp
 *                    begins again, and half of the caution is given up
 *
 * The older state: what diverges has grown for a while, and the newer one may have it already. The
 * run has failed when AN_RECOVERIES such tries have. Caution and the ramp are part of the record of
 * a snapshot; what is kept is not, so a restart that diverges goes back to where it started.
 */
#ifndef AN_SOLVER_RECOVERY_H
#define AN_SOLVER_RECOVERY_H

#include "solver/solver.h"

enum { AN_RECOVERIES = 4, AN_RECOVERY_EVERY = 50 };

struct an_recovery {
    int n; /* states kept */
    int tries;
    struct an_kept {
        int64_t iteration;
        double residual_first[5];
        void *flow, *turbulence;       /* W and TURB (or MUT), ghosts included; owned */
        struct an_snapshot_meta *meta; /* controls only; owned */
    } kept[2];                         /* the older one first */
};

/* All collective. Does this run keep states? */
int an_recovery_wanted(const struct an_solver *s);
/* Keeps the state if that is due. */
int an_recovery_keep(struct an_solver *s);
/* After AN_DIVERGED: *back: 1, or 0 where nothing is left to go back to. */
int an_recovery_back(struct an_solver *s, int *back);
/* ramp: a ramp of the Courant number from here on. */
void an_recovery_begin(struct an_solver *s, int ramp);
void an_recovery_destroy(struct an_solver *s);

#endif
