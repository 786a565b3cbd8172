// The whole mesh: keys, layers from them, nodes in space.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int block_new(struct row *r, const struct zone *z, int level, int layers)
{
    struct block *b = &r->block[r->nblock++];
    *b = (struct block){.n = {z->ni, z->nj, layers + 1}, .level = level};
    snprintf(b->name, sizeof b->name, "%s", z->name);
    const size_t total = (size_t)z->ni * (size_t)z->nj * ((size_t)layers + 1);
    b->x[0] = malloc(3 * total * sizeof *b->x[0]);
    AN_CHECK(b->x[0], AN_FAIL, "out of memory");
    b->x[1] = b->x[0] + total;
    b->x[2] = b->x[1] + total;
    return AN_OK;
}

static int blocks_of(struct row *r, const struct plane *top)
{
    for (int z = 0; z < top->out.nz; z++)
        AN_TRY(block_new(r, &top->out.z[z], 0, r->nlayer - 1));
    for (int z = 0; z < top->in.nz; z++)
        AN_TRY(block_new(r, &top->in.z[z], r->n.span, r->n.gap));
    return AN_OK;
}

static void place(struct row *r, struct block *b, const struct zone *z, int k)
{
    const struct layer *l = &r->layer[k];
    const size_t plane = (size_t)b->n[0] * (size_t)b->n[1], at = plane * (size_t)(k - b->level);
    for (size_t i = 0; i < plane; i++) {
        const double u = layer_u(l, z->x[i].x), theta = -z->x[i].y;
        const struct point p = meridian_point(&r->meridian, u, layer_v(l, u));
        b->x[0][at + i] = p.x;
        b->x[1][at + i] = p.r * cos(theta);
        b->x[2][at + i] = p.r * sin(theta);
    }
}

static int keys_make(struct row *r)
{
    for (; r->nkey < r->in.keys; r->nkey++)
        AN_TRY(plane_sigma(&r->key[r->nkey], r, (double)r->nkey / (r->in.keys - 1)));
    for (int k = 0; k < r->nkey; k++)
        AN_TRY(plane_key(&r->key[k], r));
    return AN_OK;
}

int stack_build(struct row *r)
{
    AN_TRY(counts_choose(r));
    AN_TRY(span_layers(r));
    AN_TRY(keys_make(r));
    for (int k = r->nlayer - 1; k >= 0; k--) { // the uppermost layer has all zones
        struct plane q;
        int rc = plane_layer(&q, r, k);
        if (!rc && k == r->nlayer - 1) {
            rc = blocks_of(r, &q);
            if (!rc)
                joints_make(r, &q);
        }
        for (int z = 0; z < q.out.nz && !rc; z++)
            place(r, &r->block[z], &q.out.z[z], k);
        for (int z = 0; z < q.in.nz && !rc; z++)
            place(r, &r->block[ZONE_RING + z], &q.in.z[z], k);
        plane_free(&q);
        AN_TRY(rc);
    }
    return AN_OK;
}

void row_free(struct row *r)
{
    for (int k = 0; k <= r->nkey && k < MAX_KEYS; k++)
        plane_free(&r->key[k]);
    blocks_free(&r->inside);
    for (int b = 0; b < r->nblock; b++)
        free(r->block[b].x[0]);
    free(r->layer);
    free(r->w);
    meridian_free(&r->meridian);
    blade_free(&r->blade);
    *r = (struct row){0};
}
