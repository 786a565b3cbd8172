// The nodes along the blade.
#include "row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int round_to(double v, int unit)
{
    const int k = (int)floor(v / unit + 0.5);
    return unit * (k < 1 ? 1 : k);
}

// Relative size of the cells at s of the wall, for cells of one size in u: dm'/du over the cosine of the
// angle between wall and meridional plane, at the noses as at 73 degrees.
static double even_in_u(const void *of, double s)
{
    const struct wall *w = of;
    const double m = curve_point(&w->p->c, s).x;
    int lo = 0, hi = SAMPLES_U - 1;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(w->l->m[mid] <= m ? &lo : &hi) = mid;
    }
    const double dm = (w->l->m[hi] - w->l->m[lo]) * (SAMPLES_U - 1) / w->l->m[SAMPLES_U - 1];
    return dm / fmax(0.3, fabs(curve_tangent(&w->p->c, s).x));
}

// Where a duct turns, m' does not run like u: at the hub of an impeller most of m' belongs to the first
// part of u. Cells even in m' would let the lines along the span lean.
static void choose_size(struct pieces *w, const struct row *r, const struct wall *wall)
{
    if (r->meridian.axial)
        return;
    w->size = even_in_u;
    w->of = wall;
}

// Between main blades and splitters the passages are narrow, and lines across them that are normal to the
// flow join nodes at about equal distances from the leading edges: the ring's corners move away from the
// edges on both sides alike, in place of one side only.
static void widen(const struct profile *p, double pitch, double shift, double corner[5])
{
    const double front = 0.5 * shift * pitch * fabs(sin(p->angle_le)),
                 rear = 0.5 * shift * pitch * fabs(sin(p->angle_te));
    corner[0] -= front;
    corner[1] += front;
    corner[2] -= rear;
    corner[3] += rear;
    corner[4] = corner[0] + p->c.length;
}

// The base of a cut-off edge gets as many cells as a round edge that turns by 180 degrees.
static void fine_base(struct pieces *w, const struct profile *p)
{
    if (!edge_cut(p))
        return;
    w->fine[0] = p->s_corner[0];
    w->fine[1] = p->s_corner[1];
    w->most = edge_width(p) * w->turn / M_PI;
}

// The closed wall in six pieces: lower front corner of the ring, leading edge, upper front corner,
// upper rear corner, trailing edge, lower rear corner.
struct pieces around_pieces(const struct row *r, const struct wall *wall, double shift)
{
    const struct profile *p = wall->p;
    struct pieces w = {.n = 6, .turn = r->in.turn, .slope = 0.13};
    double c[5];
    choose_size(&w, r, wall);
    const double pitch = 2 * M_PI / r->in.blades;
    place_corners(p, (double[2]){pitch, pitch}, r->set > 1 ? 0 : shift, c);
    if (r->set > 1)
        widen(p, pitch / r->set, shift, c);
    const double te = p->s_te + (p->s_te < p->s_le ? p->c.length : 0);
    const double end[7] = {c[0], p->s_le, c[1], c[2], te, c[3], c[4]};
    for (int k = 0; k < 7; k++)
        w.corner[k] = end[k];
    fine_base(&w, p);
    return w;
}

int counts_around(const struct counts *n)
{
    return n->lead_down + n->lead_up + n->trail_up + n->trail_down + 2 * n->pass;
}

// Cells between the edges and the corners of the ring. The core of the gap begins core / 2 cells from the
// edges.
void around_ends(struct counts *n, const double part[2], double s, int unit)
{
    const int down = round_to(s * part[0] - n->core / 2.0, unit) + n->core / 2;
    const int front = round_to(s * (part[0] + part[1]), unit);
    n->lead_down = down < n->core / 2 ? n->core / 2 : down;
    n->lead_up = front - n->lead_down;
    while (n->lead_up < n->core / 2 || n->lead_up <= n->base)
        n->lead_up += unit;
    while (n->lead_down <= n->base && n->base)
        n->lead_down += unit;
    n->trail_up = n->lead_down;
    n->trail_down = n->lead_up;
}

// Shares of the way from the leading edge to the trailing edge, or to the corner of a cut-off one, that the
// nodes of one side take: c cells of the upper side from s[0] on, of the lower side back from s[n].
// corner: cells from there to the trailing edge's middle.
static double share(const double *s, int n, int up, int corner, int c, bool upper)
{
    return upper ? (s[c] - s[0]) / (s[up - corner] - s[0])
                 : (s[n] - s[n - c]) / (s[n] - s[up + corner]);
}

// Wall nodes at the shares f of the upper side and `back` of the lower side; on a base evenly.
static void put_nodes(const struct counts *q, const struct profile *p, const double *f,
                      const double *back, double *s)
{
    const int n = counts_around(q), up = q->lead_up + q->pass + q->trail_up, base = q->base;
    const double l = p->c.length, to_up = (base ? p->s_corner[0] : p->s_te) - p->s_le,
                 to_low = l - ((base ? p->s_corner[1] : p->s_te) - p->s_le);
    for (int i = 0; i <= n; i++) {
        const int c = i - q->lead_down;
        if (c < 0)
            s[i] = p->s_le - back[-c] * to_low;
        else if (c <= up - base)
            s[i] = p->s_le + f[c] * to_up;
        else if (base && c <= up)
            s[i] = p->s_te - (p->s_te - p->s_corner[0]) * (up - c) / base;
        else if (base && c < up + base)
            s[i] = p->s_te + (p->s_corner[1] - p->s_te) * (c - up) / base;
        else
            s[i] = p->s_le + l - back[n - c] * to_low;
    }
}

// With equal counts both sides get the same fractions of their lengths, the mean of what each side
// would like, so that nodes face each other across the blade (the gap's core needs that).
int around_place(const struct row *r, const struct counts *q, const struct wall *wall, double *s)
{
    const struct profile *p = wall->p;
    const int n = counts_around(q), up = q->lead_up + q->pass + q->trail_up, down = n - up,
              base = q->base;
    const double l = p->c.length;
    // in a larger mesh a cell turns less; in a small one a nose keeps its nine cells
    struct pieces w = {.n = 2,
                       .corner = {p->s_le, p->s_te, p->s_le + l},
                       .around = n,
                       .turn = fmin(r->in.turn * 176.0 / n, M_PI / 9),
                       .slope = 0.13 * fmax(1, 140.0 / n),
                       .want = {up, down}};
    if (base) {
        const double corner[5] = {p->s_le, p->s_corner[0], p->s_te, p->s_corner[1], p->s_le + l};
        const int want[4] = {up - base, base, base, down - base};
        w.n = 4;
        memcpy(w.corner, corner, sizeof corner);
        memcpy(w.want, want, sizeof want);
        fine_base(&w, p);
    }
    choose_size(&w, r, wall);
    AN_CHECK(!pieces_share_place(&w, p, s), AN_FAIL, "out of memory");
    double *f = malloc(((size_t)n + 2) * sizeof *f), *back = f + up + 1;
    AN_CHECK(f, AN_FAIL, "out of memory");
    for (int c = 0; c <= up; c++)
        f[c] = up == down ? 0.5 * (share(s, n, up, base, c, true) + share(s, n, up, base, c, false))
                          : share(s, n, up, base, c, true);
    for (int c = 0; c <= down; c++)
        back[c] = up == down ? f[c] : share(s, n, up, base, c, false);
    put_nodes(q, p, f, back, s);
    free(f);
    return AN_OK;
}

// One side of the wall from edge to edge: lengths over the wanted sizes, from 0 to 1.
enum { STEPS = 1500 };
static void measure_side(const struct wall *wall, bool lower, double t[STEPS + 1])
{
    const struct profile *p = wall->p;
    const double from = lower ? p->s_te : 0,
                 step = ((lower ? p->c.length : p->s_te) - from) / STEPS;
    t[0] = 0;
    if (edge_cut(p)) { // side and base each for itself, so that the corner stays
        const int base = (int)(BASE_SIGMA * STEPS + 0.5), corner = lower ? base : STEPS - base;
        for (int k = 0; k < STEPS; k++) {
            const double at = edge_place(p, lower + (k + 0.5) / STEPS);
            t[k + 1] = t[k] + 1 / even_in_u(wall, at);
        }
        const double there = t[corner], all = t[STEPS];
        for (int k = 0; k <= STEPS; k++)
            t[k] = k <= corner ? t[k] / there * corner / STEPS
                               : 1 - (all - t[k]) / (all - there) * (STEPS - corner) / STEPS;
        return;
    }
    for (int k = 0; k < STEPS; k++)
        t[k + 1] = t[k] + 1 / even_in_u(wall, from + (k + 0.5) * step);
    for (int k = 0; k <= STEPS; k++)
        t[k] /= t[STEPS];
}

// a[STEPS + 1] rises from 0 to 1 with k / STEPS: its value at x, or where it is x.
static double interpolate(const double *a, double x, bool inverse)
{
    if (!inverse) {
        const int k = (int)fmin(fmax(x * STEPS, 0), STEPS - 1);
        return a[k] + (x * STEPS - k) * (a[k + 1] - a[k]);
    }
    int lo = 0, hi = STEPS;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(a[mid] <= x ? &lo : &hi) = mid;
    }
    return (lo + (x - a[lo]) / (a[hi] - a[lo])) / STEPS;
}

// Where a duct turns, all keys get the mean of the places that their nodes would like, measured along u:
// else the lines along the span lean where the keys' noses differ.
static int agree(struct row *r, int b)
{
    const int n = counts_around(&r->n[b]);
    double *mean = calloc((size_t)n + 1, sizeof *mean);
    AN_CHECK(mean, AN_FAIL, "out of memory");
    int rc = AN_OK;
    for (int back = 0; back < 2; back++)
        for (int k = 0; k < r->nkey && !rc; k++) {
            struct layer l;
            struct profile p;
            double t[2][STEPS + 1], *sigma = r->key[k].sigma[b];
            span_layer_at(r, r->key[k].w, &l);
            rc = blade_profile(&r->blade[b], &l, &p);
            if (rc)
                break;
            for (int side = 0; side < 2; side++)
                measure_side(&(struct wall){b, &p, &l}, side, t[side]);
            for (int i = 0; i <= n; i++) {
                const double x = back ? mean[i] : sigma[i], side = floor(x);
                const double at = side + interpolate(t[fmod(side, 2) != 0], x - side, back);
                *(back ? &sigma[i] : &mean[i]) += back ? at - sigma[i] : at / r->nkey;
            }
            profile_free(&p);
        }
    free(mean);
    return rc;
}

// The polynomial along the span comes near to the keys' nodes but need not meet them. Where the noses of two keys differ
// much, it may put nodes in the wrong order. Returns the largest share of the keys' differences from their mean with which
// the cells of all layers have at least a quarter of the least length that they have at a key.
static double ordered_part(const struct row *r, int b, const double *mean)
{
    const int n = counts_around(&r->n[b]);
    const double share = 0.25;
    double part = 1;
    for (int q = 0; q < r->nlayer; q++) {
        double weight[MAX_KEYS];
        mix_polynomial(r, r->w[q], SIGMA_DEGREE, weight);
        for (int i = 0; i < n; i++) {
            double length = 0, least = HUGE_VAL;
            for (int k = 0; k < r->nkey; k++) {
                const double *sigma = r->key[k].sigma[b], d = sigma[i + 1] - sigma[i];
                length += weight[k] * d;
                least = fmin(least, d);
            }
            const double usual = mean[i + 1] - mean[i];
            if (length < share * least)
                part = fmin(part, (usual - share * least) / (usual - length));
        }
    }
    return part;
}

// Lets the keys' nodes come so near to their mean that those of all layers are in order.
static int keep_order(struct row *r, int b)
{
    const int n = counts_around(&r->n[b]);
    double *mean = calloc((size_t)n + 1, sizeof *mean);
    AN_CHECK(mean, AN_FAIL, "out of memory");
    for (int k = 0; k < r->nkey; k++)
        for (int i = 0; i <= n; i++)
            mean[i] += r->key[k].sigma[b][i] / r->nkey;
    const double part = ordered_part(r, b, mean);
    for (int k = 0; k < r->nkey && part < 1; k++)
        for (int i = 0; i <= n; i++)
            r->key[k].sigma[b][i] = mean[i] + part * (r->key[k].sigma[b][i] - mean[i]);
    free(mean);
    return AN_OK;
}

int around_agree(struct row *r)
{
    for (int b = 0; b < r->set; b++) {
        if (!r->meridian.axial)
            AN_TRY(agree(r, b));
        AN_TRY(keep_order(r, b));
    }
    return AN_OK;
}
