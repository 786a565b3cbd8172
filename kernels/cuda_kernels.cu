/* The CUDA kernels: not available yet. */
#include "kernels/engine.h"
