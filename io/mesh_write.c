#include "io/mesh_write.h"

#include "io/atomic.h"
#include "io/case.h"
#include "io/cgns_names.h"
#include "io/output_file.h"

#include <assert.h>
#include <cgnslib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CG(call) \
    AN_CHECK((call) == CG_OK, AN_FAIL, "CGNS cannot write (is the disk full?): %s", cg_get_error())

int an_mesh_write_apart(const char *path, const char *input)
{
    AN_CHECK(!an_same_file(path, input), AN_INPUT,
             "'%s' is '%s', which is read: it would be written over", path, input);
    return AN_OK;
}

/* What is written until it is whole. */
static int part_of(const char *path, char part[AN_PATH])
{
    AN_CHECK(snprintf(part, AN_PATH, "%s.part", path) < AN_PATH, AN_INPUT,
             "'%.60s...': too long a name", path);
    return AN_OK;
}

int an_mesh_write_base(int fn, const char *name, int *base)
{
    CG(cg_base_write(fn, name, 3, 3, base));
    CG(cg_goto(fn, *base, "end"));
    CG(cg_units_write(Kilogram, Meter, Second, Kelvin, Radian));
    return AN_OK;
}

int an_mesh_write_new(const char *path, int *fn)
{
    char part[AN_PATH];
    AN_TRY(part_of(path, part));
    AN_CHECK(cg_open(part, CG_MODE_WRITE, fn) == CG_OK, AN_FAIL, "%s cannot be written: %s", part,
             cg_get_error());
    int base;
    const int status = an_mesh_write_base(*fn, AN_CGNS_BASE, &base);
    assert(status != AN_OK || base == AN_MESH_GAS);
    (void)base;
    return status == AN_OK ? AN_OK : an_mesh_write_end(path, *fn, status);
}

/* Is a boundary written as connections to its other side? */
static int is_connected(const struct an_topology *t, int b)
{
    const enum an_bc_type type = t->boundary[b].type;
    return (type == AN_BC_MIXING_PLANE || type == AN_BC_ABUTTING) && t->boundary[b].with[0];
}

int an_mesh_write_families(int fn, int base, const struct an_topology *t)
{
    for (int b = 0; b < t->nboundary; b++) {
        int family, bc;
        if (is_connected(t, b))
            continue;
        CG(cg_family_write(fn, base, t->boundary[b].name, &family));
        CG(cg_fambc_write(fn, base, family, "FamBC",
                          (BCType_t)an_cgns_bc_type(t->boundary[b].type, BCTypeNull), &bc));
    }
    return AN_OK;
}

static int close_file(int fn)
{
    CG(cg_close(fn));
    return AN_OK;
}

int an_mesh_write_end(const char *path, int fn, int status)
{
    char part[AN_PATH], why[512];
    snprintf(why, sizeof why, "%.511s", status == AN_OK ? "" : an_error_text());
    const int closed = close_file(fn);
    if (closed != AN_OK && status == AN_OK) {
        status = closed;
        snprintf(why, sizeof why, "%.511s", an_error_text());
    }
    AN_TRY(part_of(path, part));
    if (status == AN_OK)
        return an_atomic_rename(part, path);
    remove(part);
    return status == AN_INPUT ? an_error_set(AN_INPUT, "%s", why)
                              : an_error_set(status, "%s: %s", path, why);
}

/* Nodes of a window: CGNS numbers. */
static void range_of(const struct an_topology *t, const struct an_window *w, cgsize_t range[6])
{
    for (int d = 0; d < 3; d++) {
        const int plane = w->side ? t->block[w->block].n[d] : 0;
        range[d] = 1 + (d == w->dir ? plane : w->lo[d]);
        range[3 + d] = 1 + (d == w->dir ? plane : w->hi[d]);
    }
}

/* A zone on the other side of mixing plane or abutting interface b. */
static const char *donor_of(const struct an_topology *t, int b)
{
    const int other = an_boundary_find(t, t->boundary[b].with);
    for (int p = 0; p < t->npatch; p++)
        if (t->patch[p].boundary == other)
            return t->block[t->patch[p].window.block].name;
    return t->block[0].name;
}

/* x_here = R x_donor + t; the file says how to get from here to the donor. */
static void motion_of(const double rotation[9], const double translation[3], int periodic,
                      float angle[3], float shift[3])
{
    for (int r = 0; r < 3; r++) {
        double back = 0;
        for (int c = 0; c < 3; c++)
            back -= rotation[3 * c + r] * translation[c];
        shift[r] = (float)back;
        angle[r] = 0;
    }
    if (periodic == 2)
        angle[0] = -(float)atan2(rotation[7], rotation[4]);
}

static int write_periodicity(const struct an_interface *f, int fn, int base, int zone, int id)
{
    const float centre[3] = {0, 0, 0};
    float angle[3], shift[3];
    motion_of(f->rotation, f->translation, f->periodic, angle, shift);
    CG(cg_1to1_periodic_write(fn, base, zone, id, centre, angle, shift));
    return AN_OK;
}

/* One connection for each patch, called as its boundary: the name is read back from it. Further
 * ones of a boundary and zone get the number of the patch. */
static int write_connection(int fn, int base, const struct an_topology *t, int p, int zone)
{
    const int b = t->patch[p].boundary;
    char name[AN_NAME];
    cgsize_t range[6];
    int id, taken = 0;
    range_of(t, &t->patch[p].window, range);
    for (int q = 0; q < p; q++)
        taken |= t->patch[q].boundary == b && t->patch[q].window.block == t->patch[p].window.block;
    if (taken)
        snprintf(name, sizeof name, "%.20s#%d", t->boundary[b].name, p);
    else
        snprintf(name, sizeof name, "%s", t->boundary[b].name);
    CG(cg_conn_write_short(fn, base, zone, name, Vertex, Abutting, PointRange, 2, range,
                           donor_of(t, b), &id));
    const struct an_boundary *side = &t->boundary[b];
    if (side->type == AN_BC_MIXING_PLANE)
        CG(cg_conn_average_write(fn, base, zone, id, AverageCircumferential));
    if (side->type == AN_BC_ABUTTING && side->periodic) {
        const float centre[3] = {0, 0, 0};
        float angle[3], shift[3];
        motion_of(side->rotation, side->translation, side->periodic, angle, shift);
        CG(cg_conn_periodic_write(fn, base, zone, id, centre, angle, shift));
    }
    return AN_OK;
}

static int write_patches(int fn, int base, const struct an_topology *t, int z, int zone)
{
    for (int p = 0; p < t->npatch; p++) {
        if (t->patch[p].window.block != z)
            continue;
        if (is_connected(t, t->patch[p].boundary)) {
            AN_TRY(write_connection(fn, base, t, p, zone));
            continue;
        }
        char patch[AN_NAME];
        cgsize_t range[6];
        int bc;
        range_of(t, &t->patch[p].window, range);
        snprintf(patch, sizeof patch, "patch%d", p);
        CG(cg_boco_write(fn, base, zone, patch, FamilySpecified, PointRange, 2, range, &bc));
        CG(cg_goto(fn, base, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", bc, "end"));
        CG(cg_famname_write(t->boundary[t->patch[p].boundary].name));
    }
    return AN_OK;
}

int an_mesh_write_interfaces(int fn, int base, const struct an_topology *t, int z, int zone)
{
    for (int i = 0; i < t->ninterface; i++) {
        const struct an_interface *f = &t->interface[i];
        if (f->window.block != z)
            continue;
        const struct an_cellmap nodes = an_cellmap_nodes(&f->map);
        char name[AN_NAME];
        cgsize_t range[6], there[6];
        int transform[3], id;
        range_of(t, &f->window, range);
        for (int end = 0; end < 2; end++) {
            int at[3];
            for (int d = 0; d < 3; d++)
                at[d] = (int)range[3 * end + d] - 1;
            an_cellmap_apply(&nodes, at, at);
            for (int d = 0; d < 3; d++)
                there[3 * end + d] = at[d] + 1;
        }
        for (int d = 0; d < 3; d++)
            transform[d] = f->map.sign[d] * (f->map.perm[d] + 1);
        snprintf(name, sizeof name, "join%d", i);
        CG(cg_1to1_write(fn, base, zone, name, t->block[f->donor].name, range, there, transform,
                         &id));
        if (f->periodic)
            AN_TRY(write_periodicity(f, fn, base, zone, id));
    }
    return AN_OK;
}

int an_mesh_write_rotation(int fn, int base, int zone, double omega)
{
    const float rate[3] = {(float)omega, 0, 0}, centre[3] = {0, 0, 0};
    CG(cg_goto(fn, base, "Zone_t", zone, "end"));
    CG(cg_rotating_write(rate, centre));
    return AN_OK;
}

int an_mesh_write_zone(int fn, int base, const struct an_topology *t, int z, const double *x)
{
    const struct an_zone *block = &t->block[z];
    const int *n = block->n;
    const cgsize_t size[9] = {n[0] + 1, n[1] + 1, n[2] + 1, n[0], n[1], n[2], 0, 0, 0};
    const size_t count = (size_t)size[0] * (size_t)size[1] * (size_t)size[2];
    int zone, id;
    CG(cg_zone_write(fn, base, block->name, size, Structured, &zone));
    for (int c = 0; c < 3; c++)
        CG(cg_coord_write(fn, base, zone, RealDouble, an_cgns_coordinate[c], x + (size_t)c * count,
                          &id));
    if (block->family[0]) {
        CG(cg_goto(fn, base, "Zone_t", zone, "end"));
        CG(cg_famname_write(block->family));
    }
    if (block->rotates)
        AN_TRY(an_mesh_write_rotation(fn, base, zone, block->omega));
    AN_TRY(write_patches(fn, base, t, z, zone));
    return an_mesh_write_interfaces(fn, base, t, z, zone);
}
