/* The solid of a blade as mesh_cascade --holes writes it, read back through the CGNS library. Expected of every file:
 *
 *   smallest angle >= 30 to 55 deg (with nodes that do not slide C3X and Mark II have 38, massive blades 41), volumes > 0,
 *   nodes of interfaces equal to 1e-12 m, every face covered exactly once, both sides of every interface; nodes of holes on
 *   their circles to 1e-9 of the chord, nodes of the surface within 2e-4 of the chord from the gas's wall; section =
 *   profile - holes to 1e-3; cells of zones in multiples of four
 *
 * for C3X, Mark II, LS89 with invented holes, ten random vanes, and blades without holes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file.h"
#include "metal_mesh.h"

#define FOLDER "mesh_solid"
#include "tests/tools/tool.h"

#define WALL_OFF 2e-4 // of the chord; more where the gas's wall turns by 35 degrees in a cell

enum { MOST = 16, MOST_NODES = 2000 };

struct circle {
    double x, y, diameter; /* m */
};

static const char *source(const char *name)
{
    static char path[2100];
    const char *folder_of = getenv("AN_SOURCE");
    snprintf(path, sizeof path, "%s/%s", folder_of ? folder_of : ".", name);
    return path;
}

static void open_base(struct mesh *m, const char *name, int base)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mesh_open_base(m, path, base, 2);
}

static double smallest_angle(const struct mesh *m, double *section)
{
    double least = 180;
    *section = 0;
    for (int k = 0; k < m->zones; k++) {
        const struct zone *z = &m->z[k];
        for (cgsize_t j = 0; j < z->n[1] - 1; j++)
            for (cgsize_t i = 0; i < z->n[0] - 1; i++) {
                double x[4], y[4];
                for (int c = 0; c < 4; c++) {
                    const size_t p = at(z, (cgsize_t[3]){i + (c == 1 || c == 2), j + (c > 1), 0});
                    x[c] = z->x[0][p];
                    y[c] = z->x[1][p];
                }
                for (int c = 0; c < 4; c++) {
                    const int n = (c + 1) % 4, b = (c + 3) % 4;
                    const double ax = x[n] - x[c], ay = y[n] - y[c];
                    const double bx = x[b] - x[c], by = y[b] - y[c];
                    least = fmin(least, 180 / M_PI * atan2(ax * by - ay * bx, ax * bx + ay * by));
                }
                *section += 0.5 * ((x[2] - x[0]) * (y[3] - y[1]) - (x[3] - x[1]) * (y[2] - y[0]));
            }
    }
    return least;
}

/* The gas's wall as arcs between its nodes, and the area inside. */
static struct wall {
    int n;
    double x[MOST_NODES], y[MOST_NODES], bend[MOST_NODES], area;
} wall;

/* Curvature of the circle through three nodes, > 0 where the blade is convex. */
static double bend_at(int i)
{
    const int n = wall.n - 1, a = (i + n - 1) % n, b = (i + 1) % n;
    const double px = wall.x[i] - wall.x[a], py = wall.y[i] - wall.y[a];
    const double qx = wall.x[b] - wall.x[i], qy = wall.y[b] - wall.y[i];
    return 2 * (qx * py - px * qy) / (hypot(px, py) * hypot(qx, qy) * hypot(px + qx, py + qy));
}

static void read_wall(const char *file)
{
    struct mesh gas;
    open_base(&gas, file, 1);
    const struct zone *o = &gas.z[zone_named(&gas, "blade_o")];
    wall.n = (int)o->n[0];
    wall.area = 0;
    assert_true(wall.n <= MOST_NODES);
    for (int i = 0; i < wall.n; i++) {
        wall.x[i] = o->x[0][i];
        wall.y[i] = o->x[1][i];
    }
    for (int i = 0; i < wall.n; i++)
        wall.bend[i] = bend_at(i % (wall.n - 1));
    for (int i = 1; i < wall.n; i++) {
        const double h = hypot(wall.x[i] - wall.x[i - 1], wall.y[i] - wall.y[i - 1]);
        wall.area -= 0.5 * (wall.x[i - 1] * wall.y[i] - wall.x[i] * wall.y[i - 1]);
        wall.area += h * h * h * (wall.bend[i - 1] + wall.bend[i]) / 24;
    }
    mesh_close(&gas);
}

/* Distance from the nearest chord of the wall, less the height of the arc over it. */
static double off_wall(double x, double y)
{
    double least = 1e300, height = 0;
    for (int i = 0; i < wall.n - 1; i++) {
        const double dx = wall.x[i + 1] - wall.x[i], dy = wall.y[i + 1] - wall.y[i];
        const double px = x - wall.x[i], py = y - wall.y[i], h2 = dx * dx + dy * dy;
        const double t = fmax(0, fmin(1, (px * dx + py * dy) / h2));
        const double off = hypot(px - t * dx, py - t * dy);
        if (off < least) {
            least = off;
            height = h2 / 8 * fmax(fabs(wall.bend[i]), fabs(wall.bend[i + 1]));
        }
    }
    return least - height;
}

/* Where nodes have to lie, on a circle or on the gas's wall, and their largest distance from there. */
struct off {
    const struct circle *circle; /* NULL: the wall */
    double most;
};

static void take_off(void *of, const double *x)
{
    struct off *o = of;
    const struct circle *c = o->circle;
    o->most = fmax(o->most, c ? fabs(hypot(x[0] - c->x, x[1] - c->y) - 0.5 * c->diameter)
                              : off_wall(x[0], x[1]));
}

/* Nodes of the patches of a family: the largest distance from the gas's wall, or from a circle. Returns the patches. */
static int check_family(const struct mesh *m, const char *name, const struct circle *c, double *off)
{
    struct off o = {.circle = c};
    double area;
    const int found = each_node(m, name, take_off, &o, &area);
    *off = o.most;
    return found;
}

static void check_solid(const char *file, const struct circle *hole, const char *const *name, int n,
                        double chord, double angle)
{
    struct mesh m;
    double section, off;
    char text[40];
    read_wall(file);
    open_base(&m, file, 2);
    assert_int_equal(check_links(&m, 1e-12), 0);
    for (int k = 0; k < m.zones; k++)
        assert_true((m.z[k].n[0] - 1) % 4 == 0 && (m.z[k].n[1] - 1) % 4 == 0);
    const double least = smallest_angle(&m, &section);
    if (least < angle)
        fail_msg("%s: smallest angle %g deg, expected %g", file, least, angle);
    double want = wall.area;
    for (int k = 0; k < n; k++) {
        want -= M_PI / 4 * hole[k].diameter * hole[k].diameter;
        snprintf(text, sizeof text, "hole_%d", k + 1);
        assert_int_equal(check_family(&m, name ? name[k] : text, &hole[k], &off), 1);
        assert_true(off < 1e-9 * chord);
    }
    if (fabs(section / want - 1) > 1e-3)
        fail_msg("%s: section %g m2, expected %g", file, section, want);
    assert_true(check_family(&m, "blade_metal", NULL, &off) > 0);
    if (off > (strcmp(file, "vane.cgns") ? 1 : 5) * WALL_OFF * chord)
        fail_msg("%s: a node of the surface is %g m off the gas's wall", file, off);
    assert_int_equal(each_node(&m, "solid_hub", NULL, NULL, &off), m.zones);
    assert_int_equal(each_node(&m, "solid_shroud", NULL, NULL, &off), m.zones);
    mesh_close(&m);
}

/* Reads a table "hole,x_cm,y_cm,diameter_cm". */
static int read_holes(const char *path, struct circle *hole)
{
    char line[200];
    int n = 0, number;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    while (n < MOST && fgets(line, sizeof line, f))
        if (sscanf(line, "%d,%lf,%lf,%lf", &number, &hole[n].x, &hole[n].y, &hole[n].diameter) ==
            4) {
            assert_int_equal(number, ++n);
            hole[n - 1].x *= 0.01;
            hole[n - 1].y *= 0.01;
            hole[n - 1].diameter *= 0.01;
        }
    fclose(f);
    return n;
}

static void check_vane(const char *name, double pitch, double angle)
{
    struct circle hole[MOST];
    char holes[100], file[100], profile[2100];
    snprintf(holes, sizeof holes, "cases/vanes/holes_%s.csv", name);
    assert_int_equal(read_holes(source(holes), hole), 10);
    snprintf(file, sizeof file, "cases/vanes/vane_%s.csv", name);
    snprintf(profile, sizeof profile, "%s", source(file));
    assert_int_equal(command("mesh_cascade %s --holes %s --pitch %g --round-edges --size 0.5 "
                             "--layers 2 -o %s/%s.cgns",
                             profile, source(holes), pitch, folder, name),
                     0);
    snprintf(file, sizeof file, "%s.cgns", name);
    check_solid(file, hole, NULL, 10, 0.14, angle);
}

static void test_c3x(void **state)
{
    (void)state;
    check_vane("c3x", 0.11773, 40);
}

static void test_markii(void **state)
{
    (void)state;
    check_vane("markii", 0.1297, 39);
}

static void write_table(const char *name, const char *heading, const struct circle *hole, int n,
                        double unit)
{
    FILE *f = create(name);
    fprintf(f, "%s\n", heading);
    for (int k = 0; k < n; k++)
        fprintf(f, "%.10g, %.10g, %.10g\n", hole[k].x / unit, hole[k].y / unit,
                hole[k].diameter / unit);
    fclose(f);
}

static const struct circle ls89_holes[] = {{0.0045, 0.0005, 0.0045},
                                           {0.0105, -0.004, 0.003},
                                           {0.011, 0.0015, 0.003},
                                           {0.019, -0.0105, 0.004},
                                           {0.027, -0.025, 0.002}};

static void test_ls89(void **state)
{
    (void)state;
    write_table("ls89.csv", "x [mm], y (mm), diameter / mm", ls89_holes, 5, 1e-3);
    assert_int_equal(command("mesh_cascade %s --holes %s/ls89.csv --pitch 0.0575 --size 0.5 -o "
                             "%s/ls89.cgns",
                             source("cases/ls89/blade.dat"), folder, folder),
                     0);
    check_solid("ls89.cgns", ls89_holes, NULL, 5, 0.0677, 36);
}

/* ---- random vanes ---- */

static double random_between(double lo, double hi)
{
    static unsigned seed = 12345;
    seed = seed * 1664525u + 1013904223u;
    return lo + (hi - lo) * (seed >> 8) / (1 << 24);
}

enum { STATIONS = 60, TAIL = 12 };

struct vane {
    double x[STATIONS + 1], y[STATIONS + 1], slope[STATIONS + 1], half[STATIONS + 1];
};

/* The camber line turns from one angle to the other; half the thickness is that of a NACA profile with a blunt end. */
static void vane_make(struct vane *v, const char *name)
{
    const double in = random_between(-0.35, 0.35), out = -random_between(0.7, 1.3),
                 bend = random_between(0.8, 1.6), thick = random_between(0.1, 0.24);
    for (int k = 0; k <= STATIONS; k++) {
        const double t = 0.5 * (1 - cos(M_PI * k / STATIONS));
        v->slope[k] = in + (out - in) * pow(t, bend);
        v->half[k] =
            5 * thick *
                (0.2969 * sqrt(t) - t * (0.1260 + t * (0.3516 - t * (0.2843 - t * 0.1036)))) +
            0.012 * t;
        v->x[k] = v->y[k] = 0;
        if (k > 0) {
            const double mean = 0.5 * (v->slope[k] + v->slope[k - 1]),
                         step = t - 0.5 * (1 - cos(M_PI * (k - 1) / STATIONS));
            v->x[k] = v->x[k - 1] + step * cos(mean);
            v->y[k] = v->y[k - 1] + step * sin(mean);
        }
    }
    FILE *f = create(name);
    for (int k = 0; k < 2 * STATIONS; k++) {
        const int i = k <= STATIONS ? k : 2 * STATIONS - k;
        const double side = k <= STATIONS ? v->half[i] : -v->half[i];
        fprintf(f, "%.10g %.10g\n", v->x[i] - side * sin(v->slope[i]),
                v->y[i] + side * cos(v->slope[i]));
        for (int l = 1; k == STATIONS && l <= TAIL; l++) {
            const double a = v->slope[i] + M_PI / 2 - M_PI * l / TAIL;
            fprintf(f, "%.10g %.10g\n", v->x[i] + side * cos(a), v->y[i] + side * sin(a));
        }
    }
    fclose(f);
}

/* Up to n holes along the camber line; every third place has two of them abreast if there is room. */
static int vane_holes(const struct vane *v, struct circle *hole, int n)
{
    int count = 0;
    double next = 0.03; /* way along the camber line, of which the last place is at 0.93 */
    for (int k = 1; k < STATIONS && count < n; k++) {
        const double t = 0.5 * (1 - cos(M_PI * k / STATIONS)), w = v->half[k];
        if (t < next || t > 0.93)
            continue;
        const bool two = k % 3 == 0 && count + 2 <= n;
        const double radius = two ? random_between(0.15, 0.25) * w : random_between(0.3, 0.6) * w;
        for (int e = two ? -1 : 1; e <= 1; e += 2) {
            const double off = two ? 0.45 * e * w : 0;
            hole[count++] = (struct circle){v->x[k] - off * sin(v->slope[k]),
                                            v->y[k] + off * cos(v->slope[k]), 2 * radius};
        }
        next = t + radius + random_between(0.6, 1.5) * w;
    }
    return count;
}

static void test_random_vanes(void **state)
{
    (void)state;
    for (int n = 3; n <= 12; n++) {
        struct vane v;
        struct circle hole[MOST];
        vane_make(&v, "vane.dat");
        const int count = vane_holes(&v, hole, n);
        assert_true(count >= 3);
        write_table("vane.csv", "x_m y_m diameter_m", hole, count, 1);
        const int rc = command("mesh_cascade %s/vane.dat --holes %s/vane.csv --pitch 0.9 --shift 1 "
                               "--size 0.5 -o %s/vane.cgns",
                               folder, folder, folder);
        if (rc)
            fail_msg("vane with %d holes: exit code %d\n%s", count, rc, printed());
        check_solid("vane.cgns", hole, NULL, count, 1, 30);
    }
}

/* ---- without holes, names, units, refusals ---- */

static void test_massive(void **state)
{
    (void)state;
    char profile[2100];
    snprintf(profile, sizeof profile, "%s", source("cases/ls89/blade.dat"));
    assert_int_equal(command("mesh_cascade %s --solid --pitch 0.0575 --size 0.7 -o %s/solid.cgns",
                             profile, folder),
                     0);
    check_solid("solid.cgns", NULL, NULL, 0, 0.0677, 55);
    write_table("none.csv", "x_mm, y_mm, diameter_mm", NULL, 0, 1);
    assert_int_equal(command("mesh_cascade %s --holes %s/none.csv --pitch 0.0575 --size 0.7 -o "
                             "%s/none.cgns",
                             profile, folder, folder),
                     0);
    check_solid("none.cgns", NULL, NULL, 0, 0.0677, 55);
}

/* One hole: its zone has the whole surface. The blade is scaled and turned, and its hole goes with it. */
static void test_scaled_and_turned(void **state)
{
    (void)state;
    static const char *const name[] = {"front"};
    const double factor = 2, a = 0.2;
    const struct circle front = {0.0085, -0.001, 0.006};
    FILE *f = create("one.csv");
    fprintf(f, "name;y;x;d\nfront;%g;%g;%g # the only one\n", front.y, front.x, front.diameter);
    fclose(f);
    assert_int_equal(command("mesh_cascade %s --holes %s/one.csv --pitch 0.115 --scale 2 --stagger "
                             "%.10g --size 0.5 -o %s/one.cgns",
                             source("cases/ls89/blade.dat"), folder, a * 180 / M_PI, folder),
                     0);
    const struct circle there = {factor * (cos(a) * front.x - sin(a) * front.y),
                                 factor * (sin(a) * front.x + cos(a) * front.y),
                                 factor * front.diameter};
    check_solid("one.cgns", &there, name, 1, 0.135, 20);
}

/* The number behind a text that the last command printed. */
static double figure(const char *text)
{
    const char *at_text = strstr(printed(), text);
    assert_non_null(at_text);
    return strtod(at_text + strlen(text), NULL);
}

/* --chord scales a blade in centimetres, and its holes in centimetres. */
static void test_chord(void **state)
{
    (void)state;
    char profile[2100];
    double ratio[2];
    snprintf(profile, sizeof profile, "%s", source("cases/vanes/vane_c3x.csv"));
    for (int k = 0; k < 2; k++) {
        assert_int_equal(command("mesh_cascade %s --holes %s --pitch-to-chord 0.8 %s --round-edges "
                                 "--size 0.4 --shift 1 --quality",
                                 profile, source("cases/vanes/holes_c3x.csv"),
                                 k ? "--chord 0.05" : ""),
                         0);
        ratio[k] = figure("thinnest wall") / figure("profile              chord");
    }
    assert_true(fabs(ratio[1] / ratio[0] - 1) < 0.01); /* of three digits */
}

static void refused(const char *table, const char *message)
{
    FILE *f = create("bad.csv");
    fputs(table, f);
    fclose(f);
    const int rc = command("mesh_cascade %s --holes %s/bad.csv --pitch 0.0575 -o %s/bad.cgns",
                           source("cases/ls89/blade.dat"), folder, folder);
    if (rc != 2 || !strstr(printed(), message))
        fail_msg("exit code %d, not said: %s\n%s", rc, message, printed());
    assert_null(open_in("bad.cgns", "r"));
}

static void test_refusals(void **state)
{
    (void)state;
    refused("x_mm,y_mm,diameter_mm\n10,20,2\n",
            "bad.csv:2: error: hole_1, centre (0.01, 0.02) m, lies outside the blade");
    refused("x_mm,y_mm,diameter_mm\n4.5,0.5,12\n",
            "bad.csv:2: error: hole_1 and the surface overlap: the wall between them is -");
    refused("x_mm,y_mm,diameter_mm,name\n10.5,-4,3,a\n10.5,-1.01,2.95,b\n",
            "bad.csv:3: error: a and b nearly touch: the wall between them is 0.015 mm thick; a "
            "mesh needs 0.059 mm");
    refused("4.5,0.5,2\n", "bad.csv:1: error: expected a heading that names the columns x, y and");
    refused("# nothing\n", "error: no heading that names the columns x, y and diameter");
    refused("x_mm,y_mm,diameter_mm\n4.5,0.5\n",
            "bad.csv:2: error: 2 columns, where the heading has 3");
    refused("x_mm,y_mm,diameter_mm\n4.5,0.5,0\n", "bad.csv:2: error: '0' is no diameter above 0");
    refused("x_mm,y_mm,diameter_mm\n4.5,nan,2\n", "bad.csv:2: error: 'nan' is no finite number");
    refused("x_mm,y_mm,diameter_mm,name\n4.5,0.5,2,blade_metal\n",
            "bad.csv:2: error: 'blade_metal' cannot be the name of a hole");
    refused("hole,x_mm,y_mm,diameter_mm\n1,4.5,0.5,2\n1,10.5,-4,2\n",
            "bad.csv:3: error: 'hole_1' cannot be the name of a hole");
    assert_int_equal(command("mesh_cascade %s --holes %s/none_such.csv --pitch 0.0575 --quality",
                             source("cases/ls89/blade.dat"), folder),
                     2);
    assert_true(log_holds("none_such.csv: error: No such file"));
    assert_int_equal(command("mesh_cascade %s --holes %s/bad.csv --pitch 0.0575 --plot %s/bad.csv",
                             source("cases/ls89/blade.dat"), folder, folder),
                     2);
    assert_true(
        log_holds("bad.csv: error: this is the table of holes, which would be written over"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_c3x),     cmocka_unit_test(test_markii),
        cmocka_unit_test(test_ls89),    cmocka_unit_test(test_random_vanes),
        cmocka_unit_test(test_massive), cmocka_unit_test(test_scaled_and_turned),
        cmocka_unit_test(test_chord),   cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
