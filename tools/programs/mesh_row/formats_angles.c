// Blade sections from angles, thickness and chord, as a meanline program gives them: a table with a
// heading, one line for each section from hub to casing.
//
// Each profile is made with chord 1 in the plane of (m', theta), which is conformal: angles stay. A
// camber line has angles that change along it; the thickness stands normal to it; LE and TE keep a
// base, which round_edges turns into an arc. Turbine profiles are circles at both edges, joined by
// curves that leave them at the blade angle plus and minus half a wedge angle.
//
// Sources: NACA 65-series thickness: NACA RM L51G31, table I (the distribution with a finite trailing
// edge). Double and multiple circular arc: arcs in chordwise coordinates. "power": a thickness whose
// largest value stands at max_at, a straight line between the edges' values plus a power law.
#include "row.h"

#include "kernels/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    SIDE_POINTS = 81,
    ARC_POINTS = 13,
    CAMBER = 400,
    MOST_ANGLES = 21,
    COLUMNS = 40,
    LINE = 2000
};

enum quantity {
    Q_X,
    Q_R,
    Q_R_TE,
    Q_THETA,
    Q_CHORD,
    Q_AXIAL,
    Q_BETA_1,
    Q_BETA_2,
    Q_STAGGER,
    Q_THICKNESS,
    Q_MAX_AT,
    Q_LE,
    Q_TE,
    Q_TURN_AT,
    Q_BETA_T,
    Q_WEDGE_1,
    Q_WEDGE_2,
    QUANTITIES
};
static const char *const names[QUANTITIES] = {
    "x",         "r",       "r_te",    "theta",     "chord",  "axial_chord",
    "beta_1",    "beta_2",  "stagger", "thickness", "max_at", "le_radius",
    "te_radius", "turn_at", "beta_t",  "wedge_1",   "wedge_2"};

struct section {
    double q[QUANTITIES]; // NAN: not given
    int angles;           // of the camber line at fractions of its length: columns beta_PERCENT
    double at[MOST_ANGLES], beta[MOST_ANGLES];
};

// What the columns of the table are: a quantity, or QUANTITIES + percent for beta_PERCENT.
struct heading {
    int n, what[COLUMNS];
};

static int read_heading(struct heading *h, char *text, const char *path, int line)
{
    char *save = NULL;
    for (char *w = strtok_r(text, " \t\r\n", &save); w; w = strtok_r(NULL, " \t\r\n", &save)) {
        int k = 0, used = 0;
        double percent;
        while (k < QUANTITIES && strcasecmp(w, names[k]) != 0)
            k++;
        if (k == QUANTITIES && sscanf(w, "beta_at_%lf%n", &percent, &used) == 1 && !w[used] &&
            percent >= 0 && percent <= 100 && percent == floor(percent))
            k = QUANTITIES + (int)percent;
        else
            AN_CHECK(k < QUANTITIES, AN_INPUT,
                     "%s:%d: error: unknown column '%s': expected x, r, r_te, theta, chord, "
                     "axial_chord, "
                     "beta_1, beta_2, stagger, thickness, max_at, le_radius, te_radius, turn_at, "
                     "beta_t, "
                     "wedge_1, wedge_2, or beta_at_PERCENT (a whole number from 0 to 100)",
                     path, line, w);
        AN_CHECK(h->n < COLUMNS, AN_INPUT, "%s:%d: error: more than %d columns", path, line,
                 COLUMNS);
        for (int c = 0; c < h->n; c++)
            AN_CHECK(h->what[c] != k, AN_INPUT, "%s:%d: error: the column '%s' is there twice",
                     path, line, w);
        h->what[h->n++] = k;
    }
    return AN_OK;
}

static int read_line(struct section *s, const struct heading *h, const char *text, const char *path,
                     int line)
{
    for (int k = 0; k < QUANTITIES; k++)
        s->q[k] = NAN;
    s->angles = 0;
    for (int c = 0; c < h->n; c++) {
        char *end;
        const double v = strtod(text, &end);
        AN_CHECK(end != text && isfinite(v), AN_INPUT,
                 "%s:%d: error: expected %d finite numbers, as many as the heading has names", path,
                 line, h->n);
        text = end;
        if (h->what[c] < QUANTITIES) {
            s->q[h->what[c]] = v;
        } else {
            AN_CHECK(s->angles < MOST_ANGLES, AN_INPUT, "%s:%d: error: more than %d angles", path,
                     line, MOST_ANGLES);
            AN_CHECK(fabs(v) <= 85, AN_INPUT,
                     "%s:%d: error: 'beta_at_%d' is %g, must be from -85 to 85", path, line,
                     h->what[c] - QUANTITIES, v);
            s->at[s->angles] = 0.01 * (h->what[c] - QUANTITIES);
            s->beta[s->angles++] = v * M_PI / 180;
        }
    }
    while (isspace((unsigned char)*text))
        text++;
    AN_CHECK(!*text, AN_INPUT, "%s:%d: error: more numbers than the %d names of the heading", path,
             line, h->n);
    return AN_OK;
}

static bool given(const struct section *s, enum quantity k)
{
    return !isnan(s->q[k]);
}

static double value(const struct section *s, enum quantity k, double otherwise)
{
    return given(s, k) ? s->q[k] : otherwise;
}

// The ranges of what the profile needs; the rest has defaults.
static int check(const struct section *s, const char *profile, const char *path, int line)
{
    const bool turbine = strcmp(profile, "turbine") == 0,
               multiple = strcmp(profile, "multiple_arc") == 0;
    const enum quantity need[] = {Q_X,      Q_R,       Q_BETA_1, Q_BETA_2, Q_THICKNESS, Q_TURN_AT,
                                  Q_BETA_T, Q_STAGGER, Q_LE,     Q_TE,     Q_WEDGE_1,   Q_WEDGE_2};
    for (size_t k = 0; k < sizeof need / sizeof need[0]; k++) {
        const bool angle = need[k] == Q_BETA_1 || need[k] == Q_BETA_2;
        const bool needed = k < 2 || (angle && (turbine || !s->angles)) ||
                            (need[k] == Q_THICKNESS && !turbine) ||
                            (multiple && (need[k] == Q_TURN_AT || need[k] == Q_BETA_T)) ||
                            (turbine && (need[k] == Q_STAGGER || k >= 8));
        AN_CHECK(!needed || given(s, need[k]), AN_INPUT,
                 "%s:%d: error: the profile '%s' needs the column '%s'", path, line, profile,
                 names[need[k]]);
    }
    AN_CHECK(given(s, Q_CHORD) != given(s, Q_AXIAL), AN_INPUT,
             "%s:%d: error: give one of the columns 'chord' and 'axial_chord'", path, line);
    const struct {
        enum quantity q;
        double lo, hi;
    } range[] = {{Q_R, 1e-9, 1e9},     {Q_R_TE, 1e-9, 1e9},      {Q_CHORD, 1e-9, 1e9},
                 {Q_AXIAL, 1e-9, 1e9}, {Q_BETA_1, -85, 85},      {Q_BETA_2, -85, 85},
                 {Q_STAGGER, -85, 85}, {Q_THICKNESS, 1e-3, 0.5}, {Q_MAX_AT, 0.05, 0.95},
                 {Q_LE, 1e-4, 0.2},    {Q_TE, 1e-4, 0.1},        {Q_TURN_AT, 0.05, 0.95},
                 {Q_BETA_T, -85, 85},  {Q_WEDGE_1, 0, 90},       {Q_WEDGE_2, 0, 60}};
    for (size_t k = 0; k < sizeof range / sizeof range[0]; k++)
        AN_CHECK(!given(s, range[k].q) ||
                     (s->q[range[k].q] >= range[k].lo && s->q[range[k].q] <= range[k].hi),
                 AN_INPUT, "%s:%d: error: '%s' is %g, must be from %g to %g", path, line,
                 names[range[k].q], s->q[range[k].q], range[k].lo, range[k].hi);
    const double length = value(s, Q_CHORD, value(s, Q_AXIAL, 0)), most_lengths = 30;
    AN_CHECK(length <= most_lengths * s->q[Q_R], AN_INPUT,
             "%s:%d: error: '%s' is %g at a radius of %g: both are in one unit of length", path,
             line, names[given(s, Q_CHORD) ? Q_CHORD : Q_AXIAL], length, s->q[Q_R]);
    for (int k = 1; k < s->angles; k++)
        AN_CHECK(s->at[k] > s->at[k - 1], AN_INPUT,
                 "%s:%d: error: the columns beta_at_PERCENT must ascend", path, line);
    if (!turbine) {
        const double most = 0.5 * s->q[Q_THICKNESS];
        AN_CHECK(value(s, Q_LE, 0) <= most && value(s, Q_TE, 0) <= most, AN_INPUT,
                 "%s:%d: error: 'le_radius' and 'te_radius' are half the thickness at the edges "
                 "and must be at most half of 'thickness', %g",
                 path, line, most);
    }
    return AN_OK;
}

// Angle of the camber line at fraction t of its length.
static double camber_angle(const struct section *s, const char *profile, double t)
{
    const double rad = M_PI / 180;
    if (s->angles) {
        int k = 0;
        while (k < s->angles - 2 && t > s->at[k + 1])
            k++;
        if (s->angles == 1)
            return s->beta[0];
        const double w = fmin(fmax((t - s->at[k]) / (s->at[k + 1] - s->at[k]), 0), 1);
        return (1 - w) * s->beta[k] + w * s->beta[k + 1];
    }
    const double b1 = rad * s->q[Q_BETA_1], b2 = rad * s->q[Q_BETA_2];
    if (strcmp(profile, "multiple_arc") != 0)
        return (1 - t) * b1 + t * b2; // a circular arc turns evenly
    const double at = s->q[Q_TURN_AT], bt = rad * s->q[Q_BETA_T];
    return t < at ? b1 + (bt - b1) * t / at : bt + (b2 - bt) * (t - at) / (1 - at);
}

// Half the thickness of NACA 65 over the chord at s, for a largest thickness of 1.
static double naca65(double s)
{
    static const double x[] = {0,  0.5, 0.75, 1.25, 2.5, 5,  7.5, 10, 15, 20, 25, 30, 35,
                               40, 45,  50,   55,   60,  65, 70,  75, 80, 85, 90, 95, 100};
    static const double y[] = {0,     0.752, 0.890, 1.124, 1.571, 2.222, 2.709, 3.111, 3.746,
                               4.218, 4.570, 4.824, 4.982, 5.057, 5.029, 4.870, 4.570, 4.151,
                               3.627, 3.038, 2.451, 1.847, 1.251, 0.749, 0.354, 0.150};
    enum { N = sizeof x / sizeof x[0] };
    double root[N], slope[N];
    for (int i = 0; i < N; i++)
        root[i] = sqrt(0.01 * x[i]); // round at the leading edge: straight in the root
    akima_slopes(N, root, y, slope);
    const double t = sqrt(s);
    int i = 0;
    while (i < N - 2 && t > root[i + 1])
        i++;
    const double h = root[i + 1] - root[i];
    return hermite(h, (t - root[i]) / h, y[i], y[i + 1], slope[i], slope[i + 1]) / 10.114;
}

static double half_thickness(const struct section *s, const char *profile, double t)
{
    const double most = s->q[Q_THICKNESS], le = value(s, Q_LE, 0.1 * most),
                 te = value(s, Q_TE, 0.05 * most);
    if (strcmp(profile, "naca65") == 0) // the rear gets the trailing edge's thickness
        return hypot(most * naca65(t), te * pow(t, 4));
    const double line = (1 - t) * le + t * te;
    const double at = value(s, Q_MAX_AT, 0.5), rest = 0.5 * most - ((1 - at) * le + at * te);
    if (strcmp(profile, "power") == 0) {
        const double w = 2 * pow(t, log(0.5) / log(at)) - 1;
        return line + rest * (1 - w * w);
    }
    const double d =
        t < at ? (at - t) / at : (t - at) / (1 - at); // arcs from the crest to both edges
    const double reach = fmax(at, 1 - at),
                 r = (reach * reach + rest * rest) / (2 * fmax(rest, 1e-9));
    const double full = r - sqrt(r * r - reach * reach),
                 part = r - sqrt(r * r - d * d * reach * reach);
    return line + rest * (1 - part / full);
}

// Loop with chord 1 along a camber line: [2 SIDE_POINTS], leading edge near the origin.
static int camber_loop(const struct section *s, const char *profile, struct vec2 *x)
{
    struct vec2 c[CAMBER + 1] = {{0, 0}};
    for (int k = 0; k < CAMBER; k++) {
        const double b = camber_angle(s, profile, (k + 0.5) / CAMBER);
        c[k + 1] = (struct vec2){c[k].x + cos(b) / CAMBER, c[k].y + sin(b) / CAMBER};
    }
    const double size = hypot(c[CAMBER].x, c[CAMBER].y);
    for (int i = 0; i < SIDE_POINTS; i++) {
        const double t = 0.5 * (1 - cos(M_PI * i / (SIDE_POINTS - 1))), a = t * CAMBER;
        const int k = a < CAMBER ? (int)a : CAMBER - 1;
        const struct vec2 m = axpy(a - k, sub(c[k + 1], c[k]), c[k]);
        const double b = camber_angle(s, profile, t), h = half_thickness(s, profile, t);
        x[i] = (struct vec2){m.x / size - h * sin(b), m.y / size + h * cos(b)};
        x[2 * SIDE_POINTS - 1 - i] =
            (struct vec2){m.x / size + h * sin(b), m.y / size - h * cos(b)};
    }
    return 2 * SIDE_POINTS;
}

// One side of a turbine profile: from circle to circle, with given directions at both.
static void turbine_side(struct vec2 *x, struct vec2 a, double at_a, struct vec2 b, double at_b)
{
    const double l = 0.4 * norm(sub(b, a));
    const struct vec2 p = {a.x + l * cos(at_a), a.y + l * sin(at_a)},
                      q = {b.x - l * cos(at_b), b.y - l * sin(at_b)};
    for (int i = 0; i < SIDE_POINTS; i++) {
        const double t = (double)i / (SIDE_POINTS - 1), s = 1 - t;
        x[i] = add(axpy(s * s * s, a, scale(3 * s * s * t, p)),
                   axpy(3 * s * t * t, q, scale(t * t * t, b)));
    }
}

static int turbine_loop(const struct section *s, struct vec2 *x)
{
    const double rad = M_PI / 180, b1 = rad * s->q[Q_BETA_1], b2 = rad * s->q[Q_BETA_2],
                 w1 = 0.5 * rad * s->q[Q_WEDGE_1], w2 = 0.5 * rad * s->q[Q_WEDGE_2],
                 g = rad * s->q[Q_STAGGER];
    const double r1 = s->q[Q_LE], r2 = s->q[Q_TE], l = 1 - r1 - r2;
    const struct vec2 c1 = {r1 * cos(g), r1 * sin(g)}, c2 = {c1.x + l * cos(g), c1.y + l * sin(g)};
    int n = 0;
    // directions along the upper (larger theta) and the lower side at both edges
    const double up[2] = {b1 + w1, b2 - w2}, down[2] = {b1 - w1, b2 + w2};
    const struct vec2 u1 = {c1.x - r1 * sin(up[0]), c1.y + r1 * cos(up[0])},
                      u2 = {c2.x - r2 * sin(up[1]), c2.y + r2 * cos(up[1])},
                      d1 = {c1.x + r1 * sin(down[0]), c1.y - r1 * cos(down[0])},
                      d2 = {c2.x + r2 * sin(down[1]), c2.y - r2 * cos(down[1])};
    turbine_side(x, u1, up[0], u2, up[1]);
    n = SIDE_POINTS;
    for (int i = 1; i < ARC_POINTS; i++) { // round the trailing edge, clockwise
        const double a = up[1] + M_PI / 2 - (M_PI - 2 * w2) * i / ARC_POINTS;
        x[n++] = (struct vec2){c2.x + r2 * cos(a), c2.y + r2 * sin(a)};
    }
    struct vec2 back[SIDE_POINTS];
    turbine_side(back, d1, down[0], d2, down[1]);
    for (int i = 0; i < SIDE_POINTS; i++)
        x[n++] = back[SIDE_POINTS - 1 - i];
    for (int i = 1; i < ARC_POINTS; i++) { // round the leading edge
        const double a = down[0] - M_PI / 2 - (M_PI - 2 * w1) * i / ARC_POINTS;
        x[n++] = (struct vec2){c1.x + r1 * cos(a), c1.y + r1 * sin(a)};
    }
    return n;
}

// Where the line of the section lies in the meridional plane: a straight line from (x, r).
struct slant {
    double x, r, angle, per_length; // m' = per_length * length of the profile's plane
};

static struct slant slant_of(const struct section *s, double stagger)
{
    const double r1 = s->q[Q_R], r2 = value(s, Q_R_TE, r1), rise = r2 - r1;
    const double run = given(s, Q_CHORD) ? s->q[Q_CHORD] * cos(stagger) // along the meridional line
                                         : hypot(s->q[Q_AXIAL], rise);
    // m' = integral of dm / r: with the logarithmic mean of the radii the trailing edge lies at r_te
    const double middle = fabs(rise) > 1e-6 * r1 ? rise / log1p(rise / r1) : 0.5 * (r1 + r2);
    return (struct slant){s->q[Q_X], r1, asin(fmin(fmax(rise / run, -1), 1)),
                          run / (cos(stagger) * middle)};
}

static void place(const struct slant *l, double m, double *x, double *r)
{
    const double slope = sin(l->angle);
    *r = fabs(slope) > 1e-9 ? l->r * exp(m * slope) : l->r;
    *x = l->x + (fabs(slope) > 1e-9 ? (*r - l->r) / tan(l->angle) : l->r * m);
}

static int add_section(struct table *t, const struct section *s, const char *profile,
                       const char *path, int line)
{
    struct vec2 x[2 * SIDE_POINTS + 2 * ARC_POINTS];
    const bool turbine = strcmp(profile, "turbine") == 0;
    const int n = turbine ? turbine_loop(s, x) : camber_loop(s, profile, x);
    const struct vec2 end =
        turbine ? x[SIDE_POINTS] : scale(0.5, add(x[SIDE_POINTS - 1], x[SIDE_POINTS]));
    const double stagger = turbine ? s->q[Q_STAGGER] * M_PI / 180 : atan2(end.y, end.x);
    const struct slant l = slant_of(s, stagger);
    double behind[2]; // x and r of the trailing edge
    place(&l, l.per_length * cos(stagger), &behind[0], &behind[1]);
    const double wanted = value(s, Q_R_TE, s->q[Q_R]);
    AN_CHECK(fabs(behind[1] - wanted) <= 1e-3 * wanted, AN_INPUT,
             "%s:%d: error: a section with a 'chord' of %g at %.4g degrees does not reach from "
             "'r' = %g to 'r_te' = %g",
             path, line, value(s, Q_CHORD, 0), stagger * 180 / M_PI, s->q[Q_R], wanted);
    AN_TRY(table_section(t, path, line));
    for (int i = 0; i < n; i++) {
        double v[3];
        place(&l, l.per_length * x[i].x, &v[0], &v[1]);
        v[2] = value(s, Q_THETA, 0) * M_PI / 180 + l.per_length * (x[i].y - 0.5 * end.y);
        AN_TRY(table_row(t, v, line));
    }
    table_finish(t);
    t->closed = true;
    return AN_OK;
}

// Hub or casing through the edges of the first or last section: straight along the blade, then cylinders
// to 1.2 chords ahead of the leading and 0.7 chords behind the trailing edge.
static int add_wall(struct table *w, const struct table *t, int k, const char *path)
{
    double lo[2] = {INFINITY, 0}, hi[2] = {-INFINITY, 0};
    for (int i = t->start[k]; i < t->start[k + 1]; i++) {
        const double *v = t->v + 3 * i;
        if (v[0] < lo[0])
            lo[0] = v[0], lo[1] = v[1];
        if (v[0] > hi[0])
            hi[0] = v[0], hi[1] = v[1];
    }
    const double c = hi[0] - lo[0], slope = (hi[1] - lo[1]) / c;
    w->columns = 2;
    AN_TRY(table_section(w, path, 1));
    for (int i = 0; i <= 28;
         i++) { // a corner is spread over half a chord on either side of an edge
        const double x = -1.2 + 0.1 * i + (i > 27 ? 0.1 : 0), a = fmin(fmax(x, 0), 1);
        const double v[2] = {lo[0] + c * x, lo[1] + slope * c * a};
        AN_TRY(table_row(w, v, 1));
    }
    table_finish(w);
    return AN_OK;
}

static int read_table(struct row_input *in)
{
    const char *path = in->angles;
    struct heading h = {0};
    struct table *t = &in->given[0];
    char text[LINE];
    *t = (struct table){.columns = 3};
    FILE *f = an_text_open(path);
    AN_CHECK(f, AN_INPUT, "%s: error: %s", path, strerror(errno));
    int rc = AN_OK;
    for (int line = 1; !rc && fgets(text, sizeof text, f); line++) {
        struct section s;
        char *mark = strchr(text, '#'), *p = text;
        if (strlen(text) == sizeof text - 1) {
            rc = an_error_set(
                AN_INPUT, "%s:%d: error: the line is too long for a table: is this a text file?",
                path, line);
            break;
        }
        if (mark)
            *mark = 0;
        for (char *c = text; *c; c++)
            if (*c == ',' || *c == ';')
                *c = ' ';
        while (isspace((unsigned char)*p))
            p++;
        if (!*p)
            continue;
        if (!h.n) {
            rc = read_heading(&h, p, path, line);
            continue;
        }
        rc = read_line(&s, &h, p, path, line);
        if (!rc)
            rc = check(&s, in->profile, path, line);
        if (!rc)
            rc = add_section(t, &s, in->profile, path, line);
        for (int k = 0; !rc && k < s.angles; k++)
            in->most_angle = fmax(in->most_angle, fabs(s.beta[k]));
        for (int k = Q_BETA_1; !rc && k <= Q_BETA_2; k++)
            in->most_angle = fmax(in->most_angle, fabs(value(&s, (enum quantity)k, 0)));
    }
    fclose(f);
    AN_TRY(rc);
    AN_CHECK(t->nsection >= 2, AN_INPUT,
             "%s: error: expected a heading and a line for each of two sections or "
             "more",
             path);
    return AN_OK;
}

int angles_load(struct row_input *in)
{
    AN_TRY(read_table(in));
    const struct table *t = &in->given[0];
    for (int which = 1; which < 3; which++) {
        char *name = which == 1 ? in->hub : in->casing;
        if (*name)
            continue;
        snprintf(name, sizeof in->hub, "%.900s (%s)", in->angles, which == 1 ? "hub" : "casing");
        AN_TRY(add_wall(&in->given[which], t, which == 1 ? 0 : t->nsection - 1, in->angles));
    }
    snprintf(in->sections, sizeof in->sections, "%.1000s", in->angles);
    in->columns = 3;
    in->column[0] = COLUMN_X;
    in->column[1] = COLUMN_R;
    in->column[2] = COLUMN_THETA;
    in->angle = 1;
    in->round_edges = 1;
    snprintf(in->told, sizeof in->told,
             "geometry             %.900s: %d sections '%s' from angles\n", in->angles, t->nsection,
             in->profile);
    return AN_OK;
}
