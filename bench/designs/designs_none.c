#include "bench/designs/designs.h"
#include "kernels/base/error.h"

int an_design_count(void)
{
    return 0;
}

const struct an_design *an_design_at(int i)
{
    (void)i;
    return NULL;
}

int an_design_bench_new(struct an_design_bench **b)
{
    *b = NULL;
    return an_error_set(AN_INPUT, "this program was built without CUDA");
}

void an_design_bench_destroy(struct an_design_bench *b)
{
    (void)b;
}

int an_design_measure(struct an_design_bench *b, const struct an_design *d, const int n[3],
                      int samples, struct an_design_result *result)
{
    (void)b, (void)d, (void)n, (void)samples, (void)result;
    return an_error_set(AN_INPUT, "this program was built without CUDA");
}
