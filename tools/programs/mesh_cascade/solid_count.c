// Numbers of cells along the sides of the shares, and the places of the surface's nodes.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "solid.h"

// cells come in multiples of UNIT, and at least AROUND surround a hole
enum { UNIT = SOLID_SKIN, AROUND = 40, SAMPLES = 500 };
enum { BASE = 4 }; // cells between two corners, at least
#define SPREAD 0.3 // of a cell's size over the way, on the surface

// Angle at which a side is seen from the hole's centre.
static double seen(const struct shares *c, const struct share *a, const struct share_side *s)
{
    if (s->node[0] < 0)
        return 2 * M_PI;
    const struct vec2 p = sub(c->node[s->node[0]].at, a->at),
                      q = sub(c->node[s->node[1]].at, a->at);
    const double angle = atan2(cross(q, p), dot(p, q));
    return angle < 0 ? angle + 2 * M_PI : angle;
}

// Does the place lie between the two corners, within a sample of an arc?
static bool on_base(const struct shares *c, double s)
{
    const double l = c->curve->length, mid = 0.5 * (c->corner[0] + c->corner[1]);
    return c->corner[1] > 0 &&
           fabs(remainder(s - mid, l)) < 0.5 * (c->corner[1] - c->corner[0]) + l / SAMPLES;
}

// Sizes of cells at samples of an arc: they follow its curvature, and grow gently.
static void arc_sizes(const struct solid *s, const struct share_side *arc, double *size)
{
    const double step = (arc->end[1] - arc->end[0]) / SAMPLES;
    for (int k = 0; k <= SAMPLES; k++) {
        const double bend = fabs(curve_curvature(s->c->curve, arc->end[0] + k * step));
        size[k] = fmin(s->size, s->turn / fmax(bend, 1e-300));
        if (on_base(s->c, arc->end[0] + k * step))
            size[k] = fmin(size[k], (s->c->corner[1] - s->c->corner[0]) / BASE);
    }
    for (int k = 1; k <= SAMPLES; k++)
        size[k] = fmin(size[k], size[k - 1] + SPREAD * step);
    for (int k = SAMPLES - 1; k >= 0; k--)
        size[k] = fmin(size[k], size[k + 1] + SPREAD * step);
}

static double arc_cells(const struct solid *s, const struct share_side *arc)
{
    double size[SAMPLES + 1], n = 0;
    arc_sizes(s, arc, size);
    for (int k = 0; k < SAMPLES; k++)
        n += (arc->end[1] - arc->end[0]) / SAMPLES * 2 / (size[k] + size[k + 1]);
    return n;
}

// The node of the arc nearest to the corner moves there.
static void take_corner(const struct shares *c, struct share_side *arc, double corner)
{
    const double l = c->curve->length,
                 s = arc->end[0] + (corner - arc->end[0]) - l * floor((corner - arc->end[0]) / l);
    int near = 1;
    for (int i = 2; i < arc->n; i++)
        near = fabs(arc->s[i] - s) < fabs(arc->s[near] - s) ? i : near;
    if (near < arc->n && s > arc->s[near - 1] && s < arc->s[near + 1])
        arc->s[near] = s;
}

static int arc_places(const struct solid *s, struct share_side *arc)
{
    double size[SAMPLES + 1], sum[SAMPLES + 1];
    arc_sizes(s, arc, size);
    sum[0] = 0;
    for (int k = 0; k < SAMPLES; k++)
        sum[k + 1] = sum[k] + 2 / (size[k] + size[k + 1]);
    free(arc->s);
    arc->s = malloc(((size_t)arc->n + 1) * sizeof *arc->s);
    if (!arc->s)
        return EXIT_FAILED;
    for (int i = 0, k = 0; i <= arc->n; i++) {
        const double want = sum[SAMPLES] * i / arc->n;
        while (k < SAMPLES - 1 && sum[k + 1] < want)
            k++;
        const double at = k + (want - sum[k]) / (sum[k + 1] - sum[k]);
        arc->s[i] = arc->end[0] + (arc->end[1] - arc->end[0]) * at / SAMPLES;
    }
    for (int k = 0; k < 2 && s->c->corner[1] > 0; k++)
        take_corner(s->c, arc, s->c->corner[k]);
    return EXIT_DONE;
}

int solid_units(double n)
{
    return UNIT * (int)fmax(1, ceil(n / UNIT - 1e-9));
}

// Cells of a side: a cut's are those of both its shares.
static int *cells_of(struct shares *c, struct share_side *s)
{
    return s->cut < 0 ? &s->n : &c->cut[s->cut].n;
}

static void count_sides(struct solid *s)
{
    struct shares *c = s->c;
    for (int k = 0; k < c->nshare; k++)
        for (int l = 0; l < c->share[k].nside; l++) {
            const struct share *a = &c->share[k];
            struct share_side *side = &c->share[k].side[l];
            double n = a->hole < 0 ? 0 : AROUND * seen(c, a, side) / (2 * M_PI);
            if (side->cut < 0)
                n = fmax(n, arc_cells(s, side));
            else
                n = fmax(n,
                         norm(sub(c->node[side->node[0]].at, c->node[side->node[1]].at)) / s->size);
            int *to = cells_of(c, side);
            *to = solid_units(n) > *to ? solid_units(n) : *to;
        }
}

// Cells of sides from..to - 1 of a share; *longest: the one with most.
static int sum_cells(struct shares *c, struct share *a, int from, int to, int **longest)
{
    int n = 0;
    for (int l = from; l < to; l++) {
        int *cells = cells_of(c, &a->side[l]);
        *longest = l == from || *cells > **longest ? cells : *longest;
        n += *cells;
    }
    return n;
}

int share_first_arc(const struct share *a)
{
    int l = 0;
    while (a->side[l].cut >= 0)
        l++;
    return l;
}

// Makes the counts of a massive share fit its zones; returns whether one had to change.
static bool fit_counts(struct solid *s, int k)
{
    struct shares *c = s->c;
    struct share *a = &c->share[k];
    const int arc = share_first_arc(a), last = a->nside - 1;
    int *long0 = NULL, *long1 = NULL, *const n = &a->side[last].n;
    const int before = sum_cells(c, a, 0, arc, &long0);
    if (a->narc == 2) {
        const int more = before - sum_cells(c, a, arc + 1, last, &long1);
        const int wider = a->side[arc].n - *n;
        *(more > 0 ? long1 : long0) += abs(more);
        *(wider > 0 ? n : &a->side[arc].n) += abs(wider);
        return more || wider;
    }
    if (before < 2 * SOLID_SKIN + UNIT) {
        *long0 += 2 * SOLID_SKIN + UNIT - before;
        return true;
    }
    s->core[k] = before - 2 * SOLID_SKIN;
    const int along = *n - s->core[k],
              odd = along < 4 * UNIT ? 4 * UNIT - along : along % (2 * UNIT);
    *n += odd;
    return odd != 0;
}

int solid_count(struct solid *s)
{
    struct shares *c = s->c;
    count_sides(s);
    for (bool again = true; again;) {
        again = false;
        for (int k = 0; k < c->nshare; k++) {
            if (c->share[k].hole < 0 && (c->share[k].narc < 1 || c->share[k].narc > 2)) {
                snprintf(c->fault, sizeof c->fault,
                         "a massive share of the profile has %d pieces of its surface",
                         c->share[k].narc);
                return EXIT_MESH;
            }
            again = (c->share[k].hole < 0 && fit_counts(s, k)) || again;
        }
    }
    for (int k = 0; k < c->nshare; k++)
        for (int l = 0; l < c->share[k].nside; l++) {
            struct share_side *side = &c->share[k].side[l];
            side->n = *cells_of(c, side);
            if (side->cut < 0 && arc_places(s, side))
                return EXIT_FAILED;
        }
    return EXIT_DONE;
}
