/* A gas from a table (gas_table.h): p is not rho R T, and no two of its functions know less than density
 * and pressure. gas_stored.h has what each function is. */
#ifndef AN_GAS_TABULATED_H
#define AN_GAS_TABULATED_H

#include "kernels/physics/gas_table.h"

/* The words of EOS where Y = y and X = x; x - y = ln(rho). Without viscosity those behind c^2 are zero. Returns the
 * internal energy, J/kg. */
AN_INLINE real AN_FN(an_tabled_eos_at)(real rho, real x, real y, real word[AN_NCOMP_EOS],
                                       const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_table) *const table = &prm->table;
    const real P = AN_EXP(y);
    const struct AN_FN(an_spot) o = AN_FN(an_table_spot)(table, x, y, P);
    const struct AN_FN(an_patch) e = AN_FN(an_table_patch)(table, AN_TABLE_E, &o);
    const real kappa = P / (e.x + e.y), h = P + e.y;
    for (int c = AN_EOS_T; c < AN_EOS_FRACTION; c++)
        word[c] = AN_R(0.0);
    word[AN_EOS_P] = rho * P;
    word[AN_EOS_KAPPA] = kappa;
    word[AN_EOS_C2] = kappa * h;
    if (prm->fluid.viscosity == AN_VISCOSITY_NONE)
        return e.v;
    const struct AN_FN(an_patch) t = AN_FN(an_table_temperature)(table, &o);
    const int tabled = prm->fluid.viscosity == AN_VISCOSITY_TABLE;
    const real cp = h / t.y;
    const real mu = tabled ? AN_FN(an_table_inner)(table, AN_TABLE_MU, &o).v
                           : AN_FN(an_viscosity_law)(t.v, prm);
    word[AN_EOS_T] = t.v;
    word[AN_EOS_MU] = mu;
    word[AN_EOS_LAMBDA] =
        tabled ? AN_FN(an_table_inner)(table, AN_TABLE_LAMBDA, &o).v : cp * mu / prm->fluid.prandtl;
    word[AN_EOS_CP] = cp;
    word[AN_EOS_CV] = (e.x + e.y) / (t.x + t.y);
    return e.v;
}

/* Those of density and pressure, likewise. */
AN_INLINE real AN_FN(an_tabled_state)(real rho, real p, real word[AN_NCOMP_EOS],
                                      const struct AN_FN(an_prm) * prm)
{
    const real x = AN_LOG(p), e = AN_FN(an_tabled_eos_at)(rho, x, x - AN_LOG(rho), word, prm);
    word[AN_EOS_P] = p;
    return e;
}

/* Those of density and internal energy per mass: the one place where the pressure is found. */
AN_INLINE void AN_FN(an_tabled_eos)(real rho, real energy, real word[AN_NCOMP_EOS],
                                    const struct AN_FN(an_prm) * prm)
{
    const real log_rho = AN_LOG(rho), y = AN_FN(an_table_invert)(&prm->table, log_rho, energy);
    (void)AN_FN(an_tabled_eos_at)(rho, y + log_rho, y, word, prm);
}

AN_INLINE real AN_FN(an_tabled_pressure)(real rho, real energy, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_table_pressure)(&prm->table, rho, energy);
}

AN_INLINE real AN_FN(an_tabled_temperature)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    return AN_FN(an_table_temperature)(&prm->table, &o).v;
}

AN_INLINE real AN_FN(an_tabled_density)(real p, real t, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_table_density)(&prm->table, p, t);
}

AN_INLINE real AN_FN(an_tabled_energy)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    return AN_FN(an_table_patch)(&prm->table, AN_TABLE_E, &o).v;
}

AN_INLINE real AN_FN(an_tabled_total_enthalpy)(real rho, real u, real v, real w, real p,
                                               const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_tabled_energy)(rho, p, prm) + p / rho + AN_R(0.5) * (u * u + v * v + w * w);
}

/* rho c^2 / p */
AN_INLINE real AN_FN(an_tabled_gamma)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    const struct AN_FN(an_patch) e = AN_FN(an_table_patch)(&prm->table, AN_TABLE_E, &o);
    return (o.P + e.y) / (e.x + e.y);
}

/* cp = (dh/dT)_p and cv = (de/dT)_rho. */
struct AN_FN(an_heats) {
    real cp, cv;
};

AN_INLINE struct AN_FN(an_heats)
    AN_FN(an_tabled_heats)(real rho, real p, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    const struct AN_FN(an_patch) e = AN_FN(an_table_patch)(&prm->table, AN_TABLE_E, &o);
    const struct AN_FN(an_patch) t = AN_FN(an_table_temperature)(&prm->table, &o);
    struct AN_FN(an_heats) f;
    f.cp = (o.P + e.y) / t.y;
    f.cv = (e.x + e.y) / (t.x + t.y);
    return f;
}

AN_INLINE real AN_FN(an_tabled_cp)(real t, real rho, real p, const struct AN_FN(an_prm) * prm)
{
    (void)t;
    return AN_FN(an_tabled_heats)(rho, p, prm).cp;
}

/* kg/m/s and W/m/K of the table; constant beyond its box. */
AN_INLINE real AN_FN(an_tabled_transport)(int field, real rho, real p,
                                          const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    return AN_FN(an_table_inner)(&prm->table, field, &o).v;
}

AN_INLINE real AN_FN(an_tabled_viscosity)(real law, real rho, real p,
                                          const struct AN_FN(an_prm) * prm)
{
    return prm->fluid.viscosity == AN_VISCOSITY_TABLE
               ? AN_FN(an_tabled_transport)(AN_TABLE_MU, rho, p, prm)
               : law;
}

/* W/m/K, cp being given. */
AN_INLINE real AN_FN(an_tabled_conductivity)(real cp, real rho, real p, real mu, real mut,
                                             const struct AN_FN(an_prm) * prm)
{
    const real eddy = cp * mut / prm->fluid.prandtl_t;
    return prm->fluid.viscosity == AN_VISCOSITY_TABLE
               ? eddy + AN_FN(an_tabled_transport)(AN_TABLE_LAMBDA, rho, p, prm)
               : eddy + cp * mu / prm->fluid.prandtl;
}

/* ---- output ---- */

AN_INLINE struct AN_FN(an_totals)
    AN_FN(an_tabled_totals)(real rho, real p, real t, real speed2, const struct AN_FN(an_prm) * prm)
{
    (void)t;
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
AN_INLINE real AN_FN(an_tabled_entropy)(real p, real rho, const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_spot) o = AN_FN(an_table_at)(&prm->table, rho, p);
    const real s = AN_FN(an_table_patch)(&prm->table, AN_TABLE_S, &o).v;
    return prm->table.s_factor * AN_EXP((s - prm->table.s_ref) * prm->table.s_scale);
}

#endif
