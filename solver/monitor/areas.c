#include "solver/monitor/areas.h"

#include "kernels/base/numbers.h"
#include "kernels/base/xsum.h"
#include "mpi/reduce.h"
#include "solver/level/level.h"
#include "solver/level/nodes.h"
#include "solver/level/patch_nodes.h"
#include "solver/level/rows.h"

#include <math.h>
#include <stdlib.h>

/* Nodes x[3][nb + 1][na + 1]: the area of the faces between them, as it is and times the sectors. */
static void add_area(int na, int nb, const double *x, double sectors, struct an_xsum area[2])
{
    const int64_t row = na + 1, nodes = row * (nb + 1);
    for (int b = 0; b < nb; b++)
        for (int a = 0; a < na; a++) {
            const double *at = x + b * row + a;
            double p[3], q[3], normal[3];
            for (int d = 0; d < 3; d++) {
                p[d] = at[d * nodes + row + 1] - at[d * nodes];
                q[d] = at[d * nodes + row] - at[d * nodes + 1];
            }
            for (int d = 0; d < 3; d++)
                normal[d] = p[(d + 1) % 3] * q[(d + 2) % 3] - p[(d + 2) % 3] * q[(d + 1) % 3];
            an_xsum_add(&area[0], 0.5 * an_length(normal));
            an_xsum_add(&area[1], 0.5 * an_length(normal) * sectors);
        }
}

/* Of this rank: largest and smallest x of each boundary, {largest, -smallest}, and its areas. */
static int measure(const struct an_solver *s, const double *sectors, double (*most)[2],
                   struct an_xsum (*area)[2])
{
    int n = 0;
    struct an_face_window *window = NULL;
    int status =
        an_bc_windows(&s->level->partition.topology, s->boundary, s->nlocal, s->local, &n, &window);
    for (int m = 0; m < n && status == AN_OK; m++) {
        const struct an_window win = an_window_in_zone(s, window[m].window);
        const int d = win.dir, da = (d + 1) % 3, db = (d + 2) % 3;
        const int na = win.hi[da] - win.lo[da], nc = win.hi[db] - win.lo[db];
        double *x = NULL;
        status = an_patch_nodes(s->mesh, &win, &x);
        double *to = most[window[m].boundary];
        for (int64_t i = 0; i < (int64_t)(na + 1) * (nc + 1) && status == AN_OK; i++) {
            to[0] = fmax(to[0], x[i]);
            to[1] = fmax(to[1], -x[i]);
        }
        if (status == AN_OK)
            add_area(na, nc, x, sectors[win.block], area[window[m].boundary]);
        free(x);
    }
    free(window);
    return status;
}

int an_boundary_sizes(const struct an_solver *s, struct an_boundary_size *size)
{
    const struct an_topology *t = &s->mesh->topology;
    const size_t nb = (size_t)t->nboundary;
    double(*most)[2] = malloc((nb + 1) * sizeof *most);
    double *sectors = malloc(((size_t)t->nblock + 1) * sizeof *sectors);
    struct an_xsum(*area)[2] = calloc(nb + 1, sizeof *area);
    int status = most && sectors && area ? AN_OK : an_error_set(AN_FAIL, "out of memory for areas");
    for (size_t b = 0; b < nb && most; b++)
        most[b][0] = most[b][1] = -INFINITY;
    if (status == AN_OK)
        status = an_solver_sectors(s->c, t, sectors);
    if (status == AN_OK)
        status = measure(s, sectors, most, area);
    status = an_reduce_status(s->comm, status);
    if (status == AN_OK)
        status = an_reduce_max(s->comm, 2 * (int)nb, most[0]);
    if (status == AN_OK)
        status = an_reduce_xsum(s->comm, 2 * (int)nb, area[0]);
    for (size_t b = 0; b < nb && status == AN_OK; b++)
        size[b] = (struct an_boundary_size){.x = {-most[b][1], most[b][0]},
                                            .area = an_xsum_value(area[b][0]),
                                            .annulus = an_xsum_value(area[b][1])};
    free(area);
    free(sectors);
    free(most);
    return status;
}
