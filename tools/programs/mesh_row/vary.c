// Variations of a blade: sections that are moved, turned, scaled, bent and thickened in their planes.
#include "row.h"

#include <math.h>
#include <stdlib.h>

// A section in the frame of its chord: xi from the leading (0) to the trailing edge (1), eta to the left of it, both over
// the chord. The two sides run from edge to edge.
struct framed {
    const struct profile *p;
    const struct vec2 *x; // [n] knots of the curve
    int n;
    double chord;    // from edge to edge
    struct vec2 t;   // unit vector along it
    struct vec2 *at; // [n] xi, eta (owned)
    bool *lower;     // [n] of the side that runs back from the trailing edge (owned)
};

static void to_frame(struct framed *f)
{
    const struct profile *p = f->p;
    f->chord = norm(sub(p->te, p->le));
    f->t = scale(1 / f->chord, sub(p->te, p->le));
    const struct vec2 normal = {-f->t.y, f->t.x};
    const double te = fmod(p->s_te - p->s_le + p->c.length, p->c.length);
    for (int i = 0; i < f->n; i++) {
        const struct vec2 d = scale(1 / f->chord, sub(f->x[i], p->le));
        f->at[i] = (struct vec2){dot(d, f->t), dot(d, normal)};
        f->lower[i] = fmod(p->c.s[i] - p->s_le + p->c.length, p->c.length) > te;
    }
}

// eta of one side at xi, by straight lines between its points and the edges.
static double side_at(const struct framed *f, bool lower, double xi)
{
    struct vec2 before = {0, 0}, after = {1, 0};
    for (int i = 0; i < f->n; i++) {
        if (f->lower[i] != lower)
            continue;
        if (f->at[i].x <= xi && f->at[i].x >= before.x)
            before = f->at[i];
        if (f->at[i].x > xi && f->at[i].x < after.x)
            after = f->at[i];
    }
    if (xi <= 0 || xi >= 1)
        return 0;
    return before.y + (after.y - before.y) * (xi - before.x) / (after.x - before.x);
}

static double bernstein(int i, double x) // of degree 7
{
    static const double choose[8] = {1, 7, 21, 35, 35, 21, 7, 1};
    return choose[i] * pow(x, i) * pow(1 - x, 7 - i);
}

// What the thickness gains at xi, over the chord; the edges keep their shape, on two hundredths of the chord. size: of the
// chord, m.
static double gain(const double *v, double xi, double size)
{
    const double x = fmin(1, fmax(0, xi)), deg = M_PI / 180;
    // points 2 and 7 of the curve make the slopes at its ends
    double t = (bernstein(1, x) * 2 * tan(0.5 * deg * v[VARY_INLET_WEDGE]) +
                bernstein(6, x) * 2 * tan(0.5 * deg * v[VARY_OUTLET_WEDGE])) /
               7;
    for (int k = 0; k < 4; k++)
        t += bernstein(2 + k, x) * v[VARY_POINT + k] / size;
    const double way = fmin(1, fmin(x, 1 - x) / 0.02);
    return t * way * way * (3 - 2 * way);
}

void vary_at(const struct row_input *in, double w, double v[VARY_KINDS])
{
    for (int k = 0; k < VARY_KINDS; k++)
        v[k] = 0;
    for (int a = 0; a < in->varies; a++) {
        double weight = 1; // Lagrange
        for (int b = 0; b < in->varies; b++)
            if (b != a)
                weight *= (w - in->vary[b].at) / (in->vary[a].at - in->vary[b].at);
        for (int k = 0; k < VARY_KINDS; k++)
            v[k] += weight * in->vary[a].value[k];
    }
}

static struct vec2 centroid(const struct vec2 *x, int n)
{
    struct vec2 sum = {0, 0};
    double area = 0;
    for (int i = 0; i < n; i++) {
        const struct vec2 a = sub(x[i], x[0]), b = sub(x[(i + 1) % n], x[0]);
        const double c = cross(a, b);
        area += c;
        sum = axpy(c / 3, add(a, b), sum);
    }
    return axpy(1 / area, sum, x[0]);
}

// eta of point i of the varied section; AN_INPUT: the section would have no thickness there.
static int bent(const struct framed *f, const double *v, double size, int i, double *eta)
{
    const double deg = M_PI / 180, xi = f->at[i].x, own = f->at[i].y,
                 other = side_at(f, !f->lower[i], xi), half = 0.5 * (own - other),
                 x = fmin(1, fmax(0, xi)), sign = half < 0 ? -1 : 1, least = 0.2 * fabs(half),
                 wanted = fabs(half) * v[VARY_THICKNESS] + 0.5 * gain(v, xi, size);
    // round an edge the sides meet, and lines between points do not tell how thick the section is
    if (wanted < least && x > 0.02 && x < 0.98)
        return AN_INPUT;
    *eta = 0.5 * (own + other) + sign * fmax(wanted, least) -
           x * (1 - x) * (1 - x) * tan(deg * v[VARY_INLET]) +
           x * x * (1 - x) * tan(deg * v[VARY_OUTLET]);
    return AN_OK;
}

int vary_section(struct vec2 *x, const struct profile *p, double radius, const double *v,
                 double *thin)
{
    const int n = p->c.n;
    struct framed f = {.p = p, .x = p->c.x, .n = n};
    const struct vec2 middle = centroid(p->c.x, n);
    const double turn = -M_PI / 180 * v[VARY_STAGGER]; // y runs against theta
    int rc = AN_OK;
    f.at = malloc((size_t)n * sizeof *f.at);
    f.lower = malloc((size_t)n * sizeof *f.lower);
    if (!f.at || !f.lower)
        rc = an_error_set(AN_FAIL, "out of memory");
    else
        to_frame(&f);
    for (int i = 0; i < n && !rc; i++) {
        double eta = 0;
        rc = bent(&f, v, f.chord * radius, i, &eta);
        *thin = f.at[i].x;
        const struct vec2 plain = axpy(f.chord * eta, (struct vec2){-f.t.y, f.t.x},
                                       axpy(f.chord * f.at[i].x, f.t, p->le)),
                          d = scale(v[VARY_CHORD], sub(plain, middle));
        x[i] = (struct vec2){middle.x + cos(turn) * d.x - sin(turn) * d.y + v[VARY_SWEEP] / radius,
                             middle.y + sin(turn) * d.x + cos(turn) * d.y - v[VARY_LEAN] / radius};
    }
    free(f.at);
    free(f.lower);
    return rc;
}
