/* Cells with their stored properties, the words of EOS (gas.h): what fluxes and operators need of the gas. */
#ifndef AN_GAS_CACHED_H
#define AN_GAS_CACHED_H

/* Internal energy per mass. */
AN_INLINE real AN_FN(an_specific_energy)(real rho, real mx, real my, real mz, real e)
{
    const real inverse = AN_R(1.0) / rho;
    const real twice = AN_FMA(mz, mz * inverse, AN_FMA(my, my * inverse, mx * (mx * inverse)));
    return AN_FMA(AN_R(-0.5), twice, e) * inverse;
}

/* A cell with what fluxes read of EOS. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_cell_of_flux)(real rho, real mx, real my, real mz, real e, real p, real kappa, real c2)
{
    struct AN_FN(an_cell) q;
    const real inverse = AN_R(1.0) / rho;
    q.rho = rho;
    q.u = mx * inverse;
    q.v = my * inverse;
    q.w = mz * inverse;
    q.p = p;
    q.H = (e + p) * inverse;
    q.kappa = kappa;
    q.c2 = c2;
    q.t = q.mu = q.lambda = q.cp = q.cv = AN_R(0.0);
    return q;
}

/* With all properties. */
AN_INLINE struct AN_FN(an_cell)
    AN_FN(an_cell_cached)(real rho, real mx, real my, real mz, real e,
                          struct AN_FN(an_properties) properties, const struct AN_FN(an_prm) * prm)
{
    const real *const eos = properties.word;
    const int64_t cs = properties.stride;
    struct AN_FN(an_cell) q = AN_FN(an_cell_of_flux)(rho, mx, my, mz, e, eos[AN_EOS_P * cs],
                                                     eos[AN_EOS_KAPPA * cs], eos[AN_EOS_C2 * cs]);
    (void)prm;
    q.t = eos[AN_EOS_T * cs];
    q.mu = eos[AN_EOS_MU * cs];
    q.lambda = eos[AN_EOS_LAMBDA * cs];
    q.cp = eos[AN_EOS_CP * cs];
    q.cv = eos[AN_EOS_CV * cs];
    return q;
}

AN_INLINE real AN_FN(an_add_chi)(real x, const struct AN_FN(an_acoustics) * a, real y)
{
    return AN_FMA(a->chi, y, x);
}

AN_INLINE real AN_FN(an_roe_entropy)(real kinetic, real speed, real h, real c2, real dp, real de)
{
    return kinetic + speed * (de - h * dp / c2);
}

/* ---- cells with their words of EOS ---- */

AN_INLINE real AN_FN(an_cell_temperature)(const struct AN_FN(an_cell) * q,
                                          const struct AN_FN(an_prm) * prm)
{
    (void)prm;
    return q->t;
}

AN_INLINE real AN_FN(an_cell_temperature_inverse)(const struct AN_FN(an_cell) * q, real inverse,
                                                  const struct AN_FN(an_prm) * prm)
{
    (void)inverse, (void)prm;
    return q->t;
}

AN_INLINE real AN_FN(an_cell_viscosity)(const struct AN_FN(an_cell) * q, real t,
                                        const struct AN_FN(an_prm) * prm)
{
    (void)t, (void)prm;
    return q->mu;
}

AN_INLINE real AN_FN(an_cell_heat)(const struct AN_FN(an_cell) * q, real mu, real mut,
                                   const struct AN_FN(an_prm) * prm)
{
    (void)mu;
    return AN_FMA(q->cp, mut / prm->fluid.prandtl_t, q->lambda);
}

/* mu: of a face, say: the conductivity is that of the cell in proportion. */
AN_INLINE real AN_FN(an_cell_energy_diffusion)(const struct AN_FN(an_cell) * q, real mu, real mut,
                                               const struct AN_FN(an_prm) * prm)
{
    return AN_FMA(q->cp, mut / prm->fluid.prandtl_t, q->lambda * (mu / q->mu)) / q->cv;
}

AN_INLINE real AN_FN(an_cell_sound)(const struct AN_FN(an_cell) * q,
                                    const struct AN_FN(an_prm) * prm)
{
    (void)prm;
    return AN_SQRT(q->c2);
}

AN_INLINE real AN_FN(an_cell_internal)(const struct AN_FN(an_cell) * q,
                                       const struct AN_FN(an_prm) * prm)
{
    (void)prm;
    return q->H - q->p / q->rho - AN_R(0.5) * (q->u * q->u + q->v * q->v + q->w * q->w);
}

AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_cell_acoustics)(const struct AN_FN(an_cell) * q, const struct AN_FN(an_prm) * prm)
{
    const real q2 = AN_R(0.5) * (q->u * q->u + q->v * q->v + q->w * q->w);
    struct AN_FN(an_acoustics) a;
    (void)prm;
    a.kappa = q->kappa;
    a.c2 = q->c2;
    a.chi = AN_FMA(-q->kappa, q->H - q2, q->c2);
    return a;
}

/* From the means of kappa and chi; of a gas with constant cp, where chi is zero, as for that gas. c^2 is kept above a
 * quarter of the smaller one of the two cells. */
AN_INLINE struct AN_FN(an_acoustics)
    AN_FN(an_cell_acoustics_mean)(const struct AN_FN(an_cell) * l, const struct AN_FN(an_cell) * r,
                                  real h, real q2, const struct AN_FN(an_prm) * prm)
{
    const real half = AN_R(0.5);
    const struct AN_FN(an_acoustics) x = AN_FN(an_cell_acoustics)(l, prm);
    const struct AN_FN(an_acoustics) y = AN_FN(an_cell_acoustics)(r, prm);
    struct AN_FN(an_acoustics) a;
    a.kappa = half * (x.kappa + y.kappa);
    a.c2 = AN_MAX(AN_FMA(a.kappa, h - q2, half * (x.chi + y.chi)), AN_R(0.25) * AN_MIN(x.c2, y.c2));
    a.chi = AN_FMA(-a.kappa, h - q2, a.c2);
    return a;
}

/* The internal energy of a state on a face of the cell q, on the plane that touches rho e(rho, p) at the
 * cell: rho e = (rho e)_q + [p - p_q - chi (rho - rho_q)] / kappa. The error is of second order in the step from
 * the cell to the face, as that of the reconstruction; of a gas with constant cp it is zero. */
AN_INLINE real AN_FN(an_face_internal)(const struct AN_FN(an_cell) * q, real rho, real p,
                                       const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_acoustics) a = AN_FN(an_cell_acoustics)(q, prm);
    const real of_cell = q->rho * AN_FN(an_cell_internal)(q, prm);
    return (of_cell + AN_FMA(-a.chi, rho - q->rho, p - q->p) / a.kappa) / rho;
}

AN_INLINE real AN_FN(an_face_enthalpy)(const struct AN_FN(an_cell) * q, real rho, real u, real v,
                                       real w, real p, const struct AN_FN(an_prm) * prm)
{
    return AN_FN(an_face_internal)(q, rho, p, prm) + p / rho + AN_R(0.5) * (u * u + v * v + w * w);
}

/* c^2 of Roe's mean: so that dp = chi dr + kappa de holds from one state to the other, the derivatives at the mean, moved as
 * little as need be (Vinokur and Montagne, JCP 89, 1990). A shock at rest has no dissipation then.
 * Differences below this part of p are rounding. */
AN_INLINE real AN_FN(an_cell_roe_c2)(const struct AN_FN(an_cell) * l,
                                     const struct AN_FN(an_cell) * r, real h, real rho, real pl,
                                     real pr, real dr, real dp, real de,
                                     const struct AN_FN(an_prm) * prm)
{
    const struct AN_FN(an_acoustics) a = AN_FN(an_cell_acoustics_mean)(l, r, h, AN_R(0.0), prm);
    const real least = AN_PRECISION == 32 ? AN_R(1e-4) : AN_R(1e-9);
    const real off = dp - a.chi * dr - a.kappa * de, wave = a.c2 * dr;
    const real scale = least * pl;
    const real sum = wave * wave + dp * dp + scale * scale;
    const real part = (sum + wave * off) / (sum - dp * off);
    (void)rho, (void)pr;
    return a.c2 * AN_MIN(AN_MAX(part, AN_R(0.5)), AN_R(2.0));
}

#endif
