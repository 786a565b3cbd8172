/* The CUDA engine: not available yet. */
#include "kernels/engine.h"

#include <cstring>

int an_engine_cuda_new(enum an_precision precision, int device, struct an_engine *e)
{
    (void)precision, (void)device;
    memset(e, 0, sizeof *e);
    return an_error_set(AN_FAIL, "the CUDA engine is not available yet");
}

int an_engine_cuda_count(void)
{
    return 0;
}
