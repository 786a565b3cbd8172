/* Boxes of a level: all cells, those next to faces that are sent, the rest, boundary cells of blocks, and the ghosts
 * behind their faces. */
#include "solver/level/level.h"
#include "solver/level/replicated.h"

#include <stdlib.h>
#include <string.h>

/* A list of boxes that grows. */
struct boxes {
    int n, capacity;
    struct an_box *box;
};

static int add_box(struct boxes *l, int block, const int lo[3], const int hi[3])
{
    for (int d = 0; d < 3; d++)
        if (lo[d] >= hi[d])
            return AN_OK;
    if (l->n == l->capacity) {
        int capacity = l->capacity ? 2 * l->capacity : 64;
        struct an_box *grown = realloc(l->box, (size_t)capacity * sizeof *grown);
        AN_CHECK(grown, AN_FAIL, "out of memory for boxes");
        l->box = grown;
        l->capacity = capacity;
    }
    struct an_box *b = &l->box[l->n++];
    b->block = block;
    memcpy(b->lo, lo, sizeof b->lo);
    memcpy(b->hi, hi, sizeof b->hi);
    return AN_OK;
}

/* Which faces of each local block are sent to other ranks: sent[nlocal][dir][side]. */
static void faces_sent(const struct an_solver *s, const struct an_level *l, const int *place,
                       int (*sent)[3][2])
{
    const struct an_topology *t = &l->partition.topology;
    for (int i = 0; i < t->ninterface; i++) {
        const struct an_interface *f = &t->interface[i];
        int b = place[f->window.block];
        if (b >= 0 && l->partition.piece[f->donor].rank != an_replicated_rank(s, l))
            sent[b][f->window.dir][f->window.side] = 1;
    }
}

/* Cells within reach[direction] of a face that is sent (shell), and the rest (core). */
static int split_shell(const struct an_block *block, int b, int sent[3][2], const int reach[3],
                       struct boxes *shell, struct boxes *core)
{
    int lo[3] = {0, 0, 0}, hi[3] = {block->n[0], block->n[1], block->n[2]};
    for (int d = 2; d >= 0; d--)
        for (int side = 0; side < 2; side++) {
            if (!sent[d][side])
                continue;
            int a[3], z[3];
            memcpy(a, lo, sizeof a);
            memcpy(z, hi, sizeof z);
            int depth = hi[d] - lo[d] < reach[d] ? hi[d] - lo[d] : reach[d];
            if (side)
                a[d] = hi[d] = hi[d] - depth;
            else
                z[d] = lo[d] = lo[d] + depth;
            AN_TRY(add_box(shell, b, a, z));
        }
    return add_box(core, b, lo, hi);
}

/* Ghost cells behind a window of the local block b. */
static int add_behind(struct boxes *list, const struct an_level *l, int b,
                      const struct an_window *w)
{
    int lo[3], hi[3];
    memcpy(lo, w->lo, sizeof lo);
    memcpy(hi, w->hi, sizeof hi);
    lo[w->dir] = w->side ? l->layout.block[b].n[w->dir] : -AN_GHOST;
    hi[w->dir] = lo[w->dir] + AN_GHOST;
    return add_box(list, b, lo, hi);
}

/* Ghost cells that hold states of cells. place[]: the number of a local block; -1: it is none. */
static int add_copied(const struct an_solver *s, const struct an_level *l, const int *place,
                      struct boxes *list)
{
    const struct an_topology *t = &l->partition.topology;
    for (int i = 0; i < t->ninterface; i++) {
        const struct an_window *w = &t->interface[i].window;
        if (place[w->block] >= 0)
            AN_TRY(add_behind(list, l, place[w->block], w));
    }
    for (int i = 0; i < t->npatch; i++) {
        const struct an_window *w = &t->patch[i].window;
        const int type = s->boundary[t->patch[i].boundary].type;
        if (place[w->block] >= 0 && (type == AN_BC_SLIDING_PLANE || type == AN_BC_ABUTTING))
            AN_TRY(add_behind(list, l, place[w->block], w));
    }
    return AN_OK;
}

/* Tiles of the blocks of own pieces, numbered as on the finer level, which is not whole. */
static int own_boxes(struct an_solver *s, struct an_level *l)
{
    struct an_layout own = l->layout;
    own.nblock = s->nlocal;
    own.interior = 0;
    own.block = malloc(((size_t)s->nlocal + 1) * sizeof *own.block);
    struct boxes list = {0};
    int status = own.block ? AN_OK : an_error_set(AN_FAIL, "out of memory for boxes");
    for (int b = 0; b < s->nlocal && status == AN_OK; b++) {
        const int zero[3] = {0, 0, 0};
        own.block[b] = l->layout.block[s->local[b]];
        own.interior += (int64_t)own.block[b].n[0] * own.block[b].n[1] * own.block[b].n[2];
        status = add_box(&list, b, zero, own.block[b].n);
    }
    if (status == AN_OK)
        status = s->engine->op->tiles_new(s->engine, &own, list.n, list.box, &l->own);
    free(list.box);
    free(own.block);
    return status;
}

int an_level_boxes(struct an_solver *s, struct an_level *l)
{
    const struct an_topology *t = &l->partition.topology;
    enum { INTERIOR, SHELL, CORE, RIM, BEYOND, COPIED, NLIST };
    struct boxes list[NLIST] = {{0}}, rest = {0};
    int all[3][2] = {{1, 1}, {1, 1}, {1, 1}};
    static const int one[3] = {1, 1, 1}, sent_layers[3] = {AN_GHOST, AN_GHOST, AN_GHOST};
    /* whole tiles of a device: thinner slabs cost as much, or more where threads stand along i */
    static const int whole_tiles[3] = {32, 8, 8};
    const int *reach = s->engine->device_memory ? whole_tiles : sent_layers;
    struct an_tiles **tiles[NLIST] = {&l->interior,       &l->shell,  &l->core,
                                      &l->boundary_cells, &l->ghosts, &l->copied};
    int *place = malloc((size_t)t->nblock * sizeof *place);
    int(*sent)[3][2] = calloc((size_t)(l->nlocal ? l->nlocal : 1), sizeof *sent);
    int status = place && sent ? AN_OK : an_error_set(AN_FAIL, "out of memory for boxes");
    if (status == AN_OK) {
        for (int b = 0; b < t->nblock; b++)
            place[b] = -1;
        for (int b = 0; b < l->nlocal; b++)
            place[l->local[b]] = b;
        faces_sent(s, l, place, sent);
    }
    for (int b = 0; b < l->nlocal && status == AN_OK; b++) {
        const struct an_block *block = &l->layout.block[b];
        const int zero[3] = {0, 0, 0};
        status = add_box(&list[INTERIOR], b, zero, block->n);
        if (status == AN_OK)
            status = split_shell(block, b, sent[b], reach, &list[SHELL], &list[CORE]);
        if (status == AN_OK)
            status = split_shell(block, b, all, one, &list[RIM], &rest);
        for (int face = 0; face < 6 && status == AN_OK; face++) {
            const int d = face / 2;
            int lo[3] = {0, 0, 0}, hi[3] = {block->n[0], block->n[1], block->n[2]};
            lo[d] = face % 2 ? block->n[d] : -AN_GHOST;
            hi[d] = lo[d] + AN_GHOST;
            status = add_box(&list[BEYOND], b, lo, hi);
        }
    }
    if (status == AN_OK)
        status = add_copied(s, l, place, &list[COPIED]);
    l->split = s->c->mpi.overlap && list[SHELL].n > 0;
    for (int n = 0; n < NLIST; n++) {
        if (status == AN_OK && ((n != BEYOND && n != COPIED) || l->fields.at[AN_F_EOS]))
            status =
                s->engine->op->tiles_new(s->engine, &l->layout, list[n].n, list[n].box, tiles[n]);
        free(list[n].box);
    }
    free(rest.box);
    free(place);
    free(sent);
    if (status == AN_OK && l->replicated && !l[-1].replicated)
        status = own_boxes(s, l);
    return status;
}
