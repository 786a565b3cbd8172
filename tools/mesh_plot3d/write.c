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
    for (int d = 0; d < 3; d++) {
        int coord;
        CG(cg_coord_write(fn, base, zone, RealDouble, name[d], b->x[d], &coord));
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
        const int dir[2] = {face_u(w->face), face_v(w->face)}, flat = w->face / 2;
        cgsize_t r[6];
        char name[60];
        int bc;
        r[flat] = r[flat + 3] = w->face % 2 ? b->n[flat] : 1;
        for (int d = 0; d < 2; d++) {
            r[dir[d]] = w->lo[d] + 1;
            r[dir[d] + 3] = w->hi[d] + 1;
        }
        snprintf(name, sizeof name, "patch_%d", ++count);
        CG(cg_boco_write(fn, base, zone, name, FamilySpecified, PointRange, 2, r, &bc));
        CG(cg_goto(fn, base, "Zone_t", zone, "ZoneBC_t", 1, "BC_t", bc, "end"));
        CG(cg_famname_write(family));
    }
    return EXIT_DONE;
}

// CGNS wants the donor range in step with the own range, which ascends.
static int write_link(int fn, int base, int zone, const char *name, const char *donor,
                      const int begin[3], const int end[3], const int begin_b[3],
                      const int end_b[3], const int transform[3])
{
    cgsize_t own[6], other[6];
    int id;
    for (int d = 0; d < 3; d++) {
        const int t = abs(transform[d]) - 1, reverse = begin[d] > end[d];
        own[d] = (reverse ? end[d] : begin[d]) + 1;
        own[d + 3] = (reverse ? begin[d] : end[d]) + 1;
        other[t] = (reverse ? end_b[t] : begin_b[t]) + 1;
        other[t + 3] = (reverse ? begin_b[t] : end_b[t]) + 1;
    }
    CG(cg_1to1_write(fn, base, zone, name, donor, own, other, transform, &id));
    return EXIT_DONE;
}

static int write_links(int fn, int base, int zone, const struct grid *g, int block)
{
    for (int l = 0; l < g->links; l++) {
        const struct link *k = &g->link[l];
        char name[40];
        if (k->a == block) {
            snprintf(name, sizeof name, "match_%da", l + 1);
            CG(write_link(fn, base, zone, name, g->block[k->b].name, k->begin, k->end, k->begin_b,
                          k->end_b, k->transform));
        }
        if (k->b == block) {
            int back[3] = {0, 0, 0};
            for (int d = 0; d < 3; d++)
                back[abs(k->transform[d]) - 1] = k->transform[d] < 0 ? -(d + 1) : d + 1;
            snprintf(name, sizeof name, "match_%db", l + 1);
            CG(write_link(fn, base, zone, name, g->block[k->a].name, k->begin_b, k->end_b, k->begin,
                          k->end, back));
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
        const int *n = g->block[k].n;
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
