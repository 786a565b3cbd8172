/* Transports that are MPI messages between buffers: in the engine's memory (host, cuda-aware), or
 * in page-locked host memory with copies from and to the engine around them (staged).
 *
 * The messages are posted when the packing is known to be over. Operations that read the receive
 * buffers in the exchange before were issued earlier on the same stream, so they are over, too: no
 * buffer is received into while it is still read.
 */
#include "mpi/transport.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/reduce.h"

enum { TAG = 0 };

struct state {
    char *send, *recv; /* what MPI sees */
    int staged;
    int nrequest;
    MPI_Request *request; /* [2 nneighbour], owned */
};

static size_t cell_bytes(const struct an_transport *t, int ncomp)
{
    return (size_t)ncomp * (size_t)t->engine->precision;
}

static int create(struct an_transport *t, int staged)
{
    const struct an_engine_ops *op = t->engine->op;
    struct state *s = calloc(1, sizeof *s);
    AN_CHECK(s, AN_FAIL, "out of memory for the halo transport");
    t->state = s;
    s->staged = staged;
    s->request = malloc((2 * (size_t)t->nneighbour + 1) * sizeof(MPI_Request));
    AN_CHECK(s->request, AN_FAIL, "out of memory for the halo transport");
    for (int b = 0; b < t->nneighbour; b++)
        AN_CHECK(t->neighbour[b].send_cells <= INT_MAX / t->max_component &&
                     t->neighbour[b].recv_cells <= INT_MAX / t->max_component,
                 AN_INPUT, "the message to rank %d is too large for MPI: use more ranks",
                 t->neighbour[b].rank);
    size_t out = (size_t)t->send_cells * cell_bytes(t, t->max_component);
    size_t in = (size_t)t->recv_cells * cell_bytes(t, t->max_component);
    if (t->nneighbour == 0)
        return AN_OK;
    AN_TRY(op->alloc(t->engine, out, &t->send));
    AN_TRY(op->alloc(t->engine, in, &t->recv));
    void *host[2] = {t->send, t->recv};
    if (staged) {
        AN_TRY(op->alloc_host(t->engine, out, &host[0]));
        s->send = host[0];
        AN_TRY(op->alloc_host(t->engine, in, &host[1]));
    }
    s->send = host[0];
    s->recv = host[1];
    return AN_OK;
}

static int create_direct(struct an_transport *t)
{
    return create(t, 0);
}

static int create_staged(struct an_transport *t)
{
    return create(t, 1);
}

static void mpi_destroy(struct an_transport *t)
{
    const struct an_engine_ops *op = t->engine->op;
    struct state *s = t->state;
    if (s && s->staged) {
        if (s->send)
            op->free_host(t->engine, s->send);
        if (s->recv)
            op->free_host(t->engine, s->recv);
    }
    if (t->send)
        op->free(t->engine, t->send);
    if (t->recv)
        op->free(t->engine, t->recv);
    if (s)
        free(s->request);
    free(s);
    t->state = t->send = t->recv = NULL;
}

static int send(struct an_transport *t, int ncomp, int stream)
{
    struct state *s = t->state;
    if (t->nneighbour == 0)
        return AN_OK;
    const size_t bytes = cell_bytes(t, ncomp);
    if (s->staged)
        AN_TRY(t->engine->op->download(t->engine, s->send, t->send, (size_t)t->send_cells * bytes,
                                       stream));
    AN_TRY(t->engine->op->sync(t->engine, stream));
    MPI_Datatype type = t->engine->precision == AN_DOUBLE ? MPI_DOUBLE : MPI_FLOAT;
    s->nrequest = 0;
    for (int b = 0; b < t->nneighbour; b++) {
        const struct an_neighbour *n = &t->neighbour[b];
        AN_MPI(MPI_Irecv(s->recv + (size_t)n->recv_at * bytes, (int)n->recv_cells * ncomp, type,
                         n->rank, TAG, t->comm, &s->request[s->nrequest]));
        s->nrequest++;
    }
    for (int b = 0; b < t->nneighbour; b++) {
        const struct an_neighbour *n = &t->neighbour[b];
        AN_MPI(MPI_Isend(s->send + (size_t)n->send_at * bytes, (int)n->send_cells * ncomp, type,
                         n->rank, TAG, t->comm, &s->request[s->nrequest]));
        s->nrequest++;
    }
    return AN_OK;
}

static int finish(struct an_transport *t, int ncomp, int stream)
{
    struct state *s = t->state;
    if (t->nneighbour == 0)
        return AN_OK;
    AN_MPI(MPI_Waitall(s->nrequest, s->request, MPI_STATUSES_IGNORE));
    s->nrequest = 0;
    if (s->staged)
        AN_TRY(t->engine->op->upload(t->engine, t->recv, s->recv,
                                     (size_t)t->recv_cells * cell_bytes(t, ncomp), stream));
    return AN_OK;
}

const struct an_transport_ops an_transport_host = {
    "host", 1,      create_direct,       mpi_destroy, an_transport_pack,
    send,   finish, an_transport_unpack, NULL};
const struct an_transport_ops an_transport_cuda_aware = {
    "cuda-aware", 1,      create_direct,       mpi_destroy, an_transport_pack,
    send,         finish, an_transport_unpack, NULL};
const struct an_transport_ops an_transport_staged = {
    "staged", 1,      create_staged,       mpi_destroy, an_transport_pack,
    send,     finish, an_transport_unpack, NULL};
