/* Point sets of abutting connections: a range or a list, of vertices or of centres, as windows. */
#include <stdlib.h>
#include <string.h>

#include "io/mesh_internal.h"

#define MANY ((cgsize_t)1 << 28) /* more points than this are damage */

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
static int range(struct an_mesh_reader *r, const char *where, const cgsize_t *points,
                 CGNS_ENUMT(GridLocation_t) location, struct an_mesh_abut *a)
{
    const int *n = r->m->topology.block[a->zone].n;
    cgsize_t begin[3], end[3];
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
                      cg_GridLocationName(location),
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
static cgsize_t index_of(const struct an_mesh *m, const cgsize_t *points, cgsize_t p, int d)
{
    return d < m->index_dim ? points[p * m->index_dim + d] - 1 : 0;
}

/* The plane that all points of a list lie in; cells: how far the upper plane of indices lies below that
 * of vertices. Of several, the direction with more cells of the zone. */
static int plane_of_list(const struct an_mesh *m, const int n[3], const cgsize_t *points,
                         cgsize_t npoint, int only, int cells, struct an_window *w)
{
    int found = 0;
    for (int d = 0; d < m->dimension; d++)
        for (int side = 0; side < 2 && (only < 0 || only == d); side++) {
            int all = 1;
            for (cgsize_t p = 0; p < npoint && all; p++)
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
 * Returns how many, -1 where a point lies outside. */
static int64_t mark_cells(const struct an_mesh *m, const int n[3], const cgsize_t *points,
                          cgsize_t npoint, int vertices, const struct an_window *w, int *mark)
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int na = n[da] + vertices, nb = n[db] + vertices;
    int64_t marked = 0;
    for (cgsize_t p = 0; p < npoint; p++) {
        const cgsize_t a = index_of(m, points, p, da), b = index_of(m, points, p, db);
        if (a < 0 || a >= na || b < 0 || b >= nb)
            return -1;
        mark[b * na + a] = 1;
        if (vertices && m->dimension == 2) /* the other end of the span */
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

static int list(struct an_mesh_reader *r, const char *where, const cgsize_t *points,
                cgsize_t npoint, CGNS_ENUMT(GridLocation_t) location, struct an_mesh_abut *a)
{
    const int *n = r->m->topology.block[a->zone].n;
    const int only = location == CGNS_ENUMV(IFaceCenter)   ? 0
                     : location == CGNS_ENUMV(JFaceCenter) ? 1
                     : location == CGNS_ENUMV(KFaceCenter) ? 2
                                                           : -1;
    const int vertices = location == CGNS_ENUMV(Vertex);
    struct an_window w = {.block = a->zone};
    if (!plane_of_list(r->m, n, points, npoint, only, location == CGNS_ENUMV(CellCenter), &w)) {
        an_diag_error(r->diag, where, "the %lld points of its PointList lie on no face of the zone",
                      (long long)npoint);
        return 0;
    }
    const size_t size = ((size_t)n[(w.dir + 1) % 3] + 1) * ((size_t)n[(w.dir + 2) % 3] + 1);
    int *mark = calloc(size, sizeof *mark);
    const int64_t marked = mark ? mark_cells(r->m, n, points, npoint, vertices, &w, mark) : 0;
    if (mark && marked <= 0)
        an_diag_error(r->diag, where,
                      marked < 0
                          ? "its PointList has points outside the zone"
                          : "no face of the zone has all its four vertices in the PointList");
    const int status =
        marked > 0 ? an_mesh_rectangles(n, &w, mark, 1, &a->window, &a->nwindow) : AN_INPUT;
    free(mark);
    return status == AN_OK;
}

int an_mesh_point_set(struct an_mesh_reader *r, int number, CGNS_ENUMT(GridLocation_t) location,
                      CGNS_ENUMT(PointSetType_t) set, cgsize_t npoint, struct an_mesh_abut *a)
{
    char where[1200];
    strcpy(where, an_mesh_where(r, a->zone, a->name));
    const int is_range = set == CGNS_ENUMV(PointRange) && npoint == 2;
    if (!is_range && (set != CGNS_ENUMV(PointList) || npoint < 1 || npoint > MANY)) {
        an_diag_error(r->diag, where,
                      "the connection is given by %s of %lld points; a PointRange or a PointList "
                      "can be used",
                      cg_PointSetTypeName(set), (long long)npoint);
        return 0;
    }
    cgsize_t *points = calloc((size_t)npoint * 3, sizeof *points);
    int good = points != NULL;
    if (good && cg_conn_read_short(r->fn, r->base, a->zone + 1, number, points) != CG_OK) {
        an_mesh_library_error(r, where, "reading the points of the connection");
        good = 0;
    }
    if (good)
        good = is_range ? range(r, where, points, location, a)
                        : list(r, where, points, npoint, location, a);
    free(points);
    return good;
}
