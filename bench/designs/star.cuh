/* The star of radius 4, plane by plane. A thread marches in z with a vector of 16 bytes in each of
 * RY rows and eight sums a point, those of the outputs z - 4 .. z + 3. A plane is read once, when
 * it arrives, and given to all nine outputs of its column:
 *
 *     out(z - 4) = s[0] + c4 u,   s[m - 1] = s[m] + c|m-4| u (m = 1 .. 7),   s[7] = c4 u,
 *
 * where the output of plane z itself (m = 4) gets its neighbours in x and y, too.
 */
#ifndef AN_BENCH_STAR_CUH
#define AN_BENCH_STAR_CUH

#include "bench/designs/point.cuh"
#include "bench/designs/vector.cuh"

namespace an_bench
{

/* Adds to the sums of RY rows what their own points and the neighbours in x and y give; p: the
 * vector of the first row. */
template <class T, int RY>
static __device__ __forceinline__ void star_cross(const star25<T> &k, const T *p, ptrdiff_t pitch,
                                                  vector<T> (&sum)[RY])
{
    enum { n = vector<T>::n, side = 4 / n };
#pragma unroll
    for (int r = 0; r < RY; r++) {
        T u[8 + n];
#pragma unroll
        for (int b = 0; b < 2 * side + 1; b++) {
            const vector<T> v = load(p + r * pitch + (b - side) * n);
#pragma unroll
            for (int i = 0; i < n; i++)
                u[b * n + i] = v.v[i];
        }
#pragma unroll
        for (int i = 0; i < n; i++) {
            T t = fma(k.k.c[0], u[4 + i], sum[r].v[i]);
#pragma unroll
            for (int d = 1; d <= 4; d++)
                t = fma(k.k.c[d], u[4 + i - d] + u[4 + i + d], t);
            sum[r].v[i] = t;
        }
    }
#pragma unroll
    for (int j = -4; j < RY + 4; j++) {
        const vector<T> v = load(p + j * pitch);
#pragma unroll
        for (int r = 0; r < RY; r++) {
            const int d = j < r ? r - j : j - r;
            if (d > 0 && d <= 4)
#pragma unroll
                for (int i = 0; i < n; i++)
                    sum[r].v[i] = fma(k.k.c[d <= 4 ? d : 0], v.v[i], sum[r].v[i]);
        }
    }
}

/* Where the rows of a plane go: the first `rows` of a thread's, `pitch` points apart, from `to` on;
 * points within 4 of the faces in x keep their value. */
template <class T> struct edge_rows {
    T *to;
    ptrdiff_t pitch;
    int rows, x, nx;
    template <int RY> __device__ __forceinline__ void all(const vector<T> (&out)[RY]) const
    {
        enum { n = vector<T>::n };
        const bool whole = x >= 4 && x + n <= nx - 4;
        if (rows >= RY && whole) {
#pragma unroll
            for (int r = 0; r < RY; r++)
                store(to + r * pitch, out[r]);
        } else {
            for (int r = 0; r < RY; r++)
                for (int i = 0; i < n; i++)
                    if (r < rows && x + i >= 4 && x + i < nx - 4)
                        to[r * pitch + i] = out[r].v[i];
        }
    }
};

/* Plane z: p, `pitch` points from row to row, is the vector of the thread's first row in it;
 * crosses: it is among the planes of outputs. What is complete of plane z - 4 goes to `rows`. */
template <class T, int RY, class OUT>
static __device__ __forceinline__ void star_plane(const star25<T> &k, const T *p, ptrdiff_t pitch,
                                                  bool crosses, vector<T> (&s)[8][RY],
                                                  const OUT &rows)
{
    enum { n = vector<T>::n };
    vector<T> u[RY], out[RY];
#pragma unroll
    for (int r = 0; r < RY; r++) {
        u[r] = load(p + r * pitch);
#pragma unroll
        for (int i = 0; i < n; i++)
            out[r].v[i] = fma(k.k.c[4], u[r].v[i], s[0][r].v[i]);
    }
    rows.all(out);
    if (crosses)
        star_cross(k, p, pitch, s[4]);
#pragma unroll
    for (int r = 0; r < RY; r++)
#pragma unroll
        for (int i = 0; i < n; i++) {
#pragma unroll
            for (int m = 1; m < 8; m++)
                s[m - 1][r].v[i] = m == 4
                                       ? s[m][r].v[i]
                                       : fma(k.k.c[m < 4 ? 4 - m : m - 4], u[r].v[i], s[m][r].v[i]);
            s[7][r].v[i] = k.k.c[4] * u[r].v[i];
        }
}

} // namespace an_bench
#endif
