/* Boundary conditions: BC_t and the families they name. */
#include <stdlib.h>
#include <string.h>

#include "io/cgns_names.h"
#include "io/mesh_internal.h"

static int is_degenerate(CGNS_ENUMT(BCType_t) type)
{
    return type == CGNS_ENUMV(BCDegenerateLine) || type == CGNS_ENUMV(BCDegeneratePoint);
}

/* The BCType_t that a node names; BCTypeNull where CGNS has none of that name, and *text has it. */
static CGNS_ENUMT(BCType_t) type_of(const struct an_cgns_node *node, char text[AN_NAME])
{
    const int type = an_cgns_word(node, BCTypeName, NofValidBCTypes);
    an_cgns_text(node, text, AN_NAME);
    return type < 0 ? CGNS_ENUMV(BCTypeNull) : (CGNS_ENUMT(BCType_t))type;
}

static int place(struct an_mesh_reader *r, int zone, const struct an_cgns_node *bc,
                 struct an_window *w)
{
    const int *n = r->m->topology.block[zone].n, dim = r->m->index_dim;
    const char *where = an_mesh_where(r, zone, bc->name);
    const struct an_mesh_points p = an_mesh_points_of(r->m, bc);
    int64_t points[6] = {0}, begin[3], end[3];
    w->block = zone;
    if (!p.is_range || !p.count || p.location < 0)
        return an_mesh_point_rectangle(r, where, zone, &p, w);
    if (!an_cgns_integers(p.node, 2 * dim, points)) {
        an_mesh_wrong_numbers(r, where, p.node, 2 * dim);
        return 0;
    }
    an_mesh_range_corners(r->m, points, begin, end);
    if (!an_mesh_centres_to_vertices(n, (CGNS_ENUMT(GridLocation_t))p.location, begin, end,
                                     r->m->dimension)) {
        an_diag_error(r->diag, where, "the boundary condition at %s is on no face of the zone",
                      GridLocationName[p.location]);
        return 0;
    }
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
            (long long)points[0], (long long)points[1], dim == 3 ? (long long)points[2] : 1LL,
            (long long)points[dim], (long long)points[dim + 1],
            dim == 3 ? (long long)points[5] : 1LL,
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

/* The type that a condition of the file has here; *unknown: the name that CGNS has not. path: of its family. */
static CGNS_ENUMT(BCType_t) condition(const struct an_mesh_reader *r, const struct an_cgns_node *bc,
                                      const char *path, char unknown[AN_NAME])
{
    CGNS_ENUMT(BCType_t) type = type_of(bc, unknown);
    if (type == CGNS_ENUMV(FamilySpecified) && *path)
        type = type_of(an_mesh_family_child(r, an_mesh_family(r, path), "FamilyBC_t"), unknown);
    if (type != CGNS_ENUMV(BCTypeNull) || !strcmp(unknown, "Null"))
        *unknown = '\0';
    return type;
}

static int read_boco(struct an_mesh_reader *r, int zone, const struct an_cgns_node *bc)
{
    char path[1024], family[1100], unknown[AN_NAME];
    struct an_window w;
    if (!place(r, zone, bc, &w))
        return AN_OK;
    an_cgns_text(an_cgns_child(bc, "FamilyName_t", NULL), path, sizeof path);
    if (!strcmp(path, "Null") && !an_mesh_family(r, path))
        *path = '\0'; /* what pyCGNS writes where there is no family */
    an_mesh_family_name(r, path, family, sizeof family);
    const CGNS_ENUMT(BCType_t) type = condition(r, bc, path, unknown);
    if (strlen(family) >= AN_NAME) {
        an_diag_error(r->diag, an_mesh_where(r, zone, bc->name),
                      "the family name '%.60s' is too long", family);
        return AN_OK;
    }
    if (*unknown)
        an_diag_warning(r->diag, an_mesh_where(r, zone, bc->name),
                        "the type '%s' of the condition is not known: it is left to the case file",
                        unknown);
    if (is_degenerate(type) && has_area(r, &w)) {
        an_diag_error(r->diag, an_mesh_where(r, zone, bc->name), "%s on face %s, which has an area",
                      BCTypeName[type], an_face_name(w.dir, w.side));
        return AN_OK;
    }
    if (an_cgns_child(bc, "BCDataSet_t", NULL))
        an_diag_warning(r->diag, an_mesh_where(r, zone, bc->name),
                        "its BCDataSet is not read: values of boundaries stand in the case file");
    int boundary = an_mesh_boundary(r, zone, *family ? family : bc->name,
                                    an_cgns_bc_type_from((int)type), *family != '\0');
    AN_CHECK(boundary >= 0, AN_FAIL, "out of memory for the boundaries");
    return an_mesh_add_patch(r, &w, boundary);
}

int an_mesh_read_bocos(struct an_mesh_reader *r, int zone)
{
    const struct an_cgns_node *list = an_cgns_child(r->zone[zone], "ZoneBC_t", NULL);
    for (const struct an_cgns_node *bc = an_cgns_child(list, "BC_t", NULL); bc;
         bc = an_cgns_next(bc))
        AN_TRY(read_boco(r, zone, bc));
    return AN_OK;
}
