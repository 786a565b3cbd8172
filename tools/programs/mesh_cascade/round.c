// Cut-off and sharp edges become arcs. A cut-off edge, two corners near each other, gets the circle
// that touches both sides and the base, so that the chord stays as it is. A sharp edge, one corner,
// gets a circle of a given radius that touches both sides; the blade becomes shorter by a little.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

#define CORNER    (50 * M_PI / 180) // least turn of one of the two corners of a cut-off edge
#define SHARP     (72 * M_PI / 180) // least turn of a single corner
#define BASE      0.06              // longest base over the perimeter
#define ARC_STEP  (9 * M_PI / 180)
#define MOST_LOST 0.1  // share of the profile's area
#define SMALLEST  1e-7 // radius of an arc over the perimeter
enum { MOST_ARC = 60, ITERATIONS = 60 };

static double turn_at(const struct vec2 *x, int n, int i)
{
    const struct vec2 a = sub(x[i], x[(i + n - 1) % n]), b = sub(x[(i + 1) % n], x[i]);
    return atan2(cross(a, b), dot(a, b));
}

// Distance of c from the side that leaves point `from` in steps of `way`; *piece and *foot: nearest place.
static double side_distance(const struct vec2 *x, int n, int from, int way, double reach,
                            struct vec2 c, int *piece, struct vec2 *foot)
{
    double best = INFINITY, gone = 0;
    *piece = 0;
    *foot = x[from];
    for (int k = 0; k < n / 2 && gone < reach; k++) {
        const int i = (from + way * k + n) % n, j = (i + way + n) % n;
        const struct vec2 e = sub(x[j], x[i]);
        const double l = dot(e, e), t = l > 0 ? fmin(fmax(dot(sub(c, x[i]), e) / l, 0), 1) : 0;
        const struct vec2 p = axpy(t, e, x[i]);
        const double d = norm(sub(c, p));
        if (d < best) {
            best = d;
            *piece = k;
            *foot = p;
        }
        gone += sqrt(l);
    }
    return best;
}

struct edge {
    int a, b;             // corners: one side ends in a, the other begins in b (a = b: sharp)
    struct vec2 m, in;    // middle of the base, unit vector into the blade
    double radius, reach; // of a sharp edge; how far along the sides the circle may touch
};

// What must vanish: both sides are as far from c as the base is (or as the radius).
static void residual(const struct vec2 *x, int n, const struct edge *e, struct vec2 c, double f[2])
{
    int piece;
    struct vec2 foot;
    const double r = e->a == e->b ? e->radius : dot(sub(c, e->m), e->in);
    f[0] = side_distance(x, n, e->a, -1, e->reach, c, &piece, &foot) - r;
    f[1] = side_distance(x, n, e->b, 1, e->reach, c, &piece, &foot) - r;
}

// Centre of the circle; false when no such circle was found.
static bool centre(const struct vec2 *x, int n, const struct edge *e, struct vec2 *c)
{
    double f[2], size = e->reach;
    for (int it = 0; it < ITERATIONS; it++) {
        double fx[2], fy[2];
        const double h = 1e-7 * size;
        residual(x, n, e, *c, f);
        if (fabs(f[0]) + fabs(f[1]) < 1e-12 * size)
            return true;
        residual(x, n, e, (struct vec2){c->x + h, c->y}, fx);
        residual(x, n, e, (struct vec2){c->x, c->y + h}, fy);
        const double a = (fx[0] - f[0]) / h, b = (fy[0] - f[0]) / h, p = (fx[1] - f[1]) / h,
                     q = (fy[1] - f[1]) / h, det = a * q - b * p;
        if (fabs(det) < 1e-12)
            return false;
        struct vec2 step = {-(f[0] * q - b * f[1]) / det, -(a * f[1] - p * f[0]) / det};
        const double most = 0.1 * size, l = norm(step);
        if (l > most)
            step = scale(most / l, step);
        *c = add(*c, step);
    }
    return fabs(f[0]) + fabs(f[1]) < 1e-6 * size;
}

// Puts the arc between the places where the circle touches the two sides; *n changes. x holds room for
// MOST_ARC more points. False: no memory.
static bool cut_in(struct vec2 *x, int *n, const struct edge *e, struct vec2 c)
{
    int back, ahead;
    struct vec2 from, to, out[MOST_ARC + 2];
    const double r = side_distance(x, *n, e->a, -1, e->reach, c, &back, &from);
    side_distance(x, *n, e->b, 1, e->reach, c, &ahead, &to);
    const struct vec2 p = sub(from, c), q = sub(to, c), away = scale(-1, e->in);
    const double first = atan2(p.y, p.x);
    double sweep = atan2(cross(p, q), dot(p, q)), half = atan2(cross(p, away), dot(p, away));
    if (half * sweep < 0 || fabs(half) > fabs(sweep)) // the arc goes round through the apex
        sweep -= sweep > 0 ? 2 * M_PI : -2 * M_PI;
    int steps = (int)ceil(fabs(sweep) / ARC_STEP);
    steps = steps < 4 ? 4 : steps > MOST_ARC - 1 ? MOST_ARC - 1 : steps;
    for (int k = 0; k <= steps; k++) {
        const double angle = first + sweep * k / steps;
        out[k] = (struct vec2){c.x + r * cos(angle), c.y + r * sin(angle)};
    }
    // the points that stay, from the first one behind `to` round to the last one before `from`
    const int start = (e->b + ahead + 1) % *n, end = (e->a - back - 1 + *n) % *n;
    const int keep = (end - start + *n) % *n + 1;
    struct vec2 *copy = malloc((size_t)keep * sizeof *copy);
    if (!copy)
        return false;
    for (int k = 0; k < keep; k++)
        copy[k] = x[(start + k) % *n];
    memcpy(x, copy, (size_t)keep * sizeof *x);
    memcpy(x + keep, out, (size_t)(steps + 1) * sizeof *x);
    free(copy);
    *n = drop_repeats(x, keep + steps + 1, 1e-4 * r);
    return true;
}

static double area(const struct vec2 *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += 0.5 * cross(sub(x[i], x[0]), sub(x[(i + 1) % n], x[0]));
    return fabs(sum);
}

// What counts as a cut-off edge: each of its corners turns by at least `each`, both by `both`.
struct corners {
    double each, both;
};
static const struct corners to_round = {CORNER, 2 * SHARP}, to_keep = {0.8 * CORNER, 2 * CORNER};

// The next edge from point `first` on: two corners no farther apart than BASE of the perimeter, or one sharp
// corner.
static bool find_edge(const struct vec2 *x, int n, int first, struct corners least,
                      double perimeter, double radius, struct edge *e)
{
    for (int pass = 0; pass < 2; pass++) // cut-off edges first: their corners are sharp, too
        for (int i = first; i < n; i++) {
            const double turn = fabs(turn_at(x, n, i));
            if (turn < (pass ? SHARP : least.each))
                continue;
            *e = (struct edge){.a = i, .b = i, .radius = radius, .reach = 0.15 * perimeter};
            double gone = 0;
            for (int k = 1; k < n / 4 && !pass; k++) {
                const int j = (i + k) % n;
                gone += norm(sub(x[j], x[(j + n - 1) % n]));
                if (gone > BASE * perimeter)
                    break;
                if (fabs(turn_at(x, n, j)) > least.each &&
                    turn + fabs(turn_at(x, n, j)) > least.both) {
                    e->b = j;
                    break;
                }
            }
            if (!pass && e->b == i)
                continue;
            const struct vec2 before = sub(x[(e->a + n - 1) % n], x[e->a]),
                              behind = sub(x[(e->b + 1) % n], x[e->b]);
            const struct vec2 d =
                add(scale(1 / norm(before), before), scale(1 / norm(behind), behind));
            e->m = scale(0.5, add(x[e->a], x[e->b]));
            const struct vec2 base = sub(x[e->b], x[e->a]);
            e->in = pass ? d : (struct vec2){-base.y, base.x};
            e->in = scale((dot(e->in, d) < 0 ? -1 : 1) / norm(e->in), e->in);
            return true;
        }
    return false;
}

bool profile_base(const struct vec2 *x, int n, int corner[2], double *sharp)
{
    double perimeter = 0;
    for (int i = 0; i < n; i++)
        perimeter += norm(sub(x[(i + 1) % n], x[i]));
    struct edge e = {0};
    for (int first = 0; find_edge(x, n, first, to_keep, perimeter, 0, &e) && e.a != e.b;
         first = e.a + 1) {
        struct vec2 far = e.m;
        for (int i = 0; i < n; i++)
            if (norm(sub(x[i], e.m)) > norm(sub(far, e.m)))
                far = x[i];
        corner[0] = e.a;
        corner[1] = e.b;
        *sharp = fmax(fabs(turn_at(x, n, e.a)), fabs(turn_at(x, n, e.b)));
        // the points beside the corners of a round edge turn, too
        const bool alone = fabs(turn_at(x, n, (e.a + n - 1) % n)) < 0.5 * CORNER &&
                           fabs(turn_at(x, n, (e.b + 1) % n)) < 0.5 * CORNER;
        if (e.m.x > far.x && alone)
            return true;
    }
    return false;
}

int profile_round(struct vec2 *x, int *n, double radius, struct rounding *r)
{
    double perimeter = 0, chord = 0;
    *r = (struct rounding){0};
    for (int i = 0; i < *n; i++) {
        perimeter += norm(sub(x[(i + 1) % *n], x[i]));
        chord = fmax(chord, norm(sub(x[i], x[0])));
    }
    const double before = area(x, *n);
    if (radius <= 0)
        radius = 0.002 * chord;
    struct edge e;
    while (r->edges < ROUNDINGS && find_edge(x, *n, 0, to_round, perimeter, radius, &e)) {
        const double base = norm(sub(x[e.b], x[e.a]));
        const double turn = fabs(turn_at(x, *n, e.a));
        struct vec2 corner[2] = {x[e.a], x[e.b]};
        struct vec2 c =
            axpy(e.a == e.b ? radius / fmax(cos(0.5 * turn), 0.05) : 0.5 * base, e.in, e.m);
        if (!centre(x, *n, &e, &c)) {
            snprintf(r->fault, sizeof r->fault, "no circle touches both of its sides");
            return EXIT_INPUT;
        }
        int piece;
        struct vec2 foot;
        const double size = side_distance(x, *n, e.a, -1, e.reach, c, &piece, &foot);
        if (!(size > SMALLEST * perimeter)) {
            snprintf(r->fault, sizeof r->fault,
                     "the arc would have no size: does the profile run back on itself?");
            return EXIT_INPUT;
        }
        if (!cut_in(x, n, &e, c)) {
            snprintf(r->fault, sizeof r->fault, "out of memory");
            return EXIT_INPUT;
        }
        const double lost = fmax(norm(sub(corner[0], c)), norm(sub(corner[1], c))) - size;
        r->at[r->edges] = e.m;
        r->base[r->edges] = base;
        r->radius[r->edges] = size;
        r->lost[r->edges++] = lost;
    }
    r->area = before > 0 ? 1 - area(x, *n) / before : 0;
    // no blade loses so much: a circle met another part of the profile, or points in the wrong order
    if (*n < MIN_POINTS || !(fabs(r->area) <= MOST_LOST)) {
        snprintf(r->fault, sizeof r->fault,
                 "%d points would be left, and the profile's area would change by %.3g %%", *n,
                 -100 * r->area);
        return EXIT_INPUT;
    }
    return EXIT_DONE;
}
