/* Halo exchange: the two ghost layers behind every interface, from whatever block and rank holds
 * them.
 *
 *   idle --start--> packed --messages posted--> sent --finish--> idle
 *
 * Invariants
 *  1. Which cells go where follows from the global topology alone: both sides of a message derive
 *     the same list, in the order of the interfaces, then k, j, i of the ghosts' block, then the
 *     components, without asking each other.
 *  2. One message per neighbour rank and exchange, for all blocks, layers and components.
 *  3. Only ghost cells of interface windows are written: no edges, no corners, no physical
 *     boundaries. Each of them belongs to one interface. (A shared array, an_halo_share_new, has no
 *     ghosts: the parts of other ranks are written. Nor has a level that is whole,
 *     an_halo_gather_new: the interior cells of other ranks are written.)
 *  4. A ghost holds the bits of its donor cell; only the components of vectors and tensors behind
 *     a rotational periodicity are combined (R u_donor), where the ghost is written and by the same
 *     operation for local and remote donors. So the result depends neither on the number of ranks
 *     nor on the transport.
 *  5. A donor block one cell thick has no second cell: what belongs into the second ghost lies in the block
 *     behind it, or in a ghost cell of a boundary. The first exchange puts the nearest cell there; when all
 *     first ghosts of the donors are valid, those of boundaries too, an exchange of an_halo_second_new copies
 *     them into the second ghosts of their neighbours. Meshes without such blocks have no second exchange.
 *  6. Between an_halo_start and an_halo_finish nobody writes the ghosts or the cells that are sent
 *     to other ranks, and nobody reads the ghosts. All other cells may be written: ghosts behind
 *     blocks of this rank are copied in finish, or by the caller (an_halo_take_local).
 *  7. No buffer is packed, or received into, while an earlier exchange still reads it.
 *  8. A halo talks on its own communicator: the messages of two halos (multigrid levels) cannot be
 *     mistaken for each other.
 *
 *   start: wait(halo stream <- main stream), pack, post receives and sends
 *   finish: wait for messages, unpack, wait(main stream <- halo stream), local copies
 *
 * On a device start only issues work: the messages are posted first thing in finish, when the host
 * knows that the packing is over. Issue the interior between start and finish: it runs meanwhile.
 *
 * Transports (how a packed buffer gets to the neighbour) stand behind struct an_transport.
 */
#ifndef AN_MPI_HALO_H
#define AN_MPI_HALO_H

#include <mpi.h>

#include "kernels/engine/engine.h"
#include "mpi/partition.h"

enum an_transport_kind {
    AN_TRANSPORT_KIND_AUTO = 0,
    AN_TRANSPORT_KIND_HOST,       /* engine memory is host memory: MPI straight from it */
    AN_TRANSPORT_KIND_CUDA_AWARE, /* MPI on device addresses */
    AN_TRANSPORT_KIND_STAGED,     /* through page-locked host memory */
    AN_TRANSPORT_KIND_NCCL,
    AN_TRANSPORT_KIND_PEER, /* straight into the neighbour's memory; between nodes another */
};

struct an_halo;

struct an_halo_info {
    char transport[64];          /* its name */
    char reason[768];            /* why it was chosen: "engine memory is host memory" */
    enum an_transport_kind kind; /* what was chosen; AUTO no more */
    int records;          /* exchanges can be recorded (engine.h): no host takes part in them */
    int neighbours;       /* other ranks */
    int64_t cells_remote; /* ghost cells received from other ranks in an exchange */
    int64_t cells_local;  /* ghost cells filled from blocks of this rank */
    int64_t exchanges;    /* since an_halo_new, replayed ones not counted, as the next two */
    int64_t messages;     /* sent by this rank */
    int64_t bytes;        /* sent by this rank */
};

/* Collective, and the status is the same on every rank. AUTO: the fastest of what there is, by a
 * trial of each, see the reason. `layout` holds this rank's blocks in the
 * order of `local[nlocal]` (indices of pieces of the partition). max_components: most components an
 * exchange will carry. AN_INPUT when the transport asked for cannot be had, with the reason. Keeps
 * no pointer to its arguments but the engine. */
int an_halo_new(MPI_Comm comm, struct an_engine *engine, const struct an_partition *partition,
                const struct an_layout *layout, int nlocal, const int *local, int max_components,
                enum an_transport_kind transport, struct an_halo **halo);

/* The same for fields of three components that belong to the index directions i, j, k (spectral
 * radii): ghosts behind a face of direction d receive, in component d, the donor's component of the
 * direction it is met with. Exchanges are started with ncomp = 1, vector = -1. Nothing else is
 * written. */
int an_halo_normal_new(MPI_Comm comm, struct an_engine *engine,
                       const struct an_partition *partition, const struct an_layout *layout,
                       int nlocal, const int *local, enum an_transport_kind transport,
                       struct an_halo **halo);

/* The second exchange (invariant 5), of the second ghosts behind or of blocks one cell thick. It reads first
 * ghosts and writes second ones. A ghost behind two periodic interfaces is turned twice, one after the
 * other. */
int an_halo_second_new(MPI_Comm comm, struct an_engine *engine,
                       const struct an_partition *partition, const struct an_layout *layout,
                       int nlocal, const int *local, int max_components,
                       enum an_transport_kind transport, struct an_halo **halo);
/* Does the mesh need it? The same on all ranks. */
int an_halo_needs_second(const struct an_partition *partition);
/* Does a second ghost behind this interface, or behind its other side, lie two blocks away? Not where a block
 * one cell thick is joined to itself without a rotation: all images of the cell are equal. */
int an_halo_skips(const struct an_topology *t, const struct an_interface *f);

/* An array of the engine that every rank holds whole and of which each rank fills a part: rank r
 * has elements first[r] .. first[r + 1] - 1 of first[nrank]. An exchange, with ncomp = 1 and vector
 * = -1, copies the part of each rank to all ranks whose parts are not empty; a rank without a part
 * takes part in no messages. Collective, and the status is the same on every rank. Keeps no pointer
 * to `first`. */
int an_halo_share_new(MPI_Comm comm, struct an_engine *engine, const int64_t *first,
                      enum an_transport_kind transport, struct an_halo **halo);

/* Fields of a level that every rank holds whole: block n of `layout` is piece n of the partition
 * `owners`, which says whose it is (cells of another level there do not matter). An exchange, with
 * vector = AN_COPY_PLAIN, copies the interior cells of the pieces of each rank to all other ranks; ghost
 * cells are not written. Collective, and the status is the same on every rank. Keeps no pointer to its
 * arguments but the engine. */
int an_halo_gather_new(MPI_Comm comm, struct an_engine *engine, const struct an_partition *owners,
                       const struct an_layout *layout, int max_components,
                       enum an_transport_kind transport, struct an_halo **halo);

/* Makes ready for exchanges of `ncomp` components in all, so that the first of them allocates
 * nothing. Starting an exchange does it too; public for the test of its refusals. */
int an_halo_prepare(struct an_halo *h, int ncomp);

/* Exchanges `ncomp` components of a field at `base` (component pitch layout->ncell, the engine's
 * precision). vector: first of three components that are a vector, -1: none,
 * AN_COPY_TENSOR, AN_COPY_VECTORS (engine.h). One exchange at a
 * time; every rank makes the same calls with the same numbers of components. */
int an_halo_start(struct an_halo *h, void *base, int ncomp, int vector);
int an_halo_finish(struct an_halo *h);

/* The same for several fields in one message. */
enum { AN_HALO_MAX_FIELD = AN_MAX_COPIED };
struct an_halo_field {
    void *base;
    int ncomp, vector;
};
int an_halo_start_fields(struct an_halo *h, int nfield, const struct an_halo_field *field);

/* Between start and finish: hands the copies between blocks of this rank to the caller, who makes them
 * (an_engine_ghosts) before it calls finish, which then waits for other ranks alone. */
void an_halo_take_local(struct an_halo *h, struct an_copying *c);

/* Seconds that an exchange of ncomp components takes, on the slowest rank: mean over `times`
 * exchanges one behind the other. Collective. */
int an_halo_time(struct an_halo *h, int ncomp, int times, double *seconds);
/* AN_FAIL, naming it, when a neighbour has sent nothing for long; for work that was replayed. */
int an_halo_check(struct an_halo *h);

void an_halo_info(const struct an_halo *h, struct an_halo_info *info);
/* Collective; NULL is allowed. An exchange under way is waited for. */
void an_halo_destroy(struct an_halo *h);

/* Transports this build knows, for --version: "host, staged; cuda-aware: not in this MPI". */
const char *an_transport_list(void);

#endif
