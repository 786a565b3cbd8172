/* CPU engine: the three directions of a line stencil. */
#define AN_DIR 0
#include "kernels/cpu/cpu_line_dir.h"
#undef AN_DIR
#define AN_DIR 1
#include "kernels/cpu/cpu_line_dir.h"
#undef AN_DIR
#define AN_DIR 2
#include "kernels/cpu/cpu_line_dir.h"
#undef AN_DIR
