/* Which engine a rank computes with. */
#ifndef AN_SOLVER_DEVICE_H
#define AN_SOLVER_DEVICE_H

#include <mpi.h>

#include "io/case.h"
#include "kernels/engine/engine.h"

/* Collective. AUTO takes a CUDA device where each rank of the node can have one to itself, else the
 * CPU; the GPU of a rank is its place on the node. CPU threads: OMP_NUM_THREADS, else an
 * equal share of the cores that the ranks of the node may run on; a binding to one core by Open MPI that nobody asked for is
 * undone. `reason` (size 256) says what was taken and why; `warning`
 * (size AN_DEVICE_WARNING) that GPUs stay idle, "" where none does. */
enum { AN_DEVICE_WARNING = 320 };
int an_device_choose(MPI_Comm comm, enum an_device device, enum an_precision precision,
                     struct an_engine *engine, char *reason, char *warning);

/* Collective. Wakes the GPU that an_device_choose will take for this rank, if it takes one: the driver needs some tenths
 * of a second, during which other processes can work. */
int an_device_wake(MPI_Comm comm, enum an_device device);

/* Of AUTO: do the GPUs of a node stay idle because there are more ranks? Writes the warning. */
int an_device_is_idle(int ranks, int devices, char *warning);

#endif
