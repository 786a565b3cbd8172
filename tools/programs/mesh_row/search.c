// Search of the counts between the corners of the blade's ring.
//
// The ring's four corners are the irregular nodes of the mesh: five cells meet there, and where they lie
// on the blade decides the smallest angle. A set of counts is judged by the smallest angle of quick
// meshes (plane_try) at five heights from hub to casing, less a little of what it is short of the mean.
// The search begins with the corners of place_corners for five shifts and moves one corner by one unit
// while that helps. It depends on nothing but the input, so it gives the same counts every time.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { HEIGHTS = 5, MOST = 30, MOST_SPLIT = 20 }; // sets that are tried, with splitters
static const double ENOUGH = 36 * M_PI / 180, GAIN = 0.3 * M_PI / 180;

struct search {
    const struct row *r;
    struct choice best, seen[MOST];
    double score; // of the best, rad
    int tried, most;
    struct choice *list; // [CHOICES] the best ones, the very best first
    double scores[CHOICES];
    int listed;
};

// Puts a set of counts into its place in the list.
static void note(struct search *s, const struct choice *n, double score)
{
    int k = s->listed < CHOICES ? s->listed++ : CHOICES;
    for (; k > 0 && s->scores[k - 1] < score; k--)
        if (k < CHOICES) {
            s->scores[k] = s->scores[k - 1];
            s->list[k] = s->list[k - 1];
        }
    if (k < CHOICES) {
        s->scores[k] = score;
        s->list[k] = *n;
    }
}

static bool blade_allowed(const struct counts *n, int unit)
{
    const int least = counts_in_gaps(n) ? n->core / 2 : 2;
    const int edge[4] = {n->lead_down, n->lead_up, n->trail_up, n->trail_down};
    for (int k = 0; k < 4; k++)
        if (edge[k] < least)
            return false;
    if (n->base && (n->trail_up <= n->base || n->trail_down <= n->base))
        return false;
    // in the gap the core's columns join nodes that face each other, the core has a multiple of the unit
    // of columns, and the ring begins on a unit
    if (counts_in_gaps(n) &&
        (n->lead_up + n->trail_up != n->lead_down + n->trail_down ||
         (n->lead_up + n->trail_up) % unit != 0 || (n->lead_down - n->core / 2) % unit != 0))
        return false;
    return n->pass >= unit && (n->lead_down + n->lead_up) % unit == 0 &&
           (n->trail_up + n->trail_down) % unit == 0;
}

static bool allowed(const struct row *r, const struct choice *c)
{
    for (int b = 0; b < r->set; b++)
        if (!blade_allowed(&c->n[b], 1 << (r->in.levels - 1)))
            return false;
    return splitters_fit(r, c->n) &&
           counts_total(c->n, r->set) < 1.12 * counts_total(r->n, r->set) &&
           counts_total(c->n, r->set) > 0.88 * counts_total(r->n, r->set);
}

// The ends first: the worst angle is mostly there, and a worse candidate is left at once.
static const int order[HEIGHTS] = {0, 4, 2, 1, 3};

struct trial {
    const struct search *s;
    const struct choice *n;
    int from;
    double angle[HEIGHTS];
};

static int try_height(void *of, int k)
{
    struct trial *t = of;
    const struct row *r = t->s->r;
    const int h = t->from + k;
    return plane_try(r, t->n->n, order[h] * (r->nkey - 1) / (HEIGHTS - 1), &t->angle[h]);
}

static int judge(struct search *s, const struct choice *n)
{
    if (s->tried >= s->most || !allowed(s->r, n))
        return AN_OK;
    for (int k = 0; k < s->tried; k++)
        if (memcmp(&s->seen[k], n, sizeof *n) == 0)
            return AN_OK;
    s->seen[s->tried++] = *n;
    double least = M_PI, mean = 0;
    struct trial t = {.s = s, .n = n};
    for (int size; t.from < HEIGHTS; t.from += size) {
        size = side_room() < HEIGHTS - t.from ? side_room() : HEIGHTS - t.from;
        AN_TRY(side_by_side(size, try_height, &t));
        for (int h = t.from; h < t.from + size; h++) {
            least = fmin(least, t.angle[h]);
            mean += t.angle[h] / HEIGHTS;
        }
        if (least + 0.1 * M_PI / 3 < s->score)
            return AN_OK;
    }
    const double score = least + 0.1 * mean;
    note(s, n, score);
    if (score > s->score + (s->tried > 1 ? GAIN : 0)) {
        s->score = score;
        s->best = *n;
    }
    return AN_OK;
}

static int nearest(double v, int unit)
{
    const int k = (int)floor(v / unit + 0.5);
    return unit * (k < 1 ? 1 : k);
}

// Counts with the corners of place_corners for this shift, at the span's middle.
static struct counts shifted(const struct row *r, const struct pieces *w)
{
    struct counts n = r->n[0];
    const int unit = 1 << (r->in.levels - 1), around = counts_around(&n);
    double all = 0, p[6];
    for (int k = 0; k < 6; k++) {
        p[k] = w->part[k];
        all += p[k] / around;
    }
    const int front = nearest((p[0] + p[1]) / all, unit), rear = nearest((p[3] + p[4]) / all, unit);
    n.pass = nearest(0.5 * (around - front - rear), unit);
    if (counts_in_gaps(&n)) {
        // lower front and upper rear get the same share of their ends, for equal sides
        const double low = 0.5 * (p[0] / (p[0] + p[1]) + p[3] / (p[3] + p[4]));
        n.lead_down = nearest(low * front - n.core / 2.0, unit) + n.core / 2;
        n.lead_up = front - n.lead_down;
        n.trail_up = (front + rear) / 2 - n.lead_up;
        n.trail_down = rear - n.trail_up;
    } else {
        n.lead_down = nearest(front * p[0] / (p[0] + p[1]), 1);
        n.lead_up = front - n.lead_down;
        n.trail_up = nearest(rear * p[3] / (p[3] + p[4]), 1);
        n.trail_down = rear - n.trail_up;
    }
    return n;
}

static int judge_shifts(struct search *s)
{
    struct layer l;
    struct profile p;
    const struct row *r = s->r;
    layer_even(&l, &r->meridian, 0.5);
    AN_TRY(blade_profile(r->blade, &l, &p));
    int rc = AN_OK;
    for (int k = 0; k <= 4 && !rc; k++) {
        struct pieces w = around_pieces(r, &(struct wall){0, &p, &l}, 0.25 * k);
        struct splitter_part part[MAX_SET];
        struct choice c = {{{0}}};
        w.around = counts_around(r->n);
        rc = pieces_share(&w, &p) ? an_error_set(AN_FAIL, "out of memory") : AN_OK;
        c.n[0] = shifted(r, &w);
        rc = rc ? rc : splitters_parts(r, &w, &p, &l, 0.25 * k, part);
        for (int b = 1; b < r->set && !rc; b++)
            c.n[b] = splitters_counts(r, b, &part[b], c.n, 1);
        rc = rc ? rc : splitters_align(r, c.n);
        rc = rc ? rc : judge(s, &c);
    }
    profile_free(&p);
    return rc;
}

enum { MOVES = 11 };

// All sets of counts that differ from n by one step of one corner.
static void moves_of(const struct counts *n, int unit, int way, struct counts c[MOVES])
{
    const int turn = counts_in_gaps(n) ? unit
                     : unit > 2        ? unit / 2
                                       : 1,
              t = way * turn, u = way * unit;
    for (int k = 0; k < MOVES; k++)
        c[k] = *n;
    c[0].lead_down += t, c[0].lead_up -= t;   // the front turns
    c[1].trail_down += t, c[1].trail_up -= t; // the rear turns
    c[2] = c[0];                              // both turn, against the stagger
    c[2].trail_up += t, c[2].trail_down -= t;
    c[3] = c[0]; // or with it
    c[3].trail_up -= t, c[3].trail_down += t;
    c[4].lead_up += u, c[4].trail_down += u, c[4].pass -= u; // longer ends
    c[5].lead_down += u, c[5].trail_up += u, c[5].pass -= u;
    c[6].lead_up += u, c[6].trail_up -= u; // all corners of a side downstream
    c[7].lead_down += u, c[7].trail_down -= u;
    // of a splitter: the lines across the main blades' passage that its ring's corners lie on
    c[8].in += u, c[8].pass -= u;
    c[9].out += u, c[9].pass -= u;
    c[10].in += u, c[10].out -= u;
}

// What the number of cells along a blade's ring gains, the others' gain too, or their blocks ahead of them
// and behind them would not match.
static void follow(struct choice *c, const struct choice *from, int b, int blades)
{
    const int more =
        c->n[b].in + c->n[b].pass + c->n[b].out - from->n[b].in - from->n[b].pass - from->n[b].out;
    for (int k = 0; k < blades; k++)
        if (b == 0 && k > 0)
            c->n[k].pass += more;
    if (b > 0)
        c->n[b].in -= more;
}

static int judge_neighbours(struct search *s, struct choice n)
{
    const struct row *r = s->r;
    const int unit = 1 << (r->in.levels - 1);
    for (int b = 0; b < r->set; b++)
        for (int way = -1; way <= 1; way += 2) {
            struct counts moved[MOVES];
            moves_of(&n.n[b], unit, way, moved);
            for (int k = 0; k < (b ? MOVES : 8); k++) {
                struct choice c = n;
                c.n[b] = moved[k];
                follow(&c, &n, b, r->set);
                AN_TRY(judge(s, &c));
            }
        }
    return AN_OK;
}

// Lets the lines to the end planes follow the edges' places and angles along the span, as a straight line
// in w, but lean by no more than 20 degrees.
int lean_ends(struct row *r)
{
    double in[HEIGHTS], out[HEIGHTS], y[2] = {0, 0}, slope[2] = {0, 0};
    const double limit = M_PI / 6; // as at mid-span
    for (int h = 0; h < HEIGHTS; h++) {
        struct layer l;
        struct profile p;
        const double w = (double)h / (HEIGHTS - 1);
        span_layer_at(r, w, &l);
        AN_TRY(blade_profile(r->blade, &l, &p));
        in[h] = p.le.y - tan(fmax(-limit, fmin(limit, p.angle_le))) * p.le.x;
        out[h] =
            p.te.y + tan(fmax(-limit, fmin(limit, p.angle_te))) * (l.m[SAMPLES_U - 1] - p.te.x);
        profile_free(&p);
        y[0] += in[h] / HEIGHTS;
        y[1] += out[h] / HEIGHTS;
    }
    for (int h = 0; h < HEIGHTS; h++) { // sum of (w - 0.5)^2 over the heights is 5 / 8
        const double w = (double)h / (HEIGHTS - 1) - 0.5;
        slope[0] += 1.6 * w * in[h];
        slope[1] += 1.6 * w * out[h];
    }
    for (int e = 0; e < 2; e++) {
        const double most = tan(M_PI / 9) * meridian_height(&r->meridian, e) /
                            meridian_point(&r->meridian, e, 0.5).r;
        slope[e] = fmax(-most, fmin(most, slope[e]));
    }
    r->y_in = y[0];
    r->y_out = y[1];
    r->y_in_slope = slope[0];
    r->y_out_slope = slope[1];
    return AN_OK;
}

int search_corners(struct row *r, struct choice best[CHOICES], int *count, bool give_up)
{
    struct search s = {
        .r = r, .score = -M_PI, .list = best, .most = r->set > 1 ? MOST_SPLIT : MOST};
    memcpy(s.best.n, r->n, sizeof r->n);
    AN_TRY(lean_ends(r));
    AN_TRY(judge(&s, &s.best));
    AN_TRY(judge_shifts(&s));
    *count = 0;
    if (give_up && s.score < 0)
        return AN_OK;
    while (s.score < 1.1 * ENOUGH && s.tried < s.most) {
        const double before = s.score;
        AN_TRY(judge_neighbours(&s, s.best));
        if (s.score <= before)
            break;
    }
    *count = s.listed;
    return AN_OK;
}

struct mixed {
    const struct row *r;
    double angle[2 * MAX_KEYS];
};

static int mixed_at(void *of, int k)
{
    struct mixed *m = of;
    return plane_mixed(m->r, 0.5 * k / (m->r->nkey - 1), &m->angle[k]);
}

// The smallest angle of the layers at the keys and half-way between them.
int mix_least(const struct row *r, double *angle)
{
    struct mixed m = {.r = r};
    const int n = 2 * r->nkey - 1;
    *angle = M_PI;
    AN_TRY(side_by_side(n, mixed_at, &m));
    for (int k = 0; k < n; k++)
        *angle = fmin(*angle, m.angle[k]);
    return AN_OK;
}

struct key_lines {
    const struct row *r;
    struct lines_figures f[MAX_KEYS];
};

static int lines_at(void *of, int k)
{
    struct key_lines *l = of;
    return plane_lines(l->r, l->r->key[2 * k].w, &l->f[k]);
}

// The smoothest way stays unless it costs more than some degrees of the angle that the keys have.
int mix_choose(struct row *r)
{
    const double deg = M_PI / 180;
    double keys = M_PI, best = -M_PI;
    int chosen = MIX_SMOOTH;
    for (int k = 0; k < r->nkey; k++)
        keys = fmin(keys, r->key[k].worst.angle);
    for (int way = MIX_SMOOTH; way < MIX_WAYS; way++) {
        double angle;
        r->mix = way;
        AN_TRY(mix_least(r, &angle));
        if (angle > best + 3 * deg) {
            best = angle;
            chosen = way;
        }
        if (best > fmin(30 * deg, keys - 4 * deg))
            break;
    }
    r->mix = chosen;
    return AN_OK;
}

// The course of the O's radial lines: the first one is kept if it costs little of the angle that the
// smoothed rows have.
int lines_choose(struct row *r)
{
    const double good = 30 * M_PI / 180;
    double best = -M_PI;
    int chosen = LINES_THROUGH;
    for (int way = LINES_THROUGH; way < LINES_WAYS; way++) {
        double before = M_PI, after = M_PI;
        r->lines = way;
        struct key_lines l = {.r = r};
        const int n = (r->nkey + 1) / 2;
        AN_TRY(side_by_side(n, lines_at, &l));
        for (int k = 0; k < n; k++) {
            before = fmin(before, l.f[k].few);
            after = fmin(after, l.f[k].all);
        }
        if (after > best + 0.02) {
            best = after;
            chosen = way;
        }
        if (best > fmin(good, before - 0.02))
            break;
    }
    r->lines = chosen;
    return AN_OK;
}
