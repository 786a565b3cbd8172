// Coarse-to-fine start of the smoother: the mesh of every second node is smoothed first
// (recursively) and interpolated.
#include <stdlib.h>

#include "mesh.h"

static bool halves(const struct mesh *m)
{
    const int n[] = {m->n_front, m->n_pass, m->n_rear, m->m_down,
                     m->m_up,    m->n_in,   m->n_out,  m->n_normal};
    for (size_t k = 0; k < sizeof n / sizeof n[0]; k++)
        if (n[k] % 2 || n[k] < 4)
            return false;
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
    int *const n[] = {&c->n_front, &c->n_pass, &c->n_rear,   &c->m_down,  &c->m_up,
                      &c->n_in,    &c->n_out,  &c->n_normal, &c->n_around};
    for (size_t k = 0; k < sizeof n / sizeof n[0]; k++)
        *n[k] /= 2;
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
        if (!rc) {
            // the wall keeps its own nodes
            struct zone *o = &m->z[Z_O];
            struct vec2 *wall = malloc((size_t)o->ni * sizeof *wall);
            rc = wall ? EXIT_DONE : EXIT_FAILED;
            for (int i = 0; i < o->ni && wall; i++)
                wall[i] = o->x[i];
            for (int k = 0; k < m->nz && wall; k++)
                zone_prolong(&m->z[k], &c.z[k]);
            for (int i = 0; i < o->ni && wall; i++)
                o->x[i] = wall[i];
            free(wall);
        }
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
