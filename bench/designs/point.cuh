/* The stencils at a point: u(i, j, k) is the value at that offset. */
#ifndef AN_BENCH_POINT_CUH
#define AN_BENCH_POINT_CUH

#include "bench/designs/problem.cuh"

namespace an_bench
{

template <class T> struct star7 {
    enum { radius = 1 };
    coefficients<T, 2> k;
    explicit star7(const problem &p) : k(coefficients_of<T, 2>(p))
    {
    }
    template <class U> __device__ __forceinline__ T operator()(U u) const
    {
        return k.c[0] * u(0, 0, 0) +
               k.c[1] * (((u(-1, 0, 0) + u(1, 0, 0)) + (u(0, -1, 0) + u(0, 1, 0))) +
                         (u(0, 0, -1) + u(0, 0, 1)));
    }
};

template <class T> struct box27s {
    enum { radius = 1 };
    coefficients<T, 4> k;
    explicit box27s(const problem &p) : k(coefficients_of<T, 4>(p))
    {
    }
    template <class U> __device__ __forceinline__ T operator()(U u) const
    {
        T sum[4] = {};
#pragma unroll
        for (int d = 0; d < 27; d++) {
            const int i = d % 3 - 1, j = d / 3 % 3 - 1, l = d / 9 - 1;
            sum[i * i + j * j + l * l] += u(i, j, l);
        }
        return k.c[0] * sum[0] + k.c[1] * sum[1] + k.c[2] * sum[2] + k.c[3] * sum[3];
    }
};

template <class T> struct box27 {
    enum { radius = 1 };
    coefficients<T, 27> k;
    explicit box27(const problem &p) : k(coefficients_of<T, 27>(p))
    {
    }
    template <class U> __device__ __forceinline__ T operator()(U u) const
    {
        T sum = 0;
#pragma unroll
        for (int d = 0; d < 27; d++)
            sum += k.c[d] * u(d % 3 - 1, d / 3 % 3 - 1, d / 9 - 1);
        return sum;
    }
};

template <class T> struct star25 {
    enum { radius = 4 };
    coefficients<T, 5> k;
    explicit star25(const problem &p) : k(coefficients_of<T, 5>(p))
    {
    }
    template <class U> __device__ __forceinline__ T operator()(U u) const
    {
        T sum = k.c[0] * u(0, 0, 0);
#pragma unroll
        for (int r = 1; r <= 4; r++)
            sum += k.c[r] * (((u(-r, 0, 0) + u(r, 0, 0)) + (u(0, -r, 0) + u(0, r, 0))) +
                             (u(0, 0, -r) + u(0, 0, r)));
        return sum;
    }
};

} // namespace an_bench
#endif
