#include "solver/boundary/bands.h"

#include "kernels/base/threads.h"
#include "kernels/engine/meter.h"
#include "mpi/reduce.h"
#include "solver/boundary/band_patches.h"
#include "solver/level/geometry.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/patch_nodes.h"

#include <math.h>
#include <stdlib.h>

/* The patch of the mesh that holds a window of this rank, which is put into cells of its zone. */
static const struct an_band_patch *patch_of(const struct an_solver *s,
                                            const struct an_band_patches *list, struct an_window *w)
{
    *w = an_window_in_zone(s, *w);
    for (int n = 0; n < list->n; n++) {
        const struct an_window *all = &list->patch[n].window;
        int in = all->block == w->block && all->dir == w->dir && all->side == w->side;
        for (int d = 0; d < 3; d++)
            in = in && (d == w->dir || (all->lo[d] <= w->lo[d] && w->hi[d] <= all->hi[d]));
        if (in)
            return &list->patch[n];
    }
    return NULL;
}

/* Cuts a window of this rank into strips of one band: runs along a, joined along b where they are
 * alike. */
static int cut_window(const struct an_face_window *whole, const struct an_window *in_zone,
                      const struct an_band_patch *p, struct an_bands *bands)
{
    const int dir = in_zone->dir, da = (dir + 1) % 3, db = (dir + 2) % 3;
    const int a0 = in_zone->lo[da] - p->window.lo[da], b0 = in_zone->lo[db] - p->window.lo[db];
    const int na = in_zone->hi[da] - in_zone->lo[da], nb = in_zone->hi[db] - in_zone->lo[db];
    int before = bands->nwindow; /* first strip of the row before */
    for (int b = 0; b < nb; b++) {
        const int row = bands->nwindow;
        for (int a = 0, end; a < na; a = end) {
            const int band = p->band[(int64_t)(b0 + b) * p->na + a0 + a];
            for (end = a + 1; end < na; end++)
                if (p->band[(int64_t)(b0 + b) * p->na + a0 + end] != band)
                    break;
            int joined = 0;
            for (int w = before; w < row && !joined; w++) {
                struct an_face_window *up = &bands->window[w];
                joined = up->boundary == band && up->window.lo[da] == whole->window.lo[da] + a &&
                         up->window.hi[da] == whole->window.lo[da] + end &&
                         up->window.hi[db] == whole->window.lo[db] + b;
                if (joined)
                    up->window.hi[db]++;
            }
            if (joined)
                continue;
            struct an_face_window *grown =
                realloc(bands->window, ((size_t)bands->nwindow + 1) * sizeof *grown);
            AN_CHECK(grown, AN_FAIL, "out of memory for span bands");
            bands->window = grown;
            struct an_face_window *strip = &grown[bands->nwindow++];
            *strip = *whole;
            strip->boundary = band;
            strip->window.lo[da] = whole->window.lo[da] + a;
            strip->window.hi[da] = whole->window.lo[da] + end;
            strip->window.lo[db] = whole->window.lo[db] + b;
            strip->window.hi[db] = strip->window.lo[db] + 1;
        }
        if (bands->nwindow > row)
            before = row;
    }
    return AN_OK;
}

int an_bands_place(struct an_solver *s, struct an_bands *bands)
{
    double(*frame)[3] = calloc((size_t)bands->nface + 1, sizeof *frame);
    int status = frame ? AN_OK : an_error_set(AN_FAIL, "out of memory for span bands");
    for (int w = 0; w < bands->nwindow && status == AN_OK; w++) {
        const struct an_window in_zone = an_window_in_zone(s, bands->window[w].window);
        status = an_patch_centres(s->mesh, &in_zone, frame + bands->window[w].first);
    }
    for (int64_t f = 0; f < bands->nface && status == AN_OK; f++) {
        const double y = frame[f][1], z = frame[f][2], r = sqrt(y * y + z * z);
        frame[f][0] = r > 0 ? y / r : 1;
        frame[f][1] = r > 0 ? z / r : 0;
        frame[f][2] = r;
    }
    if (status == AN_OK)
        status = an_geometry_upload(s->engine, bands->nface * 3, frame[0], bands->frame);
    free(frame);
    return status;
}

/* What the engine needs of this rank's strips. */
static int place_strips(struct an_solver *s, const struct an_band_patches *list, const int *group,
                        struct an_bands *bands)
{
    const struct an_engine_ops *op = s->engine->op;
    int n;
    struct an_face_window *all = NULL;
    int status =
        an_bc_windows(&s->level->partition.topology, s->boundary, s->nlocal, s->local, &n, &all);
    for (int w = 0; w < n && status == AN_OK; w++) {
        struct an_window win = all[w].window;
        if (group[all[w].boundary] < 0)
            continue;
        const struct an_band_patch *p = patch_of(s, list, &win);
        if (p)
            status = cut_window(&all[w], &win, p, bands);
    }
    free(all);
    AN_TRY(status);
    for (int w = 0; w < bands->nwindow; w++) {
        bands->window[w].first = bands->nface;
        bands->nface += an_window_faces(&bands->window[w].window);
    }
    struct an_bc_value *none = calloc((size_t)bands->n + 1, sizeof *none);
    if (!none)
        status = an_error_set(AN_FAIL, "out of memory for span bands");
    void *sum = NULL; /* page-locked: the sums arrive there in every iteration */
    if (status == AN_OK)
        status = op->alloc_host(s->engine,
                                ((size_t)bands->n * AN_NINTEGRAL + 1) * sizeof *bands->sum, &sum);
    bands->sum = sum;
    if (status == AN_OK)
        status = op->alloc(s->engine,
                           ((size_t)bands->nface + 1) * AN_NCOMP_FRAME *
                               (size_t)s->level->layout.precision,
                           &bands->frame);
    if (status == AN_OK)
        status = an_bands_place(s, bands);
    if (status == AN_OK)
        status = op->faces_new(s->engine, &s->level->layout, bands->nwindow, bands->window,
                               bands->n, none, &bands->faces);
    free(none);
    return status;
}

int an_bands_new(struct an_solver *s, int ngroup, const int *group, struct an_bands **out)
{
    struct an_band_patches list = {0};
    struct an_bands *b = calloc(1, sizeof *b);
    *out = NULL;
    AN_CHECK(b, AN_FAIL, "out of memory for span bands");
    b->ngroup = ngroup;
    b->group = calloc((size_t)ngroup + 1, sizeof *b->group);
    int status = b->group ? AN_OK : an_error_set(AN_FAIL, "out of memory for span bands");
    if (status == AN_OK)
        status = an_band_patches_find(s, group, b, &list);
    if (status == AN_OK)
        status = place_strips(s, &list, group, b);
    an_band_patches_free(&list);
    if (status != AN_OK) {
        an_bands_destroy(s, b);
        return status;
    }
    *out = b;
    return AN_OK;
}

void an_bands_destroy(struct an_solver *s, struct an_bands *b)
{
    if (!b)
        return;
    if (b->faces)
        s->engine->op->faces_free(s->engine, b->faces);
    if (b->frame)
        s->engine->op->free(s->engine, b->frame);
    free(b->group);
    free(b->lo);
    free(b->hi);
    free(b->radius);
    free(b->area);
    free(b->window);
    if (b->sum)
        s->engine->op->free_host(s->engine, b->sum);
    free(b);
}

enum { SUMS = 2000 }; /* of a thread, at least */

static int issue(struct an_solver *s, struct an_bands *b)
{
    struct an_fields f = s->level->fields;
    f.at[AN_F_FRAME] = b->frame;
    return s->engine->op->run_faces(s->engine, AN_S_boundary_integral, s->scheme, b->faces, &f,
                                    &s->params, b->sum, 0);
}

/* What b->sum says, of all ranks. */
static int take(struct an_solver *s, struct an_bands *b, double (*sum)[AN_NINTEGRAL])
{
    const int n = b->n * AN_NINTEGRAL;
    if (s->nrank > 1) /* values of sums do not need what this does to a single rank's */
        AN_TRY(an_reduce_xsum(s->comm, n, b->sum));
#pragma omp parallel for schedule(static) num_threads(an_threads_of(n / SUMS))
    for (int m = 0; m < n; m++)
        sum[m / AN_NINTEGRAL][m % AN_NINTEGRAL] = an_xsum_value(b->sum[m]);
    return AN_OK;
}

int an_bands_measure(struct an_solver *s, struct an_bands *b, double (*sum)[AN_NINTEGRAL])
{
    AN_TRY(issue(s, b));
    return take(s, b, sum);
}

int an_bands_measure_start(struct an_solver *s, struct an_bands *b)
{
    AN_TRY(an_engine_defer(s->engine, 1));
    const int status = issue(s, b), ended = an_engine_defer(s->engine, 0);
    return status == AN_OK ? ended : status;
}

int an_bands_measure_finish(struct an_solver *s, struct an_bands *b, double (*sum)[AN_NINTEGRAL])
{
    AN_TRY(an_engine_collect(s->engine));
    return take(s, b, sum);
}

int an_band_of(const struct an_bands *b, int group, double fraction)
{
    const struct an_band_group *g = &b->group[group];
    int at = g->first;
    while (at < g->first + g->n - 1 && fraction > b->hi[at])
        at++;
    return at;
}
