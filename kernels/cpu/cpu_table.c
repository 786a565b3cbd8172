/* The table of one build of the CPU kernels (AN_PRECISION, AN_GAS, AN_ISA). */
#include "kernels/cpu/cpu_table.h"

#include "kernels/engine/tables.h"
#include "kernels/stencils/gasless.h"

/* The kernel of a stencil, or of one of its directions. */
#define OF_0(kernel)     AN_KERNEL(kernel)
#define OF_1(kernel)     AN_KERNEL_GASLESS(kernel)
#define OF(name, kernel) AN_CAT(OF_, AN_GASLESS_##name)(kernel)

#define CELL(name) extern an_cpu_cell OF(name, name);
#define DIRECTIONAL(name) \
    extern an_cpu_cell OF(name, name##_d0), OF(name, name##_d1), OF(name, name##_d2);
#define FACE(name) extern an_cpu_face OF(name, name);
#define LINE(name) extern an_cpu_line OF(name, name##_d0), OF(name, name##_d1), OF(name, name##_d2);
AN_STENCIL_LIST(CELL, DIRECTIONAL, FACE, LINE)
#undef LINE
#undef CELL
#undef DIRECTIONAL
#undef FACE
extern an_cpu_copy AN_KERNEL_GASLESS(copy);
extern const struct an_cpu_fused AN_KERNEL(fused);
extern const struct an_cpu_planes AN_KERNEL(viscous_planes), AN_KERNEL(sa_planes),
    AN_KERNEL(sst_planes);

#define STRING_(x) #x
#define STRING(x)  STRING_(x)
#if AN_GAS
#define TABLE  AN_CAT(AN_FN(an_cpu_stored), AN_CAT(_, AN_ISA))
#define STORED NULL
extern const struct an_cpu_kernels TABLE;
#else
#define TABLE AN_CAT(AN_FN(an_cpu), AN_CAT(_, AN_ISA))
#ifdef AN_HAS_STORED
extern const struct an_cpu_kernels AN_CAT(AN_FN(an_cpu_stored), AN_CAT(_, AN_ISA));
#define STORED &AN_CAT(AN_FN(an_cpu_stored), AN_CAT(_, AN_ISA))
#else
#define STORED NULL
#endif
#endif

const struct an_cpu_kernels TABLE = {
    .isa = STRING(AN_ISA),
    .planes[AN_S_viscous_residual] = &AN_KERNEL(viscous_planes),
    .planes[AN_S_sa_residual] = &AN_KERNEL(sa_planes),
    .planes[AN_S_sst_residual] = &AN_KERNEL(sst_planes),
#define CELL(name) .cell[AN_S_##name] = {OF(name, name), OF(name, name), OF(name, name)},
#define DIRECTIONAL(name) \
    .cell[AN_S_##name] = {OF(name, name##_d0), OF(name, name##_d1), OF(name, name##_d2)},
#define FACE(name) .face[AN_S_##name] = OF(name, name),
#define LINE(name) \
    .line[AN_S_##name] = {OF(name, name##_d0), OF(name, name##_d1), OF(name, name##_d2)},
    AN_STENCIL_LIST(CELL, DIRECTIONAL, FACE, LINE)
#undef LINE
#undef CELL
#undef DIRECTIONAL
#undef FACE
        .fused = &AN_KERNEL(fused),
    .copy = AN_KERNEL_GASLESS(copy),
    .stored = STORED,
};
