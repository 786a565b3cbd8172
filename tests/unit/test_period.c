/* The stop rule on periods: a decaying swing is periodic once it decays little in a period; another
 * period, or a drift, is told. */
#include "solver/march/period.h"

#include "solver/level/component.h"
#include "solver/level/level.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double pi = 3.14159265358979323846;
static struct an_case c;
static struct an_solver s;

/* Lines of every fifth iteration, periods of 100 iterations, changes below 1 %, twice in a row. */
static void begin(void)
{
    static const struct an_component_type *const parts[] = {&an_period_component, NULL};
    c = (struct an_case){.march.mode = AN_MARCH_UNSTEADY};
    c.stop.period = 100;
    c.stop.period_change = 0.01;
    c.stop.periods = 2;
    c.output.history_every = 5;
    s = (struct an_solver){.c = &c, .components = parts};
    assert_int_equal(an_period_component.make(&s, &s.component[0]), AN_OK);
}

static void end(void)
{
    an_period_component.destroy(&s, s.component[0]);
}

/* Iteration at which the rule holds first for a force swinging about 3 N with this period, amplitude
 * and decay in 100 iterations, and a mass flow that drifts by this part of itself; -1: not within
 * 2000. */
static int64_t holds_at(double period, double decay, double drift)
{
    int64_t at = -1;
    begin();
    for (int64_t n = 1; n <= 2000 && at < 0; n++) {
        double v[AN_NFIGURE];
        for (int f = 0; f < AN_NFIGURE; f++)
            v[f] = NAN;
        const double t = (double)n;
        v[AN_FIGURE_MASS_FLOW] = 20 * (1 + drift * t / 100);
        v[AN_FIGURE_FORCE_X] = 3 + exp(-decay * t / 100) * sin(2 * pi * t / period);
        v[AN_FIGURE_FORCE_Y] = v[AN_FIGURE_FORCE_Z] = 0;
        an_period_note(&s, n, v);
        if (an_period_holds(&s))
            at = n;
    }
    end();
    return at;
}

static void periodic_flow_is_found(void **state)
{
    (void)state;
    /* two periods are needed to compare, the second comparison ends the third */
    assert_int_equal(holds_at(100, 0, 0), 300);
    assert_int_equal(holds_at(50, 0, 0), 300);
    /* exp(-t/100) (1 - exp(-1)) < 0.01 times 3 to 4: from t = 300 on the change is small enough */
    const int64_t at = holds_at(100, 1, 0);
    assert_in_range(at, 400, 600);
}

static void other_flow_is_not(void **state)
{
    (void)state;
    assert_int_equal(holds_at(130, 0, 0), -1);
    assert_int_equal(holds_at(100, 0, 0.02), -1);
    assert_int_equal(holds_at(100, 0, 0.005), 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periodic_flow_is_found),
        cmocka_unit_test(other_flow_is_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
