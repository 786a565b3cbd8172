// One-dimensional spacings: geometric rows normal to the wall, and the nodes along the blade.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "mesh.h"

enum { M = 16384 }; // samples along the blade

static double geometric_sum(double first, double r, int n)
{
    const double u = log(r);
    return first * (fabs(u) < 1e-12 ? n : expm1(n * u) / expm1(u));
}

// Newton's iteration for log(sum) in u = log r, whose slope only varies between (n - 1) / 2 and n - 1.
static double ratio_near(double first, double total, int n)
{
    const double wanted = log(total / first);
    double u = 2 * (wanted - log(n)) / n;
    for (int it = 0; it < 8 && fabs(u) > 1e-6; it++) {
        const double a = expm1(n * u), b = expm1(u);
        const double off = log(a / b) - wanted, step = off / (n * (a + 1) / a - (b + 1) / b);
        u -= step;
        if (fabs(step) < 1e-9 * fabs(u)) // the next step would be of the order of rounding
            break;
    }
    return exp(u);
}

// Ratio r with first (1 + r + ... + r^(n-1)) = total, between 1e-3 and 1e3.
double geometric_ratio(double first, double total, int n)
{
    double lo = 1e-3, hi = 1e3;
    const double near = ratio_near(first, total, n), a = near * (1 - 1e-13), b = near * (1 + 1e-13);
    if (a > lo && b < hi && geometric_sum(first, a, n) < total &&
        geometric_sum(first, b, n) >= total) {
        lo = a;
        hi = b;
    }
    for (int it = 0; it < 60; it++) {
        const double r = sqrt(lo * hi);
        if (r == lo || r == hi)
            break;
        *(geometric_sum(first, r, n) < total ? &lo : &hi) = r;
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

// fmin without its rules for NaN: the compiler makes one instruction of it.
static inline double lower(double a, double b)
{
    return a < b ? a : b;
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
// the lines across the passage normal to the flow. pitch: ahead of the blade and behind it.
void place_corners(const struct profile *p, const double pitch[2], double shift, double corner[5])
{
    const double l = p->c.length, extra = 0.005 * l, limit = 0.06 * l;
    const double te = p->s_te + (p->s_te < p->s_le ? l : 0);
    const double upper = te - p->s_le, lower = l - upper;
    double fu = turned(p, p->s_le, 1, p->angle_le, limit) + extra,
           fd = turned(p, p->s_le, -1, p->angle_le, limit) + extra;
    double ru = turned(p, te, -1, p->angle_te, limit) + extra,
           rd = turned(p, te, 1, p->angle_te, limit) + extra;
    const double front = shift * pitch[0] * sin(p->angle_le),
                 rear = shift * pitch[1] * sin(p->angle_te);
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

enum { PART = 64 }; // samples that are looked at together

// Whether h rises by no more than g from each of the samples from .. from + PART - 1 to the next one; way -1: from
// each to the one before it.
static bool part_rises(const double *h, const double *ds, double g, int from, int way)
{
    int bad = 0;
    if (way > 0)
        for (int k = from; k < from + PART; k++)
            bad |= h[k + 1] > h[k] + g * ds[k];
    else
        for (int k = from; k < from + PART; k++)
            bad |= h[k] > h[k + 1] + g * ds[k];
    return !bad;
}

// Largest spacing function below h whose slope is at most g (periodic); ds[M]: of the samples.
static void limit_slope(double *h, const double *ds, double g)
{
    for (int from = 0; from < M - 1; from += PART) {
        const int end = from + PART < M ? from + PART : M - 1;
        if (end == from + PART && part_rises(h, ds, g, from, 1))
            continue;
        for (int k = from; k < end; k++)
            h[k + 1] = lower(h[k + 1], h[k] + g * ds[k]);
    }
    h[0] = lower(h[0], h[M - 1] + g * ds[M - 1]);
    for (int k = 0; k < M - 1; k++) { // on across the end, as far as that lowers anything
        const double most = h[k] + g * ds[k];
        if (h[k + 1] <= most)
            break;
        h[k + 1] = most;
    }
    h[M - 1] = lower(h[M - 1], h[0] + g * ds[M - 1]);
    for (int from = M - PART; from >= 0; from -= PART) {
        const int end = from + PART < M ? from + PART : M - 1;
        if (end == from + PART && part_rises(h, ds, g, from, -1))
            continue;
        for (int k = end - 1; k >= from; k--)
            h[k] = lower(h[k], h[k + 1] + g * ds[k]);
    }
    if (h[M - 1] <= h[0] + g * ds[M - 1])
        return;
    h[M - 1] = h[0] + g * ds[M - 1];
    for (int k = M - 2; k >= 0; k--) {
        const double most = h[k + 1] + g * ds[k];
        if (h[k] <= most)
            break;
        h[k] = most;
    }
}

// cells[k] = number of cells between sample 0 and k for the spacing h.
static void accumulate(const double *h, const double *ds, double *cells)
{
    cells[0] = 0;
    for (int from = 0; from < M; from += PART) {
        double one[PART + 1];
        for (int k = 0; k < PART; k++)
            one[k] = 1 / h[from + k];
        one[PART] = 1 / h[(from + PART) % M];
        for (int k = 0; k < PART; k++)
            one[k] = 0.5 * ds[from + k] * (one[k] + one[k + 1]);
        for (int k = 0; k < PART; k++)
            cells[from + k + 1] = cells[from + k] + one[k];
    }
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

// Samples of the wall that the spacing is worked out on. All lengths are over the wanted size of cells.
struct samples {
    double ds;                // of the wall between two samples, not over the size
    double *most, *h, *cells; // [M], [M], [M + 1]; most owns all four
    double *step;             // [M] ds over the size
    int *piece;               // [M] of which sample k is a part (owned)
};

static void samples_free(struct samples *a)
{
    free(a->most);
    free(a->piece);
}

static int samples_new(struct samples *a, const struct profile *p, const struct pieces *w)
{
    a->ds = p->c.length / M;
    a->most = malloc((4 * M + 1) * sizeof *a->most);
    a->piece = malloc(M * sizeof *a->piece);
    if (!a->most || !a->piece) {
        samples_free(a);
        return EXIT_FAILED;
    }
    a->h = a->most + M;
    a->step = a->most + 2 * M;
    a->cells = a->most + 3 * M;
    for (int k = 0; k < M; k++) {
        const double s = w->corner[0] + (k + 0.5) * a->ds;
        const double size = w->size ? w->size(w->of, s) : 1;
        a->most[k] = w->turn / fmax(fabs(curve_curvature(&p->c, s)), 1e-300) / size;
        if (w->most > 0 && s > w->fine[0] && s < w->fine[1])
            a->most[k] = lower(a->most[k], w->most / size);
        a->step[k] = a->ds / size;
        a->piece[k] = 0;
        for (int c = 1; c < w->n; c++)
            a->piece[k] += s > w->corner[c];
    }
    return EXIT_DONE;
}

// Spacing along the blade: at most h0, at most turn / curvature (a->most), slope limited; mult scales
// the pieces. Then counts the cells.
static void spacing(struct samples *a, const struct pieces *w, const double *mult)
{
    for (int k = 0; k < M; k++)
        a->h[k] = lower(w->h0, a->most[k]) * mult[a->piece[k]];
    limit_slope(a->h, a->step, w->slope);
    accumulate(a->h, a->step, a->cells);
}

// Cells between the ends of piece c.
static double cells_in(const struct samples *a, const struct pieces *w, int c)
{
    const double end = c == w->n - 1 ? M : (w->corner[c + 1] - w->corner[0]) / a->ds;
    return at(a->cells, end) - at(a->cells, (w->corner[c] - w->corner[0]) / a->ds);
}

static void share(struct samples *a, struct pieces *w, const struct profile *p)
{
    double mult[MAX_PIECES], lo = 1e-6 * p->c.length, hi = p->c.length;
    for (int c = 0; c < w->n; c++)
        mult[c] = 1;
    // the logarithm of the number of cells falls with that of h0; secant steps (Illinois), between the ends
    double f_lo = 0, f_hi = 0;
    for (int it = 0, side = 0; it < 60 && log(hi / lo) > 1e-13; it++) {
        const double x = log(lo), y = log(hi);
        w->h0 = exp(f_lo > 0 && f_hi < 0 ? (x * f_hi - y * f_lo) / (f_hi - f_lo) : 0.5 * (x + y));
        spacing(a, w, mult);
        const double f = log(a->cells[M] / w->around);
        if (fabs(f) < 1e-13)
            lo = hi = w->h0;
        if (f > 0) {
            lo = fmax(lo, w->h0), f_lo = f;
            f_hi *= side > 0 ? 0.5 : 1;
            side = 1;
        } else {
            hi = fmin(hi, w->h0), f_hi = f;
            f_lo *= side < 0 ? 0.5 : 1;
            side = -1;
        }
    }
    w->h0 = hi;
    spacing(a, w, mult);
    for (int c = 0; c < w->n; c++)
        w->part[c] = cells_in(a, w, c);
}

int pieces_share(struct pieces *w, const struct profile *p)
{
    struct samples a;
    if (samples_new(&a, p, w))
        return EXIT_FAILED;
    share(&a, w, p);
    samples_free(&a);
    return EXIT_DONE;
}

// The pieces' own scales leave small jumps at their ends: lets the spacing (not the nodes) of the n
// cells diffuse a little; h is scratch.
static void diffuse(double *s, int n, double length, double *h)
{
    for (int pass = 0; pass < 3; pass++) {
        double first = s[1] - s[0], last = s[n] - s[n - 1], before = last;
        double total = 0;
        for (int i = 0; i < n; i++) {
            const double here = s[i + 1] - s[i];
            const double next = i == n - 1 ? first : s[i + 2] - s[i + 1];
            h[i] = 0.25 * before + 0.5 * here + 0.25 * next;
            before = here;
            total += h[i];
        }
        for (int i = 0; i < n; i++)
            s[i + 1] = s[i] + h[i] * length / total;
    }
    s[n] = s[0] + length;
}

static void place(struct samples *a, const struct pieces *w, const struct profile *p, double *s)
{
    double mult[MAX_PIECES];
    for (int c = 0; c < w->n; c++)
        mult[c] = 1;
    spacing(a, w, mult);
    double off = 1;
    for (int it = 0; it < 60 && off > 1e-14; it++) {
        off = 0;
        for (int c = 0; c < w->n; c++) {
            const double have = cells_in(a, w, c) / w->want[c];
            off = fmax(off, fabs(have - 1));
            mult[c] *= pow(have, 0.7);
        }
        spacing(a, w, mult);
    }
    int n = 0;
    for (int c = 0; c < w->n; c++) {
        const double from = at(a->cells, (w->corner[c] - w->corner[0]) / a->ds),
                     part = cells_in(a, w, c);
        for (int k = 0; k <= w->want[c]; k++)
            s[n + k] = w->corner[0] + a->ds * inverse(a->cells, from + part * k / w->want[c]);
        n += w->want[c];
    }
    diffuse(s, n, p->c.length, a->h);
}

// Places all wanted cells.
static int pieces_place(const struct pieces *w, const struct profile *p, double *s)
{
    struct samples a;
    if (samples_new(&a, p, w))
        return EXIT_FAILED;
    place(&a, w, p, s);
    samples_free(&a);
    return EXIT_DONE;
}

int pieces_share_place(struct pieces *w, const struct profile *p, double *s)
{
    struct samples a;
    if (samples_new(&a, p, w))
        return EXIT_FAILED;
    share(&a, w, p);
    place(&a, w, p, s);
    samples_free(&a);
    return EXIT_DONE;
}

void wall_normals(const struct profile *p, const double *s, int n, struct vec2 *normal)
{
    for (int i = 0; i <= n; i++) {
        const struct vec2 t = curve_tangent(&p->c, s[i % n]);
        normal[i] = (struct vec2){-t.y, t.x};
    }
}

// Places the n_around + 1 wall nodes: the node at index 0 and at the pieces' ends lie on the
// corners.
int distribute_wall(struct mesh *m, const struct profile *p, const struct options *o)
{
    const int unit = 1 << o->levels;
    struct pieces w = {
        .n = 4, .around = o->around * o->size, .turn = o->turn / o->size, .slope = 0.13};
    place_corners(p, (double[2]){o->pitch, o->pitch}, o->shift, w.corner);
    if (pieces_share(&w, p))
        return EXIT_FAILED;
    m->n_front = round_to(w.part[0], unit);
    m->n_rear = round_to(w.part[2], unit);
    m->n_pass = round_to(0.5 * (w.part[1] + w.part[3]), unit);
    if (o->counts.pass > 0) {
        m->n_front = o->counts.front;
        m->n_rear = o->counts.rear;
        m->n_pass = o->counts.pass;
    }
    m->n_around = m->n_front + m->n_rear + 2 * m->n_pass;
    w.want[0] = m->n_front;
    w.want[1] = w.want[3] = m->n_pass;
    w.want[2] = m->n_rear;
    m->s = malloc(((size_t)m->n_around + 1) * sizeof *m->s);
    m->normal = malloc(((size_t)m->n_around + 1) * sizeof *m->normal);
    m->thick = malloc((size_t)m->n_around * sizeof *m->thick);
    if (!m->s || !m->normal || !m->thick || pieces_place(&w, p, m->s))
        return EXIT_FAILED;
    wall_normals(p, m->s, m->n_around, m->normal);
    return EXIT_DONE;
}
