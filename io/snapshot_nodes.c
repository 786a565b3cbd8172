#include "io/snapshot_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "io/coordinates.h"

enum { SLAB = 1 << 22, TAG = 77 }; /* nodes in memory at a time, unless one plane has more */

/* Nodes of the largest slab of any zone. */
static int64_t largest(const struct an_topology *t)
{
    int64_t most = SLAB;
    for (int n = 0; n < t->nblock; n++) {
        const int64_t plane = (int64_t)(t->block[n].n[0] + 1) * (t->block[n].n[1] + 1);
        most = plane > most ? plane : most;
    }
    return most;
}

/* Planes of a slab of nodes lo <= . < hi. */
static int planes(const int lo[3], const int hi[3])
{
    const int64_t plane = (int64_t)(hi[0] - lo[0]) * (hi[1] - lo[1]);
    return plane < SLAB ? (int)(SLAB / plane) : 1;
}

static void nodes_of(const struct an_snapshot_piece *piece, int lo[3], int hi[3])
{
    for (int d = 0; d < 3; d++) {
        lo[d] = piece->lo[d];
        hi[d] = piece->hi[d] + 1;
    }
}

uint64_t an_nodes_sum(const struct an_topology *t, const struct an_snapshot_piece *piece)
{
    int lo[3], hi[3];
    nodes_of(piece, lo, hi);
    return an_coordinates_sum(t, piece->zone, 0, lo, hi, 1, piece->node);
}

int an_nodes_copy(const struct an_mesh *mesh, an_nodes_put *put, void *context, uint64_t *sum)
{
    const struct an_topology *t = &mesh->topology;
    double *xyz = malloc((size_t)largest(t) * 3 * sizeof *xyz);
    AN_CHECK(xyz, AN_FAIL, "out of memory");
    int status = AN_OK;
    *sum = 0;
    for (int zone = 0; zone < t->nblock; zone++) {
        const int *n = t->block[zone].n, all[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
        const int zero[3] = {0, 0, 0}, step = planes(zero, all);
        for (int k = 0; k < all[2] && status == AN_OK; k += step) {
            const int lo[3] = {0, 0, k},
                      hi[3] = {all[0], all[1], k + step < all[2] ? k + step : all[2]};
            status = an_mesh_read_nodes(mesh, zone, lo, hi, xyz);
            if (status == AN_OK)
                status = put(context, zone, lo, hi, xyz);
            *sum += status == AN_OK ? an_coordinates_sum(t, zone, 0, lo, hi, 0, xyz) : 0;
        }
    }
    free(xyz);
    return status;
}

/* Planes lo[2] <= k < hi[2] of a piece's nodes, one after the other in xyz. */
static void cut(const struct an_snapshot_piece *piece, const int lo[3], const int hi[3],
                double *xyz)
{
    const int64_t plane = (int64_t)(hi[0] - lo[0]) * (hi[1] - lo[1]);
    const int64_t all = plane * (piece->hi[2] + 1 - piece->lo[2]), here = plane * (hi[2] - lo[2]);
    for (int c = 0; c < 3; c++)
        memcpy(xyz + c * here, piece->node + c * all + plane * (lo[2] - piece->lo[2]),
               (size_t)here * sizeof *xyz);
}

/* Hands all slabs of the pieces of a rank to `put`. */
static int put_own(int npiece, const struct an_snapshot_piece *piece, an_nodes_put *put,
                   void *context, double *xyz)
{
    for (int n = 0; n < npiece; n++) {
        int lo[3], hi[3];
        nodes_of(&piece[n], lo, hi);
        const int end = hi[2], step = planes(lo, hi);
        for (; lo[2] < end; lo[2] += step) {
            hi[2] = lo[2] + step < end ? lo[2] + step : end;
            cut(&piece[n], lo, hi, xyz);
            AN_TRY(put(context, piece[n].zone, lo, hi, xyz));
        }
    }
    return AN_OK;
}

/* Sends one slab to rank 0. context: the communicator. */
static int send_slab(void *context, int zone, const int lo[3], const int hi[3], double *xyz)
{
    const MPI_Comm comm = *(const MPI_Comm *)context;
    const int head[7] = {zone, lo[0], lo[1], lo[2], hi[0], hi[1], hi[2]};
    const int64_t nodes = (int64_t)(hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]);
    int good = MPI_Send(head, 7, MPI_INT, 0, TAG, comm) == MPI_SUCCESS;
    for (int c = 0; c < 3; c++)
        good &= MPI_Send(xyz + c * nodes, (int)nodes, MPI_DOUBLE, 0, TAG, comm) == MPI_SUCCESS;
    return good ? AN_OK : an_error_set(AN_FAIL, "MPI_Send failed");
}

/* Sends all slabs of a rank to rank 0, then a head that says it was the last. */
static int send(MPI_Comm comm, int npiece, const struct an_snapshot_piece *piece, double *xyz)
{
    const int head[7] = {-1};
    const int status = put_own(npiece, piece, send_slab, &comm, xyz);
    AN_CHECK(MPI_Send(head, 7, MPI_INT, 0, TAG, comm) == MPI_SUCCESS, AN_FAIL, "MPI_Send failed");
    return status;
}

/* Takes all slabs of another rank. */
static int receive(MPI_Comm comm, int from, an_nodes_put *put, void *context, double *xyz)
{
    int head[7], status = AN_OK;
    for (;;) {
        AN_CHECK(MPI_Recv(head, 7, MPI_INT, from, TAG, comm, MPI_STATUS_IGNORE) == MPI_SUCCESS,
                 AN_FAIL, "MPI_Recv failed");
        if (head[0] < 0)
            return status;
        const int *lo = head + 1, *hi = head + 4;
        const int64_t nodes = (int64_t)(hi[0] - lo[0]) * (hi[1] - lo[1]) * (hi[2] - lo[2]);
        for (int c = 0; c < 3; c++)
            AN_CHECK(MPI_Recv(xyz + c * nodes, (int)nodes, MPI_DOUBLE, from, TAG, comm,
                              MPI_STATUS_IGNORE) == MPI_SUCCESS,
                     AN_FAIL, "MPI_Recv failed");
        if (status == AN_OK)
            status = put(context, head[0], lo, hi, xyz);
    }
}

int an_nodes_gather(MPI_Comm comm, const struct an_topology *t, int npiece,
                    const struct an_snapshot_piece *piece, an_nodes_put *put, void *context)
{
    int rank, size;
    AN_CHECK(MPI_Comm_rank(comm, &rank) == MPI_SUCCESS && MPI_Comm_size(comm, &size) == MPI_SUCCESS,
             AN_FAIL, "MPI_Comm_rank failed");
    double *xyz = malloc((size_t)largest(t) * 3 * sizeof *xyz);
    int status = an_snapshot_agree(comm, xyz ? AN_OK : an_error_set(AN_FAIL, "out of memory"));
    if (status == AN_OK && rank > 0)
        status = send(comm, npiece, piece, xyz);
    if (status == AN_OK && rank == 0) {
        status = put_own(npiece, piece, put, context, xyz);
        for (int from = 1; from < size; from++) { /* all of them, also after a failure */
            const int other = receive(comm, from, put, context, xyz);
            status = status == AN_OK ? other : status;
        }
    }
    free(xyz);
    return status;
}
