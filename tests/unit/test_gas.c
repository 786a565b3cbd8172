/* The gas with cp(T) (kernels/physics/gas_model.h): its integrals, what is found from them, bad
 * input. The point functions of the kernels are tested in single precision here, in double by the
 * functions for hosts. */
#define AN_PRECISION 32
#include "kernels/base/error.h"
#include "kernels/physics/gas_cp.h"
#include "kernels/physics/gas_mixture.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Dry air, 200 to 2500 K, within 0.2 % of the polynomials of McBride, Zehe, Gordon, NASA
 * TP-2002-211556. */
static const double air[] = {1059.0,     -0.51789,   0.0014605, -1.3491e-06,
                             6.1504e-10, -1.397e-13, 1.2621e-17};

static struct an_gas hot_air(void)
{
    struct an_gas g;
    assert_int_equal(an_gas_polynomial(287.05, 7, air, 200, 2500, &g), AN_OK);
    return g;
}

static struct an_gas_f32 in_single(const struct an_gas *g)
{
    struct an_gas_f32 f;
    const double *from = (const double *)&g->of;
    float *to = (float *)&f;
    for (size_t n = 0; n < sizeof f / sizeof *to; n++)
        to[n] = (float)from[n];
    return f;
}

static void assert_near(double a, double b, double part)
{
    if (!(fabs(a - b) <= part * fabs(b)))
        fail_msg("%.17g is not %.17g to %g", a, b, part);
}

/* cp is the polynomial, and what is beyond the range is constant. */
static void test_cp(void **state)
{
    (void)state;
    const struct an_gas g = hot_air();
    for (double T = 200; T <= 2500; T += 23) {
        double sum = 0;
        for (int n = 6; n >= 0; n--)
            sum = sum * T + air[n];
        assert_near(an_gas_cp(&g, T), sum, 1e-14);
        assert_near(an_gas_gamma(&g, T), sum / (sum - 287.05), 1e-14);
        assert_near(an_gas_sound(&g, T), sqrt(sum / (sum - 287.05) * 287.05 * T), 1e-14);
    }
    assert_true(an_gas_cp(&g, 50) == an_gas_cp(&g, 200));
    assert_true(an_gas_cp(&g, 4000) == an_gas_cp(&g, 2500));
    assert_near(an_gas_h(&g, 100), an_gas_cp(&g, 200) * 100, 1e-14);
    assert_near(an_gas_cp(&g, 300), 1004.8, 2e-3); /* NASA */
    assert_near(an_gas_cp(&g, 1000), 1141.0, 2e-3);
}

/* h, s0 and l are integrals of cp, cp / T and cp / c (Simpson), in the range and beyond. */
static void test_integrals(void **state)
{
    (void)state;
    const struct an_gas g = hot_air();
    const double start[] = {120, 200, 700, 1900, 2500}, end[] = {200, 700, 1900, 2500, 2800};
    for (int n = 0; n < 5; n++) {
        enum { PARTS = 2000 };
        const double step = (end[n] - start[n]) / PARTS;
        double h = 0, s0 = 0, l = 0;
        for (int k = 0; k <= PARTS; k++) {
            const double T = start[n] + step * k, cp = an_gas_cp(&g, T);
            const double weight = step / 3 * (k == 0 || k == PARTS ? 1 : k % 2 ? 4 : 2);
            h += weight * cp;
            s0 += weight * cp / T;
            l += weight * cp / an_gas_sound(&g, T);
        }
        assert_near(an_gas_h(&g, end[n]) - an_gas_h(&g, start[n]), h, 1e-12);
        assert_near(an_gas_s0(&g, end[n]) - an_gas_s0(&g, start[n]), s0, 1e-11);
        assert_near(an_gas_l(&g, end[n]) - an_gas_l(&g, start[n]), l, 1e-5); /* a fit */
    }
}

/* T is found again, in both precisions, to a few units in the last place. */
static void test_inverses(void **state)
{
    (void)state;
    const struct an_gas g = hot_air();
    const struct an_gas_f32 f = in_single(&g);
    for (double T = 60; T <= 3500; T += 1.7) {
        const double e = an_gas_e(&g, T);
        const float t = (float)T, h = an_gas_heat_of_f32(&f, t).h;
        assert_near(an_gas_T_of_h(&g, an_gas_h(&g, T)), T, 4 * DBL_EPSILON);
        assert_near(an_gas_T_of_e(&g, e), T, 4 * DBL_EPSILON);
        assert_near((double)an_gas_t_of_h_f32(&f, h), T, 4 * FLT_EPSILON);
        assert_near((double)an_gas_t_of_e_f32(&f, (float)e), T, 4 * FLT_EPSILON);
        assert_near((double)an_gas_t_of_l_f32(&f, an_gas_l_of_f32(&f, t)), T, 16 * FLT_EPSILON);
        assert_near((double)an_gas_expand_f32(&f, t, 0.37f), an_gas_isentropic_T(&g, T, 0.37),
                    16 * FLT_EPSILON);
    }
}

/* One coefficient is a perfect gas, whose functions are worked out in another way. */
static void test_constant(void **state)
{
    (void)state;
    const double cp = 1004.675;
    struct an_gas g;
    const struct an_gas p = an_gas_perfect(287.05, 1.4);
    assert_int_equal(an_gas_polynomial(287.05, 1, &cp, 200, 2500, &g), AN_OK);
    assert_near(g.gamma, 1.4, 1e-15);
    for (double T = 60; T <= 3500; T += 17) {
        assert_near(an_gas_cp(&g, T), an_gas_cp(&p, T), 1e-15);
        assert_near(an_gas_h(&g, T), an_gas_h(&p, T), 1e-14);
        assert_near(an_gas_e(&g, T), an_gas_e(&p, T), 1e-14);
        assert_near(an_gas_l(&g, T), an_gas_l(&p, T), 1e-14);
        assert_near(an_gas_sound(&g, T), an_gas_sound(&p, T), 1e-14);
        assert_near(an_gas_s0(&g, 1.1 * T) - an_gas_s0(&g, T),
                    an_gas_s0(&p, 1.1 * T) - an_gas_s0(&p, T), 1e-12);
        assert_near(an_gas_isentropic_T(&g, T, 0.3), an_gas_isentropic_T(&p, T, 0.3), 1e-14);
        assert_near(an_gas_isentropic_p(&g, T, 300), an_gas_isentropic_p(&p, T, 300), 1e-13);
        assert_near(an_gas_T_of_h(&p, an_gas_h(&p, T)), T, 1e-14);
        assert_near(an_gas_T_of_e(&p, an_gas_e(&p, T)), T, 1e-14);
        const struct an_gas_flow a = an_gas_static_mach(&g, 1e5, T, 0.8);
        const struct an_gas_flow b = an_gas_static_mach(&p, 1e5, T, 0.8);
        assert_near(a.p, b.p, 1e-13);
        assert_near(a.T, b.T, 1e-14);
        assert_near(a.V, b.V, 1e-14);
    }
}

/* Brought to rest and set in motion again in all ways; the Mach number is the one asked for. */
static void test_totals(void **state)
{
    (void)state;
    const struct an_gas gases[2] = {hot_air(), an_gas_perfect(287.05, 1.4)};
    for (int n = 0; n < 2; n++)
        for (double T0 = 250; T0 < 2400; T0 += 111)
            for (double mach = 0.1; mach < 2.5; mach += 0.3) {
                const struct an_gas *g = &gases[n];
                const struct an_gas_flow a = an_gas_static_mach(g, 2e5, T0, mach);
                const struct an_gas_flow c = an_gas_static_p(g, 2e5, T0, a.p);
                const struct an_gas_flow d = an_gas_total(g, a.p, a.T, a.V);
                assert_near(a.V, mach * an_gas_sound(g, a.T), 1e-12);
                assert_near(an_gas_h(g, a.T) + 0.5 * a.V * a.V, an_gas_h(g, T0), 1e-13);
                assert_near(c.T, a.T, 1e-13);
                assert_near(c.V, a.V, 1e-10);
                assert_near(d.p0, 2e5, 1e-12);
                assert_near(d.T0, T0, 1e-13);
            }
}

static void assert_refused(int n, const double *c, double lo, double hi, const char *text)
{
    struct an_gas g;
    assert_int_equal(an_gas_polynomial(287.05, n, c, lo, hi, &g), AN_INPUT);
    if (!strstr(an_error_text(), text))
        fail_msg("'%s' does not say '%s'", an_error_text(), text);
}

/* Air with vapour and burnt fuel: R and cp at 300, 700, 1300 K of the ideal mixture of N2, O2, Ar, CO2 and H2O
 * with the cp0 of CoolProp 8.0.0 (HEOS); the pressure of saturation and the humidity of CoolProp (HAPropsSI, which
 * has the 0.5 % that air adds to the pressure of saturation). */
static void test_mixture(void **state)
{
    (void)state;
    static const struct {
        struct an_gas_air air;
        double R, cp[3];
    } row[] = {{{0, 0, 12, 23}, 287.051102, {1004.82232, 1074.89341, 1188.35926}},
               {{0.016116408, 0, 12, 23}, 289.818361, {1018.46289, 1090.85604, 1209.08052}},
               {{0.01, 0.025, 12, 23}, 288.705252, {1033.82761, 1122.25623, 1253.60544}},
               {{0, 0.02, 1, 4}, 291.584973, {1040.91149, 1125.42952, 1256.73859}},
               {{0, 0.01, 0, 2}, 304.627244, {1087.71620, 1167.40639, 1308.92326}}};
    for (size_t n = 0; n < sizeof row / sizeof *row; n++) {
        struct an_gas_mixed m;
        struct an_gas g;
        assert_int_equal(an_gas_mixture(&row[n].air, 200, 1800, &m), AN_OK);
        assert_true(m.off < 1e-3);
        assert_near(m.R, row[n].R, 1e-8);
        assert_int_equal(an_gas_polynomial(m.R, AN_GAS_TERMS, m.cp, 200, 1800, &g), AN_OK);
        for (int k = 0; k < 3; k++)
            assert_near(an_gas_cp(&g, (const double[]){300, 700, 1300}[k]), row[n].cp[k], 1.5e-3);
    }
    assert_near(an_gas_stoichiometric(&row[0].air), 0.0681687758, 1e-8);
    assert_near(an_gas_saturation(273.16), 611.65477, 3e-5);
    assert_near(an_gas_saturation(303.15), 4246.97084, 3e-5);
    assert_near(an_gas_saturation(350), 41681.7297, 5e-5);
    double vapour;
    assert_int_equal(an_gas_vapour(0.6, 101325, 303.15, &vapour), AN_OK);
    assert_near(vapour, 0.0161164084, 6e-3);
    assert_int_equal(an_gas_vapour(1, 5e4, 373, &vapour), AN_INPUT);
    assert_int_equal(an_gas_vapour(1, 1e5, 250, &vapour), AN_INPUT);
    struct an_gas_mixed m;
    assert_int_equal(an_gas_mixture(&row[0].air, 150, 1800, &m), AN_INPUT);
    assert_int_equal(an_gas_mixture(&(struct an_gas_air){0, 0.069, 12, 23}, 200, 1800, &m),
                     AN_INPUT);
}

/* Air and burnt gas that mix: R, cp, h and e are sums by mass, those of the two gases at the ends; T is found again, and
 * l is that of the gas of the mixture's cp. */
static void test_two_gases(void **state)
{
    (void)state;
    struct an_gas_mixed a, b;
    struct an_gas first, second;
    struct an_gas_ends ends;
    assert_int_equal(an_gas_mixture(&(struct an_gas_air){0, 0, 12, 23}, 200, 1800, &a), AN_OK);
    assert_int_equal(an_gas_mixture(&(struct an_gas_air){0, 0.06, 12, 23}, 200, 1800, &b), AN_OK);
    assert_int_equal(an_gas_polynomial(a.R, AN_GAS_TERMS, a.cp, 200, 1800, &first), AN_OK);
    assert_int_equal(an_gas_polynomial(b.R, AN_GAS_TERMS, b.cp, 200, 1800, &second), AN_OK);
    assert_int_equal(an_gas_mix(&first, b.R, AN_GAS_TERMS, b.cp, &ends), AN_OK);
    struct an_gas mixture = first;
    mixture.ends = &ends;
    for (int n = -1; n <= 11; n++) {
        const double Z = n / 10.0, in = n < 0 ? 0 : n > 10 ? 1 : Z;
        const struct an_gas g = an_gas_at(&mixture, Z);
        struct an_gas exact;
        double cp[AN_GAS_TERMS];
        for (int k = 0; k < AN_GAS_TERMS; k++)
            cp[k] = (1 - in) * a.cp[k] + in * b.cp[k];
        assert_int_equal(
            an_gas_polynomial((1 - in) * a.R + in * b.R, AN_GAS_TERMS, cp, 200, 1800, &exact),
            AN_OK);
        assert_null(g.ends);
        for (double T = 150; T < 2300; T += 97) {
            assert_near(g.R, (1 - in) * first.R + in * second.R, 1e-15);
            assert_near(an_gas_cp(&g, T),
                        (1 - in) * an_gas_cp(&first, T) + in * an_gas_cp(&second, T), 1e-14);
            assert_near(an_gas_h(&g, T), (1 - in) * an_gas_h(&first, T) + in * an_gas_h(&second, T),
                        1e-14);
            assert_near(an_gas_e(&g, T), an_gas_e(&exact, T), 1e-13);
            assert_near(an_gas_T_of_e(&g, an_gas_e(&g, T)), T, 1e-13);
            assert_near(an_gas_T_of_h(&g, an_gas_h(&g, T)), T, 1e-13);
            assert_near(an_gas_l(&g, T), an_gas_l(&exact, T), 1e-6);
            assert_near(an_gas_isentropic_p(&g, 900, T), an_gas_isentropic_p(&exact, 900, T),
                        1e-12);
        }
    }
    const struct an_gas alone = an_gas_at(&first, 0.5);
    assert_memory_equal(&alone.of, &first.of, sizeof first.of);
    assert_int_equal(an_gas_mix(&first, b.R, 1, &(double){200}, &ends), AN_INPUT);
}

static void test_bad_input(void **state)
{
    (void)state;
    const double low[] = {1005, -1}, wild[] = {1e7, -1e6, 6e4, -2e3, 3e1, 0, 0.1};
    assert_refused(0, air, 200, 2500, "cp has 0 coefficients");
    assert_refused(8, air, 200, 2500, "cp has 8 coefficients");
    assert_refused(7, air, 0, 2500, "two temperatures above 0");
    assert_refused(7, air, 300, 300, "the lower first");
    assert_refused(7, air, 300, NAN, "the lower first");
    assert_refused(2, low, 200, 2500, "must be above 1.01 R");
    assert_refused(7, wild, 200, 1500, "cp varies too much");
    assert_refused(1, &(double){NAN}, 200, 1500, "must be above 1.01 R");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cp),        cmocka_unit_test(test_integrals),
        cmocka_unit_test(test_inverses),  cmocka_unit_test(test_constant),
        cmocka_unit_test(test_totals),    cmocka_unit_test(test_mixture),
        cmocka_unit_test(test_two_gases), cmocka_unit_test(test_bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
