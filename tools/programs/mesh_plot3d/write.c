// The CGNS file: zones, families with their condition, boundary patches, interfaces from both
// sides.
#include <cgnslib.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"

#define CG(call)                \
    do {                        \
        if (call)               \
            return EXIT_FAILED; \
    } while (0)

// Written index of each of the block's: a direction of one cell comes last, where the solver is fastest.
// The change is cyclic, so that the block stays right-handed.
static void order_of(const struct block *b, int to[3])
{
    const int one = b->n[2] == 2 ? 2 : b->n[0] == 2 ? 0 : b->n[1] == 2 ? 1 : 2;
    for (int d = 0; d < 3; d++)
        to[d] = (d + 2 - one) % 3;
}

bool write_reorders(const struct block *b)
{
    int to[3];
    order_of(b, to);
    return to[0] != 0;
}

static int write_families(int fn, int base, const struct grid *g)
{
    for (int k = 0; k < g->boundaries; k++) {
        int family, bc;
        CG(cg_family_write(fn, base, g->boundary[k].name, &family));
        if (g->boundary[k].type >= 0)
            CG(cg_fambc_write(fn, base, family, "FamBC",
                              (BCType_t)condition_type_cgns(g->boundary[k].type), &bc));
    }
    return EXIT_DONE;
}

static int write_coordinates(int fn, int base, int zone, const struct block *b)
{
    static const char *const name[3] = {"CoordinateX", "CoordinateY", "CoordinateZ"};
    const float metre[5] = {0, 1, 0, 0, 0};
    int to[3], n[3], step[3], back[3];
    order_of(b, to);
    for (int d = 0; d < 3; d++)
        back[to[d]] = d;
    for (int d = 0; d < 3; d++) {
        n[d] = b->n[back[d]];
        step[d] = back[d] == 0 ? 1 : back[d] == 1 ? b->n[0] : b->n[0] * b->n[1];
    }
    double *x = malloc((size_t)n[0] * (size_t)n[1] * (size_t)n[2] * sizeof *x);
    if (!x)
        return no_memory();
    for (int d = 0; d < 3; d++) {
        int coord;
        size_t l = 0;
        for (int k = 0; k < n[2]; k++)
            for (int j = 0; j < n[1]; j++)
                for (int i = 0; i < n[0]; i++)
                    x[l++] = b->x[d][(size_t)i * (size_t)step[0] + (size_t)j * (size_t)step[1] +
                                     (size_t)k * (size_t)step[2]];
        if (cg_coord_write(fn, base, zone, RealDouble, name[d], x, &coord)) {
            free(x);
            return EXIT_FAILED;
        }
    }
    free(x);
    for (int d = 0; d < 3; d++) {
        CG(cg_goto(fn, base, "Zone_t", zone, "GridCoordinates_t", 1, name[d], 0, "end"));
        CG(cg_exponents_write(RealSingle, metre));
    }
    return EXIT_DONE;
}

static int write_windows(int fn, int base, int zone, const struct grid *g, int block)
{
    int count = 0;
    for (int l = 0; l < g->windows; l++) {
        const struct window *w = &g->window[l];
        const struct block *b = &g->block[block];
        const char *family = g->boundary[w->boundary].name;
        if (w->block != block)
            continue;
        int to[3];
        order_of(b, to);
        const int flat = to[w->face / 2];
        cgsize_t r[6];
        char name[60];
        int bc;
        r[flat] = r[flat + 3] = w->face % 2 ? b->n[w->face / 2] : 1;
        for (int d = 0; d < 2; d++) {
            const int dir = to[d ? face_v(w->face) : face_u(w->face)];
            r[dir] = w->lo[d] + 1;
            r[dir + 3] = w->hi[d] + 1;
        }
        snprintf(name, sizeof name, "patch_%d", ++count);
        CG(cg_boco_write(fn, base, zone, name, FamilySpecified, PointRange, 2, r, &bc));
        CG(cg_goto(fn, base, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", bc, "end"));
        CG(cg_famname_write(family));
    }
    return EXIT_DONE;
}

// CGNS wants the donor range in step with the own range, which ascends.
static int write_link(int fn, int base, int zone, const char *name, const struct block *self,
                      const struct block *donor, const int begin[3], const int end[3],
                      const int begin_b[3], const int end_b[3], const int transform[3],
                      const struct motion *m, float sign)
{
    cgsize_t own[6], other[6];
    int id, to[3], to_b[3], written[3];
    order_of(self, to);
    order_of(donor, to_b);
    for (int d = 0; d < 3; d++) {
        const int t = abs(transform[d]) - 1, reverse = begin[d] > end[d], p = to[d], q = to_b[t];
        own[p] = (reverse ? end[d] : begin[d]) + 1;
        own[p + 3] = (reverse ? begin[d] : end[d]) + 1;
        other[q] = (reverse ? end_b[t] : begin_b[t]) + 1;
        other[q + 3] = (reverse ? begin_b[t] : end_b[t]) + 1;
        written[p] = transform[d] < 0 ? -(q + 1) : q + 1;
    }
    CG(cg_1to1_write(fn, base, zone, name, donor->name, own, other, written, &id));
    if (motion_is_none(m))
        return EXIT_DONE;
    const float centre[3] = {0, 0, 0}, angle[3] = {sign * (float)m->angle, 0, 0};
    const float shift[3] = {sign * (float)m->shift[0], sign * (float)m->shift[1],
                            sign * (float)m->shift[2]};
    CG(cg_1to1_periodic_write(fn, base, zone, id, centre, angle, shift));
    static const char *const array[3] = {"RotationCenter", "RotationAngle", "Translation"};
    for (int k = 0; k < 3; k++) {
        const float length[5] = {0, 1, 0, 0, 0}, plane_angle[5] = {0, 0, 0, 0, 1};
        CG(cg_goto(fn, base, "Zone_t", zone, "ZoneGridConnectivity_t", 1, name, 0,
                   "GridConnectivityProperty_t", 1, "Periodic_t", 1, array[k], 0, "end"));
        CG(cg_exponents_write(RealSingle, k == 1 ? plane_angle : length));
    }
    return EXIT_DONE;
}

static int write_links(int fn, int base, int zone, const struct grid *g, int block)
{
    for (int l = 0; l < g->links; l++) {
        const struct link *k = &g->link[l];
        char name[40];
        if (k->a == block) {
            snprintf(name, sizeof name, "match_%da", l + 1);
            CG(write_link(fn, base, zone, name, &g->block[k->a], &g->block[k->b], k->begin, k->end,
                          k->begin_b, k->end_b, k->transform, &k->motion, 1));
        }
        if (k->b == block) {
            int back[3] = {0, 0, 0};
            for (int d = 0; d < 3; d++)
                back[abs(k->transform[d]) - 1] = k->transform[d] < 0 ? -(d + 1) : d + 1;
            snprintf(name, sizeof name, "match_%db", l + 1);
            CG(write_link(fn, base, zone, name, &g->block[k->b], &g->block[k->a], k->begin_b,
                          k->end_b, k->begin, k->end, back, &k->motion, -1));
        }
    }
    return EXIT_DONE;
}

static int write_base(int fn, const struct grid *g)
{
    int base, zone = 0;
    CG(cg_base_write(fn, "Base", 3, 3, &base));
    CG(cg_goto(fn, base, "end"));
    CG(cg_dataclass_write(Dimensional));
    CG(cg_units_write(Kilogram, Meter, Second, Kelvin, Radian));
    CG(write_families(fn, base, g));
    for (int k = 0; k < g->blocks; k++) {
        int to[3], n[3];
        order_of(&g->block[k], to);
        for (int d = 0; d < 3; d++)
            n[to[d]] = g->block[k].n[d];
        const cgsize_t size[9] = {n[0], n[1], n[2], n[0] - 1, n[1] - 1, n[2] - 1, 0, 0, 0};
        CG(cg_zone_write(fn, base, g->block[k].name, size, Structured, &zone));
        CG(write_coordinates(fn, base, zone, &g->block[k]));
    }
    // all zones exist now: interfaces name their donors
    for (int k = 0; k < g->blocks; k++) {
        CG(write_windows(fn, base, k + 1, g, k));
        CG(write_links(fn, base, k + 1, g, k));
    }
    return EXIT_DONE;
}

// Written under a temporary name and renamed, so that a failure never leaves half a mesh.
int grid_write(const struct grid *g, const char *path)
{
    const size_t size = strlen(path) + 8;
    char *temporary = malloc(size);
    int fn, rc = EXIT_FAILED;
    if (!temporary)
        return no_memory();
    snprintf(temporary, size, "%s.part", path);
    if (!cg_set_file_type(CG_FILE_HDF5) && !cg_open(temporary, CG_MODE_WRITE, &fn)) {
        rc = write_base(fn, g);
        if (rc)
            fail("%s: %s", path, cg_get_error());
        if (cg_close(fn) && !rc) {
            fail("%s: %s", path, cg_get_error());
            rc = EXIT_FAILED;
        }
    } else {
        fail("%s: %s", path, cg_get_error());
    }
    if (!rc && rename(temporary, path)) {
        fail("%s: %s", path, strerror(errno));
        rc = EXIT_FAILED;
    }
    if (rc)
        remove(temporary);
    free(temporary);
    return rc;
}
