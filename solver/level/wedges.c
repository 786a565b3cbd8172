/* Sectors of one layer of cells between planes of symmetry that are not parallel. */
#include "solver/level/level.h"

#include <math.h>
#include <stdlib.h>

/* A symmetry plane, or what a slip wall is where nothing varies across it. */
static int mirrors(const struct an_solver *s, const struct an_face_window *w)
{
    const int type = s->boundary[w->boundary].type;
    return type == AN_BC_SYMMETRY || type == AN_BC_WALL_SLIP;
}

static int lies_opposite(const struct an_window *w, const struct an_window *o)
{
    const int a = (w->dir + 1) % 3, b = (w->dir + 2) % 3;
    return o->block == w->block && o->dir == w->dir && o->side != w->side && o->lo[a] < w->hi[a] &&
           o->hi[a] > w->lo[a] && o->lo[b] < w->hi[b] && o->hi[b] > w->lo[b];
}

/* Area of a lower face of a block with nodes x. */
static void area_of(const int n[3], const double *x, int dir, const int node[3], double area[3])
{
    const int64_t step[3] = {1, n[0] + 1, (int64_t)(n[0] + 1) * (n[1] + 1)};
    const int64_t all = step[2] * (n[2] + 1), a = step[(dir + 1) % 3], b = step[(dir + 2) % 3];
    const double *q = x + node[0] + step[1] * node[1] + step[2] * node[2];
    double d[2][3];
    for (int c = 0; c < 3; c++) {
        d[0][c] = q[c * all + a + b] - q[c * all];
        d[1][c] = q[c * all + b] - q[c * all + a];
    }
    for (int c = 0; c < 3; c++)
        area[c] =
            0.5 * (d[0][(c + 1) % 3] * d[1][(c + 2) % 3] - d[0][(c + 2) % 3] * d[1][(c + 1) % 3]);
}

/* Does a face of window w make an angle with the one on the other side of its cell? */
static int is_wedge(const struct an_solver *s, const struct an_window *w)
{
    const int *n = s->level->layout.block[w->block].n;
    const int dir = w->dir, da = (dir + 1) % 3, db = (dir + 2) % 3;
    int node[3];
    for (node[db] = w->lo[db]; node[db] < w->hi[db]; node[db]++)
        for (node[da] = w->lo[da]; node[da] < w->hi[da]; node[da]++) {
            double area[2][3], cross = 0, size = 0;
            for (int side = 0; side < 2; side++) {
                node[dir] = side;
                area_of(n, s->node[w->block], dir, node, area[side]);
            }
            for (int c = 0; c < 3; c++) {
                const int y = (c + 1) % 3, z = (c + 2) % 3;
                cross = fmax(cross, fabs(area[0][y] * area[1][z] - area[0][z] * area[1][y]));
                size += fabs(area[0][c] * area[1][c]);
            }
            if (cross > 1e-9 * size)
                return 1;
        }
    return 0;
}

static int is_again(const struct an_solver *s, const struct an_level *l, int nwindow,
                    const struct an_face_window *window, const struct an_face_window *w)
{
    if (l->layout.block[w->window.block].n[w->window.dir] > 1 || w->behind || !mirrors(s, w))
        return 0;
    for (int o = 0; o < nwindow; o++)
        if (lies_opposite(&w->window, &window[o].window) && !mirrors(s, &window[o]))
            return 0;
    return is_wedge(s, &w->window);
}

int an_level_again(struct an_solver *s, struct an_level *l, int nwindow,
                   const struct an_face_window *window)
{
    const int nboundary = s->mesh->topology.nboundary;
    struct an_face_window *again = malloc(((size_t)nwindow + 1) * sizeof *again);
    struct an_bc_value *value = malloc(((size_t)nboundary + 1) * sizeof *value);
    int n = 0, status = again && value ? AN_OK : an_error_set(AN_FAIL, "out of memory for planes");
    for (int w = 0; w < nwindow && status == AN_OK; w++)
        if (is_again(s, l, nwindow, window, &window[w])) {
            again[n] = window[w];
            again[n++].behind = 1;
        }
    for (int b = 0; b < nboundary && status == AN_OK; b++) {
        value[b] = s->boundary[b];
        if (value[b].type == AN_BC_WALL_SLIP)
            value[b].type = AN_BC_SYMMETRY;
    }
    if (status == AN_OK && n)
        status =
            s->engine->op->faces_new(s->engine, &l->layout, n, again, nboundary, value, &l->again);
    free(again);
    free(value);
    return status;
}
