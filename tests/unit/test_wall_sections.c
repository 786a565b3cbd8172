/* Places on blades: side, arc, chord and span of faces against those of a blade whose sections are known.
 *
 * A section lies between two arcs of circles over the chord from m = 0 to 1: the suction side with a rise of 0.25, the
 * pressure side with one of 0.1, towards +t or -t. Equal steps of the angle are equal steps of the arc length. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include <cmocka.h>

#include "solver/boundary/wall_sections.h"

#define PI 3.14159265358979323846

enum { AROUND = 240, ALONG = 12 }; /* faces of each side, and over the span */

/* The blade that is meshed. */
struct blade {
    int cartesian, layers;
    double up;    /* 1: the suction side lies towards +t, -1 */
    double twist; /* rad by which the sections turn from hub to tip */
    double turn;  /* rad by which it stands around x */
    double moved; /* of the pressure side, m or rad */
};

static const double rise[AN_NSIDE] = {0.25, 0.1}; /* of the circles over the chord */

/* Point at part q of the arc of a side, at a span: m and t over the chord. */
static void section_point(enum an_wall_side side, double q, double *m, double *t)
{
    const double h = rise[side], R = (0.25 + h * h) / (2 * h), half = asin(0.5 / R);
    const double angle = half * (2 * q - 1);
    *m = 0.5 + R * sin(angle);
    *t = h - R + R * cos(angle);
}

static void blade_point(const struct blade *b, enum an_wall_side side, double q, double span,
                        double x[3])
{
    const double chord = 0.1 * (1 - 0.3 * span);
    double m, t;
    section_point(side, q, &m, &t);
    const double angle = b->twist * (span - 0.5), m0 = m - 0.5;
    m = 0.5 + m0 * cos(angle) - t * sin(angle);
    t = chord * b->up * (m0 * sin(angle) + t * cos(angle)) +
        (side == AN_SIDE_PRESSURE && b->cartesian ? b->moved : 0);
    x[0] = chord * m + 0.02 * span;
    if (b->cartesian) {
        x[1] = t;
        x[2] = 0.05 * span;
        return;
    }
    const double r = 0.3 + 0.1 * span;
    const double theta = t / r + b->turn + (side == AN_SIDE_PRESSURE ? b->moved : 0);
    x[1] = r * cos(theta);
    x[2] = r * sin(theta);
}

/* Patches around the blade from the trailing edge over the pressure side; cuts[ncut + 1] are its ends in faces of 0 to
 * 2 AROUND; odd patches have their directions exchanged and run backwards. */
static struct an_wall_nodes *mesh(const struct blade *b, int ncut, const int *cut)
{
    struct an_wall_nodes *patch = calloc((size_t)ncut, sizeof *patch);
    for (int p = 0; p < ncut; p++) {
        const int n = cut[p + 1] - cut[p], odd = p % 2, na = odd ? b->layers : n,
                  nb = odd ? n : b->layers;
        const int64_t all = (int64_t)(na + 1) * (nb + 1);
        patch[p].n[0] = na;
        patch[p].n[1] = nb;
        patch[p].x = malloc(3 * (size_t)all * sizeof(double));
        for (int j = 0; j <= nb; j++)
            for (int i = 0; i <= na; i++) {
                const int around = cut[p] + (odd ? n - j : i), layer = odd ? i : j;
                const enum an_wall_side side = cut[p] < AROUND ? AN_SIDE_PRESSURE : AN_SIDE_SUCTION;
                const double q = fabs((double)(around - AROUND)) / AROUND;
                double x[3];
                blade_point(b, side, q, (double)layer / b->layers, x);
                for (int c = 0; c < 3; c++)
                    patch[p].x[c * all + (int64_t)j * (na + 1) + i] = x[c];
            }
    }
    return patch;
}

static void mesh_free(int n, struct an_wall_nodes *patch)
{
    for (int p = 0; p < n; p++)
        free(patch[p].x);
    free(patch);
}

static struct an_wall_surface surface_of(const struct blade *b, int n,
                                         const struct an_wall_nodes *patch)
{
    return (struct an_wall_surface){.axes = {.cartesian = b->cartesian,
                                             .axial = {1, 0, 0},
                                             .pitch = {0, 1, 0},
                                             .span = {0, 0, 1}},
                                    .pitch = fabs(b->moved),
                                    .flow = {1, 0.1},
                                    .npatch = n,
                                    .patch = patch};
}

/* Largest errors of arc, chord, span and length (over the chord) at points of the blade, and how many have the wrong
 * side. */
static void compare(const struct blade *b, int ncut, const int *cut, double most[4], int *wrong)
{
    struct an_wall_nodes *patch = mesh(b, ncut, cut);
    const struct an_wall_surface surface = surface_of(b, ncut, patch);
    struct an_wall_sections *sections;
    if (an_wall_sections_new(&surface, 1, &sections) != AN_OK)
        fail_msg("%s", an_error_text());
    mesh_free(ncut, patch);
    memset(most, 0, 4 * sizeof *most);
    *wrong = 0;
    for (int side = 0; side < AN_NSIDE; side++)
        for (int k = 0; k < b->layers; k++)
            for (int n = 0; n < AROUND; n++) {
                const double q = (n + 0.5) / AROUND, span = (k + 0.5) / b->layers;
                double x[3], m, t, length[AN_NSIDE];
                blade_point(b, (enum an_wall_side)side, q, span, x);
                section_point((enum an_wall_side)side, q, &m, &t);
                m -= t * tan(b->twist * (span - 0.5));
                const struct an_wall_spot spot = an_wall_sections_at(sections, x);
                *wrong += spot.side != (enum an_wall_side)side;
                most[0] = fmax(most[0], fabs(spot.arc - q));
                most[1] = fmax(most[1], fabs(spot.chord - m));
                most[2] = fmax(most[2], fabs(spot.span - span));
                an_wall_sections_lengths(sections, length);
                if (b->twist == 0 && b->layers == 1)
                    most[3] = fmax(most[3], fabs(spot.length - q * length[side]));
            }
    an_wall_sections_free(sections);
}

static const int one_patch[] = {0, AROUND, 2 * AROUND};
static const int four_patches[] = {0, 60, AROUND, AROUND + 100, 2 * AROUND};

static void expect(const char *what, const struct blade *b, int ncut, const int *cut,
                   const double limit[4])
{
    double most[4];
    int wrong;
    compare(b, ncut, cut, most, &wrong);
    for (int n = 0; n < 4; n++)
        if (wrong || !(most[n] <= limit[n]))
            fail_msg("%s: figure %d is off by %g, %d sides are wrong", what, n, most[n], wrong);
}

static void of_a_cascade(void **unused)
{
    (void)unused;
    const double limit[4] = {2e-5, 2e-5, 1e-9, 1e-9};
    struct blade b = {.cartesian = 1, .layers = 1, .up = 1};
    expect("one layer", &b, 2, one_patch, limit);
    b.up = -1;
    expect("one layer, upside down", &b, 2, one_patch, limit);
    expect("one layer, four patches", &b, 4, four_patches, limit);
    b.moved = 0.08;
    expect("one layer, sides of a passage", &b, 4, four_patches, limit);
    b.moved = -0.08;
    expect("one layer, sides of the other passage", &b, 4, four_patches, limit);
}

static void of_a_twisted_row(void **unused)
{
    (void)unused;
    const double limit[4] = {4e-3, 4e-3, 1e-2, 1};
    for (int n = 0; n < 4; n++) {
        struct blade b = {.layers = ALONG, .up = n % 2 ? 1 : -1, .twist = 0.8, .turn = n * PI / 3};
        expect("row", &b, 2, one_patch, limit);
        expect("row of four patches", &b, 4, four_patches, limit);
        b.moved = n % 2 ? 2 * PI / 20 : -2 * PI / 20;
        expect("row, sides of a passage", &b, 4, four_patches, limit);
    }
}

/* A blade turned about x, and its surface in other patches: the same places to rounding. */
static void does_not_depend_on_the_mesh(void **unused)
{
    (void)unused;
    struct blade b = {.layers = ALONG, .up = 1, .twist = 0.8};
    struct an_wall_sections *sections[2];
    for (int n = 0; n < 2; n++) {
        const int *cut = n ? four_patches : one_patch, ncut = n ? 4 : 2;
        struct an_wall_nodes *patch = mesh(&b, ncut, cut);
        const struct an_wall_surface surface = surface_of(&b, ncut, patch);
        assert_int_equal(an_wall_sections_new(&surface, 1, &sections[n]), AN_OK);
        mesh_free(ncut, patch);
    }
    for (int n = 0; n < AROUND; n++) {
        double x[3];
        blade_point(&b, AN_SIDE_SUCTION, (n + 0.5) / AROUND, 0.31, x);
        const struct an_wall_spot p = an_wall_sections_at(sections[0], x),
                                  q = an_wall_sections_at(sections[1], x);
        assert_true(p.side == q.side && fabs(p.arc - q.arc) < 1e-12 &&
                    fabs(p.chord - q.chord) < 1e-12 && fabs(p.span - q.span) < 1e-12);
    }
    an_wall_sections_free(sections[0]);
    an_wall_sections_free(sections[1]);
}

static void refuses_what_is_no_blade(void **unused)
{
    (void)unused;
    static const int suction[] = {AROUND, 2 * AROUND};
    const struct blade b = {.cartesian = 1, .layers = 1, .up = 1};
    struct an_wall_sections *sections;
    struct an_wall_nodes *patch = mesh(&b, 1, suction);
    struct an_wall_surface surface = surface_of(&b, 1, patch);
    assert_int_equal(an_wall_sections_new(&surface, 1, &sections), AN_INPUT);
    assert_non_null(strstr(an_error_text(), "not closed curves"));
    assert_null(sections);
    mesh_free(1, patch);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_cascade), cmocka_unit_test(of_a_twisted_row),
        cmocka_unit_test(does_not_depend_on_the_mesh), cmocka_unit_test(refuses_what_is_no_blade)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
