// Formats of blades and walls: picks the reader, and leaves tables of x, r and theta behind, which
// meridian.c and blade.c read.
#include "row.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

// In any case.
static bool formats_suffix(const char *path, const char *suffix)
{
    const size_t n = strlen(path), m = strlen(suffix);
    return n >= m && strcasecmp(path + n - m, suffix) == 0;
}

static bool is_curve(const char *path)
{
    return formats_suffix(path, ".curve") || formats_suffix(path, ".crv");
}

// blade.c reads these columns as they stand.
static bool native(const struct row_input *in)
{
    bool x = false;
    for (int c = 0; c < in->columns; c++) {
        if (in->column[c] > COLUMN_THETA_2)
            return false;
        x = x || in->column[c] == COLUMN_X;
    }
    return x;
}

static int load_sections(struct row_input *in)
{
    struct table *t = &in->given[0];
    const bool curve = is_curve(in->sections);
    if (curve) {
        AN_CHECK(in->files <= 1, AN_INPUT,
                 "%s: error: 'sections' takes one .curve file, which holds all profiles",
                 in->sections);
        AN_TRY(table_read_curve(t, in->sections));
        AN_TRY(curve_pick_blade(t, in));
        if (in->columns == 0) {
            in->columns = 3;
            in->column[0] = COLUMN_X;
            in->column[1] = COLUMN_Y;
            in->column[2] = COLUMN_Z;
        }
        AN_CHECK(in->columns == 3, AN_INPUT,
                 "%s: error: a .curve file has three columns, 'columns' names %d", in->sections,
                 in->columns);
    } else {
        AN_CHECK(in->columns > 0, AN_INPUT,
                 "%s: error: 'columns' is missing: what the numbers of this file are",
                 in->sections);
        if (native(in) && in->files <= 1)
            return AN_OK;
        *t = (struct table){0};
        for (int f = 0; f < in->files; f++)
            AN_TRY(table_add(t, in->file[f], in->columns));
    }
    bool space = false; // x, y, z: only these say something about the axis
    for (int c = 0; c < in->columns; c++)
        space = space || in->column[c] == COLUMN_Y;
    if (in->axis == AXIS_FILE && space)
        in->axis = curve ? AXIS_Z : AXIS_X;
    return native(in) ? AN_OK : columns_convert(t, in);
}

static int load_wall(struct row_input *in, int which)
{
    const char *path = which == 1 ? in->hub : in->casing;
    if (!is_curve(path))
        return AN_OK;
    AN_TRY(table_read_curve(&in->given[which], path));
    if (in->axis == AXIS_FILE)
        in->axis = AXIS_Z;
    return columns_meridian(&in->given[which], in);
}

static int load_geometry(struct row_input *in)
{
    if (formats_suffix(in->geometry, ".inf"))
        return curve_load(in);
    if (formats_suffix(in->geometry, ".geomturbo"))
        return geomturbo_load(in);
    if (formats_suffix(in->geometry, ".json"))
        return json_load(in);
    return an_error_set(
        AN_INPUT,
        "%s: error: 'geometry' takes a TurboGrid .inf file, a .geomTurbo "
        "file or a .json file of pyturbo-aero; tables are named by 'sections', 'hub' and 'casing'",
        in->geometry);
}

// The blade of a splitter. Hub and casing are the row's.
static int load_splitter(struct row_input *in, const struct row_input *row)
{
    *in->told = 0;
    if (*in->geometry && !*in->angles && !*in->sections) {
        AN_TRY(load_geometry(in));
        for (int which = 1; which < 3; which++)
            table_free(&in->given[which]);
        return AN_OK;
    }
    *in->geometry = 0;
    snprintf(in->hub, sizeof in->hub, "%s", row->hub); // not to be made from angles
    snprintf(in->casing, sizeof in->casing, "%s", row->casing);
    AN_CHECK(*in->angles || *in->sections, AN_INPUT,
             "error: 'splitter' with 'blade' needs a row whose blades are in one file");
    return *in->angles ? angles_load(in) : load_sections(in);
}

int formats_load(struct row_input *in)
{
    if (*in->geometry) {
        AN_TRY(load_geometry(in));
    } else {
        AN_TRY(*in->angles ? angles_load(in) : load_sections(in));
        for (int which = 1; which < 3; which++)
            AN_TRY(load_wall(in, which));
    }
    AN_CHECK(in->blades > 0, AN_INPUT,
             "%s: error: 'blades' is missing, and the file does not say "
             "the number of blades",
             *in->geometry ? in->geometry : in->sections);
    for (int k = 0; k < in->splitters; k++) {
        AN_TRY(load_splitter(&in->splitter[k], in));
        in->splitter[k].blades = in->blades;
    }
    return AN_OK;
}

void formats_free(struct row_input *in)
{
    for (int b = 0; b < in->splitters; b++)
        formats_free(&in->splitter[b]);
    free(in->splitter);
    in->splitter = NULL;
    in->splitters = 0;
    for (int k = 0; k < 3; k++)
        table_free(&in->given[k]);
    free(in->file);
    in->file = NULL;
    in->files = 0;
}
