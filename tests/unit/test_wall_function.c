/* The law of the wall (wall_function.h) against numbers worked out apart, its own differential
 * equation, and steps of integration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define AN_PRECISION 64
#include "kernels/physics/boundary.h"
#include "kernels/physics/wall_function.h"

#include <math.h>

static void near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected)))
        print_error("%.16g, expected %.16g\n", value, expected);
    assert_true(fabs(value - expected) <= tolerance * fabs(expected));
}

static const struct an_prm_f64 sa = {.turb.model = AN_TURBULENCE_SA,
                                     .turb.wall_function = 1,
                                     .fluid.prandtl = 0.72,
                                     .fluid.prandtl_t = 0.9,
                                     .fluid.gamma = 1.4,
                                     .fluid.gas_constant = 287,
                                     .fluid.viscosity = AN_VISCOSITY_CONSTANT,
                                     .fluid.mu_ref = 1.8e-5,
                                     .fluid.mu_T = 300};

static struct an_prm_f64 of_sst(void)
{
    struct an_prm_f64 p = sa;
    p.turb.model = AN_TURBULENCE_SST;
    return p;
}

/* u+ of Spalart-Allmaras: published roundings, and (1 + X fv1) du+/dy+ = 1. */
static void law_of_sa(void **unused)
{
    (void)unused;
    static const double y[] = {1, 5, 30, 100, 1000}, u[] = {1.000, 4.953, 13.381, 16.320, 21.888};
    for (int n = 0; n < 5; n++)
        assert_true(fabs(an_law_sa_f64(y[n]) - u[n]) < 6e-4);
    for (double p = 1; p < 1e4; p *= 1.7) {
        double slope;
        const double h = 1e-4 * p;
        an_law_f64(p, 0, &sa, &slope);
        near(slope, (an_law_sa_f64(p + h) - an_law_sa_f64(p - h)) / (2 * h), 1e-6);
    }
}

/* u+ of SST's blend solves its equation; the slope is that of differences. */
static void law_of_sst(void **unused)
{
    (void)unused;
    const struct an_prm_f64 p = of_sst();
    near(an_law_sst_f64(30), 12.83, 1e-3);
    for (double y = 1; y < 1e4; y *= 1.7) {
        const double u = an_law_sst_f64(y), l = log(y) / 0.41 + 5.2, h = 1e-4 * y;
        double slope;
        near(pow(u / y, 2) + pow(u / l, 4), 1, 1e-13);
        near(an_law_f64(y, 0, &p, &slope), u, 1e-15);
        near(slope, (an_law_sst_f64(y + h) - an_law_sst_f64(y - h)) / (2 * h), 1e-6);
    }
}

/* y+ is found again from u+ y+; nothing below 1; the weight rises from 0 to 1. */
static void inversion(void **unused)
{
    (void)unused;
    const struct an_prm_f64 p[2] = {sa, of_sst()};
    for (int m = 0; m < 2; m++) {
        for (double y = 1.01; y < 1e5; y *= 1.3) {
            double slope;
            const double u = an_law_f64(y, 0, &p[m], &slope);
            near(an_law_yplus_f64(u * y, 0, &p[m]), y, 1e-12);
        }
        assert_true(an_law_yplus_f64(0.99, 0, &p[m]) == 0 && an_law_yplus_f64(0, 0, &p[m]) == 0);
        assert_true(an_law_yplus_f64(NAN, 0, &p[m]) == 0);
    }
    assert_true(an_law_weight_f64(0) == 0 && an_law_weight_f64(1) == 0);
    assert_true(an_law_weight_f64(3) == 1 && an_law_weight_f64(1e3) == 1);
    near(an_law_weight_f64(2), 0.5, 1e-15);
}

/* T+ and r by small steps through the layer. */
static void temperature(void **unused)
{
    (void)unused;
    static const double ends[] = {2, 12, 30, 100, 1000};
    for (int n = 0; n < 5; n++) {
        double t = 0, r = 0, u = 0;
        const int steps = 20000;
        for (int s = 0; s < steps; s++) { /* denser near the wall */
            const double a = ends[n] * pow((double)s / steps, 2),
                         b = ends[n] * pow((s + 1.0) / steps, 2);
            const double m = an_law_sa_eddy_f64(0.5 * (a + b)), du = (b - a) / (1 + m);
            const double prandtl = (1 + m) / (1 / sa.fluid.prandtl + m / sa.fluid.prandtl_t);
            t += prandtl * du;
            r += 2 * prandtl * (u + 0.5 * du) * du;
            u += du;
        }
        const struct an_law_heat_f64 h = an_law_heat_of_f64(ends[n], u, 0, &sa);
        near(u, an_law_sa_f64(ends[n]), 1e-6);
        near(h.tplus, t, 1e-3);
        near(h.recovery, r / (u * u), 1e-3);
    }
}

/* A layer at y+ 50 over a moving, isothermal or heated wall: the shear and the heat that the ghost
 * and the face's conductivity make are those of the law. */
static void ghosts(void **unused)
{
    (void)unused;
    const struct an_prm_f64 *p = &sa;
    const double cp = 287 * 3.5, rho = 1.2, u_tau = 2, mu = p->fluid.mu_ref;
    const double y = 50 * mu / (rho * u_tau), speed = u_tau * an_law_sa_f64(50);
    const struct an_law_heat_f64 law = an_law_heat_of_f64(50, an_law_sa_f64(50), 0, p);
    static const int kind[] = {AN_WALL_ISOTHERMAL, AN_WALL_HEAT_FLUX};
    static const double given[] = {350, 4e3};
    for (int k = 0; k < 2; k++) {
        const struct an_bc_f64 bc = {.type = AN_BC_WALL_VISCOUS,
                                     .v = {kind[k], given[k], 0, 7, 0, 0}};
        const struct an_cell_f64 c = {rho, speed * 0.6, 7, speed * 0.8, rho * 287 * 310, 0};
        struct an_cell_f64 g1, g2;
        an_wall_viscous_f64(&bc, &c, &c, 0, -1, 0, 0, 2 * y, 0, 0, p, &g1, &g2);
        /* the wall's velocity has no part along y, which is its normal */
        near(0.5 * (g1.u + c.u) + 1, 1, 1e-12);
        near(0.5 * (g1.v + c.v) + 1, 1, 1e-12);
        const struct an_wall_layer_f64 l = an_wall_layer_of_f64(&c, &g1, 0, -1, 0, 2 * y, 0, p);
        near(l.speed, speed, 1e-12);
        near(an_wall_friction_f64(&l, p), u_tau, 1e-12);
        const double face = an_wall_eddy_f64(&l, u_tau, mu, p);
        near((mu + face) * speed / y, rho * u_tau * u_tau, 1e-12);
        const double ghost = g1.p / (287 * g1.rho), t = c.p / (287 * c.rho);
        const double heat = cp * (mu / 0.72 + face / 0.9) * (ghost - t) / (2 * y);
        const double wall =
            t + law.recovery * speed * speed / (2 * cp) + heat * law.tplus / (rho * cp * u_tau);
        near(k == 0 ? wall : heat, given[k], 1e-9);
    }
}

/* The face's eddy viscosity comes in with the weight. */
static void start(void **unused)
{
    (void)unused;
    const double y = 1e-4;
    struct an_wall_layer_f64 l = {1.2, 1.8e-5, 300, 1.2 * 287 * 300, y, 30, 0};
    for (int n = 1; n < 4; n++) { /* y+ 1, 2, 3 */
        const double u_tau = n * l.mu / (l.rho * y);
        l.speed = 0.5 * n * u_tau;
        near(l.mu + an_wall_eddy_f64(&l, u_tau, l.mu, &sa), l.mu * (1 + 0.5 * (n - 1)), 1e-12);
    }
    assert_true(an_wall_eddy_f64(&l, 0, l.mu, &sa) == 0);
}

/* What first and second cells take; nothing without u_tau or at low y+. */
static void cells(void **unused)
{
    (void)unused;
    const struct an_prm_f64 sst = of_sst();
    const double nu = 1.5e-5, u_tau = 3, d = 40 * nu / u_tau;
    struct an_wall_cell_f64 w = an_wall_cell_of_f64(u_tau, 0, d, nu, 0, &sa);
    assert_true(w.weight == 1 && w.first == 1);
    near(w.shear, u_tau * u_tau / (nu + an_sa_eddy_f64(0.41 * u_tau * d, nu)), 1e-12);
    w = an_wall_cell_of_f64(0, u_tau, d, nu, 0, &sa);
    assert_true(w.weight == 1 && w.first == 0);
    w = an_wall_cell_of_f64(u_tau, 0, d, nu, 0, &sst);
    double g;
    an_law_f64(40, 0, &sst, &g);
    near(w.shear, g * u_tau * u_tau / nu, 1e-12);
    near(w.production, pow(u_tau, 4) / nu * g * (1 - g), 1e-12);
    near(w.omega, hypot(6 * nu / (0.075 * d * d), u_tau / (0.3 * 0.41 * d)), 1e-12);
    const struct an_prm_f64 *both[2] = {&sa, &sst};
    for (int m = 0; m < 2; m++) {
        w = an_wall_cell_of_f64(0, 0, d, nu, 0, both[m]);
        assert_true(w.weight == 0 && w.first == 0 && isfinite(w.shear));
        w = an_wall_cell_of_f64(u_tau, 0, d / 41, nu, 0, both[m]);
        assert_true(w.weight == 0 && w.first == 0 && isfinite(w.shear));
    }
    /* between two cells of a logarithmic layer, y+ 30 and 90 */
    const double a = 30, b = 90, mean = 0.5 * (a + b);
    const double less = 0.5 * (an_law_excess_f64(a, b, 1) + an_law_excess_f64(a, b, 0));
    near(mean - less, (2 * sqrt(a * b) + mean) / 3, 1e-12);
    near(mean - less, (b - a) / log(b / a), 0.005);
    near(an_law_excess_f64(0.01, 9, 1) + an_law_excess_f64(0.01, 9, 0), 2 * 2.9 * 2.9 / 3, 1e-12);
    assert_true(an_law_excess_f64(0.01, 9, 1) == 0.01 && an_law_excess_f64(0, 9, 0) < 9);
}

/* The speed along an oblique wall, the half distance from cell to ghost; a second cell counts by the first
 * one's y+, a third of its own. */
static void first_and_second_cells(void **unused)
{
    (void)unused;
    const double n[3] = {2. / 7, 3. / 7, 6. / 7}, u[3] = {30, -20, 50};
    const double un = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
    const struct an_cell_f64 c = {1.2, u[0], u[1], u[2], 1e5, 0},
                             g = {1.2, -u[0], -u[1], -u[2], 1e5, 0};
    const struct an_wall_layer_f64 l = an_wall_layer_of_f64(&c, &g, n[0], n[1], n[2], 3e-4, 0, &sa);
    near(l.speed, sqrt(900 + 400 + 2500 - un * un), 1e-12);
    near(l.y, 1.5e-4, 1e-14);
    const double u_tau = 2, nu = 1.5e-5, d = 1.2e-5; /* y+ = 1.6 and 4.8 */
    near(an_wall_cell_of_f64(u_tau, 0, d, nu, 0, &sa).weight, an_law_weight_f64(u_tau * d / nu),
         1e-13);
    near(an_wall_cell_of_f64(0, u_tau, 3 * d, nu, 0, &sa).weight, an_law_weight_f64(u_tau * d / nu),
         1e-12);
    assert_true(an_wall_cell_of_f64(0, u_tau, 3 * d, nu, 0, &sa).first == 0);
}

/* ---- rough walls ---- */

/* Spalart-Allmaras: the shift of u+ at ks+ from steps through a layer of constant stress, far above the
 * roughness, and the fully rough law; SST: the published shift, and ln(y / ks) / k + 8.5. */
static void rough_laws(void **unused)
{
    (void)unused;
    static const double ks[] = {1, 5, 10, 30, 60, 100, 300, 1000};
    static const double shift[] = {0.12, 0.65, 1.40, 4.18, 6.52, 8.04, 10.73, 13.48};
    static const double sst_shift[] = {0, 0.209, 1.374, 4.459, 6.587, 7.932, 10.612, 13.548};
    const struct an_prm_f64 p[2] = {sa, of_sst()};
    double slope;
    for (int n = 0; n < 8; n++) {
        const double y = 1e4;
        assert_true(fabs(an_law_f64(y, 0, &sa, &slope) - an_law_f64(y, ks[n], &sa, &slope) -
                         shift[n]) < 0.02);
        assert_true(fabs(an_law_shift_f64(ks[n]) - sst_shift[n]) < 2e-3);
        if (ks[n] >= 100)
            for (int m = 0; m < 2; m++)
                assert_true(fabs(an_law_f64(y, ks[n], &p[m], &slope) - log(y / ks[n]) / 0.41 -
                                 8.5) < (m ? 0.05 : 0.3));
    }
    assert_true(an_law_shift_f64(2.25) == 0 && an_law_shift_f64(0) == 0);
    near(an_law_shift_f64(89.999), an_law_shift_f64(90.001), 1e-4);
    for (int n = 0; n < 8; n++) /* from the wall, by small steps; what is smooth stays so */
        for (double end = 2; end < 2000; end *= 10) {
            double u = 0, before = 0;
            for (int s = 1; s <= 20000; s++) {
                const double y = end * pow(s / 20000., 3), d = 0.5 * (before + y) + 0.03 * ks[n];
                const double chi = 0.41 * d + 0.5 * ks[n] / d, cube = chi * chi * chi;
                u += (y - before) / (1 + 0.41 * d * cube / (cube + 357.911));
                before = y;
            }
            assert_true(fabs(an_law_f64(end, ks[n], &sa, &slope) - u) < 0.01);
            const double h = 1e-4 * end;
            for (int m = 0; m < 2; m++) {
                double other;
                const double up = an_law_f64(end + h, ks[n], &p[m], &other);
                const double down = an_law_f64(end - h, ks[n], &p[m], &other);
                an_law_f64(end, ks[n], &p[m], &slope);
                assert_true(fabs(slope - (up - down) / (2 * h)) < 5e-4 + 0.01 * slope);
            }
        }
    near(an_law_f64(50, 1e-6, &sa, &slope), an_law_sa_f64(50), 1e-5);
    near(an_law_f64(50, 1e-6, &p[1], &slope), an_law_sst_f64(50), 1e-5);
}

/* y+ is found again, with ks+ = y+ ks / y; nothing below y+ 1. */
static void rough_inversion(void **unused)
{
    (void)unused;
    const struct an_prm_f64 p[2] = {sa, of_sst()};
    for (int m = 0; m < 2; m++)
        for (double height = 0.01; height < 20; height *= 3)
            for (double y = 1.1; y < 1e4; y *= 1.7) {
                double slope;
                const double u = an_law_f64(y, height * y, &p[m], &slope);
                near(an_law_yplus_f64(u * y, height, &p[m]), y, 1e-6);
            }
    assert_true(an_law_yplus_f64(0.1, 0.5, &sa) == 0 && an_law_yplus_f64(NAN, 0.5, &sa) == 0);
}

/* The heat through the layer by small steps, and what face and cells take. */
static void rough_layers(void **unused)
{
    (void)unused;
    const double ks = 60, end = 200, a = 1 / sa.fluid.prandtl, b = 1 / sa.fluid.prandtl_t;
    double u = 0, t = 0, r = 0, before = 0;
    for (int s = 1; s <= 40000; s++) {
        const double y = end * pow(s / 40000., 3),
                     m = an_law_sa_eddy_rough_f64(0.5 * (y + before), ks);
        const double du = (y - before) / (1 + m), prandtl = (1 + m) / (a + b * m);
        t += prandtl * du;
        r += 2 * prandtl * (u + 0.5 * du) * du;
        u += du;
        before = y;
    }
    const struct an_law_heat_f64 h = an_law_heat_of_f64(end, u, ks, &sa);
    near(h.tplus, t, 2e-3);
    near(h.recovery, r / (u * u), 2e-3);
    /* the shear of the law on the face; below y+ 1 nothing, between them the share of the wall's own nut */
    const double rho = 1.2, mu = 1.8e-5, u_tau = 2, nu = mu / rho, k = ks * nu / u_tau;
    double slope;
    struct an_wall_layer_f64 l = {rho, mu, 300, rho * 287 * 300, 100 * nu / u_tau, 0, k};
    l.speed = u_tau * an_law_f64(100, ks, &sa, &slope);
    near(an_wall_friction_f64(&l, &sa), u_tau, 1e-5);
    near((mu + an_wall_eddy_f64(&l, u_tau, mu, &sa)) * l.speed / l.y, rho * u_tau * u_tau, 1e-9);
    l.y = 2 * nu / u_tau;
    l.speed = u_tau * an_law_f64(2, ks, &sa, &slope);
    const double own = 0.41 * 0.03 * ks, chi = own + 0.5 / 0.03, cube = chi * chi * chi;
    const double wall = rho * nu * own * cube / (cube + 357.911);
    const double law = rho * u_tau * u_tau * l.y / l.speed - mu;
    near(an_wall_eddy_f64(&l, u_tau, mu, &sa), 0.5 * (law + wall), 1e-9);
    const struct an_prm_f64 sst = of_sst();
    near(an_wall_eddy_f64(&l, u_tau, mu, &sst), 0.5 * law, 1e-9);
    const double d = 100 * nu / u_tau;
    struct an_wall_cell_f64 w = an_wall_cell_of_f64(u_tau, 0, d, nu, k, &sa);
    near(w.shear, u_tau * u_tau / (nu * (1 + an_law_sa_eddy_rough_f64(100, ks))), 1e-12);
    w = an_wall_cell_of_f64(0, 0, d, nu, k, &sa); /* cells away from walls */
    assert_true(isfinite(w.shear) && w.weight == 0);
    w = an_wall_cell_of_f64(u_tau, 0, d, nu, k, &sst);
    an_law_f64(100, ks, &sst, &slope);
    near(w.shear, slope * u_tau * u_tau / nu, 1e-12);
    const double high = u_tau / (0.3 * 0.41 * (d + 0.03 * k)), smooth = 6 * nu / (0.075 * d * d);
    const double on_wall =
        u_tau * u_tau / nu * (100 / ks + (pow(200 / ks, 2) - 100 / ks) * exp(5 - ks));
    near(w.omega, hypot(on_wall / pow(1 + sqrt(on_wall / smooth), 2), high), 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(law_of_sa),    cmocka_unit_test(law_of_sst),
        cmocka_unit_test(inversion),    cmocka_unit_test(temperature),
        cmocka_unit_test(ghosts),       cmocka_unit_test(start),
        cmocka_unit_test(cells),        cmocka_unit_test(first_and_second_cells),
        cmocka_unit_test(rough_laws),   cmocka_unit_test(rough_inversion),
        cmocka_unit_test(rough_layers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
