// Columns of other kinds as x, r and theta: Cartesian points, r theta, m' on a stream surface,
// thickness beside a line of the section.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RULED = 7 }; // sections put between two

struct spot {
    double m, x, r, theta, theta_2, thickness;
};

// The machine axis becomes x by a cyclic change of the names, so that no mirror image arises.
static void turn_axis(const double p[3], int axis, double q[3])
{
    for (int d = 0; d < 3; d++)
        q[d] = p[(axis + d) % 3];
}

static double nearest_turn(double theta, double to)
{
    return theta - 2 * M_PI * round((theta - to) / (2 * M_PI));
}

static bool has(const struct row_input *in, enum column what)
{
    for (int c = 0; c < in->columns; c++)
        if (in->column[c] == what)
            return true;
    return false;
}

// x, y and z stand for a point in space; z beside r is the axis itself.
static bool cartesian(const struct row_input *in)
{
    return has(in, COLUMN_X) && has(in, COLUMN_Y) && has(in, COLUMN_Z);
}

// Stream surface of one section as m' -> (x, r).
struct line {
    int n;
    double *m, *x, *r, *dx, *dr; // [n] (m owns all)
};

static int line_new(struct line *l, int n)
{
    *l = (struct line){.n = n, .m = malloc(5 * (size_t)n * sizeof *l->m)};
    AN_CHECK(l->m, AN_FAIL, "out of memory");
    l->x = l->m + n;
    l->r = l->x + n;
    l->dx = l->r + n;
    l->dr = l->dx + n;
    return AN_OK;
}

static int line_finish(struct line *l, const char *path, int line)
{
    for (int i = 0; i < l->n; i++) {
        AN_CHECK(l->r[i] > 0, AN_INPUT,
                 "%s:%d: error: a point of this section has r = %g; r must "
                 "be positive",
                 path, line, l->r[i]);
        l->m[i] = i ? l->m[i - 1] + hypot(l->x[i] - l->x[i - 1], l->r[i] - l->r[i - 1]) * 2 /
                                        (l->r[i] + l->r[i - 1])
                    : 0;
        AN_CHECK(i == 0 || l->m[i] > l->m[i - 1], AN_INPUT,
                 "%s:%d: error: the line of this section has the same point twice: x = %g, r = %g",
                 path, line, l->x[i], l->r[i]);
    }
    AN_CHECK(l->n >= 3, AN_INPUT,
             "%s:%d: error: three points are the least for a line, here are %d", path, line, l->n);
    akima_slopes(l->n, l->m, l->x, l->dx);
    akima_slopes(l->n, l->m, l->r, l->dr);
    return AN_OK;
}

// Straight on beyond the ends.
static void line_at(const struct line *l, double m, double *x, double *r)
{
    int lo = 0, hi = l->n - 1;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(l->m[mid] <= m ? &lo : &hi) = mid;
    }
    const double h = l->m[hi] - l->m[lo], t = fmin(fmax((m - l->m[lo]) / h, 0), 1);
    const double beyond = m - (l->m[lo] + t * h);
    const int end = t > 0.5 ? hi : lo;
    *x = hermite(h, t, l->x[lo], l->x[hi], l->dx[lo], l->dx[hi]) + beyond * l->dx[end];
    *r = hermite(h, t, l->r[lo], l->r[hi], l->dr[lo], l->dr[hi]) + beyond * l->dr[end];
}

static int surface_of(struct line *l, const struct table *surfaces, int k)
{
    const int from = surfaces->start[k], n = surfaces->start[k + 1] - from;
    AN_TRY(line_new(l, n));
    for (int i = 0; i < n; i++) {
        l->x[i] = surfaces->v[2 * (from + i)];
        l->r[i] = surfaces->v[2 * (from + i) + 1];
    }
    return line_finish(l, surfaces->path[k], surfaces->line[k]);
}

static int line_of_spots(struct line *l, const struct spot *s, int n, const char *path, int line)
{
    AN_TRY(line_new(l, n));
    for (int i = 0; i < n; i++) {
        l->x[i] = s[i].x;
        l->r[i] = s[i].r;
    }
    return line_finish(l, path, line);
}

// One row of the table; *last is the theta of the row before it.
static int read_spot(struct spot *s, const double *v, const struct row_input *in, const char *path,
                     int line, double *last)
{
    double p[3] = {0}, q[3], rtheta[2] = {0};
    *s = (struct spot){0};
    for (int c = 0; c < in->columns; c++)
        switch (in->column[c]) {
        case COLUMN_X:
            p[0] = s->x = v[c];
            break;
        case COLUMN_Y:
            p[1] = v[c];
            break;
        case COLUMN_Z:
            p[2] = v[c];
            break;
        case COLUMN_R:
            s->r = v[c];
            break;
        case COLUMN_THETA:
        case COLUMN_THETA_1:
            s->theta = in->angle * v[c];
            break;
        case COLUMN_THETA_2:
            s->theta_2 = in->angle * v[c];
            break;
        case COLUMN_RTHETA:
        case COLUMN_RTHETA_1:
            rtheta[0] = v[c];
            break;
        case COLUMN_RTHETA_2:
            rtheta[1] = v[c];
            break;
        case COLUMN_MPRIME:
            s->m = v[c];
            break;
        case COLUMN_THICKNESS:
        case COLUMN_TANGENTIAL:
            s->thickness = v[c];
            break;
        default:
            break;
        }
    if (cartesian(in)) {
        turn_axis(p, in->axis, q);
        s->x = q[0];
        s->r = hypot(q[1], q[2]);
        s->theta = nearest_turn(atan2(q[2], q[1]), *last);
        *last = s->theta;
    } else if (has(in, COLUMN_Z)) {
        s->x = p[2];
    }
    if (!has(in, COLUMN_MPRIME) || has(in, COLUMN_R))
        AN_CHECK(s->r > 0, AN_INPUT, "%s:%d: error: this point has r = %g; r must be positive",
                 path, line, s->r);
    if (has(in, COLUMN_RTHETA) || has(in, COLUMN_RTHETA_1)) {
        s->theta = rtheta[0] / s->r;
        s->theta_2 = rtheta[1] / s->r;
    }
    AN_CHECK(s->thickness >= 0, AN_INPUT, "%s:%d: error: a thickness of %g is negative", path, line,
             s->thickness);
    return AN_OK;
}

// The loop of the section whose theta line has a thickness normal to it, in the plane (m', theta).
static int thicken(struct table *o, const struct line *l, const struct spot *s, int n, int side,
                   const int *row_line)
{
    const double upper = side == SIDE_UPPER ? 0 : side == SIDE_LOWER ? 1 : 0.5;
    for (int back = 0; back < 2; back++)
        for (int k = 0; k < n; k++) {
            const int i = back ? n - 1 - k : k, a = i > 0 ? i - 1 : 0,
                      b = i < n - 1 ? i + 1 : n - 1;
            const double dm = s[b].m - s[a].m, dt = s[b].theta - s[a].theta, h = hypot(dm, dt);
            const double share = back ? upper - 1 : upper, off = share * s[i].thickness / s[i].r;
            double v[3];
            if (back && s[i].thickness == 0)
                continue; // both sides meet here
            line_at(l, s[i].m - off * dt / h, &v[0], &v[1]);
            v[2] = s[i].theta + off * dm / h;
            AN_TRY(table_row(o, v, row_line[i]));
        }
    return AN_OK;
}

static int convert_section(struct table *o, const struct table *t, int k,
                           const struct table *surfaces, const struct row_input *in, double *last)
{
    const int from = t->start[k], n = t->start[k + 1] - from;
    const char *path = t->path[k];
    const bool normal = has(in, COLUMN_THICKNESS), tangential = has(in, COLUMN_TANGENTIAL);
    struct line line = {0};
    struct spot *s = calloc((size_t)n, sizeof *s);
    AN_CHECK(s, AN_FAIL, "out of memory");
    int rc = table_section(o, path, t->line[k]);
    o->blade[o->nsection - 1] = t->blade[k];
    for (int i = 0; i < n && !rc; i++)
        rc =
            read_spot(&s[i], t->v + (from + i) * t->columns, in, path, t->row_line[from + i], last);
    if (!rc && has(in, COLUMN_MPRIME)) {
        rc = surface_of(&line, surfaces, k);
        for (int i = 1; i < n && !rc && normal; i++)
            if (!(s[i].m > s[i - 1].m))
                rc = an_error_set(AN_INPUT,
                                  "%s:%d: error: m' = %g does not lie behind the point "
                                  "before it: with 'thickness' the line runs from the leading to "
                                  "the trailing edge",
                                  path, t->row_line[from + i], s[i].m);
        for (int i = 0; i < n && !rc; i++)
            line_at(&line, s[i].m, &s[i].x, &s[i].r);
    } else if (!rc && normal) {
        rc = line_of_spots(&line, s, n, path, t->line[k]);
        for (int i = 0; i < n && !rc; i++)
            s[i].m = line.m[i];
    }
    if (!rc && normal)
        rc = thicken(o, &line, s, n, in->line, t->row_line + from);
    for (int i = 0; i < n && !rc && !normal; i++) {
        const double half = tangential ? 0.5 * s[i].thickness / s[i].r : 0;
        const double shift = in->line == SIDE_UPPER ? -half : in->line == SIDE_LOWER ? half : 0;
        const double v[4] = {s[i].x, s[i].r, s[i].theta + half + shift,
                             tangential ? s[i].theta - half + shift : s[i].theta_2};
        rc = table_row(o, v, t->row_line[from + i]);
    }
    free(line.m);
    free(s);
    return rc;
}

const char *columns_fault(const struct row_input *in)
{
    const bool angle = has(in, COLUMN_THETA) || has(in, COLUMN_RTHETA), m = has(in, COLUMN_MPRIME);
    const bool pair = (has(in, COLUMN_THETA_1) && has(in, COLUMN_THETA_2)) ||
                      (has(in, COLUMN_RTHETA_1) && has(in, COLUMN_RTHETA_2));
    const bool place = (has(in, COLUMN_X) || has(in, COLUMN_Z)) && has(in, COLUMN_R);
    if (!cartesian(in) && !((place || m) && (angle || pair)))
        return "x, r and theta, or x, r, theta_1 and theta_2 (each theta may be an rtheta, and x a "
               "z); or "
               "x, y and z; or m_prime in place of x and r";
    if (m && (has(in, COLUMN_RTHETA) || has(in, COLUMN_RTHETA_1)))
        return "theta, not rtheta, beside m_prime";
    if ((has(in, COLUMN_THICKNESS) || has(in, COLUMN_TANGENTIAL)) && (!angle || pair))
        return "one theta or rtheta beside a thickness";
    if (has(in, COLUMN_THICKNESS) && has(in, COLUMN_TANGENTIAL))
        return "one thickness, normal or tangential";
    return NULL;
}

// From here on the table holds x, r and theta in radians.
static void describe(struct row_input *in, bool paired)
{
    in->columns = 3 + paired;
    in->column[0] = COLUMN_X;
    in->column[1] = COLUMN_R;
    in->column[2] = paired ? COLUMN_THETA_1 : COLUMN_THETA;
    in->column[3] = COLUMN_THETA_2;
    in->angle = 1;
}

// Two sections given in space: straight lines between equal points, as seven more sections.
static int columns_ruled(struct table *t, const struct row_input *in)
{
    const int n = t->start[1];
    if (t->nsection != 2 || t->nrow != 2 * n || in->columns != 3)
        return AN_OK;
    struct table o = {.columns = 3, .closed = t->closed};
    int rc = AN_OK;
    for (int k = 0; k < RULED + 2 && !rc; k++) {
        const double w = (double)k / (RULED + 1);
        rc = table_section(&o, t->path[0], t->line[w < 0.5 ? 0 : 1]);
        for (int i = 0; i < n && !rc; i++) {
            const double *a = t->v + 3 * i, *b = t->v + 3 * (n + i);
            const double y = (1 - w) * a[1] * cos(a[2]) + w * b[1] * cos(b[2]);
            const double z = (1 - w) * a[1] * sin(a[2]) + w * b[1] * sin(b[2]);
            const double middle = (1 - w) * a[2] + w * b[2];
            const double v[3] = {(1 - w) * a[0] + w * b[0], hypot(y, z),
                                 nearest_turn(atan2(z, y), middle)};
            rc = table_row(&o, v, t->row_line[w < 0.5 ? i : n + i]);
        }
    }
    table_finish(&o);
    table_free(t);
    *t = o;
    return rc;
}

int columns_convert(struct table *t, struct row_input *in)
{
    const bool paired =
        has(in, COLUMN_TANGENTIAL) || has(in, COLUMN_THETA_2) || has(in, COLUMN_RTHETA_2);
    const bool space = cartesian(in);
    struct table o = {.columns = 3 + paired, .closed = t->closed || has(in, COLUMN_THICKNESS)},
                 surfaces = {0};
    double last = 0;
    int rc = AN_OK;
    if (has(in, COLUMN_MPRIME)) {
        AN_TRY(table_read(&surfaces, in->surfaces, 2));
        if (surfaces.nsection != t->nsection)
            rc = an_error_set(
                AN_INPUT,
                "%s: error: %d lines of stream surfaces for the %d sections of %s: each "
                "section needs its own, in the same order",
                in->surfaces, surfaces.nsection, t->nsection, t->path[0]);
    }
    for (int k = 0; k < t->nsection && !rc; k++)
        rc = convert_section(&o, t, k, &surfaces, in, &last);
    table_finish(&o);
    table_free(&surfaces);
    if (rc) {
        table_free(&o);
        return rc;
    }
    table_free(t);
    *t = o;
    describe(in, paired);
    return space ? columns_ruled(t, in) : AN_OK;
}

int columns_meridian(struct table *t, const struct row_input *in)
{
    struct table o = {.columns = 2};
    int rc = table_section(&o, t->path[0], t->line[0]);
    for (int i = 0; i < t->nrow && !rc; i++) {
        double q[3];
        turn_axis(t->v + 3 * i, in->axis, q);
        const double v[2] = {q[0], hypot(q[1], q[2])};
        const double *before = o.nrow ? o.v + 2 * (o.nrow - 1) : NULL;
        if (before && hypot(v[0] - before[0], v[1] - before[1]) <= 1e-9 * (fabs(v[0]) + v[1]))
            continue;
        rc = table_row(&o, v, t->row_line[i]);
    }
    table_finish(&o);
    table_free(t);
    *t = o;
    return rc;
}
