#include "solver/adjoint/ranks.h"

#include "mpi/reduce.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 71 };

static void free_room(struct an_ranks_room *room)
{
    free(room->numbers);
    free(room->counts);
    free(room->request);
    memset(room, 0, sizeof *room);
}

void an_ranks_free(struct an_adjoint_ranks *r)
{
    if (r->room)
        free_room(r->room);
    free(r->room);
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

int an_ranks_agree(const struct an_adjoint_ranks *r, int status)
{
    return r->nrank > 1 ? an_reduce_status(r->comm, status) : status;
}

/* ---- neighbours ---- */

/* Are messages short enough for MPI? */
static int check_counts(const struct an_adjoint_ranks *r, const int64_t *out_count,
                        const int64_t *in_count)
{
    for (int k = 0; k < r->n; k++)
        AN_CHECK(out_count[k] <= INT_MAX && in_count[k] <= INT_MAX, AN_FAIL,
                 "a message of the adjoint has more than %d numbers: take more ranks", INT_MAX);
    return AN_OK;
}

static int send_and_receive(const struct an_adjoint_ranks *r, MPI_Request *request,
                            const int64_t *out_count, const double *out, const int64_t *in_count,
                            double *in)
{
    int code = MPI_SUCCESS, n = 0;
    for (int k = 0; k < r->n && code == MPI_SUCCESS; k++) {
        code = MPI_Irecv(in, (int)in_count[k], MPI_DOUBLE, r->neighbour[k].rank, TAG, r->comm,
                         &request[n++]);
        in += in_count[k];
    }
    for (int k = 0; k < r->n && code == MPI_SUCCESS; k++) {
        code = MPI_Isend(out, (int)out_count[k], MPI_DOUBLE, r->neighbour[k].rank, TAG, r->comm,
                         &request[n++]);
        out += out_count[k];
    }
    if (code == MPI_SUCCESS)
        code = MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
    return code == MPI_SUCCESS ? AN_OK : an_mpi_error(code, "exchange of the adjoint");
}

static MPI_Request *new_requests(const struct an_adjoint_ranks *r)
{
    return malloc((2 * (size_t)r->n + 1) * sizeof(MPI_Request));
}

/* status: of what the caller did before; ranks agree on it, and on the rest, once. */
static int exchange(const struct an_adjoint_ranks *r, int status, const int64_t *out_count,
                    const double *out, const int64_t *in_count, double *in)
{
    MPI_Request *request = new_requests(r);
    if (status == AN_OK)
        status = request ? check_counts(r, out_count, in_count)
                         : an_error_set(AN_FAIL, "out of memory for messages");
    status = an_ranks_agree(r, status);
    if (status == AN_OK)
        status = send_and_receive(r, request, out_count, out, in_count, in);
    free(request);
    return status;
}

int an_ranks_exchange(const struct an_adjoint_ranks *r, const int64_t *out_count, const double *out,
                      const int64_t *in_count, double *in)
{
    return exchange(r, AN_OK, out_count, out, in_count, in);
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

/* Room for messages of so many numbers for each cell. */
static int make_room(const struct an_adjoint_ranks *r, int64_t width)
{
    struct an_ranks_room *room = r->room;
    if (width <= room->width)
        return AN_OK;
    free_room(room);
    room->numbers =
        malloc(((size_t)((sends_of(r) + r->nforeign) * width) + 1) * sizeof *room->numbers);
    room->counts = new_counts(r);
    room->request = new_requests(r);
    int status = room->numbers && room->counts && room->request
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for messages");
    if (status == AN_OK) {
        count(r, width, 0, room->counts, room->counts + r->n);
        status = check_counts(r, room->counts, room->counts + r->n);
    }
    AN_TRY(an_ranks_agree(r, status));
    room->width = width;
    return AN_OK;
}

int an_ranks_fetch(const struct an_adjoint_ranks *r, int width, int n, const double *const *own,
                   double *const *foreign)
{
    if (r->nrank < 2)
        return AN_OK;
    const size_t bytes = (size_t)width * sizeof(double);
    AN_TRY(make_room(r, (int64_t)width * n));
    int64_t *counts = r->room->counts;
    double *out = r->room->numbers, *in = out + sends_of(r) * width * n, *at = out;
    for (int64_t c = 0; c < sends_of(r); c++)
        for (int m = 0; m < n; m++, at += width)
            memcpy(at, own[m] + (int64_t)r->send[c] * width, bytes);
    count(r, (int64_t)width * n, 0, counts, counts + r->n);
    AN_TRY(send_and_receive(r, r->room->request, counts, out, counts + r->n, in));
    for (int64_t c = 0; c < r->nforeign; c++)
        for (int m = 0; m < n; m++, at += width)
            memcpy(foreign[m] + c * width, at, bytes);
    return AN_OK;
}

int an_ranks_give(const struct an_adjoint_ranks *r, int width, const double *foreign, double *own)
{
    if (r->nrank < 2)
        return AN_OK;
    double *room = malloc(((size_t)(sends_of(r) * width) + 1) * sizeof *room);
    int64_t *counts = new_counts(r);
    int status = room && counts ? AN_OK : an_error_set(AN_FAIL, "out of memory for messages");
    if (status == AN_OK)
        count(r, width, 1, counts, counts + r->n);
    status = exchange(r, status, counts, foreign, status ? NULL : counts + r->n, room);
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
    status = exchange(r, status, one, room, one, status ? NULL : room + r->n);
    for (int k = 0; k < r->n && status == AN_OK; k++) {
        in_count[k] = (int64_t)room[r->n + k];
        all += in_count[k];
    }
    free(room);
    free(one);
    AN_TRY(status);
    *in = malloc(((size_t)all + 1) * sizeof **in);
    status = *in ? AN_OK : an_error_set(AN_FAIL, "out of memory for messages");
    return exchange(r, status, out_count, out, in_count, *in);
}

/* ---- all ranks ---- */

int an_ranks_sum(const struct an_adjoint_ranks *r, int64_t n, double *v)
{
    enum { MOST = 1 << 16, FEW = 512 }; /* numbers of a call; those that need no memory */
    if (r->nrank < 2 || !n)
        return AN_OK;
    const int64_t piece = n < MOST ? n : MOST;
    const int few = piece * r->nrank <= FEW; /* on all ranks alike */
    double here[FEW], *all = few ? here : malloc((size_t)(piece * r->nrank) * sizeof *all);
    if (!few)
        AN_TRY(an_ranks_agree(r, all ? AN_OK : an_error_set(AN_FAIL, "out of memory for sums")));
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
    if (!few)
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
    static const char *const none = "out of memory for faces of all ranks";
    int *of = malloc(2 * ((size_t)r->nrank + 1) * sizeof *of), *at = of;
    const int mine = (int)n;
    *count = 0;
    *all = NULL;
    int status = an_ranks_agree(r, of && n < INT_MAX ? AN_OK : an_error_set(AN_FAIL, "%s", none));
    if (status != AN_OK) {
        free(of);
        return status;
    }
    at += r->nrank;
    int code = MPI_Allgather(&mine, 1, MPI_INT, of, 1, MPI_INT, r->comm);
    for (int q = 0; q < r->nrank && code == MPI_SUCCESS; q++) {
        at[q] = (int)*count;
        *count += of[q];
    }
    *all = *count < INT_MAX ? malloc(((size_t)*count + 1) * sizeof **all) : NULL;
    if (code == MPI_SUCCESS)
        status = an_ranks_agree(r, *all ? AN_OK : an_error_set(AN_FAIL, "%s", none));
    if (code == MPI_SUCCESS && status == AN_OK)
        code = MPI_Allgatherv(own, mine, MPI_INT64_T, *all, of, at, MPI_INT64_T, r->comm);
    free(of);
    return code == MPI_SUCCESS ? status : an_mpi_error(code, "MPI_Allgatherv of the adjoint");
}
