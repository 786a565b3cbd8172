/* Times of halo exchanges between GPUs: bench_halo [N [components [direction]]], one rank
 * per device.
 *
 * The mesh is a row of cubes of N^3 cells, one for each rank, joined end to end and round along
 * i (direction 0, in whose halo two cells lie side by side in memory), j or k (2: planes): each
 * rank has two neighbours (at two ranks the same one twice) and each face sends two layers. Printed
 * per rank and exchange, us, the slowest rank's: the bare copy of as many bytes between devices;
 * packing and unpacking alone, in the rank's own memory; each transport, launched one by one and
 * recorded. Medians of several means. "same": the ghosts hold the bits of the staged exchange.
 */
#include "kernels/engine/engine.h"
#include "kernels/engine/peer.h"
#include "mpi/halo.h"
#include "mpi/reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 50, MEANS = 9 };

static int me, size;

struct rig {
    struct an_topology mesh;
    struct an_partition partition;
    struct an_layout layout;
    struct an_engine engine;
    int local;
    void *field;
    int ncomp, dir;
};

/* A ring of cubes along a direction. */
static int ring(int n, int along, struct an_topology *t)
{
    an_topology_init(t);
    t->nblock = size;
    t->ninterface = 2 * size;
    t->npatch = 4 * size;
    t->nboundary = 1;
    t->patch = calloc(4 * (size_t)size, sizeof *t->patch);
    t->boundary = calloc(1, sizeof *t->boundary);
    t->block = calloc((size_t)size, sizeof *t->block);
    t->interface = calloc(2 * (size_t)size, sizeof *t->interface);
    AN_CHECK(t->block && t->interface && t->patch && t->boundary, AN_FAIL, "out of memory");
    for (int b = 0; b < size; b++) {
        snprintf(t->block[b].name, AN_NAME, "cube%d", b);
        snprintf(t->boundary[0].name, AN_NAME, "side");
        for (int d = 0; d < 3; d++)
            t->block[b].n[d] = n;
        for (int p = 0; p < 4; p++) {
            struct an_window *w = &t->patch[4 * b + p].window;
            const int dir = (along + 1 + p / 2) % 3;
            *w = (struct an_window){b, dir, p % 2, {0, 0, 0}, {n, n, n}};
            w->hi[dir] = 0;
        }
        for (int side = 0; side < 2; side++) {
            struct an_interface *f = &t->interface[2 * b + side];
            snprintf(f->name, AN_NAME, "side%d", side);
            f->window = (struct an_window){b, along, side, {0, 0, 0}, {n, n, n}};
            f->window.hi[along] = 0;
            f->donor = (b + (side ? 1 : size - 1)) % size;
            f->donor_dir = along;
            f->donor_side = !side;
            f->rotation[0] = f->rotation[4] = f->rotation[8] = 1;
            for (int d = 0; d < 3; d++) {
                f->map.perm[d] = d;
                f->map.sign[d] = 1;
            }
            f->map.shift[along] = side ? -n : n;
            f->periodic = side ? b == size - 1 : b == 0;
            f->translation[along] = f->periodic ? (side ? 1 : -1) * size : 0;
            f->partner = 2 * f->donor + !side;
        }
    }
    return AN_OK;
}

static int rig_new(int n, int ncomp, int dir, struct rig *r)
{
    const struct an_partition_options opt = {.levels = 1, .balance = 1.05};
    int cells[1][3] = {{n, n, n}};
    AN_TRY(ring(n, dir, &r->mesh));
    AN_TRY(an_partition_new(&r->mesh, size, &opt, &r->partition));
    for (int p = 0; p < r->partition.npiece; p++)
        if (r->partition.piece[p].rank == me)
            r->local = p;
    AN_TRY(an_layout_new(1, (const int(*)[3])cells, AN_SINGLE, &r->layout));
    AN_TRY(an_engine_cuda_new(AN_SINGLE, me % an_engine_cuda_count(), &r->engine));
    r->ncomp = ncomp;
    r->dir = dir;
    return r->engine.op->alloc(&r->engine, (size_t)r->layout.ncell * (size_t)ncomp * 4, &r->field);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Seconds of one of the REPEATS that a replay holds; median. */
static int time_replay(struct rig *r, struct an_recording *recording, double *seconds)
{
    const struct an_engine_ops *op = r->engine.op;
    double mean[MEANS];
    for (int m = -1; m < MEANS; m++) {
        AN_MPI(MPI_Barrier(MPI_COMM_WORLD));
        const double start = MPI_Wtime();
        AN_TRY(op->replay(&r->engine, recording));
        AN_TRY(op->sync(&r->engine, 0));
        double took = (MPI_Wtime() - start) / REPEATS;
        AN_TRY(an_reduce_max(MPI_COMM_WORLD, 1, &took));
        if (m >= 0)
            mean[m] = took;
    }
    qsort(mean, MEANS, sizeof *mean, by_size);
    *seconds = mean[MEANS / 2];
    return AN_OK;
}

/* `work` REPEATS times in one recording. */
static int time_recorded(struct rig *r, int (*work)(struct rig *r, void *context), void *context,
                         double *seconds)
{
    const struct an_engine_ops *op = r->engine.op;
    struct an_recording *recording = NULL;
    AN_TRY(work(r, context));
    AN_TRY(op->sync(&r->engine, 0));
    AN_TRY(op->record_begin(&r->engine));
    for (int n = 0; n < REPEATS; n++)
        AN_TRY(work(r, context));
    AN_TRY(op->record_end(&r->engine, &recording));
    const int status = time_replay(r, recording, seconds);
    op->recording_free(&r->engine, recording);
    return status;
}

static int exchange(struct rig *r, void *halo)
{
    AN_TRY(an_halo_start(halo, r->field, r->ncomp, AN_COPY_PLAIN));
    return an_halo_finish(halo);
}

struct bare {
    void *mine, *there, *from;
    size_t bytes;
};

static int bare_copy(struct rig *r, void *context)
{
    const struct bare *b = context;
    return r->engine.op->copy(&r->engine, b->there, b->from, b->bytes, 0);
}

/* Every rank copies to the next. */
static int time_bare(struct rig *r, size_t bytes, double *seconds)
{
    const struct an_peer_ops *peer = r->engine.peer;
    struct bare b = {.bytes = bytes};
    struct an_peer_handle mine, next;
    AN_TRY(peer->box_new(&r->engine, bytes, &b.mine, &mine));
    AN_TRY(r->engine.op->alloc(&r->engine, bytes, &b.from));
    AN_MPI(MPI_Sendrecv(&mine, sizeof mine, MPI_BYTE, (me + size - 1) % size, 0, &next, sizeof next,
                        MPI_BYTE, (me + 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    AN_TRY(peer->box_open(&r->engine, &next, &b.there));
    AN_TRY(time_recorded(r, bare_copy, &b, seconds));
    AN_MPI(MPI_Barrier(MPI_COMM_WORLD));
    peer->box_close(&r->engine, b.there);
    AN_MPI(MPI_Barrier(MPI_COMM_WORLD));
    peer->box_free(&r->engine, b.mine);
    r->engine.op->free(&r->engine, b.from);
    return AN_OK;
}

struct strip {
    struct an_copies *copies;
    void *buffer;
    int64_t pitch;
    int packing;
};

static int strip_copy(struct rig *r, void *context)
{
    const struct strip *s = context;
    const int64_t ncell = r->layout.ncell;
    return s->packing ? r->engine.op->copies(&r->engine, s->copies, s->buffer, s->pitch, r->field,
                                             ncell, r->ncomp, AN_COPY_PLAIN, 0)
                      : r->engine.op->copies(&r->engine, s->copies, r->field, ncell, s->buffer,
                                             s->pitch, r->ncomp, AN_COPY_PLAIN, 0);
}

/* Both faces between the field and a buffer of the rank's own, component after component. */
static int time_strips(struct rig *r, int packing, double *seconds)
{
    const struct an_block *b = &r->layout.block[0];
    const int n = b->n[0];
    struct an_copy copy[2];
    struct strip s = {.packing = packing, .pitch = (int64_t)4 * n * n};
    for (int side = 0; side < 2; side++) {
        struct an_copy *c = &copy[side];
        const int64_t at = (int64_t)side * 2 * n * n;
        int first[3] = {0, 0, 0};
        *c = (struct an_copy){.n = {n, n, n}, .rotation = -1};
        c->n[r->dir] = 2;
        first[r->dir] = packing ? (side ? n - 2 : 0) : (side ? n : -2);
        const int64_t stride[3] = {1, c->n[0], (int64_t)c->n[0] * c->n[1]};
        *(packing ? &c->dst : &c->src) = at;
        *(packing ? &c->src : &c->dst) = an_element(b, first[0], first[1], first[2]);
        memcpy(packing ? c->dst_stride : c->src_stride, stride, sizeof stride);
        memcpy(packing ? c->src_stride : c->dst_stride, b->stride, sizeof stride);
    }
    AN_TRY(r->engine.op->alloc(&r->engine, (size_t)s.pitch * (size_t)r->ncomp * 4, &s.buffer));
    AN_TRY(r->engine.op->copies_new(&r->engine, 2, copy, 0, NULL, &s.copies));
    AN_TRY(time_recorded(r, strip_copy, &s, seconds));
    r->engine.op->copies_free(&r->engine, s.copies);
    r->engine.op->free(&r->engine, s.buffer);
    return AN_OK;
}

/* Bits of the field after two exchanges of known values. */
static int ghosts_of(struct rig *r, struct an_halo *h, uint64_t *hash)
{
    const size_t count = (size_t)r->layout.ncell * (size_t)r->ncomp;
    uint32_t *value = malloc(count * sizeof *value);
    AN_CHECK(value, AN_FAIL, "out of memory");
    for (size_t n = 0; n < count; n++)
        value[n] = (uint32_t)(n * 2654435761u + (uint32_t)me) >> 2;
    int status = r->engine.op->upload(&r->engine, r->field, value, count * sizeof *value, 0);
    for (int n = 0; n < 2 && status == AN_OK; n++)
        status = exchange(r, h);
    if (status == AN_OK)
        status = r->engine.op->download(&r->engine, value, r->field, count * sizeof *value, 0);
    *hash = 0xcbf29ce484222325u;
    for (size_t n = 0; n < count; n++)
        *hash = (*hash ^ value[n]) * 0x100000001b3u;
    free(value);
    return status;
}

static int transport(struct rig *r, const char *name, enum an_transport_kind kind, uint64_t *staged)
{
    struct an_halo *h;
    struct an_halo_info info;
    double plain[MEANS], recorded = 0;
    uint64_t hash = 0;
    const int status = an_halo_new(MPI_COMM_WORLD, &r->engine, &r->partition, &r->layout, 1,
                                   &r->local, r->ncomp, kind, &h);
    if (status == AN_INPUT) {
        if (me == 0)
            printf("%-12s none: %s\n", name, an_error_text());
        return AN_OK;
    }
    AN_TRY(status);
    an_halo_info(h, &info);
    for (int m = 0; m < MEANS; m++)
        AN_TRY(an_halo_time(h, r->ncomp, REPEATS, &plain[m]));
    qsort(plain, MEANS, sizeof *plain, by_size);
    if (info.records)
        AN_TRY(time_recorded(r, exchange, h, &recorded));
    AN_TRY(ghosts_of(r, h, &hash));
    if (kind == AN_TRANSPORT_KIND_STAGED)
        *staged = hash;
    int same = hash == *staged;
    AN_MPI(MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD));
    if (me == 0) {
        printf("%-12s %8.1f ", name, 1e6 * plain[MEANS / 2]);
        if (info.records)
            printf("%8.1f", 1e6 * recorded);
        else
            printf("%8s", "-");
        printf("  %s\n", same ? "same" : "DIFFERENT");
    }
    an_halo_destroy(h);
    return same ? AN_OK : an_error_set(AN_FAIL, "%s gives other bits than staged", name);
}

static int bench(int n, int ncomp, int dir)
{
    static struct rig r;
    double seconds = 0;
    uint64_t staged = 0;
    AN_CHECK(dir >= 0 && dir < 3, AN_INPUT, "no direction %d", dir);
    AN_CHECK(an_engine_cuda_count() > 0, AN_INPUT, "no CUDA device");
    AN_TRY(rig_new(n, ncomp, dir, &r));
    const size_t bytes = (size_t)4 * (size_t)n * (size_t)n * (size_t)ncomp * 4;
    if (me == 0)
        printf("%d ranks, %d GPUs on a node, %.2f MB sent by each, in two faces of %d x %d, along "
               "%c\n",
               size, an_engine_cuda_count(), 1e-6 * (double)bytes, n, n, "ijk"[dir]);
    AN_TRY(time_bare(&r, bytes, &seconds));
    if (me == 0)
        printf("%-12s %8s %8.1f\n", "bare copy", "", 1e6 * seconds);
    for (int packing = 1; packing >= 0; packing--) {
        AN_TRY(time_strips(&r, packing, &seconds));
        if (me == 0)
            printf("%-12s %8s %8.1f\n", packing ? "pack" : "unpack", "", 1e6 * seconds);
    }
    AN_TRY(transport(&r, "staged", AN_TRANSPORT_KIND_STAGED, &staged));
    AN_TRY(transport(&r, "cuda-aware", AN_TRANSPORT_KIND_CUDA_AWARE, &staged));
    AN_TRY(transport(&r, "nccl", AN_TRANSPORT_KIND_NCCL, &staged));
    return transport(&r, "peer", AN_TRANSPORT_KIND_PEER, &staged);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int status = bench(argc > 1 ? atoi(argv[1]) : 180, argc > 2 ? atoi(argv[2]) : 5,
                             argc > 3 ? atoi(argv[3]) : 0);
    if (status != AN_OK)
        fprintf(stderr, "bench_halo: rank %d: %s\n", me, an_error_text());
    if (status == AN_FAIL)
        MPI_Abort(MPI_COMM_WORLD, status);
    MPI_Finalize();
    return status;
}
