/* The viscous kernel on the host, built once for each precision. */
#include "kernels/emulated/emulated.h"

#include "kernels/engine/fields.h"

#if AN_GAS
#define AN_VISCOUS_TABLE AN_FN(an_emulated_viscous_cp)
#else
#define AN_VISCOUS_TABLE AN_FN(an_emulated_viscous)
#endif
#include "kernels/cuda/cuda_viscous.cuh"
