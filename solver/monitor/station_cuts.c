#include "solver/monitor/station_cuts.h"

#include "solver/level/level.h"
#include "solver/monitor/flow_axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes of a piece and of the layer of cells around it, as far as the zone has them. */
struct nodes {
    int lo[3], n[3]; /* first node in the zone, count */
    double *x;       /* [3][n2][n1][n0] */
};

static int read_nodes(const struct an_solver *s, const struct an_piece *p, struct nodes *q)
{
    const int *zone = s->mesh->topology.block[p->zone].n;
    int hi[3];
    size_t count = 3;
    for (int d = 0; d < 3; d++) {
        q->lo[d] = p->lo[d] > 0 ? p->lo[d] - 1 : 0;
        hi[d] = (p->hi[d] < zone[d] ? p->hi[d] + 1 : zone[d]) + 1;
        q->n[d] = hi[d] - q->lo[d];
        count *= (size_t)q->n[d];
    }
    q->x = malloc(count * sizeof *q->x);
    AN_CHECK(q->x, AN_FAIL, "out of memory for stations");
    return an_mesh_read_nodes(s->mesh, p->zone, q->lo, hi, q->x);
}

/* The corners of a cell of the zone, and their mean x; 0 where its nodes are not there. */
static int corners(const struct nodes *q, const int cell[3], double v[8][3], double *middle)
{
    const int64_t dj = q->n[0], dk = dj * q->n[1], all = dk * q->n[2];
    *middle = 0;
    for (int d = 0; d < 3; d++)
        if (cell[d] < q->lo[d] || cell[d] + 1 >= q->lo[d] + q->n[d])
            return 0;
    for (int c = 0; c < 8; c++) {
        const int64_t at = cell[0] - q->lo[0] + (c & 1) + dj * (cell[1] - q->lo[1] + (c >> 1 & 1)) +
                           dk * (cell[2] - q->lo[2] + (c >> 2));
        for (int d = 0; d < 3; d++)
            v[c][d] = q->x[d * all + at];
        *middle += 0.125 * v[c][0];
    }
    return 1;
}

/* The polygon in which x = x0 cuts a tetrahedron: adds area and area times middle, widens the
 * radii. */
static void cut_tetrahedron(const struct an_flow_axes *axes, const double *t[4], double x0,
                            double sum[3], double radius[2])
{
    double q[4][2], y[4][2];
    int n = 0;
    /* edges from corners behind the plane to corners ahead of it, in an order around the polygon */
    const double *behind[4], *ahead[4];
    int nb = 0, na = 0;
    for (int c = 0; c < 4; c++)
        if (t[c][0] < x0)
            behind[nb++] = t[c];
        else
            ahead[na++] = t[c];
    for (int b = 0; b < nb; b++)
        for (int a = 0; a < na; a++, n++) {
            const double part = (x0 - behind[b][0]) / (ahead[a][0] - behind[b][0]);
            for (int d = 0; d < 2; d++)
                q[n][d] = behind[b][d + 1] + part * (ahead[a][d + 1] - behind[b][d + 1]);
        }
    static const int around[4] = {0, 1, 3, 2};
    for (int c = 0; c < n; c++) {
        const int from = n == 4 ? around[c] : c;
        const double r = an_flow_axes_height(axes, (const double[3]){x0, q[from][0], q[from][1]});
        memcpy(y[c], q[from], sizeof y[c]);
        radius[0] = fmin(radius[0], r);
        radius[1] = fmax(radius[1], r);
    }
    for (int c = 1; c + 1 < n; c++) {
        const double area = 0.5 * fabs((y[c][0] - y[0][0]) * (y[c + 1][1] - y[0][1]) -
                                       (y[c][1] - y[0][1]) * (y[c + 1][0] - y[0][0]));
        sum[0] += area;
        for (int d = 0; d < 2; d++)
            sum[1 + d] += area * (y[0][d] + y[c][d] + y[c + 1][d]) / 3;
    }
}

static void cut_cell(const struct an_flow_axes *axes, const double v[8][3], double x0,
                     double sum[3], double radius[2])
{
    static const int tetrahedron[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                          {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    for (int n = 0; n < 6; n++) {
        const double *t[4];
        for (int c = 0; c < 4; c++)
            t[c] = v[tetrahedron[n][c]];
        cut_tetrahedron(axes, t, x0, sum, radius);
    }
}

/* The neighbour whose centre is farthest along x, towards x0 where there is one. */
static void find_neighbour(const struct nodes *q, const struct an_block *block, const int cell[3],
                           double middle, double x0, struct an_station_cut *cut)
{
    double v[8][3], best = 0;
    cut->next = cut->cell;
    cut->part = 0;
    for (int d = 0; d < 3; d++)
        for (int side = -1; side < 2; side += 2) {
            int other[3] = {cell[0], cell[1], cell[2]};
            double x;
            other[d] += side;
            if (!corners(q, other, v, &x))
                continue;
            /* towards the plane counts double: between beats beyond */
            const double reach = fabs(x - middle) * ((x - middle) * (x0 - middle) > 0 ? 2 : 1);
            if (reach <= best)
                continue;
            best = reach;
            cut->next = cut->cell + side * block->stride[d];
            cut->part = fmax(-1, fmin(1, (x0 - middle) / (x - middle)));
        }
}

static int add_cut(struct an_stations *t, int64_t *room, const struct an_station_cut *cut)
{
    if (t->ncut == *room) {
        *room = 2 * *room + 256;
        struct an_station_cut *more = realloc(t->cut, (size_t)*room * sizeof *more);
        AN_CHECK(more, AN_FAIL, "out of memory for stations");
        t->cut = more;
    }
    t->cut[t->ncut++] = *cut;
    return AN_OK;
}

int an_station_cut_block(struct an_solver *s, struct an_stations *t, int b, double weight,
                         int64_t *room)
{
    const struct an_piece *p = &s->level->partition.piece[s->local[b]];
    const struct an_block *block = &s->level->layout.block[b];
    struct nodes q = {.x = NULL};
    int status = read_nodes(s, p, &q);
    for (int k = p->lo[2]; k < p->hi[2] && status == AN_OK; k++)
        for (int j = p->lo[1]; j < p->hi[1]; j++)
            for (int i = p->lo[0]; i < p->hi[0]; i++) {
                const int cell[3] = {i, j, k};
                double v[8][3], middle, least = INFINITY, most = -INFINITY;
                corners(&q, cell, v, &middle);
                for (int c = 0; c < 8; c++) {
                    least = fmin(least, v[c][0]);
                    most = fmax(most, v[c][0]);
                }
                for (int n = 0; n < t->n && status == AN_OK; n++) {
                    double sum[3] = {0};
                    if (!(least < t->x[n] && t->x[n] <= most))
                        continue;
                    cut_cell(&t->gas.axes, (const double(*)[3])v, t->x[n], sum, t->radius[n]);
                    if (!(sum[0] > 0))
                        continue;
                    struct an_station_cut cut = {
                        .station = n,
                        .cell = an_element(block, i - p->lo[0], j - p->lo[1], k - p->lo[2]),
                        .area = weight * sum[0],
                        .y = sum[1] / sum[0],
                        .z = sum[2] / sum[0],
                        .omega = block->omega};
                    find_neighbour(&q, block, cell, middle, t->x[n], &cut);
                    status = add_cut(t, room, &cut);
                }
            }
    free(q.x);
    return status;
}
