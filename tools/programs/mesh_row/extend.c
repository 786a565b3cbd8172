// The duct and the blade in it. Tables that end so near to the blade that no cells have room there go on
// straight.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEIGHTS = 5, POINTS = 8 };

// Least way along m' from the inlet to the blade (0) and from the blade to the outlet (1), over the smaller
// of pitch and chord.
static int measure_room(const struct row *r, double room[2])
{
    const double pitch = 2 * M_PI / r->in.blades;
    room[0] = room[1] = HUGE_VAL;
    for (int h = 0; h < HEIGHTS; h++) {
        struct layer l;
        struct profile p;
        layer_even(&l, &r->meridian, (double)h / (HEIGHTS - 1));
        AN_TRY(blade_profile(r->blade, &l, &p));
        const double size = fmin(pitch, p.chord);
        double ahead = HUGE_VAL, behind = HUGE_VAL;
        for (int j = 0; j < p.c.n; j++) {
            ahead = fmin(ahead, p.c.x[j].x);
            behind = fmin(behind, l.m[SAMPLES_U - 1] - p.c.x[j].x);
        }
        profile_free(&p);
        room[0] = fmin(room[0], ahead / size);
        room[1] = fmin(room[1], behind / size);
    }
    return AN_OK;
}

// Direction of the last hundredth of the curve, away from it.
static struct point end_direction(const struct wall_curve *c, int end)
{
    const double length = c->s[c->n - 1], from = end ? length : 0,
                 to = end ? 0.99 * length : 0.01 * length;
    const struct point a = wall_point(c, from), b = wall_point(c, to);
    const double d = hypot(a.x - b.x, a.r - b.r);
    return (struct point){(a.x - b.x) / d, (a.r - b.r) / d};
}

static struct point end_point(const struct wall_curve *c, int end)
{
    return wall_point(c, end ? c->s[c->n - 1] : 0);
}

// Points of both curves beyond this end, evenly over `length`, in table order. Each curve keeps its direction;
// where the passage would become much wider or narrower, both take the mean one.
static void beyond(const struct meridian *g, int end, double length, struct point *hub,
                   struct point *casing)
{
    struct point dh = end_direction(&g->hub, end), dc = end_direction(&g->casing, end);
    const struct point h = end_point(&g->hub, end), c = end_point(&g->casing, end);
    const double height = hypot(c.x - h.x, c.r - h.r),
                 wide = hypot(c.x + length * dc.x - h.x - length * dh.x,
                              c.r + length * dc.r - h.r - length * dh.r);
    if (fabs(wide / height - 1) > 0.3) {
        const double d = hypot(dh.x + dc.x, dh.r + dc.r);
        dh = dc = (struct point){(dh.x + dc.x) / d, (dh.r + dc.r) / d};
    }
    for (int k = 0; k < POINTS; k++) {
        const double way = length * (end ? k + 1 : POINTS - k) / POINTS;
        hub[k] = (struct point){h.x + way * dh.x, h.r + way * dh.r};
        casing[k] = (struct point){c.x + way * dc.x, c.r + way * dc.r};
    }
}

// The table of hub or casing with more points ahead and behind, kept in in->given.
static int longer_table(struct row_input *in, int which, const char *path,
                        struct point more[2][POINTS], const double length[2])
{
    struct table t, all = {.columns = 2};
    AN_TRY(table_of(&t, in, path, 2));
    int rc = table_section(&all, t.path[0], t.line[0]);
    for (int k = 0; k < POINTS && length[0] > 0 && !rc; k++)
        rc = table_row(&all, (double[2]){more[0][k].x / in->length, more[0][k].r / in->length},
                       t.row_line[0]);
    for (int i = 0; i < t.nrow && !rc; i++)
        rc = table_row(&all, t.v + (ptrdiff_t)i * t.columns, t.row_line[i]);
    for (int k = 0; k < POINTS && length[1] > 0 && !rc; k++)
        rc = table_row(&all, (double[2]){more[1][k].x / in->length, more[1][k].r / in->length},
                       t.row_line[t.nrow - 1]);
    table_finish(&all);
    table_free(&t);
    table_free(&in->given[which]);
    in->given[which] = all;
    return rc;
}

static int lengthen(struct row *r, const double length[2])
{
    struct point hub[2][POINTS], casing[2][POINTS];
    for (int end = 0; end < 2; end++)
        beyond(&r->meridian, end, length[end], hub[end], casing[end]);
    AN_TRY(longer_table(&r->in, 1, r->in.hub, hub, length));
    return longer_table(&r->in, 2, r->in.casing, casing, length);
}

// Where gaps that differ at the two edges begin and end.
static int find_edges_at(struct row *r, int wall)
{
    struct layer l;
    struct profile p;
    const struct row_gap *gap = &r->meridian.gap[wall];
    if (gap->lead == gap->trail)
        return AN_OK;
    layer_even(&l, &r->meridian, wall == AT_HUB ? 0.02 : 0.98);
    AN_TRY(blade_profile(r->blade, &l, &p));
    r->meridian.edge[wall][0] = layer_u(&l, p.le.x);
    r->meridian.edge[wall][1] = layer_u(&l, p.te.x);
    profile_free(&p);
    return AN_OK;
}

static int find_gap_edges(struct row *r)
{
    AN_TRY(find_edges_at(r, AT_HUB));
    return find_edges_at(r, AT_CASING);
}

int duct_and_blade(struct row *r)
{
    const double least = 0.06, wanted = 0.2; // of the smaller of pitch and chord
    const struct row_end *const end[2] = {&r->in.inlet, &r->in.outlet};
    double room[2], length[2] = {0, 0};
    AN_TRY(meridian_new(&r->meridian, &r->in));
    AN_TRY(blade_new(r->blade, &r->meridian, &r->in));
    AN_TRY(measure_room(r, room));
    for (int e = 0; e < 2; e++) {
        if (end[e]->kind != END_CURVE || room[e] >= least)
            continue;
        struct layer l;
        struct profile p;
        layer_even(&l, &r->meridian, 0.5);
        AN_TRY(blade_profile(r->blade, &l, &p));
        const double size = fmin(2 * M_PI / r->in.blades, p.chord);
        profile_free(&p);
        length[e] = (wanted - room[e]) * size * meridian_point(&r->meridian, e, 0.5).r;
        printf("%s               the tables of hub and casing end %.1f %% of a pitch %s the blade, "
               "where cells "
               "have no room: both walls go on straight for %.4g m; '%s' would choose the place\n",
               e ? "outlet" : "inlet ", 100 * room[e] * size * r->in.blades / (2 * M_PI),
               e ? "behind" : "ahead of", length[e], e ? "outlet" : "inlet");
    }
    if (length[0] == 0 && length[1] == 0)
        return find_gap_edges(r);
    AN_TRY(lengthen(r, length));
    meridian_free(&r->meridian);
    blade_free(r->blade);
    AN_TRY(meridian_new(&r->meridian, &r->in));
    AN_TRY(blade_new(r->blade, &r->meridian, &r->in));
    return find_gap_edges(r);
}
