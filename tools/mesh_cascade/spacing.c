// One-dimensional spacings: geometric rows normal to the wall, and the nodes along the blade.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mesh.h"

enum { M = 16384 }; // samples along the blade

// Ratio r with first (1 + r + ... + r^(n-1)) = total.
double geometric_ratio(double first, double total, int n)
{
    double lo = 1e-3, hi = 1e3;
    for (int it = 0; it < 60; it++) {
        const double r = sqrt(lo * hi), u = log(r);
        const double sum = fabs(u) < 1e-12 ? n : expm1(n * u) / expm1(u);
        if (first * sum < total)
            lo = r;
        else
            hi = r;
    }
    return sqrt(lo * hi);
}

// t[0..n] = 0 ... 1, first interval first / total, constant ratio.
void geometric_fractions(double first, double total, int n, double *t)
{
    const double u = log(geometric_ratio(first, total, n));
    const double den = fabs(u) < 1e-10 ? n : expm1(n * u);
    for (int j = 0; j <= n; j++)
        t[j] = (fabs(u) < 1e-10 ? j : expm1(j * u)) / den;
    t[0] = 0;
    t[n] = 1;
    if (n > 1)
        t[1] = first / total;
}

static int round_to(double v, int unit)
{
    const int k = (int)floor(v / unit + 0.5);
    return unit * (k < 1 ? 1 : k);
}

// Distance along the blade from s (direction sign) to where the surface has turned to within 45
// degrees of the camber line.
static double turned(const struct profile *p, double s, double sign, double angle, double limit)
{
    const struct vec2 d = {cos(angle), sin(angle)};
    for (double a = 0; a < limit; a += limit / 1000)
        if (fabs(dot(curve_tangent(&p->c, s + sign * a), d)) > M_SQRT1_2)
            return a;
    return limit;
}

// The ring's corners seen on the blade, as parameters that increase clockwise from the lower front
// one: corner[0] lower front, [1] upper front, [2] upper rear, [3] lower rear, [4] = corner[0] +
// length. Where the flow is inclined, the front (rear) face takes over a part of that side of the
// blade which has no neighbour across the passage: the full shift, pitch |sin angle|, would make
// the lines across the passage normal to the flow.
static void place_corners(const struct profile *p, const struct options *o, double shift,
                          double corner[5])
{
    const double l = p->c.length, extra = 0.005 * l, limit = 0.06 * l;
    const double te = p->s_te + (p->s_te < p->s_le ? l : 0);
    const double upper = te - p->s_le, lower = l - upper;
    double fu = turned(p, p->s_le, 1, p->angle_le, limit) + extra,
           fd = turned(p, p->s_le, -1, p->angle_le, limit) + extra;
    double ru = turned(p, te, -1, p->angle_te, limit) + extra,
           rd = turned(p, te, 1, p->angle_te, limit) + extra;
    const double front = shift * o->pitch * sin(p->angle_le),
                 rear = shift * o->pitch * sin(p->angle_te);
    *(front > 0 ? &fu : &fd) += fabs(front);
    *(rear > 0 ? &rd : &ru) += fabs(rear);
    const double cut_up = fmin(1, 0.75 * upper / (fu + ru)),
                 cut_down = fmin(1, 0.75 * lower / (fd + rd));
    corner[0] = p->s_le - cut_down * fd;
    corner[1] = p->s_le + cut_up * fu;
    corner[2] = te - cut_up * ru;
    corner[3] = te + cut_down * rd;
    corner[4] = corner[0] + l;
}

// Largest spacing function below h whose slope is at most g (periodic).
static void limit_slope(double *h, double ds, double g)
{
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < M; k++)
            h[(k + 1) % M] = fmin(h[(k + 1) % M], h[k] + g * ds);
    for (int pass = 0; pass < 2; pass++)
        for (int k = M - 1; k >= 0; k--)
            h[k] = fmin(h[k], h[(k + 1) % M] + g * ds);
}

// cells[k] = number of cells between sample 0 and k for the spacing h.
static void accumulate(const double *h, double ds, double *cells)
{
    cells[0] = 0;
    for (int k = 0; k < M; k++)
        cells[k + 1] = cells[k] + 0.5 * ds * (1 / h[k] + 1 / h[(k + 1) % M]);
}

static double at(const double *cells, double t)
{
    const int k = (int)fmin(fmax(floor(t), 0), M - 1);
    return cells[k] + (t - k) * (cells[k + 1] - cells[k]);
}

static double inverse(const double *cells, double v)
{
    int lo = 0, hi = M;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        if (cells[mid] <= v)
            lo = mid;
        else
            hi = mid;
    }
    return lo + (v - cells[lo]) / (cells[lo + 1] - cells[lo]);
}

// Spacing along the blade: at most h0, at most turn / curvature, slope at most g; mult scales the
// four segments.
static void spacing(const double *kappa, const double *seg_mult, const int *seg, double h0,
                    double turn, double ds, double g, double *h)
{
    for (int k = 0; k < M; k++)
        h[k] = fmin(h0, turn / fmax(fabs(kappa[k]), 1e-300)) * seg_mult[seg[k]];
    limit_slope(h, ds, g);
}

// Places the n_around + 1 wall nodes: the node at index 0 and at the segments' ends lie on the
// corners.
int distribute_wall(struct mesh *m, const struct profile *p, const struct options *o)
{
    const int unit = 1 << o->levels;
    double corner[5], t_corner[5], *w = malloc((4 * M + 1) * sizeof *w);
    int *seg = malloc(M * sizeof *seg);
    if (!w || !seg) {
        free(w);
        free(seg);
        return EXIT_FAILED;
    }
    place_corners(p, o, o->shift, corner);
    const double ds = p->c.length / M, around = o->around * o->size;
    const double turn = o->turn / o->size, g = 0.13;
    double *kappa = w, *h = w + M, *cells = w + 2 * M;
    for (int k = 0; k < M; k++) {
        kappa[k] = curve_curvature(&p->c, corner[0] + (k + 0.5) * ds);
        seg[k] = 0;
        for (int c = 1; c < 4; c++)
            seg[k] += corner[0] + (k + 0.5) * ds > corner[c];
    }
    for (int c = 0; c < 5; c++)
        t_corner[c] = c == 4 ? M : (corner[c] - corner[0]) / ds;
    double mult[4] = {1, 1, 1, 1}, lo = 1e-6 * p->c.length, hi = p->c.length;
    for (int it = 0; it < 60; it++) {
        const double h0 = sqrt(lo * hi);
        spacing(kappa, mult, seg, h0, turn, ds, g, h);
        accumulate(h, ds, cells);
        *(cells[M] > around ? &lo : &hi) = h0;
    }
    double part[4];
    for (int c = 0; c < 4; c++)
        part[c] = at(cells, t_corner[c + 1]) - at(cells, t_corner[c]);
    m->n_front = round_to(part[0], unit);
    m->n_rear = round_to(part[2], unit);
    m->n_pass = round_to(0.5 * (part[1] + part[3]), unit);
    m->n_around = m->n_front + m->n_rear + 2 * m->n_pass;
    const int want[4] = {m->n_front, m->n_pass, m->n_rear, m->n_pass};
    for (int it = 0; it < 60; it++) {
        for (int c = 0; c < 4; c++)
            mult[c] *= pow((at(cells, t_corner[c + 1]) - at(cells, t_corner[c])) / want[c], 0.7);
        spacing(kappa, mult, seg, hi, turn, ds, g, h);
        accumulate(h, ds, cells);
    }
    m->s = malloc(((size_t)m->n_around + 1) * sizeof *m->s);
    m->normal = malloc(((size_t)m->n_around + 1) * sizeof *m->normal);
    m->thick = malloc((size_t)m->n_around * sizeof *m->thick);
    if (!m->s || !m->normal || !m->thick) {
        free(w);
        free(seg);
        return EXIT_FAILED;
    }
    for (int c = 0, i = 0; c < 4; c++) {
        const double a = at(cells, t_corner[c]), b = at(cells, t_corner[c + 1]);
        for (int k = 0; k <= want[c]; k++)
            m->s[i + k] = corner[0] + ds * inverse(cells, a + (b - a) * k / want[c]);
        i += want[c];
    }
    // the segments' own scales leave small jumps at the corners: let the spacing (not the nodes)
    // diffuse a little
    const int n = m->n_around;
    for (int pass = 0; pass < 3; pass++) {
        double first = m->s[1] - m->s[0], last = m->s[n] - m->s[n - 1], before = last;
        double total = 0;
        for (int i = 0; i < n; i++) {
            const double here = m->s[i + 1] - m->s[i];
            const double next = i == n - 1 ? first : m->s[i + 2] - m->s[i + 1];
            h[i] = 0.25 * before + 0.5 * here + 0.25 * next;
            before = here;
            total += h[i];
        }
        for (int i = 0; i < n; i++)
            m->s[i + 1] = m->s[i] + h[i] * p->c.length / total;
    }
    m->s[n] = m->s[0] + p->c.length;
    for (int i = 0; i <= n; i++) {
        const struct vec2 t = curve_tangent(&p->c, m->s[i % n]);
        m->normal[i] = (struct vec2){-t.y, t.x};
    }
    free(w);
    free(seg);
    return EXIT_DONE;
}
