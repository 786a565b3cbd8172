/* Stencils of high order, a star of radius 4: one plane in shared memory, the column of nine points
 * in registers (Micikevicius 2009; Brandvik and Pullan 2008 for radius 1). */
#include "bench/designs/point.cuh"

namespace an_bench
{

enum { star_x = 32, star_y = 16, star_chunk = 64, star_r = 4 };

template <class T>
__global__ void __launch_bounds__(star_x *star_y) star_column(grid<T> g, star25<T> s)
{
    enum { r = star_r };
    __shared__ T u[star_y + 2 * r][star_x + 2 * r];
    const int i = static_cast<int>(threadIdx.x) + r, j = static_cast<int>(threadIdx.y) + r;
    const int x = static_cast<int>(blockIdx.x) * star_x + i;
    const int y = static_cast<int>(blockIdx.y) * star_y + j;
    const int first = r + static_cast<int>(blockIdx.z) * star_chunk;
    const int end = min(first + star_chunk, g.nz - r);
    /* Threads beyond the inner points compute what nobody stores, from points of the grid. */
    const int cx = min(x, g.nx - 1 - r), cy = min(y, g.ny - 1 - r);
    const bool mine = x == cx && y == cy;
    const ptrdiff_t row = g.pitch;
    const T *from = g.from + static_cast<ptrdiff_t>(first) * g.plane + min(y, g.ny - 1) * row +
                    min(x, g.nx - 1);
    T *to = g.to + static_cast<ptrdiff_t>(first) * g.plane + cy * row + cx;
    /* Offsets of the halo points that this thread loads, too. */
    const ptrdiff_t left = i < 2 * r ? -r : 0;
    const ptrdiff_t right = i >= star_x && x + r < g.nx ? r : 0;
    const ptrdiff_t down = j < 2 * r ? -r * row : 0;
    const ptrdiff_t upper = j >= star_y && y + r < g.ny ? r * row : 0;
    T column[2 * r + 1];
#pragma unroll
    for (int k = 0; k < 2 * r; k++)
        column[k + 1] = from[(k - r) * static_cast<ptrdiff_t>(g.plane)];
    for (int z = first; z < end; z++) {
#pragma unroll
        for (int k = 0; k < 2 * r; k++)
            column[k] = column[k + 1];
        column[2 * r] = from[r * static_cast<ptrdiff_t>(g.plane)];
        __syncthreads();
        u[j][i] = column[r];
        if (left)
            u[j][i - r] = from[left];
        if (right)
            u[j][i + r] = from[right];
        if (down)
            u[j - r][i] = from[down];
        if (upper)
            u[j + r][i] = from[upper];
        __syncthreads();
        if (mine)
            *to = s([&](int a, int b, int c) { return c ? column[r + c] : u[j + b][i + a]; });
        from += g.plane;
        to += g.plane;
    }
}

template <class T> static int run_star_column(problem &p, int)
{
    return launch(p, star_column<T>,
                  dim3(over(p.n[0] - 2 * star_r, star_x), over(p.n[1] - 2 * star_r, star_y),
                       over(p.n[2] - 2 * star_r, star_chunk)),
                  dim3(star_x, star_y), 0, grid_of<T>(p), star25<T>(p));
}

#define STAR_AT(type, precision)                                                            \
    {                                                                                       \
        {"one plane shared, column in registers", "Micikevicius 2009",                      \
         "8th order: nine registers a thread hold the column", AN_BENCH_STAR25, precision}, \
            1, nullptr, run_star_column<type>, nullptr, 0, nullptr                          \
    }

rows high_order_rows()
{
    static const row table[] = {STAR_AT(float, 32), STAR_AT(double, 64)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
