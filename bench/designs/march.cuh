/* A thread that marches in z with a vector of points in each of RW rows, for stencils of radius 1.
 *
 * When plane z arrives, out(z - 1) is complete: out(z - 1) = a + up(z), a = b + middle(z),
 * b = low(z), where up, middle, low are what plane z gives to the point below, at, and above it.
 * Neighbours in x come by shuffles, but at the ends of a warp.
 */
#ifndef AN_BENCH_MARCH_CUH
#define AN_BENCH_MARCH_CUH

#include "bench/designs/vector.cuh"

namespace an_bench
{

/* A row of a plane: a vector and, where asked for, the points beside it. */
template <class T> struct march_row {
    vector<T> c;
    T left, right;
};

/* p: this thread's vector; end: offset of the point beside the warp that lanes 0 and 31 load. */
template <class T>
static __device__ __forceinline__ void beside(march_row<T> &a, const T *p, int lane, int end)
{
    enum { n = vector<T>::n };
    T loaded = 0;
    if (lane == 0 || lane == 31)
        loaded = p[end];
    const T left = __shfl_up_sync(0xffffffffu, a.c.v[n - 1], 1);
    const T right = __shfl_down_sync(0xffffffffu, a.c.v[0], 1);
    a.left = lane == 0 ? loaded : left;
    a.right = lane == 31 ? loaded : right;
}

/* Where the rows of a plane go: the first `rows` of a thread's, `pitch` points apart, from `to` on.
 */
template <class T> struct plain_rows {
    T *to;
    int pitch, rows;
    __device__ __forceinline__ void begin() const
    {
    }
    __device__ __forceinline__ void put(int r, const vector<T> &v) const
    {
        if (r < rows)
            store(to + r * pitch, v);
    }
    __device__ __forceinline__ void end() const
    {
    }
};

/* Plane z for the RW rows of a thread; what is complete of plane z - 1 goes to `out`. p: the vector
 * of this thread in its first row, `pitch` points from row to row; end: see beside; keep: points
 * that keep their value. */
template <class T, int RW, class S, class OUT>
static __device__ __forceinline__ void
march_plane(const S &s, const T *p, int pitch, int lane, int end, const bool (&keep)[vector<T>::n],
            vector<T> (&a)[RW], vector<T> (&b)[RW], const OUT &out)
{
    enum { n = vector<T>::n };
    march_row<T> w[3];
    out.begin();
    w[1].c = load(p - pitch);
    w[2].c = load(p);
    if (S::corners) {
        beside(w[1], p - pitch, lane, end);
        beside(w[2], p, lane, end);
    }
#pragma unroll
    for (int r = 0; r < RW; r++) {
        w[0] = w[1];
        w[1] = w[2];
        w[2].c = load(p + (r + 1) * pitch);
        if (S::corners)
            beside(w[2], p + (r + 1) * pitch, lane, end);
        else
            beside(w[1], p + r * pitch, lane, end);
        vector<T> sum;
#pragma unroll
        for (int i = 0; i < n; i++) {
            T u[3][3], low, middle, up;
#pragma unroll
            for (int j = 0; j < 3; j++) {
                u[j][0] = i == 0 ? w[j].left : w[j].c.v[i > 0 ? i - 1 : 0];
                u[j][1] = w[j].c.v[i];
                u[j][2] = i == n - 1 ? w[j].right : w[j].c.v[i < n - 1 ? i + 1 : 0];
            }
            s.plane(u, low, middle, up);
            sum.v[i] = keep[i] ? a[r].v[i] : a[r].v[i] + up;
            a[r].v[i] = keep[i] ? u[1][1] : b[r].v[i] + middle;
            b[r].v[i] = low;
        }
        out.put(r, sum);
    }
    out.end();
}

} // namespace an_bench
#endif
