/* How packed halos travel between ranks: one interface, several ways. Internal to the halo
 * exchange.
 *
 * The halo packs into `send` and unpacks from `recv`, both engine memory that the transport
 * allocates; cell n of neighbour b is at element (send_at + n) * ncomp of `send`. A transport moves
 * send_cells of each neighbour to that neighbour's `recv`. Per exchange, in this order:
 *
 *   send(t, ncomp, stream)    the packing was issued on `stream`; starts the transfers. May wait
 * for `stream` on the host where `host_waits` says so, for nothing else. finish(t, ncomp, stream)
 * work issued on `stream` from now on finds `recv` filled, and `send` may be packed again by work
 * on `stream`.
 *
 * A transport whose transfers are operations of the stream itself (NCCL, peer copies) has
 * host_waits = 0 and is then started right behind the packing.
 */
#ifndef AN_MPI_TRANSPORT_H
#define AN_MPI_TRANSPORT_H

#include <mpi.h>

#include "kernels/engine.h"
#include "mpi/halo.h"

enum { AN_TRANSPORT_REASON = 256 };

struct an_neighbour {
    int rank;
    int64_t send_cells, recv_cells;
    int64_t send_at, recv_at; /* first cell in the buffers */
};

struct an_transport {
    const struct an_transport_ops *op;
    struct an_engine *engine; /* the caller's */
    MPI_Comm comm;            /* the halo's own */
    int nneighbour, max_component;
    const struct an_neighbour *neighbour; /* the halo's, sorted by rank */
    int64_t send_cells, recv_cells;       /* of all neighbours */
    void *send, *recv;                    /* engine memory, owned */
    void *state;                          /* owned by the operations below */
};

struct an_transport_ops {
    const char *name;
    int host_waits;
    int (*create)(struct an_transport *t); /* what precedes `send` is filled; collective */
    void (*destroy)(struct an_transport *t);
    int (*send)(struct an_transport *t, int ncomp, int stream);
    int (*finish)(struct an_transport *t, int ncomp, int stream);
};

extern const struct an_transport_ops an_transport_host;       /* MPI on engine memory */
extern const struct an_transport_ops an_transport_cuda_aware; /* MPI on device memory */
extern const struct an_transport_ops an_transport_staged;     /* MPI on page-locked host memory */

/* The operations for a choice on this engine, and why: one line for the start of the run's log.
 * AN_INPUT when what was asked for cannot be had. */
int an_transport_choose(enum an_transport_kind kind, const struct an_engine *e,
                        const struct an_transport_ops **op, char reason[AN_TRANSPORT_REASON]);

#endif
