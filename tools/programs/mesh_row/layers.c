// The whole mesh from the keys: blocks, and the nodes of all layers in space.
#include "row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// blade: 0 the main one, whose zones have their names alone. before: "hub_" for those in the gap at the hub.
static int block_new(struct row *r, const struct zone *z, int blade, const char *before, int level,
                     int layers)
{
    char name[sizeof r->grid.block[0].name];
    if (blade == 0)
        snprintf(name, sizeof name, "%s%.20s", before, z->name);
    else // blade_o becomes splitter_o
        snprintf(name, sizeof name, "splitter%s_%s%.15s", blade == 1 ? "" : "_2", before,
                 strncmp(z->name, "blade_", 6) == 0 ? z->name + 6 : z->name);
    return grid_block(&r->grid, name, z, level, layers);
}

static int blocks_of(struct row *r, const struct plane *top)
{
    for (int b = 0; b < r->set; b++)
        for (int z = 0; z < top->out[b].nz; z++)
            AN_TRY(block_new(r, &top->out[b].z[z], b, "", 0, r->nlayer - 1));
    for (int b = 0; b < r->set && counts_in_gaps(&r->n[0]); b++) {
        const struct counts *n = &r->n[b];
        struct mesh in;
        int rc = inside_shape(&in, r, b);
        for (int z = 0; z < in.nz && n->gap && !rc; z++)
            rc = block_new(r, &in.z[z], b, "", n->hub_gap + n->span, n->gap);
        for (int z = 0; z < in.nz && n->hub_gap && !rc; z++)
            rc = block_new(r, &in.z[z], b, "hub_", 0, n->hub_gap);
        blocks_free(&in);
        AN_TRY(rc);
    }
    return AN_OK;
}

static void place(struct row *r, int block, const struct zone *z, int k)
{
    const struct block *b = &r->grid.block[block];
    grid_place(b, k - b->level, z, &r->layer[k], &r->meridian);
}

void blocks_drop(struct row *r)
{
    for (int b = 0; b < 2 * MAX_SET; b++)
        blocks_free(&r->inside[b / MAX_SET][b % MAX_SET]);
    grid_drop(&r->grid);
}

// top: the uppermost layer, which has all zones and whose blocks and interfaces are those of the mesh.
static int layer_make(struct row *r, int k, bool top)
{
    struct plane q;
    const bool at_hub = k <= r->n[0].hub_gap;
    int rc = plane_layer(&q, r, k);
    if (!rc && top) {
        rc = blocks_of(r, &q);
        if (!rc)
            rc = joints_make(r, &q);
    }
    for (int b = 0; b < r->set && !rc; b++) {
        for (int z = 0; z < q.out[b].nz; z++)
            place(r, zone_index(r, b, z), &q.out[b].z[z], k);
        for (int z = 0; z < q.in[b].nz; z++)
            place(r, zone_index(r, b, (at_hub ? ZONE_HUB_RING : ZONE_RING) + z), &q.in[b].z[z], k);
    }
    plane_free(&q);
    return rc;
}

static int layer_below(void *of, int k)
{
    struct row *r = of;
    const int hub = r->n[0].hub_gap, layer = r->nlayer - 2 - k;
    return hub && layer == hub ? AN_OK : layer_make(r, layer, false);
}

// The layers of a gap follow its uppermost one, which is made before them.
static int layers_make(struct row *r)
{
    AN_TRY(layer_make(r, r->nlayer - 1, true));
    if (r->n[0].hub_gap)
        AN_TRY(layer_make(r, r->n[0].hub_gap, false));
    return side_by_side(r->nlayer - 1, layer_below, r);
}

int layers_again(struct row *r)
{
    blocks_drop(r);
    return layers_make(r);
}
