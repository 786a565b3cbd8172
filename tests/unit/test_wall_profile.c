/* Profiles of walls: what is read, what is refused with its line and column, and the values between the points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <math.h>

#include <cmocka.h>

#include "bc/wall_profile.h"

static int read_text(const char *text, struct an_wall_profile *p)
{
    char path[] = "/tmp/test_wall_profile.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    const int status = an_wall_profile_read(path, p);
    unlink(path);
    return status;
}

static void read_good(const char *text, struct an_wall_profile *p)
{
    if (read_text(text, p) != AN_OK)
        fail_msg("%s", an_error_text());
}

static void refuses_with_line_and_column(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"x_m,,T_K\n0,1,2\n1,1,2\n", ":1:5: the header has a column without a name"},
        {"x_m,T_K\n0,300\n1,300,4\n", ":3:7: the cell '4' is one more"},
        {"x_m,T_K\n0,300\n1\n", ":3: the line has 1 cells, the header 2"},
        {"x_m,T_K\n0, 3oo\n1,300\n", ":2:4: '3oo' is not a number"},
        {"x_m,T_K\n0,300\n1,inf\n", ":3:3: 'inf' is not a number"},
        {"x_m,T_K\n0,300\n1,-3\n", ":3:3: T is -3 K, but must be above 0"},
        {"x_m,T_C\n0,15\n1,-300\n", ":3:3: T is -26.85 K, but must be above 0"},
        {"x_m,T\n0,300\n1,300\n", ":1:5: column 'T' has no unit: write T_K, or another of K"},
        {"x_furlong,T_K\n0,300\n1,300\n", "'furlong' is no unit of a length that is known: m, cm"},
        {"x_m,T_K,T_C\n0,300,1\n1,300,1\n", ":1:9: column 'T_C' is there twice"},
        {"x_m,T_K,h\n0,300,1\n1,300,1\n", ":1:9: column 'h' is not known: the profile of a wall"},
        {"x_m,T_K,heat_flux_W_m2\n0,300,1\n1,300,1\n", ":1:9: the profile of a wall has one of"},
        {"x_m,arc,side,T_K\n0,0,suction,1\n",
         ":1:5: the profile of a wall has one of the columns x_m"},
        {"span,radius_m,T_K\n0,0,1\n", ":1:6: the profile of a wall has one of the columns span"},
        {"x_m,span\n0,0\n1,1\n", ":1: the profile of a wall needs a column T_K or"},
        {"side,T_K\nsuction,300\npressure,300\n", ":1: the profile of a wall needs a column x_m"},
        {"arc,T_K\n0,300\n1,300\n", ":1:1: arc lengths need a column side"},
        {"side,arc,T_K\nsuction,0,300\nback,1,300\n", ":3:1: the side is 'back', but must be"},
        {"side,arc,T_K\nsuction,0,300\nsuction,1,300\n", "no line is of the side pressure"},
        {"side,arc,T_K\nsuction,0,300\npressure,12,300\n", ":3:10: arc is 12, but must be between"},
        {"side,arc_cm,T_K\nsuction,0,300\npressure,-2,300\n",
         ":3:10: the arc length is -0.02 m, but must be >= 0"},
        {"arc_mm,T_K\n0,300\n1,300\n", ":1:1: arc lengths need a column side"},
        {"axial_chord,T_K\n0,300\n-0.1,300\n", ":3:1: axial_chord is -0.1, but must be between"},
        {"span,T_K\n0,300\n50,300\n", ":3:1: span is 50, but must be between 0 and 1"},
        {"radius_m,T_K\n0,300\n-1,300\n", ":3:1: the radius is -1 m, but must be >= 0"},
        {"x_m,T_K\n0,300\n1,310\n0,320\n", ":4: the line is of the same place as line 2"},
        {"x_m,span,T_K\n0,0,300\n1,0,310\n0,1,320\n",
         "no line of the wall has x_m 1 and span 1: there must be one for each combination"},
        {"x_m,T_K\n0,300\n", "a profile has at least two lines"},
        {"", "a profile has at least two lines"},
        {"x_m T_K\n0 300\n", ":1: the columns are separated by blanks"},
        {"x_m;T_K\n0;98,5\n1;2\n", ":2:3: '98,5': a number has a decimal point"},
        {"\x89HDF\r\n\x1a\n", ":1: not a text file"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct an_wall_profile p;
        const int status = read_text(bad[n].text, &p);
        if (status == AN_OK)
            an_wall_profile_free(&p);
        if (status != AN_INPUT || !strstr(an_error_text(), bad[n].message))
            fail_msg("%zu: %d '%s' has no '%s'", n, status, an_error_text(), bad[n].message);
    }
    struct an_wall_profile p;
    assert_int_equal(an_wall_profile_read("/nowhere/wall.csv", &p), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "profile '/nowhere/wall.csv' cannot be read"));
}

/* Lines in any order, other units, linear between points, constant beyond the ends. */
static void is_linear(void **unused)
{
    (void)unused;
    struct an_wall_profile p;
    int outside;
    read_good("# measured\n\"x [mm]\"; T_C\n30;126.85\n10;26.85\n20;46.85\n", &p);
    assert_true(p.along == AN_ALONG_X && p.across == AN_ACROSS_NOTHING && !p.sided && !p.heat_flux);
    static const double row[][3] = {{0.01, 300, 0},  {0.0125, 305, 0}, {0.02, 320, 0},
                                    {0.025, 360, 0}, {0.03, 400, 0},   {0.005, 300, 1},
                                    {0.04, 400, 1}};
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        const double v = an_wall_profile_at(&p, AN_SIDE_PRESSURE, row[n][0], 7, &outside);
        if (fabs(v - row[n][1]) > 1e-9 || outside != row[n][2])
            fail_msg("%g: %g, outside %d", row[n][0], v, outside);
    }
    an_wall_profile_free(&p);
}

/* Each side has points of its own; heat fluxes have their sign. */
static void has_two_sides(void **unused)
{
    (void)unused;
    struct an_wall_profile p;
    int outside;
    read_good("side,arc,heat_flux_kW_m2\nPressure,0.5,-2\nsuction,0.2,-1\nsuction,0.6,-3\n", &p);
    assert_true(p.along == AN_ALONG_ARC && p.sided && p.heat_flux);
    assert_int_equal(p.side[AN_SIDE_PRESSURE].line[0], 2);
    assert_true(fabs(an_wall_profile_at(&p, AN_SIDE_SUCTION, 0.4, 0, &outside) + 2000) < 1e-9);
    assert_int_equal(outside, 0);
    assert_true(an_wall_profile_at(&p, AN_SIDE_PRESSURE, 0.4, 0, &outside) == -2000);
    assert_int_equal(outside, 1);
    an_wall_profile_free(&p);
    read_good("side,arc_cm,T_K\npressure,5,300\nsuction,2,310\nsuction,6,330\n", &p);
    assert_true(p.along == AN_ALONG_LENGTH && p.sided);
    assert_true(fabs(an_wall_profile_at(&p, AN_SIDE_SUCTION, 0.04, 0, &outside) - 320) < 1e-9);
    an_wall_profile_free(&p);
}

/* Two coordinates: bilinear in each rectangle of points, constant beyond each of the two ends. */
static void has_two_coordinates(void **unused)
{
    (void)unused;
    struct an_wall_profile p;
    int outside;
    read_good("span_percent,axial_chord,T_K\n0,0,300\n0,1,310\n100,0,320\n100,1,370\n", &p);
    assert_true(p.along == AN_ALONG_CHORD && p.across == AN_ACROSS_SPAN);
    assert_true(fabs(an_wall_profile_at(&p, AN_SIDE_SUCTION, 0.5, 0.25, &outside) - 315) < 1e-9);
    assert_int_equal(outside, 0);
    assert_true(fabs(an_wall_profile_at(&p, AN_SIDE_SUCTION, 0.5, 2, &outside) - 345) < 1e-9);
    assert_int_equal(outside, 1);
    an_wall_profile_free(&p);
    read_good("radius_mm,T_K\n100,300\n200,400\n", &p);
    assert_true(p.along == AN_ALONG_NOTHING && p.across == AN_ACROSS_RADIUS);
    assert_true(fabs(an_wall_profile_at(&p, AN_SIDE_SUCTION, 55, 0.15, &outside) - 350) < 1e-9);
    assert_int_equal(outside, 0);
    an_wall_profile_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refuses_with_line_and_column),
                                       cmocka_unit_test(is_linear), cmocka_unit_test(has_two_sides),
                                       cmocka_unit_test(has_two_coordinates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
