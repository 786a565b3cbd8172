/* The watch over other hosts: three ranks that take each other for three hosts. One stands still
 * for a while. Rank 0 must name its host, once; the others must not miss anybody. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "kernels/base/error.h"
#include "mpi/watch.h"

static const double seconds = 1;
static volatile int calls;
static char said[512];

static void lost(const char *text)
{
    snprintf(said, sizeof said, "%s", text);
    calls++;
}

/* The whole process, with its thread, for `us` microseconds. */
static void stand_still(useconds_t us)
{
    const pid_t me = getpid(), child = fork();
    if (child == 0) {
        usleep(us);
        kill(me, SIGCONT);
        _exit(0);
    }
    kill(me, SIGSTOP);
}

static int same_on_all(int good)
{
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return good;
}

/* Rank 2 stands still for `still` microseconds; node and address as in an_watch_begin_as. */
static int watch_one(const int *node, const char *address, useconds_t still, int *hosts)
{
    static const char *const host[] = {"north", "south", "west"};
    struct an_watch *w = NULL;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    calls = 0;
    said[0] = '\0';
    const int status =
        an_watch_begin_as(MPI_COMM_WORLD, seconds, lost, node[rank], host[node[rank]], address, &w);
    *hosts = an_watch_hosts(w);
    usleep(300000); /* all are heard */
    if (rank == 2 && still)
        stand_still(still);
    else
        usleep(still);
    const int before = calls;
    an_watch_end(MPI_COMM_WORLD, w);
    return status == AN_OK ? before : -1;
}

static void names_the_silent_host(void **state)
{
    (void)state;
    static const int node[] = {0, 1, 2};
    int rank, hosts;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int seen = watch_one(node, "127.0.0.1", 1400000, &hosts);
    const int good =
        hosts == 3 &&
        (rank == 0 ? seen == 1 && strstr(said, "host west (rank 2) has not answered host north")
                   : seen == 0);
    if (!good)
        print_message("rank %d: %d hosts, %d calls: '%s'\n", rank, hosts, seen, said);
    assert_true(same_on_all(good));
}

static void misses_nobody_that_it_never_heard(void **state)
{
    (void)state;
    static const int node[] = {0, 1, 2};
    int hosts; /* no address: as if a firewall stopped all datagrams */
    assert_true(same_on_all(watch_one(node, "nowhere", 1100000, &hosts) == 0 && hosts == 3));
}

static void leaves_one_host_alone(void **state)
{
    (void)state;
    static const int node[] = {0, 0, 0};
    int hosts;
    assert_true(same_on_all(watch_one(node, "127.0.0.1", 0, &hosts) == 0 && hosts == 1));
}

int main(void)
{
    MPI_Init(NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_the_silent_host),
        cmocka_unit_test(misses_nobody_that_it_never_heard),
        cmocka_unit_test(leaves_one_host_alone),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
