/* The CUDA kernels, built once for each precision. */
#include "kernels/cuda/cuda_runtime.cuh"

#include "kernels/engine/fields.h"

#if AN_GAS
#define AN_TABLE            AN_FN(an_cuda_cp)
#define AN_VISCOUS_TABLE    AN_FN(an_cuda_viscous_cp)
#define AN_POLYNOMIAL_TABLE nullptr
#else
#define AN_TABLE            AN_FN(an_cuda)
#define AN_VISCOUS_TABLE    AN_FN(an_cuda_viscous)
#define AN_POLYNOMIAL_TABLE &AN_FN(an_cuda_cp)
#endif
#include "kernels/cuda/cuda_kernels.cuh"
