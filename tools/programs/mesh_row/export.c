// What was read as TurboGrid's files: hub.curve, shroud.curve, profile.curve and row.inf, in metres, axis Z.
#include "row.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "io/output_file.h"

static const char *const files[4] = {"hub.curve", "shroud.curve", "profile.curve", "row.inf"};

static int path_of(char path[1100], const char *folder, const char *name)
{
    AN_CHECK(snprintf(path, 1100, "%s/%s", folder, name) < 1100, AN_INPUT,
             "%s: error: the path is too long", folder);
    return AN_OK;
}

// Files over those that were read would leave nothing to make them of.
static int check_inputs(const struct row_input *in, const char *folder)
{
    const char *const read[5] = {in->geometry, in->sections, in->hub, in->casing, in->surfaces};
    char path[1100];
    for (int k = 0; k < 4; k++) {
        AN_TRY(path_of(path, folder, files[k]));
        for (int n = 0; n < 5 + in->files; n++) {
            const char *one = n < 5 ? read[n] : in->file[n - 5];
            AN_CHECK(!*one || !an_same_file(path, one), AN_INPUT,
                     "%s is %s, which is read: it would be written over: give another folder", path,
                     one);
        }
    }
    return AN_OK;
}

static int create(FILE **f, const char *folder, const char *name)
{
    char path[1100];
    AN_TRY(path_of(path, folder, name));
    *f = fopen(path, "w");
    AN_CHECK(*f, AN_INPUT, "%s: error: %s", path, strerror(errno));
    return AN_OK;
}

static int finish(FILE *f, const char *folder)
{
    const bool failed = ferror(f);
    AN_CHECK(!fclose(f) && !failed, AN_FAIL, "%s: error: a file could not be written", folder);
    return AN_OK;
}

static void put(FILE *f, double x, double r, double theta)
{
    fprintf(f, "%.10g %.10g %.10g\n", r * cos(theta), r * sin(theta), x);
}

static int export_wall(const struct row_input *in, const char *folder, int which)
{
    FILE *f = NULL;
    struct table t;
    AN_TRY(table_of(&t, in, which == 1 ? in->hub : in->casing, 2));
    int rc = create(&f, folder, files[which - 1]);
    for (int i = 0; i < t.nrow && !rc; i++)
        put(f, in->length * t.v[2 * i], in->length * t.v[2 * i + 1], 0);
    table_free(&t);
    return rc ? rc : finish(f, folder);
}

static void put_row(FILE *f, const struct row_input *in, const double *v, enum column theta)
{
    double x = 0, r = 0, angle = 0;
    for (int c = 0; c < in->columns; c++) {
        x = in->column[c] == COLUMN_X ? v[c] : x;
        r = in->column[c] == COLUMN_R ? v[c] : r;
        angle = in->column[c] == theta ? v[c] : angle;
    }
    put(f, in->length * x, in->length * r, in->theta * in->angle * angle);
}

static int export_sections(const struct row_input *in, const char *folder)
{
    FILE *f = NULL;
    struct table t;
    bool paired = false;
    for (int c = 0; c < in->columns; c++)
        paired = paired || in->column[c] == COLUMN_THETA_2;
    AN_TRY(table_of(&t, in, in->sections, in->columns));
    int rc = create(&f, folder, files[2]);
    for (int k = 0; k < t.nsection && !rc; k++) {
        fprintf(f, "# Profile %d at %.4f%%\n", k + 1,
                t.nsection > 1 ? 100.0 * k / (t.nsection - 1) : 0);
        for (int i = t.start[k]; i < t.start[k + 1]; i++)
            put_row(f, in, t.v + i * t.columns, paired ? COLUMN_THETA_1 : COLUMN_THETA);
        for (int i = t.start[k + 1] - 1; i >= t.start[k] && paired; i--)
            put_row(f, in, t.v + i * t.columns, COLUMN_THETA_2);
        if (!paired) // profiles are closed: the first point again
            put_row(f, in, t.v + t.start[k] * t.columns, COLUMN_THETA);
    }
    table_free(&t);
    return rc ? rc : finish(f, folder);
}

int row_export(const struct row_input *in, const char *folder)
{
    FILE *f = NULL;
    AN_CHECK(!mkdir(folder, 0777) || errno == EEXIST, AN_INPUT, "%s: error: %s", folder,
             strerror(errno));
    AN_TRY(check_inputs(in, folder));
    for (int which = 1; which < 3; which++)
        AN_TRY(export_wall(in, folder, which));
    AN_TRY(export_sections(in, folder));
    AN_TRY(create(&f, folder, files[3]));
    fprintf(
        f,
        "! written by mesh_row\nAxis of Rotation: Z\nNumber of Blade Sets: %d\nGeometry Units: M\n"
        "Coordinate System Orientation: Righthanded\nHub Data File: hub.curve\n"
        "Shroud Data File: shroud.curve\nProfile Data File: profile.curve\n",
        in->blades);
    return finish(f, folder);
}
