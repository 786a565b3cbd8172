/* One multigrid level: blocks, fields, metrics, boundary faces, halos. */
#include "solver/level/level.h"

#include "kernels/engine/model.h"
#include "solver/level/memory.h"
#include "solver/level/nodes.h"
#include "solver/level/replicated.h"
#include "solver/level/rows.h"
#include "solver/level/transfer.h"

#include <stdlib.h>
#include <string.h>

int an_level_alloc(struct an_solver *s, struct an_level *l, enum an_field field)
{
    const size_t word = (size_t)an_field_precision(field, l->layout.precision);
    return s->engine->op->alloc(s->engine,
                                (size_t)l->layout.ncell * (size_t)an_field_components(field) * word,
                                &l->fields.at[field]);
}

static void *component_of(const struct an_level *l, void *memory, int component)
{
    const size_t skip = (size_t)component * (size_t)l->layout.ncell * (size_t)l->layout.precision;
    return (char *)memory + skip;
}

void an_level_share(struct an_level *l, enum an_field field, void *memory, int component)
{
    l->fields.at[field] = component_of(l, memory, component);
    l->shared[field] = 1;
}

void *an_level_component(const struct an_level *l, enum an_field field, int component)
{
    return component_of(l, l->fields.at[field], component);
}

void an_level_drop(struct an_solver *s, struct an_level *l, enum an_field field)
{
    s->engine->op->free(s->engine, l->fields.at[field]);
    l->fields.at[field] = NULL;
}

/* Work fields of a turbulence model with transported variables lie in the memory of the stages: its
 * step lies between those of the flow, when no stage is alive. */
static void share_with_model(const struct an_solver *s, struct an_level *l)
{
    const int n = an_model_of(s->c->turbulence.model)->nvariable;
    if (!n)
        return;
    an_level_share(l, AN_F_GRADT, l->stage[0], 0);
    an_level_share(l, AN_F_RT, l->stage[0], 3 * n);
    an_level_share(l, AN_F_DIAGT, l->stage[0], 4 * n);
    /* addresses that nobody reads */
    if (!s->params.turb.wall_function)
        an_level_share(l, AN_F_UTAU, l->fields.at[AN_F_WD], 0);
    if (!s->params.turb.rough)
        an_level_share(l, AN_F_ROUGH, l->fields.at[AN_F_WD], 0);
    if (!s->params.turb.des)
        an_level_share(l, AN_F_DES, l->fields.at[AN_F_WD], 0);
    if (s->params.turb.des == AN_DES_DDES)
        an_level_share(l, AN_F_AWAY, l->fields.at[AN_F_WD], 0);
}

static int alloc_fields(struct an_solver *s, struct an_level *l)
{
    const struct an_level_memory m =
        an_level_memory_of(s->c, l == s->level, s->params.flux.rotating);
    for (int f = 0; f < AN_NFIELD; f++)
        if (m.field[f] == AN_OWN)
            AN_TRY(an_level_alloc(s, l, (enum an_field)f));
    if (l == s->level) { /* the level has no forcing */
        l->viscous_force = l->fields.at[AN_F_FORCE];
        l->fields.at[AN_F_FORCE] = NULL;
    }
    const size_t state = (size_t)l->layout.ncell * AN_NCOMP_W * (size_t)l->layout.precision;
    AN_TRY(s->engine->op->alloc(s->engine, (size_t)m.states * state, &l->stage[0]));
    l->stage[1] = s->implicit ? l->stage[0] : (char *)l->stage[0] + state;
    /* lines are solved from R to DW in one go, cell by cell, and nobody reads R behind that */
    if (s->implicit)
        an_level_share(l, AN_F_DW, l->fields.at[AN_F_R], 0);
    if (l == s->level)
        share_with_model(s, l);
    return AN_OK;
}

/* Directions along which nothing varies, of whole zones: they do not depend on how zones are cut. Coarse
 * levels have as many directions of one cell as the finest one. */
static int mark_flat(const struct an_solver *s, struct an_layout *l)
{
    struct an_topology mesh;
    int *flat = malloc(((size_t)s->mesh->topology.nblock + 1) * sizeof *flat);
    AN_CHECK(flat, AN_FAIL, "out of memory for zones");
    const int status = an_topology_of_case(s->c, &s->mesh->topology, &mesh);
    if (status == AN_OK) {
        an_topology_flat(&mesh, flat);
        for (int b = 0; b < l->nblock; b++)
            l->block[b].flat = flat[l->block[b].zone];
        free(mesh.boundary);
    }
    free(flat);
    return status;
}

static int make_layout(struct an_solver *s, struct an_level *l)
{
    const size_t count = (size_t)(l->nlocal ? l->nlocal : 1);
    int(*n)[3] = malloc(count * sizeof *n);
    int status = n ? AN_OK : an_error_set(AN_FAIL, "out of memory for blocks");
    for (int b = 0; b < l->nlocal && status == AN_OK; b++)
        memcpy(n[b], l->partition.topology.block[l->local[b]].n, sizeof *n);
    if (status == AN_OK)
        status = an_layout_new(l->nlocal, (const int(*)[3])n, s->c->precision, &l->layout);
    for (int b = 0; b < l->nlocal && status == AN_OK; b++) {
        const int zone = l->partition.piece[l->local[b]].zone;
        l->layout.block[b].zone = zone;
        l->layout.block[b].omega = s->omega ? s->omega[zone] : 0;
    }
    free(n);
    return status == AN_OK ? mark_flat(s, &l->layout) : status;
}

/* Reads the nodes of the rank's blocks into engine memory (field X), and keeps them. */
static int load_nodes(struct an_solver *s)
{
    const struct an_layout *l = &s->level->layout;
    double *all = calloc((size_t)l->ncell * 3, sizeof *all);
    s->node = calloc((size_t)s->nlocal + 1, sizeof *s->node);
    int status = all && s->node
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for %lld nodes", (long long)l->ncell);
    for (int b = 0; b < s->nlocal && status == AN_OK; b++) {
        const struct an_block *block = &l->block[b];
        const int m[3] = {block->n[0] + 1, block->n[1] + 1, block->n[2] + 1};
        const size_t count = (size_t)m[0] * (size_t)m[1] * (size_t)m[2];
        double *x = s->node[b] = malloc(count * 3 * sizeof *x);
        if (!x) {
            status = an_error_set(AN_FAIL, "out of memory for %zu nodes", count);
            break;
        }
        const double start = MPI_Wtime();
        status = an_nodes_read(s->mesh, &s->level->partition.piece[s->local[b]], x);
        s->read_seconds += MPI_Wtime() - start;
        s->read_bytes += 3 * (double)(count * sizeof *x);
        for (int c = 0; c < 3 && status == AN_OK; c++)
            for (int k = 0; k < m[2]; k++)
                for (int j = 0; j < m[1]; j++)
                    memcpy(all + c * l->ncell + an_element(block, 0, j, k),
                           x + (size_t)c * count +
                               (size_t)m[0] * ((size_t)j + (size_t)m[1] * (size_t)k),
                           (size_t)m[0] * sizeof *x);
    }
    if (status == AN_OK)
        status = an_level_alloc(s, s->level, AN_F_X);
    if (status == AN_OK)
        status = s->engine->op->upload(s->engine, s->level->fields.at[AN_F_X], all,
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
        const struct an_piece *p = &s->level->partition.piece[s->local[b]];
        const int *n = s->level->layout.block[b].n;
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

/* Metrics of the finest level, from the nodes X. */
static int find_metrics(struct an_solver *s)
{
    const struct an_engine_ops *op = s->engine->op;
    AN_TRY(op->run(s->engine, AN_S_face_area, s->level->interior, &s->level->fields, &s->params,
                   NULL, 0));
    if (s->params.flux.rotating)
        AN_TRY(op->run(s->engine, AN_S_face_sweep, s->level->interior, &s->level->fields,
                       &s->params, NULL, 0));
    if (s->level->fields.at[AN_F_CARRY])
        AN_TRY(op->run(s->engine, AN_S_cell_carry, s->level->interior, &s->level->fields,
                       &s->params, NULL, 0));
    struct an_reduction red;
    AN_TRY(op->run(s->engine, AN_S_volume, s->level->interior, &s->level->fields, &s->params, &red,
                   0));
    return red.min[0] > 0 || s->nlocal == 0 ? AN_OK : bad_volume(s);
}

static int make_metrics(struct an_solver *s)
{
    AN_TRY(load_nodes(s));
    AN_TRY(find_metrics(s));
    if (!s->level->fields.at[AN_F_WD]) /* else: wall distances follow */
        an_level_drop(s, s->level, AN_F_X);
    return AN_OK;
}

int an_level_renew(struct an_solver *s)
{
    an_nodes_free(s);
    AN_TRY(load_nodes(s));
    const int status = find_metrics(s);
    an_level_drop(s, s->level, AN_F_X);
    return status;
}

/* Areas and volumes of a coarse level: sums over the cells it is made of. */
static int sum_metrics(struct an_solver *s, const struct an_level *fine, struct an_level *l)
{
    struct an_fields f = l->fields;
    const struct an_tiles *const mine = an_replicated_beside(fine, l);
    f.at[AN_F_OS] = fine->fields.at[AN_F_S];
    f.at[AN_F_OVOL] = fine->fields.at[AN_F_VOL];
    AN_TRY(s->engine->op->run_between(s->engine, AN_S_coarse_area, mine, fine->interior, &f,
                                      &s->params, 0));
    f.at[AN_F_OG] = fine->fields.at[AN_F_G];
    if (s->params.flux.rotating)
        AN_TRY(s->engine->op->run_between(s->engine, AN_S_coarse_sweep, mine, fine->interior, &f,
                                          &s->params, 0));
    return s->engine->op->run_between(s->engine, AN_S_coarse_volume, mine, fine->interior, &f,
                                      &s->params, 0);
}

static int make_faces(struct an_solver *s, struct an_level *l)
{
    const struct an_topology *t = &l->partition.topology;
    int nwindow;
    struct an_face_window *window = NULL;
    int status = an_bc_windows(t, s->boundary, l->nlocal, l->local, &nwindow, &window);
    if (status == AN_OK)
        status = s->engine->op->faces_new(s->engine, &l->layout, nwindow, window, t->nboundary,
                                          s->boundary, &l->faces);
    if (status == AN_OK && l == s->level)
        status = an_level_again(s, l, nwindow, window);
    free(window);
    return status;
}

/* All pieces become those of one rank. */
static int make_replicated(struct an_level *l)
{
    const int count = l->partition.npiece;
    int *all = malloc(((size_t)count + 1) * sizeof *all);
    AN_CHECK(all, AN_FAIL, "out of memory for pieces");
    for (int b = 0; b < count; b++) {
        l->partition.piece[b].rank = 0;
        all[b] = b;
    }
    l->partition.nrank = 1;
    l->replicated = 1;
    l->comm = MPI_COMM_SELF;
    l->nlocal = count;
    l->local = all;
    return AN_OK;
}

int an_level_new(struct an_solver *s, int n)
{
    struct an_level *l = &s->level[n];
    l->nlocal = s->nlocal;
    l->local = s->local;
    l->comm = s->comm;
    if (n > 0)
        AN_TRY(an_partition_coarsen(&s->level[n - 1].partition,
                                    (const int(*)[3])s->coarsening.halved[n], &l->partition));
    if (n >= s->nlevel - s->nreplicated)
        AN_TRY(make_replicated(l));
    AN_TRY(make_layout(s, l));
    AN_TRY(alloc_fields(s, l));
    AN_TRY(an_level_boxes(s, l));
    if (l->own) {
        const size_t bytes = (size_t)l->layout.ncell * AN_NCOMP_W * (size_t)l->layout.precision;
        /* memory of the engine is zero-filled */
        AN_TRY(s->engine->op->alloc(s->engine, bytes, &l->zero));
    }
    AN_TRY(an_level_lines(s, l));
    AN_TRY(n == 0 ? make_metrics(s) : sum_metrics(s, l - 1, l));
    return make_faces(s, l);
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
    case AN_TRANSPORT_NCCL:
        return AN_TRANSPORT_KIND_NCCL;
    case AN_TRANSPORT_PEER:
        return AN_TRANSPORT_KIND_PEER;
    default:
        return AN_TRANSPORT_KIND_AUTO;
    }
}

/* Is it worth a launch more to have copies travel behind the rest? Not between devices that need no
 * host for it: an exchange is over sooner than a shell costs (mpi/README.md). Nor on levels that
 * are bound by launches. */
static int worth_a_split(const struct an_solver *s, const struct an_level *l,
                         const struct an_halo_info *info)
{
    enum { LEAST = 200000 }; /* cells of a rank */
    int64_t cells = 0;
    for (int b = 0; b < l->layout.nblock; b++)
        cells +=
            (int64_t)l->layout.block[b].n[0] * l->layout.block[b].n[1] * l->layout.block[b].n[2];
    return !s->engine->device_memory || (!info->records && cells >= LEAST);
}

/* Levels follow the finest, whose messages are large: the case's choice, or that of the trial. */
int an_level_connect(struct an_solver *s, struct an_level *l)
{
    enum {
        WIDEST = 12,  /* components of a field that is exchanged */
        GATHERED = 11 /* state, eddy viscosity, forcing */
    };
    enum an_transport_kind kind = transport_kind(s->c->mpi.transport);
    struct an_halo_info info;
    if (l != s->level) {
        an_halo_info(s->level->halo, &info);
        kind = info.kind;
    }
    if (l->own)
        AN_TRY(an_halo_gather_new(s->comm, s->engine, &s->level->partition, &l->layout, GATHERED,
                                  kind, &l->gather));
    if (l->replicated)
        kind = AN_TRANSPORT_KIND_AUTO; /* nothing travels */
    AN_TRY(an_halo_new(l->comm, s->engine, &l->partition, &l->layout, l->nlocal, l->local, WIDEST,
                       kind, &l->halo));
    an_halo_info(l->halo, &info);
    kind = info.kind;
    l->split = l->split && worth_a_split(s, l, &info);
    if (an_halo_needs_second(&l->partition))
        AN_TRY(an_halo_second_new(l->comm, s->engine, &l->partition, &l->layout, l->nlocal,
                                  l->local, WIDEST, kind, &l->second));
    return an_halo_normal_new(l->comm, s->engine, &l->partition, &l->layout, l->nlocal, l->local,
                              kind, &l->halo_lam);
}

void an_level_destroy(struct an_solver *s, struct an_level *l)
{
    const struct an_engine_ops *op = s->engine ? s->engine->op : NULL;
    an_halo_destroy(l->halo);
    an_halo_destroy(l->halo_lam);
    an_halo_destroy(l->second);
    an_halo_destroy(l->gather);
    if (op) {
        struct an_tiles *tiles[] = {l->interior, l->shell,  l->core, l->boundary_cells,
                                    l->ghosts,   l->copied, l->own};
        for (size_t t = 0; t < sizeof tiles / sizeof *tiles; t++)
            if (tiles[t])
                op->tiles_free(s->engine, tiles[t]);
        struct an_lines *lines[] = {l->lines[0], l->lines[1], l->across[0], l->across[1]};
        for (size_t n = 0; n < sizeof lines / sizeof *lines; n++)
            if (lines[n])
                op->lines_free(s->engine, lines[n]);
        if (l->faces)
            op->faces_free(s->engine, l->faces);
        if (l->again)
            op->faces_free(s->engine, l->again);
        for (int f = 0; f < AN_NFIELD; f++)
            if (l->fields.at[f] && !l->shared[f])
                op->free(s->engine, l->fields.at[f]);
        if (l->viscous_force)
            op->free(s->engine, l->viscous_force);
        if (l->zero)
            op->free(s->engine, l->zero);
        if (l->stage[0])
            op->free(s->engine, l->stage[0]);
    }
    if (l->replicated)
        free((int *)l->local);
    an_layout_free(&l->layout);
    an_partition_free(&l->partition);
}
