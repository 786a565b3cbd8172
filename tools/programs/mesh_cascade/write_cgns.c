// The mesh as a CGNS file: zones extruded in z, one-to-one interfaces in both directions, families,
// boundary patches.
#include <cgnslib.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/cgns_names.h"
#include "mesh.h"

#define CG(call)                \
    do {                        \
        if (call)               \
            return EXIT_FAILED; \
    } while (0)

// Names of a base: its own, and those of the families at the ends of the span.
struct names {
    const char *base, *hub, *shroud;
};

static int write_family(int fn, int base, const char *name, BCType_t type)
{
    int fam, bc;
    CG(cg_family_write(fn, base, name, &fam));
    CG(cg_fambc_write(fn, base, fam, "FamBC", type, &bc));
    return EXIT_DONE;
}

static BCType_t type_of(const char *family)
{
    return strcmp(family, "inlet") == 0    ? BCInflow
           : strcmp(family, "outlet") == 0 ? BCOutflow
                                           : BCWall;
}

static int write_families(int fn, int base, const struct mesh *m, const struct names *n)
{
    static const BCType_t type[] = {BCInflow, BCOutflow, BCWall};
    for (size_t t = 0; t < sizeof type / sizeof *type; t++)
        for (int k = 0; k < m->npatch; k++) {
            const char *name = m->patch[k].family;
            bool again = type_of(name) != type[t];
            for (int l = 0; l < k; l++)
                again = again || strcmp(m->patch[l].family, name) == 0;
            if (!again)
                CG(write_family(fn, base, name, type[t]));
        }
    CG(write_family(fn, base, n->hub, BCSymmetryPlane));
    CG(write_family(fn, base, n->shroud, BCSymmetryPlane));
    return EXIT_DONE;
}

// Dimensional exponents of the array the goto position stands on: metres or radians.
static int write_exponents(bool angle)
{
    const float length[5] = {0, 1, 0, 0, 0}, radian[5] = {0, 0, 0, 0, 1};
    CG(cg_exponents_write(RealSingle, angle ? radian : length));
    return EXIT_DONE;
}

static int write_coordinates(int fn, int base, int zone, const struct zone *z, double span,
                             int layers)
{
    static const char *const name[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    const size_t plane = (size_t)z->ni * (size_t)z->nj, total = plane * ((size_t)layers + 1);
    double *v = malloc(total * sizeof *v);
    int rc = v ? EXIT_DONE : EXIT_FAILED;
    for (int d = 0; d < 3 && !rc; d++) {
        for (size_t l = 0; l < total; l++) {
            const struct vec2 x = z->x[l % plane];
            v[l] = d == 0 ? x.x : d == 1 ? x.y : span * (double)(l / plane) / layers;
        }
        int coord;
        rc = cg_coord_write(fn, base, zone, RealDouble, name[d], v, &coord) ? EXIT_FAILED
                                                                            : EXIT_DONE;
        if (!rc && !cg_goto(fn, base, "Zone_t", zone, "GridCoordinates_t", 1, name[d], 0, "end"))
            rc = write_exponents(false);
    }
    free(v);
    return rc;
}

// number: how many patches of its family the zone has so far.
static int write_patch(int fn, int base, int zone, const char *family, int number,
                       const cgsize_t range[6])
{
    int bc;
    char name[33];
    snprintf(name, sizeof name, number ? "%s_%d" : "%s", family, number + 1);
    CG(cg_boco_write(fn, base, zone, name, FamilySpecified, PointRange, 2, range, &bc));
    CG(cg_goto(fn, base, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", bc, "end"));
    CG(cg_famname_write(family));
    return EXIT_DONE;
}

static int write_patches(int fn, int base, int zone, const struct mesh *m, int k, int layers,
                         const struct names *names)
{
    const cgsize_t n[3] = {m->z[k].ni, m->z[k].nj, layers + 1};
    const cgsize_t hub[6] = {1, 1, 1, n[0], n[1], 1}, shroud[6] = {1, 1, n[2], n[0], n[1], n[2]};
    for (int l = 0; l < m->npatch; l++) {
        if (m->patch[l].z != k)
            continue;
        cgsize_t r[6] = {1, 1, 1, n[0], n[1], n[2]};
        const int dir = m->patch[l].face / 2, high = m->patch[l].face % 2;
        r[dir] = r[dir + 3] = high ? n[dir] : 1;
        if (m->patch[l].to) {
            r[!dir] = m->patch[l].from + 1;
            r[!dir + 3] = m->patch[l].to + 1;
        }
        int before = 0;
        for (int p = 0; p < l; p++)
            before += m->patch[p].z == k && strcmp(m->patch[p].family, m->patch[l].family) == 0;
        CG(write_patch(fn, base, zone, m->patch[l].family, before, r));
    }
    CG(write_patch(fn, base, zone, names->hub, 0, hub));
    CG(write_patch(fn, base, zone, names->shroud, 0, shroud));
    return EXIT_DONE;
}

// Direction of a line's travel, +-1 (i) or +-2 (j), and on which side of the zone it lies: +1 when
// the zone's cells lie towards larger indices.
static void line_axes(const struct zone *z, const int p0[2], const int p1[2], int *along,
                      int *across)
{
    const int d = p0[0] == p1[0] ? 1 : 0, c = 1 - d, last = c == 0 ? z->ni - 1 : z->nj - 1;
    *along = (p1[d] > p0[d] ? 1 : -1) * (d + 1);
    *across = (p0[c] == last ? -1 : 1) * (c + 1);
}

static int sign(int v)
{
    return v < 0 ? -1 : 1;
}

// One direction of an interface, from zone a's side.
static int write_link(int fn, int base, int zone, const struct mesh *m, const struct link *l,
                      const char *name, int layers)
{
    int da, ca, db, cb, transform[3] = {0, 0, 3}, id;
    const bool flip = l->a0[0] > l->a1[0] || l->a0[1] > l->a1[1]; // the range written first ascends
    const int *a0 = flip ? l->a1 : l->a0, *a1 = flip ? l->a0 : l->a1;
    const int *b0 = flip ? l->b1 : l->b0, *b1 = flip ? l->b0 : l->b1;
    line_axes(&m->z[l->za], a0, a1, &da, &ca);
    line_axes(&m->z[l->zb], b0, b1, &db, &cb);
    // travelling along a means travelling along b; leaving a across the face means entering b
    transform[abs(da) - 1] = sign(da) * db;
    transform[abs(ca) - 1] = -sign(ca) * cb;
    const cgsize_t r[6] = {a0[0] + 1, a0[1] + 1, 1, a1[0] + 1, a1[1] + 1, layers + 1};
    const cgsize_t d[6] = {b0[0] + 1, b0[1] + 1, 1, b1[0] + 1, b1[1] + 1, layers + 1};
    CG(cg_1to1_write(fn, base, zone, name, m->z[l->zb].name, r, d, transform, &id));
    if (l->shift) {
        const float zero[3] = {0, 0, 0}, translation[3] = {0, (float)(l->shift * m->pitch), 0};
        CG(cg_1to1_periodic_write(fn, base, zone, id, zero, zero, translation));
        static const char *const array[3] = {"RotationCenter", "RotationAngle", "Translation"};
        for (int k = 0; k < 3; k++) {
            CG(cg_goto(fn, base, "Zone_t", zone, "ZoneGridConnectivity_t", 1, name, 0,
                       "GridConnectivityProperty_t", 1, "Periodic_t", 1, array[k], 0, "end"));
            CG(write_exponents(k == 1));
        }
    }
    return EXIT_DONE;
}

static int write_links(int fn, int base, int zone, const struct mesh *m, int k, int layers)
{
    for (int l = 0; l < m->nlink; l++) {
        const struct link *c = &m->link[l];
        const struct link back = {c->zb,
                                  c->za,
                                  {c->b0[0], c->b0[1]},
                                  {c->b1[0], c->b1[1]},
                                  {c->a0[0], c->a0[1]},
                                  {c->a1[0], c->a1[1]},
                                  -c->shift};
        const struct link *side[2] = {c, &back};
        for (int s = 0; s < 2; s++) {
            char name[33];
            if (side[s]->za != k)
                continue;
            snprintf(name, sizeof name, "%s_%d%c", c->shift ? "periodic" : "match", l + 1,
                     s ? 'b' : 'a');
            CG(write_link(fn, base, zone, m, side[s], name, layers));
        }
    }
    return EXIT_DONE;
}

static int write_base(int fn, const struct mesh *m, const struct names *names, double span,
                      int layers)
{
    int base, zone[MAX_ZONES];
    CG(cg_base_write(fn, names->base, 3, 3, &base));
    CG(cg_goto(fn, base, "end"));
    CG(cg_dataclass_write(Dimensional));
    CG(cg_units_write(Kilogram, Meter, Second, Kelvin, Radian));
    CG(write_families(fn, base, m, names));
    for (int k = 0; k < m->nz; k++) {
        const cgsize_t ni = m->z[k].ni, nj = m->z[k].nj, nk = layers + 1;
        const cgsize_t size[9] = {ni, nj, nk, ni - 1, nj - 1, nk - 1, 0, 0, 0};
        CG(cg_zone_write(fn, base, m->z[k].name, size, Structured, &zone[k]));
    }
    for (int k = 0; k < m->nz; k++) {
        CG(write_coordinates(fn, base, zone[k], &m->z[k], span, layers));
        CG(write_patches(fn, base, zone[k], m, k, layers, names));
        CG(write_links(fn, base, zone[k], m, k, layers));
    }
    return EXIT_DONE;
}

// Written under a temporary name and renamed, so that a failure never leaves half a mesh.
int write_cgns(const char *path, const struct mesh *m, const struct mesh *solid, double span,
               int layers)
{
    static const struct names fluid = {AN_CGNS_BASE, "hub", "shroud"},
                              metal = {AN_CGNS_SOLID, "solid_hub", "solid_shroud"};
    const size_t size = strlen(path) + 8;
    char *temporary = malloc(size);
    int fn, rc = EXIT_FAILED;
    if (!temporary)
        return EXIT_FAILED;
    snprintf(temporary, size, "%s.part", path);
    if (!cg_set_file_type(CG_FILE_HDF5) && !cg_open(temporary, CG_MODE_WRITE, &fn)) {
        rc = write_base(fn, m, &fluid, span, layers);
        if (!rc && solid)
            rc = write_base(fn, solid, &metal, span, layers);
        if (rc)
            fprintf(stderr, "%s: error: %s\n", path, cg_get_error());
        if (cg_close(fn) && !rc) {
            fprintf(stderr, "%s: error: %s\n", path, cg_get_error());
            rc = EXIT_FAILED;
        }
    } else {
        fprintf(stderr, "%s: error: %s\n", path, cg_get_error());
    }
    if (!rc && rename(temporary, path)) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        rc = EXIT_FAILED;
    }
    if (rc)
        remove(temporary);
    free(temporary);
    return rc;
}
