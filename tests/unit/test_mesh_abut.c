/* Abutting connections of mesh files: what the reader makes of ranges and lists, of vertices and centres,
 * of one face against several donors, of periodic motions; what it refuses; which faces meet which. */
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
#include "solver/boundary/abut_faces.h"

#define FOLDER "test_mesh_abut"
#include "tests/support/folder.h"

static char path[1100];
static const double pi = 3.14159265358979323846;

static void ok(int status)
{
    if (status != CG_OK)
        fail_msg("%s", cg_get_error());
}

/* A box of cells from lo to hi; angle > 0: y is the radius, and z the part of that angle about x. */
struct zone {
    const char *name;
    int n[3];
    double lo[3], hi[3];
    const char *open; /* faces without a wall, as "i+ j-" */
    double angle;
};

static int write_zone(int fn, const struct zone *z)
{
    static const char *const axis[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    const cgsize_t v[3] = {z->n[0] + 1, z->n[1] + 1, z->n[2] + 1};
    const cgsize_t size[9] = {v[0], v[1], v[2], z->n[0], z->n[1], z->n[2], 0, 0, 0};
    double x[3][512];
    int zone, id;
    for (int at = 0; at < v[0] * v[1] * v[2]; at++) {
        const int c[3] = {at % (int)v[0], at / (int)v[0] % (int)v[1], at / (int)(v[0] * v[1])};
        for (int d = 0; d < 3; d++)
            x[d][at] = z->lo[d] + (z->hi[d] - z->lo[d]) * c[d] / z->n[d];
        if (z->angle > 0) {
            const double r = x[1][at], theta = z->angle * x[2][at];
            x[1][at] = r * cos(theta);
            x[2][at] = r * sin(theta);
        }
    }
    ok(cg_zone_write(fn, 1, z->name, size, Structured, &zone));
    for (int d = 0; d < 3; d++)
        ok(cg_coord_write(fn, 1, zone, RealDouble, axis[d], x[d], &id));
    for (int face = 0; face < 6; face++) {
        cgsize_t range[6] = {1, 1, 1, v[0], v[1], v[2]};
        char text[8] = {"ijk"[face / 2], "-+"[face % 2], '\0'};
        if (strstr(z->open, text))
            continue;
        range[face / 2] = range[3 + face / 2] = face % 2 ? v[face / 2] : 1;
        ok(cg_boco_write(fn, 1, zone, text, BCWallInviscid, PointRange, 2, range, &id));
    }
    return zone;
}

static int connect(int fn, int zone, const char *name, GridLocation_t location,
                   GridConnectivityType_t type, PointSetType_t set, cgsize_t n,
                   const cgsize_t *points, const char *donor)
{
    int id;
    ok(cg_conn_write_short(fn, 1, zone, name, location, type, set, n, points, donor, &id));
    return id;
}

/* Zone a on the left, b below and c above on the right. */
static const struct zone left = {"a", {2, 6, 3}, {0, 0, 0}, {1, 1, 1}, "i+", 0},
                         below = {"b", {2, 2, 2}, {1, 0, 0}, {2, 0.5, 1}, "i- j+", 0},
                         above = {"c", {2, 4, 2}, {1, 0.5, 0}, {2, 1, 1}, "i- j-", 0};

enum fault { NO_FAULT, NO_DONOR, NO_WAY_BACK, OVERSET, OUTSIDE, NO_FACE, SHORT, DOUBLED };
enum form { RANGE, FACE_RANGE, VERTEX_LIST, FACE_LIST, ONE_DONOR, NFORM };

/* Writes all of a's face i+, as form says, to donors b and c. */
static void write_left(int fn, int a, enum form form, enum fault fault)
{
    const cgsize_t whole[6] = {3, 1, 1, 3, 7, 4}, faces[6] = {3, 1, 1, 3, 6, 3};
    const cgsize_t wrong[6] = {3, 1, 1, 3, 9, 4};
    const GridConnectivityType_t type = fault == OVERSET ? Overset : Abutting;
    cgsize_t list[3 * 28];
    for (int donor = 0; donor < (form == ONE_DONOR ? 1 : 2); donor++) {
        const char *name = donor ? "right2" : "right", *to = donor ? "c" : "b";
        int n = 0;
        if (fault == NO_DONOR && donor)
            to = "nowhere";
        if (form == RANGE || form == ONE_DONOR) {
            connect(fn, a, name, Vertex, type, PointRange, 2, fault == OUTSIDE ? wrong : whole, to);
            continue;
        }
        if (form == FACE_RANGE) {
            connect(fn, a, name, IFaceCenter, type, PointRange, 2, faces, to);
            continue;
        }
        const int vertices = form == VERTEX_LIST; /* one list for each donor */
        for (int k = 1; k <= 3 + vertices; k++)
            for (int j = donor ? 4 : 1; j <= (donor ? 6 : 3) + vertices; j++, n++) {
                const cgsize_t point[3] = {3, j, k};
                memcpy(list + 3 * n, point, sizeof point);
            }
        connect(fn, a, name, vertices ? Vertex : FaceCenter, type, PointList,
                fault == NO_FACE ? 2 : n, list, to);
    }
}

static void write_file(enum form form, enum fault fault)
{
    const cgsize_t small[6] = {1, 1, 1, 1, 3, 3}, large[6] = {1, 1, 1, 1, 5, 3};
    const cgsize_t top[6] = {1, 3, 1, 3, 3, 3}, bottom[6] = {1, 1, 1, 3, 1, 3};
    const int transform[3] = {1, 2, 3};
    struct zone b = below, c = above;
    int fn, base, id;
    if (fault == SHORT)
        c.hi[2] = 0.8;
    if (fault == SHORT)
        b.hi[2] = 0.8;
    if (fault == DOUBLED)
        c.lo[1] = 0.3;
    if (fault == DOUBLED)
        c.open = "i-";
    if (fault == DOUBLED)
        b.open = "i-";
    ok(cg_open(path, CG_MODE_WRITE, &fn));
    ok(cg_base_write(fn, "Base", 3, 3, &base));
    const int a = write_zone(fn, &left), zb = write_zone(fn, &b), zc = write_zone(fn, &c);
    write_left(fn, a, form, fault);
    if (fault != NO_WAY_BACK) {
        connect(fn, zb, "left", Vertex, Abutting, PointRange, 2, small, "a");
        connect(fn, zc, "left", Vertex, Abutting, PointRange, 2, large, "a");
    }
    if (fault != DOUBLED) {
        ok(cg_1to1_write(fn, 1, zb, "up", "c", top, bottom, transform, &id));
        ok(cg_1to1_write(fn, 1, zc, "down", "b", bottom, top, transform, &id));
    }
    ok(cg_close(fn));
}

/* Opens the file; faults: how many errors there are. */
static void open_file(struct an_mesh *m, struct an_diag *diag)
{
    an_diag_init(diag);
    an_mesh_open(path, m, diag);
}

static void close_file(struct an_mesh *m, struct an_diag *diag)
{
    an_mesh_close(m);
    an_diag_free(diag);
}

static int says(const struct an_diag *diag, const char *text)
{
    for (int l = 0; l < diag->nline; l++)
        if (strstr(diag->line[l], text))
            return 1;
    return 0;
}

static void test_forms(void **state)
{
    (void)state;
    for (int form = 0; form < NFORM; form++) {
        struct an_mesh m;
        struct an_diag diag;
        struct an_abut_faces f = {0};
        int other[64], patches[2] = {0, 0};
        write_file((enum form)form, NO_FAULT);
        open_file(&m, &diag);
        if (diag.nerror)
            fail_msg("form %d: %s", form, diag.line[0]);
        const struct an_topology *t = &m.topology;
        const int a = an_boundary_find(t, "right"), b = an_boundary_find(t, "left");
        assert_true(a >= 0 && b >= 0);
        assert_int_equal(t->boundary[a].type, AN_BC_ABUTTING);
        assert_string_equal(t->boundary[a].with, "left");
        assert_string_equal(t->boundary[b].with, "right");
        for (int p = 0; p < t->npatch; p++) {
            patches[0] += t->patch[p].boundary == a;
            patches[1] += t->patch[p].boundary == b;
        }
        /* the two lists share no faces: they are two interfaces */
        const int lists = form == VERTEX_LIST || form == FACE_LIST;
        assert_int_equal(an_boundary_find(t, "right2") >= 0, lists);
        assert_int_equal(patches[0], 1);
        assert_int_equal(patches[1], lists ? 1 : 2);
        for (int n = 0; n < t->nboundary; n++)
            other[n] = t->boundary[n].type == AN_BC_ABUTTING
                           ? an_boundary_find(t, t->boundary[n].with)
                           : -1;
        assert_int_equal(an_abut_faces_new(&m, other, &f), AN_OK);
        assert_int_equal(an_abut_faces_check(&m, &f), AN_OK);
        assert_int_equal(f.match.nface, 18 + 4 + 8);
        /* 3 to 2 faces along z: 4 parts; along y 6 parts, cut at 1/4, 5/8, 3/4 and 7/8, too */
        assert_int_equal(f.match.nfacet, 4 * 10);
        assert_int_equal(f.match.nside, lists ? 4 : 2);
        for (int s = 0; s < f.match.nside; s++) {
            assert_true(fabs(f.match.report[s].area - (lists ? 0.5 : 1)) < 1e-12);
            assert_true(f.match.report[s].gap < 1e-12 && f.match.report[s].open < 1e-12);
        }
        for (int i = 0; i < f.match.nface; i++) { /* facets close every face */
            double sum[4] = {0};
            for (int n = 0; n < f.match.nfacet; n++)
                for (int c = 0; c < 4; c++)
                    sum[c] += (f.match.facet[n].face[0] == i) * f.match.facet[n].area[c] -
                              (f.match.facet[n].face[1] == i) * f.match.facet[n].area[c];
            for (int c = 0; c < 4; c++)
                assert_true(fabs(sum[c] - f.match.face[i].area[c]) < 1e-15);
        }
        an_abut_faces_free(&f);
        close_file(&m, &diag);
    }
}

static void test_refused(void **state)
{
    (void)state;
    static const struct {
        enum form form;
        enum fault fault;
        const char *text;
    } wanted[] = {
        {RANGE, NO_DONOR, "error: the donor zone 'nowhere' does not exist"},
        {RANGE, NO_WAY_BACK, "'right': error: the donor zone 'b' has no abutting connection back"},
        {RANGE, OVERSET, "'right': error: is an overset connection, which cannot be used"},
        {RANGE, OUTSIDE, "to [3,9,4] at Vertex lies outside the zone of 3 x 7 x 4 vertices"},
        {VERTEX_LIST, NO_FACE, "no face of the zone has all its four vertices in the PointList"},
    };
    for (size_t n = 0; n < sizeof wanted / sizeof *wanted; n++) {
        struct an_mesh m;
        struct an_diag diag;
        write_file(wanted[n].form, wanted[n].fault);
        open_file(&m, &diag);
        if (!says(&diag, wanted[n].text))
            fail_msg("not said: %s; but: %s", wanted[n].text, diag.nline ? diag.line[0] : "");
        close_file(&m, &diag);
    }
}

/* What `annulus info` says of gaps and overlaps. */
static void test_gaps(void **state)
{
    (void)state;
    static const char *const wanted[2] = {
        "boundary 'right' does not fit onto 'left': 0.2 m2 of its 1 m2 (20 %) lie on no face",
        "lie on more than one face of the other side"};
    for (int n = 0; n < 2; n++) {
        struct an_mesh m;
        struct an_diag diag;
        char *text = NULL;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        write_file(RANGE, n ? DOUBLED : SHORT);
        open_file(&m, &diag);
        assert_int_equal(diag.nerror, 0);
        assert_int_equal(an_abut_info(&m, out), AN_INPUT);
        if (!strstr(an_error_text(), wanted[n]))
            fail_msg("not said: %s; but: %s", wanted[n], an_error_text());
        fclose(out);
        assert_non_null(strstr(text, "right on left: 18 faces"));
        free(text);
        close_file(&m, &diag);
    }
}

/* A sector whose two periodic sides are of two zones with other cells. */
static void write_sector(double degrees, double written, int radians)
{
    const double angle = degrees * pi / 180;
    const struct zone lower = {"a", {4, 3, 2}, {0, 0.5, 0}, {1, 0.7, 0.5}, "k- k+", angle},
                      upper = {"b", {6, 2, 2}, {0, 0.5, 0.5}, {1, 0.7, 1}, "k- k+", angle};
    const float centre[3] = {0, 0, 0}, none[3] = {0, 0, 0};
    const float way = (float)(radians ? written * pi / 180 : written);
    const float there[3] = {way, 0, 0}, back[3] = {-way, 0, 0};
    const cgsize_t a0[6] = {1, 1, 1, 5, 4, 1}, a1[6] = {1, 1, 3, 5, 4, 3};
    const cgsize_t b0[6] = {1, 1, 1, 7, 3, 1}, b1[6] = {1, 1, 3, 7, 3, 3};
    int fn, base;
    ok(cg_open(path, CG_MODE_WRITE, &fn));
    ok(cg_base_write(fn, "Base", 3, 3, &base));
    if (radians) {
        ok(cg_goto(fn, base, "end"));
        ok(cg_units_write(Kilogram, Meter, Second, Kelvin, Radian));
    }
    const int a = write_zone(fn, &lower), b = write_zone(fn, &upper);
    connect(fn, a, "middle", Vertex, Abutting, PointRange, 2, a1, "b");
    connect(fn, b, "middle", Vertex, Abutting, PointRange, 2, b0, "a");
    const int p = connect(fn, a, "per", Vertex, Abutting, PointRange, 2, a0, "b");
    const int q = connect(fn, b, "per", Vertex, Abutting, PointRange, 2, b1, "a");
    ok(cg_conn_periodic_write(fn, 1, a, p, centre, there, none));
    ok(cg_conn_periodic_write(fn, 1, b, q, centre, back, none));
    ok(cg_close(fn));
}

static void test_periodic(void **state)
{
    (void)state;
    for (int radians = 0; radians < 2; radians++) {
        struct an_mesh m;
        struct an_diag diag;
        write_sector(20, 20, radians);
        open_file(&m, &diag);
        if (diag.nerror)
            fail_msg("%s", diag.line[0]);
        const struct an_topology *t = &m.topology;
        const int p = an_boundary_find(t, "per"), q = an_boundary_find(t, "per:2");
        assert_true(p >= 0 && q >= 0);
        assert_string_equal(t->boundary[p].with, "per:2");
        assert_int_equal(t->boundary[p].periodic, 2);
        assert_true(fabs(t->boundary[p].rotation[7] + sin(pi / 9)) < 1e-15);
        assert_true(fabs(t->boundary[q].rotation[7] - sin(pi / 9)) < 1e-15);
        FILE *null = fopen("/dev/null", "w");
        assert_int_equal(an_abut_info(&m, null), AN_OK);
        fclose(null);
        close_file(&m, &diag);
    }
    struct an_mesh m;
    struct an_diag diag;
    write_sector(20, 24, 1);
    open_file(&m, &diag);
    if (!says(&diag,
              "'per': error: the periodic angle of the file leaves the middles of the two") ||
        !says(&diag, "20 degrees further about the x axis"))
        fail_msg("%s", diag.nline ? diag.line[0] : "nothing said");
    close_file(&m, &diag);
}

/* One zone without connections, whose sides a case file joins. */
static void open_zone(struct an_mesh *m, struct an_diag *diag, double angle)
{
    const struct zone one = {"a", {2, 2, 2}, {0, 1, 0}, {1, 2, 1}, "", angle};
    int fn, base;
    ok(cg_open(path, CG_MODE_WRITE, &fn));
    ok(cg_base_write(fn, "Base", 3, 3, &base));
    write_zone(fn, &one);
    ok(cg_close(fn));
    open_file(m, diag);
    if (diag->nerror)
        fail_msg("%s", diag->line[0]);
}

/* Joins two sides and asks whether their faces meet. */
static int join(struct an_mesh *m, struct an_diag *diag, const char *first, const char *second)
{
    const int a = an_boundary_find(&m->topology, first), b = an_boundary_find(&m->topology, second);
    assert_true(a >= 0 && b >= 0);
    assert_int_equal(an_mesh_join_sides(m, a, b, "case.yaml:7", diag), AN_OK);
    assert_int_equal(m->topology.boundary[a].type, AN_BC_ABUTTING);
    assert_string_equal(m->topology.boundary[a].with, second);
    assert_string_equal(m->topology.boundary[b].with, first);
    FILE *null = fopen("/dev/null", "w");
    const int status = an_abut_info(m, null);
    fclose(null);
    return status;
}

static void test_joined_by_the_case(void **state)
{
    (void)state;
    struct an_mesh m;
    struct an_diag diag;
    open_zone(&m, &diag, 0); /* a box: sides of k lie 1 m apart */
    assert_int_equal(join(&m, &diag, "k-", "k+"), AN_OK);
    const struct an_boundary *k = &m.topology.boundary[an_boundary_find(&m.topology, "k-")];
    assert_int_equal(k->periodic, 1);
    assert_true(k->translation[2] == -1 && k->translation[0] == 0 && k->translation[1] == 0);
    assert_int_equal(join(&m, &diag, "j+", "i+"), AN_INPUT); /* no motion takes one to the other */
    close_file(&m, &diag);

    open_zone(&m, &diag, pi / 9); /* a sector */
    assert_int_equal(join(&m, &diag, "k+", "k-"), AN_OK);
    k = &m.topology.boundary[an_boundary_find(&m.topology, "k+")];
    assert_int_equal(k->periodic, 2);
    assert_true(fabs(k->rotation[7] - sin(pi / 9)) < 1e-12);
    assert_int_equal(diag.nerror, 0);
    close_file(&m, &diag);

    open_zone(&m, &diag, pi); /* half an annulus: a shift by -3 m, too */
    join(&m, &diag, "k+", "k-");
    if (!says(&diag, "case.yaml:7: error: the sides 'k+' and 'k-' are half a turn about the x"))
        fail_msg("%s", diag.nline ? diag.line[0] : "nothing said");
    close_file(&m, &diag);
}

static int make_folder(void **state)
{
    const int status = folder_make(state);
    snprintf(path, sizeof path, "%s/abut.cgns", folder);
    return status;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_periodic),
        cmocka_unit_test(test_joined_by_the_case),
    };
    return cmocka_run_group_tests(tests, make_folder, folder_remove);
}
