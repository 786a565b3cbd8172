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
#include "io/cgns_names.h"
#include "io/cgns_tree.h"
#include "io/coordinates.h"
#include "io/snapshot_nodes.h"
#include "io/snapshot_turn.h"

#define CG(call) \
    AN_CHECK((call) == CG_OK, AN_FAIL, "%s cannot be written: %s", path, cg_get_error())

enum { NOT_THERE, OURS, ANOTHER, NOT_OURS }; /* what stands under the name grid.cgns */

/* Which file the coordinates come from, for people and for meshes whose checksum is not known. */
static void source_of(const struct an_mesh *mesh, char *text, size_t size)
{
    struct stat s = {0};
    char *full = realpath(mesh->file, NULL);
    if (stat(mesh->file, &s))
        memset(&s, 0, sizeof s);
    snprintf(text, size,
             "annulus grid 2\nmesh = %s\nbytes = %" PRId64 "\nchanged = %" PRId64 ".%09" PRId64
             "\nmesh_hash = %016" PRIx64 "\n",
             full ? full : mesh->file, (int64_t)s.st_size, (int64_t)s.st_mtim.tv_sec,
             (int64_t)s.st_mtim.tv_nsec, mesh->hash);
    free(full);
}

/* OURS: a file of these coordinates (known: by *coordinates; else by its source, and *coordinates
 * gets the checksum it has). */
static int compare(const char *text, const char *source, int known, uint64_t *coordinates)
{
    uint64_t have;
    const char *line = strstr(text, "\ncoordinates = ");
    if (!line || sscanf(line, "\ncoordinates = %" SCNx64, &have) != 1)
        return ANOTHER; /* of an earlier version */
    if (known)
        return have == *coordinates ? OURS : ANOTHER;
    if (strncmp(text, source, strlen(source)) != 0)
        return ANOTHER;
    *coordinates = have;
    return OURS;
}

static int state_of(const char *path, const char *source, int known, uint64_t *coordinates)
{
    if (access(path, F_OK))
        return NOT_THERE;
    char *text = an_cgns_text_of(path, "/" AN_CGNS_BASE "/" AN_SNAPSHOT_RECORD);
    const int state = text && !strncmp(text, "annulus grid", 12)
                          ? compare(text, source, known, coordinates)
                          : NOT_OURS;
    free(text);
    return state;
}

int64_t an_snapshot_nodes_bytes(const struct an_topology *t)
{
    int64_t nodes = 0;
    for (int n = 0; n < t->nblock; n++) {
        const int *size = t->block[n].n;
        nodes += (int64_t)(size[0] + 1) * (size[1] + 1) * (size[2] + 1);
    }
    return nodes * 3 * (int64_t)sizeof(double);
}

static int start_file(const char *path, const struct an_mesh *mesh, struct an_grid_file *g)
{
    const int fn = g->fn;
    int base;
    g->number = calloc((size_t)mesh->topology.nblock + 1, sizeof *g->number);
    AN_CHECK(g->number, AN_FAIL, "out of memory for %s", path);
    CG(cg_base_write(fn, AN_CGNS_BASE, 3, 3, &base));
    CG(cg_goto(fn, 1, "end"));
    CG(an_cgns_units_write());
    for (int place = 0; place < mesh->topology.nblock; place++) {
        const int zone = an_mesh_listed(mesh, place);
        const struct an_zone *z = &mesh->topology.block[zone];
        const cgsize_t size[9] = {z->n[0] + 1, z->n[1] + 1, z->n[2] + 1, z->n[0], z->n[1], z->n[2]};
        CG(cg_zone_write(fn, 1, z->name, size, CGNS_ENUMV(Structured), &g->number[zone]));
    }
    return AN_OK;
}

/* One slab of nodes into the open file. */
static int put(void *context, int zone, const int lo[3], const int hi[3], double *xyz)
{
    struct an_grid_file *g = context;
    const char *path = g->temporary;
    const cgsize_t first[3] = {lo[0] + 1, lo[1] + 1, lo[2] + 1}, last[3] = {hi[0], hi[1], hi[2]};
    const int64_t count = (int64_t)(hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]);
    int coordinate;
    for (int m = 0; m < 3; m++)
        CG(cg_coord_partial_write(g->fn, 1, g->number[zone], CGNS_ENUMV(RealDouble),
                                  an_cgns_coordinate[m], first, last, xyz + m * count,
                                  &coordinate));
    return AN_OK;
}

static int end_file(const struct an_grid_file *g, const struct an_mesh *mesh, const char *source,
                    uint64_t coordinates)
{
    const char *path = g->temporary;
    char text[2200];
    for (int zone = 1; zone <= mesh->topology.nblock; zone++)
        for (int m = 1; m <= 3; m++) {
            CG(cg_goto(g->fn, 1, "Zone_t", zone, "GridCoordinates_t", 1, "DataArray_t", m, "end"));
            CG(an_cgns_exponents_write(an_cgns_coordinate[m - 1]));
        }
    snprintf(text, sizeof text, "%scoordinates = %016" PRIx64 "\n", source, coordinates);
    CG(cg_goto(g->fn, 1, "end"));
    CG(cg_descriptor_write(AN_SNAPSHOT_RECORD, text));
    return AN_OK;
}

/* Rank 0: decides whether the file has to be written, and begins it then (g->fn >= 0). */
static int begin(const char *folder, const struct an_mesh *mesh, int known, uint64_t *coordinates,
                 struct an_grid_file *g)
{
    char old[1040];
    /* CGNS opens files with the locks of HDF5, which file systems without locks refuse. */
    setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
    AN_TRY(an_folder_check(folder));
    AN_CHECK(snprintf(g->path, sizeof g->path, "%s/" AN_GRID_FILE, folder) < 1024, AN_INPUT,
             "output folder '%.60s...': the name is too long", folder);
    source_of(mesh, g->source, sizeof g->source);
    const int state = state_of(g->path, g->source, known, coordinates);
    if (state == OURS)
        return AN_OK;
    AN_CHECK(state != NOT_OURS, AN_INPUT,
             "%s is in the way: snapshots keep their coordinates under this name, and it was not "
             "written by annulus; move it or choose another output folder",
             g->path);
    snprintf(old, sizeof old, "%s.old", g->path);
    AN_CHECK(state != ANOTHER || rename(g->path, old) == 0, AN_INPUT, "%s cannot be renamed: %s",
             g->path, strerror(errno));
    AN_TRY(an_room_try(g->path,
                       an_snapshot_nodes_bytes(&mesh->topology) +
                           an_snapshot_overhead(&mesh->topology, 3),
                       g->temporary));
    const char *path = g->temporary;
    int fn;
    CG(cg_set_file_type(CG_FILE_HDF5));
    CG(cg_open(path, CG_MODE_WRITE, &fn));
    g->fn = fn;
    return start_file(path, mesh, g);
}

/* Rank 0: closes the file and gives it its name; removes it where something failed. */
static int end(struct an_grid_file *g, const struct an_mesh *mesh, uint64_t coordinates, int status)
{
    const char *path = g->temporary;
    if (status == AN_OK && g->fn >= 0)
        status = end_file(g, mesh, g->source, coordinates);
    if (g->fn >= 0 && cg_close(g->fn) != CG_OK && status == AN_OK)
        status = an_error_set(AN_FAIL, "%s cannot be written: %s", path, cg_get_error());
    uint64_t have = coordinates;
    if (status == AN_OK && g->fn >= 0 && state_of(path, g->source, 1, &have) != OURS)
        status = an_error_set(AN_FAIL, "%s could not be written: it does not read back", path);
    if (status == AN_OK && g->fn >= 0)
        return an_atomic_rename(g->temporary, g->path);
    if (*g->temporary)
        unlink(g->temporary);
    return status;
}

/* Rank 0: all nodes from the file of the mesh, which may have been closed. */
static int copy(const struct an_mesh *mesh, struct an_grid_file *g, uint64_t *coordinates)
{
    struct an_mesh open = *mesh;
    struct an_diag diag;
    int status = AN_OK;
    an_diag_init(&diag);
    if (mesh->fn < 0 && an_mesh_open(mesh->file, &open, &diag) != AN_OK)
        status = an_error_set(AN_INPUT, "%s cannot be read again: %s", mesh->file,
                              diag.nline ? diag.line[0] : an_error_text());
    else if (open.hash != mesh->hash)
        status = an_error_set(AN_INPUT, "%s has changed since the run started", mesh->file);
    if (status == AN_OK)
        status = an_nodes_copy(&open, put, g, coordinates);
    if (mesh->fn < 0)
        an_mesh_close(&open);
    an_diag_free(&diag);
    return status;
}

static int write_grid(MPI_Comm comm, const char *folder, const struct an_mesh *mesh, int npiece,
                      const struct an_snapshot_piece *piece, uint64_t *coordinates)
{
    struct an_grid_file g = {.fn = -1};
    int rank;
    uint64_t sum[2] = {0, 0}, tell[2]; /* checksum and pieces without nodes; checksum and writing */
    for (int n = 0; n < npiece; n++) {
        sum[1] += !piece[n].node;
        sum[0] += piece[n].node ? an_nodes_sum(&mesh->topology, &piece[n]) : 0;
    }
    AN_CHECK(MPI_Comm_rank(comm, &rank) == MPI_SUCCESS &&
                 MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_UINT64_T, MPI_SUM, comm) == MPI_SUCCESS,
             AN_FAIL, "MPI_Allreduce failed");
    const int known = sum[1] == 0;
    int status = rank == 0 ? begin(folder, mesh, known, &sum[0], &g) : AN_OK;
    if (rank == 0 && status == AN_OK && !known && g.fn >= 0)
        status = copy(mesh, &g, &sum[0]);
    tell[0] = sum[0];
    tell[1] = status == AN_OK && known && g.fn >= 0;
    if (MPI_Bcast(tell, 2, MPI_UINT64_T, 0, comm) != MPI_SUCCESS)
        return an_error_set(AN_FAIL, "MPI_Bcast failed");
    *coordinates = tell[0];
    if (tell[1])
        status = an_nodes_gather(comm, &mesh->topology, npiece, piece, put, &g);
    if (rank == 0)
        status = end(&g, mesh, tell[0], status);
    free(g.number);
    return an_snapshot_agree(comm, status);
}

int an_snapshot_geometry(MPI_Comm comm, const char *folder, const struct an_mesh *mesh, int npiece,
                         const struct an_snapshot_piece *piece, uint64_t *coordinates)
{
    struct an_filed f;
    if (!mesh->file_order)
        return write_grid(comm, folder, mesh, npiece, piece, coordinates);
    int status = an_filed_new(mesh, npiece, piece, 0, 0, &f);
    status = an_snapshot_agree(comm, status);
    if (status == AN_OK)
        status = write_grid(comm, folder, &f.mesh, npiece, f.piece, coordinates);
    an_filed_free(&f);
    return status;
}
