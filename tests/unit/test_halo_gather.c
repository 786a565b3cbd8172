/* The cells of a replicated level (an_halo_gather_new): every rank ends with the interior cells of all pieces, of all
 * fields of a message, by each transport that there is; ghost cells and padding keep what they had. Where an
 * exchange can be recorded, the second one is replayed.
 *
 * test_halo_gather [engine [all: every rank a device of its own]]
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/base/numbers.h"
#include "kernels/engine/engine.h"
#include "mpi/halo.h"
#include "tests/unit/synthetic.h"

enum { MOST = 11 };

static int me, size;
static const char *engine_name = "cpu";

struct rig {
    struct an_partition partition;
    struct an_layout layout; /* of all pieces */
    struct an_engine engine;
    void *field[2], *host; /* five components and one; as long as the first */
};

static int rig_new(const struct synthetic *s, int max_piece_cells, enum an_precision precision,
                   struct rig *r)
{
    memset(r, 0, sizeof *r);
    const struct an_partition_options opt = {
        .levels = 1, .min_cells = 2, .balance = 1.05, .max_piece_cells = max_piece_cells};
    AN_TRY(an_partition_new(&s->mesh, size, &opt, &r->partition));
    int(*n)[3] = malloc((size_t)r->partition.npiece * sizeof *n);
    for (int p = 0; p < r->partition.npiece; p++)
        memcpy(n[p], r->partition.topology.block[p].n, sizeof *n);
    const int status =
        an_layout_new(r->partition.npiece, (const int(*)[3])n, precision, &r->layout);
    free(n);
    AN_TRY(status);
    AN_TRY(strcmp(engine_name, "cuda") == 0
               ? an_engine_cuda_new(precision, me % an_engine_cuda_count(), &r->engine)
               : an_engine_cpu_new(precision, 1, NULL, &r->engine));
    const size_t bytes = (size_t)r->layout.ncell * (size_t)precision;
    r->host = malloc(5 * bytes);
    AN_TRY(r->engine.op->alloc(&r->engine, 5 * bytes, &r->field[0]));
    return r->engine.op->alloc(&r->engine, bytes, &r->field[1]);
}

static void rig_free(struct rig *r)
{
    for (int f = 0; f < 2; f++)
        r->engine.op->free(&r->engine, r->field[f]);
    free(r->host);
    an_engine_destroy(&r->engine);
    an_layout_free(&r->layout);
    an_partition_free(&r->partition);
}

/* What component c has in element `at` of the interior; no two alike in an exchange. */
static double value_of(int64_t at, int c, int salt)
{
    return (double)(at * 16 + 2 * c + salt);
}

/* Calls for all cells of a component: its value is put (salt >= 0: own pieces alone), or compared. Returns faults. */
static int walk(struct rig *r, int f, int c, int salt, int compare)
{
    int wrong = 0;
    char *seen = calloc((size_t)r->layout.ncell, 1);
    const int64_t base = c * r->layout.ncell;
    for (int b = 0; b < r->layout.nblock; b++) {
        const struct an_block *block = &r->layout.block[b];
        const int own = r->partition.piece[b].rank == me;
        for (int k = 0; k < block->n[2]; k++)
            for (int j = 0; j < block->n[1]; j++)
                for (int i = 0; i < block->n[0]; i++) {
                    const int64_t at = an_element(block, i, j, k);
                    const double v = value_of(at, 5 * f + c, salt);
                    seen[at] = 1;
                    if (compare)
                        wrong += an_real_get(r->layout.precision, r->host, base + at) != v;
                    else
                        an_real_put(r->layout.precision, r->host, base + at, own ? v : -1);
                }
    }
    for (int64_t at = 0; at < r->layout.ncell; at++) {
        if (!seen[at] && compare)
            wrong += an_real_get(r->layout.precision, r->host, base + at) != -7;
        else if (!seen[at])
            an_real_put(r->layout.precision, r->host, base + at, -7);
    }
    free(seen);
    return wrong;
}

static int visit(struct rig *r, int salt, int compare)
{
    const struct an_engine_ops *op = r->engine.op;
    int wrong = 0;
    for (int f = 0; f < 2; f++) {
        const int ncomp = f ? 1 : 5;
        const size_t bytes = (size_t)ncomp * (size_t)r->layout.ncell * (size_t)r->layout.precision;
        if (compare)
            wrong += op->download(&r->engine, r->host, r->field[f], bytes, 0) != AN_OK;
        wrong += op->sync(&r->engine, 0) != AN_OK;
        for (int c = 0; c < ncomp; c++)
            wrong += walk(r, f, c, salt, compare);
        if (!compare)
            wrong += op->upload(&r->engine, r->field[f], r->host, bytes, 0) != AN_OK;
        wrong += op->sync(&r->engine, 0) != AN_OK;
    }
    return wrong;
}

static int gather(struct rig *r, struct an_halo *h)
{
    const struct an_halo_field both[] = {{r->field[0], 5, AN_COPY_PLAIN},
                                         {r->field[1], 1, AN_COPY_PLAIN}};
    return an_halo_start_fields(h, 2, both) || an_halo_finish(h);
}

static int gather_recorded(struct rig *r, struct an_halo *h)
{
    const struct an_engine_ops *op = r->engine.op;
    struct an_recording *recording = NULL;
    int wrong = op->record_begin(&r->engine) != AN_OK;
    wrong += gather(r, h);
    wrong += op->record_end(&r->engine, &recording) != AN_OK;
    wrong += !recording || op->replay(&r->engine, recording) != AN_OK;
    wrong += op->sync(&r->engine, 0) != AN_OK;
    if (recording)
        op->recording_free(&r->engine, recording);
    return wrong;
}

/* Several exchanges, so that buffers are used again. Returns faults. */
static int try_transport(struct rig *r, enum an_transport_kind kind)
{
    struct an_halo *h = NULL;
    struct an_halo_info info;
    const int status =
        an_halo_gather_new(MPI_COMM_WORLD, &r->engine, &r->partition, &r->layout, MOST, kind, &h);
    if (status == AN_INPUT) /* not on this machine */
        return 0;
    if (status != AN_OK) {
        print_message("%s\n", an_error_text());
        return 1;
    }
    an_halo_info(h, &info);
    const int records = r->engine.op->record_begin && info.records;
    int wrong = info.neighbours != size - 1;
    for (int salt = 0; salt < 4; salt++) {
        wrong += visit(r, salt & 1, 0);
        wrong += salt > 0 && records ? gather_recorded(r, h) : gather(r, h);
        wrong += visit(r, salt & 1, 1);
    }
    an_halo_destroy(h);
    if (wrong)
        print_message("rank %d, %s: %d faults\n", me, info.transport, wrong);
    return wrong;
}

static void check(unsigned seed, int max_piece_cells, enum an_precision precision)
{
    static const enum an_transport_kind kinds[] = {AN_TRANSPORT_KIND_AUTO, AN_TRANSPORT_KIND_STAGED,
                                                   AN_TRANSPORT_KIND_PEER, AN_TRANSPORT_KIND_NCCL,
                                                   AN_TRANSPORT_KIND_CUDA_AWARE};
    struct synthetic s;
    struct rig r;
    synthetic_new(seed, (int[3]){16, 16, 8}, 5, 2, 4, (int[3]){1, 0, 0}, &s);
    int wrong = rig_new(&s, max_piece_cells, precision, &r) != AN_OK;
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    assert_int_equal(wrong, 0);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        wrong += try_transport(&r, kinds[k]);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    rig_free(&r);
    synthetic_free(&s);
    assert_int_equal(wrong, 0);
}

static void few_pieces(void **unused)
{
    (void)unused;
    check(3, 0, AN_SINGLE);
}

static void many_pieces(void **unused)
{
    (void)unused;
    check(4, 100, AN_DOUBLE);
}

/* Blocks that are not all pieces are refused on all ranks. */
static void layouts_are_checked(void **unused)
{
    (void)unused;
    struct synthetic s;
    struct rig r;
    struct an_halo *h;
    synthetic_new(1, (int[3]){16, 16, 8}, 3, 4, 4, (int[3]){0}, &s);
    assert_int_equal(rig_new(&s, 0, AN_DOUBLE, &r), AN_OK);
    r.layout.nblock -= me == size - 1;
    const int status = an_halo_gather_new(MPI_COMM_WORLD, &r.engine, &r.partition, &r.layout, MOST,
                                          AN_TRANSPORT_KIND_AUTO, &h);
    r.layout.nblock = r.partition.npiece;
    assert_int_equal(status, AN_FAIL);
    assert_non_null(strstr(an_error_text(), "pieces has"));
    rig_free(&r);
    synthetic_free(&s);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        engine_name = argv[1];
    const int devices = an_engine_cuda_count();
    if (strcmp(engine_name, "cuda") == 0 && (devices == 0 || (argc > 2 && devices < size))) {
        MPI_Finalize();
        return 77; /* skipped */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_pieces),
        cmocka_unit_test(many_pieces),
        cmocka_unit_test(layouts_are_checked),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
