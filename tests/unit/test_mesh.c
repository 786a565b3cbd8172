/* Meshes that the test writer wrote come back: nodes, transforms, periodicity, boundaries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/cgns_names.h"
#include "io/mesh.h"
#include "tests/support/mesh_writer.h"

static char path[64];

static int make_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "test_mesh_%d.cgns", (int)getpid());
    return 0;
}

static int remove_file(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

/* Writes the mesh and opens it; `warnings` of them are expected and no error. */
static void round_trip(const struct meshw_spec *spec, struct an_mesh *m, int warnings)
{
    struct an_diag diag;
    if (meshw_write(path, spec) != AN_OK)
        fail_msg("%s", an_error_text());
    an_diag_init(&diag);
    int status = an_mesh_open(path, m, &diag);
    for (int n = 0; n < diag.nline && (diag.nerror > 0 || diag.nwarning != warnings); n++)
        print_message("%s\n", diag.line[n]);
    assert_int_equal(status, AN_OK);
    assert_int_equal(diag.nwarning, warnings);
    an_diag_free(&diag);
}

static int box_cells(const struct meshw_spec *s, int dir)
{
    return (s->zones[dir] ? s->zones[dir] : 1) * (s->flat && dir == 2 ? 1
                                                  : s->cells[dir]     ? s->cells[dir]
                                                                      : 4);
}

static void expected_node(const struct meshw_spec *s, int zone, const int node[3], double x[3])
{
    int n[3], box[3];
    struct an_cellmap cells = meshw_zone_map(s, zone, n), map = an_cellmap_nodes(&cells);
    double at[3];
    an_cellmap_apply(&map, node, box);
    for (int a = 0; a < 3; a++)
        x[a] = at[a] = (double)box[a] / box_cells(s, a);
    if (s->map)
        s->map(at, x, s->ctx);
}

static double *read_zone(const struct an_mesh *m, int zone)
{
    const int *n = m->topology.block[zone].n;
    int64_t nodes;
    double *x;
    assert_int_equal(an_mesh_read_zone(m, zone, &nodes, &x), AN_OK);
    assert_int_equal(nodes, (n[0] + 1) * (n[1] + 1) * (n[2] + 1));
    return x;
}

static void get(const struct an_mesh *m, int zone, const double *x, const int c[3], double at[3])
{
    const int *n = m->topology.block[zone].n;
    for (int a = 0; a < 3; a++) {
        assert_in_range(c[a], 0, n[a]);
        at[a] = x[((a * (n[2] + 1) + c[2]) * (n[1] + 1) + c[1]) * (n[0] + 1) + c[0]];
    }
}

static void check_nodes(const struct meshw_spec *s, const struct an_mesh *m, double scale,
                        double tolerance)
{
    assert_int_equal(m->topology.nblock, (s->zones[0] ? s->zones[0] : 1) *
                                             (s->zones[1] ? s->zones[1] : 1) *
                                             (s->zones[2] ? s->zones[2] : 1));
    for (int z = 0; z < m->topology.nblock; z++) {
        const int *n = m->topology.block[z].n;
        double *x = read_zone(m, z);
        for (int k = 0; k <= n[2]; k++)
            for (int j = 0; j <= n[1]; j++)
                for (int i = 0; i <= n[0]; i++) {
                    int c[3] = {i, j, k};
                    double here[3], wanted[3];
                    get(m, z, x, c, here);
                    expected_node(s, z, c, wanted);
                    for (int a = 0; a < 3; a++)
                        assert_true(fabs(here[a] - scale * wanted[a]) <= tolerance);
                }
        free(x);
    }
}

/* Every node of every interface lies on its donor, brought here. */
static void check_interfaces(const struct an_mesh *m, double tolerance)
{
    for (int f = 0; f < m->topology.ninterface; f++) {
        const struct an_interface *g = &m->topology.interface[f];
        struct an_cellmap map = an_cellmap_nodes(&g->map);
        double *x = read_zone(m, g->window.block), *y = read_zone(m, g->donor);
        int lo[3], hi[3], c[3], d[3], nodes = 0;
        for (int a = 0; a < 3; a++) {
            int plane = g->window.side ? m->topology.block[g->window.block].n[a] : 0;
            lo[a] = a == g->window.dir ? plane : g->window.lo[a];
            hi[a] = a == g->window.dir ? plane : g->window.hi[a];
        }
        for (c[2] = lo[2]; c[2] <= hi[2]; c[2]++)
            for (c[1] = lo[1]; c[1] <= hi[1]; c[1]++)
                for (c[0] = lo[0]; c[0] <= hi[0]; c[0]++, nodes++) {
                    double here[3], there[3];
                    an_cellmap_apply(&map, c, d);
                    get(m, g->window.block, x, c, here);
                    get(m, g->donor, y, d, there);
                    for (int a = 0; a < 3; a++) {
                        double r = here[a] - g->translation[a];
                        for (int b = 0; b < 3; b++)
                            r -= g->rotation[3 * a + b] * there[b];
                        assert_true(fabs(r) <= tolerance);
                    }
                }
        assert_true(nodes >= 4);
        free(x);
        free(y);
    }
}

/* Patches of boundary `name` lie on side `face` of the box and have `cells` faces in all. */
static void check_side(const struct meshw_spec *s, const struct an_mesh *m, const char *name,
                       int face, int cells)
{
    int found = an_boundary_find(&m->topology, name), sum = 0;
    assert_true(found >= 0);
    for (int p = 0; p < m->topology.npatch; p++) {
        const struct an_patch *patch = &m->topology.patch[p];
        const struct an_window *w = &patch->window;
        int n[3], c[3], box[3], area = 1;
        if (patch->boundary != found)
            continue;
        struct an_cellmap map = meshw_zone_map(s, w->block, n);
        for (int a = 0; a < 3; a++) {
            c[a] = a == w->dir ? (w->side ? n[a] - 1 : 0) : w->lo[a];
            area *= a == w->dir ? 1 : w->hi[a] - w->lo[a];
        }
        an_cellmap_apply(&map, c, box);
        assert_int_equal(map.perm[w->dir], face / 2);
        assert_int_equal(box[face / 2], face % 2 ? box_cells(s, face / 2) - 1 : 0);
        sum += area;
    }
    assert_int_equal(sum, cells);
}

static void test_all_transforms(void **state)
{
    (void)state;
    int seen = 0;
    for (int r = 0; r < 24; r++) {
        const int turn[2] = {r * 7 % 24, r};
        struct meshw_box box = {{0, 0, 0}, {1, 2, 3}, .03};
        struct meshw_spec s = {.zones = {2, 1, 1},
                               .cells = {3, 4, 5},
                               .turn = turn,
                               .map = meshw_map_box,
                               .ctx = &box,
                               .adf = r % 2,
                               .face_location = r / 2 % 2,
                               .short_form = r / 4 % 2};
        struct an_mesh m;
        round_trip(&s, &m, 0);
        check_nodes(&s, &m, 1., 0.);
        check_interfaces(&m, 0.);
        check_side(&s, &m, "imin", MESHW_IMIN, 20);
        check_side(&s, &m, "kmax", MESHW_KMAX, 24);
        an_mesh_close(&m);
        int fixed[2] = {0, r};
        s.turn = fixed;
        round_trip(&s, &m, 0);
        const struct an_cellmap *t = &m.topology.interface[0].map;
        seen |= 1 << (8 * t->perm[0] + 4 * (t->perm[1] == (t->perm[0] + 1) % 3) + (t->sign[0] < 0) +
                      2 * (t->sign[1] < 0));
        an_mesh_close(&m);
    }
    assert_int_equal(seen, (1 << 24) - 1);
}

static void test_many_zones(void **state)
{
    (void)state;
    for (int n = 0; n < 2; n++) {
        struct meshw_box box = {{-1, 5, 0}, {1, 2, 3}, .03};
        struct meshw_spec s = {.zones = {3, 2, 2},
                               .cells = {2, 3, 4},
                               .turn_all = 1,
                               .turn_first = 12 * n,
                               .map = meshw_map_box,
                               .ctx = &box,
                               .one_sided = n};
        struct an_mesh m;
        round_trip(&s, &m, n ? 20 : 0); /* a warning for each side that was added */
        assert_int_equal(m.topology.ninterface, 40);
        check_nodes(&s, &m, 1., 0.);
        check_interfaces(&m, 0.);
        check_side(&s, &m, "jmax", MESHW_JMAX, 48);
        an_mesh_close(&m);
    }
}

static void test_translation(void **state)
{
    (void)state;
    struct meshw_box box = {{0, 0, 0}, {1, .1, 3}, .03};
    struct meshw_spec s = {.zones = {1, 2, 2},
                           .cells = {4, 5, 6},
                           .turn_all = 1,
                           .map = meshw_map_box,
                           .ctx = &box,
                           .join = {MESHW_OPEN, MESHW_TRANSLATION, MESHW_TRANSLATION},
                           .shift = {{0}, {0, .1, 0}, {0, 0, 3}}};
    struct an_mesh m;
    round_trip(&s, &m, 0);
    check_interfaces(&m, 1e-13); /* better than the floats of Periodic_t */
    int periodic = 0;
    for (int f = 0; f < m.topology.ninterface; f++)
        periodic += m.topology.interface[f].periodic == 1;
    assert_int_equal(periodic, 8);
    an_mesh_close(&m);
}

static int reverse_angle(struct meshw_interface *c, void *ctx)
{
    (void)ctx;
    c->angle[0] = -c->angle[0];
    return 0;
}

static void test_rotation(void **state)
{
    (void)state;
    const double angle = 2. * acos(-1.) / 37.;
    struct meshw_sector sector = {1., 1., 2., angle};
    for (int n = 0; n < 4; n++) {
        struct meshw_spec s = {.zones = {1, 1, 2},
                               .cells = {4, 5, 6},
                               .turn_all = 1,
                               .turn_first = 5 * n,
                               .map = meshw_map_sector,
                               .ctx = &sector,
                               .join = {MESHW_OPEN, MESHW_OPEN, MESHW_ROTATION},
                               .angle = angle,
                               .degrees = n == 1,
                               .single = n == 2,
                               .on_interface = n == 3 ? reverse_angle : NULL};
        struct an_mesh m;
        round_trip(&s, &m, n == 3 ? 2 : 0);
        check_interfaces(&m, n == 2 ? 1e-6 : 1e-14);
        int periodic = 0;
        for (int f = 0; f < m.topology.ninterface; f++) {
            const struct an_interface *g = &m.topology.interface[f];
            if (g->periodic != 2)
                continue;
            /* Box side kmin looks at the far side: the donor comes here by -angle. */
            int n3[3], c[3] = {0, 0, 0}, box[3];
            struct an_cellmap map = meshw_zone_map(&s, g->window.block, n3);
            c[g->window.dir] = g->window.side ? n3[g->window.dir] - 1 : 0;
            an_cellmap_apply(&map, c, box);
            double turn = box[2] == 0 ? -angle : angle;
            assert_true(fabs(g->rotation[4] - cos(turn)) < 1e-15);
            assert_true(fabs(g->rotation[7] - sin(turn)) < 1e-15);
            periodic++;
        }
        assert_int_equal(periodic, 2);
        an_mesh_close(&m);
    }
}

static void test_self_connections(void **state)
{
    (void)state;
    struct meshw_sector sector = {1., 1., 2., 2. * acos(-1.)};
    struct meshw_spec o = {.cells = {3, 4, 16},
                           .map = meshw_map_sector,
                           .ctx = &sector,
                           .join = {MESHW_OPEN, MESHW_OPEN, MESHW_CLOSED}};
    struct meshw_spec c = {.zones = {4, 1, 1}, .cells = {6, 4, 4}, .map = meshw_map_cmesh};
    struct an_mesh m;
    round_trip(&o, &m, 0);
    assert_int_equal(m.topology.ninterface, 2);
    assert_int_equal(m.topology.interface[0].partner, 1);
    assert_int_equal(m.topology.interface[0].periodic, 0);
    check_interfaces(&m, 1e-14);
    an_mesh_close(&m);
    c.side[MESHW_JMIN].cut = 8;
    for (int n = 0; n < 3; n++) {
        c.turn_all = n > 0;
        if (n == 2) {
            c.zones[0] = 1;
            c.cells[0] = 24; /* the zone meets itself */
        }
        round_trip(&c, &m, 0);
        check_interfaces(&m, 1e-14);
        check_side(&c, &m, "jmin", MESHW_JMIN, 8 * 4);
        an_mesh_close(&m);
    }
}

static void test_boundaries(void **state)
{
    (void)state;
    struct meshw_spec s = {.zones = {2, 2, 1}, .turn_all = 1, .turn_first = 3};
    s.side[MESHW_IMIN].bc = (struct meshw_bc){"in", "inlet", CGNS_ENUMV(BCTunnelInflow)};
    s.side[MESHW_IMAX].bc = (struct meshw_bc){"out", "outlet", CGNS_ENUMV(BCOutflowSubsonic)};
    s.side[MESHW_JMIN].bc = (struct meshw_bc){"plate", "wall", CGNS_ENUMV(BCWallViscous)};
    s.side[MESHW_JMIN].bc2 = (struct meshw_bc){"slip", NULL, CGNS_ENUMV(BCSymmetryPlane)};
    s.side[MESHW_JMIN].along = 0;
    s.side[MESHW_JMIN].split = 3;
    s.side[MESHW_KMAX].bc = (struct meshw_bc){"top", "wall", CGNS_ENUMV(BCWallViscous)};
    s.side[MESHW_KMIN].bc = (struct meshw_bc){"user", NULL, CGNS_ENUMV(BCTypeUserDefined)};
    s.side[MESHW_JMAX].bc = (struct meshw_bc){"slip", NULL, CGNS_ENUMV(BCFarfield)};
    struct an_mesh m;
    round_trip(&s, &m, 1); /* "slip" is two things */
    const struct {
        const char *name;
        enum an_bc_type type;
    } wanted[] = {{"inlet", AN_BC_INLET_TOTAL}, {"outlet", AN_BC_OUTLET_STATIC},
                  {"wall", AN_BC_WALL_VISCOUS}, {"slip", AN_BC_SYMMETRY},
                  {"slip:2", AN_BC_FARFIELD},   {"user", AN_BC_NONE}};
    assert_int_equal(m.topology.nboundary, 6);
    for (size_t n = 0; n < 6; n++) {
        int b = an_boundary_find(&m.topology, wanted[n].name);
        assert_true(b >= 0);
        assert_int_equal(m.topology.boundary[b].type, wanted[n].type);
    }
    check_side(&s, &m, "inlet", MESHW_IMIN, 32);
    check_side(&s, &m, "user", MESHW_KMIN, 64);
    an_mesh_close(&m);
    s.flat = 1; /* two conditions on one face, in 2-D */
    s.turn_all = 0;
    s.side[MESHW_JMAX].bc.name = "jmax";
    round_trip(&s, &m, 1);
    check_side(&s, &m, "slip", MESHW_JMIN, 5);
    an_mesh_close(&m);
}

static void flat_clockwise(const double s[3], double x[3], const void *ctx)
{
    (void)ctx;
    x[0] = 1. - s[0];
    x[1] = s[1];
    x[2] = 0.;
}

static void test_flat(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        struct meshw_spec s = {.zones = {2, 1, 1},
                               .cells = {4, 3, 0},
                               .flat = 1,
                               .face_location = n % 2,
                               .map = n / 2 ? flat_clockwise : NULL};
        struct an_mesh m;
        round_trip(&s, &m, 1);
        assert_int_equal(m.dimension, 2);
        assert_true(m.span == (n / 2 ? -1. : 1.));
        int b = an_boundary_find(&m.topology, "_span_max");
        assert_int_equal(m.topology.boundary[b].type, AN_BC_SYMMETRY);
        check_side(&s, &m, "_span_max", MESHW_KMAX, 24);
        check_interfaces(&m, 0.);
        double x[24];
        const int lo[3] = {1, 1, 0}, hi[3] = {3, 3, 2};
        assert_int_equal(an_mesh_read_nodes(&m, 1, lo, hi, x), AN_OK);
        assert_true(x[16] == 0. && x[20] == m.span && x[0] == x[4] && x[8] == x[12]);
        an_mesh_close(&m);
    }
}

static void test_units_and_reopen(void **state)
{
    (void)state;
    struct meshw_spec s = {.cells = {5, 6, 7}, .unit = CGNS_ENUMV(Millimeter), .single = 1};
    struct an_mesh m, other;
    round_trip(&s, &m, 0);
    assert_true(m.to_metres == 1e-3);
    check_nodes(&s, &m, 1e-3, 1e-10);
    other = m;
    assert_int_equal(an_mesh_reopen(&other), AN_OK);
    const int lo[3] = {2, 3, 4}, hi[3] = {4, 4, 7};
    double x[3 * 6];
    assert_int_equal(an_mesh_read_nodes(&other, 0, lo, hi, x), AN_OK);
    assert_true(fabs(x[1] - 3e-3 / 5) < 1e-10 && fabs(x[6] - 3e-3 / 6) < 1e-10 &&
                fabs(x[17] - 6e-3 / 7) < 1e-10);
    other.topology = (struct an_topology){0};
    other.scale = NULL; /* that of m */
    other.listed = NULL;
    an_mesh_close(&other);
    FILE *out = tmpfile();
    assert_non_null(out);
    an_mesh_info(&m, out);
    assert_true(ftell(out) > 300);
    fclose(out);
    const int fn = m.fn;
    int64_t nodes;
    double *all = x;
    m.fn = -1; /* not open */
    assert_int_equal(an_mesh_read_zone(&m, 0, &nodes, &all), AN_INPUT);
    assert_null(all);
    m.fn = fn;
    an_mesh_close(&m);
}

/* Zones are numbered by their names, in whatever order a file lists them, and the mesh knows this order. */
static void test_order_of_file(void **state)
{
    (void)state;
    for (int n = 0; n < 4; n++) {
        struct meshw_spec s = {
            .zones = {3, 2, 1}, .cells = {2, 3, 4}, .adf = n / 2, .last_first = n % 2};
        struct an_mesh m;
        round_trip(&s, &m, 0);
        check_nodes(&s, &m, 1, 0);
        check_interfaces(&m, 0);
        for (int place = 0; place < 6; place++) {
            char name[AN_NAME];
            const int zone = s.last_first ? 5 - place : place;
            assert_int_equal(an_mesh_listed(&m, place), zone);
            snprintf(name, sizeof name, "zone_%03d", zone);
            assert_string_equal(m.topology.block[zone].name, name);
        }
        an_mesh_close(&m);
    }
}

/* Files of others: read, or refused with a message; never silence. */
static void test_folder(void **state)
{
    (void)state;
    const char *folder = getenv("AN_CGNS_DATA");
    DIR *dir = folder ? opendir(folder) : NULL;
    if (!dir)
        skip();
    for (struct dirent *e = readdir(dir); e; e = readdir(dir)) {
        char file[1024];
        struct an_mesh m;
        struct an_diag diag;
        if (!strstr(e->d_name, ".cgns"))
            continue;
        an_diag_init(&diag);
        snprintf(file, sizeof file, "%.700s/%.255s", folder, e->d_name);
        int status = an_mesh_open(file, &m, &diag);
        print_message("%s: %s%s\n", e->d_name, status == AN_OK ? "read" : "refused, ",
                      status == AN_OK ? "" : diag.line[0]);
        assert_int_equal(status, diag.nerror ? AN_INPUT : AN_OK);
        if (status == AN_OK)
            check_interfaces(&m, 1e-4);
        an_mesh_close(&m);
        an_diag_free(&diag);
    }
    closedir(dir);
}

static void test_types(void **state)
{
    (void)state;
    for (int t = AN_BC_NONE; t < AN_BC_NTYPE; t++) {
        const enum an_bc_type type = (enum an_bc_type)t;
        const int cgns = an_cgns_bc_type(type, -1);
        if (*an_bc_type_cgns(type))
            assert_int_equal(an_cgns_bc_type_from(cgns), type);
        else
            assert_int_equal(cgns, -1);
    }
    assert_int_equal(an_cgns_bc_type(AN_BC_WALL_VISCOUS, -1), CGNS_ENUMV(BCWallViscous));
    assert_int_equal(an_cgns_bc_type_from(CGNS_ENUMV(BCTunnelInflow)), AN_BC_INLET_TOTAL);
    assert_int_equal(an_cgns_bc_type_from(CGNS_ENUMV(BCDegenerateLine)), AN_BC_WALL_SLIP);
    assert_int_equal(an_cgns_bc_type_from(CGNS_ENUMV(BCDirichlet)), AN_BC_NONE);
    assert_int_equal(an_cgns_bc_type_from(1000), AN_BC_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_all_transforms),
        cmocka_unit_test(test_many_zones),
        cmocka_unit_test(test_translation),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_self_connections),
        cmocka_unit_test(test_boundaries),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_units_and_reopen),
        cmocka_unit_test(test_order_of_file),
        cmocka_unit_test(test_folder),
    };
    return cmocka_run_group_tests(tests, make_path, remove_file);
}
