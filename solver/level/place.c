#include "solver/level/place.h"

#include "mpi/reduce.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/transfer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void an_place_text(const struct an_solver *s, int b, int64_t at, char *text, size_t size)
{
    const struct an_piece *p = &s->level->partition.piece[s->local[b]];
    const int *n = s->level->layout.block[b].n;
    const int i = (int)(at % n[0]), j = (int)(at / n[0] % n[1]), k = (int)(at / n[0] / n[1]);
    double x[3];
    an_nodes_centre(n, s->node[b], i, j, k, x);
    snprintf(text, size, "zone '%s', cell (%d, %d, %d), at x = %.6g, y = %.6g, z = %.6g m",
             s->mesh->topology.block[p->zone].name, i + p->lo[0] + 1, j + p->lo[1] + 1,
             k + p->lo[2] + 1, x[0], x[1], x[2]);
}

/* The cell of this rank. */
static int find_worst(struct an_solver *s, int *block, int64_t *cell, double *size)
{
    *size = -1;
    for (int b = 0; b < s->nlocal; b++) {
        const int *n = s->level->layout.block[b].n;
        const int64_t cells = (int64_t)n[0] * n[1] * n[2];
        double *r = malloc((size_t)cells * sizeof *r);
        AN_CHECK(r, AN_DIVERGED, "the flow diverged (and no memory is left to say where)");
        const int status = an_solver_download(s, AN_F_R, 1, b, r);
        for (int64_t at = 0; status == AN_OK && at < cells; at++) {
            const double v = isnan(r[at]) ? INFINITY : fabs(r[at]);
            if (v > *size) {
                *size = v;
                *block = b;
                *cell = at;
            }
        }
        free(r);
        AN_TRY(status);
    }
    return AN_OK;
}

int an_place_worst(struct an_solver *s, int64_t iteration)
{
    int block = 0;
    int64_t cell = 0;
    double size;
    char place[256];
    AN_TRY(an_reduce_status(s->comm, find_worst(s, &block, &cell, &size)));
    double most = size;
    AN_TRY(an_reduce_max(s->comm, 1, &most));
    int status = AN_OK;
    if (size == most && size >= 0) {
        an_place_text(s, block, cell, place, sizeof place);
        status = an_error_set(AN_DIVERGED,
                              "diverged at iteration %lld: a residual is not finite; that of the "
                              "density is largest, %.3g, in %s",
                              (long long)iteration, size, place);
    }
    AN_TRY(an_reduce_status(s->comm, status));
    return an_error_set(AN_DIVERGED, "diverged at iteration %lld: a residual is not finite",
                        (long long)iteration);
}
