/* The designs of Krotkiewski and Dabrowski, "Efficient 3D stencil computations using CUDA",
 * Parallel Computing 39 (2013): one tile of an xy plane in shared memory; the plane with its halo
 * comes by two loads a thread, coalesced and without conditionals; the words of the next plane are
 * fetched while this one is computed; what a plane gives to the three outputs of a column is
 * computed at once, so that common subexpressions are and the other planes need not be kept.
 *
 *     words of a plane with halo, as a list        thread t loads words t and t + threads
 *     [ . . . . . . . . . . . . . . ]
 */
#include "bench/designs/plane.cuh"

namespace an_bench
{

enum { kd_x = 64, kd_y = 8, kd_chunk = 64, kd_w = kd_x + 2, kd_words = kd_w * (kd_y + 2) };
static_assert(kd_words <= 2 * kd_x * kd_y, "two loads a thread");

template <class T, class S> __global__ void __launch_bounds__(kd_x *kd_y) one_tile(grid<T> g, S s)
{
    __shared__ T u[2][2 * kd_x * kd_y]; /* the words after kd_words are nobody's */
    const int i = static_cast<int>(threadIdx.x), j = static_cast<int>(threadIdx.y);
    const int x0 = static_cast<int>(blockIdx.x) * kd_x, y0 = static_cast<int>(blockIdx.y) * kd_y;
    const int first = 1 + static_cast<int>(blockIdx.z) * kd_chunk;
    const int end = min(first + kd_chunk, g.nz - 1);
    const int w0 = j * kd_x + i, w1 = w0 + kd_x * kd_y;
    const T *p0 = g.from + (first - 1) * static_cast<ptrdiff_t>(g.plane);
    const T *p1 = p0 + min(y0 + w1 / kd_w, g.ny - 1) * static_cast<ptrdiff_t>(g.pitch) +
                  min(x0 + w1 % kd_w, g.nx - 1);
    p0 += min(y0 + w0 / kd_w, g.ny - 1) * static_cast<ptrdiff_t>(g.pitch) +
          min(x0 + w0 % kd_w, g.nx - 1);
    const int own = (j + 1) * kd_w + i + 1, x = x0 + 1 + i, y = y0 + 1 + j;
    T *to = g.to + (first - 2) * static_cast<ptrdiff_t>(g.plane) +
            y * static_cast<ptrdiff_t>(g.pitch) + x;
    T a = 0, b = 0, v0 = *p0, v1 = *p1;
    for (int z = first - 1; z <= end; z++) {
        T *plane = u[z & 1], around[3][3], low, middle, up;
        plane[w0] = v0;
        plane[w1] = v1;
        p0 += g.plane;
        p1 += g.plane;
        if (z < end) {
            v0 = *p0;
            v1 = *p1;
        }
        __syncthreads();
#pragma unroll
        for (int d = 0; d < 9; d++)
            around[d / 3][d % 3] = plane[own + (d / 3 - 1) * kd_w + d % 3 - 1];
        s.plane(around, low, middle, up);
        if (z > first && x < g.nx - 1 && y < g.ny - 1)
            *to = a + up;
        a = b + middle;
        b = low;
        to += g.plane;
    }
}

template <class T, class S> static int run_one_tile(problem &p, int)
{
    return launch(p, one_tile<T, S>,
                  dim3(over(p.n[0] - 2, kd_x), over(p.n[1] - 2, kd_y), over(p.n[2] - 2, kd_chunk)),
                  dim3(kd_x, kd_y), 0, grid_of<T>(p), S(p));
}

/* Bytes that blocks ask for: of each plane of a tile the rows with halo, each as the 32-byte
 * sectors it touches, the planes of a chunk and two more; and the points stored. What several
 * blocks ask for counts each time, so the model is the traffic without a second-level cache. */
static double footprint(const problem &p)
{
    const double word = p.precision / 8;
    const double blocks = static_cast<double>(over(p.n[0] - 2, kd_x)) * over(p.n[1] - 2, kd_y);
    const double row = kd_x * word + 2 * 32;
    const double planes = p.n[2] - 2 + 2.0 * over(p.n[2] - 2, kd_chunk);
    const double stored = static_cast<double>(p.n[0] - 2) * (p.n[1] - 2) * (p.n[2] - 2);
    return blocks * (kd_y + 2) * row * planes + stored * word;
}

#define KD_AT(type, precision, name, stencil)                                                    \
    {                                                                                            \
        {"one tile, two loads, prefetch", "Krotkiewski, Dabrowski 2013",                         \
         "plane by plane, common subexpressions, next plane fetched ahead", stencil, precision}, \
            1, nullptr, run_one_tile<type, name<type>>, nullptr, 0, footprint                    \
    }
#define KD(name, stencil) KD_AT(float, 32, name, stencil), KD_AT(double, 64, name, stencil)

rows krotkiewski_rows()
{
    static const row table[] = {KD(star7_plane, AN_BENCH_STAR7), KD(box27s_plane, AN_BENCH_BOX27S),
                                KD(box27_plane, AN_BENCH_BOX27)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
