#include "mpi/halo_plan.h"

#include <stdlib.h>
#include <string.h>

struct planner {
    const struct an_partition *partition;
    const struct an_topology *t; /* the partition's */
    int me;
    const struct an_layout *layout;
    int *local;     /* piece -> block of the layout, -1: not here */
    int *neighbour; /* rank -> index of the neighbour, -1: none */
    struct an_halo_plan *plan;
    int rotation_capacity;
    int normal; /* offsets lead to the component of the direction normal to the interface */
    int second; /* second ghosts that lie two blocks away */
};

int an_halo_skips(const struct an_topology *t, const struct an_interface *f)
{
    const int thin = t->block[f->donor].n[f->donor_dir] < AN_GHOST ||
                     t->block[f->window.block].n[f->window.dir] < AN_GHOST;
    return thin && (f->periodic == 2 || !an_interface_onto_itself(t, f));
}

int an_halo_needs_second(const struct an_partition *partition)
{
    const struct an_topology *t = &partition->topology;
    for (int f = 0; f < t->ninterface; f++)
        if (an_halo_skips(t, &t->interface[f]))
            return 1;
    return 0;
}

static int rank_of(const struct planner *p, int block)
{
    return p->partition->piece[block].rank;
}

/* Do ghosts behind the interface travel? Second ghosts do if one of both blocks is one cell thick: so each
 * message has an answer, and the thicker block's cells, which are there already, come again. Behind a block
 * that is joined to itself without a rotation the cells are all the same. */
static int travels(const struct planner *p, const struct an_interface *f)
{
    return !p->second || an_halo_skips(p->t, f);
}

/* Lowest corner and extent of the box of ghost cells behind an interface. */
static int64_t ghosts(const struct planner *p, const struct an_interface *f, int lo[3], int n[3])
{
    const struct an_window *w = &f->window;
    int64_t cells = 1;
    for (int d = 0; d < 3; d++) {
        lo[d] = w->lo[d];
        n[d] = w->hi[d] - w->lo[d];
        if (d == w->dir) {
            lo[d] = w->side ? p->t->block[w->block].n[d] : -AN_GHOST;
            n[d] = AN_GHOST;
            if (p->second) {
                lo[d] += w->side ? AN_GHOST - 1 : 0;
                n[d] = 1;
            }
        }
        cells *= n[d];
    }
    return cells;
}

static int number_blocks(struct planner *p, int nlocal, const int *local)
{
    int count = 0;
    for (int b = 0; b < p->t->nblock; b++) {
        p->local[b] = -1;
        count += rank_of(p, b) == p->me;
    }
    AN_CHECK(count == nlocal && p->layout->nblock == nlocal, AN_FAIL,
             "rank %d has %d pieces, but %d were named and its layout has %d blocks", p->me, count,
             nlocal, p->layout->nblock);
    for (int n = 0; n < nlocal; n++) {
        AN_CHECK(local[n] >= 0 && local[n] < p->t->nblock && rank_of(p, local[n]) == p->me &&
                     p->local[local[n]] < 0,
                 AN_FAIL, "block %d of the layout is not a piece of rank %d of its own", n, p->me);
        p->local[local[n]] = n;
        for (int d = 0; d < 3; d++)
            AN_CHECK(p->layout->block[n].n[d] == p->t->block[local[n]].n[d], AN_FAIL,
                     "the layout of block '%s' does not have its size", p->t->block[local[n]].name);
    }
    return AN_OK;
}

static int find_neighbours(struct planner *p)
{
    struct an_halo_plan *plan = p->plan;
    for (int r = 0; r < p->partition->nrank; r++)
        p->neighbour[r] = -1;
    for (int f = 0; f < p->t->ninterface; f++) {
        if (!travels(p, &p->t->interface[f]))
            continue;
        int here = rank_of(p, p->t->interface[f].window.block);
        int there = rank_of(p, p->t->interface[f].donor);
        if (here == p->me && there != p->me)
            p->neighbour[there] = 0;
        if (there == p->me && here != p->me)
            p->neighbour[here] = 0;
    }
    for (int r = 0; r < p->partition->nrank; r++)
        if (p->neighbour[r] == 0)
            p->neighbour[r] = plan->nneighbour++;
    plan->neighbour = calloc((size_t)plan->nneighbour + 1, sizeof *plan->neighbour);
    AN_CHECK(plan->neighbour, AN_FAIL, "out of memory for %d neighbours", plan->nneighbour);
    for (int r = 0; r < p->partition->nrank; r++)
        if (p->neighbour[r] >= 0)
            plan->neighbour[p->neighbour[r]].rank = r;
    return AN_OK;
}

static void count_cells(struct planner *p)
{
    struct an_halo_plan *plan = p->plan;
    for (int f = 0; f < p->t->ninterface; f++) {
        const struct an_interface *face = &p->t->interface[f];
        int here = rank_of(p, face->window.block), there = rank_of(p, face->donor), lo[3], n[3];
        if ((here != p->me && there != p->me) || !travels(p, face))
            continue;
        int64_t cells = ghosts(p, face, lo, n);
        if (here == there)
            plan->local_cells += cells;
        else if (here == p->me)
            plan->neighbour[p->neighbour[there]].recv_cells += cells;
        else
            plan->neighbour[p->neighbour[here]].send_cells += cells;
    }
    for (int b = 0; b < plan->nneighbour; b++) {
        plan->neighbour[b].send_at = plan->send_cells;
        plan->neighbour[b].recv_at = plan->recv_cells;
        plan->send_cells += plan->neighbour[b].send_cells;
        plan->recv_cells += plan->neighbour[b].recv_cells;
    }
}

static int add_copy(struct an_copy_list *list, const struct an_copy *c, int neighbour)
{
    if (list->n == list->capacity) {
        int capacity = 2 * list->capacity + 16;
        struct an_copy *grown = realloc(list->copy, (size_t)capacity * sizeof *grown);
        AN_CHECK(grown, AN_FAIL, "out of memory for %d boxes of the halo", capacity);
        list->copy = grown;
        int *of = realloc(list->neighbour, (size_t)capacity * sizeof *of);
        AN_CHECK(of, AN_FAIL, "out of memory for %d boxes of the halo", capacity);
        list->neighbour = of;
        list->capacity = capacity;
    }
    list->neighbour[list->n] = neighbour;
    list->copy[list->n++] = *c;
    return AN_OK;
}

/* Index of the interface's rotation among the distinct ones, -1: none. */
static int rotation_of(struct planner *p, const struct an_interface *f, int *index)
{
    struct an_halo_plan *plan = p->plan;
    *index = -1;
    if (f->periodic != 2)
        return AN_OK;
    for (int r = 0; r < plan->nrotation; r++)
        if (memcmp(plan->rotation[r], f->rotation, sizeof f->rotation) == 0) {
            *index = r;
            return AN_OK;
        }
    if (plan->nrotation == p->rotation_capacity) {
        p->rotation_capacity = 2 * p->rotation_capacity + 4;
        void *grown =
            realloc(plan->rotation, (size_t)p->rotation_capacity * sizeof *plan->rotation);
        AN_CHECK(grown, AN_FAIL, "out of memory for rotations of the halo");
        plan->rotation = grown;
    }
    memcpy(plan->rotation[plan->nrotation], f->rotation, sizeof f->rotation);
    *index = plan->nrotation++;
    return AN_OK;
}

/* Element of cell c and the strides of the three loops, which run over the ghosts' directions. */
static void ghost_side(const struct planner *p, const struct an_interface *f, const int c[3],
                       int64_t *at, int64_t stride[3])
{
    const struct an_block *b = &p->layout->block[p->local[f->window.block]];
    *at = an_element(b, c[0], c[1], c[2]) + (p->normal ? f->window.dir * p->layout->ncell : 0);
    for (int d = 0; d < 3; d++)
        stride[d] = b->stride[d];
}

static void donor_side(const struct planner *p, const struct an_interface *f, const int c[3],
                       int64_t *at, int64_t stride[3])
{
    const struct an_block *b = &p->layout->block[p->local[f->donor]];
    int donor[3], nearest[3] = {c[0], c[1], c[2]}, dir = f->window.dir;
    /* its second layer follows by an_halo_second_new; until then it has the nearest cell, too */
    int thin = b->n[f->donor_dir] < AN_GHOST && !p->second;
    if (thin && f->window.side == 0)
        nearest[dir] = -1; /* instead of the outer layer, where the box begins */
    an_cellmap_apply(&f->map, nearest, donor);
    *at = an_element(b, donor[0], donor[1], donor[2]) +
          (p->normal ? f->donor_dir * p->layout->ncell : 0);
    for (int d = 0; d < 3; d++)
        stride[d] = d == dir && thin ? 0 : f->map.sign[d] * b->stride[f->map.perm[d]];
}

static void buffer_side(int64_t *next, const int n[3], int64_t *at, int64_t stride[3])
{
    *at = *next;
    stride[0] = 1;
    stride[1] = n[0];
    stride[2] = (int64_t)n[0] * n[1];
    *next += stride[2] * n[2];
}

/* next_send, next_recv: per neighbour, the first free cell of the buffers. */
static int add_boxes(struct planner *p, const struct an_interface *f, int64_t *next_send,
                     int64_t *next_recv)
{
    int here = rank_of(p, f->window.block), there = rank_of(p, f->donor), lo[3];
    if ((here != p->me && there != p->me) || !travels(p, f))
        return AN_OK;
    struct an_copy c = {.rotation = -1};
    ghosts(p, f, lo, c.n);
    if (here != p->me) {
        donor_side(p, f, lo, &c.src, c.src_stride);
        buffer_side(&next_send[p->neighbour[here]], c.n, &c.dst, c.dst_stride);
        return add_copy(&p->plan->pack, &c, p->neighbour[here]);
    }
    AN_TRY(rotation_of(p, f, &c.rotation));
    ghost_side(p, f, lo, &c.dst, c.dst_stride);
    if (there != p->me) {
        buffer_side(&next_recv[p->neighbour[there]], c.n, &c.src, c.src_stride);
        return add_copy(&p->plan->unpack, &c, p->neighbour[there]);
    }
    donor_side(p, f, lo, &c.src, c.src_stride);
    return add_copy(&p->plan->local, &c, -1);
}

static int fill(struct planner *p, int nlocal, const int *local)
{
    AN_TRY(number_blocks(p, nlocal, local));
    AN_TRY(find_neighbours(p));
    count_cells(p);
    int nneighbour = p->plan->nneighbour, status = AN_OK;
    int64_t *next = calloc(2 * (size_t)nneighbour + 1, sizeof *next);
    AN_CHECK(next, AN_FAIL, "out of memory for %d neighbours", nneighbour);
    for (int b = 0; b < nneighbour; b++) {
        next[b] = p->plan->neighbour[b].send_at;
        next[nneighbour + b] = p->plan->neighbour[b].recv_at;
    }
    for (int f = 0; f < p->t->ninterface && status == AN_OK; f++)
        status = add_boxes(p, &p->t->interface[f], next, next + nneighbour);
    free(next);
    return status;
}

int an_halo_plan_new(const struct an_partition *partition, int me, const struct an_layout *layout,
                     int nlocal, const int *local, int normal, int second,
                     struct an_halo_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    struct planner p = {.partition = partition,
                        .t = &partition->topology,
                        .me = me,
                        .layout = layout,
                        .local = malloc(((size_t)partition->npiece + 1) * sizeof(int)),
                        .neighbour = malloc((size_t)partition->nrank * sizeof(int)),
                        .plan = plan,
                        .normal = normal,
                        .second = second};
    int status = p.local && p.neighbour
                     ? fill(&p, nlocal, local)
                     : an_error_set(AN_FAIL, "out of memory for the plan of the halo exchange");
    free(p.local);
    free(p.neighbour);
    return status;
}

/* The whole of a row of elements. */
static struct an_copy row_of(int64_t from, int64_t to, int64_t count)
{
    return (struct an_copy){.src = from,
                            .dst = to,
                            .src_stride = {1, 1, 1},
                            .dst_stride = {1, 1, 1},
                            .n = {(int32_t)count, 1, 1},
                            .rotation = -1};
}

/* Adds rank r, of whose cells this rank gets `theirs`, and which gets `mine`; returns its number. */
static int add_rank(struct an_halo_plan *plan, int r, int64_t mine, int64_t theirs)
{
    const int b = plan->nneighbour++;
    plan->neighbour[b] = (struct an_neighbour){.rank = r,
                                               .send_cells = mine,
                                               .recv_cells = theirs,
                                               .send_at = plan->send_cells,
                                               .recv_at = plan->recv_cells};
    plan->send_cells += mine;
    plan->recv_cells += theirs;
    return b;
}

int an_halo_plan_share(int nrank, int me, const int64_t *first, struct an_halo_plan *plan)
{
    const int64_t mine = first[me + 1] - first[me];
    memset(plan, 0, sizeof *plan);
    plan->neighbour = calloc((size_t)nrank + 1, sizeof *plan->neighbour);
    AN_CHECK(plan->neighbour, AN_FAIL, "out of memory for %d neighbours", nrank);
    AN_CHECK(first[nrank] <= INT32_MAX, AN_FAIL, "a shared array has %lld elements, too many",
             (long long)first[nrank]);
    for (int r = 0; r < nrank; r++) {
        const int64_t theirs = first[r + 1] - first[r];
        if (r == me || !mine || !theirs)
            continue;
        const int b = add_rank(plan, r, mine, theirs);
        const struct an_copy out = row_of(first[me], plan->neighbour[b].send_at, mine);
        const struct an_copy in = row_of(plan->neighbour[b].recv_at, first[r], theirs);
        AN_TRY(add_copy(&plan->pack, &out, b));
        AN_TRY(add_copy(&plan->unpack, &in, b));
    }
    return AN_OK;
}

/* The cells of a block and their place in a buffer. */
static void block_and_buffer(const struct an_block *block, int64_t *next, int packing,
                             struct an_copy *c)
{
    *c = (struct an_copy){.rotation = -1};
    int64_t *stride = packing ? c->src_stride : c->dst_stride;
    for (int d = 0; d < 3; d++) {
        c->n[d] = block->n[d];
        stride[d] = block->stride[d];
    }
    *(packing ? &c->src : &c->dst) = block->origin;
    if (packing)
        buffer_side(next, c->n, &c->dst, c->dst_stride);
    else
        buffer_side(next, c->n, &c->src, c->src_stride);
}

/* Boxes of all pieces that go to, or come from, neighbour b. */
static int gather_boxes(const struct an_partition *owners, int me, const struct an_layout *layout,
                        int b, struct an_halo_plan *plan)
{
    const int there = plan->neighbour[b].rank;
    int64_t send = plan->neighbour[b].send_at, recv = plan->neighbour[b].recv_at;
    for (int n = 0; n < layout->nblock; n++) {
        const int rank = owners->piece[n].rank;
        struct an_copy c;
        if (rank == me) {
            block_and_buffer(&layout->block[n], &send, 1, &c);
            AN_TRY(add_copy(&plan->pack, &c, b));
        } else if (rank == there) {
            block_and_buffer(&layout->block[n], &recv, 0, &c);
            AN_TRY(add_copy(&plan->unpack, &c, b));
        }
    }
    return AN_OK;
}

int an_halo_plan_gather(const struct an_partition *owners, int me, const struct an_layout *layout,
                        struct an_halo_plan *plan)
{
    memset(plan, 0, sizeof *plan);
    AN_CHECK(layout->nblock == owners->npiece, AN_FAIL,
             "a replicated level of %d pieces has %d blocks", owners->npiece, layout->nblock);
    int64_t *cells = calloc((size_t)owners->nrank + 1, sizeof *cells);
    AN_CHECK(cells, AN_FAIL, "out of memory for %d ranks", owners->nrank);
    for (int n = 0; n < layout->nblock; n++) {
        const int *size = layout->block[n].n;
        cells[owners->piece[n].rank] += (int64_t)size[0] * size[1] * size[2];
    }
    plan->neighbour = calloc((size_t)owners->nrank + 1, sizeof *plan->neighbour);
    int status = plan->neighbour
                     ? AN_OK
                     : an_error_set(AN_FAIL, "out of memory for %d neighbours", owners->nrank);
    for (int r = 0; r < owners->nrank && status == AN_OK; r++)
        if (r != me && cells[me] && cells[r])
            status = gather_boxes(owners, me, layout, add_rank(plan, r, cells[me], cells[r]), plan);
    free(cells);
    return status;
}

void an_halo_plan_free(struct an_halo_plan *plan)
{
    free(plan->neighbour);
    free(plan->rotation);
    struct an_copy_list *list[] = {&plan->local, &plan->pack, &plan->unpack};
    for (int n = 0; n < 3; n++) {
        free(list[n]->copy);
        free(list[n]->neighbour);
    }
    memset(plan, 0, sizeof *plan);
}
