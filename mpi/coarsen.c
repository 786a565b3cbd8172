#include "mpi/coarsen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- sets of directions that are halved together ---- */

static int root_of(int *parent, int n)
{
    while (parent[n] != n) {
        parent[n] = parent[parent[n]];
        n = parent[n];
    }
    return n;
}

static void unite(int *parent, int a, int b)
{
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* Reports why zone z cannot be halved in direction d; NULL: it can. n: its cells. */
static const char *obstacle(int n)
{
    return n % 2 ? "is odd" : n < 4 ? "would leave one cell" : NULL;
}

static void refuse(int *no, int root, char *why, size_t size, const struct an_topology *t,
                   const int *turn, int z, int d, int cells, const char *reason)
{
    if (!no[root] && !why[0])
        snprintf(why, size, "zone '%s' has %d cells in direction %c there, which %s",
                 t->block[z].name, cells, "ijk"[(d + (turn ? turn[z] : 0)) % 3], reason);
    no[root] = 1;
}

/* Which sets cannot be halved. no[root] != 0; why: the first obstacle. */
static void find_obstacles(const struct an_topology *t, const int *turn, int (*n)[3],
                           const int *scale, int *parent, int *no, char *why, size_t size)
{
    for (int z = 0; z < t->nblock; z++)
        for (int d = 0; d < 3; d++) {
            const int root = root_of(parent, 3 * z + d);
            if (n[z][d] == 1)
                no[root] = 1; /* a plane mesh: nothing to say */
            else if (obstacle(n[z][d]))
                refuse(no, root, why, size, t, turn, z, d, n[z][d], obstacle(n[z][d]));
        }
    for (int w = 0; w < t->ninterface + t->npatch; w++) {
        const struct an_window *window =
            w < t->ninterface ? &t->interface[w].window : &t->patch[w - t->ninterface].window;
        for (int d = 0; d < 3; d++) {
            const int z = window->block, step = scale[3 * z + d];
            if (d == window->dir)
                continue;
            if (window->lo[d] / step % 2 || window->hi[d] / step % 2)
                refuse(no, root_of(parent, 3 * z + d), why, size, t, turn, z, d, n[z][d],
                       "have a boundary or interface on an odd plane");
        }
    }
}

int an_coarsening_new(const struct an_topology *t, const int *turn, int want,
                      struct an_coarsening *c)
{
    memset(c, 0, sizeof *c);
    c->nlevel = 1;
    c->nzone = t->nblock;
    const size_t count = (size_t)t->nblock * 3 + 1;
    int *parent = malloc(count * sizeof *parent), *no = malloc(count * sizeof *no);
    int *scale = malloc(count * sizeof *scale);
    int(*n)[3] = malloc(count * sizeof *n);
    int status =
        parent && no && scale && n ? AN_OK : an_error_set(AN_FAIL, "out of memory for levels");
    if (status == AN_OK) {
        for (int z = 0; z < t->nblock; z++)
            for (int d = 0; d < 3; d++) {
                parent[3 * z + d] = 3 * z + d;
                scale[3 * z + d] = 1;
                n[z][d] = t->block[z].n[d];
            }
        for (int f = 0; f < t->ninterface; f++)
            for (int d = 0; d < 3; d++)
                if (d != t->interface[f].window.dir)
                    unite(parent, 3 * t->interface[f].window.block + d,
                          3 * t->interface[f].donor + t->interface[f].map.perm[d]);
    }
    snprintf(c->limit, sizeof c->limit, "%d levels were asked for", want);
    while (status == AN_OK && c->nlevel < want && c->nlevel < AN_MAX_LEVEL) {
        char why[200] = "";
        memset(no, 0, count * sizeof *no);
        find_obstacles(t, turn, n, scale, parent, no, why, sizeof why);
        int(*halved)[3] = calloc((size_t)t->nblock + 1, sizeof *halved);
        if (!halved) {
            status = an_error_set(AN_FAIL, "out of memory for levels");
            break;
        }
        int64_t fine = 0, coarse = 0;
        for (int z = 0; z < t->nblock; z++) {
            int64_t cells = 1, fewer = 1;
            for (int d = 0; d < 3; d++) {
                halved[z][d] = !no[root_of(parent, 3 * z + d)];
                cells *= n[z][d];
                fewer *= halved[z][d] ? n[z][d] / 2 : n[z][d];
            }
            fine += cells;
            coarse += fewer;
        }
        if (2 * coarse > fine) {
            snprintf(c->limit, sizeof c->limit, "%s", why[0] ? why : "nothing is left to halve");
            free(halved);
            break;
        }
        for (int z = 0; z < t->nblock; z++)
            for (int d = 0; d < 3; d++)
                if (halved[z][d]) {
                    n[z][d] /= 2;
                    scale[3 * z + d] *= 2;
                }
        c->halved[c->nlevel++] = halved;
    }
    free(parent);
    free(no);
    free(scale);
    free(n);
    if (status != AN_OK)
        an_coarsening_free(c);
    return status;
}

void an_coarsening_free(struct an_coarsening *c)
{
    for (int l = 0; l < AN_MAX_LEVEL; l++)
        free(c->halved[l]);
    memset(c, 0, sizeof *c);
}

/* ---- pieces ---- */

static void halve_window(struct an_window *w, const int halved[3])
{
    for (int d = 0; d < 3; d++)
        if (halved[d] && d != w->dir) {
            w->lo[d] /= 2;
            w->hi[d] /= 2;
        }
}

/* The map of an interface between halved blocks. Directions that run side by side
 * are both halved or none is, so pairs of cells meet pairs; where directions meet end to end, the
 * first ghost cell meets the donor's face cell as before. */
static void halve_map(const struct an_topology *t, struct an_interface *f, const int halved[3])
{
    const int d = f->window.dir;
    for (int m = 0; m < 3; m++) {
        const int p = f->map.perm[m], sign = f->map.sign[m];
        int *shift = &f->map.shift[p];
        if (m != d) {
            if (halved[m])
                *shift = sign > 0 ? *shift / 2 : (*shift - 1) / 2;
        } else {
            const int ghost = f->window.side ? t->block[f->window.block].n[d] : -1;
            const int cell = f->donor_side ? t->block[f->donor].n[p] - 1 : 0;
            *shift = cell - sign * ghost;
        }
    }
}

int an_partition_coarsen(const struct an_partition *fine, const int (*halved)[3],
                         struct an_partition *coarse)
{
    *coarse = (struct an_partition){.nrank = fine->nrank, .npiece = fine->npiece};
    coarse->piece = malloc((size_t)(fine->npiece ? fine->npiece : 1) * sizeof *coarse->piece);
    AN_CHECK(coarse->piece, AN_FAIL, "out of memory for a multigrid level");
    memcpy(coarse->piece, fine->piece, (size_t)fine->npiece * sizeof *coarse->piece);
    AN_TRY(an_topology_copy(&fine->topology, &coarse->topology));
    struct an_topology *t = &coarse->topology;
    for (int b = 0; b < fine->npiece; b++) {
        struct an_piece *p = &coarse->piece[b];
        const int *half = halved[p->zone];
        for (int d = 0; d < 3; d++) {
            if (!half[d])
                continue;
            AN_CHECK(p->lo[d] % 2 == 0 && p->hi[d] % 2 == 0, AN_FAIL,
                     "zone %d is cut at an odd plane", p->zone);
            p->lo[d] /= 2;
            p->hi[d] /= 2;
            t->block[b].n[d] /= 2;
        }
    }
    for (int f = 0; f < t->ninterface; f++) {
        struct an_interface *face = &t->interface[f];
        const int *half = halved[fine->piece[face->window.block].zone];
        halve_window(&face->window, half);
        halve_map(t, face, half);
    }
    for (int p = 0; p < t->npatch; p++)
        halve_window(&t->patch[p].window, halved[fine->piece[t->patch[p].window.block].zone]);
    return AN_OK;
}
