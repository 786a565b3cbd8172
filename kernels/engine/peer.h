/* Mailboxes: memory that other processes of the node write into, past the host and its messages.
 *
 * A mailbox lies in the memory of its owner's device; neighbours on the node open it. It has a head
 * of flags, one for each neighbour, and two halves. Exchange n = 0, 1, ... of a door goes through
 * half n & 1:
 *
 *   send      copies straight into half n & 1 of the neighbours' mailboxes; then their flags for
 *             this door become n + 1 (release, system scope)
 *   receive   waits until all flags here are n + 1 or more (acquire, system scope); copies out of
 *             half n & 1
 *
 * Nothing is overwritten before it was read, and no message says so: n + 2 is sent behind the
 * receiving of n + 1, which waited for a flag that the neighbour raised behind its receiving of n.
 * So neighbours are mutual, all of them make the same exchanges, and a door stays on one stream.
 *
 * On devices all of this is work of the stream, and n is counted in engine memory: recordings may
 * be replayed. A wait that lasts longer than an_peer_patience is given up: see `lost`.
 */
#ifndef AN_PEER_H
#define AN_PEER_H

#include "kernels/engine/engine.h"

AN_EXTERN_C_BEGIN

enum { AN_PEER_FLAG = 64 }; /* bytes from flag to flag */

struct an_peer_handle {
    char bytes[64]; /* for processes of the same node */
};

struct an_peer_door; /* a mailbox and the opened ones of the neighbours */

/* One list of copies of an exchange, between a field and mailboxes. Boxes of sent copies name
 * elements of the neighbours' mailboxes, counted from `box` on wherever those lie; `half` is the
 * same for all of them. */
struct an_peer_move {
    const struct an_copies *copies;
    void *field;
    int64_t field_component; /* elements between components, as all below */
    void *box;               /* first half of this door's mailbox */
    int64_t box_component, half;
    int ncomp, vector;
    int first, last; /* the first, the last list of this exchange? */
};

struct an_peer_ops {
    int records; /* 1: sending and receiving can be recorded */
    /* A mailbox, zero-filled, and what others open it with. Freed after all have closed it. */
    int (*box_new)(struct an_engine *e, size_t bytes, void **box, struct an_peer_handle *h);
    void (*box_free)(struct an_engine *e, void *box);
    int (*box_open)(struct an_engine *e, const struct an_peer_handle *h, void **box);
    void (*box_close)(struct an_engine *e, void *box);
    /* n > 0 neighbours: flag b of `box` is raised by neighbour b, whose mailbox is there[b]; its
     * flag flag[b] is raised by this door. */
    int (*door_new)(struct an_engine *e, void *box, int n, void *const *there, const int *flag,
                    struct an_peer_door **d);
    void (*door_free)(struct an_engine *e, struct an_peer_door *d);
    int (*send)(struct an_engine *e, struct an_peer_door *d, const struct an_peer_move *m,
                int stream);
    int (*receive)(struct an_engine *e, struct an_peer_door *d, const struct an_peer_move *m,
                   int stream);
    /* A neighbour that was waited for in vain, -1: none so far. What has been received since is
     * worth nothing. */
    int (*lost)(struct an_engine *e, struct an_peer_door *d);
};

/* Bytes of a head for n flags: where the halves begin. */
static inline size_t an_peer_head(int n)
{
    return ((size_t)n * AN_PEER_FLAG + 255) / 256 * 256;
}

extern double an_peer_patience; /* s; of doors made from now on */

extern const struct an_peer_ops an_peer_host; /* engines in host memory */
extern const struct an_peer_ops an_peer_cuda; /* in builds with CUDA */

AN_EXTERN_C_END
#endif
