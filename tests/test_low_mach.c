/* Dissipation at low Mach numbers: the part z of the velocity jumps' damping that is kept, in Roe's flux,
 * matrix dissipation and JST, by the formulas of flux.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define AN_PRECISION 64
#include "kernels/physics/flux.h"

#include <math.h>

enum { JST, MATRIX, ROE, FLUXES };
static const double R = 287, c = 340, area = 0.4, n[3] = {0.36, 0.48, 0.8};

static struct an_prm_f64 make(int which, double least)
{
    const struct an_params p = {.gas = an_gas_perfect(R, 1.4),
                                .gamma = 1.4,
                                .gas_constant = R,
                                .p_ref = 9e4,
                                .k2 = which == JST ? 0.5 : 1e9,
                                .limiter = AN_LIMITER_FIRST_ORDER,
                                .low_mach = least * least};
    return an_prm_from_f64(&p);
}

static struct an_cell_f64 cell(double rho, const double u[3], double p)
{
    return (struct an_cell_f64){
        rho, u[0], u[1], u[2], p, 3.5 * p / rho + 0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2])};
}

static void near(double is, double wanted, double allowed)
{
    if (!(fabs(is - wanted) <= allowed))
        fail_msg("%.17g, wanted %.17g to %g", is, wanted, allowed);
}

/* What a flux takes off for a jump from l to r; d: its five components. */
static void dissipation(int which, const struct an_cell_f64 *l, const struct an_cell_f64 *r,
                        double least, double d[5])
{
    const struct an_prm_f64 prm = make(which, least);
    const double s[3] = {area * n[0], area * n[1], area * n[2]};
    struct an_five_f64 o;
    if (which == JST) {
        o = an_dissipation_jst_f64(l, l, r, r, area * c, area * c, 1, &prm);
    } else if (which == MATRIX) {
        o = an_dissipation_matrix_f64(l, l, r, r, s[0], s[1], s[2], 1, 1, 0, 0, &prm);
    } else {
        const struct an_five_f64 f = an_flux_roe_f64(l, l, r, r, s[0], s[1], s[2], 0, 0, &prm);
        const struct an_five_f64 a = an_flux_roe_f64(l, l, l, l, s[0], s[1], s[2], 0, 0, &prm);
        const struct an_five_f64 b = an_flux_roe_f64(r, r, r, r, s[0], s[1], s[2], 0, 0, &prm);
        o = (struct an_five_f64){0.5 * (a.m + b.m) - f.m, 0.5 * (a.x + b.x) - f.x,
                                 0.5 * (a.y + b.y) - f.y, 0.5 * (a.z + b.z) - f.z,
                                 0.5 * (a.e + b.e) - f.e};
    }
    d[0] = o.m, d[1] = o.x, d[2] = o.y, d[3] = o.z, d[4] = o.e;
}

/* A jump du of the velocity along n, with gas that flows along the face: the momentum along n loses
 * rho c z du / 2 per area, whatever the flux. */
static void test_velocity(void **state)
{
    (void)state;
    static const double speeds[4] = {1, 20, 60, 150}, least[3] = {5, 40, 90};
    const double t[3] = {0.864, 0.152, -0.48}; /* along the face */
    const double e = 1e-4, p = 1.2 * c * c / 1.4;
    for (int which = 0; which < FLUXES; which++)
        for (int k = 0; k < 12; k++) {
            const double speed = speeds[k % 4], z = fmin(1, 3 * fmax(speed, least[k / 4]) / c);
            double u[2][3], d[5], off[5];
            for (int a = 0; a < 3; a++) {
                u[0][a] = speed * t[a] - 0.5 * e * n[a];
                u[1][a] = speed * t[a] + 0.5 * e * n[a];
            }
            const struct an_cell_f64 l = cell(1.2, u[0], p), r = cell(1.2, u[1], p);
            dissipation(which, &l, &r, least[k / 4], d);
            dissipation(which, &l, &r, 0, off);
            const double whole = 0.5 * area * 1.2 * c * e;
            near(off[1] * n[0] + off[2] * n[1] + off[3] * n[2], whole, 1e-6 * whole);
            near(d[1] * n[0] + d[2] * n[1] + d[3] * n[2], z * whole, 1e-6 * whole);
        }
}

/* A jump of the pressure alone at constant entropy: what is damped does not change. */
static void test_pressure(void **state)
{
    (void)state;
    const double t[3] = {0.8, -0.6, 0}, p = 1.2 * c * c / 1.4, e = 1;
    for (int which = 0; which < FLUXES; which++)
        for (double speed = 1; speed < 90; speed *= 3) {
            const double u[3] = {speed * t[0], speed * t[1], speed * t[2]};
            double d[5], off[5];
            const struct an_cell_f64 l = cell(1.2 - 0.5 * e / (c * c), u, p - 0.5 * e);
            const struct an_cell_f64 r = cell(1.2 + 0.5 * e / (c * c), u, p + 0.5 * e);
            dissipation(which, &l, &r, 5, d);
            dissipation(which, &l, &r, 0, off);
            const double unit[5] = {1, c, c, c, c * c};
            /* JST damps rho H, and keeps a uniform H: its part for pressure jumps carries H */
            const double z = fmin(1, 3 * fmax(speed, 5) / c);
            if (which == JST)
                off[4] = z * off[4] + (1 - z) * l.H * off[0];
            for (int k = 0; k < 5; k++)
                near(d[k], off[k], 2e-4 * area * e / c * unit[k]);
            near(d[0], 0.5 * area * e / c, 1e-3 * area * e / c);
        }
}

/* From a third of the speed of sound on: the same to rounding. */
static void test_fast(void **state)
{
    (void)state;
    const double u[2][3] = {{90, -40, 60}, {100, -55, 70}};
    const struct an_cell_f64 l = cell(1.2, u[0], 1e5), r = cell(1.1, u[1], 1.05e5);
    for (int which = 0; which < FLUXES; which++) {
        double d[5], off[5];
        dissipation(which, &l, &r, 130, d);
        dissipation(which, &l, &r, 0, off);
        const double unit[5] = {1, c, c, c, c * c};
        for (int k = 0; k < 5; k++)
            near(d[k], off[k], 1e-11 * area * c * unit[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_velocity),
        cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_fast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
