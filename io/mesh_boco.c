/* Boundary conditions: BC_t and the families they name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/cgns_names.h"
#include "io/mesh_internal.h"

static int is_degenerate(CGNS_ENUMT(BCType_t) type)
{
    return type == CGNS_ENUMV(BCDegenerateLine) || type == CGNS_ENUMV(BCDegeneratePoint);
}

/* The condition of a family; BCTypeNull when the file has none. */
static CGNS_ENUMT(BCType_t) family_type(struct an_mesh_reader *r, const char *family)
{
    int count = 0;
    if (cg_nfamilies(r->fn, r->base, &count) != CG_OK)
        return CGNS_ENUMV(BCTypeNull);
    for (int f = 1; f <= count; f++) {
        char name[1024], condition[1024];
        int nbc = 0, ngeo = 0;
        CGNS_ENUMT(BCType_t) type;
        if (cg_family_read(r->fn, r->base, f, name, &nbc, &ngeo) == CG_OK &&
            strcmp(name, family) == 0 && nbc > 0 &&
            cg_fambc_read(r->fn, r->base, f, 1, condition, &type) == CG_OK)
            return type;
    }
    return CGNS_ENUMV(BCTypeNull);
}

int an_mesh_centres_to_vertices(const int n[3], CGNS_ENUMT(GridLocation_t) location,
                                cgsize_t begin[3], cgsize_t end[3], int dimension)
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

static int place(struct an_mesh_reader *r, int zone, int bc, const char *name, struct an_window *w,
                 CGNS_ENUMT(PointSetType_t) set, cgsize_t npoint)
{
    const int *n = r->m->topology.block[zone].n;
    const char *where = an_mesh_where(r, zone, name);
    CGNS_ENUMT(GridLocation_t) location = CGNS_ENUMV(Vertex);
    cgsize_t points[6] = {0}, begin[3], end[3];
    if (set != CGNS_ENUMV(PointRange) || npoint != 2) {
        an_diag_error(r->diag, where,
                      "the boundary condition is given by %s; only a PointRange can be used",
                      cg_PointSetTypeName(set));
        return 0;
    }
    if (cg_boco_read(r->fn, r->base, zone + 1, bc, points, NULL) != CG_OK ||
        cg_boco_gridlocation_read(r->fn, r->base, zone + 1, bc, &location) != CG_OK) {
        an_mesh_library_error(r, where, "reading the boundary condition");
        return 0;
    }
    an_mesh_range_corners(r->m, points, begin, end);
    if (!an_mesh_centres_to_vertices(n, location, begin, end, r->m->dimension)) {
        an_diag_error(r->diag, where, "the boundary condition at %s is on no face of the zone",
                      cg_GridLocationName(location));
        return 0;
    }
    w->block = zone;
    int constant = an_mesh_face_of_range(n, begin, end, w);
    if (constant == 1)
        return 1;
    if (constant == 0 && r->m->dimension == 2)
        an_diag_warning(r->diag, where, "left out: a condition on the plane of a 2-D mesh");
    else if (constant > 1)
        an_diag_warning(r->diag, where, "left out: the range is %s, not a part of a face",
                        constant == 2 ? "an edge" : "a point");
    else
        an_diag_error(
            r->diag, where,
            "the range [%lld,%lld,%lld] to [%lld,%lld,%lld] %s; the zone has %d x %d x %d "
            "vertices",
            (long long)points[0], (long long)points[1],
            r->m->index_dim == 3 ? (long long)points[2] : 1LL, (long long)points[r->m->index_dim],
            (long long)points[r->m->index_dim + 1],
            r->m->index_dim == 3 ? (long long)points[5] : 1LL,
            constant == -1   ? "lies outside the zone"
            : constant == -2 ? "is a plane inside the zone"
                             : "is a volume",
            n[0] + 1, n[1] + 1, n[2] + 1);
    return 0;
}

/* A condition for collapsed faces must stand on one: no quad of the window has an area. */
static int has_area(struct an_mesh_reader *r, const struct an_window *w)
{
    int lo[3], hi[3], area = 0;
    for (int a = 0; a < 3; a++) {
        int at = w->side ? r->m->topology.block[w->block].n[a] : 0;
        lo[a] = a == w->dir ? at : w->lo[a];
        hi[a] = a == w->dir ? at + 1 : w->hi[a] + 1;
    }
    int u = w->dir == 0 ? 1 : 0, ni = hi[u] - lo[u];
    size_t count = (size_t)(hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]);
    double *x = malloc(3 * count * sizeof *x), extent = 0, largest = 0;
    if (!x || an_mesh_read_nodes(r->m, w->block, lo, hi, x) != AN_OK) {
        free(x);
        return 1;
    }
    for (int a = 0; a < 3; a++)
        for (size_t v = 1; v < count; v++) {
            double d = x[a * count + v] - x[a * count];
            extent += d * d;
        }
    for (size_t v = 0; v + (size_t)ni + 1 < count; v++) {
        if ((int)(v % (size_t)ni) == ni - 1)
            continue;
        double p[3], q[3], s = 0;
        for (int a = 0; a < 3; a++) { /* diagonals */
            p[a] = x[a * count + v + (size_t)ni + 1] - x[a * count + v];
            q[a] = x[a * count + v + (size_t)ni] - x[a * count + v + 1];
        }
        for (int a = 0; a < 3; a++) {
            double c = p[(a + 1) % 3] * q[(a + 2) % 3] - p[(a + 2) % 3] * q[(a + 1) % 3];
            s += c * c;
        }
        largest = s > largest ? s : largest;
    }
    area = largest > 1e-20 * extent * extent;
    free(x);
    return area;
}

static int read_boco(struct an_mesh_reader *r, int zone, int bc)
{
    char name[AN_NAME] = "?", path[1024] = "";
    CGNS_ENUMT(BCType_t) type;
    CGNS_ENUMT(PointSetType_t) set;
    CGNS_ENUMT(DataType_t) normal_type;
    cgsize_t npoint = 0, normals = 0;
    int normal[3], datasets;
    if (cg_boco_info(r->fn, r->base, zone + 1, bc, name, &type, &set, &npoint, normal, &normals,
                     &normal_type, &datasets) != CG_OK)
        return an_mesh_library_error(r, an_mesh_where(r, zone, NULL),
                                     "reading a boundary condition");
    struct an_window w;
    if (!place(r, zone, bc, name, &w, set, npoint))
        return AN_OK;
    const char *family = NULL;
    if (cg_goto(r->fn, r->base, "Zone_t", zone + 1, "ZoneBC_t", 1, "BC_t", bc, "end") == CG_OK &&
        cg_famname_read(path) == CG_OK) {
        family = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
        if (type == CGNS_ENUMV(FamilySpecified))
            type = family_type(r, family);
    }
    if (family && strlen(family) >= AN_NAME) {
        an_diag_error(r->diag, an_mesh_where(r, zone, name), "the family name '%.60s' is too long",
                      family);
        return AN_OK;
    }
    if (is_degenerate(type) && has_area(r, &w)) {
        an_diag_error(r->diag, an_mesh_where(r, zone, name), "%s on face %s, which has an area",
                      cg_BCTypeName(type), an_face_name(w.dir, w.side));
        return AN_OK;
    }
    if (datasets > 0)
        an_diag_warning(r->diag, an_mesh_where(r, zone, name),
                        "its BCDataSet is not read: values of boundaries stand in the case file");
    int boundary = an_mesh_boundary(r, zone, family ? family : name, an_cgns_bc_type_from(type),
                                    family != NULL);
    AN_CHECK(boundary >= 0, AN_FAIL, "out of memory for the boundaries");
    return an_mesh_add_patch(r, &w, boundary);
}

int an_mesh_read_bocos(struct an_mesh_reader *r, int zone)
{
    int count = 0;
    if (cg_nbocos(r->fn, r->base, zone + 1, &count) != CG_OK)
        return an_mesh_library_error(r, an_mesh_where(r, zone, NULL),
                                     "reading its boundary conditions");
    for (int bc = 1; bc <= count; bc++)
        AN_TRY(read_boco(r, zone, bc));
    return AN_OK;
}
