/* All of a snapshot but the cells' values, through the CGNS library (and its serial HDF5). */
#include <cgnslib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/cgns_names.h"
#include "io/mesh_write.h"
#include "io/snapshot_file.h"
#include "io/temporary.h"

/* Closes over `path`, which every function here has as an argument. */
#define CG(call) \
    AN_CHECK((call) == CG_OK, AN_FAIL, "%s cannot be written: %s", path, cg_get_error())

int64_t an_snapshot_overhead(const struct an_topology *t, int nfield)
{
    /* a CGNS node takes 0.6 KiB in HDF5 (measured) */
    const int64_t nodes =
        t->nblock * (nfield + 20L) + 4L * t->npatch + 3L * t->nboundary + 10L * t->ninterface + 32;
    return nodes * 1024;
}

static int write_families(const char *path, int fn, const struct an_topology *t)
{
    for (int n = 0; n < t->nboundary; n++) {
        int family, bc;
        CG(cg_family_write(fn, 1, t->boundary[n].name, &family));
        CG(cg_fambc_write(fn, 1, family, "FamilyBC",
                          (CGNS_ENUMT(BCType_t))an_cgns_bc_type(t->boundary[n].type,
                                                                CGNS_ENUMV(BCTypeUserDefined)),
                          &bc));
    }
    return AN_OK;
}

/* Patches of one zone, which has a number in the file, named after their boundary; the second of a name gets a number. */
static int write_patches(const char *path, int fn, int zone, int number,
                         const struct an_topology *t)
{
    for (int n = 0, count = 0; n < t->npatch; n++) {
        const struct an_window *w = &t->patch[n].window;
        if (w->block != zone)
            continue;
        const char *family = t->boundary[t->patch[n].boundary].name;
        char name[AN_NAME];
        int taken = 0;
        for (int m = 0; m < n; m++)
            taken |=
                t->patch[m].window.block == zone && t->patch[m].boundary == t->patch[n].boundary;
        if (taken)
            snprintf(name, sizeof name, "%.20s#%d", family, ++count);
        else
            snprintf(name, sizeof name, "%s", family);
        cgsize_t range[2][3];
        for (int m = 0; m < 3; m++) {
            range[0][m] = w->lo[m] + 1; /* vertices, from 1 */
            range[1][m] = w->hi[m] + 1;
        }
        range[0][w->dir] = range[1][w->dir] = w->side ? t->block[zone].n[w->dir] + 1 : 1;
        int bc;
        CG(cg_boco_write(fn, 1, number, name, CGNS_ENUMV(FamilySpecified), CGNS_ENUMV(PointRange),
                         2, range[0], &bc));
        CG(cg_goto(fn, 1, "Zone_t", number, "ZoneBC_t", 1, "BC_t", bc, "end"));
        CG(cg_famname_write(family));
    }
    return AN_OK;
}

/* Each field is made by writing one cell of it: that gives the dataset its full size in the file,
 * and the values themselves are not at hand here. */
static int write_fields(const char *path, int fn, int number, const struct an_snapshot_record *r)
{
    int solution, field;
    CG(cg_sol_write(fn, 1, number, AN_CGNS_SOLUTION, CGNS_ENUMV(CellCenter), &solution));
    const cgsize_t one[3] = {1, 1, 1};
    const double nothing = 0;
    CGNS_ENUMT(DataType_t)
    type = r->meta.precision == AN_SINGLE ? CGNS_ENUMV(RealSingle) : CGNS_ENUMV(RealDouble);
    for (int n = 0; n < r->nfield; n++) {
        CG(cg_field_partial_write(fn, 1, number, solution, type, r->field[n], one, one, &nothing,
                                  &field));
        CG(cg_goto(fn, 1, "Zone_t", number, "FlowSolution_t", solution, "DataArray_t", field,
                   "end"));
        CG(an_cgns_exponents_write(r->field[n]));
    }
    CG(an_cgns_pointers_write(fn, 1, number));
    return AN_OK;
}

/* Closes over `grid`, the name of that file, in place of `path`. */
#define CG_READ(call) \
    AN_CHECK((call) == CG_OK, AN_FAIL, "%s cannot be read again: %s", grid, cg_get_error())

/* One coordinate of a zone from grid.cgns, where it has number `old`, plane by plane of k. */
static int copy_coordinate(const char *path, int fn, const char *grid, int from, int old,
                           int number, const int n[3], const char *name, double *plane)
{
    for (int k = 1; k <= n[2] + 1; k++) {
        const cgsize_t lo[3] = {1, 1, k}, hi[3] = {n[0] + 1, n[1] + 1, k};
        int coordinate;
        CG_READ(cg_coord_read(from, 1, old, name, CGNS_ENUMV(RealDouble), lo, hi, plane));
        CG(cg_coord_partial_write(fn, 1, number, CGNS_ENUMV(RealDouble), name, lo, hi, plane,
                                  &coordinate));
    }
    return AN_OK;
}

/* The number of a zone in an open grid.cgns. */
static int number_of(const char *grid, int from, const struct an_zone *z, int *number)
{
    int n;
    char name[AN_NAME];
    cgsize_t size[9];
    CG_READ(cg_nzones(from, 1, &n));
    for (*number = 1; *number <= n; ++*number) {
        CG_READ(cg_zone_read(from, 1, *number, name, size));
        if (!strcmp(name, z->name))
            return AN_OK;
    }
    return an_error_set(AN_FAIL, "%s has no zone '%s'", grid, z->name);
}

/* The coordinates of a zone: themselves, or a link to them. from: handle of grid.cgns; < 0: a link. */
static int write_coordinates(const char *path, int fn, const char *grid, int from, int number,
                             const struct an_zone *z)
{
    char target[128];
    if (from < 0) {
        snprintf(target, sizeof target, "/" AN_CGNS_BASE "/%s/" AN_CGNS_COORDINATES, z->name);
        CG(cg_goto(fn, 1, "Zone_t", number, "end"));
        CG(cg_link_write(AN_CGNS_COORDINATES, AN_GRID_FILE, target));
        return AN_OK;
    }
    int old = 0;
    AN_TRY(number_of(grid, from, z, &old));
    double *plane = malloc((size_t)(z->n[0] + 1) * (size_t)(z->n[1] + 1) * sizeof *plane);
    AN_CHECK(plane, AN_FAIL, "out of memory");
    int status = AN_OK;
    for (int m = 0; m < 3 && status == AN_OK; m++)
        status =
            copy_coordinate(path, fn, grid, from, old, number, z->n, an_cgns_coordinate[m], plane);
    free(plane);
    for (int m = 0; m < 3 && status == AN_OK; m++) {
        CG(cg_goto(fn, 1, "Zone_t", number, "GridCoordinates_t", 1, "DataArray_t", m + 1, "end"));
        CG(an_cgns_exponents_write(an_cgns_coordinate[m]));
    }
    return status;
}

static int write_zone(const char *path, int fn, const char *grid, int from, int zone,
                      const struct an_topology *t, const struct an_snapshot_record *r)
{
    const struct an_zone *z = &t->block[zone];
    const cgsize_t size[9] = {z->n[0] + 1, z->n[1] + 1, z->n[2] + 1, z->n[0], z->n[1], z->n[2]};
    int number;
    CG(cg_zone_write(fn, 1, z->name, size, CGNS_ENUMV(Structured), &number));
    AN_TRY(write_coordinates(path, fn, grid, from, number, z));
    const double omega = r->meta.omega ? r->meta.omega[zone] : z->rotates ? z->omega : 0;
    if (omega != 0)
        AN_TRY(an_mesh_write_rotation(fn, AN_MESH_GAS, number, omega));
    AN_TRY(write_patches(path, fn, zone, number, t));
    AN_TRY(an_mesh_write_interfaces(fn, AN_MESH_GAS, t, zone, number));
    return write_fields(path, fn, number, r);
}

int an_snapshot_time(const char *path, int fn, const struct an_snapshot_meta *m)
{
    CG(cg_simulation_type_write(
        fn, 1, m->time > 0 ? CGNS_ENUMV(TimeAccurate) : CGNS_ENUMV(NonTimeAccurate)));
    CG(cg_goto(fn, 1, "end"));
    CG(an_cgns_units_write());
    /* ParaView orders a series by TimeValues and takes files of equal time for parts of one step:
     * steady runs have to count iterations there. */
    const double time = m->time > 0 ? m->time : (double)m->iteration;
    /* CGNS takes no longer integers here; the record has the exact number. */
    const int iteration = m->iteration < INT_MAX ? (int)m->iteration : INT_MAX;
    const cgsize_t one = 1;
    CG(cg_biter_write(fn, 1, "TimeIterValues", 1));
    CG(cg_goto(fn, 1, "BaseIterativeData_t", 1, "end"));
    CG(cg_array_write("TimeValues", CGNS_ENUMV(RealDouble), 1, &one, &time));
    CG(cg_goto(fn, 1, "BaseIterativeData_t", 1, "DataArray_t", 1, "end"));
    CG(an_cgns_exponents_write("TimeValues"));
    CG(cg_goto(fn, 1, "BaseIterativeData_t", 1, "end"));
    CG(cg_array_write("IterationValues", CGNS_ENUMV(Integer), 1, &one, &iteration));
    return AN_OK;
}

static int write_base(const char *path, int fn, const struct an_snapshot_record *r)
{
    int base;
    CG(cg_base_write(fn, AN_CGNS_BASE, 3, 3, &base));
    AN_TRY(an_snapshot_time(path, fn, &r->meta));
    char *text = an_snapshot_record_print(r);
    AN_CHECK(text, AN_FAIL, "out of memory");
    CG(cg_goto(fn, 1, "end"));
    int status = cg_descriptor_write(AN_SNAPSHOT_RECORD, text);
    free(text);
    CG(status);
    CG(cg_goto(fn, 1, "end"));
    CG(cg_descriptor_write("Coordinates", r->meta.embed_grid
                                              ? "The coordinates are in this file."
                                              : "The coordinates are in " AN_GRID_FILE
                                                ", which has to lie in the folder of this file: "
                                                "without it programs find no mesh here. With "
                                                "output.embed_grid: true in the case each snapshot "
                                                "contains them."));
    return AN_OK;
}

static int write_all(const char *path, int fn, const char *grid, int from,
                     const struct an_mesh *mesh, const struct an_snapshot_record *r)
{
    const struct an_topology *t = &mesh->topology;
    AN_TRY(write_base(path, fn, r));
    AN_TRY(write_families(path, fn, t));
    for (int place = 0; place < t->nblock; place++)
        AN_TRY(write_zone(path, fn, grid, from, an_mesh_listed(mesh, place), t, r));
    return AN_OK;
}

int an_snapshot_skeleton(const char *path, const struct an_mesh *mesh,
                         const struct an_snapshot_record *record)
{
    int fn, from = -1;
    char grid[AN_TEMPORARY + sizeof AN_GRID_FILE];
    const char *end = strrchr(path, '/');
    snprintf(grid, sizeof grid, "%.*s" AN_GRID_FILE, end ? (int)(end - path) + 1 : 0, path);
    if (record->meta.embed_grid)
        CG_READ(cg_open(grid, CG_MODE_READ, &from));
    CG(cg_set_file_type(CG_FILE_HDF5));
    CG(cg_open(path, CG_MODE_WRITE, &fn));
    int status = write_all(path, fn, grid, from, mesh, record);
    if (from >= 0 && cg_close(from) != CG_OK && status == AN_OK)
        status = an_error_set(AN_FAIL, "%s cannot be read again: %s", grid, cg_get_error());
    if (cg_close(fn) != CG_OK && status == AN_OK)
        status = an_error_set(AN_FAIL, "%s cannot be written: %s", path, cg_get_error());
    return status;
}
