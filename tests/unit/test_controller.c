/* The controller of the CFL number on residual histories made by formulas. Each test feeds samples (mean of log10
 * of the norms), seven to a window, and counts what the controller does. */
#include "solver/march/controller.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { WINDOW = 7, STEP = 5 }; /* samples of a window; iterations between samples */
static const double pi = 3.14159265358979323846;

struct seen {
    int of[AN_CONTROL_UNDONE + 1];
    int first[AN_CONTROL_UNDONE + 1]; /* sample at which it was seen first; -1: never */
};

typedef double history(int sample, const struct an_control *c);

static struct seen feed(struct an_control *c, int n, history *of, double least, int may_try)
{
    struct seen s = {{0}, {0}};
    for (int m = 0; m <= AN_CONTROL_UNDONE; m++)
        s.first[m] = -1;
    for (int i = 0; i < n; i++) {
        const enum an_control_move m = an_control_note(c, of(i, c), WINDOW, least, may_try);
        s.first[m] = s.of[m]++ ? s.first[m] : i;
    }
    return s;
}

static int changes(const struct seen *s, int n)
{
    return n - s->of[AN_CONTROL_STAYS];
}

/* Between -1 and 1, without a pattern. */
static double noise(int i)
{
    uint32_t h = (uint32_t)i * 2654435761u;
    h = (h ^ h >> 16) * 0x45d9f3bu;
    h = (h ^ h >> 16) * 0x45d9f3bu;
    return 2 * ((h >> 8 & 0xffff) / 65535.0) - 1;
}

static void a_line_is_found(void **state)
{
    (void)state;
    double y[9];
    for (int i = 0; i < 9; i++)
        y[i] = 3 - 0.25 * i;
    struct an_line_fit f = an_line_fit(9, y);
    assert_true(fabs(f.rise + 2) < 1e-12 && f.error < 1e-12 && f.scatter < 1e-12);
    for (int i = 0; i < 9; i++)
        y[i] += i % 2 ? -0.1 : 0.1; /* the ends are both above: no slope of its own */
    f = an_line_fit(9, y);
    assert_true(fabs(f.rise + 2) < 1e-12);
    assert_true(fabs(f.scatter - sqrt(0.01 - 0.01 / 81)) < 1e-12);
    assert_true(fabs(f.error - 8 * sqrt(9 * f.scatter * f.scatter / 7 / 60)) < 1e-12);
}

/* After full multigrid: a deep dip, then a higher level from which the residual falls by an order in 200
 * iterations. The dip is never reached again. */
static double dips(int i, const struct an_control *c)
{
    (void)c;
    return i < 6 ? -3 + 0.4 * i : -0.6 - (i - 6) * STEP / 200.0;
}

static double falls_with_swings(int i, const struct an_control *c)
{
    (void)c;
    return -0.004 * i * STEP + 0.2 * sin(2 * pi * i * STEP / 55) + 0.05 * noise(i);
}

static void a_falling_residual_is_left_alone(void **state)
{
    (void)state;
    struct an_control c;
    an_control_forget(&c, 1);
    struct seen s = feed(&c, 80, dips, 0.01, 1);
    assert_int_equal(changes(&s, 80), 0);
    an_control_forget(&c, 1);
    s = feed(&c, 200, falls_with_swings, 0.01, 1);
    assert_int_equal(changes(&s, 200), 0);
    assert_true(c.caution == 1);
}

/* Falls, grows by a decade in 50 iterations while the CFL number is above a quarter, falls below. */
static double grows(int i, const struct an_control *c)
{
    static double level;
    level = i == 0 ? 0 : level + (c->caution > 0.3 && i > 20 ? 0.1 : -0.05);
    return level + 0.01 * noise(i);
}

static void growth_halves_and_the_fall_takes_it_back(void **state)
{
    (void)state;
    struct an_control c;
    an_control_forget(&c, 1);
    struct seen s = feed(&c, 160, grows, 1e-3, 1);
    assert_true(s.of[AN_CONTROL_HALVED] >= 2);
    assert_true(s.first[AN_CONTROL_HALVED] > 20);
    assert_true(s.first[AN_CONTROL_HALVED] <=
                20 + 16); /* what it fell by, then 0.3 above the highest */
    assert_true(s.of[AN_CONTROL_DOUBLED] >= 1);
    assert_true(c.caution <= 0.25); /* 0.5 was shown to grow twice */
    const double most = c.most;
    assert_true(most <= 0.25);
    c.n = 0;
    s = feed(&c, 100, falls_with_swings, 1e-3, 1);
    assert_true(c.caution == most);
    assert_int_equal(s.of[AN_CONTROL_HALVED], 0);
}

/* One sample a decade above the others, which lie on a line that falls. */
static double jumps_once(int i, const struct an_control *c)
{
    (void)c;
    return -0.001 * i + (i == 25);
}

static void a_single_outlier_is_no_growth(void **state)
{
    (void)state;
    struct an_control c;
    an_control_forget(&c, 1);
    struct seen s = feed(&c, 36, jumps_once, 1e-3, 0);
    assert_int_equal(changes(&s, 36), 0);
}

static double cycles(int i, const struct an_control *c)
{
    (void)c;
    return -2 + 0.3 * sin(2 * pi * i * STEP / 55) + 0.05 * noise(i);
}

/* No CFL number cures this limit cycle: one trial, which is undone, then nothing. */
static void a_vain_trial_is_undone(void **state)
{
    (void)state;
    struct an_control c;
    an_control_forget(&c, 1);
    struct seen s = feed(&c, 400, cycles, 1e-3, 1);
    assert_int_equal(s.of[AN_CONTROL_TRIES], 1);
    assert_int_equal(s.of[AN_CONTROL_UNDONE], 1);
    assert_int_equal(s.of[AN_CONTROL_HALVED], 0);
    assert_true(s.first[AN_CONTROL_TRIES] >= 6 * (WINDOW - 1));
    assert_true(c.caution == 1 && c.trial == AN_TRIAL_FAILED);
    an_control_forget(&c, 1);
    s = feed(&c, 200, cycles, 1e-3, 0); /* something else comes first */
    assert_int_equal(changes(&s, 200), 0);
    an_control_forget(&c, 1);
    s = feed(&c, 200, cycles, 1, 1); /* march.cfl_min: 0 */
    assert_int_equal(changes(&s, 200), 0);
}

/* Stalls unless the CFL number is below a tenth. */
static double stalls(int i, const struct an_control *c)
{
    static double level;
    level = i == 0 ? 0 : level - (c->caution < 0.1 ? 0.05 : 0);
    return level + 0.05 * noise(i);
}

static void a_trial_that_helps_is_kept(void **state)
{
    (void)state;
    struct an_control c;
    an_control_forget(&c, 1);
    struct seen s = feed(&c, 200, stalls, 1e-3, 1);
    assert_int_equal(s.of[AN_CONTROL_TRIES], 1);
    assert_int_equal(changes(&s, 200), 1);
    assert_true(c.caution == 1.0 / 16 && c.most == c.caution && c.trial == AN_TRIAL_NONE);
    an_control_forget(&c, 1);
    (void)feed(&c, 200, stalls, 0.08, 1);
    assert_true(c.caution == 0.08); /* not below the least */
}

/* After a divergence the CFL number comes back, once. */
static void a_divergence_is_taken_back_once(void **state)
{
    (void)state;
    struct an_control c;
    an_control_forget(&c, 1);
    an_control_diverged(&c, 0.5);
    struct seen s = feed(&c, 40, falls_with_swings, 1, 1);
    assert_int_equal(s.of[AN_CONTROL_DOUBLED], 1);
    assert_true(s.first[AN_CONTROL_DOUBLED] < 3 * WINDOW && c.caution == 1);
    an_control_diverged(&c, 0.5);
    s = feed(&c, 40, falls_with_swings, 1, 1);
    assert_int_equal(changes(&s, 40), 0);
    assert_true(c.caution == 0.5);
}

/* A halved number at which the residual stalls did not help: it is restored. */
static void a_vain_halving_is_restored(void **state)
{
    (void)state;
    struct an_control c;
    an_control_forget(&c, 0.25);
    struct seen s = feed(&c, 40, cycles, 1e-3, 0);
    assert_int_equal(s.of[AN_CONTROL_RESTORED], 1);
    assert_true(c.caution == 1);
}

/* Falls, jumps up where the production of turbulence begins at sample 40, falls again. */
static double begins(int i, const struct an_control *c)
{
    (void)c;
    return i < 40 ? -0.05 * i : i < 60 ? -2 + 0.12 * (i - 40) : 0.4 - 0.05 * (i - 60);
}

/* The growth after a change of the equations halves the CFL number, unless the controller waits and
 * forgets what was before. */
static void growth_of_turbulence_is_no_fault(void **state)
{
    (void)state;
    struct an_control c;
    an_control_forget(&c, 1);
    struct seen s = feed(&c, 60, begins, 1e-3, 0);
    assert_true(s.of[AN_CONTROL_HALVED] > 0);
    an_control_forget(&c, 1);
    int moves = 0;
    for (int i = 0; i < 140; i++) {
        c.trial = i == 40 ? AN_TRIAL_RUNS : c.trial; /* the level of before would undo it */
        assert_true(i != 64 || c.trial == AN_TRIAL_NONE);
        if (an_control_waits(i, 40, 24))
            an_control_restart(&c);
        else
            moves += an_control_note(&c, begins(i, &c), WINDOW, 1e-3, 0) != AN_CONTROL_STAYS;
    }
    assert_int_equal(moves, 0);
    assert_true(c.caution == 1 && c.trial == AN_TRIAL_NONE);
    assert_false(an_control_waits(39, 40, 24) || an_control_waits(64, 40, 24));
    assert_true(an_control_waits(40, 40, 24) && an_control_waits(63, 40, 24));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_is_found),
        cmocka_unit_test(a_falling_residual_is_left_alone),
        cmocka_unit_test(growth_halves_and_the_fall_takes_it_back),
        cmocka_unit_test(a_single_outlier_is_no_growth),
        cmocka_unit_test(a_vain_trial_is_undone),
        cmocka_unit_test(a_trial_that_helps_is_kept),
        cmocka_unit_test(a_divergence_is_taken_back_once),
        cmocka_unit_test(a_vain_halving_is_restored),
        cmocka_unit_test(growth_of_turbulence_is_no_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
