/* Files of film-cooling holes: what is read, what rows become, and what is refused with its line and column. */
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

#include "bc/hole_file.h"

static const double PI = 3.14159265358979323846;

static int read_text(const char *text, struct an_hole_list *list)
{
    char path[] = "/tmp/test_hole_file.XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    const int status = an_holes_read(path, list);
    unlink(path);
    return status;
}

static void read_good(const char *text, struct an_hole_list *list)
{
    if (read_text(text, list) != AN_OK)
        fail_msg("%s", an_error_text());
}

#define LINE "x_m,y_m,z_m,diameter_m,T0_K,mass_flow_kg_s"

static void refuses_with_line_and_column(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"x_m,y_m,diameter_m,T0_K,p0_Pa\n0,0,1,300,1\n", ":1: a file of holes needs a column z_m"},
        {"x_m,y_m,z_m,T0_K,p0_Pa\n0,0,0,300,1\n", ":1: a file of holes needs a column diameter_m"},
        {"x_m,y_m,z_m,diameter_m,p0_Pa\n0,0,0,1,1\n", ":1: a file of holes needs a column T0_K"},
        {"x_m,y_m,z_m,diameter_m,T0_K\n0,0,0,1,300\n",
         ":1: a file of holes needs one of the columns mass_flow"},
        {LINE ",p0_Pa\n0,0,0,1,300,1,1\n",
         ":1: a file of holes needs one of the columns mass_flow_kg_s, blowing_ratio and p0_Pa, "
         "and has more than one"},
        {LINE ",discharge\n0,0,0,1,300,1,1\n",
         ":1:44: column discharge has no effect without a column p0_Pa"},
        {LINE ",lateral_D\n0,0,0,1,300,1,1\n",
         ":1:44: column lateral_D has no effect without a column lateral_deg"},
        {LINE ",forward_D\n0,0,0,1,300,1,1\n",
         ":1:44: column forward_D has no effect without a column forward_deg"},
        {LINE ",mass_flow_g_s\n0,0,0,1,300,1,1\n", ":1:44: column 'mass_flow_g_s' is there twice"},
        {LINE ",slant\n0,0,0,1,300,1,1\n", ":1:44: column 'slant' is not known: a file of holes"},
        {"x_m,y_m,z_m,diameter,T0_K,p0_Pa\n0,0,0,1,300,1\n",
         ":1:13: column 'diameter' has no unit"},
        {LINE "\n0,0,0,0,300,1\n", ":2:7: the diameter (m) is 0, but must be above 0"},
        {LINE "\n0,0,0,1,-3,1\n", ":2:9: T0 (K) is -3, but must be between 50 and 4000"},
        {LINE "\n0,0,0,1,300,-1\n", ":2:13: the mass flow (kg/s) is -1, but must be above 0"},
        {LINE ",alpha_deg\n0,0,0,1,300,1,-30\n",
         ":2:15: alpha (degrees) is -30, but must be between 5 and 90"},
        {LINE ",alpha_deg\n0,0,0,1,300,1,120\n",
         ":2:15: alpha (degrees) is 120, but must be between 5"},
        {LINE ",lateral_deg\n0,0,0,1,300,1,60\n", ":2:15: the lateral angle (degrees) is 60"},
        {LINE ",along_x,along_y\n0,0,0,1,300,1,0,0\n",
         ":2: the direction along_x, along_y, along_z has no length"},
        {LINE ",count\n0,0,0,1,300,1,2\n", ":1: rows of holes need a column x2_m"},
        {LINE ",x2_m\n0,0,0,1,300,1,2\n", ":1: rows of holes need a column x2_m"},
        {LINE ",x2_m,count,pitch_m\n0,0,0,1,300,1,2,2,1\n",
         ":1:55: a file of holes has count or pitch_m"},
        {LINE ",x2_m,count\n0,0,0,1,300,1,9,2.5\n",
         ":2:17: count is 2.5, but must be a whole number"},
        {LINE ",x2_m,count\n0,0,0,1,300,1,0,3\n",
         ":2: the first and the last hole of the row are at one place"},
        {LINE ",x2_m,count\n0,0,0,1,300,1,3,9\n",
         ":2: the holes of the row overlap: their distance is 0.375 m"},
        {LINE "\n0,0,0,1,300\n", ":2: the line has 5 cells, the header 6"},
        {LINE "\n0,0,0,1,300,1,7\n", ":2:15: the cell '7' is one more"},
        {LINE "\n0,0,0,1,3oo,1\n", ":2:9: '3oo' is not a number"},
        {LINE "\n", "the file has no line with a hole"},
    };
    for (size_t n = 0; n < sizeof bad / sizeof *bad; n++) {
        struct an_hole_list list;
        const int status = read_text(bad[n].text, &list);
        if (status == AN_OK)
            fail_msg("accepted:\n%s", bad[n].text);
        assert_int_equal(status, AN_INPUT);
        if (!strstr(an_error_text(), bad[n].message))
            fail_msg("'%s' is not in '%s'", bad[n].message, an_error_text());
        assert_null(list.hole);
    }
    struct an_hole_list list;
    assert_int_equal(an_holes_read("/nonexistent/holes.csv", &list), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "cannot be read: No such file or directory"));
    assert_int_equal(an_holes_read("/tmp", &list), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "holes '/tmp' cannot be read: Is a directory"));
}

static void reads_holes_and_rows(void **unused)
{
    (void)unused;
    struct an_hole_list list;
    read_good(LINE "\n# a comment\n0.1,0.2,0.3,0.001,700,2e-3\n", &list);
    assert_int_equal(list.n, 1);
    const struct an_hole_given *h = list.hole;
    assert_true(h->x[0] == 0.1 && h->x[1] == 0.2 && h->x[2] == 0.3 && h->diameter == 0.001);
    assert_true(h->T0 == 700 && h->kind == AN_HOLE_MASS && h->flow == 2e-3 && h->line == 3 &&
                h->number == 0);
    assert_true(fabs(h->alpha - PI / 6) < 1e-15 && h->beta == 0 && h->along[0] == 1 &&
                h->along[1] == 0);
    assert_true(h->lateral == 0 && h->forward == 0 && h->lateral_length == 3 &&
                h->discharge == 0.75);
    an_holes_free(&list);

    read_good("x_mm;y_mm;z_mm;z2_mm;pitch_mm;diameter_mm;alpha_deg;beta_deg;along_y;blowing_ratio;"
              "T0_C;lateral_deg;lateral_D\n"
              "10;0;5;25.1;4;1;35;45;-2;0.5;20;10;2\n",
              &list);
    assert_int_equal(list.n, 6); /* 20.1 mm are five pitches, a little stretched */
    for (int n = 0; n < 6; n++) {
        h = &list.hole[n];
        assert_true(fabs(h->x[0] - 0.01) < 1e-15 && fabs(h->x[2] - 0.005 - 0.0201 / 5 * n) < 1e-15);
        assert_true(h->number == n + 1 && h->kind == AN_HOLE_BLOWING && h->flow == 0.5);
        assert_true(h->along[0] == 0 && h->along[1] == -2 && fabs(h->beta - PI / 4) < 1e-15);
        assert_true(fabs(h->T0 - 293.15) < 1e-12 && h->lateral_length == 2);
    }
    an_holes_free(&list);

    read_good("x_m,y_m,z_m,x2_m,y2_m,count,diameter_m,p0_kPa,discharge,T0_K\n0,0,0,3,4,3,0.1,500,0."
              "8,800\n",
              &list);
    assert_int_equal(list.n, 3);
    h = &list.hole[1];
    assert_true(h->x[0] == 1.5 && h->x[1] == 2 && h->kind == AN_HOLE_SUPPLY && h->flow == 5e5 &&
                h->discharge == 0.8);
    an_holes_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(refuses_with_line_and_column),
                                       cmocka_unit_test(reads_holes_and_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
