/* The 7-point stencil in sub-blocks that march in z, three planes of shared memory in a circle.
 *
 * - load-only threads: a thread a point of the sub-block with its halo, those of the halo only load
 *   (Datta et al. 2008; Brandvik and Pullan 2008);
 * - two loads: a thread a point of the sub-block; the plane with its halo is loaded as a list of
 *   words, two a thread, and no thread only loads;
 * - split: the sub-block without halo in shared memory, what lies beyond its edges through the
 *   read-only cache, the column in registers.
 */
#include "bench/designs/point.cuh"

namespace an_bench
{

enum { sub_chunk = 64 };

struct sub_place {
    int i, j, x, y, first, end;
};

/* NX, NY: points that a block computes. */
template <int NX, int NY, class T>
static __device__ __forceinline__ sub_place place(const grid<T> &g)
{
    sub_place p;
    p.i = static_cast<int>(threadIdx.x);
    p.j = static_cast<int>(threadIdx.y);
    p.x = 1 + static_cast<int>(blockIdx.x) * NX + p.i;
    p.y = 1 + static_cast<int>(blockIdx.y) * NY + p.j;
    p.first = 1 + static_cast<int>(blockIdx.z) * sub_chunk;
    p.end = min(p.first + sub_chunk, g.nz - 1);
    return p;
}

template <class T, int NX, int NY>
__global__ void __launch_bounds__((NX + 2) * (NY + 2)) load_only(grid<T> g, star7<T> s)
{
    __shared__ T u[3][NY + 2][NX + 2];
    const sub_place p = place<NX, NY>(g); /* x and y of the point up and right of this thread's */
    const int x = p.x - 1, y = p.y - 1;
    const T *from = g.from + (p.first - 1) * static_cast<ptrdiff_t>(g.plane) +
                    min(y, g.ny - 1) * static_cast<ptrdiff_t>(g.pitch) + min(x, g.nx - 1);
    const bool inner = p.i > 0 && p.i <= NX && p.j > 0 && p.j <= NY;
    T *to =
        g.to + static_cast<ptrdiff_t>(p.first) * g.plane + y * static_cast<ptrdiff_t>(g.pitch) + x;
    u[0][p.j][p.i] = from[0];
    u[1][p.j][p.i] = from[g.plane];
    int below = 0;
    for (int z = p.first; z < p.end; z++) {
        const int middle = below == 2 ? 0 : below + 1, above = middle == 2 ? 0 : middle + 1;
        from += g.plane;
        u[above][p.j][p.i] = from[g.plane];
        __syncthreads();
        if (inner && x < g.nx - 1 && y < g.ny - 1)
            *to = s([&](int a, int b, int c) {
                return u[c < 0 ? below : c > 0 ? above : middle][p.j + b][p.i + a];
            });
        to += g.plane;
        below = middle;
        __syncthreads();
    }
}

/* The words of a plane with halo that this thread loads: two, the last ones for nothing. */
template <class T, int NX, int NY>
__global__ void __launch_bounds__(NX *NY) two_loads(grid<T> g, star7<T> s)
{
    enum { W = NX + 2 };
    __shared__ T u[3][2 * NX * NY];
    static_assert((NX + 2) * (NY + 2) <= 2 * NX * NY, "");
    const sub_place p = place<NX, NY>(g);
    const int x = p.x - 1 - p.i, y = p.y - 1 - p.j, w0 = p.j * NX + p.i, w1 = w0 + NX * NY;
    const T *from = g.from + (p.first - 1) * static_cast<ptrdiff_t>(g.plane);
    const ptrdiff_t at0 =
        min(y + w0 / W, g.ny - 1) * static_cast<ptrdiff_t>(g.pitch) + min(x + w0 % W, g.nx - 1);
    const ptrdiff_t at1 =
        min(y + w1 / W, g.ny - 1) * static_cast<ptrdiff_t>(g.pitch) + min(x + w1 % W, g.nx - 1);
    const int own = (p.j + 1) * W + p.i + 1;
    T *to = g.to + static_cast<ptrdiff_t>(p.first) * g.plane +
            p.y * static_cast<ptrdiff_t>(g.pitch) + p.x;
    for (int k = 0; k < 2; k++, from += g.plane) {
        u[k][w0] = from[at0];
        u[k][w1] = from[at1];
    }
    int below = 0;
    for (int z = p.first; z < p.end; z++) {
        const int middle = below == 2 ? 0 : below + 1, above = middle == 2 ? 0 : middle + 1;
        u[above][w0] = from[at0];
        u[above][w1] = from[at1];
        __syncthreads();
        if (p.x < g.nx - 1 && p.y < g.ny - 1)
            *to = s([&](int a, int b, int c) {
                return u[c < 0 ? below : c > 0 ? above : middle][own + b * W + a];
            });
        from += g.plane;
        to += g.plane;
        below = middle;
        __syncthreads();
    }
}

template <class T, int NX, int NY>
__global__ void __launch_bounds__(NX *NY) split(grid<T> g, star7<T> s)
{
    __shared__ T u[2][NY][NX];
    const sub_place p = place<NX, NY>(g);
    const ptrdiff_t row = g.pitch;
    const T *from = g.from + static_cast<ptrdiff_t>(p.first) * g.plane + min(p.y, g.ny - 1) * row +
                    min(p.x, g.nx - 1);
    T *to = g.to + (from - g.from);
    const bool mine = p.x < g.nx - 1 && p.y < g.ny - 1;
    T below = __ldg(from - g.plane), middle = __ldg(from);
    for (int z = p.first; z < p.end; z++) {
        T(&plane)[NY][NX] = u[z & 1];
        const T above = __ldg(from + g.plane);
        plane[p.j][p.i] = middle;
        __syncthreads();
        if (mine)
            *to = s([&](int a, int b, int c) {
                if (c)
                    return c < 0 ? below : above;
                const int i = p.i + a, j = p.j + b;
                const bool near = i >= 0 && i < NX && j >= 0 && j < NY;
                return near ? plane[near ? j : 0][near ? i : 0] : __ldg(from + b * row + a);
            });
        from += g.plane;
        to += g.plane;
        below = middle;
        middle = above;
    }
}

template <class T> static dim3 sub_blocks(const problem &p, int nx, int ny)
{
    return dim3(over(p.n[0] - 2, nx), over(p.n[1] - 2, ny), over(p.n[2] - 2, sub_chunk));
}

template <class T> static int run_load_only(problem &p, int)
{
    return launch(p, load_only<T, 62, 6>, sub_blocks<T>(p, 62, 6), dim3(64, 8), 0, grid_of<T>(p),
                  star7<T>(p));
}

template <class T> static int run_two_loads(problem &p, int)
{
    return launch(p, two_loads<T, 64, 8>, sub_blocks<T>(p, 64, 8), dim3(64, 8), 0, grid_of<T>(p),
                  star7<T>(p));
}

template <class T> static int run_split(problem &p, int)
{
    return launch(p, split<T, 64, 8>, sub_blocks<T>(p, 64, 8), dim3(64, 8), 0, grid_of<T>(p),
                  star7<T>(p));
}

#define SUB(name, source, note, run)                                                           \
    {{name, source, note, AN_BENCH_STAR7, 32}, 1, nullptr, run<float>, nullptr, 0, nullptr},   \
    {                                                                                          \
        {name, source, note, AN_BENCH_STAR7, 64}, 1, nullptr, run<double>, nullptr, 0, nullptr \
    }

rows subblock_rows()
{
    static const row table[] = {
        SUB("sub-block, load-only threads", "Datta 2008; Brandvik, Pullan 2008",
            "three planes in a circle, threads of the halo only load", run_load_only),
        SUB("sub-block, two loads", "Datta 2008; Brandvik, Pullan 2008",
            "three planes in a circle, each thread loads two words", run_two_loads),
        SUB("shared and read-only cache", "Datta 2008; Brandvik, Pullan 2008",
            "plane without halo in shared memory, edges through the read-only cache", run_split)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
