/* Temporal blocking in three dimensions: S steps of star7 in one pass through memory.
 *
 * A block marches in z with overlapped tiles of 32 V x W RW points, W warps of RW rows; when plane
 * z of the field arrives, level 1 completes its plane z - 1, which level 2 takes at once to
 * complete z - 2, and so on. A level keeps two values a point in registers: c, the plane that came
 * last, and q, all of the sum that is known by then:
 *
 *     out(z - 1) = q + c1 a(z),   q = c0 a(z) + c1 (neighbours of a(z) in x and y + c),   c = a(z)
 *
 * Neighbours in x come by shuffles. In y, rows of other warps come through shared memory; they are
 * missing in q, and are added with a(z + 1), so that one barrier a plane is enough. Planes of the
 * field come by the tensor copy engine, ahead of time. After S steps the outer S points of a tile
 * in x and y are stale and not stored.
 */
#ifndef AN_BENCH_TEMPORAL_CUH
#define AN_BENCH_TEMPORAL_CUH

#include "bench/designs/point.cuh"
#include "bench/designs/tensor_copy.cuh"
#include "bench/designs/vector.cuh"

namespace an_bench
{

/* Shape of a tile; word: bytes. */
template <class T, int S, int RW, int W> struct temporal_shape {
    enum {
        n = vector<T>::n,
        halo = (S + n - 1) / n * n, /* in x */
        wide = 32 * n,
        rows = W * RW,
        out_x = wide - 2 * halo,
        out_y = rows - 2 * S,
        stage = 512 * rows,                   /* bytes */
        exchange = 2 * (S - 1) * W * 2 * 512, /* bytes */
    };
};

struct temporal_layout {
    int nx, ny, tiles, chunk, stages;
};

/* What a block knows of its tile: x, y of this thread's first point, planes that it stores. */
struct temporal_place {
    int x, y, z, end, lane, warp;
    bool edge;      /* the tile touches a face of the grid in x or y */
    unsigned still; /* a bit for each point of this thread on or beyond it */
};

/* One level takes plane a and leaves in a what it completes. below, above: the rows beside the
 * thread's own, of the same plane (FIRST, the field itself) or of the one before. still: a bit for
 * each point that keeps its value. */
template <class T, int RW, bool EDGE, bool FIRST>
static __device__ __forceinline__ void
temporal_level(const coefficients<T, 2> &k, unsigned still, vector<T> (&a)[RW], vector<T> (&q)[RW],
               vector<T> (&c)[RW], const vector<T> &below, const vector<T> &above)
{
    enum { n = vector<T>::n };
#pragma unroll
    for (int r = 0; r < RW; r++) {
        const T left = __shfl_up_sync(0xffffffffu, a[r].v[n - 1], 1);
        const T right = __shfl_down_sync(0xffffffffu, a[r].v[0], 1);
        vector<T> out;
#pragma unroll
        for (int i = 0; i < n; i++) {
            const T u = a[r].v[i];
            T late = u;
            if (!FIRST && r == 0)
                late += below.v[i];
            if (!FIRST && r == RW - 1)
                late += above.v[i];
            out.v[i] = fma(k.c[1], late, q[r].v[i]);
            if (EDGE && (still >> (r * n + i) & 1))
                out.v[i] = c[r].v[i];
            T sum = (i == 0 ? left : a[r].v[i > 0 ? i - 1 : 0]) +
                    (i == n - 1 ? right : a[r].v[i < n - 1 ? i + 1 : 0]);
            if (r > 0)
                sum += c[r > 0 ? r - 1 : 0].v[i];
            else if (FIRST)
                sum += below.v[i];
            if (r < RW - 1)
                sum += a[r < RW - 1 ? r + 1 : 0].v[i];
            else if (FIRST)
                sum += above.v[i];
            sum += c[r].v[i];
            q[r].v[i] = fma(k.c[1], sum, k.c[0] * u);
        }
        c[r] = a[r];
        a[r] = out;
    }
}

/* All levels for plane z of the field, which is in `stage`; stores the last level's plane z - S. */
template <class T, int S, int RW, int W, bool EDGE>
static __device__ __forceinline__ void
temporal_plane(const coefficients<T, 2> &k, const grid<T> &g, const temporal_place &p, int z,
               const T *stage, T *exchange, vector<T> (&q)[S][RW], vector<T> (&c)[S][RW])
{
    typedef temporal_shape<T, S, RW, W> shape;
    enum { n = shape::n, level = W * 2 * shape::wide };
    const T *from = stage + p.warp * RW * shape::wide + p.lane * n;
    const auto still = [&](int plane) { return plane <= 0 || plane >= g.nz - 1 ? ~0u : p.still; };
    vector<T> a[RW];
#pragma unroll
    for (int r = 0; r < RW; r++)
        a[r] = load(from + r * shape::wide);
    const vector<T> below = load(from - (p.warp > 0 ? shape::wide : 0));
    const vector<T> above = load(from + (p.warp < W - 1 ? RW : RW - 1) * shape::wide);
    temporal_level<T, RW, EDGE, true>(k, still(z - 1), a, q[0], c[0], below, above);
    T *const mine = exchange + (z & 1) * (S - 1) * level + p.warp * 2 * shape::wide + p.lane * n;
    const T *const late =
        exchange + (~z & 1) * (S - 1) * level + p.warp * 2 * shape::wide + p.lane * n;
#pragma unroll
    for (int s = 1; s < S; s++) {
        vector<T> late_below = {}, late_above = {};
        if (p.warp > 0)
            late_below = load(late + (s - 1) * level - shape::wide);
        if (p.warp < W - 1)
            late_above = load(late + (s - 1) * level + 2 * shape::wide);
        store(mine + (s - 1) * level, a[0]);
        store(mine + (s - 1) * level + shape::wide, a[RW - 1]);
        temporal_level<T, RW, EDGE, false>(k, still(z - s - 1), a, q[s], c[s], late_below,
                                           late_above);
    }
    const bool column =
        p.lane * n >= shape::halo && p.lane * n < shape::wide - shape::halo && p.x < g.nx;
    if (z - S < p.z || !column)
        return;
    T *const to = g.to + static_cast<ptrdiff_t>(z - S) * g.plane +
                  p.y * static_cast<ptrdiff_t>(g.pitch) + p.x;
#pragma unroll
    for (int r = 0; r < RW; r++) {
        const int row = p.warp * RW + r;
        if (row >= S && row < shape::rows - S && p.y + r < g.ny - 1)
            store(to + r * static_cast<ptrdiff_t>(g.pitch), a[r]);
    }
}

template <class T, int S, int RW, int W>
static __device__ __forceinline__ temporal_place temporal_tile(const temporal_layout &l, int t,
                                                               const grid<T> &g)
{
    typedef temporal_shape<T, S, RW, W> shape;
    const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
    const int x = t % l.nx * shape::out_x - shape::halo;
    const int y = 1 + t / l.nx % l.ny * shape::out_y - S, z = 1 + t / (l.nx * l.ny) * l.chunk;
    const bool edge = x <= 0 || y <= 0 || x + shape::wide >= g.nx || y + shape::rows >= g.ny;
    temporal_place p = {
        x + lane * shape::n, y + warp * RW, z, min(z + l.chunk, g.nz - 1), lane, warp, edge, 0};
    for (int r = 0; r < RW; r++)
        for (int i = 0; i < shape::n; i++)
            if (p.x + i <= 0 || p.x + i >= g.nx - 1 || p.y + r <= 0 || p.y + r >= g.ny - 1)
                p.still |= 1u << (r * shape::n + i);
    return p;
}

/* A tile asks for planes first .. last; asked for: by one thread, into the stage that is free. */
template <class T, int S, int RW, int W>
static __device__ __forceinline__ void temporal_ask(const CUtensorMap *map, const temporal_place &p,
                                                    int z, unsigned char *to,
                                                    unsigned long long *full)
{
    typedef temporal_shape<T, S, RW, W> shape;
    barrier_expect(full, shape::stage);
    tensor_load(to, map, p.x - p.lane * shape::n, p.y - p.warp * RW, z, full);
}

template <class T, int S, int RW, int W>
__global__ void __launch_bounds__(32 * W, 1)
    temporal(const __grid_constant__ CUtensorMap map, grid<T> g, coefficients<T, 2> k,
             temporal_layout l)
{
    typedef temporal_shape<T, S, RW, W> shape;
    if (!tensor_copy_built)
        return;
    extern __shared__ __align__(128) unsigned char ring[];
    T *exchange = reinterpret_cast<T *>(ring + l.stages * shape::stage);
    unsigned long long *full =
        reinterpret_cast<unsigned long long *>(ring + l.stages * shape::stage + shape::exchange);
    if (threadIdx.x == 0) {
        for (int i = 0; i < l.stages; i++)
            barrier_init(&full[i], 1);
        barrier_init_done();
    }
    __syncthreads();
    int at = 0;
    unsigned parity = 0;
    for (int t = static_cast<int>(blockIdx.x); t < l.tiles; t += static_cast<int>(gridDim.x)) {
        const temporal_place p = temporal_tile<T, S, RW, W>(l, t, g);
        const int first = max(p.z - S, 0), last = p.end - 1 + S;
        vector<T> q[S][RW] = {}, c[S][RW] = {};
        if (threadIdx.x == 0)
            for (int i = 0; i < l.stages && first + i <= last; i++)
                temporal_ask<T, S, RW, W>(&map, p, first + i,
                                          ring + (at + i) % l.stages * shape::stage,
                                          &full[(at + i) % l.stages]);
        for (int z = first; z <= last; z++) {
            const T *stage = reinterpret_cast<const T *>(ring + at * shape::stage);
            barrier_wait(&full[at], parity);
            if (p.edge || z <= S || z >= g.nz - 1)
                temporal_plane<T, S, RW, W, true>(k, g, p, z, stage, exchange, q, c);
            else
                temporal_plane<T, S, RW, W, false>(k, g, p, z, stage, exchange, q, c);
            __syncthreads();
            if (threadIdx.x == 0 && z + l.stages <= last)
                temporal_ask<T, S, RW, W>(&map, p, z + l.stages, ring + at * shape::stage,
                                          &full[at]);
            if (++at == l.stages) {
                at = 0;
                parity ^= 1;
            }
        }
    }
}

} // namespace an_bench
#endif
