// Says on stderr what takes long: stdout stays the same from run to run.
#include "row.h"

#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { FIRST = 3, EVERY = 10 }; // s

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Rows side by side: one of them speaks.
void busy(const char *what)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static double began, said;
    const double t = now();
    pthread_mutex_lock(&lock);
    if (began == 0)
        began = t;
    if (t - began >= FIRST && (said == 0 || t - said >= EVERY)) {
        said = t;
        fprintf(stderr, "after %.0f s: %s\n", t - began, what);
    }
    pthread_mutex_unlock(&lock);
}
