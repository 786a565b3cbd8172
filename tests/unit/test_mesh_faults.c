/* Meshes that are wrong on purpose: each is refused, or repaired with a warning, in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cgns_io.h>

#include "io/mesh.h"
#include "tests/support/mesh_writer.h"

static char path[64];

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "test_mesh_faults_%d.cgns", (int)getpid());
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

/* Opens a file; one of the messages must contain every fragment, and the status must fit. */
static void expect_file(const char *file, int status, const char *fragment)
{
    struct an_mesh m;
    struct an_diag diag;
    an_diag_init(&diag);
    int found = *fragment == '\0', got = an_mesh_open(file, &m, &diag);
    for (int n = 0; n < diag.nline; n++) {
        found |= strstr(diag.line[n], fragment) != NULL;
        assert_non_null(strstr(diag.line[n], file));
    }
    if (!found || got != status) {
        for (int n = 0; n < diag.nline; n++)
            print_message("%s\n", diag.line[n]);
        fail_msg("status %d, wanted %d with: %s", got, status, fragment);
    }
    FILE *out = tmpfile(); /* info works on what could be read */
    assert_non_null(out);
    an_mesh_info(&m, out);
    fclose(out);
    an_mesh_close(&m);
    an_diag_free(&diag);
}

static void expect(const struct meshw_spec *s, int status, const char *fragment)
{
    if (meshw_write(path, s) != AN_OK)
        fail_msg("%s", an_error_text());
    expect_file(path, status, fragment);
}

/* One fault of an interface; *ctx says which. */
static int spoil_interface(struct meshw_interface *c, void *ctx)
{
    if (c->zone != 0)
        return 0;
    switch (*(int *)ctx) {
    case 0:
        strcpy(c->donor_name, "nowhere");
        break;
    case 1:
        c->range[0] = c->range[3] = 2;
        break;
    case 2:
        c->transform[0] = -c->transform[0];
        break;
    case 3:
        return 1;
    case 4: /* upside down: fits, but not the nodes */
        for (int a = 1; a < 3; a++) {
            cgsize_t swap = c->donor_range[a];
            c->donor_range[a] = c->donor_range[3 + a];
            c->donor_range[3 + a] = swap;
            c->transform[a] = -c->transform[a];
        }
        break;
    default: /* j reversed alone */
        c->donor_range[1] = 4;
        c->donor_range[4] = 1;
        c->transform[1] = -2;
        break;
    }
    return 0;
}

static void test_interfaces(void **state)
{
    (void)state;
    static const struct {
        int status;
        const char *fragment;
    } wanted[] = {
        {AN_INPUT, "zone 'zone_000', 'join_00000': error: the donor zone 'nowhere' does not exist"},
        {AN_INPUT, "the range [2,1,1] to [2,4,6] is no part of a face of zone 'zone_000'"},
        {AN_OK, "has the wrong sign across the face; it was reversed"},
        {AN_OK, "stands on one side only; the way back from zone 'zone_000' was added"},
        {AN_INPUT, "the nodes of zone 'zone_000' lie up to 1.41 m from their donors in zone"},
        {AN_INPUT, "zone 'zone_000' face imax: error: interface 'join_00000' mirrors the index"},
    };
    for (int n = 0; n < (int)(sizeof wanted / sizeof *wanted); n++) {
        struct meshw_spec s = {.zones = {2, 1, 1},
                               .cells = {3, 3, 5},
                               .on_interface = spoil_interface,
                               .hook_ctx = &n};
        expect(&s, wanted[n].status, wanted[n].fragment);
    }
}

/* What the library would not write: a range of the first interface, put into the file itself. */
static void rewrite(const char *node, const int values[6])
{
    char name[128];
    int fn, io;
    double root, id;
    snprintf(name, sizeof name, "/Base/zone_000/ZoneGridConnectivity/join_00000/%s", node);
    assert_int_equal(cg_open(path, CG_MODE_MODIFY, &fn), CG_OK);
    assert_int_equal(cg_get_cgio(fn, &io), CG_OK);
    assert_int_equal(cg_root_id(fn, &root), CG_OK);
    assert_int_equal(cgio_get_node_id(io, root, name, &id), 0);
    assert_int_equal(cgio_write_all_data(io, id, values), 0);
    assert_int_equal(cg_close(fn), CG_OK);
}

static void test_ranges(void **state)
{
    (void)state;
    const int large = 2147483647;
    const struct {
        const char *node;
        int values[6];
        const char *fragment;
    } wanted[] = {
        {"PointRange",
         {4, 1, 1, 4, 7, 6},
         "[4,1,1] to [4,7,6] lies outside zone 'zone_000' of 4 x 4"},
        {"PointRange", {4, 1, 1, 4, 4, large}, "lies outside zone 'zone_000'"},
        {"PointRange", {-large - 1, 1, 1, 4, 4, 6}, "lies outside zone 'zone_000'"},
        {"PointRangeDonor", {1, 1, 0, 1, 4, 6}, "the donor range [1,1,0] to [1,4,6] lies outside"},
        {"PointRangeDonor", {1, 1, 1, 1, 3, 6}, "do not fit: 3 cells in direction j here, 2 in"},
        {"Transform", {1, 1, 3}, "the transform [1,1,3] is not a permutation"},
        {"Transform", {-large - 1, 2, 3}, "the transform [-2147483648,2,3] is not"},
    };
    for (int adf = 0; adf < 2; adf++)
        for (size_t n = 0; n < sizeof wanted / sizeof *wanted; n++) {
            struct meshw_spec s = {.zones = {2, 1, 1}, .cells = {3, 3, 5}, .adf = adf};
            if (meshw_write(path, &s) != AN_OK)
                fail_msg("%s", an_error_text());
            rewrite(wanted[n].node, wanted[n].values);
            expect_file(path, AN_INPUT, wanted[n].fragment);
        }
}

static int spoil_periodic(struct meshw_interface *c, void *ctx)
{
    if (c->periodic == MESHW_OPEN)
        return 0;
    switch (*(int *)ctx) {
    case 0:
        c->angle[1] = c->angle[0];
        break;
    case 1:
        c->center[1] = 1.f;
        break;
    case 2:
        c->angle[0] *= 1.01f;
        break;
    case 3:
        c->periodic = MESHW_OPEN;
        break;
    default:
        c->angle[0] = -c->angle[0];
        break;
    }
    return 0;
}

static void test_periodic(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "only rotation about the x axis can be used", "only rotation about the x axis can be used",
        "after the periodic motion", "from their donors", "wrong sign"};
    struct meshw_sector sector = {1., 1., 2., acos(-1.) / 15.};
    for (int n = 0; n < 5; n++) {
        struct meshw_spec s = {.map = meshw_map_sector,
                               .ctx = &sector,
                               .angle = sector.angle,
                               .join = {MESHW_OPEN, MESHW_OPEN, MESHW_ROTATION},
                               .on_interface = spoil_periodic,
                               .hook_ctx = &n};
        expect(&s, n == 4 ? AN_OK : AN_INPUT, wanted[n]);
    }
}

static int spoil_boco(struct meshw_boco *b, void *ctx)
{
    if (strcmp(b->name, "jmax") != 0)
        return 0;
    switch (*(int *)ctx) {
    case 0:
        return 1;
    case 1:
        b->range[3] = 7;
        break;
    case 2:
        b->range[0] = 2;
        break;
    case 3: /* reversed */
        b->range[0] = 5;
        b->range[3] = 1;
        break;
    case 4:
        b->range[1] = b->range[4] = 3;
        break;
    case 5:
        b->range[3] = b->range[0];
        break;
    case 6:
        b->type = CGNS_ENUMV(BCDegenerateLine);
        break;
    case 8:
        b->dataset = 1;
        break;
    default:
        b->range[1] = 1;
        break;
    }
    return 0;
}

static void test_bocos(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "zone 'zone_000' face jmax: error: 16 of 16 cells have no boundary condition",
        "'jmax': error: the range [1,5,1] to [7,5,5] lies outside the zone; the zone has 5 x 5 x 5",
        "face jmax: error: 4 of 16 cells have no boundary condition or interface, first at cell "
        "(i=0, k=0)",
        NULL,
        "is a plane inside the zone",
        "'jmax': warning: left out: the range is an edge",
        "BCDegenerateLine on face jmax, which has an area",
        "is a volume",
        "'jmax': warning: its BCDataSet is not read"};
    for (int n = 0; n < 9; n++) {
        struct meshw_spec s = {.on_boco = spoil_boco, .hook_ctx = &n};
        if (wanted[n])
            expect(&s, n == 8 ? AN_OK : AN_INPUT, wanted[n]);
        else
            expect(&s, AN_OK, "");
    }
}

static void left_handed(const double s[3], double x[3], const void *ctx)
{
    (void)ctx;
    x[0] = s[1];
    x[1] = s[0];
    x[2] = s[2];
}

static void not_a_number(const double s[3], double x[3], const void *ctx)
{
    (void)ctx;
    for (int a = 0; a < 3; a++)
        x[a] = s[0] == 1. ? NAN : s[a];
}

static void folded(const double s[3], double x[3], const void *ctx)
{
    (void)ctx;
    x[0] = s[0] - (s[0] == 1. ? .5 : 0.);
    x[1] = s[1];
    x[2] = s[2];
}

static void test_coordinates(void **state)
{
    (void)state;
    struct meshw_spec s = {.map = left_handed};
    expect(&s, AN_OK,
           "zone 'zone_000': warning: its indices are left-handed: its direction k is reversed");
    s.map = not_a_number;
    expect(&s, AN_INPUT, "CoordinateX is not finite");
    s.map = folded;
    expect(&s, AN_INPUT, "cell (3,0,0), counted from 0, has a negative volume");
    struct meshw_sector axis = {1., 0., 2., acos(-1.) / 2.};
    struct meshw_spec collapsed = {.map = meshw_map_sector, .ctx = &axis};
    collapsed.side[MESHW_JMIN].bc.type = CGNS_ENUMV(BCDegenerateLine);
    if (meshw_write(path, &collapsed) != AN_OK)
        fail_msg("%s", an_error_text());
    struct an_mesh m;
    struct an_diag diag;
    an_diag_init(&diag);
    assert_int_equal(an_mesh_open(path, &m, &diag), AN_OK);
    assert_int_equal(m.topology.nboundary, 6);
    an_mesh_close(&m);
    an_diag_free(&diag);
}

/* The middle of a box of 4 x 4 x 4 cells, turned over; its corners are good. */
static void folded_inside(const double s[3], double x[3], const void *ctx)
{
    (void)ctx;
    x[0] = s[0] - (s[0] > .7 && s[0] < .8 ? .4 : 0.);
    x[1] = s[1];
    x[2] = s[2];
}

/* One node anywhere on the interface between two zones, moved apart by half of what rounding explains
 * and by twice as much: 1e-5 of the interface's size and 4e-7 of the largest coordinate. */
static void test_one_node(void **state)
{
    (void)state;
    struct meshw_spec inside = {.map = folded_inside};
    expect(&inside, AN_INPUT, "cell (2,2,2), counted from 0, has a negative volume");
    const double allowed = 1e-5 * sqrt(2.) + 4e-7;
    static const int node[3][2] = {{3, 2}, {1, 1}, {5, 4}};
    for (int n = 0; n < 3; n++)
        for (int far = 0; far < 2; far++) {
            const struct meshw_spec s = {.zones = {2, 1, 1}};
            const cgsize_t at[3] = {1, node[n][0], node[n][1]};
            double y;
            int fn;
            assert_int_equal(meshw_write(path, &s), AN_OK);
            assert_int_equal(cg_open(path, CG_MODE_MODIFY, &fn), CG_OK);
            assert_int_equal(
                cg_coord_read(fn, 1, 2, "CoordinateY", CGNS_ENUMV(RealDouble), at, at, &y), CG_OK);
            y += (far ? 2 : 0.5) * allowed;
            int number;
            assert_int_equal(cg_coord_partial_write(fn, 1, 2, CGNS_ENUMV(RealDouble), "CoordinateY",
                                                    at, at, &y, &number),
                             CG_OK);
            assert_int_equal(cg_close(fn), CG_OK);
            expect_file(path, far ? AN_INPUT : AN_OK, far ? "from their donors in zone" : "");
        }
}

/* A file of a later CGNS version is not called damaged. */
static void test_newer_version(void **state)
{
    (void)state;
    const struct meshw_spec s = {.map = NULL};
    const float later = 9.9F;
    int file;
    double root, node;
    assert_int_equal(meshw_write(path, &s), AN_OK);
    assert_int_equal(cgio_open_file(path, CGIO_MODE_MODIFY, CGIO_FILE_NONE, &file), 0);
    assert_int_equal(cgio_get_root_id(file, &root), 0);
    assert_int_equal(cgio_get_node_id(file, root, "CGNSLibraryVersion", &node), 0);
    assert_int_equal(cgio_write_all_data(file, node, &later), 0);
    assert_int_equal(cgio_close_file(file), 0);
    expect_file(path, AN_INPUT, "was written by a newer CGNS library, of version 9.90");
}

/* Nodes that the writer does not know: changed with the library afterwards. */
static void edit(int what)
{
    int fn, n;
    cgsize_t range[6] = {5, 1, 1, 5, 5, 5}, list[3] = {1, 1, 1}, size[9] = {8, 1, 0};
    assert_int_equal(cg_open(path, CG_MODE_MODIFY, &fn), CG_OK);
    switch (what) {
    case 0:
        assert_int_equal(cg_conn_write(fn, 1, 1, "over", CGNS_ENUMV(Vertex), CGNS_ENUMV(Overset),
                                       CGNS_ENUMV(PointRange), 2, range, "zone_000",
                                       CGNS_ENUMV(Structured), CGNS_ENUMV(PointListDonor),
                                       CGNS_ENUMV(Integer), 1, list, &n),
                         CG_OK);
        break;
    case 1:
    case 2:
        assert_int_equal(cg_conn_write_short(fn, 1, 1, "mix", CGNS_ENUMV(Vertex),
                                             CGNS_ENUMV(Abutting), CGNS_ENUMV(PointRange), 2, range,
                                             "zone_000", &n),
                         CG_OK);
        if (what == 2)
            assert_int_equal(cg_conn_average_write(fn, 1, 1, n, CGNS_ENUMV(AverageCircumferential)),
                             CG_OK);
        break;
    case 3:
        assert_int_equal(cg_zone_write(fn, 1, "free", size, CGNS_ENUMV(Unstructured), &n), CG_OK);
        break;
    case 4:
        assert_int_equal(
            cg_boco_write(fn, 1, 1, "list", CGNS_ENUMV(BCWall), CGNS_ENUMV(PointList), 1, list, &n),
            CG_OK);
        break;
    case 5:
        assert_int_equal(cg_goto(fn, 1, "Zone_t", 1, "GridCoordinates_t", 1, "end"), CG_OK);
        assert_int_equal(cg_delete_node("CoordinateZ"), CG_OK);
        break;
    case 6:
        assert_int_equal(cg_goto(fn, 1, "Zone_t", 1, "end"), CG_OK);
        assert_int_equal(cg_delete_node("GridCoordinates"), CG_OK);
        assert_int_equal(
            cg_link_write("GridCoordinates", "no_such_file.cgns", "/Base/zone_000/GridCoordinates"),
            CG_OK);
        break;
    default:
        assert_int_equal(cg_base_write(fn, "Second", 3, 3, &n), CG_OK);
        break;
    }
    assert_int_equal(cg_close(fn), CG_OK);
}

static int without_imax(struct meshw_boco *b, void *ctx)
{
    (void)ctx;
    return strcmp(b->name, "imax") == 0;
}

static void test_other_nodes(void **state)
{
    (void)state;
    static const char *const wanted[] = {
        "'over': error: is an overset connection",
        "zone 'zone_000' face imax: error: 16 of 16 cells have more than one boundary condition",
        NULL,
        "zone 'free': error: is unstructured",
        "'list': error: no face of the zone has all its four vertices in the PointList",
        "lacks one of CoordinateX, CoordinateY, CoordinateZ",
        "follows a link to another file that cannot be opened",
        "left out: the bases 'Second', which hold no mesh"};
    for (int adf = 0; adf < 2; adf++)
        for (int n = 0; n < 8; n++) {
            struct meshw_spec s = {.adf = adf, .on_boco = n == 2 ? without_imax : NULL};
            if (meshw_write(path, &s) != AN_OK)
                fail_msg("%s", an_error_text());
            edit(n);
            if (wanted[n]) {
                expect_file(path, n == 7 ? AN_OK : AN_INPUT, wanted[n]);
                continue;
            }
            struct an_mesh m; /* the mixing plane is a boundary */
            struct an_diag diag;
            an_diag_init(&diag);
            assert_int_equal(an_mesh_open(path, &m, &diag), AN_OK);
            int b = an_boundary_find(&m.topology, "mix");
            assert_true(b >= 0);
            assert_int_equal(m.topology.boundary[b].type, AN_BC_NONE);
            an_mesh_close(&m);
            an_diag_free(&diag);
        }
}

static void test_no_mesh(void **state)
{
    (void)state;
    unlink(path);
    expect_file(path, AN_INPUT, ": error: cannot be opened: No such file");
    assert_int_equal(mkdir(path, 0700), 0);
    expect_file(path, AN_INPUT, ": error: cannot be opened: Is a directory");
    rmdir(path);
    assert_int_equal(mkfifo(path, 0600), 0); /* must not wait for a writer */
    expect_file(path, AN_INPUT, "is not a CGNS file");
    unlink(path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    expect_file(path, AN_INPUT, "is not a CGNS file");
    fputs("title: no mesh but a case file\n", f);
    fclose(f);
    expect_file(path, AN_INPUT, "is not a CGNS file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_node),    cmocka_unit_test(test_interfaces),
        cmocka_unit_test(test_ranges),      cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_bocos),       cmocka_unit_test(test_newer_version),
        cmocka_unit_test(test_coordinates), cmocka_unit_test(test_other_nodes),
        cmocka_unit_test(test_no_mesh),
    };
    return cmocka_run_group_tests(tests, make_path, remove_file);
}
