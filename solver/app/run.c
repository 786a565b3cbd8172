/* `annulus run`: from a case file to a converged flow. */
#include "solver/app/run.h"

#include "mpi/reduce.h"
#include "solver/app/doubts.h"
#include "solver/app/report.h"
#include "solver/app/session.h"
#include "solver/app/signals.h"
#include "solver/output/geometry.h"

#include <stdio.h>

static int run_case(struct an_session *r)
{
    AN_TRY(an_session_prepare(r));
    AN_TRY(an_reduce_status(r->comm, r->rank == 0 ? an_session_begin(r) : AN_OK));
    AN_TRY(an_geometry_write(r->solver));
    an_session_info(r, AN_END_RUNNING, 0, NULL);
    enum an_ending ending;
    const int status = an_session_march(r, r->in.c.march.iterations, &ending);
    ending = an_ending_of(status, ending);
    if (status == AN_OK)
        AN_TRY(an_stagnation_find(r->solver, &r->stagnation));
    if (status == AN_OK)
        AN_TRY(an_gas_range_find(r->solver, &r->range));
    if (status == AN_OK)
        an_session_settle(r, ending);
    if (r->rank == 0 && status == AN_OK)
        an_session_judge(r);
    an_session_name_state(r, ending);
    an_session_info(r, ending, status, status == AN_OK ? NULL : an_error_text());
    if (r->rank == 0 && (status == AN_OK || status == AN_STOPPED))
        an_session_report(r, ending);
    if (r->rank == 0 && status == AN_DIVERGED && r->snapshot[0])
        fprintf(stderr, "annulus: the last good snapshot is %s\n", r->snapshot);
    return status;
}

int an_run(MPI_Comm comm, const struct an_options *o, int *printed)
{
    static struct an_session r; /* outlives a failure: a snapshot may be on its way to disk */
    r = (struct an_session){
        .comm = comm, .o = o, .started = MPI_Wtime(), .commands = AN_DOUBTS_RUN};
    AN_MPI(MPI_Comm_rank(comm, &r.rank));
    an_signals_catch();
    int status = an_input_read(comm, o, &r.in, printed);
    if (status == AN_OK)
        status = an_idle_split(comm, &r.in, &r.ranks);
    const int shared = status == AN_OK;
    if (shared)
        r.comm = r.ranks.working;
    if (shared && !r.ranks.idle)
        status = run_case(&r);
    if (status == AN_FAIL) { /* main aborts: other ranks may be waiting */
        an_lock_release(&r.lock);
        return status;
    }
    an_session_free(&r);
    return shared ? an_idle_join(&r.ranks, status) : status;
}
