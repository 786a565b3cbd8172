/* Two-dimensional non-reflecting conditions against waves of the linearised Euler equations, which are made
 * here from their matrices:  q_t + A q_x + B q_y = 0,  q = (rho, u, v, p). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <complex.h>
#include <math.h>
#include <string.h>

#include "bc/giles.h"

static const double rho = 1.2, c = 340, wave = 7; /* kg/m3, m/s, 1/m */

static double complex from(struct an_complex z)
{
    return CMPLX(z.re, z.im);
}

static struct an_complex to(double complex z)
{
    return (struct an_complex){creal(z), cimag(z)};
}

static void near(double complex is, double complex wanted, double part)
{
    if (!(cabs(is - wanted) <= part))
        fail_msg("%.12g %+.12g i, wanted %.12g %+.12g i", creal(is), cimag(is), creal(wanted),
                 cimag(wanted));
}

/* The wave exp(i (kx x + wave y - omega t)) of the mean u, v: of unit pressure where it is sound, else of
 * unit entropy or vorticity. */
enum kind { ENTROPY, VORTICITY, SOUND };

static void make_wave(const struct an_giles_mean *m, enum kind kind, double complex kx,
                      double complex omega, double complex q[4])
{
    const double complex w = omega - m->u * kx - m->v * wave; /* in the gas */
    for (int n = 0; n < 4; n++)
        q[n] = 0;
    if (kind == ENTROPY) {
        q[0] = 1 / (c * c);
    } else if (kind == VORTICITY) {
        q[1] = -wave / (rho * c * cabs(CMPLX(cabs(kx), wave)));
        q[2] = kx / (rho * c * cabs(CMPLX(cabs(kx), wave)));
    } else {
        q[0] = 1 / (c * c);
        q[1] = kx / (rho * w);
        q[2] = wave / (rho * w);
        q[3] = 1;
    }
    const double complex a[4][4] = {{m->u, rho, 0, 0},
                                    {0, m->u, 0, 1 / rho},
                                    {0, 0, m->u, 0},
                                    {0, rho * c * c, 0, m->u}},
                         b[4][4] = {{m->v, 0, rho, 0},
                                    {0, m->v, 0, 0},
                                    {0, 0, m->v, 1 / rho},
                                    {0, 0, rho * c * c, m->v}};
    const double size[4] = {1 / (c * c), 1 / (rho * c), 1 / (rho * c), 1};
    for (int r = 0; r < 4; r++) { /* it obeys the equations */
        double complex sum = -omega * q[r];
        for (int n = 0; n < 4; n++)
            sum += (kx * a[r][n] + wave * b[r][n]) * q[n];
        near(sum / (size[r] * c * (cabs(kx) + wave)), 0, 1e-12);
    }
}

/* The wave numbers of sound: omega - u k - v wave squared is c^2 (k^2 + wave^2). */
static void sound(const struct an_giles_mean *m, double complex omega, double complex kx[2])
{
    const double complex w = omega - m->v * wave;
    const double g = c * c - m->u * m->u;
    const double complex root = c * csqrt(w * w - g * wave * wave);
    kx[0] = (-m->u * w + root) / g;
    kx[1] = (-m->u * w - root) / g;
}

static void waves(const double complex q[4], double complex w[6])
{
    w[1] = q[3] - c * c * q[0];
    w[2] = rho * c * q[2];
    w[4] = q[3] + rho * c * q[1];
    w[5] = q[3] - rho * c * q[1];
}

/* Does sound of a steady flow grow in the flow's direction, or run against it? */
static int upstream(const struct an_giles_mean *m, double complex kx)
{
    if (fabs(cimag(kx)) > 1e-9 * cabs(kx))
        return cimag(kx) < 0;
    const double length = hypot(creal(kx), wave),
                 sign = -(m->u * creal(kx) + m->v * wave) / (c * length);
    return m->u + sign * c * creal(kx) / length < 0;
}

/* An outlet lets entropy, vorticity and sound that decays downstream pass unchanged, and answers to sound
 * that decays upstream with something else than the wave itself; at an inlet it is the other way round. */
static void check_steady(double M, double N)
{
    const struct an_giles_mean m = {rho, c, M * c, N * c};
    double complex kx[4], q[4], w[6];
    sound(&m, 0, kx);
    kx[2] = kx[3] = -m.v * wave / m.u;
    for (int n = 0; n < 4; n++) {
        make_wave(&m, n < 2 ? SOUND : n == 2 ? VORTICITY : ENTROPY, kx[n], 0, q);
        waves(q, w);
        struct an_complex leaves[2] = {to(w[2]), to(w[4])}, in[2];
        const int against = n < 2 && upstream(&m, kx[n]);
        an_giles_steady(&m, 1, leaves, in);
        if (against)
            assert_true(cabs(from(in[1]) - w[5]) > 0.01);
        else
            near(from(in[1]), w[5], 1e-11);
        leaves[1] = to(w[5]);
        an_giles_steady(&m, 0, leaves, in);
        if (against) {
            near(from(in[0]), w[2], 1e-11);
            near(from(in[1]), w[4], 1e-11);
            near(w[1], 0, 1e-11);
        } else {
            assert_true(cabs(from(in[0]) - w[2]) + cabs(from(in[1]) - w[4]) + cabs(w[1]) > 0.01);
        }
    }
}

static void test_steady(void **state)
{
    (void)state;
    for (int i = 0; i < 9; i++)
        for (int j = 0; j < 16; j++)
            check_steady(0.1 + 0.1 * i, -1.53 + 0.2 * j);
}

/* What enters in time where the waves that leave are those of a plane wave; compares it with what belongs to
 * that wave at its end. Returns the difference. */
static double march(const struct an_giles_mean *m, int leaves, const double complex w[6],
                    double omega, double periods, int steps)
{
    struct an_giles_state s = {{{0, 0}}};
    struct an_complex in[2], out[2][2];
    const double dt = periods * 2 * acos(-1.0) / fabs(omega) / steps;
    for (int n = 0; n <= steps; n++) {
        const double complex phase = cexp(-I * omega * dt * n);
        memcpy(out[0], out[1], sizeof out[0]);
        out[1][0] = to(w[2] * phase);
        out[1][1] = to((leaves ? w[4] : w[5]) * phase);
        if (n)
            an_giles_step(m, leaves, wave, dt, out[0], out[1], &s);
    }
    const double complex end = cexp(-I * omega * dt * steps);
    an_giles_entering(leaves, &s, in);
    return leaves ? cabs(from(in[1]) - w[5] * end)
                  : cabs(from(in[0]) - w[2] * end) + cabs(from(in[1]) - w[4] * end);
}

/* Sound at an angle to the normal, in the gas, in degrees. What comes back is a part of the wave's pressure:
 * one-dimensional conditions leave the whole of c5, or of c2 and c4. */
static void check_unsteady(int leaves, double M, double N, double degrees, double most,
                           double one_d)
{
    const struct an_giles_mean m = {rho, c, M * c, N * c};
    const double angle = degrees / 180 * acos(-1.0), size = wave / sin(fabs(angle));
    double complex q[4], w[6];
    const double kx = (leaves ? 1 : -1) * size * cos(angle),
                 omega = m.u * kx + m.v * wave + c * size;
    make_wave(&m, SOUND, kx, omega, q);
    waves(q, w);
    const double found = march(&m, leaves, w, omega, 300, 300 * 100);
    if (!(found < most))
        fail_msg("angle %g, M %g, N %g: %g", degrees, M, N, found);
    assert_true((leaves ? cabs(w[5]) : cabs(w[4])) > one_d);
}

static void test_unsteady(void **state)
{
    (void)state;
    for (int leaves = 0; leaves < 2; leaves++)
        for (int n = 0; n < 3; n++) {
            const double N = 0.6 * (n - 1);
            check_unsteady(leaves, 0.3, N, 15, 2e-4, 0.01);
            check_unsteady(leaves, 0.3, N, 30, 1e-3, 0.05);
            check_unsteady(leaves, 0.5, N, 30, 2e-3, 0.05);
        }
    check_unsteady(1, 0.3, 0.2, 60, 1e-2, 0.3);
}

/* In a flow along the axis the conditions in time become the steady ones. */
static void test_steady_limit(void **state)
{
    (void)state;
    const struct an_giles_mean m = {rho, c, 0.4 * c, 0};
    const struct an_complex out[2] = {{3, -1}, {0.5, 2}};
    for (int leaves = 0; leaves < 2; leaves++) {
        struct an_giles_state s = {{{0, 0}}};
        struct an_complex in[2], wanted[2];
        for (int n = 0; n < 20000; n++)
            an_giles_step(&m, leaves, wave, 0.5 / (c * wave), out, out, &s);
        an_giles_entering(leaves, &s, in);
        an_giles_steady(&m, leaves, out, wanted);
        for (int n = 0; n < 2; n++)
            near(from(in[n]), from(wanted[n]), 1e-9);
    }
}

/* The trapezoidal rule is of second order, and stable with any step. */
static void test_steps(void **state)
{
    (void)state;
    const struct an_giles_mean m = {rho, c, 0.4 * c, 0.3 * c};
    double error[2];
    for (int n = 0; n < 2; n++) {
        const struct an_complex out[2] = {{3, -1}, {0.5, 2}};
        struct an_giles_state coarse = {{{1, 0}, {0, 2}}}, fine = coarse;
        const double dt = (n ? 0.05 : 0.1) / (c * wave);
        for (int k = 0; k < (n ? 40 : 20); k++)
            an_giles_step(&m, 0, wave, dt, out, out, &coarse);
        for (int k = 0; k < 2000; k++)
            an_giles_step(&m, 0, wave, 0.001 / (c * wave), out, out, &fine);
        error[n] = cabs(from(coarse.x[0]) - from(fine.x[0]));
    }
    assert_true(error[0] / error[1] > 3.8 && error[0] / error[1] < 4.2);
    for (int leaves = 0; leaves < 2; leaves++) {
        const struct an_complex none[2] = {{0, 0}, {0, 0}};
        struct an_giles_state s = {{{1, 0}, {0, 1}, {1, 1}}};
        for (int k = 0; k < 1000; k++)
            an_giles_step(&m, leaves, wave, 300 / (c * wave), none, none, &s);
        for (int k = 0; k < AN_GILES_STATES; k++)
            assert_true(cabs(from(s.x[k])) < 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady), cmocka_unit_test(test_unsteady),
        cmocka_unit_test(test_steady_limit), cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
