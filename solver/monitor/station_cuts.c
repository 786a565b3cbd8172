#include "solver/monitor/station_cuts.h"

#include "solver/level/flow_axes.h"
#include "solver/level/level.h"
#include "solver/level/patch_nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double an_station_height(const struct an_flow_axes *axes, const struct an_station *of,
                         const double x[3])
{
    if (!of->is_line)
        return an_flow_axes_height(axes, x);
    const double r = hypot(x[1], x[2]);
    return (r - of->hub[1]) * of->n[0] - (x[0] - of->hub[0]) * of->n[1];
}

/* Nodes of a piece and of the layer of cells around it, as far as the zone has them. Where a zone is one cell
 * thick the layer is that of its neighbours, or not a number. */
struct nodes {
    int lo[3], n[3]; /* first node in the zone, count */
    double *x;       /* [3][n2][n1][n0] */
};

static int64_t node_at(const struct nodes *q, const int node[3])
{
    return node[0] - q->lo[0] +
           (int64_t)q->n[0] * (node[1] - q->lo[1] + (int64_t)q->n[1] * (node[2] - q->lo[2]));
}

/* Nodes of the cells behind interface f of a zone one cell thick; box: the nodes of the zone that q has. */
static int add_behind(const struct an_solver *s, const struct an_interface *f, const int box[2][3],
                      struct nodes *q)
{
    const int dir = f->window.dir, da = (dir + 1) % 3, db = (dir + 2) % 3;
    const int64_t all = (int64_t)q->n[0] * q->n[1] * q->n[2];
    struct an_window w = {.block = f->window.block, .dir = dir, .side = !f->window.side};
    int node[3];
    for (int d = 0; d < 3; d++) {
        w.lo[d] = d == dir ? 0 : box[0][d];
        w.hi[d] = d == dir ? 0 : box[1][d] - 1;
    }
    const int wide = w.hi[da] - w.lo[da] + 1, high = w.hi[db] - w.lo[db] + 1;
    double *x = malloc((size_t)wide * (size_t)high * 3 * sizeof *x);
    AN_CHECK(x, AN_FAIL, "out of memory for stations");
    for (int n = 0; n < 3 * wide * high; n++)
        x[n] = NAN;
    node[dir] = f->window.side ? 2 : -1;
    const int status = an_patch_nodes_behind(s->mesh, &w, node[dir], f, x);
    for (int b = 0; b < high; b++)
        for (int a = 0; a < wide; a++)
            for (int c = 0; c < 3; c++) {
                const double value = x[wide * (high * c + b) + a];
                node[da] = w.lo[da] + a;
                node[db] = w.lo[db] + b;
                if (!isnan(value))
                    q->x[c * all + node_at(q, node)] = value;
            }
    free(x);
    return status;
}

static int read_nodes(const struct an_solver *s, const struct an_piece *p, struct nodes *q)
{
    const struct an_topology *t = &s->mesh->topology;
    const int *zone = t->block[p->zone].n;
    int box[2][3], n[3], node[3];
    size_t count = 3, inner = 3;
    for (int d = 0; d < 3; d++) {
        box[0][d] = p->lo[d] > 0 ? p->lo[d] - 1 : 0;
        box[1][d] = (p->hi[d] < zone[d] ? p->hi[d] + 1 : zone[d]) + 1;
        n[d] = box[1][d] - box[0][d];
        q->lo[d] = box[0][d] - (zone[d] == 1);
        q->n[d] = n[d] + 2 * (zone[d] == 1);
        count *= (size_t)q->n[d];
        inner *= (size_t)n[d];
    }
    double *x = malloc(inner * sizeof *x);
    q->x = malloc(count * sizeof *q->x);
    int status = x && q->x ? an_mesh_read_nodes(s->mesh, p->zone, box[0], box[1], x)
                           : an_error_set(AN_FAIL, "out of memory for stations");
    for (size_t at = 0; at < count && status == AN_OK; at++)
        q->x[at] = NAN;
    const double *from = x;
    for (int c = 0; c < 3 && status == AN_OK; c++)
        for (node[2] = box[0][2]; node[2] < box[1][2]; node[2]++)
            for (node[1] = box[0][1]; node[1] < box[1][1]; node[1]++, from += n[0]) {
                node[0] = box[0][0];
                memcpy(q->x + (size_t)c * (count / 3) + node_at(q, node), from,
                       (size_t)n[0] * sizeof *from);
            }
    free(x);
    for (int f = 0; f < t->ninterface && status == AN_OK; f++)
        if (t->interface[f].window.block == p->zone && zone[t->interface[f].window.dir] == 1)
            status = add_behind(s, &t->interface[f], (const int(*)[3])box, q);
    return status;
}

/* The level function of a station. */
static double level_at(const struct an_station *of, const double x[3])
{
    return of->is_line ? of->n[0] * x[0] + of->n[1] * hypot(x[1], x[2]) : x[0];
}

/* The corners of a cell of the zone; 0 where its nodes are not there. */
static int corners(const struct nodes *q, const int cell[3], double v[8][3])
{
    const int64_t dj = q->n[0], dk = dj * q->n[1], all = dk * q->n[2];
    for (int d = 0; d < 3; d++)
        if (cell[d] < q->lo[d] || cell[d] + 1 >= q->lo[d] + q->n[d])
            return 0;
    for (int c = 0; c < 8; c++) {
        const int64_t at = cell[0] - q->lo[0] + (c & 1) + dj * (cell[1] - q->lo[1] + (c >> 1 & 1)) +
                           dk * (cell[2] - q->lo[2] + (c >> 2));
        for (int d = 0; d < 3; d++)
            v[c][d] = q->x[d * all + at];
    }
    return 1;
}

/* The mean level of a cell's corners. */
static double middle_of(const struct an_station *of, const double v[8][3])
{
    double middle = 0;
    for (int c = 0; c < 8; c++)
        middle += 0.125 * level_at(of, v[c]);
    return middle;
}

/* What the polygons of a cell sum up to. */
struct sum {
    double area, s[3], x[3]; /* sizes, vectors along the normal, sizes times middles */
    double least, most;      /* heights of their corners */
};

/* Adds a triangle of the surface. */
static void add_triangle(const struct an_station *of, const double *a, const double *b,
                         const double *c, struct sum *to)
{
    double p[3], q[3], s[3];
    for (int d = 0; d < 3; d++) {
        p[d] = b[d] - a[d];
        q[d] = c[d] - a[d];
    }
    for (int d = 0; d < 3; d++) {
        const int y = (d + 1) % 3, z = (d + 2) % 3;
        s[d] = p[y] * q[z] - q[y] * p[z];
    }
    const double r = hypot(a[1], a[2]), over = r > 0 ? 1 / r : 0;
    const double along = of->n[0] * s[0] + of->n[1] * (s[1] * a[1] + s[2] * a[2]) * over;
    const double area = 0.5 * sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
    to->area += area;
    for (int d = 0; d < 3; d++) {
        to->s[d] += along < 0 ? -0.5 * s[d] : 0.5 * s[d];
        to->x[d] += area * (a[d] + b[d] + c[d]) / 3;
    }
}

/* The polygon in which the station cuts a tetrahedron. */
static void cut_tetrahedron(const struct an_flow_axes *axes, const struct an_station *of,
                            const double *t[4], struct sum *sum)
{
    double q[4][3], f[4];
    int n = 0;
    /* edges from corners behind the surface to corners ahead of it, in an order around the polygon */
    int behind[4], ahead[4], nb = 0, na = 0;
    for (int c = 0; c < 4; c++) {
        f[c] = level_at(of, t[c]);
        if (f[c] < of->level)
            behind[nb++] = c;
        else
            ahead[na++] = c;
    }
    for (int b = 0; b < nb; b++)
        for (int a = 0; a < na; a++, n++) {
            const double *from = t[behind[b]], *to = t[ahead[a]];
            const double part = (of->level - f[behind[b]]) / (f[ahead[a]] - f[behind[b]]);
            for (int d = 0; d < 3; d++)
                q[n][d] = from[d] + part * (to[d] - from[d]);
            if (!of->is_line)
                q[n][0] = of->level;
            const double height = an_station_height(axes, of, q[n]);
            sum->least = fmin(sum->least, height);
            sum->most = fmax(sum->most, height);
        }
    static const int around[4] = {0, 1, 3, 2};
    for (int c = 1; c + 1 < n; c++)
        add_triangle(of, q[0], q[n == 4 ? around[c] : c], q[n == 4 ? around[c + 1] : c + 1], sum);
}

/* 0 where the station does not cut the cell, or beside its line. */
static int cut_cell(const struct an_flow_axes *axes, const struct an_station *of,
                    const double v[8][3], struct sum *sum)
{
    static const int tetrahedron[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                          {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};
    *sum = (struct sum){.least = INFINITY, .most = -INFINITY};
    for (int n = 0; n < 6; n++) {
        const double *t[4];
        for (int c = 0; c < 4; c++)
            t[c] = v[tetrahedron[n][c]];
        cut_tetrahedron(axes, of, t, sum);
    }
    if (!(sum->area > 0))
        return 0;
    for (int d = 0; d < 3; d++)
        sum->x[d] /= sum->area;
    if (!of->is_line)
        sum->x[0] = of->level;
    const double part = of->is_line ? an_station_height(axes, of, sum->x) / of->length : 0.5;
    return part > -0.02 && part < 1.02;
}

/* The neighbour whose centre's level is farthest from the cell's, towards the station's where there is
 * one. */
static void find_neighbour(const struct nodes *q, const struct an_block *block, const int cell[3],
                           const struct an_station *of, double middle, struct an_station_cut *cut)
{
    double v[8][3], best = 0;
    const double x0 = of->level;
    cut->next = cut->cell;
    cut->part = 0;
    for (int d = 0; d < 3; d++)
        for (int side = -1; side < 2; side += 2) {
            int other[3] = {cell[0], cell[1], cell[2]};
            other[d] += side;
            if (!corners(q, other, v))
                continue;
            const double x = middle_of(of, (const double(*)[3])v);
            /* towards the station counts double: between beats beyond */
            const double reach = fabs(x - middle) * ((x - middle) * (x0 - middle) > 0 ? 2 : 1);
            if (!(reach > best)) /* nor where there is no neighbour */
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

/* For each station, which nodes lie behind it; the caller frees it. */
static char *find_behind(const struct an_stations *t, const struct nodes *q)
{
    const int64_t all = (int64_t)q->n[0] * q->n[1] * q->n[2];
    char *behind = malloc((size_t)t->n * (size_t)all);
    for (int n = 0; behind && n < t->n; n++)
        for (int64_t at = 0; at < all; at++) {
            const double x[3] = {q->x[at], q->x[all + at], q->x[2 * all + at]};
            behind[n * all + at] = level_at(&t->of[n], x) < t->of[n].level;
        }
    return behind;
}

/* Do the cell's corners lie on both sides of the station? */
static int is_cut(const struct nodes *q, const char *behind, const int cell[3])
{
    const int64_t dj = q->n[0], dk = dj * q->n[1];
    const char *first =
        behind + cell[0] - q->lo[0] + dj * (cell[1] - q->lo[1]) + dk * (cell[2] - q->lo[2]);
    const int count = first[0] + first[1] + first[dj] + first[dj + 1] + first[dk] + first[dk + 1] +
                      first[dk + dj] + first[dk + dj + 1];
    return count > 0 && count < 8;
}

int an_station_cut_block(struct an_solver *s, struct an_stations *t, int b, double weight,
                         int64_t *room)
{
    const struct an_piece *p = &s->level->partition.piece[s->local[b]];
    const struct an_block *block = &s->level->layout.block[b];
    struct nodes q = {.x = NULL};
    int status = read_nodes(s, p, &q);
    const int64_t nodes = (int64_t)q.n[0] * q.n[1] * q.n[2];
    char *behind = status == AN_OK ? find_behind(t, &q) : NULL;
    if (status == AN_OK && !behind)
        status = an_error_set(AN_FAIL, "out of memory for stations");
    for (int k = p->lo[2]; k < p->hi[2] && status == AN_OK; k++)
        for (int j = p->lo[1]; j < p->hi[1]; j++)
            for (int i = p->lo[0]; i < p->hi[0]; i++) {
                const int cell[3] = {i, j, k};
                double v[8][3];
                for (int n = 0; n < t->n && status == AN_OK; n++) {
                    const struct an_station *of = &t->of[n];
                    struct sum sum;
                    if (!is_cut(&q, behind + n * nodes, cell) || !corners(&q, cell, v) ||
                        !cut_cell(&t->gas.axes, of, (const double(*)[3])v, &sum))
                        continue;
                    t->radius[n][0] = fmin(t->radius[n][0], sum.least);
                    t->radius[n][1] = fmax(t->radius[n][1], sum.most);
                    struct an_station_cut cut = {
                        .station = n,
                        .cell = an_element(block, i - p->lo[0], j - p->lo[1], k - p->lo[2]),
                        .omega = block->omega};
                    for (int d = 0; d < 3; d++) {
                        cut.s[d] = weight * sum.s[d];
                        cut.x[d] = sum.x[d];
                    }
                    find_neighbour(&q, block, cell, of, middle_of(of, (const double(*)[3])v), &cut);
                    status = add_cut(t, room, &cut);
                }
            }
    free(behind);
    free(q.x);
    return status;
}
