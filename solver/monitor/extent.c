#include "solver/monitor/extent.h"

#include "mpi/reduce.h"
#include "solver/level/level.h"

#include <math.h>

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* The nodes x of a block. */
static void add_block(const struct an_block *block, const double *x, double most[8])
{
    const int64_t nodes = (int64_t)(block->n[0] + 1) * (block->n[1] + 1) * (block->n[2] + 1);
    const double *y = x + nodes, *z = y + nodes;
#pragma omp parallel for reduction(max : most[:6])
    for (int64_t n = 0; n < nodes; n++) {
        most[0] = larger(x[n], most[0]);
        most[1] = larger(y[n], most[1]);
        most[2] = larger(z[n], most[2]);
        most[3] = larger(-x[n], most[3]);
        most[4] = larger(-y[n], most[4]);
        most[5] = larger(-z[n], most[5]);
    }
    if (block->omega == 0)
        return;
    double radius = 0,
           farthest = 0; /* the largest square of a radius so far: few nodes need the root */
#pragma omp parallel for reduction(max : radius) firstprivate(farthest)
    for (int64_t n = 0; n < nodes; n++) {
        const double square = y[n] * y[n] + z[n] * z[n];
        if (square >= farthest * (1 - 1e-12)) {
            farthest = larger(square, farthest);
            radius = larger(hypot(y[n], z[n]), radius);
        }
    }
    most[6] = larger(radius, most[6]);
    most[7] = larger(fabs(block->omega) * radius, most[7]);
}

int an_extent_find(const struct an_solver *s, struct an_extent *e)
{
    /* the box as largest values of x, y, z, -x, -y, -z; then radius and speed of what turns */
    double most[8] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, -INFINITY, 0, 0};
    for (int b = 0; b < s->nlocal; b++)
        add_block(&s->level->layout.block[b], s->node[b], most);
    AN_TRY(an_reduce_max(s->comm, 8, most));
    for (int d = 0; d < 3; d++)
        e->edge[d] = most[d] + most[3 + d];
    e->length = fmax(e->edge[0], fmax(e->edge[1], e->edge[2]));
    e->reach = fmax(fmax(most[1], most[4]), fmax(most[2], most[5]));
    e->radius = most[6];
    e->speed = most[7];
    return AN_OK;
}
