/* Nodes of a piece, ghosts included. What a ghost node is depends on the mesh alone, never on where
 * zones were cut: the metrics of a cell are the same bits in every partition. */
#include "solver/solver.h"

#include <stdlib.h>
#include <string.h>

/* The array being filled: nodes -1 .. n+1 of the piece. */
struct frame {
    const struct an_piece *piece;
    int n[3]; /* cells of the piece */
    int64_t pitch[3];
    int64_t count; /* nodes */
    double *x;
};

static int64_t at(const struct frame *f, int i, int j, int k)
{
    return (i + 1) + (j + 1) * f->pitch[1] + (k + 1) * f->pitch[2];
}

/* Nodes lo <= . < hi of the zone, straight from the file. */
static int read_own(const struct an_mesh *mesh, const struct frame *f, int lo[3], int hi[3])
{
    const struct an_piece *p = f->piece;
    int64_t count = 1;
    for (int d = 0; d < 3; d++) {
        lo[d] = p->lo[d] > 0 ? p->lo[d] - 1 : 0;
        hi[d] = p->hi[d] < mesh->topology.block[p->zone].n[d] ? p->hi[d] + 2 : p->hi[d] + 1;
        count *= hi[d] - lo[d];
    }
    double *xyz = malloc((size_t)count * 3 * sizeof *xyz);
    AN_CHECK(xyz, AN_FAIL, "out of memory for %lld nodes", (long long)count);
    int status = an_mesh_read_nodes(mesh, p->zone, lo, hi, xyz);
    for (int c = 0; c < 3 && status == AN_OK; c++) {
        const double *from = xyz + c * count;
        for (int k = lo[2]; k < hi[2]; k++)
            for (int j = lo[1]; j < hi[1]; j++)
                for (int i = lo[0]; i < hi[0]; i++)
                    f->x[c * f->count + at(f, i - p->lo[0], j - p->lo[1], k - p->lo[2])] = *from++;
    }
    free(xyz);
    return status;
}

/* Ghost nodes that the zone does not have: 2 x_0 - x_1, direction by direction, so that edges and
 * corners are filled as well. */
static void extrapolate(const struct frame *f, const int lo[3], const int hi[3])
{
    const struct an_piece *p = f->piece;
    int first[3], last[3]; /* filled so far, inclusive, in piece nodes */
    for (int d = 0; d < 3; d++) {
        first[d] = lo[d] - p->lo[d];
        last[d] = hi[d] - 1 - p->lo[d];
    }
    for (int d = 0; d < 3; d++)
        for (int side = 0; side < 2; side++) {
            int ghost = side ? f->n[d] + 1 : -1;
            if (ghost >= first[d] && ghost <= last[d])
                continue;
            int from = side ? last[d] : first[d], step = side ? -1 : 1;
            int a = (d + 1) % 3, b = (d + 2) % 3, node[3];
            for (node[b] = first[b]; node[b] <= last[b]; node[b]++)
                for (node[a] = first[a]; node[a] <= last[a]; node[a]++) {
                    node[d] = from;
                    int64_t x0 = at(f, node[0], node[1], node[2]);
                    int64_t x1 = x0 + step * f->pitch[d], g = x0 - step * f->pitch[d];
                    for (int c = 0; c < 3; c++)
                        f->x[c * f->count + g] =
                            2 * f->x[c * f->count + x0] - f->x[c * f->count + x1];
                }
            if (side)
                last[d] = ghost;
            else
                first[d] = ghost;
        }
}

/* Ghost nodes behind an interface of the zone, from the donor. */
static int read_behind(const struct an_mesh *mesh, const struct frame *f,
                       const struct an_interface *face)
{
    const struct an_piece *p = f->piece;
    const struct an_window *w = &face->window;
    const struct an_zone *zone = &mesh->topology.block[p->zone];
    const int d = w->dir, a = (d + 1) % 3, b = (d + 2) % 3;
    if (w->side ? p->hi[d] != zone->n[d] : p->lo[d] != 0)
        return AN_OK;
    int lo[3], hi[3]; /* nodes of the zone, inclusive */
    lo[d] = hi[d] = w->side ? zone->n[d] + 1 : -1;
    const int tangent[2] = {a, b};
    for (int t = 0; t < 2; t++) {
        int e = tangent[t];
        lo[e] = w->lo[e] > p->lo[e] ? w->lo[e] : p->lo[e];
        hi[e] = w->hi[e] < p->hi[e] ? w->hi[e] : p->hi[e];
        if (lo[e] > hi[e])
            return AN_OK;
    }
    struct an_cellmap map = an_cellmap_nodes(&face->map);
    int d0[3], d1[3], low[3], high[3], size[3];
    an_cellmap_apply(&map, lo, d0);
    an_cellmap_apply(&map, hi, d1);
    const struct an_zone *donor = &mesh->topology.block[face->donor];
    int64_t count = 1;
    for (int e = 0; e < 3; e++) {
        low[e] = d0[e] < d1[e] ? d0[e] : d1[e];
        high[e] = (d0[e] < d1[e] ? d1[e] : d0[e]) + 1;
        AN_CHECK(low[e] >= 0 && high[e] <= donor->n[e] + 1, AN_INPUT,
                 "%s: interface '%s' of zone '%s' leads outside its donor zone '%s'", mesh->file,
                 face->name, zone->name, donor->name);
        size[e] = high[e] - low[e];
        count *= size[e];
    }
    double *xyz = malloc((size_t)count * 3 * sizeof *xyz);
    AN_CHECK(xyz, AN_FAIL, "out of memory for %lld nodes", (long long)count);
    int status = an_mesh_read_nodes(mesh, face->donor, low, high, xyz);
    int node[3];
    for (node[2] = lo[2]; node[2] <= hi[2] && status == AN_OK; node[2]++)
        for (node[1] = lo[1]; node[1] <= hi[1]; node[1]++)
            for (node[0] = lo[0]; node[0] <= hi[0]; node[0]++) {
                int there[3];
                an_cellmap_apply(&map, node, there);
                int64_t from = (there[0] - low[0]) +
                               (int64_t)size[0] *
                                   ((there[1] - low[1]) + (int64_t)size[1] * (there[2] - low[2]));
                double x[3] = {xyz[from], xyz[count + from], xyz[2 * count + from]}, here[3];
                for (int c = 0; c < 3; c++)
                    here[c] = face->periodic == 2 ? face->rotation[3 * c] * x[0] +
                                                        face->rotation[3 * c + 1] * x[1] +
                                                        face->rotation[3 * c + 2] * x[2]
                                                  : x[c];
                int64_t to = at(f, node[0] - p->lo[0], node[1] - p->lo[1], node[2] - p->lo[2]);
                for (int c = 0; c < 3; c++)
                    f->x[c * f->count + to] = here[c] + (face->periodic ? face->translation[c] : 0);
            }
    free(xyz);
    return status;
}

int an_nodes_read(const struct an_mesh *mesh, const struct an_piece *piece, double *x)
{
    struct frame f = {.piece = piece, .x = x};
    for (int d = 0; d < 3; d++)
        f.n[d] = piece->hi[d] - piece->lo[d];
    f.pitch[0] = 1;
    f.pitch[1] = f.n[0] + 3;
    f.pitch[2] = f.pitch[1] * (f.n[1] + 3);
    f.count = f.pitch[2] * (f.n[2] + 3);
    int lo[3], hi[3];
    AN_TRY(read_own(mesh, &f, lo, hi));
    extrapolate(&f, lo, hi);
    for (int i = 0; i < mesh->topology.ninterface; i++)
        if (mesh->topology.interface[i].window.block == piece->zone)
            AN_TRY(read_behind(mesh, &f, &mesh->topology.interface[i]));
    return AN_OK;
}
