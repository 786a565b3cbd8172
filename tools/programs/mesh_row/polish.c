// Polishing: the wanted lengths of a plane mesh give way where its angles are small.
#include "row.h"

#include <math.h>
#include <stdlib.h>

enum { POLISH = 4, SWEEPS = 20 };

// Nodes of all zones, one after the other; to: into the mesh.
static void copy_nodes(struct mesh *m, struct vec2 *x, bool to)
{
    for (int k = 0; k < m->nz; k++)
        for (int i = 0; i < m->z[k].ni * m->z[k].nj; i++, x++)
            *(to ? &m->z[k].x[i] : x) = *(to ? x : &m->z[k].x[i]);
}

static size_t nodes_of(const struct mesh *m)
{
    size_t n = 0;
    for (int k = 0; k < m->nz; k++)
        n += (size_t)m->z[k].ni * (size_t)m->z[k].nj;
    return n;
}

int mesh_polish(struct mesh *m, struct worst *w, double enough, bool barrier)
{
    struct vec2 *x = malloc(nodes_of(m) * sizeof *x);
    AN_CHECK(x, AN_FAIL, "out of memory");
    int rc = AN_OK;
    for (int pass = 0; pass < POLISH && w->angle < enough && !rc; pass++) {
        busy("smooths on where angles are small");
        struct worst now;
        copy_nodes(m, x, false);
        m->steep = true;
        m->barrier = barrier && w->folded == 0;
        rc = worst_give_way(m, 0.6 * MESH_POLISHED, 1.3 * MESH_POLISHED) ||
                     elliptic_smooth(m, SWEEPS)
                 ? an_error_set(AN_FAIL, "out of memory")
                 : AN_OK;
        m->steep = m->barrier = false;
        mesh_worst(&now, m);
        if (!rc && now.angle < w->angle + 0.005) {
            copy_nodes(m, x, true);
            break;
        }
        *w = now;
    }
    free(x);
    return rc;
}
