/* Places of points in a zone: a ring of stretched cells that nearly closes, as blocks round a blade do.
 *
 *   inside             the interpolated position is the point, to rounding
 *   beside a face      the values of the cells beside it
 *   outside            the distance, and the nearest place
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "solver/output/donor.h"

enum { NI = 60, NJ = 24, NK = 5 };
static const int n[3] = {NI, NJ, NK};

/* i around an ellipse-like ring (350 degrees), j away from it from 1e-5 of its size on, k along the axis. */
static void place(double i, double j, double k, double x[3])
{
    const double t = i / NI * 350 * acos(-1.) / 180, away = 1e-5 * (pow(1.5, j) - 1) / 0.5;
    x[0] = (1 + away) * cos(t) + 0.1 * k / NK;
    x[1] = (0.2 + away) * sin(t);
    x[2] = k * (1 + 0.1 * k) / NK;
}

static double *make(struct an_donor_zone *z)
{
    double *node = malloc(sizeof *node * 3 * (NI + 1) * (NJ + 1) * (NK + 1));
    const size_t all = (size_t)(NI + 1) * (NJ + 1) * (NK + 1);
    size_t at = 0;
    for (int k = 0; k <= NK; k++)
        for (int j = 0; j <= NJ; j++)
            for (int i = 0; i <= NI; i++, at++) {
                double x[3];
                place(i, j, k, x);
                for (int c = 0; c < 3; c++)
                    node[(size_t)c * all + at] = x[c];
            }
    assert_int_equal(an_donor_zone_new(n, node, z), 0);
    return node;
}

/* Centre of a cell by its number. */
static void centre(const double *node, int64_t cell, double x[3])
{
    const size_t all = (size_t)(NI + 1) * (NJ + 1) * (NK + 1);
    const int i = (int)(cell % NI), j = (int)(cell / NI % NJ), k = (int)(cell / NI / NJ);
    for (int c = 0; c < 3; c++) {
        x[c] = 0;
        for (int b = 0; b < 8; b++)
            x[c] +=
                node[(size_t)c * all +
                     ((size_t)(k + (b >> 2)) * (NJ + 1) + (size_t)(j + (b >> 1 & 1))) * (NI + 1) +
                     (size_t)(i + (b & 1))] /
                8;
    }
}

static double some(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 4294967296.0;
}

static void finds_points(void **unused)
{
    (void)unused;
    struct an_donor_zone z;
    double *node = make(&z);
    unsigned seed = 7;
    for (int p = 0; p < 3000; p++) {
        double x[3], xi[3], y[3] = {0}, weight[8], sum = 0;
        int64_t cell[8];
        place(0.7 + (NI - 1.4) * some(&seed), 0.8 + (NJ - 1.6) * some(&seed),
              0.7 + (NK - 1.4) * some(&seed), x);
        const double reach = an_donor_find(&z, x, xi);
        an_donor_weights(&z, xi, cell, weight);
        for (int c = 0; c < 8; c++) {
            double q[3];
            centre(node, cell[c], q);
            sum += weight[c];
            assert_true(weight[c] >= 0);
            for (int v = 0; v < 3; v++)
                y[v] += weight[c] * q[v];
        }
        const double off = hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]);
        if (reach > 1e-12 || off > 1e-12 || fabs(sum - 1) > 1e-14)
            fail_msg("point %d (%g, %g, %g): reach %g, off %g", p, x[0], x[1], x[2], reach, off);
    }
    an_donor_zone_free(&z);
    free(node);
}

static void reaches(void **unused)
{
    (void)unused;
    struct an_donor_zone z;
    double *node = make(&z), x[3], xi[3], weight[8];
    int64_t cell[8];
    for (int i = 0; i < NI; i += 5) { /* in the middle of a face, and before the first plane */
        for (int c = 0; c < 3; c++)
            x[c] = 0;
        for (int b = 0; b < 4; b++) {
            double q[3];
            place(i + (b & 1), 0, 2 + (b >> 1), q);
            for (int c = 0; c < 3; c++)
                x[c] += q[c] / 4;
        }
        assert_true(an_donor_find(&z, x, xi) < 1e-12);
        an_donor_weights(&z, xi, cell, weight);
        for (int c = 0; c < 8; c++)
            assert_true(weight[c] == 0 || cell[c] / NI % NJ == 0);
        place(i, 3, 0, x);
        x[2] -= 0.25;
        assert_true(an_donor_least(&z, x) > 0.2499);
        const double reach = an_donor_find(&z, x, xi);
        if (fabs(reach - 0.25) > 1e-4 || xi[2] != 0)
            fail_msg("i %d: %g, k %g", i, reach, xi[2]);
    }
    an_donor_zone_free(&z);
    free(node);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(finds_points), cmocka_unit_test(reaches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
