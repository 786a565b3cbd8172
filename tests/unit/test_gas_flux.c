/* Point physics of a gas with cp(T): fluxes, Jacobians, boundary states, against what they stand
 * for. */
#define AN_PRECISION 64
#define AN_GAS       1
#include "kernels/base/error.h"
#include "kernels/physics/boundary.h"
#include "kernels/physics/flux.h"
#include "kernels/physics/implicit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* Dry air, tests/unit/test_gas.c. */
static const double air[] = {1059.0,     -0.51789,   0.0014605, -1.3491e-06,
                             6.1504e-10, -1.397e-13, 1.2621e-17};

static struct an_gas gas;
static struct an_prm_f64 prm;

static void take_gas(int n, const double *cp)
{
    assert_int_equal(an_gas_polynomial(287.05, n, cp, 200, 2500, &gas), AN_OK);
    const struct an_params p = {.gas = gas,
                                .fluid.gamma = NAN,
                                .fluid.gas_constant = 287.05,
                                .flux.p_ref = 1e5,
                                .flux.limiter = AN_LIMITER_FIRST_ORDER,
                                .lines.floor = 0,
                                .fluid.prandtl = 0.72,
                                .fluid.prandtl_t = 0.9};
    prm = an_prm_from_f64(&p);
}

static int start(void **state)
{
    (void)state;
    take_gas(7, air);
    return 0;
}

static const double MU = 3e-5; /* kg/m/s, of all cells */

static struct an_cell_f64 cell(double p, double T, double u, double v, double w)
{
    const double cp = an_gas_cp(&gas, T), c = an_gas_sound(&gas, T);
    return (struct an_cell_f64){.rho = p / (gas.R * T),
                                .u = u,
                                .v = v,
                                .w = w,
                                .p = p,
                                .H = an_gas_h(&gas, T) + 0.5 * (u * u + v * v + w * w),
                                .kappa = gas.R / (cp - gas.R),
                                .c2 = c * c,
                                .t = T,
                                .mu = MU,
                                .lambda = cp * MU / 0.72,
                                .cp = cp,
                                .cv = cp - gas.R};
}

static double temperature(const struct an_cell_f64 *q)
{
    return q->p / (gas.R * q->rho);
}

static void conserved(const struct an_cell_f64 *q, double w[5])
{
    const double u2 = q->u * q->u + q->v * q->v + q->w * q->w;
    w[0] = q->rho;
    w[1] = q->rho * q->u;
    w[2] = q->rho * q->v;
    w[3] = q->rho * q->w;
    w[4] = q->rho * (an_gas_e(&gas, temperature(q)) + 0.5 * u2);
}

/* Of the Euler equations, through s, without p_ref; g is what the face sweeps. */
static void exact_flux(const struct an_cell_f64 *q, const double s[3], double g, double f[5])
{
    double w[5];
    const double flow = q->u * s[0] + q->v * s[1] + q->w * s[2], p = q->p - prm.flux.p_ref;
    conserved(q, w);
    for (int c = 0; c < 5; c++)
        f[c] = w[c] * (flow - g);
    for (int d = 0; d < 3; d++)
        f[1 + d] += p * s[d];
    f[4] += q->p * flow - (g != 0 ? prm.flux.p_ref * g : 0);
}

static void assert_near(double a, double b, double allowed)
{
    if (!(fabs(a - b) <= allowed))
        fail_msg("%.17g is not %.17g to %g", a, b, allowed);
}

static void assert_flux(const struct an_five_f64 *f, const double e[5], double part)
{
    const double rho = 1, u = 500, area = 0.4;
    assert_near(f->m, e[0], part * rho * u * area);
    assert_near(f->x, e[1], part * 1e5 * area);
    assert_near(f->y, e[2], part * 1e5 * area);
    assert_near(f->z, e[3], part * 1e5 * area);
    assert_near(f->e, e[4], part * 1e6 * u * area);
}

/* The conserved state and back, and the one sound speed of all functions. */
static void test_state(void **state)
{
    (void)state;
    for (double T = 150; T < 3000; T += 37) {
        const struct an_cell_f64 q = cell(2e5, T, 100, -300, 250);
        double w[5];
        conserved(&q, w);
        const struct an_five_f64 c = an_conserved_f64(q.rho, q.u, q.v, q.w, q.p, &prm);
        assert_near(c.e, w[4], 1e-14 * w[4]);
        const struct an_cell_f64 b = an_cell_from_conserved_f64(w[0], w[1], w[2], w[3], w[4], &prm);
        assert_near(b.p, q.p, 1e-14 * q.p * an_gas_h(&gas, T) / (gas.R * T));
        assert_near(b.H, q.H, 1e-14 * q.H);
        assert_near(an_pressure_f64(w[0], w[1], w[2], w[3], w[4], &prm), q.p, 1e-13 * q.p);
        const double c2 = an_gas_sound(&gas, T) * an_gas_sound(&gas, T);
        const struct an_acoustics_f64 a = an_cell_acoustics_f64(&q, &prm);
        const struct an_acoustics_f64 m = an_cell_acoustics_mean_f64(
            &q, &q, q.H, 0.5 * (100 * 100 + 300 * 300 + 250 * 250), &prm);
        assert_near(a.c2, c2, 1e-13 * c2);
        assert_near(m.c2, c2, 1e-12 * c2);
        assert_near(a.chi + a.kappa * an_gas_h(&gas, T), c2, 1e-12 * c2);
        assert_near(an_sound_speed_f64(q.rho, q.p, &prm), sqrt(c2), 1e-13 * sqrt(c2));
    }
}

/* Equal states: the flux of the Euler equations. */
static void test_consistent(void **state)
{
    (void)state;
    const double s[3] = {0.2, -0.3, 0.1};
    for (double T = 220; T < 2400; T += 130)
        for (int rotating = 0; rotating < 2; rotating++) {
            const struct an_cell_f64 q = cell(1.7e5, T, 300, -200, 100);
            const double g = rotating ? 30 : 0;
            double e[5];
            exact_flux(&q, s, g, e);
            const struct an_five_f64 roe =
                an_flux_roe_f64(&q, &q, &q, &q, s[0], s[1], s[2], rotating, g, &prm);
            const struct an_five_f64 central =
                an_flux_central_f64(&q, &q, s[0], s[1], s[2], rotating, g, &prm);
            assert_flux(&roe, e, 1e-14);
            assert_flux(&central, e, 1e-14);
        }
}

/* A contact that moves: the flux of the side it comes from, however much temperatures differ; in a
 * shear layer too. */
static void test_contact(void **state)
{
    (void)state;
    const double n[3] = {0.6, 0.8, 0}, s[3] = {0.24, 0.32, 0};
    for (double T = 250; T < 2400; T += 250)
        for (int way = -1; way <= 1; way += 2) {
            const double un = way * 90;
            const struct an_cell_f64 l =
                cell(1.3e5, T, un * n[0] - 40 * n[1], un * n[1] + 40 * n[0], 7);
            const struct an_cell_f64 r =
                cell(1.3e5, 1700, un * n[0] + 60 * n[1], un * n[1] - 60 * n[0], -9);
            double e[5];
            exact_flux(way > 0 ? &l : &r, s, 0, e);
            const struct an_five_f64 f =
                an_flux_roe_f64(&l, &l, &r, &r, s[0], s[1], s[2], 0, 0, &prm);
            assert_flux(&f, e, 1e-13);
        }
}

/* Behind a shock at rest: of the states with the mass flow and the total enthalpy of that ahead,
 * the one with its momentum flux. */
static struct an_cell_f64 behind(const struct an_cell_f64 *a)
{
    const double m = a->rho * a->u, push = a->p + m * a->u,
                 H = an_gas_h(&gas, temperature(a)) + 0.5 * a->u * a->u;
    double low = temperature(a), high = an_gas_T_of_h(&gas, H), p = 0, u = 0;
    while (an_gas_sound(&gas, low) <
           sqrt(2 * (H - an_gas_h(&gas, low)))) /* to the speed of sound */
        low += 0.01;
    for (int n = 0; n < 100; n++) {
        const double T = 0.5 * (low + high);
        u = sqrt(2 * (H - an_gas_h(&gas, T)));
        p = m / u * gas.R * T;
        if (p + m * u < push)
            low = T;
        else
            high = T;
    }
    struct an_cell_f64 b = cell(p, 0.5 * (low + high), u, 0, 0);
    b.v = a->v;
    b.w = a->w;
    b.H += 0.5 * (b.v * b.v + b.w * b.w);
    return b;
}

/* A shock at rest stands: no dissipation between the two states of the exact jump. */
static void test_shock(void **state)
{
    (void)state;
    for (double T = 250; T < 900; T += 160)
        for (double mach = 1.1; mach < 3.2; mach += 0.35) {
            const struct an_cell_f64 a = cell(1e5, T, mach * an_gas_sound(&gas, T), 50, -20);
            const struct an_cell_f64 b = behind(&a);
            const double s[3] = {0.4, 0, 0};
            double fa[5], fb[5];
            exact_flux(&a, s, 0, fa);
            exact_flux(&b, s, 0, fb);
            const struct an_five_f64 at_b = {fb[0], fb[1], fb[2], fb[3], fb[4]};
            assert_flux(&at_b, fa, 1e-10); /* the jump */
            const struct an_five_f64 f = an_flux_roe_f64(&a, &a, &b, &b, s[0], 0, 0, 0, 0, &prm);
            assert_flux(&f, fa, 1e-7);
        }
}

/* A = A+ + A- and the pressure's force, against differences of the flux; |A| without floors has the
 * square A^2. */
static void test_jacobian(void **state)
{
    (void)state;
    const double s[3] = {0.3, -0.5, 0.2}, g = 20;
    for (double T = 300; T < 2300; T += 310) {
        const struct an_cell_f64 q = cell(1.1e5, T, 400, 150, -90);
        double up[5][5] = {{0}}, down[5][5] = {{0}}, size[5][5] = {{0}}, w[5], a[5][5], fp[5],
               fm[5];
        an_add_upwind_f64(up, down, 1, &q, &q, s[0], s[1], s[2], g, &prm);
        an_add_absolute_f64(size, 1, &q, s[0], s[1], s[2], g, &prm);
        conserved(&q, w);
        const double scale[5] = {q.rho, 300 * q.rho, 300 * q.rho, 300 * q.rho, w[4]};
        for (int c = 0; c < 5; c++) {
            double x[5];
            memcpy(x, w, sizeof x);
            x[c] = w[c] + 1e-5 * scale[c];
            struct an_cell_f64 p = an_cell_from_conserved_f64(x[0], x[1], x[2], x[3], x[4], &prm);
            exact_flux(&p, s, g, fp);
            x[c] = w[c] - 1e-5 * scale[c];
            p = an_cell_from_conserved_f64(x[0], x[1], x[2], x[3], x[4], &prm);
            exact_flux(&p, s, g, fm);
            for (int r = 0; r < 5; r++)
                a[r][c] = (fp[r] - fm[r]) / (2e-5 * scale[c]);
        }
        for (int r = 0; r < 5; r++)
            for (int c = 0; c < 5; c++) {
                const double unit = 500 * scale[r] / scale[c];
                double a2 = 0, s2 = 0;
                assert_near(up[r][c] + down[r][c], a[r][c], 1e-7 * unit);
                assert_near(up[r][c] - down[r][c], size[r][c], 1e-11 * unit);
                for (int k = 0; k < 5; k++) {
                    a2 += (up[r][k] + down[r][k]) * (up[k][c] + down[k][c]);
                    s2 += size[r][k] * size[k][c];
                }
                assert_near(a2, s2, 1e-10 * 500 * unit);
            }
    }
}

/* What conduction takes from a change of the state: gamma (mu / Pr) de = cp (mu / Pr) dT. */
static void test_conduction(void **state)
{
    (void)state;
    for (double T = 300; T < 2300; T += 310) {
        const struct an_cell_f64 q = cell(1.1e5, T, 0, 0, 0);
        double x[5][5] = {{0}}, w[5];
        const double mu = MU, k = an_diffusivity_ratio_f64(&q, mu, 0, &prm);
        an_add_viscous_f64(x, mu, &q, k, 1, 0, 0, &prm);
        conserved(&q, w);
        const double step = 1e-5 * w[4]; /* heated */
        const struct an_cell_f64 p = an_cell_from_conserved_f64(w[0], 0, 0, 0, w[4] + step, &prm);
        const double heat = an_gas_cp(&gas, T) * mu / 0.72 * (temperature(&p) - T);
        assert_near(x[4][4] * step, heat, 1e-4 * heat);
        /* compressed at constant temperature: no heat */
        assert_near(x[4][0] * w[0] + x[4][4] * w[4], 0, 1e-12 * fabs(x[4][4] * w[4]));
    }
}

/* ---- boundaries ---- */

static struct an_cell_f64 ghost_face(int type, const double *v, const struct an_cell_f64 *c)
{
    const double n[3] = {0.6, 0, 0.8};
    return type == AN_BC_INLET_TOTAL     ? an_inlet_total_f64(c, n[0], n[1], n[2], v, &prm)
           : type == AN_BC_OUTLET_STATIC ? an_outlet_static_f64(c, n[0], n[1], n[2], 12, v, &prm)
                                         : an_farfield_f64(c, n[0], n[1], n[2], 12, v, &prm);
}

static double along(const struct an_cell_f64 *q)
{
    return 0.6 * q->u + 0.8 * q->w;
}

static void assert_cell(const struct an_cell_f64 *a, const struct an_cell_f64 *b, double part)
{
    assert_near(a->rho, b->rho, part * b->rho);
    assert_near(a->u, b->u, part * 500);
    assert_near(a->v, b->v, part * 500);
    assert_near(a->w, b->w, part * 500);
    assert_near(a->p, b->p, part * b->p);
}

/* A state in equilibrium with what a boundary prescribes stays as it is. */
static void test_still(void **state)
{
    (void)state;
    for (double T = 280; T < 2300; T += 210)
        for (int way = -3; way <= 3; way += 2) {
            const double c = an_gas_sound(&gas, T), un = 0.5 * way * c;
            const struct an_cell_f64 q = cell(1.2e5, T, 0.6 * un, 0, 0.8 * un);
            const double far[5] = {q.rho, q.u, q.v, q.w, q.p}, back[2] = {1.2e5, 0};
            struct an_cell_f64 f = ghost_face(AN_BC_FARFIELD, far, &q);
            assert_cell(&f, &q, 1e-12);
            if (way > 0) {
                f = ghost_face(AN_BC_OUTLET_STATIC, back, &q);
                assert_cell(&f, &q, 1e-12);
            }
            if (way == -1) {
                const struct an_gas_flow t = an_gas_total(&gas, q.p, T, -un);
                const double total[5] = {t.p0, t.T0, -0.6, 0, -0.8};
                f = ghost_face(AN_BC_INLET_TOTAL, total, &q);
                assert_cell(&f, &q, 1e-11);
            }
        }
}

/* What boundaries keep: total conditions, entropy, the invariants u_n +- l that cross the face. */
static void test_invariants(void **state)
{
    (void)state;
    for (double T = 280; T < 2300; T += 210) {
        const double c = an_gas_sound(&gas, T), l = an_gas_l(&gas, T);
        const struct an_cell_f64 in = cell(1.2e5, T, -0.2 * c, 30, -0.1 * c);
        const struct an_cell_f64 out = cell(1.2e5, T, 0.2 * c, 30, 0.2 * c);
        const double total[5] = {1.35e5, 1.06 * T, -0.8, 0, -0.6}, back[2] = {1e5, 0};
        const struct an_cell_f64 i = ghost_face(AN_BC_INLET_TOTAL, total, &in);
        const double speed = sqrt(i.u * i.u + i.v * i.v + i.w * i.w);
        const struct an_gas_flow t = an_gas_total(&gas, i.p, temperature(&i), speed);
        assert_near(t.p0, 1.35e5, 1e-12 * 1.35e5);
        assert_near(t.T0, 1.06 * T, 1e-12 * T);
        assert_near(i.u / speed, -0.8, 1e-12);
        assert_near(along(&i) + an_gas_l(&gas, temperature(&i)), along(&in) + l, 1e-11 * l);
        const struct an_cell_f64 o = ghost_face(AN_BC_OUTLET_STATIC, back, &out);
        assert_near(o.p, 1e5, 0);
        assert_near(an_gas_isentropic_T(&gas, T, o.p / out.p), temperature(&o), 1e-12 * T);
        assert_near(along(&o) + an_gas_l(&gas, temperature(&o)), along(&out) + l, 1e-12 * l);
        assert_near(o.v, 30, 1e-12);
        for (int way = -1; way <= 1; way += 2) {
            const struct an_cell_f64 *q = way > 0 ? &out : &in;
            const double far[5] = {0.9, way * 70, 5, way * 90, 0.9 * gas.R * 1.1 * T};
            const struct an_cell_f64 f = ghost_face(AN_BC_FARFIELD, far, q);
            const double t_far = far[4] / (far[0] * gas.R), p = way > 0 ? q->p : far[4];
            assert_near(along(&f) + an_gas_l(&gas, temperature(&f)), along(q) + l, 1e-12 * l);
            assert_near(along(&f) - an_gas_l(&gas, temperature(&f)),
                        0.6 * far[1] + 0.8 * far[3] - an_gas_l(&gas, t_far), 1e-12 * l);
            assert_near(an_gas_isentropic_T(&gas, way > 0 ? T : t_far, f.p / p), temperature(&f),
                        1e-12 * T);
            assert_near(f.v, way > 0 ? q->v : 5, 1e-12);
        }
    }
}

/* More than the inlet can take or give: it is sonic, or at rest. */
static void test_limits(void **state)
{
    (void)state;
    const double total[5] = {1.35e5, 1000, -0.6, 0, -0.8};
    const struct an_cell_f64 fast = cell(2e4, 700, -480, 0, -640);
    const struct an_cell_f64 blown = cell(3e5, 1300, 100, 0, 100);
    struct an_cell_f64 f = ghost_face(AN_BC_INLET_TOTAL, total, &fast);
    assert_near(along(&f), -an_gas_sound(&gas, temperature(&f)), 1e-9);
    f = ghost_face(AN_BC_INLET_TOTAL, total, &blown);
    assert_near(along(&f), 0, 0);
    assert_near(f.p, 1.35e5, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_state),    cmocka_unit_test(test_consistent),
        cmocka_unit_test(test_contact),  cmocka_unit_test(test_shock),
        cmocka_unit_test(test_jacobian), cmocka_unit_test(test_conduction),
        cmocka_unit_test(test_still),    cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
