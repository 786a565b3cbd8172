// Several rows in one file: a vane and a rotor with a tip gap between two cones, 12 blades each. Expected of the file:
//
//   zones and families carry the name of their row; every face cell is claimed once, by an interface, a boundary or
//   a mixing plane; interfaces in both directions, nodes apart by 1e-10 m at most; zones turn at the speed of their
//   row; the plane stands half-way between the blades; both rows have the same x and r on it, node by node, to
//   1e-12 m; all zones that reach from hub to casing have as many cells along the span
//   `planes: sliding` leaves boundaries in place of the mixing plane; `outlet` of a row chooses the plane's place
//   two blades one behind the other, as many in both rows, have smallest angles above 20 degrees where the second begins a
//   fifth of a chord behind the first, and `annulus check` takes a frozen plane between them
//   one thread and three make the same mesh and the same report
//   rows that cannot be meshed are named, all of them, and the report on the others is there; these are written, and give the
//   same mesh when the mended row, meshed alone, is joined to them
//   `clocking` turns a row about the axis
//   faults name the rows and the key
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file.h"

#define FOLDER "mesh_project"
#include "tests/tools/tool.h"

enum { BLADES = 12 };
static const double vane_end = 0.1, rotor_begin = 0.13;

// Sections of an elliptic profile from x0 to x1, with theta = slope x.
static void put_blade(const char *name, double x0, double x1, double slope)
{
    FILE *f = create(name);
    for (int k = 0; k < 5; k++) {
        fprintf(f, "section %d\n", k + 1);
        for (int i = 0; i < 160; i++) {
            const double a = 2 * M_PI * i / 160, x = x0 + 0.5 * (x1 - x0) * (1 - cos(a)),
                         r = 0.2 + 0.0125 * k + 0.02 * x;
            fprintf(f, "%.9g %.9g %.9g\n", x, r, slope * x + 0.004 * sin(a) / r);
        }
    }
    assert_int_equal(fclose(f), 0);
}

static int folder_make_all(void **state)
{
    const int rc = folder_make(state);
    put_blade("vane.dat", 0, vane_end, 2);
    put_blade("rotor.dat", rotor_begin, 0.22, -2);
    for (int w = 0; w < 3; w++) {
        FILE *f = create(w == 0 ? "hub.dat" : w == 1 ? "casing.dat" : "other.dat");
        for (int i = 0; i <= 8; i++)
            fprintf(f, "%g %g\n", -0.08 + 0.05 * i,
                    0.2 + 0.02 * (-0.08 + 0.05 * i) + (w == 1 ? 0.05 : 0.001 * w));
        assert_int_equal(fclose(f), 0);
    }
    return rc;
}

static void put_project(const char *all, const char *vane, const char *rotor)
{
    FILE *f = create("stage.yaml");
    fprintf(f,
            "hub: hub.dat\ncasing: casing.dat\ncolumns: [x, r, theta]\ninlet: -0.07\noutlet: 0.3\n"
            "cells: 3e4\nwalls: functions\nfirst_cell: 2e-4\n%s\n"
            "rows:\n  - {name: vane, blades: %d, sections: vane.dat%s}\n"
            "  - {name: rotor, blades: %d, rpm: 3000, sections: rotor.dat, tip_gap: 1e-3%s}\n",
            all, BLADES, vane, BLADES, rotor);
    assert_int_equal(fclose(f), 0);
}

static void mesh_of(struct mesh *m)
{
    char path[1000];
    if (command("mesh_row %s/stage.yaml -o %s/m.cgns", folder, folder))
        fail_msg("%s", printed());
    snprintf(path, sizeof path, "%s/m.cgns", folder);
    mesh_open(m, path);
    m->turn = 2 * M_PI / BLADES;
}

static void place(const struct zone *z, cgsize_t i, cgsize_t k, double at_node[2])
{
    const size_t l = at(z, (cgsize_t[3]){i, 0, k});
    at_node[0] = z->x[0][l];
    at_node[1] = hypot(z->x[1][l], z->x[2][l]);
}

static void check_plane(const struct mesh *m, double middle)
{
    const struct zone *a = &m->z[zone_named(m, "vane_outlet_h")],
                      *b = &m->z[zone_named(m, "rotor_inlet_h")];
    assert_int_equal(a->n[2], b->n[2]);
    for (cgsize_t k = 0; k < a->n[2]; k++) {
        double x[2], y[2];
        place(a, a->n[0] - 1, k, x);
        place(b, 0, k, y);
        if (fabs(x[0] - y[0]) + fabs(x[1] - y[1]) > 1e-12)
            fail_msg("node %d: x differs by %g m, r by %g m", (int)k, x[0] - y[0], x[1] - y[1]);
        assert_true(fabs(x[0] - middle) < 1e-3);
    }
}

static void check_speeds(const struct mesh *m)
{
    for (int z = 0; z < m->zones; z++) {
        float rate[3] = {1, 1, 1}, centre[3];
        assert_int_equal(cg_goto(m->file, 1, "Zone_t", z + 1, "end"), CG_OK);
        assert_int_equal(cg_rotating_read(rate, centre), CG_OK);
        const double wanted = strncmp(m->z[z].name, "rotor_", 6) == 0 ? 100 * M_PI : 0;
        assert_true(fabs(rate[0] - wanted) < 1e-4 && rate[1] == 0 && rate[2] == 0);
    }
}

static void test_planes(void **state)
{
    (void)state;
    struct mesh m;
    int families;
    put_project("", "", "");
    mesh_of(&m);
    assert_true(log_holds("50 % of the way between the blades at least"));
    assert_int_equal(m.zones, 12);
    check_links(&m, 1e-10);
    check_plane(&m, 0.5 * (vane_end + rotor_begin));
    check_speeds(&m);
    for (int z = 0; z < m.zones; z++)
        for (int d = 0; d < 3; d++)
            assert_int_equal((m.z[z].n[d] - 1) % 4, 0);
    assert_int_equal(cg_nfamilies(m.file, 1, &families), CG_OK);
    assert_int_equal(families, 4 + 5); // inlet or outlet, hub, shroud, blade; the rotor's tip
    mesh_close(&m);
    assert_int_equal(command("annulus info %s/m.cgns", folder), 0);
    assert_true(log_holds("mixing plane with rotor_inlet") ||
                log_holds("mixing plane with vane_outlet"));
    assert_true(log_holds(" 0 left over"));
    assert_int_equal(command("annulus init %s/m.cgns -o %s/case.yaml", folder, folder), 0);
    assert_int_equal(command("annulus check %s/case.yaml", folder), 0);
    assert_int_equal(command("annulus init %s/m.cgns -o -", folder), 0);
    assert_true(log_holds("rotor: {zones: [\"rotor_*\"], rpm: 3000, blades: 12}"));
    assert_true(log_holds("pressure_ratio: 1.0e-3, efficiency: 1.0e-3}"));
    const char *vane = strstr(printed(), "  vane: {zones"),
               *rotor = strstr(printed(), "  rotor: {");
    assert_true(vane && rotor &&
                vane < rotor); // in the order of the flow, which is not that of the mesh
}

static void test_sliding(void **state)
{
    (void)state;
    struct mesh m;
    put_project("planes: sliding", ", outlet: 0.12", "");
    mesh_of(&m);
    check_links(&m, 1e-10);
    check_plane(&m, 0.12);
    mesh_close(&m);
    assert_int_equal(command("annulus info %s/m.cgns", folder), 0);
    assert_true(log_holds("vane_outlet                      outlet_static"));
    assert_true(log_holds("rotor_inlet                      inlet_total"));
}

static void test_tandem(void **state)
{
    (void)state;
    struct mesh m;
    put_blade("front.dat", 0, 0.1, 2);
    put_blade("rear.dat", 0.12, 0.2, 1);
    FILE *f = create("stage.yaml");
    fprintf(f,
            "hub: hub.dat\ncasing: casing.dat\ncolumns: [x, r, theta]\ninlet: -0.07\noutlet: 0.3\n"
            "cells: 3e4\nwalls: functions\nfirst_cell: 4e-4\nplanes: sliding\n"
            "rows:\n  - {name: front, blades: %d, sections: front.dat}\n"
            "  - {name: rear, blades: %d, sections: rear.dat}\n",
            BLADES, BLADES);
    assert_int_equal(fclose(f), 0);
    mesh_of(&m);
    mesh_close(&m);
    int rows = 0;
    const char *word = "smallest angle       ";
    for (const char *at = printed(); (at = strstr(at, word)) != NULL; at += strlen(word), rows++)
        if (atof(at + strlen(word)) < 20)
            fail_msg("smallest angle %.10s deg", at + strlen(word));
    assert_int_equal(rows, 2);
    assert_int_equal(command("annulus init %s/m.cgns -o %s/tandem.yaml", folder, folder), 0);
    assert_int_equal(command("annulus check %s/tandem.yaml --set "
                             "boundaries.front_outlet.type=sliding_plane --set "
                             "boundaries.rear_inlet.type=sliding_plane",
                             folder),
                     0);
}

// What mesh_row reports with that many threads; the nodes of all zones, one after the other, are the caller's.
static double *mesh_by(int threads, size_t *nodes, char *told, size_t size)
{
    char path[1000];
    struct mesh m;
    if (command("mesh_row %s/stage.yaml --threads %d -o %s/m%d.cgns", folder, threads, folder,
                threads))
        fail_msg("%s", printed());
    const char *from = strstr(printed(), "plane "); // behind lines on what takes long
    snprintf(told, size, "%s", from ? from : "");
    snprintf(path, sizeof path, "%s/m%d.cgns", folder, threads);
    mesh_open(&m, path);
    *nodes = 0;
    for (int z = 0; z < m.zones; z++)
        *nodes += (size_t)(m.z[z].n[0] * m.z[z].n[1] * m.z[z].n[2]);
    double *x = malloc(3 * *nodes * sizeof *x);
    assert_non_null(x);
    size_t at = 0;
    for (int z = 0; z < m.zones; z++) {
        const size_t n = (size_t)(m.z[z].n[0] * m.z[z].n[1] * m.z[z].n[2]);
        for (int d = 0; d < 3; d++, at += n)
            memcpy(x + at, m.z[z].x[d], n * sizeof *x);
    }
    mesh_close(&m);
    return x;
}

static void test_threads(void **state)
{
    (void)state;
    static char told[2][30000];
    size_t nodes[2];
    put_project("", "", "");
    double *one = mesh_by(1, &nodes[0], told[0], sizeof told[0]),
           *three = mesh_by(3, &nodes[1], told[1], sizeof told[1]);
    assert_int_equal(nodes[0], nodes[1]);
    assert_memory_equal(one, three, 3 * nodes[0] * sizeof *one);
    assert_string_equal(told[0], told[1]);
    assert_true(*told[0]);
    free(one);
    free(three);
}

// Fillets that fit between the blades, but not into the block round them.
static void test_rows_without_mesh(void **state)
{
    (void)state;
    put_project("", ", fillet: {hub: 0.02}", "");
    assert_int_equal(command("mesh_row %s/stage.yaml -o %s/bad.cgns", folder, folder), 2);
    assert_true(log_holds("row 'vane': error: 'fillet: {hub: 0.02}' takes"));
    assert_true(log_holds("row                  rotor"));
    assert_true(log_holds("smallest angle       ")); // of the rotor
    assert_null(open_in("bad.cgns", "r"));
    assert_null(open_in("bad_vane.cgns", "r"));
    assert_true(log_holds("1 of 2 rows are written, each to a file of its own"));
    put_project("", ", fillet: {hub: 0.02}", ", fillet: {hub: 0.021}");
    assert_int_equal(command("mesh_row %s/stage.yaml -o %s/bad.cgns", folder, folder), 2);
    assert_true(log_holds("row 'vane': error: 'fillet: {hub: 0.02}' takes"));
    assert_true(log_holds("row 'rotor': error: 'fillet: {hub: 0.021}' takes"));
    assert_false(log_holds("smallest angle       "));
}

static void same_zones(const char *name, const char *other)
{
    char path[1000];
    struct mesh m, n;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mesh_open(&m, path);
    snprintf(path, sizeof path, "%s/%s", folder, other);
    mesh_open(&n, path);
    assert_int_equal(m.zones, n.zones);
    for (int z = 0; z < m.zones; z++) {
        const struct zone *a = &m.z[z], *b = &n.z[zone_named(&n, a->name)];
        assert_memory_equal(a->n, b->n, sizeof a->n);
        for (int d = 0; d < 3; d++)
            assert_memory_equal(a->x[d], b->x[d],
                                (size_t)(a->n[0] * a->n[1] * a->n[2]) * sizeof(double));
    }
    mesh_close(&m);
    mesh_close(&n);
}

// The vane fails; the rotor's mesh is kept; the vane is mended and meshed alone; both together are the mesh of the machine.
static void test_row_alone(void **state)
{
    (void)state;
    put_project("", ", fillet: {hub: 0.02}", "");
    assert_int_equal(command("mesh_row %s/stage.yaml -o %s/part.cgns", folder, folder), 2);
    const char *told = strstr(printed(), "  mesh_row ");
    char alone[2000], join[2000]; // the commands that it names
    assert_non_null(told);
    assert_int_equal(sscanf(told, "  %1999[^\n]\n  %1999[^\n]", alone, join), 2);
    put_project("", "", "");
    assert_int_equal(command("%s", alone), 0);
    assert_null(strstr(printed(), "row                  rotor"));
    assert_int_equal(command("%s", join), 0);
    assert_int_equal(command("mesh_row %s/stage.yaml -o %s/whole.cgns", folder, folder), 0);
    same_zones("whole.cgns", "part.cgns");
    assert_int_equal(command("annulus info %s/part.cgns", folder), 0);
    assert_true(log_holds("mixing plane with rotor"));
    assert_int_equal(command("annulus init %s/part.cgns -o -", folder), 0);
    assert_true(log_holds("rotor: {zones: [\"rotor_*\"], rpm: 3000, blades: 12}"));
    assert_int_equal(command("mesh_row %s/stage.yaml --row nosuch -o %s/x.cgns", folder, folder),
                     2);
    assert_true(log_holds("--row=nosuch: the file has no row of this name"));
}

// A row that is turned about the axis: the same mesh, each node by 5 degrees from y towards z; the other row as it was.
static void test_clocking(void **state)
{
    (void)state;
    const double c = cos(5 * M_PI / 180), s = sin(5 * M_PI / 180);
    struct mesh m, n;
    put_project("", "", "");
    mesh_of(&m);
    put_project("", "", ", clocking: 5");
    mesh_of(&n);
    for (int z = 0; z < m.zones; z++) {
        const struct zone *a = &m.z[z], *b = &n.z[zone_named(&n, a->name)];
        const bool turned = strncmp(a->name, "rotor", 5) == 0;
        for (cgsize_t i = 0; i < a->n[0] * a->n[1] * a->n[2]; i++) {
            const double y = turned ? c * a->x[1][i] - s * a->x[2][i] : a->x[1][i],
                         w = turned ? s * a->x[1][i] + c * a->x[2][i] : a->x[2][i];
            if (fabs(b->x[0][i] - a->x[0][i]) > 0 || hypot(b->x[1][i] - y, b->x[2][i] - w) > 1e-14)
                fail_msg("%s, node %d is not turned", a->name, (int)i);
        }
    }
    mesh_close(&m);
    check_links(&n, 1e-10);
    mesh_close(&n);
}

static void refused(const char *all, const char *vane, const char *rotor, const char *message)
{
    put_project(all, vane, rotor);
    const int rc = command("mesh_row %s/stage.yaml -o %s/bad.cgns", folder, folder);
    if (rc != 2 || !log_holds(message))
        fail_msg("exit code %d, or not said: %s", rc, message);
}

static void test_bad(void **state)
{
    (void)state;
    refused("", ", outlet: 0.12", ", inlet: 0.12",
            "rows 'vane' and 'rotor': the plane between them is given twice");
    refused("", ", outlet: 0.095", "", "cuts a blade at");
    refused("", ", outlet: 0.05", "", "cuts a blade at");
    refused("", ", hub: other.dat", "", "row 'rotor': ");
    assert_true(log_holds("this hub is not that of row 'vane': 0.002 m apart"));
    refused("", ", first_cel: 1", "", "row 'vane': unknown key 'first_cel'");
    refused("", ", levels: 7", "", "row 'vane': 'levels' is 7, must be from 1 to 5");
    refused("", ", tip_gap: 0.04", "", "row 'vane': ");
    assert_true(log_holds("fills more than half of the passage"));
    refused("", ", cells: 29000", "", "row 'rotor' gets 1000 of all 'cells'");
    refused("planes: none", "", "", "'planes' is 'none', must be one of: mixing sliding");
    refused("blades: 3", "", "", "'blades' differs from row to row: give it in 'rows'");
    refused("title: x", "", "", "unknown key 'title'");
    refused("", "", ", geometry: a.inf", "row 'rotor': 'geometry' stands in place of");

    static const struct {
        const char *rows, *message;
    } bad[] = {
        {"rows: []", "'rows' needs a list of 2 to"},
        {"rows: [{name: a, sections: vane.dat}, 3]", "row 'a': 'blades' is missing"},
        {"rows: [{blades: 3}, {blades: 4}]", "each of 'rows' needs a 'name'"},
        {"rows: [{name: a_b}, {name: c}]", "'name' is 'a_b': a row's name has 1 to 15 letters"},
        {"rows: [{name: a, blades: 12, sections: vane.dat}, {name: a}]", "two rows are called 'a'"},
        {"rows: [{name: a, blades: 12, sections: rotor.dat}, {name: b, blades: 12, sections: "
         "vane.dat}]",
         "rows 'a' and 'b': at 0 % of the span 'b' begins 0.22"},
        {"rows: [{name: a, blades: 12, sections: vane.dat}, 3]",
         "each of 'rows' needs keys and values"}};
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        FILE *f = create("bad.yaml");
        fprintf(f,
                "hub: hub.dat\ncasing: casing.dat\ncolumns: [x, r, theta]\ncells: 3e4\nfirst_cell: "
                "2e-4\n%s\n",
                bad[k].rows);
        assert_int_equal(fclose(f), 0);
        if (command("mesh_row %s/bad.yaml --quality", folder) != 2 || !log_holds(bad[k].message))
            fail_msg("%s", bad[k].rows);
    }
    put_project("", "", "");
    assert_int_equal(command("mesh_row %s/stage.yaml --export-curve %s/out", folder, folder), 2);
    assert_true(log_holds("--export-curve takes the file of one row"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planes),
        cmocka_unit_test(test_sliding),
        cmocka_unit_test(test_tandem),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_rows_without_mesh),
        cmocka_unit_test(test_row_alone),
        cmocka_unit_test(test_clocking),
        cmocka_unit_test(test_bad),
    };
    return cmocka_run_group_tests(tests, folder_make_all, folder_remove);
}
