/* Output fields (io/output_fields.h) of the present state. */
#ifndef AN_SOLVER_QUANTITIES_H
#define AN_SOLVER_QUANTITIES_H

#include "io/output_fields.h"
#include "solver/level/solver.h"

/* Where a field of the engine stands that is an output field: *field and the component; 0: the
 * field is computed on the host, an_quantities_block. */
int an_quantity_on_engine(enum an_output what, enum an_field *field, int *component);

/* Computes fields of local block b on the host: what[n] into to[n], each [nk][nj][ni] in the run's
 * precision. The mesh is open. Not collective. */
int an_quantities_block(struct an_solver *s, int b, int n, const enum an_output *what, void **to);

#endif
