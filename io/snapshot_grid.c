/* grid.cgns: the coordinates that all snapshots of a folder link to. */
#define _GNU_SOURCE
#include <cgnslib.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/atomic.h"
#include "io/snapshot_file.h"

#define CG(call) \
    AN_CHECK((call) == CG_OK, AN_FAIL, "%s cannot be written: %s", path, cg_get_error())

enum { SLAB = 1 << 22 }; /* nodes in memory at a time */

/* Which file the coordinates come from. Another size or date of the mesh makes the copy anew. */
static void source_of(const struct an_mesh *mesh, char *text, size_t size)
{
    struct stat s = {0};
    char *full = realpath(mesh->file, NULL);
    if (stat(mesh->file, &s))
        memset(&s, 0, sizeof s);
    snprintf(text, size,
             "annulus grid 1\nmesh = %s\nbytes = %" PRId64 "\nchanged = %" PRId64 ".%09" PRId64
             "\nmesh_hash = %016" PRIx64 "\n",
             full ? full : mesh->file, (int64_t)s.st_size, (int64_t)s.st_mtim.tv_sec,
             (int64_t)s.st_mtim.tv_nsec, mesh->hash);
    free(full);
}

/* 0: not there; 1: there and from this mesh; 2: ours, of another mesh; 3: not ours. */
static int state_of(const char *path, const char *source)
{
    if (access(path, F_OK))
        return 0;
    int fn, state = 3, n = 0;
    if (cg_open(path, CG_MODE_READ, &fn) != CG_OK)
        return 3;
    if (cg_goto(fn, 1, "end") == CG_OK && cg_ndescriptors(&n) == CG_OK)
        for (int d = 1; d <= n; d++) {
            char name[33], *text = NULL;
            if (cg_descriptor_read(d, name, &text) != CG_OK)
                break;
            if (!strcmp(name, AN_SNAPSHOT_RECORD) && !strncmp(text, "annulus grid", 12))
                state = strcmp(text, source) == 0 ? 1 : 2;
            cg_free(text);
        }
    if (cg_close(fn) != CG_OK)
        state = 3;
    return state;
}

static int write_zone(const char *path, int fn, const struct an_mesh *mesh, int zone, double *xyz)
{
    static const char *const name[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    const struct an_zone *z = &mesh->topology.block[zone];
    const int64_t plane = (int64_t)(z->n[0] + 1) * (z->n[1] + 1);
    const cgsize_t size[9] = {z->n[0] + 1, z->n[1] + 1, z->n[2] + 1, z->n[0], z->n[1], z->n[2]};
    const int step = plane < SLAB ? (int)(SLAB / plane) : 1;
    int index, coordinate;
    CG(cg_zone_write(fn, 1, z->name, size, CGNS_ENUMV(Structured), &index));
    for (int k = 0; k <= z->n[2]; k += step) {
        const int top = k + step < z->n[2] + 1 ? k + step : z->n[2] + 1;
        const int lo[3] = {0, 0, k}, hi[3] = {z->n[0] + 1, z->n[1] + 1, top};
        const cgsize_t first[3] = {1, 1, k + 1}, last[3] = {hi[0], hi[1], hi[2]};
        AN_TRY(an_mesh_read_nodes(mesh, zone, lo, hi, xyz));
        for (int m = 0; m < 3; m++)
            CG(cg_coord_partial_write(fn, 1, index, CGNS_ENUMV(RealDouble), name[m], first, last,
                                      xyz + m * plane * (top - k), &coordinate));
    }
    for (int m = 0; m < 3; m++) {
        CG(cg_goto(fn, 1, "Zone_t", index, "GridCoordinates_t", 1, "DataArray_t", m + 1, "end"));
        CG(an_snapshot_exponents(name[m]));
    }
    return AN_OK;
}

static int write_all(const char *path, int fn, const struct an_mesh *mesh, const char *source)
{
    const struct an_topology *t = &mesh->topology;
    int base;
    CG(cg_base_write(fn, AN_SNAPSHOT_BASE, 3, 3, &base));
    CG(cg_goto(fn, 1, "end"));
    CG(an_snapshot_units());
    CG(cg_descriptor_write(AN_SNAPSHOT_RECORD, source));
    int64_t largest = SLAB;
    for (int n = 0; n < t->nblock; n++) {
        int64_t plane = (int64_t)(t->block[n].n[0] + 1) * (t->block[n].n[1] + 1);
        largest = plane > largest ? plane : largest;
    }
    double *xyz = malloc((size_t)largest * 3 * sizeof *xyz);
    AN_CHECK(xyz, AN_FAIL, "out of memory");
    int status = AN_OK;
    for (int n = 0; n < t->nblock && status == AN_OK; n++)
        status = write_zone(path, fn, mesh, n, xyz);
    free(xyz);
    return status;
}

static int write_file(const char *path, const struct an_mesh *mesh, const char *source)
{
    int fn;
    CG(cg_set_file_type(CG_FILE_HDF5));
    CG(cg_open(path, CG_MODE_WRITE, &fn));
    int status = write_all(path, fn, mesh, source);
    if (cg_close(fn) != CG_OK && status == AN_OK)
        status = an_error_set(AN_FAIL, "%s cannot be written: %s", path, cg_get_error());
    return status;
}

static int64_t grid_bytes(const struct an_topology *t)
{
    int64_t nodes = 0;
    for (int n = 0; n < t->nblock; n++) {
        const int *size = t->block[n].n;
        nodes += (int64_t)(size[0] + 1) * (size[1] + 1) * (size[2] + 1);
    }
    return nodes * 3 * (int64_t)sizeof(double) + an_snapshot_overhead(t, 3);
}

int an_snapshot_grid(const char *folder, const struct an_mesh *mesh)
{
    char path[1024], temporary[AN_TEMPORARY] = "", source[2048];
    AN_CHECK(snprintf(path, sizeof path, "%s/" AN_GRID_FILE, folder) < (int)sizeof path, AN_INPUT,
             "output folder '%.60s...': the name is too long", folder);
    source_of(mesh, source, sizeof source);
    const int state = state_of(path, source);
    if (state == 1)
        return AN_OK;
    AN_CHECK(state != 3, AN_INPUT,
             "%s is in the way: snapshots keep their coordinates under this name, and it was not "
             "written by annulus; move it or choose another output folder",
             path);
    /* Callers may have closed the mesh once the run's blocks were read. */
    struct an_mesh open = *mesh;
    int status = AN_OK;
    struct an_diag diag;
    an_diag_init(&diag);
    if (mesh->fn < 0 && an_mesh_open(mesh->file, &open, &diag) != AN_OK)
        status = an_error_set(AN_INPUT, "%s cannot be read again: %s", mesh->file,
                              diag.nline ? diag.line[0] : an_error_text());
    else if (open.hash != mesh->hash)
        status = an_error_set(AN_INPUT, "%s has changed since the run started", mesh->file);
    if (status == AN_OK)
        status = an_room_try(path, grid_bytes(&mesh->topology), temporary);
    if (status == AN_OK)
        status = write_file(temporary, &open, source);
    if (status == AN_OK)
        status = an_atomic_rename(temporary, path);
    else if (*temporary)
        unlink(temporary);
    if (mesh->fn < 0)
        an_mesh_close(&open);
    an_diag_free(&diag);
    return status;
}
