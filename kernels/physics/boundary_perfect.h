/* Open boundaries of a gas with constant cp (boundary.h). */
#ifndef AN_BOUNDARY_PERFECT_H
#define AN_BOUNDARY_PERFECT_H

/* Total conditions at an inlet: the outgoing Riemann invariant R = u_n + 2 c / (gamma - 1) of the
 * cell, p0, T0 and the direction d give a quadratic for the speed (ADflow's bcSubsonicInflow; SU2's
 * BC_Inlet): (1 + (g-1) a^2 / 2) q^2 - (g-1) a R q + (g-1) R^2 / 2 - 2 c0^2 / (g-1) = 0, a = n.d <
 * 0. The speed is kept in [0, c*]: inflow at most sonic. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_inlet_total)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz,
                          const real *v, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) f;
    const real g1 = prm->fluid.gamma - AN_R(1.0);
    real c = AN_FN(an_sound_speed)(c1->rho, c1->p, prm);
    real riemann = c1->u * nx + c1->v * ny + c1->w * nz + AN_R(2.0) * c / g1;
    real a = nx * v[AN_BC_DIRECTION] + ny * v[AN_BC_DIRECTION + 1] + nz * v[AN_BC_DIRECTION + 2];
    real c02 = prm->fluid.gamma * prm->fluid.gas_constant * v[AN_BC_T0];
    real qa = AN_R(1.0) + AN_R(0.5) * g1 * a * a;
    real qb = -g1 * a * riemann;
    real qc = AN_R(0.5) * g1 * riemann * riemann - AN_R(2.0) * c02 / g1;
    real disc = AN_MAX(qb * qb - AN_R(4.0) * qa * qc, AN_R(0.0));
    real q = (-qb + AN_SQRT(disc)) / (AN_R(2.0) * qa);
    real sonic = AN_SQRT(AN_R(2.0) * c02 / (prm->fluid.gamma + AN_R(1.0)));
    q = AN_MIN(AN_MAX(q, AN_R(0.0)), sonic);
    real ratio = AN_R(1.0) - AN_R(0.5) * g1 * q * q / c02; /* T / T0 */
    real t = v[AN_BC_T0] * ratio;
    f.p = v[AN_BC_P0] * AN_POW(ratio, prm->fluid.gamma / g1);
    f.rho = f.p / (prm->fluid.gas_constant * t);
    f.u = q * v[AN_BC_DIRECTION];
    f.v = q * v[AN_BC_DIRECTION + 1];
    f.w = q * v[AN_BC_DIRECTION + 2];
    f.H = c02 / g1;
    return f;
}

/* Static pressure at an outlet (an_outlet_pressure): entropy, tangential velocity and outgoing Riemann invariant from the
 * cell. Outflow faster than sound takes everything from the cell. Flow back in is stopped at the face. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_outlet_static)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz, real vn,
                            const real *v, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) f = *c1;
    const real g1 = prm->fluid.gamma - AN_R(1.0);
    real c = AN_FN(an_sound_speed)(c1->rho, c1->p, prm);
    real un = c1->u * nx + c1->v * ny + c1->w * nz - vn; /* through the face */
    if (un < c) {
        f.p = AN_FN(an_outlet_pressure)(c1, un, c, v);
        f.rho = c1->rho * AN_POW(f.p / c1->p, AN_R(1.0) / prm->fluid.gamma);
        real cf = AN_FN(an_sound_speed)(f.rho, f.p, prm);
        real unf = AN_MAX(un + AN_R(2.0) * (c - cf) / g1, AN_R(0.0));
        AN_FN(an_set_normal)(c1, un, unf, nx, ny, nz, &f);
    }
    return f;
}

/* Characteristic far field: Riemann invariants along the normal, entropy and tangential velocity
 * from where the flow comes from. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_farfield)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz, real vn,
                       const real *v, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) f;
    const real g1 = prm->fluid.gamma - AN_R(1.0);
    real c = AN_FN(an_sound_speed)(c1->rho, c1->p, prm);
    real un = c1->u * nx + c1->v * ny + c1->w * nz - vn; /* through the face */
    const struct AN_FN(an_cell) far = AN_FN(an_far_state)(v);
    real c_inf = AN_FN(an_sound_speed)(far.rho, far.p, prm);
    real un_inf = far.u * nx + far.v * ny + far.w * nz - vn;
    real out = un + AN_R(2.0) * c / g1, in = un_inf - AN_R(2.0) * c_inf / g1;
    if (un >= c) /* all waves leave */
        in = un - AN_R(2.0) * c / g1;
    if (un_inf <= -c_inf && un < c) /* all waves enter */
        out = un_inf + AN_R(2.0) * c_inf / g1;
    real unf = AN_R(0.5) * (out + in);
    real cf = AN_R(0.25) * g1 * (out - in);
    const int leaves = unf > AN_R(0.0);
    const struct AN_FN(an_cell) from = leaves ? *c1 : far;
    /* s = p / rho^gamma stays; c^2 = gamma p / rho */
    f.rho = from.rho * AN_POW(cf * cf * from.rho / (prm->fluid.gamma * from.p), AN_R(1.0) / g1);
    f.p = f.rho * cf * cf / prm->fluid.gamma;
    AN_FN(an_set_normal)(&from, leaves ? un : un_inf, unf, nx, ny, nz, &f);
    f.H = AN_R(0.0);
    return f;
}

#endif
