/* Ceilings of a processor: copies and arithmetic, for each instruction set.
 *
 * The loops are written with vectors of the compiler, so that an instruction set is a function
 * attribute. The arithmetic stays in registers: CHAINS independent chains hide the latency. */
#include "bench/bench_run.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <math.h>
#include <omp.h>
#include <string.h>

enum { CHAINS = 12, ROUNDS = 20000 };

/* ---- instruction sets: level 0 vectors of 16 bytes, 1 AVX2, 2 AVX-512 ---- */

#ifdef __x86_64__
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

#else
static int level_of(const char *isa)
{
    (void)isa;
    return 0;
}
#endif

/* ---- copies ---- */

typedef float quad __attribute__((vector_size(16), may_alias));

/* Stores that fetch the line first: what a loop does that knows nothing of streaming. */
static void plain_loop(char *to, const char *from, size_t bytes)
{
    for (size_t n = 0; n < bytes; n += 16)
        *(quad *)(void *)(to + n) = *(const quad *)(const void *)(from + n);
}

#ifdef __x86_64__
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

static void stream(int level, char *to, const char *from, size_t bytes)
{
    if (level == 2)
        stream_512(to, from, bytes);
    else if (level == 1)
        stream_256(to, from, bytes);
    else
        stream_128(to, from, bytes);
}
#else
/* No store past the caches is known for this processor. */
static void stream(int level, char *to, const char *from, size_t bytes)
{
    (void)level;
    plain_loop(to, from, bytes);
}
#endif

void an_bench_cpu_stream(const char *isa, void *to, const void *from, size_t bytes)
{
    const int level = isa[0] == 'b' ? 0 : isa[3] == '2' ? 1 : 2; /* baseline, avx2, avx512 */
    stream(level, to, from, bytes);
}

void an_bench_cpu_copy(enum an_bench_copy how, const char *isa, int threads, void *to,
                       const void *from, size_t bytes)
{
    const int level = level_of(isa);
    (void)threads;
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
        else
            stream(level, d, s, size);
    }
}

/* ---- arithmetic ---- */

/* Independent chains of one operation; `keep` makes compilers believe that a result is used, and
 * `hide` that a number is not known. */
#ifdef __x86_64__
#define IN_VECTOR       "x" /* the constraint of a vector register */
#define TARGET(target_) target(target_),
#else
#define IN_VECTOR "w"
#define TARGET(target_)
#endif
#ifdef __clang__ /* contracts within a statement, as is wanted here */
#define FLAGS(flags)
#else
#define FLAGS(flags) optimize(flags),
#endif
#define KEEP(v)        __asm__ volatile("" ::IN_VECTOR(v))
#define HIDE(v)        __asm__ volatile("" : "+" IN_VECTOR(v))
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

#define FUNCTION(name, target_, flags, type, bytes, ROOT)                    \
    __attribute__((TARGET(target_) FLAGS(flags) noinline)) static void name( \
        enum an_bench_arithmetic what)                                       \
    {                                                                        \
        typedef type element;                                                \
        typedef type vector __attribute__((vector_size(bytes)));             \
        const element small = (element)1e-3;                                 \
        vector one = {0}, factor, small_v;                                   \
        one += (element)1;                                                   \
        factor = one * (element)0.999;                                       \
        small_v = one * small;                                               \
        HIDE(factor);                                                        \
        HIDE(small_v);                                                       \
        EACH(DECLARE)                                                        \
        if (what == AN_ARITHMETIC_FMA)                                       \
            LOOP(DO_FMA)                                                     \
        else if (what == AN_ARITHMETIC_PLAIN)                                \
            LOOP(DO_MULTIPLY)                                                \
        else if (what == AN_ARITHMETIC_DIVIDE)                               \
            LOOP(DO_DIVIDE)                                                  \
        else                                                                 \
            LOOP(ROOT)                                                       \
        EACH(DONE)                                                           \
    }

#ifdef __x86_64__
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
enum { LEVELS = 3 };
static void (*const arithmetic[LEVELS][2])(enum an_bench_arithmetic) = {
    {double_128, single_128}, {double_256, single_256}, {double_512, single_512}};
#else
#define ROOTS_S(m) c##m = (vector){sqrtf(c##m[0]), sqrtf(c##m[1]), sqrtf(c##m[2]), sqrtf(c##m[3])};
#define ROOTS_D(m) c##m = (vector){sqrt(c##m[0]), sqrt(c##m[1])};
FUNCTION(single_128, "", "fp-contract=fast", float, 16, ROOTS_S)
FUNCTION(double_128, "", "fp-contract=fast", double, 16, ROOTS_D)
enum { LEVELS = 1 };
static void (*const arithmetic[LEVELS][2])(enum an_bench_arithmetic) = {{double_128, single_128}};
#endif

double an_bench_cpu_arithmetic(enum an_bench_arithmetic what, const char *isa, int threads,
                               enum an_precision precision)
{
    const int level = level_of(isa), single = precision == AN_SINGLE;
#pragma omp parallel num_threads(threads)
    arithmetic[level][single](what);
    const double lanes = (16 << level) / (double)precision;
    return (what == AN_ARITHMETIC_FMA ? 2.0 : 1.0) * lanes * CHAINS * ROUNDS * threads;
}
