#include "solver/app/session.h"

#include "io/folder.h"
#include "io/temporary.h"
#include "kernels/engine/meter.h"
#include "mpi/reduce.h"
#include "solver/app/device.h"
#include "solver/app/lines.h"
#include "solver/app/lost.h"
#include "solver/app/report.h"
#include "solver/app/signals.h"
#include "solver/boundary/control.h"
#include "solver/march/acceleration.h"
#include "solver/march/cfl.h"
#include "solver/march/recovery.h"
#include "solver/march/settling.h"
#include "solver/monitor/performance.h"
#include "solver/output/geometry.h"
#include "solver/output/insitu.h"
#include "solver/output/version.h"
#include "solver/output/writer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rank 0: makes the output folder and locks it for this run. */
static int take_folder(struct an_session *r)
{
    const char *folder = r->in.c.output.folder;
    char message[512];
    AN_TRY(an_folder_make(folder));
    AN_TRY(an_lock_take(folder, &r->lock, message));
    if (*message)
        printf("lock        %s\n", message);
    an_temporary_clean(folder); /* what a killed run has left */
    return AN_OK;
}

/* Free memory of the device, bytes; 0: the engine has no device. */
static int room(struct an_session *r, int64_t *left)
{
    int64_t all;
    return an_engine_room(&r->engine, left, &all);
}

/* Memory that the set-up has taken: r->memory and r->per_cell. */
static int count_memory(struct an_session *r, int64_t before)
{
    int64_t left;
    AN_TRY(an_reduce_status(r->comm, room(r, &left)));
    r->memory = r->per_cell = (double)(before - left);
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, &r->per_cell, 1, MPI_DOUBLE, MPI_SUM, r->comm));
    r->per_cell /= (double)an_topology_cells(&r->in.mesh.topology);
    return an_reduce_max(r->comm, 1, &r->memory);
}

/* Rate at which coordinates were read: bytes of all ranks over the time of the slowest. */
static int rate_reading(struct an_session *r)
{
    struct an_solver_info run;
    an_solver_info(r->solver, &run);
    double bytes = run.read_bytes, seconds = run.read_seconds;
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_SUM, r->comm));
    AN_TRY(an_reduce_max(r->comm, 1, &seconds));
    r->mesh_rate = seconds > 0 ? bytes / seconds : 0;
    return AN_OK;
}

int an_session_prepare(struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    AN_TRY(an_watch_begin(r->comm, c->mpi.lost_after, an_lost_end, &r->watch));
    AN_TRY(an_reduce_status(r->comm, r->rank == 0 ? take_folder(r) : AN_OK));
    char idle[AN_DEVICE_WARNING];
    AN_TRY(an_device_choose(r->comm, c->device, c->precision, &r->engine, r->reason, idle));
    AN_TRY(an_reduce_status(r->comm,
                            an_tiles_choose(&r->engine, c->gpu.tiles, an_version(), r->tiles)));
    int64_t before;
    AN_TRY(an_reduce_status(r->comm, room(r, &before)));
    an_engine_time_waits(&r->engine, c->mpi.timing);
    AN_TRY(an_solver_new(r->comm, c, &r->in.mesh, &r->engine, &r->solver));
    if (r->on_made)
        AN_TRY(r->on_made(r->context));
    AN_TRY(count_memory(r, before));
    AN_TRY(rate_reading(r));
    r->integral = calloc((size_t)r->in.mesh.topology.nboundary + 1, sizeof *r->integral);
    const struct an_performance *rows = an_performance_of(r->solver);
    r->nrow = rows ? rows->nrow + 1 : 0;
    r->row = calloc((size_t)r->nrow + 1, sizeof *r->row);
    r->ncontrol = an_control_reports(r->solver, NULL);
    r->control = calloc((size_t)r->ncontrol + 1, sizeof *r->control);
    r->solid = calloc((size_t)r->in.c.nsolid + 1, sizeof *r->solid);
    AN_CHECK(r->integral && r->row && r->control && r->solid, AN_FAIL, "out of memory");
    an_writer_warnings(r->solver, &r->warnings);
    AN_TRY(an_session_check_mesh(r));
    AN_TRY(an_geometry_checksum(r->solver, &r->coordinates));
    AN_TRY(an_insitu_begin(r->solver));
    if (*c->output.catalyst)
        an_signals_catch(); /* Python may have taken them */
    if (r->rank == 0)
        an_session_greet(r);
    if (r->rank == 0 && *idle)
        an_session_warn(r, 0, "%s", idle);
    if (r->rank == 0 && *r->ranks.remark)
        an_session_warn(r, 0, "%s", r->ranks.remark);
    AN_TRY(an_session_doubt(r));
    if (r->o->restart)
        return an_session_restart(r);
    AN_TRY(an_solver_fill_initial(r->solver));
    struct an_solver_info run;
    an_solver_info(r->solver, &run);
    if (run.start_diverged)
        an_session_warn(r, 0,
                        "full multigrid diverged from the initial state, so the march starts from "
                        "the initial state itself; an initial state nearer to the flow helps");
    return AN_OK;
}

/* What all ranks agree on between two iterations. */
struct request {
    const char *stop; /* why the march has to end; NULL: it goes on */
    int written;      /* no rank writes a snapshot any more */
    int snapshot;     /* a file SNAPSHOT in the output folder asked for one, not written yet */
};

/* Rank 0: is the file of this name in the output folder? Removes it. One that cannot be removed, such as a
 * folder, asks for the end all the same, but not for a snapshot after each iteration. */
static int take_file(const struct an_session *r, const char *name)
{
    char file[AN_PATH + 16];
    snprintf(file, sizeof file, "%s/%s", r->in.c.output.folder, name);
    if (access(file, F_OK))
        return 0;
    return unlink(file) == 0 || !strcmp(name, "STOP");
}

/* Collective: what the clock, a file or a signal has asked of any rank. */
static int asked(struct an_session *r, struct request *q)
{
    enum { NO, CLOCK, STOP_FILE, SIGNAL }; /* SIGNAL + its number; the largest wins */
    const struct an_case *c = &r->in.c;
    int reason = NO, snapshot = 0;
    if (r->rank == 0) {
        an_lock_refresh(&r->lock);
        if (c->march.wall_time > 0 && MPI_Wtime() - r->started > c->march.wall_time)
            reason = CLOCK;
        if (take_file(r, "STOP"))
            reason = STOP_FILE;
        snapshot = take_file(r, "SNAPSHOT");
    }
    const int signal = an_signals_stop() ? an_signals_stop()
                       : r->rank == 0    ? an_idle_signal(&r->ranks)
                                         : 0;
    if (signal)
        reason = SIGNAL + signal;
    int agree[3] = {reason, !an_writer_done(r->solver), snapshot};
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, agree, 3, MPI_INT, MPI_MAX, r->comm));
    reason = agree[0];
    q->written = !agree[1];
    q->snapshot |= agree[2];
    q->stop = reason == NO          ? NULL
              : reason == CLOCK     ? "the wall-time limit"
              : reason == STOP_FILE ? "the STOP file"
                                    : an_signals_name(reason - SIGNAL);
    return AN_OK;
}

int an_session_complete(struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    struct an_written w;
    if (an_writer_done(r->solver) == 2)
        return AN_OK;
    AN_TRY(an_session_finish_write(r, &w));
    snprintf(r->snapshot, sizeof r->snapshot, "%s", w.path);
    r->written = w.bytes_per_s;
    r->write_waited = w.waited;
    const int64_t passed = an_solver_iteration(r->solver) - r->write_begun;
    r->write_passed = passed > r->write_passed ? passed : r->write_passed;
    int status = AN_OK;
    if (r->rank == 0)
        status = an_snapshot_tidy(c->output.folder, "flow", c->output.keep);
    if (r->rank == 0 && status == AN_OK)
        status = an_snapshot_tidy(c->output.folder, "wall", c->output.keep);
    if (r->rank == 0 && status == AN_OK)
        status = an_snapshot_tidy(c->output.folder, "solid", c->output.keep);
    if (r->rank == 0 && status == AN_OK)
        status = an_snapshot_tidy(c->output.folder, "profile", c->output.keep);
    an_session_info(r, AN_END_RUNNING, 0, NULL);
    AN_TRY(an_reduce_status(r->comm, status));
    return r->on_written ? r->on_written(r->context) : AN_OK;
}

/* Begins a snapshot of the present state; within: as write_within. */
static int start_write(struct an_session *r, int within)
{
    AN_TRY(an_session_complete(r));
    r->write_within = within;
    AN_TRY(an_session_look(r));
    an_insitu_wait(r->solver);
    r->write_begun = an_solver_iteration(r->solver);
    return an_writer_start(r->solver);
}

/* Hands the present state to Catalyst. */
static int show(struct an_session *r)
{
    char trouble[512];
    an_writer_wait(r->solver);
    AN_TRY(an_insitu_show(r->solver, trouble));
    if (*trouble && r->rank == 0)
        an_session_warn(r, 0, "%s", trouble);
    r->shown = an_solver_iteration(r->solver);
    return AN_OK;
}

/* The last state, unless it was shown, and the end of what Catalyst still does. */
static int show_end(struct an_session *r)
{
    char trouble[512];
    if (r->shown != an_solver_iteration(r->solver))
        AN_TRY(show(r));
    AN_TRY(an_insitu_finish(r->solver, trouble));
    if (*trouble && r->rank == 0)
        an_session_warn(r, 0, "%s", trouble);
    return AN_OK;
}

/* How long devices have waited for halos since the last call, s: the longest of a rank; < 0: not
 * measured. */
static int waited(struct an_session *r, double *seconds)
{
    AN_TRY(an_reduce_status(r->comm, an_engine_waited(&r->engine, seconds)));
    return an_reduce_max(r->comm, 1, seconds);
}

/* Goes back to a stored state, if there is one. left: as in an_recovery_back. */
static int go_back(struct an_session *r, const char *why, int left, int *back)
{
    const int limited = an_march_limits_finest(r->solver);
    AN_TRY(an_recovery_back(r->solver, left, back));
    if (*back && r->rank == 0)
        printf("recovery    %s\nrecovery    an earlier state again, CFL number up to %.3g%s\n", why,
               an_line_cfl(r),
               limited && !an_march_limits_finest(r->solver)
                   ? ", on the finest level, too: march.cfl_finest no longer limits it"
                   : "");
    return AN_OK;
}

/* Adds what helps to the text of a divergence in the first iterations of a steady march. */
static void advise(const struct an_session *r, const char *why)
{
    enum { EARLY = 200 };
    const struct an_case *c = &r->in.c;
    const int early = an_solver_iteration(r->solver) < r->first + EARLY;
    if (c->march.mode != AN_MARCH_STEADY || !early)
        return;
    an_error_set(AN_DIVERGED,
                 c->march.method == AN_METHOD_IMPLICIT
                     ? "%s; the start is too abrupt: give a longer march.cfl_ramp with a smaller "
                       "march.cfl_start, or an initial state nearer to the flow"
                     : "%s; the start is too abrupt for an explicit march: give march.cfl_start: "
                       "0.5 and march.cfl_ramp: 100, march.method: implicit, or an initial state "
                       "nearer to the flow",
                 why);
}

/* After a divergence: goes back. *back: as end_line. */
static int recover(struct an_session *r, int *back)
{
    char why[1024];
    snprintf(why, sizeof why, "%s", an_error_text());
    AN_TRY(go_back(r, why, 0, back));
    if (!*back)
        advise(r, why);
    return AN_OK;
}

/* After a measurement: does the march leave a flow that had nearly settled? Where no state is left to
 * go back to, it goes on, and the run says in the end that it has not settled. */
static int hold(struct an_session *r, int *back)
{
    const struct an_history_line *line = &r->line;
    struct an_leaving l;
    char why[256];
    if (!an_recovery_leaves(r->solver, line->iteration, line->residual[0], line->residual_drop, &l))
        return AN_OK;
    snprintf(
        why, sizeof why,
        "iteration %lld: the residual has become %.2g times as large within %lld iterations: the "
        "march leaves a flow that had nearly settled",
        (long long)line->iteration, l.times, (long long)l.passed);
    return go_back(r, why, 1, back);
}

/* Does less enter the machine than least_flow? Not asked within the first iterations after a new setting. */
static int has_fallen(const struct an_session *r)
{
    enum { PATIENCE = 100 };
    return r->least_flow > 0 && r->nrow > 0 && r->line.iteration >= r->flow_from + PATIENCE &&
           !(r->row[r->nrow - 1][AN_ROW_MASS_IN] >= r->least_flow);
}

/* Does the flow swing a little about a mean that stays, over iterations since the mixing of its cycles was given up? Then
 * more of them tell nothing new. Larger swings may still end: those of choked rows do. */
static int only_swings(const struct an_session *r)
{
    const double little = 0.005; /* of the mass flow */
    struct an_motion m;
    if (!r->ends_swinging || !an_accel_given_up(r->solver))
        return 0;
    an_settling_find(r->solver, &m);
    return an_motion_swings_by(&m, little) &&
           !an_accel_holds(r->solver, AN_STOP_SAMPLES / 2 * an_settling_every(r->solver));
}

/* Does the last line of the table end the march? */
static enum an_ending ending_of_line(const struct an_session *r)
{
    return an_line_converged(r) ? AN_END_CONVERGED
           : has_fallen(r)      ? AN_END_FALLEN
           : only_swings(r)     ? AN_END_FINISHED
                                : AN_END_RUNNING;
}

/* A march that was stopped after it had recorded the line that ends it: the line ends the march that continues
 * it, too, after one more iteration, as without the stop. */
static enum an_ending ending_before(struct an_session *r)
{
    const int continues = r->continues;
    r->continues = 0;
    return continues && r->line.iteration % r->in.c.output.history_every == 0 ? ending_of_line(r)
                                                                              : AN_END_RUNNING;
}

/* Ends the line that was started an iteration ago, whose results an_line_take took with `status`. *back: 1 if the flow
 * had diverged and the march has gone back to an earlier state. *ending changes if the line ends the march. The state that is stored here, one
 * iteration after the line, becomes the one to go back to only after a later state has been stored, so after
 * further lines without a fault. */
static int end_line(struct an_session *r, int status, int *back, enum an_ending *ending)
{
    *back = 0;
    if (status == AN_DIVERGED)
        AN_TRY(recover(r, back));
    if (*back)
        return AN_OK;
    AN_TRY(status);
    AN_TRY(an_line_finish(r));
    AN_TRY(hold(r, back));
    if (*back)
        return AN_OK;
    AN_TRY(an_recovery_keep(r->solver));
    *ending = ending_of_line(r);
    return AN_OK;
}

/* Measures the present state between two lines of the table. *back: as end_line. */
static int look(struct an_session *r, int *back)
{
    const int status = an_line_measure(r);
    *back = 0;
    if (status == AN_DIVERGED)
        AN_TRY(recover(r, back));
    if (*back)
        return AN_OK;
    AN_TRY(status);
    return hold(r, back);
}

/* The times of the parts of the last iteration, if the engine has measured them. */
static int take_times(struct an_session *r)
{
    const int status = an_engine_marked(&r->engine, r->marked[0], r->marked[1]);
    r->timed = status == AN_OK;
    AN_TRY(an_reduce_status(r->comm, status == AN_STOPPED ? AN_OK : status));
    return an_reduce_max(r->comm, 2 * AN_MARKS, r->marked[0]);
}

/* Iterations per second: of the last line; before the first line, the mean since the march began. */
static double rate(const struct an_session *r)
{
    const double seconds = MPI_Wtime() - r->marched;
    if (r->line.rate > 0 && r->line.iteration > r->first)
        return r->line.rate;
    return seconds > 0 ? (double)(an_solver_iteration(r->solver) - r->first) / seconds : 0;
}

/* What a march knows between iterations. */
struct march {
    struct request request;
    int64_t written; /* iteration of the last snapshot; -1: none yet */
    int64_t looked;  /* iteration that was measured between lines last; -1: none yet */
    int started;     /* 1: the results of a line are on their way */
};

/* The head of the march, the line of its first state, and the state to go back to. *ending: as ending_before. */
static int begin_march(struct an_session *r, enum an_ending *ending)
{
    struct an_solver *s = r->solver;
    r->first = an_solver_iteration(s);
    r->first_time = an_solver_time(s);
    if (r->rank == 0 && r->march_seconds == 0) {
        printf("start       %.1f s before the first iteration", MPI_Wtime() - r->started);
        struct an_solver_info run;
        an_solver_info(s, &run);
        if (run.wall_facets)
            printf("; distances to %d wall triangles %.2f s", run.wall_facets, run.wall_seconds);
        printf("\n");
        fflush(stdout);
    }
    r->marched = MPI_Wtime();
    r->write_ended = 1; /* where the march breaks off */
    if (an_solver_iteration(s) == 0) {
        an_settling_forget(
            s); /* this line is the first, also of a march that was stopped before it began */
        AN_TRY(an_line_record(r));
    } else {
        AN_TRY(an_line_measure(r));
        *ending = ending_before(r);
    }
    AN_TRY(an_recovery_keep(s));
    AN_TRY(waited(r, &r->waited));
    r->march_seconds = -MPI_Wtime();
    return AN_OK;
}

/* Starts a line where one is due; else measures the state where the recovery asks for that. *back: as end_line. */
static int measure(struct an_session *r, struct march *m, int *back)
{
    const int64_t iteration = an_solver_iteration(r->solver);
    m->started = iteration % r->in.c.output.history_every == 0;
    if (m->started)
        return an_line_start(r);
    if (!an_recovery_looks(r->solver))
        return AN_OK;
    AN_TRY(look(r, back));
    if (*back)
        return AN_OK;
    an_line_control(r);
    m->looked = iteration;
    return AN_OK;
}

/* Begins a snapshot where one is due, after a look at the state: one that diverged is never written. *back and
 * *ending: as end_line. */
static int write_due(struct an_session *r, struct march *m, int *back, enum an_ending *ending)
{
    const int every = r->in.c.output.every;
    if (!m->request.snapshot && !(every > 0 && an_solver_iteration(r->solver) % every == 0))
        return AN_OK;
    if (m->started) {
        AN_TRY(end_line(r, an_line_take(r), back, ending));
    } else {
        AN_TRY(look(r, back));
        m->looked = an_solver_iteration(r->solver);
    }
    m->started = 0;
    if (*back)
        return AN_OK;
    AN_TRY(start_write(r, *ending == AN_END_RUNNING));
    m->written = an_solver_iteration(r->solver);
    m->request.snapshot = 0;
    return AN_OK;
}

/* One step, with the line, the snapshot and the picture that follow it. *ending: as end_line. */
static int march_step(struct an_session *r, struct march *m, int64_t last, double end,
                      enum an_ending *ending)
{
    const struct an_case *c = &r->in.c;
    struct an_solver *s = r->solver;
    int back = 0, taken = AN_OK;
    AN_TRY(an_solver_step_begin(s, end));
    if (m->started)
        taken = an_line_take(r);
    AN_TRY(an_solver_step_end(s));
    if (r->rank == 0)
        an_history_progress(r->history, an_solver_iteration(s), an_line_last(r, last), rate(r));
    if (m->started)
        AN_TRY(end_line(r, taken, &back, ending));
    m->started = 0;
    if (back || *ending != AN_END_RUNNING)
        return AN_OK;
    AN_TRY(measure(r, m, &back));
    if (back)
        return AN_OK;
    AN_TRY(write_due(r, m, &back, ending));
    if (back || *ending != AN_END_RUNNING)
        return AN_OK;
    if (*c->output.catalyst && an_solver_iteration(s) % c->output.catalyst_every == 0)
        AN_TRY(show(r));
    return AN_OK;
}

/* The last line, the last snapshot and the last picture. */
static int end_march(struct an_session *r, struct march *m, enum an_ending *ending)
{
    struct an_solver *s = r->solver;
    if (m->started) {
        int back;
        AN_TRY(end_line(r, an_line_take(r), &back, ending));
        r->line.iteration = back ? -1 : r->line.iteration;
    }
    AN_TRY(waited(r, &r->waited));
    r->march_seconds += MPI_Wtime();
    AN_TRY(take_times(r));
    if (r->line.iteration != an_solver_iteration(s) || m->looked == an_solver_iteration(s))
        AN_TRY(an_line_record(r));
    if (m->written != an_solver_iteration(s)) {
        /* The stored vectors of the acceleration are left out of the snapshot of a flow that has converged: with
         * them it would hold about thirty vectors in place of a few. */
        if (!m->request.stop && (*ending == AN_END_CONVERGED || r->leave_write))
            an_accel_release(s);
        AN_TRY(start_write(r, m->request.stop != NULL));
    }
    r->write_ended = !r->leave_write || !an_writer_in_background(s);
    if (r->write_ended)
        AN_TRY(an_session_complete(r));
    return *r->in.c.output.catalyst ? show_end(r) : AN_OK;
}

int an_session_march(struct an_session *r, int64_t last, enum an_ending *ending)
{
    const struct an_case *c = &r->in.c;
    struct an_solver *s = r->solver;
    const double end = c->march.mode == AN_MARCH_UNSTEADY ? c->march.end_time : 0;
    struct march m = {.written = r->snapshot[0] ? an_solver_iteration(s) : -1, .looked = -1};
    *ending = AN_END_RUNNING;
    AN_TRY(begin_march(r, ending));
    while ((last == 0 || an_solver_iteration(s) < last) && !(end > 0 && an_solver_time(s) >= end)) {
        AN_TRY(asked(r, &m.request));
        if (m.request.stop)
            break;
        if (m.request.written)
            AN_TRY(an_session_complete(r));
        AN_TRY(march_step(r, &m, last, end, ending));
        if (*ending != AN_END_RUNNING)
            break;
    }
    AN_TRY(end_march(r, &m, ending));
    if (m.request.stop)
        return an_error_set(AN_STOPPED, "stopped by %s at iteration %lld", m.request.stop,
                            (long long)an_solver_iteration(s));
    *ending = *ending == AN_END_RUNNING ? AN_END_FINISHED : *ending;
    return AN_OK;
}

void an_session_free(struct an_session *r)
{
    if (r->history)
        an_history_destroy(r->history);
    an_solver_destroy(r->solver);
    an_engine_destroy(&r->engine);
    free(r->integral);
    free(r->row);
    free(r->control);
    free(r->solid);
    an_input_free(&r->in);
    an_warnings_free(&r->warnings);
    an_lock_release(&r->lock); /* all files are written */
    an_watch_end(r->comm, r->watch);
}
