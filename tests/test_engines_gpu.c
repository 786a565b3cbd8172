/* The CUDA engine against the CPU engine, stencil by stencil, to rounding: relative to the scale of
 * a field. The device may contract to fused multiply-adds and has its own pow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda_plan.h"
#include "tests/engine_fixture.h"

static const enum an_precision precisions[2] = {AN_SINGLE, AN_DOUBLE};
static const double tolerance[2] = {5e-6, 1e-13};

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
            assert_true(fixture_compare(&x, &cpu, &cuda, tolerance[p], 0) <= 1);
            assert_true(fixture_fused(&x, &cuda, tolerance[p], 0) <= 1);
            assert_true(fixture_viscous(&x, &cuda, tolerance[p], 0) <= 1);
            fixture_turn(&x);
            assert_true(fixture_fused(&x, &cuda, tolerance[p], 0) <= 1);
            fixture_rest(&x);
        }
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

/* Every kernel and variant, on few tiles: for compute-sanitizer. */
static void every_kernel_small(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++) {
        struct engine_case x;
        struct an_engine cpu, cuda;
        fixture_new_small(precisions[p], &x);
        assert_int_equal(an_engine_cpu_new(precisions[p], 1, NULL, &cpu), AN_OK);
        assert_int_equal(an_engine_cuda_new(precisions[p], 0, &cuda), AN_OK);
        assert_true(fixture_compare(&x, &cpu, &cuda, tolerance[p], 0) <= 1);
        for (int v = 0; an_cuda_variant(&cuda, v); v++) {
            assert_int_equal(an_cuda_tune(&cuda, v, 4), AN_OK);
            assert_true(fixture_fused(&x, &cuda, tolerance[p], 0) <= 1);
            assert_true(fixture_viscous(&x, &cuda, tolerance[p], 0) <= 1);
        }
        fixture_turn(&x);
        for (int v = 0; an_cuda_variant(&cuda, v); v++) {
            assert_int_equal(an_cuda_tune(&cuda, v, 4), AN_OK);
            assert_true(fixture_fused(&x, &cuda, tolerance[p], 0) <= 1);
        }
        stop(&x, &cpu, &cuda);
        fixture_new_lines_small(precisions[p], &x);
        assert_int_equal(an_engine_cpu_new(precisions[p], 1, NULL, &cpu), AN_OK);
        assert_int_equal(an_engine_cuda_new(precisions[p], 0, &cuda), AN_OK);
        assert_true(fixture_compare_lines(&x, &cpu, &cuda, tolerance[p], 0) <= 1);
        stop(&x, &cpu, &cuda);
    }
}

/* "small": only that test. */
int main(int argc, char **argv)
{
    if (an_engine_cuda_count() == 0) {
        printf("no CUDA device\n");
        return 77;
    }
    const struct CMUnitTest small[] = {cmocka_unit_test(every_kernel_small)};
    if (argc > 1 && !strcmp(argv[1], "small"))
        return cmocka_run_group_tests(small, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuda_equals_cpu),       cmocka_unit_test(variants_equal_cpu),
        cmocka_unit_test(lines_equal_cpu),       cmocka_unit_test(cuts_do_not_show),
        cmocka_unit_test(replayed_equals_plain), cmocka_unit_test(every_kernel_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
