#define _GNU_SOURCE
#include "io/surface.h"

#include <cgnslib.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/atomic.h"
#include "io/cgns_names.h"
#include "io/snapshot_file.h"

/* Closes over `path`, which every function here has as an argument. */
#define CG(call) \
    AN_CHECK((call) == CG_OK, AN_FAIL, "%s cannot be written: %s", path, cg_get_error())

static int write_families(const char *path, int fn, int n, const struct an_surface *surface)
{
    for (int s = 0; s < n; s++) {
        int family, bc, known = 0;
        for (int other = 0; other < s; other++)
            known |= !strcmp(surface[other].family, surface[s].family);
        if (known)
            continue;
        CG(cg_family_write(fn, 1, surface[s].family, &family));
        CG(cg_fambc_write(fn, 1, family, "FamilyBC", CGNS_ENUMV(BCWallViscous), &bc));
    }
    return AN_OK;
}

static int write_coordinates(const char *path, int fn, int zone, const struct an_surface *s)
{
    const int64_t nodes = (int64_t)(s->n[0] + 1) * (s->n[1] + 1);
    for (int c = 0; c < 3; c++) {
        int index;
        CG(cg_coord_write(fn, 1, zone, CGNS_ENUMV(RealDouble), an_cgns_coordinate[c],
                          s->x + c * nodes, &index));
        CG(cg_goto(fn, 1, "Zone_t", zone, "GridCoordinates_t", 1, "DataArray_t", c + 1, "end"));
        CG(an_cgns_exponents_write(an_cgns_coordinate[c]));
    }
    return AN_OK;
}

static int write_patch(const char *path, int fn, int nfield, const char *const *field_name,
                       const struct an_surface *s)
{
    const cgsize_t size[6] = {s->n[0] + 1, s->n[1] + 1, s->n[0], s->n[1], 0, 0};
    int zone, solution, index;
    CG(cg_zone_write(fn, 1, s->name, size, CGNS_ENUMV(Structured), &zone));
    CG(cg_goto(fn, 1, "Zone_t", zone, "end"));
    CG(cg_famname_write(s->family));
    AN_TRY(write_coordinates(path, fn, zone, s));
    CG(cg_sol_write(fn, 1, zone, AN_CGNS_SOLUTION, CGNS_ENUMV(CellCenter), &solution));
    for (int f = 0; f < nfield; f++) {
        CG(cg_field_write(fn, 1, zone, solution, CGNS_ENUMV(RealDouble), field_name[f],
                          s->field + (int64_t)f * s->n[0] * s->n[1], &index));
        CG(cg_goto(fn, 1, "Zone_t", zone, "FlowSolution_t", solution, "DataArray_t", index, "end"));
        CG(an_cgns_exponents_write(field_name[f]));
    }
    CG(an_cgns_pointers_write(fn, 1, zone));
    return AN_OK;
}

static int write_all(const char *path, int fn, const struct an_snapshot_meta *m, int nfield,
                     const char *const *field_name, int n, const struct an_surface *surface)
{
    int base;
    CG(cg_base_write(fn, AN_CGNS_BASE, 2, 3, &base));
    AN_TRY(an_snapshot_time(path, fn, m));
    AN_TRY(write_families(path, fn, n, surface));
    for (int s = 0; s < n; s++)
        AN_TRY(write_patch(path, fn, nfield, field_name, &surface[s]));
    return AN_OK;
}

static int write_file(const char *path, const struct an_snapshot_meta *m, int nfield,
                      const char *const *field_name, int n, const struct an_surface *surface)
{
    int fn;
    CG(cg_set_file_type(CG_FILE_HDF5));
    CG(cg_open(path, CG_MODE_WRITE, &fn));
    int status = write_all(path, fn, m, nfield, field_name, n, surface);
    if (cg_close(fn) != CG_OK && status == AN_OK)
        status = an_error_set(AN_FAIL, "%s cannot be written: %s", path, cg_get_error());
    return status;
}

static int64_t bytes_of(int nfield, int n, const struct an_surface *surface)
{
    int64_t words = 0;
    for (int s = 0; s < n; s++) {
        const int64_t a = surface[s].n[0], b = surface[s].n[1];
        words += nfield * a * b + 3 * (a + 1) * (b + 1);
    }
    /* a CGNS node takes 0.6 KiB in HDF5 (measured) */
    return words * (int64_t)sizeof(double) + 1024 * ((int64_t)n * (nfield + 20) + 32);
}

int an_surface_write(const char *folder, const char *stem, const struct an_snapshot_meta *meta,
                     int nfield, const char *const *field_name, int nsurface,
                     const struct an_surface *surface, char *path)
{
    char temporary[AN_TEMPORARY];
    AN_TRY(an_snapshot_path(folder, stem, meta->iteration, path));
    /* CGNS opens files with the locks of HDF5, which file systems without locks refuse. */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    AN_TRY(an_folder_check(folder));
    AN_TRY(an_room_try(path, bytes_of(nfield, nsurface, surface), temporary));
    int status = write_file(temporary, meta, nfield, field_name, nsurface, surface);
    if (status == AN_OK)
        return an_atomic_rename(temporary, path);
    unlink(temporary);
    return status;
}

/* The zone of a name; 0: there is none. size: as CGNS has it. */
static int find_zone(int fn, const char *name, cgsize_t size[6])
{
    int n = 0;
    char found[AN_NAME];
    if (cg_nzones(fn, 1, &n))
        return 0;
    for (int z = 1; z <= n; z++)
        if (!cg_zone_read(fn, 1, z, found, size) && !strcmp(found, name))
            return z;
    return 0;
}

static int read_field(const char *path, int fn, const struct an_surface *s, const char *name,
                      double *field)
{
    cgsize_t size[9] = {0};
    const int zone = find_zone(fn, s->name, size);
    const cgsize_t first[2] = {1, 1}, last[2] = {s->n[0], s->n[1]};
    AN_CHECK(zone, AN_INPUT, "%s has no patch '%s'", path, s->name);
    AN_CHECK(size[2] == s->n[0] && size[3] == s->n[1], AN_INPUT,
             "%s: patch '%s' has %lld x %lld faces, but the mesh has %d x %d there", path, s->name,
             (long long)size[2], (long long)size[3], s->n[0], s->n[1]);
    AN_CHECK(cg_field_read(fn, 1, zone, 1, name, CGNS_ENUMV(RealDouble), first, last, field) ==
                 CG_OK,
             AN_INPUT, "%s: patch '%s' has no field %s", path, s->name, name);
    return AN_OK;
}

int an_surface_read(const char *path, const struct an_surface *s, const char *field_name,
                    double *field)
{
    int fn;
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    AN_CHECK(access(path, R_OK) == 0 && cg_open(path, CG_MODE_READ, &fn) == CG_OK, AN_INPUT,
             "%s cannot be read as the file of a run's walls", path);
    const int status = read_field(path, fn, s, field_name, field);
    cg_close(fn);
    return status;
}
