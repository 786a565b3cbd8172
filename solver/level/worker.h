/* A thread for work of the host that does not concern the march until later, such as the conduction in solids while a device computes,
 * or the calls of Catalyst.
 *
 * The thread lives as long as the worker, so that OpenMP makes its team once. The work may have parallel loops, but asks nothing of the
 * engine, and nothing of MPI unless MPI allows calls of several threads. Without a thread `start` does the work itself, with the same
 * results.
 *
 *     idle --start--> busy --(the work ends)--> idle          wait returns when the worker is idle
 *
 * Between start and wait only the work touches what it reads and writes. Not collective. */
#ifndef AN_SOLVER_WORKER_H
#define AN_SOLVER_WORKER_H

struct an_worker;

/* work(of) is what each start does. background: 1 for a thread; a worker without one where it cannot be created. threads: how many
 * threads of OpenMP share a parallel loop of the work, if a thread does it; 0: as many as OpenMP gives to a new thread. NULL without
 * memory. */
struct an_worker *an_worker_new(void (*work)(void *of), void *of, int background, int threads);
/* Waits for the work. NULL: nothing to free. */
void an_worker_free(struct an_worker *w);
/* The worker is idle. */
void an_worker_start(struct an_worker *w);
/* Also of an idle worker. NULL: nothing to wait for. */
void an_worker_wait(struct an_worker *w);
/* 1: the work is done by a thread. */
int an_worker_in_background(const struct an_worker *w);

#endif
