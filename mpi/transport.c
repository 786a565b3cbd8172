#include "mpi/transport.h"

#include <mpi.h>
#include <stdio.h>

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
#if !defined(MPIX_CUDA_AWARE_SUPPORT) || !MPIX_CUDA_AWARE_SUPPORT
    return "host, staged; cuda-aware: not in this MPI";
#else
    return "host, staged, cuda-aware";
#endif
}

int an_transport_choose(enum an_transport_kind kind, const struct an_engine *e,
                        const struct an_transport_ops **op, char reason[AN_TRANSPORT_REASON])
{
    const char *why_not =
        e->device_memory ? why_not_cuda_aware() : "the engine works in host memory";
    switch (kind) {
    case AN_TRANSPORT_KIND_AUTO:
        if (!e->device_memory) {
            *op = &an_transport_host;
            snprintf(reason, AN_TRANSPORT_REASON, "engine memory is host memory");
        } else if (!why_not) {
            *op = &an_transport_cuda_aware;
            snprintf(reason, AN_TRANSPORT_REASON, "CUDA-aware MPI on device memory");
        } else {
            *op = &an_transport_staged;
            snprintf(reason, AN_TRANSPORT_REASON,
                     "MPI through page-locked host memory; CUDA-aware MPI: not available because "
                     "%s",
                     why_not);
        }
        return AN_OK;
    case AN_TRANSPORT_KIND_HOST:
        AN_CHECK(!e->device_memory, AN_INPUT,
                 "halo transport 'host' needs an engine in host memory; this one is '%s'", e->name);
        *op = &an_transport_host;
        break;
    case AN_TRANSPORT_KIND_CUDA_AWARE:
        AN_CHECK(!why_not, AN_INPUT, "CUDA-aware MPI: not available because %s", why_not);
        *op = &an_transport_cuda_aware;
        break;
    case AN_TRANSPORT_KIND_STAGED:
        *op = &an_transport_staged;
        break;
    default:
        return an_error_set(AN_INPUT, "unknown halo transport %d", (int)kind);
    }
    snprintf(reason, AN_TRANSPORT_REASON, "as the case asks");
    return AN_OK;
}
