/* Along which index directions of each zone the implicit operator is solved. */
#include "solver/level/level.h"

#include "mpi/reduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The directions with the most viscous wall faces, and the second most; -1: there is none. */
static void wall_directions(const struct an_topology *t, const struct an_bc_value *value, int zone,
                            int best[2])
{
    int64_t faces[3] = {0, 0, 0};
    for (int p = 0; p < t->npatch; p++) {
        const struct an_window *w = &t->patch[p].window;
        if (w->block != zone || value[t->patch[p].boundary].type != AN_BC_WALL_VISCOUS)
            continue;
        int64_t n = 1;
        for (int d = 0; d < 3; d++)
            n *= d == w->dir ? 1 : w->hi[d] - w->lo[d];
        faces[w->dir] += n;
    }
    for (int b = 0; b < 2; b++) {
        best[b] = -1;
        for (int d = 0; d < 3; d++)
            if (faces[d] > 0 && t->block[zone].n[d] > 1 && (b == 0 || d != best[0]) &&
                (best[b] < 0 || faces[d] > faces[best[b]]))
                best[b] = d;
    }
}

/* Adds the logarithms of the mean edges of a cell. */
static int add_edges(const struct an_mesh *mesh, int zone, const int cell[3], double sum[3])
{
    const int hi[3] = {cell[0] + 2, cell[1] + 2, cell[2] + 2};
    double x[3][8];
    AN_TRY(an_mesh_read_nodes(mesh, zone, cell, hi, x[0]));
    for (int d = 0; d < 3; d++) {
        double length = 0;
        for (int n = 0; n < 8; n++) {
            if (n >> d & 1)
                continue;
            double square = 0;
            for (int c = 0; c < 3; c++) {
                const double e = x[c][n | 1 << d] - x[c][n];
                square += e * e;
            }
            length += 0.25 * sqrt(square);
        }
        sum[d] += log(length > 1e-300 ? length : 1e-300);
    }
    return AN_OK;
}

/* The direction cells are thinnest in, from samples through the zone. */
static int thin_direction(const struct an_mesh *mesh, int zone, int *line)
{
    enum { SAMPLES = 4 };
    const int *n = mesh->topology.block[zone].n;
    double sum[3] = {0, 0, 0};
    for (int s = 0; s < SAMPLES * SAMPLES * SAMPLES; s++) {
        const int part[3] = {s % SAMPLES, s / SAMPLES % SAMPLES, s / SAMPLES / SAMPLES};
        int cell[3], again = 0;
        for (int d = 0; d < 3; d++) {
            cell[d] = (int)((int64_t)n[d] * (2 * part[d] + 1) / (2 * SAMPLES));
            again |= n[d] == 1 && part[d] > 0;
        }
        if (!again)
            AN_TRY(add_edges(mesh, zone, cell, sum));
    }
    *line = -1;
    for (int d = 0; d < 3; d++)
        if (n[d] > 1 && (*line < 0 || sum[d] < sum[*line]))
            *line = d;
    if (*line < 0)
        *line = 0; /* a single cell: any direction will do */
    return AN_OK;
}

int an_solver_lines(MPI_Comm comm, const struct an_mesh *mesh, const struct an_bc_value *value,
                    int *line)
{
    const struct an_topology *t = &mesh->topology;
    int rank, status = AN_OK;
    AN_MPI(MPI_Comm_rank(comm, &rank));
    for (int z = 0; rank == 0 && z < t->nblock && status == AN_OK; z++) {
        int *const l = line + 2 * z;
        wall_directions(t, value, z, l);
        if (l[0] < 0)
            status = thin_direction(mesh, z, l);
        if (l[1] < 0)
            l[1] = l[0];
    }
    AN_TRY(an_reduce_status(comm, status));
    AN_MPI(MPI_Bcast(line, 2 * t->nblock, MPI_INT, 0, comm));
    return AN_OK;
}
