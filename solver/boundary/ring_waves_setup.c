/* Rings of faces around the axis: solver/boundary/ring_waves.h. */
#include "kernels/base/numbers.h"
#include "kernels/physics/slide.h"
#include "solver/boundary/band_patches.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/ring_waves.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/patch_nodes.h"
#include "solver/level/rows.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { MOST = 32, PLANE_EVERY = 10 }; /* harmonics of a passage; iterations between updates */

/* Is the boundary of a case two-dimensional non-reflecting? NULL: no. */
static int is_two_dimensional(const struct an_case_boundary *b)
{
    return b && b->outlet.non_reflecting == AN_WAVES_TWO_D &&
           (b->type == AN_BC_INLET_TOTAL || b->type == AN_BC_OUTLET_STATIC ||
            b->type == AN_BC_MIXING_PLANE);
}

/* The group of each boundary, -1: none; *n: their number. */
static void list_boundaries(struct an_solver *s, struct an_ring_waves *k, int *group, int *n)
{
    const struct an_topology *t = &s->mesh->topology;
    for (int b = 0; b < t->nboundary; b++) {
        const struct an_case_boundary *c = an_case_boundary_find(s->c, t->boundary[b].name);
        group[b] = -1;
        if (!is_two_dimensional(c))
            continue;
        group[b] = (*n)++;
        k->every[b] = c->type == AN_BC_MIXING_PLANE ? PLANE_EVERY : c->outlet.control_every;
        k->omega[b] = an_boundary_omega(s, b);
    }
}

static int check_group(const struct an_solver *s, int boundary, const struct an_band_group *g)
{
    const char *name = s->mesh->topology.boundary[boundary].name;
    AN_CHECK(
        g->sectors > 0, AN_INPUT,
        "'boundaries.%s.non_reflecting: two_d' needs a boundary around the x axis that covers a "
        "whole part of a turn; this one covers %.6g degrees",
        name, g->angle * 180 / acos(-1.0));
    AN_CHECK(g->aligned, AN_INPUT,
             "'boundaries.%s.non_reflecting: two_d' needs mesh lines of the boundary that follow "
             "rings around the x axis, with the same layers along the span in all zones",
             name);
    return AN_OK;
}

/* How many passages of a blade row the mesh has beside a boundary, as far as the case says. */
static int passages(const struct an_solver *s, int boundary, double sectors)
{
    const struct an_topology *t = &s->mesh->topology;
    int *row = malloc(((size_t)t->nblock + 1) * sizeof *row), n = 1;
    if (row) /* without memory: one */
        an_solver_zone_rows(s->c, t, row);
    for (int p = 0; row && p < t->npatch; p++) {
        const int r = row[t->patch[p].window.block];
        if (t->patch[p].boundary == boundary && r >= 0)
            n = (int)fmax(n, round(s->c->row[r].blades / sectors));
    }
    free(row);
    return n;
}

/* A ring for each band; its first place, its number of faces and its radius. */
static int make_rings(struct an_solver *s, struct an_ring_waves *k, const int *group,
                      const struct an_bands *bands, const struct an_band_patches *list)
{
    k->ring = calloc((size_t)bands->n + 1, sizeof *k->ring);
    AN_CHECK(k->ring, AN_FAIL, "out of memory for non-reflecting boundaries");
    k->nring = bands->n;
    for (int b = 0; b < s->mesh->topology.nboundary; b++) {
        if (group[b] < 0)
            continue;
        const struct an_case_boundary *c =
            an_case_boundary_find(s->c, s->mesh->topology.boundary[b].name);
        const struct an_band_group *g = &bands->group[group[b]];
        AN_TRY(check_group(s, b, g));
        for (int m = g->first; m < g->first + g->n; m++)
            k->ring[m] = (struct an_ring){.boundary = b,
                                          .user = c->type == AN_BC_INLET_TOTAL     ? AN_RING_INLET
                                                  : c->type == AN_BC_OUTLET_STATIC ? AN_RING_OUTLET
                                                                                   : AN_RING_PLANE,
                                          .radius = bands->radius[m],
                                          .sectors = g->sectors,
                                          .time = NAN};
    }
    for (int p = 0; p < list->n; p++)
        for (int f = 0; f < list->patch[p].na * list->patch[p].nb; f++)
            k->ring[list->patch[p].band[f]].n++;
    for (int m = 0; m < k->nring; m++) {
        k->ring[m].first = k->nplace;
        k->nplace += k->ring[m].n;
        k->ring[m].n = 0; /* counted again as places are given */
    }
    AN_CHECK(k->nplace < INT_MAX / 4, AN_INPUT, "%lld faces of non-reflecting boundaries",
             (long long)k->nplace);
    return AN_OK;
}

/* Places of the faces of all patches, in the order of the mesh: place[patch][b * na + a], and what is
 * known of them. */
static int give_places(struct an_ring_waves *k, const struct an_band_patches *list, int64_t **place)
{
    const size_t n = (size_t)k->nplace + 1;
    k->weight = calloc(n, sizeof *k->weight);
    k->turn = calloc(n, sizeof *k->turn);
    k->ring_of = calloc(n, sizeof *k->ring_of);
    k->q = calloc(n, sizeof *k->q);
    AN_CHECK(k->weight && k->turn && k->ring_of && k->q, AN_FAIL,
             "out of memory for non-reflecting boundaries");
    for (int p = 0; p < list->n; p++) {
        const struct an_band_patch *patch = &list->patch[p];
        place[p] = malloc(((size_t)(patch->na * patch->nb) + 1) * sizeof **place);
        AN_CHECK(place[p], AN_FAIL, "out of memory for non-reflecting boundaries");
        for (int b = 0; b < patch->nb; b++)
            for (int a = 0; a < patch->na; a++) {
                const int ring = patch->band[(int64_t)b * patch->na + a];
                struct an_ring *r = &k->ring[ring];
                const int64_t at = r->first + r->n++;
                double x[3], area[3];
                an_band_patch_centre(patch, a, b, x);
                place[p][b * patch->na + a] = at;
                k->ring_of[at] = ring;
                k->weight[at] = an_band_patch_area(patch, a, b, area);
                const double phi = r->sectors * atan2(x[2], x[1]);
                k->turn[at] = (struct an_complex){cos(phi), sin(phi)};
            }
    }
    return AN_OK;
}

/* Numbers of harmonics: as many as the faces of a ring can show, up to a limit for each passage. */
static int make_modes(const struct an_solver *s, struct an_ring_waves *k)
{
    for (int m = 0; m < k->nring; m++) {
        struct an_ring *r = &k->ring[m];
        double area = 0, widest = 0;
        for (int64_t f = r->first; f < r->first + r->n; f++)
            area += k->weight[f];
        for (int64_t f = r->first; f < r->first + r->n; f++) {
            k->weight[f] /= area > 0 ? area : 1;
            widest = fmax(widest, k->weight[f]);
        }
        const double seen = widest > 0 ? fmin(0.5 * (double)(r->n - 1), 0.5 / widest + 1e-6) : 0;
        const int most = MOST * passages(s, r->boundary, r->sectors);
        r->mode = k->nmode;
        r->nmode = seen < most ? (int)seen : most;
        k->nmode += r->nmode;
    }
    k->mode = calloc((size_t)k->nmode + 1, sizeof *k->mode);
    AN_CHECK(k->mode, AN_FAIL, "out of memory for non-reflecting boundaries");
    for (int m = 0; m < k->nring; m++) {
        const struct an_ring *r = &k->ring[m];
        for (int64_t f = r->first; f < r->first + r->n; f++) {
            const struct an_complex e = k->turn[f];
            struct an_complex z = {1, 0};
            for (int l = 0; l < r->nmode; l++) {
                z = (struct an_complex){z.re * e.re - z.im * e.im, z.re * e.im + z.im * e.re};
                k->mode[r->mode + l].flat.re += k->weight[f] * z.re;
                k->mode[r->mode + l].flat.im += k->weight[f] * z.im;
            }
        }
    }
    return AN_OK;
}

/* The patch of the list that holds a window of cells of a zone; -1: none. */
static int patch_of(const struct an_band_patches *list, const struct an_window *w)
{
    for (int n = 0; n < list->n; n++) {
        const struct an_window *all = &list->patch[n].window;
        int in = all->block == w->block && all->dir == w->dir && all->side == w->side;
        for (int d = 0; d < 3; d++)
            in = in && (d == w->dir || (all->lo[d] <= w->lo[d] && w->hi[d] <= all->hi[d]));
        if (in)
            return n;
    }
    return -1;
}

static double apart(const double p[3], const double q[3])
{
    const double d[3] = {p[0] - q[0], p[1] - q[1], p[2] - q[2]};
    return an_length(d);
}

/* Centres of the face and of the two cells inside for all faces of a window: x[face][3][3]. */
static int find_centres(const struct an_mesh *mesh, const struct an_window *win, double (*x)[3][3])
{
    const int da = (win->dir + 1) % 3, db = (win->dir + 2) % 3;
    const int64_t na = win->hi[da] - win->lo[da], nb = win->hi[db] - win->lo[db], wide = na + 1,
                  all = wide * (nb + 1);
    double *node[3] = {NULL, NULL, NULL};
    int status = AN_OK;
    for (int m = 0; m < 3 && status == AN_OK; m++)
        status = an_patch_nodes_below(mesh, win, m, &node[m]);
    for (int64_t f = 0; f < na * nb && status == AN_OK; f++)
        for (int c = 0; c < 3; c++) {
            double layer[3];
            for (int m = 0; m < 3; m++) {
                const double *q = node[m] + c * all + f / na * wide + f % na;
                layer[m] = 0.25 * ((q[0] + q[1]) + (q[wide] + q[wide + 1]));
            }
            x[f][0][c] = layer[0];
            x[f][1][c] = 0.5 * (layer[0] + layer[1]);
            x[f][2][c] = 0.5 * (layer[1] + layer[2]);
        }
    for (int m = 0; m < 3; m++)
        free(node[m]);
    return status;
}

/* Places of the faces of a window, and what slide_gather needs of them. */
static int place_window(const struct an_solver *s, struct an_ring_waves *k,
                        const struct an_band_patches *list, int64_t *const *place, double *map,
                        const struct an_face_window *w)
{
    const struct an_window win = an_window_in_zone(s, w->window);
    const int p = patch_of(list, &win), da = (win.dir + 1) % 3, db = (win.dir + 2) % 3;
    const struct an_band_patch *patch = &list->patch[p];
    double(*x)[3][3] = malloc((size_t)an_window_faces(&win) * sizeof *x);
    int status = x ? find_centres(s->mesh, &win, x)
                   : an_error_set(AN_FAIL, "out of memory for non-reflecting boundaries");
    int64_t f = 0;
    for (int b = win.lo[db]; b < win.hi[db] && status == AN_OK; b++)
        for (int a = win.lo[da]; a < win.hi[da]; a++, f++) {
            const int64_t at =
                place[p][(b - patch->window.lo[db]) * patch->na + a - patch->window.lo[da]];
            double *frame = map + AN_SLIDE_FACE * (w->first + f) + AN_SLIDE_FRAME;
            for (int m = 0; m < 3; m++) {
                const double r = hypot(x[f][m][1], x[f][m][2]);
                frame[2 * m] = r > 0 ? x[f][m][1] / r : 1;
                frame[2 * m + 1] = r > 0 ? x[f][m][2] / r : 0;
            }
            const double back = apart(x[f][1], x[f][2]); /* 0: the zone has one cell there */
            k->ahead[w->first + f] = back > 0 ? fmin(apart(x[f][0], x[f][1]) / back, 1) : 0;
            k->place[w->first + f] = at;
            k->row[w->first + f] = w->values + f;
            k->row_place[w->values + f] = at;
            k->row_ahead[w->values + f] = k->ahead[w->first + f];
        }
    free(x);
    return status;
}

/* Lists this rank's faces: windows of non-reflecting boundaries, their number in *n. */
static int list_windows(struct an_solver *s, struct an_ring_waves *k, const int *group, int *n,
                        struct an_face_window **window)
{
    int all = 0;
    *n = 0;
    AN_TRY(an_bc_windows(&s->level->partition.topology, s->boundary, s->nlocal, s->local, &all,
                         window));
    for (int w = 0; w < all; w++) {
        struct an_face_window *to = &(*window)[*n];
        if (group[(*window)[w].boundary] < 0)
            continue;
        *to = (*window)[w];
        to->first = k->nface;
        k->nface += an_window_faces(&to->window);
        ++*n;
    }
    k->nvalue = an_face_values_of(s)->level[0].nface;
    return AN_OK;
}

/* The faces of this rank: map[3 + nface][AN_SLIDE_FACE] is work. */
static int place_faces(struct an_solver *s, struct an_ring_waves *k, const int *group,
                       const struct an_band_patches *list, int64_t *const *place)
{
    enum { HEAD = 3 };
    const struct an_engine_ops *op = s->engine->op;
    struct an_face_window *window = NULL;
    int n = 0, status = list_windows(s, k, group, &n, &window);
    const size_t count = (size_t)k->nface + 1, words = HEAD + count * AN_SLIDE_FACE,
                 bytes = count * AN_NCOMP_SLIDE * (size_t)s->level->layout.precision;
    double *map = calloc(words, sizeof *map);
    k->place = calloc(count, sizeof *k->place);
    k->row = calloc(count, sizeof *k->row);
    k->ahead = calloc(count, sizeof *k->ahead);
    k->row_place = malloc(((size_t)k->nvalue + 1) * sizeof *k->row_place);
    k->row_ahead = calloc((size_t)k->nvalue + 1, sizeof *k->row_ahead);
    k->pattern = calloc((size_t)k->nvalue + 1, sizeof *k->pattern);
    if (status == AN_OK && (!map || !k->place || !k->row || !k->ahead || !k->row_place ||
                            !k->row_ahead || !k->pattern))
        status = an_error_set(AN_FAIL, "out of memory for non-reflecting boundaries");
    for (int64_t m = 0; m < k->nvalue && status == AN_OK; m++)
        k->row_place[m] = -1;
    for (int w = 0; w < n && status == AN_OK; w++)
        status = place_window(s, k, list, place, map + HEAD, &window[w]);
    if (status == AN_OK)
        status = op->faces_new(s->engine, &s->level->layout, n, window, s->mesh->topology.nboundary,
                               s->boundary, &k->faces);
    if (status == AN_OK)
        status = op->alloc(s->engine, words * sizeof *map, &k->map);
    if (status == AN_OK) {
        map[0] = HEAD;
        status = op->upload(s->engine, k->map, map, words * sizeof *map, 0);
    }
    if (status == AN_OK)
        status = op->sync(s->engine, 0);
    free(window);
    free(map);
    AN_TRY(status);
    AN_TRY(op->alloc(s->engine, bytes, &k->field));
    return op->alloc_host(s->engine, bytes, &k->image);
}

static int find_rings(struct an_solver *s, struct an_ring_waves *k, const int *group,
                      struct an_bands *bands)
{
    struct an_band_patches list = {0};
    int status = an_band_patches_find(s, group, bands, &list);
    int64_t **place = calloc((size_t)list.n + 1, sizeof *place);
    if (status == AN_OK && !place)
        status = an_error_set(AN_FAIL, "out of memory for non-reflecting boundaries");
    if (status == AN_OK)
        status = make_rings(s, k, group, bands, &list);
    if (status == AN_OK)
        status = give_places(k, &list, place);
    if (status == AN_OK)
        status = make_modes(s, k);
    if (status == AN_OK)
        status = place_faces(s, k, group, &list, place);
    for (int p = 0; place && p < list.n; p++)
        free(place[p]);
    free(place);
    an_band_patches_free(&list);
    return status;
}

int an_ring_waves_setup(struct an_solver *s, struct an_ring_waves *k)
{
    const size_t nb = (size_t)s->mesh->topology.nboundary + 1;
    int *group = malloc(nb * sizeof *group), n = 0;
    k->every = calloc(nb, sizeof *k->every);
    k->omega = calloc(nb, sizeof *k->omega);
    int status = group && k->every && k->omega
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for non-reflecting boundaries");
    if (status == AN_OK)
        list_boundaries(s, k, group, &n);
    struct an_bands *bands = status == AN_OK && n ? calloc(1, sizeof *bands) : NULL;
    if (bands) {
        bands->ngroup = n;
        bands->group = calloc((size_t)n + 1, sizeof *bands->group);
        status = bands->group
                     ? find_rings(s, k, group, bands)
                     : an_error_set(AN_FAIL, "out of memory for non-reflecting boundaries");
    } else if (n) {
        status = an_error_set(AN_FAIL, "out of memory for non-reflecting boundaries");
    }
    an_bands_destroy(s, bands);
    free(group);
    return status;
}
