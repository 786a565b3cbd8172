#include "kernels/base/xsum_many.h"

enum {
    LOG_CHUNK = 8,
    CHUNK = 1 << LOG_CHUNK,     /* terms */
    GROUP = 16,                 /* terms that are added side by side */
    FINER = 52 - LOG_CHUNK + 1, /* the coarse unit leaves less than 2^-FINER of the largest term */
    HIGHEST = 32 * AN_XSUM_LIMBS - AN_XSUM_BIAS - 64,
    LOWEST = 52 - LOG_CHUNK + FINER - AN_XSUM_BIAS /* limbs keep multiples of the fine unit */
};

static double power(int e)
{
    const uint64_t bits = (uint64_t)(e + 1023) << 52;
    double v;
    memcpy(&v, &bits, sizeof v);
    return v;
}

#define AN_CHUNK_NAME  sum_16
#define AN_CHUNK_BYTES 16
#define AN_CHUNK_TARGET
#include "kernels/base/xsum_chunk.h"

#ifdef __x86_64__
#define AN_CHUNK_NAME   sum_32
#define AN_CHUNK_BYTES  32
#define AN_CHUNK_TARGET __attribute__((target("avx2")))
#include "kernels/base/xsum_chunk.h"

#define AN_CHUNK_NAME   sum_64
#define AN_CHUNK_BYTES  64
#define AN_CHUNK_TARGET __attribute__((target("avx512f,avx512dq")))
#include "kernels/base/xsum_chunk.h"
#endif

typedef int sum_function(int n, const double *v, double sum[2]);

static sum_function *choose(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq"))
        return sum_64;
    if (__builtin_cpu_supports("avx2"))
        return sum_32;
#endif
    return sum_16;
}

void an_xsum_add_many(struct an_xsum *s, int64_t n, const double *v)
{
    sum_function *const sum_of = choose();
    while (n > 0) {
        const int count = n < CHUNK ? (int)n : CHUNK, even = count - count % GROUP;
        double sum[2];
        int done = 0;
        if (even && sum_of(even, v, sum)) {
            an_xsum_add(s, sum[0]);
            an_xsum_add(s, sum[1]);
            done = even;
        }
        for (int t = done; t < count; t++)
            an_xsum_add(s, v[t]);
        n -= count;
        v += count;
    }
}
