// Numbers of cells.
#include "row.h"

#include <math.h>
#include <string.h>

static double total_of(const struct counts *n)
{
    const double front = n->lead_down + n->lead_up, rear = n->trail_up + n->trail_down;
    const double around = counts_around(n);
    const double plane = around * n->normal + 2.0 * n->pass * n->half +
                         (2 * n->half + front) * n->in + (2 * n->half + rear) * n->out;
    const double inside = around * n->ring + n->core * (around / 2.0 - n->core);
    return plane * (n->span + counts_in_gaps(n)) + inside * counts_in_gaps(n);
}

double counts_total(const struct counts *n, int blades)
{
    double total = 0;
    for (int b = 0; b < blades; b++)
        total += total_of(&n[b]);
    return total;
}

// Cells below which the growth from the first cells to the largest ones would exceed `growth`; at
// most 64.
static int rows_needed(double first, double total, double growth)
{
    int n = 2;
    while (n < 64 && geometric_ratio(first, total, n) > growth)
        n++;
    return n;
}

static int layers_needed(double total, double first, double last, double growth)
{
    double t[65], worst = HUGE_VAL;
    int n = 3;
    for (; n < 64 && worst > growth; n++) {
        const double end[2] = {fmin(first, total / n), fmin(last, total / n)};
        span_fractions(n, total, end, SPAN_LARGEST, t);
        worst = 1;
        for (int k = 1; k < n; k++) {
            const double a = t[k] - t[k - 1], b = t[k + 1] - t[k];
            worst = fmax(worst, fmax(a / b, b / a));
        }
    }
    return n - 1;
}

// Least counts that keep neighbouring cells normal to the walls within the factor growth. ring_most: rows of
// the ring in the gap that still are twice as high as the first cell where the section is thickest.
static struct counts counts_needed(const struct row *r, const struct profile *p,
                                   const struct profile *tip, double growth, int *ring_most)
{
    const double pitch = 2 * M_PI / r->in.blades / r->set, *first = r->in.first,
                 radius = meridian_point(&r->meridian, 0.5, 0.5).r;
    const double way = pitch * cos(0.5 * (p->angle_le + p->angle_te));
    struct counts n = {
        .normal = rows_needed(first[0] / radius, fmin(0.08 * p->chord, 0.2 * way), growth)};
    const double height = meridian_height(&r->meridian, 0.5),
                 gap = (1 - meridian_tip(&r->meridian, 0.5)) * height,
                 hub_gap = meridian_foot(&r->meridian, 0.5) * height;
    n.span = layers_needed(height - gap - hub_gap, hub_gap > 0 ? first[3] : first[1],
                           gap > 0 ? first[3] : first[2], growth);
    if (gap > 0 || hub_gap > 0) {
        double thick = 0;
        const double upper = tip->s_te - tip->s_le, lower = tip->c.length - upper;
        for (double f = 0.1; f < 0.95; f += 0.1)
            thick = fmax(thick, norm(sub(curve_point(&tip->c, tip->s_le + f * upper),
                                         curve_point(&tip->c, tip->s_le - f * lower))));
        if (gap > 0)
            n.gap = layers_needed(gap, first[3], first[2], growth);
        if (hub_gap > 0)
            n.hub_gap = layers_needed(hub_gap, first[3], first[1], growth);
        n.ring = rows_needed(first[0] / radius, 0.25 * thick, 1.3 * growth);
        *ring_most = (int)fmax(1, 0.125 * thick * radius / first[0]);
    }
    return n;
}

static int at_least(int n, int needed, int unit)
{
    return n >= needed ? n : (needed + unit - 1) / unit * unit;
}

// What a mesh has to have beside its number of cells.
struct demand {
    struct counts least;
    int ring_most;
    double layers; // share of the usual layers beside the blade
    double around; // cells round the blade, at least
};

// Counts of a mesh of relative size s; every one a multiple of the unit, so that the ends of all
// interfaces survive the coarsening.
static void scaled(const struct row *r, const double *part, const struct demand *d, double s,
                   struct counts all[MAX_SET])
{
    const struct counts *least = &d->least;
    const struct row_input *in = &r->in;
    const bool fine = !in->wall_functions;
    const int unit = 1 << (in->levels - 1);
    struct counts n = {.half = round_to((r->set > 1 ? 6 : 8) * s, unit),
                       .in = round_to(24 * s * r->room_in, unit),
                       .out = round_to(40 * s * r->room_out, unit),
                       .normal = round_to((fine ? 32 : 20) * s, unit),
                       .span = round_to((fine ? 76 : 56) * s * d->layers, unit)};
    // one cell would be left of one unit on the coarsest level; the ends of a duct that turns have no room for more
    if (r->shared[0] && r->meridian.axial)
        n.in = at_least(n.in, 2 * unit, unit);
    if (r->shared[1] && r->meridian.axial)
        n.out = at_least(n.out, 2 * unit, unit);
    n.normal = at_least(n.normal, least->normal, unit);
    n.span = at_least(n.span, least->span, unit);
    n.core = round_to(8 * s, unit < 2 ? 2 : unit);
    if (gap_wanted(&in->gap[AT_CASING]))
        n.gap = at_least(round_to((fine ? 26 : 12) * s, unit), least->gap, unit);
    if (gap_wanted(&in->gap[AT_HUB]))
        n.hub_gap = at_least(round_to((fine ? 26 : 12) * s, unit), least->hub_gap, unit);
    if (counts_in_gaps(&n)) {
        n.ring = round_to(fmin((fine ? 13.6 : 8) * s, d->ring_most), unit);
        n.ring = at_least(n.ring, least->ring, unit);
    }
    if (r->layers) // as many as the neighbours have
        n.span = r->layers - counts_in_gaps(&n);
    n.base = edge_cells(r, 0, s * part[3], &n);
    around_ends(&n, part, s, unit);
    n.pass = round_to(s * part[2], unit);
    all[0] = n;
    for (int b = 1; b < r->set; b++)
        all[b] = splitters_counts(r, b, &r->part[b], &n, s);
}

// The counts [r->set] nearest to the wanted number of cells; returns how far off they are, as a logarithm.
static double fit(const struct row *r, const double *part, const struct demand *d,
                  struct counts *best)
{
    double off = HUGE_VAL;
    for (double s = 0.2; s < 5; s *= 1.002) {
        struct counts n[MAX_SET];
        scaled(r, part, d, s, n);
        const double is = fabs(log(counts_total(n, r->set) / r->in.cells));
        const bool enough = !r->layers || n[0].span >= (d->least.span > 4 ? d->least.span : 4);
        if (is < off - 1e-12 && enough && counts_around(n) >= d->around && splitters_fit(r, n)) {
            off = is;
            memcpy(best, n, (size_t)r->set * sizeof *best);
        }
    }
    return off;
}

// Where rows would grow by more than MOST_GROWTH from one to the next, some layers beside the blade are spared, and more or
// fewer cells are allowed than are wanted, before the rows give way. off: as `fit` returns it, of r->n, which stay if that
// does not help.
#define MOST_GROWTH 6
static double spare_layers(struct row *r, const double *part, const struct profile *p,
                           const struct profile *tip, double around, double off)
{
    static const double growth[] = {4, 5}, layers[] = {1, 0.85, 0.7};
    for (int k = 0; k < 6; k++) {
        struct demand d = {.ring_most = 1000, .layers = layers[k % 3], .around = around};
        struct counts n[MAX_SET];
        d.least = counts_needed(r, p, tip, growth[k / 3], &d.ring_most);
        const double is = fit(r, part, &d, n);
        if (is > 0.12)
            continue;
        memcpy(r->n, n, sizeof n);
        return is;
    }
    return off;
}

// Rows normal to the walls are given up to cells round the blade, where the cells do not do for both: the
// least growth is taken that leaves most of the cells which the blade would have without any limit.
static int fit_all(struct row *r, const double *part, const struct profile *p,
                   const struct profile *tip)
{
    static const double growth[] = {2.5, 3.2, 4, 6, 9, 14};
    struct demand d = {.ring_most = 1000, .layers = 1};
    struct counts n[MAX_SET];
    double off = fit(r, part, &d, r->n), limit = 0;
    // the more the blade turns, the fewer cells round it can be spared
    const double turning = fabs(p->angle_le - p->angle_te),
                 most = fmin(0.9, 0.75 + 0.15 * turning / (M_PI / 3));
    const int around = counts_around(r->n);
    // where even the last limit would take too many cells from the blade, more of them are spared
    enum { LIMITS = sizeof growth / sizeof growth[0] };
    bool found = false;
    for (int k = 0; k < LIMITS + 2 && !found; k++) {
        limit = growth[k < LIMITS ? k : LIMITS - 1];
        const double share = k < LIMITS ? most : (k == LIMITS ? 0.85 : 0.7) * most;
        d.ring_most = 1000;
        d.least = counts_needed(r, p, tip, limit, &d.ring_most);
        const double is = fit(r, part, &d, n);
        found = is < 0.3 && counts_around(n) >= share * around;
        if (found) {
            off = is;
            memcpy(r->n, n, sizeof n);
        }
    }
    if (!found || limit > MOST_GROWTH)
        off = spare_layers(r, part, p, tip, most * around, off);
    AN_CHECK(
        off < 0.3, AN_INPUT,
        "no mesh of about %g cells with %d multigrid levels: the nearest has %.0f; give that many "
        "'cells' or fewer 'levels' (all counts are multiples of %d)",
        r->in.cells, r->in.levels, counts_total(r->n, r->set), 1 << (r->in.levels - 1));
    return AN_OK;
}

int counts_choose(struct row *r)
{
    // mid-span section, before there are layers
    struct layer l;
    struct profile p, tip;
    layer_even(&l, &r->meridian, 0.5);
    AN_TRY(blade_profile(r->blade, &l, &p));
    const double shift = r->in.shift < 0 ? 0.5 : r->in.shift;
    struct pieces w = around_pieces(r, &(struct wall){0, &p, &l}, shift);
    w.around = r->in.wall_functions ? 160 : 176;
    const int failed = pieces_share(&w, &p) || splitters_parts(r, &w, &p, &l, shift, r->part);
    const double base = failed ? 0 : edge_wish(&w, &p);
    // the lines far from the blade follow the flow up to 30 degrees; more would only skew them
    const double limit = M_PI / 6, in = fmax(-limit, fmin(limit, p.angle_le)),
                 out = fmax(-limit, fmin(limit, p.angle_te));
    r->y_in = p.le.y - tan(in) * p.le.x;
    r->y_out = p.te.y + tan(out) * (l.m[SAMPLES_U - 1] - p.te.x);
    if (failed) {
        profile_free(&p);
        return an_error_set(AN_FAIL, "out of memory");
    }
    // short ends of a duct that turns, and short ways to a neighbour, get fewer cells
    const double le = layer_u(&l, p.le.x), te = layer_u(&l, p.te.x);
    const bool all_in = r->meridian.axial && !r->shared[0],
               all_out = r->meridian.axial && !r->shared[1];
    r->room_in = all_in ? 1 : fmin(1, (r->shared[0] && r->meridian.axial ? 3 : 2) * le / (te - le));
    r->room_out =
        all_out ? 1 : fmin(1, (r->shared[1] && r->meridian.axial ? 2 : 1.3) * (1 - te) / (te - le));
    // front and rear, upper and lower side alike
    const double part[4] = {0.5 * (w.part[0] + w.part[3]), 0.5 * (w.part[1] + w.part[4]),
                            0.5 * (w.part[2] + w.part[5]), base};
    // the end of the blade where the gap is
    const bool hub_only = gap_wanted(&r->in.gap[AT_HUB]) && !gap_wanted(&r->in.gap[AT_CASING]);
    layer_even(&l, &r->meridian, hub_only ? 0.02 : 0.98);
    int rc = blade_profile(r->blade, &l, &tip);
    rc = rc ? rc : fit_all(r, part, &p, &tip);
    rc = rc ? rc : splitters_align(r, r->n);
    profile_free(&tip);
    profile_free(&p);
    return rc;
}
