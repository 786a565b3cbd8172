#include "solver/monitor/leading_edge.h"

#include "mpi/reduce.h"
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>

/* Boundary of the patch that has a cell of a face of a block; -1: none. */
static int boundary_at(const struct an_topology *t, int block, int dir, int side, const int c[3])
{
    const int a = (dir + 1) % 3, b = (dir + 2) % 3;
    for (int p = 0; p < t->npatch; p++) {
        const struct an_window *w = &t->patch[p].window;
        if (w->block == block && w->dir == dir && w->side == side && c[a] >= w->lo[a] &&
            c[a] < w->hi[a] && c[b] >= w->lo[b] && c[b] < w->hi[b])
            return t->patch[p].boundary;
    }
    return -1;
}

/* The same for a cell that may lie one beyond the side `end` of direction `along`: there across the interface. */
static int boundary_beside(const struct an_topology *t, const struct an_window *face, int along,
                           int end, const int c[3])
{
    if (c[along] >= 0 && c[along] < t->block[face->block].n[along])
        return boundary_at(t, face->block, face->dir, face->side, c);
    const int across = 3 - along - face->dir;
    for (int n = 0; n < t->ninterface; n++) {
        const struct an_interface *f = &t->interface[n];
        const struct an_window *w = &f->window;
        if (w->block != face->block || w->dir != along || w->side != end ||
            c[face->dir] < w->lo[face->dir] || c[face->dir] >= w->hi[face->dir] ||
            c[across] < w->lo[across] || c[across] >= w->hi[across])
            continue;
        int donor[3];
        an_cellmap_apply(&f->map, c, donor);
        return boundary_at(t, f->donor, f->map.perm[face->dir],
                           f->map.sign[face->dir] > 0 ? face->side : !face->side, donor);
    }
    return -1;
}

/* Length along the flow of the cell at face cell c, from its lower to its upper nodes of direction `along`. */
static double length_along(const int n[3], const double *x, const struct an_window *w, int along,
                           const int c[3], const double flow[3])
{
    const int64_t step[3] = {1, n[0] + 1, (int64_t)(n[0] + 1) * (n[1] + 1)};
    const int64_t all = step[2] * (n[2] + 1);
    const int64_t at = c[0] + c[1] * step[1] + c[2] * step[2] + w->side * step[w->dir];
    const int64_t across = step[3 - along - w->dir];
    double sum = 0;
    for (int d = 0; d < 3; d++)
        for (int k = 0; k < 2; k++) {
            const double *node = x + d * all + at + k * across;
            sum += 0.5 * flow[d] * (node[step[along]] - node[0]);
        }
    return sum;
}

static int is_wall(const struct an_solver *s, int boundary)
{
    return boundary >= 0 && s->boundary[boundary].type == AN_BC_WALL_VISCOUS;
}

static int is_smooth(const struct an_solver *s, int boundary)
{
    return boundary >= 0 && (s->boundary[boundary].type == AN_BC_SYMMETRY ||
                             s->boundary[boundary].type == AN_BC_WALL_SLIP);
}

/* The edge of a patch at one end of a direction along it. x: nodes of its block. */
static void look_at_edge(const struct an_solver *s, const struct an_patch *p, int along, int end,
                         const double *x, const double flow[3], double *length)
{
    const struct an_topology *t = &s->level[0].partition.topology;
    const struct an_window *w = &p->window;
    const int *n = t->block[w->block].n, across = 3 - along - w->dir;
    int own[3], next[3];
    own[w->dir] = next[w->dir] = w->side ? n[w->dir] - 1 : 0;
    own[along] = end ? w->hi[along] - 1 : w->lo[along];
    next[along] = end ? w->hi[along] : w->lo[along] - 1;
    for (int k = w->lo[across]; k < w->hi[across]; k++) {
        own[across] = next[across] = k;
        const int other = boundary_beside(t, w, along, end, next);
        const int behind = is_wall(s, p->boundary) && is_smooth(s, other);
        if (!behind && !(is_smooth(s, p->boundary) && is_wall(s, other)))
            continue;
        /* towards the wall: from lower to upper nodes where the wall is this patch and the edge its lower end */
        const double l = length_along(n, x, w, along, own, flow) * (behind == !end ? 1 : -1);
        const int wall = behind ? p->boundary : other;
        length[wall] = fmax(length[wall], l);
    }
}

static void look_at_patches(const struct an_solver *s, const double flow[3], double *length)
{
    const struct an_topology *t = &s->level[0].partition.topology;
    for (int b = 0; b < s->nlocal; b++)
        for (int p = 0; p < t->npatch; p++)
            for (int e = 0; e < 4 && t->patch[p].window.block == s->local[b]; e++)
                look_at_edge(s, &t->patch[p], (t->patch[p].window.dir + 1 + (e >> 1)) % 3, e & 1,
                             s->node[b], flow, length);
}

int an_leading_cell_find(const struct an_solver *s, const double flow[3], double *length,
                         int *boundary)
{
    const int nb = s->level[0].partition.topology.nboundary;
    double *of = calloc((size_t)nb + 1, sizeof *of);
    *length = 0;
    *boundary = -1;
    int status = of ? AN_OK : an_error_set(AN_FAIL, "out of memory for leading edges");
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK) {
        look_at_patches(s, flow, of);
        status = an_reduce_max(s->comm, nb, of);
    }
    for (int b = 0; b < nb && status == AN_OK; b++)
        if (of[b] > *length) {
            *length = of[b];
            *boundary = b;
        }
    free(of);
    return status;
}

/* The least coordinate along the flow of the nodes of a patch. x: nodes of its block. */
static double least_along(const int n[3], const double *x, const struct an_window *w,
                          const double flow[3])
{
    const int64_t step[3] = {1, n[0] + 1, (int64_t)(n[0] + 1) * (n[1] + 1)};
    const int64_t all = step[2] * (n[2] + 1);
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    double least = INFINITY;
    for (int b = w->lo[db]; b <= w->hi[db]; b++)
        for (int a = w->lo[da]; a <= w->hi[da]; a++) {
            const int64_t at =
                a * step[da] + b * step[db] + (w->side ? n[w->dir] * step[w->dir] : 0);
            least =
                fmin(least, flow[0] * x[at] + flow[1] * x[all + at] + flow[2] * x[2 * all + at]);
        }
    return least;
}

int an_leading_edge_distance(const struct an_solver *s, const double flow[3], double *distance,
                             int *boundary)
{
    enum {
        PART = 1000
    }; /* of the distance to the last of the walls: nearer ones begin at the inlet */
    const struct an_topology *t = &s->level[0].partition.topology;
    double *first = malloc(((size_t)t->nboundary + 1) * sizeof *first);
    *distance = 0;
    *boundary = -1;
    int status = first ? AN_OK : an_error_set(AN_FAIL, "out of memory for leading edges");
    status = an_reduce_status(s->comm, status);
    for (int b = 0; b < t->nboundary && status == AN_OK; b++)
        first[b] = -INFINITY; /* minus the least coordinate: reduced as a maximum */
    for (int b = 0; b < s->nlocal && status == AN_OK; b++)
        for (int p = 0; p < t->npatch; p++) {
            const struct an_patch *q = &t->patch[p];
            if (q->window.block == s->local[b])
                first[q->boundary] =
                    fmax(first[q->boundary],
                         -least_along(t->block[q->window.block].n, s->node[b], &q->window, flow));
        }
    if (status == AN_OK)
        status = an_reduce_max(s->comm, t->nboundary, first);
    double inlet = -INFINITY, last = 0;
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const enum an_bc_type type = (enum an_bc_type)s->boundary[b].type;
        if (type == AN_BC_INLET_TOTAL || type == AN_BC_INLET_SUPERSONIC || type == AN_BC_FARFIELD)
            inlet = fmax(inlet, first[b]);
    }
    for (int b = 0; b < t->nboundary && status == AN_OK; b++)
        if (is_wall(s, b) && isfinite(first[b]) && isfinite(inlet))
            last = fmax(last, inlet - first[b]);
    for (int b = 0; b < t->nboundary && status == AN_OK; b++) {
        const double behind = inlet - first[b];
        if (is_wall(s, b) && isfinite(behind) && behind > last / PART &&
            (*boundary < 0 || behind < *distance)) {
            *distance = behind;
            *boundary = b;
        }
    }
    free(first);
    return status;
}
