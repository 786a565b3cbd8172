/* The CUDA engine against the CPU engine, stencil by stencil, to rounding: relative to the scale of
 * a field. The device fuses the multiply-adds that point physics name, divides by approximation in
 * single precision and has its own pow. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/cuda_plan.h"
#include "kernels/engine/tiles.h"
#include "tests/engines/engine_fixture.h"

static const enum an_precision precisions[2] = {AN_SINGLE, AN_DOUBLE};
static const double tolerance[2] = {1e-5, 1e-13};

static void start(int p, struct engine_case *x, struct an_engine *cpu, struct an_engine *cuda)
{
    fixture_new(precisions[p], x);
    assert_int_equal(an_engine_cpu_new(precisions[p], 1, NULL, cpu), AN_OK);
    if (an_engine_cuda_new(precisions[p], 0, cuda))
        fail_msg("%s", an_error_text());
    print_message("%s\n", cuda->description);
}

static void stop(struct engine_case *x, struct an_engine *cpu, struct an_engine *cuda)
{
    an_engine_destroy(cpu);
    an_engine_destroy(cuda);
    fixture_free(x);
}

static void cuda_equals_cpu(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine cpu, cuda;
        start(p, &x, &cpu, &cuda);
        assert_true(fixture_compare(&x, &cpu, &cuda, tolerance[p], 1) <= 1);
        assert_true(fixture_fused(&x, &cuda, tolerance[p], 1) <= 1);
        assert_true(fixture_viscous(&x, &cuda, tolerance[p], 1) <= 1);
        fixture_turn(&x);
        assert_true(fixture_compare(&x, &cpu, &cuda, tolerance[p], 1) <= 1);
        assert_true(fixture_fused(&x, &cuda, tolerance[p], 1) <= 1);
        stop(&x, &cpu, &cuda);
    }
}

static void variants_equal_cpu(void **unused)
{
    (void)unused;
    static const int chunk[3] = {1, 3, 128};
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine cpu, cuda;
        start(p, &x, &cpu, &cuda);
        for (int v = 0; an_cuda_variant(&cuda, v); v++) {
            assert_int_equal(an_cuda_tune(&cuda, v, chunk[v % 3]), AN_OK);
            assert_true(fixture_fused(&x, &cuda, tolerance[p], 0) <= 1);
            assert_true(fixture_viscous(&x, &cuda, tolerance[p], 0) <= 1);
            assert_true(fixture_planes(&x, &cpu, &cuda, tolerance[p], 0) <= 1);
            fixture_turn(&x);
            assert_true(fixture_fused(&x, &cuda, tolerance[p], 0) <= 1);
            fixture_rest(&x);
        }
        stop(&x, &cpu, &cuda);
    }
}

/* The kernels for a gas with cp(T): dry air (tests/unit/test_gas.c). */
static void cp_equals_cpu(void **unused)
{
    (void)unused;
    static const double air[] = {1059.0,     -0.51789,   0.0014605, -1.3491e-06,
                                 6.1504e-10, -1.397e-13, 1.2621e-17};
    for (int p = 0; p < 2; p++) {
        struct engine_case x, lines;
        struct an_engine cpu, cuda;
        start(p, &x, &cpu, &cuda);
        fixture_new_lines(precisions[p], &lines);
        fixture_gas(&x, 7, air);
        fixture_gas(&lines, 7, air);
        for (int rotating = 0; rotating < 2; rotating++) {
            assert_true(fixture_compare(&x, &cpu, &cuda, tolerance[p], 1) <= 1);
            assert_true(fixture_fused(&x, &cuda, tolerance[p], 1) <= 1);
            assert_true(rotating || fixture_viscous(&x, &cuda, tolerance[p], 1) <= 1);
            fixture_turn(&x);
        }
        assert_true(fixture_compare_lines(&lines, &cpu, &cuda, tolerance[p], 1) <= 1);
        fixture_free(&lines);
        stop(&x, &cpu, &cuda);
    }
}

/* Lines of awkward lengths and numbers. */
static void lines_equal_cpu(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine cpu, cuda;
        fixture_new_lines(precisions[p], &x);
        assert_int_equal(an_engine_cpu_new(precisions[p], 1, NULL, &cpu), AN_OK);
        assert_int_equal(an_engine_cuda_new(precisions[p], 0, &cuda), AN_OK);
        assert_true(fixture_compare_lines(&x, &cpu, &cuda, tolerance[p], 1) <= 1);
        stop(&x, &cpu, &cuda);
    }
}

/* How a block is cut must not show: tiles of other shapes and places give the same bits. */
static void cuts_do_not_show(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine cpu, cuda;
        start(p, &x, &cpu, &cuda);
        assert_true(fixture_cut(&x, &cuda, 1) == 0);
        fixture_turn(&x);
        assert_true(fixture_cut(&x, &cuda, 1) == 0);
        stop(&x, &cpu, &cuda);
    }
}

static void replayed_equals_plain(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine cpu, cuda;
        start(p, &x, &cpu, &cuda);
        assert_int_equal(fixture_replay(&x, &cuda), AN_OK);
        stop(&x, &cpu, &cuda);
    }
}

static void ghosts_in_one_launch(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine cpu, cuda;
        start(p, &x, &cpu, &cuda);
        assert_int_equal(fixture_ghosts(&x, &cuda, 0), AN_OK);
        stop(&x, &cpu, &cuda);
    }
}

static void mailbox_to_itself(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine cpu, cuda;
        start(p, &x, &cpu, &cuda);
        assert_int_equal(fixture_mailbox(&x, &cuda), AN_OK);
        stop(&x, &cpu, &cuda);
    }
}

/* Tile shapes measured on this device, then read from the cache: the same bits as with the table's.
 */
static void tiles_are_measured(void **unused)
{
    (void)unused;
    char folder[] = "/tmp/annulus-test-XXXXXX", command[100], text[AN_TILES_TEXT];
    static const char *const says[] = {"table, ", "measured, kept in ", "measured before, "};
    assert_non_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine cpu, cuda;
        struct image first = {{NULL}, {0}}, m;
        for (int n = 0; n < 3; n++) {
            start(p, &x, &cpu, &cuda);
            assert_int_equal(an_tiles_choose(&cuda, n > 0, "test", text), AN_OK);
            print_message("%s\n", text);
            assert_ptr_equal(strstr(text, says[n]), text);
            assert_int_equal(fixture_residual(&x, &cuda, &m), AN_OK);
            if (n == 0)
                first = m;
            assert_true(image_same(&x, &first, &m, -1));
            if (n > 0)
                image_free(&m);
            assert_true(fixture_fused(&x, &cuda, tolerance[p], 0) <= 1);
            if (n == 2)
                image_free(&first);
            stop(&x, &cpu, &cuda);
        }
    }
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* ---- every kernel and variant on few tiles, for compute-sanitizer: in parts, which a tool can
 * watch side by side ---- */

static void small_case(int p, int lines, struct engine_case *x, struct an_engine *cpu,
                       struct an_engine *cuda)
{
    (lines ? fixture_new_lines_small : fixture_new_small)(precisions[p], x);
    assert_int_equal(an_engine_cpu_new(precisions[p], 1, NULL, cpu), AN_OK);
    assert_int_equal(an_engine_cuda_new(precisions[p], 0, cuda), AN_OK);
}

static void small_stencils(int p, int unused)
{
    (void)unused;
    struct engine_case x;
    struct an_engine cpu, cuda;
    small_case(p, 0, &x, &cpu, &cuda);
    assert_true(fixture_compare(&x, &cpu, &cuda, tolerance[p], 0) <= 1);
    assert_int_equal(fixture_mailbox(&x, &cuda), AN_OK);
    stop(&x, &cpu, &cuda);
}

static void small_lines(int p, int unused)
{
    (void)unused;
    struct engine_case x;
    struct an_engine cpu, cuda;
    small_case(p, 1, &x, &cpu, &cuda);
    assert_true(fixture_compare_lines(&x, &cpu, &cuda, tolerance[p], 0) <= 1);
    stop(&x, &cpu, &cuda);
}

/* A variant of the fused and of the viscous kernel; of blocks that turn, too. */
static void small_variant(int p, int variant)
{
    struct engine_case x;
    struct an_engine cpu, cuda;
    small_case(p, 0, &x, &cpu, &cuda);
    if (!an_cuda_tune(&cuda, variant, 4)) {
        assert_true(fixture_fused(&x, &cuda, tolerance[p], 0) <= 1);
        assert_true(fixture_viscous(&x, &cuda, tolerance[p], 0) <= 1);
        fixture_turn(&x);
        assert_true(fixture_fused(&x, &cuda, tolerance[p], 0) <= 1);
    }
    stop(&x, &cpu, &cuda);
}

static const struct part {
    const char *name;
    void (*run)(int p, int variant);
    int variant;
} parts[] = {
    {"stencils", small_stencils, 0}, {"lines", small_lines, 0},    {"fused0", small_variant, 0},
    {"fused1", small_variant, 1},    {"fused2", small_variant, 2}, {"fused3", small_variant, 3},
};
enum { PARTS = sizeof parts / sizeof *parts };
static const char *const precision_name[2] = {"single", "double"};
static const char *wanted_part, *wanted_precision;

static void every_kernel_small(void **unused)
{
    (void)unused;
    int run = 0;
    for (int p = 0; p < 2; p++)
        for (int n = 0; n < PARTS; n++) {
            if ((wanted_precision && strcmp(wanted_precision, precision_name[p]) != 0) ||
                (wanted_part && strcmp(wanted_part, parts[n].name) != 0))
                continue;
            parts[n].run(p, parts[n].variant);
            run++;
        }
    assert_true(run > 0);
}

/* All variants have a part. */
static void parts_are_all(void **unused)
{
    (void)unused;
    struct an_engine cuda;
    assert_int_equal(an_engine_cuda_new(AN_SINGLE, 0, &cuda), AN_OK);
    assert_null(an_cuda_variant(&cuda, parts[PARTS - 1].variant + 1));
    assert_non_null(an_cuda_variant(&cuda, parts[PARTS - 1].variant));
    an_engine_destroy(&cuda);
}

/* Nothing: all tests. A test's name: that one alone. "parts": prints the parts of the last one,
 * "PRECISION PART" each; "small [PRECISION [PART]]" runs them or one. */
int main(int argc, char **argv)
{
    const char *const what = argc > 1 ? argv[1] : "";
    for (int n = 0; n < 2 * PARTS && strcmp(what, "parts") == 0; n++)
        printf("%s %s\n", precision_name[n / PARTS], parts[n % PARTS].name);
    if (strcmp(what, "parts") == 0)
        return 0;
    if (an_engine_cuda_count() == 0) {
        printf("no CUDA device\n");
        return 77;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuda_equals_cpu),      cmocka_unit_test(cp_equals_cpu),
        cmocka_unit_test(variants_equal_cpu),   cmocka_unit_test(lines_equal_cpu),
        cmocka_unit_test(cuts_do_not_show),     cmocka_unit_test(replayed_equals_plain),
        cmocka_unit_test(ghosts_in_one_launch), cmocka_unit_test(mailbox_to_itself),
        cmocka_unit_test(parts_are_all),        cmocka_unit_test(tiles_are_measured),
        cmocka_unit_test(every_kernel_small),
    };
    const int small = strcmp(what, "small") == 0;
    wanted_precision = small && argc > 2 ? argv[2] : NULL;
    wanted_part = small && argc > 3 ? argv[3] : NULL;
    cmocka_set_test_filter(small ? "every_kernel_small" : argc > 1 ? what : NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
