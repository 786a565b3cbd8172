/* The kinds of functions that the CPU engine's kernels are. Kernels are built for each precision
 * (AN_PRECISION), gas (AN_GAS) and instruction set (AN_ISA); cpu_table.c gathers those of one build. */
#ifndef AN_CPU_KERNELS_H
#define AN_CPU_KERNELS_H

#include "kernels/engine/work.h"

/* The minima of one cell. */
struct an_minima {
    double of[AN_NMIN];
};

/* Lines that are solved together fill so many bytes with a word of each; bytes of work a cell. */
enum { AN_LINE_BYTES = 64, AN_LINE_WORK = 30 * AN_LINE_BYTES };

/* A cell stencil on lo <= cell < hi; of a directional stencil, one direction. red may be NULL unless
 * the stencil sums. other, ocs: blocks and component pitch of another level, where the stencil reads
 * one. */
typedef void an_cpu_cell(const struct an_block *block, int64_t cs, const struct an_block *other,
                         int64_t ocs, const int lo[3], const int hi[3], const struct an_fields *f,
                         const struct an_params *p, struct an_reduction *red);
/* One direction of a line stencil: AN_LINE_BYTES x 1 words of lines from end to end of their block.
 * work: AN_LINE_WORK bytes for each cell of a line, 64-byte aligned. */
typedef void an_cpu_line(const struct an_block *block, int64_t cs, const int lo[3], const int hi[3],
                         const struct an_fields *f, const struct an_params *p, void *work);
typedef void an_cpu_face(const struct an_block *block, int64_t cs,
                         const struct an_face_window *window, const struct an_bc_value *value,
                         int scheme, const struct an_fields *f, const struct an_params *p,
                         struct an_xsum *sum);
typedef void an_cpu_copy(const struct an_copy *c, const double *rotation, void *dst,
                         int64_t dst_component, const void *src, int64_t src_component, int ncomp,
                         int vector);

/* The fused residual (stage 0) and Runge-Kutta stage (1). buffer: bytes of scratch of a thread,
 * 64-byte aligned, as in an_cpu_planes. */
struct an_cpu_fused {
    size_t buffer;
    void (*run)(int scheme, int stage, void *buffer, const struct an_block *block, int64_t cs,
                const int lo[3], const int hi[3], const struct an_fields *f,
                const struct an_params *p);
};

/* A cell stencil without sums, with each face computed once (cpu_planes.h). */
struct an_cpu_planes {
    size_t buffer;
    void (*run)(void *buffer, const struct an_block *block, int64_t cs, const int lo[3],
                const int hi[3], const struct an_fields *f, const struct an_params *p);
};

#ifdef AN_ISA
/* The external name of a kernel: an_cpu_f32_primitive_avx2, an_cpu_stored_f32_primitive_avx2, and of one that does not depend
 * on the gas: an_cpu_gasless_f32_volume_avx2. */
#define AN_KERNEL_NAME_(build, name, isa) build##_##name##_##isa
#define AN_KERNEL_NAME(build, name, isa)  AN_KERNEL_NAME_(build, name, isa)
#define AN_KERNEL_GASLESS(name)           AN_KERNEL_NAME(AN_FN(an_cpu_gasless), name, AN_ISA)
#if AN_GAS == 2
#define AN_KERNEL(name) AN_KERNEL_GASLESS(name)
#elif AN_GAS
#define AN_KERNEL(name) AN_KERNEL_NAME(AN_FN(an_cpu_stored), name, AN_ISA)
#else
#define AN_KERNEL(name) AN_KERNEL_NAME(AN_FN(an_cpu), name, AN_ISA)
#endif

enum { AN_LINE_LANES = AN_LINE_BYTES / sizeof(real) };
#endif

#endif
