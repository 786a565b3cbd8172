/* Memory that an adjoint on two ranks does not get, for a cascade of two zones with a few cells.
 *
 *   too little memory for the graph of the whole mesh on both ranks: refused before it is made, with both numbers
 *   enough for one of the two graphs only: refused as well
 *   enough for both graphs, but not for the matrix: refused
 *
 * --wrap: sysconf says how much memory the machine has. */
#include "solver/adjoint/adjoint.h"
#include "tests/verify/adjoint_cases.h"
#include "tests/verify/verify.h"

#include <stdio.h>
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
    fixture_close(&f);
    return verify_end();
}
