/* Steps of a speed line: as planned, halved toward a setting that fails, done when they are too
 * small. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "solver/app/map_steps.h"

/* Marches a line whose settings beyond `limit` fail, and some planned ones swing; the settings tried go to tried[]. */
static int swinging_line(struct an_map_steps s, double limit, int nswing, const double *swings,
                         double *tried)
{
    const int down = s.n > 1 && s.value[1] < s.value[0];
    double value;
    int n = 0;
    while (an_map_next(&s, &value)) {
        assert_true(n < 40);
        tried[n++] = value;
        const int good = down ? value >= limit : value <= limit;
        enum an_map_went went = good ? AN_MAP_KEPT : AN_MAP_FAILED;
        for (int k = 0; k < nswing; k++)
            went = value == swings[k] ? AN_MAP_RESTLESS : went;
        an_map_note(&s, value, went, 100);
    }
    return n;
}

static int line(struct an_map_steps s, double limit, double *tried)
{
    return swinging_line(s, limit, 0, NULL, tried);
}

static void expect(int n, const double *tried, int wanted, const double *value)
{
    assert_int_equal(n, wanted);
    for (int k = 0; k < n; k++)
        if (fabs(tried[k] - value[k]) > 1e-12)
            fail_msg("setting %d is %g, wanted %g", k, tried[k], value[k]);
}

static const double plan[4] = {1, 2, 3, 4};

static void test_all_good(void **state)
{
    (void)state;
    double tried[40];
    expect(line((struct an_map_steps){.n = 4, .value = plan}, 9, tried), tried, 4, plan);
}

/* 4 fails after 3: 3.5 is good, 3.75 fails, 3.625 is good; the next step would be a sixteenth. */
static void test_halving(void **state)
{
    (void)state;
    double tried[40];
    const double wanted[] = {1, 2, 3, 4, 3.5, 3.75, 3.625};
    expect(line((struct an_map_steps){.n = 4, .value = plan, .least = 0.125}, 3.7, tried), tried, 7,
           wanted);
    const double eighth[] = {1, 2, 3, 2.5, 2.25, 2.125};
    expect(line((struct an_map_steps){.n = 4, .value = plan}, 2, tried), tried, 6, eighth);
}

/* Where the first half step fails, the quarter steps that follow go on until they meet it. */
static void test_steps_stay(void **state)
{
    (void)state;
    double tried[40];
    const double wanted[] = {1, 2, 3, 2.5, 2.25, 2.375};
    expect(line((struct an_map_steps){.n = 4, .value = plan, .least = 0.125}, 2.4, tried), tried, 6,
           wanted);
}

static void test_down(void **state)
{
    (void)state;
    double tried[40];
    const double down[3] = {20, 19, 18}, wanted[] = {20, 19, 18, 18.5, 18.75, 18.625};
    const int n = line((struct an_map_steps){.n = 3, .value = down, .least = 0.125}, 18.6, tried);
    expect(n, tried, 6, wanted);
}

static void test_nothing_good(void **state)
{
    (void)state;
    double tried[40];
    assert_int_equal(line((struct an_map_steps){.n = 4, .value = plan}, 0, tried), 1);
}

/* A planned point that swings is left aside where the next planned one is kept. */
static void test_left_aside(void **state)
{
    (void)state;
    double tried[40];
    const double third[] = {3}, two[] = {2, 4}, last[] = {4}, first[] = {1};
    const struct an_map_steps s = {.n = 4, .value = plan};
    expect(swinging_line(s, 9, 1, third, tried), tried, 4, plan);
    expect(swinging_line(s, 9, 1, first, tried), tried, 1, plan); /* nothing to go on from */
    const double after[] = {1, 2, 3, 4, 3.5, 3.75, 3.875};        /* the last one has none behind */
    expect(swinging_line(s, 9, 1, last, tried), tried, 7, after);
    expect(swinging_line(s, 9, 2, two, tried), tried, 7, after);
}

/* Where the next planned point is not kept either, the search is that before the one left aside. */
static void test_search_after_aside(void **state)
{
    (void)state;
    double tried[40];
    const double swings[] = {3, 4};
    const double wanted[] = {1, 2, 3, 4, 2.5, 2.75, 2.875};
    const struct an_map_steps s = {.n = 4, .value = plan};
    expect(swinging_line(s, 3.5, 1, swings, tried), tried, 7, wanted); /* 4 stalls */
    expect(swinging_line(s, 9, 2, swings, tried), tried, 7, wanted);   /* 4 swings, too */
    const double down[] = {1, 2, 3, 4, 2.5, 2.25, 2.375};
    expect(swinging_line(s, 2.4, 1, swings, tried), tried, 7, down);
}

static void test_choke(void **state)
{
    (void)state;
    assert_true(an_map_is_choked(8.03, 0.9e5, 8.031, 1.0e5));
    assert_true(an_map_is_choked(8.03, 1.0e5, 8.028, 0.9e5));
    assert_false(an_map_is_choked(8.03, 1.0e5, 8.028, 1.005e5)); /* the same point, nearly */
    assert_false(an_map_is_choked(8.03, 1.2e5, 8.00, 1.3e5));
    assert_false(an_map_is_choked(0, 0, 8.00, 1.3e5)); /* the first point */
}

/* Pressures behind the rows of TFD-4AC at 90 and 100 kPa, where R4 is choked, and what does not tell it. */
static void test_choked_row(void **state)
{
    (void)state;
    const double before[] = {46700, 57500, 67300, 81900, 91100, 110200, 120000, 101000, 90000};
    double now[] = {46700, 57501, 67300, 81902, 91098, 110190, 120020, 108000, 100000};
    assert_int_equal(an_map_choked_row(9, before, now), 7);
    now[7] = 101100; /* the stator behind it */
    assert_int_equal(an_map_choked_row(9, before, now), 8);
    now[0] = 49000; /* all of the machine */
    assert_int_equal(an_map_choked_row(9, before, now), 0);
    now[3] = NAN;
    assert_int_equal(an_map_choked_row(9, before, now), -1);
    assert_int_equal(an_map_choked_row(9, before, before), -1);
}

/* Ten points of 400 iterations and one that fails: the search may take 30 % of all. A point left aside is not of the search. */
static void test_search(void **state)
{
    (void)state;
    double settings[40];
    for (int n = 0; n < 40; n++)
        settings[n] = n;
    struct an_map_steps s = {.n = 40, .value = settings};
    const struct an_map_effort *e = &s.effort;
    for (int n = 0; n < 10; n++)
        an_map_note(&s, n, AN_MAP_KEPT, 400);
    assert_false(an_map_has_searched(e));
    assert_true(an_map_search_left(e) == INT64_MAX);
    struct an_map_steps other = s;
    an_map_note(&other, 10, AN_MAP_RESTLESS, 3000);
    assert_true(an_map_search_left(&other.effort) == INT64_MAX);
    assert_false(an_map_has_searched(&other.effort));
    an_map_note(&other, 11, AN_MAP_RESTLESS, 3000);
    assert_int_equal(an_map_search_left(&other.effort), 4285); /* 4285 of 14285 */
    an_map_note(&s, 10, AN_MAP_FAILED, 800);
    assert_int_equal(an_map_search_left(e), 2057); /* 2057 of 6857 */
    int steps = 0;
    for (; !an_map_has_searched(e); steps++)
        an_map_note(&s, 9, steps % 2 ? AN_MAP_KEPT : AN_MAP_FAILED, 600);
    assert_int_equal(steps, 3);
    assert_true((double)e->search <= 0.3 * (double)e->all);
    s = (struct an_map_steps){.n = 40,
                              .value = settings}; /* one point, and one that fails at once */
    an_map_note(&s, 0, AN_MAP_KEPT, 3000);
    an_map_note(&s, 1, AN_MAP_FAILED, 100);
    assert_true(an_map_has_searched(e));
    s = (struct an_map_steps){
        .n = 40, .value = settings, .least = 0.1}; /* the user says how near */
    an_map_note(&s, 0, AN_MAP_KEPT, 3000);
    an_map_note(&s, 1, AN_MAP_FAILED, 100);
    assert_false(an_map_has_searched(e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_good),     cmocka_unit_test(test_halving),
        cmocka_unit_test(test_steps_stay),   cmocka_unit_test(test_down),
        cmocka_unit_test(test_nothing_good), cmocka_unit_test(test_choke),
        cmocka_unit_test(test_choked_row),   cmocka_unit_test(test_search),
        cmocka_unit_test(test_left_aside),   cmocka_unit_test(test_search_after_aside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
