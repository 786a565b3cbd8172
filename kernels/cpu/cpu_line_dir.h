/* CPU engine: one line stencil (AN_STENCIL) along direction AN_DIR as a function over a box of up
 * to AN_LINE_LANES lines beside each other, in i, or in j for lines along i: a vector of them.
 * Cell by cell along the lines, the systems of all of them are put together in `row`, then
 * eliminated (tridiagonal.h); what elimination keeps stays in `work`, in cache. Words of lanes that
 * have no line are computed, in the padding of rows, and not used. */
#include AN_STENCIL

#define AN_FUNCTION AN_CAT(AN_CAT(AN_STENCIL_NAME, _d), AN_DIR)

#define AN_DECLARE(role, field) \
    AN_DECLARE_##role(AN_CAT(an_type_, field), field, fields->at[AN_CAT(AN_F_, field)])
#define AN_DECLARE_IN(type, field, address) \
    const type *const field __attribute__((unused)) = (const type *)(address);
#define AN_DECLARE_NEAR(type, field, address) AN_DECLARE_IN(type, field, address)
#define AN_DECLARE_OUT(type, field, address) \
    type *const field __attribute__((unused)) = (type *)(address);
#define AN_DECLARE_INOUT(type, field, address) AN_DECLARE_OUT(type, field, address)
#define AT(field, c, di, dj, dk)               field[(c)*cs + at + (di) + (dj)*s1 + (dk)*s2]
#define OUT(field, c, value)                   field[(c)*cs + at] = (value)
#define CELLS(d)                               n[d]
#define FLAT(d)                                (flat >> (d)&1)
#define DIR                                    AN_DIR
#define ALONG(field, c, m)                     field[(c)*cs + at + (m)*along]
#define ACROSS(field, c, m, a, b)              field[(c)*cs + at + (m)*along + (a)*across1 + (b)*across2]
#define EDGE                                   edge
#define FIRST                                  (m == 0)
#define LAST                                   (m == n[AN_DIR] - 1)
#define SYSTEM                                 system
#define OMEGA                                  an_omega
#define GIVEN(field)                           ((field) != NULL)
#define RUNTIME(name)                          prm->march.name
#ifndef AN_SYSTEMS
#define AN_SYSTEMS 1
#endif
#define N                     AN_UNKNOWNS
#define LANE(x, w)            (x)[(w)*AN_LINE_LANES]
#define ROW(w)                LANE(row, w)
#define LOWER(r, c, value)    ROW(low + N * (r) + (c)) = (value)
#define UPPER(r, c, value)    ROW(AN_LINE_FAR(N) - low + N * (r) + (c)) = (value)
#define DIAGONAL(r, c, value) ROW(AN_LINE_DIAG(N) + N * (r) + (c)) = (value)
#define RIGHT(r, value)       ROW(AN_LINE_RIGHT(N) + (r)) = (value)
_Static_assert(AN_LINE_KEPT(N) * AN_LINE_BYTES <= AN_LINE_WORK, "work of a line's cell");
#if AN_UNKNOWNS == 5
#define EACH(F)       AN_EACH5(F)
#define EACH_INNER(F) AN_EACH5_INNER(F)
#else
#define EACH(F)       F(0)
#define EACH_INNER(F) F(0)
#endif

/* One cell, as a function of its own: what a body declares must not be a variable of the loops
 * below, where compilers keep addressed variables in memory, one for each lane of SIMD. low: where
 * the lower block goes, near or far. */
AN_INLINE void AN_CAT(AN_FUNCTION, _cell)(const struct an_fields *fields, int64_t cs, int64_t at,
                                          const int n[3], const int flat, const int edge, int m,
                                          int64_t s1, int64_t s2, const double an_omega,
                                          const struct AN_FN(an_prm) * prm, int system, int low,
                                          real *row)
{
    AN_FIELDS(AN_DECLARE)
    const int64_t along = AN_DIR == 0 ? 1 : AN_DIR == 1 ? s1 : s2;
    const int64_t across1 = AN_DIR == 2 ? 1 : AN_DIR == 0 ? s1 : s2;
    const int64_t across2 = AN_DIR == 1 ? 1 : AN_DIR == 2 ? s1 : s2;
    (void)n, (void)flat, (void)edge, (void)m, (void)prm, (void)along, (void)across1, (void)across2,
        (void)system;
    (void)s1, (void)s2, (void)an_omega;
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
}

/* Prefetches a vector of what the cell after the next is computed from. W0 is read on the way
 * back. */
AN_INLINE void AN_CAT(AN_FUNCTION, _prefetch)(const struct an_fields *fields, int64_t cs,
                                              int64_t at)
{
#define FETCH(role, field)                                                         \
    FETCH_##role((AN_CAT(AN_F_, field) == AN_F_W0 ? 0 : AN_CAT(AN_NCOMP_, field)), \
                 fields->at[AN_CAT(AN_F_, field)])
#define FETCH_IN(n, address)      \
    for (int w = 0; w < (n); w++) \
        __builtin_prefetch((const real *)(address) + w * cs + at);
#define FETCH_NEAR(n, address) FETCH_IN(n, address)
#define FETCH_OUT(n, address)
#define FETCH_INOUT(n, address)
    AN_FIELDS(FETCH)
#undef FETCH
#undef FETCH_IN
#undef FETCH_NEAR
#undef FETCH_OUT
#undef FETCH_INOUT
}

/* One step of elimination: the system in `row`, what is kept of the cell before, what of this. */
AN_INLINE void AN_CAT(AN_FUNCTION, _eliminate)(const real *row, const real *before, real *kept)
{
    real x[N + 1][N], y[N + 1][N], far[N][N];
#define LOAD(c)                                              \
    for (int r = 0; r < N; r++) {                            \
        x[c][r] = LANE(before, (N + 1) * r + (c));           \
        y[c][r] = LANE(row, AN_LINE_DIAG(N) + N * r + (c));  \
        far[c][r] = LANE(row, AN_LINE_FAR(N) + N * r + (c)); \
    }                                                        \
    AN_FN(an_line_reduce)(N, &LANE(row, AN_LINE_NEAR(N)), AN_LINE_LANES, x[c], y[c]);
#define PIVOT(p)                                                \
    {                                                           \
        const real *const f = y[p], inverse = AN_R(1.0) / f[p]; \
        const int pivot = p;                                    \
        EACH_INNER(PIVOT_COLUMN)                                \
        AN_FN(an_line_pivot)(N, pivot, f, inverse, y[N]);       \
    }
#define PIVOT_COLUMN(c)                                   \
    if (c > pivot)                                        \
        AN_FN(an_line_pivot)(N, pivot, f, inverse, y[c]); \
    AN_FN(an_line_pivot)(N, pivot, f, inverse, far[c]);
#define KEEP_COLUMN(c)          \
    for (int r = 0; r < N; r++) \
        LANE(kept, (N + 1) * r + (c)) = far[c][r];
    EACH(LOAD)
    for (int r = 0; r < N; r++) {
        x[N][r] = LANE(before, (N + 1) * r + N);
        y[N][r] = LANE(row, AN_LINE_RIGHT(N) + r);
    }
    AN_FN(an_line_reduce)(N, &LANE(row, AN_LINE_NEAR(N)), AN_LINE_LANES, x[N], y[N]);
    EACH(PIVOT)
    EACH(KEEP_COLUMN)
    for (int r = 0; r < N; r++)
        LANE(kept, (N + 1) * r + N) = y[N][r];
#undef LOAD
#undef PIVOT
#undef PIVOT_COLUMN
#undef KEEP_COLUMN
}

/* The step at which the chains meet, from what the upper one kept. */
AN_INLINE void AN_CAT(AN_FUNCTION, _meet)(const real *kept, real *row)
{
#define MEET(r)                                                                      \
    for (int c = 0; c < N; c++) {                                                    \
        LANE(row, AN_LINE_NEAR(N) + N * (r) + c) = LANE(kept, (N + 1) * (r) + c);    \
        LANE(row, AN_LINE_FAR(N) + N * (r) + c) = AN_R(0.0);                         \
        LANE(row, AN_LINE_DIAG(N) + N * (r) + c) = (r) == c ? AN_R(1.0) : AN_R(0.0); \
    }                                                                                \
    LANE(row, AN_LINE_RIGHT(N) + (r)) = LANE(kept, (N + 1) * (r) + N);
    EACH(MEET)
#undef MEET
}

/* x = g - E x of the cell next to it. */
AN_INLINE void AN_CAT(AN_FUNCTION, _back)(const real *kept, real *next)
{
    real x[N], own[N];
    for (int r = 0; r < N; r++)
        x[r] = LANE(next, r);
#define BACK(r)                                                                  \
    own[r] = AN_FN(an_line_row)(N, &LANE(kept, (N + 1) * (r)), AN_LINE_LANES, x, \
                                LANE(kept, (N + 1) * (r) + N));
    EACH(BACK)
#undef BACK
    for (int r = 0; r < N; r++)
        LANE(next, r) = own[r];
}

AN_INLINE void AN_CAT(AN_FUNCTION, _solution)(const struct an_fields *fields, int64_t cs,
                                              int64_t at, int system,
                                              const struct AN_FN(an_prm) * prm, const real *x)
{
    AN_FIELDS(AN_DECLARE)
    const int64_t s1 = 0, s2 = 0; /* only the cell itself */
    (void)system, (void)prm, (void)s1, (void)s2;
    real own[N];
#define TAKE(r) own[r] = LANE(x, r);
    EACH(TAKE)
#undef TAKE
    SOLUTION(own);
}

#ifdef KEPT
/* What is kept, as others see it. */
AN_INLINE void AN_CAT(AN_FUNCTION, _keep)(const struct an_fields *fields, int64_t cs, int64_t at,
                                          int system, const real *kept)
{
    AN_FIELDS(AN_DECLARE)
    (void)system;
#define STORE(r)                 \
    for (int c = 0; c <= N; c++) \
        LINE[KEPT((N + 1) * (r) + c) * cs + at] = LANE(kept, (N + 1) * (r) + c);
    EACH(STORE)
#undef STORE
}
#endif

/* The lines of a box: a vector of them beside each other. */
struct AN_CAT(AN_FUNCTION, _box) {
    int64_t cs, s1, s2, step, along,
        start;                    /* step: from lane to lane; start: first cell of lane 0 */
    int n[3], flat, width, lanes; /* lanes that are computed; width of them have a line */
    double omega;
};
enum { AN_CAT(AN_FUNCTION, _words) = AN_LINE_KEPT(N) * AN_LINE_LANES };

/* The systems of the cells m of all lanes. */
AN_INLINE void AN_CAT(AN_FUNCTION, _cells)(const struct AN_CAT(AN_FUNCTION, _box) * b,
                                           const struct an_fields *fields,
                                           const struct AN_FN(an_prm) * prm, const int edge, int m,
                                           int system, int low, real *row)
{
    const int64_t begin = b->start + m * b->along;
#pragma omp simd
    for (int a = 0; a < b->lanes; a++)
        AN_CAT(AN_FUNCTION, _cell)
    (fields, b->cs, begin + a * b->step, b->n, b->flat, edge, m, b->s1, b->s2, b->omega, prm,
     system, low, row + a);
}

/* A chain from an end of the lines to their middle. upper: from their upper end. */
AN_INLINE void AN_CAT(AN_FUNCTION, _chain)(const struct AN_CAT(AN_FUNCTION, _box) * b,
                                           const struct an_fields *fields,
                                           const struct AN_FN(an_prm) * prm, int upper, int system,
                                           const real *none, real *row, real *kept)
{
    const int half = b->n[AN_DIR] / 2, count = upper ? b->n[AN_DIR] - half : half;
    const int low = upper ? AN_LINE_FAR(N) : 0;
    const real *before = none;
    for (int c = 0; c < count; c++) {
        const int m = upper ? b->n[AN_DIR] - 1 - c : c;
        real *const now = kept + (size_t)m * AN_CAT(AN_FUNCTION, _words);
        if (AN_DIR > 0)
            AN_CAT(AN_FUNCTION, _prefetch)
        (fields, b->cs, b->start + m * b->along + (upper ? -b->along : b->along));
        if (c == 0) /* an end cell: only end faces of a line can be closed */
            AN_CAT(AN_FUNCTION, _cells)(b, fields, prm, 1, m, system, low, row);
        else
            AN_CAT(AN_FUNCTION, _cells)(b, fields, prm, 0, m, system, low, row);
#pragma omp simd
        for (int a = 0; a < AN_LINE_LANES; a++)
            AN_CAT(AN_FUNCTION, _eliminate)(row + a, before + a, now + a);
#ifdef KEPT
#pragma omp simd
        for (int a = 0; a < b->width; a++)
            AN_CAT(AN_FUNCTION, _keep)
        (fields, b->cs, b->start + m * b->along + a * b->step, system, now + a);
#endif
        before = now;
    }
}

/* From cell half, whose solution `met` holds, to an end of the lines. down: to the lower one. */
AN_INLINE void AN_CAT(AN_FUNCTION, _outward)(const struct AN_CAT(AN_FUNCTION, _box) * b,
                                             const struct an_fields *fields,
                                             const struct AN_FN(an_prm) * prm, int down, int system,
                                             const real *met, const real *kept, real *next)
{
    const int half = b->n[AN_DIR] / 2, count = down ? half : b->n[AN_DIR] - half - 1;
    for (int r = 0; r < N; r++)
        memcpy(next + r * AN_LINE_LANES, met + ((N + 1) * r + N) * AN_LINE_LANES,
               AN_LINE_LANES * sizeof *next);
    for (int c = down; c <= count; c++) { /* cell half once */
        const int m = down ? half - c : half + c;
        const int64_t begin = b->start + m * b->along;
        if (c > 0) {
#pragma omp simd
            for (int a = 0; a < AN_LINE_LANES; a++)
                AN_CAT(AN_FUNCTION, _back)
            (kept + m * AN_CAT(AN_FUNCTION, _words) + a, next + a);
        }
#pragma omp simd
        for (int a = 0; a < b->width; a++)
            AN_CAT(AN_FUNCTION, _solution)
        (fields, b->cs, begin + a * b->step, system, prm, next + a);
    }
}

static void AN_FUNCTION(const struct an_block *block, int64_t cs, const int lo[3], const int hi[3],
                        const struct an_fields *given, const struct AN_FN(an_prm) * parameters,
                        void *work)
{
    /* copies, for compilers to see that no store changes them */
    const struct AN_FN(an_prm) copy = *parameters, *const prm = &copy;
    const struct an_fields addresses = *given, *const fields = &addresses;
    /* fast: the direction of SIMD; slow: the other one */
    enum {
        FAST = AN_DIR == 0 ? 1 : 0,
        SLOW = AN_DIR == 2 ? 1 : 2,
        WORDS = AN_CAT(AN_FUNCTION, _words)
    };
    const int64_t step = AN_DIR == 0 ? block->stride[1] : 1;
    const int width = hi[FAST] - lo[FAST], half = block->n[AN_DIR] / 2;
    const struct AN_CAT(AN_FUNCTION, _box) box = {
        .cs = cs,
        .s1 = block->stride[1],
        .s2 = block->stride[2],
        .step = step,
        .along = block->stride[AN_DIR],
        .start = block->origin + lo[FAST] * step + lo[SLOW] * block->stride[SLOW],
        .n = {block->n[0], block->n[1], block->n[2]},
        .flat = block->flat,
        .width = width,
        .lanes = AN_DIR == 0 ? width : AN_LINE_LANES, /* those along i run on into the padding */
        .omega = block->omega};
    real row[AN_LINE_WORDS(N) * AN_LINE_LANES] __attribute__((aligned(64))) = {0};
    real next[N * AN_LINE_LANES] __attribute__((aligned(64)));
    real none[WORDS] __attribute__((aligned(64))) = {0};
    real met[WORDS] __attribute__((aligned(64)));
    real *const kept = work;
    for (int system = 0; system < AN_SYSTEMS; system++) {
        for (int upper = 0; upper < 2; upper++) /* loops, for the code to be there once */
            AN_CAT(AN_FUNCTION, _chain)(&box, fields, prm, upper, system, none, row, kept);
            /* where they meet */
#pragma omp simd
        for (int a = 0; a < AN_LINE_LANES; a++)
            AN_CAT(AN_FUNCTION, _meet)(kept + half * WORDS + a, row + a);
        const real *const lower = half ? kept + (half - 1) * WORDS : none;
#pragma omp simd
        for (int a = 0; a < AN_LINE_LANES; a++)
            AN_CAT(AN_FUNCTION, _eliminate)(row + a, lower + a, met + a);
        for (int down = 0; down < 2; down++)
            AN_CAT(AN_FUNCTION, _outward)(&box, fields, prm, down, system, met, kept, next);
    }
}

#undef N
#undef ROW
#undef LANE
#undef EACH
#undef EACH_INNER
#undef AN_FUNCTION
#include "kernels/stencils/stencil_end.h"
