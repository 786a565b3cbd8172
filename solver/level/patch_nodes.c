#include "solver/level/patch_nodes.h"

#include <assert.h>
#include <stdlib.h>

int64_t an_patch_faces(const struct an_window *w)
{
    const int a = (w->dir + 1) % 3, b = (w->dir + 2) % 3;
    return (int64_t)(w->hi[a] - w->lo[a]) * (w->hi[b] - w->lo[b]);
}

int an_patch_nodes_behind(const struct an_mesh *mesh, const struct an_window *w, int layer,
                          const struct an_interface *f, double *x)
{
    const int dir = w->dir, da = (dir + 1) % 3, db = (dir + 2) % 3;
    const struct an_cellmap map = an_cellmap_nodes(&f->map);
    int lo[3], last[3], from[3], to[3], m[3];
    for (int d = 0; d < 3; d++) {
        const int a = w->lo[d] > f->window.lo[d] ? w->lo[d] : f->window.lo[d];
        const int b = w->hi[d] < f->window.hi[d] ? w->hi[d] : f->window.hi[d];
        if (d != dir && a >= b)
            return AN_OK;
        lo[d] = d == dir ? layer : a;
        last[d] = d == dir ? layer : b;
    }
    an_cellmap_apply(&map, lo, from);
    an_cellmap_apply(&map, last, to);
    for (int d = 0; d < 3; d++) {
        const int least = from[d] < to[d] ? from[d] : to[d];
        to[d] = (from[d] < to[d] ? to[d] : from[d]) + 1;
        from[d] = least;
        m[d] = to[d] - from[d];
    }
    const int64_t all = (int64_t)m[0] * m[1] * m[2], wide = w->hi[da] - w->lo[da] + 1,
                  whole = wide * (w->hi[db] - w->lo[db] + 1);
    double *y = malloc((size_t)all * 3 * sizeof *y);
    int status = y ? an_mesh_read_nodes(mesh, f->donor, from, to, y)
                   : an_error_set(AN_FAIL, "out of memory for nodes of a patch");
    int c[3] = {layer, layer, layer};
    for (c[db] = lo[db]; c[db] <= last[db] && status == AN_OK; c[db]++)
        for (c[da] = lo[da]; c[da] <= last[da]; c[da]++) {
            int at[3];
            an_cellmap_apply(&map, c, at);
            const double *q = y + (at[0] - from[0]) +
                              (int64_t)m[0] * (at[1] - from[1] + (int64_t)m[1] * (at[2] - from[2]));
            double *p = x + wide * (c[db] - w->lo[db]) + c[da] - w->lo[da];
            for (int r = 0; r < 3; r++)
                p[r * whole] = f->periodic
                                   ? f->rotation[3 * r] * q[0] + f->rotation[3 * r + 1] * q[all] +
                                         f->rotation[3 * r + 2] * q[2 * all] + f->translation[r]
                                   : q[r * all];
        }
    free(y);
    return status;
}

int an_patch_nodes_below(const struct an_mesh *mesh, const struct an_window *w, int depth,
                         double **x)
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int *n = mesh->topology.block[w->block].n;
    int lo[3], hi[3];
    for (int d = 0; d < 3; d++) {
        lo[d] = w->lo[d];
        hi[d] = w->hi[d] + 1;
    }
    const int beyond = w->side ? n[w->dir] - depth : depth;
    const struct an_topology *t = &mesh->topology;
    if (depth > n[w->dir])
        depth = n[w->dir];
    lo[w->dir] = w->side ? n[w->dir] - depth : depth;
    hi[w->dir] = lo[w->dir] + 1;
    const int64_t na = hi[da] - lo[da], nb = hi[db] - lo[db], all = na * nb;
    double *file = malloc((size_t)all * 3 * sizeof *file);
    *x = malloc((size_t)all * 3 * sizeof **x);
    int status = file && *x ? AN_OK : an_error_set(AN_FAIL, "out of memory for nodes of a patch");
    if (status == AN_OK)
        status = an_mesh_read_nodes(mesh, w->block, lo, hi, file);
    /* the file has the lower of the two directions fastest */
    for (int c = 0; c < 3 && status == AN_OK; c++)
        for (int64_t b = 0; b < nb; b++)
            for (int64_t a = 0; a < na; a++)
                (*x)[c * all + b * na + a] =
                    file[c * all + (w->dir == 1 ? a * nb + b : b * na + a)];
    free(file);
    for (int f = 0; f < t->ninterface && lo[w->dir] != beyond && status == AN_OK; f++) {
        const struct an_window *o = &t->interface[f].window;
        if (o->block == w->block && o->dir == w->dir && o->side != w->side && n[w->dir] == 1)
            status = an_patch_nodes_behind(mesh, w, beyond, &t->interface[f], *x);
    }
    return status;
}

int an_patch_of(const struct an_topology *t, const struct an_window *w)
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    for (int p = 0; p < t->npatch; p++) {
        const struct an_window *q = &t->patch[p].window;
        if (q->block == w->block && q->dir == w->dir && q->side == w->side &&
            w->lo[da] >= q->lo[da] && w->hi[da] <= q->hi[da] && w->lo[db] >= q->lo[db] &&
            w->hi[db] <= q->hi[db])
            return p;
    }
    assert(0);
    return -1;
}

void an_patch_numbers(const struct an_patch *patch, const struct an_window *w, int64_t first,
                      int64_t *number)
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const struct an_window *q = &patch->window;
    for (int b = w->lo[db]; b < w->hi[db]; b++)
        for (int a = w->lo[da]; a < w->hi[da]; a++)
            *number++ =
                first + (int64_t)(b - q->lo[db]) * (q->hi[da] - q->lo[da]) + (a - q->lo[da]);
}

int an_patch_nodes(const struct an_mesh *mesh, const struct an_window *w, double **x)
{
    return an_patch_nodes_below(mesh, w, 0, x);
}

int an_patch_centres(const struct an_mesh *mesh, const struct an_window *w, double (*centre)[3])
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int64_t wide = w->hi[da] - w->lo[da] + 1, high = w->hi[db] - w->lo[db] + 1;
    double *x = NULL;
    const int status = an_patch_nodes(mesh, w, &x);
    for (int64_t b = 0; b + 1 < high && status == AN_OK; b++)
        for (int64_t a = 0; a + 1 < wide; a++)
            for (int c = 0; c < 3; c++) {
                const double *q = x + c * wide * high + b * wide + a;
                centre[b * (wide - 1) + a][c] = 0.25 * ((q[0] + q[1]) + (q[wide] + q[wide + 1]));
            }
    free(x);
    return status;
}

int an_patch_feet(const struct an_mesh *mesh, const struct an_window *w, double (*foot)[3])
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int64_t wide = w->hi[da] - w->lo[da] + 1, high = w->hi[db] - w->lo[db] + 1;
    double *x[2] = {NULL, NULL}; /* nodes of the wall, and of the layer below */
    int status = an_patch_nodes(mesh, w, &x[0]);
    if (status == AN_OK)
        status = an_patch_nodes_below(mesh, w, 1, &x[1]);
    for (int64_t b = 0; b + 1 < high && status == AN_OK; b++)
        for (int64_t a = 0; a + 1 < wide; a++) {
            double to[3], along[3], across[3], s[3], *p = foot[b * (wide - 1) + a];
            for (int c = 0; c < 3; c++) {
                const int64_t at = c * wide * high + b * wide + a;
                const double *q = x[0] + at, *r = x[1] + at;
                const double wall = 0.25 * ((q[0] + q[1]) + (q[wide] + q[wide + 1]));
                p[c] = 0.5 * wall + 0.125 * ((r[0] + r[1]) + (r[wide] + r[wide + 1]));
                to[c] = wall - p[c];
                along[c] = q[wide + 1] - q[0];
                across[c] = q[wide] - q[1];
            }
            for (int c = 0; c < 3; c++)
                s[c] = along[(c + 1) % 3] * across[(c + 2) % 3] -
                       along[(c + 2) % 3] * across[(c + 1) % 3];
            const double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
            const double far = s[0] * to[0] + s[1] * to[1] + s[2] * to[2];
            for (int c = 0; c < 3; c++)
                p[c] += square > 0 ? far / square * s[c] : to[c];
        }
    free(x[0]);
    free(x[1]);
    return status;
}

/* Integral of r^2 / 2 dx along the edge from a to b, less that of the radius of o. */
static double edge(const double o[3], const double a[3], const double b[3])
{
    const double ya = a[1] - o[1], za = a[2] - o[2], yb = b[1] - o[1], zb = b[2] - o[2];
    const double first = o[1] * (ya + yb) + o[2] * (za + zb);
    const double second = ya * ya + za * za + yb * yb + zb * zb + ya * yb + za * zb;
    return 0.5 * (b[0] - a[0]) * (first + second / 3);
}

int an_patch_sweeps(const struct an_mesh *mesh, const struct an_window *w, double *sweep)
{
    const int da = (w->dir + 1) % 3, db = (w->dir + 2) % 3;
    const int64_t wide = w->hi[da] - w->lo[da] + 1, high = w->hi[db] - w->lo[db] + 1;
    double *x = NULL;
    const int status = an_patch_nodes(mesh, w, &x);
    for (int64_t b = 0; b + 1 < high && status == AN_OK; b++)
        for (int64_t a = 0; a + 1 < wide; a++) {
            double q[4][3]; /* around the face, seen from above */
            for (int c = 0; c < 3; c++) {
                const double *at = x + c * wide * high + b * wide + a;
                q[0][c] = at[0];
                q[1][c] = at[1];
                q[2][c] = at[wide + 1];
                q[3][c] = at[wide];
            }
            double sum = 0;
            for (int e = 0; e < 4; e++)
                sum += edge(q[0], q[e], q[(e + 1) % 4]);
            sweep[b * (wide - 1) + a] = w->side ? -sum : sum;
        }
    free(x);
    return status;
}
