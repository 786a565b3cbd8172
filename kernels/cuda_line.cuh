/* CUDA engines: one line stencil (AN_STENCIL), all directions in one launch.
 *
 * Eight lanes hold one of a line's two chains (tridiagonal.h), four such groups a warp: two lines.
 * For eight cells of each chain at a time the lanes put the systems together in shared memory, a
 * cell each; then the groups eliminate cell after cell, a lane holding one column of the diagonal
 * block and of the far one, the lane behind them the right-hand side:
 *
 *     lane        0 1 2 3 4 5 6 7 | 8 ...         lanes 0 .. 4: columns of D, far; of E
 *     put together  cells 0 .. 7  | of the other  lane 5:       right-hand side; g
 *     eliminate     D D D D D r . | end           lanes 6, 7:   idle
 *
 * A system of LINE words that nobody else reads is kept cell after cell, so that a group's words
 * lie together whatever the direction of the lines; lanes of a warp exchange registers by shuffles,
 * and warps of a block know nothing of each other. */
#include AN_STENCIL

#define AN_FUNCTION AN_STENCIL_NAME

#define AN_DECLARE(role, field) \
    AN_DECLARE_##role(AN_CAT(an_type_, field), field, fields.at[AN_CAT(AN_F_, field)])
#define AN_DECLARE_IN(type, field, address)                        \
    const type *__restrict__ const field __attribute__((unused)) = \
        static_cast<const type *>(address);
#define AN_DECLARE_NEAR(type, field, address) AN_DECLARE_IN(type, field, address)
#define AN_DECLARE_OUT(type, field, address) \
    type *const field __attribute__((unused)) = static_cast<type *>(address);
#define AN_DECLARE_INOUT(type, field, address) AN_DECLARE_OUT(type, field, address)
#define AT(field, c, di, dj, dk)               field[(c)*cs + at + (di) + (dj)*s1 + (dk)*s2]
#define OUT(field, c, value)                   field[(c)*cs + at] = (value)
#define CELLS(d)                               block->n[d]
#define DIR                                    dir
#define ALONG(field, c, m)                     field[(c)*cs + at + (m)*along]
#define ACROSS(field, c, m, p, q)              field[(c)*cs + at + (m)*along + (p)*across1 + (q)*across2]
#define FIRST                                  (m == 0)
#define LAST                                   (m == block->n[dir] - 1)
#define SYSTEM                                 system
#define OMEGA                                  block->omega
#ifndef AN_SYSTEMS
#define AN_SYSTEMS 1
#endif
#ifdef KEPT
#define AN_KEPT_AT(w) LINE[KEPT(w) * cs + at]
#else
#define AN_KEPT_AT(w) LINE[AN_LINE_KEPT(N) * at + (w)]
#endif
#define N                     AN_UNKNOWNS
#define LOWER(r, c, value)    cell[(low + N * (r) + (c)) * AN_LINE_PITCH] = (value)
#define UPPER(r, c, value)    cell[(AN_LINE_FAR(N) - low + N * (r) + (c)) * AN_LINE_PITCH] = (value)
#define DIAGONAL(r, c, value) cell[(AN_LINE_DIAG(N) + N * (r) + (c)) * AN_LINE_PITCH] = (value)
#define RIGHT(r, value)       cell[(AN_LINE_RIGHT(N) + (r)) * AN_LINE_PITCH] = (value)

/* The system of one cell goes to `cell`, in shared memory. low: where the lower block goes. */
static __device__ __forceinline__ void
AN_CAT(AN_FUNCTION, _cell)(const struct an_fields &fields, int64_t cs, int64_t at,
                           const struct an_block *block, int dir, int m,
                           const struct AN_FN(an_prm) * prm, int system, int low, real *cell)
{
    AN_FIELDS(AN_DECLARE)
    const int64_t s1 = block->stride[1], s2 = block->stride[2];
    const int64_t along = dir == 0 ? 1 : dir == 1 ? s1 : s2;
    const int64_t across1 = dir == 2 ? 1 : dir == 0 ? s1 : s2;
    const int64_t across2 = dir == 1 ? 1 : dir == 2 ? s1 : s2;
    (void)prm, (void)along, (void)across1, (void)across2, (void)system, (void)s1, (void)s2;
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
}

static __global__ void __launch_bounds__(AN_LINE_WARPS * 32)
    AN_CAT(line_, AN_FUNCTION)(const __grid_constant__ struct an_cell_args a,
                               const __grid_constant__ struct AN_FN(an_prm) parameters)
{
    typedef struct {
        real word[AN_LINE_WARPS][AN_LINE_WORDS(N) * AN_LINE_PITCH];
    } systems;
    AN_SHARED(systems, shared);
    const struct AN_FN(an_prm) *const prm = &parameters;
    const struct an_fields &fields = a.fields;
    AN_FIELDS(AN_DECLARE)
    const struct an_tile tile = a.tile[blockIdx.x];
    const struct an_block *const block = &a.block[tile.block];
    const int dir = tile.dir, n = block->n[dir], half = n / 2;
    const int64_t cs = a.cs, along = block->stride[dir];
    const int fast_dir = dir == 0 ? 1 : 0, slow_dir = dir == 2 ? 1 : 2;

    const int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
    const int own = lane & ~7, member = lane & 7, upper = lane >> 3 & 1;
    const int line = 2 * warp + (lane >> 4);
    const int fast = tile.lo[fast_dir] + (line & ((1 << tile.shift) - 1));
    const int slow = tile.lo[slow_dir] + (line >> tile.shift);
    const int active = fast < tile.hi[fast_dir] && slow < tile.hi[slow_dir];
    const int64_t start =
        block->origin + fast * block->stride[fast_dir] + slow * block->stride[slow_dir];
    /* the chain's cells, from its end inward: m = first + c step */
    const int count = !active ? 0 : upper ? n - half : half;
    const int first = upper ? n - 1 : 0, step = upper ? -1 : 1;
    real *const mine = &shared.word[warp][lane];
    const real *const group = &shared.word[warp][own];
    const int column = member < N ? member : N - 1;

    for (int system = 0; system < AN_SYSTEMS; system++) {
        real x[N], next[N];
        for (int r = 0; r < N; r++)
            x[r] = 0;
        for (int begin = 0; begin < n - half; begin += 8) {
            if (begin + member < count) {
                const int m = first + (begin + member) * step;
                AN_CAT(AN_FUNCTION, _cell)
                (fields, cs, start + m * along, block, dir, m, prm, system,
                 upper ? AN_LINE_FAR(N) : 0, mine);
            }
            AN_WARP_BARRIER();
            const int steps = begin + 8 < n - half ? 8 : n - half - begin;
            for (int s = 0; s < steps; s++) {
                const real *const cell = group + s;
                real y[N], far[N], f[N];
                for (int r = 0; r < N; r++) {
                    y[r] = cell[(member < N ? AN_LINE_DIAG(N) + N * r + member
                                            : AN_LINE_RIGHT(N) + r) *
                                AN_LINE_PITCH];
                    far[r] = cell[(AN_LINE_FAR(N) + N * r + column) * AN_LINE_PITCH];
                }
                AN_FN(an_line_reduce)(N, cell, AN_LINE_PITCH, x, y);
                AN_UNROLL
                for (int p = 0; p < N; p++) {
                    an_from_lane(y, own + p, f);
                    const real inverse = AN_R(1.0) / f[p];
                    AN_FN(an_line_pivot)(N, p, f, inverse, y);
                    AN_FN(an_line_pivot)(N, p, f, inverse, far);
                }
                if (begin + s < count) {
                    const int64_t at = start + (first + (begin + s) * step) * along;
                    for (int r = 0; r < N; r++) {
                        x[r] = member < N ? far[r] : y[r];
                        if (member <= N)
                            AN_KEPT_AT((N + 1) * r + member) = x[r];
                    }
                }
            }
            AN_WARP_BARRIER();
        }

        { /* where the chains meet */
            real near[N * N], y[N], f[N];
            an_from_lane(x, lane | 8, y);
            for (int e = 0; e < N; e++) {
                an_from_lane(x, (own | 8) + e, f);
                for (int r = 0; r < N; r++)
                    near[N * r + e] = f[r];
            }
            an_from_lane(x, lane & ~8, f);
            for (int r = 0; r < N; r++)
                y[r] = member < N ? static_cast<real>(r == member) : y[r];
            AN_FN(an_line_reduce)(N, near, 1, f, y);
            AN_UNROLL
            for (int p = 0; p < N; p++) {
                an_from_lane(y, own + p, f);
                AN_FN(an_line_pivot)(N, p, f, AN_R(1.0) / f[p], y);
            }
            an_from_lane(y, own + N, next);
            if (active && upper) {
                const int64_t at = start + half * along;
                for (int r = 0; r < N; r++)
                    if (member == r) {
                        SOLUTION(r, next[r]);
                    }
            }
        }

        /* outward, a lane has a row; the upper chain's last cell is known */
        const int left = count - upper;
        for (int end = half; end > 0; end -= 8) {
            real kept[8][N + 1];
            const int steps = end < 8 ? end : 8;
            AN_UNROLL
            for (int s = 0; s < 8; s++) {
                const int c = left - 1 - (half - end) - s;
                const int64_t at = start + (first + c * step) * along;
                if (c >= 0)
                    for (int k = 0; k <= N; k++)
                        kept[s][k] = AN_KEPT_AT((N + 1) * column + k);
            }
            AN_UNROLL
            for (int s = 0; s < 8; s++) {
                const int c = left - 1 - (half - end) - s;
                const int64_t at = start + (first + c * step) * along;
                if (s >= steps)
                    break;
                real own_x[1], all[N];
                own_x[0] = AN_FN(an_line_row)(N, kept[s], 1, next, kept[s][N]);
                for (int r = 0; r < N; r++) {
                    real one[1];
                    an_from_lane(own_x, own + r, one);
                    all[r] = one[0];
                }
                if (c >= 0)
                    for (int r = 0; r < N; r++) {
                        next[r] = all[r];
                        if (member == r) {
                            SOLUTION(r, own_x[0]);
                        }
                    }
            }
        }
    }
}

static int AN_CAT(run_, AN_FUNCTION)(const struct an_cell_args *a, int ntile,
                                     const struct an_params *p, void *stream)
{
    return an_launch(AN_STRING(AN_FUNCTION), AN_CAT(line_, AN_FUNCTION), ntile, AN_LINE_WARPS * 32,
                     0, 1, stream, *a, AN_FN(an_prm_from)(p));
}

#undef N
#undef AN_KEPT_AT
#undef AN_FUNCTION
#include "kernels/stencil_end.h"
