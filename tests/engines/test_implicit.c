/* The implicit operator: its Jacobians against differences of the flux and against their own
 * algebra, and the sweeps of an engine against the block-tridiagonal system, put together here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#define AN_PRECISION 64
#include "kernels/physics/flux.h"
#include "kernels/physics/implicit.h"
#include "kernels/physics/viscous.h"
#include "tests/engines/engine_fixture.h"

typedef double block[5][5];

/* y += m x, magnitude += |m| |x| */
static void multiply(block m, const double x[5], double y[5], double magnitude[5])
{
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 5; c++) {
            y[r] += m[r][c] * x[c];
            magnitude[r] += fabs(m[r][c] * x[c]);
        }
}

/* ---- Jacobians ---- */

static struct an_cell_f64 state(const double w[5], const struct an_prm_f64 *prm)
{
    return an_cell_from_conserved_f64(w[0], w[1], w[2], w[3], w[4], prm);
}

/* Through a face that sweeps g. */
static void flux(const double w[5], const double s[3], double g, const struct an_prm_f64 *prm,
                 double f[5])
{
    const struct an_cell_f64 q = state(w, prm);
    const double m = q.u * s[0] + q.v * s[1] + q.w * s[2] - g;
    f[0] = q.rho * m;
    f[1] = w[1] * m + q.p * s[0];
    f[2] = w[2] * m + q.p * s[1];
    f[3] = w[3] * m + q.p * s[2];
    f[4] = q.rho * q.H * m + q.p * g;
}

/* Units in which the components of a state, and of a flux over an area, are alike. */
static const double unit[5] = {1, 300, 300, 300, 9e4};

static const double states[3][5] = {{1.2, 120, -60, 30, 2.6e5},  /* subsonic */
                                    {0.7, -350, 90, -20, 3.1e5}, /* supersonic, both ways */
                                    {1.1, 20, 10, 400, 3.5e5}};
static const double area[3] = {0.03, -0.02, 0.05};
/* what the face sweeps: velocities of 0, 490, -970 m/s along its normal */
static const double sweeps[3] = {0, 30, -60};

static void split_is_the_jacobian(void **unused)
{
    (void)unused;
    const struct an_prm_f64 prm = {
        .fluid.gamma = 1.4, .fluid.gas_constant = 287, .lines.floor = 0.1};
    for (int n = 0; n < 9; n++) {
        block plus = {{0}}, minus = {{0}};
        const double *w = states[n % 3], g = sweeps[n / 3];
        const struct an_cell_f64 q = state(w, &prm);
        an_add_upwind_f64(plus, minus, 1, &q, &q, area[0], area[1], area[2], g, &prm);
        for (int c = 0; c < 5; c++) {
            double up[5], down[5], fu[5], fd[5];
            const double h = 1e-5 * unit[c];
            memcpy(up, w, sizeof up);
            memcpy(down, w, sizeof down);
            up[c] += h;
            down[c] -= h;
            flux(up, area, g, &prm, fu);
            flux(down, area, g, &prm, fd);
            for (int r = 0; r < 5; r++) {
                const double expected = (fu[r] - fd[r]) / (2 * h) * unit[c] / unit[r];
                const double found = (plus[r][c] + minus[r][c]) * unit[c] / unit[r];
                assert_true(fabs(found - expected) < 1e-5);
            }
        }
    }
}

static void square(block a, block out)
{
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 5; c++) {
            out[r][c] = 0;
            for (int e = 0; e < 5; e++)
                out[r][c] += a[r][e] * a[e][c];
        }
}

/* Without floors |A| |A| = A A, A+ - A- = |A|, and A+ A- = 0. */
static void absolute_is_a_root_of_the_square(void **unused)
{
    (void)unused;
    const struct an_prm_f64 prm = {.fluid.gamma = 1.4, .fluid.gas_constant = 287};
    for (int n = 0; n < 9; n++) {
        block plus = {{0}}, minus = {{0}}, absolute = {{0}}, a, of_a, of_absolute;
        const double g = sweeps[n / 3];
        const struct an_cell_f64 q = state(states[n % 3], &prm);
        an_add_upwind_f64(plus, minus, 1, &q, &q, area[0], area[1], area[2], g, &prm);
        an_add_absolute_f64(absolute, 1, &q, area[0], area[1], area[2], g, &prm);
        for (int r = 0; r < 5; r++)
            for (int c = 0; c < 5; c++) {
                const double scale = unit[c] / unit[r];
                a[r][c] = plus[r][c] + minus[r][c];
                assert_true(fabs(plus[r][c] - minus[r][c] - absolute[r][c]) * scale < 1e-11);
            }
        square(a, of_a);
        square(absolute, of_absolute);
        for (int r = 0; r < 5; r++)
            for (int c = 0; c < 5; c++)
                assert_true(fabs(of_a[r][c] - of_absolute[r][c]) * unit[c] / unit[r] < 1e-9);
    }
}

/* A closed face: [0, s, g] p. */
static void closed_face_is_the_jacobian(void **unused)
{
    (void)unused;
    const struct an_prm_f64 prm = {.fluid.gamma = 1.4, .fluid.gas_constant = 287};
    for (int n = 0; n < 9; n++) {
        const double *w = states[n % 3], to[5] = {0, area[0], area[1], area[2], sweeps[n / 3]};
        const struct an_cell_f64 q = state(w, &prm);
        block m = {{0}};
        an_add_pressure_f64(m, 1, &q, area[0], area[1], area[2], to[4], &prm);
        for (int c = 0; c < 5; c++) {
            double up[5], down[5];
            memcpy(up, w, sizeof up);
            memcpy(down, w, sizeof down);
            up[c] += 1e-5 * unit[c];
            down[c] -= 1e-5 * unit[c];
            const double dp = (state(up, &prm).p - state(down, &prm).p) / 2e-5;
            for (int r = 0; r < 5; r++)
                assert_true(fabs(m[r][c] * unit[c] - to[r] * dp) / unit[r] < 1e-5);
        }
    }
}

/* The work of viscosity on a change dW: the flux mu |s|^2/(s.r) (...) of differences. */
static void viscous_block_is_the_flux(void **unused)
{
    (void)unused;
    const struct an_prm_f64 prm = {.fluid.gamma = 1.4, .fluid.gas_constant = 287};
    const double *w = states[0], k = 1.9, nx = 0.6, ny = 0, nz = -0.8, h = 1e-6;
    const struct an_cell_f64 q = state(w, &prm);
    block m = {{0}};
    an_add_viscous_f64(m, 1, &q, k, nx, ny, nz, &prm);
    for (int c = 0; c < 5; c++) {
        double changed[5];
        memcpy(changed, w, sizeof changed);
        changed[c] += h * unit[c];
        const struct an_cell_f64 p = state(changed, &prm);
        const double du = p.u - q.u, dv = p.v - q.v, dw = p.w - q.w;
        const double dn = (du * nx + dv * ny + dw * nz) / 3;
        const double tx = du + nx * dn, ty = dv + ny * dn, tz = dw + nz * dn;
        const double de = (p.p / p.rho - q.p / q.rho) / (prm.fluid.gamma - 1);
        const double f[5] = {0, tx, ty, tz, q.u * tx + q.v * ty + q.w * tz + k * de};
        for (int r = 0; r < 5; r++)
            assert_true(fabs(m[r][c] * unit[c] - f[r] / h) < 2e-5 * unit[r]);
    }
}

/* ---- lines ---- */

struct sweep {
    const struct engine_case *x;
    const struct image *m;
    const struct an_prm_f64 *prm;
    int dir, viscous;
};

static double at(const struct sweep *s, enum an_field f, int c, int64_t n)
{
    return image_value(s->x, s->m, f, c, n);
}

static struct an_cell_f64 cell(const struct sweep *s, int64_t n)
{
    double w[5];
    for (int c = 0; c < 5; c++)
        w[c] = at(s, AN_F_W, c, n);
    return state(w, s->prm);
}

static void vector(const struct sweep *s, enum an_field f, int dir, int64_t n, double v[3])
{
    for (int c = 0; c < 3; c++)
        v[c] = at(s, f, 3 * dir + c, n);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* One face of a cell along the line. side: -1, +1; own, other: blocks of the cell and of its
 * neighbour there. */
static void add_face(const struct sweep *s, const struct an_block *b, int64_t n, int side, int end,
                     block own, block other)
{
    const struct an_prm_f64 *prm = s->prm;
    const int64_t beyond = n + side * b->stride[s->dir];
    const int64_t face = side > 0 ? beyond : n;
    const struct an_cell_f64 q = cell(s, n), nb = cell(s, beyond);
    const int closed = end && at(s, AN_F_LAM, s->dir, beyond) < 0;
    block none = {{0}};
    double v[3];
    vector(s, AN_F_S, s->dir, face, v);
    const double g = prm->flux.rotating ? at(s, AN_F_G, s->dir, face) : 0;
    if (closed)
        an_add_pressure_f64(own, side * prm->lines.line, &q, v[0], v[1], v[2], g, prm);
    else if (side > 0)
        an_add_upwind_f64(own, end ? none : other, prm->lines.line, &q, &nb, v[0], v[1], v[2], g,
                          prm);
    else
        an_add_upwind_f64(end ? none : other, own, -prm->lines.line, &nb, &q, v[0], v[1], v[2], g,
                          prm);
    const int slips = closed && !(at(s, AN_F_WD, 0, beyond) < 0);
    if (!s->viscous || slips)
        return;
    double r[3];
    vector(s, AN_F_DX, s->dir, face, r);
    const double mu =
        0.5 * (an_viscosity_estimate_f64(&q, prm) + an_viscosity_estimate_f64(&nb, prm));
    const double mut = 0.5 * (at(s, AN_F_MUT, 0, n) + at(s, AN_F_MUT, 0, beyond));
    const double size = sqrt(dot(v, v));
    const double f = prm->lines.line * (mu + mut) * size * size / dot(v, r);
    const double k =
        prm->fluid.gamma * (mu / prm->fluid.prandtl + mut / prm->fluid.prandtl_t) / (mu + mut);
    an_add_viscous_f64(own, closed ? 2 * f : f, &q, k, v[0] / size, v[1] / size, v[2] / size, prm);
    if (!end)
        an_add_viscous_f64(other, -f, &nb, k, v[0] / size, v[1] / size, v[2] / size, prm);
}

/* What the other two directions and the time step add. */
static void add_rest(const struct sweep *s, const struct an_block *b, int64_t n, block own)
{
    const struct an_prm_f64 *prm = s->prm;
    const struct an_cell_f64 q = cell(s, n);
    double areas = 0;
    for (int e = 0; e < 3; e++) {
        double low[3], high[3], g = 0;
        if (e == s->dir || b->n[e] == 1)
            continue;
        vector(s, AN_F_S, e, n, low);
        vector(s, AN_F_S, e, n + b->stride[e], high);
        for (int c = 0; c < 3; c++)
            low[c] = 0.5 * (low[c] + high[c]);
        if (prm->flux.rotating)
            g = 0.5 * (at(s, AN_F_G, e, n) + at(s, AN_F_G, e, n + b->stride[e]));
        an_add_absolute_f64(own, prm->lines.off, &q, low[0], low[1], low[2], g, prm);
        areas += prm->lines.off * dot(low, low);
    }
    for (int c = 0; c < 5; c++)
        own[c][c] += 1 / at(s, AN_F_DT, 0, n);
    /* the source is linear in W: its value for rho w = 1, rho v = 1 */
    own[2][3] += an_source_y_f64(1, 1, b->omega, at(s, AN_F_VOL, 0, n));
    own[3][2] += an_source_z_f64(1, 1, b->omega, at(s, AN_F_VOL, 0, n));
    if (s->viscous) {
        const double mu = an_viscosity_estimate_f64(&q, prm), mut = at(s, AN_F_MUT, 0, n);
        const double k =
            prm->fluid.gamma * (mu / prm->fluid.prandtl + mut / prm->fluid.prandtl_t) / (mu + mut);
        an_add_viscous_f64(own, 2 * (mu + mut) / at(s, AN_F_VOL, 0, n) * areas, &q, k, 0, 0, 0,
                           prm);
    }
}

/* The largest of the residuals |(system dW + alpha R)_r| over the sum of the terms' magnitudes. */
static double worst_residual(const struct sweep *of_case)
{
    double worst = 0;
    for (int n = 0; n < of_case->x->layout.nblock; n++) {
        const struct an_block *b = &of_case->x->layout.block[n];
        struct sweep of_block = *of_case, *const s = &of_block;
        s->dir = of_case->dir < 3 ? of_case->dir : n % 3;
        for (int k = 0; k < b->n[2]; k++)
            for (int j = 0; j < b->n[1]; j++)
                for (int i = 0; i < b->n[0]; i++) {
                    const int64_t here = an_element(b, i, j, k);
                    const int m = s->dir == 0 ? i : s->dir == 1 ? j : k;
                    const int first = m == 0, last = m == b->n[s->dir] - 1;
                    block own = {{0}}, lower = {{0}}, upper = {{0}};
                    double sum[5], magnitude[5];
                    add_face(s, b, here, -1, first, own, lower);
                    add_face(s, b, here, 1, last, own, upper);
                    add_rest(s, b, here, own);
                    for (int c = 0; c < 5; c++) {
                        sum[c] = s->prm->march.alpha * at(s, AN_F_R, c, here);
                        magnitude[c] = fabs(sum[c]);
                    }
                    for (int side = -1; side <= 1; side++) {
                        double dw[5];
                        if ((side < 0 && first) || (side > 0 && last))
                            continue;
                        for (int c = 0; c < 5; c++)
                            dw[c] = at(s, AN_F_DW, c, here + side * b->stride[s->dir]);
                        multiply(side < 0 ? lower : side > 0 ? upper : own, dw, sum, magnitude);
                    }
                    for (int c = 0; c < 5; c++) {
                        const double residual = fabs(sum[c]) / magnitude[c];
                        if (!(residual <= worst))
                            worst = isnan(residual) ? INFINITY : residual;
                    }
                }
    }
    return worst;
}

static void solve_and_check(struct engine_case *x, struct an_engine *e)
{
    const double tolerance = x->precision == AN_DOUBLE ? 1e-12 : 1e-4;
    const struct an_prm_f64 prm = an_prm_from_f64(&x->params);
    struct image start;
    assert_int_equal(fixture_residual(x, e, &start), AN_OK);
    for (int dir = 0; dir < 4; dir++) /* 3: each block has its own */
        for (int viscous = 0; viscous < 2; viscous++) {
            static struct outcome o;
            struct image m = image_copy(x, &start);
            const struct step solve = {
                LINES, viscous ? AN_S_implicit_lines_viscous : AN_S_implicit_lines, 0, dir, 0};
            assert_int_equal(fixture_step(x, e, &solve, &m, &o), AN_OK);
            const struct sweep s = {x, &m, &prm, dir, viscous};
            const double worst = worst_residual(&s);
            if (!(worst <= tolerance))
                print_error("%s, precision %d, direction %d, viscous %d, turns %d: residual %.2e\n",
                            e->name, (int)x->precision, dir, viscous, prm.flux.rotating, worst);
            assert_true(worst <= tolerance);
            image_free(&m);
        }
    image_free(&start);
}

/* On odd blocks and on lines of awkward lengths, at rest and turning. */
static void sweeps_solve_the_system(void **unused)
{
    (void)unused;
    for (int p = 0; p < 2; p++)
        for (int awkward = 0; awkward < 2; awkward++) {
            struct engine_case x;
            struct an_engine e;
            (awkward ? fixture_new_lines : fixture_new)(p ? AN_DOUBLE : AN_SINGLE, &x);
            assert_int_equal(an_engine_cpu_new(x.precision, 1, NULL, &e), AN_OK);
            solve_and_check(&x, &e);
            fixture_turn(&x);
            solve_and_check(&x, &e);
            an_engine_destroy(&e);
            fixture_free(&x);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_is_the_jacobian),
        cmocka_unit_test(absolute_is_a_root_of_the_square),
        cmocka_unit_test(closed_face_is_the_jacobian),
        cmocka_unit_test(viscous_block_is_the_flux),
        cmocka_unit_test(sweeps_solve_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
