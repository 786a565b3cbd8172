#include "kernels/engine.h"

#include <string.h>

void an_engine_destroy(struct an_engine *e)
{
    if (e->op)
        e->op->destroy(e);
    memset(e, 0, sizeof *e);
}

const char *an_stencil_name(enum an_stencil s)
{
    static const char *const name[] = {
#define AN_S(n) #n,
        AN_STENCIL_LIST(AN_S, AN_S, AN_S, AN_S)
#undef AN_S
    };
    return s < AN_NSTENCIL ? name[s] : "?";
}

#ifndef AN_HAVE_CUDA
int an_engine_cuda_new(enum an_precision precision, int device, struct an_engine *e)
{
    (void)precision, (void)device, (void)e;
    return an_error_set(AN_FAIL, "this annulus was built without CUDA");
}

int an_engine_cuda_count(void)
{
    return 0;
}
#endif
