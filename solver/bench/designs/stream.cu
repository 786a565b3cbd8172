#include "solver/bench/designs/plane.cuh"
#include "solver/bench/designs/stream.cuh"

#include <algorithm>

namespace an_bench
{

/* How a variant cuts the grid: fronts: parts in z that march at the same time with, together, one
 * tile a multiprocessor; or tiles of so many rows and planes, layer by layer. bulk: the copy engine
 * stores, too. */
struct cut {
    int fronts, rows, chunk, bulk;
};
static const cut cuts[] = {{1, 0, 0, 0},    {2, 0, 0, 0},    {4, 0, 0, 0},    {0, 64, 64, 0},
                           {0, 32, 64, 0},  {0, 32, 128, 0}, {0, 16, 128, 0}, {1, 0, 0, 1},
                           {2, 0, 0, 1},    {4, 0, 0, 1},    {0, 64, 64, 1},  {0, 32, 64, 1},
                           {0, 32, 128, 1}, {0, 16, 128, 1}};
static const char *const cut_names[] = {"1 front",
                                        "2 fronts",
                                        "4 fronts",
                                        "64 x 64 tiles",
                                        "32 x 64 tiles",
                                        "32 x 128 tiles",
                                        "16 x 128 tiles",
                                        "1 front, bulk stores",
                                        "2 fronts, bulk stores",
                                        "4 fronts, bulk stores",
                                        "64 x 64 tiles, bulk stores",
                                        "32 x 64 tiles, bulk stores",
                                        "32 x 128 tiles, bulk stores",
                                        "16 x 128 tiles, bulk stores"};
enum { ncuts = sizeof cuts / sizeof cuts[0], max_stages = 12 };

/* Rows a thread, so that the warps of a block cover a tile; 0: the variant does not fit. */
template <class T, class M> static int cut_grid(const problem &p, const cut &c, stream_layout *l)
{
    enum { r = M::radius };
    if (c.bulk && !M::bulk)
        return 0;
    const int width = 32 * vector<T>::n, ny = p.n[1] - 2 * r, nz = p.n[2] - 2 * r;
    l->nx = static_cast<int>(over(p.n[0], width));
    l->rows = c.rows;
    l->chunk = std::min(c.chunk, nz);
    if (c.fronts) {
        const int columns = std::max(1, p.processors / (l->nx * c.fronts));
        l->rows = static_cast<int>(over(ny, columns));
        l->chunk = static_cast<int>(over(nz, c.fronts));
    }
    l->rows = std::min(l->rows, ny);
    int rw = 1;
    while (rw <= M::most_rows && rw * stream_warps < l->rows)
        rw++;
    if (rw > M::most_rows)
        return 0;
    l->rows = static_cast<int>(over(l->rows, rw)) * rw;
    l->ny = static_cast<int>(over(ny, l->rows));
    l->tiles = l->nx * l->ny * static_cast<int>(over(nz, l->chunk));
    const int left = p.shared_limit - 128 - (c.bulk ? stream_boxes<T>(rw) : 0);
    l->stages = std::min(left / (stream_stage<T>(l->rows, r) + 16), static_cast<int>(max_stages));
    return l->stages < 4 ? 0 : rw;
}

template <class T, class M> static int run_stream(problem &p, int variant)
{
    enum { r = M::radius };
    stream_layout l;
    CUtensorMap map;
    const int rw = cut_grid<T, M>(p, cuts[variant], &l);
    if (!rw)
        return UNFIT;
    const int box[2] = {32 * vector<T>::n + 2 * stream_halo<T>(r), l.rows + 2 * r};
    const int found = tensor_map(p, box, &map);
    if (found != AN_OK)
        return found;
    const bool bulk = cuts[variant].bulk;
    const size_t shared =
        static_cast<size_t>(stream_ring<T>(l, r) + (bulk ? stream_boxes<T>(rw) : 0));
    const dim3 blocks(static_cast<unsigned>(std::min(l.tiles, p.processors)));
    const grid<T> g = grid_of<T>(p);
    const M march(p);
#define STREAM_ROWS(rows)                                                                     \
    case rows:                                                                                \
        return launch(p, bulk ? stream<T, rows, M::bulk != 0, M> : stream<T, rows, false, M>, \
                      blocks, dim3(32 * stream_warps), shared, map, g, march, l);
    switch (rw) {
        STREAM_ROWS(1)
        STREAM_ROWS(2)
    default:
        if constexpr (M::most_rows > 2) {
            switch (rw) {
                STREAM_ROWS(3)
                STREAM_ROWS(4)
            }
        }
        return UNFIT;
    }
#undef STREAM_ROWS
}

#define STREAM_AT(type, precision, march, stencil)                                             \
    {                                                                                          \
        {"engine, planes by tensor copy", "",                                                  \
         "one block a multiprocessor, a thread loads ahead, all march in z together", stencil, \
         precision},                                                                           \
            ncuts, cut_names, run_stream<type, march>, nullptr, 0, nullptr                     \
    }
template <template <class> class S> struct near_of {
    typedef near_march<float, S<float>> single;
    typedef near_march<double, S<double>> twice;
};
#define STREAM(name, stencil)                             \
    STREAM_AT(float, 32, near_of<name>::single, stencil), \
        STREAM_AT(double, 64, near_of<name>::twice, stencil)

rows stream_rows()
{
    static const row table[] = {STREAM(star7_plane, AN_BENCH_STAR7),
                                STREAM(box27s_plane, AN_BENCH_BOX27S),
                                STREAM(box27_plane, AN_BENCH_BOX27),
                                STREAM_AT(float, 32, far_march<float>, AN_BENCH_STAR25),
                                STREAM_AT(double, 64, far_march<double>, AN_BENCH_STAR25)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
