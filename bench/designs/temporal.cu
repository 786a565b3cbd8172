/* Temporal blocking: variants by steps a pass and rows a thread. */
#include "bench/designs/temporal.cuh"

#include <algorithm>

namespace an_bench
{

static const char *const names[] = {"3 steps, 8 warps x 6 rows", "4 steps, 8 warps x 4 rows",
                                    "3 steps, 8 warps x 5 rows"};
static const int steps[] = {3, 4, 3};
enum { nvariants = sizeof steps / sizeof steps[0] };

/* The parts in z that make the longest-working multiprocessor's planes fewest. */
static int best_chunk(int tiles, int nz, int steps_, int processors)
{
    int best = nz;
    double least = 1e30;
    for (int parts = 1; parts <= 32 && parts <= nz; parts++) {
        const int chunk = static_cast<int>(over(nz, parts));
        const double work = over(tiles * static_cast<int>(over(nz, chunk)), processors) *
                            (chunk + 2.0 * steps_ + 2);
        if (work < least) {
            least = work;
            best = chunk;
        }
    }
    return best;
}

template <class T, int S, int RW, int W> static int run_steps(problem &p, int stages)
{
    typedef temporal_shape<T, S, RW, W> shape;
    CUtensorMap map;
    temporal_layout l;
    const grid<T> g = grid_of<T>(p);
    const int box[2] = {shape::wide, shape::rows};
    const int found = tensor_map(p, box, &map);
    if (found != AN_OK)
        return found;
    l.nx = static_cast<int>(over(g.nx, shape::out_x));
    l.ny = static_cast<int>(over(g.ny - 2, shape::out_y));
    l.chunk = best_chunk(l.nx * l.ny, g.nz - 2, S, p.processors);
    l.tiles = l.nx * l.ny * static_cast<int>(over(g.nz - 2, l.chunk));
    l.stages = std::min((p.shared_limit - shape::exchange) / (shape::stage + 8), stages);
    if (l.stages < 2)
        return UNFIT;
    return launch(p, temporal<T, S, RW, W>,
                  dim3(static_cast<unsigned>(std::min(l.tiles, p.processors))), dim3(32 * W),
                  static_cast<size_t>(l.stages) * (shape::stage + 8) + shape::exchange, map, g,
                  coefficients_of<T, 2>(p), l);
}

template <class T> static int run_temporal(problem &p, int variant)
{
    switch (variant) {
    case 0:
        return run_steps<T, 3, 6, 8>(p, 4);
    case 1:
        return run_steps<T, 4, 4, 8>(p, 6);
    default:
        return run_steps<T, 3, 5, 8>(p, 6);
    }
}

#define TEMPORAL(type, precision)                                                         \
    {                                                                                     \
        {"temporal blocking, levels in registers", "",                                    \
         "overlapped tiles, one barrier a plane, planes by tensor copy", AN_BENCH_STAR7T, \
         precision},                                                                      \
            nvariants, names, run_temporal<type>, steps, 0, nullptr                       \
    }

rows temporal_rows()
{
    static const row table[] = {TEMPORAL(float, 32), TEMPORAL(double, 64)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
