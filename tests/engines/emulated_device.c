/* A program that is linked with this file has the device `emulated` beside cpu and cuda. */
#include "kernels/emulated/emulated_engine.h"

static __attribute__((constructor)) void add(void)
{
    an_engine_add("emulated", an_engine_emulated_new);
}
