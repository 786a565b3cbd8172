/* How many threads share work on the host. */
#ifndef AN_THREADS_H
#define AN_THREADS_H

#include <omp.h>
#include <stdint.h>

/* Of OMP_NUM_THREADS or all cores, as many as there are parts of the work, and at most 16: waking more of them takes longer
 * than short work gains (a metal of 103 000 nodes on a machine of 64 cores). */
static inline int an_threads_of(int64_t parts)
{
    const int all = omp_get_max_threads(), most = all < 16 ? all : 16;
    return parts < 1 ? 1 : parts < most ? (int)parts : most;
}

#endif
