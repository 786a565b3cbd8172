/* Zones with left-handed indices: their third direction is reversed when they are read.
 *
 * Everything behind the reader sees right-handed zones: topology, nodes (an_mesh_read_nodes), and with them snapshots. This
 * works on what the reader has found in the order of the file, before sides are paired and nodes compared.
 */
#include "io/mesh_internal.h"

static void reverse_window(const struct an_mesh *m, struct an_window *w)
{
    const int n = m->topology.block[w->block].n[2], lo = w->lo[2];
    if (!m->scale[w->block].reversed)
        return;
    if (w->dir == 2) {
        w->side = !w->side;
        return;
    }
    w->lo[2] = n - w->hi[2];
    w->hi[2] = n - lo;
}

static void reverse_interface(const struct an_mesh *m, struct an_interface *f)
{
    struct an_cellmap *map = &f->map;
    const struct an_zone *zone = m->topology.block;
    if (m->scale[f->window.block].reversed) {
        map->shift[map->perm[2]] += map->sign[2] * (zone[f->window.block].n[2] - 1);
        map->sign[2] = -map->sign[2];
    }
    if (m->scale[f->donor].reversed) {
        for (int d = 0; d < 3; d++)
            if (map->perm[d] == 2)
                map->sign[d] = -map->sign[d];
        map->shift[2] = zone[f->donor].n[2] - 1 - map->shift[2];
        f->donor_side = f->donor_dir == 2 ? !f->donor_side : f->donor_side;
    }
    reverse_window(m, &f->window);
}

void an_mesh_reverse(struct an_mesh_reader *r)
{
    struct an_mesh *m = r->m;
    const struct an_zone *zone = m->topology.block;
    for (int z = 0; z < m->topology.nblock; z++) {
        m->scale[z].reversed = m->scale[z].left_handed;
        if (m->scale[z].reversed)
            an_diag_warning(r->diag, an_mesh_where(r, z, NULL),
                            "its indices are left-handed: its direction k is reversed, also in "
                            "snapshots%s",
                            zone[z].n[0] == zone[z].n[2]
                                ? "; if its arrays were saved in row-major order, i and k are "
                                  "exchanged and boundaries are on wrong faces"
                                : "");
    }
    for (int p = 0; p < m->topology.npatch; p++)
        reverse_window(m, &m->topology.patch[p].window);
    for (int f = 0; f < m->topology.ninterface; f++)
        reverse_interface(m, &m->topology.interface[f]);
    for (int p = 0; p < r->nplane; p++)
        reverse_window(m, &r->plane[p].window);
    for (int a = 0; a < r->nabut; a++)
        for (int w = 0; w < r->abut[a].nwindow; w++)
            reverse_window(m, &r->abut[a].window[w]);
}
