#include "mpi/gather.h"

#include "kernels/base/error.h"
#include "mpi/reduce.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>

/* count[r] and first[r]: records of rank r and how many stand before them. */
static int count_records(MPI_Comm comm, int nrank, int n, int *count, int *first, int64_t *total)
{
    AN_MPI(MPI_Allgather(&n, 1, MPI_INT, count, 1, MPI_INT, comm));
    *total = 0;
    for (int r = 0; r < nrank; r++) {
        first[r] = (int)*total;
        *total += count[r];
    }
    return AN_OK;
}

static int exchange(MPI_Comm comm, size_t size, const void *own, int n, void *all, const int *count,
                    const int *first)
{
    MPI_Datatype type;
    AN_MPI(MPI_Type_contiguous((int)size, MPI_BYTE, &type));
    AN_MPI(MPI_Type_commit(&type));
    AN_MPI(MPI_Allgatherv(own, n, type, all, count, first, type, comm));
    AN_MPI(MPI_Type_free(&type));
    return AN_OK;
}

int an_gather_sorted(MPI_Comm comm, const char *what, size_t size,
                     int (*compare)(const void *, const void *), int *n, void **record)
{
    int nrank;
    int64_t total = 0;
    void *all = NULL;
    AN_MPI(MPI_Comm_size(comm, &nrank));
    int *count = malloc((size_t)nrank * 2 * sizeof *count);
    int status = count ? AN_OK : an_error_set(AN_FAIL, "out of memory for %d ranks", nrank);
    status = an_reduce_status(comm, status);
    if (status == AN_OK)
        status = count_records(comm, nrank, *n, count, count + nrank, &total);
    if (status == AN_OK) {
        if (total < INT_MAX / 2)
            all = malloc(((size_t)total + 1) * size);
        if (!all)
            status = an_error_set(AN_FAIL, "out of memory for %lld %s", (long long)total, what);
        status = an_reduce_status(comm, status);
    }
    if (status == AN_OK)
        status = exchange(comm, size, *record, *n, all, count, count + nrank);
    free(count);
    if (status != AN_OK) {
        free(all);
        return status;
    }
    qsort(all, (size_t)total, size, compare);
    free(*record);
    *record = all;
    *n = (int)total;
    return AN_OK;
}
