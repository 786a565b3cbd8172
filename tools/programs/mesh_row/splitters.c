// Splitters: shorter blades between two main blades.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[MAX_SET] = {"main blade", "splitter", "second splitter"};
static const double heights[] = {0.02, 0.25, 0.5, 0.75, 0.98};
enum { HEIGHTS = sizeof heights / sizeof heights[0] };

// Mean y of the two sides of the section at m'; beyond its edges that of the edge.
static double middle(const struct profile *p, double m)
{
    double y[2] = {p->le.y, p->le.y};
    if (m <= p->le.x)
        return p->le.y;
    if (m >= p->te.x)
        return p->te.y;
    for (int i = 0, k = 0; i < p->c.n && k < 2; i++) {
        const struct vec2 a = p->c.x[i], b = p->c.x[(i + 1) % p->c.n];
        if ((a.x - m) * (b.x - m) <= 0 && a.x != b.x)
            y[k++] = a.y + (m - a.x) / (b.x - a.x) * (b.y - a.y);
    }
    return 0.5 * (y[0] + y[1]);
}

// How far blade b stands above the main blade, in pitches, at the height v.
static int place_of(const struct row *r, int b, double v, double *pitches)
{
    struct layer l;
    struct profile main, own;
    layer_even(&l, &r->meridian, v);
    AN_TRY(blade_profile(r->blade, &l, &main));
    const int rc = blade_profile(&r->blade[b], &l, &own);
    if (!rc) {
        const double m = 0.5 * (own.le.x + own.te.x);
        *pitches = (middle(&own, m) - middle(&main, m)) * r->in.blades / (2 * M_PI);
    }
    profile_free(&main);
    profile_free(&own);
    return rc;
}

static bool inside(const struct profile *p, struct vec2 at)
{
    bool in = false;
    for (int i = 0; i < p->c.n; i++) {
        const struct vec2 a = p->c.x[i], b = p->c.x[(i + 1) % p->c.n];
        if ((a.y > at.y) != (b.y > at.y) && at.x < a.x + (at.y - a.y) / (b.y - a.y) * (b.x - a.x))
            in = !in;
    }
    return in;
}

// A point of either section inside the other, which is moved up by `up`.
static bool overlap(const struct profile *low, const struct profile *high, double up,
                    struct vec2 *where)
{
    for (int i = 0; i < low->c.n; i++) {
        *where = low->c.x[i];
        if (inside(high, (struct vec2){where->x, where->y - up}))
            return true;
    }
    for (int i = 0; i < high->c.n; i++) {
        *where = (struct vec2){high->c.x[i].x, high->c.x[i].y + up};
        if (inside(low, *where))
            return true;
    }
    return false;
}

static int check_pair(const struct row *r, const struct layer *l, int b, const struct profile *p,
                      double v)
{
    const int next = (b + 1) % r->set;
    struct vec2 at;
    if (!overlap(&p[b], &p[next], next ? 0 : 2 * M_PI / r->in.blades, &at))
        return AN_OK;
    const double u = layer_u(l, at.x);
    const struct point x = meridian_point(&r->meridian, u, v);
    return an_error_set(AN_INPUT,
                        "%s: error: the %s overlaps the %s at %.0f %% of the span, at x = %.6g %s, "
                        "r = %.6g %s: the "
                        "splitter's theta places it in the pitch; do both blades have the same "
                        "origin, unit and sense of "
                        "theta?",
                        r->in.splitter[(b > next ? b : next) - 1].sections,
                        names[b > next ? b : next], names[b > next ? next : b], 100 * v,
                        x.x / r->in.length, input_unit(&r->in), x.r / r->in.length,
                        input_unit(&r->in));
}

static int check_order(const struct row *r, int b, const struct profile *p, double v)
{
    const double chord = p[0].te.x - p[0].le.x;
    const char *path = r->in.splitter[b - 1].sections;
    AN_CHECK(p[b].le.x > p[0].le.x - 0.01 * chord, AN_INPUT,
             "%s: error: the %s begins upstream of the main blade at %.0f %% of the span: the "
             "blade that "
             "begins first is the main blade; exchange the two",
             path, names[b], 100 * v);
    AN_CHECK(
        p[b].le.x < p[0].te.x - 0.05 * chord, AN_INPUT,
        "%s: error: the %s begins where the main blade ends, at %.0f %% of the span: blades one "
        "behind the other are not meshed in one row, but as two `rows` with `planes: sliding`",
        path, names[b], 100 * v);
    AN_CHECK(p[b].te.x < p[0].te.x + 0.2 * chord && p[b].te.x > p[0].le.x + 0.5 * chord, AN_INPUT,
             "%s: error: the %s ends at %.0f %% of the main blade's length at %.0f %% of the span; "
             "50 to "
             "120 %% are allowed",
             path, names[b], 100 * (p[b].te.x - p[0].le.x) / chord, 100 * v);
    return AN_OK;
}

static int check_height(const struct row *r, double v)
{
    struct layer l;
    struct profile p[MAX_SET] = {{.chord = 0}};
    int rc = AN_OK;
    layer_even(&l, &r->meridian, v);
    for (int b = 0; b < r->set && !rc; b++)
        rc = blade_profile(&r->blade[b], &l, &p[b]);
    for (int b = 1; b < r->set && !rc; b++)
        rc = check_order(r, b, p, v);
    for (int b = 0; b < r->set && !rc; b++)
        rc = check_pair(r, &l, b, p, v);
    for (int b = 0; b < r->set; b++)
        profile_free(&p[b]);
    return rc;
}

int splitters_new(struct row *r)
{
    struct row_input *in = &r->in;
    double at[MAX_SET] = {0};
    for (int k = 0; k < in->splitters; k++) {
        const int b = r->set;
        AN_TRY(blade_new(&r->blade[b], &r->meridian, &in->splitter[k]));
        r->set++;
        AN_TRY(place_of(r, b, 0.5, &at[b]));
        struct blade *own = &r->blade[b];
        for (int i = 0; i < LOOP * own->n; i++)
            own->y[i] -= floor(at[b]) * 2 * M_PI / in->blades;
        at[b] -= floor(at[b]);
    }
    if (r->set == 3 && at[1] > at[2]) {
        const struct blade first = r->blade[1];
        const struct row_input given = in->splitter[0];
        r->blade[1] = r->blade[2];
        r->blade[2] = first;
        in->splitter[0] = in->splitter[1];
        in->splitter[1] = given;
    }
    for (int h = 0; h < HEIGHTS && r->set > 1; h++)
        AN_TRY(check_height(r, heights[h]));
    return AN_OK;
}

void splitters_print(const struct row *r)
{
    struct layer l;
    struct profile main, own;
    layer_even(&l, &r->meridian, 0.5);
    for (int b = 1; b < r->set; b++) {
        double pitches;
        if (place_of(r, b, 0.5, &pitches) || blade_profile(r->blade, &l, &main))
            return;
        if (!blade_profile(&r->blade[b], &l, &own)) {
            const double chord = main.te.x - main.le.x;
            // y runs against theta
            fprintf(row_out(r),
                    "%-21sfrom %.1f to %.1f %% of the main blade's length, %.3f of the pitch from "
                    "it towards "
                    "positive theta; %d sections\n",
                    names[b], 100 * (own.le.x - main.le.x) / chord,
                    100 * (own.te.x - main.le.x) / chord, r->in.theta > 0 ? 1 - pitches : pitches,
                    r->blade[b].n);
            profile_free(&own);
        }
        profile_free(&main);
    }
}

bool splitters_fit(const struct row *r, const struct counts *n)
{
    const int unit = 1 << (r->in.levels - 1), all = n[0].in + n[0].pass + n[0].out;
    for (int b = 1; b < r->set; b++)
        if (n[b].in < unit || n[b].pass < unit || n[b].out < unit || n[b].in % unit ||
            n[b].out % unit || n[b].in + n[b].pass + n[b].out != all)
            return false;
    return true;
}

static int multiple(double v, int unit)
{
    return unit * (int)floor(v / unit + 0.5);
}

struct counts splitters_counts(const struct row *r, int b, const struct splitter_part *part,
                               const struct counts *main, double s)
{
    const int unit = 1 << (r->in.levels - 1), lead = multiple(part->lead * main->pass, unit),
              trail = multiple(part->trail * main->pass, unit);
    struct counts n = *main;
    n.in += lead;
    n.out += trail;
    n.pass -= lead + trail;
    n.base = edge_cells(r, b, s * part->base, &n);
    around_ends(&n, part->end, s, unit);
    return n;
}

int splitters_parts(const struct row *r, const struct pieces *main, const struct profile *p,
                    const struct layer *l, double shift, struct splitter_part *part)
{
    for (int b = 1; b < r->set; b++) {
        struct profile own;
        AN_TRY(blade_profile(&r->blade[b], l, &own));
        const struct wall wall = {b, &own, l};
        struct pieces w = around_pieces(r, &wall, shift);
        // the edges take about a quarter of the main blade's cells
        w.around = main->around * (0.25 + 0.75 * own.c.length / p->c.length);
        const int failed = pieces_share(&w, &own);
        part[b] =
            (struct splitter_part){{0.5 * (w.part[0] + w.part[3]), 0.5 * (w.part[1] + w.part[4])},
                                   (own.le.x - p->le.x) / (p->te.x - p->le.x),
                                   (p->te.x - own.te.x) / (p->te.x - p->le.x),
                                   failed ? 0 : edge_wish(&w, &own)};
        profile_free(&own);
        AN_CHECK(!failed, AN_FAIL, "out of memory");
    }
    return AN_OK;
}

enum { ALIGN = 3 }; // heights at which lines are looked at

// Wall nodes of one blade at one height for given counts; other counts stretch them.
struct walls {
    struct profile p;
    struct counts n;
    double *s; // [counts_around + 1] (owned)
};

struct align {
    const struct row *r;
    struct walls wall[ALIGN][MAX_SET];
};

static int upper_cells(const struct counts *n)
{
    return n->lead_up + n->pass + n->trail_up;
}

// The node on line l of blade b, on its upper or its lower side.
static struct vec2 node_on(const struct walls *w, const struct counts *n, int l, bool upper)
{
    const int up = upper_cells(&w->n), all = counts_around(&w->n);
    const double own = upper ? upper_cells(n) : counts_around(n) - upper_cells(n),
                 base = upper ? up : all - up;
    const int c = l - n->in + (upper ? n->lead_up : n->lead_down);
    const double at = c * base / own, i = w->n.lead_down + (upper ? at : -at), low = floor(i);
    const int a = (int)low, b = a + 1;
    const double length = w->p.c.length;
    const double sa = a < 0     ? w->s[a + all] - length
                      : a > all ? w->s[a - all] + length
                                : w->s[a],
                 sb = b < 0     ? w->s[b + all] - length
                      : b > all ? w->s[b - all] + length
                                : w->s[b];
    return curve_point(&w->p.c, sa + (i - low) * (sb - sa));
}

static bool beside(const struct counts *n, int l)
{
    return l >= n->in && l <= n->in + n->pass;
}

// Square of the cosine between a line and the walls at its ends.
static double lean(const struct align *a, int h, const struct counts *n, int low, int high, int l)
{
    const struct walls *w = a->wall[h];
    const double pitch = high <= low ? 2 * M_PI / a->r->in.blades : 0;
    struct vec2 x[2], along[2];
    for (int k = 0; k < 2; k++) {
        const int b = k ? high : low;
        x[k] = node_on(&w[b], &n[b], l, !k);
        along[k] = sub(node_on(&w[b], &n[b], l + 1, !k), node_on(&w[b], &n[b], l - 1, !k));
    }
    x[1].y += pitch;
    const struct vec2 line = sub(x[1], x[0]);
    double worst = 0;
    for (int k = 0; k < 2; k++)
        worst = fmax(worst, fabs(dot(line, along[k])) / (norm(line) * norm(along[k])));
    return worst * worst;
}

// The worst line counts as much as the mean of all.
static double cost(const struct align *a, const struct counts *n)
{
    const int set = a->r->set;
    double worst = 0, sum = 0;
    int lines = 0;
    for (int h = 0; h < ALIGN; h++)
        for (int b = 0; b < set; b++)
            for (int l = n[b].in; l <= n[b].in + n[b].pass; l++) {
                int next = (b + 1) % set;
                while (next && !beside(&n[next], l))
                    next = (next + 1) % set;
                if (!beside(&n[next], l))
                    continue;
                const double own = lean(a, h, n, b, next, l);
                worst = fmax(worst, own);
                sum += own;
                lines++;
            }
    return worst + sum / lines;
}

static bool corners_fit(const struct counts *n, int unit)
{
    const int least = counts_in_gaps(n) ? n->core / 2 : 2;
    return n->lead_down >= least && n->lead_up >= least && n->trail_up >= least &&
           n->trail_down >= least && n->trail_up > n->base && n->trail_down > n->base &&
           n->pass >= unit;
}

// The best counts of one blade while the others keep theirs. from: the counts at first, from which a splitter's
// lines move by two units at most.
static bool improve(const struct align *a, const struct counts *from, struct counts *n, int b,
                    double *best)
{
    const int unit = 1 << (a->r->in.levels - 1),
              turn = counts_in_gaps(n) || unit < 4 ? unit : unit / 2;
    const struct counts was = n[b];
    struct counts found = was;
    const int all = n[0].in + n[0].pass + n[0].out;
    for (int t = -3; t <= 3; t++)
        for (int lead = b ? -2 : 0; lead <= (b ? 2 : 0); lead++)
            for (int trail = b ? -1 : 0; trail <= (b ? 1 : 0); trail++) {
                struct counts *c = &n[b];
                *c = was;
                c->lead_down += t * turn, c->lead_up -= t * turn;
                c->trail_up += t * turn, c->trail_down -= t * turn;
                c->in = from[b].in + lead * unit, c->out = from[b].out + trail * unit;
                c->pass = all - c->in - c->out;
                if (!corners_fit(c, unit) || !splitters_fit(a->r, n))
                    continue;
                // fewer lines lean less, but leave less of the blade between the ring's corners
                const double now = cost(a, n) * sqrt(fmax(1, (double)from[b].pass / c->pass));
                if (now < *best - 1e-9) {
                    *best = now;
                    found = *c;
                }
            }
    n[b] = found;
    return memcmp(&found, &was, sizeof was) != 0;
}

static int walls_new(struct align *a, const struct counts *n)
{
    const struct row *r = a->r;
    for (int h = 0; h < ALIGN; h++) {
        struct layer l;
        layer_even(&l, &r->meridian, (double)h / (ALIGN - 1));
        for (int b = 0; b < r->set; b++) {
            struct walls *w = &a->wall[h][b];
            w->n = n[b];
            AN_TRY(blade_profile(&r->blade[b], &l, &w->p));
            w->s = malloc(((size_t)counts_around(&n[b]) + 1) * sizeof *w->s);
            AN_CHECK(w->s, AN_FAIL, "out of memory");
            AN_TRY(around_place(r, &n[b], &(struct wall){b, &w->p, &l}, w->s));
        }
    }
    return AN_OK;
}

int splitters_align(const struct row *r, struct counts *n)
{
    if (r->set == 1)
        return AN_OK;
    struct align a = {.r = r};
    const int rc = walls_new(&a, n);
    struct counts from[MAX_SET];
    memcpy(from, n, (size_t)r->set * sizeof *n);
    double best = HUGE_VAL;
    bool better = true;
    for (int round = 0; round < 4 && better && !rc; round++) {
        better = false;
        for (int b = r->set - 1; b >= 0; b--)
            better = improve(&a, from, n, b, &best) || better;
    }
    for (int h = 0; h < ALIGN; h++)
        for (int b = 0; b < r->set; b++) {
            profile_free(&a.wall[h][b].p);
            free(a.wall[h][b].s);
        }
    return rc;
}
