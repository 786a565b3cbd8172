/* Does the flow leave the states for which the user gave the gas? Beyond gas.table the gas goes on as
 * kernels/physics/gas_table.h says, no longer the fluid; beyond gas.T_range cp(T) is constant. */
#ifndef AN_SOLVER_GAS_RANGE_H
#define AN_SOLVER_GAS_RANGE_H

#include <stdint.h>

struct an_solver;

struct an_gas_range {
    int64_t outside; /* cells of all ranks whose state is beyond; 0 for a gas with constant cp */
    double off;      /* how far the farthest is beyond: the ratio of pressures or temperatures */
    double p, T;     /* Pa, K: its state */
    char place[256]; /* its zone, cell and middle */
};

/* Of the present flow. Collective. */
int an_gas_range_find(struct an_solver *s, struct an_gas_range *range);

#endif
