#include "mpi/reduce.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "kernels/base/error.h"

#define AN_CHUNK 64 /* values a call of MPI takes at once */

int an_mpi_error(int code, const char *call)
{
    char words[MPI_MAX_ERROR_STRING];
    int length = 0;
    if (MPI_Error_string(code, words, &length) != MPI_SUCCESS)
        snprintf(words, sizeof words, "error %d", code);
    return an_error_set(AN_FAIL, "%.200s: %s", call, words);
}

int an_reduce_xsum(MPI_Comm comm, int n, struct an_xsum *sum)
{
    enum { width = sizeof *sum / sizeof(int64_t) };
    _Static_assert(sizeof *sum == (AN_XSUM_LIMBS + 1) * sizeof(int64_t), "limbs and bad alone");
    for (int s = 0; s < n; s++)
        an_xsum_normalise(&sum[s]); /* then limbs of 2^31 ranks fit */
    for (int from = 0; from < n; from += INT_MAX / width) {
        int count = n - from < INT_MAX / width ? n - from : INT_MAX / width;
        AN_MPI(MPI_Allreduce(MPI_IN_PLACE, &sum[from], count * width, MPI_INT64_T, MPI_SUM, comm));
    }
    for (int s = 0; s < n; s++)
        an_xsum_normalise(&sum[s]);
    return AN_OK;
}

/* Integer keys that sort as doubles do, -0 before +0, so that integer reductions can be used, which
 * are exact and defined for every bit pattern. NaN has the key that wins. */
static uint64_t key_of(double v, uint64_t nan_key)
{
    uint64_t bits;
    if (v != v)
        return nan_key;
    memcpy(&bits, &v, sizeof bits);
    return bits >> 63 ? ~bits : bits | (1ULL << 63);
}

static double value_of(uint64_t key, uint64_t nan_key)
{
    double v;
    if (key == nan_key)
        return (double)NAN;
    uint64_t bits = key >> 63 ? key & ~(1ULL << 63) : ~key;
    memcpy(&v, &bits, sizeof v);
    return v;
}

static int reduce_extreme(MPI_Comm comm, int n, double *v, MPI_Op op, uint64_t nan_key)
{
    /* signed: MPICH 4.0 orders MPI_UINT64_T as if it were signed */
    const uint64_t sign = UINT64_C(1) << 63;
    int64_t key[AN_CHUNK];
    for (int from = 0; from < n; from += AN_CHUNK) {
        int count = n - from < AN_CHUNK ? n - from : AN_CHUNK;
        for (int c = 0; c < count; c++)
            key[c] = (int64_t)(key_of(v[from + c], nan_key) ^ sign);
        AN_MPI(MPI_Allreduce(MPI_IN_PLACE, key, count, MPI_INT64_T, op, comm));
        for (int c = 0; c < count; c++)
            v[from + c] = value_of((uint64_t)key[c] ^ sign, nan_key);
    }
    return AN_OK;
}

int an_reduce_min(MPI_Comm comm, int n, double *v)
{
    return reduce_extreme(comm, n, v, MPI_MIN, 0);
}

int an_reduce_max(MPI_Comm comm, int n, double *v)
{
    return reduce_extreme(comm, n, v, MPI_MAX, UINT64_MAX);
}

static int severity(int status)
{
    switch (status) {
    case AN_OK:
        return 0;
    case AN_STOPPED:
        return 1;
    case AN_DIVERGED:
        return 2;
    case AN_INPUT:
        return 3;
    default:
        return 4;
    }
}

/* "rank 3: ..." already, from an agreement further down? */
static bool names_rank(const char *text)
{
    if (strncmp(text, "rank ", 5) != 0 || !isdigit((unsigned char)text[5]))
        return false;
    text += 5;
    while (isdigit((unsigned char)*text))
        text++;
    return text[0] == ':';
}

int an_reduce_status(MPI_Comm comm, int status)
{
    struct {
        int severity, rank;
    } worst;
    int size;
    AN_MPI(MPI_Comm_rank(comm, &worst.rank));
    AN_MPI(MPI_Comm_size(comm, &size));
    worst.severity = -severity(status);
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_2INT, MPI_MINLOC, comm));
    if (worst.severity == 0)
        return AN_OK;

    struct {
        int status;
        char text[4096];
    } message = {.status = status};
    snprintf(message.text, sizeof message.text, "%s", an_error_text());
    AN_MPI(MPI_Bcast(&message, sizeof message, MPI_BYTE, worst.rank, comm));
    if (size == 1 || names_rank(message.text))
        return an_error_set(message.status, "%s", message.text);
    return an_error_set(message.status, "rank %d: %s", worst.rank, message.text);
}
