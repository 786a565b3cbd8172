#include "solver/level/patch_nodes.h"

#include <stdlib.h>

int64_t an_patch_faces(const struct an_window *w)
{
    const int a = (w->dir + 1) % 3, b = (w->dir + 2) % 3;
    return (int64_t)(w->hi[a] - w->lo[a]) * (w->hi[b] - w->lo[b]);
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
    return status;
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
