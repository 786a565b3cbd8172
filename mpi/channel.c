#include "mpi/channel.h"

#include <stdlib.h>
#include <string.h>

#include "mpi/reduce.h"

/* The served neighbours, with their places in buffers of their own. place[n] is the index here of
 * neighbour n of the plan, -1 if this channel does not serve it. */
static int take_neighbours(const struct an_halo_plan *plan, const char *takes, int *place,
                           struct an_channel *c)
{
    struct an_transport *t = &c->transport;
    c->neighbour = calloc((size_t)plan->nneighbour + 1, sizeof *c->neighbour);
    AN_CHECK(c->neighbour, AN_FAIL, "out of memory for %d neighbours", plan->nneighbour);
    for (int b = 0; b < plan->nneighbour; b++) {
        place[b] = -1;
        if (!takes[b])
            continue;
        struct an_neighbour *n = &c->neighbour[c->nneighbour];
        *n = plan->neighbour[b];
        n->send_at = n->pack_at = t->send_cells;
        n->recv_at = t->recv_cells;
        t->send_cells += n->send_cells;
        t->recv_cells += n->recv_cells;
        place[b] = c->nneighbour++;
    }
    return AN_OK;
}

/* The boxes of served neighbours; the side of the buffer is counted from the neighbour's first
 * cell. */
static int take_boxes(const struct an_halo_plan *plan, const struct an_copy_list *from,
                      const int *place, int packing, struct an_copy_list *to)
{
    to->copy = malloc(((size_t)from->n + 1) * sizeof *to->copy);
    to->neighbour = malloc(((size_t)from->n + 1) * sizeof *to->neighbour);
    AN_CHECK(to->copy && to->neighbour, AN_FAIL, "out of memory for %d boxes of the halo", from->n);
    for (int n = 0; n < from->n; n++) {
        const struct an_neighbour *b = &plan->neighbour[from->neighbour[n]];
        if (place[from->neighbour[n]] < 0)
            continue;
        struct an_copy *copy = &to->copy[to->n];
        *copy = from->copy[n];
        if (packing)
            copy->dst -= b->send_at;
        else
            copy->src -= b->recv_at;
        to->neighbour[to->n++] = place[from->neighbour[n]];
    }
    return AN_OK;
}

static int take_plan(const struct an_halo_plan *plan, const char *takes, struct an_channel *c)
{
    int *place = malloc(((size_t)plan->nneighbour + 1) * sizeof *place);
    AN_CHECK(place, AN_FAIL, "out of memory for %d neighbours", plan->nneighbour);
    c->boxes = calloc((size_t)c->transport.max_component + 1, sizeof *c->boxes);
    int status = c->boxes ? take_neighbours(plan, takes, place, c)
                          : an_error_set(AN_FAIL, "out of memory for the halo exchange");
    if (status == AN_OK)
        status = take_boxes(plan, &plan->pack, place, 1, &c->pack);
    if (status == AN_OK)
        status = take_boxes(plan, &plan->unpack, place, 0, &c->unpack);
    free(place);
    return status;
}

int an_channel_new(MPI_Comm comm, struct an_engine *engine, const struct an_halo_plan *plan,
                   const char *takes, int max_component, const struct an_transport_ops *op,
                   struct an_channel *c)
{
    struct an_transport *t = &c->transport;
    memset(c, 0, sizeof *c);
    *t = (struct an_transport){.engine = engine, .comm = comm, .max_component = max_component};
    c->rotation = (const double(*)[9])plan->rotation;
    c->nrotation = plan->nrotation;
    AN_TRY(an_reduce_status(comm, take_plan(plan, takes, c)));
    t->op = op;
    t->neighbour = c->neighbour;
    t->nneighbour = c->nneighbour;
    return an_reduce_status(comm, op->create(t));
}

static void copies_free(struct an_channel *c, struct an_copies *copies)
{
    if (copies)
        c->transport.engine->op->copies_free(c->transport.engine, copies);
}

void an_channel_destroy(struct an_channel *c)
{
    if (c->transport.op)
        c->transport.op->destroy(&c->transport);
    for (int n = 0; c->boxes && n <= c->transport.max_component; n++) {
        copies_free(c, c->boxes[n].pack);
        copies_free(c, c->boxes[n].unpack);
    }
    struct an_copy_list *list[] = {&c->pack, &c->unpack};
    for (int n = 0; n < 2; n++) {
        free(list[n]->copy);
        free(list[n]->neighbour);
    }
    free(c->boxes);
    free(c->neighbour);
    memset(c, 0, sizeof *c);
}

/* The boxes of a list with the buffer's side in its place, in elements for ncomp components of a
 * cell side by side. */
static int place_boxes(struct an_channel *c, const struct an_copy_list *list, int ncomp,
                       int packing, struct an_copies **copies)
{
    struct an_engine *e = c->transport.engine;
    struct an_copy *placed = malloc(((size_t)list->n + 1) * sizeof *placed);
    *copies = NULL;
    AN_CHECK(placed, AN_FAIL, "out of memory for %d boxes of the halo", list->n);
    for (int n = 0; n < list->n; n++) {
        const struct an_neighbour *b = &c->neighbour[list->neighbour[n]];
        placed[n] = list->copy[n];
        int64_t *at = packing ? &placed[n].dst : &placed[n].src;
        int64_t *stride = packing ? placed[n].dst_stride : placed[n].src_stride;
        *at = (*at + (packing ? b->pack_at : b->recv_at)) * ncomp;
        for (int d = 0; d < 3; d++)
            stride[d] *= ncomp;
    }
    const int status = e->op->copies_new(e, list->n, placed, c->nrotation, c->rotation, copies);
    free(placed);
    return status;
}

/* The boxes of an exchange of ncomp components. */
static struct an_channel_boxes *boxes_of(struct an_channel *c, int ncomp)
{
    return &c->boxes[c->transport.pitch ? 0 : ncomp];
}

int an_channel_prepare(struct an_channel *c, int ncomp)
{
    struct an_channel_boxes *b = boxes_of(c, ncomp);
    const int together = c->transport.pitch ? 1 : ncomp;
    if (b->ready || c->nneighbour == 0)
        return AN_OK;
    AN_TRY(place_boxes(c, &c->pack, together, 1, &b->pack));
    AN_TRY(place_boxes(c, &c->unpack, together, 0, &b->unpack));
    b->ready = 1;
    return AN_OK;
}

static int move(struct an_channel *c, int nfield, const struct an_halo_field *field, int64_t pitch,
                int ncomp, int packing, int stream)
{
    struct an_transport *t = &c->transport;
    const struct an_channel_boxes *boxes = boxes_of(c, ncomp);
    int component = 0;
    for (int f = 0; f < nfield && c->nneighbour; f++) {
        const struct an_transport_move m = {.copies = packing ? boxes->pack : boxes->unpack,
                                            .field = field[f].base,
                                            .field_component = pitch,
                                            .component = component,
                                            .ncomp = field[f].ncomp,
                                            .vector = field[f].vector,
                                            .first = f == 0,
                                            .last = f == nfield - 1};
        AN_TRY(packing ? t->op->pack(t, &m, stream) : t->op->unpack(t, &m, stream));
        component += field[f].ncomp;
    }
    return AN_OK;
}

int an_channel_pack(struct an_channel *c, int nfield, const struct an_halo_field *field,
                    int64_t pitch, int ncomp, int stream)
{
    return move(c, nfield, field, pitch, ncomp, 1, stream);
}

int an_channel_unpack(struct an_channel *c, int nfield, const struct an_halo_field *field,
                      int64_t pitch, int ncomp, int stream)
{
    return move(c, nfield, field, pitch, ncomp, 0, stream);
}
