/* CUDA engines: the three directions of a line stencil. */
#define AN_DIR 0
#include "kernels/cuda_line_dir.cuh"
#undef AN_DIR
#define AN_DIR 1
#include "kernels/cuda_line_dir.cuh"
#undef AN_DIR
#define AN_DIR 2
#include "kernels/cuda_line_dir.cuh"
#undef AN_DIR
