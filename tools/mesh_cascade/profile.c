// Blade profile: reading, checking, spline, leading and trailing edge.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh.h"

enum { MIN_POINTS = 20, SAMPLES = 4000 };

static int fail(const char *path, const char *what)
{
    fprintf(stderr, "%s: error: %s\n", path, what);
    return EXIT_INPUT;
}

// Reads "x y" lines; '#' starts a comment; commas count as blanks. Lines of words before the first point
// are a heading.
static int read_points(const char *path, struct vec2 **out, int *count)
{
    FILE *f = fopen(path, "r");
    if (!f) {
        fprintf(stderr, "%s: error: %s\n", path, strerror(errno));
        return EXIT_INPUT;
    }
    struct vec2 *x = NULL;
    int n = 0, cap = 0, line = 0, rc = EXIT_DONE;
    char buf[512];
    while (rc == EXIT_DONE && fgets(buf, sizeof buf, f)) {
        line++;
        char *p = strchr(buf, '#');
        if (p)
            *p = 0;
        for (p = buf; *p; p++)
            if (*p == ',' || *p == ';')
                *p = ' ';
        double v[2];
        int k = 0;
        for (p = buf; k < 2; k++) {
            char *end;
            v[k] = strtod(p, &end);
            if (end == p)
                break;
            p = end;
        }
        while (isspace((unsigned char)*p))
            p++;
        if (k == 0 && (!*p || n == 0))
            continue;
        if (k < 2 || *p || !isfinite(v[0]) || !isfinite(v[1])) {
            fprintf(stderr,
                    "%s:%d: error: expected two finite numbers, x and y, and nothing else\n", path,
                    line);
            rc = EXIT_INPUT;
        } else {
            if (n == cap) {
                cap = cap ? 2 * cap : 256;
                struct vec2 *grown = realloc(x, (size_t)cap * sizeof *x);
                if (!grown) {
                    rc = fail(path, "out of memory");
                    break;
                }
                x = grown;
            }
            x[n++] = (struct vec2){v[0], v[1]};
        }
    }
    fclose(f);
    if (rc)
        free(x);
    else
        *out = x, *count = n;
    return rc;
}

// Drops repeated neighbours (and the repeated closing point).
int drop_repeats(struct vec2 *x, int n, double tol)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        if (k == 0 || norm(sub(x[i], x[k - 1])) > tol)
            x[k++] = x[i];
    while (k > 1 && norm(sub(x[k - 1], x[0])) <= tol)
        k--;
    return k;
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

int check_points(const char *path, const struct vec2 *x, int n, const struct namer *namer)
{
    char words[200], last[200];
    double gap = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        const double h = norm(sub(x[(i + 1) % n], x[i]));
        gap = fmax(gap, i == n - 1 ? h : 0);
        sum += h;
    }
    if (gap > 0.05 * sum) {
        fprintf(stderr,
                "%s: error: the profile is open: its last point, %s, is %.1f %% of the perimeter "
                "from its "
                "first, %s; repeat the first point or give the missing ones\n",
                path, name_point(namer, x[n - 1], last, sizeof last), 100 * gap / sum,
                name_point(namer, x[0], words, sizeof words));
        return EXIT_INPUT;
    }
    for (int i = 0; i < n; i++) {
        const struct vec2 a = sub(x[(i + 1) % n], x[i]), b = sub(x[(i + 2) % n], x[(i + 1) % n]);
        const double turn = fabs(atan2(cross(a, b), dot(a, b)));
        if (turn > 1.3) {
            fprintf(stderr,
                    "%s: error: the profile turns by %.0f degrees at its point %s: round that edge "
                    "or give "
                    "more points there\n",
                    path, turn * 180 / M_PI,
                    name_point(namer, x[(i + 1) % n], words, sizeof words));
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
        area += cross(x[i], x[(i + 1) % n]);
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
    const double ds = (s1 - s0) / SAMPLES;
    int best = 0;
    double k_max = -1e300;
    for (int i = 0; i <= SAMPLES; i++) {
        // a short average keeps single noisy knots from winning
        double k = 0;
        for (int m = -4; m <= 4; m++)
            k += curve_curvature(c, s0 + (i + 2 * m) * ds) / 9;
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

// Direction of the line of midpoints between two arcs that leave an edge, from 3 % to 12 % of the
// perimeter's half.
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

void measure_chord(struct profile *p)
{
    const struct curve *c = &p->c;
    p->le = curve_point(c, p->s_le);
    p->te = curve_point(c, p->s_te);
    double xmin = 1e300, xmax = -1e300;
    p->chord = 0;
    for (int i = 0; i < c->n; i++) {
        xmin = fmin(xmin, c->x[i].x);
        xmax = fmax(xmax, c->x[i].x);
        for (int j = i + 1; j < c->n; j++)
            p->chord = fmax(p->chord, norm(sub(c->x[i], c->x[j])));
    }
    p->axial_chord = xmax - xmin;
    p->angle_le = camber_angle(c, p->s_le, 1);
    p->angle_te = camber_angle(c, p->s_te, -1);
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
    measure_chord(p);
}

int profile_read(struct profile *p, const struct options *o)
{
    struct vec2 *x = NULL;
    int n = 0;
    int rc = read_points(o->profile, &x, &n);
    if (rc)
        return rc;
    double size = 0;
    const double cs = cos(o->stagger), sn = sin(o->stagger);
    for (int i = 0; i < n; i++) {
        const struct vec2 a = scale(o->scale, x[i]);
        x[i] = (struct vec2){cs * a.x - sn * a.y, sn * a.x + cs * a.y};
        size = fmax(size, norm(sub(x[i], x[0])));
    }
    n = drop_repeats(x, n, 1e-9 * size);
    if (n < MIN_POINTS) {
        fprintf(stderr, "%s: error: %d distinct points, at least %d are needed\n", o->profile, n,
                MIN_POINTS);
        rc = EXIT_INPUT;
    }
    if (!rc)
        rc = profile_suspect(o->profile, x, n, o->pitch);
    if (!rc)
        rc = check_points(o->profile, x, n, NULL);
    if (!rc)
        rc = check_pitch(o->profile, x, n, o->pitch, NULL);
    if (!rc) {
        orient(x, n);
        rc = curve_fit(&p->c, x, n) ? fail(o->profile, "no spline through the points") : EXIT_DONE;
    }
    free(x);
    if (rc)
        return rc;
    find_edges(p);
    if (p->te.x <= p->le.x) {
        profile_free(p);
        return fail(o->profile,
                    "the trailing edge lies upstream of the leading edge: check the stagger");
    }
    return EXIT_DONE;
}

void profile_free(struct profile *p)
{
    curve_free(&p->c);
}
