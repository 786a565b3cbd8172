/* The CPU engine's kernels: compiled once per precision (AN_PRECISION), instruction set (AN_ISA)
 * and gas (AN_GAS). */
#include "kernels/cpu/cpu_kernels.h"

#include "kernels/engine/turn.h"
#include "kernels/physics/boundary.h"
#include "kernels/physics/flux.h"
#include "kernels/physics/implicit.h"
#include "kernels/physics/mixing_length.h"
#include "kernels/physics/spalart_allmaras.h"
#include "kernels/physics/sst.h"
#include "kernels/physics/wall_function.h"

#include <math.h>
#include <string.h>

#define AN_F(name, n, type, help) typedef type an_type_##name;
AN_FIELD_LIST(AN_F)
#undef AN_F

enum { AN_LINE_LANES = AN_LINE_BYTES / sizeof(real) };
_Static_assert(AN_LINE_KEPT(5) * AN_LINE_BYTES <= AN_LINE_WORK, "work of a line's cell");

/* Definitions become functions that take the parameters in the run's precision ... */
#define AN_TEMPLATE_CELL        "kernels/cpu/cpu_cell.h"
#define AN_TEMPLATE_DIRECTIONAL "kernels/cpu/cpu_directional.h"
#define AN_TEMPLATE_FACE        "kernels/cpu/cpu_face.h"
#define AN_TEMPLATE_LINE        "kernels/cpu/cpu_line.h"
#include "kernels/engine/stencils.h"

#include "kernels/cpu/cpu_fused.h"

#include "kernels/cpu/cpu_spalart_allmaras.h"
#include "kernels/cpu/cpu_sst.h"
#include "kernels/cpu/cpu_viscous.h"

union AN_FN(scratch) {
    struct AN_FN(ring) fused;
    struct AN_FN(sa_planes_ring) sa;
    struct AN_FN(sst_planes_ring) sst;
    struct AN_FN(viscous_planes_ring) viscous;
};

/* ... and wrappers for the table, which take them in double. */
#define WRAP_CELL(wrapper, function)                                                              \
    static void wrapper(const struct an_block *block, int64_t cs, const struct an_block *other,   \
                        int64_t ocs, const int lo[3], const int hi[3], const struct an_fields *f, \
                        const struct an_params *p, struct an_reduction *red)                      \
    {                                                                                             \
        const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);                                   \
        function(block, cs, other, ocs, lo, hi, f, &prm, red);                                    \
    }
#define WRAP_FACE(wrapper, function)                                                       \
    static void wrapper(const struct an_block *block, int64_t cs,                          \
                        const struct an_face_window *win, const struct an_bc_value *value, \
                        int scheme, const struct an_fields *f, const struct an_params *p,  \
                        struct an_xsum *sum)                                               \
    {                                                                                      \
        const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);                            \
        const struct AN_FN(an_bc) bc = AN_FN(an_bc_from)(value, block->omega);             \
        function(block, cs, win, &bc, scheme, f, &prm, sum);                               \
    }
#define WRAP_LINE(wrapper, function)                                                           \
    static void wrapper(const struct an_block *block, int64_t cs, const int lo[3],             \
                        const int hi[3], const struct an_fields *f, const struct an_params *p, \
                        void *work)                                                            \
    {                                                                                          \
        const struct AN_FN(an_prm) prm = AN_FN(an_prm_from)(p);                                \
        function(block, cs, lo, hi, f, &prm, work);                                            \
    }
#define CELL(name) WRAP_CELL(wrap_##name, name)
#define DIRECTIONAL(name)                  \
    WRAP_CELL(wrap_##name##_d0, name##_d0) \
    WRAP_CELL(wrap_##name##_d1, name##_d1) \
    WRAP_CELL(wrap_##name##_d2, name##_d2)
#define FACE(name) WRAP_FACE(wrap_##name, name)
#define LINE(name)                         \
    WRAP_LINE(wrap_##name##_d0, name##_d0) \
    WRAP_LINE(wrap_##name##_d1, name##_d1) \
    WRAP_LINE(wrap_##name##_d2, name##_d2)
AN_STENCIL_LIST(CELL, DIRECTIONAL, FACE, LINE)
#undef LINE
#undef CELL
#undef DIRECTIONAL
#undef FACE

static void copy(const struct an_copy *c, const double *rotation, void *to, int64_t dst_component,
                 const void *from, int64_t src_component, int ncomp, int vector)
{
    /* the longest direction is the innermost loop, unless rows are long enough */
    int order[3] = {0, 1, 2};
    if (c->n[0] < 8) {
        const int longest = c->n[2] > c->n[1] ? 2 : 1;
        order[0] = longest;
        order[longest] = 0;
    }
    const int p = order[0], q = order[1], r = order[2];
    const int64_t si = c->src_stride[p], di = c->dst_stride[p];
    const int n = c->n[p];
    for (int comp = 0; comp < ncomp; comp++) {
        const real *src = (const real *)from + c->src + comp * src_component;
        real *dst = (real *)to + c->dst + comp * dst_component;
        const int first = rotation ? an_turn_first(vector, comp) : -1;
        const int tensor = first >= 0 && vector == AN_COPY_TENSOR && comp < 9;
        for (int k = 0; k < c->n[r]; k++)
            for (int j = 0; j < c->n[q]; j++) {
                const real *s = src + k * c->src_stride[r] + j * c->src_stride[q];
                real *d = dst + k * c->dst_stride[r] + j * c->dst_stride[q];
                if (tensor) {
                    const real *x = s - comp * src_component;
                    for (int i = 0; i < n; i++)
                        d[i * di] =
                            AN_FN(an_turn_tensor)(rotation, comp, x + i * si, src_component);
                } else if (first >= 0) {
                    const real *x = s - (comp - first) * src_component;
                    for (int i = 0; i < n; i++)
                        d[i * di] = AN_FN(an_turn_vector)(rotation, comp - first, x + i * si,
                                                          src_component);
                } else if (si == 1 && di == 1) {
                    memcpy(d, s, (size_t)n * sizeof *d);
                } else {
                    for (int i = 0; i < n; i++)
                        d[i * di] = s[i * si];
                }
            }
    }
}

#define STRING_(x) #x
#define STRING(x)  STRING_(x)
#if AN_GAS
#define TABLE      AN_CAT(AN_FN(an_cpu_cp), AN_CAT(_, AN_ISA))
#define POLYNOMIAL NULL
#else
#define TABLE      AN_CAT(AN_FN(an_cpu), AN_CAT(_, AN_ISA))
#define POLYNOMIAL &AN_CAT(AN_FN(an_cpu_cp), AN_CAT(_, AN_ISA))
#endif

const struct an_cpu_kernels TABLE = {
    .isa = STRING(AN_ISA),
    .buffer = sizeof(union AN_FN(scratch)),
    .planes[AN_S_viscous_residual] = AN_FN(viscous_planes_run),
    .planes[AN_S_sa_residual] = AN_FN(sa_planes_run),
    .planes[AN_S_sst_residual] = AN_FN(sst_planes_run),
#define CELL(name) .cell[AN_S_##name] = {wrap_##name, wrap_##name, wrap_##name},
#define DIRECTIONAL(name) \
    .cell[AN_S_##name] = {wrap_##name##_d0, wrap_##name##_d1, wrap_##name##_d2},
#define FACE(name) .face[AN_S_##name] = wrap_##name,
#define LINE(name) .line[AN_S_##name] = {wrap_##name##_d0, wrap_##name##_d1, wrap_##name##_d2},
    AN_STENCIL_LIST(CELL, DIRECTIONAL, FACE, LINE)
#undef LINE
#undef CELL
#undef DIRECTIONAL
#undef FACE
        .fused = AN_FN(fused),
    .copy = copy,
    .polynomial = POLYNOMIAL,
};
