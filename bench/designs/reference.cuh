/* The plain reference, fields to start from, poison, and comparison. All on the default stream;
 * errors through AN_CUDA. */
#ifndef AN_BENCH_REFERENCE_CUH
#define AN_BENCH_REFERENCE_CUH

#include "bench/designs/problem.cuh"

namespace an_bench
{

/* Values in [-1, 1) that look random and depend on the index and the seed. */
int fill(void *u, size_t n, int precision, unsigned seed);

/* NaN at every point that the stencil updates; the others as in `from`. Wave: nothing is written.
 */
int poison(const problem &p);

/* One step of the stencil, sums in double precision, from `from` to `to`; wave: from p.from (u) and
 * p.to (u_old), in place of u_old. */
int reference(const problem &p, const void *from, void *to);

/* max |a - b| and max |b| over the points of the grid; NaN when there is one. */
int compare(const problem &p, const void *a, const void *b, double *difference, double *size);

} // namespace an_bench
#endif
