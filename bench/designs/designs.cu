/* The table of designs and the measuring of one. */
#include "bench/designs/reference.cuh"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

namespace an_bench
{

static rows (*const files[])() = {naive_rows,      classic_rows, subblock_rows, krotkiewski_rows,
                                  high_order_rows, brick_rows,   stream_rows,   star_rows,
                                  temporal_rows,   wave_rows};

static const row *row_at(int i)
{
    for (const auto &file : files) {
        const rows r = file();
        if (i < r.n)
            return &r.row[i];
        i -= r.n;
    }
    return nullptr;
}

static const size_t work_bytes = 8 << 20;
static const int max_samples = 200;

} // namespace an_bench

using namespace an_bench;

/* `memory`: from, to and two of the reference. The reference is kept for the problem it was
 * computed for, with its number of steps. */
struct an_design_bench {
    problem p;
    size_t bytes; /* of one of memory */
    char *memory[4];
    enum an_bench_stencil stencil;
    int precision, n[3], steps; /* of the reference; steps 0: none */
    cudaEvent_t event[max_samples + 1];
};

int an_design_count(void)
{
    int n = 0;
    for (const auto &file : files)
        n += file().n;
    return n;
}

const struct an_design *an_design_at(int i)
{
    return &row_at(i)->design;
}

int an_design_bench_new(struct an_design_bench **out)
{
    *out = nullptr;
    struct an_design_bench *b = new (std::nothrow) an_design_bench();
    AN_CHECK(b, AN_FAIL, "out of memory");
    *out = b;
    int device, l2;
    AN_CUDA(cudaGetDevice(&device));
    AN_CUDA(cudaDeviceGetAttribute(&b->p.processors, cudaDevAttrMultiProcessorCount, device));
    AN_CUDA(cudaDeviceGetAttribute(&b->p.shared_limit, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                   device));
    AN_CUDA(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device));
    b->p.l2 = static_cast<size_t>(l2);
    AN_CUDA(cudaMalloc(&b->p.work, work_bytes));
    AN_CUDA(cudaMemset(b->p.work, 0, work_bytes));
    for (cudaEvent_t &e : b->event)
        AN_CUDA(cudaEventCreate(&e));
    return AN_OK;
}

static void memory_free(struct an_design_bench *b)
{
    for (char *&m : b->memory) {
        (void)cudaFree(m);
        m = nullptr;
    }
    b->bytes = 0;
    b->steps = 0;
}

void an_design_bench_destroy(struct an_design_bench *b)
{
    if (!b)
        return;
    memory_free(b);
    (void)cudaFree(b->p.work);
    for (cudaEvent_t e : b->event)
        if (e)
            (void)cudaEventDestroy(e);
    delete b;
}

/* Shape of the problem in memory; returns bytes of one array, guards included. */
static size_t shape(problem &p, const struct an_design &d, const int n[3])
{
    const struct an_bench_stencil_info *info = an_bench_stencil_about(d.stencil);
    const bool line = info->dimensions == 1;
    const int word = d.precision / 8, align = 128 / word;
    p.stencil = d.stencil;
    p.precision = d.precision;
    p.radius = info->radius;
    p.n[0] = n[0];
    if (line && n[0] == 0)
        p.n[0] = wave_points(p);
    p.n[1] = line ? 1 : n[1];
    p.n[2] = line ? 1 : n[2];
    p.pitch = (p.n[0] + align - 1) / align * align;
    p.plane = static_cast<size_t>(p.pitch) * p.n[1];
    p.guard = ((line ? 0 : p.radius * p.plane + 16 * p.pitch) + 1024 + 63) / 64 * 64;
    return (2 * p.guard + p.plane * p.n[2]) * word;
}

static int memory_make(struct an_design_bench *b, size_t bytes)
{
    if (b->bytes == bytes)
        return AN_OK;
    memory_free(b);
    for (char *&m : b->memory)
        AN_CUDA(cudaMalloc(&m, bytes));
    b->bytes = bytes;
    return AN_OK;
}

/* Point (0, 0, 0) of an array. */
static void *first(const struct an_design_bench *b, int i)
{
    return b->memory[i] + b->p.guard * (b->p.precision / 8);
}

static int start_fields(struct an_design_bench *b)
{
    problem &p = b->p;
    const size_t words = b->bytes / (p.precision / 8);
    p.from = first(b, 0);
    p.to = first(b, 1);
    AN_TRY(fill(b->memory[0], words, p.precision, 1));
    return fill(b->memory[1], words, p.precision, 2);
}

static bool reference_is_kept(const struct an_design_bench *b)
{
    return b->steps == b->p.steps && b->stencil == b->p.stencil && b->precision == b->p.precision &&
           memcmp(b->n, b->p.n, sizeof b->n) == 0;
}

/* p.steps steps from the start; the result is in memory[3]. */
static int make_reference(struct an_design_bench *b)
{
    const problem &p = b->p;
    if (reference_is_kept(b))
        return AN_OK;
    b->steps = 0;
    AN_CUDA(cudaMemcpy(b->memory[2], b->memory[0], b->bytes, cudaMemcpyDeviceToDevice));
    if (an_bench_stencil_about(p.stencil)->dimensions == 1)
        AN_CUDA(cudaMemcpy(b->memory[3], b->memory[1], b->bytes, cudaMemcpyDeviceToDevice));
    for (int s = 0; s < p.steps; s++) {
        AN_TRY(reference(p, first(b, 2), first(b, 3)));
        if (s + 1 < p.steps)
            std::swap(b->memory[2], b->memory[3]);
    }
    b->stencil = p.stencil;
    b->precision = p.precision;
    memcpy(b->n, p.n, sizeof b->n);
    b->steps = p.steps;
    return AN_OK;
}

/* Steps of a launch that is checked, odd for wave (see problem.cuh). */
static int steps_to_check(const row &r, int variant)
{
    return an_bench_stencil_about(r.design.stencil)->dimensions == 1 ? 101
           : r.steps                                                 ? r.steps[variant]
                                                                     : 1;
}

/* One launch from the start against the reference. */
static int check(struct an_design_bench *b, const row &r, int variant,
                 struct an_design_result *result)
{
    problem &p = b->p;
    double difference, size;
    p.steps = steps_to_check(r, variant);
    AN_TRY(start_fields(b));
    AN_TRY(make_reference(b));
    if (an_bench_stencil_about(p.stencil)->dimensions > 1)
        AN_TRY(poison(p));
    AN_TRY(r.run(p, variant));
    AN_CUDA(cudaDeviceSynchronize());
    AN_TRY(compare(p, first(b, 1), first(b, 3), &difference, &size));
    result->error = difference / size;
    result->tolerance = (p.precision == 32 ? 1.2e-7 : 2.3e-16) * (32 + 8 * p.steps);
    AN_CHECK(result->error <= result->tolerance, AN_FAIL,
             "%s, %s, %d bits%s%s, %d x %d x %d: wrong by %.2g of the largest value (allowed %.2g)",
             an_bench_stencil_about(p.stencil)->name, r.design.name, p.precision,
             r.variant ? ", " : "", r.variant ? r.variant[variant] : "", p.n[0], p.n[1], p.n[2],
             result->error, result->tolerance);
    return AN_OK;
}

/* Sorted. All launches are queued before any is waited for, so that no time of the host is in them.
 */
static int time_launches(struct an_design_bench *b, const row &r, int variant, int samples,
                         float *milliseconds)
{
    for (int s = -2; s < samples; s++) {
        if (s <= 0)
            AN_CUDA(cudaEventRecord(b->event[0]));
        AN_TRY(r.run(b->p, variant));
        if (s >= 0)
            AN_CUDA(cudaEventRecord(b->event[s + 1]));
    }
    AN_CUDA(cudaDeviceSynchronize());
    for (int s = 0; s < samples; s++)
        AN_CUDA(cudaEventElapsedTime(&milliseconds[s], b->event[s], b->event[s + 1]));
    std::sort(milliseconds, milliseconds + samples);
    return AN_OK;
}

/* The variant that is fastest per step among those that fit; checks all of them when nothing is to
 * be timed. -1: none fits. */
static int search(struct an_design_bench *b, const row &r, int samples, int *best,
                  struct an_design_result *result)
{
    double least = INFINITY;
    *best = -1;
    for (int v = 0; v < r.variants; v++) {
        float ms[5] = {};
        b->p.steps = steps_to_check(r, v);
        AN_TRY(start_fields(b));
        const int fits = samples == 0      ? check(b, r, v, result)
                         : r.variants == 1 ? AN_OK
                                           : time_launches(b, r, v, 5, ms);
        if (fits == UNFIT)
            continue;
        AN_TRY(fits);
        if (*best < 0 || ms[2] / b->p.steps < least) {
            *best = v;
            least = ms[2] / b->p.steps;
        }
    }
    return AN_OK;
}

static int describe_kernel(const problem &p, struct an_design_result *result)
{
    cudaFuncAttributes a;
    AN_CUDA(cudaFuncGetAttributes(&a, p.kernel));
    result->registers = a.numRegs;
    result->spill = static_cast<int>(a.localSizeBytes);
    result->shared = static_cast<int>(a.sharedSizeBytes + p.shared);
    result->threads = p.threads;
    AN_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&result->blocks, p.kernel, p.threads,
                                                          p.shared));
    return AN_OK;
}

int an_design_measure(struct an_design_bench *b, const struct an_design *d, const int n[3],
                      int samples, struct an_design_result *result)
{
    static float ms[max_samples];
    const row *r = nullptr;
    int best;
    for (int i = 0; i < an_design_count(); i++)
        if (&row_at(i)->design == d)
            r = row_at(i);
    AN_CHECK(r, AN_INPUT, "not a design of the table");
    memset(result, 0, sizeof *result);
    const size_t bytes = shape(b->p, *d, n);
    const struct an_bench_stencil_info *info = an_bench_stencil_about(d->stencil);
    for (int i = 0; i < info->dimensions; i++)
        AN_CHECK(b->p.n[i] > 2 * info->radius, AN_INPUT, "%s needs more than %d points", info->name,
                 2 * info->radius);
    AN_TRY(memory_make(b, bytes));
    AN_TRY(search(b, *r, samples, &best, result));
    AN_CHECK(best >= 0, AN_INPUT, "%s, %s: no variant fits %d x %d x %d points on this device",
             info->name, d->name, b->p.n[0], b->p.n[1], b->p.n[2]);
    if (samples > 0) {
        const int fits = check(b, *r, best, result);
        AN_CHECK(fits != UNFIT, AN_INPUT, "%s, %s: does not run on this device", info->name,
                 d->name);
        AN_TRY(fits);
    }
    if (info->dimensions == 1)
        b->p.steps = r->timed_steps;
    const int count = std::min(samples, max_samples);
    if (count > 0) {
        AN_TRY(time_launches(b, *r, best, count, ms));
        result->seconds = 1e-3 * ms[count / 2];
        result->fastest = 1e-3 * ms[0];
    }
    const problem &p = b->p;
    const double points = static_cast<double>(p.n[0]) * p.n[1] * p.n[2];
    result->steps = p.steps;
    result->updates = points * p.steps;
    result->bytes = info->words * points * (p.precision / 8);
    result->flops = info->flops * result->updates;
    result->operations = info->operations * result->updates;
    result->predicted = r->predict ? r->predict(p) : 0;
    if (r->variant)
        snprintf(result->variant, sizeof result->variant, "%s", r->variant[best]);
    return describe_kernel(p, result);
}
