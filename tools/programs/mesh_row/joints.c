// Interfaces and boundary patches of the whole mesh, from those of the plane meshes.
#include "row.h"

// The O beyond the blade's end and the ring inside it, in the two parts into which the ring's start cuts it.
static void join_gap(struct row *r, int b, int wall, const struct mesh *out, const struct mesh *in)
{
    const struct zone *o = &out->z[Z_O], *ring = &in->z[0];
    const struct counts *c = &r->n[b];
    const int n = out->n_around, start = c->lead_down - c->core / 2,
              outer = zone_index(r, b, ZONE_O),
              inner = zone_index(r, b, wall == AT_HUB ? ZONE_HUB_RING : ZONE_RING),
              from = wall == AT_HUB ? 0 : c->hub_gap + c->span,
              layers = wall == AT_HUB ? c->hub_gap : c->gap;
    const int zero[2] = {0, 0}, at[2] = {start, 0}, end[2] = {n, 0};
    if (start > 0)
        grid_join(&r->grid, &(struct line_end){outer, from, o, {zero, at}},
                  &(struct line_end){inner, 0, ring, {at, zero}}, layers, 0);
    grid_join(&r->grid, &(struct line_end){outer, from, o, {at, end}},
              &(struct line_end){inner, 0, ring, {end, at}}, layers, 0);
}

// The hub ahead of the blade and behind it may be boundaries of their own.
static const char *hub_of(const struct row *r, int zone)
{
    return !r->in.hub_parts      ? "hub"
           : zone == ZONE_INLET  ? "hub_up"
           : zone == ZONE_OUTLET ? "hub_down"
                                 : "hub";
}

// A splitter's block lies beside the main blade for a part, where the hub is the row's own.
static void hub_patch(struct row *r, int b, int zone)
{
    const int z = zone_index(r, b, zone), more = r->n[b].in - r->n[0].in,
              behind = r->n[b].out - r->n[0].out;
    struct face *own = grid_patch(&r->grid, hub_of(r, zone), z, 2, 0, 0, 0);
    if (!r->in.hub_parts || (zone == ZONE_INLET ? more <= 0 : zone != ZONE_OUTLET || behind <= 0))
        return;
    grid_patch(&r->grid, "hub", z, 2, 0, 0, 0);
    if (zone == ZONE_INLET)
        own->hi[0] = own[1].lo[0] = r->n[0].in;
    else
        own->lo[0] = own[1].hi[0] = behind;
}

static void patches_of_blade(struct row *r, int b)
{
    static const char *const blade[MAX_SET] = {"blade", "splitter", "splitter_2"};
    const int last = r->nlayer - 1;
    grid_patch(&r->grid, blade[b], zone_index(r, b, ZONE_O), 1, 0, r->n[b].hub_gap,
               r->n[b].hub_gap + r->n[b].span);
    grid_patch(&r->grid, "inlet", zone_index(r, b, ZONE_INLET), 0, 0, 0, last);
    grid_patch(&r->grid, "outlet", zone_index(r, b, ZONE_OUTLET), 0, 1, 0, last);
    for (int z = ZONE_O; z <= ZONE_OUTLET; z++) {
        hub_patch(r, b, z);
        grid_patch(&r->grid, "shroud", zone_index(r, b, z), 2, 1, last, last);
    }
}

// Zones, links and patches of a blade's gap at the hub or at the casing.
static void gap_of_blade(struct row *r, int b, int wall, const struct mesh *out,
                         const struct mesh *in)
{
    static const char *const end[2][MAX_SET] = {
        {"hub_tip", "splitter_hub_tip", "splitter_2_hub_tip"},
        {"tip", "splitter_tip", "splitter_2_tip"}};
    const int layers = wall == AT_HUB ? r->n[b].hub_gap : r->n[b].gap,
              ring = wall == AT_HUB ? ZONE_HUB_RING : ZONE_RING;
    if (layers == 0)
        return;
    grid_join_plane(&r->grid, in, zone_index(r, b, ring), layers);
    join_gap(r, b, wall, out, in);
    for (int z = ring; z <= ring + 1; z++) {
        const int own = wall == AT_HUB ? layers : 0;
        grid_patch(&r->grid, end[wall][b], zone_index(r, b, z), 2, wall == AT_HUB, own, own);
        grid_patch(&r->grid, wall == AT_HUB ? "hub" : "shroud", zone_index(r, b, z), 2,
                   wall != AT_HUB, layers - own, layers - own);
    }
}

int joints_make(struct row *r, const struct plane *top)
{
    struct mesh all;
    r->grid.njoint = r->grid.nface = 0;
    sectors_join(&all, top->out, r->set);
    grid_join_plane(&r->grid, &all, 0, r->nlayer - 1);
    for (int b = 0; b < r->set; b++)
        patches_of_blade(r, b);
    for (int b = 0; b < r->set && counts_in_gaps(&r->n[b]); b++) {
        struct mesh in;
        const int rc = inside_shape(&in, r, b);
        for (int wall = AT_CASING; wall >= AT_HUB && !rc; wall--)
            gap_of_blade(r, b, wall, &top->out[b], &in);
        blocks_free(&in);
        AN_TRY(rc);
    }
    return AN_OK;
}
