/* Swings of a series, and whether the figures of a run have settled. */
#include "solver/level/level.h"
#include "solver/level/part.h"
#include "solver/march/settling.h"
#include "solver/march/swing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;

/* Between -1 and 1, without a pattern. */
static double noise(int i)
{
    uint32_t h = (uint32_t)i * 2654435761u;
    h = (h ^ h >> 16) * 0x45d9f3bu;
    h = (h ^ h >> 16) * 0x45d9f3bu;
    return 2 * ((h >> 8 & 0xffff) / 65535.0) - 1;
}

static void near(double value, double exact, double tolerance)
{
    if (!(fabs(value - exact) <= tolerance))
        fail_msg("%.17g in place of %.17g", value, exact);
}

static void a_swing_is_found(void **state)
{
    (void)state;
    const double periods[] = {5.5, 11, 8.3, 20};
    for (int n = 0; n < 4; n++) {
        double x[64];
        for (int i = 0; i < 64;
             i++) /* the start of the flow, a trend, a swing with its harmonic, noise */
            x[i] = 20 + 3 * exp(-i / 4.0) + 0.001 * i + 0.1 * sin(2 * pi * i / periods[n]) +
                   0.02 * sin(4 * pi * i / periods[n] + 1) + 0.01 * noise(i);
        const struct an_swing s = an_swing_find(64, x);
        near(s.period, periods[n], 0.05 * periods[n]);
        near(s.mean, 20.06, 0.03);
        near(s.amplitude, 0.11, 0.025);
    }
}

static void no_swing_is_found(void **state)
{
    (void)state;
    double x[64];
    for (int i = 0; i < 64; i++)
        x[i] = 20 + 0.1 * noise(i);
    assert_true(an_swing_find(64, x).period == 0);
    for (int i = 0; i < 64; i++)
        x[i] = 20 + exp(-i / 10.0) + 1e-3 * noise(i);
    assert_true(an_swing_find(64, x).period == 0);
    for (int i = 0; i < 64; i++)
        x[i] = 20;
    assert_true(an_swing_find(64, x).period == 0);
    x[3] = NAN;
    assert_true(an_swing_find(64, x).period == 0);
    for (int i = 0; i < 64; i++) /* two thirds of a period show nothing that comes again */
        x[i] = sin(2 * pi * i / 96.0);
    const struct an_swing s = an_swing_find(64, x);
    assert_true(s.period == 0);
}

/* A solver that has this part only. */
static struct an_case c;
static struct an_solver s;

static void begin(int window)
{
    static const struct an_part_type *const parts[] = {&an_settling_part, NULL};
    c = (struct an_case){.march.mode = AN_MARCH_STEADY};
    c.stop.window = window;
    c.output.history_every = 10;
    s = (struct an_solver){.c = &c, .parts = parts};
    assert_int_equal(an_settling_part.make(&s, &s.part[0]), AN_OK);
}

static void end(void)
{
    an_settling_part.destroy(&s, s.part[0]);
}

/* A line with a force along x and y only. */
static void note(double mass, double x, double y, double turbulence)
{
    double v[AN_NFIGURE];
    for (int n = 0; n < AN_NFIGURE; n++)
        v[n] = NAN;
    v[AN_FIGURE_MASS_FLOW] = mass;
    v[AN_FIGURE_FORCE_X] = x;
    v[AN_FIGURE_FORCE_Y] = y;
    v[AN_FIGURE_FORCE_Z] = 0;
    v[AN_FIGURE_RESIDUAL] = -3;
    v[AN_FIGURE_TURBULENCE] = log10(turbulence);
    an_settling_note(&s, v);
}

static void motions_are_trend_and_half_the_swing(void **state)
{
    (void)state;
    struct an_motion m;
    begin(100);
    for (int n = 0; n < 10; n++)
        note(20, 3, 4, 1);
    an_settling_find(&s, &m);
    assert_int_equal(m.lines, 0); /* eleven make a window */
    for (int n = 0; n <= 10; n++)
        note(20 + 0.002 * n, 3 + (n % 2 ? 0.01 : -0.01), 4, n < 10 ? 1 : 0.25);
    an_settling_find(&s, &m);
    assert_int_equal(m.lines, 11);
    near(m.moves[AN_FIGURE_MASS_FLOW], 0.02 / 20.02, 1e-9);
    near(m.moves[AN_FIGURE_FORCE_X], 0.01 / 5, 1e-4); /* over the size of the force */
    near(m.moves[AN_FIGURE_FORCE_Y], 0, 1e-12);
    assert_true(isnan(m.moves[AN_FIGURE_EFFICIENCY]));
    assert_int_equal(m.most, AN_FIGURE_FORCE_X);
    near(m.turbulence_drop, 0.25, 1e-12);
    near(m.late, 0.01 / 5, 1e-3); /* of the last seven lines */
    an_settling_forget(&s);
    for (int n = 0; n < 30; n++) /* a quick start, within the window */
        note(20 + 5 * exp(-n), 3, 4, 1);
    c.stop.window = 290;
    an_settling_find(&s, &m);
    assert_true(m.moves[AN_FIGURE_MASS_FLOW] > 0.05);
    assert_true(m.late < 1e-6);
    end();
}

/* Coefficients are compared as they are. */
static void coefficients_hold_or_not(void **state)
{
    (void)state;
    const enum an_figure figure[3] = {AN_FIGURE_LIFT, AN_FIGURE_DRAG, AN_FIGURE_MOMENT};
    for (int which = 0; which < 3; which++) {
        begin(100);
        double *rule[3] = {&c.stop.lift, &c.stop.drag, &c.stop.moment};
        *rule[which] = 1e-2;
        for (int n = 0; n < 30; n++) {
            double v[AN_NFIGURE];
            for (int m = 0; m < AN_NFIGURE; m++)
                v[m] = NAN;
            v[figure[which]] = 7 + 0.9e-3 * n; /* a trend of 0.9e-2 over the window */
            an_settling_note(&s, v);
        }
        assert_true(an_settling_allows(&s));
        *rule[which] = 0.8e-2;
        assert_false(an_settling_allows(&s));
        *rule[which] = 0;
        *rule[(which + 1) % 3] = 1; /* of a figure that the run does not have */
        assert_false(an_settling_allows(&s));
        end();
    }
}

/* The rule on forces holds for the power of the walls, too; runs without rows have none. */
static void power_and_torque_hold_or_not(void **state)
{
    (void)state;
    const enum an_figure figure[2] = {AN_FIGURE_TORQUE, AN_FIGURE_POWER};
    for (int which = 0; which < 2; which++) {
        begin(100);
        for (int n = 0; n < 30; n++) {
            double v[AN_NFIGURE];
            for (int m = 0; m < AN_NFIGURE; m++)
                v[m] = m >= AN_FIGURE_FORCE_X && m <= AN_FIGURE_FORCE_Z ? 1 : NAN;
            v[figure[which]] = -(100 + 0.1 * n); /* a trend of 1 N m or W over the window */
            an_settling_note(&s, v);
        }
        c.stop.force = 0.011;
        assert_true(an_settling_allows(&s));
        c.stop.force = 0.009;
        assert_false(an_settling_allows(&s));
        end();
    }
}

static void rules_hold_or_not(void **state)
{
    (void)state;
    begin(100);
    assert_true(an_settling_allows(&s)); /* no rule */
    c.stop.force = 1e-3;
    for (int n = 0; n < 20; n++)
        note(20, 3 + 2e-4 * n, 4, 1);
    assert_true(an_settling_allows(&s));
    note(20, 3.02, 4, 1);
    assert_false(an_settling_allows(&s));
    an_settling_forget(&s);
    assert_false(an_settling_allows(&s));
    for (int n = 0; n < 11; n++)
        note(20, 3, 4, 1e-3);
    assert_true(an_settling_allows(&s));
    c.stop.turbulence = 1e-2; /* of 1, in the lines that were forgotten */
    assert_true(an_settling_allows(&s));
    c.stop.turbulence = 1e-4;
    assert_false(an_settling_allows(&s));
    end();
}

/* A swing of 110 iterations: a window of 40 about a crest hardly sees it. */
static void a_window_within_a_swing_does_not_count(void **state)
{
    (void)state;
    struct an_motion m;
    begin(40);
    c.stop.mass_flow = 4e-3;
    for (int n = 0; n < 60; n++)
        note(20 + 0.05 * cos(2 * pi * (n - 57) / 11), 3, 4, n ? 1e-3 : 1);
    an_settling_find(&s, &m);
    near(m.period, 110, 3);
    near(m.amplitude[AN_FIGURE_MASS_FLOW], 0.05, 0.003);
    near(m.mean[AN_FIGURE_MASS_FLOW], 20, 0.003);
    assert_true(m.moves[AN_FIGURE_MASS_FLOW] < 2e-3);
    assert_false(an_settling_allows(&s));
    assert_false(an_settling_is_still(&m, &s, 2e-3));
    c.stop.mass_flow = 6e-3; /* more than the whole swing */
    assert_true(an_settling_allows(&s));
    c.stop.mass_flow = 4e-3;
    c.stop.window = 170; /* a period and a half */
    assert_true(an_settling_allows(&s));
    an_settling_find(&s, &m);
    assert_true(an_settling_is_still(&m, &s, 4e-3));
    assert_false(an_settling_is_still(&m, &s, 2e-3));
    end();
}

/* The lines of a record are those that were kept. */
static void a_record_holds_the_lines(void **state)
{
    (void)state;
    static struct an_snapshot_meta meta;
    struct an_motion before, after;
    begin(100);
    c.stop.mass_flow = 1e-2;
    for (int n = 0; n < 50; n++)
        note(20 + 0.05 * cos(n), 3 + 0.01 * noise(n), 4, n ? 1e-3 : 1);
    an_settling_find(&s, &before);
    assert_int_equal(an_settling_part.keep(&s, s.part[0], &meta), AN_OK);
    an_settling_forget(&s);
    assert_int_equal(an_settling_part.take(&s, s.part[0], &meta), AN_OK);
    an_settling_find(&s, &after);
    for (int n = 0; n < AN_NFIGURE; n++)
        assert_true(before.moves[n] == after.moves[n] ||
                    (isnan(before.moves[n]) && isnan(after.moves[n])));
    assert_true(before.period == after.period && before.turbulence_drop == after.turbulence_drop);
    an_snapshot_controls_free(&meta);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_swing_is_found),
        cmocka_unit_test(no_swing_is_found),
        cmocka_unit_test(motions_are_trend_and_half_the_swing),
        cmocka_unit_test(rules_hold_or_not),
        cmocka_unit_test(power_and_torque_hold_or_not),
        cmocka_unit_test(coefficients_hold_or_not),
        cmocka_unit_test(a_window_within_a_swing_does_not_count),
        cmocka_unit_test(a_record_holds_the_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
