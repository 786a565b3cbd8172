/* Case and mesh of a command, read on all ranks, all faults printed by rank 0. */
#ifndef AN_SOLVER_INPUT_H
#define AN_SOLVER_INPUT_H

#include "io/case.h"
#include "io/mesh.h"
#include "solver/app/options.h"

#include <mpi.h>
#include <stdio.h>

struct an_input {
    struct an_case c;
    struct an_mesh mesh;
    int have_case, have_mesh;
};

/* Collective. AN_INPUT when anything is wrong; then *printed is set. The mesh is looked at even
 * when the case has faults that leave its name known. */
int an_input_read(MPI_Comm comm, const struct an_options *o, struct an_input *in, int *printed);
/* Opens a mesh: rank 0 reads and checks all but the coordinates and tells the others, which open the file for their
 * coordinates alone. Collective. device: that of the run, which may wake up meanwhile. */
int an_input_mesh(MPI_Comm comm, int rank, const char *path, const char *base,
                  enum an_device device, struct an_mesh *m, struct an_diag *diag);
/* Prints the case with defaults, options and --set, as a run keeps it in effective.yaml. Reads no mesh and calls no MPI, so
 * that scripts may ask for it anywhere. AN_INPUT when the case is wrong; then *printed is set. */
int an_input_echo(const struct an_options *o, FILE *out, int *printed);
void an_input_free(struct an_input *in);

#endif
