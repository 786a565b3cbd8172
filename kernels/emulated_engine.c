/* The emulated engine: not available yet. */
#include "kernels/engine.h"

#include <string.h>

int an_engine_emulated_new(enum an_precision precision, struct an_engine *e)
{
    (void)precision;
    memset(e, 0, sizeof *e);
    return an_error_set(AN_FAIL, "the emulated engine is not available yet");
}
