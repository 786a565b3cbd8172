#include "solver/boundary/slide_faces.h"

#include "solver/boundary/plane_pairs.h"
#include "solver/boundary/plane_windows.h"
#include "solver/level/level.h"
#include "solver/level/patch_nodes.h"
#include "solver/level/replicated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

#define OFF 2e-3 /* of the span: ends of the two spans may lie apart by this */

static int list_planes(struct an_solver *s, struct an_slide_faces *f)
{
    const struct an_topology *t = &s->mesh->topology;
    const size_t n = (size_t)t->nboundary + 1;
    f->boundary = calloc(n, sizeof *f->boundary);
    f->group = malloc(n * sizeof *f->group);
    f->plane = calloc(n, sizeof *f->plane);
    f->bands = calloc(1, sizeof *f->bands);
    if (f->bands)
        f->bands->group = calloc(2 * n, sizeof *f->bands->group);
    AN_CHECK(f->boundary && f->group && f->plane && f->bands && f->bands->group, AN_FAIL,
             "out of memory for sliding planes");
    for (int b = 0; b < t->nboundary; b++)
        f->group[b] = -1;
    for (int b = 0; b < t->nboundary; b++) {
        if (s->boundary[b].type != AN_BC_SLIDING_PLANE || f->group[b] >= 0)
            continue;
        const int other = an_plane_partner(s->c, t, b);
        f->boundary[f->nplane][0] = b;
        f->boundary[f->nplane][1] = other;
        f->group[b] = 2 * f->nplane;
        f->group[other] = 2 * f->nplane + 1;
        f->nplane++;
    }
    f->bands->ngroup = 2 * f->nplane;
    return AN_OK;
}

static const char *name_of(const struct an_solver *s, const struct an_slide_faces *f, int group)
{
    return s->mesh->topology.boundary[f->boundary[group / 2][group % 2]].name;
}

static int check_side(const struct an_solver *s, const struct an_slide_faces *f, int group)
{
    const struct an_band_group *g = &f->bands->group[group];
    AN_CHECK(
        g->aligned, AN_INPUT,
        "sliding plane: the mesh lines of boundary '%s' do not follow rings around the x axis, "
        "which a sliding plane needs; a mixing plane does not need them",
        name_of(s, f, group));
    AN_CHECK(
        g->sectors > 0, AN_INPUT,
        "sliding plane: boundary '%s' covers %.6g degrees around the x axis, which is 1/%.4f of "
        "a turn: a sliding plane needs rows of a whole number of passages",
        name_of(s, f, group), g->angle * 180 / pi, 2 * pi / g->angle);
    return AN_OK;
}

/* Phase lag: one passage of each row. The plane gets the numbers of passages that cover the same angle. */
static int lag_pitches(const struct an_solver *s, struct an_slide_faces *f, int plane)
{
    const struct an_band_group *g = &f->bands->group[2 * plane];
    const double pitch[2] = {2 * pi / g[0].sectors, 2 * pi / g[1].sectors};
    const char *name[2] = {name_of(s, f, 2 * plane), name_of(s, f, 2 * plane + 1)};
    AN_CHECK(
        fabs(pitch[0] - pitch[1]) > 1e-6 * pitch[0], AN_INPUT,
        "march.phase_lag: '%s' and '%s' both cover %.6g degrees: no phase lag is needed; remove "
        "'march.phase_lag'",
        name[0], name[1], pitch[0] * 180 / pi);
    AN_CHECK(
        an_slide_copies(pitch, f->plane[plane].passages), AN_INPUT,
        "march.phase_lag: '%s' covers %.6g degrees and '%s' %.6g: no numbers of passages of both "
        "cover the same angle",
        name[0], pitch[0] * 180 / pi, name[1], pitch[1] * 180 / pi);
    for (int side = 0; side < 2; side++)
        if (f->plane[plane].passages[side] == 1) /* lag is told from none by more than one */
            for (int other = 0; other < 2; other++)
                f->plane[plane].passages[other] *= 2;
    return AN_OK;
}

static int check_pitches(const struct an_solver *s, const struct an_slide_faces *f, int plane)
{
    const struct an_band_group *g = &f->bands->group[2 * plane];
    const double pitch[2] = {2 * pi / g[0].sectors, 2 * pi / g[1].sectors};
    const char *name[2] = {name_of(s, f, 2 * plane), name_of(s, f, 2 * plane + 1)};
    int copies[2];
    if (fabs(pitch[0] - pitch[1]) < 1e-9 * pitch[0])
        return AN_OK;
    const int some = an_slide_copies(pitch, copies);
    AN_CHECK(
        !some, AN_INPUT,
        "sliding plane: '%s' covers 1/%.6g of a turn (%.6g degrees) and '%s' 1/%.6g (%.6g "
        "degrees), but both sides must cover the same angle: take %d times the passages of the "
        "row of '%s' and %d times those of the row of '%s' (passage_copy), or a mixing plane",
        name[0], g[0].sectors, pitch[0] * 180 / pi, name[1], g[1].sectors, pitch[1] * 180 / pi,
        copies[0], name[0], copies[1], name[1]);
    return an_error_set(
        AN_INPUT,
        "sliding plane: '%s' covers 1/%.6g of a turn (%.6g degrees) and '%s' 1/%.6g "
        "(%.6g degrees), but both sides must cover the same angle, and no numbers of "
        "copies of both do: use a mixing plane",
        name[0], g[0].sectors, pitch[0] * 180 / pi, name[1], g[1].sectors, pitch[1] * 180 / pi);
}

static double apart(const double p[2], const double q[2])
{
    return hypot(p[0] - q[0], p[1] - q[1]);
}

static int check_plane(const struct an_solver *s, struct an_slide_faces *f, int plane)
{
    const struct an_band_group *g = &f->bands->group[2 * plane];
    const char *name[2] = {name_of(s, f, 2 * plane), name_of(s, f, 2 * plane + 1)};
    for (int side = 0; side < 2; side++)
        AN_TRY(check_side(s, f, 2 * plane + side));
    const double span = fmin(apart(g[0].hub, g[0].casing), apart(g[1].hub, g[1].casing));
    const double off = fmax(apart(g[0].hub, g[1].hub), apart(g[0].casing, g[1].casing));
    AN_CHECK(off <= OFF * span, AN_INPUT,
             "sliding plane: the spans of '%s' and '%s' do not lie on each other: from (x, r) = "
             "(%.6g, %.6g) to (%.6g, %.6g) m, and from (%.6g, %.6g) to (%.6g, %.6g) m",
             name[0], name[1], g[0].hub[0], g[0].hub[1], g[0].casing[0], g[0].casing[1],
             g[1].hub[0], g[1].hub[1], g[1].casing[0], g[1].casing[1]);
    AN_CHECK(g[0].normal[0] * g[1].normal[0] + g[0].normal[1] * g[1].normal[1] < -0.9, AN_INPUT,
             "sliding plane: '%s' and '%s' do not face each other: their rows lie on the same side",
             name[0], name[1]);
    return s->c->march.phase_lag ? lag_pitches(s, f, plane) : check_pitches(s, f, plane);
}

/* The cells beside a window. */
static void cells_beside(const struct an_topology *t, const struct an_window *w, int lo[3],
                         int hi[3])
{
    memcpy(lo, w->lo, 3 * sizeof *lo);
    memcpy(hi, w->hi, 3 * sizeof *hi);
    lo[w->dir] = w->side ? t->block[w->block].n[w->dir] - 1 : 0;
    hi[w->dir] = lo[w->dir] + 1;
}

/* Faces correct the residual of the cell inside side by side, so a cell may have one of them only. */
static int check_cells(const struct an_solver *s, const struct an_slide_faces *f)
{
    const struct an_topology *t = &s->mesh->topology;
    for (int a = 0; a < t->npatch; a++)
        for (int b = 0; b < a; b++) {
            const struct an_patch *p = &t->patch[a], *q = &t->patch[b];
            int lo[2][3], hi[2][3], common = p->window.block == q->window.block;
            if (!common || f->group[p->boundary] < 0 || f->group[q->boundary] < 0)
                continue;
            cells_beside(t, &p->window, lo[0], hi[0]);
            cells_beside(t, &q->window, lo[1], hi[1]);
            for (int d = 0; d < 3; d++)
                common &= lo[0][d] < hi[1][d] && lo[1][d] < hi[0][d];
            AN_CHECK(!common, AN_INPUT,
                     "sliding plane: a cell of zone '%s' has faces on '%s' and on '%s': there must "
                     "be two cells or more between two sliding planes",
                     t->block[p->window.block].name, t->boundary[p->boundary].name,
                     t->boundary[q->boundary].name);
        }
    return AN_OK;
}

static int read_below(struct an_solver *s, struct an_slide_faces *f)
{
    for (int d = 0; d < 2; d++) {
        f->below[d] = calloc((size_t)f->list.n + 1, sizeof *f->below[d]);
        AN_CHECK(f->below[d], AN_FAIL, "out of memory for sliding planes");
        for (int n = 0; n < f->list.n; n++)
            AN_TRY(an_patch_nodes_below(s->mesh, &f->list.patch[n].window, d + 1, &f->below[d][n]));
    }
    return AN_OK;
}

int an_slide_faces_new(struct an_solver *s, struct an_slide_faces *f)
{
    memset(f, 0, sizeof *f);
    AN_TRY(list_planes(s, f));
    AN_TRY(check_cells(s, f));
    AN_TRY(an_band_patches_find(s, f->group, f->bands, &f->list));
    for (int p = 0; p < f->nplane; p++) {
        AN_TRY(check_plane(s, f, p));
        /* without phase lag both are the same to rounding, and count as the first */
        for (int side = 0; side < 2; side++)
            f->plane[p].sector[side] =
                2 * pi / f->bands->group[2 * p + (s->c->march.phase_lag ? side : 0)].sectors;
    }
    return read_below(s, f);
}

void an_slide_faces_free(struct an_solver *s, struct an_slide_faces *f)
{
    for (int d = 0; d < 2; d++) {
        for (int n = 0; f->below[d] && n < f->list.n; n++)
            free(f->below[d][n]);
        free(f->below[d]);
    }
    an_band_patches_free(&f->list);
    an_bands_destroy(s, f->bands);
    free(f->boundary);
    free(f->group);
    free(f->plane);
    free(f->place);
    memset(f, 0, sizeof *f);
}

/* ---- one face ---- */

static void node_at(const struct an_band_patch *p, const double *x, int a, int b, double q[3])
{
    const int64_t wide = p->na + 1, all = wide * (p->nb + 1), at = b * wide + a;
    for (int c = 0; c < 3; c++)
        q[c] = x[c * all + at];
}

/* The angle of a point, within pi of another one. */
static double angle_near(const double q[3], double near)
{
    if (hypot(q[1], q[2]) < 1e-12)
        return near;
    const double angle = atan2(q[2], q[1]);
    return angle + 2 * pi * round((near - angle) / (2 * pi));
}

/* Faces a0 .. a1, b0 .. b1 of a patch as one face. */
struct piece {
    const struct an_band_patch *p;
    const double *layer[AN_SLIDE_NSET]; /* nodes of the plane and below it */
    int a[2], b[2];
};

/* The mean angle of edge e (0, 1) around the ring, over its two ends at a layer of nodes. */
static double edge_angle(const struct piece *k, int layer, int e, double near)
{
    double sum = 0;
    for (int end = 0; end < 2; end++) {
        double q[3];
        node_at(k->p, k->layer[layer], k->p->along ? k->a[e] : k->a[end],
                k->p->along ? k->b[end] : k->b[e], q);
        sum += 0.5 * angle_near(q, near);
    }
    return sum;
}

static double any_angle(const struct piece *k)
{
    double sum[3] = {0, 0, 0};
    for (int n = 0; n < 4; n++) {
        double q[3];
        node_at(k->p, k->layer[0], k->a[n % 2], k->b[n / 2], q);
        for (int c = 0; c < 3; c++)
            sum[c] += q[c];
    }
    return atan2(sum[2], sum[1]);
}

static void measure(const struct piece *k, int fine, struct an_slide_face *f)
{
    const double near = any_angle(k);
    double q[4][3], s[3];
    for (int e = 0; e < 2; e++) {
        const double at = edge_angle(k, 0, e, near);
        const double below[2] = {fine ? edge_angle(k, 1, e, near) : at,
                                 fine ? edge_angle(k, 2, e, near) : at};
        f->edge[AN_SLIDE_AT_FACE][e] = at;
        f->edge[AN_SLIDE_AT_FIRST][e] = 0.5 * (at + below[0]);
        f->edge[AN_SLIDE_AT_SECOND][e] = 0.5 * (below[0] + below[1]);
    }
    for (int set = 0; f->edge[AN_SLIDE_AT_FACE][0] > f->edge[AN_SLIDE_AT_FACE][1] && set < 3;
         set++) {
        const int m = AN_SLIDE_NSET - 1 - set; /* the edges of the face tell, so they come last */
        const double swap = f->edge[m][0];
        f->edge[m][0] = f->edge[m][1];
        f->edge[m][1] = swap;
    }
    for (int n = 0; n < 4; n++)
        node_at(k->p, k->layer[0], k->a[n % 2], k->b[n / 2], q[n]);
    for (int c = 0; c < 3; c++) {
        const int y = (c + 1) % 3, z = (c + 2) % 3;
        s[c] = (k->p->window.side ? 0.5 : -0.5) * ((q[3][y] - q[0][y]) * (q[2][z] - q[1][z]) -
                                                   (q[3][z] - q[0][z]) * (q[2][y] - q[1][y]));
    }
    const double middle = 0.5 * (f->edge[AN_SLIDE_AT_FACE][0] + f->edge[AN_SLIDE_AT_FACE][1]);
    f->area[0] = s[0];
    f->area[1] = s[1] * cos(middle) + s[2] * sin(middle);
    f->area[2] = s[2] * cos(middle) - s[1] * sin(middle);
}

/* ---- all faces of a level ---- */

/* Bands low .. high of a group that faces cover. */
struct cover {
    int group, low, high;
};

struct collector {
    struct an_solver *s;
    const struct an_slide_faces *f;
    int level;
    int64_t nface;
    struct an_slide_face *face; /* [nface] */
    struct cover *cover;        /* [nface] */
    int64_t *place;             /* [nface] */
};

/* The faces of a window of a rank: `fine` in cells of the finest level of its zone, `w` in cells of
 * the level. */
static void collect_window(struct collector *k, const struct an_window *fine,
                           const struct an_window *w)
{
    const struct an_band_patches *list = &k->f->list;
    const int index = an_window_holder(fine, list->n, &list->patch->window, sizeof *list->patch);
    const struct an_band_patch *p = index < 0 ? NULL : &list->patch[index];
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int na = w->hi[da] - w->lo[da], nb = w->hi[db] - w->lo[db];
    const int ra = (fine->hi[da] - fine->lo[da]) / na, rb = (fine->hi[db] - fine->lo[db]) / nb;
    const int a0 = p ? fine->lo[da] - p->window.lo[da] : 0,
              b0 = p ? fine->lo[db] - p->window.lo[db] : 0;
    int64_t before = 0;
    for (int n = 0; n < index; n++)
        before += an_window_faces(&list->patch[n].window);
    for (int b = 0; p && b < nb; b++)
        for (int a = 0; a < na; a++) {
            struct piece piece = {.p = p,
                                  .layer = {p->x, k->f->below[0][index], k->f->below[1][index]},
                                  .a = {a0 + a * ra, a0 + (a + 1) * ra},
                                  .b = {b0 + b * rb, b0 + (b + 1) * rb}};
            const int first = p->band[(int64_t)piece.b[0] * p->na + piece.a[0]];
            const int last = p->band[(int64_t)(piece.b[1] - 1) * p->na + piece.a[1] - 1];
            k->place[k->nface] = before + (int64_t)piece.b[0] * p->na + piece.a[0];
            k->cover[k->nface] =
                (struct cover){p->group, first < last ? first : last, first < last ? last : first};
            measure(&piece, k->level == 0, &k->face[k->nface++]);
        }
}

static int collect_rank(struct collector *k, int rank, int *nwindow, struct an_face_window **mine)
{
    struct an_face_window *window;
    struct an_window *zone;
    int n;
    const int status = an_plane_windows(k->s, k->level, rank, k->f->group, &n, &window, &zone);
    for (int m = 0; m < n && status == AN_OK; m++) {
        window[m].first = k->nface;
        collect_window(k, &zone[m], &window[m].window);
    }
    free(zone);
    if (status == AN_OK && rank == an_replicated_rank(k->s, &k->s->level[k->level])) {
        *mine = window;
        *nwindow = n;
    } else {
        free(window);
    }
    return status;
}

static int by_cover(const void *a, const void *b)
{
    const struct cover *p = a, *q = b;
    if (p->group != q->group)
        return p->group < q->group ? -1 : 1;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    return p->high < q->high ? -1 : p->high > q->high;
}

/* Part of the span by area below a fraction of its length. */
static double part_below(const struct an_band_group *g, double fraction)
{
    const double hub = g->hub[1], rise = g->casing[1] - g->hub[1];
    return fraction * (hub + 0.5 * rise * fraction) / (hub + 0.5 * rise);
}

/* The rings of all sides from what the faces cover; numbers of rings to the faces. ring[nface]. */
static int make_rings(struct collector *k, struct an_slide_plane *plane, struct an_slide_ring *ring,
                      int *nring)
{
    struct cover *all = malloc(((size_t)k->nface + 1) * sizeof *all);
    AN_CHECK(all, AN_FAIL, "out of memory for sliding planes");
    memcpy(all, k->cover, (size_t)k->nface * sizeof *all);
    qsort(all, (size_t)k->nface, sizeof *all, by_cover);
    int n = 0;
    for (int64_t f = 0; f < k->nface; f++)
        if (f == 0 || by_cover(&all[f], &all[n - 1]))
            all[n++] = all[f];
    for (int r = 0; r < n; r++) {
        const struct an_bands *b = k->f->bands;
        const int group = all[r].group;
        struct an_slide_plane *p = &plane[group / 2];
        if (p->n[group % 2]++ == 0)
            p->first[group % 2] = r;
        double area = 0, moment = 0;
        for (int band = all[r].low; band <= all[r].high; band++) {
            area += b->area[band];
            moment += b->area[band] * b->radius[band];
        }
        ring[r] =
            (struct an_slide_ring){part_below(&b->group[group], b->lo[all[r].low]),
                                   part_below(&b->group[group], b->hi[all[r].high]), moment / area};
    }
    for (int64_t f = 0; f < k->nface; f++) {
        const struct cover *c = bsearch(&k->cover[f], all, (size_t)n, sizeof *all, by_cover);
        k->face[f].ring = (int)(c - all);
    }
    free(all);
    *nring = n;
    return AN_OK;
}

/* All faces of the planes on a level, rank by rank. */
static int64_t count_faces(const struct an_solver *s, const struct an_slide_faces *f, int level)
{
    const struct an_topology *t = &s->level[level].partition.topology;
    int64_t n = 0;
    for (int p = 0; p < t->npatch; p++)
        if (f->group[t->patch[p].boundary] >= 0)
            n += an_window_faces(&t->patch[p].window);
    return n;
}

static int make_map(struct collector *k, struct an_slide_map *map)
{
    struct an_slide_plane *plane = malloc(((size_t)k->f->nplane + 1) * sizeof *plane);
    struct an_slide_ring *ring = malloc(((size_t)k->nface + 1) * sizeof *ring);
    int nring = 0, fault = -1;
    int status = plane && ring ? AN_OK : an_error_set(AN_FAIL, "out of memory for sliding planes");
    if (status == AN_OK) {
        memcpy(plane, k->f->plane, (size_t)k->f->nplane * sizeof *plane);
        status = make_rings(k, plane, ring, &nring);
    }
    if (status == AN_OK)
        status = an_slide_map_new(k->f->nplane, plane, nring, ring, k->nface, k->face, map, &fault);
    for (int g = 0; fault >= 0 && g < 2 * k->f->nplane; g++) {
        const int first = plane[g / 2].first[g % 2];
        if (fault < first || fault >= first + plane[g / 2].n[g % 2])
            continue;
        char what[256];
        snprintf(what, sizeof what, "%.200s", an_error_text());
        status = an_error_set(
            status, "sliding plane: boundary '%s', ring %d of %d from the hub%s: %s",
            name_of(k->s, k->f, g), fault - first + 1, plane[g / 2].n[g % 2],
            k->level ? " on a coarser multigrid level (multigrid.levels: 1 helps)" : "", what);
        break;
    }
    free(plane);
    free(ring);
    return status;
}

int an_slide_faces_map(struct an_solver *s, struct an_slide_faces *f, int n,
                       struct an_slide_map *map, int64_t *first, int *nwindow,
                       struct an_face_window **window)
{
    const size_t most = (size_t)count_faces(s, f, n) + 1;
    struct collector k = {.s = s,
                          .f = f,
                          .level = n,
                          .face = calloc(most, sizeof *k.face),
                          .cover = calloc(most, sizeof *k.cover),
                          .place = calloc(most, sizeof *k.place)};
    int status = k.face && k.cover && k.place
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for sliding planes");
    *window = NULL;
    *nwindow = 0;
    const int nrank = s->level[n].partition.nrank;
    for (int r = 0; r < nrank && status == AN_OK; r++) {
        first[r] = k.nface;
        status = collect_rank(&k, r, nwindow, window);
    }
    first[nrank] = k.nface;
    if (status == AN_OK)
        status = make_map(&k, map);
    free(k.face);
    free(k.cover);
    if (n == 0) {
        free(f->place);
        f->place = k.place;
    } else {
        free(k.place);
    }
    return status;
}
