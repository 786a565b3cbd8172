/* What ranks tell each other in an adjoint.
 *
 * Cells have global numbers: those of rank 0, then those of rank 1, and so on. A rank has residuals of its own cells. They depend
 * on cells of other ranks, too: the foreign cells of this rank, in the order of their global numbers, so that those of
 * one neighbour follow each other. Dependence is mutual, so each rank knows which of its own cells are foreign cells of
 * a neighbour without asking.
 *
 * What stands behind the cells, as targets, all ranks have alike.
 *
 * Sums are added in the order of the ranks and are the same bits on all of them. With one rank nothing is done. Functions are
 * collective over `comm` unless they say otherwise; the exchanges are between neighbours. Where a rank has no memory, all ranks
 * return AN_FAIL, and none waits for another. */
#ifndef AN_ADJOINT_RANKS_H
#define AN_ADJOINT_RANKS_H

#include "kernels/base/error.h"

#include <mpi.h>
#include <stdint.h>

/* A rank that owns foreign cells first .. first + n - 1 of this one, and has own cells send[at] .. send[at + count - 1] of
 * this one as foreign cells. */
struct an_neighbour {
    int rank;
    int64_t first, n, at, count;
};

/* Memory of an_ranks_fetch, which GMRES calls in each iteration: ranks agree only when it grows. */
struct an_ranks_room {
    int64_t width; /* numbers for each cell, the same on all ranks */
    double *numbers;
    int64_t *counts;
    MPI_Request *request;
};

struct an_adjoint_ranks {
    MPI_Comm comm; /* the caller's */
    int rank, nrank;
    int64_t *start;   /* [nrank + 1] the first global number of each rank; owned */
    int64_t cells;    /* own ones */
    int64_t nforeign; /* foreign ones */
    int32_t *foreign; /* [nforeign] their global numbers, ascending; owned */
    int n;
    struct an_neighbour *neighbour; /* [n] by their ranks; owned */
    int32_t *send;              /* own cells that neighbours depend on, ascending for each; owned */
    struct an_ranks_room *room; /* owned */
};

void an_ranks_free(struct an_adjoint_ranks *r);
/* The number of a foreign cell among these; -1: it is none. Not collective. */
int64_t an_ranks_foreign(const struct an_adjoint_ranks *r, int64_t global);
/* The neighbour that owns a foreign cell. Not collective. */
int an_ranks_owner(const struct an_adjoint_ranks *r, int64_t foreign);

/* The worst status of all ranks, on each of them, as an_reduce_status. To be called with the status of what each rank did by itself,
 * such as getting memory, before the next exchange. */
int an_ranks_agree(const struct an_adjoint_ranks *r, int status);

/* foreign[m][nforeign][width] becomes what the owners have in own[m][cells][width], m < n. */
int an_ranks_fetch(const struct an_adjoint_ranks *r, int width, int n, const double *const *own,
                   double *const *foreign);
/* Adds foreign[nforeign][width] to own[cells][width] of the owners. */
int an_ranks_give(const struct an_adjoint_ranks *r, int width, const double *foreign, double *own);
/* Sends out_count[k] numbers to neighbour k and receives in_count[k] of it; the numbers of neighbours follow each other. */
int an_ranks_exchange(const struct an_adjoint_ranks *r, const int64_t *out_count, const double *out,
                      const int64_t *in_count, double *in);
/* The same where the receiver does not know how much comes: in_count[neighbours] and *in, malloc'ed, the caller's to free. */
int an_ranks_send(const struct an_adjoint_ranks *r, const int64_t *out_count, const double *out,
                  int64_t *in_count, double **in);

/* v[n] becomes the sum over all ranks. */
int an_ranks_sum(const struct an_adjoint_ranks *r, int64_t n, double *v);
/* bits[n] becomes what any rank has set. */
int an_ranks_any(const struct an_adjoint_ranks *r, int64_t n, unsigned char *bits);
/* The numbers of all ranks, in their order: *all[*count], malloc'ed, the caller's to free. */
int an_ranks_gather(const struct an_adjoint_ranks *r, int64_t n, const int64_t *own, int64_t *count,
                    int64_t **all);

#endif
