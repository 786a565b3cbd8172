/* CUDA engines: one line stencil (AN_STENCIL), one thread for each chain (tridiagonal.h); a part of
 * cuda_line.cuh, whose declarations it uses.
 *
 * A thread block has two warps and AN_LINE_COLUMNS lines that lie beside each other: its first warp
 * has their lower chains, its second one their upper chains. A thread puts a cell together,
 * eliminates it, and goes on to the next one inward; where the chains meet each learns from shared
 * memory what the other kept of its last cell. A face between two cells of a chain is computed once, where
 * the stencil says what to carry (CARRIED). Such a stencil's words of the cell after the next are prefetched
 * to shared memory while a cell is computed: its numbers are too many for registers to wait for memory, and
 * without that half of the time goes by waiting. Each number is computed by the same operations in the same
 * order as in the kernel of groups of lanes: the same bits. */
enum {
    /* cells whose words are read together, before they are used */
    AN_CAT(AN_FUNCTION, _ahead) = N == 1 ? 4 : 1,
    AN_CAT(AN_FUNCTION, _back) = N == 1 ? 8 : 2
};

/* The system of a cell of a chain: near and far block, columns of the diagonal one and the right-hand
 * side. carried: what goes with the march from cell to cell. */
#ifdef CARRIED
struct AN_CAT(AN_FUNCTION, _carried) {
    struct CARRIED face;
};

/* The words of a cell in shared memory, in this order, each beside those of the block's other threads. W0 is
 * not among them: it is read on the way back. */
#define STAGED_COUNT(field) (AN_CAT(AN_F_, field) == AN_F_W0 ? 0 : AN_CAT(AN_NCOMP_, field))
#define STAGED_IN(field)    real field[STAGED_COUNT(field) > 0 ? STAGED_COUNT(field) : 1];
#define STAGED_NEAR(field)  STAGED_IN(field)
#define STAGED_OUT(field)
#define STAGED_INOUT(field)
#define STAGED_ROLE(role, field) STAGED_##role(field)
struct AN_CAT(AN_FUNCTION, _words) {
    AN_FIELDS(STAGED_ROLE)
};
#define STAGED(row, field, c)                                                                     \
    (row)[(static_cast<int>(offsetof(struct AN_CAT(AN_FUNCTION, _words), field) / sizeof(real)) + \
           (c)) *                                                                                 \
          (2 * AN_LINE_COLUMNS)]

/* Prefetches the words of the cell at element `at`. */
static __device__ __forceinline__ void
AN_CAT(AN_FUNCTION, _prefetch)(const struct an_fields &fields, int64_t cs, int64_t at, real *row)
{
    AN_FIELDS(AN_DECLARE)
#define PREFETCH_IN(field)                        \
    AN_UNROLL                                     \
    for (int w = 0; w < STAGED_COUNT(field); w++) \
        an_copy_async(&STAGED(row, field, w), field + w * cs + at);
#define PREFETCH_NEAR(field) PREFETCH_IN(field)
#define PREFETCH_OUT(field)
#define PREFETCH_INOUT(field)
#define PREFETCH(role, field) PREFETCH_##role(field)
    AN_FIELDS(PREFETCH)
#undef PREFETCH
#undef PREFETCH_IN
#undef PREFETCH_NEAR
#undef PREFETCH_OUT
#undef PREFETCH_INOUT
}
#undef AT
#undef ALONG
#define AT(field, c, di, dj, dk) STAGED(own, field, c) /* no neighbours */
#define ALONG(field, c, m)                             \
    ((m) == 0               ? STAGED(own, field, c)    \
     : (m) == (up ? -1 : 1) ? STAGED(inward, field, c) \
                            : field[(c)*cs + at + (m)*along])
#define NEAR(r, c, value) near[N * (r) + (c)] = (value)
#define FAR(r, c, value)  far[c][r] = (value)
#undef LOWER
#undef UPPER
#undef DIAGONAL
#undef RIGHT
#define DIAGONAL(r, c, value) y[c][r] = (value)
#define RIGHT(r, value)       y[N][r] = (value)
#define IL_MARCH              1
#else
struct AN_CAT(AN_FUNCTION, _carried) {
    int unused;
};
#endif
static __device__ __forceinline__ void
AN_CAT(AN_FUNCTION,
       _chain)(const struct an_fields &fields, int64_t cs, int64_t at, const struct an_block *block,
               int dir, int m, const struct AN_FN(an_prm) * prm, int system, int up, int starts,
               struct AN_CAT(AN_FUNCTION, _carried) & with, const real *own, const real *inward,
               real (&near)[N * N], real (&y)[N + 1][N], real (&far)[N][N])
{
    (void)own, (void)inward;
#ifdef CARRIED
    struct CARRIED *const carried = &with.face;
    AN_FIELDS(AN_DECLARE)
    const int64_t s1 = block->stride[1], s2 = block->stride[2];
    const int64_t along = dir == 0 ? 1 : dir == 1 ? s1 : s2;
    const int64_t across1 = dir == 2 ? 1 : dir == 0 ? s1 : s2;
    const int64_t across2 = dir == 1 ? 1 : dir == 2 ? s1 : s2;
    (void)prm, (void)along, (void)across1, (void)across2, (void)system, (void)s1, (void)s2;
#define AN_BODY
#include AN_STENCIL
#undef AN_BODY
#else
    real lower[N * N], upper[N * N], diagonal[N * N];
    AN_CAT(AN_FUNCTION, _system)
    (fields, cs, at, block, dir, m, prm, system, lower, upper, diagonal, y[N]);
    (void)starts, (void)with;
    AN_UNROLL
    for (int r = 0; r < N; r++)
        AN_UNROLL
    for (int e = 0; e < N; e++) {
        near[N * r + e] = up ? upper[N * r + e] : lower[N * r + e];
        far[e][r] = up ? lower[N * r + e] : upper[N * r + e];
        y[e][r] = diagonal[N * r + e];
    }
#endif
}
#undef IL_MARCH
#undef NEAR
#undef FAR
#ifdef CARRIED
#undef AT
#undef ALONG
#define AT(field, c, di, dj, dk) field[(c)*cs + at + (di) + (dj)*s1 + (dk)*s2]
#define ALONG(field, c, m)       field[(c)*cs + at + (m)*along]
#endif

/* One step of elimination: x, what was kept of the cell before, becomes what is kept of this. */
static __device__ __forceinline__ void AN_CAT(AN_FUNCTION,
                                              _step)(const real *near, real (&y)[N + 1][N],
                                                     real (&far)[N][N], real (&x)[N + 1][N])
{
    AN_UNROLL
    for (int c = 0; c <= N; c++)
        AN_FN(an_line_reduce)(N, near, 1, x[c], y[c]);
    AN_UNROLL
    for (int p = 0; p < N; p++) {
        const real *const f = y[p], inverse = AN_R(1.0) / f[p];
        AN_UNROLL
        for (int c = 0; c < N; c++) {
            if (c > p)
                AN_FN(an_line_pivot)(N, p, f, inverse, y[c]);
            AN_FN(an_line_pivot)(N, p, f, inverse, far[c]);
        }
        AN_FN(an_line_pivot)(N, p, f, inverse, y[N]);
    }
    AN_UNROLL
    for (int r = 0; r < N; r++) {
        AN_UNROLL
        for (int c = 0; c < N; c++)
            x[c][r] = far[c][r];
        x[N][r] = y[N][r];
    }
}

/* A chain, and where its thread stands. */
struct AN_CAT(AN_FUNCTION, _thread) {
    const struct an_block *block;
    int dir, n;           /* of the line; its cells */
    int lane, upper;      /* place among the block's lines; the upper chain? */
    int active, count;    /* is there a line? cells of the chain, from its end inward */
    int64_t along, start; /* elements from a cell to the next one inward; of the first cell */
    __device__ __forceinline__ int64_t element(int cell) const
    {
        return start + cell * along;
    }
};

static __device__ __forceinline__ struct AN_CAT(AN_FUNCTION, _thread)
    AN_CAT(AN_FUNCTION, _thread_of)(const struct an_cell_args &a)
{
    const struct an_tile tile = a.tile[blockIdx.x];
    struct AN_CAT(AN_FUNCTION, _thread) t;
    t.block = &a.block[tile.block];
    t.dir = tile.dir;
    t.n = t.block->n[t.dir];
    const int fast_dir = t.dir == 0 ? 1 : 0, slow_dir = t.dir == 2 ? 1 : 2;
    t.lane = static_cast<int>(threadIdx.x) % AN_LINE_COLUMNS;
    t.upper = static_cast<int>(threadIdx.x) / AN_LINE_COLUMNS;
    /* segments behind each other, a power of two, have lanes beside each other */
    const int behind = (tile.hi[t.dir] - tile.lo[t.dir]) / t.n, segment = t.lane & (behind - 1);
    const int line = t.lane / behind;
    const int fast = tile.lo[fast_dir] + (line & ((1 << tile.shift) - 1));
    const int slow = tile.lo[slow_dir] + (line >> tile.shift);
    t.active = fast < tile.hi[fast_dir] && slow < tile.hi[slow_dir];
    t.count = !t.active ? 0 : t.upper ? t.n - t.n / 2 : t.n / 2;
    t.along = t.upper ? -t.block->stride[t.dir] : t.block->stride[t.dir];
    t.start = t.block->origin + fast * t.block->stride[fast_dir] +
              slow * t.block->stride[slow_dir] +
              (segment * t.n + (t.upper ? t.n - 1 : 0)) * t.block->stride[t.dir];
    return t;
}

/* Inward: x becomes what is kept of the chain's last cell. */
static __device__ __forceinline__ void
AN_CAT(AN_FUNCTION,
       _inward)(const struct an_fields &fields, int64_t cs, const struct AN_FN(an_prm) * prm,
                const struct AN_CAT(AN_FUNCTION, _thread) & t, int system, real (&x)[N + 1][N])
{
    enum { AHEAD = AN_CAT(AN_FUNCTION, _ahead) };
    AN_FIELDS(AN_DECLARE)
#ifdef CARRIED
    enum { ROWS = 3 };
    struct rows {
        real word[ROWS][sizeof(struct AN_CAT(AN_FUNCTION, _words)) / sizeof(real)]
                 [2 * AN_LINE_COLUMNS];
    };
    AN_SHARED(struct rows, staged);
#endif
    for (int c = 0; c <= N; c++)
        for (int r = 0; r < N; r++)
            x[c][r] = 0;
    struct AN_CAT(AN_FUNCTION, _carried) carried = {};
    for (int begin = 0; begin < t.count; begin += AHEAD) {
        real near[AHEAD][N * N], y[AHEAD][N + 1][N], far[AHEAD][N][N];
        AN_UNROLL
        for (int s = 0; s < AHEAD; s++) {
            const int c = begin + s;
            if (c >= t.count)
                break;
            const real *own = nullptr, *inward = nullptr;
#ifdef CARRIED
            /* rows of this cell, the next one inward, and the one after it, which is prefetched */
            for (int r = c ? c + 2 : 0; r <= c + 2; r++) {
                real *const row = &staged.word[r % ROWS][0][threadIdx.x];
                if (r <= t.count)
                    AN_CAT(AN_FUNCTION, _prefetch)(fields, cs, t.element(r), row);
                an_copy_commit();
            }
            an_copy_wait();
            own = &staged.word[c % ROWS][0][threadIdx.x];
            inward = &staged.word[(c + 1) % ROWS][0][threadIdx.x];
#endif
            AN_CAT(AN_FUNCTION, _chain)
            (fields, cs, t.element(c), t.block, t.dir, t.upper ? t.n - 1 - c : c, prm, system,
             t.upper, c == 0, carried, own, inward, near[s], y[s], far[s]);
        }
        AN_UNROLL
        for (int s = 0; s < AHEAD; s++) {
            const int64_t at = t.element(begin + s);
            if (begin + s >= t.count)
                break;
            AN_CAT(AN_FUNCTION, _step)(near[s], y[s], far[s], x);
            AN_UNROLL
            for (int r = 0; r < N; r++)
                AN_UNROLL
            for (int c = 0; c <= N; c++)
                LINE[AN_KEPT_WORD((N + 1) * r + c) * cs + at] = x[c][r];
        }
    }
}

/* What is kept of the last cells of both chains, [upper][word][lane]. */
struct AN_CAT(AN_FUNCTION, _meeting) {
    real kept[2][N * (N + 1)][AN_LINE_COLUMNS];
};

/* Where the chains meet: x, of the own chain's last cell, becomes that of the upper one; next: its unknowns. */
static __device__ __forceinline__ void
AN_CAT(AN_FUNCTION, _meet)(struct AN_CAT(AN_FUNCTION, _meeting) & shared,
                           const struct AN_CAT(AN_FUNCTION, _thread) & t, int system,
                           real (&x)[N + 1][N], real (&next)[N])
{
    if (system > 0)
        __syncthreads(); /* the words of the system before were read */
    for (int c = 0; c <= N; c++)
        for (int r = 0; r < N; r++)
            shared.kept[t.upper][(N + 1) * r + c][t.lane] = x[c][r];
    __syncthreads();
    real near[N * N], y[N + 1][N], far[N][N];
    AN_UNROLL
    for (int r = 0; r < N; r++) {
        AN_UNROLL
        for (int c = 0; c < N; c++) {
            near[N * r + c] = shared.kept[1][(N + 1) * r + c][t.lane];
            x[c][r] = shared.kept[0][(N + 1) * r + c][t.lane];
            y[c][r] = r == c ? AN_R(1.0) : AN_R(0.0);
            far[c][r] = 0;
        }
        y[N][r] = shared.kept[1][(N + 1) * r + N][t.lane];
        x[N][r] = shared.kept[0][(N + 1) * r + N][t.lane];
    }
    AN_CAT(AN_FUNCTION, _step)(near, y, far, x);
    for (int r = 0; r < N; r++)
        next[r] = x[N][r];
}

/* Outward: the unknowns of all cells; next: those of the upper chain's last cell. */
static __device__ __forceinline__ void
AN_CAT(AN_FUNCTION,
       _outward)(const struct an_fields &fields, int64_t cs, const struct AN_FN(an_prm) * prm,
                 const struct AN_CAT(AN_FUNCTION, _thread) & t, int system, real (&next)[N])
{
    enum { BACK = AN_CAT(AN_FUNCTION, _back) };
    const int64_t s1 = 0, s2 = 0; /* SOLUTION: only the cell itself */
    AN_FIELDS(AN_DECLARE)
    (void)s1, (void)s2, (void)prm, (void)system;
    if (t.active && t.upper) {
        const int64_t at = t.element(t.count - 1);
        SOLUTION(next);
    }
    /* the upper chain's last cell is solved */
    for (int end = t.count - t.upper; end > 0; end -= BACK) {
        real kept[BACK][N * (N + 1)];
        AN_UNROLL
        for (int s = 0; s < BACK; s++) {
            const int64_t at = t.element(end - 1 - s);
            if (end - 1 - s < 0)
                break;
            AN_UNROLL
            for (int w = 0; w < N * (N + 1); w++)
                kept[s][w] = LINE[AN_KEPT_WORD(w) * cs + at];
        }
        AN_UNROLL
        for (int s = 0; s < BACK; s++) {
            const int64_t at = t.element(end - 1 - s);
            if (end - 1 - s < 0)
                break;
            real own[N];
            AN_UNROLL
            for (int r = 0; r < N; r++)
                own[r] =
                    AN_FN(an_line_row)(N, &kept[s][(N + 1) * r], 1, next, kept[s][(N + 1) * r + N]);
            AN_UNROLL
            for (int r = 0; r < N; r++)
                next[r] = own[r];
            SOLUTION(own);
        }
    }
}

template <int SLOW>
static __global__ void __launch_bounds__(2 * AN_LINE_COLUMNS)
    AN_CAT(march_, AN_FUNCTION)(const __grid_constant__ struct an_cell_args a,
                                const __grid_constant__ struct AN_FN(an_prm) parameters)
{
    AN_SHARED(struct AN_CAT(AN_FUNCTION, _meeting), shared);
    struct AN_FN(an_prm) specialised = parameters;
    if (!SLOW)
        specialised.flux.precondition = 0;
    const struct AN_FN(an_prm) *const prm = &specialised;
    const struct AN_CAT(AN_FUNCTION, _thread) t = AN_CAT(AN_FUNCTION, _thread_of)(a);
    for (int system = 0; system < AN_SYSTEMS; system++) {
        real x[N + 1][N], next[N];
        AN_CAT(AN_FUNCTION, _inward)(a.fields, a.cs, prm, t, system, x);
        AN_CAT(AN_FUNCTION, _meet)(shared, t, system, x, next);
        AN_CAT(AN_FUNCTION, _outward)(a.fields, a.cs, prm, t, system, next);
    }
}
#ifdef CARRIED
#undef STAGED_COUNT
#undef STAGED_IN
#undef STAGED_NEAR
#undef STAGED_OUT
#undef STAGED_INOUT
#undef STAGED_ROLE
#undef STAGED
#endif
