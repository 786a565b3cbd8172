/* Zones, units, coordinates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/cgns_names.h"
#include "io/mesh_internal.h"

static double length_in_metres(CGNS_ENUMT(LengthUnits_t) unit)
{
    switch (unit) {
    case CGNS_ENUMV(Centimeter):
        return 1e-2;
    case CGNS_ENUMV(Millimeter):
        return 1e-3;
    case CGNS_ENUMV(Foot):
        return 0.3048;
    case CGNS_ENUMV(Inch):
        return 0.0254;
    default:
        return 1.;
    }
}

/* Units at the current node of the library; 1 if there are any. */
static int take_units(struct an_mesh_reader *r)
{
    CGNS_ENUMT(MassUnits_t) mass;
    CGNS_ENUMT(LengthUnits_t) length;
    CGNS_ENUMT(TimeUnits_t) time;
    CGNS_ENUMT(TemperatureUnits_t) temperature;
    CGNS_ENUMT(AngleUnits_t) angle;
    if (cg_units_read(&mass, &length, &time, &temperature, &angle) != CG_OK)
        return 0;
    r->m->to_metres = length_in_metres(length);
    if (angle == CGNS_ENUMV(Radian))
        r->to_radians = 1.;
    else if (angle == CGNS_ENUMV(Degree))
        r->to_radians = acos(-1.) / 180.;
    return 1;
}

/* The deepest of base, first zone, its coordinates and the array itself decides. */
int an_mesh_read_units(struct an_mesh_reader *r)
{
    int found = 0;
    r->m->to_metres = 1.;
    if (cg_goto(r->fn, r->base, "end") == CG_OK)
        found |= take_units(r);
    if (cg_goto(r->fn, r->base, "Zone_t", 1, "end") == CG_OK)
        found |= take_units(r);
    if (cg_goto(r->fn, r->base, "Zone_t", 1, "GridCoordinates_t", 1, "end") == CG_OK)
        found |= take_units(r);
    if (cg_goto(r->fn, r->base, "Zone_t", 1, "GridCoordinates_t", 1, "DataArray_t", 1, "end") ==
        CG_OK)
        found |= take_units(r);
    return found;
}

static int check_coordinates(struct an_mesh_reader *r, int zone)
{
    const char *const *name = an_cgns_coordinate;
    int count, seen = 0, cylindrical = 0, wanted = (1 << r->m->physical_dim) - 1;
    if (cg_ncoords(r->fn, r->base, zone + 1, &count) != CG_OK)
        return an_mesh_library_error(r, an_mesh_where(r, zone, NULL), "reading its coordinates");
    for (int c = 1; c <= count; c++) {
        CGNS_ENUMT(DataType_t) type;
        char found[AN_NAME];
        if (cg_coord_info(r->fn, r->base, zone + 1, c, &type, found) != CG_OK)
            return an_mesh_library_error(r, an_mesh_where(r, zone, NULL),
                                         "reading its coordinates");
        for (int a = 0; a < 3; a++)
            if (strcmp(found, name[a]) == 0 &&
                (type == CGNS_ENUMV(RealSingle) || type == CGNS_ENUMV(RealDouble)))
                seen |= 1 << a;
        cylindrical |= strcmp(found, "CoordinateR") == 0 || strcmp(found, "CoordinateTheta") == 0;
    }
    if ((seen & wanted) == wanted)
        return AN_OK;
    an_diag_error(r->diag, an_mesh_where(r, zone, NULL),
                  cylindrical ? "has cylindrical coordinates; write CoordinateX, CoordinateY and "
                                "CoordinateZ instead"
                              : "lacks one of CoordinateX, CoordinateY%s, as float or double",
                  r->m->physical_dim == 3 ? ", CoordinateZ" : "");
    return AN_INPUT;
}

/* Sizes beyond this are damage, not a mesh. */
#define MAX_VERTICES (1 << 28)

/* RotatingCoordinates_t where cg_goto stands; returns whether there is one. */
static int read_rotation(struct an_mesh_reader *r, int zone, struct an_zone *z)
{
    float rate[3] = {0, 0, 0}, center[3] = {0, 0, 0};
    if (cg_rotating_read(rate, center) != CG_OK)
        return 0;
    const double unit = r->to_radians > 0 ? r->to_radians : 1;
    if (rate[1] != 0 || rate[2] != 0 || (rate[0] != 0 && (center[1] != 0 || center[2] != 0))) {
        an_diag_error(
            r->diag, an_mesh_where(r, zone, NULL),
            "RotatingCoordinates: rate [%g, %g, %g] about the point [%g, %g, %g]; rows turn "
            "about the x axis through the origin: mesh_axis turns a mesh whose axis is y or z",
            (double)rate[0], (double)rate[1], (double)rate[2], (double)center[0], (double)center[1],
            (double)center[2]);
        return 1;
    }
    z->rotates = 1;
    z->omega = unit * (double)rate[0];
    return 1;
}

/* Moves cg_goto to the family of that name; returns whether there is one. */
static int goto_family(struct an_mesh_reader *r, const char *family)
{
    int count = 0, nbc, ngeo;
    char name[1024];
    if (!*family || cg_nfamilies(r->fn, r->base, &count) != CG_OK)
        return 0;
    for (int f = 1; f <= count; f++)
        if (cg_family_read(r->fn, r->base, f, name, &nbc, &ngeo) == CG_OK &&
            strcmp(name, family) == 0)
            return cg_goto(r->fn, r->base, "Family_t", f, "end") == CG_OK;
    return 0;
}

/* What a zone belongs to and how it turns, by itself, its family or the base: what is absent is no fault. */
static void read_extras(struct an_mesh_reader *r, int zone)
{
    struct an_zone *z = &r->m->topology.block[zone];
    char family[1024] = "";
    int found = 0;
    if (cg_goto(r->fn, r->base, "Zone_t", zone + 1, "end") == CG_OK) {
        if (cg_famname_read(family) == CG_OK && strlen(family) < sizeof z->family)
            memcpy(z->family, family, strlen(family) + 1);
        found = read_rotation(r, zone, z);
    }
    if (!found && goto_family(r, family))
        found = read_rotation(r, zone, z);
    if (!found && cg_goto(r->fn, r->base, "end") == CG_OK)
        read_rotation(r, zone, z);
}

static int read_zone(struct an_mesh_reader *r, int zone, int *planes)
{
    struct an_zone *z = &r->m->topology.block[zone];
    cgsize_t size[9] = {0};
    CGNS_ENUMT(ZoneType_t) type;
    if (cg_zone_read(r->fn, r->base, zone + 1, z->name, size) != CG_OK ||
        cg_zone_type(r->fn, r->base, zone + 1, &type) != CG_OK)
        return an_mesh_library_error(r, r->m->file, "reading a zone");
    if (type != CGNS_ENUMV(Structured)) {
        an_diag_error(r->diag, an_mesh_where(r, zone, NULL),
                      "is unstructured; only structured zones can be used");
        return AN_INPUT;
    }
    *planes = 2;
    for (int a = 0; a < 3; a++) {
        cgsize_t vertices = a < r->m->index_dim ? size[a] : 1;
        if (vertices < 1 || vertices > MAX_VERTICES || (a < 2 && vertices < 2)) {
            an_diag_error(r->diag, an_mesh_where(r, zone, NULL),
                          "has %lld vertices in direction %c; that is no volume of cells",
                          (long long)vertices, "ijk"[a]);
            return AN_INPUT;
        }
        z->n[a] = (int)vertices - 1;
    }
    if (z->n[2] == 0) {
        *planes = 1;
        z->n[2] = 1;
    }
    read_extras(r, zone);
    return check_coordinates(r, zone);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int sort_zones(struct an_mesh_reader *r)
{
    struct an_topology *t = &r->m->topology;
    r->sorted = malloc((size_t)t->nblock * sizeof *r->sorted);
    AN_CHECK(r->sorted, AN_FAIL, "out of memory");
    for (int z = 0; z < t->nblock; z++)
        r->sorted[z] = t->block[z].name; /* the name stands at the head of its block */
    qsort(r->sorted, (size_t)t->nblock, sizeof *r->sorted, compare_names);
    return AN_OK;
}

int an_mesh_find_zone(const struct an_mesh_reader *r, const char *name)
{
    const struct an_topology *t = &r->m->topology;
    const char *slash = strrchr(name, '/'); /* "/Base/Zone" is allowed */
    const char *last = slash ? slash + 1 : name;
    const char **found =
        bsearch(&last, r->sorted, (size_t)t->nblock, sizeof *r->sorted, compare_names);
    if (!found)
        return -1;
    return (int)((const struct an_zone *)(const void *)*found - t->block);
}

int an_mesh_read_zones(struct an_mesh_reader *r)
{
    struct an_mesh *m = r->m;
    int count = 0, flat = 0, faults = 0;
    if (cg_nzones(r->fn, r->base, &count) != CG_OK)
        return an_mesh_library_error(r, m->file, "counting its zones");
    if (count < 1) {
        an_diag_error(r->diag, m->file, "base '%s' has no zones", m->base_name);
        return AN_INPUT;
    }
    m->topology.block = calloc((size_t)count, sizeof *m->topology.block);
    AN_CHECK(m->topology.block, AN_FAIL, "out of memory for %d zones", count);
    m->topology.nblock = count;
    for (int z = 0; z < count; z++) {
        int planes = 2;
        faults += read_zone(r, z, &planes) != AN_OK;
        flat += planes == 1;
    }
    if (faults)
        return AN_INPUT;
    m->dimension = flat ? 2 : 3;
    if (flat && flat != count) {
        an_diag_error(r->diag, m->file, "%d of %d zones have one plane of vertices, the others not",
                      flat, count);
        return AN_INPUT;
    }
    return sort_zones(r);
}

/* Far outside any zone, so that what follows cannot overflow. */
static cgsize_t clamped(cgsize_t v)
{
    const cgsize_t far = 2 * MAX_VERTICES;
    return v < -far ? -far : v > far ? far : v;
}

void an_mesh_range_corners(const struct an_mesh *m, const cgsize_t *range, cgsize_t begin[3],
                           cgsize_t end[3])
{
    for (int a = 0; a < 3; a++) {
        begin[a] = a < m->index_dim ? clamped(range[a]) - 1 : 0;
        end[a] = a < m->index_dim ? clamped(range[m->index_dim + a]) - 1 : 0;
    }
    if (m->dimension == 2 && begin[2] == 0 && end[2] == 0)
        end[2] = 1;
}

int an_mesh_face_of_range(const int n[3], const cgsize_t begin[3], const cgsize_t end[3],
                          struct an_window *w)
{
    int constant = 0, inside = 0;
    struct an_window found = {.block = w->block};
    for (int a = 0; a < 3; a++) {
        cgsize_t lo = begin[a] < end[a] ? begin[a] : end[a];
        cgsize_t hi = begin[a] < end[a] ? end[a] : begin[a];
        if (lo < 0 || hi > n[a])
            return -1;
        found.lo[a] = (int)lo;
        found.hi[a] = (int)hi;
        if (lo != hi)
            continue;
        constant++;
        inside += lo != 0 && lo != n[a];
        found.dir = a;
        found.side = lo == n[a];
    }
    if (constant == 1) {
        if (inside)
            return -2;
        found.lo[found.dir] = found.hi[found.dir] = 0;
        *w = found;
    }
    return constant;
}

static int read_turned(const struct an_mesh *m, int zone, const int lo[3], const int hi[3],
                       double *xyz)
{
    const int turn = an_mesh_turn_of(m, zone);
    const int n[3] = {hi[0] - lo[0], hi[1] - lo[1], hi[2] - lo[2]};
    const size_t count = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    const struct an_mesh file = an_mesh_in_file_order(m);
    int from[3], to[3];
    an_turn_to_file(turn, lo, from);
    an_turn_to_file(turn, hi, to);
    double *x = malloc(3 * count * sizeof *x);
    AN_CHECK(x, AN_FAIL, "out of memory for the nodes of a zone");
    const int status = an_mesh_read_nodes(&file, zone, from, to, x);
    for (size_t c = 0; c < 3 && status == AN_OK; c++)
        an_turn_values(turn, n, sizeof *x, x + c * count, xyz + c * count, 1);
    free(x);
    return status;
}

int an_mesh_read_nodes(const struct an_mesh *m, int zone, const int lo[3], const int hi[3],
                       double *xyz)
{
    if (an_mesh_turn_of(m, zone))
        return read_turned(m, zone, lo, hi, xyz);
    const char *const *name = an_cgns_coordinate;
    AN_CHECK(m->fn >= 0 || m->values, AN_INPUT, "%s is not open", m->file);
    const char *zone_name = m->topology.block[zone].name;
    cgsize_t rmin[3], rmax[3];
    size_t plane = 1, count;
    for (int a = 0; a < 3; a++) {
        rmin[a] = lo[a] + 1;
        rmax[a] = hi[a];
        plane *= a < 2 ? (size_t)(hi[a] - lo[a]) : 1;
    }
    if (m->dimension == 2)
        rmin[2] = rmax[2] = 1;
    count = plane * (size_t)(hi[2] - lo[2]);
    memset(xyz, 0, 3 * count * sizeof *xyz);
    for (int a = 0; a < m->physical_dim; a++) {
        int fn = m->fn;
        if (m->values && an_mesh_values_read(m, zone, name[a], lo, hi, xyz + (size_t)a * count))
            continue;
        if (m->values)
            AN_TRY(an_mesh_values_library(m, &fn));
        if (cg_coord_read(fn, m->base, zone + 1, name[a], CGNS_ENUMV(RealDouble), rmin, rmax,
                          xyz + (size_t)a * count) != CG_OK)
            return an_error_set(AN_INPUT, "%s: zone '%s': cannot read %s: %s", m->file, zone_name,
                                name[a], cg_get_error());
    }
    for (int a = 0; a < 3; a++) {
        double *x = xyz + (size_t)a * count;
        for (size_t v = 0; v < count; v++)
            x[v] *= m->to_metres;
        if (m->dimension == 2 && hi[2] - lo[2] == 2)
            memcpy(x + plane, x, plane * sizeof *x);
    }
    double *z = xyz + 2 * count;
    if (m->dimension == 2)
        for (size_t v = 0; v < count; v++)
            z[v] += m->span * (lo[2] + (int)(v / plane));
    for (size_t v = 0; v < 3 * count; v++)
        if (!isfinite(xyz[v]))
            return an_error_set(AN_INPUT,
                                "%s: zone '%s': %s is not finite at a vertex of "
                                "[%d,%d) x [%d,%d) x [%d,%d)",
                                m->file, zone_name, name[v / count], lo[0], hi[0], lo[1], hi[1],
                                lo[2], hi[2]);
    return AN_OK;
}
