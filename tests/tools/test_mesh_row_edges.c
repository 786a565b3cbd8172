// Rows whose trailing edges are cut off, and rows with gaps at hub and casing, made by mesh_row: 12 blades between two
// cylinders, straight along theta = x times a constant, an elliptic profile cut off at 97 % of the chord. Expected of
// the file:
//
//   both corners are nodes of the blade's wall in every layer, to 2 um (the splines along the span), and the base has
//   nodes between them; every face cell is claimed once; interfaces fit; smallest angle above 20 deg, with a gap above
//   15 deg, with a splitter (whose edge is cut off or round) above 12 deg
//   gaps at the hub, at the casing and at both, of two heights: the walls of the blade end as high as wanted above the
//   hub and below the casing at both edges, to 1 %, and even between them; blocks and families have their names, ends
//   of interfaces are multiples of 4; gaps of two kinds, of no height at one edge or too high are refused
//   round_edges: yes makes an arc of the edge; sections of which only some are cut off are refused with the reason
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file.h"

#define FOLDER "mesh_edges"
#include "tests/tools/straight_row.h"

enum { POINTS = 80 };
static const double along = 2.2, cut = 0.97;

// Half the thickness at fraction t of the uncut chord.
static double half(double t)
{
    return 0.003 * sin(acos(1 - 2 * t));
}

// Sections from x0 on, cut off at the fraction `at`; the first `whole` of five are not.
static void put_blade(const char *name, double x0, double at, int whole, double pitches)
{
    FILE *f = create(name);
    for (int k = 0; k < 5; k++) {
        const double r = hub + (casing - hub) * k / 4, end = k < whole ? 1 : at;
        fprintf(f, "section %d\n", k + 1);
        for (int i = 0; i < 2 * POINTS; i++) {
            // in a round section i = POINTS is the edge; in a cut-off one the two sides end in corners
            const int up = i <= POINTS;
            if (i == POINTS + 1 && end < 1)
                fprintf(f, "%.12g %.12g %.12g\n", x0 + end * (chord - x0), r,
                        along * (x0 + end * (chord - x0)) - half(end) / r +
                            pitches * 2 * M_PI / BLADES);
            const double a = M_PI * (up ? i : 2 * POINTS - i) / POINTS,
                         t = end * 0.5 * (1 - cos(a)), x = x0 + t * (chord - x0);
            fprintf(f, "%.12g %.12g %.12g\n", x, r,
                    along * x + (up ? 1 : -1) * half(t) / r + pitches * 2 * M_PI / BLADES);
        }
    }
    assert_int_equal(fclose(f), 0);
}

static double figure(const char *name)
{
    const char *at = strstr(printed(), name);
    if (!at)
        fail_msg("no '%s' in:\n%s", name, printed());
    return atof(at + strlen(name));
}

static void mesh_of(struct mesh *m, const char *more)
{
    char path[1000];
    put_row(more);
    if (command("mesh_row %s/row.yaml -o %s/m.cgns", folder, folder)) {
        fputs(printed(), stderr);
        fail_msg("%s", more);
    }
    snprintf(path, sizeof path, "%s/m.cgns", folder);
    mesh_open(m, path);
    m->turn = 2 * M_PI / BLADES;
}

// Nodes of the wall between the corners; each corner must be a node of every layer.
static int base_nodes(const struct mesh *m, const char *zone, double pitches)
{
    const struct zone *z = &m->z[zone_named(m, zone)];
    const double x = cut * chord;
    int base = 0;
    for (cgsize_t k = 0; k < z->n[2]; k++) {
        const cgsize_t first[3] = {0, 0, k};
        const size_t f = at(z, first);
        const double r = hypot(z->x[1][f], z->x[2][f]);
        double least[2] = {1, 1};
        base = 0;
        for (cgsize_t i = 0; i < z->n[0]; i++) {
            const cgsize_t node[3] = {i, 0, k};
            const size_t n = at(z, node);
            for (int side = 0; side < 2; side++) {
                const double theta =
                    along * x + (side ? -1 : 1) * half(cut) / r + pitches * 2 * M_PI / BLADES;
                least[side] =
                    fmin(least[side], hypot(z->x[0][n] - x, hypot(z->x[1][n] - r * cos(theta),
                                                                  z->x[2][n] - r * sin(theta))));
            }
            base += z->x[0][n] > x - 1e-6;
        }
        if (!(least[0] < 2e-6 && least[1] < 2e-6))
            fail_msg("%s, layer %d: corners %g and %g m from the nearest nodes", zone, (int)k,
                     least[0], least[1]);
    }
    return base;
}

static void check_mesh(struct mesh *m, const char *more, double angle)
{
    mesh_of(m, more);
    if (!(figure("smallest angle       ") > angle)) {
        fputs(printed(), stderr);
        fail_msg("%s", more);
    }
    assert_true(figure("largest volume ratio ") < 10);
    check_links(m, 1e-10);
}

static void test_kept(void **state)
{
    (void)state;
    struct mesh m;
    put_blade("main.dat", 0, cut, 0, 0);
    check_mesh(&m, "", 20);
    assert_non_null(
        strstr(printed(), "cut-off edge         kept in 5 sections: bases from 0.002047"));
    assert_true(base_nodes(&m, "blade_o", 0) >= 9);
    mesh_close(&m);
    check_mesh(&m, "tip_gap: 5e-4", 15);
    assert_true(base_nodes(&m, "blade_o", 0) >= 5);
    mesh_close(&m);
    assert_int_equal(command("annulus info %s/m.cgns", folder), 0);
    assert_non_null(strstr(printed(), " 0 left over"));
}

static void test_splitters(void **state)
{
    (void)state;
    struct mesh m;
    put_blade("main.dat", 0, cut, 0, 0);
    put_blade("cut.dat", 0.45 * chord, cut, 0, 0.5);
    check_mesh(&m, "tip_gap: 5e-4\nsplitter: {sections: cut.dat}", 12);
    assert_true(base_nodes(&m, "blade_o", 0) >= 5);
    mesh_close(&m);
    put_blade("round.dat", 0.45 * chord, 1, 0, 0.5);
    check_mesh(&m, "splitter: {sections: round.dat}", 15);
    assert_true(base_nodes(&m, "blade_o", 0) >= 9);
    mesh_close(&m);
}

static void test_rounded(void **state)
{
    (void)state;
    put_blade("main.dat", 0, cut, 0, 0);
    put_row("round_edges: yes");
    assert_int_equal(command("mesh_row %s/row.yaml --quality", folder), 0);
    assert_non_null(strstr(printed(), "rounded edges        5 in 5 sections"));
    assert_null(strstr(printed(), "cut-off edge"));
    put_blade("main.dat", 0, cut, 2, 0);
    put_row("");
    assert_int_equal(command("mesh_row %s/row.yaml --quality", folder), 2);
    assert_non_null(strstr(printed(),
                           "main.dat:324: error: section 3 has a cut-off trailing edge, others "
                           "have none: from hub to casing all of them, or round_edges: yes"));
}

// Heights of the blade's end in zone `name` off the wall at its first and its last node downstream.
static void end_heights(const struct mesh *m, const char *name, bool at_hub, double height[2])
{
    const struct zone *z = &m->z[zone_named(m, name)];
    double x[2] = {1, -1};
    for (cgsize_t i = 0; i < z->n[0]; i++) {
        const cgsize_t low[3] = {i, 0, 0}, high[3] = {i, 0, z->n[2] - 1};
        const size_t a = at(z, low), b = at(z, high), end = at_hub ? b : a;
        const double gap = hypot(z->x[1][b], z->x[2][b]) - hypot(z->x[1][a], z->x[2][a]);
        for (int e = 0; e < 2; e++)
            if (e ? z->x[0][end] > x[1] : z->x[0][end] < x[0]) {
                x[e] = z->x[0][end];
                height[e] = gap;
            }
    }
}

static void check_gap(const struct mesh *m, const char *zone, bool at_hub, double lead,
                      double trail)
{
    double height[2] = {0, 0};
    end_heights(m, zone, at_hub, height);
    if (!(fabs(height[0] / lead - 1) < 0.01 && fabs(height[1] / trail - 1) < 0.01))
        fail_msg("%s: %g m at the leading and %g m at the trailing edge", zone, height[0],
                 height[1]);
}

static void test_gaps(void **state)
{
    (void)state;
    struct mesh m;
    put_blade("main.dat", 0, 1, 0, 0);
    check_mesh(&m, "hub_gap: {leading: 6e-4, trailing: 9e-4}\nhub_parts: three", 20);
    assert_int_equal(m.zones, 7);
    check_gap(&m, "hub_tip_o", true, 6e-4, 9e-4);
    check_ends(&m, 4);
    assert_non_null(strstr(printed(), "first cells, hub_tip "));
    mesh_close(&m);
    assert_int_equal(command("annulus info %s/m.cgns", folder), 0);
    assert_non_null(strstr(printed(), " 0 left over"));
    assert_non_null(strstr(printed(), "hub_tip"));
    put_blade("cut.dat", 0.45 * chord, cut, 0, 0.5);
    check_mesh(&m,
               "hub_gap_fraction: 0.016\ntip_gap: {leading: 5e-4, trailing: 8e-4}\n"
               "splitter: {sections: cut.dat}",
               12);
    assert_int_equal(m.zones, 18);
    check_gap(&m, "hub_tip_o", true, 8e-4, 8e-4);
    check_gap(&m, "tip_o", false, 5e-4, 8e-4);
    check_gap(&m, "splitter_hub_tip_o", true, 8e-4, 8e-4);
    check_ends(&m, 4);
    mesh_close(&m);
}

static void refused(const char *more, const char *message)
{
    put_row(more);
    const int rc = command("mesh_row %s/row.yaml --quality", folder);
    if (rc != 2 || !strstr(printed(), message))
        fail_msg("%s: exit code %d, not said: %s\n%s", more, rc, message, printed());
}

static void test_bad_gaps(void **state)
{
    (void)state;
    put_blade("main.dat", 0, 1, 0, 0);
    refused("hub_gap: 1e-3\nhub_gap_fraction: 0.01",
            "give 'hub_gap' or 'hub_gap_fraction', not both");
    refused("tip_gap: {leading: 1e-3, trailing: 0}",
            "'tip_gap' is zero at one edge and not at the other");
    refused("tip_gap: {leading: 1e-3}", "'tip_gap' needs one length, or {leading: , trailing: }");
    refused("hub_gap: {front: 1e-3}", "'hub_gap' has no key 'front': leading, trailing");
    refused("hub_gap: 0.02\ntip_gap: 0.01",
            "a tip gap of 0.01 m and a hub gap of 0.02 m fill more than half of the passage");
    refused("hub_gap: 0.03", "a hub gap of 0.03 m fills more than half of the passage");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept),
                                       cmocka_unit_test(test_splitters),
                                       cmocka_unit_test(test_rounded), cmocka_unit_test(test_gaps),
                                       cmocka_unit_test(test_bad_gaps)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
