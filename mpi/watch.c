#define _GNU_SOURCE
#include "mpi/watch.h"

#include "kernels/base/error.h"
#include "mpi/reduce.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { NADDRESS = 16, NAME = 64, BEATS = 10 };

/* What rank 0 tells the others: where it listens, and the key of the job. */
struct call {
    uint64_t key;
    int naddress;
    uint32_t address[NADDRESS]; /* network byte order */
    uint16_t port;              /* network byte order */
    char host[NAME];
};

struct beat {
    uint64_t key;
    int32_t rank, nothing;
};

struct an_watch {
    struct call call;
    int rank, nrank, nhost;
    char name[NAME];    /* of this rank's host */
    int *node;          /* [nrank]: of each rank, its lowest rank; rank 0 */
    char (*host)[NAME]; /* [nrank]; rank 0 */
    double *heard;      /* [nrank] s, 0: never; rank 0. Others: [1], rank 0 */
    double seconds;
    an_watch_lost *lost;
    int socket, stop[2]; /* a pipe: it is closed to end the thread */
    pthread_t thread;
    int runs;
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct sockaddr_in place(uint32_t address, uint16_t port)
{
    struct sockaddr_in to;
    memset(&to, 0, sizeof to);
    to.sin_family = AF_INET;
    to.sin_addr.s_addr = address;
    to.sin_port = port;
    return to;
}

/* Takes all datagrams that have come; rank 0 answers each. */
static void receive(struct an_watch *w)
{
    struct beat b;
    struct sockaddr_in from;
    socklen_t length = sizeof from;
    while (recvfrom(w->socket, &b, sizeof b, MSG_DONTWAIT, (struct sockaddr *)&from, &length) ==
           (ssize_t)sizeof b) {
        if (b.key == w->call.key && w->rank == 0 && b.rank > 0 && b.rank < w->nrank) {
            w->heard[b.rank] = now();
            (void)sendto(w->socket, &b, sizeof b, MSG_DONTWAIT, (struct sockaddr *)&from, length);
        } else if (b.key == w->call.key && b.rank == w->rank) {
            w->heard[0] = now();
        }
        length = sizeof from;
    }
}

/* To all addresses of rank 0: those that cannot be reached cost a datagram. */
static void send_beat(const struct an_watch *w)
{
    const struct beat b = {w->call.key, w->rank, 0};
    for (int n = 0; n < w->call.naddress; n++) {
        const struct sockaddr_in to = place(w->call.address[n], w->call.port);
        (void)sendto(w->socket, &b, sizeof b, MSG_DONTWAIT, (const struct sockaddr *)&to,
                     sizeof to);
    }
}

/* "host b (ranks 2, 3)" of rank r's host; of many ranks the first ones. */
static void name_host(const struct an_watch *w, int r, char *text, size_t size)
{
    enum { SHOWN = 8 };
    int n = 0, count = 0;
    for (int q = 0; q < w->nrank; q++)
        count += w->node[q] == w->node[r];
    size_t end = (size_t)snprintf(text, size, "host %s (rank%s", w->host[r], count > 1 ? "s" : "");
    for (int q = 0; q < w->nrank && n < SHOWN && end < size; q++)
        if (w->node[q] == w->node[r])
            end += (size_t)snprintf(text + end, size - end, "%s %d", n++ ? "," : "", q);
    if (end < size)
        snprintf(text + end, size - end, "%s)", count > SHOWN ? ", ..." : "");
}

static int is_silent(const struct an_watch *w, int r)
{
    return w->heard[r] > 0 && w->heard[r] < now() - w->seconds;
}

/* 1 and the text, if a rank has been silent for too long. */
static int is_lost(const struct an_watch *w, char *text, size_t size)
{
    char who[3 * NAME] = "", more[NAME] = "";
    int hosts = 0;
    if (w->rank != 0) {
        if (!is_silent(w, 0))
            return 0;
        snprintf(who, sizeof who, "host %s (rank 0)", w->call.host);
    }
    for (int r = 1; w->rank == 0 && r < w->nrank; r++) {
        if (!is_silent(w, r))
            continue;
        if (!*who)
            name_host(w, r, who, sizeof who);
        hosts += w->node[r] == r;
    }
    if (!*who)
        return 0;
    if (hosts > 1)
        snprintf(more, sizeof more, " (nor have %d others)", hosts - 1);
    snprintf(text, size,
             "%s has not answered host %s for %.0f s%s: a host or its network is down "
             "(mpi.lost_after)",
             who, w->name, w->seconds, more);
    return 1;
}

/* The process stood still for `gap` seconds: nobody could be heard. */
static void forgive(struct an_watch *w, double gap)
{
    for (int r = 0; r < (w->rank == 0 ? w->nrank : 1); r++)
        if (w->heard[r] > 0)
            w->heard[r] += gap;
}

static void *watch(void *argument)
{
    struct an_watch *w = argument;
    const double every = w->seconds / BEATS;
    char text[512];
    double next = 0;
    for (;;) {
        struct pollfd look[2] = {{w->socket, POLLIN, 0}, {w->stop[0], POLLIN, 0}};
        const double before = now();
        const int wait_ms = 1 + (int)(1e3 * (next > before ? next - before : 0));
        (void)poll(look, 2, wait_ms);
        if (look[1].revents)
            return NULL;
        const double gap = now() - before - 1e-3 * wait_ms;
        if (gap > every)
            forgive(w, gap);
        receive(w);
        if (now() < next)
            continue;
        next = now() + every;
        if (w->rank != 0)
            send_beat(w);
        if (is_lost(w, text, sizeof text)) {
            w->lost(text);
            return NULL;
        }
    }
}

/* The addresses under which other hosts may reach this one. */
static void list_addresses(struct call *c)
{
    struct ifaddrs *all;
    if (getifaddrs(&all) != 0)
        return;
    for (const struct ifaddrs *a = all; a && c->naddress < NADDRESS; a = a->ifa_next)
        if (a->ifa_addr && a->ifa_addr->sa_family == AF_INET && a->ifa_flags & IFF_UP &&
            !(a->ifa_flags & IFF_LOOPBACK))
            c->address[c->naddress++] = ((const struct sockaddr_in *)a->ifa_addr)->sin_addr.s_addr;
    freeifaddrs(all);
}

/* Rank 0: a socket on a free port, and what the others must know. */
static void call_others(struct an_watch *w, const char *host, const char *address)
{
    struct call *c = &w->call;
    struct sockaddr_in at = place(htonl(INADDR_ANY), 0);
    socklen_t length = sizeof at;
    snprintf(c->host, sizeof c->host, "%s", host);
    if (getrandom(&c->key, sizeof c->key, 0) != (ssize_t)sizeof c->key ||
        bind(w->socket, (struct sockaddr *)&at, sizeof at) != 0 ||
        getsockname(w->socket, (struct sockaddr *)&at, &length) != 0)
        return; /* no address: nobody calls, and nobody is missed */
    c->port = at.sin_port;
    if (*address)
        c->naddress = inet_pton(AF_INET, address, &c->address[0]) == 1;
    else
        list_addresses(c);
}

static void destroy_watch(struct an_watch *w)
{
    if (w->socket >= 0)
        close(w->socket);
    for (int n = 0; n < 2; n++)
        if (w->stop[n] >= 0)
            close(w->stop[n]);
    free(w->node);
    free(w->host);
    free(w->heard);
    free(w);
}

static struct an_watch *create(MPI_Comm comm, double seconds, an_watch_lost *lost)
{
    struct an_watch *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    MPI_Comm_rank(comm, &w->rank);
    MPI_Comm_size(comm, &w->nrank);
    w->seconds = seconds;
    w->lost = lost;
    w->stop[0] = w->stop[1] = -1;
    w->node = calloc((size_t)w->nrank, sizeof *w->node);
    w->host = calloc((size_t)w->nrank, sizeof *w->host);
    w->heard = calloc((size_t)w->nrank, sizeof *w->heard);
    w->socket = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (w->node && w->host && w->heard && w->socket >= 0 && pipe2(w->stop, O_CLOEXEC) == 0)
        return w;
    destroy_watch(w);
    return NULL;
}

/* Gathers nodes and hosts of all ranks on rank 0, whose call goes to all. *others: number of ranks
 * on hosts other than that of rank 0. */
static int meet(MPI_Comm comm, struct an_watch *w, int node, const char *host, const char *address,
                int *others)
{
    snprintf(w->name, sizeof w->name, "%s", host);
    if (w->rank == 0)
        call_others(w, host, address);
    AN_MPI(MPI_Bcast(&w->call, (int)sizeof w->call, MPI_BYTE, 0, comm));
    AN_MPI(MPI_Gather(&node, 1, MPI_INT, w->node, 1, MPI_INT, 0, comm));
    AN_MPI(MPI_Gather(w->name, NAME, MPI_CHAR, w->host, NAME, MPI_CHAR, 0, comm));
    int counts[2] = {0, 0}; /* hosts, ranks elsewhere */
    for (int r = 0; w->rank == 0 && r < w->nrank; r++) {
        counts[0] += w->node[r] == r;
        counts[1] += w->node[r] != 0;
    }
    AN_MPI(MPI_Bcast(counts, 2, MPI_INT, 0, comm));
    w->nhost = counts[0];
    *others = counts[1];
    return AN_OK;
}

int an_watch_begin_as(MPI_Comm comm, double seconds, an_watch_lost *lost, int node,
                      const char *host, const char *address, struct an_watch **watching)
{
    int others = 0;
    *watching = NULL;
    struct an_watch *w = create(comm, seconds, lost);
    int status = an_reduce_status(
        comm, w ? AN_OK : an_error_set(AN_FAIL, "no socket or memory to watch other hosts"));
    if (status == AN_OK)
        status = meet(comm, w, node, host, address, &others);
    if (status == AN_OK && others && (w->rank == 0 || node != 0)) {
        w->runs = pthread_create(&w->thread, NULL, watch, w) == 0;
        if (!w->runs)
            status = an_error_set(AN_FAIL, "no thread to watch other hosts");
    }
    status = an_reduce_status(comm, status);
    if (w && w->runs)
        *watching = w;
    else if (w)
        destroy_watch(w);
    return status;
}

int an_watch_begin(MPI_Comm comm, double seconds, an_watch_lost *lost, struct an_watch **w)
{
    char host[MPI_MAX_PROCESSOR_NAME];
    int length, node;
    MPI_Comm shared;
    *w = NULL;
    if (!(seconds > 0))
        return AN_OK;
    AN_MPI(MPI_Get_processor_name(host, &length));
    AN_MPI(MPI_Comm_rank(comm, &node));
    AN_MPI(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &shared));
    AN_MPI(MPI_Bcast(&node, 1, MPI_INT, 0, shared));
    AN_MPI(MPI_Comm_free(&shared));
    return an_watch_begin_as(comm, seconds, lost, node, host, "", w);
}

void an_watch_end(MPI_Comm comm, struct an_watch *w)
{
    MPI_Barrier(comm);
    if (!w)
        return;
    close(w->stop[1]);
    w->stop[1] = -1;
    pthread_join(w->thread, NULL);
    destroy_watch(w);
}

int an_watch_hosts(const struct an_watch *w)
{
    return w ? w->nhost : 1;
}
