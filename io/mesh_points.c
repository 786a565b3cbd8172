/* Points of conditions and connections: a range or a list, of vertices or of centres, as windows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh_internal.h"

/* The location of a condition or connection, Vertex where the file says none; -1: a word that CGNS has not. */
static int location_of(const struct an_cgns_node *node)
{
    const struct an_cgns_node *n = an_cgns_child(node, "GridLocation_t", NULL);
    return n ? an_cgns_word(n, GridLocationName, NofValidGridLocation) : CGNS_ENUMV(Vertex);
}

int an_mesh_centres_to_vertices(const int n[3], CGNS_ENUMT(GridLocation_t) location,
                                int64_t begin[3], int64_t end[3], int dimension)
{
    int dir = location == CGNS_ENUMV(IFaceCenter)   ? 0
              : location == CGNS_ENUMV(JFaceCenter) ? 1
              : location == CGNS_ENUMV(KFaceCenter) ? 2
                                                    : -1;
    int cells = location == CGNS_ENUMV(CellCenter), candidates = 0;
    if (location == CGNS_ENUMV(Vertex))
        return 1;
    if (dir < 0 && !cells && location != CGNS_ENUMV(FaceCenter) &&
        location != CGNS_ENUMV(EdgeCenter))
        return 0;
    for (int a = 0; a < dimension && dir < 0; a++)
        candidates |=
            begin[a] == end[a] && (begin[a] == 0 || begin[a] == n[a] - cells) ? 1 << a : 0;
    if (dir < 0) /* where two directions are constant, the one with more cells is the face's */
        for (int a = 0; a < dimension; a++)
            if ((candidates >> a & 1) && (dir < 0 || n[a] > n[dir]))
                dir = a;
    if (dir < 0)
        return 0;
    if (cells && begin[dir] == n[dir] - 1 && begin[dir] != 0)
        begin[dir] = end[dir] = n[dir];
    for (int a = 0; a < dimension; a++) {
        if (a == dir)
            continue;
        if (begin[a] <= end[a])
            end[a]++;
        else
            begin[a]++;
    }
    return 1;
}

struct an_mesh_points an_mesh_points_of(const struct an_mesh *m, const struct an_cgns_node *owner)
{
    static const struct {
        const char *label, *name;
        int is_range, elements;
    } kind[] = {{"IndexRange_t", "PointRange", 1, 0},
                {"IndexArray_t", "PointList", 0, 0},
                {"IndexRange_t", "ElementRange", 1, 1},
                {"IndexArray_t", "ElementList", 0, 1}};
    struct an_mesh_points p = {.location = location_of(owner)};
    for (size_t k = 0; k < sizeof kind / sizeof *kind && !p.node; k++) {
        p.node = an_cgns_child(owner, kind[k].label, kind[k].name);
        p.is_range = kind[k].is_range;
        if (p.node && kind[k].elements && !an_cgns_child(owner, "GridLocation_t", NULL))
            p.location = CGNS_ENUMV(FaceCenter);
    }
    if (p.node && p.node->count % m->index_dim == 0 && p.node->type[0] == 'I' &&
        (p.node->ndim < 2 || p.node->dim[0] == m->index_dim) &&
        (!p.is_range || p.node->count == 2 * m->index_dim))
        p.count = p.node->count / m->index_dim;
    return p;
}

/* Why points cannot be used at all; 0: they can. */
static int refuse(struct an_mesh_reader *r, const char *where, const struct an_mesh_points *p)
{
    if (!p->node)
        an_diag_error(r->diag, where, "names no points; give a PointRange");
    else if (p->location < 0)
        an_diag_error(r->diag, where, "its GridLocation is not one of CGNS");
    else if (p->count < 1 && strncmp(p->node->name, "Element", 7) == 0)
        an_diag_error(r->diag, where,
                      "%s numbers elements of unstructured zones; the faces of this zone are "
                      "given by a PointRange",
                      p->node->name);
    else if (p->count < 1 && p->is_range)
        an_mesh_wrong_numbers(r, where, p->node, 2 * r->m->index_dim);
    else if (p->count < 1)
        an_diag_error(r->diag, where,
                      "%s has %lld numbers of type %s, not %d for each point: the file is damaged",
                      p->node->name, (long long)p->node->count, p->node->type, r->m->index_dim);
    else
        return 0;
    return 1;
}

int an_mesh_rectangles(const int n[3], const struct an_window *face, int *mark, int value,
                       struct an_window **list, int *count)
{
    const int da = (face->dir + 1) % 3, db = (face->dir + 2) % 3, na = n[da], nb = n[db];
    for (int b = 0; b < nb; b++)
        for (int a = 0; a < na; a++) {
            int wide = 0, high = 1, whole = 1;
            while (a + wide < na && mark[b * na + a + wide] == value)
                wide++;
            if (!wide)
                continue;
            for (; b + high < nb && whole; high += whole)
                for (int c = 0; c < wide; c++)
                    whole &= mark[(b + high) * na + a + c] == value;
            struct an_window *grown = realloc(*list, ((size_t)*count + 1) * sizeof *grown);
            AN_CHECK(grown, AN_FAIL, "out of memory for the interfaces");
            *list = grown;
            struct an_window *w = &grown[(*count)++];
            *w = (struct an_window){.block = face->block, .dir = face->dir, .side = face->side};
            w->lo[da] = a;
            w->hi[da] = a + wide;
            w->lo[db] = b;
            w->hi[db] = b + high;
            for (int y = b; y < b + high; y++)
                for (int x = a; x < a + wide; x++)
                    mark[y * na + x] = -1;
        }
    return AN_OK;
}

/* A range: one window. */
static int range(struct an_mesh_reader *r, const char *where, const int64_t *points,
                 CGNS_ENUMT(GridLocation_t) location, struct an_mesh_abut *a)
{
    const int *n = r->m->topology.block[a->zone].n;
    int64_t begin[3], end[3];
    struct an_window w = {.block = a->zone};
    an_mesh_range_corners(r->m, points, begin, end);
    const int useful = an_mesh_centres_to_vertices(n, location, begin, end, r->m->dimension);
    const int constant = useful ? an_mesh_face_of_range(n, begin, end, &w) : 0;
    if (!useful || constant != 1) {
        an_diag_error(r->diag, where,
                      "the range [%lld,%lld,%lld] to [%lld,%lld,%lld] at %s %s the zone of %d x %d "
                      "x %d vertices",
                      (long long)begin[0] + 1, (long long)begin[1] + 1, (long long)begin[2] + 1,
                      (long long)end[0] + 1, (long long)end[1] + 1, (long long)end[2] + 1,
                      GridLocationName[location],
                      constant == -1 ? "lies outside" : "is no part of a face of", n[0] + 1,
                      n[1] + 1, n[2] + 1);
        return 0;
    }
    a->window = malloc(sizeof *a->window);
    if (!a->window)
        return 0;
    a->window[0] = w;
    a->nwindow = 1;
    return 1;
}

/* Index from 0 of point p in direction d. */
static int64_t index_of(const struct an_mesh *m, const int64_t *points, int64_t p, int d)
{
    return d < m->index_dim ? points[p * m->index_dim + d] - 1 : 0;
}

/* The plane that all points of a list lie in; cells: how far the upper plane of indices lies below that
 * of vertices. Of several, the direction with more cells of the zone. */
static int plane_of_list(const struct an_mesh *m, const int n[3], const int64_t *points,
                         int64_t npoint, int only, int cells, struct an_window *w)
{
    int found = 0;
    for (int d = 0; d < m->dimension; d++)
        for (int side = 0; side < 2 && (only < 0 || only == d); side++) {
            int all = 1;
            for (int64_t p = 0; p < npoint && all; p++)
                all = index_of(m, points, p, d) == (side ? n[d] - cells : 0);
            if (!all || (found && n[d] <= n[w->dir]))
                continue;
            w->dir = d;
            w->side = side;
            found = 1;
        }
    return found;
}

/* Marks the cells of the face that a list names: those with all four vertices, or those it counts.
 * *distinct: how many different points there are. Returns how many cells, -1 where a point lies outside. */
static int64_t mark_cells(const struct an_mesh *m, const int n[3], const int64_t *points,
                          int64_t npoint, int vertices, const struct an_window *w, int *mark,
                          int64_t *distinct)
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int na = n[da] + vertices, nb = n[db] + vertices;
    int64_t marked = 0;
    *distinct = 0;
    for (int64_t p = 0; p < npoint; p++) {
        const int64_t a = index_of(m, points, p, da), b = index_of(m, points, p, db);
        if (a < 0 || a >= na || b < 0 || b >= nb)
            return -1;
        const int both = vertices && m->dimension == 2; /* the other end of the span, too */
        *distinct += mark[b * na + a] ? 0 : 1 + both;
        mark[b * na + a] = 1;
        if (both)
            mark[da == 2 ? b * na + 1 : na + a] = 1;
    }
    for (int b = 0; b < n[db]; b++) /* in place: a cell lies before its vertices */
        for (int a = 0; a < n[da]; a++) {
            const int *v = mark + b * na + a;
            const int is = vertices ? v[0] && v[1] && v[na] && v[na + 1] : v[0];
            mark[b * n[da] + a] = is;
            marked += is;
        }
    return marked;
}

/* A list: the rectangles of the face that it fills, and the number of its different points. */
static int list(struct an_mesh_reader *r, const char *where, const struct an_mesh_points *p,
                const int64_t *points, struct an_mesh_abut *a, int64_t *distinct)
{
    const int *n = r->m->topology.block[a->zone].n, location = p->location;
    const int only = location == CGNS_ENUMV(IFaceCenter)   ? 0
                     : location == CGNS_ENUMV(JFaceCenter) ? 1
                     : location == CGNS_ENUMV(KFaceCenter) ? 2
                                                           : -1;
    const int vertices = location == CGNS_ENUMV(Vertex);
    struct an_window w = {.block = a->zone};
    if (!plane_of_list(r->m, n, points, p->count, only, location == CGNS_ENUMV(CellCenter), &w)) {
        an_diag_error(r->diag, where, "the %lld points of its %s lie on no face of the zone",
                      (long long)p->count, p->node->name);
        return 0;
    }
    const size_t size = ((size_t)n[(w.dir + 1) % 3] + 1) * ((size_t)n[(w.dir + 2) % 3] + 1);
    int *mark = calloc(size, sizeof *mark);
    const int64_t marked =
        mark ? mark_cells(r->m, n, points, p->count, vertices, &w, mark, distinct) : 0;
    if (mark && marked <= 0)
        an_diag_error(r->diag, where,
                      marked < 0 ? "its %s has points outside the zone"
                                 : "no face of the zone has all its four vertices in the %s",
                      p->node->name);
    const int status =
        marked > 0 ? an_mesh_rectangles(n, &w, mark, 1, &a->window, &a->nwindow) : AN_INPUT;
    free(mark);
    return status == AN_OK;
}

/* The numbers of the points; NULL, with a message, where there are none. */
static int64_t *read_points(struct an_mesh_reader *r, const char *where,
                            const struct an_mesh_points *p)
{
    if (refuse(r, where, p))
        return NULL;
    const int64_t numbers = p->count * r->m->index_dim;
    int64_t *points = malloc((size_t)numbers * sizeof *points);
    if (points && an_cgns_integers(p->node, numbers, points))
        return points;
    free(points);
    an_diag_error(r->diag, where, "its %s cannot be read", p->node->name);
    return NULL;
}

int an_mesh_point_set(struct an_mesh_reader *r, const struct an_mesh_points *p,
                      struct an_mesh_abut *a)
{
    char where[1200];
    int64_t distinct;
    strcpy(where, an_mesh_where(r, a->zone, a->name));
    int64_t *points = read_points(r, where, p);
    const int good =
        points && (p->is_range ? range(r, where, points, (CGNS_ENUMT(GridLocation_t))p->location, a)
                               : list(r, where, p, points, a, &distinct));
    free(points);
    return good;
}

int an_mesh_point_rectangle(struct an_mesh_reader *r, const char *name, int zone,
                            const struct an_mesh_points *p, struct an_window *w)
{
    char where[1200];
    int64_t distinct = 0, want = 1;
    struct an_mesh_abut a = {.zone = zone};
    snprintf(where, sizeof where, "%s", name);
    int64_t *points = read_points(r, where, p);
    int good = points && list(r, where, p, points, &a, &distinct);
    for (int d = 0; d < 3 && good; d++)
        if (d != a.window->dir)
            want *= a.window->hi[d] - a.window->lo[d] + (p->location == CGNS_ENUMV(Vertex));
    if (good && (a.nwindow != 1 || distinct != want)) {
        an_diag_error(
            r->diag, where,
            "the %lld points of its %s fill no rectangle of a face: give a PointRange for "
            "each rectangle",
            (long long)p->count, p->node->name);
        good = 0;
    }
    if (good)
        *w = *a.window;
    free(a.window);
    free(points);
    return good;
}
