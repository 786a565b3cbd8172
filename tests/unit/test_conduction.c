/* Conduction in solids: trilinear elements, k(T), the multigrid solver, the joining of zones.
 *
 *                                                            limit      measured
 *   a linear field on skewed cells: error                    1e-5 K     1.5e-9
 *   slab with k = 5 + 0.04 T, 300 to 900 K, twelve cells:
 *     temperature at the nodes                               1e-6       1e-8
 *   hollow cylinder, 1 to 2 m, h inside and outside,
 *     8, 16 and 32 cells across: heat                        order 2    2.0
 *   manufactured T = sin x sin y sin z on wavy cells,
 *     8, 16, 32 cells: largest error                         order 2    2.0
 *   iterations to 1e-12 with 8, 16, 32 cells               17         8, 13, 16
 *   iterations to 1e-14 on cells of aspect ratio 100         34         30
 *   a fin of aspect ratio 50 with h on both sides: heat      2e-3       4e-4
 *   theta(T) and T(theta) of each metal: one undoes the other 1e-10 K
 *   1, 3 and 16 threads: temperatures and heat              the same bits
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/error.h"
#include "kernels/physics/metal.h"
#include "solid/conduction.h"

#define PI 3.14159265358979323846

typedef void map(const double s[3], double x[3]);

/* A box of n cells in one zone; each point of the unit cube goes to of(s). Boundaries: 2 d + side. */
static void box(const int n[3], map *of, struct an_solid_mesh *m)
{
    *m = (struct an_solid_mesh){.nzone = 1, .nboundary = 6, .ncell = (int64_t)n[0] * n[1] * n[2]};
    m->zone = calloc(1, sizeof *m->zone);
    memcpy(m->zone->n, n, sizeof m->zone->n);
    m->npoint = (int64_t)(n[0] + 1) * (n[1] + 1) * (n[2] + 1);
    m->nunknown = (int32_t)m->npoint;
    m->boundary = calloc(6, sizeof *m->boundary);
    m->x = malloc((size_t)m->npoint * sizeof *m->x);
    m->unknown = malloc((size_t)m->npoint * sizeof *m->unknown);
    m->face = malloc(2 * (size_t)(n[0] * n[1] + n[1] * n[2] + n[2] * n[0]) * sizeof *m->face);
    int64_t p = 0;
    for (int k = 0; k <= n[2]; k++)
        for (int j = 0; j <= n[1]; j++)
            for (int i = 0; i <= n[0]; i++, p++) {
                of((double[3]){(double)i / n[0], (double)j / n[1], (double)k / n[2]}, m->x[p]);
                m->unknown[p] = (int32_t)p;
            }
    for (int d = 0; d < 3; d++)
        for (int side = 0; side < 2; side++) {
            const int a = (d + 1) % 3, b = (d + 2) % 3,
                      stride[3] = {1, n[0] + 1, (n[0] + 1) * (n[1] + 1)};
            for (int v = 0; v < n[b]; v++)
                for (int u = 0; u < n[a]; u++) {
                    struct an_solid_face *f = &m->face[m->nface++];
                    f->boundary = 2 * d + side;
                    for (int c = 0; c < 4; c++)
                        f->corner[side ? c : (4 - c) % 4] = side * n[d] * stride[d] +
                                                            (u + (c == 1 || c == 2)) * stride[a] +
                                                            (v + c / 2) * stride[b];
                }
        }
}

static void skewed(const double s[3], double x[3])
{
    x[0] = s[0] + 0.1 * sin(PI * s[1]) + 0.3 * s[2];
    x[1] = s[1] * (1 + 0.2 * s[0]);
    x[2] = 0.5 * s[2] + 0.05 * s[0] * s[1];
}

/* G on all surfaces: the temperature is that of `exact` there. */
static void fix(const struct an_solid_mesh *m, struct an_conduction *c,
                double (*exact)(const double x[3]), const char *fixed, double *load)
{
    double *d = calloc((size_t)m->nunknown, sizeof *d);
    for (int64_t f = 0; f < m->nface; f++)
        for (int k = 0; k < 4 && fixed[m->face[f].boundary]; k++) {
            const int32_t u = m->unknown[m->face[f].corner[k]];
            const struct an_conduction_level *l = &c->level[0];
            load[u] -= d[u] * exact(m->x[m->face[f].corner[k]]);
            d[u] = 1e10 * l->k.value[l->diagonal[u]];
            load[u] += d[u] * exact(m->x[m->face[f].corner[k]]);
        }
    an_conduction_set(c, d);
    free(d);
}

static double linear(const double x[3])
{
    return 400 + 30 * x[0] - 20 * x[1] + 50 * x[2];
}

static void linear_field(void **state)
{
    (void)state;
    struct an_solid_mesh m;
    struct an_conduction c;
    box((int[3]){9, 7, 5}, skewed, &m);
    assert_int_equal(an_conduction_new(&m, &c), AN_OK);
    double *load = calloc((size_t)m.nunknown, sizeof *load),
           *T = calloc((size_t)m.nunknown, sizeof *T);
    fix(&m, &c, linear, (const char[6]){1, 1, 1, 1, 1, 1}, load);
    const int n = an_conduction_solve(&c, load, 1e-16, 60, T);
    double worst = 0;
    for (int32_t u = 0; u < m.nunknown; u++)
        worst = fmax(worst, fabs(T[u] - linear(m.x[u])));
    print_message("linear field: %d iterations, error %.1e K\n", n, worst);
    assert_true(worst < 1e-5);
    free(load);
    free(T);
    an_conduction_free(&c);
    an_solid_mesh_free(&m);
}

static double wave(const double x[3])
{
    return sin(x[0]) * sin(x[1]) * sin(x[2]);
}

static void wavy(const double s[3], double x[3])
{
    x[0] = s[0] + 0.05 * sin(2 * PI * s[1]) * sin(PI * s[2]);
    x[1] = s[1] + 0.05 * sin(2 * PI * s[2]) * sin(PI * s[0]);
    x[2] = s[2] + 0.05 * sin(2 * PI * s[0]) * sin(PI * s[1]);
}

/* Largest error of T = sin x sin y sin z with its source, 3 T, lumped. */
static double manufactured(int n, int *iterations)
{
    struct an_solid_mesh m;
    struct an_conduction c;
    box((int[3]){n, n, n}, wavy, &m);
    assert_int_equal(an_conduction_new(&m, &c), AN_OK);
    double *load = calloc((size_t)m.nunknown, sizeof *load),
           *T = calloc((size_t)m.nunknown, sizeof *T);
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++) {
                int64_t p[8];
                double volume = 0;
                an_solid_cell(m.zone, i, j, k, p);
                for (int q = 0; q < 8; q++) { /* six times the volume at each corner */
                    double e[3][3];
                    for (int d = 0; d < 3; d++)
                        for (int a = 0; a < 3; a++)
                            e[d][a] =
                                (q >> d & 1 ? -1 : 1) * (m.x[p[q ^ 1 << d]][a] - m.x[p[q]][a]);
                    const double det = e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
                                       e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
                                       e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
                    volume = det / 8;
                    load[m.unknown[p[q]]] += 3 * wave(m.x[p[q]]) * volume;
                }
            }
    fix(&m, &c, wave, (const char[6]){1, 1, 1, 1, 1, 1}, load);
    *iterations = an_conduction_solve(&c, load, 1e-12, 200, T);
    double worst = 0;
    for (int32_t u = 0; u < m.nunknown; u++)
        worst = fmax(worst, fabs(T[u] - wave(m.x[u])));
    free(load);
    free(T);
    an_conduction_free(&c);
    an_solid_mesh_free(&m);
    return worst;
}

static void order(void **state)
{
    (void)state;
    double before = 0;
    for (int n = 8; n <= 32; n *= 2) {
        int iterations;
        const double error = manufactured(n, &iterations);
        print_message("%d cells: error %.2e, order %.2f, %d iterations\n", n, error,
                      before > 0 ? log2(before / error) : 0, iterations);
        assert_true(iterations <= 17);
        if (before > 0)
            assert_true(log2(before / error) > 1.8);
        before = error;
    }
}

static void ring(const double s[3], double x[3])
{
    const double r = 1 + s[0], a = 0.5 * PI * s[1];
    x[0] = r * cos(a);
    x[1] = r * sin(a);
    x[2] = 0.1 * s[2];
}

/* A quarter of a hollow cylinder of k = 20 between gases of 900 K, h = 30, within and 300 K, h = 50, outside: W. */
static double cylinder(int n)
{
    const double k = 20, h[2] = {30, 50}, gas[2] = {900, 300};
    struct an_solid_mesh m;
    struct an_conduction c;
    box((int[3]){n, 2 * n, 1}, ring, &m);
    assert_int_equal(an_conduction_new(&m, &c), AN_OK);
    double *load = calloc((size_t)m.nunknown, sizeof *load),
           *T = calloc((size_t)m.nunknown, sizeof *T);
    double *d = calloc((size_t)m.nunknown, sizeof *d), heat = 0;
    for (int64_t f = 0; f < m.nface; f++)
        for (int q = 0; q < 4 && m.face[f].boundary < 2; q++) {
            double s[3];
            an_solid_face_vector(&m, &m.face[f], s);
            const double area = 0.25 * sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]);
            const int side = m.face[f].boundary, out = s[0] * m.x[m.face[f].corner[q]][0] > 0;
            assert_int_equal(out, side == 1); /* normals point out of the solid */
            d[m.face[f].corner[q]] += area * h[side] / k;
            load[m.face[f].corner[q]] += area * h[side] / k * gas[side];
        }
    an_conduction_set(&c, d);
    an_conduction_solve(&c, load, 1e-12, 100, T);
    for (int64_t f = 0; f < m.nface; f++)
        for (int q = 0; q < 4 && m.face[f].boundary == 0; q++) {
            double s[3];
            an_solid_face_vector(&m, &m.face[f], s);
            heat += 0.25 * sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) * h[0] *
                    (gas[0] - T[m.face[f].corner[q]]);
        }
    free(load);
    free(T);
    free(d);
    an_conduction_free(&c);
    an_solid_mesh_free(&m);
    return heat;
}

static void cylinders(void **state)
{
    (void)state;
    const double angle = 0.5 * PI, span = 0.1;
    const double exact = 600 / (1 / (30 * angle * span) + log(2) / (20 * angle * span) +
                                1 / (50 * 2 * angle * span));
    double before = 0;
    for (int n = 8; n <= 32; n *= 2) {
        const double error = fabs(cylinder(n) / exact - 1);
        print_message("cylinder, %d cells: heat %.2e off, order %.2f\n", n, error,
                      before > 0 ? log2(before / error) : 0);
        if (before > 0)
            assert_true(log2(before / error) > 1.9);
        before = error;
    }
    assert_true(before < 3e-4);
}

static void thin(const double s[3], double x[3])
{
    x[0] = s[0];
    x[1] = 0.01 * s[1];
    x[2] = 0.3 * s[2];
}

static double hot(const double x[3])
{
    return x[0] > 0.5 ? 900 : 300;
}

/* k = 5 + 0.04 T between 300 and 900 K: theta is linear, so nodes are exact. */
static void slab(void **state)
{
    (void)state;
    struct an_metal metal;
    struct an_solid_mesh m;
    struct an_conduction c;
    assert_int_equal(an_metal_powers(2, (const double[]){5, 0.04}, 300, 900, &metal), AN_OK);
    box((int[3]){24, 24, 12}, thin, &m);
    assert_int_equal(an_conduction_new(&m, &c), AN_OK);
    double *load = calloc((size_t)m.nunknown, sizeof *load),
           *theta = calloc((size_t)m.nunknown, sizeof *theta);
    double *d = calloc((size_t)m.nunknown, sizeof *d);
    for (int64_t f = 0; f < m.nface; f++)
        for (int k = 0; k < 4 && m.face[f].boundary < 2; k++) {
            const int32_t u = m.face[f].corner[k];
            d[u] = 1e9;
            load[u] = 1e9 * an_metal_theta(&metal, hot(m.x[u]));
        }
    an_conduction_set(&c, d);
    const int n = an_conduction_solve(&c, load, 1e-14, 100, theta);
    double worst = 0;
    for (int32_t u = 0; u < m.nunknown; u++) {
        const double T = an_metal_temperature(&metal, theta[u]);
        const double want = 5 * (T - 300) + 0.02 * (T * T - 9e4),
                     all = 5 * 600 + 0.02 * (81e4 - 9e4);
        worst = fmax(worst, fabs(want / all - m.x[u][0]));
    }
    print_message("slab of cells with aspect ratio 100: %d iterations, error %.1e\n", n, worst);
    assert_true(worst < 1e-6 && n <= 34);
    free(load);
    free(theta);
    free(d);
    an_conduction_free(&c);
    an_solid_mesh_free(&m);
}

static void fin_map(const double s[3], double x[3])
{
    x[0] = 0.1 * s[0];
    x[1] = 0.002 * s[1];
    x[2] = 0.01 * s[2];
}

/* A rectangular fin, root 100 K over the gas, insulated tip: q = sqrt(h P k A) 100 tanh(m L), m^2 = h P / (k A). */
static void fin(void **state)
{
    (void)state;
    const double h = 50, k = 200, P = 2 * 0.01, A = 0.002 * 0.01, m_L = sqrt(h * P / (k * A)) * 0.1;
    struct an_solid_mesh m;
    struct an_conduction c;
    box((int[3]){50, 4, 2}, fin_map, &m);
    assert_int_equal(an_conduction_new(&m, &c), AN_OK);
    double *load = calloc((size_t)m.nunknown, sizeof *load),
           *T = calloc((size_t)m.nunknown, sizeof *T);
    double *d = calloc((size_t)m.nunknown, sizeof *d), heat = 0;
    for (int64_t f = 0; f < m.nface; f++)
        for (int q = 0; q < 4; q++) {
            double s[3];
            const int32_t u = m.face[f].corner[q];
            an_solid_face_vector(&m, &m.face[f], s);
            if (m.face[f].boundary / 2 == 1)
                d[u] += 0.25 * sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) * h / k;
        }
    for (int64_t f = 0; f < m.nface; f++)
        for (int q = 0; q < 4 && m.face[f].boundary == 0; q++) {
            d[m.face[f].corner[q]] = 1e6;
            load[m.face[f].corner[q]] = 1e6 * 100;
        }
    an_conduction_set(&c, d);
    an_conduction_solve(&c, load, 1e-13, 200, T);
    for (int64_t f = 0; f < m.nface; f++)
        for (int q = 0; q < 4 && m.face[f].boundary / 2 == 1; q++) {
            double s[3];
            an_solid_face_vector(&m, &m.face[f], s);
            heat +=
                0.25 * sqrt(s[0] * s[0] + s[1] * s[1] + s[2] * s[2]) * h * T[m.face[f].corner[q]];
        }
    const double exact = sqrt(h * P * k * A) * 100 * tanh(m_L);
    print_message("fin: heat %.2e off\n", heat / exact - 1);
    assert_true(fabs(heat / exact - 1) < 2e-3);
    free(load);
    free(T);
    free(d);
    an_conduction_free(&c);
    an_solid_mesh_free(&m);
}

static void metals(void **state)
{
    (void)state;
    struct an_metal m;
    const double curve[] = {50, -0.05, 4e-5};
    const char *const name[] = {NULL, NULL, NULL, "astm_310", "hastelloy_x", "inconel_718"};
    for (int which = 1; which < 6; which++) {
        if (which > 2)
            assert_int_equal(an_metal_named(name[which], &m), 1);
        else
            assert_int_equal(an_metal_powers(which == 1 ? 1 : 3, curve, 300, 1200, &m), AN_OK);
        for (double T = 100; T < 2000; T += 37) {
            assert_true(fabs(an_metal_temperature(&m, an_metal_theta(&m, T)) - T) < 1e-9);
            const double k = an_metal_conductivity(&m, T), dT = 1e-3;
            const double slope =
                (an_metal_theta(&m, T + dT) - an_metal_theta(&m, T - dT)) / (2 * dT);
            assert_true(fabs(slope / k - 1) < 1e-4);
            if (which == 2 && T > 300 && T < 1200)
                assert_true(fabs(k - (50 - 0.05 * T + 4e-5 * T * T)) < 0.01);
        }
    }
    assert_int_equal(an_metal_named("astm_310", &m), 1);
    assert_true(fabs(an_metal_conductivity(&m, 600) - (6.811 + 0.020176 * 600)) < 1e-9);
    /* published points, Btu in/(ft2 h F) at F */
    const double F = 1 / 1.8, zero = 273.15 - 32 / 1.8, unit = 0.1442279;
    assert_int_equal(an_metal_named("hastelloy_x", &m), 1);
    assert_true(fabs(an_metal_conductivity(&m, zero + 1300 * F) - 159 * unit) < 0.01);
    assert_int_equal(an_metal_named("inconel_718", &m), 1);
    assert_true(fabs(an_metal_conductivity(&m, zero + 800 * F) - 123 * unit) < 0.01);
    assert_int_equal(an_metal_named("adamantium", &m), 0);
    assert_int_equal(an_metal_powers(2, (const double[]){10, -0.02}, 300, 900, &m), AN_INPUT);
}

/* Enough unknowns for as many threads as a solution ever takes. */
static void any_threads(void **state)
{
    (void)state;
    const int threads[3] = {1, 3, 16}, before = omp_get_max_threads();
    struct an_solid_mesh m;
    struct an_conduction c;
    box((int[3]){60, 40, 30}, wavy, &m);
    assert_int_equal(an_conduction_new(&m, &c), AN_OK);
    const size_t n = (size_t)m.nunknown;
    double *load = calloc(n, sizeof *load), *d = calloc(n, sizeof *d),
           *T = calloc(3 * n, sizeof *T), *q = calloc(3 * n, sizeof *q);
    for (size_t u = 0; u < n; u++) {
        d[u] = u % 7 == 0 ? 0.1 : 1e-3;
        load[u] = sin(0.37 * (double)u);
    }
    for (int t = 0; t < 3; t++) {
        omp_set_num_threads(threads[t]);
        an_conduction_set(&c, d);
        an_conduction_solve(&c, load, 0, 4, T + (size_t)t * n);
        an_conduction_apply(&c, T + (size_t)t * n, q + (size_t)t * n);
    }
    omp_set_num_threads(before);
    assert_true(T[n / 2] != 0);
    for (size_t t = 1; t < 3; t++) {
        assert_memory_equal(T, T + t * n, n * sizeof *T);
        assert_memory_equal(q, q + t * n, n * sizeof *q);
    }
    free(load);
    free(d);
    free(T);
    free(q);
    an_conduction_free(&c);
    an_solid_mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metals),      cmocka_unit_test(linear_field), cmocka_unit_test(order),
        cmocka_unit_test(cylinders),   cmocka_unit_test(slab),         cmocka_unit_test(fin),
        cmocka_unit_test(any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
