// The whole mesh: keys, layers from them, nodes in space.
#include "row.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// blade: 0 the main one, whose zones have their names alone. before: "hub_" for those in the gap at the hub.
static int block_new(struct row *r, const struct zone *z, int blade, const char *before, int level,
                     int layers)
{
    struct block *b = &r->block[r->nblock++];
    *b = (struct block){.n = {z->ni, z->nj, layers + 1}, .level = level};
    if (blade == 0)
        snprintf(b->name, sizeof b->name, "%s%.20s", before, z->name);
    else // blade_o becomes splitter_o
        snprintf(b->name, sizeof b->name, "splitter%s_%s%.15s", blade == 1 ? "" : "_2", before,
                 strncmp(z->name, "blade_", 6) == 0 ? z->name + 6 : z->name);
    const size_t total = (size_t)z->ni * (size_t)z->nj * ((size_t)layers + 1);
    b->x[0] = malloc(3 * total * sizeof *b->x[0]);
    AN_CHECK(b->x[0], AN_FAIL, "out of memory");
    b->x[1] = b->x[0] + total;
    b->x[2] = b->x[1] + total;
    return AN_OK;
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

// *worst: the smallest angle of all keys, or of the first ones if one of these has no more than `enough`: the
// others then are not made.
static int keys_make(struct row *r, double enough, double *worst)
{
    for (r->nkey = 0; r->nkey < r->in.keys; r->nkey++)
        AN_TRY(plane_sigma(&r->key[r->nkey], r, (double)r->nkey / (r->in.keys - 1)));
    AN_TRY(around_agree(r));
    *worst = M_PI;
    for (int k = 0; k<r->nkey && * worst> enough; k++) {
        // from both ends, where the worst angle mostly is, to the middle
        struct plane *q = &r->key[k % 2 ? r->nkey - 1 - k / 2 : k / 2];
        AN_TRY(plane_key(q, r));
        *worst = fmin(*worst, q->worst.angle);
    }
    return AN_OK;
}

// The smallest angle of the keys with other counts, which stay if it is larger than *worst.
static int try_counts(struct row *r, const struct choice *other, double *worst)
{
    struct choice before;
    const int n = r->nkey;
    double got = 0;
    struct plane key[MAX_KEYS];
    memcpy(key, r->key, sizeof key);
    memset(r->key, 0, sizeof r->key);
    memcpy(before.n, r->n, sizeof r->n);
    memcpy(r->n, other->n, sizeof r->n);
    const int rc = keys_make(r, *worst, &got);
    printf("corners of the ring  searched: smallest angle at the keys %.1f deg, %.1f deg before\n",
           got * 180 / M_PI, *worst * 180 / M_PI);
    // several blades: what gains next to nothing in the plane meshes may cost the layers between them more
    if (rc || got > *worst + (r->set > 1 ? 0.01 : 0)) {
        *worst = got;
        keys_free(key, n);
        return rc;
    }
    keys_free(r->key, MAX_KEYS);
    memcpy(r->key, key, sizeof key);
    memcpy(r->n, before.n, sizeof r->n);
    return AN_OK;
}

// Where the first counts give a small angle, others are searched and kept if their keys are better: the best
// ones, and where quick meshes promised too much, the next ones. *worst: the smallest angle of the keys.
static int choose_corners(struct row *r, double *worst)
{
    const double good = 30 * M_PI / 180, fair = 20 * M_PI / 180, hopeless = 6 * M_PI / 180;
    struct choice other[CHOICES];
    int n;
    const bool search = r->in.shift < 0;
    AN_TRY(keys_make(r, search ? hopeless : -M_PI, worst));
    if (!search || *worst >= good)
        return AN_OK;
    struct choice first;
    memcpy(first.n, r->n, sizeof r->n);
    const double before = *worst;
    AN_TRY(search_corners(r, other, &n));
    for (int k = 0; k < n && (k == 0 || *worst < fair); k++)
        AN_TRY(try_counts(r, &other[k], worst));
    if (*worst > before || before > hopeless)
        return AN_OK;
    keys_free(r->key, MAX_KEYS); // some of them were never made
    memcpy(r->n, first.n, sizeof r->n);
    return keys_make(r, -M_PI, worst);
}

static void blocks_drop(struct row *r)
{
    for (int b = 0; b < 2 * MAX_SET; b++)
        blocks_free(&r->inside[b / MAX_SET][b % MAX_SET]);
    for (int b = 0; b < r->nblock; b++)
        free(r->block[b].x[0]);
    r->nblock = 0;
}

// One multigrid level less, and the counts, keys and layers from anew.
static void fewer_levels(struct row *r)
{
    r->in.levels--;
    blocks_drop(r);
    keys_free(r->key, MAX_KEYS);
    free(r->layer);
    free(r->w);
    r->layer = NULL;
    r->w = NULL;
    r->y_in_slope = r->y_out_slope = 0;
}

// Counts, layers and keys. Where no counts with as many multigrid levels as wanted give a mesh, one level
// less allows finer steps of the counts.
static int choose_counts(struct row *r)
{
    const double poor = 6 * M_PI / 180;
    for (;;) {
        double worst;
        AN_TRY(counts_choose(r));
        AN_TRY(span_layers(r));
        AN_TRY(choose_corners(r, &worst));
        if (worst > poor || r->in.levels <= 2 || r->in.shift >= 0)
            return AN_OK;
        printf("multigrid            no mesh with %d levels: the counts allow %d\n", r->in.levels,
               r->in.levels - 1);
        fewer_levels(r);
    }
}

// The course of the O's radial lines: the first one is kept if it costs little of the angle that the
// smoothed rows have.
int lines_choose(struct row *r)
{
    const double good = 30 * M_PI / 180;
    double best = -M_PI;
    int chosen = LINES_THROUGH;
    for (int way = LINES_THROUGH; way < LINES_WAYS; way++) {
        double before = M_PI, after = M_PI;
        r->lines = way;
        for (int k = 0; k < r->nkey; k += 2) {
            struct lines_figures f;
            AN_TRY(plane_lines(r, r->key[k].w, &f));
            before = fmin(before, f.few);
            after = fmin(after, f.all);
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

static int layers_make(struct row *r)
{
    for (int k = r->nlayer - 1; k >= 0; k--) { // the uppermost layer has all zones
        struct plane q;
        const bool at_hub = k <= r->n[0].hub_gap;
        int rc = plane_layer(&q, r, k);
        if (!rc && k == r->nlayer - 1) {
            rc = blocks_of(r, &q);
            if (!rc)
                rc = joints_make(r, &q);
        }
        for (int b = 0; b < r->set && !rc; b++) {
            for (int z = 0; z < q.out[b].nz; z++)
                place(r, &r->block[zone_index(r, b, z)], &q.out[b].z[z], k);
            for (int z = 0; z < q.in[b].nz; z++)
                place(r, &r->block[zone_index(r, b, (at_hub ? ZONE_HUB_RING : ZONE_RING) + z)],
                      &q.in[b].z[z], k);
        }
        plane_free(&q);
        AN_TRY(rc);
    }
    return AN_OK;
}

int layers_again(struct row *r)
{
    blocks_drop(r);
    return layers_make(r);
}

int stack_build(struct row *r)
{
    for (;;) {
        struct figures f;
        r->lines = LINES_THROUGH;
        r->widen = 0;
        AN_TRY(choose_counts(r));
        AN_TRY(fillet_room(r));
        AN_TRY(mix_choose(r));
        AN_TRY(lines_choose(r));
        AN_TRY(layers_make(r));
        AN_TRY(figures_of(&f, r));
        AN_TRY(even_choose(r, &f));
        if (f.folded + f.negative == 0 || r->in.levels <= 2 || r->in.shift >= 0)
            return AN_OK;
        printf("multigrid            %ld cells are folded with %d levels: tried again with %d\n",
               f.folded, r->in.levels, r->in.levels - 1);
        fewer_levels(r);
    }
}

void row_free(struct row *r)
{
    for (int k = 0; k <= r->nkey && k < MAX_KEYS; k++)
        plane_free(&r->key[k]);
    blocks_drop(r);
    free(r->layer);
    free(r->w);
    meridian_free(&r->meridian);
    for (int b = 0; b < MAX_SET; b++)
        blade_free(&r->blade[b]);
    *r = (struct row){0};
}
