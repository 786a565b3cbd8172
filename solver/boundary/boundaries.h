#ifndef AN_SOLVER_BOUNDARIES_H
#define AN_SOLVER_BOUNDARIES_H

#include "bc/boundary_value.h"
#include "io/case.h"

struct an_solver;

/* Values for each boundary of the mesh from case and mesh; all faults go to diag. value[nboundary].
 */
void an_solver_boundaries(const struct an_case *c, const struct an_topology *t,
                          struct an_bc_value *value, struct an_diag *diag);

#endif
