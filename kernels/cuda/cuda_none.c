/* In place of the CUDA engine, in builds without CUDA. */
#include "kernels/engine/built.h"
#include "kernels/engine/engine.h"

int an_engine_cuda_new(enum an_precision precision, int device, struct an_engine *e)
{
    (void)precision, (void)device, (void)e;
    return an_error_set(AN_FAIL, "this annulus was built without CUDA");
}

int an_engine_cuda_count(void)
{
    return 0;
}

void an_engine_cuda_wake(int device)
{
    (void)device;
}

const char *an_engine_cuda_built(void)
{
    return "";
}
