/* The commands: run, map, adjoint, check, info. */
#ifndef AN_SOLVER_RUN_H
#define AN_SOLVER_RUN_H

#include "solver/app/options.h"

#include <mpi.h>

/* Collective. Each returns an exit code (enum an_status), the error text set when it is not 0;
 * faults of the input have been printed to stderr by rank 0 already where *printed is set. */
int an_run(MPI_Comm comm, const struct an_options *o, int *printed);
int an_check(MPI_Comm comm, const struct an_options *o, int *printed);
int an_map(MPI_Comm comm, const struct an_options *o, int *printed);
int an_adjoint_command(MPI_Comm comm, const struct an_options *o, int *printed);
int an_info(const char *file, const char *base, int *printed);

#endif
