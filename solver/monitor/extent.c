#include "solver/monitor/extent.h"

#include "mpi/reduce.h"
#include "solver/level/level.h"

#include <math.h>

int an_extent_find(const struct an_solver *s, struct an_extent *e)
{
    /* the box as largest values of x, y, z, -x, -y, -z; then radius and speed of what turns */
    double most[8] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, 0, 0};
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_block *block = &s->level->layout.block[b];
        const int64_t nodes = (int64_t)(block->n[0] + 1) * (block->n[1] + 1) * (block->n[2] + 1);
        const double *x = s->node[b], *y = x + nodes, *z = y + nodes;
        double farthest = 0; /* the largest square of a radius so far: few nodes need the root */
        for (int64_t n = 0; n < nodes; n++) {
            const double at[6] = {x[n], y[n], z[n], -x[n], -y[n], -z[n]};
            for (int d = 0; d < 6; d++)
                most[d] = fmax(most[d], at[d]);
            const double square = y[n] * y[n] + z[n] * z[n];
            if (block->omega != 0 && square >= farthest * (1 - 1e-12)) {
                farthest = fmax(farthest, square);
                const double r = hypot(y[n], z[n]);
                most[6] = fmax(most[6], r);
                most[7] = fmax(most[7], fabs(block->omega) * r);
            }
        }
    }
    AN_TRY(an_reduce_max(s->comm, 8, most));
    for (int d = 0; d < 3; d++)
        e->edge[d] = most[d] + most[3 + d];
    e->length = fmax(e->edge[0], fmax(e->edge[1], e->edge[2]));
    e->radius = most[6];
    e->speed = most[7];
    return AN_OK;
}
