#define _GNU_SOURCE
#include "solver/app/device.h"

#include "mpi/reduce.h"

#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Place of this rank on its node, number of ranks there, and the threads that it gets. */
struct node {
    int place, ranks, threads;
};

/* Open MPI binds each of one or two ranks to one core, on which all threads of a rank would run. Where nobody has asked for
 * a binding, and it leaves the rank less than its share of the machine, the rank takes the cores that the system lets it
 * have. More ranks are bound to the cores of a socket, where they stay. */
static void leave_core(int ranks)
{
    cpu_set_t set;
    if (!getenv("OMPI_MCA_orte_bound_at_launch") || getenv("OMPI_MCA_hwloc_base_binding_policy") ||
        sched_getaffinity(0, sizeof set, &set) ||
        CPU_COUNT(&set) >= sysconf(_SC_NPROCESSORS_ONLN) / ranks)
        return;
    for (int c = 0; c < CPU_SETSIZE; c++)
        CPU_SET(c, &set);
    (void)sched_setaffinity(0, sizeof set, &set);
}

/* Threads of this rank: its share of the cores that the ranks of its node have together, but no more than it has itself. */
static int share_of(MPI_Comm on_node, int ranks, int *threads)
{
    cpu_set_t own, together;
    CPU_ZERO(&own);
    if (sched_getaffinity(0, sizeof own,
                          &own)) /* more cores than the set holds: as many as there are */
        for (long c = 0; c < sysconf(_SC_NPROCESSORS_ONLN) && c < CPU_SETSIZE; c++)
            CPU_SET((int)c, &own);
    together = own;
    AN_MPI(
        MPI_Allreduce(MPI_IN_PLACE, &together, (int)sizeof together, MPI_BYTE, MPI_BOR, on_node));
    const int most = CPU_COUNT(&own), share = CPU_COUNT(&together) / ranks;
    *threads = share < 1 ? 1 : share < most ? share : most;
    return AN_OK;
}

static int find_node(MPI_Comm comm, struct node *n)
{
    MPI_Comm node;
    AN_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    AN_MPI(MPI_Comm_rank(node, &n->place));
    AN_MPI(MPI_Comm_size(node, &n->ranks));
    leave_core(n->ranks);
    const int status = share_of(node, n->ranks, &n->threads);
    AN_MPI(MPI_Comm_free(&node));
    if (getenv("OMP_NUM_THREADS"))
        n->threads = 0; /* it says */
    return status;
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
    struct node node;
    AN_TRY(find_node(comm, &node));
    const int devices =
        device == AN_DEVICE_CUDA || device == AN_DEVICE_AUTO ? an_engine_cuda_count() : 0;
    double enough = devices >= node.ranks; /* on all nodes */
    AN_TRY(an_reduce_min(comm, 1, &enough));
    if (devices > 0 && (device == AN_DEVICE_CUDA || enough > 0))
        an_engine_cuda_wake(node.place % devices);
    return AN_OK;
}

int an_device_choose(MPI_Comm comm, enum an_device device, enum an_precision precision,
                     struct an_engine *engine, char *reason, char *warning)
{
    struct node node;
    AN_TRY(find_node(comm, &node));
    if (node.threads) /* loops outside the engine, such as those of the wall search, have them, too */
        omp_set_num_threads(node.threads);
    const int place = node.place, ranks = node.ranks;
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
        status = an_engine_cpu_new(precision, node.threads, NULL, engine);
        snprintf(reason, 256, "%s",
                 device == AN_DEVICE_CPU ? "asked for"
                 : devices               ? "fewer GPUs than ranks on a node"
                                         : "no GPU found");
    }
    return an_reduce_status(comm, status);
}
