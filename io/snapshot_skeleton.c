/* All of a snapshot but the cells' values, through the CGNS library (and its serial HDF5). */
#include <cgnslib.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/cgns_names.h"
#include "io/snapshot_file.h"

/* Closes over `path`, which every function here has as an argument. */
#define CG(call) \
    AN_CHECK((call) == CG_OK, AN_FAIL, "%s cannot be written: %s", path, cg_get_error())

int64_t an_snapshot_overhead(const struct an_topology *t, int nfield)
{
    /* a CGNS node takes 0.6 KiB in HDF5 (measured) */
    const int64_t nodes = t->nblock * (nfield + 16L) + 4L * t->npatch + 3L * t->nboundary + 32;
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

/* Patches of one zone, named after their boundary; the second of a name gets a number. */
static int write_patches(const char *path, int fn, int zone, const struct an_topology *t)
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
        CG(cg_boco_write(fn, 1, zone + 1, name, CGNS_ENUMV(FamilySpecified), CGNS_ENUMV(PointRange),
                         2, range[0], &bc));
        CG(cg_goto(fn, 1, "Zone_t", zone + 1, "ZoneBC_t", 1, "BC_t", bc, "end"));
        CG(cg_famname_write(family));
    }
    return AN_OK;
}

/* Each field is made by writing one cell of it: that gives the dataset its full size in the file,
 * and the values themselves are not at hand here. */
static int write_fields(const char *path, int fn, int zone, const struct an_snapshot_record *r)
{
    int solution, field;
    CG(cg_sol_write(fn, 1, zone + 1, AN_CGNS_SOLUTION, CGNS_ENUMV(CellCenter), &solution));
    const cgsize_t one[3] = {1, 1, 1};
    const double nothing = 0;
    CGNS_ENUMT(DataType_t)
    type = r->meta.precision == AN_SINGLE ? CGNS_ENUMV(RealSingle) : CGNS_ENUMV(RealDouble);
    for (int n = 0; n < r->nfield; n++) {
        CG(cg_field_partial_write(fn, 1, zone + 1, solution, type, r->field[n], one, one, &nothing,
                                  &field));
        CG(cg_goto(fn, 1, "Zone_t", zone + 1, "FlowSolution_t", solution, "DataArray_t", field,
                   "end"));
        CG(an_cgns_exponents_write(r->field[n]));
    }
    CG(an_cgns_pointers_write(fn, 1, zone + 1));
    return AN_OK;
}

static int write_zone(const char *path, int fn, int zone, const struct an_topology *t,
                      const struct an_snapshot_record *r)
{
    const struct an_zone *z = &t->block[zone];
    const cgsize_t size[9] = {z->n[0] + 1, z->n[1] + 1, z->n[2] + 1, z->n[0], z->n[1], z->n[2]};
    int index;
    CG(cg_zone_write(fn, 1, z->name, size, CGNS_ENUMV(Structured), &index));
    AN_CHECK(index == zone + 1, AN_FAIL, "%s: zone '%s' is there twice", path, z->name);
    char target[128];
    snprintf(target, sizeof target, "/" AN_CGNS_BASE "/%s/" AN_CGNS_COORDINATES, z->name);
    CG(cg_goto(fn, 1, "Zone_t", zone + 1, "end"));
    CG(cg_link_write(AN_CGNS_COORDINATES, AN_GRID_FILE, target));
    AN_TRY(write_patches(path, fn, zone, t));
    return write_fields(path, fn, zone, r);
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
    return AN_OK;
}

static int write_all(const char *path, int fn, const struct an_topology *t,
                     const struct an_snapshot_record *r)
{
    AN_TRY(write_base(path, fn, r));
    AN_TRY(write_families(path, fn, t));
    for (int zone = 0; zone < t->nblock; zone++)
        AN_TRY(write_zone(path, fn, zone, t, r));
    return AN_OK;
}

int an_snapshot_skeleton(const char *path, const struct an_mesh *mesh,
                         const struct an_snapshot_record *record)
{
    int fn;
    CG(cg_set_file_type(CG_FILE_HDF5));
    CG(cg_open(path, CG_MODE_WRITE, &fn));
    int status = write_all(path, fn, &mesh->topology, record);
    if (cg_close(fn) != CG_OK && status == AN_OK)
        status = an_error_set(AN_FAIL, "%s cannot be written: %s", path, cg_get_error());
    return status;
}
