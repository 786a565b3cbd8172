/* `annulus bench` of a program that was built without it (AN_BENCH of CMake). */
#include "solver/app/bench_input.h"

#include "kernels/base/error.h"
#include "kernels/engine/built.h"

#define WITHOUT "this program was built without `annulus bench`; " AN_BUILD_ALL " builds all of it"

const char *an_bench_refuse(const struct an_bench_options *o)
{
    (void)o;
    return WITHOUT;
}

int an_bench_command(const struct an_bench_options *o, const struct an_options *run,
                     const char *case_file, int *printed)
{
    (void)o;
    (void)run;
    (void)case_file;
    (void)printed;
    return an_error_set(AN_INPUT, WITHOUT);
}
