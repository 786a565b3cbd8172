/* Open boundaries of a gas with cp(T) (boundary.h): simple waves carry u_n +- l(T), l = int dh / c
 * (gas_model.h), along isentropes s0(T) - R ln p is constant. */
#ifndef AN_BOUNDARY_THERMAL_H
#define AN_BOUNDARY_THERMAL_H

/* Total conditions at an inlet: the outgoing invariant u_n + l of the cell, p0, T0 and the
 * direction d give a q + l(T) = R, h(T) + q^2 / 2 = h(T0), a = n.d < 0. Its left side falls with q,
 * by q / c - a, so that Newton's steps from the root of a gas with the cell's gamma stay above the
 * solution. The speed is kept in [0, c*]: inflow at most sonic. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_thermal_inlet_total)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz,
                                  const real *v, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) f;
    const struct AN_FN(an_gas) *const gas = &prm->gas;
    const real t1 = AN_FN(an_ideal_temperature)(c1->rho, c1->p, prm);
    const real riemann = c1->u * nx + c1->v * ny + c1->w * nz + AN_FN(an_gas_l_of)(gas, t1);
    const real a =
        nx * v[AN_BC_DIRECTION] + ny * v[AN_BC_DIRECTION + 1] + nz * v[AN_BC_DIRECTION + 2];
    const real h0 = AN_FN(an_gas_heat_of)(gas, v[AN_BC_T0]).h;
    const real slowest = AN_FN(an_gas_t_of_mach)(gas, v[AN_BC_T0], AN_R(1.0)); /* T* */
    const real sonic = AN_FN(an_gas_sound_of)(gas, slowest);
    real q = AN_MAX((AN_FN(an_gas_l_of)(gas, v[AN_BC_T0]) - riemann) / -a, AN_R(0.0)),
         t = v[AN_BC_T0];
    q = AN_MIN(q, sonic);
    for (int n = 0; n < 8; n++) {
        t = AN_FN(an_gas_t_of_h)(gas, AN_FMA(AN_R(-0.5) * q, q, h0));
        const real left = AN_FMA(a, q, AN_FN(an_gas_l_of)(gas, t)) - riemann;
        q += left / (q / AN_FN(an_gas_sound_of)(gas, t) - a);
        q = AN_MIN(AN_MAX(q, AN_R(0.0)), sonic);
    }
    t = AN_FN(an_gas_t_of_h)(gas, AN_FMA(AN_R(-0.5) * q, q, h0));
    f.p = v[AN_BC_P0] * AN_FN(an_gas_p_ratio)(gas, v[AN_BC_T0], t);
    f.rho = f.p / (prm->fluid.gas_constant * t);
    f.u = q * v[AN_BC_DIRECTION];
    f.v = q * v[AN_BC_DIRECTION + 1];
    f.w = q * v[AN_BC_DIRECTION + 2];
    f.H = h0;
    return f;
}

/* Static pressure at an outlet: entropy, tangential velocity and outgoing invariant from the cell;
 * the rest as in boundary_perfect.h. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_thermal_outlet_static)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz,
                                    real vn, const real *v, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) f = *c1;
    const struct AN_FN(an_gas) *const gas = &prm->gas;
    const real t1 = AN_FN(an_ideal_temperature)(c1->rho, c1->p, prm);
    const real c = AN_FN(an_gas_sound_of)(gas, t1);
    real un = c1->u * nx + c1->v * ny + c1->w * nz - vn; /* through the face */
    if (un < c) {
        f.p = AN_FN(an_outlet_pressure)(c1, un, c, v);
        const real t = AN_FN(an_gas_expand)(gas, t1, f.p / c1->p);
        f.rho = f.p / (prm->fluid.gas_constant * t);
        real unf = un + AN_FN(an_gas_l_of)(gas, t1) - AN_FN(an_gas_l_of)(gas, t);
        unf = AN_MAX(unf, AN_R(0.0));
        AN_FN(an_set_normal)(c1, un, unf, nx, ny, nz, &f);
    }
    return f;
}

/* Characteristic far field: invariants along the normal, entropy and tangential velocity from where
 * the flow comes from. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_thermal_farfield)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz, real vn,
                               const real *v, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) f;
    const struct AN_FN(an_gas) *const gas = &prm->gas;
    const real t1 = AN_FN(an_ideal_temperature)(c1->rho, c1->p, prm);
    const struct AN_FN(an_cell) far = AN_FN(an_far_state)(v);
    const real t_inf = AN_FN(an_ideal_temperature)(far.rho, far.p, prm);
    const real l1 = AN_FN(an_gas_l_of)(gas, t1), l_inf = AN_FN(an_gas_l_of)(gas, t_inf);
    real un = c1->u * nx + c1->v * ny + c1->w * nz - vn; /* through the face */
    real un_inf = far.u * nx + far.v * ny + far.w * nz - vn;
    real out = un + l1, in = un_inf - l_inf;
    const int leaves_all = un >= AN_FN(an_gas_sound_of)(gas, t1);
    if (leaves_all)
        in = un - l1;
    if (un_inf <= -AN_FN(an_gas_sound_of)(gas, t_inf) && !leaves_all) /* all waves enter */
        out = un_inf + l_inf;
    real unf = AN_R(0.5) * (out + in);
    real lf = AN_MAX(AN_R(0.5) * (out - in), AN_R(0.05) * l1);
    const int leaves = unf > AN_R(0.0);
    const struct AN_FN(an_cell) from = leaves ? *c1 : far;
    const real t = AN_FN(an_gas_t_of_l)(gas, lf);
    f.p = from.p * AN_FN(an_gas_p_ratio)(gas, leaves ? t1 : t_inf, t);
    f.rho = f.p / (prm->fluid.gas_constant * t);
    AN_FN(an_set_normal)(&from, leaves ? un : un_inf, unf, nx, ny, nz, &f);
    f.H = AN_R(0.0);
    return f;
}

#endif
