#include "solver/adjoint/nodes.h"

#include "solver/adjoint/distances.h"
#include "solver/adjoint/nodes_rings.h"
#include "solver/boundary/control_targets.h"
#include "solver/boundary/mixing.h"
#include "solver/flow/flow.h"
#include "solver/monitor/forces.h"
#include "solver/monitor/performance.h"
#include "solver/monitor/walls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Nodes are numbered block by block, i fastest. */
struct moving {
    struct an_adjoint *a;
    struct an_mesh *mesh;
    int64_t n;                    /* nodes */
    int64_t *first;               /* [blocks + 1]; owned */
    double **node;                /* [zones] [3][..], as they are; owned */
    double **moved;               /* the same, with one colour moved; owned */
    struct an_lists cells, nodes; /* cells that a node changes; the inverse */
    int32_t *colour;              /* [n]; owned */
    int ncolour;
    double *step;             /* [n] m; owned */
    double *r[2], *figure[2]; /* owned */
    double *by_sums;          /* an_adjoint_by_sums; owned */
};

static void dimensions(const struct an_solver *s, int b, int m[3])
{
    for (int d = 0; d < 3; d++)
        m[d] = s->level->layout.block[b].n[d] + 1;
}

static void release(struct moving *w)
{
    const int zones = w->mesh->topology.nblock;
    w->mesh->moved = NULL;
    for (int z = 0; z < zones; z++) {
        if (w->node)
            free(w->node[z]);
        if (w->moved)
            free(w->moved[z]);
    }
    free(w->first);
    free(w->node);
    free(w->moved);
    an_lists_free(&w->cells);
    an_lists_free(&w->nodes);
    free(w->colour);
    free(w->step);
    free(w->by_sums);
    for (int d = 0; d < 2; d++) {
        free(w->r[d]);
        free(w->figure[d]);
    }
}

/* One rank has all zones, none of them cut. */
static int load(struct moving *w)
{
    const struct an_solver *s = w->a->s;
    const int zones = w->mesh->topology.nblock;
    w->first = calloc((size_t)s->nlocal + 1, sizeof *w->first);
    w->node = calloc((size_t)zones + 1, sizeof *w->node);
    w->moved = calloc((size_t)zones + 1, sizeof *w->moved);
    AN_CHECK(w->first && w->node && w->moved, AN_FAIL, "out of memory for nodes");
    for (int b = 0; b < s->nlocal; b++) {
        int m[3];
        const struct an_piece *p = &s->level->partition.piece[s->local[b]];
        dimensions(s, b, m);
        const size_t count = (size_t)m[0] * (size_t)m[1] * (size_t)m[2];
        w->first[b + 1] = w->first[b] + (int64_t)count;
        double *x = w->node[p->zone] = malloc(3 * count * sizeof *x);
        double *y = w->moved[p->zone] = malloc(3 * count * sizeof *y);
        AN_CHECK(x && y, AN_FAIL, "out of memory for %zu nodes", count);
        memcpy(x, s->node[b], 3 * count * sizeof *x);
        memcpy(y, x, 3 * count * sizeof *y);
    }
    w->n = w->first[s->nlocal];
    return AN_OK;
}

/* The cell at (i, j, k) of a block, -1: there is none. */
static int32_t cell_at(const struct an_adjoint_cells *g, const int n[3], int b, int i, int j, int k)
{
    const int inside = i >= 0 && j >= 0 && k >= 0 && i < n[0] && j < n[1] && k < n[2];
    return inside ? (int32_t)(g->first[b] + i + (int64_t)n[0] * (j + (int64_t)n[1] * k)) : -1;
}

enum { AN_MOST_AROUND = 8 * 43 };

/* Cells whose residuals change with node (i, j, k) of a block: those beside it and their neighbours, which read its areas
 * and spectral radii; in viscous flow one farther, since gradients of neighbours read the centres of theirs. */
static int around(const struct moving *w, int b, int i, int j, int k, int32_t list[AN_MOST_AROUND])
{
    const struct an_adjoint_cells *g = &w->a->cells;
    const int *n = w->a->s->level->layout.block[b].n,
              far = w->a->s->params.fluid.viscosity != AN_VISCOSITY_NONE;
    int count = 0;
    for (int m = 0; m < 8; m++) {
        const int32_t c = cell_at(g, n, b, i - (m & 1), j - (m >> 1 & 1), k - (m >> 2));
        if (c < 0)
            continue;
        an_list_insert(list, &count, c);
        for (int f = 0; f < 6 && !far; f++)
            if (g->near[c][f] >= 0)
                an_list_insert(list, &count, g->near[c][f]);
        for (int64_t q = g->reach.first[c]; q < g->reach.first[c + 1] && far; q++)
            an_list_insert(list, &count, g->reach.list[q]);
    }
    return count;
}

static int find_cells(struct moving *w)
{
    const struct an_solver *s = w->a->s;
    int32_t list[AN_MOST_AROUND];
    struct an_lists *l = &w->cells;
    l->n = w->n;
    l->first = calloc((size_t)w->n + 1, sizeof *l->first);
    AN_CHECK(l->first, AN_FAIL, "out of memory for nodes");
    for (int fill = 0; fill < 2; fill++) {
        int64_t at = 0;
        for (int b = 0; b < s->nlocal; b++) {
            int m[3];
            dimensions(s, b, m);
            for (int k = 0; k < m[2]; k++)
                for (int j = 0; j < m[1]; j++)
                    for (int i = 0; i < m[0]; i++, at++) {
                        const int count = around(w, b, i, j, k, list);
                        if (fill)
                            memcpy(l->list + l->first[at], list, (size_t)count * sizeof *list);
                        l->first[at + 1] = l->first[at] + count;
                    }
        }
        if (!fill)
            l->list = malloc(((size_t)l->first[w->n] + 1) * sizeof *l->list);
        AN_CHECK(l->list, AN_FAIL, "out of memory for nodes");
    }
    AN_TRY(an_lists_inverse(l, w->a->cells.n, &w->nodes));
    w->colour = malloc(((size_t)w->n + 1) * sizeof *w->colour);
    AN_CHECK(w->colour, AN_FAIL, "out of memory for nodes");
    return an_adjoint_colours(l, &w->nodes, w->colour, &w->ncolour);
}

/* A small part of the shortest edge at each node that has a length. */
static int find_steps(struct moving *w)
{
    const struct an_solver *s = w->a->s;
    w->step = malloc(((size_t)w->n + 1) * sizeof *w->step);
    AN_CHECK(w->step, AN_FAIL, "out of memory for nodes");
    for (int b = 0; b < s->nlocal; b++) {
        int m[3];
        dimensions(s, b, m);
        const int64_t stride[3] = {1, m[0], (int64_t)m[0] * m[1]}, count = stride[2] * m[2];
        const double *x = s->node[b];
        for (int64_t p = 0; p < count; p++) {
            const int64_t at[3] = {p % m[0], p / m[0] % m[1], p / stride[2]};
            double least = INFINITY;
            for (int d = 0; d < 6; d++) {
                const int64_t q = p + (d & 1 ? stride[d / 2] : -stride[d / 2]);
                const int64_t to = at[d / 2] + (d & 1 ? 1 : -1);
                if (to < 0 || to >= m[d / 2])
                    continue;
                const double e[3] = {x[q] - x[p], x[count + q] - x[count + p],
                                     x[2 * count + q] - x[2 * count + p]};
                const double length = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
                least = length > 0 && length < least ? length : least;
            }
            w->step[w->first[b] + p] = 1e-4 * least;
        }
    }
    return AN_OK;
}

/* Metrics of the moved nodes; wall distances stay as they are. */
static int renew(struct moving *w)
{
    struct an_solver *s = w->a->s;
    struct an_performance *p = an_performance_of(s);
    struct an_forces *forces = an_forces_of(s);
    struct an_walls *walls = an_walls_of(s);
    struct an_mixing *planes = an_mixing_of(s);
    const struct an_control *control = an_control_of(s);
    AN_TRY(an_level_renew(s));
    if (s->params.fluid.viscosity)
        AN_TRY(an_level_centres(s, s->level));
    if (p)
        AN_TRY(an_plane_faces_place(s, &p->faces));
    if (forces)
        AN_TRY(an_plane_faces_place(s, &forces->faces));
    if (planes)
        AN_TRY(an_bands_place(s, planes->bands));
    if (control->bands)
        AN_TRY(an_bands_place(s, control->bands));
    return walls ? an_walls_place(s, walls) : AN_OK;
}

static int zone_of(const struct an_solver *s, int b)
{
    return s->level->partition.piece[s->local[b]].zone;
}

/* Moves coordinate c of the nodes of a colour by `sign` steps (0: back). */
static void move(const struct moving *w, int colour, int c, int sign)
{
    const struct an_solver *s = w->a->s;
    for (int b = 0; b < s->nlocal; b++) {
        const int64_t first = w->first[b], count = w->first[b + 1] - first;
        const double *x = w->node[zone_of(s, b)] + c * count;
        double *y = w->moved[zone_of(s, b)] + c * count;
        for (int64_t p = 0; p < count; p++)
            if (w->colour[first + p] == colour)
                y[p] = x[p] + sign * w->step[first + p];
    }
}

/* The differences of both sides, cell by cell, to the moved node that the cell is near. */
static void collect(const struct moving *w, int colour, int c, double **gradient)
{
    const struct an_adjoint *a = w->a;
    const int64_t all = a->residual.rows * a->nv;
    for (int b = 0; b < a->s->nlocal; b++) {
        const int64_t first = w->first[b], count = w->first[b + 1] - first;
        const double *x = w->node[zone_of(a->s, b)] + c * count;
        for (int64_t p = 0; p < count; p++) {
            if (w->colour[first + p] != colour)
                continue;
            const double h = w->step[first + p], over = 1 / ((x[p] + h) - (x[p] - h));
            for (int f = 0; f < a->nfigure; f++) {
                double sum = 0;
                for (int64_t m = w->cells.first[first + p]; m < w->cells.first[first + p + 1];
                     m++) {
                    const int64_t cell = w->cells.list[m], at = cell * a->nv;
                    sum +=
                        w->figure[1][cell * a->nfigure + f] - w->figure[0][cell * a->nfigure + f];
                    for (int v = 0; v < a->nv; v++)
                        sum -= a->lambda[f * all + at + v] * (w->r[1][at + v] - w->r[0][at + v]) /
                               a->residual.unit_r[v];
                }
                gradient[f * a->s->nlocal + b][c * count + p] = sum * over;
            }
        }
    }
}

static int work_through(struct moving *w, double **gradient)
{
    struct an_adjoint *a = w->a;
    w->mesh->moved = (const double *const *)w->moved;
    for (int colour = 0; colour < w->ncolour; colour++)
        for (int c = 0; c < 3; c++) {
            for (int d = 0; d < 2; d++) {
                move(w, colour, c, d ? 1 : -1);
                AN_TRY(renew(w));
                AN_TRY(an_adjoint_evaluate(&a->residual, a->q, w->r[d], w->figure[d]));
                an_adjoint_less_targets(a, w->by_sums, w->figure[d]);
                a->stats.evaluations++;
            }
            move(w, colour, c, 0);
            collect(w, colour, c, gradient);
        }
    AN_TRY(renew(w));
    return an_adjoint_ring_nodes(a, w->moved, gradient);
}

static int make(struct moving *w)
{
    const struct an_adjoint *a = w->a;
    w->by_sums = malloc(((size_t)(a->nfigure * a->residual.targets.nsum) * AN_NTARGET_SUM + 1) *
                        sizeof *w->by_sums);
    AN_CHECK(w->by_sums, AN_FAIL, "out of memory for nodes");
    an_adjoint_by_sums(a, w->by_sums);
    AN_TRY(load(w));
    AN_TRY(find_cells(w));
    AN_TRY(find_steps(w));
    for (int d = 0; d < 2; d++) {
        w->r[d] = malloc((size_t)(a->residual.rows * a->nv + 1) * sizeof *w->r[d]);
        w->figure[d] = malloc((size_t)(a->cells.n * a->nfigure + 1) * sizeof *w->figure[d]);
        AN_CHECK(w->r[d] && w->figure[d], AN_FAIL, "out of memory for nodes");
    }
    return AN_OK;
}

void an_adjoint_nodes_free(const struct an_adjoint *a, double **gradient)
{
    for (int n = 0; gradient && n < a->nfigure * a->s->nlocal; n++)
        free(gradient[n]);
    free(gradient);
}

int an_adjoint_nodes(struct an_adjoint *a, struct an_mesh *mesh, double ***gradient)
{
    struct moving w = {.a = a, .mesh = mesh};
    double **g = calloc((size_t)(a->nfigure * a->s->nlocal) + 1, sizeof *g);
    int status = g ? make(&w) : an_error_set(AN_FAIL, "out of memory for nodes");
    for (int n = 0; n < a->nfigure * a->s->nlocal && status == AN_OK; n++) {
        const int b = n % a->s->nlocal;
        g[n] = calloc((size_t)(3 * (w.first[b + 1] - w.first[b])) + 1, sizeof **g);
        if (!g[n])
            status = an_error_set(AN_FAIL, "out of memory for nodes");
    }
    if (status == AN_OK)
        status = work_through(&w, g);
    if (status == AN_OK && a->s->level->fields.at[AN_F_WD] && a->nv > 5)
        status = an_adjoint_distances(a, g);
    if (status == AN_OK)
        status = an_adjoint_evaluate(&a->residual, a->q, NULL, NULL);
    release(&w);
    *gradient = g;
    return status;
}
