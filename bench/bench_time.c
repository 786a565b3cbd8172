/* Medians of batches, by device events or the monotonic clock. */
#include "bench/bench_run.h"

#include "kernels/base/numbers.h"

#include <stdlib.h>
#include <time.h>

enum { MOST_SAMPLES = 1000, MOST_BATCH = 200 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of a batch of runs. */
static int lap(struct an_bench *b, an_bench_call *run, void *context, int batch, double *seconds)
{
    const double begin = now();
    if (b->cuda)
        AN_TRY(an_bench_cuda_lap(&b->engine, 1, NULL));
    for (int n = 0; n < batch; n++)
        AN_TRY(run(context));
    if (b->cuda)
        return an_bench_cuda_lap(&b->engine, 0, seconds);
    AN_TRY(b->engine.op->sync(&b->engine, 0));
    *seconds = now() - begin;
    return AN_OK;
}

int an_bench_time(struct an_bench *b, an_bench_call *before, an_bench_call *run, void *context,
                  struct an_bench_row *row)
{
    double sample[MOST_SAMPLES], one = 0;
    const int samples = b->o->samples > 0 ? b->o->samples : 21;
    if (before)
        AN_TRY(before(context));
    AN_TRY(lap(b, run, context, 1, &one)); /* the first use of code and memory */
    if (before)
        AN_TRY(before(context));
    AN_TRY(lap(b, run, context, 1, &one));
    const double enough = b->cuda ? 1e-3 : 5e-3;
    int batch = before || one >= enough ? 1 : (int)(enough / (one + 1e-7)) + 1;
    batch = batch < MOST_BATCH ? batch : MOST_BATCH;
    for (int s = 0; s < samples; s++) {
        if (before)
            AN_TRY(before(context));
        AN_TRY(lap(b, run, context, batch, &sample[s]));
        sample[s] /= batch;
    }
    qsort(sample, (size_t)samples, sizeof *sample, an_ascending);
    row->seconds = sample[samples / 2];
    row->fastest = sample[0];
    row->spread = (sample[3 * samples / 4] - sample[samples / 4]) / row->seconds;
    return AN_OK;
}

#ifndef AN_HAVE_CUDA
int an_bench_cuda_lap(const struct an_engine *e, int start, double *seconds)
{
    (void)e, (void)start, (void)seconds;
    return an_error_set(AN_FAIL, "this annulus was built without CUDA");
}

int an_bench_cuda_copy(const struct an_engine *e, void *to, const void *from, size_t bytes)
{
    (void)e, (void)to, (void)from, (void)bytes;
    return an_error_set(AN_FAIL, "this annulus was built without CUDA");
}

int an_bench_cuda_fma(const struct an_engine *e, double *operations)
{
    (void)e, (void)operations;
    return an_error_set(AN_FAIL, "this annulus was built without CUDA");
}

int an_bench_cuda_issue(enum an_precision precision, double *rate)
{
    (void)precision, (void)rate;
    return an_error_set(AN_FAIL, "this annulus was built without CUDA");
}

int an_bench_cuda_device(json_t *device)
{
    (void)device;
    return an_error_set(AN_FAIL, "this annulus was built without CUDA");
}
#endif
