#include "solver/boundary/plane_windows.h"

#include "bc/boundary_value.h"
#include "solver/level/level.h"

#include <stdlib.h>
#include <string.h>

static int find(const struct an_solver *s, int level, const int *group, int *local, int nlocal,
                int *n, struct an_face_window **window, struct an_window **zone)
{
    struct an_face_window *fine = NULL;
    int all = 0, nfine = 0;
    AN_TRY(an_bc_windows(&s->level[level].partition.topology, s->boundary, nlocal, local, &all,
                         window));
    int status =
        an_bc_windows(&s->level->partition.topology, s->boundary, nlocal, local, &nfine, &fine);
    *zone = malloc(((size_t)all + 1) * sizeof **zone);
    if (status == AN_OK && !*zone)
        status = an_error_set(AN_FAIL, "out of memory for interfaces");
    for (int m = 0; m < all && status == AN_OK; m++) {
        if (group[(*window)[m].boundary] < 0)
            continue;
        struct an_window w = fine[m].window;
        const struct an_piece *piece = &s->level->partition.piece[local[w.block]];
        w.block = piece->zone;
        for (int d = 0; d < 3; d++)
            if (d != w.dir) {
                w.lo[d] += piece->lo[d];
                w.hi[d] += piece->lo[d];
            }
        (*zone)[*n] = w;
        (*window)[(*n)++] = (*window)[m];
    }
    free(fine);
    return status;
}

int an_plane_windows(const struct an_solver *s, int level, int rank, const int *group, int *n,
                     struct an_face_window **window, struct an_window **zone)
{
    const struct an_partition *p = &s->level[level].partition;
    int nlocal = 0, *local = malloc(((size_t)p->npiece + 1) * sizeof *local);
    *n = 0;
    *window = NULL;
    *zone = NULL;
    AN_CHECK(local, AN_FAIL, "out of memory for interfaces");
    for (int m = 0; m < p->npiece; m++)
        if (p->piece[m].rank == rank)
            local[nlocal++] = m;
    const int status = find(s, level, group, local, nlocal, n, window, zone);
    free(local);
    return status;
}

int an_window_holder(const struct an_window *w, int npatch, const struct an_window *list,
                     size_t stride)
{
    for (int n = 0; n < npatch; n++) {
        const struct an_window *all = (const void *)((const char *)list + (size_t)n * stride);
        int in = all->block == w->block && all->dir == w->dir && all->side == w->side;
        for (int d = 0; d < 3; d++)
            in = in && (d == w->dir || (all->lo[d] <= w->lo[d] && w->hi[d] <= all->hi[d]));
        if (in)
            return n;
    }
    return -1;
}
