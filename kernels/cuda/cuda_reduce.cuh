/* CUDA engines: reductions of a thread block and their way to engine memory. Sums are exact
 * (xsum.h): limbs are added with integer atomics, so the order does not matter. Minima go through
 * integers of the same order as the doubles; NaN never gets there, as on the CPU. */
static __device__ inline unsigned long long ordered(double v)
{
    const unsigned long long top = 1ULL << 63, bits = an_bits(v + 0.0); /* -0 is 0 */
    return bits & top ? ~bits : bits | top;
}

/* Sums of n terms in shared memory: set to zero by the whole block. */
static __device__ inline void start_sums(struct an_xsum *sum, int n, int t)
{
    static_assert(sizeof(struct an_xsum) == (AN_XSUM_LIMBS + 1) * sizeof(int64_t),
                  "limbs, then bad");
    int64_t *limb = reinterpret_cast<int64_t *>(sum);
    for (int l = t; l < n * (AN_XSUM_LIMBS + 1); l += CELL_THREADS)
        limb[l] = 0;
}

static __device__ inline void finish_sums(const struct an_xsum *sum, struct an_xsum *result, int n,
                                          int t)
{
    const int64_t *from = reinterpret_cast<const int64_t *>(sum);
    unsigned long long *to = reinterpret_cast<unsigned long long *>(result);
    for (int l = t; l < n * (AN_XSUM_LIMBS + 1); l += CELL_THREADS)
        if (from[l])
            atomicAdd(&to[l], static_cast<unsigned long long>(from[l]));
}

static __device__ inline void start_reduction(struct an_cuda_reduction *total, int t)
{
    start_sums(total->sum, AN_NSUM, t);
    if (t < AN_NMIN)
        total->min[t] = ordered(INFINITY);
    __syncthreads();
}

static __device__ inline void finish_reduction(struct an_cuda_reduction *total,
                                               struct an_cuda_reduction *result, int t, double min0,
                                               double min1)
{
    if (min0 < INFINITY)
        atomicMin(&total->min[0], ordered(min0));
    if (min1 < INFINITY)
        atomicMin(&total->min[1], ordered(min1));
    __syncthreads();
    if (!result)
        return;
    finish_sums(total->sum, result->sum, AN_NSUM, t);
    if (t < AN_NMIN)
        atomicMin(&result->min[t], total->min[t]);
}
