/* The CUDA kernels on the host: the same source, one fiber per CUDA thread. */
#include "kernels/emulated.h"

#if AN_PRECISION == 32
#define AN_TABLE         an_emulated_f32
#define AN_VISCOUS_TABLE an_emulated_viscous_f32
#else
#define AN_TABLE         an_emulated_f64
#define AN_VISCOUS_TABLE an_emulated_viscous_f64
#endif
#include "kernels/cuda_kernels.cuh"
