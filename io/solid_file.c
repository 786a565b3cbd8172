#define _GNU_SOURCE
#include "io/solid_file.h"

#include <cgnslib.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/atomic.h"
#include "io/cgns_names.h"
#include "io/snapshot_file.h"

/* Closes over `path`, which every function here has as an argument. */
#define CG(call) \
    AN_CHECK((call) == CG_OK, AN_FAIL, "%s cannot be written: %s", path, cg_get_error())

static int64_t nodes_of(const struct an_solid_block *b)
{
    return (int64_t)(b->n[0] + 1) * (b->n[1] + 1) * (b->n[2] + 1);
}

static int write_block(const char *path, int fn, const struct an_solid_block *b)
{
    cgsize_t size[9] = {0};
    int zone, solution, index;
    for (int d = 0; d < 3; d++) {
        size[d] = b->n[d] + 1;
        size[3 + d] = b->n[d];
    }
    CG(cg_zone_write(fn, 1, b->name, size, CGNS_ENUMV(Structured), &zone));
    for (int c = 0; c < 3; c++) {
        CG(cg_coord_write(fn, 1, zone, CGNS_ENUMV(RealDouble), an_cgns_coordinate[c],
                          b->x + c * nodes_of(b), &index));
        CG(cg_goto(fn, 1, "Zone_t", zone, "GridCoordinates_t", 1, "DataArray_t", c + 1, "end"));
        CG(an_cgns_exponents_write(an_cgns_coordinate[c]));
    }
    CG(cg_sol_write(fn, 1, zone, AN_CGNS_SOLUTION, CGNS_ENUMV(Vertex), &solution));
    CG(cg_field_write(fn, 1, zone, solution, CGNS_ENUMV(RealDouble), "Temperature", b->T, &index));
    CG(cg_goto(fn, 1, "Zone_t", zone, "FlowSolution_t", solution, "DataArray_t", index, "end"));
    CG(an_cgns_exponents_write("Temperature"));
    CG(an_cgns_pointers_write(fn, 1, zone));
    return AN_OK;
}

static int write_all(const char *path, int fn, const struct an_snapshot_meta *m, int n,
                     const struct an_solid_block *block)
{
    int base;
    CG(cg_base_write(fn, AN_CGNS_SOLID, 3, 3, &base));
    AN_TRY(an_snapshot_time(path, fn, m));
    for (int b = 0; b < n; b++)
        AN_TRY(write_block(path, fn, &block[b]));
    return AN_OK;
}

static int write_file(const char *path, const struct an_snapshot_meta *m, int n,
                      const struct an_solid_block *block)
{
    int fn;
    CG(cg_set_file_type(CG_FILE_HDF5));
    CG(cg_open(path, CG_MODE_WRITE, &fn));
    int status = write_all(path, fn, m, n, block);
    if (cg_close(fn) != CG_OK && status == AN_OK)
        status = an_error_set(AN_FAIL, "%s cannot be written: %s", path, cg_get_error());
    return status;
}

int an_solid_file_write(const char *folder, const struct an_snapshot_meta *meta, int nblock,
                        const struct an_solid_block *block)
{
    char temporary[AN_TEMPORARY], path[1024];
    int64_t bytes = 65536;
    for (int b = 0; b < nblock; b++)
        bytes += 4 * nodes_of(&block[b]) * (int64_t)sizeof(double) + 32768;
    AN_TRY(an_snapshot_path(folder, "solid", meta->iteration, path));
    /* CGNS opens files with the locks of HDF5, which file systems without locks refuse. */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    AN_TRY(an_folder_check(folder));
    AN_TRY(an_room_try(path, bytes, temporary));
    int status = write_file(temporary, meta, nblock, block);
    if (status == AN_OK)
        return an_atomic_rename(temporary, path);
    unlink(temporary);
    return status;
}
