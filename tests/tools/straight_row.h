/* The input of mesh_row for 12 blades between two cylinders, for tests that run it in their own folder: define
 * FOLDER before. */
#ifndef AN_TESTS_STRAIGHT_ROW_H
#define AN_TESTS_STRAIGHT_ROW_H

#include "mesh_file.h"
#include "tests/tools/tool.h"

enum { BLADES = 12 };
static const double chord = 0.1, hub = 0.2, casing = 0.25;

/* Walls and row.yaml of the blade main.dat; more: further lines. */
static inline void put_row(const char *more)
{
    for (int w = 0; w < 2; w++) {
        FILE *f = create(w ? "casing.dat" : "hub.dat");
        for (int i = 0; i <= 8; i++)
            fprintf(f, "%g %g\n", -0.08 + 0.035 * i, w ? casing : hub);
        assert_int_equal(fclose(f), 0);
    }
    FILE *f = create("row.yaml");
    fprintf(f,
            "blades: %d\nsections: main.dat\ncolumns: [x, r, theta]\nhub: hub.dat\n"
            "casing: casing.dat\ninlet: -0.07\noutlet: 0.17\ncells: 2e4\nwalls: functions\n"
            "first_cell: 2e-4\n%s\n",
            BLADES, more);
    assert_int_equal(fclose(f), 0);
}

/* Ends of all interfaces are multiples of the unit. */
static inline void check_ends(const struct mesh *m, int unit)
{
    for (int z = 1; z <= m->zones; z++) {
        int n;
        assert_int_equal(cg_n1to1(m->file, 1, z, &n), CG_OK);
        for (int i = 1; i <= n; i++) {
            char name[33], donor[33];
            cgsize_t range[6], other[6];
            int transform[3];
            assert_int_equal(cg_1to1_read(m->file, 1, z, i, name, donor, range, other, transform),
                             CG_OK);
            for (int d = 0; d < 6; d++)
                assert_int_equal((range[d] - 1) % unit, 0);
        }
    }
}

#endif
