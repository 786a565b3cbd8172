#define _GNU_SOURCE
#include "io/snapshot.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/atomic.h"
#include "io/snapshot_file.h"
#include "io/snapshot_turn.h"

/* Asked by asserts, so unused in builds without them. */
__attribute__((unused)) static int pieces_are_valid(const struct an_topology *t, int npiece,
                                                    const struct an_snapshot_piece *piece)
{
    for (int n = 0; n < npiece; n++) {
        if (piece[n].zone < 0 || piece[n].zone >= t->nblock)
            return 0;
        const int *size = t->block[piece[n].zone].n;
        for (int m = 0; m < 3; m++)
            if (piece[n].lo[m] < 0 || piece[n].hi[m] > size[m])
                return 0;
    }
    return 1;
}

/* Collective: the checksum of every field over all ranks. */
static int sum_fields(MPI_Comm comm, const struct an_topology *t, int npiece,
                      const struct an_snapshot_piece *piece, struct an_snapshot_record *r)
{
    for (int f = 0; f < r->nfield; f++)
        for (int n = 0; n < npiece; n++)
            r->checksum[f] += an_snapshot_checksum(t, piece[n].zone, piece[n].lo, piece[n].hi,
                                                   r->meta.precision, piece[n].field[f]);
    AN_CHECK(MPI_Allreduce(MPI_IN_PLACE, r->checksum, r->nfield, MPI_UINT64_T, MPI_SUM, comm) ==
                 MPI_SUCCESS,
             AN_FAIL, "MPI_Allreduce failed");
    return AN_OK;
}

/* On one rank: all that comes before the cells. */
static int prepare(const char *path, const struct an_mesh *mesh, const struct an_snapshot_record *r,
                   char *temporary)
{
    const struct an_topology *t = &mesh->topology;
    const int64_t cells = an_topology_cells(t) * r->nfield * r->meta.precision;
    const int64_t controls = r->meta.controls ? r->meta.controls->n : 0;
    int64_t arrays = 0;
    for (int a = 0; r->meta.controls && a < r->meta.controls->narray; a++)
        arrays += 16 * r->meta.controls->array[a].n;
    AN_TRY(an_room_try(path,
                       cells + an_snapshot_overhead(t, r->nfield) +
                           (r->meta.embed_grid ? an_snapshot_nodes_bytes(t) : 0) +
                           controls * (int64_t)sizeof *r->meta.controls->list + arrays +
                           (int64_t)(r->meta.notes ? strlen(r->meta.notes) : 0),
                       temporary));
    AN_TRY(an_snapshot_skeleton(temporary, mesh, r));
    /* The skeleton has its full length but holes in place of the cells. */
    return an_room_fill(temporary);
}

static int fill_record(const struct an_mesh *mesh, const struct an_snapshot_meta *meta, int nfield,
                       const char *const *field_name, struct an_snapshot_record *r)
{
    AN_CHECK(nfield > 0 && nfield <= AN_SNAPSHOT_FIELDS, AN_FAIL,
             "a snapshot has 1 to %d fields, not %d", AN_SNAPSHOT_FIELDS, nfield);
    *r = (struct an_snapshot_record){
        .meta = *meta, .nzone = mesh->topology.nblock, .nfield = nfield};
    r->meta.mesh_hash = mesh->hash;
    for (int n = 0; n < nfield; n++)
        snprintf(r->field[n], AN_NAME, "%s", field_name[n]);
    return AN_OK;
}

/* On one rank: is the finished file a whole snapshot? The libraries do not report every write that
 * fails when a file is closed. */
static int reads_back(const char *path, const struct an_mesh *mesh)
{
    struct an_snapshot_record *r = malloc(sizeof *r);
    AN_CHECK(r, AN_FAIL, "out of memory for a snapshot");
    const int status = an_snapshot_inspect(path, mesh, r);
    if (status == AN_OK)
        an_snapshot_controls_free(&r->meta);
    free(r);
    if (status == AN_OK)
        return AN_OK;
    char text[600];
    snprintf(text, sizeof text, "%.599s", an_error_text());
    return an_error_set(AN_FAIL, "%s could not be written: it does not read back (%s)", path, text);
}

static int write_filed(MPI_Comm comm, const char *folder, const char *stem,
                       const struct an_mesh *mesh, const struct an_snapshot_meta *meta, int nfield,
                       const char *const *field_name, int npiece,
                       const struct an_snapshot_piece *piece, char *path)
{
    int rank;
    char temporary[AN_TEMPORARY] = "";
    struct an_snapshot_record r;
    assert(pieces_are_valid(&mesh->topology, npiece, piece));
    AN_TRY(fill_record(mesh, meta, nfield, field_name, &r));
    AN_TRY(an_snapshot_path(folder, stem, meta->iteration, path));
    AN_CHECK(MPI_Comm_rank(comm, &rank) == MPI_SUCCESS, AN_FAIL, "MPI_Comm_rank failed");
    AN_TRY(sum_fields(comm, &mesh->topology, npiece, piece, &r));
    AN_TRY(an_snapshot_geometry(comm, folder, mesh, npiece, piece, &r.meta.coordinates));

    int status = an_snapshot_agree(comm, rank == 0 ? prepare(path, mesh, &r, temporary) : AN_OK);
    if (MPI_Bcast(temporary, sizeof temporary, MPI_CHAR, 0, comm) != MPI_SUCCESS)
        return an_error_set(AN_FAIL, "MPI_Bcast failed");
    if (status == AN_OK) {
        const struct an_snapshot_transfer t = {.path = temporary,
                                               .topology = &mesh->topology,
                                               .precision = meta->precision,
                                               .file_precision = meta->precision,
                                               .nfield = nfield,
                                               .npiece = npiece,
                                               .writing = 1,
                                               .field_name = field_name,
                                               .piece = piece};
        uint64_t unused[AN_SNAPSHOT_FIELDS];
        int64_t cells;
        status = an_snapshot_move(comm, &t, unused, &cells);
    }
    if (rank == 0 && status == AN_OK)
        status = an_snapshot_seal(temporary, &mesh->topology, &r);
    if (rank == 0 && status == AN_OK)
        status = reads_back(temporary, mesh);
    if (rank == 0 && status == AN_OK)
        status = an_atomic_rename(temporary, path);
    else if (rank == 0 && *temporary)
        unlink(temporary);
    return an_snapshot_agree(comm, status);
}

int an_snapshot_write(MPI_Comm comm, const char *folder, const char *stem,
                      const struct an_mesh *mesh, const struct an_snapshot_meta *meta, int nfield,
                      const char *const *field_name, int npiece,
                      const struct an_snapshot_piece *piece, char *path)
{
    struct an_filed f;
    if (!mesh->file_order)
        return write_filed(comm, folder, stem, mesh, meta, nfield, field_name, npiece, piece, path);
    int status = an_filed_new(mesh, npiece, piece, nfield, (int)meta->precision, &f);
    status = an_snapshot_agree(comm, status);
    if (status == AN_OK)
        status = write_filed(comm, folder, stem, &f.mesh, meta, nfield, field_name, npiece, f.piece,
                             path);
    an_filed_free(&f);
    return status;
}

/* Collective: the controls that rank 0 has. */
static int share_controls(MPI_Comm comm, int rank, struct an_snapshot_meta *m)
{
    int n = rank == 0 && m->controls ? m->controls->n : 0, status = AN_OK;
    if (rank != 0)
        m->controls = NULL;
    AN_CHECK(MPI_Bcast(&n, 1, MPI_INT, 0, comm) == MPI_SUCCESS, AN_FAIL, "MPI_Bcast failed");
    for (int k = 0; k < n && rank != 0 && status == AN_OK; k++) /* AN_OK: m->controls is there */
        status = an_snapshot_control_add(m, "", 0);
    AN_TRY(an_snapshot_agree(comm, status));
    AN_CHECK(!n || MPI_Bcast(m->controls->list, n * (int)sizeof *m->controls->list, MPI_BYTE, 0,
                             comm) == MPI_SUCCESS,
             AN_FAIL, "MPI_Bcast failed");
    return AN_OK;
}

/* Collective: the arrays that rank 0 has. */
static int share_arrays(MPI_Comm comm, int rank, struct an_snapshot_meta *m)
{
    int count = rank == 0 && m->controls ? m->controls->narray : 0;
    AN_CHECK(MPI_Bcast(&count, 1, MPI_INT, 0, comm) == MPI_SUCCESS, AN_FAIL, "MPI_Bcast failed");
    for (int a = 0; a < count; a++) {
        struct an_snapshot_array head = {.n = 0}, *mine;
        double *value;
        int status = AN_OK;
        if (rank == 0)
            head = m->controls->array[a];
        AN_CHECK(MPI_Bcast(&head, sizeof head, MPI_BYTE, 0, comm) == MPI_SUCCESS, AN_FAIL,
                 "MPI_Bcast failed");
        if (rank != 0)
            status = an_snapshot_array_add(m, head.name, head.n, &value);
        AN_TRY(an_snapshot_agree(comm, status));
        mine = &m->controls->array[a];
        for (int64_t from = 0; from < head.n; from += 1 << 24) {
            const int64_t left = head.n - from;
            AN_CHECK(MPI_Bcast(mine->value + from, left < 1 << 24 ? (int)left : 1 << 24, MPI_DOUBLE,
                               0, comm) == MPI_SUCCESS,
                     AN_FAIL, "MPI_Bcast failed");
        }
    }
    return AN_OK;
}

/* The caller frees the controls, whatever comes back. */
static int read_record(MPI_Comm comm, const char *path, const struct an_mesh *mesh,
                       struct an_snapshot_record *r)
{
    int rank;
    AN_CHECK(MPI_Comm_rank(comm, &rank) == MPI_SUCCESS, AN_FAIL, "MPI_Comm_rank failed");
    memset(r, 0, sizeof *r);
    AN_TRY(an_snapshot_agree(comm, rank == 0 ? an_snapshot_inspect(path, mesh, r) : AN_OK));
    struct an_snapshot_controls *own = r->meta.controls;
    char *notes = r->meta.notes;
    const int code = MPI_Bcast(r, (int)sizeof *r, MPI_BYTE, 0, comm);
    r->meta.controls = own;
    r->meta.notes = notes; /* rank 0's alone */
    AN_CHECK(code == MPI_SUCCESS, AN_FAIL, "MPI_Bcast failed");
    AN_TRY(share_controls(comm, rank, &r->meta));
    return share_arrays(comm, rank, &r->meta);
}

int an_snapshot_read_meta(MPI_Comm comm, const char *path, const struct an_mesh *mesh,
                          struct an_snapshot_meta *meta)
{
    struct an_snapshot_record r;
    struct an_mesh file;
    if (mesh)
        file = an_mesh_in_file_order(mesh);
    const int status = read_record(comm, path, mesh ? &file : NULL, &r);
    if (status != AN_OK)
        an_snapshot_controls_free(&r.meta);
    *meta = r.meta;
    return status;
}

static int read_filed(MPI_Comm comm, const char *path, const struct an_mesh *mesh,
                      enum an_precision precision, int nfield, const char *const *field_name,
                      int npiece, const struct an_snapshot_piece *piece)
{
    struct an_snapshot_record r;
    uint64_t want[AN_SNAPSHOT_FIELDS], have[AN_SNAPSHOT_FIELDS];
    int64_t cells;
    assert(pieces_are_valid(&mesh->topology, npiece, piece));
    AN_CHECK(nfield > 0 && nfield <= AN_SNAPSHOT_FIELDS, AN_FAIL,
             "a snapshot has 1 to %d fields, not %d", AN_SNAPSHOT_FIELDS, nfield);
    const int status = read_record(comm, path, mesh, &r);
    an_snapshot_controls_free(&r.meta);
    AN_TRY(status);
    for (int n = 0; n < nfield; n++) {
        int m = 0;
        while (m < r.nfield && strcmp(r.field[m], field_name[n]))
            m++;
        AN_CHECK(m < r.nfield, AN_INPUT, "%s: there is no field '%s'", path, field_name[n]);
        want[n] = r.checksum[m];
    }
    const struct an_snapshot_transfer t = {.path = path,
                                           .topology = &mesh->topology,
                                           .precision = precision,
                                           .file_precision = r.meta.precision,
                                           .nfield = nfield,
                                           .npiece = npiece,
                                           .field_name = field_name,
                                           .piece = piece};
    AN_TRY(an_snapshot_move(comm, &t, have, &cells));
    /* Some of the cells have no checksum of their own. */
    for (int n = 0; n < nfield && cells == an_topology_cells(&mesh->topology); n++)
        AN_CHECK(have[n] == want[n], AN_INPUT,
                 "%s: the values of field '%s' are damaged (their checksum does not fit)", path,
                 field_name[n]);
    return AN_OK;
}

int an_snapshot_read(MPI_Comm comm, const char *path, const struct an_mesh *mesh,
                     enum an_precision precision, int nfield, const char *const *field_name,
                     int npiece, const struct an_snapshot_piece *piece)
{
    struct an_filed f;
    if (!mesh->file_order)
        return read_filed(comm, path, mesh, precision, nfield, field_name, npiece, piece);
    int status = an_filed_new(mesh, npiece, piece, nfield, (int)precision, &f);
    status = an_snapshot_agree(comm, status);
    if (status == AN_OK)
        status = read_filed(comm, path, &f.mesh, precision, nfield, field_name, npiece, f.piece);
    if (status == AN_OK)
        an_filed_back(&f, piece, (int)precision);
    an_filed_free(&f);
    return status;
}
