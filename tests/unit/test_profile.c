/* Profiles of an inlet: what is read, and what is refused with its line and column. */
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

#include "bc/cubic.h"
#include "bc/profile.h"
#include "kernels/base/error.h"

static double period; /* of profiles that are read */
static int station;

static int read_text(const char *text, size_t length, struct an_profile *p)
{
    char path[] = "/tmp/test_profile.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, length), (ssize_t)length);
    close(fd);
    const int status = an_profile_read(path, period, station, p);
    unlink(path);
    return status;
}

static void reads_a_byte_order_mark(void **unused)
{
    (void)unused;
    static const char *const text[] = {
        "\xEF\xBB\xBFspan,p0_Pa,T0_K\r\n0,98000,288\r\n1,99000,289\r\n",
        "\xEF\xBB\xBF# comment\nspan, p0_Pa ,T0_K\n\n0,98000,288\n1,99000,289",
        "span,p0_Pa,T0_K\n0,98000,288\n#\n1,99000,289\n"};
    for (size_t n = 0; n < sizeof text / sizeof *text; n++) {
        struct an_profile p;
        double v[AN_NPROFILE];
        if (read_text(text[n], strlen(text[n]), &p) != AN_OK)
            fail_msg("%zu: %s", n, an_error_text());
        assert_int_equal(p.n, 2);
        an_profile_at(&p, 0.5, 0, v);
        assert_true(v[AN_PROFILE_P0] == 98500 && v[AN_PROFILE_T0] == 288.5);
        an_profile_free(&p);
    }
}

static void refuses_with_line_and_column(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"span,,p0_Pa\n0,1,2\n1,1,2\n", ":1:6: the header has a column without a name"},
        {"span,p0_Pa,\n0,1,\n1,1,\n", ":1:12: the header has a column without a name"},
        {"span,p0_Pa\n0,1e5\n1,1e5,288\n", ":3:7: the cell '288' is one more"},
        {"span,p0_Pa\n0,1e5,\n1,1e5\n", ":2:7: the cell '' is one more"},
        {"span,p0_Pa\n0,1e5\n1\n", ":3: the line has 1 cells, the header 2"},
        {"span,p0_Pa\n0, 1e5x\n1,1e5\n", ":2:4: '1e5x' is not a number"},
        {"span,p0_Pa\n-4,1e5\n1,1e5\n", ":2: span is -4, must be between 0"},
        {"# a\nspan,p0_Pa\n0,1e5\n1.7,1e5\n", ":4: span is 1.7, must be between 0"},
        {"radius_m,p0_Pa\n-0.1,1e5\n1,1e5\n", ":2: the radius is -0.1 m"},
        {"span,p0\n0,1e5\n1,1e5\n",
         ":1:6: column 'p0' has no unit: write p0_Pa, or another of Pa, mbar"},
        {"span,p0_Pa,p0_Pa\n0,1e5,1\n1,1e5,1\n", ":1:12: column 'p0_Pa' is there twice"},
        {"span,p0_Pa\n1,1e5\n0,1e5\n", ":3: span has to rise"},
        {"p0_Pa\n1e5\n1e5\n", ":1: a profile needs one column span"},
        {"span,p0_torr\n0,1\n1,1\n", "'torr' is no unit of a pressure that is known: Pa, mbar"},
        {"span,Mach\n0,1\n1,1\n", ":1:6: column 'Mach' is not known: a profile has span"},
        {"span p0_Pa\n0 1\n1 1\n", ":1: the columns are separated by blanks: separate them by ','"},
        {"span;p0_Pa,T0_K\n0;1,2\n", ":1: the names are separated by ',' and by ';'"},
        {"span;p0_Pa\n0;98000\n1;98,5\n",
         ":3:3: '98,5': a number has a decimal point, not a comma"},
        {"span,T0_C\n0,15\n1,-300\n", ":3: T0 is -26.85 K, must be above 0"},
        {"span,radius_mm\n0,1\n1,2\n", ":1:6: column 'radius_mm' is there twice, or beside"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct an_profile p;
        const int status = read_text(bad[n].text, strlen(bad[n].text), &p);
        if (status == AN_OK)
            an_profile_free(&p);
        if (status != AN_INPUT || !strstr(an_error_text(), bad[n].message))
            fail_msg("%zu: %d '%s' has no '%s'", n, status, an_error_text(), bad[n].message);
    }
}

/* Headings and cells as programs of other places write them: units, separators, quotes. */
static void reads_units(void **unused)
{
    (void)unused;
    static const char *const text[] = {
        "span,p0_kPa,T0_C,swirl_rad\n0,98,14.85,0.5\n1,99,15.85,0.5\n",
        "\"span_percent\";\"p0_bar\";\"T0_K\";\"swirl_rad\"\n0;0.98;288;0.5\n100;0.99;289;0.5\n",
        "span\tp0 [mbar]\tT0 (degC)\tswirl [rad]\n0\t980\t\"14.85\"\t0.5\n1\t990\t15.85\t0.5\n",
        "span [%], p0 [MPa], T0 [F], swirl_rad\n0,0.098,58.73,0.5\n100,0.099,60.53,0.5\n",
        "Span / %;P0 / KPA;T0 / \u00b0C;Swirl / RAD\n0;98;14.85;0.5\n100;99;15.85;0.5\n",
        "span,pt [bara],Tt (deg C),alpha [radians]\n0,0.98,14.85,0.5\n1,0.99,15.85,0.5\n",
        "SPAN,p0 mbar,T0 (\xb0 C),swirl (radian)\n0,980,14.85,0.5\n1,990,15.85,0.5\n",
        "span_percent,p0 [N/m2],T0_Celsius,swirl{rad}\n0,98e3,14.85,0.5\n100,99e3,15.85,0.5\n"};
    for (size_t n = 0; n < sizeof text / sizeof *text; n++) {
        struct an_profile p;
        double v[AN_NPROFILE];
        if (read_text(text[n], strlen(text[n]), &p) != AN_OK)
            fail_msg("%zu: %s", n, an_error_text());
        an_profile_at(&p, 0.5, 0, v);
        if (fabs(v[AN_PROFILE_P0] - 98500) > 1e-9 * 98500 ||
            fabs(v[AN_PROFILE_T0] - 288.5) > 1e-9 ||
            fabs(v[AN_PROFILE_SWIRL] - 28.6478897565412) > 1e-9)
            fail_msg("%zu: %.12g %.12g %.12g", n, v[AN_PROFILE_P0], v[AN_PROFILE_T0],
                     v[AN_PROFILE_SWIRL]);
        an_profile_free(&p);
    }
    struct an_profile p;
    static const char mm[] = "radius_mm,time_ms,theta_rad,p0_Pa\n200,0,0,1e5\n300,0,0,1e5\n";
    assert_int_equal(read_text(mm, sizeof mm - 1, &p), AN_INPUT); /* too few angles, but read */
    assert_non_null(strstr(an_error_text(), "four angles"));
}

#define WRITTEN "x_m,band,span,radius_m,mass_flow_kg_s,p0_Pa,T0_K,alpha_deg,beta_deg,pitch_deg\n"

/* Files of a run: one station, or the one that is asked for; its bands cover the whole span. */
static void reads_what_a_run_writes(void **unused)
{
    (void)unused;
    static const char one[] =
        WRITTEN "0.1,1,0.25,0.22,1,98000,288,10,70,-3\n"
                "0.1,2,0.75,0.28,1,99000,290,20,60,3\n0.1,,,,2,98500,289,15,65,0\n";
    static const char two[] =
        WRITTEN "0.1,1,0.25,0.22,1,98000,288,10,70,-3\n"
                "0.1,2,0.75,0.28,1,99000,290,20,60,3\n0.1,,,,2,98500,289,15,65,0\n"
                "0.2,1,0.25,0.22,1,88000,288,10,70,-3\n0.2,2,0.5,0.25,0,,,,,\n"
                "0.2,3,0.75,0.28,1,89000,290,20,60,3\n0.2,,,,2,88500,289,15,65,0\n";
    struct an_profile p;
    double v[AN_NPROFILE];
    for (int n = 0; n < 3; n++) {
        station = n;
        if (read_text(n ? two : one, n ? sizeof two - 1 : sizeof one - 1, &p) != AN_OK)
            fail_msg("%d: %s", n, an_error_text());
        const double p0 = n == 2 ? 88000 : 98000;
        assert_true(!p.by_radius && p.n == 4 && p.at[0] == 0 && p.at[3] == 1);
        an_profile_at(&p, 0, 0, v);
        assert_true(v[AN_PROFILE_P0] == p0 && v[AN_PROFILE_SWIRL] == 10 &&
                    v[AN_PROFILE_PITCH] == -3);
        an_profile_at(&p, 0.5, 0, v);
        assert_true(v[AN_PROFILE_P0] == p0 + 500 && v[AN_PROFILE_T0] == 289);
        an_profile_at(&p, 1, 0, v);
        assert_true(v[AN_PROFILE_P0] == p0 + 1000 && v[AN_PROFILE_SWIRL] == 20);
        an_profile_free(&p);
    }
    static const struct {
        int station;
        const char *says;
    } bad[] = {{0, "2 stations, at x = 0.1, 0.2 m: choose one by 'profile_station', from 1 to 2"},
               {3, "'profile_station' is 3, but the file has 2, at x = 0.1, 0.2 m"}};
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        station = bad[n].station;
        assert_int_equal(read_text(two, sizeof two - 1, &p), AN_INPUT);
        assert_non_null(strstr(an_error_text(), bad[n].says));
    }
    station = 1;
    assert_int_equal(read_text("span,p0_Pa\n0,1e5\n1,1e5\n", 23, &p), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "'profile_station' chooses a station"));
    station = 0;
}

static void refuses_what_is_no_text(void **unused)
{
    (void)unused;
    static const char text[] = "span,p0_Pa\n0,1e5\0,3\n1,1e5\n";
    struct an_profile p;
    assert_int_equal(read_text(text, sizeof text - 1, &p), AN_INPUT);
    assert_non_null(strstr(an_error_text(), ":2: not a text file"));
}

/* Linear between lines of unequal distance, constant beyond the ends. */
static void is_linear(void **unused)
{
    (void)unused;
    static const char text[] =
        "radius_m,p0_Pa,swirl_deg\n0.2,98000,10\n0.3,99000,20\n0.7,97000,-20\n";
    static const double at[6] = {0.1, 0.2, 0.25, 0.4, 0.7, 0.9};
    static const double p0[6] = {98000, 98000, 98500, 98500, 97000, 97000};
    static const double swirl[6] = {10, 10, 15, 10, -20, -20};
    struct an_profile p;
    assert_int_equal(read_text(text, sizeof text - 1, &p), AN_OK);
    for (int n = 0; n < 6; n++) {
        double v[AN_NPROFILE];
        an_profile_at(&p, at[n], 0, v);
        assert_true(fabs(v[AN_PROFILE_P0] - p0[n]) < 1e-9);
        assert_true(fabs(v[AN_PROFILE_SWIRL] - swirl[n]) < 1e-12);
    }
    an_profile_free(&p);
}

/* Swirl is the angle out of the meridional plane, from y to z; pitch the one from x outwards in it. */
static void direction_of_angles(void **unused)
{
    (void)unused;
    const double degree = acos(-1.0) / 180, y = 0.3, z = 0.4, r = 0.5;
    double d[3];
    an_profile_direction(25, 15, y, z, d);
    const double radial = (d[1] * y + d[2] * z) / r, around = (d[2] * y - d[1] * z) / r;
    assert_true(fabs(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] - 1) < 1e-14);
    assert_true(fabs(around - sin(25 * degree)) < 1e-14);
    assert_true(fabs(radial / d[0] - tan(15 * degree)) < 1e-14);
}

/* Largest error of the curve through n uneven points of 2 + sin x over a period. */
static double sine_error(int n, int is_periodic)
{
    double at[80], value[80], slope[80], work[400], worst = 0;
    const double turn = 2 * acos(-1.0);
    for (int i = 0; i <= n; i++) {
        const double s = (double)i / n;
        at[i] = turn * (s + 0.03 * sin(turn * s)) + (is_periodic ? 0 : 0.25 * turn);
        value[i] = 2 + sin(at[i]);
    }
    an_cubic_slopes(n + 1, at, is_periodic, 1, value, slope, work);
    for (int k = 0; k <= 1000; k++) {
        const double x = at[0] + turn * k / 1000;
        const int i = an_cubic_interval(n + 1, at, x);
        const double h = at[i + 1] - at[i], part = (x - at[i]) / h;
        const double v = an_cubic_at(h, part, value[i], value[i + 1], slope[i], slope[i + 1]);
        worst = fmax(worst, fabs(v - 2 - sin(x)));
    }
    return worst;
}

/* A periodic curve is of fourth order; ends cost two orders. Beside a jump nothing rises above it. */
static void is_smooth_and_bounded(void **unused)
{
    (void)unused;
    const double coarse = sine_error(20, 1), fine = sine_error(40, 1);
    assert_true(fine < 4e-6);
    assert_true(log2(coarse / fine) > 3.7);
    assert_true(sine_error(40, 0) < 3e-3);
    static const double at[7] = {0, 0.1, 0.5, 0.6, 1, 1.5, 2};
    static const double jump[7] = {1, 1, 1, 2, 2, 2, 2}, ramp[4] = {0, 1, 1, 1};
    double slope[7], work[35];
    an_cubic_slopes(7, at, 0, 1, jump, slope, work);
    for (int i = 0; i < 7; i++)
        assert_true(slope[i] == 0);
    an_cubic_slopes(4, at, 0, 1, ramp, slope, work);
    assert_true(slope[1] == 0 && slope[2] == 0);
    assert_true(slope[0] >= 0 && slope[0] <= 30);
    static const double hill[4] = {0, 4, 1, 0};
    an_cubic_slopes(4, (const double[4]){0, 1, 2, 3}, 1, 1, hill, slope, work);
    assert_true(slope[0] == slope[3]);
    assert_true(fabs(slope[1]) <= 9 && slope[2] <= 0 && slope[2] >= -3);
}

/* A pattern and a series: lines in any order, exact at the points, periodic in both. */
static void varies_in_angle_and_time(void **unused)
{
    (void)unused;
    static char text[40000];
    struct an_profile p;
    size_t used = (size_t)sprintf(text, "time_s,theta_deg,span,p0_Pa,T0_K\n");
    for (int n = 1; n >= 0; n--)
        for (int a = 8; a >= 0; a--)
            for (int t = 0; t < 8; t++)
                used += (size_t)sprintf(
                    text + used, "%g,%g,%d,%.17g,%d\n", 0.5 * t, 5.0 * a - 10, n,
                    1e5 + 1e3 * n + 100 * sin(acos(-1.0) * a / 4) + 10 * cos(acos(-1.0) * t / 4),
                    300 + n);
    period = 4;
    assert_int_equal(read_text(text, used, &p), AN_OK);
    assert_int_equal(p.n, 2);
    assert_int_equal(p.ntheta, 9);
    assert_int_equal(p.ntime, 9); /* closed */
    assert_true(an_profile_pattern(&p) == 40);
    for (int t = -9; t < 20; t++)
        for (int a = -20; a < 30; a++) {
            double v[AN_NPROFILE];
            an_profile_set_time(&p, 0.5 * t);
            an_profile_at(&p, 0.5, 5.0 * a - 10, v);
            const double exact =
                1e5 + 500 + 100 * sin(acos(-1.0) * a / 4) + 10 * cos(acos(-1.0) * t / 4);
            assert_true(fabs(v[AN_PROFILE_P0] - exact) < 1e-9 && v[AN_PROFILE_T0] == 300.5);
            an_profile_mean_at(&p, 0.5, v);
            const double mean = 1e5 + 500 + 10 * cos(acos(-1.0) * t / 4);
            assert_true(fabs(v[AN_PROFILE_P0] - mean) < 1e-9 &&
                        fabs(v[AN_PROFILE_T0] - 300.5) < 1e-9);
            an_profile_set_time(&p, 0.5 * t + 0.25);
            an_profile_at(&p, 0.5, 5.0 * a - 7.5, v);
            const double between = 1e5 + 500 + 100 * sin(acos(-1.0) * (a + 0.5) / 4) +
                                   10 * cos(acos(-1.0) * (t + 0.5) / 4);
            assert_true(fabs(v[AN_PROFILE_P0] - between) < 0.5);
        }
    an_profile_free(&p);
    period = 0;
    assert_int_equal(read_text(text, used, &p), AN_OK);
    double v[2][AN_NPROFILE];
    an_profile_set_time(&p, 3.5);
    an_profile_at(&p, 0, 12, v[0]);
    an_profile_set_time(&p, 100);
    an_profile_at(&p, 0, 12, v[1]);
    assert_true(v[0][AN_PROFILE_P0] == v[1][AN_PROFILE_P0]);
    an_profile_free(&p);
}

static void refuses_tables_with_holes(void **unused)
{
    (void)unused;
    static const struct {
        double period;
        const char *text, *message;
    } bad[] = {
        {0, "span,theta_deg,T0_K\n0,0,300\n1,0,300\n0,10,300\n1,10,300\n0,20,300\n1,20,300\n",
         "at least four angles, it has 3"},
        {0, "span,time_s,T0_K\n0,0,300\n1,0,300\n0,1,300\n",
         "no line has span 1, theta_deg 0 and time_s 1"},
        {0, "span,time_s,T0_K\n0,0,300\n1,0,300\n0,1,300\n1,1,3\n0,1,2\n",
         ":6: the line is of the same"},
        {0, "span,theta_deg,T0_K\n0,0,1\n1,0,1\n0,10,2\n1,10,1\n0,20,1\n1,20,1\n0,30,2\n1,30,1\n",
         "theta_deg 30 have to repeat those at 0"},
        {0, "span,theta_deg,T0_K\n0,0,1\n1,0,1\n0,10,2\n1,10,1\n0,20,1\n1,20,1\n0,31,1\n1,31,1\n",
         "which is 1/11.6129 of a turn"},
        {1, "span,T0_K\n0,300\n1,300\n", "profile_period needs a column time_s"},
        {1, "span,time_s,T0_K\n0,0,1\n1,0,1\n0,2,1\n1,2,1\n", "longer than the period of 1 s"},
        {2, "span,time_s,T0_K\n0,0,1\n1,0,1\n0,1,1\n1,1,1\n0,2,3\n1,2,1\n",
         "at time_s 2 have to repeat those at 0"},
        {2, "span,time_s,T0_K\n0,0,1\n1,0,1\n0,1,1\n1,1,1\n", "at least three times"},
        {0, "span,k_J_kg\n0,1\n1,1\n", "k_J_kg and omega_1_s are both needed"},
        {0, "\x89HDF\r\n\x1a\n", ":1: not a text file"},
        {0, "span,k_J_kg,omega_1_s\n0,1,0\n1,1,2\n", ":2: k_J_kg is below 0, or omega_1_s not"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct an_profile p;
        period = bad[n].period;
        const int status = read_text(bad[n].text, strlen(bad[n].text), &p);
        if (status == AN_OK)
            an_profile_free(&p);
        if (status != AN_INPUT || !strstr(an_error_text(), bad[n].message))
            fail_msg("%zu: %d '%s' has no '%s'", n, status, an_error_text(), bad[n].message);
    }
    period = 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_a_byte_order_mark),
                                       cmocka_unit_test(refuses_with_line_and_column),
                                       cmocka_unit_test(reads_units),
                                       cmocka_unit_test(reads_what_a_run_writes),
                                       cmocka_unit_test(refuses_what_is_no_text),
                                       cmocka_unit_test(is_linear),
                                       cmocka_unit_test(direction_of_angles),
                                       cmocka_unit_test(is_smooth_and_bounded),
                                       cmocka_unit_test(varies_in_angle_and_time),
                                       cmocka_unit_test(refuses_tables_with_holes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
