// C3X and Mark II with their ten holes as straight blades between two cylinders, made by mesh_row with the key `holes`.
// Expected of the metal:
//
//   all cells have positive volumes, smallest angle 25 deg; nodes of interfaces equal to 1e-10 m, every face covered once
//   nodes of holes on their cylinders to 1e-9 m; areas of the holes to 2e-3
//   volume over height: the section's area as mesh_cascade has it on a finer mesh, to 5e-3
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metal_mesh.h"

#define FOLDER "mesh_vanes"
#include "tests/tools/tool.h"

// The number behind a text that the last command printed.
static double figure(const char *text)
{
    const char *found = strstr(printed(), text);
    if (!found)
        fail_msg("'%s' is not in:\n%s", text, printed());
    return strtod(found + strlen(text), NULL);
}

static const char *source(const char *name)
{
    static char path[2100];
    const char *folder_of = getenv("AN_SOURCE");
    snprintf(path, sizeof path, "%s/%s", folder_of ? folder_of : ".", name);
    return path;
}

// Reads "n,a,b" or "n,a,b,c" in cm. Returns the number of lines.
static int read_table(const char *path, int most, double (*v)[3])
{
    char line[200];
    int n = 0, number;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (n < most && fgets(line, sizeof line, f))
        if (sscanf(line, "%d,%lf,%lf,%lf", &number, &v[n][0], &v[n][1], &v[n][2]) >= 3)
            n++;
    fclose(f);
    for (int k = 0; k < 3 * n; k++)
        v[k / 3][k % 3] *= 0.01;
    return n;
}

enum { VANES = 55 };
static const double height = 0.0762;

// A vane of the table between two cylinders; its sections differ by the radius alone. Returns the middle radius.
static void put_vane(const char *name, double r, const double x[2], double (*hole)[3], int holes)
{
    FILE *f = create("vane.yaml");
    fprintf(f,
            "row: %s\nblades: %d\nsections: vane.dat\ncolumns: [x, r, theta]\nhub: vane_hub.dat\n"
            "casing: vane_casing.dat\ninlet: %g\noutlet: %g\ncells: 2e4\nlevels: 3\n"
            "walls: functions\nround_edges: yes\nfirst_cell: 3e-4\nholes:\n",
            name, VANES, 2 * x[0] - x[1], x[1] + 1.2 * (x[1] - x[0]));
    for (int k = 0; k < holes; k++)
        fprintf(f, "  - {hub: [%.10g, %.10g], casing: [%.10g, %.10g], diameter: %.10g}\n",
                hole[k][0], hole[k][1] / r * 180 / M_PI, hole[k][0], hole[k][1] / r * 180 / M_PI,
                hole[k][2]);
    assert_int_equal(fclose(f), 0);
    for (int w = 0; w < 2; w++) {
        f = create(w ? "vane_casing.dat" : "vane_hub.dat");
        for (int i = 0; i <= 20; i++)
            fprintf(f, "%.10g %.10g\n", x[0] + (x[1] - x[0]) * (0.19 * i - 1.3),
                    r + (w ? 0.5 : -0.5) * height);
        assert_int_equal(fclose(f), 0);
    }
}

static void check_vane(const char *name, double pitch)
{
    enum { POINTS = 300, MOST = 16 };
    static double point[POINTS][3], hole[MOST][3];
    const double r = VANES * pitch / (2 * M_PI);
    char path[2][2100];
    double x[2] = {1e9, -1e9};
    struct mesh m;
    for (int k = 0; k < 2; k++) {
        char file[100];
        snprintf(file, sizeof file, "cases/vanes/%s_%s.csv", k ? "holes" : "vane", name);
        snprintf(path[k], sizeof path[k], "%s", source(file));
    }
    const int points = read_table(path[0], POINTS, point), holes = read_table(path[1], MOST, hole);
    assert_int_equal(holes, 10);
    FILE *f = create("vane.dat");
    for (int k = 0; k < 3; k++) {
        fprintf(f, "section %d\n", k + 1);
        for (int i = 0; i < points; i++) {
            x[0] = fmin(x[0], point[i][0]);
            x[1] = fmax(x[1], point[i][0]);
            fprintf(f, "%.10g %.10g %.12g\n", point[i][0], r + 0.5 * (k - 1) * height,
                    point[i][1] / r);
        }
    }
    assert_int_equal(fclose(f), 0);
    put_vane(name, r, x, hole, holes);
    assert_int_equal(command("mesh_cascade %s --holes %s --pitch %g --round-edges --shift 1 "
                             "--quality",
                             path[0], path[1], pitch),
                     0);
    const double section = figure("cells per layer, section");
    if (command("mesh_row %s/vane.yaml -o %s/m.cgns", folder, folder))
        fail_msg("%s\n%s", name, printed());
    assert_true(figure("smallest angle there ") > 25);
    snprintf(path[0], sizeof path[0], "%s/m.cgns", folder);
    mesh_open_base(&m, path[0], 2, 2);
    assert_int_equal(check_links(&m, 1e-10), 0);
    for (int k = 0; k < holes; k++) {
        char family[20];
        double area;
        const double theta = hole[k][1] / r;
        struct on_tube t = {.tube = {in_space(hole[k][0], r, theta),
                                     {{0, cos(theta), sin(theta)}},
                                     {0.5 * hole[k][2], 0.5 * hole[k][2]}}};
        snprintf(family, sizeof family, "hole_%d", k + 1);
        assert_int_equal(each_node(&m, family, take_off_tube, &t, &area), 1);
        assert_true(t.off < 1e-9);
        assert_true(fabs(area / (M_PI * hole[k][2] * height) - 1) < 2e-3);
    }
    const double measured = metal_volume(&m) / height;
    if (fabs(measured / section - 1) > 5e-3)
        fail_msg("%s: volume over height %.7g m2, section %.7g m2", name, measured, section);
    mesh_close(&m);
}

static void test_vanes(void **state)
{
    (void)state;
    check_vane("c3x", 0.11773);
    check_vane("markii", 0.1297);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vanes)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
