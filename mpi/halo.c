#include "mpi/halo.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/peer.h"
#include "mpi/channel.h"
#include "mpi/reduce.h"

enum { MAIN_STREAM = 0, HALO_STREAM = 1 };

enum state { IDLE, PACKED, SENT };

/* Neighbours that the chosen transport does not reach have a channel of their own. */
enum { NEAR, FAR, MAX_CHANNEL };

struct an_halo {
    struct an_engine *engine;
    MPI_Comm comm;
    int64_t ncell; /* elements per component of a field */
    struct an_halo_plan plan;
    struct an_copies *local;
    int max_component;
    int nchannel;
    struct an_channel channel[MAX_CHANNEL];
    enum state state;
    int local_done;    /* ghosts behind blocks of this rank are there already */
    int nfield, ncomp; /* of the exchange under way */
    struct an_halo_field field[AN_HALO_MAX_FIELD];
    struct an_halo_info info;
};

int an_halo_prepare(struct an_halo *h, int ncomp)
{
    AN_CHECK(ncomp >= 1 && ncomp <= h->max_component, AN_FAIL,
             "a halo exchange of %d components was asked of a halo made for 1 to %d", ncomp,
             h->max_component);
    for (int n = 0; n < h->nchannel; n++)
        AN_TRY(an_channel_prepare(&h->channel[n], ncomp));
    return AN_OK;
}

static void disconnect(struct an_halo *h)
{
    for (int n = 0; n < h->nchannel; n++)
        an_channel_destroy(&h->channel[n]);
    h->nchannel = 0;
}

/* near[nneighbour]: 1 if the neighbour is on this node. *some_far: 1 if any rank has a neighbour on
 * another node. */
static int find_near(const struct an_halo *h, char *near, int *some_far)
{
    MPI_Comm node;
    MPI_Group here, everywhere;
    AN_MPI(MPI_Comm_split_type(h->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
    AN_MPI(MPI_Comm_group(node, &here));
    AN_MPI(MPI_Comm_group(h->comm, &everywhere));
    *some_far = 0;
    for (int b = 0; b < h->plan.nneighbour; b++) {
        int place, rank = h->plan.neighbour[b].rank;
        AN_MPI(MPI_Group_translate_ranks(everywhere, 1, &rank, here, &place));
        near[b] = place != MPI_UNDEFINED;
        *some_far |= !near[b];
    }
    AN_MPI(MPI_Group_free(&here));
    AN_MPI(MPI_Group_free(&everywhere));
    AN_MPI(MPI_Comm_free(&node));
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, some_far, 1, MPI_INT, MPI_MAX, h->comm));
    return AN_OK;
}

static int add_channel(struct an_halo *h, const char *takes, const struct an_transport_ops *op)
{
    return an_channel_new(h->comm, h->engine, &h->plan, takes, h->max_component, op,
                          &h->channel[h->nchannel++]);
}

/* The best transport between nodes, for neighbours that peer copies do not reach. */
static int far_kind(const struct an_halo *h, enum an_transport_kind *kind)
{
    static const enum an_transport_kind best[] = {AN_TRANSPORT_KIND_HOST, AN_TRANSPORT_KIND_NCCL,
                                                  AN_TRANSPORT_KIND_CUDA_AWARE,
                                                  AN_TRANSPORT_KIND_STAGED};
    char why_not[256] = "?";
    for (size_t n = 0; n < sizeof best / sizeof *best && why_not[0]; n++) {
        *kind = best[n];
        AN_TRY(an_transport_agree(h->comm, *kind, h->engine, why_not));
    }
    return AN_OK;
}

static int connect_as(struct an_halo *h, enum an_transport_kind kind, char *near)
{
    const struct an_transport_ops *op = an_transport_of(kind);
    int some_far = 0;
    memset(near, 1, (size_t)h->plan.nneighbour);
    h->info.kind = kind;
    snprintf(h->info.transport, sizeof h->info.transport, "%s", op->name);
    if (kind == AN_TRANSPORT_KIND_PEER)
        AN_TRY(find_near(h, near, &some_far));
    AN_TRY(add_channel(h, near, op));
    if (!some_far)
        return AN_OK;
    for (int b = 0; b < h->plan.nneighbour; b++)
        near[b] = !near[b];
    AN_TRY(far_kind(h, &kind));
    op = an_transport_of(kind);
    snprintf(h->info.transport, sizeof h->info.transport, "peer, %s between nodes", op->name);
    return add_channel(h, near, op);
}

/* Collective, status agreed. */
static int connect(struct an_halo *h, enum an_transport_kind kind)
{
    char *near = malloc((size_t)h->plan.nneighbour + 1);
    int status = near ? AN_OK : an_error_set(AN_FAIL, "out of memory for the halo exchange");
    status = an_reduce_status(h->comm, status);
    if (status == AN_OK)
        status = connect_as(h, kind, near);
    free(near);
    h->info.records = kind != AN_TRANSPORT_KIND_PEER || h->engine->peer->records;
    for (int n = 0; n < h->nchannel && status == AN_OK; n++)
        h->info.records &= !h->channel[n].transport.op->host_waits;
    if (status != AN_OK)
        disconnect(h);
    return status;
}

static int refuse(const struct an_halo *h, enum an_transport_kind kind)
{
    char why_not[256];
    AN_CHECK(an_transport_of(kind), AN_INPUT, "unknown halo transport %d", (int)kind);
    AN_TRY(an_transport_agree(h->comm, kind, h->engine, why_not));
    AN_CHECK(!why_not[0], AN_INPUT, "halo transport '%s': not available because %s",
             an_transport_of(kind)->name, why_not);
    return AN_OK;
}

static void add_reason(struct an_halo *h, const char *name, const char *what)
{
    const size_t used = strlen(h->info.reason);
    snprintf(h->info.reason + used, sizeof h->info.reason - used, "%s%s %.160s", used ? ", " : "",
             name, what);
}

/* The fastest of the available transports, found by a trial of each. NCCL was slower than peer
 * copies wherever both were measured, and its library keeps 0.46 GB of every device once it has
 * been used, so it is tried only where peer copies do not reach every neighbour. */
static int choose(struct an_halo *h)
{
    static const enum an_transport_kind candidate[] = {
        AN_TRANSPORT_KIND_PEER, AN_TRANSPORT_KIND_NCCL, AN_TRANSPORT_KIND_CUDA_AWARE,
        AN_TRANSPORT_KIND_STAGED};
    enum { TRIALS = 30 };
    const int ncomp = h->max_component < 5 ? h->max_component : 5;
    enum an_transport_kind best = AN_TRANSPORT_KIND_STAGED;
    double least = 1e30;
    int peers_reach_all = 0;
    char text[256], why_not[256];
    snprintf(h->info.reason, sizeof h->info.reason, "the fastest with %d components", ncomp);
    for (size_t n = 0; n < sizeof candidate / sizeof *candidate; n++) {
        const char *name = an_transport_of(candidate[n])->name;
        double seconds;
        AN_TRY(an_transport_agree(h->comm, candidate[n], h->engine, why_not));
        if (!why_not[0] && candidate[n] == AN_TRANSPORT_KIND_NCCL && peers_reach_all)
            snprintf(why_not, sizeof why_not, "not tried, peer reaches every neighbour");
        if (!why_not[0] && connect(h, candidate[n]) != AN_OK)
            snprintf(why_not, sizeof why_not, "%.255s", an_error_text());
        if (why_not[0]) {
            snprintf(text, sizeof text, "%s%.180s",
                     strncmp(why_not, "not tried", 9) == 0 ? "" : "none: ", why_not);
            add_reason(h, name, text);
            continue;
        }
        AN_TRY(an_halo_time(h, ncomp, TRIALS, &seconds));
        peers_reach_all |= candidate[n] == AN_TRANSPORT_KIND_PEER && h->nchannel == 1;
        disconnect(h);
        snprintf(text, sizeof text, "%.0f us", 1e6 * seconds);
        add_reason(h, name, text);
        if (seconds < least) {
            least = seconds;
            best = candidate[n];
        }
    }
    return connect(h, best);
}

static int connect_any(struct an_halo *h, enum an_transport_kind kind)
{
    int remote = h->plan.nneighbour;
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, &remote, 1, MPI_INT, MPI_MAX, h->comm));
    if (kind != AN_TRANSPORT_KIND_AUTO) {
        AN_TRY(refuse(h, kind));
        snprintf(h->info.reason, sizeof h->info.reason, "as the case asks");
        return connect(h, kind);
    }
    if (h->engine->device_memory && remote)
        return choose(h);
    snprintf(h->info.reason, sizeof h->info.reason, "%s",
             remote ? "engine memory is host memory" : "no halo travels to other ranks");
    return connect(h, h->engine->device_memory ? AN_TRANSPORT_KIND_STAGED : AN_TRANSPORT_KIND_HOST);
}

/* What an exchange is made of: ghost cells of blocks, parts of a shared array, or the cells of a replicated level. */
struct recipe {
    const struct an_partition *partition;
    const struct an_layout *layout;
    int nlocal;
    const int *local;
    int normal, second;
    const int64_t *share; /* NULL: ghost cells */
    int gather;           /* interior cells of a replicated level */
};

static int plan_cells(struct an_halo *h, const struct recipe *r, int me, int nrank)
{
    AN_CHECK(nrank == r->partition->nrank, AN_FAIL,
             "a partition for %d ranks was given to %d ranks", r->partition->nrank, nrank);
    AN_CHECK(r->layout->precision == h->engine->precision, AN_FAIL,
             "the layout's precision is not the engine's");
    h->ncell = r->layout->ncell;
    if (r->gather)
        return an_halo_plan_gather(r->partition, me, r->layout, &h->plan);
    return an_halo_plan_new(r->partition, me, r->layout, r->nlocal, r->local, r->normal, r->second,
                            &h->plan);
}

/* The part of the set-up that can fail on one rank alone; the communicator exists already. */
static int fill(struct an_halo *h, const struct recipe *r)
{
    int me, nrank;
    AN_MPI(MPI_Comm_rank(h->comm, &me));
    AN_MPI(MPI_Comm_size(h->comm, &nrank));
    if (r->share) {
        h->ncell = r->share[nrank];
        AN_TRY(an_halo_plan_share(nrank, me, r->share, &h->plan));
    } else {
        AN_TRY(plan_cells(h, r, me, nrank));
    }
    if (h->plan.local.n)
        AN_TRY(h->engine->op->copies_new(h->engine, h->plan.local.n, h->plan.local.copy,
                                         h->plan.nrotation, (const double(*)[9])h->plan.rotation,
                                         &h->local));
    h->info.neighbours = h->plan.nneighbour;
    h->info.cells_local = h->plan.local_cells;
    h->info.cells_remote = h->plan.recv_cells;
    return AN_OK;
}

static int halo_new(MPI_Comm comm, struct an_engine *engine, const struct recipe *recipe,
                    int max_components, enum an_transport_kind transport, struct an_halo **halo)
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
    h->max_component = max_components > 0 ? max_components : 1;
    h->comm = MPI_COMM_NULL;
    int code = MPI_Comm_dup(comm, &h->comm);
    status = code == MPI_SUCCESS ? fill(h, recipe) : an_mpi_error(code, "MPI_Comm_dup");
    status = an_reduce_status(comm, status);
    if (status == AN_OK)
        status = an_reduce_status(comm, connect_any(h, transport));
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
    const struct recipe r = {
        .partition = partition, .layout = layout, .nlocal = nlocal, .local = local};
    return halo_new(comm, engine, &r, max_components, transport, halo);
}

int an_halo_normal_new(MPI_Comm comm, struct an_engine *engine,
                       const struct an_partition *partition, const struct an_layout *layout,
                       int nlocal, const int *local, enum an_transport_kind transport,
                       struct an_halo **halo)
{
    const struct recipe r = {
        .partition = partition, .layout = layout, .nlocal = nlocal, .local = local, .normal = 1};
    return halo_new(comm, engine, &r, 1, transport, halo);
}

int an_halo_second_new(MPI_Comm comm, struct an_engine *engine,
                       const struct an_partition *partition, const struct an_layout *layout,
                       int nlocal, const int *local, int max_components,
                       enum an_transport_kind transport, struct an_halo **halo)
{
    const struct recipe r = {
        .partition = partition, .layout = layout, .nlocal = nlocal, .local = local, .second = 1};
    return halo_new(comm, engine, &r, max_components, transport, halo);
}

int an_halo_share_new(MPI_Comm comm, struct an_engine *engine, const int64_t *first,
                      enum an_transport_kind transport, struct an_halo **halo)
{
    const struct recipe r = {.share = first};
    return halo_new(comm, engine, &r, 1, transport, halo);
}

int an_halo_gather_new(MPI_Comm comm, struct an_engine *engine, const struct an_partition *owners,
                       const struct an_layout *layout, int max_components,
                       enum an_transport_kind transport, struct an_halo **halo)
{
    const struct recipe r = {.partition = owners, .layout = layout, .gather = 1};
    return halo_new(comm, engine, &r, max_components, transport, halo);
}

void an_halo_destroy(struct an_halo *h)
{
    if (!h)
        return;
    for (int n = 0; n < h->nchannel && h->state == SENT; n++) { /* a run that stops early */
        struct an_transport *t = &h->channel[n].transport;
        (void)t->op->finish(t, h->ncomp, HALO_STREAM);
    }
    (void)h->engine->op->sync(h->engine, HALO_STREAM);
    disconnect(h);
    if (h->local)
        h->engine->op->copies_free(h->engine, h->local);
    an_halo_plan_free(&h->plan);
    if (h->comm != MPI_COMM_NULL)
        MPI_Comm_free(&h->comm);
    free(h);
}

static int post_messages(struct an_halo *h, int host_waits)
{
    for (int n = 0; n < h->nchannel; n++) {
        struct an_transport *t = &h->channel[n].transport;
        if (t->op->host_waits == host_waits)
            AN_TRY(t->op->send(t, h->ncomp, HALO_STREAM));
    }
    return AN_OK;
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
    h->local_done = 0;
    h->info.exchanges++;
    if (h->plan.nneighbour == 0) /* local copies only */
        return AN_OK;
    h->info.messages += h->plan.nneighbour;
    h->info.bytes += h->plan.send_cells * h->ncomp * (int)h->engine->precision;
    AN_TRY(h->engine->op->wait(h->engine, HALO_STREAM, MAIN_STREAM));
    for (int n = 0; n < h->nchannel; n++)
        AN_TRY(an_channel_pack(&h->channel[n], nfield, h->field, h->ncell, h->ncomp, HALO_STREAM));
    AN_TRY(post_messages(h, 0));
    if (h->engine->device_memory)
        return AN_OK;
    h->state = SENT;
    return post_messages(h, 1);
}

int an_halo_start(struct an_halo *h, void *base, int ncomp, int vector)
{
    return an_halo_start_fields(h, 1, &(struct an_halo_field){base, ncomp, vector});
}

/* Ghosts whose donors are blocks of this rank. */
void an_halo_take_local(struct an_halo *h, struct an_copying *c)
{
    assert(h->state != IDLE);
    *c = (struct an_copying){.component = h->ncell};
    if (!h->local || h->local_done)
        return;
    c->list = h->local;
    c->nfield = h->nfield;
    for (int f = 0; f < h->nfield; f++) {
        c->field[f].base = h->field[f].base;
        c->field[f].ncomp = h->field[f].ncomp;
        c->field[f].vector = h->field[f].vector;
    }
    h->local_done = 1;
}

/* Fills the ghost cells whose donors are on other ranks. */
static int finish_remote(struct an_halo *h)
{
    if (h->state == PACKED)
        AN_TRY(post_messages(h, 1));
    h->state = SENT;
    for (int n = 0; n < h->nchannel; n++) {
        struct an_channel *c = &h->channel[n];
        AN_TRY(c->transport.op->finish(&c->transport, h->ncomp, HALO_STREAM));
        AN_TRY(an_channel_unpack(c, h->nfield, h->field, h->ncell, h->ncomp, HALO_STREAM));
    }
    return h->engine->op->wait(h->engine, MAIN_STREAM, HALO_STREAM);
}

int an_halo_finish(struct an_halo *h)
{
    struct an_copying local;
    an_halo_take_local(h, &local);
    AN_TRY(an_engine_copy_all(h->engine, &local, MAIN_STREAM));
    if (h->plan.nneighbour)
        AN_TRY(finish_remote(h));
    h->state = IDLE;
    return AN_OK;
}

/* An exchange of a single field: all components of the exchange belong to it. */
static int time_exchanges(struct an_halo *h, void *field, int ncomp, int times, double *seconds)
{
    const struct an_engine_ops *op = h->engine->op;
    enum { WARM = 5 };
    double start = 0;
    for (int n = -WARM; n < times; n++) {
        if (n == 0) {
            AN_TRY(op->sync(h->engine, MAIN_STREAM));
            AN_MPI(MPI_Barrier(h->comm));
            start = MPI_Wtime();
        }
        AN_TRY(an_halo_start(h, field, ncomp, AN_COPY_PLAIN));
        AN_TRY(an_halo_finish(h));
    }
    AN_TRY(op->sync(h->engine, MAIN_STREAM));
    *seconds = (MPI_Wtime() - start) / times;
    return AN_OK;
}

int an_halo_time(struct an_halo *h, int ncomp, int times, double *seconds)
{
    const struct an_halo_info before = h->info;
    const int64_t pitch = h->ncell;
    void *field = NULL;
    int status =
        h->engine->op->alloc(h->engine, (size_t)h->ncell * (size_t)h->engine->precision, &field);
    status = an_reduce_status(h->comm, status);
    h->ncell = 0;
    if (status == AN_OK)
        status = time_exchanges(h, field, ncomp, times, seconds);
    h->ncell = pitch;
    h->info.exchanges = before.exchanges;
    h->info.messages = before.messages;
    h->info.bytes = before.bytes;
    if (field)
        h->engine->op->free(h->engine, field);
    AN_TRY(an_reduce_status(h->comm, status));
    return an_reduce_max(h->comm, 1, seconds);
}

void an_halo_info(const struct an_halo *h, struct an_halo_info *info)
{
    *info = h->info;
}

int an_halo_check(struct an_halo *h)
{
    for (int n = 0; n < h->nchannel && h->state == IDLE; n++) {
        struct an_transport *t = &h->channel[n].transport;
        if (t->op->check)
            AN_TRY(t->op->check(t));
    }
    return AN_OK;
}
