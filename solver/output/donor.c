#include "solver/output/donor.h"

#include "kernels/base/error.h"
#include "solver/flow/wall_surface.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STARTS = 200000, STEPS = 60, FARTHEST = 8 /* points in one step */ };

static int64_t number(const int m[3], int i, int j, int k)
{
    return ((int64_t)k * m[1] + j) * m[0] + i;
}

/* A point from the nodes: the mean of those around it. */
static void set_point(const int n[3], const double *node, const int e[3], double *x[3], int64_t at)
{
    int lo[3], hi[3], count = 0;
    double sum[3] = {0};
    for (int d = 0; d < 3; d++) {
        lo[d] = e[d] > 0 ? e[d] - 1 : 0;
        hi[d] = e[d] <= n[d] ? e[d] : n[d];
    }
    for (int k = lo[2]; k <= hi[2]; k++)
        for (int j = lo[1]; j <= hi[1]; j++)
            for (int i = lo[0]; i <= hi[0]; i++, count++)
                for (int c = 0; c < 3; c++)
                    sum[c] +=
                        node[(((int64_t)c * (n[2] + 1) + k) * (n[1] + 1) + j) * (n[0] + 1) + i];
    for (int c = 0; c < 3; c++)
        x[c][at] = sum[c] / count;
}

/* The points from which searches start: every so many along each direction. */
static int make_starts(struct an_donor_zone *z)
{
    const int *m = z->m;
    const int64_t all = (int64_t)m[0] * m[1] * m[2];
    int stride = 1;
    while (all / ((int64_t)stride * stride * stride) > STARTS)
        stride++;
    double(*facet)[9] = malloc((size_t)all * sizeof *facet);
    z->start = malloc((size_t)all * sizeof *z->start);
    int64_t count = 0, length;
    for (int k = 0; facet && z->start && k < m[2];
         k += k + stride < m[2] || k == m[2] - 1 ? stride : m[2] - 1 - k)
        for (int j = 0; j < m[1]; j += j + stride < m[1] || j == m[1] - 1 ? stride : m[1] - 1 - j)
            for (int i = 0; i < m[0];
                 i += i + stride < m[0] || i == m[0] - 1 ? stride : m[0] - 1 - i) {
                const int64_t at = number(m, i, j, k);
                for (int v = 0; v < 9; v++)
                    facet[count][v] = z->x[(v % 3) * all + at];
                z->start[count++] = at;
            }
    const struct an_wall_part part = {.nfacet = count,
                                      .facet = (const double(*)[9])facet,
                                      .nimage = 1,
                                      .image = &an_wall_identity};
    int32_t *order = malloc(((size_t)count + 1) * sizeof *order);
    int64_t *sorted = malloc(((size_t)count + 1) * sizeof *sorted);
    int status =
        facet && z->start && order && sorted
            ? an_wall_surface_tree(1, &part, &length, &z->tree, order)
            : an_error_set(AN_FAIL, "out of memory for a search in the mesh of a snapshot");
    for (int64_t f = 0; f < count && status == AN_OK; f++)
        sorted[f] = z->start[order[f]];
    free(z->start);
    z->start = sorted;
    free(order);
    free(facet);
    return status;
}

int an_donor_zone_new(const int n[3], const double *node, struct an_donor_zone *z)
{
    memset(z, 0, sizeof *z);
    for (int d = 0; d < 3; d++) {
        z->n[d] = n[d];
        z->m[d] = n[d] + 2;
        z->lo[d] = INFINITY;
        z->hi[d] = -INFINITY;
    }
    const int *m = z->m;
    const int64_t all = (int64_t)m[0] * m[1] * m[2];
    z->x = malloc((size_t)all * 3 * sizeof *z->x);
    AN_CHECK(z->x, AN_FAIL, "out of memory for the mesh of a snapshot");
    double *x[3] = {z->x, z->x + all, z->x + 2 * all};
    for (int k = 0; k < m[2]; k++)
        for (int j = 0; j < m[1]; j++)
            for (int i = 0; i < m[0]; i++)
                set_point(n, node, (const int[3]){i, j, k}, x, number(m, i, j, k));
    for (int c = 0; c < 3; c++)
        for (int64_t at = 0; at < all; at++) {
            z->lo[c] = fmin(z->lo[c], x[c][at]);
            z->hi[c] = fmax(z->hi[c], x[c][at]);
        }
    return make_starts(z);
}

void an_donor_zone_free(struct an_donor_zone *z)
{
    free(z->x);
    free(z->tree);
    free(z->start);
    memset(z, 0, sizeof *z);
}

double an_donor_least(const struct an_donor_zone *z, const double x[3])
{
    double square = 0;
    for (int c = 0; c < 3; c++) {
        const double d = fmax(fmax(z->lo[c] - x[c], x[c] - z->hi[c]), 0);
        square += d * d;
    }
    return sqrt(square);
}

/* The cell of points that holds the indices, and the place in it. */
static void split(const struct an_donor_zone *z, const double xi[3], int c[3], double t[3])
{
    for (int d = 0; d < 3; d++) {
        c[d] = (int)xi[d];
        if (c[d] > z->m[d] - 2)
            c[d] = z->m[d] - 2;
        t[d] = xi[d] - c[d];
    }
}

/* Position at the indices, and its derivatives along them: j[d][c]. */
static void position(const struct an_donor_zone *z, const double xi[3], double p[3], double j[3][3])
{
    const int64_t all = (int64_t)z->m[0] * z->m[1] * z->m[2];
    int c[3];
    double t[3];
    split(z, xi, c, t);
    memset(p, 0, 3 * sizeof *p);
    memset(j, 0, 9 * sizeof **j);
    for (int corner = 0; corner < 8; corner++) {
        const int b[3] = {corner & 1, corner >> 1 & 1, corner >> 2};
        const int64_t at = number(z->m, c[0] + b[0], c[1] + b[1], c[2] + b[2]);
        double w[3];
        for (int d = 0; d < 3; d++)
            w[d] = b[d] ? t[d] : 1 - t[d];
        for (int v = 0; v < 3; v++) {
            const double x = z->x[v * all + at];
            p[v] += w[0] * w[1] * w[2] * x;
            for (int d = 0; d < 3; d++)
                j[d][v] += (b[d] ? 1 : -1) * w[(d + 1) % 3] * w[(d + 2) % 3] * x;
        }
    }
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The step that brings the residual r nearest to zero along the directions that are free. */
static void step_of(double j[3][3], const double r[3], const int is_free[3], double step[3])
{
    double a[3][4], length[3]; /* normal equations of columns of length 1 */
    for (int d = 0; d < 3; d++)
        length[d] = sqrt(dot(j[d], j[d]));
    for (int d = 0; d < 3; d++) {
        const int out = !is_free[d] || !(length[d] > 0);
        for (int e = 0; e < 3; e++)
            a[d][e] = out || !is_free[e] || !(length[e] > 0)
                          ? d == e
                          : dot(j[d], j[e]) / (length[d] * length[e]);
        a[d][3] = out ? 0 : dot(j[d], r) / length[d];
    }
    for (int d = 0; d < 3; d++) /* positive definite but for directions that fall together */
        for (int e = d + 1; e < 3; e++) {
            const double f = a[e][d] / fmax(a[d][d], 1e-14);
            for (int q = d; q < 4; q++)
                a[e][q] -= f * a[d][q];
        }
    for (int d = 2; d >= 0; d--) {
        double v = a[d][3];
        for (int e = d + 1; e < 3; e++)
            v -= a[d][e] * step[e];
        step[d] = v / fmax(a[d][d], 1e-14);
    }
    for (int d = 0; d < 3; d++)
        step[d] = length[d] > 0 ? step[d] / length[d] : 0;
}

/* Steps from xi to the nearest place; returns the distance. */
static double walk(const struct an_donor_zone *z, const double x[3], double xi[3])
{
    double best = INFINITY, found[3] = {xi[0], xi[1], xi[2]};
    for (int n = 0; n < STEPS; n++) {
        double p[3], j[3][3], r[3], step[3], most = 0;
        int is_free[3];
        position(z, xi, p, j);
        for (int v = 0; v < 3; v++)
            r[v] = x[v] - p[v];
        const double distance = sqrt(dot(r, r));
        if (distance < best) {
            best = distance;
            memcpy(found, xi, sizeof found);
        }
        for (int d = 0; d < 3; d++) {
            const double along = dot(j[d], r);
            is_free[d] = !(xi[d] <= 0 && along < 0) && !(xi[d] >= z->m[d] - 1 && along > 0);
        }
        step_of(j, r, is_free, step);
        for (int d = 0; d < 3; d++)
            most = fmax(most, fabs(step[d]));
        const double part = (n < STEPS / 2 ? 1 : 0.5) * fmin(1, FARTHEST / fmax(most, DBL_MIN));
        for (int d = 0; d < 3; d++)
            xi[d] = fmin(fmax(xi[d] + part * step[d], 0), z->m[d] - 1);
        if (most < 1e-12)
            break;
    }
    memcpy(xi, found, sizeof found);
    return best;
}

double an_donor_find(const struct an_donor_zone *z, const double x[3], double xi[3])
{
    int64_t facet;
    an_wall_tree_nearest(z->tree, x[0], x[1], x[2], &facet);
    const int64_t at = facet < 0 ? 0 : z->start[facet];
    xi[0] = (double)(at % z->m[0]);
    xi[1] = (double)(at / z->m[0] % z->m[1]);
    xi[2] = (double)(at / z->m[0] / z->m[1]);
    return walk(z, x, xi);
}

void an_donor_weights(const struct an_donor_zone *z, const double xi[3], int64_t cell[8],
                      double weight[8])
{
    int c[3];
    double t[3];
    split(z, xi, c, t);
    for (int corner = 0; corner < 8; corner++) {
        int e[3];
        weight[corner] = 1;
        for (int d = 0; d < 3; d++) {
            const int b = corner >> d & 1, point = c[d] + b; /* point 0 stands beside cell 0 */
            weight[corner] *= b ? t[d] : 1 - t[d];
            e[d] = point < 1 ? 0 : point > z->n[d] ? z->n[d] - 1 : point - 1;
        }
        cell[corner] = number(z->n, e[0], e[1], e[2]);
    }
}
