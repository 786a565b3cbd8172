/* What steers a run, one step at a time against its formula: pressures of controlled outlets, the face of
 * an outlet on a cone, targets of a mixing plane, rules that stop a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "bc/mixing_plane.h"
#include "solver/boundary/control_set.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/march/settling.h"
#include "solver/march/stop.h"

static const double R = 287;

static void near(double is, double wanted, double part)
{
    if (!(fabs(is - wanted) <= part * fmax(fabs(wanted), 1e-3)))
        fail_msg("%.15g, wanted %.15g", is, wanted);
}

/* ---- outlets ---- */

/* Sums over an outlet of 2 m2 with that mass flow; p0 and T0 by mass. */
static void sums(double mass, double p, double p0, double T0, double t[AN_NINTEGRAL])
{
    memset(t, 0, AN_NINTEGRAL * sizeof *t);
    t[AN_I_MASS] = mass;
    t[AN_I_AREA] = 2;
    t[AN_I_PA] = 2 * p;
    t[AN_I_MP0] = mass * p0;
    t[AN_I_MT0] = mass * T0;
}

/* An outlet, boundary 0, and an inlet. */
static struct an_case controlled;
static struct an_bc_value controlled_boundary[2] = {{.type = AN_BC_OUTLET_STATIC},
                                                    {.type = AN_BC_INLET_TOTAL}};
static struct an_mesh controlled_mesh = {.topology = {.nboundary = 2}};

static struct an_solver controlled_solver(int implicit)
{
    controlled.gas.model = an_gas_perfect(R, 1.4);
    return (struct an_solver){.c = &controlled,
                              .mesh = &controlled_mesh,
                              .boundary = controlled_boundary,
                              .implicit = implicit};
}

/* dp = 0.25 rho V^2 (e - e before) + 0.05 rho V^2 e, e = m / wanted - 1, at most 2 %; the same for a compressor, whatever the march. */
static void test_mass_flow(void **state)
{
    (void)state;
    double total[2][AN_NINTEGRAL], *t = total[0];
    const struct an_solver s = controlled_solver(1);
    sums(-2.6, 0.7e5, 0.8e5, 300, total[1]);
    struct an_control_entry o = {.sectors = 12,
                                 .sign = 1,
                                 .mass_wanted = 30,
                                 .gain = 0.8,
                                 .p = 1e5,
                                 .error = NAN,
                                 .speed = 1,
                                 .mass = NAN};
    const double p0 = 1.2e5, q2 = 1.4 * 1e5 * 5 * (pow(p0 / 1e5, 1 / 3.5) - 1);
    sums(2.6, 1e5, p0, 330, t);
    an_control_steer_outlet(&s, &o, total);
    const double e1 = 12 * 2.6 / 30 - 1, p1 = 1e5 + 0.8 * q2 * 0.05 * e1;
    near(o.p, p1, 1e-13);
    near(o.mass, 31.2, 1e-13);
    sums(2.55, 1e5, p0, 330, t);
    an_control_steer_outlet(&s, &o, total);
    const double e2 = 12 * 2.55 / 30 - 1, p2 = p1 + 0.8 * q2 * (0.25 * (e2 - e1) + 0.05 * e2);
    near(o.p, p2, 1e-13);
    near(o.error, e2, 1e-12);
    sums(9, 1e5, p0, 330, t);
    an_control_steer_outlet(&s, &o, total);
    near(o.p, 1.02 * p2, 1e-13);
    sums(NAN, 1e5, p0, 330, t);
    an_control_steer_outlet(&s, &o, total);
    near(o.p, 1.02 * p2, 0);
}

/* Where the flow expands, the integral part is half of the ellipse (p0^2 - p^2) / p with implicit cycles, at most 1.75
 * sqrt(p rho V^2), and 0.05 of it with explicit iterations. */
static void test_expansion(void **state)
{
    (void)state;
    const double p = 1e5, q2 = 1.4 * p * 5 * (pow(1.2, 1 / 3.5) - 1), wave = 1.75 * sqrt(p * q2);
    const double p0[3] = {1.3e5, 2.0e5, 1.6e5};
    const double wanted[3] = {0.5 * (1.69 - 1) * 1e5, wave, 0.05 * (2.56 - 1) * 1e5};
    for (int n = 0; n < 3; n++) {
        const struct an_solver s = controlled_solver(n < 2);
        struct an_control_entry o = {.sectors = 1,
                                     .sign = 1,
                                     .mass_wanted = 2.5,
                                     .gain = 1,
                                     .p = p,
                                     .error = NAN,
                                     .speed = 1};
        double total[2][AN_NINTEGRAL];
        sums(2.51, p, 1.2e5, 330, total[0]);
        sums(-2.51, 1.2e5, p0[n], 400, total[1]);
        an_control_steer_outlet(&s, &o, total);
        near(o.p - p, wanted[n] * (2.51 / 2.5 - 1), 1e-9);
        /* far off: half a per cent more than without an ellipse */
        sums(2.51 * 1.1, p, 1.2e5, 330, total[0]);
        o.p = p, o.error = NAN;
        an_control_steer_outlet(&s, &o, total);
        near(o.p - p, fmin(wanted[n] * (2.761 / 2.5 - 1), 0.05 * q2 * (2.761 / 2.5 - 1) + 500),
             1e-9);
        /* the flow at the outlet answers at once, and more than in the end: the gain falls until it follows */
        for (int k = 0; k < 200; k++) {
            const double off = (o.p - p) / 0.3e5;
            sums(2.5 * (1 + 0.01 - off), p, 1.2e5, 330, total[0]);
            an_control_steer_outlet(&s, &o, total);
        }
        near(o.p - p, 0.01 * 0.3e5, 1e-6);
    }
}

/* Throttle: towards p_behind + (p_set - p_behind) (m / m_set)^2, in steps that grow while they do not help. */
static void test_throttle(void **state)
{
    (void)state;
    double total[2][AN_NINTEGRAL], *t = total[0];
    const struct an_solver s = controlled_solver(1);
    sums(-4.5, 1.4e5, 1.5e5, 300, total[1]);
    struct an_control_entry o = {.sectors = 1,
                                 .sign = 1,
                                 .mass_set = 5,
                                 .p_set = 1.3e5,
                                 .p_behind = 0.9e5,
                                 .gain = 0.5,
                                 .p = 1.2e5,
                                 .error = NAN,
                                 .speed = 1,
                                 .growth = 0.1};
    sums(4.5, 1.2e5, 1.4e5, 350, t);
    const double ellipse = (1.5 * 1.5 - 1.2 * 1.2) / 1.2 * 1e5; /* larger than rho V^2 */
    const double wanted = 0.9e5 + 0.4e5 * 0.81, most = 1 + 2 * (wanted - 0.9e5) / ellipse;
    double p = 1.2e5;
    /* the mass flow does not answer: longer steps, up to those of a flow without an answer */
    for (int n = 0; n < 40; n++) {
        an_control_steer_outlet(&s, &o, total);
        p += 0.5 * 0.1 * (wanted - p) * fmin(pow(1.1, n), most) / most;
        near(o.p, p, 1e-12);
    }
    assert_true(o.speed < 1.0000001 * most && o.speed > 0.9999999 * most);
    /* beyond the line: begins anew, and grows by half as much */
    sums(4.3, 1.2e5, 1.4e5, 350, t);
    const double other = 0.9e5 + 0.4e5 * 0.86 * 0.86, slow = 1 + 2 * (other - 0.9e5) / ellipse;
    for (int n = 0; n < 3; n++) {
        an_control_steer_outlet(&s, &o, total);
        p += 0.5 * 0.1 * (other - p) * pow(1.05, n) / slow;
        near(o.p, p, 1e-12);
    }
}

/* An inlet moves its total pressure the other way; the scale is the largest rho V^2 of the openings that gas
 * passes one way, at most p0, or the ellipse (p0^2 - p^2) / p0. */
static void test_inlet(void **state)
{
    (void)state;
    static struct an_case c;
    static struct an_mesh mesh;
    static struct an_solver s;
    double total[3][AN_NINTEGRAL];
    c.gas.model = an_gas_perfect(R, 1.4);
    mesh.topology.nboundary = 3;
    s.c = &c, s.mesh = &mesh;
    struct an_control_entry o = {.boundary = 0,
                                 .sectors = 12,
                                 .sign = -1,
                                 .mass_wanted = 30,
                                 .gain = 0.8,
                                 .p = 1.2e5,
                                 .error = NAN,
                                 .speed = 1,
                                 .mass = NAN};
    const double q2 = 1.4 * 1e5 * 5 * (pow(1.19, 1 / 3.5) - 1);
    sums(-2.6, 1.15e5, 1.2e5, 330, total[0]);
    sums(2.6, 1e5, 1.19e5, 330, total[1]); /* the fastest */
    sums(1e-3, 1e5, 3e5, -330, total[2]);  /* gas enters and leaves */
    an_control_steer_inlet(&s, &o, total);
    const double ellipse = (1.2 * 1.2 - 1) / 1.2 * 1e5, e = 12 * 2.6 / 30 - 1;
    assert_true(ellipse > q2);
    const double p1 = 1.2e5 - 0.8 * ellipse * 0.05 * e;
    near(o.p, p1, 1e-13);
    near(o.mass, 31.2, 1e-13);
    near(o.error, e, 1e-12);
    sums(1e-3, 1e5, -3e5, 330, total[2]);
    sums(2.6, 1e5, 1e7, 330, total[1]); /* rho V^2 above p0 */
    an_control_steer_inlet(&s, &o, total);
    near(o.p, p1 - 0.8 * p1 * 0.05 * e, 1e-13);
    const double p2 = o.p;
    sums(-0.1, 1e5, 1e5, 330, total[0]);
    an_control_steer_inlet(&s, &o, total);
    near(o.p, 1.02 * p2, 1e-13);
    sums(NAN, 1e5, 1e5, 330, total[0]);
    an_control_steer_inlet(&s, &o, total);
    near(o.p, 1.02 * p2, 1e-13);
}

/* A face on a cone: the mean velocity along its normal has an axial and a radial part. */
static void test_cone(void **state)
{
    (void)state;
    double radius[2] = {0.5, 0.7}, rise[2] = {100, 300}, p[2] = {1e5, 1.02e5}, u[2] = {120, 100},
           v[2] = {30, 50}, value[AN_BC_NVALUE] = {0};
    struct an_band_group group = {.first = 0, .n = 2};
    struct an_bands bands = {.n = 2, .ngroup = 1, .group = &group, .radius = radius};
    const struct an_control k = {.bands = &bands, .rise = rise, .mean = {p, u, v}};
    const struct an_control_entry o = {.p = 0.98e5, .non_reflecting = 1, .group = 0};
    struct an_control_face f = {.k = &k, .o = &o};
    /* at r = 0.55, a quarter of the way; the area leans by 20 degrees */
    const double area = 0.02, lean = 20 / 57.295779513082321, around = 0.7;
    const struct an_face_place at = {
        .x = {1, 0.55 * cos(around), 0.55 * sin(around)},
        .s = {area * cos(lean), area * sin(lean) * cos(around), area * sin(lean) * sin(around)}};
    an_control_set_face(&f, &at, value);
    near(value[AN_BC_P], 0.98e5 + 150, 1e-13);
    near(value[AN_BC_WAVES], 1, 0);
    near(value[AN_BC_MEAN_P], 1.005e5, 1e-13);
    near(value[AN_BC_MEAN_U], 115 * cos(lean) + 35 * sin(lean), 1e-13);
    p[0] = NAN; /* nothing measured yet */
    an_control_set_face(&f, &at, value);
    near(value[AN_BC_WAVES], 0, 0);
}

/* ---- mixing planes ---- */

/* Turbulence goes where the flow goes: both variables of each side's target are those of the other side,
 * and what is not known stays. */
static void test_turbulence_passes(void **state)
{
    (void)state;
    const struct an_gas gas = an_gas_perfect(R, 1.4);
    struct an_mixing_side side[2];
    struct an_mixing_band band = {
        .target = {{1.2, {100, 0, 20}, 1e5, {1, 2}}, {1.2, {100, 0, 20}, 1e5, {3, 4}}}};
    for (int s = 0; s < 2; s++) {
        side[s] = (struct an_mixing_side){.area = 1,
                                          .mean = {1.2, {100, 0, 20}, 1e5, {5 + 2 * s, 6 + 2 * s}}};
        side[s].flux[0] = 120, side[s].flux[1] = 1.2e4 + 1e5, side[s].flux[3] = 2400;
        side[s].flux[4] = 120 * (3.5 * 1e5 / 1.2 + 0.5 * (100 * 100 + 20 * 20));
    }
    near(an_mixing_update(&band, side, &gas, 0.1), 0, 0);
    for (int k = 0; k < 2; k++) {
        near(band.target[0].turb[k], 7 + k, 0);
        near(band.target[1].turb[k], 5 + k, 0);
    }
    side[0].mean.turb[0] = side[0].mean.turb[1] = -1;
    (void)an_mixing_update(&band, side, &gas, 0.1);
    near(band.target[1].turb[1], 6, 0);
    near(band.target[0].p, 1e5, 0);
    near(band.target[1].u[2], 20, 0);
}

/* Adds part of a wave k of strength w to a state: entropy, shear (2), along n, against n. */
static void add_wave(struct an_mixing_state *q, int k, double w, double rho, double c, double part)
{
    if (k == 0)
        q->rho += part * w;
    else if (k < 3)
        q->u[k] += part * w;
    else {
        q->p += part * 0.5 * rho * c * w;
        q->rho += part * 0.5 * rho * w / c;
        q->u[0] += part * (k == 3 ? 0.5 : -0.5) * w;
    }
}

static void near_state(const struct an_mixing_state *is, const struct an_mixing_state *wanted)
{
    near(is->rho, wanted->rho, 1e-11);
    near(is->p, wanted->p, 1e-11);
    for (int k = 0; k < 3; k++)
        near(is->u[k] + 1000, wanted->u[k] + 1000, 1e-12);
}

/* One update against its formula: a gap of the fluxes that one wave makes moves the target of the side
 * where that wave enters, by gain times its strength over its speed; the other waves of a target follow
 * the mean of the other side. Two states close to each other, subsonic, flow along n and against it. */
static void test_gaps(void **state)
{
    (void)state;
    const struct an_gas gas = an_gas_perfect(R, 1.4);
    const double gain = 0.2, rho = 1.2, p = 1e5, c = sqrt(1.4 * p / rho), area = 1.5;
    for (int way = -1; way < 2; way += 2)
        for (int wave = 0; wave < 5; wave++) {
            const double u[3] = {way * 90., 10, -40};
            const double v = wave < 3 ? u[0] : wave == 3 ? u[0] + c : u[0] - c;
            const struct an_mixing_state mean = {rho, {u[0], u[1], u[2]}, p, {-1, -1}};
            struct an_mixing_band band = {.target = {mean, mean}, .backward = way < 0};
            struct an_mixing_side side[2] = {{.area = area, .mean = mean},
                                             {.area = area, .mean = mean}};
            /* the change of the conserved state of a wave of strength w per second is its gap */
            struct an_mixing_state d = {0, {0, 0, 0}, 0, {0, 0}};
            const double w = wave == 0 ? 1e-3 : 1e-2;
            add_wave(&d, wave, w, rho, c, 1);
            const double square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
            const double gap[5] = {d.rho, d.rho * u[0] + rho * d.u[0], d.rho * u[1] + rho * d.u[1],
                                   d.rho * u[2] + rho * d.u[2],
                                   d.p / 0.4 + 0.5 * square * d.rho +
                                       rho * (u[0] * d.u[0] + u[1] * d.u[1] + u[2] * d.u[2])};
            for (int k = 0; k < 5; k++) {
                side[0].flux[k] = area * (k == 1 ? p : 0) + 0.5 * area * gap[k];
                side[1].flux[k] = area * (k == 1 ? p : 0) - 0.5 * area * gap[k];
            }
            (void)an_mixing_update(&band, side, &gas, gain);
            struct an_mixing_state wanted[2] = {mean, mean};
            const int s = v > 0;
            add_wave(&wanted[s], wave, w / v, rho, c, s ? gain : -gain);
            near_state(&band.target[0], &wanted[0]);
            near_state(&band.target[1], &wanted[1]);
            /* no gap: a target that is off by this wave stays where the wave enters, else it follows */
            for (int k = 0; k < 5; k++)
                side[0].flux[k] = side[1].flux[k] = k == 1 ? area * p : 0;
            band = (struct an_mixing_band){.target = {mean, mean}, .backward = way < 0};
            for (int n = 0; n < 2; n++)
                add_wave(&band.target[n], wave, w, rho, c, 1);
            wanted[s] = band.target[s];
            wanted[!s] = mean;
            add_wave(&wanted[!s], wave, w, rho, c, 1 - gain);
            (void)an_mixing_update(&band, side, &gas, gain);
            near_state(&band.target[0], &wanted[0]);
            near_state(&band.target[1], &wanted[1]);
        }
}

/* The step between sides of unlike area bears the mean pressure; a large gap moves a target by 5 % at most. */
static void test_step_and_limit(void **state)
{
    (void)state;
    const struct an_gas gas = an_gas_perfect(R, 1.4);
    const struct an_mixing_state mean = {1.2, {90, 0, 0}, 1e5, {-1, -1}};
    struct an_mixing_band band = {.target = {mean, mean}};
    struct an_mixing_side side[2] = {{.area = 1.5, .mean = mean}, {.area = 1.6, .mean = mean}};
    side[0].flux[1] = 1.5e5;
    side[1].flux[1] = 1.6e5;
    near(an_mixing_update(&band, side, &gas, 0.2) + 1, 1, 1e-14);
    near_state(&band.target[0], &mean);
    near_state(&band.target[1], &mean);
    side[0].flux[0] = 400;
    (void)an_mixing_update(&band, side, &gas, 0.2);
    const double c = sqrt(1.4e5 / 1.2), most = fmax(fabs(band.target[1].rho / 1.2 - 1),
                                                    fmax(fabs(band.target[1].p / 1e5 - 1),
                                                         fabs(band.target[1].u[0] - 90) / c));
    near(most, 0.05, 1e-10);
}

/* ---- stopping ---- */

static void note_three(struct an_solver *s, const double value[3])
{
    double v[AN_NFIGURE];
    for (int n = 0; n < AN_NFIGURE; n++)
        v[n] = NAN;
    v[AN_FIGURE_MASS_FLOW] = value[0];
    v[AN_FIGURE_PRESSURE_RATIO] = value[1];
    v[AN_FIGURE_EFFICIENCY] = value[2];
    an_settling_note(s, v, 0, 0);
}

/* Settled: mass flow and pressure ratio by their spread over their mean, the efficiency by its spread; a
 * value that is no number never is. */
static void test_settled(void **state)
{
    (void)state;
    static struct an_case c;
    static struct an_solver s;
    static const struct an_component_type *const parts[] = {&an_settling_component, NULL};
    c.stop.mass_flow = 0.01, c.stop.pressure_ratio = 0.02, c.stop.efficiency = 0.003;
    c.stop.window = 30, c.output.history_every = 10; /* four lines */
    s.c = &c;
    s.components = parts;
    assert_int_equal(an_settling_component.make(&s, &s.component[0]), AN_OK);
    const double good[4][3] = {
        {20, 1.5, 0.900}, {20.19, 1.5, 0.902}, {20.1, 1.528, 0.901}, {20, 1.51, 0.9}};
    for (int n = 0; n < 4; n++) {
        assert_false(an_stop_holds(&s));
        note_three(&s, good[n]);
    }
    assert_true(an_stop_holds(&s));
    for (int m = 0; m < 3; m++)
        for (int what = 0; what < 2; what++) {
            static const double far[3] = {20.21, 1.532, 0.9035};
            double bad[3] = {20, 1.51, 0.9};
            bad[m] = what ? NAN : far[m];
            note_three(&s, bad);
            assert_false(an_stop_holds(&s));
            an_settling_forget(&s);
            for (int n = 0; n < 4; n++)
                note_three(&s, good[n]);
            assert_true(an_stop_holds(&s));
        }
    an_settling_component.destroy(&s, s.component[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_flow), cmocka_unit_test(test_expansion),
        cmocka_unit_test(test_throttle),  cmocka_unit_test(test_inlet),
        cmocka_unit_test(test_cone),      cmocka_unit_test(test_turbulence_passes),
        cmocka_unit_test(test_gaps),      cmocka_unit_test(test_step_and_limit),
        cmocka_unit_test(test_settled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
