// Coarse-to-fine start of the smoother: the mesh of every second node is smoothed first
// (recursively) and interpolated.
#include <stdlib.h>

#include "mesh.h"

// The lengths of the links are those of all pieces of the mesh.
static bool halves(const struct mesh *m)
{
    for (int l = 0; l < m->nlink; l++) {
        const struct link *c = &m->link[l];
        for (int d = 0; d < 2; d++)
            if (c->a0[d] % 2 || c->a1[d] % 2 || c->b0[d] % 2 || c->b1[d] % 2)
                return false;
        if (abs(c->a1[0] - c->a0[0]) + abs(c->a1[1] - c->a0[1]) < 4)
            return false;
    }
    return true;
}

static int zone_coarsen(struct zone *c, const struct zone *z)
{
    *c = *z;
    c->ni = (z->ni - 1) / 2 + 1;
    c->nj = (z->nj - 1) / 2 + 1;
    const size_t ni = (size_t)c->ni, nj = (size_t)c->nj;
    c->x = malloc(ni * nj * sizeof *c->x);
    c->li = malloc((ni - 1) * nj * sizeof *c->li);
    c->lj = malloc(ni * (nj - 1) * sizeof *c->lj);
    if (!c->x || !c->li || !c->lj)
        return EXIT_FAILED;
    for (int j = 0; j < c->nj; j++)
        for (int i = 0; i < c->ni; i++) {
            c->x[j * c->ni + i] = z->x[2 * j * z->ni + 2 * i];
            const double *li = z->li + 2 * j * (z->ni - 1) + 2 * i,
                         *lj = z->lj + 2 * j * z->ni + 2 * i;
            if (i < c->ni - 1)
                c->li[j * (c->ni - 1) + i] = li[0] + li[1];
            if (j < c->nj - 1)
                c->lj[j * c->ni + i] = lj[0] + lj[z->ni];
        }
    return EXIT_DONE;
}

// Bilinear interpolation of the coarse zone.
static void zone_prolong(struct zone *z, const struct zone *c)
{
    const int ni = z->ni;
    for (int j = 0; j < z->nj; j += 2)
        for (int i = 0; i < ni; i += 2)
            z->x[j * ni + i] = c->x[j / 2 * c->ni + i / 2];
    for (int j = 0; j < z->nj; j += 2)
        for (int i = 1; i < ni; i += 2)
            z->x[j * ni + i] = scale(0.5, add(z->x[j * ni + i - 1], z->x[j * ni + i + 1]));
    for (int j = 1; j < z->nj; j += 2)
        for (int i = 0; i < ni; i++)
            z->x[j * ni + i] = scale(0.5, add(z->x[(j - 1) * ni + i], z->x[(j + 1) * ni + i]));
}

static void halve_links(struct mesh *c)
{
    for (int l = 0; l < c->nlink; l++)
        for (int d = 0; d < 2; d++) {
            c->link[l].a0[d] /= 2;
            c->link[l].a1[d] /= 2;
            c->link[l].b0[d] /= 2;
            c->link[l].b1[d] /= 2;
        }
}

// The finer mesh from the coarser one; the walls, first rows of the O zones, keep their own nodes.
static int prolong(struct mesh *m, const struct mesh *c)
{
    for (int k = 0; k < m->nz; k++) {
        const bool o = k % SECTOR_ZONES == Z_O;
        struct zone *z = &m->z[k];
        struct vec2 *wall = o ? malloc((size_t)z->ni * sizeof *wall) : NULL;
        if (o && !wall)
            return EXIT_FAILED;
        for (int i = 0; i < z->ni && o; i++)
            wall[i] = z->x[i];
        zone_prolong(z, &c->z[k]);
        for (int i = 0; i < z->ni && o; i++)
            z->x[i] = wall[i];
        free(wall);
    }
    return EXIT_DONE;
}

int multilevel_smooth(struct mesh *m, int sweeps)
{
    if (halves(m)) {
        struct mesh c = *m;
        int rc = EXIT_DONE;
        for (int k = 0; k < m->nz; k++)
            c.z[k].x = NULL, c.z[k].li = c.z[k].lj = NULL;
        for (int k = 0; k < m->nz && !rc; k++)
            rc = zone_coarsen(&c.z[k], &m->z[k]);
        halve_links(&c);
        if (!rc)
            rc = multilevel_smooth(&c, sweeps);
        rc = rc ? rc : prolong(m, &c);
        for (int k = 0; k < m->nz; k++) {
            free(c.z[k].x);
            free(c.z[k].li);
            free(c.z[k].lj);
        }
        if (rc)
            return rc;
    }
    return elliptic_smooth(m, sweeps);
}
