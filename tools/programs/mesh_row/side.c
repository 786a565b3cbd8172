// Independent pieces of work on several cores.
#define _GNU_SOURCE // sched_getaffinity
#include "row.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_int idle; // cores beside the main thread's that no thread uses

int side_cores(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

void side_use(int cores)
{
    atomic_store(&idle, cores - 1);
}

int side_room(void)
{
    const int n = atomic_load(&idle);
    return 1 + (n > 0 ? n : 0);
}

struct crew {
    int n, (*work)(void *of, int k);
    void *of;
    atomic_int next;
    pthread_mutex_t lock;
    int failed, rc; // the first piece, by its number, that failed
    char why[4096];
};

static void pull(struct crew *c)
{
    for (int k; (k = atomic_fetch_add(&c->next, 1)) < c->n;) {
        const int rc = c->work(c->of, k);
        if (!rc)
            continue;
        pthread_mutex_lock(&c->lock);
        if (k < c->failed) {
            c->failed = k;
            c->rc = rc;
            snprintf(c->why, sizeof c->why, "%s", an_error_text());
        }
        pthread_mutex_unlock(&c->lock);
    }
    atomic_fetch_add(&idle, 1); // before the crew is complete: others may use this core
}

static void *begin(void *crew)
{
    pull(crew);
    return NULL;
}

// Takes an idle core.
static bool take(void)
{
    for (int n = atomic_load(&idle); n > 0;)
        if (atomic_compare_exchange_weak(&idle, &n, n - 1))
            return true;
    return false;
}

int side_by_side(int n, int (*work)(void *of, int k), void *of)
{
    enum { MOST = 256 };
    pthread_t thread[MOST];
    int threads = 0;
    struct crew c = {.n = n, .work = work, .of = of, .failed = n};
    pthread_mutex_init(&c.lock, NULL);
    while (threads < n - 1 && threads < MOST && take()) {
        if (pthread_create(&thread[threads], NULL, begin, &c)) {
            atomic_fetch_add(&idle, 1);
            break;
        }
        threads++;
    }
    pull(&c);
    for (int t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
    atomic_fetch_sub(&idle, 1);
    pthread_mutex_destroy(&c.lock);
    return c.rc ? an_error_set(c.rc, "%s", c.why) : AN_OK;
}
