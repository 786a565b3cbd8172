// The mesh as a CGNS file: families, zones, patches, one-to-one interfaces in both directions.
#include "io/cgns_names.h"
#include "kernels/base/units.h"
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

// A row that is written, among others or alone.
struct writing {
    const struct project *p;
    int k; // which row
    const struct row *r;
    const struct grid *g; // of this row
    int fn, base;
};

// The row's name before that of a zone or a boundary.
static void name_of(const struct writing *w, const char *name, char to[80])
{
    snprintf(to, 80, "%s%s%s", w->p->name[w->k], w->p->several ? "_" : "", name);
}

// Is the family a side of a mixing plane, which connections say? other: the row on the other side.
static bool is_plane(const struct writing *w, const char *family, int *other)
{
    const bool in = strcmp(family, "inlet") == 0, out = strcmp(family, "outlet") == 0;
    *other = in ? w->k - 1 : w->k + 1;
    return w->p->planes == PLANES_MIXING && ((in && w->r->shared[0]) || (out && w->r->shared[1]));
}

static int write_families(const struct writing *w)
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
        int fam, bc, other;
        bool used = false;
        char name[80];
        for (int f = 0; f < w->g->nface; f++)
            used = used || strcmp(w->g->face[f].family, family[k].name) == 0;
        if (!used || is_plane(w, family[k].name, &other))
            continue;
        name_of(w, family[k].name, name);
        CG(cg_family_write(w->fn, w->base, name, &fam));
        CG(cg_fambc_write(w->fn, w->base, fam, "FamBC", family[k].type, &bc));
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

// A side of a mixing plane: the donor is any zone of the other row's side.
static int write_side(const struct writing *w, const struct face *f, int other, int zone,
                      const char *name)
{
    const struct row *far = &w->p->row[other];
    const struct writing there = {w->p, other, far, &far->grid, w->fn, w->base};
    const bool in = strcmp(f->family, "inlet") == 0;
    char donor[80];
    cgsize_t range[6];
    int id;
    name_of(&there, far->grid.block[zone_index(far, 0, in ? ZONE_OUTLET : ZONE_INLET)].name, donor);
    range_of(f->lo, f->hi, range);
    CG(cg_conn_write_short(w->fn, w->base, zone, name, Vertex, Abutting, PointRange, 2, range,
                           donor, &id));
    CG(cg_conn_average_write(w->fn, w->base, zone, id, AverageCircumferential));
    return EXIT_DONE;
}

static int write_faces(const struct writing *w, int z, int zone)
{
    for (int l = 0; l < w->g->nface; l++) {
        const struct face *f = &w->g->face[l];
        cgsize_t range[6];
        char name[80], own[90];
        int bc, other, before = 0; // patches of its family that the zone has so far
        if (f->zone != z)
            continue;
        for (int n = 0; n < l; n++)
            before += w->g->face[n].zone == z && strcmp(w->g->face[n].family, f->family) == 0;
        name_of(w, f->family, name);
        snprintf(own, sizeof own, before ? "%s_%d" : "%s", name, before + 1);
        if (is_plane(w, f->family, &other)) {
            CG(write_side(w, f, other, zone, name));
            continue;
        }
        range_of(f->lo, f->hi, range);
        CG(cg_boco_write(w->fn, w->base, zone, own, FamilySpecified, PointRange, 2, range, &bc));
        CG(cg_goto(w->fn, w->base, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", bc, "end"));
        CG(cg_famname_write(name));
    }
    return EXIT_DONE;
}

static int write_periodic(const struct writing *w, int turn, int zone, int id, const char *name)
{
    static const char *const array[3] = {"RotationCenter", "RotationAngle", "Translation"};
    const float zero[3] = {0, 0, 0}, angle[3] = {(float)(turn * 2 * M_PI / w->r->in.blades), 0, 0};
    CG(cg_1to1_periodic_write(w->fn, w->base, zone, id, zero, angle, zero));
    for (int k = 0; k < 3; k++) {
        CG(cg_goto(w->fn, w->base, "Zone_t", zone, "ZoneGridConnectivity_t", 1, name, 0,
                   "GridConnectivityProperty_t", 1, "Periodic_t", 1, array[k], 0, "end"));
        CG(write_exponents(k == 1));
    }
    return EXIT_DONE;
}

static int write_joints(const struct writing *w, int z, int zone)
{
    for (int l = 0; l < w->g->njoint; l++) {
        const struct joint *j = &w->g->joint[l];
        cgsize_t range[6], donor[6];
        char name[33], there[80];
        int id;
        if (j->zone != z)
            continue;
        range_of(j->lo, j->hi, range);
        range_of(j->from, j->to, donor);
        snprintf(name, sizeof name, "%s_%d", j->turn ? "periodic" : "match", l + 1);
        name_of(w, w->g->block[j->donor].name, there);
        CG(cg_1to1_write(w->fn, w->base, zone, name, there, range, donor, j->transform, &id));
        if (j->turn)
            CG(write_periodic(w, j->turn, zone, id, name));
    }
    return EXIT_DONE;
}

// The speed of a row among others, which `annulus init` takes into the case file.
static int write_speed(const struct writing *w, int zone)
{
    const float rate[3] = {(float)(w->r->in.rpm * AN_RPM), 0, 0}, centre[3] = {0, 0, 0};
    CG(cg_goto(w->fn, w->base, "Zone_t", zone, "end"));
    CG(cg_rotating_write(rate, centre));
    return EXIT_DONE;
}

static int write_zones(const struct writing *w, int *zone)
{
    for (int z = 0; z < w->g->nblock; z++) {
        const int *n = w->g->block[z].n;
        const cgsize_t size[9] = {n[0], n[1], n[2], n[0] - 1, n[1] - 1, n[2] - 1, 0, 0, 0};
        char name[80];
        name_of(w, w->g->block[z].name, name);
        CG(cg_zone_write(w->fn, w->base, name, size, Structured, &zone[z]));
    }
    return EXIT_DONE;
}

static int open_base(int fn, const char *name, int *base)
{
    CG(cg_base_write(fn, name, 3, 3, base));
    CG(cg_goto(fn, *base, "end"));
    CG(cg_dataclass_write(Dimensional));
    CG(cg_units_write(Kilogram, Meter, Second, Kelvin, Radian));
    return EXIT_DONE;
}

static int write_grid(const struct writing *w)
{
    int zone[MAX_BLOCKS];
    CG(write_zones(w, zone));
    for (int z = 0; z < w->g->nblock; z++) {
        CG(write_coordinates(&w->g->block[z], w->fn, w->base, zone[z]));
        CG(write_faces(w, z, zone[z]));
        CG(write_joints(w, z, zone[z]));
        if (w->g == &w->r->grid && (w->p->several || w->p->apart))
            CG(write_speed(w, zone[z]));
    }
    return EXIT_DONE;
}

// The families of the metal: the surface, the holes and the ends, which let no heat pass unless the case says so.
static int write_metal_families(const struct writing *w)
{
    for (int f = 0; f < w->g->nface; f++) {
        const char *family = w->g->face[f].family;
        int fam, bc;
        bool again = false;
        char name[80];
        for (int n = 0; n < f; n++)
            again = again || strcmp(w->g->face[n].family, family) == 0;
        if (again)
            continue;
        name_of(w, family, name);
        CG(cg_family_write(w->fn, w->base, name, &fam));
        CG(cg_fambc_write(w->fn, w->base, fam, "FamBC",
                          strncmp(family, "solid_", 6) == 0 ? BCSymmetryPlane : BCWall, &bc));
    }
    return EXIT_DONE;
}

// The metal of all rows that have one, in a base beside that of the gas.
static int write_metal(const struct project *p, int fn)
{
    int base = 0;
    for (int k = 0; k < p->n; k++) {
        if (!p->row[k].metal)
            continue;
        if (!base)
            CG(open_base(fn, AN_CGNS_SOLID, &base));
        const struct writing w = {p, k, &p->row[k], p->row[k].metal, fn, base};
        CG(write_metal_families(&w));
        CG(write_grid(&w));
    }
    return EXIT_DONE;
}

static int write_base(const struct project *p, int fn, bool folded)
{
    int base;
    // the mesh reader of the solver (io/mesh.c) refuses a base of this name
    CG(open_base(fn, folded ? "FoldedCells" : AN_CGNS_BASE, &base));
    for (int k = 0; k < p->n; k++)
        CG(write_families(&(struct writing){p, k, &p->row[k], &p->row[k].grid, fn, base}));
    for (int k = 0; k < p->n; k++)
        CG(write_grid(&(struct writing){p, k, &p->row[k], &p->row[k].grid, fn, base}));
    return write_metal(p, fn);
}

// The longest name that CGNS allows has 32 characters.
static int check_grid_names(const struct project *p, int k, const struct grid *g)
{
    for (int n = 0; n < g->nblock + g->nface; n++) {
        char name[80];
        name_of(&(struct writing){p, k, &p->row[k], g, 0, 0},
                n < g->nblock ? g->block[n].name : g->face[n - g->nblock].family, name);
        AN_CHECK(strlen(name) <= 32, AN_INPUT,
                 "error: row '%s': '%s' has %zu characters, CGNS allows 32: give the row a "
                 "shorter 'name'",
                 p->name[k], name, strlen(name));
    }
    return AN_OK;
}

static int check_names(const struct project *p)
{
    for (int k = 0; k < p->n; k++) {
        AN_TRY(check_grid_names(p, k, &p->row[k].grid));
        if (p->row[k].metal)
            AN_TRY(check_grid_names(p, k, p->row[k].metal));
    }
    return AN_OK;
}

// Written under a temporary name and renamed, so that a failure never leaves half a mesh.
int project_write(const struct project *p, const char *path, bool folded)
{
    const size_t size = strlen(path) + 8;
    AN_TRY(check_names(p));
    char *temporary = malloc(size);
    int fn, rc = AN_OK;
    AN_CHECK(temporary, AN_FAIL, "out of memory");
    snprintf(temporary, size, "%s.part", path);
    if (!cg_set_file_type(CG_FILE_HDF5) && !cg_open(temporary, CG_MODE_WRITE, &fn)) {
        if (write_base(p, fn, folded))
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

int project_write_row(const struct project *p, int row, const char *path)
{
    const struct project one = {
        .apart = true, .n = 1, .row = &p->row[row], .planes = PLANES_SLIDING};
    return project_write(&one, path, false);
}
