// Curves, spacings, meridional plane and loft of the row mesh tool. Expected:
//
//   splines: straight lines exactly, also beyond the ends; sin x on 13 knots to 1e-4
//   spacing: ends exact to 1e-6, sum 1, ratios of neighbours below the one that the numbers ask for
//   cylinder: m' = x / r to 1e-12, (u, v) found again to 1e-10
//   radial disc: m' = ln r to 1e-8
//   bend of 90 degrees, hub and casing circles about one centre, ends of unequal length: lines u = const
//   meet the walls above 75 degrees (above 55 with equal fractions); (u, v) found again to 1e-10;
//   inlet and outlet by x, r, points and fractions at the same place; ambiguous ends refused
//   rows round an edge (a circle): the ratios of areas are equal to 3 % where these grow in progression; first cell kept
//   even areas: wanted lengths change where a ratio is above the limit, and nowhere else
//   smoother: the nodes stand where the functional, computed from its definition, is least
//   loft: the points of Rotor 37's tables lie on the blade to 2 um
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/programs/mesh_row/row.h"

#define FOLDER "mesh_row_parts"
#include "tests/support/folder.h"

static void near(double is, double wanted, double by)
{
    if (!(fabs(is - wanted) <= by))
        fail_msg("%.17g, wanted %.17g", is, wanted);
}

static void test_splines(void **state)
{
    (void)state;
    double x[13], y[13], y2[13], slope[13];
    for (int i = 0; i < 13; i++) {
        x[i] = i * i / 48.0;
        y[i] = 3 - 2 * x[i];
    }
    spline_natural(13, x, y, y2);
    akima_slopes(13, x, y, slope);
    for (double a = -1; a < 5; a += 0.1)
        near(spline_value(13, x, y, y2, a), 3 - 2 * a, 1e-12);
    for (int i = 0; i < 13; i++)
        near(slope[i], -2, 1e-12);
    for (int i = 0; i < 13; i++) {
        x[i] = M_PI * i / 12;
        y[i] = sin(x[i]);
    }
    spline_natural(13, x, y, y2);
    akima_slopes(13, x, y, slope);
    for (double a = 0; a < 3.14; a += 0.01) {
        near(spline_value(13, x, y, y2, a), sin(a), 1e-4);
        const int i = (int)(a / x[1]);
        near(hermite(x[1], a / x[1] - i, y[i], y[i + 1], slope[i], slope[i + 1]), sin(a), 2e-2);
    }
    near(hermite(0.5, 0.3, 0, 0.125, 0, 0.75), 0.15 * 0.15 * 0.15, 1e-15); // x^3 on [0, 0.5]
}

static void test_spacing(void **state)
{
    (void)state;
    double t[101];
    const double first[2] = {2e-6, 5e-6};
    span_fractions(80, 0.07, first, 2.6, t);
    near(t[0], 0, 0);
    near(t[80], 1, 0);
    near(0.07 * t[1], 2e-6, 2e-12);
    near(0.07 * (1 - t[79]), 5e-6, 5e-12);
    double most = 0;
    for (int i = 1; i < 80; i++) {
        const double a = t[i] - t[i - 1], b = t[i + 1] - t[i];
        assert_true(a > 0 && b > 0);
        most = fmax(most, fmax(a / b, b / a));
    }
    assert_true(most < 1.29);
    // higher first cells than there is room for: even ones
    const double high[2] = {1, 1};
    span_fractions(10, 0.1, high, 2.6, t);
    for (int i = 0; i <= 10; i++)
        near(t[i], 0.1 * i, 0.02);
}

static void write_file(const char *name, const char *text, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void test_cylinder(void **state)
{
    (void)state;
    struct row_input in = {.length = 0.01,
                           .inlet = {.at = {-0.5}},
                           .outlet = {.at = {1}},
                           .gap = {[AT_CASING] = {0.01, 0.01, 0}}};
    write_file("hub.dat", "# x r\n-100 40\n0, 40\n50 40\n200 40\n", in.hub, sizeof in.hub);
    write_file("casing.dat", "x r\n-100 60\n200 60\n", in.casing, sizeof in.casing);
    struct meridian g;
    assert_int_equal(meridian_new(&g, &in), AN_OK);
    near(meridian_height(&g, 0.3), 0.2, 1e-12);
    near(meridian_tip(&g, 0.7), 0.95, 1e-12);
    const struct point p = meridian_point(&g, 0.4, 0.25);
    near(p.x, 0.1, 1e-12);
    near(p.r, 0.45, 1e-12);
    double u, v;
    assert_int_equal(meridian_locate(&g, (struct point){0.7, 0.52}, &u, &v), AN_OK);
    near(u, 0.8, 1e-10);
    near(v, 0.6, 1e-10);
    struct layer l;
    for (int i = 0; i < SAMPLES_U; i++)
        l.v[i] = 0.5;
    layer_finish(&l, &g);
    for (double a = 0; a <= 1; a += 0.0317) {
        near(layer_m(&l, a), 1.5 * a / 0.5, 1e-12);
        near(layer_u(&l, layer_m(&l, a)), a, 1e-12);
    }
    meridian_free(&g);
}

// x = 0 axial inlet of length a, a quarter of a circle about (0, 0.5), radial outlet of length b
static void write_bend(const char *name, double radius, double a, double b, char *path, size_t size)
{
    char text[8000];
    int used = 0;
    for (int i = 0; i < 10; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%.9f %.9f\n", -a + a * i / 10,
                         0.5 - radius);
    for (int i = 0; i <= 40; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%.9f %.9f\n",
                         radius * sin(M_PI * i / 80), 0.5 - radius * cos(M_PI * i / 80));
    for (int i = 1; i <= 10; i++)
        used += snprintf(text + used, sizeof text - (size_t)used, "%.9f %.9f\n", radius,
                         0.5 + b * i / 10);
    write_file(name, text, path, size);
}

// Smallest angle between the lines u = const and a wall, deg.
static double steepness(const struct meridian *g)
{
    double least = 90;
    for (double u = 0.005; u < 1; u += 0.01)
        for (int v = 0; v < 2; v++) {
            const struct point p = meridian_point(g, u, 0), q = meridian_point(g, u, 1),
                               a = meridian_point(g, u - 1e-3, v),
                               b = meridian_point(g, u + 1e-3, v);
            const double x = q.x - p.x, r = q.r - p.r, e = b.x - a.x, f = b.r - a.r;
            least = fmin(least, 90 - fabs(asin((x * e + r * f) / (hypot(x, r) * hypot(e, f)))) *
                                         180 / M_PI);
        }
    return least;
}

static void test_bend(void **state)
{
    (void)state;
    struct row_input in = {.length = 1};
    struct meridian g;
    write_bend("hub.dat", 0.3, 0.3, 0.1, in.hub, sizeof in.hub);
    write_bend("casing.dat", 0.15, 0.3, 0.1, in.casing, sizeof in.casing);
    in.inlet = (struct row_end){END_X, {-0.2}};
    in.outlet = (struct row_end){END_R, {0.55}};
    assert_int_equal(meridian_new(&g, &in), AN_OK);
    assert_false(g.axial);
    assert_true(g.slips);
    assert_true(steepness(&g) > 75);
    for (double u = 0.02; u < 1; u += 0.07)
        for (double v = -0.1; v < 1.15; v += 0.15) {
            double a, b;
            const struct point p = meridian_point(&g, u, v);
            assert_int_equal(meridian_locate(&g, p, &a, &b), AN_OK);
            near(a, u, 1e-10);
            near(b, v, 1e-10);
        }
    g.slips = false;
    near(steepness(&g), 61, 6);
    const double ends[2] = {g.hub.s_in, g.casing.s_out};
    near(meridian_point(&g, 0, 0).x, -0.2, 1e-12);
    near(meridian_point(&g, 1, 1).r, 0.55, 1e-12);
    meridian_free(&g);
    in.inlet = (struct row_end){END_LINE, {-0.2, 0.2, -0.2, 0.35}};
    in.outlet = (struct row_end){END_PART, {1, ends[1] / (0.3 + M_PI * 0.15 / 2 + 0.1)}};
    assert_int_equal(meridian_new(&g, &in), AN_OK);
    near(g.hub.s_in, ends[0], 1e-9);
    near(g.casing.s_out, ends[1], 1e-4); // chords
    near(meridian_point(&g, 1, 0).r, 0.6, 1e-9);
    meridian_free(&g);
    in.outlet = (struct row_end){END_R, {0.2}};
    assert_int_equal(meridian_new(&g, &in), AN_INPUT);
    meridian_free(&g);
    in.outlet = (struct row_end){.kind = END_CURVE};
    char other[sizeof in.hub];
    memcpy(other, in.hub, sizeof other);
    memcpy(in.hub, in.casing, sizeof other);
    memcpy(in.casing, other, sizeof other);
    in.inlet = in.outlet;
    assert_int_equal(meridian_new(&g, &in), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "casing lies to the left of the hub"));
    meridian_free(&g);
}

static void test_disc(void **state)
{
    (void)state;
    struct row_input in = {.length = 1, .inlet = {END_R, {0.2}}, .outlet = {END_R, {0.5}}};
    write_file("hub.dat", "0.1 0.1\n0.1 0.6\n", in.hub, sizeof in.hub);
    write_file("casing.dat", "0.05 0.1\n0.05 0.6\n", in.casing, sizeof in.casing);
    struct meridian g;
    struct layer l;
    assert_int_equal(meridian_new(&g, &in), AN_OK);
    layer_even(&l, &g, 0.3);
    for (double u = 0; u <= 1; u += 0.0317) {
        near(layer_m(&l, u), log((0.2 + 0.3 * u) / 0.2), 1e-8);
        near(layer_u(&l, layer_m(&l, u)), u, 1e-10);
    }
    meridian_free(&g);
    // towards the axis the casing lies on the other side
    write_file("hub.dat", "0.1 0.6\n0.1 0.1\n", in.hub, sizeof in.hub);
    write_file("casing.dat", "0.15 0.6\n0.15 0.1\n", in.casing, sizeof in.casing);
    in.inlet.at[0] = 0.5;
    in.outlet.at[0] = 0.2;
    assert_int_equal(meridian_new(&g, &in), AN_OK);
    layer_even(&l, &g, 0.3);
    near(layer_m(&l, 1), log(0.5 / 0.2), 1e-6);
    meridian_free(&g);
    // x = 0.1 is the whole wall
    in.inlet = (struct row_end){END_X, {0.1}};
    assert_int_equal(meridian_new(&g, &in), AN_INPUT);
    meridian_free(&g);
}

static void test_tables(void **state)
{
    (void)state;
    struct table t;
    char path[1000];
    write_file("t.dat", "Title\n1 2 3\n4,5;6 # end\nnext 1\n7 8 9\n\n1e1 2 3\n", path, sizeof path);
    assert_int_equal(table_read(&t, path, 3), AN_OK);
    assert_int_equal(t.nsection, 3);
    assert_int_equal(t.nrow, 4);
    assert_int_equal(t.start[1], 2);
    assert_int_equal(t.line[1], 5);
    near(t.v[11], 3, 0);
    table_free(&t);
    write_file("t.dat", "1 2 3\n4 5\n", path, sizeof path);
    assert_int_equal(table_read(&t, path, 3), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "t.dat:2: error: expected 3 finite numbers"));
    write_file("t.dat", "1 2 three\n", path, sizeof path);
    assert_int_equal(table_read(&t, path, 3), AN_INPUT);
    write_file("t.dat", "1 nan 3\n", path, sizeof path);
    assert_int_equal(table_read(&t, path, 3), AN_INPUT);
    write_file("t.dat", "nothing\n", path, sizeof path);
    assert_int_equal(table_read(&t, path, 3), AN_INPUT);
}

// Distance of a point of the plane from the closed curve.
static double distance(const struct curve *c, struct vec2 p)
{
    double best = HUGE_VAL, at = 0;
    for (int k = 0; k < 4000; k++) {
        const double s = c->length * k / 4000, d = norm(sub(curve_point(c, s), p));
        if (d < best) {
            best = d;
            at = s;
        }
    }
    for (double step = c->length / 4000; step > 1e-9; step /= 2)
        for (int sign = -1; sign <= 1; sign += 2) {
            const double d = norm(sub(curve_point(c, at + sign * step), p));
            if (d < best) {
                best = d;
                at += sign * step;
            }
        }
    return best;
}

static void test_loft(void **state)
{
    (void)state;
    char path[1000];
    const char *source = getenv("AN_SOURCE");
    struct row_input in;
    struct an_diag diag;
    struct meridian g;
    struct blade b;
    struct table t;
    an_diag_init(&diag);
    snprintf(path, sizeof path, "%s/cases/rotor37/row.yaml", source ? source : ".");
    assert_int_equal(input_read(&in, path, &diag), AN_OK);
    an_diag_free(&diag);
    assert_int_equal(meridian_new(&g, &in), AN_OK);
    assert_int_equal(blade_new(&b, &g, &in), AN_OK);
    assert_int_equal(b.n, 13);
    assert_int_equal(table_read(&t, in.sections, in.columns), AN_OK);
    assert_int_equal(t.nrow, 1300);
    for (int row = 3; row < t.nrow; row += 57) {
        const double *v = t.v + row * t.columns;
        const struct point p = {0.01 * v[1], 0.01 * v[2]};
        struct layer l;
        struct profile profile;
        double u, w;
        assert_int_equal(meridian_locate(&g, p, &u, &w), AN_OK);
        for (int i = 0; i < SAMPLES_U; i++)
            l.v[i] = w;
        layer_finish(&l, &g);
        assert_int_equal(blade_profile(&b, &l, &profile), AN_OK);
        for (int side = 3; side <= 4; side++) {
            const struct vec2 x = {layer_m(&l, u), -v[side]};
            const double off = p.r * distance(&profile.c, x);
            if (!(off < 2e-6))
                fail_msg("row %d of the table lies %g m off the blade", row, off);
        }
        curve_free(&profile.c);
    }
    table_free(&t);
    blade_free(&b);
    meridian_free(&g);
    formats_free(&in);
}

static double area(const struct zone *z, int i, int j)
{
    const struct vec2 *o = &z->x[j * z->ni + i];
    return 0.5 * cross(sub(o[z->ni + 1], o[0]), sub(o[z->ni], o[1]));
}

// The rows of an O between the radii 1 and 10, of 48 cells round: the largest and the smallest ratio of the areas of
// neighbours, without the four innermost rows, and the height of the first cell.
static void circle(double widen, double ratio[2], double *first)
{
    enum { AROUND = 48, FEW = 8, ROWS = 12 };
    double height[AROUND + 1];
    struct vec2 normal[AROUND + 1], beyond[AROUND + 1];
    struct mesh m = {
        .nz = 1, .n_around = AROUND, .n_normal = ROWS, .n_final = ROWS, .widen = widen};
    struct zone few;
    m.first = height;
    m.normal = normal;
    assert_int_equal(zone_new(&few, "few", AROUND + 1, FEW + 1), 0);
    assert_int_equal(zone_new(&m.z[Z_O], "o", AROUND + 1, ROWS + 1), 0);
    for (int i = 0; i <= AROUND; i++) {
        const double a = -2 * M_PI * i / AROUND; // clockwise
        height[i] = 0.01;
        normal[i] = (struct vec2){cos(a), sin(a)};
        for (int j = 0; j <= FEW; j++)
            few.x[j * few.ni + i] = scale(1 + 9.0 * j / FEW, normal[i]);
        beyond[i] = scale(1 + 9.0 * (FEW + 1) / FEW, normal[i]);
    }
    assert_int_equal(olayer_fill(&m, &few, beyond), 0);
    ratio[0] = 0;
    ratio[1] = 1e9;
    for (int j = 4; j < ROWS; j++) {
        const double q = area(&m.z[Z_O], 5, j) / area(&m.z[Z_O], 5, j - 1);
        ratio[0] = fmax(ratio[0], q);
        ratio[1] = fmin(ratio[1], q);
    }
    *first = norm(m.z[Z_O].x[AROUND + 1 + 5]) - 1;
    for (int z = 0; z < 2; z++) {
        struct zone *q = z ? &few : &m.z[Z_O];
        free(q->x);
        free(q->li);
        free(q->lj);
    }
}

static void test_rows_round_an_edge(void **state)
{
    (void)state;
    double plain[2], wide[2], first;
    circle(0, plain, &first);
    near(first, 0.01, 1e-6);
    circle(1, wide, &first);
    near(first, 0.01, 3e-4);
    if (!(plain[0] > 1.3 * plain[1]))
        fail_msg("heights in progression: the ratios of areas are %g to %g", plain[1], plain[0]);
    if (!(wide[0] < 1.03 * wide[1] && wide[0] < 0.8 * plain[0]))
        fail_msg("areas in progression: their ratios are %g to %g, %g before", wide[1], wide[0],
                 plain[0]);
}

// A row of four cells, the last two five times as long: their wanted length falls and that of the others rises.
static void test_even_areas(void **state)
{
    (void)state;
    static const double x[5] = {0, 1, 2, 7, 12};
    struct mesh m = {.nz = 2};
    double ratio;
    assert_int_equal(zone_new(&m.z[0], "none", 2, 2), 0);
    assert_int_equal(zone_new(&m.z[1], "row", 5, 2), 0);
    for (int i = 0; i < 4; i++)
        m.z[0].x[i] = (struct vec2){i % 2, i / 2};
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 5; i++) {
            m.z[1].x[5 * j + i] = (struct vec2){x[i], j};
            m.z[1].lj[i] = 1;
            if (i < 4)
                m.z[1].li[4 * j + i] = x[i + 1] - x[i];
        }
    assert_int_equal(mesh_even(&m, NULL, 6, true, &ratio), 0);
    near(ratio, 5, 1e-12);
    near(m.z[1].li[1], 1, 0); // below the limit nothing changes
    assert_int_equal(mesh_even(&m, NULL, 3, true, &ratio), 0);
    assert_true(m.z[1].li[1] > 1.02 && m.z[1].li[2] < 0.98 * 5);
    near(m.z[1].lj[2], 1, 1e-12);
    for (int z = 0; z < 2; z++) {
        free(m.z[z].x);
        free(m.z[z].li);
        free(m.z[z].lj);
    }
}

enum { SIDE_NODES = 7 };

// The functional that the smoother minimises, as elliptic.c defines it: edges over their wanted lengths at all corners.
static double functional(const struct zone *z, double power)
{
    static const int ci[4] = {0, 1, 1, 0}, cj[4] = {0, 0, 1, 1};
    double sum = 0;
    for (int j = 0; j < z->nj - 1; j++)
        for (int i = 0; i < z->ni - 1; i++)
            for (int c = 0; c < 4; c++) {
                const int oi = i + ci[c], oj = j + cj[c], ai = i + 1 - ci[c], bj = j + 1 - cj[c];
                const struct vec2 o = z->x[oj * z->ni + oi],
                                  u = scale(1 / z->li[oj * (z->ni - 1) + i],
                                            sub(z->x[oj * z->ni + ai], o)),
                                  v = scale(1 / z->lj[j * z->ni + oi],
                                            sub(z->x[bj * z->ni + oi], o));
                sum += pow((dot(u, u) + dot(v, v)) / (2 * fabs(cross(u, v))), power);
            }
    return sum;
}

static void test_smoother(void **state)
{
    (void)state;
    for (int steep = 0; steep < 2; steep++) {
        struct mesh m = {
            .nz = 1, .npatch = 4, .pitch = 1, .steep = steep, .barrier = true, .hold = true};
        struct zone *z = &m.z[0];
        assert_int_equal(zone_new(z, "zone", SIDE_NODES, SIDE_NODES), 0);
        z->weight = 1;
        for (int f = 0; f < 4; f++)
            m.patch[f] = (struct patch){"wall", 0, f, 0, 0};
        for (int k = 0; k < SIDE_NODES * SIDE_NODES; k++) {
            const int i = k % SIDE_NODES, j = k / SIDE_NODES;
            z->x[k] = (struct vec2){i + 0.1 * j + 0.02 * (k * 7 % 5),
                                    0.8 * j + 0.05 * i * i + 0.02 * (k * 3 % 7)};
        }
        for (int k = 0; k < SIDE_NODES * (SIDE_NODES - 1); k++) {
            z->li[k] = 1 + 0.1 * (k * 5 % 3);
            z->lj[k] = 0.7 + 0.1 * (k * 2 % 5);
        }
        const double power = steep ? 9 : 3, before = functional(z, power);
        assert_int_equal(elliptic_smooth(&m, 300), 0);
        const double least = functional(z, power);
        assert_true(least < before);
        for (int j = 1; j < SIDE_NODES - 1; j++)
            for (int i = 1; i < SIDE_NODES - 1; i++)
                for (int d = 0; d < 2; d++) {
                    struct vec2 *x = &z->x[j * SIDE_NODES + i];
                    double *at = d ? &x->y : &x->x, value[2];
                    const double was = *at;
                    for (int way = 0; way < 2; way++) {
                        *at = was + (way ? 1e-4 : -1e-4);
                        value[way] = functional(z, power);
                        assert_true(value[way] > least);
                    }
                    *at = was;
                    near((value[1] - value[0]) / 2e-4, 0, 1e-4 * least);
                }
        blocks_free(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smoother),
        cmocka_unit_test(test_splines),
        cmocka_unit_test(test_spacing),
        cmocka_unit_test(test_cylinder),
        cmocka_unit_test(test_bend),
        cmocka_unit_test(test_disc),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_loft),
        cmocka_unit_test(test_rows_round_an_edge),
        cmocka_unit_test(test_even_areas),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
