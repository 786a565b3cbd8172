/* Lines that implicit steps are solved along: their index directions in each zone, and the lines of
 * a level. */
#include "solver/level/level.h"

#include "mpi/reduce.h"
#include "solver/level/tuning.h"

#include <math.h>
#include <stdlib.h>

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

/* Cells of the segments that every other step of a plane zone may run along, across its lines, and
 * their direction; 0: it runs along the lines. Segments are the cells of one cell of the coarsest
 * level: no cut of the mesh cuts one. Levels whose segments are shorter than
 * AN_TUNE_SEGMENT have none. */
static int segment_length(const struct an_solver *s, const struct an_level *l, int b, int *dir)
{
    const int zone = l->partition.piece[s->local[b]].zone;
    const int *line = s->line + 2 * zone;
    int length = 1;
    if (!s->across || line[1] != line[0])
        return 0;
    *dir = line[0];
    for (int d = 0; d < 3; d++)
        if (d != line[0] && l->layout.block[b].n[d] > 1)
            *dir = d;
    for (int n = (int)(l - s->level) + 1; n < s->nlevel; n++)
        length *= s->coarsening.halved[n][zone][*dir] ? 2 : 1;
    return *dir == line[0] || length < AN_TUNE_SEGMENT ? 0 : length;
}

/* Blocks of a level as lines see them, and the direction of theirs: whole, or cut into segments.
 * Returns their number; to[0], dir[0] on are filled unless NULL. */
static int cut_lines(const struct an_solver *s, const struct an_level *l, int way,
                     struct an_block *to, int *dir)
{
    int count = 0;
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_block *whole = &l->layout.block[b];
        const int zone = l->partition.piece[s->local[b]].zone;
        int d = s->line ? s->line[2 * zone + way] : -1, across = 0;
        int length = s->line && way == 1 ? segment_length(s, l, b, &across) : 0;
        if (length)
            d = across;
        else
            length = d < 0 ? 1 : whole->n[d];
        for (int at = 0; at < (d < 0 ? 1 : whole->n[d]); at += length, count++) {
            if (!to)
                continue;
            to[count] = *whole;
            dir[count] = d;
            if (d < 0)
                continue;
            to[count].n[d] = length < whole->n[d] - at ? length : whole->n[d] - at;
            to[count].origin += at * whole->stride[d];
        }
    }
    return count;
}

int an_level_lines(struct an_solver *s, struct an_level *l)
{
    for (int way = 0; way < 2; way++) {
        struct an_layout cut = l->layout;
        cut.nblock = cut_lines(s, l, way, NULL, NULL);
        cut.block = malloc(((size_t)cut.nblock + 1) * sizeof *cut.block);
        int *dir = malloc(((size_t)cut.nblock + 1) * sizeof *dir);
        int status = cut.block && dir ? AN_OK : an_error_set(AN_FAIL, "out of memory for lines");
        if (status == AN_OK) {
            cut_lines(s, l, way, cut.block, dir);
            status = s->engine->op->lines_new(s->engine, &cut, dir, &l->lines[way]);
        }
        free(cut.block);
        free(dir);
        AN_TRY(status);
    }
    return AN_OK;
}
