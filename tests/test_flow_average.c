/* Averages of flows through faces: uniform flow, two streams that mix, efficiencies and losses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "solver/flow_average.h"

static const struct an_flow_gas gas = {1.4, 287, 9e4};
static const double cp = 3.5 * 287, degrees = 57.295779513082321;

/* PLANE of a face across x at (0, y, 0): p, T, axial, radial, circumferential velocity; side -1:
 * the face looks upstream. */
static void face(double area, double p, double T, const double u[3], int side, double v[14])
{
    const double rho = p / (gas.R * T), m = side * rho * u[0] * area;
    const double h0 = cp * T + 0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    const double plane[14] = {[AN_PLANE_RHO] = rho,
                              [AN_PLANE_U] = u[0],
                              [AN_PLANE_V] = u[1],
                              [AN_PLANE_W] = u[2],
                              [AN_PLANE_P] = p,
                              [AN_PLANE_MASS] = m,
                              [AN_PLANE_MX] = m * u[0] + (p - gas.p_ref) * side * area,
                              [AN_PLANE_MY] = m * u[1],
                              [AN_PLANE_MZ] = m * u[2],
                              [AN_PLANE_ENERGY] = m * h0,
                              [AN_PLANE_SX] = side * area};
    memcpy(v, plane, sizeof plane);
}

static struct an_flow_average average(int n, double v[][14], const double *y, double omega,
                                      double t[AN_NFLOW])
{
    struct an_xsum sum[AN_NFLOW];
    memset(sum, 0, sizeof sum);
    for (int f = 0; f < n; f++)
        an_flow_add(&gas, v[f], (const double[3]){0.1, y[f], 0}, omega, sum);
    for (int m = 0; m < AN_NFLOW; m++)
        t[m] = an_xsum_value(sum[m]);
    return an_flow_average_of(&gas, t, omega);
}

static void near(double a, double b, double tolerance)
{
    if (!(fabs(a - b) <= tolerance * fmax(fabs(b), 1e-3)))
        fail_msg("%.12g, wanted %.12g", a, b);
}

/* Uniform flow: every average is the flow itself, whichever way the face looks. */
static void test_uniform(void **state)
{
    (void)state;
    const double u[3] = {150, 20, -80}, y[2] = {0.5, 0.5};
    const double T0 = 300 + (150. * 150 + 20 * 20 + 80 * 80) / (2 * cp);
    const double p0 = 1e5 * pow(T0 / 300, 3.5);
    for (int side = -1; side < 2; side += 2) {
        double v[2][14], t[AN_NFLOW];
        face(0.01, 1e5, 300, u, side, v[0]);
        face(0.03, 1e5, 300, u, side, v[1]);
        const struct an_flow_average a = average(2, v, y, -400, t);
        near(a.mass, side * 1e5 / (287 * 300) * 150 * 0.04, 1e-13);
        near(a.T0, T0, 1e-13);
        const struct an_flow_kind *kind[3] = {&a.mass_kind, &a.entropy, &a.area};
        for (int k = 0; k < 3; k++) {
            near(kind[k]->p0, p0, 1e-12);
            near(kind[k]->T0, T0, 1e-13);
        }
        near(a.vt, -80, 1e-13);
        near(a.alpha, degrees * atan2(-80, hypot(150, 20)), 1e-13);
        near(a.beta, degrees * atan2(-80 + 400 * 0.5, hypot(150, 20)), 1e-13);
        near(a.pitch, degrees * atan2(20, 150), 1e-13);
        near(a.mach, sqrt(150. * 150 + 20 * 20 + 80 * 80) / sqrt(1.4 * 287 * 300), 1e-13);
        near(a.T0_rel, 300 + (150. * 150 + 20 * 20 + 120 * 120) / (2 * cp), 1e-13);
        near(t[AN_FLOW_MOMENT], 0.5 * -80 * a.mass, 1e-12);
        /* without radial motion the mixed-out flow is the flow */
        const double straight[3] = {150, 0, -80};
        face(0.02, 1e5, 300, straight, side, v[0]);
        const struct an_flow_average b = average(1, v, y, 0, t);
        near(b.mixed.p, 1e5, 1e-12);
        near(b.mixed.p0, b.p0, 1e-12);
    }
}

/* Two streams: the mixed-out flow has their mass, momentum and energy and less total pressure. */
static void test_mixing(void **state)
{
    (void)state;
    const double fast[3] = {180, 0, 30}, slow[3] = {80, 0, 30}, y[2] = {0.5, 0.5};
    double v[2][14], t[AN_NFLOW];
    face(0.02, 1e5, 290, fast, 1, v[0]);
    face(0.02, 1e5, 300, slow, 1, v[1]);
    const struct an_flow_average a = average(2, v, y, 0, t);
    const double T = a.mixed.T0 * pow(a.mixed.p / a.mixed.p0, 1 / 3.5), rho = a.mixed.p / (287 * T);
    const double vx = sqrt(2 * cp * (a.mixed.T0 - T) - 30. * 30), m = rho * vx * 0.04;
    near(m, t[AN_FLOW_MASS], 1e-10);
    near(m * vx + a.mixed.p * 0.04, t[AN_FLOW_THRUST], 1e-10);
    near(m * cp * a.mixed.T0, t[AN_FLOW_H0], 1e-12);
    assert_true(a.mixed.p0 < a.entropy.p0 && a.entropy.p0 < a.mass_kind.p0);
    const double s_mixed = cp * log(a.mixed.T0) - 287 * log(a.mixed.p0);
    /* nearly what the lost kinetic energy would give, 0.69 x 0.31 of 100^2 / 2, at 300 K */
    assert_true(s_mixed - a.s > 3 && s_mixed - a.s < 4.5);
}

/* Where faces move the flux of energy has the work of the pressure, which h0 has not. */
static void test_moving_face(void **state)
{
    (void)state;
    const double u[3] = {100, 0, 0}, y[1] = {0.5};
    double v[1][14], t[AN_NFLOW];
    face(0.02, 1.2e5, 300, u, 1, v[0]);
    v[0][AN_PLANE_SWEEP] = 0.7;
    v[0][AN_PLANE_ENERGY] += (1.2e5 - gas.p_ref) * 0.7;
    near(average(1, v, y, 0, t).T0, 300 + 100. * 100 / (2 * cp), 1e-13);
}

static void test_efficiency(void **state)
{
    (void)state;
    const double rise = 1 + (pow(2.106, 1 / 3.5) - 1) / 0.877;
    near(an_flow_efficiency(1.4, 2.106, rise), 0.877, 1e-13);
    near(an_flow_polytropic(1.4, 2.106, rise), 0.889, 1e-3);
    const double fall = 1 - 0.9 * (1 - pow(0.5, 1 / 3.5));
    near(an_flow_efficiency(1.4, 0.5, fall), 0.9, 1e-13);
    assert_true(an_flow_polytropic(1.4, 0.5, fall) < 0.9);
    assert_true(isnan(an_flow_efficiency(1.4, 0.99, 1)));
}

static void test_loss(void **state)
{
    (void)state;
    /* slowed down: over the dynamic pressure of the inlet; sped up: of the outlet */
    struct an_flow_average in = {.p0_rel = 1.5e5, .p = 1e5, .T0_rel = 300};
    struct an_flow_average out = {.p0_rel = 1.45e5, .p = 1.2e5, .T0_rel = 300};
    near(an_flow_loss(1.4, &in, &out), 0.1, 1e-13);
    out.p = 0.45e5;
    near(an_flow_loss(1.4, &in, &out), 0.05, 1e-13);
    /* a change of radius alone is no loss */
    out.T0_rel = 330;
    out.p0_rel = 1.5e5 * pow(1.1, 3.5);
    near(an_flow_loss(1.4, &in, &out) + 1, 1, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform),     cmocka_unit_test(test_mixing),
        cmocka_unit_test(test_moving_face), cmocka_unit_test(test_efficiency),
        cmocka_unit_test(test_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
