/* Primitive variables of a uniform flow by the stencil `primitive`, on the CPU engine. */
#include "kernels/engine/engine.h"

#include <stdio.h>

int main(void)
{
    const int n[1][3] = {{8, 4, 2}};
    const struct an_box all = {0, {0, 0, 0}, {8, 4, 2}};
    const struct an_params gas = {.fluid.gamma = 1.4, .fluid.gas_constant = 287};
    const double state[5] = {1.2, 120, 0, 0, 1e5 / 0.4 + 0.5 * 1.2 * 1e4}; /* 100 m/s, 1e5 Pa */
    struct an_layout l;
    struct an_engine e;
    struct an_tiles *tiles;
    struct an_fields f = {{0}};
    AN_TRY(an_layout_new(1, n, AN_DOUBLE, &l));
    AN_TRY(an_engine_cpu_new(AN_DOUBLE, 1, NULL, &e));
    AN_TRY(e.op->alloc(&e, (size_t)l.ncell * AN_NCOMP_W * sizeof(double), &f.at[AN_F_W]));
    AN_TRY(e.op->alloc(&e, (size_t)l.ncell * AN_NCOMP_Q * sizeof(double), &f.at[AN_F_Q]));
    for (int64_t c = 0; c < 5 * l.ncell; c++)
        ((double *)f.at[AN_F_W])[c] = state[c / l.ncell];
    AN_TRY(e.op->tiles_new(&e, &l, 1, &all, &tiles));
    AN_TRY(e.op->run(&e, AN_S_primitive, tiles, &f, &gas, NULL, 0));
    printf("p = %.6g Pa\n",
           ((double *)f.at[AN_F_Q])[4 * l.ncell + an_element(&l.block[0], 7, 3, 1)]);
    return 0;
}
