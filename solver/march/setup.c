/* Blocks, fields, metrics, boundaries and halo of a rank. */
#include "solver/level/level.h"
#include "solver/level/nodes.h"

#include "kernels/engine/built.h"
#include "kernels/engine/meter.h"
#include "kernels/physics/gas_real.h"
#include "kernels/physics/gas_state.h"
#include "mpi/reduce.h"
#include "solver/boundary/boundaries.h"
#include "solver/flow/fields.h"
#include "solver/flow/turbulence.h"
#include "solver/flow/wall_distance.h"
#include "solver/level/component.h"
#include "solver/level/memory.h"
#include "solver/level/replicated.h"
#include "solver/level/rows.h"
#include "solver/level/transfer.h"
#include "solver/level/tuning.h"
#include "solver/march/components.h"
#include "solver/march/damping.h"
#include "solver/march/low_mach.h"
#include "solver/march/march.h"
#include "solver/march/stop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The numerical scheme, and the parameters of the finest and of the coarser levels. */
static void set_scheme(struct an_solver *s)
{
    const struct an_case *c = s->c;
    s->scheme = c->scheme.flux;
    const double rho = an_state_density(&c->gas.model, c->initial.p, c->initial.T);
    const double c2 = c->gas.gamma * c->gas.R * c->initial.T;
    double inflow[2];
    an_case_inflow(c, inflow); /* case_check.c: it exists */
    s->params = (struct an_params){
        .gas = c->gas.model,
        .fluid.gamma = c->gas.gamma,
        .fluid.gas_constant = c->gas.R,
        .flux.p_ref = c->initial.p,
        .flux.k2 = c->scheme.k2,
        .flux.k4 = c->scheme.k4,
        .flux.sensor_floor = AN_TUNE_SENSOR_FLOOR * c->initial.p,
        .flux.upwind = s->scheme == AN_SCHEME_ROE,
        .flux.aspect_exponent = c->scheme.aspect_exponent,
        .flux.entropy_fix = c->scheme.entropy_fix,
        .flux.floor_rho = c->scheme.limiter_floor * rho * rho,
        .flux.floor_u = c->scheme.limiter_floor * c2,
        .flux.floor_p = c->scheme.limiter_floor * c->initial.p * c->initial.p,
        .march.cfl = c->march.cfl,
        .flux.limiter = (int)c->scheme.limiter,
        .turb.model = (int)c->turbulence.model,
        .turb.mixing_limit = c->turbulence.mixing_length * c->turbulence.length,
        .turb.order = c->turbulence.order,
        .turb.rotation = c->turbulence.model == AN_TURBULENCE_SST
                             ? (c->turbulence.curvature ? AN_CORRECTION_RC : AN_CORRECTION_NONE)
                             : (int)c->turbulence.rotation_correction,
        .turb.wall_function =
            an_case_has_transport(c) && c->turbulence.wall_function == AN_WALL_FUNCTION_AUTO,
        .turb.rough = an_case_has_roughness(c),
        .turb.qcr = c->turbulence.qcr,
        .turb.des = (int)c->turbulence.des,
        .turb.des_weight = c->scheme.des_dissipation,
        .turb.inflow_ratio = inflow[1],
        .turb.inflow_intensity = c->turbulence.model == AN_TURBULENCE_SST || an_case_has_bcm(c)
                                     ? inflow[0]
                                     : 0, /* Spalart-Allmaras: transition */
        .turb.intermittency = an_case_has_re_theta(c)        ? AN_INTERMITTENCY_RE_THETA
                              : an_case_has_intermittency(c) ? AN_INTERMITTENCY_GAMMA
                                                             : AN_INTERMITTENCY_NONE,
        .turb.stream_intensity = c->turbulence.transition_intensity,
        .march.turb_time = 1,
        .flux.wall_order = c->scheme.boundary_order,
        .fluid.mu_ref = c->gas.viscosity ? c->gas.mu : 0,
        .fluid.mu_T = c->gas.T_ref,
        .fluid.mu_S = c->gas.S,
        .fluid.mu_exponent = c->gas.exponent,
        .fluid.prandtl = c->gas.prandtl,
        .fluid.prandtl_t = c->gas.prandtl_turbulent,
        .fluid.viscosity = (int)c->gas.viscosity,
        .march.explicit_march = !an_case_is_implicit(c),
        .march.smooth_given = c->march.smoothing_coefficient,
        .march.scree_last = c->march.residual_smoothing ? AN_TUNE_SSS_LAST : AN_TUNE_SCREE_LAST,
        .march.scree_carry = c->march.residual_smoothing ? AN_TUNE_SSS_CARRY : AN_TUNE_SCREE_CARRY,
        .lines.line = 1,
        .lines.off = AN_TUNE_OFF_LINE,
        .flux.floor_acoustic = AN_TUNE_FLOOR_ACOUSTIC,
        .flux.floor_shear = AN_TUNE_FLOOR_SHEAR,
        .lines.floor =
            s->scheme == AN_SCHEME_ROE ? AN_TUNE_JACOBIAN_UPWIND : AN_TUNE_JACOBIAN_CENTRAL,
    };
    if (s->params.turb.intermittency && c->turbulence.ambient) {
        const double nu = an_case_viscosity(c, c->initial.p, c->initial.T) / rho;
        const double velocity = inflow[0] * an_case_speed(c, &c->initial);
        s->params.turb.ambient_k = 1.5 * velocity * velocity;
        s->params.turb.ambient_omega = s->params.turb.ambient_k / (nu * inflow[1]);
    }
    /* coarse levels: Roe's first-order flux */
    s->params_coarse = s->params;
    s->params_coarse.flux.k2 = AN_TUNE_COARSE_K2;
    s->params_coarse.flux.sensor_least = 1;
    s->params_coarse.flux.k4 = 0;
    s->params_coarse.flux.upwind = 1;
    s->params_coarse.lines.floor = AN_TUNE_JACOBIAN_UPWIND;
    s->params_coarse.flux.wall_order = AN_WALL_ORDER_NOTHING;
}

static int make_boundaries(struct an_solver *s)
{
    const struct an_topology *t = &s->mesh->topology;
    struct an_diag diag;
    an_diag_init(&diag);
    s->boundary = calloc((size_t)(t->nboundary ? t->nboundary : 1), sizeof *s->boundary);
    AN_CHECK(s->boundary, AN_FAIL, "out of memory for boundaries");
    an_solver_boundaries(s->c, t, s->boundary, &diag);
    int status = an_solver_rows(s->c, s->mesh, &s->omega, &diag);
    s->params.flux.rotating = s->params_coarse.flux.rotating = s->omega != NULL;
    if (s->omega) {
        s->params.lines.floor = fmax(s->params.lines.floor, AN_TUNE_JACOBIAN_ROWS);
        s->params_coarse.lines.floor = AN_TUNE_JACOBIAN_ROWS;
        s->params_coarse.flux.floor_acoustic = s->params_coarse.flux.floor_shear =
            AN_TUNE_FLOOR_ROWS;
    }
    if (status == AN_OK && diag.nerror)
        status = an_error_set(AN_INPUT, "%s", diag.line[0]);
    an_diag_free(&diag);
    return status;
}

/* Ranks of a node, where all nodes but the last have as many; else 0. Collective. */
static int ranks_per_node(MPI_Comm comm, int *ranks)
{
    MPI_Comm node;
    int most = 0, rank, size, place, good;
    AN_MPI(MPI_Comm_rank(comm, &rank));
    AN_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node));
    AN_MPI(MPI_Comm_size(node, &size));
    AN_MPI(MPI_Comm_rank(node, &place));
    AN_MPI(MPI_Comm_free(&node));
    AN_MPI(MPI_Allreduce(&size, &most, 1, MPI_INT, MPI_MAX, comm));
    good = rank % most == place;
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, comm));
    *ranks = good ? most : 0;
    return AN_OK;
}

/* How the mesh is cut. uncut[zones]: place for the directions of lines, which are not cut. */
static struct an_partition_options cut_options(const struct an_solver *s, int per_node, int *uncut)
{
    for (int z = 0; z < s->mesh->topology.nblock; z++)
        uncut[z] = s->line ? 1 << s->line[2 * z] | 1 << s->line[2 * z + 1] : 0;
    const int levels =
        s->nlevel > s->c->mpi.multigrid_levels ? s->nlevel : s->c->mpi.multigrid_levels;
    return (struct an_partition_options){.levels = levels,
                                         .min_cells = 4,
                                         .balance = 1.05,
                                         .uncut = uncut,
                                         .ranks_per_node = per_node};
}

/* The most pieces there can be, as of an_partition_most. */
static int count_pieces(const struct an_solver *s, int64_t *most, char *why)
{
    int *uncut = calloc((size_t)s->mesh->topology.nblock + 1, sizeof *uncut);
    AN_CHECK(uncut, AN_FAIL, "out of memory for the partition");
    const struct an_partition_options opt = cut_options(s, 0, uncut);
    const int status = an_partition_most(&s->mesh->topology, &opt, most, why);
    free(uncut);
    return status;
}

/* The pieces of this rank. */
static int list_own(struct an_solver *s)
{
    const struct an_partition *p = &s->level->partition;
    s->local = malloc((size_t)p->npiece * sizeof *s->local);
    AN_CHECK(s->local, AN_FAIL, "out of memory for the partition");
    for (int n = 0; n < p->npiece; n++)
        if (p->piece[n].rank == s->rank)
            s->local[s->nlocal++] = n;
    return AN_OK;
}

/* The pieces of all ranks. */
static int cut_mesh(struct an_solver *s, int per_node)
{
    struct an_partition *p = &s->level->partition;
    int *uncut = calloc((size_t)s->mesh->topology.nblock + 1, sizeof *uncut);
    AN_CHECK(uncut, AN_FAIL, "out of memory for the partition");
    const struct an_partition_options opt = cut_options(s, per_node, uncut);
    const int status = an_partition_new(&s->mesh->topology, s->nrank, &opt, p);
    free(uncut);
    AN_TRY(status);
    return list_own(s);
}

/* The pieces of another solver of the same mesh, however many levels it has. */
static int cut_like(struct an_solver *s, const struct an_partition *from)
{
    struct an_partition *p = &s->level->partition;
    const size_t bytes = (size_t)from->npiece * sizeof *p->piece;
    *p = *from;
    p->piece = malloc(bytes + 1);
    an_topology_init(&p->topology);
    AN_CHECK(p->piece, AN_FAIL, "out of memory for the partition");
    memcpy(p->piece, from->piece, bytes);
    AN_TRY(an_topology_copy(&from->topology, &p->topology));
    return list_own(s);
}

/* A lower bound of what the finest level needs is compared with what the device has left. */
static int fits(struct an_solver *s)
{
    int64_t left, all;
    const char *limit = getenv("AN_DEVICE_BYTES"); /* for tests: what the device has */
    AN_TRY(an_engine_room(s->engine, &left, &all));
    if (limit)
        left = all = strtoll(limit, NULL, 10);
    const int64_t whole = an_replicated_cells(s, s->nreplicated);
    const struct an_memory m = an_solver_memory(&s->level->partition, s->rank, s->c, whole);
    const int64_t least = m.least + (s->nlevel > 1 ? m.least / 8 : 0);
    AN_CHECK(!all || least <= left, AN_INPUT,
             "%s: the run needs at least %.3g GB of the device, of which %.3g of %.3g GB are free: "
             "use more devices%s",
             s->engine->description, 1e-9 * (double)least, 1e-9 * (double)left, 1e-9 * (double)all,
             s->c->precision == AN_DOUBLE ? " or precision: single" : "");
    return AN_OK;
}

/* The numbers of a gas table, in the memory and the precision of the engine. */
static int place_table(struct an_solver *s)
{
    const struct an_gas_table *t = s->c->gas.model.table;
    if (!t)
        return AN_OK;
    const size_t bytes = (size_t)an_gas_table_words(t) * (size_t)s->c->precision;
    void *host = malloc(bytes);
    AN_CHECK(host, AN_FAIL, "out of memory for the gas table");
    an_gas_table_data(t, s->c->precision == AN_DOUBLE ? 64 : 32, host);
    int status = s->engine->op->alloc(s->engine, bytes, &s->gas_data);
    if (status == AN_OK)
        status = s->engine->op->upload(s->engine, s->gas_data, host, bytes, 0);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    free(host);
    s->params.gas.data = s->params_coarse.gas.data = s->gas_data;
    return status;
}

/* Levels that are cut: the set-up of this rank, up to the first thing that can wait for others. */
static int set_up(struct an_solver *s)
{
    for (int n = 0; n < s->nlevel - s->nreplicated; n++) {
        AN_TRY(an_level_new(s, n));
        AN_TRY(an_flow_fields_new(s, &s->level[n]));
    }
    return AN_OK;
}

/* Replicated levels, whose metrics come from all ranks. */
static int set_up_replicated(struct an_solver *s)
{
    for (int n = s->nlevel - s->nreplicated; n < s->nlevel; n++) {
        struct an_level *l = &s->level[n];
        AN_TRY(an_reduce_status(s->comm, an_level_new(s, n)));
        static const enum an_field metrics[] = {AN_F_S, AN_F_VOL, AN_F_G};
        for (int m = 0; m < (s->params.flux.rotating ? 3 : 2) && !l[-1].replicated; m++)
            AN_TRY(an_replicated_join(s, l, metrics[m]));
        AN_TRY(an_reduce_status(s->comm, an_flow_fields_new(s, l)));
    }
    return AN_OK;
}

/* Is the mesh one layer of cells? */
static int is_plane(const struct an_topology *t)
{
    int *flat = malloc(((size_t)t->nblock + 1) * sizeof *flat), all = flat != NULL;
    if (flat)
        an_topology_flat(t, flat);
    for (int z = 0; z < t->nblock && all; z++)
        all = flat[z] != 0;
    free(flat);
    return all;
}

int an_solver_built(const struct an_case *c)
{
    const int bits = c->precision == AN_DOUBLE ? 64 : 32;
    const char *precision = bits == 64 ? "double" : "single",
               *other = bits == 64 ? "single" : "double";
    const struct an_gas *gas = &c->gas.model;
    const char *key = gas->table ? "table" : gas->ends ? "fraction" : "cp";
    const int stored = gas->table || gas->n; /* AN_GAS */
    AN_CHECK(an_engine_has(bits, 0), AN_INPUT,
             "'precision: %s' is not available: this program was built for %s precision "
             "only; " AN_BUILD_ALL " builds both",
             precision, other);
    AN_CHECK(an_engine_has(bits, stored), AN_INPUT,
             "'gas.%s' is not available: this program was built without the kernels "
             "for it; " AN_BUILD_ALL " builds those for all gases",
             key);
    return AN_OK;
}

/* What all ranks agree on before anything is cut. */
static int plan(struct an_solver *s)
{
    AN_TRY(an_solver_built(s->c));
    AN_TRY(make_boundaries(s));
    AN_TRY(an_stop_check(s));
    s->nlevel = 1;
    s->scree = s->c->march.method == AN_METHOD_SCREE;
    s->implicit = an_case_is_implicit(s->c);
    const int want = !s->implicit                 ? 1
                     : s->c->multigrid.levels > 0 ? s->c->multigrid.levels
                                                  : AN_TUNE_LEVELS;
    AN_TRY(an_coarsening_new(&s->mesh->topology, s->mesh->turn, want, &s->coarsening));
    AN_CHECK(s->c->multigrid.levels <= s->coarsening.nlevel || !s->implicit, AN_INPUT,
             "%s: multigrid.levels is %d, but the mesh allows %d: on the last of them %s",
             s->c->file, want, s->coarsening.nlevel, s->coarsening.limit);
    s->nlevel = s->coarsening.nlevel;
    s->across = s->implicit && s->c->multigrid.across;
    AN_CHECK(!s->across || (s->nlevel > 2 && is_plane(&s->mesh->topology)), AN_INPUT,
             "%s: multigrid.across needs a mesh of one layer of cells and three levels",
             s->c->file);
    if (s->across && s->c->multigrid.pre + s->c->multigrid.post > 1) {
        s->params.lines.off = s->params_coarse.lines.off = AN_TUNE_OFF_LINE_ACROSS;
        if (s->scheme == AN_SCHEME_JST)
            s->params.lines.floor = fmin(s->params.lines.floor, AN_TUNE_JACOBIAN_ACROSS);
    }
    if (!s->implicit && !an_case_has_transport(s->c) && !s->c->nscalar)
        return AN_OK;
    s->line = malloc(2 * ((size_t)s->mesh->topology.nblock + 1) * sizeof *s->line);
    AN_CHECK(s->line, AN_FAIL, "out of memory for lines");
    return AN_OK;
}

/* Boundaries, levels and lines. *solver is the caller's to destroy. */
static int decide(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                  struct an_solver **solver)
{
    struct an_solver *s = calloc(1, sizeof *s);
    *solver = s;
    AN_TRY(an_reduce_status(comm, s ? AN_OK : an_error_set(AN_FAIL, "out of memory")));
    s->comm = comm;
    s->c = c;
    s->mesh = mesh;
    s->components = an_components;
    AN_MPI(MPI_Comm_rank(comm, &s->rank));
    AN_MPI(MPI_Comm_size(comm, &s->nrank));
    set_scheme(s);
    AN_TRY(an_reduce_status(comm, plan(s)));
    if (s->line)
        AN_TRY(an_solver_lines(comm, mesh, s->boundary, an_low_mach_planned(c), s->line));
    return AN_OK;
}

int an_solver_plan(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                   struct an_solver **solver)
{
    int per_node = 0;
    AN_TRY(decide(comm, c, mesh, solver));
    AN_TRY(ranks_per_node(comm, &per_node));
    return an_reduce_status(comm, cut_mesh(*solver, per_node));
}

int an_solver_most_ranks(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                         int64_t *most, char *why)
{
    struct an_solver *s = NULL;
    int status = decide(comm, c, mesh, &s);
    if (status == AN_OK)
        status = an_reduce_status(comm, count_pieces(s, most, why));
    an_solver_destroy(s);
    return status;
}

int an_solver_new(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                  struct an_engine *engine, struct an_solver **solver)
{
    return an_solver_new_like(comm, c, mesh, engine, NULL, solver);
}

int an_solver_new_like(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                       struct an_engine *engine, const struct an_solver *like,
                       struct an_solver **solver)
{
    if (like) {
        AN_TRY(decide(comm, c, mesh, solver));
        AN_TRY(an_reduce_status(comm, cut_like(*solver, &like->level->partition)));
    } else {
        AN_TRY(an_solver_plan(comm, c, mesh, solver));
    }
    struct an_solver *s = *solver;
    s->engine = engine;
    s->like = like;
    s->nreplicated = an_replicated_count(s, engine->device_memory);
    AN_TRY(an_reduce_status(comm, fits(s)));
    AN_TRY(an_reduce_status(comm, place_table(s)));
    AN_TRY(an_reduce_status(comm, set_up(s)));
    AN_TRY(set_up_replicated(s));
    AN_TRY(an_low_mach_set(s));
    for (int n = 0; n < s->nlevel; n++)
        AN_TRY(an_level_connect(s, &s->level[n]));
    return an_components_make(s);
}

void an_solver_destroy(struct an_solver *s)
{
    if (!s)
        return;
    an_components_destroy(s);
    for (int n = 0; n < s->nlevel; n++)
        an_level_destroy(s, &s->level[n]);
    an_coarsening_free(&s->coarsening);
    if (s->gas_data)
        s->engine->op->free(s->engine, s->gas_data);
    free(s->boundary);
    free(s->line);
    free(s->omega);
    an_nodes_free(s);
    free(s->local);
    free(s);
}
