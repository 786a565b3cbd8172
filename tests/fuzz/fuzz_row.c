/* Any bytes as the four files of mesh_row: the input file, the sections, the hub and the casing, one
 * after the other with form feeds between them. They are read as the tool reads them and the blade is
 * cut by three layers, or there is a message and one of the documented codes. An input file that is
 * refused is replaced by a good one, so that the tables behind it are read all the same. The first
 * character of the sections tells their format: '#' a .curve file, 'G' geomTurbo, 'x' a table of angles,
 * ':' an .inf file that names itself as it likes. */
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/programs/mesh_row/row.h"

enum { PARTS = 4 };

static void write_parts(const uint8_t *data, size_t size, char path[PARTS][64])
{
    for (int n = 0; n < PARTS; n++) {
        const uint8_t *end = n < PARTS - 1 && size ? memchr(data, '\f', size) : NULL;
        const size_t length = end ? (size_t)(end - data) : size;
        snprintf(path[n], sizeof path[n], "/dev/shm/annulus_fuzz_%d_%d", (int)getpid(), n);
        fuzz_write(path[n], data, length);
        data += length + (end != NULL);
        size -= length + (end != NULL);
    }
}

static void check(int status)
{
    FUZZ_EXPECT(status == AN_OK || status == AN_INPUT);
}

static void read_blade(const struct row_input *in)
{
    struct meridian g;
    struct blade b = {0};
    int status = meridian_new(&g, in);
    check(status);
    if (status == AN_OK)
        check(status = blade_new(&b, &g, in));
    for (int n = 0; n <= 2 && status == AN_OK; n++) {
        static struct layer l;
        struct profile p;
        layer_even(&l, &g, 0.5 * n);
        check(status = blade_profile(&b, &l, &p));
        profile_free(&p);
    }
    blade_free(&b);
    meridian_free(&g);
}

/* The input file as that of one row or of several. */
static void read_project(const char *path)
{
    struct project p;
    struct an_diag diag;
    an_diag_init(&diag);
    const int status = input_read_project(&p, path, &diag);
    FUZZ_EXPECT(status == AN_OK || (status == AN_INPUT && diag.nerror));
    FUZZ_EXPECT(p.n >= 0 && p.n <= MAX_ROWS && (status != AN_OK || p.n > 0));
    for (int k = 0; k < p.n; k++)
        formats_free(&p.row[k].in);
    free(p.row);
    an_diag_free(&diag);
}

/* Gives the file of the sections the name of its format. */
static void name_sections(struct row_input *in, const char *path)
{
    static const struct {
        char first;
        const char *suffix;
    } format[] = {{'#', ".curve"}, {'G', ".geomTurbo"}, {'x', ".csv"}, {':', ".inf"}};
    FILE *f = fopen(path, "r");
    const int first = f ? fgetc(f) : EOF;
    if (f)
        fclose(f);
    for (size_t k = 0; k < sizeof format / sizeof *format; k++)
        if (first == format[k].first) {
            char *to = format[k].first == '#'   ? in->sections
                       : format[k].first == 'x' ? in->angles
                                                : in->geometry;
            snprintf(to, sizeof in->sections, "%s%s", path, format[k].suffix);
            FUZZ_EXPECT(rename(path, to) == 0);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct row_input good = {.column = {COLUMN_X, COLUMN_R, COLUMN_THETA},
                                          .columns = 3,
                                          .length = 1,
                                          .angle = 1,
                                          .theta = 1,
                                          .blades = 20,
                                          .inlet = -0.05,
                                          .outlet = 0.1};
    char path[PARTS][64];
    struct row_input in;
    struct an_diag diag;
    write_parts(data, size, path);
    an_diag_init(&diag);
    read_project(path[0]);
    const int status = input_read(&in, path[0], &diag);
    FUZZ_EXPECT(status == AN_OK || (status == AN_INPUT && diag.nerror));
    an_diag_free(&diag);
    if (status != AN_OK) {
        formats_free(&in);
        in = good;
    }
    memcpy(in.sections, path[1], sizeof path[1]);
    memcpy(in.hub, path[2], sizeof path[2]);
    memcpy(in.casing, path[3], sizeof path[3]);
    *in.geometry = *in.angles = 0;
    name_sections(&in, path[1]);
    const int loaded = formats_load(&in);
    check(loaded);
    if (loaded == AN_OK)
        read_blade(&in);
    formats_free(&in);
    remove(*in.geometry ? in.geometry : *in.angles ? in.angles : in.sections);
    return 0;
}
