/* CUDA engines: one line stencil (AN_STENCIL), all directions in one launch or two. Blocks of five unknowns
 * have the kernel of this file, and that of cuda_march.cuh where there are many lines along j and k
 * (struct an_line_tiles); single numbers have cuda_march.cuh alone.
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
 * Along i, that is. Along j and k, where the cells of a line are far from each other in memory, the
 * threads of a block put together the cells of all its lines, which lie beside each other in i.
 *
 * SLOW: 0 in kernels that are compiled for parameters without preconditioning. It is rarely wanted and costs
 * registers; without it three blocks of groups fit a multiprocessor instead of two.
 *
 * LINE, which nobody else reads, is kept cell after cell, so that a group's words lie together
 * whatever the direction of the lines; lanes of a warp exchange registers by shuffles.
 */
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
#define FLAT(d)                                (block->flat >> (d)&1)
#define DIR                                    dir
#define ALONG(field, c, m)                     field[(c)*cs + at + (m)*along]
#define ACROSS(field, c, m, p, q)              field[(c)*cs + at + (m)*along + (p)*across1 + (q)*across2]
#define FIRST                                  (m == 0)
#define LAST                                   (m == block->n[dir] - 1)
#define SYSTEM                                 system
#define OMEGA                                  block->omega
#define GIVEN(field)                           ((field) != nullptr)
#define RUNTIME(name)                          (prm->runtime ? __ldg(prm->runtime + AN_RUNTIME_##name) : prm->march.name)
#ifndef AN_SYSTEMS
#define AN_SYSTEMS 1
#endif
#define N AN_UNKNOWNS
/* cuda_march.cuh: the component of LINE that has a word of what elimination kept. */
#ifdef KEPT
#define AN_KEPT_WORD KEPT
#else
#define AN_KEPT_WORD(w) (w)
#endif
/* Groups of lanes pay for blocks, not for numbers. A thread for each chain needs registers for its blocks:
 * those of double precision are too many, and gases with cp(T) have faces of their own for each of their two
 * cells. */
#define AN_IN_GROUPS          (AN_UNKNOWNS > 1)
#define AN_MARCHES            (AN_UNKNOWNS == 1 || (AN_PRECISION == 32 && !AN_GAS))
#define LOWER(r, c, value)    row_lower[N * (r) + (c)] = (value)
#define UPPER(r, c, value)    row_upper[N * (r) + (c)] = (value)
#define DIAGONAL(r, c, value) row_diagonal[N * (r) + (c)] = (value)
#define RIGHT(r, value)       row_right[r] = (value)

/* The system of one cell, blocks row by row. */
static __device__ __forceinline__ void AN_CAT(AN_FUNCTION, _system)(
    const struct an_fields &fields, int64_t cs, int64_t at, const struct an_block *block, int dir,
    int m, const struct AN_FN(an_prm) * prm, int system, real (&row_lower)[N * N],
    real (&row_upper)[N * N], real (&row_diagonal)[N * N], real (&row_right)[N])
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

#if AN_IN_GROUPS
/* It goes to shared memory. from_above: the chain that the upper end starts. */
static __device__ __forceinline__ void
AN_CAT(AN_FUNCTION, _cell)(const struct an_fields &fields, int64_t cs, int64_t at,
                           const struct an_block *block, int dir, int m,
                           const struct AN_FN(an_prm) * prm, int system, bool from_above,
                           struct line_systems<N> &systems, int place)
{
    real row_lower[N * N], row_upper[N * N], row_diagonal[N * N], row_right[N];
    AN_CAT(AN_FUNCTION, _system)
    (fields, cs, at, block, dir, m, prm, system, row_lower, row_upper, row_diagonal, row_right);
    systems.put(place, from_above ? AN_LINE_FAR_COLUMN(N) : AN_LINE_NEAR_COLUMN(N), N, row_lower);
    systems.put(place, from_above ? AN_LINE_NEAR_COLUMN(N) : AN_LINE_FAR_COLUMN(N), N, row_upper);
    systems.put(place, AN_LINE_DIAG_COLUMN(N), N, row_diagonal);
    systems.put(place, AN_LINE_RIGHT_COLUMN(N), 1, row_right);
}

/* Where a lane stands: its chain, and the cell it puts together. */
struct AN_CAT(AN_FUNCTION, _lane) {
    const struct an_block *block;
    int dir, n, half;       /* of the line; its cells; those of the lower chain */
    bool across;            /* lines along j and k */
    int warp, lane;         /* of the block; of the warp */
    int own, member, upper; /* first lane of the group; place in it; the upper chain? */
    int column;             /* of the blocks, in elimination; row, on the way outward */
    /* the chain's cells, from its end inward: m = first + c step */
    int active, count, first, step;
    int64_t along, start, kept_step;
    /* the cell that this lane puts together: line, and place among the 32 of a warp */
    int put_line, put_upper, put_member, put_count;
    int64_t put_start;
    __device__ __forceinline__ int put_place() const
    {
        return 16 * (put_line & 1) + 8 * put_upper + put_member;
    }
};

static __device__ __forceinline__ struct AN_CAT(AN_FUNCTION, _lane)
    AN_CAT(AN_FUNCTION, _lane_of)(const struct an_cell_args &a)
{
    enum { LINES = 2 * AN_LINE_WARPS };
    const struct an_tile tile = a.tile[blockIdx.x];
    struct AN_CAT(AN_FUNCTION, _lane) t;
    const struct an_block *const block = t.block = &a.block[tile.block];
    t.dir = tile.dir;
    t.n = block->n[t.dir];
    t.half = t.n / 2;
    t.along = block->stride[t.dir];
    const int fast_dir = t.dir == 0 ? 1 : 0, slow_dir = t.dir == 2 ? 1 : 2;
    t.warp = static_cast<int>(threadIdx.x) / 32;
    t.lane = static_cast<int>(threadIdx.x) % 32;
    t.own = t.lane & ~7;
    t.member = t.lane & 7;
    t.upper = t.lane >> 3 & 1;
    t.column = t.member < N ? t.member : N - 1;
    const int line = 2 * t.warp + (t.lane >> 4);
    const int fast = tile.lo[fast_dir] + (line & ((1 << tile.shift) - 1));
    const int slow = tile.lo[slow_dir] + (line >> tile.shift);
    t.active = fast < tile.hi[fast_dir] && slow < tile.hi[slow_dir];
    t.start = block->origin + fast * block->stride[fast_dir] + slow * block->stride[slow_dir];
    t.count = !t.active ? 0 : t.upper ? t.n - t.half : t.half;
    t.first = t.upper ? t.n - 1 : 0;
    t.step = t.upper ? -1 : 1;
    t.kept_step = AN_LINE_KEPT(N) * (t.step * t.along);
    /* of its own chain where lines go along i; else of all lines of the block, the lines beside each other in
     * memory, for lanes beside each other */
    t.across = t.dir != 0;
    const int slot = static_cast<int>(threadIdx.x) / LINES;
    t.put_line = t.across ? static_cast<int>(threadIdx.x) % LINES : line;
    t.put_upper = t.across ? slot >> 3 : t.upper;
    t.put_member = t.across ? slot & 7 : t.member;
    const int put_fast = tile.lo[fast_dir] + (t.put_line & ((1 << tile.shift) - 1));
    const int put_slow = tile.lo[slow_dir] + (t.put_line >> tile.shift);
    t.put_count = put_fast >= tile.hi[fast_dir] || put_slow >= tile.hi[slow_dir] ? 0
                  : t.put_upper                                                  ? t.n - t.half
                                                                                 : t.half;
    t.put_start =
        block->origin + put_fast * block->stride[fast_dir] + put_slow * block->stride[slow_dir];
    return t;
}

static __device__ __forceinline__ void AN_CAT(AN_FUNCTION, _lane_barrier)(bool across)
{
    if (across)
        __syncthreads();
    else
        AN_WARP_BARRIER();
}

/* One step of elimination: of cell `place` of the systems. Returns the lane's column of what is kept. */
static __device__ __forceinline__ void
AN_CAT(AN_FUNCTION, _pivot)(const struct line_systems<N> &mine, int place,
                            const struct AN_CAT(AN_FUNCTION, _lane) & t, const real (&x)[N],
                            real (&y)[N], real (&far)[N])
{
    real near[N * N], f[N];
    mine.take(place, t.member < N ? AN_LINE_DIAG_COLUMN(N) + t.member : AN_LINE_RIGHT_COLUMN(N), 1,
              1, y);
    mine.take(place, AN_LINE_FAR_COLUMN(N) + t.column, 1, 1, far);
    mine.take(place, AN_LINE_NEAR_COLUMN(N), N, N, near);
    AN_FN(an_line_reduce)(N, near, 1, x, y);
    AN_UNROLL
    for (int p = 0; p < N; p++) {
        an_from_lane(y, t.own + p, f);
        const real inverse = AN_R(1.0) / f[p];
        AN_FN(an_line_pivot)(N, p, f, inverse, y);
        AN_FN(an_line_pivot)(N, p, f, inverse, far);
    }
}

/* Inward: x becomes the lane's column of what is kept of the chain's last cell. */
static __device__ __forceinline__ void
AN_CAT(AN_FUNCTION,
       _lanes_inward)(const struct an_fields &fields, int64_t cs, const struct AN_FN(an_prm) * prm,
                      struct line_systems<N> *systems, const struct AN_CAT(AN_FUNCTION, _lane) & t,
                      int system, real (&x)[N])
{
    AN_FIELDS(AN_DECLARE)
    const struct line_systems<N> &mine = systems[t.warp];
    for (int r = 0; r < N; r++)
        x[r] = 0;
    real *kept_at = LINE + AN_LINE_KEPT(N) * (t.start + t.first * t.along);
    for (int begin = 0; begin < t.n - t.half; begin += 8) {
        if (begin + t.put_member < t.put_count) {
            const int c = begin + t.put_member, m = t.put_upper ? t.n - 1 - c : c;
            AN_CAT(AN_FUNCTION, _cell)
            (fields, cs, t.put_start + m * t.along, t.block, t.dir, m, prm, system, t.put_upper,
             systems[t.put_line / 2], t.put_place());
        }
        AN_CAT(AN_FUNCTION, _lane_barrier)(t.across);
        const int steps = begin + 8 < t.n - t.half ? 8 : t.n - t.half - begin;
        for (int s = 0; s < steps; s++) {
            real y[N], far[N];
            AN_CAT(AN_FUNCTION, _pivot)(mine, t.own + s, t, x, y, far);
            if (begin + s < t.count)
                for (int r = 0; r < N; r++) {
                    x[r] = t.member < N ? far[r] : y[r];
                    if (t.member <= N)
                        kept_at[(N + 1) * r + t.member] = x[r];
                }
            kept_at += t.kept_step;
        }
        AN_CAT(AN_FUNCTION, _lane_barrier)(t.across);
    }
}

/* Where the chains meet. next: the unknowns of the upper chain's last cell. */
static __device__ __forceinline__ void
AN_CAT(AN_FUNCTION, _lanes_meet)(const struct AN_CAT(AN_FUNCTION, _lane) & t, const real (&x)[N],
                                 real (&next)[N])
{
    real near[N * N], y[N], f[N];
    an_from_lane(x, t.lane | 8, y);
    for (int e = 0; e < N; e++) {
        an_from_lane(x, (t.own | 8) + e, f);
        for (int r = 0; r < N; r++)
            near[N * r + e] = f[r];
    }
    an_from_lane(x, t.lane & ~8, f);
    for (int r = 0; r < N; r++)
        y[r] = t.member < N ? static_cast<real>(r == t.member) : y[r];
    AN_FN(an_line_reduce)(N, near, 1, f, y);
    AN_UNROLL
    for (int p = 0; p < N; p++) {
        an_from_lane(y, t.own + p, f);
        AN_FN(an_line_pivot)(N, p, f, AN_R(1.0) / f[p], y);
    }
    an_from_lane(y, t.own + N, next);
}

/* Outward: a lane has a row, and in the end a cell; the upper chain's last cell is solved. */
static __device__ __forceinline__ void
AN_CAT(AN_FUNCTION,
       _lanes_outward)(const struct an_fields &fields, int64_t cs, const struct AN_FN(an_prm) * prm,
                       const struct AN_CAT(AN_FUNCTION, _lane) & t, int system, real (&next)[N])
{
    const int64_t s1 = 0, s2 = 0; /* SOLUTION: only the cell itself */
    AN_FIELDS(AN_DECLARE)
    (void)s1, (void)s2, (void)prm, (void)system;
    if (t.active && t.upper && t.member == 0) {
        const int64_t at = t.start + t.half * t.along;
        SOLUTION(next);
    }
    const int left = t.count - t.upper;
    const real *kept_at =
        LINE + AN_LINE_KEPT(N) * (t.start + (t.first + (left - 1) * t.step) * t.along);
    for (int end = t.half; end > 0; end -= 8, kept_at -= 8 * t.kept_step) {
        real kept[8][N + 1], solved[N] = {0};
        const int steps = end < 8 ? end : 8;
        AN_UNROLL
        for (int s = 0; s < 8; s++) {
            const int c = left - 1 - (t.half - end) - s;
            if (c >= 0)
                for (int k = 0; k <= N; k++)
                    kept[s][k] = kept_at[(N + 1) * t.column + k - s * t.kept_step];
        }
        AN_UNROLL
        for (int s = 0; s < 8; s++) {
            const int c = left - 1 - (t.half - end) - s;
            if (s >= steps)
                break;
            real own_x[1], all[N];
            own_x[0] = AN_FN(an_line_row)(N, kept[s], 1, next, kept[s][N]);
            for (int r = 0; r < N; r++) {
                real one[1];
                an_from_lane(own_x, t.own + r, one);
                all[r] = one[0];
            }
            for (int r = 0; r < N; r++) {
                if (c >= 0)
                    next[r] = all[r];
                if (t.member == s)
                    solved[r] = all[r];
            }
        }
        const int c = left - 1 - (t.half - end) - t.member;
        const int64_t at = t.start + (t.first + c * t.step) * t.along;
        if (t.member < steps && c >= 0) {
            SOLUTION(solved);
        }
    }
}

template <int SLOW>
static __global__ void __launch_bounds__(AN_LINE_WARPS * 32)
    AN_CAT(line_, AN_FUNCTION)(const __grid_constant__ struct an_cell_args a,
                               const __grid_constant__ struct AN_FN(an_prm) parameters)
{
    struct systems {
        struct line_systems<N> warp[AN_LINE_WARPS];
    };
    AN_SHARED(struct systems, shared);
    struct AN_FN(an_prm) specialised = parameters;
    if (!SLOW)
        specialised.flux.precondition = 0;
    const struct AN_FN(an_prm) *const prm = &specialised;
    const struct AN_CAT(AN_FUNCTION, _lane) t = AN_CAT(AN_FUNCTION, _lane_of)(a);
    for (int system = 0; system < AN_SYSTEMS; system++) {
        real x[N], next[N];
        AN_CAT(AN_FUNCTION, _lanes_inward)(a.fields, a.cs, prm, shared.warp, t, system, x);
        AN_CAT(AN_FUNCTION, _lanes_meet)(t, x, next);
        AN_CAT(AN_FUNCTION, _lanes_outward)(a.fields, a.cs, prm, t, system, next);
    }
}

#endif
#if AN_MARCHES
#include "kernels/cuda/cuda_march.cuh"
#endif

#define MARCH_KERNEL AN_CAT(march_, AN_FUNCTION)<SLOW>
#define GROUP_KERNEL AN_CAT(line_, AN_FUNCTION)<SLOW>
/* launches: kernels that were started are added. */
template <int SLOW>
static int AN_CAT(start_, AN_FUNCTION)(const struct an_cell_args *a, const struct an_line_tiles *t,
                                       const struct an_params *p, struct an_cuda_queue *queue,
                                       int64_t *launches)
{
    struct an_cell_args args = *a;
#if AN_MARCHES
    /* Groups read lines along i as they lie in memory. */
    const int skip = AN_IN_GROUPS ? t->ncolumn_i : 0, columns = t->ncolumn - skip;
    const int marches = columns > 0 && (!AN_IN_GROUPS || columns >= t->enough);
    if (marches) {
        args.tile = t->column + skip;
        *launches += 1;
        AN_TRY(an_launch(AN_STRING(AN_FUNCTION), MARCH_KERNEL, columns, 2 * AN_LINE_COLUMNS, 0,
                         AN_BARRIERS, queue, args, AN_FN(an_prm_from)(p)));
    }
#else
    const int marches = 0;
#endif
#if AN_IN_GROUPS
    const int groups = marches ? t->ngroup_i : t->ngroup;
    args.tile = t->group;
    *launches += groups > 0;
    AN_TRY(an_launch(AN_STRING(AN_FUNCTION), GROUP_KERNEL, groups, AN_LINE_WARPS * 32, 0,
                     AN_BARRIERS, queue, args, AN_FN(an_prm_from)(p)));
#endif
    return AN_OK;
}
#undef MARCH_KERNEL
#undef GROUP_KERNEL

static int AN_CAT(run_, AN_FUNCTION)(const struct an_cell_args *a, const struct an_line_tiles *t,
                                     const struct an_params *p, struct an_cuda_queue *queue,
                                     int64_t *launches)
{
    if (AN_IN_GROUPS && p->flux.precondition)
        return AN_CAT(start_, AN_FUNCTION)<AN_IN_GROUPS>(a, t, p, queue, launches);
    return AN_CAT(start_, AN_FUNCTION)<0>(a, t, p, queue, launches);
}

#undef N
#undef AN_KEPT_WORD
#undef AN_MARCHES
#undef AN_IN_GROUPS
#undef AN_FUNCTION
#include "kernels/stencils/stencil_end.h"
