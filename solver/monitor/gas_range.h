/* Does the flow leave the table of its gas? Beyond it the gas goes on as kernels/physics/gas_table.h says:
 * no longer the fluid. */
#ifndef AN_SOLVER_GAS_RANGE_H
#define AN_SOLVER_GAS_RANGE_H

#include <stdint.h>

struct an_solver;

struct an_gas_range {
    int64_t outside; /* cells of all ranks whose state is not in the table; 0 without a table */
    double off;      /* how far the farthest is beyond it: the ratio of pressures or temperatures */
    double p, T;     /* Pa, K: its state */
    char place[256]; /* its zone, cell and middle */
};

/* Of the present flow. Collective. */
int an_gas_range_find(struct an_solver *s, struct an_gas_range *range);

#endif
