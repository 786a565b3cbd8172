/* Reductions over ranks whose results do not depend on the number of ranks, of threads, or on the
 * order of the terms.
 *
 * A sum is kept as a fixed-point number of AN_XSUM_LIMBS x 32 bits in 64-bit limbs; terms are split
 * exactly into limbs, and integer additions commute. Terms below 2^192 in absolute value are summed
 * exactly down to the bit 2^-160; smaller parts of a term are dropped (the same way everywhere),
 * larger or non-finite terms set `bad`. (Idea: Kulisch accumulators; Demmel and Nguyen 2015 for the
 * motive.)
 *
 * All functions are collective and blocking. MPI's own failures come back as AN_FAIL only on
 * communicators whose error handler is MPI_ERRORS_RETURN.
 */
#ifndef AN_MPI_REDUCE_H
#define AN_MPI_REDUCE_H

#include <mpi.h>

#include "kernels/base/xsum.h"

/* In place: every rank gets the n totals. */
int an_reduce_xsum(MPI_Comm comm, int n, struct an_xsum *sum);
/* In place: every rank gets the n extremes. A NaN on any rank wins, so that it cannot hide. */
int an_reduce_min(MPI_Comm comm, int n, double *v);
int an_reduce_max(MPI_Comm comm, int n, double *v);
/* The worst status of all ranks (AN_FAIL, then AN_INPUT, AN_DIVERGED, AN_STOPPED, AN_OK), returned
 * on every rank, and with it the error text of the lowest rank that has it: "rank 3: ..." where
 * there are several ranks. */
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
