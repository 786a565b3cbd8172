/* Notices a host that is lost: switched off, or without its network.
 *
 * MPI over TCP waits for a lost host without end. Therefore each rank on a host other than that of
 * rank 0 sends rank 0 a datagram (UDP) every `seconds` / 10, and rank 0 answers. A side that hears
 * nothing for `seconds` calls `lost`, which is expected to end the job.
 *
 *     rank r                          rank 0
 *       | ---- {key, r} ----------------> |  heard[r] = now
 *       | <--- {key, r} ----------------- |
 *
 * 1. A rank that was never heard is not missed: a firewall that stops datagrams ends no job.
 * 2. Time in which the watching process itself stood still (a debugger, SIGSTOP) does not count.
 * 3. Ranks on the host of rank 0 are not watched: the launcher notices processes that end.
 * 4. Datagrams without the job's random key are ignored.
 */
#ifndef AN_MPI_WATCH_H
#define AN_MPI_WATCH_H

#include <mpi.h>

struct an_watch;

/* The thread of the watch calls this at most once and then ends. `text` names the host and its
 * ranks. */
typedef void an_watch_lost(const char *text);

/* Starts the watch. *w is NULL if this rank takes no part: all ranks share a host, the rank runs on
 * the host of rank 0, or `seconds` is 0. Collective; the status is agreed. */
int an_watch_begin(MPI_Comm comm, double seconds, an_watch_lost *lost, struct an_watch **w);
/* Waits for all ranks, then stops the watch. `w` is NULL on ranks that take no part. Collective. */
void an_watch_end(MPI_Comm comm, struct an_watch *w);
/* Number of hosts of the job as rank 0 counted them; 1 for NULL. */
int an_watch_hosts(const struct an_watch *w);

/* For tests: an_watch_begin in which the caller says where this rank runs. `node` is the lowest
 * rank on its host, `host` the name of the host, and `address` what rank 0 tells the others ("": all
 * of its own). */
int an_watch_begin_as(MPI_Comm comm, double seconds, an_watch_lost *lost, int node,
                      const char *host, const char *address, struct an_watch **w);

#endif
