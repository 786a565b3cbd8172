/* Portability: the one place that knows which compiler and which precision a file is built for.
 *
 * Files that hold or compute flow data are compiled twice, with AN_PRECISION = 32 and 64; they name
 * their external symbols with AN_FN(name) -> name_f32 / name_f64. Everything else is built once and
 * never sees `real`.
 */
#ifndef AN_PORTABLE_H
#define AN_PORTABLE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define AN_EXTERN_C_BEGIN extern "C" {
#define AN_EXTERN_C_END   }
#define AN_RESTRICT       __restrict__
#else
#define AN_EXTERN_C_BEGIN
#define AN_EXTERN_C_END
#define AN_RESTRICT restrict
#endif

#if defined(__CUDACC__)
#define AN_HD __host__ __device__
#else
#define AN_HD
#endif

/* Point physics: always inlined, callable on host and device. */
#define AN_INLINE static inline __attribute__((always_inline, unused)) AN_HD

#define AN_CAT_(a, b) a##b
#define AN_CAT(a, b)  AN_CAT_(a, b)

#if defined(AN_PRECISION)
#if defined(AN_REAL) /* a type that counts: bench/count.cc */
typedef AN_REAL real;
#define AN_FN(name) AN_CAT(name, _counted)
#define AN_R(x)     x
#elif AN_PRECISION == 32
typedef float real;
#define AN_FN(name) AN_CAT(name, _f32)
#define AN_R(x)     AN_CAT(x, f) /* literal in the run's precision: AN_R(0.5) */
#elif AN_PRECISION == 64
typedef double real;
#define AN_FN(name) AN_CAT(name, _f64)
#define AN_R(x)     x
#else
#error "AN_PRECISION must be 32 or 64"
#endif
#endif

/* Precision of a run, chosen in the case file. The value is sizeof(real). */
enum an_precision { AN_SINGLE = 4, AN_DOUBLE = 8 };

#endif
