/* The emulated CUDA engine: the CUDA engine's kernels and lists in host memory (emulated.h). */
#include "kernels/cuda_plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lists are cut as for a device of so many multiprocessors: small cases get several tiles in k. */
enum { MULTIPROCESSORS = 3 };

static int op_alloc(struct an_engine *e, size_t bytes, void **p)
{
    (void)e;
    *p = aligned_alloc(128, (bytes + 127) / 128 * 128);
    AN_CHECK(*p, AN_FAIL, "out of memory: %zu bytes", bytes);
    memset(*p, 0, bytes);
    return AN_OK;
}

static void op_free(struct an_engine *e, void *p)
{
    (void)e;
    free(p);
}

static int op_move(struct an_engine *e, void *dst, const void *src, size_t bytes, int stream)
{
    (void)e, (void)stream;
    if (bytes)
        memcpy(dst, src, bytes);
    return AN_OK;
}

static int op_sync(struct an_engine *e, int stream)
{
    (void)e, (void)stream;
    return AN_OK;
}

static int op_wait(struct an_engine *e, int stream, int on)
{
    (void)e, (void)stream, (void)on;
    return AN_OK;
}

static void op_destroy(struct an_engine *e)
{
    if (e->state)
        an_cuda_plan_end(e);
    free(e->state);
    e->state = NULL;
}

static const struct an_engine_ops emulated_ops = {
    .destroy = op_destroy,
    .alloc = op_alloc,
    .free = op_free,
    .alloc_host = op_alloc,
    .free_host = op_free,
    .upload = op_move,
    .download = op_move,
    .copy = op_move,
    .sync = op_sync,
    .wait = op_wait,
    .tiles_new = an_cuda_tiles_new,
    .tiles_free = an_cuda_tiles_free,
    .faces_new = an_cuda_faces_new,
    .faces_set = an_cuda_faces_set,
    .faces_free = an_cuda_faces_free,
    .copies_new = an_cuda_copies_new,
    .copies_free = an_cuda_copies_free,
    .run = an_cuda_run,
    .run_between = an_cuda_run_between,
    .run_lines = an_cuda_run_lines,
    .run_faces = an_cuda_run_faces,
    .residual = an_cuda_residual,
    .stage = an_cuda_stage,
    .copies = an_cuda_copies,
};

int an_engine_emulated_new(enum an_precision precision, struct an_engine *e)
{
    memset(e, 0, sizeof *e);
    struct an_cuda_plan *plan = calloc(1, sizeof *plan);
    AN_CHECK(plan, AN_FAIL, "out of memory for the emulated engine");
    e->op = &emulated_ops;
    e->precision = precision;
    e->state = plan;
    snprintf(e->name, sizeof e->name, "emulated");
    snprintf(e->description, sizeof e->description, "CUDA kernels on the host, one fiber a thread");
    return an_cuda_plan_start(e, precision == AN_DOUBLE ? &an_emulated_f64 : &an_emulated_f32,
                              MULTIPROCESSORS);
}
