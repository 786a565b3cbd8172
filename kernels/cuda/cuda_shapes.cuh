/* CUDA engines: what the kernels that stream planes have in common, and tile shapes beside those of the fused kernel:
 * of the viscous kernel, and of cell stencils, which share its lists of tiles where the gas is not perfect.
 * V(number, columns along i, along j, blocks per multiprocessor in single and in double precision) */
#ifndef AN_CUDA_SHAPES_CUH
#define AN_CUDA_SHAPES_CUH

#if AN_CACHED
#define AN_VISCOUS_VARIANTS(V) V(0, 32, 4, 4, 2)
#define AN_PLANE_TY            4 /* as above */
#define AN_PLANE_BLOCKS        AN_RESIDENT(4, 2)
#else
#define AN_VISCOUS_VARIANTS(V) \
    V(0, 32, 8, 2, 1)          \
    V(1, 32, 4, 4, 2)          \
    V(2, 8, 16, 4, 2)
#define AN_PLANE_TY     8
#define AN_PLANE_BLOCKS AN_RESIDENT(2, 1)
#endif

#define AN_PLANE_TX 32

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
