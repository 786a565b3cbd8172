#include "solver/boundary/coolant_faces.h"

#include "kernels/base/numbers.h"
#include "solver/boundary/holes.h"
#include "solver/boundary/leakage.h"
#include "solver/level/level.h"

#include <stdlib.h>
#include <string.h>

/* The cell beside a face of a window, a fastest. */
static int64_t cell_beside(const struct an_layout *l, const struct an_window *w, int64_t face)
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int na = w->hi[da] - w->lo[da];
    int c[3];
    c[w->dir] = w->side ? l->block[w->block].n[w->dir] - 1 : 0;
    c[da] = w->lo[da] + (int)(face % na);
    c[db] = w->lo[db] + (int)(face / na);
    return an_element(&l->block[w->block], c[0], c[1], c[2]);
}

/* Windows, patch by patch, with their places and, for now, the elements of the cells. */
static int list_windows(struct an_solver *s, struct an_coolant *k)
{
    struct an_face_window *all = NULL;
    int n;
    AN_TRY(
        an_bc_windows(&s->level->partition.topology, s->boundary, s->nlocal, s->local, &n, &all));
    /* ends of leakages may lie on one wall: each patch can have all windows */
    k->window = calloc((size_t)n * (size_t)k->n + 1, sizeof *k->window);
    int status = k->window ? AN_OK : an_error_set(AN_FAIL, "out of memory for cooling");
    for (int m = 0; m < k->n && status == AN_OK; m++)
        for (int w = 0; w < n; w++) {
            if (all[w].boundary != k->patch[m].boundary || k->patch[m].holes)
                continue;
            k->window[k->nwindow++] =
                (struct an_coolant_window){.at = all[w], .patch = m, .first = k->nface};
            k->nface += an_window_faces(&all[w].window);
        }
    free(all);
    AN_TRY(status);
    k->place = calloc((size_t)k->nface + 1, sizeof *k->place);
    k->beside = calloc((size_t)k->nface + 1, sizeof *k->beside);
    k->area = calloc((size_t)k->nface + 1, sizeof *k->area);
    AN_CHECK(k->place && k->beside && k->area, AN_FAIL, "out of memory for cooling");
    for (int w = 0; w < k->nwindow; w++) {
        const struct an_coolant_window *win = &k->window[w];
        AN_TRY(an_face_places(s, &win->at, k->place + win->first));
        for (int64_t f = 0; f < an_window_faces(&win->at.window); f++) {
            const struct an_coolant_patch *q = &k->patch[win->patch];
            const struct an_face_place *at = &k->place[win->first + f];
            k->beside[win->first + f] = cell_beside(&s->level->layout, &win->at.window, f);
            k->area[win->first + f] = !q->leak || an_leak_has(q, at->x) ? an_length(at->s) : 0;
        }
    }
    return AN_OK;
}

static int ascending(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* The range that holds an element. */
static int range_of(const struct an_coolant *k, int64_t element)
{
    int lo = 0, hi = k->nrange;
    while (hi - lo > 1) {
        const int middle = (lo + hi) / 2;
        *(k->range[middle].first <= element ? &lo : &hi) = middle;
    }
    return lo;
}

static int64_t hole_cells(const struct an_coolant *k)
{
    int64_t n = 0;
    for (int m = 0; m < k->n; m++)
        n += k->patch[m].holes ? k->patch[m].holes->ncell : 0;
    return n;
}

/* Ranges of elements that hold the cells beside the patches; faces without area, such as those of a wall outside
 * the end of a leakage, need none. A copy to a device costs as much as some ten thousand numbers more in it: nearer
 * cells share a range. */
static int list_ranges(struct an_coolant *k)
{
    enum { NEAR = 8192 };
    const size_t most = (size_t)(k->nface + hole_cells(k)) + 1;
    int64_t *cell = malloc(most * sizeof *cell);
    k->range = calloc(most, sizeof *k->range);
    if (!cell || !k->range) {
        free(cell);
        return an_error_set(AN_FAIL, "out of memory for cooling");
    }
    int64_t ncell = 0;
    for (int64_t f = 0; f < k->nface; f++)
        if (k->area[f] > 0)
            cell[ncell++] = k->beside[f];
    for (int m = 0; m < k->n; m++)
        for (int64_t c = 0; k->patch[m].holes && c < k->patch[m].holes->ncell; c++)
            cell[ncell++] = k->patch[m].holes->cell[c].at;
    qsort(cell, (size_t)ncell, sizeof *cell, ascending);
    for (int64_t m = 0; m < ncell; m++) {
        struct an_coolant_range *last = &k->range[k->nrange - 1];
        if (k->nrange && cell[m] < last->first + last->n + NEAR)
            last->n = cell[m] + 1 - last->first;
        else
            k->range[k->nrange++] = (struct an_coolant_range){.first = cell[m], .n = 1};
    }
    free(cell);
    for (int r = 0; r < k->nrange; r++) {
        k->range[r].at = k->npacked;
        k->npacked += k->range[r].n;
    }
    for (int w = 0; w < k->nwindow; w++)
        for (int64_t f = 0; f < an_window_faces(&k->window[w].at.window); f++) {
            int64_t *beside = &k->beside[k->window[w].first + f];
            if (!(k->area[k->window[w].first + f] > 0))
                continue;
            struct an_coolant_range *r = &k->range[range_of(k, *beside)];
            r->follows |= k->patch[k->window[w].patch].every > 0;
            *beside += r->at - r->first;
        }
    for (int m = 0; m < k->n; m++)
        for (int64_t c = 0; k->patch[m].holes && c < k->patch[m].holes->ncell; c++) {
            int64_t *at = &k->patch[m].holes->cell[c].at;
            const struct an_coolant_range *r = &k->range[range_of(k, *at)];
            *at += r->at - r->first;
        }
    return AN_OK;
}

/* Volumes of the cells, as the stencils have them. */
static int volumes(struct an_solver *s, struct an_coolant *k)
{
    const struct an_layout *l = &s->level->layout;
    const size_t word = (size_t)l->precision;
    const char *from = s->level->fields.at[AN_F_VOL];
    for (int r = 0; r < k->nrange; r++)
        AN_TRY(s->engine->op->download(s->engine, k->image + (size_t)k->range[r].at * word,
                                       from + (size_t)k->range[r].first * word,
                                       (size_t)k->range[r].n * word, 0));
    AN_TRY(s->engine->op->sync(s->engine, 0));
    for (int64_t m = 0; m < k->npacked; m++)
        k->volume[m] = an_real_get(l->precision, k->image, m);
    return AN_OK;
}

/* Faces of inlets and outlets, where a leakage is a part of what enters. */
static int open_faces(struct an_solver *s, struct an_coolant *k)
{
    struct an_face_window *all = NULL;
    int n, used = 0, wanted = 0;
    for (int m = 0; m < s->c->nleakage; m++)
        wanted |= s->c->leakage[m].mass_fraction > 0;
    if (!wanted)
        return AN_OK;
    k->around = calloc((size_t)s->mesh->topology.nboundary + 1, sizeof *k->around);
    AN_CHECK(k->around, AN_FAIL, "out of memory for leakages");
    AN_TRY(
        an_bc_windows(&s->level->partition.topology, s->boundary, s->nlocal, s->local, &n, &all));
    for (int w = 0; w < n; w++)
        if (an_bc_type_has((enum an_bc_type)s->boundary[all[w].boundary].type, AN_BC_PASSES))
            all[used++] = all[w];
    const int status =
        s->engine->op->faces_new(s->engine, &s->level->layout, used, all,
                                 s->level->partition.topology.nboundary, s->boundary, &k->open);
    free(all);
    return status;
}

/* Is a cell of the box marked? */
static int holds(const struct an_block *b, const struct an_box *q, const char *mark)
{
    for (int k = q->lo[2]; k < q->hi[2]; k++)
        for (int j = q->lo[1]; j < q->hi[1]; j++)
            for (int i = q->lo[0]; i < q->hi[0]; i++)
                if (mark[an_element(b, i, j, k)])
                    return 1;
    return 0;
}

/* Cuts blocks into cubes and lists those that hold a cell of a source, where holes reach into the flow. */
static int list_tiles(struct an_solver *s, struct an_coolant *k)
{
    enum { LONG = 32, SHORT = 8 }; /* of tiles of a device */
    const struct an_layout *l = &s->level->layout;
    int n = 0, room = 64, status = AN_OK;
    struct an_box *box = malloc((size_t)room * sizeof *box);
    char *mark = calloc((size_t)l->ncell + 1, 1);
    if (!box || !mark)
        status = an_error_set(AN_FAIL, "out of memory for holes");
    for (int64_t f = 0; f < k->nface && status == AN_OK; f++)
        mark[k->beside[f]] = 1;
    for (int m = 0; m < k->n && status == AN_OK; m++)
        for (int64_t c = 0; k->patch[m].holes && c < k->patch[m].holes->ncell; c++)
            mark[k->patch[m].holes->cell[c].at] = 1;
    for (int b = 0; b < l->nblock && status == AN_OK; b++) {
        const int32_t *size = l->block[b].n;
        struct an_box q = {.block = b};
        for (q.lo[2] = 0; q.lo[2] < size[2]; q.lo[2] += SHORT)
            for (q.lo[1] = 0; q.lo[1] < size[1]; q.lo[1] += SHORT)
                for (q.lo[0] = 0; q.lo[0] < size[0]; q.lo[0] += LONG) {
                    for (int d = 0; d < 3; d++) {
                        const int end = q.lo[d] + (d ? SHORT : LONG);
                        q.hi[d] = end < size[d] ? end : size[d];
                    }
                    if (status != AN_OK || !holds(&l->block[b], &q, mark))
                        continue;
                    if (n == room) {
                        struct an_box *more = realloc(box, 2 * (size_t)room * sizeof *box);
                        status = more ? AN_OK : an_error_set(AN_FAIL, "out of memory for holes");
                        box = more ? more : box;
                        room *= 2;
                    }
                    if (n < room)
                        box[n++] = q;
                }
    }
    if (status == AN_OK)
        status = s->engine->op->tiles_new(s->engine, l, n, box, &k->source_cells);
    free(box);
    free(mark);
    return status;
}

int an_coolant_faces(struct an_solver *s, struct an_coolant *k)
{
    AN_TRY(list_windows(s, k));
    if (k->nholes)
        AN_TRY(list_tiles(s, k));
    AN_TRY(list_ranges(k));
    const size_t n = (size_t)k->npacked + 1;
    k->volume = malloc(n * sizeof *k->volume);
    k->rate = malloc(n * AN_NCOMP_SOURCE * sizeof *k->rate);
    AN_CHECK(k->volume && k->rate, AN_FAIL, "out of memory for cooling");
    AN_TRY(s->engine->op->alloc_host(
        s->engine, n * AN_NCOMP_SOURCE * (size_t)s->level->layout.precision, (void **)&k->image));
    AN_TRY(volumes(s, k));
    if (k->blows && !s->level->fields.at[AN_F_SOURCE])
        AN_TRY(an_level_alloc(s, s->level, AN_F_SOURCE));
    if (k->sucks && !s->level->fields.at[AN_F_BLEED])
        AN_TRY(an_level_alloc(s, s->level, AN_F_BLEED));
    s->level->source_cells =
        k->nholes ? k->source_cells
                  : s->level->boundary_cells; /* no other cell is beside a boundary */
    s->level->turbulent_sources = k->nholes && s->level->fields.at[AN_F_TURB];
    AN_TRY(open_faces(s, k));
    if (!k->follows)
        return AN_OK;
    struct an_face_window *follow = malloc(((size_t)k->nwindow + 1) * sizeof *follow);
    AN_CHECK(follow, AN_FAIL, "out of memory for cooling");
    int used = 0;
    for (int w = 0; w < k->nwindow; w++)
        if (k->patch[k->window[w].patch].every)
            follow[used++] = k->window[w].at;
    const int status =
        s->engine->op->faces_new(s->engine, &s->level->layout, used, follow,
                                 s->level->partition.topology.nboundary, s->boundary, &k->faces);
    free(follow);
    return status;
}
