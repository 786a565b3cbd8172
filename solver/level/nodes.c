/* Nodes of a piece, centres of its cells, windows of its faces. */
#include "solver/level/nodes.h"
#include "solver/level/level.h"

#include <stdlib.h>

int an_nodes_read(const struct an_mesh *mesh, const struct an_piece *piece, double *x)
{
    const int hi[3] = {piece->hi[0] + 1, piece->hi[1] + 1, piece->hi[2] + 1};
    return an_mesh_read_nodes(mesh, piece->zone, piece->lo, hi, x);
}

void an_nodes_free(struct an_solver *s)
{
    for (int b = 0; s->node && b < s->nlocal; b++)
        free(s->node[b]);
    free(s->node);
    s->node = NULL;
}

struct an_window an_window_in_zone(const struct an_solver *s, struct an_window w)
{
    const struct an_piece *piece = &s->level->partition.piece[s->local[w.block]];
    w.block = piece->zone;
    for (int d = 0; d < 3; d++)
        if (d != w.dir) {
            w.lo[d] += piece->lo[d];
            w.hi[d] += piece->lo[d];
        }
    return w;
}

void an_nodes_centre(const int n[3], const double *x, int i, int j, int k, double centre[3])
{
    const int64_t dj = n[0] + 1, dk = dj * (n[1] + 1), all = dk * (n[2] + 1);
    for (int c = 0; c < 3; c++) {
        const double *y = x + c * all + i + dj * j + dk * k;
        centre[c] = 0.125 * (((y[0] + y[1]) + (y[dj] + y[dj + 1])) +
                             ((y[dk] + y[dk + 1]) + (y[dk + dj] + y[dk + dj + 1])));
    }
}
