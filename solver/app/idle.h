/* Ranks for which the mesh has no piece. They read the case and the mesh as all do, and then wait for the end of the run
 * without taking processor time; the others compute among themselves. */
#ifndef AN_SOLVER_IDLE_H
#define AN_SOLVER_IDLE_H

#include "solver/app/input.h"

#include <mpi.h>

enum { AN_IDLE_REMARK = 512 };
struct an_idle {
    MPI_Comm all,
        working; /* working: of the ranks that compute, or of those that wait; `all` where none waits */
    int idle;                    /* 1: this rank waits */
    char remark[AN_IDLE_REMARK]; /* how many ranks compute, and why not more; "" where all do */
};

/* Collective over `comm`. */
int an_idle_split(MPI_Comm comm, const struct an_input *in, struct an_idle *w);
/* Rank 0 of those that compute: the signal that asked an idle rank to stop, or 0. Not collective. */
int an_idle_signal(const struct an_idle *w);
/* Collective over all ranks, behind the work: those that idled wait here, and return the status of the others. Not to be
 * called after AN_FAIL, with which the job is aborted. */
int an_idle_join(struct an_idle *w, int status);

#endif
