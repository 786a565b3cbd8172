// The row mesh tool seen from outside, on NASA Rotor 37 with 1e5 cells. Expected of the file:
//
//   every face cell is claimed once, interfaces in both directions; nodes of interfaces, also
//   periodic ones, equal to 1e-10 m; volumes positive; smallest angle above 30 deg; first cells
//   within 5 % of the wanted heights at hub and casing and along the tip gap; counts and ends of
//   interfaces multiples of 4; families inlet, outlet, hub, shroud, blade, tip; the hub of zone
//   inlet_h in hub_up, that of outlet_h in hub_down.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mesh_file.h"

#define FOLDER  "mesh_row"
#define ROTOR37 14049.1889174593
#include "tests/tools/tool.h"

static bool exists(const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

// Rotor 37's input file with every line that begins with `key` replaced by `line`, the tables by
// their full paths; more: lines added at the end.
static void write_input(const char *name, const char *key, const char *line, const char *more)
{
    char path[1000], text[1000];
    const char *source = getenv("AN_SOURCE");
    snprintf(path, sizeof path, "%s/cases/rotor37/row.yaml", source);
    FILE *in = fopen(path, "r");
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *out = fopen(path, "w");
    assert_true(in && out);
    while (fgets(text, sizeof text, in)) {
        char file[100];
        if (*key && strncmp(text, key, strlen(key)) == 0 && text[strlen(key)] == ':')
            fprintf(out, "%s\n", line);
        else if (sscanf(text, "sections: %99s", file) == 1)
            fprintf(out, "sections: %s/cases/rotor37/%s\n", source, file);
        else if (sscanf(text, "hub: %99s", file) == 1)
            fprintf(out, "hub: %s/cases/rotor37/%s\n", source, file);
        else if (sscanf(text, "casing: %99s", file) == 1)
            fprintf(out, "casing: %s/cases/rotor37/%s\n", source, file);
        else
            fputs(text, out);
    }
    fprintf(out, "%s", more);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

static void position(const struct zone *z, cgsize_t i, cgsize_t j, cgsize_t k, double x[3])
{
    const size_t l = at(z, (cgsize_t[3]){i, j, k});
    for (int d = 0; d < 3; d++)
        x[d] = z->x[d][l];
}

// Six times the volume of the tetrahedron at a corner, and its smallest angle in degrees. The edges
// run towards larger indices, as they must for the sign.
static double corner(const struct zone *z, const cgsize_t c[3], int which, double *least)
{
    double e[3][3], length[3];
    for (int d = 0; d < 3; d++) {
        cgsize_t lo[3], hi[3];
        double a[3], b[3];
        for (int f = 0; f < 3; f++)
            lo[f] = hi[f] = c[f] + (which >> f & 1);
        lo[d] = c[d];
        hi[d] = c[d] + 1;
        position(z, lo[0], lo[1], lo[2], a);
        position(z, hi[0], hi[1], hi[2], b);
        for (int f = 0; f < 3; f++)
            e[d][f] = b[f] - a[f];
        length[d] = sqrt(e[d][0] * e[d][0] + e[d][1] * e[d][1] + e[d][2] * e[d][2]);
    }
    for (int d = 0; d < 3; d++) {
        const double *a = e[d], *b = e[(d + 1) % 3];
        const double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        const double angle = acos(fabs(dot) / (length[d] * length[(d + 1) % 3]));
        *least = fmin(*least, angle * 180 / M_PI);
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) +
           e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

static double check_cells(const struct mesh *m, long *cells)
{
    double least = 180;
    *cells = 0;
    for (int k = 0; k < m->zones; k++) {
        const struct zone *z = &m->z[k];
        cgsize_t c[3];
        for (c[2] = 0; c[2] < z->n[2] - 1; c[2]++)
            for (c[1] = 0; c[1] < z->n[1] - 1; c[1]++)
                for (c[0] = 0; c[0] < z->n[0] - 1; c[0]++, ++*cells)
                    for (int w = 0; w < 8; w++)
                        if (!(corner(z, c, w, &least) > 0))
                            fail_msg("zone %s, cell %d %d %d is folded", z->name, (int)c[0],
                                     (int)c[1], (int)c[2]);
    }
    return least;
}

static double apart(const struct zone *z, cgsize_t i, cgsize_t j, cgsize_t k, cgsize_t dk)
{
    double a[3], b[3];
    position(z, i, j, k, a);
    position(z, i, j, k + dk, b);
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void near(const char *what, double is, double wanted, double part)
{
    if (!(fabs(is / wanted - 1) < part))
        fail_msg("%s: %g, wanted %g", what, is, wanted);
}

// Distance of a tip node from the casing, in the meridional plane: from the straight pieces between
// the casing's nodes of the same row.
static double clearance(const struct zone *tip, cgsize_t i, cgsize_t j)
{
    double x[3], a[3], b[3], least = 1;
    position(tip, i, j, 0, x);
    const double r = hypot(x[1], x[2]);
    for (cgsize_t p = 0; p < tip->n[0] - 1; p++) {
        position(tip, p, j, tip->n[2] - 1, a);
        position(tip, p + 1, j, tip->n[2] - 1, b);
        const double ar = hypot(a[1], a[2]), dx = b[0] - a[0], dr = hypot(b[1], b[2]) - ar;
        const double t = ((x[0] - a[0]) * dx + (r - ar) * dr) / (dx * dx + dr * dr);
        const double c = fmin(1, fmax(0, t));
        least = fmin(least, hypot(x[0] - a[0] - c * dx, r - ar - c * dr));
    }
    return least;
}

// Heights at hub and casing, measured where the layers are about level; the tip's clearance.
static void check_heights(const struct mesh *m, double hub, double casing, double gap)
{
    const struct zone *in = &m->z[zone_named(m, "inlet_h")], *tip = &m->z[zone_named(m, "tip_h")];
    for (cgsize_t i = 0; i < in->n[0]; i++) {
        near("first cell at the hub", apart(in, i, 3, 0, 1), hub, 0.05);
        near("first cell at the casing", apart(in, i, 3, in->n[2] - 2, 1), casing, 0.05);
    }
    for (cgsize_t i = 2; i < tip->n[0] - 2; i++)
        near("tip gap", clearance(tip, i, 1), gap, 0.01);
}

static void check_multiples(const struct mesh *m, int unit)
{
    for (int k = 0; k < m->zones; k++) {
        int n;
        for (int d = 0; d < 3; d++)
            assert_true((m->z[k].n[d] - 1) % unit == 0);
        cg_n1to1(m->file, 1, k + 1, &n);
        for (int l = 1; l <= n; l++) {
            char name[33], donor[33];
            cgsize_t own[6], other[6];
            int transform[3];
            cg_1to1_read(m->file, 1, k + 1, l, name, donor, own, other, transform);
            for (int d = 0; d < 6; d++)
                assert_true((own[d] - 1) % unit == 0);
        }
    }
}

static void check_families(const struct mesh *m, bool tip)
{
    static const char *const name[] = {"inlet", "outlet",   "hub",    "shroud",
                                       "blade", "hub_down", "hub_up", "tip"};
    int n;
    assert_int_equal(cg_nfamilies(m->file, 1, &n), CG_OK);
    assert_int_equal(n, tip ? 8 : 7);
    for (int f = 1; f <= n; f++) {
        char family[33];
        int boco, geo;
        assert_int_equal(cg_family_read(m->file, 1, f, family, &boco, &geo), CG_OK);
        bool known = false;
        for (int k = 0; k < 8; k++)
            known = known || strcmp(name[k], family) == 0;
        assert_true(known);
    }
    for (int z = 1; z <= m->zones; z++) {
        char zone[33], boco[33];
        cgsize_t size[9];
        assert_int_equal(cg_zone_read(m->file, 1, z, zone, size), CG_OK);
        assert_int_equal(cg_nbocos(m->file, 1, z, &n), CG_OK);
        for (int b = 1; b <= n; b++) {
            BCType_t type;
            PointSetType_t set;
            int normal[3], sets;
            cgsize_t points, list;
            DataType_t data;
            cg_boco_info(m->file, 1, z, b, boco, &type, &set, &points, normal, &list, &data, &sets);
            if (strncmp(boco, "hub", 3) == 0)
                assert_string_equal(boco, strcmp(zone, "inlet_h") == 0    ? "hub_up"
                                          : strcmp(zone, "outlet_h") == 0 ? "hub_down"
                                                                          : "hub");
        }
    }
}

static void open_named(struct mesh *m, const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mesh_open(m, path);
    m->turn = 2 * M_PI / 36;
}

// The same nodes as those of versions that could mesh one row only: a sum with changing weights. Other mathematics
// libraries round differently.
static void check_nodes(const struct mesh *m)
{
    double sum = 0, all = 0;
    for (int z = 0; z < m->zones; z++)
        for (size_t l = 0; l < (size_t)(m->z[z].n[0] * m->z[z].n[1] * m->z[z].n[2]); l++)
            for (int d = 0; d < 3; d++) {
                const double w = (double)((l * 7 + (size_t)(z + d)) % 1009) / 1009;
                sum += w * m->z[z].x[d][l];
                all += fabs(w * m->z[z].x[d][l]);
            }
    if (!(fabs(sum - ROTOR37) < 1e-10 * all))
        fail_msg("the sum of the nodes is %.15g of %.15g", sum, all);
}

static void test_rotor37(void **state)
{
    (void)state;
    write_input("r.yaml", "", "", "");
    assert_int_equal(
        command("mesh_row %s/r.yaml --cells 1e5 --levels 3 -o %s/r.cgns", folder, folder), 0);
    assert_true(log_holds("adds work (compressor)"));
    assert_true(log_holds("negative volumes     0, folded corners 0\n"));
    assert_true(log_holds("multigrid levels     3\n"));
    struct mesh m;
    long cells;
    open_named(&m, "r.cgns");
    assert_int_equal(m.zones, 7);
    assert_int_equal(check_links(&m, 1e-10), 6);
    check_nodes(&m);
    const double least = check_cells(&m, &cells);
    if (least < 30)
        fail_msg("smallest angle %g deg", least);
    assert_in_range(cells, 90000, 110000);
    check_heights(&m, 3e-6, 3e-6, 3.56e-4);
    check_multiples(&m, 4);
    check_families(&m, true);
    mesh_close(&m);
    // the program reads it
    assert_int_equal(command("annulus info %s/r.cgns", folder), 0);
    assert_true(log_holds(" 0 left over"));
    assert_true(log_holds("(1/36 of the circle)"));
}

// Meshes whose ring in the tip gap keeps the rows of its uppermost layer: its first line is its last one, too.
static void test_ring_closes(void **state)
{
    (void)state;
    static const char *const cells[] = {"0.7e5", "1e5"};
    write_input("c.yaml", "", "", "");
    for (int k = 0; k < 2; k++) {
        struct mesh m;
        assert_int_equal(
            command("mesh_row %s/c.yaml --cells %s -o %s/c.cgns", folder, cells[k], folder), 0);
        open_named(&m, "c.cgns");
        assert_int_equal(check_links(&m, 1e-10), 6);
        mesh_close(&m);
    }
}

// A design whose outline is hollow behind its thick leading edge, where normals cross near the wall: meshed with smoothed
// ones.
static void test_hollow(void **state)
{
    (void)state;
    write_input("h.yaml", "", "",
                "vary:\n"
                "- {at: 0, sweep: -0.002110, lean: 0.001128, stagger: 0.115, chord: 0.9968, "
                "thickness: 1.0032, inlet_angle: 4.835, outlet_angle: -0.402, inlet_wedge: -2.589, "
                "outlet_wedge: 3.875, thickness_points: [-1.95e-4, -2.48e-4, -7.17e-4, 1.19e-4]}\n"
                "- {at: 0.5, sweep: 0.002397, lean: 0.000584, stagger: -0.961, chord: 1.0804, "
                "thickness: 0.9256, inlet_angle: 1.689, outlet_angle: -1.733, inlet_wedge: 0.305, "
                "outlet_wedge: 0.981, thickness_points: [-6.44e-4, -4.50e-4, 5.95e-4, 8.20e-4]}\n"
                "- {at: 1, sweep: 0.005263, lean: -0.000126, stagger: -1.075, chord: 0.8955, "
                "thickness: 1.1166, inlet_angle: 0.620, outlet_angle: -1.962, inlet_wedge: -2.550, "
                "outlet_wedge: 2.639, thickness_points: [2.99e-4, 5.86e-5, -3.36e-4, -2.87e-4]}\n");
    assert_int_equal(command("mesh_row %s/h.yaml --cells 1e5 --levels 2 --quality", folder), 0);
    assert_true(log_holds("tried again with smoothed normals of the blade"));
    assert_true(log_holds("smallest angle       2")); // degrees
}

static void test_without_gap(void **state)
{
    (void)state;
    write_input("n.yaml", "tip_gap", "", "");
    assert_int_equal(
        command("mesh_row %s/n.yaml --cells 6e4 --levels 2 -o %s/n.cgns", folder, folder), 0);
    struct mesh m;
    long cells;
    open_named(&m, "n.cgns");
    assert_int_equal(m.zones, 5);
    assert_int_equal(check_links(&m, 1e-10), 6);
    assert_true(check_cells(&m, &cells) > 25);
    check_families(&m, false);
    mesh_close(&m);
}

// Large rows have a level more.
static void test_levels(void **state)
{
    (void)state;
    write_input("l.yaml", "levels", "", "");
    assert_int_equal(command("mesh_row %s/l.yaml --cells 3e4 --quality", folder), 0);
    assert_true(log_holds("multigrid levels     3\n"));
    assert_int_equal(command("mesh_row %s/l.yaml --cells 1.6e5 --quality", folder), 0);
    assert_true(log_holds("multigrid levels     4\n"));
}

static void refused(const char *key, const char *line, const char *more, const char *message)
{
    write_input("bad.yaml", key, line, more);
    const int rc =
        command("mesh_row %s/bad.yaml --cells 6e4 --levels 2 -o %s/bad.cgns", folder, folder);
    if (rc != 2 || !log_holds(message))
        fail_msg("%s: exit code %d, or not said: %s", line, rc, message);
    assert_false(exists("bad.cgns"));
    assert_false(exists("bad.cgns.part"));
    if (command("mesh_row %s/bad.yaml --check", folder) != 2 || !log_holds(message))
        fail_msg("%s: not found by --check: %s", line, message);
}

static void test_bad_input(void **state)
{
    (void)state;
    refused("blades", "", "", "'blades' is missing");
    refused("blades", "blades: 36.5", "", "bad.yaml:2:9: error: 'blades' needs a whole number");
    refused("blades", "blades: 0", "", "'blades' is 0, must be from 1 to 1000");
    refused("blades", "blades: many", "", "'blades' needs a number, not 'many'");
    refused("blades", "blades: 200", "",
            "neighbouring blades overlap near x = "); // as in the table:
    assert_true(log_holds(" cm, r = 18.08"));
    assert_true(log_holds(" cm, theta_1 = -0.") || log_holds(" cm, theta_2 = -0."));
    refused("rpm", "rpm: 17188.7", "", "the blade takes work, but 'machine' is compressor");
    refused("hub_parts", "hub_parts: two", "", "must be one of: one three");
    refused("machine", "machine: pump", "", "must be one of: any compressor turbine");
    refused("", "", "tip_gab: 1\n", "unknown key 'tip_gab'");
    refused("tip_gap", "tip_gap: 0.05", "", "fills more than half of the passage");
    refused("", "", "tip_gap_fraction: 0.01\n", "'tip_gap' or 'tip_gap_fraction', not both");
    refused("outlet", "outlet: -0.1", "", "must lie behind the inlet");
    refused("outlet", "outlet: 0.2", "", "does not reach the outlet");
    refused("inlet", "inlet: 0.01", "", "does not lie between inlet and outlet");
    refused("columns", "columns: [x, r, theta_1]", "", "'columns' needs x, r and theta, or");
    refused("columns", "columns: [x, r, theta_1, theta_2]", "", "expected 4 finite numbers");
    refused("first_cell", "first_cell: {blade: 1e-6}", "", "'first_cell' does not say 'hub'");
    refused("length", "length: km", "", "'length' is 'km', must be one of: m cm mm in");
    refused("hub", "hub: nowhere.dat", "", "nowhere.dat: error: No such file");
}

// Far too many blades for the corners that the file asks for: refused, or kept for pictures only.
static void test_keep_bad(void **state)
{
    (void)state;
    write_input("k.yaml", "blades", "blades: 90", "shift: 1\n");
    assert_int_equal(
        command("mesh_row %s/k.yaml --cells 3e4 --levels 4 -o %s/k.cgns", folder, folder), 3);
    assert_false(exists("k.cgns"));
    assert_true(log_holds("cells are folded"));
    assert_true(log_holds(" cm, r = "));
    assert_true(log_holds("what may help: 'shift' is given"));
    assert_int_equal(command("mesh_row %s/k.yaml --cells 3e4 --levels 4 --keep-bad -o %s/k.cgns",
                             folder, folder),
                     3);
    assert_true(exists("k.cgns"));
    assert_int_equal(command("annulus info %s/k.cgns", folder), 2);
    assert_true(log_holds("has folded cells and was kept for pictures only"));
    assert_int_equal(command("mesh_row %s/k.yaml --quality --keep-bad", folder), 2);
}

static void test_bad_command(void **state)
{
    (void)state;
    write_input("r.yaml", "", "", "");
    assert_int_equal(command("mesh_row %s/r.yaml --check", folder), 0);
    assert_int_equal(command("mesh_row %s/r.yaml", folder), 2);
    assert_true(log_holds("nothing to do"));
    assert_int_equal(command("mesh_row %s/r.yaml --quality --cells 10", folder), 2);
    assert_true(log_holds("--cells=10: expected a number"));
    assert_int_equal(command("mesh_row --quality"), 2);
    assert_int_equal(command("mesh_row %s/none.yaml --quality", folder), 2);
}

// A table of angles in metres, and the same in millimetres: the second one gets a warning.
static void test_unit(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        const double unit = k ? 1000 : 1;
        FILE *f = create("a.csv");
        fprintf(f, "x, r, chord, beta_1, beta_2, thickness\n");
        for (int s = 0; s < 2; s++)
            fprintf(f, "0, %g, %g, 45, 20, 0.08\n", (0.25 + 0.1 * s) * unit, 0.06 * unit);
        assert_int_equal(fclose(f), 0);
        assert_int_equal(
            command("mesh_row --from-angles %s/a.csv --blades 30 --cells 1e4 --quality", folder),
            0);
        const char *const warning =
            "warning: the casing has a radius of 350 m; plausible: 1 cm to 2 m; "
            "--from-angles reads metres";
        assert_true(k ? log_holds(warning) : !strstr(printed(), "warning"));
    }
}

// A turbine vane from 20 to -65 degrees whose columns are named right, and with x and r theta exchanged: the second one gets a
// warning.
static void test_exchanged(void **state)
{
    (void)state;
    const double deg = acos(-1) / 180, size = 0.05;
    FILE *f = create("e.dat");
    for (int s = 0; s < 2; s++) {
        fprintf(f, "section\n");
        for (int n = 0; n < 80;
             n++) { // once around: along the camber line, which is an arc, and back
            const double u = (1 - cos(2 * acos(-1) * (n + 0.5) / 80)) / 2, a = (85 * u - 20) * deg;
            const double half = (n < 40 ? 0.12 : -0.12) * sqrt(u * (1 - u));
            fprintf(f, "%.8g %.8g %g\n", size * (sin(a) + half * sin(a)),
                    -size * (1 - cos(a)) + size * half * cos(a), 0.3 + 0.05 * s);
        }
    }
    assert_int_equal(fclose(f), 0);
    for (int w = 0; w < 2; w++) {
        f = create(w ? "e_casing.dat" : "e_hub.dat");
        for (int n = 0; n < 10; n++)
            fprintf(f, "%g %g\n", -0.1 + 0.03 * n, 0.3 + 0.05 * w);
        assert_int_equal(fclose(f), 0);
    }
    for (int k = 0; k < 2; k++) {
        f = create("e.yaml");
        fprintf(f,
                "blades: 40\nsections: e.dat\ncolumns: [%s, r]\nhub: e_hub.dat\ncasing: "
                "e_casing.dat\ncells: 1e4\nfirst_cell: 1e-4\n",
                k ? "rtheta, x" : "x, rtheta");
        assert_int_equal(fclose(f), 0);
        command("mesh_row %s/e.yaml --quality", folder);
        assert_true(k ? log_holds("deg to x; plausible: less than 90 deg; perhaps x and r theta "
                                  "are exchanged\n")
                      : !strstr(printed(), "warning"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rotor37),  cmocka_unit_test(test_ring_closes),
        cmocka_unit_test(test_hollow),   cmocka_unit_test(test_without_gap),
        cmocka_unit_test(test_levels),   cmocka_unit_test(test_bad_input),
        cmocka_unit_test(test_keep_bad), cmocka_unit_test(test_bad_command),
        cmocka_unit_test(test_unit),     cmocka_unit_test(test_exchanged),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
