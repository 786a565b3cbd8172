#include "kernels/base/topology.h"

#include <stdlib.h>
#include <string.h>

void an_topology_init(struct an_topology *t)
{
    memset(t, 0, sizeof *t);
}

void an_topology_free(struct an_topology *t)
{
    free(t->block);
    free(t->interface);
    free(t->patch);
    free(t->boundary);
    an_topology_init(t);
}

static int copy_array(const void *from, int n, size_t size, void **to)
{
    *to = NULL;
    if (n <= 0)
        return AN_OK;
    *to = malloc((size_t)n * size);
    AN_CHECK(*to, AN_FAIL, "out of memory for the mesh topology");
    memcpy(*to, from, (size_t)n * size);
    return AN_OK;
}

int an_topology_copy(const struct an_topology *from, struct an_topology *to)
{
    void *block = NULL, *interface = NULL, *patch = NULL, *boundary = NULL;
    int status = copy_array(from->block, from->nblock, sizeof *from->block, &block);
    if (status == AN_OK)
        status = copy_array(from->interface, from->ninterface, sizeof *from->interface, &interface);
    if (status == AN_OK)
        status = copy_array(from->patch, from->npatch, sizeof *from->patch, &patch);
    if (status == AN_OK)
        status = copy_array(from->boundary, from->nboundary, sizeof *from->boundary, &boundary);
    if (status != AN_OK) {
        free(block);
        free(interface);
        free(patch);
        free(boundary);
        an_topology_init(to);
        return status;
    }
    *to = *from;
    to->block = block;
    to->interface = interface;
    to->patch = patch;
    to->boundary = boundary;
    return AN_OK;
}

int64_t an_topology_cells(const struct an_topology *t)
{
    int64_t sum = 0;
    for (int b = 0; b < t->nblock; b++) {
        const int *n = t->block[b].n;
        sum += (int64_t)n[0] * n[1] * n[2];
    }
    return sum;
}

int64_t an_window_faces(const struct an_window *w)
{
    const int a = (w->dir + 1) % 3, b = (w->dir + 2) % 3;
    return (int64_t)(w->hi[a] - w->lo[a]) * (w->hi[b] - w->lo[b]);
}

int an_boundary_find(const struct an_topology *t, const char *name)
{
    for (int b = 0; b < t->nboundary; b++)
        if (strcmp(t->boundary[b].name, name) == 0)
            return b;
    return -1;
}

const char *an_face_name(int dir, int side)
{
    static const char *const name[3][2] = {{"imin", "imax"}, {"jmin", "jmax"}, {"kmin", "kmax"}};
    if (dir < 0 || dir > 2 || side < 0 || side > 1)
        return "?";
    return name[dir][side];
}

void an_cellmap_apply(const struct an_cellmap *m, const int c[3], int donor[3])
{
    int d[3] = {0, 0, 0}; /* c and donor may be the same array */
    for (int a = 0; a < 3; a++)
        d[m->perm[a]] = m->sign[a] * c[a] + m->shift[m->perm[a]];
    memcpy(donor, d, sizeof d);
}

struct an_cellmap an_cellmap_inverse(const struct an_cellmap *m)
{
    struct an_cellmap inverse;
    for (int a = 0; a < 3; a++) {
        int d = m->perm[a];
        inverse.perm[d] = a;
        inverse.sign[d] = m->sign[a];
        inverse.shift[a] = -m->sign[a] * m->shift[d];
    }
    return inverse;
}

/* Cell c lies between nodes c and c + 1. Where the donor runs backwards its cell s - c lies between
 * nodes s - c and s - c + 1, and node c is the upper one. */
struct an_cellmap an_cellmap_nodes(const struct an_cellmap *m)
{
    struct an_cellmap nodes = *m;
    for (int a = 0; a < 3; a++)
        if (m->sign[a] < 0)
            nodes.shift[m->perm[a]]++;
    return nodes;
}

int an_cellmap_is_valid(const struct an_cellmap *m)
{
    int seen = 0;
    for (int a = 0; a < 3; a++) {
        if (m->perm[a] < 0 || m->perm[a] > 2 || (m->sign[a] != 1 && m->sign[a] != -1) ||
            m->shift[a] < -(1 << 30) || m->shift[a] > 1 << 30)
            return 0;
        seen |= 1 << m->perm[a];
    }
    return seen == 7;
}

int an_cellmap_det(const struct an_cellmap *m)
{
    int even = (m->perm[0] + 1) % 3 == m->perm[1];
    return (even ? 1 : -1) * m->sign[0] * m->sign[1] * m->sign[2];
}

struct an_interface an_interface_mirror(const struct an_interface *f)
{
    struct an_interface g = *f;
    const struct an_cellmap *m = &f->map;
    g.window.block = f->donor;
    g.window.dir = f->donor_dir;
    g.window.side = f->donor_side;
    for (int a = 0; a < 3; a++) {
        int d = m->perm[a];
        int first = m->sign[a] * f->window.lo[a] + m->shift[d];
        int last = m->sign[a] * (f->window.hi[a] - 1) + m->shift[d];
        g.window.lo[d] = a == f->window.dir ? 0 : (first < last ? first : last);
        g.window.hi[d] = a == f->window.dir ? 0 : (first < last ? last : first) + 1;
    }
    g.donor = f->window.block;
    g.donor_dir = f->window.dir;
    g.donor_side = f->window.side;
    g.map = an_cellmap_inverse(m);
    for (int r = 0; r < 3; r++) {
        double t = 0; /* x_donor = R^T (x_here - t) */
        for (int c = 0; c < 3; c++) {
            g.rotation[3 * r + c] = f->rotation[3 * c + r];
            t -= f->rotation[3 * c + r] * f->translation[c];
        }
        g.translation[r] = f->periodic ? t : 0.;
    }
    g.partner = -1;
    return g;
}
