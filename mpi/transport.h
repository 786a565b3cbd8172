/* How halos travel between ranks: one interface, several ways. Internal to the halo exchange.
 *
 * The halo copies into and out of buffers, engine memory that the transport provides. Cells of
 * neighbour b begin at cell neighbour[b].pack_at of `send` and at cell neighbour[b].recv_at of
 * `recv`. pitch 0: the components of a cell lie together, component c of cell n is element
 * n * ncomp + c; else element n + c * pitch. Per exchange, in this order:
 *
 *   pack(t, move, stream)     once for each field; issued on `stream`
 *   send(t, ncomp, stream)    starts the transfers. May wait for `stream` on the host where
 *                             `host_waits` says so, for nothing else
 *   finish(t, ncomp, stream)  work issued on `stream` from now on finds `recv` filled, and `send`
 *                             may be packed again by work on `stream`
 *   unpack(t, move, stream)   once for each field
 *
 * A transport whose transfers are operations of the stream itself (NCCL, peer) has host_waits = 0
 * and is started right behind the packing; its exchanges can be recorded.
 */
#ifndef AN_MPI_TRANSPORT_H
#define AN_MPI_TRANSPORT_H

#include <mpi.h>

#include "kernels/engine/engine.h"
#include "mpi/halo.h"

struct an_neighbour {
    int rank;
    int64_t send_cells, recv_cells;
    int64_t send_at, recv_at; /* first cell in the buffers */
    int64_t pack_at;          /* send_at, or the place that the transport has chosen instead */
};

/* A field of an exchange. */
struct an_transport_move {
    const struct an_copies *copies; /* between the field and the buffer */
    void *field;
    int64_t field_component; /* elements between components */
    int component;           /* of the exchange, where the field begins */
    int ncomp, vector;
    int first, last; /* the first, the last field of the exchange? */
};

struct an_transport {
    const struct an_transport_ops *op;
    struct an_engine *engine; /* the caller's */
    MPI_Comm comm;            /* the channel's own */
    int nneighbour, max_component;
    struct an_neighbour *neighbour; /* the channel's, sorted by rank */
    int64_t send_cells, recv_cells; /* of all neighbours */
    int64_t pitch;
    void *send, *recv; /* engine memory, owned */
    void *state;       /* owned by the operations below */
};

struct an_transport_ops {
    const char *name;
    int host_waits;
    /* Collective; what precedes `pitch` is filled. Returns without an agreement of the ranks;
     * destroy follows in any case, on all ranks. */
    int (*create)(struct an_transport *t);
    void (*destroy)(struct an_transport *t);
    int (*pack)(struct an_transport *t, const struct an_transport_move *m, int stream);
    int (*send)(struct an_transport *t, int ncomp, int stream);
    int (*finish)(struct an_transport *t, int ncomp, int stream);
    int (*unpack)(struct an_transport *t, const struct an_transport_move *m, int stream);
    /* AN_FAIL if a neighbour has sent nothing for long. NULL: the library notices that. */
    int (*check)(struct an_transport *t);
};

extern const struct an_transport_ops an_transport_host;       /* MPI on engine memory */
extern const struct an_transport_ops an_transport_cuda_aware; /* MPI on device memory */
extern const struct an_transport_ops an_transport_staged;     /* MPI on page-locked host memory */
extern const struct an_transport_ops an_transport_nccl;
extern const struct an_transport_ops an_transport_peer; /* between ranks of one node */

/* Operations of a kind on this engine; NULL: AUTO. */
const struct an_transport_ops *an_transport_of(enum an_transport_kind kind);
/* why_not: "" if all ranks can use it, else why the first rank that cannot use it cannot. */
int an_transport_agree(MPI_Comm comm, enum an_transport_kind kind, const struct an_engine *e,
                       char why_not[256]);

/* Packing into `send` and out of `recv`, of transports that move whole buffers. */
int an_transport_pack(struct an_transport *t, const struct an_transport_move *m, int stream);
int an_transport_unpack(struct an_transport *t, const struct an_transport_move *m, int stream);

/* NULL: libnccl can be used; else why not. */
const char *an_nccl_why_not(void);

#endif
