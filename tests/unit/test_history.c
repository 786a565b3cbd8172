/* The running table, history.csv with its cut at a restart, run.json. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "io/history.h"
#include "io/temporary.h"

static char folder[] = "/tmp/annulus_history_XXXXXX";

static char *slurp(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    static char text[1 << 16];
    FILE *f = fopen(path, "r");
    if (!f)
        return NULL;
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return text;
}

static void spill(const char *name, const char *text, const char *mode)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, mode);
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static int lines(const char *text)
{
    int n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static struct an_history_line line(int64_t n)
{
    return (struct an_history_line){.iteration = n,
                                    .time = NAN,
                                    .cfl = 5,
                                    .residual = {1.0 / (double)n, 2, 3, 4, INFINITY},
                                    .residual_turbulence = 2e-5,
                                    .residual_drop = 1e-3,
                                    .mass_in = 20.188,
                                    .mass_out = 20.19,
                                    .imbalance = -1e-4,
                                    .pressure_ratio = 2.1064,
                                    .temperature_ratio = 1.27,
                                    .efficiency = 0.8765,
                                    .rate = 412.3,
                                    .time_left = 3723};
}

/* Iterations from <= n <= to, every 10th, on a table in memory. */
static char *run(int64_t start, int64_t from, int64_t to, int unsteady, int progress)
{
    char *screen = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&screen, &size);
    struct an_history *h;
    assert_int_equal(an_history_new(folder, start, unsteady, progress, NULL, f, &h), AN_OK);
    for (int64_t n = from; n <= to; n += 10) {
        struct an_history_line l = line(n);
        if (unsteady)
            l.time = 1e-5 * (double)n;
        an_history_progress(h, n, to, 10);
        assert_int_equal(an_history_add(h, &l), AN_OK);
    }
    an_history_destroy(h);
    fclose(f);
    return screen;
}

/* Every line of the table is as wide as the header, which comes again. */
static void test_table(void **state)
{
    (void)state;
    for (int unsteady = 0; unsteady < 2; unsteady++) {
        char *screen = run(0, 10, 250, unsteady, 0);
        if (!unsteady)
            print_message("%.700s\n", screen);
        size_t width = 0;
        int headers = 0;
        char *rest = NULL;
        for (char *l = strtok_r(screen, "\n", &rest); l; l = strtok_r(NULL, "\n", &rest)) {
            width = width ? width : strlen(l);
            assert_int_equal(strlen(l), width);
            headers += strstr(l, "iteration") != NULL;
        }
        assert_true(width <= 110);
        assert_int_equal(headers, 2);
        free(screen);
    }
}

/* The table and the line of a row on a terminal of so many columns: the longest line. */
static int longest_on(unsigned short columns, int unsteady)
{
    double turbine[AN_NROW_VALUE] = {[AN_ROW_MASS_IN] = 12345.678, [AN_ROW_POWER] = -1.23e-7};
    const struct winsize size = {.ws_row = 24, .ws_col = columns};
    const struct an_history_columns more = {
        .nrow = 1, .row = (const char *[]){"machine"}, .cascade = 1};
    static char text[1 << 16];
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    assert_true(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    FILE *terminal = fopen(ptsname(master), "w");
    assert_non_null(terminal);
    assert_int_equal(ioctl(fileno(terminal), TIOCSWINSZ, &size), 0);
    struct an_history *h;
    assert_int_equal(an_history_new(folder, 0, unsteady, 0, &more, terminal, &h), AN_OK);
    struct an_history_line l = line(123456789);
    l.time = 1.23456e-5;
    l.row = &turbine;
    assert_int_equal(an_history_add(h, &l), AN_OK);
    an_history_destroy(h);
    fclose(terminal);
    size_t end = 0;
    for (ssize_t got; (got = read(master, text + end, sizeof text - 1 - end)) > 0;)
        end += (size_t)got; /* the error behind the last piece says that the terminal is closed */
    close(master);
    assert_true(end > 200);
    text[end] = '\0';
    int longest = 0;
    char *rest = NULL;
    for (char *m = strtok_r(text, "\r\n", &rest); m; m = strtok_r(NULL, "\r\n", &rest))
        longest = (int)strlen(m) > longest ? (int)strlen(m) : longest;
    return longest;
}

static void test_narrow(void **state)
{
    (void)state;
    for (int unsteady = 0; unsteady < 2; unsteady++) {
        assert_in_range(longest_on(80, unsteady), 70, 80);
        assert_in_range(longest_on(130, unsteady), 100, 130);
        assert_in_range(longest_on(0, unsteady), 100, 130); /* not known */
    }
}

static void test_not_a_number(void **state)
{
    (void)state;
    struct an_history_line l = {.iteration = 1};
    double *values[] = {
        &l.time,           &l.cfl,         &l.residual[0],       &l.residual[1],
        &l.residual[2],    &l.residual[3], &l.residual[4],       &l.residual_turbulence,
        &l.residual_drop,  &l.mass_in,     &l.mass_out,          &l.imbalance,
        &l.pressure_ratio, &l.efficiency,  &l.temperature_ratio, &l.rate,
        &l.time_left,      &l.wall_torque, &l.wall_heat,         &l.wall_yplus,
        &l.back_pressure};
    for (size_t n = 0; n < sizeof values / sizeof *values; n++)
        *values[n] = NAN;
    for (int c = 0; c < 3; c++)
        l.wall_force[c] = l.wall_friction[c] = NAN;
    char *screen = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&screen, &size);
    struct an_history *h;
    assert_int_equal(an_history_new(folder, 0, 1, 0, NULL, f, &h), AN_OK);
    assert_int_equal(an_history_add(h, &l), AN_OK);
    an_history_destroy(h);
    fclose(f);
    assert_null(strstr(screen, "nan"));
    assert_non_null(strstr(screen, " - "));
    free(screen);
    assert_non_null(strstr(slurp("history.csv"), "\n1,,,,,,,,,,,,,,,,,,,,,,,,,,\n"));
}

/* A restart at 30 of a run that got to 50, and was killed in the middle of a line. */
static void test_restart(void **state)
{
    (void)state;
    free(run(0, 10, 50, 0, 0));
    assert_int_equal(lines(slurp("history.csv")), 6);
    spill("history.csv", "60,,5,0.0", "a");
    free(run(30, 40, 80, 0, 0));
    char *text = slurp("history.csv");
    assert_int_equal(lines(text), 9);
    int64_t want = 10;
    char *rest = NULL;
    for (strtok_r(text, "\n", &rest); want <= 80; want += 10)
        assert_int_equal(strtoll(strtok_r(NULL, "\n", &rest), NULL, 10), want);
    /* the torn line alone is dropped when the restart lies after it */
    spill("history.csv", "90,,5,0.0", "a");
    free(run(95, 100, 100, 0, 0));
    assert_int_equal(lines(slurp("history.csv")), 10);
    assert_null(strstr(slurp("history.csv"), "\n90"));
    /* a file with other columns is set aside; a run from the start begins anew */
    spill("history.csv", "n,x\n1,2\n", "w");
    free(run(10, 20, 20, 0, 0));
    assert_int_equal(lines(slurp("history.csv")), 2);
    assert_string_equal(slurp("history.csv.old"), "n,x\n1,2\n");
    free(run(0, 10, 10, 0, 0));
    assert_int_equal(lines(slurp("history.csv")), 2);
    assert_null(slurp("history.csv.tmp"));
}

static void test_progress(void **state)
{
    (void)state;
    char *screen = run(0, 10, 30, 0, 1);
    assert_non_null(strstr(screen, "\r  20 of 30 (66 %)"));
    assert_non_null(strstr(screen, "0:01 left"));
    free(screen);
    screen = run(0, 10, 30, 0, 0);
    assert_null(strchr(screen, '\r'));
    free(screen);
}

/* Boundaries under control have a column each, and an entry in run.json. */
static void test_controls(void **state)
{
    (void)state;
    const struct an_control_report control[2] = {
        {"outlet", "p", 1e5, 1.2e5, 0.5, 0.4, NAN, 0.7, 10, 1},
        {"a, b", "p", 1e5, 1.1e5, 0.5, NAN, NAN, 0.7, 10, 1}};
    const struct an_history_columns more = {.ncontrol = 2, .control = control};
    const double value[2] = {1.2e5, 1.1e5};
    struct an_history *h;
    assert_int_equal(an_history_new(folder, 0, 0, 0, &more, NULL, &h), AN_OK);
    struct an_history_line l = line(1);
    assert_int_equal(an_history_add(h, &l), AN_OK); /* not known */
    l.control = value;
    assert_int_equal(an_history_add(h, &l), AN_OK);
    an_history_destroy(h);
    const char *text = slurp("history.csv");
    assert_non_null(strstr(text, ",outlet_p_Pa,a__b_p_Pa\n"));
    assert_non_null(strstr(text, ",,\n"));
    assert_non_null(strstr(text, ",120000,110000\n"));

    const struct an_run_info info = {.status = "finished", .ncontrol = 2, .control = control};
    assert_int_equal(an_run_info_write(folder, &info), AN_OK);
    json_t *j = json_loads(slurp("run.json"), 0, NULL), *all = json_object_get(j, "controls");
    const json_t *first = json_array_get(all, 0), *second = json_array_get(all, 1);
    assert_int_equal(json_array_size(all), 2);
    assert_string_equal(json_string_value(json_object_get(first, "boundary")), "outlet");
    assert_true(json_real_value(json_object_get(first, "value_Pa")) == 1.2e5);
    assert_true(json_real_value(json_object_get(first, "wanted_kg_s")) == 0.4);
    assert_true(json_is_null(json_object_get(second, "wanted_kg_s")));
    json_decref(j);
}

static void test_folder(void **state)
{
    (void)state;
    struct an_history *h;
    assert_int_equal(an_history_new("/nowhere/at/all", 0, 0, 0, NULL, NULL, &h), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "/nowhere/at/all"));
    struct an_run_info info = {.status = "running"};
    assert_int_equal(an_run_info_write("/nowhere/at/all", &info), AN_INPUT);
}

static void test_run_info(void **state)
{
    (void)state;
    struct an_run_info info = {.title = "a \"row\"\n\xff",
                               .status = "converged",
                               .case_file = "caf\xc3\xa9.yaml",
                               .ranks = 4,
                               .cells = 160000000000,
                               .seconds = NAN,
                               .last = line(77)};
    assert_int_equal(an_run_info_write(folder, &info), AN_OK);
    json_error_t error;
    json_t *j = json_loads(slurp("run.json"), 0, &error);
    assert_non_null(j);
    assert_string_equal(json_string_value(json_object_get(j, "status")), "converged");
    assert_string_equal(json_string_value(json_object_get(j, "title")), "a \"row\"\n?");
    assert_string_equal(json_string_value(json_object_get(j, "case_file")), "caf\xc3\xa9.yaml");
    assert_int_equal(json_integer_value(json_object_get(j, "cells")), 160000000000);
    assert_true(json_is_null(json_object_get(j, "seconds")));
    assert_true(json_is_null(json_object_get(j, "snapshot")));
    json_t *last = json_object_get(j, "last");
    assert_true(fabs(json_real_value(json_object_get(last, "efficiency")) - 0.8765) < 1e-9);
    assert_true(json_is_null(json_array_get(json_object_get(last, "residual"), 4)));
    json_decref(j);
    assert_null(slurp("run.json.tmp"));
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_narrow),       cmocka_unit_test(test_table),
        cmocka_unit_test(test_not_a_number), cmocka_unit_test(test_restart),
        cmocka_unit_test(test_progress),     cmocka_unit_test(test_folder),
        cmocka_unit_test(test_controls),     cmocka_unit_test(test_run_info),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    char command[256];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return failures + (system(command) != 0);
}
