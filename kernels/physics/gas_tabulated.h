/* A gas from a table (gas_table.h): p is not rho R T, and no two of its functions know less than density
 * and pressure. */
#ifndef AN_GAS_TABULATED_H
#define AN_GAS_TABULATED_H

AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_cell_from_conserved)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_cell) q;
    real inverse = AN_R(1.0) / rho;
    q.rho = rho;
    q.u = mx * inverse;
    q.v = my * inverse;
    q.w = mz * inverse;
    real twice = AN_FMA(mz, q.w, AN_FMA(my, q.v, mx * q.u)); /* twice the kinetic energy */
    q.p = AN_FN(an_table_pressure)(&prm->table, rho, AN_FMA(AN_R(-0.5), twice, e) * inverse);
    q.H = (e + q.p) * inverse;
    return q;
}

AN_INLINE real AN_FN(an_pressure)(real rho, real mx, real my, real mz, real e,
                                  const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_cell_from_conserved)(rho, mx, my, mz, e, prm).p;
}

AN_INLINE real AN_FN(an_temperature_at)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    return AN_FN(an_table_temperature)(&prm->table, &o).v;
}

AN_INLINE real AN_FN(an_temperature_inverse)(real rho, real inverse, real p,
                                             const struct AN_FN(an_prm) * prm)
{
    (void)inverse;
    return AN_FN(an_temperature_at)(rho, p, prm);
}

AN_INLINE real AN_FN(an_density_at)(real p, real t, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_table_density)(&prm->table, p, t);
}

AN_INLINE real AN_FN(an_internal_energy)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    return AN_FN(an_table_patch)(&prm->table, AN_TABLE_E, &o).v;
}

AN_INLINE struct AN_FN(an_five)
    AN_FN(an_conserved)(real rho, real u, real v, real w, real p, const struct AN_FN(an_prm) * prm)
{
    struct AN_FN(an_five) c;
    c.m = rho;
    c.x = rho * u;
    c.y = rho * v;
    c.z = rho * w;
    c.e = rho * AN_FN(an_internal_energy)(rho, p, prm) + AN_R(0.5) * rho * (u * u + v * v + w * w);
    return c;
}

AN_INLINE real AN_FN(an_total_enthalpy)(real rho, real u, real v, real w, real p,
                                        const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_internal_energy)(rho, p, prm) + p / rho + AN_R(0.5) * (u * u + v * v + w * w);
}

/* chi is that of the enthalpy h: c^2 = chi + kappa h holds to the last digit. */
AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_acoustics_at)(real h, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    const struct AN_FN(an_patch) e = AN_FN(an_table_patch)(&prm->table, AN_TABLE_E, &o);
    struct AN_FN(an_acoustics) a;
    a.kappa = o.P / (e.x + e.y);
    a.c2 = a.kappa * (o.P + e.y);
    a.chi = AN_FMA(-a.kappa, h, a.c2);
    return a;
}

/* rho c^2 / p */
AN_INLINE real AN_FN(an_gamma_at)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    const struct AN_FN(an_patch) e = AN_FN(an_table_patch)(&prm->table, AN_TABLE_E, &o);
    return (o.P + e.y) / (e.x + e.y);
}

AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_acoustics_of)(const struct AN_FN(an_cell) * q, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, q->rho, q->p);
    const struct AN_FN(an_patch) e = AN_FN(an_table_patch)(&prm->table, AN_TABLE_E, &o);
    struct AN_FN(an_acoustics) a;
    a.kappa = o.P / (e.x + e.y);
    a.c2 = a.kappa * (o.P + e.y);
    a.chi = AN_FMA(-a.kappa, e.v + o.P, a.c2);
    return a;
}

AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_acoustics_mean)(real h, real q2, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_acoustics_at)(h - q2, rho, p, prm);
}

AN_INLINE real AN_FN(an_add_chi)(real x, const struct AN_FN(an_acoustics) * a, real y)
{
    return AN_FMA(a->chi, y, x);
}

/* As in gas_polynomial.h. */
AN_INLINE real AN_FN(an_roe_c2)(real h, real rho, real pl, real pr, real dr, real dp, real de,
                                const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_acoustics) a = AN_FN(an_acoustics_at)(h, rho, AN_R(0.5) * (pl + pr), prm);
    const real least = AN_PRECISION == 32 ? AN_R(1e-4) : AN_R(1e-9);
    const real off = dp - a.chi * dr - a.kappa * de, wave = a.c2 * dr;
    const real scale = least * pl;
    const real sum = wave * wave + dp * dp + scale * scale;
    real part = (sum + wave * off) / (sum - dp * off);
    return a.c2 * AN_MIN(AN_MAX(part, AN_R(0.5)), AN_R(2.0));
}

AN_INLINE real AN_FN(an_roe_entropy)(real kinetic, real speed, real h, real c2, real dp, real de)
{
    return kinetic + speed * (de - h * dp / c2);
}

/* cp = (dh/dT)_p and cv = (de/dT)_rho. */
struct AN_FN(an_heats) {
    real cp, cv;
};

AN_INLINE struct AN_FN(an_heats)
    AN_FN(an_heats_at)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    const struct AN_FN(an_patch) e = AN_FN(an_table_patch)(&prm->table, AN_TABLE_E, &o);
    const struct AN_FN(an_patch) t = AN_FN(an_table_temperature)(&prm->table, &o);
    struct AN_FN(an_heats) f;
    f.cp = (o.P + e.y) / t.y;
    f.cv = (e.x + e.y) / (t.x + t.y);
    return f;
}

AN_INLINE real AN_FN(an_cp_at)(real t, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    (void)t;
    return AN_FN(an_heats_at)(rho, p, prm).cp;
}

/* kg/m/s and W/m/K of the table; constant beyond its box. */
AN_INLINE real AN_FN(an_transport_at)(int field, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    return AN_FN(an_table_inner)(&prm->table, field, &o).v;
}

AN_INLINE real AN_FN(an_viscosity_of_gas)(real law, real rho, real p,
                                          const struct AN_FN(an_prm) * prm)
{
    return prm->viscosity == AN_VISCOSITY_TABLE ? AN_FN(an_transport_at)(AN_TABLE_MU, rho, p, prm)
                                                : law;
}

/* W/m/K, cp being given. */
AN_INLINE real AN_FN(an_conductivity_at)(real cp, real rho, real p, real mu, real mut,
                                         const struct AN_FN(an_prm) * prm)
{
    const real eddy = cp * mut / prm->prandtl_t;
    return prm->viscosity == AN_VISCOSITY_TABLE
               ? eddy + AN_FN(an_transport_at)(AN_TABLE_LAMBDA, rho, p, prm)
               : eddy + cp * mu / prm->prandtl;
}

/* Of a cell. */
AN_INLINE real AN_FN(an_heat_of_cell)(real mu, real mut, real rho, real p,
                                      const struct AN_FN(an_prm) * prm)
{
    const real cp = AN_FN(an_heats_at)(rho, p, prm).cp;
    return AN_FN(an_conductivity_at)(cp, rho, p, mu, mut, prm);
}

AN_INLINE real AN_FN(an_heat_twice)(real heat_l, real heat_r, real t_l, real t_r,
                                    const struct AN_FN(an_prm) * prm)
{
    (void)t_l, (void)t_r, (void)prm;
    return heat_l + heat_r;
}

/* Diffusivity of the internal energy times the density: conductivity over cv. */
AN_INLINE real AN_FN(an_energy_diffusion)(real rho, real p, real mu, real mut,
                                          const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_heats) f = AN_FN(an_heats_at)(rho, p, prm);
    return AN_FN(an_conductivity_at)(f.cp, rho, p, mu, mut, prm) / f.cv;
}

AN_INLINE struct AN_FN(an_totals) AN_FN(an_totals_of)(real rho, real p, real t, real speed2,
                                                      real ratio, const struct AN_FN(an_prm) * prm)
{
    (void)t, (void)ratio;
    const struct AN_FN(an_isentrope) z =
        AN_FN(an_isentrope_move)(&prm->table, AN_FN(an_isentrope_from)(rho, p), AN_BY_H,
                                 AN_R(0.5) * speed2, AN_ISENTROPE_STEPS);
    const struct AN_FN(an_spot) o = AN_FN(an_table_spot)(&prm->table, z.x, z.y, AN_R(0.0));
    struct AN_FN(an_totals) at_rest;
    at_rest.p0 = AN_EXP(z.x);
    at_rest.t0 = AN_FN(an_table_temperature)(&prm->table, &o).v;
    return at_rest;
}

/* Constant along isentropes; of a perfect gas p / rho^gamma. */
AN_INLINE real AN_FN(an_entropy_function)(real p, real rho, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    const real s = AN_FN(an_table_patch)(&prm->table, AN_TABLE_S, &o).v;
    return prm->table.s_factor * AN_EXP((s - prm->table.s_ref) * prm->table.s_scale);
}

#endif
