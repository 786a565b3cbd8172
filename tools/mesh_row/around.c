// Numbers of cells, and the nodes along the blade.
#include "row.h"

#include <math.h>
#include <stdlib.h>

static int round_to(double v, int unit)
{
    const int k = (int)floor(v / unit + 0.5);
    return unit * (k < 1 ? 1 : k);
}

// The closed wall in six pieces: lower front corner of the ring, leading edge, upper front corner,
// upper rear corner, trailing edge, lower rear corner.
static struct pieces pieces_of(const struct row_input *in, const struct profile *p)
{
    struct pieces w = {.n = 6, .turn = in->turn, .slope = 0.13};
    double c[5];
    place_corners(p, 2 * M_PI / in->blades, in->shift, c);
    const double te = p->s_te + (p->s_te < p->s_le ? p->c.length : 0);
    const double end[7] = {c[0], p->s_le, c[1], c[2], te, c[3], c[4]};
    for (int k = 0; k < 7; k++)
        w.corner[k] = end[k];
    return w;
}

static int around(const struct counts *n)
{
    return 2 * (n->lead_down + n->lead_up + n->pass);
}

static double total(const struct counts *n)
{
    const double front = n->lead_down + n->lead_up, across = 2 * n->half + front;
    const double plane =
        around(n) * n->normal + 2.0 * n->pass * n->half + across * (n->in + n->out);
    const double inside = around(n) * n->ring + n->core * (around(n) / 2.0 - n->core);
    return plane * (n->span + n->gap) + inside * n->gap;
}

// Counts of a mesh of relative size s; every one a multiple of the unit, so that the ends of all
// interfaces survive the coarsening. The core of the gap begins core / 2 cells from the edges.
static struct counts scaled(const struct row_input *in, const double *part, double s)
{
    const bool fine = !in->wall_functions;
    const int unit = 1 << (in->levels - 1);
    struct counts n = {.half = round_to(8 * s, unit),
                       .in = round_to(24 * s, unit),
                       .out = round_to(40 * s, unit),
                       .normal = round_to((fine ? 32 : 20) * s, unit),
                       .span = round_to((fine ? 76 : 56) * s, unit)};
    n.core = round_to(8 * s, unit < 2 ? 2 : unit);
    if (in->gap > 0 || in->gap_fraction > 0) {
        n.gap = round_to((fine ? 26 : 12) * s, unit);
        n.ring = round_to((fine ? 13.6 : 8) * s, unit);
    }
    const int down = round_to(s * part[0] - n.core / 2.0, unit) + n.core / 2;
    const int front = round_to(s * (part[0] + part[1]), unit);
    n.lead_down = down < n.core / 2 ? n.core / 2 : down;
    n.lead_up = front - n.lead_down;
    while (n.lead_up < n.core / 2)
        n.lead_up += unit;
    n.pass = round_to(s * part[2], unit);
    return n;
}

int counts_choose(struct row *r)
{
    // mid-span section, before there are layers
    struct layer l;
    struct profile p;
    for (int i = 0; i < SAMPLES_U; i++)
        l.v[i] = 0.5;
    layer_finish(&l, &r->meridian);
    AN_TRY(blade_profile(&r->blade, &l, &p));
    struct pieces w = pieces_of(&r->in, &p);
    w.around = r->in.wall_functions ? 160 : 176;
    const int failed = pieces_share(&w, &p);
    // the lines far from the blade follow the flow up to 30 degrees; more would only skew them
    const double limit = M_PI / 6, in = fmax(-limit, fmin(limit, p.angle_le)),
                 out = fmax(-limit, fmin(limit, p.angle_te));
    r->y_in = p.le.y - tan(in) * p.le.x;
    r->y_out = p.te.y + tan(out) * (l.m[SAMPLES_U - 1] - p.te.x);
    profile_free(&p);
    AN_CHECK(!failed, AN_FAIL, "out of memory");
    // front and rear, upper and lower side alike
    const double part[3] = {0.5 * (w.part[0] + w.part[3]), 0.5 * (w.part[1] + w.part[4]),
                            0.5 * (w.part[2] + w.part[5])};
    double best = HUGE_VAL;
    for (double s = 0.2; s < 5; s *= 1.002) {
        const struct counts n = scaled(&r->in, part, s);
        const double off = fabs(log(total(&n) / r->in.cells));
        if (off < best - 1e-12) {
            best = off;
            r->n = n;
        }
    }
    AN_CHECK(best < 0.3, AN_INPUT,
             "no mesh of about %g cells with %d multigrid levels: the nearest has %.0f",
             r->in.cells, r->in.levels, total(&r->n));
    return AN_OK;
}

// Both sides get the same fractions of their lengths, so that nodes face each other across the
// blade (the gap's core needs that): the mean of what each side would like.
int around_place(const struct row *r, const struct profile *p, double *s)
{
    const int n = around(&r->n), half = n / 2;
    const double l = p->c.length, upper = p->s_te - p->s_le, lower = l - upper;
    // in a larger mesh a cell turns less; in a small one a nose keeps its nine cells
    struct pieces w = {.n = 2,
                       .corner = {p->s_le, p->s_te, p->s_le + l},
                       .around = n,
                       .turn = fmin(r->in.turn * 176.0 / n, M_PI / 9),
                       .slope = 0.13 * fmax(1, 140.0 / n),
                       .want = {half, half}};
    AN_CHECK(!pieces_share(&w, p) && !pieces_place(&w, p, s), AN_FAIL, "out of memory");
    double *f = malloc(((size_t)half + 1) * sizeof *f);
    AN_CHECK(f, AN_FAIL, "out of memory");
    for (int c = 0; c <= half; c++)
        f[c] = 0.5 * ((s[c] - s[0]) / (s[half] - s[0]) + (s[n] - s[n - c]) / (s[n] - s[half]));
    for (int i = 0; i <= n; i++) {
        const int c = i - r->n.lead_down;
        if (c < 0)
            s[i] = p->s_le - f[-c] * lower;
        else if (c <= half)
            s[i] = p->s_le + f[c] * upper;
        else
            s[i] = p->s_le + l - f[n - c] * lower;
    }
    free(f);
    return AN_OK;
}
