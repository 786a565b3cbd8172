#include "solver/adjoint/ranks.h"

#include "mpi/reduce.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 71 };

void an_ranks_free(struct an_adjoint_ranks *r)
{
    free(r->start);
    free(r->foreign);
    free(r->neighbour);
    free(r->send);
    memset(r, 0, sizeof *r);
}

int64_t an_ranks_foreign(const struct an_adjoint_ranks *r, int64_t global)
{
    int64_t low = 0, high = r->nforeign;
    while (low < high) {
        const int64_t middle = (low + high) / 2;
        if (r->foreign[middle] < global)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->nforeign && r->foreign[low] == global ? low : -1;
}

int an_ranks_owner(const struct an_adjoint_ranks *r, int64_t foreign)
{
    int k = 0;
    while (foreign >= r->neighbour[k].first + r->neighbour[k].n)
        k++;
    return k;
}

/* ---- neighbours ---- */

int an_ranks_exchange(const struct an_adjoint_ranks *r, const int64_t *out_count, const double *out,
                      const int64_t *in_count, double *in)
{
    MPI_Request *request = malloc((2 * (size_t)r->n + 1) * sizeof(MPI_Request));
    AN_CHECK(request, AN_FAIL, "out of memory for messages");
    int code = MPI_SUCCESS, short_enough = 1, n = 0;
    for (int k = 0; k < r->n; k++)
        short_enough = short_enough && out_count[k] <= INT_MAX && in_count[k] <= INT_MAX;
    for (int k = 0; k < r->n && short_enough && code == MPI_SUCCESS; k++) {
        code = MPI_Irecv(in, (int)in_count[k], MPI_DOUBLE, r->neighbour[k].rank, TAG, r->comm,
                         &request[n++]);
        in += in_count[k];
    }
    for (int k = 0; k < r->n && short_enough && code == MPI_SUCCESS; k++) {
        code = MPI_Isend(out, (int)out_count[k], MPI_DOUBLE, r->neighbour[k].rank, TAG, r->comm,
                         &request[n++]);
        out += out_count[k];
    }
    if (short_enough && code == MPI_SUCCESS)
        code = MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
    free(request);
    AN_CHECK(short_enough, AN_FAIL,
             "a message of the adjoint has more than %d numbers: take more ranks", INT_MAX);
    return code == MPI_SUCCESS ? AN_OK : an_mpi_error(code, "exchange of the adjoint");
}

/* `by` numbers for each cell: counts of messages from owners to those who depend on them, or with `back` the other way. */
static void count(const struct an_adjoint_ranks *r, int64_t by, int back, int64_t *out, int64_t *in)
{
    for (int k = 0; k < r->n; k++) {
        const struct an_neighbour *q = &r->neighbour[k];
        out[k] = by * (back ? q->n : q->count);
        in[k] = by * (back ? q->count : q->n);
    }
}

static int64_t sends_of(const struct an_adjoint_ranks *r)
{
    return r->n ? r->neighbour[r->n - 1].at + r->neighbour[r->n - 1].count : 0;
}

/* Numbers of messages; NULL: there is no memory. */
static int64_t *new_counts(const struct an_adjoint_ranks *r)
{
    return malloc(2 * ((size_t)r->n + 1) * sizeof(int64_t));
}

int an_ranks_fetch(const struct an_adjoint_ranks *r, int width, int n, const double *const *own,
                   double *const *foreign)
{
    if (r->nrank < 2)
        return AN_OK;
    const size_t out = (size_t)(sends_of(r) * width * n), in = (size_t)(r->nforeign * width * n);
    const size_t bytes = (size_t)width * sizeof(double);
    double *room = malloc((out + in + 1) * sizeof *room), *at = room;
    int64_t *counts = new_counts(r);
    int status = room && counts ? AN_OK : an_error_set(AN_FAIL, "out of memory for messages");
    for (int64_t c = 0; c < sends_of(r) && status == AN_OK; c++)
        for (int m = 0; m < n; m++, at += width)
            memcpy(at, own[m] + (int64_t)r->send[c] * width, bytes);
    if (status == AN_OK) {
        count(r, (int64_t)width * n, 0, counts, counts + r->n);
        status = an_ranks_exchange(r, counts, room, counts + r->n, room + out);
    }
    for (int64_t c = 0; c < r->nforeign && status == AN_OK; c++)
        for (int m = 0; m < n; m++, at += width)
            memcpy(foreign[m] + c * width, at, bytes);
    free(room);
    free(counts);
    return status;
}

int an_ranks_give(const struct an_adjoint_ranks *r, int width, const double *foreign, double *own)
{
    if (r->nrank < 2)
        return AN_OK;
    double *room = malloc(((size_t)(sends_of(r) * width) + 1) * sizeof *room);
    int64_t *counts = new_counts(r);
    int status = room && counts ? AN_OK : an_error_set(AN_FAIL, "out of memory for messages");
    if (status == AN_OK) {
        count(r, width, 1, counts, counts + r->n);
        status = an_ranks_exchange(r, counts, foreign, counts + r->n, room);
    }
    for (int64_t c = 0; c < sends_of(r) && status == AN_OK; c++)
        for (int v = 0; v < width; v++)
            own[(int64_t)r->send[c] * width + v] += room[c * width + v];
    free(room);
    free(counts);
    return status;
}

int an_ranks_send(const struct an_adjoint_ranks *r, const int64_t *out_count, const double *out,
                  int64_t *in_count, double **in)
{
    int64_t all = 0;
    double *room = malloc(2 * ((size_t)r->n + 1) * sizeof *room);
    int64_t *one = new_counts(r);
    int status = room && one ? AN_OK : an_error_set(AN_FAIL, "out of memory for messages");
    *in = NULL;
    for (int k = 0; k < r->n && status == AN_OK; k++) {
        room[k] = (double)out_count[k];
        one[k] = 1;
    }
    if (status == AN_OK)
        status = an_ranks_exchange(r, one, room, one, room + r->n);
    for (int k = 0; k < r->n && status == AN_OK; k++) {
        in_count[k] = (int64_t)room[r->n + k];
        all += in_count[k];
    }
    free(room);
    free(one);
    AN_TRY(status);
    *in = malloc(((size_t)all + 1) * sizeof **in);
    AN_CHECK(*in, AN_FAIL, "out of memory for messages");
    return an_ranks_exchange(r, out_count, out, in_count, *in);
}

/* ---- all ranks ---- */

int an_ranks_sum(const struct an_adjoint_ranks *r, int64_t n, double *v)
{
    enum { MOST = 1 << 16 }; /* numbers of a call */
    if (r->nrank < 2 || !n)
        return AN_OK;
    const int64_t piece = n < MOST ? n : MOST;
    double *all = malloc((size_t)(piece * r->nrank) * sizeof *all);
    AN_CHECK(all, AN_FAIL, "out of memory for sums");
    int code = MPI_SUCCESS;
    for (int64_t from = 0; from < n && code == MPI_SUCCESS; from += MOST) {
        const int some = (int)(n - from < MOST ? n - from : MOST);
        code = MPI_Allgather(v + from, some, MPI_DOUBLE, all, some, MPI_DOUBLE, r->comm);
        for (int m = 0; m < some && code == MPI_SUCCESS; m++) {
            double sum = 0;
            for (int q = 0; q < r->nrank; q++)
                sum += all[(int64_t)q * some + m];
            v[from + m] = sum;
        }
    }
    free(all);
    return code == MPI_SUCCESS ? AN_OK : an_mpi_error(code, "MPI_Allgather of the adjoint");
}

int an_ranks_any(const struct an_adjoint_ranks *r, int64_t n, unsigned char *bits)
{
    enum { MOST = 1 << 30 };
    for (int64_t from = 0; from < n && r->nrank > 1; from += MOST)
        AN_MPI(MPI_Allreduce(MPI_IN_PLACE, bits + from, (int)(n - from < MOST ? n - from : MOST),
                             MPI_BYTE, MPI_BOR, r->comm));
    return AN_OK;
}

int an_ranks_gather(const struct an_adjoint_ranks *r, int64_t n, const int64_t *own, int64_t *count,
                    int64_t **all)
{
    int *of = malloc(2 * ((size_t)r->nrank + 1) * sizeof *of), *at = of + r->nrank;
    const int mine = (int)n;
    *count = 0;
    *all = NULL;
    AN_CHECK(of && n < INT_MAX, AN_FAIL, "out of memory for faces of all ranks");
    int code = MPI_Allgather(&mine, 1, MPI_INT, of, 1, MPI_INT, r->comm);
    for (int q = 0; q < r->nrank && code == MPI_SUCCESS; q++) {
        at[q] = (int)*count;
        *count += of[q];
    }
    *all = *count < INT_MAX ? malloc(((size_t)*count + 1) * sizeof **all) : NULL;
    if (code == MPI_SUCCESS && *all)
        code = MPI_Allgatherv(own, mine, MPI_INT64_T, *all, of, at, MPI_INT64_T, r->comm);
    free(of);
    AN_CHECK(*all, AN_FAIL, "out of memory for faces of all ranks");
    return code == MPI_SUCCESS ? AN_OK : an_mpi_error(code, "MPI_Allgatherv of the adjoint");
}
