#include "solver/boundary/abut_faces.h"

#include "io/screen.h"
#include "solver/boundary/plane_windows.h"
#include "solver/level/level.h"
#include "solver/level/patch_nodes.h"
#include "solver/level/replicated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static int list_sides(const struct an_topology *t, const int *other, struct an_abut_faces *f)
{
    const size_t n = (size_t)t->nboundary + 1;
    f->group = malloc(n * sizeof *f->group);
    f->boundary = malloc(n * sizeof *f->boundary);
    f->match.side = calloc(n, sizeof *f->match.side);
    f->patch = malloc(((size_t)t->npatch + 1) * sizeof *f->patch);
    AN_CHECK(f->group && f->boundary && f->match.side && f->patch, AN_FAIL,
             "out of memory for abutting interfaces");
    for (int b = 0; b < t->nboundary; b++) {
        f->group[b] = other[b] < 0 ? -1 : f->match.nside;
        if (other[b] >= 0)
            f->boundary[f->match.nside++] = b;
    }
    for (int s = 0; s < f->match.nside; s++) {
        const struct an_boundary *b = &t->boundary[f->boundary[s]];
        const int partner = other[f->boundary[s]];
        struct an_abut_side *side = &f->match.side[s];
        side->other = f->group[partner];
        side->periodic = strcmp(b->with, t->boundary[partner].name) == 0 ? b->periodic : 0;
        memcpy(side->rotation, b->rotation, sizeof side->rotation);
        memcpy(side->translation, b->translation, sizeof side->translation);
    }
    for (int p = 0; p < t->npatch; p++) {
        const struct an_window *w = &t->patch[p].window;
        const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
        if (f->group[t->patch[p].boundary] < 0)
            continue;
        struct an_abut_patch *q = &f->patch[f->npatch++];
        *q = (struct an_abut_patch){*w, f->match.nface, w->hi[da] - w->lo[da],
                                    w->hi[db] - w->lo[db]};
        AN_CHECK((int64_t)f->match.nface + (int64_t)q->na * q->nb < 1 << 28, AN_INPUT,
                 "abutting interfaces: the mesh has too many faces on them");
        f->match.nface += q->na * q->nb;
    }
    return AN_OK;
}

/* Corner n of face (a, b) in the order of the indices: (0,0), (1,0), (1,1), (0,1). */
static void corner_of(const struct an_abut_patch *p, const double *x, int a, int b, int n,
                      double q[3])
{
    const int64_t wide = p->na + 1, all = wide * (p->nb + 1);
    const int64_t at = (b + n / 2) * wide + a + (n == 1 || n == 2);
    for (int c = 0; c < 3; c++)
        q[c] = x[c * all + at];
}

/* What an edge from a to b adds to what its face sweeps per rad/s (face_sweep.stencil), relative to a
 * node at (y, z). */
static double swept(const double o[3], const double p[3], const double q[3])
{
    const double ya = p[1] - o[1], za = p[2] - o[2], yb = q[1] - o[1], zb = q[2] - o[2];
    return (q[0] - p[0]) * (o[1] * (ya + yb) + o[2] * (za + zb) +
                            ((ya * ya + za * za) + (yb * yb + zb * zb) + (ya * yb + za * zb)) / 3);
}

static void measure(const struct an_abut_patch *p, double *const layer[3], int a, int b,
                    struct an_abut_face *f)
{
    const double sign = p->window.side ? 0.5 : -0.5;
    double middle[3][3] = {{0}}, d[2][3];
    for (int n = 0; n < 4; n++) {
        corner_of(p, layer[0], a, b, n, f->corner[n]);
        for (int m = 0; m < 3; m++) {
            double q[3];
            corner_of(p, layer[m], a, b, n, q);
            for (int c = 0; c < 3; c++)
                middle[m][c] += 0.25 * q[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        f->middle[0][c] = 0.5 * (middle[0][c] + middle[1][c]);
        f->middle[1][c] = 0.5 * (middle[1][c] + middle[2][c]);
        d[0][c] = f->corner[2][c] - f->corner[0][c];
        d[1][c] = f->corner[3][c] - f->corner[1][c];
    }
    for (int c = 0; c < 3; c++) {
        const int y = (c + 1) % 3, z = (c + 2) % 3;
        f->area[c] = sign * (d[0][y] * d[1][z] - d[0][z] * d[1][y]);
    }
    f->area[3] = 0;
    for (int n = 0; n < 4; n++)
        f->area[3] -= sign * swept(f->corner[0], f->corner[n], f->corner[(n + 1) % 4]);
}

static int read_patch(const struct an_mesh *mesh, struct an_abut_faces *f,
                      const struct an_abut_patch *p, int side)
{
    double *layer[3] = {NULL, NULL, NULL};
    int status = AN_OK;
    for (int m = 0; m < 3 && status == AN_OK; m++)
        status = an_patch_nodes_below(mesh, &p->window, m, &layer[m]);
    for (int b = 0; b < p->nb && status == AN_OK; b++)
        for (int a = 0; a < p->na; a++) {
            const int at = p->first + b * p->na + a;
            struct an_abut_face *q = &f->match.face[at];
            q->side = side;
            measure(p, layer, a, b, q);
            q->beside[0] = a > 0 ? at - 1 : -1;
            q->beside[1] = a + 1 < p->na ? at + 1 : -1;
            q->beside[2] = b > 0 ? at - p->na : -1;
            q->beside[3] = b + 1 < p->nb ? at + p->na : -1;
        }
    for (int m = 0; m < 3; m++)
        free(layer[m]);
    return status;
}

int an_abut_faces_new(const struct an_mesh *mesh, const int *other, struct an_abut_faces *f)
{
    const struct an_topology *t = &mesh->topology;
    memset(f, 0, sizeof *f);
    AN_TRY(list_sides(t, other, f));
    f->match.face = calloc((size_t)f->match.nface + 1, sizeof *f->match.face);
    AN_CHECK(f->match.face, AN_FAIL, "out of memory for abutting interfaces");
    for (int p = 0, q = 0; p < t->npatch; p++)
        if (f->group[t->patch[p].boundary] >= 0)
            AN_TRY(read_patch(mesh, f, &f->patch[q++], f->group[t->patch[p].boundary]));
    return an_abut_match(&f->match);
}

void an_abut_faces_free(struct an_abut_faces *f)
{
    an_abut_free(&f->match);
    free(f->group);
    free(f->boundary);
    free(f->patch);
    memset(f, 0, sizeof *f);
}

/* ---- what is told ---- */

static const char *name_of(const struct an_mesh *mesh, const struct an_abut_faces *f, int side)
{
    return mesh->topology.boundary[f->boundary[side]].name;
}

int an_abut_faces_check(const struct an_mesh *mesh, const struct an_abut_faces *f)
{
    for (int s = 0; s < f->match.nside; s++) {
        char what[512];
        const int status = an_abut_check(&f->match.report[s]);
        if (status == AN_OK)
            continue;
        snprintf(what, sizeof what, "%.511s", an_error_text());
        return an_error_set(status, "abutting interface: boundary '%s' does not fit onto '%s': %s",
                            name_of(mesh, f, s), name_of(mesh, f, f->match.side[s].other), what);
    }
    return AN_OK;
}

void an_abut_faces_print(const struct an_mesh *mesh, const struct an_abut_faces *f, FILE *out)
{
    for (int s = 0; s < f->match.nside; s++) {
        const struct an_abut_report *r = &f->match.report[s];
        const int other = f->match.side[s].other;
        const double area = r->area > 0 ? r->area : 1;
        an_screen_line(out, 12,
                       "abutting    %s on %s%s: %lld faces of %.6g m2, %lld facets, %.4g %% of the "
                       "area matched, gaps %.2g %%, overlaps %.2g %%; the sides lie up to %.2g m "
                       "apart and do not close by %.2g of the area",
                       name_of(mesh, f, s), other == s ? "itself" : name_of(mesh, f, other),
                       f->match.side[s].periodic ? ", periodic" : "", (long long)r->faces, r->area,
                       (long long)r->facets, 100 * (1 - r->gap / area), 100 * r->gap / area,
                       100 * r->overlap / area, r->distance, r->open);
    }
}

int an_abut_info(const struct an_mesh *mesh, FILE *out)
{
    const struct an_topology *t = &mesh->topology;
    struct an_abut_faces f = {0};
    int some = 0, *other = malloc(((size_t)t->nboundary + 1) * sizeof *other);
    AN_CHECK(other, AN_FAIL, "out of memory for abutting interfaces");
    for (int b = 0; b < t->nboundary; b++) {
        other[b] =
            t->boundary[b].type == AN_BC_ABUTTING ? an_boundary_find(t, t->boundary[b].with) : -1;
        some |= other[b] >= 0;
    }
    int status = some ? an_abut_faces_new(mesh, other, &f) : AN_OK;
    if (status == AN_OK && some) {
        an_abut_faces_print(mesh, &f, out);
        status = an_abut_faces_check(mesh, &f);
    }
    an_abut_faces_free(&f);
    free(other);
    return status;
}

/* ---- the faces of a level ---- */

struct collector {
    const struct an_abut_faces *f;
    int64_t nface;
    int64_t
        *number; /* [match.nface] of the finest faces: that of the level's face they are part of */
    int lost;
};

static void collect_window(struct collector *k, const struct an_window *zone,
                           const struct an_window *w)
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int na = w->hi[da] - w->lo[da], nb = w->hi[db] - w->lo[db];
    const int ra = (zone->hi[da] - zone->lo[da]) / na, rb = (zone->hi[db] - zone->lo[db]) / nb;
    const int at = an_window_holder(zone, k->f->npatch, &k->f->patch->window, sizeof *k->f->patch);
    if (at < 0) {
        k->lost = 1;
        return;
    }
    const struct an_abut_patch *p = &k->f->patch[at];
    const int a0 = zone->lo[da] - p->window.lo[da], b0 = zone->lo[db] - p->window.lo[db];
    for (int b = 0; b < rb * nb; b++)
        for (int a = 0; a < ra * na; a++)
            k->number[p->first + (b0 + b) * p->na + a0 + a] =
                k->nface + (int64_t)(b / rb) * na + a / ra;
    k->nface += (int64_t)na * nb;
}

static int collect(struct an_solver *s, struct collector *k, int level, int64_t *first,
                   int *nwindow, struct an_face_window **mine)
{
    const int nrank = s->level[level].partition.nrank;
    for (int r = 0; r < nrank; r++) {
        struct an_face_window *window;
        struct an_window *zone;
        int n;
        const int status = an_plane_windows(s, level, r, k->f->group, &n, &window, &zone);
        first[r] = k->nface;
        for (int m = 0; m < n && status == AN_OK; m++) {
            window[m].first = k->nface;
            collect_window(k, &zone[m], &window[m].window);
        }
        free(zone);
        if (status == AN_OK && r == an_replicated_rank(s, &s->level[level])) {
            *mine = window;
            *nwindow = n;
        } else {
            free(window);
        }
        AN_TRY(status);
    }
    first[nrank] = k->nface;
    return AN_OK;
}

/* The faces of the level in the order of the finest faces, which does not depend on the ranks. */
struct level_faces {
    int n;
    int *part, *index; /* [match.nface]; [faces] by number */
    int64_t *number;   /* [n] */
    int (*beside)[4];  /* [n] */
};

static void order_faces(const struct collector *k, struct level_faces *o)
{
    const struct an_abut *m = &k->f->match;
    for (int64_t f = 0; f < k->nface; f++)
        o->index[f] = -1;
    for (int f = 0; f < m->nface; f++) {
        int *index = &o->index[k->number[f]];
        if (*index < 0) {
            *index = o->n;
            for (int d = 0; d < 4; d++)
                o->beside[o->n][d] = -1;
            o->number[o->n++] = k->number[f];
        }
        o->part[f] = *index;
    }
    for (int f = 0; f < m->nface; f++)
        for (int d = 0; d < 4; d++) {
            const int to = m->face[f].beside[d] < 0 ? -1 : o->part[m->face[f].beside[d]];
            if (to >= 0 && to != o->part[f] && o->beside[o->part[f]][d] < 0)
                o->beside[o->part[f]][d] = to;
        }
}

static int make_map(struct collector *k, int level, struct an_slide_map *map)
{
    const size_t n = (size_t)k->f->match.nface + 1;
    struct level_faces o = {.part = malloc(n * sizeof *o.part),
                            .index = malloc(n * sizeof *o.index),
                            .number = malloc(n * sizeof *o.number),
                            .beside = malloc(n * sizeof *o.beside)};
    int status = o.part && o.index && o.number && o.beside
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for abutting interfaces");
    if (status == AN_OK) {
        order_faces(k, &o);
        status = an_abut_map_new(&k->f->match, o.n, o.part, o.number, (const int(*)[4])o.beside,
                                 level == 0, map);
    }
    free(o.part);
    free(o.index);
    free(o.number);
    free(o.beside);
    return status;
}

int an_abut_faces_map(struct an_solver *s, const struct an_abut_faces *f, int n,
                      struct an_slide_map *map, int64_t *first, int *nwindow,
                      struct an_face_window **window)
{
    struct collector k = {.f = f, .number = calloc((size_t)f->match.nface + 1, sizeof *k.number)};
    *window = NULL;
    *nwindow = 0;
    int status = k.number ? AN_OK : an_error_set(AN_FAIL, "out of memory for abutting interfaces");
    if (status == AN_OK)
        status = collect(s, &k, n, first, nwindow, window);
    if (status == AN_OK && k.lost)
        status = an_error_set(AN_FAIL, "abutting interface: a piece of a zone is on no patch");
    if (status == AN_OK)
        status = make_map(&k, n, map);
    free(k.number);
    return status;
}
