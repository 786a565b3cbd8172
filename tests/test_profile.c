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

#include "bc/profile.h"
#include "kernels/base/error.h"

static int read_text(const char *text, size_t length, struct an_profile *p)
{
    char path[] = "/tmp/test_profile.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, length), (ssize_t)length);
    close(fd);
    const int status = an_profile_read(path, p);
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
        an_profile_at(&p, 0.5, v);
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
        {"radius_m,p0_Pa\n-0.1,1e5\n1,1e5\n", ":2: radius_m is -0.1"},
        {"span,p0\n0,1e5\n1,1e5\n", ":1:6: column 'p0' is not known"},
        {"span,p0_Pa,p0_Pa\n0,1e5,1\n1,1e5,1\n", ":1:12: column 'p0_Pa' is not known or there"},
        {"span,p0_Pa\n1,1e5\n0,1e5\n", ":3: span has to rise"},
        {"p0_Pa\n1e5\n1e5\n", ":1: a profile needs one column span"},
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
        an_profile_at(&p, at[n], v);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_byte_order_mark), cmocka_unit_test(refuses_with_line_and_column),
        cmocka_unit_test(refuses_what_is_no_text), cmocka_unit_test(is_linear),
        cmocka_unit_test(direction_of_angles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
