// The whole mesh: keys, layers from them, nodes in space.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void keys_free(struct plane *key, int n)
{
    for (int k = 0; k < n; k++)
        plane_free(&key[k]);
}

// *worst: the smallest angle of all keys.
static int keys_make(struct row *r, double *worst)
{
    for (r->nkey = 0; r->nkey < r->in.keys; r->nkey++)
        AN_TRY(plane_sigma(&r->key[r->nkey], r, (double)r->nkey / (r->in.keys - 1)));
    *worst = M_PI;
    for (int k = 0; k < r->nkey; k++) {
        AN_TRY(plane_key(&r->key[k], r));
        *worst = fmin(*worst, r->key[k].worst.angle);
    }
    return AN_OK;
}

// Where the first counts give a small angle, others are searched and kept if their keys are better.
static int choose_corners(struct row *r)
{
    const double good = 30 * M_PI / 180;
    double worst, promised, got = 0;
    AN_TRY(keys_make(r, &worst));
    if (r->in.shift >= 0 || worst >= good)
        return AN_OK;
    const struct counts first = r->n;
    struct counts other = first;
    AN_TRY(search_corners(r, &other, &promised));
    struct plane key[MAX_KEYS];
    const int n = r->nkey;
    memcpy(key, r->key, sizeof key);
    memset(r->key, 0, sizeof r->key);
    r->n = other;
    const int rc = keys_make(r, &got);
    printf("corners of the ring  searched: smallest angle at the keys %.1f deg, %.1f deg before\n",
           got * 180 / M_PI, worst * 180 / M_PI);
    if (rc || got > worst) {
        keys_free(key, n);
        return rc;
    }
    keys_free(r->key, MAX_KEYS);
    memcpy(r->key, key, sizeof key);
    r->n = first;
    return AN_OK;
}

// The course of the O's radial lines: the first one is kept if it costs little of the angle that the
// smoothed rows have.
static int choose_lines(struct row *r)
{
    const double good = 30 * M_PI / 180;
    double best = -M_PI;
    int chosen = LINES_THROUGH;
    for (int way = LINES_THROUGH; way < LINES_WAYS; way++) {
        double before = M_PI, after = M_PI;
        r->lines = way;
        for (int k = 0; k < r->nkey; k += 2) {
            double few, all;
            AN_TRY(plane_lines(r, r->key[k].w, &few, &all));
            before = fmin(before, few);
            after = fmin(after, all);
        }
        if (after > best + 0.02) {
            best = after;
            chosen = way;
        }
        if (best > fmin(good, before - 0.02))
            break;
    }
    r->lines = chosen;
    return AN_OK;
}

int stack_build(struct row *r)
{
    r->lines = LINES_THROUGH;
    AN_TRY(counts_choose(r));
    AN_TRY(span_layers(r));
    AN_TRY(choose_corners(r));
    AN_TRY(choose_lines(r));
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
