/* Dissipation at low Mach numbers: the part z of the velocity jumps' damping that is kept, in Roe's flux,
 * matrix dissipation and JST, by the formulas of low_mach.h; and the preconditioned equations: their
 * dissipation D = Gamma |Gamma^-1 A| in closed form against its definition, in the operator and in the fluxes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define AN_PRECISION 64
#include "kernels/physics/boundary.h"
#include "kernels/physics/flux.h"
#include "kernels/physics/implicit.h"

#include <math.h>
#include <string.h>

enum { JST, MATRIX, ROE, FLUXES };
static const double R = 287, c = 340, area = 0.4, n[3] = {0.36, 0.48, 0.8};

static struct an_prm_f64 make(int which, double least)
{
    const struct an_params p = {.gas = an_gas_perfect(R, 1.4),
                                .fluid.gamma = 1.4,
                                .fluid.gas_constant = R,
                                .flux.p_ref = 9e4,
                                .flux.k2 = which == JST ? 0.5 : 1e9,
                                .flux.limiter = AN_LIMITER_FIRST_ORDER,
                                .flux.low_mach = least * least};
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

/* --- preconditioned */

static struct an_prm_f64 preconditioned(int which, double least)
{
    struct an_prm_f64 prm = make(which, least);
    prm.flux.precondition = 1;
    return prm;
}

static void product(double x[5][5], double y[5][5], double z[5][5])
{
    for (int r = 0; r < 5; r++)
        for (int k = 0; k < 5; k++) {
            z[r][k] = 0;
            for (int m = 0; m < 5; m++)
                z[r][k] += x[r][m] * y[m][k];
        }
}

/* Gamma^-1 x, column by column. */
static void divide(const struct an_cell_f64 *q, double x[5][5], const struct an_prm_f64 *prm)
{
    for (int k = 0; k < 5; k++) {
        const struct an_five_f64 f = {x[0][k], x[1][k], x[2][k], x[3][k], x[4][k]};
        const struct an_five_f64 o = an_slow_residual_f64(q, f, prm);
        x[0][k] = o.m, x[1][k] = o.x, x[2][k] = o.y, x[3][k] = o.z, x[4][k] = o.e;
    }
}

/* Operator of a face: B = Gamma^-1 D has the square of Gamma^-1 A, and the eigenvalues |u_n| three times,
 * |u' + c'| and |u' - c'|, whose sum is its trace. Gamma^-1 undoes Gamma. */
static void test_matrix(void **state)
{
    (void)state;
    const double unit[5] = {1, c, c, c, c * c};
    static const double least[4] = {1, 10, 50, 200};
    for (int v = 0; v < 12; v++) {
        const struct an_prm_f64 prm = preconditioned(ROE, least[v & 3]);
        const double speed = v < 4 ? 3 : v < 8 ? 30 : 90;
        const double u[3] = {0.7 * speed, -0.5 * speed, (v & 1 ? 0.51 : -0.51) * speed};
        const struct an_cell_f64 q = cell(1.2, u, 1e5);
        const double c2 = 1.4 * 1e5 / 1.2, g = v & 2 ? 0.3 * speed * area : 0;
        const double wn = u[0] * n[0] + u[1] * n[1] + u[2] * n[2] - g / area;
        double plus[5][5] = {{0}}, minus[5][5] = {{0}}, a[5][5], b[5][5], aa[5][5], bb[5][5];
        an_add_upwind_f64(plus, minus, 1, &q, &q, area * n[0], area * n[1], area * n[2], g, &prm);
        double absolute[5][5] = {{0}}, gamma[5][5] = {{0}};
        an_add_absolute_f64(absolute, 1, &q, area * n[0], area * n[1], area * n[2], g, &prm);
        for (int r = 0; r < 5; r++)
            for (int k = 0; k < 5; k++) {
                const double scale = area * c * unit[r] / unit[k];
                a[r][k] = plus[r][k] + minus[r][k];
                b[r][k] = plus[r][k] - minus[r][k];
                near(absolute[r][k], b[r][k],
                     1e-9 * c2 / fmin(c2, 9 * least[v & 3] * least[v & 3]) * scale);
            }
        divide(&q, a, &prm);
        divide(&q, b, &prm);
        product(a, a, aa);
        product(b, b, bb);
        double trace = 0;
        for (int r = 0; r < 5; r++) {
            trace += b[r][r];
            for (int k = 0; k < 5; k++)
                near(bb[r][k], aa[r][k], 1e-8 * area * area * c2 * unit[r] / unit[k]);
        }
        const double largest =
            fmax(speed * speed * (0.49 + 0.25 + 0.2601), least[v & 3] * least[v & 3]);
        const double ur2 = fmin(c2, 9 * largest), half = 0.5 * (1 - ur2 / c2);
        const double up = wn * (1 - half), cp = sqrt(half * half * wn * wn + ur2);
        near(trace, area * (3 * fabs(wn) + fabs(up + cp) + fabs(up - cp)), 1e-9 * area * c);
        for (int r = 0; r < 5; r++)
            gamma[r][r] = 1;
        an_add_slow_time_f64(gamma, 1, &q, &prm);
        divide(&q, gamma, &prm);
        for (int r = 0; r < 5; r++)
            for (int k = 0; k < 5; k++)
                near(gamma[r][k], r == k, 1e-9 * unit[r] / unit[k]);
    }
}

/* What Roe's flux and matrix dissipation take off for a small jump: half of D times it. */
static void test_jump(void **state)
{
    (void)state;
    const double unit[5] = {1, c, c, c, c * c}, e = 1e-6;
    for (int which = MATRIX; which < FLUXES; which++)
        for (int v = 0; v < 8; v++) {
            const double speed = v < 4 ? 8 : 60;
            struct an_prm_f64 prm = preconditioned(which, v & 1 ? 5 : 40);
            prm.flux.k2 = 1e9; /* matrix dissipation of first order */
            const double m[3] = {0.6 * speed, 0.1 * speed, v & 2 ? -0.7 * speed : 0.7 * speed};
            const double ul[3] = {m[0] - 0.2 * e * speed, m[1] - 0.4 * e * speed,
                                  m[2] + 0.3 * e * speed};
            const double ur[3] = {m[0] + 0.2 * e * speed, m[1] + 0.4 * e * speed,
                                  m[2] - 0.3 * e * speed};
            const struct an_cell_f64 q = cell(1.2, m, 1e5);
            const struct an_cell_f64 l = cell(1.2 * (1 - e), ul, 1e5 * (1 + 0.7 * e));
            const struct an_cell_f64 r = cell(1.2 * (1 + e), ur, 1e5 * (1 - 0.7 * e));
            const double s[3] = {area * n[0], area * n[1], area * n[2]};
            const double jump[5] = {r.rho - l.rho, r.rho * r.u - l.rho * l.u,
                                    r.rho * r.v - l.rho * l.v, r.rho * r.w - l.rho * l.w,
                                    r.rho * r.H - r.p - l.rho * l.H + l.p};
            double absolute[5][5] = {{0}};
            an_add_absolute_f64(absolute, 0.5, &q, s[0], s[1], s[2], 0, &prm);
            struct an_five_f64 o;
            if (which == MATRIX) {
                o = an_dissipation_matrix_f64(&l, &l, &r, &r, s[0], s[1], s[2], 1, 1, 0, 0, &prm);
            } else {
                const struct an_five_f64 f =
                    an_flux_roe_f64(&l, &l, &r, &r, s[0], s[1], s[2], 0, 0, &prm);
                const struct an_five_f64 a =
                    an_flux_roe_f64(&l, &l, &l, &l, s[0], s[1], s[2], 0, 0, &prm);
                const struct an_five_f64 b =
                    an_flux_roe_f64(&r, &r, &r, &r, s[0], s[1], s[2], 0, 0, &prm);
                o = (struct an_five_f64){0.5 * (a.m + b.m) - f.m, 0.5 * (a.x + b.x) - f.x,
                                         0.5 * (a.y + b.y) - f.y, 0.5 * (a.z + b.z) - f.z,
                                         0.5 * (a.e + b.e) - f.e};
            }
            const double d[5] = {o.m, o.x, o.y, o.z, o.e};
            for (int k = 0; k < 5; k++) {
                double wanted = 0, size = 0;
                for (int i = 0; i < 5; i++) {
                    wanted += absolute[k][i] * jump[i];
                    size += fabs(absolute[k][i] * jump[i]);
                }
                near(d[k], wanted, 2e-4 * size + 1e-9 * e * area * c * unit[k]);
            }
        }
}

/* Where Ur is the speed of sound, Roe's flux and the operator are those without preconditioning. */
static void test_sound(void **state)
{
    (void)state;
    const double u[2][3] = {{90, -40, 60}, {100, -55, 70}}, unit[5] = {1, c, c, c, c * c};
    const struct an_cell_f64 l = cell(1.2, u[0], 1e5), r = cell(1.1, u[1], 1.05e5);
    for (int which = MATRIX; which < FLUXES; which++) {
        double d[2][5];
        for (int on = 0; on < 2; on++) {
            struct an_prm_f64 prm = preconditioned(which, 130);
            prm.flux.precondition = on;
            prm.flux.entropy_fix = prm.flux.floor_acoustic = prm.flux.floor_shear = 0.1;
            const struct an_five_f64 f =
                which == MATRIX
                    ? an_dissipation_matrix_f64(&l, &l, &r, &r, area * n[0], area * n[1],
                                                area * n[2], 1, 1, 0, 0, &prm)
                    : an_flux_roe_f64(&l, &l, &r, &r, area * n[0], area * n[1], area * n[2], 0, 0,
                                      &prm);
            d[on][0] = f.m, d[on][1] = f.x, d[on][2] = f.y, d[on][3] = f.z, d[on][4] = f.e;
        }
        for (int k = 0; k < 5; k++)
            near(d[1][k], d[0][k], 1e-11 * area * c * unit[k]);
    }
}

/* JST: a jump of the pressure at constant entropy is damped by c / Ur of the whole. */
static void test_jst(void **state)
{
    (void)state;
    const double u[3] = {8, -6, 0}, p = 1.2 * c * c / 1.4, e = 1;
    const struct an_cell_f64 l = cell(1.2 - 0.5 * e / (c * c), u, p - 0.5 * e);
    const struct an_cell_f64 r = cell(1.2 + 0.5 * e / (c * c), u, p + 0.5 * e);
    struct an_prm_f64 prm = preconditioned(JST, 20);
    const struct an_five_f64 on =
        an_dissipation_jst_f64(&l, &l, &r, &r, area * c, area * c, 1, &prm);
    near(on.m, 0.5 * area * e / 60, 1e-6 * area * e / 60);
}

/* The far field: its own state stays, and the wave that leaves carries p + rho (c' + a w_n) u_n. */
static void test_farfield(void **state)
{
    (void)state;
    const struct an_prm_f64 prm = preconditioned(ROE, 5);
    for (int side = -1; side <= 1; side += 2) {
        struct an_bc_f64 bc = {.type = AN_BC_FARFIELD};
        const double u[3] = {5 * side * n[0] + 1, 5 * side * n[1], 5 * side * n[2]};
        struct an_cell_f64 g1, g2, q = cell(1.2, u, 1e5);
        bc.v[AN_BC_RHO] = 1.2, bc.v[AN_BC_PRESSURE] = 1e5;
        memcpy(bc.v + AN_BC_VELOCITY, u, sizeof u);
        an_boundary_ghosts_f64(&bc, &q, &q, n[0], n[1], n[2], 0, &prm, &g1, &g2);
        near(g1.p, 1e5, 1e-9 * 1e5);
        near(g1.rho, 1.2, 1e-12);
        near(g1.u, u[0], 1e-9);
        near(g1.v, u[1], 1e-9);
        q = cell(1.2, (const double[]){u[0] + 0.3, u[1] - 0.1, u[2]}, 1e5 + 2);
        an_boundary_ghosts_f64(&bc, &q, &q, n[0], n[1], n[2], 0, &prm, &g1, &g2);
        const double un = u[0] * n[0] + u[1] * n[1] + u[2] * n[2], c2 = 1.4e5 / 1.2;
        const double ur2 = 9 * fmax(u[0] * u[0] + u[1] * u[1] + u[2] * u[2], 25);
        const double turn = 0.5 * (1 - ur2 / c2) * un, cp = sqrt(turn * turn + ur2);
        const double pf = 0.5 * (g1.p + q.p);
        const double now = (q.u * n[0] + q.v * n[1] + q.w * n[2]);
        const double unf = 0.5 * (g1.u * n[0] + g1.v * n[1] + g1.w * n[2] + now);
        near(pf + 1.2 * (cp + turn) * unf, q.p + 1.2 * (cp + turn) * now, 1e-6);
        near(pf - 1.2 * (cp - turn) * unf, 1e5 - 1.2 * (cp - turn) * un, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_velocity), cmocka_unit_test(test_pressure),
        cmocka_unit_test(test_fast),     cmocka_unit_test(test_matrix),
        cmocka_unit_test(test_jump),     cmocka_unit_test(test_sound),
        cmocka_unit_test(test_jst),      cmocka_unit_test(test_farfield),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
