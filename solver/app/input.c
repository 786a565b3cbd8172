#include "solver/app/input.h"

#include "mpi/reduce.h"
#include "solver/app/device.h"
#include "solver/boundary/boundaries.h"
#include "solver/boundary/plane_pairs.h"
#include "solver/level/rows.h"
#include "solver/march/march.h"

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
    if (status == AN_OK) {
        status = an_solver_built(&in->c);
        if (status != AN_OK)
            an_diag_error(diag, o->case_file, "%s", an_error_text());
    }
    return status;
}

/* Rank 0's array of n elements on all ranks; the others allocate theirs. */
static int share(MPI_Comm comm, int rank, void **array, int n, size_t size)
{
    int status = AN_OK;
    if (rank != 0) {
        *array = calloc((size_t)n + 1, size);
        if (!*array)
            status = an_error_set(AN_FAIL, "out of memory for the mesh's topology");
    }
    AN_TRY(an_reduce_status(comm, status));
    for (int done = 0; done < n;) { /* counts of MPI are int */
        const int part = n - done < 1000000 ? n - done : 1000000;
        AN_MPI(
            MPI_Bcast((char *)*array + (size_t)done * size, part * (int)size, MPI_BYTE, 0, comm));
        done += part;
    }
    return AN_OK;
}

int an_input_mesh(MPI_Comm comm, int rank, const char *path, const char *base,
                  enum an_device device, struct an_mesh *m, struct an_diag *diag)
{
    if (rank == 0)
        an_mesh_open_begin(path, base);
    /* behind the start of a child: children know nothing of a GPU */
    const int awake = an_device_wake(comm, device);
    int status = rank == 0 ? an_mesh_open_base(path, base, m, diag)
                           : AN_OK; /* in any case: it waits for the child */
    AN_TRY(awake);
    AN_MPI(MPI_Bcast(&status, 1, MPI_INT, 0, comm));
    if (status != AN_OK)
        return rank == 0 ? status : an_error_set(status, "%s cannot be used", path);
    struct an_mesh from0 = *m;
    AN_MPI(MPI_Bcast(&from0, (int)sizeof from0, MPI_BYTE, 0, comm));
    if (rank != 0) {
        *m = from0;
        struct an_topology *t = &m->topology;
        t->block = NULL;
        t->interface = NULL;
        t->patch = NULL;
        t->boundary = NULL;
        m->scale = NULL;
        m->listed = NULL;
    }
    struct an_topology *t = &m->topology;
    AN_TRY(share(comm, rank, (void **)&t->block, t->nblock, sizeof *t->block));
    AN_TRY(share(comm, rank, (void **)&t->interface, t->ninterface, sizeof *t->interface));
    AN_TRY(share(comm, rank, (void **)&t->patch, t->npatch, sizeof *t->patch));
    AN_TRY(share(comm, rank, (void **)&t->boundary, t->nboundary, sizeof *t->boundary));
    AN_TRY(share(comm, rank, (void **)&m->scale, t->nblock, sizeof *m->scale));
    AN_TRY(share(comm, rank, (void **)&m->listed, t->nblock, sizeof *m->listed));
    return an_reduce_status(comm, rank == 0 ? AN_OK : an_mesh_reopen(m));
}

/* Sides of abutting interfaces that the case names, and of which the mesh says nothing. */
static int join_sides(const struct an_case *c, struct an_mesh *mesh, struct an_diag *diag)
{
    const struct an_topology *t = &mesh->topology;
    for (int a = 0; a < t->nboundary; a++) {
        const struct an_case_boundary *mine = an_case_boundary_find(c, t->boundary[a].name);
        const int b = mine && mine->type == AN_BC_ABUTTING ? an_boundary_find(t, mine->with) : -1;
        if (b <= a || an_plane_partner(c, t, b) != a ||
            (t->boundary[a].type == AN_BC_ABUTTING &&
             !strcmp(t->boundary[a].with, t->boundary[b].name)))
            continue;
        AN_TRY(an_mesh_join_sides(mesh, a, b, an_case_at(c, mine->line), diag));
    }
    return AN_OK;
}

/* Zones one cell thick beside boundaries that the case makes planes between rows; the mesh has told of its own. */
static int warn_thin(const struct an_case *c, const struct an_mesh *mesh, struct an_diag *diag)
{
    struct an_topology typed;
    AN_TRY(an_topology_of_case(c, &mesh->topology, &typed));
    for (int b = 0; b < typed.nboundary; b++)
        if (typed.boundary[b].type == mesh->topology.boundary[b].type)
            typed.boundary[b].type = AN_BC_NONE;
    an_topology_warn_thin(&typed, c->file, diag);
    free(typed.boundary);
    return AN_OK;
}

int an_input_read(MPI_Comm comm, const struct an_options *o, struct an_input *in, int *printed)
{
    int rank;
    AN_MPI(MPI_Comm_rank(comm, &rank));
    memset(in, 0, sizeof *in);
    struct an_diag diag;
    an_diag_init(&diag);
    int status = read_case(o, in, &diag), worst = status;
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, comm));
    if (worst == AN_OK) {
        status = an_input_mesh(comm, rank, in->c.mesh, in->c.base, in->c.device, &in->mesh, &diag);
        in->have_mesh = status == AN_OK;
        if (status == AN_OK)
            status = an_reduce_status(comm, join_sides(&in->c, &in->mesh, &diag));
        if (status == AN_OK)
            status = an_reduce_status(comm, an_mesh_turn(&in->mesh));
        for (int b = 0; status == AN_OK && b < in->mesh.topology.nboundary; b++) {
            struct an_boundary *mine = &in->mesh.topology.boundary[b];
            mine->type = an_case_plane(&in->c, mine->type);
        }
    } else if (status == AN_OK) {
        status = an_error_set(AN_INPUT, "another rank could not read the case");
    }
    if (status == AN_OK) {
        const struct an_topology *t = &in->mesh.topology;
        struct an_bc_value *value = calloc((size_t)t->nboundary + 1, sizeof *value);
        if (value)
            an_solver_boundaries(&in->c, t, value, &diag);
        else
            status = an_error_set(AN_FAIL, "out of memory");
        free(value);
        double *omega = NULL;
        if (status == AN_OK)
            status = an_solver_rows(&in->c, &in->mesh, &omega, &diag);
        if (status == AN_OK)
            status = warn_thin(&in->c, &in->mesh, &diag);
        free(omega);
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

int an_input_echo(const struct an_options *o, FILE *out, int *printed)
{
    struct an_input in;
    struct an_diag diag;
    memset(&in, 0, sizeof in);
    an_diag_init(&diag);
    const int status = read_case(o, &in, &diag);
    print(&diag);
    *printed = diag.nerror > 0;
    if (status == AN_OK)
        an_case_echo(&in.c, out);
    an_diag_free(&diag);
    an_input_free(&in);
    return status;
}

void an_input_free(struct an_input *in)
{
    if (in->have_mesh)
        an_mesh_close(&in->mesh);
    if (in->have_case)
        an_case_free(&in->c);
    memset(in, 0, sizeof *in);
}
