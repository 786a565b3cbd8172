/* The topology over the pieces: the mesh's interfaces and patches clipped to them, and the cuts.
 *
 * A window of the mesh is intersected with the pieces of its zone. Each share is mapped to the
 * donor zone and intersected with the pieces there; the result is mapped back by the inverse map.
 * With pieces a at lo_a and b at lo_b, cells of the zones c = c_a + lo_a, d = d_b + lo_b and
 * d = T c + s become d_b = T c_a + (s + T lo_a - lo_b).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/partition_cut.h"

struct builder {
    const struct an_topology *mesh;
    const struct an_cut_tree *tree;
    struct an_topology *out;
    int interface_capacity, patch_capacity;
    struct an_cut_list here, there;
};

struct span {
    int lo[3], hi[3];
};

static struct span clip(struct span s, const struct an_cut_node *n)
{
    for (int d = 0; d < 3; d++) {
        s.lo[d] = s.lo[d] > n->lo[d] ? s.lo[d] : n->lo[d];
        s.hi[d] = s.hi[d] < n->hi[d] ? s.hi[d] : n->hi[d];
    }
    return s;
}

static struct span map_span(const struct an_cellmap *m, struct span s)
{
    struct span r;
    int last[3] = {s.hi[0] - 1, s.hi[1] - 1, s.hi[2] - 1}, a[3], b[3];
    an_cellmap_apply(m, s.lo, a);
    an_cellmap_apply(m, last, b);
    for (int d = 0; d < 3; d++) {
        r.lo[d] = a[d] < b[d] ? a[d] : b[d];
        r.hi[d] = (a[d] < b[d] ? b[d] : a[d]) + 1;
    }
    return r;
}

/* The inner cells next to a window (depth 0), or the first ghost cells (depth 1). */
static struct span layer(const struct an_topology *t, const struct an_window *w, int depth)
{
    struct span s;
    memcpy(s.lo, w->lo, sizeof s.lo);
    memcpy(s.hi, w->hi, sizeof s.hi);
    s.lo[w->dir] = w->side ? t->block[w->block].n[w->dir] - 1 + depth : -depth;
    s.hi[w->dir] = s.lo[w->dir] + 1;
    return s;
}

/* The window of piece n whose inner cells are `s` of the zone. */
static struct an_window window_of(const struct an_cut_node *n, int dir, int side, struct span s)
{
    struct an_window w = {.block = n->piece, .dir = dir, .side = side};
    for (int d = 0; d < 3; d++) {
        w.lo[d] = d == dir ? 0 : s.lo[d] - n->lo[d];
        w.hi[d] = d == dir ? 0 : s.hi[d] - n->lo[d];
    }
    return w;
}

static struct an_cellmap map_of(const struct an_cellmap *zone, const struct an_cut_node *a,
                                const struct an_cut_node *b)
{
    struct an_cellmap m = *zone;
    for (int d = 0; d < 3; d++)
        m.shift[m.perm[d]] += m.sign[d] * a->lo[d] - b->lo[m.perm[d]];
    return m;
}

static int grow(void **array, int count, int *capacity, size_t size)
{
    if (count < *capacity)
        return AN_OK;
    int wanted = 2 * *capacity + 64;
    void *grown = realloc(*array, (size_t)wanted * size);
    AN_CHECK(grown, AN_FAIL, "out of memory for the interfaces of the pieces");
    *array = grown;
    *capacity = wanted;
    return AN_OK;
}

static int add_interface(struct builder *b, const struct an_interface *f)
{
    void *array = b->out->interface;
    AN_TRY(grow(&array, b->out->ninterface, &b->interface_capacity, sizeof *f));
    b->out->interface = array;
    b->out->interface[b->out->ninterface] = *f;
    b->out->interface[b->out->ninterface++].partner = -1;
    return AN_OK;
}

static int share_interface(struct builder *b, const struct an_interface *f)
{
    struct an_cellmap back = an_cellmap_inverse(&f->map);
    struct span inner = layer(b->mesh, &f->window, 0), ghost = layer(b->mesh, &f->window, 1);
    int dir = f->window.dir;
    b->here.n = 0;
    AN_TRY(an_cut_meet(b->tree, f->window.block, inner.lo, inner.hi, &b->here));
    for (int h = 0; h < b->here.n; h++) {
        const struct an_cut_node *here = &b->tree->node[b->here.node[h]];
        struct span mine = clip(inner, here);
        mine.lo[dir] = ghost.lo[dir];
        mine.hi[dir] = ghost.hi[dir];
        struct span donor = map_span(&f->map, mine);
        b->there.n = 0;
        AN_TRY(an_cut_meet(b->tree, f->donor, donor.lo, donor.hi, &b->there));
        for (int t = 0; t < b->there.n; t++) {
            const struct an_cut_node *there = &b->tree->node[b->there.node[t]];
            struct an_interface part = *f;
            part.window = window_of(here, dir, f->window.side, map_span(&back, clip(donor, there)));
            part.donor = there->piece;
            part.map = map_of(&f->map, here, there);
            AN_TRY(add_interface(b, &part));
        }
    }
    return AN_OK;
}

static int add_patch(struct builder *b, const struct an_window *w, int boundary)
{
    void *array = b->out->patch;
    AN_TRY(grow(&array, b->out->npatch, &b->patch_capacity, sizeof *b->out->patch));
    b->out->patch = array;
    b->out->patch[b->out->npatch++] = (struct an_patch){.window = *w, .boundary = boundary};
    return AN_OK;
}

static int share_patch(struct builder *b, const struct an_patch *patch)
{
    const struct an_window *w = &patch->window;
    struct span inner = layer(b->mesh, w, 0);
    b->here.n = 0;
    AN_TRY(an_cut_meet(b->tree, w->block, inner.lo, inner.hi, &b->here));
    for (int h = 0; h < b->here.n; h++) {
        const struct an_cut_node *n = &b->tree->node[b->here.node[h]];
        const struct an_window part = window_of(n, w->dir, w->side, clip(inner, n));
        AN_TRY(add_patch(b, &part, patch->boundary));
    }
    return AN_OK;
}

/* Cuts window w along the edges of window o: the parts beside o go to *rest, whose number is returned; w
 * becomes the common part. 0: they have no cells in common, or w lies within o. */
static int take_off(struct an_window *w, const struct an_window *o, struct an_window rest[4])
{
    int n = 0;
    for (int d = 0; d < 3; d++)
        if (d != w->dir && (o->lo[d] >= w->hi[d] || o->hi[d] <= w->lo[d]))
            return 0;
    for (int d = 0; d < 3; d++) {
        if (d == w->dir)
            continue;
        if (o->lo[d] > w->lo[d]) {
            rest[n] = *w;
            rest[n++].hi[d] = w->lo[d] = o->lo[d];
        }
        if (o->hi[d] < w->hi[d]) {
            rest[n] = *w;
            rest[n++].lo[d] = w->hi[d] = o->hi[d];
        }
    }
    return n;
}

/* A patch of a zone that is one cell thick there, in parts: behind each of them lie neighbours only, or
 * boundaries only. The first interface of the opposite face that divides the patch cuts it; the parts are
 * treated likewise. */
static int share_thin_patch(struct builder *b, const struct an_patch *patch)
{
    const struct an_window *w = &patch->window;
    for (int f = 0; f < b->mesh->ninterface; f++) {
        const struct an_window *o = &b->mesh->interface[f].window;
        struct an_patch part = *patch;
        struct an_window rest[4];
        if (o->block != w->block || o->dir != w->dir || o->side == w->side)
            continue;
        const int n = take_off(&part.window, o, rest);
        if (!n)
            continue;
        AN_TRY(share_thin_patch(b, &part));
        for (int r = 0; r < n; r++) {
            part.window = rest[r];
            AN_TRY(share_thin_patch(b, &part));
        }
        return AN_OK;
    }
    return share_patch(b, patch);
}

/* The cuts above a piece in direction dir, from both sides. */
static int add_cuts(struct builder *b, const struct an_cut_node *here, int dir)
{
    static const struct an_cellmap identity = {{0, 1, 2}, {1, 1, 1}, {0, 0, 0}};
    if (here->hi[dir] == b->mesh->block[here->zone].n[dir])
        return AN_OK;
    struct span above;
    memcpy(above.lo, here->lo, sizeof above.lo);
    memcpy(above.hi, here->hi, sizeof above.hi);
    above.lo[dir] = here->hi[dir];
    above.hi[dir] = above.lo[dir] + 1;
    b->there.n = 0;
    AN_TRY(an_cut_meet(b->tree, here->zone, above.lo, above.hi, &b->there));
    for (int t = 0; t < b->there.n; t++) {
        const struct an_cut_node *there = &b->tree->node[b->there.node[t]];
        struct an_interface f = {.name = "cut",
                                 .window = window_of(here, dir, 1, clip(above, there)),
                                 .donor = there->piece,
                                 .donor_dir = dir,
                                 .map = map_of(&identity, here, there)};
        for (int d = 0; d < 3; d++)
            f.rotation[4 * d] = 1;
        struct an_interface mirror = an_interface_mirror(&f);
        AN_TRY(add_interface(b, &f));
        AN_TRY(add_interface(b, &mirror));
    }
    return AN_OK;
}

static int add_blocks(struct builder *b, int npiece)
{
    const struct an_topology *mesh = b->mesh;
    b->out->block = calloc((size_t)npiece, sizeof *b->out->block);
    AN_CHECK(b->out->block, AN_FAIL, "out of memory for %d pieces of the mesh", npiece);
    b->out->nblock = npiece;
    for (int l = 0; l < b->tree->nnode; l++) {
        const struct an_cut_node *n = &b->tree->node[l];
        if (n->child >= 0)
            continue;
        struct an_zone *block = &b->out->block[n->piece];
        for (int d = 0; d < 3; d++)
            block->n[d] = n->hi[d] - n->lo[d];
        if (b->tree->node[n->zone].child < 0) {
            memcpy(block->name, mesh->block[n->zone].name, AN_NAME);
        } else {
            char tail[16];
            int length = snprintf(tail, sizeof tail, ".%d", n->piece);
            snprintf(block->name, AN_NAME, "%.*s%s", AN_NAME - 1 - length,
                     mesh->block[n->zone].name, tail);
        }
    }
    if (mesh->nboundary) {
        b->out->boundary = malloc((size_t)mesh->nboundary * sizeof *mesh->boundary);
        AN_CHECK(b->out->boundary, AN_FAIL, "out of memory for %d boundaries", mesh->nboundary);
        memcpy(b->out->boundary, mesh->boundary, (size_t)mesh->nboundary * sizeof *mesh->boundary);
        b->out->nboundary = mesh->nboundary;
    }
    return AN_OK;
}

static int build(struct builder *b, int npiece)
{
    AN_TRY(add_blocks(b, npiece));
    for (int f = 0; f < b->mesh->ninterface; f++)
        AN_TRY(share_interface(b, &b->mesh->interface[f]));
    for (int p = 0; p < b->mesh->npatch; p++)
        AN_TRY(b->mesh->block[b->mesh->patch[p].window.block].n[b->mesh->patch[p].window.dir] == 1
                   ? share_thin_patch(b, &b->mesh->patch[p])
                   : share_patch(b, &b->mesh->patch[p]));
    for (int l = 0; l < b->tree->nnode; l++)
        for (int dir = 0; dir < 3 && b->tree->node[l].child < 0; dir++)
            AN_TRY(add_cuts(b, &b->tree->node[l], dir));
    return AN_OK;
}

/* Finds the partners; a fault here means the mesh was not checked, or an error in this file. */
static int check(struct an_topology *t)
{
    struct an_diag diag;
    an_diag_init(&diag);
    an_topology_check(t, NULL, &diag);
    int status = AN_OK;
    if (diag.nerror)
        status = an_error_set(AN_INPUT, "the mesh cannot be cut into pieces: %s",
                              diag.nline ? diag.line[0] : "inconsistent topology");
    an_diag_free(&diag);
    return status;
}

int an_cut_topology(const struct an_topology *mesh, const struct an_cut_tree *t, int npiece,
                    struct an_topology *out)
{
    struct builder b = {.mesh = mesh, .tree = t, .out = out};
    int status = build(&b, npiece);
    free(b.here.node);
    free(b.there.node);
    return status == AN_OK ? check(out) : status;
}
