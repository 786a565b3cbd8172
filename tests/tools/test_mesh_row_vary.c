// Variations of a blade (`base`, `vary`): elliptic sections along the axis between two cylinders. Expected:
//
//   nothing varied: the same sections; moved, turned, scaled, thickened: exactly so, on all heights, with angles and
//   lengths towards positive theta; metal angles change by what is asked for, edges and chord stay; the points of a
//   Bezier curve give its thickness; between heights a polynomial through them
//   keys of the file beside `base` replace those of the base, whose paths are relative to the base
//   faults name the file, the line and the key
//   --reuse: the first row's mesh stays as it is; a variation begins with what was found for it, with angles that are as
//   good as alone; files of other wishes, half files and other files are not used
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "mesh_row_vary"
#include "tests/tools/tool.h"
#include "tools/programs/mesh_row/row.h"

enum { AROUND = 160, SECTIONS = 5 };
static const double CHORD = 0.04, THICK = 0.004, HUB = 0.3, CASING = 0.4;

static int folder_make_all(void **state)
{
    const int rc = folder_make(state);
    char path[1000];
    snprintf(path, sizeof path, "%s/base", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    FILE *f = create("base/blade.dat");
    for (int s = 0; s < SECTIONS; s++) {
        const double r = HUB + (CASING - HUB) * s / (SECTIONS - 1);
        fprintf(f, "section %d\n", s + 1);
        for (int k = 0; k < AROUND; k++) {
            const double t = 2 * M_PI * k / AROUND;
            fprintf(f, "%.12f %.12f %.12f\n", 0.5 * CHORD * cos(t), r, 0.5 * THICK * sin(t) / r);
        }
    }
    fclose(f);
    for (int wall = 0; wall < 2; wall++) {
        f = create(wall ? "base/casing.dat" : "base/hub.dat");
        fprintf(f, "-0.1 %g\n0 %g\n0.05 %g\n0.1 %g\n", wall ? CASING : HUB, wall ? CASING : HUB,
                wall ? CASING : HUB, wall ? CASING : HUB);
        fclose(f);
    }
    f = create("base/row.yaml");
    fprintf(f,
            "row: the base\nblades: 40\nsections: blade.dat\ncolumns: [x, r, theta]\n"
            "hub: hub.dat\ncasing: casing.dat\ncells: 2e4\nwalls: functions\nfirst_cell: 2e-4\n");
    fclose(f);
    return rc;
}

static void put(const char *text)
{
    FILE *f = create("row.yaml");
    fprintf(f, "base: base/row.yaml\n%s\n", text);
    fclose(f);
}

// The row of row.yaml; the caller drops it.
static struct row *row_new(const char *vary)
{
    char path[1000];
    struct an_diag diag;
    struct row *r = calloc(1, sizeof *r);
    assert_non_null(r);
    put(vary);
    an_diag_init(&diag);
    snprintf(path, sizeof path, "%s/row.yaml", folder);
    if (input_read(&r->in, path, &diag))
        fail_msg("%s: %s", vary, diag.nline ? diag.line[0] : "");
    an_diag_free(&diag);
    r->set = 1;
    if (duct_and_blade(r))
        fail_msg("%s: %s", vary, an_error_text());
    return r;
}

static void row_drop(struct row *r)
{
    free(r->in.file);
    meridian_free(&r->meridian);
    blade_free(r->blade);
    free(r);
}

// What the section of the blade at v is: m, rad or m^2, angles and lengths towards positive theta.
struct shape {
    double x, y, chord, stagger, area, inlet, outlet, thick;
};

static struct shape shape_at(const struct row *r, double v)
{
    struct layer l;
    struct profile p;
    struct shape s = {0};
    double mean[2], edge[2];
    const double radius = HUB + v * (CASING - HUB);
    layer_even(&l, &r->meridian, v);
    assert_int_equal(blade_profile(r->blade, &l, &p), AN_OK);
    for (int i = 0; i < p.c.n; i++) {
        const struct vec2 a = p.c.x[i], b = p.c.x[(i + 1) % p.c.n];
        const double c = cross(sub(a, p.le), sub(b, p.le));
        s.area += 0.5 * c;
        s.x += c / 6 * (a.x + b.x + p.le.x);
        s.y -= c / 6 * (a.y + b.y + p.le.y);
    }
    s.x = s.x / s.area * radius - 0.1; // the duct begins at x = -0.1
    s.y = s.y / s.area * radius;
    s.area = fabs(s.area) * radius * radius;
    s.chord = norm(sub(p.te, p.le)) * radius;
    s.stagger = -atan2(p.te.y - p.le.y, p.te.x - p.le.x) * 180 / M_PI;
    blade_angles(&p, mean, edge);
    s.inlet = -edge[0] * 180 / M_PI;
    s.outlet = -edge[1] * 180 / M_PI;
    s.thick = norm(sub(curve_point(&p.c, 0.5 * (p.s_le + p.s_te)),
                       curve_point(&p.c, 0.5 * (p.s_te + p.c.length)))) *
              radius;
    profile_free(&p);
    return s;
}

static void near(const char *what, double is, double wanted, double by)
{
    if (!(fabs(is - wanted) <= by))
        fail_msg("%s: %.10g is not %.10g within %g", what, is, wanted, by);
}

// The sections of row.yaml with `vary` against those of the base, changed by d and the factors.
static void compare(const char *vary, struct shape d, double chord, double area, double thick)
{
    struct row *base = row_new(""), *r = row_new(vary);
    for (double v = 0.1; v < 1; v += 0.2) {
        const struct shape a = shape_at(base, v), b = shape_at(r, v);
        near("x", b.x, a.x + d.x, 2e-6);
        near("y", b.y, a.y + d.y, 5e-6);
        near("chord", b.chord, chord * a.chord, 2e-4 * a.chord);
        near("stagger", b.stagger, a.stagger + d.stagger, 0.02);
        near("area", b.area, area * a.area, 5e-4 * a.area);
        near("thick", b.thick, thick * a.thick, 2e-3 * a.thick);
        near("inlet", b.inlet, a.inlet + d.inlet, 0.4);
        near("outlet", b.outlet, a.outlet + d.outlet, 0.4);
    }
    row_drop(base);
    row_drop(r);
}

static void test_section(void **state)
{
    (void)state;
    compare("vary: {stagger: 0}", (struct shape){0}, 1, 1, 1);
    compare("vary: {sweep: 2.0e-3, lean: 3.0e-3}", (struct shape){.x = 2e-3, .y = 3e-3}, 1, 1, 1);
    compare("vary: {stagger: 12}", (struct shape){.stagger = 12, .inlet = 12, .outlet = 12}, 1, 1,
            1);
    compare("vary: {chord: 1.2}", (struct shape){0}, 1.2, 1.44, 1.2);
    compare("vary: {thickness: 1.3}", (struct shape){0}, 1, 1.3, 1.3);
    compare("vary: {chord: 1.25, thickness: 0.8}", (struct shape){0}, 1.25, 1.25, 1);
}

// At mid-chord the curve adds 35 / 128 (p2 + p3) + 21 / 128 (p1 + p4); its area is the mean of all eight points.
static void test_points(void **state)
{
    (void)state;
    struct row *base = row_new(""),
               *r = row_new("vary: {thickness_points: [2.0e-4, 3.0e-4, 4.0e-4, 1.0e-4]}");
    const struct shape a = shape_at(base, 0.5), b = shape_at(r, 0.5);
    near("thick", b.thick - a.thick, (35 * 7e-4 + 21 * 3e-4) / 128, 3e-6);
    near("area", b.area - a.area, CHORD * 10e-4 / 8, 0.01 * CHORD * 10e-4 / 8);
    row_drop(r);
    r = row_new("vary: {inlet_wedge: 10}"); // a slope that ends behind the edge
    const struct shape c = shape_at(r, 0.5);
    near("area", c.area - a.area, CHORD * CHORD * 2 * tan(5 * M_PI / 180) / 56, 2e-7);
    row_drop(r);
    row_drop(base);
}

// The camber line of the variation is a cubic with the wanted slopes at its ends.
static void test_angles(void **state)
{
    (void)state;
    struct row *r = row_new("vary: {inlet_angle: 6, outlet_angle: -4}"), *base = row_new("");
    const struct shape a = shape_at(base, 0.5), b = shape_at(r, 0.5);
    near("chord", b.chord, a.chord, 1e-4 * a.chord);
    near("stagger", b.stagger, a.stagger, 0.05);
    near("area", b.area, a.area, 1e-3 * a.area);
    near("inlet", b.inlet - a.inlet, 6, 1);
    near("outlet", b.outlet - a.outlet, -4, 1);
    row_drop(r);
    row_drop(base);
}

static void test_heights(void **state)
{
    (void)state;
    struct row *r = row_new(
        "vary:\n  - {at: 0, lean: 1.0e-3}\n  - {at: 0.5, lean: 0}\n  - {at: 1, lean: 2.0e-3}");
    for (double v = 0.25; v < 0.8; v += 0.25) // of sections: between these the blade has splines
        near("y", shape_at(r, v).y, 1e-3 * (1 - 5 * v + 6 * v * v), 2e-6);
    row_drop(r);
    r = row_new("vary:\n  - {at: 0, stagger: 4}\n  - {at: 1, stagger: 0, chord: 1.1}");
    const struct shape s = shape_at(r, 0.25);
    near("stagger", s.stagger, 3, 0.02);
    near("chord", s.chord / shape_at(r, 0).chord, 1.025, 1e-3);
    row_drop(r);
}

static void refused(const char *text, const char *message)
{
    put(text);
    const int rc = command("mesh_row %s/row.yaml --quality", folder);
    if (rc != 2 || !log_holds(message))
        fail_msg("%s: exit code %d, or not said: %s; but: %s", text, rc, message, printed());
}

static void test_input(void **state)
{
    (void)state;
    put("row: the varied one\ncells: 15000\nvary: {stagger: 20}");
    if (command("mesh_row %s/row.yaml --quality", folder))
        fail_msg("%s", printed());
    assert_true(log_holds("row                  the varied one"));
    assert_true(log_holds("blade at mid-span    from 20.0 to 20.0 deg"));
    refused("vary: {stager: 1}", "row.yaml:2:8: error: 'vary' has no key 'stager': it takes sweep");
    refused("vary: {stagger: 50}", "'stagger' is 50, must be from -45 to 45");
    refused("vary: 3", "'vary' needs keys, for example {stagger: 1.5, chord: 1.02}");
    refused("vary: [{stagger: 3}]", "each of a list in 'vary' needs 'at'");
    refused("vary: [{at: 0.5, stagger: 3}, {at: 0.5, stagger: 4}]", "'vary' has 'at: 0.5' twice");
    refused("vary: {thickness_points: [1, 2]}", "'thickness_points' needs a list of 4 lengths");
    refused("vary: {thickness_points: [0, -3.0e-2, 0, 0]}",
            "section 1: error: 'vary' leaves the section no thickness at");
    refused("bladess: 3", "unknown key 'bladess'");
    FILE *f = create("lost.yaml");
    fprintf(f, "base: none.yaml\nvary: {stagger: 1}\n");
    fclose(f);
    assert_int_equal(command("mesh_row %s/lost.yaml --quality", folder), 2);
    assert_true(log_holds("none.yaml"));
    f = create("machine.yaml");
    fprintf(f, "rows: []\n");
    fclose(f);
    f = create("lost.yaml");
    fprintf(f, "base: machine.yaml\n");
    fclose(f);
    assert_int_equal(command("mesh_row %s/lost.yaml --quality", folder), 2);
    assert_true(log_holds("machine.yaml, which is not the file of one row"));
}

// `vary` does not move holes: those of the base are refused, those of the file itself are places in the varied blade.
static void test_holes(void **state)
{
    (void)state;
    static const char vary[] = "base: base/cooled.yaml\nvary: {chord: 1.02}\n";
    static const char hole[] = "holes: [{hub: [0, 0], casing: [0, 0], diameter: 1.0e-3}]\n";
    FILE *f = create("base/cooled.yaml");
    fprintf(f,
            "row: the base\nblades: 40\nsections: blade.dat\ncolumns: [x, r, theta]\n"
            "hub: hub.dat\ncasing: casing.dat\ncells: 2e4\nwalls: functions\n"
            "first_cell: 2e-4\n%s",
            hole);
    fclose(f);
    const struct {
        const char *more;
        int code;
    } given[] = {{"", 2}, {hole, 0}, {"holes: []\n", 0}};
    for (size_t n = 0; n < sizeof given / sizeof *given; n++) {
        f = create("row.yaml");
        fprintf(f, "%s%s", vary, given[n].more);
        fclose(f);
        if (command("mesh_row %s/row.yaml --check", folder) != given[n].code)
            fail_msg("%s: %s", given[n].more, printed());
        assert_int_equal(
            log_holds("row.yaml:2:7: error: 'vary' changes the blade, and the holes of "
                      "'base' would stay where they are"),
            given[n].code == 2);
    }
    f = create("row.yaml");
    fprintf(f, "base: base/cooled.yaml\n"); // not varied
    fclose(f);
    assert_int_equal(command("mesh_row %s/row.yaml --check", folder), 0);
}

// The smallest angle of row.yaml's mesh, degrees. found: whether it begins with what another row left.
static double angle_of(const char *text, const char *options, bool *found)
{
    put(text);
    if (command("mesh_row %s/row.yaml --quality %s", folder, options))
        fail_msg("%s %s: %s", text, options, printed());
    *found = log_holds("those found before") && !log_holds("not taken");
    const char *at = strstr(printed(), "smallest angle  ");
    assert_non_null(at);
    return atof(at + strlen("smallest angle  "));
}

static void test_reuse(void **state)
{
    (void)state;
    const char *vary = "vary: {stagger: 8, chord: 1.1, inlet_angle: 5}";
    char options[1100], other[1200], path[1000];
    bool found;
    snprintf(path, sizeof path, "%s/found", folder);
    snprintf(options, sizeof options, "--reuse %s", path);
    snprintf(other, sizeof other, "%s --cells 30000", options);
    const double alone = angle_of(vary, "", &found), first = angle_of("", "", &found);
    assert_true(angle_of("", options, &found) == first && !found);
    assert_true(angle_of(vary, options, &found) > alone - 3);
    assert_true(found);
    angle_of(vary, other, &found);
    assert_true(!found && log_holds("not found for a row like 'the base'"));
    assert_int_equal(truncate(path, 20000), 0);
    assert_true(angle_of(vary, options, &found) == alone && !found);
    FILE *f = create("found");
    fprintf(f, "other text\n");
    fclose(f);
    assert_true(angle_of(vary, options, &found) == alone && !found);
    assert_true(log_holds("not used"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_section), cmocka_unit_test(test_points),
        cmocka_unit_test(test_angles),  cmocka_unit_test(test_heights),
        cmocka_unit_test(test_input),   cmocka_unit_test(test_holes),
        cmocka_unit_test(test_reuse),
    };
    return cmocka_run_group_tests(tests, folder_make_all, folder_remove);
}
