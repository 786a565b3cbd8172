/* Connections between zones. */
#include <stdlib.h>
#include <string.h>

#include "io/mesh_internal.h"

/* The map of nodes from 0: donor = T (node - begin) + donor_begin. Returns 0 with a message. */
static int node_map(struct an_mesh_reader *r, const char *where, const int transform[3],
                    const cgsize_t begin[3], const cgsize_t dbegin[3], struct an_cellmap *map)
{
    int seen = 0;
    for (int a = 0; a < 3; a++) {
        int d = transform[a] < -3 || transform[a] > 3 ? -1 : abs(transform[a]) - 1;
        if (d < 0 || (seen >> d & 1)) {
            an_diag_error(r->diag, where, "the transform [%d,%d,%d] is not a permutation of 1,2,3",
                          transform[0], transform[1], transform[2]);
            return 0;
        }
        seen |= 1 << d;
        map->perm[a] = d;
        map->sign[a] = transform[a] < 0 ? -1 : 1;
        map->shift[d] = (int)(dbegin[d] - map->sign[a] * begin[a]);
    }
    return 1;
}

/* The direction across the face needs no telling: the donor's constant one, + where a min face
 * meets a max face. Files may write 0 there, and some write the wrong sign. */
static void fill_across(struct an_mesh_reader *r, const char *where, int transform[3],
                        const struct an_window *here, const struct an_window *there)
{
    int across = (here->side == there->side ? -1 : 1) * (there->dir + 1);
    if (transform[here->dir] == -across)
        an_diag_warning(r->diag, where,
                        "the transform [%d,%d,%d] has the wrong sign across the face; it was "
                        "reversed",
                        transform[0], transform[1], transform[2]);
    if (transform[here->dir] == 0 || transform[here->dir] == -across)
        transform[here->dir] = across;
}

static int face_of(struct an_mesh_reader *r, const char *where, int zone, const cgsize_t begin[3],
                   const cgsize_t end[3], const char *whose, struct an_window *w)
{
    const struct an_zone *z = &r->m->topology.block[zone];
    w->block = zone;
    int constant = an_mesh_face_of_range(z->n, begin, end, w);
    if (constant == 1)
        return 1;
    an_diag_error(r->diag, where,
                  "the %srange [%lld,%lld,%lld] to [%lld,%lld,%lld] %s zone '%s' of %d x %d x %d "
                  "vertices",
                  whose, (long long)begin[0] + 1, (long long)begin[1] + 1, (long long)begin[2] + 1,
                  (long long)end[0] + 1, (long long)end[1] + 1, (long long)end[2] + 1,
                  constant == -1 ? "lies outside" : "is no part of a face of", z->name, z->n[0] + 1,
                  z->n[1] + 1, z->n[2] + 1);
    return 0;
}

/* Everything of f that ranges and transform say; 0 with a message if they do not fit. */
static int interface_from_ranges(struct an_mesh_reader *r, const char *where, const cgsize_t *range,
                                 const cgsize_t *donor_range, int transform[3],
                                 struct an_interface *f)
{
    cgsize_t begin[3], end[3], dbegin[3], dend[3];
    struct an_window there = {0};
    int zone = f->window.block;
    an_mesh_range_corners(r->m, range, begin, end);
    an_mesh_range_corners(r->m, donor_range, dbegin, dend);
    if (!face_of(r, where, zone, begin, end, "", &f->window) ||
        !face_of(r, where, f->donor, dbegin, dend, "donor ", &there))
        return 0;
    if (r->m->dimension == 2)
        transform[2] = 3;
    fill_across(r, where, transform, &f->window, &there);
    struct an_cellmap map;
    if (!node_map(r, where, transform, begin, dbegin, &map))
        return 0;
    for (int a = 0; a < 3; a++) {
        int d = map.perm[a];
        if (map.sign[a] * end[a] + map.shift[d] == dend[d])
            continue;
        an_diag_error(
            r->diag, where,
            "ranges and transform [%d,%d,%d] do not fit: %lld cells in direction %c here, "
            "%lld in direction %c of the donor",
            transform[0], transform[1], transform[2],
            (long long)(end[a] > begin[a] ? end[a] - begin[a] : begin[a] - end[a]), "ijk"[a],
            (long long)(dend[d] > dbegin[d] ? dend[d] - dbegin[d] : dbegin[d] - dend[d]), "ijk"[d]);
        return 0;
    }
    for (int a = 0; a < 3; a++) /* nodes -> cells */
        map.shift[map.perm[a]] -= map.sign[a] < 0;
    f->map = map;
    f->donor_dir = there.dir;
    f->donor_side = there.side;
    return 1;
}

/* Periodic_t of connection `number`, one-to-one or general. */
static void read_periodic(struct an_mesh_reader *r, int zone, int number, int general,
                          struct an_mesh_periodic *p)
{
    float center[3], angle[3], translation[3];
    memset(p, 0, sizeof *p);
    memset(center, 0, sizeof center);
    memset(angle, 0, sizeof angle);
    memset(translation, 0, sizeof translation);
    if ((general
             ? cg_conn_periodic_read(r->fn, r->base, zone + 1, number, center, angle, translation)
             : cg_1to1_periodic_read(r->fn, r->base, zone + 1, number, center, angle,
                                     translation)) != CG_OK)
        return;
    for (int a = 0; a < 3; a++) {
        int stored = a < r->m->physical_dim;
        p->center[a] = stored ? (double)center[a] * r->m->to_metres : 0.;
        p->angle[a] = stored ? (double)angle[a] : 0.;
        p->translation[a] = stored ? (double)translation[a] * r->m->to_metres : 0.;
        p->given |= p->angle[a] != 0. || p->translation[a] != 0.;
    }
    p->to_radians = r->to_radians;
    CGNS_ENUMT(MassUnits_t) mass;
    CGNS_ENUMT(LengthUnits_t) length;
    CGNS_ENUMT(TimeUnits_t) time;
    CGNS_ENUMT(TemperatureUnits_t) temperature;
    CGNS_ENUMT(AngleUnits_t) unit;
    if (cg_goto(r->fn, r->base, "Zone_t", zone + 1, "ZoneGridConnectivity_t", 1,
                general ? "GridConnectivity_t" : "GridConnectivity1to1_t", number,
                "GridConnectivityProperty_t", 1, "Periodic_t", 1, "end") == CG_OK &&
        cg_units_read(&mass, &length, &time, &temperature, &unit) == CG_OK) {
        if (unit == CGNS_ENUMV(Degree))
            p->to_radians = 0.017453292519943295;
        else if (unit == CGNS_ENUMV(Radian))
            p->to_radians = 1.;
    }
}

/* A connection with AverageInterface_t is a patch of a mixing plane (io/mesh_planes.c). */
static int read_plane(struct an_mesh_reader *r, int zone, const char *name, const char *donor,
                      const cgsize_t points[6])
{
    cgsize_t begin[3], end[3];
    struct an_mesh_plane p = {.donor = an_mesh_find_zone(r, donor)};
    snprintf(p.name, sizeof p.name, "%s", name);
    if (p.donor < 0) {
        an_diag_error(r->diag, an_mesh_where(r, zone, name),
                      "the donor zone '%.100s' does not exist", donor);
        return AN_OK;
    }
    an_mesh_range_corners(r->m, points, begin, end);
    return face_of(r, an_mesh_where(r, zone, name), zone, begin, end, "", &p.window)
               ? an_mesh_add_plane(r, &p)
               : AN_OK;
}

static int read_1to1(struct an_mesh_reader *r, int zone, int number)
{
    struct an_interface f = {.window = {.block = zone}, .partner = -1};
    char donor[1024] = "";
    cgsize_t range[6] = {0}, donor_range[6] = {0};
    int transform[3] = {0};
    if (cg_1to1_read(r->fn, r->base, zone + 1, number, f.name, donor, range, donor_range,
                     transform) != CG_OK)
        return an_mesh_library_error(r, an_mesh_where(r, zone, NULL),
                                     "reading a 1-to-1 connection");
    CGNS_ENUMT(AverageInterfaceType_t) average;
    if (cg_1to1_average_read(r->fn, r->base, zone + 1, number, &average) == CG_OK)
        return read_plane(r, zone, f.name, donor, range);
    f.donor = an_mesh_find_zone(r, donor);
    if (f.donor < 0) {
        an_diag_error(r->diag, an_mesh_where(r, zone, f.name),
                      "the donor zone '%.100s' does not exist", donor);
        return AN_OK;
    }
    if (!interface_from_ranges(r, an_mesh_where(r, zone, f.name), range, donor_range, transform,
                               &f))
        return AN_OK;
    struct an_mesh_periodic p;
    read_periodic(r, zone, number, 0, &p);
    AN_TRY(an_mesh_match_nodes(r, &f, &p));
    return an_mesh_add_interface(r, &f);
}

static int read_general_plane(struct an_mesh_reader *r, int zone, int number, const char *name,
                              const char *donor, CGNS_ENUMT(PointSetType_t) set, cgsize_t npoint)
{
    cgsize_t points[6] = {0};
    if (set != CGNS_ENUMV(PointRange) || npoint != 2 ||
        cg_conn_read_short(r->fn, r->base, zone + 1, number, points) != CG_OK) {
        an_diag_error(r->diag, an_mesh_where(r, zone, name), "the mixing plane needs a PointRange");
        return AN_OK;
    }
    return read_plane(r, zone, name, donor, points);
}

/* A connection of type Abutting: faces that need not match those of the donor (io/mesh_abut.c). */
static int read_abutting(struct an_mesh_reader *r, int zone, int number, const char *name,
                         const char *donor, CGNS_ENUMT(GridLocation_t) location,
                         CGNS_ENUMT(PointSetType_t) set, cgsize_t npoint)
{
    struct an_mesh_abut a = {.zone = zone, .donor = an_mesh_find_zone(r, donor)};
    snprintf(a.name, sizeof a.name, "%s", name);
    if (a.donor < 0) {
        an_diag_error(r->diag, an_mesh_where(r, zone, name),
                      "the donor zone '%.100s' does not exist", donor);
        return AN_OK;
    }
    read_periodic(r, zone, number, 1, &a.periodic);
    if (an_mesh_turns_elsewhere(r, an_mesh_where(r, zone, name), &a.periodic) ||
        !an_mesh_point_set(r, number, location, set, npoint, &a))
        return AN_OK;
    const int status = an_mesh_add_abut(r, &a);
    if (status != AN_OK)
        free(a.window);
    return status;
}

static int read_general(struct an_mesh_reader *r, int zone, int number)
{
    char name[AN_NAME] = "?", donor[1024] = "";
    CGNS_ENUMT(GridLocation_t) location;
    CGNS_ENUMT(GridConnectivityType_t) type;
    CGNS_ENUMT(PointSetType_t) set, donor_set;
    CGNS_ENUMT(ZoneType_t) donor_zone;
    CGNS_ENUMT(DataType_t) data;
    CGNS_ENUMT(AverageInterfaceType_t) average;
    cgsize_t npoint = 0, ndonor = 0;
    if (cg_conn_info(r->fn, r->base, zone + 1, number, name, &location, &type, &set, &npoint, donor,
                     &donor_zone, &donor_set, &data, &ndonor) != CG_OK)
        return an_mesh_library_error(r, an_mesh_where(r, zone, NULL), "reading a connection");
    /* whatever the type says: it is Overset where a file leaves it out */
    if (cg_conn_average_read(r->fn, r->base, zone + 1, number, &average) == CG_OK)
        return read_general_plane(r, zone, number, name, donor, set, npoint);
    if (type == CGNS_ENUMV(Abutting))
        return read_abutting(r, zone, number, name, donor, location, set, npoint);
    an_diag_error(r->diag, an_mesh_where(r, zone, name), "%s",
                  type == CGNS_ENUMV(Overset)
                      ? "is an overset connection, which cannot be used; sides that lie on each "
                        "other are of type Abutting"
                      : "is a point-to-point connection in general form; write it as "
                        "GridConnectivity1to1");
    return AN_OK;
}

int an_mesh_read_connections(struct an_mesh_reader *r, int zone)
{
    int count = 0, general = 0, holes = 0;
    if (cg_n1to1(r->fn, r->base, zone + 1, &count) != CG_OK ||
        cg_nconns(r->fn, r->base, zone + 1, &general) != CG_OK ||
        cg_nholes(r->fn, r->base, zone + 1, &holes) != CG_OK)
        return an_mesh_library_error(r, an_mesh_where(r, zone, NULL), "reading its connections");
    if (holes)
        an_diag_error(r->diag, an_mesh_where(r, zone, NULL),
                      "has overset holes, which cannot be used");
    for (int n = 1; n <= count; n++)
        AN_TRY(read_1to1(r, zone, n));
    for (int n = 1; n <= general; n++)
        AN_TRY(read_general(r, zone, n));
    return AN_OK;
}

static int same_window(const struct an_window *a, const struct an_window *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

int an_mesh_complete_interfaces(struct an_mesh_reader *r)
{
    struct an_topology *t = &r->m->topology;
    int count = t->ninterface;
    int *first = malloc((size_t)t->nblock * sizeof *first);
    int *next = malloc(((size_t)count + 1) * sizeof *next);
    int status = first && next ? AN_OK : an_error_set(AN_FAIL, "out of memory for the interfaces");
    for (int b = 0; b < t->nblock && status == AN_OK; b++)
        first[b] = -1;
    for (int f = 0; f < count && status == AN_OK; f++) {
        next[f] = first[t->interface[f].window.block];
        first[t->interface[f].window.block] = f;
    }
    for (int f = 0; f < count && status == AN_OK; f++) {
        struct an_interface mirror = an_interface_mirror(&t->interface[f]);
        int g = first[mirror.window.block];
        while (g >= 0 && !(t->interface[g].donor == mirror.donor &&
                           same_window(&t->interface[g].window, &mirror.window)))
            g = next[g];
        if (g >= 0)
            continue;
        an_diag_warning(r->diag, an_mesh_where(r, t->interface[f].window.block, mirror.name),
                        "stands on one side only; the way back from zone '%s' was added",
                        t->block[mirror.window.block].name);
        status = an_mesh_add_interface(r, &mirror);
    }
    free(first);
    free(next);
    return status;
}
