/* The reference: the three directions of a directional stencil. */
#define AN_DIR 0
#include "solver/bench/count_cell.h"
#undef AN_DIR
#define AN_DIR 1
#include "solver/bench/count_cell.h"
#undef AN_DIR
#define AN_DIR 2
#include "solver/bench/count_cell.h"
#undef AN_DIR
