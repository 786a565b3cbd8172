/* The face of an inlet of total conditions on the host (bc/inlet_face.h): with cp(T) of one
 * coefficient what gamma gives; of hot air the outgoing wave of the cell and the enthalpy and
 * entropy at rest, to rounding; at most sonic, never outwards. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "bc/inlet_face.h"
#include "kernels/base/error.h"

static const double R = 287, normal[3] = {-0.96, 0, 0.28};
static const struct an_params params = {.fluid.gamma = 1.4, .fluid.gas_constant = 287};

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * fmax(fabs(b), 1)))
        fail_msg("%.15g, wanted %.15g", a, b);
}

static void test_one_coefficient(void **state)
{
    (void)state;
    const double cp = 3.5 * R, v[5] = {1.2e5, 320, 0.8, 0.6, 0};
    const struct an_gas perfect = an_gas_perfect(R, 1.4);
    struct an_gas one;
    assert_int_equal(an_gas_polynomial(R, 1, &cp, 200, 2500, &one), AN_OK);
    for (double u = -100; u < 500; u += 25) { /* back flow, and beyond sonic */
        const double cell[5] = {1.1, u, 20, -10, 0.9e5};
        double a[5], b[5];
        an_bc_inlet_face(&params, &perfect, cell, normal, v, a);
        an_bc_inlet_face(&params, &one, cell, normal, v, b);
        for (int n = 0; n < 5; n++)
            near(b[n], a[n], 1e-12);
    }
}

static void test_hot_air(void **state)
{
    (void)state;
    static const double air[] = {1054.7, -0.44247, 1.1363e-3, -7.9265e-7, 1.8548e-10};
    const double v[5] = {12e5, 1400, 0.8, 0.6, 0}, a = normal[0] * v[AN_BC_DIRECTION];
    struct an_gas gas;
    int inside = 0;
    assert_int_equal(an_gas_polynomial(R, 5, air, 250, 1500, &gas), AN_OK);
    for (double u = -400; u < 1500; u += 25) {
        const double T1 = 1350, cell[5] = {10e5 / (R * T1), u, 20, -10, 10e5};
        double f[5];
        an_bc_inlet_face(&params, &gas, cell, normal, v, f);
        const double T = f[4] / (f[0] * R), q = sqrt(f[1] * f[1] + f[2] * f[2] + f[3] * f[3]);
        const double out = u * normal[0] - 10 * normal[2] + an_gas_l(&gas, T1);
        near(an_gas_h(&gas, T) + 0.5 * q * q, an_gas_h(&gas, 1400), 1e-13);
        near(an_gas_isentropic_p(&gas, 1400, T) * 12e5, f[4], 1e-13);
        assert_true(f[1] >= 0 && q <= an_gas_sound(&gas, T) * (1 + 1e-12));
        if (q > 0 && q < an_gas_sound(&gas, T) * (1 - 1e-9)) {
            near(a * q + an_gas_l(&gas, T), out, 1e-13);
            inside++;
        }
    }
    assert_true(inside > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_coefficient),
                                       cmocka_unit_test(test_hot_air)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
