/* CPU engine: one cell stencil (AN_STENCIL) as a function over a box; with AN_DIR, one direction of
 * a directional stencil. Rows are vectorised in i; stencils with sums, and those whose parameters
 * say so (AN_SCALAR), run row by row in scalar code.
 *
 * The cells of a row behind its last whole vector are computed as one more vector. Its lanes behind the
 * end of the row compute on padding and store nothing. The reason: one cell in scalar code takes as long
 * as a vector of cells, and rows of coarse levels have few whole vectors. Instruction sets without masked
 * stores (AN_LANES 0) have one loop over the row, whose rest the compiler treats as it likes.
 *
 * The body is a function of its own, inlined: what it declares must not be a variable of the
 * vectorised loop, where compilers keep addressed variables in memory, one for each lane. */
#include AN_STENCIL

#ifdef AN_DIR
#define AN_FUNCTION AN_CAT(AN_CAT(AN_STENCIL_NAME, _d), AN_DIR)
#else
#define AN_FUNCTION AN_STENCIL_NAME
#endif

#define AN_DECLARE(role, field) \
    AN_DECLARE_##role(AN_CAT(an_type_, field), field, fields->at[AN_CAT(AN_F_, field)])
#define AN_DECLARE_IN(type, field, address)    const type *const field = (const type *)(address);
#define AN_DECLARE_NEAR(type, field, address)  const type *const field = (const type *)(address);
#define AN_DECLARE_OUT(type, field, address)   type *const field = (type *)(address);
#define AN_DECLARE_INOUT(type, field, address) type *const field = (type *)(address);
#define AT(field, c, di, dj, dk)               field[(c)*cs + at + (di) + (dj)*s1 + (dk)*s2]
#define OUT(field, c, value)                 \
    do {                                     \
        const an_type_##field out = (value); \
        if (live)                            \
            field[(c)*cs + at] = out;        \
    } while (0)
#define CELLS(d)                 n[d]
#define FLAT(d)                  (flat >> (d)&1)
#define CELL_I                   i
#define CELL_J                   j
#define CELL_K                   k
#define OMEGA                    an_omega
#define GIVEN(field)             ((field) != NULL)
#define RUNTIME(name)            prm->march.name
#define OTHER(field, c, i, j, k) field[(c)*ocs + an_element(other, i, j, k)]
#define OTHER_CELLS(d)           other->n[d]
#define SUM(m, value)            an_xsum_add(&red->sum[m], (value))
#define MIN(m, value)            min.of[m] = (value)
#if defined(__AVX512F__)
#define AN_LANES (512 / AN_PRECISION)
#elif defined(__AVX2__)
#define AN_LANES (256 / AN_PRECISION)
#else
#define AN_LANES 0
#endif
#ifdef AN_DIR
#define DIR                       AN_DIR
#define ALONG(field, c, m)        field[(c)*cs + at + (m)*along]
#define ACROSS(field, c, m, a, b) field[(c)*cs + at + (m)*along + (a)*across1 + (b)*across2]
#endif

/* live: 0 in a lane behind the end of the row: its values are neither stored nor reduced. */
AN_INLINE struct an_minima AN_CAT(AN_FUNCTION, _cell)(
    const struct an_fields *fields, int64_t cs, const struct an_block *other, int64_t ocs,
    int64_t at, const an_lane live, int i, int j, int k, const int n[3], const int flat, int64_t s1,
    int64_t s2, const double an_omega, const struct AN_FN(an_prm) * prm, struct an_reduction *red)
{
    AN_FIELDS(AN_DECLARE)
    struct an_minima min = {{INFINITY, INFINITY}};
    (void)i, (void)j, (void)k, (void)n, (void)prm, (void)red, (void)s1, (void)s2, (void)other;
    (void)ocs, (void)an_omega, (void)live, (void)flat;
#ifdef AN_DIR
    const int64_t along = AN_DIR == 0 ? 1 : AN_DIR == 1 ? s1 : s2;
    const int64_t across1 = AN_DIR == 2 ? 1 : AN_DIR == 0 ? s1 : s2;
    const int64_t across2 = AN_DIR == 1 ? 1 : AN_DIR == 2 ? s1 : s2;
    (void)along, (void)across1, (void)across2;
#endif
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
    return min;
}

static void AN_FUNCTION(const struct an_block *block, int64_t cs, const struct an_block *other,
                        int64_t ocs, const int lo[3], const int hi[3],
                        const struct an_fields *given, const struct AN_FN(an_prm) * parameters,
                        struct an_reduction *red)
{
    /* copies, for compilers to see that no store changes them */
    const struct AN_FN(an_prm) copy = *parameters, *const prm = &copy;
    const struct an_fields addresses = *given, *const fields = &addresses;
    const int64_t s1 = block->stride[1], s2 = block->stride[2];
    const int n[3] = {block->n[0], block->n[1], block->n[2]}, flat = block->flat;
    const double omega = block->omega;
    double min0 = INFINITY, min1 = INFINITY;
#ifdef AN_MINS
#define AN_SIMD _Pragma("omp simd reduction(min : min0, min1)")
#else
#define AN_SIMD _Pragma("omp simd")
#endif
#define AN_CELL(m, live)                                                                          \
    {                                                                                             \
        const struct an_minima min =                                                              \
            AN_CAT(AN_FUNCTION, _cell)(fields, cs, other, ocs, begin + (m), live, (m) + lo[0], j, \
                                       k, n, flat, s1, s2, omega, prm, red);                      \
        const double one = (live) ? min.of[0] : INFINITY, two = (live) ? min.of[1] : INFINITY;    \
        min0 = one < min0 ? one : min0;                                                           \
        min1 = two < min1 ? two : min1;                                                           \
    }
/* in scalar code */
#define AN_SINGLE                   \
    for (int m = 0; m < width; m++) \
    AN_CELL(m, 1)
/* in vectors */
#if AN_LANES
#define AN_ROW                                      \
    for (int v = 0; v < whole; v += AN_LANES) {     \
        AN_SIMD                                     \
        for (int lane = 0; lane < AN_LANES; lane++) \
            AN_CELL(v + lane, 1)                    \
    }                                               \
    if (whole < width) {                            \
        AN_SIMD                                     \
        for (int lane = 0; lane < AN_LANES; lane++) \
            AN_CELL(whole + lane, rest[lane])       \
    }
#else
#define AN_ROW                      \
    AN_SIMD                         \
    for (int m = 0; m < width; m++) \
    AN_CELL(m, 1)
#endif
    /* cells of a row, those in whole vectors, and lanes behind them */
    const int width = hi[0] - lo[0];
    const int whole = width & -AN_LANES;
    an_lane rest[AN_LANES + 1]; /* 1 in lanes of the last vector that are in the row */
    for (int lane = 0; lane <= AN_LANES; lane++)
        rest[lane] = lane < width - whole;
    (void)whole, (void)rest;
    for (int k = lo[2]; k < hi[2]; k++)
        for (int j = lo[1]; j < hi[1]; j++) {
            const int64_t begin = an_element(block, lo[0], j, k);
#ifdef AN_SUMS
            AN_SINGLE
#else
#ifdef AN_SCALAR
            if (AN_SCALAR) {
                AN_SINGLE
                continue;
            }
#endif
#ifdef AN_SPLIT
            if (AN_SPLIT) {
                AN_ROW
                continue;
            }
#endif
#ifdef AN_SPLIT_TOO
            if (AN_SPLIT_TOO) {
                AN_ROW
                continue;
            }
#endif
            AN_ROW
#endif
        }
#undef AN_CELL
#undef AN_SINGLE
#undef AN_ROW
#undef AN_SIMD
    if (red) {
        red->min[0] = min0 < red->min[0] ? min0 : red->min[0];
        red->min[1] = min1 < red->min[1] ? min1 : red->min[1];
    }
}

#undef AN_FUNCTION
#include "kernels/stencils/stencil_end.h"
