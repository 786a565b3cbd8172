/* The tree of wall facets: distances are those of a search through all facets in higher precision,
 * whatever the facets; the tree is no deeper than the search's stack.
 *
 *                                       |d - reference| <=
 *   soup, tiny facets, far ones,          1e-14 (d + size of a facet)
 *     the same a thousand times, a sphere
 *   points, segments, corners in line     1e-14 (d + size)
 *   slivers: rounding over the angle      1e-10 (d + size)
 *   tree against all facets by the same formula: equal, bit for bit
 *   the facet that the search names is one of the nearest
 *   trees of one thread and of four: equal, bit for bit
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/error.h"
#include "solver/flow/wall_distance.h"
#include "tests/unit/wall_reference.h"

enum { MOST = 5000, POINTS = 400 };

static double facet[MOST][9];
static int32_t order[MOST]; /* of the facets in the last tree */

static double random_in(double least, double greatest)
{
    static uint64_t state = 88172645463325252ULL;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return least + (greatest - least) * ((double)(state >> 11) / 9007199254740992.);
}

static void random_point(double size, double x[3])
{
    for (int c = 0; c < 3; c++)
        x[c] = random_in(-size, size);
}

/* n facets of about `size` in a cube of half the edge `room` about (far, far, far). */
static void soup(int n, double size, double room, double far)
{
    for (int i = 0; i < n; i++) {
        double centre[3];
        random_point(room, centre);
        for (int k = 0; k < 9; k++)
            facet[i][k] = far + centre[k % 3] + random_in(-size, size);
    }
}

static double brute(int n, const double *tree, const double x[3])
{
    const double *f = tree + (int64_t)tree[3];
    double best = HUGE_VAL;
    for (int i = 0; i < n; i++)
        best = fmin(best, an_wall_facet(f + i * AN_WALL_FACET, x[0], x[1], x[2]));
    return sqrt(best);
}

static double *tree_of(int n)
{
    const struct an_wall_part part = {
        .nfacet = n, .facet = (const double(*)[9])facet, .nimage = 1, .image = &an_wall_identity};
    double *tree = NULL;
    int64_t length;
    assert_int_equal(an_wall_surface_tree(1, &part, &length, &tree, order), AN_OK);
    assert_true((int64_t)tree[3] + n * AN_WALL_FACET == length);
    return tree;
}

/* Depth of the tree and how often each facet is in it. */
static int walk(const double *tree, double reference, int *seen)
{
    if (reference < 0) {
        const int64_t code = (int64_t)(-1 - reference);
        for (int64_t m = 0; m <= code % 4; m++)
            seen[code / 4 + m]++;
        return 0;
    }
    const double *node = tree + (int64_t)tree[2] + (int64_t)reference * AN_WALL_NODE;
    const int a = walk(tree, node[30], seen), b = walk(tree, node[31], seen);
    return 1 + (a > b ? a : b);
}

static int depth_of(int n, const double *tree)
{
    int *seen = calloc((size_t)n, sizeof *seen);
    const int depth = walk(tree, tree[AN_WALL_HEAD + 27], seen);
    for (int i = 0; i < n; i++)
        assert_int_equal(seen[i], 1);
    free(seen);
    return depth;
}

/* Points near and far, on facets and in between, against both references. size: of a facet. */
static void check_to(double tolerance, int n, double size, double room, double far)
{
    double *tree = tree_of(n);
    assert_true(depth_of(n, tree) <= AN_WALL_DEPTH);
    for (int p = 0; p < POINTS; p++) {
        double x[3];
        random_point(p % 4 == 0 ? 10 * room : 1.2 * room, x);
        for (int c = 0; c < 3; c++) {
            x[c] += far;
            if (p % 4 == 1) /* on a facet, or next to it */
                x[c] = (facet[p % n][c] + facet[p % n][3 + c] + facet[p % n][6 + c]) / 3 +
                       (p % 8 == 1 ? 0 : 1e-3 * size * random_in(-1, 1));
        }
        int64_t nearest;
        const double d = an_wall_tree_nearest(tree, x[0], x[1], x[2], &nearest);
        const double reference = wide_nearest(n, (const double(*)[9])facet, x);
        assert_true(d == brute(n, tree, x));
        const double of_nearest = wide_nearest(1, (const double(*)[9])facet + order[nearest], x);
        assert_true(of_nearest - reference <= tolerance * (reference + size) + 4e-16 * fabs(far));
        /* edges are stored as differences: rounded where facets are far from the origin */
        assert_true(fabs(d - reference) <= tolerance * (reference + size) + 4e-16 * fabs(far));
    }
    free(tree);
}

static void check(int n, double size, double room, double far)
{
    check_to(1e-14, n, size, room, far);
}

static void soups(void **unused)
{
    (void)unused;
    for (int n = 1; n <= 12; n++) {
        soup(n, 0.7, 1, 0);
        check(n, 0.7, 1, 0);
    }
    static const int many[] = {17, 100, 1000, MOST};
    for (int m = 0; m < 4; m++) {
        soup(many[m], 0.1, 1, 0);
        check(many[m], 0.1, 1, 0);
        soup(many[m], 1e-3, 1, 0);
        check(many[m], 1e-3, 1, 0);
        soup(many[m], 1e-6, 1e-5, 0);
        check(many[m], 1e-6, 1e-5, 0);
        soup(many[m], 0.1, 1, 1000);
        check(many[m], 0.1, 1, 1000);
    }
}

static void facets_without_area(void **unused)
{
    (void)unused;
    for (int slivers = 0; slivers < 2; slivers++) {
        soup(600, 0.2, 1, 0);
        for (int i = 0; i < 600; i++) {
            double *a = facet[i], *b = a + 3, *c = a + 6;
            const double s = random_in(-1, 2), thin = pow(10, random_in(-6, -1));
            for (int d = 0; d < 3; d++)
                switch (slivers ? 5 : i % 5) {
                case 0: /* a point */
                    b[d] = c[d] = a[d];
                    break;
                case 1: /* two corners in one */
                    b[d] = a[d];
                    break;
                case 2:
                    c[d] = b[d];
                    break;
                case 3:
                    c[d] = a[d];
                    break;
                case 4: /* in line, exactly: along an axis */
                    b[d] = a[d] + (d == i % 3 ? 0.25 : 0);
                    c[d] = a[d] + (d == i % 3 ? floor(8 * s) / 16 : 0);
                    break;
                default: /* a sliver */
                    c[d] = a[d] + s * (b[d] - a[d]) + (d == 2 ? thin : 0);
                }
        }
        check_to(slivers ? 1e-10 : 1e-14, 600, 0.2, 1, 0);
    }
}

/* Where the split by area goes wrong: all at one place, and each half as far as the last. */
static void trees_stay_shallow(void **unused)
{
    (void)unused;
    soup(1, 0.3, 1, 0);
    for (int i = 1; i < 1000; i++)
        memcpy(facet[i], facet[0], sizeof facet[0]);
    check(1000, 0.3, 1, 0);
    for (int side = -1; side <= 1; side += 2) {
        for (int i = 0; i < 1000; i++)
            for (int k = 0; k < 9; k++)
                facet[i][k] = side * ldexp(1 + 0.1 * (k % 4), -i);
        double *tree = tree_of(1000);
        const int depth = depth_of(1000, tree);
        assert_in_range(depth, 9, AN_WALL_DEPTH);
        const double x[3] = {0.3, 0.2, -0.1};
        assert_true(an_wall_tree_distance(tree, x[0], x[1], x[2]) == brute(1000, tree, x));
        free(tree);
    }
}

/* Facets of a sphere seen from its centre are all about as near; from outside few are. */
static void spheres(void **unused)
{
    (void)unused;
    const double pi = acos(-1);
    int n = 0;
    for (int i = 0; i < 30; i++)
        for (int j = 0; j < 60; j++) {
            double q[4][3];
            for (int v = 0; v < 4; v++) {
                const double a = pi * (i + (v == 1 || v == 2)) / 30, b = pi * (j + v / 2) / 30;
                q[v][0] = cos(a);
                q[v][1] = i + (v == 1 || v == 2) == 30 || a == 0 ? 0 : sin(a) * cos(b);
                q[v][2] = i + (v == 1 || v == 2) == 30 || a == 0 ? 0 : sin(a) * sin(b);
            }
            const int two = an_wall_split((const double(*)[3])q, &facet[n]);
            assert_int_equal(two, 2);
            n += two;
        }
    check(n, 0.1, 1, 0);
    double *tree = tree_of(n);
    const double centre = an_wall_tree_distance(tree, 0, 0, 0);
    assert_true(centre > 0.99 && centre < 1);
    const double outside = an_wall_tree_distance(tree, -3, 0, 0); /* the pole is a corner */
    assert_true(fabs(outside - 2) < 1e-14);
    free(tree);
}

/* Two parts of many facets, tiny and large: as many tasks. The nodes stand in the order in which one thread
 * comes to them: a first child follows its parent. */
static void threads_build_the_same_tree(void **unused)
{
    (void)unused;
    const int before = omp_get_max_threads();
    double *tree[2];
    int64_t length[2];
    static int32_t number[2][MOST];
    soup(MOST, 0.01, 1, 0);
    soup(1000, 0.3, 1, 0);
    const struct an_wall_part part[2] = {
        {2000, (const double(*)[9])facet, 1, &an_wall_identity},
        {MOST - 2000, (const double(*)[9])facet + 2000, 1, &an_wall_identity}};
    for (int m = 0; m < 2; m++) {
        omp_set_num_threads(m ? 4 : 1);
        assert_int_equal(an_wall_surface_tree(2, part, &length[m], &tree[m], number[m]), AN_OK);
    }
    omp_set_num_threads(before);
    assert_true(length[0] == length[1]);
    assert_memory_equal(tree[0], tree[1], (size_t)length[0] * sizeof(double));
    assert_memory_equal(number[0], number[1], sizeof number[0]);
    const int64_t first = (int64_t)tree[0][2];
    const int64_t nodes = ((int64_t)tree[0][3] - first) / AN_WALL_NODE;
    for (int64_t n = 0; n < nodes; n++) {
        const double child = tree[0][first + n * AN_WALL_NODE + 30];
        assert_true(child < 0 || child == (double)(n + 1));
    }
    free(tree[0]);
    free(tree[1]);
}

static int has_corner(const double f[9], const double x[3])
{
    return !memcmp(f, x, 24) || !memcmp(f + 3, x, 24) || !memcmp(f + 6, x, 24);
}

static void faces_are_split_at_the_shorter_diagonal(void **unused)
{
    (void)unused;
    double q[4][3] = {{0, 0, 0}, {1, 0, 0}, {1.2, 1, 0}, {0, 1, 0}}, f[4][9];
    assert_int_equal(an_wall_split((const double(*)[3])q, f), 2);
    for (int t = 0; t < 2; t++) /* 1-3 is shorter */
        assert_true(has_corner(f[t], q[1]) && has_corner(f[t], q[3]));
    assert_true(has_corner(f[0], q[0]) != has_corner(f[1], q[0]));
    assert_true(has_corner(f[0], q[2]) != has_corner(f[1], q[2]));
    q[2][0] = 0.5;
    assert_int_equal(an_wall_split((const double(*)[3])q, f), 2);
    for (int t = 0; t < 2; t++)
        assert_true(has_corner(f[t], q[0]) && has_corner(f[t], q[2]));
    assert_true(has_corner(f[0], q[1]) != has_corner(f[1], q[1]));
    assert_true(has_corner(f[0], q[3]) != has_corner(f[1], q[3]));
    memcpy(q[2], q[1], sizeof q[1]); /* a triangle */
    assert_int_equal(an_wall_split((const double(*)[3])q, f), 2);
    memcpy(q[3], q[0], sizeof q[0]); /* a line */
    assert_int_equal(an_wall_split((const double(*)[3])q, f), 0);
    memcpy(q[1], q[0], sizeof q[0]);
    memcpy(q[2], q[0], sizeof q[0]);
    assert_int_equal(an_wall_split((const double(*)[3])q, f), 0);
}

/* Above the middle of a twisted face thin cells are as far from it as they are high. */
static void warped_faces_go_through_their_middle(void **unused)
{
    (void)unused;
    const double q[4][3] = {{0, 0, 0.1}, {1, 0, -0.1}, {1, 1, 0.1}, {0, 1, -0.1}};
    assert_int_equal(an_wall_split(q, facet), 4);
    double *tree = tree_of(4);
    for (double h = 1e-6; h < 0.01; h *= 10) {
        const double d = an_wall_tree_distance(tree, 0.5, 0.5, h);
        assert_true(d <= h && d > 0.97 * h); /* 0.98: the facets slope by 0.2 */
    }
    free(tree);
}

static void parts_and_images(void **unused)
{
    (void)unused;
    struct an_wall_image image[2][3];
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < 3; i++) {
            const double angle = i * (p ? -0.9 : 0.4);
            image[p][i] = an_wall_identity;
            image[p][i].rotation[4] = image[p][i].rotation[8] = cos(angle);
            image[p][i].rotation[5] = -sin(angle);
            image[p][i].rotation[7] = sin(angle);
            image[p][i].translation[0] = 0.3 * i * p;
        }
    soup(90, 0.1, 1, 0);
    const struct an_wall_part part[3] = {{40, (const double(*)[9])facet, 3, image[0]},
                                         {0, NULL, 1, &an_wall_identity},
                                         {50, (const double(*)[9])facet + 40, 3, image[1]}};
    double *tree;
    int64_t length;
    assert_int_equal(an_wall_surface_tree(3, part, &length, &tree, order), AN_OK);
    for (int i = 0; i < POINTS; i++) {
        double x[3], reference = 1e30;
        random_point(1.5, x);
        for (int p = 0; p < 2; p++)
            for (int g = 0; g < 3; g++) {
                const double *R = image[p][g].rotation, *t = image[p][g].translation;
                double y[3];
                for (int r = 0; r < 3; r++)
                    y[r] = R[3 * r] * x[0] + R[3 * r + 1] * x[1] + R[3 * r + 2] * x[2] + t[r];
                reference = fmin(reference, wide_nearest(part[2 * p].nfacet, part[2 * p].facet, y));
            }
        const double d = an_wall_tree_distance(tree, x[0], x[1], x[2]);
        assert_true(fabs(d - reference) < 3e-15);
        /* against the normal the nearest point stays the nearest */
        double n[3];
        an_wall_tree_normal(tree, x[0], x[1], x[2], n);
        assert_true(fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1) < 1e-14);
        for (double way = 0.25; way < 1; way += 0.5)
            assert_true(fabs(an_wall_tree_distance(tree, x[0] - way * d * n[0],
                                                   x[1] - way * d * n[1], x[2] - way * d * n[2]) -
                             (1 - way) * d) < 1e-14);
    }
    free(tree);
}

static void no_surface(void **unused)
{
    (void)unused;
    double *tree;
    int64_t length;
    const struct an_wall_part empty = {0, NULL, 1, &an_wall_identity};
    for (int npart = 0; npart < 2; npart++) {
        assert_int_equal(an_wall_surface_tree(npart, &empty, &length, &tree, order), AN_OK);
        int64_t nearest = 0;
        assert_true(an_wall_tree_nearest(tree, 1, 2, 3, &nearest) == 1e30 && nearest == -1);
        double n[3] = {1, 1, 1};
        an_wall_tree_normal(tree, 1, 2, 3, n);
        assert_true(n[0] == 0 && n[1] == 0 && n[2] == 0);
        free(tree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(soups),
        cmocka_unit_test(facets_without_area),
        cmocka_unit_test(trees_stay_shallow),
        cmocka_unit_test(spheres),
        cmocka_unit_test(threads_build_the_same_tree),
        cmocka_unit_test(faces_are_split_at_the_shorter_diagonal),
        cmocka_unit_test(warped_faces_go_through_their_middle),
        cmocka_unit_test(parts_and_images),
        cmocka_unit_test(no_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
