#include "solver/app/idle.h"

#include "mpi/partition.h"
#include "mpi/reduce.h"
#include "solver/app/signals.h"
#include "solver/march/march.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

int an_idle_split(MPI_Comm comm, const struct an_input *in, struct an_idle *w)
{
    int rank, size;
    int64_t most;
    char why[AN_PARTITION_WHY];
    *w = (struct an_idle){.all = comm, .working = comm};
    AN_MPI(MPI_Comm_rank(comm, &rank));
    AN_MPI(MPI_Comm_size(comm, &size));
    if (size <= in->mesh.topology.nblock) /* each zone is a piece */
        return AN_OK;
    AN_TRY(an_solver_most_ranks(comm, &in->c, &in->mesh, &most, why));
    if (size <= most)
        return AN_OK;
    w->idle = rank >= most;
    snprintf(w->remark, sizeof w->remark, "%d of %d ranks compute and %d idle%s: %s", (int)most,
             size, size - (int)most, size - (int)most == 1 ? "s" : "", why);
    AN_MPI(MPI_Comm_split(comm, w->idle, rank, &w->working));
    return AN_OK;
}

enum { TAG = 17 };

int an_idle_signal(const struct an_idle *w)
{
    int number = 0, there = 0;
    if (w->working == w->all ||
        MPI_Iprobe(MPI_ANY_SOURCE, TAG, w->all, &there, MPI_STATUS_IGNORE) != MPI_SUCCESS || !there)
        return 0;
    const int got = MPI_Recv(&number, 1, MPI_INT, MPI_ANY_SOURCE, TAG, w->all, MPI_STATUS_IGNORE);
    return got == MPI_SUCCESS ? number : 0;
}

int an_idle_join(struct an_idle *w, int status)
{
    enum { PAUSE = 10000 }; /* us between two looks */
    static int number;      /* of the signal; in place until it was sent */
    if (w->working == w->all)
        return status;
    MPI_Request request;
    int done = 0;
    AN_MPI(MPI_Comm_free(&w->working));
    AN_MPI(MPI_Ibcast(&status, 1, MPI_INT, 0, w->all, &request));
    while (!done) {
        AN_MPI(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
        if (w->idle && !number && an_signals_stop()) {
            MPI_Request sent;
            number = an_signals_stop();
            AN_MPI(MPI_Isend(&number, 1, MPI_INT, 0, TAG, w->all, &sent));
            AN_MPI(MPI_Request_free(&sent));
        }
        if (!done)
            usleep(PAUSE);
    }
    return status;
}
