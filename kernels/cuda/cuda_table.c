/* The table of one build of the CUDA kernels (AN_SET, AN_PRECISION, AN_GAS). */
#include "kernels/cuda/cuda_plan.h"
#include "kernels/engine/tables.h"
#include "kernels/stencils/gasless.h"

#define OF_0(name) AN_LAUNCHER(name)
#define OF_1(name) AN_LAUNCHER_GASLESS(name)
#define OF(name)   AN_CAT(OF_, AN_GASLESS_##name)(name)

#define CELL(name) extern an_cuda_cell OF(name);
#define FACE(name) extern an_cuda_face OF(name);
#define LINE(name) extern an_cuda_line OF(name);
AN_STENCIL_LIST(CELL, CELL, FACE, LINE)
#undef LINE
#undef CELL
#undef FACE
extern an_cuda_copy AN_LAUNCHER_GASLESS(copy);
#if AN_PRECISION == 64
extern const struct an_sparse_ops AN_LAUNCHER_GASLESS(sparse);
#define SPARSE &AN_LAUNCHER_GASLESS(sparse)
#else
#define SPARSE NULL
#endif
extern const struct an_fused_kernels AN_LAUNCHER(fused), AN_LAUNCHER(rans);
extern const struct an_viscous_kernels AN_LAUNCHER(viscous);
extern const struct an_plane_kernels AN_LAUNCHER(sa_planes), AN_LAUNCHER(sst_planes),
    AN_LAUNCHER(follow_planes);

#if AN_GAS
#define TABLE  AN_FN(AN_CAT(AN_SET, _stored))
#define STORED NULL
#else
#define TABLE  AN_FN(AN_SET)
#define STORED &AN_FN(AN_CAT(AN_SET, _stored))
extern const struct an_cuda_kernels AN_FN(AN_CAT(AN_SET, _stored));
#endif

extern const struct an_cuda_kernels TABLE;
const struct an_cuda_kernels TABLE = {
#define CELL(name)        .cell[AN_S_##name] = OF(name),
#define DIRECTIONAL(name) CELL(name).directional[AN_S_##name] = 1,
#define FACE(name)        .face[AN_S_##name] = OF(name),
#define LINE(name)        .line[AN_S_##name] = OF(name),
    AN_STENCIL_LIST(CELL, DIRECTIONAL, FACE, LINE)
#undef LINE
#undef CELL
#undef DIRECTIONAL
#undef FACE
        .fused = &AN_LAUNCHER(fused),
    .viscous = &AN_LAUNCHER(viscous),
    .planes[AN_S_sa_residual] = &AN_LAUNCHER(sa_planes),
    .planes[AN_S_sst_residual] = &AN_LAUNCHER(sst_planes),
    .planes[AN_S_turb_follow] = &AN_LAUNCHER(follow_planes),
    .rans = &AN_LAUNCHER(rans),
    .copy = AN_LAUNCHER_GASLESS(copy),
    .sparse = SPARSE,
    .stored = STORED,
};
