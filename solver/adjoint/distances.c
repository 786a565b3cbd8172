#include "solver/adjoint/distances.h"

#include "kernels/physics/wall_tree.h"
#include "solver/flow/fields.h"
#include "solver/flow/wall_distance.h"
#include "solver/level/nodes.h"
#include "solver/level/transfer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- derivatives by the distances ---- */

struct disturbing {
    struct an_adjoint *a;
    int32_t *colour;         /* [cells] */
    double *distance, *step; /* [cells] m */
    double *image;           /* of the field WD */
    double *r[2], *figure[2];
    double *gradient; /* [nfigure][cells] 1/m */
};

/* Distances with those of a colour changed by `sign` steps become those of the solver. */
static int put(const struct disturbing *w, int colour, int sign)
{
    struct an_solver *s = w->a->s;
    struct an_level *l = s->level;
    const struct an_engine_ops *op = s->engine->op;
    int64_t at = 0;
    for (int b = 0; b < s->nlocal; b++) {
        const struct an_block *block = &l->layout.block[b];
        for (int k = 0; k < block->n[2]; k++)
            for (int j = 0; j < block->n[1]; j++)
                for (int i = 0; i < block->n[0]; i++, at++)
                    w->image[an_element(block, i, j, k)] =
                        w->distance[at] + (w->colour[at] == colour ? sign * w->step[at] : 0);
    }
    AN_TRY(op->upload(s->engine, l->fields.at[AN_F_WD], w->image,
                      (size_t)l->layout.ncell * sizeof *w->image, 0));
    AN_TRY(op->sync(s->engine, 0));
    return an_level_wall_ghosts(s, l);
}

static void collect(const struct disturbing *w, int colour)
{
    const struct an_adjoint *a = w->a;
    const struct an_lists *p = &a->cells.reach;
    for (int64_t j = 0; j < a->cells.n; j++) {
        if (w->colour[j] != colour)
            continue;
        const double over = 1 / ((w->distance[j] + w->step[j]) - (w->distance[j] - w->step[j]));
        for (int f = 0; f < a->nfigure; f++) {
            double sum = 0;
            for (int64_t m = p->first[j]; m < p->first[j + 1]; m++) {
                const int64_t i = p->list[m], at = i * a->nv;
                const double *lambda = a->lambda + f * a->residual.rows * a->nv;
                sum += w->figure[1][i * a->nfigure + f] - w->figure[0][i * a->nfigure + f];
                for (int v = 0; v < a->nv; v++)
                    sum -= lambda[at + v] * (w->r[1][at + v] - w->r[0][at + v]) /
                           a->residual.unit_r[v];
            }
            w->gradient[f * a->cells.n + j] = sum * over;
        }
    }
}

static int disturb(struct disturbing *w)
{
    struct an_adjoint *a = w->a;
    int ncolour;
    AN_TRY(an_adjoint_colours(&a->cells.reach, &a->cells.reach, w->colour, &ncolour));
    for (int b = 0; b < a->s->nlocal; b++)
        AN_TRY(an_solver_download(a->s, AN_F_WD, 1, b, w->distance + a->cells.first[b]));
    for (int64_t c = 0; c < a->cells.n; c++)
        w->step[c] = 1e-6 * w->distance[c];
    for (int colour = 0; colour < ncolour; colour++) {
        for (int d = 0; d < 2; d++) {
            AN_TRY(put(w, colour, d ? 1 : -1));
            AN_TRY(an_adjoint_evaluate(&a->residual, a->q, w->r[d], w->figure[d]));
            a->stats.evaluations++;
        }
        collect(w, colour);
    }
    return put(w, 0, 0);
}

/* ---- derivatives of the distances ---- */

struct surface {
    const struct an_solver *s;
    double *tree;  /* owned */
    int32_t *face; /* of each facet; owned */
    int64_t nplace;
    struct an_wall_place *place; /* of each face; owned */
};

static int block_of(const struct an_solver *s, int zone)
{
    int b = 0;
    while (s->level->partition.piece[s->local[b]].zone != zone)
        b++;
    return b;
}

/* The wall faces in the order in which facets name them. */
static int list_places(struct surface *w)
{
    const struct an_topology *t = &w->s->level->partition.topology;
    for (int fill = 0; fill < 2; fill++) {
        w->nplace = 0;
        for (int p = 0; p < t->npatch; p++) {
            const struct an_window *q = &t->patch[p].window;
            const int da = (q->dir + 1) % 3, db = (q->dir + 2) % 3;
            if (w->s->boundary[t->patch[p].boundary].type != AN_BC_WALL_VISCOUS)
                continue;
            for (int b = q->lo[db]; b < q->hi[db]; b++)
                for (int a = q->lo[da]; a < q->hi[da]; a++, w->nplace++)
                    if (fill)
                        w->place[w->nplace] = (struct an_wall_place){
                            .zone = w->s->level->partition.piece[q->block].zone,
                            .side = 2 * q->dir + q->side,
                            .a = a,
                            .b = b};
        }
        if (!fill)
            w->place = malloc(((size_t)w->nplace + 1) * sizeof *w->place);
        AN_CHECK(w->place, AN_FAIL, "out of memory for wall faces");
    }
    qsort(w->place, (size_t)w->nplace, sizeof *w->place, an_wall_place_compare);
    return AN_OK;
}

/* Numbers of the four corners of a face among the nodes of its block, and their number. */
static int64_t corners_of(const struct an_block *block, const struct an_wall_place *p,
                          int64_t corner[4])
{
    const int dir = p->side / 2, da = (dir + 1) % 3, db = (dir + 2) % 3;
    const int64_t m[3] = {1, block->n[0] + 1, (int64_t)(block->n[0] + 1) * (block->n[1] + 1)};
    const int64_t base = m[dir] * (p->side & 1 ? block->n[dir] : 0) + m[da] * p->a + m[db] * p->b;
    corner[0] = base;
    corner[1] = base + m[da];
    corner[2] = base + m[da] + m[db];
    corner[3] = base + m[db];
    return m[2] * (block->n[2] + 1);
}

/* Distance of x from a face with these corners. */
static double distance_of(const double q[4][3], const double x[3])
{
    double facet[4][9], best = INFINITY;
    const int n = an_wall_split(q, facet);
    for (int m = 0; m < n; m++) {
        double *f = facet[m]; /* corners become edges */
        for (int c = 0; c < 3; c++) {
            f[3 + c] -= f[c];
            f[6 + c] -= f[c];
        }
        best = fmin(best, an_wall_facet(f, x[0], x[1], x[2]));
    }
    return sqrt(best);
}

/* dd/dq of that distance by the corners: central differences. */
static void by_corners(double q[4][3], const double x[3], double slope[4][3])
{
    double size = 0;
    for (int c = 0; c < 3; c++)
        size = fmax(size, fmax(fabs(q[2][c] - q[0][c]), fabs(q[3][c] - q[1][c])));
    for (int m = 0; m < 4; m++)
        for (int c = 0; c < 3; c++) {
            const double at = q[m][c], high = at + 1e-5 * size, low = at - 1e-5 * size;
            q[m][c] = high;
            const double above = distance_of((const double(*)[3])q, x);
            q[m][c] = low;
            slope[m][c] = (above - distance_of((const double(*)[3])q, x)) / (high - low);
            q[m][c] = at;
        }
}

/* What the distance of cell (i, j, k) of block b adds. weight[nfigure], stride apart: dF/dd. The derivative by the cell's centre is the
 * opposite of the sum of those by the corners, because a distance stays where all move alike. The normal of the nearest triangle
 * would not do: centres of cells stand above the middle of a warped face, where two of its triangles are equally near. Differences
 * by the corners then give the mean of both slopes, and the normal that of one. */
static void add_cell(const struct surface *w, int b, const int cell[3], int nfigure,
                     const double *weight, int64_t stride, double **gradient)
{
    const struct an_solver *s = w->s;
    const struct an_block *block = &s->level->layout.block[b];
    const int64_t m[3] = {1, block->n[0] + 1, (int64_t)(block->n[0] + 1) * (block->n[1] + 1)};
    const int64_t count = m[2] * (block->n[2] + 1),
                  base = cell[0] + m[1] * cell[1] + m[2] * cell[2];
    double x[3], n[3] = {0}, gx[3], q[4][3], slope[4][3];
    int64_t facet, instance, corner[4];
    an_nodes_centre(block->n, s->node[b], cell[0], cell[1], cell[2], x);
    an_wall_tree_instance(w->tree, x[0], x[1], x[2], &facet, &instance);
    if (facet < 0)
        return;
    const double *g = w->tree + (int64_t)w->tree[1] + instance * AN_WALL_INSTANCE;
    for (int c = 0; c < 3; c++)
        gx[c] = an_wall_dot(g[3 * c], g[3 * c + 1], g[3 * c + 2], x[0], x[1], x[2]) + g[9 + c];
    const struct an_wall_place *p = &w->place[w->face[facet]];
    const int wall = block_of(s, p->zone);
    const int64_t all = corners_of(&s->level->layout.block[wall], p, corner);
    for (int v = 0; v < 4; v++)
        for (int c = 0; c < 3; c++)
            q[v][c] = s->node[wall][c * all + corner[v]];
    by_corners(q, gx, slope);
    for (int v = 0; v < 4; v++)
        for (int c = 0; c < 3; c++)
            for (int e = 0; e < 3; e++)
                n[e] -= g[3 * c + e] * slope[v][c];
    for (int f = 0; f < nfigure; f++) {
        double *to = gradient[f * s->nlocal + b], *there = gradient[f * s->nlocal + wall];
        const double by = weight[f * stride];
        for (int v = 0; v < 8; v++)
            for (int c = 0; c < 3; c++)
                to[c * count + base + (v & 1) + m[1] * (v >> 1 & 1) + m[2] * (v >> 2)] +=
                    0.125 * by * n[c];
        for (int v = 0; v < 4; v++)
            for (int c = 0; c < 3; c++)
                there[c * all + corner[v]] += by * slope[v][c];
    }
}

static int chain(const struct disturbing *w, double **gradient)
{
    struct an_adjoint *a = w->a;
    struct surface q = {.s = a->s};
    int nfacet;
    int64_t length, at = 0;
    int status = an_wall_gather(a->s, &nfacet, &length, &q.tree, &q.face);
    if (status == AN_OK)
        status = list_places(&q);
    for (int b = 0; b < a->s->nlocal && status == AN_OK; b++) {
        const int *n = a->s->level->layout.block[b].n;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++, at++)
                    add_cell(&q, b, (const int[3]){i, j, k}, a->nfigure, w->gradient + at,
                             a->cells.n, gradient);
    }
    free(q.tree);
    free(q.face);
    free(q.place);
    return status;
}

int an_adjoint_distances(struct an_adjoint *a, double **gradient)
{
    const size_t n = (size_t)a->residual.rows + 1, v = n * (size_t)a->nv,
                 f = n * (size_t)a->nfigure;
    const size_t image = (size_t)a->s->level->layout.ncell;
    struct disturbing w = {.a = a};
    double *room = calloc(2 * n + image + 2 * v + 3 * f, sizeof *room);
    w.colour = malloc(n * sizeof *w.colour);
    int status = room && w.colour ? AN_OK : an_error_set(AN_FAIL, "out of memory for distances");
    if (status == AN_OK) {
        w.distance = room;
        w.step = room + n;
        w.r[0] = room + 2 * n;
        w.r[1] = w.r[0] + v;
        w.figure[0] = w.r[1] + v;
        w.figure[1] = w.figure[0] + f;
        w.gradient = w.figure[1] + f;
        w.image = w.gradient + f;
        status = disturb(&w);
    }
    if (status == AN_OK)
        status = chain(&w, gradient);
    free(room);
    free(w.colour);
    return status;
}
