/* The solver's stencils. */
#include "bench/bench_run.h"

int an_bench_solver(struct an_bench *b, json_t *table)
{
    (void)b, (void)table;
    return an_error_set(AN_INPUT, "`annulus bench solver` has no rows yet");
}
