/* Blocks one cell thick: which of them are plane, and what lies behind their cell. */
#include "kernels/base/topology.h"

/* Does the flow go on behind the boundary of a patch, in another zone that does not match one to one? */
static int has_other_side(const struct an_topology *t, const struct an_patch *patch)
{
    const enum an_bc_type type = t->boundary[patch->boundary].type;
    return type == AN_BC_ABUTTING || type == AN_BC_SLIDING_PLANE || type == AN_BC_MIXING_PLANE;
}

/* Do two windows lie on opposite faces of a block and share columns of cells? */
static int opposite(const struct an_window *w, const struct an_window *o)
{
    const int a = (w->dir + 1) % 3, b = (w->dir + 2) % 3;
    return o->block == w->block && o->dir == w->dir && o->side != w->side && o->lo[a] < w->hi[a] &&
           o->hi[a] > w->lo[a] && o->lo[b] < w->hi[b] && o->hi[b] > w->lo[b];
}

int an_interface_onto_itself(const struct an_topology *t, const struct an_interface *f)
{
    const int dir = f->window.dir;
    if (f->donor != f->window.block || f->donor_dir != dir || f->donor_side == f->window.side ||
        t->block[f->donor].n[dir] != 1)
        return 0;
    for (int d = 0; d < 3; d++)
        if (f->map.perm[d] != d || f->map.sign[d] != 1 || (d != dir && f->map.shift[d] != 0))
            return 0;
    return 1;
}

void an_topology_flat(const struct an_topology *t, int *flat)
{
    for (int b = 0; b < t->nblock; b++) {
        flat[b] = 0;
        for (int d = 0; d < 3; d++)
            flat[b] |= (t->block[b].n[d] == 1) << d;
    }
    for (int f = 0; f < t->ninterface; f++)
        if (!an_interface_onto_itself(t, &t->interface[f]))
            flat[t->interface[f].window.block] &= ~(1 << t->interface[f].window.dir);
    for (int p = 0; p < t->npatch; p++) {
        if (has_other_side(t, &t->patch[p]))
            flat[t->patch[p].window.block] &= ~(1 << t->patch[p].window.dir);
    }
}

int an_window_has_behind(const struct an_topology *t, const struct an_window *w)
{
    for (int f = 0; f < t->ninterface && t->block[w->block].n[w->dir] == 1; f++)
        if (opposite(w, &t->interface[f].window))
            return 1;
    return 0;
}

void an_topology_warn_thin(const struct an_topology *t, const char *file, struct an_diag *diag)
{
    for (int p = 0; p < t->npatch; p++) {
        const struct an_patch *plane = &t->patch[p];
        const struct an_zone *zone = &t->block[plane->window.block];
        if (zone->n[plane->window.dir] > 1 || !has_other_side(t, plane))
            continue;
        for (int q = 0; q < t->npatch; q++) {
            const struct an_patch *other = &t->patch[q];
            if (!opposite(&plane->window, &other->window) || (has_other_side(t, other) && q < p))
                continue;
            an_diag_warning(diag, file,
                            "zone '%s' is one cell thick between the boundaries '%s' and '%s': "
                            "neither finds a second cell behind its first one, so the flow there "
                            "is less accurate than with two cells",
                            zone->name, t->boundary[plane->boundary].name,
                            t->boundary[other->boundary].name);
        }
    }
}
