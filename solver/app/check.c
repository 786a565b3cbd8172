/* `annulus check` and `annulus info`: everything that can be said without computing flow. */
#include "solver/app/run.h"

#include "bc/boundary_value.h"
#include "io/catalyst.h"
#include "io/screen.h"
#include "kernels/engine/model.h"
#include "kernels/physics/gas_state.h"
#include "mpi/coarsen.h"
#include "mpi/reduce.h"
#include "solver/app/check_rows.h"
#include "solver/app/device.h"
#include "solver/app/doubts.h"
#include "solver/app/idle.h"
#include "solver/app/input.h"
#include "solver/app/page.h"
#include "solver/boundary/abut_faces.h"
#include "solver/level/component.h"
#include "solver/level/memory.h"
#include "solver/level/replicated.h"
#include "solver/march/low_mach.h"
#include "solver/march/march.h"
#include "solver/monitor/estimate.h"
#include "solver/monitor/forces.h"
#include "solver/monitor/inflow_turbulence.h"
#include "solver/monitor/mean_line.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_face(const struct an_topology *t, const struct an_window *w, const char *what)
{
    const int a = w->dir == 0 ? 1 : 0, b = w->dir == 2 ? 1 : 2;
    an_screen_line(stdout, 29, "  %-20s %s  cells %c %d..%d, %c %d..%d: %s",
                   t->block[w->block].name, an_face_name(w->dir, w->side), "ijk"[a], w -> lo[a] + 1,
                   w -> hi[a], "ijk"[b], w -> lo[b] + 1, w -> hi[b], what);
}

/* What stands on each face of each zone. */
static void print_faces(const struct an_topology *t, const struct an_bc_value *value)
{
    printf("faces\n");
    char what[200];
    for (int p = 0; p < t->npatch; p++) {
        const int boundary = t->patch[p].boundary;
        snprintf(what, sizeof what, "%s, %s", t->boundary[boundary].name,
                 an_bc_type_name((enum an_bc_type)value[boundary].type));
        print_face(t, &t->patch[p].window, what);
    }
    for (int i = 0; i < t->ninterface; i++) {
        const struct an_interface *f = &t->interface[i];
        snprintf(what, sizeof what, "to %s %s%s", t->block[f->donor].name,
                 an_face_name(f->donor_dir, f->donor_side),
                 f->periodic == 2   ? ", periodic by rotation"
                 : f->periodic == 1 ? ", periodic by translation"
                                    : "");
        print_face(t, &f->window, what);
    }
}

/* The pieces of the ranks, what they need, and how far the mesh can be coarsened. */
static int print_plan(const struct an_input *in, const struct an_solver *s, int ranks)
{
    const struct an_partition *p = an_solver_partition(s);
    printf("partition for %d rank%s\n", ranks, ranks == 1 ? "" : "s");
    an_partition_report(p, &in->mesh.topology, stdout);
    struct an_memory most = {0, 0, 0};
    const int64_t whole =
        an_replicated_cells(s, an_replicated_count(s, in->c.device == AN_DEVICE_CUDA));
    for (int r = 0; r < ranks; r++) {
        struct an_memory m = an_solver_memory(p, r, &in->c, whole);
        most.device = m.device > most.device ? m.device : most.device;
        most.host = m.host > most.host ? m.host : most.host;
    }
    an_screen_line(
        stdout, 12,
        "memory      %.1f MB for flow data on the fullest rank, %.1f MB more on the host while it "
        "is set up",
        1e-6 * (double)most.device, 1e-6 * (double)most.host);
    struct an_coarsening levels;
    AN_TRY(an_coarsening_new(&in->mesh.topology, in->mesh.turn, AN_MAX_LEVEL, &levels));
    an_screen_line(stdout, 12, "multigrid   the mesh allows %d level%s; no more: %s", levels.nlevel,
                   levels.nlevel == 1 ? "" : "s", levels.limit);
    an_coarsening_free(&levels);
    return AN_OK;
}

static void print_warning(void *to, const char *text)
{
    an_screen_line(to, 12, "warning     %s", text);
}

/* The warnings that a run begins with; AN_INPUT where it would be refused. */
static int print_doubts(MPI_Comm comm, const struct an_input *in, struct an_solver *s, int rank)
{
    const int all = AN_DOUBTS_RUN | AN_DOUBTS_MAP;
    struct an_extent extent;
    struct an_facts f;
    AN_TRY(an_extent_find(s, &extent));
    AN_TRY(an_doubts_find(&in->c, &in->mesh.topology, s, &extent, all, &f));
    return an_reduce_status(comm,
                            rank == 0 ? an_doubts_tell(&f, all, print_warning, stdout) : AN_OK);
}

/* Sets the run up without marching it: reads all coordinates, finds folded cells. */
static int try_set_up(MPI_Comm comm, const struct an_input *in, int rank)
{
    struct an_engine engine;
    struct an_solver *s = NULL;
    char reason[256], idle[AN_DEVICE_WARNING];
    memset(&engine, 0, sizeof engine);
    AN_TRY(an_device_choose(comm, in->c.device, in->c.precision, &engine, reason, idle));
    if (rank == 0)
        printf("engine      %s: %s (%s)\n", engine.name, engine.description, reason);
    if (rank == 0 && *idle)
        an_screen_line(stdout, 12, "warning     %s", idle);
    int status = an_solver_new(comm, &in->c, &in->mesh, &engine, &s);
    if (status == AN_OK && rank == 0) {
        struct an_solver_info run;
        an_solver_info(s, &run);
        printf("transport   %s (%s)\n", run.halo.transport, run.halo.reason);
        an_forces_print(s, stdout);
        an_low_mach_print(s, stdout);
        print_faces(in->mesh.file_order ? in->mesh.file_order : &in->mesh.topology,
                    an_solver_boundary(s));
    }
    struct an_estimate e;
    if (status == AN_OK)
        status = an_estimate_find(s, &e);
    if (status == AN_OK && rank == 0)
        an_estimate_print(&e, stdout);
    if (status == AN_OK && rank == 0)
        an_mean_line_print(an_mean_line_of(s), stdout);
    if (status == AN_OK && rank == 0)
        status = an_check_rows(s, &in->mesh, an_state_sound(&in->c.gas.model, e.p0, e.T0), stdout);
    status = an_reduce_status(comm, status);
    if (status == AN_OK && rank == 0)
        an_component_print(s, &an_inflow_turbulence_component, stdout);
    if (status == AN_OK)
        status = print_doubts(comm, in, s, rank);
    if (status != AN_FAIL) {
        an_solver_destroy(s);
        an_engine_destroy(&engine);
    }
    return status;
}

/* What the ranks that would compute say of the case. */
static int check_case(MPI_Comm comm, const struct an_options *o, const struct an_input *in,
                      const char *remark)
{
    int rank, ranks, status = AN_OK;
    AN_MPI(MPI_Comm_rank(comm, &rank));
    AN_MPI(MPI_Comm_size(comm, &ranks));
    struct an_solver *plan = NULL;
    status = an_solver_plan(comm, &in->c, &in->mesh, &plan);
    if (status == AN_OK && rank == 0)
        status = print_plan(in, plan, ranks);
    status = an_reduce_status(comm, status);
    an_solver_destroy(plan);
    if (status == AN_OK)
        status = try_set_up(comm, in, rank);
    if (status == AN_OK && rank == 0 && *remark)
        print_warning(stdout, remark);
    struct an_catalyst catalyst;
    if (status == AN_OK && rank == 0 && *in->c.output.catalyst &&
        an_catalyst_load(in->c.output.catalyst_library, &catalyst) != AN_OK)
        an_screen_line(stdout, 12, "warning     on this machine, %s", an_error_text());
    if (status == AN_OK && rank == 0)
        printf("the case is ready to run\n");
    if (status == AN_OK && o->figure && rank == 0) {
        const char *const plot[] = {"boundaries", in->c.mesh, "-o", o->figure};
        status = an_page_wait(4, plot);
    }
    return status;
}

int an_check(MPI_Comm comm, const struct an_options *o, int *printed)
{
    int rank;
    AN_MPI(MPI_Comm_rank(comm, &rank));
    struct an_input in;
    struct an_idle ranks;
    int status = an_input_read(comm, o, &in, printed);
    if (status == AN_OK && rank == 0) {
        printf("case        %s\nmesh        %s: %d zones, %lld cells\n", in.c.title, in.c.mesh,
               in.mesh.topology.nblock, (long long)an_topology_cells(&in.mesh.topology));
        an_solver_print_gas(&in.c, stdout);
        an_solver_print_transition(&in.c, stdout);
    }
    status = an_reduce_status(comm, status);
    if (status == AN_OK)
        status = an_idle_split(comm, &in, &ranks);
    const int shared = status == AN_OK;
    if (shared && !ranks.idle)
        status = check_case(ranks.working, o, &in, ranks.remark);
    an_input_free(&in);
    return shared && status != AN_FAIL ? an_idle_join(&ranks, status) : status;
}

int an_info(const char *file, const char *base, int *printed)
{
    struct an_mesh mesh;
    struct an_diag diag;
    an_diag_init(&diag);
    int status = an_mesh_open_base(file, base, &mesh, &diag);
    if (status == AN_OK || mesh.topology.nblock > 0)
        an_mesh_info(&mesh, stdout);
    if (status == AN_OK) {
        status = an_abut_info(&mesh, stdout);
        if (status != AN_OK)
            an_diag_error(&diag, mesh.file, "%s", an_error_text());
    }
    fflush(stdout);
    for (int l = 0; l < diag.nline; l++)
        fprintf(stderr, "%s\n", diag.line[l]);
    *printed = diag.nerror > 0;
    an_diag_free(&diag);
    an_mesh_close(&mesh);
    return status;
}
