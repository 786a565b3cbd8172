/* Every design of the table, every variant that fits, against the plain reference: on grids that
 * are no multiple of any tile, and on one smaller than any. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "bench/designs/designs.h"
#include "kernels/base/error.h"

static struct an_design_bench *bench;

static int dimensions(const struct an_design *d)
{
    return an_bench_stencil_about(d->stencil)->dimensions;
}

/* n[1] = 0: one dimension. */
static void all_on(const int n[3])
{
    int nwrong = 0;
    for (int i = 0; i < an_design_count(); i++) {
        const struct an_design *d = an_design_at(i);
        struct an_design_result r;
        if (dimensions(d) != (n[1] ? 3 : 1))
            continue;
        if (an_design_measure(bench, d, n, 0, &r)) {
            print_error("%s\n", an_error_text());
            nwrong++;
        }
    }
    assert_int_equal(nwrong, 0);
}

static void odd_grid(void **unused)
{
    (void)unused;
    all_on((const int[3]){133, 37, 29});
}

static void wide_grid(void **unused)
{
    (void)unused;
    all_on((const int[3]){301, 70, 19});
}

static void small_grid(void **unused)
{
    (void)unused;
    all_on((const int[3]){11, 10, 9});
}

/* One window more than fits exactly, and as many as the device holds. */
static void lines(void **unused)
{
    (void)unused;
    all_on((const int[3]){7001, 0, 0});
    all_on((const int[3]){100003, 0, 0});
    all_on((const int[3]){0, 0, 0});
}

static void timed(void **unused)
{
    (void)unused;
    for (int i = 0; i < an_design_count(); i++) {
        const struct an_design *d = an_design_at(i);
        const int n[3] = {dimensions(d) == 1 ? 0 : 64, 64, 64};
        struct an_design_result r;
        if (an_design_measure(bench, d, n, 3, &r))
            fail_msg("%s", an_error_text());
        assert_true(r.seconds > 0 && r.fastest > 0 && r.fastest <= r.seconds);
        assert_true(r.updates >= 64 && r.bytes > 0 && r.flops > 0 && r.registers > 0);
    }
}

/* Every kernel on few tiles: compute-sanitizer's racecheck ends within a minute. */
static void every_kernel_small(void **unused)
{
    (void)unused;
    all_on((const int[3]){70, 21, 11});
    all_on((const int[3]){7001, 0, 0});
}

/* "small": only that test. */
int main(int argc, char **argv)
{
    const struct CMUnitTest small[] = {cmocka_unit_test(every_kernel_small)};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(odd_grid), cmocka_unit_test(wide_grid), cmocka_unit_test(small_grid),
        cmocka_unit_test(lines),    cmocka_unit_test(timed),
    };
    if (an_design_bench_new(&bench)) {
        printf("skipped: %s\n", an_error_text());
        an_design_bench_destroy(bench);
        return 77;
    }
    const int failed = argc > 1 && !strcmp(argv[1], "small")
                           ? cmocka_run_group_tests(small, NULL, NULL)
                           : cmocka_run_group_tests(tests, NULL, NULL);
    an_design_bench_destroy(bench);
    return failed;
}
