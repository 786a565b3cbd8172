// Formats of blades and walls that mesh_row reads. One blade, written in each format by the test:
// on cylinders r = 0.2, 0.25, 0.3 m, x = 0.1 s, theta = 0.1 + 0.2 s^2 + 0.1 r, tangential thickness
// 0.012 (s (1 - s))^(1/2) + a little, s from 0 to 1. Expected: every reader finds x, r and theta of
// every point to 1e-9, the number of blades, the unit and the speed; a thickness normal to the line
// stands normal to it; faults name file, line and what is expected.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/programs/mesh_row/row.h"

#define FOLDER "mesh_row_formats"
#include "tests/tools/tool.h"

enum { POINTS = 41, SECTIONS = 3, ROUND = 2 * POINTS - 2 };

struct place {
    double x, r, theta;
};

static void near(double is, double wanted, double by)
{
    if (!(fabs(is - wanted) <= by))
        fail_msg("%.17g, wanted %.17g", is, wanted);
}

static double thickness(double s)
{
    return 0.012 * sqrt(s * (1 - s));
}

// Point i of the loop: upper side from the leading to the trailing edge, lower side back.
static struct place point(int k, int i)
{
    const int back = i >= POINTS, j = back ? ROUND - i : i;
    const double s = 0.5 * (1 - cos(M_PI * j / (POINTS - 1))), r = 0.2 + 0.05 * k;
    return (struct place){0.1 * s, r,
                          0.1 + 0.2 * s * s + 0.1 * r + (back ? -0.5 : 0.5) * thickness(s) / r};
}

static void put(const char *name, const char *text)
{
    FILE *f = create(name);
    fputs(text, f);
    fclose(f);
}

// Reads the input file with the given lines; returns the exit code of the readers.
static int load(struct row_input *in, const char *lines)
{
    char path[1000], text[2000];
    snprintf(text, sizeof text, "%s\ninlet: -0.1\noutlet: 0.2\ncells: 1e5\nfirst_cell: 1e-5\n",
             lines);
    put("row.yaml", text);
    snprintf(path, sizeof path, "%s/row.yaml", folder);
    struct an_diag diag;
    an_diag_init(&diag);
    int rc = input_read(in, path, &diag);
    if (rc && diag.nline)
        an_error_set(rc, "%s", diag.line[0]);
    an_diag_free(&diag);
    return rc ? rc : formats_load(in);
}

static void good(struct row_input *in, const char *lines)
{
    if (load(in, lines))
        fail_msg("%s: %s", lines, an_error_text());
}

static void refused(const char *lines, const char *message)
{
    struct row_input in;
    const int rc = load(&in, lines);
    if (rc != AN_INPUT || !strstr(an_error_text(), message))
        fail_msg("%s: code %d, said: %s, not: %s", lines, rc, an_error_text(), message);
    formats_free(&in);
}

// The loops of the table are the blade's; from: number of the blade's point that stands first.
static void check_loops(const struct row_input *in, double tolerance)
{
    const struct table *t = &in->given[0];
    assert_int_equal(t->nsection, SECTIONS);
    assert_int_equal(in->columns, 3);
    for (int k = 0; k < SECTIONS; k++) {
        assert_int_equal(t->start[k + 1] - t->start[k], ROUND);
        for (int i = 0; i < ROUND; i++) {
            const double *v = t->v + 3 * (t->start[k] + i);
            const struct place p = point(k, i);
            const double off = fabs(in->length * v[0] - p.x) + fabs(in->length * v[1] - p.r) +
                               fabs(in->theta * in->angle * v[2] - p.theta);
            if (!(off < tolerance))
                fail_msg("section %d, point %d: x %.12g, r %.12g, theta %.12g, off by %g", k, i,
                         in->length * v[0], in->length * v[1], v[2], off);
        }
    }
}

static void check_wall(const struct row_input *in, int which, double r)
{
    const struct table *t = &in->given[which];
    assert_true(t->nrow >= 3);
    assert_int_equal(t->columns, 2);
    for (int i = 0; i < t->nrow; i++) {
        near(in->length * t->v[2 * i + 1], r, 1e-9);
        assert_true(i == 0 || t->v[2 * i] > t->v[2 * i - 2]);
    }
}

// x y z of TurboGrid: the axis is z, lengths in millimetres.
static void put_curve(const char *name, int sections, const char *first)
{
    FILE *f = create(name);
    fprintf(f, "%s", first);
    for (int k = 0; k < sections; k++) {
        fprintf(f, "# Profile %d at %d %%\n", k + 1, 50 * k);
        for (int i = 0; i < ROUND; i++) {
            const struct place p = point(k, i);
            fprintf(f,
                    i == POINTS - 1 ? "%.12f %.12f %.12f te1 \n"
                    : i % 7         ? "%.12f %.12f %.12f\n"
                                    : "%.12f, %.12f, %.12f\n\n",
                    1e3 * p.r * cos(p.theta), 1e3 * p.r * sin(p.theta), 1e3 * p.x);
        }
    }
    fclose(f);
}

static void put_walls(void)
{
    FILE *hub = create("hub.curve"), *casing = create("casing.curve");
    for (int i = 0; i < 8; i++) { // one point twice, points turned about the axis
        const double z = -200 + 100 * (i > 4 ? i - 1 : i), a = 0.3 * (i > 4 ? i - 1 : i);
        fprintf(hub, "%.12f %.12f %.12f\n", 200 * cos(a), 200 * sin(a), z);
        fprintf(casing, "%.12f %.12f %.12f\n", 300 * cos(a), -300 * sin(a), z);
    }
    fclose(hub);
    fclose(casing);
}

static const char inf[] =
    "! a comment\nAxis of Rotation: Z\nNumber of Blade Sets: 24\nNumber of Blades "
    "Per Set: 1\nGeometry Units: MM\nHub Data File: hub.curve\n"
    "Shroud Data File:  casing.curve \nProfile Data File: blade.curve\n";

static void test_curve(void **state)
{
    (void)state;
    struct row_input in;
    put_curve("blade.curve", SECTIONS, "");
    put_walls();
    put("blade.inf", inf);
    good(&in, "geometry: blade.inf");
    assert_int_equal(in.blades, 24);
    assert_string_equal(input_unit(&in), "mm");
    check_loops(&in, 1e-9);
    check_wall(&in, 1, 0.2);
    check_wall(&in, 2, 0.3);
    assert_non_null(strstr(in.told, "24 blades, axis z, unit mm, 3 sections"));
    formats_free(&in);

    // an export does not write over what was read
    put("row.inf", inf);
    good(&in, "geometry: row.inf");
    assert_int_equal(row_export(&in, folder), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "hub.curve, which is read"));
    formats_free(&in);

    // the same three files without .inf
    good(&in,
         "blades: 24\nsections: blade.curve\nhub: hub.curve\ncasing: casing.curve\nlength: mm");
    check_loops(&in, 1e-9);
    check_wall(&in, 2, 0.3);
    formats_free(&in);
}

static void test_curve_faults(void **state)
{
    (void)state;
    put_curve("blade.curve", SECTIONS, "## Main blade\n");
    put_walls();
    put("blade.inf", inf);
    refused("geometry: blade.inf\nblades: 36", "the file has 24 blade sets, and 'blades' is 36");
    refused("geometry: blade.inf\nlength: m", "leave 'length' out");
    refused("geometry: blade.inf\nhub: hub.curve", "'geometry' stands in place of");
    refused("geometry: blade.stl",
            "takes a TurboGrid .inf file, a .geomTurbo file or a .json file");
    refused("geometry: none.inf", "No such file");
    put("bad.inf", "Axis of Rotation: Q\n");
    refused("geometry: bad.inf",
            "bad.inf:1: error: the axis of rotation is 'Q', expected X, Y or Z");
    put("bad.inf", "Geometry Units: MM\nNumber of Blade Sets: few\n");
    refused("geometry: bad.inf", "bad.inf:2: error: 'Number of Blade Sets' is 'few'");
    put("bad.inf", "Geometry Units: YARD\n");
    refused("geometry: bad.inf", "expected M, CM, MM, UM, IN or FT");
    put("bad.inf", "Hub Data File: hub.curve\nno pair\n");
    refused("geometry: bad.inf", "bad.inf:2: error: expected a line 'Key: value'");
    put("bad.inf", "Hub Data File: hub.curve\n");
    refused("geometry: bad.inf", "the line 'Shroud Data File: ...' is missing");
    put("bad.inf",
        "Number of Blade Sets: 24\nHub Data File: hub.curve\nShroud Data File: casing.curve\n"
        "Profile Data File: bad.curve\n");
    put("bad.curve", "# one\n1 2 3\n1 2\n");
    refused("geometry: bad.inf", "bad.curve:3: error: expected 3 finite numbers");
    put("bad.curve", "## main\n# one\n1 2 3\n## splitter\n# one\n1 2 3\n");
    refused("geometry: bad.inf", "holds 2 blades a pitch");
    put("three.curve", "## head\n## main\n# one\n1 2 3\n## splitter\n# one\n1 2 3\n");
#define BY_NAME "blades: 24\nhub: hub.curve\ncasing: casing.curve\nsections: "
    refused(BY_NAME "three.curve\nblade: 1", "no profile stands below the line with ## of blade 1");
    refused(BY_NAME "three.curve", "holds 3 blades a pitch");
    refused(BY_NAME "[blade.curve, three.curve]", "'sections' takes one .curve file");
}

static void put_geomturbo(const char *name, bool cylindrical, const char *extra)
{
    FILE *f = create(name);
    fprintf(f, "GEOMETRY TURBO\nVERSION 5.3\nUNITS-FACTOR 0.001\nNI_BEGIN CHANNEL\n");
    for (int c = 0; c < 3; c++) { // the hub is a chain of two curves
        fprintf(f, "NI_BEGIN basic_curve\nNAME c%d\nNI_BEGIN zrcurve\nZR\n+4\n", c);
        for (int i = 0; i < 4; i++)
            fprintf(f, "%g %g\n", c == 2 ? -200.0 + 200 * i : -200.0 + 300 * c + 100 * i,
                    c == 2 ? 300.0 : 200.0);
        fprintf(f, "NI_END zrcurve\nNI_END basic_curve\n");
    }
    fprintf(f,
            "NI_BEGIN channel_curve hub\nNAME hub\nVERTEX CURVE_P c0 0\nVERTEX CURVE_P c0 1\n"
            "VERTEX CURVE_P c1 1\nNI_END channel_curve hub\nNI_BEGIN channel_curve shroud\n"
            "VERTEX CURVE_P c2 0\nVERTEX CURVE_P c2 1\nNI_END channel_curve shroud\n"
            "NI_END CHANNEL\nNI_BEGIN nirow\nNAME rotor\nPERIODICITY 24\nROTATION_SPEED -5000\n"
            "NI_BEGIN NIBlade\nNAME main blade\nNI_BEGIN NITipGap\nWIDTH_AT_LEADING_EDGE 0.2\n"
            "WIDTH_AT_TRAILING_EDGE 0.4\nNI_END NITipGap\n%sNI_BEGIN nibladegeometry\n",
            extra);
    for (int side = 0; side < 2; side++) {
        fprintf(f, "%s\nSECTIONAL\n3\n", side ? "pressure" : "suction");
        for (int k = 0; k < SECTIONS; k++) {
            fprintf(f, "# section %d\n%s\n%d\n", k + 1, cylindrical ? "ZRTH" : "XYZ", POINTS);
            for (int i = 0; i < POINTS; i++) {
                const struct place p = point(k, side ? (ROUND - i) % ROUND : i);
                if (cylindrical)
                    fprintf(f, "%.12f %.12f %.12f\n", 1e3 * p.x, 1e3 * p.r, p.theta);
                else
                    fprintf(f, "%.12f %.12f %.12f\n", 1e3 * p.r * cos(p.theta),
                            1e3 * p.r * sin(p.theta), 1e3 * p.x);
            }
        }
    }
    fprintf(f, "NI_END nibladegeometry\nNI_END NIBlade\nNI_END nirow\nNI_END GEOMTURBO\n");
    fclose(f);
}

/* A list of numbers: what 0: x, 1: r theta, 2: r of a side; millimetres. */
static void put_list(FILE *f, const char *name, int k, int side, int what)
{
    fprintf(f, "\"%s\": [", name);
    for (int i = 0; i < POINTS; i++) {
        const struct place p = point(k, side ? (ROUND - i) % ROUND : i);
        fprintf(f, "%s%.12f", i ? ", " : "",
                1e3 * (what == 0   ? p.x
                       : what == 1 ? p.r * p.theta
                                   : p.r));
    }
    fprintf(f, "]");
}

/* As pyturbo-aero writes it, with `rows` equal blades. */
static void put_json(const char *name, int rows)
{
    FILE *f = create(name);
    fprintf(f, "{\"blades\": [");
    for (int b = 0; b < rows; b++) {
        fprintf(f, "%s{\"blade_index\": %d, \"sections\": [", b ? ", " : "", b);
        for (int k = 0; k < SECTIONS; k++) {
            for (int side = 0; side < 2; side++) {
                fprintf(f, "%s\"%s\": {",
                        side ? ", "
                        : k  ? ", {"
                             : "{",
                        side ? "pressure" : "suction");
                put_list(f, "r", k, side, 2);
                fprintf(f, ", ");
                put_list(f, "rth", k, side, 1);
                fprintf(f, ", ");
                put_list(f, "x", k, side, 0);
                fprintf(f, "}");
            }
            fprintf(f, "}");
        }
        fprintf(f, "]}");
    }
    fprintf(f, "], \"channel\": {\"hub\": {\"r\": [200, 200, 200], \"x\": [-200, 0, 400]}, "
               "\"shroud\": {\"r\": [300, "
               "300, 300], \"x\": [-200, 0, 400]}}}");
    fclose(f);
}

static void test_json(void **state)
{
    (void)state;
    struct row_input in;
    put_json("p.json", 1);
    good(&in, "geometry: p.json\nlength: mm\nblades: 24");
    check_loops(&in, 1e-9);
    check_wall(&in, 1, 0.2);
    check_wall(&in, 2, 0.3);
    assert_non_null(strstr(in.told, "p.json: blade 1 of 1, 3 sections, hub 3 and casing 3 points"));
    formats_free(&in);
    static const char *const millimetres[] = {"MM", "Millimeters", "\"mm\""};
    for (int n = 0; n < 3; n++) {
        char text[100];
        snprintf(text, sizeof text, "geometry: p.json\nlength: %s\nblades: 24", millimetres[n]);
        good(&in, text);
        assert_true(in.length == 1e-3);
        formats_free(&in);
    }
    put_json("two.json", 2);
    good(&in, "geometry: two.json\nlength: mm\nblades: 24\nrow_of_file: 2");
    check_loops(&in, 1e-9);
    formats_free(&in);
    refused("geometry: two.json\nblades: 24",
            "the file holds 2 rows: say which one to mesh with 'row_of_file'");
    refused("geometry: two.json\nblades: 24\nrow_of_file: 3", "there is no row '3'; it has 2");
    put("bad.json", "{\"blades\": [");
    refused("geometry: bad.json\nblades: 24", "bad.json:1: error: ");
    put("bad.json", "{}");
    refused("geometry: bad.json\nblades: 24", "there is no list of blades");
    put("bad.json",
        "{\"blades\": [{\"sections\": [1]}], \"channel\": {\"hub\": {\"x\": [0, 1], \"r\": [1]}}}");
    refused("geometry: bad.json\nblades: 24", "hub has no lists x, r of one length");
    put("bad.json", "{\"blades\": [{\"sections\": [1]}], \"channel\": {\"hub\": {\"x\": [0, "
                    "\"a\"], \"r\": [1, 1]}}}");
    refused("geometry: bad.json\nblades: 24", "hub: point 2 of x is no number");
}

static void test_geomturbo(void **state)
{
    (void)state;
    struct row_input in;
    for (int cylindrical = 0; cylindrical < 2; cylindrical++) {
        put_geomturbo("r.geomTurbo", cylindrical, "");
        good(&in, "geometry: r.geomTurbo");
        assert_int_equal(in.blades, 24);
        near(in.rpm, -5000, 0);
        near(in.gap[AT_CASING].lead, 2e-4, 1e-12);
        near(in.gap[AT_CASING].trail, 4e-4, 1e-12);
        assert_non_null(
            strstr(in.told, "tip gap              0.0002 m at the leading and 0.0004 m"));
        check_loops(&in, 1e-9);
        check_wall(&in, 1, 0.2);
        check_wall(&in, 2, 0.3);
        assert_int_equal(in.given[1].nrow, 7);
        formats_free(&in);
    }
    good(&in, "geometry: r.geomTurbo\nrow_of_file: rotor\nblade: 1\ntip_gap: 1e-3\nrpm: 100");
    near(in.gap[AT_CASING].trail, 1e-3, 0);
    near(in.rpm, 100, 0);
    formats_free(&in);
    good(&in, "geometry: r.geomTurbo\ntip_gap: 0\nrpm: 0");
    near(in.gap[AT_CASING].lead, 0, 0);
    near(in.rpm, 0, 0);
    formats_free(&in);
    refused("geometry: r.geomTurbo\nrow_of_file: stator",
            "no row 'stator'; the rows are 1 'rotor'");
    refused("geometry: r.geomTurbo\nblades: 20", "PERIODICITY 24, and 'blades' is 20");
    refused("geometry: r.geomTurbo\nblade: 2", "'blade' is 2; the blades are 1 'main blade'");
    put_geomturbo("r.geomTurbo", false, "NI_BEGIN stray\n");
    refused("geometry: r.geomTurbo", "NI_END NIBlade, but 'stray' of line ");
    put_geomturbo("r.geomTurbo", false, "NI_END NIBlade\nNI_BEGIN NIBlade\nNAME splitter\n");
    refused(
        "geometry: r.geomTurbo",
        "2 blades a pitch: say which one to mesh with 'blade', or mesh the second one beside the "
        "first with 'splitter: {blade: 2}': 1 'main blade', 2 'splitter'");
    put("r.geomTurbo", "GEOMETRY TURBO\nNI_BEGIN CHANNEL\nNI_BEGIN basic_curve\nNAME a\nNI_BEGIN "
                       "zrcurve\nZR\n3\n0 1\n1 x\n");
    refused("geometry: r.geomTurbo",
            "r.geomTurbo:9: error: expected point 2 of 3, 2 numbers, found '1 x'");
    put("r.geomTurbo", "GEOMETRY TURBO\nVERTEX CURVE_P a 1\n"); // in no block
    refused("geometry: r.geomTurbo", "there is no channel_curve hub");
    put("r.geomTurbo", "GEOMETRY TURBO\nNI_BEGIN nirow\nNI_BEGIN niblade\nNI_BEGIN "
                       "nibladegeometry\nsuction\nSECTIONAL\n2\nXYZ\n1\n1 0 0\nZRTH\n");
    refused("geometry: r.geomTurbo", "r.geomTurbo:11: error: ZRTH, but the sections above are XYZ");
    put("r.geomTurbo", "not this\n");
    refused("geometry: r.geomTurbo", "r.geomTurbo:1: error: expected GEOMETRY TURBO");
}

// Tables with other columns, on native walls.
static void put_table(const char *name, const char *format, double unit, int what)
{
    FILE *f = create(name);
    for (int k = 0; k < SECTIONS; k++) {
        fprintf(f, "section %d\n", k + 1);
        for (int i = 0; i < (what == 2 ? POINTS : ROUND); i++) {
            const struct place p = point(k, i);
            const double y = p.r * cos(p.theta), z = p.r * sin(p.theta);
            const double s = p.x / 0.1, line = p.theta - 0.5 * thickness(s) / p.r;
            if (what == 0)
                fprintf(f, format, p.x / unit, p.r * p.theta / unit, p.r / unit);
            else if (what == 1) // axis y: (x, y, z) -> (z, x, y)
                fprintf(f, format, z / unit, p.x / unit, y / unit);
            else
                fprintf(f, format, p.x / unit, p.r * line / unit, thickness(s) / unit, p.r / unit);
        }
    }
    fclose(f);
}

static void test_columns(void **state)
{
    (void)state;
    struct row_input in;
    put("wall.dat", "-1 0.2\n0 0.2\n1 0.2\n");
#define WALLS "blades: 24\nhub: wall.dat\ncasing: wall.dat\nsections: t.dat\n"
    put_table("t.dat", "%.13f %.13f %.13f\n", 0.0254, 0);
    good(&in, WALLS "columns: [x, rtheta, r]\nlength: in");
    check_loops(&in, 1e-9);
    formats_free(&in);
    put_table("t.dat", "%.13f %.13f %.13f\n", 0.3048, 1);
    good(&in, WALLS "columns: [x, y, z]\naxis: y\nlength: ft");
    check_loops(&in, 1e-9);
    assert_string_equal(input_unit(&in), "ft");
    formats_free(&in);
    put_table("t.dat", "%.13f %.13f %.13f %.13f\n", 1, 2);
    good(&in, WALLS "columns: [x, rtheta, tangential_thickness, r]");
    assert_int_equal(in.columns, 4);
    for (int i = 0; i < POINTS; i++) {
        const double *v = in.given[0].v + 4 * i;
        near(v[2], point(0, i).theta, 1e-9);
        near(v[3], point(0, (ROUND - i) % ROUND).theta, 1e-9);
    }
    formats_free(&in);
    refused(WALLS "columns: [x, r, y]", "'columns' needs x, r and theta, or");
    refused(WALLS "columns: [x, r, theta, theta]", "names the same column twice");
    refused(WALLS "columns: [x, r, theta_1, theta_2, thickness]",
            "one theta or rtheta beside a thickness");
    refused(WALLS "columns: [m_prime, theta]", "'m_prime' needs 'surfaces'");
    refused(WALLS "columns: [x, rtheta, r]", "t.dat:2: error: expected 3 finite numbers");
    put("t.dat", "0 1 0.1 0.2\n1 1 -0.1 0.2\n2 1 0.1 0.2\n");
    refused(WALLS "columns: [x, rtheta, thickness, r]",
            "t.dat:2: error: a thickness of -0.1 is negative");
}

// m' theta and a thickness normal to the line, on cones r = 0.2 + 0.1 k + 0.2 x: m' = ln(r / r0) *
// sqrt(1 + 0.2^2) / 0.2. The sides stand half a thickness off the line, at right angles to it.
static void test_normal_thickness(void **state)
{
    (void)state;
    struct row_input in;
    const double slope = 0.2, stretch = sqrt(1 + slope * slope);
    FILE *f = create("t.dat"), *g = create("surfaces.dat");
    for (int k = 0; k < SECTIONS; k++) {
        const double r0 = 0.2 + 0.1 * k;
        fprintf(f, "# section\n");
        fprintf(g, "# surface\n");
        for (int i = 0; i < 41; i++)
            fprintf(g, "%.12f %.12f\n", 0.005 * i, r0 + slope * 0.005 * i);
        for (int i = 0; i < 21; i++) {
            const double x = 0.05 + 0.005 * i, m = log((r0 + slope * x) / r0) * stretch / slope;
            fprintf(f, "%.12f %.12f %.12f\n", m, 0.7 * m, i == 0 ? 0 : 0.01);
        }
    }
    fclose(f);
    fclose(g);
    good(&in, WALLS "columns: [m_prime, theta, thickness]\nsurfaces: surfaces.dat");
    const struct table *t = &in.given[0];
    assert_int_equal(t->start[1], 41); // the side back has no second point at the sharp end
    for (int k = 0; k < SECTIONS; k++) {
        const double r0 = 0.2 + 0.1 * k;
        for (int i = 0; i < 41; i++) {
            const double *v = t->v + 3 * (t->start[k] + i), half = i == 0 ? 0 : 0.005;
            near(v[1], r0 + slope * v[0], 1e-6);
            const double m =
                log(v[1] / r0) * stretch / slope; // off = distance from the line times r
            const double off = (v[2] - 0.7 * m) / hypot(1, 0.7);
            const int j = i < 21 ? i : 41 - i;
            const double r = r0 + slope * (0.05 + 0.005 * j);
            near(off * r, i < 21 ? half : -half, 1e-6);
        }
    }
    formats_free(&in);
    put("surfaces.dat", "0 1\n1 1\n2 1\n");
    refused(WALLS "columns: [m_prime, theta, thickness]\nsurfaces: surfaces.dat",
            "1 lines of stream surfaces for the 3 sections");
}

// Two sections in space: what lies between them lies on straight lines.
static void test_ruled(void **state)
{
    (void)state;
    struct row_input in;
    put_curve("blade.curve", 2, "");
    put_walls();
    put("blade.inf", inf);
    good(&in, "geometry: blade.inf");
    const struct table *t = &in.given[0];
    assert_int_equal(t->nsection, 9);
    for (int i = 0; i < ROUND; i++) {
        const struct place a = point(0, i), b = point(1, i);
        const double *v = t->v + 3 * (t->start[4] + i);
        const double y = 0.5 * (a.r * cos(a.theta) + b.r * cos(b.theta));
        const double z = 0.5 * (a.r * sin(a.theta) + b.r * sin(b.theta));
        near(v[1] * in.length, hypot(y, z), 1e-9);
        near(v[2], atan2(z, y), 1e-9);
    }
    formats_free(&in);
}

// One file for each section.
static void test_list(void **state)
{
    (void)state;
    struct row_input in;
    for (int k = 0; k < SECTIONS; k++) {
        char name[20];
        snprintf(name, sizeof name, "s%d.dat", k);
        FILE *f = create(name);
        fprintf(f, " X  R*THETA  R\n");
        for (int i = 0; i < ROUND; i++) {
            const struct place p = point(k, i);
            fprintf(f, "%.13f %.13f %.13f\n", p.x, p.theta, p.r);
        }
        fclose(f);
    }
    put("wall.dat", "-1 0.2\n0 0.2\n1 0.2\n");
    good(&in, "blades: 24\nhub: wall.dat\ncasing: wall.dat\nsections: [s0.dat, s1.dat, s2.dat]\n"
              "columns: [x, theta, r]");
    assert_int_equal(in.given[0].nsection, SECTIONS);
    assert_non_null(strstr(in.given[0].path[2], "s2.dat"));
    formats_free(&in);
    refused("blades: 24\nhub: wall.dat\ncasing: wall.dat\nsections: [s0.dat, s7.dat]\n"
            "columns: [x, theta, r]",
            "s7.dat: error: No such file");
    refused("blades: 24\nhub: wall.dat\ncasing: wall.dat\nsections: []\ncolumns: [x, theta, r]",
            "'sections' is an empty list");
}

// Sections from angles. On a cylinder the middle of both sides is an arc that turns from beta_1 to
// beta_2, its ends are a chord apart, and the largest thickness is the wanted one. What was exported is
// read again with the same points.
static void test_angles(void **state)
{
    (void)state;
    struct row_input in, back;
    char path[1000];
    static const char *const profile[] = {"naca65", "double_arc", "power"};
    put("a.csv", "# meanline\nx, r, chord, beta_1, beta_2, thickness, theta\n0.1, 0.5, 0.1, 50, "
                 "20, 0.08, 3\n"
                 "0.1, 0.6, 0.1, 60, 40, 0.06, 0\n");
    for (int f = 0; f < 3; f++) {
        char lines[200];
        snprintf(lines, sizeof lines, "angles: a.csv\nblades: 30\nprofile: %s", profile[f]);
        good(&in, lines);
        const struct table *t = &in.given[0];
        assert_int_equal(t->nsection, 2);
        assert_int_equal(in.round_edges, 1);
        const int n = t->start[1];
        double most = 0, m[3], y[3];
        for (int i = 0; i < n / 2; i++) {
            const double *a = t->v + 3 * i, *b = t->v + 3 * (n - 1 - i);
            near(a[1], 0.5, 1e-12);
            most = fmax(most, hypot(a[0] - b[0], 0.5 * (a[2] - b[2])));
        }
        near(most, 0.008, 2e-5);
        const int at[3] = {0, 1, n / 2 - 1};
        for (int k = 0; k < 3; k++) {
            const double *a = t->v + 3 * at[k], *b = t->v + 3 * (n - 1 - at[k]);
            m[k] = 0.5 * (a[0] + b[0]);
            y[k] = 0.25 * (a[2] + b[2]);
        }
        near(m[0], 0.1, 1e-9);
        near(hypot(m[2] - m[0], y[2] - y[0]), 0.1, 1e-6);
        near(atan2(y[1] - y[0], m[1] - m[0]) * 180 / M_PI, 50, 0.2);
        near(atan2(y[2] - y[0], m[2] - m[0]) * 180 / M_PI, 35, 0.01); // a circular arc's stagger
        near(0.5 * (y[0] + y[2]) / 0.5, 3 * M_PI / 180, 1e-9);
        check_wall(&in, 1, 0.5);
        check_wall(&in, 2, 0.6);
        snprintf(path, sizeof path, "%s/ex", folder);
        assert_int_equal(row_export(&in, path), AN_OK);
        good(&back, "geometry: ex/row.inf");
        assert_int_equal(back.blades, 30);
        // 9 sections: two in space are a ruled surface; profiles hold their first point twice
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < n; i++)
                for (int c = 0; c < 3; c++)
                    near(back.given[0].v[3 * (back.given[0].start[8 * k] + i) + c],
                         t->v[3 * (t->start[k] + i) + c], 1e-8);
        formats_free(&back);
        formats_free(&in);
    }
}

static void test_turbine(void **state)
{
    (void)state;
    struct row_input in;
    put("t.csv", "x r axial_chord beta_1 beta_2 stagger le_radius te_radius wedge_1 wedge_2\n"
                 "0 0.5 0.04 0 -68 -48 0.05 0.012 30 6\n0 0.6 0.04 0 -70 -50 0.05 0.012 30 6\n");
    good(&in, "angles: t.csv\nblades: 40\nprofile: turbine");
    const struct table *t = &in.given[0];
    double lo = INFINITY, hi = -INFINITY, turn = 0;
    const int n = t->start[1];
    for (int i = 0; i < n; i++) {
        const double *a = t->v + 3 * i, *b = t->v + 3 * ((i + 1) % n),
                     *c = t->v + 3 * ((i + 2) % n);
        const double ux = b[0] - a[0], uy = 0.5 * (b[2] - a[2]), vx = c[0] - b[0],
                     vy = 0.5 * (c[2] - b[2]);
        const double angle = atan2(ux * vy - uy * vx, ux * vx + uy * vy) * 180 / M_PI;
        lo = fmin(lo, a[0]);
        hi = fmax(hi, a[0]);
        turn += angle;
        if (fabs(angle) > 16) // no corner where the circles meet the sides
            fail_msg("point %d: turn of %g degrees", i, angle);
    }
    near(turn, -360, 1e-6);
    near(hi - lo, 0.04, 2e-3); // circles reach beyond the ends of the chord
    formats_free(&in);
}

// On a cone the leading edge lies at x and r, the trailing edge an axial chord behind it at r_te.
static void test_cone(void **state)
{
    (void)state;
    struct row_input in;
    put("c.csv", "x r r_te axial_chord beta_1 beta_2 thickness\n0.1 0.5 0.7 0.3 30 10 0.08\n"
                 "0.1 0.6 0.8 0.3 30 10 0.08\n");
    good(&in, "angles: c.csv\nblades: 30\nprofile: double_arc");
    const struct table *t = &in.given[0];
    const int n = t->start[1];
    for (int end = 0; end < 2; end++) {
        const double *a = t->v + 3 * (end ? n / 2 - 1 : 0), *b = t->v + 3 * (end ? n / 2 : n - 1);
        near(0.5 * (a[0] + b[0]), end ? 0.4 : 0.1, 1e-5);
        near(0.5 * (a[1] + b[1]), end ? 0.7 : 0.5, 1e-5);
    }
    formats_free(&in);
}

static void test_angle_faults(void **state)
{
    (void)state;
#define ANGLES "angles: a.csv\nblades: 30\nprofile: "
    put("a.csv", "x, r, chord, beta_1, beta_2, thickness\n0, 0.5, 0.1, 50, 20, 0.08\n0, 0.6, 0.1, "
                 "50, 95, 0.08\n");
    refused(ANGLES "naca65", "a.csv:3: error: 'beta_2' is 95, must be from -85 to 85");
    put("m.csv", "x, r, chord, beta_1, beta_2, thickness\n0, 0.5, 100, 50, 20, 0.08\n");
    refused("angles: m.csv\nblades: 30\nprofile: naca65",
            "m.csv:2: error: 'chord' is 100 at a radius of 0.5: both are in one unit of length");
    put("b.csv",
        "\xef\xbb\xbfx, r, chord, beta_1, beta_2, thickness\n0, 0.5, 0.1, 0.9, -0.35, 0.08\n"
        "0, 0.6, 0.1, 0.95, 0.5, 0.08\n");
    struct row_input radians;
    good(&radians, "angles: b.csv\nblades: 30\nprofile: naca65"); /* a mark of UTF-8 is no word */
    assert_true(fabs(radians.most_angle - 0.95) < 1e-12);
    formats_free(&radians);
    refused(ANGLES "turbine", "a.csv:2: error: the profile 'turbine' needs the column 'stagger'");
    refused(ANGLES "multiple_arc", "needs the column 'turn_at'");
    refused(ANGLES "clark_y", "'profile' is 'clark_y', must be one of: naca65");
    refused("angles: a.csv\nblades: 30", "'angles' needs 'profile'");
    refused(ANGLES "naca65\nsections: a.csv", "'angles' stands in place of");
    put("a.csv", "x, r, chord, camber\n");
    refused(ANGLES "naca65", "a.csv:1: error: unknown column 'camber'");
    put("a.csv", "x, r, chord, beta_1, beta_2, thickness\n0, 0.5, 0.1, 50, 20\n");
    refused(ANGLES "naca65", "a.csv:2: error: expected 6 finite numbers");
    put("a.csv",
        "x, r, chord, axial_chord, beta_1, beta_2, thickness\n0, 0.5, 0.1, 0.1, 50, 20, 0.08\n");
    refused(ANGLES "naca65", "give one of the columns 'chord' and 'axial_chord'");
    put("a.csv", "x, r, chord, beta_1, beta_2, thickness\n0, 0.5, 0.1, 50, 20, 0.08\n");
    refused(ANGLES "naca65", "a line for each of two sections or more");
    put("a.csv", "x, r, chord, beta_at_0, beta_at_12.5, thickness\n0, 0.5, 0.1, 50, 20, 0.08\n");
    refused(ANGLES "naca65", "a.csv:1: error: unknown column 'beta_at_12.5'");
    put("a.csv", "x, r, chord, beta_at_0, beta_at_100, thickness\n0, 0.5, 0.1, 50, 200, 0.08\n");
    refused(ANGLES "naca65", "a.csv:2: error: 'beta_at_100' is 200");
    put("a.csv", "x, r, chord, beta_1, beta_2, x, thickness\n0, 0.5, 0.1, 50, 20, 0, 0.08\n");
    refused(ANGLES "naca65", "a.csv:1: error: the column 'x' is there twice");
    put("a.csv", "x, r, chord, beta_1, beta_2, thickness, le_radius\n0, 0.5, 0.1, 50, 20, 0.08, "
                 "0.05\n");
    refused(ANGLES "double_arc", "must be at most half of 'thickness', 0.04");
    put("a.csv", "x, r, r_te, chord, beta_1, beta_2, thickness\n0, 0.5, 0.61, 0.1, 0, 0, 0.08\n");
    refused(ANGLES "double_arc", "a.csv:2: error: a section with a 'chord' of 0.1");
    put("a.csv", "x r chord beta_at_0 stagger le_radius te_radius wedge_1 wedge_2\n"
                 "0 0.5 0.1 0 -48 0.05 0.012 30 6\n");
    refused(ANGLES "turbine", "a.csv:2: error: the profile 'turbine' needs the column 'beta_1'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curve),     cmocka_unit_test(test_curve_faults),
        cmocka_unit_test(test_geomturbo), cmocka_unit_test(test_json),
        cmocka_unit_test(test_columns),   cmocka_unit_test(test_normal_thickness),
        cmocka_unit_test(test_ruled),     cmocka_unit_test(test_list),
        cmocka_unit_test(test_angles),    cmocka_unit_test(test_turbine),
        cmocka_unit_test(test_cone),      cmocka_unit_test(test_angle_faults),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
