/* CUDA engines: viscous fluxes added to the residual, or to the residual and at once a Runge-Kutta
 * stage, by plane streaming.
 *
 * A thread block owns TX x TY columns of cells and marches in k. Of three planes u, v, w, T and the
 * viscosities lie in shared memory, two cells around the tile included; of the middle one the
 * gradients too, one cell around:
 *
 *     ring       k-1   k   k+1         gradients   k; k-1, of the own cell alone
 *     registers  k+2 on its way from engine memory
 *     L2         areas and steps of k+1, asked for
 *
 * So each gradient is computed once, but for those around the tile, and never stored. Gradients of
 * ghosts come from engine memory (they are exchanged and follow from boundary conditions). A face
 * of i or j is computed by the thread of its upper cell and handed on through shared memory (the
 * last row and column of faces are shared out to the first threads); the flux through k faces stays
 * in registers from plane to plane.
 *
 * Barriers of a plane: the ring stands; gradients stand; fluxes stand. The slot of k+1 was last
 * read, as k-2, before the last barrier of k-1.
 *
 * Sums are ordered as in viscous_residual.stencil and update.stencil.
 *
 * Compulsory traffic: W 5, MUT 1, S 9, DX 9, R 5 in and 4 out = 33 words for each cell; of a stage
 * W 5, MUT 1, S 9, DX 9, R 5, W0 5, DT 1, WN 5 = 40. */

#include "kernels/cuda_plan.h"
#include "kernels/viscous.h"

namespace
{
struct viscous_args {
    const struct an_block *block;
    const struct an_tile *tile;
    const real *w[5], *mut, *s[9], *dx[9], *grad[12], *r[5], *w0[5], *dt;
    real *out[5];
    int stage;
    const real *line[18]; /* S and DX */
};

template <int TX, int TY> struct viscous_shape {
    static constexpr int THREADS = TX * TY, PITCH = TX + 4, PLANE = PITCH * (TY + 4);
    static constexpr int PASSES = (PLANE + THREADS - 1) / THREADS;
    static constexpr int PITCH_G = TX + 2, PLANE_G = PITCH_G * (TY + 2);
    static constexpr int AROUND = 2 * (TX + TY); /* cells with gradients around the tile */
};

enum { VISCOUS_CELL = 6 }; /* u, v, w, T, viscosity, heat */

template <int TX, int TY> struct viscous_shared {
    typedef struct viscous_shape<TX, TY> shape;
    real q[3][VISCOUS_CELL][shape::PLANE];
    real g[12][shape::PLANE_G];
    real before[12][shape::THREADS]; /* gradients of the plane before */
    /* fluxes of momentum and energy through lower faces: [c][row][column] */
    real fi[4][TY][TX + 1];
    real fj[4][TY + 1][TX];
};

template <class Q>
static __device__ __forceinline__ struct AN_FN(an_viscous_cell) viscous_fetch(const Q &q, int c)
{
    struct AN_FN(an_viscous_cell) v = {{q[0][c], q[1][c], q[2][c], q[3][c]}, q[4][c], q[5][c]};
    return v;
}

/* The gradient in an inner cell: c in its plane of the ring, `at` in engine memory. */
template <int PITCH, class Q>
static __device__ __forceinline__ void
viscous_gradient(const struct viscous_args &a, const Q &below, const Q &here, const Q &above, int c,
                 int at, int s1, int s2, real g[12])
{
    real i[3], j[3], k[3], di[4], dj[4], dk[4];
    for (int d = 0; d < 3; d++) {
        i[d] = __ldg(a.dx[d] + at) + __ldg(a.dx[d] + at + 1);
        j[d] = __ldg(a.dx[3 + d] + at) + __ldg(a.dx[3 + d] + at + s1);
        k[d] = __ldg(a.dx[6 + d] + at) + __ldg(a.dx[6 + d] + at + s2);
    }
    for (int v = 0; v < 4; v++) {
        di[v] = here[v][c + 1] - here[v][c - 1];
        dj[v] = here[v][c + PITCH] - here[v][c - PITCH];
        dk[v] = above[v][c] - below[v][c];
    }
    AN_FN(an_cell_gradient)(i, j, k, di, dj, dk, g);
}

/* Flux through the lower face, in a direction, of the cell c of the ring, e of the gradients, `at`
 * in engine memory; its neighbour there is `step` and `step_g` cells away. */
template <class Q, class G>
static __device__ __forceinline__ struct AN_FN(an_five)
    viscous_face(const struct viscous_args &a, const Q &q, int c, int step, const G &grad, int e,
                 int step_g, int dir, int at)
{
    const struct AN_FN(an_viscous_cell) l = viscous_fetch(q, c - step), r = viscous_fetch(q, c);
    real gl[12], gr[12], s[3], d[3];
    for (int m = 0; m < 12; m++) {
        gl[m] = grad[m][e - step_g];
        gr[m] = grad[m][e];
    }
    for (int m = 0; m < 3; m++) {
        s[m] = __ldg(a.s[3 * dir + m] + at);
        d[m] = __ldg(a.dx[3 * dir + m] + at);
    }
    return AN_FN(an_flux_viscous)(&l, &r, gl, gr, s, d);
}

template <class F>
static __device__ __forceinline__ void put_viscous(F &f, int row, int column,
                                                   const struct AN_FN(an_five) & flux)
{
    f[0][row][column] = flux.x;
    f[1][row][column] = flux.y;
    f[2][row][column] = flux.z;
    f[3][row][column] = flux.e;
}

template <int TX, int TY, int MIN_BLOCKS>
static __global__ void __launch_bounds__(TX *TY, MIN_BLOCKS)
    viscous(const __grid_constant__ struct viscous_args a,
            const __grid_constant__ struct AN_FN(an_prm) parameters)
{
    typedef struct AN_FN(an_five) five;
    typedef struct viscous_shape<TX, TY> shape;
    typedef struct viscous_shared<TX, TY> shared_layout;
    constexpr int THREADS = shape::THREADS, PITCH = shape::PITCH, PITCH_G = shape::PITCH_G;
    constexpr int PASSES = shape::PASSES;
    AN_SHARED_DYNAMIC(shared_layout, shared);
    const struct AN_FN(an_prm) *const prm = &parameters;
    const struct an_tile tile = a.tile[blockIdx.x];
    const struct an_block *const block = &a.block[tile.block];
    const int s1 = static_cast<int>(block->stride[1]), s2 = static_cast<int>(block->stride[2]);
    const int n0 = block->n[0], n1 = block->n[1], n2 = block->n[2];
    const int t = static_cast<int>(threadIdx.x), tx = t % TX, ty = t / TX;
    const int ni = tile.hi[0] - tile.lo[0], nj = tile.hi[1] - tile.lo[1];
    const int nk = tile.hi[2] - tile.lo[2];
    const bool inside = tx < ni && ty < nj;

    /* element of cell (0,0) of the tile in the plane k; columns beyond its upper ghosts stand still
     */
    int base =
        static_cast<int>(an_element(block, tile.lo[0], tile.lo[1], tile.lo[2])) - s2; /* k = -1 */
    int bring_at[PASSES];
    for (int m = 0; m < PASSES; m++) {
        const int n = t + m * THREADS, x = n % PITCH - 2, y = n / PITCH - 2;
        bring_at[m] = (x < ni + 1 ? x : ni + 1) + (y < nj + 1 ? y : nj + 1) * s1;
    }
    /* the cell of the own gradient, and one around the tile; -2: none. Corners have none. */
    enum { NONE = -2 };
    int gx[2], gy[2];
    gx[0] = tx <= ni && ty <= nj && (tx < ni || ty < nj) ? tx : NONE;
    gy[0] = ty;
    gx[1] = NONE;
    gy[1] = 0;
    const int last_first = THREADS - 1 - t; /* the first threads bring more */
    if (last_first < shape::AROUND) {
        const int side = last_first - 2 * TX;
        gx[1] = side < 0 ? last_first % TX : side < TY ? -1 : TX;
        gy[1] = side >= 0 ? side % TY : last_first < TX ? -1 : TY;
        if (gx[1] > ni || gy[1] > nj || (gx[1] == ni && gy[1] < 0) || (gy[1] == nj && gx[1] < 0) ||
            (gx[1] == ni && gy[1] == nj))
            gx[1] = NONE;
    }

    /* the row of this warp in the component of S and DX that this lane asks for, a plane ahead */
    enum { LINE = 128 / sizeof(real) };
    const real *const ask = TX == 32 && ty < nj && tx < 18 ? a.line[tx] + ty * s1 : nullptr;

    /* W and MUT of a plane on their way */
    real way[PASSES][6];
#define AN_BRING(plane)                                       \
    for (int m = 0; m < PASSES; m++)                          \
        if (t + m * THREADS < shape::PLANE) {                 \
            const int from = base + bring_at[m] + (plane)*s2; \
            for (int f = 0; f < 5; f++)                       \
                way[m][f] = __ldg(a.w[f] + from);             \
            way[m][5] = __ldg(a.mut + from);                  \
        }
#define AN_ARRIVE(slot)                                                                 \
    for (int m = 0; m < PASSES; m++)                                                    \
        if (t + m * THREADS < shape::PLANE) {                                           \
            const struct AN_FN(an_viscous_cell) v = AN_FN(an_viscous_cell_from)(        \
                way[m][0], way[m][1], way[m][2], way[m][3], way[m][4], way[m][5], prm); \
            for (int f = 0; f < 4; f++)                                                 \
                shared.q[slot][f][t + m * THREADS] = v.q[f];                            \
            shared.q[slot][4][t + m * THREADS] = v.mu;                                  \
            shared.q[slot][5][t + m * THREADS] = v.heat;                                \
        }

    int behind = 0, here = 1, ahead = 2; /* slots of planes k-1, k, k+1 */
    AN_BRING(-1)
    AN_ARRIVE(behind)
    AN_BRING(0)
    AN_ARRIVE(here)
    AN_BRING(1)
    const int c = (ty + 2) * PITCH + tx + 2, e = (ty + 1) * PITCH_G + tx + 1;
    real sum[4], below[4];
    for (int m = 0; m < 4; m++)
        sum[m] = below[m] = AN_R(0.0);
    for (int k = -1; k <= nk; k++, base += s2) {
        AN_ARRIVE(ahead)
        __syncthreads();
        if (ask && k < nk)
            for (int part = 0; part < TX; part += LINE)
                an_fetch_line(ask + base + s2 + part);
        if (k < nk && (k + 1 < nk || tile.hi[2] < n2))
            AN_BRING(2)
        const int level = tile.lo[2] + k, at = base + tx + ty * s1;
        const bool middle = k >= 0 && k < nk;
        real mine[12] = {0};
        for (int n = 0; n < 2; n++) {
            if (gx[n] == NONE || (n == 0 ? !middle && !inside : !middle))
                continue;
            const int i = tile.lo[0] + gx[n], j = tile.lo[1] + gy[n];
            const int from = base + gx[n] + gy[n] * s1;
            real g[12];
            if (i >= 0 && i < n0 && j >= 0 && j < n1 && level >= 0 && level < n2)
                viscous_gradient<PITCH>(a, shared.q[behind], shared.q[here], shared.q[ahead],
                                        (gy[n] + 2) * PITCH + gx[n] + 2, from, s1, s2, g);
            else
                for (int m = 0; m < 12; m++)
                    g[m] = __ldg(a.grad[m] + from);
            if (middle)
                for (int m = 0; m < 12; m++)
                    shared.g[m][(gy[n] + 1) * PITCH_G + gx[n] + 1] = g[m];
            if (n == 0)
                for (int m = 0; m < 12; m++)
                    mine[m] = g[m];
        }
        if (inside && k >= 0) {
            const struct AN_FN(an_viscous_cell) l = viscous_fetch(shared.q[behind], c),
                                                r = viscous_fetch(shared.q[here], c);
            real s[3], d[3];
            for (int m = 0; m < 3; m++) {
                s[m] = __ldg(a.s[6 + m] + at);
                d[m] = __ldg(a.dx[6 + m] + at);
            }
            real before[12];
            for (int m = 0; m < 12; m++)
                before[m] = shared.before[m][t];
            const five f = AN_FN(an_flux_viscous)(&l, &r, before, mine, s, d);
            const real above[4] = {f.x, f.y, f.z, f.e};
            if (k >= 1) {
                const int to = at - s2;
                const real step = a.stage ? prm->alpha * __ldg(a.dt + to) : AN_R(0.0);
                if (a.stage)
                    a.out[0][to] = AN_FMA(-step, __ldg(a.r[0] + to), a.w0[0][to]);
                for (int m = 0; m < 4; m++) {
                    const real r_new = a.r[m + 1][to] + (sum[m] + (above[m] - below[m]));
                    a.out[m + 1][to] = a.stage ? AN_FMA(-step, r_new, a.w0[m + 1][to]) : r_new;
                }
            }
            for (int m = 0; m < 4; m++)
                below[m] = above[m];
        }
        if (inside)
            for (int m = 0; m < 12; m++)
                shared.before[m][t] = mine[m];
        __syncthreads();
        if (middle) {
            if (tx <= ni && ty < nj)
                put_viscous(shared.fi, ty, tx,
                            viscous_face(a, shared.q[here], c, 1, shared.g, e, 1, 0, at));
            if (tx < ni && ty <= nj)
                put_viscous(shared.fj, ty, tx,
                            viscous_face(a, shared.q[here], c, PITCH, shared.g, e, PITCH_G, 1, at));
            if (t < TX + TY) { /* the faces above the last row and the last column */
                const bool above_row = t < TX;
                const int column = above_row ? t : TX, row = above_row ? TY : t - TX;
                if (above_row ? column < ni && TY <= nj : TX <= ni && row < nj) {
                    const five f = viscous_face(
                        a, shared.q[here], (row + 2) * PITCH + column + 2, above_row ? PITCH : 1,
                        shared.g, (row + 1) * PITCH_G + column + 1, above_row ? PITCH_G : 1,
                        above_row ? 1 : 0, base + column + row * s1);
                    if (above_row)
                        put_viscous(shared.fj, row, column, f);
                    else
                        put_viscous(shared.fi, row, column, f);
                }
            }
            __syncthreads();
            if (inside)
                for (int m = 0; m < 4; m++)
                    sum[m] = (AN_R(0.0) + (shared.fi[m][ty][tx + 1] - shared.fi[m][ty][tx])) +
                             (shared.fj[m][ty + 1][tx] - shared.fj[m][ty][tx]);
        }
        const int last = behind;
        behind = here;
        here = ahead;
        ahead = last;
    }
#undef AN_BRING
#undef AN_ARRIVE
}

/* tile; blocks per multiprocessor in single and double */
#define AN_VISCOUS_VARIANTS(V) \
    V(0, 32, 4, 5, 3)          \
    V(1, 32, 8, 3, 1)          \
    V(2, 8, 16, 4, 2)

#if AN_PRECISION == 32
#define AN_RESIDENT(single, twice) single
#else
#define AN_RESIDENT(single, twice) twice
#endif
#define AN_VISCOUS(tx, ty, single, twice) viscous<tx, ty, AN_RESIDENT(single, twice)>

static const struct an_fused_variant viscous_variants[] = {
#define AN_V(n, tx, ty, single, twice) {tx, ty, 1, 1, AN_RESIDENT(single, twice)},
    AN_VISCOUS_VARIANTS(AN_V)
#undef AN_V
};

static int prepare_viscous(int *resident)
{
#define AN_V(n, tx, ty, single, twice)                                \
    AN_TRY(an_prepare(AN_VISCOUS(tx, ty, single, twice), (tx) * (ty), \
                      sizeof(struct viscous_shared<tx, ty>), &resident[n]));
    AN_VISCOUS_VARIANTS(AN_V)
#undef AN_V
    return AN_OK;
}

static int run_viscous(int variant, int stage, const struct an_cell_args *cell, int ntile,
                       const struct an_params *p, void *stream)
{
    struct viscous_args a;
#define AN_AT(field, n) (static_cast<real *>(cell->fields.at[AN_F_##field]) + (n)*cell->cs)
    a.block = cell->block;
    a.tile = cell->tile;
    a.stage = stage;
    for (int m = 0; m < 5; m++) {
        a.w[m] = AN_AT(W, m);
        a.r[m] = AN_AT(R, m);
        a.w0[m] = stage ? AN_AT(W0, m) : nullptr;
        a.out[m] = stage ? AN_AT(WN, m) : AN_AT(R, m);
    }
    for (int m = 0; m < 9; m++) {
        a.line[m] = a.s[m] = AN_AT(S, m);
        a.line[9 + m] = a.dx[m] = AN_AT(DX, m);
    }
    for (int m = 0; m < 12; m++)
        a.grad[m] = AN_AT(GRAD, m);
    a.mut = AN_AT(MUT, 0);
    a.dt = stage ? AN_AT(DT, 0) : nullptr;
#undef AN_AT
    const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);
    switch (variant) {
#define AN_V(n, tx, ty, single, twice)                                                     \
    case n:                                                                                \
        return an_launch("viscous", AN_VISCOUS(tx, ty, single, twice), ntile, (tx) * (ty), \
                         sizeof(struct viscous_shared<tx, ty>), 1, stream, a, prm);
        AN_VISCOUS_VARIANTS(AN_V)
#undef AN_V
    }
    return an_error_set(AN_FAIL, "viscous kernel: there is no variant %d", variant);
}
} // namespace

const struct an_viscous_kernels AN_VISCOUS_TABLE = {
    sizeof viscous_variants / sizeof *viscous_variants,
    viscous_variants,
    prepare_viscous,
    run_viscous,
};
