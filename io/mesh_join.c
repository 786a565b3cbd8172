/* Connections between zones. */
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh_internal.h"

/* The map of nodes from 0: donor = T (node - begin) + donor_begin. Returns 0 with a message. */
static int node_map(struct an_mesh_reader *r, const char *where, const int transform[3],
                    const int64_t begin[3], const int64_t dbegin[3], struct an_cellmap *map)
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

static int face_of(struct an_mesh_reader *r, const char *where, int zone, const int64_t begin[3],
                   const int64_t end[3], const char *whose, struct an_window *w)
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

/* Turns a donor range round along the directions that the transform reverses, if both ranges count upward there: writers such
 * as Cassiopee sort ranges. The nodes of both sides are compared later. */
static void turn_donor(struct an_mesh_reader *r, const char *where, const int transform[3],
                       const struct an_window *here, const int64_t begin[3], const int64_t end[3],
                       int64_t dbegin[3], int64_t dend[3])
{
    int turned = 0;
    for (int a = 0; a < 3; a++) {
        const int d = abs(transform[a]) - 1;
        if (a == here->dir || transform[a] >= 0 || d > 2 || end[a] <= begin[a] ||
            dend[d] - dbegin[d] != end[a] - begin[a])
            continue;
        const int64_t first = dbegin[d];
        dbegin[d] = dend[d];
        dend[d] = first;
        turned = 1;
    }
    if (turned)
        an_diag_warning(r->diag, where,
                        "its donor range counts upward where the transform [%d,%d,%d] turns the "
                        "direction round; the "
                        "transform is taken",
                        transform[0], transform[1], transform[2]);
}

/* Everything of f that ranges and transform say; 0 with a message if they do not fit. */
static int interface_from_ranges(struct an_mesh_reader *r, const char *where, const int64_t *range,
                                 const int64_t *donor_range, int transform[3],
                                 struct an_interface *f)
{
    int64_t begin[3], end[3], dbegin[3], dend[3];
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
    turn_donor(r, where, transform, &f->window, begin, end, dbegin, dend);
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

/* Periodic_t of a connection. 0, with a message, where its values cannot be used. */
static int read_periodic(struct an_mesh_reader *r, const char *where,
                         const struct an_cgns_node *connection, struct an_mesh_periodic *p)
{
    static const struct {
        const char *name;
        enum an_cgns_quantity quantity;
    } array[3] = {{"RotationCenter", AN_CGNS_LENGTH},
                  {"RotationAngle", AN_CGNS_ANGLE},
                  {"Translation", AN_CGNS_LENGTH}};
    double *const to[3] = {p->center, p->angle, p->translation};
    memset(p, 0, sizeof *p);
    const struct an_cgns_node *n = an_cgns_child(
        an_cgns_child(connection, "GridConnectivityProperty_t", NULL), "Periodic_t", NULL);
    for (int a = 0; a < 3; a++) {
        const struct an_cgns_node *node = an_cgns_child(n, "DataArray_t", array[a].name);
        struct an_cgns_scale s;
        if (!node)
            continue;
        if (an_cgns_values(node, array[a].quantity, r->m->physical_dim, to[a], &s) != AN_OK) {
            an_diag_error(r->diag, where, "%s", an_error_text());
            return 0;
        }
        if (array[a].quantity != AN_CGNS_ANGLE)
            continue;
        for (int d = 0; d < 3; d++)
            p->angle[d] /= s.unit;
        p->to_radians = s.given ? s.unit : 0;
    }
    for (int d = 0; d < 3; d++)
        p->given |= p->angle[d] != 0. || p->translation[d] != 0.;
    return 1;
}

static int is_averaged(const struct an_cgns_node *connection)
{
    return an_cgns_child(an_cgns_child(connection, "GridConnectivityProperty_t", NULL),
                         "AverageInterface_t", NULL) != NULL;
}

/* Are two names the same but for characters that are neither letters nor digits, as in `fluid V00002`? */
static int is_like(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (*a != *b && (isalnum((unsigned char)*a) || isalnum((unsigned char)*b)))
            return 0;
    return !*a && !*b;
}

/* The only zone with such a name; -1: there is none, or more than one. */
static int zone_like(const struct an_mesh_reader *r, const char *name)
{
    const char *last = strrchr(name, '/') ? strrchr(name, '/') + 1 : name;
    int found = -1, count = 0;
    for (int z = 0; z < r->m->topology.nblock; z++)
        if (is_like(last, r->m->topology.block[z].name)) {
            found = z;
            count++;
        }
    return count == 1 ? found : -1;
}

/* The donor zone of a connection; -1, with a message. */
static int donor_of(struct an_mesh_reader *r, int zone, const struct an_cgns_node *connection)
{
    char donor[1024];
    an_cgns_text(connection, donor, sizeof donor);
    int found = an_mesh_find_zone(r, donor);
    if (found >= 0)
        return found;
    const char *where = an_mesh_where(r, zone, connection->name);
    found = zone_like(r, donor);
    if (found >= 0)
        an_diag_warning(r->diag, where,
                        "the donor zone '%.100s' does not exist: zone '%s' is taken, whose name is "
                        "the same but for a character",
                        donor, r->m->topology.block[found].name);
    else
        an_diag_error(r->diag, where, "the donor zone '%.100s' does not exist", donor);
    return found;
}

/* A range of a connection, 2 index_dim numbers; 0, with a message. */
static int read_range(struct an_mesh_reader *r, int zone, const struct an_cgns_node *connection,
                      const char *name, int64_t range[6])
{
    const struct an_cgns_node *n = an_cgns_child(connection, "IndexRange_t", name);
    const char *where = an_mesh_where(r, zone, connection->name);
    if (!n)
        an_diag_error(r->diag, where, "has no %s", name);
    else if (!an_cgns_integers(n, 2 * r->m->index_dim, range))
        an_mesh_wrong_numbers(r, where, n, 2 * r->m->index_dim);
    else
        return 1;
    return 0;
}

/* A connection with AverageInterface_t is a patch of a mixing plane (io/mesh_planes.c). */
static int read_plane(struct an_mesh_reader *r, int zone, const struct an_cgns_node *connection)
{
    int64_t points[6] = {0}, begin[3], end[3];
    struct an_mesh_plane p = {.donor = donor_of(r, zone, connection)};
    snprintf(p.name, sizeof p.name, "%s", connection->name);
    if (p.donor < 0 || !read_range(r, zone, connection, "PointRange", points))
        return AN_OK;
    an_mesh_range_corners(r->m, points, begin, end);
    return face_of(r, an_mesh_where(r, zone, p.name), zone, begin, end, "", &p.window)
               ? an_mesh_add_plane(r, &p)
               : AN_OK;
}

/* Absent: 1, 2, 3. */
static int read_transform(struct an_mesh_reader *r, int zone, const struct an_cgns_node *connection,
                          int transform[3])
{
    const struct an_cgns_node *n =
        an_cgns_child(connection, "\"int[IndexDimension]\"", "Transform");
    int64_t number[3] = {1, 2, 3};
    if (n && !an_cgns_integers(n, r->m->index_dim, number)) {
        an_mesh_wrong_numbers(r, an_mesh_where(r, zone, connection->name), n, r->m->index_dim);
        return 0;
    }
    for (int d = 0; d < 3; d++) /* what is no direction stays none */
        transform[d] = number[d] < INT_MIN || number[d] > INT_MAX ? INT_MAX : (int)number[d];
    return 1;
}

static int read_1to1(struct an_mesh_reader *r, int zone, const struct an_cgns_node *connection)
{
    struct an_interface f = {.window = {.block = zone}, .partner = -1};
    int64_t range[6] = {0}, donor_range[6] = {0};
    int transform[3];
    struct an_mesh_periodic p;
    char where[1200];
    if (is_averaged(connection))
        return read_plane(r, zone, connection);
    snprintf(f.name, sizeof f.name, "%s", connection->name);
    snprintf(where, sizeof where, "%s", an_mesh_where(r, zone, f.name));
    f.donor = donor_of(r, zone, connection);
    if (f.donor < 0 || !read_range(r, zone, connection, "PointRange", range) ||
        !read_range(r, zone, connection, "PointRangeDonor", donor_range) ||
        !read_transform(r, zone, connection, transform) ||
        !interface_from_ranges(r, where, range, donor_range, transform, &f) ||
        !read_periodic(r, where, connection, &p))
        return AN_OK;
    AN_TRY(an_mesh_match_nodes(r, &f, &p));
    return an_mesh_add_interface(r, &f);
}

/* A connection of type Abutting: faces that need not match those of the donor (io/mesh_abut.c). */
static int read_abutting(struct an_mesh_reader *r, int zone, const struct an_cgns_node *connection)
{
    struct an_mesh_abut a = {.zone = zone, .donor = donor_of(r, zone, connection)};
    const struct an_mesh_points p = an_mesh_points_of(r->m, connection);
    char where[1200];
    snprintf(a.name, sizeof a.name, "%s", connection->name);
    snprintf(where, sizeof where, "%s", an_mesh_where(r, zone, a.name));
    if (a.donor < 0 || !read_periodic(r, where, connection, &a.periodic) ||
        an_mesh_turns_elsewhere(r, where, &a.periodic) || !an_mesh_point_set(r, &p, &a))
        return AN_OK;
    const int status = an_mesh_add_abut(r, &a);
    if (status != AN_OK)
        free(a.window);
    return status;
}

static int read_general(struct an_mesh_reader *r, int zone, const struct an_cgns_node *connection)
{
    const struct an_cgns_node *node = an_cgns_child(connection, "GridConnectivityType_t", NULL);
    const int type =
        node ? an_cgns_word(node, GridConnectivityTypeName, NofValidGridConnectivityTypes)
             : CGNS_ENUMV(Overset);
    /* whatever the type says: it is Overset where a file leaves it out */
    if (is_averaged(connection))
        return read_plane(r, zone, connection);
    if (type == CGNS_ENUMV(Abutting))
        return read_abutting(r, zone, connection);
    an_diag_error(
        r->diag, an_mesh_where(r, zone, connection->name), "%s",
        type == CGNS_ENUMV(Overset)
            ? "is an overset connection, which cannot be used; sides that lie on each "
              "other are of type Abutting"
        : type == CGNS_ENUMV(Abutting1to1)
            ? "is a point-to-point connection in general form; write it as "
              "GridConnectivity1to1"
            : "its GridConnectivityType is not one of Abutting, Abutting1to1 and Overset");
    return AN_OK;
}

static int read_list(struct an_mesh_reader *r, int zone, const struct an_cgns_node *list)
{
    if (an_cgns_child(list, "OversetHoles_t", NULL))
        an_diag_error(r->diag, an_mesh_where(r, zone, NULL),
                      "has overset holes, which cannot be used");
    for (const struct an_cgns_node *n = an_cgns_child(list, "GridConnectivity1to1_t", NULL); n;
         n = an_cgns_next(n))
        AN_TRY(read_1to1(r, zone, n));
    for (const struct an_cgns_node *n = an_cgns_child(list, "GridConnectivity_t", NULL); n;
         n = an_cgns_next(n))
        AN_TRY(read_general(r, zone, n));
    return AN_OK;
}

/* A zone has one list of connections for each time where zones move: the first one counts. */
int an_mesh_read_connections(struct an_mesh_reader *r, int zone)
{
    const struct an_cgns_node *list = an_cgns_child(r->zone[zone], "ZoneGridConnectivity_t", NULL);
    return list ? read_list(r, zone, list) : AN_OK;
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
