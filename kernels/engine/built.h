/* What was built into this program, as words for messages. */
#ifndef AN_ENGINE_BUILT_H
#define AN_ENGINE_BUILT_H

#include "kernels/base/portable.h"

AN_EXTERN_C_BEGIN

/* Compute capabilities of the CUDA kernels without their dot, such as "80 90"; "" without CUDA. */
const char *an_engine_cuda_built(void);
/* Instruction sets of the CPU engine, such as "baseline, avx2". */
const char *an_engine_cpu_built(void);

/* 1: kernels for gas tables were built in this precision, 32 or 64. */
int an_engine_has_tables(int precision);

AN_EXTERN_C_END
#endif
