#include "bc/wall_profile.h"

#include "bc/table_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    COLUMN_SIDE,
    COLUMN_X,
    COLUMN_CHORD,
    COLUMN_ARC,
    COLUMN_LENGTH,
    COLUMN_SPAN,
    COLUMN_RADIUS,
    COLUMN_T,
    COLUMN_FLUX,
    NCOLUMN
};

static const struct an_table_column columns[] = {
    {"side", AN_NO_UNIT, NULL, NULL, COLUMN_SIDE, 1},
    {"axial_chord", AN_NO_UNIT, NULL, NULL, COLUMN_CHORD, 1},
    {"arc", AN_NO_UNIT, NULL, NULL, COLUMN_ARC, 1},
    {"span", AN_NO_UNIT, NULL, NULL, COLUMN_SPAN, 1},
    {"span_percent", AN_NO_UNIT, NULL, NULL, COLUMN_SPAN, 0.01},
    {"span_%", AN_NO_UNIT, NULL, NULL, COLUMN_SPAN, 0.01},
    {"heat_flux_W_m2", AN_NO_UNIT, NULL, NULL, COLUMN_FLUX, 1},
    {"heat_flux_kW_m2", AN_NO_UNIT, NULL, NULL, COLUMN_FLUX, 1000},
    {"x", AN_LENGTH, "m", "length", COLUMN_X, 1},
    {"arc", AN_LENGTH, "m", "length", COLUMN_LENGTH, 1},
    {"radius", AN_LENGTH, "m", "length", COLUMN_RADIUS, 1},
    {"T", AN_TEMPERATURE, "K", "temperature", COLUMN_T, 1},
};
static const char *const sides[AN_NSIDE] = {"suction", "pressure"};

/* A line of the file. */
struct line {
    int number;
    enum an_wall_side side;
    double at[2], value; /* along, across */
};

/* What a file may hold, for messages. */
static const char known[] =
    "the profile of a wall has one of x_m, axial_chord, arc and arc_m, or span or "
    "radius_m, or both, perhaps side, and T_K or heat_flux_W_m2; other units "
    "are named in the same way, as in T_C";
_Static_assert((int)NCOLUMN <= (int)AN_TABLE_COLUMNS, "room for all columns");

struct reading {
    struct an_table_heading head;
    int nline;
    struct line *line; /* owned */
    struct an_wall_profile *p;
};

const char *an_wall_side_name(enum an_wall_side side)
{
    return sides[side];
}

/* Which of columns first to last the heading has; -1: none. AN_INPUT where it has two. */
static int only(const struct reading *r, const struct an_table_place *here, int first, int last,
                const char *what, int *which)
{
    *which = -1;
    for (int c = first; c <= last; c++) {
        if (!r->head.has[c])
            continue;
        AN_CHECK(*which<0, AN_INPUT, "%s:%d:%d: the profile of a wall has one of %s, not two",
                        here->path, here->line, r->head.has[c]>
                         r->head.has[*which]
                     ? r->head.has[c]
                     : r->head.has[*which],
                 what);
        *which = c;
    }
    return AN_OK;
}

static int take_heading(struct reading *r, const struct an_table_place *here, char *text)
{
    int along, across, value;
    AN_TRY(an_table_heading_read(here, text, columns, sizeof columns / sizeof *columns, known,
                                 &r->head));
    AN_TRY(only(r, here, COLUMN_X, COLUMN_LENGTH, "the columns x_m, axial_chord, arc and arc_m",
                &along));
    AN_TRY(only(r, here, COLUMN_SPAN, COLUMN_RADIUS, "the columns span and radius_m", &across));
    AN_TRY(only(r, here, COLUMN_T, COLUMN_FLUX, "the columns T_K and heat_flux_W_m2", &value));
    AN_CHECK(along >= 0 || across >= 0, AN_INPUT,
             "%s:%d: the profile of a wall needs a column x_m, axial_chord, arc, arc_m, span or "
             "radius_m",
             here->path, here->line);
    AN_CHECK(value >= 0, AN_INPUT,
             "%s:%d: the profile of a wall needs a column T_K or heat_flux_W_m2", here->path,
             here->line);
    AN_CHECK((along != COLUMN_ARC && along != COLUMN_LENGTH) || r->head.has[COLUMN_SIDE], AN_INPUT,
             "%s:%d:%d: arc lengths need a column side (suction or pressure)", here->path,
             here->line, r->head.has[along]);
    r->p->along =
        along < 0 ? AN_ALONG_NOTHING : (enum an_wall_along)(along - COLUMN_X + AN_ALONG_X);
    r->p->across = across < 0 ? AN_ACROSS_NOTHING
                              : (enum an_wall_across)(across - COLUMN_SPAN + AN_ACROSS_SPAN);
    r->p->heat_flux = value == COLUMN_FLUX;
    r->p->sided = r->head.has[COLUMN_SIDE] > 0;
    return AN_OK;
}

static int take_side(const struct an_table_place *here, const char *text, int column,
                     enum an_wall_side *side)
{
    for (int n = 0; n < AN_NSIDE; n++)
        if (strcasecmp(text, sides[n]) == 0) {
            *side = (enum an_wall_side)n;
            return AN_OK;
        }
    return an_error_set(AN_INPUT, "%s:%d:%d: the side is '%.60s', but must be suction or pressure",
                        here->path, here->line, column, text);
}

/* A number of column `to`, which must be one that the column can have. */
static int take_number(const struct an_table_place *here, int to, double v, int column,
                       struct line *line)
{
    static const char *const name[NCOLUMN] = {
        [COLUMN_CHORD] = "axial_chord", [COLUMN_ARC] = "arc", [COLUMN_SPAN] = "span"};
    AN_CHECK(!name[to] || (v >= 0 && v <= 1), AN_INPUT,
             "%s:%d:%d: %s is %.6g, but must be between 0 and 1", here->path, here->line, column,
             name[to], v);
    AN_CHECK(to != COLUMN_LENGTH || v >= 0, AN_INPUT,
             "%s:%d:%d: the arc length is %.6g m, but must be >= 0", here->path, here->line, column,
             v);
    AN_CHECK(to != COLUMN_RADIUS || v >= 0, AN_INPUT,
             "%s:%d:%d: the radius is %.6g m, but must be >= 0", here->path, here->line, column, v);
    AN_CHECK(to != COLUMN_T || v > 0, AN_INPUT, "%s:%d:%d: T is %.6g K, but must be above 0",
             here->path, here->line, column, v);
    if (to >= COLUMN_T)
        line->value = v;
    else
        line->at[to >= COLUMN_SPAN] = v;
    return AN_OK;
}

static int take_line(void *context, const struct an_table_place *here, char *text)
{
    struct reading *r = context;
    int column = 0;
    if (!r->head.n)
        return take_heading(r, here, text);
    if ((r->nline & (r->nline - 1)) == 0) { /* room for a power of two */
        struct line *more = realloc(r->line, (r->nline ? 2 * (size_t)r->nline : 1) * sizeof *more);
        AN_CHECK(more, AN_FAIL, "out of memory for a profile");
        r->line = more;
    }
    struct line *line = &r->line[r->nline];
    *line = (struct line){.number = here->line};
    for (int c = 0; c < r->head.n; c++) {
        const char *cell;
        AN_TRY(an_table_next(here, r->head.separator, c, r->head.n, &text, &column, &cell));
        if (r->head.column[c].to == COLUMN_SIDE) {
            AN_TRY(take_side(here, cell, column, &line->side));
            continue;
        }
        double v;
        AN_TRY(an_table_number(here, cell, column, &v));
        v = r->head.column[c].factor * v + r->head.column[c].offset;
        AN_TRY(take_number(here, r->head.column[c].to, v, column, line));
    }
    AN_TRY(an_table_ends(here, r->head.separator, text));
    AN_CHECK(r->nline++ < 1 << 24, AN_INPUT, "%s:%d: too many lines", here->path, here->line);
    return AN_OK;
}

static int by_number(const void *a, const void *b)
{
    const double p = *(const double *)a, q = *(const double *)b;
    return p < q ? -1 : p > q;
}

/* The interval n of x[count] that holds v: x[n] <= v < x[n + 1], the first and the last one reach on. count > 1. */
static int interval(int count, const double *x, double v)
{
    int lo = 0, hi = count - 1;
    while (hi - lo > 1) {
        const int mid = (lo + hi) / 2;
        *(v < x[mid] ? &hi : &lo) = mid;
    }
    return lo;
}

/* Place of a number that occurs in x[count]. */
static int place_in(int count, const double *x, double v)
{
    const int n = count > 1 ? interval(count, x, v) : 0;
    return n + (n + 1 < count && v >= x[n + 1]);
}

/* The numbers that occur, rising. */
static int list_axis(const struct reading *r, enum an_wall_side side, int axis,
                     struct an_wall_table *t)
{
    double *x = malloc((size_t)r->nline * sizeof *x);
    AN_CHECK(x, AN_FAIL, "out of memory for a profile");
    t->at[axis] = x;
    int all = 0, *n = &t->n[axis];
    for (int m = 0; m < r->nline; m++)
        if (r->line[m].side == side)
            x[all++] = r->line[m].at[axis];
    qsort(x, (size_t)all, sizeof *x, by_number);
    *n = 0;
    for (int m = 0; m < all; m++)
        if (m == 0 || x[m] > x[*n - 1])
            x[(*n)++] = x[m];
    return AN_OK;
}

static const char *name_along(const struct an_wall_profile *p)
{
    static const char *const name[] = {"place", "x_m", "axial_chord", "arc", "arc_m"};
    return name[p->along];
}

/* Each line into its place; every place has to have one. */
static int make_table(const char *path, const struct reading *r, enum an_wall_side side)
{
    struct an_wall_profile *p = r->p;
    struct an_wall_table *t = &p->side[side];
    const char *of = p->sided ? sides[side] : "the wall";
    for (int axis = 0; axis < 2; axis++)
        AN_TRY(list_axis(r, side, axis, t));
    AN_CHECK(t->n[0] > 0, AN_INPUT,
             "%s: no line is of the side %s: a profile with a column side has lines of both", path,
             of);
    const int64_t all = (int64_t)t->n[0] * t->n[1];
    AN_CHECK(all < 1 << 26, AN_INPUT,
             "%s: %d numbers along and %d across %s: there must be one line for each combination",
             path, t->n[0], t->n[1], of);
    t->value = calloc((size_t)all, sizeof *t->value);
    t->line = calloc((size_t)all, sizeof *t->line);
    AN_CHECK(t->value && t->line, AN_FAIL, "out of memory for a profile");
    for (int m = 0; m < r->nline; m++) {
        const struct line *l = &r->line[m];
        if (l->side != side)
            continue;
        const int64_t at = (int64_t)place_in(t->n[1], t->at[1], l->at[1]) * t->n[0] +
                           place_in(t->n[0], t->at[0], l->at[0]);
        AN_CHECK(!t->line[at], AN_INPUT, "%s:%d: the line is of the same place as line %d", path,
                 l->number, t->line[at]);
        t->line[at] = l->number;
        t->value[at] = l->value;
    }
    for (int64_t at = 0; at < all; at++)
        AN_CHECK(
            t->line[at], AN_INPUT,
            "%s: no line of %s has %s %.9g and %s %.9g: there must be one for each combination "
            "of the numbers in these columns",
            path, of, name_along(p), t->at[0][at % t->n[0]],
            p->across == AN_ACROSS_RADIUS ? "radius_m" : "span", t->at[1][at / t->n[0]]);
    return AN_OK;
}

int an_wall_profile_read(const char *path, struct an_wall_profile *p)
{
    *p = (struct an_wall_profile){.heat_flux = 0};
    struct reading r = {.p = p};
    int status = an_table_read(path, "profile", take_line, &r);
    if (status == AN_OK && r.nline < 2)
        status = an_error_set(AN_INPUT, "%s: a profile has at least two lines of numbers", path);
    for (int n = 0; n < (p->sided ? AN_NSIDE : 1) && status == AN_OK; n++)
        status = make_table(path, &r, (enum an_wall_side)n);
    free(r.line);
    if (status != AN_OK)
        an_wall_profile_free(p);
    return status;
}

void an_wall_profile_free(struct an_wall_profile *p)
{
    for (int n = 0; n < AN_NSIDE; n++) {
        struct an_wall_table *t = &p->side[n];
        free(t->at[0]);
        free(t->at[1]);
        free(t->value);
        free(t->line);
        *t = (struct an_wall_table){.value = NULL};
    }
}

/* The interval of an axis that holds v, and the part of the way through it. */
static int find(const struct an_wall_table *t, int axis, double v, double *part, int *outside)
{
    enum { SLACK = 1000000 }; /* rounding at the ends is not outside */
    const int n = t->n[axis];
    const double *x = t->at[axis], slack = (x[n - 1] - x[0]) / SLACK;
    *part = 0;
    *outside |= v < x[0] - slack || v > x[n - 1] + slack;
    if (n == 1)
        return 0;
    const int i = interval(n, x, v);
    *part = fmax(0, fmin((v - x[i]) / (x[i + 1] - x[i]), 1));
    return i;
}

double an_wall_profile_at(const struct an_wall_profile *p, enum an_wall_side side, double along,
                          double across, int *outside)
{
    const struct an_wall_table *t = &p->side[p->sided ? side : AN_SIDE_SUCTION];
    double a, b;
    int ignored = 0;
    *outside = 0;
    const int i = find(t, 0, along, &a, p->along ? outside : &ignored);
    const int j = find(t, 1, across, &b, p->across ? outside : &ignored);
    const double *v = t->value + (int64_t)j * t->n[0] + i;
    const int di = t->n[0] > 1, dj = t->n[1] > 1 ? t->n[0] : 0;
    const double low = v[0] + a * (v[di] - v[0]), high = v[dj] + a * (v[dj + di] - v[dj]);
    return low + b * (high - low);
}
