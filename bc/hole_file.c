#include "bc/hole_file.h"

#include "bc/table_file.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 3.14159265358979323846 / 180;

enum {
    COLUMN_X,
    COLUMN_Y,
    COLUMN_Z,
    COLUMN_TO_X,
    COLUMN_TO_Y,
    COLUMN_TO_Z,
    COLUMN_COUNT,
    COLUMN_PITCH,
    COLUMN_DIAMETER,
    COLUMN_ALPHA,
    COLUMN_BETA,
    COLUMN_ALONG_X,
    COLUMN_ALONG_Y,
    COLUMN_ALONG_Z,
    COLUMN_MASS,
    COLUMN_BLOWING,
    COLUMN_P0,
    COLUMN_DISCHARGE,
    COLUMN_T0,
    COLUMN_LATERAL,
    COLUMN_FORWARD,
    COLUMN_LATERAL_D,
    COLUMN_FORWARD_D,
    NCOLUMN
};

static const struct an_table_column columns[] = {
    {"count", AN_NO_UNIT, NULL, NULL, COLUMN_COUNT, 1},
    {"along_x", AN_NO_UNIT, NULL, NULL, COLUMN_ALONG_X, 1},
    {"along_y", AN_NO_UNIT, NULL, NULL, COLUMN_ALONG_Y, 1},
    {"along_z", AN_NO_UNIT, NULL, NULL, COLUMN_ALONG_Z, 1},
    {"mass_flow_kg_s", AN_NO_UNIT, NULL, NULL, COLUMN_MASS, 1},
    {"mass_flow_g_s", AN_NO_UNIT, NULL, NULL, COLUMN_MASS, 1e-3},
    {"blowing_ratio", AN_NO_UNIT, NULL, NULL, COLUMN_BLOWING, 1},
    {"discharge", AN_NO_UNIT, NULL, NULL, COLUMN_DISCHARGE, 1},
    {"lateral_D", AN_NO_UNIT, NULL, NULL, COLUMN_LATERAL_D, 1},
    {"forward_D", AN_NO_UNIT, NULL, NULL, COLUMN_FORWARD_D, 1},
    {"x", AN_LENGTH, "m", "length", COLUMN_X, 1},
    {"y", AN_LENGTH, "m", "length", COLUMN_Y, 1},
    {"z", AN_LENGTH, "m", "length", COLUMN_Z, 1},
    {"x2", AN_LENGTH, "m", "length", COLUMN_TO_X, 1},
    {"y2", AN_LENGTH, "m", "length", COLUMN_TO_Y, 1},
    {"z2", AN_LENGTH, "m", "length", COLUMN_TO_Z, 1},
    {"pitch", AN_LENGTH, "m", "length", COLUMN_PITCH, 1},
    {"diameter", AN_LENGTH, "m", "length", COLUMN_DIAMETER, 1},
    {"alpha", AN_ANGLE, "deg", "angle", COLUMN_ALPHA, 1},
    {"beta", AN_ANGLE, "deg", "angle", COLUMN_BETA, 1},
    {"lateral", AN_ANGLE, "deg", "angle", COLUMN_LATERAL, 1},
    {"forward", AN_ANGLE, "deg", "angle", COLUMN_FORWARD, 1},
    {"p0", AN_PRESSURE, "Pa", "pressure", COLUMN_P0, 1},
    {"T0", AN_TEMPERATURE, "K", "temperature", COLUMN_T0, 1},
};

/* Values that a column has where the file does not name it. */
static const double standard[NCOLUMN] = {[COLUMN_ALPHA] = 30,
                                         [COLUMN_ALONG_X] = 1,
                                         [COLUMN_DISCHARGE] = 0.75,
                                         [COLUMN_LATERAL_D] = 3,
                                         [COLUMN_FORWARD_D] = 3};

/* What a value has to be. */
struct limit {
    const char *name;
    double least, most;
    int above; /* 1: least itself is not allowed */
    const char *must;
};
static const struct limit limits[NCOLUMN] = {
    [COLUMN_COUNT] = {"count", 2, 100000, 0, "a whole number from 2 to 100000"},
    [COLUMN_PITCH] = {"the pitch (m)", 0, 1e6, 1, "above 0"},
    [COLUMN_DIAMETER] = {"the diameter (m)", 0, 1e3, 1, "above 0"},
    [COLUMN_ALPHA] = {"alpha (degrees)", 5, 90, 0,
                      "between 5 and 90: a jet along the wall or into it is no hole"},
    [COLUMN_BETA] = {"beta (degrees)", -360, 360, 0, "between -360 and 360"},
    [COLUMN_MASS] = {"the mass flow (kg/s)", 0, 1e6, 1, "above 0"},
    [COLUMN_BLOWING] = {"the blowing ratio", 0, 100, 1, "above 0 and at most 100"},
    [COLUMN_P0] = {"p0 (Pa)", 0, 1e12, 1, "above 0"},
    [COLUMN_DISCHARGE] = {"the discharge coefficient", 0, 1, 1, "above 0 and at most 1"},
    [COLUMN_T0] = {"T0 (K)", 50, 4000, 0, "between 50 and 4000"},
    [COLUMN_LATERAL] = {"the lateral angle (degrees)", 0, 45, 0, "between 0 and 45"},
    [COLUMN_FORWARD] = {"the forward angle (degrees)", 0, 45, 0, "between 0 and 45"},
    [COLUMN_LATERAL_D] = {"lateral_D", 0, 100, 0, "between 0 and 100"},
    [COLUMN_FORWARD_D] = {"forward_D", 0, 100, 0, "between 0 and 100"},
};

/* What a file may hold, for messages. */
static const char known[] = "a file of holes has x_m, y_m, z_m, diameter_m, T0_K, one of "
                            "mass_flow_kg_s, blowing_ratio and p0_Pa, and "
                            "perhaps x2_m, y2_m, z2_m, count, pitch_m, alpha_deg, beta_deg, "
                            "along_x, along_y, along_z, "
                            "discharge, lateral_deg, forward_deg, lateral_D, forward_D";
_Static_assert((int)NCOLUMN <= (int)AN_TABLE_COLUMNS, "room for all columns");

struct reading {
    struct an_table_heading head;
    struct an_hole_list *list;
    int room;
};

/* Columns that mean nothing without another one. */
static int take_pairs(const struct reading *r, const struct an_table_place *here)
{
    static const struct {
        int column, with;
        const char *name, *other;
    } pair[] = {{COLUMN_DISCHARGE, COLUMN_P0, "discharge", "p0_Pa"},
                {COLUMN_LATERAL_D, COLUMN_LATERAL, "lateral_D", "lateral_deg"},
                {COLUMN_FORWARD_D, COLUMN_FORWARD, "forward_D", "forward_deg"}};
    for (size_t n = 0; n < sizeof pair / sizeof *pair; n++)
        AN_CHECK(!r->head.has[pair[n].column] || r->head.has[pair[n].with], AN_INPUT,
                 "%s:%d:%d: column %s has no effect without a column %s", here->path, here->line,
                 r->head.has[pair[n].column], pair[n].name, pair[n].other);
    return AN_OK;
}

static int take_heading(struct reading *r, const struct an_table_place *here, char *text)
{
    static const struct {
        int column;
        const char *name;
    } needed[] = {{COLUMN_X, "x_m"},
                  {COLUMN_Y, "y_m"},
                  {COLUMN_Z, "z_m"},
                  {COLUMN_DIAMETER, "diameter_m"},
                  {COLUMN_T0, "T0_K"}};
    AN_TRY(an_table_heading_read(here, text, columns, sizeof columns / sizeof *columns, known,
                                 &r->head));
    for (size_t n = 0; n < sizeof needed / sizeof *needed; n++)
        AN_CHECK(r->head.has[needed[n].column], AN_INPUT,
                 "%s:%d: a file of holes needs a column %s", here->path, here->line,
                 needed[n].name);
    const int flows = (r->head.has[COLUMN_MASS] > 0) + (r->head.has[COLUMN_BLOWING] > 0) +
                      (r->head.has[COLUMN_P0] > 0);
    AN_CHECK(flows == 1, AN_INPUT,
             "%s:%d: a file of holes needs one of the columns mass_flow_kg_s, blowing_ratio and "
             "p0_Pa%s",
             here->path, here->line, flows ? ", and has more than one" : "");
    AN_TRY(take_pairs(r, here));
    AN_CHECK(!r->head.has[COLUMN_COUNT] || !r->head.has[COLUMN_PITCH], AN_INPUT,
             "%s:%d:%d: a file of holes has count or pitch_m, not both", here->path, here->line,
             r->head.has[COLUMN_PITCH]);
    const int row =
        r->head.has[COLUMN_TO_X] || r->head.has[COLUMN_TO_Y] || r->head.has[COLUMN_TO_Z];
    AN_CHECK(row == (r->head.has[COLUMN_COUNT] || r->head.has[COLUMN_PITCH]), AN_INPUT,
             "%s:%d: rows of holes need a column x2_m, y2_m or z2_m and a column count or "
             "pitch_m",
             here->path, here->line);
    return AN_OK;
}

static int add(struct reading *r, const struct an_table_place *here,
               const struct an_hole_given *hole)
{
    enum { MOST = 1000000 };
    struct an_hole_list *list = r->list;
    AN_CHECK(list->n < MOST, AN_INPUT, "%s:%d: more than %d holes", here->path, here->line, MOST);
    if (list->n == r->room) {
        r->room = r->room ? 2 * r->room : 64;
        struct an_hole_given *more = realloc(list->hole, (size_t)r->room * sizeof *more);
        AN_CHECK(more, AN_FAIL, "out of memory for holes");
        list->hole = more;
    }
    list->hole[list->n++] = *hole;
    return AN_OK;
}

/* The holes of a line. */
static int add_line(struct reading *r, const struct an_table_place *here, const double *v)
{
    struct an_hole_given hole = {.diameter = v[COLUMN_DIAMETER],
                                 .alpha = v[COLUMN_ALPHA] * degree,
                                 .beta = v[COLUMN_BETA] * degree,
                                 .discharge = v[COLUMN_DISCHARGE],
                                 .T0 = v[COLUMN_T0],
                                 .lateral = v[COLUMN_LATERAL] * degree,
                                 .forward = v[COLUMN_FORWARD] * degree,
                                 .lateral_length = v[COLUMN_LATERAL_D],
                                 .forward_length = v[COLUMN_FORWARD_D],
                                 .line = here->line};
    hole.kind = r->head.has[COLUMN_MASS]      ? AN_HOLE_MASS
                : r->head.has[COLUMN_BLOWING] ? AN_HOLE_BLOWING
                                              : AN_HOLE_SUPPLY;
    hole.flow = v[COLUMN_MASS + (int)hole.kind];
    double step[3], length = 0, along = 0;
    for (int d = 0; d < 3; d++) {
        hole.x[d] = v[COLUMN_X + d];
        hole.along[d] = v[COLUMN_ALONG_X + d];
        along += fabs(hole.along[d]);
        step[d] = r->head.has[COLUMN_TO_X + d] ? v[COLUMN_TO_X + d] - v[COLUMN_X + d] : 0;
        length += step[d] * step[d];
    }
    length = sqrt(length);
    AN_CHECK(along > 0, AN_INPUT, "%s:%d: the direction along_x, along_y, along_z has no length",
             here->path, here->line);
    if (!r->head.has[COLUMN_COUNT] && !r->head.has[COLUMN_PITCH])
        return add(r, here, &hole);
    AN_CHECK(length > 0, AN_INPUT, "%s:%d: the first and the last hole of the row are at one place",
             here->path, here->line);
    const double count =
        r->head.has[COLUMN_COUNT] ? v[COLUMN_COUNT] : 1 + fmax(1, round(length / v[COLUMN_PITCH]));
    AN_CHECK(count < 1e6, AN_INPUT, "%s:%d: the row would have %.0f holes", here->path, here->line,
             count);
    AN_CHECK(length / (count - 1) >= hole.diameter, AN_INPUT,
             "%s:%d: the holes of the row overlap: their distance is %.6g m and their diameter "
             "%.6g m",
             here->path, here->line, length / (count - 1), hole.diameter);
    for (int n = 0; n < (int)count; n++) {
        struct an_hole_given one = hole;
        one.number = n + 1;
        for (int d = 0; d < 3; d++)
            one.x[d] += step[d] * n / (count - 1);
        AN_TRY(add(r, here, &one));
    }
    return AN_OK;
}

static int take_line(void *context, const struct an_table_place *here, char *text)
{
    struct reading *r = context;
    double v[NCOLUMN];
    int column = 0;
    if (!r->head.n)
        return take_heading(r, here, text);
    memcpy(v, standard, sizeof v);
    /* a direction that is given in part has zeros elsewhere */
    v[COLUMN_ALONG_X] = !r->head.has[COLUMN_ALONG_Y] && !r->head.has[COLUMN_ALONG_Z];
    for (int c = 0; c < r->head.n; c++) {
        const int to = r->head.column[c].to;
        const struct limit *l = &limits[to];
        const char *cell;
        AN_TRY(an_table_next(here, r->head.separator, c, r->head.n, &text, &column, &cell));
        AN_TRY(an_table_number(here, cell, column, &v[to]));
        v[to] = r->head.column[c].factor * v[to] + r->head.column[c].offset;
        AN_CHECK(!l->name ||
                     (v[to] >= l->least && v[to] <= l->most && !(l->above && v[to] == l->least) &&
                      (to != COLUMN_COUNT || v[to] == floor(v[to]))),
                 AN_INPUT, "%s:%d:%d: %s is %.6g, but must be %s", here->path, here->line, column,
                 l->name, v[to], l->must);
    }
    AN_TRY(an_table_ends(here, r->head.separator, text));
    return add_line(r, here, v);
}

int an_holes_read(const char *path, struct an_hole_list *list)
{
    *list = (struct an_hole_list){.n = 0};
    struct reading r = {.list = list};
    int status = an_table_read(path, "holes", take_line, &r);
    if (status == AN_OK && !list->n)
        status = an_error_set(AN_INPUT, "%s: the file has no line with a hole", path);
    if (status != AN_OK)
        an_holes_free(list);
    return status;
}

void an_holes_free(struct an_hole_list *list)
{
    free(list->hole);
    *list = (struct an_hole_list){.n = 0};
}
