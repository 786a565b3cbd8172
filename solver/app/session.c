#include "solver/app/session.h"

#include "io/atomic.h"
#include "kernels/engine/meter.h"
#include "mpi/reduce.h"
#include "solver/app/device.h"
#include "solver/app/signals.h"
#include "solver/boundary/control.h"
#include "solver/boundary/coolant.h"
#include "solver/level/part.h"
#include "solver/march/recovery.h"
#include "solver/march/stop.h"
#include "solver/monitor/figures.h"
#include "solver/monitor/performance.h"
#include "solver/monitor/walls.h"
#include "solver/output/version.h"
#include "solver/output/writer.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int make_folder(const char *path)
{
    enum { LONGEST_FILE = 64 }; /* of those made in it, temporary names included */
    char part[AN_PATH];
    AN_CHECK(strlen(path) + LONGEST_FILE < AN_PATH, AN_INPUT,
             "output.folder '%.60s...' is too long: %zu bytes, at most %d", path, strlen(path),
             AN_PATH - LONGEST_FILE - 1);
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = part + 1; *slash; slash++)
        if (*slash == '/') {
            *slash = '\0';
            (void)mkdir(part, 0777); /* a failure shows below */
            *slash = '/';
        }
    struct stat st;
    if (mkdir(part, 0777) != 0 && errno != EEXIST)
        return an_error_set(AN_INPUT, "output.folder '%s' cannot be made: %s", path,
                            strerror(errno));
    AN_CHECK(stat(part, &st) == 0 && S_ISDIR(st.st_mode), AN_INPUT,
             "output.folder '%s' is not a folder", path);
    char probe[AN_PATH + 32];
    snprintf(probe, sizeof probe, "%s/.annulus-%ld.tmp", path, (long)getpid());
    FILE *f = fopen(probe, "w");
    AN_CHECK(f, AN_INPUT, "output.folder '%s' cannot be written to: %s", path, strerror(errno));
    fclose(f);
    unlink(probe);
    return AN_OK;
}

/* The case as it is run, with defaults and --set: runs again as it is. */
static int keep_case(const struct an_case *c)
{
    char path[AN_PATH + 16];
    struct an_atomic a;
    snprintf(path, sizeof path, "%s/effective.yaml", c->output.folder);
    AN_TRY(an_atomic_begin(path, &a));
    an_case_echo(c, a.f);
    return an_atomic_commit(&a);
}

/* Rows and machine for a report. */
static void describe_rows(const struct an_session *r, struct an_row_report *report)
{
    const struct an_performance *f = an_performance_of(r->solver);
    for (int n = 0; n < r->nrow; n++) {
        const struct an_row_flow *q = &f->of[n];
        report[n] =
            (struct an_row_report){.name = q->name, .sectors = q->sectors, .value = q->value};
        for (int side = 0; side < 2; side++) {
            const struct an_flow_average *a = side ? &q->out : &q->in;
            const struct an_flow_kind kind[4] = {a->mass_kind, a->entropy, a->area, a->mixed};
            for (int k = 0; k < 4; k++) {
                report[n].plane[side][k][0] = kind[k].p0;
                report[n].plane[side][k][1] = kind[k].T0;
                report[n].plane[side][k][2] = kind[k].p;
            }
        }
    }
}

void an_session_info(struct an_session *r, enum an_ending ending, int code, const char *message)
{
    if (r->rank != 0)
        return;
    const struct an_case *c = &r->in.c;
    int nwall = 0;
    struct an_wall_report *wall = NULL;
    const struct an_walls *walls = an_walls_of(r->solver);
    const struct an_performance *rows = an_performance_of(r->solver);
    struct an_solver_info run;
    an_solver_info(r->solver, &run);
    if (walls && walls->measured >= 0)
        (void)an_walls_report(r->solver, &nwall, &wall); /* no memory: the file goes without */
    struct an_row_report *row = calloc((size_t)r->nrow + 1, sizeof *row);
    const int measured = row && r->nrow && rows->measured >= 0;
    if (measured)
        describe_rows(r, row);
    const struct an_run_info info = {
        .title = c->title,
        .case_file = c->file,
        .mesh_file = c->mesh,
        .version = an_version(),
        .status = an_ending_word(ending),
        .engine = r->engine.description,
        .transport = run.halo.transport,
        .transport_reason = run.halo.reason,
        .tiles = r->tiles,
        .graph = run.recording_reason,
        .recorded = run.recorded,
        .replayed = run.replayed,
        .launches = r->engine.launches,
        .precision = c->precision == AN_SINGLE ? "single" : "double",
        .ranks = run.ranks,
        .threads = r->engine.threads > 0 ? r->engine.threads : 1,
        .cells = an_topology_cells(&r->in.mesh.topology),
        .iteration = an_solver_iteration(r->solver),
        .seconds = MPI_Wtime() - r->started,
        .snapshot = r->snapshot[0] ? r->snapshot : NULL,
        .snapshot_rate = r->written,
        .snapshot_waited = r->write_waited,
        .snapshot_passed = r->write_passed,
        .snapshot_how = an_writer_how(r->solver),
        .mesh_rate = r->mesh_rate,
        .last = r->line,
        .nwall = nwall,
        .wall = wall,
        .nrow = measured ? r->nrow : 0,
        .row = row,
        .exit_code = code,
        .message = message,
    };
    if (an_run_info_write(c->output.folder, &info) != AN_OK)
        fprintf(stderr, "annulus: warning: %s\n", an_error_text());
    free(wall);
    free(row);
}

static void greet(const struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    const struct an_partition *p = an_solver_partition(r->solver);
    struct an_solver_info run;
    an_solver_info(r->solver, &run);
    printf("Annulus %s\n", an_version());
    printf("case        %s (%s)\n", c->title, c->file);
    printf("mesh        %s: %d zones, %lld cells\n", c->mesh, r->in.mesh.topology.nblock,
           (long long)an_topology_cells(&r->in.mesh.topology));
    printf("            coordinates read at %.0f MB/s\n", 1e-6 * r->mesh_rate);
    an_solver_print_gas(c, stdout);
    printf("ranks       %d, %d pieces, imbalance %.3f\n", run.ranks, p->npiece,
           an_partition_imbalance(p));
    printf("engine      %s, %s precision: %s (%s)\n", r->engine.name,
           c->precision == AN_SINGLE ? "single" : "double", r->engine.description, r->reason);
    printf("transport   %s (%s)\n", run.halo.transport, run.halo.reason);
    if (*r->tiles)
        printf("tiles       %s\n", r->tiles);
    else if (c->gpu.tiles)
        puts("tiles       not tuned: this engine has none");
    if (r->engine.device_memory)
        printf("graph       %s: %s\n", run.recording ? "on" : "off", run.recording_reason);
    if (run.implicit)
        printf("multigrid   %d level%s, %s cycle; no more: %s\n", run.levels,
               run.levels == 1 ? "" : "s", c->multigrid.cycle == AN_CYCLE_W ? "W" : "V", run.limit);
    an_parts_print(r->solver, stdout);
    if (r->memory > 0)
        printf("memory      %.2f GB on the fullest device, %.0f bytes per cell\n", 1e-9 * r->memory,
               r->per_cell);
    printf("output      %s\n", c->output.folder);
    fflush(stdout);
}

/* Bytes of the device that are free; 0: there is none. */
static int room(struct an_session *r, int64_t *left)
{
    int64_t all;
    return an_engine_room(&r->engine, left, &all);
}

/* What the set-up took. */
static int count_memory(struct an_session *r, int64_t before)
{
    int64_t left;
    AN_TRY(an_reduce_status(r->comm, room(r, &left)));
    r->memory = r->per_cell = (double)(before - left);
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, &r->per_cell, 1, MPI_DOUBLE, MPI_SUM, r->comm));
    r->per_cell /= (double)an_topology_cells(&r->in.mesh.topology);
    return an_reduce_max(r->comm, 1, &r->memory);
}

/* All coordinates over the time of the slowest rank. */
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
    AN_TRY(an_reduce_status(r->comm, r->rank == 0 ? make_folder(c->output.folder) : AN_OK));
    AN_TRY(an_device_choose(r->comm, c->device, c->precision, &r->engine, r->reason));
    AN_TRY(an_reduce_status(r->comm,
                            an_tiles_choose(&r->engine, c->gpu.tiles, an_version(), r->tiles)));
    int64_t before;
    AN_TRY(an_reduce_status(r->comm, room(r, &before)));
    an_engine_time_waits(&r->engine, c->mpi.timing);
    AN_TRY(an_solver_new(r->comm, c, &r->in.mesh, &r->engine, &r->solver));
    AN_TRY(count_memory(r, before));
    AN_TRY(rate_reading(r));
    r->integral = calloc((size_t)r->in.mesh.topology.nboundary + 1, sizeof *r->integral);
    const struct an_performance *rows = an_performance_of(r->solver);
    r->nrow = rows ? rows->nrow + 1 : 0;
    r->row = calloc((size_t)r->nrow + 1, sizeof *r->row);
    AN_CHECK(r->integral && r->row, AN_FAIL, "out of memory");
    if (r->rank == 0)
        greet(r);
    if (!r->o->restart)
        return an_solver_fill_initial(r->solver);
    char path[1024];
    int status = AN_OK;
    AN_CHECK(strlen(r->o->restart) < sizeof path, AN_INPUT, "--restart %.60s...: too long a name",
             r->o->restart);
    if (strcmp(r->o->restart, "latest") != 0)
        snprintf(path, sizeof path, "%s", r->o->restart);
    else if (r->rank == 0)
        status = an_snapshot_latest(c->output.folder, "flow", path);
    AN_TRY(an_reduce_status(r->comm, status));
    AN_MPI(MPI_Bcast(path, sizeof path, MPI_CHAR, 0, r->comm));
    AN_TRY(an_solver_restart(r->solver, path));
    snprintf(r->snapshot, sizeof r->snapshot, "%s", path);
    if (r->rank == 0)
        printf("restart     %s, iteration %lld\n", path, (long long)an_solver_iteration(r->solver));
    struct an_solver_info run;
    an_solver_info(r->solver, &run);
    if (r->rank == 0 && run.lowered)
        printf("recovery    Courant number up to %.3g, lowered before\n", run.cfl_most);
    return AN_OK;
}

static void note_walls(struct an_session *r)
{
    struct an_history_line *line = &r->line;
    const struct an_wall_sum t = an_walls_total(r->solver);
    const int some = t.area > 0;
    for (int c = 0; c < 3; c++) {
        line->wall_force[c] = some ? t.force[c] : NAN;
        line->wall_friction[c] = some ? t.friction[c] : NAN;
    }
    line->wall_torque = some ? t.torque : NAN;
    line->wall_heat = some ? t.heat : NAN;
    line->wall_yplus = some ? t.yplus : NAN;
}

/* Issues a measurement of the present state, and notes what it is of. The residual it needs is the
 * first the next step needs. */
static int measure_start(struct an_session *r)
{
    struct an_solver_info info;
    AN_TRY(an_solver_measure_start(r->solver));
    an_solver_reuse_residual(r->solver);
    an_solver_info(r->solver, &info);
    r->next = (struct an_history_line){.iteration = an_solver_iteration(r->solver),
                                       .time = an_solver_time(r->solver),
                                       .cfl = info.cfl,
                                       .back_pressure = an_control_pressure(r->solver, -1)};
    return AN_OK;
}

/* Takes its results into r->line. */
static int measure_finish(struct an_session *r)
{
    struct an_measure m = {.integral = r->integral};
    struct an_figures f;
    AN_TRY(an_solver_measure_finish(r->solver, &m));
    struct an_history_line *line = &r->line;
    *line = r->next;
    line->residual_turbulence = m.turbulence[0];
    memcpy(line->residual, m.residual, sizeof line->residual);
    line->residual_drop = m.drop;
    note_walls(r);
    for (int n = 0; n < r->nrow; n++)
        memcpy(r->row[n], an_performance_of(r->solver)->of[n].value, sizeof r->row[n]);
    line->row = r->nrow ? r->row : NULL;
    an_figures_find(r->solver, (const double(*)[AN_NINTEGRAL])r->integral, &f);
    line->mass_in = f.mass_in;
    line->mass_out = f.mass_out;
    line->imbalance = f.imbalance;
    line->pressure_ratio = f.pressure_ratio;
    line->temperature_ratio = f.temperature_ratio;
    line->efficiency = f.efficiency;
    double seconds = MPI_Wtime() - r->marched;
    line->rate = seconds > 0 ? (double)(line->iteration - r->first) / seconds : 0;
    line->time_left =
        line->rate > 0 ? (double)(r->in.c.march.iterations - line->iteration) / line->rate : NAN;
    return AN_OK;
}

int an_session_measure(struct an_session *r)
{
    AN_TRY(measure_start(r));
    return measure_finish(r);
}

/* Are all the convergence rules of the case that are switched on fulfilled? */
int an_session_converged(const struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    const int settle = an_case_has_stop(c);
    if (c->march.mode == AN_MARCH_UNSTEADY ||
        (c->march.residual_drop <= 0 && c->march.mass_imbalance <= 0 && !settle))
        return 0;
    if (settle && !an_stop_settled(r->solver))
        return 0;
    if (c->march.residual_drop > 0 && !(r->line.residual_drop <= c->march.residual_drop))
        return 0;
    return c->march.mass_imbalance <= 0 || fabs(r->line.imbalance) <= c->march.mass_imbalance;
}

/* Collective: was any rank asked to stop, and why? *written: no rank writes a snapshot any more. */
static int asked(struct an_session *r, const char **why, int *written)
{
    enum { NO, CLOCK, STOP_FILE, SIGNAL }; /* SIGNAL + its number; the largest wins */
    const struct an_case *c = &r->in.c;
    int reason = NO;
    if (r->rank == 0) {
        char file[AN_PATH + 8];
        snprintf(file, sizeof file, "%s/STOP", c->output.folder);
        if (c->march.wall_time > 0 && MPI_Wtime() - r->started > c->march.wall_time)
            reason = CLOCK;
        if (access(file, F_OK) == 0) {
            reason = STOP_FILE;
            unlink(file);
        }
    }
    if (an_signals_stop())
        reason = SIGNAL + an_signals_stop();
    int agree[2] = {reason, !an_writer_done(r->solver)};
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, agree, 2, MPI_INT, MPI_MAX, r->comm));
    reason = agree[0];
    *written = !agree[1];
    *why = reason == NO          ? NULL
           : reason == CLOCK     ? "the wall-time limit"
           : reason == STOP_FILE ? "the STOP file"
                                 : an_signals_name(reason - SIGNAL);
    return AN_OK;
}

int an_session_asked(struct an_session *r, const char **why)
{
    int written;
    return asked(r, why, &written);
}

/* Waits for the snapshot under way, if there is one, and tidies up behind it. */
static int complete_write(struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    struct an_written w;
    if (an_writer_done(r->solver) == 2)
        return AN_OK;
    AN_TRY(an_writer_finish(r->solver, &w));
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
    an_session_info(r, AN_END_RUNNING, 0, NULL);
    return an_reduce_status(r->comm, status);
}

/* Begins a snapshot. */
static int start_write(struct an_session *r)
{
    AN_TRY(complete_write(r));
    r->write_begun = an_solver_iteration(r->solver);
    return an_writer_start(r->solver);
}

int an_session_write(struct an_session *r)
{
    AN_TRY(start_write(r));
    return complete_write(r);
}

/* The CFL number that the march may reach from now on. */
static double largest_cfl(const struct an_session *r)
{
    struct an_solver_info run;
    an_solver_info(r->solver, &run);
    return run.cfl_most;
}

static int record_finish(struct an_session *r)
{
    AN_TRY(measure_finish(r));
    const struct an_history_line *l = &r->line;
    if (l->iteration % r->in.c.output.history_every == 0) { /* not the line of a run's end */
        const double figures[3] = {0.5 * (l->mass_in + l->mass_out), l->pressure_ratio,
                                   l->efficiency};
        an_stop_note(r->solver, figures);
        if (an_recovery_note(r->solver, l->iteration, l->residual[0], l->residual_drop) &&
            r->rank == 0)
            printf("recovery    the residual has stopped falling at iteration %lld: Courant number "
                   "up to %.3g\n",
                   (long long)l->iteration, largest_cfl(r));
    }
    return r->rank == 0 ? an_history_add(r->history, &r->line) : AN_OK;
}

int an_session_record(struct an_session *r)
{
    AN_TRY(measure_start(r));
    return record_finish(r);
}

/* How long devices have waited for halos since the last call, s: the longest of a rank; < 0: not
 * measured. */
static int waited(struct an_session *r, double *seconds)
{
    AN_TRY(an_reduce_status(r->comm, an_engine_waited(&r->engine, seconds)));
    return an_reduce_max(r->comm, 1, seconds);
}

/* After a divergence: back to a state that was kept, if there is one. */
static int recover(struct an_session *r, int *back)
{
    char why[1024];
    snprintf(why, sizeof why, "%s", an_error_text());
    AN_TRY(an_recovery_back(r->solver, back));
    if (*back && r->rank == 0)
        printf("recovery    %s\nrecovery    an earlier state again, Courant number up to %.3g\n",
               why, largest_cfl(r));
    return AN_OK;
}

/* Has the flow fallen away? Not while it takes up a new setting. */
static int has_fallen(const struct an_session *r)
{
    enum { PATIENCE = 100 };
    return r->least_flow > 0 && r->nrow > 0 &&
           an_solver_iteration(r->solver) >= r->first + PATIENCE &&
           !(r->row[r->nrow - 1][AN_ROW_MASS_IN] >= r->least_flow);
}

/* Takes the line that is on its way. *back: 1 when it tells of a divergence, and an earlier state
 * is there again; *ending where it ends the march. The state that is kept to go back to is one step
 * on: it serves when a later one has been kept, after more lines that were healthy. */
static int take_line(struct an_session *r, int *back, enum an_ending *ending)
{
    const int status = record_finish(r);
    *back = 0;
    if (status == AN_DIVERGED)
        AN_TRY(recover(r, back));
    if (*back)
        return AN_OK;
    AN_TRY(status);
    AN_TRY(an_recovery_keep(r->solver));
    if (has_fallen(r))
        *ending = AN_END_FALLEN;
    if (an_session_converged(r))
        *ending = AN_END_CONVERGED;
    return AN_OK;
}

/* Measures between lines. *back: as take_line. */
static int look(struct an_session *r, int *back)
{
    const int status = an_session_measure(r);
    *back = 0;
    if (status == AN_DIVERGED)
        AN_TRY(recover(r, back));
    return *back ? AN_OK : status;
}

/* The times of the last recorded iteration, where they were taken. */
static int take_times(struct an_session *r)
{
    const int status = an_engine_marked(&r->engine, r->marked[0], r->marked[1]);
    r->timed = status == AN_OK;
    AN_TRY(an_reduce_status(r->comm, status == AN_STOPPED ? AN_OK : status));
    return an_reduce_max(r->comm, 2 * AN_MARKS, r->marked[0]);
}

/* Marches to the end; *ending says why it ended. */
int an_session_march(struct an_session *r, int64_t last, enum an_ending *ending)
{
    const struct an_case *c = &r->in.c;
    struct an_solver *s = r->solver;
    const double end = c->march.mode == AN_MARCH_UNSTEADY ? c->march.end_time : 0;
    int64_t written = r->snapshot[0] ? an_solver_iteration(s) : -1;
    *ending = AN_END_RUNNING;
    r->first = an_solver_iteration(s);
    r->marched = MPI_Wtime();
    if (an_solver_iteration(s) == 0)
        AN_TRY(an_session_record(r));
    else
        AN_TRY(an_session_measure(r));
    AN_TRY(an_recovery_keep(s));
    const char *why = NULL;
    AN_TRY(waited(r, &r->waited));
    const int first = r->march_seconds == 0;
    r->march_seconds = -MPI_Wtime();
    if (r->rank == 0 && first) {
        printf("start       %.1f s before the first iteration", MPI_Wtime() - r->started);
        struct an_solver_info run;
        an_solver_info(s, &run);
        if (run.wall_facets)
            printf("; distances to %d wall triangles %.2f s", run.wall_facets, run.wall_seconds);
        printf("\n");
        fflush(stdout);
    }
    int started = 0; /* a line whose results are on their way */
    while ((last == 0 || an_solver_iteration(s) < last) && !(end > 0 && an_solver_time(s) >= end)) {
        int written_now;
        AN_TRY(asked(r, &why, &written_now));
        if (why)
            break;
        if (written_now)
            AN_TRY(complete_write(r));
        AN_TRY(an_solver_step(s, end));
        if (r->rank == 0)
            an_history_progress(r->history, an_solver_iteration(s), last, r->line.rate);
        int back = 0;
        if (started)
            AN_TRY(take_line(r, &back, ending));
        started = 0;
        if (back)
            continue;
        if (*ending != AN_END_RUNNING)
            break;
        started = an_solver_iteration(s) % c->output.history_every == 0;
        if (started)
            AN_TRY(measure_start(r));
        if (c->output.every > 0 && an_solver_iteration(s) % c->output.every == 0) {
            if (started) /* never write a state nobody looked at */
                AN_TRY(take_line(r, &back, ending));
            else
                AN_TRY(look(r, &back));
            started = 0;
            if (back)
                continue;
            AN_TRY(start_write(r));
            written = an_solver_iteration(s);
            if (*ending != AN_END_RUNNING)
                break;
        }
    }
    if (started) {
        int back;
        AN_TRY(take_line(r, &back, ending));
        r->line.iteration = back ? -1 : r->line.iteration;
    }
    AN_TRY(waited(r, &r->waited));
    r->march_seconds += MPI_Wtime();
    AN_TRY(take_times(r));
    if (r->line.iteration != an_solver_iteration(s))
        AN_TRY(an_session_record(r));
    if (written != an_solver_iteration(s))
        AN_TRY(start_write(r));
    AN_TRY(complete_write(r));
    if (why)
        return an_error_set(AN_STOPPED, "stopped by %s at iteration %lld", why,
                            (long long)an_solver_iteration(s));
    *ending = *ending == AN_END_RUNNING ? AN_END_FINISHED : *ending;
    return AN_OK;
}

/* Where the time of the last replayed iteration went, on the slowest rank of each item. */
static void print_times(const struct an_session *r)
{
    double sum = 0, waited = 0;
    for (int m = 0; m < AN_MARKS; m++) {
        sum += r->marked[0][m];
        waited += r->marked[1][m];
    }
    printf("\nhalos       waited for %.1f us in the last iteration, %.2f %% of its %.3f ms",
           1e6 * waited, 100 * waited / sum, 1e3 * sum);
    printf("\ntimeline    last iteration, ms (waits for halos):");
    for (int m = 0; m <= AN_MAX_LEVEL; m++) {
        if (r->marked[0][m] <= 0)
            continue;
        if (m < AN_MAX_LEVEL)
            printf(" level %d", m + 1);
        else
            printf(" turbulence");
        printf(" %.3f (%.3f)", 1e3 * r->marked[0][m], 1e3 * r->marked[1][m]);
    }
}

void an_session_report(const struct an_session *r, enum an_ending ending)
{
    const struct an_solver *s = r->solver;
    struct an_solver_info run;
    an_solver_info(s, &run);
    double seconds = MPI_Wtime() - r->marched;
    printf("%s at iteration %lld after %.1f s", an_ending_word(ending),
           (long long)an_solver_iteration(s), seconds);
    if (seconds > 0 && an_solver_iteration(s) > r->first)
        printf(" (%.3g million cell-stages/s)",
               1e-6 * run.stages * (double)(an_solver_iteration(s) - r->first) *
                   (double)an_topology_cells(&r->in.mesh.topology) / seconds);
    printf("\nsnapshot    %s", r->snapshot);
    if (r->written > 0)
        printf(", %.0f MB/s %s; the march waited %.3f s for it", 1e-6 * r->written,
               an_writer_how(s), r->write_waited);
    if (r->timed)
        print_times(r);
    else if (r->waited >= 0 && an_solver_iteration(s) > r->first)
        printf("\nhalos       waited for %.1f us an iteration, %.2f %% of the time",
               1e6 * r->waited / (double)(an_solver_iteration(s) - r->first),
               100 * r->waited / r->march_seconds);
    printf("\n");
    int n = 0;
    struct an_wall_report *wall = NULL;
    if (an_walls_of(s) && an_walls_report(s, &n, &wall) == AN_OK)
        an_wall_report_print(n, wall, stdout);
    free(wall);
    struct an_row_report *row = calloc((size_t)r->nrow + 1, sizeof *row);
    if (row && r->nrow)
        describe_rows(r, row);
    if (row)
        an_row_report_print(r->nrow, row, stdout);
    free(row);
    an_parts_report(s, stdout);
    fflush(stdout);
}

int an_session_reopen(struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    const int64_t start = an_solver_iteration(r->solver);
    if (r->history)
        an_history_destroy(r->history);
    r->history = NULL;
    const char **name = calloc((size_t)r->nrow + 1, sizeof *name);
    AN_CHECK(name, AN_FAIL, "out of memory");
    for (int n = 0; n < r->nrow; n++)
        name[n] = an_performance_of(r->solver)->of[n].name;
    const int status = an_history_new(c->output.folder, start, c->march.mode == AN_MARCH_UNSTEADY,
                                      r->o->progress, r->nrow, name, stdout, &r->history);
    free(name);
    return status;
}

/* The effective case, history.csv and the place for snapshots. */
int an_session_begin(struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    const int64_t start = an_solver_iteration(r->solver);
    int aside;
    AN_TRY(keep_case(c));
    AN_TRY(an_session_reopen(r));
    AN_TRY(an_snapshot_set_aside(c->output.folder, "wall", r->o->restart ? start : -1, &aside));
    AN_TRY(an_snapshot_set_aside(c->output.folder, "flow", r->o->restart ? start : -1, &aside));
    if (aside)
        printf("set aside   %d later snapshot%s of an earlier run, now *.cgns.old\n", aside,
               aside == 1 ? "" : "s");
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
    an_input_free(&r->in);
}
