// Blades and ducts that row meshes once folded on:
//
//   a trailing edge whose last two points have nearly one x and rounded radii: the nose beyond them keeps
//   its shape to 1 % of the thickness; weights of keys: sums of one, keys met, straight lines kept; wall nodes that are
//   twenty times as dense at the noses of some keys as at those of others are in order in all layers, edges and keys
//   without such noses stay; a duct
//   whose tables end 1 % of a pitch behind the blade goes on straight to 20 % of a pitch, one whose
//   'outlet' is given does not.
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

#define FOLDER "mesh_row_shapes"
#include "tests/support/folder.h"

static void near(double is, double wanted, double by)
{
    if (!(fabs(is - wanted) <= by))
        fail_msg("%.12g is not %.12g within %g", is, wanted, by);
}

enum { SECTIONS = 3, AROUND = 120 };
static const double SLOPE = 0.12, CHORD = 0.04, THICK = 0.003;

// Half an ellipse's thickness at t of the way round, in the plane of lengths; t = 0 near the trailing edge.
static void outline(int k, double *x, double *y)
{
    const double t = 2 * M_PI * (k + 0.5) / AROUND;
    *x = 0.5 * CHORD * cos(t);
    *y = 0.5 * THICK * sin(t);
}

// A row of 30 blades between cones of slope SLOPE, r = 0.2 and 0.3 at x = 0; the hub's and the casing's
// tables end at `end`. Metres; radii and x rounded to 1e-7.
static struct row *row_new(double end)
{
    static struct row r;
    char path[1000];
    r = (struct row){0};
    input_default(&r.in);
    r.in.blades = 30;
    r.in.columns = 3;
    r.in.column[0] = COLUMN_X;
    r.in.column[1] = COLUMN_R;
    r.in.column[2] = COLUMN_THETA;
    snprintf(r.in.hub, sizeof r.in.hub, "%s/hub.dat", folder);
    snprintf(r.in.casing, sizeof r.in.casing, "%s/casing.dat", folder);
    snprintf(r.in.sections, sizeof r.in.sections, "%s/blade.dat", folder);
    for (int wall = 0; wall < 2; wall++) {
        FILE *f = fopen(wall ? r.in.casing : r.in.hub, "w");
        assert_non_null(f);
        for (int k = 0; k <= 40; k++) {
            const double x = -0.06 + (end + 0.06) * k / 40;
            fprintf(f, "%.9f %.9f\n", x, (wall ? 0.3 : 0.2) + SLOPE * x);
        }
        fclose(f);
    }
    snprintf(path, sizeof path, "%s/blade.dat", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    for (int s = 0; s < SECTIONS; s++) {
        fprintf(f, "section %d\n", s + 1);
        for (int k = 0; k < AROUND; k++) {
            double x, y;
            outline(k, &x, &y);
            const double radius = 0.2 + 0.05 * s + SLOPE * x;
            // the two sides' points lie off the cone by a rounding, in two senses
            const double off = k == 0 ? 2e-7 : k == AROUND - 1 ? -2e-7 : 0;
            fprintf(f, "%.9f %.7f %.9f\n", x + (k == 0 ? 3e-7 : 0), radius + off, y / radius);
        }
    }
    fclose(f);
    return &r;
}

static void row_drop(struct row *r)
{
    meridian_free(&r->meridian);
    blade_free(r->blade);
    for (int k = 0; k < 3; k++)
        table_free(&r->in.given[k]);
}

static void test_nose(void **state)
{
    (void)state;
    struct row *r = row_new(0.08);
    assert_int_equal(duct_and_blade(r), AN_OK);
    for (double v = 0.05; v < 1; v += 0.1) {
        struct layer l;
        struct profile p;
        layer_even(&l, &r->meridian, v);
        assert_int_equal(blade_profile(r->blade, &l, &p), AN_OK);
        double last = 0, widest = 0;
        for (int j = 0; j < p.c.n; j++) {
            const double u = layer_u(&l, p.c.x[j].x);
            last = fmax(last, meridian_point(&r->meridian, u, v).x);
            widest = fmax(widest, fabs(p.c.x[j].y) * meridian_point(&r->meridian, u, v).r);
        }
        near(last, 0.5 * CHORD, 0.01 * THICK);
        near(widest, 0.5 * THICK, 0.01 * THICK);
        profile_free(&p);
    }
    row_drop(r);
}

static void test_mix(void **state)
{
    (void)state;
    static struct row r;
    r.nkey = 7;
    for (int k = 0; k < r.nkey; k++)
        r.key[k].w = k / 6.0;
    for (int axial = 0; axial < 2; axial++)
        for (int way = MIX_SMOOTH; way < MIX_WAYS; way++)
            for (double w = 0; w <= 1; w += 0.04) {
                double weight[MAX_KEYS], sum = 0, line = 0, wave = 0;
                r.meridian.axial = axial;
                r.mix = way;
                mix_weights(&r, w, weight);
                for (int k = 0; k < r.nkey; k++) {
                    sum += weight[k];
                    line += weight[k] * r.key[k].w;
                    wave += weight[k] * pow(r.key[k].w, 4);
                }
                near(sum, 1, 1e-12);
                near(line, w, 1e-12);
                // degree 5 has the fourth power, degree 3 misses it by more than the cubics that join the keys
                const bool five = way == (axial ? MIX_SMOOTH : MIX_OTHER);
                near(wave, pow(w, 4), five ? 1e-12 : way == MIX_LOCAL ? 0.03 : 0.05);
            }
    r.mix = MIX_LOCAL;
    for (int k = 0; k < r.nkey; k++) {
        double weight[MAX_KEYS];
        mix_weights(&r, r.key[k].w, weight);
        for (int q = 0; q < r.nkey; q++)
            near(weight[q], q == k, 1e-12);
    }
}

enum { HALF = 24, KEYS = 13, LAYERS = 57 }; // cells from edge to edge

// Places of wall nodes, denser towards both edges by this power; cell 0 begins 6 cells ahead of the leading edge.
static void put_sigma(struct plane *q, double power)
{
    q->sigma[0] = malloc((2 * HALF + 1) * sizeof *q->sigma[0]);
    assert_non_null(q->sigma[0]);
    for (int i = 0; i <= 2 * HALF; i++) {
        const int c = i - 6, side = c < 0 ? -1 : c / HALF;
        const double t = 2.0 * (c - side * HALF) / HALF - 1;
        q->sigma[0][i] = side + 0.5 + (t < 0 ? -0.5 : 0.5) * (1 - pow(1 - fabs(t), power));
    }
}

static void test_order(void **state)
{
    (void)state;
    static struct row r;
    static double w[LAYERS];
    r = (struct row){.set = 1, .nkey = KEYS, .nlayer = LAYERS, .w = w, .meridian.axial = true};
    r.n[0] = (struct counts){
        .lead_down = 6, .lead_up = 6, .trail_up = 6, .trail_down = 6, .pass = HALF - 12};
    for (int k = 0; k < LAYERS; k++)
        w[k] = (double)k / (LAYERS - 1);
    for (int sharp = 0; sharp < 2; sharp++) { // the noses of the last keys
        double mean = 0, before[KEYS];
        for (int k = 0; k < KEYS; k++) {
            r.key[k].w = (double)k / (KEYS - 1);
            put_sigma(&r.key[k], sharp && k > 9 ? 4 : 1.2);
            before[k] = r.key[k].sigma[0][8];
            mean += before[k] / KEYS;
        }
        assert_int_equal(around_agree(&r), AN_OK);
        for (int k = 0; k < KEYS; k++) {
            const double *s = r.key[k].sigma[0];
            near(s[6], 0, 1e-12);
            near(s[6 + HALF], 1, 1e-12);
            if (!sharp)
                assert_true(s[8] == before[k]);
            else // nearer to the mean, on the same side of it
                assert_true((s[8] - mean) * (before[k] - mean) > 0);
        }
        for (int q = 0; q < LAYERS; q++) {
            double weight[MAX_KEYS];
            mix_polynomial(&r, w[q], SIGMA_DEGREE, weight);
            for (int i = 0; i < 2 * HALF; i++) {
                double length = 0;
                for (int k = 0; k < KEYS; k++)
                    length += weight[k] * (r.key[k].sigma[0][i + 1] - r.key[k].sigma[0][i]);
                if (!(length > 0))
                    fail_msg("cell %d of layer %d has the length %g", i, q, length);
            }
        }
        for (int k = 0; k < KEYS; k++)
            free(r.key[k].sigma[0]);
    }
}

// Length of the duct behind the blade at mid-span, over the pitch.
static double behind(const struct row *r)
{
    struct layer l;
    struct profile p;
    layer_even(&l, &r->meridian, 0.5);
    assert_int_equal(blade_profile(r->blade, &l, &p), AN_OK);
    const double way = l.m[SAMPLES_U - 1] - p.te.x;
    profile_free(&p);
    return way * r->in.blades / (2 * M_PI);
}

static void test_short_duct(void **state)
{
    (void)state;
    const double pitch = 2 * M_PI / 30 * 0.25, chord = CHORD, size = fmin(pitch, chord);
    struct row *r = row_new(0.5 * CHORD + 0.01 * pitch);
    assert_int_equal(duct_and_blade(r), AN_OK);
    near(behind(r), 0.2 * size / pitch, 0.02);
    // straight on: the casing stays on its cone
    const struct point c = meridian_point(&r->meridian, 1, 1),
                       h = meridian_point(&r->meridian, 1, 0);
    near(c.r, 0.3 + SLOPE * c.x, 1e-5);
    near(h.r, 0.2 + SLOPE * h.x, 1e-5);
    row_drop(r);

    r = row_new(0.5 * CHORD + 0.01 * pitch);
    r->in.outlet = (struct row_end){.kind = END_PART, .at = {1, 1}};
    assert_int_equal(duct_and_blade(r), AN_OK);
    near(behind(r), 0.01, 0.003);
    row_drop(r);

    r = row_new(0.5 * CHORD + 0.1 * pitch);
    assert_int_equal(duct_and_blade(r), AN_OK);
    near(behind(r), 0.1, 0.01);
    row_drop(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nose),
        cmocka_unit_test(test_mix),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_short_duct),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
