#include "bench/designs/plane.cuh"
#include "bench/designs/stream.cuh"

#include <algorithm>

namespace an_bench
{

/* How a variant cuts the grid: fronts: parts in z that march at the same time with, together, one
 * tile a multiprocessor; or tiles of so many rows and planes, layer by layer. bulk: the copy engine
 * stores, too. other: with the other march of the stencil. */
struct cut {
    int fronts, rows, chunk, bulk, other;
};
static const cut cuts[] = {
    {1, 0, 0, 0, 0},    {2, 0, 0, 0, 0},    {4, 0, 0, 0, 0},    {0, 64, 64, 0, 0},
    {0, 32, 64, 0, 0},  {0, 32, 128, 0, 0}, {0, 16, 128, 0, 0}, {1, 0, 0, 1, 0},
    {2, 0, 0, 1, 0},    {4, 0, 0, 1, 0},    {0, 64, 64, 1, 0},  {0, 32, 64, 1, 0},
    {0, 32, 128, 1, 0}, {0, 16, 128, 1, 0}, {1, 0, 0, 0, 1},    {2, 0, 0, 0, 1},
    {4, 0, 0, 0, 1},    {1, 0, 0, 1, 1},    {2, 0, 0, 1, 1},    {4, 0, 0, 1, 1}};
#define CUT_NAMES(other)                                                                         \
    {                                                                                            \
        "1 front", "2 fronts", "4 fronts", "64 x 64 tiles", "32 x 64 tiles", "32 x 128 tiles",   \
            "16 x 128 tiles", "1 front, bulk stores", "2 fronts, bulk stores",                   \
            "4 fronts, bulk stores", "64 x 64 tiles, bulk stores", "32 x 64 tiles, bulk stores", \
            "32 x 128 tiles, bulk stores", "16 x 128 tiles, bulk stores", "1 front, " other,     \
            "2 fronts, " other, "4 fronts, " other, "1 front, bulk stores, " other,              \
            "2 fronts, bulk stores, " other, "4 fronts, bulk stores, " other                     \
    }
static const char *const near_names[] = CUT_NAMES("whole rows");
static const char *const far_names[] = CUT_NAMES("4 rows a thread");
enum { ncuts = sizeof cuts / sizeof cuts[0], max_stages = 12 };

/* Rows a thread, so that the warps of a block cover a tile; 0: the variant does not fit. */
template <class T, class M> static int cut_grid(const problem &p, const cut &c, stream_layout *l)
{
    enum { r = M::radius };
    if (c.bulk && M::keeps > 0 && p.n[0] % vector<T>::n != 0)
        return 0; /* rows would end within 16 bytes */
    const int width = 32 * vector<T>::n, ny = p.n[1] - 2 * r, nz = p.n[2] - 2 * r;
    l->nx = static_cast<int>(over(p.n[0], width * M::across));
    if (M::across > 1 && l->nx > 1)
        return 0;
    l->rows = c.rows;
    l->chunk = std::min(c.chunk, nz);
    if (c.fronts) {
        const int columns = std::max(1, p.processors / (l->nx * c.fronts));
        l->rows = static_cast<int>(over(ny, columns));
        l->chunk = static_cast<int>(over(nz, c.fronts));
    }
    l->rows = std::min(l->rows, ny);
    int rw = 1;
    while (rw <= M::most_rows && rw * M::warps / M::across < l->rows)
        rw++;
    if (rw > M::most_rows)
        return 0;
    l->rows = static_cast<int>(over(l->rows, rw)) * rw;
    l->ny = static_cast<int>(over(ny, l->rows));
    l->tiles = l->nx * l->ny * static_cast<int>(over(nz, l->chunk));
    const int left = p.shared_limit - 128 - (c.bulk ? stream_boxes(M::warps, rw) : 0);
    l->stages = std::min(left / (stream_stage<T, M>(l->rows) + 16), static_cast<int>(max_stages));
    return l->stages < 4 ? 0 : rw;
}

template <class T, class M> static int run_cut(problem &p, const cut &c)
{
    enum { r = M::radius };
    stream_layout l;
    CUtensorMap map;
    const int rw = cut_grid<T, M>(p, c, &l);
    if (!rw)
        return UNFIT;
    const int box[2] = {32 * vector<T>::n + 2 * stream_halo<T, M>(), l.rows + 2 * r};
    const int found = tensor_map(p, box, &map);
    if (found != AN_OK)
        return found;
    const bool bulk = c.bulk != 0;
    const size_t shared =
        static_cast<size_t>(stream_ring<T, M>(l) + (bulk ? stream_boxes(M::warps, rw) : 0));
    const dim3 blocks(static_cast<unsigned>(std::min(l.tiles, p.processors)));
    const grid<T> g = grid_of<T>(p);
    const M march(p);
#define STREAM_ROWS(rows)                                                                     \
    case rows:                                                                                \
        return launch(p, bulk ? stream<T, rows, true, M> : stream<T, rows, false, M>, blocks, \
                      dim3(32 * M::warps), shared, map, g, march, l);
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

/* M: of most variants, OTHER: of the last ones. */
template <class T, class M, class OTHER> static int run_stream(problem &p, int variant)
{
    const cut &c = cuts[variant];
    return c.other ? run_cut<T, OTHER>(p, c) : run_cut<T, M>(p, c);
}

#define STREAM_AT(type, precision, names, march, other, stencil)                               \
    {                                                                                          \
        {"engine, planes by tensor copy", "",                                                  \
         "one block a multiprocessor, a thread loads ahead, all march in z together", stencil, \
         precision},                                                                           \
            ncuts, names, run_stream<type, march, other>, nullptr, 0, nullptr                  \
    }
template <template <class> class S> struct near_of {
    typedef near_march<float, S<float>, 1> single;
    typedef near_march<double, S<double>, 1> twice;
    typedef near_march<float, S<float>, 4> single_rows;
    typedef near_march<double, S<double>, 8> twice_rows;
};
template <class T> struct far_of {
    typedef far_march<T, 16, 2> march;
    typedef far_march<T, 8, 4> tall;
};
#define STREAM(name, stencil)                                                                     \
    STREAM_AT(float, 32, near_names, near_of<name>::single, near_of<name>::single_rows, stencil), \
        STREAM_AT(double, 64, near_names, near_of<name>::twice, near_of<name>::twice_rows,        \
                  stencil)
#define STREAM_FAR(type, precision) \
    STREAM_AT(type, precision, far_names, far_of<type>::march, far_of<type>::tall, AN_BENCH_STAR25)

rows stream_rows()
{
    static const row table[] = {
        STREAM(star7_plane, AN_BENCH_STAR7), STREAM(box27s_plane, AN_BENCH_BOX27S),
        STREAM(box27_plane, AN_BENCH_BOX27), STREAM_FAR(float, 32), STREAM_FAR(double, 64)};
    return {table, sizeof table / sizeof table[0]};
}

} // namespace an_bench
