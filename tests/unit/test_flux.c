/* Fluxes through a face know no direction of space and no side: with the axes turned and with left and
 * right exchanged they give the same numbers, turned. The dissipation, which treats each component
 * alone, gives the same bits. Ghost cells of slip walls and open boundaries against what they stand for.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define AN_PRECISION 64
#include "kernels/physics/boundary.h"
#include "kernels/physics/flux.h"

#include <math.h>

static struct an_prm_f64 prm;
static const double R = 287, cp = 3.5 * 287;

static int start(void **state)
{
    (void)state;
    const struct an_params p = {.gas = an_gas_perfect(R, 1.4),
                                .fluid.gamma = 1.4,
                                .fluid.gas_constant = R,
                                .flux.p_ref = 9e4,
                                .flux.k2 = 0.5,
                                .flux.k4 = 1. / 32,
                                .flux.limiter = AN_LIMITER_VAN_ALBADA,
                                .flux.entropy_fix = 0.1,
                                .flux.floor_rho = 1e-4,
                                .flux.floor_u = 10,
                                .flux.floor_p = 1e4,
                                .flux.floor_acoustic = 0.1,
                                .flux.floor_shear = 0.05,
                                .fluid.mu_ref = 1.8e-5,
                                .fluid.mu_T = 288,
                                .fluid.mu_S = 110,
                                .fluid.prandtl = 0.72,
                                .fluid.prandtl_t = 0.9};
    prm = an_prm_from_f64(&p);
    return 0;
}

static struct an_cell_f64 cell(double rho, double u, double v, double w, double p)
{
    return (struct an_cell_f64){rho, u, v, w, p, 3.5 * p / rho + 0.5 * (u * u + v * v + w * w)};
}

/* Four cells in a row, in which everything varies. */
static void row_of_cells(struct an_cell_f64 q[4])
{
    q[0] = cell(1.31, 120, -40, 65, 1.04e5);
    q[1] = cell(1.22, 150, -75, 30, 0.98e5);
    q[2] = cell(1.17, 95, 20, -50, 1.09e5);
    q[3] = cell(1.26, 110, 55, 15, 1.01e5);
}

/* x, y, z become y, z, x. */
static struct an_cell_f64 turned(struct an_cell_f64 q)
{
    return (struct an_cell_f64){q.rho, q.w, q.u, q.v, q.p, q.H};
}

static struct an_five_f64 turned_flux(struct an_five_f64 f)
{
    return (struct an_five_f64){f.m, f.z, f.x, f.y, f.e};
}

static struct an_five_f64 minus(struct an_five_f64 f)
{
    return (struct an_five_f64){-f.m, -f.x, -f.y, -f.z, -f.e};
}

static void near(double is, double wanted, double allowed)
{
    if (!(fabs(is - wanted) <= allowed))
        fail_msg("%.17g, wanted %.17g to %g", is, wanted, allowed);
}

/* part: of the size of each component; 0: the same bits */
static void same(struct an_five_f64 a, struct an_five_f64 b, double part)
{
    near(a.m, b.m, part * 200);
    near(a.x, b.x, part * 1e5);
    near(a.y, b.y, part * 1e5);
    near(a.z, b.z, part * 1e5);
    near(a.e, b.e, part * 1e8);
}

enum { CENTRAL, JST, MATRIX, ROE, FLUXES };

static struct an_five_f64 flux_of(int which, const struct an_cell_f64 q[4], const double s[3],
                                  int rotating, double g)
{
    const double sensor = an_face_sensor_f64(&q[0], &q[1], &q[2], &q[3], &prm);
    switch (which) {
    case CENTRAL:
        return an_flux_central_f64(&q[1], &q[2], s[0], s[1], s[2], rotating, g, &prm);
    case JST:
        return an_dissipation_jst_f64(&q[0], &q[1], &q[2], &q[3], 400, 420, sensor, &prm);
    case MATRIX:
        return an_dissipation_matrix_f64(&q[0], &q[1], &q[2], &q[3], s[0], s[1], s[2], 1, sensor,
                                         rotating, g, &prm);
    default:
        return an_flux_roe_f64(&q[0], &q[1], &q[2], &q[3], s[0], s[1], s[2], rotating, g, &prm);
    }
}

static void test_axes(void **state)
{
    (void)state;
    struct an_cell_f64 q[4];
    const double s[3] = {0.3, -0.2, 0.5};
    for (int which = 0; which < FLUXES; which++)
        for (int rotating = 0; rotating < 2; rotating++) {
            row_of_cells(q);
            double n[3] = {s[0], s[1], s[2]};
            struct an_five_f64 f = flux_of(which, q, n, rotating, 25);
            for (int r = 0; r < 3; r++) {
                for (int c = 0; c < 4; c++)
                    q[c] = turned(q[c]);
                const double x = n[0];
                n[0] = n[2], n[2] = n[1], n[1] = x;
                f = turned_flux(f);
                same(flux_of(which, q, n, rotating, 25), f, which == JST ? 0 : 1e-14);
            }
        }
}

static void test_sides(void **state)
{
    (void)state;
    struct an_cell_f64 q[4];
    const double s[3] = {0.3, -0.2, 0.5}, back[3] = {-0.3, 0.2, -0.5};
    row_of_cells(q);
    const struct an_cell_f64 other[4] = {q[3], q[2], q[1], q[0]};
    for (int which = 0; which < FLUXES; which++)
        for (int rotating = 0; rotating < 2; rotating++)
            same(flux_of(which, other, back, rotating, -25),
                 minus(flux_of(which, q, s, rotating, 25)), 1e-14);
}

/* JST by its formula: e2 (r1 - l1) - e4 (r2 - 3 r1 + 3 l1 - l2) of rho, rho u, rho H, times the mean
 * radius; e2 = k2 sensor, e4 = k4 - e2. */
static void test_jst(void **state)
{
    (void)state;
    struct an_cell_f64 q[4];
    row_of_cells(q);
    double v[5][4], sensor = 0, d[5];
    for (int c = 0; c < 4; c++) {
        const double rho = q[c].rho;
        v[0][c] = rho, v[1][c] = rho * q[c].u, v[2][c] = rho * q[c].v;
        v[3][c] = rho * q[c].w, v[4][c] = rho * q[c].H;
    }
    for (int c = 1; c < 3; c++)
        sensor = fmax(sensor, fabs(q[c + 1].p - 2 * q[c].p + q[c - 1].p) /
                                  (q[c + 1].p + 2 * q[c].p + q[c - 1].p));
    near(an_face_sensor_f64(&q[0], &q[1], &q[2], &q[3], &prm), sensor, 1e-15);
    const double e2 = 0.5 * sensor, e4 = fmax(0, 1. / 32 - e2);
    for (int c = 0; c < 5; c++)
        d[c] =
            410 * (e2 * (v[c][2] - v[c][1]) - e4 * (v[c][3] - 3 * v[c][2] + 3 * v[c][1] - v[c][0]));
    const struct an_five_f64 wanted = {d[0], d[1], d[2], d[3], d[4]};
    assert_true(e4 > 0.1 / 32 && e2 > 1e-3);
    same(flux_of(JST, q, (const double[3]){1, 0, 0}, 0, 0), wanted, 1e-14);
}

/* Matrix dissipation of e2 = 1/2 without floors between equal pressures, and Roe's flux of first order:
 * a shear layer and a contact that move pass as upwind fluxes. */
static void test_upwind(void **state)
{
    (void)state;
    struct an_prm_f64 plain = prm;
    plain.flux.k2 = 1e9, plain.flux.k4 = 0, plain.flux.floor_shear = plain.flux.floor_acoustic = 0;
    plain.flux.limiter = AN_LIMITER_FIRST_ORDER;
    const struct an_cell_f64 l = cell(1.3, 80, 30, -20, 1e5), r = cell(0.9, 80, -50, 60, 1e5);
    const double s = 0.4, m = 1.3 * 80 * s;
    const struct an_five_f64 wanted = {m, m * 80 + 1e4 * s, m * 30, m * -20, m * l.H};
    same(an_flux_roe_f64(&l, &l, &r, &r, s, 0, 0, 0, 0, &plain), wanted, 1e-14);
    for (int way = -1; way < 2; way += 2) {
        const struct an_cell_f64 a = cell(1.3, way * 80, 0, 0, 1e5),
                                 b = cell(0.9, way * 80, 0, 0, 1e5);
        const struct an_five_f64 f =
            an_dissipation_matrix_f64(&a, &a, &b, &b, s, 0, 0, 1, 1, 0, 0, &plain);
        near(f.m, 0.5 * 80 * s * (0.9 - 1.3), 1e-13);
        near(f.x, 0.5 * 80 * s * (0.9 - 1.3) * way * 80, 1e-11);
    }
}

/* Equal states on both sides of a face that sweeps g: m = rho (u.s - g), the pressure's force, and m H with the
 * work of the pressure on the face. */
static void test_sweep(void **state)
{
    (void)state;
    const struct an_cell_f64 c = cell(1.2, 90, 5, 7, 1.1e5), q[4] = {c, c, c, c};
    const double s[3] = {0.3, -0.2, 0.5}, g = 25, p = 1.1e5 - 9e4;
    const double m = 1.2 * (90 * 0.3 - 5 * 0.2 + 7 * 0.5 - g);
    const struct an_five_f64 wanted = {m, m * 90 + 0.3 * p, m * 5 - 0.2 * p, m * 7 + 0.5 * p,
                                       m * c.H + p * g};
    same(flux_of(CENTRAL, q, s, 1, g), wanted, 1e-14);
    same(flux_of(ROE, q, s, 1, g), wanted, 1e-14);
    /* the source of the rotation: -rho omega x u times the volume, off R */
    near(an_source_y_f64(1.2, 7, 30, 0.5), -1.2 * 30 * 7 * 0.5, 1e-13);
    near(an_source_z_f64(1.2, 5, 30, 0.5), 1.2 * 30 * 5 * 0.5, 1e-13);
}

/* Small waves of each kind about a mean state: |A| times a wave is its speed times the wave. Matrix
 * dissipation with e2 = 1/2 and Roe's flux of first order, subsonic and supersonic, either way. */
static void test_waves(void **state)
{
    (void)state;
    struct an_prm_f64 plain = prm;
    plain.flux.k2 = 1e9, plain.flux.k4 = 0, plain.flux.floor_shear = plain.flux.floor_acoustic = 0;
    plain.flux.limiter = AN_LIMITER_FIRST_ORDER, plain.flux.entropy_fix = 0;
    const double n[3] = {0.6, 0, 0.8}, size = 0.4, rho = 1.2, p = 1e5, c = sqrt(1.4 * p / rho),
                 e = 1e-6;
    static const double speeds[4] = {80, -150, 500, -520};
    for (int way = 0; way < 4; way++)
        for (int wave = -1; wave < 2; wave++) {
            const double un = speeds[way], u[3] = {0.6 * un + 0.8 * 30, 15, 0.8 * un - 0.6 * 30};
            /* changes of rho, u_n, p of one wave; the wave of speed u_n changes the density alone */
            const double dr = rho * e, du = wave * c * e, dp = wave ? c * c * dr : 0, half = 0.5;
            const struct an_cell_f64 l = cell(rho - half * dr, u[0] - half * du * n[0], u[1],
                                              u[2] - half * du * n[2], p - half * dp);
            const struct an_cell_f64 r = cell(rho + half * dr, u[0] + half * du * n[0], u[1],
                                              u[2] + half * du * n[2], p + half * dp);
            const double speed = fabs(un + wave * c), part = 0.5 * size * speed;
            const double wanted[5] = {part * (r.rho - l.rho), part * (r.rho * r.u - l.rho * l.u),
                                      part * (r.rho * r.v - l.rho * l.v),
                                      part * (r.rho * r.w - l.rho * l.w),
                                      part * (r.rho * r.H - r.p - l.rho * l.H + l.p)};
            const struct an_five_f64 d = an_dissipation_matrix_f64(&l, &l, &r, &r, size * n[0], 0,
                                                                   size * n[2], 1, 1, 0, 0, &plain);
            const struct an_five_f64 f =
                an_flux_roe_f64(&l, &l, &r, &r, size * n[0], 0, size * n[2], 0, 0, &plain);
            const struct an_five_f64 a =
                an_flux_roe_f64(&l, &l, &l, &l, size * n[0], 0, size * n[2], 0, 0, &plain);
            const struct an_five_f64 b =
                an_flux_roe_f64(&r, &r, &r, &r, size * n[0], 0, size * n[2], 0, 0, &plain);
            const double of_matrix[5] = {d.m, d.x, d.y, d.z, d.e};
            const double of_roe[5] = {0.5 * (a.m + b.m) - f.m, 0.5 * (a.x + b.x) - f.x,
                                      0.5 * (a.y + b.y) - f.y, 0.5 * (a.z + b.z) - f.z,
                                      0.5 * (a.e + b.e) - f.e};
            static const double unit[5] = {200, 1e5, 1e5, 1e5, 1e8};
            for (int k = 0; k < 5; k++) {
                near(of_matrix[k], wanted[k], 1e-3 * e * unit[k]);
                near(of_roe[k], wanted[k], 1e-3 * e * unit[k]);
            }
        }
}

/* Limiter, slopes and rounding of the wave speeds by their formulas; a reconstruction that is no gas falls
 * back to the cells of its side. */
static void test_reconstruction(void **state)
{
    (void)state;
    const double a = 2, b = 3, floor = 0.5;
    const double s = (2 * a * b + floor) / (a * a + b * b + floor);
    double left, right;
    near(an_limit_f64(a * b, a * a + b * b, floor, AN_LIMITER_VAN_ALBADA), s, 1e-15);
    near(an_limit_f64(-6, 13, floor, AN_LIMITER_VAN_ALBADA), 0, 0);
    near(an_muscl_step_f64(a, b, s), 0.25 * s * ((1 + s / 3) * b + (1 - s / 3) * a), 1e-15);
    an_muscl_f64(1, 3, 6, 8, floor, AN_LIMITER_NONE, &left, &right);
    near(left, 3 + 0.25 * (4. / 3 * 3 + 2. / 3 * 2), 1e-14);
    near(right, 6 - 0.25 * (4. / 3 * 3 + 2. / 3 * 2), 1e-14);
    near(an_entropy_fix_f64(-0.05, 0.2), 0.5 * (0.0025 / 0.2 + 0.2), 1e-15);
    near(an_entropy_fix_f64(-0.3, 0.2), 0.3, 0);
    struct an_prm_f64 plain = prm, first = prm;
    plain.flux.limiter = AN_LIMITER_NONE;
    first.flux.limiter = AN_LIMITER_FIRST_ORDER;
    /* a pressure that is linear has one value on the face */
    struct an_cell_f64 line[4];
    for (int n = 0; n < 4; n++)
        line[n] = cell(1.2, 90, 5, 7, 1e5 + 2000 * n);
    const struct an_cell_f64 middle = cell(1.2, 90, 5, 7, 1.03e5);
    same(an_flux_roe_f64(&line[0], &line[1], &line[2], &line[3], 0.3, -0.2, 0.5, 0, 0, &plain),
         an_flux_central_f64(&middle, &middle, 0.3, -0.2, 0.5, 0, 0, &prm), 1e-14);
    /* the pressure rises on the right so steeply that the right value is negative; all else is uniform */
    const struct an_cell_f64 q[4] = {cell(1.2, 90, 5, 7, 1e5), cell(1.2, 90, 5, 7, 1e5),
                                     cell(1.2, 90, 5, 7, 1e4), cell(1.2, 90, 5, 7, 2.7e5)};
    const struct an_five_f64 f =
        an_flux_roe_f64(&q[0], &q[1], &q[2], &q[3], 0.3, -0.2, 0.5, 0, 0, &plain);
    const double pl = 1e5 + 0.25 * (4. / 3 * -9e4);
    const struct an_cell_f64 l = cell(1.2, 90, 5, 7, pl);
    same(f, an_flux_roe_f64(&l, &l, &q[2], &q[2], 0.3, -0.2, 0.5, 0, 0, &first), 1e-14);
}

/* State at a place of a line of gas that varies with two wave lengths. */
static struct an_cell_f64 wavy(double x)
{
    return cell(1.2 + 0.2 * sin(x), 90 + 20 * cos(x + 1), 5 + 9 * sin(2 * x), 7 - 8 * cos(x),
                1e5 + 4e3 * cos(2 * x + 0.5));
}

/* Error of the derivative of the momentum's flux at x = 0.4, cells of width h; k4 = 0. */
static double derivative_error(double h)
{
    struct an_prm_f64 plain = prm;
    plain.flux.k2 = plain.flux.k4 = 0;
    double flux[2];
    for (int side = 0; side < 2; side++) {
        struct an_cell_f64 q[4];
        for (int n = 0; n < 4; n++)
            q[n] = wavy(0.4 + (n - 2 + side) * h);
        flux[side] =
            an_face_flux_f64(AN_SCHEME_KEP, &q[0], &q[1], &q[2], &q[3], 1, 0, 0, 0, 1, 1, &plain).x;
    }
    const double x = 0.4, e = 1e-4;
    double exact = 0; /* six points */
    static const double weight[3] = {45. / 60, -9. / 60, 1. / 60};
    for (int n = 1; n <= 3; n++) {
        const struct an_cell_f64 a = wavy(x - n * e), b = wavy(x + n * e);
        exact += weight[n - 1] * (b.rho * b.u * b.u + b.p - a.rho * a.u * a.u - a.p) / e;
    }
    return (flux[1] - flux[0]) / h - exact;
}

/* The flux that preserves kinetic energy: uniform flow, fourth order, no energy from convection along a
 * closed line of cells whose faces move, a closed face. */
static void test_kep(void **state)
{
    (void)state;
    enum { N = 7 };
    struct an_cell_f64 q[N];
    struct an_five_f64 f[N];
    struct an_prm_f64 plain = prm;
    plain.flux.k2 = plain.flux.k4 = 0;
    row_of_cells(q);
    same(an_flux_kep_f64(&q[1], &q[1], &q[1], &q[1], 0.3, -0.2, 0.5, 1, 2, &prm),
         an_flux_central_f64(&q[1], &q[1], 0.3, -0.2, 0.5, 1, 2, &prm), 1e-14);
    const double ratio = derivative_error(0.1) / derivative_error(0.05);
    assert_true(ratio > 14.5 && ratio < 17.5);
    for (int n = 0; n < N; n++)
        q[n] =
            cell(1 + 0.4 * sin(3 * n), 90 * cos(5 * n), 70 * sin(2 * n + 1), 60 * cos(n * n), 1e5);
    for (int n = 0; n < N; n++) /* through the lower face of cell n */
        f[n] =
            an_face_flux_f64(AN_SCHEME_KEP | AN_ROTATING, &q[(n + N - 2) % N], &q[(n + N - 1) % N],
                             &q[n], &q[(n + 1) % N], 0.3, -0.2, 0.5, 4, 1, 1, &plain);
    double sum = 0, size = 0;
    for (int n = 0; n < N; n++) {
        const struct an_five_f64 *lower = &f[n], *upper = &f[(n + 1) % N];
        const double u = q[n].u, v = q[n].v, w = q[n].w;
        const double made = u * (upper->x - lower->x) + v * (upper->y - lower->y) +
                            w * (upper->z - lower->z) -
                            0.5 * (u * u + v * v + w * w) * (upper->m - lower->m);
        sum += made;
        size += fabs(made);
    }
    near(sum, 0, 1e-13 * size);
    const double p = 0.5 * (q[1].p + q[2].p) - 9e4;
    same(
        an_face_flux_f64(AN_SCHEME_KEP, &q[0], &q[1], &q[2], &q[3], 0.3, -0.2, 0.5, 0, 5, -5, &prm),
        (struct an_five_f64){0, 0.3 * p, -0.2 * p, 0.5 * p, 0}, 1e-15);
}

/* A closed face passes pressure alone, and its work where the face moves. */
static void test_closed(void **state)
{
    (void)state;
    struct an_cell_f64 q[4];
    row_of_cells(q);
    const double p = 0.5 * (q[1].p + q[2].p) - 9e4;
    const struct an_five_f64 f = an_face_flux_f64(AN_SCHEME_ROE | AN_ROTATING, &q[0], &q[1], &q[2],
                                                  &q[3], 0.3, -0.2, 0.5, 7, 5, -5, &prm);
    same(f, (struct an_five_f64){0, 0.3 * p, -0.2 * p, 0.5 * p, 7 * p}, 1e-15);
}

/* ---- viscous ---- */

static void test_conductivity(void **state)
{
    (void)state;
    const double s[3] = {0.3, -0.2, 0.5}, d[3] = {0.01, 0.002, 0.015};
    const double minus_s[3] = {-0.3, 0.2, -0.5}, minus_d[3] = {-0.01, -0.002, -0.015};
    double gl[12], gr[12];
    for (int m = 0; m < 12; m++) {
        gl[m] = 100 * sin(m + 1.0);
        gr[m] = 90 * cos(2.0 * m);
    }
    const struct an_viscous_cell_f64 l =
        an_viscous_cell_from_f64(1.2, 120, 30, -40, 2.6e5, 3e-5, &prm);
    const struct an_viscous_cell_f64 r =
        an_viscous_cell_from_f64(1.0, 90, -20, 10, 2.7e5, 9e-5, &prm);
    same(an_flux_viscous_f64(&r, &l, gr, gl, minus_s, minus_d, &prm),
         minus(an_flux_viscous_f64(&l, &r, gl, gr, s, d, &prm)), 0);
    struct an_prm_f64 law = prm;
    law.fluid.viscosity = AN_VISCOSITY_SUTHERLAND;
    near(an_viscosity_law_f64(400, &law), 1.8e-5 * pow(400. / 288, 1.5) * (288 + 110) / (400 + 110),
         1e-18);
    near(l.heat, cp * ((l.mu - 3e-5) / 0.72 + 3e-5 / 0.9), 1e-13);
    /* at rest: the heat flux alone, of the mean conductivity of both cells */
    const double zero[12] = {0}, along[3] = {1, 0, 0}, apart[3] = {0.01, 0, 0};
    struct an_viscous_cell_f64 a = l, b = r;
    for (int c = 0; c < 3; c++)
        a.q[c] = b.q[c] = 0;
    const double heat = 0.5 * (a.heat + b.heat) * (b.q[3] - a.q[3]) / 0.01;
    near(an_flux_viscous_f64(&a, &b, zero, zero, along, apart, &prm).e, -heat, 1e-12 * fabs(heat));
}

/* ---- boundaries ---- */

/* Along a flat wall everything linear goes on linearly: both ghosts. The wall is at y = 0, cells at
 * y = -1/2 and -3/2, outward normal +y. */
static void test_slip_wall(void **state)
{
    (void)state;
    struct an_cell_f64 c[2], g[2];
    const double vn = 3;
    for (int n = 0; n < 2; n++) {
        const double y = -0.5 - n;
        c[n] = cell(1.2 + 0.05 * y, 100 + 6 * y, vn - 4 * y, -30 + 2 * y, 1e5 + 900 * y);
    }
    prm.flux.wall_order = AN_WALL_ORDER_STATE;
    an_wall_slip_f64(&c[0], &c[1], 0, 1, 0, vn, &prm, &g[0], &g[1]);
    for (int n = 0; n < 2; n++) {
        const double y = 0.5 + n;
        near(g[n].rho, 1.2 + 0.05 * y, 1e-13);
        near(g[n].u, 100 + 6 * y, 1e-11);
        near(g[n].v, vn - 4 * y, 1e-11);
        near(g[n].w, -30 + 2 * y, 1e-11);
        near(g[n].p, 1e5 + 900 * y, 1e-8);
    }
    prm.flux.wall_order = AN_WALL_ORDER_NOTHING;
    an_wall_slip_f64(&c[0], &c[1], 0, 1, 0, vn, &prm, &g[0], &g[1]);
    for (int n = 0; n < 2; n++) {
        near(g[n].rho, c[n].rho, 0);
        near(g[n].u, c[n].u, 0);
        near(g[n].v, 2 * vn - c[n].v, 1e-12);
        near(g[n].p, c[0].p, 0);
    }
    /* the same across x: every component along and across the wall */
    prm.flux.wall_order = AN_WALL_ORDER_STATE;
    struct an_cell_f64 t[2], h[2];
    an_wall_slip_f64(&c[0], &c[1], 0, 1, 0, vn, &prm, &g[0], &g[1]);
    for (int n = 0; n < 2; n++)
        t[n] = turned(c[n]);
    for (int r = 0; r < 3; r++) { /* the normal goes on to z and x */
        const double normal[3] = {r == 1, r == 2, r == 0};
        an_wall_slip_f64(&t[0], &t[1], normal[0], normal[1], normal[2], vn, &prm, &h[0], &h[1]);
        for (int n = 0; n < 2; n++) {
            g[n] = turned(g[n]);
            near(h[n].u, g[n].u, 1e-11);
            near(h[n].v, g[n].v, 1e-11);
            near(h[n].w, g[n].w, 1e-11);
            t[n] = turned(t[n]);
        }
    }
    prm.flux.wall_order = AN_WALL_ORDER_NOTHING;
    /* with viscosity: no heat passes */
    prm.fluid.viscosity = AN_VISCOSITY_SUTHERLAND;
    prm.flux.wall_order = AN_WALL_ORDER_STATE;
    an_wall_slip_f64(&c[0], &c[1], 0, 1, 0, vn, &prm, &g[0], &g[1]);
    for (int n = 0; n < 2; n++)
        near(g[n].p / g[n].rho, c[n].p / c[n].rho, 1e-9);
}

/* Viscous walls: the mean of cell and ghost has the velocity of the wall, which turns about x; an isothermal
 * wall the mean temperature given. */
static void test_viscous_wall(void **state)
{
    (void)state;
    struct an_bc_f64 bc = {.type = AN_BC_WALL_VISCOUS};
    bc.v[AN_BC_HEAT_KIND] = AN_WALL_ISOTHERMAL;
    bc.v[AN_BC_HEAT] = 310;
    bc.v[AN_BC_WALL_VELOCITY] = 4;
    bc.v[AN_BC_WALL_OMEGA] = 20;
    const struct an_cell_f64 c1 = cell(1.2, 90, 5, 7, 1e5), c2 = cell(1.19, 100, 9, 3, 1.01e5);
    struct an_cell_f64 g1, g2;
    /* at y = 0.5, z = 0.3, the normal along x: the wall has no velocity across itself */
    an_wall_viscous_f64(&bc, &c1, &c2, 1, 0, 0, 0, 1e-3, 0.5, 0.3, &prm, &g1, &g2);
    near(0.5 * (c1.u + g1.u), 0, 1e-12);
    near(0.5 * (c1.v + g1.v), -20 * 0.3, 1e-12);
    near(0.5 * (c1.w + g1.w), 20 * 0.5, 1e-12);
    near(0.5 * (c2.w + g2.w), 20 * 0.5, 1e-12);
    near(0.5 * (c1.p / (R * c1.rho) + g1.p / (R * g1.rho)), 310, 1e-10);
    an_wall_viscous_f64(&bc, &c1, &c2, 0, 0, 1, 10, 1e-3, 0.5, 0.3, &prm, &g1, &g2);
    near(0.5 * (c1.u + g1.u), 4, 1e-12);
    near(0.5 * (c1.w + g1.w), 10, 1e-12);
}

static double sound(const struct an_cell_f64 *q)
{
    return sqrt(1.4 * q->p / q->rho);
}

static double along(const struct an_cell_f64 *q)
{
    return 0.6 * q->u + 0.8 * q->w;
}

static double entropy(const struct an_cell_f64 *q)
{
    return q->p / pow(q->rho, 1.4);
}

/* Outlet: entropy, velocity along the face and u_n + 2 c / (gamma - 1) are those of the cell. */
static void test_outlet(void **state)
{
    (void)state;
    const struct an_cell_f64 q = cell(1.2, 0.6 * 150 + 8, 30, 0.8 * 150 - 6, 1.05e5);
    const double vn = 12;
    double v[AN_BC_NVALUE] = {0};
    v[AN_BC_P] = 1e5;
    const struct an_cell_f64 f = an_outlet_static_f64(&q, 0.6, 0, 0.8, vn, v, &prm);
    near(f.p, 1e5, 0);
    near(entropy(&f), entropy(&q), 1e-13 * entropy(&q));
    near(along(&f) + 5 * sound(&f), along(&q) + 5 * sound(&q), 1e-11);
    near(f.v, 30, 0);
    near(0.8 * f.u - 0.6 * f.w, 0.8 * q.u - 0.6 * q.w, 1e-12);
    /* non-reflecting: p = p_given + ((p1 - P) + rho c (u1 - U)) / 2 */
    v[AN_BC_WAVES] = 1;
    v[AN_BC_MEAN_P] = 1.02e5;
    v[AN_BC_MEAN_U] = 120;
    const struct an_cell_f64 n = an_outlet_static_f64(&q, 0.6, 0, 0.8, vn, v, &prm);
    const double wave = 0.5 * (3e3 + 1.2 * sound(&q) * (along(&q) - vn - 120));
    near(n.p, 1e5 + wave, 1e-9);
    near(along(&n) + 5 * sound(&n), along(&q) + 5 * sound(&q), 1e-11);
    /* faster than sound: all of the cell; back flow is stopped at the face */
    const struct an_cell_f64 fast = cell(1.2, 0.6 * 500, 30, 0.8 * 500, 1.05e5);
    near(an_outlet_static_f64(&fast, 0.6, 0, 0.8, 0, v, &prm).p, 1.05e5, 0);
    const struct an_cell_f64 back = cell(1.2, -0.6 * 200, 30, -0.8 * 200, 1e5);
    v[AN_BC_WAVES] = 0;
    const struct an_cell_f64 b = an_outlet_static_f64(&back, 0.6, 0, 0.8, vn, v, &prm);
    near(along(&b), vn, 1e-11);
}

static double third_difference(const double q[4])
{
    return fabs(q[0] - 3 * q[1] + 3 * q[2] - q[3]);
}

/* Where what leaves is extrapolated to the face (two-dimensional non-reflecting boundaries), the ghosts continue a state
 * that is linear along the normal: its third difference at the face, which the dissipation damps, is zero. */
static void test_extrapolated(void **state)
{
    (void)state;
    const struct an_cell_f64 c1 = cell(1.2, 0.6 * 150 + 8, 30, 0.8 * 150 - 6, 1.05e5),
                             c2 = cell(1.19, 0.6 * 149 + 7, 31, 0.8 * 151 - 7, 1.047e5),
                             face = cell(1.5 * c1.rho - 0.5 * c2.rho, 1.5 * c1.u - 0.5 * c2.u,
                                         1.5 * c1.v - 0.5 * c2.v, 1.5 * c1.w - 0.5 * c2.w,
                                         1.5 * c1.p - 0.5 * c2.p);
    static const int type[] = {AN_BC_OUTLET_STATIC, AN_BC_MIXING_PLANE};
    for (int n = 0; n < 2; n++) {
        struct an_cell_f64 g1, g2;
        struct an_bc_f64 bc = {.type = type[n]};
        if (type[n] == AN_BC_OUTLET_STATIC) {
            bc.v[AN_BC_P] = face.p;
        } else {
            bc.v[AN_BC_RHO] = face.rho;
            bc.v[AN_BC_VELOCITY] = face.u;
            bc.v[AN_BC_VELOCITY + 1] = face.v;
            bc.v[AN_BC_VELOCITY + 2] = face.w;
            bc.v[AN_BC_PRESSURE] = face.p;
        }
        bc.v[AN_BC_AHEAD] = 0.5;
        an_boundary_ghosts_f64(&bc, &c1, &c2, 0.6, 0, 0.8, 0, &prm, &g1, &g2);
        near(third_difference((double[4]){g2.rho, g1.rho, c1.rho, c2.rho}), 0, 1e-12);
        near(third_difference((double[4]){g2.u, g1.u, c1.u, c2.u}), 0, 1e-10);
        near(third_difference((double[4]){g2.v, g1.v, c1.v, c2.v}), 0, 1e-10);
        near(third_difference((double[4]){g2.w, g1.w, c1.w, c2.w}), 0, 1e-10);
        near(third_difference((double[4]){g2.p, g1.p, c1.p, c2.p}), 0, 1e-7);
        bc.v[AN_BC_AHEAD] = 0;
        an_boundary_ghosts_f64(&bc, &c1, &c2, 0.6, 0, 0.8, 0, &prm, &g1, &g2);
        near(g2.rho, g1.rho, 0);
        near(g2.v, g1.v, 0);
    }
}

/* Inlet: total conditions and direction as given, u_n + 2 c / (gamma - 1) of the cell. */
static void test_inlet(void **state)
{
    (void)state;
    const struct an_cell_f64 q = cell(1.2, -0.6 * 90, 10, -0.8 * 90, 1.01e5);
    double v[AN_BC_NVALUE] = {0};
    v[AN_BC_P0] = 1.1e5;
    v[AN_BC_T0] = 305;
    v[AN_BC_DIRECTION] = -0.48, v[AN_BC_DIRECTION + 1] = 0.6, v[AN_BC_DIRECTION + 2] = -0.64;
    const struct an_cell_f64 f = an_inlet_total_f64(&q, 0.6, 0, 0.8, v, &prm);
    const double speed = sqrt(f.u * f.u + f.v * f.v + f.w * f.w), T = f.p / (R * f.rho);
    const double T0 = T + 0.5 * speed * speed / cp;
    near(T0, 305, 1e-11);
    near(f.p * pow(T0 / T, 3.5), 1.1e5, 1e-7);
    near(f.u / speed, -0.48, 1e-13);
    near(f.v / speed, 0.6, 1e-13);
    near(along(&f) + 5 * sound(&f), along(&q) + 5 * sound(&q), 1e-10);
}

/* Far field: each invariant, entropy and the velocity along the face from where they come. */
static void test_farfield(void **state)
{
    (void)state;
    for (int way = -1; way < 2; way += 2) {
        const struct an_cell_f64 q = cell(1.2, way * 0.6 * 90, 10, way * 0.8 * 90, 1.01e5);
        const struct an_cell_f64 far = cell(1.1, way * 50, -20, way * 70, 0.99e5);
        double v[AN_BC_NVALUE] = {0};
        v[AN_BC_RHO] = far.rho, v[AN_BC_PRESSURE] = far.p;
        v[AN_BC_VELOCITY] = far.u, v[AN_BC_VELOCITY + 1] = far.v, v[AN_BC_VELOCITY + 2] = far.w;
        const struct an_cell_f64 f = an_farfield_f64(&q, 0.6, 0, 0.8, 5, v, &prm);
        const struct an_cell_f64 *from = way > 0 ? &q : &far;
        near(along(&f) + 5 * sound(&f), along(&q) + 5 * sound(&q), 1e-10);
        near(along(&f) - 5 * sound(&f), along(&far) - 5 * sound(&far), 1e-10);
        near(entropy(&f), entropy(from), 1e-12 * entropy(from));
        near(f.v, from->v, 0);
    }
}

/* QCR2000: t_ij - 0.3 (O_ik t_jk + O_jk t_ik) written out, on a face between two cells; nothing of it in
 * laminar flow; in plane shear u(y) the shear stays, and the normal stresses are -0.6 of it along x, 0.6 along y. */
static void quadratic_stress(void **unused)
{
    (void)unused;
    const struct an_prm_f64 plain = {.fluid.gamma = 1.4,
                                     .fluid.gas_constant = 287,
                                     .heat = 1000,
                                     .heat_t = 900,
                                     .fluid.viscosity = AN_VISCOSITY_CONSTANT,
                                     .fluid.mu_ref = 2e-5,
                                     .fluid.mu_T = 300};
    struct an_prm_f64 square = plain;
    square.turb.qcr = 1;
    const double mut[2] = {3e-4, 5e-4}, mean_mut = 4e-4;
    const double g[12] = {30, -7, 11, 5, -40, 3, 17, 9, 25, 0, 0, 0};
    const double s[3] = {0.4, -0.2, 0.3}, d[3] = {4e-3, -1e-3, 2e-3};
    struct an_viscous_cell_f64 l = {{10, 20, 30, 300}, plain.fluid.mu_ref + mut[0], 0.1};
    struct an_viscous_cell_f64 r = {{0, 0, 0, 300}, plain.fluid.mu_ref + mut[1], 0.1};
    for (int c = 0; c < 3; c++)
        r.q[c] = l.q[c] + g[3 * c] * d[0] + g[3 * c + 1] * d[1] + g[3 * c + 2] * d[2];
    double t[3][3], o[3][3], size = 0, add[3] = {0, 0, 0};
    for (int i = 0; i < 9; i++)
        size += g[i] * g[i];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            t[i][j] = mean_mut *
                      (g[3 * i + j] + g[3 * j + i] - (i == j ? 2. / 3 * (g[0] + g[4] + g[8]) : 0));
            o[i][j] = (g[3 * i + j] - g[3 * j + i]) / sqrt(size);
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                add[i] -= 0.3 * (o[i][k] * t[j][k] + o[j][k] * t[i][k]) * s[j];
    const struct an_five_f64 a = an_flux_viscous_f64(&l, &r, g, g, s, d, &plain);
    const struct an_five_f64 b = an_flux_viscous_f64(&l, &r, g, g, s, d, &square);
    const double scale = fabs(add[0]) + fabs(add[1]) + fabs(add[2]);
    assert_true(scale > 1e-4);
    near(a.x - b.x, add[0], 1e-9 * scale);
    near(a.y - b.y, add[1], 1e-9 * scale);
    near(a.z - b.z, add[2], 1e-9 * scale);
    double work = 0;
    for (int c = 0; c < 3; c++)
        work += 0.5 * (l.q[c] + r.q[c]) * add[c];
    near(a.e - b.e, work, 1e-9 * fabs(work));
    l.mu = r.mu = plain.fluid.mu_ref;
    near(an_flux_viscous_f64(&l, &r, g, g, s, d, &square).y,
         an_flux_viscous_f64(&l, &r, g, g, s, d, &plain).y, 1e-15 * scale);
    const double shear[9] = {0, 100, 0, 0, 0, 0, 0, 0, 0}, y[3] = {0, 1, 0}, x[3] = {1, 0, 0};
    double across[3], along[3];
    an_quadratic_stress_f64(shear, y, 1e-3, across);
    an_quadratic_stress_f64(shear, x, 1e-3, along);
    near(across[0], 0, 1e-15);
    near(across[1], 0.06, 1e-12);
    near(along[0], -0.06, 1e-12);
    near(along[1], 0, 1e-15);
    const double still[9] = {0};
    an_quadratic_stress_f64(still, y, 1e-3, across);
    assert_true(across[0] == 0 && across[1] == 0 && across[2] == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadratic_stress),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_sides),
        cmocka_unit_test(test_jst),
        cmocka_unit_test(test_upwind),
        cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_waves),
        cmocka_unit_test(test_reconstruction),
        cmocka_unit_test(test_kep),
        cmocka_unit_test(test_closed),
        cmocka_unit_test(test_conductivity),
        cmocka_unit_test_setup_teardown(test_slip_wall, start, start),
        cmocka_unit_test_setup_teardown(test_viscous_wall, start, start),
        cmocka_unit_test(test_outlet),
        cmocka_unit_test(test_extrapolated),
        cmocka_unit_test(test_inlet),
        cmocka_unit_test(test_farfield),
    };
    return cmocka_run_group_tests(tests, start, NULL);
}
