// The report of the row mesh tool on a mesh made by hand: two blocks of 4 x 3 x 2 and 3 x 3 x 2 cells, plane in
// z = const, between x = 0 and 4 and x = 4 and 7, side by side. Expected:
//
//   straight mesh: all angles 90 degrees, ratios of edges and volumes 1, nodes apart 0
//   lines of j inclined by 60 degrees: smallest angle 60, largest 120, on the layers too
//   lines of k inclined by 50 degrees: smallest angle 50, on the layers still 90
//   last row of j three times as high: edge ratio 3 along j, volume ratio 3 across it
//   cells of the second block 1.5 times as long: volume ratio 1.5, found at the interface alone
//   first cell wanted: 2, first row 1 high, also with inclined lines: 0.5 of it, not low; first row of the first block 0.6
//   high: 0.3 of it, low unless the mesh before was no better
//   one node moved through its cell: folded cells and volumes counted, refused with the place named
//   one node of an interface moved by 1e-5: nodes apart by 1e-5
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/error.h"
#include "tools/programs/mesh_row/row.h"

enum { NI = 4, NI2 = 3, NJ = 3, NK = 2 };

static double *at(struct row *r, int b, int d, int i, int j, int k)
{
    const int *n = r->grid.block[b].n;
    return &r->grid.block[b].x[d][(k * n[1] + j) * n[0] + i];
}

static void block_new(struct row *r, const char *name, int ni, double x0)
{
    struct block *b = &r->grid.block[r->grid.nblock];
    *b = (struct block){.n = {ni + 1, NJ + 1, NK + 1}};
    snprintf(b->name, sizeof b->name, "%s", name);
    const size_t n = (size_t)(ni + 1) * (NJ + 1) * (NK + 1);
    b->x[0] = malloc(3 * n * sizeof(double));
    assert_non_null(b->x[0]);
    b->x[1] = b->x[0] + n;
    b->x[2] = b->x[1] + n;
    r->grid.nblock++;
    for (int k = 0; k <= NK; k++)
        for (int j = 0; j <= NJ; j++)
            for (int i = 0; i <= ni; i++) {
                *at(r, r->grid.nblock - 1, 0, i, j, k) = x0 + i;
                *at(r, r->grid.nblock - 1, 1, i, j, k) = 10 + j;
                *at(r, r->grid.nblock - 1, 2, i, j, k) = k;
            }
}

static void row_new(struct row *r)
{
    *r = (struct row){
        .in = {.blades = 1, .length = 0.01, .angle = M_PI / 180, .theta = 1, .shift = -1}};
    block_new(r, "first", NI, 0);
    block_new(r, "second", NI2, NI);
    r->nlayer = NK + 1;
    r->w = malloc((NK + 1) * sizeof *r->w);
    assert_non_null(r->w);
    for (int k = 0; k <= NK; k++)
        r->w[k] = 0.5 * k;
    r->grid.joint[r->grid.njoint++] = (struct joint){.zone = 0,
                                                     .donor = 1,
                                                     .lo = {NI, 0, 0},
                                                     .hi = {NI, NJ, NK},
                                                     .from = {0, 0, 0},
                                                     .to = {0, NJ, NK},
                                                     .transform = {1, 2, 3}};
}

// Moves every node: x += a (y - 10) + b z.
static void shear(struct row *r, double a, double b)
{
    for (int z = 0; z < 2; z++)
        for (int k = 0; k <= NK; k++)
            for (int j = 0; j <= NJ; j++)
                for (int i = 0; i < r->grid.block[z].n[0]; i++)
                    *at(r, z, 0, i, j, k) += a * j + b * k;
}

static struct figures measure(const struct row *r)
{
    static double first[NI * NJ * NK], second[NI2 * NJ * NK];
    double *const volume[ROW_ZONES] = {first, second};
    struct figures f;
    figures_measure(&f, r, volume);
    return f;
}

static void near(const char *what, double is, double wanted)
{
    if (!(fabs(is - wanted) <= 1e-9 * fmax(1, fabs(wanted))))
        fail_msg("%s: %.12g, wanted %.12g", what, is, wanted);
}

static const double deg = 180 / M_PI;

static void test_straight(void **state)
{
    (void)state;
    struct row r;
    row_new(&r);
    const struct figures f = measure(&r);
    assert_int_equal(f.cells, NI * NJ * NK + NI2 * NJ * NK);
    assert_int_equal(f.negative + f.folded + f.below[0] + f.below[1], 0);
    near("smallest angle", f.least * deg, 90);
    near("largest angle", f.most * deg, 90);
    near("volume", f.volume, 1);
    near("aspect", f.aspect, 1);
    near("ratio", f.ratio, 1);
    for (int d = 0; d < 3; d++)
        near("growth", f.growth[d], 1);
    near("apart", f.apart, 0);
    row_free(&r);
}

static void test_angles(void **state)
{
    (void)state;
    struct row r;
    row_new(&r);
    shear(&r, 1 / tan(60 / deg), 0);
    struct figures f = measure(&r);
    near("smallest angle", f.least * deg, 60);
    near("largest angle", f.most * deg, 120);
    near("on the layers", f.plane_least * deg, 60);
    row_free(&r);
    row_new(&r);
    shear(&r, 0, 1 / tan(50 / deg));
    f = measure(&r);
    near("smallest angle", f.least * deg, 50);
    near("largest angle", f.most * deg, 130);
    near("on the layers", f.plane_least * deg, 90);
    assert_int_equal(f.below[1], 0);
    row_free(&r);
    row_new(&r);
    shear(&r, 1 / tan(25 / deg), 0);
    f = measure(&r);
    assert_int_equal(f.below[0], 0);
    assert_int_equal(f.below[1], f.cells);
    assert_int_equal(f.folded, 0);
    row_free(&r);
}

static void test_first(void **state)
{
    (void)state;
    struct row r;
    row_new(&r);
    r.in.first[0] = 2;
    shear(&r, 1 / tan(40 / deg), 0);
    const struct figures was = measure(&r);
    near("first cells", was.first, 0.5);
    assert_false(figures_low(&was, &was));
    for (int k = 0; k <= NK; k++)
        for (int i = 0; i <= NI; i++)
            *at(&r, 0, 1, i, 1, k) -= 0.4;
    const struct figures f = measure(&r);
    near("low first cells", f.first, 0.3);
    assert_true(figures_low(&f, &was));
    assert_false(figures_low(&f, &f));
    assert_false(figures_low(&was, &f));
    row_free(&r);
}

// The last cell counts too, and the two sides of an interface are neighbours.
static void test_ratios(void **state)
{
    (void)state;
    struct row r;
    row_new(&r);
    for (int z = 0; z < 2; z++)
        for (int k = 0; k <= NK; k++)
            for (int i = 0; i < r.grid.block[z].n[0]; i++)
                *at(&r, z, 1, i, NJ, k) += 2;
    struct figures f = measure(&r);
    near("growth along j", f.growth[1], 3);
    near("growth along i", f.growth[0], 1);
    near("volume ratio", f.ratio, 3);
    near("aspect", f.aspect, 3);
    row_free(&r);
    row_new(&r);
    for (int k = 0; k <= NK; k++)
        for (int j = 0; j <= NJ; j++)
            for (int i = 1; i <= NI2; i++)
                *at(&r, 1, 0, i, j, k) += 0.5 * i;
    f = measure(&r);
    near("growth along i", f.growth[0], 1);
    near("volume ratio", f.ratio, 1.5);
    row_free(&r);
}

static void test_folded(void **state)
{
    (void)state;
    struct row r;
    row_new(&r);
    *at(&r, 0, 0, 2, 1, 1) +=
        1.2; // past its neighbour: corners turn over, the volumes stay positive
    struct figures f = measure(&r);
    assert_int_equal(f.negative, 0);
    assert_true(f.folded > 0 && f.folded <= 8);
    assert_int_equal(f.bad_zone, 0);
    assert_int_equal(f.bad[0], 2);
    assert_int_equal(figures_print(&r), AN_DIVERGED);
    assert_non_null(strstr(an_error_text(), "no mesh written"));
    assert_non_null(strstr(an_error_text(), "zone first"));
    assert_non_null(strstr(an_error_text(), " cm, r = "));
    assert_non_null(strstr(an_error_text(), " deg, at "));
    assert_non_null(strstr(an_error_text(), "what may help: "));
    row_free(&r);
    row_new(&r);
    for (int k = 0; k <= NK; k++) // a whole line: the cells behind it have negative volumes
        for (int j = 0; j <= NJ; j++)
            *at(&r, 1, 0, 1, j, k) += 1.2;
    f = measure(&r);
    assert_int_equal(f.negative, NJ * NK);
    assert_int_equal(f.folded, NJ * NK);
    assert_int_equal(figures_print(&r), AN_DIVERGED);
    row_free(&r);
    row_new(&r);
    assert_int_equal(figures_print(&r), AN_OK);
    row_free(&r);
}

static void test_apart(void **state)
{
    (void)state;
    struct row r;
    row_new(&r);
    *at(&r, 1, 1, 0, NJ, NK) += 1e-5;
    near("apart", measure(&r).apart, 1e-5);
    row_free(&r);
    // a joint that leads to the wrong line is off by a cell
    row_new(&r);
    r.grid.joint[0].from[0] = r.grid.joint[0].to[0] = 1;
    near("apart", measure(&r).apart, 1);
    row_free(&r);
    // turned by a quarter of the circle: from +y to +z
    row_new(&r);
    r.in.blades = 4;
    r.grid.joint[0].turn = 1;
    for (int k = 0; k <= NK; k++)
        for (int j = 0; j <= NJ; j++)
            for (int i = 0; i <= NI2; i++) {
                const double y = *at(&r, 1, 1, i, j, k);
                *at(&r, 1, 1, i, j, k) = -*at(&r, 1, 2, i, j, k);
                *at(&r, 1, 2, i, j, k) = y;
            }
    assert_true(measure(&r).apart < 1e-12);
    r.grid.joint[0].turn = -1;
    assert_true(measure(&r).apart > 10);
    row_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_straight), cmocka_unit_test(test_angles),
        cmocka_unit_test(test_ratios),   cmocka_unit_test(test_folded),
        cmocka_unit_test(test_apart),    cmocka_unit_test(test_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
