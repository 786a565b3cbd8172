/* Anderson mixing away from a solver: its weights solve linear problems, its windows tell a stalled march
 * from one that converges. */
#include "solver/march/acceleration.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { N = 12 }; /* unknowns of the linear problem, in AN_MIX_COMPONENTS groups */

/* x -> G(x) = M x + b with rotations that do not decay (a limit cycle) and one that grows. */
static void iterate(const double *x, double *g)
{
    for (int n = 0; n < N; n += 2) {
        const double angle = 0.1 + 0.2 * n, size = n == 4 ? 1.02 : 1.0;
        g[n] = size * (cos(angle) * x[n] - sin(angle) * x[n + 1]) + 1 + n;
        g[n + 1] = size * (sin(angle) * x[n] + cos(angle) * x[n + 1]) - 0.3 * n;
    }
}

static int component(int n)
{
    return n % AN_MIX_COMPONENTS;
}

static void products(int pairs, const double *f, double (*df)[N], struct an_mix_products *p)
{
    memset(p, 0, sizeof *p);
    for (int n = 0; n < N; n++) {
        const int c = component(n);
        p->ff[c] += f[n] * f[n];
        for (int i = 0; i < pairs; i++) {
            p->fd[c][i] += f[n] * df[i][n];
            for (int j = 0; j < pairs; j++)
                p->dd[c][i][j] += df[i][n] * df[j][n];
        }
    }
}

/* Marches; returns |f| of the last step over that of the first. mixed: with the weights. */
static double march(int steps, int mixed)
{
    double x[N], g[N], f[N], last_f[N], last_g[N], first = 0, size = 0;
    double df[AN_MIX_PAIRS][N], dg[AN_MIX_PAIRS][N], y[AN_MIX_PAIRS];
    struct an_mix_products p;
    for (int n = 0; n < N; n++)
        x[n] = 0.5 * n;
    for (int k = 0; k < steps; k++) {
        iterate(x, g);
        size = 0;
        for (int n = 0; n < N; n++) {
            f[n] = g[n] - x[n];
            size += f[n] * f[n];
        }
        first = k == 0 ? size : first;
        for (int n = 0; k > 0 && n < N; n++) {
            df[(k - 1) % AN_MIX_PAIRS][n] = f[n] - last_f[n];
            dg[(k - 1) % AN_MIX_PAIRS][n] = g[n] - last_g[n];
        }
        memcpy(last_f, f, sizeof f);
        memcpy(last_g, g, sizeof g);
        const int pairs = k < AN_MIX_PAIRS ? k : AN_MIX_PAIRS;
        memcpy(x, g, sizeof x);
        products(pairs, f, df, &p);
        if (mixed && pairs && an_mix_weights(&p, pairs, y) < 1)
            for (int j = 0; j < pairs; j++)
                for (int n = 0; n < N; n++)
                    x[n] -= y[j] * dg[j][n];
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
    struct an_mix_products p = {.ff = {1}};
    double y[AN_MIX_PAIRS];
    assert_true(an_mix_weights(&p, 3, y) == 1); /* pairs of zeros */
    p.dd[0][0][0] = NAN;
    assert_true(an_mix_weights(&p, 1, y) == 1);
    assert_true(y[0] == 0);
    /* one pair that is f itself leaves nothing; half of f in another direction leaves that */
    struct an_mix_products q = {.ff = {1, 1}, .fd = {{1}, {0}}, .dd = {{{1}}, {{0}}}};
    assert_true(fabs(an_mix_weights(&q, 1, y) - 0.5) < 1e-9);
    assert_true(fabs(y[0] - 1) < 1e-9);
    /* the unit of a component does not matter */
    struct an_mix_products r = {.ff = {1e12, 1}, .fd = {{1e12}, {0}}, .dd = {{{1e12}}, {{0}}}};
    assert_true(fabs(an_mix_weights(&r, 1, y) - 0.5) < 1e-9);
}

/* Windows of samples that fall by `slope` decades a cycle; the verdicts in order. */
static enum an_accel_verdict window(struct an_accel_watch *w, double *level, double slope,
                                    int rounding)
{
    enum an_accel_verdict last = AN_ACCEL_GOES_ON;
    for (int n = 0; n < AN_ACCEL_SAMPLES; n++) {
        last = an_accel_watch_note(w, *level, rounding);
        *level += slope * AN_ACCEL_SAMPLE;
    }
    return last;
}

static void test_watch(void **state)
{
    (void)state;
    struct an_accel_watch w;
    double level = 0;
    an_accel_watch_reset(&w);
    for (int n = 0; n < 10; n++) /* converges: never */
        assert_int_equal(window(&w, &level, -0.01, 0), AN_ACCEL_GOES_ON);
    for (int n = 0; n < 10; n++) /* at rounding: never */
        assert_int_equal(window(&w, &level, 0, 1), AN_ACCEL_GOES_ON);
    assert_int_equal(window(&w, &level, 0, 0), AN_ACCEL_GOES_ON); /* one flat window is a dip */
    assert_int_equal(window(&w, &level, -0.01, 0), AN_ACCEL_GOES_ON);
    assert_int_equal(window(&w, &level, 0, 0), AN_ACCEL_GOES_ON); /* still below the one before */
    assert_int_equal(window(&w, &level, 0, 0), AN_ACCEL_GOES_ON);
    assert_int_equal(window(&w, &level, 0.001, 0), AN_ACCEL_BEGINS);
    for (int n = 0; n < 5; n++) /* it helps: it stays */
        assert_int_equal(window(&w, &level, -0.02, 0), AN_ACCEL_GOES_ON);
    level -= 1; /* a step down is a gain, too */
    assert_int_equal(window(&w, &level, 0, 0), AN_ACCEL_GOES_ON);
    assert_int_equal(window(&w, &level, 0, 0), AN_ACCEL_GOES_ON);
    assert_int_equal(window(&w, &level, 0, 0), AN_ACCEL_ENDS);
    assert_int_equal(w.tries, 1);
    assert_int_equal(window(&w, &level, 0, 0), AN_ACCEL_GOES_ON);
    assert_int_equal(window(&w, &level, 0, 0), AN_ACCEL_GOES_ON);
    assert_int_equal(window(&w, &level, 0, 0), AN_ACCEL_BEGINS); /* once more */
    assert_int_equal(window(&w, &level, 0.01, 0), AN_ACCEL_GOES_ON);
    assert_int_equal(window(&w, &level, 0, 0), AN_ACCEL_ENDS);
    for (int n = 0; n < 5; n++)
        assert_int_equal(window(&w, &level, 0, 0), AN_ACCEL_GOES_ON);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limit_cycle),
        cmocka_unit_test(test_weights_refuse),
        cmocka_unit_test(test_watch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
