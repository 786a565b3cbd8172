#include "solver/app/device.h"

#include "mpi/reduce.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Place of this rank on its node and number of ranks there. */
static int place_on_node(MPI_Comm comm, int *place, int *ranks)
{
    MPI_Comm node;
    AN_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    AN_MPI(MPI_Comm_rank(node, place));
    AN_MPI(MPI_Comm_size(node, ranks));
    AN_MPI(MPI_Comm_free(&node));
    return AN_OK;
}

/* Threads of each of the ranks of a node. 0: OMP_NUM_THREADS says. */
static int threads_of(int ranks)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (getenv("OMP_NUM_THREADS"))
        return 0;
    return cores > ranks ? (int)(cores / ranks) : 1;
}

/* Loops outside the engine, such as those of the wall search, have the threads of this rank, too: by default
 * each rank would take all cores of the node. */
static void share_cores(int ranks)
{
    const int threads = threads_of(ranks);
    if (threads && threads < omp_get_max_threads())
        omp_set_num_threads(threads);
}

int an_device_is_idle(int ranks, int devices, char *warning)
{
    *warning = '\0';
    if (devices <= 0 || devices >= ranks)
        return 0;
    snprintf(warning, AN_DEVICE_WARNING,
             "the run uses the CPU and no GPU: a node has %d ranks, but only %d GPU%s, and device: "
             "auto wants a GPU for each rank; start %d rank%s on each node, or set device: cuda, "
             "with which ranks share a GPU",
             ranks, devices, devices == 1 ? "" : "s", devices, devices == 1 ? "" : "s");
    return 1;
}

int an_device_wake(MPI_Comm comm, enum an_device device)
{
    int place, ranks;
    AN_TRY(place_on_node(comm, &place, &ranks));
    const int devices =
        device == AN_DEVICE_CUDA || device == AN_DEVICE_AUTO ? an_engine_cuda_count() : 0;
    double enough = devices >= ranks; /* on all nodes */
    AN_TRY(an_reduce_min(comm, 1, &enough));
    if (devices > 0 && (device == AN_DEVICE_CUDA || enough > 0))
        an_engine_cuda_wake(place % devices);
    return AN_OK;
}

int an_device_choose(MPI_Comm comm, enum an_device device, enum an_precision precision,
                     struct an_engine *engine, char *reason, char *warning)
{
    int place, ranks;
    AN_TRY(place_on_node(comm, &place, &ranks));
    share_cores(ranks);
    int devices = an_engine_cuda_count();
    double least[3] = {devices >= ranks, -ranks, devices}; /* over all nodes */
    AN_TRY(an_reduce_min(comm, 3, least));
    const double enough = least[0];
    *warning = '\0';
    if (device == AN_DEVICE_AUTO && !(enough > 0))
        (void)an_device_is_idle((int)-least[1], (int)least[2], warning);
    int status;
    if (device == AN_DEVICE_CUDA || (device == AN_DEVICE_AUTO && enough > 0)) {
        if (devices == 0)
            status =
                an_error_set(AN_INPUT, "device cuda was asked for, but this rank finds no CUDA "
                                       "device (or this build has no CUDA)");
        else
            status = an_engine_cuda_new(precision, place % devices, engine);
        snprintf(reason, 256, "%s",
                 device == AN_DEVICE_CUDA ? "asked for" : "one GPU for each rank");
        if (status == AN_OK && devices < ranks)
            snprintf(reason, 256, "asked for; %d ranks share %d GPU%s", ranks, devices,
                     devices == 1 ? "" : "s");
    } else if (device == AN_DEVICE_EMULATED) {
        status = an_engine_added_new("emulated", precision, engine);
        snprintf(reason, 256, "asked for; slow, for tests");
    } else {
        status = an_engine_cpu_new(precision, threads_of(ranks), NULL, engine);
        snprintf(reason, 256, "%s",
                 device == AN_DEVICE_CPU ? "asked for"
                 : devices               ? "fewer GPUs than ranks on a node"
                                         : "no GPU found");
    }
    return an_reduce_status(comm, status);
}
