/* Blocks, fields, metrics, boundaries and halo of a rank. */
#include "solver/solver.h"

#include "mpi/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Runge-Kutta coefficients (Jameson): the last stage is the step. */
static void set_scheme(struct an_solver *s)
{
    static const double five[] = {1.0 / 4, 1.0 / 6, 3.0 / 8, 1.0 / 2, 1};
    static const double four[] = {1.0 / 4, 1.0 / 3, 1.0 / 2, 1};
    const struct an_case *c = s->c;
    s->nstage = c->march.stages;
    memcpy(s->alpha, s->nstage == 4 ? four : five, (size_t)s->nstage * sizeof *s->alpha);
    s->scheme = c->scheme.flux == AN_FLUX_ROE ? AN_SCHEME_ROE : AN_SCHEME_JST;
    const double rho = c->initial.p / (c->gas.R * c->initial.T);
    const double c2 = c->gas.gamma * c->gas.R * c->initial.T;
    s->params = (struct an_params){
        .gamma = c->gas.gamma,
        .gas_constant = c->gas.R,
        .p_ref = c->initial.p,
        .k2 = c->scheme.k2,
        .k4 = c->scheme.k4,
        .sensor_floor = 1e-3 * c->initial.p,
        .upwind = s->scheme == AN_SCHEME_ROE,
        .aspect_exponent = c->scheme.aspect_exponent,
        .entropy_fix = c->scheme.entropy_fix,
        .floor_rho = 1e-6 * rho * rho,
        .floor_u = 1e-6 * c2,
        .floor_p = 1e-6 * c->initial.p * c->initial.p,
        .cfl = c->march.cfl,
        .limiter = c->scheme.limiter == AN_LIMITER_FIRST_ORDER  ? 2
                   : c->scheme.limiter == AN_LIMITER_VAN_ALBADA ? 1
                                                                : 0,
        .wall_order = c->scheme.boundary_order,
    };
}

static int cut_mesh(struct an_solver *s)
{
    const struct an_partition_options opt = {
        .levels = s->c->mpi.multigrid_levels, .min_cells = 4, .balance = 1.05};
    AN_TRY(an_partition_new(&s->mesh->topology, s->nrank, &opt, &s->partition));
    s->local = malloc((size_t)s->partition.npiece * sizeof *s->local);
    int(*n)[3] = malloc((size_t)s->partition.npiece * sizeof *n);
    int status = AN_OK;
    if (!s->local || !n)
        status = an_error_set(AN_FAIL, "out of memory for the partition");
    for (int p = 0; p < s->partition.npiece && status == AN_OK; p++)
        if (s->partition.piece[p].rank == s->rank) {
            memcpy(n[s->nlocal], s->partition.topology.block[p].n, sizeof *n);
            s->local[s->nlocal++] = p;
        }
    if (status == AN_OK)
        status = an_layout_new(s->nlocal, (const int(*)[3])n, s->c->precision, &s->layout);
    for (int b = 0; b < s->nlocal && status == AN_OK; b++)
        s->layout.block[b].zone = s->partition.piece[s->local[b]].zone;
    free(n);
    return status;
}

static int alloc_field(struct an_solver *s, enum an_field field)
{
    static const int ncomp[AN_NFIELD] = {
#define AN_F(name, n, type, help) [AN_F_##name] = n,
        AN_FIELD_LIST(AN_F)
#undef AN_F
    };
    size_t word = field == AN_F_X ? sizeof(double) : (size_t)s->layout.precision;
    return s->engine->op->alloc(s->engine, (size_t)s->layout.ncell * (size_t)ncomp[field] * word,
                                &s->fields.at[field]);
}

static int alloc_fields(struct an_solver *s)
{
    static const enum an_field used[] = {AN_F_W, AN_F_S, AN_F_VOL, AN_F_LAM, AN_F_DT, AN_F_R};
    for (size_t f = 0; f < sizeof used / sizeof *used; f++)
        AN_TRY(alloc_field(s, used[f]));
    size_t state = (size_t)s->layout.ncell * 5 * (size_t)s->layout.precision;
    for (int n = 0; n < 2; n++)
        AN_TRY(s->engine->op->alloc(s->engine, state, &s->stage[n]));
    return AN_OK;
}

/* A list of boxes that grows. */
struct boxes {
    int n, capacity;
    struct an_box *box;
};

static int add_box(struct boxes *l, int block, const int lo[3], const int hi[3])
{
    for (int d = 0; d < 3; d++)
        if (lo[d] >= hi[d])
            return AN_OK;
    if (l->n == l->capacity) {
        int capacity = l->capacity ? 2 * l->capacity : 64;
        struct an_box *grown = realloc(l->box, (size_t)capacity * sizeof *grown);
        AN_CHECK(grown, AN_FAIL, "out of memory for boxes");
        l->box = grown;
        l->capacity = capacity;
    }
    struct an_box *b = &l->box[l->n++];
    b->block = block;
    memcpy(b->lo, lo, sizeof b->lo);
    memcpy(b->hi, hi, sizeof b->hi);
    return AN_OK;
}

/* Which faces of each local block are sent to other ranks: sent[nlocal][dir][side]. */
static void faces_sent(const struct an_solver *s, const int *place, int (*sent)[3][2])
{
    const struct an_topology *t = &s->partition.topology;
    for (int i = 0; i < t->ninterface; i++) {
        const struct an_interface *f = &t->interface[i];
        int b = place[f->window.block];
        if (b >= 0 && s->partition.piece[f->donor].rank != s->rank)
            sent[b][f->window.dir][f->window.side] = 1;
    }
}

/* Cells within the halo's reach of a face that is sent (shell), and the rest (core). */
static int split_shell(const struct an_block *block, int b, int sent[3][2], struct boxes *shell,
                       struct boxes *core)
{
    int lo[3] = {0, 0, 0}, hi[3] = {block->n[0], block->n[1], block->n[2]};
    for (int d = 2; d >= 0; d--)
        for (int side = 0; side < 2; side++) {
            if (!sent[d][side])
                continue;
            int a[3], z[3];
            memcpy(a, lo, sizeof a);
            memcpy(z, hi, sizeof z);
            int depth = hi[d] - lo[d] < AN_GHOST ? hi[d] - lo[d] : AN_GHOST;
            if (side)
                a[d] = hi[d] = hi[d] - depth;
            else
                z[d] = lo[d] = lo[d] + depth;
            AN_TRY(add_box(shell, b, a, z));
        }
    return add_box(core, b, lo, hi);
}

static int make_boxes(struct an_solver *s)
{
    const struct an_topology *t = &s->partition.topology;
    enum { INTERIOR, SHELL, CORE, NLIST };
    struct boxes list[NLIST] = {{0}};
    struct an_tiles **tiles[NLIST] = {&s->interior, &s->shell, &s->core};
    int *place = malloc((size_t)t->nblock * sizeof *place);
    int(*sent)[3][2] = calloc((size_t)(s->nlocal ? s->nlocal : 1), sizeof *sent);
    int status = place && sent ? AN_OK : an_error_set(AN_FAIL, "out of memory for boxes");
    if (status == AN_OK) {
        for (int b = 0; b < t->nblock; b++)
            place[b] = -1;
        for (int b = 0; b < s->nlocal; b++)
            place[s->local[b]] = b;
        faces_sent(s, place, sent);
    }
    for (int b = 0; b < s->nlocal && status == AN_OK; b++) {
        const struct an_block *block = &s->layout.block[b];
        const int zero[3] = {0, 0, 0};
        status = add_box(&list[INTERIOR], b, zero, block->n);
        if (status == AN_OK)
            status = split_shell(block, b, sent[b], &list[SHELL], &list[CORE]);
    }
    for (int l = 0; l < NLIST; l++) {
        if (status == AN_OK)
            status =
                s->engine->op->tiles_new(s->engine, &s->layout, list[l].n, list[l].box, tiles[l]);
        free(list[l].box);
    }
    free(place);
    free(sent);
    return status;
}

/* Reads the nodes of the rank's blocks into engine memory (field X). */
static int load_nodes(struct an_solver *s)
{
    const struct an_layout *l = &s->layout;
    double *all = calloc((size_t)l->ncell * 3, sizeof *all);
    AN_CHECK(all, AN_FAIL, "out of memory for %lld nodes", (long long)l->ncell);
    int status = AN_OK;
    for (int b = 0; b < s->nlocal && status == AN_OK; b++) {
        const struct an_block *block = &l->block[b];
        const int m[3] = {block->n[0] + 1, block->n[1] + 1, block->n[2] + 1};
        const size_t count = (size_t)m[0] * (size_t)m[1] * (size_t)m[2];
        double *x = malloc(count * 3 * sizeof *x);
        if (!x) {
            status = an_error_set(AN_FAIL, "out of memory for %zu nodes", count);
            break;
        }
        status = an_nodes_read(s->mesh, &s->partition.piece[s->local[b]], x);
        for (int c = 0; c < 3 && status == AN_OK; c++)
            for (int k = 0; k < m[2]; k++)
                for (int j = 0; j < m[1]; j++)
                    memcpy(all + c * l->ncell + an_element(block, 0, j, k),
                           x + (size_t)c * count +
                               (size_t)m[0] * ((size_t)j + (size_t)m[1] * (size_t)k),
                           (size_t)m[0] * sizeof *x);
        free(x);
    }
    if (status == AN_OK)
        status = alloc_field(s, AN_F_X);
    if (status == AN_OK)
        status = s->engine->op->upload(s->engine, s->fields.at[AN_F_X], all,
                                       (size_t)l->ncell * 3 * sizeof *all, 0);
    if (status == AN_OK)
        status = s->engine->op->sync(s->engine, 0);
    free(all);
    return status;
}

/* Names the first cell without a positive volume. */
static int bad_volume(struct an_solver *s)
{
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_piece *p = &s->partition.piece[s->local[b]];
        const int *n = s->layout.block[b].n;
        double *v = malloc((size_t)n[0] * (size_t)n[1] * (size_t)n[2] * sizeof *v);
        AN_CHECK(v, AN_FAIL, "out of memory");
        int status = an_solver_download(s, AN_F_VOL, 1, b, v);
        for (int64_t at = 0; status == AN_OK && at < (int64_t)n[0] * n[1] * n[2]; at++)
            if (!(v[at] > 0)) {
                int i = (int)(at % n[0]), j = (int)(at / n[0] % n[1]), k = (int)(at / n[0] / n[1]);
                status = an_error_set(AN_INPUT,
                                      "%s: zone '%s': cell (%d, %d, %d) has volume %g m3: the mesh "
                                      "is folded there or its indices are left-handed",
                                      s->mesh->file, s->mesh->topology.block[p->zone].name,
                                      i + p->lo[0] + 1, j + p->lo[1] + 1, k + p->lo[2] + 1, v[at]);
            }
        free(v);
        AN_TRY(status);
    }
    return an_error_set(AN_INPUT, "%s: a cell has no positive volume", s->mesh->file);
}

static int make_metrics(struct an_solver *s)
{
    const struct an_engine_ops *op = s->engine->op;
    AN_TRY(load_nodes(s));
    AN_TRY(op->run(s->engine, AN_S_face_area, s->interior, &s->fields, &s->params, NULL, 0));
    struct an_reduction red;
    AN_TRY(op->run(s->engine, AN_S_volume, s->interior, &s->fields, &s->params, &red, 0));
    op->free(s->engine, s->fields.at[AN_F_X]);
    s->fields.at[AN_F_X] = NULL;
    return red.min[0] > 0 || s->nlocal == 0 ? AN_OK : bad_volume(s);
}

static int make_boundaries(struct an_solver *s)
{
    const struct an_topology *t = &s->partition.topology;
    struct an_diag diag;
    an_diag_init(&diag);
    s->boundary = calloc((size_t)(t->nboundary ? t->nboundary : 1), sizeof *s->boundary);
    AN_CHECK(s->boundary, AN_FAIL, "out of memory for boundaries");
    an_solver_boundaries(s->c, t, s->boundary, &diag);
    int status = AN_OK;
    if (diag.nerror)
        status = an_error_set(AN_INPUT, "%s", diag.line[0]);
    an_diag_free(&diag);
    AN_TRY(status);
    int nwindow;
    struct an_face_window *window = NULL;
    status = an_bc_windows(t, s->nlocal, s->local, &nwindow, &window);
    if (status == AN_OK)
        status = s->engine->op->faces_new(s->engine, &s->layout, nwindow, window, t->nboundary,
                                          s->boundary, &s->faces);
    free(window);
    return status;
}

static enum an_transport_kind transport_kind(enum an_transport_choice choice)
{
    switch (choice) {
    case AN_TRANSPORT_HOST:
        return AN_TRANSPORT_KIND_HOST;
    case AN_TRANSPORT_CUDA_AWARE:
        return AN_TRANSPORT_KIND_CUDA_AWARE;
    case AN_TRANSPORT_STAGED:
        return AN_TRANSPORT_KIND_STAGED;
    default:
        return AN_TRANSPORT_KIND_AUTO;
    }
}

/* The set-up of this rank, up to the first thing that can wait for others. */
static int set_up(struct an_solver *s)
{
    AN_TRY(cut_mesh(s));
    AN_TRY(alloc_fields(s));
    AN_TRY(make_boxes(s));
    AN_TRY(make_metrics(s));
    return make_boundaries(s);
}

int an_solver_new(MPI_Comm comm, const struct an_case *c, const struct an_mesh *mesh,
                  struct an_engine *engine, struct an_solver *s)
{
    memset(s, 0, sizeof *s);
    s->comm = comm;
    s->c = c;
    s->mesh = mesh;
    s->engine = engine;
    AN_MPI(MPI_Comm_rank(comm, &s->rank));
    AN_MPI(MPI_Comm_size(comm, &s->nrank));
    set_scheme(s);
    AN_TRY(an_reduce_status(comm, set_up(s)));
    const enum an_transport_kind kind = transport_kind(c->mpi.transport);
    AN_TRY(an_halo_new(comm, engine, &s->partition, &s->layout, s->nlocal, s->local, 5, kind,
                       &s->halo));
    return an_halo_normal_new(comm, engine, &s->partition, &s->layout, s->nlocal, s->local, kind,
                              &s->halo_lam);
}

void an_solver_destroy(struct an_solver *s)
{
    const struct an_engine_ops *op = s->engine ? s->engine->op : NULL;
    an_halo_destroy(s->halo);
    an_halo_destroy(s->halo_lam);
    if (op) {
        struct an_tiles *tiles[] = {s->interior, s->shell, s->core};
        for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++)
            if (tiles[t])
                op->tiles_free(s->engine, tiles[t]);
        if (s->faces)
            op->faces_free(s->engine, s->faces);
        for (int f = 0; f < AN_NFIELD; f++)
            if (s->fields.at[f])
                op->free(s->engine, s->fields.at[f]);
        for (int n = 0; n < 2; n++)
            if (s->stage[n])
                op->free(s->engine, s->stage[n]);
    }
    free(s->boundary);
    free(s->local);
    an_layout_free(&s->layout);
    an_partition_free(&s->partition);
    memset(s, 0, sizeof *s);
}

struct an_memory an_solver_memory(const struct an_partition *p, int rank,
                                  enum an_precision precision)
{
    /* W, two stages, S, VOL, LAM, DT, R, and the nodes while metrics are made */
    const int64_t words = 5 + 2 * 5 + 9 + 1 + 3 + 1 + 5;
    struct an_memory m = {0, 0};
    for (int b = 0; b < p->npiece; b++) {
        if (p->piece[b].rank != rank)
            continue;
        struct an_layout l;
        if (an_layout_new(1, (const int(*)[3])p->topology.block[b].n, precision, &l) == AN_OK) {
            m.device += l.ncell * (words * (int64_t)precision + 3 * (int64_t)sizeof(double));
            m.host += l.ncell * 3 * (int64_t)sizeof(double);
        }
        an_layout_free(&l);
    }
    return m;
}
