// Elliptic smoothing in variational form: the nodes minimise the discrete inverse harmonic
// (Winslow) functional
//
//   sum over cells, corners   ((|u|^2 + |v|^2) / (2 u x v))^3,   u = a / La,  v = b / Lb,
//
// a, b: the corner's two edges, La, Lb: their wanted lengths (only ratios matter). A corner's term
// is 1 when the edges are orthogonal and have the wanted ratio, and grows without bound as the cell
// folds; the third power, where Winslow has the first, spreads what angle the irregular nodes cost
// over more cells; the ninth (m->steep) gives more weight still to the worst cells. Wanted lengths do the work of the control functions of Thomas and Middlecoff.
// Interfaces, periodic lines and the irregular nodes at the ring's corners are nodes as any other
// (graph.c). To unfold a first mesh, u x v = J is replaced by (J + sqrt(J^2 + eps^2)) / 2 with eps
// -> 0. Nodes move one by one (Gauss-Seidel) by a guarded Newton step. Nodes of patches
// stay; those on i faces, the inlet and outlet planes, are evenly spaced and slide along the plane.
// Sources: Brackbill and Saltzman, J. Comput. Phys. 46 (1982) 342 (functional); Garanzha, Comput.
// Math. Math. Phys. 40 (2000) 1617 (regularisation).
#include <math.h>
#include <stdlib.h>

#include "mesh.h"

// Value, gradient and (symmetric) second derivative of the functional with respect to one node's
// position.
struct energy {
    double e, gx, gy, hxx, hxy, hyy, j_min;
};

// Adds a corner whose u, v have the derivatives du and dv (scalars: d u / d x = du * identity).
static void add_corner(struct energy *s, struct vec2 u, struct vec2 v, double du, double dv,
                       double weight, double eps2, bool steep)
{
    const double f = 0.5 * (dot(u, u) + dot(v, v)), j = cross(u, v), r = sqrt(j * j + eps2),
                 c = 0.5 * (j + r);
    const double ir = 1 / r, g = 1 / c, g1 = -g * ir, g2 = (1 + j * ir) * g * ir * ir;
    const double fx = u.x * du + v.x * dv, fy = u.y * du + v.y * dv, f2 = du * du + dv * dv;
    const double jx = du * v.y - dv * u.y, jy = dv * u.x - du * v.x;
    // e = f g with its derivatives; the functional takes the third power
    const double e = f * g, ex = fx * g + f * g1 * jx, ey = fy * g + f * g1 * jy;
    const double exx = f2 * g + 2 * fx * jx * g1 + f * g2 * jx * jx,
                 eyy = f2 * g + 2 * fy * jy * g1 + f * g2 * jy * jy;
    const double exy = (fx * jy + fy * jx) * g1 + f * g2 * jx * jy;
    const double e3 = e * e * e, w1 = steep ? 9 * weight * e3 * e3 * e * e : 3 * weight * e * e,
                 w2 = steep ? 72 * weight * e3 * e3 * e : 6 * weight * e;
    s->e += steep ? weight * e3 * e3 * e3 : weight * e * e * e;
    s->gx += w1 * ex;
    s->gy += w1 * ey;
    s->hxx += w1 * exx + w2 * ex * ex;
    s->hxy += w1 * exy + w2 * ex * ey;
    s->hyy += w1 * eyy + w2 * ey * ey;
    s->j_min = fmin(s->j_min, j);
}

static struct vec2 place(const struct graph *g, int id, int shift, double pitch)
{
    return (struct vec2){g->x[id].x, g->x[id].y + shift * pitch};
}

static struct energy node_energy(const struct graph *g, int k, struct vec2 o, double pitch,
                                 double eps2, bool steep)
{
    struct energy s = {.j_min = 1e300};
    for (int l = g->start[k]; l < g->start[k + 1]; l++) {
        const struct corner *q = &g->corner[l];
        const struct vec2 a = place(g, q->a, q->sa, pitch), b = place(g, q->b, q->sb, pitch);
        const struct vec2 d = place(g, q->d, q->sd, pitch);
        const double ia = q->i_oa, ib = q->i_bo, iad = q->i_ad, idb = q->i_db;
        add_corner(&s, scale(ia, sub(a, o)), scale(ib, sub(b, o)), -ia, -ib, q->weight, eps2,
                   steep);
        add_corner(&s, scale(iad, sub(d, a)), scale(ia, sub(o, a)), 0, ia, q->weight, eps2, steep);
        add_corner(&s, scale(ib, sub(o, b)), scale(idb, sub(d, b)), ib, 0, q->weight, eps2, steep);
    }
    return s;
}

// A corner's share of the functional alone, to the last bit that of add_corner.
static double corner_energy(struct vec2 u, struct vec2 v, double weight, double eps2, bool steep)
{
    const double f = 0.5 * (dot(u, u) + dot(v, v)), j = cross(u, v), r = sqrt(j * j + eps2),
                 c = 0.5 * (j + r);
    const double e = f * (1 / c), e3 = e * e * e;
    return steep ? weight * e3 * e3 * e3 : weight * e * e * e;
}

// The functional round node k at position o, without derivatives: a trial step needs no more.
static double node_value(const struct graph *g, int k, struct vec2 o, double pitch, double eps2,
                         bool steep)
{
    double e = 0;
    for (int l = g->start[k]; l < g->start[k + 1]; l++) {
        const struct corner *q = &g->corner[l];
        const struct vec2 a = place(g, q->a, q->sa, pitch), b = place(g, q->b, q->sb, pitch);
        const struct vec2 d = place(g, q->d, q->sd, pitch);
        const double ia = q->i_oa, ib = q->i_bo, iad = q->i_ad, idb = q->i_db;
        e += corner_energy(scale(ia, sub(a, o)), scale(ib, sub(b, o)), q->weight, eps2, steep);
        e += corner_energy(scale(iad, sub(d, a)), scale(ia, sub(o, a)), q->weight, eps2, steep);
        e += corner_energy(scale(ib, sub(o, b)), scale(idb, sub(d, b)), q->weight, eps2, steep);
    }
    return e;
}

// One guarded Newton step; returns the smallest J round the node before it.
static double relax(struct graph *g, int k, double pitch, double eps2, bool steep)
{
    const struct energy s = node_energy(g, k, g->x[k], pitch, eps2, steep);
    // shift the second derivative to be safely positive
    const double mean = 0.5 * (s.hxx + s.hyy), diff = 0.5 * (s.hxx - s.hyy),
                 dev = sqrt(diff * diff + s.hxy * s.hxy);
    const double lift = fmax(0, 0.1 * (fabs(mean) + dev) - (mean - dev));
    const double hxx = s.hxx + lift, hyy = s.hyy + lift, det = hxx * hyy - s.hxy * s.hxy;
    struct vec2 step = {-(hyy * s.gx - s.hxy * s.gy) / det, -(hxx * s.gy - s.hxy * s.gx) / det};
    const double slope = step.x * s.gx + step.y * s.gy;
    for (int cut = 0; cut < 8; cut++) {
        const struct vec2 x = add(g->x[k], step);
        if (node_value(g, k, x, pitch, eps2, steep) <= s.e + 1e-4 * slope) {
            g->x[k] = x;
            break;
        }
        step = scale(0.4, step);
    }
    return s.j_min;
}

// The ends of a zone's face: first node and step from it to the next one.
static void face_line(const struct zone *z, int face, int p[2], int step[2], int *n)
{
    const bool along_j = face == FACE_IMIN || face == FACE_IMAX;
    p[0] = face == FACE_IMAX ? z->ni - 1 : 0;
    p[1] = face == FACE_JMAX ? z->nj - 1 : 0;
    step[0] = !along_j;
    step[1] = along_j;
    *n = along_j ? z->nj - 1 : z->ni - 1;
}

static void fix_face(struct graph *g, const struct mesh *m, int k, int face)
{
    int p[2], step[2], n;
    face_line(&m->z[k], face, p, step, &n);
    for (int l = 0; l <= n; l++)
        g->fixed[g->node[g->offset[k] + (p[1] + l * step[1]) * m->z[k].ni + p[0] + l * step[0]]] =
            true;
}

// Evenly spaced nodes on the inlet or the outlet plane of all sectors, at the mean height that gives its
// lines the wanted slope.
static void slide_plane(struct graph *g, const struct mesh *m, int face, double slope)
{
    double y0 = 0;
    int n = 0;
    for (int l = 0; l < m->npatch; l++)
        n += m->patch[l].face == face ? m->z[m->patch[l].z].nj - 1 : 0;
    for (int back = 0; back < 2; back++)
        for (int l = 0, at = 0; l < m->npatch; l++) {
            const int k = m->patch[l].z;
            const struct zone *z = &m->z[k];
            const int i = face == FACE_IMIN ? 0 : z->ni - 1,
                      next = face == FACE_IMIN ? 1 : z->ni - 2;
            for (int j = 0; m->patch[l].face == face && j < z->nj - 1; j++, at++) {
                const int a = g->offset[k] + j * z->ni + i, b = g->offset[k] + j * z->ni + next;
                const struct vec2 p = place(g, g->node[a], g->shift[a], m->pitch);
                const struct vec2 q = place(g, g->node[b], g->shift[b], m->pitch);
                if (back)
                    g->x[g->node[a]].y = y0 + m->pitch * at / n - g->shift[a] * m->pitch;
                else
                    y0 += (q.y + slope * (p.x - q.x) - m->pitch * at / n) / n;
            }
        }
}

int elliptic_smooth(struct mesh *m, int sweeps)
{
    struct graph g;
    if (graph_new(&g, m))
        return EXIT_FAILED;
    for (int l = 0; l < m->npatch; l++)
        fix_face(&g, m, m->patch[l].z, m->patch[l].face);
    double eps = m->barrier ? 1e-6 : 1;
    for (int it = 0; it < sweeps; it++) {
        double j_min = 1e300;
        for (int k = 0; k < g.n; k++) {
            const int v = it % 2 ? g.n - 1 - k : k;
            if (!g.fixed[v])
                j_min = fmin(j_min, relax(&g, v, m->pitch, eps * eps, m->steep));
        }
        eps = j_min > 0 ? 0.5 * eps : fmin(eps, fmax(0.7 * eps, 0.3 * -j_min));
        if (!m->hold) {
            slide_plane(&g, m, FACE_IMIN, m->shear_in);
            slide_plane(&g, m, FACE_IMAX, m->shear_out);
        }
    }
    for (int k = 0; k < m->nz; k++)
        for (int l = 0; l < m->z[k].ni * m->z[k].nj; l++) {
            const int v = g.offset[k] + l;
            m->z[k].x[l] = place(&g, g.node[v], g.shift[v], m->pitch);
        }
    graph_free(&g);
    return EXIT_DONE;
}
