/* Which cell stencils have a second form, which marches through planes, forms the state of a cell once for
 * each plane and computes each face once: on CPUs cpu_planes.h, on GPUs cuda_planes.cuh. */
#ifndef AN_PLANES_H
#define AN_PLANES_H

#include "kernels/engine/engine.h"

/* Does that form hold for these parameters? That of turb_follow always does. Those of residuals do not hold
 * for powers of the temperature, which stored properties have in EOS, and that of sa_residual does
 * not for SA-RC, which reads the gradients of neighbours. */
static inline int an_planes_hold(enum an_stencil s, const struct an_params *p)
{
    if (s == AN_S_turb_follow)
        return 1;
    return (an_params_stored(p) || p->fluid.viscosity == AN_VISCOSITY_SUTHERLAND ||
            p->fluid.viscosity == AN_VISCOSITY_CONSTANT) &&
           (s != AN_S_sa_residual || p->turb.rotation != AN_CORRECTION_RC);
}

#endif
