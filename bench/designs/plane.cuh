/* Stencils of radius 1, plane by plane: what nine points u[y][x] of a plane give to the point above
 * the middle (low: its lower neighbours), at it and below it. */
#ifndef AN_BENCH_PLANE_CUH
#define AN_BENCH_PLANE_CUH

#include "bench/designs/point.cuh"

namespace an_bench
{

template <class T> struct star7_plane : star7<T> {
    enum { corners = 0 };
    using star7<T>::star7;
    using star7<T>::k;
    __device__ __forceinline__ void plane(const T (&u)[3][3], T &low, T &middle, T &up) const
    {
        low = up = k.c[1] * u[1][1];
        middle = k.c[0] * u[1][1] + k.c[1] * ((u[1][0] + u[1][2]) + (u[0][1] + u[2][1]));
    }
};

template <class T> struct box27s_plane : box27s<T> {
    enum { corners = 1 };
    using box27s<T>::box27s;
    using box27s<T>::k;
    __device__ __forceinline__ void plane(const T (&u)[3][3], T &low, T &middle, T &up) const
    {
        const T sides = (u[1][0] + u[1][2]) + (u[0][1] + u[2][1]);
        const T corner = (u[0][0] + u[0][2]) + (u[2][0] + u[2][2]);
        low = up = k.c[1] * u[1][1] + k.c[2] * sides + k.c[3] * corner;
        middle = k.c[0] * u[1][1] + k.c[1] * sides + k.c[2] * corner;
    }
};

template <class T> struct box27_plane : box27<T> {
    enum { corners = 1 };
    using box27<T>::box27;
    using box27<T>::k;
    __device__ __forceinline__ void plane(const T (&u)[3][3], T &low, T &middle, T &up) const
    {
        T sum[3] = {};
#pragma unroll
        for (int d = 0; d < 9; d++) {
            sum[0] += k.c[d] * u[d / 3][d % 3];
            sum[1] += k.c[9 + d] * u[d / 3][d % 3];
            sum[2] += k.c[18 + d] * u[d / 3][d % 3];
        }
        low = sum[0];
        middle = sum[1];
        up = sum[2];
    }
};

} // namespace an_bench
#endif
