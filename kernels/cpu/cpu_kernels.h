/* What a build of the CPU kernels (one precision, one instruction set) offers to cpu_engine.c. */
#ifndef AN_CPU_KERNELS_H
#define AN_CPU_KERNELS_H

#include "kernels/engine/engine.h"

/* The minima of one cell. */
struct an_minima {
    double of[AN_NMIN];
};

/* Lines that are solved together fill so many bytes with a word of each; bytes of work a cell. */
enum { AN_LINE_BYTES = 64, AN_LINE_WORK = 30 * AN_LINE_BYTES };

struct an_cpu_kernels {
    const char *isa;
    size_t buffer; /* bytes of scratch one thread of `fused` and `planes` needs, 64-byte aligned */
    /* lo <= cell < hi; directional stencils: dir; others ignore it. red may be NULL unless it sums.
     * other, ocs: block and component pitch of another level, where the stencil reads one. */
    void (*cell[AN_NSTENCIL][3])(const struct an_block *block, int64_t cs,
                                 const struct an_block *other, int64_t ocs, const int lo[3],
                                 const int hi[3], const struct an_fields *f,
                                 const struct an_params *p, struct an_reduction *red);
    /* The same of some cell stencils without sums, with each face computed once, where the
     * parameters have a form in vectors; NULL: `cell` alone. */
    void (*planes[AN_NSTENCIL])(void *buffer, const struct an_block *block, int64_t cs,
                                const int lo[3], const int hi[3], const struct an_fields *f,
                                const struct an_params *p);
    /* Lines of AN_LINE_BYTES x 1 words from end to end of their block. work: AN_LINE_WORK bytes for
     * each cell of a line, 64-byte aligned. */
    void (*line[AN_NSTENCIL][3])(const struct an_block *block, int64_t cs, const int lo[3],
                                 const int hi[3], const struct an_fields *f,
                                 const struct an_params *p, void *work);
    void (*face[AN_NSTENCIL])(const struct an_block *block, int64_t cs,
                              const struct an_face_window *window, const struct an_bc_value *value,
                              int scheme, const struct an_fields *f, const struct an_params *p,
                              struct an_xsum *sum);
    void (*fused)(int scheme, int stage, void *buffer, const struct an_block *block, int64_t cs,
                  const int lo[3], const int hi[3], const struct an_fields *f,
                  const struct an_params *p);
    void (*copy)(const struct an_copy *c, const double *rotation, void *dst, int64_t dst_component,
                 const void *src, int64_t src_component, int ncomp, int vector);
    const struct an_cpu_kernels *polynomial; /* the same for a gas with cp(T); NULL: these are */
};

#define AN_CPU_DECLARE(isa)                                 \
    extern const struct an_cpu_kernels an_cpu_f32_##isa;    \
    extern const struct an_cpu_kernels an_cpu_f64_##isa;    \
    extern const struct an_cpu_kernels an_cpu_cp_f32_##isa; \
    extern const struct an_cpu_kernels an_cpu_cp_f64_##isa;
AN_CPU_DECLARE(baseline)
AN_CPU_DECLARE(avx2)
AN_CPU_DECLARE(avx512)

#endif
