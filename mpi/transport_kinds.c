/* The list of transports, and which of them this build, machine and engine can use. */
#include "mpi/transport.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "mpi/reduce.h"

#if defined(OPEN_MPI) && defined(__has_include)
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#endif

/* NULL: this MPI takes device addresses; else why not. */
static const char *why_not_cuda_aware(void)
{
#if !defined(MPIX_CUDA_AWARE_SUPPORT)
    return "this MPI does not say whether it supports it";
#elif !MPIX_CUDA_AWARE_SUPPORT
    return "this MPI was built without it";
#else
    return MPIX_Query_cuda_support() ? NULL : "this MPI has switched it off";
#endif
}

const char *an_transport_list(void)
{
    static char text[512];
    const char *nccl = an_nccl_why_not(), *aware = why_not_cuda_aware();
    snprintf(text, sizeof text, "host, staged, peer%s%s%s%s%s", nccl ? "" : ", nccl",
             aware ? "" : ", cuda-aware", aware ? "; cuda-aware: " : "", aware ? aware : "",
             nccl ? "; nccl: " : "");
    if (nccl)
        strncat(text, nccl, sizeof text - strlen(text) - 1);
    return text;
}

const struct an_transport_ops *an_transport_of(enum an_transport_kind kind)
{
    switch (kind) {
    case AN_TRANSPORT_KIND_HOST:
        return &an_transport_host;
    case AN_TRANSPORT_KIND_CUDA_AWARE:
        return &an_transport_cuda_aware;
    case AN_TRANSPORT_KIND_STAGED:
        return &an_transport_staged;
    case AN_TRANSPORT_KIND_NCCL:
        return &an_transport_nccl;
    case AN_TRANSPORT_KIND_PEER:
        return &an_transport_peer;
    default:
        return NULL;
    }
}

/* NULL: this rank can use it; else why not. */
static const char *why_not_here(enum an_transport_kind kind, const struct an_engine *e)
{
    static const char *const needs_device = "the engine works in host memory";
    switch (kind) {
    case AN_TRANSPORT_KIND_HOST:
        return e->device_memory ? "the engine does not work in host memory" : NULL;
    case AN_TRANSPORT_KIND_CUDA_AWARE:
        return e->device_memory ? why_not_cuda_aware() : needs_device;
    case AN_TRANSPORT_KIND_NCCL:
        return strcmp(e->name, "cuda") == 0 ? an_nccl_why_not() : needs_device;
    case AN_TRANSPORT_KIND_PEER:
        return e->peer ? NULL : "this engine shares no memory";
    default:
        return NULL;
    }
}

int an_transport_agree(MPI_Comm comm, enum an_transport_kind kind, const struct an_engine *e,
                       char why_not[256])
{
    const char *mine = why_not_here(kind, e);
    int rank, first;
    AN_MPI(MPI_Comm_rank(comm, &rank));
    AN_MPI(MPI_Comm_size(comm, &first));
    const int none = first;
    if (mine)
        first = rank;
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm));
    snprintf(why_not, 256, "%s", mine && first == rank ? mine : "");
    if (first < none)
        AN_MPI(MPI_Bcast(why_not, 256, MPI_CHAR, first, comm));
    return AN_OK;
}
