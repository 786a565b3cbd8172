// The blade: closed sections on their own surfaces of revolution, then curves along the span.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// One section: its stream surface as m' -> (u, v), and the closed curve in (m', y).
struct section {
    int n;                       // points of the surface's meridional line
    double *m, *u, *v, *du, *dv; // m owns all
    double *at;                  // [n] the spots' `at` at these points
    struct profile profile;
    struct rounding rounding; // lengths over the radius
    bool cut;                 // the trailing edge has two corners
    double sharp;             // the larger turn of these, rad
    double r;                 // mean radius
    double gap;               // between the loop's ends, over the radius; 0: it is closed
};

static void section_free(struct section *s)
{
    free(s->m);
    profile_free(&s->profile);
}

struct spot { // a point of the table
    double x, r, y[2];
    int line; // of the file
    double u, v;
    double at; // place along the meridional line: x in an axial duct, else u
};

static int by_place(const void *a, const void *b)
{
    const double d = ((const struct spot *)a)->at - ((const struct spot *)b)->at;
    return d < 0 ? -1 : d > 0;
}

static int line_new(struct section *s, int n)
{
    s->m = malloc(6 * (size_t)n * sizeof *s->m);
    AN_CHECK(s->m, AN_FAIL, "out of memory");
    s->u = s->m + n;
    s->v = s->u + n;
    s->du = s->v + n;
    s->dv = s->du + n;
    s->at = s->dv + n;
    return AN_OK;
}

// The line in the meridional plane that the points of an axial row lie on: the points in order of x, near
// ones merged.
static int line_through(struct section *s, const struct spot *spot, int n)
{
    const double near = 1e-6 * (spot[n - 1].at - spot[0].at);
    AN_TRY(line_new(s, n));
    double last_x = 0, last_r = 0;
    for (int i = 0; i < n; i++) {
        if (s->n > 0 && spot[i].x - last_x < near)
            continue;
        const int k = s->n++;
        const double x = spot[i].x, r = spot[i].r;
        s->m[k] = k ? s->m[k - 1] + hypot(x - last_x, r - last_r) * 2 / (r + last_r) : 0;
        s->u[k] = spot[i].u;
        s->v[k] = spot[i].v;
        s->at[k] = spot[i].at;
        last_x = x;
        last_r = r;
    }
    return AN_OK;
}

// The same where the duct turns. A polynomial in u comes nearest to the points (u, v), because the two
// sides of a thick section may lie off their common line by more than the distance of two points.
static int line_near(struct section *s, const struct meridian *g, const struct spot *spot, int n,
                     double *off)
{
    enum { POINTS = 2001, DEGREE = MAX_DEGREE };
    const double a = spot[0].u, b = spot[n - 1].u;
    double *at = malloc(2 * (size_t)n * sizeof *at), *v = at + n, c[DEGREE + 1];
    AN_CHECK(at, AN_FAIL, "out of memory");
    for (int i = 0; i < n; i++) {
        at[i] = 2 * (spot[i].u - a) / (b - a) - 1;
        v[i] = spot[i].v;
    }
    polynomial_fit(n, at, v, DEGREE, c);
    *off = 0;
    for (int i = 0; i < n; i++)
        *off = fmax(*off, fabs(polynomial_value(DEGREE, c, at[i]) - v[i]));
    free(at);
    AN_TRY(line_new(s, POINTS));
    struct point last = {0, 0};
    for (s->n = 0; s->n < POINTS; s->n++) {
        const int k = s->n;
        const double t = (double)k / (POINTS - 1);
        s->at[k] = s->u[k] = a + t * (b - a);
        s->v[k] = polynomial_value(DEGREE, c, 2 * t - 1);
        const struct point p = meridian_point(g, s->u[k], s->v[k]);
        s->m[k] = k ? s->m[k - 1] + hypot(p.x - last.x, p.r - last.r) * 2 / (p.r + last.r) : 0;
        last = p;
    }
    return AN_OK;
}

// Finds the points' place in the duct, sorts them along it and draws the line that they lie on.
static int surface_line(struct section *s, const struct meridian *g, const struct row_input *in,
                        struct spot *spot, int n, const char *where)
{
    double off = 0;
    for (int i = 0; i < n; i++) {
        struct spot *p = &spot[i];
        AN_CHECK(!meridian_locate(g, (struct point){p->x, p->r}, &p->u, &p->v), AN_INPUT,
                 "%s: error: the point x = %g %s, r = %g %s does not lie between inlet and outlet",
                 where, p->x / in->length, input_unit(in), p->r / in->length, input_unit(in));
        p->at = g->axial ? p->x : p->u;
    }
    struct spot *sorted = malloc((size_t)n * sizeof *sorted);
    AN_CHECK(sorted, AN_FAIL, "out of memory");
    for (int i = 0; i < n; i++)
        sorted[i] = spot[i];
    qsort(sorted, (size_t)n, sizeof *sorted, by_place);
    const int rc = g->axial ? line_through(s, sorted, n) : line_near(s, g, sorted, n, &off);
    free(sorted);
    AN_TRY(rc);
    AN_CHECK(s->n >= 3 && s->at[s->n - 1] > s->at[0], AN_INPUT,
             "%s: error: all points lie at the same place along the duct", where);
    AN_CHECK(off < 0.03, AN_INPUT,
             "%s: error: the points of this section lie off their common surface of revolution by "
             "%.1f %% of the span; up to 3 %% is allowed",
             where, 100 * off);
    akima_slopes(s->n, s->m, s->u, s->du);
    akima_slopes(s->n, s->m, s->v, s->dv);
    return AN_OK;
}

// Beyond the outermost point, where a nose may reach, f goes on with the slope of the last hundredth of the
// line: the last two points may lie so near to each other that their cubic means nothing there.
static double beyond(const struct section *s, const double *f, double m)
{
    const int step = m < s->m[0] ? 1 : -1, end = step > 0 ? 0 : s->n - 1;
    const double least = 0.01 * (s->m[s->n - 1] - s->m[0]);
    int k = end + step;
    while (k + step >= 0 && k + step < s->n && fabs(s->m[k] - s->m[end]) < least)
        k += step;
    return f[end] + (m - s->m[end]) * (f[k] - f[end]) / (s->m[k] - s->m[end]);
}

static double along(const struct section *s, const double *f, const double *df, double m)
{
    int lo = 0, hi = s->n - 1;
    if (m < s->m[0] || m > s->m[hi])
        return beyond(s, f, m);
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(s->m[mid] <= m ? &lo : &hi) = mid;
    }
    const double h = s->m[hi] - s->m[lo];
    return hermite(h, (m - s->m[lo]) / h, f[lo], f[hi], df[lo], df[hi]);
}

// m' of a meridional point, by its place.
static double m_at(const struct section *s, double at)
{
    int lo = 0, hi = s->n - 1;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(s->at[mid] <= at ? &lo : &hi) = mid;
    }
    return s->m[lo] + (s->m[hi] - s->m[lo]) * (at - s->at[lo]) / (s->at[hi] - s->at[lo]);
}

// What names a point of a section's plane: the table's own numbers.
struct origin {
    const struct row_input *in;
    const struct spot *spot; // [n]
    const struct vec2 *x;    // [n] or, paired, [2 n]: where the table's points lie in the plane
    int n;
    bool paired;
};

static void name_spot(char *words, size_t size, struct vec2 x, const void *of)
{
    const struct origin *o = of;
    int best = 0;
    for (int i = 0; i < o->n * (1 + o->paired); i++)
        if (norm(sub(o->x[i], x)) < norm(sub(o->x[best], x)))
            best = i;
    const int side = best >= o->n, i = side ? 2 * o->n - 1 - best : best;
    const struct row_input *in = o->in;
    const char *unit = input_unit(in);
    snprintf(words, size, "x = %.6g %s, r = %.6g %s, theta%s = %.6g %s (line %d)",
             o->spot[i].x / in->length, unit, o->spot[i].r / in->length, unit,
             !o->paired ? ""
             : side     ? "_2"
                        : "_1",
             -in->theta * o->spot[i].y[side] / in->angle, in->angle == 1 ? "rad" : "deg",
             o->spot[i].line);
}

// The curve through points in clockwise order whose trailing edge has these two corners. It begins at the
// point farthest from there.
static int cut_curve(struct profile *p, struct vec2 *x, int n, const int corner[2])
{
    const struct vec2 m = scale(0.5, add(x[corner[0]], x[corner[1]]));
    struct vec2 *copy = malloc((size_t)n * sizeof *copy);
    if (!copy)
        return EXIT_FAILED;
    int far = 0;
    for (int i = 0; i < n; i++)
        far = norm(sub(x[i], m)) > norm(sub(x[far], m)) ? i : far;
    for (int i = 0; i < n; i++)
        copy[i] = x[(far + i) % n];
    const int at[2] = {(corner[0] - far + n) % n, (corner[1] - far + n) % n};
    const int rc = curve_fit_corners(&p->c, copy, n, at);
    free(copy);
    if (rc)
        return rc;
    find_edges(p);
    for (int k = 0; k < 2; k++)
        p->s_corner[k] = p->c.s[at[k]];
    p->s_te = 0.5 * (p->s_corner[0] + p->s_corner[1]);
    measure_chord(p);
    return EXIT_DONE;
}

// Moves the points of a section in clockwise order as `vary` of the input file wants it.
static int varied(const struct section *s, const struct row_input *in, struct vec2 *x, int n,
                  const char *where)
{
    struct profile p = {0};
    double v[VARY_KINDS], height = 0, thin;
    for (int k = 0; k < s->n; k++)
        height += s->v[k] / s->n;
    vary_at(in, height, v);
    AN_CHECK(!curve_fit(&p.c, x, n), AN_INPUT, "%s: error: no curve through the points", where);
    find_edges(&p);
    const int rc = vary_section(x, &p, s->r, v, &thin);
    profile_free(&p);
    AN_CHECK(rc != AN_INPUT, AN_INPUT,
             "%s: error: 'vary' leaves the section no thickness at %.0f %% of its chord", where,
             100 * thin);
    return rc;
}

// The closed curve through the points; paired: two thetas per point, from the leading to the
// trailing edge, else a loop. closed: the ends of the loop belong together. keep: a cut-off trailing edge stays.
static int section_curve(struct section *s, const struct row_input *in, const struct spot *spot,
                         int n, bool paired, bool closed, bool keep, const char *where)
{
    const int room = 2 * n + ROUNDINGS * ROUND_POINTS;
    struct vec2 *x = malloc((size_t)(room + 2 * n) * sizeof *x), *all = x + room;
    AN_CHECK(x, AN_FAIL, "out of memory");
    int rc = AN_OK;
    int points = 0;
    for (int side = 0; side <= paired; side++)
        for (int i = 0; i < n; i++) {
            const struct spot *p = &spot[side ? n - 1 - i : i];
            all[points] = x[points] = (struct vec2){m_at(s, p->at), p->y[side]};
            points++;
        }
    double size = 0;
    for (int i = 0; i < points; i++)
        size = fmax(size, norm(sub(x[i], x[0])));
    const struct origin origin = {in, spot, all, n, paired};
    const struct namer namer = {name_spot, &origin};
    if (!closed && check_closed(where, x, &points, 1e-7 * size, &namer, &s->gap))
        rc = an_error_set(AN_INPUT, "%s", ""); // said already
    points = drop_repeats(x, points, 1e-7 * size);
    if (!rc && points < MIN_POINTS)
        rc = an_error_set(AN_INPUT, "%s: error: %d distinct points, at least %d are needed", where,
                          points, MIN_POINTS);
    if (!rc && in->round_edges)
        rc = profile_round(x, &points, 0, &s->rounding)
                 ? an_error_set(AN_INPUT, "%s: error: an edge could not be rounded: %s", where,
                                s->rounding.fault)
                 : AN_OK;
    int corner[2];
    if (!rc && in->varies) {
        orient(x, points);
        rc = varied(s, in, x, points, where);
    }
    if (!rc && keep) {
        orient(x, points);
        s->cut = profile_base(x, points, corner, &s->sharp);
    }
    if (!rc && (check_points(where, x, points, s->cut ? corner : NULL, &namer) ||
                check_pitch(where, x, points, 2 * M_PI / in->blades, &namer)))
        rc = an_error_set(AN_INPUT, "%s", ""); // said already
    if (!rc) {
        orient(x, points);
        rc = (s->cut ? cut_curve(&s->profile, x, points, corner)
                     : curve_fit(&s->profile.c, x, points))
                 ? an_error_set(AN_INPUT, "%s: error: no curve through the points", where)
                 : AN_OK;
    }
    free(x);
    if (rc)
        return rc;
    if (!s->cut)
        find_edges(&s->profile); // the noses: the first point of a table may be just its lowest x
    const char *fault = profile_fault(&s->profile);
    AN_CHECK(!fault, AN_INPUT, "%s: error: %s: hub and casing run downstream", where, fault);
    return AN_OK;
}

static int section_new(struct section *s, const struct table *t, int k, const struct meridian *g,
                       const struct row_input *in, bool keep)
{
    char where[1100];
    snprintf(where, sizeof where, "%s:%d: section %d", t->path[k], t->line[k], k + 1);
    const int n = t->start[k + 1] - t->start[k];
    bool paired = false;
    *s = (struct section){0}; // the caller frees it after a fault, too
    struct spot *spot = calloc((size_t)n, 2 * sizeof *spot);
    AN_CHECK(spot, AN_FAIL, "out of memory");
    for (int i = 0; i < n; i++) {
        const double *v = t->v + (t->start[k] + i) * t->columns;
        struct spot *p = &spot[i];
        p->line = t->row_line[t->start[k] + i];
        for (int c = 0; c < in->columns; c++)
            switch (in->column[c]) {
            case COLUMN_X:
                p->x = in->length * v[c];
                break;
            case COLUMN_R:
                p->r = in->length * v[c];
                break;
            case COLUMN_THETA_2:
                p->y[1] = -in->theta * in->angle * v[c];
                paired = true;
                break;
            case COLUMN_THETA:
            case COLUMN_THETA_1:
                p->y[0] = -in->theta * in->angle * v[c];
                break;
            default:
                break;
            }
    }
    int rc = surface_line(s, g, in, spot, n, where);
    for (int i = 0; i < n; i++)
        s->r += spot[i].r / n;
    rc = rc ? rc : section_curve(s, in, spot, n, paired, paired || t->closed, keep, where);
    free(spot);
    return rc;
}

// Fractions of a side's length, dense at both edges; index from 0 (edge) to SIDE (other edge).
static double fraction(int j)
{
    return 0.5 * (1 - cos(M_PI * j / SIDE));
}

// The place of curve j on a section whose trailing edge te is cut off.
static double cut_place(const struct profile *p, double te, int j)
{
    const double turn = te - p->s_te, up = p->s_corner[0] + turn, low = p->s_corner[1] + turn,
                 end = p->s_le + p->c.length;
    const int side = SIDE - BASE;
    if (j <= side)
        return p->s_le + 0.5 * (1 - cos(M_PI * j / side)) * (up - p->s_le);
    if (j >= SIDE + BASE)
        return end - 0.5 * (1 - cos(M_PI * (LOOP - j) / side)) * (end - low);
    return up + (low - up) * (j - side) / (2 * BASE);
}

static void sample_section(struct blade *b, int k, const struct section *s)
{
    const struct profile *p = &s->profile;
    const double te = p->s_te + (p->s_te < p->s_le ? p->c.length : 0);
    b->p[k] = 0;
    for (int j = 0; j < LOOP; j++) {
        const bool back = j >= SIDE;
        const double from = back ? te : p->s_le, to = back ? p->s_le + p->c.length : te;
        const struct vec2 x = curve_point(&p->c, s->cut ? cut_place(p, te, j)
                                                        : from + fraction(j % SIDE) * (to - from));
        b->u[j * b->n + k] = along(s, s->u, s->du, x.x);
        b->v[j * b->n + k] = along(s, s->v, s->dv, x.x);
        b->y[j * b->n + k] = x.y;
        b->p[k] += b->v[j * b->n + k] / LOOP;
    }
}

// What the report says of the edges of section s, the k-th.
static void note_edges(struct blade *b, const struct section *s, int k)
{
    for (int e = 0; e < s->rounding.edges; e++) {
        b->rounded++;
        b->lost = fmax(b->lost, s->r * s->rounding.lost[e]);
        b->base = fmax(b->base, s->r * s->rounding.base[e]);
        b->lost_area = fmax(b->lost_area, s->rounding.area);
    }
    if (s->gap > 0) {
        b->gaps++;
        b->gap_at = s->r * s->gap > b->gap ? k : b->gap_at;
        b->gap = fmax(b->gap, s->r * s->gap);
    }
    const double width = s->r * edge_width(&s->profile);
    b->width[0] = k ? fmin(b->width[0], width) : width;
    b->width[1] = k ? fmax(b->width[1], width) : width;
}

// Reads the sections into b; cut[k]: the largest turn of a corner where the trailing edge of section k is cut off,
// else 0. keep: these edges stay.
static int sample_all(struct blade *b, const struct table *t, const struct meridian *g,
                      const struct row_input *in, bool keep, double *cut)
{
    b->gaps = 0;
    b->gap = 0;
    for (int k = 0; k < b->n; k++) {
        struct section s;
        const int rc = section_new(&s, t, k, g, in, keep);
        if (!rc) {
            sample_section(b, k, &s);
            note_edges(b, &s, k);
            cut[k] = s.cut ? s.sharp : 0;
        }
        section_free(&s);
        AN_TRY(rc);
        AN_CHECK(k == 0 || b->p[k] > b->p[k - 1] + 1e-5, AN_INPUT,
                 "%s:%d: error: section %d lies at %.2f %% of the span, the one before it at %.2f "
                 "%%: sections go from the hub to the casing",
                 t->path[k], t->line[k], k + 1, 100 * b->p[k], 100 * b->p[k - 1]);
    }
    return AN_OK;
}

static int check_span(const struct blade *b, const struct row_input *in)
{
    AN_CHECK(b->p[0] < 0.05 && b->p[b->n - 1] > 0.93, AN_INPUT,
             "%s: error: the sections reach from %.1f to %.1f %% of the span; from 5 to 93 %% is "
             "needed",
             in->sections, 100 * b->p[0], 100 * b->p[b->n - 1]);
    return AN_OK;
}

static int read_sections(struct blade *b, const struct table *t, const struct meridian *g,
                         const struct row_input *in)
{
    const size_t n = (size_t)t->nsection;
    AN_CHECK(n >= 2, AN_INPUT, "%s: error: at least two sections are needed", in->sections);
    b->n = t->nsection;
    double cut[MAX_SECTIONS];
    b->p = calloc(n * (1 + 6 * LOOP), sizeof *b->p);
    AN_CHECK(b->p, AN_FAIL, "out of memory");
    b->u = b->p + n;
    b->v = b->u + LOOP * n;
    b->y = b->v + LOOP * n;
    b->u2 = b->y + LOOP * n;
    b->v2 = b->u2 + LOOP * n;
    b->y2 = b->v2 + LOOP * n;
    AN_TRY(sample_all(b, t, g, in, !in->round_edges, cut));
    int with = 0, sharp = -1;
    for (int k = 0; k < b->n; k++) {
        with += cut[k] > 0;
        sharp = sharp < 0 && cut[k] > SHARPEST ? k : sharp;
    }
    b->cut = with == b->n;
    if (with == 0 || b->cut)
        return check_span(b, in);
    AN_CHECK(sharp < 0, AN_INPUT,
             "%s:%d: error: section %d has a cut-off trailing edge, others have none: from hub to "
             "casing all of them, or round_edges: yes",
             t->path[sharp], t->line[sharp], sharp + 1);
    // blunt corners that are not there from hub to casing are points like others
    AN_TRY(sample_all(b, t, g, in, false, cut));
    return check_span(b, in);
}

int blade_new(struct blade *b, const struct meridian *g, const struct row_input *in)
{
    struct table t;
    *b = (struct blade){0};
    AN_TRY(table_of(&t, in, in->sections, in->columns));
    const int rc = read_sections(b, &t, g, in);
    table_free(&t);
    AN_TRY(rc);
    for (int j = 0; j < LOOP; j++) {
        spline_natural(b->n, b->p, b->u + j * b->n, b->u2 + j * b->n);
        spline_natural(b->n, b->p, b->v + j * b->n, b->v2 + j * b->n);
        spline_natural(b->n, b->p, b->y + j * b->n, b->y2 + j * b->n);
    }
    return AN_OK;
}

void blade_free(struct blade *b)
{
    free(b->p);
    *b = (struct blade){0};
}

// Height of curve j above the layer at p, and its u.
static double above(const struct blade *b, const struct layer *l, int j, double p, double *u)
{
    const int o = j * b->n;
    *u = spline_value(b->n, b->p, b->u + o, b->u2 + o, p);
    return spline_value(b->n, b->p, b->v + o, b->v2 + o, p) - layer_v(l, *u);
}

// Where curve j crosses the layer: its v rises with p at a rate near 1 and the layer is nearly flat, so
// that plain iteration converges; where it does not, by bisection.
static struct vec2 crossing(const struct blade *b, const struct layer *l, int j)
{
    const int o = j * b->n;
    double p = layer_v(l, 0.5), u = 0.5, off = 1;
    for (int it = 0; it < 100 && !(fabs(off) < 1e-15); it++) {
        off = -above(b, l, j, p, &u);
        p += off;
    }
    if (!(fabs(off) < 1e-12)) {
        double lo = -0.5, hi = 1.5;
        for (int it = 0; it < 60; it++) {
            p = 0.5 * (lo + hi);
            *(above(b, l, j, p, &u) < 0 ? &lo : &hi) = p;
        }
    }
    return (struct vec2){layer_m(l, u), spline_value(b->n, b->p, b->y + o, b->y2 + o, p)};
}

int blade_profile(const struct blade *b, const struct layer *l, struct profile *p)
{
    struct vec2 x[LOOP];
    for (int j = 0; j < LOOP; j++)
        x[j] = crossing(b, l, j);
    *p = (struct profile){0};
    static const int corner[2] = {SIDE - BASE, SIDE + BASE};
    AN_CHECK(!(b->cut ? curve_fit_corners(&p->c, x, LOOP, corner) : curve_fit(&p->c, x, LOOP)),
             AN_FAIL, "out of memory");
    p->s_le = 0;
    p->s_te = p->c.s[SIDE];
    for (int k = 0; k < 2 && b->cut; k++)
        p->s_corner[k] = p->c.s[corner[k]];
    measure_chord(p);
    return AN_OK;
}
