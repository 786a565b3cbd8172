// Fillets, made by mesh_row: 12 blades between two cylinders, with fillets of 4 mm at the hub and 2.5 mm at the
// casing. Expected of the file, against the same mesh without fillets:
//
//   each node of the blade's wall moved by R - sqrt(R^2 - (R - h)^2) at the distance h from the wall, along a
//   straight line where the circle's angle is below 45 degrees, and not at all beyond R: within 1e-7 m
//   the section at the hub is larger by its circumference times that distance, within 5 %
//   no other node of the outer edges moved; interfaces one to one; smallest angle above 25 deg
//   fillets that do not fit are refused with the reason
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_file.h"

#define FOLDER "mesh_fillets"
#include "tests/tools/straight_row.h"

static void put_blade(void)
{
    FILE *f = create("main.dat");
    for (int k = 0; k < 5; k++) {
        const double r = hub + (casing - hub) * k / 4;
        fprintf(f, "section %d\n", k + 1);
        for (int i = 0; i < 160; i++) {
            const double a = 2 * M_PI * i / 160, x = 0.5 * chord * (1 - cos(a));
            fprintf(f, "%.9g %.9g %.9g\n", x, r, 1.2 * x + 0.006 * sin(a) / r);
        }
    }
    assert_int_equal(fclose(f), 0);
}

static void mesh_of(struct mesh *m, const char *name, const char *more)
{
    char path[1000];
    put_row(more);
    if (command("mesh_row %s/row.yaml -o %s/%s", folder, folder, name))
        fail_msg("%s", printed());
    snprintf(path, sizeof path, "%s/%s", folder, name);
    mesh_open(m, path);
    m->turn = 2 * M_PI / BLADES;
}

static double grown(double radius, double h)
{
    if (h > radius)
        return 0;
    if (h < radius * (1 - sqrt(0.5)))
        return 2 * radius * (1 - sqrt(0.5)) - h;
    return radius - sqrt(radius * radius - (radius - h) * (radius - h));
}

static double angle_of(const struct zone *z, size_t i)
{
    return atan2(z->x[2][i], z->x[1][i]);
}

// Size of the section on layer k, m^2, and the way round it.
static double area(const struct zone *z, cgsize_t k, double *round)
{
    double sum = 0;
    *round = 0;
    for (cgsize_t i = 0; i < z->n[0] - 1; i++) {
        const size_t a = at(z, (cgsize_t[]){i, 0, k}), b = at(z, (cgsize_t[]){i + 1, 0, k});
        const double r = hypot(z->x[1][a], z->x[2][a]), ya = r * angle_of(z, a),
                     yb = r * angle_of(z, b), xa = z->x[0][a], xb = z->x[0][b];
        sum += 0.5 * (xa * yb - xb * ya);
        *round += hypot(xb - xa, yb - ya);
    }
    return fabs(sum);
}

static void test_shape(void **state)
{
    (void)state;
    struct mesh plain, m;
    put_blade();
    mesh_of(&plain, "plain.cgns", "shift: 0.5");
    mesh_of(&m, "m.cgns", "shift: 0.5\nfillet: {hub: 4e-3, casing: 2.5e-3}");
    const char *said = strstr(printed(), "smallest angle       ");
    assert_non_null(said);
    assert_true(atof(said + 21) > 25);
    assert_non_null(strstr(printed(), "fillet               at the hub: radius 0.004 m"));
    const struct zone *a = &plain.z[zone_named(&plain, "blade_o")],
                      *b = &m.z[zone_named(&m, "blade_o")];
    int moved = 0;
    for (int d = 0; d < 3; d++)
        assert_int_equal(a->n[d], b->n[d]);
    for (cgsize_t k = 0; k < a->n[2]; k++)
        for (cgsize_t i = 0; i < a->n[0]; i++) {
            const size_t j = at(a, (cgsize_t[]){i, 0, k}),
                         o = at(a, (cgsize_t[]){i, a->n[1] - 1, k});
            const double r = hypot(a->x[1][j], a->x[2][j]),
                         wanted = fmax(grown(4e-3, r - hub), grown(2.5e-3, casing - r)),
                         by = hypot(b->x[0][j] - a->x[0][j], r * (angle_of(b, j) - angle_of(a, j)));
            if (!(fabs(by - wanted) < 1e-7))
                fail_msg("node %d of layer %d, r = %g, moved by %g, not by %g", (int)i, (int)k, r,
                         by, wanted);
            moved += by > 1e-4;
            for (int d = 0; d < 3; d++)
                assert_true(fabs(b->x[d][o] - a->x[d][o]) < 1e-12);
        }
    assert_true(moved > 5 * a->n[0]);
    double round, unused;
    const double was = area(a, 0, &round), is = area(b, 0, &unused);
    assert_true(fabs((is - was) / (round * grown(4e-3, 0)) - 1) < 0.05);
    check_links(&m, 1e-10);
    mesh_close(&plain);
    mesh_close(&m);
}

static void refused(const char *more, const char *message)
{
    put_row(more);
    row_refused(more, message);
}

static void test_bad(void **state)
{
    (void)state;
    put_blade();
    refused("tip_gap: 1e-3\nfillet: {casing: 2e-3}",
            "'fillet: {casing: 0.002}': the blade has a gap there ('tip_gap')");
    refused("fillet: {hub: 0.03}", "is larger than a quarter of the way between the blades there");
    refused("shift: 0.5\nfillet: {hub: 0.02}", "of the thickness of the cells round the blade");
    refused("fillet: 2e-3", "'fillet' needs radii: {hub: 2e-3, casing: 2e-3}");
    refused("fillet: {tip: 2e-3}", "'fillet' has no key 'tip': hub, casing");
    refused("fillet: {hub: -1e-3}", "'fillet: hub' is -1e-3, must be from 0 to 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shape), cmocka_unit_test(test_bad)};
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
