/* The CUDA kernels on the host: not available yet. */
#include "kernels/engine.h"
