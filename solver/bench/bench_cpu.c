/* Ceilings of a processor: copies and arithmetic, for each instruction set.
 *
 * The loops are written with vectors of the compiler, so that an instruction set is a function
 * attribute. The arithmetic stays in registers: CHAINS independent chains hide the latency. */
#include "solver/bench/bench_run.h"

#include <immintrin.h>
#include <math.h>
#include <omp.h>
#include <string.h>

enum { CHAINS = 12, ROUNDS = 20000 };

static int level_of(const char *isa)
{
    __builtin_cpu_init();
    const int avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    const int avx512 =
        avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
    const int wanted = !isa ? 2 : !strcmp(isa, "avx512") ? 2 : !strcmp(isa, "avx2") ? 1 : 0;
    const int best = avx512 ? 2 : avx2 ? 1 : 0;
    return wanted < best ? wanted : best;
}

/* ---- copies ---- */

static void stream_128(char *to, const char *from, size_t bytes)
{
    for (size_t n = 0; n < bytes; n += 16)
        _mm_stream_ps((float *)(to + n), _mm_load_ps((const float *)(from + n)));
    _mm_sfence();
}

__attribute__((target("avx"))) static void stream_256(char *to, const char *from, size_t bytes)
{
    for (size_t n = 0; n < bytes; n += 32)
        _mm256_stream_ps((float *)(to + n), _mm256_load_ps((const float *)(from + n)));
    _mm_sfence();
}

__attribute__((target("avx512f"))) static void stream_512(char *to, const char *from, size_t bytes)
{
    for (size_t n = 0; n < bytes; n += 64)
        _mm512_stream_ps((float *)(to + n), _mm512_load_ps((const float *)(from + n)));
    _mm_sfence();
}

/* Stores that fetch the line first: what a loop does that knows nothing of streaming. */
static void plain_loop(char *to, const char *from, size_t bytes)
{
    for (size_t n = 0; n < bytes; n += 16)
        _mm_store_ps((float *)(to + n), _mm_load_ps((const float *)(from + n)));
}

void an_bench_cpu_stream(const char *isa, void *to, const void *from, size_t bytes)
{
    const int level = isa[0] == 'b' ? 0 : isa[3] == '2' ? 1 : 2; /* baseline, avx2, avx512 */
    if (level == 2)
        stream_512(to, from, bytes);
    else if (level == 1)
        stream_256(to, from, bytes);
    else
        stream_128(to, from, bytes);
}

void an_bench_cpu_copy(enum an_bench_copy how, const char *isa, int threads, void *to,
                       const void *from, size_t bytes)
{
    const int level = level_of(isa);
#pragma omp parallel num_threads(threads)
    {
        /* pieces of whole pages, the pattern of the engine's first touch */
        const size_t pages = (bytes + 4095) / 4096, mine = (size_t)omp_get_thread_num();
        const size_t all = (size_t)omp_get_num_threads();
        const size_t begin = pages * mine / all * 4096, last = pages * (mine + 1) / all * 4096;
        const size_t size = (last < bytes ? last : bytes) - begin;
        char *d = (char *)to + begin;
        const char *s = (const char *)from + begin;
        if (how == AN_COPY_LIBRARY)
            memcpy(d, s, size);
        else if (how == AN_COPY_LOOP)
            plain_loop(d, s, size);
        else if (level == 2)
            stream_512(d, s, size);
        else if (level == 1)
            stream_256(d, s, size);
        else
            stream_128(d, s, size);
    }
}

/* ---- arithmetic ---- */

/* Independent chains of one operation; `keep` makes compilers believe that a result is used, and
 * `hide` that a number is not known. */
#define KEEP(v)        __asm__ volatile("" ::"x"(v))
#define HIDE(v)        __asm__ volatile("" : "+x"(v))
#define EACH(m)        m(0) m(1) m(2) m(3) m(4) m(5) m(6) m(7) m(8) m(9) m(10) m(11)
#define DECLARE(m)     vector c##m = one + (element)(m)*small;
#define DO_FMA(m)      c##m = c##m * factor + small_v;
#define DO_MULTIPLY(m) c##m = (m) % 2 ? c##m + small_v : c##m * factor;
#define DO_DIVIDE(m)   c##m = factor / c##m;
#define DONE(m)        KEEP(c##m);

#define LOOP(DO)                                   \
    for (int round = 0; round < ROUNDS; round++) { \
        EACH(DO)                                   \
        HIDE(factor);                              \
    }

#define FUNCTION(name, target_, flags, type, bytes, ROOT)                         \
    __attribute__((target(target_), optimize(flags), noinline)) static void name( \
        enum an_bench_arithmetic what)                                            \
    {                                                                             \
        typedef type element;                                                     \
        typedef type vector __attribute__((vector_size(bytes)));                  \
        const element small = (element)1e-3;                                      \
        vector one = {0}, factor, small_v;                                        \
        one += (element)1;                                                        \
        factor = one * (element)0.999;                                            \
        small_v = one * small;                                                    \
        HIDE(factor);                                                             \
        HIDE(small_v);                                                            \
        EACH(DECLARE)                                                             \
        if (what == AN_ARITHMETIC_FMA)                                            \
            LOOP(DO_FMA)                                                          \
        else if (what == AN_ARITHMETIC_PLAIN)                                     \
            LOOP(DO_MULTIPLY)                                                     \
        else if (what == AN_ARITHMETIC_DIVIDE)                                    \
            LOOP(DO_DIVIDE)                                                       \
        else                                                                      \
            LOOP(ROOT)                                                            \
        EACH(DONE)                                                                \
    }

#define ROOT_128S(m) c##m = _mm_sqrt_ps(c##m);
#define ROOT_128D(m) c##m = _mm_sqrt_pd(c##m);
#define ROOT_256S(m) c##m = _mm256_sqrt_ps(c##m);
#define ROOT_256D(m) c##m = _mm256_sqrt_pd(c##m);
#define ROOT_512S(m) c##m = _mm512_sqrt_ps(c##m);
#define ROOT_512D(m) c##m = _mm512_sqrt_pd(c##m);
FUNCTION(single_128, "sse2", "fp-contract=off", float, 16, ROOT_128S)
FUNCTION(double_128, "sse2", "fp-contract=off", double, 16, ROOT_128D)
FUNCTION(single_256, "avx2,fma", "fp-contract=fast", float, 32, ROOT_256S)
FUNCTION(double_256, "avx2,fma", "fp-contract=fast", double, 32, ROOT_256D)
FUNCTION(single_512, "avx512f", "fp-contract=fast", float, 64, ROOT_512S)
FUNCTION(double_512, "avx512f", "fp-contract=fast", double, 64, ROOT_512D)

double an_bench_cpu_arithmetic(enum an_bench_arithmetic what, const char *isa, int threads,
                               enum an_precision precision)
{
    const int level = level_of(isa), single = precision == AN_SINGLE;
    static void (*const table[3][2])(enum an_bench_arithmetic) = {
        {double_128, single_128}, {double_256, single_256}, {double_512, single_512}};
#pragma omp parallel num_threads(threads)
    table[level][single](what);
    const double lanes = (16 << level) / (double)precision;
    return (what == AN_ARITHMETIC_FMA ? 2.0 : 1.0) * lanes * CHAINS * ROUNDS * threads;
}
