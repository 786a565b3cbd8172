#include "solver/level/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/level/level.h"
#include "solver/level/nodes.h"

struct work {
    const struct an_solver *s;
    const struct an_level *level;
    double *centre; /* [3][ncell], first ghosts behind interfaces included */
    double *dx;
};

/* Nodes of the cells lo <= . < hi of a piece, in its cells of the level, into *x[3][..], malloc'ed.
 */
static int read_box(const struct work *w, int piece, const int lo[3], const int hi[3], double **x)
{
    const struct an_partition *finest = &w->s->level->partition, *level = &w->level->partition;
    int ratio[3], from[3], to[3], all[3], m[3];
    for (int d = 0; d < 3; d++) {
        ratio[d] = finest->topology.block[piece].n[d] / level->topology.block[piece].n[d];
        from[d] = ratio[d] * lo[d];
        to[d] = ratio[d] * hi[d] + 1;
        all[d] = to[d] - from[d];
        m[d] = hi[d] - lo[d] + 1;
    }
    const size_t count = (size_t)all[0] * (size_t)all[1] * (size_t)all[2];
    double *y = malloc(3 * count * sizeof *y);
    *x = y;
    AN_CHECK(y, AN_FAIL, "out of memory for %zu nodes", count);
    int status = an_nodes_box(w->s, piece, from, to, y);
    const int same = ratio[0] == 1 && ratio[1] == 1 && ratio[2] == 1;
    size_t at = 0; /* the level's nodes move to the front */
    for (int c = 0; c < 3 && status == AN_OK && !same; c++)
        for (int k = 0; k < m[2]; k++)
            for (int j = 0; j < m[1]; j++)
                for (int i = 0; i < m[0]; i++)
                    y[at++] =
                        y[(((size_t)c * (size_t)all[2] + (size_t)(k * ratio[2])) * (size_t)all[1] +
                           (size_t)(j * ratio[1])) *
                              (size_t)all[0] +
                          (size_t)(i * ratio[0])];
    if (status != AN_OK) {
        free(y);
        *x = NULL;
    }
    return status;
}

static void put_centre(const struct work *w, int64_t at, const double x[3])
{
    for (int c = 0; c < 3; c++)
        w->centre[c * w->level->layout.ncell + at] = x[c];
}

/* Centres of the first ghosts of an interface of block b. */
static int donor_centres(const struct work *w, int b, const struct an_interface *f)
{
    const struct an_window *win = &f->window;
    const struct an_block *block = &w->level->layout.block[b];
    int lo[3], hi[3], first[3], last[3], dlo[3], dhi[3], n[3];
    for (int d = 0; d < 3; d++) {
        lo[d] = d != win->dir ? win->lo[d] : win->side ? block->n[d] : -1;
        hi[d] = d != win->dir ? win->hi[d] : lo[d] + 1;
        last[d] = hi[d] - 1;
    }
    an_cellmap_apply(&f->map, lo, first);
    an_cellmap_apply(&f->map, last, last);
    for (int d = 0; d < 3; d++) {
        dlo[d] = first[d] < last[d] ? first[d] : last[d];
        dhi[d] = (first[d] < last[d] ? last[d] : first[d]) + 1;
        n[d] = dhi[d] - dlo[d];
    }
    double *x;
    AN_TRY(read_box(w, f->donor, dlo, dhi, &x));
    for (int k = lo[2]; k < hi[2]; k++)
        for (int j = lo[1]; j < hi[1]; j++)
            for (int i = lo[0]; i < hi[0]; i++) {
                int c[3] = {i, j, k};
                double y[3], z[3];
                an_cellmap_apply(&f->map, c, c);
                an_nodes_centre(n, x, c[0] - dlo[0], c[1] - dlo[1], c[2] - dlo[2], y);
                memcpy(z, y, sizeof z);
                for (int r = 0; r < 3 && f->periodic; r++)
                    z[r] = f->rotation[3 * r] * y[0] + f->rotation[3 * r + 1] * y[1] +
                           f->rotation[3 * r + 2] * y[2] + f->translation[r];
                put_centre(w, an_element(block, i, j, k), z);
            }
    free(x);
    return AN_OK;
}

/* Vectors of all faces, from the centres on both sides. */
static void subtract(const struct work *w, const struct an_block *block)
{
    const int64_t cs = w->level->layout.ncell;
    for (int d = 0; d < 3; d++) {
        const int planes = block->n[2] + (d == 2);
#pragma omp parallel for
        for (int k = 0; k < planes; k++)
            for (int j = 0; j < block->n[1] + (d == 1); j++)
                for (int i = 0; i < block->n[0] + (d == 0); i++)
                    for (int c = 0; c < 3; c++) {
                        const int64_t at = an_element(block, i, j, k);
                        w->dx[(3 * d + c) * cs + at] =
                            w->centre[c * cs + at] - w->centre[c * cs + at - block->stride[d]];
                    }
    }
}

/* The vector from a cell to its mirror behind a boundary face with the corners q, round the face.
 */
static void mirror(int type, double q[4][3], const double centre[3], double r[3])
{
    double to[3], a[3], b[3], s[3];
    for (int c = 0; c < 3; c++) {
        to[c] = 0.25 * ((q[0][c] + q[1][c]) + (q[2][c] + q[3][c])) - centre[c];
        a[c] = q[2][c] - q[0][c];
        b[c] = q[3][c] - q[1][c];
        r[c] = 2 * to[c];
    }
    if (!an_bc_type_has((enum an_bc_type)type, AN_BC_CLOSED))
        return;
    for (int c = 0; c < 3; c++)
        s[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
    const double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    const double along = s[0] * to[0] + s[1] * to[1] + s[2] * to[2];
    if (square == 0 && type == AN_BC_WALL_VISCOUS)
        return;
    for (int c = 0; c < 3; c++)
        r[c] = square > 0 ? 2 * along / square * s[c] : 0; /* collapsed: no mirror, no distance */
}

/* Vectors of the faces of a boundary patch of block b with nodes x. */
static void patch_vectors(const struct work *w, int b, const struct an_patch *patch,
                          const double *x)
{
    const struct an_window *win = &patch->window;
    const struct an_block *block = &w->level->layout.block[b];
    const int dir = win->dir, t1 = (dir + 1) % 3, t2 = (dir + 2) % 3;
    const int type = w->s->boundary[patch->boundary].type;
    const int64_t cs = w->level->layout.ncell, step = block->stride[dir];
    const int64_t m[3] = {1, block->n[0] + 1, (int64_t)(block->n[0] + 1) * (block->n[1] + 1)};
    const int64_t count = m[2] * (block->n[2] + 1);
    for (int v = win->lo[t2]; v < win->hi[t2]; v++)
        for (int u = win->lo[t1]; u < win->hi[t1]; u++) {
            int cell[3];
            cell[dir] = win->side ? block->n[dir] - 1 : 0;
            cell[t1] = u;
            cell[t2] = v;
            const int64_t at = an_element(block, cell[0], cell[1], cell[2]);
            double q[4][3], centre[3], r[3];
            for (int n = 0; n < 4; n++) {
                const int64_t node = m[dir] * (win->side ? block->n[dir] : 0) +
                                     m[t1] * (u + (n == 1 || n == 2)) + m[t2] * (v + (n > 1));
                for (int c = 0; c < 3; c++)
                    q[n][c] = x[c * count + node];
            }
            for (int c = 0; c < 3; c++)
                centre[c] = w->centre[c * cs + at];
            mirror(type, q, centre, r);
            for (int c = 0; c < 3; c++) {
                const int64_t component = (3 * dir + c) * cs;
                w->dx[component + at + (win->side ? step : 0)] = win->side ? r[c] : -r[c];
                if (type == AN_BC_WALL_VISCOUS)
                    w->dx[component + at + (win->side ? 2 : -2) * step] = centre[c] + 0.5 * r[c];
            }
        }
}

static int one_block(const struct work *w, int b, int piece)
{
    const struct an_topology *t = &w->level->partition.topology;
    const struct an_block *block = &w->level->layout.block[b];
    const int zero[3] = {0, 0, 0};
    double *x;
    AN_TRY(read_box(w, piece, zero, block->n, &x));
#pragma omp parallel for
    for (int k = 0; k < block->n[2]; k++)
        for (int j = 0; j < block->n[1]; j++)
            for (int i = 0; i < block->n[0]; i++) {
                double c[3];
                an_nodes_centre(block->n, x, i, j, k, c);
                put_centre(w, an_element(block, i, j, k), c);
            }
    int status = AN_OK;
    for (int f = 0; f < t->ninterface && status == AN_OK; f++)
        if (t->interface[f].window.block == piece)
            status = donor_centres(w, b, &t->interface[f]);
    if (status == AN_OK)
        subtract(w, block);
    for (int p = 0; p < t->npatch && status == AN_OK; p++)
        if (t->patch[p].window.block == piece)
            patch_vectors(w, b, &t->patch[p], x);
    free(x);
    return status;
}

int an_geometry_centres(const struct an_solver *s, const struct an_level *level, double *dx)
{
    const int64_t ncell = level->layout.ncell;
    struct work w = {s, level, NULL, dx};
    w.centre = calloc((size_t)ncell * 3 + 1, sizeof *w.centre);
    AN_CHECK(w.centre, AN_FAIL, "out of memory for centres of %lld cells", (long long)ncell);
#pragma omp parallel for /* the first touch of memory takes longer than the store */
    for (int64_t n = 0; n < 9 * ncell; n++)
        dx[n] = 0;
    int status = AN_OK;
    for (int b = 0; b < s->nlocal && status == AN_OK; b++)
        status = one_block(&w, level->replicated ? s->local[b] : b, s->local[b]);
    free(w.centre);
    return status;
}

int an_geometry_upload(struct an_engine *e, int64_t n, const double *from, void *to)
{
    if (e->precision == AN_DOUBLE) {
        AN_TRY(e->op->upload(e, to, from, (size_t)n * sizeof *from, 0));
        return e->op->sync(e, 0);
    }
    float *small = malloc((size_t)n * sizeof *small + 1);
    AN_CHECK(small, AN_FAIL, "out of memory for %lld numbers", (long long)n);
#pragma omp parallel for
    for (int64_t m = 0; m < n; m++)
        small[m] = (float)from[m];
    int status = e->op->upload(e, to, small, (size_t)n * sizeof *small, 0);
    if (status == AN_OK)
        status = e->op->sync(e, 0);
    free(small);
    return status;
}
