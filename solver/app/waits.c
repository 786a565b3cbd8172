#include "solver/app/waits.h"

#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

void an_waits_choose(char **argv)
{
    /* of the standard, of GCC's runtime, and of LLVM's and Intel's */
    static const char *const said[] = {"OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME",
                                       "KMP_LIBRARY"};
    for (size_t n = 0; n < sizeof said / sizeof *said; n++)
        if (getenv(said[n]))
            return;
    if (omp_get_max_threads() > 1 && setenv("OMP_WAIT_POLICY", "passive", 1) == 0)
        (void)execv("/proc/self/exe", argv);
}
