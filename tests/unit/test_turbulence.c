/* Point physics of the turbulence models against numbers worked out apart, and against differences
 * of themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define AN_PRECISION 64
#include "kernels/engine/model.h"
#include "kernels/physics/des.h"
#include "kernels/physics/intermittency.h"
#include "kernels/physics/mixing_length.h"
#include "kernels/physics/re_theta.h"
#include "kernels/physics/spalart_allmaras.h"
#include "kernels/physics/sst.h"

#include <math.h>
#include <string.h>

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        print_error("%.16g, expected %.16g\n", value, expected);
    assert_true(fabs(value - expected) <= tolerance * fabs(expected));
}

static const double nu = 1.5e-5;

static void constants(void **unused)
{
    (void)unused;
    near(AN_SA_CW1, 3.2390678167757287, 1e-15);
    near(an_sa_eddy_f64(3 * nu, nu) / nu, 0.2104382572, 1e-9);
    near(an_sa_eddy_f64(5 * nu, nu) / nu, 1.2942343413, 1e-9);
    assert_true(an_sa_eddy_f64(-nu, nu) == 0);
}

static void modified_vorticity(void **unused)
{
    (void)unused;
    const double o = 1234;
    double slope, before, after;
    near(an_sa_vorticity_f64(o, -0.7 * o, &slope), 0.3 * o, 1e-14);
    near(an_sa_vorticity_f64(o, -1e12 * o, &slope), 0.1 * o, 1e-9);
    near(an_sa_vorticity_f64(o, 2 * o, &slope), 3 * o, 1e-15);
    /* one slope on both sides of the switch, and that of differences */
    an_sa_vorticity_f64(o, -0.7 * o * (1 - 1e-9), &before);
    an_sa_vorticity_f64(o, -0.7 * o * (1 + 1e-9), &after);
    near(before, after, 1e-7);
    for (double sb = -3; sb < 1; sb += 0.37) {
        const double h = 1e-6;
        double unused_slope;
        const double up = an_sa_vorticity_f64(o, (sb + h) * o, &unused_slope);
        const double down = an_sa_vorticity_f64(o, (sb - h) * o, &unused_slope);
        an_sa_vorticity_f64(o, sb * o, &slope);
        near(slope, (up - down) / (2 * h * o), 1e-6);
    }
}

static void wall_function_of_r(void **unused)
{
    (void)unused;
    double slope;
    near(an_sa_fw_f64(1, &slope), 1, 1e-15); /* the logarithmic layer */
    for (double r = 0.05; r < 2; r += 0.13) {
        double s;
        const double h = 1e-6;
        const double d = (an_sa_fw_f64(r + h, &s) - an_sa_fw_f64(r - h, &s)) / (2 * h);
        an_sa_fw_f64(r, &slope);
        assert_true(fabs(slope - d) <= 1e-8); /* fw tends to 2.0 */
    }
}

static void negative_diffusivity(void **unused)
{
    (void)unused;
    double least = 1, where = 0;
    near(an_sa_diffusivity_f64(0, nu), nu, 1e-15);
    near(an_sa_diffusivity_f64(2 * nu, nu), 3 * nu, 1e-15);
    for (double x = -40; x < 0; x += 1e-3) {
        const double v = an_sa_diffusivity_f64(x * nu, nu) / nu;
        assert_true(v > 0);
        where = v < least ? x : where;
        least = v < least ? v : least;
    }
    near(least, 0.00936, 1e-3);
    near(where, -1.374, 1e-3);
}

/* In the logarithmic layer nut = k u_tau d: production, destruction and diffusion cancel. */
static void logarithmic_layer(void **unused)
{
    (void)unused;
    const double u_tau = 3, k = 0.41;
    for (double y = 100; y < 1e5; y *= 10) { /* far from ft2 and fv1 */
        const double d = y * nu / u_tau, nut = k * u_tau * d;
        /* O of the law of the wall of SA: u_tau^2 / (nu + nu_t) */
        const double o = u_tau * u_tau / (nu + an_sa_eddy_f64(nut, nu));
        double diagonal;
        const double source = an_sa_source_f64(nut, nu, o, 0, 1, d, 1, AN_SA_CT3, 0, &diagonal);
        const double diffusion = (1 + 0.622) / (2.0 / 3) * k * k * u_tau * u_tau;
        near(source, -diffusion, 1e-12);
    }
}

/* The diagonal: at least -dS/dnut and -S/nut. */
static void source_and_diagonal(void **unused)
{
    (void)unused;
    int active = 0;
    for (double x = -3; x < 300; x += x < 0 ? 0.31 : 0.4 + 0.5 * x)
        for (double o = 1; o < 1e6; o *= 7)
            for (double d = 1e-6; d < 1; d *= 6)
                for (int turn = 0; turn < 2; turn++) {
                    const double rotation = turn ? -0.3 * o : 0, nut = x * nu, h = 1e-6 * nu;
                    double diagonal, unused_diagonal;
                    const double s =
                        an_sa_source_f64(nut, nu, o, rotation, 1, d, 1, AN_SA_CT3, 0, &diagonal);
                    const double slope = (an_sa_source_f64(nut + h, nu, o, rotation, 1, d, 1,
                                                           AN_SA_CT3, 0, &unused_diagonal) -
                                          an_sa_source_f64(nut - h, nu, o, rotation, 1, d, 1,
                                                           AN_SA_CT3, 0, &unused_diagonal)) /
                                         (2 * h);
                    const double error = 1e-4 * (fabs(slope) + fabs(s / nut));
                    assert_true(isfinite(s) && diagonal >= 0);
                    assert_true(diagonal >= -slope - error);
                    assert_true(x < 0 || diagonal >= -s / nut * (1 - 1e-12) - 1e-300);
                    active += fabs(diagonal + slope) <= error;
                    assert_true(x >= 0 || s > 0); /* SA-neg brings it back */
                }
    assert_true(active > 500);
}

/* Circles, u(r): strain s = (u' - u / r) / 2, vorticity z = u' + u / r; the strain turns with u /
 * r, so that rt = 4 z s^2 (u / r) / D^4. */
static void curvature(void **unused)
{
    (void)unused;
    static const double slopes[] = {40, 1.5, -1.6, -40};
    static const double spins[] = {0, 7, -3};
    const double u = 2, r = 1.3, turn = u / r, none[3] = {0, 0, 0}, still[9] = {0};
    for (int n = 0; n < 4; n++)
        for (int m = 0; m < 3; m++) {
            const double slope = slopes[n], s = 0.5 * (slope - turn), z = slope + turn;
            const double d2 = 0.5 * (4 * s * s + z * z), om = spins[m];
            const double rt = 4 * z * s * s * turn / (d2 * d2), star = fabs(2 * s / z);
            const double fr1 = 2 * 2 * star / (1 + star) * (1 - atan(12 * rt)) - 1;
            /* at y = 0, in a frame that turns with om about z: u' - om, and the turning of the
             * strain seen there */
            const double g[9] = {0, -turn + om, 0, slope - om, 0, 0, 0, 0, 0};
            const double ds[6] = {-2 * s * (turn - om), 2 * s * (turn - om), 0, 0, 0, 0};
            const double spin[3] = {0, 0, om};
            near(an_sa_curvature_f64(g, ds, spin), fr1, 1e-9);
            assert_true(n < 2 ? fr1 < 2 * 2 * star / (1 + star) - 1
                              : fr1 > 2 * 2 * star / (1 + star) - 1);
        }
    /* plane shear: 1; SA-R: less only where vorticity exceeds strain */
    const double shear[9] = {0, 50, 0, 0, 0, 0, 0, 0, 0};
    near(an_sa_curvature_f64(shear, still, none), 1, 1e-12);
    assert_true(isfinite(an_sa_curvature_f64(still, still, none)));
    double plain, less, more, diagonal;
    plain = an_sa_source_f64(30 * nu, nu, 100, 0, 1, 1, 1, AN_SA_CT3, 0, &diagonal);
    less = an_sa_source_f64(30 * nu, nu, 100, -2 * 90, 1, 1, 1, AN_SA_CT3, 0, &diagonal);
    more = an_sa_source_f64(30 * nu, nu, 100, 0, 1.5, 1, 1, AN_SA_CT3, 0, &diagonal);
    near(plain - less, 0.1355 * 180 * 30 * nu, 1e-6);
    near(more - plain, 0.1355 * 0.5 * (100 + an_sa_vorticity_f64(0, 0, &diagonal)) * 30 * nu, 0.02);
}

/* No vorticity, no walls, nothing there: finite. */
/* The length of detached-eddy simulation, worked out apart in a script from the formulas of des.h. */
static void detached_eddies(void **unused)
{
    (void)unused;
    static const double psi[][2] = {{-0.6666666666666666, 10}, {0.1, 10},
                                    {3, 5.160080954322798},    {10, 1.230355666057692},
                                    {100, 0.9973718732479128}, {1000, 0.9997070693640479}};
    static const struct {
        double nut, gradient, d, h, ratio, open;
    } delayed[] = {
        {300, 800, 0.02, 0.01, 0.5231070859797785, 0.7061799251499656},
        {300, 3000, 0.01, 0.004, 0.5201177217186816, 0.6482697777994487},
        {30, 900, 0.005, 0.002, 0.7957242883358792, 0.2761186501755561},
        {1, 50, 0.1, 0.01, 0.6500000010271259, 0.9999999970653546},
        {-0.5, 100, 0.05, 0.002, 0.2600000172286913, 0.9999999767179846},
        {1000, 2000, 0.005, 0.1, 1, 0},
    };
    static const struct {
        double nut, gradient, d, h, filter, ratio, open;
    } improved[] = {
        {300, 8000, 0.02, 0.01, 0.003, 0.09767645607142081, 0.9997002652175639},
        {40, 9000, 0.004, 0.01, 0.0015, 1.631399993146673, 0},
        {40, 9000, 0.002, 0.01, 0.0015, 1.925688415530602, 0},
        {100, 3000, 0.003, 0.008, 0.002, 1.302289702463076, 0},
        {5, 500000, 0.0002, 0.01, 0.0015, 1.287293466965715, 0},
        {200, 1000, 0.3, 0.01, 0.01, 0.02163577963645852, 0.9999999960084206},
        {100, 9000, 0.0052, 0.008, 0.002, 0.6050459444256133, 0.5261444826357562},
        {20, 20000, 0.001, 0.006, 0.002, 1.858624067430856, 0},
    };
    for (size_t n = 0; n < sizeof psi / sizeof *psi; n++)
        near(an_des_psi_f64(psi[n][0] * nu, nu, 0), psi[n][1], 1e-12);
    for (size_t n = 0; n < sizeof delayed / sizeof *delayed; n++) {
        const double nut = delayed[n].nut * nu, eddy = an_sa_eddy_f64(nut, nu);
        const double length = 0.65 * an_des_psi_f64(nut, nu, 0) * delayed[n].h;
        const struct an_des_f64 o =
            an_ddes_f64(nu, eddy, delayed[n].gradient, delayed[n].d, length);
        near(o.ratio, delayed[n].ratio, 1e-12);
        assert_true(fabs(o.open - delayed[n].open) < 1e-12);
    }
    for (size_t n = 0; n < sizeof improved / sizeof *improved; n++) {
        const double nut = improved[n].nut * nu, eddy = an_sa_eddy_f64(nut, nu);
        const double psi_n = an_des_psi_f64(nut, nu, 0), length = 0.65 * psi_n * improved[n].filter;
        const struct an_des_f64 o = an_iddes_f64(nu, eddy, improved[n].gradient, improved[n].d,
                                                 length, psi_n, improved[n].h);
        near(o.ratio, improved[n].ratio, 1e-12);
        assert_true(fabs(o.open - improved[n].open) < 1e-12);
    }
    /* without walls: the length of the cells */
    near(1e30 * an_ddes_f64(nu, 5 * nu, 100, 1e30, 1e-3).ratio, 1e-3, 1e-14);
    near(1e30 * an_iddes_f64(nu, 5 * nu, 100, 1e30, 1e-3, 1, 2e-3).ratio, 1e-3, 1e-14);
    const double gradient[9] = {1, -2, 3, 0, 2, -4, 5, 1, -2};
    near(an_des_gradient_f64(gradient), 8, 1e-15);
}

static void limits(void **unused)
{
    (void)unused;
    double diagonal;
    assert_true(an_sa_source_f64(0, nu, 0, 0, 1, 1, 1, AN_SA_CT3, 0, &diagonal) == 0 &&
                diagonal >= 0);
    assert_true(isfinite(an_sa_source_f64(3 * nu, nu, 0, 0, 1, 1e-3, 1, AN_SA_CT3, 0, &diagonal)));
    assert_true(isfinite(diagonal));
    near(an_sa_source_f64(30 * nu, nu, 100, 0, 1, INFINITY, 1, AN_SA_CT3, 0, &diagonal),
         0.1355 * 100 * 30 * nu, 1e-9);
    assert_true(isfinite(diagonal));
    assert_true(
        isfinite(an_sa_source_f64(3 * nu, nu, 0, 0, 1, INFINITY, 1, AN_SA_CT3, 0, &diagonal)));
    assert_true(isfinite(diagonal));
}

/* Production less destruction written out, for nut > 0 with Sb above and below -0.7 O. */
static void sa_by_hand(void **unused)
{
    (void)unused;
    const double k2 = 0.41 * 0.41, cb1 = 0.1355, cw1 = cb1 / k2 + (1 + 0.622) * 1.5;
    for (double x = 0.3; x < 40; x *= 2.1)
        for (double o = 50; o < 1e5; o *= 9)
            for (double d = 2e-4; d < 0.1; d *= 5) {
                const double nut = x * nu, fv1 = x * x * x / (x * x * x + 7.1 * 7.1 * 7.1);
                const double ft2 = 1.2 * exp(-0.5 * x * x), fv2 = 1 - x / (1 + x * fv1);
                const double sb = nut * fv2 / (k2 * d * d);
                const double st = sb >= -0.7 * o
                                      ? o + sb
                                      : o + o * (0.49 * o + 0.9 * sb) / ((0.9 - 1.4) * o - sb);
                const double r = fmin(nut / (st * k2 * d * d), 10), g = r + 0.3 * (pow(r, 6) - r);
                const double fw = g * pow(65 / (pow(g, 6) + 64), 1. / 6);
                const double source = cb1 * (1 - ft2) * st * nut -
                                      (cw1 * fw - cb1 / k2 * ft2) * (nut / d) * (nut / d);
                double diagonal, slope;
                near(an_sa_vorticity_f64(o, sb, &slope), st, 1e-12);
                const double size = cb1 * st * nut + cw1 * fw * (nut / d) * (nut / d);
                assert_true(fabs(an_sa_source_f64(nut, nu, o, 0, 1, d, 1, AN_SA_CT3, 0, &diagonal) -
                                 source) <= 1e-9 * size);
            }
    for (double sb = -0.95; sb < -0.7; sb += 0.05) {
        double slope;
        near(an_sa_vorticity_f64(100, 100 * sb, &slope),
             100 + 100 * (49 + 90 * sb) / (-50 - 100 * sb), 1e-12);
    }
}

/* SA-BCM: the critical Reynolds number at three intensities; the intermittency written out; the
 * production alone is multiplied by it, and ft2 is gone. */
static void transition(void **unused)
{
    (void)unused;
    near(an_bcm_critical_f64(0.03), 215.26, 1e-4);
    near(an_bcm_critical_f64(0.01), 493.87, 1e-4);
    near(an_bcm_critical_f64(0.0018), 1028.29, 1e-4);
    const double d = 1e-3, tu = 0.01, critical = 803.73 * pow(1.6067, -1.027);
    for (double x = 0.01; x < 30; x *= 3)
        for (double re = 0.5 * critical; re < 3 * critical; re *= 1.2) {
            const double nut = x * nu, eddy = an_sa_eddy_f64(nut, nu),
                         o = re * 2.193 * nu / (d * d);
            const double gamma = 1 - exp(-sqrt(fmax(re - critical, 0) / (0.002 * critical)) -
                                         sqrt(eddy / (0.02 * nu)));
            near(an_bcm_intermittency_f64(eddy, nu, o, d, tu), gamma, 1e-10);
            double diagonal;
            const double with = an_sa_source_f64(nut, nu, o, 0, 1, d, gamma, 0, 0, &diagonal);
            const double all = an_sa_source_f64(nut, nu, o, 0, 1, d, 1, 0, 0, &diagonal);
            const double none = an_sa_source_f64(nut, nu, o, 0, 1, d, 0, 0, 0, &diagonal);
            assert_true(fabs(with - (gamma * all + (1 - gamma) * none)) <=
                        1e-12 * (fabs(all) + fabs(none)));
            assert_true(none < 0 && diagonal >= -none / nut);
            const double ft2 = 1.2 * exp(-0.5 * x * x), sized = fabs(all) + fabs(none);
            const double suppressed =
                an_sa_source_f64(nut, nu, o, 0, 1, d, 1, AN_SA_CT3, 0, &diagonal);
            const double of_wall = 0.1355 / (0.41 * 0.41) * (nut / d) * (nut / d);
            assert_true(fabs(suppressed - (all + ft2 * (of_wall - (all - none)))) <= 1e-10 * sized);
        }
    assert_true(an_bcm_intermittency_f64(0, nu, 1, INFINITY, tu) == 1);
    assert_true(an_bcm_intermittency_f64(0, nu, 0, 1e30, tu) == 0);
    assert_true(an_bcm_intermittency_f64(1, nu, 1e9, 1, -tu) == 0); /* the laminar start of a run */
}

/* SST with transition: functions at given values; sources written out; what they become at g = 0, 1. */
static void intermittency(void **unused)
{
    (void)unused;
    near(an_gamma_critical_f64(0.2, 1), 918.73, 1e-4);
    near(an_gamma_critical_f64(1, 1), 467.88, 1e-4);
    near(an_gamma_critical_f64(3, 1), 149.79, 1e-4);
    near(an_gamma_intensity_f64(1.5 * 4, 50, 0.1), 100 * 2 / (50 * 0.1), 1e-12);
    near(an_gamma_intensity_f64(1.5, 50, 1e-6), 100, 1e-12); /* percent, at most */
    near(an_gamma_intensity_f64(-1, 50, 1) + 1, 1, 1e-12);
    /* FPG: dV/dn d^2 / nu of l = 0.0128 - 0.00757 y */
    static const double pressure[][2] = {{0, 1 + 14.68 * 0.0128},
                                         {1, 1 + 14.68 * (0.0128 - 0.00757)},
                                         {-5, 1.5},
                                         {10, 1 - 7.34 * (0.0128 - 0.0757)},
                                         {100, 3},
                                         {1e9, 3},
                                         {-1e9, 1.5}};
    for (size_t n = 0; n < sizeof pressure / sizeof *pressure; n++)
        near(an_gamma_pressure_f64(pressure[n][0] * nu / 1e-6, 1e-3, nu), pressure[n][1], 1e-10);
    near(an_gamma_onset_f64(440, 200, 3.5), 1, 1e-12);
    near(an_gamma_onset_f64(4400, 200, 3.5), 2, 1e-12);
    near(an_gamma_onset_f64(440, 200, 1.75), 1 - 0.875, 1e-12);
    assert_true(an_gamma_onset_f64(220, 200, 0) == 0);
    for (double g = 0; g <= 1; g += 0.125)
        for (double rt = 0.1; rt < 30; rt *= 2)
            for (double onset = 0; onset < 2; onset += 0.5) {
                const double s = 700, o = 900, decay = 0.06 * o * exp(-pow(rt / 2, 4));
                const struct an_gamma_sources_f64 x = an_gamma_source_f64(g, s, o, onset, rt);
                const double by_hand = 100 * s * g * (1 - g) * onset - decay * g * (50 * g - 1);
                assert_true(fabs(x.g - by_hand) < 1e-9 * (100 * s + 50 * o));
                /* at least the loss over g, and the slope of the loss */
                assert_true(x.diagonal >= 0 && x.diagonal * g >= -x.g * (1 - 1e-12));
                assert_true(x.diagonal >=
                            (100 * s * onset * (2 * g - 1) + decay * (100 * g - 1)) * (1 - 1e-12));
            }
    /* the normal: n . grad u . n, whatever its part of rotation */
    static const double gradient[9] = {3, 500, -7, -40, -2, 11, 9, 13, -1}, z[3] = {0, 0, 0};
    const double n[3] = {2. / 3, -1. / 3, 2. / 3};
    double slope = 0, same = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            slope += n[i] * n[j] * gradient[3 * i + j];
            same += 0.5 * n[i] * n[j] * (gradient[3 * i + j] + gradient[3 * j + i]);
        }
    near(an_gamma_slope_f64(gradient, n[0], n[1], n[2]), slope, 1e-12);
    near(same, slope, 1e-12);
    assert_true(an_gamma_slope_f64(gradient, z[0], z[1], z[2]) == 0);
    /* F1 of the wall where k is small, SST's own where it is not */
    near(an_gamma_f1_f64(0.2, pow(60 * nu / 1e-3, 2), nu, 1e-3), exp(-pow(0.5, 8)), 1e-10);
    near(an_gamma_f1_f64(0.2, pow(120 * nu / 1e-3, 2), nu, 1e-3), exp(-1), 1e-10);
    assert_true(an_gamma_f1_f64(0.2, pow(240 * nu / 1e-3, 2), nu, 1e-3) == 0.2);
    /* no wall */
    const double d = an_gamma_distance_f64(1e30);
    assert_true(isfinite((float)(700 * (d * d / 1e-5))) && an_gamma_pressure_f64(0, d, nu) < 1.2);
}

/* The sources of SST and their changes, written out together. */
static void sst_intermittency(void **unused)
{
    (void)unused;
    const double k = 0.8, w = 900, f1 = 0.3, d = 1e-3, cross = 1e5;
    const double alpha = f1 * 5. / 9 + (1 - f1) * 0.44, beta = f1 * 0.075 + (1 - f1) * 0.0828;
    for (double g = 0; g <= 1; g += 0.2)
        for (double s = 200; s < 9e4; s *= 2)
            for (double ratio = 0.1; ratio < 1.2; ratio += 0.3) {
                const double o = ratio * s, rate = an_sst_rate_f64(k, w, nu, d, s), eddy = k / rate;
                const double rev = s * d * d / nu, most = 10 * 0.09 * k * w;
                const struct an_sst_sources_f64 plain = an_sst_source_f64(k, w, s, rate, f1, cross);
                const struct an_gamma_changes_f64 x =
                    an_gamma_change_f64(g, k, w, s, o, rate, f1, rev, nu, 0.02, 30);
                const double bubble = 5 * fmax(g - 0.2, 0) * (1 - g) *
                                      fmin(fmax(rev / (2.2 * 1100) - 1, 0), 3) *
                                      fmax(3 * nu - eddy, 0) * s * o;
                const double least = fmax(g, 0.1), kato = fmin(eddy * s * o, most);
                const double of_k = g * kato + bubble - least * 0.09 * w * k + 0.09 * 30 * 0.02;
                const double of_w = alpha * kato / eddy - beta * w * w + beta * 900 +
                                    2 * (1 - f1) * 0.856 / w * cross;
                assert_true(fabs(plain.k + x.k - of_k) < 1e-10 * (most + bubble));
                assert_true(fabs(plain.omega + x.omega - of_w) < 1e-10 * (w * w + s * s));
                near(plain.diagonal_k + x.diagonal_k, least * 0.09 * w, 1e-12);
            }
    /* g = 1 where vorticity and strain are equal: SST */
    const struct an_gamma_changes_f64 none =
        an_gamma_change_f64(1, k, w, 500, 500, 1000, f1, 1e4, nu, 0, 0);
    assert_true(none.k == 0 && none.omega == 0 && none.diagonal_k == 0);
}

/* gamma-Re_theta: correlations at published values; Newton's method solves its equation; onset. */
static void re_theta(void **unused)
{
    (void)unused;
    static const double critical[][2] = {{20, 15.939},   {50, 44.558},   {100, 89.243},
                                         {200, 169.017}, {400, 302.068}, {800, 535.32},
                                         {1000, 662.28}};
    for (size_t n = 0; n < sizeof critical / sizeof *critical; n++)
        near(an_lm_critical_f64(critical[n][0]), critical[n][1], 1e-4);
    near(an_lm_critical_f64(1870), 1278.07, 1e-5);
    near(an_lm_critical_f64(1870 + 1e-9), 1276.89, 1e-5);
    static const double length[][2] = {
        {20, 39.527},          {100, 37.301}, {200, 32.131}, {400 - 1e-9, 13.8374}, {400, 13.8400},
        {596 - 1e-9, 0.49598}, {596, 0.5},    {800, 0.4388}, {1500, 0.3188}};
    for (size_t n = 0; n < sizeof length / sizeof *length; n++)
        near(an_lm_length_f64(length[n][0]), length[n][1], 1e-4);
    static const double at_rest[][2] = {{0.2, 1061.11}, {0.5, 879.67},        {0.9, 643.30},
                                        {1, 584.30},    {3, 182.49},          {6, 106.465},
                                        {1.3, 407.38},  {1.3 + 1e-9, 407.83}, {0.001, 1458.83}};
    for (size_t n = 0; n < sizeof at_rest / sizeof *at_rest; n++)
        near(an_lm_correlation_f64(at_rest[n][0], 0), at_rest[n][1], 1e-4);
    near(an_model_re_theta(0.03), 182.49, 1e-4);
    near(an_lm_correlation_f64(400, 0), 20, 1e-12);
    for (double tu = 0.05; tu < 7; tu *= 1.7) {
        const double plain = an_lm_correlation_f64(tu, 0);
        for (double l = -0.3; l < 0.31; l += 0.05) {
            const double gradient = l / (plain * plain), r = an_lm_correlation_f64(tu, gradient);
            const double held = fmin(fmax(r * r * gradient, -0.1), 0.1);
            const double factor =
                held <= 0 ? 1 + (12.986 * held + 123.66 * held * held + 405.689 * pow(held, 3)) *
                                    exp(-pow(tu / 1.5, 1.5))
                          : 1 + 0.275 * (1 - exp(-35 * held)) * exp(-tu / 0.5);
            near(r, fmax(plain * factor, 20), 1e-9);
        }
    }
    near(an_lm_onset_f64(2.193 * 100 * 1.1, 100, 2.5), pow(1.1, 4), 1e-12);
    near(an_lm_onset_f64(2.193 * 100 * 0.9, 100, 2.5), 0.9, 1e-12);
    near(an_lm_onset_f64(2.193 * 300, 100, 1.25), 2 - 0.875, 1e-12);
    assert_true(an_lm_onset_f64(2.193 * 99, 100, 0) == 0);
}

/* Its sources written out; what becomes of SST. */
static void re_theta_sources(void **unused)
{
    (void)unused;
    for (double g = 0.002; g <= 1; g += 0.0998)
        for (double r = 30; r < 1500; r *= 3)
            for (double d = 1e-4; d < 0.1; d *= 4) {
                struct an_lm_cell_f64 c = {.g = g,
                                           .r = r,
                                           .k = 0.4,
                                           .omega = 7000,
                                           .nu = 1.5e-5,
                                           .d = d,
                                           .strain = 900,
                                           .vorticity = 800,
                                           .speed2 = 400,
                                           .gradient = 1e-7,
                                           .intensity = 2.3,
                                           .starts = 0};
                const struct an_lm_sources_f64 x = an_lm_source_f64(&c);
                const double rt = c.k / (c.nu * c.omega), rev = c.strain * d * d / c.nu;
                const double reo = c.omega * d * d / c.nu, rec = an_lm_critical_f64(r);
                const double sub = exp(-pow(reo / 200, 2));
                const double flen = an_lm_length_f64(r) * (1 - sub) + 40 * sub;
                const double fon = an_lm_onset_f64(rev, rec, rt);
                const double up = flen * 2 * c.strain * sqrt(g * fon) * (1 - g);
                const double down = 0.06 * c.vorticity * g * exp(-pow(rt / 4, 4)) * (50 * g - 1);
                assert_true(fabs(x.g - (up - down)) < 1e-9 * (fabs(up) + fabs(down) + 1));
                assert_true(x.diagonal_g >= 0 && x.diagonal_g * g >= -x.g * (1 - 1e-12));
                const double delta = 375 * c.vorticity * c.nu * r * d / c.speed2;
                const double layer = exp(-pow(reo / 1e5, 2)) * exp(-pow(d / delta, 4));
                const double ft = fmin(fmax(layer, 1 - pow((50 * g - 1) / 49, 2)), 1);
                const double rate = 0.03 * c.speed2 / (500 * c.nu) * (1 - ft);
                const double wanted = an_lm_correlation_f64(2.3, 1e-7);
                assert_true(fabs(x.r - rate * (wanted - r)) <
                            1e-9 * 0.03 * c.speed2 / (500 * c.nu) * r);
                near(x.diagonal_r + 1, rate + 1, 1e-9);
                const double bubble =
                    fmin(2 * fmax(0, rev / (3.235 * rec) - 1) * exp(-pow(rt / 20, 4)), 2) * ft;
                near(x.effective, fmax(g, bubble), 1e-9);
                c.starts = 1; /* no onset, no bubble */
                const struct an_lm_sources_f64 start = an_lm_source_f64(&c);
                near(start.g + 1, 1 - down, 1e-9);
                assert_true(start.effective == g);
            }
    /* a frame that turns: the relative velocity and the strain decide, the antisymmetric part drops out */
    const double g[9] = {30, 500, -7, -40, -20, 11, 9, 13, -10}, w[3] = {40, 25, -60};
    double turned[9];
    memcpy(turned, g, sizeof g);
    turned[5] -= 700;
    turned[7] += 700;
    const double speed2 = an_lm_speed2_f64(w[0], w[1], w[2]);
    near(an_lm_gradient_f64(g, w, speed2, nu), an_lm_gradient_f64(turned, w, speed2, nu), 1e-9);
    near(an_lm_intensity_f64(1.5, speed2), 100 / sqrt(40 * 40 + 25 * 25 + 60 * 60), 1e-12);
    /* SST */
    const double k = 0.8, omega = 900, f1 = 0.3, rate = 1300;
    const struct an_gamma_changes_f64 none = an_lm_change_f64(1, k, omega, 500, rate, f1, 0, 0);
    assert_true(none.k == 0 && none.omega == 0 && none.diagonal_k == 0);
    for (double e = 0; e <= 2; e += 0.25)
        for (double s = 200; s < 9e4; s *= 3) {
            const struct an_sst_sources_f64 plain = an_sst_source_f64(k, omega, s, rate, f1, 0);
            const struct an_gamma_changes_f64 x =
                an_lm_change_f64(e, k, omega, s, rate, f1, 0.02, 30);
            const double part = fmin(fmax(e, 0.1), 1);
            const double wanted = e * plain.production - part * 0.09 * omega * k + 0.09 * 30 * 0.02;
            assert_true(fabs(plain.k + x.k - wanted) < 1e-10 * (plain.production + 100));
            near(plain.diagonal_k + x.diagonal_k, part * 0.09 * omega, 1e-12);
            near(x.omega, (f1 * 0.075 + (1 - f1) * 0.0828) * 900, 1e-12);
        }
}

/* SST with rotation and curvature: solid-body rotation with a shear, by the formula of a plane flow; 1 in a plane shear
 * layer; a frame that turns changes nothing. */
static void sst_curvature(void **unused)
{
    (void)unused;
    static const double nothing[6] = {0, 0, 0, 0, 0, 0};
    /* u(y): S = O, nothing changes along the flow */
    const double shear[9] = {0, 300, 0, 0, 0, 0, 0, 0, 0};
    near(an_sst_curvature_f64(shear, nothing, 0, 900), 1, 1e-9);
    /* v_theta(r) about the x axis, at y = r, z = 0: w_z velocity along z is v, d w / dy = v', d v / dz = -v / r */
    for (double v = 20; v < 400; v *= 2)
        for (double slope = -3000; slope < 3000; slope += 700)
            for (double omega = 100; omega < 1e5; omega *= 10) {
                const double r = 0.3, a = v / r;
                const double g[9] = {0, 0, 0, 0, 0, -a, 0, slope, 0};
                const double s = fabs(slope - a), o = fabs(slope + a), syz = 0.5 * (slope - a);
                /* along the circle the axes of the strain turn: DS = W S - S W of that rotation a */
                const double ds[6] = {0, -2 * a * syz, 2 * a * syz, 0, 0, 0};
                const double wx = 0.5 * (slope + a);
                const double sum = 2 * wx * syz * 2 * a * syz; /* W_ik S_jk DS_ij */
                const double d = sqrt(fmax(s * s, 0.09 * omega * omega));
                const double rt = 2 * sum / (o * d * d * d), ratio = s / o;
                const double fr = 2 * 2 * ratio / (1 + ratio) * (1 - atan(2 * rt)) - 1;
                const double wanted = fmax(fmin(fr, 1.25), 0);
                near(an_sst_curvature_f64(g, ds, 0, omega) + 1, wanted + 1, 1e-9);
                /* the same flow at rest in a block that turns with it: nothing changes along the relative velocity */
                near(an_sst_curvature_f64(g, nothing, a, omega) + 1, wanted + 1, 1e-9);
            }
    const double solid[9] = {0, 0, 0, 0, 0, -500, 0, 500, 0}; /* no production is left */
    near(an_sst_curvature_f64(solid, nothing, 500, 900) + 1, 1, 1e-12);
}

/* The law of decay solves its equations, and backwards it undoes itself. */
static void decay(void **unused)
{
    (void)unused;
    const double speed = 69.44, viscosity = 3.4906e-4, length = 0.25; /* T3A of NASA TMR */
    double t[2] = {0.05855, 11.9}, back[2];
    double k = 1.5 * pow(t[0] * speed, 2), w = k / (viscosity * t[1]);
    enum { STEPS = 20000 };
    for (int n = 0; n < STEPS; n++) { /* second order */
        const double h = length / STEPS / speed, km = k - 0.5 * h * 0.09 * w * k,
                     wm = w - 0.5 * h * 0.0828 * w * w;
        k -= h * 0.09 * wm * km;
        w -= h * 0.0828 * wm * wm;
    }
    assert_true(an_model_decay(speed, viscosity, length, t));
    near(t[0], sqrt(2 * k / 3) / speed, 1e-7);
    near(t[1], k / (viscosity * w), 1e-7);
    near(t[0], 0.0336, 1e-3);
    memcpy(back, t, sizeof back);
    assert_true(an_model_decay(speed, viscosity, -length, back));
    near(back[0], 0.05855, 1e-9);
    near(back[1], 11.9, 1e-9);
    assert_true(!an_model_decay(speed, viscosity, -10 * length, t)); /* beyond any inlet */
}

/* Rough walls of Spalart-Allmaras: the source written out with d + d0 and the larger chi; nut is linear and
 * zero at d0 below the wall; where nut = k u_tau (d + d0) production, destruction and diffusion cancel. */
static void sa_rough(void **unused)
{
    (void)unused;
    const double k2 = 0.41 * 0.41, cb1 = 0.1355, cw1 = cb1 / k2 + (1 + 0.622) * 1.5;
    for (double ks = 1e-4; ks < 1e-2; ks *= 4)
        for (double d = 2e-5; d < 0.1; d *= 5)
            for (double x = 0.3; x < 40; x *= 2.1) {
                const double o = 3000, nut = x * nu, dn = d + 0.03 * ks, chi = x + 0.5 * ks / dn;
                const double fv1 = pow(chi, 3) / (pow(chi, 3) + pow(7.1, 3));
                const double ft2 = 1.2 * exp(-0.5 * chi * chi), fv2 = 1 - x / (1 + x * fv1);
                const double sb = nut * fv2 / (k2 * dn * dn);
                const double st = sb >= -0.7 * o
                                      ? o + sb
                                      : o + o * (0.49 * o + 0.9 * sb) / ((0.9 - 1.4) * o - sb);
                const double r = fmin(nut / (st * k2 * dn * dn), 10), g = r + 0.3 * (pow(r, 6) - r);
                const double fw = g * pow(65 / (pow(g, 6) + 64), 1. / 6), part = nut / dn;
                const double source =
                    cb1 * (1 - ft2) * st * nut - (cw1 * fw - cb1 / k2 * ft2) * part * part;
                const double size = cb1 * st * nut + cw1 * fw * part * part, h = 1e-6 * nu;
                const double rough = an_sa_rough_f64(d, ks);
                double diagonal, other;
                near(an_sa_distance_f64(d, ks), dn, 1e-13);
                const double s =
                    an_sa_source_f64(nut, nu, o, 0, 1, dn, 1, AN_SA_CT3, rough, &diagonal);
                assert_true(fabs(s - source) <= 1e-9 * size);
                const double slope =
                    (an_sa_source_f64(nut + h, nu, o, 0, 1, dn, 1, AN_SA_CT3, rough, &other) -
                     an_sa_source_f64(nut - h, nu, o, 0, 1, dn, 1, AN_SA_CT3, rough, &other)) /
                    (2 * h);
                assert_true(diagonal >= -slope - 1e-4 * (fabs(slope) + size / nut));
                near(an_sa_eddy_rough_f64(nut, nu, rough), nut * fv1, 1e-12);
                near(an_sa_mirror_f64(d, ks), (0.03 * ks - d) / (0.03 * ks + d), 1e-12);
            }
    const double u_tau = 3, ks = 200 * nu / u_tau;
    for (double y = 30; y < 1e4; y *= 10) { /* far from ft2 */
        const double d = y * nu / u_tau, dn = d + 0.03 * ks, nut = 0.41 * u_tau * dn;
        const double rough = an_sa_rough_f64(d, ks);
        const double o = u_tau * u_tau / (nu + an_sa_eddy_rough_f64(nut, nu, rough));
        double diagonal;
        const double source =
            an_sa_source_f64(nut, nu, o, 0, 1, dn, 1, AN_SA_CT3, rough, &diagonal);
        near(source, -(1 + 0.622) * 1.5 * 0.1681 * u_tau * u_tau, 1e-12);
    }
    const double wall = 40 * nu, chi = 40 + 0.5 / 0.03, cube = chi * chi * chi;
    near(an_sa_wall_eddy_f64(wall, nu), wall * cube / (cube + 357.911), 1e-12);
    assert_true(an_sa_wall_eddy_f64(-wall, nu) == 0);
}

/* ---- what the models share: faces and gradients ---- */

static void faces(void **unused)
{
    (void)unused;
    /* first order takes the cell from which the flow comes; second order is exact for linear fields */
    assert_true(an_turb_upwind_f64(2, 1, 5, 8, 9, 1e-9, 1) == 5);
    assert_true(an_turb_upwind_f64(-2, 1, 5, 8, 9, 1e-9, 1) == 8);
    near(an_turb_upwind_f64(2, 1, 3, 5, 7, 1e-9, 2), 4, 1e-12);
    near(an_turb_upwind_f64(-2, 1, 3, 5, 7, 1e-9, 2), 4, 1e-12);
    /* the gradient through a face that leans: of a linear field, also where the cells' gradients lack the
     * part along the line between the centres */
    const double g[3] = {3, -2, 5}, s[3] = {0.4, 0.1, -0.2}, r[3] = {0.02, 0.003, -0.004},
                 zero[3] = {0, 0, 0};
    const double sr = s[0] * r[0] + s[1] * r[1] + s[2] * r[2], ss = 0.16 + 0.01 + 0.04;
    const double dphi = g[0] * r[0] + g[1] * r[1] + g[2] * r[2];
    near(an_turb_ratio_f64(s, r), ss / sr, 1e-13);
    near(an_turb_gradient_f64(g, g, dphi, s, r, ss / sr), g[0] * s[0] + g[1] * s[1] + g[2] * s[2],
         1e-12);
    near(an_turb_gradient_f64(zero, zero, dphi, s, r, ss / sr), dphi * ss / sr, 1e-13);
    /* turning as a solid body: vorticity 2 |omega|, no strain; stretching: the other way round */
    const double wx = 3, wy = -5, wz = 7;
    const double turn[9] = {0, -wz, wy, wz, 0, -wx, -wy, wx, 0},
                 pull[9] = {4, 0, 0, 0, -3, 0, 0, 0, 2};
    near(an_vorticity_f64(turn), 2 * sqrt(wx * wx + wy * wy + wz * wz), 1e-13);
    assert_true(an_strain_f64(turn) == 0 && an_vorticity_f64(pull) == 0);
    near(an_strain_f64(pull), sqrt(2. * (16 + 9 + 4)), 1e-13);
    const double shear[9] = {0, 6, 0, 0, 0, 0, 0, 0, 0};
    near(an_strain_f64(shear), 6, 1e-13);
    near(an_vorticity_f64(shear), 6, 1e-13);
}

/* What a face does to a cell: advection of the difference, diffusion, coupling to what enters. */
static void sides(void **unused)
{
    (void)unused;
    for (int way = -1; way < 2; way += 2) {
        const double m = 0.3 * way, gradient = 0.02, over = 1.8, nut = 4e-5;
        const struct an_sa_face_f64 face = {m, 5e-5, 4.5e-5, 6e-5, gradient, 40};
        const struct an_sa_flux_f64 f = an_sa_side_f64(over, nut, m, gradient, &face);
        const double k = over * (6e-5 + 0.622 * (4.5e-5 - nut));
        near(f.rt, m * (5e-5 - nut) - k * gradient, 1e-12);
        near(f.coupling, 40 * k + (way < 0 ? 0.3 : 0), 1e-12);
        const struct an_sst_flux_f64 q =
            an_sst_side_f64(m, 2e-4, 40, gradient, 1, 3, 5, 7, 1e-9, 1);
        near(q.rt, m * ((way < 0 ? 5 : 3) - 3) - 2e-4 * gradient, 1e-12);
        near(q.coupling, 40 * 2e-4 + (way < 0 ? 0.3 : 0), 1e-12);
    }
}

/* ---- SST ---- */

/* In a logarithmic layer k = u_tau^2 / sqrt(b*), omega = u_tau / (sqrt(b*) kappa y) is a solution
 * of the inner and of the outer constants if kappa^2 = sqrt(b*) (b / b* - gamma) / so. */
static void sst_logarithmic_layer(void **unused)
{
    (void)unused;
    const double u_tau = 3, y = 0.5, root = sqrt(0.09);
    const double beta[2] = {AN_SST_B1, AN_SST_B2}, so[2] = {AN_SST_SO1, AN_SST_SO2};
    const double gamma[2] = {AN_SST_GAMMA1, AN_SST_GAMMA2};
    for (int inner = 0; inner < 2; inner++) {
        const int n = inner ? 0 : 1;
        const double kappa = sqrt((beta[n] / 0.09 - gamma[n]) * root / so[n]);
        const double k = u_tau * u_tau / root, omega = u_tau / (root * kappa * y);
        const double strain = u_tau / (kappa * y), slope = omega / y;
        near(kappa, 0.41, 0.02);
        const struct an_sst_sources_f64 s = an_sst_source_f64(k, omega, strain, omega, inner, 0);
        near(s.k + 0.09 * k * omega, 0.09 * k * omega, 1e-12);
        /* d/dy (so nu_t d omega / dy), nu_t = k / omega, omega ~ 1 / y */
        near(s.omega, -so[n] * k / omega * slope / y, 1e-12);
    }
}

static void sst_limits(void **unused)
{
    (void)unused;
    const double k = 2, omega = 500, d = 0.01;
    /* close to a wall: F1 = F2 = 1; far away: 0 */
    near(an_sst_f1_f64(k, omega, nu, 1.2, 1e-5, 0), 1, 1e-12);
    near(an_sst_f2_f64(k, omega, nu, 1e-5), 1, 1e-12);
    assert_true(an_sst_f1_f64(k, omega, nu, 1.2, 10, 1e5) < 1e-6);
    assert_true(an_sst_f2_f64(k, omega, nu, 10) < 1e-4);
    assert_true(an_sst_f1_f64(0, omega, nu, 1.2, d, 0) >= 0);
    /* Bradshaw: rho k / mut = max(omega, S F2 / a1) */
    near(an_sst_rate_f64(k, omega, nu, 1e-5, 1000), 1000 / 0.31, 1e-12);
    near(an_sst_rate_f64(k, omega, nu, 1e-5, 10), omega, 1e-12);
    /* production is limited to 10 b* omega k, in the equation of omega too */
    const struct an_sst_sources_f64 s = an_sst_source_f64(k, omega, 1e7, omega, 1, 0);
    near(s.k, (10 - 1) * 0.09 * omega * k, 1e-12);
    near(s.omega, 5.0 / 9 * 10 * 0.09 * omega * omega - 0.075 * omega * omega, 1e-12);
    near(s.diagonal_omega, 2 * 0.075 * omega, 1e-12);
    near(an_sst_wall_f64(nu, d), 60 * nu / (0.075 * (2 * d) * (2 * d)), 1e-12);
    const struct an_prm_f64 p = {.turb.inflow_intensity = 0.01, .turb.inflow_ratio = 3};
    const double in = an_sst_inflow_k_f64(100 * 100, &p);
    near(in, 1.5, 1e-12);
    near(in / an_sst_inflow_omega_f64(in, nu, &p), 3 * nu, 1e-12);
    /* slow flow, Mach number 0.05 with the default floor of the limiter, has the intensity of the case, too */
    const struct an_prm_f64 slow = {.turb.inflow_intensity = 0.01,
                                    .flux.floor_u = 0.01 * 347 * 347};
    near(an_sst_inflow_k_f64(17 * 17, &slow), 1.5e-4 * 17 * 17, 1e-12);
    assert_true(an_sst_inflow_k_f64(0, &slow) > 0);
    near(an_sst_start_k_f64(0, &slow), 1.5e-4 * 0.01 * 347 * 347, 1e-12);
    /* preconditioned: the limiter's floor is far above the speed of the flow, and does not count */
    const struct an_prm_f64 tuned = {.turb.inflow_intensity = 0.01,
                                     .flux.floor_u = 100 * 17 * 17,
                                     .flux.low_mach = 17 * 17,
                                     .flux.precondition = 1};
    near(an_sst_inflow_k_f64(5 * 5, &tuned), 1.5e-4 * 5 * 5, 1e-12);
    near(an_sst_start_k_f64(0, &tuned), 1.5e-4 * 17 * 17, 1e-12);
}

/* The same formulas as in the header comment of sst.h, written out. */
struct reference {
    double f1, f2, rate, k, omega, diagonal;
};

static struct reference sst_by_hand(double k, double omega, double d, double rho, double strain,
                                    double cross)
{
    struct reference r;
    const double far = sqrt(k) / (0.09 * omega * d), viscous = 500 * nu / (d * d * omega);
    const double cd = fmax(2 * rho * 0.856 / omega * cross, 1e-10);
    const double a1 = fmin(fmax(far, viscous), 4 * rho * 0.856 * k / (cd * d * d));
    const double a2 = fmax(2 * far, viscous);
    r.f1 = tanh(pow(a1, 4));
    r.f2 = tanh(a2 * a2);
    r.rate = fmax(omega, strain * r.f2 / 0.31);
    const double beta = r.f1 * 0.075 + (1 - r.f1) * 0.0828;
    const double gamma = r.f1 * 5 / 9 + (1 - r.f1) * 0.44;
    const double square = fmin(strain * strain, 10 * 0.09 * omega * r.rate);
    const double diffusion = 2 * (1 - r.f1) * 0.856 / omega * cross;
    r.k = k / r.rate * square - 0.09 * k * omega;
    r.omega = gamma * square - beta * omega * omega + diffusion;
    r.diagonal = 2 * beta * omega + fmax(-diffusion, 0) / omega;
    return r;
}

/* Where both functions lie inside (0, 1), and cross diffusion has either sign. The five states are
 * governed by: sqrt(k), viscosity, cross diffusion, and again sqrt(k) where the strain limits the
 * eddy viscosity, or production is limited. */
static void sst_between(void **unused)
{
    (void)unused;
    static const double at[5][6] = {/* k, omega, d, rho, strain, cross */
                                    {2, 500, 0.04, 1.2, 300, 1e5},
                                    {1e-4, 100, 0.0099, 0.9, 40, 300},
                                    {3, 400, 0.06, 1.1, 500, 1e6},
                                    {2, 500, 0.045, 1.2, 900, 2e5},
                                    {2, 500, 0.04, 1.2, 5000, 1e5}};
    for (int n = 0; n < 5; n++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double k = at[n][0], omega = at[n][1], d = at[n][2], rho = at[n][3];
            const double strain = at[n][4], cross = sign * at[n][5];
            const struct reference r = sst_by_hand(k, omega, d, rho, strain, cross);
            const double f1 = an_sst_f1_f64(k, omega, nu, rho, d, cross);
            const double rate = an_sst_rate_f64(k, omega, nu, d, strain);
            const struct an_sst_sources_f64 s =
                an_sst_source_f64(k, omega, strain, rate, f1, cross);
            assert_true(sign < 0 || (r.f1 > 0.05 && r.f1 < 0.95));
            assert_true(r.f2 > 0.2 && r.f2 < 0.9999);
            near(f1, r.f1, 1e-12);
            near(an_sst_f2_f64(k, omega, nu, d), r.f2, 1e-12);
            near(rate, r.rate, 1e-12);
            near(s.k, r.k, 1e-11);
            near(s.omega, r.omega, 1e-11);
            near(s.production, r.k + 0.09 * k * omega, 1e-11);
            near(s.diagonal_k, 0.09 * omega, 1e-13);
            near(s.diagonal_omega, r.diagonal, 1e-12);
        }
}

/* ---- mixing length ---- */

/* A layer of constant shear stress, du+/dy+ = 2 / (1 + sqrt(1 + (2 k D y+)^2)): the root of the
 * header comment is its y+, and mu_t is what the stress needs. */
static void mixing_length_at_walls(void **unused)
{
    (void)unused;
    const double u_tau = 2.7, k = 0.41;
    double plus = 0;
    for (double y = 1e-2; y < 1e5; y *= 1.07) {
        const double damping = 1 - exp(-y / 26), l = k * damping * y;
        const double slope = 2 / (1 + sqrt(1 + 4 * l * l));
        const double omega = slope * u_tau * u_tau / nu, d = y * nu / u_tau;
        near(an_mixing_damping_f64(d * d * omega / nu), damping, 1e-7);
        near(1 + an_mixing_eddy_f64(nu, omega, d, 1) / nu, 1 / slope, 1e-7);
    }
    /* van Driest's law of the wall: u+ at y+ = 100 */
    const double h = 1e-3;
    for (double y = h / 2; y < 100; y += h) {
        const double l = k * y * (1 - exp(-y / 26));
        plus += h * 2 / (1 + sqrt(1 + 4 * l * l));
    }
    near(plus, 16.528, 1e-4);
}

static void mixing_length_limits(void **unused)
{
    (void)unused;
    const double limit = 2e-3, omega = 5e3;
    near(an_mixing_eddy_f64(nu, omega, 0.1, limit), limit * limit * omega, 1e-12);
    near(an_mixing_eddy_f64(nu, omega, INFINITY, limit), limit * limit * omega, 1e-12);
    near(an_mixing_eddy_f64(nu, omega, 3e-3, limit), pow(0.41 * 3e-3, 2) * omega, 1e-6);
    assert_true(an_mixing_eddy_f64(nu, 0, 1e-5, limit) == 0);
    assert_true(an_mixing_eddy_f64(nu, 0, INFINITY, limit) == 0);
    assert_true(an_mixing_eddy_f64(nu, 1e9, 1e-7, limit) < 1e-3 * nu);
    assert_true(isfinite(an_mixing_eddy_f64(nu, 1e12, 10, limit)));
}

/* omega on a rough wall: the larger of Wilcox's two forms, never above the smooth wall's; F3 acts next to
 * the wall alone, and not at smooth walls. */
static void sst_rough(void **unused)
{
    (void)unused;
    const double u_tau = 2, scale = u_tau * u_tau / nu;
    for (double kplus = 0.1; kplus < 2000; kplus *= 1.3) {
        const double first = kplus <= 25 ? pow(50 / kplus, 2) : 100 / kplus;
        const double second =
            kplus <= 5 ? pow(200 / kplus, 2)
                       : 100 / kplus + (pow(200 / kplus, 2) - 100 / kplus) * exp(5 - kplus);
        const double ks = kplus * nu / u_tau, wall = scale * fmax(first, second);
        near(an_sst_wall_rough_f64(nu, u_tau, ks, 1e30), wall, 1e-9);
        near(an_sst_wall_rough_f64(nu, u_tau, ks, 0.7 * wall), 0.7 * wall, 1e-12);
    }
    near(an_sst_wall_rough_f64(nu, 0, 1e-4, 5e6), 5e6, 1e-15);
    const double k = 4, d = 1e-4, strain = 1e5;
    for (double omega = 1e4; omega < 1e8; omega *= 5) {
        const double f3 = 1 - tanh(pow(fmin(150 * nu / (omega * d * d), 10), 4));
        near(1 + an_sst_f3_f64(omega, nu, d), 1 + f3, 1e-12);
        near(an_sst_rate_rough_f64(k, omega, nu, d, strain, 1e-4),
             fmax(omega, strain * f3 * an_sst_f2_f64(k, omega, nu, d) / 0.31), 1e-9);
        assert_true(an_sst_rate_rough_f64(k, omega, nu, d, strain, 0) ==
                    an_sst_rate_f64(k, omega, nu, d, strain));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants),
        cmocka_unit_test(modified_vorticity),
        cmocka_unit_test(wall_function_of_r),
        cmocka_unit_test(negative_diffusivity),
        cmocka_unit_test(logarithmic_layer),
        cmocka_unit_test(source_and_diagonal),
        cmocka_unit_test(curvature),
        cmocka_unit_test(detached_eddies),
        cmocka_unit_test(limits),
        cmocka_unit_test(sa_by_hand),
        cmocka_unit_test(sa_rough),
        cmocka_unit_test(sst_rough),
        cmocka_unit_test(transition),
        cmocka_unit_test(intermittency),
        cmocka_unit_test(sst_intermittency),
        cmocka_unit_test(re_theta),
        cmocka_unit_test(re_theta_sources),
        cmocka_unit_test(sst_curvature),
        cmocka_unit_test(decay),
        cmocka_unit_test(faces),
        cmocka_unit_test(sides),
        cmocka_unit_test(sst_logarithmic_layer),
        cmocka_unit_test(sst_limits),
        cmocka_unit_test(sst_between),
        cmocka_unit_test(mixing_length_at_walls),
        cmocka_unit_test(mixing_length_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
