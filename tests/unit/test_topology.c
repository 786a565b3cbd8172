/* Cell maps and the check that blocks fit together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define AN_PRECISION 64
#include "kernels/base/topology.h"
#include "kernels/physics/boundary.h"

static const int axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};

/* Signed permutation number n of 48; an_cellmap_det of 24 of them is +1. */
static struct an_cellmap transform(int n)
{
    struct an_cellmap m = {.shift = {3, -5, 7}};
    for (int a = 0; a < 3; a++) {
        m.perm[a] = axes[n / 8][a];
        m.sign[a] = (n >> a) & 1 ? -1 : 1;
    }
    return m;
}

static int det_by_rule(const struct an_cellmap *m)
{
    int t[3][3] = {{0}};
    for (int a = 0; a < 3; a++)
        t[m->perm[a]][a] = m->sign[a];
    return t[0][0] * (t[1][1] * t[2][2] - t[1][2] * t[2][1]) -
           t[0][1] * (t[1][0] * t[2][2] - t[1][2] * t[2][0]) +
           t[0][2] * (t[1][0] * t[2][1] - t[1][1] * t[2][0]);
}

static void test_maps(void **state)
{
    (void)state;
    int proper = 0;
    for (int n = 0; n < 48; n++) {
        struct an_cellmap m = transform(n), inverse = an_cellmap_inverse(&m);
        struct an_cellmap nodes = an_cellmap_nodes(&m), back = an_cellmap_nodes(&inverse);
        assert_int_equal(an_cellmap_is_valid(&m), 1);
        assert_int_equal(an_cellmap_det(&m), det_by_rule(&m));
        proper += an_cellmap_det(&m) == 1;
        int c[3] = {2, -11, 13}, d[3], e[3];
        an_cellmap_apply(&m, c, d);
        an_cellmap_apply(&inverse, d, e);
        assert_memory_equal(c, e, sizeof c);
        an_cellmap_apply(&nodes, c, d);
        an_cellmap_apply(&back, d, e);
        assert_memory_equal(c, e, sizeof c);
        /* The eight nodes of a cell are the eight nodes of its donor. */
        int cell[3], corners = 0;
        an_cellmap_apply(&m, c, cell);
        for (int v = 0; v < 8; v++) {
            int x[3] = {c[0] + (v & 1), c[1] + (v >> 1 & 1), c[2] + (v >> 2)}, y[3];
            an_cellmap_apply(&nodes, x, y);
            int bit = 0;
            for (int a = 0; a < 3; a++) {
                assert_true(y[a] == cell[a] || y[a] == cell[a] + 1);
                bit |= (y[a] - cell[a]) << a;
            }
            corners |= 1 << bit;
        }
        assert_int_equal(corners, 255);
        an_cellmap_apply(&m, c, c); /* in place */
        assert_memory_equal(c, cell, sizeof c);
    }
    assert_int_equal(proper, 24);
}

static void test_names(void **state)
{
    (void)state;
    for (int t = 0; t < AN_BC_NTYPE; t++)
        assert_int_equal(an_bc_type_from_name(an_bc_type_name((enum an_bc_type)t)), t);
    assert_int_equal(an_bc_type_from_name("wall"), AN_BC_NONE);
    for (int t = AN_BC_NONE + 1; t < AN_BC_NTYPE; t++) { /* kernels close the same boundaries */
        const enum an_bc_type type = (enum an_bc_type)t;
        assert_int_equal(an_bc_type_has(type, AN_BC_CLOSED), an_bc_closed_f64(t));
        assert_false(an_bc_type_has(type, AN_BC_CLOSED) && an_bc_type_has(type, AN_BC_PASSES));
    }
    assert_string_equal(an_face_name(1, 0), "jmin");
    assert_string_equal(an_face_name(3, 0), "?");
}

/* Two boxes of 3 x 4 x 5 cells, b turned by a transform, joined at imax of a; the rest is wall. */
struct pair {
    struct an_topology t;
    struct an_zone block[2];
    struct an_interface interface[4];
    struct an_patch patch[16];
    struct an_boundary boundary[1];
};

static void cover_by_patch(struct pair *p, int block, int dir, int side)
{
    struct an_patch *patch = &p->patch[p->t.npatch++];
    memset(patch, 0, sizeof *patch);
    patch->window.block = block;
    patch->window.dir = dir;
    patch->window.side = side;
    memcpy(patch->window.hi, p->block[block].n, sizeof patch->window.hi);
    patch->window.hi[dir] = 0;
}

static void make_pair(struct pair *p, int n)
{
    memset(p, 0, sizeof *p);
    struct an_cellmap m = transform(n);
    struct an_interface *f = &p->interface[0];
    strcpy(p->block[0].name, "a");
    strcpy(p->block[1].name, "b");
    strcpy(p->boundary[0].name, "wall");
    for (int a = 0; a < 3; a++) {
        int len = 3 + a;
        p->block[0].n[a] = len;
        p->block[1].n[m.perm[a]] = len;
        m.shift[m.perm[a]] = m.sign[a] > 0 ? 0 : len - 1;
    }
    m.shift[m.perm[0]] += m.sign[0] > 0 ? -3 : 3; /* b continues a beyond i = 3 */
    *f = (struct an_interface){.name = "ab", .donor = 1, .map = m, .partner = -1};
    f->window = (struct an_window){.dir = 0, .side = 1, .hi = {0, 4, 5}};
    f->donor_dir = m.perm[0];
    f->donor_side = m.sign[0] > 0 ? 0 : 1;
    p->interface[1] = an_interface_mirror(f);
    p->t = (struct an_topology){2, 2, 0, 1, p->block, p->interface, p->patch, p->boundary};
    for (int block = 0; block < 2; block++)
        for (int dir = 0; dir < 3; dir++)
            for (int side = 0; side < 2; side++) {
                const struct an_window *w = &p->interface[block].window;
                if (dir != w->dir || side != w->side)
                    cover_by_patch(p, block, dir, side);
            }
}

static void expect_fault(struct pair *p, const char *fragment)
{
    struct an_diag diag;
    an_diag_init(&diag);
    an_topology_check(&p->t, "m.cgns", &diag);
    int found = 0;
    for (int n = 0; n < diag.nline; n++)
        found |= strstr(diag.line[n], fragment) != NULL;
    if (!found) {
        for (int n = 0; n < diag.nline; n++)
            print_message("%s\n", diag.line[n]);
        fail_msg("no message with: %s", fragment);
    }
    assert_true(diag.nerror > 0);
    an_diag_free(&diag);
}

static void expect_clean(struct pair *p)
{
    struct an_diag diag;
    an_diag_init(&diag);
    an_topology_check(&p->t, NULL, &diag);
    for (int n = 0; n < diag.nline; n++)
        print_message("%s\n", diag.line[n]);
    assert_int_equal(diag.nline, 0);
    an_diag_free(&diag);
}

static void test_pairs(void **state)
{
    (void)state;
    for (int n = 0; n < 48; n++) {
        struct pair p;
        make_pair(&p, n);
        if (an_cellmap_det(&p.interface[0].map) < 0) {
            expect_fault(&p, "determinant -1");
            continue;
        }
        expect_clean(&p);
        assert_int_equal(p.interface[0].partner, 1);
        assert_int_equal(p.interface[1].partner, 0);
        struct an_interface twice = an_interface_mirror(&p.interface[1]);
        assert_memory_equal(&twice.window, &p.interface[0].window, sizeof twice.window);
        assert_memory_equal(&twice.map, &p.interface[0].map, sizeof twice.map);
    }
}

static void test_coverage(void **state)
{
    (void)state;
    struct pair p;
    make_pair(&p, 0);
    p.patch[1].window.hi[0] = 2; /* jmin of a: 3 x 5 cells */
    expect_fault(&p, "m.cgns: zone 'a' face jmin: error: 5 of 15 cells have no boundary condition "
                     "or interface, first at cell (i=2, k=0)");
    make_pair(&p, 0);
    cover_by_patch(&p, 1, 2, 1);
    p.patch[p.t.npatch - 1].window.lo[1] = 3;
    expect_fault(&p, "zone 'b' face kmax: error: 3 of 12 cells have more than one boundary "
                     "condition or interface, first at cell (i=0, j=3)");
    make_pair(&p, 0);
    p.patch[0].window.hi[1] = 5;
    expect_fault(&p, "zone 'a' face imin: error: wall lies outside the zone");
    make_pair(&p, 0);
    p.patch[0].boundary = 7;
    expect_fault(&p, "has no boundary");
    make_pair(&p, 0);
    p.block[0].n[1] = 0;
    expect_fault(&p, "zone 'a' has 3 x 0 x 5 cells");
}

static void test_broken_interfaces(void **state)
{
    (void)state;
    struct pair p;
    make_pair(&p, 0);
    p.t.ninterface = 1;
    expect_fault(&p, "interface 'ab' to zone 'b' face imin: no interface leads back");
    make_pair(&p, 0);
    p.interface[0].donor = 2;
    expect_fault(&p, "no usable donor");
    make_pair(&p, 0);
    p.interface[0].map.perm[1] = 0;
    expect_fault(&p, "no usable donor or transform");
    make_pair(&p, 0);
    p.interface[0].map.shift[0] = 0;
    expect_fault(&p, "does not lead into zone 'b' through its face imin");
    make_pair(&p, 0);
    p.interface[0].map.shift[1] = 1;
    expect_fault(&p, "the donor of 'ab' lies outside the zone");
    make_pair(&p, 0); /* both tangential directions reversed on one side only */
    for (int a = 1; a < 3; a++) {
        p.interface[0].map.sign[a] = -1;
        p.interface[0].map.shift[a] = p.block[0].n[a] - 1;
    }
    expect_fault(&p, "not each other's inverse");
    make_pair(&p, 0);
    p.interface[0].periodic = 1;
    p.interface[0].translation[1] = 1.;
    expect_fault(&p, "disagree about the periodic");
    p.interface[1] = an_interface_mirror(&p.interface[0]);
    assert_true(p.interface[1].translation[1] == 0.); /* R was left zero: R^T t vanishes */
    for (int f = 0; f < 2; f++)
        for (int a = 0; a < 3; a++)
            p.interface[f].rotation[4 * a] = 1.;
    p.interface[1] = an_interface_mirror(&p.interface[0]);
    assert_true(p.interface[1].translation[1] == -1.);
    expect_clean(&p);
}

/* One block: k closed on itself (O), jmin folded with a cut in its middle (C). */
static void test_self_connections(void **state)
{
    (void)state;
    struct pair p;
    memset(&p, 0, sizeof p);
    p.block[0] = (struct an_zone){.name = "c", .n = {8, 3, 2}};
    strcpy(p.boundary[0].name, "wall");
    p.t = (struct an_topology){1, 4, 0, 1, p.block, p.interface, p.patch, p.boundary};
    cover_by_patch(&p, 0, 0, 0);
    cover_by_patch(&p, 0, 0, 1);
    cover_by_patch(&p, 0, 1, 0);
    p.patch[2].window.lo[0] = 2; /* the body between the two halves of the cut */
    p.patch[2].window.hi[0] = 6;
    cover_by_patch(&p, 0, 1, 1);
    p.interface[0] = (struct an_interface){.name = "o", .donor_dir = 2, .donor_side = 1};
    p.interface[0].window = (struct an_window){.dir = 2, .side = 0, .hi = {8, 3, 0}};
    p.interface[0].map = (struct an_cellmap){{0, 1, 2}, {1, 1, 1}, {0, 0, 2}};
    p.interface[1] = an_interface_mirror(&p.interface[0]);
    p.interface[2] = (struct an_interface){.name = "c", .donor_dir = 1, .donor_side = 0};
    p.interface[2].window = (struct an_window){.dir = 1, .side = 0, .hi = {2, 0, 2}};
    p.interface[2].map = (struct an_cellmap){{0, 1, 2}, {-1, -1, 1}, {7, -1, 0}};
    p.interface[3] = an_interface_mirror(&p.interface[2]);
    expect_clean(&p);
    const int partner[4] = {1, 0, 3, 2};
    for (int f = 0; f < 4; f++)
        assert_int_equal(p.interface[f].partner, partner[f]);
    /* The whole face folded at once is its own other side. */
    p.interface[2].window.hi[0] = 8;
    p.t.ninterface = 3;
    p.patch[2] = p.patch[3];
    p.t.npatch = 3;
    expect_clean(&p);
    assert_int_equal(p.interface[2].partner, 2);
}

static void test_copy(void **state)
{
    (void)state;
    struct pair p;
    make_pair(&p, 5);
    struct an_topology t, none;
    an_topology_init(&none);
    assert_int_equal(an_topology_copy(&p.t, &t), AN_OK);
    assert_memory_equal(t.interface, p.interface, 2 * sizeof *t.interface);
    assert_int_equal(an_topology_cells(&t), 120);
    assert_int_equal(an_boundary_find(&t, "wall"), 0);
    assert_int_equal(an_boundary_find(&t, "wal"), -1);
    an_topology_free(&t);
    assert_int_equal(an_topology_copy(&none, &t), AN_OK);
    assert_null(t.block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_maps),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_coverage),
        cmocka_unit_test(test_broken_interfaces),
        cmocka_unit_test(test_self_connections),
        cmocka_unit_test(test_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
