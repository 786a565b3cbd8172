#include "solver/monitor/walls.h"

#include "mpi/reduce.h"
#include "solver/flow/flow.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/patch_nodes.h"
#include "solver/monitor/slip_walls.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int is_wall(const struct an_solver *s, int boundary)
{
    return s->boundary[boundary].type == AN_BC_WALL_VISCOUS;
}

/* The wall patches of the mesh. */
static int list_patches(struct an_solver *s, struct an_walls *w)
{
    const struct an_topology *t = &s->mesh->topology;
    w->patch = calloc((size_t)t->npatch + 1, sizeof *w->patch);
    AN_CHECK(w->patch, AN_FAIL, "out of memory for walls");
    int64_t first = 0;
    for (int p = 0; p < t->npatch; p++) {
        if (!is_wall(s, t->patch[p].boundary))
            continue;
        const struct an_window *win = &t->patch[p].window;
        struct an_wall_patch *q = &w->patch[w->npatch++];
        *q = (struct an_wall_patch){
            .boundary = t->patch[p].boundary, .zone = win->block, .first = first};
        for (int m = 0; m < 2; m++) {
            const int d = (win->dir + 1 + m) % 3;
            q->n[m] = win->hi[d] - win->lo[d];
        }
        first += an_patch_faces(win);
        if (s->rank == 0 && s->c->output.walls)
            AN_TRY(an_patch_nodes(s->mesh, win, &q->x));
    }
    return AN_OK;
}

/* Where the faces of a window are among those of all patches, and their centres. `win`: in cells of
 * its zone. */
static int place_faces(struct an_solver *s, struct an_walls *w, const struct an_window *win,
                       int64_t first)
{
    const struct an_topology *t = &s->mesh->topology;
    const int of = an_patch_of(t, win);
    const struct an_wall_patch *patch = w->patch;
    for (int p = 0; p < of; p++)
        patch += is_wall(s, t->patch[p].boundary);
    an_patch_numbers(&t->patch[of], win, patch->first, w->place + first);
    AN_TRY(an_patch_feet(s->mesh, win, w->foot + first));
    AN_TRY(an_patch_sweeps(s->mesh, win, w->sweep + first));
    return an_patch_centres(s->mesh, win, w->centre + first);
}

int an_walls_place(struct an_solver *s, struct an_walls *w)
{
    for (int m = 0; m < w->nwindow; m++) {
        const struct an_window win = an_window_in_zone(s, w->window[m].window);
        AN_TRY(place_faces(s, w, &win, w->window[m].first));
    }
    return AN_OK;
}

/* The wall faces of this rank. */
static int list_faces(struct an_solver *s, struct an_walls *w)
{
    const struct an_partition *p = &s->level->partition;
    const struct an_topology *t = &p->topology;
    int n;
    AN_TRY(an_bc_windows(t, s->boundary, s->nlocal, s->local, &n, &w->window));
    for (int m = 0; m < n; m++) {
        if (!is_wall(s, w->window[m].boundary))
            continue;
        w->window[w->nwindow] = w->window[m];
        w->window[w->nwindow++].first = w->nface;
        w->nface += an_patch_faces(&w->window[m].window);
    }
    AN_CHECK(w->nface < INT_MAX / AN_NCOMP_WALL, AN_FAIL, "%lld wall faces on a rank",
             (long long)w->nface);
    const size_t count = (size_t)w->nface + 1;
    w->place = malloc(count * sizeof *w->place);
    w->centre = malloc(count * sizeof *w->centre);
    w->foot = malloc(count * sizeof *w->foot);
    w->sweep = malloc(count * sizeof *w->sweep);
    w->value = malloc(count * sizeof *w->value);
    w->part = calloc((size_t)w->nwindow + 1, sizeof *w->part);
    w->yplus = calloc((size_t)w->nwindow + 1, sizeof *w->yplus);
    w->sum = calloc((size_t)t->nboundary + 1, sizeof *w->sum);
    AN_CHECK(w->place && w->centre && w->foot && w->sweep && w->value && w->part && w->yplus &&
                 w->sum,
             AN_FAIL, "out of memory for walls");
    AN_TRY(an_walls_place(s, w));
    const size_t bytes = count * AN_NCOMP_WALL * (size_t)s->level->layout.precision;
    AN_TRY(s->engine->op->alloc(s->engine, bytes, &w->field));
    for (int m = 0; m < 2; m++)
        AN_TRY(s->engine->op->alloc_host(s->engine, bytes, &w->image[m]));
    return s->engine->op->faces_new(s->engine, &s->level->layout, w->nwindow, w->window,
                                    t->nboundary, s->boundary, &w->faces);
}

static int walls_make(struct an_solver *s, void **component)
{
    const struct an_topology *t = &s->mesh->topology;
    int some = 0;
    for (int p = 0; p < t->npatch; p++)
        some |= is_wall(s, t->patch[p].boundary);
    if (!some || !s->params.fluid.viscosity)
        return AN_OK;
    struct an_walls *w = calloc(1, sizeof *w);
    *component = w;
    int status = w ? AN_OK : an_error_set(AN_FAIL, "out of memory for walls");
    if (status == AN_OK)
        w->measured = -1;
    if (status == AN_OK)
        status = list_patches(s, w);
    return status == AN_OK ? list_faces(s, w) : status;
}

static void walls_destroy(struct an_solver *s, void *component)
{
    struct an_walls *w = component;
    if (w->faces)
        s->engine->op->faces_free(s->engine, w->faces);
    if (w->field)
        s->engine->op->free(s->engine, w->field);
    for (int m = 0; m < 2; m++)
        if (w->image[m])
            s->engine->op->free_host(s->engine, w->image[m]);
    for (int p = 0; p < w->npatch; p++)
        free(w->patch[p].x);
    free(w->patch);
    free(w->window);
    free(w->place);
    free(w->centre);
    free(w->foot);
    free(w->sweep);
    free(w->value);
    free(w->part);
    free(w->yplus);
    free(w->sum);
    free(w);
}

/* The next measurement is the first of another state. */
static int walls_start(struct an_solver *s, void *component, int fresh)
{
    (void)s, (void)fresh;
    ((struct an_walls *)component)->measured = -1;
    return AN_OK;
}

int an_walls_values_start(struct an_solver *s)
{
    const struct an_walls *w = an_walls_of(s);
    return an_face_results_start(s, AN_S_wall_values, AN_F_WALL, w->faces, w->field,
                                 w->image[!w->taken], w->nface * AN_NCOMP_WALL);
}

void an_walls_values_take(struct an_solver *s)
{
    struct an_walls *w = an_walls_of(s);
    w->taken = !w->taken;
    w->read = 0;
}

static int walls_measure_start(struct an_solver *s, void *component)
{
    (void)component;
    return an_walls_values_start(s);
}

const double (*an_walls_values(const struct an_solver *s))[AN_NCOMP_WALL]
{
    struct an_walls *w = an_walls_of(s);
    if (!w->read)
        an_face_results_take(s, w->image[w->taken], w->nface * AN_NCOMP_WALL, w->value[0]);
    w->read = 1;
    return (const double(*)[AN_NCOMP_WALL])w->value;
}

static void join(const struct an_walls *w, const int *group, struct an_xsum (*sum)[AN_NWALL_SUM],
                 double *yplus)
{
    for (int m = 0; m < w->nwindow; m++) {
        const int g = group[m];
        for (int t = 0; t < AN_NWALL_SUM; t++)
            an_xsum_join(&sum[g][t], &w->part[m][t]);
        yplus[g] = w->yplus[m] <= yplus[g] || isnan(yplus[g]) ? yplus[g] : w->yplus[m];
    }
}

static struct an_wall_sum sum_of(const struct an_xsum t[AN_NWALL_SUM], double yplus)
{
    struct an_wall_sum r = {.area = an_xsum_value(t[AN_WALL_SUM_AREA]),
                            .torque = an_xsum_value(t[AN_WALL_SUM_TORQUE]),
                            .heat = an_xsum_value(t[AN_WALL_SUM_HEAT]),
                            .yplus = yplus};
    for (int c = 0; c < 3; c++) {
        r.force[c] = an_xsum_value(t[AN_WALL_SUM_FORCE + c]);
        r.friction[c] = an_xsum_value(t[AN_WALL_SUM_FRICTION + c]);
    }
    return r;
}

int an_walls_sum(struct an_solver *s, int n, const int *group, struct an_wall_sum *to)
{
    const struct an_walls *w = an_walls_of(s);
    struct an_xsum(*sum)[AN_NWALL_SUM] = calloc((size_t)n + 1, sizeof *sum);
    double *yplus = calloc((size_t)n + 1, sizeof *yplus);
    int status = sum && yplus ? AN_OK : an_error_set(AN_FAIL, "out of memory for walls");
    if (status == AN_OK) {
        join(w, group, sum, yplus);
        status = an_reduce_xsum(s->comm, n * AN_NWALL_SUM, sum[0]);
    }
    if (status == AN_OK)
        status = an_reduce_max(s->comm, n, yplus);
    for (int g = 0; g < n && status == AN_OK; g++)
        to[g] = sum_of(sum[g], yplus[g]);
    free(sum);
    free(yplus);
    return status;
}

static int walls_measure_finish(struct an_solver *s, void *component,
                                const struct an_measured *measured)
{
    struct an_walls *w = component;
    int *group = malloc(((size_t)w->nwindow + 1) * sizeof *group);
    AN_CHECK(group, AN_FAIL, "out of memory for walls");
    an_walls_values_take(s);
    an_wall_sums_find(s, w);
    for (int m = 0; m < w->nwindow; m++)
        group[m] = w->window[m].boundary;
    const int status = an_walls_sum(s, s->mesh->topology.nboundary, group, w->sum);
    free(group);
    w->measured = measured->iteration;
    return status;
}

const struct an_component_type an_walls_component = {.name = "walls",
                                                     .make = walls_make,
                                                     .destroy = walls_destroy,
                                                     .start = walls_start,
                                                     .measure_start = walls_measure_start,
                                                     .measure_finish = walls_measure_finish};

struct an_walls *an_walls_of(const struct an_solver *s)
{
    return an_component_of(s, &an_walls_component);
}

struct an_wall_sum an_walls_total(const struct an_solver *s)
{
    const struct an_walls *w = an_walls_of(s);
    const struct an_slip_walls *slip = an_slip_walls_of(s);
    const struct an_wall_sum *sum = w ? w->sum : slip ? slip->sum : NULL;
    struct an_wall_sum t = {.yplus = w ? 0 : NAN};
    for (int b = 0; sum && b < s->mesh->topology.nboundary; b++) {
        const struct an_wall_sum *r = &sum[b];
        t.area += r->area;
        t.torque += r->torque;
        t.heat += r->heat;
        if (w)
            t.yplus = r->yplus <= t.yplus ? t.yplus : r->yplus; /* a NaN is kept */
        for (int c = 0; c < 3; c++) {
            t.force[c] += r->force[c];
            t.friction[c] += r->friction[c];
        }
    }
    return t;
}

int an_walls_report(const struct an_solver *s, int *n, struct an_wall_report **wall)
{
    const struct an_topology *t = &s->mesh->topology;
    const struct an_walls *w = an_walls_of(s);
    const struct an_slip_walls *slip = an_slip_walls_of(s);
    *n = 0;
    *wall = calloc((size_t)t->nboundary + 1, sizeof **wall);
    AN_CHECK(*wall, AN_FAIL, "out of memory for walls");
    for (int b = 0; b < t->nboundary; b++) {
        const int slips = s->boundary[b].type == AN_BC_WALL_SLIP;
        const struct an_wall_sum *r = slips && slip && slip->measured >= 0 ? &slip->sum[b]
                                      : !slips && w && w->measured >= 0    ? &w->sum[b]
                                                                           : NULL;
        if (!r || !(r->area > 0))
            continue;
        struct an_wall_report *to = &(*wall)[(*n)++];
        *to = (struct an_wall_report){.name = t->boundary[b].name,
                                      .area = r->area,
                                      .torque = r->torque,
                                      .heat = r->heat,
                                      .yplus = slips ? NAN : r->yplus};
        memcpy(to->force, r->force, sizeof to->force);
        memcpy(to->friction, r->friction, sizeof to->friction);
    }
    return AN_OK;
}
