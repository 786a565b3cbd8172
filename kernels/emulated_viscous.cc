/* The viscous kernel on the host, built once for each precision. */
#include "kernels/emulated.h"

#if AN_PRECISION == 32
#define AN_VISCOUS_TABLE an_emulated_viscous_f32
#else
#define AN_VISCOUS_TABLE an_emulated_viscous_f64
#endif
#include "kernels/cuda_viscous.cuh"
