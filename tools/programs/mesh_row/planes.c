// The planes between rows.
//
//        casing  ____|____________C_________|____         B: trailing edge of the row ahead
//                    |    B      /     F    |             F: leading edge of the row behind
//                    |    |     /      |    |             H, C: half-way between them on hub and casing
//        hub     ____|____|____H_______|____|____         t: share of the way from B to F at one height
//
// A plane is a straight line in the meridional plane, because the mesh joins hub and casing by straight lines. If it
// comes nearer to a blade than LEAST of the way between the blades, H and C move.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { HEIGHTS = 9 };
static const double LEAST = 0.15, REFUSED = 0.02;

struct
    edges { // of a row, in the duct of the machine: its foremost and its last points at each height
    double u[2][HEIGHTS];
    struct point at[2][HEIGHTS];
};

static double height_of(int h)
{
    return (double)h / (HEIGHTS - 1);
}

static int edges_at(const struct row *duct, int h, struct edges *e)
{
    struct layer l;
    layer_even(&l, &duct->meridian, height_of(h));
    e->u[0][h] = HUGE_VAL;
    e->u[1][h] = -HUGE_VAL;
    for (int b = 0; b < duct->set; b++) {
        struct profile p;
        AN_TRY(blade_profile(&duct->blade[b], &l, &p));
        for (int j = 0; j < p.c.n; j++) {
            const double u = layer_u(&l, p.c.x[j].x);
            e->u[0][h] = fmin(e->u[0][h], u);
            e->u[1][h] = fmax(e->u[1][h], u);
        }
        profile_free(&p);
    }
    for (int end = 0; end < 2; end++)
        e->at[end][h] = meridian_point(&duct->meridian, e->u[end][h], height_of(h));
    return AN_OK;
}

// The row's blades in the duct between the machine's ends. `duct` shares the tables of the row.
static int edges_find(struct row *duct, struct edges *e)
{
    AN_TRY(meridian_new(&duct->meridian, &duct->in));
    AN_TRY(blade_new(duct->blade, &duct->meridian, &duct->in));
    duct->set = 1;
    AN_TRY(splitters_new(duct));
    for (int h = 0; h < HEIGHTS; h++)
        AN_TRY(edges_at(duct, h, e));
    return AN_OK;
}

// Rows of one file have one hub and one casing.
static int same_walls(const struct project *p, const struct meridian *first, const struct row *duct)
{
    enum { SAMPLES = 200 };
    const struct wall_curve *const a[2] = {&first->hub, &first->casing},
                                   *const b[2] = {&duct->meridian.hub, &duct->meridian.casing};
    for (int wall = 0; wall < 2; wall++) {
        const double length = a[wall]->s[a[wall]->n - 1];
        for (int k = 0; k <= SAMPLES; k++) {
            const struct point x = wall_point(a[wall], length * k / SAMPLES),
                               y = wall_point(b[wall], b[wall]->s[b[wall]->n - 1] * k / SAMPLES);
            const double apart = hypot(x.x - y.x, x.r - y.r);
            AN_CHECK(
                apart < 1e-6 * length, AN_INPUT,
                "%s: error: this %s is not that of row '%s': %.3g m apart at x = %g m, r = %g m; "
                "all rows of a file lie between one hub and one casing",
                wall ? duct->in.casing : duct->in.hub, wall ? "casing" : "hub", p->name[0], apart,
                x.x, x.r);
        }
    }
    return AN_OK;
}

// Share of the way between the blades at which the line cuts height h.
static double share_of(const struct edges *a, const struct edges *b, const struct point line[2],
                       int h)
{
    const struct point B = a->at[1][h], F = b->at[0][h];
    const double x = line[1].x - line[0].x, r = line[1].r - line[0].r;
    return ((line[0].x - B.x) * r - (line[0].r - B.r) * x) / ((F.x - B.x) * r - (F.r - B.r) * x);
}

// The least distance from a blade, as a share of the way between the blades.
static double room_of(const struct edges *a, const struct edges *b, const struct point line[2],
                      int *at)
{
    double least = HUGE_VAL;
    for (int h = 0; h < HEIGHTS; h++) {
        const double t = share_of(a, b, line, h), room = fmin(t, 1 - t);
        if (room < least) {
            least = room;
            *at = h;
        }
    }
    return least;
}

// The line at shares f of the lengths of hub and casing between the blades.
static void line_at(const struct meridian *g, const struct edges *a, const struct edges *b,
                    const double f[2], struct point line[2])
{
    for (int wall = 0; wall < 2; wall++) {
        const int h = wall ? HEIGHTS - 1 : 0;
        const double from = meridian_length(g, wall, a->u[1][h]),
                     to = meridian_length(g, wall, b->u[0][h]);
        line[wall] = wall_point(wall ? &g->casing : &g->hub, from + f[wall] * (to - from));
    }
}

// Half-way on both walls, or as near to that as leaves LEAST everywhere, or else where most is left.
static void choose_line(const struct meridian *g, const struct edges *a, const struct edges *b,
                        struct point line[2])
{
    enum { STEPS = 14 }; // to each side
    double best = -HUGE_VAL, chosen[2] = {0.5, 0.5};
    for (int i = -STEPS; i <= STEPS; i++)
        for (int j = -STEPS; j <= STEPS; j++) {
            const double f[2] = {0.5 + 0.35 * i / STEPS, 0.5 + 0.35 * j / STEPS};
            int at;
            line_at(g, a, b, f, line);
            const double room = room_of(a, b, line, &at),
                         value = 100 * fmin(room - LEAST, 0) - hypot(f[0] - 0.5, f[1] - 0.5);
            if (value > best + 1e-9) {
                best = value;
                chosen[0] = f[0];
                chosen[1] = f[1];
            }
        }
    line_at(g, a, b, chosen, line);
}

// Rows that overlap leave no room for a plane.
static int check_order(const struct project *p, int k, const struct edges *a, const struct edges *b)
{
    for (int h = 0; h < HEIGHTS; h++) {
        const double over = hypot(a->at[1][h].x - b->at[0][h].x, a->at[1][h].r - b->at[0][h].r);
        AN_CHECK(a->u[1][h] < b->u[0][h], AN_INPUT,
                 "error: rows '%s' and '%s': at %.0f %% of the span '%s' begins %.4g m upstream of "
                 "the end of '%s' "
                 "(x = %g m, r = %g m), so no plane fits between them. 'rows' go from upstream to "
                 "downstream; "
                 "tandem blades that overlap cannot be meshed as two rows",
                 p->name[k], p->name[k + 1], 100 * height_of(h), p->name[k + 1], over, p->name[k],
                 a->at[1][h].x, a->at[1][h].r);
    }
    return AN_OK;
}

// The place that the file gives: the outlet of row k, or the inlet of the next.
static int given_line(const struct project *p, int k, const struct row *duct, struct point line[2])
{
    struct meridian g;
    struct row_input in = duct->in;
    AN_CHECK(!p->ends_given[k][1] || !p->ends_given[k + 1][0], AN_INPUT,
             "error: rows '%s' and '%s': the plane between them is given twice, by the 'outlet' of "
             "'%s' and the 'inlet' "
             "of '%s': give one of them",
             p->name[k], p->name[k + 1], p->name[k], p->name[k + 1]);
    in.outlet = p->ends_given[k][1] ? p->row[k].in.outlet : p->row[k + 1].in.inlet;
    in.gap[0] = in.gap[1] = (struct row_gap){0};
    const int rc = meridian_new(&g, &in);
    if (!rc) {
        line[0] = wall_point(&g.hub, g.hub.s_out);
        line[1] = wall_point(&g.casing, g.casing.s_out);
    }
    meridian_free(&g);
    return rc;
}

static int place(struct project *p, int k, const struct row *duct, const struct edges *e)
{
    struct point line[2];
    int at = 0;
    AN_TRY(check_order(p, k, &e[k], &e[k + 1]));
    if (p->ends_given[k][1] || p->ends_given[k + 1][0])
        AN_TRY(given_line(p, k, duct, line));
    else
        choose_line(&duct->meridian, &e[k], &e[k + 1], line);
    const double room = room_of(&e[k], &e[k + 1], line, &at);
    AN_CHECK(room > REFUSED, AN_INPUT,
             "error: rows '%s' and '%s': the plane from x = %g m, r = %g m to x = %g m, r = %g m "
             "%s a blade at "
             "%.0f %% of the span; 'outlet' of '%s' chooses another place",
             p->name[k], p->name[k + 1], line[0].x, line[0].r, line[1].x, line[1].r,
             room < 0 ? "cuts" : "touches", 100 * height_of(at), p->name[k]);
    if (room < LEAST)
        fprintf(stderr,
                "warning: rows '%s' and '%s': the plane comes as near to a blade as %.0f %% of the "
                "way between the "
                "blades, at %.0f %% of the span\n",
                p->name[k], p->name[k + 1], 100 * room, 100 * height_of(at));
    printf("plane                between '%s' and '%s': x %.6g m, r %.6g m at the hub to x %.6g m, "
           "r %.6g m at the "
           "casing; %.0f %% of the way between the blades at least\n",
           p->name[k], p->name[k + 1], line[0].x, line[0].r, line[1].x, line[1].r, 100 * room);
    const struct row_end end = {END_LINE, {line[0].x, line[0].r, line[1].x, line[1].r}};
    p->row[k].in.outlet = p->row[k + 1].in.inlet = end;
    p->row[k].shared[1] = p->row[k + 1].shared[0] = true;
    return AN_OK;
}

static void duct_free(struct row *duct)
{
    meridian_free(&duct->meridian);
    for (int b = 0; b < MAX_SET; b++)
        blade_free(&duct->blade[b]);
}

int planes_place(struct project *p)
{
    struct row *duct = calloc(2, sizeof *duct); // the first row's, which stays, and another one's
    struct edges *e = calloc((size_t)p->n, sizeof *e);
    int rc = duct && e ? AN_OK : an_error_set(AN_FAIL, "out of memory");
    for (int k = 0; k < p->n && !rc; k++) {
        struct row *d = &duct[k > 0];
        d->in = p->row[k].in;
        d->in.inlet = p->row[0].in.inlet;
        d->in.outlet = p->row[p->n - 1].in.outlet;
        rc = edges_find(d, &e[k]);
        if (!rc && k > 0)
            rc = same_walls(p, &duct[0].meridian, d);
        rc = project_error(p, k, rc);
        if (k > 0)
            duct_free(d);
    }
    for (int k = 0; k + 1 < p->n && !rc; k++)
        rc = place(p, k, &duct[0], e);
    if (duct)
        duct_free(&duct[0]);
    free(duct);
    free(e);
    return rc;
}
