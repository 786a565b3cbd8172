/* Lines that implicit steps are solved along: their index directions in each zone, and the lines of
 * a level. */
#include "solver/level/level.h"

#include "mpi/reduce.h"
#include "solver/level/tuning.h"

#include <math.h>
#include <stdlib.h>

/* The directions with the most faces of a boundary type (enum an_bc_type), and the second most; -1: there is none. */
static void wall_directions(const struct an_topology *t, const struct an_bc_value *value, int type,
                            int zone, int best[2])
{
    int64_t faces[3] = {0, 0, 0};
    for (int p = 0; p < t->npatch; p++) {
        const struct an_window *w = &t->patch[p].window;
        if (w->block != zone || value[t->patch[p].boundary].type != type)
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
                    int slip, int *line)
{
    const struct an_topology *t = &mesh->topology;
    int rank, status = AN_OK;
    AN_MPI(MPI_Comm_rank(comm, &rank));
    for (int z = 0; rank == 0 && z < t->nblock && status == AN_OK; z++) {
        int *const l = line + 2 * z;
        wall_directions(t, value, AN_BC_WALL_VISCOUS, z, l);
        if (l[0] < 0 && slip)
            wall_directions(t, value, AN_BC_WALL_SLIP, z, l);
        if (l[0] < 0)
            status = thin_direction(mesh, z, l);
        if (l[1] < 0)
            l[1] = l[0];
    }
    AN_TRY(an_reduce_status(comm, status));
    AN_MPI(MPI_Bcast(line, 2 * t->nblock, MPI_INT, 0, comm));
    return AN_OK;
}

/* How implicit steps run through a block: along a direction, on lines of so many cells; -1: cell by
 * cell. */
struct run {
    int dir, length;
};

/* Cells of the segments of a zone along a direction: those of one cell of the coarsest level, which no
 * cut of the mesh divides. */
static int segment_length(const struct an_solver *s, const struct an_level *l, int zone, int dir)
{
    int length = 1;
    for (int n = (int)(l - s->level) + 1; n < s->nlevel; n++)
        length *= s->coarsening.halved[n][zone][dir] ? 2 : 1;
    return length;
}

/* The lines of a block; on plane meshes with multigrid.across every other step runs along segments
 * across them. Levels whose segments are shorter than AN_TUNE_SEGMENT have none. */
static struct run along_lines(const struct an_solver *s, const struct an_level *l, int b, int way)
{
    const int zone = l->partition.piece[l->local[b]].zone;
    const int *n = l->layout.block[b].n;
    if (!s->line)
        return (struct run){-1, 1};
    const int *line = s->line + 2 * zone;
    int across = line[0];
    for (int d = 0; d < 3; d++)
        if (d != line[0] && n[d] > 1)
            across = d;
    const int length = segment_length(s, l, zone, across);
    if (way == 1 && s->across && line[1] == line[0] && across != line[0] &&
        length >= AN_TUNE_SEGMENT)
        return (struct run){across, length};
    return (struct run){line[way], line[way] < 0 ? 1 : n[line[way]]};
}

/* Segments of a block along the first or second direction across its lines. Blocks whose segments would
 * be shorter than AN_TUNE_SEGMENT keep their lines. */
static struct run across_lines(const struct an_solver *s, const struct an_level *l, int b,
                               int which)
{
    const int zone = l->partition.piece[l->local[b]].zone, line = s->line[2 * zone];
    const int *n = l->layout.block[b].n;
    int found = 0;
    for (int d = 0; d < 3; d++) {
        if (d == line || n[d] == 1 || found++ != which)
            continue;
        const int length = segment_length(s, l, zone, d);
        if (length >= AN_TUNE_SEGMENT)
            return (struct run){d, length};
    }
    return (struct run){line, n[line]};
}

typedef struct run (*run_of)(const struct an_solver *s, const struct an_level *l, int b, int which);

/* Blocks of a level as lines see them, and the direction of theirs: whole, or cut into segments.
 * Returns their number; to[0], dir[0] on are filled unless NULL. */
static int cut_lines(const struct an_solver *s, const struct an_level *l, run_of of, int which,
                     struct an_block *to, int *dir)
{
    int count = 0;
    for (int b = 0; b < l->nlocal; b++) {
        const struct an_block *whole = &l->layout.block[b];
        const struct run r = of(s, l, b, which);
        for (int at = 0; at < (r.dir < 0 ? 1 : whole->n[r.dir]); at += r.length, count++) {
            if (!to)
                continue;
            to[count] = *whole;
            dir[count] = r.dir;
            if (r.dir < 0)
                continue;
            to[count].n[r.dir] = r.length < whole->n[r.dir] - at ? r.length : whole->n[r.dir] - at;
            to[count].origin += at * whole->stride[r.dir];
        }
    }
    return count;
}

static int new_lines(struct an_solver *s, struct an_level *l, run_of of, int which,
                     struct an_lines **lines)
{
    struct an_layout cut = l->layout;
    cut.nblock = cut_lines(s, l, of, which, NULL, NULL);
    cut.block = malloc(((size_t)cut.nblock + 1) * sizeof *cut.block);
    int *dir = malloc(((size_t)cut.nblock + 1) * sizeof *dir);
    int status = cut.block && dir ? AN_OK : an_error_set(AN_FAIL, "out of memory for lines");
    if (status == AN_OK) {
        cut_lines(s, l, of, which, cut.block, dir);
        status = s->engine->op->lines_new(s->engine, &cut, dir, lines);
    }
    free(cut.block);
    free(dir);
    return status;
}

/* Directions across the lines along which the turbulence of a level is swept: those with segments in
 * some zone of the mesh, whichever rank has it. */
static int sweeps_across(const struct an_solver *s, const struct an_level *l)
{
    int most = 0;
    if (l != s->level || !s->line || !s->implicit || !s->c->turbulence.across ||
        s->c->march.mode != AN_MARCH_STEADY)
        return 0;
    for (int z = 0; z < s->mesh->topology.nblock; z++) {
        const int *n = s->mesh->topology.block[z].n;
        int found = 0, last = 0;
        for (int d = 0; d < 3; d++)
            if (d != s->line[2 * z] && n[d] > 1) {
                found++;
                last = segment_length(s, l, z, d) >= AN_TUNE_SEGMENT ? found : last;
            }
        most = last > most ? last : most;
    }
    return most;
}

int an_level_lines(struct an_solver *s, struct an_level *l)
{
    for (int way = 0; way < 2; way++)
        AN_TRY(new_lines(s, l, along_lines, way, &l->lines[way]));
    for (int d = 0; d < sweeps_across(s, l); d++)
        AN_TRY(new_lines(s, l, across_lines, d, &l->across[d]));
    return AN_OK;
}
