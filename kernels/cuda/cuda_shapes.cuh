/* CUDA engines: the tile shapes of the kernels that stream planes beside the fused one: the viscous kernel, and
 * those of cell stencils, which share its lists of tiles where the gas is not perfect.
 * V(number, columns along i, along j, blocks per multiprocessor in single and in double precision) */
#ifndef AN_CUDA_SHAPES_CUH
#define AN_CUDA_SHAPES_CUH

#if AN_GAS
#define AN_VISCOUS_VARIANTS(V) V(0, 32, 4, 4, 2)
#define AN_PLANE_VARIANTS(V)   AN_VISCOUS_VARIANTS(V) /* in the same lists */
#else
#define AN_VISCOUS_VARIANTS(V) \
    V(0, 32, 8, 2, 1)          \
    V(1, 32, 4, 4, 2)          \
    V(2, 8, 16, 4, 2)
#define AN_PLANE_VARIANTS(V) V(0, 32, 8, 2, 1)
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
