/* Ghost cells hold their donors, whoever owns those, and nothing else is touched.
 *
 * Every cell of the box behind a synthetic mesh has a number; zones, pieces and ranks only differ
 * in who holds it. What a ghost must hold follows from its place in the box, not from an interface.
 * The whole allocation is compared, padding included.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/engine/engine.h"
#include "mpi/halo.h"
#include "tests/unit/synthetic.h"

static int me, size;
static const char *engine_name = "cpu";
static int must_have_all; /* no transport may be missing but CUDA-aware MPI */
static int peer_alone;    /* the others are left out */
static unsigned meshes = 24;
static int node_ranks; /* ranks of a node, as MPI tells the program; 0: as it is */

/* In place of the library's function, by MPI's profiling interface. */
int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *node)
{
    int rank;
    if (!node_ranks)
        return PMPI_Comm_split_type(comm, type, key, info, node);
    MPI_Comm_rank(comm, &rank);
    return PMPI_Comm_split(comm, rank / node_ranks, key, node);
}

/* A C-grid is a mesh with wake > 0 and no place in a box: its one zone is the box. */
struct world {
    struct synthetic s;
    int wake;
};

/* The number of cell c of a zone, c being inside or in a ghost layer; -1 where nothing is behind
 * the face. turn: how often a rotational periodicity was crossed upwards; negative: downwards. */
static int64_t number_of(const struct world *w, int zone, const int c[3], int *turn)
{
    const struct synthetic *s = &w->s;
    int g[3] = {c[0], c[1], c[2]};
    *turn = 0;
    if (w->wake) {
        int ni = s->size[0];
        if (g[1] < 0 && (g[0] < w->wake || g[0] >= ni - w->wake)) {
            g[0] = ni - 1 - g[0];
            g[1] = -1 - g[1];
        }
    } else {
        an_cellmap_apply(&s->place[zone], c, g);
    }
    for (int d = 0; d < 3; d++) {
        if (g[d] >= 0 && g[d] < s->size[d])
            continue;
        if (!s->periodic[d])
            return -1;
        const int times = g[d] < 0 ? -((-1 - g[d]) / s->size[d]) - 1 : g[d] / s->size[d];
        if (s->periodic[d] == 2)
            *turn = times;
        g[d] -= times * s->size[d];
    }
    return g[0] + (int64_t)s->size[0] * (g[1] + (int64_t)s->size[1] * g[2]);
}

/* Below 2^24 and no two alike, so that single precision holds it. */
static double value_of(int64_t number, int comp, int salt)
{
    return (double)(number * 32 + comp * 2 + salt + 1);
}

struct rig {
    const struct world *w;
    struct an_partition partition;
    struct an_layout layout;
    struct an_engine engine;
    int nlocal, *local;
};

static int rig_new(const struct world *w, int max_piece_cells, enum an_precision precision,
                   struct rig *r)
{
    memset(r, 0, sizeof *r);
    r->w = w;
    struct an_partition_options opt = {
        .levels = 1, .min_cells = 2, .balance = 1.05, .max_piece_cells = max_piece_cells};
    AN_TRY(an_partition_new(&w->s.mesh, size, &opt, &r->partition));
    r->local = malloc((size_t)r->partition.npiece * sizeof *r->local);
    int(*n)[3] = malloc((size_t)r->partition.npiece * sizeof *n);
    for (int p = r->partition.npiece - 1; p >= 0; p--) /* the order of local blocks is free */
        if (r->partition.piece[p].rank == me) {
            memcpy(n[r->nlocal], r->partition.topology.block[p].n, sizeof *n);
            r->local[r->nlocal++] = p;
        }
    int status = an_layout_new(r->nlocal, (const int(*)[3])n, precision, &r->layout);
    free(n);
    AN_TRY(status);
    if (strcmp(engine_name, "cuda") == 0)
        return an_engine_cuda_new(precision, me % an_engine_cuda_count(), &r->engine);
    return an_engine_cpu_new(precision, 1, NULL, &r->engine);
}

static void rig_free(struct rig *r)
{
    an_engine_destroy(&r->engine);
    an_layout_free(&r->layout);
    an_partition_free(&r->partition);
    free(r->local);
}

static double get(const struct rig *r, const void *field, int64_t at)
{
    return r->engine.precision == AN_DOUBLE ? ((const double *)field)[at]
                                            : (double)((const float *)field)[at];
}

static void set(const struct rig *r, void *field, int64_t at, double v)
{
    if (r->engine.precision == AN_DOUBLE)
        ((double *)field)[at] = v;
    else
        ((float *)field)[at] = (float)v;
}

/* Inner cells get their values, everything else values that no cell has. */
static void fill(const struct rig *r, void *field, int ncomp, int salt)
{
    for (int64_t e = 0; e < r->layout.ncell * ncomp; e++)
        set(r, field, e, -1.0 - (double)(e % 1000));
    for (int b = 0; b < r->nlocal; b++) {
        const struct an_piece *p = &r->partition.piece[r->local[b]];
        const struct an_block *block = &r->layout.block[b];
        int c[3], turn;
        for (c[2] = p->lo[2]; c[2] < p->hi[2]; c[2]++)
            for (c[1] = p->lo[1]; c[1] < p->hi[1]; c[1]++)
                for (c[0] = p->lo[0]; c[0] < p->hi[0]; c[0]++) {
                    int64_t number = number_of(r->w, p->zone, c, &turn);
                    int64_t at =
                        an_element(block, c[0] - p->lo[0], c[1] - p->lo[1], c[2] - p->lo[2]);
                    for (int q = 0; q < ncomp; q++)
                        set(r, field, q * r->layout.ncell + at, value_of(number, q, salt));
                }
    }
}

/* The group of three components that q belongs to and that is a vector; -1: none. */
static int group_of(int vector, int q)
{
    if (vector == AN_COPY_TENSOR || vector == AN_COPY_VECTORS)
        return q / 3 * 3;
    return vector >= 0 && q >= vector && q < vector + 3 ? vector : -1;
}

/* What component q of a ghost must hold. *turned: it is only right to rounding. */
static double ghost_of(const struct world *w, int64_t number, int turn, int q, int vector, int salt,
                       int *turned)
{
    const int first = group_of(vector, q);
    *turned = turn && first >= 0;
    if (!*turned)
        return value_of(number, q, salt);
    double angle = 0; /* x_here = R x_donor: beyond the upper face, a period further on */
    for (int d = 0; d < 3; d++)
        angle += w->s.periodic[d] == 2 ? turn * w->s.period[d] : 0;
    const double c = cos(angle), s = sin(angle), R[3][3] = {{1, 0, 0}, {0, c, -s}, {0, s, c}};
    double sum = 0;
    for (int m = 0; m < 3; m++) {
        if (vector != AN_COPY_TENSOR || q >= 9)
            sum += R[q - first][m] * value_of(number, first + m, salt);
        for (int n = 0; n < 3 && vector == AN_COPY_TENSOR && q < 9; n++)
            sum += R[q / 3][m] * R[q % 3][n] * value_of(number, 3 * m + n, salt);
    }
    return sum;
}

/* Sets the ghosts of one face in `field`; marks in `loose` what is right to rounding. */
static void expect_face(const struct rig *r, void *field, char *loose, int ncomp, int vector,
                        int salt, int b, int dir, int side)
{
    const struct an_piece *p = &r->partition.piece[r->local[b]];
    const struct an_block *block = &r->layout.block[b];
    int lo[3] = {0, 0, 0}, hi[3] = {block->n[0], block->n[1], block->n[2]}, c[3];
    lo[dir] = side ? block->n[dir] : -AN_GHOST;
    hi[dir] = lo[dir] + AN_GHOST;
    for (c[2] = lo[2]; c[2] < hi[2]; c[2]++)
        for (c[1] = lo[1]; c[1] < hi[1]; c[1]++)
            for (c[0] = lo[0]; c[0] < hi[0]; c[0]++) {
                int zone_cell[3] = {c[0] + p->lo[0], c[1] + p->lo[1], c[2] + p->lo[2]}, turn;
                int64_t number = number_of(r->w, p->zone, zone_cell, &turn);
                for (int q = 0; q < ncomp && number >= 0; q++) {
                    int64_t at = q * r->layout.ncell + an_element(block, c[0], c[1], c[2]);
                    int turned;
                    set(r, field, at, ghost_of(r->w, number, turn, q, vector, salt, &turned));
                    loose[at] = (char)turned;
                }
            }
}

/* How many elements of the allocation are not what they must be. */
static int wrong_elements(const struct rig *r, const void *field, int ncomp, int vector, int salt)
{
    size_t count = (size_t)r->layout.ncell * (size_t)ncomp;
    void *expected = malloc(count * (size_t)r->engine.precision + 1);
    char *loose = calloc(count + 1, 1);
    int wrong = 0;
    fill(r, expected, ncomp, salt);
    for (int b = 0; b < r->nlocal; b++)
        for (int face = 0; face < 6; face++)
            expect_face(r, expected, loose, ncomp, vector, salt, b, face / 2, face % 2);
    double eps = r->engine.precision == AN_DOUBLE ? DBL_EPSILON : (double)FLT_EPSILON;
    double scale = value_of((int64_t)r->w->s.size[0] * r->w->s.size[1] * r->w->s.size[2], 0, 0);
    for (size_t e = 0; e < count; e++) {
        double a = get(r, field, (int64_t)e), x = get(r, expected, (int64_t)e);
        wrong += loose[e] ? !(fabs(a - x) <= 16 * eps * scale) : !(a == x);
    }
    free(expected);
    free(loose);
    return wrong;
}

static int check_info(const struct rig *r, const struct an_halo *h, int64_t components,
                      int64_t exchanges)
{
    struct an_halo_info info;
    an_halo_info(h, &info);
    int wrong = info.exchanges != exchanges || info.messages != exchanges * info.neighbours;
    int64_t total[2] = {info.bytes, info.cells_remote * components * (int)r->engine.precision};
    MPI_Allreduce(MPI_IN_PLACE, total, 2, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    wrong += total[0] != total[1];
    wrong += info.neighbours > size - 1 || (size > 1 && info.neighbours < 1);
    return wrong + (info.reason[0] == '\0');
}

/* A field in engine memory. Returns a fault count, as all that follow. */
static int load(struct rig *r, void *field, int ncomp, int salt)
{
    size_t bytes = (size_t)(r->layout.ncell * ncomp) * (size_t)r->engine.precision;
    void *host = malloc(bytes + 1);
    fill(r, host, ncomp, salt);
    int wrong = r->engine.op->upload(&r->engine, field, host, bytes, 0) != AN_OK;
    wrong += r->engine.op->sync(&r->engine, 0) != AN_OK;
    free(host);
    return wrong;
}

/* FNV-1a of all that exchanges have left behind. */
static uint64_t hash;

static void add_to_hash(const void *p, size_t bytes)
{
    const uint32_t *word = p;
    for (size_t n = 0; n < bytes / sizeof *word; n++)
        hash = (hash ^ word[n]) * 0x100000001b3u;
}

static int compare(struct rig *r, const void *field, int ncomp, int vector, int salt)
{
    size_t bytes = (size_t)(r->layout.ncell * ncomp) * (size_t)r->engine.precision;
    void *host = malloc(bytes + 1);
    int wrong = r->engine.op->download(&r->engine, host, field, bytes, 0) != AN_OK;
    wrong += r->engine.op->sync(&r->engine, 0) != AN_OK;
    wrong += wrong_elements(r, host, ncomp, vector, salt);
    add_to_hash(host, bytes);
    free(host);
    return wrong;
}

/* second: NULL where no zone is one cell thick between others */
static int exchange(struct rig *r, struct an_halo *h, struct an_halo *second, void *field,
                    int ncomp, int vector, int salt)
{
    int wrong = load(r, field, ncomp, salt);
    wrong += an_halo_start(h, field, ncomp, vector) || an_halo_finish(h);
    if (second)
        wrong += an_halo_start(second, field, ncomp, vector) || an_halo_finish(second);
    return wrong + compare(r, field, ncomp, vector, salt);
}

/* Exchanges of several kinds through one halo. */
static int exchange_all(struct rig *r, enum an_transport_kind kind)
{
    struct an_halo *h, *second = NULL;
    hash = 0xcbf29ce484222325u;
    int status = an_halo_new(MPI_COMM_WORLD, &r->engine, &r->partition, &r->layout, r->nlocal,
                             r->local, 12, kind, &h);
    if (status != AN_OK) {
        print_message("%s\n", an_error_text());
        return 1;
    }
    void *w, *nu, *grad;
    int wrong = 0;
    if (an_halo_needs_second(&r->partition))
        wrong += an_halo_second_new(MPI_COMM_WORLD, &r->engine, &r->partition, &r->layout,
                                    r->nlocal, r->local, 12, kind, &second) != AN_OK;
    size_t bytes = (size_t)r->layout.ncell * (size_t)r->engine.precision;
    wrong += r->engine.op->alloc(&r->engine, 5 * bytes, &w) != AN_OK;
    wrong += r->engine.op->alloc(&r->engine, bytes, &nu) != AN_OK;
    wrong += r->engine.op->alloc(&r->engine, 12 * bytes, &grad) != AN_OK;
    wrong += exchange(r, h, second, w, 5, 1, 0);
    wrong += exchange(r, h, second, w, 5, 1, 1); /* finds buffers that were used */
    wrong += exchange(r, h, second, nu, 1, -1, 0);
    wrong += exchange(r, h, second, w, 5, -1, 0); /* a vector that is none stays as it is */
    wrong += exchange(r, h, second, grad, 12, AN_COPY_TENSOR, 0);
    wrong += exchange(r, h, second, grad, 6, AN_COPY_VECTORS, 1);

    wrong += load(r, w, 5, 1) + load(r, nu, 1, 0);
    struct an_halo_field both[] = {{w, 5, 1}, {nu, 1, -1}};
    wrong += an_halo_start_fields(h, 2, both) || an_halo_finish(h);
    if (second)
        wrong += an_halo_start_fields(second, 2, both) || an_halo_finish(second);
    wrong += compare(r, w, 5, 1, 1) + compare(r, nu, 1, -1, 0);
    wrong += check_info(r, h, 5 + 5 + 1 + 5 + 12 + 6 + 6, 7);
    wrong += an_halo_prepare(h, 13) == AN_OK;
    wrong += an_halo_start(h, nu, 1, -1) != AN_OK; /* left under way on purpose */
    an_halo_destroy(h);
    an_halo_destroy(second);
    r->engine.op->free(&r->engine, w);
    r->engine.op->free(&r->engine, nu);
    r->engine.op->free(&r->engine, grad);
    return wrong;
}

static int all_faults(int wrong)
{
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return wrong;
}

/* A transport leaves the bits of the staged one behind. What this machine does not have is left
 * out, where it is not named on the command line. */
static void check_kind(struct rig *r, enum an_transport_kind kind, uint64_t staged)
{
    static int told[16], left_out[16];
    struct an_halo *h = NULL;
    const int missing = told[kind] && !node_ranks
                            ? left_out[kind]
                            : an_halo_new(MPI_COMM_WORLD, &r->engine, &r->partition, &r->layout,
                                          r->nlocal, r->local, 1, kind, &h) == AN_INPUT;
    struct an_halo_info info = {.reason = ""};
    if (!missing && h)
        an_halo_info(h, &info);
    an_halo_destroy(h);
    left_out[kind] = missing;
    if (!told[kind]++ && me == 0)
        print_message("%s: %s\n", missing ? "left out" : info.transport,
                      missing ? an_error_text() : info.reason);
    if (info.transport[0] && node_ranks && kind == AN_TRANSPORT_KIND_PEER && size > 2)
        assert_non_null(strstr(info.transport, "between nodes"));
    if (missing && !(must_have_all && kind == AN_TRANSPORT_KIND_NCCL))
        return;
    assert_int_equal(all_faults(exchange_all(r, kind)), 0);
    assert_int_equal(all_faults(hash != staged), 0);
}

static void check_world(const struct world *w, int max_piece_cells, enum an_precision precision)
{
    struct rig r;
    int status = rig_new(w, max_piece_cells, precision, &r);
    if (status != AN_OK)
        print_message("%s\n", an_error_text());
    assert_int_equal(all_faults(status), 0);
    assert_int_equal(all_faults(exchange_all(&r, AN_TRANSPORT_KIND_STAGED)), 0);
    const uint64_t staged = hash;
    check_kind(&r, AN_TRANSPORT_KIND_PEER, staged);
    if (peer_alone) {
        rig_free(&r);
        return;
    }
    check_kind(&r, AN_TRANSPORT_KIND_AUTO, staged);
    node_ranks = 2; /* peers in pairs, another transport between them */
    check_kind(&r, AN_TRANSPORT_KIND_PEER, staged);
    node_ranks = 0;
    if (r.engine.device_memory) {
        check_kind(&r, AN_TRANSPORT_KIND_NCCL, staged);
        check_kind(&r, AN_TRANSPORT_KIND_CUDA_AWARE, staged);
    } else { /* the order of operations that devices get */
        r.engine.device_memory = 1;
        check_kind(&r, AN_TRANSPORT_KIND_STAGED, staged);
        check_kind(&r, AN_TRANSPORT_KIND_AUTO, staged);
        check_kind(&r, AN_TRANSPORT_KIND_PEER, staged);
        r.engine.device_memory = 0;
    }
    rig_free(&r);
}

static void random_meshes(void **unused)
{
    (void)unused;
    for (unsigned seed = 1; seed <= meshes; seed++) {
        unsigned state = seed * 131;
        int box[3] = {16, 16, 8}, periodic[3];
        for (int d = 0; d < 3; d++)
            periodic[d] = synthetic_random(&state, 2);
        if (seed % 2)
            periodic[seed / 2 % 3] = 2;
        struct world w = {.wake = 0};
        synthetic_new(seed, box, 1 + synthetic_random(&state, 14), 2, 4, periodic, &w.s);
        check_world(&w, seed % 3 ? 0 : 40 + synthetic_random(&state, 200),
                    seed % 4 < 2 ? AN_SINGLE : AN_DOUBLE);
        synthetic_free(&w.s);
    }
}

static void one_zone_joined_to_itself(void **unused)
{
    (void)unused;
    struct world w = {.wake = 0};
    synthetic_new(5, (int[3]){12, 8, 16}, 1, 4, 4, (int[3]){1, 2, 1}, &w.s);
    check_world(&w, 0, AN_SINGLE);
    check_world(&w, 64, AN_DOUBLE);
    synthetic_free(&w.s);
}

static void a_c_grid(void **unused)
{
    (void)unused;
    struct world w = {.wake = 12};
    memset(&w.s, 0, sizeof w.s);
    w.s.size[0] = 44;
    w.s.size[1] = 8;
    w.s.size[2] = 6;
    synthetic_c_grid(12, 20, 8, 6, &w.s.mesh);
    check_world(&w, 0, AN_DOUBLE);
    check_world(&w, 50, AN_SINGLE);
    synthetic_free(&w.s);
}

/* Plane cases: a zone one cell thick, joined to itself, gives its cells to both layers. */
static void one_cell_thick(void **unused)
{
    (void)unused;
    for (unsigned seed = 1; seed <= 6; seed++) {
        struct world w = {.wake = 0};
        synthetic_new(seed, (int[3]){20, 16, 1}, 4, 4, 4, (int[3]){1, 0, 1}, &w.s);
        check_world(&w, seed % 2 ? 0 : 40, AN_DOUBLE);
        synthetic_free(&w.s);
    }
}

/* Zones one cell thick among others, or joined to themselves by a rotation: second ghosts lie two zones, or
 * two turns, away. */
static void second_ghosts_lie_behind_thin_zones(void **unused)
{
    (void)unused;
    for (unsigned seed = 1; seed <= meshes / 2; seed++) {
        unsigned state = seed * 137;
        int box[3] = {7, 6, 5}, periodic[3] = {1, 1, 1};
        box[seed % 3] = seed % 4 ? box[seed % 3] : 1;
        periodic[seed % 2 ? seed % 3 : seed / 2 % 3] = 2;
        struct world w = {.wake = 0};
        synthetic_new(seed, box, 3 + synthetic_random(&state, 40), 1, 1, periodic, &w.s);
        check_world(&w, seed % 3 ? 0 : 20, seed % 4 < 2 ? AN_SINGLE : AN_DOUBLE);
        synthetic_free(&w.s);
    }
}

static void transports_are_refused_with_a_reason(void **unused)
{
    (void)unused;
    struct world w = {.wake = 0};
    struct rig r;
    struct an_halo *h;
    synthetic_new(1, (int[3]){16, 16, 8}, 3, 4, 4, (int[3]){0}, &w.s);
    assert_int_equal(rig_new(&w, 0, AN_DOUBLE, &r), AN_OK);
    int status;
    if (!r.engine.device_memory) {
        status = an_halo_new(MPI_COMM_WORLD, &r.engine, &r.partition, &r.layout, r.nlocal, r.local,
                             5, AN_TRANSPORT_KIND_CUDA_AWARE, &h);
        assert_int_equal(status, AN_INPUT);
        assert_null(h);
        assert_non_null(strstr(an_error_text(), "'cuda-aware': not available because"));
    } else {
        status = an_halo_new(MPI_COMM_WORLD, &r.engine, &r.partition, &r.layout, r.nlocal, r.local,
                             5, AN_TRANSPORT_KIND_HOST, &h);
        assert_int_equal(status, AN_INPUT);
    }
    assert_non_null(strstr(an_transport_list(), "host"));
    /* A layout that does not fit on one rank is refused on all. */
    int nlocal = r.nlocal - (me == size - 1);
    status = an_halo_new(MPI_COMM_WORLD, &r.engine, &r.partition, &r.layout, nlocal, r.local, 5,
                         AN_TRANSPORT_KIND_AUTO, &h);
    assert_int_equal(status, AN_FAIL);
    assert_int_equal(all_faults(0), 0);
    rig_free(&r);
    synthetic_free(&w.s);
}

/* A halo that lives as long as the tests: with it lives NCCL's communicator, which all halos of the
 * same ranks share and which takes longer to set up than most tests take. */
static struct world kept_world;
static struct rig kept_rig;
static struct an_halo *kept_halo;

static int keep_nccl(void **unused)
{
    (void)unused;
    if (strcmp(engine_name, "cuda") != 0 || peer_alone)
        return 0;
    synthetic_new(1, (int[3]){16, 16, 8}, 3, 4, 4, (int[3]){0}, &kept_world.s);
    if (all_faults(rig_new(&kept_world, 0, AN_DOUBLE, &kept_rig) != AN_OK))
        return 1;
    (void)an_halo_new(MPI_COMM_WORLD, &kept_rig.engine, &kept_rig.partition, &kept_rig.layout,
                      kept_rig.nlocal, kept_rig.local, 1, AN_TRANSPORT_KIND_NCCL, &kept_halo);
    return 0; /* none: those who ask for it say so */
}

static int drop_nccl(void **unused)
{
    (void)unused;
    an_halo_destroy(kept_halo);
    if (kept_halo || kept_rig.local) {
        rig_free(&kept_rig);
        synthetic_free(&kept_world.s);
    }
    return 0;
}

/* Tests may be cut short: each says what it took. */
static double started;

static int start_clock(void **unused)
{
    (void)unused;
    started = MPI_Wtime();
    return 0;
}

static int tell_time(void **unused)
{
    (void)unused;
    if (me == 0)
        print_message("took %.1f s\n", MPI_Wtime() - started);
    return 0;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        engine_name = argv[1];
    if (argc > 2)
        meshes = (unsigned)atoi(argv[2]);
    must_have_all = argc > 3 && strcmp(argv[3], "all") == 0;
    peer_alone = argc > 3 && strcmp(argv[3], "peer") == 0;
    const int devices = an_engine_cuda_count(), only_two = argc > 4;
    if (strcmp(engine_name, "cuda") == 0 && (devices == 0 || (must_have_all && devices < size))) {
        MPI_Finalize();
        return 77; /* skipped */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(random_meshes, start_clock, tell_time),
        cmocka_unit_test_setup_teardown(one_zone_joined_to_itself, start_clock, tell_time),
        cmocka_unit_test_setup_teardown(a_c_grid, start_clock, tell_time),
        cmocka_unit_test_setup_teardown(one_cell_thick, start_clock, tell_time),
        cmocka_unit_test_setup_teardown(second_ghosts_lie_behind_thin_zones, start_clock,
                                        tell_time),
        cmocka_unit_test_setup_teardown(transports_are_refused_with_a_reason, start_clock,
                                        tell_time),
    };
    const struct CMUnitTest two[] = {tests[0], tests[2]};
    int failed = only_two ? cmocka_run_group_tests(two, keep_nccl, drop_nccl)
                          : cmocka_run_group_tests(tests, keep_nccl, drop_nccl);
    MPI_Finalize();
    return failed;
}
