/* Sums that do not depend on the number of ranks, of threads, or on the order of the terms.
 *
 * A sum is kept as a fixed-point number of AN_XSUM_LIMBS x 32 bits in 64-bit limbs; terms are split
 * exactly into limbs, and integer additions commute. Range 2^-160 .. 2^191 in absolute value;
 * smaller parts of a term are dropped (the same way everywhere), larger or non-finite terms set
 * `bad`. (Idea: Kulisch accumulators; Demmel and Nguyen 2015 for the motive.)
 */
#ifndef AN_MPI_REDUCE_H
#define AN_MPI_REDUCE_H

#include <mpi.h>

#include "kernels/xsum.h"

/* Collective. In place: every rank gets the total. */
int an_reduce_xsum(MPI_Comm comm, int n, struct an_xsum *sum);
int an_reduce_min(MPI_Comm comm, int n, double *v);
int an_reduce_max(MPI_Comm comm, int n, double *v);
/* Collective. The worst status of all ranks, and on every rank the error text of the lowest rank
 * that has it: "rank 3: ...". Returns that status. */
int an_reduce_status(MPI_Comm comm, int status);

/* AN_MPI(call): AN_FAIL with MPI's own words when an MPI call fails. */
int an_mpi_error(int code, const char *call);
#define AN_MPI(call)                             \
    do {                                         \
        int an_mpi_ = (call);                    \
        if (an_mpi_ != MPI_SUCCESS)              \
            return an_mpi_error(an_mpi_, #call); \
    } while (0)

#endif
