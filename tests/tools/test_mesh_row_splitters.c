// Rows with splitters, made by mesh_row: 12 main blades between two cylinders, straight along theta = x times a
// constant, with one or two splitters in a pitch that begin at 45 % of the chord. Expected of the file:
//
//   every face cell is claimed once; interfaces in both directions, also on the line between the sectors, nodes
//   apart by 1e-10 m at most; each blade has its five zones, with a gap seven, its wall and its tip; counts and ends
//   of interfaces multiples of 4; smallest angle above 15 deg
//   the splitter may stand anywhere in the pitch, by its own theta; a turn by whole pitches changes nothing
//   faulty splitters are refused with the reason
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file.h"

#define FOLDER "mesh_splitters"
#include "tests/tools/straight_row.h"

// Sections of an elliptic profile from x0 to x1, turned by `pitches`.
static void put_blade(const char *name, double x0, double x1, double pitches)
{
    FILE *f = create(name);
    for (int k = 0; k < 5; k++) {
        const double r = hub + (casing - hub) * k / 4;
        fprintf(f, "section %d\n", k + 1);
        for (int i = 0; i < 160; i++) {
            const double a = 2 * M_PI * i / 160, x = x0 + 0.5 * (x1 - x0) * (1 - cos(a)),
                         half = 0.003 * sin(a);
            fprintf(f, "%.9g %.9g %.9g\n", x, r, 2.2 * x + half / r + pitches * 2 * M_PI / BLADES);
        }
    }
    assert_int_equal(fclose(f), 0);
}

// Numbers of cells and ends of interfaces are multiples of the unit: coarser levels have them, too.
static void check_multiples(const struct mesh *m, int unit)
{
    for (int z = 0; z < m->zones; z++)
        for (int d = 0; d < 3; d++)
            assert_int_equal((m->z[z].n[d] - 1) % unit, 0);
    check_ends(m, unit);
}

static void check_families(const struct mesh *m, int splitters, bool tip)
{
    static const char *const own[] = {"splitter", "splitter_tip", "splitter_2", "splitter_2_tip"};
    bool seen[4] = {false};
    int n;
    assert_int_equal(cg_nfamilies(m->file, 1, &n), CG_OK);
    for (int f = 1; f <= n; f++) {
        char family[33];
        int boco, geo;
        assert_int_equal(cg_family_read(m->file, 1, f, family, &boco, &geo), CG_OK);
        for (int k = 0; k < 4; k++)
            seen[k] = seen[k] || strcmp(own[k], family) == 0;
    }
    for (int k = 0; k < 4; k++)
        assert_int_equal(seen[k], k / 2 < splitters && (tip || k % 2 == 0));
}

static double smallest_angle(void)
{
    const char *at = strstr(printed(), "smallest angle       ");
    assert_non_null(at);
    return atof(at + 21);
}

static void mesh_of(struct mesh *m, const char *more)
{
    char path[1000];
    put_row(more);
    if (command("mesh_row %s/row.yaml -o %s/m.cgns", folder, folder))
        fail_msg("%s", printed());
    snprintf(path, sizeof path, "%s/m.cgns", folder);
    mesh_open(m, path);
    m->turn = 2 * M_PI / BLADES;
}

static void test_one(void **state)
{
    (void)state;
    struct mesh m;
    put_blade("main.dat", 0, chord, 0);
    put_blade("s.dat", 0.45 * chord, chord, 0.5);
    mesh_of(&m, "splitter: {sections: s.dat}\ntip_gap: 5e-4\nhub_parts: three\n");
    assert_non_null(
        strstr(printed(), "from 45.0 to 100.0 % of the main blade's length, 0.500 of the pitch"));
    assert_non_null(strstr(printed(), "multigrid levels     3\n"));
    assert_true(log_holds("first cells, splitter ") && log_holds("first cells, splitter_tip "));
    assert_true(smallest_angle() > 15);
    assert_int_equal(m.zones, 14);
    check_links(&m, 1e-10);
    check_multiples(&m, 4);
    check_families(&m, 1, true);
    mesh_close(&m);
    assert_int_equal(command("annulus info %s/m.cgns", folder), 0);
    assert_non_null(strstr(printed(), " 0 left over"));
}

// Two splitters, in the wrong order and some turns away; the same mesh comes of the right ones.
static void test_two(void **state)
{
    (void)state;
    struct mesh m;
    double least[2];
    put_blade("main.dat", 0, chord, 0);
    for (int k = 0; k < 2; k++) {
        put_blade("s.dat", 0.45 * chord, chord, k ? 0.33 : -0.67 - 3);
        put_blade("t.dat", 0.3 * chord, chord, k ? 0.67 : 2.67);
        mesh_of(&m, k ? "splitter: [{sections: t.dat}, {sections: s.dat}]\n"
                      : "splitter: [{sections: s.dat}, {sections: t.dat}]\n");
        least[k] = smallest_angle();
        assert_int_equal(m.zones, 15);
        check_links(&m, 1e-10);
        check_families(&m, 2, false);
        mesh_close(&m);
    }
    assert_true(least[0] > 15);
    assert_true(fabs(least[0] - least[1]) < 0.02);
}

static void refused(const char *more, const char *message)
{
    put_row(more);
    row_refused(more, message);
}

static void test_bad(void **state)
{
    (void)state;
    put_blade("main.dat", 0, chord, 0);
    put_blade("near.dat", 0.45 * chord, chord, 0.03);
    refused("splitter: {sections: near.dat}",
            "near.dat: error: the splitter overlaps the main blade at");
    put_blade("early.dat", -0.1 * chord, chord, 0.5);
    refused("splitter: {sections: early.dat}",
            "begins upstream of the main blade at 2 % of the span");
    put_blade("short.dat", 0.1 * chord, 0.4 * chord, 0.5);
    refused("splitter: {sections: short.dat}", "ends at 40 % of the main blade's length");
    put_blade("behind.dat", 1.1 * chord, 1.5 * chord, 0.5);
    refused("splitter: {sections: behind.dat}", "begins where the main blade ends");
    put_blade("s.dat", 0.45 * chord, chord, 0.4);
    put_blade("t.dat", 0.4 * chord, chord, 0.42);
    refused("splitter: [{sections: s.dat}, {sections: t.dat}]",
            "the second splitter overlaps the splitter");
    refused("splitter: s.dat", "'splitter' needs keys of its own");
    refused("splitter: {rpm: 3}", "row.yaml:11:12: error: 'splitter' has no key 'rpm'");
    refused("splitter: {columns: [x, r, theta]}", "'splitter' does not say its blade");
    refused("splitter: {sections: nowhere.dat}", "nowhere.dat: error: No such file");
    refused("splitter: []", "'splitter' names 0 blades; 1 to 2 can be meshed");
    refused("splitter: [{sections: s.dat}, {sections: s.dat}, {sections: s.dat}]",
            "'splitter' names 3 blades");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one), cmocka_unit_test(test_two),
                                       cmocka_unit_test(test_bad)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
