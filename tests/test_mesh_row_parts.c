// Curves, spacings, meridional plane and loft of the row mesh tool. Expected:
//
//   splines: straight lines exactly, also beyond the ends; sin x on 13 knots to 1e-4
//   spacing: ends exact to 1e-6, sum 1, ratios of neighbours below the one that the numbers ask for
//   cylinder: m' = x / r to 1e-12, (u, v) found again to 1e-10
//   loft: the points of Rotor 37's tables lie on the blade to 2 um
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

#include "tools/mesh_row/row.h"

#define FOLDER "mesh_row_parts"
#include "tests/folder.h"

static void near(double is, double wanted, double by)
{
    if (!(fabs(is - wanted) <= by))
        fail_msg("%.17g, wanted %.17g", is, wanted);
}

static void test_splines(void **state)
{
    (void)state;
    double x[13], y[13], y2[13], slope[13];
    for (int i = 0; i < 13; i++) {
        x[i] = i * i / 48.0;
        y[i] = 3 - 2 * x[i];
    }
    spline_natural(13, x, y, y2);
    akima_slopes(13, x, y, slope);
    for (double a = -1; a < 5; a += 0.1)
        near(spline_value(13, x, y, y2, a), 3 - 2 * a, 1e-12);
    for (int i = 0; i < 13; i++)
        near(slope[i], -2, 1e-12);
    for (int i = 0; i < 13; i++) {
        x[i] = M_PI * i / 12;
        y[i] = sin(x[i]);
    }
    spline_natural(13, x, y, y2);
    akima_slopes(13, x, y, slope);
    for (double a = 0; a < 3.14; a += 0.01) {
        near(spline_value(13, x, y, y2, a), sin(a), 1e-4);
        const int i = (int)(a / x[1]);
        near(hermite(x[1], a / x[1] - i, y[i], y[i + 1], slope[i], slope[i + 1]), sin(a), 2e-2);
    }
    near(hermite(0.5, 0.3, 0, 0.125, 0, 0.75), 0.15 * 0.15 * 0.15, 1e-15); // x^3 on [0, 0.5]
}

static void test_spacing(void **state)
{
    (void)state;
    double t[101];
    const double first[2] = {2e-6, 5e-6};
    span_fractions(80, 0.07, first, 2.6, t);
    near(t[0], 0, 0);
    near(t[80], 1, 0);
    near(0.07 * t[1], 2e-6, 2e-12);
    near(0.07 * (1 - t[79]), 5e-6, 5e-12);
    double most = 0;
    for (int i = 1; i < 80; i++) {
        const double a = t[i] - t[i - 1], b = t[i + 1] - t[i];
        assert_true(a > 0 && b > 0);
        most = fmax(most, fmax(a / b, b / a));
    }
    assert_true(most < 1.29);
    // higher first cells than there is room for: even ones
    const double high[2] = {1, 1};
    span_fractions(10, 0.1, high, 2.6, t);
    for (int i = 0; i <= 10; i++)
        near(t[i], 0.1 * i, 0.02);
}

static void write_file(const char *name, const char *text, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void test_cylinder(void **state)
{
    (void)state;
    struct row_input in = {.length = 0.01, .inlet = -0.5, .outlet = 1, .gap = 0.01};
    write_file("hub.dat", "# x r\n-100 40\n0, 40\n50 40\n200 40\n", in.hub, sizeof in.hub);
    write_file("casing.dat", "x r\n-100 60\n200 60\n", in.casing, sizeof in.casing);
    struct meridian g;
    assert_int_equal(meridian_new(&g, &in), AN_OK);
    near(meridian_height(&g, 0.3), 0.2, 1e-12);
    near(meridian_tip(&g, 0.7), 0.95, 1e-12);
    const struct point p = meridian_point(&g, 0.4, 0.25);
    near(p.x, 0.1, 1e-12);
    near(p.r, 0.45, 1e-12);
    double u, v;
    assert_int_equal(meridian_locate(&g, (struct point){0.7, 0.52}, &u, &v), AN_OK);
    near(u, 0.8, 1e-10);
    near(v, 0.6, 1e-10);
    struct layer l;
    for (int i = 0; i < SAMPLES_U; i++)
        l.v[i] = 0.5;
    layer_finish(&l, &g);
    for (double a = 0; a <= 1; a += 0.0317) {
        near(layer_m(&l, a), 1.5 * a / 0.5, 1e-12);
        near(layer_u(&l, layer_m(&l, a)), a, 1e-12);
    }
    meridian_free(&g);
}

static void test_tables(void **state)
{
    (void)state;
    struct table t;
    char path[1000];
    write_file("t.dat", "Title\n1 2 3\n4,5;6 # end\nnext 1\n7 8 9\n\n1e1 2 3\n", path, sizeof path);
    assert_int_equal(table_read(&t, path, 3), AN_OK);
    assert_int_equal(t.nsection, 3);
    assert_int_equal(t.nrow, 4);
    assert_int_equal(t.start[1], 2);
    assert_int_equal(t.line[1], 5);
    near(t.v[11], 3, 0);
    table_free(&t);
    write_file("t.dat", "1 2 3\n4 5\n", path, sizeof path);
    assert_int_equal(table_read(&t, path, 3), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "t.dat:2: error: expected 3 finite numbers"));
    write_file("t.dat", "1 2 three\n", path, sizeof path);
    assert_int_equal(table_read(&t, path, 3), AN_INPUT);
    write_file("t.dat", "1 nan 3\n", path, sizeof path);
    assert_int_equal(table_read(&t, path, 3), AN_INPUT);
    write_file("t.dat", "nothing\n", path, sizeof path);
    assert_int_equal(table_read(&t, path, 3), AN_INPUT);
}

// Distance of a point of the plane from the closed curve.
static double distance(const struct curve *c, struct vec2 p)
{
    double best = HUGE_VAL, at = 0;
    for (int k = 0; k < 4000; k++) {
        const double s = c->length * k / 4000, d = norm(sub(curve_point(c, s), p));
        if (d < best) {
            best = d;
            at = s;
        }
    }
    for (double step = c->length / 4000; step > 1e-9; step /= 2)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double d = norm(sub(curve_point(c, at + sign * step), p));
            if (d < best) {
                best = d;
                at += sign * step;
            }
        }
    return best;
}

static void test_loft(void **state)
{
    (void)state;
    char path[1000];
    const char *source = getenv("AN_SOURCE");
    struct row_input in;
    struct an_diag diag;
    struct meridian g;
    struct blade b;
    struct table t;
    an_diag_init(&diag);
    snprintf(path, sizeof path, "%s/cases/rotor37/row.yaml", source ? source : ".");
    assert_int_equal(input_read(&in, path, &diag), AN_OK);
    an_diag_free(&diag);
    assert_int_equal(meridian_new(&g, &in), AN_OK);
    assert_int_equal(blade_new(&b, &g, &in), AN_OK);
    assert_int_equal(b.n, 13);
    assert_int_equal(table_read(&t, in.sections, in.columns), AN_OK);
    assert_int_equal(t.nrow, 1300);
    for (int row = 3; row < t.nrow; row += 57) {
        const double *v = t.v + row * t.columns;
        const struct point p = {0.01 * v[1], 0.01 * v[2]};
        struct layer l;
        struct profile profile;
        double u, w;
        assert_int_equal(meridian_locate(&g, p, &u, &w), AN_OK);
        for (int i = 0; i < SAMPLES_U; i++)
            l.v[i] = w;
        layer_finish(&l, &g);
        assert_int_equal(blade_profile(&b, &l, &profile), AN_OK);
        for (int side = 3; side <= 4; side++) {
            const struct vec2 x = {layer_m(&l, u), -v[side]};
            const double off = p.r * distance(&profile.c, x);
            if (!(off < 2e-6))
                fail_msg("row %d of the table lies %g m off the blade", row, off);
        }
        curve_free(&profile.c);
    }
    table_free(&t);
    blade_free(&b);
    meridian_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_splines),  cmocka_unit_test(test_spacing),
        cmocka_unit_test(test_cylinder), cmocka_unit_test(test_tables),
        cmocka_unit_test(test_loft),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
