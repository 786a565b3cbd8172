#include "solver/app/report.h"

#include "io/screen.h"
#include "mpi/coarsen.h"
#include "solver/boundary/control.h"
#include "solver/boundary/coolant.h"
#include "solver/boundary/solids.h"
#include "solver/level/component.h"
#include "solver/march/low_mach.h"
#include "solver/monitor/forces.h"
#include "solver/monitor/performance.h"
#include "solver/monitor/walls.h"
#include "solver/output/version.h"
#include "solver/output/writer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Rows and machine for a report. */
static void describe_rows(const struct an_session *r, struct an_row_report *report)
{
    const struct an_performance *f = an_performance_of(r->solver);
    for (int n = 0; n < r->nrow; n++) {
        const struct an_row_flow *q = &f->of[n];
        report[n] = (struct an_row_report){.name = q->name,
                                           .sectors = q->sectors,
                                           .cascade = f->gas.axes.cartesian,
                                           .pitch = f->gas.axes.length,
                                           .span = q->span,
                                           .value = q->value};
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
    const struct an_performance *rows = an_performance_of(r->solver);
    struct an_solver_info run;
    an_solver_info(r->solver, &run);
    (void)an_walls_report(r->solver, &nwall, &wall); /* no memory: the file goes without */
    struct an_row_report *row = calloc((size_t)r->nrow + 1, sizeof *row);
    struct an_control_report *control = calloc((size_t)r->ncontrol + 1, sizeof *control);
    const int ncontrol = control ? an_control_reports(r->solver, control) : 0;
    const int leaks = an_leak_reports(r->solver, NULL);
    struct an_leak_report *leak = calloc((size_t)leaks + 1, sizeof *leak);
    const int solids = an_solids_reports(r->solver, NULL);
    struct an_solid_report *solid = calloc((size_t)solids + 1, sizeof *solid);
    const int nsolid = solid ? an_solids_reports(r->solver, solid) : 0;
    const int nleak = leak ? an_leak_reports(r->solver, leak) : 0;
    const int measured = row && r->nrow && rows->measured >= 0;
    if (measured)
        describe_rows(r, row);
    const struct an_forces *forces = an_forces_of(r->solver);
    struct an_figure_report figure[AN_NFIGURE];
    for (int n = 0; n < AN_NFIGURE; n++)
        figure[n] = (struct an_figure_report){an_figure_name((enum an_figure)n), r->motion.moves[n],
                                              r->motion.mean[n], r->motion.amplitude[n]};
    const char *swings = r->settled < 0 ? an_session_swings(r) : NULL;
    const struct an_run_info info = {
        .reference = forces ? &forces->reference : NULL,
        .title = c->title,
        .case_file = c->file,
        .mesh_file = c->mesh,
        .gas_table = c->gas.table_checksum,
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
        .ncontrol = ncontrol,
        .control = control,
        .nleak = nleak,
        .leak = leak,
        .nsolid = nsolid,
        .solid = solid,
        .exit_code = code,
        .message = message,
        .warnings = &r->warnings,
        .settled = r->settled,
        .state = r->state,
        .swings = swings,
        .period = swings ? r->motion.period : 0,
        .nfigure = r->settled ? AN_NFIGURE : 0,
        .figure = figure,
    };
    if (an_run_info_write(c->output.folder, &info) != AN_OK)
        fprintf(stderr, "annulus: warning: %s\n", an_error_text());
    free(wall);
    free(row);
    free(control);
    free(leak);
    free(solid);
}

void an_session_greet(const struct an_session *r)
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
    an_solver_print_transition(c, stdout);
    an_forces_print(r->solver, stdout);
    an_low_mach_print(r->solver, stdout);
    printf("ranks       %d, %d pieces, imbalance %.3f\n", run.ranks, p->npiece,
           an_partition_imbalance(p));
    if (an_watch_hosts(r->watch) > 1)
        printf("hosts       %d; the job ends if one of them is silent for %.3g s\n",
               an_watch_hosts(r->watch), c->mpi.lost_after);
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
        an_screen_line(stdout, 12, "multigrid   %d level%s, %c cycle; no more: %s", run.levels,
                       run.levels == 1 ? "" : "s", AN_CYCLE_LETTERS[c->multigrid.cycle], run.limit);
    if (run.replicated == 1)
        printf("            level %d is computed whole by every rank\n", run.levels);
    else if (run.replicated)
        printf("            levels %d to %d are computed whole by every rank\n",
               run.levels - run.replicated + 1, run.levels);
    an_components_print(r->solver, stdout);
    if (r->memory > 0)
        printf("memory      %.2f GB on the fullest device, %.0f bytes per cell\n", 1e-9 * r->memory,
               r->per_cell);
    printf("output      %s\n", c->output.folder);
    fflush(stdout);
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
    if (r->state)
        printf("\nstate       %s", r->state);
    if (r->settled < 0 && an_session_swings(r))
        printf(", %s", an_session_swings(r));
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
    if (an_walls_report(s, &n, &wall) == AN_OK)
        an_wall_report_print(n, wall, stdout);
    free(wall);
    struct an_row_report *row = calloc((size_t)r->nrow + 1, sizeof *row);
    if (row && r->nrow)
        describe_rows(r, row);
    if (row)
        an_row_report_print(r->nrow, row, stdout);
    free(row);
    an_components_report(s, stdout);
    for (int w = 0; w < r->warnings.n; w++) /* the last lines, where they are seen */
        an_screen_line(stdout, 12, "warning     %s", r->warnings.list[w].text);
    fflush(stdout);
}
