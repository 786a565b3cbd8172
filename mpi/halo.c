#include "mpi/halo.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mpi/halo_plan.h"
#include "mpi/reduce.h"
#include "mpi/transport.h"

enum { MAIN_STREAM = 0, HALO_STREAM = 1 };

/* Buffers interleave components, so each total number of components has its own boxes. */
struct prepared {
    struct an_copies *pack, *unpack;
    int ready;
};

enum state { IDLE, PACKED, SENT };

struct an_halo {
    struct an_engine *engine;
    MPI_Comm comm;
    int64_t ncell; /* elements per component of a field */
    struct an_halo_plan plan;
    struct an_transport transport;
    struct an_copies *local;
    int max_component;
    struct prepared *prepared; /* [max_component + 1] */
    enum state state;
    int nfield, ncomp; /* of the exchange under way */
    struct an_halo_field field[AN_HALO_MAX_FIELD];
    struct an_halo_info info;
};

static int copies_new(struct an_halo *h, const struct an_copy_list *list, struct an_copies **c)
{
    *c = NULL;
    if (list->n == 0)
        return AN_OK;
    return h->engine->op->copies_new(h->engine, list->n, list->copy, h->plan.nrotation,
                                     (const double(*)[9])h->plan.rotation, c);
}

static void copies_free(struct an_halo *h, struct an_copies *c)
{
    if (c)
        h->engine->op->copies_free(h->engine, c);
}

/* The boxes of a list with the buffer's side, dst or src, scaled to ncomp components. */
static int scaled_new(struct an_halo *h, const struct an_copy_list *list, int ncomp, int buffer_dst,
                      struct an_copies **c)
{
    struct an_copy_list scaled = {.n = list->n,
                                  .copy = malloc(((size_t)list->n + 1) * sizeof *list->copy)};
    *c = NULL;
    AN_CHECK(scaled.copy, AN_FAIL, "out of memory for %d boxes of the halo", list->n);
    for (int n = 0; n < list->n; n++) {
        struct an_copy *copy = &scaled.copy[n];
        *copy = list->copy[n];
        int64_t *at = buffer_dst ? &copy->dst : &copy->src;
        int64_t *stride = buffer_dst ? copy->dst_stride : copy->src_stride;
        *at *= ncomp;
        for (int d = 0; d < 3; d++)
            stride[d] *= ncomp;
    }
    int status = copies_new(h, &scaled, c);
    free(scaled.copy);
    return status;
}

int an_halo_prepare(struct an_halo *h, int ncomp)
{
    AN_CHECK(ncomp >= 1 && ncomp <= h->max_component, AN_FAIL,
             "a halo exchange of %d components was asked of a halo made for 1 to %d", ncomp,
             h->max_component);
    struct prepared *p = &h->prepared[ncomp];
    if (p->ready)
        return AN_OK;
    AN_TRY(scaled_new(h, &h->plan.pack, ncomp, 1, &p->pack));
    AN_TRY(scaled_new(h, &h->plan.unpack, ncomp, 0, &p->unpack));
    p->ready = 1;
    return AN_OK;
}

static int create_transport(struct an_halo *h, enum an_transport_kind kind)
{
    struct an_transport *t = &h->transport;
    const struct an_transport_ops *op;
    AN_TRY(an_transport_choose(kind, h->engine, &op, h->info.reason));
    *t = (struct an_transport){.engine = h->engine,
                               .comm = h->comm,
                               .nneighbour = h->plan.nneighbour,
                               .max_component = h->max_component,
                               .neighbour = h->plan.neighbour,
                               .send_cells = h->plan.send_cells,
                               .recv_cells = h->plan.recv_cells};
    for (int b = 0; b < t->nneighbour; b++)
        AN_CHECK(t->neighbour[b].send_cells <= INT_MAX / h->max_component &&
                     t->neighbour[b].recv_cells <= INT_MAX / h->max_component,
                 AN_INPUT, "the message to rank %d is too large for MPI: use more ranks",
                 t->neighbour[b].rank);
    t->op = op;
    h->info.transport = op->name;
    return op->create(t);
}

/* Everything that can fail on one rank alone; the communicator stands already. */
static int fill(struct an_halo *h, const struct an_partition *partition,
                const struct an_layout *layout, int nlocal, const int *local, int normal,
                enum an_transport_kind kind)
{
    int me, nrank;
    AN_MPI(MPI_Comm_rank(h->comm, &me));
    AN_MPI(MPI_Comm_size(h->comm, &nrank));
    AN_CHECK(nrank == partition->nrank, AN_FAIL, "a partition for %d ranks was given to %d ranks",
             partition->nrank, nrank);
    AN_CHECK(layout->precision == h->engine->precision, AN_FAIL,
             "the layout's precision is not the engine's");
    h->prepared = calloc((size_t)h->max_component + 1, sizeof *h->prepared);
    AN_CHECK(h->prepared, AN_FAIL, "out of memory for the halo exchange");
    AN_TRY(an_halo_plan_new(partition, me, layout, nlocal, local, normal, &h->plan));
    AN_TRY(copies_new(h, &h->plan.local, &h->local));
    h->info.neighbours = h->plan.nneighbour;
    h->info.cells_local = h->plan.local_cells;
    h->info.cells_remote = h->plan.recv_cells;
    return create_transport(h, kind);
}

static int halo_new(MPI_Comm comm, struct an_engine *engine, const struct an_partition *partition,
                    const struct an_layout *layout, int nlocal, const int *local,
                    int max_components, int normal, enum an_transport_kind transport,
                    struct an_halo **halo)
{
    *halo = NULL;
    struct an_halo *h = calloc(1, sizeof *h);
    int status = h ? AN_OK : an_error_set(AN_FAIL, "out of memory for the halo exchange");
    status = an_reduce_status(comm, status);
    if (status != AN_OK) {
        free(h);
        return status;
    }
    h->engine = engine;
    h->ncell = layout->ncell;
    h->max_component = max_components > 0 ? max_components : 1;
    h->comm = MPI_COMM_NULL;
    int code = MPI_Comm_dup(comm, &h->comm);
    status = code == MPI_SUCCESS ? fill(h, partition, layout, nlocal, local, normal, transport)
                                 : an_mpi_error(code, "MPI_Comm_dup");
    status = an_reduce_status(comm, status);
    if (status == AN_OK)
        *halo = h;
    else
        an_halo_destroy(h);
    return status;
}

int an_halo_new(MPI_Comm comm, struct an_engine *engine, const struct an_partition *partition,
                const struct an_layout *layout, int nlocal, const int *local, int max_components,
                enum an_transport_kind transport, struct an_halo **halo)
{
    return halo_new(comm, engine, partition, layout, nlocal, local, max_components, 0, transport,
                    halo);
}

int an_halo_normal_new(MPI_Comm comm, struct an_engine *engine,
                       const struct an_partition *partition, const struct an_layout *layout,
                       int nlocal, const int *local, enum an_transport_kind transport,
                       struct an_halo **halo)
{
    return halo_new(comm, engine, partition, layout, nlocal, local, 1, 1, transport, halo);
}

void an_halo_destroy(struct an_halo *h)
{
    if (!h)
        return;
    if (h->transport.op) { /* a run that stops early may leave an exchange under way */
        if (h->state == SENT)
            (void)h->transport.op->finish(&h->transport, h->ncomp, HALO_STREAM);
        (void)h->engine->op->sync(h->engine, HALO_STREAM);
        h->transport.op->destroy(&h->transport);
    }
    for (int n = 0; h->prepared && n <= h->max_component; n++) {
        copies_free(h, h->prepared[n].pack);
        copies_free(h, h->prepared[n].unpack);
    }
    copies_free(h, h->local);
    an_halo_plan_free(&h->plan);
    if (h->comm != MPI_COMM_NULL)
        MPI_Comm_free(&h->comm);
    free(h->prepared);
    free(h);
}

/* Each field with its boxes in the buffer; `packing` says in which direction. */
static int move_packed(struct an_halo *h, int packing)
{
    const struct an_engine_ops *op = h->engine->op;
    const struct prepared *p = &h->prepared[h->ncomp];
    int first = 0; /* component of the exchange */
    for (int f = 0; f < h->nfield; f++) {
        const struct an_halo_field *field = &h->field[f];
        size_t offset = (size_t)first * h->engine->precision;
        if (packing && p->pack)
            AN_TRY(op->copies(h->engine, p->pack, (char *)h->transport.send + offset, 1,
                              field->base, h->ncell, field->ncomp, -1, HALO_STREAM));
        if (!packing && p->unpack)
            AN_TRY(op->copies(h->engine, p->unpack, field->base, h->ncell,
                              (const char *)h->transport.recv + offset, 1, field->ncomp,
                              field->vector, HALO_STREAM));
        first += field->ncomp;
    }
    return AN_OK;
}

static int copy_local(struct an_halo *h)
{
    for (int f = 0; f < h->nfield && h->local; f++) {
        const struct an_halo_field *field = &h->field[f];
        AN_TRY(h->engine->op->copies(h->engine, h->local, field->base, h->ncell, field->base,
                                     h->ncell, field->ncomp, field->vector, MAIN_STREAM));
    }
    return AN_OK;
}

static int post_messages(struct an_halo *h)
{
    h->state = SENT;
    h->info.exchanges++;
    h->info.messages += h->plan.nneighbour;
    h->info.bytes += h->plan.send_cells * h->ncomp * (int)h->engine->precision;
    return h->transport.op->send(&h->transport, h->ncomp, HALO_STREAM);
}

int an_halo_start_fields(struct an_halo *h, int nfield, const struct an_halo_field *field)
{
    assert(h->state == IDLE && nfield >= 1 && nfield <= AN_HALO_MAX_FIELD);
    h->nfield = nfield;
    h->ncomp = 0;
    for (int f = 0; f < nfield; f++) {
        assert(field[f].vector < 0 || field[f].vector + 3 <= field[f].ncomp);
        h->field[f] = field[f];
        h->ncomp += field[f].ncomp;
    }
    AN_TRY(an_halo_prepare(h, h->ncomp));
    h->state = PACKED;
    if (h->plan.nneighbour == 0) /* local copies only */
        return AN_OK;
    AN_TRY(h->engine->op->wait(h->engine, HALO_STREAM, MAIN_STREAM));
    AN_TRY(move_packed(h, 1));
    if (!h->transport.op->host_waits || !h->engine->device_memory)
        AN_TRY(post_messages(h));
    return AN_OK;
}

int an_halo_start(struct an_halo *h, void *base, int ncomp, int vector)
{
    return an_halo_start_fields(h, 1, &(struct an_halo_field){base, ncomp, vector});
}

int an_halo_finish(struct an_halo *h)
{
    assert(h->state != IDLE);
    if (h->plan.nneighbour == 0) {
        h->state = IDLE;
        h->info.exchanges++;
        return copy_local(h);
    }
    if (h->state == PACKED)
        AN_TRY(post_messages(h));
    h->state = IDLE;
    AN_TRY(h->transport.op->finish(&h->transport, h->ncomp, HALO_STREAM));
    AN_TRY(move_packed(h, 0));
    AN_TRY(h->engine->op->wait(h->engine, MAIN_STREAM, HALO_STREAM));
    return copy_local(h);
}

void an_halo_info(const struct an_halo *h, struct an_halo_info *info)
{
    *info = h->info;
}
