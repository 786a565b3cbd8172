/* CUDA engines: the three directions of a directional stencil. */
#define AN_DIR 0
#include "kernels/cuda/cuda_cell.cuh"
#undef AN_DIR
#define AN_DIR 1
#include "kernels/cuda/cuda_cell.cuh"
#undef AN_DIR
#define AN_DIR 2
#include "kernels/cuda/cuda_cell.cuh"
#undef AN_DIR
