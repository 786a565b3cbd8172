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
#include <string.h>

#include "mesh.h"

// The cells round a node are worked on four at a time, each corner of theirs as one vector. Sums over corners are taken in
// one order, cell by cell: vectors of any width give the same bits.
enum { LANES = 4 };
typedef double lanes __attribute__((vector_size(LANES * sizeof(double))));
#define INLINE static inline __attribute__((always_inline))

struct vec2_lanes {
    lanes x, y;
};

// Up to four cells round a node; lanes without a cell repeat the first one.
struct quad {
    int n, a[LANES], d[LANES], b[LANES];    // nodes as in struct corner
    double sa[LANES], sd[LANES], sb[LANES]; // what their y gains
    double i_oa[LANES], i_ad[LANES], i_db[LANES], i_bo[LANES], weight[LANES];
};

struct quads {
    int *start; // [nodes + 1] first one of a node (owned)
    struct quad *q;
};

// Value, gradient and (symmetric) second derivative of the functional with respect to one node's
// position.
struct energy {
    double e, gx, gy, hxx, hxy, hyy, j_min;
};

// The same of one corner of each of four cells.
struct energy_lanes {
    double e[LANES], gx[LANES], gy[LANES], hxx[LANES], hxy[LANES], hyy[LANES], j[LANES];
};

INLINE lanes load(const double *p)
{
    lanes v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store(double *p, lanes v)
{
    memcpy(p, &v, sizeof v);
}

INLINE lanes root(lanes v)
{
    return (lanes){sqrt(v[0]), sqrt(v[1]), sqrt(v[2]), sqrt(v[3])};
}

INLINE struct vec2_lanes at(const struct graph *g, const int id[LANES], const double up[LANES])
{
    const struct vec2 *x = g->x;
    const lanes y = {x[id[0]].y, x[id[1]].y, x[id[2]].y, x[id[3]].y};
    return (struct vec2_lanes){{x[id[0]].x, x[id[1]].x, x[id[2]].x, x[id[3]].x}, y + load(up)};
}

// s (a - b)
INLINE struct vec2_lanes edge(lanes s, struct vec2_lanes a, struct vec2_lanes b)
{
    return (struct vec2_lanes){s * (a.x - b.x), s * (a.y - b.y)};
}

// Corners whose u, v have the derivatives du and dv (scalars: d u / d x = du * identity); has_u, has_v: not zero.
INLINE void corners(struct energy_lanes *s, struct vec2_lanes u, struct vec2_lanes v, lanes du,
                    lanes dv, bool has_u, bool has_v, lanes weight, double eps2, bool steep)
{
    const lanes f = 0.5 * ((u.x * u.x + u.y * u.y) + (v.x * v.x + v.y * v.y)),
                j = u.x * v.y - u.y * v.x, r = root(j * j + eps2), c = 0.5 * (j + r);
    const lanes ir = 1 / r, g = 1 / c, g1 = -g * ir, g2 = (1 + j * ir) * g * ir * ir;
    const lanes fx = has_u && has_v ? u.x * du + v.x * dv
                     : has_u        ? u.x * du
                                    : v.x * dv,
                fy = has_u && has_v ? u.y * du + v.y * dv
                     : has_u        ? u.y * du
                                    : v.y * dv,
                f2 = has_u && has_v ? du * du + dv * dv
                     : has_u        ? du * du
                                    : dv * dv;
    const lanes jx = has_u && has_v ? du * v.y - dv * u.y
                     : has_u        ? du * v.y
                                    : -(dv * u.y),
                jy = has_u && has_v ? dv * u.x - du * v.x
                     : has_u        ? -(du * v.x)
                                    : dv * u.x;
    // e = f g with its derivatives; the functional takes the third power
    const lanes e = f * g, ex = fx * g + f * g1 * jx, ey = fy * g + f * g1 * jy;
    const lanes exx = f2 * g + 2 * fx * jx * g1 + f * g2 * jx * jx,
                eyy = f2 * g + 2 * fy * jy * g1 + f * g2 * jy * jy;
    const lanes exy = (fx * jy + fy * jx) * g1 + f * g2 * jx * jy;
    const lanes e3 = e * e * e, w1 = steep ? 9 * weight * e3 * e3 * e * e : 3 * weight * e * e,
                w2 = steep ? 72 * weight * e3 * e3 * e : 6 * weight * e;
    store(s->e, steep ? weight * e3 * e3 * e3 : weight * e * e * e);
    store(s->gx, w1 * ex);
    store(s->gy, w1 * ey);
    store(s->hxx, w1 * exx + w2 * ex * ex);
    store(s->hxy, w1 * exy + w2 * ex * ey);
    store(s->hyy, w1 * eyy + w2 * ey * ey);
    store(s->j, j);
}

// The edges of four cells round a node at o: those of each cell's three corners that move with the node.
struct around {
    struct vec2_lanes u[3], v[3];
    lanes ia, ib, weight;
};

INLINE struct around around_of(const struct graph *g, const struct quad *q, struct vec2_lanes o)
{
    const struct vec2_lanes a = at(g, q->a, q->sa), b = at(g, q->b, q->sb), d = at(g, q->d, q->sd);
    const lanes ia = load(q->i_oa), ib = load(q->i_bo), iad = load(q->i_ad), idb = load(q->i_db);
    return (struct around){.u = {edge(ia, a, o), edge(iad, d, a), edge(ib, o, b)},
                           .v = {edge(ib, b, o), edge(ia, o, a), edge(idb, d, b)},
                           .ia = ia,
                           .ib = ib,
                           .weight = load(q->weight)};
}

INLINE struct energy node_energy(const struct graph *g, const struct quads *all, int k,
                                 struct vec2 at_o, double eps2, bool steep)
{
    struct energy s = {.j_min = 1e300};
    const lanes zero = {0, 0, 0, 0};
    const struct vec2_lanes o = {at_o.x + zero, at_o.y + zero};
    for (int l = all->start[k]; l < all->start[k + 1]; l++) {
        const struct quad *q = &all->q[l];
        const struct around r = around_of(g, q, o);
        struct energy_lanes part[3];
        corners(&part[0], r.u[0], r.v[0], -r.ia, -r.ib, true, true, r.weight, eps2, steep);
        corners(&part[1], r.u[1], r.v[1], zero, r.ia, false, true, r.weight, eps2, steep);
        corners(&part[2], r.u[2], r.v[2], r.ib, zero, true, false, r.weight, eps2, steep);
        for (int n = 0; n < q->n; n++)
            for (int c = 0; c < 3; c++) {
                s.e += part[c].e[n];
                s.gx += part[c].gx[n];
                s.gy += part[c].gy[n];
                s.hxx += part[c].hxx[n];
                s.hxy += part[c].hxy[n];
                s.hyy += part[c].hyy[n];
                s.j_min = part[c].j[n] < s.j_min ? part[c].j[n] : s.j_min;
            }
    }
    return s;
}

// The corners' shares of the functional alone, to the last bit those of `corners`.
INLINE lanes corner_values(struct vec2_lanes u, struct vec2_lanes v, lanes weight, double eps2,
                           bool steep)
{
    const lanes f = 0.5 * ((u.x * u.x + u.y * u.y) + (v.x * v.x + v.y * v.y)),
                j = u.x * v.y - u.y * v.x, r = root(j * j + eps2), c = 0.5 * (j + r);
    const lanes e = f * (1 / c), e3 = e * e * e;
    return steep ? weight * e3 * e3 * e3 : weight * e * e * e;
}

// The functional round node k at position o, without derivatives: a trial step needs no more.
INLINE double node_value(const struct graph *g, const struct quads *all, int k, struct vec2 at_o,
                         double eps2, bool steep)
{
    double e = 0;
    const lanes zero = {0, 0, 0, 0};
    const struct vec2_lanes o = {at_o.x + zero, at_o.y + zero};
    for (int l = all->start[k]; l < all->start[k + 1]; l++) {
        const struct quad *q = &all->q[l];
        const struct around r = around_of(g, q, o);
        lanes part[3];
        for (int c = 0; c < 3; c++)
            part[c] = corner_values(r.u[c], r.v[c], r.weight, eps2, steep);
        for (int n = 0; n < q->n; n++)
            for (int c = 0; c < 3; c++)
                e += part[c][n];
    }
    return e;
}

// One guarded Newton step; returns the smallest J round the node before it.
INLINE double relax(struct graph *g, const struct quads *all, int k, double eps2, bool steep)
{
    const struct energy s = node_energy(g, all, k, g->x[k], eps2, steep);
    // shift the second derivative to be safely positive
    const double mean = 0.5 * (s.hxx + s.hyy), diff = 0.5 * (s.hxx - s.hyy),
                 dev = sqrt(diff * diff + s.hxy * s.hxy);
    const double lift = fmax(0, 0.1 * (fabs(mean) + dev) - (mean - dev));
    const double hxx = s.hxx + lift, hyy = s.hyy + lift, det = hxx * hyy - s.hxy * s.hxy;
    struct vec2 step = {-(hyy * s.gx - s.hxy * s.gy) / det, -(hxx * s.gy - s.hxy * s.gx) / det};
    const double slope = step.x * s.gx + step.y * s.gy;
    for (int cut = 0; cut < 8; cut++) {
        const struct vec2 x = add(g->x[k], step);
        if (node_value(g, all, k, x, eps2, steep) <= s.e + 1e-4 * slope) {
            g->x[k] = x;
            break;
        }
        step = scale(0.4, step);
    }
    return s.j_min;
}

// All nodes once, backwards if `back`; returns the smallest J before it.
INLINE double sweep(struct graph *g, const struct quads *all, double eps2, bool back, bool steep)
{
    double j_min = 1e300;
    for (int k = 0; k < g->n; k++) {
        const int v = back ? g->n - 1 - k : k;
        if (!g->fixed[v])
            j_min = fmin(j_min, relax(g, all, v, eps2, steep));
    }
    return j_min;
}

static double sweep_any(struct graph *g, const struct quads *all, double eps2, bool back,
                        bool steep)
{
    return steep ? sweep(g, all, eps2, back, true) : sweep(g, all, eps2, back, false);
}

#if defined __x86_64__
__attribute__((target("avx2"))) static double sweep_avx2(struct graph *g, const struct quads *all,
                                                         double eps2, bool back, bool steep)
{
    return steep ? sweep(g, all, eps2, back, true) : sweep(g, all, eps2, back, false);
}
#endif

static double sweep_best(struct graph *g, const struct quads *all, double eps2, bool back,
                         bool steep)
{
#if defined __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return sweep_avx2(g, all, eps2, back, steep);
#endif
    return sweep_any(g, all, eps2, back, steep);
}

static void quads_free(struct quads *all)
{
    free(all->start);
    free(all->q);
}

static int quads_new(struct quads *all, const struct graph *g, double pitch)
{
    all->start = malloc(((size_t)g->n + 1) * sizeof *all->start);
    all->q = malloc(((size_t)g->start[g->n] / LANES + (size_t)g->n + 1) * sizeof *all->q);
    if (!all->start || !all->q) {
        quads_free(all);
        return EXIT_FAILED;
    }
    int n = 0;
    for (int k = 0; k < g->n; k++) {
        all->start[k] = n;
        for (int first = g->start[k]; first < g->start[k + 1]; first += LANES, n++) {
            struct quad *q = &all->q[n];
            const int left = g->start[k + 1] - first;
            q->n = left < LANES ? left : LANES;
            for (int l = 0; l < LANES; l++) {
                const struct corner *c = &g->corner[first + (l < q->n ? l : 0)];
                q->a[l] = c->a;
                q->d[l] = c->d;
                q->b[l] = c->b;
                q->sa[l] = c->sa * pitch;
                q->sd[l] = c->sd * pitch;
                q->sb[l] = c->sb * pitch;
                q->i_oa[l] = c->i_oa;
                q->i_ad[l] = c->i_ad;
                q->i_db[l] = c->i_db;
                q->i_bo[l] = c->i_bo;
                q->weight[l] = c->weight;
            }
        }
    }
    all->start[g->n] = n;
    return EXIT_DONE;
}

static struct vec2 place(const struct graph *g, int id, int shift, double pitch)
{
    return (struct vec2){g->x[id].x, g->x[id].y + shift * pitch};
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

void graph_fix(struct graph *g, const struct mesh *m)
{
    for (const struct patch *a = m->patch; a < m->patch + m->npatch; a++) {
        int p[2], step[2], n;
        const int k = a->z;
        face_line(&m->z[k], a->face, p, step, &n);
        for (int l = a->from; l <= (a->to ? a->to : n); l++)
            g->fixed[g->node[g->offset[k] + (p[1] + l * step[1]) * m->z[k].ni + p[0] +
                             l * step[0]]] = true;
    }
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
    struct quads all;
    if (graph_new(&g, m))
        return EXIT_FAILED;
    if (quads_new(&all, &g, m->pitch)) {
        graph_free(&g);
        return EXIT_FAILED;
    }
    graph_fix(&g, m);
    double eps = m->barrier ? 1e-6 : 1;
    for (int it = 0; it < sweeps; it++) {
        const double j_min = sweep_best(&g, &all, eps * eps, it % 2, m->steep);
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
    quads_free(&all);
    graph_free(&g);
    return EXIT_DONE;
}
