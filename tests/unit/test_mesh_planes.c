/* Mixing planes that files tell of: AverageInterface_t in general connections, with and without a
 * type, and in one-to-one ones; sides of several zones, names used twice, sides that are missing;
 * what io/mesh_write writes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cgnslib.h>

#include "io/mesh.h"
#include "io/mesh_write.h"

#define FOLDER "test_mesh_planes"
#include "tests/support/folder.h"

static char path[1100];

enum form { ABUTTING, NO_TYPE, ONE_TO_ONE, ONE_SIDE, WRONG_DONOR };

static void ok(int status)
{
    if (status != CG_OK)
        fail_msg("%s", cg_get_error());
}

/* Zone of nodes 5 x m x 3 from (x0, y0, 0), all its faces walls but for those named in `open`. */
static int write_box(int fn, const char *name, int m, double x0, double y0, const char *open)
{
    static const char *const axis[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    const cgsize_t n[3] = {5, m, 3};
    const cgsize_t size[9] = {n[0], n[1], n[2], n[0] - 1, n[1] - 1, n[2] - 1, 0, 0, 0};
    double x[3][5 * 9 * 3];
    int zone, id;
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < m; j++)
            for (int i = 0; i < 5; i++) {
                const int at = i + 5 * (j + m * k);
                x[0][at] = x0 + 0.25 * i;
                x[1][at] = y0 + 0.25 * j;
                x[2][at] = 0.25 * k;
            }
    ok(cg_zone_write(fn, 1, name, size, Structured, &zone));
    for (int c = 0; c < 3; c++)
        ok(cg_coord_write(fn, 1, zone, RealDouble, axis[c], x[c], &id));
    for (int face = 0; face < 6; face++) {
        cgsize_t range[6] = {1, 1, 1, n[0], n[1], n[2]};
        char text[8] = {"ijk"[face / 2], "-+"[face % 2], '\0'};
        if (strstr(open, text))
            continue;
        range[face / 2] = range[3 + face / 2] = face % 2 ? n[face / 2] : 1;
        ok(cg_boco_write(fn, 1, zone, text, BCWallInviscid, PointRange, 2, range, &id));
    }
    return zone;
}

/* The face i = min or max of a zone, averaged into `donor`. */
static void write_named(int fn, int zone, const char *name, enum form form, int upper, int m,
                        const char *donor)
{
    const int plane = upper ? 5 : 1;
    cgsize_t range[6] = {plane, 1, 1, plane, m, 3}, there[6] = {upper ? 1 : 5, 1, 1, 1, m, 3};
    const int transform[3] = {1, 2, 3};
    int id;
    there[3] = there[0];
    if (form == ONE_TO_ONE) {
        ok(cg_1to1_write(fn, 1, zone, name, donor, range, there, transform, &id));
        ok(cg_1to1_average_write(fn, 1, zone, id, AverageCircumferential));
        return;
    }
    ok(cg_conn_write_short(fn, 1, zone, name, Vertex,
                           form == NO_TYPE ? GridConnectivityTypeNull : Abutting, PointRange, 2,
                           range, form == WRONG_DONOR ? "nowhere" : donor, &id));
    ok(cg_conn_average_write(fn, 1, zone, id, AverageAll));
}

static void write_plane(int fn, int zone, enum form form, int upper, int m, const char *donor)
{
    write_named(fn, zone, "mix", form, upper, m, donor);
}

/* A row of one zone, and one of two zones joined in j. */
static void write_file(enum form form)
{
    const int transform[3] = {1, 2, 3};
    const cgsize_t top[6] = {1, 5, 1, 5, 5, 3}, bottom[6] = {1, 1, 1, 5, 1, 3};
    int fn, base, id;
    ok(cg_open(path, CG_MODE_WRITE, &fn));
    ok(cg_base_write(fn, "Base", 3, 3, &base));
    const int a = write_box(fn, "a", 9, 0, 0, "i+");
    const int b = write_box(fn, "b1", 5, 1, 0, form == ONE_SIDE ? "j+" : "i- j+");
    const int c = write_box(fn, "b2", 5, 1, 1, form == ONE_SIDE ? "j-" : "i- j-");
    ok(cg_1to1_write(fn, 1, b, "up", "b2", top, bottom, transform, &id));
    ok(cg_1to1_write(fn, 1, c, "down", "b1", bottom, top, transform, &id));
    write_plane(fn, a, form, 1, 9, "b2");
    if (form != ONE_SIDE) {
        write_plane(fn, b, form, 0, 5, "a");
        write_plane(fn, c, form, 0, 5, "a");
    }
    ok(cg_close(fn));
}

static void check_pair(const struct an_topology *t)
{
    const int b = an_boundary_find(t, "mix"), other = an_boundary_find(t, "mix:2");
    int patches[2] = {0, 0};
    assert_true(b >= 0 && other >= 0);
    assert_int_equal(t->boundary[b].type, AN_BC_MIXING_PLANE);
    assert_int_equal(t->boundary[other].type, AN_BC_MIXING_PLANE);
    assert_string_equal(t->boundary[b].with, "mix:2");
    assert_string_equal(t->boundary[other].with, "mix");
    for (int p = 0; p < t->npatch; p++) {
        patches[0] += t->patch[p].boundary == b;
        patches[1] += t->patch[p].boundary == other;
    }
    assert_int_equal(patches[0], 1); /* zone a comes first */
    assert_int_equal(patches[1], 2);
    assert_int_equal(t->ninterface, 2);
}

static int make_folder(void **state)
{
    const int status = folder_make(state);
    snprintf(path, sizeof path, "%s/planes.cgns", folder);
    return status;
}

static void test_forms(void **state)
{
    (void)state;
    for (int form = ABUTTING; form <= ONE_TO_ONE; form++) {
        struct an_mesh m;
        struct an_diag diag;
        write_file((enum form)form);
        an_diag_init(&diag);
        if (an_mesh_open(path, &m, &diag) != AN_OK)
            fail_msg("form %d: %s", form, diag.nline ? diag.line[0] : "?");
        assert_int_equal(diag.nline, 0);
        check_pair(&m.topology);
        an_mesh_close(&m);
        an_diag_free(&diag);
    }
}

static void test_faults(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        [ONE_SIDE] = "zone 'a', 'mix': warning: is one side of a mixing plane to zone 'b2', whose "
                     "row has none back: boundary 'mix' is left to the case file",
        [WRONG_DONOR] = "the donor zone 'nowhere' does not exist"};
    for (int form = ONE_SIDE; form <= WRONG_DONOR; form++) {
        struct an_mesh m;
        struct an_diag diag;
        write_file((enum form)form);
        an_diag_init(&diag);
        assert_int_equal(an_mesh_open(path, &m, &diag), form == ONE_SIDE ? AN_OK : AN_INPUT);
        assert_true(diag.nline > 0);
        if (!strstr(diag.line[0], wanted[form]))
            fail_msg("'%s' instead of '%s'", diag.line[0], wanted[form]);
        if (form == ONE_SIDE)
            assert_int_equal(m.topology.boundary[an_boundary_find(&m.topology, "mix")].type,
                             AN_BC_NONE);
        an_mesh_close(&m);
        an_diag_free(&diag);
    }
}

/* Reads `path` as m and what is written of it as `again`. */
static void write_again(struct an_mesh *m, struct an_mesh *again)
{
    struct an_diag diag;
    int fn;
    an_diag_init(&diag);
    assert_int_equal(an_mesh_open(path, m, &diag), AN_OK);
    char copy[1200];
    snprintf(copy, sizeof copy, "%s.copy", path);
    assert_int_equal(an_mesh_write_new(copy, &fn), AN_OK);
    assert_int_equal(an_mesh_write_families(fn, AN_MESH_GAS, &m->topology), AN_OK);
    for (int z = 0; z < m->topology.nblock; z++) {
        const int *n = m->topology.block[z].n;
        const int lo[3] = {0, 0, 0}, hi[3] = {n[0] + 1, n[1] + 1, n[2] + 1};
        double x[3 * 5 * 9 * 3];
        assert_int_equal(an_mesh_read_nodes(m, z, lo, hi, x), AN_OK);
        assert_int_equal(an_mesh_write_zone(fn, AN_MESH_GAS, &m->topology, z, x), AN_OK);
    }
    assert_int_equal(an_mesh_write_end(copy, fn, AN_OK), AN_OK);
    if (an_mesh_open(copy, again, &diag) != AN_OK)
        fail_msg("%s", diag.nline ? diag.line[0] : "?");
    assert_int_equal(again->topology.npatch, m->topology.npatch);
    assert_int_equal(again->topology.nboundary, m->topology.nboundary);
    an_diag_free(&diag);
}

/* Read, written, read: the same mesh. */
static void test_written(void **state)
{
    (void)state;
    struct an_mesh m, again;
    write_file(ABUTTING);
    write_again(&m, &again);
    check_pair(&again.topology);
    an_mesh_close(&again);
    an_mesh_close(&m);
}

/* Three rows: the zone between has two planes, whose names begin alike and are kept. */
static void test_between(void **state)
{
    (void)state;
    static const char *const name[] = {"a_outlet", "between_the_rows_is_inlet",
                                       "between_the_rows_is_outlet", "c_inlet"};
    struct an_mesh m, again;
    int fn, base;
    ok(cg_open(path, CG_MODE_WRITE, &fn));
    ok(cg_base_write(fn, "Base", 3, 3, &base));
    const int a = write_box(fn, "a", 5, 0, 0, "i+"), b = write_box(fn, "b", 5, 1, 0, "i- i+");
    const int c = write_box(fn, "c", 5, 2, 0, "i-");
    write_named(fn, a, name[0], ABUTTING, 1, 5, "b");
    write_named(fn, b, name[1], ABUTTING, 0, 5, "a");
    write_named(fn, b, name[2], ABUTTING, 1, 5, "c");
    write_named(fn, c, name[3], ABUTTING, 0, 5, "b");
    ok(cg_close(fn));
    write_again(&m, &again);
    for (int n = 0; n < 4; n++) {
        const int side = an_boundary_find(&again.topology, name[n]);
        assert_true(side >= 0);
        assert_string_equal(again.topology.boundary[side].with, name[n ^ 1]);
    }
    an_mesh_close(&again);
    an_mesh_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_written),
        cmocka_unit_test(test_between),
    };
    return cmocka_run_group_tests(tests, make_folder, folder_remove);
}
