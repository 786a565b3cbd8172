/* Between ranks of one node: the kernel that packs writes into the neighbour's mailbox, and flags
 * in device memory take the place of messages (kernels/engine/peer.h). No host takes part.
 *
 * Mailboxes hold cells in the order of their owner's receive buffer, component after component. The
 * pitch of components is the same on all ranks, that of the largest buffer, so that one launch
 * writes to all neighbours: only where their cells begin differs.
 */
#include "mpi/transport.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/engine/peer.h"
#include "mpi/reduce.h"

enum { TAG = 0 };

/* What a rank sends to a neighbour about its mailbox. */
struct invitation {
    struct an_peer_handle handle;
    int64_t data;    /* bytes from the mailbox to its first half */
    int64_t recv_at; /* cell of a half where the neighbour's begin */
    int flag;        /* the neighbour's */
    int open;        /* 0: the mailbox could not be made */
};

struct state {
    void *box, **there; /* there[nneighbour]: opened; NULL: not (yet); owned */
    struct an_peer_door *door;
    int64_t half;
};

static int box_new(struct an_transport *t, struct an_peer_handle *h)
{
    struct state *s = t->state;
    if (t->nneighbour == 0)
        return AN_OK;
    const size_t bytes =
        an_peer_head(t->nneighbour) + 2 * (size_t)s->half * (size_t)t->engine->precision;
    AN_TRY(t->engine->peer->box_new(t->engine, bytes, &s->box, h));
    t->send = t->recv = (char *)s->box + an_peer_head(t->nneighbour);
    return AN_OK;
}

/* out[b] goes to neighbour b, in[b] comes from it. */
static int invite(struct an_transport *t, struct invitation *out, struct invitation *in)
{
    const size_t count = 2 * (size_t)t->nneighbour;
    MPI_Request *request = malloc((count + 1) * sizeof *request);
    AN_CHECK(request, AN_FAIL, "out of memory for the halo transport");
    int n = 0, code = MPI_SUCCESS;
    for (int b = 0; b < t->nneighbour && code == MPI_SUCCESS; b++) {
        const int rank = t->neighbour[b].rank;
        code = MPI_Irecv(&in[b], sizeof *in, MPI_BYTE, rank, TAG, t->comm, &request[n++]);
        if (code == MPI_SUCCESS)
            code = MPI_Isend(&out[b], sizeof *out, MPI_BYTE, rank, TAG, t->comm, &request[n++]);
    }
    if (code == MPI_SUCCESS)
        code = MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
    free(request);
    return code == MPI_SUCCESS ? AN_OK : an_mpi_error(code, "invitations to mailboxes");
}

/* Opens the neighbours' mailboxes, and finds out where their cells lie as seen from this one. */
static int accept_all(struct an_transport *t, const struct invitation *in, int *flag)
{
    struct state *s = t->state;
    for (int b = 0; b < t->nneighbour; b++) {
        struct an_neighbour *n = &t->neighbour[b];
        AN_CHECK(in[b].open, AN_FAIL, "rank %d has no mailbox", n->rank);
        AN_TRY(t->engine->peer->box_open(t->engine, &in[b].handle, &s->there[b]));
        const intptr_t away =
            (intptr_t)((uintptr_t)s->there[b] + (uintptr_t)in[b].data - (uintptr_t)t->send);
        AN_CHECK(away % (int)t->engine->precision == 0, AN_FAIL, "a mailbox is not aligned");
        n->pack_at = away / (int)t->engine->precision + in[b].recv_at;
        flag[b] = in[b].flag;
    }
    return t->engine->peer->door_new(t->engine, s->box, t->nneighbour, s->there, flag, &s->door);
}

static int connect(struct an_transport *t, struct invitation *out, struct invitation *in, int *flag)
{
    struct an_peer_handle mine;
    const int made = box_new(t, &mine);
    for (int b = 0; b < t->nneighbour && made == AN_OK; b++)
        out[b] =
            (struct invitation){.handle = mine,
                                .data = (char *)t->recv - (char *)((struct state *)t->state)->box,
                                .recv_at = t->neighbour[b].recv_at,
                                .flag = b,
                                .open = 1};
    const int told = invite(t, out, in);
    AN_TRY(made);
    AN_TRY(told);
    return t->nneighbour ? accept_all(t, in, flag) : AN_OK;
}

static int create(struct an_transport *t)
{
    struct state *s = calloc(1, sizeof *s);
    const size_t count = (size_t)t->nneighbour + 1;
    struct invitation *out = calloc(2 * count, sizeof *out);
    int *flag = calloc(count, sizeof *flag);
    int status = AN_OK;
    t->state = s;
    if (s)
        s->there = calloc(count, sizeof *s->there);
    if (!s || !s->there || !out || !flag)
        status = an_error_set(AN_FAIL, "out of memory for the halo transport");
    status = an_reduce_status(t->comm, status);
    t->pitch = t->recv_cells > 32 ? (t->recv_cells + 31) / 32 * 32 : 32;
    if (status == AN_OK) {
        const int code = MPI_Allreduce(MPI_IN_PLACE, &t->pitch, 1, MPI_INT64_T, MPI_MAX, t->comm);
        status = code == MPI_SUCCESS ? AN_OK : an_mpi_error(code, "MPI_Allreduce");
    }
    if (status == AN_OK) {
        s->half = t->pitch * t->max_component;
        status = connect(t, out, out + count, flag);
    }
    free(out);
    free(flag);
    return status;
}

/* A mailbox is freed when no rank writes into it and no rank has it open. */
static void peer_destroy(struct an_transport *t)
{
    const struct an_peer_ops *peer = t->engine->peer;
    struct state *s = t->state;
    MPI_Barrier(t->comm);
    if (s && s->door)
        peer->door_free(t->engine, s->door);
    for (int b = 0; s && s->there && b < t->nneighbour; b++)
        if (s->there[b])
            peer->box_close(t->engine, s->there[b]);
    MPI_Barrier(t->comm);
    if (s && s->box)
        peer->box_free(t->engine, s->box);
    if (s)
        free(s->there);
    free(s);
    t->state = t->send = t->recv = NULL;
}

static struct an_peer_move move_of(const struct an_transport *t, void *box,
                                   const struct an_transport_move *m)
{
    const struct state *s = t->state;
    const int64_t skip = m->component * t->pitch * (int)t->engine->precision;
    return (struct an_peer_move){.copies = m->copies,
                                 .field = m->field,
                                 .field_component = m->field_component,
                                 .box = (char *)box + skip,
                                 .box_component = t->pitch,
                                 .half = s->half,
                                 .ncomp = m->ncomp,
                                 .vector = m->vector,
                                 .first = m->first,
                                 .last = m->last};
}

static int pack(struct an_transport *t, const struct an_transport_move *m, int stream)
{
    const struct state *s = t->state;
    struct an_peer_move move = move_of(t, t->send, m);
    move.vector = AN_COPY_PLAIN;
    return t->engine->peer->send(t->engine, s->door, &move, stream);
}

static int send(struct an_transport *t, int ncomp, int stream)
{
    (void)t;
    (void)ncomp;
    (void)stream;
    return AN_OK;
}

static int check(struct an_transport *t)
{
    const struct state *s = t->state;
    const int lost = t->nneighbour ? t->engine->peer->lost(t->engine, s->door) : -1;
    AN_CHECK(lost < 0, AN_FAIL, "rank %d sends no halo: waited %g s for it",
             t->neighbour[lost].rank, an_peer_patience);
    return AN_OK;
}

static int finish(struct an_transport *t, int ncomp, int stream)
{
    (void)ncomp;
    (void)stream;
    return check(t);
}

static int unpack(struct an_transport *t, const struct an_transport_move *m, int stream)
{
    const struct state *s = t->state;
    const struct an_peer_move move = move_of(t, t->recv, m);
    return t->engine->peer->receive(t->engine, s->door, &move, stream);
}

const struct an_transport_ops an_transport_peer = {"peer", 0,      create, peer_destroy, pack,
                                                   send,   finish, unpack, check};
