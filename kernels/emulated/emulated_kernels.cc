/* The CUDA kernels on the host: the same source, one fiber per CUDA thread. */
#include "kernels/emulated/emulated.h"

#include "kernels/engine/fields.h"

#if AN_GAS
#define AN_TABLE            AN_FN(an_emulated_cp)
#define AN_VISCOUS_TABLE    AN_FN(an_emulated_viscous_cp)
#define AN_POLYNOMIAL_TABLE nullptr
#else
#define AN_TABLE            AN_FN(an_emulated)
#define AN_VISCOUS_TABLE    AN_FN(an_emulated_viscous)
#define AN_POLYNOMIAL_TABLE &AN_FN(an_emulated_cp)
#endif
#include "kernels/cuda/cuda_kernels.cuh"
