/* Nodes of a piece, centres of its cells, windows of its faces. */
#include "solver/level/nodes.h"
#include "solver/level/level.h"

#include <stdlib.h>
#include <string.h>

int an_nodes_read(const struct an_mesh *mesh, const struct an_piece *piece, double *x)
{
    const int hi[3] = {piece->hi[0] + 1, piece->hi[1] + 1, piece->hi[2] + 1};
    return an_mesh_read_nodes(mesh, piece->zone, piece->lo, hi, x);
}

int an_nodes_box(const struct an_solver *s, int piece, const int lo[3], const int hi[3], double *x)
{
    const struct an_piece *p = &s->level->partition.piece[piece];
    int b = 0, from[3], to[3], m[3];
    while (b < s->nlocal && s->local[b] != piece)
        b++;
    for (int d = 0; d < 3; d++) {
        from[d] = p->lo[d] + lo[d];
        to[d] = p->lo[d] + hi[d];
        m[d] = p->hi[d] - p->lo[d] + 1;
    }
    if (b == s->nlocal || !s->node)
        return an_mesh_read_nodes(s->mesh, p->zone, from, to, x);
    const int64_t row = hi[0] - lo[0], plane = row * (hi[1] - lo[1]);
#pragma omp parallel for collapse(2)
    for (int c = 0; c < 3; c++)
        for (int k = lo[2]; k < hi[2]; k++)
            for (int j = lo[1]; j < hi[1]; j++)
                memcpy(x + plane * ((int64_t)c * (hi[2] - lo[2]) + k - lo[2]) + row * (j - lo[1]),
                       s->node[b] + lo[0] + m[0] * (j + m[1] * ((int64_t)k + (int64_t)m[2] * c)),
                       (size_t)row * sizeof *x);
    return AN_OK;
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
