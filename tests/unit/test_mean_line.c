/* The mean line of rows whose shapes are given: continuity, Euler's equation, losses, choke, radial equilibrium. */
#include "solver/monitor/mean_line.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const double radian = 3.14159265358979323846 / 180;

static void near(double value, double exact, double tolerance)
{
    if (!(fabs(value - exact) <= tolerance))
        fail_msg("%.17g in place of %.17g", value, exact);
}

/* A row of an annulus of constant area and radius between x and x + 1, whose blades begin and end at two angles. */
static void make_row(struct an_row_shape *r, const char *name, double x, double omega, double in,
                     double out, double area)
{
    *r = (struct an_row_shape){.omega = omega, .blades = 30, .first = 8, .last = 24};
    snprintf(r->name, sizeof r->name, "%s", name);
    r->in = (struct an_flow_line){{x, 0.5}, {1, 0}};
    r->out = (struct an_flow_line){{x + 1, 0.5}, {1, 0}};
    for (int n = 0; n < AN_STATIONS; n++) {
        const double part = fmin(fmax((n - 8) / 16., 0), 1);
        r->area[n] = area;
        r->radius[n] = 0.5;
        r->length[n] = 1. / AN_STATIONS;
        r->angle[n] = n < 8 || n > 24 ? 0 : radian * (in + part * (out - in));
    }
}

/* A compressor stage. */
static struct an_mean_line stage(double p)
{
    struct an_mean_line m = {.shape = {.n = 2, .row = calloc(2, sizeof(struct an_row_shape))},
                             .row = calloc(2, sizeof(struct an_mean_row)),
                             .ends = {.gamma = 1.4, .R = 287, .p0 = 1e5, .T0 = 288, .p = p}};
    make_row(&m.shape.row[0], "rotor", 0, 400, -52, -38, 0.5);
    make_row(&m.shape.row[1], "stator", 1, 0, 30, 5, 0.46);
    an_mean_line_solve(&m);
    return m;
}

static void done(struct an_mean_line *m)
{
    free(m->shape.row);
    free(m->row);
}

static void a_stage_conserves(void **state)
{
    (void)state;
    struct an_mean_line m = stage(1.06e5);
    const double cp = 3.5 * 287;
    double power = 0;
    assert_true(m.known && !m.choked);
    near(m.p_out, 1.06e5, 20);
    for (int r = 0; r < 2; r++)
        for (int n = 0; n < AN_STATIONS; n++) {
            const struct an_mean_state *a = &m.row[r].at[n];
            const double Vt = a->moment / 0.5;
            /* continuity, with 2 % for boundary layers; definition of T0 */
            near(a->p / (287 * a->T) * a->Vm * 0.98 * m.shape.row[r].area[n], m.mass,
                 1e-6 * m.mass);
            near(a->T + 0.5 * (a->Vm * a->Vm + Vt * Vt) / cp, a->T0, 1e-6);
        }
    const struct an_mean_state *in = &m.row[0].at[0], *out = &m.row[0].at[AN_STATIONS - 1];
    power = m.mass * 400 * (out->moment - in->moment);
    near(m.row[0].power, power, 1e-6 * power);
    near(m.mass * cp * (out->T0 - in->T0), power, 1e-6 * power);
    assert_true(power > 0);
    near(m.row[0].blade_angle, -52, 1.5);
    near(m.row[1].at[AN_STATIONS - 1].T0, out->T0, 1e-9);
    /* losses: entropy rises through each row */
    const double s = cp * log(out->T / in->T) - 287 * log(out->p / in->p);
    assert_true(s > 0.5 && s < 20);
    done(&m);
}

static void choke_is_that_of_the_throat(void **state)
{
    (void)state;
    struct an_mean_line m = stage(0.5e5);
    assert_true(m.known && m.choked);
    assert_string_equal(m.shape.row[m.chokes].name, "rotor");
    /* 0.5 m2 cos 52, at the relative total state of the inlet: T0rel = T0 + U^2 / 2 cp, p0rel isentropic */
    const double T0 = 288 + 0.5 * 200 * 200 / (3.5 * 287), p0 = 1e5 * pow(T0 / 288, 3.5);
    const double flux = p0 * sqrt(1.4 / (287 * T0)) * pow(2 / 2.4, 3);
    near(m.most_mass, 0.98 * 0.5 * cos(52 * radian) * flux, 0.01 * m.most_mass);
    near(m.mass, 0.995 * m.most_mass, 1e-9);
    assert_true(m.p_out < m.p_choked); /* choked rows have more losses */
    done(&m);
}

static void a_pressure_beyond_stall_is_known(void **state)
{
    (void)state;
    struct an_mean_line m = stage(2e5);
    assert_true(m.known && m.most_p < 1.4e5 && m.most_p > 1.05e5);
    near(m.mass, m.most_p_mass, 0.02 * m.mass);
    done(&m);
}

static void a_mass_flow_is_taken(void **state)
{
    (void)state;
    struct an_mean_line m = stage(1e5);
    m.ends.mass_flow = 0.9 * m.most_mass;
    an_mean_line_solve(&m);
    near(m.mass, 0.9 * m.most_mass, 1e-9);
    m.ends.mass_flow = 0;
    m.ends.throttle_p = 0.9e5; /* a throttle: its pressure at the mass flow of the mean line */
    m.ends.throttle_mass = 0.9 * m.most_mass;
    m.ends.p = 1.05e5;
    an_mean_line_solve(&m);
    near(m.p_out, 0.9e5 + 0.15e5 * pow(m.mass / m.ends.throttle_mass, 2), 20);
    done(&m);
}

static void the_span_is_in_equilibrium(void **state)
{
    (void)state;
    struct an_mean_line m = stage(1.06e5);
    const double h = 1e-4;
    for (double r = 0.4; r < 0.65; r += 0.1) {
        double p[3], T, v[3][3];
        for (int n = 0; n < 3; n++) {
            const double x[3] = {0.9, 0.6 * (r + (n - 1) * h), 0.8 * (r + (n - 1) * h)};
            an_mean_line_at(&m, x, &p[n], &T, v[n]);
        }
        const double x[3] = {0.9, 0.6 * r, 0.8 * r};
        an_mean_line_at(&m, x, &p[1], &T, v[1]);
        const double Vt = 0.6 * v[1][2] - 0.8 * v[1][1], rho = p[1] / (287 * T);
        assert_true(Vt > 30); /* with the rotation */
        near((p[2] - p[0]) / (2 * h), rho * Vt * Vt / r, 1e-3 * rho * Vt * Vt / r);
        near(0.6 * v[1][1] + 0.8 * v[1][2], 0, 1e-9);
    }
    done(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stage_conserves),
        cmocka_unit_test(choke_is_that_of_the_throat),
        cmocka_unit_test(a_pressure_beyond_stall_is_known),
        cmocka_unit_test(a_mass_flow_is_taken),
        cmocka_unit_test(the_span_is_in_equilibrium),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
