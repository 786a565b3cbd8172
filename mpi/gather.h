/* Records of all ranks on every rank, in an order that does not depend on the ranks. */
#ifndef AN_MPI_GATHER_H
#define AN_MPI_GATHER_H

#include <mpi.h>
#include <stddef.h>

/* In place: *record holds the *n records of `size` bytes of this rank, malloc'ed. It is freed, and
 * holds the records of all ranks, sorted by `compare`, which must tell any two records apart; the
 * caller frees it, after an error too. what: the records in the text of an error ("wall faces").
 * Collective and blocking. AN_FAIL: memory, MPI, 2^30 records or more. */
int an_gather_sorted(MPI_Comm comm, const char *what, size_t size,
                     int (*compare)(const void *, const void *), int *n, void **record);

#endif
