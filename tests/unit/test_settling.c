/* Swings of a series, and whether the figures of a run have settled. */
#include "solver/app/device.h"
#include "solver/boundary/inlets.h"
#include "solver/level/component.h"
#include "solver/level/level.h"
#include "solver/march/settling.h"
#include "solver/march/stall.h"
#include "solver/march/stop.h"
#include "solver/march/swing.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

/* A swing on a slope that rises by forty times its amplitude. */
static void a_swing_on_a_slope_is_found(void **state)
{
    (void)state;
    double x[64];
    for (int i = 0; i < 64; i++)
        x[i] = 20 + 0.0625 * i + 0.1 * sin(2 * pi * i / 11);
    const struct an_swing w = an_swing_find(64, x);
    near(w.period, 11, 0.3);
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

/* Swings whose period changes all the time stay; drifts, growth, decay and a run that settles do not. */
static void what_stays_is_told(void **state)
{
    (void)state;
    double x[64];
    for (int i = 0; i < 64; i++)
        x[i] = 20 + 0.1 * sin(0.6 * i + 2 * sin(0.23 * i)) + 0.05 * noise(i);
    assert_true(an_swing_stays(64, x));
    assert_false(an_swing_stays(AN_SWING_LEAST3 - 1, x));
    for (int i = 0; i < 64; i++) /* the mean drifts by the whole amplitude */
        x[i] += 0.1 * i / 21.;
    assert_false(an_swing_stays(64, x));
    for (int i = 0; i < 64; i++)
        x[i] = 20 + 0.1 * exp(-i / 30.) * sin(1.1 * i);
    assert_false(an_swing_stays(64, x));
    for (int i = 0; i < 64; i++)
        x[i] = 20 + 0.1 * exp(i / 30.) * sin(1.1 * i);
    assert_false(an_swing_stays(64, x));
    for (int i = 0; i < 64; i++) /* one swing and a half */
        x[i] = 20 + sin(2 * pi * i / 42);
    assert_false(an_swing_stays(64, x));
}

/* Two periods of 10 steps alike; then with a drift, with a decay of a third a period, and with a slow
 * decay that only earlier periods show. */
static void periods_repeat_or_not(void **state)
{
    (void)state;
    double x[60];
    for (int i = 0; i < 60; i++)
        x[i] = 5 + sin(2 * pi * i / 10.);
    assert_true(an_swing_repeats(60, x, 10));
    assert_false(an_swing_repeats(19, x + 41, 10));
    for (int i = 0; i < 60; i++)
        x[i] = 5 + sin(2 * pi * i / 10.) + 0.1 * i;
    assert_false(an_swing_repeats(60, x, 10));
    for (int i = 0; i < 60; i++)
        x[i] = 5 + pow(2. / 3, i / 10.) * sin(2 * pi * i / 10.);
    assert_false(an_swing_repeats(20, x + 40, 10));
    for (int i = 0; i < 60; i++)
        x[i] = 5 + pow(0.8, i / 10.) * sin(2 * pi * i / 10.);
    assert_true(an_swing_repeats(20, x + 40, 10));
    assert_false(an_swing_repeats(60, x, 10));
}

/* Two series with a swing of 9 steps, each hidden under its own noise. */
static void a_common_period_is_found(void **state)
{
    (void)state;
    double x[2][64];
    for (int i = 0; i < 64; i++)
        for (int s = 0; s < 2; s++)
            x[s][i] = s + sin(2 * pi * i / 9. + s) + 0.5 * noise(97 * i + 31 * s);
    const double *const both[] = {x[0], x[1]};
    const struct an_swing w = an_swing_common(2, 64, both);
    near(w.period, 9, 0.3);
    for (int i = 0; i < 64; i++) /* the other series has none */
        x[1][i] = noise(i);
    assert_true(an_swing_common(2, 64, both).period == 0);
}

/* A solver that has this part only. */
static struct an_case c;
static double power_scale;
static struct an_solver s;

static void begin(int window)
{
    static const struct an_component_type *const parts[] = {&an_settling_component, NULL};
    c = (struct an_case){.march.mode = AN_MARCH_STEADY};
    c.stop.window = window;
    c.output.history_every = 10;
    s = (struct an_solver){.c = &c, .components = parts};
    power_scale = 0;
    assert_int_equal(an_settling_component.make(&s, &s.component[0]), AN_OK);
}

static void end(void)
{
    an_settling_component.destroy(&s, s.component[0]);
}

/* A line with a force along x and y only. */
static void note_with(double mass, double x, double y, double turbulence, double residual)
{
    double v[AN_NFIGURE];
    for (int n = 0; n < AN_NFIGURE; n++)
        v[n] = NAN;
    v[AN_FIGURE_MASS_FLOW] = mass;
    v[AN_FIGURE_FORCE_X] = x;
    v[AN_FIGURE_FORCE_Y] = y;
    v[AN_FIGURE_FORCE_Z] = 0;
    v[AN_FIGURE_RESIDUAL] = residual;
    v[AN_FIGURE_TURBULENCE] = log10(turbulence);
    an_settling_note(&s, v, power_scale, 0);
}

static void note(double mass, double x, double y, double turbulence)
{
    note_with(mass, x, y, turbulence, -3);
}

static void motions_are_ranges(void **state)
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
    near(m.moves[AN_FIGURE_MASS_FLOW], 0.02 / 20.01, 1e-9); /* over the mean */
    near(m.moves[AN_FIGURE_FORCE_X], 0.02 / 5, 2e-5);       /* over the size of the force */
    near(m.moves[AN_FIGURE_FORCE_Y], 0, 1e-12);
    assert_true(isnan(m.moves[AN_FIGURE_EFFICIENCY]));
    assert_int_equal(m.most, AN_FIGURE_FORCE_X);
    near(m.turbulence_drop, 0.25, 1e-12);
    near(m.late, 0.02 / 5, 1e-3); /* of the last seven lines */
    near(an_settling_moves(&s, AN_FIGURE_MASS_FLOW, 6), 0.01 / 20.015, 1e-9);
    near(an_settling_moves(&s, AN_FIGURE_MASS_FLOW, 100), 0.02 / 20, 1e-5); /* 21 lines */
    assert_true(isnan(an_settling_moves(&s, AN_FIGURE_EFFICIENCY, 6)));
    an_settling_forget(&s);
    assert_true(isnan(an_settling_moves(&s, AN_FIGURE_MASS_FLOW, 6)));
    for (int n = 0; n < 30; n++) /* a quick start, within the window */
        note(20 + 5 * exp(-n), 3, 4, 1);
    c.stop.window = 290;
    an_settling_find(&s, &m);
    assert_true(m.moves[AN_FIGURE_MASS_FLOW] > 0.05);
    assert_true(m.late < 1e-6);
    end();
}

/* A run of a few lines ends, and nothing is said of swings. */
static void few_lines_say_nothing(void **state)
{
    (void)state;
    struct an_motion m;
    begin(100);
    for (int n = 0; n < 15; n++) {
        an_settling_find(&s, &m);
        assert_int_equal(m.swings, AN_SWINGS_NOT);
        assert_int_equal(m.lines, n < 11 ? 0 : 11);
        note(20 + 0.1 * (n % 2), 3, 4, 1);
    }
    end();
}

/* Where each iteration is a line, a window of 100 iterations has more lines than the record: every fifth one
 * is kept. A window that fits keeps every line. */
static void long_windows_keep_every_nth_line(void **state)
{
    (void)state;
    static const int expected[][4] = {/* history_every, window, iterations, lines of the window */
                                      {1, 100, 5, 21}, {10, 100, 10, 11}, {1, 63, 1, 64},
                                      {1, 64, 4, 17},  {2, 1000, 48, 21}, {300, 100, 300, 2}};
    begin(100);
    for (int n = 0; n < 6; n++) {
        c.output.history_every = expected[n][0];
        c.stop.window = expected[n][1];
        assert_int_equal(an_settling_every(&s), expected[n][2]);
        assert_int_equal(an_settling_window(&s), expected[n][3]);
    }
    c.output.history_every = 1;
    c.stop.window = 100;
    for (int i = 0; i < 64; i++)
        note(20 + i, 3, 4, 1);
    assert_int_equal(an_stop_is_still(&s), 0);
    end();
}

/* A flow with one period, an irregular one, one whose residual alone swings, and those that are no
 * swings: a drift, a figure that stays while another drifts, a residual that falls. */
static void swings_are_told_from_drifts(void **state)
{
    (void)state;
    struct an_motion m;
    begin(100);
    for (int kind = 0; kind < 7; kind++) {
        static const enum an_swings expected[] = {
            AN_SWINGS_PERIOD, AN_SWINGS_IRREGULAR, AN_SWINGS_RESIDUAL, AN_SWINGS_NOT,
            AN_SWINGS_NOT,    AN_SWINGS_NOT,       AN_SWINGS_NOT};
        an_settling_forget(&s);
        for (int i = 0; i < 64; i++) {
            const double even = sin(2 * pi * i / 9.);
            const double uneven = sin(0.6 * i + 2 * sin(0.23 * i)) + 0.5 * noise(i);
            const double drift = 0.1 * i;
            const double mass[] = {even, uneven, 0, drift, uneven + drift, uneven, even};
            const double force[] = {even, uneven, 0, 0, 0, drift, even};
            note_with(20 + 0.1 * mass[kind], 3 + 0.1 * force[kind], 4, 1,
                      -3 + 0.2 * uneven - (kind == 6 ? 0.02 * i : 0));
        }
        an_settling_find(&s, &m);
        if (m.swings != expected[kind])
            fail_msg("kind %d: %d in place of %d", kind, m.swings, expected[kind]);
        if (kind == 0)
            near(m.period, 90, 2);
        else
            assert_true(m.period == 0);
        if (kind < 2)
            near(m.mean[AN_FIGURE_MASS_FLOW], 20, 0.02);
        if (kind == 1)
            assert_int_equal(m.stretch, 630);
        if (kind < 2)
            near(m.amplitude[AN_FIGURE_FORCE_X], kind ? 0.13 : 0.1, 0.02);
        assert_int_equal(an_motion_swings_by(&m, 0.01), kind < 2); /* by 0.5 and 0.65 % */
        assert_false(an_motion_swings_by(&m, 0.004));
    }
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
            v[figure[which]] = 7 + 0.9e-2 * (n & 1);
            an_settling_note(&s, v, 0, 0);
        }
        assert_true(an_stop_holds(&s));
        *rule[which] = 0.8e-2;
        assert_false(an_stop_holds(&s));
        *rule[which] = 0;
        *rule[(which + 1) % 3] = 1; /* of a figure that the run does not have */
        assert_false(an_stop_holds(&s));
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
            v[figure[which]] = -(102.5 + (n & 1)); /* 1 N m or W within the window */
            an_settling_note(&s, v, power_scale, 0);
        }
        c.stop.force = 0.011;
        assert_true(an_stop_holds(&s));
        c.stop.force = 0.009;
        assert_false(an_stop_holds(&s));
        double v[AN_NFIGURE]; /* once more than the power itself: a windmilling row */
        for (int m = 0; m < AN_NFIGURE; m++)
            v[m] = m >= AN_FIGURE_FORCE_X && m <= AN_FIGURE_FORCE_Z ? 1 : NAN;
        v[figure[which]] = -103;
        an_settling_note(&s, v, which ? 1000 : 0, which ? 0 : 1000);
        assert_true(an_stop_holds(&s));
        v[figure[which]] = -103.1;
        an_settling_note(&s, v, which ? 0 : 1000, which ? 1000 : 0); /* of the other figure */
        assert_false(an_stop_holds(&s));
        end();
    }
}

static void rules_hold_or_not(void **state)
{
    (void)state;
    begin(100);
    assert_false(an_stop_holds(&s)); /* no rule */
    c.stop.force = 1e-3;
    for (int n = 0; n < 20; n++)
        note(20, 3 + 2e-3 * (n & 1), 4, 1);
    assert_true(an_stop_holds(&s));
    note(20, 3.02, 4, 1);
    assert_false(an_stop_holds(&s));
    an_settling_forget(&s);
    assert_false(an_stop_holds(&s));
    for (int n = 0; n < 11; n++)
        note(20, 3, 4, 1e-3);
    assert_true(an_stop_holds(&s));
    c.stop.efficiency = 1e-3; /* a row without one in all of the window */
    assert_true(an_stop_holds(&s));
    c.stop.turbulence = 1e-2; /* of 1, in the lines that were forgotten */
    assert_true(an_stop_holds(&s));
    c.stop.turbulence = 1e-4;
    assert_false(an_stop_holds(&s));
    end();
}

/* A figure that creeps towards its value: what it moves by in a window says little about what is left. */
static void what_is_ahead_counts(void **state)
{
    (void)state;
    const double slow = 40, quick = 5; /* lines in which the distance falls to 1 / e */
    begin(100);
    c.stop.mass_flow = 1e-3;
    for (int n = 0; n < 20; n++)
        note(20 * (1 + 2e-3 * exp(-n / quick)), 3, 4, n ? 1e-3 : 1);
    assert_true(an_stop_holds(&s));
    near(an_settling_ahead(&s, AN_FIGURE_MASS_FLOW, 11), /* from the mean of the last three lines */
         2e-3 * (exp(-17 / quick) + exp(-18 / quick) + exp(-19 / quick)) / 3, 1e-8);
    an_settling_forget(&s);
    for (int n = 0; n < 20; n++)
        note(20 * (1 + 5e-3 * exp(-n / slow)), 3, 4, n ? 1e-3 : 1);
    assert_true(an_settling_moves(&s, AN_FIGURE_MASS_FLOW, 11) < 0.9e-3);
    near(an_settling_ahead(&s, AN_FIGURE_MASS_FLOW, 11), 9 * 5e-3 * exp(-16.5 / slow) * 3 / slow,
         1e-4);
    assert_false(an_stop_holds(&s));
    an_settling_forget(&s);
    for (int n = 0; n < 20; n++) /* without an end in sight: nine times the step of three lines */
        note(20 * (1 + 8e-5 * n), 3, 4, n ? 1e-3 : 1);
    assert_true(an_settling_moves(&s, AN_FIGURE_MASS_FLOW, 11) < 0.9e-3);
    near(an_settling_ahead(&s, AN_FIGURE_MASS_FLOW, 11), 9 * 8e-5 * 3, 1e-5);
    assert_false(an_stop_holds(&s));
    an_settling_forget(&s);
    for (int n = 0; n < 20; n++) /* to and fro */
        note(20 * (1 + 9e-4 * (n % 3 == 0)), 3, 4, n ? 1e-3 : 1);
    assert_true(an_stop_holds(&s));
    end();
}

/* Mixing holds a flow near a state that it leaves: nothing moves, but the turbulence's residual rises. */
static void a_flow_that_mixing_holds_does_not_count(void **state)
{
    (void)state;
    begin(100);
    c.stop.mass_flow = 1e-3;
    for (int rises = 0; rises < 2; rises++) {
        an_settling_forget(&s);
        for (int n = 0; n < 20; n++)
            note(20, 3, 4, 1e-3);
        assert_false(an_stop_would_hold(&s, 1, 1)); /* of 21 lines, which are two windows */
        assert_true(an_stop_would_hold(&s, 0, 1));
        for (int n = 0; n < 20; n++)
            note(20, 3, 4, 1e-3 * (rises ? pow(3, n / 20.) : 1 + 0.1 * noise(n)));
        for (int held = 0; held < 2; held++)
            assert_int_equal(an_stop_would_hold(&s, held, 1), !rises);
        assert_true(an_stop_would_hold(&s, 1, 0) && an_stop_would_hold(&s, 0, 0));
    }
    an_settling_forget(&s);
    for (int n = 0; n < 40; n++) /* a laminar start: lines without a residual of the turbulence */
        note(20, 3, 4, n < 5 ? NAN : 1e6 * pow(0.8, n));
    assert_true(an_stop_would_hold(&s, 1, 1));
    end();
    c = (struct an_case){
        .turbulence = {.model = AN_TURBULENCE_SST, .transition = AN_TRANSITION_GAMMA}};
    c.turbulence.laminar_start = 60;
    assert_true(an_case_is_laminar_at(&c, 60));
    assert_false(an_case_is_laminar_at(&c, 61));
    c.turbulence.transition = AN_TRANSITION_NONE;
    assert_false(an_case_is_laminar_at(&c, 60));
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
    assert_true(m.moves[AN_FIGURE_MASS_FLOW] < 2.3e-3);
    assert_false(an_stop_holds(&s));
    c.stop.mass_flow = 5.5e-3; /* more than the whole swing */
    assert_true(an_stop_holds(&s));
    c.stop.window = 170; /* a period and a half */
    assert_true(an_stop_holds(&s));
    c.stop.mass_flow = 4e-3;
    assert_false(an_stop_holds(&s));
    an_settling_forget(&s);
    c.stop.window = 70; /* seven tenths of the swing are seen, 85 % are allowed */
    c.stop.mass_flow = 4.25e-3;
    for (int n = 0; n < 60; n++)
        note(20 + 0.05 * cos(2 * pi * (n - 55.5) / 11), 3, 4, n ? 1e-3 : 1);
    assert_true(an_settling_moves(&s, AN_FIGURE_MASS_FLOW, 8) < 3.7e-3);
    assert_false(an_stop_holds(&s));
    an_settling_forget(&s);
    c.stop.window = 40;
    for (int n = 0; n < 60; n++) /* without rules: 0.05 % of the mass flow within the window */
        note(20 + 0.024 * cos(2 * pi * (n - 57) / 11), 3, 4, n ? 1e-3 : 1);
    assert_true(an_settling_moves(&s, AN_FIGURE_MASS_FLOW, 5) < AN_SETTLED_MOVES);
    assert_false(an_stop_is_still(&s));
    an_settling_forget(&s);
    for (int n = 0; n < 60; n++)
        note(20 + 0.009 * cos(2 * pi * (n - 57) / 11), 3, 4, n ? 1e-3 : 1);
    assert_true(an_stop_is_still(&s));
    end();
}

/* Figures within their limits over three windows while the residual does not fall; a residual that
 * falls, a figure that moved two windows ago, or too few lines say nothing of that kind. */
static void a_flow_stands_or_not(void **state)
{
    (void)state;
    begin(100);
    c.stop.mass_flow = 1e-2;
    for (int kind = 0; kind < 4; kind++) {
        an_settling_forget(&s);
        for (int n = 0; n < (kind == 3 ? 30 : 40); n++)
            note_with(20 + 0.05 * noise(n) + (kind == 2 && n < 20 ? 0.3 : 0), 3, 4, 1,
                      -4 + 0.3 * noise(n) - (kind == 1 ? 0.05 * n : 0));
        assert_int_equal(an_stop_stands(&s), kind == 0);
    }
    end();
}

/* A mass flow that falls from third to third, by a fifth from the first to the last; one that falls
 * and rises again does not count. */
static void a_falling_mass_flow_is_told(void **state)
{
    (void)state;
    struct an_motion m;
    begin(100);
    for (int n = 0; n < 60; n++)
        note(20 - 6 * n / 59., 3, 4, 1);
    an_settling_find(&s, &m);
    near(m.fell, 4. / 19, 0.01);
    an_settling_forget(&s);
    for (int n = 0; n < 60; n++)
        note(n < 20 ? 20 : n < 40 ? 10 : 12, 3, 4, 1);
    an_settling_find(&s, &m);
    assert_true(m.fell == 0);
    end();
}

/* A row that has come to rest in stall has lost its mass flow before the lines of the record. */
static void a_lost_mass_flow_is_told(void **state)
{
    (void)state;
    struct an_motion m;
    begin(100);
    for (int n = 0; n < 30; n++)
        note(5, 3, 4, 1);
    an_settling_find(&s, &m);
    assert_true(isnan(m.lost));
    an_settling_passes(&s, 16);
    an_settling_passes(&s, 20);
    an_settling_passes(&s, NAN);
    an_settling_passes(&s, 8);
    an_settling_find(&s, &m);
    near(m.lost, 0.75, 1e-12);
    assert_true(m.fell == 0);
    an_settling_forget(&s);
    note(5, 3, 4, 1);
    an_settling_passes(&s, 4);
    an_settling_find(&s, &m);
    assert_true(m.lost == 0);
    end();
}

/* A mass flow that falls is a stall, and one that was lost, unless the row runs well at rest. */
static void stalls_are_told(void **state)
{
    (void)state;
    const struct an_motion lost = {.lost = 0.45}, falls = {.lost = 0.3, .fell = 0.2};
    const struct an_motion new_keys = {.lost = NAN, .fell = 0.2}, keeps = {.lost = 0.35};
    struct an_stall_end end = {.settled = 1, .efficiency = 0.86};
    assert_false(an_stall_holds(&lost, &end)); /* passed more while it started */
    end.efficiency = 0.5;
    assert_true(an_stall_holds(&lost, &end));
    assert_false(an_stall_falls(&lost, &end));
    assert_false(an_stall_holds(&keeps, &end));
    end.efficiency = NAN; /* the flow reverses */
    assert_true(an_stall_holds(&lost, &end));
    end = (struct an_stall_end){.settled = -1, .efficiency = 0.86};
    assert_true(an_stall_holds(&lost, &end));
    assert_true(an_stall_falls(&falls, &end));
    assert_true(an_stall_falls(&new_keys, &end));
    end.starts = 1;
    assert_false(an_stall_holds(&new_keys, &end));
}

/* GPUs that stay idle are told with the numbers of ranks and GPUs. */
static void idle_gpus_are_told(void **state)
{
    (void)state;
    char text[AN_DEVICE_WARNING] = "old";
    assert_false(an_device_is_idle(8, 0, text));
    assert_string_equal(text, "");
    assert_false(an_device_is_idle(4, 4, text));
    assert_true(an_device_is_idle(8, 4, text));
    assert_non_null(strstr(text, "a node has 8 ranks, but only 4 GPUs"));
    assert_non_null(strstr(text, "start 4 ranks on each node, or set device: cuda"));
    assert_true(an_device_is_idle(2, 1, text));
    assert_non_null(strstr(text, "only 1 GPU,"));
    assert_non_null(strstr(text, "start 1 rank on"));
    assert_true(an_device_is_idle(100000, 99999, text));
    assert_true(strlen(text) + 1 < sizeof text && strstr(text, "share a GPU"));
}

/* Flow through the faces of an inlet: a face on the axis has no area, and no direction is wrong there. */
static void faces_without_area_let_nothing_through(void **state)
{
    (void)state;
    const double direction[3] = {0.9, 0.1, -0.2};
    assert_true(an_inlet_enters(direction, (const double[3]){-1e-9, 0, 0}));
    assert_false(an_inlet_enters(direction, (const double[3]){1e-9, 0, 0}));
    assert_false(an_inlet_enters(direction, (const double[3]){0, 2e-9, 1e-9}));
    assert_true(an_inlet_enters(direction, (const double[3]){0, 0, 0}));
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
    an_settling_passes(&s, 40);
    an_settling_find(&s, &before);
    near(before.lost, 0.5, 0.01);
    c.hash = meta.case_hash = 7;
    assert_int_equal(an_settling_component.keep(&s, s.component[0], &meta), AN_OK);
    an_settling_forget(&s);
    assert_int_equal(an_settling_component.take(&s, s.component[0], &meta), AN_OK);
    an_settling_find(&s, &after);
    assert_true(after.lost == before.lost);
    for (int n = 0; n < AN_NFIGURE; n++)
        assert_true(before.moves[n] == after.moves[n] ||
                    (isnan(before.moves[n]) && isnan(after.moves[n])));
    assert_true(before.period == after.period && before.turbulence_drop == after.turbulence_drop);
    c.hash = 8; /* a case with other keys, such as another pressure */
    assert_int_equal(an_settling_component.take(&s, s.component[0], &meta), AN_OK);
    an_settling_find(&s, &after);
    assert_true(isnan(after.lost));
    an_settling_passes(&s, 40); /* still the mass flow of the snapshot */
    an_settling_find(&s, &after);
    assert_true(isnan(after.lost));
    s.iteration = AN_SETTLING_START;
    an_settling_passes(&s, 25);
    an_settling_find(&s, &after);
    near(after.lost, 0.2, 0.01);
    an_snapshot_controls_free(&meta);
    c.hash = 7;
    c.stop.mass_flow = 0; /* without rules the lines are not kept, but the largest mass flow is */
    assert_int_equal(an_settling_component.keep(&s, s.component[0], &meta), AN_OK);
    near(an_snapshot_control_get(&meta, "settling.passed", 0), 25, 0);
    near(an_snapshot_control_get(&meta, "settling.mass_flow_kg_s.0", -1), -1, 0);
    an_snapshot_controls_free(&meta);
    end();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_swing_is_found),
        cmocka_unit_test(a_swing_on_a_slope_is_found),
        cmocka_unit_test(no_swing_is_found),
        cmocka_unit_test(what_stays_is_told),
        cmocka_unit_test(periods_repeat_or_not),
        cmocka_unit_test(a_common_period_is_found),
        cmocka_unit_test(motions_are_ranges),
        cmocka_unit_test(few_lines_say_nothing),
        cmocka_unit_test(long_windows_keep_every_nth_line),
        cmocka_unit_test(swings_are_told_from_drifts),
        cmocka_unit_test(rules_hold_or_not),
        cmocka_unit_test(what_is_ahead_counts),
        cmocka_unit_test(power_and_torque_hold_or_not),
        cmocka_unit_test(coefficients_hold_or_not),
        cmocka_unit_test(a_flow_that_mixing_holds_does_not_count),
        cmocka_unit_test(a_window_within_a_swing_does_not_count),
        cmocka_unit_test(a_flow_stands_or_not),
        cmocka_unit_test(a_falling_mass_flow_is_told),
        cmocka_unit_test(a_lost_mass_flow_is_told),
        cmocka_unit_test(stalls_are_told),
        cmocka_unit_test(idle_gpus_are_told),
        cmocka_unit_test(faces_without_area_let_nothing_through),
        cmocka_unit_test(a_record_holds_the_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
