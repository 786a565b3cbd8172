/* Anderson mixing away from a solver: its weights solve linear problems, and its samples tell a stalled
 * march from one that converges. */
#include "solver/march/acceleration_watch.h"
#include "solver/march/mixing_weights.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N = 10 }; /* unknowns of the linear problem: fewer than cycles kept */

/* x -> G(x) = M x + b with rotations that do not decay (a limit cycle) and one that grows. */
static void iterate(const double *x, double *g)
{
    for (int n = 0; n < N; n += 2) {
        const double angle = 0.1 + 0.2 * n, size = n == 4 ? 1.02 : 1.0;
        g[n] = size * (cos(angle) * x[n] - sin(angle) * x[n + 1]) + 1 + n;
        g[n + 1] = size * (sin(angle) * x[n] + cos(angle) * x[n + 1]) - 0.3 * n;
    }
}

/* Marches; returns |f| of the last step over that of the first. mixed: with the weights. */
static double march(int steps, int mixed)
{
    double x[N], g[AN_MIX_CYCLES][N], f[AN_MIX_CYCLES][N], first = 0, size = 0;
    for (int n = 0; n < N; n++)
        x[n] = 0.5 * n;
    for (int k = 0; k < steps; k++) {
        double product[AN_MIX_CYCLES][AN_MIX_CYCLES], c[AN_MIX_CYCLES];
        const int kept = k < AN_MIX_CYCLES ? k + 1 : AN_MIX_CYCLES, now = kept - 1;
        if (k >= AN_MIX_CYCLES) { /* the oldest one goes */
            memmove(g, g + 1, sizeof g - sizeof *g);
            memmove(f, f + 1, sizeof f - sizeof *f);
        }
        iterate(x, g[now]);
        for (int n = 0; n < N; n++)
            f[now][n] = g[now][n] - x[n];
        for (int i = 0; i < kept; i++)
            for (int j = 0; j < kept; j++) {
                product[i][j] = 0;
                for (int n = 0; n < N; n++)
                    product[i][j] += f[i][n] * f[j][n];
            }
        size = product[now][now];
        first = k == 0 ? size : first;
        memcpy(x, g[now], sizeof x);
        if (mixed && an_mix_weights(kept, product, c) < 1)
            for (int j = 0; j < kept; j++)
                for (int n = 0; n < N; n++)
                    x[n] += c[j] * (g[j][n] - g[now][n]);
    }
    return sqrt(size / first);
}

static void test_limit_cycle(void **state)
{
    (void)state;
    assert_true(march(60, 0) > 0.5);  /* plain steps swing for ever */
    assert_true(march(60, 1) < 1e-8); /* mixed ones find the fixed point */
}

static void test_weights_refuse(void **state)
{
    (void)state;
    double c[AN_MIX_CYCLES], none[AN_MIX_CYCLES][AN_MIX_CYCLES] = {{0}};
    assert_true(an_mix_weights(3, none, c) == 1); /* cycles that change nothing */
    none[1][1] = NAN;
    none[0][0] = 1;
    assert_true(an_mix_weights(2, none, c) == 1);
    assert_true(c[0] == 0 && c[1] == 0);
    double one[AN_MIX_CYCLES][AN_MIX_CYCLES] = {{1}};
    assert_true(an_mix_weights(1, one, c) == 1); /* one cycle has no direction */
    /* f_1 = f_0 / 2: what is left is zero at f_1 - (f_0 - f_1), so c_0 = y_0 = -1 */
    double half[AN_MIX_CYCLES][AN_MIX_CYCLES] = {{4, 2}, {2, 1}};
    assert_true(an_mix_weights(2, half, c) < 1e-9);
    assert_true(fabs(c[0] + 1) < 1e-9 && c[1] == 0);
    /* f_0 and f_1 of one size and at right angles: half of |f_1|^2 is left */
    double right[AN_MIX_CYCLES][AN_MIX_CYCLES] = {{1, 0}, {0, 1}};
    assert_true(fabs(an_mix_weights(2, right, c) - 0.5) < 1e-9);
    assert_true(fabs(c[0] - 0.5) < 1e-9);
}

/* Four cycles whose residuals add up to zero with weights that are known. */
static void test_weights_are_exact(void **state)
{
    (void)state;
    const double weight[4] = {0.2, -0.5, 0.9, 0.4};
    double f[4][3] = {{1, 2, -1}, {0.5, -1, 2}, {2, 1, 1}}, c[AN_MIX_CYCLES];
    double product[AN_MIX_CYCLES][AN_MIX_CYCLES] = {{0}};
    for (int d = 0; d < 3; d++)
        for (int n = 0; n < 3; n++)
            f[3][d] -= weight[n] * f[n][d] / weight[3];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int d = 0; d < 3; d++)
                product[i][j] += f[i][d] * f[j][d];
    assert_true(an_mix_weights(4, product, c) < 1e-12);
    for (int n = 0; n < 3; n++)
        assert_true(fabs(c[n] - weight[n]) < 1e-6);
    assert_true(c[3] == 0);
}

/* `count` samples that fall by `slope` decades a cycle and swing by `swing` with a period of 60 cycles;
 * the first verdict that ends or begins the mixing. `anew` counts the times that it collects anew. */
static int anew, look = AN_ACCEL_LOOK;
static enum an_accel_verdict samples(struct an_accel_watch *w, double *level, int count,
                                     double slope, double swing, int rounding)
{
    for (int n = 0; n < count; n++) {
        const double phase = 2 * 3.141592653589793 * n * AN_ACCEL_SAMPLE / 60;
        const enum an_accel_verdict is =
            an_accel_watch_note(w, *level + swing * sin(phase), rounding, look);
        *level += slope * AN_ACCEL_SAMPLE;
        anew += is == AN_ACCEL_ANEW;
        if (is != AN_ACCEL_GOES_ON && is != AN_ACCEL_ANEW)
            return is;
    }
    return AN_ACCEL_GOES_ON;
}

static void test_watch_begins(void **state)
{
    (void)state;
    struct an_accel_watch w;
    double level = 0;
    an_accel_watch_reset(&w);
    assert_int_equal(samples(&w, &level, 60, -0.01, 0, 0), AN_ACCEL_GOES_ON);    /* converges */
    assert_int_equal(samples(&w, &level, 60, -0.005, 0.1, 0), AN_ACCEL_GOES_ON); /* and swings */
    assert_int_equal(samples(&w, &level, 60, 0.01, 0, 0), AN_ACCEL_GOES_ON);     /* grows */
    assert_int_equal(samples(&w, &level, 60, 0, 0, 1), AN_ACCEL_GOES_ON);        /* at rounding */
    an_accel_watch_reset(&w);
    assert_int_equal(samples(&w, &level, AN_ACCEL_LOOK + AN_ACCEL_FLAT - 2, 0, 0, 0),
                     AN_ACCEL_GOES_ON);
    assert_int_equal(samples(&w, &level, 1, 0, 0, 0), AN_ACCEL_BEGINS);
    assert_true(w.on && fabs(w.level - level) < 1e-12);
    an_accel_watch_reset(&w);
    assert_int_equal(samples(&w, &level, 40, 0, 0.15, 0), AN_ACCEL_BEGINS); /* a limit cycle */
    an_accel_watch_reset(&w); /* a larger one: the means of four samples swing */
    assert_int_equal(samples(&w, &level, AN_ACCEL_LONG + AN_ACCEL_FLAT - 2, 0, 0.4, 0),
                     AN_ACCEL_GOES_ON);
    an_accel_watch_reset(&w);
    assert_int_equal(samples(&w, &level, AN_ACCEL_LONG + AN_ACCEL_FLAT - 1, 0, 0.4, 0),
                     AN_ACCEL_BEGINS);
    assert_true(w.on && fabs(w.level - level) < 0.15);
    an_accel_watch_reset(&w);
    assert_int_equal(samples(&w, &level, 60, 0, 0.4, 1), AN_ACCEL_GOES_ON);
    an_accel_watch_reset(&w);
    assert_int_equal(samples(&w, &level, 60, -0.0025, 0.4, 0), AN_ACCEL_GOES_ON); /* converges */
}

/* Waves through many planes: the residual rests for 120 cycles, then falls. */
static void test_watch_waits_for_planes(void **state)
{
    (void)state;
    struct an_accel_watch w;
    assert_int_equal(an_accel_watch_look(0), AN_ACCEL_LOOK);
    assert_int_equal(an_accel_watch_look(1), AN_ACCEL_LOOK);
    assert_int_equal(an_accel_watch_look(3), AN_ACCEL_LOOK + 6);
    assert_int_equal(an_accel_watch_look(8), AN_ACCEL_LONG);
    assert_int_equal(an_accel_watch_look(20), AN_ACCEL_LONG);
    for (int planes = 1; planes < 9; planes += 7) {
        double level = 0;
        look = an_accel_watch_look(planes);
        an_accel_watch_reset(&w);
        const enum an_accel_verdict rests = samples(&w, &level, 12, 0, 0, 0);
        assert_int_equal(rests, planes == 1 ? AN_ACCEL_BEGINS : AN_ACCEL_GOES_ON);
        if (planes > 1)
            assert_int_equal(samples(&w, &level, 60, -0.01, 0, 0), AN_ACCEL_GOES_ON);
        if (planes > 1)
            assert_int_equal(samples(&w, &level, 60, 0, 0, 0), AN_ACCEL_BEGINS);
    }
    look = AN_ACCEL_LOOK;
}

static void begin(struct an_accel_watch *w, double *level, int tries)
{
    an_accel_watch_reset(w);
    w->tries = tries;
    assert_int_equal(samples(w, level, 40, 0, 0, 0), AN_ACCEL_BEGINS);
}

static void test_watch_ends(void **state)
{
    (void)state;
    struct an_accel_watch w;
    double level = 0;
    begin(&w, &level, 0);
    assert_false(an_accel_watch_exhausted(&w));
    anew = 0;
    assert_int_equal(samples(&w, &level, 100, -0.01, 0, 0), AN_ACCEL_GOES_ON); /* it helps */
    assert_int_equal(anew, 0);
    assert_int_equal(samples(&w, &level, 40, 0, 0, 0), AN_ACCEL_GOES_ON); /* rests lower: stays */
    assert_int_equal(anew, 40 / AN_ACCEL_SAMPLES / AN_ACCEL_IDLE); /* in every second window */
    assert_int_equal(samples(&w, &level, 40, 0, 0, 1), AN_ACCEL_GOES_ON); /* at rounding: never */
    assert_int_equal(anew, 40 / AN_ACCEL_SAMPLES / AN_ACCEL_IDLE);
    assert_int_equal(samples(&w, &level, 40, 0, 0, 0), AN_ACCEL_GOES_ON);
    assert_true(an_accel_watch_exhausted(&w));
    begin(&w, &level, 0);
    assert_int_equal(samples(&w, &level, 3 * AN_ACCEL_SAMPLES - 1, -0.001, 0, 0), AN_ACCEL_GOES_ON);
    assert_int_equal(samples(&w, &level, 1, 0, 0, 0), AN_ACCEL_ENDS); /* gained nothing */
    assert_int_equal(w.tries, 1);
    assert_false(w.on);
    begin(&w, &level, 0);
    assert_int_equal(samples(&w, &level, 40, 0.0005, 0, 0), AN_ACCEL_ENDS); /* hardly worse */
    begin(&w, &level, 1);
    assert_int_equal(samples(&w, &level, 40, 0.01, 0, 0), AN_ACCEL_ENDS_BACK); /* got worse */
    assert_int_equal(w.tries, AN_ACCEL_TRIES);
    assert_int_equal(samples(&w, &level, 100, 0, 0, 0), AN_ACCEL_GOES_ON); /* no more */
    assert_true(an_accel_watch_exhausted(&w));
}

/* A march that begins from a settled flow whose cycles were mixed. */
static void test_watch_again(void **state)
{
    (void)state;
    struct an_accel_watch w;
    double level = 0;
    begin(&w, &level, 1);
    level -= 3;
    assert_int_equal(samples(&w, &level, 6, 0, 0, 0), AN_ACCEL_GOES_ON);
    an_accel_watch_again(&w);
    assert_true(w.on && w.tries == 1 && w.level == level + 3 && w.n == 0 && w.poor == 0);
    assert_int_equal(samples(&w, &level, 100, 0, 0, 0),
                     AN_ACCEL_GOES_ON); /* it stands where it was */
    level += 3;
    assert_int_equal(samples(&w, &level, 9, 0, 0, 0), AN_ACCEL_ENDS); /* as high as it once began */
    assert_false(w.on);
    an_accel_watch_again(&w); /* plain cycles stay plain */
    assert_true(!w.on && w.tries == 0);
}

/* The next point of a map, after one that was mixed. */
static void test_watch_of_the_next_point(void **state)
{
    (void)state;
    struct an_accel_watch w;
    double level = 2;
    begin(&w, &level, 1);
    level -= 3;
    assert_int_equal(samples(&w, &level, 6, 0, 0, 0), AN_ACCEL_GOES_ON);
    an_accel_watch_again(&w); /* the point has settled */
    an_accel_watch_arm(&w);
    assert_true(w.on && !w.armed && w.tries == 0 && w.level == level + 3 && w.n == 0);
    level += 3;
    assert_int_equal(samples(&w, &level, 9, 0, 0, 0), AN_ACCEL_ENDS); /* as high as it once began */
    an_accel_watch_arm(&w);
    assert_true(!w.on && w.armed && w.tries == 0);
}

/* After points that plain cycles settled. */
static void test_watch_leaves(void **state)
{
    (void)state;
    struct an_accel_watch w;
    double level = 2;
    an_accel_watch_reset(&w);
    assert_int_equal(samples(&w, &level, 20, 0.1, 0, 0), AN_ACCEL_GOES_ON); /* the first point */
    an_accel_watch_arm(&w);
    assert_int_equal(samples(&w, &level, 30, -0.01, 0.15, 0), AN_ACCEL_GOES_ON);
    const double least = level;
    assert_int_equal(samples(&w, &level, 30, 0.01, 0, 1), AN_ACCEL_GOES_ON);
    an_accel_watch_arm(&w);
    level = least;
    assert_int_equal(samples(&w, &level, 1, 0, 0, 0), AN_ACCEL_GOES_ON);
    level = least + AN_ACCEL_LEAVES + 0.1;
    assert_int_equal(samples(&w, &level, 1, 0, 0, 0),
                     AN_ACCEL_GOES_ON); /* one alone: it may fall again */
    level = least;
    assert_int_equal(samples(&w, &level, 9, 0.01, 0, 0), AN_ACCEL_BEGINS); /* 0.1 a sample */
    assert_true(fabs(w.level - least - AN_ACCEL_LEAVES - 0.2) < 0.11 && w.n >= 8 && w.n <= 9);
}

/* The mixing of a machine of many rows has the time that its waves take. */
static void test_watch_is_patient(void **state)
{
    (void)state;
    struct an_accel_watch w;
    double level = 0;
    look = an_accel_watch_look(8);
    begin(&w, &level, 0);
    const int patience = AN_ACCEL_POOR * look / AN_ACCEL_LOOK;
    assert_int_equal(patience, 6);
    assert_int_equal(samples(&w, &level, (1 + patience) * AN_ACCEL_SAMPLES - 1, 0, 0, 0),
                     AN_ACCEL_GOES_ON);
    assert_int_equal(samples(&w, &level, 1, 0, 0, 0), AN_ACCEL_ENDS);
    look = AN_ACCEL_LOOK;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit_cycle),
        cmocka_unit_test(test_weights_refuse),
        cmocka_unit_test(test_weights_are_exact),
        cmocka_unit_test(test_watch_begins),
        cmocka_unit_test(test_watch_waits_for_planes),
        cmocka_unit_test(test_watch_ends),
        cmocka_unit_test(test_watch_again),
        cmocka_unit_test(test_watch_of_the_next_point),
        cmocka_unit_test(test_watch_leaves),
        cmocka_unit_test(test_watch_is_patient),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
