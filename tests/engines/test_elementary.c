/* Elementary functions (kernels/physics/elementary.h) against the C library's in long double, over
 * what stencils call them with; built for both precisions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernels/physics/elementary.h"

#include <float.h>
#include <math.h>

/* Distance of a value from the exact one over that of neighbouring numbers at `of`. */
static double units(real value, long double exact, long double of)
{
    const long double unit = sizeof(real) == 4 ? FLT_EPSILON : DBL_EPSILON;
    const double error = (double)(fabsl(value - exact) / fabsl(of) / unit);
    return isnan(error) ? INFINITY : error;
}

static void powers(void **unused)
{
    (void)unused;
    double worst = 0;
    for (int p = 0; p <= 20; p++)
        for (double e = -100; e < 20; e += 0.00731) {
            const real x = (real)exp2(e), y = (real)(0.05 * p);
            const long double exact = powl(x, y);
            worst = fmax(worst, units(AN_FN(an_pow_positive)(x, y), exact, exact));
        }
    print_message("powers: %.2f units\n", worst);
    assert_true(worst < 2);
    assert_true(AN_FN(an_pow_positive)(AN_R(1.0), AN_R(0.67)) == AN_R(1.0));
}

/* To rounding of 1. */
static void tangents(void **unused)
{
    (void)unused;
    double worst = 0;
    for (double a = 0; a < 1000; a = a * 1.0007 + 1e-5)
        worst = fmax(worst, units(AN_FN(an_tanh_positive)((real)a), tanhl((real)a), 1));
    print_message("hyperbolic tangents: %.2f units of 1\n", worst);
    assert_true(worst < 2);
    assert_true(AN_FN(an_tanh_positive)(AN_R(0.0)) == AN_R(0.0));
    assert_true(AN_FN(an_tanh_positive)(AN_R(1e30)) == AN_R(1.0));
}

static void decays(void **unused)
{
    (void)unused;
    double worst = 0;
    for (double a = -80; a <= 0; a += 0.00113) {
        const long double exact = expl((real)a);
        worst = fmax(worst, units(AN_FN(an_exp_decay)((real)a), exact, exact));
    }
    print_message("exponentials: %.2f units\n", worst);
    assert_true(worst < 2);
}

static void cube_roots(void **unused)
{
    (void)unused;
    double worst = 0;
    for (double e = -100; e < 20; e += 0.00131) {
        const real x = (real)exp2(e);
        worst = fmax(worst, units(AN_FN(an_cbrt_positive)(x), cbrtl(x), cbrtl(x)));
    }
    print_message("cube roots: %.2f units\n", worst);
    assert_true(worst < 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers),
        cmocka_unit_test(tangents),
        cmocka_unit_test(decays),
        cmocka_unit_test(cube_roots),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
