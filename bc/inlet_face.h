/* The state on the face of an inlet with total conditions, in double precision, for the host. The
 * kernels compute the same state (an_inlet_total, kernels/physics/boundary.h); with cp(T) the gas
 * functions are those of gas_model.h. */
#ifndef AN_BC_INLET_FACE_H
#define AN_BC_INLET_FACE_H

#include "kernels/physics/fields.h"
#include "kernels/physics/gas_model.h"

/* gas: of the case; p: parameters of the kernels, used with constant cp. cell: rho, u, v, w, p
 * (kg/m3, m/s, Pa) of the first cell inside; normal: outward unit vector; v: p0 (Pa), T0 (K),
 * unit vector of the direction. face: as cell. */
void an_bc_inlet_face(const struct an_params *p, const struct an_gas *gas, const double cell[5],
                      const double normal[3], const double v[5], double face[5]);

#endif
