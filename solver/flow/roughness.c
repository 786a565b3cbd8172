#include "solver/flow/roughness.h"

#include "mpi/gather.h"
#include "mpi/halo.h"
#include "mpi/reduce.h"
#include "solver/flow/wall_distance.h"
#include "solver/flow/wall_nearest.h"
#include "solver/level/component.h"
#include "solver/level/geometry.h"
#include "solver/level/level.h"

#include <stdlib.h>

/* A wall face: begins with its place, as an_wall_place_compare wants. */
struct record {
    struct an_wall_place at;
    double ks;
};

static int is_own_wall(const struct an_solver *s, const struct an_patch *p)
{
    return s->level->partition.piece[p->window.block].rank == s->rank &&
           s->boundary[p->boundary].type == AN_BC_WALL_VISCOUS;
}

/* The wall faces of this rank; `to` NULL: only their number. */
static int64_t list(const struct an_solver *s, struct record *to)
{
    const struct an_topology *t = &s->level->partition.topology;
    int64_t n = 0;
    for (int p = 0; p < t->npatch; p++) {
        const struct an_window *w = &t->patch[p].window;
        const struct an_piece *piece = &s->level->partition.piece[w->block];
        const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
        if (!is_own_wall(s, &t->patch[p]))
            continue;
        for (int b = w->lo[db]; b < w->hi[db]; b++)
            for (int a = w->lo[da]; a < w->hi[da]; a++, n++)
                if (to)
                    to[n] =
                        (struct record){.at = {piece->zone, 2 * w->dir + w->side, piece->lo[da] + a,
                                               piece->lo[db] + b},
                                        .ks = s->boundary[t->patch[p].boundary].v[AN_BC_ROUGHNESS]};
    }
    return n;
}

static int clamped(int i, int n)
{
    return i < 0 ? 0 : i < n ? i : n - 1;
}

/* The roughness of the nearest face in the cells of block b; ghosts have that of the cell beside them. */
static void fill(const struct an_solver *s, int b, const struct record *face, double *to)
{
    const struct an_block *block = &s->level->layout.block[b];
    const int32_t *nearest = an_wall_nearest_of(s, b);
    const int *n = block->n;
    for (int k = -2; k < n[2] + 2; k++)
        for (int j = -2; j < n[1] + 2; j++)
            for (int i = -2; i < n[0] + 2; i++) {
                const int c[3] = {clamped(i, n[0]), clamped(j, n[1]), clamped(k, n[2])};
                const int32_t at = nearest[c[0] + (int64_t)n[0] * (c[1] + (int64_t)n[1] * c[2])];
                to[an_element(block, i, j, k)] = at < 0 ? 0 : face[at].ks;
            }
}

static int roughness_make(struct an_solver *s, void **component)
{
    (void)component;
    if (!s->params.turb.rough)
        return AN_OK;
    int n = (int)list(s, NULL);
    struct record *face = malloc(((size_t)n + 1) * sizeof *face);
    double *ks = calloc((size_t)s->level->layout.ncell + 1, sizeof *ks);
    int status = face && ks ? AN_OK : an_error_set(AN_FAIL, "out of memory for rough walls");
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK) {
        list(s, face);
        status = an_gather_sorted(s->comm, "wall faces", sizeof *face, an_wall_place_compare, &n,
                                  (void **)&face);
    }
    for (int b = 0; b < s->nlocal && status == AN_OK; b++)
        fill(s, b, face, ks);
    if (status == AN_OK)
        status = an_geometry_upload(s->engine, s->level->layout.ncell, ks,
                                    s->level->fields.at[AN_F_ROUGH]);
    status = an_reduce_status(s->comm, status);
    free(face);
    free(ks);
    AN_TRY(status);
    AN_TRY(an_halo_start(s->level->halo, s->level->fields.at[AN_F_ROUGH], 1, AN_COPY_PLAIN));
    return an_halo_finish(s->level->halo);
}

const struct an_component_type an_roughness_component = {
    .name = "roughness", .after = AN_AFTER("nearest walls"), .make = roughness_make};
