// The blade: closed sections on their own surfaces of revolution, then curves along the span.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MIN_POINTS = 20 };

// One section: its stream surface as m' -> (u, v), and the closed curve in (m', y).
struct section {
    int n;                       // points of the surface's meridional line
    double *m, *u, *v, *du, *dv; // m owns all
    struct profile profile;
};

static void section_free(struct section *s)
{
    free(s->m);
    profile_free(&s->profile);
}

struct spot { // a point of the table
    double x, r, y[2];
};

static int by_x(const void *a, const void *b)
{
    const double d = ((const struct spot *)a)->x - ((const struct spot *)b)->x;
    return d < 0 ? -1 : d > 0;
}

// The line in the meridional plane that the points lie on, in order of x, near points merged.
static int surface_line(struct section *s, const struct meridian *g, const struct row_input *in,
                        struct spot *spot, int n, const char *where)
{
    qsort(spot, (size_t)n, sizeof *spot, by_x);
    const double near = 1e-6 * (spot[n - 1].x - spot[0].x);
    s->m = malloc(5 * (size_t)n * sizeof *s->m);
    AN_CHECK(s->m, AN_FAIL, "out of memory");
    s->u = s->m + n;
    s->v = s->u + n;
    s->du = s->v + n;
    s->dv = s->du + n;
    double last_x = 0, last_r = 0;
    for (int i = 0; i < n; i++) {
        if (s->n > 0 && spot[i].x - last_x < near)
            continue;
        const int k = s->n++;
        const double x = spot[i].x, r = spot[i].r;
        s->m[k] = k ? s->m[k - 1] + hypot(x - last_x, r - last_r) * 2 / (r + last_r) : 0;
        AN_CHECK(!meridian_locate(g, (struct point){x, r}, &s->u[k], &s->v[k]), AN_INPUT,
                 "%s: error: the point x = %g %s, r = %g %s does not lie between inlet and outlet "
                 "(%g and %g "
                 "m)",
                 where, x / in->length, input_unit(in), r / in->length, input_unit(in), in->inlet,
                 in->outlet);
        last_x = x;
        last_r = r;
    }
    AN_CHECK(s->n >= 3, AN_INPUT, "%s: error: all points have the same x", where);
    akima_slopes(s->n, s->m, s->u, s->du);
    akima_slopes(s->n, s->m, s->v, s->dv);
    return AN_OK;
}

static double along(const struct section *s, const double *f, const double *df, double m)
{
    int lo = 0, hi = s->n - 1;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(s->m[mid] <= m ? &lo : &hi) = mid;
    }
    const double h = s->m[hi] - s->m[lo];
    return hermite(h, (m - s->m[lo]) / h, f[lo], f[hi], df[lo], df[hi]);
}

// m' of a meridional point, by its x.
static double m_at(const struct section *s, const double *x_of_m, double x)
{
    int lo = 0, hi = s->n - 1;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(x_of_m[mid] <= x ? &lo : &hi) = mid;
    }
    return s->m[lo] + (s->m[hi] - s->m[lo]) * (x - x_of_m[lo]) / (x_of_m[hi] - x_of_m[lo]);
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
    snprintf(words, size, "x = %.6g %s, r = %.6g %s, theta%s = %.6g %s", o->spot[i].x / in->length,
             unit, o->spot[i].r / in->length, unit,
             !o->paired ? ""
             : side     ? "_2"
                        : "_1",
             -in->theta * o->spot[i].y[side] / in->angle, in->angle == 1 ? "rad" : "deg");
}

// The closed curve through the points; paired: two thetas per point, from the leading to the
// trailing edge, else a loop.
static int section_curve(struct section *s, const struct row_input *in, const struct spot *spot,
                         int n, bool paired, const char *where)
{
    struct vec2 *x = malloc(4 * (size_t)n * sizeof *x), *all = x + 2 * n;
    double *order = malloc((size_t)n * sizeof *order);
    if (!x || !order) {
        free(x);
        free(order);
        return an_error_set(AN_FAIL, "out of memory");
    }
    struct spot *sorted = malloc((size_t)n * sizeof *sorted);
    int rc = sorted ? AN_OK : an_error_set(AN_FAIL, "out of memory"), lines = 0;
    for (int i = 0; i < n && sorted; i++)
        sorted[i] = spot[i];
    if (sorted)
        qsort(sorted, (size_t)n, sizeof *sorted, by_x);
    for (int i = 0; i < n && sorted; i++)
        if (!lines || sorted[i].x - order[lines - 1] >= 1e-6 * (sorted[n - 1].x - sorted[0].x))
            order[lines++] = sorted[i].x;
    free(sorted);
    int points = 0;
    for (int side = 0; side <= paired && !rc; side++)
        for (int i = 0; i < n; i++) {
            const struct spot *p = &spot[side ? n - 1 - i : i];
            all[points] = x[points] = (struct vec2){m_at(s, order, p->x), p->y[side]};
            points++;
        }
    free(order);
    if (!rc) {
        double size = 0;
        for (int i = 0; i < points; i++)
            size = fmax(size, norm(sub(x[i], x[0])));
        points = drop_repeats(x, points, 1e-7 * size);
        if (points < MIN_POINTS)
            rc = an_error_set(AN_INPUT, "%s: error: %d distinct points, at least %d are needed",
                              where, points, MIN_POINTS);
    }
    const struct origin origin = {in, spot, all, n, paired};
    const struct namer namer = {name_spot, &origin};
    if (!rc && (check_points(where, x, points, &namer) ||
                check_pitch(where, x, points, 2 * M_PI / in->blades, &namer)))
        rc = an_error_set(AN_INPUT, "%s", ""); // said already
    if (!rc) {
        orient(x, points);
        rc = curve_fit(&s->profile.c, x, points)
                 ? an_error_set(AN_INPUT, "%s: error: no curve through the points", where)
                 : AN_OK;
    }
    free(x);
    if (rc)
        return rc;
    find_edges(&s->profile); // the noses: the first point of a table may be just its lowest x
    AN_CHECK(
        s->profile.te.x > s->profile.le.x, AN_INPUT,
        "%s: error: the trailing edge lies upstream of the leading edge: x must rise downstream",
        where);
    return AN_OK;
}

static int section_new(struct section *s, const struct table *t, int k, const struct meridian *g,
                       const struct row_input *in)
{
    char where[1100];
    snprintf(where, sizeof where, "%s:%d: section %d", in->sections, t->line[k], k + 1);
    const int n = t->start[k + 1] - t->start[k];
    bool paired = false;
    *s = (struct section){0}; // the caller frees it after a fault, too
    struct spot *spot = calloc((size_t)n, 2 * sizeof *spot);
    AN_CHECK(spot, AN_FAIL, "out of memory");
    for (int i = 0; i < n; i++) {
        const double *v = t->v + (t->start[k] + i) * t->columns;
        struct spot *p = &spot[i];
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
            case COLUMN_SKIP:
                break;
            }
    }
    struct spot *copy = spot + n;
    for (int i = 0; i < n; i++)
        copy[i] = spot[i];
    int rc = surface_line(s, g, in, copy, n, where);
    rc = rc ? rc : section_curve(s, in, spot, n, paired, where);
    free(spot);
    return rc;
}

// Fractions of a side's length, dense at both edges; index from 0 (edge) to SIDE (other edge).
static double fraction(int j)
{
    return 0.5 * (1 - cos(M_PI * j / SIDE));
}

static void sample_section(struct blade *b, int k, const struct section *s)
{
    const struct profile *p = &s->profile;
    const double te = p->s_te + (p->s_te < p->s_le ? p->c.length : 0);
    b->p[k] = 0;
    for (int j = 0; j < LOOP; j++) {
        const bool back = j >= SIDE;
        const double from = back ? te : p->s_le, to = back ? p->s_le + p->c.length : te;
        const struct vec2 x = curve_point(&p->c, from + fraction(j % SIDE) * (to - from));
        b->u[j * b->n + k] = along(s, s->u, s->du, x.x);
        b->v[j * b->n + k] = along(s, s->v, s->dv, x.x);
        b->y[j * b->n + k] = x.y;
        b->p[k] += b->v[j * b->n + k] / LOOP;
        b->sigma[j] = back + fraction(j % SIDE);
    }
}

static int read_sections(struct blade *b, const struct table *t, const struct meridian *g,
                         const struct row_input *in)
{
    const size_t n = (size_t)t->nsection;
    AN_CHECK(n >= 2, AN_INPUT, "%s: error: at least two sections are needed", in->sections);
    b->n = t->nsection;
    b->p = calloc(n * (1 + 6 * LOOP), sizeof *b->p);
    AN_CHECK(b->p, AN_FAIL, "out of memory");
    b->u = b->p + n;
    b->v = b->u + LOOP * n;
    b->y = b->v + LOOP * n;
    b->u2 = b->y + LOOP * n;
    b->v2 = b->u2 + LOOP * n;
    b->y2 = b->v2 + LOOP * n;
    for (int k = 0; k < b->n; k++) {
        struct section s;
        const int rc = section_new(&s, t, k, g, in);
        if (!rc)
            sample_section(b, k, &s);
        section_free(&s);
        AN_TRY(rc);
        AN_CHECK(k == 0 || b->p[k] > b->p[k - 1] + 1e-5, AN_INPUT,
                 "%s:%d: error: section %d lies at %.2f %% of the span, the one before it at %.2f "
                 "%%: sections go from the hub to the casing",
                 in->sections, t->line[k], k + 1, 100 * b->p[k], 100 * b->p[k - 1]);
    }
    AN_CHECK(b->p[0] < 0.05 && b->p[b->n - 1] > 0.93, AN_INPUT,
             "%s: error: the sections reach from %.1f to %.1f %% of the span; from 5 to 93 %% is "
             "needed",
             in->sections, 100 * b->p[0], 100 * b->p[b->n - 1]);
    return AN_OK;
}

int blade_new(struct blade *b, const struct meridian *g, const struct row_input *in)
{
    struct table t;
    *b = (struct blade){0};
    AN_TRY(table_read(&t, in->sections, in->columns));
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

// Where curve j crosses the layer: its v rises with p at a rate near 1 and the layer is nearly
// flat, so that plain iteration converges.
static struct vec2 crossing(const struct blade *b, const struct layer *l, int j)
{
    const int o = j * b->n;
    double p = layer_v(l, 0.5), u = 0.5;
    for (int it = 0; it < 100; it++) {
        u = spline_value(b->n, b->p, b->u + o, b->u2 + o, p);
        const double off = layer_v(l, u) - spline_value(b->n, b->p, b->v + o, b->v2 + o, p);
        p += off;
        if (fabs(off) < 1e-15)
            break;
    }
    return (struct vec2){layer_m(l, u), spline_value(b->n, b->p, b->y + o, b->y2 + o, p)};
}

int blade_profile(const struct blade *b, const struct layer *l, struct profile *p)
{
    struct vec2 x[LOOP];
    for (int j = 0; j < LOOP; j++)
        x[j] = crossing(b, l, j);
    *p = (struct profile){0};
    AN_CHECK(!curve_fit(&p->c, x, LOOP), AN_FAIL, "out of memory");
    p->s_le = 0;
    p->s_te = p->c.s[SIDE];
    measure_chord(p);
    return AN_OK;
}
