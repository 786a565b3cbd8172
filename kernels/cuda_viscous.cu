/* The viscous kernel, built once for each precision. */
#include "kernels/cuda_runtime.cuh"

#if AN_PRECISION == 32
#define AN_VISCOUS_TABLE an_cuda_viscous_f32
#else
#define AN_VISCOUS_TABLE an_cuda_viscous_f64
#endif
#include "kernels/cuda_viscous.cuh"
