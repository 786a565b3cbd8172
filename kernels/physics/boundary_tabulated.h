/* Open boundaries of a gas from a table (boundary.h): states move along isentropes (gas_table.h), simple
 * waves carry u_n +- l, l = int dp / (rho c). */
#ifndef AN_BOUNDARY_TABULATED_H
#define AN_BOUNDARY_TABULATED_H

/* Total conditions at an inlet: with l from the state at rest along its isentrope, the outgoing
 * invariant u_n + l(p) of the cell, p0, T0 and the direction d give a q + l = R, h + q^2 / 2 = h0,
 * a = n.d < 0. Newton's steps as in boundary_thermal.h. The speed stays below that of sound. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_tabled_inlet_total)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz,
                                 const real *v, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) f;
    const struct AN_FN(an_table) *const t = &prm->table;
    const real a =
        nx * v[AN_BC_DIRECTION] + ny * v[AN_BC_DIRECTION + 1] + nz * v[AN_BC_DIRECTION + 2];
    const real rho0 = AN_FN(an_tabled_density)(v[AN_BC_P0], v[AN_BC_T0], prm);
    const struct AN_FN(an_isentrope) rest = AN_FN(an_isentrope_from)(rho0, v[AN_BC_P0]);
    const real across = AN_LOG(c1->p) - rest.x;
    const real riemann = c1->u * nx + c1->v * ny + c1->w * nz +
                         AN_FN(an_isentrope_move)(t, rest, AN_BY_X, across, AN_ISENTROPE_STEPS).l;
    const real fast = AN_FN(an_isentrope_sound)(t, &rest);
    real q = AN_MIN(AN_MAX(riemann / a, AN_R(0.0)), AN_R(0.9) * fast);
    for (int n = 0; n < 8; n++) {
        const struct AN_FN(an_isentrope) z =
            AN_FN(an_isentrope_move)(t, rest, AN_BY_H, AN_R(-0.5) * q * q, 2);
        const real c = AN_FN(an_isentrope_sound)(t, &z);
        const real left = AN_FMA(a, q, z.l) - riemann;
        q += left / (q / c - a);
        q = AN_MIN(AN_MAX(q, AN_R(0.0)), c);
    }
    const struct AN_FN(an_isentrope) z =
        AN_FN(an_isentrope_move)(t, rest, AN_BY_H, AN_R(-0.5) * q * q, AN_ISENTROPE_STEPS);
    f.p = AN_EXP(z.x);
    f.rho = AN_EXP(z.x - z.y);
    f.u = q * v[AN_BC_DIRECTION];
    f.v = q * v[AN_BC_DIRECTION + 1];
    f.w = q * v[AN_BC_DIRECTION + 2];
    f.H = AN_FN(an_tabled_total_enthalpy)(rho0, AN_R(0.0), AN_R(0.0), AN_R(0.0), v[AN_BC_P0], prm);
    return f;
}

/* Static pressure at an outlet: entropy, tangential velocity and outgoing invariant from the cell;
 * the rest as in boundary_perfect.h. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_tabled_outlet_static)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz,
                                   real vn, const real *v, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) f = *c1;
    const real c = AN_FN(an_sound_speed)(c1->rho, c1->p, prm);
    real un = c1->u * nx + c1->v * ny + c1->w * nz - vn; /* through the face */
    if (un < c) {
        f.p = AN_FN(an_outlet_pressure)(c1, un, c, v);
        const struct AN_FN(an_isentrope) z =
            AN_FN(an_isentrope_move)(&prm->table, AN_FN(an_isentrope_from)(c1->rho, c1->p), AN_BY_X,
                                     AN_LOG(f.p / c1->p), AN_ISENTROPE_STEPS);
        f.rho = AN_EXP(z.x - z.y);
        const real unf = AN_MAX(un - z.l, AN_R(0.0));
        AN_FN(an_set_normal)(c1, un, unf, nx, ny, nz, &f);
    }
    return f;
}

/* Characteristic far field: both invariants on the isentrope of where the flow comes from, tangential
 * velocity from there. dl: l there less l at the other side's pressure. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_tabled_farfield)(const struct AN_FN(an_cell) * c1, real nx, real ny, real nz, real vn,
                              const real *v, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) f;
    const real half = AN_R(0.5);
    const real c = AN_FN(an_sound_speed)(c1->rho, c1->p, prm);
    const struct AN_FN(an_cell) far = AN_FN(an_far_state)(v);
    const real c_inf = AN_FN(an_sound_speed)(far.rho, far.p, prm);
    const real un = c1->u * nx + c1->v * ny + c1->w * nz - vn; /* through the face */
    const real un_inf = far.u * nx + far.v * ny + far.w * nz - vn;
    const int all_leave = un >= c, all_enter = (un_inf <= -c_inf) & !all_leave;
    const real through = un + un_inf + (c1->p - far.p) / (c1->rho * c);
    const int leaves = all_leave | (!all_enter & (through > AN_R(0.0)));
    const struct AN_FN(an_cell) from = leaves ? *c1 : far;
    const real other = leaves ? far.p : c1->p, most = AN_R(2.0) * c;
    const struct AN_FN(an_isentrope) start = AN_FN(an_isentrope_from)(from.rho, from.p);
    const real dl = -AN_FN(an_isentrope_move)(&prm->table, start, AN_BY_X, AN_LOG(other / from.p),
                                              AN_ISENTROPE_STEPS)
                         .l;
    const real wave = leaves ? dl : -dl; /* l of the cell less that of what lies outside */
    real unf = half * (un + un_inf + wave), more = half * (un - un_inf - dl);
    if (all_leave || all_enter) {
        unf = leaves ? un : un_inf;
        more = AN_R(0.0);
    }
    more = AN_MIN(AN_MAX(more, -most), most);
    const struct AN_FN(an_isentrope) z =
        AN_FN(an_isentrope_move)(&prm->table, start, AN_BY_L, more, AN_ISENTROPE_STEPS);
    f.p = AN_EXP(z.x);
    f.rho = AN_EXP(z.x - z.y);
    AN_FN(an_set_normal)(&from, leaves ? un : un_inf, unf, nx, ny, nz, &f);
    f.H = AN_R(0.0);
    return f;
}

#endif
