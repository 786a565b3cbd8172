// The mesh as a CGNS file: families, zones, patches, one-to-one interfaces in both directions.
#include "row.h"

#include <cgnslib.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CG(call)                \
    do {                        \
        if (call)               \
            return EXIT_FAILED; \
    } while (0)

static int write_families(const struct row *r, int fn, int base)
{
    static const struct {
        const char *name;
        BCType_t type;
    } family[] = {{"inlet", BCInflow},
                  {"outlet", BCOutflow},
                  {"hub", BCWallViscous},
                  {"shroud", BCWallViscous},
                  {"blade", BCWallViscous},
                  {"hub_up", BCWallViscous},
                  {"hub_down", BCWallViscous},
                  {"tip", BCWallViscous},
                  {"splitter", BCWallViscous},
                  {"splitter_tip", BCWallViscous},
                  {"splitter_2", BCWallViscous},
                  {"splitter_2_tip", BCWallViscous},
                  {"hub_tip", BCWallViscous},
                  {"splitter_hub_tip", BCWallViscous},
                  {"splitter_2_hub_tip", BCWallViscous}};
    for (size_t k = 0; k < sizeof family / sizeof family[0]; k++) {
        int fam, bc;
        bool used = false;
        for (int f = 0; f < r->nface; f++)
            used = used || strcmp(r->face[f].family, family[k].name) == 0;
        if (!used)
            continue;
        CG(cg_family_write(fn, base, family[k].name, &fam));
        CG(cg_fambc_write(fn, base, fam, "FamBC", family[k].type, &bc));
    }
    return EXIT_DONE;
}

// Dimensional exponents of the array the goto position stands on: metres or radians.
static int write_exponents(bool angle)
{
    const float length[5] = {0, 1, 0, 0, 0}, radian[5] = {0, 0, 0, 0, 1};
    CG(cg_exponents_write(RealSingle, angle ? radian : length));
    return EXIT_DONE;
}

static int write_coordinates(const struct block *b, int fn, int base, int zone)
{
    static const char *const name[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    for (int d = 0; d < 3; d++) {
        int coord;
        CG(cg_coord_write(fn, base, zone, RealDouble, name[d], b->x[d], &coord));
        CG(cg_goto(fn, base, "Zone_t", zone, "GridCoordinates_t", 1, name[d], 0, "end"));
        CG(write_exponents(false));
    }
    return EXIT_DONE;
}

static void range_of(const int lo[3], const int hi[3], cgsize_t range[6])
{
    for (int d = 0; d < 3; d++) {
        range[d] = lo[d] + 1;
        range[d + 3] = hi[d] + 1;
    }
}

static int write_faces(const struct row *r, int z, int fn, int base, int zone)
{
    for (int l = 0; l < r->nface; l++) {
        const struct face *f = &r->face[l];
        cgsize_t range[6];
        int bc;
        if (f->zone != z)
            continue;
        range_of(f->lo, f->hi, range);
        CG(cg_boco_write(fn, base, zone, f->family, FamilySpecified, PointRange, 2, range, &bc));
        CG(cg_goto(fn, base, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", bc, "end"));
        CG(cg_famname_write(f->family));
    }
    return EXIT_DONE;
}

static int write_periodic(const struct row *r, int turn, int fn, int base, int zone, int id,
                          const char *name)
{
    static const char *const array[3] = {"RotationCenter", "RotationAngle", "Translation"};
    const float zero[3] = {0, 0, 0}, angle[3] = {(float)(turn * 2 * M_PI / r->in.blades), 0, 0};
    CG(cg_1to1_periodic_write(fn, base, zone, id, zero, angle, zero));
    for (int k = 0; k < 3; k++) {
        CG(cg_goto(fn, base, "Zone_t", zone, "ZoneGridConnectivity_t", 1, name, 0,
                   "GridConnectivityProperty_t", 1, "Periodic_t", 1, array[k], 0, "end"));
        CG(write_exponents(k == 1));
    }
    return EXIT_DONE;
}

static int write_joints(const struct row *r, int z, int fn, int base, int zone)
{
    for (int l = 0; l < r->njoint; l++) {
        const struct joint *j = &r->joint[l];
        cgsize_t range[6], donor[6];
        char name[33];
        int id;
        if (j->zone != z)
            continue;
        range_of(j->lo, j->hi, range);
        range_of(j->from, j->to, donor);
        snprintf(name, sizeof name, "%s_%d", j->turn ? "periodic" : "match", l + 1);
        CG(cg_1to1_write(fn, base, zone, name, r->block[j->donor].name, range, donor, j->transform,
                         &id));
        if (j->turn)
            CG(write_periodic(r, j->turn, fn, base, zone, id, name));
    }
    return EXIT_DONE;
}

static int write_base(const struct row *r, int fn, bool folded)
{
    int base, zone[ALL_ZONES];
    // the mesh reader of the solver (io/mesh.c) refuses a base of this name
    CG(cg_base_write(fn, folded ? "FoldedCells" : "Base", 3, 3, &base));
    CG(cg_goto(fn, base, "end"));
    CG(cg_dataclass_write(Dimensional));
    CG(cg_units_write(Kilogram, Meter, Second, Kelvin, Radian));
    CG(write_families(r, fn, base));
    for (int z = 0; z < r->nblock; z++) {
        const int *n = r->block[z].n;
        const cgsize_t size[9] = {n[0], n[1], n[2], n[0] - 1, n[1] - 1, n[2] - 1, 0, 0, 0};
        CG(cg_zone_write(fn, base, r->block[z].name, size, Structured, &zone[z]));
    }
    for (int z = 0; z < r->nblock; z++) {
        CG(write_coordinates(&r->block[z], fn, base, zone[z]));
        CG(write_faces(r, z, fn, base, zone[z]));
        CG(write_joints(r, z, fn, base, zone[z]));
    }
    return EXIT_DONE;
}

// Written under a temporary name and renamed, so that a failure never leaves half a mesh.
int row_write(const struct row *r, const char *path, bool folded)
{
    const size_t size = strlen(path) + 8;
    char *temporary = malloc(size);
    int fn, rc = AN_OK;
    AN_CHECK(temporary, AN_FAIL, "out of memory");
    snprintf(temporary, size, "%s.part", path);
    if (!cg_set_file_type(CG_FILE_HDF5) && !cg_open(temporary, CG_MODE_WRITE, &fn)) {
        if (write_base(r, fn, folded))
            rc = an_error_set(AN_FAIL, "%s: error: %s", path, cg_get_error());
        if (cg_close(fn) && !rc)
            rc = an_error_set(AN_FAIL, "%s: error: %s", path, cg_get_error());
    } else {
        rc = an_error_set(AN_FAIL, "%s: error: %s", path, cg_get_error());
    }
    if (!rc && rename(temporary, path))
        rc = an_error_set(AN_FAIL, "%s: error: %s", path, strerror(errno));
    if (rc)
        remove(temporary);
    free(temporary);
    return rc;
}
