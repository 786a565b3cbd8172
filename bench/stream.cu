#include "bench/plane.cuh"
#include "bench/stream.cuh"

#include <algorithm>

namespace an_bench
{

/* How a variant cuts the grid: fronts: parts in z that march at the same time with, together, one
 * tile a multiprocessor; or tiles of so many rows and planes, layer by layer. */
struct cut {
    int fronts, rows, chunk;
};
static const cut cuts[] = {{1, 0, 0}, {2, 0, 0}, {4, 0, 0}, {0, 64, 64}, {0, 32, 64}, {0, 32, 128}};
static const char *const cut_names[] = {"1 front",       "2 fronts",      "4 fronts",
                                        "64 x 64 tiles", "32 x 64 tiles", "32 x 128 tiles"};
enum { ncuts = sizeof cuts / sizeof cuts[0], max_stages = 12 };

/* RW: rows a thread, so that the warps of a block cover a tile. 0: the variant does not fit. */
template <class T> static int cut_grid(const problem &p, const cut &c, int r, stream_layout *l)
{
    const int width = 32 * vector<T>::n, ny = p.n[1] - 2 * r, nz = p.n[2] - 2 * r;
    l->nx = static_cast<int>(over(p.n[0], width));
    l->rows = c.rows;
    l->chunk = c.chunk;
    if (c.fronts) {
        const int columns = std::max(1, p.processors / (l->nx * c.fronts));
        l->rows = static_cast<int>(over(ny, columns));
        l->chunk = static_cast<int>(over(nz, c.fronts));
    }
    l->rows = std::min(l->rows, ny);
    static const int some[] = {1, 2, 3, 5, 9};
    int i = 0;
    while (i < 5 && some[i] * stream_warps < l->rows)
        i++;
    if (i >= (sizeof(T) == 4 ? 4 : 5))
        return 0;
    const int rw = some[i];
    l->rows = static_cast<int>(over(l->rows, rw)) * rw;
    l->ny = static_cast<int>(over(ny, l->rows));
    l->tiles = l->nx * l->ny * static_cast<int>(over(nz, l->chunk));
    l->stages =
        std::min(p.shared_limit / (stream_stage<T>(l->rows, r) + 16), static_cast<int>(max_stages));
    return l->stages < 3 ? 0 : rw;
}

template <class T, class S> static int run_stream(problem &p, int variant)
{
    stream_layout l;
    CUtensorMap map;
    const int rw = cut_grid<T>(p, cuts[variant], 1, &l);
    if (!rw)
        return UNFIT;
    const int box[2] = {34 * vector<T>::n, l.rows + 2};
    const int found = tensor_map(p, box, &map);
    if (found != AN_OK)
        return found;
    const size_t shared = static_cast<size_t>(l.stages) * (stream_stage<T>(l.rows, 1) + 16);
    const dim3 blocks(static_cast<unsigned>(std::min(l.tiles, p.processors)));
    const dim3 threads(32 * (stream_warps + 1));
    const grid<T> g = grid_of<T>(p);
    const S s(p);
    switch (rw) {
    case 1:
        return launch(p, stream<T, 1, S>, blocks, threads, shared, map, g, s, l);
    case 2:
        return launch(p, stream<T, 2, S>, blocks, threads, shared, map, g, s, l);
    case 3:
        return launch(p, stream<T, 3, S>, blocks, threads, shared, map, g, s, l);
    case 5:
        return launch(p, stream<T, 5, S>, blocks, threads, shared, map, g, s, l);
    default:
        return launch(p, stream < T, sizeof(T) == 4 ? 5 : 9, S >, blocks, threads, shared, map, g,
                      s, l);
    }
}

#define STREAM_AT(type, precision, name, stencil)                                            \
    {                                                                                        \
        {"engine, planes by tensor copy", "",                                                \
         "one block a multiprocessor, a warp loads ahead, all march in z together", stencil, \
         precision},                                                                         \
            ncuts, cut_names, run_stream<type, name<type>>, nullptr, 0, nullptr, nullptr     \
    }
#define STREAM(name, stencil) \
    STREAM_AT(float, 32, name, stencil), STREAM_AT(double, 64, name, stencil)

rows stream_rows()
{
    static const row table[] = {STREAM(star7_plane, AN_BENCH_STAR7),
                                STREAM(box27s_plane, AN_BENCH_BOX27S),
                                STREAM(box27_plane, AN_BENCH_BOX27)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
