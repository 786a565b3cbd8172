// TurboGrid's exchange files: a .inf file with lines "Key: value" and the .curve files of hub,
// shroud and profiles that it names. '!' starts a comment. Keys that say nothing about the geometry
// are passed over.
#include "row.h"

#include "kernels/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct inf {
    int sets, per_set, axis;
    char units[40], hub[1024], casing[1024], profile[1024];
    bool left;
};

static char *trim(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    char *end = s + strlen(s);
    while (end > s && isspace((unsigned char)end[-1]))
        *--end = 0;
    return s;
}

static int whole(const char *path, int line, const char *key, const char *value, int *to)
{
    char *end;
    const long v = strtol(value, &end, 10);
    AN_CHECK(end != value && !*end && v >= 1 && v <= 1000, AN_INPUT,
             "%s:%d: error: '%s' is '%s', expected a whole number from 1 to 1000", path, line, key,
             value);
    *to = (int)v;
    return AN_OK;
}

// The file stands beside the .inf file.
static int beside(char to[1024], const char *path, int line, const char *name)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash && name[0] != '/' ? (int)(slash - path) + 1 : 0;
    AN_CHECK(*name, AN_INPUT, "%s:%d: error: the name of a file is missing", path, line);
    AN_CHECK(snprintf(to, 1024, "%.*s%s", folder, path, name) < 1024, AN_INPUT,
             "%s:%d: error: the path of %s is too long", path, line, name);
    return AN_OK;
}

static int read_pair(struct inf *f, const char *path, int line, const char *key, char *value)
{
    double factor;
    if (strcasecmp(key, "Axis of Rotation") == 0) {
        const char *axis = strchr("xyz", tolower((unsigned char)*value));
        AN_CHECK(*value && !value[1] && axis, AN_INPUT,
                 "%s:%d: error: the axis of rotation is '%s', expected X, Y or Z", path, line,
                 value);
        f->axis = (int)(strchr("xyz", tolower((unsigned char)*value)) - "xyz");
        return AN_OK;
    }
    if (strcasecmp(key, "Number of Blade Sets") == 0)
        return whole(path, line, key, value, &f->sets);
    if (strcasecmp(key, "Number of Blades Per Set") == 0)
        return whole(path, line, key, value, &f->per_set);
    if (strcasecmp(key, "Geometry Units") == 0) {
        AN_CHECK(!input_unit_find(value, &factor), AN_INPUT,
                 "%s:%d: error: the unit is '%s', expected M, CM, MM, UM, IN or FT", path, line,
                 value);
        snprintf(f->units, sizeof f->units, "%s", value);
        return AN_OK;
    }
    if (strcasecmp(key, "Coordinate System Orientation") == 0) {
        f->left = strncasecmp(value, "left", 4) == 0;
        return AN_OK;
    }
    if (strcasecmp(key, "Hub Data File") == 0)
        return beside(f->hub, path, line, value);
    if (strcasecmp(key, "Shroud Data File") == 0)
        return beside(f->casing, path, line, value);
    if (strcasecmp(key, "Profile Data File") == 0)
        return beside(f->profile, path, line, value);
    return AN_OK;
}

static int read_inf(struct inf *f, const char *path)
{
    char text[2000];
    FILE *file = an_text_open(path);
    AN_CHECK(file, AN_INPUT, "%s: error: %s", path, strerror(errno));
    *f = (struct inf){.axis = AXIS_Z, .per_set = 1};
    int rc = AN_OK;
    for (int line = 1; !rc && fgets(text, sizeof text, file); line++) {
        char *mark = strchr(text, '!');
        if (strlen(text) == sizeof text - 1) {
            rc = an_error_set(
                AN_INPUT, "%s:%d: error: the line is too long for a table: is this a text file?",
                path, line);
            break;
        }
        if (mark)
            *mark = 0;
        char *key = trim(text), *colon = strchr(key, ':');
        if (!*key)
            continue;
        if (!colon) {
            rc = an_error_set(AN_INPUT, "%s:%d: error: expected a line 'Key: value'", path, line);
            break;
        }
        *colon = 0;
        rc = read_pair(f, path, line, trim(key), trim(colon + 1));
    }
    fclose(file);
    AN_TRY(rc);
    AN_CHECK(*f->hub && *f->casing && *f->profile, AN_INPUT,
             "%s: error: the line '%s Data File: ...' "
             "is missing",
             path,
             !*f->hub      ? "Hub"
             : !*f->casing ? "Shroud"
                           : "Profile");
    return AN_OK;
}

int curve_pick_blade(struct table *t, const struct row_input *in)
{
    int most = 0;
    for (int k = 0; k < t->nsection; k++)
        most = t->blade[k] > most ? t->blade[k] : most;
    AN_CHECK(
        most == 0 || in->pick_blade > 0, AN_INPUT,
        "%s: error: the file holds %d blades a pitch: say which one to mesh with 'blade: 1' to "
        "'blade: %d'; 'splitter: {blade: 2}' meshes the second one beside the first",
        t->path[0], most + 1, most + 1);
    AN_CHECK(in->pick_blade <= most + 1, AN_INPUT, "%s: error: 'blade' is %d, the file holds %d",
             t->path[0], in->pick_blade, most + 1);
    if (most == 0)
        return AN_OK;
    struct table o = {.columns = t->columns};
    int rc = AN_OK;
    for (int k = 0; k < t->nsection && !rc; k++) {
        if (t->blade[k] != in->pick_blade - 1)
            continue;
        rc = table_section(&o, t->path[k], t->line[k]);
        for (int i = t->start[k]; i < t->start[k + 1] && !rc; i++)
            rc = table_row(&o, t->v + i * t->columns, t->row_line[i]);
    }
    if (!rc && o.nsection == 0)
        rc = an_error_set(AN_INPUT,
                          "%s: error: no profile stands below the line with ## of blade %d",
                          t->path[0], in->pick_blade);
    if (rc) {
        table_free(&o);
        return rc;
    }
    table_finish(&o);
    table_free(t);
    *t = o;
    return AN_OK;
}

static int apply(struct row_input *in, const struct inf *f)
{
    double factor = in->length;
    if (*f->units)
        AN_TRY(input_unit_find(f->units, &factor));
    AN_CHECK(!in->length_given || factor == in->length, AN_INPUT,
             "%s: error: the file says the unit %s, and 'length' another one: leave 'length' out",
             in->geometry, f->units);
    in->length = factor;
    AN_CHECK(!in->blades || !f->sets || in->blades == f->sets, AN_INPUT,
             "%s: error: the file has %d blade sets, and 'blades' is %d", in->geometry, f->sets,
             in->blades);
    in->blades = f->sets ? f->sets : in->blades;
    if (in->axis == AXIS_FILE)
        in->axis = (unsigned)f->axis;
    if (f->left)
        in->theta = -in->theta;
    return AN_OK;
}

int curve_load(struct row_input *in)
{
    struct inf f;
    AN_TRY(read_inf(&f, in->geometry));
    AN_TRY(apply(in, &f));
    snprintf(in->hub, sizeof in->hub, "%s", f.hub);
    snprintf(in->casing, sizeof in->casing, "%s", f.casing);
    snprintf(in->sections, sizeof in->sections, "%s", f.profile);
    for (int which = 1; which < 3; which++) {
        AN_TRY(table_read_curve(&in->given[which], which == 1 ? in->hub : in->casing));
        AN_TRY(columns_meridian(&in->given[which], in));
    }
    struct table *t = &in->given[0];
    AN_TRY(table_read_curve(t, in->sections));
    const int points = t->start[1];
    AN_TRY(curve_pick_blade(t, in));
    in->columns = 3;
    in->column[0] = COLUMN_X;
    in->column[1] = COLUMN_Y;
    in->column[2] = COLUMN_Z;
    const int sections = t->nsection;
    AN_TRY(columns_convert(t, in));
    snprintf(in->told, sizeof in->told,
             "geometry             %s: %d blades, axis %c, unit %s, %d sections (%d points in the "
             "first), "
             "hub %d and casing %d points\n",
             in->geometry, in->blades, "xyz"[in->axis], input_unit(in), sections, points,
             in -> given[1].nrow, in->given[2].nrow);
    return AN_OK;
}
