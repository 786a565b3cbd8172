// Blade profile: reading, checking, spline, leading and trailing edge.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

enum { SAMPLES = 4000 };
#define SHOULDER 0.6  // distance from the end of the mean line over the radius of the nose there
#define OPEN     0.05 // share of the perimeter: a loop with a wider gap is open
#define SHORT    0.1 // gap over the shorter segment beside it: the last point is meant to be the first
#define WIDE     2 // gap over the longer segment beside it: it is no segment of the loop

static int fail(const char *path, const char *what)
{
    fprintf(stderr, "%s: error: %s\n", path, what);
    return EXIT_INPUT;
}

static bool segments_cross(struct vec2 a, struct vec2 b, struct vec2 c, struct vec2 d)
{
    const double p = cross(sub(b, a), sub(c, a)), q = cross(sub(b, a), sub(d, a));
    const double r = cross(sub(d, c), sub(a, c)), t = cross(sub(d, c), sub(b, c));
    return p * q < 0 && r * t < 0;
}

static const char *name_point(const struct namer *namer, struct vec2 x, char *words, size_t size)
{
    if (namer)
        namer->write(words, size, x, namer->of);
    else
        snprintf(words, size, "(%g, %g)", x.x, x.y);
    return words;
}

// Length of the first segment from point `from` on, in steps of `way`, that is longer than tol.
static double segment_beside(const struct vec2 *x, int n, int from, int way, double tol)
{
    for (int i = from; i + way >= 0 && i + way < n; i += way) {
        const double h = norm(sub(x[i + way], x[i]));
        if (h > tol)
            return h;
    }
    return 0;
}

int check_closed(const char *path, const struct vec2 *x, int *count, double tol,
                 const struct namer *namer, double *gap)
{
    char words[200], last[200];
    const int n = *count;
    *gap = 0;
    if (n < 2) /* too few points to be open; the caller says so */
        return EXIT_DONE;
    const double width = norm(sub(x[n - 1], x[0]));
    double sum = width;
    if (width <= tol)
        return EXIT_DONE;
    for (int i = 0; i < n - 1; i++)
        sum += norm(sub(x[i + 1], x[i]));
    const double first = segment_beside(x, n, 0, 1, tol),
                 end = segment_beside(x, n, n - 1, -1, tol);
    if (width > OPEN * sum && width > WIDE * fmax(first, end)) {
        fprintf(stderr,
                "%s: error: the profile is open: its last point, %s, is %.1f %% of the perimeter "
                "from its "
                "first, %s; repeat the first point or give the missing ones\n",
                path, name_point(namer, x[n - 1], last, sizeof last), 100 * width / sum,
                name_point(namer, x[0], words, sizeof words));
        return EXIT_INPUT;
    }
    if (width < SHORT * fmin(first, end) && n > 1)
        --*count;
    else if (width <= WIDE * fmax(first, end))
        return EXIT_DONE; // the first point is not repeated, as many files have it
    *gap = width;
    return EXIT_DONE;
}

int check_points(const char *path, const struct vec2 *x, int n, const int *corner,
                 const struct namer *namer)
{
    char words[200];
    for (int i = 0; i < n; i++) {
        const struct vec2 a = sub(x[(i + 1) % n], x[i]), b = sub(x[(i + 2) % n], x[(i + 1) % n]);
        const double turn = fabs(atan2(cross(a, b), dot(a, b)));
        const int at = (i + 1) % n;
        if (turn > SHARPEST && !(corner && (at == corner[0] || at == corner[1]))) {
            fprintf(stderr,
                    "%s: error: the profile turns by %.0f degrees at its point %s: round that edge "
                    "(%s) or give more points there\n",
                    path, turn * 180 / M_PI, name_point(namer, x[(i + 1) % n], words, sizeof words),
                    namer ? "round_edges: yes" : "--round-edges");
            return EXIT_INPUT;
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = i + 2; j < n; j++) {
            if (i == 0 && j == n - 1)
                continue;
            if (segments_cross(x[i], x[i + 1], x[j], x[(j + 1) % n])) {
                fprintf(stderr, "%s: error: the profile crosses itself near %s\n", path,
                        name_point(namer, x[i], words, sizeof words));
                return EXIT_INPUT;
            }
        }
    return EXIT_DONE;
}

static bool inside(const struct vec2 *x, int n, struct vec2 p)
{
    bool in = false;
    for (int i = 0, j = n - 1; i < n; j = i++)
        if ((x[i].y > p.y) != (x[j].y > p.y) &&
            p.x < x[i].x + (p.y - x[i].y) * (x[j].x - x[i].x) / (x[j].y - x[i].y))
            in = !in;
    return in;
}

int check_pitch(const char *path, const struct vec2 *x, int n, double pitch,
                const struct namer *namer)
{
    char words[200];
    for (int i = 0; i < n; i++)
        if (inside(x, n, (struct vec2){x[i].x, x[i].y + pitch}) ||
            inside(x, n, (struct vec2){x[i].x, x[i].y - pitch})) {
            fprintf(
                stderr,
                "%s: error: neighbouring blades overlap near %s: a pitch of %g %s is too small\n",
                path, name_point(namer, x[i], words, sizeof words), pitch,
                namer ? "rad (360 degrees over 'blades')" : "m");
            return EXIT_INPUT;
        }
    return EXIT_DONE;
}

// Clockwise order: the outward normal is on the left of the direction of travel.
void orient(struct vec2 *x, int n)
{
    double area = 0;
    for (int i = 0; i < n; i++)
        area += cross(sub(x[i], x[0]), sub(x[(i + 1) % n], x[0]));
    if (area < 0)
        return;
    for (int i = 0; i < n / 2; i++) {
        const struct vec2 t = x[i];
        x[i] = x[n - 1 - i];
        x[n - 1 - i] = t;
    }
}

// Centre of the most curved region among the samples with parameter in [s0, s1]: mean of s weighted
// by the curvature in excess of half its maximum, over the contiguous region round the maximum.
static double curved_centre(const struct curve *c, double s0, double s1)
{
    enum { REACH = 8 }; // of the average, in samples
    const double ds = (s1 - s0) / SAMPLES;
    double curvature[SAMPLES + 2 * REACH + 1]; // of the samples from -REACH to SAMPLES + REACH
    for (int i = 0; i <= SAMPLES + 2 * REACH; i++)
        curvature[i] = curve_curvature(c, s0 + (i - REACH) * ds);
    int best = 0;
    double k_max = -1e300;
    for (int i = 0; i <= SAMPLES; i++) {
        // a short average keeps single noisy knots from winning
        double k = 0;
        for (int m = 0; m <= 2 * REACH; m += 2)
            k += curvature[i + m] / 9;
        if (k > k_max) {
            k_max = k;
            best = i;
        }
    }
    double w = 0, ws = 0;
    for (int dir = -1; dir <= 1; dir += 2)
        for (int i = best + (dir > 0); i >= -SAMPLES / 8 && i <= SAMPLES * 9 / 8; i += dir) {
            const double k = curve_curvature(c, s0 + i * ds) - 0.5 * k_max;
            if (k <= 0)
                break;
            w += k;
            ws += k * (s0 + i * ds);
        }
    return w > 0 ? ws / w : s0 + best * ds;
}

// Direction of the line of midpoints between two arcs that leave an edge, from 4 % to 15 % of half the
// perimeter.
static double camber_angle(const struct curve *c, double s, double sign)
{
    const double l = 0.5 * c->length;
    struct vec2 mid[2];
    for (int k = 0; k < 2; k++) {
        const double d = l * (k ? 0.15 : 0.04);
        mid[k] = scale(0.5, add(curve_point(c, s + d), curve_point(c, s - d)));
    }
    const struct vec2 t = scale(sign, sub(mid[1], mid[0]));
    return atan2(t.y, t.x);
}

void blade_angles(const struct profile *p, double mean[2], double edge[2])
{
    for (int k = 0; k < 2; k++) {
        struct camber line;
        const bool found = camber_edge(&line, &p->c, k ? p->s_te : p->s_le);
        mean[k] = found ? line.mean + k * M_PI : k ? p->angle_te : p->angle_le;
        edge[k] = found ? line.edge + k * M_PI : mean[k];
        mean[k] = remainder(mean[k], 2 * M_PI);
        edge[k] = remainder(edge[k], 2 * M_PI);
    }
}

void measure_chord(struct profile *p)
{
    const struct curve *c = &p->c;
    p->le = curve_point(c, p->s_le);
    p->te = curve_point(c, p->s_te);
    double xmin = 1e300, xmax = -1e300,
           near = 0; // a little less than the square of the chord so far
    p->chord = 0;
    for (int i = 0; i < c->n; i++) {
        xmin = fmin(xmin, c->x[i].x);
        xmax = fmax(xmax, c->x[i].x);
        for (int j = i + 1; j < c->n; j++) {
            const struct vec2 way = sub(c->x[i], c->x[j]);
            if (dot(way, way) >= near) { // norm is slow
                p->chord = fmax(p->chord, norm(way));
                near = (1 - 1e-12) * p->chord * p->chord;
            }
        }
    }
    p->axial_chord = xmax - xmin;
    p->angle_le = camber_angle(c, p->s_le, 1);
    p->angle_te = camber_angle(c, p->s_te, -1);
}

// The edge near s, the most curved place: the end of the mean line where s is a shoulder of a blunt nose.
static double edge_or_nose(const struct curve *c, double s)
{
    struct camber line;
    if (!camber_edge(&line, c, s))
        return s;
    const double off = norm(sub(line.nose, curve_point(c, s)));
    if (off < SHOULDER * line.radius || off < 0.01 * 0.5 * c->length)
        return s;
    return line.s;
}

void find_edges(struct profile *p)
{
    const struct curve *c = &p->c;
    // the two knots farthest apart: the one with the larger x lies next to the trailing edge
    double far = -1;
    int i0 = 0, j0 = 0;
    for (int i = 0; i < c->n; i++)
        for (int j = i + 1; j < c->n; j++) {
            const double d = norm(sub(c->x[i], c->x[j]));
            if (d > far)
                far = d, i0 = i, j0 = j;
        }
    const int te = c->x[i0].x > c->x[j0].x ? i0 : j0;
    p->s_te = curved_centre(c, c->s[te] - 0.03 * c->length, c->s[te] + 0.03 * c->length);
    p->s_le = curved_centre(c, p->s_te + 0.3 * c->length, p->s_te + 0.7 * c->length);
    p->s_te = edge_or_nose(c, p->s_te);
    p->s_le = edge_or_nose(c, p->s_le);
    measure_chord(p);
}

const char *profile_fault(const struct profile *p)
{
    if (!(p->chord > 0) || !isfinite(p->chord) || !isfinite(p->le.y) || !isfinite(p->te.y))
        return "the points have no extent, or are too large or too small for a spline";
    if (!isfinite(p->angle_le) || !isfinite(p->angle_te))
        return "the camber line has no direction at the leading or the trailing edge";
    if (!(p->te.x > p->le.x)) // not <=: a coordinate may not be a number
        return "the trailing edge lies upstream of the leading edge";
    return NULL;
}

static double extent(const struct vec2 *x, int n)
{
    double size = 0;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            size = fmax(size, norm(sub(x[i], x[j])));
    return size;
}

// Names points that stand off the curve; with --fit they are left out and the others smoothed.
static int repair(struct points *p, const struct options *o)
{
    const double chord = extent(p->x, p->n), tolerance = o->fit > 0 ? o->fit : 1e-3 * chord;
    double off, moved;
    int left = 0;
    for (int i; left < 10 && (i = outlier_find(p->x, p->n, tolerance, &off)) >= 0; left++) {
        fprintf(stderr,
                "%s:%d: warning: this point, (%g, %g) m, stands %.2g m off the curve through its "
                "neighbours%s\n",
                o->profile, p->line[i], p->x[i].x, p->x[i].y, off,
                o->fit > 0 ? ": left out" : "; --fit leaves it out");
        if (!(o->fit > 0))
            break;
        memmove(p->x + i, p->x + i + 1, (size_t)(p->n - i - 1) * sizeof *p->x);
        memmove(p->line + i, p->line + i + 1, (size_t)(p->n - i - 1) * sizeof *p->line);
        p->n--;
    }
    if (!(o->fit > 0))
        return EXIT_DONE;
    if (points_smooth(p->x, p->n, o->fit, &moved))
        return fail(o->profile, "out of memory");
    printf("points               smoothed, moved by %.3g m at most, %d left out\n", moved, left);
    return EXIT_DONE;
}

static int round_edges(struct points *p, const struct options *o)
{
    struct rounding r;
    struct vec2 *grown = realloc(p->x, (size_t)(p->n + ROUNDINGS * ROUND_POINTS) * sizeof *grown);
    if (!grown)
        return fail(o->profile, "out of memory");
    p->x = grown;
    if (profile_round(p->x, &p->n, o->round, &r)) {
        fprintf(stderr, "%s: error: an edge could not be rounded: %s\n", o->profile, r.fault);
        return EXIT_INPUT;
    }
    for (int k = 0; k < r.edges; k++) {
        printf("rounded edge         at (%.5g, %.5g) m, radius %.4g m", r.at[k].x, r.at[k].y,
               r.radius[k]);
        if (r.base[k] > 0)
            printf(", base %.4g m wide", r.base[k]);
        printf("; its corner was %.3g m outside the arc\n", r.lost[k]);
    }
    if (r.edges)
        printf("profile's area       %.4f %% lost by rounding\n", 100 * r.area);
    else
        printf("rounded edges        none: no edge is cut off or sharp\n");
    return EXIT_DONE;
}

// Factor to metres: --chord, --scale, the heading's unit, else 1.
static double factor(const struct points *p, const struct options *o)
{
    if (o->chord > 0)
        return o->chord / extent(p->x, p->n);
    return o->scale > 0 ? o->scale : p->scale > 0 ? p->scale : 1;
}

// Drops repeated neighbours with their lines, so that messages name the right ones.
static void drop_repeated(struct points *p, double tol)
{
    int k = 0;
    for (int i = 0; i < p->n; i++)
        if (k == 0 || norm(sub(p->x[i], p->x[k - 1])) > tol) {
            p->x[k] = p->x[i];
            p->line[k++] = p->line[i];
        }
    p->n = drop_repeats(p->x, k, tol); // the closing point
}

// Refuses an open profile; a small gap is closed with a warning.
static int close_loop(struct points *p, const char *path, double tol)
{
    double gap;
    if (p->sides)
        return EXIT_DONE;
    const int rc = check_closed(path, p->x, &p->n, tol, NULL, &gap);
    if (!rc && gap > 0)
        fprintf(stderr,
                "%s: warning: the profile's last point is %.3g m from its first one: this gap is "
                "closed\n",
                path, gap);
    return rc;
}

static int prepare(struct points *p, struct options *o)
{
    const double cs = cos(o->stagger), sn = sin(o->stagger), f = factor(p, o);
    o->factor = f;
    o->resized = p->scale > 0 ? f / p->scale : 1;
    for (int i = 0; i < p->n; i++) {
        const struct vec2 a = scale(f, p->x[i]);
        p->x[i] = (struct vec2){cs * a.x - sn * a.y, sn * a.x + cs * a.y};
    }
    const double size = extent(p->x, p->n);
    if (o->pitch_to_chord > 0)
        o->pitch = o->pitch_to_chord * size;
    int rc = close_loop(p, o->profile, 1e-9 * size);
    if (rc)
        return rc;
    drop_repeated(p, 1e-9 * size);
    if (p->n < MIN_POINTS) {
        fprintf(stderr, "%s: error: %d distinct points, at least %d are needed\n", o->profile, p->n,
                MIN_POINTS);
        return EXIT_INPUT;
    }
    rc = profile_suspect(o->profile, p->x, p->n, o->pitch);
    if (!rc)
        rc = repair(p, o);
    return !rc && o->round >= 0 ? round_edges(p, o) : rc;
}

int profile_read(struct profile *p, struct options *o)
{
    struct points points;
    int rc = points_read(&points, o->profile);
    if (rc)
        return rc;
    rc = prepare(&points, o);
    if (!rc)
        rc = check_points(o->profile, points.x, points.n, NULL, NULL);
    if (!rc)
        rc = check_pitch(o->profile, points.x, points.n, o->pitch, NULL);
    if (!rc) {
        orient(points.x, points.n);
        rc = curve_fit(&p->c, points.x, points.n) ? fail(o->profile, "no spline through the points")
                                                  : EXIT_DONE;
    }
    points_free(&points);
    if (rc)
        return rc;
    find_edges(p);
    const char *fault = profile_fault(p);
    if (!fault)
        return EXIT_DONE;
    profile_free(p);
    fprintf(stderr, "%s: error: %s: check the points, --scale and --stagger\n", o->profile, fault);
    return EXIT_INPUT;
}

void profile_free(struct profile *p)
{
    curve_free(&p->c);
}
