/* Open boundaries with stored properties (boundary.h, gas_stored.h). */
#ifndef AN_BOUNDARY_STORED_H
#define AN_BOUNDARY_STORED_H

#include "kernels/physics/boundary_tabulated.h"
#include "kernels/physics/boundary_thermal.h"

AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_inlet_total)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz,
                          const real *v, const struct AN_FN(an_prm) * prm)
{
    return AN_OF_GAS(inlet_total, c1, nx, ny, nz, v, prm);
}

AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_outlet_static)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz, real vn,
                            const real *v, const struct AN_FN(an_prm) * prm)
{
    return AN_OF_GAS(outlet_static, c1, nx, ny, nz, vn, v, prm);
}

AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_farfield)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz, real vn,
                       const real *v, const struct AN_FN(an_prm) * prm)
{
    return AN_OF_GAS(farfield, c1, nx, ny, nz, vn, v, prm);
}

#endif
