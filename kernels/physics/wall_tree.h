/* Distance from a point to the nearest facet of a surface: facets (triangles) in a tree of boxes,
 * in one array of doubles that the host builds (solver/flow/wall_surface.h) and any engine
 * searches.
 *
 *   tree[0]        number of instances, n; 0: no surface
 *   tree[1..3]     where instances, nodes and facets begin in the array
 *   instances      n x 32: R (9, row by row) and t (3), the box of all (15), the reference of the
 *                  tree's root (1)
 *   nodes          x 32: boxes of two children (2 x 15) and their references (2)
 *   facets         x 9: corner a, edges b - a and c - a
 *   a box          centre o (3), three unit vectors normal to each other (9), half lengths h (3)
 *
 * Boxes lie along the facets in them: on a smooth surface they are thin, and far fewer are met than
 * of boxes along x, y, z (Gottschalk et al. 1996, "OBBTree").
 *
 * A reference r >= 0 is node r; r < 0 is the leaf of m + 1 facets from f on, -1 - r = 4 f + m. All
 * integers are stored exactly, as doubles. No leaf is deeper than AN_WALL_DEPTH nodes.
 *
 * A periodic image of a surface costs no facets of its own: it is another instance of the same
 * tree, and the point is taken to R x + t instead.
 *
 * Point physics: values in, values out, in double whatever the precision of the run.
 */
#ifndef AN_WALL_TREE_H
#define AN_WALL_TREE_H

#include "kernels/base/portable.h"

#include <math.h>

enum {
    AN_WALL_HEAD = 4,
    AN_WALL_BOX = 15,
    AN_WALL_INSTANCE = 32,
    AN_WALL_NODE = 32,
    AN_WALL_FACET = 9,
    AN_WALL_LEAF = 4,  /* most facets of a leaf */
    AN_WALL_DEPTH = 48 /* most nodes above a leaf */
};

#define AN_WALL_NONE 1e30 /* m: the distance where there is no surface; fits single precision */

AN_INLINE double an_wall_dot(double ax, double ay, double az, double bx, double by, double bz)
{
    return ax * bx + ay * by + az * bz;
}

/* Squared distance to a box, 0 inside; a little less, so that rounding hides no facet. */
AN_INLINE double an_wall_box(const double *b, double x, double y, double z)
{
    const double px = x - b[0], py = y - b[1], pz = z - b[2];
    double d0 = fabs(an_wall_dot(b[3], b[4], b[5], px, py, pz)) - b[12];
    double d1 = fabs(an_wall_dot(b[6], b[7], b[8], px, py, pz)) - b[13];
    double d2 = fabs(an_wall_dot(b[9], b[10], b[11], px, py, pz)) - b[14];
    d0 = d0 > 0 ? d0 : 0;
    d1 = d1 > 0 ? d1 : 0;
    d2 = d2 > 0 ? d2 : 0;
    return (1 - 1e-13) * an_wall_dot(d0, d1, d2, d0, d1, d2);
}

/* r = d - s e, the vector to d from its nearest point of the segment from 0 to e, which may be a point; its square. */
AN_INLINE double an_wall_from_segment(double dx, double dy, double dz, double ex, double ey,
                                      double ez, double r[3])
{
    const double de = an_wall_dot(dx, dy, dz, ex, ey, ez);
    const double ee = an_wall_dot(ex, ey, ez, ex, ey, ez);
    double s = de / ee; /* NaN where e = 0: then 0 */
    s = s > 0 ? s : 0;
    s = s < 1 ? s : 1;
    r[0] = dx - s * ex;
    r[1] = dy - s * ey;
    r[2] = dz - s * ez;
    return an_wall_dot(r[0], r[1], r[2], r[0], r[1], r[2]);
}

/* Squared distance of d to that segment. */
AN_INLINE double an_wall_segment(double dx, double dy, double dz, double ex, double ey, double ez)
{
    double r[3];
    return an_wall_from_segment(dx, dy, dz, ex, ey, ez, r);
}

/* Does the foot of the perpendicular from d onto the plane of edges b and c lie within their facet? n: b x c; nn: its
 * square. */
AN_INLINE int an_wall_over(const double b[3], const double c[3], double dx, double dy, double dz,
                           double n[3], double *nn)
{
    const double bx = b[0], by = b[1], bz = b[2], cx = c[0], cy = c[1], cz = c[2];
    const double nx = by * cz - bz * cy, ny = bz * cx - bx * cz, nz = bx * cy - by * cx;
    const double square = an_wall_dot(nx, ny, nz, nx, ny, nz);
    /* barycentric coordinates of b and c, times n n */
    const double v =
        an_wall_dot(dy * cz - dz * cy, dz * cx - dx * cz, dx * cy - dy * cx, nx, ny, nz);
    const double w =
        an_wall_dot(by * dz - bz * dy, bz * dx - bx * dz, bx * dy - by * dx, nx, ny, nz);
    const double bb = an_wall_dot(bx, by, bz, bx, by, bz);
    const double cc = an_wall_dot(cx, cy, cz, cx, cy, cz);
    n[0] = nx;
    n[1] = ny;
    n[2] = nz;
    *nn = square;
    return v >= 0 && w >= 0 && v + w <= square && square > 1e-26 * bb * cc;
}

/* Squared distance to a facet: along the normal where the foot of the perpendicular lies inside,
 * else to the nearest edge. A facet whose corners are in line has no inside: edges alone. Error:
 * rounding of the facet's size, over the sine of the angle at a. */
AN_INLINE double an_wall_facet(const double *f, double x, double y, double z)
{
    const double dx = x - f[0], dy = y - f[1], dz = z - f[2];
    const double bx = f[3], by = f[4], bz = f[5], cx = f[6], cy = f[7], cz = f[8];
    double n[3], nn;
    if (an_wall_over(f + 3, f + 6, dx, dy, dz, n, &nn)) {
        /* from the line a b: on a sliver n is not quite normal to b */
        const double bb = an_wall_dot(bx, by, bz, bx, by, bz);
        const double s = an_wall_dot(dx, dy, dz, bx, by, bz) / bb;
        const double h = an_wall_dot(dx - s * bx, dy - s * by, dz - s * bz, n[0], n[1], n[2]);
        return h * h / nn;
    }
    const double s0 = an_wall_segment(dx, dy, dz, bx, by, bz);
    const double s1 = an_wall_segment(dx, dy, dz, cx, cy, cz);
    const double s2 = an_wall_segment(dx - bx, dy - by, dz - bz, cx - bx, cy - by, cz - bz);
    const double s = s0 < s1 ? s0 : s1;
    return s < s2 ? s : s2;
}

/* The lesser of `best` and the squared distance to the surface below the reference `root`; where it
 * is the distance, *which is the facet's number. The nearest child comes first, and what is
 * farther than the best so far is left out. */
AN_INLINE double an_wall_search(const double *node, const double *facet, int64_t root, double x,
                                double y, double z, double best, int64_t *which)
{
    int32_t stack[AN_WALL_DEPTH];
    double distance[AN_WALL_DEPTH];
    int depth = 0;
    int64_t at = root;
    for (;;) {
        int down = 0;
        if (at >= 0) {
            const double *const n = node + at * AN_WALL_NODE;
            const double d0 = an_wall_box(n, x, y, z), d1 = an_wall_box(n + AN_WALL_BOX, x, y, z);
            const int near1 = d1 < d0;
            const double nearest = near1 ? d1 : d0, other = near1 ? d0 : d1;
            if (other < best) {
                stack[depth] = (int32_t)n[near1 ? 30 : 31];
                distance[depth++] = other;
            }
            down = nearest < best;
            at = (int64_t)n[near1 ? 31 : 30];
        } else {
            const int64_t code = -1 - at;
            const double *f = facet + (code >> 2) * AN_WALL_FACET;
            for (int64_t m = code & 3; m >= 0; m--, f += AN_WALL_FACET) {
                const double d = an_wall_facet(f, x, y, z);
                *which = d < best ? (f - facet) / AN_WALL_FACET : *which;
                best = d < best ? d : best;
            }
        }
        while (!down) {
            if (depth == 0)
                return best;
            depth--;
            at = stack[depth];
            down = distance[depth] < best;
        }
    }
}

/* Distance of (x, y, z) to the surface, m. *nearest: number of the nearest facet in the tree, *instance: of the
 * instance that it belongs to; -1 where there is no surface. */
AN_INLINE double an_wall_tree_instance(const double *tree, double x, double y, double z,
                                       int64_t *nearest, int64_t *instance)
{
    *nearest = *instance = -1;
    if (!(tree[0] > 0))
        return AN_WALL_NONE;
    const int ninstance = (int)tree[0];
    const double *const node = tree + (int64_t)tree[2], *const facet = tree + (int64_t)tree[3];
    double best = AN_WALL_NONE * AN_WALL_NONE;
    for (int m = 0; m < ninstance; m++) {
        const double *const g = tree + (int64_t)tree[1] + m * AN_WALL_INSTANCE;
        const double gx = an_wall_dot(g[0], g[1], g[2], x, y, z) + g[9];
        const double gy = an_wall_dot(g[3], g[4], g[5], x, y, z) + g[10];
        const double gz = an_wall_dot(g[6], g[7], g[8], x, y, z) + g[11];
        const double before = best;
        if (an_wall_box(g + 12, gx, gy, gz) < best)
            best = an_wall_search(node, facet, (int64_t)g[27], gx, gy, gz, best, nearest);
        *instance = best < before ? m : *instance;
    }
    return sqrt(best);
}

/* The same without the instance. */
AN_INLINE double an_wall_tree_nearest(const double *tree, double x, double y, double z,
                                      int64_t *nearest)
{
    int64_t instance;
    return an_wall_tree_instance(tree, x, y, z, nearest, &instance);
}

/* Distance of (x, y, z) to the surface, m. */
AN_INLINE double an_wall_tree_distance(const double *tree, double x, double y, double z)
{
    int64_t nearest;
    return an_wall_tree_nearest(tree, x, y, z, &nearest);
}

/* The vector to (x, y, z) from its nearest point of a facet, as an_wall_facet finds that point. */
AN_INLINE void an_wall_from_facet(const double *f, double x, double y, double z, double r[3])
{
    const double dx = x - f[0], dy = y - f[1], dz = z - f[2];
    const double bx = f[3], by = f[4], bz = f[5], cx = f[6], cy = f[7], cz = f[8];
    double n[3], nn;
    if (an_wall_over(f + 3, f + 6, dx, dy, dz, n, &nn)) {
        const double h = an_wall_dot(dx, dy, dz, n[0], n[1], n[2]) / nn;
        for (int c = 0; c < 3; c++)
            r[c] = h * n[c];
        return;
    }
    double other[3];
    double least = an_wall_from_segment(dx, dy, dz, bx, by, bz, r);
    for (int edge = 0; edge < 2; edge++) {
        const double square =
            edge ? an_wall_from_segment(dx - bx, dy - by, dz - bz, cx - bx, cy - by, cz - bz, other)
                 : an_wall_from_segment(dx, dy, dz, cx, cy, cz, other);
        const int nearer = square < least;
        least = nearer ? square : least;
        for (int c = 0; c < 3; c++)
            r[c] = nearer ? other[c] : r[c];
    }
}

/* n: unit vector to (x, y, z) from its nearest point of the surface, the gradient of the distance; zero where
 * there is no surface, and on the surface. */
AN_INLINE void an_wall_tree_normal(const double *tree, double x, double y, double z, double n[3])
{
    int64_t nearest, instance;
    n[0] = n[1] = n[2] = 0;
    an_wall_tree_instance(tree, x, y, z, &nearest, &instance);
    if (nearest < 0)
        return;
    const double *const g = tree + (int64_t)tree[1] + instance * AN_WALL_INSTANCE;
    double r[3];
    an_wall_from_facet(tree + (int64_t)tree[3] + nearest * AN_WALL_FACET,
                       an_wall_dot(g[0], g[1], g[2], x, y, z) + g[9],
                       an_wall_dot(g[3], g[4], g[5], x, y, z) + g[10],
                       an_wall_dot(g[6], g[7], g[8], x, y, z) + g[11], r);
    const double size = sqrt(an_wall_dot(r[0], r[1], r[2], r[0], r[1], r[2]));
    for (int c = 0; c < 3 && size > 0; c++) /* R is a rotation: back by its transpose */
        n[c] = (g[c] * r[0] + g[3 + c] * r[1] + g[6 + c] * r[2]) / size;
}

#endif
