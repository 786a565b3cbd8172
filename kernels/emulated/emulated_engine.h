/* The emulated CUDA engine: the CUDA kernels run on the host, one fiber for each CUDA thread. Slow: for
 * tests, which link the library an_emulated. */
#ifndef AN_EMULATED_ENGINE_H
#define AN_EMULATED_ENGINE_H

#include "kernels/cuda/cuda_plan.h"

AN_EXTERN_C_BEGIN

extern const struct an_cuda_kernels an_emulated_f32, an_emulated_f64;

extern int emulated_last_first; /* 1: the blocks of a launch run from the last to the first */

int an_engine_emulated_new(enum an_precision precision, struct an_engine *e);

AN_EXTERN_C_END
#endif
