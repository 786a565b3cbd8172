#include "tests/support/verify_mesh.h"

#include "kernels/base/boundary_type.h"

#include <cgnslib.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int failed, const char *what)
{
    if (!failed)
        return;
    fprintf(stderr, "mesh: %s: %s\n", what, cg_get_error());
    MPI_Abort(MPI_COMM_WORLD, 1);
}

struct an_cellmap vm_turn(int way, const int n[3])
{
    static const int perm[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1},
                                   {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    struct an_cellmap m = {{0}, {0}, {0}};
    int found = 0;
    for (int p = 0; p < 6; p++)
        for (int bits = 0; bits < 8; bits++) {
            struct an_cellmap t = {{0}, {0}, {0}};
            for (int a = 0; a < 3; a++) {
                t.perm[a] = perm[p][a];
                t.sign[a] = bits >> a & 1 ? -1 : 1;
                t.shift[t.perm[a]] = t.sign[a] < 0 ? n[a] - 1 : 0;
            }
            if (an_cellmap_det(&t) == 1 && found++ == way)
                m = t;
        }
    return m;
}

/* first, then second */
static struct an_cellmap compose(const struct an_cellmap *first, const struct an_cellmap *second)
{
    struct an_cellmap m;
    for (int a = 0; a < 3; a++) {
        m.perm[a] = second->perm[first->perm[a]];
        m.sign[a] = first->sign[a] * second->sign[first->perm[a]];
    }
    an_cellmap_apply(second, first->shift, m.shift);
    return m;
}

/* One zone: cells lo <= . < hi of the box, and how they are stored. */
struct zone {
    int lo[3], hi[3];
    struct an_cellmap store; /* cell of the box -> cell as stored */
};

enum { MOST_FAMILIES = 256 };

struct mesh {
    const struct vm_box *box;
    int parts[3], nzone, fn, base;
    struct zone *zone;
    int nfamily, nboundary;
    char family[MOST_FAMILIES][33];
};

static int cut(const struct mesh *m, int d, int part)
{
    return (int)((int64_t)m->box->n[d] * part / m->parts[d]);
}

static void make_zones(struct mesh *m)
{
    for (int d = 0; d < 3; d++)
        m->parts[d] = m->box->parts[d] < 1 ? 1 : m->box->parts[d];
    m->zone =
        calloc((size_t)m->parts[0] * (size_t)m->parts[1] * (size_t)m->parts[2], sizeof *m->zone);
    for (int k = 0; k < m->parts[2]; k++)
        for (int j = 0; j < m->parts[1]; j++)
            for (int i = 0; i < m->parts[0]; i++) {
                struct zone *z = &m->zone[m->nzone];
                const int part[3] = {i, j, k};
                int n[3];
                for (int d = 0; d < 3; d++) {
                    z->lo[d] = cut(m, d, part[d]);
                    z->hi[d] = cut(m, d, part[d] + 1);
                    n[d] = z->hi[d] - z->lo[d];
                }
                struct an_cellmap turn =
                    vm_turn(m->box->turn < 0 ? 0 : (m->box->turn + m->nzone) % 24, n);
                struct an_cellmap origin = {
                    {0, 1, 2}, {1, 1, 1}, {-z->lo[0], -z->lo[1], -z->lo[2]}};
                z->store = compose(&origin, &turn);
                m->nzone++;
            }
}

static void write_coordinates(const struct mesh *m, int number)
{
    static const char *const name[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    const struct zone *z = &m->zone[number];
    int n[3];
    cgsize_t size[9] = {0};
    for (int d = 0; d < 3; d++) {
        n[z->store.perm[d]] = z->hi[d] - z->lo[d];
        size[z->store.perm[d]] = z->hi[d] - z->lo[d] + 1;
        size[3 + z->store.perm[d]] = z->hi[d] - z->lo[d];
    }
    const size_t count = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    double *x = malloc(3 * count * sizeof *x);
    struct an_cellmap nodes = an_cellmap_nodes(&z->store);
    int g[3], l[3];
    for (g[2] = z->lo[2]; g[2] <= z->hi[2]; g[2]++)
        for (g[1] = z->lo[1]; g[1] <= z->hi[1]; g[1]++)
            for (g[0] = z->lo[0]; g[0] <= z->hi[0]; g[0]++) {
                double s[3], at[3];
                for (int d = 0; d < 3; d++)
                    s[d] = (double)g[d] / m->box->n[d];
                m->box->map(m->box->context, s, at);
                an_cellmap_apply(&nodes, g, l);
                size_t e = (size_t)l[0] +
                           (size_t)(n[0] + 1) * ((size_t)l[1] + (size_t)(n[1] + 1) * (size_t)l[2]);
                for (int c = 0; c < 3; c++)
                    x[(size_t)c * count + e] = at[c];
            }
    char title[33];
    int id, coordinate;
    snprintf(title, sizeof title, "zone%03d", number);
    must(cg_zone_write(m->fn, m->base, title, size, CGNS_ENUMV(Structured), &id), "zone");
    must(id != number + 1, "order of zones");
    for (int c = 0; c < 3; c++)
        must(cg_coord_write(m->fn, m->base, id, CGNS_ENUMV(RealDouble), name[c],
                            x + (size_t)c * count, &coordinate),
             "coordinates");
    free(x);
}

/* Nodes of a window of box cells on a face of a zone, as stored: two opposite corners. */
static void window_nodes(const struct an_cellmap *store, int dir, int side, const struct zone *z,
                         const int lo[3], const int hi[3], int a[3], int b[3])
{
    struct an_cellmap nodes = an_cellmap_nodes(store);
    for (int d = 0; d < 3; d++) {
        a[d] = d == dir ? (side ? z->hi[d] : z->lo[d]) : lo[d];
        b[d] = d == dir ? a[d] : hi[d];
    }
    an_cellmap_apply(&nodes, a, a);
    an_cellmap_apply(&nodes, b, b);
}

static void sort_range(const int a[3], const int b[3], cgsize_t range[6])
{
    for (int d = 0; d < 3; d++) {
        range[d] = 1 + (a[d] < b[d] ? a[d] : b[d]);
        range[3 + d] = 1 + (a[d] < b[d] ? b[d] : a[d]);
    }
}

/* Joins the window lo <= . < hi (box cells) of zone `here` with zone `there`; `across` leads from a
 * box cell beyond the face to the box cell that it is. */
static void write_join(const struct mesh *m, int here, int there, int dir, int side,
                       const int lo[3], const int hi[3], const struct an_cellmap *across,
                       enum vm_kind kind)
{
    const struct zone *z = &m->zone[here];
    int a[3], b[3], first[3], last[3];
    window_nodes(&z->store, dir, side, z, lo, hi, a, b);
    cgsize_t range[6], donor[6];
    sort_range(a, b, range);
    struct an_cellmap back = an_cellmap_inverse(&z->store);
    struct an_cellmap map = compose(&back, across);
    map = compose(&map, &m->zone[there].store);
    struct an_cellmap nodes = an_cellmap_nodes(&map);
    int transform[3];
    for (int d = 0; d < 3; d++) {
        first[d] = (int)range[d] - 1;
        last[d] = (int)range[3 + d] - 1;
        transform[d] = map.sign[d] * (map.perm[d] + 1);
    }
    an_cellmap_apply(&nodes, first, first);
    an_cellmap_apply(&nodes, last, last);
    for (int d = 0; d < 3; d++) {
        donor[d] = first[d] + 1;
        donor[3 + d] = last[d] + 1;
    }
    char name[33], to[33];
    int id;
    snprintf(name, sizeof name, "join%d_%s_%d", there, an_face_name(dir, side),
             lo[dir == 0 ? 1 : 0]);
    snprintf(to, sizeof to, "zone%03d", there);
    must(cg_1to1_write(m->fn, m->base, here + 1, name, to, range, donor, transform, &id),
         "interface");
    if (kind != VM_TRANSLATE && kind != VM_ROTATE)
        return;
    /* from this side to the donor's */
    float centre[3] = {0, 0, 0}, angle[3] = {0, 0, 0}, shift[3] = {0, 0, 0};
    double sign = side ? -1 : 1;
    if (kind == VM_ROTATE)
        angle[0] = (float)(sign * m->box->angle);
    else
        for (int d = 0; d < 3; d++)
            shift[d] = (float)(sign * m->box->translation[dir][d]);
    must(cg_1to1_periodic_write(m->fn, m->base, here + 1, id, centre, angle, shift), "periodicity");
}

static CGNS_ENUMT(BCType_t) cgns_type(enum an_bc_type type)
{
    switch (type) {
    case AN_BC_WALL_SLIP:
        return CGNS_ENUMV(BCWallInviscid);
    case AN_BC_SYMMETRY:
        return CGNS_ENUMV(BCSymmetryPlane);
    case AN_BC_INLET_TOTAL:
        return CGNS_ENUMV(BCInflowSubsonic);
    case AN_BC_OUTLET_STATIC:
        return CGNS_ENUMV(BCOutflowSubsonic);
    case AN_BC_INLET_SUPERSONIC:
        return CGNS_ENUMV(BCInflowSupersonic);
    case AN_BC_OUTLET_SUPERSONIC:
        return CGNS_ENUMV(BCOutflowSupersonic);
    default:
        return CGNS_ENUMV(BCFarfield);
    }
}

/* A file that is being written cannot be asked: what is there is remembered here. */
static void write_family(struct mesh *m, const char *name, enum an_bc_type type)
{
    int id, bc;
    for (int f = 0; f < m->nfamily; f++)
        if (!strcmp(m->family[f], name))
            return;
    must(m->nfamily == MOST_FAMILIES, "too many families");
    snprintf(m->family[m->nfamily++], sizeof m->family[0], "%s", name);
    must(cg_family_write(m->fn, m->base, name, &id), "family");
    must(cg_fambc_write(m->fn, m->base, id, "FamBC", cgns_type(type), &bc), "type of a family");
}

static void write_boundary(struct mesh *m, int number, int dir, int side, const int lo[3],
                           const int hi[3], const char *name, enum an_bc_type type)
{
    const struct zone *z = &m->zone[number];
    int a[3], b[3], id;
    window_nodes(&z->store, dir, side, z, lo, hi, a, b);
    cgsize_t range[6];
    sort_range(a, b, range);
    write_family(m, name, type);
    char node[33];
    snprintf(node, sizeof node, "bc%d_%s", m->nboundary++, name);
    must(cg_boco_write(m->fn, m->base, number + 1, node, CGNS_ENUMV(FamilySpecified),
                       CGNS_ENUMV(PointRange), 2, range, &id),
         "boundary");
    must(cg_goto(m->fn, m->base, "Zone_t", number + 1, "ZoneBC_t", 1, "BC_t", id, NULL), "goto");
    must(cg_famname_write(name), "name of a family");
}

/* Intersects [lo,hi) with a zone's cells in the directions other than dir; 0 when empty. */
static int clip(const struct zone *z, int dir, int lo[3], int hi[3])
{
    for (int d = 0; d < 3; d++) {
        if (d == dir)
            continue;
        lo[d] = lo[d] > z->lo[d] ? lo[d] : z->lo[d];
        hi[d] = hi[d] < z->hi[d] ? hi[d] : z->hi[d];
        if (lo[d] >= hi[d])
            return 0;
    }
    return 1;
}

/* Joins zone `here` to every zone that `across` leads to from the window. */
static void write_joins(const struct mesh *m, int here, int dir, int side, const int lo[3],
                        const int hi[3], const struct an_cellmap *across, enum vm_kind kind)
{
    const struct zone *z = &m->zone[here];
    struct an_cellmap back = an_cellmap_inverse(across);
    for (int t = 0; t < m->nzone; t++) {
        const struct zone *other = &m->zone[t];
        int a[3], b[3], from[3], to[3];
        for (int d = 0; d < 3; d++) {
            from[d] = other->lo[d];
            to[d] = other->hi[d] - 1;
        }
        an_cellmap_apply(&back, from, from);
        an_cellmap_apply(&back, to, to);
        for (int d = 0; d < 3; d++) {
            a[d] = from[d] < to[d] ? from[d] : to[d];
            b[d] = (from[d] < to[d] ? to[d] : from[d]) + 1;
        }
        int beyond = side ? z->hi[dir] : z->lo[dir] - 1;
        if (beyond != (side ? a[dir] : b[dir] - 1) || !clip(z, dir, a, b))
            continue;
        int inside = 1;
        for (int d = 0; d < 3; d++)
            if (d != dir) {
                a[d] = a[d] > lo[d] ? a[d] : lo[d];
                b[d] = b[d] < hi[d] ? b[d] : hi[d];
                inside = inside && a[d] < b[d];
            }
        if (inside)
            write_join(m, here, t, dir, side, a, b, across, kind);
    }
}

static struct an_cellmap across_end(const struct vm_box *box, const struct vm_segment *s)
{
    struct an_cellmap m = {{0, 1, 2}, {1, 1, 1}, {0, 0, 0}};
    if (s->kind == VM_FOLD) {
        m.sign[s->along] = -1;
        m.shift[s->along] = box->n[s->along] - 1;
        m.sign[s->dir] = -1;
        m.shift[s->dir] = s->side ? 2 * box->n[s->dir] - 1 : -1;
    } else {
        m.shift[s->dir] = s->side ? -box->n[s->dir] : box->n[s->dir];
    }
    return m;
}

static void write_segment(struct mesh *m, int number, const struct vm_segment *s)
{
    const struct zone *z = &m->zone[number];
    if (s->side ? z->hi[s->dir] != m->box->n[s->dir] : z->lo[s->dir] != 0)
        return;
    int lo[3], hi[3];
    memcpy(lo, z->lo, sizeof lo);
    memcpy(hi, z->hi, sizeof hi);
    if (s->lo != s->hi) {
        lo[s->along] = lo[s->along] > s->lo ? lo[s->along] : s->lo;
        hi[s->along] = hi[s->along] < s->hi ? hi[s->along] : s->hi;
        if (lo[s->along] >= hi[s->along])
            return;
    }
    if (s->kind == VM_BOUNDARY) {
        write_boundary(m, number, s->dir, s->side, lo, hi, s->name, s->type);
    } else if (s->kind == VM_ROWS) {
        const int first = lo[s->along], last = hi[s->along];
        for (int row = first; row < last; row++) {
            char name[33];
            snprintf(name, sizeof name, "%s%04d", s->name, row);
            lo[s->along] = row;
            hi[s->along] = row + 1;
            write_boundary(m, number, s->dir, s->side, lo, hi, name, s->type);
        }
    } else {
        struct an_cellmap across = across_end(m->box, s);
        write_joins(m, number, s->dir, s->side, lo, hi, &across, s->kind);
    }
}

void vm_write(const char *path, const struct vm_box *box)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        struct mesh m = {.box = box};
        const struct an_cellmap next = {{0, 1, 2}, {1, 1, 1}, {0, 0, 0}};
        make_zones(&m);
        must(cg_set_file_type(CG_FILE_HDF5), "file type");
        must(cg_open(path, CG_MODE_WRITE, &m.fn), path);
        must(cg_base_write(m.fn, "Base", 3, 3, &m.base), "base");
        for (int z = 0; z < m.nzone; z++)
            write_coordinates(&m, z);
        for (int z = 0; z < m.nzone; z++) {
            for (int dir = 0; dir < 3; dir++)
                for (int side = 0; side < 2; side++)
                    if (side ? m.zone[z].hi[dir] != box->n[dir] : m.zone[z].lo[dir] != 0)
                        write_joins(&m, z, dir, side, m.zone[z].lo, m.zone[z].hi, &next, VM_JOIN);
            for (int s = 0; s < box->nsegment; s++)
                write_segment(&m, z, &box->segment[s]);
        }
        must(cg_close(m.fn), "close");
        free(m.zone);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

#define PI 3.14159265358979323846

static void bump_map(void *context, const double s[3], double x[3])
{
    (void)context;
    const double bump = 0.1 * sin(PI * s[0]) * sin(PI * s[0]);
    x[0] = s[0];
    x[1] = 0.3 * (s[1] + (1 - s[1]) * bump);
    x[2] = 0.2 * s[2];
}

void vm_write_bump(const char *path, const int n[3], int parts, int turn)
{
    static const struct vm_segment ends[] = {
        {.dir = 0, .side = 0, .type = AN_BC_INLET_TOTAL, .name = "in"},
        {.dir = 0, .side = 1, .type = AN_BC_OUTLET_STATIC, .name = "out"},
        {.dir = 1, .side = 0, .type = AN_BC_WALL_SLIP, .name = "wall"},
        {.dir = 1, .side = 1, .type = AN_BC_SYMMETRY, .name = "top"},
        {.dir = 2, .side = 0, .type = AN_BC_SYMMETRY, .name = "sides"},
        {.dir = 2, .side = 1, .type = AN_BC_SYMMETRY, .name = "sides"}};
    const struct vm_box box = {.n = {n[0], n[1], n[2]},
                               .parts = {parts, 1, 1},
                               .turn = turn,
                               .map = bump_map,
                               .nsegment = 6,
                               .segment = ends};
    vm_write(path, &box);
}
