/* The base, zones, how they turn, coordinates. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/cgns_names.h"
#include "io/mesh_internal.h"
#include "kernels/base/units.h"

/* The base of the metal beside that of the gas, and those in which AutoGrid keeps drawings and settings. */
static int is_aside(const char *base)
{
    return strcmp(base, AN_CGNS_SOLID) == 0 || strncmp(base, "Numeca", 6) == 0 ||
           strcmp(base, "meridional_base") == 0 || strcmp(base, "tools_base") == 0;
}

/* Is there a structured zone? A zone without ZoneType is one. */
static int is_structured(const struct an_cgns_node *zone)
{
    const struct an_cgns_node *type = an_cgns_child(zone, "ZoneType_t", NULL);
    return !type || an_cgns_word(type, ZoneTypeName, NofValidZoneTypes) == CGNS_ENUMV(Structured);
}

static int has_structured(const struct an_cgns_node *base)
{
    for (const struct an_cgns_node *z = an_cgns_child(base, "Zone_t", NULL); z; z = an_cgns_next(z))
        if (is_structured(z))
            return 1;
    return 0;
}

/* Can zones of these dimensions be read? */
static int is_usable(const int64_t dim[2])
{
    return (dim[0] == 2 || dim[0] == 3) && dim[1] >= dim[0] && dim[1] <= 3;
}

/* 3 or 2: the base holds structured zones of that dimension that may be the mesh; 0: none. */
static int holds(const struct an_cgns_node *base)
{
    int64_t dim[2];
    return an_cgns_integers(base, 2, dim) && is_usable(dim) && has_structured(base) &&
                   !is_aside(base->name)
               ? (int)dim[0]
               : 0;
}

static void add_name(char *list, size_t size, const char *name)
{
    const size_t n = strlen(list);
    snprintf(list + n, size - n, "%s'%s'", n ? ", " : "", name);
}

/* The base of the wanted name. */
static int take_base(struct an_mesh_reader *r)
{
    char all[256] = "";
    r->base = NULL;
    for (const struct an_cgns_node *b = an_cgns_child(r->root, "CGNSBase_t", NULL); b;
         b = an_cgns_next(b)) {
        add_name(all, sizeof all, b->name);
        if (!strcmp(b->name, r->wanted))
            r->base = b;
    }
    if (r->base)
        return AN_OK;
    an_diag_error(r->diag, r->m->file, "has no base '%s', but %s", r->wanted,
                  all[0] ? all : "none at all");
    return AN_INPUT;
}

/* The only base, or that which holds structured zones, in three dimensions rather than two. */
static int choose_base(struct an_mesh_reader *r)
{
    struct an_mesh *m = r->m;
    const struct an_cgns_node *first = an_cgns_child(r->root, "CGNSBase_t", NULL);
    const int count = an_cgns_count(r->root, "CGNSBase_t");
    int meshes = 0, best = 0;
    char aside[256] = "", several[256] = "";
    if (r->wanted[0])
        return take_base(r);
    for (const struct an_cgns_node *b = first; b; b = an_cgns_next(b))
        best = holds(b) > best ? holds(b) : best;
    r->base = first;
    for (const struct an_cgns_node *b = first; b && count > 1; b = an_cgns_next(b)) {
        const int is_mesh = best && holds(b) == best;
        if (is_mesh && !meshes++)
            r->base = b;
        if (is_mesh)
            add_name(several, sizeof several, b->name);
        else if (strcmp(b->name, AN_CGNS_SOLID) != 0)
            add_name(aside, sizeof aside, b->name);
    }
    if (count < 1 || (count > 1 && meshes != 1)) {
        an_diag_error(r->diag, m->file,
                      count < 1 ? "has no base: it holds no mesh"
                      : meshes  ? "has %d bases with structured zones, %s: name the one that is "
                                  "meant by 'base' in the case file, or --base"
                                : "has %d bases, %s, but none with structured zones",
                      meshes ? meshes : count, meshes ? several : aside);
        return AN_INPUT;
    }
    if (aside[0])
        an_diag_warning(r->diag, m->file, "left out: the bases %s, which hold no mesh", aside);
    return AN_OK;
}

/* What CGNS 4 brought and this program does not know, in the base or its families. */
static int refuse_new(struct an_mesh_reader *r)
{
    static const char *const label[] = {"ParticleZone_t", "ElementInterpolation_t",
                                        "SolutionInterpolation_t"};
    for (size_t l = 0; l < sizeof label / sizeof *label; l++) {
        const struct an_cgns_node *n = an_cgns_child(r->base, label[l], NULL);
        const struct an_cgns_node *f = an_cgns_child(r->base, "Family_t", NULL);
        for (; f && !n; f = an_cgns_next(f))
            n = an_cgns_child(f, label[l], NULL);
        if (!n)
            continue;
        an_diag_error(r->diag, r->m->file,
                      "'%s' is a node %s of CGNS 4, which cannot be used: leave it out of the file",
                      n->name, label[l]);
        return AN_INPUT;
    }
    return AN_OK;
}

int an_mesh_find_base(struct an_mesh_reader *r)
{
    struct an_mesh *m = r->m;
    int64_t dim[2];
    AN_TRY(choose_base(r));
    memcpy(m->base_name, r->base->name, sizeof m->base_name);
    if (!an_cgns_integers(r->base, 2, dim)) {
        an_mesh_wrong_numbers(r, m->file, r->base, 2);
        return AN_INPUT;
    }
    if (strcmp(m->base_name, "FoldedCells") == 0) { /* what mesh_row --keep-bad writes */
        an_diag_error(r->diag, m->file, "has folded cells and was kept for pictures only");
        return AN_INPUT;
    }
    if (!is_usable(dim)) {
        an_diag_error(r->diag, m->file,
                      "base '%s' has cell dimension %lld in %lld-D space; 3 in 3-D or 2 "
                      "in 2-D or 3-D can be used",
                      m->base_name, (long long)dim[0], (long long)dim[1]);
        return AN_INPUT;
    }
    m->index_dim = (int)dim[0];
    m->physical_dim = (int)dim[1];
    return refuse_new(r);
}

/* Sizes beyond this are damage, not a mesh. */
#define MAX_VERTICES (1 << 28)

static const struct an_cgns_node *grid_of(const struct an_cgns_node *zone)
{
    return an_cgns_child(zone, "GridCoordinates_t", AN_CGNS_COORDINATES);
}

/* An array of coordinates: as many nodes as the zone has, and the planes around them that Rind_t names. */
static int check_size(struct an_mesh_reader *r, int zone, const struct an_cgns_node *array,
                      int planes)
{
    const int *n = r->m->topology.block[zone].n;
    const struct an_cgns_node *rind = an_cgns_child(array->parent, "Rind_t", NULL);
    int64_t more[6] = {0};
    int good = array->ndim == r->m->index_dim &&
               (!rind || an_cgns_integers(rind, 2 * r->m->index_dim, more));
    for (int d = 0; d < array->ndim && good; d++)
        good =
            more[2 * d] >= 0 && more[2 * d + 1] >= 0 &&
            array->dim[d] - more[2 * d] - more[2 * d + 1] == (d == 2 && planes == 1 ? 1 : n[d] + 1);
    int backwards = array->ndim == r->m->index_dim && !rind; /* n0 x n1 x n2 as n2 x n1 x n0 */
    for (int d = 0; d < array->ndim && backwards; d++)
        backwards = array->dim[d] == n[array->ndim - 1 - d] + 1;
    if (!good)
        an_diag_error(r->diag, an_mesh_where(r, zone, array->name),
                      "has another size than the zone: %lld x %lld x %lld nodes%s",
                      (long long)array->dim[0], (long long)array->dim[1],
                      array->ndim > 2 ? (long long)array->dim[2] : 1LL,
                      backwards ? ", which are those of the zone in the opposite order: save the "
                                  "array in column-major order (NumPy: order='F')"
                                : "");
    return good ? AN_OK : AN_INPUT;
}

static int check_coordinates(struct an_mesh_reader *r, int zone, int planes)
{
    const struct an_cgns_node *grid = grid_of(r->zone[zone]);
    struct an_mesh_scale *scale = &r->m->scale[zone];
    const int cylindrical = an_cgns_child(grid, "DataArray_t", "CoordinateR") ||
                            an_cgns_child(grid, "DataArray_t", "CoordinateTheta");
    for (int a = 0; a < 3; a++)
        scale->factor[a] = 1;
    for (int a = 0; a < r->m->physical_dim; a++) {
        const struct an_cgns_node *array =
            an_cgns_child(grid, "DataArray_t", an_cgns_coordinate[a]);
        if (!array || array->type[0] != 'R') {
            an_diag_error(r->diag, an_mesh_where(r, zone, NULL),
                          cylindrical
                              ? "has cylindrical coordinates; write CoordinateX, CoordinateY and "
                                "CoordinateZ instead"
                              : "lacks one of CoordinateX, CoordinateY%s, as float or double",
                          r->m->physical_dim == 3 ? ", CoordinateZ" : "");
            return AN_INPUT;
        }
        struct an_cgns_scale s;
        AN_TRY(check_size(r, zone, array, planes));
        if (an_cgns_scale(array, AN_CGNS_LENGTH, &s) != AN_OK) {
            an_diag_error(r->diag, an_mesh_where(r, zone, NULL), "%s", an_error_text());
            return AN_INPUT;
        }
        scale->factor[a] = s.factor;
        scale->offset[a] = s.offset;
    }
    return AN_OK;
}

/* RotatingCoordinates_t below a node; returns whether there is one. */
static int read_rotation(struct an_mesh_reader *r, int zone, const struct an_cgns_node *owner)
{
    const struct an_cgns_node *n = an_cgns_child(owner, "RotatingCoordinates_t", NULL);
    const struct an_cgns_node *of[2] = {an_cgns_child(n, "DataArray_t", "RotationRateVector"),
                                        an_cgns_child(n, "DataArray_t", "RotationCenter")};
    double value[2][3] = {{0}};
    struct an_cgns_scale s[2] = {{0}};
    struct an_zone *z = &r->m->topology.block[zone];
    if (!n)
        return 0;
    for (int v = 0; v < 2; v++)
        if (of[v] && an_cgns_values(of[v], v ? AN_CGNS_LENGTH : AN_CGNS_RATE, r->m->physical_dim,
                                    value[v], &s[v]) != AN_OK) {
            an_diag_error(r->diag, an_mesh_where(r, zone, n->name), "%s", an_error_text());
            return 1;
        }
    const double *rate = value[0], *center = value[1];
    if (rate[1] != 0 || rate[2] != 0 || (rate[0] != 0 && (center[1] != 0 || center[2] != 0))) {
        an_diag_error(
            r->diag, an_mesh_where(r, zone, NULL),
            "RotatingCoordinates: rate [%g, %g, %g] rad/s about the point [%g, %g, %g] m; rows "
            "turn "
            "about the x axis through the origin: mesh_axis turns a mesh whose axis is y or z",
            rate[0], rate[1], rate[2], center[0], center[1], center[2]);
        return 1;
    }
    z->rotates = 1;
    z->omega = rate[0];
    if (rate[0] != 0 && !s[0].given && r->m->rate_unit) {
        an_diag_warning(r->diag, an_mesh_where(r, zone, n->name),
                        "the file gives no unit of angles: RotationRateVector is taken as rad/s, "
                        "which is %.6g rpm",
                        rate[0] / AN_RPM);
        r->m->rate_unit = 0;
    }
    return 1;
}

/* What a zone belongs to and how it turns, by itself, its family or the base: what is absent is no fault. */
static void read_extras(struct an_mesh_reader *r, int zone)
{
    struct an_zone *z = &r->m->topology.block[zone];
    char family[1024];
    an_cgns_text(an_cgns_child(r->zone[zone], "FamilyName_t", NULL), family, sizeof family);
    char name[1100];
    an_mesh_family_name(r, family, name, sizeof name);
    if (strlen(name) < sizeof z->family)
        memcpy(z->family, name, strlen(name) + 1);
    const struct an_cgns_node *turns =
        an_mesh_family_child(r, an_mesh_family(r, family), "RotatingCoordinates_t");
    if (!read_rotation(r, zone, r->zone[zone]) &&
        !read_rotation(r, zone, turns ? turns->parent : NULL))
        read_rotation(r, zone, r->base);
}

static int read_zone(struct an_mesh_reader *r, int zone, int *planes)
{
    struct an_zone *z = &r->m->topology.block[zone];
    const struct an_cgns_node *node = r->zone[zone];
    const int dim = r->m->index_dim;
    int64_t size[9] = {0};
    memcpy(z->name, node->name, sizeof z->name);
    if (!is_structured(node)) {
        an_diag_error(r->diag, an_mesh_where(r, zone, NULL),
                      "is unstructured; only structured zones can be used");
        return AN_INPUT;
    }
    if (!an_cgns_integers(node, 3 * dim, size)) {
        an_mesh_wrong_numbers(r, an_mesh_where(r, zone, NULL), node, 3 * dim);
        return AN_INPUT;
    }
    *planes = 2;
    for (int a = 0; a < 3; a++) {
        const int64_t vertices = a < dim ? size[a] : 1;
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
    return check_coordinates(r, zone, *planes);
}

/* As the CGNS library orders zones: by bytes, as they are signed. */
static int compare_names(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (int)(signed char)*a - (int)(signed char)*b;
}

static int compare_zones(const void *a, const void *b)
{
    return compare_names((*(const struct an_cgns_node *const *)a)->name,
                         (*(const struct an_cgns_node *const *)b)->name);
}

static int sort_zones(struct an_mesh_reader *r, int count)
{
    int n = 0;
    r->zone = malloc((size_t)count * sizeof *r->zone);
    AN_CHECK(r->zone, AN_FAIL, "out of memory for %d zones", count);
    for (const struct an_cgns_node *z = an_cgns_child(r->base, "Zone_t", NULL); z;
         z = an_cgns_next(z))
        r->zone[n++] = z;
    qsort(r->zone, (size_t)count, sizeof *r->zone, compare_zones);
    for (int z = 1; z < count; z++)
        if (!strcmp(r->zone[z - 1]->name, r->zone[z]->name)) {
            an_diag_error(r->diag, r->m->file, "zone '%s' is there twice", r->zone[z]->name);
            return AN_INPUT;
        }
    return AN_OK;
}

/* Numbers of the sorted zones in the order of the file. */
static int list_zones(struct an_mesh_reader *r, int count)
{
    int n = 0;
    int *listed = r->m->listed = calloc((size_t)count, sizeof *listed);
    AN_CHECK(listed, AN_FAIL, "out of memory for %d zones", count);
    for (const struct an_cgns_node *z = an_cgns_child(r->base, "Zone_t", NULL); z;
         z = an_cgns_next(z)) {
        const struct an_cgns_node **at =
            bsearch(&z, r->zone, (size_t)count, sizeof *r->zone, compare_zones);
        listed[n++] = (int)(at - r->zone);
    }
    return AN_OK;
}

int an_mesh_find_zone(const struct an_mesh_reader *r, const char *name)
{
    const char *slash = strrchr(name, '/'); /* "/Base/Zone" is allowed */
    const char *last = slash ? slash + 1 : name;
    int low = 0, high = r->m->topology.nblock;
    while (low < high) {
        const int middle = (low + high) / 2;
        const int order = compare_names(r->zone[middle]->name, last);
        if (!order)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int an_mesh_read_zones(struct an_mesh_reader *r)
{
    struct an_mesh *m = r->m;
    const int count = an_cgns_count(r->base, "Zone_t");
    int flat = 0, faults = 0;
    if (count < 1) {
        an_diag_error(r->diag, m->file, "base '%s' has no zones", m->base_name);
        return AN_INPUT;
    }
    AN_TRY(sort_zones(r, count));
    AN_TRY(list_zones(r, count));
    m->topology.block = calloc((size_t)count, sizeof *m->topology.block);
    m->scale = calloc((size_t)count, sizeof *m->scale);
    AN_CHECK(m->topology.block && m->scale, AN_FAIL, "out of memory for %d zones", count);
    m->topology.nblock = count;
    for (int z = 0; z < count; z++) {
        int planes = 2;
        faults += read_zone(r, z, &planes) != AN_OK;
        flat += planes == 1;
    }
    if (faults)
        return AN_INPUT;
    m->to_metres = m->scale[0].factor[0];
    m->dimension = flat ? 2 : 3;
    if (flat && flat != count) {
        an_diag_error(r->diag, m->file, "%d of %d zones have one plane of vertices, the others not",
                      flat, count);
        return AN_INPUT;
    }
    return AN_OK;
}

/* Far outside any zone, so that what follows cannot overflow. */
static int64_t clamped(int64_t v)
{
    const int64_t far = 2 * MAX_VERTICES;
    return v < -far ? -far : v > far ? far : v;
}

void an_mesh_range_corners(const struct an_mesh *m, const int64_t *range, int64_t begin[3],
                           int64_t end[3])
{
    for (int a = 0; a < 3; a++) {
        begin[a] = a < m->index_dim ? clamped(range[a]) - 1 : 0;
        end[a] = a < m->index_dim ? clamped(range[m->index_dim + a]) - 1 : 0;
    }
    if (m->dimension == 2 && begin[2] == 0 && end[2] == 0)
        end[2] = 1;
}

int an_mesh_face_of_range(const int n[3], const int64_t begin[3], const int64_t end[3],
                          struct an_window *w)
{
    int constant = 0, inside = 0;
    struct an_window found = {.block = w->block};
    for (int a = 0; a < 3; a++) {
        int64_t lo = begin[a] < end[a] ? begin[a] : end[a];
        int64_t hi = begin[a] < end[a] ? end[a] : begin[a];
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

static void swap_planes(size_t count, double *a, double *b)
{
    for (size_t v = 0; v < count; v++) {
        const double x = a[v];
        a[v] = b[v];
        b[v] = x;
    }
}

static void copy_moved(const struct an_mesh *m, int zone, const int lo[3], const int hi[3],
                       double *xyz)
{
    const int *n = m->topology.block[zone].n;
    const size_t row = (size_t)(hi[0] - lo[0]);
    for (int a = 0; a < 3; a++)
        for (int k = lo[2]; k < hi[2]; k++)
            for (int j = lo[1]; j < hi[1]; j++, xyz += row) {
                const size_t line =
                    ((size_t)a * (size_t)(n[2] + 1) + (size_t)k) * (size_t)(n[1] + 1);
                memcpy(xyz, m->moved[zone] + (line + (size_t)j) * (size_t)(n[0] + 1) + lo[0],
                       row * sizeof *xyz);
            }
}

int an_mesh_read_nodes(const struct an_mesh *m, int zone, const int lo[3], const int hi[3],
                       double *xyz)
{
    if (m->moved) {
        copy_moved(m, zone, lo, hi, xyz);
        return AN_OK;
    }
    if (an_mesh_turn_of(m, zone))
        return read_turned(m, zone, lo, hi, xyz);
    AN_CHECK(m->fn >= 0 && m->values, AN_INPUT, "%s is not open", m->file);
    const int flat = m->dimension == 2;
    const int reversed = m->scale[zone].reversed, last = m->topology.block[zone].n[2] + 1;
    const int from[3] = {lo[0], lo[1],
                         flat       ? 0
                         : reversed ? last - hi[2]
                                    : lo[2]},
              to[3] = {hi[0], hi[1],
                       flat       ? 1
                       : reversed ? last - lo[2]
                                  : hi[2]};
    const size_t plane = (size_t)(hi[0] - lo[0]) * (size_t)(hi[1] - lo[1]);
    const size_t count = plane * (size_t)(hi[2] - lo[2]);
    memset(xyz, 0, 3 * count * sizeof *xyz);
    for (int a = 0; a < m->physical_dim; a++) {
        const double factor = m->scale[zone].factor[a], offset = m->scale[zone].offset[a];
        double *x = xyz + (size_t)a * count;
        AN_TRY(an_mesh_values_read(m, zone, a, from, to, x));
        for (int k = 0; reversed && k < (hi[2] - lo[2]) / 2; k++)
            swap_planes(plane, x + (size_t)k * plane, x + (size_t)(hi[2] - lo[2] - 1 - k) * plane);
        for (size_t v = 0; v < (flat ? plane : count); v++)
            x[v] *= factor;
        for (size_t v = 0; v < (flat ? plane : count) && offset != 0; v++)
            x[v] += offset;
        if (flat && hi[2] - lo[2] == 2)
            memcpy(x + plane, x, plane * sizeof *x);
    }
    double *z = xyz + 2 * count;
    if (flat)
        for (size_t v = 0; v < count; v++)
            z[v] += m->span * (lo[2] + (int)(v / plane));
    for (size_t v = 0; v < 3 * count; v++)
        if (!isfinite(xyz[v]))
            return an_error_set(AN_INPUT,
                                "%s: zone '%s': %s is not finite at a vertex of "
                                "[%d,%d) x [%d,%d) x [%d,%d)",
                                m->file, m->topology.block[zone].name,
                                an_cgns_coordinate[v / count], lo[0], hi[0], lo[1], hi[1], lo[2],
                                hi[2]);
    return AN_OK;
}

int an_mesh_read_zone(const struct an_mesh *m, int zone, int64_t *n, double **xyz)
{
    const int *cells = m->topology.block[zone].n, lo[3] = {0, 0, 0},
              hi[3] = {cells[0] + 1, cells[1] + 1, cells[2] + 1};
    *n = (int64_t)hi[0] * hi[1] * hi[2];
    *xyz = malloc((size_t)*n * 3 * sizeof **xyz);
    AN_CHECK(*xyz, AN_FAIL, "out of memory for %lld nodes", (long long)*n);
    const int status = an_mesh_read_nodes(m, zone, lo, hi, *xyz);
    if (status != AN_OK) {
        free(*xyz);
        *xyz = NULL;
    }
    return status;
}
