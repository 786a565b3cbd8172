/* Memory that an adjoint on two ranks does not get, for a cascade of two zones with a few cells.
 *
 *   too little memory for the graph of the whole mesh on both ranks: refused before it is made, with both numbers
 *   enough for one of the two graphs only: refused as well
 *   enough for both graphs, but not for the matrix: refused
 *
 *   each allocation in turn that the second rank makes in an exchange, in the factors or in a sum fails: all ranks return AN_FAIL
 *   and name this rank, and none waits; the next call succeeds
 *
 * --wrap: sysconf says how much memory the machine has, malloc and calloc say that there is none. */
#include "mpi/reduce.h"
#include "solver/adjoint/adjoint.h"
#include "solver/adjoint/foreign.h"
#include "tests/verify/adjoint_cases.h"
#include "tests/verify/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static double machine; /* bytes; 0: what it has */

long __real_sysconf(int name);
long __wrap_sysconf(int name);
long __wrap_sysconf(int name)
{
    return name == _SC_PHYS_PAGES && machine > 0
               ? (long)(machine / (double)__real_sysconf(_SC_PAGESIZE))
               : __real_sysconf(name);
}

static int fails_at,
    allocations; /* the allocation that fails, 0: none; those of the present call */

void *__real_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_malloc(size_t bytes)
{
    return ++allocations == fails_at ? NULL : __real_malloc(bytes);
}

void *__real_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes)
{
    return ++allocations == fails_at ? NULL : __real_calloc(n, bytes);
}

/* All ranks refuse an adjoint on a machine of so many bytes for each cell, in these words. */
static void refused(struct fixture *f, double bytes, const char *words)
{
    static const char *const figure = "mass_in";
    const struct an_topology *t = &f->solver->level->partition.topology;
    struct an_adjoint a;
    double cells = 0;
    for (int b = 0; b < t->nblock; b++)
        cells += (double)t->block[b].n[0] * t->block[b].n[1] * t->block[b].n[2];
    machine = bytes * cells;
    const int status = an_adjoint_new(f->solver, 1, &figure, &a);
    machine = 0;
    int good = status == AN_INPUT && strstr(an_error_text(), words) != NULL;
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    verify_check(verify_text("%.0f bytes for a cell: %.300s", bytes, an_error_text()), good, 1, 1);
    an_adjoint_free(&a);
}

/* ---- calls that get memory on all ranks ---- */

enum { WIDTH = 5, MANY = 4000 };

static int call_fetch(struct an_adjoint *a, double *own, double *other)
{
    const double *const from = own;
    return an_ranks_fetch(&a->cells.ranks, WIDTH, 1, &from, &other);
}

static int call_give(struct an_adjoint *a, double *own, double *other)
{
    return an_ranks_give(&a->cells.ranks, WIDTH, other, own);
}

static int call_send(struct an_adjoint *a, double *own, double *other)
{
    const int64_t out = WIDTH;
    int64_t in;
    double *got;
    (void)other;
    const int status = an_ranks_send(&a->cells.ranks, &out, own, &in, &got);
    free(got);
    return status;
}

static int call_sum(struct an_adjoint *a, double *own, double *other)
{
    (void)other;
    return an_ranks_sum(&a->cells.ranks, MANY, own);
}

static int call_gather(struct an_adjoint *a, double *own, double *other)
{
    const int64_t mine[2] = {1, 2};
    int64_t count, *all;
    (void)own;
    (void)other;
    const int status = an_ranks_gather(&a->cells.ranks, 2, mine, &count, &all);
    free(all);
    return status;
}

static int call_foreign(struct an_adjoint *a, double *own, double *other)
{
    struct an_adjoint_foreign f;
    (void)other;
    const int status = an_adjoint_foreign_new(&a->residual, a->q, own, &f);
    an_adjoint_foreign_free(&f);
    return status;
}

static int call_join(struct an_adjoint *a, double *own, double *other)
{
    (void)own;
    (void)other;
    return an_block_matrix_join(&a->jacobian);
}

/* As solver/adjoint does: what each rank returns is agreed upon once more. */
static int call_factors(struct an_adjoint *a, double *own, double *other)
{
    const MPI_Comm comm = a->s->comm;
    (void)own;
    (void)other;
    int status = an_reduce_status(comm, an_block_factor_new(&a->jacobian, 50, &a->factor));
    if (status == AN_OK)
        status = an_reduce_status(comm, an_block_factor_fill(&a->jacobian, &a->factor));
    an_block_factor_free(&a->factor);
    return status;
}

/* Every allocation of the call fails once on the second rank. */
static void look_at(const char *name, struct an_adjoint *a, double *room,
                    int (*call)(struct an_adjoint *, double *, double *))
{
    enum { MOST_FAILURES = 400 };
    int failures = 0, wrong = 0, status = AN_FAIL;
    for (int n = 1; status != AN_OK && n < MOST_FAILURES; n++) {
        allocations = 0;
        fails_at = a->s->rank == 1 ? n : 0;
        status = call(a, room, room + MANY);
        fails_at = 0;
        int seen[2] = {status, -status};
        MPI_Allreduce(MPI_IN_PLACE, seen, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        wrong += seen[0] != -seen[1] ||
                 (status != AN_OK && (status != AN_FAIL || !strstr(an_error_text(), "rank 1: ")));
        failures += status != AN_OK;
        status = seen[0];
    }
    verify_check(verify_text("%s: allocations that fail", name), failures, 1, 200);
    verify_check(verify_text("%s: ranks that did not agree on them", name), wrong, 0, 0);
}

static void fail_in_turn(struct fixture *f)
{
    static const char *const figure = "mass_in";
    struct an_adjoint a;
    int evaluations;
    fixture_must(an_adjoint_new(f->solver, 1, &figure, &a), "adjoint");
    const size_t n = (size_t)(a.residual.rows + a.cells.ranks.nforeign) * AN_MOST_UNKNOWNS;
    double *room = calloc(n + 2 * MANY, sizeof *room);
    fixture_must(room ? AN_OK : AN_FAIL, "memory");
    look_at("fetch", &a, room, call_fetch);
    look_at("give", &a, room, call_give);
    look_at("send", &a, room, call_send);
    look_at("sum", &a, room, call_sum);
    look_at("gather", &a, room, call_gather);
    look_at("foreign cells", &a, room, call_foreign);
    fixture_must(an_adjoint_jacobian(&a.residual, a.q, 1, &a.jacobian, a.gradient, &evaluations),
                 "matrix");
    look_at("join", &a, room, call_join);
    look_at("factors", &a, room, call_factors);
    free(room);
    an_adjoint_free(&a);
}

int main(int argc, char **argv)
{
    static const struct trial trial = {"cascade", ROE, SLIP, 8, 0, 0, 0, CASCADE, NULL};
    struct fixture f;
    verify_start(&argc, &argv);
    fixture_folder();
    open_case(&f, &trial, 0);
    refused(&f, 100, "the graph of");
    refused(&f, 200, "the graph of");
    refused(&f, 600, "the matrix of");
    fail_in_turn(&f);
    fixture_close(&f);
    return verify_end();
}
