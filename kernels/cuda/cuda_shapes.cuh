/* CUDA engines: the tile shapes of the kernels that stream planes beside the fused one. They share their lists
 * of tiles, which are cut for the viscous kernel: a variant has the same shape in each of them.
 * V(number, columns along i, along j, blocks per multiprocessor in single and in double precision) */
#ifndef AN_CUDA_SHAPES_CUH
#define AN_CUDA_SHAPES_CUH

#if AN_GAS
#define AN_VISCOUS_VARIANTS(V) V(0, 32, 4, 4, 2)
#else
#define AN_VISCOUS_VARIANTS(V) \
    V(0, 32, 8, 2, 1)          \
    V(1, 32, 4, 4, 2)          \
    V(2, 8, 16, 4, 2)
#endif

#if AN_PRECISION == 32
#define AN_RESIDENT(single, twice) single
#else
#define AN_RESIDENT(single, twice) twice
#endif

/* Words that are read and written together. */
struct alignas(2 * sizeof(real)) an_words2 {
    real a, b;
};
struct alignas(4 * sizeof(real)) an_words4 {
    real a, b, c, d;
};

#endif
