/* The viscous kernel, built once for each precision. */
#include "kernels/cuda/cuda_runtime.cuh"

#include "kernels/engine/fields.h"

#if AN_GAS
#define AN_VISCOUS_TABLE AN_FN(an_cuda_viscous_cp)
#else
#define AN_VISCOUS_TABLE AN_FN(an_cuda_viscous)
#endif
#include "kernels/cuda/cuda_viscous.cuh"
