#include "solver/input.h"

#include "mpi/reduce.h"
#include "solver/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print(const struct an_diag *d)
{
    for (int l = 0; l < d->nline; l++)
        fprintf(stderr, "%s\n", d->line[l]);
}

/* The case with the command line's device and settings on top. */
static int read_case(const struct an_options *o, struct an_input *in, struct an_diag *diag)
{
    int nset = o->nset;
    char device[64];
    char **set = calloc((size_t)nset + 1, sizeof *set);
    AN_CHECK(set, AN_FAIL, "out of memory");
    if (nset) /* o->set is NULL without any */
        memcpy(set, o->set, (size_t)nset * sizeof *set);
    if (o->device) {
        snprintf(device, sizeof device, "device=%s", o->device);
        set[nset++] = device;
    }
    int status = an_case_read(o->case_file, nset, set, &in->c, diag);
    free(set);
    in->have_case = status == AN_OK;
    return status;
}

int an_input_read(MPI_Comm comm, const struct an_options *o, struct an_input *in, int *printed)
{
    int rank;
    AN_MPI(MPI_Comm_rank(comm, &rank));
    memset(in, 0, sizeof *in);
    struct an_diag diag;
    an_diag_init(&diag);
    int status = read_case(o, in, &diag);
    if (status == AN_OK) {
        status = an_mesh_open(in->c.mesh, &in->mesh, &diag);
        in->have_mesh = status == AN_OK;
    }
    if (status == AN_OK) {
        const struct an_topology *t = &in->mesh.topology;
        struct an_bc_value *value = calloc((size_t)t->nboundary + 1, sizeof *value);
        if (value)
            an_solver_boundaries(&in->c, t, value, &diag);
        else
            status = an_error_set(AN_FAIL, "out of memory");
        free(value);
    }
    if (rank == 0)
        print(&diag);
    if (status == AN_OK && diag.nerror)
        status = AN_INPUT;
    if (status == AN_INPUT) {
        *printed = diag.nerror > 0;
        an_error_set(AN_INPUT, "%d error%s in the input", diag.nerror, diag.nerror == 1 ? "" : "s");
    }
    an_diag_free(&diag);
    return an_reduce_status(comm, status);
}

void an_input_free(struct an_input *in)
{
    if (in->have_mesh)
        an_mesh_close(&in->mesh);
    if (in->have_case)
        an_case_free(&in->c);
    memset(in, 0, sizeof *in);
}
