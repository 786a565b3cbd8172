/* The neighbours that one transport serves, with the boxes of cells that go to and come from them.
 * Internal to the halo exchange. */
#ifndef AN_MPI_CHANNEL_H
#define AN_MPI_CHANNEL_H

#include "mpi/halo_plan.h"
#include "mpi/transport.h"

/* Boxes on their way between fields and the buffers. */
struct an_channel_boxes {
    struct an_copies *pack, *unpack;
    int ready;
};

struct an_channel {
    int nneighbour;
    struct an_neighbour *neighbour; /* owned */
    struct an_copy_list pack, unpack;
    const double (*rotation)[9]; /* the plan's */
    int nrotation;
    struct an_transport transport;
    struct an_channel_boxes *boxes; /* [max_component + 1] by components of the exchange; those of
                                     * a transport with a pitch fit all and are [0] */
};

/* takes[nneighbour of the plan]: 1 if this channel serves the neighbour. The plan must outlive the
 * channel.
 * Collective, and the status is agreed; destroy follows in any case, on all ranks. */
int an_channel_new(MPI_Comm comm, struct an_engine *engine, const struct an_halo_plan *plan,
                   const char *takes, int max_component, const struct an_transport_ops *op,
                   struct an_channel *c);
void an_channel_destroy(struct an_channel *c);
int an_channel_prepare(struct an_channel *c, int ncomp);

/* Parts of an exchange of `ncomp` components in all, on the halo stream. */
int an_channel_pack(struct an_channel *c, int nfield, const struct an_halo_field *field,
                    int64_t pitch, int ncomp, int stream);
int an_channel_unpack(struct an_channel *c, int nfield, const struct an_halo_field *field,
                      int64_t pitch, int ncomp, int stream);

#endif
