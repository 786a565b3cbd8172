/* What the memory of mailboxes and the kernels that use it share; CUDA engine only. */
#ifndef AN_CUDA_PEER_H
#define AN_CUDA_PEER_H

#include "kernels/cuda/cuda_plan.h"
#include "kernels/engine/peer.h"

AN_EXTERN_C_BEGIN

/* In engine memory. */
struct an_door_count {
    unsigned long long sent, received;
    unsigned int blocks_sent, blocks_received; /* done, of the launch under way */
    unsigned int gave_up;
};

/* What kernels know of a door. */
struct an_door_args {
    int n;
    struct an_door_count *count;
    unsigned long long **there;  /* [n] flags in the neighbours' mailboxes; engine memory */
    unsigned long long *here;    /* flags of this mailbox, AN_PEER_FLAG bytes apart */
    unsigned int *lost;          /* page-locked host memory: neighbour + 1 */
    unsigned long long patience; /* ns */
    int64_t half;                /* elements */
    int first, last;
};

struct an_cuda_peer_kernels {
    int (*send)(const struct an_copy_args *a, const struct an_door_args *d, int nchunk,
                struct an_cuda_queue *queue);
    int (*receive)(const struct an_copy_args *a, const struct an_door_args *d, int nchunk,
                   struct an_cuda_queue *queue);
};

extern const struct an_cuda_peer_kernels an_cuda_peer_f32, an_cuda_peer_f64;

AN_EXTERN_C_END
#endif
