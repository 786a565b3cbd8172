// The cascade mesh tool seen from outside: runs it, reads what it wrote through the CGNS library
// and checks the file as a solver would. Expected on the LS89 vane at size 0.5:
//
//   smallest angle > 30 deg, volumes > 0, first cell within 5 % of the wanted height, interface and
//   periodic nodes equal to 1e-12 m, every face covered exactly once, both sides of every
//   interface; with --rans all counts and ends of interfaces multiples of 16.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mesh_file.h"

#define FOLDER "mesh_cascade"
#include "tests/tools/tool.h"

static const double ls89_pitch = 0.0575;

static const char *ls89(void)
{
    static char path[1000];
    const char *source = getenv("AN_SOURCE");
    snprintf(path, sizeof path, "%s/cases/ls89/blade.dat", source ? source : ".");
    return path;
}

static bool exists(const char *name)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void open_named(struct mesh *m, const char *name, double pitch)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mesh_open(m, path);
    m->pitch = pitch;
}

// Corner angles and signed areas in every plane z = const; returns the smallest angle in degrees.
static double check_cells(const struct mesh *m)
{
    double least = 180;
    for (int k = 0; k < m->zones; k++) {
        const struct zone *z = &m->z[k];
        for (cgsize_t j = 0; j < z->n[1] - 1; j++)
            for (cgsize_t i = 0; i < z->n[0] - 1; i++) {
                double x[4], y[4];
                for (int c = 0; c < 4; c++) {
                    const cgsize_t p[3] = {i + (c == 1 || c == 2), j + (c > 1), 0};
                    x[c] = z->x[0][at(z, p)];
                    y[c] = z->x[1][at(z, p)];
                }
                for (int c = 0; c < 4; c++) {
                    const int n = (c + 1) % 4, b = (c + 3) % 4;
                    const double ax = x[n] - x[c], ay = y[n] - y[c];
                    const double bx = x[b] - x[c], by = y[b] - y[c];
                    least = fmin(least, 180 / M_PI * atan2(ax * by - ay * bx, ax * bx + ay * by));
                }
            }
        for (cgsize_t l = 0; l < z->n[2] - 1; l++)
            assert_true(z->x[2][at(z, (cgsize_t[3]){0, 0, l + 1})] >
                        z->x[2][at(z, (cgsize_t[3]){0, 0, l})]);
    }
    return least;
}

// Height of the first cell along the blade's local normal, smallest and largest.
static void check_wall(const struct mesh *m, double wanted)
{
    int found = 0;
    for (int k = 0; k < m->zones; k++) {
        const struct zone *z = &m->z[k];
        if (strncmp(z->name, "o_", 2) != 0 && strcmp(z->name, "blade_o") != 0)
            continue;
        for (cgsize_t i = 1; i < z->n[0] - 1; i++) {
            const size_t a = at(z, (cgsize_t[3]){i - 1, 0, 0}),
                         b = at(z, (cgsize_t[3]){i + 1, 0, 0});
            const size_t p = at(z, (cgsize_t[3]){i, 0, 0}), q = at(z, (cgsize_t[3]){i, 1, 0});
            const double tx = z->x[0][b] - z->x[0][a], ty = z->x[1][b] - z->x[1][a];
            const double dx = z->x[0][q] - z->x[0][p], dy = z->x[1][q] - z->x[1][p];
            const double h = (tx * dy - ty * dx) / hypot(tx, ty);
            if (fabs(h / wanted - 1) > 0.05)
                fail_msg("zone %s, wall node %d: first cell %g m, wanted %g m", z->name, (int)i, h,
                         wanted);
        }
        found++;
    }
    assert_true(found > 0);
}

static void check_mesh(const char *name, double pitch, double wall, double angle)
{
    struct mesh m;
    open_named(&m, name, pitch);
    assert_int_equal(check_links(&m, 1e-12), 6);
    const double least = check_cells(&m);
    if (least < angle)
        fail_msg("%s: smallest angle %g deg, expected %g", name, least, angle);
    check_wall(&m, wall);
    mesh_close(&m);
}

static void test_ls89(void **state)
{
    (void)state;
    assert_int_equal(
        command(
            "mesh_cascade --pitch 0.0575 --size 0.5 --layers 2 --span 0.01 --wall-spacing 2e-4 -o "
            "%s/a.cgns %s",
            folder, ls89()),
        0);
    check_mesh("a.cgns", ls89_pitch, 2e-4, 30);
}

static void test_four_o_zones(void **state)
{
    (void)state;
    assert_int_equal(
        command(
            "mesh_cascade --pitch 0.0575 --size 0.5 --wall-spacing 2e-4 --shift 1 --o-blocks 4 -o "
            "%s/o4.cgns %s",
            folder, ls89()),
        0);
    check_mesh("o4.cgns", ls89_pitch, 2e-4, 30);
}

static void test_resolved_wall(void **state)
{
    (void)state;
    assert_int_equal(
        command(
            "mesh_cascade --pitch 0.0575 --size 0.5 --wall-spacing 1.5e-6 --growth 1.15 --shift 1 "
            "-o %s/y.cgns %s",
            folder, ls89()),
        0);
    check_mesh("y.cgns", ls89_pitch, 1.5e-6, 30);
}

// Counts of cells and ends of interfaces are multiples of the unit, except along the span.
static void check_multiples(const struct mesh *m, int unit)
{
    for (int k = 0; k < m->zones; k++) {
        int n;
        assert_true((m->z[k].n[0] - 1) % unit == 0 && (m->z[k].n[1] - 1) % unit == 0);
        cg_n1to1(m->file, 1, k + 1, &n);
        for (int l = 1; l <= n; l++) {
            char name[33], donor[33];
            cgsize_t own[6], other[6];
            int transform[3];
            cg_1to1_read(m->file, 1, k + 1, l, name, donor, own, other, transform);
            for (int d = 0; d < 6; d++)
                assert_true(d % 3 == 2 || (own[d] - 1) % unit == 0);
        }
    }
}

// Cells that the blade's half circle of a trailing edge, radius 0.71 mm, has in one layer.
static int trailing_edge_cells(const struct mesh *m)
{
    const struct zone *z = &m->z[zone_named(m, "blade_o")];
    int count = 0;
    for (cgsize_t i = 0; i < z->n[0] - 1; i++) {
        const size_t p = at(z, (cgsize_t[3]){i, 0, 0});
        count += z->x[1][p] < -0.0518;
    }
    return count;
}

static void test_rans(void **state)
{
    (void)state;
    static const struct {
        double size;
        int least, most, edge;
    } expected[] = {{0.5, 25000, 31000, 10}, {1, 100000, 120000, 20}};
    for (int k = 0; k < 2; k++) {
        assert_int_equal(
            command("mesh_cascade --pitch 0.0575 --rans --wall-spacing 1e-6 --inlet-length 0.055 "
                    "--outlet-length 0.064 --shift 1 --size %g -o %s/rans.cgns %s",
                    expected[k].size, folder, ls89()),
            0);
        assert_true(log_holds("negative volumes     0\n"));
        assert_true(log_holds("multigrid levels     4 coarser ones, limited by"));
        check_mesh("rans.cgns", ls89_pitch, 1e-6, 30);
        struct mesh m;
        open_named(&m, "rans.cgns", ls89_pitch);
        check_multiples(&m, 16);
        int cells = 0;
        for (int z = 0; z < m.zones; z++)
            cells += (int)((m.z[z].n[0] - 1) * (m.z[z].n[1] - 1));
        assert_in_range(cells, expected[k].least, expected[k].most);
        assert_true(trailing_edge_cells(&m) >= expected[k].edge);
        mesh_close(&m);
    }
}

// A count that is given counts more than --rans; the zone that stops the coarsening is named.
static void test_rans_own_counts(void **state)
{
    (void)state;
    assert_int_equal(
        command("mesh_cascade --pitch 0.0575 --rans --size 0.5 --levels 2 --inlet 40 --normal 100 "
                "--growth 1.5 --turn 10 --wall-spacing 2e-5 --shift 1 --quality %s",
                ls89()),
        0);
    assert_true(log_holds("inlet_h          20 x "));
    assert_true(log_holds("normal 52"));
    assert_true(log_holds("multigrid levels     2 coarser ones, limited by"));
    assert_true(log_holds("(wanted 2e-05)"));
    assert_int_equal(
        command(
            "mesh_cascade --pitch 0.0575 --size 0.3 --levels 2 --layers 3 --shift 1 --quality %s",
            ls89()),
        0);
    assert_true(log_holds("multigrid levels     0 coarser ones, limited by all zones"));
}

static void check_option_refused(const char *option, const char *message)
{
    const int rc =
        command("mesh_cascade --pitch 0.0575 --rans %s -o %s/bad.cgns %s", option, folder, ls89());
    if (rc != 2 || !log_holds(message))
        fail_msg("%s: exit code %d", option, rc);
    assert_false(exists("bad.cgns"));
}

static void test_bad_options(void **state)
{
    (void)state;
    check_option_refused("--wall-spacing 0", "--wall-spacing=0: expected a number");
    check_option_refused("--wall-spacing nan", "--wall-spacing=nan: expected a number");
    check_option_refused("--wall-spacing 1e-6m", "--wall-spacing=1e-6m: expected a number");
    check_option_refused("--wall-spacing 0.01", "too high for a chord");
    check_option_refused("--growth 1", "--growth=1: expected a number");
    check_option_refused("--growth fast", "--growth=fast: expected a number");
    check_option_refused("--turn 0", "--turn=0: expected a number");
    check_option_refused("--turn 90", "--turn=90: expected a number");
    check_option_refused("--normal 0", "--normal=0: expected a number");
    check_option_refused("--normal 2.5", "--normal=2.5: expected a whole number");
    check_option_refused("--levels 9", "--levels=9: expected a number");
    check_option_refused("--size 0", "--size=0: expected a number");
    check_option_refused("--rans=1", "doesn't allow an argument");
}

// Are all zones of two files as large?
static bool equal_sizes(const char *a, const char *b)
{
    struct mesh m[2];
    open_named(&m[0], a, ls89_pitch);
    open_named(&m[1], b, ls89_pitch);
    bool equal = m[0].zones == m[1].zones;
    for (int k = 0; k < m[0].zones && equal; k++)
        equal = !memcmp(m[0].z[k].n, m[1].z[k].n, sizeof m[0].z[k].n);
    mesh_close(&m[0]);
    mesh_close(&m[1]);
    return equal;
}

static void make_like(const char *name, const char *more)
{
    assert_int_equal(command("mesh_cascade --size 0.3 --levels 2 --shift 0.5 -o %s/%s %s %s",
                             folder, name, more, ls89()),
                     0);
}

// Another pitch and another stagger have other counts, but not with --like, with which nodes follow a small change of the pitch
// by about as much.
static void test_like(void **state)
{
    (void)state;
    char more[1200];
    struct mesh m, n;
    make_like("k0.cgns", "--pitch 0.0575");
    make_like("k1.cgns", "--pitch 0.0635 --stagger 2");
    assert_false(equal_sizes("k0.cgns", "k1.cgns"));
    snprintf(more, sizeof more, "--pitch 0.0635 --stagger 2 --size 0.5 --like %s/k0.cgns", folder);
    make_like("k2.cgns", more);
    assert_true(equal_sizes("k0.cgns", "k2.cgns"));
    open_named(&m, "k2.cgns", 0.0635);
    assert_true(check_cells(&m) > 20);
    mesh_close(&m);
    for (int k = 0; k < 2; k++) {
        snprintf(more, sizeof more, "--pitch %s --like %s/k0.cgns", k ? "0.057501" : "0.0575",
                 folder);
        make_like(k ? "k4.cgns" : "k3.cgns", more);
    }
    assert_true(equal_sizes("k0.cgns", "k3.cgns"));
    open_named(&m, "k3.cgns", ls89_pitch);
    open_named(&n, "k4.cgns", 0.057501);
    double most = 0;
    for (int k = 0; k < m.zones; k++)
        for (cgsize_t q = 0; q < m.z[k].n[0] * m.z[k].n[1] * m.z[k].n[2]; q++)
            for (int d = 0; d < 2; d++)
                most = fmax(most, fabs(m.z[k].x[d][q] - n.z[k].x[d][q]));
    assert_true(most > 4e-7 && most < 2e-6);
    mesh_close(&m);
    mesh_close(&n);
    check_option_refused("--like k0.cgns", "--like needs --shift");
    check_option_refused("--shift 0.5 --solid --like k0.cgns",
                         "does not hold the cells of the metal");
    check_option_refused("--shift 0.5 --like none.cgns", "none.cgns: error: cannot be read");
}

// Equal input, equal coordinates, bit for bit; the starting point and the direction of the points
// may move nodes, but not spoil the mesh.
static void test_repeatable(void **state)
{
    (void)state;
    struct mesh a, b;
    for (int k = 0; k < 2; k++)
        assert_int_equal(
            command("mesh_cascade --pitch 0.0575 --size 0.3 --levels 2 --shift 1 -o %s/r%d.cgns %s",
                    folder, k, ls89()),
            0);
    open_named(&a, "r0.cgns", ls89_pitch);
    open_named(&b, "r1.cgns", ls89_pitch);
    assert_int_equal(a.zones, b.zones);
    for (int k = 0; k < a.zones; k++)
        for (int d = 0; d < 3; d++)
            assert_memory_equal(a.z[k].x[d], b.z[k].x[d],
                                (size_t)(a.z[k].n[0] * a.z[k].n[1] * a.z[k].n[2]) * sizeof(double));
    mesh_close(&a);
    mesh_close(&b);
}

// Half-thickness of a NACA four-digit section of unit chord, thickness t.
static double naca(double x, double t)
{
    return 5 * t * (0.2969 * sqrt(x) + x * (-0.1260 + x * (-0.3516 + x * (0.2843 - 0.1015 * x))));
}

// A compressor blade: NACA 0012 thickness in percent of a 100-unit chord, cut at 98.5 % by a half
// circle, on a circular camber line; anticlockwise from the trailing edge on, in millimetres.
static void write_compressor(const char *name, double camber)
{
    enum { N = 60, ROUND = 12 };
    FILE *f = create(name);
    const double radius = 0.5 / sin(camber / 2), end = 0.985;
    fprintf(f, "# compressor blade, mm\n");
    for (int k = -N; k < N + ROUND; k++) {
        const bool round = k >= N;
        const double x = round ? end : end * 0.5 * (1 - cos(M_PI * k / N));
        const double h = (k < 0 ? 1 : -1) * naca(x, 0.12), a = camber / 2 - camber * x;
        const double turn = M_PI * (k - N) / ROUND;
        const double along = round ? -h * sin(turn) : 0, across = round ? h * cos(turn) : h;
        const double cx = 0.5 - radius * sin(a), cy = radius * cos(a);
        fprintf(f, "%.9f, %.9f\n", 100 * (cx + along * cos(a) - across * sin(a)),
                100 * (cy + along * sin(a) + across * cos(a)));
    }
    fclose(f);
}

static void test_compressor(void **state)
{
    (void)state;
    write_compressor("compressor.dat", 0.5);
    assert_int_equal(
        command(
            "mesh_cascade --pitch 0.08 --scale 1e-3 --stagger 40 --size 0.5 --wall-spacing 2e-4 -o "
            "%s/c.cgns %s/compressor.dat",
            folder, folder),
        0);
    check_mesh("c.cgns", 0.08, 2e-4, 30);
}

static void write_ellipse(const char *name, int n, double part)
{
    FILE *f = create(name);
    for (int k = 0; k < n; k++) {
        const double a = part * 2 * M_PI * k / n;
        fprintf(f, "%.9g %.9g\n", cos(a), 0.2 * sin(a));
    }
    fclose(f);
}

static void check_refused(const char *name)
{
    const int rc = command("mesh_cascade --pitch 1 -o %s/bad.cgns %s/%s", folder, folder, name);
    if (rc != 2)
        fail_msg("%s: exit code %d", name, rc);
    assert_false(exists("bad.cgns"));
    assert_false(exists("bad.cgns.part"));
}

static void test_bad_profiles(void **state)
{
    (void)state;
    write_ellipse("good.dat", 100, 1);
    assert_int_equal(
        command("mesh_cascade --pitch 1 --size 0.3 --levels 2 --quality %s/good.dat", folder), 0);
    assert_int_equal(command("mesh_cascade --pitch 0.3 --quality %s/good.dat", folder),
                     2); // blades overlap
    assert_int_equal(command("mesh_cascade --pitch 0 --quality %s/good.dat", folder), 2);
    assert_int_equal(command("mesh_cascade --pitch 1x --quality %s/good.dat", folder), 2);
    assert_int_equal(command("mesh_cascade --quality %s/good.dat", folder), 2);
    assert_int_equal(command("mesh_cascade --pitch 1 %s/good.dat", folder), 2); // nothing to do

    write_ellipse("few.dat", 10, 1);
    check_refused("few.dat");
    write_ellipse("open.dat", 100, 0.7);
    check_refused("open.dat");
    check_refused("missing.dat");

    FILE *f = create("eight.dat");
    for (int k = 0; k < 100; k++)
        fprintf(f, "%.9g %.9g\n", cos(2 * M_PI * (k + 0.5) / 100),
                0.2 * sin(4 * M_PI * (k + 0.5) / 100));
    fclose(f);
    check_refused("eight.dat");

    f = create("sharp.dat");
    for (int k = -50; k < 50; k++)
        fprintf(f, "%.9g %.9g\n", k * k / 2500.0, (k < 0 ? 1 : -1) * naca(k * k / 2500.0, 0.1));
    fclose(f);
    check_refused("sharp.dat");

    f = create("words.dat");
    fprintf(f, "0 0\n1 two\n");
    fclose(f);
    check_refused("words.dat");
}

static void test_suspect_profiles(void **state)
{
    (void)state;
    write_ellipse("good.dat", 100, 1);
    // points in millimetres, pitch in metres; then the other way round
    assert_int_equal(command("mesh_cascade --pitch 0.002 --quality %s/good.dat", folder), 2);
    assert_true(log_holds("are the points in millimetres? Then give --scale 0.001"));
    assert_int_equal(command("mesh_cascade --pitch 1000 --quality %s/good.dat", folder), 2);
    assert_true(log_holds("is 500 chords of 2 m"));
    assert_int_equal(
        command("mesh_cascade --pitch 1 --size 0.3 --levels 2 --quality %s/good.dat", folder), 0);
    assert_false(log_holds("warning"));

    FILE *f = create("heading.csv");
    fprintf(f, "x [m]; y [m]\npressure side first\n");
    for (int k = 0; k < 100; k++)
        fprintf(f, "%.9g; %.9g\n", cos(2 * M_PI * k / 100), 0.2 * sin(2 * M_PI * k / 100));
    fclose(f);
    assert_int_equal(
        command("mesh_cascade --pitch 1 --size 0.3 --levels 2 --quality %s/heading.csv", folder),
        0);

    f = create("waves.dat");
    for (int k = 0; k < 200; k++)
        fprintf(f, "%.9g %.9g\n", cos(2 * M_PI * k / 200),
                0.2 * sin(2 * M_PI * k / 200) + (k % 2 ? 2e-4 : -2e-4));
    fclose(f);
    command("mesh_cascade --pitch 1 --size 0.3 --levels 2 --quality %s/waves.dat", folder);
    assert_true(log_holds("warning: the profile waves"));
}

static void test_folded_mesh_leaves_no_file(void **state)
{
    (void)state;
    assert_int_equal(
        command("mesh_cascade --pitch 0.0575 --size 0.5 --shift 1 --smooth 0 -o %s/f.cgns %s",
                folder, ls89()),
        3);
    assert_false(exists("f.cgns"));
    assert_false(exists("f.cgns.part"));
}

// Blade of chord 1, point i of its loop, s from 0 to 1 along each side: a parabola as camber line, round
// at the leading edge, cut off at s = 1 with a base of 0.04 that the point `cut` begins.
static void cut_blade(int side, double s, double *x, double *y)
{
    const double half = 0.12 * sqrt(s) * (1 - s) + 0.02 * s;
    *x = s;
    *y = 0.3 * s * (1 - s) + (side ? -half : half);
}

enum { SIDE_POINTS = 61 };

static double along(int i)
{
    return 0.5 * (1 - cos(M_PI * i / (SIDE_POINTS - 1)));
}

// A heading with sides and a unit; the same blade by chord and pitch over chord.
static void test_table_of_sides(void **state)
{
    (void)state;
    double x, y[2];
    FILE *f = create("sides.csv");
    fprintf(f, "no,x [mm],y_suction / mm,y_pressure (mm)\n");
    for (int i = 0; i < SIDE_POINTS; i++) {
        cut_blade(0, along(i), &x, &y[0]);
        cut_blade(1, along(i), &x, &y[1]);
        fprintf(f, "%d,%.9f,%.9f,%.9f\n", i + 1, 50 * x, 50 * y[0], 50 * y[1]);
    }
    fclose(f);
    assert_int_equal(
        command("mesh_cascade %s/sides.csv --pitch 0.04 --size 0.4 --shift 0.25 -o %s/m.cgns",
                folder, folder),
        2);
    assert_true(log_holds("--round-edges"));
    assert_int_equal(command("mesh_cascade %s/sides.csv --pitch 0.04 --size 0.4 --shift 0.25 "
                             "--round-edges -o %s/m.cgns",
                             folder, folder),
                     0);
    assert_true(log_holds("base 0.002 m wide"));
    assert_true(log_holds("profile's area"));
    check_mesh("m.cgns", 0.04, 0.002 * 0.05 / 0.4, 25);
    assert_int_equal(
        command(
            "mesh_cascade %s/sides.csv --pitch-to-chord 0.8 --chord 0.1 --size 0.4 --shift 0.25 "
            "--round-edges -o "
            "%s/m.cgns",
            folder, folder),
        0);
    assert_true(log_holds("profile              chord 0.09997"));
    struct mesh m;
    open_named(&m, "m.cgns", 0.08);
    assert_int_equal(check_links(&m, 1e-7), 6); // the pitch follows from the chord of the points
    mesh_close(&m);
    f = create("bad.csv");
    fprintf(f, "x,y\n1,2,3\n");
    fclose(f);
    assert_int_equal(command("mesh_cascade %s/bad.csv --pitch 0.04 --quality", folder), 2);
    assert_true(
        log_holds("bad.csv:2: error: expected 2 finite numbers, as many as the heading has names"));
    f = create("bad.csv");
    fprintf(f, "0 0 nose\n0.5 0.1\n1 0\n"); // its first point is no heading
    fclose(f);
    assert_int_equal(command("mesh_cascade %s/bad.csv --pitch 0.04 --quality", folder), 2);
    assert_true(log_holds("bad.csv:1: error: expected two finite numbers"));
    f = create("bad.csv");
    fprintf(f, "\"x\",1,2,3,4,5,6,7,8,9,a,b,c,d,e,f,x,y\n");
    for (int i = 0; i < 18; i++)
        fprintf(f, "%d,", i);
    fclose(f);
    assert_int_equal(command("mesh_cascade %s/bad.csv --pitch 0.04 --quality", folder), 2);
    assert_true(log_holds("the heading has 18 columns, more than 16"));
}

// Rounding that would make another blade is refused: a thin crescent whose misprinted point 20 lets a
// circle meet the wrong part of the profile and change the area by 16 %.
static void test_wrong_rounding(void **state)
{
    (void)state;
    FILE *f = create("crescent.dat");
    for (int i = 0; i < 28; i++) {
        const double x = 0.5 * (1 - cos(2 * M_PI * i / 28));
        const double y = 0.6 * x * (1 - x) + 0.004 * sin(2 * M_PI * i / 28);
        fprintf(f, "%.3f %.3f\n", x, i == 18 ? 0.001 : y);
    }
    fclose(f);
    assert_int_equal(
        command("mesh_cascade --pitch 0.8 --round-edges --size 0.3 --quality %s/crescent.dat",
                folder),
        2);
    assert_true(log_holds("crescent.dat: error: an edge could not be rounded: "));
    assert_true(log_holds("points would be left, and the profile's area would change by "));

    // two points of the pressure side stand twice: the arc between them had no radius, and the leading
    // and the trailing edge were not numbers
    static const double x[][2] = {{0.00, 0.00},  {0.69, 1.19},   {3.25, 2.42},   {4.63, 3.63},
                                  {7.71, 4.71},  {19.44, 5.77},  {23.54, 4.94},  {27.42, 3.49},
                                  {30.93, 1.57}, {33.94, -0.61}, {39.20, -7.95}, {38.57, -8.87},
                                  {5.04, -9.26}, {32.29, -8.76}, {29.00, -4.50}, {9.40, -3.00},
                                  {3.32, -2.83}, {1.35, -2.05},  {0.22, -0.83},  {1.35, -2.05},
                                  {0.22, -1.09}};
    f = create("back.dat");
    for (size_t i = 0; i < sizeof x / sizeof x[0]; i++)
        fprintf(f, "%g %g\n", x[i][0], x[i][1]);
    fclose(f);
    assert_int_equal(
        command("mesh_cascade --pitch 0.06 --scale 0.001 --stagger -10 --round-edges --quality "
                "%s/back.dat",
                folder),
        2);
    assert_true(log_holds("does the profile run back on itself?"));
}

// A profile of chord 2 m at 1e7 m from the origin has lost seven digits of its shape.
static void test_far_from_the_origin(void **state)
{
    (void)state;
    for (int far = 0; far <= 1; far++) {
        FILE *f = create("far.dat");
        for (int k = 0; k < 100; k++)
            fprintf(f, "%.17g %.17g\n", (far ? 1e7 : 10) + cos(2 * M_PI * k / 100),
                    0.2 * sin(2 * M_PI * k / 100));
        fclose(f);
        assert_int_equal(
            command("mesh_cascade --pitch 1 --size 0.3 --levels 2 --quality %s/far.dat", folder),
            far ? 2 : 0);
    }
    assert_true(log_holds("far.dat: error: the points lie 1e+07 m from the origin, 5e+06 chords"));
}

// Waves of 2e-4 on the points, and one misprinted point, are taken out by --fit.
static void test_fit(void **state)
{
    (void)state;
    FILE *f = create("waves.dat");
    for (int i = 0; i < 2 * SIDE_POINTS - 2; i++) {
        const int back = i >= SIDE_POINTS;
        const double t = M_PI * i / (SIDE_POINTS - 1), wave = 2e-4 * (i % 2 ? 1 : -1);
        const double x = 0.5 * (1 + cos(t)), y = 0.1 * sin(t) + 0.1 * x * (1 - x);
        fprintf(f, "%.9f %.9f\n", x, y + (back ? -wave : wave) + (i == 30 ? 0.01 : 0));
    }
    fclose(f);
    assert_int_equal(
        command("mesh_cascade %s/waves.dat --pitch 0.8 --size 0.4 --shift 0.25 --quality", folder),
        0);
    assert_true(log_holds("warning: the profile waves"));
    assert_true(log_holds("waves.dat:31: warning: this point"));
    assert_int_equal(
        command(
            "mesh_cascade %s/waves.dat --pitch 0.8 --size 0.4 --shift 0.25 --fit 3e-4 -o %s/m.cgns",
            folder, folder),
        0);
    assert_true(log_holds("waves.dat:31: warning: this point"));
    assert_true(log_holds("moved by 0.0003 m at most, 1 left out"));
    check_mesh("m.cgns", 0.8, 0.002 / 0.4, 25);
}

// The first cell of a turbulent plate: cf = 0.026 Re^(-1/7), y+ at the centre of the cell.
static void test_y_plus(void **state)
{
    (void)state;
    const double chord = 0.0684489, re = 1e6, friction = sqrt(0.5 * 0.026 * pow(re, -1.0 / 7));
    char text[100];
    assert_int_equal(command("mesh_cascade %s --pitch %g --scale 1 --size 0.3 --shift 0.25 "
                             "--y-plus 2 --reynolds 1e6 --quality",
                             ls89(), ls89_pitch),
                     0);
    snprintf(text, sizeof text, "first cell           %.4g", 2 * 2 * chord / (re * friction));
    assert_true(log_holds(text));
    assert_int_equal(command("mesh_cascade %s --pitch 0.0575 --y-plus 2 --quality", ls89()), 2);
    assert_int_equal(command("mesh_cascade %s --pitch 0.0575 --pitch-to-chord 1 --quality", ls89()),
                     2);
    assert_int_equal(
        command("mesh_cascade %s --pitch 0.0575 --chord 1 --scale 1 --quality", ls89()), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ls89),
        cmocka_unit_test(test_four_o_zones),
        cmocka_unit_test(test_resolved_wall),
        cmocka_unit_test(test_rans),
        cmocka_unit_test(test_rans_own_counts),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_like),
        cmocka_unit_test(test_repeatable),
        cmocka_unit_test(test_compressor),
        cmocka_unit_test(test_bad_profiles),
        cmocka_unit_test(test_suspect_profiles),
        cmocka_unit_test(test_folded_mesh_leaves_no_file),
        cmocka_unit_test(test_table_of_sides),
        cmocka_unit_test(test_wrong_rounding),
        cmocka_unit_test(test_far_from_the_origin),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_y_plus),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
