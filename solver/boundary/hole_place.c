/* Where the holes of a wall lie, and the cells over them: see holes.h. */
#include "kernels/base/numbers.h"
#include "solver/boundary/face_values.h"
#include "solver/boundary/holes.h"
#include "solver/level/level.h"
#include "solver/level/patch_nodes.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A patch of the wall. */
struct piece {
    struct an_window window; /* in cells of its zone */
    int na, nb;
    double omega;
    double *x; /* [3][nb + 1][na + 1] nodes; owned */
};

struct wall {
    int n;
    struct piece *piece; /* [n]; owned */
};

/* A face and the part of it within the footprint. */
struct hit {
    int piece, a, b;
    double area;
};

struct hits {
    int n, room;
    struct hit *hit; /* owned */
};

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static int is_of(const struct an_solver *s, int boundary, const struct an_case_boundary *set)
{
    return an_case_boundary_find(s->c, s->mesh->topology.boundary[boundary].name) == set;
}

static int read_wall(struct an_solver *s, const struct an_case_boundary *set, struct wall *w)
{
    const struct an_topology *t = &s->mesh->topology;
    w->piece = calloc((size_t)t->npatch + 1, sizeof *w->piece);
    AN_CHECK(w->piece, AN_FAIL, "out of memory for holes");
    for (int p = 0; p < t->npatch; p++) {
        if (!is_of(s, t->patch[p].boundary, set))
            continue;
        struct piece *q = &w->piece[w->n++];
        q->window = t->patch[p].window;
        q->na = q->window.hi[(q->window.dir + 1) % 3] - q->window.lo[(q->window.dir + 1) % 3];
        q->nb = q->window.hi[(q->window.dir + 2) % 3] - q->window.lo[(q->window.dir + 2) % 3];
        q->omega = an_boundary_omega(s, t->patch[p].boundary);
        AN_TRY(an_patch_nodes(s->mesh, &q->window, &q->x));
    }
    return AN_OK;
}

static void corners(const struct piece *q, int a, int b, double x[4][3])
{
    const int64_t wide = q->na + 1, all = wide * (q->nb + 1);
    for (int n = 0; n < 4; n++)
        for (int c = 0; c < 3; c++)
            x[n][c] = q->x[c * all + (b + n / 2) * wide + a + n % 2];
}

static struct an_face_place face_of(const struct piece *q, int a, int b)
{
    double x[4][3];
    struct an_face_place f;
    corners(q, a, b, x);
    an_face_measure((const double(*)[3])x, q->window.side ? 1 : -1, &f);
    return f;
}

/* The face whose centre is nearest. */
static struct hit nearest(const struct wall *w, const double x[3])
{
    struct hit best = {.piece = -1};
    double least = INFINITY;
    for (int p = 0; p < w->n; p++)
        for (int b = 0; b < w->piece[p].nb; b++)
            for (int a = 0; a < w->piece[p].na; a++) {
                const struct an_face_place f = face_of(&w->piece[p], a, b);
                double d2 = 0;
                for (int c = 0; c < 3; c++)
                    d2 += (f.x[c] - x[c]) * (f.x[c] - x[c]);
                if (d2 < least && an_length(f.s) > 0) {
                    least = d2;
                    best = (struct hit){.piece = p, .a = a, .b = b};
                }
            }
    return best;
}

/* "FILE:LINE" or "FILE:LINE: hole N of the row". */
static const char *name_of(const struct an_hole_set *q, const struct an_hole_given *g,
                           char text[AN_PATH + 64])
{
    if (g->number)
        snprintf(text, AN_PATH + 64, "%s:%d: hole %d of the row", q->set->holes, g->line,
                 g->number);
    else
        snprintf(text, AN_PATH + 64, "%s:%d: the hole", q->set->holes, g->line);
    return text;
}

/* Foot, normal and direction of a hole from the face nearest to it. */
static int stand(const struct an_hole_set *q, const struct wall *w, struct an_hole *h,
                 const struct hit *at)
{
    const struct an_hole_given *g = h->set;
    const struct piece *p = &w->piece[at->piece];
    const struct an_face_place f = face_of(p, at->a, at->b);
    const double area = an_length(f.s);
    char name[AN_PATH + 64];
    double x[4][3], away[3], size = 0, off = 0, part[3], length;
    corners(p, at->a, at->b, x);
    for (int c = 0; c < 3; c++) {
        h->normal[c] = -f.s[c] / area;
        away[c] = g->x[c] - f.x[c];
    }
    const double high = dot(away, h->normal);
    for (int n = 0; n < 4; n++) {
        const double d[3] = {x[n][0] - f.x[0], x[n][1] - f.x[1], x[n][2] - f.x[2]};
        size = fmax(size, an_length(d));
    }
    for (int c = 0; c < 3; c++) {
        h->foot[c] = g->x[c] - high * h->normal[c];
        off += (away[c] - high * h->normal[c]) * (away[c] - high * h->normal[c]);
    }
    off = fmax(0, sqrt(off) - size);
    AN_CHECK(fabs(high) <= 0.5 * g->diameter && off <= 0.5 * g->diameter, AN_INPUT,
             "%s at (%.6g, %.6g, %.6g) m is %.4g m away from the wall '%s', more than its radius "
             "of %.4g m",
             name_of(q, g, name), g->x[0], g->x[1], g->x[2], hypot(high, off), q->set->name,
             0.5 * g->diameter);
    const double up = dot(g->along, h->normal);
    for (int c = 0; c < 3; c++)
        part[c] = g->along[c] - up * h->normal[c];
    length = an_length(part);
    AN_CHECK(length > 0.05 * an_length(g->along), AN_INPUT,
             "%s at (%.6g, %.6g, %.6g) m: the direction (%g, %g, %g) of along_x, along_y, along_z "
             "is normal to the "
             "wall there, so the jet would go into the wall or out of it; give one along the wall",
             name_of(q, g, name), g->x[0], g->x[1], g->x[2], g->along[0], g->along[1], g->along[2]);
    for (int c = 0; c < 3; c++) {
        const int y = (c + 1) % 3, z = (c + 2) % 3;
        const double side = (h->normal[y] * part[z] - h->normal[z] * part[y]) / length;
        h->along[c] = cos(g->beta) * part[c] / length + sin(g->beta) * side;
    }
    h->wall[0] = 0;
    h->wall[1] = -p->omega * h->foot[2];
    h->wall[2] = p->omega * h->foot[1];
    return AN_OK;
}

static int add_hit(struct hits *list, const struct hit *hit)
{
    if (list->n == list->room) {
        list->room = list->room ? 2 * list->room : 64;
        struct hit *more = realloc(list->hit, (size_t)list->room * sizeof *more);
        AN_CHECK(more, AN_FAIL, "out of memory for holes");
        list->hit = more;
    }
    list->hit[list->n++] = *hit;
    return AN_OK;
}

/* The part of a face within the footprint, by points of it. */
static double covered(const struct an_hole *h, const double x[4][3], const struct an_face_place *f)
{
    enum { LEAST = 8, MOST = 64 };
    const double size = sqrt(an_length(f->s)) / h->set->diameter;
    const int POINTS = (int)fmin(MOST, fmax(LEAST, ceil(LEAST * size)));
    double side[3];
    int in = 0;
    for (int c = 0; c < 3; c++) {
        const int y = (c + 1) % 3, z = (c + 2) % 3;
        side[c] = h->normal[y] * h->along[z] - h->normal[z] * h->along[y];
    }
    if (!(-dot(f->s, h->normal) > 0.2 * an_length(f->s)))
        return 0; /* the other side of a thin wall */
    for (int m = 0; m < POINTS * POINTS; m++) {
        const double a = (m % POINTS + 0.5) / POINTS;
        const int row = m / POINTS;
        const double b = (row + 0.5) / POINTS;
        double d[3];
        for (int c = 0; c < 3; c++)
            d[c] = (1 - b) * ((1 - a) * x[0][c] + a * x[1][c]) +
                   b * ((1 - a) * x[2][c] + a * x[3][c]) - h->foot[c];
        const double s = dot(d, h->along) / h->exit.half[0], r = dot(d, side) / h->exit.half[1];
        in += s * s + r * r <= 1 && fabs(dot(d, h->normal)) <= h->set->diameter;
    }
    return (double)in / (POINTS * POINTS);
}

/* Part of a hole that lies on the wall, from the area that its footprint covers there over the whole one. The points of the faces
 * tell it to some percent, so that wholes and halves are taken as such. */
static double part_of(double covered_area)
{
    if (covered_area == 0 || covered_area > 0.9)
        return 1;
    return fabs(covered_area - 0.5) < 0.05 ? 0.5 : covered_area;
}

/* Faces that the footprint covers; where it falls between all points, the nearest one. */
static int find_hits(const struct wall *w, struct an_hole *h, const struct hit *at,
                     struct hits *list)
{
    const double reach = fmax(h->exit.half[0], h->exit.half[1]);
    list->n = 0;
    for (int p = 0; p < w->n; p++)
        for (int b = 0; b < w->piece[p].nb; b++)
            for (int a = 0; a < w->piece[p].na; a++) {
                double x[4][3];
                corners(&w->piece[p], a, b, x);
                double size = 0, d2 = 0;
                for (int c = 0; c < 3; c++) {
                    const double low = fmin(fmin(x[0][c], x[1][c]), fmin(x[2][c], x[3][c])),
                                 high = fmax(fmax(x[0][c], x[1][c]), fmax(x[2][c], x[3][c]));
                    const double d = fmax(0, fmax(low - h->foot[c], h->foot[c] - high));
                    size += (high - low) * (high - low);
                    d2 += d * d;
                }
                if (d2 > reach * reach)
                    continue;
                const struct an_face_place f = face_of(&w->piece[p], a, b);
                const double part = covered(h, (const double(*)[3])x, &f);
                if (part > 0)
                    AN_TRY(add_hit(list, &(struct hit){p, a, b, part * an_length(f.s)}));
            }
    const struct an_face_place f = face_of(&w->piece[at->piece], at->a, at->b);
    const double area = an_length(f.s);
    double all = 0;
    for (int n = 0; n < list->n; n++)
        all += list->hit[n].area;
    h->across = h->set->diameter / sqrt(area);
    h->part = part_of(all / (acos(-1.0) * h->exit.half[0] * h->exit.half[1]));
    if (!list->n)
        AN_TRY(add_hit(list, &(struct hit){at->piece, at->a, at->b, area}));
    return AN_OK;
}

/* ---- columns of cells ---- */

/* Adds a cell of the zone where this rank has it; *element: its place, -1 elsewhere. */
static void find_element(const struct an_solver *s, int zone, const int c[3], int64_t *element)
{
    const struct an_partition *p = &s->level->partition;
    *element = -1;
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_piece *q = &p->piece[s->local[b]];
        int in = q->zone == zone;
        for (int d = 0; d < 3; d++)
            in &= c[d] >= q->lo[d] && c[d] < q->hi[d];
        if (in)
            *element = an_element(&s->level->layout.block[b], c[0] - q->lo[0], c[1] - q->lo[1],
                                  c[2] - q->lo[2]);
    }
}

static int add_cell(struct an_hole_set *q, int64_t *room, const struct an_hole_cell *cell)
{
    if (q->ncell == *room) {
        *room = *room ? 2 * *room : 1024;
        struct an_hole_cell *more = realloc(q->cell, (size_t)*room * sizeof *more);
        AN_CHECK(more, AN_FAIL, "out of memory for holes");
        q->cell = more;
    }
    q->cell[q->ncell++] = *cell;
    return AN_OK;
}

/* Heights over a face of the layers of nodes, y[n + 1], from the nodes of its column, which lie in a box. */
static void heights(const struct an_window *w, int n, const double *x, const int lo[3],
                    const int m[3], const int face[2], double *y)
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int64_t stride[3] = {1, m[0], (int64_t)m[0] * m[1]}, all = stride[2] * m[2];
    double last[3] = {0, 0, 0};
    for (int l = 0; l <= n; l++) {
        double centre[3], d[3];
        const int layer = (w->side ? n - l : l);
        const int64_t at = layer * stride[w->dir] + (face[0] - lo[da]) * stride[da] +
                           (face[1] - lo[db]) * stride[db];
        for (int c = 0; c < 3; c++) {
            const double *v = x + c * all + at;
            centre[c] =
                0.25 * ((v[0] + v[stride[da]]) + (v[stride[db]] + v[stride[da] + stride[db]]));
            d[c] = centre[c] - last[c];
            last[c] = centre[c];
        }
        y[l] = l ? y[l - 1] + an_length(d) : 0;
    }
}

/* Cells of the column over a hit, as far as `reach` over the wall. watch: find the cell of the stream. */
static int add_column(struct an_solver *s, struct an_hole_set *q, struct an_hole *h,
                      const struct piece *p, const int face[2], const double *y, double share,
                      int watch, int64_t *room)
{
    enum { REACH = 5 }; /* diameters: the gas enters below */
    const struct an_window *w = &p->window;
    const int n = s->mesh->topology.block[w->block].n[w->dir];
    const double reach = REACH * fmax(h->exit.height, h->set->diameter);
    int c[3], end = n, seen = 0;
    c[(w->dir + 1) % 3] = face[0];
    c[(w->dir + 2) % 3] = face[1];
    for (int l = 0; l < n; l++)
        if (y[l] > reach && end == n)
            end = l;
    for (int l = 0; l < n; l++) {
        struct an_hole_cell cell = {.share = share, .low = y[l], .high = y[l + 1], .top = y[end]};
        const int here =
            watch && !seen &&
            (l == n - 1 || 0.5 * (y[l] + y[l + 1]) >= AN_HOLE_WATCH * h->set->diameter);
        if (l >= end && !here)
            continue;
        c[w->dir] = w->side ? n - 1 - l : l;
        find_element(s, w->block, c, &cell.at);
        if (here)
            h->watch = cell.at;
        seen |= here;
        if (cell.at >= 0 && l < end && share > 0) {
            AN_TRY(add_cell(q, room, &cell));
            h->n++;
        }
    }
    return AN_OK;
}

/* The columns over the faces of one patch. */
static int add_columns(struct an_solver *s, struct an_hole_set *q, struct an_hole *h,
                       const struct wall *w, int piece, const struct hits *list,
                       const struct hit *at, int64_t *room)
{
    const struct piece *p = &w->piece[piece];
    const int dir = p->window.dir, da = (dir + 1) % 3, db = (dir + 2) % 3;
    const int n = s->mesh->topology.block[p->window.block].n[dir];
    int lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0}, m[3], some = 0;
    double total = 0;
    for (int k = 0; k < list->n; k++)
        total += list->hit[k].area;
    for (int k = -1; k < list->n; k++) { /* the face below the hole's centre too */
        const struct hit *t = k < 0 ? at : &list->hit[k];
        const int a = p->window.lo[da] + t->a, b = p->window.lo[db] + t->b;
        if (t->piece != piece)
            continue;
        lo[da] = some && lo[da] < a ? lo[da] : a;
        lo[db] = some && lo[db] < b ? lo[db] : b;
        hi[da] = some && hi[da] > a + 2 ? hi[da] : a + 2;
        hi[db] = some && hi[db] > b + 2 ? hi[db] : b + 2;
        some = 1;
    }
    if (!some)
        return AN_OK;
    hi[dir] = n + 1;
    for (int d = 0; d < 3; d++)
        m[d] = hi[d] - lo[d];
    double *x = malloc((size_t)m[0] * (size_t)m[1] * (size_t)m[2] * 3 * sizeof *x);
    double *y = malloc(((size_t)n + 1) * sizeof *y);
    int status = x && y ? an_mesh_read_nodes(s->mesh, p->window.block, lo, hi, x)
                        : an_error_set(AN_FAIL, "out of memory for holes");
    for (int k = -1; k < list->n && status == AN_OK; k++) {
        const struct hit *t = k < 0 ? at : &list->hit[k];
        const int face[2] = {p->window.lo[da] + t->a, p->window.lo[db] + t->b};
        if (t->piece != piece)
            continue;
        heights(&p->window, n, x, lo, m, face, y);
        status = add_column(s, q, h, p, face, y, k < 0 ? 0 : t->area / total, k < 0, room);
    }
    free(x);
    free(y);
    return status;
}

/* Longest edge of the box around the wall, m. */
static double length_of(const struct wall *w)
{
    double most = 0;
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        for (int p = 0; p < w->n; p++) {
            const int64_t all = ((int64_t)w->piece[p].na + 1) * (w->piece[p].nb + 1);
            for (int64_t n = 0; n < all; n++) {
                low = fmin(low, w->piece[p].x[c * all + n]);
                high = fmax(high, w->piece[p].x[c * all + n]);
            }
        }
        most = fmax(most, high - low);
    }
    return most;
}

/* No two holes overlap. */
static int keep_apart(const struct an_hole_set *q)
{
    for (int n = 0; n < q->list.n; n++)
        for (int m = 0; m < n; m++) {
            const struct an_hole_given *a = q->hole[m].set, *b = q->hole[n].set;
            const double d[3] = {q->hole[n].foot[0] - q->hole[m].foot[0],
                                 q->hole[n].foot[1] - q->hole[m].foot[1],
                                 q->hole[n].foot[2] - q->hole[m].foot[2]};
            char name[AN_PATH + 64];
            AN_CHECK(an_length(d) >= 0.499 * (a->diameter + b->diameter), AN_INPUT,
                     "%s overlaps a hole of line %d: their centres are %.4g m apart, their "
                     "diameters %.4g and %.4g m",
                     name_of(q, b, name), a->line, an_length(d), b->diameter, a->diameter);
        }
    return AN_OK;
}

static int place_all(struct an_solver *s, struct an_hole_set *q, const struct wall *w,
                     struct hits *list, int *zone)
{
    int64_t room = 0;
    char name[AN_PATH + 64];
    const double longest = length_of(w);
    AN_CHECK(w->n, AN_INPUT, "'boundaries.%s.holes': the mesh has no such wall", q->set->name);
    *zone = w->piece[0].window.block;
    for (int n = 0; n < q->list.n; n++) {
        struct an_hole *h = &q->hole[n];
        AN_CHECK(h->set->diameter <= longest, AN_INPUT,
                 "%s has a diameter of %.4g m, but the wall '%s' is only %.4g m long",
                 name_of(q, h->set, name), h->set->diameter, q->set->name, longest);
        const struct hit at = nearest(w, h->set->x);
        AN_CHECK(at.piece >= 0, AN_INPUT, "boundary '%s' has no area", q->set->name);
        AN_TRY(stand(q, w, h, &at));
        AN_TRY(find_hits(w, h, &at, list));
        h->watch = -1;
        h->first = q->ncell;
        for (int p = 0; p < w->n; p++)
            AN_TRY(add_columns(s, q, h, w, p, list, &at, &room));
        if (w->piece[at.piece].window.block < *zone || n == 0)
            *zone = w->piece[at.piece].window.block;
    }
    return keep_apart(q);
}

int an_holes_place(struct an_solver *s, struct an_hole_set *q, int *zone)
{
    struct wall w = {0};
    struct hits list = {0};
    int status = read_wall(s, q->set, &w);
    if (status == AN_OK)
        status = place_all(s, q, &w, &list, zone);
    for (int p = 0; p < w.n; p++)
        free(w.piece[p].x);
    free(w.piece);
    free(list.hit);
    return status;
}
