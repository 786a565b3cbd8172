// Interfaces and boundary patches of the whole mesh, from those of the plane meshes.
#include "row.h"

#include <stdlib.h>

// Direction of a line's travel in the plane, +-1 (i) or +-2 (j), and on which side of the zone it
// lies: + when the zone's cells lie towards larger indices.
static void line_axes(const struct zone *z, const int p0[2], const int p1[2], int *along,
                      int *across)
{
    const int d = p0[0] == p1[0] ? 1 : 0, c = 1 - d, last = c == 0 ? z->ni - 1 : z->nj - 1;
    *along = (p1[d] > p0[d] ? 1 : -1) * (d + 1);
    *across = (p0[c] == last ? -1 : 1) * (c + 1);
}

static int sign(int v)
{
    return v < 0 ? -1 : 1;
}

// Both directions of a line's interface over `layers` cells of the span, from layer ka of zone za
// and kb of zone zb on.
static void join(struct row *r, int za, const struct zone *a, const int a0[2], const int a1[2],
                 int ka, int zb, const struct zone *b, const int b0[2], const int b1[2], int kb,
                 int layers, int turn)
{
    for (int back = 0; back < 2; back++) {
        const struct zone *z[2] = {back ? b : a, back ? a : b};
        const int *p[2][2] = {{back ? b0 : a0, back ? b1 : a1}, {back ? a0 : b0, back ? a1 : b1}};
        const bool flip = p[0][0][0] > p[0][1][0] || p[0][0][1] > p[0][1][1];
        const int *lo = p[0][flip], *hi = p[0][!flip], *from = p[1][flip], *to = p[1][!flip];
        const int k0 = back ? kb : ka, k1 = back ? ka : kb;
        int da, ca, db, cb;
        line_axes(z[0], lo, hi, &da, &ca);
        line_axes(z[1], from, to, &db, &cb);
        struct joint *j = &r->joint[r->njoint++];
        *j = (struct joint){.zone = back ? zb : za,
                            .donor = back ? za : zb,
                            .lo = {lo[0], lo[1], k0},
                            .hi = {hi[0], hi[1], k0 + layers},
                            .from = {from[0], from[1], k1},
                            .to = {to[0], to[1], k1 + layers},
                            .transform = {0, 0, 3},
                            .turn = back ? -turn : turn};
        // travelling along a means travelling along b; leaving a across the face means entering b
        j->transform[abs(da) - 1] = sign(da) * db;
        j->transform[abs(ca) - 1] = -sign(ca) * cb;
    }
}

static void join_plane(struct row *r, const struct mesh *m, int first_zone, int layers)
{
    for (int l = 0; l < m->nlink; l++) {
        const struct link *c = &m->link[l];
        // y = -theta: a pitch up in the plane is a turn of -1
        join(r, first_zone + c->za, &m->z[c->za], c->a0, c->a1, 0, first_zone + c->zb, &m->z[c->zb],
             c->b0, c->b1, 0, layers, -c->shift);
    }
}

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
        join(r, outer, o, zero, at, from, inner, ring, at, zero, 0, layers, 0);
    join(r, outer, o, at, end, from, inner, ring, end, at, 0, layers, 0);
}

static void patch(struct row *r, const char *family, int zone, int direction, int high, int k0,
                  int k1)
{
    const int *n = r->block[zone].n;
    struct face *f = &r->face[r->nface++];
    *f = (struct face){family, zone, {0, 0, k0}, {n[0] - 1, n[1] - 1, k1}};
    f->lo[direction] = f->hi[direction] = high ? n[direction] - 1 : 0;
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
    patch(r, hub_of(r, zone), z, 2, 0, 0, 0);
    struct face *own = &r->face[r->nface - 1];
    if (!r->in.hub_parts || (zone == ZONE_INLET ? more <= 0 : zone != ZONE_OUTLET || behind <= 0))
        return;
    patch(r, "hub", z, 2, 0, 0, 0);
    if (zone == ZONE_INLET)
        own->hi[0] = own[1].lo[0] = r->n[0].in;
    else
        own->lo[0] = own[1].hi[0] = behind;
}

static void patches_of_blade(struct row *r, int b)
{
    static const char *const blade[MAX_SET] = {"blade", "splitter", "splitter_2"};
    const int last = r->nlayer - 1;
    patch(r, blade[b], zone_index(r, b, ZONE_O), 1, 0, r->n[b].hub_gap,
          r->n[b].hub_gap + r->n[b].span);
    patch(r, "inlet", zone_index(r, b, ZONE_INLET), 0, 0, 0, last);
    patch(r, "outlet", zone_index(r, b, ZONE_OUTLET), 0, 1, 0, last);
    for (int z = ZONE_O; z <= ZONE_OUTLET; z++) {
        hub_patch(r, b, z);
        patch(r, "shroud", zone_index(r, b, z), 2, 1, last, last);
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
    join_plane(r, in, zone_index(r, b, ring), layers);
    join_gap(r, b, wall, out, in);
    for (int z = ring; z <= ring + 1; z++) {
        const int own = wall == AT_HUB ? layers : 0;
        patch(r, end[wall][b], zone_index(r, b, z), 2, wall == AT_HUB, own, own);
        patch(r, wall == AT_HUB ? "hub" : "shroud", zone_index(r, b, z), 2, wall != AT_HUB,
              layers - own, layers - own);
    }
}

int joints_make(struct row *r, const struct plane *top)
{
    struct mesh all;
    r->njoint = r->nface = 0;
    sectors_join(&all, top->out, r->set);
    join_plane(r, &all, 0, r->nlayer - 1);
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
