/* Averages of flows through faces: uniform flow, two streams that mix, efficiencies and losses;
 * with a ratio gamma, with cp(T) of one coefficient, which is the same, and with cp(T) of hot air.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "solver/monitor/flow_average.h"

static struct an_gas model;
static const struct an_flow_gas gas = {.of = &model, .p_ref = 9e4};
static const double R = 287, cp = 3.5 * 287, degrees = 57.295779513082321;

static int use_gamma(void **state)
{
    (void)state;
    model = an_gas_perfect(R, 1.4);
    return 0;
}

static int use_one_coefficient(void **state)
{
    (void)state;
    return an_gas_polynomial(R, 1, &cp, 200, 2500, &model);
}

/* Dry air, 250 to 1500 K, as in the help of gas.cp. */
static int use_hot_air(void **state)
{
    static const double air[] = {1054.7, -0.44247, 1.1363e-3, -7.9265e-7, 1.8548e-10};
    (void)state;
    return an_gas_polynomial(R, 5, air, 250, 1500, &model);
}

/* PLANE of a face across x at (0, y, 0): p, T, axial, radial, circumferential velocity; side -1:
 * the face looks upstream. */
static void face(double area, double p, double T, const double u[3], int side,
                 double v[AN_NCOMP_PLANE])
{
    const double rho = p / (R * T), m = side * rho * u[0] * area;
    const double h0 = an_gas_h(&model, T) + 0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    const double plane[AN_NCOMP_PLANE] = {[AN_PLANE_RHO] = rho,
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

static struct an_flow_average average(int n, double v[][AN_NCOMP_PLANE], const double *y,
                                      double omega, double t[AN_NFLOW])
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
        double v[2][AN_NCOMP_PLANE], t[AN_NFLOW];
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
    double v[2][AN_NCOMP_PLANE], t[AN_NFLOW];
    face(0.02, 1e5, 290, fast, 1, v[0]);
    face(0.02, 1e5, 300, slow, 1, v[1]);
    const struct an_flow_average a = average(2, v, y, 0, t);
    const double T = a.mixed.T0 * pow(a.mixed.p / a.mixed.p0, 1 / 3.5), rho = a.mixed.p / (287 * T);
    const double vx = sqrt(2 * cp * (a.mixed.T0 - T) - 30. * 30), m = rho * vx * 0.04;
    near(m, t[AN_FLOW_MASS], 1e-10);
    near(m * vx + a.mixed.p * 0.04, t[AN_FLOW_THRUST], 1e-10);
    near(m * cp * a.mixed.T0, t[AN_FLOW_H0], 1e-12);
    assert_true(a.mixed.p0 < a.entropy.p0 && a.entropy.p0 < a.mass_kind.p0);
    const double s_mixed = an_gas_s0(&model, a.mixed.T0) - R * log(a.mixed.p0);
    /* nearly what the lost kinetic energy would give, 0.69 x 0.31 of 100^2 / 2, at 300 K */
    assert_true(s_mixed - a.s > 3 && s_mixed - a.s < 4.5);
}

/* Where faces move the flux of energy has the work of the pressure, which h0 has not. */
static void test_moving_face(void **state)
{
    (void)state;
    const double u[3] = {100, 0, 0}, y[1] = {0.5};
    double v[1][AN_NCOMP_PLANE], t[AN_NFLOW];
    face(0.02, 1.2e5, 300, u, 1, v[0]);
    v[0][AN_PLANE_SWEEP] = 0.7;
    v[0][AN_PLANE_ENERGY] += (1.2e5 - gas.p_ref) * 0.7;
    near(average(1, v, y, 0, t).T0, 300 + 100. * 100 / (2 * cp), 1e-13);
}

/* A face anywhere around the axis: radial and circumferential velocity, and the moment of the momentum
 * flux and the pressure about x. */
static void test_around_the_axis(void **state)
{
    (void)state;
    const double angle = 0.7, r = 0.5, c = cos(angle), s = sin(angle), T = 300, p = 1e5,
                 rho = p / (R * T);
    const double u[3] = {150, 20 * c + 80 * s, 20 * s - 80 * c}; /* 20 outwards, -80 around */
    const double area[3] = {0.02, 0.003 * c - 0.001 * s, 0.003 * s + 0.001 * c};
    const double m = rho * (u[0] * area[0] + u[1] * area[1] + u[2] * area[2]);
    const double h0 = an_gas_h(&model, T) + 0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
    double v[AN_NCOMP_PLANE] = {
        [AN_PLANE_RHO] = rho, [AN_PLANE_P] = p, [AN_PLANE_MASS] = m, [AN_PLANE_ENERGY] = m * h0};
    for (int d = 0; d < 3; d++) {
        v[AN_PLANE_U + d] = u[d];
        v[AN_PLANE_SX + d] = area[d];
        v[AN_PLANE_MX + d] = m * u[d] + (p - gas.p_ref) * area[d];
    }
    struct an_xsum sum[AN_NFLOW];
    double t[AN_NFLOW];
    memset(sum, 0, sizeof sum);
    an_flow_add(&gas, v, (const double[3]){0.1, r * c, r * s}, -400, sum);
    for (int n = 0; n < AN_NFLOW; n++)
        t[n] = an_xsum_value(sum[n]);
    const struct an_flow_average a = an_flow_average_of(&gas, t, -400);
    near(a.vr, 20, 1e-12);
    near(a.vt, -80, 1e-12);
    near(a.beta, degrees * atan2(-80 + 400 * r, hypot(150, 20)), 1e-12);
    near(t[AN_FLOW_MOMENT], m * r * -80 + p * r * 0.001, 1e-12);
    near(t[AN_FLOW_THRUST], m * 150 + p * 0.02, 1e-12);
}

static void test_efficiency(void **state)
{
    (void)state;
    const double rise = 1 + (pow(2.106, 1 / 3.5) - 1) / 0.877;
    near(an_flow_efficiency(&model, 1e5, 288, 2.106, rise), 0.877, 1e-12);
    near(an_flow_polytropic(&model, 1e5, 288, 2.106, rise), 0.889, 1e-3);
    const double fall = 1 - 0.9 * (1 - pow(0.5, 1 / 3.5));
    near(an_flow_efficiency(&model, 1e5, 288, 0.5, fall), 0.9, 1e-12);
    assert_true(an_flow_polytropic(&model, 1e5, 288, 0.5, fall) < 0.9);
    assert_true(isnan(an_flow_efficiency(&model, 1e5, 288, 0.99, 1)));
    /* no physical relation: work is put in and p0 falls, work is taken out and p0 rises, more than
     * all of the work; an efficiency just above 1 is shown */
    const double T0[4] = {1.05, 0.95, 1.01, 1 + (pow(2.106, 1 / 3.5) - 1) / 1.003};
    const double p0[4] = {0.9, 1.1, 1.1, 2.106};
    for (int n = 0; n < 4; n++) {
        assert_int_equal(isnan(an_flow_efficiency(&model, 1e5, 288, p0[n], T0[n])), n < 3);
        assert_int_equal(isnan(an_flow_polytropic(&model, 1e5, 288, p0[n], T0[n])), n < 3);
    }
}

static void test_loss(void **state)
{
    (void)state;
    /* slowed down: over the dynamic pressure of the inlet; sped up: of the outlet */
    struct an_flow_average in = {.p0_rel = 1.5e5, .p = 1e5, .T0_rel = 300};
    struct an_flow_average out = {.p0_rel = 1.45e5, .p = 1.2e5, .T0_rel = 300};
    near(an_flow_loss(&model, &in, &out), 0.1, 1e-12);
    out.p = 0.45e5;
    near(an_flow_loss(&model, &in, &out), 0.05, 1e-12);
    /* a change of radius alone is no loss */
    out.T0_rel = 330;
    out.p0_rel = 1.5e5 * pow(1.1, 3.5);
    near(an_flow_loss(&model, &in, &out) + 1, 1, 1e-12);
    /* a gas at rest, but for rounding, has no loss that means anything */
    in.p = in.p0_rel * (1 - 1e-15);
    out.T0_rel = in.T0_rel;
    out.p0_rel = out.p = in.p0_rel * (1 - 1e-9);
    assert_true(isnan(an_flow_loss(&model, &in, &out)));
    const struct an_flow_kind before = {1e5, 300, 1e5}, after = {1e5 - 1e-3, 300, 1e5 - 1e-10};
    assert_true(isnan(an_flow_cascade_loss(&before, &after)));
}

/* By hand, cp = 950 + 0.2 T, h = 950 T + 0.1 T^2, s0 = 950 ln T + 0.2 T, R = 287:
 *
 *   compressor  288.15 K, ratio of p0 12, to 650 K: s0(T) = s0(288.15) + 287 ln 12 at T =
 *               574.705164646641 K; h rises by 296952.966791 J/kg there, by 377704.457750 to 650 K
 *   turbine     1500 K, ratio 1/4, to 1150 K: T = 1078.345264194936 K */
static void test_by_hand(void **state)
{
    (void)state;
    const double linear[] = {950, 0.2};
    assert_int_equal(an_gas_polynomial(R, 2, linear, 200, 2000, &model), AN_OK);
    near(an_gas_isentropic_T(&model, 288.15, 12), 574.705164646641, 1e-12);
    near(an_flow_efficiency(&model, 1e5, 288.15, 12, 650 / 288.15), 0.786204559407, 1e-11);
    near(an_flow_polytropic(&model, 1e5, 288.15, 12, 650 / 288.15), 0.843799684893, 1e-11);
    near(an_gas_isentropic_T(&model, 1500, 0.25), 1078.345264194936, 1e-12);
    near(an_flow_efficiency(&model, 1e5, 1500, 0.25, 1150. / 1500), 0.834987357493, 1e-11);
    near(an_flow_polytropic(&model, 1e5, 1500, 0.25, 1150. / 1500), 0.810367352676, 1e-11);
}

/* Work without losses, from 600 K to another T0 and radius: efficiencies 1, loss 0. */
static void test_isentropic(void **state)
{
    (void)state;
    const double y[2] = {0.5, 0.6}, omega = 300;
    for (double T2 = 450; T2 < 1000; T2 += 250) {
        double v[2][AN_NCOMP_PLANE], t[AN_NFLOW];
        /* Euler's work: h02 - h01 = omega (r2 u2 - r1 u1), so rothalpy stays */
        const double u1[3] = {150, 10, -20}, p2 = 1e5 * an_gas_isentropic_p(&model, 600, T2);
        const double h1 = an_gas_h(&model, 600) + 0.5 * (150. * 150 + 10 * 10 + 20 * 20);
        const double rest = h1 - omega * y[0] * -20 - an_gas_h(&model, T2) - 0.5 * 120. * 120;
        /* u^2 / 2 - omega r u = rest */
        const double up = omega * y[1], root = sqrt(up * up + 2 * rest);
        const double u2[3] = {120, 0, T2 > 600 ? up + root : up - root};
        if (!(up * up + 2 * rest > 0))
            continue; /* no such velocity */
        face(0.02, 1e5, 600, u1, 1, v[0]);
        face(0.02, p2, T2, u2, 1, v[1]);
        const struct an_flow_average in = average(1, &v[0], &y[0], omega, t);
        const struct an_flow_average out = average(1, &v[1], &y[1], omega, t);
        near(out.s - in.s + 1000, 1000, 1e-13);
        near(an_flow_efficiency(&model, 1e5, in.T0, out.p0 / in.p0, out.T0 / in.T0), 1, 1e-10);
        near(an_flow_polytropic(&model, 1e5, in.T0, out.p0 / in.p0, out.T0 / in.T0), 1, 1e-10);
        near(an_flow_loss(&model, &in, &out) + 1, 1, 1e-10);
        /* relative enthalpy less (omega r)^2 / 2 is that of the inlet */
        near(an_gas_h(&model, out.T0_rel) - 0.5 * omega * omega * y[1] * y[1],
             an_gas_h(&model, in.T0_rel) - 0.5 * omega * omega * y[0] * y[0], 1e-13);
    }
}

/* Two streams of hot air: mass, momentum and energy of the mixed-out flow, its entropy by a search
 * for the velocity of its own. */
static void test_hot_mixing(void **state)
{
    (void)state;
    const double fast[3] = {380, 0, 60}, slow[3] = {160, 0, 60}, y[2] = {0.5, 0.5};
    double v[2][AN_NCOMP_PLANE], t[AN_NFLOW];
    face(0.02, 4e5, 1100, fast, 1, v[0]);
    face(0.03, 4e5, 900, slow, 1, v[1]);
    const struct an_flow_average a = average(2, v, y, 0, t);
    const double m = t[AN_FLOW_MASS], h0 = t[AN_FLOW_H0] / m, area = 0.05;
    double lo = 1, hi = 500;
    for (int n = 0; n < 200; n++) {
        const double u = 0.5 * (lo + hi), p = (t[AN_FLOW_THRUST] - m * u) / area;
        const double T = p * area * u / (m * R);
        *(an_gas_h(&model, T) + 0.5 * (u * u + 60. * 60) < h0 ? &lo : &hi) = u;
    }
    const double p = (t[AN_FLOW_THRUST] - m * lo) / area, T = p * area * lo / (m * R);
    const double s = an_gas_s0(&model, T) - R * log(p);
    near(a.mixed.p, p, 1e-12);
    near(an_gas_s0(&model, a.mixed.T0) - R * log(a.mixed.p0), s, 1e-12);
    near(an_gas_h(&model, a.mixed.T0), h0, 1e-13);
    near(a.T0, a.mixed.T0, 1e-13);
    assert_true(a.mixed.p0 < a.mass_kind.p0);
    near(an_gas_s0(&model, a.entropy.T0) - R * log(a.entropy.p0), a.s, 1e-12);
    assert_true(s > a.s + 1);
    /* a ratio gamma of the mean temperature comes near */
    const struct an_gas_flow still = an_gas_total(&model, 4e5, 1000, 0);
    model = an_gas_perfect(R, an_gas_gamma(&model, still.T));
    face(0.02, 4e5, 1100, fast, 1, v[0]);
    face(0.03, 4e5, 900, slow, 1, v[1]);
    near(a.mixed.p0, average(2, v, y, 0, t).mixed.p0, 2e-3);
}

/* Flow that goes backwards through the plane mixes out to the same pressures. */
static void test_backwards(void **state)
{
    (void)state;
    const double fast[3] = {380, 0, 60}, slow[3] = {160, 0, 60}, y[2] = {0.5, 0.5};
    struct an_flow_average a[2];
    for (int side = 0; side < 2; side++) {
        double v[2][AN_NCOMP_PLANE], t[AN_NFLOW];
        face(0.02, 4e5, 1100, fast, side ? 1 : -1, v[0]);
        face(0.03, 4e5, 900, slow, side ? 1 : -1, v[1]);
        a[side] = average(2, v, y, 0, t);
    }
    near(a[0].mixed.p, a[1].mixed.p, 1e-13);
    near(a[0].mixed.p0, a[1].mixed.p0, 1e-13);
}

#define WITH(test, gas) cmocka_unit_test_setup(test, gas)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH(test_uniform, use_gamma),
        WITH(test_mixing, use_gamma),
        WITH(test_moving_face, use_gamma),
        WITH(test_around_the_axis, use_gamma),
        WITH(test_efficiency, use_gamma),
        WITH(test_loss, use_gamma),
        WITH(test_isentropic, use_gamma),
        WITH(test_uniform, use_one_coefficient),
        WITH(test_mixing, use_one_coefficient),
        WITH(test_moving_face, use_one_coefficient),
        WITH(test_efficiency, use_one_coefficient),
        WITH(test_loss, use_one_coefficient),
        WITH(test_isentropic, use_one_coefficient),
        WITH(test_isentropic, use_hot_air),
        WITH(test_hot_mixing, use_hot_air),
        WITH(test_backwards, use_hot_air),
        WITH(test_by_hand, use_gamma),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
