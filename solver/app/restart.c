/* A run that begins from a snapshot: is it a snapshot of these coordinates, and of this case? */
#include "solver/app/session.h"

#include "io/case_list.h"
#include "kernels/base/units.h"
#include "mpi/reduce.h"
#include "solver/app/input.h"
#include "solver/boundary/control.h"
#include "solver/output/onto.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Keys with which the values of a snapshot would mean another flow. */
static const struct {
    const char *name, *why;
} refused[] = {
    {"gas.R", "the same densities and energies would be another temperature"},
    {"gas.gamma", "the same densities and energies would be another pressure"},
    {"gas.cp", "the same densities and energies would be another pressure"},
    {"gas.fraction", "the same densities and energies would be another pressure"},
    {"gas.fraction_R", "the same densities and energies would be another pressure"},
    {"gas.fraction_cp", "the same densities and energies would be another pressure"},
    {"gas.table_checksum", "the same densities and energies would be another pressure"},
    {"gas.T_range", "the same densities and energies would be another pressure"},
    {"turbulence.model", "the snapshot holds the variables of its own model"},
};

struct comparison {
    char why[512];     /* the first key that is refused; "" none */
    int to_transition; /* a model of transition begins from a flow without one */
};

static void tell(void *context, const char *name, const char *old, const char *new)
{
    struct comparison *c = context;
    printf("restart     %s: %s in the snapshot, %s now\n", name, *old ? old : "not there",
           *new ? new : "not there");
    c->to_transition |= !strcmp(name, "turbulence.transition") && !strcmp(new, "bcm");
    if (!strcmp(name, "turbulence.transition") && !strncmp(new, "gamma", 5))
        snprintf(c->why, sizeof c->why,
                 "'turbulence.transition' is %.100s, in the snapshot %.100s: the snapshot holds no "
                 "intermittency of this model; start without --restart",
                 new, *old ? old : "not there");
    for (size_t n = 0; n < sizeof refused / sizeof *refused && !*c->why; n++)
        if (!strcmp(name, refused[n].name))
            snprintf(c->why, sizeof c->why,
                     "'%.40s' is %.100s, in the snapshot %.100s: %s; start without --restart", name,
                     *new ? new : "not there", *old ? old : "not there", refused[n].why);
}

/* The lines of one kind of a snapshot's notes, without the kind; malloc'ed, NULL without memory. */
static char *lines_of(const char *notes, const char *kind)
{
    const size_t length = strlen(kind);
    char *text = malloc((notes ? strlen(notes) : 0) + 1), *to = text;
    while (text && notes && *notes) {
        const char *end = strchr(notes, '\n');
        const size_t n = end ? (size_t)(end - notes) + 1 : strlen(notes);
        if (!strncmp(notes, kind, length) && !strncmp(notes + length, " = ", 3)) {
            memcpy(to, notes + length + 3, n - length - 3);
            to += n - length - 3;
        }
        notes += n;
    }
    if (text)
        *to = '\0';
    return text;
}

/* A model of transition keeps boundary layers turbulent that are so already: it needs a laminar start. */
static void warn_transition(struct an_session *r, int64_t iteration)
{
    const int start = r->in.c.turbulence.laminar_start;
    if (iteration >= start)
        an_session_warn(r, 1,
                        "the flow of iteration %" PRId64
                        " was computed without a model of transition, and turbulence.laminar_start "
                        "(%d) is over: boundary layers that are turbulent may stay turbulent; set "
                        "turbulence.laminar_start: %" PRId64 ", or start without --restart",
                        iteration, start, iteration + 100);
}

/* Prints the keys that differ; AN_INPUT where one of them makes no sense. */
static int compare_case(struct an_session *r, const char *path, const struct an_snapshot_meta *meta)
{
    struct comparison c = {.why = ""};
    if (meta->case_hash == r->in.c.hash)
        return AN_OK;
    char *old = lines_of(meta->notes, "case"), *new = an_case_list(&r->in.c);
    int count = AN_CASE_NO_MEMORY;
    if (old && new &&*old)
        count = an_case_compare(old, new, tell, &c);
    else if (old && !*old)
        printf("restart     the case differs from that of the snapshot, which an earlier version "
               "wrote without its keys\n");
    free(old);
    free(new);
    AN_CHECK(count != AN_CASE_NO_MEMORY || meta->notes == NULL, AN_FAIL, "out of memory");
    AN_CHECK(!*c.why, AN_INPUT, "%s: %s", path, c.why);
    if (c.to_transition)
        warn_transition(r, meta->iteration);
    return AN_OK;
}

/* Does the flow belong to the nodes of this run? */
static int compare_coordinates(struct an_session *r, const char *path,
                               const struct an_snapshot_meta *meta)
{
    const uint64_t here = r->coordinates, there = meta->coordinates;
    if (there == here)
        return AN_OK;
    if (!there) {
        an_session_warn(r, 1,
                        "iteration %" PRId64 " comes from a snapshot without a checksum of "
                        "coordinates (%s): whether it is of this mesh is not known",
                        meta->iteration, meta->version);
        return AN_OK;
    }
    AN_CHECK(r->o->other_mesh, AN_INPUT,
             "%s was computed with other coordinates than those of %s (checksums %016" PRIx64
             " and %016" PRIx64 "): start without --restart, or add --other-mesh, which takes the "
             "values cell by cell as they are, or --other-mesh=position, which interpolates them",
             path, r->in.c.mesh, there, here);
    an_session_warn(r, 1,
                    "the flow of iteration %" PRId64 " was computed with other coordinates "
                    "(checksum %016" PRIx64 ") and continues on this mesh (%016" PRIx64 ")",
                    meta->iteration, there, here);
    return AN_OK;
}

/* Sums over time that began before the snapshot, if it had been written with them. */
static void warn_sums(struct an_session *r, const struct an_snapshot_meta *meta)
{
    const struct an_case *c = &r->in.c;
    const struct {
        int wanted, from;
        const char *record, *key, *what;
    } sums[] = {{an_case_has_means(c), c->output.means_from, "means.total", "output.means_from",
                 "means over time"},
                {an_case_has_modes(c), c->output.modes_from, "modes.segments", "output.modes_from",
                 "modes"}};
    for (int n = 0; n < 2; n++)
        if (sums[n].wanted && sums[n].from > 0 && meta->iteration > sums[n].from &&
            !(an_snapshot_control_get(meta, sums[n].record, 0) > 0))
            an_session_warn(r, 0,
                            "the %s begin behind iteration %" PRId64
                            ", because the snapshot has none, although '%s' is %d",
                            sums[n].what, meta->iteration, sums[n].key, sums[n].from);
}

/* Rank 0: what the snapshot has to say of its flow is still true. */
static int carry_warnings(struct an_session *r, const struct an_snapshot_meta *meta)
{
    char *text = lines_of(meta->notes, "warning"), *rest = NULL;
    AN_CHECK(text, AN_FAIL, "out of memory");
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        an_session_warn(r, 1, "%s", line);
    free(text);
    return AN_OK;
}

static int compare(struct an_session *r, const char *path, const struct an_snapshot_meta *meta)
{
    AN_TRY(carry_warnings(r, meta));
    AN_TRY(compare_coordinates(r, path, meta));
    return compare_case(r, path, meta);
}

/* Rank 0: pressures that the run controls go on from their values in the snapshot. */
static void print_controls(const struct an_session *r)
{
    struct an_control_report *q = calloc((size_t)r->ncontrol + 1, sizeof *q);
    const int n = q ? an_control_reports(r->solver, q) : 0;
    for (int c = 0; c < n; c++)
        printf("restart     %s: %s goes on from %.6g Pa\n", q[c].boundary, q[c].quantity,
               q[c].value);
    free(q);
}

/* What a start by position had to do. */
static void print_reach(struct an_session *r, const char *path, const struct an_onto_report *q)
{
    printf("restart     %s: interpolated by position, %.0f cells from %d zone%s; iterations count "
           "from 0\n",
           path, q->cells, q->zones, q->zones == 1 ? "" : "s");
    if (!(q->outside > 0)) {
        printf("restart     all cells lie in the mesh of the snapshot\n");
        return;
    }
    printf("restart     %.0f cells (%.3g %%) lie outside of the mesh of the snapshot and have the "
           "values of its nearest place, which is %.3g m away at most, at x = %.6g m, r = %.6g m, "
           "theta = %.6g degrees\n",
           q->outside, 100 * q->outside / q->cells, q->farthest, q->at[0], q->at[1],
           q->at[2] / AN_DEGREE);
    if (q->farthest > 0.02 * q->size)
        an_session_warn(r, 1,
                        "the flow starts from a snapshot of another mesh, and cells are up to %.3g "
                        "m outside of it (%.2g %% of the mesh's size): is it the same row, at the "
                        "same place and in the same unit?",
                        q->farthest, 100 * q->farthest / q->size);
}

/* Starts from a snapshot of another mesh by position. */
static int start_from(struct an_session *r, const char *path)
{
    struct an_diag diag = {0};
    struct an_mesh old = {.fn = -1};
    struct an_snapshot_meta meta;
    struct an_onto_report report;
    int status = an_input_mesh(r->comm, r->rank, path, "", AN_DEVICE_CPU, &old, &diag);
    if (status == AN_OK)
        status = an_snapshot_read_meta(r->comm, path, &old, &meta);
    if (status == AN_OK) {
        status = an_reduce_status(r->comm, r->rank == 0 ? carry_warnings(r, &meta) : AN_OK);
        if (status == AN_OK)
            status = an_reduce_status(r->comm, r->rank == 0 ? compare_case(r, path, &meta) : AN_OK);
        an_snapshot_controls_free(&meta);
    }
    if (status == AN_OK)
        status = an_solver_start_from(r->solver, path, &old, &report);
    an_mesh_close(&old);
    an_diag_free(&diag);
    AN_TRY(status);
    r->continues = 0;
    snprintf(r->snapshot, sizeof r->snapshot, "%s", path);
    if (r->rank == 0) {
        print_reach(r, path, &report);
        print_controls(r);
    }
    return AN_OK;
}

/* Is the flow to be taken by position? Then the zones of the snapshot are others than those of this mesh, or the command line
 * says so. AN_INPUT where they are others and the command line does not allow another mesh. */
static int by_position(struct an_session *r, const char *path, int *position)
{
    struct an_snapshot_meta meta;
    *position = r->o->other_mesh == AN_OTHER_POSITION;
    if (*position)
        return AN_OK;
    const int status = an_snapshot_read_meta(r->comm, path, &r->in.mesh, &meta);
    if (status == AN_OK)
        an_snapshot_controls_free(&meta);
    if (status != AN_INPUT || r->o->other_mesh == AN_OTHER_CELLS)
        return status;
    char why[600];
    snprintf(why, sizeof why, "%s", an_error_text());
    AN_TRY(an_snapshot_read_meta(r->comm, path, NULL, &meta)); /* it is no whole snapshot */
    an_snapshot_controls_free(&meta);
    AN_CHECK(r->o->other_mesh == AN_OTHER_AUTO, AN_INPUT,
             "%s; with --other-mesh its flow is interpolated to this mesh by position", why);
    *position = 1;
    return AN_OK;
}

int an_session_restart(struct an_session *r)
{
    const struct an_case *c = &r->in.c;
    struct an_snapshot_meta meta;
    char path[1024];
    int status = AN_OK, position;
    AN_CHECK(strlen(r->o->restart) < sizeof path, AN_INPUT, "--restart %.60s...: too long a name",
             r->o->restart);
    if (strcmp(r->o->restart, "latest") != 0)
        snprintf(path, sizeof path, "%s", r->o->restart);
    else if (r->rank == 0)
        status = an_snapshot_latest(c->output.folder, "flow", path);
    AN_TRY(an_reduce_status(r->comm, status));
    AN_MPI(MPI_Bcast(path, sizeof path, MPI_CHAR, 0, r->comm));
    AN_TRY(by_position(r, path, &position));
    if (position)
        return start_from(r, path);
    AN_TRY(an_snapshot_read_meta(r->comm, path, &r->in.mesh, &meta));
    r->continues = meta.case_hash == r->in.c.hash;
    status = an_reduce_status(r->comm, r->rank == 0 ? compare(r, path, &meta) : AN_OK);
    if (r->rank == 0 && status == AN_OK)
        warn_sums(r, &meta);
    an_snapshot_controls_free(&meta);
    AN_TRY(status);
    AN_TRY(an_solver_restart(r->solver, path));
    snprintf(r->snapshot, sizeof r->snapshot, "%s", path);
    if (r->rank == 0)
        printf("restart     %s, iteration %lld\n", path, (long long)an_solver_iteration(r->solver));
    if (r->rank == 0)
        print_controls(r);
    struct an_solver_info run;
    an_solver_info(r->solver, &run);
    if (r->rank == 0 && run.lowered)
        printf("recovery    CFL number up to %.3g, lowered before\n", run.cfl_most);
    return AN_OK;
}
