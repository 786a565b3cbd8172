/* `annulus bench` of the flow program: the benchmark is a program of its own, so that this one has no kernels and no second
 * instance of the stencils that only the benchmark needs. */
#include "solver/app/bench_input.h"

#include "kernels/base/error.h"
#include "kernels/engine/built.h"
#include "solver/app/beside.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const char *an_bench_refuse(const struct an_bench_options *o)
{
    (void)o; /* the benchmark looks at them */
    return NULL;
}

int an_bench_start(char **argv)
{
    char path[4100];
    AN_TRY(an_beside("annulus_bench", path, sizeof path));
    AN_CHECK(access(path, F_OK) == 0, AN_INPUT,
             "this program was built without `annulus bench`; " AN_BUILD_ALL " builds all of it");
    (void)execv(path, argv);
    return an_error_set(AN_FAIL, "%s cannot be started: %s", path, strerror(errno));
}

int an_bench_command(const struct an_bench_options *o, const struct an_options *run,
                     const char *case_file, int *printed)
{
    (void)o;
    (void)run;
    (void)case_file;
    (void)printed;
    return an_error_set(AN_FAIL, "an_bench_start has not been called");
}
