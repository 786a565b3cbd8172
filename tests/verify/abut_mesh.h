/* Meshes with abutting interfaces for tests: zones with maps of their own, written with the program's
 * writer of meshes, so that the connections stand in the file. */
#ifndef AN_TESTS_ABUT_MESH_H
#define AN_TESTS_ABUT_MESH_H

#include "io/mesh_write.h"
#include "tests/support/verify_mesh.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { AM_MOST = 8 };

struct am_zone {
    const char *name;
    int n[3];
    vm_map *map;
    void *context;
    const char
        *face[6]; /* boundaries of imin, imax ... kmax; NULL: joined to the opposite face ... */
    double translation[3][3]; /* ... which lies this far off, upper less lower */
    double turned[3];         /* rad about the x axis, upper less lower */
};

struct am_boundary {
    const char *name;
    enum an_bc_type type;
    const char *with;
    double angle, shift[3]; /* x_here = R(angle) x_other + shift */
};

static inline void am_rotation(double angle, double r[9])
{
    const double q[9] = {1, 0, 0, 0, cos(angle), -sin(angle), 0, sin(angle), cos(angle)};
    memcpy(r, q, sizeof q);
}

static inline void am_join(struct an_topology *t, int z, int d, const struct am_zone *from)
{
    for (int side = 0; side < 2; side++) {
        struct an_interface *f = &t->interface[t->ninterface++];
        const double sign = side ? 1 : -1, *shift = from->translation[d];
        memset(f, 0, sizeof *f);
        f->window = (struct an_window){.block = z, .dir = d, .side = side};
        f->donor = z;
        f->donor_dir = d;
        f->donor_side = !side;
        am_rotation(sign * from->turned[d], f->rotation);
        for (int a = 0; a < 3; a++) {
            if (a != d)
                f->window.hi[a] = from->n[a];
            f->map.perm[a] = a;
            f->map.sign[a] = 1;
            f->map.shift[a] = a != d ? 0 : side ? -from->n[d] : from->n[d];
            f->translation[a] = sign * shift[a];
            f->periodic |= shift[a] != 0;
        }
        if (from->turned[d] != 0)
            f->periodic = 2;
    }
}

static inline int am_write_zones(const char *path, const struct an_topology *t,
                                 const struct am_zone *zone)
{
    int fn;
    AN_TRY(an_mesh_write_new(path, &fn));
    int status = an_mesh_write_families(fn, AN_MESH_GAS, t);
    for (int z = 0; z < t->nblock && status == AN_OK; z++) {
        const int *n = zone[z].n;
        const size_t count = (size_t)(n[0] + 1) * (size_t)(n[1] + 1) * (size_t)(n[2] + 1);
        double *x = malloc(3 * count * sizeof *x);
        size_t at = 0;
        for (int k = 0; x && k <= n[2]; k++)
            for (int j = 0; j <= n[1]; j++)
                for (int i = 0; i <= n[0]; i++, at++) {
                    const double s[3] = {(double)i / n[0], (double)j / n[1], (double)k / n[2]};
                    double p[3];
                    zone[z].map(zone[z].context, s, p);
                    for (int c = 0; c < 3; c++)
                        x[(size_t)c * count + at] = p[c];
                }
        status = x ? an_mesh_write_zone(fn, AN_MESH_GAS, t, z, x) : an_error_set(AN_FAIL, "memory");
        free(x);
    }
    return an_mesh_write_end(path, fn, status);
}

/* On rank 0; collective. Zones in the order of their names. */
static inline void am_write(const char *path, int nzone, const struct am_zone *zone, int nboundary,
                            const struct am_boundary *boundary)
{
    struct an_zone block[AM_MOST];
    struct an_boundary named[3 * AM_MOST];
    struct an_patch patch[6 * AM_MOST];
    struct an_interface interface[6 * AM_MOST];
    struct an_topology t = {.nblock = nzone,
                            .nboundary = nboundary,
                            .block = block,
                            .boundary = named,
                            .patch = patch,
                            .interface = interface};
    memset(block, 0, sizeof block);
    memset(named, 0, sizeof named);
    for (int b = 0; b < nboundary; b++) {
        snprintf(named[b].name, AN_NAME, "%s", boundary[b].name);
        snprintf(named[b].with, AN_NAME, "%s", boundary[b].with ? boundary[b].with : "");
        named[b].type = boundary[b].type;
        am_rotation(boundary[b].angle, named[b].rotation);
        memcpy(named[b].translation, boundary[b].shift, sizeof named[b].translation);
        for (int c = 0; c < 3; c++)
            named[b].periodic |= boundary[b].shift[c] != 0;
        if (boundary[b].angle != 0)
            named[b].periodic = 2;
    }
    for (int z = 0; z < nzone; z++) {
        snprintf(block[z].name, AN_NAME, "%s", zone[z].name);
        memcpy(block[z].n, zone[z].n, sizeof block[z].n);
        for (int f = 0; f < 6; f++) {
            struct an_window w = {.block = z, .dir = f / 2, .side = f % 2};
            for (int a = 0; a < 3; a++)
                w.hi[a] = a == w.dir ? 0 : zone[z].n[a];
            if (zone[z].face[f])
                patch[t.npatch++] = (struct an_patch){w, an_boundary_find(&t, zone[z].face[f])};
            else if (f % 2 == 0)
                am_join(&t, z, f / 2, &zone[z]);
        }
    }
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0 && am_write_zones(path, &t, zone) != AN_OK) {
        fprintf(stderr, "%s: %s\n", path, an_error_text());
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

#endif
