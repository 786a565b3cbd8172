#define AN_PRECISION 64
#include "bc/inlet_face.h"

#include "kernels/boundary.h"

void an_bc_inlet_face(const struct an_params *p, const double cell[5], const double normal[3],
                      const double v[5], double face[5])
{
    const struct an_prm_f64 prm = an_prm_from_f64(p);
    const struct an_cell_f64 c = {
        .rho = cell[0], .u = cell[1], .v = cell[2], .w = cell[3], .p = cell[4]};
    const struct an_cell_f64 f = an_inlet_total_f64(&c, normal[0], normal[1], normal[2], v, &prm);
    face[0] = f.rho;
    face[1] = f.u;
    face[2] = f.v;
    face[3] = f.w;
    face[4] = f.p;
}
