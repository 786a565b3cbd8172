/* Mailboxes in device memory: allocations of their own, opened through CUDA's handles between
 * processes. Kernels: cuda_peer.cu. */
#include "kernels/cuda/cuda_peer.h"
#include "kernels/cuda/cuda_runtime.cuh"

#include <cstdlib>
#include <cstring>

struct an_peer_door {
    struct an_door_args args;
    const struct an_cuda_peer_kernels *kernels;
};

namespace
{
/* Handles stand for whole blocks of the driver's; smaller ones would be shared with others. */
constexpr size_t BLOCK = size_t{2} << 20;

int box_new(struct an_engine *e, size_t bytes, void **box, struct an_peer_handle *h)
{
    static_assert(sizeof(cudaIpcMemHandle_t) <= sizeof h->bytes, "handles fit");
    AN_TRY(e->op->alloc(e, (bytes + BLOCK - 1) / BLOCK * BLOCK, box));
    cudaIpcMemHandle_t handle;
    const cudaError_t status = cudaIpcGetMemHandle(&handle, *box);
    if (status != cudaSuccess) {
        (void)cudaGetLastError();
        e->op->free(e, *box);
        *box = nullptr;
        return an_error_set(AN_FAIL, "CUDA: device memory cannot be shared: %s",
                            cudaGetErrorString(status));
    }
    memset(h, 0, sizeof *h);
    memcpy(h->bytes, &handle, sizeof handle);
    return AN_OK;
}

void box_free(struct an_engine *e, void *box)
{
    e->op->free(e, box);
}

int box_open(struct an_engine *e, const struct an_peer_handle *h, void **box)
{
    (void)e;
    cudaIpcMemHandle_t handle;
    memcpy(&handle, h->bytes, sizeof handle);
    const cudaError_t status = cudaIpcOpenMemHandle(box, handle, cudaIpcMemLazyEnablePeerAccess);
    if (status == cudaSuccess)
        return AN_OK;
    (void)cudaGetLastError();
    *box = nullptr;
    return an_error_set(AN_FAIL, "CUDA: memory of a neighbour's device cannot be opened: %s",
                        cudaGetErrorString(status));
}

void box_close(struct an_engine *e, void *box)
{
    (void)e;
    (void)cudaIpcCloseMemHandle(box);
}

void door_free(struct an_engine *e, struct an_peer_door *d)
{
    if (d->args.count)
        e->op->free(e, d->args.count);
    if (d->args.there)
        e->op->free(e, d->args.there);
    if (d->args.lost)
        e->op->free_host(e, d->args.lost);
    free(d);
}

int fill(struct an_engine *e, void *const *there, const int *flag, struct an_peer_door *d)
{
    const size_t count = static_cast<size_t>(d->args.n);
    void *p;
    AN_TRY(e->op->alloc(e, sizeof *d->args.count, &p));
    d->args.count = static_cast<struct an_door_count *>(p);
    AN_TRY(e->op->alloc_host(e, sizeof *d->args.lost, &p));
    d->args.lost = static_cast<unsigned int *>(p);
    AN_TRY(e->op->alloc(e, count * sizeof *d->args.there, &p));
    d->args.there = static_cast<unsigned long long **>(p);
    char **flags = static_cast<char **>(malloc(count * sizeof *flags));
    AN_CHECK(flags, AN_FAIL, "out of memory for a mailbox");
    for (size_t b = 0; b < count; b++)
        flags[b] = static_cast<char *>(there[b]) + flag[b] * AN_PEER_FLAG;
    const int status = e->op->upload(e, p, flags, count * sizeof *flags, 0);
    free(flags);
    return status;
}

int door_new(struct an_engine *e, void *box, int n, void *const *there, const int *flag,
             struct an_peer_door **out)
{
    struct an_peer_door *d = static_cast<struct an_peer_door *>(calloc(1, sizeof *d));
    AN_CHECK(d, AN_FAIL, "out of memory for a mailbox");
    d->kernels = e->precision == AN_DOUBLE ? &an_cuda_peer_f64 : &an_cuda_peer_f32;
    d->args.n = n;
    d->args.here = static_cast<unsigned long long *>(box);
    d->args.patience = static_cast<unsigned long long>(an_peer_patience * 1e9);
    const int status = fill(e, there, flag, d);
    if (status == AN_OK)
        *out = d;
    else
        door_free(e, d);
    return status;
}

struct an_door_args args_of(const struct an_peer_door *d, const struct an_peer_move *m)
{
    struct an_door_args a = d->args;
    a.half = m->half;
    a.first = m->first;
    a.last = m->last;
    return a;
}

/* the copy of a move, from its field to the box or from the box to its field; returns its chunks */
int copy_args_of(const struct an_peer_move *m, bool to_box, struct an_copy_args *a)
{
    const int nchunk = an_cuda_copies_args(m->copies, a);
    a->dst = to_box ? m->box : m->field;
    a->src = to_box ? m->field : m->box;
    a->dst_component = to_box ? m->box_component : m->field_component;
    a->src_component = to_box ? m->field_component : m->box_component;
    a->ncomp = m->ncomp;
    a->vector = m->vector;
    return nchunk;
}

int door_send(struct an_engine *e, struct an_peer_door *d, const struct an_peer_move *m, int stream)
{
    struct an_copy_args a;
    const struct an_door_args door = args_of(d, m);
    const int nchunk = copy_args_of(m, true, &a);
    e->launches++;
    return d->kernels->send(&a, &door, nchunk, an_cuda_queue_of(e, stream));
}

int door_receive(struct an_engine *e, struct an_peer_door *d, const struct an_peer_move *m,
                 int stream)
{
    struct an_copy_args a;
    const struct an_door_args door = args_of(d, m);
    const int nchunk = copy_args_of(m, false, &a);
    e->launches++;
    return d->kernels->receive(&a, &door, nchunk, an_cuda_queue_of(e, stream));
}

int door_lost(struct an_engine *e, struct an_peer_door *d)
{
    (void)e;
    return static_cast<int>(*static_cast<volatile unsigned int *>(d->args.lost)) - 1;
}
} // namespace

const struct an_peer_ops an_peer_cuda = {1,        box_new,   box_free,  box_open,     box_close,
                                         door_new, door_free, door_send, door_receive, door_lost};
