// Says on stderr what takes long: stdout stays the same from run to run.
#include "row.h"

#include <stdio.h>
#include <time.h>

enum { FIRST = 3, EVERY = 10 }; // s

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void busy(const char *what)
{
    static double began, said;
    const double t = now();
    if (began == 0)
        began = t;
    if (t - began < FIRST || (said > 0 && t - said < EVERY))
        return;
    said = t;
    fprintf(stderr, "after %.0f s: %s\n", t - began, what);
}
