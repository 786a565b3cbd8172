/* Simple stencils of the literature. */
#include "bench/bench_run.h"

int an_bench_stencils(struct an_bench *b, json_t *table)
{
    (void)b, (void)table;
    return an_error_set(AN_INPUT, "`annulus bench stencils` has no rows yet");
}
