#include "solver/level/worker.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

struct an_worker {
    void (*work)(void *of);
    void *of;
    int threads; /* of OpenMP; 0: not set */
    int threaded;
    pthread_t thread;
    pthread_mutex_t lock; /* of the two below */
    pthread_cond_t changed;
    int busy, end;
};

static void *serve(void *worker)
{
    struct an_worker *w = worker;
    if (w->threads > 0)
        omp_set_num_threads(w->threads);
    pthread_mutex_lock(&w->lock);
    for (;;) {
        while (!w->busy && !w->end)
            pthread_cond_wait(&w->changed, &w->lock);
        if (!w->busy)
            break;
        pthread_mutex_unlock(&w->lock);
        w->work(w->of);
        pthread_mutex_lock(&w->lock);
        w->busy = 0;
        pthread_cond_broadcast(&w->changed);
    }
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

struct an_worker *an_worker_new(void (*work)(void *of), void *of, int background, int threads)
{
    struct an_worker *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->work = work;
    w->of = of;
    w->threads = threads;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    w->threaded = background && pthread_create(&w->thread, NULL, serve, w) == 0;
    return w;
}

static void set(struct an_worker *w, int *flag)
{
    pthread_mutex_lock(&w->lock);
    *flag = 1;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

void an_worker_free(struct an_worker *w)
{
    if (!w)
        return;
    if (w->threaded) {
        set(w, &w->end);
        pthread_join(w->thread, NULL);
    }
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

void an_worker_start(struct an_worker *w)
{
    if (w->threaded)
        set(w, &w->busy);
    else
        w->work(w->of);
}

void an_worker_wait(struct an_worker *w)
{
    if (!w || !w->threaded)
        return;
    pthread_mutex_lock(&w->lock);
    while (w->busy)
        pthread_cond_wait(&w->changed, &w->lock);
    pthread_mutex_unlock(&w->lock);
}

int an_worker_in_background(const struct an_worker *w)
{
    return w->threaded;
}
