// The metal of blades with coolant holes as mesh_row writes it (key `holes`), read back through the CGNS library.
//
// A twisted, tapered and leaned blade of elliptic sections between two cylinders, whose volume is known: half the thickness
// h and the chord c change evenly with the radius, so the area of a section is pi h c / 2. Four straight holes lean with it.
// Expected:
//
//   all cells have positive volumes, smallest angle 25 deg; nodes of interfaces equal to 1e-10 m, every face covered once
//   nodes of holes on their cylinders or cones to 1e-9 m, those of the surface on the blade to 5e-4 of half its thickness, those
//   of the ends on hub and casing, or where the gaps begin
//   volume of the metal = blade - holes, areas of the holes: errors below 4e-3, a third or less with half the cells' size
//   the same metal, turned, with `clocking`; the gas does not change with `holes`
//   a fillet of the gas's blade is one of the metal: the end at the hub grows by perimeter and radius
//   corners of a cut-off trailing edge are nodes, to 2 um
//   rows of a machine: their names stand before those of zones and boundaries
//   bent holes pass through their points; holes may be named; [] meshes the metal alone
//   faulty holes are refused with the reason, and so are holes that change places
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metal_mesh.h"

#define FOLDER "mesh_metal"
#include "tests/tools/straight_row.h"

static const double taper = 0.2, half = 0.012, middle = 0.05;

// At a share s of the height: chord, half of the thickness, theta of the camber line at x.
static double chord_at(double s)
{
    return chord * (1 - taper * s);
}

static double half_at(double s)
{
    return half * (1 - taper * s);
}

static double camber(double s, double x)
{
    return (2.2 + s) * (x - middle) + 0.1 * s;
}

// Half of the thickness at a share t of the chord.
static double half_there(double s, double t)
{
    return half_at(s) * 2 * sqrt(t * (1 - t));
}

// Where a side (-1, 1) ends, as a share of the chord, if the blade is cut off about normal to the camber line at `cut`.
static double end_of(double s, double cut, int side)
{
    const double slope = (hub + (casing - hub) * s) * (2.2 + s);
    return cut < 1 ? cut - side * slope / (1 + slope * slope) * half_there(s, cut) / chord_at(s)
                   : 1;
}

static void put_any_blade(const char *name, double cut, double shift)
{
    enum { SECTIONS = 9, POINTS = 80 };
    FILE *f = create(name);
    for (int k = 0; k < SECTIONS; k++) {
        const double s = (double)k / (SECTIONS - 1), r = hub + (casing - hub) * s;
        fprintf(f, "section %d\n", k + 1);
        for (int i = 0; i < 2 * POINTS + (cut < 1); i++) {
            // from the lower side's end over the leading edge to the upper side's end
            const int side = i > POINTS ? 1 : -1;
            const double t = 0.5 * end_of(s, cut, side) * (1 - cos(M_PI * (i - POINTS) / POINTS)),
                         x = middle + (t - 0.5) * chord_at(s);
            fprintf(f, "%.12g %.12g %.12g\n", x + shift, r,
                    camber(s, x) + side * half_there(s, t) / r);
        }
    }
    assert_int_equal(fclose(f), 0);
}

static void put_blade(void)
{
    put_any_blade("main.dat", 1, 0);
}

// A point of the camber line at a share t of the chord.
struct place {
    double x, theta; // theta in degrees
};

static struct place place_at(double s, double t)
{
    const double x = middle + (t - 0.5) * chord_at(s);
    return (struct place){x, camber(s, x) * 180 / M_PI};
}

static const double along[] = {0.14, 0.36, 0.58, 0.8}, diameter[] = {6e-3, 8e-3, 7e-3, 5e-3};
enum { HOLES = 4 };

// The key `holes`, each hole as text of the row's file.
static void put_holes(char *text, size_t size, double end)
{
    size_t n = (size_t)snprintf(text, size, "holes:\n");
    for (int k = 0; k < HOLES; k++) {
        const struct place a = place_at(0, along[k]), b = place_at(1, along[k]);
        n += (size_t)snprintf(text + n, size - n,
                              "  - {hub: [%.12g, %.12g], casing: [%.12g, %.12g], diameter: [%.6g, "
                              "%.6g]}\n",
                              a.x, a.theta, b.x, b.theta, diameter[k], end * diameter[k]);
    }
}

static struct tube tube_of(int k, double end)
{
    const struct place a = place_at(0, along[k]), b = place_at(1, along[k]);
    struct tube t = {.from = in_space(a.x, hub, a.theta * M_PI / 180),
                     .radius = {0.5 * diameter[k], 0.5 * end * diameter[k]}};
    const struct vec3 to = in_space(b.x, casing, b.theta * M_PI / 180);
    for (int d = 0; d < 3; d++)
        t.way.x[d] = to.x[d] - t.from.x[d];
    return t;
}

// Length of the line parallel to the axis of a cylinder through the point at `off` from it, from hub to casing.
static double length_between(const struct tube *t, const double off[3])
{
    double at[2];
    for (int e = 0; e < 2; e++) { // |p + s way| across x = radius of the wall
        const double r = e ? casing : hub;
        const double p[2] = {t->from.x[1] + off[1], t->from.x[2] + off[2]}, *w = &t->way.x[1];
        const double a = w[0] * w[0] + w[1] * w[1], b = p[0] * w[0] + p[1] * w[1],
                     c = p[0] * p[0] + p[1] * p[1] - r * r;
        at[e] = (-b + sqrt(b * b - a * c)) / a;
    }
    return (at[1] - at[0]) * sqrt(inner(t->way.x, t->way.x));
}

// Volume and surface of a cylinder between hub and casing.
static void tube_measures(const struct tube *t, double *volume, double *area)
{
    enum { RINGS = 40, ANGLES = 64 };
    const double size = sqrt(inner(t->way.x, t->way.x));
    double first[3] = {1, 0, 0}, second[3];
    for (int d = 0; d < 3; d++)
        first[d] -= t->way.x[0] * t->way.x[d] / (size * size);
    const double norm = sqrt(inner(first, first));
    for (int d = 0; d < 3; d++)
        first[d] /= norm;
    for (int d = 0; d < 3; d++)
        second[d] = (t->way.x[(d + 1) % 3] * first[(d + 2) % 3] -
                     t->way.x[(d + 2) % 3] * first[(d + 1) % 3]) /
                    size;
    *volume = *area = 0;
    for (int i = 0; i <= RINGS; i++)
        for (int j = 0; j < ANGLES; j++) {
            const double rho = t->radius[0] * (i < RINGS ? (i + 0.5) / RINGS : 1),
                         phi = 2 * M_PI * j / ANGLES;
            double off[3];
            for (int d = 0; d < 3; d++)
                off[d] = rho * (cos(phi) * first[d] + sin(phi) * second[d]);
            const double piece = 2 * M_PI * rho / ANGLES * length_between(t, off);
            *(i < RINGS ? volume : area) += i < RINGS ? piece * t->radius[0] / RINGS : piece;
        }
}

// The largest distance from the blade over half of the thickness.
static void take_off_blade(void *of, const double *x)
{
    double *off = of;
    const double r = hypot(x[1], x[2]), s = (r - hub) / (casing - hub);
    const double p = (x[0] - middle) / (0.5 * chord_at(s)),
                 q = r * (atan2(x[2], x[1]) - camber(s, x[0])) / half_at(s);
    *off = fmax(*off, fabs(hypot(p, q) - 1));
}

static void take_radius(void *of, const double *x)
{
    double *range = of; // least and largest
    const double r = hypot(x[1], x[2]);
    range[0] = fmin(range[0], r);
    range[1] = fmax(range[1], r);
}

static void open_file(struct mesh *m, const char *name, int base)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mesh_open_base(m, path, base, 2);
    m->turn = 2 * M_PI / BLADES;
}

// The number behind a text that the last command printed.
static double figure(const char *text)
{
    const char *found = strstr(printed(), text);
    if (!found)
        fail_msg("'%s' is not in:\n%s", text, printed());
    return strtod(found + strlen(text), NULL);
}

static void check_angle(double least)
{
    if (!(figure("smallest angle there ") > least))
        fail_msg("smallest angle %g deg, wanted more than %g", figure("smallest angle there "),
                 least);
}

static void mesh_of(const char *more, const char *options, const char *file)
{
    put_row(more);
    if (command("mesh_row %s/row.yaml %s -o %s/%s", folder, options, folder, file))
        fail_msg("%s\n%s", more, printed());
}

// The walls of the passage at the ends of the metal.
static void check_end(const struct mesh *m, const char *family, double r)
{
    double range[2] = {1e9, 0}, area;
    if (each_node(m, family, take_radius, range, &area) != m->zones)
        fail_msg("%s: not on all zones", family);
    assert_true(fabs(range[0] - r) < 1e-9 && fabs(range[1] - r) < 1e-9);
}

// error[0]: of the volume; error[1 + k]: of the area of hole k; relative ones.
static void check_metal(double end, double error[1 + HOLES])
{
    struct mesh m;
    double wanted = 0, off = 0, area;
    check_angle(25);
    open_file(&m, "m.cgns", 2);
    assert_int_equal(check_links(&m, 1e-10), 0);
    for (int k = 0; k < HOLES; k++) {
        char name[20];
        double volume, surface;
        struct on_tube t = {.tube = tube_of(k, end)};
        snprintf(name, sizeof name, "hole_%d", k + 1);
        assert_int_equal(each_node(&m, name, take_off_tube, &t, &area), 1);
        if (t.off > 1e-9)
            fail_msg("%s: a node lies %g m off", name, t.off);
        tube_measures(&t.tube, &volume, &surface);
        error[1 + k] = fabs(area / surface - 1);
        wanted -= volume;
    }
    // integral of pi / 2 c h over the radius
    wanted += M_PI / 2 * chord * half * (1 - taper + taper * taper / 3) * (casing - hub);
    error[0] = fabs(metal_volume(&m) / wanted - 1);
    assert_true(each_node(&m, "blade_metal", take_off_blade, &off, &area) > 0);
    if (off > 5e-4)
        fail_msg("a node of the surface lies %g of half the thickness off the blade", off);
    mesh_close(&m);
}

static void test_space(void **state)
{
    (void)state;
    char text[1000];
    double error[2][1 + HOLES], cells[2];
    struct mesh m;
    put_blade();
    put_holes(text, sizeof text, 1);
    for (int fine = 0; fine < 2; fine++) {
        mesh_of(text, fine ? "--cells 1.6e5" : "--cells 2e4", "m.cgns");
        check_metal(1, error[fine]);
        cells[fine] = figure("\ncells                ");
    }
    print_message(
        "%.0f and %.0f cells of gas: errors of the volume %.2e, %.2e; of the first hole's area "
        "%.2e, %.2e\n",
        cells[0], cells[1], error[0][0], error[1][0], error[0][1], error[1][1]);
    for (int k = 0; k <= HOLES; k++)
        assert_true(error[0][k] < 4e-3);
    assert_true(error[1][0] < error[0][0] / 3);
    open_file(&m, "m.cgns", 2);
    check_end(&m, "solid_hub", hub);
    check_end(&m, "solid_shroud", casing);
    mesh_close(&m);
}

// A base of two files, node by node; that of the second one is turned by an angle.
static void check_same(const char *one, const char *other, int base, int of, double angle)
{
    struct mesh m, n;
    char path[1000];
    open_file(&m, one, base);
    snprintf(path, sizeof path, "%s/%s", folder, other);
    mesh_open_base(&n, path, base, of);
    assert_int_equal(m.zones, n.zones);
    for (int k = 0; k < m.zones; k++) {
        const struct zone *a = &m.z[k], *b = &n.z[k];
        double off = 0;
        assert_string_equal(a->name, b->name);
        for (size_t p = 0; p < (size_t)(a->n[0] * a->n[1] * a->n[2]); p++) {
            const double y = cos(angle) * b->x[1][p] + sin(angle) * b->x[2][p],
                         z = cos(angle) * b->x[2][p] - sin(angle) * b->x[1][p];
            off = fmax(off,
                       fabs(a->x[0][p] - b->x[0][p]) + fabs(a->x[1][p] - y) + fabs(a->x[2][p] - z));
        }
        assert_true(off < 1e-12);
    }
    mesh_close(&m);
    mesh_close(&n);
}

// Cones; what `holes` and `clocking` do to both meshes.
static void test_cones(void **state)
{
    (void)state;
    char text[1000], more[1100];
    double error[1 + HOLES];
    put_blade();
    put_holes(text, sizeof text, 0.8);
    mesh_of(text, "", "m.cgns");
    check_metal(0.8, error);
    mesh_of("", "", "gas.cgns");
    check_same("m.cgns", "gas.cgns", 1, 1, 0);
    snprintf(more, sizeof more, "clocking: 25\n%s", text);
    mesh_of(more, "", "turned.cgns");
    for (int base = 1; base <= 2; base++)
        check_same("m.cgns", "turned.cgns", base, 2, 25 * M_PI / 180);
}

static void test_gaps(void **state)
{
    (void)state;
    static const struct {
        const char *key, *end[2];
        double r[2];
    } gaps[] = {
        {"tip_gap: 1e-3\n", {"solid_hub", "solid_tip"}, {0.2, 0.249}},
        {"hub_gap: 1e-3\n", {"solid_hub_tip", "solid_shroud"}, {0.201, 0.25}},
    };
    char text[1000], more[1100];
    struct mesh m;
    put_blade();
    put_holes(text, sizeof text, 1);
    for (int k = 0; k < 2; k++) {
        snprintf(more, sizeof more, "%s%s", gaps[k].key, text);
        mesh_of(more, "", "m.cgns");
        open_file(&m, "m.cgns", 2);
        assert_int_equal(check_links(&m, 1e-10), 0);
        for (int e = 0; e < 2; e++)
            check_end(&m, gaps[k].end[e], gaps[k].r[e]);
        mesh_close(&m);
    }
}

// Perimeter of the section at the hub.
static double perimeter(void)
{
    enum { STEPS = 2000 };
    double sum = 0, last[2] = {0, 0};
    for (int i = 0; i <= STEPS; i++) {
        const double a = 2 * M_PI * i / STEPS, x = middle - 0.5 * chord * cos(a),
                     y = hub * camber(0, x) + half * sin(a);
        sum += i ? hypot(x - last[0], y - last[1]) : 0;
        last[0] = x;
        last[1] = y;
    }
    return sum;
}

// A fillet makes the section at the hub grow by g on all sides, that is its area by P g + pi g^2.
static void test_fillet(void **state)
{
    (void)state;
    const double radius = 2.5e-3, g = radius * (2 - M_SQRT2);
    char text[1000], more[1100];
    double area[2];
    struct mesh m;
    put_blade();
    put_holes(text, sizeof text, 1);
    for (int k = 0; k < 2; k++) {
        snprintf(more, sizeof more, "%s%s", k ? "fillet: {hub: 2.5e-3}\n" : "", text);
        mesh_of(more, "", "m.cgns");
        check_angle(25);
        open_file(&m, "m.cgns", 2);
        assert_int_equal(check_links(&m, 1e-10), 0);
        assert_true(each_node(&m, "solid_hub", NULL, NULL, &area[k]) > 0);
        assert_true(metal_volume(&m) > 0);
        mesh_close(&m);
    }
    const double more_area = area[1] - area[0], wanted = g * (perimeter() + M_PI * g);
    if (fabs(more_area / wanted - 1) > 0.01)
        fail_msg("the fillet adds %g m2 to the end at the hub, wanted %g", more_area, wanted);
}

// Two rows: the metal of both stands in one base, under the names of the rows.
static void test_rows(void **state)
{
    (void)state;
    static const char *const family[] = {"one_blade_metal", "one_solid_hub", "one_solid_shroud",
                                         "two_blade_metal", "two_front",     "two_solid_tip"};
    struct mesh m;
    double area;
    for (int b = 0; b < 2; b++)
        put_any_blade(b ? "two.dat" : "one.dat", 1, 0.2 * b);
    for (int w = 0; w < 2; w++) {
        FILE *f = create(w ? "casing.dat" : "hub.dat");
        for (int i = 0; i <= 14; i++)
            fprintf(f, "%g %g\n", -0.08 + 0.035 * i, w ? casing : hub);
        assert_int_equal(fclose(f), 0);
    }
    for (int k = 0; k < 2; k++) {
        FILE *f = create("rows.yaml");
        fprintf(
            f,
            "hub: hub.dat\ncasing: casing.dat\ncolumns: [x, r, theta]\ninlet: -0.07\noutlet: 0.38\n"
            "cells: 4e4\nwalls: functions\nfirst_cell: 2e-4\n%srows:\n"
            "  - {name: one, blades: %d, sections: one.dat, holes: []}\n"
            "  - {name: two, blades: %d, sections: two.dat, tip_gap: 1e-3, holes: [{hub: [0.25, "
            "0], "
            "casing: [0.25, 5.7], diameter: 5e-3, name: front}]}\n",
            k ? "holes: []\n" : "", BLADES, BLADES);
        assert_int_equal(fclose(f), 0);
        const int rc = command("mesh_row %s/rows.yaml -o %s/m.cgns", folder, folder);
        if (rc != (k ? 2 : 0))
            fail_msg("exit code %d\n%s", rc, printed());
        if (k)
            assert_true(log_holds("'holes' differs from row to row: give it in 'rows'"));
    }
    open_file(&m, "m.cgns", 2);
    assert_int_equal(check_links(&m, 1e-10), 0);
    assert_true(zone_named(&m, "two_around_front") >= 0);
    for (size_t k = 0; k < sizeof family / sizeof family[0]; k++)
        assert_true(each_node(&m, family[k], NULL, NULL, &area) > 0);
    mesh_close(&m);
}

// The nodes of a family nearest to a point: the mean of their distances from it.
struct near {
    double x[3], sum;
    int n;
};

static void take_near(void *of, const double *x)
{
    struct near *p = of;
    const double d[3] = {x[0] - p->x[0], x[1] - p->x[1], x[2] - p->x[2]};
    if (fabs(hypot(x[1], x[2]) - hypot(p->x[1], p->x[2])) > 1e-6)
        return;
    p->sum += sqrt(inner(d, d));
    p->n++;
}

// A bent hole with a name, whose section on the layer half-way stands about its point there; the metal of a blade without holes.
static void test_bent(void **state)
{
    (void)state;
    struct mesh m;
    double area;
    char text[1000];
    size_t n = (size_t)snprintf(text, sizeof text, "holes:\n  - {name: front, points: [");
    const double at_height[3] = {0, 0.5, 1}, t[3] = {0.3, 0.38, 0.3};
    struct near middle_of = {0};
    put_blade();
    for (int k = 0; k < 3; k++) {
        const struct place p = place_at(at_height[k], t[k]);
        const double r = hub + (casing - hub) * at_height[k];
        const struct vec3 x = in_space(p.x, r, p.theta * M_PI / 180);
        if (k == 1)
            memcpy(middle_of.x, x.x, sizeof x.x);
        n += (size_t)snprintf(text + n, sizeof text - n, "%s[%.10g, %.10g, %.10g]", k ? ", " : "",
                              p.x, r, p.theta);
    }
    snprintf(text + n, sizeof text - n, "], diameter: 6e-3}");
    mesh_of(text, "", "m.cgns");
    check_angle(25);
    open_file(&m, "m.cgns", 2);
    assert_int_equal(check_links(&m, 1e-10), 0);
    assert_int_equal(each_node(&m, "front", take_near, &middle_of, &area), 1);
    mesh_close(&m);
    assert_true(middle_of.n > 30); // an even number of layers
    // the hole leans there by about 30 degrees against the radius: an ellipse
    const double mean = middle_of.sum / middle_of.n;
    assert_true(mean > 3e-3 && mean < 3.4e-3);

    mesh_of("holes: []", "", "m.cgns");
    check_angle(25);
    open_file(&m, "m.cgns", 2);
    assert_int_equal(check_links(&m, 1e-10), 0);
    const double wanted =
        M_PI / 2 * chord * half * (1 - taper + taper * taper / 3) * (casing - hub);
    assert_true(fabs(metal_volume(&m) / wanted - 1) < 4e-3);
    mesh_close(&m);
}

// The least distance of a node from a point.
struct nearest {
    double x[3], least;
};

static void take_nearest(void *of, const double *x)
{
    struct nearest *p = of;
    const double d[3] = {x[0] - p->x[0], x[1] - p->x[1], x[2] - p->x[2]};
    p->least = fmin(p->least, sqrt(inner(d, d)));
}

// Both corners of a cut-off edge are nodes of the metal, too.
static void test_cut(void **state)
{
    (void)state;
    const double cut = 0.95;
    char text[1000];
    struct mesh m;
    put_any_blade("main.dat", cut, 0);
    put_holes(text, sizeof text, 1);
    mesh_of(text, "", "m.cgns");
    assert_true(log_holds("cut-off edge         kept in 9 sections"));
    check_angle(25);
    open_file(&m, "m.cgns", 2);
    assert_int_equal(check_links(&m, 1e-10), 0);
    for (int e = 0; e < 2; e++)
        for (int side = -1; side <= 1; side += 2) {
            const double r = e ? casing : hub, t = end_of(e, cut, side),
                         x = middle + (t - 0.5) * chord_at(e), y = side * half_there(e, t);
            const struct vec3 corner = in_space(x, r, camber(e, x) + y / r);
            struct nearest n = {.least = 1};
            double area;
            memcpy(n.x, corner.x, sizeof n.x);
            each_node(&m, e ? "solid_shroud" : "solid_hub", take_nearest, &n, &area);
            if (n.least > 2e-6)
                fail_msg("the node nearest to a corner lies %g m from it", n.least);
        }
    mesh_close(&m);
}

// ---- refusals ----

static void refused(const char *more, const char *message)
{
    put_row(more);
    row_refused(more, message);
}

#define MIDDLE "hub: [0.05, 0], casing: [0.05, 5.7]" // of the chord

static void test_refusals(void **state)
{
    (void)state;
    put_blade();
    refused("holes: 3",
            "row.yaml:11:8: error: 'holes' needs a list of at most 28 holes; [] meshes");
    refused("holes: [{hub: [0.05, 0], diameter: 2e-3}]",
            "row.yaml:11:9: error: each of 'holes' needs {hub:");
    refused("holes: [{" MIDDLE "}]", "each of 'holes' needs {hub:");
    refused("holes: [{" MIDDLE ", points: [[0, 0.2, 0], [0, 0.25, 0]], diameter: 2e-3}]",
            "each of 'holes' needs {hub:");
    refused("holes: [{" MIDDLE ", size: 2e-3}]",
            "'holes' has no key 'size': hub, casing, points, diameter, name");
    refused("holes: [{" MIDDLE ", diameter: 0}]", "'diameter' is 0, must be from 1e-09");
    refused("holes: [{" MIDDLE ", diameter: [2e-3]}]",
            "'diameter' needs one length, or two: at the hub and at the casing");
    refused("holes: [{hub: 0.05, casing: [0.05, 5.7], diameter: 2e-3}]", "'hub' needs [x, theta]");
    refused("holes: [{points: [[0.05, 0.2]], diameter: 2e-3}]", "'points' needs 2 to 9 points");
    refused("holes: [{points: [[0.05, 0.2], [0.05, 0.25]], diameter: 2e-3}]",
            "'points' needs points [x, r, theta]");
    refused("holes: [{" MIDDLE ", diameter: 2e-3, name: blade_metal}]",
            "'blade_metal' cannot be the name of a hole");
    refused("holes: [{" MIDDLE ", diameter: 2e-3, name: a}, {" MIDDLE ", diameter: 2e-3, name: a}]",
            "'a' cannot be the name of a hole: names differ");
    refused("holes: []\nsplitter: {sections: main.dat}",
            "'holes' and 'splitter': the metal of rows with splitters is not meshed");
    refused("holes: [{hub: [0.7, 0], casing: [0.05, 5.7], diameter: 2e-3}]",
            "'holes': hole_1: the hub has no point at x = 0.7 m between inlet and outlet");
    refused("holes: [{points: [[0.05, 0.25, 5.7], [0.05, 0.2, 0]], diameter: 2e-3}]",
            "'holes': hole_1: its points reach from 100 to 0 % of the passage's height; they go");
    refused("holes: [{hub: [0.05, 0], casing: [0.05, 80], diameter: 1e-4}]",
            "'holes': hole_1 leaves the blade: at ");
    refused("holes: [{" MIDDLE ", diameter: 2e-3}, {hub: [0.08, 3], casing: [0.052, 5.9], "
            "diameter: 2e-3}]",
            "'holes': hole_1 and hole_2 overlap at");
    refused("holes: [{" MIDDLE ", diameter: 30e-3}]", "'holes': hole_1 and the surface overlap at");
    refused("holes: [{" MIDDLE ", diameter: [8e-3, 19.1e-3]}]",
            "'holes': hole_1 and the surface nearly touch at ");
}

// Two holes abreast that change places from hub to casing: there is no mesh, and the message names zone and height.
static void test_crossing(void **state)
{
    (void)state;
    char text[1000];
    size_t n = (size_t)snprintf(text, sizeof text, "holes:\n");
    put_blade();
    for (int k = 0; k < 2; k++) {
        const double off = (k ? -0.35 : 0.35) * half;
        const struct place a = place_at(0, k ? 0.65 : 0.35), b = place_at(1, k ? 0.35 : 0.65);
        n += (size_t)snprintf(text + n, sizeof text - n,
                              "  - {hub: [%.10g, %.10g], casing: [%.10g, %.10g], diameter: 3e-3}\n",
                              a.x, a.theta + off / hub * 180 / M_PI, b.x,
                              b.theta + off / casing * 180 / M_PI);
    }
    put_row(text);
    if (command("mesh_row %s/row.yaml -o %s/bad.cgns", folder, folder) != 3)
        fail_msg("%s", printed());
    assert_true(log_holds("cells of the metal are folded, ") &&
                log_holds("worst: zone around_hole_") && log_holds(" % of the blade's height") &&
                log_holds("'points'"));
    assert_null(open_in("bad.cgns", "r"));
    struct mesh m;
    assert_int_equal(command("mesh_row %s/row.yaml --keep-bad -o %s/m.cgns", folder, folder), 3);
    open_file(&m, "m.cgns", 2); // for pictures
    assert_true(zone_named(&m, "around_hole_2") >= 0);
    mesh_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_space),    cmocka_unit_test(test_cones),
        cmocka_unit_test(test_gaps),     cmocka_unit_test(test_fillet),
        cmocka_unit_test(test_rows),     cmocka_unit_test(test_bent),
        cmocka_unit_test(test_cut),      cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_crossing),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
