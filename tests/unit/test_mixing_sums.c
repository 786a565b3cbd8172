/* What a control band of a mixing plane sees of a side, from sums over the bands of its faces made by hand:
 * fluxes of all passages in the axes of the plane, means by area, turbulence by the mass flux of what leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solver/boundary/mixing_planes.h"

#include <math.h>
#include <string.h>

static void near(double is, double wanted)
{
    if (!(fabs(is - wanted) <= 1e-12 * fmax(fabs(wanted), 1)))
        fail_msg("%.15g, wanted %.15g", is, wanted);
}

/* A conical plane, whose normal leans by 25 degrees; side 1 has one band where side 0 has two. */
static double lo[3] = {0, 0.4, 0}, hi[3] = {0.4, 1, 1}, radius[3] = {0.55, 0.7, 0.62},
              area[3] = {0.02, 0.05, 0.06};
static struct an_band_group group[2] = {
    {.first = 0, .n = 2, .hub = {0, 0.5}, .casing = {0, 0.8}, .sectors = 36},
    {.first = 2, .n = 1, .hub = {0, 0.5}, .casing = {0, 0.8}, .sectors = 46}};
static double sum[3][AN_NINTEGRAL];

static void make_sums(void)
{
    memset(sum, 0, sizeof sum);
    for (int b = 0; b < 3; b++) {
        const double m = (b < 2 ? 1 : -1) * (2 + 0.3 * b);
        sum[b][AN_I_MASS] = m;
        sum[b][AN_I_INFLOW] = -3 - 0.4 * b;
        const double leaves = m - sum[b][AN_I_INFLOW];
        sum[b][AN_I_MX] = 300 + 20 * b;
        sum[b][AN_I_MY] = 40 - 7 * b;
        sum[b][AN_I_MZ] = 90 + 11 * b;
        sum[b][AN_I_ENERGY] = 3e5 * m;
        sum[b][AN_I_OUT_TURB0] = leaves * (5 + b);
        sum[b][AN_I_OUT_TURB1] = leaves * (700 + 10 * b);
        for (int k = 0; k < 5; k++)
            sum[b][AN_I_CELL_RHO + k] = area[b] * (1.2 + 30 * k + b);
    }
}

static void test_sums(void **state)
{
    (void)state;
    const double lean = 25 / 57.295779513082321, cx = cos(lean), cr = sin(lean);
    struct an_bands bands = {
        .ngroup = 2, .n = 3, .group = group, .lo = lo, .hi = hi, .radius = radius, .area = area};
    struct an_mixing_plane plane = {.normal = {cx, cr}, .first = 0, .n = 2};
    double from[2] = {0, 0.7}, until[2] = {0.7, 1};
    const struct an_mixing m = {
        .nplane = 1, .n = 2, .plane = &plane, .lo = from, .hi = until, .bands = &bands, .sum = sum};
    make_sums();
    for (int side = 0; side < 2; side++)
        for (int band = 0; band < 2; band++) {
            /* parts of the ring between two fractions of span: by pi (r2^2 - r1^2) */
            double part[3] = {0, 0, 0};
            for (int b = side ? 2 : 0; b < (side ? 3 : 2); b++) {
                const double a = fmax(from[band], lo[b]), e = fmin(until[band], hi[b]);
                const double r0 = 0.5 + 0.3 * a, r1 = 0.5 + 0.3 * e, r2 = 0.5 + 0.3 * lo[b],
                             r3 = 0.5 + 0.3 * hi[b];
                part[b] =
                    e > a ? group[side].sectors * (r1 * r1 - r0 * r0) / (r3 * r3 - r2 * r2) : 0;
            }
            double t[AN_NINTEGRAL] = {0}, all = 0, r = 0;
            for (int b = 0; b < 3; b++) {
                for (int k = 0; k < AN_NINTEGRAL; k++)
                    t[k] += part[b] * sum[b][k];
                all += part[b] * area[b];
                r += part[b] * area[b] * radius[b];
            }
            double mean_radius;
            const struct an_mixing_side q = an_mixing_gather(&m, 0, side, band, &mean_radius);
            const double sign = side ? -1 : 1; /* the fluxes are those from side 0 to side 1 */
            near(q.flux[0], sign * t[AN_I_MASS]);
            near(q.flux[1], sign * (t[AN_I_MX] * cx + t[AN_I_MY] * cr));
            near(q.flux[2], sign * (t[AN_I_MY] * cx - t[AN_I_MX] * cr));
            near(q.flux[3], sign * t[AN_I_MZ]);
            near(q.flux[4], sign * t[AN_I_ENERGY]);
            near(q.area, all);
            near(mean_radius, r / all);
            const double *c = t + AN_I_CELL_RHO;
            near(q.mean.rho, c[0] / all);
            near(q.mean.u[0], (c[1] * cx + c[2] * cr) / all);
            near(q.mean.u[1], (c[2] * cx - c[1] * cr) / all);
            near(q.mean.u[2], c[3] / all);
            near(q.mean.p, c[4] / all);
            const double leaves = t[AN_I_MASS] - t[AN_I_INFLOW];
            near(q.mean.turb[0], t[AN_I_OUT_TURB0] / leaves);
            near(q.mean.turb[1], t[AN_I_OUT_TURB1] / leaves);
        }
}

/* What the case says counts, the smaller value of two; else the number of planes does. */
static void test_gain(void **state)
{
    (void)state;
    near(an_mixing_gain(1, 0, 0), 0.1);
    near(an_mixing_gain(2, 0, 0), 0.1);
    near(an_mixing_gain(4, 0, 0), 0.2);
    near(an_mixing_gain(8, 0, 0), 0.2);
    near(an_mixing_gain(8, 0.05, 0), 0.05);
    near(an_mixing_gain(1, 0.5, 0.4), 0.4);
    near(an_mixing_gain(1, 0.5, 0), 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sums), cmocka_unit_test(test_gain)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
