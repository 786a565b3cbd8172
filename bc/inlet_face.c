#define AN_PRECISION 64
#include "bc/inlet_face.h"

#include "kernels/physics/boundary.h"
#include "kernels/physics/gas_real.h"

/* With cp(T): u_n + l(T) of the cell stays, h(T) + q^2 / 2 = h(T0); q from 0 to sonic. */
static void face_of(const struct an_gas *gas, const double cell[5], const double normal[3],
                    const double v[AN_BC_TURB], double face[5])
{
    const double T1 = cell[4] / (cell[0] * gas->R), h0 = an_gas_h(gas, v[AN_BC_T0]);
    double out = an_gas_l(gas, T1), a = 0;
    for (int d = 0; d < 3; d++) {
        out += cell[1 + d] * normal[d];
        a += v[AN_BC_DIRECTION + d] * normal[d]; /* < 0 */
    }
    const double most = an_gas_static_mach(gas, v[AN_BC_P0], v[AN_BC_T0], 1).V;
    double q = fmin(fmax((an_gas_l(gas, v[AN_BC_T0]) - out) / -a, 0), most), T = v[AN_BC_T0];
    for (int n = 0; n < 20; n++) {
        T = an_gas_T_of_h(gas, h0 - 0.5 * q * q);
        const double off = a * q + an_gas_l(gas, T) - out;
        q = fmin(fmax(q + off / (q / an_gas_sound(gas, T) - a), 0), most);
    }
    T = an_gas_T_of_h(gas, h0 - 0.5 * q * q);
    face[4] = v[AN_BC_P0] * an_gas_isentropic_p(gas, v[AN_BC_T0], T);
    face[0] = face[4] / (gas->R * T);
    for (int d = 0; d < 3; d++)
        face[1 + d] = q * v[AN_BC_DIRECTION + d];
}

/* With a table: l along the isentrope of (p0, T0), and as above. */
static void face_of_table(const struct an_gas_table *t, const double cell[5],
                          const double normal[3], const double v[AN_BC_TURB], double face[5])
{
    const double p0 = v[AN_BC_P0], rho0 = an_table_density(t, p0, v[AN_BC_T0]);
    double out = an_table_move(t, rho0, p0, AN_TABLE_TO_P, cell[4]).l, a = 0;
    for (int d = 0; d < 3; d++) {
        out += cell[1 + d] * normal[d];
        a += v[AN_BC_DIRECTION + d] * normal[d]; /* < 0 */
    }
    double q = fmin(fmax(out / a, 0), 0.9 * an_table_state(t, rho0, p0).c);
    struct an_table_point at = {0};
    for (int n = 0; n < 21; n++) {
        at = an_table_move(t, rho0, p0, AN_TABLE_BY_H, -0.5 * q * q);
        const double c = an_table_state(t, at.rho, at.p).c, off = a * q + at.l - out;
        if (n < 20)
            q = fmin(fmax(q + off / (q / c - a), 0), c);
    }
    face[4] = at.p;
    face[0] = at.rho;
    for (int d = 0; d < 3; d++)
        face[1 + d] = q * v[AN_BC_DIRECTION + d];
}

void an_bc_inlet_face(const struct an_params *p, const struct an_gas *gas, const double cell[5],
                      const double normal[3], const double v[AN_BC_TURB], double face[5])
{
    if (gas->table) {
        face_of_table(gas->table, cell, normal, v, face);
        return;
    }
    if (gas->n) {
        face_of(gas, cell, normal, v, face);
        return;
    }
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
