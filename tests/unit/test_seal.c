/* Flow through a labyrinth seal (bc/seal.h).
 *
 *   small difference of pressure   that of n orifices one after the other, A sqrt(2 rho dp / n)    1e-3
 *   pressure ratio where it chokes the flow as a function of the pressure behind has its largest value there
 *   below that, or backwards       the flow stays; none
 */
#include "bc/seal.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double R = 287.05, p0 = 3e5, T0 = 600, area = 2e-4;

static double flow(double x, int fins)
{
    int choked;
    return an_seal_flow(p0, T0, x * p0, R, area, fins, &choked);
}

static void test_orifices(void **state)
{
    (void)state;
    for (int fins = 1; fins < 6; fins++) {
        const double dp = 1e-4 * p0, orifices = area * sqrt(2 * p0 / (R * T0) * dp / fins);
        assert_true(fabs(flow(1 - 1e-4, fins) / orifices - 1) < 1e-3);
    }
}

static void test_formula(void **state)
{
    (void)state;
    const double x = 0.7, wanted = area * p0 / sqrt(R * T0) * sqrt((1 - 0.49) / (4 - log(0.7)));
    assert_true(fabs(flow(x, 4) / wanted - 1) < 1e-14);
}

static void test_choked(void **state)
{
    (void)state;
    for (int fins = 1; fins < 20; fins++) {
        const double x = an_seal_critical(fins), most = flow(x, fins);
        int choked;
        assert_true(x > 0.05 && x < 0.6);
        assert_true(fabs(1 - x * x - 2 * x * x * (fins - log(x))) < 1e-12);
        assert_true(flow(x + 0.01, fins) < most && flow(x + 0.05, fins) < flow(x + 0.01, fins));
        assert_true(an_seal_flow(p0, T0, 0.5 * x * p0, R, area, fins, &choked) == most && choked);
        assert_true(an_seal_flow(p0, T0, (x + 0.01) * p0, R, area, fins, &choked) > 0 && !choked);
    }
}

static void test_backwards(void **state)
{
    (void)state;
    assert_true(flow(1, 3) == 0 && flow(1.2, 3) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orifices), cmocka_unit_test(test_formula),
        cmocka_unit_test(test_choked), cmocka_unit_test(test_backwards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
