// NUMECA's geomTurbo files (text): blocks NI_BEGIN name ... NI_END name, in them lines of a keyword
// with values, and lists of points. What is read:
//
//   CHANNEL      basic_curve with a zrcurve each; channel_curve hub and shroud, chains of them
//   NIROW        NAME, PERIODICITY, ROTATION_SPEED
//   NIBLADE      NAME, NITipGap; the second one of a row is a splitter
//   NIBLADEGEOMETRY  suction and pressure, each with sections of points (XYZ or ZRTH) from the
//                leading to the trailing edge
//
// The axis is z, and lengths are metres times UNITS-FACTOR and the blade's `units`.
#include "row.h"

#include "kernels/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { LINE = 1000, DEPTH = 20, CURVES = 200, NAME = 100 };

struct zr_curve {
    char name[NAME];
    int start, n; // points in file.wall
};

struct file {
    const char *path;
    FILE *f;
    int line;
    char text[LINE]; // of the present line, without blanks around it
    int depth, opened[DEPTH];
    char block[DEPTH][NAME]; // names of the open blocks, in small letters
    double factor;           // UNITS-FACTOR and SCALE-GEOMETRY-FACTOR
    struct zr_curve curve[CURVES];
    int curves;
    struct table wall;     // z, r of all basic curves, one section each
    struct table chain[2]; // hub and shroud
    int rows, blades;      // rows so far, blades of the present row
    char row[NAME], blade[NAME], rows_seen[400], blades_seen[400];
    int row_taken; // number of the row that was asked for, 0 while it was not seen
    int periodicity;
    double rpm, units;
    struct row_gap gap[2]; // AT_HUB, AT_CASING, in the file's unit
    struct table side[2];  // suction and pressure of the blade that was asked for
    int taken;             // blades taken, 1 in the end
    bool zrth;
};

// The next line that holds something but a comment. False at the end of the file.
static bool next(struct file *f)
{
    char buffer[LINE];
    while (fgets(buffer, sizeof buffer, f->f)) {
        f->line++;
        for (int c = 0; !strchr(buffer, '\n') && c != EOF && c != '\n';)
            c = fgetc(f->f); // the rest of a long comment
        char *mark = strchr(buffer, '#'), *p = buffer;
        if (mark)
            *mark = 0;
        while (isspace((unsigned char)*p))
            p++;
        size_t n = strlen(p);
        while (n > 0 && isspace((unsigned char)p[n - 1]))
            p[--n] = 0;
        if (n) {
            memcpy(f->text, p, n + 1);
            return true;
        }
    }
    return false;
}

// First word of the line in small letters, then the rest.
static const char *split(const struct file *f, char word[NAME])
{
    size_t n = strcspn(f->text, " \t"), i = 0;
    for (; i < n && i < NAME - 1; i++)
        word[i] = (char)tolower((unsigned char)f->text[i]);
    word[i] = 0;
    return f->text + n + strspn(f->text + n, " \t");
}

static bool inside(const struct file *f, const char *name)
{
    return f->depth > 0 && strcmp(f->block[f->depth - 1], name) == 0;
}

static int value(const struct file *f, const char *text, const char *key, double *to)
{
    char *end;
    const double v = strtod(text, &end);
    AN_CHECK(end != text && (!*end || isspace((unsigned char)*end)) && isfinite(v), AN_INPUT,
             "%s:%d: error: '%s' needs a number, found '%s'", f->path, f->line, key, text);
    *to = v;
    return AN_OK;
}

static int read_count(struct file *f, int *n)
{
    double v = 0;
    AN_CHECK(next(f), AN_INPUT, "%s: error: the file ends where a number of points is due",
             f->path);
    AN_TRY(value(f, f->text, "number of points", &v));
    AN_CHECK(v >= 1 && v <= 1e6 && v == floor(v), AN_INPUT,
             "%s:%d: error: expected a number of points or sections, found '%s'", f->path, f->line,
             f->text);
    *n = (int)v;
    return AN_OK;
}

static int read_points(struct file *f, struct table *t, int n)
{
    for (int i = 0; i < n; i++) {
        double v[3] = {0};
        AN_CHECK(next(f), AN_INPUT, "%s: error: the file ends within a list of %d points", f->path,
                 n);
        char *p = f->text;
        for (int c = 0; c < t->columns; c++) {
            char *end;
            v[c] = strtod(p, &end);
            AN_CHECK(end != p && isfinite(v[c]), AN_INPUT,
                     "%s:%d: error: expected point %d of %d, %d numbers, found '%.60s'", f->path,
                     f->line, i + 1, n, t->columns, f->text);
            p = end;
        }
        AN_TRY(table_row(t, v, f->line));
    }
    table_finish(t);
    return AN_OK;
}

// A curve of the channel: "ZR", the number of points, the points.
static int read_curve(struct file *f)
{
    int n;
    AN_CHECK(f->curves < CURVES, AN_INPUT, "%s:%d: error: more than %d curves", f->path, f->line,
             CURVES);
    AN_TRY(read_count(f, &n));
    struct zr_curve *c = &f->curve[f->curves++];
    c->start = f->wall.nrow;
    c->n = n;
    f->wall.columns = 2;
    AN_TRY(table_section(&f->wall, f->path, f->line));
    return read_points(f, &f->wall, n);
}

// "VERTEX CURVE_P curve parameter": the curves that end at the vertices of the chain, in order.
static int read_vertex(struct file *f, const char *rest)
{
    char kind[NAME], name[NAME];
    double at;
    AN_CHECK(sscanf(rest, "%99s %99s %lf", kind, name, &at) == 3 &&
                 strcasecmp(kind, "CURVE_P") == 0,
             AN_INPUT, "%s:%d: error: expected 'VERTEX CURVE_P name parameter', found '%.60s'",
             f->path, f->line, f->text);
    const bool shroud = inside(f, "channel_curve shroud");
    if (!shroud && !inside(f, "channel_curve hub"))
        return AN_OK; // of a splitter of the flow, for example
    struct table *to = &f->chain[shroud];
    int k = 0;
    while (k < f->curves && strcmp(f->curve[k].name, name) != 0)
        k++;
    AN_CHECK(k < f->curves, AN_INPUT, "%s:%d: error: there is no basic_curve '%s' above", f->path,
             f->line, name);
    AN_CHECK(at == 0 || at == 1, AN_INPUT,
             "%s:%d: error: the vertex lies at parameter %g of the curve; only its ends, 0 and 1, "
             "can be "
             "read",
             f->path, f->line, at);
    if (at == 0)
        return AN_OK; // the curve itself follows with the vertex at its end
    to->columns = 2;
    if (!to->nsection)
        AN_TRY(table_section(to, f->path, f->line));
    const struct zr_curve *c = &f->curve[k];
    for (int i = 0; i < c->n; i++) {
        const double *v = f->wall.v + 2 * (c->start + i),
                     *b = to->nrow ? to->v + 2 * (to->nrow - 1) : NULL;
        if (b && hypot(v[0] - b[0], v[1] - b[1]) <= 1e-9 * (fabs(v[0]) + fabs(v[1])))
            continue;
        AN_TRY(table_row(to, v, f->wall.row_line[c->start + i]));
    }
    table_finish(to);
    return AN_OK;
}

// "suction" or "pressure": SECTIONAL, the number of sections, the sections, into f->side.
static int read_side(struct file *f, int which)
{
    char word[NAME];
    int sections, n;
    struct table *t = &f->side[which];
    AN_CHECK(
        next(f) && (split(f, word), strcmp(word, "sectional") == 0), AN_INPUT,
        "%s:%d: error: expected SECTIONAL, found '%.60s'; blades given as surfaces cannot be read",
        f->path, f->line, f->text);
    AN_TRY(read_count(f, &sections));
    t->columns = 3;
    int rc = AN_OK;
    for (int k = 0; k < sections && !rc; k++) {
        if (!next(f) || (strcasecmp(f->text, "XYZ") != 0 && strcasecmp(f->text, "ZRTH") != 0)) {
            rc = an_error_set(AN_INPUT,
                              "%s:%d: error: expected XYZ or ZRTH above section %d of %d, found "
                              "'%.60s'",
                              f->path, f->line, k + 1, sections, f->text);
            break;
        }
        const bool zrth = strcasecmp(f->text, "ZRTH") == 0,
                   first = !f->side[0].nsection && !f->side[1].nsection;
        if (!first && zrth != f->zrth)
            rc = an_error_set(AN_INPUT,
                              "%s:%d: error: %s, but the sections above are %s: one blade "
                              "needs one kind of coordinates",
                              f->path, f->line, f->text, zrth ? "XYZ" : "ZRTH");
        f->zrth = zrth;
        if (!rc)
            rc = read_count(f, &n);
        if (!rc)
            rc = table_section(t, f->path, f->line);
        if (!rc)
            rc = read_points(f, t, n);
    }
    return rc;
}

// The numbers and names that the rows and blades of the file go by.
static void list_name(char *list, size_t size, int number, const char *name)
{
    const size_t n = strlen(list);
    snprintf(list + n, size - n, "%s%d '%s'", number > 1 ? ", " : "", number, name);
}

static bool row_wanted(const struct file *f, const struct row_input *in)
{
    char number[20];
    snprintf(number, sizeof number, "%d", f->rows);
    return !*in->pick_row || strcmp(in->pick_row, f->row) == 0 || strcmp(in->pick_row, number) == 0;
}

// "name": of a curve, a row or a blade.
static void read_name(struct file *f, const struct row_input *in, const char *rest)
{
    if (inside(f, "basic_curve") && f->curves < CURVES) {
        snprintf(f->curve[f->curves].name, NAME, "%.99s", rest); // its points follow
    } else if (inside(f, "nirow")) {
        snprintf(f->row, NAME, "%.99s", rest);
        list_name(f->rows_seen, sizeof f->rows_seen, f->rows, f->row);
    } else if (inside(f, "niblade")) {
        snprintf(f->blade, NAME, "%.99s", rest);
        if (row_wanted(f, in))
            list_name(f->blades_seen, sizeof f->blades_seen, f->blades, f->blade);
    }
}

// Keywords of the blade that is wanted: gaps, units and the sections of its sides.
static int read_blade_keyword(struct file *f, const char *key, const char *rest)
{
    const bool at_tip = inside(f, "nitipgap");
    struct row_gap *gap = &f->gap[at_tip ? AT_CASING : AT_HUB];
    if (at_tip || inside(f, "nihubgap")) {
        if (strcmp(key, "width_at_leading_edge") == 0)
            return value(f, rest, key, &gap->lead);
        if (strcmp(key, "width_at_trailing_edge") == 0)
            return value(f, rest, key, &gap->trail);
    }
    if (!inside(f, "nibladegeometry"))
        return AN_OK;
    if (strcmp(key, "units") == 0)
        return value(f, rest, key, &f->units);
    if (strcmp(key, "suction") == 0 || strcmp(key, "pressure") == 0)
        return read_side(f, strcmp(key, "pressure") == 0);
    return AN_OK;
}

static int read_keyword(struct file *f, const struct row_input *in)
{
    char key[NAME];
    const char *rest = split(f, key);
    double v = 0;
    if (strcmp(key, "name") == 0) {
        read_name(f, in, rest);
        return AN_OK;
    }
    if (strcmp(key, "zr") == 0 && inside(f, "zrcurve"))
        return read_curve(f);
    if (strcmp(key, "vertex") == 0)
        return read_vertex(f, rest);
    if (strcmp(key, "units-factor") == 0 || strcmp(key, "scale-geometry-factor") == 0) {
        AN_TRY(value(f, rest, key, &v));
        f->factor *= v;
        return AN_OK;
    }
    const bool wanted = f->rows > 0 && row_wanted(f, in);
    if (wanted && inside(f, "nirow") && strcmp(key, "periodicity") == 0) {
        AN_TRY(value(f, rest, key, &v));
        AN_CHECK(v >= 1 && v <= 1000 && v == floor(v), AN_INPUT,
                 "%s:%d: error: PERIODICITY is %g, expected a whole number of blades", f->path,
                 f->line, v);
        f->periodicity = (int)v;
    }
    if (wanted && inside(f, "nirow") && strcmp(key, "rotation_speed") == 0)
        return value(f, rest, key, &f->rpm);
    if (wanted && f->blades == (in->pick_blade ? in->pick_blade : 1))
        return read_blade_keyword(f, key, rest);
    return AN_OK;
}

static int open_block(struct file *f, const char *rest, const struct row_input *in)
{
    AN_CHECK(f->depth < DEPTH, AN_INPUT, "%s:%d: error: blocks lie in each other more than %d deep",
             f->path, f->line, DEPTH);
    char *name = f->block[f->depth];
    size_t n = 0;
    for (; *rest && n < NAME - 1; rest++) { // several blanks count as one
        const bool blank = isspace((unsigned char)*rest);
        if (!blank || (n > 0 && name[n - 1] != ' '))
            name[n++] = blank ? ' ' : (char)tolower((unsigned char)*rest);
    }
    name[n] = 0;
    f->opened[f->depth++] = f->line;
    if (strcmp(name, "nirow") == 0) {
        f->rows++;
        f->blades = 0;
    }
    if (strcmp(name, "niblade") == 0) {
        f->blades++;
        f->taken += row_wanted(f, in);
    }
    return AN_OK;
}

static int close_block(struct file *f, const char *rest)
{
    AN_CHECK(f->depth > 0 || strncasecmp(rest, "geom", 4) == 0, AN_INPUT,
             "%s:%d: error: NI_END %s closes nothing", f->path, f->line, rest);
    if (f->depth == 0)
        return AN_OK; // the file as a whole: GEOMTURBO
    const char *open = f->block[f->depth - 1];
    const size_t n = strcspn(rest, " \t");
    AN_CHECK(strncasecmp(open, rest, n) == 0, AN_INPUT,
             "%s:%d: error: NI_END %s, but '%s' of line %d is open", f->path, f->line, rest, open,
             f->opened[f->depth - 1]);
    f->depth--;
    return AN_OK;
}

static int read_all(struct file *f, const struct row_input *in)
{
    char word[NAME];
    AN_CHECK(next(f) && strncasecmp(f->text, "GEOMETRY TURBO", 14) == 0, AN_INPUT,
             "%s:%d: error: expected GEOMETRY TURBO, as geomTurbo files begin", f->path, f->line);
    while (next(f)) {
        const char *rest = split(f, word);
        if (strcmp(word, "ni_begin") == 0)
            AN_TRY(open_block(f, rest, in));
        else if (strcmp(word, "ni_end") == 0)
            AN_TRY(close_block(f, rest));
        else
            AN_TRY(read_keyword(f, in));
    }
    AN_CHECK(!ferror(f->f), AN_INPUT, "%s: error: %s", f->path, strerror(errno));
    AN_CHECK(f->depth == 0, AN_INPUT,
             "%s:%d: error: the file ends, and the block '%s' of this line is open", f->path,
             f->opened[f->depth - 1], f->block[f->depth - 1]);
    return AN_OK;
}

// Suction side to the trailing edge, pressure side back; points that both sides share stand once.
int sides_join(const char *path, const struct table side[2], struct table *t)
{
    *t = (struct table){.columns = 3, .closed = true};
    for (int k = 0; k < side[0].nsection; k++) {
        const struct table *s = &side[0], *p = &side[1];
        double size = 0;
        AN_TRY(table_section(t, path, s->line[k]));
        for (int i = s->start[k]; i < s->start[k + 1]; i++) {
            const double *a = s->v + 3 * i, *b = s->v + 3 * s->start[k];
            size = fmax(size, hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]));
            AN_TRY(table_row(t, a, s->row_line[i]));
        }
        for (int i = p->start[k + 1] - 1; i >= p->start[k]; i--) {
            const double *a = p->v + 3 * i, *b = t->v + 3 * (t->nrow - 1),
                         *c = t->v + 3 * t->start[k];
            const double to_last = hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
            const double to_first = hypot(hypot(a[0] - c[0], a[1] - c[1]), a[2] - c[2]);
            if (to_last > 1e-7 * size && to_first > 1e-7 * size)
                AN_TRY(table_row(t, a, p->row_line[i]));
        }
        table_finish(t);
    }
    return AN_OK;
}

static int check(const struct file *f, const struct row_input *in)
{
    const char *what[2] = {"hub", "shroud"}, *side[2] = {"suction", "pressure"};
    for (int k = 0; k < 2; k++)
        AN_CHECK(f->chain[k].nrow, AN_INPUT, "%s: error: there is no channel_curve %s", f->path,
                 what[k]);
    AN_CHECK(f->rows > 0, AN_INPUT, "%s: error: there is no NIROW", f->path);
    AN_CHECK(f->rows == 1 || *in->pick_row, AN_INPUT,
             "%s: error: the file holds %d rows: say which one to mesh with 'row_of_file': %s",
             f->path, f->rows, f->rows_seen);
    AN_CHECK(f->taken > 0, AN_INPUT, "%s: error: there is no row '%s'; the rows are %s", f->path,
             in->pick_row, f->rows_seen);
    AN_CHECK(
        f->taken == 1 || in->pick_blade > 0, AN_INPUT,
        "%s: error: the row has %d blades a pitch: say which one to mesh with 'blade', or mesh the "
        "second one beside the first with 'splitter: {blade: 2}': %s",
        f->path, f->taken, f->blades_seen);
    AN_CHECK(in->pick_blade <= f->taken, AN_INPUT, "%s: error: 'blade' is %d; the blades are %s",
             f->path, in->pick_blade, f->blades_seen);
    for (int k = 0; k < 2; k++)
        AN_CHECK(f->side[k].nsection, AN_INPUT,
                 "%s: error: the blade has no sections on its %s side", f->path, side[k]);
    AN_CHECK(f->side[0].nsection == f->side[1].nsection, AN_INPUT,
             "%s: error: %d sections on the suction side, %d on the pressure side", f->path,
             f->side[0].nsection, f->side[1].nsection);
    return AN_OK;
}

// What the file says beside the points; what the input file says too must agree.
static int apply(const struct file *f, struct row_input *in)
{
    AN_CHECK(!in->length_given || in->length == f->factor, AN_INPUT,
             "%s: error: the file itself says its unit (%g m): leave 'length' out", f->path,
             f->factor);
    in->length = f->factor;
    AN_CHECK(!in->blades || !f->periodicity || in->blades == f->periodicity, AN_INPUT,
             "%s: error: the row has PERIODICITY %d, and 'blades' is %d", f->path, f->periodicity,
             in->blades);
    in->blades = f->periodicity ? f->periodicity : in->blades;
    if (!in->rpm_given)
        in->rpm = f->rpm;
    for (int wall = AT_HUB; wall <= AT_CASING; wall++) {
        const struct row_gap gap = {f->gap[wall].lead * f->factor, f->gap[wall].trail * f->factor,
                                    0};
        if (in->gap_given[wall] || !gap_wanted(&gap))
            continue;
        AN_CHECK(
            gap.lead > 0 && gap.trail > 0, AN_INPUT,
            "%s: error: the %s gap is zero at one edge and not at the other, where cells cannot "
            "close to a line: give '%s_gap' in the input file",
            f->path, wall == AT_HUB ? "hub" : "tip", wall == AT_HUB ? "hub" : "tip");
        in->gap[wall] = gap;
        const size_t used = strlen(in->told);
        snprintf(in->told + used, sizeof in->told - used,
                 "%s gap              %g m at the leading and %g m at the trailing edge\n",
                 wall == AT_HUB ? "hub" : "tip", gap.lead, gap.trail);
    }
    in->axis = AXIS_Z;
    return AN_OK;
}

static int finish(struct file *f, struct row_input *in)
{
    AN_TRY(check(f, in));
    AN_TRY(apply(f, in));
    for (int k = 0; k < 2; k++) {
        in->given[1 + k] = f->chain[k];
        f->chain[k] = (struct table){0};
    }
    char *const name[3] = {in->sections, in->hub, in->casing}; // for messages
    const char *const part[3] = {"blade", "hub", "shroud"};
    for (int k = 0; k < 3; k++)
        snprintf(name[k], sizeof in->hub, "%.1000s (%s)", f->path, part[k]);
    struct table *t = &in->given[0];
    AN_TRY(sides_join(f->path, f->side, t));
    for (int i = 0; i < t->nrow && f->units != 1; i++) // of the blade against the channel
        for (int c = 0; c < (f->zrth ? 2 : 3); c++)
            t->v[3 * i + c] *= f->units;
    in->columns = 3;
    in->column[0] = f->zrth ? COLUMN_Z : COLUMN_X;
    in->column[1] = f->zrth ? COLUMN_R : COLUMN_Y;
    in->column[2] = f->zrth ? COLUMN_THETA : COLUMN_Z;
    in->angle = 1;
    const int sections = t->nsection, points = t->start[1];
    AN_TRY(columns_convert(t, in));
    const size_t n = strlen(in->told);
    snprintf(in->told + n, sizeof in->told - n,
             "geometry             %s: %d blades, %g rpm, unit %g m, %d sections (%d points in the "
             "first), "
             "hub %d and casing %d points\n",
             f->path, in->blades, in->rpm, f->factor, sections, points, in->given[1].nrow,
             in->given[2].nrow);
    return AN_OK;
}

int geomturbo_load(struct row_input *in)
{
    struct file *f = calloc(1, sizeof *f);
    AN_CHECK(f, AN_FAIL, "out of memory");
    f->path = in->geometry;
    f->factor = f->units = 1;
    f->f = an_text_open(f->path);
    int rc =
        f->f ? read_all(f, in) : an_error_set(AN_INPUT, "%s: error: %s", f->path, strerror(errno));
    if (!rc)
        rc = finish(f, in);
    if (f->f)
        fclose(f->f);
    table_free(&f->wall);
    for (int k = 0; k < 2; k++) {
        table_free(&f->chain[k]);
        table_free(&f->side[k]);
    }
    free(f);
    return rc;
}
