// Profiles that both mesh generators read: the ends of their loops, and the direction of the mean line at their edges.
//
//   loop                                        expected
//   27 points of a plate, the last is the first closed, however long the sides are
//   100 points of an ellipse, first not repeated closed, no gap
//   the same, last point 1e-5 from the first     closed, gap 1e-5, that point left out
//   the same with 3 points missing              closed, gap of 4 spacings
//   the same with 30 points missing             refused
//
//   profile                                     direction of the mean line            required    measured
//   naca65, double_arc, power, multiple_arc     beta_1 and beta_2 of the table         2 deg      1.8
//     with thicknesses from 4 to 14 %           their circular arcs from 4 to 15 %     2 deg      0.5
//   power, 20 % thick, from 17.2 to -63 degrees direction of its arc from 4 to 15 %     2 deg      1.1
//     with a nose of 8 % of the chord             of its length, 9.5 degrees
//   turbine, nose of radius 0.02 to 0.1 chords  beta_1 and beta_2 of the table         2 deg      1.0
//   plate whose end has two shoulders, at       the plate's, and the nose is half-way  2 deg
//     -40 to 40 degrees, points begun anywhere  between the shoulders                  2 % chord
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

#define FOLDER "mesh_profile"
#include "tests/tools/tool.h"

#define DEGREE (M_PI / 180)

static void near(const char *what, double is, double wanted, double by)
{
    if (!(fabs(is - wanted) <= by))
        fail_msg("%s: %.6g, wanted %.6g within %g", what, is, wanted, by);
}

// A plate with round ends, as in a table of 13 points an end: the sides have no points of their own.
static int plate(struct vec2 *x)
{
    int n = 0;
    for (int end = 0; end < 2; end++)
        for (int k = 0; k <= 12; k++) {
            const double a = M_PI / 2 + end * M_PI + M_PI * k / 12;
            x[n++] = (struct vec2){(end ? 1 : -1) * 20 + 3 * cos(a), 3 * sin(a)};
        }
    x[n++] = x[0];
    return n;
}

static int ellipse(struct vec2 *x)
{
    for (int k = 0; k < 100; k++)
        x[k] = (struct vec2){cos(2 * M_PI * k / 100), 0.2 * sin(2 * M_PI * k / 100)};
    return 100;
}

static void test_closings(void **state)
{
    (void)state;
    struct vec2 x[101];
    double gap;
    int n = plate(x);
    assert_int_equal(check_closed("plate", x, &n, 1e-9, NULL, &gap), EXIT_DONE);
    assert_true(gap == 0 && n == 27);
    n--; // without the last point its upper side is a gap
    assert_int_equal(check_closed("open plate", x, &n, 1e-9, NULL, &gap), EXIT_INPUT);
    n = ellipse(x);
    assert_int_equal(check_closed("ellipse", x, &n, 1e-9, NULL, &gap), EXIT_DONE);
    assert_true(gap == 0 && n == 100);
    x[n++] = (struct vec2){x[0].x, x[0].y + 1e-5};
    assert_int_equal(check_closed("nearly", x, &n, 1e-9, NULL, &gap), EXIT_DONE);
    near("gap", gap, 1e-5, 1e-12);
    assert_int_equal(n, 100);
    n = 97;
    assert_int_equal(check_closed("gap", x, &n, 1e-9, NULL, &gap), EXIT_DONE);
    near("gap", gap, norm(sub(x[96], x[0])), 1e-12);
    assert_int_equal(n, 97);
    n = 70;
    assert_int_equal(check_closed("open", x, &n, 1e-9, NULL, &gap), EXIT_INPUT);
}

// The mean line of the profile at mid-span of a table of angles; deg towards positive theta.
static void angles_of(const char *profile, const char *text, double mean[2], double edge[2])
{
    struct row *r = calloc(1, sizeof *r);
    assert_non_null(r);
    FILE *f = create("angles.csv");
    fputs(text, f);
    fclose(f);
    input_default(&r->in);
    snprintf(r->in.angles, sizeof r->in.angles, "%s/angles.csv", folder);
    snprintf(r->in.profile, sizeof r->in.profile, "%s", profile);
    r->in.blades = 12;
    if (formats_load(&r->in) || duct_and_blade(r))
        fail_msg("%s: %s: %s", profile, text, an_error_text());
    struct layer l;
    struct profile p;
    layer_even(&l, &r->meridian, 0.5);
    assert_int_equal(blade_profile(r->blade, &l, &p), AN_OK);
    blade_angles(&p, mean, edge);
    for (int k = 0; k < 2; k++) {
        mean[k] /= -DEGREE;
        edge[k] /= -DEGREE;
    }
    profile_free(&p);
    row_free(r);
    free(r);
}

static void test_camber_lines(void **state)
{
    (void)state;
    static const char *const profile[] = {"naca65", "double_arc", "power", "multiple_arc"};
    static const double beta[][2] = {{55, 45}, {50, 20}, {40, 0}, {30, -25}, {-45, 30}},
                        thickness[] = {0.04, 0.14};
    for (int p = 0; p < 4; p++)
        for (int b = 0; b < 5; b++)
            for (int t = 0; t < 2; t++) {
                char text[400], name[100];
                double mean[2] = {0}, edge[2] = {0};
                const double b1 = beta[b][0], b2 = beta[b][1], bt = b1 + 0.6 * (b2 - b1);
                const bool two = p == 3;
                snprintf(
                    text, sizeof text,
                    "x, r, chord, thickness, beta_1, beta_2\n0, 0.25, 0.05, %g, %g, %g\n0, 0.3, "
                    "0.05, %g, %g, %g\n",
                    thickness[t], b1, b2, thickness[t], b1, b2);
                if (two)
                    snprintf(text, sizeof text,
                             "x, r, chord, thickness, beta_1, beta_2, turn_at, beta_t\n"
                             "0, 0.25, 0.05, %g, %g, %g, 0.4, %g\n0, 0.3, 0.05, %g, %g, %g, 0.4, "
                             "%g\n",
                             thickness[t], b1, b2, bt, thickness[t], b1, b2, bt);
                angles_of(profile[p], text, mean, edge);
                snprintf(name, sizeof name, "%s, %g to %g degrees", profile[p], b1, b2);
                near(name, edge[0], b1, 2);
                near(name, edge[1], b2, 2);
                const double rate[2] = {two ? 0.6 / 0.4 : 1, two ? 0.4 / 0.6 : 1};
                near(name, mean[0], b1 + 0.095 * rate[0] * (b2 - b1), 2);
                near(name, mean[1], b2 - 0.095 * rate[1] * (b2 - b1), 2);
            }
}

// A thick rotor section that turns by 80 degrees with a blunt nose: near the edge its mean line has turned already, so
// that the direction from 4 to 15 % of its length lies 7.6 degrees below the angle at the edge.
static void test_thick_rotor(void **state)
{
    (void)state;
    char text[400];
    double mean[2] = {0}, edge[2] = {0};
    const double b1 = 17.2, b2 = -63;
    snprintf(
        text, sizeof text,
        "x, r, chord, thickness, le_radius, beta_1, beta_2\n0, 0.26, 0.035, 0.2, 0.08, %g, %g\n"
        "0, 0.30, 0.035, 0.2, 0.08, %g, %g\n",
        b1, b2, b1, b2);
    angles_of("power", text, mean, edge);
    near("inlet of a thick rotor", mean[0], b1 + 0.095 * (b2 - b1), 2);
    near("outlet of a thick rotor", mean[1], b2 - 0.095 * (b2 - b1), 2);
}

static void test_turbines(void **state)
{
    (void)state;
    static const double blade[][5] = {
        // beta_1, beta_2, stagger, radius of the nose, wedge
        {0, -68, -48, 0.05, 30},  {0, -68, -45, 0.08, 40},   {45, -65, -25, 0.03, 25},
        {30, -65, -30, 0.05, 20}, {-20, -65, -50, 0.03, 15}, {55, -68, -10, 0.02, 15},
        {0, -60, -40, 0.1, 40},   {10, -70, -45, 0.06, 45},
    };
    for (size_t k = 0; k < sizeof blade / sizeof blade[0]; k++) {
        char text[400];
        double mean[2] = {0}, edge[2] = {0};
        const double *b = blade[k];
        int n = snprintf(text, sizeof text,
                         "x, r, axial_chord, te_radius, beta_1, beta_2, stagger, le_radius, "
                         "wedge_1, wedge_2\n");
        for (int section = 0; section < 2; section++)
            n += snprintf(text + n, sizeof text - (size_t)n,
                          "0, %g, 0.04, 0.012, %g, %g, %g, %g, %g, 6\n", 0.25 + 0.07 * section,
                          b[0], b[1], b[2], b[3], b[4]);
        angles_of("turbine", text, mean, edge);
        near("inlet of a turbine", edge[0], b[0], 2);
        near("outlet of a turbine", edge[1], b[1], 2);
    }
}

// A plate of length 1 at an angle, whose blunt front, of width 0.15, is rounded to an arc of radius 0.03 at one shoulder
// and to one of 0.05 at the other; round behind.
static int blunt(struct vec2 *x, double angle, int start)
{
    enum { ARC = 16, BACK = 30, LONG = 60 };
    static const double w = 0.075, r[2] = {0.05, 0.03};
    struct vec2 p[400];
    int n = 0;
    for (int k = 0; k < LONG; k++) // the upper side, downstream
        p[n++] = (struct vec2){r[0] + (0.925 - r[0]) * k / LONG, w};
    for (int k = 0; k < BACK; k++)
        p[n++] = (struct vec2){0.925 + w * sin(M_PI * k / BACK), w * cos(M_PI * k / BACK)};
    for (int k = 0; k < LONG; k++)
        p[n++] = (struct vec2){0.925 + (r[1] - 0.925) * k / LONG, -w};
    for (int k = 0; k < ARC; k++) {
        const double a = 0.5 * M_PI * k / ARC;
        p[n++] = (struct vec2){r[1] - r[1] * sin(a), -w + r[1] - r[1] * cos(a)};
    }
    for (int k = 0; k < 10; k++)
        p[n++] = (struct vec2){0, -w + r[1] + (2 * w - r[0] - r[1]) * k / 10};
    for (int k = 0; k < ARC; k++) {
        const double a = 0.5 * M_PI * k / ARC;
        p[n++] = (struct vec2){r[0] - r[0] * cos(a), w - r[0] + r[0] * sin(a)};
    }
    for (int i = 0; i < n; i++) {
        const struct vec2 q = p[(i + start) % n];
        x[i] =
            (struct vec2){q.x * cos(angle) - q.y * sin(angle), q.x * sin(angle) + q.y * cos(angle)};
    }
    return n;
}

static void test_blunt_noses(void **state)
{
    (void)state;
    for (int angle = -40; angle <= 40; angle += 20)
        for (int start = 0; start < 200; start += 45) {
            struct vec2 x[400];
            struct profile p = {0};
            double mean[2] = {0}, edge[2] = {0};
            const int n = blunt(x, angle * DEGREE, start);
            orient(x, n);
            assert_int_equal(curve_fit(&p.c, x, n), 0);
            find_edges(&p);
            blade_angles(&p, mean, edge);
            for (int k = 0; k < 2; k++) {
                near("mean line of a plate", mean[k] / DEGREE, angle, 2);
                near("edge of a plate", edge[k] / DEGREE, angle, 2);
            }
            near("leading edge", norm(p.le), 0, 0.02);
            profile_free(&p);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_closings),    cmocka_unit_test(test_camber_lines),
        cmocka_unit_test(test_thick_rotor), cmocka_unit_test(test_turbines),
        cmocka_unit_test(test_blunt_noses),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
