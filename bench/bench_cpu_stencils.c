/* Simple stencils on a processor, out of place, against the same copy as the engine's rows.
 *
 *     naive      three loops, threads share the planes; the compiler vectorises along i
 *     blocked    the same in bands of rows, so that the planes a point needs stay in the L2 cache
 *     streaming  blocked; a row is computed into the L1 cache and stored past the caches: a store
 *                that does not fetch its line first moves a third less
 */
#include "bench/bench_run.h"
#include "bench/designs/designs.h"
#include "kernels/base/numbers.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 2080, BAND = 24 };
enum way { NAIVE, BLOCKED, STREAMING, WAYS };

struct grid {
    int n;
    int64_t pitch, plane; /* elements; rows begin on 64 bytes */
};

struct problem {
    struct an_bench *b;
    struct grid g;
    enum an_bench_stencil stencil;
    enum way way;
    int threads;
    void *from, *to;
};

/* One row of a stencil: `at` the row's first element, `out` where it goes. */
#define AN_ELEMENT   float
#define AN_ROW(name) name##_single
#include "bench/cpu_stencil.h"
#undef AN_ELEMENT
#undef AN_ROW
#define AN_ELEMENT   double
#define AN_ROW(name) name##_double
#include "bench/cpu_stencil.h"
#undef AN_ELEMENT
#undef AN_ROW

/* All rows of all inner planes; rows on the boundary are copied. */
#define SWEEP                                                                           \
    const struct grid *g = &p->g;                                                       \
    const int radius = an_bench_stencil_about(p->stencil)->radius, n = g->n;            \
    const int band = p->way == NAIVE ? n : BAND, bands = (n + band - 1) / band;         \
    _Pragma("omp parallel num_threads(p->threads)")                                     \
    {                                                                                   \
        char buffer[MOST * sizeof(double)] __attribute__((aligned(64)));                \
        const int share = (n + omp_get_num_threads() - 1) / omp_get_num_threads();      \
        const int first = share * omp_get_thread_num();                                 \
        const int last = first + share < n ? first + share : n;                         \
        for (int m = 0; m < bands; m++)                                                 \
            for (int k = first; k < last; k++)                                          \
                for (int j = m * band; j < (m + 1) * band && j < n; j++) {              \
                    const int inner =                                                   \
                        k >= radius && k < n - radius && j >= radius && j < n - radius; \
                    row(p, j, k, inner, radius, p->way == STREAMING ? buffer : NULL);   \
                }                                                                       \
    }

typedef void row_function(const struct problem *p, int j, int k, int inner, int radius, char *row);

#ifdef __x86_64__
#define TARGET(target_) __attribute__((target(target_)))
#else
#define TARGET(target_)
#endif
#ifdef __clang__
#define WIDE ""
#else
#define WIDE ",prefer-vector-width=512"
#endif
#define SWEEP_FOR(isa, target_)                                                         \
    TARGET(target_)                                                                     \
    static void row_##isa(const struct problem *p, int j, int k, int inner, int radius, \
                          char *buffer)                                                 \
    {                                                                                   \
        if (p->b->engine.precision == AN_SINGLE)                                        \
            any_row_single(p, j, k, inner, radius, buffer);                             \
        else                                                                            \
            any_row_double(p, j, k, inner, radius, buffer);                             \
    }
SWEEP_FOR(baseline, "sse2")
SWEEP_FOR(avx2, "avx2,fma")
SWEEP_FOR(avx512, "avx512f,avx512dq,avx512vl,avx512bw" WIDE)

static int sweep(void *context)
{
    const struct problem *p = context;
    row_function *const row = !strcmp(p->b->isa, "avx512") ? row_avx512
                              : !strcmp(p->b->isa, "avx2") ? row_avx2
                                                           : row_baseline;
    SWEEP
    return AN_OK;
}

/* The stencil at one point, by its definition alone (designs.h). */
static double plain(const struct problem *p, int i, int j, int k)
{
    const double *c = an_bench_coefficients(p->stencil);
    const int radius = an_bench_stencil_about(p->stencil)->radius, n = p->g.n;
    const int64_t at = i + j * p->g.pitch + k * p->g.plane;
    double sum = 0;
    if (i < radius || j < radius || k < radius || i >= n - radius || j >= n - radius ||
        k >= n - radius)
        return an_real_get(p->b->engine.precision, p->from, at);
    for (int dk = -radius; dk <= radius; dk++)
        for (int dj = -radius; dj <= radius; dj++)
            for (int di = -radius; di <= radius; di++) {
                const int off = (di != 0) + (dj != 0) + (dk != 0);
                const int far = abs(di) + abs(dj) + abs(dk);
                const double u = an_real_get(p->b->engine.precision, p->from,
                                             at + di + dj * p->g.pitch + dk * p->g.plane);
                if (p->stencil == AN_BENCH_BOX27)
                    sum += c[(di + 1) + 3 * (dj + 1) + 9 * (dk + 1)] * u;
                else if (p->stencil == AN_BENCH_BOX27S)
                    sum += c[off] * u;
                else if (off <= 1)
                    sum += c[far] * u;
            }
    return sum;
}

/* Largest difference from the definition over samples of the points, those on the boundary included. */
static double difference(const struct problem *p)
{
    double worst = 0, scale = 0;
    uint64_t seed = 1;
    for (int s = 0; s < 20000; s++) {
        int at[3];
        for (int d = 0; d < 3; d++) {
            seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
            at[d] = (int)((seed >> 33) % (uint64_t)p->g.n);
            if (s % 4 == 1 && (seed >> 20) % 3 == 0)
                at[d] = (seed >> 30) % 2 ? p->g.n - 1 - at[d] % 6 : at[d] % 6;
        }
        const double r = plain(p, at[0], at[1], at[2]);
        const double d = fabs(an_real_get(p->b->engine.precision, p->to,
                                          at[0] + at[1] * p->g.pitch + at[2] * p->g.plane) -
                              r);
        worst = d <= worst ? worst : isnan(d) ? INFINITY : d;
        scale = fmax(scale, fabs(r));
    }
    return worst / scale;
}

static int one_row(struct problem *p)
{
    static const char *const name[WAYS] = {"naive", "blocked", "blocked, streaming stores"};
    const struct an_bench_stencil_info *info = an_bench_stencil_about(p->stencil);
    struct an_bench *b = p->b;
    struct an_bench_row row = {.registers = -1};
    const double n = p->g.n, inner = n - 2 * info->radius;
    snprintf(row.name, sizeof row.name, "%s %s", info->name, name[p->way]);
    snprintf(row.kind, sizeof row.kind, "%s", info->name);
    if (!an_bench_wanted(b, row.name))
        return AN_OK;
    row.points = inner * inner * inner;
    row.op.add = info->flops;
    row.instructions = info->operations;
    row.bytes = info->words * (double)b->engine.precision;
    memset(p->to, 0xff, (size_t)(p->g.plane * p->g.n) * (size_t)b->engine.precision);
    AN_TRY(sweep(p));
    row.error = difference(p);
    row.tolerance = b->engine.precision == AN_SINGLE ? 1e-5 : 1e-13;
    AN_TRY(an_bench_time(b, NULL, sweep, p, &row));
    an_bench_table_row(b, &row);
    return AN_OK;
}

int an_bench_cpu_stencils(struct an_bench *b, int n)
{
    static const enum an_bench_stencil list[] = {AN_BENCH_STAR7, AN_BENCH_BOX27S, AN_BENCH_BOX27,
                                                 AN_BENCH_STAR25};
    struct problem p = {.b = b, .threads = b->engine.threads > 0 ? b->engine.threads : 1};
    p.g.n = n;
    p.g.pitch = (n + 15) / 16 * 16 + 16; /* not a power of two: planes apart in the cache's sets */
    p.g.plane = p.g.pitch * n;
    const size_t bytes = (size_t)(p.g.plane * n) * (size_t)b->engine.precision;
    int status = b->engine.op->alloc(&b->engine, bytes, &p.from);
    if (!status)
        status = b->engine.op->alloc(&b->engine, bytes, &p.to);
    uint64_t seed = 7;
    for (int64_t at = 0; !status && at < p.g.plane * n; at++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        an_real_put(b->engine.precision, p.from, at, (double)(seed >> 11) * 0x1p-53);
    }
    for (size_t s = 0; !status && s < sizeof list / sizeof *list; s++)
        for (int way = 0; !status && way < WAYS; way++) {
            p.stencil = list[s];
            p.way = (enum way)way;
            status = one_row(&p);
        }
    b->engine.op->free(&b->engine, p.from);
    b->engine.op->free(&b->engine, p.to);
    return status;
}
