/* What was built into this program, as words for messages. */
#ifndef AN_ENGINE_BUILT_H
#define AN_ENGINE_BUILT_H

#include "kernels/base/portable.h"

AN_EXTERN_C_BEGIN

/* Compute capabilities of the CUDA kernels without their dot, such as "80 90"; "" without CUDA. */
const char *an_engine_cuda_built(void);
/* Instruction sets of the CPU engine, such as "baseline, avx2". */
const char *an_engine_cpu_built(void);

/* 1: kernels were built for this precision, 32 or 64, and this gas, as AN_GAS in kernels/physics/fields.h counts them:
 * 0 constant cp, 1 stored properties: cp(T), mixtures, gases from tables. */
int an_engine_has(int precision, int gas);
/* The command that builds kernels for all gases and precisions, for messages. */
#define AN_BUILD_ALL "`cmake --preset cpu && cmake --build --preset cpu -j`"

AN_EXTERN_C_END
#endif
