/* Sixteen bytes of a row, which a thread loads and stores at once. */
#ifndef AN_BENCH_VECTOR_CUH
#define AN_BENCH_VECTOR_CUH

#include "bench/designs/problem.cuh"

namespace an_bench
{

template <class T> struct __align__(16) vector
{
    enum { n = 16 / sizeof(T) };
    T v[n];
};

template <class T> static __device__ __forceinline__ vector<T> load(const T *p)
{
    return *reinterpret_cast<const vector<T> *>(p);
}

template <class T> static __device__ __forceinline__ void store(T *p, const vector<T> &a)
{
    *reinterpret_cast<vector<T> *>(p) = a;
}

} // namespace an_bench
#endif
