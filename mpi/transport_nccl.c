/* NCCL: grouped sends and receives as operations of the halo stream. The library is loaded when it
 * is first asked for; nothing is linked with it. The few declarations follow its documented
 * interface, which is stable over versions 2.7 and later.
 *
 * One NCCL communicator serves all halos of the same ranks: setting one up takes long.
 */
#include "mpi/transport.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/cuda_plan.h"
#include "mpi/reduce.h"

typedef void *comm_t; /* ncclComm_t */
struct unique_id {
    char internal[128];
};
enum { NCCL_SUCCESS = 0, NCCL_INT8 = 0, NCCL_OLDEST = 2700 };

static struct {
    int tried;
    char why_not[200]; /* "": loaded */
    int (*get_version)(int *version);
    int (*get_unique_id)(struct unique_id *id);
    int (*comm_init_rank)(comm_t *comm, int nranks, struct unique_id id, int rank);
    int (*comm_destroy)(comm_t comm);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *from, size_t count, int type, int peer, comm_t comm, void *stream);
    int (*recv)(void *to, size_t count, int type, int peer, comm_t comm, void *stream);
    const char *(*error_string)(int code);
} nccl;

/* Communicators in use. */
struct shared {
    struct shared *next;
    MPI_Comm ranks; /* owned */
    comm_t comm;
    int users;
};
static struct shared *all;

static void find(void *library, const char *name, void *to)
{
    void *p = dlsym(library, name);
    memcpy(to, &p, sizeof p);
    if (!p)
        snprintf(nccl.why_not, sizeof nccl.why_not, "libnccl.so.2 has no %s", name);
}

static void load(void)
{
    nccl.tried = 1;
    setenv("NCCL_NVLS_ENABLE", "0", 0); /* multicast is of no use to messages */
    void *library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(nccl.why_not, sizeof nccl.why_not, "libnccl.so.2 is not found");
        return;
    }
    find(library, "ncclGetVersion", &nccl.get_version);
    find(library, "ncclGetUniqueId", &nccl.get_unique_id);
    find(library, "ncclCommInitRank", &nccl.comm_init_rank);
    find(library, "ncclCommDestroy", &nccl.comm_destroy);
    find(library, "ncclGroupStart", &nccl.group_start);
    find(library, "ncclGroupEnd", &nccl.group_end);
    find(library, "ncclSend", &nccl.send);
    find(library, "ncclRecv", &nccl.recv);
    find(library, "ncclGetErrorString", &nccl.error_string);
    int version = 0;
    if (!nccl.why_not[0] && (nccl.get_version(&version) != NCCL_SUCCESS || version < NCCL_OLDEST))
        snprintf(nccl.why_not, sizeof nccl.why_not, "libnccl.so.2 is too old (%d)", version);
}

const char *an_nccl_why_not(void)
{
    if (!nccl.tried)
        load();
    return nccl.why_not[0] ? nccl.why_not : NULL;
}

static int nccl_error(int code, const char *call)
{
    return an_error_set(AN_FAIL, "NCCL: %s in %s", nccl.error_string(code), call);
}

#define NCCL(call)                           \
    do {                                     \
        const int nccl_ = (call);            \
        if (nccl_ != NCCL_SUCCESS)           \
            return nccl_error(nccl_, #call); \
    } while (0)

/* Two ranks on one device are refused by NCCL; found out here, in words. */
static int one_device_each(const struct an_transport *t, int rank, int size)
{
    enum { LENGTH = MPI_MAX_PROCESSOR_NAME + 40 }; /* host, a space, bus */
    char *name = calloc((size_t)size, LENGTH), host[MPI_MAX_PROCESSOR_NAME + 1] = "";
    int length, same = -1;
    AN_CHECK(name, AN_FAIL, "out of memory for the halo transport");
    MPI_Get_processor_name(host, &length);
    snprintf(name + (size_t)rank * LENGTH, LENGTH, "%s %s", host, t->engine->bus);
    const int code =
        MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, name, LENGTH, MPI_CHAR, t->comm);
    for (int r = 0; r < size && code == MPI_SUCCESS; r++)
        if (r != rank && strcmp(name + (size_t)r * LENGTH, name + (size_t)rank * LENGTH) == 0)
            same = r;
    free(name);
    if (code != MPI_SUCCESS)
        return an_mpi_error(code, "MPI_Allgather");
    AN_CHECK(same < 0, AN_INPUT, "NCCL: ranks %d and %d share a device", rank, same);
    return AN_OK;
}

static int nccl_start(struct an_transport *t, struct shared *s)
{
    struct unique_id id;
    int rank, size;
    memset(&id, 0, sizeof id);
    AN_MPI(MPI_Comm_rank(t->comm, &rank));
    AN_MPI(MPI_Comm_size(t->comm, &size));
    AN_TRY(an_reduce_status(t->comm, one_device_each(t, rank, size)));
    int code = rank == 0 ? nccl.get_unique_id(&id) : NCCL_SUCCESS;
    AN_MPI(MPI_Bcast(&code, 1, MPI_INT, 0, t->comm));
    if (code != NCCL_SUCCESS)
        return nccl_error(code, "ncclGetUniqueId");
    AN_MPI(MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, t->comm));
    NCCL(nccl.comm_init_rank(&s->comm, size, id, rank));
    return AN_OK;
}

/* The communicator of the halo's ranks. */
static int join(struct an_transport *t)
{
    for (struct shared *s = all; s; s = s->next) {
        int how;
        AN_MPI(MPI_Comm_compare(s->ranks, t->comm, &how));
        if (how == MPI_CONGRUENT || how == MPI_IDENT) {
            s->users++;
            t->state = s;
            return AN_OK;
        }
    }
    struct shared *s = calloc(1, sizeof *s);
    AN_TRY(an_reduce_status(t->comm, s ? AN_OK : an_error_set(AN_FAIL, "out of memory for NCCL")));
    s->next = all;
    all = s;
    s->users = 1;
    t->state = s;
    AN_MPI(MPI_Comm_dup(t->comm, &s->ranks));
    return nccl_start(t, s);
}

static int create(struct an_transport *t)
{
    AN_TRY(join(t));
    const size_t cell = (size_t)t->max_component * (size_t)t->engine->precision;
    if (t->nneighbour == 0)
        return AN_OK;
    AN_TRY(t->engine->op->alloc(t->engine, (size_t)t->send_cells * cell, &t->send));
    return t->engine->op->alloc(t->engine, (size_t)t->recv_cells * cell, &t->recv);
}

static void leave(struct shared *mine)
{
    if (!mine || --mine->users > 0)
        return;
    struct shared **at = &all;
    while (*at != mine)
        at = &(*at)->next;
    *at = mine->next;
    if (mine->comm)
        nccl.comm_destroy(mine->comm);
    MPI_Comm_free(&mine->ranks);
    free(mine);
}

static void nccl_destroy(struct an_transport *t)
{
    if (t->send)
        t->engine->op->free(t->engine, t->send);
    if (t->recv)
        t->engine->op->free(t->engine, t->recv);
    leave(t->state);
    t->state = t->send = t->recv = NULL;
}

static int send(struct an_transport *t, int ncomp, int stream)
{
    const struct shared *s = t->state;
    const size_t cell = (size_t)ncomp * (size_t)t->engine->precision;
    void *on = an_cuda_stream(t->engine, stream);
    if (t->nneighbour == 0)
        return AN_OK;
    NCCL(nccl.group_start());
    for (int b = 0; b < t->nneighbour; b++) {
        const struct an_neighbour *n = &t->neighbour[b];
        NCCL(nccl.recv((char *)t->recv + (size_t)n->recv_at * cell, (size_t)n->recv_cells * cell,
                       NCCL_INT8, n->rank, s->comm, on));
        NCCL(nccl.send((const char *)t->send + (size_t)n->send_at * cell,
                       (size_t)n->send_cells * cell, NCCL_INT8, n->rank, s->comm, on));
    }
    NCCL(nccl.group_end());
    return AN_OK;
}

static int finish(struct an_transport *t, int ncomp, int stream)
{
    (void)t;
    (void)ncomp;
    (void)stream;
    return AN_OK;
}

const struct an_transport_ops an_transport_nccl = {
    "nccl", 0, create, nccl_destroy, an_transport_pack, send, finish, an_transport_unpack, NULL};
