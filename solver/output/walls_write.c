/* Files of wall fields: the faces of all ranks gathered on rank 0, patch by patch. */
#include "solver/output/walls_write.h"

#include "io/surface.h"
#include "kernels/base/numbers.h"
#include "mpi/reduce.h"
#include "solver/boundary/wall_heat.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/monitor/modes.h"
#include "solver/monitor/wall_units.h"
#include "solver/monitor/walls.h"
#include "solver/output/heat_transfer.h"
#include "solver/output/wall_name.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
    "Pressure",     "SkinFrictionX",   "SkinFrictionY", "SkinFrictionZ", "SkinFrictionMagnitude",
    "WallHeatFlux", "TemperatureWall", "YPlus"};
enum { NFIELD = sizeof names / sizeof *names };

static void fields_of(const double v[AN_NCOMP_WALL], double field[NFIELD])
{
    const double *t = v + AN_WALL_TX;
    const double magnitude = an_length(t);
    const double all[NFIELD] = {
        v[AN_WALL_P], t[0], t[1], t[2], magnitude, v[AN_WALL_HEAT], v[AN_WALL_T], v[AN_WALL_YPLUS]};
    memcpy(field, all, sizeof all);
}

/* Fields of NFIELD, the arc length, those of heat transfer and of modes, in this order. */
enum { MOST_FIELDS = NFIELD + 1 + 2 + 1 + 3 * AN_MOST_MODES };

/* What rank 0 holds of all ranks, between write and write_rest. */
struct gathered {
    int64_t n;
    int *count, *start; /* [nrank] faces, then numbers of one kind */
    int64_t *place;     /* [n] */
    int nfield;         /* all of a face */
    double *value;      /* [n][nfield] */
    double *field;      /* patch after patch, [nfield][faces] */
};

struct walls_write {
    struct gathered gathered;
    struct an_heat_transfer heat;
    int arcs; /* 1: the files have the field ArcLength */
    double *
        arc; /* [faces of this rank] m, 0 on walls without places on blades; NULL: no arcs; owned */
};

static void gathered_free(struct gathered *g)
{
    free(g->count);
    free(g->start);
    free(g->place);
    free(g->value);
    free(g->field);
    *g = (struct gathered){0};
}

/* Room on rank 0. */
static int make_room(const struct an_solver *s, struct gathered *g)
{
    if (s->rank != 0)
        return AN_OK;
    for (int r = 0; r < s->nrank; r++) {
        g->start[r] = (int)g->n;
        g->n += g->count[r];
        AN_CHECK(g->n * g->nfield < INT32_MAX, AN_FAIL, "too many wall faces for one file");
    }
    g->place = malloc((size_t)g->n * sizeof *g->place);
    g->value = malloc((size_t)g->n * (size_t)g->nfield * sizeof *g->value);
    g->field = malloc((size_t)g->n * (size_t)g->nfield * sizeof *g->field);
    AN_CHECK(g->place && g->value && g->field, AN_FAIL, "out of memory for walls");
    return AN_OK;
}

static int counts_new(const struct an_solver *s, struct gathered *g)
{
    g->count = malloc((size_t)s->nrank * sizeof *g->count);
    g->start = malloc((size_t)s->nrank * sizeof *g->start);
    AN_CHECK(g->count && g->start, AN_FAIL, "out of memory for walls");
    return AN_OK;
}

static int gather(struct an_solver *s, const struct an_walls *w, double *own, struct gathered *g)
{
    const int n = (int)w->nface;
    AN_MPI(MPI_Gather(&n, 1, MPI_INT, g->count, 1, MPI_INT, 0, s->comm));
    AN_TRY(an_reduce_status(s->comm, make_room(s, g)));
    AN_MPI(MPI_Gatherv(w->place, n, MPI_INT64_T, g->place, g->count, g->start, MPI_INT64_T, 0,
                       s->comm));
    for (int r = 0; r < s->nrank && s->rank == 0; r++) {
        g->count[r] *= g->nfield;
        g->start[r] *= g->nfield;
    }
    AN_MPI(MPI_Gatherv(own, n * g->nfield, MPI_DOUBLE, g->value, g->count, g->start, MPI_DOUBLE, 0,
                       s->comm));
    return AN_OK;
}

static int write_file(const struct an_solver *s, const struct an_walls *w,
                      const struct an_snapshot_meta *meta, const struct walls_write *k)
{
    const struct gathered *g = &k->gathered;
    const int nfield = g->nfield, first = NFIELD + k->arcs, heated = first + k->heat.n;
    const char *name[MOST_FIELDS];
    for (int f = 0; f < nfield; f++)
        name[f] = f < NFIELD   ? names[f]
                  : f < first  ? "ArcLength"
                  : f < heated ? an_heat_transfer_name(&k->heat, f - first)
                               : an_modes_name(s, f - heated);
    struct an_surface *surface = calloc((size_t)w->npatch + 1, sizeof *surface);
    int *patch_of = malloc((size_t)g->n * sizeof *patch_of + 1);
    int status = surface && patch_of ? AN_OK : an_error_set(AN_FAIL, "out of memory for walls");
    for (int p = 0; p < w->npatch && status == AN_OK; p++) {
        const struct an_wall_patch *q = &w->patch[p];
        an_wall_name(&s->mesh->topology, surface, p, q, &surface[p]);
        memcpy(surface[p].n, q->n, sizeof q->n);
        surface[p].x = q->x;
        surface[p].field = g->field + q->first * nfield;
        for (int64_t f = 0; f < (int64_t)q->n[0] * q->n[1]; f++)
            patch_of[q->first + f] = p;
    }
    for (int64_t m = 0; m < g->n && status == AN_OK; m++) {
        const struct an_wall_patch *q = &w->patch[patch_of[g->place[m]]];
        double *to = g->field + q->first * nfield + (g->place[m] - q->first);
        for (int f = 0; f < nfield; f++)
            to[(int64_t)f * q->n[0] * q->n[1]] = g->value[m * nfield + f];
    }
    char path[1024];
    if (status == AN_OK)
        status = an_surface_write(s->c->output.folder, "wall", meta, nfield, name, w->npatch,
                                  surface, path);
    free(surface);
    free(patch_of);
    return status;
}

/* Arc lengths of the faces of this rank, where a wall has places on blades. */
static int find_arcs(const struct an_solver *s, const struct an_walls *w, struct walls_write *k)
{
    double none;
    for (int b = 0; b < s->mesh->topology.nboundary; b++)
        k->arcs |= an_wall_heat_arc(s, b, (double[3]){0, 0, 0}, &none);
    if (!k->arcs)
        return AN_OK;
    k->arc = calloc((size_t)w->nface + 1, sizeof *k->arc);
    AN_CHECK(k->arc, AN_FAIL, "out of memory for walls");
    for (int m = 0; m < w->nwindow; m++) {
        const int64_t end = m + 1 < w->nwindow ? w->window[m + 1].first : w->nface;
        for (int64_t f = w->window[m].first; f < end; f++)
            an_wall_heat_arc(s, w->window[m].boundary, w->centre[f], &k->arc[f]);
    }
    return AN_OK;
}

static int walls_write_make(struct an_solver *s, void **component)
{
    if (!s->c->output.walls || !an_walls_of(s))
        return AN_OK;
    struct walls_write *k = calloc(1, sizeof *k);
    *component = k;
    AN_CHECK(k, AN_FAIL, "out of memory for walls");
    AN_TRY(an_reduce_status(s->comm, find_arcs(s, an_walls_of(s), k)));
    return an_heat_transfer_find(s, an_walls_of(s), &k->heat);
}

static void walls_write_destroy(struct an_solver *s, void *component)
{
    (void)s;
    struct walls_write *k = component;
    gathered_free(&k->gathered);
    an_heat_transfer_free(&k->heat);
    free(k->arc);
    free(k);
}

/* own[nface][nfield] of this rank. */
static int find_fields(struct an_solver *s, const struct an_walls *w, const struct walls_write *k,
                       int nfield, double *own)
{
    const struct an_heat_transfer *heat = &k->heat;
    const int first = NFIELD + k->arcs, before = first + heat->n, more = nfield - before;
    double *modes = malloc(((size_t)w->nface * (size_t)more + 1) * sizeof *modes);
    AN_CHECK(modes, AN_FAIL, "out of memory for walls");
    const int status = more ? an_modes_of_walls(s, modes) : AN_OK;
    const double(*value)[AN_NCOMP_WALL] = an_walls_values(s);
    for (int64_t f = 0; f < w->nface && status == AN_OK; f++) {
        double heats[3];
        fields_of(value[f], own + f * nfield);
        an_heat_transfer_at(s, heat, f, value[f], heats);
        if (k->arcs)
            own[f * nfield + NFIELD] = k->arc[f];
        memcpy(own + f * nfield + first, heats, (size_t)heat->n * sizeof *own);
        memcpy(own + f * nfield + before, modes + f * more, (size_t)more * sizeof *own);
    }
    free(modes);
    return status;
}

static int walls_write_write(struct an_solver *s, void *component,
                             const struct an_snapshot_meta *meta)
{
    (void)meta;
    const struct an_walls *w = an_walls_of(s);
    struct walls_write *k = component;
    struct gathered *g = &k->gathered;
    AN_TRY(an_walls_refresh(s));
    gathered_free(g);
    g->nfield = NFIELD + k->arcs + k->heat.n + an_modes_fields(s);
    double *own = malloc(((size_t)w->nface * (size_t)g->nfield + 1) * sizeof *own);
    int status = own ? AN_OK : an_error_set(AN_FAIL, "out of memory for walls");
    if (status == AN_OK)
        status = find_fields(s, w, k, g->nfield, own);
    if (status == AN_OK)
        status = counts_new(s, g);
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        status = gather(s, w, own, g);
    free(own);
    return status;
}

static int walls_write_write_rest(const struct an_solver *s, void *component,
                                  const struct an_snapshot_meta *meta)
{
    struct walls_write *k = component;
    const int status = s->rank == 0 ? write_file(s, an_walls_of(s), meta, k) : AN_OK;
    gathered_free(&k->gathered);
    return status;
}

static void walls_write_print(const struct an_solver *s, const void *component, FILE *out)
{
    (void)s;
    const struct walls_write *k = component;
    if (*k->heat.text)
        fprintf(out, "heat        %s of wall files: by %s\n",
                k->heat.n > k->heat.film ? "coefficient h" : "film effectiveness", k->heat.text);
}

const struct an_component_type an_walls_write_component = {
    .name = "wall files",
    .after = AN_AFTER("walls", "inlets", "wall heat"),
    .make = walls_write_make,
    .destroy = walls_write_destroy,
    .write = walls_write_write,
    .write_rest = walls_write_write_rest,
    .print = walls_write_print};
