/* A jet of cooling out of a wall that turns, against the gas laws: its velocity, temperature, energy and
 * moment, with the Mach number given or from the pressure of the wall, with total conditions in the frame
 * of the wall or of a supply at rest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "solver/boundary/coolant_jet.h"

static const double R = 287, cp = 3.5 * 287;

static void near(double is, double wanted, double part)
{
    if (!(fabs(is - wanted) <= part * fmax(fabs(wanted), 1e-3)))
        fail_msg("%.15g, wanted %.15g", is, wanted);
}

/* p0 and T0 are given in the frame of the wall, or are those of a supply at rest: then the relative
 * total state is warmer by U^2 / (2 cp), and its pressure higher by an isentropic change. */
static void test_jet(void **state)
{
    (void)state;
    static struct an_case c;
    static struct an_case_boundary b;
    c.gas.model = an_gas_perfect(R, 1.4);
    const double omega = 300, r = 0.5, p = 1.4e5, n[3] = {0.8, 0.6, 0};
    const double around = 0.4; /* the place and the normal turned by it about x */
    const struct an_face_place at = {.x = {0.1, r * cos(around), r * sin(around)},
                                     .s = {0.8e-3, 0.6e-3 * cos(around), 0.6e-3 * sin(around)}};
    for (int absolute = 0; absolute < 2; absolute++)
        for (int every = 0; every < 2; every++) {
            b = (struct an_case_boundary){.p0 = 1.8e5, .T0 = 700};
            b.patch.frame = absolute ? AN_FRAME_ABSOLUTE : AN_FRAME_RELATIVE;
            b.patch.mach = 0.4;
            const struct an_coolant_patch q = {.set = &b, .every = every, .p = p};
            const struct an_coolant_jet j = an_coolant_jet_of(&c, &q, omega, &at);
            const double T0 = 700 + (absolute ? 0.5 * 150 * 150 / cp : 0);
            const double p0 = 1.8e5 * pow(T0 / 700, 3.5);
            const double T = every ? T0 * pow(p / p0, 1 / 3.5) : T0 / (1 + 0.2 * 0.16);
            const double speed = sqrt(2 * cp * (T0 - T));
            near(j.T, T, 1e-12);
            near(j.V[0], -speed * n[0], 1e-12);
            near(j.V[1] * cos(around) + j.V[2] * sin(around), -speed * n[1], 1e-12);
            near(j.V[2] * cos(around) - j.V[1] * sin(around), omega * r, 1e-12);
            near(j.moment, omega * r * r, 1e-12);
            near(j.h0, cp * T + 0.5 * (speed * speed + 150 * 150), 1e-12);
            assert_false(j.outward);
        }
    b = (struct an_case_boundary){.p0 = 1.8e5, .T0 = 700, .direction = {0.6, 0.8, 0}};
    b.patch.has_direction = 1;
    b.patch.mach = 0.4;
    const struct an_coolant_patch q = {.set = &b};
    assert_true(an_coolant_jet_of(&c, &q, omega, &at).outward);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_jet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
