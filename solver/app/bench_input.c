#include "solver/app/bench_input.h"

#include "bench/bench_row.h"
#include "solver/app/input.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROW_EDGE = 100, FIXED = 3 };

/* A march from the uniform state whose cycles are all alike: no start on coarse levels, and a CFL number
 * that stays and that every start survives. What the user sets comes later and wins. */
static const char *const fixed[FIXED] = {"multigrid.full=false", "march.cfl=2", "march.cfl_ramp=0"};

/* The case and its mesh, then the benchmark. */
static int bench_case(const struct an_bench_options *o, const struct an_options *run,
                      const char *case_file, int *printed)
{
    struct an_bench_options mine = *o;
    struct an_options read = {.case_file = case_file, .device = run->device};
    struct an_input in;
    char precision[64];
    read.set = calloc((size_t)run->nset + FIXED + 1, sizeof *read.set);
    AN_CHECK(read.set, AN_FAIL, "out of memory");
    for (int n = 0; n < FIXED; n++)
        read.set[read.nset++] = (char *)fixed[n];
    if (o->precision) {
        snprintf(precision, sizeof precision, "precision=%.40s", o->precision);
        read.set[read.nset++] = precision;
    }
    for (int n = 0; n < run->nset; n++)
        read.set[read.nset++] = run->set[n];
    int status = an_input_read(MPI_COMM_SELF, &read, &in, printed);
    mine.c = &in.c;
    mine.mesh = &in.mesh;
    if (status == AN_OK) {
        mine.precision = in.c.precision == AN_SINGLE ? "single" : "double";
        status = an_bench(&mine);
    }
    an_input_free(&in);
    free(read.set);
    return status;
}

/* The same with the benchmark's own row. */
static int bench_row(const struct an_bench_options *o, const struct an_options *run, int *printed)
{
    const char *base = getenv("TMPDIR");
    char folder[900], file[2][1000];
    snprintf(folder, sizeof folder, "%.800s/annulus_row_XXXXXX", base && *base ? base : "/tmp");
    AN_CHECK(mkdtemp(folder), AN_FAIL, "no temporary folder can be made for a row: %s", folder);
    snprintf(file[0], sizeof file[0], "%s/row.cgns", folder);
    snprintf(file[1], sizeof file[1], "%s/row.yaml", folder);
    int status = an_bench_row_write(folder, o->n ? o->n : ROW_EDGE);
    if (status == AN_OK)
        status = bench_case(o, run, file[1], printed);
    for (int n = 0; n < 2; n++)
        (void)remove(file[n]);
    (void)rmdir(folder);
    return status;
}

int an_bench_start(char **argv)
{
    (void)argv;
    return AN_OK;
}

int an_bench_command(const struct an_bench_options *o, const struct an_options *run,
                     const char *case_file, int *printed)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    AN_CHECK(size == 1, AN_INPUT, "`annulus bench` runs on one rank, not on %d", size);
    if (strcmp(o->what, "case") != 0)
        return an_bench(o);
    return case_file ? bench_case(o, run, case_file, printed) : bench_row(o, run, printed);
}
