/* The map of a sliding plane and the means over its faces: unevenly cut rings, unequal spans, at
 * several angles. Sums over one side equal those over the other; a smooth function is met to third
 * order around the axis; faces that coincide give the donor's value; pitches that agree are found;
 * angles do not drift. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define AN_PRECISION 64
#include "bc/slide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RINGS = 16, MOST_FACES = 4096 };

static const double pi = 3.14159265358979323846;

struct sides {
    struct an_slide_plane plane;
    struct an_slide_ring ring[MOST_RINGS];
    struct an_slide_face face[MOST_FACES];
    int nring, nface;
    struct an_slide_map map;
};

/* Side `side` gets n rings of `around` faces each; waves of `uneven` in the edges; lean of
 * cells. */
static void add_side(struct sides *s, int side, int n, int around, double uneven, double lean)
{
    s->plane.first[side] = s->nring;
    s->plane.n[side] = n;
    for (int r = 0; r < n; r++) {
        struct an_slide_ring *ring = &s->ring[s->nring];
        ring->low = pow((double)r / n, 1 + uneven);
        ring->high = pow((r + 1.) / n, 1 + uneven);
        ring->radius = 0.5 + 0.1 * r;
        for (int m = 0; m < around; m++) {
            const int i =
                (m * 7 + 3) % around; /* in no order; 7 and `around` have no common part */
            struct an_slide_face *f = &s->face[s->nface++];
            f->ring = s->nring;
            for (int e = 0; e < 2; e++) {
                const double at = (double)(i + e) / around;
                f->edge[0][e] = 0.1 * r + s->plane.sector[0] * (at + uneven * sin(2 * pi * at) / 8);
                f->edge[1][e] = f->edge[0][e] + lean;
                f->edge[2][e] = f->edge[0][e] + 3 * lean;
            }
            const double wide = f->edge[0][1] - f->edge[0][0];
            f->area[0] = (side ? -1 : 1) * sin(wide) * (ring->high - ring->low);
            f->area[1] = 0.1 * wide;
            f->area[2] = 0.01 * i;
        }
        s->nring++;
    }
}

static void make_map(struct sides *s)
{
    int fault;
    assert_int_equal(
        an_slide_map_new(1, &s->plane, s->nring, s->ring, s->nface, s->face, &s->map, &fault),
        AN_OK);
    assert_int_equal(fault, -1);
}

static struct sides *two_sides(int rings0, int around0, int rings1, int around1, double uneven,
                               double lean)
{
    struct sides *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->plane.sector[0] = s->plane.sector[1] = 2 * pi / 9;
    add_side(s, 0, rings0, around0, uneven, lean);
    add_side(s, 1, rings1, around1, 0.7 * uneven, lean);
    make_map(s);
    return s;
}

static void end(struct sides *s)
{
    an_slide_map_free(&s->map);
    free(s);
}

/* Sums of means over the faces of a side times their extent, and of the other side's values. */
static void test_sums(void **state)
{
    (void)state;
    struct sides *s = two_sides(3, 17, 4, 23, 0.4, 0.01);
    static double q[2 * MOST_FACES];
    for (int n = 0; n < 2 * s->nface; n++)
        q[n] = 1 + 0.9 * sin(12.9898 * n * n);
    for (double turn = -3; turn < 3; turn += 0.37)
        for (int side = 0; side < 2; side++) {
            double got[2] = {0, 0}, given[2] = {0, 0};
            for (int64_t f = 0; f < s->nface; f++) {
                const int mine = s->face[f].ring >= s->plane.first[1];
                const double extent = an_slide_extent(s->map.word, f);
                double mean[AN_SLIDE_WORDS];
                an_slide_mean_f64(s->map.word, f, AN_SLIDE_AT_FACE, &turn, q, 2, 0, 2, 0, mean);
                for (int w = 0; w < 2; w++) {
                    if (mine == side)
                        got[w] += extent * mean[w];
                    else
                        given[w] += extent * q[2 * f + w];
                }
            }
            for (int w = 0; w < 2; w++)
                assert_true(fabs(got[w] - given[w]) < 1e-14);
        }
    end(s);
}

/* The sums of areas that the map keeps: what a face has is shared out without rest. */
static void test_misfit(void **state)
{
    (void)state;
    struct sides *s = two_sides(2, 12, 2, 17, 0.3, 0);
    const double *ring = s->map.word + (int64_t)s->map.word[1];
    double sum[2][3] = {{0}}, misfit[2][3] = {{0}};
    for (int f = 0; f < s->nface; f++)
        for (int c = 0; c < 3; c++)
            sum[s->face[f].ring >= 2][c] += s->face[f].area[c];
    for (int r = 0; r < s->nring; r++)
        for (int c = 0; c < 3; c++)
            misfit[r >= 2][c] += ring[AN_SLIDE_RING * r + AN_SLIDE_MISFIT + c];
    for (int c = 0; c < 3; c++)
        for (int side = 0; side < 2; side++)
            assert_true(fabs(misfit[side][c] - sum[0][c] - sum[1][c]) < 1e-14);
    end(s);
}

/* Faces in another order, as other ranks number them: the same rings, edges and means, to the bit. */
static void test_numbers(void **state)
{
    (void)state;
    struct sides *s = two_sides(3, 17, 4, 23, 0.4, 0.01), *t = calloc(1, sizeof *t);
    assert_non_null(t);
    const int n = s->nface;
    *t = *s;
    t->map = (struct an_slide_map){0};
    for (int f = 0; f < n; f++)
        t->face[f] = s->face[n - 1 - f];
    make_map(t);
    const int64_t rings = (int64_t)s->map.word[1], order = (int64_t)s->map.word[2];
    assert_true(s->map.n == t->map.n);
    assert_memory_equal(s->map.word + rings, t->map.word + rings,
                        (size_t)(order - rings) * sizeof(double));
    assert_memory_equal(s->map.word + order + n, t->map.word + order + n,
                        (size_t)(s->map.n - order - n) * sizeof(double));
    static double q[MOST_FACES], p[MOST_FACES];
    for (int f = 0; f < n; f++)
        p[n - 1 - f] = q[f] = sin(12.9898 * f * f);
    for (int f = 0; f < n; f++) {
        const double turn = 0.37;
        double a[AN_SLIDE_WORDS], b[AN_SLIDE_WORDS];
        an_slide_mean_f64(s->map.word, f, AN_SLIDE_AT_FACE, &turn, q, 1, 0, 1, 0, a);
        an_slide_mean_f64(t->map.word, n - 1 - f, AN_SLIDE_AT_FACE, &turn, p, 1, 0, 1, 0, b);
        assert_true(a[0] == b[0]);
    }
    end(t);
    end(s);
}

/* Means of sin(9 m angle) in the frame of side 1, which stands still. */
static double wave(double a, double b)
{
    const double m = 9 * 2;
    return (cos(m * a) - cos(m * b)) / (m * (b - a));
}

static double worst(int around, double turn, int set)
{
    struct sides *s = two_sides(1, around, 1, around * 5 / 4, 0.3, 0.02);
    static double q[MOST_FACES];
    double most = 0;
    for (int f = 0; f < s->nface; f++)
        q[f] = wave(s->face[f].edge[set][0] + (s->face[f].ring ? 0 : turn),
                    s->face[f].edge[set][1] + (s->face[f].ring ? 0 : turn));
    for (int f = 0; f < s->nface; f++) {
        double mean[AN_SLIDE_WORDS];
        const double *e = s->face[f].edge[0], *l = s->face[f].edge[set];
        const double away = s->face[f].ring ? 0 : turn;
        const double a = (set ? 2 * e[0] - l[0] : e[0]) + away,
                     b = (set ? 2 * e[1] - l[1] : e[1]) + away;
        an_slide_mean_f64(s->map.word, f, set, &turn, q, 1, 0, 1, 0, mean);
        most = fmax(most, fabs(mean[0] - wave(a, b)));
    }
    end(s);
    return most;
}

static void test_order(void **state)
{
    (void)state;
    for (int set = 0; set < AN_SLIDE_NSET; set++) {
        const double coarse = worst(80, 0.237, set), fine = worst(160, 0.237, set);
        assert_true(fine < 4e-5 && log2(coarse / fine) > 2.85);
    }
}

/* Across the span: linear functions of the area are met exactly, at hub and casing too. */
static void test_span(void **state)
{
    (void)state;
    struct sides *s = two_sides(5, 9, 4, 11, 0.5, 0);
    static double q[MOST_FACES];
    for (int f = 0; f < s->nface; f++) {
        const struct an_slide_ring *r = &s->ring[s->face[f].ring];
        q[f] = 3 - 2 * 0.5 * (r->low + r->high);
    }
    for (int f = 0; f < s->nface; f++) {
        double mean[AN_SLIDE_WORDS];
        const double turn = 0.4;
        an_slide_mean_f64(s->map.word, f, AN_SLIDE_AT_FACE, &turn, q, 1, 0, 1, 0, mean);
        assert_true(fabs(mean[0] - q[f]) < 1e-14);
    }
    end(s);
}

/* Sides that coincide, at rest and turned by whole faces: the donor's value, for ghosts of leaning
 * lines, too. */
static void test_coincide(void **state)
{
    (void)state;
    struct sides *s = calloc(1, sizeof *s);
    assert_non_null(s);
    enum { N = 20 };
    s->plane.sector[0] = s->plane.sector[1] = 2 * pi / 9;
    add_side(s, 0, 2, N, 0, 0.01);
    add_side(s, 1, 2, N, 0, -0.01);
    make_map(s);
    static double q[MOST_FACES];
    for (int f = 0; f < s->nface; f++)
        q[f] = sin(5.1 * f);
    for (int shift = 0; shift < 2 * N; shift++) {
        const double turn = shift * s->plane.sector[0] / N;
        for (int set = 0; set < AN_SLIDE_NSET; set++)
            for (int f = 0; f < 2 * N; f++) {
                double mean[AN_SLIDE_WORDS];
                const int place = (int)s->map.word[4 + AN_SLIDE_FACE * f + AN_SLIDE_PLACE];
                an_slide_mean_f64(s->map.word, f, set, &turn, q, 1, 0, 1, 0, mean);
                for (int d = 2 * N; d < 4 * N; d++)
                    if (s->face[d].ring == s->face[f].ring + 2 &&
                        s->map.word[4 + AN_SLIDE_FACE * d + AN_SLIDE_PLACE] == (place + shift) % N)
                        assert_true(fabs(mean[0] - q[d]) < 1e-12);
            }
    }
    end(s);
}

/* A jump of a state: bounded means stay between the values. */
static void test_bounded(void **state)
{
    (void)state;
    struct sides *s = two_sides(1, 10, 1, 33, 0, 0);
    static double q[5 * MOST_FACES];
    for (int f = 0; f < s->nface; f++)
        for (int w = 0; w < 5; w++)
            q[5 * f + w] = sin(9 * s->face[f].edge[0][0]) > 0 ? 1 : 0.01;
    for (double turn = 0; turn < 0.7; turn += 0.01)
        for (int f = 0; f < s->nface; f++) {
            double mean[AN_SLIDE_WORDS];
            an_slide_mean_f64(s->map.word, f, AN_SLIDE_AT_FACE, &turn, q, 5, 0, 5, 1, mean);
            assert_true(mean[0] > 0.001 && mean[4] < 1.5);
        }
    end(s);
}

/* The face that holds a place, for rings of many kinds: as looked for one by one. */
static void test_find(void **state)
{
    (void)state;
    double e[41];
    for (int count = 1; count <= 40; count++)
        for (int kind = 0; kind < 3; kind++) {
            for (int n = 0; n <= count; n++)
                e[n] = 0.3 + pow((double)n / count, kind == 0 ? 1 : kind == 1 ? 5 : 0.2);
            for (int n = -40; n < 440; n++) {
                const double at = n % 10 || n < 0 || n / 10 > count ? 0.3 + n / 400. : e[n / 10];
                int wanted = 0;
                while (wanted < count - 1 && e[wanted + 1] <= at)
                    wanted++;
                assert_int_equal(an_slide_find(e, count, at, at - e[0]), wanted);
            }
        }
}

static void test_faults(void **state)
{
    (void)state;
    struct sides *s = two_sides(2, 12, 2, 16, 0, 0);
    struct an_slide_map map;
    int fault;
    s->face[3].edge[0][1] += 1e-3;
    assert_int_equal(
        an_slide_map_new(1, &s->plane, s->nring, s->ring, s->nface, s->face, &map, &fault),
        AN_INPUT);
    assert_int_equal(fault, 0);
    s->face[3].edge[0][1] -= 1e-3;
    s->ring[3].low += 1e-3;
    assert_int_equal(
        an_slide_map_new(1, &s->plane, s->nring, s->ring, s->nface, s->face, &map, &fault),
        AN_INPUT);
    assert_true(fault >= 2);
    s->ring[3].low -= 1e-3;
    /* phase lag, and a face on the other side of 180 degrees */
    s->plane.passages[0] = 4;
    s->plane.passages[1] = 5;
    assert_int_equal(
        an_slide_map_new(1, &s->plane, s->nring, s->ring, s->nface, s->face, &map, &fault), AN_OK);
    an_slide_map_free(&map);
    for (int set = 0; set < AN_SLIDE_NSET; set++)
        for (int e = 0; e < 2; e++)
            s->face[5].edge[set][e] += s->plane.sector[0];
    assert_int_equal(
        an_slide_map_new(1, &s->plane, s->nring, s->ring, s->nface, s->face, &map, &fault),
        AN_INPUT);
    assert_int_equal(fault, 0);
    s->plane.passages[0] = s->plane.passages[1] = 1;
    assert_int_equal(
        an_slide_map_new(1, &s->plane, s->nring, s->ring, s->nface, s->face, &map, &fault), AN_OK);
    an_slide_map_free(&map);
    /* a pitch that a side does not cover */
    s->plane.sector[0] *= 1.1;
    s->plane.sector[1] *= 1.1;
    assert_int_equal(
        an_slide_map_new(1, &s->plane, s->nring, s->ring, s->nface, s->face, &map, &fault),
        AN_INPUT);
    end(s);
}

static void test_copies(void **state)
{
    (void)state;
    int n[2];
    assert_true(an_slide_copies((double[2]){2 * pi / 36, 2 * pi / 45}, n));
    assert_true(n[0] == 4 && n[1] == 5);
    assert_true(an_slide_copies((double[2]){2 * pi / 20, 2 * pi / 20}, n));
    assert_true(n[0] == 1 && n[1] == 1);
    assert_true(an_slide_copies((double[2]){2 * pi / 23, 2 * pi / 31}, n));
    assert_true(n[0] == 23 && n[1] == 31);
    assert_false(an_slide_copies((double[2]){0.1, 0.1234567}, n));
}

static void test_turn(void **state)
{
    (void)state;
    const double sector = 2 * pi / 9, rate = -1800, dt = 2 * pi / (1800. * 360);
    /* 40 steps a sector: the same angle after any number of sectors, to the bit */
    for (int n = 0; n < 40; n++)
        assert_true(an_slide_turn(rate, n, dt, 0, sector) ==
                    an_slide_turn(rate, n + 40 * (int64_t)123456789, dt, 0, sector));
    assert_true(fabs(an_slide_turn(rate, 10, dt, 0, sector) - 0.75 * sector) < 1e-14);
    assert_true(fabs(an_slide_turn(rate, 3, dt, 7 * dt, sector) - 0.75 * sector) < 1e-14);
    assert_true(fabs(an_slide_turn(100, 3, 1e-3, 0, sector) - 0.3) < 1e-14);
    assert_true(an_slide_turn(0, 5, 1, 0, sector) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sums),     cmocka_unit_test(test_misfit),
        cmocka_unit_test(test_order),    cmocka_unit_test(test_span),
        cmocka_unit_test(test_coincide), cmocka_unit_test(test_bounded),
        cmocka_unit_test(test_faults),   cmocka_unit_test(test_copies),
        cmocka_unit_test(test_turn),     cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
